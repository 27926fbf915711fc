// Lab 09, solved in other ways: every kernel is right, and none is as in the solution.
#define FULL 0xffffffffu

__device__ int me() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ int lane() { return threadIdx.x & 31; }
__device__ unsigned before_me() {
  unsigned m;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(m));
  return m;
}

__global__ void positive_mask(const int *in, unsigned *mask) {
  unsigned m = __ballot_sync(FULL, in[me()] >= 1);
  if (m == 0 ? lane() == 31 : lane() == __ffs(m) - 1) mask[me() / 32] = m;
}

__global__ void positive_count(const int *in, int *count) {
  int n = __reduce_add_sync(FULL, in[me()] > 0 ? 1 : 0);
  if (lane() == 7) count[me() / 32] = n;
}

__global__ void any_negative(const int *in, int *any, int n) {
  bool negative = false;
  if (me() < n) negative = in[me()] < 0;
  unsigned m = __ballot_sync(FULL, negative);
  if (lane() == 0) any[me() / 32] = m ? 1 : 0;
}

__global__ void all_even(const int *in, int *all, int n) {
  unsigned there = __ballot_sync(FULL, me() < n);
  int even = 1;
  if (me() < n) even = __all_sync(there, (in[me()] & 1) == 0);
  if (lane() == 0) all[me() / 32] = even != 0;
}

__global__ void all_same(const int *in, int *same) {
  int first = __shfl_sync(FULL, in[me()], 0);
  int yes = __all_sync(FULL, in[me()] == first);
  if (lane() == 0) same[me() / 32] = yes;
}

__global__ void group_leader(const int *in, int *leader) {
  unsigned m = __match_any_sync(FULL, in[me()]);
  int l = 0;
  while (!(m >> l & 1)) l++;
  leader[me()] = l;
}

__global__ void find_first(const int *rows, int *where, int length, int target) {
  int row = me() / 32, at = lane();
  bool found = false;
  do {
    found = at < length && rows[row * length + at] == target;
    if (__any_sync(FULL, found)) break;
    at += 32;
  } while (at - lane() < length);
  int place = __reduce_min_sync(FULL, found ? at : length);
  if (lane() == 0) where[row] = place < length ? place : -1;
}

__global__ void append_even(const int *in, int *out, int *count, int n) {
  int v = me() < n ? in[me()] : 1;
  unsigned takers = __ballot_sync(FULL, v % 2 == 0);
  if (v % 2 == 0) {
    int leader = __ffs(takers) - 1, base;
    if (lane() == leader) base = atomicAdd(count, __popc(takers));
    base = __shfl_sync(takers, base, leader);
    out[base + __popc(takers & before_me())] = v;
  }
}

// Scans the counts once, in warp 0.
__global__ void compact(const int *in, int *out, int *count, int n) {
  __shared__ int counts[32];
  int t = threadIdx.x, warp = t / 32;
  bool mine = false;
  if (t < n) mine = in[t] % 2 == 0;
  unsigned takers = __ballot_sync(FULL, mine);
  if (t < 32) counts[t] = 0;
  __syncthreads();
  if (lane() == 0) counts[warp] = __popc(takers);
  __syncthreads();
  if (warp == 0) {
    int own = counts[t], sum = own;
    for (int o = 1; o < 32; o *= 2) {
      int x = __shfl_up_sync(FULL, sum, o);
      if (t >= o) sum += x;
    }
    counts[t] = sum - own;
    if (t == 31) *count = sum;
  }
  __syncthreads();
  if (mine) out[counts[warp] + __popc(takers & before_me())] = in[t];
}

// One ballot a value; lane v adds for value v.
__global__ void histogram(const int *in, int *bins, int n) {
  int value = me() < n ? in[me()] : -1, mine = 0;
  for (int v = 0; v < 16; v++) {
    int found = __popc(__ballot_sync(FULL, value == v));
    if (lane() == v) mine = found;
  }
  if (mine) atomicAdd(&bins[lane()], mine);
}
