/* cli/cases.c - reading a table of cases. */
#include "cli/cases.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"

enum { COL_ID, COL_KERNEL, COL_GRID, COL_BLOCK, COL_SHARED, COL_FLAGS, COL_ARGS, COLUMNS };
static const char *const column_names[COLUMNS] = {"id",           "kernel", "grid", "block",
                                                  "dynamic_smem", "flags",  "args"};

/* Cuts a line at its tabs; returns the number of columns, of which at most COLUMNS are kept. */
static size_t cut_columns(char *line, char *columns[COLUMNS]) {
  size_t count = 0;
  for (char *at = line; at; count++) {
    char *tab = strchr(at, '\t');
    if (tab) *tab = '\0';
    if (count < COLUMNS) columns[count] = at;
    at = tab ? tab + 1 : NULL;
  }
  return count;
}

static gpu_result column_failed(Text *err, int column, const char *value, const Text *why) {
  return fail_at(err, value, span_str(value), "%s: %s", column_names[column], text_str(why));
}

static gpu_result read_shape(Launch *launch, char *columns[COLUMNS], Text *err) {
  Text why = {0};
  gpu_result r = GPU_OK;
  if (parse_dim(span_str(columns[COL_GRID]), &launch->grid, &why) != GPU_OK)
    r = column_failed(err, COL_GRID, columns[COL_GRID], &why);
  else if (parse_dim(span_str(columns[COL_BLOCK]), &launch->block, &why) != GPU_OK)
    r = column_failed(err, COL_BLOCK, columns[COL_BLOCK], &why);
  else if (parse_u32(span_str(columns[COL_SHARED]), 0, &launch->shared, &why) != GPU_OK)
    r = column_failed(err, COL_SHARED, columns[COL_SHARED], &why);
  text_free(&why);
  return r;
}

static gpu_result check_flags(const char *flags, Text *err) {
  if (strcmp(flags, "-") == 0 || strcmp(flags, "flush") == 0) return GPU_OK;
  return fail_at(err, flags, span_str(flags), "flags: '%s' is not one of - flush", flags);
}

/* Cuts the arguments at their blanks. */
static gpu_result read_args(Launch *launch, char *args, Text *err) {
  size_t most = strlen(args) / 2 + 1, count = 0;
  const char **words = calloc(most, sizeof *words);
  if (!words) return fail(err, "out of memory");
  char *save = NULL;
  for (char *word = strtok_r(args, " ", &save); word; word = strtok_r(NULL, " ", &save))
    if (strcmp(word, "-") != 0) words[count++] = word;
  gpu_result r = launch_parse_args(launch, words, count, err);
  free(words);
  return r;
}

static gpu_result read_row(Case *c, char *columns[COLUMNS], size_t count, Text *err) {
  c->id = columns[COL_ID];
  if (count != COLUMNS)
    return fail(err,
                "the row has %zu column%s; a case has %d, separated by tabs: id kernel grid block "
                "dynamic_smem flags args",
                count, count == 1 ? "" : "s", COLUMNS);
  if (!*c->id) return fail(err, "the id is empty");
  c->launch.kernel = columns[COL_KERNEL];
  if (!*c->launch.kernel) return fail(err, "the kernel's name is empty");
  gpu_result r = read_shape(&c->launch, columns, err);
  if (r == GPU_OK) r = check_flags(columns[COL_FLAGS], err);
  if (r == GPU_OK) c->launch.flush = columns[COL_FLAGS][0] == 'f';
  return r == GPU_OK ? read_args(&c->launch, columns[COL_ARGS], err) : r;
}

static bool is_case(const char *line) {
  return line[0] && line[0] != '#' && strncmp(line, "id\t", 3) != 0;
}

static bool is_wanted(const char *id, const char *pattern) {
  return !pattern || fnmatch(pattern, id, 0) == 0;
}

static void add_case(CaseTable *table, char *line, uint32_t number, const char *pattern) {
  char *columns[COLUMNS];
  size_t count = cut_columns(line, columns);
  if (!is_wanted(columns[COL_ID], pattern)) return;
  Case *c = &table->cases[table->count++];
  Text err = {0};
  c->line = number;
  if (read_row(c, columns, count, &err) == GPU_OK)
    text_free(&err);
  else
    c->error = err.data;
}

static size_t count_lines(const char *text) {
  size_t lines = 1;
  for (const char *at = text; (at = strchr(at, '\n')); at++) lines++;
  return lines;
}

gpu_result cases_read(CaseTable *table, const char *path, const char *pattern, Text *err) {
  size_t length;
  *table = (CaseTable){.path = path, .text = read_file(path, &length, err)};
  if (!table->text) return GPU_BAD_INPUT;
  if (strlen(table->text) != length)
    return fail(err, "'%s' is not a table: it has a NUL byte at offset %zu", path,
                strlen(table->text));
  table->cases = calloc(count_lines(table->text), sizeof *table->cases);
  if (!table->cases) return fail(err, "out of memory");
  uint32_t number = 0;
  for (char *line = table->text; line;) {
    char *end = strchr(line, '\n'), *next = end ? end + 1 : NULL;
    if (end) *end = '\0';
    if (end && end > line && end[-1] == '\r') end[-1] = '\0';
    number++;
    if (is_case(line)) add_case(table, line, number, pattern);
    line = next;
  }
  return GPU_OK;
}

void cases_free(CaseTable *table) {
  for (size_t i = 0; i < table->count; i++) {
    launch_free(&table->cases[i].launch);
    free(table->cases[i].error);
  }
  free(table->cases);
  free(table->text);
}
