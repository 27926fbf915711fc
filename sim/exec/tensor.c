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

enum { MAX_DIM = 32 };

typedef struct Shape {
  int m, n, k;
} Shape;

typedef struct Matrix {
  double f[MAX_DIM][MAX_DIM];
  int64_t i[MAX_DIM][MAX_DIM];
} Matrix;

static bool shape_of(const Inst *in, Shape *s) {
  switch (in->mod[MC_SHAPE]) {
  case MOD_SHAPE_M16N8K4: *s = (Shape){16, 8, 4}; break;
  case MOD_SHAPE_M16N8K8: *s = (Shape){16, 8, 8}; break;
  case MOD_SHAPE_M16N8K16: *s = (Shape){16, 8, 16}; break;
  case MOD_SHAPE_M16N8K32: *s = (Shape){16, 8, 32}; break;
  case MOD_SHAPE_M8N8K16: *s = (Shape){8, 8, 16}; break;
  case MOD_SHAPE_M8N8K4:
    *s = (Shape){8, 8, 4};
    return in->type == TY_F64; /* the f16 form works in quarters of a warp: not supported */
  default: return false;
  }
  return true;
}

/* Values of a type that share one register. */
static int packed(PtxType t) {
  int bits = type_bits(t);
  return bits >= 32 ? 1 : 32 / bits;
}

/* ---- where value number `i` of a lane stands ------------------------------------------------- */

/* A is m x k. Values that share a register lie side by side in k; then come the rows 8 below, then
 * the columns of the next group. */
static void place_a(Shape s, PtxType t, int lane, int i, int *row, int *col) {
  int per = packed(t), halves = s.m / 8, reg = i / per;
  *row = lane / 4 + 8 * (reg % halves);
  *col = lane % 4 * per + i % per + 4 * per * (reg / halves);
}

/* B is k x n, and each lane holds one column's values. */
static void place_b(PtxType t, int lane, int i, int *row, int *col) {
  int per = packed(t), reg = i / per;
  *row = lane % 4 * per + i % per + 4 * per * reg;
  *col = lane / 4;
}

/* C and D are m x n: two neighbours in a row, then the row 8 below. */
static void place_c(int lane, int i, int *row, int *col) {
  *row = lane / 4 + 8 * (i / 2);
  *col = lane % 4 * 2 + i % 2;
}

/* ---- values ---------------------------------------------------------------------------------- */

static uint64_t element_bits(const Frame *f, const Op *op, int first, PtxType t, int lane, int i) {
  int per = packed(t), bits = type_bits(t);
  const uint8_t *lanes = operand(f, op->elems[first + i / per]);
  if (bits == 64) return ((const uint64_t *)(const void *)lanes)[lane];
  uint32_t word = ((const uint32_t *)(const void *)lanes)[lane];
  return bits == 32 ? word : word >> (i % per * bits) & ((1u << bits) - 1);
}

static void put_value(Matrix *m, int row, int col, PtxType t, uint64_t bits) {
  switch (t) {
  case TY_F16: m->f[row][col] = small_to_double(format_f16, (uint32_t)bits); break;
  case TY_BF16: m->f[row][col] = small_to_double(format_bf16, (uint32_t)bits); break;
  case TY_TF32: m->f[row][col] = (double)f32_of((uint32_t)bits & 0xffffe000u); break;
  case TY_F32: m->f[row][col] = (double)f32_of((uint32_t)bits); break;
  case TY_F64: m->f[row][col] = f64_of(bits); break;
  case TY_S8: m->i[row][col] = (int8_t)bits; break;
  case TY_S32: m->i[row][col] = (int32_t)bits; break;
  default: m->i[row][col] = (int64_t)bits;
  }
}

static int count_of(const Operand *o) { return o->kind == OPND_VEC ? o->count : 1; }

/* ---- mma ------------------------------------------------------------------------------------- */

static bool mma_types_ok(const Inst *in) {
  PtxType a = in->type2, d = in->type;
  if (a != in->type3 || d != in->type4) return (a == TY_S8 || a == TY_U8) && d == TY_S32;
  if (d == TY_F64) return a == TY_F64;
  if (d == TY_F32) return a == TY_F16 || a == TY_BF16 || a == TY_TF32;
  if (d == TY_F16) return a == TY_F16;
  return d == TY_S32 && (a == TY_S8 || a == TY_U8);
}

/* Do the operands have the registers that the shape asks for? */
static bool counts_ok(const Inst *in, Shape s, const int counts[4]) {
  int lanes = WARP_SIZE;
  return counts[0] * packed(in->type) * lanes == s.m * s.n &&
         counts[1] * packed(in->type2) * lanes == s.m * s.k &&
         counts[2] * packed(in->type3) * lanes == s.k * s.n &&
         counts[3] * packed(in->type4) * lanes == s.m * s.n;
}

static void multiply(const Inst *in, Shape s, const Matrix *a, const Matrix *b, Matrix *c) {
  bool integer = in->type == TY_S32, saturate = inst_has(in, MC_SAT);
  for (int i = 0; i < s.m; i++)
    for (int j = 0; j < s.n; j++) {
      for (int k = 0; k < s.k; k++) {
        c->f[i][j] += a->f[i][k] * b->f[k][j];
        c->i[i][j] += a->i[i][k] * b->i[k][j];
      }
      if (integer && saturate && c->i[i][j] > INT32_MAX) c->i[i][j] = INT32_MAX;
      if (integer && saturate && c->i[i][j] < INT32_MIN) c->i[i][j] = INT32_MIN;
    }
}

static void store_result(const Frame *f, const Op *op, const Matrix *d, int count) {
  PtxType t = op->in->type;
  int per = packed(t);
  for (int lane = 0; lane < WARP_SIZE; lane++)
    for (int i = 0; i < count * per; i++) {
      int row, col;
      place_c(lane, i, &row, &col);
      uint8_t *lanes = operand(f, op->elems[i / per]);
      if (t == TY_F64) {
        memcpy(lanes + lane * 8, &d->f[row][col], 8);
      } else if (t == TY_F32) {
        float v = (float)d->f[row][col];
        memcpy(lanes + lane * 4, &v, 4);
      } else if (t == TY_S32) {
        int32_t v = (int32_t)d->i[row][col];
        memcpy(lanes + lane * 4, &v, 4);
      } else { /* f16: the conversion was bound with the instruction */
        float v[WARP_SIZE] = {(float)d->f[row][col]};
        uint16_t half[WARP_SIZE];
        LaneExtra x = {.in = op->combine_in};
        op->combine(half, v, NULL, NULL, 1, &x);
        memcpy(lanes + lane * 4 + i % per * 2, half, 2);
      }
    }
}

Flow do_mma(Warp *w, Path *p, const Op *op, Mask m) {
  const Inst *in = op->in;
  Shape s;
  int first, counts[4], row, col;
  for (int k = 0; k < 4; k++) counts[k] = count_of(&in->operand[k]);
  if (!shape_of(in, &s) || !mma_types_ok(in) || !counts_ok(in, s, counts) ||
      inst_has(in, MC_ATOM) || (in->type == TY_F16 && !op->combine))
    return do_unsupported(w, p, op, m);
  if (m != FULL_MASK && w->cta->m->set.check >= GPU_CHECK_SYNC)
    return fault_raise(w, p, in, GPU_FAULT_MASK_MISMATCH, ~m,
                       "let all 32 lanes of the warp execute the matrix instruction",
                       "a matrix instruction needs all 32 lanes; lanes 0x%08x are missing", ~m);
  const Frame *f = p->frame;
  Matrix a = {0}, b = {0}, c = {0};
  first = counts[0];
  for (int lane = 0; lane < WARP_SIZE; lane++) {
    for (int i = 0; i < counts[1] * packed(in->type2); i++) {
      place_a(s, in->type2, lane, i, &row, &col);
      if (row < s.m && col < s.k)
        put_value(&a, row, col, in->type2, element_bits(f, op, first, in->type2, lane, i));
    }
    for (int i = 0; i < counts[2] * packed(in->type3); i++) {
      place_b(in->type3, lane, i, &row, &col);
      if (row < s.k)
        put_value(&b, row, col, in->type3,
                  element_bits(f, op, first + counts[1], in->type3, lane, i));
    }
    for (int i = 0; i < counts[3] * packed(in->type4); i++) {
      place_c(lane, i, &row, &col);
      put_value(&c, row, col, in->type4,
                element_bits(f, op, first + counts[1] + counts[2], in->type4, lane, i));
    }
  }
  multiply(in, s, &a, &b, &c);
  store_result(f, op, &c, counts[0]);
  return FLOW_NEXT;
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
