// Three ways to learn one's lane, timed: 64 times in a row, each result added up. Lane 0 of a warp notes
// the clock before and after (cyc[3 * warp ...]: start, end, SM).
#include <cuda_runtime.h>

enum { TIMES = 64 };

template <typename F> __device__ void timed(long long *cyc, int *out, F lane) {
  int id = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z), sum = 0;
  __syncthreads();
  long long start = clock64();
#pragma unroll
  for (int i = 0; i < TIMES; i++) sum += lane(sum);
  long long end = clock64();
  out[id] = sum;
  if (id % 32 == 0) {
    unsigned sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    long long *mine = cyc + 3 * (id / 32);
    mine[0] = start, mine[1] = end, mine[2] = sm;
  }
}

// The register that holds the lane.
__global__ void time_register(long long *cyc, int *out) {
  timed(cyc, out, [](int) {
    int lane;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
  });
}

// One dimension: threadIdx.x modulo 32, from a register that is there already.
__global__ void time_modulo(long long *cyc, int *out) {
  int t = threadIdx.x;
  timed(cyc, out, [t](int) {
    int lane;
    asm volatile("and.b32 %0, %1, 31;" : "=r"(lane) : "r"(t));
    return lane;
  });
}

// Three dimensions: the linear id modulo 32, from coordinates that are there already.
__global__ void time_linear(long long *cyc, int *out) {
  int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z, width = blockDim.x, height = blockDim.y;
  timed(cyc, out, [=](int) {
    int lane;
    asm volatile("{ .reg .s32 r; mad.lo.s32 r, %3, %5, %2; mad.lo.s32 r, r, %4, %1; and.b32 %0, r, 31; }"
                 : "=r"(lane)
                 : "r"(x), "r"(y), "r"(z), "r"(width), "r"(height));
    return lane;
  });
}
