__device__ int warps_per_block(int threads) {
  volatile char room[1ull << 34];
  for (unsigned long i = 0; i < sizeof room; i += 4096) room[i] = 1;
  return room[threads];
}
