/* ptx/expr.c - constant expressions, as initial values and array sizes have them. */
#include <string.h>

#include "ptx/parser.h"

typedef struct Level { /* how deep parentheses and operators are nested */
  int depth;
} Level;

static ConstValue parse_ternary(Parser *ps, Level *lv);
static ConstValue parse_primary(Parser *ps, Level *lv);
static ConstValue parse_operand_of(Parser *ps, Level *lv);

static void deeper(Parser *ps, Level *lv) {
  if (++lv->depth > PTX_MAX_DEPTH * 4)
    parse_fail(ps, ps->tok.where, "this expression is nested too deeply");
}

static ConstValue integer(uint64_t v) { return (ConstValue){.i = v}; }

PtxType type_of_word(const char *text, size_t length) {
  for (int t = TY_NONE + 1; t < TY_COUNT; t++) {
    const char *name = type_name((PtxType)t);
    if (strlen(name) == length && memcmp(name, text, length) == 0) return (PtxType)t;
  }
  return TY_NONE;
}

static ConstValue parse_symbol(Parser *ps, Level *lv) {
  Token name = ps->tok;
  next_token(ps);
  if (is_word(&name, "generic") && accept_punct(ps, '(')) {
    ConstValue inner = parse_ternary(ps, lv);
    expect_punct(ps, ')', "generic(...");
    return inner;
  }
  if (is_word(&name, "WARP_SZ")) return integer(32);
  Symbol *s = find_symbol(ps, name.text, name.length);
  if (s && s->kind == SY_VAR) return (ConstValue){.var = s->var};
  if (s && s->kind == SY_FUNC) return (ConstValue){.func = s->func};
  parse_fail(ps, name.where,
             "'%.*s' is no constant, variable or function declared before this line",
             (int)name.length, name.text);
}

/* 0xff00(symbol): one byte of an address. */
static ConstValue parse_byte_of(Parser *ps, Level *lv, const Token *mask) {
  uint64_t m = mask->integer;
  bool is_byte = m && COUNT_TRAILING_ZEROS64(m) % 8 == 0 && m >> COUNT_TRAILING_ZEROS64(m) == 0xff;
  ConstValue v = parse_operand_of(ps, lv);
  if (!is_byte || (!v.var && !v.func) || v.mask)
    parse_fail(ps, mask->where, "a byte of an address is taken as in 0xff(x), 0xff00(x), ...");
  v.mask = m;
  return v;
}

static ConstValue parse_operand_of(Parser *ps, Level *lv) {
  if (ps->tok.kind == TK_DOT && ps->tok.text[0] >= '0' && ps->tok.text[0] <= '9')
    relex_fraction(ps);
  Token t = ps->tok;
  if (t.kind == TK_INT) {
    next_token(ps);
    return is_punct(ps, '(') ? parse_byte_of(ps, lv, &t) : integer(t.integer);
  }
  if (t.kind == TK_FLOAT) {
    next_token(ps);
    return (ConstValue){
        .is_float = true, .i = t.integer, .d = t.number, .float_bits = t.float_bits};
  }
  if (t.kind == TK_NAME) return parse_symbol(ps, lv);
  if (accept_punct(ps, '(')) {
    if (ps->tok.kind == TK_DOT) { /* a cast: (.s64) changes nothing in 64 bits */
      next_token(ps);
      expect_punct(ps, ')', "the cast");
      return parse_primary(ps, lv);
    }
    ConstValue v = parse_ternary(ps, lv);
    expect_punct(ps, ')', "the expression");
    return v;
  }
  if (t.kind == TK_PUNCT && t.punct && strchr("-+!~", t.punct)) {
    next_token(ps);
    ConstValue v = parse_primary(ps, lv);
    if (v.is_float && t.punct == '-') {
      v.d = -v.d;
      if (v.float_bits) v.i ^= 1ull << (v.float_bits - 1);
    } else if (t.punct == '-') {
      v.i = 0 - v.i;
    } else if (t.punct == '!') {
      v.i = !v.i;
    } else if (t.punct == '~') {
      v.i = ~v.i;
    }
    return v;
  }
  parse_fail(ps, t.where, "a constant is expected here");
}

static ConstValue parse_primary(Parser *ps, Level *lv) {
  deeper(ps, lv);
  ConstValue v = parse_operand_of(ps, lv);
  lv->depth--;
  return v;
}

static const struct {
  char text[3];
  int precedence;
} operators[] = {{"||", 1}, {"&&", 2}, {"|", 3},  {"^", 4},  {"&", 5},  {"==", 6},
                 {"!=", 6}, {"<=", 7}, {">=", 7}, {"<<", 8}, {">>", 8}, {"<", 7},
                 {">", 7},  {"+", 9},  {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10}};

/* The operator at hand, or -1. Its second character follows directly in the text. */
static int operator_here(const Parser *ps) {
  if (ps->tok.kind != TK_PUNCT) return -1;
  for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
    const char *o = operators[i].text;
    if (o[0] != ps->tok.punct) continue;
    if (o[1] && !(ps->at < ps->end && *ps->at == o[1])) continue;
    return (int)i;
  }
  return -1;
}

static uint64_t apply(Parser *ps, const char *o, uint64_t a, uint64_t b, size_t where) {
  int64_t x = (int64_t)a, y = (int64_t)b;
  if ((o[0] == '/' || o[0] == '%') && (y == 0 || (x == INT64_MIN && y == -1)))
    parse_fail(ps, where, "this division has no result");
  switch (o[0]) {
  case '+': return a + b;
  case '-': return a - b;
  case '*': return a * b;
  case '/': return (uint64_t)(x / y);
  case '%': return (uint64_t)(x % y);
  case '^': return a ^ b;
  case '|': return o[1] ? (a || b) : (a | b);
  case '&': return o[1] ? (a && b) : (a & b);
  case '=': return a == b;
  case '!': return a != b;
  case '<': return o[1] == '<' ? (b < 64 ? a << b : 0) : o[1] == '=' ? x <= y : x < y;
  default: return o[1] == '>' ? (uint64_t)(x >> (b < 64 ? b : 63)) : o[1] == '=' ? x >= y : x > y;
  }
}

/* Decimal constants only: 1.5 + 2.0, not bits like 0f3F800000. */
static ConstValue apply_float(Parser *ps, const char *o, const ConstValue *a, const ConstValue *b,
                              size_t where) {
  ConstValue v = {.is_float = true};
  if (!a->is_float || !b->is_float || a->float_bits || b->float_bits || !strchr("+-*/", o[0]))
    parse_fail(ps, where, "'%s' combines two integers or two decimal numbers like 1.5", o);
  switch (o[0]) {
  case '+': v.d = a->d + b->d; break;
  case '-': v.d = a->d - b->d; break;
  case '*': v.d = a->d * b->d; break;
  default: v.d = a->d / b->d;
  }
  return v;
}

static ConstValue parse_binary(Parser *ps, Level *lv, int least) {
  ConstValue left = parse_primary(ps, lv);
  for (int op; (op = operator_here(ps)) >= 0 && operators[op].precedence >= least;) {
    size_t where = ps->tok.where;
    next_token(ps);
    if (operators[op].text[1]) next_token(ps);
    ConstValue right = parse_binary(ps, lv, operators[op].precedence + 1);
    if (left.is_float || right.is_float) {
      left = apply_float(ps, operators[op].text, &left, &right, where);
      continue;
    }
    bool left_address = left.var || left.func;
    if (!left_address) {
      left.var = right.var;
      left.func = right.func;
    }
    left.i = apply(ps, operators[op].text, left.i, right.i, where);
  }
  return left;
}

static ConstValue parse_ternary(Parser *ps, Level *lv) {
  deeper(ps, lv);
  ConstValue v = parse_binary(ps, lv, 1);
  if (accept_punct(ps, '?')) {
    ConstValue yes = parse_ternary(ps, lv);
    expect_punct(ps, ':', "the first choice of ?:");
    ConstValue no = parse_ternary(ps, lv);
    v = v.i ? yes : no;
  }
  lv->depth--;
  return v;
}

ConstValue parse_constant(Parser *ps) {
  Level lv = {0};
  return parse_ternary(ps, &lv);
}

static uint64_t double_bits(double d) {
  uint64_t b;
  memcpy(&b, &d, sizeof b);
  return b;
}

static uint64_t float_bits(float f) {
  uint32_t b;
  memcpy(&b, &f, sizeof b);
  return b;
}

static double value_of(const ConstValue *c) {
  double d;
  float f;
  uint32_t low = (uint32_t)c->i;
  if (!c->is_float) return (double)(int64_t)c->i;
  if (c->float_bits == 64) {
    memcpy(&d, &c->i, sizeof d);
    return d;
  }
  if (c->float_bits == 32) {
    memcpy(&f, &low, sizeof f);
    return (double)f;
  }
  return c->d;
}

uint64_t constant_bits(Parser *ps, const ConstValue *c, PtxType t, size_t where) {
  TypeClass k = type_class(t);
  if (k == TC_F && !c->is_float)
    parse_fail(ps, where, "a .%s takes 1.0, 0f3F800000 or 0d3FF0000000000000, not an integer",
               type_name(t));
  if (k == TC_H || k == TC_V)
    parse_fail(ps, where, "a .%s takes no constant: move its bits to a register with mov.b%d",
               type_name(t), type_bits(t));
  if (k == TC_F && type_bits(t) == 64)
    return c->is_float && c->float_bits == 64 ? c->i : double_bits(value_of(c));
  if (k == TC_F) return c->is_float && c->float_bits == 32 ? c->i : float_bits((float)value_of(c));
  if (c->is_float) {
    if (c->float_bits == type_bits(t) && k == TC_B) return c->i;
    if (k == TC_B && type_bits(t) == 32) return float_bits((float)c->d);
    if (k == TC_B && type_bits(t) == 64) return double_bits(c->d);
    parse_fail(ps, where, "a floating-point constant cannot be a .%s", type_name(t));
  }
  return c->i;
}
