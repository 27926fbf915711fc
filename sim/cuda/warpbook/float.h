/* warpbook/float.h - the intrinsics of floating point: arithmetic with a rounding mode, the fast
 * approximations of the hardware, conversions, reinterpretation of bits. */
#pragma once

/* ---- bits as another type ------------------------------------------------------------------------ */

#define __WARPBOOK_BITS(NAME, TO, FROM)                                                            \
  __WARPBOOK_DEVICE TO NAME(FROM v) { return __builtin_bit_cast(TO, v); }
__WARPBOOK_BITS(__int_as_float, float, int)
__WARPBOOK_BITS(__float_as_int, int, float)
__WARPBOOK_BITS(__uint_as_float, float, unsigned)
__WARPBOOK_BITS(__float_as_uint, unsigned, float)
__WARPBOOK_BITS(__longlong_as_double, double, long long)
__WARPBOOK_BITS(__double_as_longlong, long long, double)
__WARPBOOK_BITS(__ull_as_double, double, unsigned long long)
__WARPBOOK_BITS(__double_as_ull, unsigned long long, double)
#undef __WARPBOOK_BITS
__WARPBOOK_DEVICE int __double2hiint(double v) {
  return (int)(__builtin_bit_cast(unsigned long long, v) >> 32);
}
__WARPBOOK_DEVICE int __double2loint(double v) {
  return (int)__builtin_bit_cast(unsigned long long, v);
}
__WARPBOOK_DEVICE double __hiloint2double(int high, int low) {
  return __builtin_bit_cast(double, (unsigned long long)(unsigned)high << 32 | (unsigned)low);
}

/* ---- arithmetic with a rounding mode: n(earest even), z(ero), d(own), u(p) ----------------------- */

/* For each of CUDA's suffixes the one of the builtin. */
#define __WARPBOOK_ROUNDED1(NAME, T, OP, S)                                                        \
  __WARPBOOK_DEVICE T NAME##_rn(T a) { return __nvvm_##OP##_rn_##S(a); }                           \
  __WARPBOOK_DEVICE T NAME##_rz(T a) { return __nvvm_##OP##_rz_##S(a); }                           \
  __WARPBOOK_DEVICE T NAME##_rd(T a) { return __nvvm_##OP##_rm_##S(a); }                           \
  __WARPBOOK_DEVICE T NAME##_ru(T a) { return __nvvm_##OP##_rp_##S(a); }
#define __WARPBOOK_ROUNDED2(NAME, T, OP, S)                                                        \
  __WARPBOOK_DEVICE T NAME##_rn(T a, T b) { return __nvvm_##OP##_rn_##S(a, b); }                   \
  __WARPBOOK_DEVICE T NAME##_rz(T a, T b) { return __nvvm_##OP##_rz_##S(a, b); }                   \
  __WARPBOOK_DEVICE T NAME##_rd(T a, T b) { return __nvvm_##OP##_rm_##S(a, b); }                   \
  __WARPBOOK_DEVICE T NAME##_ru(T a, T b) { return __nvvm_##OP##_rp_##S(a, b); }
#define __WARPBOOK_ROUNDED3(NAME, T, OP, S)                                                        \
  __WARPBOOK_DEVICE T NAME##_rn(T a, T b, T c) { return __nvvm_##OP##_rn_##S(a, b, c); }           \
  __WARPBOOK_DEVICE T NAME##_rz(T a, T b, T c) { return __nvvm_##OP##_rz_##S(a, b, c); }           \
  __WARPBOOK_DEVICE T NAME##_rd(T a, T b, T c) { return __nvvm_##OP##_rm_##S(a, b, c); }           \
  __WARPBOOK_DEVICE T NAME##_ru(T a, T b, T c) { return __nvvm_##OP##_rp_##S(a, b, c); }
__WARPBOOK_ROUNDED2(__fadd, float, add, f)
__WARPBOOK_ROUNDED2(__dadd, double, add, d)
__WARPBOOK_ROUNDED2(__fmul, float, mul, f)
__WARPBOOK_ROUNDED2(__dmul, double, mul, d)
__WARPBOOK_ROUNDED2(__fdiv, float, div, f)
__WARPBOOK_ROUNDED2(__ddiv, double, div, d)
__WARPBOOK_ROUNDED3(__fmaf, float, fma, f)
__WARPBOOK_ROUNDED3(__fma, double, fma, d)
__WARPBOOK_ROUNDED1(__frcp, float, rcp, f)
__WARPBOOK_ROUNDED1(__drcp, double, rcp, d)
__WARPBOOK_ROUNDED1(__fsqrt, float, sqrt, f)
__WARPBOOK_ROUNDED1(__dsqrt, double, sqrt, d)
#undef __WARPBOOK_ROUNDED1
#undef __WARPBOOK_ROUNDED2
#undef __WARPBOOK_ROUNDED3

#define __WARPBOOK_SUB(MODE)                                                                       \
  __WARPBOOK_DEVICE float __fsub_##MODE(float a, float b) { return __fadd_##MODE(a, -b); }         \
  __WARPBOOK_DEVICE double __dsub_##MODE(double a, double b) { return __dadd_##MODE(a, -b); }
__WARPBOOK_SUB(rn)
__WARPBOOK_SUB(rz)
__WARPBOOK_SUB(rd)
__WARPBOOK_SUB(ru)
#undef __WARPBOOK_SUB

/* ---- the hardware's fast approximations ------------------------------------------------------------ */

__WARPBOOK_DEVICE float __frsqrt_rn(float a) { return __nvvm_rsqrt_approx_f(a); }
__WARPBOOK_DEVICE float __fdividef(float a, float b) { return __nvvm_div_approx_f(a, b); }
__WARPBOOK_DEVICE float __saturatef(float a) {
  float r;
  asm("cvt.sat.f32.f32 %0, %1;" : "=f"(r) : "f"(a));
  return r;
}
__WARPBOOK_DEVICE float __sinf(float a) { return __nvvm_sin_approx_f(a); }
__WARPBOOK_DEVICE float __cosf(float a) { return __nvvm_cos_approx_f(a); }
__WARPBOOK_DEVICE void __sincosf(float a, float *s, float *c) {
  *s = __nvvm_sin_approx_f(a);
  *c = __nvvm_cos_approx_f(a);
}
__WARPBOOK_DEVICE float __tanf(float a) {
  return __nvvm_div_approx_f(__nvvm_sin_approx_f(a), __nvvm_cos_approx_f(a));
}
__WARPBOOK_DEVICE float __tanhf(float a) {
  float r;
  asm("tanh.approx.f32 %0, %1;" : "=f"(r) : "f"(a));
  return r;
}
__WARPBOOK_DEVICE float __exp2f(float a) { return __nvvm_ex2_approx_f(a); }
__WARPBOOK_DEVICE float __expf(float a) { return __nvvm_ex2_approx_f(a * 0x1.715476p+0f); }
__WARPBOOK_DEVICE float __exp10f(float a) { return __nvvm_ex2_approx_f(a * 0x1.a934f0p+1f); }
__WARPBOOK_DEVICE float __log2f(float a) { return __nvvm_lg2_approx_f(a); }
__WARPBOOK_DEVICE float __logf(float a) { return __nvvm_lg2_approx_f(a) * 0x1.62e430p-1f; }
__WARPBOOK_DEVICE float __log10f(float a) { return __nvvm_lg2_approx_f(a) * 0x1.344136p-2f; }
__WARPBOOK_DEVICE float __powf(float a, float b) {
  return __nvvm_ex2_approx_f(b * __nvvm_lg2_approx_f(a));
}

/* ---- conversions ------------------------------------------------------------------------------------ */

/* From floating point to integers: cvt.rni, .rzi, .rmi, .rpi. */
#define __WARPBOOK_TO_INT(NAME, TO, RT, PTX_TO, FROM, RF, PTX_FROM)                                \
  __WARPBOOK_CONVERT(NAME##_rn, TO, RT, "rni." PTX_TO "." PTX_FROM, FROM, RF)                      \
  __WARPBOOK_CONVERT(NAME##_rz, TO, RT, "rzi." PTX_TO "." PTX_FROM, FROM, RF)                      \
  __WARPBOOK_CONVERT(NAME##_rd, TO, RT, "rmi." PTX_TO "." PTX_FROM, FROM, RF)                      \
  __WARPBOOK_CONVERT(NAME##_ru, TO, RT, "rpi." PTX_TO "." PTX_FROM, FROM, RF)
/* To floating point: cvt.rn, .rz, .rm, .rp. */
#define __WARPBOOK_TO_FLOAT(NAME, TO, RT, PTX_TO, FROM, RF, PTX_FROM)                              \
  __WARPBOOK_CONVERT(NAME##_rn, TO, RT, "rn." PTX_TO "." PTX_FROM, FROM, RF)                       \
  __WARPBOOK_CONVERT(NAME##_rz, TO, RT, "rz." PTX_TO "." PTX_FROM, FROM, RF)                       \
  __WARPBOOK_CONVERT(NAME##_rd, TO, RT, "rm." PTX_TO "." PTX_FROM, FROM, RF)                       \
  __WARPBOOK_CONVERT(NAME##_ru, TO, RT, "rp." PTX_TO "." PTX_FROM, FROM, RF)
#define __WARPBOOK_CONVERT(NAME, TO, RT, SUFFIX, FROM, RF)                                         \
  __WARPBOOK_DEVICE TO NAME(FROM a) {                                                              \
    TO r;                                                                                          \
    asm("cvt." SUFFIX " %0, %1;" : "=" RT(r) : RF(a));                                             \
    return r;                                                                                      \
  }
__WARPBOOK_TO_INT(__float2int, int, "r", "s32", float, "f", "f32")
__WARPBOOK_TO_INT(__float2uint, unsigned, "r", "u32", float, "f", "f32")
__WARPBOOK_TO_INT(__float2ll, long long, "l", "s64", float, "f", "f32")
__WARPBOOK_TO_INT(__float2ull, unsigned long long, "l", "u64", float, "f", "f32")
__WARPBOOK_TO_INT(__double2int, int, "r", "s32", double, "d", "f64")
__WARPBOOK_TO_INT(__double2uint, unsigned, "r", "u32", double, "d", "f64")
__WARPBOOK_TO_INT(__double2ll, long long, "l", "s64", double, "d", "f64")
__WARPBOOK_TO_INT(__double2ull, unsigned long long, "l", "u64", double, "d", "f64")
__WARPBOOK_TO_FLOAT(__int2float, float, "f", "f32", int, "r", "s32")
__WARPBOOK_TO_FLOAT(__uint2float, float, "f", "f32", unsigned, "r", "u32")
__WARPBOOK_TO_FLOAT(__ll2float, float, "f", "f32", long long, "l", "s64")
__WARPBOOK_TO_FLOAT(__ull2float, float, "f", "f32", unsigned long long, "l", "u64")
__WARPBOOK_TO_FLOAT(__ll2double, double, "d", "f64", long long, "l", "s64")
__WARPBOOK_TO_FLOAT(__ull2double, double, "d", "f64", unsigned long long, "l", "u64")
__WARPBOOK_TO_FLOAT(__double2float, float, "f", "f32", double, "d", "f64")
__WARPBOOK_CONVERT(__int2double_rn, double, "d", "rn.f64.s32", int, "r")
__WARPBOOK_CONVERT(__uint2double_rn, double, "d", "rn.f64.u32", unsigned, "r")
#undef __WARPBOOK_TO_INT
#undef __WARPBOOK_TO_FLOAT
#undef __WARPBOOK_CONVERT
