// The kernels of chapter 3. The book cuts its listings out of this file, between markers such as
// "[add]" and "[/add]", and runs the same kernels for its numbers.
#include <cuda_runtime.h>

// [add]
__global__ void add(float *c, const float *a, const float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  c[i] = a[i] + b[i];
}
// [/add]

// [one-add]
__global__ void one_add(int *r1, int *r2, int *r3) {
  int lane = threadIdx.x, sum;
  int left = 10 * lane, right = lane * lane;
  asm("add.s32 %0, %1, %2;" : "=r"(sum) : "r"(left), "r"(right));
  r1[lane] = sum, r2[lane] = left, r3[lane] = right;
}
// [/one-add]

// [together]
#define ADD(v) asm volatile("add.f32 %0, %0, 1.5;" : "+f"(v));

__global__ void together(int *cycles, float *out, int a, int b) {
  int warp = threadIdx.x / 32;
  float x = threadIdx.x, y = x + 1, z = x + 2, w = x + 3;
  long long start = 0, end = 0;
  for (int round = 0; round < 3; round++) {  // the first two warm up
    start = clock64();
    __syncthreads();
    if (warp != a && warp != b) continue;
#pragma unroll
    for (int i = 0; i < 64; i++) {  // 256 additions in four chains
      ADD(x) ADD(y) ADD(z) ADD(w)
    }
    end = clock64();
  }
  out[threadIdx.x] = x + y + z + w;
  if (threadIdx.x % 32 == 0 && (warp == a || warp == b))
    atomicMax(cycles, (int)(end - start));
}
// [/together]

// [collatz]
__global__ void collatz(int *steps, const int *start) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int n = start[i], count = 0;
  while (n != 1) {
    n = n % 2 ? 3 * n + 1 : n / 2;
    count++;
  }
  steps[i] = count;
}
// [/collatz]

// [look-up]
__global__ void look_up(int *out, const int *table, const int *where) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = table[where[i]];
}
// [/look-up]

// [uniform]
__global__ void by_warp(int *out) {
  int warp = threadIdx.x / 32;
  out[threadIdx.x] = warp % 2 ? 3 * threadIdx.x : threadIdx.x + 7;
}

__global__ void by_lane(int *out) {
  int lane = threadIdx.x % 32;
  out[threadIdx.x] = lane % 2 ? 3 * threadIdx.x : threadIdx.x + 7;
}
// [/uniform]
