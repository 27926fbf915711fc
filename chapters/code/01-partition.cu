// The kernels of chapter 1. The book cuts its listings out of this file, between markers such as
// "[hello]" and "[/hello]", and runs the same kernels for its numbers.
#include <cuda_runtime.h>

// [hello]
__global__ void hello(int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = i * i;
}
// [/hello]

// [linear]
__device__ int linear_id() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
// [/linear]

// [whoami]
__global__ void whoami(int *warp, int *lane) {
  int tid = linear_id();
  warp[tid] = tid / warpSize;
  lane[tid] = tid % warpSize;
}
// [/whoami]

// [laneid]
__device__ int lane_id() {
  int lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

__global__ void count_disagreements(int *count) {
  if (lane_id() != linear_id() % warpSize) atomicAdd(count, 1);
}
// [/laneid]

// [only-x]
__global__ void count_wrong(int *wrong_warp, int *wrong_lane) {
  int tid = threadIdx.x;
  if (tid / 32 != linear_id() / 32) atomicAdd(wrong_warp, 1);
  if (tid % 32 != lane_id()) atomicAdd(wrong_lane, 1);
}
// [/only-x]

// [elect]
__global__ void count_leaders(int *leaders) {
  if (threadIdx.x % 32 == 0) atomicAdd(leaders, 1);  // one a warp?
}
// [/elect]
