/* grade.c - grading one lab of one submission: copy, run the suite in the sandbox, collect. */
#include "grade.h"

#include <stdlib.h>
#include <string.h>

#include "collect.h"
#include "files.h"
#include "json.h"
#include "stage.h"
#include "variant.h"

enum { SECONDS_MAX = 60 };

/* ---- what is asked for ---------------------------------------------------------------------- */

static bool wanted(const GradeRequest *r, const TestSpec *test) {
  return !r->only || r->only == test;
}

static void list_tests(LabResult *out, const GradeRequest *r, Arena *arena) {
  const Lab *lab = r->lab;
  out->tests = ARENA_ARRAY(arena, TestResult, lab->test_count);
  for (size_t i = 0; i < lab->test_count; i++) {
    const TestSpec *spec = &lab->tests[i];
    if (!wanted(r, spec)) continue;
    out->tests[out->test_count++] = (TestResult){.name = spec->name,
                                                 .title = spec->title,
                                                 .category = spec->category,
                                                 .max = spec->points,
                                                 .hidden = spec->hidden,
                                                 .status = TEST_NOT_RUN};
  }
  out->partial = out->test_count < lab->test_count;
}

static void add_seeds(Text *t, const GradeRequest *r, const TestSpec *spec) {
  json_open(t, "seeds", '[');
  if (r->has_seed && spec->seed_count)
    json_add_number(t, NULL, r->seed);
  else
    for (size_t i = 0; i < spec->seed_count; i++) json_add_number(t, NULL, spec->seeds[i]);
  json_close(t, ']');
}

/* What a prediction asks about. */
static void add_numbers(Text *t, const GradeRequest *r, const TestSpec *spec, const char *student) {
  if (!spec->variant_count) return;
  const int *numbers = spec->variants[variant_of(r->lab, spec, student)];
  json_open(t, "numbers", '[');
  for (size_t i = 0; i < spec->number_count; i++) json_add_number(t, NULL, numbers[i]);
  json_close(t, ']');
}

static gpu_result write_request(const Stage *stage, const GradeRequest *r, const char *student,
                                Text *err) {
  Text t = {0};
  json_open(&t, NULL, '{');
  json_add_string(&t, "suite", r->lab->slug);
  json_add_string(&t, "source", r->lab->files[0]);
  json_add_string(&t, "compiler", r->compiler);
  json_add_bool(&t, "explain", r->explain);
  json_open(&t, "tests", '[');
  for (size_t i = 0; i < r->lab->test_count; i++) {
    if (!wanted(r, &r->lab->tests[i])) continue;
    json_open(&t, NULL, '{');
    json_add_string(&t, "name", r->lab->tests[i].name);
    add_seeds(&t, r, &r->lab->tests[i]);
    add_numbers(&t, r, &r->lab->tests[i], student);
    json_close(&t, '}');
  }
  json_close(&t, ']');
  json_close(&t, '}');
  gpu_result result = write_file(stage->request, t.data, t.length, err);
  text_free(&t);
  return result;
}

/* ---- running -------------------------------------------------------------------------------- */

static bool is_starter(const GradeRequest *r, const char *source) {
  size_t length;
  char path[4096];
  Text err = {0};
  snprintf(path, sizeof path, "%s/%s", r->lab->path, r->lab->files[0]);
  char *starter = read_file(path, &length, &err);
  bool same = starter && strcmp(starter, source) == 0;
  free(starter);
  text_free(&err);
  return same;
}

static gpu_result copy_files(const Stage *stage, const GradeRequest *r, Arena *arena,
                             Evidence *evidence, Text *err) {
  const Lab *lab = r->lab;
  evidence->file = lab->files[0];
  gpu_result result = stage_copy(stage, arena, r->folder, lab->files[0], &evidence->source, err);
  /* The tests say themselves what a missing answers file costs. */
  Text ignored = {0};
  for (size_t i = 1; i < lab->file_count && result != GPU_INTERNAL; i++)
    stage_copy(stage, arena, r->folder, lab->files[i], NULL, &ignored);
  text_free(&ignored);
  return result;
}

/* Whose predictions they are; NULL: nobody's, so they have the numbers of the lab's own file. */
static const char *student_of(const Stage *stage, const GradeRequest *r, Arena *arena) {
  const char *path = arena_printf(arena, "%s/" ANSWERS_FILE, stage->in);
  return r->student ? r->student : variant_student(arena, read_or_empty(arena, path));
}

static void run_suites(const Course *course, const Stage *stage, const GradeRequest *r,
                       Evidence *evidence) {
  const char *argv[] = {course->suites, stage->folder, NULL};
  const char *readable[] = {course->suites, WARPBOOK_ROOT "/sim/cuda", WARPBOOK_ROOT "/sim/arch",
                            stage->folder, NULL};
  SandboxJob job = {.argv = argv,
                    .readable = readable,
                    .writable = stage->out,
                    .log = stage->log,
                    .seconds = SECONDS_MAX};
  evidence->end = sandbox_run(r->sandbox, &job);
  evidence->records = read_or_empty(course->arena, stage->records);
  evidence->log = read_or_empty(course->arena, stage->log);
}

/* ---- one lab -------------------------------------------------------------------------------- */

static void begin(LabResult *out, const Lab *lab, const char *folder) {
  *out = (LabResult){.slug = lab->slug,
                     .title = lab->title ? lab->title : lab->slug,
                     .folder = folder,
                     .number = lab->number,
                     .status = GRADE_FULL};
}

static void stop(LabResult *out, const Course *course, gpu_result why, const Text *message) {
  out->status = status_of_result(why);
  out->message = arena_strndup(course->arena, text_str(message), message->length);
  lab_total(out);
}

static void grade_staged(LabResult *out, const Course *course, const GradeRequest *r,
                         const Stage *stage, Text *err) {
  Evidence evidence = {0};
  gpu_result result = copy_files(stage, r, course->arena, &evidence, err);
  if (result == GPU_OK) result = write_request(stage, r, student_of(stage, r, course->arena), err);
  if (result != GPU_OK) {
    stop(out, course, result, err);
    return;
  }
  out->untouched = is_starter(r, evidence.source);
  run_suites(course, stage, r, &evidence);
  collect(out, r->lab, &evidence, course->arena);
}

void grade_lab(LabResult *out, const Course *course, const GradeRequest *r) {
  double start = seconds_now();
  Stage stage;
  Text err = {0};
  begin(out, r->lab, r->folder);
  list_tests(out, r, course->arena);
  out->command = arena_printf(course->arena, "./grade %s%s%s", r->lab->slug,
                              *r->arguments ? " " : "", r->arguments);
  out->sandbox = sandbox_name(r->sandbox);
  gpu_result result = stage_open(&stage, course->arena, &err);
  if (result == GPU_OK)
    grade_staged(out, course, r, &stage, &err);
  else
    stop(out, course, result, &err);
  stage_close(&stage);
  text_free(&err);
  out->seconds = seconds_now() - start;
}

void grade_failed(LabResult *out, const Course *course, const Lab *lab, const char *message) {
  begin(out, lab, lab->path);
  out->status = GRADE_ERROR;
  out->message = arena_strndup(course->arena, message, strlen(message));
}
