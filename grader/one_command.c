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
  Course *course;
  Lab *only; /* NULL: all */
  const char *folder;
  uint64_t course_key;
  Submission old, now;
  SandboxKind sandbox;
  bool changed; /* something was graded */
} OneJob;

static void read_old(OneJob *job) {
  Arena *arena = job->course->arena;
  const char *text = read_or_empty(arena, arena_printf(arena, "%s/" ONE_RESULTS, job->folder));
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
  GradeRequest request = {
      .lab = lab, .folder = folder, .arguments = "DIR", .sandbox = job->sandbox};
  grade_lab(out, job->course, &request);
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
  Arena *arena = job->course->arena;
  Text err = {0};
  const char *folder = arena_printf(arena, "%s/" ONE_SUBMISSION "/%s", job->folder, lab->folder);
  if (lab_load(lab, job->course, &err) != GPU_OK) {
    grade_failed(out, job->course, lab, text_str(&err));
    text_free(&err);
    return;
  }
  const char *key = key_of_lab(job->course, job->course_key, lab, folder);
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
  gpu_result result =
      write_file_whole(arena_printf(job->course->arena, "%s/" ONE_RESULTS, job->folder), &out, err);
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

int one_command(const Options *o, Course *course, Text *err) {
  OneJob job = {.course = course, .folder = o->words[0]};
  gpu_result result = GPU_OK;
  if (!is_folder(job.folder)) result = fail(err, "there is no folder '%s'", job.folder);
  if (result == GPU_OK && o->word_count > 1)
    result = course_lab(&job.only, course, o->words[1], err);
  if (result == GPU_OK && course_is_official(course, o->official)) result = key_check_compiler(err);
  if (result != GPU_OK) return result == GPU_BAD_INPUT ? GRADE_NOT_GRADABLE : GRADE_ERROR;
  size_t count = job.only ? 1 : course->lab_count;
  job.course_key = key_of_course(course);
  job.sandbox = sandbox_probe();
  read_old(&job);
  job.now = (Submission){.name = last_part(course->arena, job.folder),
                         .labs = ARENA_ARRAY(course->arena, LabResult, count + 1)};
  for (; job.now.lab_count < count; job.now.lab_count++)
    one_lab(&job, &job.now.labs[job.now.lab_count],
            job.only ? job.only : &course->labs[job.now.lab_count]);
  submission_total(&job.now);
  if (!job.changed && job.now.lab_count == job.old.lab_count) return (int)job.now.status;
  return write_results(&job, err) == GPU_OK ? (int)job.now.status : GRADE_ERROR;
}
