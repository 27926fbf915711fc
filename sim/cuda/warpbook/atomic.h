/* warpbook/atomic.h - atomic operations: of the device, of the block (_block), of the system
 * (_system). Each returns the old value. clang's builtins know whether an address is shared. */
#pragma once

/* The three scopes of one operation. */
#define __WARPBOOK_ATOMIC(NAME, T, OP, SUFFIX, B)                                                  \
  __WARPBOOK_DEVICE T NAME(T *p, T v) { return (T)__nvvm_atom_##OP##_gen_##SUFFIX((B *)p, (B)v); } \
  __WARPBOOK_DEVICE T NAME##_block(T *p, T v) {                                                    \
    return (T)__nvvm_atom_cta_##OP##_gen_##SUFFIX((B *)p, (B)v);                                   \
  }                                                                                                \
  __WARPBOOK_DEVICE T NAME##_system(T *p, T v) {                                                   \
    return (T)__nvvm_atom_sys_##OP##_gen_##SUFFIX((B *)p, (B)v);                                   \
  }

__WARPBOOK_ATOMIC(atomicAdd, int, add, i, int)
__WARPBOOK_ATOMIC(atomicAdd, unsigned, add, i, int)
__WARPBOOK_ATOMIC(atomicAdd, unsigned long long, add, ll, long long)
__WARPBOOK_ATOMIC(atomicAdd, float, add, f, float)
__WARPBOOK_ATOMIC(atomicAdd, double, add, d, double)

__WARPBOOK_ATOMIC(atomicExch, int, xchg, i, int)
__WARPBOOK_ATOMIC(atomicExch, unsigned, xchg, i, int)
__WARPBOOK_ATOMIC(atomicExch, unsigned long long, xchg, ll, long long)

__WARPBOOK_ATOMIC(atomicMin, int, min, i, int)
__WARPBOOK_ATOMIC(atomicMin, unsigned, min, ui, unsigned)
__WARPBOOK_ATOMIC(atomicMin, long long, min, ll, long long)
__WARPBOOK_ATOMIC(atomicMin, unsigned long long, min, ull, unsigned long long)
__WARPBOOK_ATOMIC(atomicMax, int, max, i, int)
__WARPBOOK_ATOMIC(atomicMax, unsigned, max, ui, unsigned)
__WARPBOOK_ATOMIC(atomicMax, long long, max, ll, long long)
__WARPBOOK_ATOMIC(atomicMax, unsigned long long, max, ull, unsigned long long)

__WARPBOOK_ATOMIC(atomicInc, unsigned, inc, ui, unsigned)
__WARPBOOK_ATOMIC(atomicDec, unsigned, dec, ui, unsigned)

__WARPBOOK_ATOMIC(atomicAnd, int, and, i, int)
__WARPBOOK_ATOMIC(atomicAnd, unsigned, and, i, int)
__WARPBOOK_ATOMIC(atomicAnd, unsigned long long, and, ll, long long)
__WARPBOOK_ATOMIC(atomicOr, int, or, i, int)
__WARPBOOK_ATOMIC(atomicOr, unsigned, or, i, int)
__WARPBOOK_ATOMIC(atomicOr, unsigned long long, or, ll, long long)
__WARPBOOK_ATOMIC(atomicXor, int, xor, i, int)
__WARPBOOK_ATOMIC(atomicXor, unsigned, xor, i, int)
__WARPBOOK_ATOMIC(atomicXor, unsigned long long, xor, ll, long long)
#undef __WARPBOOK_ATOMIC

__WARPBOOK_DEVICE float atomicExch(float *p, float v) {
  return __builtin_bit_cast(float, atomicExch((unsigned *)p, __builtin_bit_cast(unsigned, v)));
}
__WARPBOOK_DEVICE float atomicExch_block(float *p, float v) {
  return __builtin_bit_cast(float, atomicExch_block((unsigned *)p, __builtin_bit_cast(unsigned, v)));
}
__WARPBOOK_DEVICE float atomicExch_system(float *p, float v) {
  return __builtin_bit_cast(float, atomicExch_system((unsigned *)p, __builtin_bit_cast(unsigned, v)));
}

__WARPBOOK_DEVICE int atomicSub(int *p, int v) { return atomicAdd(p, -v); }
__WARPBOOK_DEVICE unsigned atomicSub(unsigned *p, unsigned v) { return atomicAdd(p, 0u - v); }
__WARPBOOK_DEVICE int atomicSub_block(int *p, int v) { return atomicAdd_block(p, -v); }
__WARPBOOK_DEVICE unsigned atomicSub_block(unsigned *p, unsigned v) {
  return atomicAdd_block(p, 0u - v);
}
__WARPBOOK_DEVICE int atomicSub_system(int *p, int v) { return atomicAdd_system(p, -v); }
__WARPBOOK_DEVICE unsigned atomicSub_system(unsigned *p, unsigned v) {
  return atomicAdd_system(p, 0u - v);
}

/* Compare and swap: stores `v` where `expected` stands. */
#define __WARPBOOK_CAS(T, SUFFIX, B)                                                               \
  __WARPBOOK_DEVICE T atomicCAS(T *p, T expected, T v) {                                           \
    return (T)__nvvm_atom_cas_gen_##SUFFIX((B *)p, (B)expected, (B)v);                             \
  }                                                                                                \
  __WARPBOOK_DEVICE T atomicCAS_block(T *p, T expected, T v) {                                     \
    return (T)__nvvm_atom_cta_cas_gen_##SUFFIX((B *)p, (B)expected, (B)v);                         \
  }                                                                                                \
  __WARPBOOK_DEVICE T atomicCAS_system(T *p, T expected, T v) {                                    \
    return (T)__nvvm_atom_sys_cas_gen_##SUFFIX((B *)p, (B)expected, (B)v);                         \
  }
__WARPBOOK_CAS(int, i, int)
__WARPBOOK_CAS(unsigned, i, int)
__WARPBOOK_CAS(unsigned long long, ll, long long)
#undef __WARPBOOK_CAS

__WARPBOOK_DEVICE unsigned short atomicCAS(unsigned short *p, unsigned short expected,
                                           unsigned short v) {
  unsigned short old;
  asm volatile("atom.cas.b16 %0, [%1], %2, %3;"
               : "=h"(old)
               : "l"(p), "h"(expected), "h"(v)
               : "memory");
  return old;
}
