// The kernels of chapter 12. The book cuts its listings out of this file, between markers such as
// "[sectors]" and "[/sectors]", and runs the same kernels for its numbers.
#include <cuda_runtime.h>

#define ALL 0xffffffffu
#define LANE (threadIdx.x % 32)

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

// [pictures]
__global__ void lanes_a_sector(int *lanes, int offset, int stride) {
  atomicAdd(&lanes[4 * (offset + LANE * stride) / 32], 1);
}

__global__ void words_a_bank(int *words, int stride) {
  atomicAdd(&words[LANE * stride % 32], 1);  // stride is not 0
}

__global__ void bank_of(int *bank, int stride) {
  bank[LANE] = LANE * stride % 32;
}
// [/pictures]

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

// [mirror]
__global__ void turn(float *out, const float *in) {
  __shared__ float tile[32][33];
  int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[32 * y + x];
  __syncthreads();
  out[32 * y + x] = tile[x][y];
}
// [/mirror]
