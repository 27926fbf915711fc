/* timing/assemble.c - the rules by which an assembler turns PTX into machine instructions. */
#include "timing/assemble.h"

#include <string.h>

enum {
  REACH = 64,     /* instructions over which two are fused */
  BLOCK = 4096,   /* instructions of a block that are looked at together */
  ROUNDS = 32,    /* of the search for what is uniform; then nothing is taken to be */
  WORK = 50000000 /* steps that a pass over all loops may take; larger functions do without it */
};

typedef struct Use { /* of a register, in a list */
  int32_t inst, next;
} Use;

/* What is known of a function while it is assembled. By register: */
typedef struct Work {
  const Arch *arch;
  Arena *arena;
  Function *fn;
  Slot *slots;
  int32_t *def;       /* the instruction that writes it; -1: none */
  uint32_t *defs;     /* how many write it */
  uint32_t *uses;     /* how many read it, guards included */
  int32_t *first_use; /* into list; -1: none */
  bool *uniform;      /* equal in all lanes */
  int32_t *parameter; /* the instruction that loads the kernel's parameter that it is; -1 */
  bool *constant;     /* an immediate, or a kernel parameter: an operand that needs no register */
  Use *list;
  int32_t list_count;
  uint64_t steps;  /* of find_uniform */
  uint32_t *jumps; /* by instruction: branches to it */
} Work;

const char *pipe_name(Pipe pipe) {
  static const char *const names[] = {"none",    "alu",    "fma",     "imad",    "half",
                                      "fp64",    "sfu",    "convert", "uniform", "vote",
                                      "shuffle", "redux",  "match",   "special", "tensor",
                                      "memory",  "branch", "sync",    "barrier", "fence"};
  _Static_assert(sizeof names / sizeof *names == PIPES, "a name for each pipe");
  return names[pipe];
}

/* ---- registers of an instruction ------------------------------------------------------------- */

static void operand_registers(const Operand *o, bool write, RegisterFn each, void *context) {
  switch (o->kind) {
  case OPND_REG:
    each(context, o->reg, write);
    if (o->reg2 >= 0) each(context, o->reg2, write);
    break;
  case OPND_ADDR:
    if (o->reg >= 0) each(context, o->reg, false);
    break;
  case OPND_VEC:
    for (int i = 0; i < o->count; i++) operand_registers(&o->vec[i], write, each, context);
    break;
  default: break;
  }
}

void inst_registers(const Inst *in, RegisterFn each, void *context) {
  const char *letter = op_info((PtxOp)in->op)->sig;
  if (in->guard >= 0) each(context, in->guard, false);
  for (int i = 0; i < in->operand_count; i++) {
    while (*letter == '?') letter++;
    bool write = *letter && strchr("deqPVX", *letter);
    if (*letter == 'r' || *letter == 'c') write = i == 0; /* mma, call: the result comes first */
    if (in->operand[i].kind == OPND_REG && in->operand[i].reg < 0) continue; /* a sink `_` */
    operand_registers(&in->operand[i], write, each, context);
    if (*letter && *letter != 'c' && *letter != '*') letter++;
  }
}

typedef struct Scan {
  Work *w;
  int32_t inst;
} Scan;

static void note_register(void *context, int32_t reg, bool write) {
  const Scan *s = context;
  Work *w = s->w;
  if (write) {
    w->def[reg] = s->inst;
    w->defs[reg]++;
    return;
  }
  w->uses[reg]++;
  w->list[w->list_count] = (Use){s->inst, w->first_use[reg]};
  w->first_use[reg] = w->list_count++;
}

static void count_register(void *context, int32_t reg, bool write) {
  (void)reg, (void)write;
  ++*(int32_t *)context;
}

static void find_uses(Work *w) {
  const Function *fn = w->fn;
  int32_t total = 0;
  for (size_t i = 0; i < fn->inst_count; i++) inst_registers(&fn->insts[i], count_register, &total);
  w->def = ARENA_ARRAY(w->arena, int32_t, fn->reg_count + 1);
  w->defs = ARENA_ARRAY(w->arena, uint32_t, fn->reg_count + 1);
  w->uses = ARENA_ARRAY(w->arena, uint32_t, fn->reg_count + 1);
  w->first_use = ARENA_ARRAY(w->arena, int32_t, fn->reg_count + 1);
  w->list = ARENA_ARRAY(w->arena, Use, total + 1);
  w->list_count = 0;
  for (size_t r = 0; r < fn->reg_count; r++) w->def[r] = w->first_use[r] = -1;
  for (size_t i = 0; i < fn->inst_count; i++) {
    Scan s = {w, (int32_t)i};
    inst_registers(&fn->insts[i], note_register, &s);
  }
}

/* ---- small questions ------------------------------------------------------------------------- */

static const Inst *inst_at(const Work *w, int32_t i) { return &w->fn->insts[i]; }
static bool is_reg(const Operand *o) { return o->kind == OPND_REG && o->reg >= 0; }
static bool once(const Work *w, int32_t reg) { return reg >= 0 && w->defs[reg] == 1; }
static bool is_64(const Inst *in) { return type_bits((PtxType)in->type) == 64; }
static bool is_float(PtxType t) { return type_class(t) == TC_F; }
static bool is_half(PtxType t) { return type_class(t) == TC_H || type_class(t) == TC_V; }
static bool is_int(PtxType t) {
  return type_class(t) == TC_S || type_class(t) == TC_U || type_class(t) == TC_B;
}

/* The instruction that alone writes an operand's register; NULL when there are several or none. */
static const Inst *made_by(const Work *w, const Operand *o, int32_t *index) {
  if (!is_reg(o) || !once(w, o->reg)) return NULL;
  *index = w->def[o->reg];
  return inst_at(w, *index);
}

/* Is every use of the register an instruction for which `test` holds? (At least one must be.) */
static bool every_use(const Work *w, int32_t reg,
                      bool (*test)(const Work *, const Inst *, int32_t)) {
  int32_t u = w->first_use[reg];
  if (u < 0) return false;
  for (; u >= 0; u = w->list[u].next)
    if (!test(w, inst_at(w, w->list[u].inst), reg)) return false;
  return true;
}

static void set(Slot *s, Pipe pipe, int issues, double interval, double latency) {
  s->pipe = (uint8_t)pipe;
  s->issues = (uint8_t)issues;
  s->interval = (uint16_t)(interval < 1 ? 1 : interval);
  s->latency = (uint16_t)(latency + 0.5);
}

static void fold(Slot *s) {
  s->pipe = PIPE_NONE;
  s->issues = 0;
}

/* ---- each instruction by itself -------------------------------------------------------------- */

static void classify_convert(const Arch *a, const Inst *in, Slot *s) {
  PtxType to = (PtxType)in->type, from = (PtxType)in->type2;
  int bits = type_bits(to) > type_bits(from) ? type_bits(to) : type_bits(from);
  if (is_int(to) && is_int(from)) {
    bool widens = type_bits(to) > type_bits(from);
    if (in->mod[MC_SAT])
      set(s, PIPE_ALU, 2, 2 * arch_lane_cycles(a->lanes_int), 2 * a->latency_int);
    else if (!widens || (!type_is_signed(from) && type_bits(from) == 32))
      fold(s); /* a part of the register, or a zero above it */
    else
      set(s, PIPE_ALU, 1, arch_lane_cycles(a->lanes_int), a->latency_int);
  } else if (bits == 64 || (is_int(to) && !is_int(from))) { /* to integers, and 64 bits: slower */
    set(s, PIPE_SFU, 1, arch_lane_cycles(a->lanes_sfu), a->latency_sfu + 1);
  } else {
    set(s, PIPE_CONVERT, 1, arch_lane_cycles(a->lanes_convert), a->latency_convert);
  }
}

/* What the assembler expands into a sequence has as many issue slots as the sequence has
 * instructions; they run on several pipes, so one instruction's worth of the main one is counted.
 * The lengths are read off disassembled code, the latencies are sums over the longest chain. */

/* Division and remainder of integers: a reciprocal, its correction, two multiplications back. */
static void classify_integer_division(const Arch *a, const Inst *in, Slot *s) {
  bool sign = type_is_signed((PtxType)in->type);
  double chain = 3 * a->latency_sfu + 2 * a->latency_wide; /* conversions and the reciprocal */
  if (is_64(in))
    set(s, PIPE_IMAD, 75, 75, 2 * a->latency_sfu + 32 * a->latency_wide);
  else
    set(s, PIPE_IMAD, sign ? 30 : 24, sign ? 30 : 24, chain + (sign ? 10 : 7) * a->latency_imad);
}

static void classify_float_division(const Arch *a, const Inst *in, Slot *s) {
  bool fast = in->mod[MC_PREC] != MOD_NONE;
  double unit = arch_lane_cycles(a->lanes_sfu);
  if (is_64(in))
    set(s, PIPE_FP64, 20, 14 * arch_lane_cycles(a->lanes_fp64),
        a->latency_sfu + 14 * a->latency_fp64);
  else if (fast && in->mod[MC_FTZ])
    set(s, PIPE_SFU, 2, unit, a->latency_sfu + a->latency_fp32);
  else if (fast) /* scaled, so that the reciprocal does not underflow */
    set(s, PIPE_SFU, 7, unit, a->latency_sfu + 4 * a->latency_fp32 + a->latency_predicate);
  else /* reciprocal, range check and branch, seven multiply-adds */
    set(s, PIPE_SFU, 14, 14, a->latency_sfu + 9 * a->latency_fp32 + a->latency_predicate);
}

/* rcp, sqrt, rsqrt, sin, ...: one MUFU, and what surrounds it when the result must be exact or
 * denormals count. */
static void classify_special_function(const Arch *a, const Inst *in, Slot *s) {
  double unit = arch_lane_cycles(a->lanes_sfu);
  bool exact = in->mod[MC_ROUND] != MOD_NONE;
  if (is_64(in))
    set(s, PIPE_FP64, exact ? 16 : 2, (exact ? 14 : 2) * arch_lane_cycles(a->lanes_fp64),
        a->latency_sfu + (exact ? 14 : 1) * a->latency_fp64);
  else if (exact)
    set(s, PIPE_SFU, 12, 12, a->latency_sfu + 7 * a->latency_fp32 + a->latency_predicate);
  else if (in->op == OP_SIN || in->op == OP_COS)
    set(s, PIPE_SFU, 2, unit, a->latency_sfu + a->latency_fp32 + 1); /* scaled by 1/2pi first */
  else if (in->op == OP_TANH || in->mod[MC_FTZ] || in->op == OP_RCP)
    set(s, PIPE_SFU, 1, unit, a->latency_sfu);
  else /* compare, scale, MUFU, scale back */
    set(s, PIPE_SFU, 4, unit, a->latency_sfu + 2 * a->latency_fp32 + a->latency_predicate);
}

/* add, sub, mul, mad, fma and their like. */
static void classify_arithmetic(const Arch *a, const Inst *in, Slot *s) {
  PtxType t = (PtxType)in->type;
  bool multiplies = in->op != OP_ADD && in->op != OP_SUB && in->op != OP_ADDC && in->op != OP_SUBC;
  if (t == TY_F32 || t == TY_F32X2)
    set(s, PIPE_FMA, 1, arch_lane_cycles(a->lanes_fp32), a->latency_fp32);
  else if (t == TY_F64)
    set(s, PIPE_FP64, 1, arch_lane_cycles(a->lanes_fp64), a->latency_fp64);
  else if (is_half(t))
    set(s, PIPE_HALF, 1, arch_lane_cycles(a->lanes_fp16x2), a->latency_fp16x2);
  else if (!multiplies)
    /* Of 64 bits: two, with a carry; the lower half is there first, and is what the next adds to.
     */
    set(s, PIPE_ALU, is_64(in) ? 2 : 1, (is_64(in) ? 1.5 : 1) * arch_lane_cycles(a->lanes_int),
        a->latency_int);
  else if (in->mod[MC_HALF] == MOD_HALF_WIDE && !is_64(in))
    set(s, PIPE_IMAD, 1, 2 * arch_lane_cycles(a->lanes_imad), a->latency_wide);
  else if (in->mod[MC_HALF] == MOD_HALF_HI)
    set(s, PIPE_IMAD, is_64(in) ? 8 : 1, (is_64(in) ? 8 : 2) * arch_lane_cycles(a->lanes_imad),
        (is_64(in) ? 4 : 1) * a->latency_wide);
  else
    set(s, PIPE_IMAD, is_64(in) ? 4 : 1, (is_64(in) ? 4 : 1) * arch_lane_cycles(a->lanes_imad),
        is_64(in) ? 2 * a->latency_wide : a->latency_imad);
}

static bool is_constant_special(SpecialReg r) {
  return (r >= SR_NTID_X && r <= SR_NTID_Z) || (r >= SR_NCTAID_X && r <= SR_NCTAID_Z);
}

static bool is_clock(SpecialReg r) { return r == SR_CLOCK || r == SR_CLOCK_HI || r == SR_CLOCK64; }

/* A move is a special register's read, or only a name: the register allocator gives both sides the
 * same register where it can (see fold_moves for where it cannot). */
static void classify_move(const Arch *a, const Inst *in, Slot *s) {
  const Operand *from = &in->operand[1];
  if (from->kind == OPND_SREG && is_clock(from->sreg))
    set(s, PIPE_ALU, 1, 1, a->latency_clock);
  else if (from->kind == OPND_SREG && !is_constant_special(from->sreg))
    set(s, PIPE_SPECIAL, 1, a->interval_special, a->latency_special);
  else
    fold(s);
}

static void classify_load(const Arch *a, const Inst *in, Slot *s) {
  bool param = in->mod[MC_SPACE] == MOD_SPACE_PARAM || in->mod[MC_SPACE] == MOD_SPACE_PARAM_ENTRY ||
               in->mod[MC_SPACE] == MOD_SPACE_PARAM_FUNC;
  if (param)
    fold(s); /* a kernel's parameters are operands; a function's are in registers */
  else
    set(s, PIPE_MEMORY, 1, arch_lane_cycles(a->lanes_lsu), a->latency_l1);
}

static void classify_warp(const Arch *a, const Inst *in, Slot *s) {
  switch (in->op) {
  case OP_SHFL: /* a lane or distance in a register takes a little longer than a constant */
    set(s, PIPE_SHUFFLE, 1, 1,
        a->latency_shuffle + (is_reg(&in->operand[2]) ? a->latency_shuffle_register : 0));
    break;
  case OP_REDUX: set(s, PIPE_REDUX, 1, 1, a->latency_redux); break;
  case OP_MATCH: set(s, PIPE_MATCH, 1, 1, a->latency_match); break; /* and more, see match_cycles */
  case OP_ELECT: set(s, PIPE_VOTE, 2, arch_lane_cycles(a->lanes_vote), 2 * a->latency_vote); break;
  case OP_MOVMATRIX: set(s, PIPE_SHUFFLE, 1, 1, a->latency_shuffle); break;
  default: set(s, PIPE_VOTE, 1, arch_lane_cycles(a->lanes_vote), a->latency_vote);
  }
}

static void classify_sync(const Arch *a, const Inst *in, Slot *s) {
  switch (in->op) {
  case OP_BAR_WARP_SYNC: set(s, PIPE_SYNC, 1, 1, a->latency_syncwarp); break;
  case OP_MEMBAR:
  case OP_FENCE: {
    bool block = in->mod[MC_SCOPE] == MOD_SCOPE_CTA;
    set(s, PIPE_FENCE, 1, 1, block ? a->latency_fence_block : a->latency_fence);
    break;
  }
  case OP_CP_ASYNC_WAIT:
  case OP_CP_ASYNC_WAIT_ALL: set(s, PIPE_FENCE, 1, 1, 1); break;
  case OP_NANOSLEEP: set(s, PIPE_BRANCH, 1, 1, a->latency_branch); break;
  case OP_BAR_SYNC:
  case OP_BAR_RED:
  case OP_BAR_ARRIVE:
  case OP_BAR_CTA_SYNC:
  case OP_BAR_CTA_RED:
  case OP_BAR_CTA_ARRIVE:
  case OP_BARRIER_SYNC:
  case OP_BARRIER_RED:
  case OP_BARRIER_ARRIVE:
  case OP_BARRIER_CTA_SYNC:
  case OP_BARRIER_CTA_RED:
  case OP_BARRIER_CTA_ARRIVE: set(s, PIPE_BARRIER, 1, 1, a->latency_barrier); break;
  default: set(s, PIPE_MEMORY, 1, arch_lane_cycles(a->lanes_lsu), a->latency_shared);
  }
}

static void classify_alu(const Arch *a, const Inst *in, Slot *s) {
  double each = arch_lane_cycles(a->lanes_int);
  int n = is_64(in) && (in->op != OP_SETP || !is_float((PtxType)in->type)) ? 2 : 1;
  switch (in->op) {
  case OP_ADDC:
  case OP_SUBC: classify_arithmetic(a, in, s); return;
  case OP_MOV: classify_move(a, in, s); return;
  case OP_ABS:
  case OP_NEG:
    if (!is_int((PtxType)in->type)) { /* a modifier of the instruction that reads it */
      fold(s);
      return;
    }
    break;
  case OP_BFI: /* a mask and a shift by constants: on both integer pipes */
    set(s, PIPE_ALU, 2, each, 2 * a->latency_int + 2);
    return;
  case OP_BFE:
  case OP_SET:
  case OP_SLCT:
  case OP_CNOT:
  case OP_SAD: n *= 2; break;
  default: break;
  }
  if (in->type == TY_F64 && (in->op == OP_SETP || in->op == OP_MIN || in->op == OP_MAX))
    set(s, PIPE_FP64, n, arch_lane_cycles(a->lanes_fp64), a->latency_fp64 + a->latency_int);
  else
    set(s, PIPE_ALU, n, n * each, n * a->latency_int);
}

/* The keys are of m16n8k16 on halves: 2048 multiply-adds. */
static void classify_tensor(const Arch *a, const Inst *in, Slot *s) {
  bool small = in->mod[MC_SHAPE] == MOD_SHAPE_M16N8K8 || in->mod[MC_SHAPE] == MOD_SHAPE_M8N8K4;
  set(s, PIPE_TENSOR, 1, small ? a->interval_tensor / 2 : a->interval_tensor,
      small ? a->latency_tensor * 0.75 : a->latency_tensor);
}

static void classify(const Arch *a, const Inst *in, Slot *s) {
  switch (op_info((PtxOp)in->op)->unit) {
  case UNIT_NONE: fold(s); break;
  case UNIT_ALU: classify_alu(a, in, s); break;
  case UNIT_FMA: classify_arithmetic(a, in, s); break;
  case UNIT_SFU:
    if (in->op == OP_CVT)
      classify_convert(a, in, s);
    else if (in->op == OP_POPC || in->op == OP_CLZ || in->op == OP_BFIND || in->op == OP_BREV)
      set(s, PIPE_SFU, (is_64(in) ? 3 : 1) + (in->op == OP_CLZ),
          (is_64(in) ? 2 : 1) * arch_lane_cycles(a->lanes_sfu),
          a->latency_sfu + (is_64(in) ? a->latency_int : 0) +
              (in->op == OP_CLZ ? a->latency_int + a->latency_cross + 1 : 0));
    else
      classify_special_function(a, in, s);
    break;
  case UNIT_DIV:
    if (is_int((PtxType)in->type))
      classify_integer_division(a, in, s);
    else
      classify_float_division(a, in, s);
    break;
  case UNIT_LSU: classify_load(a, in, s); break;
  case UNIT_WARP: classify_warp(a, in, s); break;
  case UNIT_BRANCH:
    set(s, PIPE_BRANCH, 1, 1, a->latency_branch);
    s->drains = in->op == OP_CALL || in->op == OP_TRAP || in->op == OP_BRKPT;
    break;
  case UNIT_SYNC: classify_sync(a, in, s); break;
  case UNIT_TENSOR: classify_tensor(a, in, s); break;
  }
}

/* ---- what is equal in all lanes -------------------------------------------------------------- */

static bool reads_lanes(const Inst *in) { /* the result differs from lane to lane, or may */
  Unit unit = op_info((PtxOp)in->op)->unit;
  if (unit == UNIT_LSU) {
    ModValue space = (ModValue)in->mod[MC_SPACE];
    return space != MOD_SPACE_PARAM && space != MOD_SPACE_PARAM_ENTRY;
  }
  return unit == UNIT_WARP || unit == UNIT_BRANCH || unit == UNIT_SYNC || unit == UNIT_TENSOR;
}

static bool special_differs(SpecialReg r) {
  return (r >= SR_TID_X && r <= SR_TID_Z) || r == SR_LANEID ||
         (r >= SR_LANEMASK_EQ && r <= SR_LANEMASK_GT);
}

typedef struct Taint {
  Work *w;
  bool varies;
} Taint;

static void taint_source(void *context, int32_t reg, bool write) {
  Taint *t = context;
  if (!write && !t->w->uniform[reg]) t->varies = true;
}

static void taint_result(void *context, int32_t reg, bool write) {
  Taint *t = context;
  if (!write || !t->w->uniform[reg]) return;
  t->w->uniform[reg] = false;
  t->varies = true;
}

/* A branch whose lanes may part: what is written several times between it and the place where they
 * meet is no longer known to be equal, since the lanes go around different numbers of times. */
static bool taint_region(Work *w, int32_t branch) {
  const Inst *in = inst_at(w, branch);
  int32_t from = branch, to = in->reconverge;
  if (in->op == OP_BRA && in->operand[0].kind == OPND_LABEL && in->operand[0].target <= branch)
    from = in->operand[0].target;
  Taint t = {w, false};
  if (to > from) w->steps += (uint64_t)(to - from);
  for (int32_t i = from; i < to && i < (int32_t)w->fn->inst_count; i++) {
    Taint result = {w, false};
    const Operand *d = &inst_at(w, i)->operand[0];
    if (!is_reg(d) || w->defs[d->reg] < 2) continue;
    inst_registers(inst_at(w, i), taint_result, &result);
    t.varies |= result.varies;
  }
  return t.varies;
}

static bool taint_inst(Work *w, int32_t i) {
  const Inst *in = inst_at(w, i);
  Taint t = {w, reads_lanes(in)};
  for (int k = 0; k < in->operand_count; k++)
    if (in->operand[k].kind == OPND_SREG && special_differs(in->operand[k].sreg)) t.varies = true;
  inst_registers(in, taint_source, &t);
  if (!t.varies) return false;
  if (op_info((PtxOp)in->op)->unit == UNIT_BRANCH)
    return in->guard >= 0 && !w->uniform[in->guard] && taint_region(w, i);
  Taint result = {w, false};
  inst_registers(in, taint_result, &result);
  return result.varies;
}

/* Assumes that all is uniform, and takes it back where it is not, until nothing changes. */
static void find_uniform(Work *w) {
  memset(w->uniform, true, w->fn->reg_count);
  for (size_t r = 0; r < w->fn->reg_count; r++)
    if (w->defs[r] == 0) w->uniform[r] = false;
  bool again = true;
  for (int round = 0; again && round < ROUNDS && w->steps < WORK; round++) {
    again = false;
    for (size_t i = 0; i < w->fn->inst_count; i++) again |= taint_inst(w, (int32_t)i);
  }
  if (again) memset(w->uniform, false, w->fn->reg_count);
}

typedef struct Reader {
  int32_t reg;
  bool reads, writes;
} Reader;

static void look_for(void *context, int32_t reg, bool write) {
  Reader *r = context;
  if (reg != r->reg) return;
  if (write)
    r->writes = true;
  else
    r->reads = true;
}

/* ---- folding --------------------------------------------------------------------------------- */

/* A move needs an instruction when its destination has another value as well at some time (a loop's
 * variable), and its source lives on: then both need a register. */
static void fold_moves(Work *w) {
  for (size_t i = 0; i < w->fn->inst_count; i++) {
    const Inst *in = inst_at(w, (int32_t)i);
    if (in->op != OP_MOV || w->slots[i].issues) continue;
    const Operand *d = &in->operand[0], *s = &in->operand[1];
    if (!is_reg(d)) continue;
    if (w->defs[d->reg] > 1 && !(is_reg(s) && w->uses[s->reg] == 1 && once(w, s->reg)))
      set(&w->slots[i], PIPE_ALU, 1, arch_lane_cycles(w->arch->lanes_int), w->arch->latency_int);
  }
}

/* A special register does not change: what the function's first block has read is not read again.
 */
static void fold_special_reads(Work *w) {
  bool known[SR_COUNT] = {false};
  for (size_t i = 0; i < w->fn->inst_count; i++) {
    const Inst *in = inst_at(w, (int32_t)i);
    Slot *s = &w->slots[i];
    if (in->op != OP_MOV || s->pipe != PIPE_SPECIAL || in->guard >= 0) continue;
    SpecialReg r = in->operand[1].sreg;
    if (r >= SR_CLOCK && r <= SR_GLOBALTIMER_HI) continue;
    if (known[r]) fold(s);
    if (w->fn->block_count && (int32_t)i <= w->fn->blocks[0].last) known[r] = true;
  }
}

/* Constants and parameters need no register of their own: they are operands (c[bank][offset]). */
static void find_constants(Work *w) {
  for (size_t r = 0; r < w->fn->reg_count; r++) w->parameter[r] = -1;
  for (size_t i = 0; i < w->fn->inst_count; i++) {
    const Inst *in = inst_at(w, (int32_t)i);
    const Operand *d = &in->operand[0];
    if (w->slots[i].issues || !is_reg(d) || !once(w, d->reg)) continue;
    int32_t from;
    const Operand *s = &in->operand[1];
    if (in->op == OP_LD) {
      w->constant[d->reg] = w->fn->is_entry;
      if (w->fn->is_entry) w->parameter[d->reg] = (int32_t)i;
    } else if (in->op == OP_MOV || in->op == OP_CVTA) {
      w->constant[d->reg] = !is_reg(s) || (made_by(w, s, &from) && w->constant[s->reg]);
      if (is_reg(s) && w->constant[d->reg]) w->parameter[d->reg] = w->parameter[s->reg];
    }
  }
}

static bool is_add(const Work *w, const Inst *in, int32_t reg) {
  (void)w, (void)reg;
  return (in->op == OP_ADD || in->op == OP_SUB) && is_int((PtxType)in->type) && !in->mod[MC_CC] &&
         !in->mod[MC_SAT];
}

static bool is_address(const Work *w, const Inst *in, int32_t reg) {
  (void)w;
  if (op_info((PtxOp)in->op)->unit != UNIT_LSU || in->guard == reg) return false;
  for (int i = 0; i < in->operand_count; i++)
    if (is_reg(&in->operand[i]) && in->operand[i].reg == reg) return false; /* it is the data */
  return true;
}

static bool is_shift_by_constant(const Inst *in) {
  return in->op == OP_SHL && in->operand[2].kind == OPND_IMM;
}

/* Products, and shifts by a constant, that are only ever added to something: the addition becomes a
 * multiply-add or a shift-add (IMAD, LEA), also the wide ones of addresses. */
static void fold_products(Work *w) {
  for (size_t i = 0; i < w->fn->inst_count; i++) {
    const Inst *in = inst_at(w, (int32_t)i);
    bool product = (in->op == OP_MUL && is_int((PtxType)in->type) &&
                    in->mod[MC_HALF] != MOD_HALF_HI && !is_64(in)) ||
                   is_shift_by_constant(in);
    const Operand *d = &in->operand[0];
    if (!product || !is_reg(d) || !once(w, d->reg) || w->uniform[d->reg]) continue;
    if (!every_use(w, d->reg, is_add)) continue;
    bool wide = in->mod[MC_HALF] == MOD_HALF_WIDE || (is_shift_by_constant(in) && is_64(in));
    fold(&w->slots[i]);
    for (int32_t u = w->first_use[d->reg]; u >= 0; u = w->list[u].next) {
      Slot *add = &w->slots[w->list[u].inst];
      if (is_shift_by_constant(in) && !wide)
        set(add, PIPE_ALU, 1, arch_lane_cycles(w->arch->lanes_int), w->arch->latency_int);
      else
        set(add, PIPE_IMAD, 1, (1 + wide) * arch_lane_cycles(w->arch->lanes_imad),
            wide ? w->arch->latency_wide : w->arch->latency_imad);
    }
  }
}

/* The reciprocal of a divisor that does not change is computed once. */
static void fold_divisors(Work *w) {
  for (size_t i = 0; i < w->fn->inst_count; i++) {
    const Inst *in = inst_at(w, (int32_t)i);
    Slot *s = &w->slots[i];
    if ((in->op != OP_DIV && in->op != OP_REM) || !is_int((PtxType)in->type) || is_64(in)) continue;
    const Operand *by = &in->operand[2];
    if (by->kind != OPND_IMM && !(is_reg(by) && w->constant[by->reg])) continue;
    set(s, PIPE_IMAD, s->issues - 5, s->interval - 5,
        s->latency - 2 * w->arch->latency_sfu - w->arch->latency_imad);
  }
}

/* The sign extension of an index that is only shifted or multiplied: the wide multiply-add does it.
 */
static bool is_wide_factor(const Work *w, const Inst *in, int32_t reg) {
  (void)reg;
  const Operand *d = &in->operand[0];
  return is_shift_by_constant(in) && is_64(in) && is_reg(d) &&
         w->slots[in - w->fn->insts].issues == 0;
}

static void fold_extensions(Work *w) {
  for (size_t i = 0; i < w->fn->inst_count; i++) {
    const Inst *in = inst_at(w, (int32_t)i);
    const Operand *d = &in->operand[0];
    if (in->op == OP_CVT && w->slots[i].issues == 1 && is_64(in) && is_int((PtxType)in->type2) &&
        is_reg(d) && once(w, d->reg) && every_use(w, d->reg, is_wide_factor))
      fold(&w->slots[i]);
  }
}

/* base + constant that is only ever an address: the offset is part of the memory operand. */
static void fold_offsets(Work *w) {
  for (size_t i = 0; i < w->fn->inst_count; i++) {
    const Inst *in = inst_at(w, (int32_t)i);
    const Operand *d = &in->operand[0];
    if (!is_add(w, in, -1) || !is_reg(d) || !once(w, d->reg)) continue;
    if (in->operand[2].kind != OPND_IMM && in->operand[1].kind != OPND_IMM) continue;
    const Operand *base = &in->operand[in->operand[1].kind == OPND_IMM ? 2 : 1];
    int32_t from;
    if (made_by(w, base, &from) && every_use(w, d->reg, is_address)) fold(&w->slots[i]);
  }
}

/* The instruction before `i` in its basic block that wrote the register last; -1: it is not near.
 * *read: something between them reads it, too. */
static int32_t writer_before(const Work *w, int32_t i, int32_t reg, bool *read) {
  *read = false;
  for (int32_t at = i; at > 0 && i - at < REACH && !inst_at(w, at)->block_start;) {
    Reader r = {reg, false, false};
    inst_registers(inst_at(w, --at), look_for, &r);
    if (r.writes) return at;
    *read |= r.reads;
  }
  return -1;
}

/* The inner of two instructions that one machine instruction does: its value goes nowhere else, and
 * it is in the same basic block. -1: there is none. */
static int32_t inner(const Work *w, int32_t outer, const Operand *o) {
  bool read;
  if (!is_reg(o)) return -1;
  int32_t at = writer_before(w, outer, o->reg, &read);
  const Operand *d = &inst_at(w, outer)->operand[0];
  bool dies = (once(w, o->reg) && w->uses[o->reg] == 1) || (is_reg(d) && d->reg == o->reg);
  if (at < 0 || read || !dies || w->slots[at].issues != 1 || inst_at(w, at)->guard >= 0) return -1;
  return at;
}

static bool is_logic(const Inst *in) {
  return (in->op == OP_AND || in->op == OP_OR || in->op == OP_XOR || in->op == OP_NOT) &&
         in->type != TY_PRED && !is_64(in);
}

static int
registers_of(const Inst *in) { /* different register sources of two-operand instructions */
  int n = 0;
  for (int i = 1; i < in->operand_count; i++) n += is_reg(&in->operand[i]);
  if (n == 2 && in->operand[1].reg == in->operand[2].reg) n = 1;
  return n;
}

/* Three inputs at most: a + b + c (IADD3), any logic (LOP3), max(a + b, c) (VIADDMNMX). */
static void fold_triples(Work *w) {
  bool minmax = w->arch->compute >= 90;
  for (size_t i = 0; i < w->fn->inst_count; i++) {
    const Inst *in = inst_at(w, (int32_t)i);
    if (w->slots[i].issues != 1 || w->slots[i].pipe != PIPE_ALU) continue;
    bool add = is_add(w, in, -1) && !is_64(in), logic = is_logic(in),
         limit = (in->op == OP_MIN || in->op == OP_MAX) && is_int((PtxType)in->type) && minmax;
    if (!add && !logic && !limit) continue;
    for (int k = 1; k < in->operand_count; k++) {
      int32_t at = inner(w, (int32_t)i, &in->operand[k]);
      if (at < 0 || w->slots[at].pipe != PIPE_ALU) continue;
      const Inst *first = inst_at(w, at);
      bool fits = logic ? is_logic(first) && registers_of(first) + registers_of(in) <= 4
                        : is_add(w, first, -1) && !is_64(first);
      if (!fits || w->slots[at].fused) continue;
      fold(&w->slots[at]);
      w->slots[i].fused = true;
      break;
    }
  }
}

/* A choice between a value and a simple computation: the computation is done under the predicate.
 */
static void fold_choices(Work *w) {
  for (size_t i = 0; i < w->fn->inst_count; i++) {
    const Inst *in = inst_at(w, (int32_t)i);
    Slot *s = &w->slots[i];
    if (in->op != OP_SELP || s->issues != 1 || in->guard >= 0) continue;
    for (int k = 2; k >= 1; k--) {
      int32_t at = inner(w, (int32_t)i, &in->operand[k]);
      if (at < 0 || w->slots[at].fused || w->slots[at].pipe != PIPE_ALU) continue;
      fold(&w->slots[at]);
      s->fused = s->guarded = true;
      break;
    }
  }
}

/* A compare that only feeds `and`/`or` of predicates combines them itself. */
static void fold_predicates(Work *w) {
  for (size_t i = 0; i < w->fn->inst_count; i++) {
    const Inst *in = inst_at(w, (int32_t)i);
    if (in->type != TY_PRED || (in->op != OP_AND && in->op != OP_OR && in->op != OP_NOT)) continue;
    for (int k = 1; k < in->operand_count; k++) {
      int32_t at;
      const Inst *compare = made_by(w, &in->operand[k], &at);
      if (in->op != OP_NOT &&
          (!compare || compare->op != OP_SETP || w->uses[in->operand[k].reg] != 1))
        continue;
      fold(&w->slots[i]);
      break;
    }
  }
}

/* Additions may run on either integer pipe; the assembler gives them to the one that has less to do
 * in the block. */
static void balance_block(Work *w, const Block *b) {
  int alu = 0, fma = 0;
  for (int32_t i = b->first; i <= b->last; i++) {
    const Slot *s = &w->slots[i];
    if (s->pipe == PIPE_ALU && !is_add(w, inst_at(w, i), -1)) alu += s->issues * 2;
    if (s->pipe == PIPE_IMAD) fma += s->issues * 2;
    if (s->pipe == PIPE_FMA) fma += s->issues;
  }
  for (int32_t i = b->first; i <= b->last; i++) {
    Slot *s = &w->slots[i];
    const Inst *in = inst_at(w, i);
    if (s->pipe != PIPE_ALU || s->issues != 1 || !is_add(w, in, -1) || is_64(in)) continue;
    if (fma < alu) {
      set(s, PIPE_IMAD, 1, arch_lane_cycles(w->arch->lanes_imad), w->arch->latency_imad);
      fma += 2;
    } else {
      alu += 2;
    }
  }
}

/* Arithmetic on what is equal in all lanes runs once for the warp, on a pipe of its own. */
static void move_to_uniform(Work *w) {
  if (!w->arch->uniform_datapath) return;
  for (size_t i = 0; i < w->fn->inst_count; i++) {
    Slot *s = &w->slots[i];
    const Inst *in = inst_at(w, (int32_t)i);
    const Operand *d = &in->operand[0];
    if ((s->pipe != PIPE_ALU && s->pipe != PIPE_IMAD) || s->issues == 0 || !is_reg(d)) continue;
    if (!w->uniform[d->reg] || w->fn->regs[d->reg].type == TY_PRED || in->guard >= 0) continue;
    set(s, PIPE_UNIFORM, s->issues, 1, w->arch->latency_uniform);
  }
}

/* ---- loops ----------------------------------------------------------------------------------- */

static bool is_pure(const Slot *s, const Inst *in) {
  if (in->guard >= 0 || in->mod[MC_CC]) return false;
  return s->pipe == PIPE_ALU || s->pipe == PIPE_FMA || s->pipe == PIPE_IMAD ||
         s->pipe == PIPE_UNIFORM || s->pipe == PIPE_CONVERT;
}

typedef struct Range {
  const Work *w;
  int32_t from, to;
  bool varies;
} Range;

static void made_outside(void *context, int32_t reg, bool write) {
  Range *r = context;
  int32_t at = r->w->def[reg];
  if (write) {
    if (!once(r->w, reg)) r->varies = true;
  } else if (!once(r->w, reg) || (at >= r->from && at <= r->to && !r->w->slots[at].invariant)) {
    r->varies = true;
  }
}

/* What computes the same in every round of a loop is moved out of it, if every round runs it: the
 * assembler does not move what stands behind a branch within the loop. */
static void move_invariants(Work *w) {
  uint64_t steps = 0;
  for (size_t back = 0; back < w->fn->inst_count; back++) {
    const Inst *in = inst_at(w, (int32_t)back);
    if (in->op != OP_BRA || in->operand[0].kind != OPND_LABEL) continue;
    Range r = {w, in->operand[0].target, (int32_t)back, false};
    steps += r.to > r.from ? (uint64_t)(r.to - r.from) : 0;
    if (steps > WORK) return;
    int32_t joined = r.from; /* up to here some branch of the loop jumps */
    for (int32_t i = r.from; i <= r.to; i++) {
      Slot *s = &w->slots[i];
      const Inst *at = inst_at(w, i);
      if (at->op == OP_BRA && at->operand[0].kind == OPND_LABEL && at->operand[0].target <= r.to &&
          at->operand[0].target > joined)
        joined = at->operand[0].target;
      r.varies = i < joined;
      if (is_pure(s, at) || s->issues == 0)
        inst_registers(at, made_outside, &r);
      else
        r.varies = true;
      if (r.varies) continue;
      s->invariant = true;
      fold(s);
    }
  }
}

/* ---- short branches -------------------------------------------------------------------------- */

static bool may_be_predicated(const Slot *s, const Inst *in) {
  if (in->guard >= 0) return false;
  switch (s->pipe) {
  case PIPE_BRANCH:
  case PIPE_BARRIER:
  case PIPE_SYNC:
  case PIPE_FENCE:
  case PIPE_SHUFFLE:
  case PIPE_VOTE:
  case PIPE_REDUX:
  case PIPE_MATCH:
  case PIPE_TENSOR: return false;
  case PIPE_MEMORY: return in->op == OP_LD || in->op == OP_ST;
  default: return true;
  }
}

/* The issue slots of the stretch, if it is one basic block of plain instructions; else -1. */
static int32_t plain_issues(const Work *w, int32_t from, int32_t to) {
  int32_t issues = 0;
  for (int32_t k = from; k < to; k++) {
    if (k > from && inst_at(w, k)->block_start) return -1;
    if (!may_be_predicated(&w->slots[k], inst_at(w, k))) return -1;
    issues += w->slots[k].issues;
  }
  return issues;
}

static void predicate_arm(Work *w, int32_t from, int32_t to, int32_t guard) {
  for (int32_t k = from; k < to; k++) w->slots[k].arm = (uint32_t)guard + 1;
}

static void fold_branch(Work *w, int32_t at) {
  fold(&w->slots[at]);
  w->slots[at].predicated = true;
}

static bool is_jump(const Inst *in) {
  return in->op == OP_BRA && in->guard < 0 && in->operand[0].kind == OPND_LABEL;
}
static bool is_branch(const Inst *in) {
  return in->op == OP_BRA && in->guard >= 0 && in->operand[0].kind == OPND_LABEL;
}

static void count_jumps(Work *w) {
  w->jumps = ARENA_ARRAY(w->arena, uint32_t, w->fn->inst_count + 1);
  for (int32_t i = 0; i < (int32_t)w->fn->inst_count; i++)
    if (is_jump(inst_at(w, i)) || is_branch(inst_at(w, i)))
      w->jumps[inst_at(w, i)->operand[0].target]++;
}

/* Is there a jump at i + 1 that the branch at i leads around? */
static bool is_over_jump(const Work *w, int32_t i) {
  return i + 2 < (int32_t)w->fn->inst_count && inst_at(w, i)->operand[0].target == i + 2 &&
         is_jump(inst_at(w, i + 1)) && w->jumps[i + 1] == 0;
}

/* A jump to what follows is none, and a branch around a jump is one branch, the other way round. */
static void fold_jumps(Work *w) {
  for (int32_t i = 0; i < (int32_t)w->fn->inst_count; i++) {
    const Inst *in = inst_at(w, i);
    if (is_jump(in) && in->operand[0].target == i + 1) fold(&w->slots[i]);
    if (!is_branch(in) || !is_over_jump(w, i)) continue;
    fold(&w->slots[i + 1]);
    w->slots[i].inverted = true;
  }
}

/* The place behind the else of a branch whose arms begin at `first` and at `to`, if a jump over the
 * else ends the first one and nothing else jumps there. */
static int32_t end_of_else(const Work *w, int32_t first, int32_t to, int32_t meets) {
  const Inst *jump = inst_at(w, to - 1);
  bool over = to - 1 > first && is_jump(jump) && jump->operand[0].target > to &&
              jump->operand[0].target == meets;
  return over && w->jumps[to] == 1 ? meets : -1;
}

/* Arms of a few plain instructions: each gets the predicate, and the branch goes. */
static void find_predicated(Work *w) {
  int32_t limit = (int32_t)w->arch->predicate_limit;
  for (int32_t i = 0; i < (int32_t)w->fn->inst_count; i++) {
    const Inst *in = inst_at(w, i);
    if (!is_branch(in)) continue;
    bool around = is_over_jump(w, i);
    int32_t first = around ? i + 2 : i + 1;
    int32_t to = inst_at(w, first - 1)->operand[0].target;
    if (to <= first) continue;
    int32_t end = to, issues = -1, more = 0;
    if (to == in->reconverge) {
      issues = plain_issues(w, first, to);
    } else if ((end = end_of_else(w, first, to, in->reconverge)) >= 0) {
      issues = plain_issues(w, first, to - 1);
      more = plain_issues(w, to, end);
    }
    if (issues < 0 || more < 0 || issues + more > limit) continue;
    fold_branch(w, i);
    if (around) fold_branch(w, i + 1);
    if (end > to) fold_branch(w, to - 1);
    predicate_arm(w, first, end, in->guard);
  }
}

/* ---- neighbouring words ---------------------------------------------------------------------- */

enum { ALIGNED_16 = 4, DEPTH = 8 };

static uint32_t zeros_of(uint64_t v) {
  uint32_t zeros = v ? (uint32_t)COUNT_TRAILING_ZEROS64(v) : ALIGNED_16;
  return zeros < ALIGNED_16 ? zeros : ALIGNED_16;
}

/* How many of the lowest bits are zero for certain, up to four. The assembler itself places shared
 * variables, at multiples of 16. */
static uint32_t low_zeros(const Work *w, const Operand *o, int depth) {
  int32_t at;
  if (o->kind == OPND_IMM) return zeros_of(o->imm);
  if (o->kind == OPND_SYM && o->var && o->var->space == SP_SHARED)
    return zeros_of((uint64_t)o->off);
  const Inst *in = depth ? made_by(w, o, &at) : NULL;
  if (!in) return 0;
  uint32_t a = in->operand_count > 1 ? low_zeros(w, &in->operand[1], depth - 1) : 0;
  uint32_t b = in->operand_count > 2 ? low_zeros(w, &in->operand[2], depth - 1) : 0, zeros = 0;
  switch (in->op) {
  case OP_MOV: zeros = a; break;
  case OP_ADD: zeros = a < b ? a : b; break;
  case OP_AND: zeros = a > b ? a : b; break;
  case OP_SHL:
    zeros = a + (in->operand[2].kind == OPND_IMM ? (uint32_t)(in->operand[2].imm & 31) : 0);
    break;
  case OP_MUL: zeros = a + b; break;
  case OP_MAD: {
    uint32_t c = low_zeros(w, &in->operand[3], depth - 1);
    zeros = a + b < c ? a + b : c;
    break;
  }
  default: break;
  }
  return zeros < ALIGNED_16 ? zeros : ALIGNED_16;
}

static bool loads_word(const Inst *in) {
  return in->op == OP_LD && in->guard < 0 && inst_space(in) == SP_SHARED &&
         type_bytes((PtxType)in->type) == 4 && is_reg(&in->operand[0]) &&
         in->operand[1].kind == OPND_ADDR && in->operand[1].reg >= 0 && !in->operand[1].var &&
         (in->mod[MC_SEM] == MOD_NONE || in->mod[MC_SEM] == MOD_SEM_WEAK);
}

/* The load of the word `off` bytes from the base that stands in the same stretch behind `at`, with
 * nothing between that may change memory; -1: there is none. */
static int32_t load_behind(const Work *w, int32_t at, int32_t base, int64_t off) {
  for (int32_t k = at + 1; k < (int32_t)w->fn->inst_count; k++) {
    const Inst *in = inst_at(w, k);
    const Slot *s = &w->slots[k];
    if (in->block_start || ends_stretch(in, s) || (s->pipe == PIPE_MEMORY && in->op != OP_LD))
      break;
    if (loads_word(in) && s->issues && !s->words && in->operand[1].reg == base &&
        in->operand[1].off == off)
      return k;
  }
  return -1;
}

/* Loads of two or four neighbouring words of shared memory become one, where the address is a
 * multiple of their size for certain. */
static void join_loads(Work *w) {
  for (int32_t i = 0; w->arch->predicate_limit && i < (int32_t)w->fn->inst_count; i++) {
    const Inst *in = inst_at(w, i);
    if (!loads_word(in) || !w->slots[i].issues || w->slots[i].arm) continue;
    const Operand base = {.kind = OPND_REG, .reg = in->operand[1].reg, .reg2 = -1};
    int64_t off = in->operand[1].off;
    uint32_t zeros = low_zeros(w, &base, DEPTH), own = zeros_of((uint64_t)off);
    if (own < zeros) zeros = own;
    int32_t words = 1, joined[3];
    while (words < 4 && (joined[words - 1] = load_behind(w, i, base.reg, off + 4 * words)) >= 0)
      words++;
    words = words == 4 && zeros >= 4 ? 4 : words >= 2 && zeros >= 3 ? 2 : 1;
    if (words == 1) continue;
    w->slots[i].words = (uint8_t)words;
    for (int k = 0; k < words - 1; k++) {
      fold(&w->slots[joined[k]]);
      w->slots[joined[k]].rides = (uint32_t)in->operand[0].reg + 1;
    }
  }
}

/* ---- what each waits for --------------------------------------------------------------------- */

typedef struct Collect {
  Work *w;
  const Slot *slot;
  const Inst *in;
  Read *sources;
  uint32_t *dests;
  uint32_t source_count, dest_count;
} Collect;

static bool is_fma_side(int pipe) {
  return pipe == PIPE_FMA || pipe == PIPE_IMAD || pipe == PIPE_HALF;
}

/* Cycles beyond the producer's latency: predicates take longer to reach those that they steer, and
 * so do results that cross from the floating-point to the integer side or back. */
static uint8_t extra_cycles(const Work *w, const Slot *reader, const Inst *in, int32_t reg) {
  const Arch *a = w->arch;
  if (w->fn->regs[reg].type == TY_PRED) {
    bool steers = in->guard == reg || reader->guarded || reader->arm == (uint32_t)reg + 1 ||
                  reader->pipe == PIPE_BRANCH || reader->pipe == PIPE_VOTE ||
                  reader->pipe == PIPE_BARRIER;
    double more = steers ? a->latency_predicate - a->latency_int : 0;
    return more > 0 ? (uint8_t)more : 0;
  }
  bool read;
  int32_t at =
      once(w, reg) ? w->def[reg] : writer_before(w, (int32_t)(in - w->fn->insts), reg, &read);
  if (at < 0) return 0;
  const Slot *from = &w->slots[at];
  bool both = (from->pipe == PIPE_ALU || is_fma_side(from->pipe)) &&
              (reader->pipe == PIPE_ALU || is_fma_side(reader->pipe));
  return both && is_fma_side(from->pipe) != is_fma_side(reader->pipe) ? (uint8_t)a->latency_cross
                                                                      : 0;
}

static void collect(void *context, int32_t reg, bool write) {
  Collect *c = context;
  if (write) {
    c->dests[c->dest_count++] = (uint32_t)reg;
    return;
  }
  const Work *w = c->w;
  for (uint32_t i = 0; i < c->source_count; i++)
    if (c->sources[i].reg == (uint32_t)reg) return;
  bool vector = w->fn->regs[reg].type != TY_PRED && !w->constant[reg] &&
                !(w->uniform[reg] && w->arch->uniform_datapath);
  c->sources[c->source_count++] =
      (Read){(uint32_t)reg, c->slot->issues ? extra_cycles(w, c->slot, c->in, reg) : 0, vector};
}

static void collect_registers(Work *w) {
  for (size_t i = 0; i < w->fn->inst_count; i++) {
    Slot *s = &w->slots[i];
    const Inst *in = inst_at(w, (int32_t)i);
    int32_t n = 0;
    inst_registers(in, count_register, &n);
    Collect c = {
        w, s, in, ARENA_ARRAY(w->arena, Read, n + 3), ARENA_ARRAY(w->arena, uint32_t, n + 1), 0, 0};
    inst_registers(in, collect, &c);
    if (s->arm) collect(&c, (int32_t)s->arm - 1, false);
    if (s->rides) collect(&c, (int32_t)s->rides - 1, false);
    s->sources = c.sources;
    s->dests = c.dests;
    if (in->op == OP_ATOM && c.dest_count == 1 && w->uses[c.dests[0]] == 0)
      c.dest_count = 0; /* nobody wants the old value: a reduction (RED) */
    s->source_count = (uint16_t)c.source_count;
    s->dest_count = (uint16_t)c.dest_count;
    for (uint32_t k = 0; k < c.source_count; k++) s->vectors += c.sources[k].vector;
    s->uniform = c.dest_count && w->uniform[c.dests[0]];
  }
}

static bool is_one_address(const Work *w, const Inst *in) {
  for (int i = 0; i < MAX_OPERANDS; i++) {
    const Operand *o = &in->operand[i];
    if (o->kind == OPND_ADDR) return o->reg < 0 || w->uniform[o->reg];
  }
  return false;
}

/* Adding to one integer in global memory: the assembler lets the first active lane add for all.
 * Where the old value is wanted, each lane gets it by a shuffle and adds what comes before it. */
static void find_aggregated(Work *w) {
  const Arch *a = w->arch;
  for (size_t i = 0; a->aggregate_atomics && i < w->fn->inst_count; i++) {
    const Inst *in = inst_at(w, (int32_t)i);
    Slot *s = &w->slots[i];
    if ((in->op != OP_ATOM && in->op != OP_RED) || in->mod[MC_ATOM] != MOD_ATOM_ADD ||
        !is_int((PtxType)in->type) || is_64(in) || inst_space(in) == SP_SHARED ||
        !is_one_address(w, in))
      continue;
    s->aggregated = true;
    if (s->dest_count == 0) continue;
    s->issues = 11; /* from disassembly */
    s->latency = (uint16_t)(a->latency_sfu + a->latency_int + a->latency_predicate +
                            a->latency_shuffle + a->latency_imad);
  }
}

/* Two parameters that lie side by side and are read by the same instructions are loaded as a pair
 * into ordinary registers; a parameter alone is a uniform operand. */
static int32_t parameter_of(const Work *w, int32_t reg, uint64_t *offset) {
  if (!once(w, reg) || !w->constant[reg]) return -1;
  const Inst *in = inst_at(w, w->def[reg]);
  if (in->op != OP_LD || in->operand[1].kind != OPND_ADDR || !in->operand[1].var) return -1;
  *offset = in->operand[1].var->offset + (uint64_t)in->operand[1].off;
  return w->def[reg];
}

static int32_t block_of(const Work *w, int32_t inst) {
  int32_t first = inst > BLOCK ? inst - BLOCK : 0; /* of a longer block, a part counts as a block */
  while (inst > first && !inst_at(w, inst)->block_start) inst--;
  return inst;
}

/* Do all that compute with the register lie in one basic block? (Moves do not count.) */
static bool used_in_one_block(const Work *w, int32_t reg) {
  int32_t block = -1;
  for (int32_t u = w->first_use[reg]; u >= 0; u = w->list[u].next) {
    if (inst_at(w, w->list[u].inst)->op == OP_MOV) continue;
    int32_t b = block_of(w, w->list[u].inst);
    if (block >= 0 && b != block) return false;
    block = b;
  }
  return true;
}

static void pair_parameters(Work *w) {
  for (size_t i = 0; i < w->fn->inst_count; i++) {
    Slot *s = &w->slots[i];
    if (s->pipe != PIPE_FMA || s->source_count < 3) continue;
    for (int a = 0; a < s->source_count; a++)
      for (int b = 0; b < s->source_count; b++) {
        uint64_t x, y;
        if (a == b || parameter_of(w, (int32_t)s->sources[a].reg, &x) < 0 ||
            parameter_of(w, (int32_t)s->sources[b].reg, &y) < 0)
          continue;
        if (y == x + 4 && x % 8 == 0 && s->vectors < 3 &&
            used_in_one_block(w, (int32_t)s->sources[a].reg) &&
            used_in_one_block(w, (int32_t)s->sources[b].reg))
          s->vectors = 3;
      }
  }
}

/* An instruction has room for one operand that is not a vector register; two need a register. */
static void count_operands(Work *w) {
  for (size_t i = 0; i < w->fn->inst_count; i++) {
    Slot *s = &w->slots[i];
    int other = s->source_count - s->vectors;
    if ((s->pipe == PIPE_FMA || s->pipe == PIPE_IMAD || s->pipe == PIPE_ALU) && other > 1)
      s->vectors = (uint8_t)(s->vectors + other - 1);
  }
  pair_parameters(w);
}

/* ---- loads of parameters --------------------------------------------------------------------- */

/* Must source k be in a vector register? An instruction has room for one operand of another kind (a
 * uniform register, an immediate), which the first such source takes; addresses and wide
 * multiply-adds have none. */
static bool needs_register(const Work *w, const Slot *s, const Inst *in, int k) {
  const Read *read = &s->sources[k];
  if (read->vector || w->parameter[read->reg] < 0 || s->issues == 0) return false;
  if (s->pipe == PIPE_MEMORY || (s->pipe == PIPE_IMAD && is_64(in))) return true;
  if (s->pipe == PIPE_UNIFORM) return false;
  int before = 0;
  for (int i = 0; i < in->operand_count; i++) before += in->operand[i].kind == OPND_IMM;
  for (int i = 0; i < k; i++)
    before += !s->sources[i].vector && w->fn->regs[s->sources[i].reg].type != TY_PRED;
  return before > 0 || s->vectors >= 3;
}

enum { CONSTANT_LINE = 64, PARAMETERS_AT = 0x210 /* where they lie in bank 0 */, LOADS = 16 };

static ConstantLoad constant_load(const Work *w, uint32_t reg) {
  const Inst *load = inst_at(w, w->parameter[reg]);
  const Operand *o = &load->operand[1];
  uint64_t offset = PARAMETERS_AT + (o->var ? o->var->offset : 0) + (uint64_t)o->off;
  return (ConstantLoad){reg, (uint32_t)load->operand[0].reg, (uint32_t)(offset / CONSTANT_LINE)};
}

/* A parameter is loaded where a stretch of code, up to the next barrier or branch, reads it first;
 * what the function's first block has loaded stays. */
static void place_constant_loads(Work *w) {
  if (!w->arch->parameter_loads || !w->fn->is_entry) return;
  find_uses(w); /* the order has changed */
  find_constants(w);
  uint32_t *seen =
      ARENA_ARRAY(w->arena, uint32_t, w->fn->inst_count + 1); /* by loading instruction */
  uint32_t stretch = 0;
  int32_t begin = 0;
  ConstantLoad loads[LOADS];
  uint32_t n = 0;
  for (int32_t i = 0; i <= (int32_t)w->fn->inst_count; i++) {
    bool end = i == (int32_t)w->fn->inst_count;
    if (end || inst_at(w, i)->block_start || ends_stretch(inst_at(w, i), &w->slots[i])) {
      if (n) {
        ConstantLoad *kept = ARENA_ARRAY(w->arena, ConstantLoad, n);
        memcpy(kept, loads, n * sizeof *loads);
        w->slots[begin].loads = kept;
        w->slots[begin].load_count = n;
      }
      if (end) return;
      begin = inst_at(w, i)->block_start ? i : i + 1;
      stretch += inst_at(w, i)->block_start && i > 0;
      n = 0;
    }
    const Slot *s = &w->slots[i];
    for (int k = 0; k < s->source_count && n < LOADS; k++) {
      if (!needs_register(w, s, inst_at(w, i), k)) continue;
      uint32_t *last = &seen[w->parameter[s->sources[k].reg]];
      if (*last == 1 || *last == stretch + 1) continue;
      *last = stretch + 1;
      loads[n++] = constant_load(w, s->sources[k].reg);
    }
  }
}

/* ---- registers a thread ---------------------------------------------------------------------- */

typedef struct Live {
  const Work *w;
  int32_t *last; /* by register: where it is read last */
  int32_t at;
} Live;

static void note_last(void *context, int32_t reg, bool write) {
  Live *l = context;
  (void)write;
  if (l->at > l->last[reg]) l->last[reg] = l->at;
}

static int weight(const Work *w, int32_t reg) { /* 32-bit registers that a value takes */
  PtxType t = w->fn->regs[reg].type;
  if (t == TY_PRED || w->constant[reg]) return 0;
  if (w->uniform[reg] && w->arch->uniform_datapath) return 0;
  return type_bits(t) == 128 ? 4 : type_bits(t) == 64 ? 2 : 1;
}

/* The most values that live at a time, each from its first write to its last read in the order of
 * the text; a loop keeps what it reads, and what was written before it, to its end. */
static uint32_t estimate_registers(Work *w) {
  const Function *fn = w->fn;
  int32_t n = (int32_t)fn->inst_count;
  Live l = {w, ARENA_ARRAY(w->arena, int32_t, fn->reg_count + 1), 0};
  int32_t *first = ARENA_ARRAY(w->arena, int32_t, fn->reg_count + 1);
  int32_t *change = ARENA_ARRAY(w->arena, int32_t, n + 2);
  for (size_t r = 0; r < fn->reg_count; r++) {
    first[r] = n;
    l.last[r] = -1;
  }
  uint64_t steps = 0;
  for (int32_t i = 0; i < n; i++) {
    l.at = i;
    inst_registers(&fn->insts[i], note_last, &l);
    const Slot *s = &w->slots[i];
    for (int k = 0; k < s->dest_count; k++)
      if (first[s->dests[k]] > i) first[s->dests[k]] = i;
  }
  for (int32_t i = 0; i < n; i++) { /* back edges, inner loops first */
    const Inst *in = &fn->insts[i];
    if (in->op != OP_BRA || in->operand[0].kind != OPND_LABEL || in->operand[0].target > i)
      continue;
    int32_t head = in->operand[0].target;
    steps += fn->reg_count;
    if (steps > WORK) break;
    for (size_t r = 0; r < fn->reg_count; r++)
      if (first[r] < head && l.last[r] >= head && l.last[r] < i) l.last[r] = i;
  }
  for (size_t r = 0; r < fn->reg_count; r++) {
    if (l.last[r] < 0 || first[r] >= n) continue;
    /* What only became part of another instruction takes no register of its own. */
    if (once(w, (int32_t)r) && w->slots[w->def[r]].issues == 0 &&
        inst_at(w, w->def[r])->op != OP_MOV)
      continue;
    change[first[r]] += weight(w, (int32_t)r);
    change[l.last[r]] -= weight(w, (int32_t)r);
  }
  int32_t now = 0, most = 0;
  for (int32_t i = 0; i < n; i++) {
    now += change[i];
    if (now > most) most = now;
  }
  uint32_t got = (uint32_t)most + 2; /* the stack pointer, and one to hand */
  if (got < 16) got = 16;
  uint32_t limit = fn->maxnreg ? fn->maxnreg : w->arch->max_registers_per_thread;
  return got > limit ? limit : got;
}

/* A branch whose lanes may part costs an instruction that names the place where they meet (BSSY),
 * and one there (BSYNC). A loop has the first of them outside. */
static void mark_joins(Work *w) {
  for (size_t i = 0; i < w->fn->inst_count; i++) {
    const Inst *in = inst_at(w, (int32_t)i);
    Slot *s = &w->slots[i];
    bool splits =
        s->pipe == PIPE_BRANCH && in->op != OP_CALL && in->guard >= 0 && !w->uniform[in->guard];
    if (!splits || in->reconverge >= (int32_t)w->fn->inst_count) continue;
    w->slots[in->reconverge].join = true;
    if (in->reconverge > (int32_t)i && in->op == OP_BRA && in->operand[0].kind == OPND_LABEL &&
        in->operand[0].target > (int32_t)i)
      s->issues = (uint8_t)(1 + w->arch->join_instruction);
  }
}

/* ---- all together ---------------------------------------------------------------------------- */

static void place_code(const Work *w, Assembly *as) {
  uint32_t at = 0;
  as->address = ARENA_ARRAY(w->arena, uint32_t, w->fn->inst_count + 2);
  for (size_t i = 0; i < w->fn->inst_count; i++) {
    as->address[i] = at;
    at += w->slots[i].issues;
  }
  as->address[w->fn->inst_count] = as->address[w->fn->inst_count + 1] = at;
  as->size = at;
}

Assembly *assemble(Arena *arena, const Arch *arch, Function *fn) {
  Assembly *as = ARENA_NEW(arena, Assembly);
  Work w = {.arch = arch, .arena = arena, .fn = fn};
  w.slots = ARENA_ARRAY(arena, Slot, fn->inst_count + 1);
  as->fn = fn;
  as->slots = w.slots;
  w.uniform = ARENA_ARRAY(arena, bool, fn->reg_count + 1);
  w.constant = ARENA_ARRAY(arena, bool, fn->reg_count + 1);
  w.parameter = ARENA_ARRAY(arena, int32_t, fn->reg_count + 1);
  find_uses(&w);
  for (size_t i = 0; i < fn->inst_count; i++) classify(arch, &fn->insts[i], &w.slots[i]);
  set(&w.slots[fn->inst_count], PIPE_BRANCH, fn->is_entry ? 1 : 0, 1, arch->latency_branch);
  find_uniform(&w);
  fold_special_reads(&w);
  fold_moves(&w);
  find_constants(&w);
  fold_divisors(&w);
  fold_products(&w);
  fold_extensions(&w);
  fold_offsets(&w);
  fold_triples(&w);
  fold_choices(&w);
  fold_predicates(&w);
  move_to_uniform(&w);
  for (size_t b = 0; b < fn->block_count; b++) balance_block(&w, &fn->blocks[b]);
  move_invariants(&w);
  count_jumps(&w);
  fold_jumps(&w);
  find_predicated(&w);
  join_loads(&w);
  collect_registers(&w);
  find_aggregated(&w);
  count_operands(&w);
  schedule_blocks(arena, fn, w.slots);
  mark_joins(&w);
  find_uses(&w); /* the order has changed */
  place_constant_loads(&w);
  as->registers = estimate_registers(&w);
  place_code(&w, as);
  return as;
}
