/* exec/tensor.c - matrices spread over a warp: mma, ldmatrix, movmatrix.
 *
 * Where a lane's values stand in a matrix is the PTX ISA's ("Matrix Fragments for mma"). Products
 * are exact; their sum is kept in double precision (integers: 64 bits) and rounded once. Tensor
 * cores round the sum at other places, so the last bits of floating-point results can differ from
 * theirs. */
#include <string.h>

#include "exec/control.h"
#include "exec/fault.h"
#include "exec/lane_float.h"

enum { MAX_MN = 32, MAX_K = 256 };

typedef struct Shape {
  int m, n, k;
  bool quarters; /* m8n8k4 on halves: four products at once, of 8 lanes each */
} Shape;

typedef struct Fragments { /* the three factors; floats in f, integers in i */
  double af[MAX_MN][MAX_K], bf[MAX_K][MAX_MN], cf[MAX_MN][MAX_MN];
  int64_t ai[MAX_MN][MAX_K], bi[MAX_K][MAX_MN], ci[MAX_MN][MAX_MN];
} Fragments;

static Shape shape_of(const Inst *in) {
  int dim[3];
  mod_shape((ModValue)in->mod[MC_SHAPE], dim);
  return (Shape){dim[0], dim[1], dim[2],
                 in->mod[MC_SHAPE] == MOD_SHAPE_M8N8K4 && in->type2 == TY_F16 && in->op == OP_MMA};
}

/* Values of a type that share one register. */
static int packed(PtxType t) {
  int bits = type_bits(t);
  return bits >= 32 ? 1 : 32 / bits;
}

/* ---- where value number `i` of a lane stands ------------------------------------------------- */

typedef struct Place {
  int row, col;
} Place;

/* A is m x k. Values that share a register lie side by side in k; then come the rows 8 below, then
 * the columns of the next group. */
static Place place_a(const Inst *in, Shape s, int lane, int i) {
  int per = packed(in->type2), halves = s.m == 16 ? 2 : 1, reg = i / per;
  if (s.quarters)
    return inst_is(in, MC_LAYOUT_A, MOD_LAYOUT_A_COL) ? (Place){i % 4 + 4 * (lane / 16), lane % 4}
                                                      : (Place){lane % 4 + 4 * (lane / 16), i};
  return (Place){lane / 4 + 8 * (reg % halves),
                 lane % 4 * per + i % per + 4 * per * (reg / halves)};
}

/* B is k x n, and each lane holds one column's values. */
static Place place_b(const Inst *in, Shape s, int lane, int i) {
  int per = packed(in->type3), reg = i / per;
  if (s.quarters)
    return inst_is(in, MC_LAYOUT_B, MOD_LAYOUT_B_ROW) ? (Place){lane % 4, i % 4 + 4 * (lane / 16)}
                                                      : (Place){i, lane % 4 + 4 * (lane / 16)};
  return (Place){lane % 4 * per + i % per + 4 * per * reg, lane / 4};
}

/* C and D are m x n: two neighbours in a row, then the row 8 below. */
static Place place_c(PtxType t, Shape s, int lane, int i) {
  int low = 4 * (lane / 16);
  if (s.quarters && t == TY_F32)
    return (Place){low + (lane & 1) + (i & 2), (i & 4) + (lane & 2) + (i & 1)};
  if (s.quarters) return (Place){low + lane % 4, i};
  return (Place){lane / 4 + 8 * (i / 2), lane % 4 * 2 + i % 2};
}

/* wmma leaves open which lane holds what. Here each holds as many neighbours as there are lanes to
 * share the matrix, row by row; where there are more places (halves of A and B) they repeat. */
static Place place_wmma(FragmentShape shape, int lane, int i) {
  int share = shape.rows * shape.columns / WARP_SIZE, at = lane * share + i % share;
  return (Place){at / shape.columns, at % shape.columns};
}

/* ---- values ---------------------------------------------------------------------------------- */

static uint64_t element_bits(const Frame *f, const Op *op, int first, PtxType t, int lane, int i) {
  int per = packed(t), bits = type_bits(t);
  const uint8_t *lanes = operand(f, op->elems[first + i / per]);
  if (bits == 64) return ((const uint64_t *)(const void *)lanes)[lane];
  uint32_t word = ((const uint32_t *)(const void *)lanes)[lane];
  return bits == 32 ? word : word >> (i % per * bits) & ((1u << bits) - 1);
}

static Format small_format(PtxType t) {
  switch (t) {
  case TY_BF16: return format_bf16;
  case TY_E4M3: return format_e4m3;
  case TY_E5M2: return format_e5m2;
  default: return format_f16;
  }
}

/* A value as a float, or as an integer; the other is 0. */
static void put_value(double *f, int64_t *i, PtxType t, uint64_t bits) {
  switch (t) {
  case TY_F16:
  case TY_BF16:
  case TY_E4M3:
  case TY_E5M2: *f = small_to_double(small_format(t), (uint32_t)bits); break;
  case TY_TF32: *f = (double)f32_of((uint32_t)bits & 0xffffe000u); break;
  case TY_F32: *f = (double)f32_of((uint32_t)bits); break;
  case TY_F64: *f = f64_of(bits); break;
  case TY_S4: *i = (int64_t)(bits ^ 8) - 8; break;
  case TY_S8: *i = (int8_t)bits; break;
  case TY_S32: *i = (int32_t)bits; break;
  default: *i = (int64_t)bits;
  }
}

static int count_of(const Operand *o) { return o->kind == OPND_VEC ? o->count : 1; }

/* ---- mma ------------------------------------------------------------------------------------- */

static bool is_narrow_int(PtxType t) {
  return t == TY_S8 || t == TY_U8 || t == TY_S4 || t == TY_U4 || t == TY_B1;
}

static bool mma_types_ok(const Inst *in) {
  PtxType d = in->type, a = in->type2, b = in->type3, c = in->type4;
  bool f8 = (a == TY_E4M3 || a == TY_E5M2) && (b == TY_E4M3 || b == TY_E5M2);
  if (d == TY_S32)
    return c == d && is_narrow_int(a) && is_narrow_int(b) && type_bits(a) == type_bits(b) &&
           (a == TY_B1) == inst_has(in, MC_ATOM);
  if (d == TY_F64) return a == d && b == d && c == d;
  if (a == TY_F16) return b == a && (d == TY_F16 || d == TY_F32) && (c == TY_F16 || c == TY_F32);
  if (f8) return c == d && (d == TY_F16 || d == TY_F32);
  return (a == TY_BF16 || a == TY_TF32) && b == a && d == TY_F32 && c == d;
}

/* The values of one operand of mma, lane by lane, by `which`: 1 A, 2 B, 3 C. `quarter`: -1, or the
 * lanes of which product of m8n8k4. */
static void read_factor(const Frame *f, const Op *op, Shape s, int which, int quarter,
                        Fragments *x) {
  const Inst *in = op->in;
  const PtxType types[] = {in->type, in->type2, in->type3, in->type4};
  PtxType t = types[which];
  int first = 0, n = count_of(&in->operand[which]) * packed(t);
  for (int k = 0; k < which; k++) first += count_of(&in->operand[k]);
  for (int lane = 0; lane < WARP_SIZE; lane++) {
    if (quarter >= 0 && lane % 16 / 4 != quarter) continue;
    for (int i = 0; i < n; i++) {
      uint64_t bits = element_bits(f, op, first, t, lane, i);
      Place at = op_is_wmma((PtxOp)in->op) ? place_wmma(inst_fragment(in, which), lane, i)
                 : which == 1              ? place_a(in, s, lane, i)
                 : which == 2              ? place_b(in, s, lane, i)
                                           : place_c(t, s, lane, i);
      if (which == 1) put_value(&x->af[at.row][at.col], &x->ai[at.row][at.col], t, bits);
      if (which == 2) put_value(&x->bf[at.row][at.col], &x->bi[at.row][at.col], t, bits);
      if (which == 3) put_value(&x->cf[at.row][at.col], &x->ci[at.row][at.col], t, bits);
    }
  }
}

static int64_t multiply_bits(const Inst *in, int64_t a, int64_t b) {
  return inst_is(in, MC_BOOL, MOD_BOOL_XOR) ? a ^ b : a & b;
}

static void multiply(const Inst *in, Shape s, Fragments *x) {
  for (int i = 0; i < s.m; i++)
    for (int j = 0; j < s.n; j++) {
      double f = x->cf[i][j];
      int64_t sum = x->ci[i][j];
      for (int k = 0; k < s.k; k++) {
        f += x->af[i][k] * x->bf[k][j];
        sum += in->type2 == TY_B1 ? multiply_bits(in, x->ai[i][k], x->bi[k][j])
                                  : x->ai[i][k] * x->bi[k][j];
      }
      if (inst_has(in, MC_SAT))
        sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
      x->cf[i][j] = f;
      x->ci[i][j] = sum;
    }
}

/* Puts value number i of a lane into the registers that begin at op->elems[first]. */
static void put_element(const Frame *f, const Op *op, int first, PtxType t, int lane, int i,
                        uint64_t bits) {
  int per = packed(t), bytes = type_bytes(t), word = bytes == 8 ? 8 : 4;
  uint8_t *lanes = operand(f, op->elems[first + i / per]);
  memcpy(lanes + lane * word + i % per * bytes, &bits, (size_t)bytes);
}

static uint64_t result_bits(PtxType t, double f, int64_t i) {
  switch (t) {
  case TY_F64: return bits_of_f64(f);
  case TY_F32: return bits_of_f32((float)f);
  case TY_F16: return double_to_small(format_f16, f, ROUND_NEAREST);
  default: return (uint32_t)i;
  }
}

static void store_result(const Frame *f, const Op *op, Shape s, int quarter, const Fragments *x) {
  const Inst *in = op->in;
  PtxType t = in->type;
  int n = count_of(&in->operand[0]) * packed(t);
  for (int lane = 0; lane < WARP_SIZE; lane++) {
    if (quarter >= 0 && lane % 16 / 4 != quarter) continue;
    for (int i = 0; i < n; i++) {
      Place at = op_is_wmma((PtxOp)in->op) ? place_wmma(inst_fragment(in, 0), lane, i)
                                           : place_c(t, s, lane, i);
      put_element(f, op, 0, t, lane, i,
                  result_bits(t, x->cf[at.row][at.col], x->ci[at.row][at.col]));
    }
  }
}

/* Only the part that the shape uses. */
static void clear(Fragments *x, Shape s) {
  for (int i = 0; i < s.m; i++) {
    memset(x->af[i], 0, (size_t)s.k * sizeof x->af[i][0]);
    memset(x->ai[i], 0, (size_t)s.k * sizeof x->ai[i][0]);
  }
  memset(x->bf, 0, (size_t)s.k * sizeof x->bf[0]);
  memset(x->bi, 0, (size_t)s.k * sizeof x->bi[0]);
  memset(x->cf, 0, sizeof x->cf);
  memset(x->ci, 0, sizeof x->ci);
}

static void multiply_part(const Frame *f, const Op *op, Shape s, int quarter) {
  Fragments x;
  clear(&x, s);
  for (int which = 1; which <= 3; which++) read_factor(f, op, s, which, quarter, &x);
  multiply(op->in, s, &x);
  store_result(f, op, s, quarter, &x);
}

static Flow needs_all_lanes(Warp *w, Path *p, const Op *op, Mask m) {
  if (m == FULL_MASK || w->cta->m->set.check < GPU_CHECK_SYNC) return FLOW_NEXT;
  return fault_raise(w, p, op->in, GPU_FAULT_MASK_MISMATCH, ~m,
                     "let all 32 lanes of the warp execute the matrix instruction",
                     "a matrix instruction needs all 32 lanes; lanes 0x%08x are missing", ~m);
}

Flow do_mma(Warp *w, Path *p, const Op *op, Mask m) {
  Shape s = shape_of(op->in);
  if (!mma_types_ok(op->in)) return do_unsupported(w, p, op, m);
  Flow flow = needs_all_lanes(w, p, op, m);
  if (flow != FLOW_NEXT) return flow;
  if (!s.quarters) multiply_part(p->frame, op, s, -1);
  for (int quarter = 0; s.quarters && quarter < 4; quarter++)
    multiply_part(p->frame, op, s, quarter);
  return FLOW_NEXT;
}

/* ---- wmma.load, wmma.store ------------------------------------------------------------------- */

static int wmma_operand(PtxOp op) {
  return op == OP_WMMA_LOAD_A ? 1 : op == OP_WMMA_LOAD_B ? 2 : op == OP_WMMA_LOAD_C ? 3 : 0;
}

/* The matrix lies at one address; `stride` elements are between the starts of two rows (or, with
 * .col, of two columns). */
Flow do_wmma_access(Warp *w, Path *p, const Op *op, Mask m) {
  const Inst *in = op->in;
  const Frame *f = p->frame;
  FragmentShape shape = inst_fragment(in, wmma_operand((PtxOp)in->op));
  bool column = inst_is(in, MC_LAYOUT_A, MOD_LAYOUT_A_COL), store = in->op == OP_WMMA_STORE_D;
  int values = shape.registers * packed(shape.type);
  int share = shape.rows * shape.columns / WARP_SIZE;
  if (type_bits(shape.type) < 8) return do_unsupported(w, p, op, m);
  Flow flow = needs_all_lanes(w, p, op, m);
  uint64_t base[WARP_SIZE], address[WARP_SIZE], value[WARP_SIZE] = {0};
  lane_addresses(p, op, base);
  for (int i = 0; i < share && flow == FLOW_NEXT; i++) {
    for (int l = 0; l < WARP_SIZE; l++) {
      Place at = place_wmma(shape, l, i);
      uint64_t stride = (uint64_t)(column ? shape.rows : shape.columns);
      if (op->a != OPERAND_NONE) stride = ((const uint32_t *)operand(f, op->a))[l];
      uint64_t element = column ? (uint64_t)at.col * stride + (uint64_t)at.row
                                : (uint64_t)at.row * stride + (uint64_t)at.col;
      address[l] = base[l] + element * op->bytes;
      if (store) value[l] = element_bits(f, op, 0, shape.type, l, i);
    }
    flow = access_values(w, p, op, address, op->bytes, m, store, value);
    for (int k = i; !store && k < values; k += share)
      FOR_LANES(l, m) put_element(f, op, 0, shape.type, l, k, value[l]);
  }
  return flow;
}

/* ---- ldmatrix, movmatrix --------------------------------------------------------------------- */

/* An 8 x 8 matrix of 16-bit values; a lane holds two neighbours of row lane / 4. */
static uint32_t fragment(uint16_t tile[8][8], int lane, bool transposed) {
  int r = lane / 4, c = lane % 4 * 2;
  return transposed ? tile[c][r] | (uint32_t)tile[c + 1][r] << 16
                    : tile[r][c] | (uint32_t)tile[r][c + 1] << 16;
}

/* ldmatrix: lanes 8i .. 8i+7 give the addresses of the rows of matrix i, 16 bytes each. */
Flow do_ldmatrix(Warp *w, Path *p, const Op *op, Mask m) {
  uint32_t result[4][WARP_SIZE];
  for (int i = 0; i < op->count && i < 4; i++) {
    uint16_t tile[8][8];
    for (int r = 0; r < 8; r++) {
      uint8_t *host;
      Flow flow = lane_bytes(w, p, op, i * 8 + r, 16, false, &host);
      if (flow != FLOW_NEXT || !host) return flow;
      memcpy(tile[r], host, 16);
    }
    for (int l = 0; l < WARP_SIZE; l++)
      result[i][l] = fragment(tile, l, inst_has(op->in, MC_TRANS));
  }
  for (int i = 0; i < op->count && i < 4; i++)
    FOR_LANES(l, m)((uint32_t *)operand(p->frame, op->elems[i]))[l] = result[i][l];
  return FLOW_NEXT;
}

Flow do_movmatrix(Warp *w, Path *p, const Op *op, Mask m) {
  (void)w;
  const uint32_t *a = operand(p->frame, op->a);
  uint16_t tile[8][8];
  for (int l = 0; l < WARP_SIZE; l++) {
    tile[l / 4][l % 4 * 2] = (uint16_t)a[l];
    tile[l / 4][l % 4 * 2 + 1] = (uint16_t)(a[l] >> 16);
  }
  FOR_LANES(l, m)((uint32_t *)operand(p->frame, op->d))[l] = fragment(tile, l, true);
  return FLOW_NEXT;
}
