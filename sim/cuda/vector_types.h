/* vector_types.h - char1 .. double4, dim3: structs, aligned as CUDA aligns them (those of 2 and 4
 * elements to their whole size, at most 16 bytes; those of 3 as one element). */
#pragma once

#include "host_defines.h"

/* A pair or a four of at most 16 bytes is read and written by one instruction, as with nvcc, and not
 * element by element: its copies go by way of clang's own vectors. It is still passed by value as
 * any plain struct (trivial_abi). Having a copy constructor it needs another one, for { x, y }. */
#define __WARPBOOK_VECTOR2(NAME, T, BYTES)                                                         \
  struct __attribute__((trivial_abi)) __align__(BYTES) NAME {                                      \
    T x, y;                                                                                        \
    typedef T __attribute__((vector_size(BYTES), may_alias)) whole;                                \
    NAME() = default;                                                                              \
    __WARPBOOK_MEMBER constexpr NAME(T a, T b = 0) : x(a), y(b) {}                                 \
    __WARPBOOK_COPIES(NAME)                                                                        \
  };
#define __WARPBOOK_VECTOR4(NAME, T, BYTES)                                                         \
  struct __attribute__((trivial_abi)) __align__(BYTES) NAME {                                      \
    T x, y, z, w;                                                                                  \
    typedef T __attribute__((vector_size(BYTES), may_alias)) whole;                                \
    NAME() = default;                                                                              \
    __WARPBOOK_MEMBER constexpr NAME(T a, T b = 0, T c = 0, T d = 0) : x(a), y(b), z(c), w(d) {}   \
    __WARPBOOK_COPIES(NAME)                                                                        \
  };
#define __WARPBOOK_COPIES(NAME)                                                                    \
  __WARPBOOK_MEMBER NAME(const NAME &v) { *(whole *)this = *(const whole *)&v; }                   \
  __WARPBOOK_MEMBER NAME &operator=(const NAME &v) {                                               \
    *(whole *)this = *(const whole *)&v;                                                           \
    return *this;                                                                                  \
  }

#define __WARPBOOK_VECTORS13(NAME, T)                                                              \
  struct NAME##1 {                                                                                 \
    T x;                                                                                           \
  };                                                                                               \
  struct NAME##3 {                                                                                 \
    T x, y, z;                                                                                     \
  };
__WARPBOOK_VECTORS13(char, signed char)
__WARPBOOK_VECTORS13(uchar, unsigned char)
__WARPBOOK_VECTORS13(short, short)
__WARPBOOK_VECTORS13(ushort, unsigned short)
__WARPBOOK_VECTORS13(int, int)
__WARPBOOK_VECTORS13(uint, unsigned int)
__WARPBOOK_VECTORS13(long, long)
__WARPBOOK_VECTORS13(ulong, unsigned long)
__WARPBOOK_VECTORS13(longlong, long long)
__WARPBOOK_VECTORS13(ulonglong, unsigned long long)
__WARPBOOK_VECTORS13(float, float)
__WARPBOOK_VECTORS13(double, double)

__WARPBOOK_VECTOR2(char2, signed char, 2)
__WARPBOOK_VECTOR2(uchar2, unsigned char, 2)
__WARPBOOK_VECTOR2(short2, short, 4)
__WARPBOOK_VECTOR2(ushort2, unsigned short, 4)
__WARPBOOK_VECTOR2(int2, int, 8)
__WARPBOOK_VECTOR2(uint2, unsigned int, 8)
__WARPBOOK_VECTOR2(long2, long, 16)
__WARPBOOK_VECTOR2(ulong2, unsigned long, 16)
__WARPBOOK_VECTOR2(longlong2, long long, 16)
__WARPBOOK_VECTOR2(ulonglong2, unsigned long long, 16)
__WARPBOOK_VECTOR2(float2, float, 8)
__WARPBOOK_VECTOR2(double2, double, 16)

__WARPBOOK_VECTOR4(char4, signed char, 4)
__WARPBOOK_VECTOR4(uchar4, unsigned char, 4)
__WARPBOOK_VECTOR4(short4, short, 8)
__WARPBOOK_VECTOR4(ushort4, unsigned short, 8)
__WARPBOOK_VECTOR4(int4, int, 16)
__WARPBOOK_VECTOR4(uint4, unsigned int, 16)
__WARPBOOK_VECTOR4(float4, float, 16)

/* 32 bytes are two accesses in any case. */
#define __WARPBOOK_LARGE(NAME, T)                                                                  \
  struct __align__(16) NAME {                                                                      \
    T x, y, z, w;                                                                                  \
  };
__WARPBOOK_LARGE(long4, long)
__WARPBOOK_LARGE(ulong4, unsigned long)
__WARPBOOK_LARGE(longlong4, long long)
__WARPBOOK_LARGE(ulonglong4, unsigned long long)
__WARPBOOK_LARGE(double4, double)

#undef __WARPBOOK_VECTOR2
#undef __WARPBOOK_VECTOR4
#undef __WARPBOOK_COPIES
#undef __WARPBOOK_VECTORS13
#undef __WARPBOOK_LARGE

/* The shape of a grid or a block: what is left out is 1. */
struct dim3 {
  unsigned int x, y, z;
  __WARPBOOK_MEMBER constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
      : x(vx), y(vy), z(vz) {}
  __WARPBOOK_MEMBER constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __WARPBOOK_MEMBER constexpr operator uint3() const { return uint3{x, y, z}; }
};
