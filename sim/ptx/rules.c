/* ptx/rules.c - what ops.def does not say: which modifiers an instruction needs, which it takes
 * only for some types, and which registers, constants and variables may stand for an operand.
 * Source: PTX ISA 9.0; where it is silent, what NVIDIA's assembler accepts. */
#include <string.h>

#include "ptx/parser.h"

#define B(t) TYPE_BIT(t)
#define S_INTS (B(S16) | B(S32) | B(S64))
#define U_INTS (B(U16) | B(U32) | B(U64))
#define INTS (S_INTS | U_INTS)
#define HALVES (B(F16) | B(F16X2) | B(BF16) | B(BF16X2))
#define FLOATS (B(F32) | B(F64) | B(F32X2) | HALVES)
#define ALL (~0ull)
#define CAT(c) (1ull << MC_##c)

/* ---- modifiers ------------------------------------------------------------------------------- */

/* An instruction of one of these types needs a modifier of one of these categories. */
static const struct {
  PtxOp op;
  uint64_t types, categories;
  const char *example;
} needed[] = {
    {OP_MUL, INTS, CAT(HALF), "mul.lo.s32, mul.hi.u32 or mul.wide.s32"},
    {OP_MAD, INTS, CAT(HALF), "mad.lo.s32, mad.hi.u32 or mad.wide.s32"},
    {OP_MADC, ALL, CAT(HALF), "madc.lo.u32 or madc.hi.u32"},
    {OP_MUL24, ALL, CAT(HALF), "mul24.lo.u32"},
    {OP_MAD24, ALL, CAT(HALF), "mad24.lo.u32"},
    {OP_DP2A, ALL, CAT(HALF), "dp2a.lo.u32.s32"},
    {OP_FMA, ALL, CAT(ROUND), "fma.rn.f32"},
    {OP_DIV, B(F32), CAT(ROUND) | CAT(PREC), "div.rn.f32 or div.approx.f32"},
    {OP_DIV, B(F64), CAT(ROUND), "div.rn.f64"},
    {OP_RCP, ALL, CAT(ROUND) | CAT(PREC), "rcp.rn.f32 or rcp.approx.f32"},
    {OP_SQRT, ALL, CAT(ROUND) | CAT(PREC), "sqrt.rn.f32 or sqrt.approx.f32"},
    {OP_RSQRT, ALL, CAT(PREC), "rsqrt.approx.f32"},
    {OP_SIN, ALL, CAT(PREC), "sin.approx.f32"},
    {OP_COS, ALL, CAT(PREC), "cos.approx.f32"},
    {OP_LG2, ALL, CAT(PREC), "lg2.approx.f32"},
    {OP_EX2, ALL, CAT(PREC), "ex2.approx.f32"},
    {OP_TANH, ALL, CAT(PREC), "tanh.approx.f32"},
    {OP_SETP, ALL, CAT(CMP), "setp.lt.s32"},
    {OP_SET, ALL, CAT(CMP), "set.lt.u32.s32"},
    {OP_SHF, ALL, CAT(DIR), "shf.l.wrap.b32"},
    {OP_SHF, ALL, CAT(WRAP), "shf.l.wrap.b32"},
    {OP_BMSK, ALL, CAT(WRAP), "bmsk.clamp.b32"},
    {OP_SZEXT, ALL, CAT(WRAP), "szext.wrap.s32"},
    {OP_TESTP, ALL, CAT(TESTP), "testp.finite.f32"},
    {OP_ATOM, ALL, CAT(ATOM), "atom.global.add.u32"},
    {OP_RED, ALL, CAT(ATOM), "red.global.add.u32"},
    {OP_REDUX, ALL, CAT(ATOM), "redux.sync.add.s32"},
    {OP_REDUX, ALL, CAT(SYNC), "redux.sync.add.s32"},
    {OP_BAR_RED, ALL, CAT(ATOM), "bar.red.popc.u32"},
    {OP_BAR_CTA_RED, ALL, CAT(ATOM), "bar.cta.red.popc.u32"},
    {OP_BARRIER_RED, ALL, CAT(ATOM), "barrier.red.popc.u32"},
    {OP_BARRIER_CTA_RED, ALL, CAT(ATOM), "barrier.cta.red.popc.u32"},
    {OP_SHFL, ALL, CAT(SHFL), "shfl.sync.idx.b32"},
    {OP_VOTE, ALL, CAT(VOTE), "vote.sync.any.pred"},
    {OP_MATCH, ALL, CAT(VOTE), "match.any.sync.b32"},
    {OP_MATCH, ALL, CAT(SYNC), "match.any.sync.b32"},
    {OP_ELECT, ALL, CAT(SYNC), "elect.sync"},
    {OP_MEMBAR, ALL, CAT(SCOPE), "membar.gl"},
    {OP_CVTA, ALL, CAT(SPACE), "cvta.to.global.u64"},
    {OP_ISSPACEP, ALL, CAT(SPACE), "isspacep.shared"},
};

/* Modifiers of these categories go with these types only (the first or the second of the two). */
static const struct {
  ModCategory category;
  uint64_t types;
} fitting[] = {
    {MC_FTZ, FLOATS},     {MC_HALF, INTS},   {MC_CC, B(U32) | B(S32) | B(U64) | B(S64)},
    {MC_XORSIGN, FLOATS}, {MC_NANP, FLOATS}, {MC_RELU, FLOATS | B(S32)},
    {MC_PREC, FLOATS},
};

/* Values that one instruction does not take although others of the category fit it. */
static const struct {
  PtxOp op;
  ModValue value;
} excluded[] = {
    {OP_LD, MOD_CACHE_WB},    {OP_LD, MOD_CACHE_WT},    {OP_LD, MOD_SEM_RELEASE},
    {OP_LD, MOD_SEM_ACQ_REL}, {OP_ST, MOD_CACHE_CA},    {OP_ST, MOD_CACHE_LU},
    {OP_ST, MOD_CACHE_CV},    {OP_ST, MOD_SEM_ACQUIRE}, {OP_ST, MOD_SEM_ACQ_REL},
    {OP_RED, MOD_ATOM_CAS},   {OP_RED, MOD_ATOM_EXCH},  {OP_MATCH, MOD_VOTE_BALLOT},
    {OP_MATCH, MOD_VOTE_UNI}, {OP_REDUX, MOD_ATOM_CAS}, {OP_REDUX, MOD_ATOM_EXCH},
    {OP_REDUX, MOD_ATOM_INC}, {OP_REDUX, MOD_ATOM_DEC},
};

/* Operations on memory, by the types they exist for. */
static const struct {
  ModValue value;
  uint64_t types;
} atomics[] = {
    {MOD_ATOM_AND, B(B32) | B(B64)},
    {MOD_ATOM_OR, B(B32) | B(B64)},
    {MOD_ATOM_XOR, B(B32) | B(B64)},
    {MOD_ATOM_ADD, B(U32) | B(S32) | B(U64) | B(F32) | B(F64) | HALVES},
    {MOD_ATOM_INC, B(U32)},
    {MOD_ATOM_DEC, B(U32)},
    {MOD_ATOM_MIN, B(U32) | B(S32) | B(U64) | B(S64) | HALVES},
    {MOD_ATOM_MAX, B(U32) | B(S32) | B(U64) | B(S64) | HALVES},
    {MOD_ATOM_CAS, B(B16) | B(B32) | B(B64) | B(B128)},
    {MOD_ATOM_EXCH, B(B32) | B(B64) | B(B128)},
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static bool has_any(const Inst *in, uint64_t categories) {
  for (int c = 0; c < MC_CATEGORIES; c++)
    if (categories >> c & 1 && in->mod[c] != MOD_NONE) return true;
  return false;
}

static void check_needed(Parser *ps, const Inst *in) {
  for (size_t i = 0; i < COUNT(needed); i++)
    if (needed[i].op == in->op && (needed[i].types >> in->type & 1 || needed[i].types == ALL) &&
        !has_any(in, needed[i].categories))
      parse_fail(ps, in->where, "a modifier is missing: write %s", needed[i].example);
}

static void check_fitting(Parser *ps, const Inst *in) {
  for (size_t i = 0; i < COUNT(fitting); i++) {
    uint8_t v = in->mod[fitting[i].category];
    bool fits = fitting[i].types >> in->type & 1 || fitting[i].types >> in->type2 & 1;
    if (v != MOD_NONE && op_info(in->op)->types && !fits && in->op != OP_REDUX)
      parse_fail(ps, in->where, "'.%s' does not go with the type .%s", mod_text((ModValue)v),
                 type_name(in->type));
  }
  for (size_t i = 0; i < COUNT(excluded); i++)
    for (int c = 0; c < MC_CATEGORIES; c++)
      if (excluded[i].op == in->op && in->mod[c] == excluded[i].value)
        parse_fail(ps, in->where, "'%s' does not take the modifier '.%s'", op_info(in->op)->text,
                   mod_text(excluded[i].value));
}

/* b: equal or not; signed: the six; unsigned: and lo, ls, hi, hs; floats: the six, theirs with
 * a u, num and nan. */
static bool comparison_fits(ModValue v, TypeClass k) {
  if (v == MOD_CMP_EQ || v == MOD_CMP_NE) return true;
  if (v <= MOD_CMP_GE) return k != TC_B && k != TC_P;
  if (v <= MOD_CMP_NAN) return k == TC_F || k == TC_H || k == TC_V;
  return k == TC_U;
}

static void check_comparison(Parser *ps, const Inst *in) {
  PtxType t = in->op == OP_SET ? in->type2 : in->type;
  ModValue v = (ModValue)in->mod[MC_CMP];
  if (!comparison_fits(v, type_class(t)))
    parse_fail(ps, in->where, "'.%s' does not compare values of .%s", mod_text(v), type_name(t));
}

static void check_atomic(Parser *ps, const Inst *in) {
  for (size_t i = 0; i < COUNT(atomics); i++)
    if (in->mod[MC_ATOM] == atomics[i].value && !(atomics[i].types >> in->type & 1))
      parse_fail(ps, in->where, "'%s.%s' has no form for the type .%s", op_info(in->op)->text,
                 mod_text(atomics[i].value), type_name(in->type));
  if (in->mod[MC_SPACE] == MOD_SPACE_CONST || in->mod[MC_SPACE] == MOD_SPACE_LOCAL ||
      in->mod[MC_SPACE] == MOD_SPACE_PARAM)
    parse_fail(ps, in->where, "'%s' works on .global and .shared memory", op_info(in->op)->text);
}

/* Does a conversion round, and in which sense: to an integer (rni ..) or to a float (rn ..)? */
static void check_conversion(Parser *ps, const Inst *in) {
  TypeClass to = type_class(in->type), from = type_class(in->type2);
  bool to_int = to == TC_U || to == TC_S, from_int = from == TC_U || from == TC_S;
  bool narrower = type_bits(in->type) < type_bits(in->type2);
  ModValue r = (ModValue)in->mod[MC_ROUND];
  bool whole = r >= MOD_ROUND_RNI && r <= MOD_ROUND_RPI;
  if (to == TC_B || from == TC_B || to == TC_P || from == TC_P)
    parse_fail(ps, in->where, "'cvt' takes numbers: .u, .s or .f types");
  if (to_int && from_int && r != MOD_NONE)
    parse_fail(ps, in->where, "'.%s' means nothing between integers", mod_text(r));
  if (to_int && !from_int && !whole)
    parse_fail(ps, in->where, "a modifier is missing: write cvt.rzi.s32.f32 (or rni, rmi, rpi)");
  if (to != TC_F || in->type == TY_TF32) return;
  bool must = from_int || (from == TC_F && narrower);
  if (must && (r == MOD_NONE || whole))
    parse_fail(ps, in->where, "a modifier is missing: write cvt.rn.%s.%s", type_name(in->type),
               type_name(in->type2));
}

void check_modifiers(Parser *ps, const Inst *in) {
  check_needed(ps, in);
  check_fitting(ps, in);
  if (in->op == OP_SETP || in->op == OP_SET) check_comparison(ps, in);
  if (in->op == OP_ATOM || in->op == OP_RED) check_atomic(ps, in);
  if (in->op == OP_CVT) check_conversion(ps, in);
  if (in->op == OP_VOTE && (in->mod[MC_VOTE] == MOD_VOTE_BALLOT) != (in->type == TY_B32))
    parse_fail(ps, in->where, "'vote' is vote.ballot.b32, or all, any, uni with .pred");
  if (inst_is(in, MC_HALF, MOD_HALF_WIDE) && type_bits(in->type) == 64)
    parse_fail(ps, in->where, "'.wide' goes with types of 16 and 32 bits");
}

int types_wanted(PtxOp op) {
  switch (op) {
  case OP_CVT:
  case OP_SET:
  case OP_SLCT:
  case OP_DP4A:
  case OP_DP2A: return 2;
  case OP_CVT_PACK: return 3;
  case OP_MMA:
  case OP_WMMA_MMA: return 4;
  default: return 1;
  }
}

/* ---- operands -------------------------------------------------------------------------------- */

/* May a register of type `have` stand where `want` is? Bits go with everything of their size,
 * integers with each other, floats with themselves. `wider`: the register may be larger. */
bool type_fits(PtxType want, PtxType have, bool wider) {
  TypeClass w = type_class(want), h = type_class(have);
  bool w_int = w == TC_U || w == TC_S, h_int = h == TC_U || h == TC_S;
  if ((w == TC_P) != (h == TC_P)) return false;
  if (type_bits(have) != type_bits(want) && !(wider && type_bits(have) > type_bits(want)))
    return false;
  if (h == TC_B || w == TC_B || w == TC_P) return true;
  if (w_int) return h_int || (h == TC_V && type_bits(have) == type_bits(want));
  return w == h && type_bits(have) == type_bits(want) && want != TY_TF32 &&
         (w == TC_F || want == have);
}

Space inst_space(const Inst *in) {
  switch (in->mod[MC_SPACE]) {
  case MOD_SPACE_GLOBAL: return SP_GLOBAL;
  case MOD_SPACE_SHARED:
  case MOD_SPACE_SHARED_CTA:
  case MOD_SPACE_SHARED_CLUSTER: return SP_SHARED;
  case MOD_SPACE_LOCAL: return SP_LOCAL;
  case MOD_SPACE_CONST: return SP_CONST;
  case MOD_SPACE_PARAM:
  case MOD_SPACE_PARAM_ENTRY:
  case MOD_SPACE_PARAM_FUNC: return SP_PARAM;
  default: return SP_GENERIC;
  }
}

/* The space of the second address of cp.async. */
static Space second_space(const Inst *in) {
  return in->mod[MC_SPACE2] == MOD_SPACE2_GLOBAL ? SP_GLOBAL : SP_SHARED;
}

/* A variable in [ ] must be of the space that the instruction names; `nth` counts addresses. */
void check_space(Parser *ps, const Inst *in, const Operand *o, int nth, size_t where) {
  static const char *const names[] = {"generic", ".global", ".shared", ".local",
                                      ".const",  ".param",  ".reg"};
  if (o->kind != OPND_ADDR || !o->var || !(op_info(in->op)->mods >> MC_SPACE & 1)) return;
  Space said = nth ? second_space(in) : inst_space(in), is = o->var->space;
  if (said == is || (said == SP_GENERIC && is != SP_CONST && is != SP_PARAM)) return;
  if (said == SP_GENERIC)
    parse_fail(ps, where, "'%s' is in %s memory, which has no generic address: write %s%s",
               o->var->name, names[is], op_info(in->op)->text, names[is]);
  parse_fail(ps, where, "'%s' is in %s memory, not in %s", o->var->name, names[is], names[said]);
}

/* ---- matrices -------------------------------------------------------------------------------- */

bool op_is_wmma(PtxOp op) { return op >= OP_WMMA_LOAD_A && op <= OP_WMMA_MMA; }

/* wmma's loads and its store have one type, and are of one operand. */
static PtxType fragment_type(const Inst *in, int which) {
  const uint8_t types[] = {in->type, in->type2, in->type3, in->type4};
  bool all = in->op == OP_MMA || in->op == OP_WMMA_MMA;
  return (PtxType)types[all ? which : 0];
}

FragmentShape inst_fragment(const Inst *in, int which) {
  int dim[3];
  mod_shape((ModValue)in->mod[MC_SHAPE], dim);
  FragmentShape f = {.rows = which == 2 ? dim[2] : dim[0],
                     .columns = which == 1 ? dim[2] : dim[1],
                     .type = fragment_type(in, which)};
  bool factor = which == 1 || which == 2, half = f.type == TY_F16;
  int bits = type_bits(f.type) == 1 && f.type != TY_B1 ? 32 : type_bits(f.type);
  f.registers = f.rows * f.columns * (bits == 64 ? 32 : bits) / 32 / 32;
  if (half && factor && op_is_wmma((PtxOp)in->op)) f.registers = 8; /* each value twice or more */
  if (in->mod[MC_SHAPE] == MOD_SHAPE_M8N8K4 && in->op == OP_MMA && in->type2 == TY_F16)
    f.registers = factor ? 2 : half ? 4 : 8; /* four products at once */
  return f;
}

static void check_registers(Parser *ps, const Inst *in, const Operand *o, PtxType want) {
  const Operand *list = o->kind == OPND_VEC ? o->vec : o;
  for (int i = 0; i < (o->kind == OPND_VEC ? o->count : 1); i++) {
    if (list[i].kind != OPND_REG)
      parse_fail(ps, in->where, "'%s' takes registers in {..}", op_info(in->op)->text);
    const Reg *reg = &ps->fn->regs[list[i].reg];
    if (!type_fits(want, reg->type, false))
      parse_fail(ps, in->where, "'%s' cannot use '%s', a register of .%s: %d bits are wanted",
                 op_info(in->op)->text, reg->name, type_name(reg->type), type_bits(want));
  }
}

static void check_fragment(Parser *ps, const Inst *in, int nth, int which) {
  FragmentShape f = inst_fragment(in, which);
  const char *name = op_info(in->op)->text;
  int have = in->operand[nth].kind == OPND_VEC ? in->operand[nth].count : 1;
  if (!f.rows || !f.columns)
    parse_fail(ps, in->where, "'%s' needs a shape, for example .m16n8k16", name);
  if (have != f.registers)
    parse_fail(ps, in->where, "operand %d of this %s is %d registers in { }, here are %d", nth + 1,
               name, f.registers, have);
  check_registers(ps, in, &in->operand[nth], type_bits(f.type) == 64 ? TY_B64 : TY_B32);
}

static void check_ldmatrix(Parser *ps, const Inst *in) {
  int have = in->operand[0].kind == OPND_VEC ? in->operand[0].count : 1;
  int want = inst_is(in, MC_MATRICES, MOD_MATRICES_X4)   ? 4
             : inst_is(in, MC_MATRICES, MOD_MATRICES_X2) ? 2
                                                         : 1;
  if (have != want)
    parse_fail(ps, in->where, "'ldmatrix' loads %d matrices into as many registers, here are %d",
               want, have);
  check_registers(ps, in, &in->operand[0], TY_B32);
}

static void check_fragments(Parser *ps, const Inst *in) {
  switch ((PtxOp)in->op) {
  case OP_MMA:
  case OP_WMMA_MMA:
    for (int i = 0; i < 4; i++) check_fragment(ps, in, i, i);
    break;
  case OP_WMMA_LOAD_A: check_fragment(ps, in, 0, 1); break;
  case OP_WMMA_LOAD_B: check_fragment(ps, in, 0, 2); break;
  case OP_WMMA_LOAD_C: check_fragment(ps, in, 0, 3); break;
  default: check_fragment(ps, in, 1, 0);
  }
}

void check_whole(Parser *ps, const Inst *in) {
  const Operand *o = in->operand;
  int n = in->operand_count;
  if (in->op == OP_SETP || in->op == OP_SET || in->op == OP_LOP3) {
    int with = in->op == OP_LOP3 ? 6 : 4;
    if (inst_has(in, MC_BOOL) != (n == with))
      parse_fail(ps, in->where,
                 "a predicate to combine with goes with .and, .or or .xor, and they with it");
  }
  if (in->op == OP_ELECT && o[0].reg2 < 0)
    parse_fail(ps, in->where, "'elect.sync' writes d|p: the predicate is missing");
  if (in->op == OP_MATCH && o[0].reg2 >= 0 && in->mod[MC_VOTE] != MOD_VOTE_ALL)
    parse_fail(ps, in->where, "only match.all writes a predicate");
  if (in->op == OP_LDMATRIX) check_ldmatrix(ps, in);
  if ((in->op == OP_MMA && n == 4) || op_is_wmma((PtxOp)in->op)) check_fragments(ps, in);
  if ((in->op == OP_MIN || in->op == OP_MAX) && n == 4 && in->type != TY_F32)
    parse_fail(ps, in->where, "'%s' of three values is of .f32 only", op_info(in->op)->text);
  if (in->op == OP_ST && o[0].kind == OPND_ADDR && o[0].var) {
    const Function *fn = ps->fn;
    if (o[0].var->space == SP_CONST) parse_fail(ps, in->where, "'%s' is constant", o[0].var->name);
    for (size_t i = 0; i < fn->param_count; i++)
      if (o[0].var == fn->params[i])
        parse_fail(ps, in->where, "'%s' is a parameter, which can only be read", o[0].var->name);
  }
  bool barrier = strncmp(op_info(in->op)->text, "bar", 3) == 0 && in->op != OP_BAR_WARP_SYNC;
  const Operand *id = strstr(op_info(in->op)->text, ".red") ? &o[1] : &o[0];
  if (barrier && n && id->kind == OPND_IMM && id->imm > 15)
    parse_fail(ps, in->where, "barriers are numbered from 0 to 15");
}
