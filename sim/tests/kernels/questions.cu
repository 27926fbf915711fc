// What students ask and get wrong, one kernel a question. test_questions.c has the answers.
#define LANE (threadIdx.x & 31)

// 1: how does a 16 x 16 block map to warps? out: the warp of each thread, by linear id.
extern "C" __global__ void q01_map(unsigned *out) {
  unsigned linear = threadIdx.x + blockDim.x * threadIdx.y, lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  out[linear] = (linear / 32) << 8 | lane;
}

// 2: two warps of a block wait for each other, so both are resident.
extern "C" __global__ void q02_resident(unsigned *out) {
  __shared__ unsigned s[64];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = s[63 - threadIdx.x];
}

// 3: half a warp on each of two branches.
extern "C" __global__ void q03_halves(unsigned *out) {
  unsigned v;
  if (LANE < 16) v = threadIdx.x * 3;
  else v = threadIdx.x + 100;
  out[threadIdx.x] = v;
}

// 4: a barrier that only some threads of the block reach.
extern "C" __global__ void q04_barrier_in_if(unsigned *out) {
  if (threadIdx.x < 48) __syncthreads();
  out[threadIdx.x] = 1;
}

// 5: some threads return before the barrier.
extern "C" __global__ void q05_early_return(unsigned *out, int n) {
  if ((int)threadIdx.x >= n) return;
  __syncthreads();
  out[threadIdx.x] = 1;
}

// 6: the winner must leave the loop to unlock.
extern "C" __global__ void q06_spin(unsigned *out) {
  while (atomicCAS(&out[0], 0u, 1u) != 0u)
    ;
  *(volatile unsigned *)&out[1] += 1;
  __threadfence();
  atomicExch(&out[0], 0u);
}

// 6b: the unlock is inside the loop: works everywhere.
extern "C" __global__ void q06_spin_safe(unsigned *out) {
  bool done = false;
  while (!done) {
    if (atomicCAS(&out[0], 0u, 1u) == 0u) {
      *(volatile unsigned *)&out[1] += 1;
      __threadfence();
      atomicExch(&out[0], 0u);
      done = true;
    }
  }
}

// 7: the mask does not filter.
extern "C" __global__ void q07_mask_filter(unsigned *out) {
  out[threadIdx.x] = __shfl_sync(0x0000ffffu, threadIdx.x, 0);
}

// 8: lane 8 of segments of 8 reads itself.
extern "C" __global__ void q08_up_segment(unsigned *out) {
  out[threadIdx.x] = __shfl_up_sync(0xffffffffu, 100 + LANE, 4, 8);
}

// 9: the forgotten mask: the arguments shift, and it still compiles.
extern "C" __global__ void q09_forgotten_mask(unsigned *out) {
  int v = 1 << 20 | (int)LANE, i = 1;
  out[threadIdx.x] = (unsigned)__shfl_down_sync(v, i, 32);
}

// 10: a full mask inside a branch.
extern "C" __global__ void q10_full_mask_in_if(unsigned *out) {
  unsigned v = LANE;
  if (threadIdx.x < 16) v = __shfl_xor_sync(0xffffffffu, v, 1);
  out[threadIdx.x] = v;
}

// 10b: the ballot is taken before the branch.
extern "C" __global__ void q10_ballot_before(unsigned *out) {
  unsigned v = LANE, m = __ballot_sync(0xffffffffu, threadIdx.x < 16);
  if (threadIdx.x < 16) v = __shfl_xor_sync(m, v, 1);
  out[threadIdx.x] = v;
}

// 11: a ballot with a full mask inside a branch.
extern "C" __global__ void q11_ballot_in_if(unsigned *out) {
  if (LANE % 3 == 0) out[threadIdx.x] = __ballot_sync(0xffffffffu, 1);
}

// 12: activemask may miss lanes that have not reconverged.
extern "C" __global__ void q12_activemask(unsigned *out) {
  if (LANE < 16) out[64 + threadIdx.x] = LANE * 7;
  out[threadIdx.x] = __activemask();
}

// 13: a neighbour's value through shared memory, without and with __syncwarp.
extern "C" __global__ void q13_no_syncwarp(unsigned *out) {
  __shared__ volatile unsigned unused[1];
  __shared__ unsigned s[32];
  (void)unused;
  s[LANE] = LANE * 5;
  out[threadIdx.x] = s[LANE ^ 1];
}
extern "C" __global__ void q13_syncwarp(unsigned *out) {
  __shared__ unsigned s[32];
  s[LANE] = LANE * 5;
  __syncwarp();
  out[threadIdx.x] = s[LANE ^ 1];
}

// 14: lane 0 publishes a pointer.
extern "C" __global__ void q14_pointer(unsigned *out) {
  __shared__ unsigned *where;
  if (LANE == 0) where = out + 64;
  out[threadIdx.x] = where == out + 64;
}
extern "C" __global__ void q14_pointer_synced(unsigned *out) {
  __shared__ unsigned *where;
  if (LANE == 0) where = out + 64;
  __syncwarp();
  out[threadIdx.x] = where == out + 64;
}

// 15, 20: warps of a block are a ceiling.
extern "C" __global__ void q15_ceiling(unsigned *out) {
  unsigned all = __activemask();
  if (LANE == 0) out[threadIdx.x / 32] = all;
}

// 16: who holds the sum after a shuffle-down, and after an xor butterfly?
extern "C" __global__ void q16_sums(unsigned *out) {
  unsigned down = LANE, butterfly = LANE;
  for (int o = 16; o > 0; o >>= 1) {
    down += __shfl_down_sync(0xffffffffu, down, o);
    butterfly += __shfl_xor_sync(0xffffffffu, butterfly, o);
  }
  out[threadIdx.x] = down;
  out[32 + threadIdx.x] = butterfly;
}

// 22: an 8 x 4 block is one warp; its lanes follow the linear id.
extern "C" __global__ void q22_linear(unsigned *out) {
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  out[threadIdx.x + 8 * threadIdx.y] = lane;
}
