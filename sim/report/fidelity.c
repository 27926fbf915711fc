/* report/fidelity.c - `make fidelity`: simulated cycles beside an H200's.
 *
 *   fidelity MEASURED.tsv SIMULATED.tsv [OUT.tsv]
 *
 * Both tables begin with the columns id and span_min, as `warpsim batch --timing` writes them. For
 * each kernel, each family (the kernel's name up to the first _) and overall: the mean absolute
 * percentage error, the bias (the mean error with its sign), and overall the correlation of the
 * logarithms. OUT.tsv gets a row a case, for the scatter plot. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CASES = 4096, MAX_GROUPS = 256, ID = 96, WORST = 25 };

typedef struct Row {
  char id[ID];
  double measured, simulated, error; /* error: relative */
  int registers, estimate; /* a thread: the assembler's, and the simulator's; 0: unknown */
} Row;

typedef struct Group {
  char name[ID];
  int count;
  double sum_abs, sum;
  int registers, estimate; /* of its first case */
} Group;

static Row rows[MAX_CASES];
static int row_count;

static void fail(const char *what, const char *which) {
  fprintf(stderr, "fidelity: %s%s\n", what, which);
  exit(2);
}

/* Calls `each` for the id, the span and the registers (the fifth column) of every row. */
static void read_table(const char *path, void (*each)(const char *id, double span, int registers)) {
  FILE *f = fopen(path, "r");
  char line[4096];
  if (!f) fail("cannot read ", path);
  while (fgets(line, sizeof line, f)) {
    char *tab = strchr(line, '\t');
    if (line[0] == '#' || strncmp(line, "id\t", 3) == 0 || !tab) continue;
    *tab = '\0';
    const char *last = strrchr(tab + 1, '\t');
    each(line, strtod(tab + 1, NULL), last ? (int)strtol(last + 1, NULL, 10) : 0);
  }
  fclose(f);
}

static void add_measured(const char *id, double span, int registers) {
  if (row_count == MAX_CASES || span <= 0) return;
  snprintf(rows[row_count].id, ID, "%s", id);
  rows[row_count].registers = registers;
  rows[row_count++].measured = span;
}

static void add_simulated(const char *id, double span, int registers) {
  for (int i = 0; i < row_count; i++) {
    if (strcmp(rows[i].id, id) != 0) continue;
    rows[i].simulated = span;
    rows[i].estimate = registers;
  }
}

static void drop_missing(void) {
  int kept = 0;
  for (int i = 0; i < row_count; i++) {
    if (rows[i].simulated <= 0) continue;
    rows[kept] = rows[i];
    rows[kept].error = rows[i].simulated / rows[i].measured - 1;
    kept++;
  }
  row_count = kept;
}

static int by_error(const void *a, const void *b) {
  double x = fabs(((const Row *)a)->error), y = fabs(((const Row *)b)->error);
  return (x < y) - (x > y);
}

static int group_by_error(const void *a, const void *b) {
  const Group *x = a, *y = b;
  double e = x->sum_abs / x->count, f = y->sum_abs / y->count;
  return (e < f) - (e > f);
}

/* A line for each group of ids with one beginning, which ends before the character `stop`. */
static void print_groups(const char *title, const char *stop) {
  static Group groups[MAX_GROUPS];
  int n = 0;
  memset(groups, 0, sizeof groups);
  for (int i = 0; i < row_count; i++) {
    size_t length = strcspn(rows[i].id, stop);
    int g = 0;
    while (g < n &&
           (strlen(groups[g].name) != length || memcmp(groups[g].name, rows[i].id, length) != 0))
      g++;
    if (g == MAX_GROUPS) continue;
    if (g == n) {
      memcpy(groups[n++].name, rows[i].id, length);
      groups[g].registers = rows[i].registers;
      groups[g].estimate = rows[i].estimate;
    }
    groups[g].count++;
    groups[g].sum_abs += fabs(rows[i].error);
    groups[g].sum += rows[i].error;
  }
  qsort(groups, (size_t)n, sizeof *groups, group_by_error);
  bool kernels = strcmp(title, "kernel") == 0; /* a family's kernels differ in registers */
  printf("%-24s %6s %12s %8s%s\n", title, "cases", "mean error", "bias",
         kernels ? "  registers: estimated, the assembler's" : "");
  for (int g = 0; g < n; g++) {
    printf("%-24s %6d %11.1f%% %+7.1f%%", groups[g].name, groups[g].count,
           100 * groups[g].sum_abs / groups[g].count, 100 * groups[g].sum / groups[g].count);
    if (kernels) printf("  %20d %4d", groups[g].estimate, groups[g].registers);
    printf("\n");
  }
  printf("\n");
}

static double correlation_of_logs(void) {
  double n = row_count, sx = 0, sy = 0, sxx = 0, syy = 0, sxy = 0;
  for (int i = 0; i < row_count; i++) {
    double x = log(rows[i].measured), y = log(rows[i].simulated);
    sx += x, sy += y, sxx += x * x, syy += y * y, sxy += x * y;
  }
  return (n * sxy - sx * sy) / sqrt((n * sxx - sx * sx) * (n * syy - sy * sy));
}

static void print_worst(void) {
  qsort(rows, (size_t)row_count, sizeof *rows, by_error);
  printf("%-40s %10s %10s %8s\n", "worst cases", "measured", "simulated", "error");
  for (int i = 0; i < row_count && i < WORST; i++)
    printf("%-40s %10.0f %10.0f %+7.1f%%\n", rows[i].id, rows[i].measured, rows[i].simulated,
           100 * rows[i].error);
  printf("\n");
}

static void write_rows(const char *path) {
  FILE *f = fopen(path, "w");
  if (!f) fail("cannot write ", path);
  fprintf(f, "id\tfamily\tkernel\twarps\tmeasured\tsimulated\n");
  for (int i = 0; i < row_count; i++) {
    const Row *r = &rows[i];
    const char *w = strstr(r->id, "/W");
    fprintf(f, "%s\t%.*s\t%.*s\t%d\t%.0f\t%.0f\n", r->id, (int)strcspn(r->id, "_"), r->id,
            (int)strcspn(r->id, "/"), r->id, w ? atoi(w + 2) : 0, r->measured, r->simulated);
  }
  fclose(f);
}

int main(int argc, char **argv) {
  if (argc < 3) fail("usage: fidelity MEASURED.tsv SIMULATED.tsv [OUT.tsv]", "");
  read_table(argv[1], add_measured);
  read_table(argv[2], add_simulated);
  drop_missing();
  if (row_count < 2) fail("fewer than two cases are in both tables", "");
  if (argc > 3) write_rows(argv[3]);
  print_worst();
  print_groups("kernel", "/");
  print_groups("family", "_");
  double sum = 0;
  for (int i = 0; i < row_count; i++) sum += fabs(rows[i].error);
  printf("overall: %d cases, mean absolute error %.2f%%, correlation of logarithms %.4f\n",
         row_count, 100 * sum / row_count, correlation_of_logs());
  return 0;
}
