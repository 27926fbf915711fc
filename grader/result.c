/* result.c - sums over results, and results as JSON. */
#include "result.h"

#include <string.h>

enum { RESULT_VERSION = 1 };

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

GradeStatus status_of_result(gpu_result result) {
  return result == GPU_OK ? GRADE_FULL : result == GPU_BAD_INPUT ? GRADE_NOT_GRADABLE : GRADE_ERROR;
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
  if (t->explain) json_add_string(out, "explain", t->explain);
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
  json_add_string(out, "hint_more", t->hint_more);
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
  if (lab->missing) json_add_bool(out, "missing", true);
  if (lab->key) json_add_string(out, "key", lab->key);
  if (lab->notes) json_add_string(out, "notes", lab->notes);
  json_add_number(out, "seconds", lab->seconds);
  json_open(out, "tests", '[');
  for (size_t i = 0; i < lab->test_count; i++) add_test(out, &lab->tests[i], instructor);
  json_close(out, ']');
  json_close(out, '}');
}

void submission_json(Text *out, const Submission *s, bool instructor) {
  json_open(out, NULL, '{');
  json_add_number(out, "version", RESULT_VERSION);
  json_add_string(out, "submission", s->name);
  json_add_string(out, "status", grade_status_word(s->status));
  add_points(out, s->status <= GRADE_BELOW, s->points, s->max);
  json_open(out, "labs", '[');
  for (size_t i = 0; i < s->lab_count; i++) add_lab(out, &s->labs[i], instructor);
  json_close(out, ']');
  json_close(out, '}');
  text_add(out, "\n");
}

/* ---- reading JSON --------------------------------------------------------------------------- */

static const char *string_of(const Json *json, const char *key) {
  return json_get_string(json, key, NULL);
}

static bool read_test_status(TestStatus *out, const char *word) {
  for (TestStatus s = TEST_PASSED; s <= TEST_GRADER_ERROR; s++) {
    *out = s;
    if (strcmp(word, test_status_word(s)) == 0) return true;
  }
  return false;
}

static bool read_grade_status(GradeStatus *out, const Json *json) {
  const char *word = json_get_string(json, "status", "");
  for (GradeStatus s = GRADE_FULL; s <= GRADE_ERROR; s++) {
    *out = s;
    if (strcmp(word, grade_status_word(s)) == 0) return true;
  }
  return false;
}

static bool read_test(TestResult *t, const Json *json) {
  double seed = json_get_number(json, "seed", -1), line = json_get_number(json, "line", 0);
  *t = (TestResult){.name = json_get_string(json, "name", ""),
                    .title = json_get_string(json, "title", ""),
                    .category = json_get_string(json, "category", ""),
                    .points = json_get_number(json, "points", 0),
                    .max = json_get_number(json, "max", 0),
                    .unwritten = json_get_bool(json, "unwritten", false),
                    .hidden = json_get_bool(json, "hidden", false),
                    .message = string_of(json, "message"),
                    .call = string_of(json, "call"),
                    .expected = string_of(json, "expected"),
                    .got = string_of(json, "got"),
                    .file = string_of(json, "file"),
                    .line = line > 0 && line < UINT32_MAX ? (uint32_t)line : 0,
                    .source_line = string_of(json, "source_line"),
                    .picture = string_of(json, "picture"),
                    .fault = string_of(json, "fault"),
                    .hint_id = string_of(json, "hint_id"),
                    .hint = string_of(json, "hint"),
                    .hint_more = string_of(json, "hint_more"),
                    .has_seed = seed >= 0 && seed <= UINT32_MAX,
                    .replay = string_of(json, "replay"),
                    .seconds = json_get_number(json, "seconds", 0)};
  if (t->has_seed) t->seed = (uint32_t)seed;
  return *t->name && read_test_status(&t->status, json_get_string(json, "status", ""));
}

static size_t count_members(const Json *array) {
  size_t count = 0;
  for (const Json *m = array ? array->first : NULL; m; m = m->next) count++;
  return count;
}

static bool read_lab(LabResult *lab, Arena *arena, const Json *json) {
  const Json *tests = json_get(json, "tests");
  *lab = (LabResult){.slug = json_get_string(json, "lab", ""),
                     .title = json_get_string(json, "title", ""),
                     .folder = json_get_string(json, "folder", ""),
                     .number = (uint32_t)json_get_number(json, "number", 0),
                     .message = string_of(json, "message"),
                     .command = "./grade",
                     .points = json_get_number(json, "points", 0),
                     .max = json_get_number(json, "max", 0),
                     .tests = ARENA_ARRAY(arena, TestResult, count_members(tests) + 1),
                     .partial = json_get_bool(json, "partial", false),
                     .missing = json_get_bool(json, "missing", false),
                     .compiler = string_of(json, "compiler"),
                     .ptx_hash = string_of(json, "ptx_hash"),
                     .sandbox = string_of(json, "sandbox"),
                     .key = string_of(json, "key"),
                     .notes = string_of(json, "notes"),
                     .seconds = json_get_number(json, "seconds", 0)};
  for (const Json *t = tests ? tests->first : NULL; t; t = t->next)
    if (!read_test(&lab->tests[lab->test_count++], t)) return false;
  return *lab->slug && read_grade_status(&lab->status, json);
}

bool submission_read(Submission *s, Arena *arena, const Json *json) {
  const Json *labs = json_get(json, "labs");
  if (!labs || json_get_number(json, "version", 0) != RESULT_VERSION) return false;
  *s = (Submission){.name = json_get_string(json, "submission", ""),
                    .labs = ARENA_ARRAY(arena, LabResult, count_members(labs) + 1)};
  for (const Json *lab = labs->first; lab; lab = lab->next)
    if (!read_lab(&s->labs[s->lab_count++], arena, lab)) return false;
  submission_total(s);
  return true;
}
