/* clean.h - text that may come from anywhere, made harmless to show. */
#ifndef WARPBOOK_GRADER_CLEAN_H
#define WARPBOOK_GRADER_CLEAN_H

#include "cli/text.h"

/* Adds the text with control characters and bytes that are no UTF-8 replaced by '?', a tab by a
 * blank. */
void add_clean(Text *out, const char *text, size_t length);

/* The same with the characters that HTML and XML keep for themselves escaped; newlines stay. NULL
 * is nothing. */
void add_escaped(Text *out, const char *text);

#endif
