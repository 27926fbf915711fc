/* warpbook/integer.h - bits, products, averages, dot products of bytes; min, max and abs. */
#pragma once

/* ---- bits ------------------------------------------------------------------------------------- */

__WARPBOOK_DEVICE int __popc(unsigned x) { return __builtin_popcount(x); }
__WARPBOOK_DEVICE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
__WARPBOOK_DEVICE int __clz(int x) {
  int r;
  asm("clz.b32 %0, %1;" : "=r"(r) : "r"(x));
  return r;
}
__WARPBOOK_DEVICE int __clzll(long long x) {
  int r;
  asm("clz.b64 %0, %1;" : "=r"(r) : "l"(x));
  return r;
}
/* The lowest set bit, counted from 1; 0 when there is none: x & -x keeps that bit alone. */
__WARPBOOK_DEVICE int __ffs(int x) { return 32 - __clz((int)((unsigned)x & (0u - (unsigned)x))); }
__WARPBOOK_DEVICE int __ffsll(long long x) {
  return 64 - __clzll((long long)((unsigned long long)x & (0ull - (unsigned long long)x)));
}
__WARPBOOK_DEVICE unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
__WARPBOOK_DEVICE unsigned long long __brevll(unsigned long long x) {
  return __builtin_bitreverse64(x);
}
__WARPBOOK_DEVICE unsigned __fns(unsigned mask, unsigned base, int offset) {
  unsigned r;
  asm("fns.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(mask), "r"(base), "r"(offset));
  return r;
}
/* Four bytes chosen among the eight of x (0..3) and y (4..7). */
__WARPBOOK_DEVICE unsigned __byte_perm(unsigned x, unsigned y, unsigned s) {
  unsigned r;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(y), "r"(s));
  return r;
}

/* 32 bits out of the 64 of high:low, shifted; _lc and _rc stop at 32. */
#define __WARPBOOK_FUNNEL(NAME, OP)                                                                \
  __WARPBOOK_DEVICE unsigned NAME(unsigned low, unsigned high, unsigned shift) {                   \
    unsigned r;                                                                                    \
    asm("shf." OP ".b32 %0, %1, %2, %3;" : "=r"(r) : "r"(low), "r"(high), "r"(shift));             \
    return r;                                                                                      \
  }
__WARPBOOK_FUNNEL(__funnelshift_l, "l.wrap")
__WARPBOOK_FUNNEL(__funnelshift_lc, "l.clamp")
__WARPBOOK_FUNNEL(__funnelshift_r, "r.wrap")
__WARPBOOK_FUNNEL(__funnelshift_rc, "r.clamp")
#undef __WARPBOOK_FUNNEL

/* ---- arithmetic --------------------------------------------------------------------------------- */

/* One instruction of two, or three, operands. */
#define __WARPBOOK_INT2(NAME, T, R, OP)                                                            \
  __WARPBOOK_DEVICE T NAME(T a, T b) {                                                             \
    T r;                                                                                           \
    asm(OP " %0, %1, %2;" : "=" R(r) : R(a), R(b));                                                \
    return r;                                                                                      \
  }
#define __WARPBOOK_INT3(NAME, T, A, B, C, OP)                                                      \
  __WARPBOOK_DEVICE T NAME(A a, B b, C c) {                                                        \
    T r;                                                                                           \
    asm(OP " %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));                                 \
    return r;                                                                                      \
  }
__WARPBOOK_INT2(__mul24, int, "r", "mul24.lo.s32")
__WARPBOOK_INT2(__umul24, unsigned, "r", "mul24.lo.u32")
__WARPBOOK_INT2(__mulhi, int, "r", "mul.hi.s32")
__WARPBOOK_INT2(__umulhi, unsigned, "r", "mul.hi.u32")
__WARPBOOK_INT2(__mul64hi, long long, "l", "mul.hi.s64")
__WARPBOOK_INT2(__umul64hi, unsigned long long, "l", "mul.hi.u64")
__WARPBOOK_INT3(__sad, unsigned, int, int, unsigned, "sad.s32")
__WARPBOOK_INT3(__usad, unsigned, unsigned, unsigned, unsigned, "sad.u32")

/* Averages that do not overflow: rounded down, and up (r). */
__WARPBOOK_DEVICE int __hadd(int a, int b) { return (a & b) + ((a ^ b) >> 1); }
__WARPBOOK_DEVICE unsigned __uhadd(unsigned a, unsigned b) { return (a & b) + ((a ^ b) >> 1); }
__WARPBOOK_DEVICE int __rhadd(int a, int b) { return (a | b) - ((a ^ b) >> 1); }
__WARPBOOK_DEVICE unsigned __urhadd(unsigned a, unsigned b) { return (a | b) - ((a ^ b) >> 1); }

/* Dot products of four bytes, of two half-words with two bytes, added to c. */
__WARPBOOK_INT3(__dp4a, int, int, int, int, "dp4a.s32.s32")
__WARPBOOK_INT3(__dp4a, unsigned, unsigned, unsigned, unsigned, "dp4a.u32.u32")
__WARPBOOK_INT3(__dp2a_lo, int, int, int, int, "dp2a.lo.s32.s32")
__WARPBOOK_INT3(__dp2a_lo, unsigned, unsigned, unsigned, unsigned, "dp2a.lo.u32.u32")
__WARPBOOK_INT3(__dp2a_hi, int, int, int, int, "dp2a.hi.s32.s32")
__WARPBOOK_INT3(__dp2a_hi, unsigned, unsigned, unsigned, unsigned, "dp2a.hi.u32.u32")
#undef __WARPBOOK_INT2
#undef __WARPBOOK_INT3
typedef int __attribute__((may_alias)) __warpbook_word;
__WARPBOOK_DEVICE int __dp4a(char4 a, char4 b, int c) {
  return __dp4a(*(const __warpbook_word *)&a, *(const __warpbook_word *)&b, c);
}
__WARPBOOK_DEVICE unsigned __dp4a(uchar4 a, uchar4 b, unsigned c) {
  return __dp4a((unsigned)*(const __warpbook_word *)&a, (unsigned)*(const __warpbook_word *)&b, c);
}

/* ---- min, max, abs of integers: one instruction each, never a branch --------------------------- */

#define __WARPBOOK_MINMAX(T, R, PTX)                                                               \
  __WARPBOOK_DEVICE T min(T a, T b) {                                                              \
    T r;                                                                                           \
    asm("min." PTX " %0, %1, %2;" : "=" R(r) : R(a), R(b));                                        \
    return r;                                                                                      \
  }                                                                                                \
  __WARPBOOK_DEVICE T max(T a, T b) {                                                              \
    T r;                                                                                           \
    asm("max." PTX " %0, %1, %2;" : "=" R(r) : R(a), R(b));                                        \
    return r;                                                                                      \
  }                                                                                                \
  static __inline__ __attribute__((host)) T min(T a, T b) { return b < a ? b : a; }                \
  static __inline__ __attribute__((host)) T max(T a, T b) { return a < b ? b : a; }
__WARPBOOK_MINMAX(int, "r", "s32")
__WARPBOOK_MINMAX(unsigned, "r", "u32")
__WARPBOOK_MINMAX(long, "l", "s64")
__WARPBOOK_MINMAX(unsigned long, "l", "u64")
__WARPBOOK_MINMAX(long long, "l", "s64")
__WARPBOOK_MINMAX(unsigned long long, "l", "u64")
#undef __WARPBOOK_MINMAX

/* As in C++, a mixed pair is compared in the common type of the two. */
#define __WARPBOOK_MIXED(A, B, T)                                                                  \
  __WARPBOOK_BOTH T min(A a, B b) { return min((T)a, (T)b); }                                      \
  __WARPBOOK_BOTH T max(A a, B b) { return max((T)a, (T)b); }                                      \
  __WARPBOOK_BOTH T min(B a, A b) { return min((T)a, (T)b); }                                      \
  __WARPBOOK_BOTH T max(B a, A b) { return max((T)a, (T)b); }
__WARPBOOK_MIXED(int, unsigned, unsigned)
__WARPBOOK_MIXED(long, unsigned long, unsigned long)
__WARPBOOK_MIXED(long long, unsigned long long, unsigned long long)
#undef __WARPBOOK_MIXED

__WARPBOOK_DEVICE unsigned umin(unsigned a, unsigned b) { return min(a, b); }
__WARPBOOK_DEVICE unsigned umax(unsigned a, unsigned b) { return max(a, b); }
__WARPBOOK_DEVICE long long llmin(long long a, long long b) { return min(a, b); }
__WARPBOOK_DEVICE long long llmax(long long a, long long b) { return max(a, b); }
__WARPBOOK_DEVICE unsigned long long ullmin(unsigned long long a, unsigned long long b) {
  return min(a, b);
}
__WARPBOOK_DEVICE unsigned long long ullmax(unsigned long long a, unsigned long long b) {
  return max(a, b);
}

__WARPBOOK_DEVICE int abs(int a) {
  int r;
  asm("abs.s32 %0, %1;" : "=r"(r) : "r"(a));
  return r;
}
__WARPBOOK_DEVICE long long llabs(long long a) {
  long long r;
  asm("abs.s64 %0, %1;" : "=l"(r) : "l"(a));
  return r;
}
__WARPBOOK_DEVICE long labs(long a) { return (long)llabs(a); }
__WARPBOOK_DEVICE long abs(long a) { return (long)llabs(a); }
__WARPBOOK_DEVICE long long abs(long long a) { return llabs(a); }
