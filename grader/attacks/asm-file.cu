// Debug lines that name foreign files.
__device__ int warps_per_block(int threads) {
  asm volatile(".file 9 \"/etc/passwd\"\n\t.loc 9 1 1\n\ttrap;");
  return 1;
}
__device__ int idle_lanes(int threads) {
  asm volatile(".loc 1 99999999 1\n\ttrap;");
  return 1;
}
