// Every maths function of the course's headers, as a __device__ function to be called by name.
#define ONE(NAME) extern "C" __device__ float test_##NAME##f(float x) { return NAME##f(x); } \
  extern "C" __device__ double test_##NAME(double x) { return NAME(x); }
#define TWO(NAME) extern "C" __device__ float test_##NAME##f(float x, float y) { return NAME##f(x, y); } \
  extern "C" __device__ double test_##NAME(double x, double y) { return NAME(x, y); }
ONE(acos) ONE(acosh) ONE(asin) ONE(asinh) ONE(atan) ONE(atanh) ONE(cbrt) ONE(ceil) ONE(cos) ONE(cosh) ONE(cospi) ONE(erf) ONE(erfc) ONE(exp) ONE(exp10)
ONE(exp2) ONE(expm1) ONE(fabs) ONE(floor) ONE(log) ONE(log10) ONE(log1p) ONE(log2) ONE(logb) ONE(nearbyint) ONE(normcdf) ONE(rcbrt) ONE(rint) ONE(round)
ONE(rsqrt) ONE(sin) ONE(sinh) ONE(sinpi) ONE(sqrt) ONE(tan) ONE(tanh) ONE(trunc)
TWO(atan2) TWO(copysign) TWO(fdim) TWO(fmax) TWO(fmin) TWO(fmod) TWO(hypot) TWO(pow) TWO(remainder) TWO(rhypot)
extern "C" __global__ void overloads(float *o, float a, double x, int n) {
  int e; float f; double d;
  o[0] = sin(a) + cos(a) + exp(a) + sqrt(a) + pow(a, a) + fabs(a) + abs(a) + max(a, 2.0f) + min(a, 1.0f) + floor(a) + fmod(a, 2.0f) + fma(a, a, a);
  o[1] = (float)(sin(x) + sqrt(n) + pow(n, 2) + pow(a, 2) + pow(x, 3) + abs(x) + max(x, 2.0) + max(a, x) + fmin(a, x) + log(n) + fma(x, x, x));
  o[2] = std::sqrt(a) + std::abs(a) + (float)std::pow(x, 2.0) + std::fabs(a) + isnan(a) + isinf(x) + isfinite(a) + signbit(x) + std::isnan(x);
  o[3] = ldexpf(a, n) + frexpf(a, &e) + modff(a, &f) + scalbnf(a, n) + ilogbf(a) + (float)(ldexp(x, n) + frexp(x, &e) + modf(x, &d) + ilogb(x)) + e + f + (float)d;
  sincosf(a, &o[4], &o[5]); sincospif(a, &o[6], &o[7]); sincos(x, &d, &d);
  o[8] = lrintf(a) + lroundf(a) + llrint(x) + llround(x) + norm3df(a, a, a) + (float)norm3d(x, x, x) + INFINITY + NAN + M_PI + __frsqrt_rn(a) + fdividef(a, a);
}
