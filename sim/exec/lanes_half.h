/* exec/lanes_half.h - part of lanes.c: f16, and pairs of them.
 *
 * Sums and products of two halves are computed as floats, which have more than twice as many bits,
 * so rounding twice is the same as rounding once. That is not so for fma: its exact value is first
 * cut to a float whose last bit says whether anything was cut off. */

static ALWAYS_INLINE f32 from_half(u32 h) {
  u32 magnitude = h & 0x7fff;
  f32 v = from_bits_f32(magnitude << 13) * 0x1p112f; /* another bias; subnormals come out right */
  u32 bits = bits_f32(v) | (magnitude >= 0x7c00 ? 0x7f800000u : 0) | (h & 0x8000) << 16;
  return from_bits_f32(bits);
}

/* Rounds to nearest even; every NaN becomes 0x7fff. */
static ALWAYS_INLINE u16 to_half(f32 v) {
  u32 bits = bits_f32(v), magnitude = bits & 0x7fffffffu, sign = bits >> 16 & 0x8000;
  u32 normal = (magnitude + 0xc8000fffu + (magnitude >> 13 & 1)) >> 13;
  /* 0.5 has its last bit where a subnormal half has it: the sum rounds there */
  u32 subnormal = bits_f32(from_bits_f32(magnitude) + 0.5f) - 0x3f000000u;
  u32 half = magnitude < 0x38800000u ? subnormal : normal;
  half = magnitude >= 0x47800000u ? 0x7c00 : half;
  return (u16)(magnitude > 0x7f800000u ? 0x7fff : half | sign);
}

/* x * y + z, which is within a float's range, as a float rounded to odd. */
static ALWAYS_INLINE f32 fma_to_odd_f32(f32 x, f32 y, f32 z) {
  f64 product = (f64)x * (f64)y, c = (f64)z, sum = product + c, part = sum - product;
  f64 error = (product - (sum - part)) + (c - part);
  u64 bits = bits_f64(sum), error_bits = bits_f64(error), exponent = bits >> 52 & 0x7ff;
  u64 inwards =
      (bits ^ error_bits) >> 63; /* the exact value lies below bits in magnitude, or above */
  u64 cut = error_bits << 1 ? (bits - inwards) | 1 : bits;
  u64 word = (cut >> 29) - (896ull << 23), sticky = cut & 0x1fffffff ? 1 : 0;
  u64 odd = (word & 0x7fffffff) | sticky | (bits >> 63) << 31;
  u64 special = bits_f32((f32)sum); /* 0, infinity, NaN */
  return from_bits_f32((u32)(exponent == 0 || exponent == 0x7ff ? special : odd));
}

#define HALVES(NAME, EXPR)                                                                         \
  static ALWAYS_INLINE void NAME##_of(u16 *t, const u16 *A, const u16 *B, const u16 *C, int n) {   \
    (void)B, (void)C;                                                                              \
    for (int i = 0; i < n; i++) t[i] = EXPR;                                                       \
  }                                                                                                \
  static void NAME##_f16(SIGNATURE) {                                                              \
    (void)x;                                                                                       \
    u16 t[WARP_SIZE];                                                                              \
    NAME##_of(t, a, b, c, WARP_SIZE);                                                              \
    put_u16(d, t, m);                                                                              \
  }                                                                                                \
  static void NAME##_f16x2(SIGNATURE) {                                                            \
    (void)x;                                                                                       \
    u16 t[2 * WARP_SIZE];                                                                          \
    u32 pairs[WARP_SIZE];                                                                          \
    NAME##_of(t, a, b, c, 2 * WARP_SIZE);                                                          \
    memcpy(pairs, t, sizeof t);                                                                    \
    put_u32(d, pairs, m);                                                                          \
  }
#define HALF_A from_half(A[i])
#define HALF_B from_half(B[i])
#define HALF_C from_half(C[i])
HALVES(add, to_half(HALF_A + HALF_B))
HALVES(sub, to_half(HALF_A - HALF_B))
HALVES(mul, to_half(HALF_A *HALF_B))
HALVES(fma, to_half(fma_to_odd_f32(HALF_A, HALF_B, HALF_C)))
HALVES(min, to_half(least_f32(HALF_A, HALF_B)))
HALVES(max, to_half(most_f32(HALF_A, HALF_B)))
HALVES(abs, (u16)((A[i] & 0x7fff) > 0x7c00 ? 0x7fff : A[i] & 0x7fff))
HALVES(neg, (u16)((A[i] & 0x7fff) > 0x7c00 ? 0x7fff : A[i] ^ 0x8000))
#undef HALF_A
#undef HALF_B
#undef HALF_C

static LaneFn bind_half(const Inst *in) {
  bool pair = in->type == TY_F16X2;
  if ((in->type != TY_F16 && !pair) || inst_has(in, MC_FTZ) || inst_has(in, MC_SAT) ||
      inst_has(in, MC_RELU) || inst_has(in, MC_NANP) || inst_has(in, MC_XORSIGN))
    return NULL;
#define PICK(NAME) (pair ? NAME##_f16x2 : NAME##_f16)
  switch (in->op) {
  case OP_ADD: return PICK(add);
  case OP_SUB: return PICK(sub);
  case OP_MUL: return PICK(mul);
  case OP_FMA: return PICK(fma);
  case OP_MIN: return PICK(min);
  case OP_MAX: return PICK(max);
  case OP_ABS: return PICK(abs);
  case OP_NEG: return PICK(neg);
  default: return NULL;
  }
#undef PICK
}
