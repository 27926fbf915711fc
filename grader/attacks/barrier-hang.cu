// Half of a block waits for a barrier that the other half never reaches.
__device__ int warps_per_block(int threads) {
  if (threadIdx.x % 2) __syncthreads();
  return 1;
}
__global__ void seat_threads(int *x, int *y, int *z) {
  if (threadIdx.x < 40) asm volatile("bar.sync 1, 1024;");
  __syncwarp(0x0000fff0);
}
