/* exec/lanes_cvt.h - part of lanes.c: conversions. */

/* ---- between integers: to the width of `to`, extended as `from` says --------------------------
 *
 * A value of 8 bits is in a word of 16: as a source with rubbish above, as a result extended. */

LANES1(cvt_u16_u32, u16, u32, X)
LANES1(cvt_u16_u64, u16, u64, X)
LANES1(cvt_u32_u16, u32, u16, X)
LANES1(cvt_u32_s16, u32, s16, (s32)X)
LANES1(cvt_u32_u64, u32, u64, X)
LANES1(cvt_u64_u16, u64, u16, X)
LANES1(cvt_u64_s16, u64, s16, (s64)X)
LANES1(cvt_u64_u32, u64, u32, X)
LANES1(cvt_u64_s32, u64, s32, (s64)X)
#define FROM_BYTE(W, SW)                                                                           \
  LANES1(cvt_u##W##_u8, u##W, u16, (uint8_t)X)                                                     \
  LANES1(cvt_u##W##_s8, u##W, u16, (SW)(int8_t)X)                                                  \
  LANES1(cvt_u8_u##W, u16, u##W, (uint8_t)X)                                                       \
  LANES1(cvt_s8_u##W, u16, u##W, (int8_t)X)
FROM_BYTE(16, s16)
FROM_BYTE(32, s32)
FROM_BYTE(64, s64)

static LaneFn bind_int_cvt(PtxType to, PtxType from) {
  int tb = type_lane_bytes(to), fb = type_lane_bytes(from);
  if (tb > 8 || fb > 8) return NULL;
  bool s = type_class(from) == TC_S, byte_signed = type_class(to) == TC_S;
  if (type_bits(to) == 8)
    return fb == 2   ? (byte_signed ? cvt_s8_u16 : cvt_u8_u16)
           : fb == 4 ? (byte_signed ? cvt_s8_u32 : cvt_u8_u32)
                     : (byte_signed ? cvt_s8_u64 : cvt_u8_u64);
  if (type_bits(from) == 8)
    return tb == 2   ? (s ? cvt_u16_s8 : cvt_u16_u8)
           : tb == 4 ? (s ? cvt_u32_s8 : cvt_u32_u8)
                     : (s ? cvt_u64_s8 : cvt_u64_u8);
  if (tb == 2) return fb == 2 ? mov_u16 : fb == 4 ? cvt_u16_u32 : cvt_u16_u64;
  if (tb == 4) return fb == 2 ? (s ? cvt_u32_s16 : cvt_u32_u16) : fb == 4 ? mov_u32 : cvt_u32_u64;
  return fb == 2   ? (s ? cvt_u64_s16 : cvt_u64_u16)
         : fb == 4 ? (s ? cvt_u64_s32 : cvt_u64_u32)
                   : mov_u64;
}

/* ---- from integers to floats, to nearest ----------------------------------------------------- */

#define FROM_INT(T)                                                                                \
  LANES1(cvt_f32_##T, f32, T, X)                                                                   \
  LANES1(cvt_f64_##T, f64, T, X)
FROM_INT(u16)
FROM_INT(s16)
FROM_INT(u32)
FROM_INT(s32)
FROM_INT(u64)
FROM_INT(s64)

static LaneFn bind_from_int(PtxType to, PtxType from) {
#define ROW(T)                                                                                     \
  { cvt_##T##_u16, cvt_##T##_u32, cvt_##T##_u64, cvt_##T##_s16, cvt_##T##_s32, cvt_##T##_s64 }
  static LaneFn const fns[2][6] = {ROW(f32), ROW(f64)};
#undef ROW
  int bytes = type_lane_bytes(from), size = bytes == 2 ? 0 : bytes == 4 ? 1 : 2;
  if (type_bits(from) == 8) return NULL;
  return fns[to == TY_F64][size + (type_class(from) == TC_S ? 3 : 0)];
}

/* ---- from floats to integers ------------------------------------------------------------------
 *
 * Out of range clamps. A NaN gives 0, but the top bit alone where the source or the result has 64
 * bits (measured). */

static ALWAYS_INLINE s32 clamp_s32(f64 v) {
  v = v > -0x1p31 ? v : -0x1p31;
  return (s32)(v < 0x1p31 - 1 ? v : 0x1p31 - 1);
}
static ALWAYS_INLINE u32 clamp_u32(f64 v) {
  v = v > 0 ? v : 0;
  return (u32)(s64)(v < 0x1p32 - 1 ? v : 0x1p32 - 1);
}
static ALWAYS_INLINE s64 clamp_s64(f64 v) {
  f64 in = v > -0x1p63 ? v : -0x1p63;
  s64 r = (s64)(in < 0x1p63 ? in : 0);
  return in < 0x1p63 ? r : INT64_MAX;
}
static ALWAYS_INLINE u64 clamp_u64(f64 v) {
  f64 in = v > 0 ? v : 0;
  u64 r = (u64)(in < 0x1p64 ? in : 0);
  return in < 0x1p64 ? r : UINT64_MAX;
}

#define TO_INT(NAME, T, ROUND)                                                                     \
  LANES1(NAME##_s32_##T, s32, T,                                                                   \
         X != X ? (sizeof(T) == 8 ? INT32_MIN : 0) : clamp_s32(ROUND((f64)X)))                     \
  LANES1(NAME##_u32_##T, u32, T,                                                                   \
         X != X ? (sizeof(T) == 8 ? 1u << 31 : 0) : clamp_u32(ROUND((f64)X)))                      \
  LANES1(NAME##_s64_##T, s64, T, X != X ? INT64_MIN : clamp_s64(ROUND((f64)X)))                    \
  LANES1(NAME##_u64_##T, u64, T, X != X ? 1ull << 63 : clamp_u64(ROUND((f64)X)))
#define TO_INTS(T)                                                                                 \
  TO_INT(rni, T, __builtin_rint)                                                                   \
  TO_INT(rzi, T, __builtin_trunc)                                                                  \
  TO_INT(rmi, T, __builtin_floor)                                                                  \
  TO_INT(rpi, T, __builtin_ceil)
TO_INTS(f32)
TO_INTS(f64)

/* The row of a rounding mode to an integral value, or -1. */
static int whole_mode(const Inst *in) {
  int mode = in->mod[MC_ROUND] - MOD_ROUND_RNI;
  return mode >= 0 && mode < 4 ? mode : -1;
}

static LaneFn bind_to_int(const Inst *in) {
#define ROW(NAME, T)                                                                               \
  { NAME##_u32_##T, NAME##_s32_##T, NAME##_u64_##T, NAME##_s64_##T }
#define ROWS(T)                                                                                    \
  { ROW(rni, T), ROW(rzi, T), ROW(rmi, T), ROW(rpi, T) }
  static LaneFn const fns[2][4][4] = {ROWS(f32), ROWS(f64)};
#undef ROWS
#undef ROW
  int mode = whole_mode(in), bytes = type_lane_bytes(in->type);
  /* .ftz matters only where a subnormal is not rounded to 0 anyway */
  if (mode < 0 || bytes < 4 || (inst_has(in, MC_FTZ) && mode > 1)) return NULL;
  return fns[in->type2 == TY_F64][mode][2 * (bytes == 8) + type_is_signed(in->type)];
}

/* ---- between floats -------------------------------------------------------------------------- */

LANES1(cvt_f64_f32, f64, f32, X) /* a NaN's upper fraction stays, made quiet, both ways */
LANES1(cvt_f32_f64, f32, f64, X)
LANES1(cvt_f32_f16, f32, u16, canonical_f32(from_half(X)))
LANES1(cvt_f16_f32, u16, f32, to_half(X))
LANES2(cvt_f16x2_f32, u32, f32, f32, (u32)to_half(X) << 16 | to_half(Y))
LANES1(cvt_f32_bf16, u32, u16, (u32)X << 16) /* a NaN's bits, too */
static ALWAYS_INLINE u16 to_bf16(f32 v) {
  u32 bits = bits_f32(v);
  u32 r = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  return (u16)((bits & 0x7fffffffu) > 0x7f800000u ? 0x7fff : r);
}
LANES1(cvt_bf16_f32, u16, f32, to_bf16(X))
LANES2(cvt_bf16x2_f32, u32, f32, f32, (u32)to_bf16(X) << 16 | to_bf16(Y))
LANES1(cvt_sat_f32_f32, f32, f32, saturate(X))
LANES1(cvt_ftz_f32_f32, f32, f32, canonical_f32(flush(X)))
LANES1(cvt_sat_ftz_f32_f32, f32, f32, saturate(flush(X)))
#define WHOLE(NAME, ROUND)                                                                         \
  LANES1(NAME##_f32_f32, f32, f32, canonical_f32(ROUND(X)))                                        \
  LANES1(NAME##_ftz_f32_f32, f32, f32, canonical_f32(ROUND(flush(X))))                             \
  LANES1(NAME##_f64_f64, f64, f64, quiet_f64(X != X ? X : ROUND##_f64(X)))
#define nearest_whole __builtin_rintf
#define nearest_whole_f64 __builtin_rint
#define cut_whole __builtin_truncf
#define cut_whole_f64 __builtin_trunc
#define lower_whole __builtin_floorf
#define lower_whole_f64 __builtin_floor
#define upper_whole __builtin_ceilf
#define upper_whole_f64 __builtin_ceil
WHOLE(rni, nearest_whole)
WHOLE(rzi, cut_whole)
WHOLE(rmi, lower_whole)
WHOLE(rpi, upper_whole)

static LaneFn bind_whole(const Inst *in) {
  static LaneFn const fns[4][3] = {{rni_f32_f32, rni_ftz_f32_f32, rni_f64_f64},
                                   {rzi_f32_f32, rzi_ftz_f32_f32, rzi_f64_f64},
                                   {rmi_f32_f32, rmi_ftz_f32_f32, rmi_f64_f64},
                                   {rpi_f32_f32, rpi_ftz_f32_f32, rpi_f64_f64}};
  if (inst_has(in, MC_SAT)) return NULL;
  return fns[whole_mode(in)][in->type == TY_F64 ? 2 : inst_has(in, MC_FTZ)];
}

static LaneFn bind_float_cvt(const Inst *in) {
  PtxType to = in->type, from = in->type2;
  bool sat = inst_is(in, MC_SAT, MOD_SAT_SAT), ftz = inst_has(in, MC_FTZ);
  bool plain = !inst_has(in, MC_SAT) && !ftz && !inst_has(in, MC_RELU);
  bool nearest = inst_is(in, MC_ROUND, MOD_ROUND_RN), exact = !inst_has(in, MC_ROUND);
  if (to == from && (to == TY_F32 || to == TY_F64) && whole_mode(in) >= 0) return bind_whole(in);
  if (to == TY_F32 && from == TY_F32 && exact && !plain)
    return sat ? (ftz ? cvt_sat_ftz_f32_f32 : cvt_sat_f32_f32) : cvt_ftz_f32_f32;
  if (!plain) return NULL;
  if (to == TY_F64 && from == TY_F32 && exact) return cvt_f64_f32;
  if (to == TY_F32 && from == TY_F64 && nearest) return cvt_f32_f64;
  if (to == TY_F32 && from == TY_F16 && exact) return cvt_f32_f16;
  if (to == TY_F32 && from == TY_BF16 && exact) return cvt_f32_bf16;
  if (from != TY_F32 || !nearest) return NULL;
  if (in->operand_count == 3)
    return to == TY_F16X2 ? cvt_f16x2_f32 : to == TY_BF16X2 ? cvt_bf16x2_f32 : NULL;
  return to == TY_F16 ? cvt_f16_f32 : to == TY_BF16 ? cvt_bf16_f32 : NULL;
}

static bool is_int_class(TypeClass k) { return k == TC_U || k == TC_S || k == TC_B; }

static LaneFn bind_cvt(const Inst *in) {
  bool to_int = is_int_class(type_class(in->type)), from_int = is_int_class(type_class(in->type2));
  bool from_float = in->type2 == TY_F32 || in->type2 == TY_F64;
  if (to_int && from_int) return inst_has(in, MC_SAT) ? NULL : bind_int_cvt(in->type, in->type2);
  if (to_int) return from_float ? bind_to_int(in) : NULL;
  if (!from_int) return bind_float_cvt(in);
  bool to_float = in->type == TY_F32 || in->type == TY_F64;
  bool plain = inst_is(in, MC_ROUND, MOD_ROUND_RN) && !inst_has(in, MC_SAT);
  return to_float && plain ? bind_from_int(in->type, in->type2) : NULL;
}
