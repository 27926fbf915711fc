/* tests/test_command.c - `grade` as a user meets it: reports, options, statuses, bad input. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run.h"

#define FLOOR "return (threads + WARP - 1) / WARP;", "return threads / WARP;"
#define NO_MASK "if (left <= 0) return 0;", "return 0xffffffffu;"

/* ---- what a failure shows ------------------------------------------------------------------- */

Test(report, a_failure_shows_call_expected_got_line_and_hint) {
  char folder[64];
  GradeRun run =
      RUN("partition", make_changed(folder, sizeof folder, FLOOR), "--test", "warps_partial");
  expect_status(&run, 1);
  expect_text(&run, "0/7");
  expect_text(&run, "warps_per_block(257)");
  expect_text(&run, "expected  9");
  expect_text(&run, "got       8");
  expect_text(&run, "partition.cu:12:");
  expect_text(&run, "return threads / WARP;");
  expect_text(&run, "hint: ");
  expect_text(&run, "Score: 0/7\n");
  run_end(&run);
  remove_submission(folder);
}

Test(report, a_wrong_mask_is_drawn) {
  char folder[64];
  GradeRun run =
      RUN("partition", make_changed(folder, sizeof folder, NO_MASK), "--test", "mask_last");
  expect_status(&run, 1);
  expect_text(&run, "active_mask(48, 1)");
  expect_text(&run, "################................  0x0000ffff");
  run_end(&run);
  remove_submission(folder);
}

Test(report, option_hint_says_more) {
  char folder[64];
  make_changed(folder, sizeof folder, FLOOR);
  GradeRun brief = RUN("partition", folder), longer = RUN("partition", folder, "--hint");
  expect_no_text(&brief, "rounds up");
  expect_text(&longer, "rounds up");
  run_end(&brief);
  run_end(&longer);
  remove_submission(folder);
}

Test(report, option_explain_shows_the_lanes_of_the_failing_line) {
  char folder[64];
  make_changed(folder, sizeof folder, "z[seat] = threadIdx.z;",
               "if (threadIdx.x % 2) z[seat + 100000000] = threadIdx.z;");
  GradeRun run = RUN("partition", folder, "--explain", "kernel_1d");
  expect_status(&run, 1);
  expect_text(&run, "the last lines of block 0, warp 0");
  expect_text(&run, ".#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#  if (threadIdx.x % 2)");
  expect_text(&run, "the same in time, from cycle 0 on");
  expect_text(&run, "-#  ");
  expect_text(&run, "short_scoreboard");
  run_end(&run);
  remove_submission(folder);
}

Test(report, a_seed_replays_the_same_failure) {
  char folder[64];
  make_changed(folder, sizeof folder, FLOOR);
  GradeRun a = RUN("partition", folder, "--test", "random_shapes", "--seed", "77", "--json");
  GradeRun b = RUN("partition", folder, "--test", "random_shapes", "--seed", "77", "--json");
  GradeRun c = RUN("partition", folder, "--test", "random_shapes", "--seed", "78", "--json");
  const Json *first = run_test(&a, "random_shapes");
  const char *call = json_get_string(first, "call", "");
  cr_assert(json_get_number(first, "seed", 0) == 77 && *call);
  cr_assert_str_eq(call, json_get_string(run_test(&b, "random_shapes"), "call", ""));
  cr_assert_str_neq(call, json_get_string(run_test(&c, "random_shapes"), "call", ""));
  cr_assert(strstr(json_get_string(first, "replay", ""), "--test random_shapes --seed 77"));
  run_end(&a);
  run_end(&b);
  run_end(&c);
  remove_submission(folder);
}

Test(report, a_hidden_test_keeps_its_cases) {
  char folder[64];
  make_changed(folder, sizeof folder, NO_MASK);
  GradeRun student = RUN("partition", folder, "--json");
  GradeRun instructor = RUN("partition", folder, "--json", "--instructor");
  const Json *hidden = run_test(&student, "random_masks");
  cr_assert_str_eq(json_get_string(hidden, "status", ""), "failed");
  cr_assert_null(json_get(hidden, "expected"));
  cr_assert_null(json_get_string(hidden, "call", NULL));
  cr_assert(json_get_string(hidden, "hint", NULL));
  cr_assert(json_get_string(run_test(&instructor, "random_masks"), "call", NULL));
  run_end(&student);
  run_end(&instructor);
  remove_submission(folder);
}

Test(report, all_labs_show_points_and_the_next_step) {
  GradeRun run = RUN(NULL);
  cr_assert(run.status == 0 || run.status == 1);
  expect_text(&run, "partition");
  expect_text(&run, "Score: ");
  run_end(&run);
}

Test(report, colour_is_for_terminals_only) {
  GradeRun run = RUN("partition", "--solution");
  expect_no_text(&run, "\033");
  run_end(&run);
}

/* ---- bad usage ------------------------------------------------------------------------------ */

static void expect_bad_usage(GradeRun run, const char *first, const char *second) {
  expect_status(&run, 2);
  expect_text(&run, first);
  expect_text(&run, second);
  run_end(&run);
}

Test(usage, an_unknown_lab_names_the_labs) {
  expect_bad_usage(RUN("partitoin"), "did you mean 'partition'?", "labs: partition");
}
Test(usage, an_unknown_test_names_the_tests) {
  expect_bad_usage(RUN("partition", "--test", "warps_ful"), "did you mean 'warps_full'?",
                   "mask_last");
}
Test(usage, an_unknown_option_names_the_options) {
  expect_bad_usage(RUN("--sed", "3"), "there is no option --sed; did you mean '--seed'?", "--json");
}
Test(usage, a_seed_is_a_number) {
  expect_bad_usage(RUN("partition", "--seed", "x7"), "--seed", "not a whole number");
  expect_bad_usage(RUN("partition", "--seed", "99999999999"), "--seed", "too large");
  expect_bad_usage(RUN("partition", "--seed"), "--seed", "needs a value");
}
Test(usage, a_missing_folder_is_named) {
  expect_bad_usage(RUN("partition", "/no/such/folder"), "there is no folder", "/no/such/folder");
}
Test(usage, a_submission_may_be_one_lab_or_a_folder_of_labs) {
  GradeRun one = RUN("partition", "--submission", WARPBOOK_ROOT "/solutions/01-partition");
  GradeRun all = RUN("--submission", WARPBOOK_ROOT "/solutions");
  GradeRun inner = RUN("partition", "--submission", WARPBOOK_ROOT "/solutions");
  expect_status(&one, 0);
  expect_status(&all, 0);
  expect_status(&inner, 0);
  run_end(&one);
  run_end(&all);
  run_end(&inner);
}
Test(usage, two_folders_are_one_too_many) {
  expect_bad_usage(RUN("partition", "/tmp", "--submission", "/tmp"), "two folders",
                   "leave one away");
  expect_bad_usage(RUN("partition", "--solution", "--submission", "/tmp"), "--solution",
                   "leave '/tmp' away");
}
Test(usage, a_test_needs_a_lab) { expect_bad_usage(RUN("--test", "warps_full"), "--test", "lab"); }
Test(usage, options_of_a_class_need_one) {
  expect_bad_usage(RUN("partition", "--out", "x"), "--out", "--class DIR");
  expect_bad_usage(RUN("partition", "--jobs", "2"), "--jobs", "--class DIR");
  expect_bad_usage(RUN("--hosts", "x"), "--hosts", "--class DIR");
}
Test(usage, an_option_must_mean_something_there) {
  expect_bad_usage(RUN("partition", "--class", "/tmp", "--out", "x", "--json"), "--json", "--jobs");
  expect_bad_usage(RUN("quiz", "--watch"), "--watch", "--seed");
  expect_bad_usage(RUN("new", "partition", "x", "--solution"), "--solution", "--student");
}
Test(usage, a_number_names_a_lab) {
  GradeRun run = RUN("01", "--solution", "--test", "warps_full");
  expect_status(&run, 0);
  run_end(&run);
}
Test(usage, help_lists_every_option) {
  GradeRun run = RUN("help");
  expect_status(&run, 0);
  static const char *const options[] = {"--test", "--hint", "--seed", "--json", "--solution"};
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) expect_text(&run, options[i]);
  run_end(&run);
}

/* ---- submissions that are wrong, broken or hostile ------------------------------------------ */

Test(submission, one_that_does_not_compile_is_not_gradable) {
  char folder[64];
  make_changed(folder, sizeof folder, "return linear / WARP;", "return linear / WARP");
  GradeRun text = RUN("partition", folder), json = RUN("partition", folder, "--json");
  expect_status(&text, 2);
  expect_text(&text, "partition.cu:26:");
  expect_no_text(&text, "Score: 0");
  expect_status(&json, 2);
  cr_assert_str_eq(json_get_string(run_lab(&json), "status", ""), "not_gradable");
  cr_assert(json_get(run_lab(&json), "points")->type == JSON_NULL);
  run_end(&text);
  run_end(&json);
  remove_submission(folder);
}

Test(submission, a_missing_source_is_not_gradable) {
  char folder[64];
  make_submission(folder, sizeof folder, "");
  char path[128];
  snprintf(path, sizeof path, "%s/partition.cu", folder);
  unlink(path);
  GradeRun run = RUN("partition", folder);
  expect_status(&run, 2);
  expect_text(&run, "partition.cu: is missing");
  run_end(&run);
  remove_submission(folder);
}

/* Grades the solution with one replacement, and returns the JSON run. */
static GradeRun grade_changed(const char *from, const char *to) {
  char folder[64];
  GradeRun run = RUN("partition", make_changed(folder, sizeof folder, from, to), "--json");
  remove_submission(folder);
  return run;
}

static void expect_failed(GradeRun run, const char *test, const char *message) {
  expect_status(&run, 1);
  const Json *t = run_test(&run, test);
  cr_assert_str_eq(json_get_string(t, "status", ""), "failed");
  cr_assert(strstr(json_get_string(t, "message", ""), message), "'%s' is missing in: %s", message,
            json_get_string(t, "message", ""));
  cr_assert_str_eq(json_get_string(run_test(&run, "block_size"), "status", ""), "passed");
  run_end(&run);
}

Test(submission, an_endless_loop_fails_its_tests_only) {
  expect_failed(grade_changed("return linear / WARP;",
                              "for (unsigned i = 1; i; i += 2) linear ^= i;\n  return linear;"),
                "warp_ids", "instruction-limit");
}
Test(submission, a_loop_that_repeats_itself_fails_its_tests_only) {
  expect_failed(grade_changed("return linear / WARP;", "for (;;) linear |= 1;"), "warp_ids",
                "lane");
}
Test(submission, a_write_out_of_bounds_shows_the_fault) {
  expect_failed(grade_changed("z[seat] = ", "z[seat + 100000000] = "), "kernel_1d",
                "out-of-bounds");
}

#define MASK_BEGINS                                                                                \
  "__device__ unsigned active_mask(int threads, int warp) {\n  int left = threads - warp * WARP;"

Test(submission, a_missing_function_is_named) {
  expect_failed(grade_changed("unsigned active_mask(", "unsigned the_mask("), "mask_last",
                "active_mask");
}
Test(submission, too_many_parameters_are_a_failure_and_no_harm) {
  expect_failed(
      grade_changed(MASK_BEGINS,
                    "__device__ unsigned active_mask(int threads, int warp, long a, long b) {\n"
                    "  int left = threads - warp * WARP + a + b;"),
      "mask_last", "parameters");
}
Test(submission, what_is_expected_cannot_be_read) {
  expect_failed(
      grade_changed(MASK_BEGINS,
                    "__device__ unsigned active_mask(int a, int b, int c, int d, long expected) {\n"
                    "  return expected;\n}\n"
                    "__device__ unsigned other(int threads, int warp) {\n"
                    "  int left = threads - warp * WARP;"),
      "mask_last", "parameters");
}
Test(submission, a_wide_result_is_a_failure_and_no_harm) {
  expect_failed(grade_changed("unsigned active_mask(", "long active_mask("), "mask_last", "bytes");
}
Test(submission, nothing_returned_is_a_failure) {
  expect_failed(grade_changed(MASK_BEGINS, "__device__ void active_mask(int threads, int warp) {}\n"
                                           "__device__ unsigned other(int threads, int warp) {\n"
                                           "  int left = threads - warp * WARP;"),
                "mask_last", "returns nothing");
}

Test(submission, a_foreign_file_is_not_shown) {
  char folder[64];
  make_changed(folder, sizeof folder, "#define WARP 32",
               "#include \"/etc/passwd\"\n#define WARP 32");
  GradeRun run = RUN("partition", folder);
  expect_status(&run, 2);
  expect_no_text(&run, "root:");
  run_end(&run);
  remove_submission(folder);
}

Test(submission, strange_text_leaves_the_json_valid) {
  GradeRun run =
      grade_changed("return linear / WARP;", "return 7; // \"\\ \xff\xfe \033[31m </script> \t");
  expect_status(&run, 1);
  const char *line = json_get_string(run_test(&run, "warp_ids"), "source_line", "");
  cr_assert(strstr(line, "return 7; // \"\\ "));
  run_end(&run);
}

/* ---- the grader's own failures -------------------------------------------------------------- */

Test(grader_error, missing_suites_are_status_3_and_never_a_zero) {
  char folder[] = "/tmp/grader-tests-XXXXXX", copy[64], command[4400];
  cr_assert(mkdtemp(folder));
  snprintf(copy, sizeof copy, "%s/grade", folder);
  snprintf(command, sizeof command, "cp %s/grade %s && %s partition --solution >%s/out 2>&1",
           WARPBOOK_BUILD, copy, copy, folder);
  int status = system(command); // NOLINT(cert-env33-c): fixed words
  cr_assert(WEXITSTATUS(status) == 3);
  snprintf(command, sizeof command,
           "grep -q 'grader itself failed' %s/out && ! grep -q 'Score: 0' %s/out", folder, folder);
  cr_assert(system(command) == 0); // NOLINT(cert-env33-c): fixed words
  snprintf(command, sizeof command, "%s/out", folder);
  unlink(command);
  unlink(copy);
  rmdir(folder);
}
