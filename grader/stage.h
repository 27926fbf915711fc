/* stage.h - the private folder in which one submission is graded.
 *
 *   FOLDER/in/             copies of the student's files
 *   FOLDER/request.json    what is to be run
 *   FOLDER/out/            what the suites write: records.jsonl
 *   FOLDER/log             what they print
 *
 * Copies, so that a file that changes while it is graded, a link, or a strange name can do no harm.
 */
#ifndef WARPBOOK_GRADER_STAGE_H
#define WARPBOOK_GRADER_STAGE_H

#include "base/arena.h"
#include "cli/text.h"

typedef struct Stage {
  const char *folder, *in, *out, *request, *records, *log;
} Stage;

/* Makes the folder in $TMPDIR or /tmp. GPU_INTERNAL when that is not possible. */
gpu_result stage_open(Stage *stage, Arena *arena, Text *err);
void stage_close(const Stage *stage);

/* Copies the file `name` of `folder` into in/. GPU_BAD_INPUT with a message for the student when it
 * is missing, no plain file, larger than 1 MiB, or not a text. *text (may be NULL) is its text, in
 * the arena. */
gpu_result stage_copy(const Stage *stage, Arena *arena, const char *folder, const char *name,
                      const char **text, Text *err);

#endif
