/* sandbox.h - running one program that reads a stranger's files.
 *
 * Where bubblewrap works the program sees the system's programs and libraries, the folders that it
 * is given and nothing else, has no network, and can write to one folder only. Where it does not
 * (containers often forbid user namespaces) limits on time, output and core dumps remain. */
#ifndef WARPBOOK_GRADER_SANDBOX_H
#define WARPBOOK_GRADER_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>

typedef enum SandboxKind { SANDBOX_BUBBLEWRAP, SANDBOX_LIMITS } SandboxKind;

typedef struct SandboxJob {
  const char *const *argv;     /* the program, with its whole path; NULL-terminated */
  const char *const *readable; /* files and folders that it may read; NULL-terminated */
  const char *writable;        /* the folder that it may write to */
  const char *log;             /* a file for what it prints */
  unsigned seconds;            /* it is killed after that */
} SandboxJob;

typedef struct SandboxEnd {
  bool started, timed_out;
  int exit_status; /* -1 when a signal ended it */
  int signal;      /* 0 when none did */
} SandboxEnd;

/* Which kind works here. Tries bubblewrap once, which takes a few milliseconds;
 * WARPBOOK_SANDBOX=limits skips it. */
SandboxKind sandbox_probe(void);
/* "bubblewrap" or "limits only". */
const char *sandbox_name(SandboxKind kind);

/* The clock that its seconds go by. */
double seconds_now(void);

SandboxEnd sandbox_run(SandboxKind kind, const SandboxJob *job);

#endif
