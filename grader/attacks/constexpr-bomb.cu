constexpr int slow(int n) { return n < 2 ? n : slow(n - 1) + slow(n - 2); }
constexpr int value = slow(60);
__device__ int warps_per_block(int threads) { return value; }
