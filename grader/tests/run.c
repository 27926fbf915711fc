/* tests/run.c - running `grade` as a user does, and asking its JSON. */
#include "run.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH_SIZE = 4096 };

/* ---- running -------------------------------------------------------------------------------- */

static void become_grade(const char *const words[RUN_WORDS], int out) {
  const char *argv[RUN_WORDS + 2] = {WARPBOOK_BUILD "/grade"};
  for (int i = 0; i < RUN_WORDS && words[i]; i++) argv[i + 1] = words[i];
  if (dup2(out, STDOUT_FILENO) >= 0 && dup2(out, STDERR_FILENO) >= 0)
    execv(argv[0], (char *const *)argv);
  _exit(127);
}

static void read_all(int fd, Text *out) {
  char block[4096];
  ssize_t n;
  while ((n = read(fd, block, sizeof block)) > 0) text_bytes(out, block, (size_t)n);
}

GradeRun run_grade(const char *const words[RUN_WORDS]) {
  GradeRun run = {.status = -1, .arena = arena_new(0)};
  int ends[2], status = 0;
  cr_assert(run.arena && pipe(ends) == 0);
  pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    become_grade(words, ends[1]);
  }
  cr_assert(child > 0);
  close(ends[1]);
  read_all(ends[0], &run.out);
  close(ends[0]);
  cr_assert(waitpid(child, &status, 0) == child);
  if (WIFEXITED(status)) run.status = WEXITSTATUS(status);
  run.json = json_parse(run.arena, text_str(&run.out), run.out.length);
  return run;
}

void run_end(GradeRun *run) {
  text_free(&run->out);
  arena_free(run->arena);
}

/* ---- expecting ------------------------------------------------------------------------------ */

void expect_status(const GradeRun *run, int status) {
  cr_assert(run->status == status, "status %d, not %d; it printed:\n%s", run->status, status,
            text_str(&run->out));
}

void expect_text(const GradeRun *run, const char *text) {
  cr_assert(strstr(text_str(&run->out), text), "'%s' is missing; it printed:\n%s", text,
            text_str(&run->out));
}

void expect_no_text(const GradeRun *run, const char *text) {
  cr_assert(!strstr(text_str(&run->out), text), "'%s' should not be there; it printed:\n%s", text,
            text_str(&run->out));
}

const Json *run_lab(const GradeRun *run) {
  cr_assert(run->json, "no JSON, but:\n%s", text_str(&run->out));
  const Json *labs = json_get(run->json, "labs");
  cr_assert(labs && labs->first, "no labs in:\n%s", text_str(&run->out));
  return labs->first;
}

const Json *run_test(const GradeRun *run, const char *name) {
  const Json *tests = json_get(run_lab(run), "tests");
  for (const Json *t = tests ? tests->first : NULL; t; t = t->next)
    if (strcmp(json_get_string(t, "name", ""), name) == 0) return t;
  cr_assert_fail("no test '%s' in:\n%s", name, text_str(&run->out));
  return NULL;
}

/* ---- submissions ---------------------------------------------------------------------------- */

char *course_file(const char *path) {
  char whole[PATH_SIZE];
  Text err = {0};
  size_t length;
  snprintf(whole, sizeof whole, "%s/%s", WARPBOOK_ROOT, path);
  char *text = read_file(whole, &length, &err);
  cr_assert(text, "%s", text_str(&err));
  return text;
}

void make_folder(char *folder, size_t size) {
  snprintf(folder, size, "/tmp/grader-tests-XXXXXX");
  cr_assert(mkdtemp(folder));
}

void put_file(const char *folder, const char *name, const char *text) {
  char path[PATH_SIZE];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *out = fopen(path, "wb");
  cr_assert(out && fputs(text, out) >= 0 && fclose(out) == 0, "cannot write %s", path);
}

const char *make_submission(char *folder, size_t size, const char *source) {
  char *answers = course_file("solutions/01-partition/answers.txt");
  make_folder(folder, size);
  put_file(folder, "partition.cu", source);
  put_file(folder, "answers.txt", answers);
  free(answers);
  return folder;
}

const char *make_changed(char *folder, size_t size, const char *from, const char *to) {
  char *solution = course_file("solutions/01-partition/partition.cu");
  char *at = strstr(solution, from);
  Text changed = {0};
  cr_assert(at && !strstr(at + 1, from), "'%s' must occur once", from);
  text_bytes(&changed, solution, (size_t)(at - solution));
  text_add(&changed, "%s%s", to, at + strlen(from));
  make_submission(folder, size, changed.data);
  text_free(&changed);
  free(solution);
  return folder;
}

void remove_submission(const char *folder) {
  DIR *dir = opendir(folder);
  cr_assert(dir);
  for (const struct dirent *entry; (entry = readdir(dir));) unlinkat(dirfd(dir), entry->d_name, 0);
  closedir(dir);
  rmdir(folder);
}
