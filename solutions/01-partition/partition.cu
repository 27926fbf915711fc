// Lab 01: threads, warps, lanes. The reference solution.

// The number of warps that a block of `threads` threads takes (threads is at least 1).
__device__ int warps_per_block(int threads) {
  return (threads + 31) / 32;
}

// The number of warps that `blocks` blocks of `threads_per_block` threads take together. Each block
// rounds up on its own, because no warp holds threads of two blocks.
__device__ int warps_per_grid(int threads_per_block, int blocks) {
  return blocks * warps_per_block(threads_per_block);
}

// The warp, counted from 0, that holds the thread of this linear id.
__device__ int warp_of_thread(int linear) {
  return linear / 32;
}

// The lane of its warp, from 0 to 31, in which the thread of this linear id runs.
__device__ int lane_of_thread(int linear) {
  return linear % 32;
}

// The linear id of thread (x, y, z) in a block of bx threads by by threads by as many as you like.
__device__ int linear_id(int x, int y, int z, int bx, int by) {
  return x + bx * (y + by * z);
}

// The lanes of warp `warp` that hold a thread, in a block of `threads` threads: bit i is lane i.
// 0 for a warp that the block does not have.
__device__ unsigned active_mask(int threads, int warp) {
  int left = threads - 32 * warp;
  if (left <= 0) return 0;
  if (left >= 32) return 0xffffffff;
  return (1u << left) - 1;  // 32 is dealt with: a shift by the whole width is undefined
}

// How many lanes of the block's warps hold no thread.
__device__ int idle_lanes(int threads) {
  return 32 * warps_per_block(threads) - threads;
}
