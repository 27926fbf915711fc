/* warpbook/math_overloads.h - the C++ side of maths: sin(float), pow(int, int), abs(double),
 * max(float, float); the same names in std; and the host's functions of these names, so that host
 * code parses without <math.h>. */
#pragma once

/* ---- float: the name without f ------------------------------------------------------------------ */

#define __WARPBOOK_EACH1(X)                                                                        \
  X(acos) X(acosh) X(asin) X(asinh) X(atan) X(atanh) X(cbrt) X(ceil) X(cos) X(cosh) X(cospi)       \
  X(erf) X(erfc) X(exp) X(exp10) X(exp2) X(expm1) X(fabs) X(floor) X(log) X(log10) X(log1p)        \
  X(log2) X(logb) X(nearbyint) X(normcdf) X(rcbrt) X(rint) X(round) X(rsqrt) X(sin) X(sinh)        \
  X(sinpi) X(sqrt) X(tan) X(tanh) X(trunc)
#define __WARPBOOK_EACH2(X)                                                                        \
  X(atan2) X(copysign) X(fdim) X(fmax) X(fmin) X(fmod) X(hypot) X(pow) X(remainder) X(rhypot)

/* Whole numbers count as double; of two different types the wider counts. */
template <bool> struct __warpbook_when {};
template <> struct __warpbook_when<true> {
  using type = double;
};
template <class T> struct __warpbook_is_integer {
  static constexpr bool value = __is_integral(T);
};
template <class T, class U> struct __warpbook_is_mixed {
  static constexpr bool value = (__is_integral(T) || __is_floating_point(T)) &&
                                (__is_integral(U) || __is_floating_point(U)) &&
                                !(__is_floating_point(T) && __is_same(T, U));
};
template <class T>
using __warpbook_if_integer = typename __warpbook_when<__warpbook_is_integer<T>::value>::type;
template <class T, class U>
using __warpbook_if_mixed = typename __warpbook_when<__warpbook_is_mixed<T, U>::value>::type;

#define __WARPBOOK_ONE(NAME)                                                                       \
  __WARPBOOK_DEVICE float NAME(float x) { return NAME##f(x); }                                     \
  template <class T> __WARPBOOK_DEVICE __warpbook_if_integer<T> NAME(T x) {                        \
    return NAME((double)x);                                                                        \
  }
#define __WARPBOOK_TWO(NAME)                                                                       \
  __WARPBOOK_DEVICE float NAME(float x, float y) { return NAME##f(x, y); }                         \
  template <class T, class U> __WARPBOOK_DEVICE __warpbook_if_mixed<T, U> NAME(T x, U y) {         \
    return NAME((double)x, (double)y);                                                             \
  }
__WARPBOOK_EACH1(__WARPBOOK_ONE)
__WARPBOOK_EACH2(__WARPBOOK_TWO)
#undef __WARPBOOK_ONE
#undef __WARPBOOK_TWO

__WARPBOOK_DEVICE float fma(float x, float y, float z) { return fmaf(x, y, z); }
__WARPBOOK_DEVICE float ldexp(float x, int n) { return ldexpf(x, n); }
__WARPBOOK_DEVICE float scalbn(float x, int n) { return scalbnf(x, n); }
__WARPBOOK_DEVICE float scalbln(float x, long n) { return scalblnf(x, n); }
__WARPBOOK_DEVICE float frexp(float x, int *e) { return frexpf(x, e); }
__WARPBOOK_DEVICE float modf(float x, float *whole) { return modff(x, whole); }
__WARPBOOK_DEVICE int ilogb(float x) { return ilogbf(x); }
__WARPBOOK_DEVICE long lrint(float x) { return lrintf(x); }
__WARPBOOK_DEVICE long lround(float x) { return lroundf(x); }
__WARPBOOK_DEVICE long long llrint(float x) { return llrintf(x); }
__WARPBOOK_DEVICE long long llround(float x) { return llroundf(x); }
__WARPBOOK_DEVICE void sincos(float x, float *s, float *c) { sincosf(x, s, c); }

__WARPBOOK_DEVICE float abs(float x) { return fabsf(x); }
__WARPBOOK_DEVICE double abs(double x) { return fabs(x); }

#define __WARPBOOK_MINMAX(A, B, T, SUFFIX)                                                         \
  __WARPBOOK_DEVICE T min(A a, B b) { return fmin##SUFFIX(a, b); }                                 \
  __WARPBOOK_DEVICE T max(A a, B b) { return fmax##SUFFIX(a, b); }                                 \
  static __inline__ __attribute__((host)) T min(A a, B b) { return b < a ? (T)b : (T)a; }          \
  static __inline__ __attribute__((host)) T max(A a, B b) { return a < b ? (T)b : (T)a; }
__WARPBOOK_MINMAX(float, float, float, f)
__WARPBOOK_MINMAX(double, double, double, )
__WARPBOOK_MINMAX(float, double, double, )
__WARPBOOK_MINMAX(double, float, double, )
#undef __WARPBOOK_MINMAX

/* ---- the host's functions --------------------------------------------------------------------------- */

#define __WARPBOOK_HOST1(NAME)                                                                     \
  __attribute__((host)) double NAME(double) noexcept;                                              \
  __attribute__((host)) float NAME##f(float) noexcept;
#define __WARPBOOK_HOST2(NAME)                                                                     \
  __attribute__((host)) double NAME(double, double) noexcept;                                      \
  __attribute__((host)) float NAME##f(float, float) noexcept;
extern "C" {
__WARPBOOK_HOST1(acos)
__WARPBOOK_HOST1(asin)
__WARPBOOK_HOST1(atan)
__WARPBOOK_HOST1(ceil)
__WARPBOOK_HOST1(cos)
__WARPBOOK_HOST1(cosh)
__WARPBOOK_HOST1(exp)
__WARPBOOK_HOST1(exp2)
__WARPBOOK_HOST1(fabs)
__WARPBOOK_HOST1(floor)
__WARPBOOK_HOST1(log)
__WARPBOOK_HOST1(log10)
__WARPBOOK_HOST1(log2)
__WARPBOOK_HOST1(rint)
__WARPBOOK_HOST1(round)
__WARPBOOK_HOST1(sin)
__WARPBOOK_HOST1(sinh)
__WARPBOOK_HOST1(sqrt)
__WARPBOOK_HOST1(tan)
__WARPBOOK_HOST1(tanh)
__WARPBOOK_HOST1(trunc)
__WARPBOOK_HOST2(atan2)
__WARPBOOK_HOST2(fmax)
__WARPBOOK_HOST2(fmin)
__WARPBOOK_HOST2(fmod)
__WARPBOOK_HOST2(hypot)
__WARPBOOK_HOST2(pow)
}
#undef __WARPBOOK_HOST1
#undef __WARPBOOK_HOST2

/* ---- std ------------------------------------------------------------------------------------------------ */

/* Before the C++ library's own, which then stay the host's. */
namespace std {
using ::acos;
using ::acosh;
using ::asin;
using ::asinh;
using ::atan;
using ::atanh;
using ::cbrt;
using ::ceil;
using ::cos;
using ::cosh;
using ::erf;
using ::erfc;
using ::exp;
using ::exp2;
using ::expm1;
using ::fabs;
using ::floor;
using ::log;
using ::log10;
using ::log1p;
using ::log2;
using ::logb;
using ::nearbyint;
using ::rint;
using ::round;
using ::sin;
using ::sinh;
using ::sqrt;
using ::tan;
using ::tanh;
using ::trunc;

using ::atan2;
using ::copysign;
using ::fdim;
using ::fmax;
using ::fmin;
using ::fmod;
using ::hypot;
using ::pow;
using ::remainder;

using ::abs;
using ::fma;
using ::frexp;
using ::ilogb;
using ::isfinite;
using ::isinf;
using ::isnan;
using ::labs;
using ::ldexp;
using ::llabs;
using ::llrint;
using ::llround;
using ::lrint;
using ::lround;
using ::modf;
using ::scalbln;
using ::scalbn;
using ::signbit;
} // namespace std

#undef __WARPBOOK_EACH1
#undef __WARPBOOK_EACH2
