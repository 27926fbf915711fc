// Calls itself for ever: first until the stack is full, then once more.
__device__ __noinline__ int down(int depth, int *path) {
  int room[64];
  for (int i = 0; i < 64; i++) room[i] = path ? path[i % 4] + depth : i;
  return down(depth + 1, room) + room[depth % 64];
}
__device__ int warps_per_block(int threads) { return down(threads, 0); }
__device__ int idle_lanes(int threads) { return down(threads, 0); }
__global__ void seat_threads(int *x, int *y, int *z) { x[0] = down(0, x); }
