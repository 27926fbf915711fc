// Itself twice at every level: 2 to the power of the depth.
#include __FILE__
#include __FILE__
__device__ int warps_per_block(int threads) { return 1; }
