/* Arithmetic that the H200's tables do not cover, one row a rule: narrow floats, three-input min
 * and max. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exec/lanes.h"
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

/* ---- fast forms --------------------------------------------------------------------------------
 *
 * What lanes.c does for 32 lanes at a time equals, bit for bit, what lane_eval.c does for one, in
 * every build of lanes.c that this machine can run. */
static const char fast[] =
    "div.u16 h0,h1,h2; div.s16 h0,h1,h2; rem.u16 h0,h1,h2; rem.s16 h0,h1,h2;\n"
    "div.u32 r0,r1,r2; div.s32 r0,r1,r2; rem.u32 r0,r1,r2; rem.s32 r0,r1,r2;\n"
    "div.u64 d0,d1,d2; div.s64 d0,d1,d2; rem.u64 d0,d1,d2; rem.s64 d0,d1,d2;\n"
    "bfe.u32 r0,r1,r2,r3; bfe.s32 r0,r1,r2,r3; bfi.b32 r0,r1,r2,r3,r4; prmt.b32 r0,r1,r2,r3;\n"
    "brev.b32 r0,r1; brev.b64 d0,d1; popc.b32 r0,r1; popc.b64 r0,d1; clz.b32 r0,r1;\n"
    "clz.b64 r0,d1; bfind.u32 r0,r1; bfind.s32 r0,r1; sad.u32 r0,r1,r2,r3; sad.s32 r0,r1,r2,r3;\n"
    "mad.hi.u32 r0,r1,r2,r3; mad.hi.s32 r0,r1,r2,r3; mul.hi.u32 r0,r1,r2; mul.hi.s32 r0,r1,r2;\n"
    "lop3.b32 r0,r1,r2,r3,0x1b; lop3.b32 r0,r1,r2,r3,0xe4;\n"
    "add.f32 r0,r1,r2; sub.f32 r0,r1,r2; mul.f32 r0,r1,r2; fma.rn.f32 r0,r1,r2,r3;\n"
    "add.ftz.f32 r0,r1,r2; sub.ftz.f32 r0,r1,r2; mul.ftz.f32 r0,r1,r2; fma.rn.ftz.f32 "
    "r0,r1,r2,r3;\n"
    "add.sat.f32 r0,r1,r2; sub.sat.f32 r0,r1,r2; mul.sat.f32 r0,r1,r2; fma.rn.sat.f32 "
    "r0,r1,r2,r3;\n"
    "add.ftz.sat.f32 r0,r1,r2; sub.ftz.sat.f32 r0,r1,r2; mul.ftz.sat.f32 r0,r1,r2;\n"
    "fma.rn.ftz.sat.f32 r0,r1,r2,r3; div.rn.f32 r0,r1,r2; div.rn.ftz.f32 r0,r1,r2;\n"
    "rcp.rn.f32 r0,r1; rcp.rn.ftz.f32 r0,r1; sqrt.rn.f32 r0,r1; sqrt.rn.ftz.f32 r0,r1;\n"
    "div.approx.f32 r0,r1,r2; div.approx.ftz.f32 r0,r1,r2; div.full.f32 r0,r1,r2;\n"
    "div.full.ftz.f32 r0,r1,r2; rcp.approx.f32 r0,r1; rcp.approx.ftz.f32 r0,r1;\n"
    "sqrt.approx.f32 r0,r1; sqrt.approx.ftz.f32 r0,r1; rsqrt.approx.f32 r0,r1;\n"
    "rsqrt.approx.ftz.f32 r0,r1; ex2.approx.f32 r0,r1; ex2.approx.ftz.f32 r0,r1;\n"
    "lg2.approx.f32 r0,r1; lg2.approx.ftz.f32 r0,r1; sin.approx.f32 r0,r1; cos.approx.f32 r0,r1;\n"
    "sin.approx.ftz.f32 r0,r1; cos.approx.ftz.f32 r0,r1;\n"
    "min.f32 r0,r1,r2; max.f32 r0,r1,r2; min.ftz.f32 r0,r1,r2; max.ftz.f32 r0,r1,r2;\n"
    "abs.f32 r0,r1; neg.f32 r0,r1; abs.ftz.f32 r0,r1; neg.ftz.f32 r0,r1; copysign.f32 r0,r1,r2;\n"
    "add.f64 d0,d1,d2; mul.f64 d0,d1,d2; fma.rn.f64 d0,d1,d2,d3; div.rn.f64 d0,d1,d2;\n"
    "min.f64 d0,d1,d2; max.f64 d0,d1,d2; abs.f64 d0,d1; neg.f64 d0,d1; copysign.f64 d0,d1,d2;\n"
    "add.f16 h0,h1,h2; sub.f16 h0,h1,h2; mul.f16 h0,h1,h2; fma.rn.f16 h0,h1,h2,h3;\n"
    "min.f16 h0,h1,h2; max.f16 h0,h1,h2; abs.f16 h0,h1; neg.f16 h0,h1;\n"
    "add.f16x2 r0,r1,r2; sub.f16x2 r0,r1,r2; mul.f16x2 r0,r1,r2; fma.rn.f16x2 r0,r1,r2,r3;\n"
    "min.f16x2 r0,r1,r2; max.f16x2 r0,r1,r2; abs.f16x2 r0,r1; neg.f16x2 r0,r1;\n"
    "cvt.rzi.s32.f32 r0,r1; cvt.rni.s32.f32 r0,r1; cvt.rmi.s32.f32 r0,r1; cvt.rpi.s32.f32 r0,r1;\n"
    "cvt.rzi.u32.f32 r0,r1; cvt.rni.u32.f32 r0,r1; cvt.rmi.u32.f32 r0,r1; cvt.rpi.u32.f32 r0,r1;\n"
    "cvt.rzi.ftz.s32.f32 r0,r1; cvt.rni.ftz.u32.f32 r0,r1; cvt.rzi.s64.f32 d0,r1;\n"
    "cvt.rni.u64.f32 d0,r1; cvt.rzi.s32.f64 r0,d1; cvt.rni.u32.f64 r0,d1; cvt.rmi.s64.f64 d0,d1;\n"
    "cvt.rzi.u64.f64 d0,d1; cvt.rpi.s32.f64 r0,d1; cvt.rn.f32.f64 r0,d1; cvt.f64.f32 d0,r1;\n"
    "cvt.rni.f32.f32 r0,r1; cvt.rzi.f32.f32 r0,r1; cvt.rmi.f32.f32 r0,r1; cvt.rpi.f32.f32 r0,r1;\n"
    "cvt.rni.ftz.f32.f32 r0,r1; cvt.rmi.ftz.f32.f32 r0,r1; cvt.rmi.f64.f64 d0,d1;\n"
    "cvt.rni.f64.f64 d0,d1; cvt.sat.f32.f32 r0,r1; cvt.ftz.f32.f32 r0,r1; cvt.ftz.sat.f32.f32 "
    "r0,r1;\n"
    "cvt.f32.f16 r0,h1; cvt.rn.f16.f32 h0,r1; cvt.rn.f16x2.f32 r0,r1,r2; cvt.f32.bf16 r0,h1;\n"
    "cvt.rn.bf16.f32 h0,r1; cvt.rn.bf16x2.f32 r0,r1,r2; cvt.rn.f32.s64 r0,d1; cvt.rn.f32.u64 "
    "r0,d1;\n"
    "cvt.rn.f32.s16 r0,h1; cvt.rn.f32.u16 r0,h1; cvt.rn.f64.s64 d0,d1; cvt.rn.f64.u64 d0,d1;\n"
    "cvt.rn.f64.u16 d0,h1; cvt.rn.f32.s32 r0,r1; cvt.rn.f32.u32 r0,r1;\n"
    "cvt.s32.s8 r0,h1; cvt.u32.u8 r0,h1; cvt.s16.s8 h0,h1; cvt.u16.u8 h0,h1; cvt.s64.s8 d0,h1;\n"
    "cvt.u8.u32 h0,r1; cvt.s8.s32 h0,r1; cvt.u8.u16 h0,h1; cvt.s8.s64 h0,d1; cvt.u32.s16 r0,h1;\n";

static uint64_t rand64(void) {
  static uint64_t s = 88172645463325252ull;
  s ^= s << 13;
  s ^= s >> 7;
  return s ^= s << 17;
}

/* The bits of one source lane: often a number at which something changes. */
static uint64_t interesting(PtxType t) {
  static const uint64_t ints[] = {0,  1,  2,   7,    8,    31,
                                  32, 33, 255, 0x7f, 0x80, 0xffffffffffffffffull};
  static const uint32_t f32s[] = {0,          0x80000000, 1,          0x007fffff, 0x00800000,
                                  0x3f800000, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001,
                                  0x4f000000, 0x4effffff, 0xcf000000, 0x5f000000, 0x3f000000,
                                  0x40200000, 0x7f7fffff, 0x7e800000, 0xfe800001, 0x477fe000};
  static const uint16_t f16s[] = {0,      0x8000, 1,      0x03ff, 0x0400, 0x3c00,
                                  0x7bff, 0x7c00, 0xfc00, 0x7e00, 0x7c01, 0x3555};
  uint64_t r = rand64(), pick = r >> 40;
  double d;
  float f;
  switch (r % 4) {
  case 0: return rand64();
  case 1:
    if (t == TY_F64) {
      f = 0;
      uint32_t bits = f32s[pick % 20];
      memcpy(&f, &bits, sizeof f);
      d = (double)f;
      memcpy(&r, &d, sizeof r);
      return r;
    }
    if (t == TY_F32) return f32s[pick % 20];
    if (type_class(t) == TC_H) return f16s[pick % 12];
    if (t == TY_F16X2) return f16s[pick % 12] | (uint64_t)f16s[pick / 12 % 12] << 16;
    return ints[pick % 12];
  case 2: /* exponents near those of 1, where sums cancel and fractions are cut */
    if (t == TY_F32) return (rand64() & 0x80ffffff) | (uint64_t)(0x3e + pick % 12) << 24;
    if (t == TY_F64) return (rand64() & 0x800fffffffffffffull) | (1023 - 2 + pick % 66) << 52;
    return rand64() >> (pick % 64);
  default: /* f32: square roots of the smallest normal number */
    if (t == TY_F32) return (rand64() & 0x80ffffff) | (uint64_t)(0x1e + pick % 4) << 24;
    return rand64() >> (pick % 64);
  }
}

enum { ROUNDS = 300 };

/* Lanes for each source: of any width, aligned for any. */
typedef union Lanes {
  uint64_t q[WARP_SIZE];
  uint8_t bytes[8 * WARP_SIZE];
} Lanes;

static void fill(Lanes *lanes, PtxType t) {
  int bytes = type_lane_bytes(t);
  for (int l = 0; l < WARP_SIZE; l++) {
    uint64_t v = interesting(t);
    memcpy(lanes->bytes + l * bytes, &v, (size_t)bytes);
  }
}

/* b such that a * b is at the edge of the smallest normal float, where .ftz decides. */
static void aim_at_the_edge(const Lanes *a, Lanes *b) {
  for (int l = 0; l < WARP_SIZE; l++) {
    float x, y;
    memcpy(&x, a->bytes + 4 * l, sizeof x);
    uint64_t r = rand64();
    if (r % 8 || !(x > 1e-30f && x < 1e30f)) continue;
    y = (float)(0x1p-126 / (double)x);
    uint32_t bits;
    memcpy(&bits, &y, sizeof bits);
    bits += (uint32_t)(r >> 32) % 3 - 1;
    memcpy(b->bytes + 4 * l, &bits, sizeof bits);
  }
}

static void compare(const Module *mod, const Inst *in, const char *build) {
  char text[160];
  LaneFn quick = lanes_bind_build(in, build), slow = lane_eval_bind(in);
  inst_text(mod, in, text, sizeof text);
  if (!slow) return; /* there is only the fast one */
  cr_assert(quick && quick != slow, "%s has no fast form", text);
  PtxType from = in->type2 ? in->type2 : in->type;
  for (int i = 0; i < ROUNDS; i++) {
    Lanes d1, d2, a, b, c, e;
    fill(&a, from);
    fill(&b, from);
    fill(&c, from);
    fill(&e, from);
    if (from == TY_F32) aim_at_the_edge(&a, &b);
    for (int l = 0; l < WARP_SIZE; l++) d1.q[l] = d2.q[l] = rand64();
    Mask m = i % 3 ? (Mask)rand64() : FULL_MASK;
    LaneExtra x1 = {.in = in, .e = e.bytes}, x2 = x1;
    if (in->op == OP_LOP3) x1.imm = x2.imm = (uint32_t)in->operand[4].imm;
    quick(d1.bytes, a.bytes, b.bytes, c.bytes, m, &x1);
    slow(d2.bytes, a.bytes, in->operand_count > 2 ? b.bytes : NULL,
         in->operand_count > 3 ? c.bytes : NULL, m, &x2);
    for (int l = 0; l < WARP_SIZE; l++)
      cr_assert_eq(d1.q[l], d2.q[l], "%s (%s), 8 bytes number %d: %llx, not %llx", text, build, l,
                   (unsigned long long)d1.q[l], (unsigned long long)d2.q[l]);
    cr_assert_eq(x1.zero_divide, x2.zero_divide, "%s: lanes that divided by zero", text);
  }
}

Test(lanes, fast_forms_equal_the_careful_ones) {
  static const char *const builds[] = {"plain", "avx2", "avx512"};
  static char text[16 << 10];
  ErrorBuffer err;
  error_init(&err);
  snprintf(text, sizeof text,
           ".version 8.0\n.target sm_90\n.address_size 64\n.entry k()\n{\n.reg .b16 h<5>;\n.reg "
           ".b32 r<5>;\n.reg .b64 d<5>;\n%s}\n",
           fast);
  Module *mod = ptx_parse("fast.ptx", text, strlen(text), &err);
  cr_assert(mod, "%s", err.text);
  const Function *fn = mod->functions;
  cr_assert_gt(fn->inst_count, 150);
  for (size_t k = 0; k < 3; k++)
    for (size_t i = 0; i < fn->inst_count; i++) {
      bool here =
          k == 0 || lanes_bind_build(&fn->insts[i], builds[k]) != lane_eval_bind(&fn->insts[i]);
      if (here) compare(mod, &fn->insts[i], builds[k]);
    }
  ptx_free(mod);
  error_release(&err);
}
