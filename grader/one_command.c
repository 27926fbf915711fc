/* one_command.c - `grade one DIR [LAB]`: grades DIR/submission/NN-slug/ into DIR/results.json.
 *
 * The piece that a class is graded with, here or on another machine: it may be killed at any moment
 * and run again as often as one likes. A lab whose key has not changed keeps its result. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "files.h"
#include "grade.h"
#include "key.h"
#include "options.h"

typedef struct OneJob {
  const OneRequest *request;
  Submission old, now;
  bool changed; /* something was graded */
} OneJob;

static void read_old(OneJob *job) {
  Arena *arena = job->request->course->arena;
  const char *text =
      read_or_empty(arena, arena_printf(arena, "%s/" ONE_RESULTS, job->request->folder));
  const Json *json = json_parse(arena, text, strlen(text));
  if (!json || !submission_read(&job->old, arena, json)) job->old = (Submission){0};
}

/* What was graded before from the very same; a failure of the grader is tried again. */
static const LabResult *find_old(const OneJob *job, const char *slug, const char *key) {
  for (size_t i = 0; i < job->old.lab_count; i++) {
    const LabResult *lab = &job->old.labs[i];
    if (lab->status != GRADE_ERROR && lab->key && strcmp(lab->slug, slug) == 0 &&
        strcmp(lab->key, key) == 0)
      return lab;
  }
  return NULL;
}

static void grade_anew(OneJob *job, LabResult *out, Lab *lab, const char *folder) {
  GradeRequest request = {.lab = lab,
                          .folder = folder,
                          .arguments = "DIR",
                          .sandbox = job->request->sandbox,
                          .compiler = job->request->compiler,
                          .student = job->request->student};
  grade_lab(out, job->request->course, &request);
}

static void nothing_handed_in(LabResult *out, const Lab *lab) {
  *out = (LabResult){.slug = lab->slug,
                     .title = lab->title,
                     .number = lab->number,
                     .status = GRADE_NOT_GRADABLE,
                     .message = "nothing was handed in",
                     .missing = true};
  for (size_t i = 0; i < lab->test_count; i++) out->max += lab->tests[i].points;
}

static void one_lab(OneJob *job, LabResult *out, Lab *lab) {
  Arena *arena = job->request->course->arena;
  Text err = {0};
  const char *folder =
      arena_printf(arena, "%s/" ONE_SUBMISSION "/%s", job->request->folder, lab->folder);
  if (lab_load(lab, job->request->course, &err) != GPU_OK) {
    grade_failed(out, job->request->course, lab, text_str(&err));
    text_free(&err);
    return;
  }
  const char *key = key_of_lab(job->request->course, job->request->course_key, lab, folder,
                               job->request->student);
  const LabResult *old = find_old(job, lab->slug, key);
  job->changed = job->changed || !old;
  if (old)
    *out = *old;
  else if (is_folder(folder))
    grade_anew(job, out, lab, folder);
  else
    nothing_handed_in(out, lab);
  out->key = key;
  out->folder = lab->folder;
  text_free(&err);
}

static gpu_result write_results(const OneJob *job, Text *err) {
  Text out = {0};
  submission_json(&out, &job->now, true);
  gpu_result result = write_file_whole(
      arena_printf(job->request->course->arena, "%s/" ONE_RESULTS, job->request->folder), &out,
      err);
  text_free(&out);
  return result;
}

static const char *last_part(Arena *arena, const char *path) {
  size_t end = strlen(path);
  while (end > 1 && path[end - 1] == '/') end--;
  size_t begin = end;
  while (begin > 0 && path[begin - 1] != '/') begin--;
  return arena_strndup(arena, path + begin, end - begin);
}

int grade_one(const OneRequest *request, Text *err) {
  OneJob job = {.request = request};
  Course *course = request->course;
  size_t count = request->only ? 1 : course->lab_count;
  read_old(&job);
  job.now = (Submission){.name = last_part(course->arena, request->folder),
                         .labs = ARENA_ARRAY(course->arena, LabResult, count + 1)};
  for (; job.now.lab_count < count; job.now.lab_count++)
    one_lab(&job, &job.now.labs[job.now.lab_count],
            request->only ? request->only : &course->labs[job.now.lab_count]);
  submission_total(&job.now);
  if (!job.changed && job.now.lab_count == job.old.lab_count) return (int)job.now.status;
  return write_results(&job, err) == GPU_OK ? (int)job.now.status : GRADE_ERROR;
}

int one_command(const Options *o, Course *course, Text *err) {
  OneRequest request = {.course = course, .folder = o->words[0], .student = o->student};
  gpu_result result = GPU_OK;
  if (!is_folder(request.folder)) result = fail(err, "there is no folder '%s'", request.folder);
  if (result == GPU_OK && o->word_count > 1)
    result = course_lab(&request.only, course, o->words[1], err);
  request.compiler = key_compiler(course->arena);
  if (result == GPU_OK && course_is_official(course, o->official))
    result = key_check_compiler(request.compiler, err);
  if (result != GPU_OK) return (int)status_of_result(result);
  request.course_key = key_of_course(course, request.compiler);
  request.sandbox = sandbox_probe();
  return grade_one(&request, err);
}
