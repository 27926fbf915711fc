/* device/compile_parts.h - what the three files of the compile driver share: running a program
 * under limits (compile_process.c) and making its messages fit for a student (compile_message.c).
 */
#ifndef WARPBOOK_DEVICE_COMPILE_PARTS_H
#define WARPBOOK_DEVICE_COMPILE_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/platform.h"

/* ---- compile_process.c --------------------------------------------------------------------- */

typedef struct ProcessLimits {
  unsigned cpu_seconds;  /* processor time of the program */
  unsigned wall_seconds; /* and by the clock: it may also wait for ever, as for a named pipe */
  size_t memory;         /* bytes of address space */
  size_t file_size;      /* bytes of any file it writes, its standard output included */
} ProcessLimits;

typedef enum ProcessEnd {
  PROCESS_OK,        /* exit status 0 */
  PROCESS_FAILED,    /* any other status, or a signal */
  PROCESS_TIMED_OUT, /* past cpu_seconds or wall_seconds */
  PROCESS_TOO_LARGE, /* wrote past file_size */
  PROCESS_NOT_RUN    /* could not be started */
} ProcessEnd;

typedef struct Process {
  const char *const *argv; /* NULL-terminated; argv[0] is the program's full path */
  const char *const *env;  /* NULL-terminated "NAME=VALUE" */
  int input;               /* descriptor for standard input; -1: empty */
  int output;              /* descriptor for standard output; -1: thrown away */
  int extra;               /* descriptor the program finds as EXTRA_FD; -1: none */
} Process;

enum {
  EXTRA_FD = 3,
  MESSAGES_MAX = 65536, /* bytes kept of what a program says; the rest is read and dropped */
};

/* Runs the program to its end, without a shell. What it writes to standard error goes, cut to
 * MESSAGES_MAX bytes, NUL-terminated, into messages (room for MESSAGES_MAX + 1 bytes). */
ProcessEnd process_run(const Process *p, const ProcessLimits *limits, char *messages);

/* A new, empty file under $TMPDIR that has no name any more, so that it is gone when the descriptor
 * is closed, however this process ends. -1 when it cannot be made. */
int nameless_file(void);

/* The file's whole contents, NUL-terminated, to be freed; NULL when it cannot be read or is longer
 * than `limit` bytes. */
char *read_descriptor(int fd, size_t limit, size_t *length);

/* ---- compile_message.c --------------------------------------------------------------------- */

/* Replaces the message in err by the compiler's messages: at most a screen or two of them, with the
 * path of any file but `path` cut to its last part, and followed by a hint in plain words for each
 * common mistake that is recognised. */
void explain_messages(ErrorBuffer *err, const char *path, const char *messages);

/* Adds the sentence that says what to do about functions that the PTX declares but does not define,
 * other than those that every CUDA program may call (printf, assert, malloc, free). False when
 * there is none. */
bool explain_undefined(ErrorBuffer *err, const char *path, const char *ptx);

#endif
