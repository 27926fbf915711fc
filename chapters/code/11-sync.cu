// The kernels of chapter 11. The book cuts its listings out of this file, between markers such as
// "[lost]" and "[/lost]", and runs the same kernels for its numbers.
#include <cuda_runtime.h>

#define ALL 0xffffffffu
#define WARP (threadIdx.x / 32)
#define LANE (threadIdx.x % 32)

// [lost]
__global__ void count_plain(int *count) { *count = *count + 1; }
__global__ void count_atomic(int *count) { atomicAdd(count, 1); }
// [/lost]

// [reverse]
__global__ void reverse(int *out) {
  __shared__ int box[256];
  box[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = box[blockDim.x - 1 - threadIdx.x];
}

__global__ void reverse_sync(int *out) {
  __shared__ int box[256];
  box[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = box[blockDim.x - 1 - threadIdx.x];
}
// [/reverse]

// [half]
__global__ void half_barrier(int *out) {
  __shared__ int box[64];
  box[threadIdx.x] = threadIdx.x;
  if (threadIdx.x < 40) __syncthreads();
  out[threadIdx.x] = box[63 - threadIdx.x];
}
// [/half]

// [early]
__global__ void early_exit(int *out, int n) {
  __shared__ int box[64];
  if (threadIdx.x >= n) return;
  box[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = box[n - 1 - threadIdx.x];
}
// [/early]

// [tickets]
__global__ void tickets(int *out, int *next) {
  out[threadIdx.x] = atomicAdd(next, 1);
}
// [/tickets]

// [maximum]
__global__ void maximum(float *most, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int *bits = (int *)most;
  int old = 0;  // a guess; the first atomicCAS tells the truth
  while (in[i] > __int_as_float(old)) {
    int seen = atomicCAS(bits, old, __float_as_int(in[i]));
    if (seen == old) break;
    old = seen;
  }
}
// [/maximum]

// [last]
__device__ int block_sum(int v) {
  __shared__ int part[32];
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(ALL, v, d);
  if (LANE == 0) part[WARP] = v;
  __syncthreads();
  v = LANE < blockDim.x / 32 ? part[LANE] : 0;
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(ALL, v, d);
  __syncthreads();
  return v;
}

__global__ void grid_sum(int *total, int *parts, int *done, const int *in) {
  __shared__ bool last;
  int sum = block_sum(in[blockIdx.x * blockDim.x + threadIdx.x]);
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = sum;
    __threadfence();  // the sum, and only then the tick
    last = atomicAdd(done, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  __threadfence();
  int mine = 0;
  for (int i = threadIdx.x; i < gridDim.x; i += blockDim.x)
    mine += ((volatile int *)parts)[i];
  sum = block_sum(mine);
  if (threadIdx.x == 0) *total = sum;
}
// [/last]

// [pairs]
__global__ void pairs_kernel(int *out, const int *in) {
  int v = in[threadIdx.x];
  out[threadIdx.x] = v + __shfl_xor_sync(ALL, v, 1);
}

__global__ void pairs_shared(int *out, const int *in) {
  __shared__ int box[256];
  box[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = box[threadIdx.x] + box[threadIdx.x ^ 1];
}
// [/pairs]
