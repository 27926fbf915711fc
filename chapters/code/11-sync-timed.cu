// What one step costs on each rung of the ladder: TIMES of them, each waiting for the last. Lane 0 of
// a warp notes the clock before and after (cyc[3 * warp ...]: start, end, SM).
#include <cuda_runtime.h>

enum { TIMES = 64 };

template <typename F> __device__ void timed(long long *cyc, int *out, F step) {
  int v = threadIdx.x, warp = threadIdx.x / 32;
  __syncthreads();
  long long start = clock64();
#pragma unroll
  for (int i = 0; i < TIMES; i++) v = step(v);
  long long end = clock64();
  out[threadIdx.x] = v;
  if (threadIdx.x % 32 == 0) {
    unsigned sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    cyc[3 * warp] = start, cyc[3 * warp + 1] = end, cyc[3 * warp + 2] = sm;
  }
}

// [atomics]
__global__ void shared_own(long long *cyc, int *out) {
  __shared__ int word[1024];
  word[threadIdx.x] = 0;
  timed(cyc, out, [&](int v) { return atomicAdd(&word[threadIdx.x], v); });
}

__global__ void shared_same(long long *cyc, int *out) {
  __shared__ int word;
  word = 0;
  timed(cyc, out, [&](int v) { return atomicAdd(&word, v); });
}

__global__ void global_own(long long *cyc, int *out, int *word) {
  timed(cyc, out, [=](int v) { return atomicAdd(&word[threadIdx.x], v); });
}

__global__ void global_same(long long *cyc, int *out, int *word) {
  timed(cyc, out, [=](int v) { return atomicAdd(word, v); });
}
// [/atomics]

// [fences]
__global__ void fence_block(long long *cyc, int *out, volatile int *word) {
  timed(cyc, out, [=](int v) {
    word[threadIdx.x] = v;
    __threadfence_block();
    return v + 1;
  });
}

__global__ void fence_device(long long *cyc, int *out, volatile int *word) {
  timed(cyc, out, [=](int v) {
    word[threadIdx.x] = v;
    __threadfence();
    return v + 1;
  });
}
// [/fences]

// [barriers]
__global__ void barrier_count(long long *cyc, int *out) {
  timed(cyc, out, [](int v) { return __syncthreads_count(v & 1); });
}

__global__ void barrier_shared(long long *cyc, int *out) {
  __shared__ int word[1024];
  timed(cyc, out, [&](int v) {
    word[threadIdx.x] = v;
    __syncthreads();
    v = word[threadIdx.x ^ 32 % blockDim.x];
    __syncthreads();
    return v;
  });
}
// [/barriers]

// [one-count]
__global__ void count_each(long long *cyc, int *out, int *count) {
  timed(cyc, out, [=](int v) {
    if (v & 1) atomicAdd(count, 1);
    return v + 1;
  });
}

__global__ void count_warp(long long *cyc, int *out, int *count) {
  timed(cyc, out, [=](int v) {
    unsigned odd = __ballot_sync(0xffffffff, v & 1);
    if (threadIdx.x % 32 == 0) atomicAdd(count, __popc(odd));
    return v + 1;
  });
}
// [/one-count]

// [grid]
// All blocks of the grid wait for one another. All must be resident.
__device__ void grid_barrier(volatile unsigned *arrived, unsigned round) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd((unsigned *)arrived, 1);
    while (*arrived < round * gridDim.x) continue;
    __threadfence();
  }
  __syncthreads();
}
// [/grid]

__global__ void grid_rounds(long long *cyc, int *out, unsigned *arrived) {
  long long start = clock64();
#pragma unroll 1
  for (int round = 1; round <= 16; round++) grid_barrier(arrived, round);
  long long end = clock64();
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  out[thread] = *arrived;
  if (threadIdx.x % 32 == 0) {
    unsigned sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    long long *mine = cyc + 3 * (thread / 32);
    mine[0] = start, mine[1] = end, mine[2] = sm;
  }
}
