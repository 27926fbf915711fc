/* warpbook/load.h - loads and stores of global memory with a cache operator, __ldg and the like. */
#pragma once

/* One access: the instruction, its type, the register class of an element (and what it holds). */
#define __WARPBOOK_LOAD1(NAME, OP, T, PTX, R, HELD)                                                \
  __WARPBOOK_DEVICE T NAME(const T *p) {                                                           \
    HELD v;                                                                                        \
    asm volatile(OP "." PTX " %0, [%1];" : "=" R(v) : "l"(p) : "memory");                          \
    return (T)v;                                                                                   \
  }
#define __WARPBOOK_LOAD2(NAME, OP, T, PTX, R, HELD)                                                \
  __WARPBOOK_DEVICE T NAME(const T *p) {                                                           \
    HELD x, y;                                                                                     \
    asm volatile(OP ".v2." PTX " {%0, %1}, [%2];" : "=" R(x), "=" R(y) : "l"(p) : "memory");       \
    T v;                                                                                           \
    v.x = x, v.y = y;                                                                              \
    return v;                                                                                      \
  }
#define __WARPBOOK_LOAD4(NAME, OP, T, PTX, R, HELD)                                                \
  __WARPBOOK_DEVICE T NAME(const T *p) {                                                           \
    HELD x, y, z, w;                                                                               \
    asm volatile(OP ".v4." PTX " {%0, %1, %2, %3}, [%4];"                                          \
                 : "=" R(x), "=" R(y), "=" R(z), "=" R(w)                                          \
                 : "l"(p)                                                                          \
                 : "memory");                                                                      \
    T v;                                                                                           \
    v.x = x, v.y = y, v.z = z, v.w = w;                                                            \
    return v;                                                                                      \
  }
#define __WARPBOOK_STORE1(NAME, OP, T, PTX, R, HELD)                                               \
  __WARPBOOK_DEVICE void NAME(T *p, T v) {                                                         \
    asm volatile(OP "." PTX " [%0], %1;" ::"l"(p), R((HELD)v) : "memory");                         \
  }
#define __WARPBOOK_STORE2(NAME, OP, T, PTX, R, HELD)                                               \
  __WARPBOOK_DEVICE void NAME(T *p, T v) {                                                         \
    asm volatile(OP ".v2." PTX " [%0], {%1, %2};" ::"l"(p), R((HELD)v.x), R((HELD)v.y)             \
                 : "memory");                                                                      \
  }
#define __WARPBOOK_STORE4(NAME, OP, T, PTX, R, HELD)                                               \
  __WARPBOOK_DEVICE void NAME(T *p, T v) {                                                         \
    asm volatile(OP ".v4." PTX " [%0], {%1, %2, %3, %4};" ::"l"(p), R((HELD)v.x), R((HELD)v.y),    \
                 R((HELD)v.z), R((HELD)v.w)                                                        \
                 : "memory");                                                                      \
  }

/* Every type that has these functions. */
#define __WARPBOOK_TYPES(KIND, NAME, OP)                                                           \
  KIND##1(NAME, OP, char, "s8", "r", int) KIND##1(NAME, OP, signed char, "s8", "r", int)           \
  KIND##1(NAME, OP, unsigned char, "u8", "r", unsigned)                                            \
  KIND##1(NAME, OP, short, "s16", "h", short)                                                      \
  KIND##1(NAME, OP, unsigned short, "u16", "h", unsigned short)                                    \
  KIND##1(NAME, OP, int, "s32", "r", int) KIND##1(NAME, OP, unsigned, "u32", "r", unsigned)        \
  KIND##1(NAME, OP, long, "s64", "l", long)                                                        \
  KIND##1(NAME, OP, unsigned long, "u64", "l", unsigned long)                                      \
  KIND##1(NAME, OP, long long, "s64", "l", long long)                                              \
  KIND##1(NAME, OP, unsigned long long, "u64", "l", unsigned long long)                            \
  KIND##1(NAME, OP, float, "f32", "f", float) KIND##1(NAME, OP, double, "f64", "d", double)        \
  KIND##2(NAME, OP, char2, "s8", "r", int) KIND##2(NAME, OP, uchar2, "u8", "r", unsigned)          \
  KIND##2(NAME, OP, short2, "s16", "h", short)                                                     \
  KIND##2(NAME, OP, ushort2, "u16", "h", unsigned short)                                           \
  KIND##2(NAME, OP, int2, "s32", "r", int) KIND##2(NAME, OP, uint2, "u32", "r", unsigned)          \
  KIND##2(NAME, OP, longlong2, "s64", "l", long long)                                              \
  KIND##2(NAME, OP, ulonglong2, "u64", "l", unsigned long long)                                    \
  KIND##2(NAME, OP, float2, "f32", "f", float) KIND##2(NAME, OP, double2, "f64", "d", double)      \
  KIND##4(NAME, OP, char4, "s8", "r", int) KIND##4(NAME, OP, uchar4, "u8", "r", unsigned)          \
  KIND##4(NAME, OP, short4, "s16", "h", short)                                                     \
  KIND##4(NAME, OP, ushort4, "u16", "h", unsigned short)                                           \
  KIND##4(NAME, OP, int4, "s32", "r", int) KIND##4(NAME, OP, uint4, "u32", "r", unsigned)          \
  KIND##4(NAME, OP, float4, "f32", "f", float)

__WARPBOOK_TYPES(__WARPBOOK_LOAD, __ldg, "ld.global.nc")
__WARPBOOK_TYPES(__WARPBOOK_LOAD, __ldca, "ld.global.ca")
__WARPBOOK_TYPES(__WARPBOOK_LOAD, __ldcg, "ld.global.cg")
__WARPBOOK_TYPES(__WARPBOOK_LOAD, __ldcs, "ld.global.cs")
__WARPBOOK_TYPES(__WARPBOOK_LOAD, __ldlu, "ld.global.lu")
__WARPBOOK_TYPES(__WARPBOOK_LOAD, __ldcv, "ld.global.cv")
__WARPBOOK_TYPES(__WARPBOOK_STORE, __stwb, "st.global.wb")
__WARPBOOK_TYPES(__WARPBOOK_STORE, __stcg, "st.global.cg")
__WARPBOOK_TYPES(__WARPBOOK_STORE, __stcs, "st.global.cs")
__WARPBOOK_TYPES(__WARPBOOK_STORE, __stwt, "st.global.wt")
#undef __WARPBOOK_TYPES
#undef __WARPBOOK_LOAD1
#undef __WARPBOOK_LOAD2
#undef __WARPBOOK_LOAD4
#undef __WARPBOOK_STORE1
#undef __WARPBOOK_STORE2
#undef __WARPBOOK_STORE4

/* ---- address spaces ------------------------------------------------------------------------------ */

#define __WARPBOOK_IS_SPACE(NAME, SPACE)                                                           \
  __WARPBOOK_DEVICE unsigned NAME(const void *p) {                                                 \
    unsigned r;                                                                                    \
    asm("{ .reg .pred p; isspacep." SPACE " p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "l"(p));   \
    return r;                                                                                      \
  }
__WARPBOOK_IS_SPACE(__isGlobal, "global")
__WARPBOOK_IS_SPACE(__isShared, "shared")
__WARPBOOK_IS_SPACE(__isLocal, "local")
__WARPBOOK_IS_SPACE(__isConstant, "const")
#undef __WARPBOOK_IS_SPACE

#define __WARPBOOK_TO_SPACE(NAME, SPACE)                                                           \
  __WARPBOOK_DEVICE size_t NAME(const void *p) {                                                   \
    size_t r;                                                                                      \
    asm("cvta.to." SPACE ".u64 %0, %1;" : "=l"(r) : "l"(p));                                       \
    return r;                                                                                      \
  }
__WARPBOOK_TO_SPACE(__cvta_generic_to_global, "global")
__WARPBOOK_TO_SPACE(__cvta_generic_to_shared, "shared")
__WARPBOOK_TO_SPACE(__cvta_generic_to_local, "local")
__WARPBOOK_TO_SPACE(__cvta_generic_to_constant, "const")
#undef __WARPBOOK_TO_SPACE
