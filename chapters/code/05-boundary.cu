// The kernels of chapter 5. The book cuts its listings out of this file and runs the same kernels.
#include <cuda_runtime.h>

// [add]
__global__ void add(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}
// [/add]

// [unchecked]
__global__ void add_unchecked(const float *a, const float *b, float *c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  c[i] = a[i] + b[i];
}
// [/unchecked]

// [count]
__device__ void count_warp(int *counts, unsigned inside, int lane) {
  if (lane != 0) return;  // one thread a warp
  if (inside == 0xffffffff)
    atomicAdd(&counts[0], 1);  // full
  else if (inside != 0)
    atomicAdd(&counts[1], 1);  // divergent
  else
    atomicAdd(&counts[2], 1);  // wholly inactive
}

__global__ void vector(int *counts, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned inside = __ballot_sync(0xffffffff, i < n);
  count_warp(counts, inside, threadIdx.x % 32);
}
// [/count]

// [picture]
__global__ void picture(int *counts, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  unsigned inside = __ballot_sync(0xffffffff, x < w && y < h);
  count_warp(counts, inside, (threadIdx.x + blockDim.x * threadIdx.y) % 32);
}
// [/picture]

// [brighten]
__global__ void brighten(int *pixel, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) pixel[y * w + x] += 10;
}
// [/brighten]

// [y-first]
__global__ void brighten_y_first(int *pixel, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (y < h && x < w) pixel[y * w + x] += 10;
}
// [/y-first]

// [one-branch]
__global__ void brighten_one_branch(int *pixel, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if ((x < w) & (y < h)) pixel[y * w + x] += 10;
}
// [/one-branch]

// [map]
__global__ void picture_map(unsigned *masks, int *size, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  unsigned inside = __ballot_sync(0xffffffff, x < w && y < h);
  int tid = threadIdx.x + blockDim.x * threadIdx.y;
  int block = blockIdx.x + gridDim.x * blockIdx.y;
  masks[block * (blockDim.x * blockDim.y / 32) + tid / 32] = inside;
  size[0] = w;
  size[1] = h;
}
// [/map]

// [stride]
__global__ void add_stride(const float *a, const float *b, float *c, int n) {
  int all = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += all) {
    c[i] = a[i] + b[i];
  }
}
// [/stride]
