/* ptx/parser.c - a module: scopes, functions, module-level declarations. */
#include "ptx/parser.h"
#include "base/align.h"

#include <stdlib.h>
#include <string.h>

#define ARENA_LIMIT (2ull << 30)

static void load_mnemonics(Parser *ps) {
  for (int op = OP_NONE + 1; op < OP_COUNT; op++) {
    const char *text = op_info((PtxOp)op)->text;
    Symbol *s = ARENA_NEW(ps->arena, Symbol);
    *s = (Symbol){.name = text, .length = strlen(text), .reg = op};
    s->hash = name_hash(ps, text, s->length);
    s->next = ps->op_buckets[s->hash % 512];
    ps->op_buckets[s->hash % 512] = s;
  }
}

/* ---- functions ------------------------------------------------------------------------------- */

typedef struct Linkage {
  bool is_extern, is_visible, is_weak, is_common;
} Linkage;

static void layout_params(Function *fn) {
  for (size_t i = 0; i < fn->param_count; i++) {
    Var *v = fn->params[i];
    v->offset = fn->param_bytes = align_up(fn->param_bytes, v->align);
    fn->param_bytes += v->size;
  }
}

static uint32_t parse_count(Parser *ps) {
  if (ps->tok.kind != TK_INT) parse_fail(ps, ps->tok.where, "a number is expected here");
  uint32_t v = (uint32_t)ps->tok.integer;
  next_token(ps);
  return v;
}

static void parse_triple(Parser *ps, uint32_t out[3]) {
  for (int i = 0; i < 3; i++) {
    out[i] = parse_count(ps);
    if (!accept_punct(ps, ',')) break;
  }
}

static void parse_tuning(Parser *ps, Function *fn) {
  while (ps->tok.kind == TK_DOT) {
    Token t = ps->tok;
    uint32_t ignored[3];
    next_token(ps);
    if (is_word(&t, "maxntid"))
      parse_triple(ps, fn->maxntid);
    else if (is_word(&t, "reqntid"))
      parse_triple(ps, fn->reqntid);
    else if (is_word(&t, "minnctapersm"))
      fn->minnctapersm = parse_count(ps);
    else if (is_word(&t, "maxnctapersm") || is_word(&t, "local_maxnreg") ||
             is_word(&t, "abi_preserve") || is_word(&t, "abi_preserve_control"))
      parse_count(ps);
    else if (is_word(&t, "maxnreg"))
      fn->maxnreg = parse_count(ps);
    else if (is_word(&t, "noreturn"))
      fn->is_noreturn = true;
    else if (is_word(&t, "reqnctapercluster"))
      parse_triple(ps, ignored);
    else if (is_word(&t, "maxclusterrank"))
      parse_count(ps);
    else if (is_word(&t, "explicitcluster") || is_word(&t, "blocksareclusters"))
      continue;
    else if (is_word(&t, "pragma")) {
      while (ps->tok.kind == TK_STRING || is_punct(ps, ',')) next_token(ps);
      accept_punct(ps, ';');
    } else if (is_word(&t, "attribute") || is_word(&t, "unified")) {
      if (is_punct(ps, '(')) skip_group(ps, '(', ')');
    } else
      parse_fail(ps, t.where, "'.%.*s' is no directive that may stand before a function's body",
                 (int)t.length, t.text);
  }
}

/* A C++ name (Itanium) is _Z, a length, so many letters, and the parameters. */
static const char *plain_name(Parser *ps, const char *name) {
  if (strncmp(name, "_Z", 2) != 0) return name;
  char *letters;
  size_t length = strtoul(name + 2, &letters, 10);
  return length && strlen(letters) >= length ? arena_strndup(ps->arena, letters, length) : name;
}

static Function *declare_function(Parser *ps, const Token *name, bool entry, Linkage l) {
  Symbol *old = find_symbol(ps, name->text, name->length);
  Function *fn = old && old->kind == SY_FUNC ? old->func : NULL;
  if (old && !fn)
    parse_fail(ps, name->where, "'%.*s' is declared twice", (int)name->length, name->text);
  if (!fn) {
    fn = ARENA_NEW(ps->arena, Function);
    fn->name = token_string(ps, name);
    fn->plain = plain_name(ps, fn->name);
    fn->module = ps->mod;
    *ps->last_fn = fn;
    ps->last_fn = &fn->next;
    add_symbol(ps, SY_FUNC, fn->name, name->length, name->where)->func = fn;
  }
  if (fn->where && fn->is_entry != entry)
    parse_fail(ps, name->where, "'%s' is declared as a function and as a kernel", fn->name);
  fn->is_entry = entry;
  fn->is_extern = l.is_extern;
  fn->is_weak = l.is_weak;
  fn->is_visible = l.is_visible;
  fn->where = name->where;
  return fn;
}

static void begin_function(Parser *ps, Function *fn) {
  ps->fn = fn;
  ps->reg_capacity = ps->inst_capacity = 0;
  ps->scratch = 0;
  ps->reg_param_count = ps->param_start = 0;
  ps->branch_targets = 0;
  ps->loc = (Loc){.file = UINT32_MAX};
  ps->last_fn_var = &fn->vars;
  open_scope(ps);
}

/* A function may be declared several times, each time alike. */
static void check_alike(Parser *ps, const Function *fn, const Function *again, size_t where) {
  bool alike = fn->param_count == again->param_count && fn->result_count == again->result_count;
  for (size_t i = 0; alike && i < fn->param_count; i++)
    alike = fn->params[i]->size == again->params[i]->size;
  for (size_t i = 0; alike && i < fn->result_count; i++)
    alike = fn->results[i]->size == again->results[i]->size;
  if (!alike)
    parse_fail(ps, where, "'%s' was declared before with other parameters or results", fn->name);
}

static void parse_code(Parser *ps, Function *fn) {
  open_scope(ps);
  emit_register_params(ps);
  parse_body(ps);
  emit_register_results(ps, NULL);
  close_scope(ps);
  if (!fn->insts) fn->insts = ARENA_NEW(ps->arena, Inst); /* an empty body is a body */
  fn->local_bytes = align_up(ps->scratch, 16);
  ptx_analyse(ps->arena, fn);
}

/* The results come before the name, so all is read into a draft, which then becomes the function
 * of that name. */
static void parse_function(Parser *ps, bool entry, Linkage l) {
  Function draft = {.is_entry = entry};
  begin_function(ps, &draft);
  if (!entry && is_punct(ps, '(')) draft.results = parse_slots(ps, SP_PARAM, &draft.result_count);
  Token name = expect_name(ps, "the function's name");
  ps->param_start = ps->reg_param_count;
  if (is_punct(ps, '(')) draft.params = parse_slots(ps, SP_PARAM, &draft.param_count);
  if (entry) layout_params(&draft);
  ps->depth--; /* the function itself belongs to the module */
  Symbol *old = find_symbol(ps, name.text, name.length);
  bool again = old && old->kind == SY_FUNC;
  Function *fn = declare_function(ps, &name, entry, l);
  ps->depth++;
  if (fn->insts) parse_fail(ps, name.where, "'%s' is defined twice", fn->name);
  if (again) check_alike(ps, fn, &draft, name.where);
  fn->results = draft.results;
  fn->result_count = draft.result_count;
  fn->params = draft.params;
  fn->param_count = draft.param_count;
  fn->param_bytes = draft.param_bytes;
  fn->regs = draft.regs;
  fn->reg_count = draft.reg_count;
  for (size_t i = 0; i < fn->result_count; i++) fn->results[i]->owner = fn;
  for (size_t i = 0; i < fn->param_count; i++) fn->params[i]->owner = fn;
  ps->fn = fn;
  ps->last_fn_var = &fn->vars;
  parse_tuning(ps, fn);
  if (is_punct(ps, '{'))
    parse_code(ps, fn);
  else
    expect_punct(ps, ';', "a declaration");
  close_scope(ps);
  ps->fn = NULL;
}

/* ---- the module ------------------------------------------------------------------------------ */

static void parse_module_var(Parser *ps, Space space, Linkage l) {
  Var **first = ps->last_var;
  ps->last_var = parse_variables(ps, space, first, l.is_extern);
  for (Var *v = *first; v; v = v->next) {
    v->is_extern = l.is_extern;
    v->is_weak = l.is_weak || l.is_common;
    v->is_visible = l.is_visible;
    v->is_dynamic = space == SP_SHARED && l.is_extern;
  }
}

/* .file 1 "name" or .file 1 "folder" "name". */
static void parse_file(Parser *ps) {
  Module *mod = ps->mod;
  uint32_t index = parse_count(ps);
  Token first = ps->tok;
  if (first.kind != TK_STRING) parse_fail(ps, first.where, ".file takes a number and a name");
  const char *name = token_string(ps, &first);
  next_token(ps);
  if (ps->tok.kind == TK_STRING) {
    name = arena_printf(ps->arena, "%s/%.*s", name, (int)ps->tok.length, ps->tok.text);
    next_token(ps);
  }
  ARENA_GROW(ps->arena, mod->files, mod->file_count, mod->file_capacity);
  mod->files[mod->file_count++] = (SourceFile){index, name, NULL};
  while (accept_punct(ps, ',')) next_token(ps);
}

static void skip_section(Parser *ps) {
  next_token(ps); /* its name */
  if (!is_punct(ps, '{')) parse_fail(ps, ps->tok.where, "a '{' is expected here, after .section");
  skip_group(ps, '{', '}');
}

static void parse_version(Parser *ps) {
  Token t = ps->tok;
  if (t.kind != TK_FLOAT && t.kind != TK_INT)
    parse_fail(ps, t.where, ".version takes a number like 7.1");
  double v = t.kind == TK_INT ? (double)t.integer : t.number;
  if (v < 1 || v > 99) parse_fail(ps, t.where, ".version takes a number like 7.1");
  ps->mod->version = (int)(v * 10 + 0.5);
  next_token(ps);
}

static void parse_target(Parser *ps) {
  Token t = expect_name(ps, "a target like sm_80");
  ps->mod->target = token_string(ps, &t);
  while (accept_punct(ps, ',')) expect_name(ps, "an option of .target");
}

static void parse_alias(Parser *ps) {
  Token a = expect_name(ps, "the alias");
  expect_punct(ps, ',', "the alias");
  Token f = expect_name(ps, "the function that is meant");
  Symbol *x = find_symbol(ps, a.text, a.length), *y = find_symbol(ps, f.text, f.length);
  if (!x || x->kind != SY_FUNC || !y || y->kind != SY_FUNC)
    parse_fail(ps, a.where, ".alias takes two functions declared before");
  x->func->alias = y->func;
  expect_punct(ps, ';', ".alias");
}

static bool parse_linkage(Linkage *l, const Token *t) {
  if (is_word(t, "extern"))
    l->is_extern = true;
  else if (is_word(t, "visible"))
    l->is_visible = true;
  else if (is_word(t, "weak"))
    l->is_weak = true;
  else if (is_word(t, "common"))
    l->is_common = true;
  else
    return false;
  return true;
}

static void parse_item(Parser *ps) {
  Linkage l = {0};
  Token t = ps->tok;
  while (t.kind == TK_DOT && parse_linkage(&l, &t)) {
    next_token(ps);
    t = ps->tok;
  }
  if (t.kind != TK_DOT)
    parse_fail(ps, t.where, "a directive is expected here, for example .visible .entry");
  next_token(ps);
  if (is_word(&t, "entry"))
    parse_function(ps, true, l);
  else if (is_word(&t, "func")) {
    if (ps->tok.kind == TK_DOT) { /* .func .attribute(..) or .noreturn before the name */
      Function ignored = {0};
      parse_tuning(ps, &ignored);
    }
    parse_function(ps, false, l);
  } else if (is_word(&t, "global"))
    parse_module_var(ps, SP_GLOBAL, l);
  else if (is_word(&t, "const"))
    parse_module_var(ps, SP_CONST, l);
  else if (is_word(&t, "shared"))
    parse_module_var(ps, SP_SHARED, l);
  else if (is_word(&t, "tex"))
    parse_module_var(ps, SP_GLOBAL, l);
  else if (is_word(&t, "local"))
    parse_module_var(ps, SP_GLOBAL, l);
  else if (is_word(&t, "version"))
    parse_version(ps);
  else if (is_word(&t, "target"))
    parse_target(ps);
  else if (is_word(&t, "address_size"))
    ps->mod->address_size = (int)parse_count(ps);
  else if (is_word(&t, "file"))
    parse_file(ps);
  else if (is_word(&t, "section"))
    skip_section(ps);
  else if (is_word(&t, "alias"))
    parse_alias(ps);
  else if (is_word(&t, "pragma") || is_word(&t, "loc")) {
    while (ps->tok.kind == TK_STRING || ps->tok.kind == TK_INT || is_punct(ps, ',') ||
           is_punct(ps, ';'))
      next_token(ps);
  } else
    parse_fail(ps, t.where, "'.%.*s' is no directive that may stand here", (int)t.length, t.text);
}

static void parse_module(Parser *ps) {
  next_token(ps);
  while (ps->tok.kind != TK_END) {
    if (accept_punct(ps, ';')) continue;
    parse_item(ps);
  }
  if (!ps->mod->version) parse_fail(ps, 0, "a PTX file starts with .version; is this PTX?");
}

/* Everything that may run out of memory or fail; the jumps end here, so nothing is clobbered. */
static bool parse_into(Arena *arena, Module *mod, ErrorBuffer *err) {
  Parser *ps = ARENA_NEW(arena, Parser);
  ps->arena = arena;
  ps->mod = mod;
  ps->err = err;
  ps->at = mod->source.text;
  ps->end = ps->at + mod->source.length;
  ps->last_var = &mod->vars;
  ps->last_fn = &mod->functions;
  ps->hash_key = hash_key_new();
  load_mnemonics(ps);
  if (setjmp(ps->failed)) return false;
  parse_module(ps);
  return true;
}

static Module *parse_guarded(Arena *arena, const char *name, const char *text, size_t length,
                             ErrorBuffer *err) {
  jmp_buf out_of_memory;
  if (setjmp(out_of_memory)) {
    error_set(err, "%s: the module needs more than %llu MiB of memory", name, ARENA_LIMIT >> 20);
    return NULL;
  }
  arena_guard(arena, &out_of_memory);
  Module *mod = ARENA_NEW(arena, Module);
  *mod = (Module){.arena = arena, .address_size = 32};
  mod->source = (Source){arena_strndup(arena, name, strlen(name)),
                         arena_strndup(arena, text, length), length};
  return parse_into(arena, mod, err) ? mod : NULL;
}

Module *ptx_parse(const char *name, const char *text, size_t length, ErrorBuffer *err) {
  if (length > PTX_MAX_BYTES) {
    error_set(err, "%s: the text has %zu bytes; at most %d can be loaded", name, length,
              PTX_MAX_BYTES);
    return NULL;
  }
  Arena *arena = arena_new(ARENA_LIMIT);
  if (!arena) {
    error_set(err, "%s: out of memory", name);
    return NULL;
  }
  Module *mod = parse_guarded(arena, name, text, length, err);
  if (!mod)
    arena_free(arena);
  else
    arena_guard(arena, NULL);
  return mod;
}

void ptx_free(Module *mod) {
  if (mod) arena_free(mod->arena);
}
