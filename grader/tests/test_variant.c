/* tests/test_variant.c - predictions with a student's own numbers. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../files.h"
#include "../variant.h"
#include "run.h"

/* ---- choosing -------------------------------------------------------------------------------- */

static TestSpec prediction(Arena *arena, const char *cell) {
  TestSpec test = {.name = "predict_x"};
  cr_assert(variants_read(&test, arena, cell), "%s", cell);
  return test;
}

Test(variant, sets_are_read) {
  Arena *arena = arena_new(0);
  TestSpec test = prediction(arena, "16,3 | 8,5|1,2");
  cr_assert(test.variant_count == 3 && test.number_count == 2);
  cr_assert(test.variants[0][0] == 16 && test.variants[1][1] == 5 && test.variants[2][1] == 2);
  arena_free(arena);
}

Test(variant, sets_of_different_sizes_or_of_no_numbers_are_refused) {
  static const char *const wrong[] = {"",      "1 | 2,3", "1,2 | 3", "1 |",
                                      "1,x|2", "1;2",     "-1",      "1,2,3,4,5,6,7,8,9"};
  Arena *arena = arena_new(0);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    TestSpec test = {.name = "predict_x"};
    cr_expect(!variants_read(&test, arena, wrong[i]), "%s", wrong[i]);
  }
  arena_free(arena);
}

Test(variant, a_student_has_the_same_set_every_time_and_never_the_first) {
  Arena *arena = arena_new(0);
  Lab lab = {.slug = "lab"};
  TestSpec test = prediction(arena, "1 | 2 | 3 | 4");
  size_t seen[4] = {0};
  cr_assert(variant_of(&lab, &test, NULL) == 0 && variant_of(&lab, &test, "") == 0);
  for (int i = 0; i < 200; i++) {
    const char *name = arena_printf(arena, "student%d", i);
    size_t at = variant_of(&lab, &test, name);
    cr_assert(at > 0 && at < 4 && at == variant_of(&lab, &test, name));
    seen[at]++;
  }
  cr_assert(variant_of(&lab, &test, "Ada") == variant_of(&lab, &test, "aDA"));
  for (int i = 1; i < 4; i++) cr_expect(seen[i] > 30, "set %d has %zu of 200", i, seen[i]);
  arena_free(arena);
}

Test(variant, the_student_is_read_from_the_answers) {
  Arena *arena = arena_new(0);
  cr_assert_str_eq(variant_student(arena, "# a\n student =  ada.l \t# me\r\nstudent = b\n"),
                   "ada.l");
  cr_assert(!variant_student(arena, "students = ada\n# student = ada\nstudent =\n"));
  arena_free(arena);
}

/* ---- the labs -------------------------------------------------------------------------------- */

static void fresh_folder(char *folder, size_t size) {
  make_folder(folder, size);
  cr_assert(rmdir(folder) == 0);
}

static const char *answers_in(Arena *arena, const char *folder) {
  return read_or_empty(arena, arena_printf(arena, "%s/" ANSWERS_FILE, folder));
}

/* The brackets of every answers.txt hold the first set of its table, or `grade new` would fail. */
Test(variant, every_lab_can_be_made_for_a_student_and_every_prediction_is_personal) {
  Arena *arena = arena_new(0);
  Course course;
  Text err = {0};
  size_t predictions = 0, personal = 0;
  cr_assert(course_open(&course, arena, &err) == GPU_OK);
  for (size_t i = 0; i < course.lab_count; i++) {
    char folder[64];
    fresh_folder(folder, sizeof folder);
    GradeRun run = RUN("new", course.labs[i].slug, folder, "--student", "ada");
    expect_status(&run, 0);
    cr_assert(strstr(answers_in(arena, folder), "\nstudent = ada\n"));
    cr_assert(lab_load(&course.labs[i], &course, &err) == GPU_OK);
    for (size_t k = 0; k < course.labs[i].test_count; k++) {
      const TestSpec *test = &course.labs[i].tests[k];
      bool asks = strcmp(test->category, "prediction") == 0;
      predictions += asks;
      personal += asks && test->variant_count > 3;
    }
    run_end(&run);
    remove_tree(folder);
  }
  cr_assert(predictions > 0 && personal == predictions, "%zu of %zu predictions have variants",
            personal, predictions);
  arena_free(arena);
}

/* For ada the first lab asks about 321 threads; 40; 15 x 6; 9 blocks of 72; (11, 6) in 20 x 12. */
#define OF_ADA                                                                                     \
  "student = Ada\npredict_warps = 11\npredict_mask = 0xff\npredict_idle = 6\npredict_grid = 27\n"  \
  "predict_warp_of_thread = 4\n"

static void make_answers(char *folder, size_t size, const char *answers) {
  char *solution = course_file("solutions/01-partition/partition.cu");
  make_folder(folder, size);
  put_file(folder, "partition.cu", solution);
  put_file(folder, "answers.txt", answers);
  free(solution);
}

Test(variant, new_asks_for_the_students_numbers) {
  char folder[64];
  Arena *arena = arena_new(0);
  fresh_folder(folder, sizeof folder);
  GradeRun run = RUN("new", "partition", folder, "--student", "ada");
  expect_status(&run, 0);
  const char *answers = answers_in(arena, folder);
  cr_assert(strstr(answers, "A block has [321] threads. How many warps"), "%s", answers);
  cr_assert(strstr(answers, "is [20] wide (x) and [12] high (y)"), "%s", answers);
  run_end(&run);
  remove_tree(folder);
  arena_free(arena);
}

Test(variant, the_students_own_answers_are_right) {
  char folder[64];
  make_answers(folder, sizeof folder, OF_ADA);
  GradeRun run = RUN("partition", folder);
  expect_status(&run, 0);
  run_end(&run);
  remove_submission(folder);
}

Test(variant, anothers_answers_are_wrong_and_the_numbers_are_said) {
  char folder[64];
  make_answers(folder, sizeof folder, OF_ADA);
  GradeRun run = RUN("partition", folder, "--student", "grace");
  expect_status(&run, 1);
  expect_text(&run, "255 is not what happens with [");
  expect_no_text(&run, "happens with [40]");
  run_end(&run);
  remove_submission(folder);
}

Test(variant, a_strange_student_is_refused) {
  GradeRun run = RUN("partition", "--student", "a b");
  expect_status(&run, 2);
  expect_text(&run, "'a b' is no name");
  run_end(&run);
}

/* ---- a class --------------------------------------------------------------------------------- */

static const char *gradebook(Arena *arena, const char *out) {
  return read_or_empty(arena, arena_printf(arena, "%s/gradebook.json", out));
}

/* Ada's answers in the folder of somebody else. */
Test(variant, a_class_notes_whose_questions_were_answered_and_may_insist) {
  char folder[64], root[64];
  Arena *arena = arena_new(0);
  make_answers(folder, sizeof folder, OF_ADA);
  make_folder(root, sizeof root);
  cr_assert(rename(folder, arena_printf(arena, "%s/grace", root)) == 0);
  const char *lax = arena_printf(arena, "%s-lax", root),
             *strict = arena_printf(arena, "%s-strict", root);
  GradeRun one = RUN("partition", "--class", root, "--out", lax);
  GradeRun two = RUN("partition", "--class", root, "--out", strict, "--personal");
  expect_status(&one, 0);
  expect_status(&two, 0);
  cr_assert(strstr(gradebook(arena, lax), "\"points\":100"), "%s", gradebook(arena, lax));
  cr_assert(!strstr(gradebook(arena, strict), "\"points\":100"), "%s", gradebook(arena, strict));
  cr_assert(strstr(read_or_empty(arena, arena_printf(arena, "%s/students/grace/report.html", lax)),
                   "answers.txt has the questions of Ada"));
  run_end(&one);
  run_end(&two);
  remove_tree(root);
  remove_tree(lax);
  remove_tree(strict);
  arena_free(arena);
}
