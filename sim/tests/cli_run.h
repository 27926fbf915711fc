/* tests/cli_run.h - runs the built warpsim and keeps what it said. */
#ifndef WARPBOOK_TESTS_CLI_RUN_H
#define WARPBOOK_TESTS_CLI_RUN_H

#include <stdbool.h>

typedef struct CliRun {
  int status;
  char *out, *err; /* NUL-terminated */
} CliRun;

/* `warpsim ARGUMENTS`, through the shell, in the folder sim/tests/cli. */
CliRun cli_run(const char *arguments, ...) __attribute__((__format__(__printf__, 1, 2)));
void cli_free(CliRun *run);

/* Fails the test unless the text holds the part. */
void expect_has(const char *text, const char *part);
/* Is it one well-formed JSON value, and nothing behind it but white space? */
bool is_json(const char *text);

#endif
