/* exec/approx.h - the approximate functions of one lane, in double: correct to well within a
 * float's last place (sin and cos for |x| up to 2^20). No branch depends on the argument, so a loop
 * over lanes becomes vector code; and none asks the host's mathematics library, so results are the
 * same everywhere. */
#ifndef WARPBOOK_EXEC_APPROX_H
#define WARPBOOK_EXEC_APPROX_H

#include <stdint.h>
#include <string.h>

#include "base/platform.h"

static ALWAYS_INLINE uint64_t double_bits(double d) {
  uint64_t u;
  memcpy(&u, &d, sizeof u);
  return u;
}
static ALWAYS_INLINE double bits_double(uint64_t u) {
  double d;
  memcpy(&d, &u, sizeof d);
  return d;
}

#define APPROX_INFINITY ((double)__builtin_inff())
#define APPROX_NAN ((double)__builtin_nanf(""))

/* The nearest integer of |x| < 2^51, ties to even: the sum has no room for a fraction. */
static ALWAYS_INLINE double nearest(double x) {
  const double shift = 0x1.8p52;
  return (x + shift) - shift;
}

/* 2^x. */
static ALWAYS_INLINE double approx_ex2(double x) {
  double in = x > -1000 ? x : -1000;
  in = in < 1000 ? in : 1000; /* a NaN becomes -1000, too */
  double whole = nearest(in), t = (in - whole) * 0.69314718055994530942;
  /* the series of e^t, |t| <= 0.35 */
  double sum = 1.0 / 87178291200.0;
  sum = sum * t + 1.0 / 6227020800.0;
  sum = sum * t + 1.0 / 479001600.0;
  sum = sum * t + 1.0 / 39916800.0;
  sum = sum * t + 1.0 / 3628800.0;
  sum = sum * t + 1.0 / 362880.0;
  sum = sum * t + 1.0 / 40320.0;
  sum = sum * t + 1.0 / 5040.0;
  sum = sum * t + 1.0 / 720.0;
  sum = sum * t + 1.0 / 120.0;
  sum = sum * t + 1.0 / 24.0;
  sum = sum * t + 1.0 / 6.0;
  sum = sum * t + 0.5;
  sum = sum * t + 1.0;
  sum = sum * t + 1.0;
  double power = bits_double((uint64_t)((int)whole + 1023) << 52);
  double r = sum * power;
  r = x > 1000 ? APPROX_INFINITY : r;
  r = x < -1000 ? 0 : r;
  return x != x ? x : r;
}

/* log2 of x, which is a float, so normal as a double. */
static ALWAYS_INLINE double approx_lg2(double x) {
  uint64_t bits = double_bits(x);
  int64_t exponent = (int64_t)(bits >> 52 & 0x7ff) - 1023;
  double m = bits_double((bits & 0xfffffffffffffull) | 0x3ff0000000000000ull);
  int up = m > 1.41421356237309505;
  m = up ? m * 0.5 : m;
  exponent += up;
  double z = (m - 1) / (m + 1), z2 = z * z; /* ln m = 2 (z + z^3/3 + ...) */
  double sum = 1.0 / 21;
  sum = sum * z2 + 1.0 / 19;
  sum = sum * z2 + 1.0 / 17;
  sum = sum * z2 + 1.0 / 15;
  sum = sum * z2 + 1.0 / 13;
  sum = sum * z2 + 1.0 / 11;
  sum = sum * z2 + 1.0 / 9;
  sum = sum * z2 + 1.0 / 7;
  sum = sum * z2 + 1.0 / 5;
  sum = sum * z2 + 1.0 / 3;
  sum = sum * z2 + 1.0;
  double r = (double)(int)exponent + 2 * (sum * z) * 1.44269504088896340736;
  r = x == APPROX_INFINITY ? x : r;
  r = x == 0 ? -APPROX_INFINITY : r;
  return x < 0 || x != x ? APPROX_NAN : r;
}

/* sin (k = 0) or cos (k = 1) of x, from the nearest multiple of pi/2. */
static ALWAYS_INLINE double approx_sine(double x, int k) {
  double magnitude = x < 0 ? -x : x;
  double in = magnitude <= 1e9 ? x : 0; /* above, no fraction of a turn is left: as sin 0, cos 0 */
  double n = nearest(in * 0.63661977236758134308);
  /* pi/2 in three parts, so that n times each of the first two is exact */
  double r =
      ((in - n * 1.5707963109016418) - n * 1.5893254712295857e-8) - n * 6.123233995736766e-17;
  int quadrant = ((int)n + k) & 3;
  double r2 = r * r;
  double s = 1.0 / 51090942171709440000.0, c = 1.0 / 2432902008176640000.0;
  s = s * r2 - 1.0 / 121645100408832000.0;
  s = s * r2 + 1.0 / 355687428096000.0;
  s = s * r2 - 1.0 / 1307674368000.0;
  s = s * r2 + 1.0 / 6227020800.0;
  s = s * r2 - 1.0 / 39916800.0;
  s = s * r2 + 1.0 / 362880.0;
  s = s * r2 - 1.0 / 5040.0;
  s = s * r2 + 1.0 / 120.0;
  s = s * r2 - 1.0 / 6.0;
  s = r + r * r2 * s;
  c = c * r2 - 1.0 / 6402373705728000.0;
  c = c * r2 + 1.0 / 20922789888000.0;
  c = c * r2 - 1.0 / 87178291200.0;
  c = c * r2 + 1.0 / 479001600.0;
  c = c * r2 - 1.0 / 3628800.0;
  c = c * r2 + 1.0 / 40320.0;
  c = c * r2 - 1.0 / 720.0;
  c = c * r2 + 1.0 / 24.0;
  c = c * r2 - 0.5;
  c = 1.0 + r2 * c;
  double v = quadrant & 1 ? c : s;
  v = quadrant & 2 ? -v : v;
  return magnitude < APPROX_INFINITY ? v : APPROX_NAN;
}

static ALWAYS_INLINE double approx_sin(double x) {
  double v = approx_sine(x, 0);
  return x == 0 ? x : v;
}
static ALWAYS_INLINE double approx_cos(double x) { return approx_sine(x, 1); }

#endif
