/* exec/prepare.c - turns a parsed function into Code: registers become offsets, immediates become
 * constant lanes, and every instruction is bound to the function that executes it. */
#include <string.h>

#include "base/hash.h"
#include "exec/control.h"
#include "exec/exec.h"

/* ---- a growing block of constants ------------------------------------------------------------ */

typedef struct Constant {
  uint64_t value;
  uint32_t bytes; /* a lane; 0: a predicate */
  uint32_t at;
} Constant;

typedef struct Builder {
  Arena *arena;
  const Function *fn;
  Code *code;
  HashKey hash_key;
  Constant *table; /* open addressing */
  size_t slots, used;
  size_t size, capacity; /* of code->consts */
  Steps *steps;          /* of the instruction at hand */
  uint32_t scratch;      /* next free scratch lanes */
} Builder;

static size_t constant_hash(const Builder *b, uint64_t value, uint32_t bytes) {
  uint64_t both[] = {value, bytes};
  return (size_t)hash_bytes(&b->hash_key, both, sizeof both);
}

static void constants_rehash(Builder *b) {
  size_t slots = b->slots ? 2 * b->slots : 64;
  Constant *table = ARENA_ARRAY(b->arena, Constant, slots);
  for (size_t i = 0; i < slots; i++) table[i].at = OPERAND_NONE;
  for (size_t i = 0; i < b->slots; i++) {
    if (b->table[i].at == OPERAND_NONE) continue;
    size_t k = constant_hash(b, b->table[i].value, b->table[i].bytes) & (slots - 1);
    while (table[k].at != OPERAND_NONE) k = (k + 1) & (slots - 1);
    table[k] = b->table[i];
  }
  b->table = table;
  b->slots = slots;
}

static uint32_t constant_emit(Builder *b, uint64_t value, uint32_t bytes) {
  size_t need = bytes ? (size_t)bytes * WARP_SIZE : 64;
  if (b->size + need > b->capacity) {
    size_t capacity = b->capacity ? 2 * b->capacity : 4096;
    while (capacity < b->size + need) capacity *= 2;
    uint8_t *bigger = arena_alloc(b->arena, capacity);
    if (b->size) memcpy(bigger, b->code->consts, b->size);
    b->code->consts = bigger;
    b->capacity = capacity;
  }
  uint8_t *lanes = b->code->consts + b->size;
  if (bytes == 0) *(Mask *)lanes = value ? FULL_MASK : 0;
  for (int l = 0; bytes && l < WARP_SIZE; l++)
    memcpy(lanes + (size_t)l * bytes, &value, bytes > 8 ? 8 : bytes); /* little-endian */
  uint32_t at = (uint32_t)b->size | OPERAND_CONST;
  b->size += need;
  return at;
}

static uint32_t constant(Builder *b, uint64_t value, uint32_t bytes) {
  if (2 * b->used >= b->slots) constants_rehash(b);
  if (bytes && bytes < 8) value &= (1ull << 8 * bytes) - 1;
  size_t k = constant_hash(b, value, bytes) & (b->slots - 1);
  for (; b->table[k].at != OPERAND_NONE; k = (k + 1) & (b->slots - 1))
    if (b->table[k].value == value && b->table[k].bytes == bytes) return b->table[k].at;
  b->table[k] = (Constant){value, bytes, constant_emit(b, value, bytes)};
  b->used++;
  return b->table[k].at;
}

/* ---- operands -------------------------------------------------------------------------------- */

enum { SCRATCH_BYTES = 512, SCRATCH_SLOTS = 14 };

static uint32_t scratch(Builder *b) {
  uint32_t at = b->scratch;
  b->scratch += SCRATCH_BYTES;
  return at;
}

static Step *step_before(Builder *b) {
  if (!b->steps) b->steps = ARENA_NEW(b->arena, Steps);
  return &b->steps->before[b->steps->before_count++];
}

/* An unsigned or signed integer type of so many bytes a lane. */
static PtxType int_type(int bytes, bool is_signed) {
  switch (bytes) {
  case 2: return is_signed ? TY_S16 : TY_U16;
  case 4: return is_signed ? TY_S32 : TY_U32;
  default: return is_signed ? TY_S64 : TY_U64;
  }
}

/* The function that copies lanes of one width to another, extending or cutting. */
static LaneFn bind_resize(int from_bytes, int to_bytes, bool is_signed) {
  Inst in = {.op = from_bytes == to_bytes ? OP_MOV : OP_CVT,
             .type = (uint8_t)int_type(to_bytes, is_signed),
             .type2 = (uint8_t)int_type(from_bytes, is_signed)};
  if (in.op == OP_MOV) in.type2 = TY_NONE;
  return lanes_bind(&in);
}

static uint32_t resized(Builder *b, uint32_t at, int from_bytes, int to_bytes, bool is_signed) {
  if (from_bytes == to_bytes || to_bytes == 0 || from_bytes == 0) return at;
  Step *s = step_before(b);
  *s = (Step){.fn = bind_resize(from_bytes, to_bytes, is_signed), .from = at, .to = scratch(b)};
  return s->to;
}

/* Is this .param variable a parameter of the kernel (and not a call's staging area)? */
static bool is_kernel_param(const Var *var) {
  if (var->space != SP_PARAM || !var->owner || !var->owner->is_entry) return false;
  for (size_t i = 0; i < var->owner->param_count; i++)
    if (var->owner->params[i] == var) return true;
  return false;
}

/* The address of a variable; for one in the frame, its offset there. */
uint64_t var_address(const Var *var) {
  if (var->link) var = var->link;
  switch (var->space) {
  case SP_SHARED: return SHARED_BASE + var->offset;
  case SP_PARAM: return is_kernel_param(var) ? PARAM_BASE + var->offset : var->offset;
  case SP_LOCAL: return var->offset;
  default: return var->address;
  }
}

static bool is_frame_relative(const Var *var) {
  return var->space == SP_LOCAL || (var->space == SP_PARAM && !is_kernel_param(var));
}

/* A source operand whose lanes must have `bytes` bytes (0: a predicate). */
static uint32_t source(Builder *b, const Operand *o, int bytes, bool is_signed) {
  switch (o->kind) {
  case OPND_REG: {
    uint32_t at = b->code->reg_offset[o->reg];
    PtxType t = b->fn->regs[o->reg].type;
    if (!o->negated)
      return t == TY_PRED ? at : resized(b, at, type_lane_bytes(t), bytes, is_signed);
    Step *s = step_before(b);
    *s = (Step){.from = at, .to = scratch(b)};
    return s->to;
  }
  case OPND_IMM: return constant(b, o->negated ? !o->imm : o->imm, (uint32_t)bytes);
  case OPND_SREG: {
    Step *s = step_before(b);
    *s = (Step){.sreg = o->sreg, .to = scratch(b)};
    PtxType t = special_reg_type(o->sreg);
    return resized(b, s->to, type_lane_bytes(t), bytes, is_signed);
  }
  case OPND_SYM:
  case OPND_ADDR: {
    if (o->func) return constant(b, o->func->address + (uint64_t)o->off, (uint32_t)bytes);
    uint64_t value = (o->var ? var_address(o->var) : 0) + (uint64_t)o->off;
    if (!o->var || !is_frame_relative(o->var)) return constant(b, value, (uint32_t)bytes);
    Step *s = step_before(b);
    *s = (Step){.frame_address = true, .value = value, .to = scratch(b)};
    return resized(b, s->to, 8, bytes, false);
  }
  default: return OPERAND_NONE;
  }
}

/* A destination whose lanes get `bytes` bytes of type `t`. */
static uint32_t destination(Builder *b, const Operand *o, int bytes, bool is_signed) {
  if (o->kind != OPND_REG) return scratch(b); /* `_`: the result is dropped */
  uint32_t at = b->code->reg_offset[o->reg];
  int have = type_lane_bytes(b->fn->regs[o->reg].type);
  if (have == bytes || have == 0 || bytes == 0) return at;
  if (!b->steps) b->steps = ARENA_NEW(b->arena, Steps);
  uint32_t to = scratch(b);
  b->steps->has_after = true;
  b->steps->after = (Step){.fn = bind_resize(bytes, have, is_signed), .from = to, .to = at};
  return to;
}

/* ---- instructions ---------------------------------------------------------------------------- */

static bool is_wide(const Inst *in) { return inst_is(in, MC_HALF, MOD_HALF_WIDE); }

/* Bytes a lane that a signature letter stands for. */
static int letter_bytes(const Inst *in, char letter) {
  int type = type_lane_bytes(in->type), type2 = type_lane_bytes(in->type2 ? in->type2 : in->type);
  switch (letter) {
  case 'd':
  case 'w':
  case 'X':
    if (in->op == OP_MATCH) return 4;
    return is_wide(in) ? 2 * type : type;
  case 'q': return in->op == OP_MATCH || in->op == OP_ELECT ? 4 : type;
  case 'b': return type2;
  case 'e':
  case 'u': return 4;
  case 'p':
  case 'P': return 0;
  default: return type;
  }
}

/* mbarrier's waits take a token of 64 bits, or with .parity a number of 32. */
static int source_bytes(const Inst *in, char letter) {
  if (inst_has(in, MC_PARITY) && letter == 'a') return 4;
  return letter_bytes(in, letter);
}

static bool letter_signed(const Inst *in, char letter) {
  PtxType t = letter == 'b' && in->type2 ? in->type2 : in->type;
  return type_is_signed(t);
}

/* An address: where its base register is, and what to add. */
static void bind_address(const Builder *b, Op *op, const Operand *o) {
  op->off = o->off;
  op->e = OPERAND_NONE;
  op->address_bytes = 0;
  op->frame_relative = false;
  if (o->reg >= 0) {
    op->e = b->code->reg_offset[o->reg];
    op->address_bytes = (uint8_t)type_lane_bytes(b->fn->regs[o->reg].type);
  } else if (o->kind == OPND_ADDR && o->var) {
    op->off += (int64_t)var_address(o->var);
    op->frame_relative = is_frame_relative(o->var);
  }
}

static void bind_elements(Builder *b, Op *op, const Operand *o, int bytes, bool is_signed) {
  int n = o->kind == OPND_VEC ? o->count : 1;
  const Operand *list = o->kind == OPND_VEC ? o->vec : o;
  op->count = (uint8_t)n;
  op->elems = ARENA_ARRAY(b->arena, uint32_t, n);
  op->elem_bytes = ARENA_ARRAY(b->arena, uint8_t, n);
  for (int i = 0; i < n; i++) {
    if (list[i].kind == OPND_REG) {
      op->elems[i] = b->code->reg_offset[list[i].reg];
      op->elem_bytes[i] = (uint8_t)type_lane_bytes(b->fn->regs[list[i].reg].type);
    } else if (list[i].kind == OPND_SINK) {
      op->elems[i] = OPERAND_NONE;
    } else {
      op->elems[i] = source(b, &list[i], bytes, is_signed);
      op->elem_bytes[i] = (uint8_t)bytes;
    }
  }
}

/* Places the operands that the signature names into the op's slots. */
static void bind_operands(Builder *b, Op *op, const Inst *in) {
  uint32_t *slots[] = {&op->a, &op->b, &op->c, &op->e};
  int slot = 0, k = 0;
  bool has_address = false;
  for (const char *s = op_info(in->op)->sig; *s && k < in->operand_count; s++) {
    if (*s == '?') continue;
    const Operand *o = &in->operand[k++];
    switch (*s) {
    case 'P':
    case 'd':
    case 'e':
    case 'q':
      op->d = destination(b, o, letter_bytes(in, *s), letter_signed(in, *s));
      if (o->kind == OPND_REG && o->reg2 >= 0)
        op->p = b->code->reg_offset[o->reg2];
      else if (o->kind == OPND_SINK && o->reg2 >= 0)
        op->p = b->code->reg_offset[o->reg2];
      break;
    case 'V':
    case 'v': bind_elements(b, op, o, type_lane_bytes(in->type), letter_signed(in, 'd')); break;
    case 'm':
      if (has_address) { /* cp.async's source */
        Op *second = ARENA_NEW(b->arena, Op);
        *second = *op;
        second->space = SP_GLOBAL;
        bind_address(b, second, o);
        op->second = second;
        break;
      }
      bind_address(b, op, o);
      has_address = true;
      break;
    case 'i': op->imm = (uint32_t)o->imm; break;
    default:
      if (slot < 4 - has_address)
        *slots[slot++] = source(b, o, source_bytes(in, *s), letter_signed(in, *s));
    }
  }
}

/* bar.red d, a[, b], p: the count is optional, the predicate last. */
static void bind_barrier_red(Builder *b, Op *op, const Inst *in) {
  int n = in->operand_count;
  op->d = destination(b, &in->operand[0], type_lane_bytes(in->type), false);
  op->a = source(b, &in->operand[1], 4, false);
  if (n == 4) op->b = source(b, &in->operand[2], 4, false);
  op->c = source(b, &in->operand[n - 1], 0, false);
}

/* Binds the operation that an atomic does inside. */
static void bind_combine(Builder *b, Op *op, Inst inner) {
  Inst *in = ARENA_NEW(b->arena, Inst);
  *in = inner;
  op->combine = lanes_bind(in);
  op->combine_in = in;
}

/* mma d, a, b, c: the registers of all four, one after the other. */
static void bind_mma(Builder *b, Op *op, const Inst *in) {
  int n = 0;
  uint32_t *all = ARENA_ARRAY(b->arena, uint32_t, 64);
  for (int k = 0; k < in->operand_count && k < 4; k++) {
    bind_elements(b, op, &in->operand[k], type_lane_bytes(in->type), false);
    for (int i = 0; i < op->count && n < 64; i++) all[n++] = op->elems[i];
  }
  op->elems = all;
  op->count = (uint8_t)n;
}

static void bind_mov(Builder *b, Op *op, const Inst *in) {
  const Operand *d = &in->operand[0], *s = &in->operand[1];
  int bytes = type_lane_bytes(in->type);
  if (d->kind == OPND_VEC || s->kind == OPND_VEC) {
    const Operand *vec = d->kind == OPND_VEC ? d : s;
    bind_elements(b, op, vec, bytes / (vec->count ? vec->count : 1), false);
    if (d->kind == OPND_VEC)
      op->a = source(b, s, bytes, false);
    else
      op->d = destination(b, d, bytes, false);
    op->exec = do_mov;
    return;
  }
  op->d = destination(b, d, bytes, type_is_signed(in->type));
  op->a = source(b, s, bytes, type_is_signed(in->type));
  Inst plain = *in;
  plain.op = OP_MOV;
  memset(plain.mod, 0, sizeof plain.mod);
  op->lanes = lanes_bind(&plain);
}

static ExecFn exec_of(const Inst *in) {
  switch ((PtxOp)in->op) {
  case OP_BRA: return do_bra;
  case OP_BRX_IDX: return do_brx;
  case OP_CALL: return do_call;
  case OP_RET: return do_ret;
  case OP_EXIT: return do_exit;
  case OP_TRAP:
  case OP_BRKPT: return do_trap;
  case OP_LD:
  case OP_LDU: return do_ld;
  case OP_ST: return do_st;
  case OP_ATOM:
  case OP_RED: return do_atom;
  case OP_ISSPACEP: return do_isspacep;
  case OP_SHFL: return do_shfl;
  case OP_VOTE: return do_vote;
  case OP_MATCH: return do_match;
  case OP_REDUX: return do_redux;
  case OP_ELECT: return do_elect;
  case OP_ACTIVEMASK: return do_activemask;
  case OP_BAR_WARP_SYNC: return do_warp_sync;
  case OP_BAR_SYNC:
  case OP_BAR_ARRIVE:
  case OP_BAR_RED:
  case OP_BAR_CTA_SYNC:
  case OP_BAR_CTA_ARRIVE:
  case OP_BAR_CTA_RED:
  case OP_BARRIER_SYNC:
  case OP_BARRIER_ARRIVE:
  case OP_BARRIER_RED:
  case OP_BARRIER_CTA_SYNC:
  case OP_BARRIER_CTA_ARRIVE:
  case OP_BARRIER_CTA_RED: return do_barrier;
  case OP_MEMBAR:
  case OP_FENCE:
  case OP_FENCE_PROXY: return do_fence;
  case OP_PREFETCH:
  case OP_PREFETCHU:
  case OP_APPLYPRIORITY:
  case OP_DISCARD:
  case OP_PMEVENT:
  case OP_NANOSLEEP:
  case OP_CP_ASYNC_COMMIT:
  case OP_CP_ASYNC_WAIT:
  case OP_CP_ASYNC_WAIT_ALL: return do_nothing;
  case OP_CP_ASYNC: return do_cp_async;
  case OP_MMA:
  case OP_WMMA_MMA: return do_mma;
  case OP_WMMA_LOAD_A:
  case OP_WMMA_LOAD_B:
  case OP_WMMA_LOAD_C:
  case OP_WMMA_STORE_D: return do_wmma_access;
  case OP_LDMATRIX: return do_ldmatrix;
  case OP_MOVMATRIX: return do_movmatrix;
  case OP_MBARRIER_INIT:
  case OP_MBARRIER_INVAL:
  case OP_MBARRIER_ARRIVE:
  case OP_MBARRIER_ARRIVE_DROP:
  case OP_MBARRIER_TEST_WAIT:
  case OP_MBARRIER_TRY_WAIT:
  case OP_CP_ASYNC_MBARRIER: return do_mbarrier;
  case OP_MBARRIER_PENDING_COUNT: return do_pending_count;
  default: return do_unsupported;
  }
}

/* Atomics on floats; integers are combined by do_atom itself. */
static void bind_atom(Builder *b, Op *op, const Inst *in) {
  TypeClass c = type_class(in->type);
  if (c != TC_F && c != TC_H && c != TC_V) return;
  Inst pair = {.type = in->type, .operand_count = 3};
  switch (in->mod[MC_ATOM]) {
  case MOD_ATOM_ADD: pair.op = OP_ADD; break;
  case MOD_ATOM_MIN: pair.op = OP_MIN; break;
  case MOD_ATOM_MAX: pair.op = OP_MAX; break;
  default: return;
  }
  bind_combine(b, op, pair);
}

static bool is_control(ExecFn f) {
  return f == do_bra || f == do_brx || f == do_call || f == do_ret || f == do_exit;
}

/* The fast way hands over all operands without looking: unused ones get a place that exists. */
static void fill_unused(Op *op) {
  uint32_t *slots[] = {&op->d, &op->a, &op->b, &op->c};
  for (int i = 0; i < 4; i++)
    if (*slots[i] == OPERAND_NONE) *slots[i] = 0;
}

static void bind_inst(Builder *b, Op *op, const Inst *in) {
  *op = (Op){.in = in,
             .d = OPERAND_NONE,
             .a = OPERAND_NONE,
             .b = OPERAND_NONE,
             .c = OPERAND_NONE,
             .e = OPERAND_NONE,
             .p = OPERAND_NONE,
             .guard = OPERAND_NONE};
  b->steps = NULL;
  b->scratch = b->code->temp;
  if (in->guard >= 0) op->guard = b->code->reg_offset[in->guard];
  if (in->guard_negated) op->flags |= OPF_GUARD_NOT;
  if (!op_is_supported(in->op)) {
    op->exec = exec_of(in);
    return;
  }
  op->space = (uint8_t)inst_space(in);
  op->bytes = (uint8_t)type_bytes(in->type);
  if (in->op == OP_MOV || in->op == OP_CVTA) {
    bind_mov(b, op, in);
  } else if (in->op == OP_CALL) { /* its operands are read by do_call */
    if (in->operand[1].kind == OPND_REG) op->a = source(b, &in->operand[1], 8, false);
  } else if (in->op == OP_MMA || in->op == OP_WMMA_MMA) {
    bind_mma(b, op, in);
  } else if (op_is_barrier_red(in->op)) {
    bind_barrier_red(b, op, in);
  } else {
    bind_operands(b, op, in);
  }
  if (!op->lanes && !op->exec) op->lanes = lanes_bind(in);
  if (!op->lanes && !op->exec) op->exec = exec_of(in);
  if (op->exec == do_atom) bind_atom(b, op, in);
  if (op->lanes && (!lanes_is_plain(in) || op->p != OPERAND_NONE)) op->flags |= OPF_EXTRA;
  if (op->exec && is_control(op->exec)) op->flags |= OPF_CONTROL;
  if (b->steps) {
    op->steps = b->steps;
    op->flags |= OPF_TEMP;
  }
  if (op->lanes && !(op->flags & (OPF_EXTRA | OPF_TEMP))) fill_unused(op);
}

static bool can_diverge(const Inst *in) {
  return in->op == OP_BRX_IDX ||
         (in->guard >= 0 && (in->op == OP_BRA || in->op == OP_RET || in->op == OP_EXIT));
}

static void mark_joins(Code *code) {
  for (int32_t i = 0; i < code->count; i++) {
    const Inst *in = &code->fn->insts[i];
    if (can_diverge(in) && in->reconverge >= 0) code->ops[in->reconverge].flags |= OPF_JOIN;
    bool splits = in->op == OP_CALL && (in->guard >= 0 || in->operand[1].kind == OPND_REG);
    if (splits || (in->guard >= 0 && code->ops[i].exec)) code->ops[i + 1].flags |= OPF_JOIN;
  }
}

/* Predicates first (4 bytes each), then every register's 32 lanes, each on a cache line. */
static void place_registers(Code *code, Arena *arena) {
  const Function *fn = code->fn;
  code->reg_offset = ARENA_ARRAY(arena, uint32_t, fn->reg_count + 1);
  uint32_t at = 0;
  for (size_t i = 0; i < fn->reg_count; i++)
    if (fn->regs[i].type == TY_PRED) {
      code->reg_offset[i] = at;
      at += sizeof(Mask);
    }
  at = (at + 63) & ~63u;
  for (size_t i = 0; i < fn->reg_count; i++)
    if (fn->regs[i].type != TY_PRED) {
      code->reg_offset[i] = at;
      at += (uint32_t)type_lane_bytes(fn->regs[i].type) * WARP_SIZE;
    }
  code->temp = at;
  code->reg_bytes = at + SCRATCH_BYTES * SCRATCH_SLOTS;
}

const Code *prepare(Arena *arena, Function *fn) {
  if (fn->exec) return fn->exec;
  Code *code = ARENA_NEW(arena, Code);
  code->fn = fn;
  code->count = (int32_t)fn->inst_count;
  code->local_bytes = (uint32_t)fn->local_bytes;
  place_registers(code, arena);
  code->ops = ARENA_ARRAY(arena, Op, fn->inst_count + 1);
  Builder b = {.arena = arena, .fn = fn, .code = code, .hash_key = hash_key_new()};
  for (int32_t i = 0; i < code->count; i++) bind_inst(&b, &code->ops[i], &fn->insts[i]);
  static const Inst end = {.op = OP_RET, .guard = -1};
  bind_inst(&b, &code->ops[code->count], &end);
  code->ops[code->count].exec = do_end;
  code->ops[code->count].flags |= OPF_CONTROL;
  mark_joins(code);
  fn->exec = code; /* last: memory may run out before */
  return code;
}
