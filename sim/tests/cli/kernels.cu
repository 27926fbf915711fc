// Kernels for the tests of the command line.
#include <cuda_runtime.h>
#include <stdio.h>

extern "C" __global__ void scale(const float *in, float *out, float factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = factor * in[i];
}

extern "C" __global__ void split(int *out) {
  if (threadIdx.x < 16)
    out[threadIdx.x] = 1;
  else
    out[threadIdx.x] = 2;
}

extern "C" __global__ void too_far(int *out) { out[threadIdx.x + 1000000] = 1; }

extern "C" __global__ void forever(int *out) {
  for (;;) atomicAdd(out, 1);
}

extern "C" __global__ void hello(int n) { printf("n = \"%d\"\n", n); }

extern "C" __global__ void clocks(long long *cyc, float *out) {
  long long start = clock64();
  out[threadIdx.x] = 2.0f * threadIdx.x;
  long long end = clock64();
  if (threadIdx.x % 32 == 0) {
    cyc[threadIdx.x / 32 * 3] = start;
    cyc[threadIdx.x / 32 * 3 + 1] = end;
  }
}

