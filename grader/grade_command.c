/* grade_command.c - `grade [LAB [DIR]]`: what to grade, and how to show it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "export.h"
#include "files.h"
#include "grade.h"
#include "key.h"
#include "options.h"
#include "report.h"
#include "watch.h"

typedef struct Session {
  const Options *options;
  Course *course;
  SandboxKind sandbox;
  const char *compiler;
  Lab *lab; /* NULL: all */
  const TestSpec *test;
  const char *folder; /* of the one lab */
} Session;

static bool has_colour(void) {
  const char *term = getenv("TERM"), *off = getenv("NO_COLOR");
  return isatty(STDOUT_FILENO) && !(off && *off) && term && strcmp(term, "dumb") != 0;
}

/* ---- what ----------------------------------------------------------------------------------- */

/* The folder that the user named: a copy of one lab, or one that holds labs like the course's. */
static const char *named_folder(const Options *o) {
  return o->word_count > 1 ? o->words[1] : o->submission;
}

static const char *folder_of(const Session *s, const Lab *lab) {
  Arena *arena = s->course->arena;
  const char *named = named_folder(s->options);
  if (s->options->solution)
    return arena_printf(arena, "%s/solutions/%s", s->course->root, lab->folder);
  if (!named) return lab->path;
  const char *inner = arena_printf(arena, "%s/%s", named, lab->folder);
  return s->lab && !is_folder(inner) ? named : inner;
}

static gpu_result check_folder(const char *path, Text *err) {
  return is_folder(path) ? GPU_OK : fail(err, "there is no folder '%s'", path);
}

/* At most one of --solution, --submission and DIR. */
static gpu_result check_choice(const Options *o, Text *err) {
  const char *named = named_folder(o);
  if (named && o->solution)
    return fail(err, "--solution grades the course's own solution: leave '%s' away", named);
  if (o->word_count > 1 && o->submission)
    return fail(err, "'%s' and --submission '%s' are two folders: leave one away", named,
                o->submission);
  return named ? check_folder(named, err) : GPU_OK;
}

static gpu_result choose(Session *s, Text *err) {
  const Options *o = s->options;
  gpu_result result = check_choice(o, err);
  if (result != GPU_OK || o->word_count == 0) return result;
  result = course_lab(&s->lab, s->course, o->words[0], err);
  if (result == GPU_OK) result = lab_load(s->lab, s->course, err);
  if (result == GPU_OK && o->test) result = lab_find_test(&s->test, s->lab, o->test, err);
  if (result != GPU_OK) return result;
  s->folder = folder_of(s, s->lab);
  return check_folder(s->folder, err);
}

/* ---- grading -------------------------------------------------------------------------------- */

static void grade_chosen(LabResult *out, const Session *s, Lab *lab, const char *folder) {
  const Options *o = s->options;
  GradeRequest request = {.lab = lab,
                          .folder = folder,
                          .arguments = named_folder(o) ? folder
                                       : o->solution   ? "--solution"
                                                       : "",
                          .only = s->test,
                          .explain = o->explain,
                          .has_seed = o->has_seed,
                          .seed = o->seed,
                          .student = o->student,
                          .sandbox = s->sandbox,
                          .compiler = s->compiler};
  Text err = {0};
  if (lab_load(lab, s->course, &err) == GPU_OK)
    grade_lab(out, s->course, &request);
  else
    grade_failed(out, s->course, lab, text_str(&err));
  text_free(&err);
}

static void show_progress(const Session *s, const Lab *lab) {
  if (isatty(STDERR_FILENO) && !s->options->json)
    fprintf(stderr, "\r\033[Kgrading %s ...", lab->slug);
}

static void clear_progress(const Session *s) {
  if (isatty(STDERR_FILENO) && !s->options->json) fprintf(stderr, "\r\033[K");
}

static void grade_submission(Submission *out, const Session *s) {
  size_t count = s->lab ? 1 : s->course->lab_count;
  *out = (Submission){.name = s->options->solution ? "solutions" : "labs"};
  out->labs = ARENA_ARRAY(s->course->arena, LabResult, count + 1);
  for (; out->lab_count < count; out->lab_count++) {
    Lab *lab = s->lab ? s->lab : &s->course->labs[out->lab_count];
    show_progress(s, lab);
    grade_chosen(&out->labs[out->lab_count], s, lab, s->lab ? s->folder : folder_of(s, lab));
  }
  clear_progress(s);
  submission_total(out);
}

/* ---- showing -------------------------------------------------------------------------------- */

/* A path inside the course is shown from there. */
static void shorten_folders(Submission *s, const Course *course) {
  size_t length = strlen(course->root);
  for (size_t i = 0; i < s->lab_count; i++) {
    const char *folder = s->labs[i].folder;
    if (strncmp(folder, course->root, length) == 0 && folder[length] == '/')
      s->labs[i].folder = folder + length + 1;
  }
}

static int grade_and_show(const Session *s) {
  Submission result;
  Text out = {0};
  ReportStyle style = {has_colour(), s->options->hint, s->options->instructor};
  grade_submission(&result, s);
  shorten_folders(&result, s->course);
  if (s->options->format)
    s->options->format->write(&out, &result);
  else if (s->options->json)
    submission_json(&out, &result, s->options->instructor);
  else if (s->lab)
    report_lab(&out, &result.labs[0], &style);
  else
    report_overview(&out, &result, &style);
  fwrite(text_str(&out), 1, out.length, stdout);
  fflush(stdout);
  text_free(&out);
  return (int)result.status;
}

/* Grades at once and after every save, until it is interrupted. */
static _Noreturn void watch(const Session *s) {
  Watch w;
  watch_begin(&w, s->folder, s->lab->files, s->lab->file_count);
  for (;;) {
    if (isatty(STDOUT_FILENO)) printf("\033[H\033[2J\033[3J");
    grade_and_show(s);
    printf("\nWatching %s; Ctrl-C ends it.\n", s->folder);
    fflush(stdout);
    watch_wait(&w);
    printf("\n");
  }
}

int grade_command(const Options *o, Course *course, Text *err) {
  if (o->class_folder) return class_command(o, course, err);
  Session s = {.options = o, .course = course};
  gpu_result result = choose(&s, err);
  s.compiler = key_compiler(course->arena);
  if (result == GPU_OK && course_is_official(course, o->official))
    result = key_check_compiler(s.compiler, err);
  if (result != GPU_OK) return (int)status_of_result(result);
  s.sandbox = sandbox_probe();
  if (o->watch && s.lab) watch(&s);
  return grade_and_show(&s);
}
