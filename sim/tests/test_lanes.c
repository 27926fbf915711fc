/* Arithmetic that the H200's tables do not cover, one row a rule: narrow floats, three-input min
 * and max. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/harness.h"

/* ---- one instruction, one value ---------------------------------------------------------------
 *
 * $d is the result, a register of 16 (h), 32 (r) or 64 (d) bits; r0 .. r9, h0 .. h9, f0 .. f9 and
 * d0 .. d9 are free for what comes before it. */
typedef struct Row {
  const char *text;
  char width;
  uint64_t want;
} Row;

enum { MAX_ROWS = 200 };

static void check_rows(const Row *rows, size_t n) {
  static char text[64 << 10];
  size_t at = (size_t)snprintf(
      text, sizeof text,
      ".version 8.6\n.target sm_100\n.address_size 64\n.entry k(.param .u64 o)\n{\n"
      ".reg .b64 out;\nld.param.u64 out, [o];\n");
  cr_assert_leq(n, MAX_ROWS);
  for (size_t i = 0; i < n; i++) {
    const char *to = rows[i].width == 'h' ? "h0" : rows[i].width == 'r' ? "r0" : "d0";
    const char *d = strstr(rows[i].text, "$d");
    cr_assert(d, "%s", rows[i].text);
    at += (size_t)snprintf(text + at, sizeof text - at,
                           "{\n.reg .b16 h<10>;\n.reg .b32 r<10>;\n.reg .f32 f<10>;\n"
                           ".reg .b64 d<10>;\n.reg .pred p, q;\n%.*s%s%s\nst.global.b%d [out+%zu], "
                           "%s;\n}\n",
                           (int)(d - rows[i].text), rows[i].text, to, d + 2,
                           rows[i].width == 'h'   ? 16
                           : rows[i].width == 'r' ? 32
                                                  : 64,
                           i * 8, to);
  }
  snprintf(text + at, sizeof text - at, "}\n");
  gpu_device *dev;
  gpu_module *mod;
  gpu_kernel *kernel;
  gpu_ptr out;
  uint64_t got[MAX_ROWS];
  cr_assert_eq(gpu_device_create(&dev, NULL, NULL, 0), GPU_OK);
  cr_assert_eq(gpu_module_load_ptx(dev, &mod, "rows.ptx", text, strlen(text)), GPU_OK, "%s",
               gpu_last_error(dev));
  cr_assert_eq(gpu_module_kernel(mod, &kernel, "k"), GPU_OK);
  cr_assert_eq(gpu_mem_alloc(dev, &out, sizeof got), GPU_OK);
  void *args[] = {&out};
  cr_assert_eq(gpu_launch(dev, kernel, (gpu_dim){1, 1, 1}, (gpu_dim){1, 1, 1}, 0, args), GPU_OK,
               "%s", gpu_last_error(dev));
  gpu_memcpy_dtoh(dev, got, out, sizeof got);
  gpu_device_destroy(dev);
  for (size_t i = 0; i < n; i++)
    cr_assert_eq(got[i], rows[i].want, "%s: 0x%llx, not 0x%llx", rows[i].text,
                 (unsigned long long)got[i], (unsigned long long)rows[i].want);
}

#define CHECK(...)                                                                                 \
  static const Row rows[] = {__VA_ARGS__};                                                         \
  check_rows(rows, sizeof rows / sizeof *rows)

/* e4m3: 1.75 x 2^8 = 448 is the largest number; there is no infinity. */
Test(lanes, floats_to_e4m3) {
  CHECK({"cvt.rn.satfinite.e4m3x2.f32 $d, 1.0, -2.25;", 'h', 0x38c1},
        {"cvt.rn.satfinite.e4m3x2.f32 $d, 464.0, -1e30;", 'h', 0x7efe},
        {"cvt.rn.satfinite.e4m3x2.f32 $d, 0f7FC00000, 0f7F800000;", 'h', 0x7f7e},
        {"cvt.rn.satfinite.e4m3x2.f32 $d, 0.001953125, 0.0009765625;", 'h', 0x0100}, /* tie: even */
        {"cvt.rn.satfinite.e4m3x2.f32 $d, 0.0029296875, -0.0;", 'h', 0x0280},
        {"cvt.rn.satfinite.relu.e4m3x2.f32 $d, -5.0, 3.0;", 'h', 0x0044},
        {"mov.b32 r1, 0x3c00c080; cvt.rn.satfinite.e4m3x2.f16x2 $d, r1;", 'h', 0x38c1},
        {"mov.b32 r1, 0x7bff8400; cvt.rn.satfinite.relu.e4m3x2.f16x2 $d, r1;", 'h', 0x7e00});
}
Test(lanes, floats_to_e5m2) {
  CHECK({"cvt.rn.satfinite.e5m2x2.f32 $d, 1.0, -2.25;", 'h', 0x3cc0}, /* tie: even */
        {"cvt.rn.satfinite.e5m2x2.f32 $d, 57344.0, 1e9;", 'h', 0x7b7b},
        {"cvt.rn.satfinite.e5m2x2.f32 $d, 0fFFC00000, 0fFF800000;", 'h', 0x7ffb},
        {"cvt.rn.satfinite.relu.e5m2x2.f32 $d, -5.0, 3.0;", 'h', 0x0042},
        {"mov.b32 r1, 0x3c00fbff; cvt.rn.satfinite.e5m2x2.f16x2 $d, r1;", 'h', 0x3cfb});
}
Test(lanes, narrow_floats_to_halves) {
  CHECK({"mov.b16 h1, 0x38c1; cvt.rn.f16x2.e4m3x2 $d, h1;", 'r', 0x3c00c080},
        {"mov.b16 h1, 0x0181; cvt.rn.f16x2.e4m3x2 $d, h1;", 'r', 0x18009800},
        {"mov.b16 h1, 0x7fff; cvt.rn.f16x2.e4m3x2 $d, h1;", 'r', 0x7fff7fff},
        {"mov.b16 h1, 0xc17e; cvt.rn.relu.f16x2.e4m3x2 $d, h1;", 'r', 0x00005f00},
        {"mov.b16 h1, 0x3cc0; cvt.rn.f16x2.e5m2x2 $d, h1;", 'r', 0x3c00c000},
        {"mov.b16 h1, 0x7cfc; cvt.rn.f16x2.e5m2x2 $d, h1;", 'r', 0x7c00fc00},
        {"mov.b16 h1, 0xc03c; cvt.rn.relu.f16x2.e5m2x2 $d, h1;", 'r', 0x00003c00});
}

Test(lanes, min_and_max_of_three) {
  CHECK({"max.f32 $d, 1.0, 3.0, 2.0;", 'r', 0x40400000},
        {"min.f32 $d, 1.0, -3.0, 2.0;", 'r', 0xc0400000},
        {"max.f32 $d, 1.0, 0f7FC00000, 2.0;", 'r', 0x40000000},
        {"max.NaN.f32 $d, 1.0, 2.0, 0f7FC00000;", 'r', 0x7fffffff},
        {"max.abs.f32 $d, 1.0, -3.0, 2.0;", 'r', 0x40400000},
        {"min.ftz.abs.f32 $d, 1.0, -3.0, 0f00000001;", 'r', 0},
        {"max.xorsign.abs.f32 $d, -3.0, 2.0;", 'r', 0xc0400000});
}
