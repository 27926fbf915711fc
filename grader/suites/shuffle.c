/* suites/shuffle.c - lab 08: lanes that read one another's registers. */
#include <limits.h>
#include <string.h>

#include "cli/element.h"
#include "harness.h"

enum { THREADS_MAX = 2048 };

/* ---- what the student writes ----------------------------------------------------------------- */

STUDENT_KERNEL(sum_all, "(const int *in, int *out)", "pp");
STUDENT_KERNEL(sum_first, "(const int *in, int *out)", "pp");
STUDENT_KERNEL(sum_groups, "(const int *in, int *out, int width)", "ppi");
STUDENT_KERNEL(shift_groups, "(const int *in, int *out, int distance, int width)", "ppii");
STUDENT_KERNEL(max_of_some, "(const int *in, int *out, int n)", "ppi");
STUDENT_KERNEL(argmax, "(const float *in, int *place)", "pp");
STUDENT_KERNEL(scan, "(const int *in, int *out)", "pp");
STUDENT_KERNEL(scan_segments, "(const int *in, const int *head, int *out)", "ppp");
STUDENT_KERNEL(sum_block, "(const int *in, int *out)", "pp");
STUDENT_KERNEL(sum_long, "(const long long *in, long long *out)", "pp");
STUDENT_KERNEL(sum_half, "(const __half *in, __half *out)", "pp");

/* One launch of a kernel over ints, and its arrays. */
typedef struct Scene {
  uint32_t blocks, threads; /* of a block */
  int32_t in[THREADS_MAX], head[THREADS_MAX], expected[THREADS_MAX];
  int32_t n, distance, width;
} Scene;

static uint32_t elements(const Scene *s) { return s->blocks * s->threads; }

static KernelRun begin_run(const StudentKernel *kernel, const Scene *s) {
  return (KernelRun){.kernel = kernel, .grid = {s->blocks, 1, 1}, .block = {s->threads, 1, 1}};
}

#define FOR_ELEMENTS(i, run) for (int i = 0; i < run_count(run); i++)

/* ---- inputs ---------------------------------------------------------------------------------- */

static const char made_of_i[] = "in[i] = 3 i mod 101 - 20";

static void fill_in(Scene *s) {
  for (int i = 0; i < (int)elements(s); i++) s->in[i] = 3 * i % 101 - 20;
}

static void fill_random(Exam *e, Scene *s) {
  for (uint32_t i = 0; i < elements(s); i++) s->in[i] = exam_between(e, -1000, 1000);
}

/* ---- sums ------------------------------------------------------------------------------------ */

/* The sum of in[from] to in[to - 1]. */
static int32_t sum_of(const int32_t *in, int from, int to) {
  int32_t sum = 0;
  for (int i = from; i < to; i++) sum += in[i];
  return sum;
}

/* The first element of the group of `width` that i is in. */
static int group_of(int i, int width) { return i - i % width; }

static void groups_right(const KernelRun *run, int width, void *after) {
  int32_t *out = after;
  FOR_ELEMENTS(i, run) {
    int first = group_of(i, width);
    out[i] = sum_of(run_input(run), first, first + width);
  }
}

static void all_right(const KernelRun *run, void *after) { groups_right(run, WARP, after); }

static void all_stored_by_first(const KernelRun *run, void *after) {
  int32_t *out = after;
  for (int i = 0; i < run_count(run); i += WARP) out[i] = sum_of(run_input(run), i, i + WARP);
}

/* One step of every lane: what it reads is picked by the distance. */
typedef int Reader(int i, int distance, int width);

static int read_down(int i, int distance, int width) {
  return i % width + distance < width ? i + distance : i;
}
/* By xor with more than the width: only the groups before one's own can be reached. */
static int read_xor(int i, int distance, int width) {
  int other = i ^ distance;
  return other < group_of(i, width) + width ? other : i;
}

static void add_step(int32_t *v, int count, Reader *reader, int distance, int width) {
  int32_t old[THREADS_MAX];
  memcpy(old, v, (size_t)count * sizeof *v);
  for (int i = 0; i < count; i++) v[i] = old[i] + old[reader(i, distance, width)];
}

static void add_up(const KernelRun *run, Reader *reader, int from, int width, void *after) {
  int32_t *out = after;
  memcpy(out, run_input(run), (size_t)run_count(run) * sizeof *out);
  for (int o = from; o > 0; o /= 2) add_step(out, run_count(run), reader, o, width);
}

static void all_by_down(const KernelRun *run, void *after) {
  add_up(run, read_down, WARP / 2, WARP, after);
}
static void groups_by_down(const KernelRun *run, void *after) {
  add_up(run, read_down, run_value(run, 2) / 2, run_value(run, 2), after);
}
static void groups_from_16(const KernelRun *run, void *after) {
  add_up(run, read_xor, WARP / 2, run_value(run, 2), after);
}

static const KernelMistake all_mistakes[] = {
    {"all-lanes", all_stored_by_first}, {"all-lanes", all_by_down}, {0}};
static const KernelMistake groups_mistakes[] = {
    {"width", all_right}, {"width-steps", groups_from_16}, {"all-lanes", groups_by_down}, {0}};

static void examine_sum_all(Exam *e, Scene *s, const CounterBound *bounds) {
  KernelRun run = begin_run(&sum_all, s);
  run.input = made_of_i;
  run.arguments[0] = argument_input("in", "i32", s->in, elements(s));
  run.arguments[1] = argument_output("out", "i32", s->expected, elements(s), OWNER_THREAD);
  run.mistakes = all_mistakes;
  run.bounds = bounds;
  all_right(&run, s->expected);
  exam_run(e, &run);
}

Test(shuffle, sum_all) {
  Exam *e = exam_begin();
  Scene s = {.blocks = 2, .threads = 64};
  fill_in(&s);
  examine_sum_all(e, &s, NULL);
  exam_end(e);
}

/* The last lane holds the sum after a reduction by shfl_up, not after one by shfl_down. */
static void first_is_last(const KernelRun *run, void *after) {
  int32_t down[THREADS_MAX], *out = after;
  all_by_down(run, down);
  for (int w = 0; w < run_count(run) / WARP; w++) out[w] = down[w * WARP + WARP - 1];
}
static void first_of_block_only(const KernelRun *run, void *after) {
  int32_t *out = after;
  for (int i = 0; i < run_count(run); i += (int)run->block.x)
    out[i / WARP] = sum_of(run_input(run), i, i + WARP);
}
static const KernelMistake first_mistakes[] = {
    {"first-lane", first_is_last}, {"every-warp", first_of_block_only}, {0}};

Test(shuffle, sum_first) {
  Exam *e = exam_begin();
  Scene s = {.blocks = 3, .threads = 96};
  fill_in(&s);
  for (int w = 0; w < 9; w++) s.expected[w] = sum_of(s.in, WARP * w, WARP * w + WARP);
  KernelRun run = begin_run(&sum_first, &s);
  run.input = made_of_i;
  run.arguments[0] = argument_input("in", "i32", s.in, elements(&s));
  run.arguments[1] = argument_output("out", "i32", s.expected, 9, OWNER_WARP);
  run.mistakes = first_mistakes;
  exam_run(e, &run);
  exam_end(e);
}

/* ---- groups ---------------------------------------------------------------------------------- */

static void examine_sum_groups(Exam *e, Scene *s) {
  KernelRun run = begin_run(&sum_groups, s);
  run.input = made_of_i;
  run.arguments[0] = argument_input("in", "i32", s->in, elements(s));
  run.arguments[1] = argument_output("out", "i32", s->expected, elements(s), OWNER_THREAD);
  run.arguments[2] = argument_value("width", "i32", &s->width);
  run.mistakes = groups_mistakes;
  groups_right(&run, s->width, s->expected);
  exam_run(e, &run);
}

Test(shuffle, sum_groups) {
  static const int32_t widths[] = {8, 4, 32, 16, 2, 1};
  Exam *e = exam_begin();
  Scene s = {.blocks = 1, .threads = 64};
  fill_in(&s);
  for (size_t i = 0; i < COUNT(widths); i++) {
    s.width = widths[i];
    examine_sum_groups(e, &s);
  }
  exam_end(e);
}

static void shift_by(const KernelRun *run, int distance, int width, bool own_at_edge, void *after) {
  int32_t *out = after;
  FOR_ELEMENTS(i, run) {
    int from = i % width - distance;
    out[i] = from >= 0 && from < width ? run_input(run)[i - distance]
             : own_at_edge             ? run_input(run)[i]
                                       : 0;
  }
}
static void shift_right(const KernelRun *run, void *after) {
  shift_by(run, run_value(run, 2), run_value(run, 3), false, after);
}
static void shift_keeps_own(const KernelRun *run, void *after) {
  shift_by(run, run_value(run, 2), run_value(run, 3), true, after);
}
static void shift_without_width(const KernelRun *run, void *after) {
  shift_by(run, run_value(run, 2), WARP, false, after);
}
static void shift_down(const KernelRun *run, void *after) {
  shift_by(run, -run_value(run, 2), run_value(run, 3), false, after);
}
/* The guard looks at the lane in the warp instead of the lane in the group. */
static void shift_guards_warp(const KernelRun *run, void *after) {
  int32_t *out = after;
  shift_keeps_own(run, out);
  for (int i = 0; i < run_count(run); i++)
    if (i % WARP < run_value(run, 2)) out[i] = 0;
}
static const KernelMistake shift_mistakes[] = {{"segment-edge", shift_keeps_own},
                                               {"segment-edge", shift_guards_warp},
                                               {"width", shift_without_width},
                                               {"direction", shift_down},
                                               {0}};

static void examine_shift(Exam *e, Scene *s) {
  KernelRun run = begin_run(&shift_groups, s);
  run.input = made_of_i;
  run.arguments[0] = argument_input("in", "i32", s->in, elements(s));
  run.arguments[1] = argument_output("out", "i32", s->expected, elements(s), OWNER_THREAD);
  run.arguments[2] = argument_value("distance", "i32", &s->distance);
  run.arguments[3] = argument_value("width", "i32", &s->width);
  run.mistakes = shift_mistakes;
  shift_right(&run, s->expected);
  exam_run(e, &run);
}

Test(shuffle, shift_groups) {
  static const int32_t shapes[][2] = {{4, 8}, {1, 32}, {3, 16}, {1, 2}, {31, 32}};
  Exam *e = exam_begin();
  Scene s = {.blocks = 1, .threads = 64};
  fill_in(&s);
  for (size_t i = 0; i < COUNT(shapes); i++) {
    s.distance = shapes[i][0];
    s.width = shapes[i][1];
    examine_shift(e, &s);
  }
  exam_end(e);
}

/* ---- some lanes ------------------------------------------------------------------------------ */

/* Calls for every warp of the grid: its number, its first thread, and one past its last. */
#define FOR_WARPS(w, from, to, s)                                                                  \
  for (int w = 0, from = 0, to = 0;                                                                \
       (from = warp_start(s, w), to = warp_start(s, (w) + 1), w < warps_of(s)); w++)

static int warps_per_block(const Scene *s) { return ((int)s->threads + WARP - 1) / WARP; }
static int warps_of(const Scene *s) { return (int)s->blocks * warps_per_block(s); }
/* The first thread of warp w, or of the block after it. */
static int warp_start(const Scene *s, int w) {
  int in_block = w % warps_per_block(s);
  return w / warps_per_block(s) * (int)s->threads + WARP * in_block;
}

/* The warps that have elements come first: that many elements of out are compared. */
static int max_right(Scene *s) {
  int warps = 0;
  FOR_WARPS(w, from, to, s) {
    if (from >= s->n) continue;
    s->expected[w] = INT_MIN;
    for (int i = from; i < to && i < s->n; i++)
      if (s->in[i] > s->expected[w]) s->expected[w] = s->in[i];
    warps++;
  }
  return warps;
}

/* Lanes without an element count as if they had a 0. */
static void max_with_zero(const KernelRun *run, void *after) {
  const int32_t *right = run->arguments[1].expected;
  int32_t *out = after;
  bool last_is_full = run_count(run) % WARP == 0;
  for (int w = 0; w < (int)run->arguments[1].count; w++) {
    bool full = w + 1 < (int)run->arguments[1].count || last_is_full;
    out[w] = full || right[w] > 0 ? right[w] : 0;
  }
}
static const KernelMistake max_mistakes[] = {{"absent-lanes", max_with_zero}, {0}};

/* `in` has n elements and no more, so that reading beyond them is found. */
static void examine_max(Exam *e, Scene *s, const char *words) {
  KernelRun run = begin_run(&max_of_some, s);
  run.input = words;
  run.arguments[0] = argument_input("in", "i32", s->in, (size_t)s->n);
  run.arguments[1] = argument_output("out", "i32", s->expected, (size_t)max_right(s), OWNER_WARP);
  run.arguments[2] = argument_value("n", "i32", &s->n);
  run.mistakes = max_mistakes;
  exam_run(e, &run);
}

static void fill_negative(Scene *s) {
  for (int i = 0; i < THREADS_MAX; i++) s->in[i] = -1 - (7 * i + 5) % 61;
}

static void examine_max_of(const uint32_t (*shapes)[3], size_t count) {
  Exam *e = exam_begin();
  for (size_t i = 0; i < count; i++) {
    Scene s = {.blocks = shapes[i][0], .threads = shapes[i][1], .n = (int32_t)shapes[i][2]};
    fill_negative(&s);
    examine_max(e, &s, "in[i] = -1 - (7 i + 5) mod 61");
  }
  exam_end(e);
}

/* Blocks of full warps; the elements end within a warp, at its end, or after its first lane. */
Test(shuffle, max_of_some) {
  static const uint32_t shapes[][3] = {{1, 64, 50}, {1, 32, 32}, {2, 64, 97}, {1, 128, 64}};
  examine_max_of(shapes, COUNT(shapes));
}

/* The last warp of a block has fewer than 32 threads. */
Test(shuffle, max_short_warps) {
  static const uint32_t shapes[][3] = {{1, 50, 50}, {1, 33, 33}, {1, 20, 17}};
  examine_max_of(shapes, COUNT(shapes));
}

/* ---- argmax ---------------------------------------------------------------------------------- */

/* Places by a rule that says whether b beats a, a being the earlier one. */
static void places(const KernelRun *run, bool later_wins, bool lanes, void *after) {
  const float *in = run->arguments[0].before;
  int32_t *place = after;
  for (int w = 0; w < run_count(run) / WARP; w++) {
    int best = WARP * w;
    for (int i = best + 1; i < WARP * w + WARP; i++)
      if (in[i] > in[best] || (later_wins && in[i] == in[best])) best = i;
    place[w] = lanes ? best % WARP : best;
  }
}
static void places_right(const KernelRun *run, void *after) { places(run, false, false, after); }
static void places_of_last(const KernelRun *run, void *after) { places(run, true, false, after); }
static void places_as_lanes(const KernelRun *run, void *after) { places(run, false, true, after); }
static const KernelMistake argmax_mistakes[] = {
    {"ties", places_of_last}, {"place-not-lane", places_as_lanes}, {0}};

static void examine_argmax(const float *in, uint32_t blocks, uint32_t threads, const char *words) {
  Exam *e = exam_begin();
  Scene s = {.blocks = blocks, .threads = threads};
  KernelRun run = begin_run(&argmax, &s);
  run.input = words;
  run.arguments[0] = argument_input("in", "f32", in, elements(&s));
  run.arguments[1] = argument_output("place", "i32", s.expected, elements(&s) / WARP, OWNER_WARP);
  run.mistakes = argmax_mistakes;
  places_right(&run, s.expected);
  exam_run(e, &run);
  exam_end(e);
}

Test(shuffle, argmax) {
  float in[128];
  for (int i = 0; i < 128; i++) in[i] = 0.25f * (float)(37 * i % 128) - 20;
  examine_argmax(in, 2, 64, "in[i] = (37 i mod 128) / 4 - 20");
}

Test(shuffle, argmax_ties) {
  float in[96];
  for (int i = 0; i < 96; i++) in[i] = -(float)((i + 1) % 5);
  examine_argmax(in, 1, 96, "in[i] = -((i + 1) mod 5)");
}

/* ---- scans ----------------------------------------------------------------------------------- */

static void scan_right(const KernelRun *run, void *after) {
  int32_t *out = after;
  FOR_ELEMENTS(i, run) out[i] = sum_of(run_input(run), group_of(i, WARP), i + 1);
}
static void scan_exclusive(const KernelRun *run, void *after) {
  int32_t *out = after;
  FOR_ELEMENTS(i, run) out[i] = sum_of(run_input(run), group_of(i, WARP), i);
}
static void scan_from_end(const KernelRun *run, void *after) {
  int32_t *out = after;
  FOR_ELEMENTS(i, run) out[i] = sum_of(run_input(run), i, group_of(i, WARP) + WARP);
}
static int read_up(int i, int distance, int width) {
  return i % width >= distance ? i - distance : i;
}
/* Lanes before the distance add what they read: their own value. */
static void scan_unguarded(const KernelRun *run, void *after) {
  int32_t *out = after;
  memcpy(out, run_input(run), (size_t)run_count(run) * sizeof *out);
  for (int o = 1; o < WARP; o *= 2) add_step(out, run_count(run), read_up, o, WARP);
}
static const KernelMistake scan_mistakes[] = {{"own-value", scan_unguarded},
                                              {"inclusive", scan_exclusive},
                                              {"direction", scan_from_end},
                                              {0}};

static void examine_scan(Exam *e, Scene *s, const char *words, const CounterBound *bounds) {
  KernelRun run = begin_run(&scan, s);
  run.input = words;
  run.arguments[0] = argument_input("in", "i32", s->in, elements(s));
  run.arguments[1] = argument_output("out", "i32", s->expected, elements(s), OWNER_THREAD);
  run.mistakes = scan_mistakes;
  run.bounds = bounds;
  scan_right(&run, s->expected);
  exam_run(e, &run);
}

Test(shuffle, scan) {
  Exam *e = exam_begin();
  Scene s = {.blocks = 2, .threads = 64};
  fill_in(&s);
  examine_scan(e, &s, made_of_i, NULL);
  exam_end(e);
}

static bool is_head(const KernelRun *run, int i) {
  const int32_t *head = run->arguments[1].before;
  return i % WARP == 0 || head[i];
}
static void segments_right(const KernelRun *run, void *after) {
  int32_t *out = after;
  FOR_ELEMENTS(i, run) out[i] = run_input(run)[i] + (is_head(run, i) ? 0 : out[i - 1]);
}
/* Only the head itself adds nothing; those after it add from before it. */
static void segments_cross(const KernelRun *run, void *after) {
  int32_t *out = after, old[THREADS_MAX];
  memcpy(out, run_input(run), (size_t)run_count(run) * sizeof *out);
  for (int o = 1; o < WARP; o *= 2) {
    memcpy(old, out, (size_t)run_count(run) * sizeof *out);
    FOR_ELEMENTS(i, run) if (i % WARP >= o && !is_head(run, i)) out[i] += old[i - o];
  }
}
static const KernelMistake segments_mistakes[] = {
    {"segments", scan_right}, {"segments-cross", segments_cross}, {0}};

static void examine_segments(Exam *e, Scene *s, const char *words) {
  KernelRun run = begin_run(&scan_segments, s);
  run.input = words;
  run.arguments[0] = argument_input("in", "i32", s->in, elements(s));
  run.arguments[1] = argument_input("head", "i32", s->head, elements(s));
  run.arguments[2] = argument_output("out", "i32", s->expected, elements(s), OWNER_THREAD);
  run.mistakes = segments_mistakes;
  segments_right(&run, s->expected);
  exam_run(e, &run);
}

Test(shuffle, scan_segments) {
  Exam *e = exam_begin();
  Scene s = {.blocks = 1, .threads = 96};
  fill_in(&s);
  for (int i = 0; i < 96; i++) s.head[i] = i % 11 == 3 ? 2 * i : 0;
  examine_segments(e, &s, "in[i] = 3 i mod 101 - 20, head[i] = i mod 11 == 3 ? 2 i : 0");
  exam_end(e);
}

/* ---- whole blocks ---------------------------------------------------------------------------- */

static void block_right(const KernelRun *run, void *after) {
  int32_t *out = after;
  int threads = (int)run->block.x;
  for (int b = 0; b < (int)run->grid.x; b++)
    out[b] = sum_of(run_input(run), b * threads, (b + 1) * threads);
}
static void block_first_warp(const KernelRun *run, void *after) {
  int32_t *out = after;
  for (int b = 0; b < (int)run->grid.x; b++) {
    int first = b * (int)run->block.x;
    out[b] = sum_of(run_input(run), first, first + WARP);
  }
}
static const KernelMistake block_mistakes[] = {{"every-warp", block_first_warp}, {0}};

static void examine_block(Exam *e, Scene *s, const CounterBound *bounds) {
  KernelRun run = begin_run(&sum_block, s);
  run.input = made_of_i;
  run.arguments[0] = argument_input("in", "i32", s->in, elements(s));
  run.arguments[1] = argument_output("out", "i32", s->expected, s->blocks, OWNER_BLOCK);
  run.mistakes = block_mistakes;
  run.bounds = bounds;
  block_right(&run, s->expected);
  exam_run(e, &run);
}

Test(shuffle, sum_block) {
  static const uint32_t shapes[][2] = {{2, 128}, {1, 1024}, {1, 32}, {3, 160}};
  Exam *e = exam_begin();
  for (size_t i = 0; i < COUNT(shapes); i++) {
    Scene s = {.blocks = shapes[i][0], .threads = shapes[i][1]};
    fill_in(&s);
    examine_block(e, &s, NULL);
  }
  exam_end(e);
}

/* ---- other sizes ----------------------------------------------------------------------------- */

static void long_right(const KernelRun *run, void *after) {
  const int64_t *in = run->arguments[0].before;
  int64_t *out = after;
  FOR_ELEMENTS(i, run) {
    out[i] = 0;
    for (int k = 0; k < WARP; k++) out[i] += in[group_of(i, WARP) + k];
  }
}
/* The sum kept in an int. */
static void long_as_int(const KernelRun *run, void *after) {
  int64_t *out = after;
  long_right(run, out);
  FOR_ELEMENTS(i, run) out[i] = (int64_t)(int32_t)(uint64_t)out[i];
}
static const KernelMistake long_mistakes[] = {{"64-bit", long_as_int}, {0}};

Test(shuffle, sum_long) {
  Exam *e = exam_begin();
  Scene s = {.blocks = 1, .threads = 64};
  int64_t in[64], expected[64];
  for (int64_t i = 0; i < 64; i++) in[i] = 6000000007 * (i % 9) - 12345678901 + i;
  KernelRun run = begin_run(&sum_long, &s);
  run.input = "in[i] = 6000000007 (i mod 9) - 12345678901 + i";
  run.arguments[0] = argument_input("in", "i64", in, 64);
  run.arguments[1] = argument_output("out", "i64", expected, 64, OWNER_THREAD);
  run.mistakes = long_mistakes;
  long_right(&run, expected);
  exam_run(e, &run);
  exam_end(e);
}

static uint16_t half_of(double v) {
  static const Span name = {"f16", 3};
  return (uint16_t)element_from_double(element_type(name), v);
}
/* All sums are exact in half precision: quarters below 512. */
static double half_input(int i) { return 0.25 * (i % 13) - 0.75; }
static double half_sum(int i, bool whole) {
  double sum = 0;
  for (int k = 0; k < WARP; k++) {
    double v = half_input(group_of(i, WARP) + k);
    sum += whole ? (double)(int)v : v;
  }
  return sum;
}
/* The values turned into ints. */
static void half_as_int(const KernelRun *run, void *after) {
  uint16_t *out = after;
  FOR_ELEMENTS(i, run) out[i] = half_of(half_sum(i, true));
}
static const KernelMistake half_mistakes[] = {{"half-fraction", half_as_int}, {0}};

Test(shuffle, sum_half) {
  Exam *e = exam_begin();
  Scene s = {.blocks = 1, .threads = 64};
  uint16_t in[64], expected[64];
  for (int i = 0; i < 64; i++) {
    in[i] = half_of(half_input(i));
    expected[i] = half_of(half_sum(i, false));
  }
  KernelRun run = begin_run(&sum_half, &s);
  run.input = "in[i] = (i mod 13) / 4 - 0.75";
  run.arguments[0] = argument_input("in", "f16", in, 64);
  run.arguments[1] = argument_output("out", "f16", expected, 64, OWNER_THREAD);
  run.mistakes = half_mistakes;
  exam_run(e, &run);
  exam_end(e);
}

/* ---- cost ------------------------------------------------------------------------------------ */

/* Warp instructions at the teaching level of optimisation. The solution needs 94 and 124; one lane
 * after the other, 377 and 601. */
Test(shuffle, warp_cost) {
  static const CounterBound sum_bounds[] = {{"warp_instructions", 0, 160, NULL}, {0}};
  static const CounterBound scan_bounds[] = {{"warp_instructions", 0, 240, NULL}, {0}};
  Exam *e = exam_begin();
  Scene s = {.blocks = 1, .threads = 32};
  fill_in(&s);
  examine_sum_all(e, &s, sum_bounds);
  examine_scan(e, &s, made_of_i, scan_bounds);
  exam_end(e);
}

/* The solution: 3519 and 94%. A tree in shared memory: 5104. One lane that adds up the warps' sums:
 * 78%. */
Test(shuffle, block_cost) {
  static const CounterBound bounds[] = {{"warp_instructions", 0, 4500, NULL},
                                        {"simd_efficiency", 85, NO_BOUND, "one-lane-adds"},
                                        {0}};
  Exam *e = exam_begin();
  Scene s = {.blocks = 1, .threads = 1024};
  fill_in(&s);
  examine_block(e, &s, bounds);
  exam_end(e);
}

/* ---- drawn at random ------------------------------------------------------------------------- */

static void random_scene(Exam *e) {
  Scene s = {.blocks = 1, .threads = WARP * (uint32_t)exam_between(e, 1, 4)};
  s.width = 1 << exam_random(e, 6);
  s.distance = exam_between(e, 1, s.width);
  s.n = exam_between(e, 1, (int)elements(&s));
  fill_random(e, &s);
  int apart = exam_between(e, 1, 40);
  for (uint32_t i = 0; i < elements(&s); i++) s.head[i] = exam_random(e, (uint32_t)apart) == 0;
  examine_shift(e, &s);
  examine_scan(e, &s, "drawn at random", NULL);
  examine_segments(e, &s, "drawn at random");
  s.threads -= exam_random(e, WARP);
  if (s.n > (int)s.threads) s.n = (int)s.threads;
  examine_max(e, &s, "drawn at random");
}

Test(shuffle, random_lanes) {
  Exam *e = exam_begin();
  for (size_t i = 0; i < exam_seed_count(e); i++) {
    exam_use_seed(e, i);
    for (int n = 0; n < 4; n++) random_scene(e);
  }
  exam_end(e);
}

/* ---- predictions ----------------------------------------------------------------------------- */

/* The sum by shfl_down of a[0] times the lane's number: lanes 0 and 31. */
static int64_t sum_right(const int *a) { return (int64_t)a[0] * 496; }
static int64_t sum_from_1(const int *a) { return (int64_t)a[0] * 528; }
static int64_t last_right(const int *a) { return (int64_t)a[0] * 31 * 32; } /* doubled 5 times */
static int64_t last_own(const int *a) { return (int64_t)a[0] * 31; }

/* Distance, width, lane. */
static int64_t up_right(const int *a) { return read_up(a[2], a[0], a[1]); }
static int64_t up_across(const int *a) { return a[2] - a[0]; }
static int64_t up_zero(const int *a) { return (void)a, 0; }

/* The mask, the lane. */
static int64_t xor_right(const int *a) { return a[0] ^ a[1]; }
static int64_t xor_up(const int *a) { return a[1] + a[0]; }
static int64_t xor_down(const int *a) { return a[1] - a[0]; }

/* The source, width, the lane that asks. */
static int64_t group_right(const int *a) { return group_of(a[2], a[1]) + a[0] % a[1]; }
static int64_t group_of_warp(const int *a) { return a[0]; }
static int64_t group_first(const int *a) { return a[0] % a[1]; }
static int64_t group_beyond(const int *a) { return group_of(a[2], a[1]) + a[0]; }

PREDICTION(shuffle, predict_down_first, sum_right, {"lanes-from-0", sum_from_1}, {0})
PREDICTION(shuffle, predict_down_last, last_right, {"own-value", last_own},
           {"all-lanes", sum_right}, {0})
PREDICTION(shuffle, predict_up, up_right, {"segment-edge", up_across}, {"segment-edge", up_zero},
           {0})
PREDICTION(shuffle, predict_xor, xor_right, {"xor-is-no-sum", xor_up}, {"xor-is-no-sum", xor_down},
           {0})
PREDICTION(shuffle, predict_group, group_right, {"group-lane", group_of_warp},
           {"group-lane", group_first}, {"group-lane", group_beyond}, {0})
