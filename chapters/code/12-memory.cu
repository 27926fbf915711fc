// The kernels of chapter 12. The book cuts its listings out of this file, between markers such as
// "[sectors]" and "[/sectors]", and runs the same kernels for its numbers.
#include <cuda_runtime.h>

#define ALL 0xffffffffu
#define LANE (threadIdx.x % 32)

__device__ void note_clock(long long *cyc, long long start) {
  long long end = clock64();
  if (LANE == 0) {
    unsigned sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    long long *mine = cyc + 3 * (blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32);
    mine[0] = start, mine[1] = end, mine[2] = sm;
  }
}

// [sectors]
// How many different values do the lanes of this warp hold?
__device__ int count_distinct(unsigned value) {
  unsigned same = __match_any_sync(ALL, value);
  bool first = (same & ((1u << LANE) - 1)) == 0;
  return __popc(__ballot_sync(ALL, first));
}

// 32-byte sectors that the warp touches with 4 bytes a lane
__device__ int count_sectors(unsigned byte) {
  return count_distinct(byte / 32);
}
// [/sectors]

// [strides]
__global__ void strides(int *sectors, int *lines, int offset, int stride) {
  unsigned byte = 4 * (offset + LANE * stride);
  *sectors = count_sectors(byte);
  *lines = count_distinct(byte / 128);
}
// [/strides]

// [points]
struct Point { float x, y, z, mass; };

__global__ void structs(int *sectors) {
  *sectors = count_sectors(LANE * sizeof(Point));
}
// [/points]

// [banks]
// How many passes does an access to these words of shared memory need?
__device__ int count_passes(int word) {
  int most = 0;
  for (int bank = 0; bank < 32; bank++) {
    bool mine = word % 32 == bank;
    unsigned same = __match_any_sync(ALL, word);
    bool first = (same & ((1u << LANE) - 1)) == 0;
    int words = __popc(__ballot_sync(ALL, mine && first));
    most = words > most ? words : most;
  }
  return most;
}
// [/banks]

// [passes]
__global__ void passes(int *count, int stride) {
  *count = count_passes(LANE * stride);
}

__global__ void passes_of(int *count, const int *word) {
  *count = count_passes(word[LANE]);
}
// [/passes]

// [copy]
__global__ void copy(long long *cyc, float *out, const float *in, int offset, int stride) {
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

// [mirror]
__global__ void turn(float *out, const float *in) {
  __shared__ float tile[32][33];
  int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[32 * y + x];
  __syncthreads();
  out[32 * y + x] = tile[x][y];
}
// [/mirror]

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
  for (int k = 0; k < 64; k++) sum += __ldcg(in + k * blockDim.x + threadIdx.x);
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
