/* suites/linearize.c - lab 02: blocks of two and three dimensions. */
#include "harness.h"

enum { BLOCK_MAX = 1024, DEPTH_MAX = 64, RANDOM_CASES = 64 };

/* ---- linear ids, and the mistakes that are known --------------------------------------------- */

/* Arguments: x, y, z, width, height. */
static int64_t id_right(const int *a) { return a[0] + (int64_t)a[3] * (a[1] + a[4] * a[2]); }
static int64_t id_x_only(const int *a) { return a[0]; }
static int64_t id_without_z(const int *a) { return a[0] + a[1] * a[3]; }
static int64_t id_y_fastest(const int *a) { return a[1] + a[4] * (a[0] + a[3] * a[2]); }
static int64_t id_by_height(const int *a) { return a[0] + a[4] * (a[1] + a[3] * a[2]); }
static int64_t id_layer_of_width(const int *a) { return a[0] + a[1] * a[3] + a[2] * a[3]; }
static int64_t id_layer_of_height(const int *a) { return a[0] + a[1] * a[3] + a[2] * a[4]; }
static int64_t id_sum(const int *a) { return a[0] + a[1] + a[2]; }

/* A name T(a, b, c) whose parts are taken in another order. */
static int64_t id_in_order(const int *a, int x, int y, int z) {
  return id_right((int[]){a[x], a[y], a[z], a[3], a[4]});
}
static int64_t named_right(const int *a) { return id_in_order(a, 2, 1, 0); }
static int64_t named_xyz(const int *a) { return id_in_order(a, 0, 1, 2); }
static int64_t named_zxy(const int *a) { return id_in_order(a, 1, 2, 0); }

/* Arguments: linear, width, height. */
static int64_t x_right(const int *a) { return a[0] % a[1]; }
static int64_t y_right(const int *a) { return a[0] / a[1] % a[2]; }
static int64_t z_right(const int *a) { return a[0] / (a[1] * a[2]); }
static int64_t row_number(const int *a) { return a[0] / a[1]; }
static int64_t by_height(const int *a) { return a[0] / a[2]; }
static int64_t rest_by_height(const int *a) { return a[0] % a[2]; }

/* ---- warps, rows ----------------------------------------------------------------------------- */

static int64_t warp_right(const int *a) { return id_right(a) / WARP; }
static int64_t warp_x_only(const int *a) { return id_x_only(a) / WARP; }
static int64_t warp_y_fastest(const int *a) { return id_y_fastest(a) / WARP; }
static int64_t warp_without_z(const int *a) { return id_without_z(a) / WARP; }
/* Each row, or each layer, begins a new warp. */
static int64_t warp_padded_rows(const int *a) {
  return (a[1] + (int64_t)a[4] * a[2]) * divide_up(a[3], WARP) + a[0] / WARP;
}
static int64_t warp_padded_layers(const int *a) {
  return a[2] * divide_up((int64_t)a[3] * a[4], WARP) + id_without_z(a) / WARP;
}

/* Arguments: x, y, z of two threads, width, height. */
static int64_t id_of_pair(const int *a, int first) {
  return id_right((int[]){a[first], a[first + 1], a[first + 2], a[6], a[7]});
}
static int64_t share_right(const int *a) {
  return id_of_pair(a, 0) / WARP == id_of_pair(a, 3) / WARP;
}
static int64_t share_not(const int *a) { return !share_right(a); }
static int64_t share_near(const int *a) {
  int64_t distance = id_of_pair(a, 0) - id_of_pair(a, 3);
  return distance < WARP && distance > -WARP;
}
static int64_t share_row(const int *a) { return a[1] == a[4] && a[2] == a[5]; }
static int64_t share_x_only(const int *a) { return a[0] / WARP == a[3] / WARP; }

/* Arguments: y, z, warp, width, height. */
static int64_t row_begin(const int *a) { return id_right((int[]){0, a[0], a[1], a[3], a[4]}); }
static int64_t row_right(const int *a) {
  int64_t begin = row_begin(a) - (int64_t)a[2] * WARP;
  return lowest_lanes(begin + a[3]) & ~lowest_lanes(begin);
}
static int64_t row_from_lane_0(const int *a) { return row_right(a) ? lowest_lanes(a[3]) : 0; }
/* The row's lanes in the warp that it begins in, whichever warp is asked for. */
static int64_t row_any_warp(const int *a) {
  int64_t lane = row_begin(a) % WARP;
  return lowest_lanes(lane + a[3]) & ~lowest_lanes(lane);
}
static int64_t row_first_warp(const int *a) {
  return row_begin(a) / WARP == a[2] ? row_any_warp(a) : 0;
}
static int64_t row_not(const int *a) { return lowest_lanes(WARP) ^ row_right(a); }

/* Arguments: warp, width, height, depth. */
static int64_t rows_to(const int *a, int64_t end) {
  int64_t first = (int64_t)a[0] * WARP;
  return first >= end ? 0 : (end - 1) / a[1] - first / a[1] + 1;
}
static int64_t rows_right(const int *a) {
  int64_t end = (int64_t)a[0] * WARP + WARP, threads = (int64_t)a[1] * a[2] * a[3];
  return rows_to(a, end < threads ? end : threads);
}
static int64_t rows_always(const int *a) { return rows_to(a, (int64_t)a[0] * WARP + WARP); }
static bool has_warp(const int *a) { return (int64_t)a[0] * WARP < (int64_t)a[1] * a[2] * a[3]; }
static int64_t rows_past_the_end(const int *a) { return has_warp(a) ? rows_always(a) : 0; }
static int64_t rows_fit_always(const int *a) { return WARP / a[1]; }
static int64_t rows_fit(const int *a) { return has_warp(a) ? WARP / a[1] : 0; }
static int64_t rows_fit_rounded_up(const int *a) { return has_warp(a) ? divide_up(WARP, a[1]) : 0; }

/* ---- what the student writes ----------------------------------------------------------------- */

static const Mistake id_mistakes[] = {{"missing-y", id_x_only},
                                      {"missing-z", id_without_z},
                                      {"x-fastest", id_y_fastest},
                                      {"height-for-width", id_by_height},
                                      {"layer-size", id_layer_of_width},
                                      {"layer-size", id_layer_of_height},
                                      {"x-fastest", id_sum},
                                      {0}};
static const StudentFunction linear_id = {
    "linear_id", "int linear_id(int x, int y, int z, int width, int height)",
    5,           VALUE_NUMBER,
    -1,          id_right,
    id_mistakes};

static const Mistake name_mistakes[] = {{"name-order", named_xyz}, {"name-order", named_zxy}, {0}};
static const StudentFunction id_of_name = {
    "id_of_name",
    "int id_of_name(int a, int b, int c, int width, int height)",
    5,
    VALUE_NUMBER,
    -1,
    named_right,
    name_mistakes};

static const Mistake x_mistakes[] = {
    {"swapped-xy", row_number}, {"swapped-xy", y_right}, {"way-back", rest_by_height}, {0}};
static const StudentFunction thread_x = {
    "thread_x", "int thread_x(int linear, int width, int height)", 3, VALUE_NUMBER, -1, x_right,
    x_mistakes};

static const Mistake y_mistakes[] = {
    {"wrap-y", row_number}, {"swapped-xy", x_right}, {"height-for-width", by_height}, {0}};
static const StudentFunction thread_y = {
    "thread_y", "int thread_y(int linear, int width, int height)", 3, VALUE_NUMBER, -1, y_right,
    y_mistakes};

static const Mistake z_mistakes[] = {{"layer-size", row_number}, {"layer-size", by_height}, {0}};
static const StudentFunction thread_z = {
    "thread_z", "int thread_z(int linear, int width, int height)", 3, VALUE_NUMBER, -1, z_right,
    z_mistakes};

static const Mistake warp_mistakes[] = {{"warp-of-id", id_right},
                                        {"warp-by-x", warp_x_only},
                                        {"x-fastest", warp_y_fastest},
                                        {"missing-z", warp_without_z},
                                        {"rows-are-joined", warp_padded_rows},
                                        {"layers-are-joined", warp_padded_layers},
                                        {0}};
static const StudentFunction warp_of = {"warp_of",
                                        "int warp_of(int x, int y, int z, int width, int height)",
                                        5,
                                        VALUE_NUMBER,
                                        -1,
                                        warp_right,
                                        warp_mistakes};

static const Mistake share_mistakes[] = {{"inverted", share_not},
                                         {"distance", share_near},
                                         {"same-row", share_row},
                                         {"warp-by-x", share_x_only},
                                         {0}};
static const StudentFunction share_warp = {
    "share_warp",
    "int share_warp(int x1, int y1, int z1, int x2, int y2, int z2, int width, int height)",
    8,
    VALUE_NUMBER,
    -1,
    share_right,
    share_mistakes};

static const Mistake row_mistakes[] = {{"row-from-lane-0", row_from_lane_0},
                                       {"other-warps", row_any_warp},
                                       {"rows-are-joined", row_first_warp},
                                       {"other-lanes", row_not},
                                       {0}};
static const StudentFunction row_mask = {
    "row_mask",  "unsigned row_mask(int y, int z, int warp, int width, int height)",
    5,           VALUE_MASK,
    0,           row_right,
    row_mistakes};

static const Mistake count_mistakes[] = {{"rows-fit", rows_fit},
                                         {"rows-fit", rows_fit_always},
                                         {"rows-fit", rows_fit_rounded_up},
                                         {"block-ends", rows_past_the_end},
                                         {"block-ends", rows_always},
                                         {0}};
static const StudentFunction rows_of_warp = {
    "rows_of_warp",
    "int rows_of_warp(int warp, int width, int height, int depth)",
    4,
    VALUE_NUMBER,
    -1,
    rows_right,
    count_mistakes};

/* ---- there ----------------------------------------------------------------------------------- */

Test(linearize, linear_2d) {
  static const Case cases[] = {
      {{3, 5, 0, 16, 16}, 83}, {{0, 0, 0, 8, 8}, 0},     {{7, 3, 0, 8, 8}, 31},
      {{0, 4, 0, 8, 8}, 32},   {{7, 7, 0, 8, 8}, 63},    {{30, 30, 0, 31, 31}, 960},
      {{5, 2, 0, 10, 3}, 25},  {{0, 1, 0, 257, 2}, 257}, {{100, 0, 0, 1024, 1}, 100}};
  EXAMINE(linear_id, cases);
}

Test(linearize, linear_3d) {
  static const Case cases[] = {
      {{0, 0, 1, 4, 8}, 32}, {{3, 7, 0, 4, 8}, 31},    {{3, 7, 1, 4, 8}, 63},
      {{2, 3, 1, 4, 8}, 46}, {{1, 2, 3, 5, 3}, 56},    {{0, 0, 63, 1, 1}, 63},
      {{6, 1, 2, 7, 3}, 55}, {{3, 7, 31, 4, 8}, 1023}, {{9, 0, 1, 10, 10}, 109}};
  EXAMINE(linear_id, cases);
}

Test(linearize, names) {
  static const Case cases[] = {{{1, 0, 0, 4, 8}, 32}, {{0, 7, 3, 4, 8}, 31}, {{1, 7, 3, 4, 8}, 63},
                               {{1, 3, 2, 4, 8}, 46}, {{0, 3, 7, 8, 8}, 31}, {{0, 4, 0, 8, 8}, 32},
                               {{2, 1, 6, 7, 3}, 55}};
  EXAMINE(id_of_name, cases);
}

/* ---- and back -------------------------------------------------------------------------------- */

Test(linearize, back_2d) {
  static const Case x[] = {{{83, 16, 16}, 3}, {{31, 8, 8}, 7}, {{32, 8, 8}, 0}, {{25, 10, 3}, 5}};
  static const Case y[] = {{{83, 16, 16}, 5}, {{31, 8, 8}, 3}, {{32, 8, 8}, 4}, {{25, 10, 3}, 2}};
  Exam *e = exam_begin();
  exam_function(e, &thread_x, x, COUNT(x));
  exam_function(e, &thread_y, y, COUNT(y));
  exam_end(e);
}

Test(linearize, back_3d) {
  static const Case x[] = {{{46, 4, 8}, 2}, {{32, 4, 8}, 0}, {{55, 7, 3}, 6}, {{1023, 4, 8}, 3}};
  static const Case y[] = {{{46, 4, 8}, 3}, {{32, 4, 8}, 0}, {{55, 7, 3}, 1}, {{1023, 4, 8}, 7}};
  static const Case z[] = {{{46, 4, 8}, 1}, {{31, 4, 8}, 0}, {{55, 7, 3}, 2}, {{1023, 4, 8}, 31}};
  Exam *e = exam_begin();
  exam_function(e, &thread_x, x, COUNT(x));
  exam_function(e, &thread_y, y, COUNT(y));
  exam_function(e, &thread_z, z, COUNT(z));
  exam_end(e);
}

/* ---- warps ----------------------------------------------------------------------------------- */

Test(linearize, warp_whole) {
  static const Case cases[] = {{{7, 3, 0, 8, 8}, 0},   {{0, 4, 0, 8, 8}, 1},
                               {{3, 7, 0, 4, 8}, 0},   {{0, 0, 1, 4, 8}, 1},
                               {{3, 5, 0, 16, 16}, 2}, {{15, 15, 0, 16, 16}, 7}};
  EXAMINE(warp_of, cases);
}

Test(linearize, warp_ragged) {
  static const Case cases[] = {
      {{30, 0, 0, 31, 31}, 0},   {{0, 1, 0, 31, 31}, 0}, {{1, 1, 0, 31, 31}, 1},
      {{30, 30, 0, 31, 31}, 30}, {{1, 3, 0, 10, 10}, 0}, {{2, 3, 0, 10, 10}, 1},
      {{0, 0, 2, 5, 3}, 0},      {{2, 0, 2, 5, 3}, 1},   {{4, 2, 6, 5, 3}, 3},
      {{0, 1, 0, 48, 3}, 1},     {{16, 1, 0, 48, 3}, 2}};
  EXAMINE(warp_of, cases);
}

/* ---- sharing --------------------------------------------------------------------------------- */

Test(linearize, same_warp) {
  static const Case cases[] = {{{0, 0, 0, 7, 3, 0, 8, 8}, 1},     {{7, 3, 0, 0, 4, 0, 8, 8}, 0},
                               {{0, 0, 0, 0, 7, 0, 8, 8}, 0},     {{3, 7, 0, 0, 0, 1, 4, 8}, 0},
                               {{0, 0, 1, 3, 7, 1, 4, 8}, 1},     {{0, 0, 0, 0, 1, 0, 31, 31}, 1},
                               {{0, 1, 0, 1, 1, 0, 31, 31}, 0},   {{0, 0, 0, 47, 0, 0, 48, 3}, 0},
                               {{40, 0, 0, 10, 1, 0, 48, 3}, 1},  {{5, 5, 0, 5, 5, 0, 16, 16}, 1},
                               {{0, 3, 0, 1, 3, 0, 10, 10}, 1},   {{1, 3, 0, 2, 3, 0, 10, 10}, 0},
                               {{30, 30, 0, 0, 30, 0, 31, 31}, 0}};
  EXAMINE(share_warp, cases);
}

Test(linearize, row_masks) {
  static const Case cases[] = {{{0, 0, 0, 8, 8}, 0x000000ff},    {{3, 0, 0, 8, 8}, 0xff000000},
                               {{4, 0, 1, 8, 8}, 0x000000ff},    {{4, 0, 0, 8, 8}, 0},
                               {{5, 0, 2, 16, 16}, 0xffff0000},  {{1, 0, 0, 31, 31}, 0x80000000},
                               {{1, 0, 1, 31, 31}, 0x3fffffff},  {{3, 0, 1, 12, 12}, 0x0000fff0},
                               {{2, 1, 1, 4, 8}, 0x00000f00},    {{0, 0, 0, 48, 3}, 0xffffffff},
                               {{0, 0, 1, 48, 3}, 0x0000ffff},   {{1, 0, 1, 48, 3}, 0xffff0000},
                               {{0, 0, 31, 1024, 1}, 0xffffffff}};
  EXAMINE(row_mask, cases);
}

Test(linearize, row_counts) {
  static const Case cases[] = {{{0, 8, 8, 1}, 4},    {{0, 4, 8, 2}, 8},   {{1, 4, 8, 2}, 8},
                               {{0, 16, 16, 1}, 2},  {{0, 31, 31, 1}, 2}, {{1, 31, 31, 1}, 2},
                               {{30, 31, 31, 1}, 1}, {{0, 10, 10, 1}, 4}, {{3, 10, 10, 1}, 1},
                               {{4, 10, 10, 1}, 0},  {{0, 48, 3, 1}, 1},  {{1, 48, 3, 1}, 2},
                               {{0, 1, 1, 64}, 32}};
  EXAMINE(rows_of_warp, cases);
}

/* ---- random blocks --------------------------------------------------------------------------- */

static gpu_dim random_block(Exam *e) {
  int x = exam_between(e, 1, exam_random(e, 3) ? 40 : 300);
  int y = exam_between(e, 1, BLOCK_MAX / x), deepest = BLOCK_MAX / (x * y);
  int z = exam_between(e, 1, deepest < DEPTH_MAX ? deepest : DEPTH_MAX);
  return (gpu_dim){(uint32_t)x, (uint32_t)y, (uint32_t)z};
}

static uint32_t threads_of(gpu_dim b) { return b.x * b.y * b.z; }

static gpu_dim thread_at(uint32_t linear, gpu_dim b) {
  return (gpu_dim){linear % b.x, linear / b.x % b.y, linear / b.x / b.y};
}

static void put3(int *to, uint32_t a, uint32_t b, uint32_t c) {
  to[0] = (int)a;
  to[1] = (int)b;
  to[2] = (int)c;
}

static void put_size(int *to, gpu_dim b) {
  to[0] = (int)b.x;
  to[1] = (int)b.y;
}

static void random_ids(Exam *e) {
  int threads[RANDOM_CASES][ARGUMENTS_MAX] = {{0}}, names[RANDOM_CASES][ARGUMENTS_MAX] = {{0}};
  int ids[RANDOM_CASES][ARGUMENTS_MAX] = {{0}};
  for (int i = 0; i < RANDOM_CASES; i++) {
    gpu_dim b = random_block(e);
    uint32_t linear = exam_random(e, threads_of(b));
    gpu_dim t = thread_at(linear, b);
    put3(threads[i], t.x, t.y, t.z);
    put3(names[i], t.z, t.y, t.x);
    put_size(threads[i] + 3, b);
    put_size(names[i] + 3, b);
    ids[i][0] = (int)linear;
    put_size(ids[i] + 1, b);
  }
  exam_function_of(e, &linear_id, threads, RANDOM_CASES);
  exam_function_of(e, &id_of_name, names, RANDOM_CASES);
  exam_function_of(e, &thread_x, ids, RANDOM_CASES);
  exam_function_of(e, &thread_y, ids, RANDOM_CASES);
  exam_function_of(e, &thread_z, ids, RANDOM_CASES);
}

/* Threads that are often near each other. */
static void random_sharing(Exam *e) {
  int threads[RANDOM_CASES][ARGUMENTS_MAX] = {{0}}, pairs[RANDOM_CASES][ARGUMENTS_MAX] = {{0}};
  for (int i = 0; i < RANDOM_CASES; i++) {
    gpu_dim b = random_block(e);
    uint32_t n = threads_of(b), one = exam_random(e, n), other = exam_random(e, n);
    if (exam_random(e, 4)) other = one / WARP * WARP + exam_random(e, 2 * WARP);
    gpu_dim t = thread_at(one, b), u = thread_at(other < n ? other : n - 1, b);
    put3(threads[i], t.x, t.y, t.z);
    put3(pairs[i], t.x, t.y, t.z);
    put3(pairs[i] + 3, u.x, u.y, u.z);
    put_size(threads[i] + 3, b);
    put_size(pairs[i] + 6, b);
  }
  exam_function_of(e, &warp_of, threads, RANDOM_CASES);
  exam_function_of(e, &share_warp, pairs, RANDOM_CASES);
}

static void random_rows(Exam *e) {
  int rows[RANDOM_CASES][ARGUMENTS_MAX] = {{0}}, warps[RANDOM_CASES][ARGUMENTS_MAX] = {{0}};
  for (int i = 0; i < RANDOM_CASES; i++) {
    gpu_dim b = random_block(e), t = thread_at(exam_random(e, threads_of(b)), b);
    uint32_t begin = b.x * (t.y + b.y * t.z);
    put3(rows[i], t.y, t.z, (begin + exam_random(e, b.x)) / WARP + exam_random(e, 8) / 7);
    put_size(rows[i] + 3, b);
    put3(warps[i], exam_random(e, threads_of(b) / WARP + 2), b.x, b.y);
    warps[i][3] = (int)b.z;
  }
  exam_function_of(e, &row_mask, rows, RANDOM_CASES);
  exam_function_of(e, &rows_of_warp, warps, RANDOM_CASES);
}

Test(linearize, random_ids) { exam_seeded(random_ids); }
Test(linearize, random_sharing) { exam_seeded(random_sharing); }
Test(linearize, random_rows) { exam_seeded(random_rows); }

/* ---- the kernels ----------------------------------------------------------------------------- */

/* What a kernel wrote: places of three numbers each, EMPTY where nothing was written. */
enum { EMPTY = -1, NAME = 3 };

typedef struct Roll {
  const StudentKernel *kernel;
  gpu_dim block;
  uint32_t places;
  uint32_t step; /* the right thread of place p has the linear id p * step */
  int32_t names[BLOCK_MAX][NAME];
} Roll;

static bool launch_roll(Exam *e, Roll *r) {
  gpu_ptr names;
  size_t bytes = (size_t)r->places * sizeof r->names[0];
  return exam_buffer(e, &names, NULL, bytes) &&
         exam_launch(e, r->kernel, (gpu_dim){1, 1, 1}, r->block, (void *[]){&names}) &&
         exam_read(e, r->names, names, bytes);
}

static bool is_empty(const Roll *r, uint32_t place) {
  const int32_t *name = r->names[place];
  return name[0] == EMPTY && name[1] == EMPTY && name[2] == EMPTY;
}

static bool nothing_written(const Roll *r) {
  for (uint32_t place = 0; place < r->places; place++)
    if (!is_empty(r, place)) return false;
  return true;
}

static bool is_right(const Roll *r, uint32_t place) {
  gpu_dim t = thread_at(place * r->step, r->block);
  const int32_t *name = r->names[place];
  return name[0] == (int32_t)t.z && name[1] == (int32_t)t.y && name[2] == (int32_t)t.x;
}

/* The thread whose name stands at the place; false when that is no thread of the block. */
static bool thread_named(const Roll *r, uint32_t place, gpu_dim *t) {
  const int32_t *name = r->names[place];
  *t = (gpu_dim){(uint32_t)name[2], (uint32_t)name[1], (uint32_t)name[0]};
  return t->x < r->block.x && t->y < r->block.y && t->z < r->block.z;
}

/* Whether every name that is written stands where this numbering sends its thread. */
static bool explains(const Roll *r, int64_t (*number)(const int *)) {
  for (uint32_t place = 0; place < r->places; place++) {
    gpu_dim t;
    if (is_empty(r, place)) continue;
    if (!thread_named(r, place, &t)) return false;
    if (number((int[]){(int)t.x, (int)t.y, (int)t.z, (int)r->block.x, (int)r->block.y}) != place)
      return false;
  }
  return true;
}

/* Whether each place holds the right name, x before y before z. */
static bool names_reversed(const Roll *r) {
  for (uint32_t place = 0; place < r->places; place++) {
    gpu_dim t = thread_at(place * r->step, r->block);
    const int32_t *name = r->names[place];
    if (name[0] != (int32_t)t.x || name[1] != (int32_t)t.y || name[2] != (int32_t)t.z) return false;
  }
  return true;
}

static const char *recognise_roll(const Roll *r) {
  if (names_reversed(r)) return "name-order";
  for (const Mistake *m = id_mistakes; m->hint; m++)
    if (explains(r, m->value)) return m->hint;
  return NULL;
}

/* Whether all the leaders satisfy a condition. */
static bool all_leaders(const Roll *r, bool (*is)(const Roll *r, gpu_dim thread, uint32_t warp)) {
  for (uint32_t place = 0; place < r->places; place++) {
    gpu_dim t;
    if (is_empty(r, place) || !thread_named(r, place, &t) || !is(r, t, place)) return false;
  }
  return true;
}

static uint32_t linear_of(const Roll *r, gpu_dim t) {
  return t.x + r->block.x * (t.y + r->block.y * t.z);
}
static bool leads_row(const Roll *r, gpu_dim t, uint32_t warp) {
  return t.x % WARP == 0 && linear_of(r, t) / WARP == warp;
}
/* The warp's last thread is the one that comes through when all write. */
static bool is_last(const Roll *r, gpu_dim t, uint32_t warp) {
  uint32_t last = warp * WARP + WARP - 1, threads = threads_of(r->block);
  return linear_of(r, t) == (last < threads ? last : threads - 1);
}

static const char *recognise_leaders(const Roll *r) {
  if (names_reversed(r)) return "name-order";
  if (all_leaders(r, is_last)) return "everyone";
  if (all_leaders(r, leads_row)) return "leader-by-x";
  return NULL;
}

static void say_place(Exam *e, const Roll *r, uint32_t place) {
  gpu_dim b = r->block, t = thread_at(place * r->step, b);
  const int32_t *name = r->names[place];
  exam_fail(e, "%s", "");
  exam_say_call(e, "%s<<<1, dim3(%u, %u, %u)>>>: names[%u] to names[%u]", r->kernel->name, b.x, b.y,
                b.z, NAME * place, NAME * place + 2);
  exam_say_expected(e, "%u, %u, %u: T(%u,%u,%u)", t.z, t.y, t.x, t.z, t.y, t.x);
  if (is_empty(r, place))
    exam_say_got(e, "nothing");
  else
    exam_say_got(e, "%d, %d, %d", name[0], name[1], name[2]);
  exam_say_hint(e, r->step == 1 ? recognise_roll(r) : recognise_leaders(r));
}

static void compare_roll(Exam *e, const Roll *r) {
  uint32_t place = 0;
  while (place < r->places && is_right(r, place)) place++;
  if (place == r->places) return;
  if (nothing_written(r))
    exam_unwritten(e, "%s is not written yet", r->kernel->name);
  else
    say_place(e, r, place);
  exam_say_function(e, r->kernel->name);
  exam_close_failure(e);
}

static void examine_blocks(const StudentKernel *kernel, uint32_t step, const gpu_dim *blocks,
                           size_t count) {
  Exam *e = exam_begin();
  for (size_t i = 0; i < count && !exam_failed(e); i++) {
    Roll roll = {.kernel = kernel, .block = blocks[i], .step = step};
    roll.places = (threads_of(blocks[i]) + step - 1) / step;
    if (launch_roll(e, &roll)) compare_roll(e, &roll);
  }
  exam_end(e);
}

static const StudentKernel roll_call = {"roll_call", "void roll_call(int *names)", "p"};
static const StudentKernel leaders = {"leaders", "void leaders(int *names)", "p"};

Test(linearize, roll_2d) {
  static const gpu_dim blocks[] = {{8, 8, 1}, {31, 31, 1}, {10, 3, 1}, {48, 3, 1}};
  examine_blocks(&roll_call, 1, blocks, COUNT(blocks));
}

Test(linearize, roll_3d) {
  static const gpu_dim blocks[] = {{4, 8, 2}, {5, 3, 7}, {7, 3, 3}, {1, 1, 64}};
  examine_blocks(&roll_call, 1, blocks, COUNT(blocks));
}

Test(linearize, leader_names) {
  static const gpu_dim blocks[] = {{8, 8, 1}, {4, 8, 2}, {16, 16, 1}, {31, 31, 1}, {5, 3, 7}};
  examine_blocks(&leaders, WARP, blocks, COUNT(blocks));
}

/* ---- predictions ----------------------------------------------------------------------------- */

/* Width, height: the first row of warp 1. */
static int64_t predicted_row(const int *a) { return y_right((int[]){WARP, a[0], a[1]}); }

/* z, y, x in a block of 4 x 8 x 2. */
#define NAMED(a) ((int[]){a[0], a[1], a[2], 4, 8})
static int64_t predicted_layer(const int *a) { return named_right(NAMED(a)); }
static int64_t predicted_layer_xyz(const int *a) { return named_xyz(NAMED(a)); }
static int64_t predicted_layer_of_width(const int *a) {
  return id_layer_of_width((int[]){a[2], a[1], a[0], 4, 8});
}

/* A linear id in the same block: its name in three digits. */
#define PLACE(a) ((int[]){a[0], 4, 8})
static int64_t predicted_name(const int *a) {
  return 100 * z_right(PLACE(a)) + 10 * y_right(PLACE(a)) + x_right(PLACE(a));
}
static int64_t predicted_name_xyz(const int *a) {
  return 100 * x_right(PLACE(a)) + 10 * y_right(PLACE(a)) + z_right(PLACE(a));
}
/* The rows counted through all layers, in two digits. */
static int64_t predicted_name_unwrapped(const int *a) {
  return 1000 * z_right(PLACE(a)) + 10 * row_number(PLACE(a)) + x_right(PLACE(a));
}

/* Width, height: the warps of row 1. */
static int64_t predicted_split(const int *a) { return (2 * a[0] - 1) / WARP - a[0] / WARP + 1; }

/* Width, height, y: the lanes of that row in warp 1. */
#define ROW(a) ((int[]){a[2], 0, 1, a[0], a[1]})
static int64_t predicted_lanes(const int *a) { return row_right(ROW(a)); }
static int64_t predicted_lanes_from_0(const int *a) { return row_from_lane_0(ROW(a)); }

PREDICTION(linearize, predict_row, predicted_row, {0})
PREDICTION(linearize, predict_layer, predicted_layer, {"name-order", predicted_layer_xyz},
           {"layer-size", predicted_layer_of_width}, {0})
PREDICTION(linearize, predict_name, predicted_name, {"name-order", predicted_name_xyz},
           {"wrap-y", predicted_name_unwrapped}, {0})
PREDICTION(linearize, predict_split, predicted_split, {0})
PREDICTION(linearize, predict_row_mask, predicted_lanes,
           {"row-from-lane-0", predicted_lanes_from_0}, {0})
