// The kernels of chapter 8. The book cuts its listings out of this file, between markers such as
// "[stream]" and "[/stream]", and runs the same kernels for its numbers.
#include <cuda_runtime.h>

// [note]
__device__ void note_clock(long long *cyc, long long start) {
  long long end = clock64();
  if (threadIdx.x % 32 == 0) {
    unsigned sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    long long *mine =
        cyc + 3 * (blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32);
    mine[0] = start, mine[1] = end, mine[2] = sm;
  }
}
// [/note]

// [stream]
__global__ void stream(long long *cyc, float *out, const float *in,
                       int n) {
  long long start = clock64();
  int step = gridDim.x * blockDim.x,
      i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
#pragma unroll 1
  for (int k = i; k < n; k += step) sum += in[k];
  out[i] = sum;
  note_clock(cyc, start);
}
// [/stream]

// [compute]
__global__ void compute(long long *cyc, float *out, float a,
                        int steps) {
  long long start = clock64();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = i;
#pragma unroll 1
  for (int k = 0; k < steps; k++) {
#pragma unroll
    for (int j = 0; j < 32; j++) x = x * a + a;
  }
  out[i] = x;
  note_clock(cyc, start);
}
// [/compute]

// [compute4]
__global__ void compute4(long long *cyc, float *out, float a,
                         int steps) {
  long long start = clock64();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = i, y = i + 1, z = i + 2, w = i + 3;
#pragma unroll 1
  for (int k = 0; k < steps; k++) {
#pragma unroll
    for (int j = 0; j < 8; j++) {
      x = x * a + a;
      y = y * a + a;
      z = z * a + a;
      w = w * a + a;
    }
  }
  out[i] = x + y + z + w;
  note_clock(cyc, start);
}
// [/compute4]
