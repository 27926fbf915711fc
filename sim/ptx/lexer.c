/* ptx/lexer.c - from bytes to tokens. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/parser.h"

NORETURN void parse_fail(Parser *ps, size_t where, const char *fmt, ...) {
  char message[2000];
  va_list args;
  va_start(args, fmt);
  vsnprintf(message, sizeof message, fmt, args);
  va_end(args);
  error_at(ps->err, &ps->mod->source, where, "%s", message);
  longjmp(ps->failed, 1);
}

static bool is_name_char(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%';
}

static size_t offset_of(const Parser *ps, const char *p) {
  return (size_t)(p - ps->mod->source.text);
}

static void skip_blanks(Parser *ps) {
  while (ps->at < ps->end) {
    char c = *ps->at, d = ps->at + 1 < ps->end ? ps->at[1] : '\0';
    if (isspace((unsigned char)c)) {
      ps->at++;
    } else if (c == '/' && d == '/') {
      while (ps->at < ps->end && *ps->at != '\n') ps->at++;
    } else if (c == '/' && d == '*') {
      const char *start = ps->at;
      ps->at += 2;
      while (ps->at + 1 < ps->end && !(ps->at[0] == '*' && ps->at[1] == '/')) ps->at++;
      if (ps->at + 1 >= ps->end) parse_fail(ps, offset_of(ps, start), "this comment has no end");
      ps->at += 2;
    } else if (c == '#') { /* a preprocessor's line mark */
      while (ps->at < ps->end && *ps->at != '\n') ps->at++;
    } else {
      return;
    }
  }
}

static int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 99;
}

static uint64_t lex_digits(Parser *ps, int base, size_t most) {
  uint64_t v = 0;
  size_t n = 0;
  while (ps->at < ps->end && digit_value(*ps->at) < base && n < most) {
    if (v > (UINT64_MAX - (uint64_t)digit_value(*ps->at)) / (uint64_t)base)
      parse_fail(ps, offset_of(ps, ps->at), "this number does not fit in 64 bits");
    v = v * (uint64_t)base + (uint64_t)digit_value(*ps->at++);
    n++;
  }
  if (n == 0) parse_fail(ps, offset_of(ps, ps->at), "a digit is expected here");
  return v;
}

static bool looks_like_float(const Parser *ps) {
  const char *p = ps->at;
  while (p < ps->end && isdigit((unsigned char)*p)) p++;
  if (p >= ps->end) return false;
  if (*p == '.') return true;
  return (*p == 'e' || *p == 'E') && p + 1 < ps->end &&
         (isdigit((unsigned char)p[1]) || p[1] == '-' || p[1] == '+');
}

static void lex_decimal_float(Parser *ps, Token *t) {
  char buf[64];
  size_t n = 0;
  while (ps->at < ps->end && n + 1 < sizeof buf &&
         (isdigit((unsigned char)*ps->at) || *ps->at == '.' || *ps->at == 'e' || *ps->at == 'E' ||
          ((*ps->at == '-' || *ps->at == '+') && n && (buf[n - 1] == 'e' || buf[n - 1] == 'E'))))
    buf[n++] = *ps->at++;
  buf[n] = '\0';
  t->kind = TK_FLOAT;
  t->number = strtod(buf, NULL);
}

static void lex_number(Parser *ps, Token *t) {
  char c = ps->at[0], d = ps->at + 1 < ps->end ? ps->at[1] : '\0';
  t->kind = TK_INT;
  if (c == '0' && (d == 'f' || d == 'F' || d == 'd' || d == 'D')) {
    bool single = d == 'f' || d == 'F';
    ps->at += 2;
    t->kind = TK_FLOAT;
    t->float_bits = single ? 32 : 64;
    const char *start = ps->at;
    t->integer = lex_digits(ps, 16, 16);
    if (ps->at - start != (single ? 8 : 16))
      parse_fail(ps, t->where, "0%c takes exactly %d hexadecimal digits", d, single ? 8 : 16);
  } else if (c == '0' && (d == 'x' || d == 'X')) {
    ps->at += 2;
    t->integer = lex_digits(ps, 16, 64);
  } else if (c == '0' && (d == 'b' || d == 'B')) {
    ps->at += 2;
    t->integer = lex_digits(ps, 2, 128);
  } else if (looks_like_float(ps)) {
    lex_decimal_float(ps, t);
  } else {
    t->integer = lex_digits(ps, c == '0' && digit_value(d) < 10 ? 8 : 10, 64);
  }
  if (t->kind == TK_INT && ps->at < ps->end && *ps->at == 'U') ps->at++;
  if (ps->at < ps->end && is_name_char(*ps->at))
    parse_fail(ps, offset_of(ps, ps->at), "'%c' does not belong in a number", *ps->at);
}

static void lex_string(Parser *ps, Token *t) {
  t->kind = TK_STRING;
  t->text = ++ps->at;
  while (ps->at < ps->end && *ps->at != '"' && *ps->at != '\n')
    ps->at += *ps->at == '\\' && ps->at + 1 < ps->end ? 2 : 1;
  if (ps->at >= ps->end || *ps->at != '"') parse_fail(ps, t->where, "this string has no end");
  t->length = (size_t)(ps->at - t->text);
  ps->at++;
}

void next_token(Parser *ps) {
  skip_blanks(ps);
  Token t = {.kind = TK_END, .text = ps->at, .where = offset_of(ps, ps->at)};
  if (ps->at < ps->end) {
    char c = *ps->at, d = ps->at + 1 < ps->end ? ps->at[1] : '\0';
    if (isdigit((unsigned char)c)) {
      lex_number(ps, &t);
    } else if (is_name_char(c)) {
      t.kind = TK_NAME;
      while (ps->at < ps->end && is_name_char(*ps->at)) ps->at++;
      t.length = (size_t)(ps->at - t.text);
    } else if (c == '.' && (isalnum((unsigned char)d) || d == '_')) {
      t.kind = TK_DOT;
      t.text = ++ps->at;
      while (ps->at < ps->end && (is_name_char(*ps->at) ||
                                  (*ps->at == ':' && ps->at + 2 < ps->end && ps->at[1] == ':')))
        ps->at += *ps->at == ':' ? 2 : 1;
      t.length = (size_t)(ps->at - t.text);
    } else if (c == '"') {
      lex_string(ps, &t);
    } else {
      t.kind = TK_PUNCT;
      t.punct = c;
      t.length = 1;
      ps->at++;
    }
  }
  ps->tok = t;
}

void relex_fraction(Parser *ps) {
  Token t = {.where = ps->tok.where};
  ps->at = t.text = ps->mod->source.text + t.where;
  lex_decimal_float(ps, &t);
  ps->tok = t;
}

bool is_punct(const Parser *ps, char c) { return ps->tok.kind == TK_PUNCT && ps->tok.punct == c; }

bool accept_punct(Parser *ps, char c) {
  if (!is_punct(ps, c)) return false;
  next_token(ps);
  return true;
}

void expect_punct(Parser *ps, char c, const char *after) {
  if (accept_punct(ps, c)) return;
  if (ps->tok.kind == TK_END)
    parse_fail(ps, ps->tok.where,
               "the text ends where a '%c' is expected after %s: is the file cut off?", c, after);
  parse_fail(ps, ps->tok.where, "a '%c' is expected here, after %s", c, after);
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

void skip_bank(Parser *ps, bool is_const) {
  if (is_const && is_punct(ps, '[')) skip_group(ps, '[', ']');
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
  if (t.kind != TK_NAME) {
    if (t.kind == TK_END)
      parse_fail(ps, t.where, "the text ends where %s is expected: is the file cut off?", what);
    parse_fail(ps, t.where, "%s is expected here", what);
  }
  next_token(ps);
  return t;
}

const char *token_string(Parser *ps, const Token *t) {
  return arena_strndup(ps->arena, t->text, t->length);
}
