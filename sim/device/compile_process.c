/* device/compile_process.c - runs one program under limits, without a shell. */
#include "device/compile_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void set_limit(int what, size_t soft, size_t hard) {
  struct rlimit old, now = {.rlim_cur = soft, .rlim_max = hard};
  if (getrlimit(what, &old) == 0 && old.rlim_max != RLIM_INFINITY) {
    if (now.rlim_max > old.rlim_max) now.rlim_max = old.rlim_max;
    if (now.rlim_cur > old.rlim_max) now.rlim_cur = old.rlim_max;
  }
  setrlimit(what, &now);
}

/* Makes `from` the child's descriptor `to`; without one, /dev/null. */
static bool place_descriptor(int from, int to) {
  if (from < 0) from = open("/dev/null", O_RDWR);
  if (from < 0) return false;
  if (from == to) return fcntl(to, F_SETFD, 0) == 0;
  return dup2(from, to) == to;
}

/* In the child, between fork and exec: only calls that are safe there. */
static void become_program(const Process *p, const ProcessLimits *limits, int messages_fd) {
  setpgid(0, 0);
  set_limit(RLIMIT_CPU, limits->cpu_seconds, limits->cpu_seconds + 1);
  set_limit(RLIMIT_AS, limits->memory, limits->memory);
  set_limit(RLIMIT_FSIZE, limits->file_size, limits->file_size);
  set_limit(RLIMIT_CORE, 0, 0);
  signal(SIGXFSZ, SIG_DFL);
  signal(SIGXCPU, SIG_DFL);
  signal(SIGPIPE, SIG_DFL);
  /* First out of the way of the low numbers, then into their places. */
  int in = p->input < 0 ? -1 : fcntl(p->input, F_DUPFD_CLOEXEC, 10);
  int out = p->output < 0 ? -1 : fcntl(p->output, F_DUPFD_CLOEXEC, 10);
  int extra = p->extra < 0 ? -1 : fcntl(p->extra, F_DUPFD_CLOEXEC, 10);
  int err = fcntl(messages_fd, F_DUPFD_CLOEXEC, 10);
  bool placed = err >= 0 && place_descriptor(in, 0) && place_descriptor(out, 1) &&
                place_descriptor(err, 2) && place_descriptor(extra, EXTRA_FD);
  if (placed) execve(p->argv[0], (char *const *)p->argv, (char *const *)p->env);
  _exit(127);
}

/* Reads until the program closes its end or the deadline passes; keeps the first MESSAGES_MAX
 * bytes. False at the deadline. */
static bool collect_messages(int fd, double deadline, char *messages) {
  size_t kept = 0;
  char chunk[4096];
  bool in_time = true;
  for (;;) {
    double left = deadline - seconds_now();
    struct pollfd wait_for = {.fd = fd, .events = POLLIN};
    int ready = left > 0 ? poll(&wait_for, 1, (int)(left * 1000) + 1) : 0;
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) {
      in_time = false;
      break;
    }
    ssize_t got = read(fd, chunk, sizeof chunk);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    size_t room = MESSAGES_MAX - kept;
    size_t take = (size_t)got < room ? (size_t)got : room;
    memcpy(messages + kept, chunk, take);
    kept += take;
  }
  /* A NUL in the text would hide what follows. */
  for (size_t i = 0; i < kept; i++)
    if (messages[i] == '\0') messages[i] = '?';
  messages[kept] = '\0';
  return in_time;
}

/* clang turns some signals into an exit status of its own, so the time used is asked for, too. */
static ProcessEnd end_of(int status, const struct rusage *used, const ProcessLimits *limits) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return PROCESS_OK;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127) return PROCESS_NOT_RUN;
  double seconds = (double)(used->ru_utime.tv_sec + used->ru_stime.tv_sec) +
                   (double)(used->ru_utime.tv_usec + used->ru_stime.tv_usec) / 1e6;
  if (seconds > limits->cpu_seconds - 0.1) return PROCESS_TIMED_OUT; /* the two are rounded */
  if (!WIFSIGNALED(status)) return PROCESS_FAILED;
  switch (WTERMSIG(status)) {
  case SIGXCPU:
  case SIGKILL: return PROCESS_TIMED_OUT;
  case SIGXFSZ: return PROCESS_TOO_LARGE;
  default: return PROCESS_FAILED;
  }
}

ProcessEnd process_run(const Process *p, const ProcessLimits *limits, char *messages) {
  messages[0] = '\0';
  int pipe_fds[2];
  if (pipe(pipe_fds) != 0) return PROCESS_NOT_RUN;
  fcntl(pipe_fds[0], F_SETFD, FD_CLOEXEC);
  fcntl(pipe_fds[1], F_SETFD, FD_CLOEXEC);
  pid_t child = fork();
  if (child == 0) become_program(p, limits, pipe_fds[1]);
  close(pipe_fds[1]);
  if (child < 0) {
    close(pipe_fds[0]);
    return PROCESS_NOT_RUN;
  }
  setpgid(child, child); /* both sides set it, so that whichever runs first has done it */
  bool in_time = collect_messages(pipe_fds[0], seconds_now() + limits->wall_seconds, messages);
  close(pipe_fds[0]);
  if (!in_time) kill(-child, SIGKILL);
  int status = 0;
  struct rusage used;
  while (wait4(child, &status, 0, &used) < 0)
    if (errno != EINTR) return PROCESS_FAILED;
  return in_time ? end_of(status, &used, limits) : PROCESS_TIMED_OUT;
}

int nameless_file(void) {
  const char *dir = getenv("TMPDIR");
  char path[4096];
  int length = snprintf(path, sizeof path, "%s/warpbook-XXXXXX", dir && *dir ? dir : "/tmp");
  if (length < 0 || (size_t)length >= sizeof path) return -1;
  int fd = mkstemp(path);
  if (fd < 0) return -1;
  unlink(path);
  fcntl(fd, F_SETFD, FD_CLOEXEC);
  return fd;
}

char *read_descriptor(int fd, size_t limit, size_t *length) {
  struct stat info;
  if (fstat(fd, &info) != 0 || info.st_size < 0 || (size_t)info.st_size > limit) return NULL;
  size_t size = (size_t)info.st_size, have = 0;
  char *text = malloc(size + 1);
  if (!text) return NULL;
  while (have < size) {
    ssize_t got = pread(fd, text + have, size - have, (off_t)have);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    have += (size_t)got;
  }
  text[have] = '\0';
  *length = have;
  return text;
}
