/* Correct programs are left alone: with every check on, under both models and in random orders, the
 * kernels that ran on the H200, the chapters' kernels and the test of control flow end without a
 * fault. And what a program computes depends neither on the model nor on the order. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/cli_run.h"

#define HARDWARE WARPBOOK_ROOT "/sim/tests/hardware/"

static const char *const orders[] = {"--model stack", "--model its",
                                     "--model its --schedule random:11",
                                     "--model its --schedule random:12"};
enum { STACK, ITS, RANDOM, ORDERS = sizeof orders / sizeof *orders };

/* Runs cases with all checks; `faults` of them may end in one. */
static CliRun batch(const char *cases, const char *module, const char *filter, const char *options,
                    int faults) {
  char ends[60];
  CliRun run = cli_run("batch '" HARDWARE "%s' --module '" WARPBOOK_ROOT "/%s' --filter '%s' "
                       "--functional --check full --values - --jobs 2 %s",
                       cases, module, filter, options);
  snprintf(ends, sizeof ends, " %d with faults, 0 not run", faults);
  cr_assert_eq(run.status, faults > 0, "%s %s %s: %.3000s", module, filter, options, run.err);
  expect_has(run.err, ends);
  return run;
}

static void clean(const char *cases, const char *module, const char *filter, int first) {
  for (int i = first; i < ORDERS; i++) {
    CliRun run = batch(cases, module, filter, orders[i], 0);
    cli_free(&run);
  }
}

#define NVCC "sim/tests/hardware/kernels-nvcc.ptx"
#define CLANG "sim/tests/hardware/kernels.cu"

Test(clean, small_real_kernels_from_nvcc, .timeout = 900) {
  clean("cases.tsv", NVCC, "app_*", STACK);
}
Test(clean, small_real_kernels_from_clang, .timeout = 900) {
  clean("cases.tsv", CLANG, "app_*", STACK);
}
Test(clean, tests_of_semantics_from_nvcc, .timeout = 900) {
  clean("cases.tsv", NVCC, "sem_*", ITS);
}
Test(clean, tests_of_semantics_under_stack_but_for_the_naive_lock, .timeout = 900) {
  CliRun run = batch("cases.tsv", NVCC, "sem_*", orders[STACK], 1);
  expect_has(run.err, "deadlock");
  cli_free(&run);
}
Test(clean, chapters, .timeout = 900) {
  clean("book-cases.tsv", "chapters/code/02-linearize.cu", "02-linearize/*", STACK);
  clean("book-cases.tsv", "chapters/code/05-boundary.cu", "05-boundary/*", STACK);
  clean("book-cases.tsv", "chapters/code/06-independent.cu", "06-independent/*", ITS);
  clean("book-cases.tsv", "chapters/code/09-shuffle.cu", "09-shuffle/*", STACK);
  clean("book-cases.tsv", "chapters/code/10-reduce.cu", "10-reduce/*", STACK);
}

/* ---- the same memory --------------------------------------------------------------------------
 *
 * Buffer 0 of the control-flow kernels is a diary of who ran when; buffer 1 is what they compute.
 */

static void drop_diaries(char *table) {
  char *to = table;
  for (char *line = table, *next; *line; line = next) {
    next = strchr(line, '\n');
    next = next ? next + 1 : line + strlen(line);
    const char *buffer = strchr(line, '\t');
    bool diary = buffer && buffer < next && strncmp(buffer, "\t0\t", 3) == 0;
    if (diary || line[0] == '#') continue;
    memmove(to, line, (size_t)(next - line));
    to += next - line;
  }
  *to = '\0';
}

Test(clean, control_flow_computes_the_same_in_every_order, .timeout = 900) {
  char *want = NULL;
  for (int i = 0; i < ORDERS; i++) {
    CliRun run = batch("controlflow-cases.tsv", "sim/tests/hardware/controlflow-nvcc.ptx", "*",
                       orders[i], 0);
    drop_diaries(run.out);
    if (!want) want = strdup(run.out);
    cr_assert(strlen(want) > 1000);
    cr_assert_str_eq(run.out, want, "%s", orders[i]);
    cli_free(&run);
  }
  free(want);
}

/* The kernels that measure timing leave values, too: those of app_* are compared with the H200's in
 * test_hardware_values.c, in every order. */
Test(clean, timed_kernels_compute_the_same_in_every_order, .timeout = 900) {
  char *want = NULL;
  for (int i = 0; i < RANDOM; i++) {
    CliRun run = batch("cases.tsv", NVCC, "chain_*", orders[i], 0);
    drop_diaries(run.out);
    if (!want) want = strdup(run.out);
    cr_assert_str_eq(run.out, want, "%s", orders[i]);
    cli_free(&run);
  }
  free(want);
}
