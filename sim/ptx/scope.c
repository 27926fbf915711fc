/* ptx/scope.c - names: a hash table with scopes, register families, labels used before they stand.
 *
 * `.reg .b32 %r<1000>;` declares a thousand registers, of which a function may use ten. They are
 * kept as one family and become registers when they are first named, so that a function holds (and
 * the executor keeps for every warp) only the registers that are used. */
#include <stdio.h>
#include <string.h>

#include "ptx/parser.h"

enum { FIRST_BUCKETS = 1 << 10, MOST_INDEX_DIGITS = 9, MOST_SUGGESTIONS = 4096 };

uint32_t name_hash(const Parser *ps, const char *s, size_t n) {
  return (uint32_t)hash_bytes(&ps->hash_key, s, n);
}

/* ---- the table ------------------------------------------------------------------------------- */

static void grow_table(Parser *ps) {
  size_t old_count = ps->bucket_count, count = old_count ? 4 * old_count : FIRST_BUCKETS;
  Symbol **old = ps->buckets, **buckets = ARENA_ARRAY(ps->arena, Symbol *, count);
  for (size_t i = 0; i < old_count; i++) {
    Symbol *reversed = NULL; /* turned round twice: a bucket's order must stay */
    for (Symbol *s = old[i], *next; s; s = next) {
      next = s->next;
      s->next = reversed;
      reversed = s;
    }
    for (Symbol *s = reversed, *next; s; s = next) {
      next = s->next;
      s->next = buckets[s->hash % count];
      buckets[s->hash % count] = s;
    }
  }
  ps->buckets = buckets;
  ps->bucket_count = count;
}

static void insert(Parser *ps, Symbol *s) {
  if (ps->symbol_count >= ps->bucket_count) grow_table(ps);
  ps->symbol_count++;
  Symbol **link = &ps->buckets[s->hash % ps->bucket_count];
  while (*link && (*link)->depth > s->depth) link = &(*link)->next;
  s->next = *link;
  *link = s;
  s->in_scope = ps->scopes[s->depth];
  ps->scopes[s->depth] = s;
}

static Symbol *look_up(const Parser *ps, const char *name, size_t length, uint32_t hash,
                       bool family) {
  if (!ps->bucket_count) return NULL;
  for (Symbol *s = ps->buckets[hash % ps->bucket_count]; s; s = s->next)
    if (s->hash == hash && s->length == length && (s->kind == SY_FAMILY) == family &&
        memcmp(s->name, name, length) == 0)
      return s;
  return NULL;
}

static Symbol *new_symbol(Parser *ps, SymbolKind kind, const char *name, size_t length, int depth) {
  Symbol *s = ARENA_NEW(ps->arena, Symbol);
  *s = (Symbol){.name = name,
                .length = length,
                .hash = name_hash(ps, name, length),
                .kind = (uint8_t)kind,
                .depth = depth};
  insert(ps, s);
  return s;
}

/* ---- register families ----------------------------------------------------------------------- */

/* The deepest family that a name belongs to: %r12 to %r<20> or to %r1<5>. */
static Symbol *family_of(const Parser *ps, const char *name, size_t length, uint32_t *index) {
  Symbol *best = NULL;
  uint64_t value = 0, unit = 1;
  for (size_t n = length; n > 1 && length - n < MOST_INDEX_DIGITS; n--) {
    char c = name[n - 1];
    if (c < '0' || c > '9') break;
    value += (uint64_t)(c - '0') * unit;
    unit *= 10;
    if (c == '0' && n < length) continue; /* %r03 is not %r3 */
    Symbol *s = look_up(ps, name, n - 1, name_hash(ps, name, n - 1), true);
    if (!s || value >= (uint64_t)s->count || (best && best->depth >= s->depth)) continue;
    best = s;
    *index = (uint32_t)value;
  }
  return best;
}

int32_t new_register(Parser *ps, const char *name, PtxType type, size_t where) {
  Function *fn = ps->fn;
  if (fn->reg_count >= PTX_MAX_REGS)
    parse_fail(ps, where, "a function may use at most %d registers", PTX_MAX_REGS);
  ARENA_GROW(ps->arena, fn->regs, fn->reg_count, ps->reg_capacity);
  fn->regs[fn->reg_count] = (Reg){name, type};
  return (int32_t)fn->reg_count++;
}

static Symbol *new_registers(Parser *ps, const char *name, size_t length, PtxType type, int lanes,
                             int depth, size_t where) {
  Symbol *s = new_symbol(ps, lanes > 1 ? SY_VECREG : SY_REG, name, length, depth);
  s->reg = (int32_t)ps->fn->reg_count;
  s->count = lanes;
  for (int i = 0; i < lanes; i++)
    (void)new_register(ps, lanes == 1 ? name : arena_printf(ps->arena, "%s.%c", name, "xyzw"[i]),
                       type, where);
  return s;
}

Symbol *find_symbol(Parser *ps, const char *name, size_t length) {
  Symbol *s = look_up(ps, name, length, name_hash(ps, name, length), false);
  if (s && s->depth >= ps->families[ps->depth]) return s;
  uint32_t index;
  Symbol *f = family_of(ps, name, length, &index);
  if (!f || (s && s->depth >= f->depth)) return s;
  return new_registers(ps, arena_strndup(ps->arena, name, length), length, (PtxType)f->type,
                       f->lanes, f->depth, (size_t)(name - ps->mod->source.text));
}

/* ---- declarations ---------------------------------------------------------------------------- */

static void check_new(Parser *ps, const char *name, size_t length, size_t where) {
  uint32_t index;
  Symbol *old = look_up(ps, name, length, name_hash(ps, name, length), false);
  if (!old || old->depth != ps->depth) old = family_of(ps, name, length, &index);
  if (old && old->depth == ps->depth)
    parse_fail(ps, where, "'%.*s' is declared twice", (int)length, name);
}

Symbol *add_symbol(Parser *ps, SymbolKind kind, const char *name, size_t length, size_t where) {
  check_new(ps, name, length, where);
  return new_symbol(ps, kind, name, length, ps->depth);
}

void add_registers(Parser *ps, const Token *name, PtxType type, int lanes) {
  check_new(ps, name->text, name->length, name->where);
  new_registers(ps, token_string(ps, name), name->length, type, lanes, ps->depth, name->where);
}

void add_register_family(Parser *ps, const Token *name, PtxType type, int lanes, uint32_t count) {
  uint32_t hash = name_hash(ps, name->text, name->length);
  const Symbol *old = look_up(ps, name->text, name->length, hash, true);
  if (old && old->depth == ps->depth)
    parse_fail(ps, name->where, "'%.*s<..>' is declared twice", (int)name->length, name->text);
  Symbol *s = new_symbol(ps, SY_FAMILY, name->text, name->length, ps->depth);
  s->type = (uint8_t)type;
  s->lanes = (uint8_t)lanes;
  s->count = (int)count;
  ps->families[ps->depth] = ps->depth;
}

/* ---- scopes and labels ----------------------------------------------------------------------- */

void open_scope(Parser *ps) {
  if (ps->depth >= PTX_MAX_DEPTH)
    parse_fail(ps, ps->tok.where, "{ } is nested too deeply: more than %d", PTX_MAX_DEPTH);
  ps->depth++;
  ps->scopes[ps->depth] = NULL;
  ps->fixups[ps->depth] = NULL;
  ps->families[ps->depth] = ps->families[ps->depth - 1];
}

void add_fixup(Parser *ps, const Token *name, int32_t *target, int32_t inst) {
  Fixup *f = ARENA_NEW(ps->arena, Fixup);
  *f = (Fixup){target, inst, name->text, name->length, name->where, ps->fixups[ps->depth]};
  ps->fixups[ps->depth] = f;
}

static NORETURN void fail_label(Parser *ps, const Fixup *f, const Symbol *s) {
  Token name = {.text = f->name, .length = f->length, .where = f->where};
  if (s) parse_fail(ps, f->where, "'%.*s' is no label", (int)name.length, name.text);
  parse_fail(ps, f->where,
             "there is no label '%.*s' in this function, or it stands inside another { }",
             (int)name.length, name.text);
}

static void set_target(Parser *ps, const Fixup *f, int32_t target) {
  if (f->target)
    *f->target = target;
  else
    ps->fn->insts[f->inst].operand[0].target = target;
}

/* Labels used in the scope that closes: here they are known, or further out. */
static void resolve_labels(Parser *ps) {
  for (Fixup *f = ps->fixups[ps->depth], *next; f; f = next) {
    next = f->next;
    uint32_t hash = name_hash(ps, f->name, f->length);
    Symbol *s = look_up(ps, f->name, f->length, hash, false);
    if (s && s->kind == SY_LABEL && s->depth == ps->depth) {
      set_target(ps, f, s->reg);
    } else if (ps->depth <= 2) {
      fail_label(ps, f, s);
    } else {
      f->next = ps->fixups[ps->depth - 1];
      ps->fixups[ps->depth - 1] = f;
    }
  }
}

void close_scope(Parser *ps) {
  resolve_labels(ps);
  for (Symbol *s = ps->scopes[ps->depth]; s; s = s->in_scope) {
    Symbol **link = &ps->buckets[s->hash % ps->bucket_count];
    while (*link != s) link = &(*link)->next;
    *link = s->next;
    ps->symbol_count--;
  }
  ps->depth--;
}

/* ---- names that are not there ---------------------------------------------------------------- */

static const char *nearest_symbol(Parser *ps, const char *name) {
  const char *names[MOST_SUGGESTIONS];
  size_t n = 0;
  for (int depth = ps->depth; depth >= 0; depth--)
    for (const Symbol *s = ps->scopes[depth]; s && n < MOST_SUGGESTIONS; s = s->in_scope)
      if (s->kind != SY_FAMILY && s->length < 64)
        names[n++] = arena_strndup(ps->arena, s->name, s->length);
  return nearest_word(name, names, n);
}

NORETURN void fail_undeclared(Parser *ps, const Token *name, const char *what) {
  char word[64];
  snprintf(word, sizeof word, "%.*s", name->length < 60 ? (int)name->length : 60, name->text);
  const char *near = name->length < 60 ? nearest_symbol(ps, word) : NULL;
  if (near)
    parse_fail(ps, name->where, "'%.*s' is not declared: %s of this name; did you mean '%s'?",
               (int)name->length, name->text, what, near);
  parse_fail(ps, name->where, "'%.*s' is not declared: %s of this name", (int)name->length,
             name->text, what);
}
