/* timing/arch_parse.c - lines of `key = value  # source` into struct Arch, checked by arch.def. */
#include "timing/arch_parse.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Span {
  const char *at, *end;
} Span;

typedef struct Parser {
  const Source *src;
  Arch *arch;
  ArchNotes *notes; /* may be NULL */
  ErrorBuffer *err;
  int depth;
  const char *section;     /* of the lines that follow; NULL before the first heading */
  bool based;              /* there was a `like` line: every key has a value */
  size_t lines[ARCH_KEYS]; /* where this file gives the key, 1-based; 0: it does not */
} Parser;

/* One line, cut up. */
typedef struct Line {
  Span body, note; /* what is before and behind the first #, without the blanks around it */
  size_t number;
} Line;

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static Span trim(Span s) {
  while (s.at < s.end && is_blank(*s.at)) s.at++;
  while (s.at < s.end && is_blank(s.end[-1])) s.end--;
  return s;
}

static size_t length(Span s) { return (size_t)(s.end - s.at); }

static bool is(Span s, const char *word) {
  return length(s) == strlen(word) && memcmp(s.at, word, length(s)) == 0;
}

/* Copies at most size - 1 bytes, never half a UTF-8 character. */
static void copy(char *to, size_t size, Span s) {
  size_t n = length(s);
  if (n > size - 1) {
    n = size - 1;
    while (n > 0 && ((unsigned char)s.at[n] & 0xc0) == 0x80) n--;
  }
  if (n) memcpy(to, s.at, n);
  to[n] = '\0';
}

static size_t offset_of(const Parser *p, const char *at) { return (size_t)(at - p->src->text); }

enum { MISSING_SHOWN = 6 }; /* names of missing keys in one message */

#define WRONG(p, at, ...) (error_at((p)->err, (p)->src, offset_of((p), (at)), __VA_ARGS__), false)

/* ---- values ---------------------------------------------------------------------------------- */

/* A number: digits, perhaps a point and more digits, perhaps K, M or G (x 1024 each). Moves s->at
 * behind it. */
static bool scan_number(Span *s, double *out) {
  double value = 0, unit = 1;
  const char *start = s->at;
  for (; s->at < s->end && *s->at >= '0' && *s->at <= '9'; s->at++)
    value = value * 10 + (*s->at - '0');
  if (s->at == start) return false;
  if (s->at < s->end && *s->at == '.')
    for (s->at++; s->at < s->end && *s->at >= '0' && *s->at <= '9'; s->at++)
      value += (unit /= 10) * (*s->at - '0');
  const char *suffix = s->at < s->end && *s->at ? strchr("KMG", *s->at) : NULL;
  for (int times = suffix ? (int)(*suffix == 'K'   ? 1
                                  : *suffix == 'M' ? 2
                                                   : 3)
                          : 0;
       times > 0; times--)
    value *= 1024;
  if (suffix) s->at++;
  *out = value;
  return true;
}

static bool check_range(Parser *p, const ArchKey *key, Span value, double number) {
  if (number >= key->min && number <= key->max) return true;
  if (key->min == key->max) return WRONG(p, value.at, "%s must be %.15g", key->name, key->min);
  return WRONG(p, value.at, "%s must lie between %.15g and %.15g%s%s", key->name, key->min,
               key->max, *key->unit ? " " : "", key->unit);
}

/* Leaves the number behind its own end, so that a list can go on from there. */
static bool read_number(Parser *p, const ArchKey *key, Span *value, bool whole, double *out) {
  Span all = *value;
  if (!scan_number(value, out))
    return WRONG(p, all.at, "%s needs a number%s", key->name,
                 whole ? ", for instance 64 or 48K" : ", for instance 4 or 0.5");
  if (!check_range(p, key, all, *out)) return false; /* so that it fits 32 bits below */
  if (whole && *out != (double)(uint32_t)*out)
    return WRONG(p, all.at, "%s needs a whole number", key->name);
  return true;
}

static bool expect_end(Parser *p, const ArchKey *key, Span rest) {
  rest = trim(rest);
  if (rest.at == rest.end) return true;
  return WRONG(p, rest.at, "there is more behind the value of %s (a comment begins with #)",
               key->name);
}

static bool read_dim(Parser *p, const ArchKey *key, Span value, uint32_t *out) {
  for (int i = 0; i < 3; i++) {
    double number;
    value = trim(value);
    if (i > 0) {
      if (value.at == value.end || *value.at != ',')
        return WRONG(p, value.at, "%s needs three numbers, x, y, z", key->name);
      value.at++;
      value = trim(value);
    }
    if (!read_number(p, key, &value, true, &number)) return false;
    out[i] = (uint32_t)number;
  }
  return expect_end(p, key, value);
}

/* "9.0" is 90. */
static bool read_version(Parser *p, const ArchKey *key, Span value, uint32_t *out) {
  uint32_t major = 0, digits = 0;
  Span s = value;
  for (; s.at < s.end && *s.at >= '0' && *s.at <= '9' && digits < 3; s.at++, digits++)
    major = major * 10 + (uint32_t)(*s.at - '0');
  if (!digits || s.end - s.at != 2 || s.at[0] != '.' || s.at[1] < '0' || s.at[1] > '9')
    return WRONG(p, value.at, "%s needs major.minor, for instance 9.0", key->name);
  *out = major * 10 + (uint32_t)(s.at[1] - '0');
  return check_range(p, key, value, *out);
}

static bool read_model(Parser *p, const ArchKey *key, Span value, gpu_model *out) {
  if (is(value, "stack"))
    *out = GPU_MODEL_STACK;
  else if (is(value, "its"))
    *out = GPU_MODEL_ITS;
  else
    return WRONG(p, value.at, "%s is one of: stack its", key->name);
  return true;
}

static bool read_text(Parser *p, const ArchKey *key, Span value, char *out) {
  if (length(value) >= ARCH_TEXT_MAX)
    return WRONG(p, value.at, "%s may have %d bytes at most", key->name, ARCH_TEXT_MAX - 1);
  copy(out, ARCH_TEXT_MAX, value);
  return true;
}

static bool read_value(Parser *p, const ArchKey *key, Span value) {
  void *field = (char *)p->arch + key->offset;
  double number;
  if (value.at == value.end) return WRONG(p, value.at, "%s has no value", key->name);
  switch (key->type) {
  case ARCH_TEXT: return read_text(p, key, value, field);
  case ARCH_VERSION: return read_version(p, key, value, field);
  case ARCH_DIM: return read_dim(p, key, value, field);
  case ARCH_MODEL: return read_model(p, key, value, field);
  case ARCH_COUNT:
    if (!read_number(p, key, &value, true, &number)) return false;
    *(uint32_t *)field = (uint32_t)number;
    return expect_end(p, key, value);
  case ARCH_REAL:
    if (!read_number(p, key, &value, false, &number)) return false;
    *(double *)field = number;
    return expect_end(p, key, value);
  }
  return false;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static void suggest(Parser *p, Span word, const char *const *candidates, size_t count) {
  char text[ARCH_TEXT_MAX];
  copy(text, sizeof text, word);
  const char *near = nearest_word(text, candidates, count);
  if (near) error_add(p->err, "did you mean '%s'?", near);
}

/* The names of the keys, or of their sections. */
static void gather(const char **to, bool sections) {
  for (size_t i = 0; i < ARCH_KEYS; i++)
    to[i] = sections ? arch_keys[i].section : arch_keys[i].name;
}

static bool unknown(Parser *p, Span word, bool is_section) {
  const char *names[ARCH_KEYS];
  gather(names, is_section);
  error_at(p->err, p->src, offset_of(p, word.at), "there is no %s '%.*s' in an architecture file",
           is_section ? "section" : "key", (int)(length(word) < 64 ? length(word) : 64), word.at);
  suggest(p, word, names, ARCH_KEYS);
  return false;
}

static const ArchKey *find_key(Span word) {
  for (size_t i = 0; i < ARCH_KEYS; i++)
    if (is(word, arch_keys[i].name)) return &arch_keys[i];
  return NULL;
}

static bool read_heading(Parser *p, Span body) {
  if (body.end[-1] != ']') return WRONG(p, body.at, "a section's heading ends with ]");
  Span word = trim((Span){body.at + 1, body.end - 1});
  for (size_t i = 0; i < ARCH_KEYS; i++) {
    if (!is(word, arch_keys[i].section)) continue;
    p->section = arch_keys[i].section;
    return true;
  }
  return unknown(p, word, true);
}

static void inherit_notes(Parser *p, const ArchNotes *base, const char *name) {
  for (size_t i = 0; i < ARCH_KEYS; i++) {
    int n = snprintf(p->notes->text[i], ARCH_NOTE_MAX, "as %s%s", name, *base->text[i] ? ": " : "");
    if (n > 0 && n < ARCH_NOTE_MAX)
      copy(p->notes->text[i] + n, (size_t)(ARCH_NOTE_MAX - n),
           (Span){base->text[i], base->text[i] + strlen(base->text[i])});
  }
}

/* `like = NAME`: start from another architecture. */
static bool read_like(Parser *p, Span value) {
  char name[256];
  if (p->based || p->section)
    return WRONG(p, value.at, "'like' stands once, before the first section");
  if (p->depth >= ARCH_LIKE_MAX) return WRONG(p, value.at, "too many files stand on one another");
  if (value.at == value.end) return WRONG(p, value.at, "like has no value: name an architecture");
  if (length(value) >= sizeof name) return WRONG(p, value.at, "this name is too long");
  copy(name, sizeof name, value);
  ArchNotes *notes = p->notes ? calloc(1, sizeof *notes) : NULL;
  char own[ARCH_NAME_MAX];
  memcpy(own, p->arch->name, sizeof own);
  bool ok = arch_load_at(p->arch, notes, name, p->depth + 1, p->err);
  if (ok && notes) inherit_notes(p, notes, p->arch->name);
  if (ok)
    memcpy(p->arch->name, own, sizeof own);
  else if (p->depth == 0)
    error_add(p->err, "\n  (%s says `like = %s`)", p->src->name, name);
  free(notes);
  p->based = true;
  return ok;
}

static bool read_assignment(Parser *p, const Line *line) {
  const char *equals = memchr(line->body.at, '=', length(line->body));
  if (!equals) return WRONG(p, line->body.at, "expected `key = value` or `[section]`");
  Span word = trim((Span){line->body.at, equals}), value = trim((Span){equals + 1, line->body.end});
  if (is(word, "like")) return read_like(p, value);
  const ArchKey *key = find_key(word);
  if (!key) return unknown(p, word, false);
  size_t index = (size_t)(key - arch_keys);
  if (!p->section || strcmp(p->section, key->section) != 0)
    return WRONG(p, word.at, "%s belongs under [%s]", key->name, key->section);
  if (p->lines[index])
    return WRONG(p, word.at, "%s was given in line %zu already", key->name, p->lines[index]);
  p->lines[index] = line->number;
  if (p->notes) copy(p->notes->text[index], ARCH_NOTE_MAX, line->note);
  return read_value(p, key, value);
}

static bool read_line(Parser *p, const Line *line) {
  if (line->body.at == line->body.end) return true;
  if (*line->body.at == '[') return read_heading(p, line->body);
  return read_assignment(p, line);
}

static bool read_lines(Parser *p) {
  const char *at = p->src->text, *end = at + p->src->length;
  for (size_t number = 1; at < end; number++) {
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    if (!stop) stop = end;
    const char *hash = memchr(at, '#', (size_t)(stop - at));
    Line line = {.body = trim((Span){at, hash ? hash : stop}), .number = number};
    if (hash) line.note = trim((Span){hash + 1, stop});
    if (!read_line(p, &line)) return false;
    at = stop < end ? stop + 1 : end;
  }
  return true;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static bool check_missing(Parser *p) {
  size_t missing = 0;
  if (p->based) return true;
  for (size_t i = 0; i < ARCH_KEYS; i++) missing += p->lines[i] == 0;
  if (!missing) return true;
  error_set(p->err, "%s: error: %zu key%s missing:", p->src->name, missing,
            missing == 1 ? " is" : "s are");
  for (size_t i = 0, shown = 0; i < ARCH_KEYS; i++) {
    if (p->lines[i]) continue;
    if (shown++ == MISSING_SHOWN) break;
    error_add(p->err, "%s %s in [%s]", shown > 1 ? "," : "", arch_keys[i].name,
              arch_keys[i].section);
  }
  if (missing > MISSING_SHOWN) error_add(p->err, ", ...");
  error_add(p->err, "\n  with `like = NAME` in the first line, a file need give only what differs "
                    "from another architecture");
  return false;
}

/* Two keys that must not contradict one another. */
typedef struct Order {
  size_t smaller, larger; /* keys of type COUNT */
} Order;

static bool check_order(Parser *p) {
  static const Order orders[] = {
      {ARCH_KEY_max_threads_per_block, ARCH_KEY_max_threads_per_sm},
      {ARCH_KEY_max_shared_per_block, ARCH_KEY_max_shared_per_block_optin},
      {ARCH_KEY_max_shared_per_block_optin, ARCH_KEY_max_shared_per_sm},
      {ARCH_KEY_max_registers_per_block, ARCH_KEY_registers_per_sm},
      {ARCH_KEY_sector_bytes, ARCH_KEY_line_bytes},
  };
  for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
    const ArchKey *small = &arch_keys[orders[i].smaller], *large = &arch_keys[orders[i].larger];
    uint32_t low = *(const uint32_t *)((const char *)p->arch + small->offset);
    uint32_t high = *(const uint32_t *)((const char *)p->arch + large->offset);
    if (low <= high) continue;
    error_set(p->err, "%s: error: %s (%u) must not be more than %s (%u)", p->src->name, small->name,
              low, large->name, high);
    return false;
  }
  return true;
}

bool arch_parse(Arch *out, ArchNotes *notes, const Source *src, int depth, ErrorBuffer *err) {
  Parser p = {.src = src, .arch = out, .notes = notes, .err = err, .depth = depth};
  return read_lines(&p) && check_missing(&p) && check_order(&p);
}
