__device__ int flood() {
  for (int i = 0; i < 1 << 30; i++)
    printf("%d %s\n", i, "0123456789012345678901234567890123456789012345678901234567890123456789");
  return 1;
}
__device__ int warps_per_block(int threads) { return flood(); }
__global__ void seat_threads(int *x, int *y, int *z) { flood(); }
