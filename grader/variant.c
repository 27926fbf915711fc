/* variant.c - which numbers a student's predictions have, and answers.txt with them. */
#include "variant.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "fnv.h"

enum { ID_MAX = 64, NUMBER_MAX = 1000000 };

/* ---- students -------------------------------------------------------------------------------- */

static bool in_id(char c) { return isalnum((unsigned char)c) || (c && strchr("._-@+~", c)); }

gpu_result student_check(const char *id, Text *err) {
  size_t length = strlen(id);
  bool good = length > 0 && length <= ID_MAX;
  for (const char *c = id; *c; c++) good = good && in_id(*c);
  if (good) return GPU_OK;
  return fail(err, "--student: '%s' is no name: up to %d letters, digits and . _ - @ + ~", id,
              ID_MAX);
}

/* The same for "Ada" and "ada", and another for each lab and prediction. */
static uint64_t hash_of(const Lab *lab, const TestSpec *test, const char *student) {
  uint64_t hash = fnv_bytes(FNV_START, lab->slug, strlen(lab->slug) + 1);
  hash = fnv_bytes(hash, test->name, strlen(test->name) + 1);
  for (; *student; student++) hash = fnv_bytes(hash, &(char){(char)tolower(*student)}, 1);
  return hash ^ hash >> 32; /* the upper half is the better mixed one */
}

size_t variant_of(const Lab *lab, const TestSpec *test, const char *student) {
  if (!student || !*student || test->variant_count < 2) return 0;
  return 1 + (size_t)(hash_of(lab, test, student) % (test->variant_count - 1));
}

/* ---- the table ------------------------------------------------------------------------------- */

const char *skip_blanks(const char *s) {
  while (*s == ' ' || *s == '\t') s++;
  return s;
}

/* "16,16,3,5" into the next set. */
static const char *read_set(TestSpec *test, const char *at) {
  size_t count = 0;
  int *set = test->variants[test->variant_count++];
  for (;; at++) {
    char *end;
    if (!isdigit((unsigned char)*at) || count == NUMBERS_MAX) return NULL;
    unsigned long number = strtoul(at, &end, 10);
    if (number > NUMBER_MAX) return NULL;
    set[count++] = (int)number;
    at = skip_blanks(end);
    if (*at != ',') break;
  }
  if (test->variant_count == 1) test->number_count = count;
  return count == test->number_count ? at : NULL;
}

bool variants_read(TestSpec *test, Arena *arena, const char *cell) {
  size_t most = 1;
  for (const char *c = cell; *c; c++) most += *c == '|';
  test->variants = (int(*)[NUMBERS_MAX])ARENA_ARRAY(arena, int, most *NUMBERS_MAX);
  for (const char *at = skip_blanks(cell); (at = read_set(test, at)); at = skip_blanks(at + 1)) {
    if (!*at) return true;
    if (*at != '|') return false;
  }
  return false;
}

/* ---- answers.txt ----------------------------------------------------------------------------- */

const char *answer_on_line(const char *line, const char *name) {
  size_t length = strlen(name);
  line = skip_blanks(line);
  if (strncmp(line, name, length) != 0) return NULL;
  line = skip_blanks(line + length);
  return *line == '=' ? skip_blanks(line + 1) : NULL;
}

static const char *next_line(const char *at) {
  at += strcspn(at, "\n");
  return *at ? at + 1 : NULL;
}

const char *variant_student(Arena *arena, const char *answers) {
  for (const char *line = answers; line; line = next_line(line)) {
    const char *id = answer_on_line(line, STUDENT_LINE);
    size_t length = id ? strcspn(id, "#\r\n") : 0;
    while (length && isspace((unsigned char)id[length - 1])) length--;
    if (length) return arena_strndup(arena, id, length);
  }
  return NULL;
}

/* The prediction whose line is the next one from here on; NULL: there is none. */
static const TestSpec *next_prediction(const Lab *lab, const char *at) {
  for (const char *line = at; line; line = next_line(line))
    for (size_t i = 0; i < lab->test_count; i++)
      if (answer_on_line(line, lab->tests[i].name)) return &lab->tests[i];
  return NULL;
}

/* The digits of "[257]" at `at`: their number; 0 when there is none such. */
static size_t bracketed(const char *at) {
  if (*at != '[') return 0;
  size_t digits = strspn(at + 1, "0123456789");
  return digits && at[1 + digits] == ']' ? digits : 0;
}

gpu_result variant_answers(Text *out, const Lab *lab, const char *template, const char *student,
                           Text *err) {
  const TestSpec *test = NULL;
  size_t used = 0; /* of the prediction's numbers */
  text_add(out, "# Whose questions these are; the numbers in brackets follow from it.\n%s = %s\n\n",
           STUDENT_LINE, student);
  for (const char *at = template; *at;) {
    size_t digits = bracketed(at);
    if (digits == 0) {
      text_bytes(out, at++, 1);
      continue;
    }
    const TestSpec *now = next_prediction(lab, at);
    used = now == test ? used : 0;
    test = now;
    if (!test || used >= test->number_count ||
        atoi(at + 1) != test->variants[0][used]) { // NOLINT(cert-err34-c): these are digits
      fail(err, "%s/%s: [%.*s] is not what the table 'variant' of tests.tsv says", lab->path,
           ANSWERS_FILE, (int)digits, at + 1);
      return GPU_INTERNAL;
    }
    text_add(out, "[%d]", test->variants[variant_of(lab, test, student)][used++]);
    at += digits + 2;
  }
  return GPU_OK;
}
