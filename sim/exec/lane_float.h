/* exec/lane_float.h - the floating point of one lane, on bit patterns: small formats, directed
 * rounding, flushing, and the approximate functions, none of which asks the host's mathematics
 * library, so results are the same everywhere. */
#ifndef WARPBOOK_EXEC_LANE_FLOAT_H
#define WARPBOOK_EXEC_LANE_FLOAT_H

#include <stdbool.h>
#include <stdint.h>

typedef enum Rounding { ROUND_NEAREST, ROUND_ZERO, ROUND_DOWN, ROUND_UP, ROUND_AWAY } Rounding;

static inline float f32_of(uint32_t bits) {
  union {
    uint32_t u;
    float f;
  } v = {bits};
  return v.f;
}
static inline uint32_t bits_of_f32(float f) {
  union {
    float f;
    uint32_t u;
  } v = {f};
  return v.u;
}
static inline double f64_of(uint64_t bits) {
  union {
    uint64_t u;
    double f;
  } v = {bits};
  return v.f;
}
static inline uint64_t bits_of_f64(double f) {
  union {
    double f;
    uint64_t u;
  } v = {f};
  return v.u;
}

/* A format of at most 32 bits: sign, exponent bits, fraction bits. */
typedef struct Format {
  int exponent, fraction;
  bool finite; /* no infinities: all bits set is the only NaN, and what is too large is clamped */
} Format;
extern const Format format_f16, format_bf16, format_tf32, format_f32, format_e4m3, format_e5m2;

/* Exact. A NaN gives a NaN. */
double small_to_double(Format f, uint32_t bits);
/* Rounds once; overflow goes to infinity or the largest number as the mode says. A NaN gives the
 * format's canonical NaN (all bits of exponent and fraction set). */
uint32_t double_to_small(Format f, double v, Rounding mode);

/* Does .ftz flush `v`? It asks whether v, rounded as if exponents had no lower end, lies below the
 * smallest normal number (measured; a zero is not tiny). */
bool is_tiny(Format f, double v, Rounding mode);

/* a + b and a * b + c as doubles rounded to odd, so that rounding again to a format of at most 24
 * bits gives what rounding the exact value would. */
double add_to_odd(double a, double b);
double fma_to_odd(double a, double b, double c);

/* An operation in f32 or f64 under a rounding mode. */
typedef enum FloatOp { F_ADD, F_SUB, F_MUL, F_FMA, F_DIV, F_SQRT } FloatOp;
float f32_op(FloatOp op, Rounding mode, float a, float b, float c);
double f64_op(FloatOp op, Rounding mode, double a, double b, double c);

/* Integral value in a mode; `v` may be anything. */
double round_to_integer(double v, Rounding mode);

/* The hyperbolic tangent, correct to well within a float's last place. */
double approx_tanh(double x);

#endif
