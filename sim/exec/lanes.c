/* exec/lanes.c - the common instructions as vector loops. Compiled once for each LANES_BUILD.
 *
 * A loop computes all 32 lanes into an array of its own, which the compiler turns into vector code,
 * and the lanes of the mask are then copied to the destination. So every expression must be defined
 * for every value, active lane or not. */
#include <math.h>
#include <string.h>

#include "exec/approx.h"
#include "exec/lanes.h"

typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;
typedef float f32;
typedef double f64;

#define SIGNATURE void *d, const void *a, const void *b, const void *c, Mask m, LaneExtra *x
#define UNUSED_ARGUMENTS (void)a, (void)b, (void)c, (void)x

/* ---- putting results where they belong ------------------------------------------------------- */

#define DEFINE_PUT(T)                                                                              \
  static ALWAYS_INLINE void put_##T(void *d, const T *t, Mask m) {                                 \
    T *to = d;                                                                                     \
    if (m == FULL_MASK)                                                                            \
      memcpy(to, t, WARP_SIZE * sizeof *t);                                                        \
    else                                                                                           \
      for (int l = 0; l < WARP_SIZE; l++) to[l] = m >> l & 1 ? t[l] : to[l];                       \
  }
DEFINE_PUT(u16)
DEFINE_PUT(u32)
DEFINE_PUT(u64)
DEFINE_PUT(s16)
DEFINE_PUT(s32)
DEFINE_PUT(s64)
DEFINE_PUT(f32)
DEFINE_PUT(f64)

static ALWAYS_INLINE void put_mask(void *d, Mask value, Mask m) {
  Mask *to = d;
  *to = (*to & ~m) | (value & m);
}

/* NAME: TD result from X (of a), Y (of b), Z (of c). */
#define LANES1(NAME, TD, TA, EXPR)                                                                 \
  static void NAME(SIGNATURE) {                                                                    \
    UNUSED_ARGUMENTS;                                                                              \
    const TA *A = a;                                                                               \
    TD t[WARP_SIZE];                                                                               \
    for (int l = 0; l < WARP_SIZE; l++) {                                                          \
      TA X = A[l];                                                                                 \
      t[l] = (TD)(EXPR);                                                                           \
    }                                                                                              \
    put_##TD(d, t, m);                                                                             \
  }
#define LANES2(NAME, TD, TA, TB, EXPR)                                                             \
  static void NAME(SIGNATURE) {                                                                    \
    UNUSED_ARGUMENTS;                                                                              \
    const TA *A = a;                                                                               \
    const TB *B = b;                                                                               \
    TD t[WARP_SIZE];                                                                               \
    for (int l = 0; l < WARP_SIZE; l++) {                                                          \
      TA X = A[l];                                                                                 \
      TB Y = B[l];                                                                                 \
      t[l] = (TD)(EXPR);                                                                           \
    }                                                                                              \
    put_##TD(d, t, m);                                                                             \
  }
#define LANES3(NAME, TD, TA, TB, TC, EXPR)                                                         \
  static void NAME(SIGNATURE) {                                                                    \
    UNUSED_ARGUMENTS;                                                                              \
    const TA *A = a;                                                                               \
    const TB *B = b;                                                                               \
    const TC *C = c;                                                                               \
    TD t[WARP_SIZE];                                                                               \
    for (int l = 0; l < WARP_SIZE; l++) {                                                          \
      TA X = A[l];                                                                                 \
      TB Y = B[l];                                                                                 \
      TC Z = C[l];                                                                                 \
      t[l] = (TD)(EXPR);                                                                           \
    }                                                                                              \
    put_##TD(d, t, m);                                                                             \
  }

/* ---- integers -------------------------------------------------------------------------------- */

/* One expression for the three widths; TABLE picks by type. */
#define WIDTHS2(NAME, SIGN, EXPR)                                                                  \
  LANES2(NAME##_##SIGN##16, SIGN##16, SIGN##16, SIGN##16, EXPR)                                    \
  LANES2(NAME##_##SIGN##32, SIGN##32, SIGN##32, SIGN##32, EXPR)                                    \
  LANES2(NAME##_##SIGN##64, SIGN##64, SIGN##64, SIGN##64, EXPR)
#define WIDTHS1(NAME, SIGN, EXPR)                                                                  \
  LANES1(NAME##_##SIGN##16, SIGN##16, SIGN##16, EXPR)                                              \
  LANES1(NAME##_##SIGN##32, SIGN##32, SIGN##32, EXPR)                                              \
  LANES1(NAME##_##SIGN##64, SIGN##64, SIGN##64, EXPR)

/* The arithmetic that is the same for signed and unsigned is done on unsigned words. */
WIDTHS2(add, u, X + Y)
WIDTHS2(sub, u, X - Y)
WIDTHS2(mul, u, (u64)X *Y)
WIDTHS2(and, u, X &Y)
WIDTHS2(or, u, X | Y)
WIDTHS2(xor, u, X ^ Y)
WIDTHS2(min, u, X < Y ? X : Y)
WIDTHS2(max, u, X > Y ? X : Y)
WIDTHS2(min, s, X < Y ? X : Y)
WIDTHS2(max, s, X > Y ? X : Y)
WIDTHS1(not, u, ~X)
WIDTHS1(mov, u, X)
WIDTHS1(neg, u, 0 - (u64)X)
WIDTHS1(abs, s, X < 0 ? (s64)(0 - (u64)X) : (s64)X)
LANES3(mad_u16, u16, u16, u16, u16, (u32)X *Y + Z)
LANES3(mad_u32, u32, u32, u32, u32, X *Y + Z)
LANES3(mad_u64, u64, u64, u64, u64, X *Y + Z)

LANES2(wide_u16, u32, u16, u16, (u32)X *Y)
LANES2(wide_s16, u32, s16, s16, (s32)X *Y)
LANES2(wide_u32, u64, u32, u32, (u64)X *Y)
LANES2(wide_s32, u64, s32, s32, (s64)X *Y)
LANES3(madwide_u16, u32, u16, u16, u32, (u32)X *Y + Z)
LANES3(madwide_s16, u32, s16, s16, u32, (u32)((s32)X *Y) + Z)
LANES3(madwide_u32, u64, u32, u32, u64, (u64)X *Y + Z)
LANES3(madwide_s32, u64, s32, s32, u64, (u64)((s64)X *Y) + Z)
LANES2(hi_u32, u32, u32, u32, (u64)X *Y >> 32)
LANES2(hi_s32, u32, s32, s32, (s64)X *Y >> 32)

/* Shifts by the width or more give zero, or copies of the sign (PTX clamps the amount). */
#define SHIFTS(W)                                                                                  \
  LANES2(shl_u##W, u##W, u##W, u32, Y < W ? (u64)X << (Y & 63) : 0)                                \
  LANES2(shr_u##W, u##W, u##W, u32, Y < W ? X >> (Y & (W - 1)) : 0)                                \
  LANES2(shr_s##W, s##W, s##W, u32, X >> (int)(Y < W ? Y : W - 1))
SHIFTS(16)
SHIFTS(32)
SHIFTS(64)
LANES3(shf_l_wrap, u32, u32, u32, u32, (((u64)Y << 32 | X) << (Z & 31)) >> 32)
LANES3(shf_r_wrap, u32, u32, u32, u32, ((u64)Y << 32 | X) >> (Z & 31))

/* ---- floating point: round to nearest, no flushing ------------------------------------------- */

/* A NaN that an operation makes is the one that the GPU makes. */
static ALWAYS_INLINE f32 canonical_f32(f32 v) {
  u32 bits;
  memcpy(&bits, &v, sizeof bits);
  bits = (bits & 0x7fffffffu) > 0x7f800000u ? 0x7fffffffu : bits;
  memcpy(&v, &bits, sizeof v);
  return v;
}
/* In f64 an operand that is a NaN comes through, made quiet: the first such one of a, b, c. */
static ALWAYS_INLINE u64 bits_f64(f64 v) {
  u64 bits;
  memcpy(&bits, &v, sizeof bits);
  return bits;
}
static ALWAYS_INLINE f64 finish_f64(f64 r, f64 a, f64 b, f64 c) {
  u64 quiet = 1ull << 51, from = a != a   ? bits_f64(a) | quiet
                                 : b != b ? bits_f64(b) | quiet
                                 : c != c ? bits_f64(c) | quiet
                                          : 0xfff8000000000000ull;
  u64 bits = r != r ? from : bits_f64(r);
  memcpy(&r, &bits, sizeof r);
  return r;
}
static ALWAYS_INLINE f32 finish_f32(f32 r, f32 a, f32 b, f32 c) {
  (void)a, (void)b, (void)c;
  return canonical_f32(r);
}
#define FLOATS(T, FMA, SQRT)                                                                       \
  LANES2(add_##T, T, T, T, finish_##T(X + Y, Y, X, 0))                                             \
  LANES2(sub_##T, T, T, T, finish_##T(X - Y, Y, X, 0))                                             \
  LANES2(mul_##T, T, T, T, finish_##T(X *Y, Y, X, 0))                                              \
  LANES3(fma_##T, T, T, T, T, finish_##T(FMA(X, Y, Z), Y, Z, X))                                   \
  LANES2(div_##T, T, T, T, finish_##T(X / Y, X, Y, 0))                                             \
  LANES1(rcp_##T, T, T, finish_##T(1 / X, X, 0, 0))                                                \
  LANES1(sqrt_##T, T, T, finish_##T(SQRT(X), X, 0, 0))
FLOATS(f32, __builtin_fmaf, __builtin_sqrtf)
FLOATS(f64, __builtin_fma, __builtin_sqrt)

/* ---- compare and select ---------------------------------------------------------------------- */

#define COMPARE(NAME, T, EXPR)                                                                     \
  static void NAME##_##T(SIGNATURE) {                                                              \
    UNUSED_ARGUMENTS;                                                                              \
    const T *A = a, *B = b;                                                                        \
    u32 t[WARP_SIZE];                                                                              \
    for (int l = 0; l < WARP_SIZE; l++) {                                                          \
      T X = A[l], Y = B[l];                                                                        \
      t[l] = (u32)(EXPR) << l;                                                                     \
    }                                                                                              \
    Mask r = 0;                                                                                    \
    for (int l = 0; l < WARP_SIZE; l++) r |= t[l];                                                 \
    put_mask(d, r, m);                                                                             \
  }
#define COMPARES(T)                                                                                \
  COMPARE(eq, T, X == Y)                                                                           \
  COMPARE(ne, T, X != Y)                                                                           \
  COMPARE(lt, T, X < Y)                                                                            \
  COMPARE(le, T, X <= Y)                                                                           \
  COMPARE(gt, T, X > Y)                                                                            \
  COMPARE(ge, T, X >= Y)
COMPARES(u16)
COMPARES(u32)
COMPARES(u64)
COMPARES(s16)
COMPARES(s32)
COMPARES(s64)
/* On floats `ne` is ordered: false for NaN; the `u` forms are the negations of the opposite. */
#define COMPARES_FLOAT(T)                                                                          \
  COMPARE(eq, T, X == Y)                                                                           \
  COMPARE(ne, T, X<Y || X> Y)                                                                      \
  COMPARE(lt, T, X < Y)                                                                            \
  COMPARE(le, T, X <= Y)                                                                           \
  COMPARE(gt, T, X > Y)                                                                            \
  COMPARE(ge, T, X >= Y)                                                                           \
  COMPARE(equ, T, !(X < Y || X > Y))                                                               \
  COMPARE(neu, T, X != Y)                                                                          \
  COMPARE(ltu, T, !(X >= Y))                                                                       \
  COMPARE(leu, T, !(X > Y))                                                                        \
  COMPARE(gtu, T, !(X <= Y))                                                                       \
  COMPARE(geu, T, !(X < Y))
COMPARES_FLOAT(f32)
COMPARES_FLOAT(f64)

#define SELECT(T)                                                                                  \
  static void selp_##T(SIGNATURE) {                                                                \
    (void)x;                                                                                       \
    const T *A = a, *B = b;                                                                        \
    Mask which = *(const Mask *)c;                                                                 \
    T t[WARP_SIZE];                                                                                \
    for (int l = 0; l < WARP_SIZE; l++) t[l] = which >> l & 1 ? A[l] : B[l];                       \
    put_##T(d, t, m);                                                                              \
  }
SELECT(u16)
SELECT(u32)
SELECT(u64)

#define LOGIC(NAME, EXPR)                                                                          \
  static void NAME##_pred(SIGNATURE) {                                                             \
    UNUSED_ARGUMENTS;                                                                              \
    Mask X = *(const Mask *)a, Y = b ? *(const Mask *)b : 0;                                       \
    (void)Y;                                                                                       \
    put_mask(d, EXPR, m);                                                                          \
  }
LOGIC(and, X &Y)
LOGIC(or, X | Y)
LOGIC(xor, X ^ Y)
LOGIC(not, ~X)
LOGIC(mov, X)

/* ---- the rest, by subject -------------------------------------------------------------------- */

#include "exec/lanes_bits.h"

#include "exec/lanes_f32.h"

#include "exec/lanes_half.h"

#include "exec/lanes_cvt.h" /* uses the others */

/* ---- which function? ------------------------------------------------------------------------- */

#define BY_WIDTH(NAME, S)                                                                          \
  (bytes == 2 ? NAME##_##S##16 : bytes == 4 ? NAME##_##S##32 : bytes == 8 ? NAME##_##S##64 : NULL)
static LaneFn bind_mul(const Inst *in, int bytes, bool is_signed) {
  static LaneFn const wide[2][2] = {{wide_u16, wide_s16}, {wide_u32, wide_s32}};
  static LaneFn const madwide[2][2] = {{madwide_u16, madwide_s16}, {madwide_u32, madwide_s32}};
  bool mad = in->op == OP_MAD;
  switch (in->mod[MC_HALF]) {
  case MOD_HALF_LO: return mad ? BY_WIDTH(mad, u) : BY_WIDTH(mul, u);
  case MOD_HALF_WIDE:
    if (bytes == 8) return NULL;
    return (mad ? madwide : wide)[bytes == 4][is_signed];
  default:
    if (bytes != 4) return NULL;
    return mad ? (is_signed ? madhi_s32 : madhi_u32) : is_signed ? hi_s32 : hi_u32;
  }
}

static LaneFn bind_compare(const Inst *in) {
#define ROW(T)                                                                                     \
  { eq_##T, ne_##T, lt_##T, le_##T, gt_##T, ge_##T }
  static LaneFn const ints[2][3][6] = {{ROW(u16), ROW(u32), ROW(u64)},
                                       {ROW(s16), ROW(s32), ROW(s64)}};
#define ROW_FLOAT(T)                                                                               \
  {                                                                                                \
    eq_##T, ne_##T, lt_##T, le_##T, gt_##T, ge_##T, equ_##T, neu_##T, ltu_##T, leu_##T, gtu_##T,   \
        geu_##T                                                                                    \
  }
  static LaneFn const floats[2][12] = {ROW_FLOAT(f32), ROW_FLOAT(f64)};
  unsigned cmp = (unsigned)in->mod[MC_CMP] - MOD_CMP_EQ;
  TypeClass k = type_class(in->type);
  if (inst_has(in, MC_BOOL) || inst_has(in, MC_FTZ) || in->operand[0].reg2 >= 0) return NULL;
  if (k == TC_F) return cmp < 12 ? floats[in->type == TY_F64][cmp] : NULL;
  if (k != TC_U && k != TC_S && k != TC_B) return NULL;
  int bytes = type_lane_bytes(in->type);
  return cmp < 6 && bytes <= 8 ? ints[k == TC_S][bytes == 2 ? 0 : bytes == 4 ? 1 : 2][cmp] : NULL;
}

static LaneFn bind_logic(const Inst *in, int bytes) {
  bool pred = in->type == TY_PRED;
  switch (in->op) {
  case OP_AND: return pred ? and_pred : BY_WIDTH(and, u);
  case OP_OR: return pred ? or_pred : BY_WIDTH(or, u);
  case OP_XOR: return pred ? xor_pred : BY_WIDTH(xor, u);
  case OP_NOT: return pred ? not_pred : BY_WIDTH(not, u);
  default: return pred ? mov_pred : BY_WIDTH(mov, u);
  }
}

static LaneFn bind_int(const Inst *in, int bytes, bool is_signed) {
  switch (in->op) {
  case OP_ADD: return BY_WIDTH(add, u);
  case OP_SUB: return BY_WIDTH(sub, u);
  case OP_MUL:
  case OP_MAD: return bind_mul(in, bytes, is_signed);
  case OP_MIN: return is_signed ? BY_WIDTH(min, s) : BY_WIDTH(min, u);
  case OP_MAX: return is_signed ? BY_WIDTH(max, s) : BY_WIDTH(max, u);
  case OP_NEG: return BY_WIDTH(neg, u);
  case OP_ABS: return BY_WIDTH(abs, s);
  case OP_SHL: return BY_WIDTH(shl, u);
  case OP_SHR: return is_signed ? BY_WIDTH(shr, s) : BY_WIDTH(shr, u);
  case OP_DIV:
  case OP_REM: return bind_divide(in, is_signed);
  default: return bind_bits(in, bytes, is_signed);
  }
}

#define BIND_NAME_(build) lanes_bind_##build
#define BIND_NAME(build) BIND_NAME_(build)
LaneFn BIND_NAME(LANES_BUILD)(const Inst *in);

LaneFn BIND_NAME(LANES_BUILD)(const Inst *in) {
  TypeClass k = type_class(in->type);
  int bytes = type_lane_bytes(in->type);
  switch (in->op) {
  case OP_SETP: return bind_compare(in);
  case OP_SELP: return BY_WIDTH(selp, u);
  case OP_CVT: return bind_cvt(in);
  case OP_AND:
  case OP_OR:
  case OP_XOR:
  case OP_NOT:
  case OP_MOV: return bind_logic(in, bytes);
  case OP_SHF:
    if (inst_is(in, MC_WRAP, MOD_WRAP_CLAMP)) return NULL;
    return inst_is(in, MC_DIR, MOD_DIR_L) ? shf_l_wrap : shf_r_wrap;
  default: break;
  }
  if (k == TC_F) return in->type == TY_TF32 ? NULL : bind_float(in);
  if (k == TC_H || k == TC_V) return bind_half(in);
  if (inst_has(in, MC_CC) || inst_has(in, MC_SAT) || inst_has(in, MC_RELU)) return NULL;
  bool is_int = k == TC_U || k == TC_S || k == TC_B;
  return is_int ? bind_int(in, bytes, k == TC_S) : NULL;
}
