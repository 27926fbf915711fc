// Lab 07: kernels to try schedulers on. The grader's own programs are of the same kinds.

__device__ int work(int v, int n) {
  for (int k = 0; k < n; k++) v = v * 5 + 1;
  return v;
}

// Each warp: rounds of a load, and work on what it got.
__global__ void stream(const int *in, int *out) {
  int tid = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
  for (int i = 0; i < 5; i++) sum += work(in[(tid + sum) & 1023], 10);
  out[tid] = sum;
}

// The last warp of a block has a chain of loads, with a little work on each; the others compute.
__global__ void tail(const int *in, int *out) {
  int tid = blockIdx.x * blockDim.x + threadIdx.x, sum = tid;
  if (threadIdx.x / 32 == blockDim.x / 32 - 1)
    for (int i = 0; i < 4; i++) sum = work(in[(tid + sum) & 1023], 2);
  else
    sum = work(sum, 24);
  out[tid] = sum;
}

// Phases between barriers, in which each warp has another amount of work.
__global__ void phases(const int *in, int *out) {
  int tid = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
  for (int i = 0; i < 4; i++) {
    sum += work(in[(tid + sum) & 1023], 6 * (1 + (threadIdx.x / 32 + i) % 4));
    __syncthreads();
  }
  out[tid] = sum;
}
