// The kernels of chapter 4. The book cuts its listings out of this file and runs the same kernels.
#include <cuda_runtime.h>

#include "step.h"

// [two-paths]
__global__ void two_paths(unsigned *log, int split) {
  step(log, 0);
  if (threadIdx.x < split) {
    step(log, 1);  // A
  } else {
    step(log, 2);  // B
  }
  step(log, 3);  // C
}
// [/two-paths]

// [parity]
__device__ int work_a(int n, int v) {
  for (int i = 0; i < n; i++) v = v * 5 + 1;
  return v;
}
__device__ int work_b(int n, int v) {
  for (int i = 0; i < n; i++) v = (v ^ 9) + 3;
  return v;
}

__global__ void parity(int *out, int na, int nb) {
  int tid = threadIdx.x;
  if (tid % 2 == 0) {
    out[tid] = work_a(na, tid);
  } else {
    out[tid] = work_b(nb, tid);
  }
}
// [/parity]

// [by-warp]
__global__ void by_warp(int *out, int na, int nb) {
  int tid = threadIdx.x;
  if (tid / 32 % 2 == 0) {
    out[tid] = work_a(na, tid);
  } else {
    out[tid] = work_b(nb, tid);
  }
}
// [/by-warp]

// [threshold]
__global__ void threshold(unsigned *log) {
  unsigned *mine = log + threadIdx.x / 32 * 8;  // a log for each warp
  if (threadIdx.x > 2) {
    step(mine, 1);
  } else {
    step(mine, 2);
  }
}
// [/threshold]

// [by-data]
__global__ void by_data(const int *in, int *out) {
  int v = in[threadIdx.x];
  if (v % 2 == 0) v = v * 7 + 1;
  out[threadIdx.x] = v;
}
// [/by-data]

// [if-only]
__global__ void if_only(int *out, int split) {
  int v = threadIdx.x;
  if (v < split) v = v * 7 + 1;
  out[threadIdx.x] = v;
}
// [/if-only]

// [ways]
__global__ void ways(unsigned *log, int k) {
  step(log, 0);
  int way = threadIdx.x % k;
  if (way == 0)
    step(log, 1);
  else if (way == 1)
    step(log, 2);
  else if (way == 2)
    step(log, 3);
  else
    step(log, 4);
  step(log, 5);
}
// [/ways]

// [nested]
__global__ void nested(unsigned *log) {
  int t = threadIdx.x;
  if (t < 16) {
    if (t < 4) {
      step(log, 1);
    } else {
      step(log, 2);
    }
    step(log, 3);
  } else {
    step(log, 4);
  }
  step(log, 5);
}
// [/nested]

// [loop]
__global__ void loop(unsigned *log, const int *trips) {
  for (int i = 0; i < trips[threadIdx.x]; i++) {
    step(log, i);
  }
  step(log, 99);
}
// [/loop]

// [early]
__global__ void early(unsigned *log) {
  int t = threadIdx.x;
  step(log, 0);
  if (t % 3 == 0) return;
  step(log, 1);
  for (int i = 0; i < 4; i++) {
    if (i == t % 8) break;
    step(log, 2);
  }
  step(log, 3);
}
// [/early]

// [short-circuit]
__global__ void short_circuit(const int *in, int *out) {
  int t = threadIdx.x;
  if (t < 24 && in[t] > 0) out[t] = 1;
}
// [/short-circuit]

// [clamp]
__global__ void clamp_branch(const int *in, int *out, int limit) {
  int v = in[threadIdx.x];
  if (v > limit) v = limit;
  out[threadIdx.x] = v;
}
// [/clamp]

// [clamp-select]
__global__ void clamp_select(const int *in, int *out, int limit) {
  out[threadIdx.x] = min(in[threadIdx.x], limit);
}
// [/clamp-select]

// [shared-tail]
__global__ void call_in_both(int *out, int n) {
  int t = threadIdx.x, v;
  if (t % 2 == 0) {
    v = work_a(n, t);
  } else {
    v = work_a(n, t + 1000);
  }
  out[t] = v;
}
// [/shared-tail]

// [hoisted]
__global__ void call_after(int *out, int n) {
  int t = threadIdx.x, v;
  if (t % 2 == 0) {
    v = t;
  } else {
    v = t + 1000;
  }
  out[t] = work_a(n, v);
}
// [/hoisted]
