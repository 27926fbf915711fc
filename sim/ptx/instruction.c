/* ptx/instruction.c - one instruction: guard, mnemonic, modifiers, operands. ops.def decides. */
#include <stdio.h>
#include <string.h>

#include "ptx/parser.h"

enum { MAX_WORDS = 24, MAX_VEC = 32 };

/* ---- mnemonic and modifiers --------------------------------------------------------------------
 */

static PtxOp find_op(const Parser *ps, const char *text, size_t length) {
  uint32_t h = name_hash(text, length);
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
static const char *const exotic[] = {
    "u16x2",           "s16x2",
    "s8x4",            "u8x4",
    "e2m1",            "e2m3",
    "e3m2",            "ue8m0",
    "ue4m3",           "e2m1x2",
    "e2m3x2",          "e3m2x2",
    "ue8m0x2",         "s2f6x2",
    "e4m3x4",          "e5m2x4",
    "e2m1x4",          "e2m3x4",
    "e3m2x4",          "b6x16_p32",
    "b4x16_p64",       "b8x16",
    "m8n16",           "m16n16",
    "oob",             "block_scale",
    "scale_vec::1X",   "scale_vec::2X",
    "scale_vec::4X",   "kind::mxf8f6f4",
    "kind::mxf4",      "kind::mxf4nvf4",
    "kind::f8f6f4",    "sp::ordered_metadata",
    "scaled::n2::ue8m0", "sync_restrict::shared::cluster",
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
  if (given[want - 1] == TY_NONE)
    parse_fail(ps, in->where, "'%s' needs %d types", op->text, want);
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
    const char *why = vectors && w->text[0] == 'v' ? "'%s' takes no vector ('.%.*s')" : misfit(in, w);
    if (!why) continue;
    for (int k = 0; k < count; k++)
      if (is_exotic(in, &words[k])) {
        in->op = OP_NONE;
        return;
      }
    parse_fail(ps, w->where, why, op_info(in->op)->text, (int)w->length, w->text);
  }
  check_types(ps, in);
  check_modifiers(ps, in);
}

/* ---- operands ----------------------------------------------------------------------------------
 */

static SpecialReg find_special(Parser *ps, const Token *name) {
  char full[64];
  size_t n = name->length;
  if (n >= sizeof full - 3) return SR_NONE;
  memcpy(full, name->text, n);
  full[n] = '\0';
  if (ps->tok.kind == TK_DOT && ps->tok.length == 1 && strchr("xyz", ps->tok.text[0])) {
    full[n] = '.';
    full[n + 1] = ps->tok.text[0];
    full[n + 2] = '\0';
  }
  for (int i = SR_NONE + 1; i < SR_COUNT; i++)
    if (strcmp(special_reg_name((SpecialReg)i), full) == 0) {
      if (strchr(full, '.')) next_token(ps);
      return (SpecialReg)i;
    }
  if (strcmp(full, "%aggr_smem_size") == 0) return SR_TOTAL_SMEM_SIZE;
  if (strncmp(full, "%envreg", 7) == 0) return SR_ENVREG;
  if (strncmp(full, "%pm", 3) == 0) return SR_PM;
  return SR_NONE;
}

static void add_instruction(Parser *ps, const Inst *in) {
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

/* Special registers that are always 0: the fourth component of a vector, reserved memory. */
static bool reads_zero(Parser *ps, const Token *name) {
  static const char *const vectors[] = {"%tid", "%ntid", "%ctaid", "%nctaid", "%clusterid",
                                        "%nclusterid", "%cluster_ctaid", "%cluster_nctaid"};
  static const char reserved[] = "%reserved_smem_offset_";
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
    if (is_word(name, vectors[i])) return accept_dot(ps, "w");
  return is_word(name, "%current_graph_exec") ||
         (name->length > sizeof reserved - 1 && memcmp(name->text, reserved, sizeof reserved - 1) == 0);
}

static Operand operand_of(OperandKind kind) {
  return (Operand){.kind = (uint8_t)kind, .reg = -1, .reg2 = -1};
}

static int32_t component(Parser *ps, const Symbol *s, const Token *name) {
  if (s->kind == SY_REG) return s->reg;
  if (ps->tok.kind == TK_DOT && ps->tok.length == 1) {
    const char *at = strchr("xyzwrgba", ps->tok.text[0]);
    if (at && (at - "xyzwrgba") % 4 < s->count) {
      int32_t reg = s->reg + (int32_t)((at - "xyzwrgba") % 4);
      next_token(ps);
      return reg;
    }
  }
  parse_fail(ps, name->where, "'%.*s' is a vector of %d registers: name one, as in %.*s.x",
             (int)name->length, name->text, s->count, (int)name->length, name->text);
}

static int64_t parse_offset(Parser *ps) {
  int64_t off = 0;
  while (is_punct(ps, '+') || is_punct(ps, '-')) {
    bool minus = is_punct(ps, '-');
    next_token(ps);
    bool again = minus ? false : accept_punct(ps, '-'); /* [a+-4] */
    if (ps->tok.kind != TK_INT) parse_fail(ps, ps->tok.where, "a number is expected here");
    int64_t v = (int64_t)ps->tok.integer;
    off = (int64_t)((uint64_t)off + (uint64_t)(minus || again ? (int64_t)(0 - (uint64_t)v) : v));
    next_token(ps);
  }
  return off;
}

static void fix_label(Parser *ps, const Token *name, int32_t inst) {
  Fixup *f = ARENA_NEW(ps->arena, Fixup);
  *f = (Fixup){NULL, inst, name->text, name->length, name->where, ps->fixups[ps->depth]};
  ps->fixups[ps->depth] = f;
}

/* %v of `.reg .v4 .f32 %v` stands for {%v.x, %v.y, %v.z, %v.w}. */
static Operand whole_vector(Parser *ps, const Symbol *s) {
  Operand o = operand_of(OPND_VEC);
  o.count = (uint8_t)s->count;
  o.vec = ARENA_ARRAY(ps->arena, Operand, s->count);
  for (int i = 0; i < s->count; i++) {
    o.vec[i] = operand_of(OPND_REG);
    o.vec[i].reg = s->reg + i;
  }
  return o;
}

static Operand parse_named(Parser *ps, const Token *name, char letter) {
  Symbol *s = find_symbol(ps, name->text, name->length);
  Operand o;
  if (letter == 'l') {
    o = operand_of(OPND_LABEL);
    fix_label(ps, name, (int32_t)ps->fn->inst_count);
    return o;
  }
  if (!s) {
    SpecialReg r = find_special(ps, name);
    if (r != SR_NONE) {
      o = operand_of(OPND_SREG);
      o.sreg = r;
      return o;
    }
    if (is_word(name, "WARP_SZ") || reads_zero(ps, name)) {
      o = operand_of(OPND_IMM);
      o.imm = is_word(name, "WARP_SZ") ? 32 : 0;
      return o;
    }
    if (is_word(name, "_")) return operand_of(OPND_SINK);
    parse_fail(ps, name->where,
               "'%.*s' is not declared: no register, variable or function has this name",
               (int)name->length, name->text);
  }
  switch (s->kind) {
  case SY_VECREG:
    if (strchr("VvXx", letter) && ps->tok.kind != TK_DOT) return whole_vector(ps, s);
    o = operand_of(OPND_REG);
    o.reg = component(ps, s, name);
    return o;
  case SY_REG:
    o = operand_of(OPND_REG);
    o.reg = component(ps, s, name);
    return o;
  case SY_VAR:
    o = operand_of(OPND_SYM);
    o.var = s->var;
    o.off = parse_offset(ps);
    return o;
  case SY_FUNC:
    o = operand_of(OPND_SYM);
    o.var = NULL;
    o.func = s->func;
    return o;
  case SY_LABELS:
    o = operand_of(OPND_LABELS);
    o.list = s->labels;
    return o;
  default:
    parse_fail(ps, name->where, "'%.*s' is a label, and no operand of this instruction",
               (int)name->length, name->text);
  }
}

static Operand parse_value(Parser *ps, char letter, PtxType t);

static Operand parse_vector(Parser *ps, char letter, PtxType t) {
  Operand items[MAX_VEC];
  int n = 0;
  Operand o = operand_of(OPND_VEC);
  do {
    if (n == MAX_VEC) parse_fail(ps, ps->tok.where, "too many elements in {..}");
    items[n++] = parse_value(ps, letter, t);
  } while (accept_punct(ps, ','));
  expect_punct(ps, '}', "the elements");
  o.count = (uint8_t)n;
  o.vec = ARENA_ARRAY(ps->arena, Operand, n);
  memcpy(o.vec, items, (size_t)n * sizeof *items);
  return o;
}

static Operand parse_address(Parser *ps) {
  Operand o = operand_of(OPND_ADDR);
  o.var = NULL;
  if (ps->tok.kind == TK_NAME) {
    Token name = ps->tok;
    next_token(ps);
    Operand base = parse_named(ps, &name, 'm');
    if (base.kind == OPND_REG) {
      o.reg = base.reg;
      o.off = parse_offset(ps);
    } else if (base.kind == OPND_SYM && base.var) {
      o.var = base.var;
      o.off = base.off;
    } else {
      parse_fail(ps, name.where, "'%.*s' is no register and no variable, so it is no address",
                 (int)name.length, name.text);
    }
  } else {
    ConstValue c = parse_constant(ps);
    o.off = (int64_t)c.i;
  }
  expect_punct(ps, ']', "the address");
  return o;
}

static Operand immediate(Parser *ps, PtxType t) {
  size_t where = ps->tok.where;
  ConstValue c = parse_constant(ps);
  Operand o = operand_of(OPND_IMM);
  if (c.var || c.func) parse_fail(ps, where, "a variable stands alone or with an offset: x+4");
  o.imm = constant_bits(ps, &c, t, where);
  if (t == TY_PRED) o.imm = o.imm != 0;
  return o;
}

static Operand parse_value(Parser *ps, char letter, PtxType t) {
  Token first = ps->tok;
  if (accept_punct(ps, '{')) return parse_vector(ps, letter, t);
  if (accept_punct(ps, '[')) return parse_address(ps);
  const char *at = ps->at;
  if (accept_punct(ps, '!')) {
    if (ps->tok.kind != TK_NAME) {
      ps->at = at;
      ps->tok = first;
      return immediate(ps, t);
    }
    Token name = expect_name(ps, "a predicate");
    Operand o = parse_named(ps, &name, letter);
    o.negated = true;
    return o;
  }
  if (first.kind == TK_NAME) {
    next_token(ps);
    return parse_named(ps, &first, letter);
  }
  bool fraction = first.kind == TK_DOT && first.text[0] >= '0' && first.text[0] <= '9';
  if (first.kind == TK_INT || first.kind == TK_FLOAT || is_punct(ps, '-') || is_punct(ps, '~') ||
      is_punct(ps, '+') || is_punct(ps, '(') || fraction)
    return immediate(ps, t);
  if (first.kind == TK_END)
    parse_fail(ps, first.where, "the text ends inside an instruction: is the file cut off?");
  parse_fail(ps, first.where, "an operand is expected here");
}

/* d|p : the predicate that comes with a result. */
static void parse_second(Parser *ps, Operand *o) {
  if (!accept_punct(ps, '|')) return;
  Token name = expect_name(ps, "a predicate register");
  if (is_word(&name, "_")) return;
  Operand q = parse_named(ps, &name, 'P');
  if (q.kind != OPND_REG || ps->fn->regs[q.reg].type != TY_PRED)
    parse_fail(ps, name.where, "'%.*s' is no predicate register", (int)name.length, name.text);
  o->reg2 = q.reg;
}

/* ---- does an operand fit its letter? -----------------------------------------------------------
 */

static PtxType letter_type(const Inst *in, char letter) {
  bool wide = inst_is(in, MC_HALF, MOD_HALF_WIDE);
  PtxType t = in->type;
  if ((letter == 'd' || letter == 'w') && wide)
    t = t == TY_U16   ? TY_U32
        : t == TY_S16 ? TY_S32
        : t == TY_U32 ? TY_U64
        : t == TY_S32 ? TY_S64
                      : t;
  if ((in->op == OP_MATCH && letter == 'q') || in->op == OP_MOVMATRIX) return TY_B32;
  if (inst_has(in, MC_PARITY) && letter == 'a') return TY_U32;
  switch (letter) {
  case 'b': return in->type2 ? in->type2 : in->type;
  case 'u':
  case 'e':
  case 'i': return TY_U32;
  case 'p':
  case 'P': return TY_PRED;
  default: return t ? t : TY_U32;
  }
}

static void check_register(Parser *ps, const Inst *in, char letter, int32_t reg, PtxType want,
                           size_t where) {
  PtxType have = ps->fn->regs[reg].type;
  bool pred = want == TY_PRED;
  if (pred != (have == TY_PRED))
    parse_fail(ps, where, "'%s' takes %s here, and '%s' is %s", op_info(in->op)->text,
               pred ? "a predicate" : "a value", ps->fn->regs[reg].name,
               pred ? "none" : "a predicate");
  bool wider = in->op == OP_CVT || letter == 'V' || letter == 'v';
  if (strchr("deqawbuVvX", letter) && !type_fits(want, have, wider))
    parse_fail(ps, where, "'%s' of .%s cannot use '%s', a register of .%s", op_info(in->op)->text,
               type_name(want), ps->fn->regs[reg].name, type_name(have));
}

static bool is_destination(char letter) { return strchr("deqPVX", letter) != NULL; }

/* %tid.x goes to 16 and 32 bits, %clock64 to 64; %gridid was once narrower. */
static bool size_fits(SpecialReg r, PtxType want) {
  int have = type_bits(special_reg_type(r)), bits = type_bits(want);
  return have == bits || r == SR_ENVREG || r == SR_PM || (bits < have && (have == 32 || r == SR_GRIDID));
}

static void check_operand(Parser *ps, const Inst *in, char letter, const Operand *o, size_t where) {
  const char *name = op_info(in->op)->text;
  PtxType want = letter_type(in, letter);
  if (letter == 'm' && o->kind != OPND_ADDR)
    parse_fail(ps, where, "'%s' takes an address here, in [ ]", name);
  if (letter != 'm' && o->kind == OPND_ADDR)
    parse_fail(ps, where, "'%s' takes no address here", name);
  if (letter == 'l' && o->kind != OPND_LABEL)
    parse_fail(ps, where, "'%s' takes a label here", name);
  if (letter == 'L' && o->kind != OPND_LABELS)
    parse_fail(ps, where, "'%s' takes the name of a .branchtargets list here", name);
  if (letter == 'i' && o->kind != OPND_IMM) parse_fail(ps, where, "'%s' takes a number here", name);
  if (is_destination(letter) && o->kind != OPND_REG && o->kind != OPND_SINK && o->kind != OPND_VEC)
    parse_fail(ps, where, "'%s' writes here, so a register is expected", name);
  if (o->kind == OPND_VEC && !strchr("VvXxr", letter))
    parse_fail(ps, where, "'%s' takes no {..} here", name);
  if (strchr("apbuw", letter) && o->kind == OPND_SINK)
    parse_fail(ps, where, "'_' can only be written");
  if (o->kind == OPND_REG && !strchr("rxL", letter))
    check_register(ps, in, letter, o->reg, want, where);
  if (o->kind == OPND_REG && letter == 'x' && in->op != OP_ISSPACEP)
    check_register(ps, in, in->op == OP_MOV ? 'a' : letter, o->reg, want, where);
  if (o->kind == OPND_SREG && !(in->op == OP_MOV || in->op == OP_CVT))
    parse_fail(ps, where, "a special register is read by mov: move it to a register first");
  PtxType sreg = o->kind == OPND_SREG ? special_reg_type(o->sreg) : TY_NONE;
  if (o->kind == OPND_SREG &&
      (type_class(want) == TC_F || (in->op == OP_MOV && !size_fits(o->sreg, want))))
    parse_fail(ps, where, "'%s' is a .%s, which a mov of .%s cannot take",
               special_reg_name(o->sreg), type_name(sreg), type_name(want));
  if (o->kind == OPND_SYM && letter != 'x')
    parse_fail(ps, where, "'%s' takes no variable here: move its address to a register with mov",
               name);
  if (o->kind == OPND_ADDR && o->reg >= 0) {
    PtxType base = ps->fn->regs[o->reg].type;
    int width = type_lane_bytes(base);
    if ((width != 4 && width != 8) || type_class(base) == TC_F)
      parse_fail(ps, where, "an address is in a register of 32 or 64 bits; '%s' is not one",
                 ps->fn->regs[o->reg].name);
  }
  for (int i = 0; o->kind == OPND_VEC && i < o->count; i++) {
    const Operand *e = &o->vec[i];
    if (e->kind == OPND_REG && (letter == 'V' || letter == 'v'))
      check_register(ps, in, letter, e->reg, want, where);
    if (e->kind == OPND_REG && ps->fn->regs[e->reg].type == TY_PRED)
      parse_fail(ps, where, "'%s' takes values in {..}, and '%s' is a predicate", name,
                 ps->fn->regs[e->reg].name);
    bool written = letter == 'V' || (letter == 'X');
    if (e->kind != OPND_REG && e->kind != OPND_SINK && (written || e->kind != OPND_IMM))
      parse_fail(ps, where, "'%s' takes registers in {..}", name);
    if (!written && e->kind == OPND_SINK && letter != 'r')
      parse_fail(ps, where, "'_' can only be written");
  }
}

/* ---- calls -------------------------------------------------------------------------------------
 */

/* Arguments and results may be registers or numbers, too. They travel through staging variables of
 * the function: st.param before the call, ld.param behind it, under the call's own guard. */
static Var *staging_slot(Parser *ps, PtxType type, size_t where) {
  Var *v = ARENA_NEW(ps->arena, Var);
  uint32_t bytes = (uint32_t)type_bytes(type);
  *v = (Var){.name = "(argument)",
             .space = SP_PARAM,
             .type = type,
             .size = bytes,
             .align = bytes,
             .owner = ps->fn,
             .where = where};
  place_in_frame(ps, v);
  *ps->last_fn_var = v;
  ps->last_fn_var = &v->next;
  return v;
}

static void move_slot(Parser *ps, const Inst *call, PtxOp op, const Operand *value, Var *slot) {
  bool load = op == OP_LD;
  Inst move = {.op = (uint16_t)op,
               .type = (uint8_t)slot->type,
               .guard = call->guard,
               .guard_negated = call->guard_negated,
               .operand_count = 2,
               .loc = call->loc,
               .where = call->where,
               .reconverge = -1};
  move.mod[MC_SPACE] = MOD_SPACE_PARAM;
  move.operand[load ? 0 : 1] = *value;
  move.operand[load ? 1 : 0] = operand_of(OPND_ADDR);
  move.operand[load ? 1 : 0].var = slot;
  add_instruction(ps, &move);
}

typedef struct Formals { /* of the function called: its parameters, or its results */
  Var *const *vars;
  size_t count;
} Formals;

static NORETURN void fail_argument(Parser *ps, const Var *formal, size_t where) {
  parse_fail(ps, where, "this does not fit the .%s that the function is declared with",
             type_name(formal->type));
}

/* Makes every item a .param variable. Results are loaded into registers by load_results. */
static void stage(Parser *ps, const Inst *call, Operand *list, const Formals *formals, bool result,
                  const size_t *where) {
  for (int i = 0; i < list->count; i++) {
    Operand *o = &list->vec[i], slot = operand_of(OPND_SYM);
    const Var *formal = (size_t)i < formals->count ? formals->vars[i] : NULL;
    if (o->kind == OPND_SYM && o->var && o->var->space == SP_PARAM) {
      if (formal && formal->size && formal->size != o->var->size) fail_argument(ps, formal, where[i]);
      continue;
    }
    bool fits = o->kind == OPND_REG || o->kind == (result ? OPND_SINK : OPND_IMM);
    if (!fits || !formal)
      parse_fail(ps, where[i], "an argument of a call is a .param variable, a register or a number");
    if (o->kind == OPND_REG && !type_fits(formal->type, ps->fn->regs[o->reg].type, true))
      fail_argument(ps, formal, where[i]);
    slot.var = staging_slot(ps, formal->type, where[i]);
    if (!result) move_slot(ps, call, OP_ST, o, slot.var);
    *o = slot;
  }
}

/* (a, b): already behind the '('. */
static Operand parse_list(Parser *ps, const Formals *formals, size_t where[255]) {
  Operand items[255], o = operand_of(OPND_VEC);
  int n = 0;
  while (!accept_punct(ps, ')')) {
    if (n == 255) parse_fail(ps, ps->tok.where, "a call may have at most 255 arguments");
    bool known = (size_t)n < formals->count;
    where[n] = ps->tok.where;
    items[n] = parse_value(ps, 'x', known ? formals->vars[n]->type : TY_B64);
    n++;
    if (!accept_punct(ps, ',') && !is_punct(ps, ')'))
      parse_fail(ps, ps->tok.where, "a ',' or ')' is expected in the arguments");
  }
  o.count = (uint8_t)n;
  o.vec = ARENA_ARRAY(ps->arena, Operand, n + 1);
  if (n) memcpy(o.vec, items, (size_t)n * sizeof *items);
  return o;
}

static Operand parse_callee(Parser *ps) {
  Token name = expect_name(ps, "a function");
  Operand f = parse_named(ps, &name, 'x');
  if (f.kind == OPND_SYM && f.func) f.kind = OPND_FUNC;
  if (f.kind != OPND_FUNC && f.kind != OPND_REG)
    parse_fail(ps, name.where, "'%.*s' is no function", (int)name.length, name.text);
  if (f.kind == OPND_FUNC && f.func->is_entry)
    parse_fail(ps, name.where, "'%s' is a kernel, which cannot be called", f.func->name);
  if (f.kind == OPND_REG && type_lane_bytes(ps->fn->regs[f.reg].type) < 4)
    parse_fail(ps, name.where, "a function's address is in a register of 32 or 64 bits");
  return f;
}

static const CallProto *parse_proto(Parser *ps) {
  Token name = expect_name(ps, "a prototype");
  Symbol *s = find_symbol(ps, name.text, name.length);
  if (!s || s->kind != SY_PROTO)
    parse_fail(ps, name.where, "'%.*s' is no .callprototype and no .calltargets",
               (int)name.length, name.text);
  return s->proto;
}

/* What the text says of the function called: its declaration, or the prototype of a pointer. */
static void find_formals(const Inst *in, Formals *results, Formals *params) {
  const Function *f = in->operand[1].func;
  const CallProto *proto = in->operand[3].kind == OPND_PROTO ? in->operand[3].proto : NULL;
  if (!f && proto && proto->target_count) f = proto->targets[0];
  if (f) {
    *results = (Formals){f->results, f->result_count};
    *params = (Formals){f->params, f->param_count};
  } else if (proto) {
    *results = (Formals){&proto->result, proto->result != NULL};
    *params = (Formals){proto->params, proto->param_count};
  }
}

static void check_count(Parser *ps, const Inst *in, const Operand *o, const Formals *formals,
                        const char *what) {
  size_t have = o->kind == OPND_VEC ? o->count : 0, want = formals->count;
  bool open = want && formals->vars[want - 1]->size == 0; /* the rest is one array of any size */
  if (have != want && !(open && have + 1 == want))
    parse_fail(ps, in->where, "the function has %zu %s, here are %zu", want, what, have);
}

/* Reads ahead to the prototype at the call's end: the arguments are read by its types. */
static const CallProto *peek_proto(Parser *ps) {
  const CallProto *proto = NULL;
  const char *at = ps->at;
  Token tok = ps->tok;
  while (ps->tok.kind != TK_END && !is_punct(ps, ';')) {
    bool comma = accept_punct(ps, ',');
    if (comma && ps->tok.kind == TK_NAME) {
      Symbol *s = find_symbol(ps, ps->tok.text, ps->tok.length);
      if (s && s->kind == SY_PROTO) proto = s->proto;
    }
    if (!comma) next_token(ps);
  }
  ps->at = at;
  ps->tok = tok;
  return proto;
}

/* The callee behind the results: `call (r), f, ...` */
static void peek_callee(Parser *ps, Inst *in) {
  const char *at = ps->at;
  Token tok = ps->tok;
  if (is_punct(ps, '(')) {
    while (ps->tok.kind != TK_END && !is_punct(ps, ')')) next_token(ps);
    accept_punct(ps, ')');
    accept_punct(ps, ',');
  }
  if (ps->tok.kind == TK_NAME) in->operand[1] = parse_callee(ps);
  if (in->operand[1].kind == OPND_REG) {
    const CallProto *proto = peek_proto(ps);
    if (!proto)
      parse_fail(ps, in->where, "a call through a register ends with the name of a .callprototype "
                                "or .calltargets");
    in->operand[3] = operand_of(OPND_PROTO);
    in->operand[3].proto = proto;
  }
  ps->at = at;
  ps->tok = tok;
}

/* Reads a call and adds the stores before it; its results are loaded by load_results. */
static void parse_call(Parser *ps, Inst *in, Operand *results) {
  size_t result_where[255], where[255];
  Formals wanted = {0}, params = {0};
  for (int i = 0; i < 4; i++) in->operand[i] = operand_of(OPND_NONE);
  in->operand_count = 4;
  peek_callee(ps, in);
  find_formals(in, &wanted, &params);
  if (accept_punct(ps, '(')) {
    in->operand[0] = parse_list(ps, &wanted, result_where);
    expect_punct(ps, ',', "the result");
  }
  parse_callee(ps);
  while (accept_punct(ps, ',')) {
    if (accept_punct(ps, '(') && in->operand[2].kind == OPND_NONE)
      in->operand[2] = parse_list(ps, &params, where);
    else
      parse_proto(ps);
  }
  check_count(ps, in, &in->operand[0], &wanted, "results");
  check_count(ps, in, &in->operand[2], &params, "parameters");
  *results = operand_of(OPND_NONE);
  if (in->operand[2].kind == OPND_VEC) stage(ps, in, &in->operand[2], &params, false, where);
  if (in->operand[0].kind != OPND_VEC) return;
  *results = in->operand[0];
  results->vec = ARENA_ARRAY(ps->arena, Operand, results->count + 1);
  memcpy(results->vec, in->operand[0].vec, results->count * sizeof *results->vec);
  stage(ps, in, &in->operand[0], &wanted, true, result_where);
}

static void load_results(Parser *ps, const Inst *call, const Operand *results) {
  for (int i = 0; results->kind == OPND_VEC && i < results->count; i++)
    if (results->vec[i].kind == OPND_REG)
      move_slot(ps, call, OP_LD, &results->vec[i], call->operand[0].vec[i].var);
}

/* ---- the whole ---------------------------------------------------------------------------------
 */

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
  Function *fn = ps->fn;
  uint64_t bytes = in->operand[2].imm;
  if (fn->reg_count >= PTX_MAX_REGS)
    parse_fail(ps, in->where, "a function may have at most %d registers", PTX_MAX_REGS);
  ARENA_GROW(ps->arena, fn->regs, fn->reg_count, ps->reg_capacity);
  fn->regs[fn->reg_count] = (Reg){"(bytes to copy)", TY_B32};
  Inst pick = {.op = OP_SELP, .type = TY_B32, .guard = -1, .reconverge = -1, .operand_count = 4};
  for (int i = 0; i < 4; i++) pick.operand[i] = operand_of(i == 0 ? OPND_REG : OPND_IMM);
  pick.operand[0].reg = (int32_t)fn->reg_count++;
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
  if (in->op == OP_BAR_RED || in->op == OP_BAR_CTA_RED || in->op == OP_BARRIER_RED ||
      in->op == OP_BARRIER_CTA_RED)
    check_bar_red(ps, in);
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
        parse_fail(ps, in->where, "the registers in {..} must have %d bits each", bits / vec->count);
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
  add_instruction(ps, &in);
  if (in.op == OP_CALL) load_results(ps, &in, &results);
}
