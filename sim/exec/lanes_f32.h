/* exec/lanes_f32.h - part of lanes.c: f32 with .ftz and .sat, min and max, signs, approximations.
 */

static ALWAYS_INLINE u32 bits_f32(f32 v) {
  u32 bits;
  memcpy(&bits, &v, sizeof bits);
  return bits;
}
static ALWAYS_INLINE f32 from_bits_f32(u32 bits) {
  f32 v;
  memcpy(&v, &bits, sizeof v);
  return v;
}
static ALWAYS_INLINE f64 from_bits_f64(u64 bits) {
  f64 v;
  memcpy(&v, &bits, sizeof v);
  return v;
}

/* ---- flushing and saturating ----------------------------------------------------------------- */

static ALWAYS_INLINE f32 flush(f32 v) {
  u32 bits = bits_f32(v);
  return from_bits_f32(bits & 0x7f800000u ? bits : bits & 0x80000000u);
}
static ALWAYS_INLINE f32 saturate(f32 v) { /* to 0 .. 1; a NaN to 0 */
  u32 bits = bits_f32(v);
  bits = bits > 0x3f800000u ? 0x3f800000u : bits; /* also NaNs and all negative values */
  bits = bits_f32(v) > 0x7f800000u ? 0 : bits;    /* which become 0 here */
  return from_bits_f32(bits);
}

/* A product or sum that lies below the smallest normal number before it is rounded is flushed, even
 * if rounding would lift it there (measured). `least` is where rounding, as if exponents had no
 * lower end, reaches it. */
static ALWAYS_INLINE bool is_tiny_sum(f64 product, f64 c) {
  const f64 least = 0x1p-126 - 0x1p-151;
  f64 sum = product + c, part = sum - product;
  f64 error = (product - (sum - part)) + (c - part);
  f64 magnitude = sum < 0 ? -sum : sum, outward = sum < 0 ? -error : error;
  return magnitude < least || (magnitude == least && outward < 0);
}
static ALWAYS_INLINE f32 zero_like(f32 v) { return from_bits_f32(bits_f32(v) & 0x80000000u); }

static ALWAYS_INLINE f32 add_ftz(f32 x, f32 y) { return flush(flush(x) + flush(y)); }
static ALWAYS_INLINE f32 mul_ftz(f32 x, f32 y) {
  x = flush(x);
  y = flush(y);
  f32 r = x * y;
  return is_tiny_sum((f64)x * (f64)y, 0) ? zero_like(r) : r;
}
static ALWAYS_INLINE f32 fma_ftz(f32 x, f32 y, f32 z) {
  x = flush(x);
  y = flush(y);
  z = flush(z);
  f32 r = __builtin_fmaf(x, y, z);
  return is_tiny_sum((f64)x * (f64)y, (f64)z) ? zero_like(r) : r;
}

#define WITH_SAT(NAME, ARITY, TYPES, EXPR)                                                         \
  ARITY(NAME, TYPES, canonical_f32(EXPR))                                                          \
  ARITY(NAME##_sat, TYPES, saturate(EXPR))
#define TWO(NAME, TYPES, EXPR) LANES2(NAME, f32, f32, f32, EXPR)
#define THREE(NAME, TYPES, EXPR) LANES3(NAME, f32, f32, f32, f32, EXPR)
LANES2(add_f32_sat, f32, f32, f32, saturate(X + Y))
LANES2(sub_f32_sat, f32, f32, f32, saturate(X - Y))
LANES2(mul_f32_sat, f32, f32, f32, saturate(X *Y))
LANES3(fma_f32_sat, f32, f32, f32, f32, saturate(__builtin_fmaf(X, Y, Z)))
WITH_SAT(add_f32_ftz, TWO, , add_ftz(X, Y))
WITH_SAT(sub_f32_ftz, TWO, , add_ftz(X, -Y))
WITH_SAT(mul_f32_ftz, TWO, , mul_ftz(X, Y))
WITH_SAT(fma_f32_ftz, THREE, , fma_ftz(X, Y, Z))
#undef WITH_SAT
#undef TWO
#undef THREE

/* ---- min, max, signs ------------------------------------------------------------------------- */

/* A number beats a NaN, and -0 is below +0. */
static ALWAYS_INLINE f32 least_f32(f32 x, f32 y) {
  bool first = x < y || y != y || (x == y && bits_f32(x) >> 31);
  return canonical_f32(first ? x : y);
}
static ALWAYS_INLINE f32 most_f32(f32 x, f32 y) {
  bool first = x > y || y != y || (x == y && !(bits_f32(x) >> 31));
  return canonical_f32(first ? x : y);
}
static ALWAYS_INLINE f64 quiet_f64(f64 v) {
  return from_bits_f64(v != v ? bits_f64(v) | 1ull << 51 : bits_f64(v));
}
static ALWAYS_INLINE f64 least_f64(f64 x, f64 y) {
  bool first = x < y || (y != y && x == x) || (x == y && bits_f64(x) >> 63);
  return quiet_f64(first ? x : y);
}
static ALWAYS_INLINE f64 most_f64(f64 x, f64 y) {
  bool first = x > y || (y != y && x == x) || (x == y && !(bits_f64(x) >> 63));
  return quiet_f64(first ? x : y);
}
LANES2(min_f32, f32, f32, f32, least_f32(X, Y))
LANES2(max_f32, f32, f32, f32, most_f32(X, Y))
LANES2(min_f32_ftz, f32, f32, f32, least_f32(flush(X), flush(Y)))
LANES2(max_f32_ftz, f32, f32, f32, most_f32(flush(X), flush(Y)))
LANES2(min_f64, f64, f64, f64, least_f64(X, Y))
LANES2(max_f64, f64, f64, f64, most_f64(X, Y))
LANES1(abs_f32, f32, f32, canonical_f32(from_bits_f32(bits_f32(X) & 0x7fffffffu)))
LANES1(neg_f32, f32, f32, canonical_f32(from_bits_f32(bits_f32(X) ^ 0x80000000u)))
LANES1(abs_f32_ftz, f32, f32, flush(canonical_f32(from_bits_f32(bits_f32(X) & 0x7fffffffu))))
LANES1(neg_f32_ftz, f32, f32, flush(canonical_f32(from_bits_f32(bits_f32(X) ^ 0x80000000u))))
LANES1(abs_f64, f64, f64, X != X ? quiet_f64(X) : from_bits_f64(bits_f64(X) & ~(1ull << 63)))
LANES1(neg_f64, f64, f64, X != X ? quiet_f64(X) : from_bits_f64(bits_f64(X) ^ 1ull << 63))
LANES2(copysign_f32, u32, u32, u32, (Y & 0x7fffffffu) | (X & 0x80000000u))
LANES2(copysign_f64, u64, u64, u64, (Y & ~(1ull << 63)) | (X & 1ull << 63))

/* ---- approximations: computed in f64 and rounded --------------------------------------------- */

#define APPROXIMATE(NAME, EXPR)                                                                    \
  LANES1(NAME##_f32_approx, f32, f32, canonical_f32((f32)(EXPR((f64)X))))                          \
  LANES1(NAME##_f32_approx_ftz, f32, f32, canonical_f32(flush((f32)(EXPR((f64)flush(X))))))
static ALWAYS_INLINE f64 reciprocal(f64 x) { return 1 / x; }
static ALWAYS_INLINE f64 root(f64 x) { return __builtin_sqrt(x); }
static ALWAYS_INLINE f64 reciprocal_root(f64 x) { return 1 / __builtin_sqrt(x); }
APPROXIMATE(rcp, reciprocal)
APPROXIMATE(sqrt, root)
APPROXIMATE(rsqrt, reciprocal_root)
APPROXIMATE(ex2, approx_ex2)
APPROXIMATE(lg2, approx_lg2)
APPROXIMATE(sin, approx_sin)
APPROXIMATE(cos, approx_cos)
#undef APPROXIMATE

/* The reciprocal of 2^126 and more is flushed. */
static ALWAYS_INLINE f64 divide_approx(f64 x, f64 y) {
  f64 magnitude = y < 0 ? -y : y;
  bool lost = magnitude > 0x1p126 && magnitude < (f64)__builtin_inff();
  return lost ? x * 0.0 / (y > 0 ? 1 : -1) : x / y;
}
LANES2(div_f32_approx, f32, f32, f32, canonical_f32((f32)divide_approx((f64)X, (f64)Y)))
LANES2(div_f32_approx_ftz, f32, f32, f32,
       canonical_f32(flush((f32)divide_approx((f64)flush(X), (f64)flush(Y)))))
LANES2(div_f32_full, f32, f32, f32, canonical_f32((f32)((f64)X / (f64)Y)))
LANES2(div_f32_full_ftz, f32, f32, f32, canonical_f32(flush((f32)((f64)flush(X) / (f64)flush(Y)))))
LANES2(div_f32_ftz, f32, f32, f32, canonical_f32(flush(flush(X) / flush(Y))))
LANES1(rcp_f32_ftz, f32, f32, canonical_f32(flush(1 / flush(X))))
LANES1(sqrt_f32_ftz, f32, f32, canonical_f32(__builtin_sqrtf(flush(X))))

/* ---- which function? ------------------------------------------------------------------------- */

static LaneFn bind_approx(const Inst *in, bool ftz) {
#define PAIR(NAME) (ftz ? NAME##_ftz : NAME)
  switch (in->op) {
  case OP_RCP: return PAIR(rcp_f32_approx);
  case OP_SQRT: return PAIR(sqrt_f32_approx);
  case OP_RSQRT: return PAIR(rsqrt_f32_approx);
  case OP_EX2: return PAIR(ex2_f32_approx);
  case OP_LG2: return PAIR(lg2_f32_approx);
  case OP_SIN: return PAIR(sin_f32_approx);
  case OP_COS: return PAIR(cos_f32_approx);
  case OP_DIV:
    return inst_is(in, MC_PREC, MOD_PREC_FULL) ? PAIR(div_f32_full) : PAIR(div_f32_approx);
  default: return NULL;
  }
}

/* f32 rounded to nearest with .ftz (then `ftz`), .sat, or neither. */
static LaneFn bind_f32(const Inst *in, bool ftz) {
  bool sat = inst_has(in, MC_SAT);
#define FOUR(NAME) (sat ? (ftz ? NAME##_ftz_sat : NAME##_sat) : PAIR(NAME))
  switch (in->op) {
  case OP_ADD: return FOUR(add_f32);
  case OP_SUB: return FOUR(sub_f32);
  case OP_MUL: return FOUR(mul_f32);
  case OP_MAD:
  case OP_FMA: return FOUR(fma_f32);
  case OP_DIV: return PAIR(div_f32);
  case OP_RCP: return PAIR(rcp_f32);
  case OP_SQRT: return PAIR(sqrt_f32);
  case OP_ABS: return PAIR(abs_f32);
  case OP_NEG: return PAIR(neg_f32);
  case OP_COPYSIGN: return copysign_f32;
  default: return NULL;
  }
#undef FOUR
}

static LaneFn bind_min_max(const Inst *in, bool ftz) {
  bool min = in->op == OP_MIN;
  if (inst_has(in, MC_NANP) || inst_has(in, MC_XORSIGN) || inst_has(in, MC_ABS) ||
      in->operand_count > 3)
    return NULL;
  if (in->type == TY_F64) return min ? min_f64 : max_f64;
  return min ? PAIR(min_f32) : PAIR(max_f32);
#undef PAIR
}

static LaneFn bind_f64(const Inst *in) {
  switch (in->op) {
  case OP_ADD: return add_f64;
  case OP_SUB: return sub_f64;
  case OP_MUL: return mul_f64;
  case OP_MAD:
  case OP_FMA: return fma_f64;
  case OP_DIV: return div_f64;
  case OP_RCP: return rcp_f64;
  case OP_SQRT: return sqrt_f64;
  case OP_ABS: return abs_f64;
  case OP_NEG: return neg_f64;
  case OP_COPYSIGN: return copysign_f64;
  default: return NULL;
  }
}

static LaneFn bind_float(const Inst *in) {
  bool nearest = !inst_has(in, MC_ROUND) || inst_is(in, MC_ROUND, MOD_ROUND_RN);
  bool ftz = inst_has(in, MC_FTZ);
  if (!nearest) return NULL;
  if (in->op == OP_MIN || in->op == OP_MAX) return bind_min_max(in, ftz);
  if (in->type == TY_F32) return inst_has(in, MC_PREC) ? bind_approx(in, ftz) : bind_f32(in, ftz);
  return inst_has(in, MC_PREC) ? NULL : bind_f64(in);
}
