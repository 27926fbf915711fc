/* handin.h - what the students of a class handed in, found and made tidy.
 *
 * In the folder of a class lies, for each student, a folder or an archive (zip, tar, tar.gz) of his
 * name; or files as Canvas names them when it downloads a whole class:
 * doejane_LATE_1234_567890_partition.cu. What is in a folder may have strange names and lie deep.
 * Collecting picks out the files of the labs, and copies them to TARGET/NN-slug/ under their right
 * names; nothing else is ever read. */
#ifndef WARPBOOK_GRADER_HANDIN_H
#define WARPBOOK_GRADER_HANDIN_H

#include "lab.h"
#include "sandbox.h"

typedef enum HandinKind { HANDIN_FOLDER, HANDIN_ARCHIVE, HANDIN_FILES, HANDIN_REFUSED } HandinKind;

typedef struct Handin {
  HandinKind kind;
  const char *name;    /* the student's, as the folder's or the file's name has it */
  const char *id;      /* the same as a name for a folder of ours: plain ASCII, unique */
  const char *number;  /* the student's number in Canvas; NULL when it is not known */
  const char *refusal; /* HANDIN_REFUSED: why */
  bool late;           /* Canvas marked it */
  const char **paths;  /* the folder, the archive, or the files */
  size_t path_count, path_capacity;
} Handin;

typedef struct Handins {
  Handin *items; /* by name */
  size_t count, capacity;
  Text remarks; /* what lies there and is no submission, a line each */
} Handins;

gpu_result handins_find(Handins *out, Arena *arena, const char *folder, Text *err);

/* One student's folder or archive. */
gpu_result handin_at(Handin *out, Arena *arena, const char *path, Text *err);

/* Fills TARGET, which is made anew, with the files of the `count` labs, which are loaded. What the
 * student should know (a file that is missing, a link, two files that would fit) goes to `notes`,
 * a line each. GPU_INTERNAL only when the grader itself fails. */
gpu_result handin_collect(const Handin *h, Arena *arena, const Lab *labs, size_t count,
                          const char *target, SandboxKind sandbox, Text *notes, Text *err);

#endif
