// Lab 06: hiding latency.
//
// Replace every TODO. `./grade latency` says how far you are; README.md says what each function must
// give. This is CUDA C: the same file compiles with nvcc for a GPU.

#define TODO (-1)

// ---- 1. count -----------------------------------------------------------------------------------
//
// A sub-core issues one instruction a cycle. Warps run rounds: a warp issues `work` instructions, one
// a cycle, and then it can issue nothing for `wait` cycles, because it waits for a load. Rounds follow
// each other without end, and the scheduler is a good one: no cycle is lost in which a warp could issue.

// In how many percent of all cycles is something issued? Rounded down.
__device__ int busy_percent(int warps, int work, int wait) {
  return TODO;
}

// How many cycles does a round of all warps take? (From one load of a warp to its next one.)
__device__ int round_cycles(int warps, int work, int wait) {
  return TODO;
}

// The fewest warps with which at least `percent` of all cycles are used.
__device__ int warps_needed(int work, int wait, int percent) {
  return TODO;
}

// A warp has `chains` of additions that are independent of each other; in a chain, each addition needs
// the result of the one before, which is there `latency` cycles after that issued. The fewest warps
// with which something is issued in every cycle.
__device__ int warps_with_chains(int latency, int chains) {
  return TODO;
}

// Little's law for memory: it delivers `bytes_per_cycle`, each load of a warp asks for `bytes`, and
// they are there `latency` cycles later. The fewest loads that must be under way at any time so that
// memory is never idle.
__device__ int loads_in_flight(int bytes_per_cycle, int latency, int bytes) {
  return TODO;
}

// A thread that has u loads under way at a time takes base + each * u registers. A block has 256
// threads, so 8 warps; an SM has `registers` of them, for whole blocks, and room for max_warps warps, a
// multiple of 8. For which u, from 1 to 8, are the most loads of warps under way on the SM? Of several
// such u, the smallest.
__device__ int best_unroll(int registers, int base, int each, int max_warps) {
  return TODO;
}

// ---- 2. three kernels to rewrite ----------------------------------------------------------------
//
// Each runs as one block of 64 threads, so two warps: far too few to hide a load. Make a thread have
// several things under way. The results stay the same.

// Sums of columns of 32 numbers: column t is x[t], x[64 + t], x[128 + t], ...
__global__ void sum_columns(const int *x, int *y) {
  int t = threadIdx.x, sum = 0;
  for (int k = 0; k < 32; k++) sum += x[64 * k + t];
  y[t] = sum;
}

// The same with products. No more than 32 registers a thread.
__global__ void dot_columns(const int *a, const int *b, int *y) {
  int t = threadIdx.x, sum = 0;
  for (int k = 0; k < 32; k++) sum += a[64 * k + t] * b[64 * k + t];
  y[t] = sum;
}

// A long piece of work on a number. Leave it as it is.
__device__ unsigned scramble(unsigned v) {
  for (int i = 0; i < 24; i++) v = v * 1664525u + (v >> 7) + 1013904223u;
  return v;
}

// Follows a list of 10 elements: behind element i comes next[i]. Thread t begins at element t.
__global__ void walk(const int *next, const unsigned *value, unsigned *y) {
  int i = threadIdx.x;
  unsigned sum = 0;
  for (int k = 0; k < 10; k++) {
    sum += scramble(value[i]);
    i = next[i];
  }
  y[threadIdx.x] = sum;
}
