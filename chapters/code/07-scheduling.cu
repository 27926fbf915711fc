// The kernels of chapter 7. The book cuts its listings out of this file, between markers such as
// "[waits]" and "[/waits]", and runs the same kernels for its numbers.
#include <cuda_runtime.h>

#define WARP (threadIdx.x / 32)
#define LANE (threadIdx.x % 32)

__device__ void note_clock(long long *cyc, long long start) {
  long long end = clock64();
  if (LANE == 0) {
    unsigned sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    long long *mine = cyc + 3 * (blockIdx.x * (blockDim.x / 32) + WARP);
    mine[0] = start, mine[1] = end, mine[2] = sm;
  }
}

// [waits]
__global__ void waits(long long *cyc, int *out, const int *next) {
  int p = LANE;
  __syncthreads();
  long long start = clock64();
#pragma unroll
  for (int i = 0; i < 32; i++) p = next[p ^ 1];
  out[blockIdx.x * blockDim.x + threadIdx.x] = p;
  note_clock(cyc, start);
}
// [/waits]

// The clock, once `value` is there.
// [clock-after]
__device__ long long clock_after(int &value) {
  long long now;
  asm volatile("xor.b32 %0, %0, 1; mov.u64 %1, %%clock64;"
               : "+r"(value), "=l"(now));
  return now;
}
// [/clock-after]

// [diary]
__global__ void diary(long long *when, int *out, const int *next) {
  int p = LANE;
  long long t[6];
#pragma unroll
  for (int i = 0; i < 6; i++) {
    t[i] = clock_after(p);
    p = next[p];
  }
  out[threadIdx.x] = p;
#pragma unroll
  for (int i = 0; i < 6; i++) when[6 * WARP + i] = t[i];
}
// [/diary]

// [day]
__global__ void day(long long *when, int *out, const int *next) {
  int p = LANE, role = WARP % 4;
  long long t[4];
  t[0] = clock_after(p);
  if (role == 0) p = next[p];
  t[1] = clock_after(p);
  int work = role < 2 ? 5 : 60;
#pragma unroll 1
  for (int i = 0; i < work; i++) p = p * 3 + i;
  t[2] = clock_after(p);
  __syncthreads();
  t[3] = clock_after(p);
  out[threadIdx.x] = p;
#pragma unroll
  for (int i = 0; i < 4; i++) when[4 * WARP + i] = t[i];
}
// [/day]

// [phases]
__global__ void phases(long long *cyc, float *out, const unsigned *next,
                       float a) {
  unsigned p = threadIdx.x;
  float x = a;
  __syncthreads();
  long long start = clock64();
#pragma unroll 1
  for (int i = 0; i < 16; i++) {
    p = __ldcg(next + p);
    x += p;
#pragma unroll
    for (int j = 0; j < 32; j++) x = x * a + a;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
  note_clock(cyc, start);
}
// [/phases]

// [meet]
__global__ void meet(long long *cyc, float *out, const unsigned *next,
                     float a) {
  unsigned p = threadIdx.x;
  float x = a;
  long long start = clock64();
#pragma unroll 1
  for (int i = 0; i < 16; i++) {
    if (threadIdx.x < 32) p = __ldcg(next + p);
    x += p;
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
  note_clock(cyc, start);
}
// [/meet]

// [phases4]
__global__ void phases4(long long *cyc, float *out, const unsigned *next,
                        float a) {
  unsigned p = threadIdx.x;
  float x = a, y = a, z = a, w = a;
  __syncthreads();
  long long start = clock64();
#pragma unroll 1
  for (int i = 0; i < 16; i++) {
    p = __ldcg(next + p);
    x += p, y += p, z += p, w += p;
#pragma unroll
    for (int j = 0; j < 8; j++) {
      x = x * a + a;
      y = y * a + a;
      z = z * a + a;
      w = w * a + a;
    }
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = x + y + z + w;
  note_clock(cyc, start);
}
// [/phases4]

// [together]
template <int CHAINS>
__device__ void chase(long long *cyc, int *out, const int *next) {
  int p[CHAINS];
#pragma unroll
  for (int c = 0; c < CHAINS; c++) p[c] = threadIdx.x + 1024 * c;
  __syncthreads();
  long long start = clock64();
#pragma unroll 1
  for (int i = 0; i < 32; i++) {
#pragma unroll
    for (int c = 0; c < CHAINS; c++) p[c] = __ldcg(next + p[c]);
  }
  int sum = 0;
#pragma unroll
  for (int c = 0; c < CHAINS; c++) sum += p[c];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
  note_clock(cyc, start);
}
// [/together]

__global__ void chase1(long long *cyc, int *out, const int *next) { chase<1>(cyc, out, next); }
__global__ void chase2(long long *cyc, int *out, const int *next) { chase<2>(cyc, out, next); }
__global__ void chase4(long long *cyc, int *out, const int *next) { chase<4>(cyc, out, next); }
__global__ void chase8(long long *cyc, int *out, const int *next) { chase<8>(cyc, out, next); }
