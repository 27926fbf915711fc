/* tests/test_scores.c - the course grades itself: solutions, starters and known mistakes get the
 * scores and hints that they should. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "../table.h"
#include "run.h"

#define MUTANTS WARPBOOK_ROOT "/grader/mutants/01-partition"

static double points_of(const GradeRun *run) { return json_get_number(run_lab(run), "points", -1); }

Test(scores, every_solution_gets_full_marks) {
  GradeRun run = RUN("--solution");
  expect_status(&run, 0);
  expect_text(&run, "100/100");
  run_end(&run);
}

Test(scores, the_solution_of_lab_1_gets_100_of_100) {
  GradeRun run = RUN("partition", "--solution");
  expect_status(&run, 0);
  expect_text(&run, "\nScore: 100/100\n");
  run_end(&run);
}

Test(scores, the_starter_compiles_and_gets_less_than_40) {
  GradeRun run = RUN("partition", WARPBOOK_ROOT "/labs/01-partition", "--json");
  expect_status(&run, 1);
  cr_assert(points_of(&run) >= 0 && points_of(&run) < 40);
  run_end(&run);
}

Test(scores, the_points_of_a_lab_sum_up_to_100) {
  GradeRun run = RUN("partition", "--solution", "--json");
  cr_assert(json_get_number(run_lab(&run), "max", 0) == 100);
  run_end(&run);
}

Test(scores, limits_alone_give_the_same_score_as_the_sandbox) {
  setenv("WARPBOOK_SANDBOX", "limits", 1);
  GradeRun run = RUN("partition", "--solution", "--json");
  expect_status(&run, 0);
  cr_assert_str_eq(json_get_string(run_lab(&run), "sandbox", ""), "limits only");
  run_end(&run);
}

/* ---- mutants -------------------------------------------------------------------------------- */

typedef struct Mutant {
  const char *file, *test, *hint;
  uint32_t least, most;
} Mutant;

/* Adds to `wrong` what the grader made of the mutant otherwise than its row says. */
static void check_mutant(const Mutant *m, Text *wrong) {
  char path[256], folder[64];
  snprintf(path, sizeof path, "grader/mutants/01-partition/%s", m->file);
  char *source = course_file(path);
  GradeRun run = RUN("partition", make_submission(folder, sizeof folder, source), "--json");
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
  free(source);
}

Test(scores, every_known_mistake_gets_its_score_and_its_hint) {
  Arena *arena = arena_new(0);
  TableFile file;
  const Table *table;
  Text err = {0}, wrong = {0};
  cr_assert(table_read(&file, arena, MUTANTS "/mutants.tsv", &err) == GPU_OK &&
                table_find(&table, &file, "mutant", &err) == GPU_OK,
            "%s", text_str(&err));
  cr_assert(table->row_count >= 10 && table->column_count == 5);
  for (size_t i = 0; i < table->row_count; i++) {
    const TableRow *row = &table->rows[i];
    Mutant m = {.file = row->cells[0], .test = row->cells[3], .hint = row->cells[4]};
    cr_assert(table_number(&m.least, table, row, 1, &err) == GPU_OK);
    cr_assert(table_number(&m.most, table, row, 2, &err) == GPU_OK);
    check_mutant(&m, &wrong);
  }
  cr_assert(wrong.length == 0, "%s", text_str(&wrong));
  text_free(&err);
  text_free(&wrong);
  arena_free(arena);
}
