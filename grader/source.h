/* source.h - finding a function in the text of a student's file. */
#ifndef WARPBOOK_GRADER_SOURCE_H
#define WARPBOOK_GRADER_SOURCE_H

#include <stdint.h>

#include "base/arena.h"

/* The line (from 1) that says what the function gives: its `return` when there is exactly one, else
 * the line of its name. 0 when the text has no definition of it. Comments, strings and what #line
 * says are passed over. */
uint32_t source_function_line(const char *text, const char *function);

/* The line's text without the blanks around it, cut to a sane length; NULL when there is none. */
const char *source_line_text(Arena *arena, const char *text, uint32_t line);

#endif
