/* cuda_bf16.h - bfloat16: __nv_bfloat16, the upper half of a float, and __nv_bfloat162, a pair. */
#pragma once

#include "cuda_runtime.h"

#define __WARPBOOK_H __nv_bfloat16
#define __WARPBOOK_H2 __nv_bfloat162
#define __WARPBOOK_PTX "bf16"
#define __WARPBOOK_NAME(before, after) before##bfloat16##after
#define __WARPBOOK_NAME2(before, after) before##bfloat162##after
#include "warpbook/half_types.h"

/* On sm_80 a sum is a fused multiply-add by one, a product one with -0; numbers are compared as
 * floats. */
#define __WARPBOOK_ONE_16 "0x3f80"
#define __WARPBOOK_ONE_32 "0x3f803f80"
#define __WARPBOOK_MINUS_ONE_16 "0xbf80"
#define __WARPBOOK_MINUS_ONE_32 "0xbf80bf80"
#define __WARPBOOK_MINUS_ZERO_16 "0x8000"
#define __WARPBOOK_MINUS_ZERO_32 "0x80008000"
#define __WARPBOOK_ADD(TYPE, BITS)                                                                 \
  "{ .reg .b" #BITS " c; mov.b" #BITS " c, " __WARPBOOK_ONE_##BITS "; fma.rn." TYPE                \
  " %0, %1, c, %2; }"
#define __WARPBOOK_SUB(TYPE, BITS)                                                                 \
  "{ .reg .b" #BITS " c; mov.b" #BITS " c, " __WARPBOOK_MINUS_ONE_##BITS "; fma.rn." TYPE          \
  " %0, %2, c, %1; }"
#define __WARPBOOK_MUL(TYPE, BITS)                                                                 \
  "{ .reg .b" #BITS " c; mov.b" #BITS " c, " __WARPBOOK_MINUS_ZERO_##BITS "; fma.rn." TYPE         \
  " %0, %1, %2, c; }"
#define __WARPBOOK_COMPARE(NAME, OP, EXPRESSION)                                                   \
  __WARPBOOK_DEVICE bool NAME(__nv_bfloat16 p, __nv_bfloat16 q) {                                  \
    float a = __bfloat162float(p), b = __bfloat162float(q);                                        \
    return EXPRESSION;                                                                             \
  }
#include "warpbook/half_arithmetic.h"

__WARPBOOK_BOTH __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return __nv_bfloat162(a, a); }

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#undef __WARPBOOK_H
#undef __WARPBOOK_H2
#undef __WARPBOOK_PTX
#undef __WARPBOOK_NAME
#undef __WARPBOOK_NAME2
#undef __WARPBOOK_ADD
#undef __WARPBOOK_SUB
#undef __WARPBOOK_MUL
#undef __WARPBOOK_COMPARE
