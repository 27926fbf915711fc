// Ways to add one number from each lane of a warp, or from each thread of a block, timed: each kernel
// adds 16 times over, every sum from the one before.
#include "timed.h"

template <typename F> __device__ void sixteen_sums(long long *cyc, int *out, const int *in, F sum) {
  timed<16>(cyc, out, in[LANE], [sum](int v) { return (int)(sum(v) + LANE); });
}

__global__ void time_butterfly(long long *cyc, int *out, const int *in) {
  sixteen_sums(cyc, out, in, [](int v) {
#pragma unroll
    for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(ALL, v, d);
    return v;
  });
}

__global__ void time_down(long long *cyc, int *out, const int *in) {
  sixteen_sums(cyc, out, in, [](int v) {
#pragma unroll
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(ALL, v, d);
    return __shfl_sync(ALL, v, 0);
  });
}

__global__ void time_redux(long long *cyc, int *out, const int *in) {
  sixteen_sums(cyc, out, in, [](int v) { return (int)__reduce_add_sync(ALL, v); });
}

__global__ void time_tree(long long *cyc, int *out, const int *in) {
  __shared__ int boxes[32][32];
  volatile int *box = boxes[threadIdx.x / 32];
  sixteen_sums(cyc, out, in, [box](int v) {
    box[LANE] = v;
    __syncwarp();
#pragma unroll
    for (int d = 16; d > 0; d /= 2) {
      if (LANE < d) box[LANE] = box[LANE] + box[LANE + d];
      __syncwarp();
    }
    v = box[0];
    __syncwarp();
    return v;
  });
}

__global__ void time_alone(long long *cyc, int *out, const int *in) {
  __shared__ int boxes[32][32];
  volatile int *box = boxes[threadIdx.x / 32];
  sixteen_sums(cyc, out, in, [box](int v) {
    box[LANE] = v;
    __syncwarp();
    if (LANE == 0) {
      int sum = 0;
#pragma unroll
      for (int i = 0; i < 32; i++) sum += box[i];
      box[0] = sum;
    }
    __syncwarp();
    v = box[0];
    __syncwarp();
    return v;
  });
}

__global__ void time_atomic(long long *cyc, int *out, const int *in) {
  __shared__ int sums[32];
  int *sum = &sums[threadIdx.x / 32];
  sixteen_sums(cyc, out, in, [sum](int v) {
    if (LANE == 0) *sum = 0;
    __syncwarp();
    atomicAdd(sum, v);
    __syncwarp();
    v = *(volatile int *)sum;
    __syncwarp();
    return v;
  });
}

// ---- a block of threads: sums of all its numbers, of which thread 0 has the last -----------------------

__device__ int warp_sum(int v) {
#pragma unroll
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(ALL, v, d);
  return v;
}

__global__ void time_block_warps(long long *cyc, int *out, const int *in) {
  __shared__ int part[32];
  int *parts = part;
  sixteen_sums(cyc, out, in, [parts](int v) {
    v = warp_sum(v);
    if (LANE == 0) parts[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x < 32) v = warp_sum(LANE < blockDim.x / 32 ? parts[LANE] : 0);
    __syncthreads();
    return v;
  });
}

__global__ void time_block_redux(long long *cyc, int *out, const int *in) {
  __shared__ int part[32];
  int *parts = part;
  sixteen_sums(cyc, out, in, [parts](int v) {
    v = __reduce_add_sync(ALL, v);
    if (LANE == 0) parts[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x < 32) v = __reduce_add_sync(ALL, LANE < blockDim.x / 32 ? parts[LANE] : 0);
    __syncthreads();
    return v;
  });
}

__global__ void time_block_tree(long long *cyc, int *out, const int *in) {
  __shared__ int boxes[1024];
  volatile int *box = boxes;
  sixteen_sums(cyc, out, in, [box](int v) {
    box[threadIdx.x] = v;
    __syncthreads();
#pragma unroll 1
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
      if (threadIdx.x < d) box[threadIdx.x] = box[threadIdx.x] + box[threadIdx.x + d];
      __syncthreads();
    }
    return box[0];
  });
}
