// Formats that want what is not there.
__device__ int say() {
  printf("%s %s %n %999999999d %.*f %p %hhn %ls\n", (char *)1, (char *)~0ul, (int *)8);
  printf((const char *)0x40);
  return 1;
}
__device__ int warps_per_block(int threads) { return say(); }
__global__ void seat_threads(int *x, int *y, int *z) { say(); }
