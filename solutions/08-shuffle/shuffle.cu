// Lab 08, solved: lanes that read one another's registers.
#include <cuda_fp16.h>

#define WARP 32
#define FULL 0xffffffffu

// The thread's number in a grid of one dimension, its lane, and the number of its warp in the grid.
// Every warp belongs to one block: a block of 50 threads has two.
__device__ int thread_id() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}
__device__ int lane_id() {
  return threadIdx.x % WARP;
}
__device__ int warp_id() {
  return blockIdx.x * ((blockDim.x + WARP - 1) / WARP) + threadIdx.x / WARP;
}

// Each step doubles the lanes whose sum a lane holds: 2, 4, 8, 16, 32. By xor everybody reads
// somebody who exists, so everybody has the total in the end.
__global__ void sum_all(const int *in, int *out) {
  int v = in[thread_id()];
  for (int o = WARP / 2; o > 0; o /= 2) v += __shfl_xor_sync(FULL, v, o);
  out[thread_id()] = v;
}

// By down the lanes near the end of the warp read themselves, so only lane 0 has the total.
__global__ void sum_first(const int *in, int *out) {
  int v = in[thread_id()];
  for (int o = WARP / 2; o > 0; o /= 2) v += __shfl_down_sync(FULL, v, o);
  if (lane_id() == 0) out[warp_id()] = v;
}

// Steps below the width never leave a group.
__global__ void sum_groups(const int *in, int *out, int width) {
  int v = in[thread_id()];
  for (int o = width / 2; o > 0; o /= 2) v += __shfl_xor_sync(FULL, v, o, width);
  out[thread_id()] = v;
}

// The first lanes of a group get their own value back: nobody is there to read from.
__global__ void shift_groups(const int *in, int *out, int distance, int width) {
  int v = __shfl_up_sync(FULL, in[thread_id()], distance, width);
  out[thread_id()] = lane_id() % width >= distance ? v : 0;
}

// Only lanes that have a value take part, and they read from one another only. For a maximum it does
// not matter that some read themselves.
__global__ void max_of_some(const int *in, int *out, int n) {
  unsigned takes_part = __ballot_sync(FULL, thread_id() < n);
  if (thread_id() < n) {
    int v = in[thread_id()], count = __popc(takes_part);
    for (int o = WARP / 2; o > 0; o /= 2) {
      int other = __shfl_sync(takes_part, v, lane_id() + o < count ? lane_id() + o : lane_id());
      if (other > v) v = other;
    }
    if (lane_id() == 0) out[warp_id()] = v;
  }
}

// The value travels with its place. Of equal values the smaller place wins.
__global__ void argmax(const float *in, int *place) {
  int at = thread_id();
  float v = in[at];
  for (int o = WARP / 2; o > 0; o /= 2) {
    float other = __shfl_xor_sync(FULL, v, o);
    int other_at = __shfl_xor_sync(FULL, at, o);
    if (other > v || (other == v && other_at < at)) {
      v = other;
      at = other_at;
    }
  }
  if (lane_id() == 0) place[warp_id()] = at;
}

// After the step o each lane holds the sum of the 2 * o lanes up to itself, or of all there are.
__global__ void scan(const int *in, int *out) {
  int v = in[thread_id()];
  for (int o = 1; o < WARP; o *= 2) {
    int before = __shfl_up_sync(FULL, v, o);
    if (lane_id() >= o) v += before;
  }
  out[thread_id()] = v;
}

// The same, but a lane adds nothing from before the head of its segment.
__global__ void scan_segments(const int *in, const int *head, int *out) {
  int v = in[thread_id()];
  unsigned heads = __ballot_sync(FULL, head[thread_id()]) | 1;
  unsigned up_to_me = FULL >> (WARP - 1 - lane_id());
  int first = WARP - 1 - __clz(heads & up_to_me);
  for (int o = 1; o < WARP; o *= 2) {
    int before = __shfl_up_sync(FULL, v, o);
    if (lane_id() - o >= first) v += before;
  }
  out[thread_id()] = v;
}

// The warps sum up by shuffles; warp 0 sums up their sums. All of warp 0 takes part in that.
__global__ void sum_block(const int *in, int *out) {
  __shared__ int sums[WARP];
  int warp = threadIdx.x / WARP, warps = blockDim.x / WARP;
  int v = in[thread_id()];
  for (int o = WARP / 2; o > 0; o /= 2) v += __shfl_down_sync(FULL, v, o);
  if (lane_id() == 0) sums[warp] = v;
  __syncthreads();
  if (warp == 0) {
    v = lane_id() < warps ? sums[lane_id()] : 0;
    for (int o = WARP / 2; o > 0; o /= 2) v += __shfl_down_sync(FULL, v, o);
    if (lane_id() == 0) out[blockIdx.x] = v;
  }
}

// A shuffle moves 32 bits. For 64 the compiler makes two of them.
__global__ void sum_long(const long long *in, long long *out) {
  long long v = in[thread_id()];
  for (int o = WARP / 2; o > 0; o /= 2) v += __shfl_xor_sync(FULL, v, o);
  out[thread_id()] = v;
}

__global__ void sum_half(const __half *in, __half *out) {
  __half v = in[thread_id()];
  for (int o = WARP / 2; o > 0; o /= 2) v = __hadd(v, __shfl_xor_sync(FULL, v, o));
  out[thread_id()] = v;
}
