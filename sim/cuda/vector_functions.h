/* vector_functions.h - make_int4(x, y, z, w) and the like. */
#pragma once

#include "vector_types.h"

#define __WARPBOOK_MAKE(NAME, T)                                                                   \
  __WARPBOOK_BOTH NAME##1 make_##NAME##1(T x) { return NAME##1{x}; }                               \
  __WARPBOOK_BOTH NAME##2 make_##NAME##2(T x, T y) { return NAME##2{x, y}; }                       \
  __WARPBOOK_BOTH NAME##3 make_##NAME##3(T x, T y, T z) { return NAME##3{x, y, z}; }               \
  __WARPBOOK_BOTH NAME##4 make_##NAME##4(T x, T y, T z, T w) { return NAME##4{x, y, z, w}; }

__WARPBOOK_MAKE(char, signed char)
__WARPBOOK_MAKE(uchar, unsigned char)
__WARPBOOK_MAKE(short, short)
__WARPBOOK_MAKE(ushort, unsigned short)
__WARPBOOK_MAKE(int, int)
__WARPBOOK_MAKE(uint, unsigned int)
__WARPBOOK_MAKE(long, long)
__WARPBOOK_MAKE(ulong, unsigned long)
__WARPBOOK_MAKE(longlong, long long)
__WARPBOOK_MAKE(ulonglong, unsigned long long)
__WARPBOOK_MAKE(float, float)
__WARPBOOK_MAKE(double, double)
#undef __WARPBOOK_MAKE
