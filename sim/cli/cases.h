/* cli/cases.h - a table of cases: one launch a row, its columns separated by tabs:
 *
 *   id kernel grid block dynamic_smem flags args
 *
 * Lines that begin with # are comments; a line that begins with "id" is the heading. flags is `-`
 * or `flush` (wipe the caches first). args are arguments as cli/arg.h has them, separated by
 * blanks; `-` means none. */
#ifndef WARPBOOK_CLI_CASES_H
#define WARPBOOK_CLI_CASES_H

#include "cli/launch.h"

typedef struct Case {
  const char *id;
  uint32_t line; /* 1-based */
  Launch launch;
  char *error; /* what is wrong with the row; NULL when nothing is */
} Case;

typedef struct CaseTable {
  const char *path;
  char *text; /* the file, cut into the strings that the cases point at */
  Case *cases;
  size_t count;
} CaseTable;

/* Reads a table, keeping only the cases whose id matches the pattern (NULL: all). A bad row becomes
 * a case with its error set; only a file that cannot be read fails. */
gpu_result cases_read(CaseTable *table, const char *path, const char *pattern, Text *err);
void cases_free(CaseTable *table);

#endif
