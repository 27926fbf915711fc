/* base/error.h - one message at a time, with the place it speaks of.
 *
 *   kernel.ptx:12:3: error: unknown instruction 'addd.s32'
 *      12 |   addd.s32 %r1, %r2, %r3;
 *         |   ^
 *   did you mean 'add.s32'? */
#ifndef WARPBOOK_BASE_ERROR_H
#define WARPBOOK_BASE_ERROR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/platform.h"

/* A text held in memory that messages can point into. */
typedef struct Source {
  const char *name;
  const char *text;
  size_t length;
} Source;

typedef struct ErrorBuffer {
  char *text; /* NUL-terminated, "" when there is no error; at most ERROR_MAX bytes */
  size_t length;
} ErrorBuffer;

enum { ERROR_MAX = 16384 };

void error_init(ErrorBuffer *e);
void error_release(ErrorBuffer *e);
void error_clear(ErrorBuffer *e);
/* Replaces, or adds to, the message. Control characters from foreign text are made harmless. */
void error_set(ErrorBuffer *e, const char *format, ...) PRINTF_LIKE(2, 3);
void error_add(ErrorBuffer *e, const char *format, ...) PRINTF_LIKE(2, 3);
void error_vadd(ErrorBuffer *e, const char *format, va_list args);
/* Replaces the message with "name:line:column: error: ..." and the source line with a caret. */
void error_at(ErrorBuffer *e, const Source *src, size_t offset, const char *format, ...)
    PRINTF_LIKE(4, 5);
/* Adds "   12 | text of the line" and a caret under column (1-based; 0: no caret). Nothing when
 * the source has no such line. Long lines are cut around the caret; tabs become one blank. */
void error_add_source_line(ErrorBuffer *e, const Source *src, uint32_t line, uint32_t column);
/* 1-based line and column of a byte offset. */
void source_position(const Source *src, size_t offset, uint32_t *line, uint32_t *column);
/* The bytes of a line, without its end; false when the source is shorter. */
bool source_line(const Source *src, uint32_t line, const char **at, size_t *length);

/* The candidate nearest to `word` in edit distance (at most 1/3 of its length away), or NULL:
 * for "did you mean". */
const char *nearest_word(const char *word, const char *const *candidates, size_t count);

#endif
