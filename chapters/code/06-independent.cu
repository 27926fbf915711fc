// The kernels of chapter 6. The book cuts its listings out of this file and runs the same kernels.
#include <cuda_runtime.h>

#include "step.h"

// [spin]
__global__ void spin(int *lock, int *count) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  *(volatile int *)count += 1;
  __threadfence();
  atomicExch(lock, 0);
}
// [/spin]

// [spin-inside]
__global__ void spin_inside(int *lock, int *count) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      *(volatile int *)count += 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}
// [/spin-inside]

// [handoff]
__global__ void wait_first(int *flag, int *out) {
  volatile int *ready = flag;
  if (threadIdx.x == 0) {
    while (*ready == 0) {
    }
    out[0] = 7;
  } else if (threadIdx.x == 1) {
    *ready = 1;
  }
}
// [/handoff]

// [tell-first]
__global__ void tell_first(int *flag, int *out) {
  volatile int *ready = flag;
  if (threadIdx.x == 1) {
    *ready = 1;
  } else if (threadIdx.x == 0) {
    while (*ready == 0) {
    }
    out[0] = 7;
  }
}
// [/tell-first]

// [arms]
__global__ void arms(unsigned *log) {
  if (threadIdx.x % 32 < 16) {
    step(log, 1);
    step(log, 2);
    step(log, 3);
  } else {
    step(log, 4);
    step(log, 5);
    step(log, 6);
  }
  __syncwarp();
  step(log, 7);
}
// [/arms]

// [after]
__global__ void after_branch(unsigned *mask) {
  int t = threadIdx.x, v = t;
  if (t < 8) {
    for (int i = 0; i < 20; i++) v = v * 3 + 1;
  } else {
    v = v * 5 + 2;
  }
  mask[t] = __activemask();
  __syncwarp();
  mask[32 + t] = v;
}
// [/after]

// [sum-lockstep]
__global__ void sum_lockstep(const int *in, int *sum) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = in[t];
  s[t + 32] = 0;
  s[t] += s[t + 16];
  s[t] += s[t + 8];
  s[t] += s[t + 4];
  s[t] += s[t + 2];
  s[t] += s[t + 1];
  if (t == 0) *sum = s[0];
}
// [/sum-lockstep]

// [sum-volatile]
__global__ void sum_volatile(const int *in, int *sum) {
  __shared__ int box[64];
  volatile int *s = box;
  int t = threadIdx.x;
  s[t] = in[t];
  s[t + 32] = 0;
  s[t] += s[t + 16];
  s[t] += s[t + 8];
  s[t] += s[t + 4];
  s[t] += s[t + 2];
  s[t] += s[t + 1];
  if (t == 0) *sum = s[0];
}
// [/sum-volatile]

// [sum-synced]
__global__ void sum_synced(const int *in, int *sum) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncwarp();
  for (int d = 16; d > 0; d /= 2) {
    int v = t < d ? s[t + d] : 0;
    __syncwarp();
    s[t] += v;
    __syncwarp();
  }
  if (t == 0) *sum = s[0];
}
// [/sum-synced]

// [sum-one-sync]
__global__ void sum_one_sync(const int *in, int *sum) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = in[t];
  s[t + 32] = 0;
  __syncwarp();
  for (int d = 16; d > 0; d /= 2) {
    s[t] += s[t + d];
    __syncwarp();
  }
  if (t == 0) *sum = s[0];
}
// [/sum-one-sync]

// [mailbox]
__global__ void mailbox(const int *in, int *out) {
  __shared__ const int *from;
  int t = threadIdx.x;
  if (t == 0) from = in + 100;
  out[t] = from[t];
}
// [/mailbox]

// [mailbox-synced]
__global__ void mailbox_synced(const int *in, int *out) {
  __shared__ const int *from;
  int t = threadIdx.x;
  if (t == 0) from = in + 100;
  __syncwarp();
  out[t] = from[t];
}
// [/mailbox-synced]

// [halves]
__global__ void halves(int *out) {
  __shared__ int s[32];
  int t = threadIdx.x;
  if (t < 16) {
    s[t] = t;
    __syncwarp(0x0000ffff);
    out[t] = s[15 - t];
  } else {
    s[t] = 10 * t;
    __syncwarp(0xffff0000);
    out[t] = s[47 - t];
  }
}
// [/halves]

// [halves-wrong]
__global__ void halves_wrong(int *out) {
  __shared__ int s[32];
  int t = threadIdx.x;
  if (t < 16) {
    s[t] = t;
    __syncwarp(0x00ffffff);  // also names lanes that never come here
    out[t] = s[15 - t];
  } else {
    s[t] = 10 * t;
    __syncwarp(0xffff0000);
    out[t] = s[47 - t];
  }
}
// [/halves-wrong]

// [reverse]
__global__ void reverse(const int *in, int *out) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = in[t];
  out[t] = s[31 - t];
}
// [/reverse]

// [reverse-synced]
__global__ void reverse_synced(const int *in, int *out) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncwarp();
  out[t] = s[31 - t];
}
// [/reverse-synced]

// [two-barriers]
__global__ void with_syncwarp(int *out, int n) {
  for (int i = 0; i < n; i++) __syncwarp();
  out[threadIdx.x] = n;
}
__global__ void with_syncthreads(int *out, int n) {
  for (int i = 0; i < n; i++) __syncthreads();
  out[threadIdx.x] = n;
}
// [/two-barriers]
