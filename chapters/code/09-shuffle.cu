// The kernels of chapter 9. The book cuts its listings out of this file, between markers such as
// "[broadcast]" and "[/broadcast]", and runs the same kernels for its numbers.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#define ALL 0xffffffffu

// [broadcast]
__global__ void broadcast(int *out) {
  int lane = threadIdx.x % 32;
  int mine = 100 + lane;
  out[threadIdx.x] = __shfl_sync(0xffffffff, mine, 5);
}
// [/broadcast]

// [by-hand]
__global__ void broadcast_by_hand(int *out) {
  __shared__ int box;
  int lane = threadIdx.x % 32;
  int mine = 100 + lane;
  if (lane == 5) box = mine;
  __syncwarp();
  out[threadIdx.x] = box;
}
// [/by-hand]

// [modes]
__global__ void four_modes(int *idx, int *up, int *down, int *xr,
                           int arg, int width) {
  int lane = threadIdx.x;
  idx[lane] = __shfl_sync(ALL, lane, arg, width);
  up[lane] = __shfl_up_sync(ALL, lane, arg, width);
  down[lane] = __shfl_down_sync(ALL, lane, arg, width);
  xr[lane] = __shfl_xor_sync(ALL, lane, arg, width);
}
// [/modes]

// [permute]
__global__ void permute(int *out, const int *from, int width) {
  int lane = threadIdx.x;
  out[lane] = __shfl_sync(ALL, 100 + lane, from[lane], width);
}
// [/permute]

// [source]
__device__ int source_lane(int mode, int lane, int arg, int width) {
  int first = lane & ~(width - 1);  // of the lane's segment
  int last = first + width - 1;
  int steps = arg & 31;  // five bits, for up, down and xor
  int source = mode == 0   ? first + (arg & (width - 1))
               : mode == 1 ? lane - steps
               : mode == 2 ? lane + steps
                           : lane ^ steps;
  bool inside = mode == 1 ? source >= first : source <= last;
  return inside ? source : lane;
}
// [/source]

// [count]
__global__ void count_wrong(int *wrong, int arg, int width) {
  int lane = threadIdx.x;
  int got[4] = {__shfl_sync(ALL, lane, arg, width),
                __shfl_up_sync(ALL, lane, arg, width),
                __shfl_down_sync(ALL, lane, arg, width),
                __shfl_xor_sync(ALL, lane, arg, width)};
  for (int mode = 0; mode < 4; mode++)
    if (got[mode] != source_lane(mode, lane, arg, width))
      atomicAdd(wrong, 1);
}
// [/count]

// [types]
template <typename T>
__device__ int arrives(T mine, T theirs) {
  return __shfl_xor_sync(ALL, mine, 1) == theirs;
}

__global__ void all_types(int *right) {
  int lane = threadIdx.x, other = lane ^ 1;
  int count = arrives<int>(-lane, -other);
  count += arrives<unsigned>(lane << 27, other << 27);
  count += arrives<long>(-lane, -other);
  count += arrives<unsigned long>(lane, other);
  count +=
      arrives<long long>(lane * 10000000000ll, other * 10000000000ll);
  count += arrives<unsigned long long>(~0ull - lane, ~0ull - other);
  count += arrives<float>(lane / 3.0f, other / 3.0f);
  count += arrives<double>(lane / 3.0, other / 3.0);
  count += arrives<__half>(__float2half(lane / 4.0f),
                           __float2half(other / 4.0f));
  count += arrives<__nv_bfloat16>(__float2bfloat16(lane),
                                  __float2bfloat16(other));
  __half2 pair = __floats2half2_rn(lane, -lane),
          got = __shfl_xor_sync(ALL, pair, 1);
  count += __low2float(got) == other && __high2float(got) == -other;
  __nv_bfloat162 pair_b = __floats2bfloat162_rn(lane, -lane),
                 got_b = __shfl_xor_sync(ALL, pair_b, 1);
  count +=
      __low2float(got_b) == other && __high2float(got_b) == -other;
  right[lane] = count;
}
// [/types]

// [struct]
struct point {
  float x, y, z;
};

__device__ point shuffle_point(unsigned mask, point p, int from) {
  return {__shfl_sync(mask, p.x, from), __shfl_sync(mask, p.y, from),
          __shfl_sync(mask, p.z, from)};
}
// [/struct]

__global__ void shuffle_points(float *out) {
  float lane = threadIdx.x;
  point p = shuffle_point(ALL, {lane, lane + 100, lane + 200}, 3);
  out[threadIdx.x] = p.x + p.y + p.z;
}

// [absent]
__global__ void read_absent(int *out) {
  int lane = threadIdx.x;
  if (lane < 16) out[lane] = __shfl_down_sync(0x0000ffff, lane, 8);
}
// [/absent]

// [in-branch]
__global__ void full_mask_in_branch(int *out) {
  int lane = threadIdx.x;
  if (lane < 16) out[lane] = __shfl_xor_sync(0xffffffff, lane, 1);
}
// [/in-branch]

// [outsider]
__global__ void filter_by_mask(int *out) {
  int lane = threadIdx.x;
  out[lane] = __shfl_xor_sync(0x0000ffff, lane, 1);
}
// [/outsider]

// [width]
__global__ void any_width(int *out, int width) {
  int lane = threadIdx.x;
  out[lane] = __shfl_down_sync(0xffffffff, lane, 1, width);
}
// [/width]

// [forgotten]
__global__ void forgotten_mask(int *out) {
  int lane = threadIdx.x;
  // meant: __shfl_down_sync(0xffffffff, lane, 16, 32)
  out[lane] = __shfl_down_sync(lane, 16, 32);
}
// [/forgotten]

// [ballot-first]
__global__ void ballot_first(int *out, int n) {
  int lane = threadIdx.x;
  unsigned members = __ballot_sync(0xffffffff, lane < n);
  if (lane < n) {
    int last = 31 - __clz(members);  // the highest lane of the mask
    out[lane] = __shfl_sync(members, lane, last);
  }
}
// [/ballot-first]

// [votes]
__global__ void votes(unsigned *ballot, int *any, int *all,
                      unsigned bits, unsigned members) {
  int lane = threadIdx.x;
  int p = bits >> lane & 1;
  if (members >> lane & 1) {
    ballot[lane] = __ballot_sync(members, p);
    any[lane] = __any_sync(members, p);
    all[lane] = __all_sync(members, p);
  }
}
// [/votes]

// [matches]
__global__ void matches(unsigned *any, unsigned *all,
                        const int *value) {
  int lane = threadIdx.x, same;
  any[lane] = __match_any_sync(0xffffffff, value[lane]);
  all[lane] = __match_all_sync(0xffffffff, value[lane], &same);
}
// [/matches]

// [compact]
__global__ void compact(int *out, int *count, const int *in) {
  int lane = threadIdx.x;
  int v = in[lane];
  unsigned keep = __ballot_sync(0xffffffff, v > 0);
  unsigned below = (1u << lane) - 1;   // the lanes below this one
  int before = __popc(keep & below);   // those of them that keep theirs
  if (v > 0) out[before] = v;
  if (lane == 0) *count = __popc(keep);
}
// [/compact]

// [histogram]
__global__ void histogram(int *bins, int *adds, const int *key) {
  int lane = threadIdx.x;
  unsigned peers = __match_any_sync(0xffffffff, key[lane]);
  int leader = __ffs(peers) - 1;  // the lowest lane of each group ...
  if (lane == leader) {           // ... adds for all of it
    atomicAdd(&bins[key[lane]], __popc(peers));
    atomicAdd(adds, 1);
  }
}
// [/histogram]

// [ballot-late]
__global__ void ballot_late(unsigned *out) {
  int lane = threadIdx.x;
  if (lane % 3 == 0) out[lane] = __ballot_sync(0xffffffff, 1);
}
// [/ballot-late]

// [rotate]
__global__ void rotate(int *out) {
  int lane = threadIdx.x;
  out[lane] = __shfl_sync(ALL, 100 + lane, lane + 1);
}
// [/rotate]
