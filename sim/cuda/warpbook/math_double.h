/* warpbook/math_double.h - maths for double, built as math_float.h is, and powf, which needs it. */
#pragma once

#define __WARPBOOK_INF __builtin_inf()
#define __WARPBOOK_NAN __builtin_nan("")

/* ---- one instruction, or a few; exact ---------------------------------------------------------- */

__WARPBOOK_DEVICE double fabs(double x) { return __builtin_fabs(x); }
__WARPBOOK_DEVICE double fmin(double x, double y) { return __builtin_fmin(x, y); }
__WARPBOOK_DEVICE double fmax(double x, double y) { return __builtin_fmax(x, y); }
__WARPBOOK_DEVICE double floor(double x) { return __builtin_floor(x); }
__WARPBOOK_DEVICE double ceil(double x) { return __builtin_ceil(x); }
__WARPBOOK_DEVICE double trunc(double x) { return __builtin_trunc(x); }
__WARPBOOK_DEVICE double rint(double x) { return __builtin_rint(x); }
__WARPBOOK_DEVICE double nearbyint(double x) { return __builtin_rint(x); }
__WARPBOOK_DEVICE double copysign(double x, double y) {
  const unsigned long long sign = 0x8000000000000000ull;
  return __ull_as_double((__double_as_ull(x) & ~sign) | (__double_as_ull(y) & sign));
}
__WARPBOOK_DEVICE double round(double x) {
  double t = trunc(x + copysign(0x1.fffffffffffffp-2, x));
  return __warpbook_select(fabs(x) < 0x1p52, copysign(t, x), x);
}
__WARPBOOK_DEVICE double sqrt(double x) { return __dsqrt_rn(x); }
__WARPBOOK_DEVICE double rsqrt(double x) { return 1.0 / __dsqrt_rn(x); }
__WARPBOOK_DEVICE double fma(double x, double y, double z) { return __fma_rn(x, y, z); }
__WARPBOOK_DEVICE double fdim(double x, double y) { return __warpbook_select(x <= y, 0.0, x - y); }
__WARPBOOK_DEVICE long lrint(double x) { return (long)__double2ll_rn(x); }
__WARPBOOK_DEVICE long long llrint(double x) { return __double2ll_rn(x); }
__WARPBOOK_DEVICE long lround(double x) { return (long)__double2ll_rz(round(x)); }
__WARPBOOK_DEVICE long long llround(double x) { return __double2ll_rz(round(x)); }
__WARPBOOK_DEVICE double nan(const char *) { return __WARPBOOK_NAN; }

__WARPBOOK_DEVICE bool isnan(double x) { return x != x; }
__WARPBOOK_DEVICE bool isinf(double x) { return fabs(x) == __WARPBOOK_INF; }
__WARPBOOK_DEVICE bool isfinite(double x) { return fabs(x) < __WARPBOOK_INF; }
__WARPBOOK_DEVICE bool signbit(double x) { return __double_as_longlong(x) < 0; }

/* ---- powers of two ------------------------------------------------------------------------------- */

/* 2^n for n from -1022 to 1023. */
__WARPBOOK_DEVICE double __warpbook_power2(int n) {
  return __ull_as_double((unsigned long long)(n + 1023) << 52);
}
/* x * 2^n for n from -2044 to 2046. */
__WARPBOOK_DEVICE double __warpbook_scale(double x, int n) {
  int half = n >> 1;
  return x * __warpbook_power2(half) * __warpbook_power2(n - half);
}
__WARPBOOK_DEVICE double ldexp(double x, int n) {
  int first = max(-969, min(1023, n)) & -(int)((n < -1022) | (n > 1023));
  n -= first;
  int second = max(-969, min(1023, n)) & -(int)((n < -1022) | (n > 1023));
  n = max(-1022, min(1023, n - second));
  return x * __warpbook_power2(first) * __warpbook_power2(second) * __warpbook_power2(n);
}
__WARPBOOK_DEVICE double scalbn(double x, int n) { return ldexp(x, n); }
__WARPBOOK_DEVICE double scalbln(double x, long n) {
  return ldexp(x, (int)max(-2400l, min(2400l, n)));
}
__WARPBOOK_DEVICE double frexp(double x, int *exponent) {
  bool tiny = fabs(x) < 0x1p-1022, plain = (x != 0) & isfinite(x);
  double y = __warpbook_select(tiny, x * 0x1p54, x);
  int high = __double2hiint(y);
  int e = ((high >> 20) & 0x7ff) - 1022 - __warpbook_select(tiny, 54, 0);
  *exponent = __warpbook_select(plain, e, 0);
  double m = __hiloint2double((high & (int)0x800fffff) | 0x3fe00000, __double2loint(y));
  return __warpbook_select(plain, m, x);
}
__WARPBOOK_DEVICE int ilogb(double x) {
  int e;
  frexp(x, &e);
  e = __warpbook_select(x == 0, (int)0x80000000, e - 1);
  int special = __warpbook_select(isnan(x), (int)0x80000000, 0x7fffffff);
  return __warpbook_select(isfinite(x), e, special);
}
__WARPBOOK_DEVICE double logb(double x) {
  int e;
  frexp(x, &e);
  double r = __warpbook_select(x == 0, -__WARPBOOK_INF, (double)(e - 1));
  return __warpbook_select(isfinite(x), r, x * x);
}
__WARPBOOK_DEVICE double modf(double x, double *whole) {
  *whole = trunc(x);
  return copysign(__warpbook_select(isinf(x), 0.0, x - *whole), x);
}

/* ---- exponentials --------------------------------------------------------------------------------- */

/* (exp(f) - 1 - f) / f^2 for |f| <= ln 2 / 2, by the series. */
__WARPBOOK_DEVICE double __warpbook_exp_tail(double f) {
  double p = __fma_rn(f, 1 / 6227020800.0, 1 / 479001600.0);
  p = __fma_rn(f, p, 1 / 39916800.0);
  p = __fma_rn(f, p, 1 / 3628800.0);
  p = __fma_rn(f, p, 1 / 362880.0);
  p = __fma_rn(f, p, 1 / 40320.0);
  p = __fma_rn(f, p, 1 / 5040.0);
  p = __fma_rn(f, p, 1 / 720.0);
  p = __fma_rn(f, p, 1 / 120.0);
  p = __fma_rn(f, p, 1 / 24.0);
  p = __fma_rn(f, p, 1 / 6.0);
  return __fma_rn(f, p, 0.5);
}
/* exp(x + low) * 2^shift, where low is far smaller than x. Past the limits the result is 0 or
 * infinity whatever x is. */
__WARPBOOK_DEVICE double __warpbook_exp(double x, double low, int shift) {
  double a = __warpbook_select(x > 1000.0, 1000.0, x);
  a = __warpbook_select(a < -1000.0, -1000.0, a);
  double j = rint(a * 0x1.71547652b82fep+0);
  double f = __fma_rn(-j, 0x1.62e42fefa4p-1, a);
  f = __fma_rn(-j, -0x1.8432a1b0e2634p-43, f) + low;
  double r = __fma_rn(f * f, __warpbook_exp_tail(f), f) + 1.0;
  return __warpbook_scale(r, __double2int_rz(j) + shift);
}
__WARPBOOK_DEVICE double exp(double x) { return __warpbook_exp(x, 0.0, 0); }
__WARPBOOK_DEVICE double exp2(double x) {
  double a = __warpbook_select(x > 2000.0, 2000.0, x);
  a = __warpbook_select(a < -2000.0, -2000.0, a);
  double j = rint(a), t = a - j;
  double f = t * 0x1.62e42fefa39efp-1;
  f = __fma_rn(t, 0x1.abc9e3b39803fp-56, f);
  return __warpbook_scale(__fma_rn(f * f, __warpbook_exp_tail(f), f) + 1.0, __double2int_rz(j));
}
__WARPBOOK_DEVICE double exp10(double x) {
  double high = x * 0x1.26bb1bbb55516p+1;
  double low = __fma_rn(x, 0x1.26bb1bbb55516p+1, -high) + x * -0x1.f48ad494ea3e9p-53;
  return __warpbook_exp(high, __warpbook_select(fabs(x) < 400.0, low, 0.0), 0);
}
__WARPBOOK_DEVICE double expm1(double x) {
  double a = __warpbook_select(x < -60.0, -60.0, x);
  double j = fmin(rint(a * 0x1.71547652b82fep+0), 1024.0);
  double f = __fma_rn(-j, 0x1.62e42fefa4p-1, a);
  f = __fma_rn(-j, -0x1.8432a1b0e2634p-43, f);
  double p = __fma_rn(f * f, __warpbook_exp_tail(f), f);
  double t = __warpbook_power2(__double2int_rz(j) - 1);
  double r = 2 * __fma_rn(p, t, t - 0.5);
  r = __warpbook_select(x > 710.0, __WARPBOOK_INF, r);
  return __warpbook_select(x == 0, x, r);
}

/* ---- logarithms ------------------------------------------------------------------------------------ */

/* log(1 + f) for f from -1/3 to 1/3. */
__WARPBOOK_DEVICE double __warpbook_log1p(double f) {
  double s = f / (2.0 + f), z = s * s;
  double r = __fma_rn(z, 0x1.fca32eb43e864p-4, 0x1.dbe2ac9895981p-4);
  r = __fma_rn(z, r, 0x1.11309794bb235p-3);
  r = __fma_rn(z, r, 0x1.3b12f14df839cp-3);
  r = __fma_rn(z, r, 0x1.745d19f1e677p-3);
  r = __fma_rn(z, r, 0x1.c71c71c1c5857p-3);
  r = __fma_rn(z, r, 0x1.2492492494f45p-2);
  r = __fma_rn(z, r, 0x1.9999999999989p-2);
  r = __fma_rn(z, r, 0x1.5555555555555p-1);
  return __fma_rn(-s, __fma_rn(-z, r, f), f);
}
/* x = 2^e (1 + f) with 1 + f from 2/3 to 4/3. */
__WARPBOOK_DEVICE double __warpbook_parts(double x, double *e) {
  bool tiny = x < 0x1p-1022;
  double y = __warpbook_select(tiny, x * 0x1p54, x);
  int high = __double2hiint(y), k = (high - 0x3fe55555) & (int)0xfff00000;
  *e = (double)(k >> 20) + __warpbook_select(tiny, -54.0, 0.0);
  return __hiloint2double(high - k, __double2loint(y)) - 1.0;
}
__WARPBOOK_DEVICE double __warpbook_logs(double x, double r) {
  r = __warpbook_select(x < __WARPBOOK_INF, r, x);
  r = __warpbook_select(x == 0, -__WARPBOOK_INF, r);
  return __warpbook_select(x < 0, __WARPBOOK_NAN, r);
}
__WARPBOOK_DEVICE double log(double x) {
  double e, l = __warpbook_log1p(__warpbook_parts(x, &e));
  double low = __fma_rn(e, -0x1.8432a1b0e2634p-43, l);
  return __warpbook_logs(x, __fma_rn(e, 0x1.62e42fefa4p-1, low));
}
__WARPBOOK_DEVICE double log2(double x) {
  double e, l = __warpbook_log1p(__warpbook_parts(x, &e));
  double low = __fma_rn(l, 0x1.777d0ffda0d24p-56, e);
  return __warpbook_logs(x, __fma_rn(l, 0x1.71547652b82fep+0, low));
}
__WARPBOOK_DEVICE double log10(double x) {
  double e, l = __warpbook_log1p(__warpbook_parts(x, &e));
  double low = __fma_rn(e, -0x1.80433b83b532ap-44, l * 0x1.95355baaafad3p-57);
  low = __fma_rn(l, 0x1.bcb7b1526e50ep-2, low);
  return __warpbook_logs(x, __fma_rn(e, 0x1.34413509f8p-2, low));
}
__WARPBOOK_DEVICE double log1p(double x) {
  double u = 1.0 + x, dropped = x - (u - 1.0);
  double e, l = __warpbook_log1p(__warpbook_parts(u, &e));
  l += dropped / u;
  double r = __fma_rn(e, 0x1.62e42fefa4p-1, __fma_rn(e, -0x1.8432a1b0e2634p-43, l));
  return __warpbook_select(fabs(x) < 0x1p-54, x, __warpbook_logs(u, r));
}

/* ---- powers ------------------------------------------------------------------------------------------- */

/* log(a) for a > 0, as high + low with some 64 bits: the quotient s and the first term of the series
 * are carried with what their rounding drops. */
__WARPBOOK_DEVICE double __warpbook_log_exact(double a, double *low) {
  double e, f = __warpbook_parts(a, &e);
  double u = 2.0 + f, u_low = f - (u - 2.0);
  double s = f / u, s_low = (__fma_rn(-s, u_low, __fma_rn(-s, u, f))) / u;
  double z = __dmul_rn(s, s), z_low = __fma_rn(s, s, -z) + 2 * s * s_low;
  double r = __fma_rn(z, 0x1.fca32eb43e864p-4, 0x1.dbe2ac9895981p-4);
  r = __fma_rn(z, r, 0x1.11309794bb235p-3);
  r = __fma_rn(z, r, 0x1.3b12f14df839cp-3);
  r = __fma_rn(z, r, 0x1.745d19f1e677p-3);
  r = __fma_rn(z, r, 0x1.c71c71c1c5857p-3);
  r = __fma_rn(z, r, 0x1.2492492494f45p-2);
  r = z * __fma_rn(z, r, 0x1.999999999999ap-2);
  /* c = 2/3 + r; then c z s. */
  double c = __dadd_rn(0x1.5555555555555p-1, r);
  double c_low = __dadd_rn(__dadd_rn(0x1.5555555555555p-1, -c), r) + 0x1.5555555555555p-55;
  double cz = __dmul_rn(c, z), cz_low = __fma_rn(c, z, -cz) + __fma_rn(c, z_low, c_low * z);
  double t = __dmul_rn(cz, s), t_low = __fma_rn(cz, s, -t) + __fma_rn(cz, s_low, cz_low * s);
  /* e ln 2 + 2 s + t, the largest first. */
  double n = __dmul_rn(e, 0x1.62e42fefa39efp-1);
  double n_low = __fma_rn(e, 0x1.62e42fefa39efp-1, -n) + e * 0x1.abc9e3b39803fp-56;
  double m = __dadd_rn(2 * s, t), m_low = __dadd_rn(__dadd_rn(2 * s, -m), t) + 2 * s_low + t_low;
  double high = __dadd_rn(n, m), back = __dadd_rn(high, -n);
  double dropped = __dadd_rn(__dadd_rn(n, -__dadd_rn(high, -back)), __dadd_rn(m, -back));
  *low = dropped + n_low + m_low;
  return high;
}
/* x^y out of the power r of |x|: signs and the special cases of C. `whole`, `odd`: y is. */
template <class T>
__WARPBOOK_DEVICE T __warpbook_power_cases(T x, T y, T r, bool whole, bool odd, T not_a_number) {
  bool negative = signbit(x), endless = isinf(y);
  T one = 1;
  r = __warpbook_select(negative & odd, -r, r);
  r = __warpbook_select((x < 0) & !whole & isfinite(x), not_a_number, r);
  r = __warpbook_select(((x == -one) & endless) | (x == one) | (y == 0), one, r);
  return __warpbook_select((isnan(x) | isnan(y)) & (x != one) & (y != 0), x + y, r);
}
__WARPBOOK_DEVICE double pow(double x, double y) {
  double a = fabs(x), low, high = __warpbook_log_exact(a, &low);
  high = __warpbook_logs(a, high);
  low = __warpbook_select(isfinite(high), low, 0.0);
  double p = __dmul_rn(high, y), p_low = __fma_rn(high, y, -p) + low * y;
  p_low = __warpbook_select(fabs(p) < 1000.0, p_low, 0.0);
  double r = __warpbook_exp(p, p_low, 0), half = 0.5 * y;
  bool whole = trunc(y) == y, odd = whole & (trunc(half) != half);
  return __warpbook_power_cases(x, y, r, whole, odd, __WARPBOOK_NAN);
}
/* In double, whose logarithm is exact enough for a float. */
__WARPBOOK_DEVICE float powf(float x, float y) {
  float r = (float)exp(log((double)fabsf(x)) * (double)y), half = 0.5f * y;
  bool whole = truncf(y) == y, odd = whole & (truncf(half) != half);
  return __warpbook_power_cases(x, y, r, whole, odd, __WARPBOOK_NANF);
}

/* ---- sine, cosine, tangent -------------------------------------------------------------------------- */

/* The first bits of 2/pi, after a word of zeros. */
static __attribute__((device, constant)) const unsigned long long __warpbook_two_over_pi_long[21] = {
    0,
    0xa2f9836e4e441529ull,
    0xfc2757d1f534ddc0ull,
    0xdb6295993c439041ull,
    0xfe5163abdebbc561ull,
    0xb7246e3a424dd2e0ull,
    0x06492eea09d1921cull,
    0xfe1deb1cb129a73eull,
    0xe88235f52ebb4484ull,
    0xe99c7026b45f7e41ull,
    0x3991d639835339f4ull,
    0x9c845f8bbdf9283bull,
    0x1ff897ffde05980full,
    0xef2f118b5a0a6d1full,
    0x6d367ecf27cb09b7ull,
    0x4f463f669e5fea2dull,
    0x7527bac7ebe5f17bull,
    0x3d0739f78a5292eaull,
    0x6bfb5fb11f8d5d08ull,
    0x56033046fc7b6babull,
    0xf0cfbc209af4361dull};

/* The 64 bits of high:low that begin `shift` bits (0 to 63) below the top. */
__WARPBOOK_DEVICE unsigned long long __warpbook_window(unsigned long long high,
                                                       unsigned long long low, int shift) {
  return high << shift | (low >> 1) >> (63 - shift);
}
/* As __warpbook_reduce_hugef, with 192 bits of 2/pi. */
static __attribute__((device, noinline, nodebug)) double __warpbook_reduce_huge(double x, int *q) {
  unsigned long long bits = __double_as_ull(x);
  unsigned long long m = (bits & 0xfffffffffffffull) | 0x10000000000000ull;
  int first = (int)((bits >> 52) & 0x7ff) - 1075 - 2 + 64, word = min(first >> 6, 17);
  const unsigned long long *p = __warpbook_two_over_pi_long + word;
  int shift = first & 63;
  unsigned long long w0 = __warpbook_window(p[0], p[1], shift),
                     w1 = __warpbook_window(p[1], p[2], shift),
                     w2 = __warpbook_window(p[2], p[3], shift);
  unsigned long long carry = __umul64hi(m, w2), low = m * w1 + carry;
  unsigned long long high = m * w0 + __umul64hi(m, w1) + (low < carry);
  int quarter = (int)((high + 0x2000000000000000ull) >> 62);
  /* What is left is the signed fraction high:low below the two bits of the quarter. Its magnitude
   * goes to floating point in pieces that are exact. */
  high = high << 2 | low >> 62;
  low <<= 2;
  unsigned long long sign = 0 - (high >> 63);
  low ^= sign;
  high ^= sign;
  low -= sign;
  high += (low == 0) & (sign != 0);
  double top = (double)(high >> 32) * 0x1p-32;
  double rest = __fma_rn((double)low, 0x1p-128, (double)(unsigned)high * 0x1p-64);
  double t = __dadd_rn(top, rest), t_low = __dadd_rn(rest, -__dadd_rn(t, -top));
  double a = __dmul_rn(t, 0x1.921fb54442d18p+0), a_low = __fma_rn(t, 0x1.921fb54442d18p+0, -a);
  a += a_low + __fma_rn(t, 0x1.1a62633145c07p-54, t_low * 0x1.921fb54442d18p+0);
  a = __warpbook_select(sign != 0, -a, a);
  bool negative = (bits >> 63) != 0;
  *q = __warpbook_select(negative, -quarter, quarter);
  return __warpbook_select(negative, -a, a) + (x - x);
}
__WARPBOOK_DEVICE double __warpbook_reduce(double x, int *q) {
  double j = rint(x * 0x1.45f306dc9c883p-1);
  double r = __fma_rn(-j, 0x1.921fb54442d18p+0, x);
  r = __fma_rn(-j, 0x1.1a62633145c07p-54, r);
  r = __fma_rn(-j, -0x1.f1976b7ed8fbcp-110, r);
  *q = __double2int_rz(j);
  if (fabs(x) > 0x1p30) r = __warpbook_reduce_huge(x, q);
  return r;
}
__WARPBOOK_DEVICE double __warpbook_sin(double r) {
  double z = r * r;
  double p = __fma_rn(z, 0x1.92413fd9b9768p-49, -0x1.ae7c50d10c1fdp-41);
  p = __fma_rn(z, p, 0x1.61245fb2b0af7p-33);
  p = __fma_rn(z, p, -0x1.ae64567e71537p-26);
  p = __fma_rn(z, p, 0x1.71de3a556c2bdp-19);
  p = __fma_rn(z, p, -0x1.a01a01a01a019p-13);
  p = __fma_rn(z, p, 0x1.1111111111111p-7);
  p = __fma_rn(z, p, -0x1.5555555555555p-3);
  return __fma_rn(r * z, p, r);
}
__WARPBOOK_DEVICE double __warpbook_cos(double r) {
  double z = r * r;
  double p = __fma_rn(z, 0x1.ab76cf6e9b30fp-45, -0x1.9394b76d1f264p-37);
  p = __fma_rn(z, p, 0x1.1eed8de9ef73ep-29);
  p = __fma_rn(z, p, -0x1.27e4fb7711e1dp-22);
  p = __fma_rn(z, p, 0x1.a01a01a019d02p-16);
  p = __fma_rn(z, p, -0x1.6c16c16c16c16p-10);
  p = __fma_rn(z, p, 0x1.5555555555555p-5);
  /* 1 - z/2 is rounded; what that drops comes back. */
  double h = 0.5 * z, w = __dadd_rn(1.0, -h), dropped = __dadd_rn(__dadd_rn(1.0, -w), -h);
  return w + __fma_rn(z * z, p, dropped);
}
__WARPBOOK_DEVICE double __warpbook_turn(double r, int q) {
  double v = __warpbook_select((q & 1) != 0, __warpbook_cos(r), __warpbook_sin(r));
  return __ull_as_double(__double_as_ull(v) ^ ((unsigned long long)(unsigned)(q & 2) << 62));
}
__WARPBOOK_DEVICE double sin(double x) {
  int q;
  double r = __warpbook_reduce(x, &q);
  return __warpbook_select(x == 0, x, __warpbook_turn(r, q));
}
__WARPBOOK_DEVICE double cos(double x) {
  int q;
  double r = __warpbook_reduce(x, &q);
  return __warpbook_turn(r, q + 1);
}
__WARPBOOK_DEVICE void sincos(double x, double *s, double *c) {
  int q;
  double r = __warpbook_reduce(x, &q);
  *s = __warpbook_select(x == 0, x, __warpbook_turn(r, q));
  *c = __warpbook_turn(r, q + 1);
}
__WARPBOOK_DEVICE double tan(double x) {
  int q;
  double r = __warpbook_reduce(x, &q);
  return __warpbook_select(x == 0, x, __warpbook_turn(r, q) / __warpbook_turn(r, q + 1));
}
__WARPBOOK_DEVICE double __warpbook_half_turns(double x, int *q) {
  double j = rint(2 * x), t = __fma_rn(-0.5, j, x);
  *q = __double2int_rz(__fma_rn(-4.0, trunc(0.25 * j), j));
  return __fma_rn(t, 0x1.1a62633145c07p-53, t * 0x1.921fb54442d18p+1) + (x - x);
}
__WARPBOOK_DEVICE double sinpi(double x) {
  int q;
  double f = __warpbook_half_turns(x, &q);
  return __warpbook_select(trunc(x) == x, copysign(0.0, x) + (x - x), __warpbook_turn(f, q));
}
__WARPBOOK_DEVICE double cospi(double x) {
  int q;
  double f = __warpbook_half_turns(x, &q);
  return __warpbook_turn(f, q + 1);
}
__WARPBOOK_DEVICE void sincospi(double x, double *s, double *c) {
  *s = sinpi(x);
  *c = cospi(x);
}

/* ---- inverse trigonometric functions ------------------------------------------------------------------ */

__WARPBOOK_DEVICE double __warpbook_asin(double a, bool far) {
  double z = __warpbook_select(far, __fma_rn(a, -0.5, 0.5), a * a);
  double t = __warpbook_select(far, __dsqrt_rn(z), a);
  double p = __fma_rn(z, 0x1.d72b2bc8155f8p-6, -0x1.e6aaa8a0a04ccp-7);
  p = __fma_rn(z, p, 0x1.1d189408314eep-6);
  p = __fma_rn(z, p, 0x1.65a9c4dfcf8b2p-8);
  p = __fma_rn(z, p, 0x1.52420b04b37bep-7);
  p = __fma_rn(z, p, 0x1.782651caa6547p-7);
  p = __fma_rn(z, p, 0x1.c9cf07674736ap-7);
  p = __fma_rn(z, p, 0x1.1c4d35cf95421p-6);
  p = __fma_rn(z, p, 0x1.6e8bb1c8209a2p-6);
  p = __fma_rn(z, p, 0x1.f1c71c1db0623p-6);
  p = __fma_rn(z, p, 0x1.6db6db6e31f13p-5);
  p = __fma_rn(z, p, 0x1.3333333332ecap-4);
  p = __fma_rn(z, p, 0x1.5555555555556p-3);
  return __fma_rn(t * z, p, t);
}
__WARPBOOK_DEVICE double asin(double x) {
  double a = fabs(x);
  bool far = a > 0.5;
  double p = __warpbook_asin(a, far);
  double r = __fma_rn(-2.0, p, 0x1.921fb54442d18p+0) + 0x1.1a62633145c07p-54;
  return copysign(__warpbook_select(far, r, p), x);
}
__WARPBOOK_DEVICE double acos(double x) {
  double a = fabs(x);
  bool far = a > 0.5;
  double p = __warpbook_asin(a, far);
  double near_zero = (0x1.921fb54442d18p+0 - copysign(p, x)) + 0x1.1a62633145c07p-54;
  double at_minus_one = __fma_rn(-2.0, p, 0x1.921fb54442d18p+1) + 0x1.1a62633145c07p-53;
  double at_ends = __warpbook_select(x < 0, at_minus_one, 2.0 * p);
  return __warpbook_select(far, at_ends, near_zero);
}
/* atan(t) for t from 0 to 1; from tan(pi/8) on as pi/4 + atan((t - 1) / (t + 1)). */
__WARPBOOK_DEVICE double __warpbook_atan(double t) {
  bool far = t > 0x1.a827999fcef32p-2;
  double v = __warpbook_select(far, (t - 1.0) / (t + 1.0), t), z = v * v;
  double p = __fma_rn(z, 0x1.0ad36a33057f5p-6, -0x1.1b33b91b64424p-5);
  p = __fma_rn(z, p, 0x1.74ddd405839ffp-5);
  p = __fma_rn(z, p, -0x1.ac7a938ab5379p-5);
  p = __fma_rn(z, p, 0x1.e19a13b9e3e9ap-5);
  p = __fma_rn(z, p, -0x1.110e880a79412p-4);
  p = __fma_rn(z, p, 0x1.3b1392d9e7769p-4);
  p = __fma_rn(z, p, -0x1.745d165df3f8cp-4);
  p = __fma_rn(z, p, 0x1.c71c71c304b68p-4);
  p = __fma_rn(z, p, -0x1.249249248d7eep-3);
  p = __fma_rn(z, p, 0x1.9999999999953p-3);
  p = __fma_rn(z, p, -0x1.5555555555555p-2);
  p = __fma_rn(v * z, p, __warpbook_select(far, 0x1.1a62633145c07p-55, 0.0)) + v;
  return p + __warpbook_select(far, 0x1.921fb54442d18p-1, 0.0);
}
__WARPBOOK_DEVICE double atan(double x) {
  double a = fabs(x);
  bool far = a > 1.0;
  double p = __warpbook_atan(__warpbook_select(far, 1.0 / a, a));
  double r = (0x1.921fb54442d18p+0 - p) + 0x1.1a62633145c07p-54;
  return copysign(__warpbook_select(far, r, p), x);
}
__WARPBOOK_DEVICE double atan2(double y, double x) {
  double ax = fabs(x), ay = fabs(y), large = fmax(ax, ay), small = fmin(ax, ay);
  double t = __warpbook_select(large == 0, 0.0, small / large);
  double r = __warpbook_atan(__warpbook_select(small == __WARPBOOK_INF, 1.0, t));
  r = __warpbook_select(ay > ax, (0x1.921fb54442d18p+0 - r) + 0x1.1a62633145c07p-54, r);
  r = __warpbook_select(signbit(x), (0x1.921fb54442d18p+1 - r) + 0x1.1a62633145c07p-53, r);
  return __warpbook_select(isnan(x) | isnan(y), x + y, copysign(r, y));
}

/* ---- hyperbolic functions --------------------------------------------------------------------------- */

__WARPBOOK_DEVICE double sinh(double x) {
  double a = fabs(x), z = x * x, e = __warpbook_exp(a, 0.0, -1);
  double p = __fma_rn(z, 1 / 355687428096000.0, 1 / 1307674368000.0);
  p = __fma_rn(z, p, 1 / 6227020800.0);
  p = __fma_rn(z, p, 1 / 39916800.0);
  p = __fma_rn(z, p, 1 / 362880.0);
  p = __fma_rn(z, p, 1 / 5040.0);
  p = __fma_rn(z, p, 1 / 120.0);
  p = __fma_rn(z, p, 1 / 6.0);
  double far = copysign(e - 0.25 / e, x);
  return __warpbook_select(a < 1.0, __fma_rn(x * z, p, x), far);
}
__WARPBOOK_DEVICE double cosh(double x) {
  double e = __warpbook_exp(fabs(x), 0.0, -1);
  return e + 0.25 / e;
}
__WARPBOOK_DEVICE double tanh(double x) {
  double a = fabs(x), z = x * x;
  double p = __fma_rn(z, -0x1.93edec43fd5a2p-19, 0x1.bfb8722b58696p-17);
  p = __fma_rn(z, p, -0x1.3f58d7db175f6p-15);
  p = __fma_rn(z, p, 0x1.94e894340e4bp-14);
  p = __fma_rn(z, p, -0x1.f5520c3b9ff15p-13);
  p = __fma_rn(z, p, 0x1.3556886ef1283p-11);
  p = __fma_rn(z, p, -0x1.7da34f4c64329p-10);
  p = __fma_rn(z, p, 0x1.d6d3d028aad5bp-9);
  p = __fma_rn(z, p, -0x1.226e355c62325p-7);
  p = __fma_rn(z, p, 0x1.664f4882ba306p-6);
  p = __fma_rn(z, p, -0x1.ba1ba1ba1b95bp-5);
  p = __fma_rn(z, p, 0x1.1111111111111p-3);
  p = __fma_rn(z, p, -0x1.5555555555555p-2);
  double far = copysign(1.0 - 2.0 / (exp(2.0 * a) + 1.0), x);
  return __warpbook_select(a < 0.55, copysign(__fma_rn(x * z, p, x), x), far);
}
__WARPBOOK_DEVICE double asinh(double x) {
  double a = fabs(x), z = a * a;
  double near_zero = log1p(a + z / (1.0 + __dsqrt_rn(z + 1.0)));
  double far = log(a) + 0x1.62e42fefa39efp-1;
  return copysign(__warpbook_select(a < 0x1p28, near_zero, far), x);
}
__WARPBOOK_DEVICE double acosh(double x) {
  double t = x - 1.0;
  double near_one = log1p(t + __dsqrt_rn(__fma_rn(t, t, 2.0 * t)));
  double far = log(x) + 0x1.62e42fefa39efp-1;
  return __warpbook_select(x < 1.0, __WARPBOOK_NAN, __warpbook_select(x < 0x1p28, near_one, far));
}
__WARPBOOK_DEVICE double atanh(double x) {
  double a = fabs(x);
  return copysign(0.5 * log1p(2.0 * a / (1.0 - a)), x);
}

/* ---- roots and lengths ----------------------------------------------------------------------------------- */

/* A float's root of x / 8^k, then Newton's method twice. */
__WARPBOOK_DEVICE double cbrt(double x) {
  int e;
  double m = frexp(fabs(x), &e);
  int third = (e + 3072) / 3 - 1024; /* e / 3, rounded down: e is above -3072 */
  double a = ldexp(m, e - 3 * third);
  double r = (double)__exp2f(__log2f((float)a) * 0x1.555556p-2f);
  r = r - (r - a / (r * r)) * 0x1.5555555555555p-2;
  r = r - (r - a / (r * r)) * 0x1.5555555555555p-2;
  r = __fma_rn(__fma_rn(-r, r, a / r), 0x1.5555555555555p-2 / r, r);
  return __warpbook_select((x == 0) | !isfinite(x), x, copysign(ldexp(r, third), x));
}
__WARPBOOK_DEVICE double rcbrt(double x) { return 1.0 / cbrt(x); }
/* The square root of a sum of squares, after scaling by the exponent of the largest. */
__WARPBOOK_DEVICE double norm3d(double x, double y, double z) {
  double largest = fmax(fabs(x), fmax(fabs(y), fabs(z)));
  int e;
  frexp(largest, &e);
  double a = ldexp(x, -e), b = ldexp(y, -e), c = ldexp(z, -e);
  double r = ldexp(__dsqrt_rn(__fma_rn(a, a, __fma_rn(b, b, c * c))), e);
  return __warpbook_select(isinf(x) | isinf(y) | isinf(z), __WARPBOOK_INF, r);
}
__WARPBOOK_DEVICE double rnorm3d(double x, double y, double z) { return 1.0 / norm3d(x, y, z); }
__WARPBOOK_DEVICE double hypot(double x, double y) { return norm3d(x, y, 0.0); }
__WARPBOOK_DEVICE double rhypot(double x, double y) { return 1.0 / hypot(x, y); }

/* ---- remainders: exact ------------------------------------------------------------------------------------- */

/* Each turn subtracts a multiple of y that is a quotient of 53 bits, rounded down, so that what is
 * left is exact; all but the most unequal pairs need one turn. */
__WARPBOOK_DEVICE double fmod(double x, double y) {
  double a = fabs(x), b = fabs(y);
  bool defined = (a < __WARPBOOK_INF) & (b > 0);
  a = __warpbook_select(defined, a, __WARPBOOK_NAN);
  while (a >= b) a = __fma_rn(-trunc(__ddiv_rz(a, b)), b, a);
  return copysign(__warpbook_select(isnan(y), y, a), x);
}
__WARPBOOK_DEVICE float fmodf(float x, float y) { return (float)fmod((double)x, (double)y); }
/* The remainder of least magnitude; of a tie the one whose quotient is even. */
__WARPBOOK_DEVICE double remainder(double x, double y) {
  double b = fabs(y), a = fabs(x);
  a = __warpbook_select(b < 0x1p1023, fmod(a, 2.0 * b), a);
  /* a > b/2, without rounding: a huge b cannot be doubled, a tiny one not halved. */
  bool huge = b >= 0x1p1000;
  double twice = __warpbook_select(huge, a, 2.0 * a), whole = __warpbook_select(huge, 0.5 * b, b);
  bool over = twice > whole;
  a = __warpbook_select(over, a - b, a);
  twice = __warpbook_select(huge, a, 2.0 * a);
  a = __warpbook_select(over & (twice >= whole), a - b, a);
  a = __warpbook_select(signbit(x), -a, a);
  return __warpbook_select((b > 0) & (fabs(x) < __WARPBOOK_INF), a, __WARPBOOK_NAN);
}
__WARPBOOK_DEVICE float remainderf(float x, float y) {
  return (float)remainder((double)x, (double)y);
}

/* ---- the error function ------------------------------------------------------------------------------------ */

__WARPBOOK_DEVICE double __warpbook_erf_near(double x) {
  double z = x * x;
  double p = __fma_rn(z, -0x1.33d62c94107ddp-38, 0x1.830ed95421e6p-34);
  p = __fma_rn(z, p, -0x1.4f16018750568p-30);
  p = __fma_rn(z, p, 0x1.fc686faf628abp-27);
  p = __fma_rn(z, p, -0x1.5f70026e262cep-23);
  p = __fma_rn(z, p, 0x1.b9e687c3e0abbp-20);
  p = __fma_rn(z, p, -0x1.f4d2596fb33ap-17);
  p = __fma_rn(z, p, 0x1.f9a326e5405bcp-14);
  p = __fma_rn(z, p, -0x1.c02db3ffe0c21p-11);
  p = __fma_rn(z, p, 0x1.565bcd0e6947fp-8);
  p = __fma_rn(z, p, -0x1.b82ce31288b2p-6);
  p = __fma_rn(z, p, 0x1.ce2f21a042be1p-4);
  p = __fma_rn(z, p, -0x1.812746b0379e7p-2);
  return copysign(__fma_rn(x, 0x1.20dd750429b6dp+0, x * __fma_rn(z, p, 0x1.1ae3a914fed8p-56)), x);
}
/* As __warpbook_erfc_farf, smooth in (a - 4) / (a + 4). */
__WARPBOOK_DEVICE double __warpbook_erfc_far(double a) {
  double u = (a - 4.0) / (a + 4.0);
  double p = __fma_rn(u, -0x1.69f2fa9000decp-27, -0x1.a43ae536774dep-27);
  p = __fma_rn(u, p, 0x1.c6a2ab9fb9125p-24);
  p = __fma_rn(u, p, 0x1.1ff04269ad0c9p-24);
  p = __fma_rn(u, p, -0x1.b9ba5f3e5af9bp-21);
  p = __fma_rn(u, p, 0x1.41a0e0881cc23p-22);
  p = __fma_rn(u, p, 0x1.7f1c80a16003bp-18);
  p = __fma_rn(u, p, -0x1.78a39f212eb38p-17);
  p = __fma_rn(u, p, -0x1.995924bd0c8a4p-16);
  p = __fma_rn(u, p, 0x1.3be0d58d63c0dp-13);
  p = __fma_rn(u, p, -0x1.a1df1f6f13698p-13);
  p = __fma_rn(u, p, -0x1.8d4aa1688e562p-11);
  p = __fma_rn(u, p, 0x1.49c67276fa799p-8);
  p = __fma_rn(u, p, -0x1.0962387db4d66p-6);
  p = __fma_rn(u, p, 0x1.3079edf6c5f6dp-5);
  p = __fma_rn(u, p, -0x1.0fb06dfe6afe1p-4);
  p = __fma_rn(u, p, 0x1.7fee004e100c9p-4);
  p = __fma_rn(u, p, -0x1.9ddb23c3e7d0dp-4);
  p = __fma_rn(u, p, 0x1.16ecefcfa54a7p-4);
  p = __fma_rn(u, p, 0x1.f7f5df66fd577p-7);
  p = __fma_rn(u, p, -0x1.1df1ad154a28fp-3);
  p = __fma_rn(u, p, 0x1.3ba5916e9fd7fp+0);
  double square = __dmul_rn(a, a), dropped = __fma_rn(a, a, -square);
  return __warpbook_exp(-square, -dropped, 0) * (p / __fma_rn(2.0, a, 1.0));
}
__WARPBOOK_DEVICE double erf(double x) {
  double a = fmin(fabs(x), 10.0), far = copysign(1.0 - __warpbook_erfc_far(a), x);
  return __warpbook_select(isnan(x), x, __warpbook_select(a < 1.0, __warpbook_erf_near(x), far));
}
__WARPBOOK_DEVICE double erfc(double x) {
  double a = fmin(fabs(x), 28.0), far = __warpbook_erfc_far(a);
  far = __warpbook_select(x < 0, 2.0 - far, far);
  double r = __warpbook_select(a < 0.5, 1.0 - __warpbook_erf_near(x), far);
  return __warpbook_select(isnan(x), x, r);
}
__WARPBOOK_DEVICE double normcdf(double x) { return 0.5 * erfc(x * -0x1.6a09e667f3bcdp-1); }
