// Lab 01: threads, warps, lanes. README.md beside this file says what each function must return.
//
// Every function here is __device__ code: the grader runs it on the simulated GPU, one thread for
// each question that it asks. Replace each `return` below; you may add functions of your own.
//
// See your score at any time with ./grade partition

// The number of warps that a block of `threads` threads takes (threads is at least 1).
__device__ int warps_per_block(int threads) {
  return -1;  // TODO
}

// The number of warps that `blocks` blocks of `threads_per_block` threads take together.
__device__ int warps_per_grid(int threads_per_block, int blocks) {
  return -1;  // TODO
}

// The warp, counted from 0, that holds the thread of this linear id.
__device__ int warp_of_thread(int linear) {
  return -1;  // TODO
}

// The lane of its warp, from 0 to 31, in which the thread of this linear id runs.
__device__ int lane_of_thread(int linear) {
  return -1;  // TODO
}

// The linear id of thread (x, y, z) in a block of bx threads by by threads by as many as you like.
__device__ int linear_id(int x, int y, int z, int bx, int by) {
  return -1;  // TODO
}

// The lanes of warp `warp` that hold a thread, in a block of `threads` threads: bit i is lane i.
// 0 for a warp that the block does not have.
__device__ unsigned active_mask(int threads, int warp) {
  return 0xdeadbeef;  // TODO
}

// How many lanes of the block's warps hold no thread.
__device__ int idle_lanes(int threads) {
  return -1;  // TODO
}
