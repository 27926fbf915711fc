// Kernels whose cycles depend on which warp goes first.

// Rounds of loads, work and, in some warps more than in others, waiting.
__global__ void rounds(const int *in, int *out, int n) {
  int tid = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
  for (int i = 0; i < n; i++) {
    int v = in[(tid + 64 * i) % 4096];
    for (int k = 0; k < 3 + threadIdx.x / 32 % 4; k++) sum = sum * 5 + v;
  }
  out[tid] = sum;
}

// The same with barriers and shared memory.
__global__ void phases(const int *in, int *out, int n) {
  __shared__ int part[256];
  int tid = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
  for (int i = 0; i < n; i++) {
    part[threadIdx.x] = in[(tid + 64 * i) % 4096] + sum;
    __syncthreads();
    for (int k = 0; k <= threadIdx.x / 32; k++) sum += part[(threadIdx.x + k) % blockDim.x];
    __syncthreads();
  }
  out[tid] = sum;
}
