/* ptx/instruction.c - one instruction: guard, mnemonic, modifiers, operands. ops.def decides. */
#include <stdio.h>
#include <string.h>

#include "ptx/parser.h"

enum { MAX_WORDS = 24 };

/* ---- mnemonic and modifiers ------------------------------------------------------------------ */

static PtxOp find_op(const Parser *ps, const char *text, size_t length) {
  uint32_t h = name_hash(ps, text, length);
  for (const Symbol *s = ps->op_buckets[h % 512]; s; s = s->next)
    if (s->hash == h && s->length == length && memcmp(s->name, text, length) == 0)
      return (PtxOp)s->reg;
  return OP_NONE;
}

/* The longest row that the first words make: bar.warp.sync before bar.sync. */
static PtxOp match_op(Parser *ps, const Token *first, const Token *words, int count, int *used) {
  char text[128];
  PtxOp best = OP_NONE;
  size_t n = first->length < 64 ? first->length : 64;
  memcpy(text, first->text, n);
  *used = 0;
  for (int i = 0;; i++) {
    PtxOp op = find_op(ps, text, n);
    if (op != OP_NONE) {
      best = op;
      *used = i;
    }
    if (i == count || i == 3 || n + words[i].length + 2 > sizeof text) return best;
    text[n++] = '.';
    memcpy(text + n, words[i].text, words[i].length);
    n += words[i].length;
  }
}

typedef struct ModRow {
  ModCategory cat;
  ModValue value;
  const char *text;
} ModRow;

static const ModRow mod_rows[] = {
#define X(cat, value, text) {MC_##cat, MOD_##cat##_##value, text},
#include "ptx/mods.def"
#undef X
};

/* Words of forms that are loaded, and refused when they are executed (op is then OP_NONE): packed
 * integers, narrow floats, vectors of atomics, clusters, sparse and block-scaled matrices. */
static const char *const exotic[] = {"u16x2",
                                     "s16x2",
                                     "s8x4",
                                     "u8x4",
                                     "e2m1",
                                     "e2m3",
                                     "e3m2",
                                     "ue8m0",
                                     "ue4m3",
                                     "e2m1x2",
                                     "e2m3x2",
                                     "e3m2x2",
                                     "ue8m0x2",
                                     "s2f6x2",
                                     "e4m3x4",
                                     "e5m2x4",
                                     "e2m1x4",
                                     "e2m3x4",
                                     "e3m2x4",
                                     "b6x16_p32",
                                     "b4x16_p64",
                                     "b8x16",
                                     "m8n16",
                                     "m16n16",
                                     "oob",
                                     "block_scale",
                                     "scale_vec::1X",
                                     "scale_vec::2X",
                                     "scale_vec::4X",
                                     "kind::mxf8f6f4",
                                     "kind::mxf4",
                                     "kind::mxf4nvf4",
                                     "kind::f8f6f4",
                                     "sp::ordered_metadata",
                                     "scaled::n2::ue8m0",
                                     "sync_restrict::shared::cluster",
                                     "sync_restrict::shared::cta"};

static bool is_exotic(const Inst *in, const Token *w) {
  if (in->op == OP_ATOM || in->op == OP_RED || in->op == OP_MOV)
    if (is_word(w, "v2") || is_word(w, "v4") || is_word(w, "v8")) return true;
  for (size_t i = 0; i < sizeof exotic / sizeof *exotic; i++)
    if (is_word(w, exotic[i])) return true;
  return false;
}

typedef enum Match { UNKNOWN, TAKEN, SET } Match;

/* Gives the word to the first category that the row allows and that is still free. */
static Match set_modifier(Inst *in, uint64_t allowed, const Token *w) {
  Match result = UNKNOWN;
  for (size_t i = 0; i < sizeof mod_rows / sizeof *mod_rows; i++) {
    const ModRow *m = &mod_rows[i];
    if (!(allowed >> m->cat & 1) || !is_word(w, m->text)) continue;
    result = TAKEN;
    if (in->mod[m->cat] != MOD_NONE) continue;
    in->mod[m->cat] = (uint8_t)m->value;
    return SET;
  }
  return result;
}

static bool is_hint(const Inst *in, const Token *w) { /* .L1::no_allocate, .L2::128B, ... */
  bool cached = op_info(in->op)->mods & (1ull << MC_CACHE | 1ull << MC_LEVEL) ||
                in->op == OP_ATOM || in->op == OP_RED;
  return cached && w->length > 4 && w->text[0] == 'L' && w->text[2] == ':';
}

static bool set_type(Inst *in, PtxType t) {
  uint8_t *slots[] = {&in->type, &in->type2, &in->type3, &in->type4};
  for (int i = 0; i < types_wanted(in->op); i++)
    if (*slots[i] == TY_NONE) {
      *slots[i] = (uint8_t)t;
      return true;
    }
  return false;
}

static void check_types(Parser *ps, const Inst *in) {
  const OpInfo *op = op_info(in->op);
  const uint8_t given[] = {in->type, in->type2, in->type3, in->type4};
  int want = in->op == OP_CVT_PACK ? 2 : types_wanted(in->op);
  if (!op->types) return;
  if (in->type == TY_NONE)
    parse_fail(ps, in->where, "'%s' needs a type, for example %s.u32", op->text, op->text);
  if (!(op->types >> in->type & 1))
    parse_fail(ps, in->where, "'%s' has no form for the type .%s", op->text, type_name(in->type));
  if (given[want - 1] == TY_NONE) parse_fail(ps, in->where, "'%s' needs %d types", op->text, want);
}

/* Why a word does not fit the instruction; NULL when it does. */
static const char *misfit(Inst *in, const Token *w) {
  PtxType t = type_of_word(w->text, w->length);
  if (t != TY_NONE && op_info(in->op)->types)
    return set_type(in, t) ? NULL : "'%s' takes no more types: '.%.*s' is one too many";
  Match match = set_modifier(in, op_info(in->op)->mods, w);
  if (match == TAKEN) return "'%s' takes only one modifier of the kind of '.%.*s'";
  if (match == UNKNOWN && !is_hint(in, w)) return "'%s' does not take the modifier '.%.*s'";
  return NULL;
}

/* Sets *policy when the last operand is a cache policy, which has no effect here. */
static void parse_modifiers(Parser *ps, Inst *in, const Token *words, int count, bool *policy) {
  bool vectors = in->op == OP_ATOM || in->op == OP_RED || in->op == OP_MOV;
  for (int i = 0; i < count; i++) {
    const Token *w = &words[i];
    if (is_word(w, "L2::cache_hint")) *policy = true;
    const char *why =
        vectors && w->text[0] == 'v' ? "'%s' takes no vector ('.%.*s')" : misfit(in, w);
    if (!why) continue;
    for (int k = 0; k < count; k++)
      if (is_exotic(in, &words[k])) {
        in->op = OP_NONE;
        return;
      }
    parse_fail(ps, w->where, why, op_info(in->op)->text, (int)w->length, w->text);
  }
  if (in->op == OP_WMMA_MMA && in->type2 && !in->type3) { /* .d.c: A and B are halves */
    in->type4 = in->type2;
    in->type2 = in->type3 = TY_F16;
  }
  check_types(ps, in);
  check_modifiers(ps, in);
}

/* ---- the whole ------------------------------------------------------------------------------- */

void add_instruction(Parser *ps, const Inst *in) {
  Function *fn = ps->fn;
  if (fn->inst_count >= PTX_MAX_INSTS)
    parse_fail(ps, in->where, "a function may have at most %d instructions", PTX_MAX_INSTS);
  ARENA_GROW(ps->arena, fn->insts, fn->inst_count, ps->inst_capacity);
  fn->insts[fn->inst_count++] = *in;
}

/* The operands of an instruction that is not executed: all up to the ';'. */
static void skip_operands(Parser *ps) {
  int depth = 0;
  while (ps->tok.kind != TK_END && !is_punct(ps, ';')) {
    depth += is_punct(ps, '{') - is_punct(ps, '}');
    if (depth < 0) return;
    next_token(ps);
  }
}

static void parse_guard(Parser *ps, Inst *in) {
  if (!accept_punct(ps, '@')) return;
  in->guard_negated = accept_punct(ps, '!');
  Token name = expect_name(ps, "a predicate register");
  Operand p = parse_named(ps, &name, 'p');
  if (p.kind != OPND_REG || ps->fn->regs[p.reg].type != TY_PRED)
    parse_fail(ps, name.where, "'%.*s' is no predicate register", (int)name.length, name.text);
  in->guard = p.reg;
}

static NORETURN void unknown_op(Parser *ps, const Token *name) {
  static const char *const all[] = {
#define X(name, text, sig, types, mods, unit) text,
#include "ptx/ops.def"
#undef X
  };
  char word[64];
  snprintf(word, sizeof word, "%.*s", (int)(name->length < 60 ? name->length : 60), name->text);
  const char *near = nearest_word(word, all, sizeof all / sizeof *all);
  if (near)
    parse_fail(ps, name->where, "there is no instruction '%s'; did you mean '%s'?", word, near);
  parse_fail(ps, name->where, "there is no instruction '%s'", word);
}

static int required(const char *sig) {
  int n = 0;
  for (; *sig && *sig != '?'; sig++) n++;
  return n;
}

/* cp.async with a predicate "ignore the source" is one that reads 0 bytes where it holds. */
static void size_of_predicate(Parser *ps, const Inst *in, Operand *o) {
  uint64_t bytes = in->operand[2].imm;
  int32_t reg = new_register(ps, "(bytes to copy)", TY_B32, in->where);
  Inst pick = {.op = OP_SELP, .type = TY_B32, .guard = -1, .reconverge = -1, .operand_count = 4};
  for (int i = 0; i < 4; i++) pick.operand[i] = operand_of(i == 0 ? OPND_REG : OPND_IMM);
  pick.operand[0].reg = reg;
  pick.operand[1].imm = o->negated ? bytes : 0;
  pick.operand[2].imm = o->negated ? 0 : bytes;
  pick.operand[3] = *o;
  pick.operand[3].negated = false;
  pick.loc = in->loc;
  pick.where = in->where;
  add_instruction(ps, &pick);
  *o = pick.operand[0];
}

static bool is_predicate(const Parser *ps, const Operand *o) {
  return o->kind == OPND_REG && ps->fn->regs[o->reg].type == TY_PRED;
}

static void check_each(Parser *ps, Inst *in, const char *letter, const size_t *where) {
  const OpInfo *op = op_info(in->op);
  bool reduction = op->unit == UNIT_SYNC && strstr(op->text, ".red"); /* see check_bar_red */
  int addresses = 0;
  for (int i = 0; i < in->operand_count; i++) {
    Operand *o = &in->operand[i];
    if (in->op == OP_CP_ASYNC && i == 3 && is_predicate(ps, o))
      size_of_predicate(ps, in, o);
    else if (!reduction || i < 2)
      check_operand(ps, in, letter[i], o, where[i]);
    if (letter[i] == 'm') check_space(ps, in, o, addresses++, where[i]);
  }
}

static void parse_operands(Parser *ps, Inst *in, bool policy) {
  const OpInfo *op = op_info(in->op);
  size_t where[MAX_OPERANDS];
  char letter[MAX_OPERANDS];
  int n = 0;
  if (!is_punct(ps, ';')) {
    const char *s = op->sig;
    do {
      while (*s == '?') s++;
      if ((!*s && !policy) || n == MAX_OPERANDS)
        parse_fail(ps, ps->tok.where, "'%s' takes no more operands", op->text);
      letter[n] = *s ? *s++ : 'x';
      where[n] = ps->tok.where;
      in->operand[n] = parse_value(ps, letter[n], letter_type(in, letter[n]));
      if (letter[n] == 'q' || letter[n] == 'P') parse_second(ps, &in->operand[n]);
      n++;
    } while (accept_punct(ps, ','));
  }
  if (policy && n) n--;
  in->operand_count = (uint8_t)n;
  if (n < required(op->sig))
    parse_fail(ps, ps->tok.where, "'%s' needs %d operands, here are %d", op->text,
               required(op->sig), n);
  check_each(ps, in, letter, where);
}

/* bar.red: the last operand is the predicate, whether there is a count or not. */
static void check_bar_red(Parser *ps, const Inst *in) {
  int n = in->operand_count;
  for (int i = 1; i < n; i++)
    check_operand(ps, in, i == n - 1 ? 'p' : 'u', &in->operand[i], in->where);
}

static void check_extra(Parser *ps, const Inst *in) {
  const Operand *o = in->operand;
  if (op_is_barrier_red(in->op)) check_bar_red(ps, in);
  if (in->op == OP_LD || in->op == OP_ST || in->op == OP_LDU) {
    const Operand *data = in->op == OP_ST ? &o[1] : &o[0];
    int want = in->mod[MC_VEC] == MOD_VEC_V2   ? 2
               : in->mod[MC_VEC] == MOD_VEC_V4 ? 4
               : in->mod[MC_VEC] == MOD_VEC_V8 ? 8
                                               : 1;
    int have = data->kind == OPND_VEC ? data->count : 1;
    if (want != have)
      parse_fail(ps, in->where, "'%s' moves %d elements, but %d registers are given",
                 op_info(in->op)->text, want, have);
  }
  if (in->op == OP_MOV && (o[0].kind == OPND_VEC || o[1].kind == OPND_VEC)) {
    const Operand *vec = o[0].kind == OPND_VEC ? &o[0] : &o[1];
    int bits = type_bits(in->type);
    if (o[0].kind == o[1].kind || in->type == TY_PRED || !vec->count || bits % vec->count ||
        bits / vec->count < 8)
      parse_fail(ps, in->where, "a mov with {..} splits or joins one register");
    for (int i = 0; i < vec->count; i++)
      if (vec->vec[i].kind == OPND_REG &&
          type_bits(ps->fn->regs[vec->vec[i].reg].type) != bits / vec->count)
        parse_fail(ps, in->where, "the registers in {..} must have %d bits each",
                   bits / vec->count);
  }
  if (in->op == OP_ATOM && in->mod[MC_ATOM] == MOD_NONE)
    parse_fail(ps, in->where, "'atom' needs an operation, for example atom.global.add.u32");
  if (in->op == OP_ATOM && inst_is(in, MC_ATOM, MOD_ATOM_CAS) && in->operand_count < 4)
    parse_fail(ps, in->where, "'atom.cas' needs a value to compare with and a value to store");
  if (in->op == OP_ATOM && in->operand_count < 3) parse_fail(ps, in->where, "'atom' needs a value");
  if ((in->op == OP_SHFL && in->mod[MC_SHFL] == MOD_NONE) ||
      ((in->op == OP_VOTE || in->op == OP_MATCH) && in->mod[MC_VOTE] == MOD_NONE) ||
      ((in->op == OP_SETP || in->op == OP_SET) && in->mod[MC_CMP] == MOD_NONE) ||
      ((in->op == OP_REDUX || in->op == OP_RED) && in->mod[MC_ATOM] == MOD_NONE) ||
      (in->op == OP_TESTP && in->mod[MC_TESTP] == MOD_NONE))
    parse_fail(ps, in->where, "'%s' needs to be told which kind, as in %s", op_info(in->op)->text,
               in->op == OP_SHFL ? "shfl.sync.idx.b32" : "setp.lt.s32, vote.sync.any.pred");
  if (inst_has(in, MC_SYNC) && (in->op == OP_SHFL || in->op == OP_VOTE)) {
    int need = in->op == OP_SHFL ? 5 : 3;
    if (in->operand_count < need)
      parse_fail(ps, in->where, "'%s.sync' needs a mask as its last operand",
                 op_info(in->op)->text);
  }
}

/* A table may be used many times; together the edges must stay few enough to analyse. */
static void count_targets(Parser *ps, const Inst *in) {
  ps->branch_targets += in->operand[1].list->count;
  if (ps->branch_targets > PTX_MAX_INSTS)
    parse_fail(ps, in->where, "the brx.idx of a function may have at most %d targets",
               PTX_MAX_INSTS);
}

void parse_instruction(Parser *ps) {
  Inst in = {.guard = -1, .reconverge = -1, .loc = ps->loc};
  parse_guard(ps, &in);
  Token name = expect_name(ps, "an instruction");
  Token words[MAX_WORDS];
  int count = 0, used;
  bool policy = false;
  Operand results = operand_of(OPND_NONE);
  while (ps->tok.kind == TK_DOT) {
    if (count == MAX_WORDS) parse_fail(ps, ps->tok.where, "too many modifiers");
    words[count++] = ps->tok;
    next_token(ps);
    skip_bank(ps, is_word(&words[count - 1], "const"));
  }
  in.where = name.where;
  in.op = (uint16_t)match_op(ps, &name, words, count, &used);
  if (in.op == OP_NONE) unknown_op(ps, &name);
  if (op_is_supported(in.op)) parse_modifiers(ps, &in, words + used, count - used, &policy);
  if (!op_is_supported(in.op)) {
    skip_operands(ps);
  } else {
    if (in.op == OP_CALL)
      parse_call(ps, &in, &results);
    else
      parse_operands(ps, &in, policy);
    check_extra(ps, &in);
    check_whole(ps, &in);
  }
  expect_punct(ps, ';', "the instruction");
  if (in.op == OP_RET) emit_register_results(ps, &in);
  if (in.operand[1].kind == OPND_LABELS) count_targets(ps, &in);
  add_instruction(ps, &in);
  if (in.op == OP_CALL) load_results(ps, &in, &results);
}
