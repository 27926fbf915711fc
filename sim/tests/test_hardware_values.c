/* Every small real kernel (app_*) and every test of semantics (sem_*) leaves the values that an
 * H200 left: bit for bit from the PTX that nvcc made, and exactly in integers from what clang makes
 * of the same source. Data: sim/tests/hardware/ (cases.tsv, h200/values.tsv). */
#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/cli_run.h"

#define HARDWARE WARPBOOK_ROOT "/sim/tests/hardware/"
#define NVCC HARDWARE "kernels-nvcc.ptx"
#define CLANG HARDWARE "kernels.cu"

/* A row of values.tsv; the strings lie in the table's text. */
typedef struct Row {
  char *id, *buffer, *type, *values;
  bool seen;
} Row;

typedef struct Rows {
  Row *row;
  size_t count;
} Rows;

/* Cuts the text of a values table into rows; comments and the heading are left out. */
static Rows cut_rows(char *text) {
  size_t capacity = 1;
  for (const char *s = text; *s; s++) capacity += *s == '\n';
  Rows rows = {calloc(capacity, sizeof(Row)), 0};
  char *line_end, *column_end;
  for (char *line = strtok_r(text, "\n", &line_end); line; line = strtok_r(NULL, "\n", &line_end)) {
    if (line[0] == '#' || strncmp(line, "id\t", 3) == 0) continue;
    Row *r = &rows.row[rows.count++];
    r->id = strtok_r(line, "\t", &column_end);
    r->buffer = strtok_r(NULL, "\t", &column_end);
    r->type = strtok_r(NULL, "\t", &column_end);
    r->values = strtok_r(NULL, "\t", &column_end);
    cr_assert(r->values, "a row of %s lacks columns", r->id);
  }
  return rows;
}

static char *read_text(const char *path) {
  FILE *in = fopen(path, "r");
  cr_assert(in, "cannot open %s", path);
  fseek(in, 0, SEEK_END);
  size_t length = (size_t)ftell(in);
  rewind(in);
  char *text = calloc(length + 1, 1);
  cr_assert_eq(fread(text, 1, length, in), length);
  fclose(in);
  return text;
}

/* ---- what may differ ----------------------------------------------------------------------- */

enum { MOST_VALUES = 8192 };
typedef struct Numbers {
  long long at[MOST_VALUES];
  size_t count;
} Numbers;

static void read_numbers(Numbers *n, const char *values) {
  char *end;
  n->count = 0;
  for (const char *s = values; n->count < MOST_VALUES; s = end) {
    long long v = strtoll(s, &end, 10);
    if (end == s) break;
    n->at[n->count++] = v;
  }
}

static int ascending(const void *a, const void *b) {
  long long x = *(const long long *)a, y = *(const long long *)b;
  return (x > y) - (x < y);
}

/* %warpid, the third word of each row, is a slot of the SM. */
static void forget_warp_ids(Numbers *n) {
  for (size_t i = 2; i < n->count; i += 3) n->at[i] = 0;
}

/* Which warp writes first is open: the values are a set. */
static void forget_order(Numbers *n) { qsort(n->at, n->count, sizeof *n->at, ascending); }

/* The first word of four is 1000 * path + a ticket: which path came first is open, but each ticket
 * is drawn once. The tickets go to the end, sorted. */
static void forget_tickets(Numbers *n) {
  Numbers tickets = {.count = 0};
  for (size_t i = 0; i < n->count; i += 4) {
    tickets.at[tickets.count++] = n->at[i] % 1000;
    n->at[i] /= 1000;
  }
  forget_order(&tickets);
  for (size_t i = 0; i < tickets.count; i++) n->at[n->count++] = tickets.at[i];
}

typedef void Forget(Numbers *n);

static Forget *what_may_differ(const Row *r) {
  size_t length = strlen(r->id);
  bool one_warp = length > 3 && strcmp(r->id + length - 3, "/W1") == 0;
  if (strncmp(r->id, "sem_warps/", 10) == 0) return forget_warp_ids;
  if (strncmp(r->id, "sem_order/", 10) == 0 && strcmp(r->buffer, "0") == 0) return forget_tickets;
  if (strncmp(r->id, "app_compact/", 12) == 0 && strcmp(r->buffer, "3") == 0 && !one_warp)
    return forget_order;
  return NULL;
}

static size_t count_unequal(const Numbers *a, const Numbers *b) {
  size_t unequal = 0;
  for (size_t i = 0; i < a->count && i < b->count; i++) unequal += a->at[i] != b->at[i];
  return a->count == b->count ? unequal : MOST_VALUES;
}

/* How many values of a row may differ. Only the Mandelbrot set's: its integers count the steps of a
 * chaotic iteration of floats, so at the very border they depend on which products are contracted,
 * and at the teaching level, where no expression is shared between a loop's condition and its body,
 * those are others than nvcc's. */
static size_t most_unequal(const Row *r, bool teaching, size_t count) {
  bool border = strncmp(r->id, "app_mandelbrot/limit256/", 24) == 0;
  return teaching && border ? count / 128 : 0;
}

static bool equal_rows(const Row *got, const Row *expected, bool teaching) {
  static Numbers a, b;
  if (strcmp(got->type, expected->type) != 0) return false;
  if (strcmp(got->values, expected->values) == 0) return true;
  if (got->type[0] == 'f') return false;
  Forget *forget = what_may_differ(got);
  read_numbers(&a, got->values);
  read_numbers(&b, expected->values);
  if (forget) {
    forget(&a);
    forget(&b);
  }
  return count_unequal(&a, &b) <= most_unequal(got, teaching, a.count);
}

/* ---- the comparison ------------------------------------------------------------------------ */

static bool is_integer(const Row *r) { return r->type[0] == 'i' || r->type[0] == 'u'; }

static Row *find_row(const Rows *rows, const Row *like) {
  for (size_t i = 0; i < rows->count; i++)
    if (strcmp(rows->row[i].id, like->id) == 0 && strcmp(rows->row[i].buffer, like->buffer) == 0)
      return &rows->row[i];
  return NULL;
}

typedef struct Trial {
  const char *module, *prefix, *options;
  bool integers_only, teaching;
  const char *but;    /* cases that end in a deadlock: their ids begin so; or NULL */
  const char *tables; /* what the names of the two tables begin with; or NULL */
} Trial;

static void report(const Row *got, const Row *expected) {
  fprintf(stderr, "%s buffer %s (%s)\n  H200: %.300s\n  got:  %.300s\n", got->id, got->buffer,
          got->type, expected ? expected->values : "no such row", got->values);
}

/* Every row of the run equals the hardware's; returns how many do not. */
static size_t count_differences(const Rows *got, Rows *expected, const Trial *t) {
  size_t different = 0;
  for (size_t i = 0; i < got->count; i++) {
    Row *e = find_row(expected, &got->row[i]);
    if (e) e->seen = true;
    if (t->integers_only && !is_integer(&got->row[i])) continue;
    if (e && equal_rows(&got->row[i], e, t->teaching)) continue;
    if (different++ < 5) report(&got->row[i], e);
  }
  return different;
}

static bool begins(const char *text, const char *with) {
  return strncmp(text, with, strlen(with)) == 0;
}

static size_t count_missing(const Rows *expected, const Trial *t) {
  size_t missing = 0;
  for (size_t i = 0; i < expected->count; i++) {
    const Row *e = &expected->row[i];
    bool wanted = begins(e->id, t->prefix) && !(t->but && begins(e->id, t->but));
    if (!wanted || e->seen) continue;
    if (missing++ < 5) fprintf(stderr, "%s buffer %s: no values\n", e->id, e->buffer);
  }
  return missing;
}

static void compare(Trial t) {
  const char *tables = t.tables ? t.tables : "";
  CliRun run = cli_run("batch '%s%scases.tsv' --module '%s' --filter '%s*' --values - --jobs 2 %s",
                       HARDWARE, tables, t.module, t.prefix, t.options);
  char values[4096];
  snprintf(values, sizeof values, HARDWARE "h200/%svalues.tsv", tables);
  char *table = read_text(values);
  Rows got = cut_rows(run.out), expected = cut_rows(table);
  size_t different = count_differences(&got, &expected, &t);
  size_t missing = count_missing(&expected, &t);
  cr_assert(different == 0 && missing == 0, "%zu of %zu rows differ, %zu are missing\n%.2000s",
            different, got.count, missing, run.err);
  cr_assert_eq(run.status, t.but ? 1 : 0, "status %d\n%.2000s", run.status, run.err);
  free(got.row);
  free(expected.row);
  free(table);
  cli_free(&run);
}

/* ---- from the PTX that nvcc made: every bit ------------------------------------------------ */

static const char naive_lock[] = "sem_spinlock_naive/";

static void compare_nvcc(const char *prefix, const char *options, const char *but) {
  compare((Trial){.module = NVCC, .prefix = prefix, .options = options, .but = but});
}

Test(hardware_values, app_from_nvcc_under_stack, .timeout = 900) {
  compare_nvcc("app_", "--model stack", NULL);
}
Test(hardware_values, app_from_nvcc_under_its, .timeout = 900) {
  compare_nvcc("app_", "--model its", NULL);
}
Test(hardware_values, sem_from_nvcc_under_stack, .timeout = 900) {
  compare_nvcc("sem_", "--model stack", naive_lock);
}
Test(hardware_values, sem_from_nvcc_under_its, .timeout = 900) {
  compare_nvcc("sem_", "--model its", NULL);
}

/* ---- under an adversarial schedule: the same values, and no fault -------------------------- */

static void compare_adversarial(int seed) {
  char options[64];
  snprintf(options, sizeof options, "--model its --schedule random:%d", seed);
  compare_nvcc("app_", options, NULL);
}

Test(hardware_values, app_from_nvcc_in_random_order_1, .timeout = 900) { compare_adversarial(1); }
Test(hardware_values, app_from_nvcc_in_random_order_2, .timeout = 900) { compare_adversarial(2); }
Test(hardware_values, app_from_nvcc_in_random_order_3, .timeout = 900) { compare_adversarial(3); }

/* ---- from clang: every integer ------------------------------------------------------------- */

static void compare_clang(const char *prefix, const char *options, const char *but) {
  compare((Trial){.module = CLANG,
                  .prefix = prefix,
                  .options = options,
                  .integers_only = true,
                  .teaching = strstr(options, "teaching") != NULL,
                  .but = but});
}

Test(hardware_values, app_from_clang_teaching_under_stack, .timeout = 900) {
  compare_clang("app_", "--model stack --opt teaching", NULL);
}
Test(hardware_values, app_from_clang_teaching_under_its, .timeout = 900) {
  compare_clang("app_", "--model its --opt teaching", NULL);
}
Test(hardware_values, sem_from_clang_teaching_under_stack, .timeout = 900) {
  compare_clang("sem_", "--model stack --opt teaching", naive_lock);
}
Test(hardware_values, sem_from_clang_teaching_under_its, .timeout = 900) {
  compare_clang("sem_", "--model its --opt teaching", NULL);
}
Test(hardware_values, app_from_clang_O2_under_stack, .timeout = 900) {
  compare_clang("app_", "--model stack --opt O2", NULL);
}
Test(hardware_values, app_from_clang_O2_under_its, .timeout = 900) {
  compare_clang("app_", "--model its --opt O2", NULL);
}
/* clang -O2 moves the critical section of sem_spinlock behind its loop, which makes it the naive
 * lock: under `stack` both deadlock. */
Test(hardware_values, sem_from_clang_O2_under_stack, .timeout = 900) {
  compare_clang("sem_", "--model stack --opt O2", "sem_spinlock");
}
Test(hardware_values, sem_from_clang_O2_under_its, .timeout = 900) {
  compare_clang("sem_", "--model its --opt O2", NULL);
}

/* ---- the book's own kernels ---------------------------------------------------------------- */

static void compare_chapter(const char *name, const char *options) {
  char module[4096], prefix[64];
  snprintf(module, sizeof module, WARPBOOK_ROOT "/chapters/code/%s.cu", name);
  snprintf(prefix, sizeof prefix, "%s/", name);
  compare((Trial){.module = module, .prefix = prefix, .options = options, .tables = "book-"});
}

Test(hardware_values, chapter_on_linear_ids) {
  compare_chapter("02-linearize", "--model stack");
  compare_chapter("02-linearize", "--model its --check full");
}
Test(hardware_values, chapter_on_boundaries, .timeout = 900) {
  compare_chapter("05-boundary", "--model stack");
  compare_chapter("05-boundary", "--model its --check full");
}
Test(hardware_values, chapter_on_independent_threads) {
  compare_chapter("06-independent", "--model its --check full");
  compare_chapter("06-independent", "--model its --schedule random:1");
}
Test(hardware_values, chapter_on_simd) {
  compare_chapter("03-simd", "--model stack");
  compare_chapter("03-simd", "--model its --check full");
}
Test(hardware_values, chapter_on_shuffles) {
  compare_chapter("09-shuffle", "--model stack");
  compare_chapter("09-shuffle", "--model its --check full");
}
Test(hardware_values, chapter_on_synchronisation) {
  compare_chapter("11-sync", "--model stack");
  compare_chapter("11-sync", "--model its --check full");
}
Test(hardware_values, chapter_on_memory) {
  compare_chapter("12-memory", "--model stack");
  compare_chapter("12-memory", "--model its --check full");
}
Test(hardware_values, chapter_on_reductions) {
  compare_chapter("10-reduce", "--model stack");
  compare_chapter("10-reduce", "--model its --check full");
}

/* ---- the lock that needs independent thread scheduling ------------------------------------- */

static void expect_deadlock(const char *module, const char *options, const char *place) {
  CliRun run = cli_run("run '%s' --kernel sem_spinlock_naive --block 32 %s out:i32:1 out:i32:1",
                       module, options);
  cr_assert_eq(run.status, 1);
  expect_has(run.err, "deadlock");
  expect_has(run.err, place);
  cli_free(&run);
}

Test(hardware_values, naive_spin_lock_is_a_deadlock_under_stack) {
  expect_deadlock(NVCC, "--model stack", "warp 0 lanes 0xfffffffe spin at kernels-nvcc.ptx:");
  expect_deadlock(CLANG, "--model stack", "warp 0 lanes 0xfffffffe spin at kernels.cu:228:");
}
