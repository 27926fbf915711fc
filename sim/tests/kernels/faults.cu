// One misuse a kernel; test_faults.c says what must be found, and where.
#include <assert.h>
#include <stdio.h>

extern "C" __global__ void out_of_bounds(unsigned *out) {
  out[threadIdx.x + 4090] = 1; // 4096 words: lanes 6 and up are outside
}
extern "C" __global__ void null_pointer(unsigned *out) {
  unsigned *p = 0;
  out[0] = p[threadIdx.x];
}
extern "C" __global__ void shared_out_of_bounds(unsigned *out) {
  __shared__ unsigned s[16];
  s[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = s[0];
}
extern "C" __global__ void misaligned(unsigned *out) {
  out[threadIdx.x] = *(unsigned *)((char *)out + threadIdx.x);
}
extern "C" __global__ void uninitialized_shared(unsigned *out) {
  __shared__ unsigned s[32];
  if (threadIdx.x != 5) s[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x ^ 1];
}
extern "C" __global__ void race_between_warps(unsigned *out) {
  __shared__ unsigned s[64];
  s[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = s[63 - threadIdx.x];
}
extern "C" __global__ void race_between_blocks(unsigned *out) {
  if (threadIdx.x == 0) out[0] = out[0] + 1;
}
extern "C" __global__ void same_value_is_no_race(unsigned *out) {
  out[0] = 7;
}
extern "C" __global__ void two_values_at_once(unsigned *out) {
  out[0] = threadIdx.x;
}
extern "C" __global__ void atomics_are_no_race(unsigned *out) {
  atomicAdd(&out[0], 1u);
  if (blockIdx.x == 0 && threadIdx.x == 0) atomicAdd(&out[1], 1u);
}
extern "C" __global__ void message_by_flag(unsigned *out) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    out[1] = 42;
    __threadfence();
    atomicExch(&out[0], 1u);
  }
  if (blockIdx.x == 1 && threadIdx.x == 0) {
    while (atomicAdd(&out[0], 0u) == 0u)
      ;
    __threadfence();
    out[2] = out[1];
  }
}
extern "C" __global__ void shfl_inactive(unsigned *out) {
  unsigned v = threadIdx.x;
  if (threadIdx.x < 16) v = __shfl_sync(0x0000ffffu, v, 20);
  out[threadIdx.x] = v;
}
extern "C" __global__ void bad_width(unsigned *out) {
  out[threadIdx.x] = __shfl_sync(0xffffffffu, threadIdx.x, 1, 12);
}
extern "C" __global__ void different_barriers(unsigned *out) {
  if (threadIdx.x < 32) {
    out[0] = 1;
    __syncthreads();
  } else {
    out[1] = 1;
    __syncthreads();
  }
}
extern "C" __global__ void endless(unsigned *out) {
  unsigned n = 0;
  while (true) out[0] = n++;
}
extern "C" __global__ void waits_for_nobody(unsigned *out) {
  while (*(volatile unsigned *)out == 0)
    ;
}
extern "C" __global__ void waits_while_others_wait(unsigned *out) {
  if (threadIdx.x < 32)
    while (*(volatile unsigned *)out == 0)
      ;
  __syncthreads();
  if (threadIdx.x == 63) out[0] = 1;
}
extern "C" __global__ void later_block_frees_earlier(unsigned *out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0)
    while (*(volatile unsigned *)out == 0)
      ;
  else
    atomicExch(out, 1u);
}
extern "C" __global__ void divides_by_zero(unsigned *out) {
  out[threadIdx.x + 32] = 100u / out[threadIdx.x];
}
extern "C" __global__ void unsupported(unsigned *out) {
  asm volatile("{ .reg .b32 t; vadd.u32.u32.u32 t, t, t; }");
  out[0] = 1;
}
extern "C" __global__ void asserts(unsigned *out) {
  assert(threadIdx.x < 7);
  out[threadIdx.x] = 1;
}
extern "C" __global__ void traps(unsigned *out) {
  if (threadIdx.x == 3) __trap();
  out[threadIdx.x] = 1;
}
extern "C" __global__ void prints(unsigned *out) {
  if (threadIdx.x < 2) printf("thread %d: %5.2f %s %c %llu %%\n", threadIdx.x, 1.5 * threadIdx.x, "text", 'x', 1ull << 40);
  out[0] = 1;
}
__device__ __noinline__ unsigned depth(unsigned n) { return n == 0 ? 0 : 1 + depth(n - 1); }
extern "C" __global__ void recurses(unsigned *out) {
  out[threadIdx.x] = depth(threadIdx.x);
}
__device__ __noinline__ unsigned bottomless(unsigned n) { return n == 0xffffffffu ? 0 : 1 + bottomless(n + 1); }
extern "C" __global__ void overflows_the_stack(unsigned *out) {
  out[0] = bottomless(out[0] + threadIdx.x);
}
extern "C" __global__ void heap(unsigned *out) {
  unsigned *p = (unsigned *)malloc(4);
  *p = threadIdx.x;
  out[threadIdx.x] = *p;
  free(p);
}
extern "C" __global__ void use_after_free(unsigned *out) {
  unsigned *p = (unsigned *)malloc(4);
  free(p);
  out[threadIdx.x] = *p;
}
extern "C" __global__ void nothing(unsigned *out) {
  if (out == 0) out[1] = 1;
}
