/* test_fidelity.c - simulated cycles stay as near to an H200's as the project says they are, and
 * counting them changes no value. `make fidelity` prints the whole table; here are parts of it. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/cli_run.h"

#define HARDWARE WARPBOOK_ROOT "/sim/tests/hardware/"

/* The span that the H200 took for a case; 0: not measured. */
static double measured(const char *table, const char *id) {
  char line[1000];
  double span = 0;
  size_t n = strlen(id);
  FILE *f = fopen(table, "r");
  cr_assert(ne(ptr, f, NULL), "%s", table);
  while (fgets(line, sizeof line, f))
    if (strncmp(line, id, n) == 0 && line[n] == '\t') span = strtod(line + n + 1, NULL);
  fclose(f);
  return span;
}

/* Under the sanitizers, where everything is slow, a few cases are enough: it is memory that is
 * looked at there, and the numbers are the same. */
static bool brief(void) { return getenv("WARPBOOK_BRIEF") != NULL; }

/* Mean absolute error, in per cent, of the cases that match. */
static double mean_error(const char *cases, const char *module, const char *timing,
                         const char *pattern) {
  CliRun r =
      cli_run("batch " HARDWARE "%s --module " HARDWARE "%s --filter '%s' --timing - --jobs 2",
              cases, module, pattern);
  cr_assert(eq(int, r.status, 0), "%s", r.err);
  double sum = 0;
  int n = 0;
  for (char *line = strtok(r.out, "\n"); line; line = strtok(NULL, "\n")) {
    char *tab = strchr(line, '\t');
    if (line[0] == '#' || strncmp(line, "id\t", 3) == 0 || !tab) continue;
    *tab = '\0';
    double span = measured(timing, line);
    cr_assert(gt(dbl, span, 0), "%s was not measured", line);
    sum += fabs(strtod(tab + 1, NULL) / span - 1);
    n++;
  }
  cli_free(&r);
  cr_assert(gt(int, n, 0), "no case matches %s", pattern);
  return 100 * sum / n;
}

static double of_the_table(const char *pattern) {
  if (brief()) pattern = "app_[sdmp]*/W4";
  return mean_error("cases.tsv", "kernels-nvcc.ptx", HARDWARE "h200/timing.tsv", pattern);
}

Test(fidelity, small_real_kernels_are_within_12_per_cent) {
  cr_assert(le(dbl, of_the_table("app_*"), 12));
}

Test(fidelity, instruction_chains_are_within_5_per_cent) {
  cr_assert(le(dbl, of_the_table("chain_*/W1"), 5));
  cr_assert(le(dbl, of_the_table("chain_*/W16"), 5));
}

Test(fidelity, divergence_is_within_12_per_cent) {
  cr_assert(le(dbl, of_the_table("div_*/W1"), 12));
}

Test(fidelity, memory_is_within_10_per_cent) { cr_assert(le(dbl, of_the_table("mem_*/W1"), 10)); }

/* Kernels that no parameter was fitted to. */
Test(fidelity, other_kernels_are_within_20_per_cent) {
  cr_assert(le(dbl,
               mean_error("apps-cases.tsv", "apps-nvcc.ptx", HARDWARE "h200/apps-timing.tsv",
                          brief() ? "h_[bc]*/W1" : "h_*/W8"),
               20));
}

static void expect_equal_values(const char *what) {
  char command[300];
  snprintf(command, sizeof command, "batch %s --values - --jobs 2", what);
  CliRun timed = cli_run(command);
  strcat(command, " --functional");
  CliRun plain = cli_run(command);
  cr_assert(eq(int, timed.status, 0), "%s", timed.err);
  cr_assert(eq(int, plain.status, 0), "%s", plain.err);
  const char *a = strchr(timed.out, '\n'),
             *b = strchr(plain.out, '\n'); /* behind the first comment */
  cr_assert(eq(int, strcmp(a, b), 0));
  cli_free(&timed);
  cli_free(&plain);
}

/* Timing reorders instructions as an assembler would; nothing may come of it. (app_compact is left
 * out: its order is that of its atomics.) */
Test(fidelity, counting_cycles_changes_no_value) {
  expect_equal_values(HARDWARE "cases.tsv --module " HARDWARE
                               "kernels-nvcc.ptx --filter 'app_[!c]*'");
  expect_equal_values(HARDWARE "apps-cases.tsv --module " HARDWARE
                               "apps-nvcc.ptx --filter '[ht]_*/W8'");
}

/* The same with one process or two, and again. */
Test(fidelity, cycles_do_not_depend_on_the_number_of_jobs) {
  CliRun one = cli_run("batch " HARDWARE "cases.tsv --module " HARDWARE
                       "kernels-nvcc.ptx --filter 'app_scan/*' --timing - --jobs 1");
  CliRun two = cli_run("batch " HARDWARE "cases.tsv --module " HARDWARE
                       "kernels-nvcc.ptx --filter 'app_scan/*' --timing - --jobs 2");
  cr_assert(eq(str, one.out, two.out));
  cli_free(&one);
  cli_free(&two);
}
