/* sandbox.c - bubblewrap where it works, limits always. */
#define _GNU_SOURCE /* execvpe */
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
  ARGS_MAX = 128,
  OUTPUT_MAX = 128 << 20, /* bytes of any file that is written */
  CPU_SECONDS = 120,      /* of any one process; the outer clock is usually first */
  STARTED_BADLY = 127
};

/* ---- the command line ----------------------------------------------------------------------- */

typedef struct Args {
  const char *item[ARGS_MAX];
  size_t count;
} Args;

static void add(Args *a, const char *word) {
  if (a->count + 1 < ARGS_MAX) a->item[a->count++] = word;
  a->item[a->count] = NULL;
}

static void add3(Args *a, const char *option, const char *from, const char *to) {
  add(a, option);
  add(a, from);
  add(a, to);
}

/* On a merged system /bin is a link to usr/bin; on an old one it is a folder. */
static void add_system_folder(Args *a, const char *path, const char *target) {
  struct stat info;
  if (lstat(path, &info) != 0) return;
  if (S_ISLNK(info.st_mode))
    add3(a, "--symlink", target, path);
  else
    add3(a, "--ro-bind", path, path);
}

static void add_namespaces(Args *a) {
  static const char *const words[] = {"bwrap",
                                      "--unshare-all",
                                      "--die-with-parent",
                                      "--new-session",
                                      "--ro-bind",
                                      "/usr",
                                      "/usr",
                                      "--ro-bind-try",
                                      "/etc/alternatives",
                                      "/etc/alternatives",
                                      "--ro-bind-try",
                                      "/etc/ld.so.cache",
                                      "/etc/ld.so.cache",
                                      "--ro-bind-try",
                                      "/opt",
                                      "/opt",
                                      "--proc",
                                      "/proc",
                                      "--dev",
                                      "/dev",
                                      "--tmpfs",
                                      "/tmp"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) add(a, words[i]);
  add_system_folder(a, "/bin", "usr/bin");
  add_system_folder(a, "/sbin", "usr/sbin");
  add_system_folder(a, "/lib", "usr/lib");
  add_system_folder(a, "/lib64", "usr/lib64");
}

static void add_program(Args *a, SandboxKind kind, const SandboxJob *job) {
  if (kind == SANDBOX_BUBBLEWRAP) {
    add_namespaces(a);
    for (const char *const *path = job->readable; *path; path++) add3(a, "--ro-bind", *path, *path);
    add3(a, "--bind", job->writable, job->writable);
    add(a, "--remount-ro"), add(a, "/"); /* what is not bound is no place to write, either */
    add(a, "--");
  }
  for (const char *const *word = job->argv; *word; word++) add(a, *word);
}

/* ---- the environment ------------------------------------------------------------------------ */

/* A short one of our own: what the grader runs in must not change a grade. */
typedef struct Environment {
  const char *item[16];
  char text[16][4200];
  size_t count;
} Environment;

static void set(Environment *e, const char *name, const char *value) {
  if (!value || e->count + 1 >= sizeof e->item / sizeof *e->item) return;
  snprintf(e->text[e->count], sizeof e->text[0], "%s=%s", name, value);
  e->item[e->count] = e->text[e->count];
  e->item[++e->count] = NULL;
}

static void fill_environment(Environment *e, SandboxKind kind) {
  static const char *const passed_on[] = {"CLANG", "OPT", "LLC", "WARPBOOK_CUDA"};
  const char *path = getenv("PATH"), *tmp = getenv("TMPDIR");
  e->count = 0;
  set(e, "PATH", path && *path ? path : "/usr/local/bin:/usr/bin:/bin");
  set(e, "TMPDIR", kind == SANDBOX_LIMITS && tmp && *tmp ? tmp : "/tmp");
  set(e, "LC_ALL", "C");
  set(e, "WARPBOOK_COMPILE_SECONDS", "3"); /* a lab takes a fraction of one */
  /* A tracer, which the search for leaks needs, is not allowed in there. */
  set(e, "ASAN_OPTIONS", "detect_leaks=0");
  for (size_t i = 0; i < sizeof passed_on / sizeof *passed_on; i++)
    set(e, passed_on[i], getenv(passed_on[i]));
}

/* ---- running -------------------------------------------------------------------------------- */

static void limit(int what, rlim_t value) {
  struct rlimit old, now = {value, value};
  if (getrlimit(what, &old) == 0 && old.rlim_max < value)
    now.rlim_cur = now.rlim_max = old.rlim_max;
  setrlimit(what, &now);
}

/* In the child. */
static void become(const Args *a, const Environment *e, const char *log) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL); /* a grader that is killed leaves nothing running */
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, OUTPUT_MAX);
  limit(RLIMIT_CPU, CPU_SECONDS);
  int in = open("/dev/null", O_RDONLY);
  int out = open(log, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0600);
  if (in < 0 || out < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0)
    _exit(STARTED_BADLY);
  execvpe(a->item[0], (char *const *)a->item, (char *const *)e->item);
  _exit(STARTED_BADLY);
}

double seconds_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void nap(long milliseconds) {
  struct timespec t = {0, milliseconds * 1000000};
  nanosleep(&t, NULL);
}

/* Waits until the child ends or its time is over. */
static bool wait_in_time(pid_t child, unsigned seconds, int *status) {
  double deadline = seconds_now() + seconds;
  for (;;) {
    pid_t ended = waitpid(child, status, WNOHANG);
    if (ended == child) return true;
    if (ended < 0 && errno != EINTR) return false;
    if (seconds_now() > deadline) return false;
    nap(2);
  }
}

static SandboxEnd end_of(int status) {
  SandboxEnd end = {.started = true, .exit_status = -1};
  if (WIFEXITED(status)) {
    end.exit_status = WEXITSTATUS(status);
    end.started = end.exit_status != STARTED_BADLY;
  } else if (WIFSIGNALED(status)) {
    end.signal = WTERMSIG(status);
  }
  return end;
}

SandboxEnd sandbox_run(SandboxKind kind, const SandboxJob *job) {
  Args args = {.count = 0};
  Environment *env = malloc(sizeof *env);
  SandboxEnd end = {.exit_status = -1};
  if (!env) return end;
  add_program(&args, kind, job);
  fill_environment(env, kind);
  pid_t child = fork();
  if (child == 0) become(&args, env, job->log);
  free(env);
  if (child < 0) return end;
  setpgid(child, child); /* both sides set it, so that whichever runs first has done it */
  int status = 0;
  bool in_time = wait_in_time(child, job->seconds, &status);
  /* What it started and left behind goes with it. */
  kill(-child, SIGKILL);
  if (in_time) return end_of(status);
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  end.started = end.timed_out = true;
  return end;
}

SandboxKind sandbox_probe(void) {
  static const char *const argv[] = {"/usr/bin/true", NULL}, *const nothing[] = {NULL};
  const char *wish = getenv("WARPBOOK_SANDBOX");
  if (wish && strcmp(wish, "limits") == 0) return SANDBOX_LIMITS;
  SandboxJob job = {
      .argv = argv, .readable = nothing, .writable = "/tmp", .log = "/dev/null", .seconds = 5};
  SandboxEnd end = sandbox_run(SANDBOX_BUBBLEWRAP, &job);
  return end.started && end.exit_status == 0 ? SANDBOX_BUBBLEWRAP : SANDBOX_LIMITS;
}

const char *sandbox_name(SandboxKind kind) {
  return kind == SANDBOX_BUBBLEWRAP ? "bubblewrap" : "limits only";
}
