/* warpbook/half_arithmetic.h - arithmetic, comparison, functions, warp and memory operations of a
 * 16-bit floating-point type and its pair. Included once for each such type; hence no guard. */

/* ---- one instruction each ------------------------------------------------------------------------- */

#define __WARPBOOK_UNARY(NAME, TEXT)                                                               \
  __WARPBOOK_DEVICE __WARPBOOK_H NAME(__WARPBOOK_H a) {                                            \
    __WARPBOOK_H r;                                                                                \
    asm(TEXT : "=h"(r.__x) : "h"(a.__x));                                                          \
    return r;                                                                                      \
  }
#define __WARPBOOK_BINARY(NAME, TEXT)                                                              \
  __WARPBOOK_DEVICE __WARPBOOK_H NAME(__WARPBOOK_H a, __WARPBOOK_H b) {                            \
    __WARPBOOK_H r;                                                                                \
    asm(TEXT : "=h"(r.__x) : "h"(a.__x), "h"(b.__x));                                              \
    return r;                                                                                      \
  }
#define __WARPBOOK_TERNARY(NAME, TEXT)                                                             \
  __WARPBOOK_DEVICE __WARPBOOK_H NAME(__WARPBOOK_H a, __WARPBOOK_H b, __WARPBOOK_H c) {            \
    __WARPBOOK_H r;                                                                                \
    asm(TEXT : "=h"(r.__x) : "h"(a.__x), "h"(b.__x), "h"(c.__x));                                  \
    return r;                                                                                      \
  }
#define __WARPBOOK_UNARY2(NAME, TEXT)                                                              \
  __WARPBOOK_DEVICE __WARPBOOK_H2 NAME(__WARPBOOK_H2 a) {                                          \
    unsigned r;                                                                                    \
    asm(TEXT : "=r"(r) : "r"(__warpbook_pair(a)));                                                 \
    return __WARPBOOK_NAME2(__warpbook_as_, )(r);                                                  \
  }
#define __WARPBOOK_BINARY2(NAME, TEXT)                                                             \
  __WARPBOOK_DEVICE __WARPBOOK_H2 NAME(__WARPBOOK_H2 a, __WARPBOOK_H2 b) {                         \
    unsigned r;                                                                                    \
    asm(TEXT : "=r"(r) : "r"(__warpbook_pair(a)), "r"(__warpbook_pair(b)));                        \
    return __WARPBOOK_NAME2(__warpbook_as_, )(r);                                                  \
  }
#define __WARPBOOK_TERNARY2(NAME, TEXT)                                                            \
  __WARPBOOK_DEVICE __WARPBOOK_H2 NAME(__WARPBOOK_H2 a, __WARPBOOK_H2 b, __WARPBOOK_H2 c) {        \
    unsigned r;                                                                                    \
    asm(TEXT                                                                                       \
        : "=r"(r)                                                                                  \
        : "r"(__warpbook_pair(a)), "r"(__warpbook_pair(b)), "r"(__warpbook_pair(c)));              \
    return __WARPBOOK_NAME2(__warpbook_as_, )(r);                                                  \
  }

__WARPBOOK_BINARY(__hadd, __WARPBOOK_ADD(__WARPBOOK_PTX, 16))
__WARPBOOK_BINARY(__hsub, __WARPBOOK_SUB(__WARPBOOK_PTX, 16))
__WARPBOOK_BINARY(__hmul, __WARPBOOK_MUL(__WARPBOOK_PTX, 16))
__WARPBOOK_BINARY(__hadd_rn, __WARPBOOK_ADD(__WARPBOOK_PTX, 16))
__WARPBOOK_BINARY(__hsub_rn, __WARPBOOK_SUB(__WARPBOOK_PTX, 16))
__WARPBOOK_BINARY(__hmul_rn, __WARPBOOK_MUL(__WARPBOOK_PTX, 16))
__WARPBOOK_TERNARY(__hfma, "fma.rn." __WARPBOOK_PTX " %0, %1, %2, %3;")
__WARPBOOK_TERNARY(__hfma_relu, "fma.rn.relu." __WARPBOOK_PTX " %0, %1, %2, %3;")
__WARPBOOK_BINARY(__hmin, "min." __WARPBOOK_PTX " %0, %1, %2;")
__WARPBOOK_BINARY(__hmax, "max." __WARPBOOK_PTX " %0, %1, %2;")
__WARPBOOK_BINARY(__hmin_nan, "min.NaN." __WARPBOOK_PTX " %0, %1, %2;")
__WARPBOOK_BINARY(__hmax_nan, "max.NaN." __WARPBOOK_PTX " %0, %1, %2;")
__WARPBOOK_UNARY(__hneg, "neg." __WARPBOOK_PTX " %0, %1;")
__WARPBOOK_UNARY(__habs, "abs." __WARPBOOK_PTX " %0, %1;")
__WARPBOOK_BINARY2(__hadd2, __WARPBOOK_ADD(__WARPBOOK_PTX "x2", 32))
__WARPBOOK_BINARY2(__hsub2, __WARPBOOK_SUB(__WARPBOOK_PTX "x2", 32))
__WARPBOOK_BINARY2(__hmul2, __WARPBOOK_MUL(__WARPBOOK_PTX "x2", 32))
__WARPBOOK_BINARY2(__hadd2_rn, __WARPBOOK_ADD(__WARPBOOK_PTX "x2", 32))
__WARPBOOK_BINARY2(__hsub2_rn, __WARPBOOK_SUB(__WARPBOOK_PTX "x2", 32))
__WARPBOOK_BINARY2(__hmul2_rn, __WARPBOOK_MUL(__WARPBOOK_PTX "x2", 32))
__WARPBOOK_TERNARY2(__hfma2, "fma.rn." __WARPBOOK_PTX "x2 %0, %1, %2, %3;")
__WARPBOOK_TERNARY2(__hfma2_relu, "fma.rn.relu." __WARPBOOK_PTX "x2 %0, %1, %2, %3;")
__WARPBOOK_BINARY2(__hmin2, "min." __WARPBOOK_PTX "x2 %0, %1, %2;")
__WARPBOOK_BINARY2(__hmax2, "max." __WARPBOOK_PTX "x2 %0, %1, %2;")
__WARPBOOK_BINARY2(__hmin2_nan, "min.NaN." __WARPBOOK_PTX "x2 %0, %1, %2;")
__WARPBOOK_BINARY2(__hmax2_nan, "max.NaN." __WARPBOOK_PTX "x2 %0, %1, %2;")
__WARPBOOK_UNARY2(__hneg2, "neg." __WARPBOOK_PTX "x2 %0, %1;")
__WARPBOOK_UNARY2(__habs2, "abs." __WARPBOOK_PTX "x2 %0, %1;")
#undef __WARPBOOK_UNARY
#undef __WARPBOOK_BINARY
#undef __WARPBOOK_TERNARY
#undef __WARPBOOK_UNARY2
#undef __WARPBOOK_BINARY2
#undef __WARPBOOK_TERNARY2

/* A float's quotient, rounded again, is the correctly rounded one: 24 bits are more than twice 11. */
__WARPBOOK_DEVICE __WARPBOOK_H __hdiv(__WARPBOOK_H a, __WARPBOOK_H b) {
  return __WARPBOOK_H((float)a / (float)b);
}
__WARPBOOK_DEVICE __WARPBOOK_H2 __h2div(__WARPBOOK_H2 a, __WARPBOOK_H2 b) {
  return __WARPBOOK_H2(__hdiv(a.x, b.x), __hdiv(a.y, b.y));
}

/* ---- comparisons: false, or with u true, when one is not a number -------------------------------- */

__WARPBOOK_COMPARE(__heq, "eq", a == b)
__WARPBOOK_COMPARE(__hne, "ne", (a < b) | (a > b))
__WARPBOOK_COMPARE(__hlt, "lt", a < b)
__WARPBOOK_COMPARE(__hle, "le", a <= b)
__WARPBOOK_COMPARE(__hgt, "gt", a > b)
__WARPBOOK_COMPARE(__hge, "ge", a >= b)
__WARPBOOK_COMPARE(__hequ, "equ", !((a < b) | (a > b)))
__WARPBOOK_COMPARE(__hneu, "neu", !(a == b))
__WARPBOOK_COMPARE(__hltu, "ltu", !(a >= b))
__WARPBOOK_COMPARE(__hleu, "leu", !(a > b))
__WARPBOOK_COMPARE(__hgtu, "gtu", !(a <= b))
__WARPBOOK_COMPARE(__hgeu, "geu", !(a < b))
__WARPBOOK_DEVICE bool __hisnan(__WARPBOOK_H a) { return __hneu(a, a); }
__WARPBOOK_DEVICE int __hisinf(__WARPBOOK_H a) {
  float v = a;
  return (int)(v == __builtin_inff()) - (int)(v == -__builtin_inff());
}
/* Of pairs: 1.0 or 0.0 for each element; with b whether both are. */
#define __WARPBOOK_COMPARE2(NAME)                                                                  \
  __WARPBOOK_DEVICE __WARPBOOK_H2 __h##NAME##2(__WARPBOOK_H2 a, __WARPBOOK_H2 b) {                 \
    return __WARPBOOK_H2(__WARPBOOK_H((int)__h##NAME(a.x, b.x)),                                   \
                         __WARPBOOK_H((int)__h##NAME(a.y, b.y)));                                  \
  }                                                                                                \
  __WARPBOOK_DEVICE bool __hb##NAME##2(__WARPBOOK_H2 a, __WARPBOOK_H2 b) {                         \
    return __h##NAME(a.x, b.x) & __h##NAME(a.y, b.y);                                              \
  }
__WARPBOOK_COMPARE2(eq)
__WARPBOOK_COMPARE2(ne)
__WARPBOOK_COMPARE2(lt)
__WARPBOOK_COMPARE2(le)
__WARPBOOK_COMPARE2(gt)
__WARPBOOK_COMPARE2(ge)
#undef __WARPBOOK_COMPARE2

/* ---- operators ---------------------------------------------------------------------------------------- */

#define __WARPBOOK_OPERATOR(OP, NAME, NAME2)                                                       \
  __WARPBOOK_DEVICE __WARPBOOK_H operator OP(__WARPBOOK_H a, __WARPBOOK_H b) { return NAME(a, b); } \
  __WARPBOOK_DEVICE __WARPBOOK_H &operator OP##=(__WARPBOOK_H &a, __WARPBOOK_H b) {                \
    return a = NAME(a, b);                                                                         \
  }                                                                                                \
  __WARPBOOK_DEVICE __WARPBOOK_H2 operator OP(__WARPBOOK_H2 a, __WARPBOOK_H2 b) {                  \
    return NAME2(a, b);                                                                            \
  }                                                                                                \
  __WARPBOOK_DEVICE __WARPBOOK_H2 &operator OP##=(__WARPBOOK_H2 &a, __WARPBOOK_H2 b) {             \
    return a = NAME2(a, b);                                                                        \
  }
__WARPBOOK_OPERATOR(+, __hadd, __hadd2)
__WARPBOOK_OPERATOR(-, __hsub, __hsub2)
__WARPBOOK_OPERATOR(*, __hmul, __hmul2)
__WARPBOOK_OPERATOR(/, __hdiv, __h2div)
#undef __WARPBOOK_OPERATOR
__WARPBOOK_DEVICE __WARPBOOK_H operator-(__WARPBOOK_H a) { return __hneg(a); }
__WARPBOOK_DEVICE __WARPBOOK_H2 operator-(__WARPBOOK_H2 a) { return __hneg2(a); }
__WARPBOOK_DEVICE bool operator==(__WARPBOOK_H a, __WARPBOOK_H b) { return __heq(a, b); }
__WARPBOOK_DEVICE bool operator!=(__WARPBOOK_H a, __WARPBOOK_H b) { return __hneu(a, b); }
__WARPBOOK_DEVICE bool operator<(__WARPBOOK_H a, __WARPBOOK_H b) { return __hlt(a, b); }
__WARPBOOK_DEVICE bool operator<=(__WARPBOOK_H a, __WARPBOOK_H b) { return __hle(a, b); }
__WARPBOOK_DEVICE bool operator>(__WARPBOOK_H a, __WARPBOOK_H b) { return __hgt(a, b); }
__WARPBOOK_DEVICE bool operator>=(__WARPBOOK_H a, __WARPBOOK_H b) { return __hge(a, b); }

/* ---- functions, by way of float -------------------------------------------------------------------- */

#define __WARPBOOK_FUNCTION(NAME, FUNCTION)                                                        \
  __WARPBOOK_DEVICE __WARPBOOK_H h##NAME(__WARPBOOK_H a) {                                         \
    return __WARPBOOK_H(FUNCTION((float)a));                                                       \
  }                                                                                                \
  __WARPBOOK_DEVICE __WARPBOOK_H2 h2##NAME(__WARPBOOK_H2 a) {                                      \
    return __WARPBOOK_H2(h##NAME(a.x), h##NAME(a.y));                                              \
  }
__WARPBOOK_FUNCTION(ceil, ceilf)
__WARPBOOK_FUNCTION(floor, floorf)
__WARPBOOK_FUNCTION(trunc, truncf)
__WARPBOOK_FUNCTION(rint, rintf)
__WARPBOOK_FUNCTION(sqrt, sqrtf)
__WARPBOOK_FUNCTION(rsqrt, rsqrtf)
__WARPBOOK_FUNCTION(rcp, 1.0f /)
__WARPBOOK_FUNCTION(exp, expf)
__WARPBOOK_FUNCTION(exp2, exp2f)
__WARPBOOK_FUNCTION(exp10, exp10f)
__WARPBOOK_FUNCTION(log, logf)
__WARPBOOK_FUNCTION(log2, log2f)
__WARPBOOK_FUNCTION(log10, log10f)
__WARPBOOK_FUNCTION(sin, sinf)
__WARPBOOK_FUNCTION(cos, cosf)
__WARPBOOK_FUNCTION(tanh, tanhf)
#undef __WARPBOOK_FUNCTION

/* ---- within the warp, and memory -------------------------------------------------------------------- */

#define __WARPBOOK_SHUFFLE(NAME, LANE)                                                             \
  __WARPBOOK_DEVICE __WARPBOOK_H NAME(unsigned mask, __WARPBOOK_H v, LANE lane, int width = 32) {  \
    return __WARPBOOK_NAME(__ushort_as_, )((unsigned short)NAME(mask, (unsigned)v.__x, lane, width)); \
  }                                                                                                \
  __WARPBOOK_DEVICE __WARPBOOK_H2 NAME(unsigned mask, __WARPBOOK_H2 v, LANE lane, int width = 32) { \
    return __WARPBOOK_NAME2(__warpbook_as_, )(NAME(mask, __warpbook_pair(v), lane, width));        \
  }
__WARPBOOK_SHUFFLE(__shfl_sync, int)
__WARPBOOK_SHUFFLE(__shfl_up_sync, unsigned)
__WARPBOOK_SHUFFLE(__shfl_down_sync, unsigned)
__WARPBOOK_SHUFFLE(__shfl_xor_sync, int)
#undef __WARPBOOK_SHUFFLE

#define __WARPBOOK_LOAD(NAME)                                                                      \
  __WARPBOOK_DEVICE __WARPBOOK_H NAME(const __WARPBOOK_H *p) {                                     \
    return __WARPBOOK_NAME(__ushort_as_, )(NAME((const unsigned short *)p));                       \
  }                                                                                                \
  __WARPBOOK_DEVICE __WARPBOOK_H2 NAME(const __WARPBOOK_H2 *p) {                                   \
    return __WARPBOOK_NAME2(__warpbook_as_, )(NAME((const unsigned *)p));                          \
  }
__WARPBOOK_LOAD(__ldg)
__WARPBOOK_LOAD(__ldca)
__WARPBOOK_LOAD(__ldcg)
__WARPBOOK_LOAD(__ldcs)
__WARPBOOK_LOAD(__ldcv)
#undef __WARPBOOK_LOAD

#define __WARPBOOK_STORE(NAME)                                                                     \
  __WARPBOOK_DEVICE void NAME(__WARPBOOK_H *p, __WARPBOOK_H v) { NAME((unsigned short *)p, v.__x); } \
  __WARPBOOK_DEVICE void NAME(__WARPBOOK_H2 *p, __WARPBOOK_H2 v) {                                 \
    NAME((unsigned *)p, __warpbook_pair(v));                                                       \
  }
__WARPBOOK_STORE(__stwb)
__WARPBOOK_STORE(__stcg)
__WARPBOOK_STORE(__stcs)
__WARPBOOK_STORE(__stwt)
#undef __WARPBOOK_STORE

/* Before sm_90 there is no atomic sum of bfloat16: there it is a loop of compare and swap. */
__WARPBOOK_DEVICE __WARPBOOK_H atomicAdd(__WARPBOOK_H *p, __WARPBOOK_H v) {
  if (sizeof(__WARPBOOK_PTX) == sizeof "f16") {
    __WARPBOOK_H old;
    asm volatile("atom.add.noftz.f16 %0, [%1], %2;"
                 : "=h"(old.__x)
                 : "l"(p), "h"(v.__x)
                 : "memory");
    return old;
  }
  unsigned short old = *(volatile unsigned short *)p, seen;
  do {
    seen = old;
    old = atomicCAS((unsigned short *)p, seen,
                    __hadd(__WARPBOOK_NAME(__ushort_as_, )(seen), v).__x);
  } while (old != seen);
  return __WARPBOOK_NAME(__ushort_as_, )(old);
}
__WARPBOOK_DEVICE __WARPBOOK_H2 atomicAdd(__WARPBOOK_H2 *p, __WARPBOOK_H2 v) {
  if (sizeof(__WARPBOOK_PTX) == sizeof "f16") {
    unsigned old;
    asm volatile("atom.add.noftz.f16x2 %0, [%1], %2;"
                 : "=r"(old)
                 : "l"(p), "r"(__warpbook_pair(v))
                 : "memory");
    return __WARPBOOK_NAME2(__warpbook_as_, )(old);
  }
  unsigned old = *(volatile unsigned *)p, seen;
  do {
    seen = old;
    old = atomicCAS((unsigned *)p, seen,
                    __warpbook_pair(__hadd2(__WARPBOOK_NAME2(__warpbook_as_, )(seen), v)));
  } while (old != seen);
  return __WARPBOOK_NAME2(__warpbook_as_, )(old);
}
