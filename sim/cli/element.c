/* cli/element.c - one value of a buffer or of a scalar argument. */
#include "cli/element.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const ElementType element_types[] = {
    {"i8", 1, EL_SIGNED, 0},    {"u8", 1, EL_UNSIGNED, 0},  {"i16", 2, EL_SIGNED, 0},
    {"u16", 2, EL_UNSIGNED, 0}, {"i32", 4, EL_SIGNED, 0},   {"u32", 4, EL_UNSIGNED, 0},
    {"i64", 8, EL_SIGNED, 0},   {"u64", 8, EL_UNSIGNED, 0}, {"f16", 2, EL_FLOAT, 5},
    {"bf16", 2, EL_FLOAT, 8},   {"f32", 4, EL_FLOAT, 8},    {"f64", 8, EL_FLOAT, 11},
};
const size_t element_type_count = sizeof element_types / sizeof *element_types;

const ElementType *element_type(Span name) {
  for (size_t i = 0; i < element_type_count; i++)
    if (span_is(name, element_types[i].name)) return &element_types[i];
  return NULL;
}

/* ---- floats of any width ------------------------------------------------------------------- */

static int mantissa_bits(const ElementType *t) { return 8 * t->bytes - 1 - t->exponent_bits; }
static int exponent_bias(const ElementType *t) { return (1 << (t->exponent_bits - 1)) - 1; }

/* Rounds a double to a 16-bit float, to nearest, ties to even. */
static uint64_t narrow(const ElementType *t, double v) {
  int mantissa = mantissa_bits(t), bias = exponent_bias(t);
  uint64_t sign = signbit(v) ? 1ull << (8 * t->bytes - 1) : 0;
  uint64_t infinity = ((1ull << t->exponent_bits) - 1) << mantissa;
  if (isnan(v)) return sign | infinity | 1ull << (mantissa - 1);
  if (isinf(v)) return sign | infinity;
  int e;
  frexp(v, &e); /* |v| is in [2^(e-1), 2^e) */
  int exponent = e - 1 < 1 - bias ? 1 - bias : e - 1;
  uint64_t steps = (uint64_t)nearbyint(ldexp(fabs(v), mantissa - exponent));
  /* A normal number's leading one, and a carry out of the rounding, add to the exponent field. */
  uint64_t bits = ((uint64_t)(exponent + bias - 1) << mantissa) + steps;
  if (v == 0) bits = 0;
  return sign | (bits < infinity ? bits : infinity);
}

static double widen(const ElementType *t, uint64_t bits) {
  int mantissa = mantissa_bits(t), bias = exponent_bias(t);
  uint64_t field = bits >> mantissa & ((1ull << t->exponent_bits) - 1);
  uint64_t fraction = bits & ((1ull << mantissa) - 1);
  double v;
  if (field == (1ull << t->exponent_bits) - 1)
    v = fraction ? (double)NAN : (double)INFINITY;
  else if (field == 0)
    v = ldexp((double)fraction, 1 - bias - mantissa);
  else
    v = ldexp((double)(fraction | 1ull << mantissa), (int)field - bias - mantissa);
  return bits >> (8 * t->bytes - 1) & 1 ? -v : v;
}

uint64_t element_from_double(const ElementType *type, double value) {
  uint64_t bits = 0;
  float single = (float)value;
  if (type->bytes == 8)
    memcpy(&bits, &value, sizeof value);
  else if (type->bytes == 4)
    memcpy(&bits, &single, sizeof single);
  else
    bits = narrow(type, value);
  return bits;
}

static double to_double(const ElementType *type, const uint8_t *at) {
  double d;
  float f;
  uint16_t h;
  switch (type->bytes) {
  case 8: memcpy(&d, at, sizeof d); return d;
  case 4: memcpy(&f, at, sizeof f); return (double)f;
  default: memcpy(&h, at, sizeof h); return widen(type, h);
  }
}

/* ---- reading ------------------------------------------------------------------------------- */

static uint64_t low_bits(const ElementType *type, uint64_t v) {
  return v & (UINT64_MAX >> (64 - 8 * type->bytes));
}

static bool parse_integer(const ElementType *type, const char *text, uint64_t *bits,
                          const char **why) {
  bool negative = text[0] == '-';
  char *end;
  errno = 0;
  /* Base 0: decimal, 0x hexadecimal, 0 octal, as in C. */
  int64_t s = negative ? strtoll(text, &end, 0) : 0;
  uint64_t u = negative ? (uint64_t)s : strtoull(text, &end, 0);
  if (end == text || *end) {
    *why = "is not an integer";
    return false;
  }
  int bits_wide = 8 * type->bytes;
  bool fits = bits_wide == 64 || (negative ? s >= -(1ll << (bits_wide - 1)) : u >> bits_wide == 0);
  *why = "does not fit";
  *bits = low_bits(type, u);
  return errno != ERANGE && fits;
}

bool element_parse(const ElementType *type, Span text, uint64_t *bits, const char **why) {
  char copy[80];
  *why = type->kind == EL_FLOAT ? "is not a number" : "is not an integer";
  if (text.length == 0 || text.length >= sizeof copy) return false;
  memcpy(copy, text.at, text.length);
  copy[text.length] = '\0';
  if (!strchr("+-.0123456789infaINFA", copy[0])) return false; /* strtod would skip blanks */
  if (type->kind != EL_FLOAT) return parse_integer(type, copy, bits, why);
  char *end;
  double v = strtod(copy, &end);
  *bits = element_from_double(type, v);
  return *end == '\0';
}

uint64_t element_from_integer(const ElementType *type, uint64_t value) {
  return type->kind == EL_FLOAT ? element_from_double(type, (double)value) : low_bits(type, value);
}

void element_store(const ElementType *type, uint8_t *at, uint64_t bits) {
  memcpy(at, &bits, type->bytes); /* the host is little-endian, as the device is */
}

/* ---- printing ------------------------------------------------------------------------------ */

static uint64_t load(const ElementType *type, const uint8_t *at) {
  uint64_t bits = 0;
  memcpy(&bits, at, type->bytes);
  return bits;
}

static void print_integer(Text *out, const ElementType *type, const uint8_t *at) {
  uint64_t bits = load(type, at);
  int unused = 64 - 8 * type->bytes;
  if (type->kind == EL_SIGNED)
    text_add(out, "%lld", (long long)((int64_t)(bits << unused) >> unused));
  else
    text_add(out, "%llu", (unsigned long long)bits);
}

void element_print_exact(Text *out, const ElementType *type, const uint8_t *at) {
  if (type->kind == EL_FLOAT)
    text_add(out, "%a", to_double(type, at));
  else
    print_integer(out, type, at);
}

static void print_shortest(Text *out, const ElementType *type, const uint8_t *at) {
  double v = to_double(type, at);
  char digits[40];
  for (int precision = 1; precision <= 17; precision++) {
    snprintf(digits, sizeof digits, "%.*g", precision, v);
    if (element_from_double(type, strtod(digits, NULL)) == load(type, at)) break;
  }
  text_add(out, "%s", digits);
}

void element_print(Text *out, const ElementType *type, const uint8_t *at) {
  if (type->kind != EL_FLOAT)
    print_integer(out, type, at);
  else if (isnan(to_double(type, at)))
    text_add(out, "nan");
  else
    print_shortest(out, type, at);
}

void element_print_json(Text *out, const ElementType *type, const uint8_t *at) {
  bool quote = type->kind == EL_FLOAT && !isfinite(to_double(type, at));
  if (quote) text_add(out, "\"");
  element_print(out, type, at);
  if (quote) text_add(out, "\"");
}
