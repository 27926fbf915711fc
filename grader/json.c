/* json.c - a small strict JSON reader and writer. */
#include "json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 64, NUMBER_MAX = 64 };

/* ---- reading ------------------------------------------------------------------------------- */

typedef struct Reader {
  Arena *arena;
  const char *at, *end;
  int depth;
} Reader;

static bool read_value(Reader *r, Json *value);

static void skip_blanks(Reader *r) {
  while (r->at < r->end && *r->at && strchr(" \t\r\n", *r->at)) r->at++;
}

static bool take(Reader *r, char c) {
  skip_blanks(r);
  if (r->at == r->end || *r->at != c) return false;
  r->at++;
  return true;
}

static bool take_word(Reader *r, const char *word) {
  size_t length = strlen(word);
  if ((size_t)(r->end - r->at) < length || memcmp(r->at, word, length) != 0) return false;
  r->at += length;
  return true;
}

static bool read_hex4(Reader *r, unsigned *code) {
  *code = 0;
  for (int i = 0; i < 4; i++, r->at++) {
    if (r->at == r->end) return false;
    char c = *r->at;
    unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
                     : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
                     : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10
                                            : 16;
    if (digit == 16) return false;
    *code = *code * 16 + digit;
  }
  return true;
}

static void add_utf8(Text *t, unsigned code) {
  char bytes[4];
  size_t n;
  if (code < 0x80) {
    n = 1;
    bytes[0] = (char)code;
  } else if (code < 0x800) {
    n = 2;
    bytes[0] = (char)(0xc0 | code >> 6);
  } else if (code < 0x10000) {
    n = 3;
    bytes[0] = (char)(0xe0 | code >> 12);
  } else {
    n = 4;
    bytes[0] = (char)(0xf0 | code >> 18);
  }
  for (size_t i = 1; i < n; i++) bytes[i] = (char)(0x80 | (code >> 6 * (n - 1 - i) & 0x3f));
  text_bytes(t, bytes, n);
}

/* After "\u": one code unit, or two that make a pair. A half pair and NUL become U+FFFD. */
static bool read_unicode(Reader *r, Text *t) {
  unsigned code, low;
  if (!read_hex4(r, &code)) return false;
  if (code >= 0xd800 && code < 0xdc00 && take_word(r, "\\u")) {
    if (!read_hex4(r, &low)) return false;
    code =
        low >= 0xdc00 && low < 0xe000 ? 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00) : 0xfffd;
  }
  if (code == 0 || (code >= 0xd800 && code < 0xe000)) code = 0xfffd;
  add_utf8(t, code);
  return true;
}

static bool read_escape(Reader *r, Text *t) {
  static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
  if (r->at == r->end) return false;
  char c = *r->at++;
  if (c == 'u') return read_unicode(r, t);
  const char *found = c ? strchr(from, c) : NULL;
  if (!found) return false;
  text_bytes(t, &to[found - from], 1);
  return true;
}

static bool read_characters(Reader *r, Text *t) {
  while (r->at < r->end) {
    unsigned char c = (unsigned char)*r->at++;
    if (c == '"') return true;
    if (c < ' ') return false;
    if (c != '\\')
      text_bytes(t, r->at - 1, 1);
    else if (!read_escape(r, t))
      return false;
  }
  return false;
}

static bool read_string(Reader *r, const char **out) {
  if (!take(r, '"')) return false;
  Text t = {0};
  bool good = read_characters(r, &t);
  if (good) *out = arena_strndup(r->arena, text_str(&t), t.length);
  text_free(&t);
  return good;
}

static bool read_number(Reader *r, double *out) {
  char digits[NUMBER_MAX + 1];
  size_t n = 0;
  while (n < NUMBER_MAX && r->at + n < r->end && r->at[n] && strchr("+-.eE0123456789", r->at[n]))
    n++;
  memcpy(digits, r->at, n);
  digits[n] = '\0';
  const char *first = digits + (digits[0] == '-');
  if (*first < '0' || *first > '9') return false;
  char *end;
  *out = strtod(digits, &end);
  r->at += n;
  return *end == '\0';
}

static bool read_members(Reader *r, Json *value) {
  bool object = value->type == JSON_OBJECT;
  char close = object ? '}' : ']';
  if (take(r, close)) return true;
  Json **link = &value->first;
  do {
    Json *member = ARENA_NEW(r->arena, Json);
    if (object && (!read_string(r, &member->key) || !take(r, ':'))) return false;
    if (!read_value(r, member)) return false;
    *link = member;
    link = &member->next;
  } while (take(r, ','));
  return take(r, close);
}

static bool read_nested(Reader *r, Json *value) {
  value->type = *r->at++ == '{' ? JSON_OBJECT : JSON_ARRAY;
  if (++r->depth > DEPTH_MAX) return false;
  bool good = read_members(r, value);
  r->depth--;
  return good;
}

static bool read_value(Reader *r, Json *value) {
  skip_blanks(r);
  if (r->at == r->end) return false;
  switch (*r->at) {
  case '{':
  case '[': return read_nested(r, value);
  case '"': value->type = JSON_STRING; return read_string(r, &value->string);
  case 'n': return take_word(r, "null");
  case 't':
    value->type = JSON_BOOL;
    value->truth = true;
    return take_word(r, "true");
  case 'f': value->type = JSON_BOOL; return take_word(r, "false");
  default: value->type = JSON_NUMBER; return read_number(r, &value->number);
  }
}

Json *json_parse(Arena *arena, const char *text, size_t length) {
  Reader r = {.arena = arena, .at = text, .end = text + length};
  Json *value = ARENA_NEW(arena, Json);
  if (!read_value(&r, value)) return NULL;
  skip_blanks(&r);
  return r.at == r.end ? value : NULL;
}

const Json *json_get(const Json *value, const char *key) {
  if (!value || value->type != JSON_OBJECT) return NULL;
  for (const Json *m = value->first; m; m = m->next)
    if (strcmp(m->key, key) == 0) return m;
  return NULL;
}

const char *json_get_string(const Json *value, const char *key, const char *otherwise) {
  const Json *m = json_get(value, key);
  return m && m->type == JSON_STRING ? m->string : otherwise;
}

double json_get_number(const Json *value, const char *key, double otherwise) {
  const Json *m = json_get(value, key);
  return m && m->type == JSON_NUMBER ? m->number : otherwise;
}

bool json_get_bool(const Json *value, const char *key, bool otherwise) {
  const Json *m = json_get(value, key);
  return m && m->type == JSON_BOOL ? m->truth : otherwise;
}

/* ---- writing ------------------------------------------------------------------------------- */

/* A comma, unless this is the first member of an object or array or the start of the text. */
static void begin_member(Text *t, const char *key) {
  char last = t->length ? t->data[t->length - 1] : '\n';
  if (!strchr("{[:\n", last)) text_add(t, ",");
  if (!key) return;
  json_string(t, key);
  text_add(t, ":");
}

void json_open(Text *t, const char *key, char bracket) {
  begin_member(t, key);
  text_bytes(t, &bracket, 1);
}

void json_close(Text *t, char bracket) { text_bytes(t, &bracket, 1); }

void json_add_string(Text *t, const char *key, const char *value) {
  begin_member(t, key);
  if (value)
    json_string(t, value);
  else
    text_add(t, "null");
}

void json_add_number(Text *t, const char *key, double value) {
  begin_member(t, key);
  if (!isfinite(value))
    text_add(t, "null");
  else if (value == floor(value) && fabs(value) < 1e15)
    text_add(t, "%.0f", value);
  else
    text_add(t, "%.17g", value);
}

void json_add_bool(Text *t, const char *key, bool value) {
  begin_member(t, key);
  text_add(t, value ? "true" : "false");
}

void json_add_null(Text *t, const char *key) {
  begin_member(t, key);
  text_add(t, "null");
}
