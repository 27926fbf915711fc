// The kernels of chapter 13. The book cuts its listings out of this file, between markers such as
// "[choose]" and "[/choose]", and runs the same kernels for its numbers.
#include <cuda_runtime.h>

// [choose]
__global__ void choose(int *out, const int *in) {
  int v = in[threadIdx.x];
  if (v > 3)
    out[threadIdx.x] = v * 2;
  else
    out[threadIdx.x] = v + 1;
}
// [/choose]

// [count]
__global__ void count(int *out, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) sum += i;
  out[threadIdx.x] = sum;
}
// [/count]
