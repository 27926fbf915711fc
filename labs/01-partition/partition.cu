// Lab 01: how the hardware cuts a block of threads into warps.
//
// Replace every TODO. `./grade partition` says how far you are; README.md says what each function
// must give. This is CUDA C: the same file compiles with nvcc for a GPU.

#define WARP 32
#define TODO (-1)

// The threads of a block of x by y by z.
__device__ int threads_per_block(int x, int y, int z) {
  return TODO;
}

// The warps that a block of that many threads is cut into.
__device__ int warps_per_block(int threads) {
  return TODO;
}

// The lanes of all the block's warps that hold no thread.
__device__ int idle_lanes(int threads) {
  return TODO;
}

// The warps of a whole grid: `blocks` blocks of `threads` threads each.
__device__ int warps_per_grid(int threads, int blocks) {
  return TODO;
}

// The warp of its block that the thread with this linear id is in. The first one is warp 0.
__device__ int warp_of_thread(int linear) {
  return TODO;
}

// The lane of its warp, 0 to 31, that the thread with this linear id is.
__device__ int lane_of_thread(int linear) {
  return TODO;
}

// The lanes of warp number `warp` that hold a thread, in a block of `threads` threads: bit l of the
// mask is lane l. 0 for a warp that the block does not have.
__device__ unsigned active_mask(int threads, int warp) {
  return 0;  // TODO
}

// A seating plan. Every thread of one block (of one, two or three dimensions) works out its linear id
// from threadIdx and blockDim, then its warp and its lane, and writes its threadIdx.x to x[seat],
// threadIdx.y to y[seat] and threadIdx.z to z[seat], where seat is 32 * warp + lane.
__global__ void seat_threads(int *x, int *y, int *z) {
  // TODO
}
