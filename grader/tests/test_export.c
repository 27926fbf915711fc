/* tests/test_export.c - what the formats of platforms say where there is no score: never a zero
 * that the grader is to blame for. */
#include <criterion/criterion.h>
#include <string.h>

#include "../export.h"

static TestResult tests[] = {
    {.name = "a", .title = "A", .points = 3, .max = 3, .status = TEST_PASSED},
    {.name = "b",
     .title = "B <&>",
     .max = 7,
     .status = TEST_FAILED,
     .call = "f(1)",
     .expected = "2",
     .got = "\033[31m3",
     .hint_id = "h",
     .hint = "Think."},
    {.name = "c",
     .title = "C",
     .max = 5,
     .status = TEST_FAILED,
     .hidden = true,
     .call = "secret(42)",
     .message = "secret",
     .hint_id = "h",
     .hint = "Think."},
};

/* The result in one format; `status` as if the grading had ended so. */
static const Json *exported(Arena *arena, const char *name, GradeStatus status, Text *text) {
  const ExportFormat *format;
  Text err = {0};
  LabResult lab = {.slug = "lab", .title = "Lab", .folder = "", .number = 1, .status = status};
  Submission s = {.name = "s", .labs = &lab, .lab_count = 1};
  lab.command = "./grade lab";
  lab.tests = tests;
  lab.test_count = 3;
  lab.points = 3;
  lab.max = 15;
  lab.message = status > GRADE_BELOW ? "why not" : NULL;
  cr_assert(export_find(&format, name, &err) == GPU_OK);
  format->write(text, &s);
  const char *last = text->data, *line = text->data;
  for (; *line; line += strcspn(line, "\n") + 1) last = line;
  return json_parse(arena, last, strlen(last));
}

#define EXPORT(format, status)                                                                     \
  Arena *arena = arena_new(0);                                                                     \
  Text text = {0};                                                                                 \
  const Json *json = exported(arena, format, status, &text)
#define DONE                                                                                       \
  text_free(&text);                                                                                \
  arena_free(arena)

Test(export, hidden_cases_and_control_characters_are_in_no_format) {
  for (size_t i = 0; i < export_format_count; i++) {
    EXPORT(export_formats[i].name, GRADE_BELOW);
    (void)json;
    cr_expect(!strstr(text.data, "secret"), "%s", export_formats[i].name);
    cr_expect(!strchr(text.data, '\033') && !strstr(text.data, "u001b"), "%s", text.data);
    cr_expect(strstr(text.data, "Think."), "%s", export_formats[i].name);
    DONE;
  }
}

Test(export, gradescope_has_no_score_when_the_grader_failed) {
  EXPORT("gradescope", GRADE_ERROR);
  cr_assert(json && !json_get(json, "score") && !json_get(json, "tests"));
  cr_assert(strstr(json_get_string(json, "output", ""), "grader itself failed"));
  DONE;
}

Test(export, gradescope_counts_points) {
  EXPORT("gradescope", GRADE_BELOW);
  cr_assert(json_get_number(json, "score", 0) == 3);
  const Json *test = json_get(json, "tests")->first;
  cr_assert_str_eq(json_get_string(test, "status", ""), "passed");
  cr_assert_str_eq(json_get_string(test, "number", ""), "1.1");
  cr_assert(json_get_number(test->next, "max_score", 0) == 7);
  DONE;
}

Test(export, autolab_ends_with_the_scores) {
  EXPORT("autolab", GRADE_BELOW);
  cr_assert(json_get_number(json_get(json, "scores"), "lab", 0) == 3);
  DONE;
}

Test(export, autolab_has_no_score_when_the_grader_failed) {
  EXPORT("autolab", GRADE_ERROR);
  cr_assert(json && !json_get(json, "scores")->first);
  DONE;
}

Test(export, prairielearn_takes_no_attempt_without_a_score) {
  EXPORT("prairielearn", GRADE_NOT_GRADABLE);
  cr_assert(!json_get_bool(json, "gradable", true));
  cr_assert(strstr(json_get(json, "format_errors")->first->string, "why not"));
  DONE;
}

Test(export, classroom_says_error_without_a_score) {
  EXPORT("classroom", GRADE_ERROR);
  cr_assert_str_eq(json_get_string(json, "status", ""), "error");
  cr_assert(json_get_number(json, "max_score", 0) == 15);
  DONE;
}

Test(export, an_unknown_format_names_the_formats) {
  const ExportFormat *format;
  Text err = {0};
  cr_assert(export_find(&format, "gradescop", &err) == GPU_BAD_INPUT);
  cr_assert(strstr(err.data, "did you mean 'gradescope'?") && strstr(err.data, "prairielearn"));
  text_free(&err);
}
