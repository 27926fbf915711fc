/* suites/main.c - runs the suite of one lab over one submission.
 *
 *   suites STAGE      STAGE is a folder as stage.h describes it
 *
 * Compiles the submission once, then lets Criterion run the tests, each in a process of its own.
 * Everything goes into the records (see collect.h); what is printed is only read when a person
 * looks for a mistake in the grader. */
#include <criterion/hooks.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../fnv.h"
#include "device/compile.h"
#include "exam.h"

enum { STATUS_REFUSED = 2, STATUS_BROKEN = 3, PTX_MAX = 2 << 20 };
#define TEST_SECONDS "20"

/* ---- what Criterion reports ----------------------------------------------------------------- */

static void report_test(const struct criterion_test_stats *stats, bool crashed) {
  Text line = {0};
  json_open(&line, NULL, '{');
  json_add_string(&line, "record", "ran");
  json_add_string(&line, "suite", stats->test->category);
  json_add_string(&line, "test", stats->test->name);
  json_add_bool(&line, "passed",
                !crashed && !stats->timed_out && stats->failed_asserts == 0 &&
                    stats->exit_code == 0);
  json_add_bool(&line, "crashed", crashed || stats->crashed);
  json_add_bool(&line, "timed_out", stats->timed_out);
  json_add_number(&line, "signal", stats->signal);
  json_add_number(&line, "seconds", (double)stats->elapsed_time);
  json_close(&line, '}');
  write_record(&line);
}

ReportHook(POST_TEST)(struct criterion_test_stats *stats) { report_test(stats, false); }

/* A test that crashes has no POST_TEST. */
ReportHook(TEST_CRASH)(struct criterion_test_stats *stats) { report_test(stats, true); }

ReportHook(POST_ALL)(struct criterion_global_stats *stats) {
  Text line = {0};
  json_open(&line, NULL, '{');
  json_add_string(&line, "record", "end");
  json_add_number(&line, "tests",
                  (double)(stats->tests_passed + stats->tests_failed + stats->tests_crashed));
  json_close(&line, '}');
  write_record(&line);
}

/* ---- compiling ------------------------------------------------------------------------------ */

static int refuse(const char *message) {
  Text line = {0};
  json_open(&line, NULL, '{');
  json_add_string(&line, "record", "refused");
  json_add_string(&line, "message", message);
  json_close(&line, '}');
  write_record(&line);
  return STATUS_REFUSED;
}

static void report_compiled(const char *compiler, const char *ptx, size_t length) {
  Text line = {0};
  char hash[32];
  snprintf(hash, sizeof hash, "fnv1a:%016llx",
           (unsigned long long)fnv_bytes(FNV_START, ptx, length));
  json_open(&line, NULL, '{');
  json_add_string(&line, "record", "compiled");
  json_add_string(&line, "compiler", compiler);
  json_add_string(&line, "ptx_hash", hash);
  json_close(&line, '}');
  write_record(&line);
}

/* Every test loads it, so it must be of a size that a lab can need. */
static int check_size(size_t length) {
  if (length <= PTX_MAX) return 0;
  return refuse("the compiled program is larger than 2 MiB, a hundred times what the lab needs");
}

/* Inline assembly can make PTX that compiles and does not load: found here, once. */
static int try_load(const char *ptx, size_t length) {
  char message[1024];
  gpu_device *device;
  gpu_module *module;
  gpu_result result = exam_make_device(&device, SCHEDULE_PLAIN, false, message, sizeof message);
  if (result != GPU_OK) {
    fprintf(stderr, "no device: %s\n", message);
    return STATUS_BROKEN;
  }
  int status = 0;
  result = gpu_module_load_ptx(device, &module, PTX_NAME, ptx, length);
  if (result == GPU_BAD_INPUT)
    status = refuse(gpu_last_error(device));
  else if (result != GPU_OK)
    status = STATUS_BROKEN;
  gpu_device_destroy(device);
  return status;
}

static int save_ptx(const char *ptx, size_t length) {
  FILE *out = fopen(PTX_FILE, "wb");
  bool good = out && fwrite(ptx, 1, length, out) == length;
  if (out) good = fclose(out) == 0 && good;
  if (good) return 0;
  perror(PTX_FILE);
  return STATUS_BROKEN;
}

static int compile(const Json *request) {
  static const CompileOptions options = {.opt = GPU_OPT_TEACHING, .closed_includes = true};
  const char *source = json_get_string(request, "source", "");
  char *ptx;
  size_t length;
  ErrorBuffer err;
  error_init(&err);
  int status = 0;
  if (!compile_cuda(source, &options, &ptx, &length, &err)) {
    status = refuse(err.text);
  } else {
    status = check_size(length);
    if (status == 0) status = try_load(ptx, length);
    if (status == 0) status = save_ptx(ptx, length);
    if (status == 0) report_compiled(json_get_string(request, "compiler", ""), ptx, length);
    free(ptx);
  }
  error_release(&err);
  return status;
}

/* ---- starting soon --------------------------------------------------------------------------- */

/* Criterion starts libgit2, which shows differences of texts that we never ask for, in every test's
 * process; and libgit2 reads all the certificates of the system. These come before its own. */
int git_libgit2_init(void);
int git_libgit2_shutdown(void);
int git_libgit2_init(void) { return 1; }
int git_libgit2_shutdown(void) { return 0; }

/* ---- running -------------------------------------------------------------------------------- */

/* All tests of the suite, or the only one that is asked for. */
static void choose_tests(char *filter, size_t size, const Json *request) {
  const char *suite = json_get_string(request, "suite", "");
  const Json *tests = json_get(request, "tests"), *first = tests ? tests->first : NULL;
  bool one = first && !first->next;
  snprintf(filter, size, "%s/%s", suite, one ? json_get_string(first, "name", "") : "*");
}

static int run_tests(char *program, char *filter) {
  char *argv[] = {program, "--filter", filter, "--timeout", TEST_SECONDS, "--jobs", "1", NULL};
  struct criterion_test_set *tests = criterion_initialize();
  int status = STATUS_BROKEN;
  if (criterion_handle_args(7, argv, true)) status = !criterion_run_all_tests(tests);
  criterion_finalize(tests);
  return status;
}

int main(int argc, char **argv) {
  char filter[256];
  Arena *arena = arena_new(0);
  if (argc != 2 || !arena || chdir(argv[1]) != 0 || chdir("in") != 0) {
    fprintf(stderr, "usage: suites STAGE (a folder that `grade` makes)\n");
    return STATUS_BROKEN;
  }
  const Json *request = read_request(arena);
  int status = request ? compile(request) : STATUS_BROKEN;
  choose_tests(filter, sizeof filter, request);
  arena_free(arena);
  return status ? status : run_tests(argv[0], filter);
}
