// Kernels that say how they want to be launched.
__global__ void __launch_bounds__(256, 4) both(int *out) {
  __shared__ int tile[1000];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

__global__ void __launch_bounds__(96) one(int *out) {
  out[threadIdx.x] = 1;
}

__global__ void neither(int *out) {
  out[threadIdx.x] = 2;
}
