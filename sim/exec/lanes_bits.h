/* exec/lanes_bits.h - part of lanes.c: division, and instructions on the bits of an integer. */

/* ---- division --------------------------------------------------------------------------------
 *
 * Both results are all ones where the divisor is 0 (measured), and *zero collects those lanes.
 * 32 bits are divided as doubles: the quotient of two such numbers is never so close below an
 * integer that it would round up to it. */

#define DIVIDE(NAME, T, QUOTIENT)                                                                  \
  static ALWAYS_INLINE T quotient_##NAME(T X, T Y) { return (T)(QUOTIENT); }                       \
  static void div_##NAME(SIGNATURE) {                                                              \
    (void)c;                                                                                       \
    const T *A = a, *B = b;                                                                        \
    T t[WARP_SIZE];                                                                                \
    for (int l = 0; l < WARP_SIZE; l++) t[l] = quotient_##NAME(A[l], B[l]);                        \
    put_zero_divisors_##NAME(B, t, m, x);                                                          \
    put_##T(d, t, m);                                                                              \
  }                                                                                                \
  static void rem_##NAME(SIGNATURE) {                                                              \
    (void)c;                                                                                       \
    const T *A = a, *B = b;                                                                        \
    T t[WARP_SIZE];                                                                                \
    for (int l = 0; l < WARP_SIZE; l++)                                                            \
      t[l] = (T)((u64)A[l] - (u64)quotient_##NAME(A[l], B[l]) * (u64)B[l]);                        \
    put_zero_divisors_##NAME(B, t, m, x);                                                          \
    put_##T(d, t, m);                                                                              \
  }
#define ZERO_DIVISORS(T)                                                                           \
  static ALWAYS_INLINE void put_zero_divisors_##T(const T *B, T *t, Mask m, LaneExtra *x) {        \
    Mask zero = 0;                                                                                 \
    for (int l = 0; l < WARP_SIZE; l++) {                                                          \
      zero |= (Mask)(B[l] == 0) << l;                                                              \
      t[l] = B[l] == 0 ? (T)-1 : t[l];                                                             \
    }                                                                                              \
    x->zero_divide |= zero & m;                                                                    \
  }
ZERO_DIVISORS(u16)
ZERO_DIVISORS(s16)
ZERO_DIVISORS(u32)
ZERO_DIVISORS(s32)
ZERO_DIVISORS(u64)
ZERO_DIVISORS(s64)
DIVIDE(u16, u16, (f32)X / (f32)(Y ? Y : 1))
DIVIDE(s16, s16, (s32)((f32)X / (f32)(Y ? Y : 1)))
DIVIDE(u32, u32, (s64)((f64)X / (f64)(Y ? Y : 1)))
DIVIDE(s32, s32, (s64)((f64)X / (f64)(Y ? Y : 1)))
DIVIDE(u64, u64, X / (Y ? Y : 1))
DIVIDE(s64, s64, Y == -1 ? (s64)(0 - (u64)X) : X / (Y ? Y : 1))

/* ---- fields ---------------------------------------------------------------------------------- */

/* bfe: positions and lengths count in their low 8 bits; in bits above 31 a field is zero, or copies
 * of the sign. */
static ALWAYS_INLINE u32 low_ones(u32 n) { return n < 32 ? (1u << (n & 31)) - 1 : ~0u; }

static ALWAYS_INLINE u32 field_u32(u32 v, u32 from, u32 length) {
  from &= 0xff;
  length &= 0xff;
  return from < 32 ? v >> (from & 31) & low_ones(length) : 0;
}
static ALWAYS_INLINE u32 field_s32(u32 v, u32 from, u32 length) {
  u32 first = from & 0xff, n = length & 0xff, last = first + n - 1;
  u32 room = first < 32 ? 32 - first : 0, have = n < room ? n : room;
  u32 sign = v >> (last < 31 ? last & 31 : 31) & 1;
  return field_u32(v, from, length) | (sign && n ? ~low_ones(have) : 0);
}
static ALWAYS_INLINE u32 insert_u32(u32 v, u32 into, u32 from, u32 length) {
  from &= 0xff;
  u32 field = from < 32 ? low_ones(length & 0xff) << (from & 31) : 0;
  return (into & ~field) | (v << (from & 31) & field);
}
LANES3(bfe_u32, u32, u32, u32, u32, field_u32(X, Y, Z))
LANES3(bfe_s32, u32, u32, u32, u32, field_s32(X, Y, Z))

static void bfi_u32(SIGNATURE) {
  const u32 *A = a, *B = b, *C = c, *E = x->e;
  u32 t[WARP_SIZE];
  for (int l = 0; l < WARP_SIZE; l++) t[l] = insert_u32(A[l], B[l], C[l], E[l]);
  put_u32(d, t, m);
}

/* ---- counting and moving bits ---------------------------------------------------------------- */

static ALWAYS_INLINE u32 reverse_u32(u32 v) {
  v = (v >> 1 & 0x55555555u) | (v & 0x55555555u) << 1;
  v = (v >> 2 & 0x33333333u) | (v & 0x33333333u) << 2;
  v = (v >> 4 & 0x0f0f0f0fu) | (v & 0x0f0f0f0fu) << 4;
  v = (v >> 8 & 0x00ff00ffu) | (v & 0x00ff00ffu) << 8;
  return v >> 16 | v << 16;
}
static ALWAYS_INLINE u32 ones_u32(u32 v) {
  v -= v >> 1 & 0x55555555u;
  v = (v & 0x33333333u) + (v >> 2 & 0x33333333u);
  return ((v + (v >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24;
}
/* Zeros above the highest one: the ones of a word in which all bits below it are set, too. */
static ALWAYS_INLINE u32 zeros_above_u32(u32 v) {
  v |= v >> 1;
  v |= v >> 2;
  v |= v >> 4;
  v |= v >> 8;
  v |= v >> 16;
  return 32 - ones_u32(v);
}
LANES1(brev_u32, u32, u32, reverse_u32(X))
LANES1(brev_u64, u64, u64, (u64)reverse_u32((u32)X) << 32 | reverse_u32((u32)(X >> 32)))
LANES1(popc_u32, u32, u32, ones_u32(X))
LANES1(popc_u64, u32, u64, ones_u32((u32)X) + ones_u32((u32)(X >> 32)))
LANES1(clz_u32, u32, u32, zeros_above_u32(X))
LANES1(clz_u64, u32, u64, X >> 32 ? zeros_above_u32((u32)(X >> 32)) : 32 + zeros_above_u32((u32)X))
LANES1(bfind_u32, u32, u32, 31 - zeros_above_u32(X)) /* of 0: all ones */
LANES1(bfind_s32, u32, s32, 31 - zeros_above_u32((u32)(X ^ X >> 31)))

static ALWAYS_INLINE u32 pick_byte(u64 bytes, u32 pick) {
  u32 byte = (u32)(bytes >> (8 * (pick & 7))) & 0xff;
  return pick & 8 ? 0xff & (0 - (byte >> 7)) : byte; /* the sign, spread over the byte */
}
static ALWAYS_INLINE u32 permute_u32(u32 low, u32 high, u32 c) {
  u64 bytes = (u64)high << 32 | low;
  return pick_byte(bytes, c) | pick_byte(bytes, c >> 4) << 8 | pick_byte(bytes, c >> 8) << 16 |
         pick_byte(bytes, c >> 12) << 24;
}
LANES3(prmt_u32, u32, u32, u32, u32, permute_u32(X, Y, Z))

LANES3(sad_u32, u32, u32, u32, u32, Z + (X < Y ? Y - X : X - Y))
LANES3(sad_s32, u32, s32, s32, u32, Z + (X < Y ? (u32)Y - (u32)X : (u32)X - (u32)Y))
LANES3(madhi_u32, u32, u32, u32, u32, (u32)((u64)X *Y >> 32) + Z)
LANES3(madhi_s32, u32, s32, s32, u32, (u32)((s64)X *Y >> 32) + Z)

/* lop3: the truth table is one of 256; each of its eight lines is a product of the sources. */
static void lop3_u32(SIGNATURE) {
  const u32 *A = a, *B = b, *C = c;
  u32 t[WARP_SIZE], line[8];
  for (int k = 0; k < 8; k++) line[k] = 0 - (x->imm >> k & 1);
  for (int l = 0; l < WARP_SIZE; l++) {
    u32 X = A[l], Y = B[l], Z = C[l];
    u32 high = (Y & ((Z & line[7]) | (~Z & line[6]))) | (~Y & ((Z & line[5]) | (~Z & line[4])));
    u32 low = (Y & ((Z & line[3]) | (~Z & line[2]))) | (~Y & ((Z & line[1]) | (~Z & line[0])));
    t[l] = (X & high) | (~X & low);
  }
  put_u32(d, t, m);
}

static LaneFn bind_divide(const Inst *in, bool is_signed) {
#define ROW(NAME, S)                                                                               \
  { NAME##_##S##16, NAME##_##S##32, NAME##_##S##64 }
  static LaneFn const fns[2][2][3] = {{ROW(div, u), ROW(div, s)}, {ROW(rem, u), ROW(rem, s)}};
#undef ROW
  int bytes = type_lane_bytes(in->type);
  return fns[in->op == OP_REM][is_signed][bytes == 2 ? 0 : bytes == 4 ? 1 : 2];
}

/* Instructions on 32-bit (and some on 64-bit) integers that have one form. */
static LaneFn bind_bits(const Inst *in, int bytes, bool is_signed) {
  bool wide = bytes == 8;
  switch (in->op) {
  case OP_BREV: return wide ? brev_u64 : brev_u32;
  case OP_POPC: return wide ? popc_u64 : popc_u32;
  case OP_CLZ: return wide ? clz_u64 : clz_u32;
  default: break;
  }
  if (bytes != 4) return NULL;
  switch (in->op) {
  case OP_BFIND: return inst_has(in, MC_SHIFTAMT) ? NULL : is_signed ? bfind_s32 : bfind_u32;
  case OP_BFE: return is_signed ? bfe_s32 : bfe_u32;
  case OP_BFI: return bfi_u32;
  case OP_PRMT: return inst_has(in, MC_PRMT) ? NULL : prmt_u32;
  case OP_SAD: return is_signed ? sad_s32 : sad_u32;
  case OP_LOP3: return inst_has(in, MC_BOOL) ? NULL : lop3_u32;
  default: return NULL;
  }
}
