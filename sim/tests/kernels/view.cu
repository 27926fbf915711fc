// Kernels for the tests of what is made of a timed run.
#include <cuda_runtime.h>

// Warps of one block that end at very different times.
extern "C" __global__ void ragged(unsigned *out) {
  unsigned x = threadIdx.x, n = threadIdx.x / 32 * 40;
  for (unsigned i = 0; i < n; i++) x = x * 7 + 1;
  out[threadIdx.x] = x;
}

// Barriers, shared memory with conflicts of degree 8, a divergent branch, a special function.
extern "C" __global__ void mixed(unsigned *out) {
  __shared__ unsigned s[1024];
  unsigned t = threadIdx.x;
  s[t * 8 % 1024] = t;
  __syncthreads();
  unsigned x = s[t];
  if (t % 32 < 5)
    x += (unsigned)sqrtf((float)t);
  else
    x ^= out[t];
  __syncthreads();
  out[t] = x;
}

extern "C" __global__ void two_paths(unsigned *out) {
  unsigned t = threadIdx.x;
  if (t < 12)          // line 30
    out[t] = t;        // line 31: 12 lanes
  else                 //
    out[t] = t + 1;    // line 33: 20 lanes
}
