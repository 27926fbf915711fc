/* view/write.h - text of others, made harmless for the file that it goes into. */
#ifndef WARPBOOK_VIEW_WRITE_H
#define WARPBOOK_VIEW_WRITE_H

#include <stddef.h>
#include <stdio.h>

/* A JSON string, with its quotes. `<`, `>` and `&` are escaped, too, so that it can stand in a
 * page; bytes that are not UTF-8 become U+FFFD. text NULL: null. */
void write_json(FILE *out, const char *text, size_t length);
/* A field of a CSV row, in quotes. */
void write_csv(FILE *out, const char *text);

#endif
