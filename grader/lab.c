/* lab.c - finding the labs, and reading their tables. */
#include "lab.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "variant.h"

/* ---- the course ---------------------------------------------------------------------------- */

/* "01-partition": a number, a dash, a name. */
static bool parse_folder(Lab *lab, Arena *arena, const char *name) {
  size_t digits = strspn(name, "0123456789");
  if (digits == 0 || digits > 4 || name[digits] != '-') return false;
  const char *slug = name + digits + 1;
  if (!*slug || slug[strspn(slug, "abcdefghijklmnopqrstuvwxyz0123456789-")]) return false;
  lab->number = (uint32_t)strtoul(name, NULL, 10);
  lab->folder = arena_strndup(arena, name, strlen(name));
  lab->slug = lab->folder + digits + 1;
  return true;
}

static bool comes_before(const Lab *a, const Lab *b) {
  return a->number != b->number ? a->number < b->number : strcmp(a->slug, b->slug) < 0;
}

/* Keeps the labs in order. */
static void insert_lab(Course *c, Lab lab, size_t *capacity) {
  ARENA_GROW(c->arena, c->labs, c->lab_count, *capacity);
  size_t at = c->lab_count++;
  for (; at > 0 && comes_before(&lab, &c->labs[at - 1]); at--) c->labs[at] = c->labs[at - 1];
  c->labs[at] = lab;
}

static gpu_result find_labs(Course *c, Text *err) {
  const char *path = arena_printf(c->arena, "%s/labs", c->root);
  DIR *dir = opendir(path);
  if (!dir) {
    fail(err, "cannot open the folder of the labs, %s: %s", path, strerror(errno));
    return GPU_INTERNAL;
  }
  size_t capacity = 0;
  for (const struct dirent *entry; (entry = readdir(dir));) {
    Lab lab = {0};
    if (!parse_folder(&lab, c->arena, entry->d_name)) continue;
    lab.path = arena_printf(c->arena, "%s/%s", path, lab.folder);
    insert_lab(c, lab, &capacity);
  }
  closedir(dir);
  return GPU_OK;
}

static gpu_result read_key(Course *c, Text *err) {
  const char *path = getenv("WARPBOOK_COURSE_KEY");
  c->key = "an open course";
  if (!path || !*path) return GPU_OK;
  size_t length;
  char *text = read_file(path, &length, err);
  if (!text) return GPU_INTERNAL;
  c->key = arena_strndup(c->arena, text, length);
  c->has_key = true;
  free(text);
  return GPU_OK;
}

gpu_result course_open(Course *course, Arena *arena, Text *err) {
  const char *root = getenv("WARPBOOK_ROOT");
  *course = (Course){.arena = arena, .root = root && *root ? root : WARPBOOK_ROOT};
  course->suites = beside_program(arena, "suites");
  gpu_result result = read_key(course, err);
  return result == GPU_OK ? find_labs(course, err) : result;
}

static bool names_lab(const char *word, const Lab *lab) {
  if (strcmp(word, lab->slug) == 0 || strcmp(word, lab->folder) == 0) return true;
  size_t digits = strspn(word, "0123456789");
  return digits > 0 && digits < 9 && !word[digits] && strtoul(word, NULL, 10) == lab->number;
}

gpu_result course_lab(Lab **lab, const Course *course, const char *word, Text *err) {
  for (size_t i = 0; i < course->lab_count; i++) {
    *lab = &course->labs[i];
    if (names_lab(word, *lab)) return GPU_OK;
  }
  fail(err, "there is no lab '%s'", word);
  if (course->lab_count)
    text_suggest(err, span_str(word), &course->labs[0].slug, course->lab_count, sizeof(Lab));
  text_add(err, "\n  labs:");
  for (size_t i = 0; i < course->lab_count; i++) text_add(err, " %s", course->labs[i].slug);
  return GPU_BAD_INPUT;
}

/* ---- the table `lab` ------------------------------------------------------------------------ */

static gpu_result set_files(Lab *lab, Arena *arena, const Table *t, const TableRow *row,
                            Text *err) {
  const char *list = row->cells[1];
  while (*list) {
    size_t length = strcspn(list, " ");
    if (lab->file_count == FILES_MAX)
      return table_fail(err, t, row->line, "there are more than %d files", FILES_MAX);
    lab->files[lab->file_count++] = arena_strndup(arena, list, length);
    if (length == 0 || memchr(list, '/', length))
      return table_fail(err, t, row->line, "the file names must be separated by one blank");
    list += length + (list[length] == ' ');
  }
  return GPU_OK;
}

static gpu_result read_facts(Lab *lab, Arena *arena, const TableFile *file, Text *err) {
  const Table *t;
  gpu_result result = table_find(&t, file, "lab", err);
  if (result != GPU_OK) return result;
  if (t->column_count != 2) return table_fail(err, t, t->line, "the columns are: lab value");
  for (size_t i = 0; i < t->row_count && result == GPU_OK; i++) {
    const char *key = t->rows[i].cells[0], *value = t->rows[i].cells[1];
    if (strcmp(key, "title") == 0)
      lab->title = value;
    else if (strcmp(key, "minutes") == 0)
      lab->minutes = value;
    else if (strcmp(key, "after") == 0)
      lab->after = value;
    else if (strcmp(key, "files") == 0)
      result = set_files(lab, arena, t, &t->rows[i], err);
    else
      result = table_fail(err, t, t->rows[i].line,
                          "'%s' is not one of title, files, minutes, after", key);
  }
  if (result == GPU_OK && (!lab->title || lab->file_count == 0))
    return table_fail(err, t, t->line, "the lab needs a title and its files");
  return result;
}

/* ---- the table `hint` ----------------------------------------------------------------------- */

static gpu_result read_hints(Lab *lab, Arena *arena, const TableFile *file, Text *err) {
  const Table *t;
  size_t text, more;
  gpu_result result = table_find(&t, file, "hint", err);
  if (result == GPU_OK) result = table_column(&text, t, "text", err);
  if (result == GPU_OK) result = table_column(&more, t, "more", err);
  if (result != GPU_OK) return result;
  lab->hints = ARENA_ARRAY(arena, Hint, t->row_count + 1);
  for (size_t i = 0; i < t->row_count; i++) {
    const char **cells = t->rows[i].cells;
    if (lab_hint(lab, cells[0]))
      return table_fail(err, t, t->rows[i].line, "there is a hint '%s' already", cells[0]);
    lab->hints[lab->hint_count++] = (Hint){cells[0], cells[text], cells[more]};
  }
  return GPU_OK;
}

/* ---- the table `test` ----------------------------------------------------------------------- */

/* FNV-1a: the seeds that follow from the course's key are the same on every machine. */
static uint32_t mix(uint32_t hash, const char *text) {
  for (; *text; text++) hash = (hash ^ (unsigned char)*text) * 16777619u;
  return (hash ^ 0x1f) * 16777619u; /* a separator */
}

static uint32_t key_seed(const Course *c, const Lab *lab, const char *test, char index) {
  uint32_t hash = mix(mix(mix(2166136261u, c->key), lab->slug), test);
  return mix(hash, (const char[]){index, '\0'}) % 1000000;
}

/* "key:3" */
static bool seeds_of_key(TestSpec *test, const Course *c, const Lab *lab, const char *cell) {
  if (strncmp(cell, "key:", 4) != 0 || cell[4] < '1' || cell[4] > '0' + SEEDS_MAX || cell[5])
    return false;
  test->seed_count = (size_t)(cell[4] - '0');
  for (size_t i = 0; i < test->seed_count; i++)
    test->seeds[i] = key_seed(c, lab, test->name, (char)('a' + i));
  return true;
}

/* "1,2,3", or nothing at all */
static bool seeds_listed(TestSpec *test, const char *cell) {
  while (*cell) {
    char *end;
    errno = 0;
    unsigned long seed = strtoul(cell, &end, 10);
    if (*cell < '0' || *cell > '9' || errno || seed > UINT32_MAX) return false;
    if (test->seed_count == SEEDS_MAX || (*end && *end != ',')) return false;
    test->seeds[test->seed_count++] = (uint32_t)seed;
    cell = *end ? end + 1 : end;
  }
  return true;
}

/* Where the columns of the table `test` are. */
typedef struct TestColumns {
  const Table *table;
  size_t category, points, hidden, seeds, hint, title;
} TestColumns;

static gpu_result find_columns(TestColumns *c, const TableFile *file, Text *err) {
  gpu_result result = table_find(&c->table, file, "test", err);
  const struct {
    const char *name;
    size_t *column;
  } wanted[] = {{"category", &c->category}, {"points", &c->points}, {"hidden", &c->hidden},
                {"seeds", &c->seeds},       {"hint", &c->hint},     {"title", &c->title}};
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted && result == GPU_OK; i++)
    result = table_column(wanted[i].column, c->table, wanted[i].name, err);
  return result;
}

static gpu_result read_test(Lab *lab, const Course *course, const TestColumns *c,
                            const TableRow *row, Text *err) {
  const char **cells = row->cells;
  TestSpec test = {.name = cells[0],
                   .category = cells[c->category],
                   .title = cells[c->title],
                   .hint = cells[c->hint],
                   .hidden = strcmp(cells[c->hidden], "yes") == 0};
  if (lab_test(lab, test.name))
    return table_fail(err, c->table, row->line, "there is a test '%s' already", test.name);
  if (!test.hidden && *cells[c->hidden])
    return table_fail(err, c->table, row->line, "hidden is 'yes' or '-'");
  if (!lab_hint(lab, test.hint))
    return table_fail(err, c->table, row->line, "there is no hint '%s'", test.hint);
  if (!seeds_of_key(&test, course, lab, cells[c->seeds]) && !seeds_listed(&test, cells[c->seeds]))
    return table_fail(err, c->table, row->line, "the seeds are '-', numbers like 1,2,3, or key:3");
  lab->tests[lab->test_count] = test;
  return table_number(&lab->tests[lab->test_count++].points, c->table, row, c->points, err);
}

static gpu_result read_tests(Lab *lab, const Course *course, const TableFile *file, Text *err) {
  TestColumns c = {0};
  gpu_result result = find_columns(&c, file, err);
  if (result != GPU_OK) return result;
  lab->tests = ARENA_ARRAY(course->arena, TestSpec, c.table->row_count + 1);
  for (size_t i = 0; i < c.table->row_count && result == GPU_OK; i++)
    result = read_test(lab, course, &c, &c.table->rows[i], err);
  if (result == GPU_OK && lab->test_count == 0)
    return table_fail(err, c.table, c.table->line, "the lab has no tests");
  return result;
}

/* ---- the table `variant` --------------------------------------------------------------------- */

static TestSpec *find_test(const Lab *lab, const char *name) {
  for (size_t i = 0; i < lab->test_count; i++)
    if (strcmp(lab->tests[i].name, name) == 0) return &lab->tests[i];
  return NULL;
}

/* A lab need not have one. */
static gpu_result read_variants(Lab *lab, const Course *course, const TableFile *file, Text *err) {
  const Table *t = NULL;
  size_t numbers;
  for (size_t i = 0; i < file->count; i++)
    if (strcmp(file->tables[i].columns[0], "variant") == 0) t = &file->tables[i];
  if (!t) return GPU_OK;
  gpu_result result = table_column(&numbers, t, "numbers", err);
  for (size_t i = 0; i < t->row_count && result == GPU_OK; i++) {
    TestSpec *test = find_test(lab, t->rows[i].cells[0]);
    if (!test || test->variant_count)
      return table_fail(err, t, t->rows[i].line, "'%s' is no test, or has variants already",
                        t->rows[i].cells[0]);
    if (!variants_read(test, course->arena, t->rows[i].cells[numbers]))
      return table_fail(err, t, t->rows[i].line,
                        "the numbers are sets between bars, like 16,3 | 8,5, of the same size");
  }
  return result;
}

gpu_result lab_load(Lab *lab, const Course *course, Text *err) {
  if (lab->test_count) return GPU_OK;
  TableFile file;
  const char *path = arena_printf(course->arena, "%s/tests.tsv", lab->path);
  lab->file_count = lab->hint_count = 0;
  gpu_result result = table_read(&file, course->arena, path, err);
  if (result == GPU_OK) result = read_facts(lab, course->arena, &file, err);
  if (result == GPU_OK) result = read_hints(lab, course->arena, &file, err);
  if (result == GPU_OK) result = read_tests(lab, course, &file, err);
  if (result == GPU_OK) result = read_variants(lab, course, &file, err);
  return result == GPU_OK ? GPU_OK : GPU_INTERNAL;
}

/* ---- looking up ---------------------------------------------------------------------------- */

const TestSpec *lab_test(const Lab *lab, const char *name) { return find_test(lab, name); }

const Hint *lab_hint(const Lab *lab, const char *id) {
  for (size_t i = 0; i < lab->hint_count; i++)
    if (strcmp(lab->hints[i].id, id) == 0) return &lab->hints[i];
  return NULL;
}

gpu_result lab_find_test(const TestSpec **test, const Lab *lab, const char *word, Text *err) {
  *test = lab_test(lab, word);
  if (*test) return GPU_OK;
  fail(err, "the lab %s has no test '%s'", lab->slug, word);
  text_suggest(err, span_str(word), &lab->tests[0].name, lab->test_count, sizeof(TestSpec));
  text_add(err, "\n  tests:");
  for (size_t i = 0; i < lab->test_count; i++) text_add(err, " %s", lab->tests[i].name);
  return GPU_BAD_INPUT;
}
