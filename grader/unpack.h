/* unpack.h - taking the wanted files out of an archive.
 *
 * The program `unpack` (unpack/main.c) does it, with libarchive, in the sandbox. Nothing is written
 * under a name that the archive gives: the files come out as 0, 1, 2 ... of a list. */
#ifndef WARPBOOK_GRADER_UNPACK_H
#define WARPBOOK_GRADER_UNPACK_H

#include "base/arena.h"
#include "cli/text.h"
#include "sandbox.h"

/* The name of the list, in the folder that is written to: a line of JSON for each file,
 *   {"path":"a/partition.cu","link":false,"file":"0"}
 * and at the end {"end":true,"message":null}. */
#define UNPACK_LIST "list.jsonl"

/* A file that lies in a folder or an archive. */
typedef struct Found {
  const char *path; /* in the folder or archive */
  const char *file; /* where its text can be read; NULL when it cannot */
  bool link;
} Found;

typedef struct FoundList {
  Found *items;
  size_t count, capacity;
} FoundList;

/* Takes the files out whose names fit one of `wanted` (NULL-terminated), into the empty `folder`,
 * at most 1 MiB and one byte of each, and lists some of the others. GPU_BAD_INPUT with a message
 * for the student when the archive is damaged, too large, or none; GPU_INTERNAL when it cannot be
 * tried. */
gpu_result unpack(FoundList *out, Arena *arena, const char *archive, const char *folder,
                  const char *const *wanted, SandboxKind sandbox, Text *err);

#endif
