// Lab 09, solved: lanes that decide together.

#define WARP 32
#define FULL 0xffffffffu

// The thread's number in a grid of one dimension, its lane, and the number of its warp in the grid.
__device__ int thread_id() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}
__device__ int lane_id() {
  return threadIdx.x % WARP;
}
__device__ int warp_id() {
  return thread_id() / WARP;
}

// How many lanes of the mask come before this one.
__device__ int rank_in(unsigned mask) {
  return __popc(mask & ((1u << lane_id()) - 1));
}

__global__ void positive_mask(const int *in, unsigned *mask) {
  unsigned positive = __ballot_sync(FULL, in[thread_id()] > 0);
  if (lane_id() == 0) mask[warp_id()] = positive;
}

__global__ void positive_count(const int *in, int *count) {
  unsigned positive = __ballot_sync(FULL, in[thread_id()] > 0);
  if (lane_id() == 0) count[warp_id()] = __popc(positive);
}

// A lane without an element votes for what changes nothing: no for any, yes for all.
__global__ void any_negative(const int *in, int *any, int n) {
  bool found = __any_sync(FULL, thread_id() < n && in[thread_id()] < 0);
  if (lane_id() == 0) any[warp_id()] = found;
}

__global__ void all_even(const int *in, int *all, int n) {
  bool even = __all_sync(FULL, thread_id() >= n || in[thread_id()] % 2 == 0);
  if (lane_id() == 0) all[warp_id()] = even;
}

__global__ void all_same(const int *in, int *same) {
  int yes;
  __match_all_sync(FULL, in[thread_id()], &yes);
  if (lane_id() == 0) same[warp_id()] = yes;
}

__global__ void group_leader(const int *in, int *leader) {
  leader[thread_id()] = __ffs(__match_any_sync(FULL, in[thread_id()])) - 1;
}

// The warp leaves the loop as one, because all lanes see the same ballot.
__global__ void find_first(const int *rows, int *where, int length, int target) {
  const int *row = rows + warp_id() * length;
  int first = -1;
  for (int from = 0; from < length; from += WARP) {
    int i = from + lane_id();
    unsigned found = __ballot_sync(FULL, i < length && row[i] == target);
    if (found) {
      first = from + __ffs(found) - 1;
      break;
    }
  }
  if (lane_id() == 0) where[warp_id()] = first;
}

// One lane makes room for all of its warp, and tells the others where.
__global__ void append_even(const int *in, int *out, int *count, int n) {
  bool mine = thread_id() < n && in[thread_id()] % 2 == 0;
  unsigned takers = __ballot_sync(FULL, mine);
  if (takers == 0) return;
  int leader = __ffs(takers) - 1, base = 0;
  if (lane_id() == leader) base = atomicAdd(count, __popc(takers));
  base = __shfl_sync(FULL, base, leader);
  if (mine) out[base + rank_in(takers)] = in[thread_id()];
}

// Which warp comes first must not matter: every warp adds up what the warps before it have.
__global__ void compact(const int *in, int *out, int *count, int n) {
  __shared__ int counts[WARP];
  int warp = threadIdx.x / WARP, thread = threadIdx.x;
  bool mine = thread < n && in[thread] % 2 == 0;
  unsigned takers = __ballot_sync(FULL, mine);
  if (lane_id() == 0) counts[warp] = __popc(takers);
  __syncthreads();
  int before = __reduce_add_sync(FULL, lane_id() < warp ? counts[lane_id()] : 0);
  if (mine) out[before + rank_in(takers)] = in[thread];
  if (thread == blockDim.x - 1) *count = before + __popc(takers);
}

// Lanes with the same value send one of them.
__global__ void histogram(const int *in, int *bins, int n) {
  unsigned takes_part = __ballot_sync(FULL, thread_id() < n);
  if (thread_id() < n) {
    int value = in[thread_id()];
    unsigned same = __match_any_sync(takes_part, value);
    if (rank_in(same) == 0) atomicAdd(&bins[value], __popc(same));
  }
}
