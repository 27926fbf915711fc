/* tests/test_collect.c - reports of a suite that are short, damaged or contradict themselves are
 * the grader's error, never a score. */
#include <criterion/criterion.h>
#include <string.h>

#include "../collect.h"

static const char source[] = "int one() {\n  return 1;\n}\n";

/* A lab of two tests with 10 points each. */
typedef struct Fixture {
  Arena *arena;
  Hint hint;
  TestSpec specs[2];
  TestResult tests[2];
  Lab lab;
  LabResult out;
} Fixture;

static void set_up(Fixture *f) {
  static const char *const names[] = {"a", "b"};
  *f = (Fixture){.arena = arena_new(0), .hint = {"think", "Think.", ""}};
  for (int i = 0; i < 2; i++) {
    f->specs[i] =
        (TestSpec){.name = names[i], .title = "", .category = "", .hint = "think", .points = 10};
    f->tests[i] = (TestResult){.name = names[i], .max = 10, .status = TEST_NOT_RUN};
  }
  f->lab =
      (Lab){.slug = "lab", .tests = f->specs, .test_count = 2, .hints = &f->hint, .hint_count = 1};
  f->out = (LabResult){.slug = "lab", .tests = f->tests, .test_count = 2};
}

static GradeStatus status_for(const char *records, int exit_status) {
  Fixture f;
  set_up(&f);
  Evidence evidence = {.records = records,
                       .log = "",
                       .source = source,
                       .file = "one.cu",
                       .end = {.started = true, .exit_status = exit_status}};
  collect(&f.out, &f.lab, &evidence, f.arena);
  GradeStatus status = f.out.status;
  if (status == GRADE_ERROR) cr_assert(f.out.message && *f.out.message);
  arena_free(f.arena);
  return status;
}

#define COMPILED "{\"record\":\"compiled\",\"compiler\":\"c\",\"ptx_hash\":\"h\"}\n"
#define FOUND(test, status)                                                                        \
  "{\"record\":\"found\",\"test\":\"" test "\",\"status\":\"" status "\"}\n"
#define RAN(test, passed) "{\"record\":\"ran\",\"test\":\"" test "\",\"passed\":" passed "}\n"
#define GOOD(test) FOUND(test, "passed") RAN(test, "true")
#define BAD(test) FOUND(test, "failed") RAN(test, "false")
#define END(count) "{\"record\":\"end\",\"tests\":" count "}\n"

Test(collect, a_whole_report_is_believed) {
  cr_assert(status_for(COMPILED GOOD("a") GOOD("b") END("2"), 0) == GRADE_FULL);
  cr_assert(status_for(COMPILED GOOD("a") BAD("b") END("2"), 1) == GRADE_BELOW);
}
Test(collect, no_report_at_all_is_an_error) { cr_assert(status_for("", 0) == GRADE_ERROR); }
Test(collect, a_test_that_did_not_run_is_an_error) {
  cr_assert(status_for(COMPILED GOOD("a") END("1"), 0) == GRADE_ERROR);
}
Test(collect, a_report_without_end_is_an_error) {
  cr_assert(status_for(COMPILED GOOD("a") GOOD("b"), 0) == GRADE_ERROR);
}
Test(collect, a_torn_line_is_an_error) {
  cr_assert(status_for(COMPILED GOOD("a") GOOD("b") "{\"record\":\"en", 0) == GRADE_ERROR);
}
Test(collect, a_test_that_says_nothing_is_an_error) {
  cr_assert(status_for(COMPILED GOOD("a") RAN("b", "true") END("2"), 0) == GRADE_ERROR);
}
Test(collect, disagreement_is_an_error) {
  cr_assert(status_for(COMPILED GOOD("a") FOUND("b", "passed") RAN("b", "false") END("2"), 1) ==
            GRADE_ERROR);
  cr_assert(status_for(COMPILED GOOD("a") GOOD("b") END("2"), 1) == GRADE_ERROR);
  cr_assert(status_for(COMPILED GOOD("a") BAD("b") END("2"), 0) == GRADE_ERROR);
}
Test(collect, a_test_that_reports_twice_is_an_error) {
  cr_assert(status_for(COMPILED GOOD("a") BAD("b") FOUND("b", "passed") END("2"), 1) ==
            GRADE_ERROR);
}
Test(collect, a_test_that_nobody_asked_for_is_an_error) {
  cr_assert(status_for(COMPILED GOOD("a") GOOD("b") GOOD("c") END("3"), 0) == GRADE_ERROR);
}
Test(collect, a_refusal_is_not_gradable) {
  cr_assert(status_for("{\"record\":\"refused\",\"message\":\"no\"}\n", 2) == GRADE_NOT_GRADABLE);
}
