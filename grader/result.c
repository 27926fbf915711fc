/* result.c - sums over results, and results as JSON. */
#include "result.h"

#include "json.h"

const char *test_status_word(TestStatus status) {
  switch (status) {
  case TEST_PASSED: return "passed";
  case TEST_FAILED: return "failed";
  case TEST_NOT_RUN: return "not_run";
  case TEST_GRADER_ERROR: break;
  }
  return "grader_error";
}

const char *grade_status_word(GradeStatus status) {
  switch (status) {
  case GRADE_FULL: return "full";
  case GRADE_BELOW: return "below";
  case GRADE_NOT_GRADABLE: return "not_gradable";
  case GRADE_ERROR: break;
  }
  return "grader_error";
}

static GradeStatus worse(GradeStatus a, GradeStatus b) { return a > b ? a : b; }

static GradeStatus status_of(const TestResult *t) {
  switch (t->status) {
  case TEST_PASSED: return t->points < t->max ? GRADE_BELOW : GRADE_FULL;
  case TEST_FAILED: return GRADE_BELOW;
  case TEST_NOT_RUN: return GRADE_NOT_GRADABLE;
  case TEST_GRADER_ERROR: break;
  }
  return GRADE_ERROR;
}

void lab_total(LabResult *lab) {
  lab->points = lab->max = 0;
  for (size_t i = 0; i < lab->test_count; i++) {
    lab->points += lab->tests[i].points;
    lab->max += lab->tests[i].max;
    lab->status = worse(lab->status, status_of(&lab->tests[i]));
  }
}

void submission_total(Submission *s) {
  s->points = s->max = 0;
  s->status = GRADE_FULL;
  for (size_t i = 0; i < s->lab_count; i++) {
    const LabResult *lab = &s->labs[i];
    s->status = worse(s->status, lab->status);
    s->max += lab->max;
    if (lab->status <= GRADE_BELOW) s->points += lab->points;
  }
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void add_points(Text *out, bool known, double points, double max) {
  if (known)
    json_add_number(out, "points", points);
  else
    json_add_null(out, "points");
  json_add_number(out, "max", max);
}

static void add_details(Text *out, const TestResult *t) {
  json_add_string(out, "fault", t->fault);
  json_add_string(out, "call", t->call);
  json_add_string(out, "expected", t->expected);
  json_add_string(out, "got", t->got);
  json_add_string(out, "file", t->file);
  if (t->line)
    json_add_number(out, "line", t->line);
  else
    json_add_null(out, "line");
  json_add_string(out, "source_line", t->source_line);
  json_add_string(out, "picture", t->picture);
  if (t->has_seed)
    json_add_number(out, "seed", t->seed);
  else
    json_add_null(out, "seed");
  json_add_string(out, "replay", t->replay);
}

static void add_test(Text *out, const TestResult *t, bool instructor) {
  bool open = !t->hidden || instructor;
  json_open(out, NULL, '{');
  json_add_string(out, "name", t->name);
  json_add_string(out, "title", t->title);
  json_add_string(out, "category", t->category);
  json_add_string(out, "status", test_status_word(t->status));
  add_points(out, t->status == TEST_PASSED || t->status == TEST_FAILED, t->points, t->max);
  json_add_bool(out, "unwritten", t->unwritten);
  json_add_bool(out, "hidden", t->hidden);
  json_add_string(out, "message", open ? t->message : NULL);
  if (open) add_details(out, t);
  json_add_string(out, "hint_id", t->hint_id);
  json_add_string(out, "hint", t->hint);
  json_add_number(out, "seconds", t->seconds);
  json_close(out, '}');
}

static void add_lab(Text *out, const LabResult *lab, bool instructor) {
  json_open(out, NULL, '{');
  json_add_string(out, "lab", lab->slug);
  json_add_number(out, "number", lab->number);
  json_add_string(out, "title", lab->title);
  json_add_string(out, "folder", lab->folder);
  json_add_string(out, "status", grade_status_word(lab->status));
  add_points(out, lab->status <= GRADE_BELOW, lab->points, lab->max);
  json_add_bool(out, "partial", lab->partial);
  json_add_string(out, "message", lab->message);
  json_add_string(out, "compiler", lab->compiler);
  json_add_string(out, "ptx_hash", lab->ptx_hash);
  json_add_string(out, "sandbox", lab->sandbox);
  json_add_number(out, "seconds", lab->seconds);
  json_open(out, "tests", '[');
  for (size_t i = 0; i < lab->test_count; i++) add_test(out, &lab->tests[i], instructor);
  json_close(out, ']');
  json_close(out, '}');
}

void submission_json(Text *out, const Submission *s, bool instructor) {
  json_open(out, NULL, '{');
  json_add_number(out, "version", 1);
  json_add_string(out, "submission", s->name);
  json_add_string(out, "status", grade_status_word(s->status));
  add_points(out, s->status <= GRADE_BELOW, s->points, s->max);
  json_open(out, "labs", '[');
  for (size_t i = 0; i < s->lab_count; i++) add_lab(out, &s->labs[i], instructor);
  json_close(out, ']');
  json_close(out, '}');
  text_add(out, "\n");
}
