/* class_command.c - `grade [LAB] --class DIR --out DIR`: finds the submissions, grades each as
 * `grade one` does, in a process of its own, and writes what the instructor needs.
 *
 *   OUT/students/ID/submission/   the files that are graded
 *   OUT/students/ID/results.json  what `grade one` found
 *   OUT/students/ID/report.html   for the student
 *   OUT/index.html gradebook.csv gradebook.json junit.xml
 *
 * It may be killed at any moment; the same command goes on where it was. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "classbook.h"
#include "files.h"
#include "grade.h"
#include "key.h"
#include "options.h"
#include "report.h"
#include "variant.h"

enum { ROUNDS_MAX = 3 }; /* of handing what failed to other machines */

typedef struct ClassRun {
  const Options *options;
  Course *course;
  Lab *labs; /* those that are graded */
  size_t lab_count;
  const char *out, *work;
  const char *hosts; /* a file of machines; NULL: this one */
  Handins handins;
  ClassBook book;
  SandboxKind sandbox;
  const char *compiler;
  uint64_t course_key;
  int lock; /* descriptor of the file that keeps other runs out */
} ClassRun;

static const char *student_folder(const ClassRun *run, size_t i) {
  return arena_printf(run->course->arena, "%s/students/%s", run->out, run->handins.items[i].id);
}

/* Whose predictions a student's are, if --personal says so; NULL: answers.txt says it. */
static const char *own_variant(const ClassRun *run, size_t i) {
  return run->options->personal ? run->handins.items[i].id : NULL;
}

/* ---- beginning ------------------------------------------------------------------------------- */

static gpu_result choose_labs(ClassRun *run, Text *err) {
  const Options *o = run->options;
  Lab *lab = NULL;
  gpu_result result = GPU_OK;
  run->labs = run->course->labs;
  run->lab_count = run->course->lab_count;
  if (o->word_count > 1) return fail(err, "'%s' is one word too many beside --class", o->words[1]);
  if (o->word_count == 1) {
    result = course_lab(&lab, run->course, o->words[0], err);
    run->labs = lab;
    run->lab_count = 1;
  }
  for (size_t i = 0; i < run->lab_count && result == GPU_OK; i++)
    result = lab_load(&run->labs[i], run->course, err);
  return result;
}

static gpu_result check_options(const Options *o, Text *err) {
  if (!o->out) return fail(err, "--class needs --out DIR, a folder for the results");
  return is_folder(o->class_folder) ? GPU_OK
                                    : fail(err, "there is no folder '%s'", o->class_folder);
}

/* Only one run at a time writes to the folder; the lock goes with the process. */
static gpu_result lock_folder(ClassRun *run, Text *err) {
  const char *path = arena_printf(run->course->arena, "%s/.lock", run->out);
  run->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (run->lock < 0) return cannot(err, "write", path);
  if (flock(run->lock, LOCK_EX | LOCK_NB) == 0) return GPU_OK; /* stays open */
  close(run->lock);
  return fail(err, "another run is writing to %s just now", run->out);
}

/* The results of one lab must not be mixed with those of all: the folder says what is in it. */
static gpu_result claim_folder(const ClassRun *run, Text *err) {
  Arena *arena = run->course->arena;
  const char *path = arena_printf(arena, "%s/graded", run->out);
  const char *what = run->options->word_count ? run->labs[0].slug : "all labs";
  const char *before = read_or_empty(arena, path);
  if (*before && strcmp(before, what) != 0)
    return fail(err, "%s holds results of another command (%s, not %s): choose another folder",
                run->out, before, what);
  Text text = {0};
  text_add(&text, "%s", what);
  gpu_result result = write_file_whole(path, &text, err);
  text_free(&text);
  return result;
}

static gpu_result begin(ClassRun *run, Text *err) {
  gpu_result result = check_options(run->options, err);
  if (result == GPU_OK) result = choose_labs(run, err);
  run->compiler = key_compiler(run->course->arena);
  if (result == GPU_OK && course_is_official(run->course, run->options->official))
    result = key_check_compiler(run->compiler, err);
  if (result == GPU_OK)
    result = handins_find(&run->handins, run->course->arena, run->options->class_folder, err);
  if (result != GPU_OK) return result;
  result = make_folders(run->options->out, err);
  run->out = realpath(run->options->out, NULL);
  if (result == GPU_OK && !run->out) result = cannot(err, "open", run->options->out);
  if (result == GPU_OK && run->options->hosts) {
    run->hosts = realpath(run->options->hosts, NULL);
    if (!run->hosts) result = fail(err, "cannot read %s: %s", run->options->hosts, strerror(errno));
  }
  if (result == GPU_OK) result = lock_folder(run, err);
  if (result == GPU_OK) result = claim_folder(run, err);
  if (result != GPU_OK) return result;
  run->work = arena_printf(run->course->arena, "%s/.work", run->out);
  remove_tree(run->work);
  result = make_folders(run->work, err);
  setenv("TMPDIR", run->work, 1); /* what a kill leaves behind is removed by the next run */
  return result;
}

/* ---- collecting ------------------------------------------------------------------------------ */

/* Answers to the questions of somebody else are nobody's fault for sure, but worth a look. */
static void note_other_student(const ClassRun *run, size_t i, Text *notes) {
  Arena *arena = run->course->arena;
  const Handin *h = &run->handins.items[i];
  for (size_t k = 0; k < run->lab_count; k++) {
    const char *path = arena_printf(arena, "%s/" ONE_SUBMISSION "/%s/" ANSWERS_FILE,
                                    student_folder(run, i), run->labs[k].folder);
    const char *student = variant_student(arena, read_or_empty(arena, path));
    Text ignored = {0};
    if (student && strcasecmp(student, h->id) != 0 && strcasecmp(student, h->name) != 0)
      text_add(notes, "%s: " ANSWERS_FILE " has the questions of %s\n", run->labs[k].slug,
               student_check(student, &ignored) == GPU_OK ? student : "another student");
    text_free(&ignored);
  }
}

static gpu_result collect_one(ClassRun *run, size_t i, Text *err) {
  ClassStudent *s = &run->book.students[i];
  Text notes = {0};
  s->handin = &run->handins.items[i];
  gpu_result result =
      handin_collect(s->handin, run->course->arena, run->labs, run->lab_count,
                     arena_printf(run->course->arena, "%s/" ONE_SUBMISSION, student_folder(run, i)),
                     run->sandbox, &notes, err);
  if (result == GPU_OK) note_other_student(run, i, &notes);
  s->notes = arena_strndup(run->course->arena, text_str(&notes), notes.length);
  text_free(&notes);
  return result;
}

static gpu_result collect_all(ClassRun *run, Text *err) {
  Arena *arena = run->course->arena;
  run->book = (ClassBook){.arena = arena,
                          .labs = run->labs,
                          .lab_count = run->lab_count,
                          .students = ARENA_ARRAY(arena, ClassStudent, run->handins.count),
                          .count = run->handins.count,
                          .remarks = text_str(&run->handins.remarks)};
  for (size_t i = 0; i < run->handins.count; i++) {
    gpu_result result = collect_one(run, i, err);
    if (result != GPU_OK) return result;
  }
  return GPU_OK;
}

/* ---- grading --------------------------------------------------------------------------------- */

static const char *log_of(const ClassRun *run, size_t i) {
  return arena_printf(run->course->arena, "%s/log.txt", student_folder(run, i));
}

/* In the child. */
static _Noreturn void become_one(const ClassRun *run, size_t student) {
  Text err = {0};
  OneRequest request = {.course = run->course,
                        .only = run->options->word_count ? &run->labs[0] : NULL,
                        .folder = student_folder(run, student),
                        .student = own_variant(run, student),
                        .compiler = run->compiler,
                        .course_key = run->course_key,
                        .sandbox = run->sandbox};
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  close(run->lock); /* it goes with the parent */
  int fd = open(log_of(run, student), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0 || dup2(fd, STDERR_FILENO) < 0) _exit(GRADE_ERROR);
  int status = grade_one(&request, &err);
  if (err.length) print_error("grade", err.data);
  _exit(status);
}

static size_t job_count(const Options *o) {
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  return o->jobs ? o->jobs : processors > 0 ? (size_t)processors : 1;
}

static void show_progress(size_t done, size_t count) {
  if (isatty(STDERR_FILENO)) fprintf(stderr, "\r\033[Kgraded %zu of %zu", done, count);
}

/* Waits until one of the children has ended. */
static bool wait_for_one(void) {
  while (wait(NULL) < 0)
    if (errno != EINTR) return false;
  return true;
}

/* Here, so many at a time. */
static void grade_here(const ClassRun *run, const size_t *open, size_t count) {
  size_t running = 0, done = 0, most = job_count(run->options);
  for (size_t i = 0; i < count || running; done += running > 0, running -= running > 0) {
    for (; i < count && running < most; i++) {
      pid_t child = fork();
      if (child == 0) become_one(run, open[i]);
      if (child < 0) break; /* the student's results are missing, and that is found out below */
      running++;
    }
    show_progress(done, count);
    if (!wait_for_one()) break;
  }
  if (isatty(STDERR_FILENO)) fprintf(stderr, "\r\033[K");
}

/* ---- on other machines ----------------------------------------------------------------------- */

/* In the child: GNU parallel takes each student's files to a machine, runs `grade one` there,
 * brings the results back, and gives to another machine what one has failed to do. */
static void become_parallel(const ClassRun *run, const char *list, const char *log) {
  Arena *arena = run->course->arena;
  const char *grade = getenv("WARPBOOK_REMOTE_GRADE");
  if (!grade || !*grade) grade = beside_program(arena, "grade");
  const char *lab = run->options->word_count ? run->labs[0].slug : "";
  const char *command = arena_printf(arena, "mkdir -p {} && %s one {} %s%s", grade, lab,
                                     run->options->personal ? " --student {}" : "");
  const char *jobs = arena_printf(arena, "%u", run->options->jobs);
  static const char submission[] = "{}/" ONE_SUBMISSION, results[] = "{}/" ONE_RESULTS;
  const char *argv[] = {"parallel",
                        "--will-cite",
                        "--sshloginfile",
                        run->hosts,
                        "--arg-file",
                        list,
                        "--workdir",
                        "...",
                        "--transferfile",
                        submission,
                        "--return",
                        results,
                        "--cleanup",
                        "--retries",
                        "4",
                        "--timeout",
                        "600",
                        "--jobs",
                        run->options->jobs ? jobs : "100%",
                        command,
                        NULL};
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  int fd = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  int none = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (fd >= 0 && none >= 0 && dup2(none, STDIN_FILENO) >= 0 && dup2(fd, STDOUT_FILENO) >= 0 &&
      dup2(fd, STDERR_FILENO) >= 0 && chdir(arena_printf(arena, "%s/students", run->out)) == 0)
    execvp(argv[0], (char *const *)argv);
  _exit(127);
}

static gpu_result grade_there(const ClassRun *run, const size_t *open, size_t count, Text *err) {
  Text list = {0};
  const char *path = arena_printf(run->course->arena, "%s/list", run->work);
  const char *log = arena_printf(run->course->arena, "%s/hosts.log", run->out);
  for (size_t i = 0; i < count; i++) text_add(&list, "%s\n", run->handins.items[open[i]].id);
  gpu_result result = write_file(path, text_str(&list), list.length, err);
  text_free(&list);
  if (result != GPU_OK) return result;
  int status = 0;
  pid_t child = fork();
  if (child == 0) become_parallel(run, path, log);
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (child > 0 && !(WIFEXITED(status) && WEXITSTATUS(status) == 127)) return GPU_OK;
  fail(err,
       "--hosts needs the program 'parallel' (GNU parallel): on Debian, apt-get install parallel");
  return GPU_INTERNAL;
}

/* ---- results --------------------------------------------------------------------------------- */

static const char *key_of(const ClassRun *run, size_t student, size_t lab) {
  const char *folder = arena_printf(run->course->arena, "%s/" ONE_SUBMISSION "/%s",
                                    student_folder(run, student), run->labs[lab].folder);
  return key_of_lab(run->course, run->course_key, &run->labs[lab], folder,
                    own_variant(run, student));
}

/* Why the results in the student's folder do not count; NULL when they do. */
static const char *doubt(const ClassRun *run, size_t i, Submission *s) {
  Arena *arena = run->course->arena;
  const char *path = arena_printf(arena, "%s/" ONE_RESULTS, student_folder(run, i));
  const char *text = read_or_empty(arena, path);
  const Json *json = json_parse(arena, text, strlen(text));
  if (!json || !submission_read(s, arena, json) || s->lab_count != run->lab_count)
    return "grading it was broken off";
  for (size_t k = 0; k < run->lab_count; k++)
    if (!s->labs[k].key || strcmp(s->labs[k].key, key_of(run, i, k)) != 0)
      return "it was graded from other files, or by another build of the course: run the same "
             "checkout, at the same path, on every machine";
  return NULL;
}

static void no_results(const ClassRun *run, Submission *s, const char *why) {
  *s = (Submission){.status = GRADE_ERROR,
                    .lab_count = run->lab_count,
                    .labs = ARENA_ARRAY(run->course->arena, LabResult, run->lab_count)};
  for (size_t i = 0; i < run->lab_count; i++)
    grade_failed(&s->labs[i], run->course, &run->labs[i], why);
}

static void read_one(const ClassRun *run, size_t i) {
  Submission *s = &run->book.students[i].result;
  const char *why = doubt(run, i, s), *log = read_or_empty(run->course->arena, log_of(run, i));
  if (why) no_results(run, s, *log ? log : why);
  if (!*log) unlink(log_of(run, i));
}

/* Those that have no result yet, or only one that says that the grader failed. */
static size_t *find_open(const ClassRun *run, size_t *count) {
  size_t *open = ARENA_ARRAY(run->course->arena, size_t, run->handins.count + 1);
  *count = 0;
  for (size_t i = 0; i < run->handins.count; i++) {
    Submission s;
    if (doubt(run, i, &s) || s.status == GRADE_ERROR) open[(*count)++] = i;
  }
  return open;
}

static gpu_result grade_all(ClassRun *run, Text *err) {
  size_t count;
  run->course_key = key_of_course(run->course, run->compiler);
  const size_t *open = find_open(run, &count);
  gpu_result result = GPU_OK;
  if (!run->hosts) grade_here(run, open, count);
  for (int round = 0; run->hosts && count && result == GPU_OK && round < ROUNDS_MAX; round++) {
    result = grade_there(run, open, count, err);
    open = find_open(run, &count); /* what a machine that died took with it */
  }
  for (size_t i = 0; i < run->book.count; i++) read_one(run, i);
  return result;
}

typedef void Writer(Text *out, const ClassBook *book);

static gpu_result write_page(const ClassRun *run, const char *name, Writer *writer, Text *err) {
  Text text = {0};
  writer(&text, &run->book);
  gpu_result result =
      write_file_whole(arena_printf(run->course->arena, "%s/%s", run->out, name), &text, err);
  text_free(&text);
  return result;
}

static gpu_result write_students(const ClassRun *run, Text *err) {
  gpu_result result = GPU_OK;
  for (size_t i = 0; i < run->book.count && result == GPU_OK; i++) {
    Text text = {0};
    student_html(&text, &run->book.students[i]);
    result = write_file_whole(
        arena_printf(run->course->arena, "%s/report.html", student_folder(run, i)), &text, err);
    text_free(&text);
  }
  return result;
}

static gpu_result write_all(const ClassRun *run, Text *err) {
  gpu_result result = write_students(run, err);
  if (result == GPU_OK) result = write_page(run, "junit.xml", classbook_junit, err);
  if (result == GPU_OK) result = write_page(run, "gradebook.json", classbook_json, err);
  if (result == GPU_OK) result = write_page(run, "gradebook.csv", classbook_csv, err);
  if (result == GPU_OK) result = write_page(run, "index.html", classbook_html, err);
  return result;
}

static size_t count_labs(const ClassBook *book, GradeStatus least, GradeStatus most) {
  size_t n = 0;
  for (size_t i = 0; i < book->count; i++)
    for (size_t k = 0; k < book->lab_count; k++) {
      GradeStatus status = book->students[i].result.labs[k].status;
      n += status >= least && status <= most;
    }
  return n;
}

static int sum_up(const ClassRun *run) {
  const ClassBook *book = &run->book;
  size_t failed = count_labs(book, GRADE_ERROR, GRADE_ERROR);
  printf("%zu students, %zu lab%s: %zu scored, %zu not gradable or not handed in, %zu grader "
         "errors\n",
         book->count, book->lab_count, book->lab_count == 1 ? "" : "s",
         count_labs(book, GRADE_FULL, GRADE_BELOW),
         count_labs(book, GRADE_NOT_GRADABLE, GRADE_NOT_GRADABLE), failed);
  if (*book->remarks) {
    Text remarks = {0};
    report_foreign(&remarks, 2, book->remarks);
    printf("%s", text_str(&remarks));
    text_free(&remarks);
  }
  printf("%s/index.html, gradebook.csv, gradebook.json, junit.xml, students/\n", run->out);
  return failed ? GRADE_ERROR : GRADE_FULL;
}

int class_command(const Options *o, Course *course, Text *err) {
  ClassRun run = {.options = o, .course = course};
  gpu_result result = begin(&run, err);
  int status = GRADE_FULL;
  if (result == GPU_OK) {
    run.sandbox = sandbox_probe();
    result = collect_all(&run, err);
  }
  if (result == GPU_OK) result = grade_all(&run, err);
  if (result == GPU_OK) result = write_all(&run, err);
  if (run.work) remove_tree(run.work);
  if (result == GPU_OK) status = sum_up(&run);
  text_free(&run.handins.remarks);
  free((char *)run.out);
  free((char *)run.hosts);
  return result == GPU_OK ? status : (int)status_of_result(result);
}
