/* suites/vote.c - lab 09: lanes that decide together. */
#include <string.h>

#include "harness.h"

enum { THREADS_MAX = 2048, WARPS_MAX = THREADS_MAX / WARP, BINS = 16, EMPTY = -1 };

/* ---- what the student writes ----------------------------------------------------------------- */

STUDENT_KERNEL(positive_mask, "(const int *in, unsigned *mask)", "pp");
STUDENT_KERNEL(positive_count, "(const int *in, int *count)", "pp");
STUDENT_KERNEL(any_negative, "(const int *in, int *any, int n)", "ppi");
STUDENT_KERNEL(all_even, "(const int *in, int *all, int n)", "ppi");
STUDENT_KERNEL(all_same, "(const int *in, int *same)", "pp");
STUDENT_KERNEL(group_leader, "(const int *in, int *leader)", "pp");
STUDENT_KERNEL(find_first, "(const int *rows, int *where, int length, int target)", "ppii");
STUDENT_KERNEL(append_even, "(const int *in, int *out, int *count, int n)", "pppi");
STUDENT_KERNEL(compact, "(const int *in, int *out, int *count, int n)", "pppi");
STUDENT_KERNEL(histogram, "(const int *in, int *bins, int n)", "ppi");

/* One launch of a kernel, and its arrays. Blocks are full warps. */
typedef struct Scene {
  uint32_t blocks, threads; /* of a block */
  int32_t n;                /* elements; the others are not there */
  int32_t in[THREADS_MAX], before[THREADS_MAX], expected[THREADS_MAX];
  int32_t length, target, count, none;
  const char *words;
} Scene;

static uint32_t threads_of(const Scene *s) { return s->blocks * s->threads; }
static uint32_t warps_of(const Scene *s) { return threads_of(s) / WARP; }

/* A run whose first argument is the n elements. */
static KernelRun begin_run(const StudentKernel *kernel, const Scene *s) {
  KernelRun run = {
      .kernel = kernel, .input = s->words, .grid = {s->blocks, 1, 1}, .block = {s->threads, 1, 1}};
  run.arguments[0] = argument_input("in", "i32", s->in, (size_t)s->n);
  return run;
}

static Scene scene(uint32_t blocks, uint32_t threads, int32_t n) {
  return (Scene){.blocks = blocks, .threads = threads, .n = n};
}

static uint32_t run_warps(const KernelRun *run) { return run->grid.x * run->block.x / WARP; }

#define FOR_WARPS(w, run) for (int w = 0; w < (int)run_warps(run); w++)
/* The elements that are there of warp w. */
#define FOR_LANES(i, w, run)                                                                       \
  for (int i = WARP * (w); i < WARP * (w) + WARP && i < run_count(run); i++)

/* ---- ballots --------------------------------------------------------------------------------- */

static uint32_t positive_lanes(const KernelRun *run, int w) {
  uint32_t mask = 0;
  FOR_LANES(i, w, run) if (run_input(run)[i] > 0) mask |= 1u << i % WARP;
  return mask;
}

static uint32_t turned_around(uint32_t mask) {
  uint32_t turned = 0;
  for (int l = 0; l < WARP; l++) turned |= (mask >> l & 1) << (WARP - 1 - l);
  return turned;
}

static void masks_right(const KernelRun *run, void *after) {
  uint32_t *mask = after;
  FOR_WARPS(w, run) mask[w] = positive_lanes(run, w);
}
static void masks_of_others(const KernelRun *run, void *after) {
  uint32_t *mask = after;
  FOR_WARPS(w, run) mask[w] = ~positive_lanes(run, w);
}
static void masks_turned(const KernelRun *run, void *after) {
  uint32_t *mask = after;
  FOR_WARPS(w, run) mask[w] = turned_around(positive_lanes(run, w));
}
/* The value itself as the condition: all that is not 0. */
static void masks_of_nonzero(const KernelRun *run, void *after) {
  uint32_t *mask = after;
  FOR_WARPS(w, run) {
    mask[w] = 0;
    FOR_LANES(i, w, run) if (run_input(run)[i] != 0) mask[w] |= 1u << i % WARP;
  }
}
static const KernelMistake mask_mistakes[] = {{"inverted", masks_of_others},
                                              {"bit-of-lane", masks_turned},
                                              {"condition", masks_of_nonzero},
                                              {0}};

static const char signed_of_i[] = "in[i] = (7 i + 3) mod 11 - 5";
static void fill_signed(Scene *s) {
  s->words = signed_of_i;
  for (int i = 0; i < s->n; i++) s->in[i] = (7 * i + 3) % 11 - 5;
}

Test(vote, positive_mask) {
  Exam *e = exam_begin();
  Scene s = scene(2, 64, 128);
  fill_signed(&s);
  KernelRun run = begin_run(&positive_mask, &s);
  run.arguments[1] = argument_output("mask", "mask", s.expected, warps_of(&s), OWNER_WARP);
  run.mistakes = mask_mistakes;
  masks_right(&run, s.expected);
  exam_run(e, &run);
  exam_end(e);
}

static void counts_right(const KernelRun *run, void *after) {
  int32_t *count = after;
  FOR_WARPS(w, run) count[w] = __builtin_popcount(positive_lanes(run, w));
}
static void counts_of_others(const KernelRun *run, void *after) {
  int32_t *count = after;
  FOR_WARPS(w, run) count[w] = WARP - __builtin_popcount(positive_lanes(run, w));
}
static const KernelMistake count_mistakes[] = {
    {"mask-is-a-set", masks_right}, {"inverted", counts_of_others}, {0}};

/* The solution takes 32 instructions a warp, a sum by shuffles 106. */
Test(vote, positive_count) {
  static const CounterBound bounds[] = {
      {"warp_instructions", 0, 4 * 60, "one-ballot"}, {"atomics", 0, 0, "one-ballot"}, {0}};
  Exam *e = exam_begin();
  Scene s = scene(2, 64, 128);
  fill_signed(&s);
  KernelRun run = begin_run(&positive_count, &s);
  run.arguments[1] = argument_output("count", "i32", s.expected, warps_of(&s), OWNER_WARP);
  run.mistakes = count_mistakes;
  run.bounds = bounds;
  counts_right(&run, s.expected);
  exam_run(e, &run);
  exam_end(e);
}

/* ---- any and all ----------------------------------------------------------------------------- */

static void any_right(const KernelRun *run, void *after) {
  int32_t *any = after;
  FOR_WARPS(w, run) {
    any[w] = 0;
    FOR_LANES(i, w, run) any[w] = any[w] || run_input(run)[i] < 0;
  }
}
static void any_of_first(const KernelRun *run, void *after) {
  int32_t *any = after;
  FOR_WARPS(w, run) any[w] = WARP * w < run_count(run) && run_input(run)[WARP * w] < 0;
}
static void any_is_all(const KernelRun *run, void *after) {
  int32_t *any = after;
  FOR_WARPS(w, run) {
    any[w] = 1;
    FOR_LANES(i, w, run) any[w] = any[w] && run_input(run)[i] < 0;
  }
}
static const KernelMistake any_mistakes[] = {
    {"vote", any_of_first}, {"any-or-all", any_is_all}, {0}};

static void all_right(const KernelRun *run, void *after) {
  int32_t *all = after;
  FOR_WARPS(w, run) {
    all[w] = 1;
    FOR_LANES(i, w, run) all[w] = all[w] && run_input(run)[i] % 2 == 0;
  }
}
/* Lanes without an element vote no. */
static void all_without_absent(const KernelRun *run, void *after) {
  int32_t *all = after;
  all_right(run, all);
  FOR_WARPS(w, run) all[w] = all[w] && WARP * w + WARP <= run_count(run);
}
static void all_of_first(const KernelRun *run, void *after) {
  int32_t *all = after;
  FOR_WARPS(w, run) all[w] = WARP * w >= run_count(run) || run_input(run)[WARP * w] % 2 == 0;
}
static const KernelMistake all_mistakes[] = {
    {"absent-lanes", all_without_absent}, {"vote", all_of_first}, {0}};

/* Warps 0 and 3 have no negative element, warps 1, 2 and 4 are all even; the elements end in warp
 * 4; warp 5 has none. */
static Scene votes(void) {
  Scene s = scene(2, 96, 4 * WARP + 11);
  s.words = "in[i] = 2 i mod 14; in[41] = -4, in[70] = -6, in[5] = in[121] = 3";
  for (int i = 0; i < s.n; i++) s.in[i] = 2 * i % 14;
  s.in[41] = -4;
  s.in[70] = -6;
  s.in[5] = s.in[121] = 3;
  return s;
}

static void examine_vote(const StudentKernel *kernel, const char *result,
                         const KernelMistake *mistakes,
                         void (*right)(const KernelRun *run, void *after)) {
  Exam *e = exam_begin();
  Scene s = votes();
  KernelRun run = begin_run(kernel, &s);
  run.arguments[1] = argument_output(result, "i32", s.expected, warps_of(&s), OWNER_WARP);
  run.arguments[2] = argument_value("n", "i32", &s.n);
  run.mistakes = mistakes;
  right(&run, s.expected);
  exam_run(e, &run);
  exam_end(e);
}

Test(vote, any_negative) { examine_vote(&any_negative, "any", any_mistakes, any_right); }
Test(vote, all_even) { examine_vote(&all_even, "all", all_mistakes, all_right); }

/* ---- matches --------------------------------------------------------------------------------- */

static void same_right(const KernelRun *run, void *after) {
  int32_t *same = after;
  FOR_WARPS(w, run) {
    same[w] = 1;
    FOR_LANES(i, w, run) same[w] = same[w] && run_input(run)[i] == run_input(run)[WARP * w];
  }
}
/* What match_all returns, instead of what it says through its pointer. */
static void same_as_mask(const KernelRun *run, void *after) {
  int32_t *same = after;
  same_right(run, same);
  FOR_WARPS(w, run) same[w] = -same[w];
}
static const KernelMistake same_mistakes[] = {{"match-all", same_as_mask}, {0}};

Test(vote, all_same) {
  Exam *e = exam_begin();
  Scene s = scene(1, 128, 128);
  s.words = "in[i] = i / 32 + 7; in[31] = 0, in[97] = -10";
  for (int i = 0; i < s.n; i++) s.in[i] = i / WARP + 7;
  s.in[31] = 0;
  s.in[97] = -10;
  KernelRun run = begin_run(&all_same, &s);
  run.arguments[1] = argument_output("same", "i32", s.expected, warps_of(&s), OWNER_WARP);
  run.mistakes = same_mistakes;
  same_right(&run, s.expected);
  exam_run(e, &run);
  exam_end(e);
}

/* The lanes of i's warp that have the same element. */
static uint32_t same_as(const KernelRun *run, int i) {
  uint32_t mask = 0;
  FOR_LANES(k, i / WARP, run) if (run_input(run)[k] == run_input(run)[i]) mask |= 1u << k % WARP;
  return mask;
}
static void leaders_right(const KernelRun *run, void *after) {
  int32_t *leader = after;
  for (int i = 0; i < run_count(run); i++) leader[i] = __builtin_ctz(same_as(run, i));
}
static void leaders_from_1(const KernelRun *run, void *after) {
  int32_t *leader = after;
  for (int i = 0; i < run_count(run); i++) leader[i] = __builtin_ctz(same_as(run, i)) + 1;
}
static void leaders_last(const KernelRun *run, void *after) {
  int32_t *leader = after;
  for (int i = 0; i < run_count(run); i++) leader[i] = WARP - 1 - __builtin_clz(same_as(run, i));
}
static void leaders_as_masks(const KernelRun *run, void *after) {
  uint32_t *leader = after;
  for (int i = 0; i < run_count(run); i++) leader[i] = same_as(run, i);
}
static const KernelMistake leader_mistakes[] = {{"ffs-from-1", leaders_from_1},
                                                {"lowest", leaders_last},
                                                {"mask-is-a-set", leaders_as_masks},
                                                {0}};

Test(vote, group_leader) {
  Exam *e = exam_begin();
  Scene s = scene(1, 64, 64);
  s.words = "in[i] = i i mod 9";
  for (int i = 0; i < s.n; i++) s.in[i] = i * i % 9;
  KernelRun run = begin_run(&group_leader, &s);
  run.arguments[1] = argument_output("leader", "i32", s.expected, 64, OWNER_THREAD);
  run.mistakes = leader_mistakes;
  leaders_right(&run, s.expected);
  exam_run(e, &run);
  exam_end(e);
}

/* ---- search ---------------------------------------------------------------------------------- */

/* The first place from `from` to `to` - 1 where the target stands, counted from the row's begin. */
static int32_t place_in(const KernelRun *run, int begin, int from, int to) {
  for (int i = from; i < to && begin + i < run_count(run); i++)
    if (run_input(run)[begin + i] == run_value(run, 3)) return i;
  return EMPTY;
}
static void find_right(const KernelRun *run, void *after) {
  int32_t *where = after;
  int length = run_value(run, 2);
  FOR_WARPS(w, run) where[w] = place_in(run, w * length, 0, length);
}
/* The place among the 32 elements that were looked at last. */
static void find_lane(const KernelRun *run, void *after) {
  int32_t *where = after;
  find_right(run, where);
  FOR_WARPS(w, run) if (where[w] >= 0) where[w] %= WARP;
}
/* The last 32 elements of a row are looked at even where the next row has begun. */
static void find_beyond(const KernelRun *run, void *after) {
  int32_t *where = after;
  int length = run_value(run, 2), rounded = (length + WARP - 1) / WARP * WARP;
  FOR_WARPS(w, run) where[w] = place_in(run, w * length, 0, rounded);
}
/* No end at the first: the last 32 elements that have one win. */
static void find_last(const KernelRun *run, void *after) {
  int32_t *where = after;
  int length = run_value(run, 2);
  FOR_WARPS(w, run) {
    where[w] = EMPTY;
    for (int from = 0; from < length; from += WARP) {
      int to = from + WARP < length ? from + WARP : length;
      int32_t place = place_in(run, w * length, from, to);
      if (place >= 0) where[w] = place;
    }
  }
}
static const KernelMistake find_mistakes[] = {
    {"whole-row", find_lane}, {"absent-lanes", find_beyond}, {"stop-early", find_last}, {0}};

static void examine_find(Exam *e, Scene *s, const CounterBound *bounds) {
  KernelRun run = begin_run(&find_first, s);
  run.arguments[0].name = "rows";
  run.arguments[1] = argument_output("where", "i32", s->expected, warps_of(s), OWNER_WARP);
  run.arguments[2] = argument_value("length", "i32", &s->length);
  run.arguments[3] = argument_value("target", "i32", &s->target);
  run.mistakes = find_mistakes;
  run.bounds = bounds;
  find_right(&run, s->expected);
  exam_run(e, &run);
}

/* A row for each warp, and one more: nothing in row 2, but at the begin of row 3; twice in row 1.
 */
Test(vote, find_first) {
  Exam *e = exam_begin();
  Scene s = scene(2, 64, 5 * 100);
  s.length = 100;
  s.target = 77;
  s.words = "rows[i] = i mod 50; 77 at places 98, 140, 181, 303 and 399";
  for (int i = 0; i < s.n; i++) s.in[i] = i % 50;
  s.in[98] = s.in[140] = s.in[181] = s.in[303] = s.in[399] = 77;
  examine_find(e, &s, NULL);
  exam_end(e);
}

/* Two rows of 900; the target stands in the third 32 of one, in the first of the other. The
 * solution takes 224 instructions and 2 passes. */
Test(vote, find_cost) {
  static const CounterBound bounds[] = {{"passes", 0, 6, "vote-to-leave"},
                                        {"simd_efficiency", 60, NO_BOUND, "all-lanes-work"},
                                        {"warp_instructions", 0, 450, "stop-early"},
                                        {0}};
  Exam *e = exam_begin();
  Scene s = scene(1, 64, 2 * 900);
  s.length = 900;
  s.target = -7;
  s.words = "rows[i] = i mod 50; -7 at places 70 and 910";
  for (int i = 0; i < s.n; i++) s.in[i] = i % 50;
  s.in[70] = s.in[910] = -7;
  examine_find(e, &s, bounds);
  exam_end(e);
}

/* ---- even ones ------------------------------------------------------------------------------- */

/* Numbers that differ, so that each can be recognised in the output. */
static void fill_distinct(Scene *s) {
  s->words = "in[i] = 421 i mod 2053";
  for (int i = 0; i < s->n; i++) s->in[i] = 421 * i % 2053;
}

/* Writes the even elements of warp w to out; how many. */
static int even_ones(const KernelRun *run, int w, int32_t *out) {
  int count = 0;
  FOR_LANES(i, w, run) if (run_input(run)[i] % 2 == 0) out[count++] = run_input(run)[i];
  return count;
}

/* out and count, before and after; out has a place for every thread, and some more. */
enum { ROOM = WARP };
static void say_even_ones(KernelRun *run, Scene *s) {
  for (int i = 0; i < THREADS_MAX; i++) s->before[i] = s->expected[i] = EMPTY;
  run->arguments[1] =
      argument_output("out", "i32", s->expected, threads_of(s) + ROOM, OWNER_NOBODY);
  run->arguments[1].before = s->before;
  run->arguments[2] = argument_output("count", "i32", &s->count, 1, OWNER_NOBODY);
  run->arguments[2].before = &s->none;
  run->arguments[3] = argument_value("n", "i32", &s->n);
}

static void in_order(const KernelRun *run, void *after) {
  int32_t *out = after;
  int at = 0;
  FOR_WARPS(w, run) at += even_ones(run, w, out + at);
  for (; at < (int)run->arguments[1].count; at++) out[at] = EMPTY;
}
/* A lane counts itself among those before it. */
static void one_further(const KernelRun *run, void *after) {
  int32_t *out = after;
  int last = (int)run->arguments[1].count - 1;
  in_order(run, out);
  memmove(out + 1, out, (size_t)last * sizeof *out);
  out[0] = EMPTY;
}

static uint32_t warp_of_value(const KernelRun *run, int32_t value) {
  int i = 0;
  while (i < run_count(run) && run_input(run)[i] != value) i++;
  return i < run_count(run) ? (uint32_t)i / WARP : UINT32_MAX;
}

static uint32_t next_unseen(const bool *seen, uint32_t warps) {
  uint32_t w = 0;
  while (w < warps && seen[w]) w++;
  return w;
}

/* What is right if the warps come in the order in which `after` has them. Returns the count. */
static int32_t in_order_of(const KernelRun *run, const int32_t *after, int32_t *expected) {
  bool seen[WARPS_MAX] = {false};
  int32_t at = 0;
  for (uint32_t left = run_warps(run); left > 0; left--) {
    uint32_t w = warp_of_value(run, after[at]);
    if (w >= run_warps(run) || seen[w]) w = next_unseen(seen, run_warps(run));
    seen[w] = true;
    at += even_ones(run, (int)w, expected + at);
  }
  return at;
}

static const KernelMistake append_mistakes[] = {{"lanes-below", one_further}, {0}};

static void examine_append(Exam *e, Scene *s, const CounterBound *bounds) {
  KernelRun run = begin_run(&append_even, s);
  say_even_ones(&run, s);
  run.mistakes = append_mistakes;
  run.bounds = bounds;
  for (Schedule schedule = SCHEDULE_ITS; schedule < SCHEDULE_COUNT; schedule++) {
    if (exam_failed(e) || !exam_run_accept(e, &run, exam_run_once(e, &run, schedule))) break;
    s->count = in_order_of(&run, run.arguments[1].after, s->expected);
    if (exam_compare(e, &run) && schedule == SCHEDULE_ITS) exam_bounds(e, &run);
  }
  exam_close_failure(e);
}

Test(vote, append_even) {
  static const int32_t sizes[] = {256, 250, 7, 97};
  Exam *e = exam_begin();
  for (size_t i = 0; i < COUNT(sizes); i++) {
    Scene s = scene(2, 128, sizes[i]);
    fill_distinct(&s);
    examine_append(e, &s, NULL);
  }
  exam_end(e);
}

/* 32 warps, two of them without an even element. The solution: 30 atomic operations, 2294
 * instructions. */
Test(vote, append_atomics) {
  static const CounterBound bounds[] = {
      {"atomics", 1, 32, NULL}, {"warp_instructions", 0, 32 * 250, "one-ballot"}, {0}};
  Exam *e = exam_begin();
  Scene s = scene(4, 256, 1024);
  fill_distinct(&s);
  s.words = "in[i] = 421 i mod 2053, but only odd ones in warps 3 and 20";
  for (int i = 0; i < s.n; i++)
    if (i / WARP == 3 || i / WARP == 20) s.in[i] = 4001 + 2 * i;
  examine_append(e, &s, bounds);
  exam_end(e);
}

/* Right, but for the order of the warps. */
static void in_any_order(const KernelRun *run, void *after) {
  int32_t *out = after;
  int32_t at = in_order_of(run, run->arguments[1].after, out);
  for (; at < (int)run->arguments[1].count; at++) out[at] = EMPTY;
}
static const KernelMistake compact_mistakes[] = {
    {"lanes-below", one_further}, {"order-by-luck", in_any_order}, {0}};

static const CounterBound no_atomics[] = {{"atomics", 0, 0, "order-by-luck"}, {0}};

static void examine_compact(Exam *e, Scene *s, const CounterBound *bounds) {
  KernelRun run = begin_run(&compact, s);
  say_even_ones(&run, s);
  run.mistakes = compact_mistakes;
  run.bounds = bounds;
  in_order(&run, s->expected);
  s->count = 0;
  for (int i = 0; i < s->n; i++) s->count += s->in[i] % 2 == 0;
  exam_run(e, &run);
}

Test(vote, compact) {
  static const int32_t shapes[][2] = {{128, 128}, {1024, 1000}, {32, 20}, {96, 33}};
  Exam *e = exam_begin();
  for (size_t i = 0; i < COUNT(shapes); i++) {
    Scene s = scene(1, (uint32_t)shapes[i][0], shapes[i][1]);
    fill_distinct(&s);
    examine_compact(e, &s, no_atomics);
  }
  exam_end(e);
}

Test(vote, compact_cost) {
  static const CounterBound bounds[] = {{"warp_instructions", 0, 6000, NULL}, {0}};
  Exam *e = exam_begin();
  Scene s = scene(1, 1024, 1024);
  fill_distinct(&s);
  examine_compact(e, &s, bounds);
  exam_end(e);
}

/* ---- histogram ------------------------------------------------------------------------------- */

static void add_bins(const KernelRun *run, bool once, bool squared, void *after) {
  int32_t *bins = after;
  memset(bins, 0, BINS * sizeof *bins);
  for (int i = 0; i < run_count(run); i++) {
    uint32_t same = same_as(run, i);
    bool leads = __builtin_ctz(same) == i % WARP;
    bins[run_input(run)[i]] += once ? leads : squared ? __builtin_popcount(same) : 1;
  }
}
static void bins_right(const KernelRun *run, void *after) { add_bins(run, false, false, after); }
/* The leader adds 1 for all of its group. */
static void bins_of_leaders(const KernelRun *run, void *after) {
  add_bins(run, true, false, after);
}
/* Every lane adds for its whole group. */
static void bins_squared(const KernelRun *run, void *after) { add_bins(run, false, true, after); }
/* Lanes without an element count as if it were 0. */
static void bins_with_absent(const KernelRun *run, void *after) {
  int32_t *bins = after;
  bins_right(run, bins);
  bins[0] += (int32_t)run_warps(run) * WARP - run_count(run);
}
static const KernelMistake histogram_mistakes[] = {{"add-the-count", bins_of_leaders},
                                                   {"one-leader", bins_squared},
                                                   {"absent-lanes", bins_with_absent},
                                                   {0}};

static void examine_histogram(Exam *e, Scene *s, const CounterBound *bounds) {
  KernelRun run = begin_run(&histogram, s);
  run.arguments[1] = argument_output("bins", "i32", s->expected, BINS, OWNER_NOBODY);
  run.arguments[1].before = s->before; /* zeros */
  run.arguments[2] = argument_value("n", "i32", &s->n);
  run.mistakes = histogram_mistakes;
  run.bounds = bounds;
  bins_right(&run, s->expected);
  exam_run(e, &run);
}

static void fill_values(Scene *s) {
  s->words = "in[i] = (i i / 7) mod 16";
  for (int i = 0; i < s->n; i++) s->in[i] = i * i / 7 % BINS;
}

Test(vote, histogram) {
  static const int32_t sizes[] = {256, 230, 33};
  Exam *e = exam_begin();
  for (size_t i = 0; i < COUNT(sizes); i++) {
    Scene s = scene(2, 128, sizes[i]);
    fill_values(&s);
    examine_histogram(e, &s, NULL);
  }
  exam_end(e);
}

/* At most one atomic operation for each value that a warp has. */
Test(vote, histogram_atomics) {
  Exam *e = exam_begin();
  Scene s = scene(2, 256, 512);
  s.words = "in[i] = 3 (i mod 5) mod 16";
  for (int i = 0; i < s.n; i++) s.in[i] = 3 * (i % 5) % BINS;
  CounterBound bounds[] = {{"atomics", 1, 5 * warps_of(&s), NULL}, {0}};
  examine_histogram(e, &s, bounds);
  exam_end(e);
}

/* ---- drawn at random ------------------------------------------------------------------------- */

static Scene random_scene(Exam *e, uint32_t blocks) {
  Scene s = scene(blocks, WARP * (uint32_t)exam_between(e, 1, 6), 0);
  s.n = exam_between(e, 1, (int)threads_of(&s));
  s.words = "drawn at random";
  return s;
}

static void random_votes(Exam *e) {
  uint32_t evenness = (uint32_t)exam_between(e, 1, 8);
  Scene s = random_scene(e, 2), one = random_scene(e, 1), values = random_scene(e, 3);
  for (int i = 0; i < s.n; i++) s.in[i] = 16 * i + (exam_random(e, evenness) ? 1 : 0);
  for (int i = 0; i < one.n; i++) one.in[i] = 16 * i + (exam_random(e, evenness) ? 1 : 0);
  for (int i = 0; i < values.n; i++) values.in[i] = (int32_t)exam_random(e, BINS);
  examine_append(e, &s, NULL);
  examine_compact(e, &one, no_atomics);
  examine_histogram(e, &values, NULL);
}

Test(vote, random_votes) {
  Exam *e = exam_begin();
  for (size_t i = 0; i < exam_seed_count(e); i++) {
    exam_use_seed(e, i);
    for (int n = 0; n < 4; n++) random_votes(e);
  }
  exam_end(e);
}

/* ---- predictions ----------------------------------------------------------------------------- */

/* __ballot_sync(FULL, lane % a[0] == 0), and the lanes of it before lane a[1]. */
static int64_t every_right(const int *a) {
  uint32_t mask = 0;
  for (uint32_t lane = 0; lane < WARP; lane += (uint32_t)a[0]) mask |= 1u << lane;
  return mask;
}
static int64_t every_from_top(const int *a) { return turned_around((uint32_t)every_right(a)); }
static int64_t every_count(const int *a) { return __builtin_popcount((uint32_t)every_right(a)); }
static int64_t rank_right(const int *a) {
  return __builtin_popcount((uint32_t)(every_right(a) & lowest_lanes(a[1])));
}
static int64_t rank_itself_too(const int *a) { return rank_right(a) + 1; }

/* __match_any_sync(FULL, lane / a[0]) in lane a[1]. */
static int64_t matched_right(const int *a) {
  uint32_t mask = 0;
  for (int lane = 0; lane < WARP; lane++) mask |= (uint32_t)(lane / a[0] == a[1] / a[0]) << lane;
  return mask;
}
static int64_t matched_count(const int *a) {
  return __builtin_popcount((uint32_t)matched_right(a));
}
static int64_t matched_value(const int *a) { return a[1] / a[0]; }
static int64_t matched_next(const int *a) { return (uint32_t)(matched_right(a) << a[0]); }

/* A block of a[0] threads, of which each a[1]-th one adds. */
static int64_t adds_right(const int *a) {
  int64_t leaders = 0;
  for (int warp = 0; warp < a[0] / WARP; warp++) {
    bool any = false;
    for (int t = warp * WARP; t < (warp + 1) * WARP; t++) any = any || t % a[1] == 0;
    leaders += any;
  }
  return leaders;
}
static int64_t adds_adders(const int *a) { return divide_up(a[0], a[1]); }
static int64_t adds_threads(const int *a) { return a[0]; }
static int64_t adds_warps(const int *a) { return a[0] / WARP; }

/* a[0] blocks of a[1] threads, thread i of a block with value i % a[2]. */
static int64_t values_right(const int *a) {
  return (int64_t)a[0] * (a[1] / WARP) * smaller(a[2], WARP);
}
static int64_t values_once(const int *a) { return a[2]; }
static int64_t values_a_block(const int *a) { return (int64_t)a[0] * a[2]; }
static int64_t values_threads(const int *a) { return (int64_t)a[0] * a[1]; }

PREDICTION(vote, predict_ballot, every_right, {"bit-of-lane", every_from_top},
           {"mask-is-a-set", every_count}, {0})
PREDICTION(vote, predict_rank, rank_right, {"lanes-below", rank_itself_too}, {0})
PREDICTION(vote, predict_match, matched_right, {"match-is-a-set", matched_count},
           {"match-is-a-set", matched_value}, {"from-0", matched_next}, {0})
PREDICTION(vote, predict_atomics, adds_right, {"aggregate", adds_adders},
           {"aggregate", adds_threads}, {"every-warp", always_1}, {"aggregate", adds_warps}, {0})
PREDICTION(vote, predict_histogram, values_right, {"every-warp", values_once},
           {"every-warp", values_a_block}, {"aggregate", values_threads}, {0})
