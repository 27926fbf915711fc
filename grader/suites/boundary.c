/* suites/boundary.c - lab 04: boundary checks over vectors and pictures. */
#include "harness.h"

#include <string.h>

enum { BLOCK_MAX = 1024, RANDOM_CASES = 24, SIDE_MAX = 90 };

/* ---- vectors: the rules, and the mistakes that are known ------------------------------------- */

/* The elements of the last block. Arguments, here and below: n, block. */
static int64_t last_elements(const int *a) {
  return a[0] - (divide_up(a[0], a[1]) - 1) * (int64_t)a[1];
}

static int64_t blocks_right(const int *a) { return divide_up(a[0], a[1]); }
static int64_t blocks_floor(const int *a) { return a[0] / a[1]; }
static int64_t blocks_plus_one(const int *a) { return a[0] / a[1] + 1; }

static int64_t launched_right(const int *a) { return blocks_right(a) * divide_up(a[1], WARP); }
static int64_t launched_packed(const int *a) { return divide_up(a[0], WARP); }
static int64_t launched_packed_blocks(const int *a) {
  return divide_up(blocks_right(a) * a[1], WARP);
}
static int64_t launched_floor(const int *a) { return blocks_right(a) * (a[1] / WARP); }

static int64_t inactive_right(const int *a) {
  return divide_up(a[1], WARP) - divide_up(last_elements(a), WARP);
}
static int64_t inactive_packed(const int *a) { return launched_right(a) - launched_packed(a); }

static int64_t divergent_right(const int *a) {
  return last_elements(a) < a[1] && last_elements(a) % WARP != 0;
}
static int64_t divergent_by_block(const int *a) { return a[0] % a[1] != 0; }
static int64_t divergent_by_32(const int *a) { return a[0] % WARP != 0; }
static int64_t divergent_or_inactive(const int *a) {
  return divergent_right(a) + inactive_right(a);
}

static int64_t full_right(const int *a) {
  return launched_right(a) - divergent_right(a) - inactive_right(a);
}
static int64_t full_packed(const int *a) { return a[0] / WARP; }
static int64_t full_or_inactive(const int *a) { return launched_right(a) - divergent_right(a); }

static int64_t permille_right(const int *a) {
  return 1000 * divergent_right(a) / launched_right(a);
}
static int64_t permille_of_integers(const int *a) {
  return divergent_right(a) / launched_right(a) * 1000;
}
static int64_t permille_percent(const int *a) {
  return 100 * divergent_right(a) / launched_right(a);
}
static int64_t permille_packed(const int *a) {
  return 1000 * divergent_right(a) / launched_packed(a);
}

/* ---- masks ----------------------------------------------------------------------------------- */

/* Arguments: n, block, index, warp. */
static int64_t left_of(const int *a) { return a[0] - (int64_t)a[2] * a[1]; }
static int64_t pass_right(const int *a) {
  return lowest_lanes(smaller(left_of(a), a[1]) - (int64_t)a[3] * WARP);
}
static int64_t pass_past_block(const int *a) {
  return lowest_lanes(left_of(a) - (int64_t)a[3] * WARP);
}
static int64_t pass_first_block(const int *a) {
  return lowest_lanes(smaller(a[0], a[1]) - (int64_t)a[3] * WARP);
}
static int64_t pass_one_more(const int *a) {
  return lowest_lanes(smaller(left_of(a) + 1, a[1]) - (int64_t)a[3] * WARP);
}
static int64_t threads_of_warp(const int *a) { return lowest_lanes(a[1] - (int64_t)a[3] * WARP); }
static int64_t pass_not(const int *a) { return threads_of_warp(a) & ~pass_right(a); }

/* ---- pictures: the rules, and the mistakes that are known ------------------------------------ */

/* Arguments, here and below: width, height, bx, by; for a warp also block_x, block_y, warp. */
static int64_t mask_where(const int *a, int64_t width, int64_t height) {
  uint32_t mask = 0;
  for (int64_t lane = 0; lane < WARP; lane++) {
    int64_t t = (int64_t)a[6] * WARP + lane;
    int64_t x = (int64_t)a[4] * a[2] + t % a[2], y = (int64_t)a[5] * a[3] + t / a[2];
    if (t < (int64_t)a[2] * a[3] && x < width && y < height) mask |= 1u << lane;
  }
  return mask;
}
static int64_t mask_right(const int *a) { return mask_where(a, a[0], a[1]); }
static int64_t mask_x_only(const int *a) { return mask_where(a, a[0], INT32_MAX); }
static int64_t mask_y_only(const int *a) { return mask_where(a, INT32_MAX, a[1]); }
static int64_t mask_threads(const int *a) { return mask_where(a, INT32_MAX, INT32_MAX); }
static int64_t mask_not(const int *a) { return mask_threads(a) & ~mask_right(a); }

static int64_t warps_a_block(const int *a) { return divide_up((int64_t)a[2] * a[3], WARP); }
static int64_t blocks_x(const int *a) { return divide_up(a[0], a[2]); }
static int64_t blocks_y(const int *a) { return divide_up(a[1], a[3]); }

static int64_t picture_warps_right(const int *a) {
  return blocks_x(a) * blocks_y(a) * warps_a_block(a);
}
static int64_t picture_warps_flat(const int *a) {
  return divide_up((int64_t)a[0] * a[1], (int64_t)a[2] * a[3]) * warps_a_block(a);
}
static int64_t picture_warps_packed(const int *a) { return divide_up((int64_t)a[0] * a[1], WARP); }
static int64_t picture_warps_floor(const int *a) {
  return (int64_t)(a[0] / a[2]) * (a[1] / a[3]) * warps_a_block(a);
}

/* What a warp can be. */
typedef enum Kind { FULL, DIVERGENT, INACTIVE } Kind;

static Kind kind_of(const int *warp) {
  int64_t pass = mask_right(warp);
  return pass == 0 ? INACTIVE : pass == mask_threads(warp) ? FULL : DIVERGENT;
}

/* The warps of a kind in the block (x, y) of the grid. */
static int64_t count_in_block(const int *a, int64_t x, int64_t y, Kind kind) {
  int64_t count = 0;
  for (int w = 0; w < warps_a_block(a); w++)
    count += kind_of((int[]){a[0], a[1], a[2], a[3], (int)x, (int)y, w}) == kind;
  return count;
}

/* Those at the right edge, corner included or not; and those at the lower edge, corner excluded. */
static int64_t count_right_edge(const int *a, Kind kind, bool corner) {
  int64_t x = blocks_x(a) - 1, y = blocks_y(a) - 1;
  return y * count_in_block(a, x, 0, kind) * (y > 0) + (corner ? count_in_block(a, x, y, kind) : 0);
}
static int64_t count_lower_edge(const int *a, Kind kind) {
  int64_t x = blocks_x(a) - 1, y = blocks_y(a) - 1;
  return x > 0 ? x * count_in_block(a, 0, y, kind) : 0;
}

/* Blocks that reach neither edge have full warps only. */
static int64_t picture_divergent_right(const int *a) {
  return count_right_edge(a, DIVERGENT, true) + count_lower_edge(a, DIVERGENT);
}
static int64_t picture_inactive_right(const int *a) {
  return count_right_edge(a, INACTIVE, true) + count_lower_edge(a, INACTIVE);
}
/* The corner counted as if it were another block of the right edge. */
static int64_t divergent_whole_corner(const int *a) {
  return a[0] % a[2] ? blocks_y(a) * warps_a_block(a) : 0;
}
static int64_t divergent_every_edge_block(const int *a) {
  int64_t right = a[0] % a[2] ? blocks_y(a) : 0, lower = a[1] % a[3] ? blocks_x(a) : 0;
  return (right + lower - (right && lower)) * warps_a_block(a);
}
static int64_t divergent_right_edge(const int *a) { return count_right_edge(a, DIVERGENT, true); }
static int64_t divergent_without_corner(const int *a) {
  return count_right_edge(a, DIVERGENT, false) + count_lower_edge(a, DIVERGENT);
}
static int64_t picture_not_full(const int *a) {
  return picture_divergent_right(a) + picture_inactive_right(a);
}
static int64_t divergent_as_vector(const int *a) {
  return divergent_right((int[]){a[0] * a[1], a[2] * a[3]});
}

/* ---- what the student writes ----------------------------------------------------------------- */

#define VECTOR_FUNCTION(function, rule, ...)                                                       \
  static const Mistake function##_mistakes[] = {__VA_ARGS__};                                      \
  static const StudentFunction function = {                                                        \
      #function,          "int " #function "(int n, int block)", 2, VALUE_NUMBER, -1, rule,        \
      function##_mistakes}
#define PICTURE_FUNCTION(function, rule, ...)                                                      \
  static const Mistake function##_mistakes[] = {__VA_ARGS__};                                      \
  static const StudentFunction function = {#function,                                              \
                                           "int " #function                                        \
                                           "(int width, int height, int bx, int by)",              \
                                           4,                                                      \
                                           VALUE_NUMBER,                                           \
                                           -1,                                                     \
                                           rule,                                                   \
                                           function##_mistakes}

VECTOR_FUNCTION(blocks_for, blocks_right, {"ceiling", blocks_floor},
                {"exact-multiple", blocks_plus_one}, {0});
VECTOR_FUNCTION(warps_launched, launched_right, {"whole-blocks", launched_packed},
                {"short-warps", launched_packed_blocks}, {"short-warps", launched_floor}, {0});
VECTOR_FUNCTION(full_warps, full_right, {"short-warps", full_packed},
                {"what-is-left", full_or_inactive}, {0});
VECTOR_FUNCTION(divergent_warps, divergent_right, {"edge-between", always_1},
                {"warp-not-block", divergent_by_block}, {"short-warps", divergent_by_32},
                {"inactive-warps-agree", divergent_or_inactive}, {0});
VECTOR_FUNCTION(inactive_warps, inactive_right, {"short-warps", inactive_packed}, {0});
VECTOR_FUNCTION(divergent_permille, permille_right, {"integer-division", permille_of_integers},
                {"percent", permille_percent}, {"whole-blocks", permille_packed}, {0});
PICTURE_FUNCTION(picture_warps, picture_warps_right, {"picture-is-not-vector", picture_warps_flat},
                 {"picture-is-not-vector", picture_warps_packed}, {"ceiling", picture_warps_floor},
                 {0});
PICTURE_FUNCTION(picture_divergent, picture_divergent_right, {"corner", divergent_whole_corner},
                 {"bottom-agrees", divergent_every_edge_block},
                 {"both-edges", divergent_right_edge}, {"corner", divergent_without_corner},
                 {"inactive-warps-agree", picture_not_full},
                 {"picture-is-not-vector", divergent_as_vector}, {0});
PICTURE_FUNCTION(picture_inactive, picture_inactive_right, {0});

static const Mistake pass_mistakes[] = {
    {"block-ends", pass_past_block}, {"first-block", pass_first_block},
    {"off-by-one", pass_one_more},   {"last-block", threads_of_warp},
    {"inverted", pass_not},          {0}};
static const StudentFunction pass_mask = {
    "pass_mask",
    "unsigned pass_mask(int n, int block, int index, int warp)",
    4,
    VALUE_MASK,
    0,
    pass_right,
    pass_mistakes};

static const Mistake mask_mistakes[] = {{"missing-y", mask_x_only},
                                        {"missing-x", mask_y_only},
                                        {"both-edges", mask_threads},
                                        {"inverted", mask_not},
                                        {0}};
static const StudentFunction picture_mask = {
    "picture_mask",
    "unsigned picture_mask(int width, int height, int bx, int by, int block_x, int block_y, int "
    "warp)",
    7,
    VALUE_MASK,
    0,
    mask_right,
    mask_mistakes};

/* ---- vectors --------------------------------------------------------------------------------- */

Test(boundary, blocks) {
  static const Case cases[] = {{{100, 64}, 2},  {{1000, 64}, 16}, {{10000, 64}, 157},
                               {{128, 64}, 2},  {{1, 256}, 1},    {{256, 256}, 1},
                               {{257, 256}, 2}, {{100, 48}, 3}};
  EXAMINE(blocks_for, cases);
}

Test(boundary, launched) {
  static const Case cases[] = {{{100, 64}, 4},     {{32, 64}, 2},      {{128, 64}, 4},
                               {{10000, 64}, 314}, {{100, 48}, 6},     {{1, 256}, 8},
                               {{1003, 64}, 32},   {{1000, 1000}, 32}, {{33, 16}, 3}};
  EXAMINE(warps_launched, cases);
}

Test(boundary, pass_masks) {
  static const Case cases[] = {{{100, 64, 1, 1}, 0x0000000f}, {{100, 64, 0, 0}, 0xffffffff},
                               {{100, 64, 1, 0}, 0xffffffff}, {{10000, 64, 156, 0}, 0x0000ffff},
                               {{10000, 64, 156, 1}, 0},      {{32, 64, 0, 1}, 0},
                               {{100, 48, 0, 1}, 0x0000ffff}, {{100, 48, 2, 0}, 0x0000000f},
                               {{100, 48, 2, 1}, 0},          {{1003, 64, 15, 1}, 0x000007ff},
                               {{1, 256, 0, 0}, 0x00000001}};
  EXAMINE(pass_mask, cases);
}

Test(boundary, full) {
  static const Case cases[] = {{{100, 64}, 3}, {{32, 64}, 1}, {{128, 64}, 4},  {{10000, 64}, 312},
                               {{100, 48}, 4}, {{1, 256}, 0}, {{1003, 64}, 31}};
  EXAMINE(full_warps, cases);
}

Test(boundary, divergent) {
  static const Case cases[] = {{{100, 64}, 1}, {{32, 64}, 0}, {{128, 64}, 0},  {{10000, 64}, 1},
                               {{100, 48}, 1}, {{1, 256}, 1}, {{1003, 64}, 1}, {{144, 48}, 0},
                               {{96, 256}, 0}, {{48, 48}, 0}, {{64, 48}, 1}};
  EXAMINE(divergent_warps, cases);
}

Test(boundary, inactive) {
  static const Case cases[] = {{{100, 64}, 0}, {{32, 64}, 1}, {{128, 64}, 0},  {{10000, 64}, 1},
                               {{100, 48}, 1}, {{1, 256}, 7}, {{1003, 64}, 0}, {{144, 48}, 0},
                               {{96, 256}, 5}, {{64, 48}, 1}, {{1, 1024}, 31}};
  EXAMINE(inactive_warps, cases);
}

Test(boundary, permille) {
  static const Case cases[] = {{{100, 64}, 250}, {{1000, 64}, 31}, {{10000, 64}, 3}, {{128, 64}, 0},
                               {{1, 256}, 125},  {{33, 32}, 500},  {{100, 48}, 166}};
  EXAMINE(divergent_permille, cases);
}

/* The vectors of the course's tables, in blocks of 64. */
Test(boundary, vector_table) {
  static const Case launched[] = {
      {{100, 64}, 4}, {{1000, 64}, 32}, {{1003, 64}, 32}, {{10000, 64}, 314}};
  static const Case full[] = {
      {{100, 64}, 3}, {{1000, 64}, 31}, {{1003, 64}, 31}, {{10000, 64}, 312}};
  static const Case divergent[] = {
      {{100, 64}, 1}, {{1000, 64}, 1}, {{1003, 64}, 1}, {{10000, 64}, 1}};
  static const Case inactive[] = {
      {{100, 64}, 0}, {{1000, 64}, 0}, {{1003, 64}, 0}, {{10000, 64}, 1}};
  Exam *e = exam_begin();
  exam_function(e, &warps_launched, launched, COUNT(launched));
  exam_function(e, &full_warps, full, COUNT(full));
  exam_function(e, &divergent_warps, divergent, COUNT(divergent));
  exam_function(e, &inactive_warps, inactive, COUNT(inactive));
  exam_end(e);
}

/* ---- pictures -------------------------------------------------------------------------------- */

Test(boundary, picture_launched) {
  static const Case cases[] = {{{76, 62, 16, 16}, 160},     {{200, 150, 16, 16}, 1040},
                               {{150, 200, 16, 16}, 1040},  {{16, 16, 16, 16}, 8},
                               {{17, 1, 16, 16}, 16},       {{33, 33, 10, 10}, 64},
                               {{1920, 1080, 32, 8}, 64800}};
  EXAMINE(picture_warps, cases);
}

Test(boundary, picture_masks) {
  static const Case cases[] = {{{76, 62, 16, 16, 4, 0, 0}, 0x0fff0fff},
                               {{76, 62, 16, 16, 0, 0, 0}, 0xffffffff},
                               {{76, 62, 16, 16, 0, 3, 7}, 0},
                               {{76, 62, 16, 16, 4, 3, 6}, 0x0fff0fff},
                               {{200, 150, 16, 16, 12, 9, 2}, 0x00ff00ff},
                               {{200, 150, 16, 16, 12, 9, 3}, 0},
                               {{5, 3, 16, 16, 0, 0, 1}, 0x0000001f},
                               {{33, 33, 10, 10, 0, 0, 3}, 0x0000000f},
                               {{33, 33, 10, 10, 3, 0, 0}, 0xc0701c07}};
  EXAMINE(picture_mask, cases);
}

Test(boundary, picture_edges) {
  static const Case cases[] = {{{76, 62, 16, 16}, 31}, {{32, 30, 16, 16}, 0}, {{32, 31, 16, 16}, 2},
                               {{31, 32, 16, 16}, 16}, {{5, 3, 16, 16}, 2},   {{16, 16, 16, 16}, 0},
                               {{40, 20, 32, 8}, 20},  {{40, 20, 8, 32}, 0}};
  EXAMINE(picture_divergent, cases);
}

Test(boundary, picture_below) {
  static const Case cases[] = {{{76, 62, 16, 16}, 5}, {{32, 30, 16, 16}, 2}, {{32, 31, 16, 16}, 0},
                               {{5, 3, 16, 16}, 6},   {{16, 16, 16, 16}, 0}, {{40, 20, 32, 8}, 8},
                               {{40, 20, 8, 32}, 15}};
  EXAMINE(picture_inactive, cases);
}

/* The pictures of the course's tables, and what an H200 counted. */
Test(boundary, picture_table) {
  static const Case warps[] = {
      {{76, 62, 16, 16}, 160}, {{200, 150, 16, 16}, 1040}, {{150, 200, 16, 16}, 1040}};
  static const Case divergent[] = {
      {{76, 62, 16, 16}, 31}, {{200, 150, 16, 16}, 75}, {{150, 200, 16, 16}, 100}};
  Exam *e = exam_begin();
  exam_function(e, &picture_warps, warps, COUNT(warps));
  exam_function(e, &picture_divergent, divergent, COUNT(divergent));
  exam_end(e);
}

/* ---- the simulator's counters ---------------------------------------------------------------- */

/* A kernel that does nothing but check: the threads without a pixel leave, by one branch. */
static const char witness[] = ".version 7.0\n"
                              ".target sm_80\n"
                              ".address_size 64\n"
                              ".visible .entry check(.param .u32 width, .param .u32 height) {\n"
                              "  .reg .pred %p<4>;\n"
                              "  .reg .b32 %r<10>;\n"
                              "  mov.u32 %r1, %ctaid.x;\n"
                              "  mov.u32 %r2, %ntid.x;\n"
                              "  mov.u32 %r3, %tid.x;\n"
                              "  mad.lo.s32 %r4, %r1, %r2, %r3;\n"
                              "  mov.u32 %r1, %ctaid.y;\n"
                              "  mov.u32 %r2, %ntid.y;\n"
                              "  mov.u32 %r3, %tid.y;\n"
                              "  mad.lo.s32 %r5, %r1, %r2, %r3;\n"
                              "  ld.param.u32 %r6, [width];\n"
                              "  ld.param.u32 %r7, [height];\n"
                              "  setp.ge.s32 %p1, %r4, %r6;\n"
                              "  setp.ge.s32 %p2, %r5, %r7;\n"
                              "  or.pred %p3, %p1, %p2;\n"
                              "  @%p3 bra DONE;\n"
                              "  add.s32 %r8, %r4, %r5;\n"
                              "DONE:\n"
                              "  ret;\n"
                              "}\n";

/* Launches the witness over a picture. A mistake here is the grader's. */
static bool count_by_running(Exam *e, gpu_module *module, const int *a, gpu_stats *stats) {
  gpu_kernel *kernel;
  gpu_device *dev = exam_device(e);
  gpu_dim grid = {(uint32_t)blocks_x(a), (uint32_t)blocks_y(a), 1};
  gpu_dim block = {(uint32_t)a[2], (uint32_t)a[3], 1};
  uint32_t width = (uint32_t)a[0], height = (uint32_t)a[1];
  if (gpu_module_kernel(module, &kernel, "check") != GPU_OK ||
      gpu_launch(dev, kernel, grid, block, 0, (void *[]){&width, &height}) != GPU_OK) {
    exam_broken(e, "%s", gpu_last_error(dev));
    return false;
  }
  gpu_get_stats(dev, stats);
  return true;
}

/* The rule and the simulator must agree on the picture. */
static void check_rule(Exam *e, gpu_module *module, const int *a) {
  gpu_stats stats;
  if (!count_by_running(e, module, a, &stats)) return;
  if ((int64_t)stats.warps != picture_warps_right(a) ||
      (int64_t)stats.divergent_warps != picture_divergent_right(a))
    exam_broken(e, "the simulator counted %llu divergent warps of %llu for %d x %d in %d x %d",
                (unsigned long long)stats.divergent_warps, (unsigned long long)stats.warps, a[0],
                a[1], a[2], a[3]);
}

static gpu_module *load_witness(Exam *e) {
  gpu_module *module = NULL;
  if (gpu_module_load_ptx(exam_device(e), &module, "witness", witness, strlen(witness)) != GPU_OK)
    exam_broken(e, "%s", gpu_last_error(exam_device(e)));
  return module;
}

static int random_block_size(Exam *e) {
  int warps = exam_between(e, 1, 8);
  return exam_random(e, 3) ? warps * WARP : exam_between(e, 1, warps * WARP);
}

static void count_vectors(Exam *e) {
  gpu_module *module = load_witness(e);
  int vectors[RANDOM_CASES][ARGUMENTS_MAX] = {{0}};
  for (int i = 0; i < RANDOM_CASES && module; i++) {
    int block = random_block_size(e), n = exam_between(e, 1, 20 * block);
    if (exam_random(e, 2)) n = (n + WARP - 1) / WARP * WARP; /* the edge between two warps */
    vectors[i][0] = n;
    vectors[i][1] = block;
    check_rule(e, module, (int[]){n, 1, block, 1});
  }
  exam_function_of(e, &warps_launched, vectors, RANDOM_CASES);
  exam_function_of(e, &full_warps, vectors, RANDOM_CASES);
  exam_function_of(e, &divergent_warps, vectors, RANDOM_CASES);
  exam_function_of(e, &inactive_warps, vectors, RANDOM_CASES);
}

static void count_pictures(Exam *e) {
  gpu_module *module = load_witness(e);
  int pictures[RANDOM_CASES][ARGUMENTS_MAX] = {{0}};
  for (int i = 0; i < RANDOM_CASES && module; i++) {
    int *a = pictures[i];
    a[0] = exam_between(e, 1, SIDE_MAX);
    a[1] = exam_between(e, 1, SIDE_MAX);
    a[2] = exam_random(e, 3) ? 8 << exam_random(e, 3) : exam_between(e, 5, 40);
    a[3] = exam_between(e, 2, 16);
    check_rule(e, module, a);
  }
  exam_function_of(e, &picture_warps, pictures, RANDOM_CASES);
  exam_function_of(e, &picture_divergent, pictures, RANDOM_CASES);
  exam_function_of(e, &picture_inactive, pictures, RANDOM_CASES);
}

Test(boundary, counted_vectors) { exam_seeded(count_vectors); }
Test(boundary, counted_pictures) { exam_seeded(count_pictures); }

/* ---- kernels --------------------------------------------------------------------------------- */

enum { VECTOR_MAX = 2048, PICTURE_MAX = 200 * 200 };

static const StudentKernel scale = {"scale", "void scale(int n, const int *in, int *out)", "ipp"};
static const StudentKernel brighten = {"brighten",
                                       "void brighten(int width, int height, int *picture)", "iip"};
static const StudentKernel gradient = {"gradient",
                                       "void gradient(int width, int height, int *picture)", "iip"};

/* Exactly so many warps may diverge, which is one at least. */
static void bound_divergence(CounterBound *bounds, int64_t warps, const char *hint) {
  bounds[0] = (CounterBound){"divergent_warps", (double)warps, (double)warps, hint};
}

static void examine_scale(Exam *e, int32_t n, uint32_t block) {
  int32_t in[VECTOR_MAX], out[VECTOR_MAX];
  CounterBound bounds[2] = {{0}};
  for (int32_t i = 0; i < n; i++) {
    in[i] = 7 * i - 100;
    out[i] = 3 * in[i];
  }
  bound_divergence(bounds, divergent_right((int[]){n, (int)block}), "guard");
  KernelRun run = {.kernel = &scale,
                   .input = "in[i] = 7 * i - 100",
                   .grid = {(uint32_t)divide_up(n, block), 1, 1},
                   .block = {block, 1, 1},
                   .arguments = {{.name = "n", .type = "i32", .before = &n},
                                 {.name = "in", .type = "i32", .count = (size_t)n, .before = in},
                                 {.name = "out",
                                  .type = "i32",
                                  .count = (size_t)n,
                                  .expected = out,
                                  .owner = OWNER_THREAD}},
                   .bounds = bounds};
  exam_run(e, &run);
}

Test(boundary, kernel_scale) {
  Exam *e = exam_begin();
  examine_scale(e, 1003, 64);
  examine_scale(e, 100, 48);
  examine_scale(e, 1, 256);
  examine_scale(e, 2000, 128);
  exam_end(e);
}

/* One launch over a picture; the pixel (x, y) grows by `by` plus `slope` times x + y. */
typedef struct PictureTask {
  const StudentKernel *kernel;
  int32_t width, height, by, slope;
  gpu_dim grid, block;
  int64_t divergent;
  const char *hint; /* for another number of divergent warps */
} PictureTask;

static void examine_picture(Exam *e, const PictureTask *t) {
  static int32_t before[PICTURE_MAX], after[PICTURE_MAX];
  CounterBound bounds[2] = {{0}};
  size_t pixels = (size_t)t->width * (size_t)t->height;
  for (int32_t i = 0; i < (int32_t)pixels; i++) {
    before[i] = i % 251;
    after[i] = before[i] + t->by + t->slope * (i % t->width + i / t->width);
  }
  bound_divergence(bounds, t->divergent, t->hint);
  KernelRun run = {.kernel = t->kernel,
                   .input = "picture[i] = i % 251",
                   .grid = t->grid,
                   .block = t->block,
                   .arguments = {{.name = "width", .type = "i32", .before = &t->width},
                                 {.name = "height", .type = "i32", .before = &t->height},
                                 {.name = "picture",
                                  .type = "i32",
                                  .count = pixels,
                                  .before = before,
                                  .expected = after}},
                   .bounds = bounds};
  exam_run(e, &run);
}

static void examine_brighten(Exam *e, int32_t width, int32_t height, uint32_t bx, uint32_t by) {
  const int a[] = {width, height, (int)bx, (int)by};
  examine_picture(e, &(PictureTask){.kernel = &brighten,
                                    .width = width,
                                    .height = height,
                                    .by = 10,
                                    .grid = {(uint32_t)blocks_x(a), (uint32_t)blocks_y(a), 1},
                                    .block = {bx, by, 1},
                                    .divergent = picture_divergent_right(a),
                                    .hint = "order-of-checks"});
}

Test(boundary, kernel_brighten) {
  Exam *e = exam_begin();
  examine_brighten(e, 76, 62, 16, 16);
  examine_brighten(e, 200, 150, 16, 16);
  examine_brighten(e, 33, 20, 32, 8);
  exam_end(e);
}

static void examine_gradient(Exam *e, int32_t width, int32_t height, uint32_t block) {
  examine_picture(
      e, &(PictureTask){.kernel = &gradient,
                        .width = width,
                        .height = height,
                        .slope = 1,
                        .grid = {(uint32_t)divide_up((int64_t)width * height, block), 1, 1},
                        .block = {block, 1, 1},
                        .divergent = 1,
                        .hint = "flat"});
}

Test(boundary, kernel_gradient) {
  Exam *e = exam_begin();
  examine_gradient(e, 76, 62, 256);
  examine_gradient(e, 200, 150, 256);
  examine_gradient(e, 5, 3, 64);
  exam_end(e);
}

/* ---- predictions ----------------------------------------------------------------------------- */

/* A picture of a[0] x a[1] in blocks of 16 x 16. */
#define SQUARE(a) ((int[]){(a)[0], (a)[1], 16, 16})
static int64_t mixed_right(const int *a) { return picture_divergent_right(SQUARE(a)); }
static int64_t mixed_whole_corner(const int *a) { return divergent_whole_corner(SQUARE(a)); }
static int64_t mixed_every_edge(const int *a) { return divergent_every_edge_block(SQUARE(a)); }
static int64_t mixed_without_corner(const int *a) { return divergent_without_corner(SQUARE(a)); }
static int64_t mixed_edge_blocks(const int *a) { return blocks_x(SQUARE(a)); }

PREDICTION(boundary, predict_launched, launched_right, {"whole-blocks", launched_packed},
           {"whole-blocks", full_packed}, {0})
PREDICTION(boundary, predict_divergent, divergent_right,
           {"inactive-warps-agree", divergent_or_inactive}, {"one-edge", divergent_by_block},
           {"one-edge", always_1}, {0})
PREDICTION(boundary, predict_inactive, inactive_right, {"count-inactive", always_0}, {0})
PREDICTION(boundary, predict_picture, mixed_right, {"corner", mixed_whole_corner},
           {"corner", mixed_without_corner}, {"corner", mixed_every_edge}, {0})
PREDICTION(boundary, predict_wider, mixed_right, {"bottom-agrees", mixed_edge_blocks},
           {"bottom-agrees", mixed_every_edge}, {"bottom-agrees", always_0}, {0})
