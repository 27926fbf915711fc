__device__ int eat() {
  for (int i = 0; i < 1 << 30; i++) {
    char *p = (char *)malloc(1 << 20);
    if (p) p[i & 0xfffff] = 1;
  }
  return 1;
}
__device__ int warps_per_block(int threads) { return eat(); }
__global__ void seat_threads(int *x, int *y, int *z) { x[0] = eat(); }
