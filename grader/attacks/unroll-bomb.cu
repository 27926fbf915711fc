__device__ int warps_per_block(int threads) {
#pragma unroll 100000000
  for (int i = 0; i < 100000000; i++) threads = threads * 3 + i;
  return threads;
}
