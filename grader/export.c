/* export.c - results in the formats of the platforms that courses run on. */
#include "export.h"

#include <string.h>

#include "classbook.h"
#include "report.h"

enum { OUTPUT_MAX = 4000 }; /* bytes of one test's text: platforms have limits of their own */

/* ---- text ------------------------------------------------------------------------------------ */

static void add_labelled(Text *out, const char *label, const char *text) {
  if (!text) return;
  text_add(out, "%s", label);
  report_foreign(out, 0, text);
}

/* What a student should read about one test; empty for one that passed. */
static void describe(Text *out, const TestResult *t) {
  if (t->status == TEST_GRADER_ERROR) add_labelled(out, "The grader failed: ", t->message);
  if (t->status != TEST_FAILED) return;
  if (t->hidden) {
    text_add(out, "A hidden test: its cases are not shown.\n");
  } else {
    add_labelled(out, "", t->message);
    add_labelled(out, "", t->call);
    add_labelled(out, "expected: ", t->expected);
    add_labelled(out, "got: ", t->got);
    add_labelled(out, "", t->picture);
    if (t->source_line) text_add(out, "line %u: ", t->line);
    add_labelled(out, "", t->source_line);
  }
  if (!t->unwritten) add_labelled(out, "hint: ", t->hint);
}

/* The description as a member of an object, cut to a sane length. */
static void add_description(Text *out, const char *key, const TestResult *t) {
  Text text = {0};
  describe(&text, t);
  if (text.length > OUTPUT_MAX) text.data[OUTPUT_MAX] = '\0';
  json_add_string(out, key, text_str(&text));
  text_free(&text);
}

/* Why there is no score; else how many points there are. */
static void add_summary(Text *out, const char *key, const LabResult *lab) {
  Text text = {0};
  if (lab->status == GRADE_NOT_GRADABLE)
    text_add(&text, "There is nothing to grade yet, and this costs no points:\n");
  if (lab->status == GRADE_ERROR)
    text_add(&text, "The grader itself failed. This says nothing about the submission; please "
                    "tell your instructor.\n");
  if (lab->status <= GRADE_BELOW)
    text_add(&text, "Score: %g of %g\n", lab->points, lab->max);
  else if (lab->message)
    report_foreign(&text, 0, lab->message);
  if (text.length > OUTPUT_MAX) text.data[OUTPUT_MAX] = '\0';
  json_add_string(out, key, text_str(&text));
  text_free(&text);
}

static bool has_score(const LabResult *lab) { return lab->status <= GRADE_BELOW; }

/* ---- Gradescope ------------------------------------------------------------------------------ */

/* Without a score Gradescope says that the autograder failed, and tells the instructor; that is
 * right for a failure of the grader only. */
static void write_gradescope(Text *out, const Submission *s) {
  const LabResult *lab = &s->labs[0];
  json_open(out, NULL, '{');
  if (lab->status != GRADE_ERROR) json_add_number(out, "score", has_score(lab) ? lab->points : 0);
  json_add_number(out, "execution_time", lab->seconds);
  add_summary(out, "output", lab);
  json_add_string(out, "output_format", "text");
  json_add_string(out, "test_output_format", "text");
  json_add_string(out, "visibility", "visible");
  json_add_string(out, "stdout_visibility", "hidden");
  json_open(out, "extra_data", '{');
  json_add_string(out, "compiler", lab->compiler);
  json_add_string(out, "ptx_hash", lab->ptx_hash);
  json_add_string(out, "sandbox", lab->sandbox);
  json_close(out, '}');
  if (has_score(lab)) json_open(out, "tests", '[');
  for (size_t i = 0; has_score(lab) && i < lab->test_count; i++) {
    const TestResult *t = &lab->tests[i];
    char number[40];
    snprintf(number, sizeof number, "%u.%zu", lab->number, i + 1);
    json_open(out, NULL, '{');
    json_add_number(out, "score", t->points);
    json_add_number(out, "max_score", t->max);
    json_add_string(out, "status", t->status == TEST_PASSED ? "passed" : "failed");
    json_add_string(out, "name", t->title);
    json_add_string(out, "number", number);
    add_description(out, "output", t);
    json_add_string(out, "visibility", "visible");
    json_close(out, '}');
  }
  if (has_score(lab)) json_close(out, ']');
  json_close(out, '}');
  text_add(out, "\n");
}

/* ---- Autolab --------------------------------------------------------------------------------- */

static void add_stage_test(Text *out, const TestResult *t) {
  json_open(out, t->name, '{');
  json_add_bool(out, "passed", t->status == TEST_PASSED);
  if (t->status != TEST_PASSED) add_description(out, "hint", t);
  json_close(out, '}');
}

/* Two lines of JSON, the second one the last of all output. When the grader failed it has no score,
 * so that Autolab keeps the old one. */
static void write_autolab(Text *out, const Submission *s) {
  const LabResult *lab = &s->labs[0];
  ReportStyle style = {0};
  report_lab(out, lab, &style);
  Text line = {0};
  json_open(&line, NULL, '{');
  json_add_string(&line, "_presentation", "semantic");
  json_open(&line, "stages", '[');
  json_add_string(&line, NULL, "Build");
  if (has_score(lab)) json_add_string(&line, NULL, "Test");
  json_close(&line, ']');
  json_open(&line, "Build", '{');
  json_open(&line, "compile", '{');
  json_add_bool(&line, "passed", has_score(lab));
  if (!has_score(lab)) add_summary(&line, "hint", lab);
  json_close(&line, '}');
  json_close(&line, '}');
  if (has_score(lab)) json_open(&line, "Test", '{');
  for (size_t i = 0; has_score(lab) && i < lab->test_count; i++)
    add_stage_test(&line, &lab->tests[i]);
  if (has_score(lab)) json_close(&line, '}');
  json_close(&line, '}');
  text_add(&line, "\n");
  json_open(&line, NULL, '{');
  json_open(&line, "scores", '{');
  if (lab->status != GRADE_ERROR)
    json_add_number(&line, lab->slug, has_score(lab) ? lab->points : 0);
  json_close(&line, '}');
  json_close(&line, '}');
  text_add(out, "\n%s\n", line.data);
  text_free(&line);
}

/* ---- PrairieLearn ---------------------------------------------------------------------------- */

/* Not gradable costs no attempt there. */
static void write_prairielearn(Text *out, const Submission *s) {
  const LabResult *lab = &s->labs[0];
  json_open(out, NULL, '{');
  json_add_bool(out, "gradable", has_score(lab));
  json_add_number(out, "score", has_score(lab) && lab->max > 0 ? lab->points / lab->max : 0);
  add_summary(out, "message", lab);
  if (!has_score(lab)) {
    json_open(out, "format_errors", '[');
    add_summary(out, NULL, lab);
    json_close(out, ']');
  }
  json_open(out, "tests", '[');
  for (size_t i = 0; has_score(lab) && i < lab->test_count; i++) {
    const TestResult *t = &lab->tests[i];
    json_open(out, NULL, '{');
    json_add_string(out, "name", t->title);
    json_add_number(out, "points", t->points);
    json_add_number(out, "max_points", t->max);
    add_description(out, "output", t);
    json_close(out, '}');
  }
  json_close(out, ']');
  json_close(out, '}');
  text_add(out, "\n");
}

/* ---- GitHub Classroom ------------------------------------------------------------------------ */

static const char *classroom_status(const LabResult *lab) {
  return lab->status == GRADE_FULL ? "pass" : lab->status == GRADE_BELOW ? "fail" : "error";
}

static void add_classroom_test(Text *out, const LabResult *lab, const TestResult *t) {
  json_open(out, NULL, '{');
  json_add_string(out, "name", t->title);
  json_add_string(out, "status",
                  t->status == TEST_PASSED   ? "pass"
                  : t->status == TEST_FAILED ? "fail"
                                             : "error");
  json_add_number(out, "score", t->points);
  if (has_score(lab))
    add_description(out, "message", t);
  else
    add_summary(out, "message", lab);
  json_add_string(out, "test_code", t->name);
  json_add_string(out, "filename", t->file ? t->file : "");
  json_add_number(out, "line_no", t->line);
  json_add_number(out, "duration", t->seconds);
  json_close(out, '}');
}

static void write_classroom(Text *out, const Submission *s) {
  const LabResult *lab = &s->labs[0];
  json_open(out, NULL, '{');
  json_add_number(out, "version", 1);
  json_add_string(out, "status", classroom_status(lab));
  json_add_number(out, "max_score", lab->max);
  json_open(out, "tests", '[');
  for (size_t i = 0; i < lab->test_count; i++) add_classroom_test(out, lab, &lab->tests[i]);
  json_close(out, ']');
  json_close(out, '}');
  text_add(out, "\n");
}

/* ---- the table ------------------------------------------------------------------------------- */

const ExportFormat export_formats[] = {
    {"junit", "JUnit's XML", submission_junit},
    {"gradescope", "results.json of Gradescope", write_gradescope},
    {"autolab", "the report, then Autolab's two lines", write_autolab},
    {"prairielearn", "results.json of PrairieLearn", write_prairielearn},
    {"classroom", "what GitHub Classroom's reporter reads, before base64", write_classroom},
};
const size_t export_format_count = sizeof export_formats / sizeof *export_formats;

gpu_result export_find(const ExportFormat **format, const char *name, Text *err) {
  for (size_t i = 0; i < export_format_count; i++) {
    *format = &export_formats[i];
    if (strcmp(name, export_formats[i].name) == 0) return GPU_OK;
  }
  fail(err, "there is no format '%s'", name);
  text_suggest(err, span_str(name), &export_formats[0].name, export_format_count,
               sizeof export_formats[0]);
  text_add(err, "\n  formats:");
  for (size_t i = 0; i < export_format_count; i++) text_add(err, " %s", export_formats[i].name);
  return GPU_BAD_INPUT;
}
