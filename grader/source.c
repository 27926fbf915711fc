/* source.c - finding a function in the text of a student's file. */
#include "source.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

enum { LINE_MAX_SHOWN = 120 };

/* A word, a single character, or the end. */
typedef struct Token {
  const char *at;
  size_t length; /* 0: the end */
  uint32_t line;
} Token;

typedef struct Scanner {
  const char *at;
  uint32_t line;
} Scanner;

static void step(Scanner *s) {
  s->line += *s->at == '\n';
  s->at++;
}

static bool starts(const Scanner *s, const char *word) {
  return strncmp(s->at, word, strlen(word)) == 0;
}

static void skip_quoted(Scanner *s) {
  char quote = *s->at;
  step(s);
  while (*s->at && *s->at != quote && *s->at != '\n') {
    if (*s->at == '\\' && s->at[1]) step(s);
    step(s);
  }
  if (*s->at == quote) step(s);
}

/* Blanks, comments, strings and characters. */
static void skip_silent(Scanner *s) {
  for (;;) {
    if (isspace((unsigned char)*s->at)) {
      step(s);
    } else if (starts(s, "//")) {
      while (*s->at && *s->at != '\n') step(s);
    } else if (starts(s, "/*")) {
      while (*s->at && !starts(s, "*/")) step(s);
      for (int i = 0; i < 2 && *s->at; i++) step(s);
    } else if (*s->at == '"' || *s->at == '\'') {
      skip_quoted(s);
    } else {
      return;
    }
  }
}

static bool in_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static Token next_token(Scanner *s) {
  skip_silent(s);
  Token t = {.at = s->at, .line = s->line};
  while (in_word(s->at[t.length])) t.length++;
  if (t.length == 0 && *s->at) t.length = 1;
  for (size_t i = 0; i < t.length; i++) step(s);
  return t;
}

static bool is(Token t, const char *word) {
  return t.length == strlen(word) && memcmp(t.at, word, t.length) == 0;
}

/* After an opening bracket: goes past the one that closes it. Counts the word `counted`. */
static int skip_brackets(Scanner *s, const char *open, const char *close, const char *counted,
                         uint32_t *counted_line) {
  int depth = 1, count = 0;
  while (depth > 0) {
    Token t = next_token(s);
    if (t.length == 0) break;
    depth += is(t, open) - is(t, close);
    if (!is(t, counted)) continue;
    count++;
    *counted_line = t.line;
  }
  return count;
}

uint32_t source_function_line(const char *text, const char *function) {
  Scanner s = {text, 1};
  uint32_t line = 0;
  for (Token t; (t = next_token(&s)).length > 0;) {
    if (!is(t, function)) continue;
    Scanner ahead = s;
    if (!is(next_token(&ahead), "(")) continue;
    skip_brackets(&ahead, "(", ")", "", &line);
    if (!is(next_token(&ahead), "{")) continue;
    return skip_brackets(&ahead, "{", "}", "return", &line) == 1 ? line : t.line;
  }
  return 0;
}

const char *source_line_text(Arena *arena, const char *text, uint32_t line) {
  if (line == 0) return NULL;
  for (uint32_t i = 1; i < line; i++) {
    text = strchr(text, '\n');
    if (!text) return NULL;
    text++;
  }
  size_t length = strcspn(text, "\r\n");
  while (length && isspace((unsigned char)*text)) text++, length--;
  while (length && isspace((unsigned char)text[length - 1])) length--;
  if (length > LINE_MAX_SHOWN) return arena_printf(arena, "%.*s...", LINE_MAX_SHOWN, text);
  return arena_strndup(arena, text, length);
}
