// The kernels of chapter 10. The book cuts its listings out of this file, between markers such as
// "[down]" and "[/down]", and runs the same kernels for its numbers.
#include <cuda_runtime.h>

#define ALL 0xffffffffu

// [alone]
__global__ void sum_alone(int *out, const int *in) {
  if (threadIdx.x == 0) {
    int sum = 0;
    for (int i = 0; i < 32; i++) sum += in[i];
    *out = sum;
  }
}
// [/alone]

// [down]
__device__ int sum_down(int v) {
  for (int distance = 16; distance > 0; distance /= 2)
    v += __shfl_down_sync(0xffffffff, v, distance);
  return v;  // the sum, in lane 0 only
}
// [/down]

// [butterfly]
__device__ int sum_butterfly(int v) {
  for (int distance = 16; distance > 0; distance /= 2)
    v += __shfl_xor_sync(0xffffffff, v, distance);
  return v;  // the sum, in every lane
}
// [/butterfly]

// [sums]
__global__ void warp_sums(int *down, int *butterfly, int *redux,
                          const int *in) {
  int lane = threadIdx.x;
  down[lane] = sum_down(in[lane]);
  butterfly[lane] = sum_butterfly(in[lane]);
  redux[lane] = __reduce_add_sync(0xffffffff, in[lane]);
}
// [/sums]

// [steps]
__global__ void butterfly_steps(int *out, const int *in) {
  int lane = threadIdx.x, v = in[lane];
  out[lane] = v;
  for (int distance = 16, row = 1; distance > 0;
       distance /= 2, row++) {
    v += __shfl_xor_sync(0xffffffff, v, distance);
    out[32 * row + lane] = v;
  }
}
// [/steps]

// [one-kind]
__global__ void sum_down_only(int *out, const int *in) {
  out[threadIdx.x] = sum_down(in[threadIdx.x]);
}
// [/one-kind]

// [segments]
__global__ void sum_rows(int *out, const int *in, int width) {
  int lane = threadIdx.x, v = in[lane];
  for (int distance = width / 2; distance > 0; distance /= 2)
    v += __shfl_xor_sync(0xffffffff, v, distance);
  out[lane] = v;
}
// [/segments]

// [ragged]
__global__ void sum_first(int *out, const int *in, int n) {
  int lane = threadIdx.x;
  int v = lane < n ? in[lane] : 0;  // who has nothing brings a zero
  int sum = sum_butterfly(v);
  if (lane == 0) *out = sum;
}
// [/ragged]

// [ragged-wrong]
__global__ void sum_first_wrong(int *out, const int *in, int n) {
  int lane = threadIdx.x;
  if (lane < n) {
    int sum = sum_butterfly(in[lane]);
    if (lane == 0) *out = sum;
  }
}
// [/ragged-wrong]

// [argmax]
__global__ void largest(int *value, int *where, const int *in) {
  int lane = threadIdx.x;
  int best = in[lane], at = lane;
  for (int distance = 16; distance > 0; distance /= 2) {
    int other = __shfl_xor_sync(0xffffffff, best, distance);
    int other_at = __shfl_xor_sync(0xffffffff, at, distance);
    if (other > best || (other == best && other_at < at)) {
      best = other;
      at = other_at;
    }
  }
  value[lane] = best;
  where[lane] = at;
}
// [/argmax]

// [orders]
__global__ void float_orders(float *out, const float *in) {
  int lane = threadIdx.x;
  float forwards = 0, backwards = 0, tree = in[lane];
  for (int i = 0; i < 32; i++) forwards += in[i];
  for (int i = 31; i >= 0; i--) backwards += in[i];
  for (int distance = 16; distance > 0; distance /= 2)
    tree += __shfl_xor_sync(0xffffffff, tree, distance);
  out[lane] = lane == 0 ? forwards : lane == 1 ? backwards : tree;
}
// [/orders]

// [block]
__device__ int block_sum(int v) {
  __shared__ int part[32];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  v = sum_down(v);
  if (lane == 0) part[warp] = v;  // one number a warp
  __syncthreads();
  if (warp == 0) {
    v = lane < blockDim.x / 32 ? part[lane] : 0;
    v = sum_down(v);
  }
  return v;  // the sum, in thread 0 only
}
// [/block]

// [tree]
__device__ int block_sum_shared(int v) {
  __shared__ int box[1024];
  int t = threadIdx.x;
  box[t] = v;
  __syncthreads();
  for (int distance = blockDim.x / 2; distance > 0; distance /= 2) {
    if (t < distance) box[t] += box[t + distance];
    __syncthreads();
  }
  return box[0];
}
// [/tree]

// [two-ways]
__global__ void sum_by_warps(int *out, const int *in) {
  int sum = block_sum(in[threadIdx.x]);
  if (threadIdx.x == 0) *out = sum;
}

__global__ void sum_by_tree(int *out, const int *in) {
  int sum = block_sum_shared(in[threadIdx.x]);
  if (threadIdx.x == 0) *out = sum;
}
// [/two-ways]

// [grid]
__global__ void sum_grid(int *out, const int *in, int n) {
  int mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    mine += in[i];
  int sum = block_sum(mine);
  if (threadIdx.x == 0) atomicAdd(out, sum);
}
// [/grid]

// [scan]
__device__ int scan(int v) {
  int lane = threadIdx.x % 32;
  for (int distance = 1; distance < 32; distance *= 2) {
    int below = __shfl_up_sync(0xffffffff, v, distance);
    if (lane >= distance) v += below;
  }
  return v;  // in[0] + ... + in[lane]
}
// [/scan]

// [scan-wrong]
__device__ int scan_wrong(int v) {
  for (int distance = 1; distance < 32; distance *= 2)
    v += __shfl_up_sync(0xffffffff, v, distance);
  return v;
}
// [/scan-wrong]

// [scans]
__global__ void scans(int *right, int *wrong, const int *in) {
  right[threadIdx.x] = scan(in[threadIdx.x]);
  wrong[threadIdx.x] = scan_wrong(in[threadIdx.x]);
}
// [/scans]

// [scan-steps]
__global__ void scan_steps(int *out) {
  int lane = threadIdx.x, v = 1;
  out[lane] = v;
  for (int distance = 1, row = 1; distance < 32;
       distance *= 2, row++) {
    int below = __shfl_up_sync(0xffffffff, v, distance);
    if (lane >= distance) v += below;
    out[32 * row + lane] = v;
  }
}
// [/scan-steps]

// [exclusive]
__device__ int scan_exclusive(int v) { return scan(v) - v; }

__device__ int max_before(int v, int first) {
  int lane = threadIdx.x % 32;
  for (int distance = 1; distance < 32; distance *= 2) {
    int below = __shfl_up_sync(0xffffffff, v, distance);
    if (lane >= distance) v = max(v, below);
  }
  int before = __shfl_up_sync(0xffffffff, v, 1);
  return lane == 0 ? first : before;
}
// [/exclusive]

__global__ void exclusives(int *sums, int *maxima, const int *in) {
  sums[threadIdx.x] = scan_exclusive(in[threadIdx.x]);
  maxima[threadIdx.x] = max_before(in[threadIdx.x], -1);
}

// [block-scan]
__global__ void block_scan(int *out, const int *in) {
  __shared__ int total[32];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int v = scan(in[threadIdx.x]);
  if (lane == 31) total[warp] = v;
  __syncthreads();
  if (warp == 0)
    total[lane] = scan(lane < blockDim.x / 32 ? total[lane] : 0);
  __syncthreads();
  if (warp > 0) v += total[warp - 1];
  out[threadIdx.x] = v;
}
// [/block-scan]

// [split]
__global__ void split_by_sign(int *out, const int *in) {
  int lane = threadIdx.x, v = in[lane];
  int negatives_before = scan_exclusive(v < 0);
  int negatives =
      __shfl_sync(0xffffffff, negatives_before + (v < 0), 31);
  int place =
      v < 0 ? negatives_before : negatives + lane - negatives_before;
  out[place] = v;
}
// [/split]

// [all-store]
__global__ void all_store(int *out, const int *in) {
  int sum = sum_down(in[threadIdx.x]);
  *out = sum;
}
// [/all-store]
