// A fault's report shows the source line: of which file?
#line 1 "/etc/passwd"
__device__ int warps_per_block(int threads) { return *(int *)(long)threads; }
#line 1 "/etc/passwd"
__device__ int idle_lanes(int threads) { __trap(); return 1; }
__global__ void seat_threads(int *x, int *y, int *z) {
#line 1 "/etc/hostname"
  x[1 << 28] = 1;
}
