/* base/error.c - messages with places. */
#include "base/error.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_WIDTH = 100 }; /* columns of a source line that are shown */

void error_init(ErrorBuffer *e) {
  e->text = calloc(1, ERROR_MAX);
  e->length = 0;
}

void error_release(ErrorBuffer *e) {
  free(e->text);
  e->text = NULL;
  e->length = 0;
}

void error_clear(ErrorBuffer *e) {
  e->length = 0;
  if (e->text) e->text[0] = '\0';
}

/* Foreign text must not move the cursor or colour a terminal: control characters become '?'. */
static void make_harmless(char *s) {
  for (; *s; s++)
    if (((unsigned char)*s < 32 && *s != '\n' && *s != '\t') || *s == 127) *s = '?';
}

void error_vadd(ErrorBuffer *e, const char *fmt, va_list args) {
  if (!e->text || e->length + 1 >= ERROR_MAX) return;
  size_t room = ERROR_MAX - e->length;
  int n = vsnprintf(e->text + e->length, room, fmt, args);
  if (n < 0) return;
  make_harmless(e->text + e->length);
  e->length += (size_t)n < room ? (size_t)n : room - 1;
}

void error_add(ErrorBuffer *e, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  error_vadd(e, fmt, args);
  va_end(args);
}

void error_set(ErrorBuffer *e, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  error_clear(e);
  error_vadd(e, fmt, args);
  va_end(args);
}

void source_position(const Source *src, size_t offset, uint32_t *line, uint32_t *column) {
  if (offset > src->length) offset = src->length;
  uint32_t lines = 1;
  size_t start = 0;
  for (size_t i = 0; i < offset; i++)
    if (src->text[i] == '\n') {
      lines++;
      start = i + 1;
    }
  *line = lines;
  *column = (uint32_t)(offset - start) + 1;
}

bool source_line(const Source *src, uint32_t line, const char **at, size_t *length) {
  const char *p = src->text, *end = src->text + src->length;
  for (uint32_t i = 1; i < line; i++) {
    p = memchr(p, '\n', (size_t)(end - p));
    if (!p) return false;
    p++;
  }
  const char *stop = memchr(p, '\n', (size_t)(end - p));
  if (!stop) stop = end;
  if (stop > p && stop[-1] == '\r') stop--;
  *at = p;
  *length = (size_t)(stop - p);
  return line > 0;
}

void error_add_source_line(ErrorBuffer *e, const Source *src, uint32_t line, uint32_t column) {
  const char *text;
  size_t length;
  if (!source_line(src, line, &text, &length)) return;
  size_t first = column > SHOWN_WIDTH * 3 / 4 ? column - SHOWN_WIDTH / 2 : 0;
  if (first > length) first = length;
  size_t shown = length - first < SHOWN_WIDTH ? length - first : SHOWN_WIDTH;
  char copy[SHOWN_WIDTH + 1];
  for (size_t i = 0; i < shown; i++) {
    char c = text[first + i];
    copy[i] = c == '\t' ? ' ' : (unsigned char)c < 32 ? '?' : c;
  }
  copy[shown] = '\0';
  error_add(e, "%5u | %s\n", line, copy);
  if (column && column - 1 >= first && column - 1 - first <= shown)
    error_add(e, "      | %*s^\n", (int)(column - 1 - first), "");
}

void error_at(ErrorBuffer *e, const Source *src, size_t offset, const char *fmt, ...) {
  uint32_t line, column;
  source_position(src, offset, &line, &column);
  error_set(e, "%s:%u:%u: error: ", src->name, line, column);
  va_list args;
  va_start(args, fmt);
  error_vadd(e, fmt, args);
  va_end(args);
  error_add(e, "\n");
  error_add_source_line(e, src, line, column);
}

/* ---- did you mean ---------------------------------------------------------------------------- */

enum { LONGEST_WORD = 64 };

static size_t edit_distance(const char *a, const char *b) {
  size_t n = strlen(a), m = strlen(b), row[LONGEST_WORD + 1];
  if (n > LONGEST_WORD || m > LONGEST_WORD) return SIZE_MAX;
  for (size_t j = 0; j <= m; j++) row[j] = j;
  for (size_t i = 1; i <= n; i++) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= m; j++) {
      size_t change = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      size_t add = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
      row[j] = change < add ? change : add;
    }
  }
  return row[m];
}

const char *nearest_word(const char *word, const char *const *candidates, size_t count) {
  const char *best = NULL;
  size_t least = strlen(word) / 3 + 1;
  for (size_t i = 0; i < count; i++) {
    size_t d = edit_distance(word, candidates[i]);
    if (d < least) {
      least = d;
      best = candidates[i];
    }
  }
  return best;
}
