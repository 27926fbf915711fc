/* collect.h - from what a suite wrote to the results of a lab.
 *
 * A suite writes records, a line of JSON each (see suites/harness.h):
 *   {"record":"refused","message":…}               it does not compile or load; nothing was run
 *   {"record":"compiled","compiler":…,"ptx_hash":…}
 *   {"record":"found","test":…,"status":…,…}       written by the test itself
 *   {"record":"ran","test":…,"passed":…,…}         written by Criterion's report hook
 *   {"record":"end","tests":N}
 * Nothing is taken on trust: every test that was asked for must have run exactly once and have said
 * what it found, both records must agree with one another and with the exit status, and nothing
 * else may have run. Whatever is amiss is an error of the grader, never a score. */
#ifndef WARPBOOK_GRADER_COLLECT_H
#define WARPBOOK_GRADER_COLLECT_H

#include "lab.h"
#include "result.h"
#include "sandbox.h"

typedef struct Evidence {
  const char *records; /* the text of the records; "" when there are none */
  const char *log;     /* what the suite printed */
  SandboxEnd end;      /* how it ended */
  const char *source;  /* the text of the student's source file, */
  const char *file;    /* and the file's name */
} Evidence;

/* Fills in the results of the tests that `out` lists, the totals and the status. */
void collect(LabResult *out, const Lab *lab, const Evidence *evidence, Arena *arena);

#endif
