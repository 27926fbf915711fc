/* tests/test_workspace.c - grade new, grade --watch, and the sandbox. */
#include <criterion/criterion.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../sandbox.h"
#include "run.h"

/* ---- grade new ------------------------------------------------------------------------------- */

static const char *const workspace_files[] = {"README.md", "partition.cu", "answers.txt",
                                              "compile_flags.txt"};

static void remove_workspace(const char *folder) {
  char path[256];
  for (size_t i = 0; i < sizeof workspace_files / sizeof *workspace_files; i++) {
    snprintf(path, sizeof path, "%s/%s", folder, workspace_files[i]);
    cr_expect(unlink(path) == 0, "%s is missing", path);
  }
  cr_expect(rmdir(folder) == 0);
}

Test(workspace, new_makes_a_folder_that_can_be_graded) {
  char folder[64] = "/tmp/grader-new-XXXXXX";
  cr_assert(mkdtemp(folder) && rmdir(folder) == 0);
  GradeRun made = RUN("new", "partition", folder);
  expect_status(&made, 0);
  expect_text(&made, "./grade partition /tmp/grader-new-");
  GradeRun graded = RUN("partition", folder, "--json");
  expect_status(&graded, 1);
  run_end(&made);
  run_end(&graded);
  remove_workspace(folder);
}

Test(workspace, new_writes_over_nothing) {
  char folder[64] = "/tmp/grader-new-XXXXXX", path[128];
  cr_assert(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/partition.cu", folder);
  FILE *out = fopen(path, "w");
  cr_assert(out && fputs("my work", out) >= 0 && fclose(out) == 0);
  GradeRun run = RUN("new", "partition", folder);
  expect_status(&run, 2);
  expect_text(&run, "partition.cu is there already");
  char kept[16] = "";
  FILE *in = fopen(path, "r");
  cr_assert(in && fgets(kept, sizeof kept, in));
  fclose(in);
  cr_assert_str_eq(kept, "my work");
  unlink(path);
  run_end(&run);
  snprintf(path, sizeof path, "%s/README.md", folder);
  unlink(path);
  rmdir(folder);
}

Test(workspace, new_needs_two_words) {
  GradeRun run = RUN("new", "partition");
  expect_status(&run, 2);
  expect_text(&run, "usage: grade new LAB DIR");
  run_end(&run);
}

/* ---- grade --watch --------------------------------------------------------------------------- */

/* Reads until the text has appeared `times` times or 30 seconds are over. */
static bool wait_for(int fd, Text *seen, const char *text, int times) {
  double deadline = seconds_now() + 30;
  for (;;) {
    int count = 0;
    for (const char *at = text_str(seen); (at = strstr(at, text)); at++) count++;
    if (count >= times) return true;
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    int left = (int)((deadline - seconds_now()) * 1000);
    if (left <= 0 || poll(&ready, 1, left) <= 0) return false;
    char block[4096];
    ssize_t n = read(fd, block, sizeof block);
    if (n <= 0) return false;
    text_bytes(seen, block, (size_t)n);
  }
}

static pid_t start_watch(const char *folder, int *fd) {
  int ends[2];
  cr_assert(pipe(ends) == 0);
  pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    execl(WARPBOOK_BUILD "/grade", "grade", "partition", folder, "--watch", (char *)NULL);
    _exit(127);
  }
  close(ends[1]);
  *fd = ends[0];
  return child;
}

Test(watch, a_save_is_graded_again) {
  char folder[64], path[128];
  Text seen = {0};
  int fd;
  make_changed(folder, sizeof folder, "return x * y * z;", "return x * y;");
  pid_t child = start_watch(folder, &fd);
  bool first = wait_for(fd, &seen, "Watching", 1);
  char *solution = course_file("solutions/01-partition/partition.cu");
  snprintf(path, sizeof path, "%s/partition.cu", folder);
  FILE *out = fopen(path, "w");
  cr_assert(out && fputs(solution, out) >= 0 && fclose(out) == 0);
  bool second = wait_for(fd, &seen, "Watching", 2);
  kill(child, SIGTERM);
  waitpid(child, NULL, 0);
  cr_assert(first && second, "it printed:\n%s", text_str(&seen));
  cr_assert(strstr(seen.data, "FAIL") && strstr(seen.data, "Score: 100/100"), "%s", seen.data);
  close(fd);
  free(solution);
  text_free(&seen);
  remove_submission(folder);
}

/* ---- the sandbox ----------------------------------------------------------------------------- */

/* Runs a line of shell in the sandbox, with `folder` to write to; what it printed is in log. */
static SandboxEnd shell(const char *line, const char *folder, unsigned seconds) {
  char log[128];
  const char *argv[] = {"/bin/sh", "-c", line, NULL}, *readable[] = {folder, NULL};
  snprintf(log, sizeof log, "%s/log", folder);
  SandboxJob job = {
      .argv = argv, .readable = readable, .writable = folder, .log = log, .seconds = seconds};
  SandboxEnd end = sandbox_run(sandbox_probe(), &job);
  unlink(log);
  return end;
}

/* Where bubblewrap does not work, there is nothing to test. */
static bool no_bubblewrap(void) { return sandbox_probe() != SANDBOX_BUBBLEWRAP; }

Test(sandbox, a_status_comes_back) {
  char folder[] = "/tmp/grader-box-XXXXXX";
  cr_assert(mkdtemp(folder));
  SandboxEnd end = shell("exit 7", folder, 10);
  cr_assert(end.started && !end.timed_out && end.exit_status == 7);
  rmdir(folder);
}

Test(sandbox, too_long_is_killed) {
  char folder[] = "/tmp/grader-box-XXXXXX";
  cr_assert(mkdtemp(folder));
  double start = seconds_now();
  SandboxEnd end = shell("sleep 60 & sleep 60", folder, 1);
  cr_assert(end.timed_out && seconds_now() - start < 10);
  rmdir(folder);
}

Test(sandbox, only_its_own_folder_is_there) {
  if (no_bubblewrap()) return;
  char folder[] = "/tmp/grader-box-XXXXXX", line[256];
  cr_assert(mkdtemp(folder));
  snprintf(line, sizeof line,
           "test ! -e /etc/passwd && test ! -e /root && test ! -e %s && touch %s/log && "
           "! touch /usr/x 2>/dev/null && ! touch /x 2>/dev/null",
           WARPBOOK_ROOT "/solutions", folder);
  SandboxEnd end = shell(line, folder, 10);
  cr_assert(end.exit_status == 0);
  rmdir(folder);
}

Test(sandbox, there_is_no_network) {
  if (no_bubblewrap()) return;
  char folder[] = "/tmp/grader-box-XXXXXX";
  cr_assert(mkdtemp(folder));
  /* Only the loopback device, and a heading of two lines. */
  SandboxEnd end = shell("test $(wc -l < /proc/net/dev) -eq 3", folder, 10);
  cr_assert(end.exit_status == 0);
  rmdir(folder);
}

Test(sandbox, the_environment_is_not_passed_on) {
  char folder[] = "/tmp/grader-box-XXXXXX";
  cr_assert(mkdtemp(folder));
  setenv("WARPBOOK_COURSE_KEY", "/secret", 1);
  SandboxEnd end = shell("test -z \"$WARPBOOK_COURSE_KEY$HOME\"", folder, 10);
  cr_assert(end.exit_status == 0);
  rmdir(folder);
}

/* ---- the grader's own mistakes --------------------------------------------------------------- */

Test(grader_error, a_broken_table_of_a_lab_is_status_3_and_no_score) {
  char root[] = "/tmp/grader-root-XXXXXX", path[128];
  cr_assert(mkdtemp(root));
  snprintf(path, sizeof path, "mkdir -p %s/labs/01-broken && echo bad >%s/labs/01-broken/tests.tsv",
           root, root);
  cr_assert(system(path) == 0);
  setenv("WARPBOOK_ROOT", root, 1);
  GradeRun run = RUN("--json"), one = RUN("broken");
  expect_status(&run, 3);
  expect_text(&run, "\"points\":null");
  expect_status(&one, 3);
  expect_text(&one, "no table 'lab'");
  run_end(&run);
  run_end(&one);
  snprintf(path, sizeof path, "rm -r %s", root);
  cr_assert(system(path) == 0);
}
