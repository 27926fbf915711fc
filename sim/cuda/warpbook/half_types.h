/* warpbook/half_types.h - a 16-bit floating-point type H, its pair H2, and their conversions.
 * Included once for each such type, with the names as macros; hence no include guard. */

/* ---- float to H, in the host's code only declared: it does not run ------------------------------ */

struct __WARPBOOK_H;
__attribute__((host)) float __WARPBOOK_NAME(__, 2float)(__WARPBOOK_H v);
__attribute__((host)) unsigned short __WARPBOOK_NAME(__warpbook_to_, )(float v);
__WARPBOOK_DEVICE unsigned short __WARPBOOK_NAME(__warpbook_to_, )(float v) {
  unsigned short r;
  asm("cvt.rn." __WARPBOOK_PTX ".f32 %0, %1;" : "=h"(r) : "f"(v));
  return r;
}
__WARPBOOK_DEVICE float __WARPBOOK_NAME(__, 2float)(__WARPBOOK_H v);

struct __align__(2) __WARPBOOK_H {
  unsigned short __x;
  __WARPBOOK_H() = default;
  __WARPBOOK_MEMBER __WARPBOOK_H(float v) : __x(__WARPBOOK_NAME(__warpbook_to_, )(v)) {}
  __WARPBOOK_MEMBER __WARPBOOK_H(double v) : __WARPBOOK_H((float)v) {}
  __WARPBOOK_MEMBER __WARPBOOK_H(int v) : __WARPBOOK_H((float)v) {}
  __WARPBOOK_MEMBER __WARPBOOK_H(unsigned v) : __WARPBOOK_H((float)v) {}
  __WARPBOOK_MEMBER __WARPBOOK_H(short v) : __WARPBOOK_H((float)v) {}
  __WARPBOOK_MEMBER __WARPBOOK_H(unsigned short v) : __WARPBOOK_H((float)v) {}
  __WARPBOOK_MEMBER __WARPBOOK_H(long long v) : __WARPBOOK_H((float)v) {}
  __WARPBOOK_MEMBER __WARPBOOK_H(unsigned long long v) : __WARPBOOK_H((float)v) {}
  __WARPBOOK_MEMBER operator float() const { return __WARPBOOK_NAME(__, 2float)(*this); }
  __WARPBOOK_MEMBER __WARPBOOK_H &operator=(float v) { return *this = __WARPBOOK_H(v); }
  __WARPBOOK_MEMBER __WARPBOOK_H &operator=(double v) { return *this = __WARPBOOK_H(v); }
  __WARPBOOK_MEMBER __WARPBOOK_H &operator=(int v) { return *this = __WARPBOOK_H(v); }
};

/* Copied as one word; see vector_types.h. */
struct __attribute__((trivial_abi)) __align__(4) __WARPBOOK_H2 {
  __WARPBOOK_H x, y;
  __WARPBOOK_H2() = default;
  __WARPBOOK_MEMBER __WARPBOOK_H2(const __WARPBOOK_H2 &v) {
    *(__warpbook_word *)this = *(const __warpbook_word *)&v;
  }
  __WARPBOOK_MEMBER __WARPBOOK_H2 &operator=(const __WARPBOOK_H2 &v) {
    *(__warpbook_word *)this = *(const __warpbook_word *)&v;
    return *this;
  }
  __WARPBOOK_MEMBER __WARPBOOK_H2(__WARPBOOK_H a, __WARPBOOK_H b) : x(a), y(b) {}
};

/* ---- bits ---------------------------------------------------------------------------------------- */

__WARPBOOK_BOTH __WARPBOOK_H __WARPBOOK_NAME(__ushort_as_, )(unsigned short v) {
  return __builtin_bit_cast(__WARPBOOK_H, v);
}
__WARPBOOK_BOTH __WARPBOOK_H __WARPBOOK_NAME(__short_as_, )(short v) {
  return __builtin_bit_cast(__WARPBOOK_H, v);
}
__WARPBOOK_BOTH unsigned short __WARPBOOK_NAME(__, _as_ushort)(__WARPBOOK_H v) { return v.__x; }
__WARPBOOK_BOTH short __WARPBOOK_NAME(__, _as_short)(__WARPBOOK_H v) { return (short)v.__x; }
/* A pair as one register, the first element in its lower half. */
__WARPBOOK_DEVICE unsigned __warpbook_pair(__WARPBOOK_H2 v) {
  return (unsigned)*(const __warpbook_word *)&v;
}
__WARPBOOK_DEVICE __WARPBOOK_H2 __WARPBOOK_NAME2(__warpbook_as_, )(unsigned bits) {
  __WARPBOOK_H2 r;
  *(__warpbook_word *)&r = (int)bits;
  return r;
}

/* ---- conversions ------------------------------------------------------------------------------------ */

/* float has every number of the type. */
__WARPBOOK_DEVICE float __WARPBOOK_NAME(__, 2float)(__WARPBOOK_H v) {
  if (sizeof(__WARPBOOK_PTX) == sizeof "bf16") return __uint_as_float((unsigned)v.__x << 16);
  float r;
  asm("cvt.f32.f16 %0, %1;" : "=f"(r) : "h"(v.__x));
  return r;
}
__WARPBOOK_BOTH __WARPBOOK_H __WARPBOOK_NAME(__float2, )(float v) { return __WARPBOOK_H(v); }
__WARPBOOK_BOTH __WARPBOOK_H __WARPBOOK_NAME(__float2, _rn)(float v) { return __WARPBOOK_H(v); }
__WARPBOOK_BOTH __WARPBOOK_H __WARPBOOK_NAME(__double2, )(double v) { return __WARPBOOK_H(v); }
__WARPBOOK_DEVICE __WARPBOOK_H __WARPBOOK_NAME(__float2, _rz)(float v) {
  __WARPBOOK_H r;
  asm("cvt.rz." __WARPBOOK_PTX ".f32 %0, %1;" : "=h"(r.__x) : "f"(v));
  return r;
}

#define __WARPBOOK_INT(T, NAME)                                                                    \
  __WARPBOOK_DEVICE T __WARPBOOK_NAME(__, 2##NAME##_rn)(__WARPBOOK_H v) {                          \
    return __float2##NAME##_rn((float)v);                                                          \
  }                                                                                                \
  __WARPBOOK_DEVICE T __WARPBOOK_NAME(__, 2##NAME##_rz)(__WARPBOOK_H v) {                          \
    return __float2##NAME##_rz((float)v);                                                          \
  }                                                                                                \
  __WARPBOOK_DEVICE T __WARPBOOK_NAME(__, 2##NAME##_rd)(__WARPBOOK_H v) {                          \
    return __float2##NAME##_rd((float)v);                                                          \
  }                                                                                                \
  __WARPBOOK_DEVICE T __WARPBOOK_NAME(__, 2##NAME##_ru)(__WARPBOOK_H v) {                          \
    return __float2##NAME##_ru((float)v);                                                          \
  }                                                                                                \
  __WARPBOOK_DEVICE __WARPBOOK_H __WARPBOOK_NAME(__##NAME##2, _rn)(T v) { return __WARPBOOK_H(v); }
__WARPBOOK_INT(int, int)
__WARPBOOK_INT(unsigned, uint)
__WARPBOOK_INT(long long, ll)
__WARPBOOK_INT(unsigned long long, ull)
#undef __WARPBOOK_INT

__WARPBOOK_BOTH __WARPBOOK_H2 __WARPBOOK_NAME2(__float2, _rn)(float v) {
  return __WARPBOOK_H2(v, v);
}
__WARPBOOK_BOTH __WARPBOOK_H2 __WARPBOOK_NAME2(__floats2, _rn)(float a, float b) {
  return __WARPBOOK_H2(a, b);
}
__WARPBOOK_BOTH __WARPBOOK_H2 __WARPBOOK_NAME2(__float22, _rn)(float2 v) {
  return __WARPBOOK_H2(v.x, v.y);
}
__WARPBOOK_BOTH float2 __WARPBOOK_NAME2(__, 2float2)(__WARPBOOK_H2 v) {
  return float2{(float)v.x, (float)v.y};
}
__WARPBOOK_BOTH float __low2float(__WARPBOOK_H2 v) { return v.x; }
__WARPBOOK_BOTH float __high2float(__WARPBOOK_H2 v) { return v.y; }

/* ---- taking pairs apart and together ------------------------------------------------------------- */

__WARPBOOK_BOTH __WARPBOOK_H __WARPBOOK_NAME(__low2, )(__WARPBOOK_H2 v) { return v.x; }
__WARPBOOK_BOTH __WARPBOOK_H __WARPBOOK_NAME(__high2, )(__WARPBOOK_H2 v) { return v.y; }
__WARPBOOK_BOTH __WARPBOOK_H2 __WARPBOOK_NAME2(__low2, )(__WARPBOOK_H2 v) {
  return __WARPBOOK_H2(v.x, v.x);
}
__WARPBOOK_BOTH __WARPBOOK_H2 __WARPBOOK_NAME2(__high2, )(__WARPBOOK_H2 v) {
  return __WARPBOOK_H2(v.y, v.y);
}
__WARPBOOK_BOTH __WARPBOOK_H2 __WARPBOOK_NAME2(__lows2, )(__WARPBOOK_H2 a, __WARPBOOK_H2 b) {
  return __WARPBOOK_H2(a.x, b.x);
}
__WARPBOOK_BOTH __WARPBOOK_H2 __WARPBOOK_NAME2(__highs2, )(__WARPBOOK_H2 a, __WARPBOOK_H2 b) {
  return __WARPBOOK_H2(a.y, b.y);
}
__WARPBOOK_BOTH __WARPBOOK_H2 __lowhigh2highlow(__WARPBOOK_H2 v) { return __WARPBOOK_H2(v.y, v.x); }
__WARPBOOK_BOTH __WARPBOOK_H2 __WARPBOOK_NAME2(make_, )(__WARPBOOK_H a, __WARPBOOK_H b) {
  return __WARPBOOK_H2(a, b);
}
__WARPBOOK_BOTH __WARPBOOK_H2 __WARPBOOK_NAME2(__halves2, )(__WARPBOOK_H a, __WARPBOOK_H b) {
  return __WARPBOOK_H2(a, b);
}
