// The frame in which the kernels of 09-shuffle-timed.cu and 10-reduce-timed.cu are measured.
#pragma once
#include <cuda_runtime.h>

#define ALL 0xffffffffu
#define LANE (threadIdx.x % 32)

// Takes TIMES steps, each of which waits for the one before. Lane 0 of a warp notes the clock before
// and after and the SM: cyc[3 * warp ...].
// [timed]
template <int TIMES, typename F>
__device__ void timed(long long *cyc, int *out, int v, F step) {
  int warp = threadIdx.x / 32;
  __syncthreads();
  long long start = clock64();
#pragma unroll
  for (int i = 0; i < TIMES; i++) v = step(v);
  long long end = clock64();
  out[threadIdx.x] = v;
  if (LANE == 0) {
    unsigned sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    cyc[3 * warp] = start;
    cyc[3 * warp + 1] = end;
    cyc[3 * warp + 2] = sm;
  }
}
// [/timed]
