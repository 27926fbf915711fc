/* timing/arch_parse.h - the text of an architecture file; used by arch.c only. */
#ifndef WARPBOOK_TIMING_ARCH_PARSE_H
#define WARPBOOK_TIMING_ARCH_PARSE_H

#include "timing/arch.h"

/* How many `like = NAME` deep a file may stand on others. */
enum { ARCH_LIKE_MAX = 8 };

/* Reads the file's text into *out (zeroed by the caller, but for its name) and *notes (may be
 * NULL). `depth` counts the `like` steps that led here. False with a message. */
bool arch_parse(Arch *out, ArchNotes *notes, const Source *src, int depth, ErrorBuffer *err);

/* arch.c: finds, reads and parses a name or a path. */
bool arch_load_at(Arch *out, ArchNotes *notes, const char *name_or_path, int depth,
                  ErrorBuffer *err);

#endif
