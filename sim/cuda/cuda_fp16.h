/* cuda_fp16.h - half precision: __half (1 sign, 5 exponent, 10 fraction bits) and __half2, a pair. */
#pragma once

#include "cuda_runtime.h"

struct __half_raw {
  unsigned short x;
};
struct __half2_raw {
  unsigned short x, y;
};

#define __WARPBOOK_H __half
#define __WARPBOOK_H2 __half2
#define __WARPBOOK_PTX "f16"
#define __WARPBOOK_NAME(before, after) before##half##after
#define __WARPBOOK_NAME2(before, after) before##half2##after
#include "warpbook/half_types.h"

/* One instruction. */
#define __WARPBOOK_ADD(TYPE, BITS) "add." TYPE " %0, %1, %2;"
#define __WARPBOOK_SUB(TYPE, BITS) "sub." TYPE " %0, %1, %2;"
#define __WARPBOOK_MUL(TYPE, BITS) "mul." TYPE " %0, %1, %2;"
#define __WARPBOOK_COMPARE(NAME, OP, EXPRESSION)                                                   \
  __WARPBOOK_DEVICE bool NAME(__half a, __half b) {                                                \
    unsigned r;                                                                                    \
    asm("{ .reg .pred p; setp." OP ".f16 p, %1, %2; selp.u32 %0, 1, 0, p; }"                       \
        : "=r"(r)                                                                                  \
        : "h"(a.__x), "h"(b.__x));                                                                 \
    return r;                                                                                      \
  }
#include "warpbook/half_arithmetic.h"

__WARPBOOK_DEVICE __half __hadd_sat(__half a, __half b) {
  __half r;
  asm("add.sat.f16 %0, %1, %2;" : "=h"(r.__x) : "h"(a.__x), "h"(b.__x));
  return r;
}
__WARPBOOK_DEVICE __half __hsub_sat(__half a, __half b) {
  __half r;
  asm("sub.sat.f16 %0, %1, %2;" : "=h"(r.__x) : "h"(a.__x), "h"(b.__x));
  return r;
}
__WARPBOOK_DEVICE __half __hmul_sat(__half a, __half b) {
  __half r;
  asm("mul.sat.f16 %0, %1, %2;" : "=h"(r.__x) : "h"(a.__x), "h"(b.__x));
  return r;
}

__WARPBOOK_BOTH __half2 __half2half2(__half a) { return __half2(a, a); }

typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;

#undef __WARPBOOK_H
#undef __WARPBOOK_H2
#undef __WARPBOOK_PTX
#undef __WARPBOOK_NAME
#undef __WARPBOOK_NAME2
#undef __WARPBOOK_ADD
#undef __WARPBOOK_SUB
#undef __WARPBOOK_MUL
#undef __WARPBOOK_COMPARE
