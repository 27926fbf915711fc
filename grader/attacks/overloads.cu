// Many functions of one name: which one is called must not depend on luck.
__device__ int warps_per_block(long threads) { return 4; }
__device__ int warps_per_block(int threads) { return 5; }
__device__ int warps_per_block(int threads, int more) { return 6; }
namespace other { __device__ int warps_per_block(int threads) { return 9; } }
template <class T> __device__ int idle_lanes(T threads) { return 7; }
template __device__ int idle_lanes<int>(int);
