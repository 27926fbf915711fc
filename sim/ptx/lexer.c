/* ptx/lexer.c - from bytes to tokens. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/parser.h"

_Noreturn void parse_fail(Parser *ps, size_t where, const char *fmt, ...) {
  char message[2000];
  va_list args;
  va_start(args, fmt);
  vsnprintf(message, sizeof message, fmt, args);
  va_end(args);
  error_at(ps->err, &ps->mod->source, where, "%s", message);
  longjmp(ps->failed, 1);
}

_Noreturn void parse_expected(Parser *ps, const char *what) {
  const Token *t = &ps->tok;
  if (t->kind == TK_END)
    parse_fail(ps, t->where, "the text ends where %s is expected: is the file cut off?", what);
  const char *text = ps->mod->source.text + t->where;
  size_t length = (size_t)(ps->at - text);
  parse_fail(ps, t->where, "%s is expected here, not '%.*s'", what, shown(length), text);
}

/* ---- characters (not the C library's, which depend on the locale) ---------------------------- */

static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool is_name_char(char c) {
  return is_letter(c) || is_digit(c) || c == '_' || c == '$' || c == '%';
}

/* The character `ahead` of the position, or NUL at the end. */
static char peek(const Parser *ps, ptrdiff_t ahead) {
  return ps->end - ps->at > ahead ? ps->at[ahead] : '\0';
}

static size_t offset_of(const Parser *ps, const char *p) {
  return (size_t)(p - ps->mod->source.text);
}

static void skip_line(Parser *ps) {
  const char *stop = memchr(ps->at, '\n', (size_t)(ps->end - ps->at));
  ps->at = stop ? stop : ps->end;
}

static void skip_comment(Parser *ps) {
  size_t where = offset_of(ps, ps->at);
  for (ps->at += 2; !(peek(ps, 0) == '*' && peek(ps, 1) == '/'); ps->at++)
    if (ps->at >= ps->end) parse_fail(ps, where, "this comment has no end: a */ is missing");
  ps->at += 2;
}

static void skip_blanks(Parser *ps) {
  while (ps->at < ps->end) {
    char c = *ps->at, d = peek(ps, 1);
    if (is_blank(c))
      ps->at++;
    else if (c == '/' && d == '*')
      skip_comment(ps);
    else if ((c == '/' && d == '/') || c == '#' || (c == '@' && d == '@'))
      skip_line(ps); /* a comment, a preprocessor's line mark, old debug data (@@DWARF) */
    else
      return;
  }
}

/* ---- numbers --------------------------------------------------------------------------------- */

static int digit_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 99;
}

static uint64_t lex_digits(Parser *ps, int base) {
  const char *start = ps->at;
  uint64_t v = 0;
  for (; digit_value(peek(ps, 0)) < base; ps->at++) {
    uint64_t digit = (uint64_t)digit_value(*ps->at);
    if (v > (UINT64_MAX - digit) / (uint64_t)base)
      parse_fail(ps, offset_of(ps, start), "this number does not fit in 64 bits");
    v = v * (uint64_t)base + digit;
  }
  if (ps->at == start)
    parse_fail(ps, offset_of(ps, start), "a digit is expected here");
  return v;
}

/* 0f3F800000, 0d3FF0000000000000: the bits of a float or double. */
static void lex_float_bits(Parser *ps, Token *t, int digits) {
  ps->at += 2;
  const char *start = ps->at;
  t->kind = TK_FLOAT;
  t->float_bits = (uint8_t)(4 * digits);
  t->integer = lex_digits(ps, 16);
  if (ps->at - start != digits)
    parse_fail(ps, t->where, "0%c takes exactly %d hexadecimal digits", start[-1], digits);
}

static bool looks_like_float(const Parser *ps) {
  const char *p = ps->at;
  while (p < ps->end && is_digit(*p)) p++;
  return p < ps->end && (*p == '.' || *p == 'e' || *p == 'E');
}

static size_t copy_digits(Parser *ps, char *buf, size_t n, size_t size) {
  for (; is_digit(peek(ps, 0)) && n + 1 < size; ps->at++) buf[n++] = *ps->at;
  return n;
}

static void lex_decimal_float(Parser *ps, Token *t) {
  char buf[512];
  size_t n = copy_digits(ps, buf, 0, sizeof buf);
  if (peek(ps, 0) == '.' && n + 1 < sizeof buf) {
    buf[n++] = *ps->at++;
    n = copy_digits(ps, buf, n, sizeof buf);
  }
  if ((peek(ps, 0) == 'e' || peek(ps, 0) == 'E') && n + 2 < sizeof buf) {
    buf[n++] = *ps->at++;
    if (peek(ps, 0) == '+' || peek(ps, 0) == '-') buf[n++] = *ps->at++;
    if (!is_digit(peek(ps, 0)))
      parse_fail(ps, offset_of(ps, ps->at), "the exponent's digits are expected here");
    n = copy_digits(ps, buf, n, sizeof buf);
  }
  if (is_digit(peek(ps, 0))) parse_fail(ps, t->where, "this number has too many digits");
  buf[n] = '\0';
  t->kind = TK_FLOAT;
  t->number = strtod(buf, NULL);
}

static void lex_integer(Parser *ps, Token *t) {
  char d = peek(ps, 1);
  int base = 10;
  if (*ps->at == '0' && (d == 'x' || d == 'X')) {
    base = 16;
    ps->at += 2;
  } else if (*ps->at == '0' && (d == 'b' || d == 'B')) {
    base = 2;
    ps->at += 2;
  } else if (*ps->at == '0' && is_digit(d)) {
    base = 8;
    ps->at++;
  }
  t->kind = TK_INT;
  t->integer = lex_digits(ps, base);
  t->is_unsigned = t->integer > INT64_MAX;
  if (peek(ps, 0) == 'U') {
    t->is_unsigned = true;
    ps->at++;
  }
}

static void lex_number(Parser *ps, Token *t) {
  char d = peek(ps, 1);
  if (*ps->at == '0' && (d == 'f' || d == 'F'))
    lex_float_bits(ps, t, 8);
  else if (*ps->at == '0' && (d == 'd' || d == 'D'))
    lex_float_bits(ps, t, 16);
  else if (looks_like_float(ps))
    lex_decimal_float(ps, t);
  else
    lex_integer(ps, t);
  if (is_name_char(peek(ps, 0)))
    parse_fail(ps, offset_of(ps, ps->at), "'%c' does not belong in a number", *ps->at);
}

/* ---- tokens ---------------------------------------------------------------------------------- */

static void lex_string(Parser *ps, Token *t) {
  t->kind = TK_STRING;
  t->text = ++ps->at;
  while (ps->at < ps->end && *ps->at != '"' && *ps->at != '\n')
    ps->at += *ps->at == '\\' && peek(ps, 1) != '\n' && ps->end - ps->at > 1 ? 2 : 1;
  if (peek(ps, 0) != '"') parse_fail(ps, t->where, "this string has no end: a \" is missing");
  t->length = (size_t)(ps->at - t->text);
  ps->at++;
}

static void lex_name(Parser *ps, Token *t) {
  t->kind = TK_NAME;
  while (is_name_char(peek(ps, 0))) ps->at++;
  t->length = (size_t)(ps->at - t->text);
}

/* .global, .1d, .shared::cta */
static void lex_dot(Parser *ps, Token *t) {
  t->kind = TK_DOT;
  t->text = ++ps->at;
  for (;;) {
    if (is_name_char(peek(ps, 0)))
      ps->at++;
    else if (peek(ps, 0) == ':' && peek(ps, 1) == ':' && is_name_char(peek(ps, 2)))
      ps->at += 2;
    else
      break;
  }
  t->length = (size_t)(ps->at - t->text);
}

void next_token(Parser *ps) {
  skip_blanks(ps);
  Token t = {.kind = TK_END, .text = ps->at, .where = offset_of(ps, ps->at)};
  if (ps->at < ps->end) {
    char c = *ps->at, d = peek(ps, 1);
    if (is_digit(c)) {
      lex_number(ps, &t);
    } else if (is_name_char(c)) {
      lex_name(ps, &t);
    } else if (c == '.' && (is_letter(d) || is_digit(d) || d == '_')) {
      lex_dot(ps, &t);
    } else if (c == '"') {
      lex_string(ps, &t);
    } else if (strchr("@!{}[]()<>,;:+-*/%&|^~=?.\\", c) && c) {
      t.kind = TK_PUNCT;
      t.punct = c;
      t.length = 1;
      ps->at++;
    } else {
      parse_fail(ps, t.where, "the byte 0x%02x has no meaning in PTX", (unsigned char)c);
    }
  }
  ps->tok = t;
}

void rewind_to(Parser *ps, const Token *t) {
  ps->at = ps->mod->source.text + t->where;
  next_token(ps);
}

void relex_fraction(Parser *ps) {
  Token t = {.where = ps->tok.where};
  ps->at = t.text = ps->mod->source.text + t.where;
  lex_decimal_float(ps, &t);
  ps->tok = t;
}

/* ---- what the parser asks -------------------------------------------------------------------- */

bool is_punct(const Parser *ps, char c) { return ps->tok.kind == TK_PUNCT && ps->tok.punct == c; }

bool accept_punct(Parser *ps, char c) {
  if (!is_punct(ps, c)) return false;
  next_token(ps);
  return true;
}

void expect_punct(Parser *ps, char c, const char *after) {
  if (accept_punct(ps, c)) return;
  char what[120];
  snprintf(what, sizeof what, "a '%c' after %s", c, after);
  parse_expected(ps, what);
}

bool is_word(const Token *t, const char *word) {
  return strlen(word) == t->length && memcmp(t->text, word, t->length) == 0;
}

bool accept_dot(Parser *ps, const char *word) {
  if (ps->tok.kind != TK_DOT || !is_word(&ps->tok, word)) return false;
  next_token(ps);
  return true;
}

Token expect_name(Parser *ps, const char *what) {
  Token t = ps->tok;
  if (t.kind != TK_NAME) parse_expected(ps, what);
  next_token(ps);
  return t;
}

uint32_t expect_count(Parser *ps, const char *what) {
  Token t = ps->tok;
  if (t.kind != TK_INT) parse_expected(ps, what);
  if (t.integer > UINT32_MAX) parse_fail(ps, t.where, "%s must be below 2^32", what);
  next_token(ps);
  return (uint32_t)t.integer;
}

void skip_group(Parser *ps, char open, char close) {
  size_t where = ps->tok.where;
  int depth = 0;
  do {
    if (ps->tok.kind == TK_END)
      parse_fail(ps, where, "this '%c' has no '%c': is the file cut off?", open, close);
    depth += is_punct(ps, open) - is_punct(ps, close);
    next_token(ps);
  } while (depth > 0);
}

const char *token_string(Parser *ps, const Token *t) {
  return arena_strndup(ps->arena, t->text, t->length);
}
