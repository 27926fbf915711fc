// Three ways to hand a number to the neighbour lane, timed: 64 exchanges, each waiting for the last, and
// each with an addition.
#include "timed.h"

template <typename F> __device__ void exchanges(long long *cyc, int *out, F exchange) {
  timed<64>(cyc, out, threadIdx.x, [exchange](int v) { return exchange(v) + 1; });
}

__global__ void time_shuffle(long long *cyc, int *out) {
  exchanges(cyc, out, [](int v) { return __shfl_xor_sync(ALL, v, 1); });
}

__global__ void time_shared_syncwarp(long long *cyc, int *out) {
  __shared__ int boxes[1024];
  volatile int *box = boxes;
  exchanges(cyc, out, [box](int v) {
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
  exchanges(cyc, out, [box](int v) {
    box[threadIdx.x] = v;
    __syncthreads();
    v = box[threadIdx.x ^ 1];
    __syncthreads();
    return v;
  });
}
