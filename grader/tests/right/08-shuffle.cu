// Lab 08, solved in other ways: every kernel is right, and none is as in the solution.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_fp16.h>
#include <limits.h>
namespace cg = cooperative_groups;

#define FULL 0xffffffffu

__device__ int me() { return blockIdx.x * blockDim.x + threadIdx.x; }

template <class T> __device__ T warp_sum(T v) {
#pragma unroll
  for (int o = 1; o < 32; o <<= 1) v += __shfl_xor_sync(FULL, v, o);
  return v;
}

__global__ void sum_all(const int *in, int *out) { out[me()] = __reduce_add_sync(FULL, in[me()]); }

__global__ void sum_first(const int *in, int *out) {
  int v = in[me()];
  v += __shfl_down_sync(FULL, v, 1);
  v += __shfl_down_sync(FULL, v, 2);
  v += __shfl_down_sync(FULL, v, 4);
  v += __shfl_down_sync(FULL, v, 8);
  v += __shfl_down_sync(FULL, v, 16);
  if ((threadIdx.x & 31) == 0) out[me() / 32] = v;
}

__global__ void sum_groups(const int *in, int *out, int width) {
  int v = in[me()];
  for (int o = 1; o < width; o *= 2) v += __shfl_down_sync(FULL, v, o, width);
  out[me()] = __shfl_sync(FULL, v, 0, width);
}

__global__ void shift_groups(const int *in, int *out, int distance, int width) {
  int place = threadIdx.x & (width - 1), v = in[me()];
  int other = __shfl_sync(FULL, v, place - distance, width);
  if (place < distance) other = 0;
  out[me()] = other;
}

__global__ void max_of_some(const int *in, int *out, int n) {
  unsigned m = __ballot_sync(__activemask(), me() < n);
  if (me() >= n) return;
  int best = __reduce_max_sync(m, in[me()]);
  if (threadIdx.x % 32 == 0) out[blockIdx.x * ((blockDim.x + 31) / 32) + threadIdx.x / 32] = best;
}

__global__ void argmax(const float *in, int *place) {
  float v = in[me()], best = v;
  for (int o = 16; o; o >>= 1) best = fmaxf(best, __shfl_xor_sync(FULL, best, o));
  unsigned who = __ballot_sync(FULL, v == best);
  if (threadIdx.x % 32 == 0) place[me() / 32] = me() + __ffs(who) - 1;
}

__global__ void scan(const int *in, int *out) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  int v = in[me()];
  for (int o = 1; o < 32; o *= 2) {
    int before = warp.shfl_up(v, o);
    v += warp.thread_rank() >= o ? before : 0;
  }
  out[me()] = v;
}

// A pair (sum, does a head lie in it) is scanned.
__global__ void scan_segments(const int *in, const int *head, int *out) {
  int lane = threadIdx.x & 31, v = in[me()];
  bool stop = head[me()] || lane == 0;
  for (int o = 1; o < 32; o *= 2) {
    int before = __shfl_up_sync(FULL, v, o);
    bool before_stop = __shfl_up_sync(FULL, (int)stop, o);
    if (lane >= o && !stop) {
      v += before;
      stop = before_stop;
    }
  }
  out[me()] = v;
}

__global__ void sum_block(const int *in, int *out) {
  __shared__ int sums[32];
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  if (warp == 0) sums[lane] = 0;
  __syncthreads();
  int v = warp_sum(in[me()]);
  if (lane == 31) sums[warp] = v;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  v = warp_sum(sums[lane]);
  if (lane == 0) out[blockIdx.x] = v;
}

__global__ void sum_long(const long long *in, long long *out) {
  out[me()] = warp_sum(in[me()]);
}

__global__ void sum_half(const __half *in, __half *out) {
  float v = __half2float(in[me()]);
  out[me()] = __float2half(warp_sum(v));
}
