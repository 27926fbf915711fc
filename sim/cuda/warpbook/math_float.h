/* warpbook/math_float.h - maths for float. Measured against extended precision over a million
 * arguments, no result is more than 3.5 units in the last place off, most are within 1.5; those of
 * CUDA's own library are alike, but not the same bit for bit. */
#pragma once

#define __WARPBOOK_INFF __builtin_inff()
#define __WARPBOOK_NANF __builtin_nanf("")

/* ---- one instruction, or a few; exact ---------------------------------------------------------- */

__WARPBOOK_DEVICE float fabsf(float x) { return __builtin_fabsf(x); }
__WARPBOOK_DEVICE float fminf(float x, float y) { return __builtin_fminf(x, y); }
__WARPBOOK_DEVICE float fmaxf(float x, float y) { return __builtin_fmaxf(x, y); }
__WARPBOOK_DEVICE float floorf(float x) { return __builtin_floorf(x); }
__WARPBOOK_DEVICE float ceilf(float x) { return __builtin_ceilf(x); }
__WARPBOOK_DEVICE float truncf(float x) { return __builtin_truncf(x); }
__WARPBOOK_DEVICE float rintf(float x) { return __builtin_rintf(x); }
__WARPBOOK_DEVICE float nearbyintf(float x) { return __builtin_rintf(x); }
__WARPBOOK_DEVICE float copysignf(float x, float y) {
  return __uint_as_float((__float_as_uint(x) & 0x7fffffffu) | (__float_as_uint(y) & 0x80000000u));
}
/* Halves away from zero: truncate after adding the largest number below one half. */
__WARPBOOK_DEVICE float roundf(float x) {
  float t = truncf(x + copysignf(0x1.fffffep-2f, x));
  return __warpbook_select(fabsf(x) < 0x1p23f, copysignf(t, x), x);
}
__WARPBOOK_DEVICE float sqrtf(float x) { return __fsqrt_rn(x); }
__WARPBOOK_DEVICE float rsqrtf(float x) { return __frsqrt_rn(x); }
__WARPBOOK_DEVICE float fmaf(float x, float y, float z) { return __fmaf_rn(x, y, z); }
__WARPBOOK_DEVICE float fdimf(float x, float y) {
  return __warpbook_select(x <= y, 0.0f, x - y);
}
__WARPBOOK_DEVICE float fdividef(float x, float y) { return x / y; }
__WARPBOOK_DEVICE long lrintf(float x) { return (long)__float2ll_rn(x); }
__WARPBOOK_DEVICE long long llrintf(float x) { return __float2ll_rn(x); }
__WARPBOOK_DEVICE long lroundf(float x) { return (long)__float2ll_rz(roundf(x)); }
__WARPBOOK_DEVICE long long llroundf(float x) { return __float2ll_rz(roundf(x)); }
__WARPBOOK_DEVICE float nanf(const char *) { return __WARPBOOK_NANF; }

__WARPBOOK_DEVICE bool isnan(float x) { return x != x; }
__WARPBOOK_DEVICE bool isinf(float x) { return fabsf(x) == __WARPBOOK_INFF; }
__WARPBOOK_DEVICE bool isfinite(float x) { return fabsf(x) < __WARPBOOK_INFF; }
__WARPBOOK_DEVICE bool signbit(float x) { return __float_as_int(x) < 0; }

/* ---- powers of two ------------------------------------------------------------------------------- */

/* 2^n for n from -126 to 127. */
__WARPBOOK_DEVICE float __warpbook_power2f(int n) {
  return __uint_as_float((unsigned)(n + 127) << 23);
}
/* x * 2^n for n from -252 to 254, in two steps, so that neither leaves the range alone. */
__WARPBOOK_DEVICE float __warpbook_scalef(float x, int n) {
  int half = n >> 1;
  return x * __warpbook_power2f(half) * __warpbook_power2f(n - half);
}
/* A power outside the range is taken in up to three steps, of which only the last may round. */
__WARPBOOK_DEVICE float ldexpf(float x, int n) {
  int first = max(-102, min(127, n)) & -(int)((n < -126) | (n > 127));
  n -= first;
  int second = max(-102, min(127, n)) & -(int)((n < -126) | (n > 127));
  n = max(-126, min(127, n - second));
  return x * __warpbook_power2f(first) * __warpbook_power2f(second) * __warpbook_power2f(n);
}
__WARPBOOK_DEVICE float scalbnf(float x, int n) { return ldexpf(x, n); }
__WARPBOOK_DEVICE float scalblnf(float x, long n) {
  return ldexpf(x, (int)max(-300l, min(300l, n)));
}
__WARPBOOK_DEVICE float frexpf(float x, int *exponent) {
  bool tiny = fabsf(x) < 0x1p-126f, plain = (x != 0) & isfinite(x);
  float y = __warpbook_select(tiny, x * 0x1p24f, x);
  int bits = __float_as_int(y);
  int e = ((bits >> 23) & 0xff) - 126 - __warpbook_select(tiny, 24, 0);
  *exponent = __warpbook_select(plain, e, 0);
  return __warpbook_select(plain, __int_as_float((bits & (int)0x807fffff) | 0x3f000000), x);
}
__WARPBOOK_DEVICE int ilogbf(float x) {
  int e;
  frexpf(x, &e);
  e = __warpbook_select(x == 0, (int)0x80000000, e - 1);
  int special = __warpbook_select(isnan(x), (int)0x80000000, 0x7fffffff);
  return __warpbook_select(isfinite(x), e, special);
}
__WARPBOOK_DEVICE float logbf(float x) {
  int e;
  frexpf(x, &e);
  float r = __warpbook_select(x == 0, -__WARPBOOK_INFF, (float)(e - 1));
  return __warpbook_select(isfinite(x), r, x * x);
}
__WARPBOOK_DEVICE float modff(float x, float *whole) {
  *whole = truncf(x);
  return copysignf(__warpbook_select(isinf(x), 0.0f, x - *whole), x);
}

/* ---- exponentials --------------------------------------------------------------------------------- */

/* 2 ulp: the hardware's own approximation. */
__WARPBOOK_DEVICE float exp2f(float x) { return __exp2f(x); }

/* exp(x) * 2^shift: x = j ln 2 + f, and exp(f) by the hardware. The limits on j keep 2^j within
 * __warpbook_scalef; past them f is so large that the hardware gives 0 or infinity. */
__WARPBOOK_DEVICE float __warpbook_expf(float x, int shift) {
  float j = fminf(fmaxf(rintf(x * 0x1.715476p+0f), -240.0f), 240.0f);
  float f = fmaf(-j, 0x1.62e4p-1f, x);
  f = fmaf(-j, 0x1.7f7d1cp-20f, f);
  return __warpbook_scalef(__exp2f(f * 0x1.715476p+0f), (int)j + shift);
}
__WARPBOOK_DEVICE float expf(float x) { return __warpbook_expf(x, 0); }
/* x = j log10(2) + f. */
__WARPBOOK_DEVICE float exp10f(float x) {
  float j = fminf(fmaxf(rintf(x * 0x1.a934fp+1f), -240.0f), 240.0f);
  float f = fmaf(-j, 0x1.344p-2f, x);
  f = fmaf(-j, 0x1.3509f8p-18f, f);
  return __warpbook_scalef(__exp2f(fmaf(f, 0x1.a934fp+1f, f * 0x1.2f346ep-24f)), (int)j);
}
/* exp(x) - 1 = 2^j (exp(f) - 1) + (2^j - 1), with the series of exp(f) - 1. */
__WARPBOOK_DEVICE float expm1f(float x) {
  float a = __warpbook_select(x < -30.0f, -30.0f, x);
  float j = fminf(rintf(a * 0x1.715476p+0f), 128.0f);
  float f = fmaf(-j, 0x1.62e4p-1f, a);
  f = fmaf(-j, 0x1.7f7d1cp-20f, f);
  float p = fmaf(f, 1 / 5040.0f, 1 / 720.0f);
  p = fmaf(f, p, 1 / 120.0f);
  p = fmaf(f, p, 1 / 24.0f);
  p = fmaf(f, p, 1 / 6.0f);
  p = fmaf(f, p, 0.5f);
  p = fmaf(f * f, p, f);
  float t = __warpbook_power2f((int)j - 1);
  float r = 2 * fmaf(p, t, t - 0.5f);
  return __warpbook_select((x == 0) | (x > 89.0f), __warpbook_select(x == 0, x, __WARPBOOK_INFF), r);
}

/* ---- logarithms ------------------------------------------------------------------------------------ */

/* log(1 + f) for f from -1/3 to 1/3: with s = f / (2 + f) it is 2 (s + s^3/3 + s^5/5 + ...), and
 * 2s = f - s f. */
__WARPBOOK_DEVICE float __warpbook_log1pf(float f) {
  float s = f / (2.0f + f), z = s * s;
  float r = fmaf(z, 0x1.32bed2p-2f, 0x1.996298p-2f);
  r = fmaf(z, r, 0x1.555566p-1f);
  return fmaf(-s, fmaf(-z, r, f), f);
}
/* x = 2^e (1 + f) with 1 + f from 2/3 to 4/3. */
__WARPBOOK_DEVICE float __warpbook_partsf(float x, float *e) {
  bool tiny = x < 0x1p-126f;
  int bits = __float_as_int(__warpbook_select(tiny, x * 0x1p23f, x));
  int k = (bits - 0x3f2aaaab) & (int)0xff800000;
  *e = fmaf((float)k, 0x1p-23f, __warpbook_select(tiny, -23.0f, 0.0f));
  return __int_as_float(bits - k) - 1.0f;
}
/* The result r, except for what has no ordinary logarithm. */
__WARPBOOK_DEVICE float __warpbook_logsf(float x, float r) {
  r = __warpbook_select(x < __WARPBOOK_INFF, r, x);
  r = __warpbook_select(x == 0, -__WARPBOOK_INFF, r);
  return __warpbook_select(x < 0, __WARPBOOK_NANF, r);
}
__WARPBOOK_DEVICE float logf(float x) {
  float e, l = __warpbook_log1pf(__warpbook_partsf(x, &e));
  return __warpbook_logsf(x, fmaf(e, 0x1.62e4p-1f, fmaf(e, 0x1.7f7d1cp-20f, l)));
}
__WARPBOOK_DEVICE float log2f(float x) {
  float e, l = __warpbook_log1pf(__warpbook_partsf(x, &e));
  return __warpbook_logsf(x, fmaf(l, 0x1.715476p+0f, fmaf(l, 0x1.4ae0cp-26f, e)));
}
__WARPBOOK_DEVICE float log10f(float x) {
  float e, l = __warpbook_log1pf(__warpbook_partsf(x, &e));
  float low = fmaf(e, 0x1.3509f8p-18f, l * -0x1.5b235ep-27f);
  return __warpbook_logsf(x, fmaf(e, 0x1.344p-2f, fmaf(l, 0x1.bcb7b2p-2f, low)));
}
/* 1 + x is rounded; what the rounding dropped comes back as a correction. */
__WARPBOOK_DEVICE float log1pf(float x) {
  float u = 1.0f + x, dropped = x - (u - 1.0f);
  float e, l = __warpbook_log1pf(__warpbook_partsf(u, &e));
  l += dropped / u;
  float r = fmaf(e, 0x1.62e4p-1f, fmaf(e, 0x1.7f7d1cp-20f, l));
  return __warpbook_select(fabsf(x) < 0x1p-25f, x, __warpbook_logsf(u, r));
}

/* ---- sine, cosine, tangent -------------------------------------------------------------------------- */

/* The first bits of 2/pi, after a word of zeros. */
static __attribute__((device, constant)) const unsigned __warpbook_two_over_pi[8] = {
    0,           0xa2f9836eu, 0x4e441529u, 0xfc2757d1u,
    0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu};

/* x = q pi/2 + result, for huge x: only those 96 bits of 2/pi matter whose product with x is neither
 * a multiple of 4 nor too small to count (Payne and Hanek). Apart from the others, because it is
 * long and seldom needed. */
static __attribute__((device, noinline, nodebug)) float __warpbook_reduce_hugef(float x, int *q) {
  unsigned bits = __float_as_uint(x), m = (bits & 0x7fffffu) | 0x800000u;
  unsigned first = ((bits >> 23) & 0xff) - 150 - 2 + 32, word = min(first >> 5, 4u);
  const unsigned *p = __warpbook_two_over_pi + word;
  unsigned w0 = __funnelshift_l(p[1], p[0], first), w1 = __funnelshift_l(p[2], p[1], first),
           w2 = __funnelshift_l(p[3], p[2], first);
  unsigned long long low = (unsigned long long)m * w2;
  unsigned long long mid = (unsigned long long)m * w1 + (low >> 32);
  unsigned long long high = (unsigned long long)(m * w0 + (unsigned)(mid >> 32)) << 32 | (unsigned)mid;
  int quarter = (int)((high + 0x2000000000000000ull) >> 62);
  float r = (float)((double)(long long)(high << 2) * 0x1.921fb54442d18p-64);
  bool negative = (bits >> 31) != 0;
  *q = __warpbook_select(negative, -quarter, quarter);
  return __warpbook_select(negative, -r, r) + (x - x); /* infinity and NaN become NaN */
}
__WARPBOOK_DEVICE float __warpbook_reducef(float x, int *q) {
  float j = rintf(x * 0x1.45f306p-1f);
  float r = fmaf(-j, 0x1.921fb6p+0f, x);
  r = fmaf(-j, -0x1.777a5cp-25f, r);
  r = fmaf(-j, -0x1.ee59dap-50f, r);
  *q = (int)j;
  if (fabsf(x) > 100000.0f) r = __warpbook_reduce_hugef(x, q);
  return r;
}
__WARPBOOK_DEVICE float __warpbook_sinf(float r) {
  float z = r * r;
  float p = fmaf(z, 0x1.6dbbeep-19f, -0x1.a013a2p-13f);
  p = fmaf(z, p, 0x1.11110ep-7f);
  p = fmaf(z, p, -0x1.555556p-3f);
  return fmaf(r * z, p, r);
}
__WARPBOOK_DEVICE float __warpbook_cosf(float r) {
  float z = r * r;
  float p = fmaf(z, 0x1.9bd67p-16f, -0x1.6c12cep-10f);
  p = fmaf(z, p, 0x1.555554p-5f);
  return fmaf(z * z, p, fmaf(z, -0.5f, 1.0f));
}
/* The sine of q quarter turns and r: by turns sine and cosine, of either sign. */
__WARPBOOK_DEVICE float __warpbook_turnf(float r, int q) {
  float v = __warpbook_select((q & 1) != 0, __warpbook_cosf(r), __warpbook_sinf(r));
  return __uint_as_float(__float_as_uint(v) ^ ((unsigned)(q & 2) << 30));
}
__WARPBOOK_DEVICE float sinf(float x) {
  int q;
  float r = __warpbook_reducef(x, &q);
  return __warpbook_select(x == 0, x, __warpbook_turnf(r, q));
}
__WARPBOOK_DEVICE float cosf(float x) {
  int q;
  float r = __warpbook_reducef(x, &q);
  return __warpbook_turnf(r, q + 1);
}
__WARPBOOK_DEVICE void sincosf(float x, float *s, float *c) {
  int q;
  float r = __warpbook_reducef(x, &q);
  *s = __warpbook_select(x == 0, x, __warpbook_turnf(r, q));
  *c = __warpbook_turnf(r, q + 1);
}
__WARPBOOK_DEVICE float tanf(float x) {
  int q;
  float r = __warpbook_reducef(x, &q);
  return __warpbook_select(x == 0, x, __warpbook_turnf(r, q) / __warpbook_turnf(r, q + 1));
}
/* sin(pi x): x = j/2 + f exactly. */
__WARPBOOK_DEVICE float sinpif(float x) {
  float j = rintf(2 * x), f = fmaf(-0.5f, j, x) * 0x1.921fb6p+1f;
  int q = (int)fmaf(-4.0f, truncf(0.25f * j), j);
  return __warpbook_select(truncf(x) == x, copysignf(0.0f, x), __warpbook_turnf(f, q)) + (x - x);
}
__WARPBOOK_DEVICE float cospif(float x) {
  float j = rintf(2 * x), f = fmaf(-0.5f, j, x) * 0x1.921fb6p+1f;
  int q = (int)fmaf(-4.0f, truncf(0.25f * j), j);
  return __warpbook_turnf(f, q + 1) + (x - x);
}
__WARPBOOK_DEVICE void sincospif(float x, float *s, float *c) {
  *s = sinpif(x);
  *c = cospif(x);
}

/* ---- inverse trigonometric functions ------------------------------------------------------------------ */

/* asin(|x|), or for |x| > 1/2 asin(sqrt((1 - |x|) / 2)), by its series. */
__WARPBOOK_DEVICE float __warpbook_asinf(float a, bool far) {
  float z = __warpbook_select(far, fmaf(a, -0.5f, 0.5f), a * a);
  float t = __warpbook_select(far, sqrtf(z), a);
  float p = fmaf(z, 0x1.37fe16p-5f, 0x1.b311d2p-6f);
  p = fmaf(z, p, 0x1.70a6bcp-5f);
  p = fmaf(z, p, 0x1.332732p-4f);
  p = fmaf(z, p, 0x1.55555ep-3f);
  return fmaf(t * z, p, t);
}
__WARPBOOK_DEVICE float asinf(float x) {
  float a = fabsf(x);
  bool far = a > 0.5f;
  float p = __warpbook_asinf(a, far);
  float r = fmaf(-2.0f, p, 0x1.921fb6p+0f) - 0x1.777a5cp-25f;
  return copysignf(__warpbook_select(far, r, p), x);
}
__WARPBOOK_DEVICE float acosf(float x) {
  float a = fabsf(x);
  bool far = a > 0.5f;
  float p = __warpbook_asinf(a, far);
  float near_zero = (0x1.921fb6p+0f - copysignf(p, x)) - 0x1.777a5cp-25f;
  float at_ends =
      __warpbook_select(x < 0, fmaf(-2.0f, p, 0x1.921fb6p+1f) - 0x1.777a5cp-24f, 2.0f * p);
  return __warpbook_select(far, at_ends, near_zero);
}
/* atan(t) for t from 0 to 1. */
__WARPBOOK_DEVICE float __warpbook_atanf(float t) {
  float z = t * t;
  float p = fmaf(z, -0x1.38de56p-9f, 0x1.ba9f66p-7f);
  p = fmaf(z, p, -0x1.25dc12p-5f);
  p = fmaf(z, p, 0x1.0001c6p-4f);
  p = fmaf(z, p, -0x1.6295f8p-4f);
  p = fmaf(z, p, 0x1.c3f168p-4f);
  p = fmaf(z, p, -0x1.246cd2p-3f);
  p = fmaf(z, p, 0x1.99983cp-3f);
  p = fmaf(z, p, -0x1.555554p-2f);
  return fmaf(t * z, p, t);
}
__WARPBOOK_DEVICE float atanf(float x) {
  float a = fabsf(x);
  bool far = a > 1.0f;
  float p = __warpbook_atanf(__warpbook_select(far, 1.0f / a, a));
  return copysignf(__warpbook_select(far, (0x1.921fb6p+0f - p) - 0x1.777a5cp-25f, p), x);
}
__WARPBOOK_DEVICE float atan2f(float y, float x) {
  float ax = fabsf(x), ay = fabsf(y), large = fmaxf(ax, ay), small = fminf(ax, ay);
  float t = __warpbook_select(large == 0, 0.0f, small / large);
  float r = __warpbook_atanf(__warpbook_select(small == __WARPBOOK_INFF, 1.0f, t));
  r = __warpbook_select(ay > ax, (0x1.921fb6p+0f - r) - 0x1.777a5cp-25f, r);
  r = __warpbook_select(signbit(x), (0x1.921fb6p+1f - r) - 0x1.777a5cp-24f, r);
  return __warpbook_select(isnan(x) | isnan(y), x + y, copysignf(r, y));
}

/* ---- hyperbolic functions --------------------------------------------------------------------------- */

__WARPBOOK_DEVICE float sinhf(float x) {
  float a = fabsf(x), z = x * x, e = __warpbook_expf(a, -1);
  float p = fmaf(z, 1 / 362880.0f, 1 / 5040.0f);
  p = fmaf(z, p, 1 / 120.0f);
  p = fmaf(z, p, 1 / 6.0f);
  float far = copysignf(e - 0.25f / e, x);
  return __warpbook_select(a < 1.0f, fmaf(x * z, p, x), far);
}
__WARPBOOK_DEVICE float coshf(float x) {
  float e = __warpbook_expf(fabsf(x), -1);
  return e + 0.25f / e;
}
__WARPBOOK_DEVICE float tanhf(float x) {
  float a = fabsf(x), z = x * x;
  float p = fmaf(z, -0x1.9ada6p-8f, 0x1.59e1c8p-6f);
  p = fmaf(z, p, -0x1.b955dcp-5f);
  p = fmaf(z, p, 0x1.110eep-3f);
  p = fmaf(z, p, -0x1.555554p-2f);
  float far = copysignf(1.0f - 2.0f / (__warpbook_expf(2.0f * a, 0) + 1.0f), x);
  return __warpbook_select(a < 0.6f, copysignf(fmaf(x * z, p, x), x), far);
}
__WARPBOOK_DEVICE float asinhf(float x) {
  float a = fabsf(x), z = a * a;
  float near_zero = log1pf(a + z / (1.0f + sqrtf(z + 1.0f)));
  float far = logf(a) + 0x1.62e43p-1f;
  return copysignf(__warpbook_select(a < 0x1p13f, near_zero, far), x);
}
__WARPBOOK_DEVICE float acoshf(float x) {
  float t = x - 1.0f;
  float near_one = log1pf(t + sqrtf(fmaf(t, t, 2.0f * t)));
  float far = logf(x) + 0x1.62e43p-1f;
  return __warpbook_select(x < 1.0f, __WARPBOOK_NANF, __warpbook_select(x < 0x1p13f, near_one, far));
}
__WARPBOOK_DEVICE float atanhf(float x) {
  float a = fabsf(x);
  return copysignf(0.5f * log1pf(2.0f * a / (1.0f - a)), x);
}

/* ---- roots and lengths ----------------------------------------------------------------------------------- */

/* A first guess by the hardware's approximations, made good by one step of Newton's method. */
__WARPBOOK_DEVICE float cbrtf(float x) {
  float a = fabsf(x), r = __exp2f(__log2f(a) * 0x1.555556p-2f);
  r = fmaf(fmaf(-r, r, a / r), 0x1.555556p-2f / r, r);
  return __warpbook_select((x == 0) | !isfinite(x), x, copysignf(r, x));
}
__WARPBOOK_DEVICE float rcbrtf(float x) { return 1.0f / cbrtf(x); }
/* In double, where the squares of floats neither round nor overflow. */
__WARPBOOK_DEVICE float hypotf(float x, float y) {
  double a = x, b = y;
  float r = (float)__dsqrt_rn(__fma_rn(a, a, b * b));
  return __warpbook_select(isinf(x) | isinf(y), __WARPBOOK_INFF, r);
}
__WARPBOOK_DEVICE float rhypotf(float x, float y) { return 1.0f / hypotf(x, y); }
__WARPBOOK_DEVICE float norm3df(float x, float y, float z) {
  double a = x, b = y, c = z;
  float r = (float)__dsqrt_rn(__fma_rn(a, a, __fma_rn(b, b, c * c)));
  return __warpbook_select(isinf(x) | isinf(y) | isinf(z), __WARPBOOK_INFF, r);
}
__WARPBOOK_DEVICE float rnorm3df(float x, float y, float z) { return 1.0f / norm3df(x, y, z); }

/* ---- the error function ------------------------------------------------------------------------------------ */

__WARPBOOK_DEVICE float __warpbook_erf_nearf(float x) {
  float z = x * x;
  float p = fmaf(z, -0x1.445f48p-17f, 0x1.d8875p-14f);
  p = fmaf(z, p, -0x1.bccf66p-11f);
  p = fmaf(z, p, 0x1.562a6p-8f);
  p = fmaf(z, p, -0x1.b829c8p-6f);
  p = fmaf(z, p, 0x1.ce2f08p-4f);
  p = fmaf(z, p, -0x1.812746p-2f);
  return copysignf(fmaf(x, 0x1.20dd76p+0f, x * fmaf(z, p, -0x1.f7ac92p-25f)), x);
}
/* erfc(a) = exp(-a^2) G(a) / (1 + 2a) for a from 1/2 on, where G is smooth in (a - 3) / (a + 3). */
__WARPBOOK_DEVICE float __warpbook_erfc_farf(float a) {
  float u = (a - 3.0f) / (a + 3.0f);
  float p = fmaf(u, -0x1.94b746p-13f, -0x1.6e0d5ap-11f);
  p = fmaf(u, p, 0x1.00cd38p-9f);
  p = fmaf(u, p, 0x1.490174p-9f);
  p = fmaf(u, p, -0x1.85c74ap-6f);
  p = fmaf(u, p, 0x1.17cc1ep-4f);
  p = fmaf(u, p, -0x1.e88924p-4f);
  p = fmaf(u, p, 0x1.09835ep-3f);
  p = fmaf(u, p, -0x1.85a18ep-5f);
  p = fmaf(u, p, -0x1.15c084p-3f);
  p = fmaf(u, p, 0x1.40c522p+0f);
  /* The square of a is rounded; exp of the part dropped is 1 minus that part. */
  float square = __fmul_rn(a, a), dropped = fmaf(a, a, -square);
  float e = __warpbook_expf(-square, 0);
  return fmaf(-e, dropped, e) * (p / fmaf(2.0f, a, 1.0f));
}
__WARPBOOK_DEVICE float erff(float x) {
  float a = fminf(fabsf(x), 10.0f);
  float far = copysignf(1.0f - __warpbook_erfc_farf(a), x);
  return __warpbook_select(isnan(x), x, __warpbook_select(a < 1.0f, __warpbook_erf_nearf(x), far));
}
__WARPBOOK_DEVICE float erfcf(float x) {
  float a = fminf(fabsf(x), 12.0f), far = __warpbook_erfc_farf(a);
  far = __warpbook_select(x < 0, 2.0f - far, far);
  float r = __warpbook_select(a < 0.5f, 1.0f - __warpbook_erf_nearf(x), far);
  return __warpbook_select(isnan(x), x, r);
}
__WARPBOOK_DEVICE float normcdff(float x) { return 0.5f * erfcf(x * -0x1.6a09e6p-1f); }
