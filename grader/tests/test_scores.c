/* tests/test_scores.c - the course grades itself: solutions, starters and known mistakes get the
 * scores and hints that they should. For one lab: build/grader-tests --filter partition/'*' */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mutant.h"
#include "run.h"

/* Every lab has its tests below, in a suite of its name. */
#define EVERY_LAB(DO)                                                                              \
  DO(partition)                                                                                    \
  DO(linearize)                                                                                    \
  DO(divergence)                                                                                   \
  DO(boundary) DO(reconverge) DO(latency) DO(scheduler) DO(shuffle) DO(vote) DO(occupancy)

static double points_of(const GradeRun *run) { return json_get_number(run_lab(run), "points", -1); }

/* ---- the course ------------------------------------------------------------------------------ */

/* Opens the course; a NULL slug loads no lab. */
static Lab *open_course(Course *course, Arena *arena, const char *slug) {
  Text err = {0};
  Lab *lab = NULL;
  cr_assert(course_open(course, arena, &err) == GPU_OK, "%s", text_str(&err));
  if (slug)
    cr_assert(course_lab(&lab, course, slug, &err) == GPU_OK &&
                  lab_load(lab, course, &err) == GPU_OK,
              "%s", text_str(&err));
  text_free(&err);
  return lab;
}

Test(scores, every_solution_gets_full_marks) {
  GradeRun run = RUN("--solution");
  expect_status(&run, 0);
  expect_text(&run, "100/100");
  run_end(&run);
}

Test(scores, every_lab_is_tested_here) {
#define NAME_OF(slug) #slug,
  static const char *const tested[] = {EVERY_LAB(NAME_OF)};
  Arena *arena = arena_new(0);
  Course course;
  open_course(&course, arena, NULL);
  cr_assert(course.lab_count == sizeof tested / sizeof *tested, "%zu labs, %zu of them tested",
            course.lab_count, sizeof tested / sizeof *tested);
  for (size_t i = 0; i < course.lab_count; i++)
    cr_assert_str_eq(course.labs[i].slug, tested[i], "EVERY_LAB has other labs than labs/");
  arena_free(arena);
}

Test(scores, limits_alone_give_the_same_score_as_the_sandbox) {
  setenv("WARPBOOK_SANDBOX", "limits", 1);
  GradeRun run = RUN("partition", "--solution", "--json");
  expect_status(&run, 0);
  cr_assert_str_eq(json_get_string(run_lab(&run), "sandbox", ""), "limits only");
  run_end(&run);
}

/* ---- a lab: solution and starter ------------------------------------------------------------- */

enum { STARTER_POINTS = 40, LAB_POINTS = 100 };

static void check_solution(const char *slug) {
  GradeRun text = RUN(slug, "--solution"), json = RUN(slug, "--solution", "--json");
  expect_status(&text, 0);
  expect_text(&text, "\nScore: 100/100\n");
  expect_status(&json, 0);
  cr_assert(json_get_number(run_lab(&json), "max", 0) == LAB_POINTS);
  run_end(&text);
  run_end(&json);
}

static void check_starter(const char *slug) {
  Arena *arena = arena_new(0);
  Course course;
  const Lab *lab = open_course(&course, arena, slug);
  GradeRun run = RUN(slug, lab->path, "--json");
  expect_status(&run, 1);
  cr_assert(points_of(&run) >= 0 && points_of(&run) < STARTER_POINTS, "the starter has %g points",
            points_of(&run));
  expect_no_text(&run, "\"fault\":\"");
  run_end(&run);
  arena_free(arena);
}

/* ---- a lab: other right ways ---------------------------------------------------------------- */

#define RIGHT WARPBOOK_ROOT "/grader/tests/right"

/* Grades grader/tests/right/NN-slug.cu or .diff, if it is there. */
static bool check_variant(const Lab *lab, const char *suffix) {
  char folder[64], path[4096];
  snprintf(path, sizeof path, RIGHT "/%s%s", lab->folder, suffix);
  if (access(path, R_OK) != 0) return false;
  make_variant(folder, sizeof folder, lab, path + sizeof WARPBOOK_ROOT);
  GradeRun run = RUN(lab->slug, folder);
  remove_submission(folder);
  expect_status(&run, 0);
  run_end(&run);
  return true;
}

static void check_other_ways(const char *slug) {
  Arena *arena = arena_new(0);
  Course course;
  const Lab *lab = open_course(&course, arena, slug);
  bool source = check_variant(lab, ".cu"), diff = check_variant(lab, ".diff");
  cr_assert(source || diff, "grader/tests/right/ has no other way for %s", lab->folder);
  arena_free(arena);
}

/* ---- a lab: mutants -------------------------------------------------------------------------- */

enum { MUTANTS_LEAST = 6, MUTANT_COLUMNS = 5 };

typedef struct Mutant {
  const char *file, *test, *hint;
  uint32_t least, most;
} Mutant;

/* Adds to `wrong` what the grader made of the mutant otherwise than its row says. */
static void check_mutant(const Lab *lab, const Mutant *m, Text *wrong) {
  char folder[64];
  make_mutant(folder, sizeof folder, lab, m->file);
  GradeRun run = RUN(lab->slug, folder, "--json");
  double points = points_of(&run);
  const Json *test = run_test(&run, m->test);
  const char *status = json_get_string(test, "status", ""),
             *hint = json_get_string(test, "hint_id", "");
  if (run.status != 1 || points < m->least || points > m->most)
    text_add(wrong, "%s: status %d, %g points, not %u to %u\n", m->file, run.status, points,
             m->least, m->most);
  if (strcmp(status, "failed") != 0 || strcmp(hint, m->hint) != 0)
    text_add(wrong, "%s: %s is %s with the hint '%s', not failed with '%s'\n", m->file, m->test,
             status, hint, m->hint);
  run_end(&run);
  remove_submission(folder);
}

static void read_mutants(const Table **table, TableFile *file, Arena *arena, const Lab *lab) {
  Text err = {0};
  const char *path =
      arena_printf(arena, WARPBOOK_ROOT "/grader/mutants/%s/mutants.tsv", lab->folder);
  cr_assert(table_read(file, arena, path, &err) == GPU_OK &&
                table_find(table, file, "mutant", &err) == GPU_OK,
            "%s", text_str(&err));
  cr_assert((*table)->row_count >= MUTANTS_LEAST && (*table)->column_count == MUTANT_COLUMNS);
}

static void check_mutants(const char *slug) {
  Arena *arena = arena_new(0);
  Course course;
  TableFile file;
  const Table *table;
  const Lab *lab = open_course(&course, arena, slug);
  Text err = {0}, wrong = {0};
  read_mutants(&table, &file, arena, lab);
  for (size_t i = 0; i < table->row_count; i++) {
    const TableRow *row = &table->rows[i];
    Mutant m = {.file = row->cells[0], .test = row->cells[3], .hint = row->cells[4]};
    cr_assert(table_number(&m.least, table, row, 1, &err) == GPU_OK);
    cr_assert(table_number(&m.most, table, row, 2, &err) == GPU_OK);
    check_mutant(lab, &m, &wrong);
  }
  cr_assert(wrong.length == 0, "%s", text_str(&wrong));
  text_free(&wrong);
  arena_free(arena);
}

#define LAB_TESTS(slug)                                                                            \
  Test(slug, solution_gets_100_of_100) { check_solution(#slug); }                                  \
  Test(slug, other_right_ways_get_full_marks) { check_other_ways(#slug); }                         \
  Test(slug, starter_compiles_and_gets_less_than_40) { check_starter(#slug); }                     \
  Test(slug, every_known_mistake_gets_its_score_and_its_hint) { check_mutants(#slug); }
EVERY_LAB(LAB_TESTS)
