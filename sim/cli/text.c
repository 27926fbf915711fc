/* cli/text.c - growing text, messages with a caret, reading files. */
#include "cli/text.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- growing ------------------------------------------------------------------------------- */

static void reserve(Text *t, size_t more) {
  if (t->length + more + 1 <= t->capacity) return;
  size_t capacity = t->capacity ? t->capacity : 256;
  while (capacity < t->length + more + 1) capacity *= 2;
  char *data = realloc(t->data, capacity);
  if (!data) {
    fputs("warpsim: error: out of memory\n", stderr);
    exit(GPU_INTERNAL);
  }
  t->data = data;
  t->capacity = capacity;
}

void text_bytes(Text *t, const char *bytes, size_t length) {
  reserve(t, length);
  memcpy(t->data + t->length, bytes, length);
  t->length += length;
  t->data[t->length] = '\0';
}

void text_vadd(Text *t, const char *format, va_list args) {
  va_list again;
  va_copy(again, args);
  reserve(t, 0);
  int n = vsnprintf(t->data + t->length, t->capacity - t->length, format, args);
  if (n > 0) {
    if (t->length + (size_t)n >= t->capacity) {
      reserve(t, (size_t)n);
      vsnprintf(t->data + t->length, (size_t)n + 1, format, again);
    }
    t->length += (size_t)n;
  }
  va_end(again);
}

void text_add(Text *t, const char *format, ...) {
  va_list args;
  va_start(args, format);
  text_vadd(t, format, args);
  va_end(args);
}

void text_clear(Text *t) {
  t->length = 0;
  if (t->data) t->data[0] = '\0';
}

void text_free(Text *t) {
  free(t->data);
  *t = (Text){0};
}

Span span_str(const char *text) { return (Span){text, strlen(text)}; }

bool span_is(Span s, const char *word) {
  return strlen(word) == s.length && memcmp(s.at, word, s.length) == 0;
}

/* ---- messages ------------------------------------------------------------------------------ */

gpu_result fail(Text *err, const char *format, ...) {
  va_list args;
  va_start(args, format);
  text_clear(err);
  text_vadd(err, format, args);
  va_end(args);
  return GPU_BAD_INPUT;
}

gpu_result fail_as(Text *err, gpu_result result, const char *message) {
  fail(err, "%s", *message ? message : "internal error: the simulator gave no reason");
  return result;
}

static bool continues_character(char c) { return ((unsigned char)c & 0xc0) == 0x80; }

/* Adds bytes of foreign text for one line of a message; returns the columns that they take. */
static size_t add_visible(Text *t, const char *bytes, size_t length) {
  size_t columns = 0;
  for (size_t i = 0; i < length; i++) {
    char c = bytes[i];
    if (c == '\t') c = ' ';
    if ((unsigned char)c < ' ' || c == 0x7f) c = '?';
    text_bytes(t, &c, 1);
    columns += !continues_character(c);
  }
  return columns;
}

/* A long input is cut around the part in question. */
enum { CONTEXT = 48 };

static void add_caret(Text *err, const char *whole, Span where) {
  size_t length = strlen(whole);
  size_t start = where.at >= whole && where.at <= whole + length ? (size_t)(where.at - whole) : 0;
  size_t end = start + where.length < length ? start + where.length : length;
  size_t from = start > CONTEXT ? start - CONTEXT : 0;
  size_t to = length - start > (size_t)2 * CONTEXT ? start + (size_t)2 * CONTEXT : length;
  while (from > 0 && continues_character(whole[from])) from--;
  while (to < length && continues_character(whole[to])) to++;
  text_add(err, "\n  %s", from ? "..." : "");
  size_t before = add_visible(err, whole + from, start - from) + (from ? 3 : 0);
  size_t under = add_visible(err, whole + start, (end < to ? end : to) - start);
  if (end < to) add_visible(err, whole + end, to - end);
  text_add(err, "%s\n  %*s^", to < length ? "..." : "", (int)before, "");
  for (size_t i = 1; i < under; i++) text_bytes(err, "~", 1);
}

gpu_result fail_at(Text *err, const char *whole, Span where, const char *format, ...) {
  va_list args;
  va_start(args, format);
  text_clear(err);
  text_vadd(err, format, args);
  va_end(args);
  add_caret(err, whole, where);
  return GPU_BAD_INPUT;
}

/* The number of letters to add, drop, change or swap with their neighbour between two short words.
 */
static size_t edit_distance(Span a, Span b) {
  enum { LONGEST = 40 };
  size_t row[3][LONGEST + 1];
  if (a.length > LONGEST || b.length > LONGEST) return SIZE_MAX;
  for (size_t j = 0; j <= b.length; j++) row[0][j] = j;
  for (size_t i = 1; i <= a.length; i++) {
    size_t *now = row[i % 3], *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];
    now[0] = i;
    for (size_t j = 1; j <= b.length; j++) {
      size_t best = last[j - 1] + (a.at[i - 1] != b.at[j - 1]);
      if (last[j] + 1 < best) best = last[j] + 1;
      if (now[j - 1] + 1 < best) best = now[j - 1] + 1;
      bool swapped = i > 1 && j > 1 && a.at[i - 1] == b.at[j - 2] && a.at[i - 2] == b.at[j - 1];
      if (swapped && before[j - 2] + 1 < best) best = before[j - 2] + 1;
      now[j] = best;
    }
  }
  return row[a.length % 3][b.length];
}

void text_suggest(Text *t, Span word, const void *first, size_t count, size_t stride) {
  const char *best = NULL;
  size_t limit = word.length < 3 ? 1 : word.length / 3, nearest = limit + 1;
  for (size_t i = 0; i < count; i++) {
    const char *candidate;
    memcpy(&candidate, (const char *)first + i * stride, sizeof candidate);
    size_t distance = edit_distance(word, span_str(candidate));
    if (distance < nearest && distance < strlen(candidate)) {
      nearest = distance;
      best = candidate;
    }
  }
  if (best) text_add(t, "; did you mean '%s'?", best);
}

static bool stderr_has_colour(void) {
  const char *term = getenv("TERM");
  return isatty(STDERR_FILENO) && !getenv("NO_COLOR") && term && strcmp(term, "dumb") != 0;
}

static bool names_its_place(const char *message) {
  const char *mark = strstr(message, ": error: ");
  const char *newline = strchr(message, '\n');
  return mark && (!newline || mark < newline);
}

void print_error(const char *who, const char *message) {
  const char *on = stderr_has_colour() ? "\033[1;31m" : "", *off = *on ? "\033[0m" : "";
  size_t length = strlen(message);
  const char *end = length && message[length - 1] == '\n' ? "" : "\n";
  if (names_its_place(message))
    fprintf(stderr, "%s%s", message, end);
  else
    fprintf(stderr, "%s: %serror:%s %s%s", who, on, off, message, end);
}

/* ---- files --------------------------------------------------------------------------------- */

static bool read_all(FILE *in, Text *out) {
  char block[65536];
  size_t n;
  while ((n = fread(block, 1, sizeof block, in)) > 0) text_bytes(out, block, n);
  return !ferror(in);
}

char *read_file(const char *path, size_t *length, Text *err) {
  FILE *in = fopen(path, "rb");
  if (!in) {
    fail(err, "cannot open '%s': %s", path, strerror(errno));
    return NULL;
  }
  Text all = {0};
  text_bytes(&all, "", 0);
  errno = 0;
  bool ok = read_all(in, &all);
  int why = errno;
  fclose(in);
  if (ok) {
    *length = all.length;
    return all.data;
  }
  fail(err, "cannot read '%s': %s", path, strerror(why));
  text_free(&all);
  return NULL;
}

/* ---- JSON ---------------------------------------------------------------------------------- */

/* The length of the UTF-8 character at s, or 0 when there is none. */
static size_t utf8_length(const char *s) {
  unsigned char c = (unsigned char)s[0];
  size_t n = c < 0x80                ? 1
             : c >= 0xc2 && c < 0xe0 ? 2
             : c >= 0xe0 && c < 0xf0 ? 3
             : c >= 0xf0 && c < 0xf5 ? 4
                                     : 0;
  for (size_t i = 1; i < n; i++)
    if (!continues_character(s[i])) return 0;
  unsigned char d = n > 1 ? (unsigned char)s[1] : 0;
  bool overlong = (c == 0xe0 && d < 0xa0) || (c == 0xf0 && d < 0x90);
  bool outside = (c == 0xed && d > 0x9f) || (c == 0xf4 && d > 0x8f);
  return overlong || outside ? 0 : n;
}

void json_string(Text *t, const char *text) {
  text_bytes(t, "\"", 1);
  for (const char *s = text; *s;) {
    size_t n = utf8_length(s);
    if (n == 0)
      text_add(t, "\\ufffd");
    else if (*s == '"' || *s == '\\')
      text_add(t, "\\%c", *s);
    else if (*s == '\n')
      text_add(t, "\\n");
    else if ((unsigned char)*s < ' ' || *s == 0x7f)
      text_add(t, "\\u%04x", (unsigned)(unsigned char)*s);
    else
      text_bytes(t, s, n);
    s += n ? n : 1;
  }
  text_bytes(t, "\"", 1);
}
