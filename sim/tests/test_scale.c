/* Large and hostile modules: loading and launching take time in proportion to the text, memory has
 * limits, and running into one is a message. */
#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/hash.h"
#include "tests/harness.h"

#define HEAD ".version 8.0\n.target sm_80\n.address_size 64\n"

/* ---- text ------------------------------------------------------------------------------------ */

typedef struct Text {
  char *s;
  size_t length, capacity;
} Text;

static void add(Text *t, const char *fmt, ...) {
  char line[400];
  va_list args;
  va_start(args, fmt);
  size_t n = (size_t)vsnprintf(line, sizeof line, fmt, args);
  va_end(args);
  if (t->length + n + 1 > t->capacity) {
    t->capacity = 2 * (t->capacity + n + 1);
    t->s = realloc(t->s, t->capacity);
    cr_assert(t->s);
  }
  memcpy(t->s + t->length, line, n + 1);
  t->length += n;
}

typedef void Writer(Text *t, size_t n);

static gpu_module *load_written(gpu_device *dev, Writer *write, size_t n) {
  Text t = {0};
  gpu_module *mod;
  write(&t, n);
  cr_assert_eq(gpu_module_load_ptx(dev, &mod, "big.ptx", t.s, t.length), GPU_OK, "%s",
               gpu_last_error(dev));
  free(t.s);
  return mod;
}

/* Loads what `first` writes (unless NULL), then what `second` writes, and runs its kernel k. */
static void load_and_run(Writer *first, Writer *second, size_t n) {
  gpu_device *dev;
  gpu_kernel *kernel;
  cr_assert_eq(gpu_device_create(&dev, NULL, NULL, 0), GPU_OK);
  if (first) load_written(dev, first, n);
  cr_assert_eq(gpu_module_kernel(load_written(dev, second, n), &kernel, "k"), GPU_OK);
  cr_assert_eq(gpu_launch(dev, kernel, (gpu_dim){1, 1, 1}, (gpu_dim){32, 1, 1}, 0, NULL), GPU_OK,
               "%s", gpu_last_error(dev));
  gpu_device_destroy(dev);
}

/* Seconds of this thread's processor time, the least of three tries. */
static double seconds(Writer *first, Writer *second, size_t n) {
  double best = 1e9;
  for (int i = 0; i < 3; i++) {
    struct timespec a, b;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &a);
    load_and_run(first, second, n);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &b);
    double s = (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec);
    if (s < best) best = s;
  }
  return best;
}

/* Eight times as much takes 8 times as long when the time is linear, 64 times when it is quadratic.
 */
static void is_linear(Writer *first, Writer *second, size_t n) {
  double small = seconds(first, second, n), large = seconds(first, second, 8 * n);
  cr_assert_lt(large, 24 * small + 0.01, "%zu: %.4f s, %zu: %.4f s", n, small, 8 * n, large);
}

/* ---- linear time ----------------------------------------------------------------------------- */

static void names(Text *t, size_t n) {
  add(t, HEAD ".entry k()\n{\n.reg .b32 r;\n");
  for (size_t i = 0; i < n; i++) add(t, "L%zu: mov.u32 r, %zu; // %zu\n", i, i * 7919, i);
  for (size_t i = 0; i < n / 8; i++) add(t, "{ .reg .pred a_%zu; }\n", i);
  add(t, "}\n");
}
Test(scale, labels_and_constants) { is_linear(NULL, names, 3000); }

static void shared_variables(Text *t, size_t n) {
  add(t, HEAD);
  for (size_t i = 0; i < n; i++) add(t, ".shared .u32 s%zu;\n", i);
  for (size_t i = 0; i < n; i++)
    add(t, ".entry k%zu() { .reg .b32 r; ld.shared.u32 r, [s%zu]; }\n", i, i);
  add(t, ".entry k() { ret; }\n");
}
Test(scale, shared_variables_of_many_kernels) { is_linear(NULL, shared_variables, 1000); }

static void definitions(Text *t, size_t n) {
  add(t, HEAD);
  for (size_t i = 0; i < n; i++)
    add(t, ".visible .func f%zu() { ret; }\n.visible .global .u32 g%zu;\n", i, i);
}
static void uses(Text *t, size_t n) {
  add(t, HEAD);
  for (size_t i = 0; i < n; i++)
    add(t, ".extern .func f%zu();\n.extern .global .u32 g%zu;\n.global .u64 p%zu = g%zu;\n", i, i,
        i, i);
  add(t, ".entry k() {\n");
  for (size_t i = 0; i < n; i++) add(t, "call f%zu;\n", i);
  add(t, "}\n");
}
Test(scale, linking_and_calls_of_many_functions) { is_linear(definitions, uses, 1500); }

static void pointers(Text *t, size_t n) {
  add(t, HEAD);
  for (size_t i = 0; i < n; i++) add(t, ".func f%zu() { ret; }\n", i);
  add(t, ".entry k() {\n.reg .b64 d;\np: .callprototype _ ();\n");
  for (size_t i = 0; i < n; i++) add(t, "mov.u64 d, f%zu;\ncall d, (), p;\n", i);
  add(t, "}\n");
}
Test(scale, calls_through_pointers) { is_linear(NULL, pointers, 1500); }

Test(scale, the_hash_is_siphash_2_4) { /* the vectors of its reference */
  HashKey key = {{0x0706050403020100ull, 0x0f0e0d0c0b0a0908ull}};
  unsigned char in[15];
  for (size_t i = 0; i < sizeof in; i++) in[i] = (unsigned char)i;
  cr_assert_eq(hash_bytes(&key, in, 0), 0x726fdb47dd0e0e31ull);
  cr_assert_eq(hash_bytes(&key, in, 8), 0x93f5f5799a932462ull);
  cr_assert_eq(hash_bytes(&key, in, 15), 0xa129ca6149be45e5ull);
}
Test(scale, keys_differ) {
  HashKey a = hash_key_new(), b = hash_key_new();
  cr_assert_neq(hash_bytes(&a, "name", 4), hash_bytes(&b, "name", 4));
}

/* ---- limits ---------------------------------------------------------------------------------- */

static void every_kernel_calls_all(Text *t, size_t n) {
  add(t, HEAD ".shared .u32 s;\n");
  for (size_t i = 0; i < n; i++) add(t, ".func f%zu() { .reg .b32 r; mov.u32 r, s; }\n", i);
  add(t, ".func all() {\n");
  for (size_t i = 0; i < n; i++) add(t, "call f%zu;\n", i);
  add(t, "}\n");
  for (size_t i = 0; i < n; i++) add(t, ".entry k%zu() { call all; }\n", i);
}

static void refused_by(Text *t, const char *message) {
  gpu_device *dev;
  gpu_module *mod;
  cr_assert_eq(gpu_device_create(&dev, NULL, NULL, 0), GPU_OK);
  cr_assert_eq(gpu_module_load_ptx(dev, &mod, "big.ptx", t->s, t->length), GPU_BAD_INPUT);
  cr_assert(strstr(gpu_last_error(dev), message), "%s", gpu_last_error(dev));
  gpu_ptr left; /* nothing of the module stays */
  cr_assert_eq(gpu_mem_alloc(dev, &left, 8000000000), GPU_OK, "%s", gpu_last_error(dev));
  gpu_device_destroy(dev);
  free(t->s);
}

Test(scale, a_call_graph_that_takes_too_long_is_refused) {
  Text t = {0};
  every_kernel_calls_all(&t, 5000);
  refused_by(&t, "split the module");
}
Test(scale, too_many_bytes_of_variables_are_refused) {
  Text t = {0};
  add(&t, HEAD);
  for (int i = 0; i < 40; i++) add(&t, ".global .b8 g%d[250000000];\n", i);
  refused_by(&t, "no memory for the variable");
}

/* Each call of f takes 60000 registers: 4096 of them would take 31 GB. */
Test(scale, registers_of_a_recursion_have_a_limit) {
  Text t = {0};
  add(&t, HEAD ".func f() {\n.reg .b64 %%r<60000>;\nbra L;\n");
  for (int i = 0; i < 60000; i++) add(&t, "mov.u64 %%r%d, 1;\n", i);
  add(&t, "L: call f;\n}\n.entry k() { call f; }\n");
  gpu_device *dev;
  gpu_module *mod;
  gpu_kernel *kernel;
  cr_assert_eq(gpu_device_create(&dev, NULL, NULL, 0), GPU_OK);
  cr_assert_eq(gpu_module_load_ptx(dev, &mod, "big.ptx", t.s, t.length), GPU_OK, "%s",
               gpu_last_error(dev));
  cr_assert_eq(gpu_module_kernel(mod, &kernel, "k"), GPU_OK);
  cr_assert_eq(gpu_launch(dev, kernel, (gpu_dim){1, 1, 1}, (gpu_dim){32, 1, 1}, 0, NULL),
               GPU_BAD_INPUT);
  cr_assert(strstr(gpu_last_error(dev), "more memory"), "%s", gpu_last_error(dev));
  gpu_device_destroy(dev);
  free(t.s);
}

/* ---- initial values and linking -------------------------------------------------------------- */

static uint64_t value_of(gpu_device *dev, gpu_module *mod, const char *name) {
  gpu_ptr at;
  size_t bytes;
  uint64_t v = 0;
  cr_assert_eq(gpu_module_global(mod, name, &at, &bytes), GPU_OK);
  gpu_memcpy_dtoh(dev, &v, at, bytes);
  return v;
}

static gpu_module *load(gpu_device *dev, const char *text) {
  gpu_module *mod;
  cr_assert_eq(gpu_module_load_ptx(dev, &mod, "test.ptx", text, strlen(text)), GPU_OK, "%s",
               gpu_last_error(dev));
  return mod;
}

Test(link, an_address_byte_by_byte) {
  gpu_device *dev;
  cr_assert_eq(gpu_device_create(&dev, NULL, NULL, 0), GPU_OK);
  gpu_module *mod = load(dev, HEAD ".global .u32 x[4];\n.global .u64 whole = x+8;\n"
                                   ".global .u8 bytes[8] = {0xff(x+8), 0xff00(x+8), 0xff0000(x+8), "
                                   "0xff000000(x+8), 0xff00000000(x+8), 0, 0, 0};\n");
  cr_assert_neq(value_of(dev, mod, "whole"), 8);
  cr_assert_eq(value_of(dev, mod, "bytes"), value_of(dev, mod, "whole"));
  gpu_device_destroy(dev);
}

Test(link, what_was_stored_stays_when_another_module_comes) {
  gpu_device *dev;
  gpu_ptr at;
  size_t bytes;
  uint64_t other = 77;
  cr_assert_eq(gpu_device_create(&dev, NULL, NULL, 0), GPU_OK);
  gpu_module *mod = load(dev, HEAD ".extern .global .u32 x;\n.global .u32 y;\n"
                                   ".global .u64 px = x;\n.global .u64 py = y;\n");
  cr_assert_eq(value_of(dev, mod, "px"), 0);
  cr_assert_eq(gpu_module_global(mod, "py", &at, &bytes), GPU_OK);
  gpu_memcpy_htod(dev, at, &other, sizeof other);
  gpu_module *more = load(dev, HEAD ".visible .global .u32 x;\n.global .u64 ax = x;\n");
  cr_assert_eq(value_of(dev, mod, "px"), value_of(dev, more, "ax"));
  cr_assert_eq(value_of(dev, mod, "py"), other);
  gpu_device_destroy(dev);
}
