// Waits for what nobody will ever write.
__device__ volatile int flag;
__device__ int warps_per_block(int threads) {
  while (!flag) __nanosleep(1u << 30);
  return 1;
}
__global__ void seat_threads(int *x, int *y, int *z) {
  __shared__ volatile int turn;
  while (atomicCAS((int *)&turn, 0, 1) != 0) {
  }
}
