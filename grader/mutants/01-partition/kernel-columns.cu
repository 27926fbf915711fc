// Lab 01 with one known mistake; everything else is right.

#define WARP 32

// The threads of a block of x by y by z.
__device__ int threads_per_block(int x, int y, int z) {
  return x * y * z;
}

// A warp that is only partly filled is still a warp: round up.
__device__ int warps_per_block(int threads) {
  return (threads + WARP - 1) / WARP;
}

// Each warp has 32 lanes, whether a thread is in them or not.
__device__ int idle_lanes(int threads) {
  return warps_per_block(threads) * WARP - threads;
}

// No warp holds threads of two blocks, so each block rounds up for itself.
__device__ int warps_per_grid(int threads, int blocks) {
  return warps_per_block(threads) * blocks;
}

__device__ int warp_of_thread(int linear) {
  return linear / WARP;
}

__device__ int lane_of_thread(int linear) {
  return linear % WARP;
}

// Threads fill a warp from lane 0 upwards: of the threads left from this warp on, at most 32.
__device__ unsigned active_mask(int threads, int warp) {
  int left = threads - warp * WARP;
  if (left <= 0) return 0;
  if (left >= WARP) return 0xffffffffu;
  return (1u << left) - 1;
}

// Wrong: y runs fastest here.
__global__ void seat_threads(int *x, int *y, int *z) {
  int t = threadIdx.y + threadIdx.x * blockDim.y + threadIdx.z * blockDim.x * blockDim.y;
  int seat = WARP * warp_of_thread(t) + lane_of_thread(t);
  x[seat] = threadIdx.x;
  y[seat] = threadIdx.y;
  z[seat] = threadIdx.z;
}
