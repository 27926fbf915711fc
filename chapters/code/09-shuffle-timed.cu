// Three ways to hand a number to the neighbour lane, timed: 64 exchanges, each waiting for the last.
// Lane 0 of a warp notes the clock before and after (cyc[3 * warp ...]: start, end, SM).
#include <cuda_runtime.h>

#define ALL 0xffffffffu
#define LANE (threadIdx.x % 32)
enum { TIMES = 64 };

template <typename F> __device__ void timed(long long *cyc, int *out, F exchange) {
  int v = threadIdx.x, warp = threadIdx.x / 32;
  __syncthreads();
  long long start = clock64();
#pragma unroll
  for (int i = 0; i < TIMES; i++) v = exchange(v) + 1;
  long long end = clock64();
  out[threadIdx.x] = v;
  if (LANE == 0) {
    unsigned sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    cyc[3 * warp] = start, cyc[3 * warp + 1] = end, cyc[3 * warp + 2] = sm;
  }
}

__global__ void time_shuffle(long long *cyc, int *out) {
  timed(cyc, out, [](int v) { return __shfl_xor_sync(ALL, v, 1); });
}

__global__ void time_shared_syncwarp(long long *cyc, int *out) {
  __shared__ int boxes[1024];
  volatile int *box = boxes;
  timed(cyc, out, [box](int v) {
    box[threadIdx.x] = v;
    __syncwarp();
    v = box[threadIdx.x ^ 1];
    __syncwarp();
    return v;
  });
}

__global__ void time_shared_syncthreads(long long *cyc, int *out) {
  __shared__ int boxes[1024];
  volatile int *box = boxes;
  timed(cyc, out, [box](int v) {
    box[threadIdx.x] = v;
    __syncthreads();
    v = box[threadIdx.x ^ 1];
    __syncthreads();
    return v;
  });
}
