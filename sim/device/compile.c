/* device/compile.c - CUDA C to PTX with the system's clang, opt and llc: which programs, with which
 * options, in which order. */
#include "device/compile.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "device/compile_parts.h"

enum {
  PATH_BYTES = 4096,
  ARGS_MAX = 128,
  SOURCE_MAX = 4 << 20,  /* bytes of a source file */
  PTX_MAX = 64 << 20,    /* bytes of PTX, and of what passes between the programs */
  HEADERS_MAX = 4 << 20, /* bytes of the list of files that clang read */
};

enum { CPU_SECONDS = 20 }; /* of each program, unless WARPBOOK_COMPILE_SECONDS says otherwise */

static ProcessLimits process_limits(void) {
  const char *wanted = getenv("WARPBOOK_COMPILE_SECONDS");
  long seconds = wanted ? strtol(wanted, NULL, 10) : 0;
  if (seconds < 1 || seconds > 3600) seconds = CPU_SECONDS;
  return (ProcessLimits){.cpu_seconds = (unsigned)seconds,
                         .wall_seconds = 3 * (unsigned)seconds,
                         .memory = (size_t)3 << 30,
                         .file_size = PTX_MAX};
}

/* The passes of the teaching level: what a student calls is inlined, local variables become
 * registers, and no pass that turns a branch into something else runs. */
static const char teaching_passes[] =
    "always-inline,cgscc(inline),globaldce,function(sroa,early-cse,infer-address-spaces)";

/* ---- the programs --------------------------------------------------------------------------- */

typedef struct Tools {
  char clang[PATH_BYTES], opt[PATH_BYTES], llc[PATH_BYTES];
} Tools;

static bool is_program(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}

/* The first program of that name in the folders of $PATH; a name with a slash is taken as it is. */
static bool find_in_path(const char *name, char *out) {
  if (strchr(name, '/')) {
    snprintf(out, PATH_BYTES, "%s", name);
    return is_program(out);
  }
  const char *path = getenv("PATH");
  if (!path) path = "/usr/local/bin:/usr/bin:/bin";
  while (*path) {
    int length = (int)strcspn(path, ":");
    int written = snprintf(out, PATH_BYTES, "%.*s/%s", length, path, name);
    if (length > 0 && written < PATH_BYTES && is_program(out)) return true;
    path += length;
    if (*path == ':') path++;
  }
  return false;
}

/* The versions tried when there is no plain `clang`: the course's own first. */
static const char *const suffixes[] = {"",    "-14", "-19", "-18", "-17",
                                       "-16", "-15", "-13", "-12", "-11"};

static bool find_clang(char *out) {
  const char *wanted = getenv("CLANG");
  if (wanted && *wanted) return find_in_path(wanted, out);
  for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
    char name[32];
    snprintf(name, sizeof name, "clang%s", suffixes[i]);
    if (find_in_path(name, out)) return true;
  }
  return false;
}

/* opt and llc must be of clang's version, so they are looked for where clang really lies (on Debian
 * /usr/bin/clang is a link to /usr/lib/llvm-14/bin/clang), then with its suffix, then plainly. */
static bool find_companion(const char *variable, const char *name, const char *clang, char *out) {
  const char *wanted = getenv(variable);
  if (wanted && *wanted) return find_in_path(wanted, out);
  char real[PATH_MAX];
  if (realpath(clang, real)) {
    char *slash = strrchr(real, '/');
    if (slash) *slash = '\0';
    int written = snprintf(out, PATH_BYTES, "%s/%s", real, name);
    if (written < PATH_BYTES && is_program(out)) return true;
  }
  const char *base = strrchr(clang, '/');
  const char *suffix = strchr(base ? base : clang, '-');
  if (suffix && strlen(suffix) < 16) {
    char versioned[32];
    snprintf(versioned, sizeof versioned, "%s%s", name, suffix);
    if (find_in_path(versioned, out)) return true;
  }
  return find_in_path(name, out);
}

static bool no_tool(ErrorBuffer *err, const char *path, const char *name, const char *variable) {
  error_set(err,
            "%s: cannot be compiled, because the program '%s' is not installed. On Debian or "
            "Ubuntu: apt-get install clang llvm. Or set the environment variable %s to it.",
            path, name, variable);
  return false;
}

static bool find_tools(Tools *tools, gpu_opt opt, const char *path, ErrorBuffer *err) {
  if (!find_clang(tools->clang)) return no_tool(err, path, "clang", "CLANG");
  if (opt != GPU_OPT_TEACHING) return true;
  if (!find_companion("OPT", "opt", tools->clang, tools->opt))
    return no_tool(err, path, "opt", "OPT");
  if (!find_companion("LLC", "llc", tools->clang, tools->llc))
    return no_tool(err, path, "llc", "LLC");
  return true;
}

/* ---- one step of the pipeline --------------------------------------------------------------- */

/* One compile from its start to its end. */
typedef struct Job {
  const char *path; /* the source, as the caller named it */
  const CompileOptions *options;
  ErrorBuffer *err;
  Tools tools;
  char headers[PATH_BYTES]; /* the folder of the CUDA headers */
  char folder[PATH_BYTES];  /* the source's folder with a slash; "" when the name has none */
  char messages[MESSAGES_MAX + 1];
  int header_list; /* descriptor: the files that clang read, one a line */
} Job;

typedef struct Args {
  const char *item[ARGS_MAX];
  size_t count;
  char text[8][PATH_BYTES + 256]; /* items that had to be put together */
  size_t texts;
} Args;

static void arg(Args *a, const char *text) {
  if (a->count + 1 < ARGS_MAX) a->item[a->count++] = text;
  a->item[a->count] = NULL;
}

static void args(Args *a, const char *const *list) {
  for (; list && *list; list++) arg(a, *list);
}

/* An option whose value is joined to it. */
static void arg_joined(Args *a, const char *option, const char *value, const char *tail) {
  if (a->texts == sizeof a->text / sizeof *a->text) return;
  char *text = a->text[a->texts++];
  snprintf(text, sizeof a->text[0], "%s%s%s", option, value, tail);
  arg(a, text);
}

/* Runs one program; on failure the message is in err. */
static bool run_step(Job *job, const char *step, const Args *a, int input, int output) {
  char path[PATH_BYTES], tmp[PATH_BYTES], list[32];
  const char *search = getenv("PATH"), *dir = getenv("TMPDIR");
  snprintf(path, sizeof path, "PATH=%s", search ? search : "/usr/bin:/bin");
  snprintf(tmp, sizeof tmp, "TMPDIR=%s", dir && *dir ? dir : "/tmp");
  snprintf(list, sizeof list, "CC_PRINT_HEADERS_FILE=/dev/fd/%d", EXTRA_FD);
  /* A short environment of our own: CPATH and the like would change what is compiled. */
  const char *env[] = {path, tmp, "LC_ALL=C", list, "CC_PRINT_HEADERS=1", NULL};
  if (job->header_list < 0) env[3] = NULL;
  Process p = {a->item, env, input, output, job->header_list};
  const ProcessLimits limits = process_limits();
  switch (process_run(&p, &limits, job->messages)) {
  case PROCESS_OK: return true;
  case PROCESS_FAILED: break;
  case PROCESS_TIMED_OUT:
    error_set(job->err,
              "%s: compiling it was stopped after %u seconds (in %s). Is there a template or a "
              "macro that expands without end, or does it include a file that never ends?",
              job->path, limits.cpu_seconds, step);
    return false;
  case PROCESS_TOO_LARGE:
    error_set(job->err, "%s: compiling it was stopped, because it grew past %d MiB (in %s).",
              job->path, PTX_MAX >> 20, step);
    return false;
  case PROCESS_NOT_RUN:
    error_set(job->err, "%s: '%s' could not be started: %s", job->path, a->item[0],
              job->messages[0] ? job->messages : "is it installed?");
    return false;
  }
  if (strstr(job->messages, "out of memory") || strstr(job->messages, "bad_alloc")) {
    error_set(job->err,
              "%s: compiling it was stopped, because it needed more than %zu MiB of memory (in "
              "%s). Is there a template or an array without end?",
              job->path, limits.memory >> 20, step);
    return false;
  }
  if (strstr(job->messages, "PLEASE submit a bug report")) { /* its own stack, not the student's */
    error_set(job->err,
              "%s: the compiler itself crashed over it (in %s). Take away what is unusual in it, "
              "such as #pragma, inline assembly or deep nesting.",
              job->path, step);
    return false;
  }
  explain_messages(job->err, job->path, job->messages);
  return false;
}

/* ---- the options ---------------------------------------------------------------------------- */

/* What both levels share. No CUDA toolkit, even where one is installed: the same file must give
 * the same PTX everywhere. */
static const char *const common_options[] = {
    "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_80", "-nocudainc", "-nocudalib",
    "-Xclang", "-target-feature", "-Xclang", "+ptx70", "--cuda-path=/nonexistent", "-std=gnu++17",
    "-gline-tables-only", "-fdebug-compilation-dir=.",
    /* Messages: plain, few, never a crash report on disk. */
    "-fno-color-diagnostics", "-fmessage-length=0", "-ferror-limit=8", "-fmacro-backtrace-limit=2",
    "-ftemplate-backtrace-limit=3", "-fno-crash-diagnostics", "-Wno-unknown-cuda-version",
    /* Bounds for templates and constant expressions, so that a bomb fails soon and says why. */
    "-ftemplate-depth=256", "-fconstexpr-depth=256", "-fconstexpr-steps=200000", NULL};

static const char *const teaching_options[] = {"-O1",        "-Xclang", "-disable-llvm-passes",
                                               "-emit-llvm", "-c",      NULL};

static void clang_args(Job *job, Args *a) {
  const CompileOptions *options = job->options;
  arg(a, job->tools.clang);
  args(a, common_options);
  switch (options->opt) {
  case GPU_OPT_TEACHING: args(a, teaching_options); break;
  case GPU_OPT_O2: arg(a, "-O2"), arg(a, "-S"); break;
  case GPU_OPT_O3: arg(a, "-O3"), arg(a, "-S"); break;
  }
  /* .loc names files without the folder they happen to lie in. */
  if (job->folder[0]) arg_joined(a, "-ffile-prefix-map=", job->folder, "=");
  arg(a, "-isystem"), arg(a, job->headers);
  arg(a, "-include"), arg_joined(a, job->headers, "/cuda_runtime.h", "");
  for (const char *const *d = options->include_dirs; d && *d; d++) arg(a, "-I"), arg(a, *d);
  for (const char *const *d = options->defines; d && *d; d++) arg(a, "-D"), arg(a, *d);
  arg(a, "-o"), arg(a, "-");
  if (job->path[0] == '-')
    arg_joined(a, "./", job->path, "");
  else
    arg(a, job->path);
}

/* ---- closed includes ------------------------------------------------------------------------ */

/* Whether the file, links resolved, lies in the folder. */
static bool lies_in(const char *real_file, const char *folder) {
  char real[PATH_MAX];
  if (!realpath(folder[0] ? folder : ".", real)) return false;
  size_t length = strlen(real);
  if (length == 1) return false; /* "/" holds everything */
  return strncmp(real_file, real, length) == 0 && real_file[length] == '/';
}

/* The compiler's own headers and the system's: the same on every machine of the kind, and public.
 */
static bool is_system_header(const char *real_file) {
  static const char *const places[] = {"/usr/include/", "/usr/lib/gcc/", "/usr/lib/llvm-",
                                       "/usr/lib/clang/", "/usr/local/include/"};
  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    if (strncmp(real_file, places[i], strlen(places[i])) == 0) return true;
  return false;
}

static bool may_include(const Job *job, const char *file) {
  char real[PATH_MAX];
  if (!realpath(file, real)) return false;
  if (is_system_header(real) || lies_in(real, job->headers) || lies_in(real, job->folder))
    return true;
  for (const char *const *d = job->options->include_dirs; d && *d; d++)
    if (lies_in(real, *d)) return true;
  return false;
}

/* Goes through the files that clang opened. The list is written by clang to a file of its own, so
 * that nothing a source prints can hide a line of it; an empty one is a failure, too, for the
 * course's own headers are always in it. */
static bool check_includes(Job *job) {
  size_t length = 0;
  char *list = read_descriptor(job->header_list, HEADERS_MAX, &length);
  bool good = list && length > 0;
  if (!good)
    error_set(job->err, "%s: the list of the files it includes could not be read", job->path);
  else if (!may_include(job, job->path)) { /* the source itself may be a link to elsewhere */
    error_set(job->err, "%s: error: it is a link to a file outside its folder", job->path);
    good = false;
  }
  for (char *line = list; good && *line;) {
    char *end = line + strcspn(line, "\n");
    char *next = *end ? end + 1 : end;
    *end = '\0';
    if (!may_include(job, line)) {
      error_set(job->err,
                "%s: error: it includes a file that is not part of the course. Only files of its "
                "own folder and the course's headers may be included.",
                job->path);
      good = false;
    }
    line = next;
  }
  free(list);
  return good;
}

/* ---- the pipeline --------------------------------------------------------------------------- */

static bool run_clang(Job *job, int output) {
  Args a = {0};
  clang_args(job, &a);
  bool compiled = run_step(job, "clang", &a, -1, output);
  /* First the includes: a message may quote what was included. */
  if (job->options->closed_includes && !check_includes(job)) return false;
  return compiled;
}

static bool run_opt(Job *job, int input, int output) {
  Args a = {0};
  arg(&a, job->tools.opt);
  arg_joined(&a, "-passes=", teaching_passes, "");
  arg(&a, "-o"), arg(&a, "-"), arg(&a, "-");
  lseek(input, 0, SEEK_SET);
  return run_step(job, "opt", &a, input, output);
}

static bool run_llc(Job *job, int input, int output) {
  Args a = {0};
  arg(&a, job->tools.llc);
  /* Without a folder apart in .file, which PTX does not have. */
  arg(&a, "-mcpu=sm_80"), arg(&a, "-O0"), arg(&a, "--dwarf-directory=0");
  /* a * b + c becomes one fused operation, as nvcc has it by default; -O0 alone would not. */
  arg(&a, "--nvptx-fma-level=2");
  arg(&a, "-o"), arg(&a, "-"), arg(&a, "-");
  lseek(input, 0, SEEK_SET);
  return run_step(job, "llc", &a, input, output);
}

/* The files between the programs. */
typedef struct Files {
  int bitcode, inlined, ptx, headers;
} Files;

static bool open_files(Files *f, const char *path, ErrorBuffer *err) {
  *f = (Files){nameless_file(), nameless_file(), nameless_file(), nameless_file()};
  if (f->bitcode >= 0 && f->inlined >= 0 && f->ptx >= 0 && f->headers >= 0) return true;
  error_set(err, "%s: cannot be compiled: no temporary file can be made in %s: %s", path,
            getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp", strerror(errno));
  return false;
}

static void close_files(const Files *f) {
  const int all[] = {f->bitcode, f->inlined, f->ptx, f->headers};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i] >= 0) close(all[i]);
}

static bool run_pipeline(Job *job, const Files *f) {
  if (job->options->opt != GPU_OPT_TEACHING) return run_clang(job, f->ptx);
  return run_clang(job, f->bitcode) && run_opt(job, f->bitcode, f->inlined) &&
         run_llc(job, f->inlined, f->ptx);
}

/* A source that cannot be read gets its own message: clang's names no remedy. */
static bool check_source(const char *path, ErrorBuffer *err) {
  struct stat info;
  if (stat(path, &info) != 0) {
    error_set(err, "%s: cannot be read: %s", path, strerror(errno));
    return false;
  }
  if (!S_ISREG(info.st_mode)) {
    error_set(err, "%s: is not a file", path);
    return false;
  }
  if (info.st_size > SOURCE_MAX) {
    error_set(err, "%s: is larger than %d MiB, too large for a source file", path,
              SOURCE_MAX >> 20);
    return false;
  }
  return true;
}

static bool find_headers(Job *job) {
  const char *wanted = getenv("WARPBOOK_CUDA");
  snprintf(job->headers, sizeof job->headers, "%s",
           wanted && *wanted ? wanted : WARPBOOK_ROOT "/sim/cuda");
  char probe[PATH_BYTES + 32];
  snprintf(probe, sizeof probe, "%s/cuda_runtime.h", job->headers);
  if (access(probe, R_OK) == 0) return true;
  error_set(job->err,
            "%s: cannot be compiled: the course's CUDA headers are not in %s. Set the environment "
            "variable WARPBOOK_CUDA to the folder sim/cuda.",
            job->path, job->headers);
  return false;
}

static void find_folder(Job *job) {
  const char *slash = strrchr(job->path, '/');
  int length = slash ? (int)(slash - job->path) + 1 : 0;
  snprintf(job->folder, sizeof job->folder, "%.*s", length, job->path);
}

static bool take_ptx(Job *job, int fd, char **ptx, size_t *length) {
  char *text = read_descriptor(fd, PTX_MAX, length);
  if (!text) {
    error_set(job->err, "%s: the PTX could not be read back", job->path);
    return false;
  }
  if (explain_undefined(job->err, job->path, text)) {
    free(text);
    return false;
  }
  *ptx = text;
  return true;
}

bool compile_cuda(const char *path, const CompileOptions *options, char **ptx, size_t *length,
                  ErrorBuffer *err) {
  static const CompileOptions defaults = {0};
  *ptx = NULL;
  *length = 0;
  if (strlen(path) >= PATH_BYTES / 2) {
    error_set(err, "the file name is longer than %d bytes", PATH_BYTES / 2);
    return false;
  }
  if (!check_source(path, err)) return false;
  Job *job = calloc(1, sizeof *job);
  if (!job) {
    error_set(err, "%s: cannot be compiled: out of memory", path);
    return false;
  }
  job->path = path;
  job->options = options ? options : &defaults;
  job->err = err;
  find_folder(job);
  Files files = {-1, -1, -1, -1};
  bool good = find_headers(job) && find_tools(&job->tools, job->options->opt, path, err) &&
              open_files(&files, path, err);
  job->header_list = files.headers;
  good = good && run_pipeline(job, &files) && take_ptx(job, files.ptx, ptx, length);
  close_files(&files);
  free(job);
  return good;
}

/* The first line of `clang --version`. */
static bool read_version(const char *clang, int fd, char *buf, size_t size) {
  const char *const argv[] = {clang, "--version", NULL}, *const env[] = {"LC_ALL=C", NULL};
  Process p = {argv, env, -1, fd, -1};
  char *messages = malloc(MESSAGES_MAX + 1);
  if (!messages) return false;
  const ProcessLimits limits = process_limits();
  bool ran = process_run(&p, &limits, messages) == PROCESS_OK;
  free(messages);
  size_t length = 0;
  char *text = ran ? read_descriptor(fd, PTX_MAX, &length) : NULL;
  if (!text) return false;
  snprintf(buf, size, "%.*s", (int)strcspn(text, "\r\n"), text);
  free(text);
  return true;
}

const char *compile_version(char *buf, size_t size) {
  if (size == 0) return "";
  buf[0] = '\0';
  char clang[PATH_BYTES];
  if (!find_clang(clang)) return buf;
  int fd = nameless_file();
  if (fd < 0) return buf;
  if (!read_version(clang, fd, buf, size)) buf[0] = '\0';
  close(fd);
  return buf;
}
