/* suites/partition.c - lab 01: threads, warps, lanes and masks. */
#include "harness.h"

#include <stdlib.h>

enum { BLOCK_MAX = 1024, RANDOM_CASES = 64 };

/* ---- the rules, and the mistakes that are known ---------------------------------------------- */

static int64_t block_right(const int *a) { return (int64_t)a[0] * a[1] * a[2]; }
static int64_t block_without_z(const int *a) { return (int64_t)a[0] * a[1]; }
static int64_t block_x_only(const int *a) { return a[0]; }
static int64_t block_sum(const int *a) { return (int64_t)a[0] + a[1] + a[2]; }

static int64_t warps_right(const int *a) { return (a[0] + WARP - 1) / WARP; }
static int64_t warps_floor(const int *a) { return a[0] / WARP; }
static int64_t warps_plus_one(const int *a) { return a[0] / WARP + 1; }
static int64_t warps_rounded_threads(const int *a) { return warps_right(a) * WARP; }

static int64_t idle_right(const int *a) { return warps_right(a) * WARP - a[0]; }
static int64_t idle_none_is_32(const int *a) { return WARP - a[0] % WARP; }

static int64_t grid_right(const int *a) { return warps_right(a) * a[1]; }
static int64_t grid_packed(const int *a) { return ((int64_t)a[0] * a[1] + WARP - 1) / WARP; }
static int64_t grid_floor(const int *a) { return warps_floor(a) * a[1]; }
static int64_t grid_packed_floor(const int *a) { return (int64_t)a[0] * a[1] / WARP; }
static int64_t grid_one_block(const int *a) { return warps_right(a); }
static int64_t grid_plus_one(const int *a) { return warps_plus_one(a) * a[1]; }

static int64_t warp_right(const int *a) { return a[0] / WARP; }
static int64_t warp_as_lane(const int *a) { return a[0] % WARP; }
static int64_t warp_from_one(const int *a) { return a[0] / WARP + 1; }
static int64_t warp_ceiling(const int *a) { return warps_right(a); }

static int64_t lane_right(const int *a) { return a[0] % WARP; }
static int64_t lane_as_warp(const int *a) { return a[0] / WARP; }
static int64_t lane_of_31(const int *a) { return a[0] % (WARP - 1); }
static int64_t lane_of_16(const int *a) { return a[0] % (WARP / 2); }
static int64_t lane_from_one(const int *a) { return a[0] % WARP + 1; }
static int64_t lane_and_32(const int *a) { return a[0] & WARP; }

/* The lanes of warp a[1] that have a thread, in a block of a[0]: 0 to 32. */
static int lanes_used(const int *a) {
  int left = a[0] - a[1] * WARP;
  return left < 0 ? 0 : left > WARP ? WARP : left;
}
static int64_t mask_right(const int *a) { return lowest_lanes(lanes_used(a)); }
static int64_t mask_full(const int *a) { return (void)a, lowest_lanes(WARP); }
static int64_t mask_full_when_used(const int *a) { return lowest_lanes(lanes_used(a) ? WARP : 0); }
static int64_t mask_idle(const int *a) { return lowest_lanes(WARP) ^ mask_right(a); }
static int64_t mask_from_top(const int *a) { return mask_right(a) << (WARP - lanes_used(a)); }
static int64_t mask_one_short(const int *a) { return mask_right(a) >> 1; }
static int64_t mask_one_more(const int *a) {
  int n = lanes_used(a);
  return lowest_lanes(n && n < WARP ? n + 1 : n);
}
static int64_t mask_count(const int *a) { return lanes_used(a); }
/* threads % 32 lanes in the last warp: none when the block fills it. */
static int64_t mask_by_remainder(const int *a) {
  bool last = a[1] == warps_right(a) - 1;
  return last ? lowest_lanes(a[0] % WARP) : mask_right(a);
}
static int64_t mask_by_remainder_always(const int *a) { return lowest_lanes(a[0] % WARP); }

/* ---- what the student writes ----------------------------------------------------------------- */

static const Mistake block_mistakes[] = {
    {"missing-z", block_without_z}, {"missing-z", block_x_only}, {"product", block_sum}, {0}};
static const StudentFunction threads_per_block = {"threads_per_block",
                                                  "int threads_per_block(int x, int y, int z)",
                                                  3,
                                                  VALUE_NUMBER,
                                                  -1,
                                                  block_right,
                                                  block_mistakes};

static const Mistake warps_mistakes[] = {{"ceiling", warps_floor},
                                         {"exact-multiple", warps_plus_one},
                                         {"count-warps", warps_rounded_threads},
                                         {0}};
static const StudentFunction warps_per_block = {
    "warps_per_block", "int warps_per_block(int threads)", 1, VALUE_NUMBER, -1, warps_right,
    warps_mistakes};

static const Mistake idle_mistakes[] = {{"full-last-warp", idle_none_is_32}, {0}};
static const StudentFunction idle_lanes = {
    "idle_lanes", "int idle_lanes(int threads)", 1, VALUE_NUMBER, -1, idle_right, idle_mistakes};

static const Mistake grid_mistakes[] = {
    {"packed-grid", grid_packed},       {"ceiling", grid_floor},
    {"packed-grid", grid_packed_floor}, {"every-block", grid_one_block},
    {"exact-multiple", grid_plus_one},  {0}};
static const StudentFunction warps_per_grid = {"warps_per_grid",
                                               "int warps_per_grid(int threads, int blocks)",
                                               2,
                                               VALUE_NUMBER,
                                               -1,
                                               grid_right,
                                               grid_mistakes};

static const Mistake warp_mistakes[] = {
    {"swapped", warp_as_lane}, {"from-zero", warp_from_one}, {"warp-floor", warp_ceiling}, {0}};
static const StudentFunction warp_of_thread = {
    "warp_of_thread", "int warp_of_thread(int linear)", 1, VALUE_NUMBER, -1, warp_right,
    warp_mistakes};

static const Mistake lane_mistakes[] = {{"swapped", lane_as_warp}, {"modulus", lane_of_31},
                                        {"modulus", lane_of_16},   {"from-zero", lane_from_one},
                                        {"modulus", lane_and_32},  {0}};
static const StudentFunction lane_of_thread = {
    "lane_of_thread", "int lane_of_thread(int linear)", 1, VALUE_NUMBER, -1, lane_right,
    lane_mistakes};

static const Mistake mask_mistakes[] = {{"idle-lanes", mask_full},
                                        {"idle-lanes", mask_full_when_used},
                                        {"inverted", mask_idle},
                                        {"low-lanes", mask_from_top},
                                        {"mask-off-by-one", mask_one_short},
                                        {"mask-off-by-one", mask_one_more},
                                        {"mask-is-a-set", mask_count},
                                        {"full-last-warp", mask_by_remainder},
                                        {"only-the-last", mask_by_remainder_always},
                                        {0}};
static const StudentFunction active_mask = {
    "active_mask", "unsigned active_mask(int threads, int warp)", 2, VALUE_MASK, 0, mask_right,
    mask_mistakes};

/* ---- blocks and warps ------------------------------------------------------------------------ */

Test(partition, block_size) {
  static const Case cases[] = {{{128, 1, 1}, 128}, {{16, 16, 1}, 256}, {{31, 31, 1}, 961},
                               {{8, 4, 2}, 64},    {{4, 8, 3}, 96},    {{1, 1, 1}, 1},
                               {{1, 1, 64}, 64},   {{4, 8, 32}, 1024}, {{1024, 1, 1}, 1024}};
  EXAMINE(threads_per_block, cases);
}

Test(partition, warps_full) {
  static const Case cases[] = {{{128}, 4}, {{256}, 8}, {{32}, 1}, {{64}, 2}, {{1024}, 32}};
  EXAMINE(warps_per_block, cases);
}

Test(partition, warps_partial) {
  static const Case cases[] = {{{257}, 9}, {{48}, 2}, {{961}, 31}, {{1}, 1},
                               {{31}, 1},  {{33}, 2}, {{100}, 4},  {{1023}, 32}};
  EXAMINE(warps_per_block, cases);
}

Test(partition, idle_lanes) {
  static const Case cases[] = {{{48}, 16}, {{257}, 31}, {{128}, 0},  {{961}, 31}, {{1}, 31},
                               {{31}, 1},  {{33}, 31},  {{1024}, 0}, {{1023}, 1}};
  EXAMINE(idle_lanes, cases);
}

Test(partition, grid_warps) {
  static const Case cases[] = {{{256, 3}, 24}, {{128, 1}, 4}, {{64, 16}, 32}, {{1024, 5}, 160}};
  EXAMINE(warps_per_grid, cases);
}

Test(partition, grid_partial) {
  static const Case cases[] = {{{100, 10}, 40}, {{48, 2}, 4},    {{1, 32}, 32},
                               {{257, 3}, 27},  {{961, 7}, 217}, {{33, 1}, 2}};
  EXAMINE(warps_per_grid, cases);
}

/* ---- threads --------------------------------------------------------------------------------- */

Test(partition, warp_ids) {
  static const Case cases[] = {{{32}, 1}, {{0}, 0},   {{31}, 0},    {{63}, 1},  {{64}, 2},
                               {{83}, 2}, {{256}, 8}, {{1023}, 31}, {{960}, 30}};
  EXAMINE(warp_of_thread, cases);
}

Test(partition, lane_ids) {
  static const Case cases[] = {{{31}, 31}, {{0}, 0},   {{32}, 0},    {{63}, 31}, {{47}, 15},
                               {{83}, 19}, {{256}, 0}, {{1023}, 31}, {{961}, 1}};
  EXAMINE(lane_of_thread, cases);
}

/* ---- masks ----------------------------------------------------------------------------------- */

Test(partition, mask_full) {
  static const Case cases[] = {{{128, 0}, 0xffffffff},   {{128, 3}, 0xffffffff},
                               {{257, 7}, 0xffffffff},   {{48, 0}, 0xffffffff},
                               {{1024, 31}, 0xffffffff}, {{32, 0}, 0xffffffff}};
  EXAMINE(active_mask, cases);
}

Test(partition, mask_last) {
  static const Case cases[] = {{{48, 1}, 0x0000ffff},   {{257, 8}, 0x00000001},
                               {{961, 30}, 0x00000001}, {{1, 0}, 0x00000001},
                               {{31, 0}, 0x7fffffff},   {{1023, 31}, 0x7fffffff},
                               {{100, 3}, 0x0000000f},  {{48, 0}, 0xffffffff}};
  EXAMINE(active_mask, cases);
}

Test(partition, mask_beyond) {
  static const Case cases[] = {{{128, 4}, 0}, {{128, 3}, 0xffffffff}, {{48, 2}, 0},
                               {{257, 9}, 0}, {{1, 31}, 0},           {{1000, 1000}, 0}};
  EXAMINE(active_mask, cases);
}

/* ---- random shapes --------------------------------------------------------------------------- */

/* A block of at most 1024 threads that has two or three dimensions half of the time. */
static void random_shape(Exam *e, int *shape) {
  shape[0] = exam_between(e, 1, exam_random(e, 2) ? 40 : BLOCK_MAX);
  shape[1] = exam_between(e, 1, BLOCK_MAX / shape[0]);
  int most = BLOCK_MAX / (shape[0] * shape[1]);
  shape[2] = exam_between(e, 1, most < 64 ? most : 64);
}

static void random_shapes(Exam *e) {
  int shapes[RANDOM_CASES][ARGUMENTS_MAX], sizes[RANDOM_CASES][ARGUMENTS_MAX] = {0};
  int grids[RANDOM_CASES][ARGUMENTS_MAX] = {0};
  for (int i = 0; i < RANDOM_CASES; i++) {
    random_shape(e, shapes[i]);
    sizes[i][0] = grids[i][0] = shapes[i][0] * shapes[i][1] * shapes[i][2];
    grids[i][1] = exam_between(e, 1, 4096);
  }
  exam_function_of(e, &threads_per_block, shapes, RANDOM_CASES);
  exam_function_of(e, &warps_per_block, sizes, RANDOM_CASES);
  exam_function_of(e, &warps_per_grid, grids, RANDOM_CASES);
}

Test(partition, random_shapes) { exam_seeded(random_shapes); }

static void random_threads(Exam *e) {
  int linear[RANDOM_CASES][ARGUMENTS_MAX] = {{0}};
  for (int n = 0; n < RANDOM_CASES; n++) linear[n][0] = exam_between(e, 0, BLOCK_MAX - 1);
  exam_function_of(e, &warp_of_thread, linear, RANDOM_CASES);
  exam_function_of(e, &lane_of_thread, linear, RANDOM_CASES);
}

Test(partition, random_threads) { exam_seeded(random_threads); }

static void random_masks(Exam *e) {
  int cases[RANDOM_CASES][ARGUMENTS_MAX] = {{0}};
  for (int n = 0; n < RANDOM_CASES; n++) {
    cases[n][0] = exam_between(e, 1, BLOCK_MAX);
    cases[n][1] = exam_random(e, 2) ? (cases[n][0] - 1) / WARP : exam_between(e, 0, WARP - 1);
  }
  exam_function_of(e, &active_mask, cases, RANDOM_CASES);
}

Test(partition, random_masks) { exam_seeded(random_masks); }

/* ---- the kernel ------------------------------------------------------------------------------ */

enum { EMPTY = -1 };

/* Which thread a block's kernel put into each seat: seat 32 * warp + lane. */
typedef struct Plan {
  gpu_dim block;
  uint32_t threads, seats;
  int32_t x[BLOCK_MAX], y[BLOCK_MAX], z[BLOCK_MAX]; /* EMPTY: nothing was written there */
} Plan;

#define KERNEL "seat_threads"
static const StudentKernel seat_threads = {KERNEL, "void seat_threads(int *x, int *y, int *z)",
                                           "ppp"};

static bool launch_block(Exam *e, Plan *plan) {
  gpu_ptr memory[3] = {0};
  int32_t *results[3] = {plan->x, plan->y, plan->z};
  void *args[3] = {&memory[0], &memory[1], &memory[2]};
  size_t bytes = plan->seats * sizeof(int32_t);
  bool good = true;
  for (int i = 0; i < 3 && good; i++) good = exam_buffer(e, &memory[i], NULL, bytes);
  good = good && exam_launch(e, &seat_threads, (gpu_dim){1, 1, 1}, plan->block, args);
  for (int i = 0; i < 3 && good; i++) good = exam_read(e, results[i], memory[i], bytes);
  return good;
}

/* A way to number the threads of a block. */
typedef uint32_t Numbering(gpu_dim thread, gpu_dim block);

static uint32_t number_x(gpu_dim t, gpu_dim b) { return (void)b, t.x; }
static uint32_t number_xy(gpu_dim t, gpu_dim b) { return t.x + t.y * b.x; }
static uint32_t number_z_fastest(gpu_dim t, gpu_dim b) { return (t.x * b.y + t.y) * b.z + t.z; }
static uint32_t number_y_fastest(gpu_dim t, gpu_dim b) { return t.y + t.x * b.y + t.z * b.x * b.y; }
static uint32_t number_sum(gpu_dim t, gpu_dim b) { return (void)b, t.x + t.y + t.z; }

static gpu_dim thread_at(uint32_t linear, gpu_dim b) {
  return (gpu_dim){linear % b.x, linear / b.x % b.y, linear / b.x / b.y};
}

static bool is_empty(const Plan *p, uint32_t seat) {
  return p->x[seat] == EMPTY && p->y[seat] == EMPTY && p->z[seat] == EMPTY;
}

static bool is_thread(const Plan *p, uint32_t seat) {
  return (uint32_t)p->x[seat] < p->block.x && (uint32_t)p->y[seat] < p->block.y &&
         (uint32_t)p->z[seat] < p->block.z;
}

/* Whether the numbering explains the plan: the seats that it reaches, and no others, are taken,
 * each by one of the threads that it sends there. */
static bool explains(const Plan *p, Numbering *number) {
  bool reached[BLOCK_MAX] = {false};
  for (uint32_t i = 0; i < p->threads; i++) {
    uint32_t seat = number(thread_at(i, p->block), p->block);
    if (seat < p->seats) reached[seat] = true;
  }
  for (uint32_t seat = 0; seat < p->seats; seat++) {
    if (reached[seat] == is_empty(p, seat)) return false;
    if (!reached[seat]) continue;
    gpu_dim t = {(uint32_t)p->x[seat], (uint32_t)p->y[seat], (uint32_t)p->z[seat]};
    if (!is_thread(p, seat) || number(t, p->block) != seat) return false;
  }
  return true;
}

/* The hint for the first known numbering that explains the plan; the plan is not the right one. */
static const char *recognise_numbering(const Plan *p) {
  if (explains(p, number_x)) return p->block.z == 1 ? "missing-y" : "missing-z";
  if (explains(p, number_xy)) return "missing-z";
  if (explains(p, number_y_fastest) || explains(p, number_z_fastest)) return "x-fastest";
  if (explains(p, number_sum)) return "linear-id";
  return NULL;
}

static bool nothing_written(const Plan *p) {
  for (uint32_t seat = 0; seat < p->seats; seat++)
    if (!is_empty(p, seat)) return false;
  return true;
}

static bool is_right(const Plan *p, uint32_t seat) {
  if (seat >= p->threads) return is_empty(p, seat);
  gpu_dim t = thread_at(seat, p->block);
  return p->x[seat] == (int32_t)t.x && p->y[seat] == (int32_t)t.y && p->z[seat] == (int32_t)t.z;
}

static void say_seat(Exam *e, const Plan *p, uint32_t seat) {
  gpu_dim b = p->block, t = thread_at(seat, b);
  exam_fail(e, "%s", "");
  exam_say_call(e, KERNEL "<<<1, dim3(%u, %u, %u)>>>: seat %u, that is warp %u, lane %u", b.x, b.y,
                b.z, seat, seat / WARP, seat % WARP);
  if (seat < p->threads)
    exam_say_expected(e, "thread (x %u, y %u, z %u)", t.x, t.y, t.z);
  else
    exam_say_expected(e, "nobody: this lane is idle");
  if (is_empty(p, seat))
    exam_say_got(e, "nobody");
  else
    exam_say_got(e, "x %d, y %d, z %d", p->x[seat], p->y[seat], p->z[seat]);
  exam_say_hint(e, recognise_numbering(p));
}

static void compare_plan(Exam *e, const Plan *p) {
  if (nothing_written(p)) {
    exam_unwritten(e, KERNEL " is not written yet");
    return;
  }
  for (uint32_t seat = 0; seat < p->seats; seat++) {
    if (is_right(p, seat)) continue;
    say_seat(e, p, seat);
    return;
  }
}

static void examine_blocks(const gpu_dim *blocks, size_t count) {
  Exam *e = exam_begin();
  for (size_t i = 0; i < count && !exam_failed(e); i++) {
    uint32_t threads = blocks[i].x * blocks[i].y * blocks[i].z;
    Plan plan = {
        .block = blocks[i], .threads = threads, .seats = (threads + WARP - 1) / WARP * WARP};
    if (!launch_block(e, &plan)) break;
    compare_plan(e, &plan);
    exam_say_function(e, KERNEL);
  }
  exam_end(e);
}

Test(partition, kernel_1d) {
  static const gpu_dim blocks[] = {{128, 1, 1}, {257, 1, 1}, {48, 1, 1}};
  examine_blocks(blocks, COUNT(blocks));
}

Test(partition, kernel_2d) {
  static const gpu_dim blocks[] = {{16, 16, 1}, {31, 31, 1}, {8, 8, 1}};
  examine_blocks(blocks, COUNT(blocks));
}

Test(partition, kernel_3d) {
  static const gpu_dim blocks[] = {{8, 4, 2}, {4, 8, 3}, {5, 3, 7}};
  examine_blocks(blocks, COUNT(blocks));
}

/* ---- predictions ----------------------------------------------------------------------------- */

/* The second warp of so many threads. */
static int64_t predicted_mask(const int *a) { return mask_right((int[]){a[0], 1}); }
/* Width and height. */
static int64_t predicted_idle(const int *a) { return idle_right((int[]){a[0] * a[1]}); }
/* Blocks, threads of each. */
static int64_t predicted_grid(const int *a) { return grid_right((int[]){a[1], a[0]}); }
/* Width, height, x, y. */
static int64_t predicted_warp(const int *a) { return warp_right((int[]){a[2] + a[0] * a[3]}); }

PREDICTION(partition, predict_warps, warps_right, {0})
PREDICTION(partition, predict_mask, predicted_mask, {0})
PREDICTION(partition, predict_idle, predicted_idle, {0})
PREDICTION(partition, predict_grid, predicted_grid, {0})
PREDICTION(partition, predict_warp_of_thread, predicted_warp, {0})
