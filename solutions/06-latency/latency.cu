// Lab 06: hiding latency.
//
// Replace every TODO. `./grade latency` says how far you are; README.md says what each function must
// give. This is CUDA C: the same file compiles with nvcc for a GPU.

__device__ int divide_up(int a, int b) { return (a + b - 1) / b; }

// ---- 1. count -----------------------------------------------------------------------------------
//
// A sub-core issues one instruction a cycle. Warps run rounds: a warp issues `work` instructions, one
// a cycle, and then it can issue nothing for `wait` cycles, because it waits for a load. Rounds follow
// each other without end, and the scheduler is a good one: no cycle is lost in which a warp could issue.

// In how many percent of all cycles is something issued? Rounded down.
__device__ int busy_percent(int warps, int work, int wait) {
  int busy = 100 * warps * work / (work + wait);
  return busy < 100 ? busy : 100;
}

// How many cycles does a round of all warps take? (From one load of a warp to its next one.)
__device__ int round_cycles(int warps, int work, int wait) {
  int own = work + wait, all = warps * work;
  return own > all ? own : all;
}

// The fewest warps with which at least `percent` of all cycles are used.
__device__ int warps_needed(int work, int wait, int percent) {
  return divide_up(percent * (work + wait), 100 * work);
}

// A warp has `chains` of additions that are independent of each other; in a chain, each addition needs
// the result of the one before, which is there `latency` cycles after that issued. The fewest warps
// with which something is issued in every cycle.
__device__ int warps_with_chains(int latency, int chains) {
  return divide_up(latency, chains);
}

// Little's law for memory: it delivers `bytes_per_cycle`, each load of a warp asks for `bytes`, and
// they are there `latency` cycles later. The fewest loads that must be under way at any time so that
// memory is never idle.
__device__ int loads_in_flight(int bytes_per_cycle, int latency, int bytes) {
  return divide_up(bytes_per_cycle * latency, bytes);
}

// A thread that has u loads under way at a time takes base + each * u registers. A block has 256
// threads, so 8 warps; an SM has `registers` of them, for whole blocks, and room for max_warps warps, a
// multiple of 8. For which u, from 1 to 8, are the most loads of warps under way on the SM? Of several
// such u, the smallest.
__device__ int best_unroll(int registers, int base, int each, int max_warps) {
  int best = 1, most = -1;
  for (int u = 1; u <= 8; u++) {
    int fit = 8 * (registers / (256 * (base + each * u)));
    int loads = u * (fit < max_warps ? fit : max_warps);
    if (loads > most) {
      most = loads;
      best = u;
    }
  }
  return best;
}

// ---- 2. three kernels to rewrite ----------------------------------------------------------------
//
// Each runs as one block of 64 threads, so two warps: far too few to hide a load. Make a thread have
// several things under way. The results stay the same.

// Sums of columns of 32 numbers: column t is x[t], x[64 + t], x[128 + t], ...
__global__ void sum_columns(const int *x, int *y) {
  int t = threadIdx.x, sum = 0;
  for (int k = 0; k < 32; k += 8) {
    const int *p = x + 64 * k + t;
    int a = p[0], b = p[64], c = p[128], d = p[192], e = p[256], f = p[320], g = p[384], h = p[448];
    sum += a + b + c + d + e + f + g + h;
  }
  y[t] = sum;
}

// The same with products. No more than 32 registers a thread.
__global__ void dot_columns(const int *a, const int *b, int *y) {
  int t = threadIdx.x, sum = 0;
  for (int k = 0; k < 32; k += 8) {
    const int *p = a + 64 * k + t, *q = b + 64 * k + t;
    int p0 = p[0], p1 = p[64], p2 = p[128], p3 = p[192];
    int p4 = p[256], p5 = p[320], p6 = p[384], p7 = p[448];
    int q0 = q[0], q1 = q[64], q2 = q[128], q3 = q[192];
    int q4 = q[256], q5 = q[320], q6 = q[384], q7 = q[448];
    sum += p0 * q0 + p1 * q1 + p2 * q2 + p3 * q3;
    sum += p4 * q4 + p5 * q5 + p6 * q6 + p7 * q7;
  }
  y[t] = sum;
}

// A long piece of work on a number. Leave it as it is.
__device__ unsigned scramble(unsigned v) {
  for (int i = 0; i < 24; i++) v = v * 1664525u + (v >> 7) + 1013904223u;
  return v;
}

// Follows a list of 10 elements: behind element i comes next[i]. Thread t begins at element t.
__global__ void walk(const int *next, const unsigned *value, unsigned *y) {
  int i = next[threadIdx.x];
  unsigned sum = 0, v = value[threadIdx.x];
  for (int k = 0; k < 10; k++) {
    unsigned now = v;
    v = value[i];  // of the next element: on its way while this one is worked on
    i = next[i];
    sum += scramble(now);
  }
  y[threadIdx.x] = sum;
}
