/* ptx/declare.c - declarations: registers, variables with their initial values, functions. */
#include <stdio.h>
#include <string.h>

#include "base/align.h"
#include "ptx/parser.h"

/* ---- variables ------------------------------------------------------------------------------- */

typedef struct Decl { /* .align 8 .v2 .f32 name[3] */
  PtxType type;
  int vector;
  uint32_t align;
  bool is_ptr;
  bool is_open; /* the first dimension is empty: x[] */
  int dim_count;
  uint64_t dims[8]; /* elements by dimension; 0 for the empty one */
} Decl;

static uint32_t parse_align(Parser *ps) {
  Token t = ps->tok;
  if (t.kind != TK_INT || t.integer == 0 || t.integer > 4096 || (t.integer & (t.integer - 1)))
    parse_fail(ps, t.where, "an alignment is a power of two from 1 to 4096");
  next_token(ps);
  return (uint32_t)t.integer;
}

static Decl parse_decl(Parser *ps) {
  Decl d = {.vector = 1};
  while (ps->tok.kind == TK_DOT) {
    Token t = ps->tok;
    next_token(ps);
    PtxType type = type_of_word(t.text, t.length);
    if (type != TY_NONE)
      d.type = type;
    else if (is_word(&t, "align")) {
      uint32_t align = parse_align(ps);
      if (!d.is_ptr) d.align = align; /* after .ptr it is of what the pointer points to */
    } else if (is_word(&t, "v2"))
      d.vector = 2;
    else if (is_word(&t, "v4"))
      d.vector = 4;
    else if (is_word(&t, "ptr"))
      d.is_ptr = true;
    else if (is_word(&t, "attribute")) {
      if (!is_punct(ps, '(')) parse_fail(ps, ps->tok.where, "a '(' is expected after .attribute");
      skip_group(ps, '(', ')');
    } else if (!d.is_ptr && !is_word(&t, "managed") && !is_word(&t, "unified")) {
      parse_fail(ps, t.where, "'.%.*s' is no type and no known attribute of a variable",
                 (int)t.length, t.text);
    }
  }
  if (d.type == TY_NONE)
    parse_fail(ps, ps->tok.where, "the type is missing here, for example .u32");
  return d;
}

/* [3][4] or []; returns the number of elements. */
static uint64_t parse_dims(Parser *ps, Decl *d) {
  uint64_t n = 1;
  d->dim_count = 0;
  d->is_open = false;
  while (is_punct(ps, '[')) {
    size_t where = ps->tok.where;
    uint64_t size = 0;
    next_token(ps);
    if (d->dim_count == (int)(sizeof d->dims / sizeof *d->dims))
      parse_fail(ps, where, "an array may have at most 8 dimensions");
    if (d->dim_count == 0 && is_punct(ps, ']')) {
      d->is_open = true;
    } else {
      size = parse_constant(ps).i;
      if (size > PTX_MAX_VAR_BYTES || (n *= size) > PTX_MAX_VAR_BYTES)
        parse_fail(ps, where, "a variable may have at most %d bytes", PTX_MAX_VAR_BYTES);
    }
    d->dims[d->dim_count++] = size;
    expect_punct(ps, ']', "the array's size");
  }
  return n;
}

/* An initial value. Each pair of braces is one dimension (a vector's elements are the last), and
 * what is missing is zero: x[2][2] = {{1}, {3, 4}} is 1 0 3 4. */
typedef struct Init {
  Var *var;
  uint8_t *bytes;
  size_t capacity;
  uint64_t end;                 /* behind the last byte written */
  uint64_t stride[9], count[9]; /* by level: bytes of an item, and items */
  int levels;
} Init;

static void init_room(Parser *ps, Init *in, uint64_t end) {
  if (end > PTX_MAX_VAR_BYTES) parse_fail(ps, ps->tok.where, "this initial value is too large");
  while (in->capacity < end)
    in->bytes = arena_grow(ps->arena, in->bytes, 1, in->capacity, &in->capacity);
  if (end > in->end) in->end = end;
}

static void init_element(Parser *ps, Init *in, uint64_t at) {
  size_t where = ps->tok.where;
  int size = type_bytes(in->var->type);
  if (is_punct(ps, '{'))
    parse_fail(ps, where, "there are more { } here than '%s' has dimensions", in->var->name);
  ConstValue c = parse_constant(ps);
  if (type_class(in->var->type) == TC_F && !c.is_float && !c.var && !c.func)
    c = (ConstValue){.is_float = true, .d = (double)(int64_t)c.i}; /* = 0 for 0.0 */
  init_room(ps, in, at + (uint64_t)size);
  if (c.var || c.func) {
    Reloc *r = ARENA_NEW(ps->arena, Reloc);
    *r = (Reloc){.offset = at,
                 .bytes = (uint32_t)size,
                 .var = c.var,
                 .func = c.func,
                 .addend = (int64_t)c.i,
                 .mask = c.mask ? c.mask : UINT64_MAX,
                 .shift = c.mask ? COUNT_TRAILING_ZEROS64(c.mask) : 0,
                 .next = in->var->relocs};
    in->var->relocs = r;
  } else {
    uint64_t bits = constant_bits(ps, &c, in->var->type, where);
    memcpy(in->bytes + at, &bits, (size_t)(size > 8 ? 8 : size));
  }
}

/* Returns the bytes taken, with the 0 behind the text. */
static uint64_t init_string(Parser *ps, Init *in, uint64_t at) {
  Token t = ps->tok;
  uint64_t start = at;
  next_token(ps);
  init_room(ps, in, at + t.length + 1);
  for (size_t i = 0; i < t.length; i++) {
    char c = t.text[i];
    if (c == '\\' && i + 1 < t.length) {
      c = t.text[++i];
      c = c == 'n' ? '\n' : c == 't' ? '\t' : c == '0' ? '\0' : c == 'r' ? '\r' : c;
    }
    in->bytes[at++] = (uint8_t)c;
  }
  return at + 1 - start;
}

static void init_level(Parser *ps, Init *in, int level, uint64_t at);

static void init_list(Parser *ps, Init *in, int level, uint64_t at) {
  uint64_t n = 0;
  init_room(ps, in, at);
  expect_punct(ps, '{', "=");
  while (!accept_punct(ps, '}')) {
    size_t where = ps->tok.where;
    if (ps->tok.kind == TK_STRING && in->stride[level] == 1) {
      n += init_string(ps, in, at + n);
    } else {
      init_level(ps, in, level + 1, at + n * in->stride[level]);
      n++;
    }
    if (n > in->count[level])
      parse_fail(ps, where, "too many initial values: '%s' has room for only %llu here",
                 in->var->name, (unsigned long long)in->count[level]);
    if (!accept_punct(ps, ',') && !is_punct(ps, '}'))
      parse_fail(ps, ps->tok.where, "a ',' or '}' is expected in the initial value");
  }
}

static void init_level(Parser *ps, Init *in, int level, uint64_t at) {
  if (level == in->levels)
    init_element(ps, in, at);
  else
    init_list(ps, in, level, at);
}

static void init_levels(Init *in, const Decl *d) {
  uint64_t stride = (uint64_t)type_bytes(d->type);
  in->levels = d->dim_count + (d->vector > 1);
  for (int level = in->levels - 1; level >= 0; level--) {
    in->stride[level] = stride;
    in->count[level] = level >= d->dim_count ? (uint64_t)d->vector : d->dims[level];
    stride *= in->count[level];
  }
  if (d->is_open) in->count[0] = UINT64_MAX;
}

static void parse_init(Parser *ps, Var *v, const Decl *d) {
  Init in = {.var = v};
  if (type_class(d->type) == TC_O && is_punct(ps, '{')) { /* a sampler's settings */
    while (ps->tok.kind != TK_END && !accept_punct(ps, '}')) next_token(ps);
    return;
  }
  init_levels(&in, d);
  if (ps->tok.kind == TK_STRING && in.levels == 1 && in.stride[0] == 1) {
    size_t where = ps->tok.where;
    if (init_string(ps, &in, 0) > in.count[0])
      parse_fail(ps, where, "the text is longer than the variable '%s'", v->name);
  } else {
    init_level(ps, &in, 0, 0);
  }
  if (d->is_open && in.stride[0])
    v->size = (in.end + in.stride[0] - 1) / in.stride[0] * in.stride[0];
  uint8_t *init = arena_alloc(ps->arena, v->size + 1);
  if (in.end) memcpy(init, in.bytes, in.end);
  v->init = init;
}

void place_in_frame(Parser *ps, Var *v) {
  v->offset = ps->scratch = align_up(ps->scratch, v->align);
  ps->scratch += v->size;
  if (ps->scratch > PTX_MAX_VAR_BYTES)
    parse_fail(ps, v->where, "the function's local variables take too many bytes");
}

/* One variable of a declaration whose type has been read. */
static Var *declare_variable(Parser *ps, Space space, Decl d, bool in_list, bool is_extern) {
  Token name = expect_name(ps, "the variable's name");
  Var *v = ARENA_NEW(ps->arena, Var);
  uint64_t elements = parse_dims(ps, &d), one = (uint64_t)(type_bytes(d.type) * d.vector);
  *v = (Var){.name = token_string(ps, &name),
             .space = space,
             .type = d.type,
             .owner = ps->fn,
             .where = name.where,
             .size = d.is_open ? 0 : elements * one,
             .align = d.align ? d.align : (uint32_t)one};
  if (v->size > PTX_MAX_VAR_BYTES)
    parse_fail(ps, name.where, "a variable may have at most %d bytes", PTX_MAX_VAR_BYTES);
  if (!in_list && accept_punct(ps, '=')) parse_init(ps, v, &d);
  Symbol *old = find_symbol(ps, name.text, name.length);
  bool again = old && old->depth == ps->depth && old->kind == SY_VAR && !in_list;
  if (again && old->var->is_extern)
    old->var = v;
  else if (!again || !is_extern)
    add_symbol(ps, SY_VAR, name.text, name.length, name.where)->var = v;
  if (space == SP_LOCAL || (space == SP_PARAM && ps->fn && !(in_list && ps->fn->is_entry)))
    place_in_frame(ps, v);
  return v;
}

Var **parse_variables(Parser *ps, Space space, Var **last, bool is_extern) {
  skip_bank(ps, space == SP_CONST);
  Decl d = parse_decl(ps);
  do {
    *last = declare_variable(ps, space, d, false, is_extern);
    last = &(*last)->next;
  } while (accept_punct(ps, ','));
  expect_punct(ps, ';', "the variable");
  return last;
}

/* ---- lists of parameters --------------------------------------------------------------------- */

/* `.reg .b32 a` as a parameter or result: a .param variable, and a register for it. */
static Var *declare_register_slot(Parser *ps) {
  Decl d = parse_decl(ps);
  Token name = expect_name(ps, "the parameter's name");
  if (d.vector > 1 || d.type == TY_PRED)
    parse_fail(ps, name.where, "a parameter in a register is a single number");
  add_registers(ps, &name, d.type, 1);
  Var *v = ARENA_NEW(ps->arena, Var);
  uint32_t bytes = (uint32_t)type_bytes(d.type);
  *v = (Var){.name = token_string(ps, &name),
             .space = SP_PARAM,
             .type = d.type,
             .size = bytes,
             .align = bytes,
             .owner = ps->fn,
             .where = name.where};
  place_in_frame(ps, v);
  ARENA_GROW(ps->arena, ps->reg_params, ps->reg_param_count, ps->reg_param_capacity);
  ps->reg_params[ps->reg_param_count++] = (RegParam){v, (int32_t)ps->fn->reg_count - 1};
  return v;
}

/* `( .param .b32 a, .param .b64 b )`, or `.reg` in place of `.param`. */
Var **parse_slots(Parser *ps, Space space, size_t *count) {
  Var **list = NULL;
  size_t capacity = 0;
  *count = 0;
  expect_punct(ps, '(', "the function's name");
  while (!accept_punct(ps, ')')) {
    Var *v;
    bool in_register = accept_dot(ps, "reg");
    if (!in_register) accept_dot(ps, "param");
    if (in_register && ps->fn && ps->fn->is_entry)
      parse_fail(ps, ps->tok.where, "a kernel's parameters are declared .param, not .reg");
    if (space == SP_REG) { /* a prototype: names are `_` and mean nothing */
      Decl d = parse_decl(ps);
      if (ps->tok.kind == TK_NAME) next_token(ps);
      uint64_t n = parse_dims(ps, &d);
      v = ARENA_NEW(ps->arena, Var);
      *v = (Var){.name = "_",
                 .space = SP_PARAM,
                 .type = d.type,
                 .size = n * (uint64_t)(type_bytes(d.type) * d.vector),
                 .align = d.align ? d.align : (uint32_t)type_bytes(d.type)};
    } else if (in_register) {
      v = declare_register_slot(ps);
    } else {
      v = declare_variable(ps, space, parse_decl(ps), true, false);
    }
    ARENA_GROW(ps->arena, list, *count, capacity);
    list[(*count)++] = v;
    if (!accept_punct(ps, ',') && !is_punct(ps, ')'))
      parse_fail(ps, ps->tok.where, "a ',' or ')' is expected in the list of parameters");
  }
  return list;
}

/* ---- registers ------------------------------------------------------------------------------- */

static void parse_reg(Parser *ps) {
  Decl d = parse_decl(ps);
  do {
    Token name = expect_name(ps, "a register's name");
    if (!accept_punct(ps, '<')) {
      add_registers(ps, &name, d.type, d.vector);
      continue;
    }
    Token n = ps->tok;
    if (n.kind != TK_INT || n.integer > 1000000000)
      parse_fail(ps, n.where, "a number of registers is expected here");
    next_token(ps);
    expect_punct(ps, '>', "the number of registers");
    add_register_family(ps, &name, d.type, d.vector, (uint32_t)n.integer);
  } while (accept_punct(ps, ','));
  expect_punct(ps, ';', "the registers");
}

/* ---- bodies ---------------------------------------------------------------------------------- */

static void parse_loc(Parser *ps) {
  uint32_t v[3] = {0};
  for (int i = 0; i < 3; i++) {
    if (ps->tok.kind != TK_INT)
      parse_fail(ps, ps->tok.where, ".loc takes a file, a line and a column");
    v[i] = (uint32_t)ps->tok.integer;
    next_token(ps);
  }
  ps->loc = (Loc){v[0], v[1], v[2]};
  while (accept_punct(ps, ',')) {
    Token word = expect_name(ps, "function_name or inlined_at");
    bool inlined = is_word(&word, "inlined_at");
    for (int i = 0; i < (inlined ? 3 : 1); i++) next_token(ps);
    if (!inlined && accept_punct(ps, '+')) next_token(ps);
  }
}

static void declare_in_body(Parser *ps, Space space) {
  ps->last_fn_var = parse_variables(ps, space, ps->last_fn_var, false);
}

static void skip_to_semicolon(Parser *ps) {
  while (ps->tok.kind != TK_END && !is_punct(ps, ';')) next_token(ps);
  expect_punct(ps, ';', "the directive");
}

static void parse_directive(Parser *ps) {
  Token t = ps->tok;
  next_token(ps);
  if (is_word(&t, "reg"))
    parse_reg(ps);
  else if (is_word(&t, "local"))
    declare_in_body(ps, SP_LOCAL);
  else if (is_word(&t, "shared"))
    declare_in_body(ps, SP_SHARED);
  else if (is_word(&t, "param"))
    declare_in_body(ps, SP_PARAM);
  else if (is_word(&t, "global"))
    declare_in_body(ps, SP_GLOBAL);
  else if (is_word(&t, "const"))
    declare_in_body(ps, SP_CONST);
  else if (is_word(&t, "loc"))
    parse_loc(ps);
  else if (is_word(&t, "pragma"))
    skip_to_semicolon(ps);
  else if (is_word(&t, "file")) { /* asm can put one here */
    while (ps->tok.kind == TK_INT || ps->tok.kind == TK_STRING || is_punct(ps, ',')) next_token(ps);
  } else
    parse_fail(ps, t.where, "'.%.*s' is no directive that may stand inside a function",
               (int)t.length, t.text);
}

/* Labels, and what may follow one: .branchtargets, .calltargets, .callprototype. */
static void parse_label(Parser *ps, const Token *name) {
  if (accept_dot(ps, "branchtargets")) {
    LabelList *list = ARENA_NEW(ps->arena, LabelList);
    Token *names = NULL;
    size_t n = 0, capacity = 0;
    do {
      ARENA_GROW(ps->arena, names, n, capacity);
      names[n++] = expect_name(ps, "a label");
    } while (accept_punct(ps, ','));
    *list = (LabelList){token_string(ps, name), ARENA_ARRAY(ps->arena, int32_t, n), n};
    for (size_t i = 0; i < n; i++) {
      add_fixup(ps, &names[i], &list->targets[i], -1);
    }
    add_symbol(ps, SY_LABELS, name->text, name->length, name->where)->labels = list;
    expect_punct(ps, ';', "the labels");
  } else if (accept_dot(ps, "calltargets")) {
    CallProto *proto = ARENA_NEW(ps->arena, CallProto);
    proto->name = token_string(ps, name);
    size_t capacity = 0;
    do {
      Token f = expect_name(ps, "a function's name");
      Symbol *s = find_symbol(ps, f.text, f.length);
      if (!s || s->kind != SY_FUNC)
        parse_fail(ps, f.where, "'%.*s' is no function declared before", (int)f.length, f.text);
      ARENA_GROW(ps->arena, proto->targets, proto->target_count, capacity);
      proto->targets[proto->target_count++] = s->func;
    } while (accept_punct(ps, ','));
    add_symbol(ps, SY_PROTO, name->text, name->length, name->where)->proto = proto;
    expect_punct(ps, ';', "the functions");
  } else if (accept_dot(ps, "callprototype")) {
    CallProto *proto = ARENA_NEW(ps->arena, CallProto);
    size_t n;
    proto->name = token_string(ps, name);
    if (is_punct(ps, '(')) {
      Var **results = parse_slots(ps, SP_REG, &n);
      proto->result = n ? results[0] : NULL;
    }
    expect_name(ps, "_");
    if (is_punct(ps, '(')) proto->params = parse_slots(ps, SP_REG, &proto->param_count);
    proto->noreturn = accept_dot(ps, "noreturn");
    add_symbol(ps, SY_PROTO, name->text, name->length, name->where)->proto = proto;
    expect_punct(ps, ';', "the prototype");
  } else {
    add_symbol(ps, SY_LABEL, name->text, name->length, name->where)->reg =
        (int32_t)ps->fn->inst_count;
  }
}

void parse_body(Parser *ps) {
  expect_punct(ps, '{', "the function's header");
  for (int nested = 0;;) {
    if (ps->tok.kind == TK_END)
      parse_fail(ps, ps->tok.where, "the text ends inside the function '%s': is the file cut off?",
                 ps->fn->name);
    if (accept_punct(ps, '{')) {
      open_scope(ps);
      nested++;
    } else if (is_punct(ps, '}')) {
      if (nested == 0) break;
      next_token(ps);
      close_scope(ps);
      nested--;
    } else if (accept_punct(ps, ';')) {
      continue;
    } else if (ps->tok.kind == TK_DOT) {
      parse_directive(ps);
    } else {
      const char *at = ps->at; /* one token ahead, and back */
      Token tok = ps->tok;
      if (ps->tok.kind == TK_NAME) {
        Token name = ps->tok;
        next_token(ps);
        if (accept_punct(ps, ':')) {
          parse_label(ps, &name);
          continue;
        }
        ps->at = at;
        ps->tok = tok;
      }
      parse_instruction(ps);
    }
  }
  next_token(ps);
}
