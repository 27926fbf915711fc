/* mma: every shape that a row of the table names multiplies matrices of small numbers, laid out
 * over the lanes as the PTX ISA draws them ("Matrix Fragments for mma"), and gives the exact
 * product. */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <stdio.h>
#include <string.h>

#include "tests/harness.h"

enum { LANES = 32, MAX_REGS = 8, MAX_K = 256 };

typedef struct Place {
  int row, col;
} Place;

/* The ISA's groupID and threadID_in_group. */
#define G (lane / 4)
#define T (lane % 4)

static Place a_k16(int lane, int i) { /* 16-bit, m16n8k16 */
  return (Place){(i & 2) ? G + 8 : G, T * 2 + (i & 1) + (i >= 4 ? 8 : 0)};
}
static Place b_k16(int lane, int i) { return (Place){T * 2 + (i & 1) + (i >= 2 ? 8 : 0), G}; }
static Place a_k8(int lane, int i) { return (Place){i < 2 ? G : G + 8, T * 2 + (i & 1)}; }
static Place b_k8(int lane, int i) { return (Place){T * 2 + i, G}; }
static Place a_tf32(int lane, int i) { return (Place){i & 1 ? G + 8 : G, i < 2 ? T : T + 4}; }
static Place b_tf32(int lane, int i) { return (Place){i ? T + 4 : T, G}; }
static Place a_k32(int lane, int i) { /* 8-bit, m16n8k32 */
  return (Place){i & 4 ? G + 8 : G, T * 4 + (i & 3) + (i >= 8 ? 16 : 0)};
}
static Place b_k32(int lane, int i) { return (Place){T * 4 + (i & 3) + (i >= 4 ? 16 : 0), G}; }
static Place a_k64(int lane, int i) { /* 4-bit, m16n8k64 */
  return (Place){i & 8 ? G + 8 : G, T * 8 + (i & 7) + (i >= 16 ? 32 : 0)};
}
static Place b_k64(int lane, int i) { return (Place){T * 8 + (i & 7) + (i >= 8 ? 32 : 0), G}; }
static Place a_k256(int lane, int i) { /* 1-bit, m16n8k256 */
  return (Place){i & 32 ? G + 8 : G, T * 32 + (i & 31) + (i >= 64 ? 128 : 0)};
}
static Place b_k256(int lane, int i) { return (Place){T * 32 + (i & 31) + (i >= 32 ? 128 : 0), G}; }
static Place a_f64(int lane, int i) { return (Place){G + 8 * i, T}; }
static Place b_f64(int lane, int i) { return (Place){T + i, G}; }
static Place c_pairs(int lane, int i) { return (Place){i < 2 ? G : G + 8, T * 2 + (i & 1)}; }
/* m8n8k4 on halves: here with the numbers of the first product in all four. */
static Place a_volta(int lane, int i) { return (Place){T + (lane < 16 ? 0 : 4), i}; }
static Place b_volta(int lane, int i) { return (Place){i, T + (lane < 16 ? 0 : 4)}; }
static Place c_volta(int lane, int i) {
  return (Place){(lane < 16 ? 0 : 4) + (lane & 1) + (i & 2), (i & 4) + (lane & 2) + (i & 1)};
}

typedef struct Form {
  char name[60];
  int m, n, k;
  int bits;    /* of A's and B's elements */
  char code;   /* h f16, b bf16, t tf32, d f64, e e4m3, i integers */
  char result; /* f f32, d f64, i s32 */
  Place (*a)(int, int), (*b)(int, int), (*c)(int, int);
} Form;

static const Form forms[] = {
    {"m16n8k16.row.col.f32.f16.f16.f32", 16, 8, 16, 16, 'h', 'f', a_k16, b_k16, c_pairs},
    {"m16n8k16.row.col.f32.bf16.bf16.f32", 16, 8, 16, 16, 'b', 'f', a_k16, b_k16, c_pairs},
    {"m16n8k8.row.col.f32.f16.f16.f32", 16, 8, 8, 16, 'h', 'f', a_k8, b_k8, c_pairs},
    {"m16n8k8.row.col.f32.bf16.bf16.f32", 16, 8, 8, 16, 'b', 'f', a_k8, b_k8, c_pairs},
    {"m16n8k8.row.col.f32.tf32.tf32.f32", 16, 8, 8, 32, 't', 'f', a_tf32, b_tf32, c_pairs},
    {"m16n8k4.row.col.f32.tf32.tf32.f32", 16, 8, 4, 32, 't', 'f', a_tf32, b_tf32, c_pairs},
    {"m16n8k32.row.col.f32.e4m3.e4m3.f32", 16, 8, 32, 8, 'e', 'f', a_k32, b_k32, c_pairs},
    {"m16n8k32.row.col.s32.s8.s8.s32", 16, 8, 32, 8, 'i', 'i', a_k32, b_k32, c_pairs},
    {"m16n8k32.row.col.s32.u8.s8.s32", 16, 8, 32, 8, 'u', 'i', a_k32, b_k32, c_pairs},
    {"m8n8k16.row.col.s32.s8.s8.s32", 8, 8, 16, 8, 'i', 'i', a_k32, b_k32, c_pairs},
    {"m16n8k64.row.col.s32.s4.s4.s32", 16, 8, 64, 4, 'i', 'i', a_k64, b_k64, c_pairs},
    {"m16n8k256.row.col.s32.b1.b1.s32.and.popc", 16, 8, 256, 1, '1', 'i', a_k256, b_k256, c_pairs},
    {"m16n8k256.row.col.s32.b1.b1.s32.xor.popc", 16, 8, 256, 1, 'x', 'i', a_k256, b_k256, c_pairs},
    {"m8n8k4.row.col.f64.f64.f64.f64", 8, 8, 4, 64, 'd', 'd', a_f64, b_f64, c_pairs},
    {"m16n8k4.row.col.f64.f64.f64.f64", 16, 8, 4, 64, 'd', 'd', a_f64, b_f64, c_pairs},
    {"m8n8k4.row.col.f32.f16.f16.f32", 8, 8, 4, 16, 'h', 'f', a_volta, b_volta, c_volta},
};

/* ---- numbers --------------------------------------------------------------------------------- */

/* Small numbers, so that every format holds them and sums are exact. */
static int number_at(const Form *f, int row, int col, int salt) {
  int v = (row * 7 + col * 3 + salt) % 5 - 2;
  if (f->bits == 1) return v & 1;
  return f->code == 'u' && salt == 1 ? v + 250 : v;
}

static uint64_t code_of(const Form *f, int v) {
  float s = (float)v;
  double d = v;
  uint32_t w;
  uint64_t q;
  memcpy(&w, &s, sizeof w);
  memcpy(&q, &d, sizeof q);
  static const uint16_t half[] = {0xc000, 0xbc00, 0, 0x3c00, 0x4000}; /* -2 .. 2 */
  static const uint8_t e4m3[] = {0xc0, 0xb8, 0, 0x38, 0x40};
  switch (f->code) {
  case 'h': return half[v + 2];
  case 'b': return w >> 16;
  case 'e': return e4m3[v + 2];
  case 't': return w;
  case 'd': return q;
  default: return (uint64_t)(int64_t)v & (f->bits < 64 ? (1ull << f->bits) - 1 : 0);
  }
}

static int expected(const Form *f, int row, int col) {
  int sum = (row + 2 * col) % 4;
  for (int k = 0; k < f->k; k++) {
    int a = number_at(f, row, k, 1), b = number_at(f, k, col, 2);
    sum += f->code == 'x' ? a ^ b : a * b;
  }
  return sum;
}

/* ---- the kernel ------------------------------------------------------------------------------ */

static int registers(int elements, int bits) {
  return bits == 64 ? elements / LANES : elements * bits / 32 / LANES;
}

/* Register r of lane l of an operand is word r * 32 + l of its buffer. */
static void fill(const Form *f, uint64_t words[MAX_REGS * LANES], int regs, int salt,
                 Place (*place)(int, int)) {
  int per = f->bits < 32 ? 32 / f->bits : 1;
  memset(words, 0, MAX_REGS * LANES * sizeof *words);
  for (int lane = 0; lane < LANES; lane++)
    for (int i = 0; i < regs * per; i++) {
      Place at = place(lane, i);
      words[i / per * LANES + lane] |= code_of(f, number_at(f, at.row, at.col, salt))
                                       << (i % per * f->bits);
    }
}

static void fill_c(const Form *f, uint64_t words[MAX_REGS * LANES], int regs) {
  for (int i = 0; i < regs * LANES; i++) {
    Place at = f->c(i % LANES, i / LANES);
    int v = (at.row + 2 * at.col) % 4;
    Form as = {.code = f->result == 'f' ? 't' : f->result, .bits = 32};
    words[i] = f->result == 'i' ? (uint64_t)v : code_of(&as, v);
  }
}

static size_t list(char *at, size_t size, char name, int n) {
  size_t used = 0;
  for (int i = 0; i < n; i++)
    used += (size_t)snprintf(at + used, size - used, "%s%c%d", i ? "," : "{", name, i);
  return used + (size_t)snprintf(at + used, size - used, "}");
}

static void write_kernel(const Form *f, char *text, size_t size, const int regs[3]) {
  const char *names = "abc";
  bool wide = f->bits == 64;
  size_t n = (size_t)snprintf(
      text, size,
      ".version 8.4\n.target sm_90\n.address_size 64\n.entry k(.param .u64 p)\n{\n.reg .b%d "
      "a<8>, b<8>, c<8>;\n.reg .b64 x, y;\n.reg .b32 t;\nld.param.u64 x, [p];\n"
      "mov.u32 t, %%tid.x;\nmul.wide.u32 y, t, 8;\nadd.u64 x, x, y;\n",
      wide ? 64 : 32);
  for (int o = 0; o < 3; o++)
    for (int r = 0; r < regs[o]; r++)
      n += (size_t)snprintf(text + n, size - n, "ld.global.b%d %c%d, [x+%d];\n", wide ? 64 : 32,
                            names[o], r, (o * MAX_REGS + r) * LANES * 8);
  char lists[3][100];
  for (int o = 0; o < 3; o++) list(lists[o], sizeof lists[o], names[o], regs[o]);
  n += (size_t)snprintf(text + n, size - n, "mma.sync.aligned.%s %s, %s, %s, %s;\n", f->name,
                        lists[2], lists[0], lists[1], lists[2]);
  for (int r = 0; r < regs[2]; r++)
    n += (size_t)snprintf(text + n, size - n, "st.global.b%d [x+%d], c%d;\n", wide ? 64 : 32,
                          (2 * MAX_REGS + r) * LANES * 8, r);
  snprintf(text + n, size - n, "}\n");
}

static int result_of(const Form *f, uint64_t word) {
  float s;
  double d;
  uint32_t w = (uint32_t)word;
  memcpy(&s, &w, sizeof s);
  memcpy(&d, &word, sizeof d);
  return f->result == 'f' ? (int)s : f->result == 'd' ? (int)d : (int)w;
}

/* The parameter is a row's number: a test is a process of its own, where addresses differ. */
ParameterizedTestParameters(tensor, mma_multiplies) {
  static int rows[sizeof forms / sizeof *forms];
  for (int i = 0; i < (int)(sizeof rows / sizeof *rows); i++) rows[i] = i;
  return cr_make_param_array(int, rows, sizeof rows / sizeof *rows);
}

ParameterizedTest(int *row, tensor, mma_multiplies) {
  const Form *f = &forms[*row];
  bool volta = f->a == a_volta;
  int regs[3] = {volta ? 2 : registers(f->m * f->k, f->bits),
                 volta ? 2 : registers(f->k * f->n, f->bits),
                 volta ? 8 : registers(f->m * f->n, f->bits == 64 ? 64 : 32)};
  static uint64_t words[3][MAX_REGS * LANES];
  char text[8000];
  fill(f, words[0], regs[0], 1, f->a);
  Form second = *f;
  if (f->code == 'u') second.code = 'i';
  fill(&second, words[1], regs[1], 2, f->b);
  fill_c(f, words[2], regs[2]);
  write_kernel(f, text, sizeof text, regs);

  gpu_device *dev;
  gpu_module *mod;
  gpu_kernel *kernel;
  gpu_ptr at;
  cr_assert_eq(gpu_device_create(&dev, NULL, NULL, 0), GPU_OK);
  cr_assert_eq(gpu_module_load_ptx(dev, &mod, f->name, text, strlen(text)), GPU_OK, "%s",
               gpu_last_error(dev));
  cr_assert_eq(gpu_module_kernel(mod, &kernel, "k"), GPU_OK);
  cr_assert_eq(gpu_mem_alloc(dev, &at, sizeof words), GPU_OK);
  gpu_memcpy_htod(dev, at, words, sizeof words);
  void *args[] = {&at};
  cr_assert_eq(gpu_launch(dev, kernel, (gpu_dim){1, 1, 1}, (gpu_dim){LANES, 1, 1}, 0, args), GPU_OK,
               "%s: %s", f->name, gpu_last_error(dev));
  gpu_memcpy_dtoh(dev, words, at, sizeof words);
  for (int i = 0; i < regs[2] * LANES; i++) {
    Place p = f->c(i % LANES, i / LANES);
    cr_assert_eq(result_of(f, words[2][i]), expected(f, p.row, p.col),
                 "%s: row %d, column %d: %d, not %d", f->name, p.row, p.col,
                 result_of(f, words[2][i]), expected(f, p.row, p.col));
  }
  gpu_device_destroy(dev);
}

/* ---- wmma: matrices in memory ---------------------------------------------------------------- */

typedef struct WmmaForm {
  char shape[12], types[24]; /* of wmma.mma, behind the layouts */
  char ab[5], cd[5];         /* types of the loads and the store */
  char layout_a[4], layout_b[4];
  int m, n, k, regs[3]; /* of A, B, C */
  Form numbers;
} WmmaForm;

static const WmmaForm wmma_forms[] = {
    {"m16n16k16",
     "f32.f32",
     "f16",
     "f32",
     "row",
     "col",
     16,
     16,
     16,
     {8, 8, 8},
     {.k = 16, .bits = 16, .code = 'h', .result = 'f'}},
    {"m16n16k16",
     "f32.f32",
     "f16",
     "f32",
     "col",
     "row",
     16,
     16,
     16,
     {8, 8, 8},
     {.k = 16, .bits = 16, .code = 'h', .result = 'f'}},
    {"m32n8k16",
     "f32.f32",
     "f16",
     "f32",
     "row",
     "row",
     32,
     8,
     16,
     {8, 8, 8},
     {.k = 16, .bits = 16, .code = 'h', .result = 'f'}},
    {"m8n32k16",
     "s32.s8.s8.s32",
     "s8",
     "s32",
     "row",
     "col",
     8,
     32,
     16,
     {1, 4, 8},
     {.k = 16, .bits = 8, .code = 'i', .result = 'i'}},
    {"m16n16k16",
     "f32.bf16.bf16.f32",
     "bf16",
     "f32",
     "row",
     "col",
     16,
     16,
     16,
     {4, 4, 8},
     {.k = 16, .bits = 16, .code = 'b', .result = 'f'}},
    {"m16n16k8",
     "f32.tf32.tf32.f32",
     "tf32",
     "f32",
     "row",
     "col",
     16,
     16,
     8,
     {4, 4, 8},
     {.k = 8, .bits = 32, .code = 't', .result = 'f'}},
    {"m8n8k4",
     "f64.f64.f64.f64",
     "f64",
     "f64",
     "row",
     "col",
     8,
     8,
     4,
     {1, 1, 2},
     {.k = 4, .bits = 64, .code = 'd', .result = 'd'}},
};

enum { MATRIX = 4096, STRIDE_A = 40, STRIDE_B = 48, STRIDE_C = 36 }; /* bytes; elements */

static void write_wmma(const WmmaForm *f, char *text, size_t size) {
  char a[100], b[100], c[100];
  list(a, sizeof a, 'a', f->regs[0]);
  list(b, sizeof b, 'b', f->regs[1]);
  list(c, sizeof c, 'c', f->regs[2]);
  const char *ab = f->numbers.bits == 64 ? "b64" : "b32",
             *cd = f->numbers.bits == 64 ? "b64" : "b32";
  snprintf(text, size,
           ".version 8.4\n.target sm_90\n.address_size 64\n.entry k(.param .u64 p)\n{\n.reg .%s "
           "a<8>, b<8>;\n.reg .%s c<8>;\n.reg .b64 x, y, z;\n.reg .b32 s;\nld.param.u64 x, [p];\n"
           "add.u64 y, x, %d;\nadd.u64 z, y, %d;\nmov.u32 s, %d;\n"
           "wmma.load.a.sync.aligned.%s.%s.global.%s %s, [x], s;\n"
           "wmma.load.b.sync.aligned.%s.%s.%s %s, [y], %d;\n"
           "wmma.load.c.sync.aligned.row.%s.global.%s %s, [z], %d;\n"
           "wmma.mma.sync.aligned.%s.%s.%s.%s %s, %s, %s, %s;\n"
           "wmma.store.d.sync.aligned.row.%s.global.%s [z], %s, %d;\n}\n",
           ab, cd, MATRIX, MATRIX, STRIDE_A, f->layout_a, f->shape, f->ab, a, f->layout_b, f->shape,
           f->ab, b, STRIDE_B, f->shape, f->cd, c, STRIDE_C, f->layout_a, f->layout_b, f->shape,
           f->types, c, a, b, c, f->shape, f->cd, c, STRIDE_C);
}

static void put_matrix(const WmmaForm *f, uint8_t *at, int rows, int cols, int salt,
                       const char *layout, int stride) {
  int bytes = f->numbers.bits / 8;
  for (int r = 0; r < rows; r++)
    for (int c = 0; c < cols; c++) {
      uint64_t code = code_of(&f->numbers, number_at(&f->numbers, r, c, salt));
      int element = strcmp(layout, "row") == 0 ? r * stride + c : c * stride + r;
      memcpy(at + element * bytes, &code, (size_t)bytes);
    }
}

Test(tensor, wmma_multiplies_matrices_in_memory) {
  static uint8_t memory[3 * MATRIX + MATRIX];
  static char text[10000];
  for (size_t i = 0; i < sizeof wmma_forms / sizeof *wmma_forms; i++) {
    const WmmaForm *f = &wmma_forms[i];
    int bytes = f->numbers.bits == 64 ? 8 : 4;
    memset(memory, 0, sizeof memory);
    put_matrix(f, memory, f->m, f->k, 1, f->layout_a, STRIDE_A);
    put_matrix(f, memory + MATRIX, f->k, f->n, 2, f->layout_b, STRIDE_B);
    for (int r = 0; r < f->m; r++)
      for (int c = 0; c < f->n; c++) {
        Form as = {.code = f->numbers.result == 'f' ? 't' : f->numbers.result, .bits = 32};
        uint64_t v =
            f->numbers.result == 'i' ? (uint64_t)((r + 2 * c) % 4) : code_of(&as, (r + 2 * c) % 4);
        memcpy(memory + 2 * MATRIX + (r * STRIDE_C + c) * bytes, &v, (size_t)bytes);
      }
    write_wmma(f, text, sizeof text);
    gpu_device *dev;
    gpu_module *mod;
    gpu_kernel *kernel;
    gpu_ptr at;
    gpu_config config = {.check = GPU_CHECK_FULL};
    cr_assert_eq(gpu_device_create(&dev, &config, NULL, 0), GPU_OK);
    cr_assert_eq(gpu_module_load_ptx(dev, &mod, "wmma.ptx", text, strlen(text)), GPU_OK, "%s",
                 gpu_last_error(dev));
    cr_assert_eq(gpu_module_kernel(mod, &kernel, "k"), GPU_OK);
    cr_assert_eq(gpu_mem_alloc(dev, &at, sizeof memory), GPU_OK);
    gpu_memcpy_htod(dev, at, memory, sizeof memory);
    void *args[] = {&at};
    cr_assert_eq(gpu_launch(dev, kernel, (gpu_dim){1, 1, 1}, (gpu_dim){LANES, 1, 1}, 0, args),
                 GPU_OK, "%s: %s", f->shape, gpu_last_error(dev));
    gpu_memcpy_dtoh(dev, memory, at, sizeof memory);
    for (int r = 0; r < f->m; r++)
      for (int c = 0; c < f->n; c++) {
        uint64_t v = 0;
        memcpy(&v, memory + 2 * MATRIX + (r * STRIDE_C + c) * bytes, (size_t)bytes);
        cr_assert_eq(result_of(&f->numbers, v), expected(&f->numbers, r, c),
                     "%s %s: row %d, column %d: %d, not %d", f->shape, f->types, r, c,
                     result_of(&f->numbers, v), expected(&f->numbers, r, c));
      }
    gpu_device_destroy(dev);
  }
}
