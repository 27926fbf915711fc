/* ptx/call.c - calls, and functions whose parameters are declared as registers. */
#include <string.h>

#include "ptx/parser.h"

/* ---- calls ----------------------------------------------------------------------------------- */

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
      if (formal && formal->size && formal->size != o->var->size)
        fail_argument(ps, formal, where[i]);
      continue;
    }
    bool fits = o->kind == OPND_REG || o->kind == (result ? OPND_SINK : OPND_IMM);
    if (!fits || !formal)
      parse_fail(ps, where[i],
                 "an argument of a call is a .param variable, a register or a number");
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
    parse_fail(ps, name.where, "'%.*s' is no .callprototype and no .calltargets", (int)name.length,
               name.text);
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
      parse_fail(ps, in->where,
                 "a call through a register ends with the name of a .callprototype "
                 "or .calltargets");
    in->operand[3] = operand_of(OPND_PROTO);
    in->operand[3].proto = proto;
  }
  ps->at = at;
  ps->tok = tok;
}

/* Reads a call and adds the stores before it; its results are loaded by load_results. */
void parse_call(Parser *ps, Inst *in, Operand *results) {
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

void load_results(Parser *ps, const Inst *call, const Operand *results) {
  for (int i = 0; results->kind == OPND_VEC && i < results->count; i++)
    if (results->vec[i].kind == OPND_REG)
      move_slot(ps, call, OP_LD, &results->vec[i], call->operand[0].vec[i].var);
}

static void move_reg_params(Parser *ps, const Inst *like, PtxOp op, size_t from, size_t to) {
  for (size_t i = from; i < to; i++) {
    Operand o = operand_of(OPND_REG);
    o.reg = ps->reg_params[i].reg;
    move_slot(ps, like, op, &o, ps->reg_params[i].var);
  }
}

void emit_register_params(Parser *ps) {
  Inst start = {.guard = -1, .loc = ps->loc, .where = ps->tok.where};
  move_reg_params(ps, &start, OP_LD, ps->param_start, ps->reg_param_count);
}

void emit_register_results(Parser *ps, const Inst *ret) {
  Inst end = {.guard = -1, .loc = ps->loc, .where = ps->tok.where};
  move_reg_params(ps, ret ? ret : &end, OP_ST, 0, ps->param_start);
}
