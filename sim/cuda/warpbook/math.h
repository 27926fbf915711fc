/* warpbook/math.h - the maths functions of device code, for float (math_float.h) and double
 * (math_double.h), and the C++ overloads of both.
 *
 * The GPU's makers ship these as a library of their own; here they are written from the textbook:
 * bring the argument near zero, take a polynomial, undo the first step. Coefficients are
 * interpolated at Chebyshev nodes. No function branches where two lanes of a warp could take
 * different ways, except where a huge argument of sin or cos or the loop of fmod makes it: what
 * would be a branch is a select instead. */
#pragma once

#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define INFINITY (__builtin_inff())
#define NAN (__builtin_nanf(""))
#define HUGE_VAL (__builtin_huge_val())
#define HUGE_VALF (__builtin_huge_valf())

/* c ? a : b as one instruction instead of a branch: a choice between vectors (here of one element)
 * is never a branch. */
typedef float __warpbook_float1 __attribute__((vector_size(4)));
typedef int __warpbook_int1 __attribute__((vector_size(4)));
typedef double __warpbook_double1 __attribute__((vector_size(8)));
typedef long long __warpbook_long1 __attribute__((vector_size(8)));
__WARPBOOK_DEVICE float __warpbook_select(bool c, float a, float b) {
  __warpbook_int1 mask = {-(int)c};
  __warpbook_float1 x = {a}, y = {b};
  return (mask ? x : y)[0];
}
__WARPBOOK_DEVICE double __warpbook_select(bool c, double a, double b) {
  __warpbook_long1 mask = {-(long long)c};
  __warpbook_double1 x = {a}, y = {b};
  return (mask ? x : y)[0];
}
__WARPBOOK_DEVICE int __warpbook_select(bool c, int a, int b) {
  __warpbook_int1 mask = {-(int)c}, x = {a}, y = {b};
  return (mask ? x : y)[0];
}

#include "warpbook/math_float.h"

#include "warpbook/math_double.h"

#include "warpbook/math_overloads.h"
