/* cli/text.h - text that grows, and messages that point at the part of an input they speak of.
 *
 * A function of the command line that can fail takes a `Text *err`, fills it and returns a
 * gpu_result; only main() and the batch loop print it. */
#ifndef WARPBOOK_CLI_TEXT_H
#define WARPBOOK_CLI_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "gpu.h"

#define PRINTF_LIKE(fmt, first) __attribute__((__format__(__printf__, fmt, first)))

/* Starts as {0}. data is NULL or NUL-terminated. */
typedef struct Text {
  char *data;
  size_t length, capacity;
} Text;

void text_add(Text *t, const char *format, ...) PRINTF_LIKE(2, 3);
void text_vadd(Text *t, const char *format, va_list args);
void text_bytes(Text *t, const char *bytes, size_t length);
void text_clear(Text *t);
void text_free(Text *t);
static inline const char *text_str(const Text *t) { return t->data ? t->data : ""; }

/* A part of a text. */
typedef struct Span {
  const char *at;
  size_t length;
} Span;

static inline Span span_of(const char *text, size_t length) { return (Span){text, length}; }
Span span_str(const char *text);
bool span_is(Span s, const char *word);
/* For printf's "%.*s". */
#define SPAN(s) (int)(s).length, (s).at

/* Replaces err by the message and returns GPU_BAD_INPUT. */
gpu_result fail(Text *err, const char *format, ...) PRINTF_LIKE(2, 3);
/* Passes on what the library said: replaces err by its message and returns its result. */
gpu_result fail_as(Text *err, gpu_result result, const char *message);
/* As fail(), followed by `whole` and a caret under its part `where`:
 *   'i33' is not a type
 *     buf:i33:4:zero
 *         ^~~ */
gpu_result fail_at(Text *err, const char *whole, Span where, const char *format, ...)
    PRINTF_LIKE(4, 5);

/* Adds "; did you mean 'X'?" for the nearest of the candidates, if one is near. The candidates are
 * read with `stride` bytes between one `const char *` and the next, so that a table can be given.
 */
void text_suggest(Text *t, Span word, const void *first, size_t count, size_t stride);

/* Prints "who: error: message" (who may name a file and a line); colours it on a terminal. A
 * message that already begins with a place and "error:" is printed as it is. */
void print_error(const char *who, const char *message);

/* Reads a whole file; to be freed. NULL with err filled when it cannot be read. */
char *read_file(const char *path, size_t *length, Text *err);

/* Adds a JSON string, quotes included; bytes that are not UTF-8 become U+FFFD. */
void json_string(Text *t, const char *text);

#endif
