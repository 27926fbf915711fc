/* exec/lane_eval.c - the less common arithmetic, one lane at a time: the function looks at the
 * instruction's types and modifiers while it runs. A value is its bit pattern in 64 bits. */
#include <math.h>
#include <string.h>

#include "exec/approx.h"
#include "exec/lane_float.h"
#include "exec/lanes.h"

/* ---- operands -------------------------------------------------------------------------------- */

static void put(void *lanes, int bytes, int l, uint64_t v) {
  memcpy((uint8_t *)lanes + (size_t)l * (size_t)bytes, &v, (size_t)bytes);
}

static void put_bit(Mask *m, int l, bool bit) { *m = bit ? *m | 1u << l : *m & ~(1u << l); }

static uint64_t mask64(uint64_t bits) { return bits < 64 ? (1ull << bits) - 1 : ~0ull; }

static int64_t sign_extend(uint64_t v, int bits) {
  return bits >= 64 ? (int64_t)v : (int64_t)(v << (64 - bits)) >> (64 - bits);
}

/* The value of an integer type in 64 bits, extended by its sign. */
static uint64_t extend(PtxType t, uint64_t v) {
  int bits = type_bits(t);
  if (bits >= 64) return v;
  return type_is_signed(t) ? (uint64_t)sign_extend(v, bits) : v & ((1ull << bits) - 1);
}

static Rounding rounding_of(const Inst *in) {
  switch (in->mod[MC_ROUND]) {
  case MOD_ROUND_RZ:
  case MOD_ROUND_RZI: return ROUND_ZERO;
  case MOD_ROUND_RM:
  case MOD_ROUND_RMI: return ROUND_DOWN;
  case MOD_ROUND_RP:
  case MOD_ROUND_RPI: return ROUND_UP;
  case MOD_ROUND_RNA: return ROUND_AWAY;
  default: return ROUND_NEAREST;
  }
}

static bool combine(const Inst *in, bool r, bool c) {
  switch (in->mod[MC_BOOL]) {
  case MOD_BOOL_AND: return r && c;
  case MOD_BOOL_OR: return r || c;
  case MOD_BOOL_XOR: return r != c;
  default: return r;
  }
}

/* ---- integers -------------------------------------------------------------------------------- */

static uint64_t high_product(PtxType t, uint64_t a, uint64_t b) {
  int bits = type_bits(t);
  if (bits < 64) return (a * b) >> bits; /* extended operands: 64 bits hold the product */
  if (type_is_signed(t)) return (uint64_t)((int128_t)(int64_t)a * (int64_t)b >> 64);
  return (uint64_t)((uint128_t)a * b >> 64);
}

static uint64_t product(const Inst *in, uint64_t a, uint64_t b) {
  return inst_is(in, MC_HALF, MOD_HALF_HI) ? high_product(in->type, a, b) : a * b;
}

/* mul24, mad24: products of the operands' low 24 bits; .hi takes bits 16 to 47 of 48. */
static uint64_t product24(const Inst *in, uint64_t a, uint64_t b) {
  bool s = type_is_signed(in->type);
  a = s ? (uint64_t)sign_extend(a, 24) : a & 0xffffff;
  b = s ? (uint64_t)sign_extend(b, 24) : b & 0xffffff;
  return inst_is(in, MC_HALF, MOD_HALF_HI) ? a * b >> 16 : a * b;
}

static uint64_t saturate_s32(int64_t v) {
  return (uint64_t)(v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : v);
}

static uint64_t divide(const Inst *in, uint64_t a, uint64_t b, bool *by_zero) {
  bool rem = in->op == OP_REM;
  *by_zero = b == 0;
  if (b == 0) return ~0ull; /* of both, measured; PTX leaves it open */
  if (!type_is_signed(in->type)) return rem ? a % b : a / b;
  if ((int64_t)b == -1) return rem ? 0 : 0 - a;
  return (uint64_t)(rem ? (int64_t)a % (int64_t)b : (int64_t)a / (int64_t)b);
}

static uint64_t int_min_max(const Inst *in, uint64_t a, uint64_t b) {
  bool s = type_is_signed(in->type), a_less = s ? (int64_t)a < (int64_t)b : a < b;
  uint64_t r = (in->op == OP_MIN) == a_less ? a : b;
  return inst_has(in, MC_RELU) && (int64_t)r < 0 ? 0 : r;
}

static int leading_zeros(uint64_t v, int bits) {
  return v ? COUNT_LEADING_ZEROS64(v) - (64 - bits) : bits;
}

static uint64_t find_bit(const Inst *in, uint64_t a) {
  int bits = type_bits(in->type);
  if (type_is_signed(in->type) && (int64_t)a < 0) a = ~a;
  if (bits < 64) a &= (1ull << bits) - 1;
  if (a == 0) return 0xffffffff;
  int position = bits - 1 - leading_zeros(a, bits);
  return (uint64_t)(inst_has(in, MC_SHIFTAMT) ? bits - 1 - position : position);
}

static uint64_t reverse_bits(uint64_t v, int bits) {
  uint64_t r = 0;
  for (int i = 0; i < bits; i++) r |= (v >> i & 1) << (bits - 1 - i);
  return r;
}

/* bfe: the 32-bit form looks at 8 bits of position and length, the 64-bit one at all (measured). */
static uint64_t extract_bits(PtxType t, uint64_t a, uint64_t from, uint64_t length) {
  uint64_t bits = (uint64_t)type_bits(t);
  if (bits == 32) {
    from &= 0xff;
    length &= 0xff;
  }
  if (length == 0) return 0;
  uint64_t last = from + length - 1 < bits - 1 ? from + length - 1 : bits - 1;
  bool sign = type_is_signed(t) && (a >> last & 1);
  uint64_t field = from < bits ? (a & mask64(bits)) >> from : 0;
  uint64_t have = from < bits ? (length < bits - from ? length : bits - from) : 0;
  return (field & mask64(have)) | (sign ? ~mask64(have) : 0);
}

/* bfi f, a, b, from, length: the low bits of a, put into b; positions as for bfe. */
static uint64_t insert_bits(PtxType t, uint64_t a, uint64_t b, uint64_t from, uint64_t length) {
  uint64_t bits = (uint64_t)type_bits(t);
  if (bits == 32) {
    from &= 0xff;
    length &= 0xff;
  }
  if (from >= bits) return b;
  uint64_t field = mask64(length) << from;
  return (b & ~field) | (a << from & field);
}

static uint32_t permute(const Inst *in, uint32_t a, uint32_t b, uint32_t c) {
  uint64_t bytes = (uint64_t)b << 32 | a;
  uint32_t r = 0, n = c & 3;
  static const uint8_t ecl[4][4] = {{0, 1, 2, 3}, {1, 1, 2, 3}, {2, 2, 2, 3}, {3, 3, 3, 3}};
  static const uint8_t ecr[4][4] = {{0, 0, 0, 0}, {0, 1, 1, 1}, {0, 1, 2, 2}, {0, 1, 2, 3}};
  for (uint32_t i = 0; i < 4; i++) {
    uint32_t pick;
    switch (in->mod[MC_PRMT]) {
    case MOD_PRMT_F4E: pick = n + i; break;
    case MOD_PRMT_B4E: pick = (n - i) & 7; break;
    case MOD_PRMT_RC8: pick = n; break;
    case MOD_PRMT_ECL: pick = ecl[n][i]; break;
    case MOD_PRMT_ECR: pick = ecr[n][i]; break;
    case MOD_PRMT_RC16: pick = (n & 1) * 2 + (i & 1); break;
    default: pick = c >> (4 * i) & 15;
    }
    uint32_t byte = (uint32_t)(bytes >> (8 * (pick & 7)) & 0xff);
    if (pick & 8) byte = byte & 0x80 ? 0xff : 0; /* the sign, spread over the byte */
    r |= byte << (8 * i);
  }
  return r;
}

static uint32_t lookup3(uint32_t a, uint32_t b, uint32_t c, uint32_t table) {
  uint32_t r = 0;
  for (int k = 0; k < 8; k++)
    if (table >> k & 1) r |= (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c);
  return r;
}

/* lop3 d, a, b, c, table; lop3.and d|p, a, b, c, table, q: p is (d != 0) and q. */
static void eval_lop3(void *d, const void *a, const void *b, const void *c, Mask m, LaneExtra *x) {
  const Inst *in = x->in;
  const uint32_t *A = a, *B = b, *C = c;
  Mask with = x->e ? *(const Mask *)x->e : 0;
  FOR_LANES(l, m) {
    uint32_t r = lookup3(A[l], B[l], C[l], x->imm);
    put(d, 4, l, r);
    if (inst_has(in, MC_BOOL) && x->p) put_bit(x->p, l, combine(in, r != 0, with >> l & 1));
  }
}

static uint32_t funnel_clamp(const Inst *in, uint32_t a, uint32_t b, uint32_t c) {
  uint64_t both = (uint64_t)b << 32 | a;
  uint32_t n = c < 32 ? c : 32;
  return inst_is(in, MC_DIR, MOD_DIR_L) ? (uint32_t)(n == 32 ? a : (both << n) >> 32)
                                        : (uint32_t)(n == 32 ? b : both >> n);
}

/* fns: the position of the n-th set bit of mask, from `base`, upwards or downwards. */
static uint32_t find_nth(uint32_t mask, uint32_t base, int32_t offset) {
  if (base > 31) return 0xffffffff;
  if (offset == 0) return mask >> base & 1 ? base : 0xffffffff;
  if (offset == INT32_MIN) return 0; /* measured */
  int step = offset > 0 ? 1 : -1, left = offset > 0 ? offset : -offset;
  for (int pos = (int)base; pos >= 0 && pos < 32; pos += step)
    if (mask >> pos & 1 && --left == 0) return (uint32_t)pos;
  return 0xffffffff;
}

static uint32_t make_mask(const Inst *in, uint32_t from, uint32_t length) {
  if (inst_is(in, MC_WRAP, MOD_WRAP_WRAP)) {
    from &= 31;
    length &= 31;
  } else if (from > 31) {
    return 0;
  }
  uint32_t ones = length >= 32 ? 0xffffffff : (1u << length) - 1;
  return ones << from;
}

static uint32_t extend_at(const Inst *in, uint32_t a, uint32_t bits) {
  if (inst_is(in, MC_WRAP, MOD_WRAP_WRAP)) bits &= 31;
  if (bits >= 32) return a;
  if (bits == 0) return 0;
  uint32_t low = a & ((1u << bits) - 1);
  return type_is_signed(in->type) ? (uint32_t)sign_extend(low, (int)bits) : low;
}

static uint32_t dot(const Inst *in, uint32_t a, uint32_t b, uint32_t c) {
  bool wide_a = in->op == OP_DP2A; /* a has halves, b bytes: its low or its high two */
  int shift = inst_is(in, MC_HALF, MOD_HALF_HI) ? 16 : 0;
  bool sa = type_is_signed(in->type), sb = type_is_signed(in->type2 ? in->type2 : in->type);
  for (int i = 0; i < (wide_a ? 2 : 4); i++) {
    int width = wide_a ? 16 : 8;
    uint64_t x = a >> (width * i) & ((1u << width) - 1),
             y = b >> (8 * i + (wide_a ? shift : 0)) & 0xff;
    int64_t p = (sa ? sign_extend(x, width) : (int64_t)x) * (sb ? sign_extend(y, 8) : (int64_t)y);
    c += (uint32_t)p;
  }
  return c;
}

static uint64_t int_value(const Inst *in, uint64_t a, uint64_t b, uint64_t c, const LaneExtra *x,
                          int l, bool *by_zero) {
  switch ((PtxOp)in->op) {
  case OP_ADD: return saturate_s32((int64_t)a + (int64_t)b); /* .sat: the rest is in lanes.c */
  case OP_SUB: return saturate_s32((int64_t)a - (int64_t)b);
  case OP_MUL: return product(in, a, b);
  case OP_MIN:
  case OP_MAX: return int_min_max(in, a, b); /* .relu: the rest is in lanes.c */
  case OP_MAD:
    if (inst_has(in, MC_SAT)) return saturate_s32(sign_extend(product(in, a, b), 32) + (int64_t)c);
    return product(in, a, b) + c;
  case OP_MUL24: return product24(in, a, b);
  case OP_MAD24:
    if (inst_has(in, MC_SAT))
      return saturate_s32(sign_extend(product24(in, a, b), 32) + (int64_t)c);
    return product24(in, a, b) + c;
  case OP_SAD: {
    bool less = type_is_signed(in->type) ? (int64_t)a < (int64_t)b : a < b;
    return c + (less ? b - a : a - b);
  }
  case OP_DIV:
  case OP_REM: return divide(in, a, b, by_zero);
  case OP_POPC: return (uint64_t)COUNT_ONES64(a);
  case OP_CLZ: return (uint64_t)leading_zeros(a, type_bits(in->type));
  case OP_BFIND: return find_bit(in, a);
  case OP_BREV: return reverse_bits(a, type_bits(in->type));
  case OP_CNOT: return a == 0;
  case OP_BFE: return extract_bits(in->type, a, b, c);
  case OP_BFI: return insert_bits(in->type, a, b, c, ((const uint32_t *)x->e)[l]);
  case OP_FNS: return find_nth((uint32_t)a, (uint32_t)b, (int32_t)c);
  case OP_BMSK: return make_mask(in, (uint32_t)a, (uint32_t)b);
  case OP_SZEXT: return extend_at(in, (uint32_t)a, (uint32_t)b);
  case OP_DP4A:
  case OP_DP2A: return dot(in, (uint32_t)a, (uint32_t)b, (uint32_t)c);
  case OP_SHF: return funnel_clamp(in, (uint32_t)a, (uint32_t)b, (uint32_t)c);
  case OP_PRMT: return permute(in, (uint32_t)a, (uint32_t)b, (uint32_t)c);
  default: return 0;
  }
}

/* Bytes a lane of b and c: amounts and positions are 32 bits, whatever the type. */
static int b_bytes(const Inst *in, int bytes) {
  return in->op == OP_BFE || in->op == OP_BMSK || in->op == OP_SZEXT || in->op == OP_FNS ? 4
                                                                                         : bytes;
}
static int c_bytes(const Inst *in, int bytes) {
  return in->op == OP_BFE || in->op == OP_BFI || in->op == OP_FNS || in->op == OP_SHF ||
                 in->op == OP_PRMT
             ? 4
             : bytes;
}

static void eval_int(void *d, const void *a, const void *b, const void *c, Mask m, LaneExtra *x) {
  const Inst *in = x->in;
  int bytes = type_lane_bytes(in->type);
  bool narrow = in->op == OP_POPC || in->op == OP_CLZ || in->op == OP_BFIND;
  FOR_LANES(l, m) {
    bool by_zero = false;
    uint64_t va = extend(in->type, lane_read(a, bytes, l)),
             vb = lane_read(b, b_bytes(in, bytes), l), vc = lane_read(c, c_bytes(in, bytes), l);
    if (b_bytes(in, bytes) == bytes) vb = extend(in->type, vb);
    if (c_bytes(in, bytes) == bytes) vc = extend(in->type, vc);
    put(d, narrow ? 4 : bytes, l, int_value(in, va, vb, vc, x, l, &by_zero));
    if (by_zero) x->zero_divide |= 1u << l;
  }
}

/* add.cc, addc, sub.cc, subc, mad.cc, madc: *x->p holds the carry; after a subtraction it is set
 * where nothing was borrowed (measured: a - b is computed as a + ~b + 1). */
static void eval_carry(void *d, const void *a, const void *b, const void *c, Mask m, LaneExtra *x) {
  const Inst *in = x->in;
  int bytes = type_lane_bytes(in->type), bits = type_bits(in->type);
  bool takes = in->op == OP_ADDC || in->op == OP_SUBC || in->op == OP_MADC;
  bool mad = in->op == OP_MAD || in->op == OP_MADC, sub = in->op == OP_SUB || in->op == OP_SUBC;
  FOR_LANES(l, m) {
    uint64_t mask = bits < 64 ? (1ull << bits) - 1 : ~0ull;
    uint64_t va = lane_read(a, bytes, l), vb = lane_read(b, bytes, l);
    if (mad) {
      va = product(in, extend(in->type, va), extend(in->type, vb)) & mask;
      vb = lane_read(c, bytes, l);
    }
    if (sub) vb = ~vb & mask;
    uint128_t carry = takes && x->p ? *x->p >> l & 1 : sub;
    uint128_t wide = (uint128_t)va + vb + carry;
    put(d, bytes, l, (uint64_t)wide & mask);
    if (inst_has(in, MC_CC) && x->p) put_bit(x->p, l, (wide >> bits & 1) != 0);
  }
}

/* ---- f32 and f64 ----------------------------------------------------------------------------- */

static const uint32_t nan_f32 = 0x7fffffffu;
static const uint64_t nan_f64 = 0xfff8000000000000ull;

static uint32_t flush_f32(uint32_t v) { return (v & 0x7f800000u) == 0 ? v & 0x80000000u : v; }
static bool is_nan_f32(uint32_t v) { return (v & 0x7fffffffu) > 0x7f800000u; }
static bool is_nan_f64(uint64_t v) { return (v & 0x7fffffffffffffffull) > 0x7ff0000000000000ull; }

static uint32_t finish_f32(const Inst *in, float r) {
  uint32_t v = bits_of_f32(r);
  bool nan = is_nan_f32(v);
  if (inst_has(in, MC_FTZ)) v = flush_f32(v);
  if (inst_has(in, MC_SAT)) return nan || v >> 31 ? 0 : r > 1 ? 0x3f800000u : v;
  return nan ? nan_f32 : v;
}

static FloatOp float_op(PtxOp op) {
  switch (op) {
  case OP_ADD: return F_ADD;
  case OP_SUB: return F_SUB;
  case OP_MUL: return F_MUL;
  case OP_DIV:
  case OP_RCP: return F_DIV;
  case OP_SQRT: return F_SQRT;
  default: return F_FMA;
  }
}

/* min and max: a number beats a NaN (with .NaN the NaN wins), and -0 is below +0. */
static double min_max(const Inst *in, double a, double b) {
  if (a != a || b != b) {
    bool keep = inst_has(in, MC_NANP);
    return keep || (a != a && b != b) ? (double)NAN : a != a ? b : a;
  }
  bool a_less = a < b || (a == b && signbit(a) && !signbit(b));
  return (in->op == OP_MIN) == a_less ? a : b;
}

static double min_max_of(const Inst *in, double a, double b) {
  bool negative = signbit(a) != signbit(b);
  if (!inst_has(in, MC_XORSIGN))
    return inst_has(in, MC_ABS) ? min_max(in, fabs(a), fabs(b)) : min_max(in, a, b);
  double r = min_max(in, fabs(a), fabs(b));
  return r != r ? r : negative ? -r : r;
}

static double approximate(const Inst *in, double a, double b) {
  switch ((PtxOp)in->op) {
  case OP_DIV:
    if (inst_is(in, MC_PREC, MOD_PREC_APPROX) && fabs(b) > 8.5070591730234616e37 && !isinf(b))
      return a * 0.0 / (b > 0 ? 1 : -1); /* 2^126 and more: the reciprocal is flushed */
    return a / b;
  case OP_RCP: return 1 / a;
  case OP_SQRT: return sqrt(a);
  case OP_RSQRT: return 1 / sqrt(a);
  case OP_SIN: return approx_sin(a);
  case OP_COS: return approx_cos(a);
  case OP_LG2: return approx_lg2(a);
  case OP_EX2: return approx_ex2(a);
  default: return approx_tanh(a);
  }
}

static bool is_approximate(const Inst *in) {
  return inst_has(in, MC_PREC) || in->op == OP_RSQRT || in->op == OP_SIN || in->op == OP_COS ||
         in->op == OP_LG2 || in->op == OP_EX2 || in->op == OP_TANH;
}

/* Does .ftz flush this product or sum, though the result may be the smallest normal number? */
static bool flushes_f32(const Inst *in, float a, float b, float c) {
  Rounding mode = rounding_of(in);
  switch ((PtxOp)in->op) {
  case OP_MUL: return is_tiny(format_f32, (double)a * (double)b, mode);
  case OP_FMA:
  case OP_MAD: return is_tiny(format_f32, fma_to_odd((double)a, (double)b, (double)c), mode);
  default: return false;
  }
}

static uint32_t f32_value(const Inst *in, uint32_t a, uint32_t b, uint32_t c) {
  bool ftz = inst_has(in, MC_FTZ);
  if (ftz) {
    a = flush_f32(a);
    b = flush_f32(b);
    c = flush_f32(c);
  }
  float x = f32_of(a), y = f32_of(b);
  switch ((PtxOp)in->op) {
  case OP_ABS: return is_nan_f32(a) ? nan_f32 : a & 0x7fffffffu;
  case OP_NEG: return is_nan_f32(a) ? nan_f32 : a ^ 0x80000000u;
  case OP_COPYSIGN: return (b & 0x7fffffffu) | (a & 0x80000000u);
  case OP_MIN:
  case OP_MAX: {
    double least = min_max_of(in, (double)x, (double)y);
    if (in->operand_count > 3) least = min_max_of(in, least, (double)f32_of(c));
    return finish_f32(in, (float)least);
  }
  case OP_RCP:
    if (!is_approximate(in)) return finish_f32(in, f32_op(F_DIV, rounding_of(in), 1, x, 0));
    break;
  default: break;
  }
  if (is_approximate(in)) return finish_f32(in, (float)approximate(in, (double)x, (double)y));
  float r = f32_op(float_op(in->op), rounding_of(in), x, y, f32_of(c));
  if (ftz && flushes_f32(in, x, y, f32_of(c))) r *= 0;
  return finish_f32(in, r);
}

/* rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64 look at the upper half only, and give no lower half.
 * Without .ftz, rsqrt is as good as a double (measured). */
static uint64_t coarse_f64(const Inst *in, uint64_t a) {
  const uint64_t upper = 0xffffffff00000000ull;
  if (inst_has(in, MC_FTZ) && (a & 0x7ff0000000000000ull) == 0) a &= 1ull << 63;
  if (in->op == OP_RSQRT && is_nan_f64(a)) return a | 1ull << 51;
  if (!inst_has(in, MC_FTZ)) {
    double r = 1 / sqrt(f64_of(a));
    return r != r ? nan_f64 : bits_of_f64(r);
  }
  a &= upper;
  if (is_nan_f64(a)) return 0x7fffffff00000000ull;
  double x = f64_of(a);
  uint64_t r = bits_of_f64(in->op == OP_RCP ? 1 / x : 1 / sqrt(x));
  if (is_nan_f64(r)) return nan_f64 & upper;
  if (inst_has(in, MC_FTZ) && (r & 0x7ff0000000000000ull) == 0) r &= 1ull << 63;
  return r & upper;
}

/* A NaN among the operands is the result of an f64 operation, made quiet. Of several, fma takes
 * that of b, else of c; add, sub, mul, min and max that of b; div, a sequence, that of a. */
static uint64_t finish_f64(const Inst *in, double r, uint64_t a, uint64_t b, uint64_t c) {
  const uint64_t quiet = 1ull << 51;
  if (r == r) return bits_of_f64(r);
  if (in->op == OP_DIV && is_nan_f64(a)) return a | quiet;
  if (is_nan_f64(b)) return b | quiet;
  if (is_nan_f64(c)) return c | quiet;
  return is_nan_f64(a) ? a | quiet : nan_f64;
}

static uint64_t f64_value(const Inst *in, uint64_t a, uint64_t b, uint64_t c) {
  double x = f64_of(a), y = f64_of(b), r;
  switch ((PtxOp)in->op) {
  case OP_ABS: return is_nan_f64(a) ? a | 1ull << 51 : a & ~(1ull << 63);
  case OP_NEG: return is_nan_f64(a) ? a | 1ull << 51 : a ^ 1ull << 63;
  case OP_COPYSIGN: return (b & ~(1ull << 63)) | (a & 1ull << 63);
  case OP_MIN:
  case OP_MAX:
    c = 0;
    r = min_max_of(in, x, y);
    break;
  case OP_RCP:
    if (is_approximate(in)) return coarse_f64(in, a);
    r = f64_op(F_DIV, rounding_of(in), 1, x, 0);
    break;
  case OP_RSQRT: return coarse_f64(in, a);
  default: r = f64_op(float_op(in->op), rounding_of(in), x, y, f64_of(c));
  }
  return finish_f64(in, r, a, b, c);
}

static void eval_float(void *d, const void *a, const void *b, const void *c, Mask m, LaneExtra *x) {
  const Inst *in = x->in;
  int bytes = type_lane_bytes(in->type);
  FOR_LANES(l, m) {
    uint64_t va = lane_read(a, bytes, l), vb = lane_read(b, bytes, l), vc = lane_read(c, bytes, l);
    put(d, bytes, l,
        bytes == 8 ? f64_value(in, va, vb, vc)
                   : f32_value(in, (uint32_t)va, (uint32_t)vb, (uint32_t)vc));
  }
}

/* ---- halves: f16, bf16, and pairs of them ---------------------------------------------------- */

/* Of a small type, or of the parts of a packed one. */
static Format format_of(PtxType t) {
  switch (t) {
  case TY_BF16:
  case TY_BF16X2: return format_bf16;
  case TY_E4M3:
  case TY_E4M3X2: return format_e4m3;
  case TY_E5M2:
  case TY_E5M2X2: return format_e5m2;
  case TY_TF32: return format_tf32;
  case TY_F32: return format_f32;
  default: return format_f16;
  }
}

static bool is_nan_half(Format f, uint32_t v) {
  uint32_t top = ((1u << f.exponent) - 1) << f.fraction;
  return (v & 0x7fff) > top;
}

static uint32_t flush_half(Format f, uint32_t v) {
  uint32_t top = ((1u << f.exponent) - 1) << f.fraction;
  return v & top ? v : v & 0x8000;
}

static uint32_t finish_half(const Inst *in, Format f, double r) {
  if (inst_has(in, MC_FTZ) && is_tiny(f, r, ROUND_NEAREST)) r *= 0;
  uint32_t v = double_to_small(f, r, ROUND_NEAREST), one = (uint32_t)((1 << (f.exponent - 1)) - 1)
                                                           << f.fraction;
  bool nan = is_nan_half(f, v);
  if (nan && inst_has(in, MC_SAT)) return 0;
  if (nan) return 0x7fff;
  if (inst_has(in, MC_SAT) || inst_has(in, MC_RELU)) {
    if (v & 0x8000) return 0;
    if (inst_has(in, MC_SAT) && v > one) return one;
  }
  return v;
}

static uint32_t half_value(const Inst *in, Format f, uint32_t a, uint32_t b, uint32_t c) {
  if (inst_has(in, MC_FTZ)) {
    a = flush_half(f, a);
    b = flush_half(f, b);
    c = flush_half(f, c);
  }
  double x = small_to_double(f, a), y = small_to_double(f, b), z = small_to_double(f, c);
  switch ((PtxOp)in->op) {
  case OP_ABS: return is_nan_half(f, a) ? 0x7fff : a & 0x7fff;
  case OP_NEG: return is_nan_half(f, a) ? 0x7fff : a ^ 0x8000;
  case OP_ADD: return finish_half(in, f, add_to_odd(x, y));
  case OP_SUB: return finish_half(in, f, add_to_odd(x, -y));
  case OP_MUL: return finish_half(in, f, x * y);
  case OP_FMA:
  case OP_MAD: return finish_half(in, f, fma_to_odd(x, y, z));
  case OP_MIN:
  case OP_MAX: return finish_half(in, f, min_max_of(in, x, y));
  case OP_EX2: return finish_half(in, f, approx_ex2(x));
  default: return finish_half(in, f, approx_tanh(x));
  }
}

static void eval_half(void *d, const void *a, const void *b, const void *c, Mask m, LaneExtra *x) {
  const Inst *in = x->in;
  Format f = format_of(in->type);
  int bytes = type_lane_bytes(in->type);
  FOR_LANES(l, m) {
    uint32_t va = (uint32_t)lane_read(a, bytes, l), vb = (uint32_t)lane_read(b, bytes, l),
             vc = (uint32_t)lane_read(c, bytes, l);
    uint32_t r = half_value(in, f, va & 0xffff, vb & 0xffff, vc & 0xffff);
    if (bytes == 4) r |= half_value(in, f, va >> 16, vb >> 16, vc >> 16) << 16;
    put(d, bytes, l, r);
  }
}

/* f32x2: two floats side by side. */
static void eval_f32x2(void *d, const void *a, const void *b, const void *c, Mask m, LaneExtra *x) {
  FOR_LANES(l, m) {
    uint64_t va = lane_read(a, 8, l), vb = lane_read(b, 8, l), vc = lane_read(c, 8, l);
    uint64_t low = f32_value(x->in, (uint32_t)va, (uint32_t)vb, (uint32_t)vc);
    uint64_t high =
        f32_value(x->in, (uint32_t)(va >> 32), (uint32_t)(vb >> 32), (uint32_t)(vc >> 32));
    put(d, 8, l, high << 32 | low);
  }
}

/* ---- compare, test, select ------------------------------------------------------------------- */

static uint32_t flush(PtxType t, uint32_t v) {
  return t == TY_F32 ? flush_f32(v) : flush_half(format_of(t), v);
}

static double to_double(PtxType t, uint64_t v) {
  switch (t) {
  case TY_F64: return f64_of(v);
  case TY_F32: return (double)f32_of((uint32_t)v);
  default: return small_to_double(format_of(t), (uint32_t)v);
  }
}

static bool compare_float(const Inst *in, PtxType t, uint64_t a, uint64_t b) {
  if (inst_has(in, MC_FTZ) && t != TY_F64) {
    a = flush(t, (uint32_t)a);
    b = flush(t, (uint32_t)b);
  }
  double x = to_double(t, a), y = to_double(t, b);
  bool nan = x != x || y != y;
  switch (in->mod[MC_CMP]) {
  case MOD_CMP_EQ: return x == y;
  case MOD_CMP_NE: return !nan && x != y;
  case MOD_CMP_LT: return x < y;
  case MOD_CMP_LE: return x <= y;
  case MOD_CMP_GT: return x > y;
  case MOD_CMP_GE: return x >= y;
  case MOD_CMP_EQU: return nan || x == y;
  case MOD_CMP_NEU: return nan || x != y;
  case MOD_CMP_LTU: return nan || x < y;
  case MOD_CMP_LEU: return nan || x <= y;
  case MOD_CMP_GTU: return nan || x > y;
  case MOD_CMP_GEU: return nan || x >= y;
  case MOD_CMP_NUM: return !nan;
  default: return nan;
  }
}

static bool compare_int(const Inst *in, PtxType t, uint64_t a, uint64_t b) {
  a = extend(t, a);
  b = extend(t, b);
  bool s = type_is_signed(t), less = s ? (int64_t)a < (int64_t)b : a < b;
  switch (in->mod[MC_CMP]) {
  case MOD_CMP_EQ: return a == b;
  case MOD_CMP_NE: return a != b;
  case MOD_CMP_LT:
  case MOD_CMP_LO: return less;
  case MOD_CMP_LE:
  case MOD_CMP_LS: return less || a == b;
  case MOD_CMP_GT:
  case MOD_CMP_HI: return !less && a != b;
  default: return !less;
  }
}

static bool is_float(PtxType t) {
  TypeClass k = type_class(t);
  return k == TC_F || k == TC_H || t == TY_E4M3 || t == TY_E5M2;
}

/* Of a packed type: the low halves. */
static bool compare(const Inst *in, PtxType t, uint64_t a, uint64_t b) {
  if (type_class(t) == TC_V) {
    t = t == TY_F16X2 ? TY_F16 : TY_BF16;
    a &= 0xffff;
    b &= 0xffff;
  }
  return is_float(t) ? compare_float(in, t, a, b) : compare_int(in, t, a, b);
}

static void eval_setp(void *d, const void *a, const void *b, const void *c, Mask m, LaneExtra *x) {
  const Inst *in = x->in;
  int bytes = type_lane_bytes(in->type);
  bool pair = type_class(in->type) == TC_V; /* f16x2: p for the low half, q for the high */
  Mask with = c ? *(const Mask *)c : 0;
  FOR_LANES(l, m) {
    uint64_t va = lane_read(a, bytes, l), vb = lane_read(b, bytes, l);
    bool third = with >> l & 1, r = compare(in, in->type, va, vb);
    bool q = pair ? compare(in, in->type, va >> 16, vb >> 16) : !r;
    put_bit(d, l, combine(in, r, third));
    if (x->p) put_bit(x->p, l, combine(in, q, third));
  }
}

/* What set gives where the comparison holds: 1.0, or all ones. */
static uint32_t set_value(PtxType t) {
  switch (t) {
  case TY_F32: return 0x3f800000u;
  case TY_F16:
  case TY_F16X2: return 0x3c00;
  case TY_BF16:
  case TY_BF16X2: return 0x3f80;
  default: return ~0u;
  }
}

/* set.cmp.dtype.stype; a packed source compares its halves, into the halves of the result. */
static void eval_set(void *d, const void *a, const void *b, const void *c, Mask m, LaneExtra *x) {
  const Inst *in = x->in;
  PtxType from = in->type2 ? in->type2 : in->type;
  bool pair = type_class(from) == TC_V;
  int to_bytes = type_lane_bytes(in->type), bytes = type_lane_bytes(from);
  uint32_t yes = set_value(in->type);
  Mask with = c ? *(const Mask *)c : 0;
  FOR_LANES(l, m) {
    uint64_t va = lane_read(a, bytes, l), vb = lane_read(b, bytes, l);
    bool third = with >> l & 1, low = combine(in, compare(in, from, va, vb), third);
    uint32_t r = low ? yes : 0;
    if (pair) {
      bool high = combine(in, compare(in, from, va >> 16, vb >> 16), third);
      r = (r & 0xffff) | (high ? yes << 16 : 0);
    }
    put(d, to_bytes, l, r);
  }
}

static void eval_testp(void *d, const void *a, const void *b, const void *c, Mask m, LaneExtra *x) {
  (void)b, (void)c;
  const Inst *in = x->in;
  bool wide = in->type == TY_F64;
  FOR_LANES(l, m) {
    uint64_t v = lane_read(a, wide ? 8 : 4, l);
    uint64_t top = wide ? 0x7ff0000000000000ull : 0x7f800000u,
             rest = wide ? 0xfffffffffffffull : 0x7fffffu;
    bool special = (v & top) == top, fraction = (v & rest) != 0;
    bool subnormal = (v & top) == 0 && fraction;
    bool r;
    switch (in->mod[MC_TESTP]) {
    case MOD_TESTP_FINITE: r = !special; break;
    case MOD_TESTP_INFINITE: r = special && !fraction; break;
    case MOD_TESTP_NUMBER: r = !(special && fraction); break;
    case MOD_TESTP_NOTANUMBER: r = special && fraction; break;
    case MOD_TESTP_NORMAL: r = !special && !subnormal; break; /* zeros count */
    default: r = subnormal;
    }
    put_bit(d, l, r);
  }
}

/* slct d, a, b, c: a where c >= 0, else b. */
static void eval_slct(void *d, const void *a, const void *b, const void *c, Mask m, LaneExtra *x) {
  const Inst *in = x->in;
  int bytes = type_lane_bytes(in->type);
  FOR_LANES(l, m) {
    uint32_t v = (uint32_t)lane_read(c, 4, l);
    if (inst_has(in, MC_FTZ)) v = flush_f32(v);
    bool first = in->type2 == TY_F32 ? f32_of(v) >= 0 : (int32_t)v >= 0;
    put(d, bytes, l, lane_read(first ? a : b, bytes, l));
  }
}

/* ---- conversions ----------------------------------------------------------------------------- */

/* An integral double as an integer type: out of range clamps. A NaN gives 0, but the top bit alone
 * where the source or the result has 64 bits (measured). */
static uint64_t integral_to_int(PtxType t, PtxType from, double v) {
  int bits = type_bits(t);
  bool s = type_is_signed(t);
  if (v != v)
    return from == TY_F64 || bits == 64 ? (uint64_t)sign_extend(1ull << (bits - 1), s ? bits : 64)
                                        : 0;
  double top = s ? ldexp(1, bits - 1) : ldexp(1, bits), low = s ? -ldexp(1, bits - 1) : 0;
  if (v >= top) return s ? (1ull << (bits - 1)) - 1 : bits == 64 ? ~0ull : (1ull << bits) - 1;
  if (v < low) return s ? (uint64_t)sign_extend(1ull << (bits - 1), bits) : 0;
  return s ? (uint64_t)(int64_t)v : (uint64_t)v;
}

static uint64_t clamp_int(PtxType to, PtxType from, uint64_t v) {
  int bits = type_bits(to);
  bool negative = type_is_signed(from) && (int64_t)v < 0;
  if (type_is_signed(to)) {
    int64_t top = (int64_t)((1ull << (bits - 1)) - 1), low = -top - 1;
    if (!negative) return v > (uint64_t)top ? (uint64_t)top : v;
    return (int64_t)v < low ? (uint64_t)low : v;
  }
  if (negative) return 0;
  uint64_t top = bits == 64 ? ~0ull : (1ull << bits) - 1;
  return v > top ? top : v;
}

/* An integer as a double rounded to odd: exact enough for any smaller format. */
static double int_to_double_odd(PtxType from, uint64_t v) {
  bool negative = type_is_signed(from) && (int64_t)v < 0;
  uint64_t magnitude = negative ? 0 - v : v;
  if (magnitude >> 53) magnitude = (magnitude & ~0xfffull) | (magnitude & 0xfff ? 0x800 : 0);
  return negative ? -(double)magnitude : (double)magnitude;
}

static uint64_t int_to_f64(PtxType from, uint64_t v, Rounding mode) {
  bool negative = type_is_signed(from) && (int64_t)v < 0;
  uint64_t magnitude = negative ? 0 - v : v;
  int shift = magnitude >> 53 ? 11 - COUNT_LEADING_ZEROS64(magnitude) : 0;
  uint64_t kept = magnitude, rest = 0;
  if (shift > 0) {
    rest = magnitude & ((1ull << shift) - 1);
    kept = magnitude >> shift;
    uint64_t half = 1ull << (shift - 1);
    bool up = mode == ROUND_NEAREST ? rest > half || (rest == half && (kept & 1))
              : mode == ROUND_UP    ? rest && !negative
                                    : mode == ROUND_DOWN && rest && negative;
    kept += up;
  }
  double r = ldexp((double)kept, shift > 0 ? shift : 0);
  return bits_of_f64(negative ? -r : r);
}

/* cvt.sat: to 0 .. 1, after rounding; a NaN to 0. */
static uint64_t saturate_unit(PtxType to, uint64_t v) {
  double x = to_double(to, v);
  uint64_t one = to == TY_F64 ? 0x3ff0000000000000ull : set_value(to);
  return x > 1 ? one : x > 0 ? v : 0;
}

/* A NaN from one format to another (all measured): from f64, and to f64, sign and upper fraction
 * stay and it is made quiet; between equal formats, and from bf16 to f32, the bits stay; others,
 * and those that .ftz sends through an f32 unit, are canonical. */
static uint64_t convert_nan(const Inst *in, PtxType to, PtxType from, uint64_t v) {
  bool ftz = inst_has(in, MC_FTZ), rounds = inst_has(in, MC_ROUND);
  if (to == from && !rounds && !ftz && to != TY_F16 && to != TY_BF16) return v;
  if (from == TY_F64) {
    uint64_t fraction = v & 0xfffffffffffffull, sign = v >> 63;
    if (to == TY_F64) return v | 1ull << 51;
    if (to == TY_F32) return sign << 31 | 0x7fc00000u | fraction >> 29;
    if (to == TY_BF16) return sign << 15 | 0x7fc0u | fraction >> 45;
    return sign << 15 | 0x7e00u | fraction >> 42;
  }
  if (to == TY_F64) {
    if (ftz) return 0x7fffffffe0000000ull;
    int width = from == TY_F32 ? 23 : from == TY_BF16 ? 7 : 10, sign_at = from == TY_F32 ? 31 : 15;
    uint64_t fraction = v & ((1ull << width) - 1);
    return (v >> sign_at & 1) << 63 | 0x7ff8000000000000ull | fraction << (52 - width);
  }
  if (to == TY_F32 && from == TY_BF16 && !ftz) return v << 16; /* a mere shift */
  if (to == TY_F32) return nan_f32;
  return to == TY_E4M3 || to == TY_E5M2 ? 0x7f : 0x7fff;
}

/* .satfinite: the largest number in place of infinity. */
static uint32_t saturate_finite(Format f, uint32_t v) {
  uint32_t infinity = ((1u << f.exponent) - 1) << f.fraction,
           sign = 1u << (f.exponent + f.fraction);
  return !f.finite && (v & ~sign) == infinity ? v - 1 : v;
}

/* A number that is no NaN, exact or rounded to odd, to a floating-point type. */
static uint64_t double_to_float(const Inst *in, PtxType to, double v, Rounding mode) {
  bool finite = inst_is(in, MC_SAT, MOD_SAT_SATFINITE);
  if (inst_has(in, MC_RELU) && v <= 0) v = 0;
  if (to == TY_F32 && inst_has(in, MC_FTZ) && is_tiny(format_f32, v, mode)) v *= 0;
  uint64_t r = to == TY_F64 ? bits_of_f64(v) : double_to_small(format_of(to), v, mode);
  if (inst_is(in, MC_SAT, MOD_SAT_SAT)) return saturate_unit(to, r);
  return finite ? saturate_finite(format_of(to), (uint32_t)r) : r;
}

/* The integer source in an odd-rounded double has 53 bits, enough for smaller formats. */
static uint64_t int_to_float(const Inst *in, PtxType to, PtxType from, uint64_t v, Rounding mode) {
  if (to != TY_F64) return double_to_float(in, to, int_to_double_odd(from, v), mode);
  uint64_t r = int_to_f64(from, v, mode);
  return inst_has(in, MC_SAT) ? saturate_unit(to, r) : r;
}

/* cvt.rna.tf32.f32 and its likes: the value stays an f32 whose low 13 bits are zero. */
static uint32_t convert_tf32(const Inst *in, uint32_t v, Rounding mode) {
  const uint32_t low = 0x1fff;
  bool special = (v & 0x7f800000u) == 0x7f800000u;
  if (mode == ROUND_AWAY) { /* a sequence, which does not look for NaNs */
    uint32_t r = (special ? v : v + 0x1000) & ~low;
    special = (r & 0x7f800000u) == 0x7f800000u;
    return inst_has(in, MC_SAT) && special ? r - low - 1 : r;
  }
  if (is_nan_f32(v)) return nan_f32 & ~low;
  uint32_t r = (uint32_t)double_to_float(in, TY_TF32, (double)f32_of(v), mode) << 13;
  return r;
}

static uint64_t convert(const Inst *in, PtxType to, PtxType from, uint64_t v) {
  bool to_float = is_float(to), from_float = is_float(from);
  uint8_t round = in->mod[MC_ROUND];
  Rounding mode = rounding_of(in);
  if (!from_float) {
    v = extend(from, v);
    if (to_float) return int_to_float(in, to, from, v, mode);
    return inst_has(in, MC_SAT) ? clamp_int(to, from, v) : extend(to, v);
  }
  if (to == TY_TF32) return convert_tf32(in, (uint32_t)v, mode);
  if (from == TY_F32 && inst_has(in, MC_FTZ) && to != TY_F16) v = flush_f32((uint32_t)v);
  double x = to_double(from, v);
  if (!to_float) return integral_to_int(to, from, round_to_integer(x, mode));
  if (x != x) return inst_is(in, MC_SAT, MOD_SAT_SAT) ? 0 : convert_nan(in, to, from, v);
  bool integral = round == MOD_ROUND_RNI || round == MOD_ROUND_RZI || round == MOD_ROUND_RMI ||
                  round == MOD_ROUND_RPI;
  if (integral) {
    x = round_to_integer(x, mode);
    mode = ROUND_NEAREST;
  }
  return double_to_float(in, to, x, mode);
}

static void eval_cvt(void *d, const void *a, const void *b, const void *c, Mask m, LaneExtra *x) {
  (void)b, (void)c;
  const Inst *in = x->in;
  PtxType to = in->type, from = in->type2;
  FOR_LANES(l, m)
  put(d, type_lane_bytes(to), l, convert(in, to, from, lane_read(a, type_lane_bytes(from), l)));
}

static PtxType part_of(PtxType t) {
  switch (t) {
  case TY_F16X2: return TY_F16;
  case TY_BF16X2: return TY_BF16;
  case TY_E4M3X2: return TY_E4M3;
  case TY_E5M2X2: return TY_E5M2;
  default: return t;
  }
}

/* To a packed type: from two sources, of which the first becomes the upper half, or from a packed
 * one. */
static void eval_cvt_pair(void *d, const void *a, const void *b, const void *c, Mask m,
                          LaneExtra *x) {
  (void)c;
  const Inst *in = x->in;
  PtxType to = part_of(in->type), from = part_of(in->type2);
  int bytes = type_lane_bytes(in->type2), bits = type_bits(to), from_bits = type_bits(from);
  FOR_LANES(l, m) {
    uint64_t high = lane_read(a, bytes, l), low = b ? lane_read(b, bytes, l) : high;
    if (!b) {
      low &= mask64((uint64_t)from_bits);
      high = high >> from_bits & mask64((uint64_t)from_bits);
    }
    put(d, type_lane_bytes(in->type), l,
        convert(in, to, from, high) << bits | convert(in, to, from, low));
  }
}

/* cvt.pack d, a, b, c: a and b clamped and put side by side, a above b, what was in c above both.
 */
static void eval_pack(void *d, const void *a, const void *b, const void *c, Mask m, LaneExtra *x) {
  const Inst *in = x->in;
  int bits = type_bits(in->type);
  uint32_t mask = (1u << bits) - 1;
  FOR_LANES(l, m) {
    uint64_t va = extend(in->type2, lane_read(a, 4, l)), vb = extend(in->type2, lane_read(b, 4, l));
    uint32_t pa = (uint32_t)clamp_int(in->type, in->type2, va) & mask,
             pb = (uint32_t)clamp_int(in->type, in->type2, vb) & mask;
    uint32_t above = bits < 16 && c ? (uint32_t)lane_read(c, 4, l) << (2 * bits) : 0;
    put(d, 4, l, above | pa << bits | pb);
  }
}

/* ---- which function? ------------------------------------------------------------------------- */

static LaneFn cvt_function(const Inst *in) {
  TypeClass to = type_class(in->type), from = type_class(in->type2);
  if (in->mod[MC_ROUND] == MOD_ROUND_RS || from == TC_P || from == TC_NONE || to == TC_P)
    return NULL;
  if (to == TC_V) { /* f32 twice, or packed to packed */
    bool two = in->operand_count == 3 && in->type2 == TY_F32;
    bool packed = in->operand_count == 2 && from == TC_V && in->type2 != TY_F32X2;
    return in->type != TY_F32X2 && (two || packed) ? eval_cvt_pair : NULL;
  }
  bool opaque = from == TC_V || from == TC_O || to == TC_O;
  return opaque || in->operand_count > 2 || type_bits(in->type) > 64 || type_bits(in->type2) > 64
             ? NULL
             : eval_cvt;
}

static LaneFn arithmetic_function(const Inst *in) {
  TypeClass k = type_class(in->type);
  if (in->type == TY_F32X2)
    return in->op == OP_ADD || in->op == OP_SUB || in->op == OP_MUL || in->op == OP_FMA ? eval_f32x2
                                                                                        : NULL;
  if (k == TC_F) return in->type == TY_TF32 ? NULL : eval_float;
  if (k == TC_H || k == TC_V) return eval_half;
  return eval_int;
}

LaneFn lane_eval_bind(const Inst *in) {
  switch ((PtxOp)in->op) {
  case OP_ADD:
  case OP_SUB:
  case OP_MAD:
    if (inst_has(in, MC_CC)) return eval_carry;
    return arithmetic_function(in);
  case OP_ADDC:
  case OP_SUBC:
  case OP_MADC: return eval_carry;
  case OP_MIN:
  case OP_MAX:
  case OP_MUL:
  case OP_FMA:
  case OP_DIV:
  case OP_REM:
  case OP_ABS:
  case OP_NEG:
  case OP_RCP:
  case OP_SQRT:
  case OP_RSQRT:
  case OP_SIN:
  case OP_COS:
  case OP_LG2:
  case OP_EX2:
  case OP_TANH:
  case OP_COPYSIGN: return arithmetic_function(in);
  case OP_MUL24:
  case OP_MAD24:
  case OP_SAD:
  case OP_POPC:
  case OP_CLZ:
  case OP_BFIND:
  case OP_BREV:
  case OP_BFE:
  case OP_BFI:
  case OP_FNS:
  case OP_BMSK:
  case OP_SZEXT:
  case OP_DP4A:
  case OP_DP2A:
  case OP_CNOT:
  case OP_SHF:
  case OP_PRMT: return eval_int;
  case OP_LOP3: return eval_lop3;
  case OP_SETP:
    return type_class(in->type) == TC_O || type_lane_bytes(in->type) > 8 ? NULL : eval_setp;
  case OP_SET: return type_lane_bytes(in->type) > 8 ? NULL : eval_set;
  case OP_TESTP: return eval_testp;
  case OP_SLCT: return eval_slct;
  case OP_CVT: return cvt_function(in);
  case OP_CVT_PACK: return type_bits(in->type) < 32 ? eval_pack : NULL;
  default: return NULL;
  }
}
