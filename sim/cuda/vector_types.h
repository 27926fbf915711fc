/* vector_types.h - char1 .. double4, dim3: plain structs, aligned as CUDA aligns them (those of 2
 * and 4 elements to their whole size, at most 16 bytes; those of 3 as one element). */
#pragma once

#include "host_defines.h"

#define __WARPBOOK_VECTORS(NAME, T, ALIGN2, ALIGN4)                                                \
  struct NAME##1 {                                                                                 \
    T x;                                                                                           \
  };                                                                                               \
  struct __align__(ALIGN2) NAME##2 {                                                               \
    T x, y;                                                                                        \
  };                                                                                               \
  struct NAME##3 {                                                                                 \
    T x, y, z;                                                                                     \
  };                                                                                               \
  struct __align__(ALIGN4) NAME##4 {                                                               \
    T x, y, z, w;                                                                                  \
  };

__WARPBOOK_VECTORS(char, signed char, 2, 4)
__WARPBOOK_VECTORS(uchar, unsigned char, 2, 4)
__WARPBOOK_VECTORS(short, short, 4, 8)
__WARPBOOK_VECTORS(ushort, unsigned short, 4, 8)
__WARPBOOK_VECTORS(int, int, 8, 16)
__WARPBOOK_VECTORS(uint, unsigned int, 8, 16)
__WARPBOOK_VECTORS(long, long, 16, 16)
__WARPBOOK_VECTORS(ulong, unsigned long, 16, 16)
__WARPBOOK_VECTORS(longlong, long long, 16, 16)
__WARPBOOK_VECTORS(ulonglong, unsigned long long, 16, 16)
__WARPBOOK_VECTORS(float, float, 8, 16)
__WARPBOOK_VECTORS(double, double, 16, 16)
#undef __WARPBOOK_VECTORS

/* The shape of a grid or a block: what is left out is 1. */
struct dim3 {
  unsigned int x, y, z;
  __WARPBOOK_MEMBER constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
      : x(vx), y(vy), z(vz) {}
  __WARPBOOK_MEMBER constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __WARPBOOK_MEMBER constexpr operator uint3() const { return uint3{x, y, z}; }
};
