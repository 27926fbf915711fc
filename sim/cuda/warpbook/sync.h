/* warpbook/sync.h - barriers of a block, fences, clocks, the end of a thread.
 * __syncthreads() itself is known to clang. */
#pragma once

/* Barriers that also combine a value of every thread of the block. */
__WARPBOOK_DEVICE int __syncthreads_count(int p) { return __nvvm_bar0_popc(p); }
__WARPBOOK_DEVICE int __syncthreads_and(int p) { return __nvvm_bar0_and(p); }
__WARPBOOK_DEVICE int __syncthreads_or(int p) { return __nvvm_bar0_or(p); }

__WARPBOOK_DEVICE void __syncwarp(unsigned mask = 0xffffffffu) { __nvvm_bar_warp_sync(mask); }

__WARPBOOK_DEVICE void __threadfence_block() { __nvvm_membar_cta(); }
__WARPBOOK_DEVICE void __threadfence() { __nvvm_membar_gl(); }
__WARPBOOK_DEVICE void __threadfence_system() { __nvvm_membar_sys(); }

__WARPBOOK_DEVICE long long clock64() {
  long long t;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(t)::"memory");
  return t;
}
/* clock_t is a long here, of which the counter fills the low 32 bits. */
__WARPBOOK_DEVICE long clock() {
  int t;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(t)::"memory");
  return t;
}
__WARPBOOK_DEVICE void __nanosleep(unsigned ns) {
  asm volatile("nanosleep.u32 %0;" ::"r"(ns) : "memory");
}

__WARPBOOK_DEVICE void __trap() { asm volatile("trap;"); }
__WARPBOOK_DEVICE void __brkpt() { asm volatile("brkpt;"); }
__WARPBOOK_DEVICE void __prof_trigger(int) {}

