/* tests/mutant.c - making submissions of a solution and a change. */
#include "mutant.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

/* ---- one file of a submission ---------------------------------------------------------------- */

/* Where the text is in the file, if it begins a line; NULL when it is not there. */
static const char *find_lines(const char *file, const char *lines) {
  for (const char *at = file; (at = strstr(at, lines)); at++)
    if (at == file || at[-1] == '\n') return at;
  return NULL;
}

/* Replaces the lines; false when they are not in the file. */
static bool change_file(char **file, const char *from, const char *to) {
  const char *at = find_lines(*file, from);
  if (!at) return false;
  cr_assert(!find_lines(at + 1, from), "these lines occur twice:\n%s", from);
  Text changed = {0};
  text_bytes(&changed, *file, (size_t)(at - *file));
  text_add(&changed, "%s%s", to, at + strlen(from));
  free(*file);
  *file = changed.data;
  return true;
}

/* ---- the changes ----------------------------------------------------------------------------- */

/* Takes the lines that begin with the sign off the text, without it. */
static void take_lines(Text *out, const char **text, char sign) {
  while (**text == sign) {
    size_t length = strcspn(*text, "\n");
    text_bytes(out, *text + 1, length - 1);
    text_add(out, "\n");
    *text += length + ((*text)[length] == '\n');
  }
}

static void change_one(char **files, size_t count, const char *from, const char *to) {
  size_t changed = 0;
  for (size_t i = 0; i < count; i++) changed += change_file(&files[i], from, to);
  cr_assert(changed == 1, "these lines are in %zu files of the solution:\n%s", changed, from);
}

static void apply_diff(char **files, size_t count, const char *diff) {
  size_t changes = 0;
  while (*diff) {
    Text from = {0}, to = {0};
    take_lines(&from, &diff, '-');
    take_lines(&to, &diff, '+');
    if (from.length) {
      change_one(files, count, from.data, text_str(&to));
      changes++;
    } else {
      cr_assert(to.length == 0, "lines with + need lines with - before them");
      diff += strcspn(diff, "\n");
      diff += *diff == '\n';
    }
    text_free(&from);
    text_free(&to);
  }
  cr_assert(changes > 0, "the mutant changes nothing");
}

/* ---- the whole ------------------------------------------------------------------------------- */

static char *solution_file(const Lab *lab, const char *name) {
  char path[256];
  snprintf(path, sizeof path, "solutions/%s/%s", lab->folder, name);
  return course_file(path);
}

void make_variant(char *folder, size_t size, const Lab *lab, const char *path) {
  char *files[FILES_MAX] = {NULL}, *variant = course_file(path);
  size_t length = strlen(path);
  for (size_t i = 0; i < lab->file_count; i++) files[i] = solution_file(lab, lab->files[i]);
  if (length > 5 && strcmp(path + length - 5, ".diff") == 0) {
    apply_diff(files, lab->file_count, variant);
    free(variant);
  } else {
    free(files[0]);
    files[0] = variant;
  }
  make_folder(folder, size);
  for (size_t i = 0; i < lab->file_count; i++) {
    put_file(folder, lab->files[i], files[i]);
    free(files[i]);
  }
}

void make_mutant(char *folder, size_t size, const Lab *lab, const char *name) {
  char path[256];
  snprintf(path, sizeof path, "grader/mutants/%s/%s", lab->folder, name);
  make_variant(folder, size, lab, path);
}
