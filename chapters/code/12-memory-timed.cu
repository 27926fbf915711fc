// The kernels of chapter 12 that were timed. Lane 0 of a warp notes the clock before and after
// (cyc[3 * warp ...]: start, end, SM).
#include <cuda_runtime.h>

__device__ void note_clock(long long *cyc, long long start) {
  long long end = clock64();
  if (threadIdx.x % 32 == 0) {
    unsigned sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    long long *mine = cyc + 3 * (blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32);
    mine[0] = start, mine[1] = end, mine[2] = sm;
  }
}

// [copy]
__global__ void copy(long long *cyc, float *out, const float *in,
                     int offset, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  long long start = clock64();
  float sum = 0;
#pragma unroll 8
  for (int k = 0; k < 64; k++)
    sum += __ldcg(in + offset + (k * blockDim.x + threadIdx.x) * stride);
  out[i] = sum;
  note_clock(cyc, start);
}
// [/copy]

// [transpose]
template <int WIDTH>
__device__ void transpose(long long *cyc, float *out, const float *in) {
  __shared__ float tile[32][WIDTH];
  int x = threadIdx.x % 32, y = threadIdx.x / 32;
  tile[y][x] = in[threadIdx.x];
  __syncthreads();
  long long start = clock64();
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 16; k++) sum += tile[x][(y + k) % 32];
  out[threadIdx.x] = sum;
  note_clock(cyc, start);
}

__global__ void columns32(long long *cyc, float *out, const float *in) {
  transpose<32>(cyc, out, in);
}

__global__ void columns33(long long *cyc, float *out, const float *in) {
  transpose<33>(cyc, out, in);
}
// [/transpose]

// [wide]
__global__ void read4(long long *cyc, float *out, const float4 *in) {
  long long start = clock64();
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 16; k++) {
    float4 v = __ldcg(in + k * blockDim.x + threadIdx.x);
    sum += v.x + v.y + v.z + v.w;
  }
  out[threadIdx.x] = sum;
  note_clock(cyc, start);
}

__global__ void read1(long long *cyc, float *out, const float *in) {
  long long start = clock64();
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 64; k++)
    sum += __ldcg(in + k * blockDim.x + threadIdx.x);
  out[threadIdx.x] = sum;
  note_clock(cyc, start);
}

// Each thread reads 64 numbers of its own, one after the other.
__global__ void read_own(long long *cyc, float *out, const float *in) {
  long long start = clock64();
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 64; k++) sum += __ldcg(in + 64 * threadIdx.x + k);
  out[threadIdx.x] = sum;
  note_clock(cyc, start);
}
// [/wide]
