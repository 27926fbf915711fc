/* ptx/operand.c - operands: read, and checked against the letter of the signature in ops.def. */
#include <string.h>

#include "ptx/parser.h"

enum { MAX_VEC = 32 };

/* ---- operands -------------------------------------------------------------------------------- */

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

/* Special registers that are always 0: the fourth component of a vector, reserved memory. */
static bool reads_zero(Parser *ps, const Token *name) {
  static const char *const vectors[] = {"%tid",           "%ntid",          "%ctaid",
                                        "%nctaid",        "%clusterid",     "%nclusterid",
                                        "%cluster_ctaid", "%cluster_nctaid"};
  static const char reserved[] = "%reserved_smem_offset_";
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
    if (is_word(name, vectors[i])) return accept_dot(ps, "w");
  return is_word(name, "%current_graph_exec") ||
         (name->length > sizeof reserved - 1 &&
          memcmp(name->text, reserved, sizeof reserved - 1) == 0);
}

Operand operand_of(OperandKind kind) {
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

/* +4, -4, +-4, +(2*4): a constant expression behind a symbol or register. */
static int64_t parse_offset(Parser *ps) {
  if (!is_punct(ps, '+') && !is_punct(ps, '-')) return 0;
  size_t where = ps->tok.where;
  ConstValue c = parse_constant(ps);
  if (c.is_float || c.var || c.func) parse_fail(ps, where, "an offset is a number of bytes");
  return (int64_t)c.i;
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

Operand parse_named(Parser *ps, const Token *name, char letter) {
  Symbol *s = find_symbol(ps, name->text, name->length);
  Operand o;
  if (letter == 'l') {
    o = operand_of(OPND_LABEL);
    add_fixup(ps, name, NULL, (int32_t)ps->fn->inst_count);
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
    fail_undeclared(ps, name, "no register, variable or function");
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

Operand parse_value(Parser *ps, char letter, PtxType t) {
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
void parse_second(Parser *ps, Operand *o) {
  if (!accept_punct(ps, '|')) return;
  Token name = expect_name(ps, "a predicate register");
  if (is_word(&name, "_")) return;
  Operand q = parse_named(ps, &name, 'P');
  if (q.kind != OPND_REG || ps->fn->regs[q.reg].type != TY_PRED)
    parse_fail(ps, name.where, "'%.*s' is no predicate register", (int)name.length, name.text);
  o->reg2 = q.reg;
}

/* ---- does an operand fit its letter? --------------------------------------------------------- */

PtxType letter_type(const Inst *in, char letter) {
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
  if (op_is_wmma((PtxOp)in->op) && strchr("Vv", letter))
    return type_bits(t) == 64 ? TY_B64 : TY_B32; /* whatever is packed into it */
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
  return have == bits || r == SR_ENVREG || r == SR_PM ||
         (bits < have && (have == 32 || r == SR_GRIDID));
}

void check_operand(Parser *ps, const Inst *in, char letter, const Operand *o, size_t where) {
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
