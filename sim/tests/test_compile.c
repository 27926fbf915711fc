/* The compile driver and the CUDA headers: branches survive at the teaching level, every intrinsic
 * compiles, messages help, nothing foreign is read, nothing runs without end. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "device/compile.h"
#include "gpu.h"

#define FOLDER WARPBOOK_ROOT "/sim/tests/compile/"
#define HARDWARE WARPBOOK_ROOT "/sim/tests/hardware/"

/* ---- help ------------------------------------------------------------------------------------ */

typedef struct Compiled {
  bool good;
  char *ptx;
  size_t length;
  ErrorBuffer err;
} Compiled;

static Compiled compile(const char *path, const CompileOptions *options) {
  Compiled c = {0};
  error_init(&c.err);
  c.good = compile_cuda(path, options, &c.ptx, &c.length, &c.err);
  return c;
}

static void compiled_free(Compiled *c) {
  free(c->ptx);
  error_release(&c->err);
}

/* PTX of a file that must compile; to be freed. */
static char *ptx_of(const char *path, gpu_opt opt) {
  CompileOptions options = {.opt = opt};
  Compiled c = compile(path, &options);
  cr_assert(c.good, "%s at level %d: %s", path, (int)opt, c.err.text);
  cr_assert_eq(strlen(c.ptx), c.length);
  error_release(&c.err);
  return c.ptx;
}

/* A folder of its own for a test's files, gone at the end. */
typedef struct Folder {
  char path[64];
} Folder;

static Folder folder_new(void) {
  Folder f = {"/tmp/warpbook-test-XXXXXX"};
  cr_assert_not_null(mkdtemp(f.path));
  return f;
}

static void folder_free(const Folder *f) {
  char command[128];
  snprintf(command, sizeof command, "rm -rf %s", f->path);
  cr_assert_eq(system(command), 0);
}

static const char *folder_file(const Folder *f, const char *name) {
  static char path[256];
  snprintf(path, sizeof path, "%s/%s", f->path, name);
  return path;
}

static void folder_write(const Folder *f, const char *name, const char *text) {
  FILE *file = fopen(folder_file(f, name), "w");
  cr_assert_not_null(file);
  fputs(text, file);
  fclose(file);
}

/* Compiles text as a file student.cu in a folder of its own. */
static Compiled compile_text(const char *text, const CompileOptions *options) {
  Folder f = folder_new();
  folder_write(&f, "student.cu", text);
  Compiled c = compile(folder_file(&f, "student.cu"), options);
  folder_free(&f);
  return c;
}

/* The text must not compile, and the message must hold every one of the words. */
static void expect_message(const char *text, const char *first, const char *second) {
  Compiled c = compile_text(text, NULL);
  cr_assert(!c.good, "compiles: %s", text);
  cr_assert_null(c.ptx);
  cr_expect(strstr(c.err.text, first), "no '%s' in:\n%s", first, c.err.text);
  cr_expect(strstr(c.err.text, second), "no '%s' in:\n%s", second, c.err.text);
  compiled_free(&c);
}

/* The part of the PTX from the kernel's name to the closing brace. */
static size_t body_of(const char *ptx, const char *kernel, const char **body) {
  char head[128];
  snprintf(head, sizeof head, ".entry %s(", kernel);
  *body = strstr(ptx, head);
  cr_assert_not_null(*body, "no kernel %s", kernel);
  const char *end = strstr(*body, "\n}\n");
  cr_assert_not_null(end);
  return (size_t)(end - *body);
}

/* Conditional branches: "@%p1 bra", "@!%p1 bra", and indirect ones. */
static int count_branches(const char *ptx, const char *kernel) {
  const char *body;
  size_t length = body_of(ptx, kernel, &body);
  int count = 0;
  for (const char *p = body; p < body + length; p++) {
    if (strncmp(p, "brx", 3) == 0) count++;
    if (*p == '@' && p[strcspn(p, " \t\n")] != '\n') {
      p += strcspn(p, " \t\n");
      p += strspn(p, " \t");
      count += strncmp(p, "bra", 3) == 0;
    }
  }
  return count;
}

static int count_text(const char *text, size_t length, const char *word) {
  int count = 0;
  for (const char *p = text; (p = strstr(p, word)) && p < text + length; p++) count++;
  return count;
}

static double seconds_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- branches -------------------------------------------------------------------------------- */

static const struct {
  const char *kernel;
  int branches;    /* in the source: an if, a case, a loop's test, each operand of && and || but
                      the last (which is the if's own) */
  bool gone_at_o2; /* -O2 keeps fewer */
} branch_cases[] = {
    {"if_only", 1, false},      {"if_else", 1, false},        {"same_arms", 1, true},
    {"empty_arm", 1, false},    {"and_two", 2, true},         {"and_three", 3, true},
    {"or_two", 2, true},        {"not_and_or", 3, true},      {"else_if", 3, true},
    {"switch_three", 3, false}, {"switch_eight", 8, false},   {"switch_falls", 3, false},
    {"for_loop", 1, false},     {"for_constant", 1, true},    {"while_loop", 1, false},
    {"do_loop", 1, false},      {"break_continue", 3, false}, {"early_return", 1, false},
    {"ternary", 1, true},       {"nested_ternary", 2, true},  {"stored_and", 1, false},
    {"goto_loop", 1, false},    {"in_a_call", 2, true},       {"nothing", 0, false},
};
enum { BRANCH_CASES = sizeof branch_cases / sizeof *branch_cases };

Test(compile_branches, every_source_branch_is_a_ptx_branch_at_the_teaching_level) {
  char *ptx = ptx_of(FOLDER "branches.cu", GPU_OPT_TEACHING);
  for (size_t i = 0; i < BRANCH_CASES; i++)
    cr_expect_eq(count_branches(ptx, branch_cases[i].kernel), branch_cases[i].branches,
                 "%s: %d branches, not %d", branch_cases[i].kernel,
                 count_branches(ptx, branch_cases[i].kernel), branch_cases[i].branches);
  free(ptx);
}

Test(compile_branches, o2_removes_branches_of_short_arms_and_counted_loops) {
  char *ptx = ptx_of(FOLDER "branches.cu", GPU_OPT_O2);
  for (size_t i = 0; i < BRANCH_CASES; i++)
    if (branch_cases[i].gone_at_o2)
      cr_expect_lt(count_branches(ptx, branch_cases[i].kernel), branch_cases[i].branches, "%s",
                   branch_cases[i].kernel);
  free(ptx);
}

/* ---- what compiles --------------------------------------------------------------------------- */

/* Compiles, and loads: PTX without a word that the simulator does not know. */
static void compiles_at_every_level(const char *path) {
  gpu_device *dev;
  gpu_module *mod;
  cr_assert_eq(gpu_device_create(&dev, NULL, NULL, 0), GPU_OK);
  for (gpu_opt opt = GPU_OPT_TEACHING; opt <= GPU_OPT_O3; opt++)
    cr_expect_eq(gpu_module_load(dev, &mod, path, opt), GPU_OK, "%s at level %d: %s", path,
                 (int)opt, gpu_last_error(dev));
  gpu_device_destroy(dev);
}

Test(compile_headers, intrinsics_compile_at_every_level) {
  compiles_at_every_level(FOLDER "intrinsics.cu");
}
Test(compile_headers, forms_before_volta_compile_at_every_level) {
  compiles_at_every_level(FOLDER "old.cu");
}
Test(compile_headers, maths_compiles_at_every_level) { compiles_at_every_level(FOLDER "maths.cu"); }
Test(compile_headers, half_and_bfloat16_compile_at_every_level) {
  compiles_at_every_level(FOLDER "half.cu");
}
Test(compile_headers, cooperative_groups_compile_at_every_level) {
  compiles_at_every_level(FOLDER "groups.cu");
}
Test(compile_headers, a_whole_program_with_host_code_compiles_at_every_level) {
  compiles_at_every_level(FOLDER "host.cu");
}
Test(compile_headers, hardware_kernels_compile_at_every_level) {
  compiles_at_every_level(HARDWARE "kernels.cu");
  compiles_at_every_level(HARDWARE "controlflow.cu");
  compiles_at_every_level(HARDWARE "bench-kernels.cu");
}

Test(compile_headers, a_shuffle_is_one_instruction_and_no_branch) {
  char *ptx = ptx_of(FOLDER "intrinsics.cu", GPU_OPT_TEACHING);
  const char *body;
  size_t length = body_of(ptx, "one_shuffle", &body);
  cr_expect_eq(count_text(body, length, "shfl.sync.bfly.b32"), 1);
  cr_expect_eq(count_text(body, length, "shfl"), 1);
  cr_expect_eq(count_branches(ptx, "one_shuffle"), 0);
  /* 4 shuffles of 3 types of 32 bits, and of 5 types of 64, in two halves each. */
  length = body_of(ptx, "shuffles", &body);
  cr_expect_eq(count_text(body, length, "shfl.sync."), 4 * 3 + 2 * 4 * 5);
  cr_expect_eq(count_branches(ptx, "shuffles"), 0);
  cr_expect_eq(count_branches(ptx, "votes"), 0);
  cr_expect_eq(count_branches(ptx, "integers"), 0);
  cr_expect_eq(count_branches(ptx, "floats"), 0);
  free(ptx);
}

Test(compile_headers, vector_types_compile_at_every_level) {
  compiles_at_every_level(FOLDER "vectors.cu");
}
Test(compile_headers, a_float4_is_read_and_written_by_one_instruction) {
  static const struct {
    const char *kernel;
    int loads, stores;
  } cases[] = {{"copy", 1, 1}, {"copy2", 1, 1}, {"all4", 1, 1},
               {"sum", 1, 0},  {"some", 1, 1},  {"mk", 0, 1}};
  char *ptx = ptx_of(FOLDER "vectors.cu", GPU_OPT_TEACHING);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *body;
    size_t length = body_of(ptx, cases[i].kernel, &body);
    cr_expect_eq(count_text(body, length, "ld.v4.f32"), cases[i].loads, "%s", cases[i].kernel);
    cr_expect_eq(count_text(body, length, "st.v4.f32"), cases[i].stores, "%s", cases[i].kernel);
    cr_expect_eq(count_text(body, length, "%SP"), 0, "%s uses local memory", cases[i].kernel);
  }
  free(ptx);
}

Test(compile_headers, lines_are_the_students_not_the_headers) {
  static const char *const files[] = {FOLDER "intrinsics.cu", FOLDER "half.cu", FOLDER "groups.cu",
                                      FOLDER "vectors.cu"};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    char *ptx = ptx_of(files[i], GPU_OPT_TEACHING);
    cr_expect_eq(count_text(ptx, strlen(ptx), "\t.file\t"), 1, "%s", files[i]);
    cr_expect_eq(count_text(ptx, strlen(ptx), "\t.loc\t2 "), 0, "%s", files[i]);
    cr_expect_gt(count_text(ptx, strlen(ptx), "\t.loc\t1 "), 10, "%s", files[i]);
    free(ptx);
  }
}

Test(compile_headers, device_functions_that_no_kernel_calls_stay) {
  static const char *const functions[] = {"_Z9left_overii", "plain_name"};
  for (gpu_opt opt = GPU_OPT_TEACHING; opt <= GPU_OPT_O3; opt++) {
    char *ptx = ptx_of(FOLDER "intrinsics.cu", opt);
    for (size_t i = 0; i < 2; i++) {
      char head[64];
      snprintf(head, sizeof head, ") %s(", functions[i]);
      const char *found = strstr(ptx, head);
      cr_assert_not_null(found, "%s at level %d", functions[i], (int)opt);
      const char *line = found;
      while (line > ptx && line[-1] != '\n') line--;
      cr_expect_eq(strncmp(line, ".visible .func", 14), 0, "%.*s", 60, line);
    }
    free(ptx);
  }
}

Test(compile_driver, ptx_is_the_same_in_whatever_folder_the_source_lies) {
  static const char text[] = "#include <assert.h>\n"
                             "__global__ void k(int *o) { assert(o[0] > 0); o[0] = __LINE__; }\n";
  Compiled a = compile_text(text, NULL), b = compile_text(text, NULL);
  cr_assert(a.good && b.good, "%s%s", a.err.text, b.err.text);
  cr_expect_str_eq(a.ptx, b.ptx);
  cr_expect_null(strstr(a.ptx, "/tmp/"));
  compiled_free(&a);
  compiled_free(&b);
}

Test(compile_driver, defines_and_include_folders_are_used) {
  Folder f = folder_new();
  folder_write(&f, "extra.h", "#define EXTRA 1234567\n");
  const char *dirs[] = {f.path, NULL}, *defines[] = {"SIZE=7654321", "FLAG", NULL};
  CompileOptions options = {.include_dirs = dirs, .defines = defines, .closed_includes = true};
  Compiled c = compile_text("#include \"extra.h\"\n#ifdef FLAG\n"
                            "__global__ void k(int *o) { o[0] = EXTRA; o[1] = SIZE; }\n#endif\n",
                            &options);
  cr_assert(c.good, "%s", c.err.text);
  cr_expect(strstr(c.ptx, "1234567") && strstr(c.ptx, "7654321"));
  compiled_free(&c);
  folder_free(&f);
}

Test(compile_driver, a_file_name_cannot_become_an_option) {
  Folder f = folder_new();
  folder_write(&f, "-o.cu", "__global__ void k(int *o) { o[0] = 1; }\n");
  cr_assert_eq(chdir(f.path), 0);
  Compiled c = compile("-o.cu", NULL);
  cr_expect(c.good, "%s", c.err.text);
  compiled_free(&c);
  cr_assert_eq(chdir("/"), 0);
  folder_free(&f);
}

Test(compile_driver, no_temporary_file_is_left) {
  Folder f = folder_new(), source = folder_new();
  folder_write(&source, "good.cu", "__global__ void k(int *o) { o[0] = 1; }\n");
  folder_write(&source, "bad.cu", "__global__ void k(int *o) { o[0] = ; }\n");
  setenv("TMPDIR", f.path, 1);
  Compiled good = compile(folder_file(&source, "good.cu"), NULL);
  Compiled bad = compile(folder_file(&source, "bad.cu"), NULL);
  unsetenv("TMPDIR");
  cr_expect(good.good);
  cr_expect(!bad.good);
  cr_expect_eq(rmdir(f.path), 0, "the folder is not empty");
  compiled_free(&good);
  compiled_free(&bad);
  folder_free(&source);
}

Test(compile_driver, the_version_names_clang) {
  char version[128];
  cr_expect(strstr(compile_version(version, sizeof version), "clang version"), "%s", version);
}

Test(compile_driver, a_missing_compiler_is_named_with_its_remedy) {
  setenv("CLANG", "/nowhere/clang", 1);
  Compiled c = compile(FOLDER "branches.cu", NULL);
  unsetenv("CLANG");
  cr_expect(!c.good);
  cr_expect(strstr(c.err.text, "apt-get install clang"), "%s", c.err.text);
  compiled_free(&c);
}

Test(compile_driver, a_missing_source_is_an_error) {
  Compiled c = compile("/nowhere/lab.cu", NULL);
  cr_expect(!c.good);
  cr_expect(strstr(c.err.text, "/nowhere/lab.cu"), "%s", c.err.text);
  compiled_free(&c);
  c = compile("/tmp", NULL);
  cr_expect(!c.good);
  cr_expect(strstr(c.err.text, "not a file"), "%s", c.err.text);
  compiled_free(&c);
}

/* ---- messages -------------------------------------------------------------------------------- */

#define K "__global__ void k(int *o) { "
static const struct {
  const char *text, *error, *hint;
} message_cases[] = {
    {K "int a = 3\n o[0] = a; }", "student.cu:1:38: error: expected ';'", "ends in a semicolon"},
    {K "__syncthread(); }", "__syncthread", "__syncthreads(), with an s"},
    {K "o[0] = threadidx.x; }", "threadidx", "threadIdx, blockIdx"},
    {K "o[0] = lane; }", "undeclared identifier 'lane'", "declared before it is used"},
    {"int f(int a) { return a; }\n" K "o[0] = f(1); }", "'f'", "Write __device__ before"},
    {K "o[0] = rand(); }", "'rand'", "made for the CPU"},
    {"__device__ int f(int a) { return a; }\nint main() { return f(1); }", "'f'",
     "cannot be called from CPU code"},
    {K "}\nint main() { k(0); }", "not configured", "<<<blocks, threads>>>"},
    {K "}\n__device__ void f(int *o) { k(o); }", "'k'", "__device__ function"},
    {"__global__ int k() { return 1; }", "void return type", "returns nothing"},
    {"__device__ float f(float x) { return lgammaf(x); }", "lgammaf", "maths function"},
    {"#include <math.h>\n__device__ float f(float x) { return lgammaf(x); }", "lgammaf",
     "made for the CPU"},
    {"#include \"absent.h\"\n", "'absent.h' file not found", "beside the source"},
    {"__device__ int later(int);\n" K "o[0] = later(1); }", "function 'later'", "has no body"},
    {K "if (o[0]) { o[1] = 1; }\n__global__ void j(int *o) { }\n", "function definition",
     "closing brace '}' is missing"},
    {K "} }", "extraneous closing brace", "one '}' more"},
    {K "__shared__ int s[2] = {1, 2}; o[0] = s[0]; }", "__shared__", "starts without a value"},
    {K "int n = o[0], a[n]; a[0] = 1; }", "variable-length", "must be a constant"},
    {K "int *p = malloc(4); }", "void *", "write the type"},
    {K "o[0] = __shfl_down_sync(o[1], 3); }", "__shfl_down_sync", "take the mask first"},
    {K "o[0] = __ballot_sync(o[1]); }", "__ballot_sync", "mask"},
    {"__device__ half h;", "unknown type name 'half'", "cuda_fp16.h"},
    {"__device__ uint32_t u;", "unknown type name 'uint32_t'", "stdint.h"},
    {"__device__ int f(int a) { return a; }\n" K "o[0] = f(1, 2); }", "'f'", "do not fit"},
    {K "throw 1; }", "throw", "no exceptions"},
    {"#include <vector>\n" K "std::vector<int> v; }", "std::vector", "made for the CPU"},
    {K "o[0] = 1\xef\xbc\x9b }", "error", "not plain ASCII"},
    {K "int a; int a; }", "redefinition of 'a'", "defined twice"},
    {"#define X o[0] = nothing;\n" K "X }", "nothing", "declared before"},
};

Test(compile_messages, common_mistakes_are_explained) {
  for (size_t i = 0; i < sizeof message_cases / sizeof *message_cases; i++)
    expect_message(message_cases[i].text, message_cases[i].error, message_cases[i].hint);
}

Test(compile_messages, the_place_is_the_file_as_the_caller_named_it) {
  Folder f = folder_new();
  folder_write(&f, "student.cu", K "o[0] = missing; }\n");
  Compiled c = compile(folder_file(&f, "student.cu"), NULL);
  char place[300];
  snprintf(place, sizeof place, "%s/student.cu:1:36: error: ", f.path);
  cr_expect_eq(strncmp(c.err.text, place, strlen(place)), 0, "%s", c.err.text);
  cr_expect_null(strstr(c.err.text, "generated when compiling"));
  compiled_free(&c);
  folder_free(&f);
}

Test(compile_messages, folders_of_other_files_are_not_shown) {
  Compiled c = compile_text("#line 7 \"/etc/passwd\"\n" K "o[0] = missing; }\n", NULL);
  cr_expect_null(strstr(c.err.text, "/etc"), "%s", c.err.text);
  cr_expect(strstr(c.err.text, "passwd:7:"), "%s", c.err.text);
  compiled_free(&c);
  c = compile_text(K "o[0] = __shfl_sync(1); atomicAdd(o); }\n", NULL);
  cr_expect_null(strstr(c.err.text, WARPBOOK_ROOT), "%s", c.err.text);
  compiled_free(&c);
}

Test(compile_messages, control_characters_are_harmless) {
  Compiled c = compile_text("#error \x1b[31mred\x07 \xe2\x80\xae turned \xff\n", NULL);
  cr_expect(!c.good);
  for (const char *p = c.err.text; *p; p++)
    cr_expect(*p == '\n' || (unsigned char)*p >= 0x20, "byte %d", *p);
  cr_expect_null(strstr(c.err.text, "\xe2\x80\xae"), "%s", c.err.text);
  cr_expect_null(strstr(c.err.text, "\xff"), "%s", c.err.text);
  compiled_free(&c);
}

Test(compile_messages, letters_of_any_language_are_kept) {
  Compiled c =
      compile_text(K "/* \xc3\xa9t\xc3\xa9 \xe7\xba\xbf\xe7\xa8\x8b */ o[0] = missing; }\n", NULL);
  cr_expect(strstr(c.err.text, "\xe7\xba\xbf\xe7\xa8\x8b"), "%s", c.err.text);
  compiled_free(&c);
}

Test(compile_messages, many_errors_are_cut) {
  char *text = malloc(1 << 20);
  size_t n = 0;
  for (int i = 0; i < 5000; i++)
    n += (size_t)sprintf(text + n, "__device__ int f%d() { return x%d; }\n", i, i);
  Compiled c = compile_text(text, NULL);
  cr_expect(!c.good);
  cr_expect_lt(strlen(c.err.text), 8000);
  compiled_free(&c);
  free(text);
}

Test(compile_messages, warnings_alone_are_no_failure) {
  Compiled c = compile_text("#warning look here\n" K "int unused; o[0] = 1; }\n", NULL);
  cr_expect(c.good, "%s", c.err.text);
  compiled_free(&c);
}

/* ---- closed includes ------------------------------------------------------------------------- */

static const CompileOptions closed = {.closed_includes = true};

static void expect_refused(const char *text, const char *secret) {
  Compiled c = compile_text(text, &closed);
  cr_expect(!c.good, "compiles: %s", text);
  cr_expect(strstr(c.err.text, "not part of the course"), "%s", c.err.text);
  cr_expect_null(strstr(c.err.text, secret), "%s", c.err.text);
  compiled_free(&c);
}

Test(compile_closed, a_foreign_file_is_refused_and_not_quoted) {
  expect_refused("#include \"/etc/passwd\"\n", "root");
  expect_refused("#include </etc/passwd>\n", "root");
  expect_refused("#include \"../../etc/passwd\"\n", "root");
  expect_refused("#define P \"/etc/passwd\"\n#include P\n", "root");
  expect_refused("#line 1 \"student.cu\"\n#include \"/etc/passwd\"\n", "root");
  expect_refused("#import \"/etc/hostname\"\n__device__ int a;\n", "a;");
  expect_refused("#include \"/dev/zero\"\n", "zero");
}

Test(compile_closed, a_foreign_file_is_refused_even_when_it_compiles) {
  Folder f = folder_new();
  folder_write(&f, "answers.h", "__device__ int answer = 42;\n");
  char text[200];
  snprintf(text, sizeof text, "#include \"%s/answers.h\"\n", f.path);
  expect_refused(text, "42");
  folder_free(&f);
}

Test(compile_closed, a_link_out_of_the_folder_is_refused) {
  Folder f = folder_new();
  cr_assert_eq(symlink("/etc/passwd", folder_file(&f, "mine.h")), 0);
  folder_write(&f, "student.cu", "#include \"mine.h\"\n");
  Compiled c = compile(folder_file(&f, "student.cu"), &closed);
  cr_expect(!c.good);
  cr_expect_null(strstr(c.err.text, "root"), "%s", c.err.text);
  compiled_free(&c);
  cr_assert_eq(symlink("/etc/passwd", folder_file(&f, "linked.cu")), 0);
  c = compile(folder_file(&f, "linked.cu"), &closed);
  cr_expect(!c.good);
  cr_expect_null(strstr(c.err.text, "root"), "%s", c.err.text);
  compiled_free(&c);
  folder_free(&f);
}

Test(compile_closed, files_of_the_folder_and_standard_headers_are_allowed) {
  Folder f = folder_new();
  folder_write(&f, "mine.h", "#include <cuda_fp16.h>\n#include <cstdio>\n#define ONE 1\n");
  folder_write(&f, "student.cu",
               "#include \"mine.h\"\n#include <vector>\n#include <limits.h>\n" K "o[0] = ONE; }\n");
  Compiled c = compile(folder_file(&f, "student.cu"), &closed);
  cr_expect(c.good, "%s", c.err.text);
  compiled_free(&c);
  folder_free(&f);
}

Test(compile_closed, a_header_of_the_students_own_cannot_replace_the_courses) {
  Folder f = folder_new();
  folder_write(&f, "cuda_runtime.h", "#error not this one\n");
  folder_write(&f, "student.cu", K "o[0] = threadIdx.x; }\n");
  cr_assert_eq(chdir(f.path), 0);
  Compiled c = compile("student.cu", &closed);
  cr_expect(c.good, "%s", c.err.text);
  compiled_free(&c);
  cr_assert_eq(chdir("/"), 0);
  folder_free(&f);
}

/* ---- bombs ----------------------------------------------------------------------------------- */

/* Must fail, and soon: three times the limit by the clock at most. */
static void expect_stopped(const char *text) {
  setenv("WARPBOOK_COMPILE_SECONDS", "1", 1);
  double start = seconds_now();
  Compiled c = compile_text(text, NULL);
  double took = seconds_now() - start;
  unsetenv("WARPBOOK_COMPILE_SECONDS");
  cr_expect(!c.good, "compiles: %s", text);
  cr_expect_gt(strlen(c.err.text), 0);
  cr_expect_lt(took, 10, "%g seconds: %s", took, text);
  compiled_free(&c);
}

Test(compile_bombs, are_stopped) {
  expect_stopped("template <int N, int M> struct S { static constexpr long v = S<N - 1, M * 2>::v +"
                 " S<N - 1, M * 2 + 1>::v; };\ntemplate <int M> struct S<0, M> { static constexpr "
                 "long v = M; };\n__device__ long x = S<28, 1>::v;\n");
  expect_stopped("template <class T> struct X { typename X<X<T>>::t y; }; X<int> x;\n");
  expect_stopped("#define A(x) x x x x x x x x x x\n#define B(x) A(A(A(A(A(x)))))\n" K
                 "B(B(o[0]++;)) }\n");
  expect_stopped("#include \"student.cu\"\n");
  expect_stopped("constexpr int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }\n"
                 "constexpr int v = f(60); " K "o[0] = v; }\n");
  expect_stopped("__device__ int big[1 << 29] = {1}; " K "o[0] = big[3]; }\n");
}

Test(compile_bombs, a_named_pipe_is_not_waited_for) {
  Folder f = folder_new();
  cr_assert_eq(mkfifo(folder_file(&f, "pipe.h"), 0600), 0);
  folder_write(&f, "student.cu", "#include \"pipe.h\"\n");
  setenv("WARPBOOK_COMPILE_SECONDS", "1", 1);
  double start = seconds_now();
  Compiled c = compile(folder_file(&f, "student.cu"), NULL);
  unsetenv("WARPBOOK_COMPILE_SECONDS");
  cr_expect(!c.good);
  cr_expect(strstr(c.err.text, "was stopped"), "%s", c.err.text);
  cr_expect_lt(seconds_now() - start, 10);
  compiled_free(&c);
  folder_free(&f);
}

/* ---- the maths functions, run ---------------------------------------------------------------- */

enum { POINTS = 256 };

typedef struct Maths {
  gpu_device *dev;
  gpu_module *mod;
} Maths;

/* Arguments from low to high; results must be near the C library's in extended precision. */
static void near_f32(const Maths *m, const char *name, long double (*want)(long double), float low,
                     float high, double ulps) {
  float x[POINTS], y[POINTS];
  char function[64];
  snprintf(function, sizeof function, "test_%sf", name);
  for (int i = 0; i < POINTS; i++) x[i] = low + (high - low) * ((float)i / (POINTS - 1));
  gpu_result r = gpu_call(m->dev, m->mod, function, POINTS, 0, x, sizeof *x, y, sizeof *y);
  cr_assert_eq(r, GPU_OK, "%s: %s", function, gpu_last_error(m->dev));
  for (int i = 0; i < POINTS; i++) {
    long double right = want((long double)x[i]);
    int exponent;
    frexpl(right, &exponent);
    double unit = ldexp(1.0, exponent - 24);
    cr_expect(fabs((double)(y[i] - right)) <= ulps * unit || (double)right == (double)y[i],
              "%s(%a) = %a, not %La", function, (double)x[i], (double)y[i], right);
  }
}

static void near_f64(const Maths *m, const char *name, long double (*want)(long double), double low,
                     double high, double ulps) {
  double x[POINTS], y[POINTS];
  char function[64];
  snprintf(function, sizeof function, "test_%s", name);
  for (int i = 0; i < POINTS; i++) x[i] = low + (high - low) * ((double)i / (POINTS - 1));
  gpu_result r = gpu_call(m->dev, m->mod, function, POINTS, 0, x, sizeof *x, y, sizeof *y);
  cr_assert_eq(r, GPU_OK, "%s: %s", function, gpu_last_error(m->dev));
  for (int i = 0; i < POINTS; i++) {
    long double right = want((long double)x[i]);
    int exponent;
    frexpl(right, &exponent);
    long double unit = ldexpl(1.0L, exponent - 53);
    cr_expect(fabsl(y[i] - right) <= ulps * unit || (double)right == y[i], "%s(%a) = %a, not %La",
              function, x[i], y[i], right);
  }
}

/* Bounds in units in the last place: the measured worst case, rounded up, and 2 more where the
 * hardware's approximation of 2^x is part of it. */
static const struct {
  const char *name;
  long double (*want)(long double);
  double low, high, ulps;
} maths_cases[] = {
    {"exp", expl, -80, 80, 4},         {"exp2", exp2l, -120, 120, 3},
    {"expm1", expm1l, -3, 3, 3},       {"log", logl, 1e-3, 50, 2},
    {"log2", log2l, 1e-3, 50, 2},      {"log10", log10l, 1e-3, 50, 2},
    {"log1p", log1pl, -0.9, 3, 2},     {"sin", sinl, -20, 20, 2},
    {"cos", cosl, -20, 20, 2},         {"tan", tanl, -20, 20, 4},
    {"sin", sinl, 1e6, 3e7, 2},        {"cos", cosl, 1e12, 1e13, 2},
    {"asin", asinl, -1, 1, 3},         {"acos", acosl, -1, 1, 3},
    {"atan", atanl, -9, 9, 3},         {"sinh", sinhl, -9, 9, 4},
    {"cosh", coshl, -9, 9, 4},         {"tanh", tanhl, -4, 4, 3},
    {"asinh", asinhl, -9, 9, 3},       {"acosh", acoshl, 1, 9, 3},
    {"atanh", atanhl, -0.99, 0.99, 3}, {"cbrt", cbrtl, -9, 1000, 1},
    {"erf", erfl, -4, 4, 3},           {"erfc", erfcl, -3, 5, 6},
    {"sqrt", sqrtl, 0, 1000, 0.51},    {"floor", floorl, -9, 9, 0},
    {"ceil", ceill, -9, 9, 0},         {"round", roundl, -9, 9, 0},
    {"trunc", truncl, -9, 9, 0},       {"rint", rintl, -9, 9, 0},
};

Test(compile_maths, functions_are_near_the_c_librarys) {
  Maths m;
  cr_assert_eq(gpu_device_create(&m.dev, NULL, NULL, 0), GPU_OK);
  cr_assert_eq(gpu_module_load(m.dev, &m.mod, FOLDER "maths.cu", GPU_OPT_TEACHING), GPU_OK, "%s",
               gpu_last_error(m.dev));
  for (size_t i = 0; i < sizeof maths_cases / sizeof *maths_cases; i++) {
    near_f32(&m, maths_cases[i].name, maths_cases[i].want, (float)maths_cases[i].low,
             (float)maths_cases[i].high, maths_cases[i].ulps);
    near_f64(&m, maths_cases[i].name, maths_cases[i].want, maths_cases[i].low, maths_cases[i].high,
             maths_cases[i].ulps);
  }
  gpu_device_destroy(m.dev);
}

Test(compile_maths, powers_and_remainders_treat_special_cases_as_c_does) {
  static const double special[] = {0.0, -0.0, 1, -1, 0.5, 2, -3, 1e300, INFINITY, -INFINITY, NAN};
  enum { N = sizeof special / sizeof *special, PAIRS = N * N };
  static const struct {
    const char *name;
    double (*want)(double, double);
  } functions[] = {
      {"test_pow", pow}, {"test_fmod", fmod}, {"test_atan2", atan2}, {"test_hypot", hypot}};
  double args[PAIRS][2], out[PAIRS];
  for (int i = 0; i < PAIRS; i++) args[i][0] = special[i / N], args[i][1] = special[i % N];
  Maths m;
  cr_assert_eq(gpu_device_create(&m.dev, NULL, NULL, 0), GPU_OK);
  cr_assert_eq(gpu_module_load(m.dev, &m.mod, FOLDER "maths.cu", GPU_OPT_TEACHING), GPU_OK);
  for (size_t f = 0; f < sizeof functions / sizeof *functions; f++) {
    gpu_result r =
        gpu_call(m.dev, m.mod, functions[f].name, PAIRS, 0, args, sizeof *args, out, sizeof *out);
    cr_assert_eq(r, GPU_OK, "%s: %s", functions[f].name, gpu_last_error(m.dev));
    for (int i = 0; i < PAIRS; i++) {
      double want = functions[f].want(args[i][0], args[i][1]);
      bool same =
          isnan(want) ? isnan(out[i]) : fabs(out[i] - want) <= 1e-14 * fabs(want) || out[i] == want;
      cr_expect(same && (isnan(want) || !signbit(out[i]) == !signbit(want)),
                "%s(%g, %g) = %g, not %g", functions[f].name, args[i][0], args[i][1], out[i], want);
    }
  }
  gpu_device_destroy(m.dev);
}

/* ---- PTX that is kept -------------------------------------------------------------------------
 */

static gpu_result load_result(const char *path) {
  gpu_device *dev;
  gpu_module *mod;
  cr_assert_eq(gpu_device_create(&dev, NULL, NULL, 0), GPU_OK);
  gpu_result result = gpu_module_load(dev, &mod, path, GPU_OPT_TEACHING);
  gpu_device_destroy(dev);
  return result;
}

Test(compile_kept, a_folder_keeps_the_ptx_and_the_next_load_reads_it) {
  char folder[] = "/tmp/warpbook-kept-XXXXXX", command[256];
  cr_assert(mkdtemp(folder));
  setenv("WARPBOOK_KEEP_PTX", folder, 1);
  cr_assert_eq(load_result(HARDWARE "micro.cu"), GPU_OK);
  snprintf(command, sizeof command, "set -- %s/*micro.cu.0.ptx && [ -s \"$1\" ]", folder);
  cr_expect_eq(system(command), 0, "nothing is kept");
  snprintf(command, sizeof command, "for f in %s/*; do echo no PTX >\"$f\"; done", folder);
  cr_assert_eq(system(command), 0);
  cr_expect_eq(load_result(HARDWARE "micro.cu"), GPU_BAD_INPUT, "it was compiled again");
  unsetenv("WARPBOOK_KEEP_PTX");
  cr_expect_eq(load_result(HARDWARE "micro.cu"), GPU_OK);
  snprintf(command, sizeof command, "rm -r %s", folder);
  cr_expect_eq(system(command), 0);
}
