// A gigabyte of initial values that are not zero.
__device__ char memory[1 << 30] = {1, [(1 << 30) - 1] = 2};
__device__ int warps_per_block(int threads) { return memory[threads]; }
