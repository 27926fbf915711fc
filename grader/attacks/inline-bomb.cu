// Always inlined, ten times at each of nine levels.
#define LEVEL(f, g) __device__ __forceinline__ int f(int x) { \
    return g(x) + g(x + 1) * g(x + 2) - g(x + 3) + g(x + 4) * g(x + 5) - g(x + 6) + g(x + 7) * g(x + 8) - g(x + 9); }
__device__ __forceinline__ int f0(int x) { return x * x; }
LEVEL(f1, f0) LEVEL(f2, f1) LEVEL(f3, f2) LEVEL(f4, f3) LEVEL(f5, f4) LEVEL(f6, f5) LEVEL(f7, f6) LEVEL(f8, f7)
__device__ int warps_per_block(int threads) { return f8(threads); }
