/* exec/lane_float.c - small formats, directed rounding, approximate functions. */
#include "exec/lane_float.h"
#include "exec/approx.h"

#include <fenv.h>
#include <math.h>

const Format format_f16 = {5, 10, false}, format_bf16 = {8, 7, false}, format_tf32 = {8, 10, false},
             format_f32 = {8, 23, false}, format_e4m3 = {4, 3, true}, format_e5m2 = {5, 2, false};

/* ---- small formats --------------------------------------------------------------------------- */

static double power_of_two(int n) { /* 2^n for -1022 <= n <= 1023 */
  return f64_of((uint64_t)(n + 1023) << 52);
}

double small_to_double(Format f, uint32_t bits) {
  uint32_t fraction = bits & ((1u << f.fraction) - 1);
  uint32_t exponent = bits >> f.fraction & ((1u << f.exponent) - 1);
  int bias = (1 << (f.exponent - 1)) - 1;
  bool negative = bits >> (f.exponent + f.fraction) & 1;
  double v;
  bool special = exponent == (1u << f.exponent) - 1;
  if (special && (!f.finite || fraction == (1u << f.fraction) - 1))
    v = fraction ? f64_of(0x7ff8000000000000ull) : f64_of(0x7ff0000000000000ull);
  else if (exponent)
    v = (double)((1u << f.fraction) + fraction) * power_of_two((int)exponent - bias - f.fraction);
  else
    v = (double)fraction * power_of_two(1 - bias - f.fraction);
  return negative ? -v : v;
}

/* Should the magnitude go up, when `rest` (of 2^shift) is cut off? */
static bool rounds_up(Rounding mode, bool negative, uint64_t kept, uint64_t rest, int shift) {
  uint64_t half = 1ull << (shift - 1);
  switch (mode) {
  case ROUND_NEAREST: return rest > half || (rest == half && (kept & 1));
  case ROUND_AWAY: return rest >= half;
  case ROUND_UP: return rest && !negative;
  case ROUND_DOWN: return rest && negative;
  default: return false;
  }
}

uint32_t double_to_small(Format f, double v, Rounding mode) {
  uint64_t bits = bits_of_f64(v), magnitude = bits & 0x7fffffffffffffffull;
  bool negative = bits >> 63;
  int bias = (1 << (f.exponent - 1)) - 1, top = (1 << f.exponent) - 1;
  uint32_t sign = (uint32_t)negative << (f.exponent + f.fraction);
  uint32_t nan = (1u << (f.exponent + f.fraction)) - 1;
  uint32_t infinity = f.finite ? nan : (uint32_t)top << f.fraction; /* the first code too large */
  if (magnitude > 0x7ff0000000000000ull) return nan;
  if (magnitude == 0x7ff0000000000000ull) return sign | (infinity - f.finite);
  if (magnitude == 0) return sign;
  int exponent = (int)(magnitude >> 52) - 1023;
  uint64_t mantissa = (magnitude & 0xfffffffffffffull) | 0x10000000000000ull;
  if (magnitude >> 52 == 0)
    return sign | (rounds_up(mode, negative, 0, 1, 2) && mode != ROUND_NEAREST);
  int shift = 52 - f.fraction, field = exponent + bias;
  if (field < 1) { /* subnormal in the format */
    shift += 1 - field;
    field = 0;
  }
  if (shift > 62) shift = 62;
  uint64_t kept = mantissa >> shift, rest = mantissa & ((1ull << shift) - 1);
  kept += rounds_up(mode, negative, kept, rest, shift);
  uint64_t result = field ? kept + ((uint64_t)(field - 1) << f.fraction) : kept;
  if (result >= infinity) {
    bool to_infinity =
        !f.finite && (mode == ROUND_NEAREST || mode == ROUND_AWAY ||
                      (mode == ROUND_UP && !negative) || (mode == ROUND_DOWN && negative));
    return sign | (to_infinity ? infinity : infinity - 1);
  }
  return sign | (uint32_t)result;
}

bool is_tiny(Format f, double v, Rounding mode) {
  double smallest = power_of_two(2 - (1 << (f.exponent - 1))), m = v < 0 ? -v : v;
  bool away = (mode == ROUND_UP && v > 0) || (mode == ROUND_DOWN && v < 0);
  if (!(m < smallest) || m == 0) return false;
  if (away) return m <= smallest - smallest * power_of_two(-f.fraction - 1);
  return mode != ROUND_NEAREST || m < smallest - smallest * power_of_two(-f.fraction - 2);
}

/* Moves an inexact sum to the neighbour with an odd last bit, on the side of the exact value. */
static double to_odd(double sum, double error) {
  uint64_t bits = bits_of_f64(sum);
  if (error == 0 || error != error || (bits & 1) || sum == 0 || isinf(sum)) return sum;
  return f64_of((error > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

double add_to_odd(double a, double b) {
  double sum = a + b, b_part = sum - a, a_part = sum - b_part;
  return to_odd(sum, (a - a_part) + (b - b_part));
}

double fma_to_odd(double a, double b, double c) {
  return add_to_odd(a * b, c); /* a * b is exact */
}

/* ---- directed rounding ----------------------------------------------------------------------- */

static const int host_mode[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD, FE_TONEAREST};

/* The volatile operands keep the compiler from moving the arithmetic out of the changed mode. */
#define DEFINE_OP(NAME, T, FMA, SQRT)                                                              \
  T NAME(FloatOp op, Rounding mode, T a, T b, T c) {                                               \
    if (mode != ROUND_NEAREST) fesetround(host_mode[mode]);                                        \
    volatile T x = a, y = b, z = c, r;                                                             \
    switch (op) {                                                                                  \
    case F_ADD: r = x + y; break;                                                                  \
    case F_SUB: r = x - y; break;                                                                  \
    case F_MUL: r = x * y; break;                                                                  \
    case F_FMA: r = FMA(x, y, z); break;                                                           \
    case F_DIV: r = x / y; break;                                                                  \
    default: r = SQRT(x);                                                                          \
    }                                                                                              \
    if (mode != ROUND_NEAREST) fesetround(FE_TONEAREST);                                           \
    return r;                                                                                      \
  }
DEFINE_OP(f32_op, float, fmaf, sqrtf)
DEFINE_OP(f64_op, double, fma, sqrt)

double round_to_integer(double v, Rounding mode) {
  if (v != v || fabs(v) >= 4503599627370496.0) return v; /* 2^52: integral already */
  double whole = (double)(int64_t)v, rest = v - whole;   /* cut towards zero; both exact */
  switch (mode) {
  case ROUND_UP: whole += rest > 0; break;
  case ROUND_DOWN: whole -= rest < 0; break;
  case ROUND_NEAREST: {
    bool odd = (int64_t)whole & 1;
    if (rest > 0.5 || (rest == 0.5 && odd)) whole += 1;
    if (rest < -0.5 || (rest == -0.5 && odd)) whole -= 1;
    break;
  }
  default: break;
  }
  return whole == 0 ? copysign(0.0, v) : whole;
}

/* ---- approximations -------------------------------------------------------------------------- */

double approx_tanh(double x) {
  if (x != x || x == 0) return x;
  if (fabs(x) > 20) return x > 0 ? 1 : -1;
  if (fabs(x) < 1e-4) return x - x * x * x / 3;
  double e = approx_ex2(2 * x * 1.44269504088896340736);
  return (e - 1) / (e + 1);
}
