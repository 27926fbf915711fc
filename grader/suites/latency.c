/* suites/latency.c - lab 06: how many warps, or how much of each, hide a latency. */
#include <string.h>

#include "harness.h"
#include "warpcode.h"

/* ---- rules ----------------------------------------------------------------------------------- */

static int64_t busy_rule(const int *a) {
  return smaller(100, (int64_t)100 * a[0] * a[1] / (a[1] + a[2]));
}
static int64_t round_rule(const int *a) {
  int64_t own = a[1] + a[2], all = (int64_t)a[0] * a[1];
  return own > all ? own : all;
}
static int64_t needed_rule(const int *a) {
  return divide_up((int64_t)a[2] * (a[0] + a[1]), 100 * (int64_t)a[0]);
}
static int64_t chains_rule(const int *a) { return divide_up(a[0], a[1]); }
static int64_t flight_rule(const int *a) { return divide_up((int64_t)a[0] * a[1], a[2]); }

enum { BLOCK = 8 }; /* warps of a block */

static int64_t loads_with(const int *a, int unroll) {
  return unroll * smaller(a[0] / (WARP * BLOCK * (a[1] + a[2] * unroll)) * BLOCK, a[3]);
}
static int64_t unroll_rule(const int *a) {
  int best = 1;
  for (int u = 2; u <= 8; u++)
    if (loads_with(a, u) > loads_with(a, best)) best = u;
  return best;
}

/* ---- mistakes -------------------------------------------------------------------------------- */

static int64_t busy_unbounded(const int *a) { return (int64_t)100 * a[0] * a[1] / (a[1] + a[2]); }
static int64_t busy_of_wait(const int *a) {
  return a[2] ? smaller(100, (int64_t)100 * a[0] * a[1] / a[2]) : 100;
}
static int64_t busy_of_one(const int *a) { return (int64_t)100 * a[1] / (a[1] + a[2]); }
static int64_t round_of_one(const int *a) { return a[1] + a[2]; }
static int64_t round_of_all(const int *a) { return (int64_t)a[0] * a[1]; }
static int64_t round_sum(const int *a) { return (int64_t)a[0] * a[1] + a[2]; }
static int64_t needed_floor(const int *a) {
  return (int64_t)a[2] * (a[0] + a[1]) / (100 * (int64_t)a[0]);
}
static int64_t needed_of_wait(const int *a) {
  return divide_up((int64_t)a[2] * a[1], 100 * (int64_t)a[0]);
}
static int64_t chains_floor(const int *a) { return a[0] / a[1]; }
static int64_t chains_ignored(const int *a) { return a[0]; }
static int64_t flight_floor(const int *a) { return (int64_t)a[0] * a[1] / a[2]; }
static int64_t flight_bytes(const int *a) { return (int64_t)a[0] * a[1]; }
static int64_t unroll_most(const int *a) {
  (void)a;
  return 8;
}
static int64_t unroll_last(const int *a) {
  int best = 1;
  for (int u = 2; u <= 8; u++)
    if (loads_with(a, u) >= loads_with(a, best)) best = u;
  return best;
}
static int64_t unroll_without_slots(const int *a) {
  const int b[] = {a[0], a[1], a[2], 1 << 20};
  return unroll_rule(b);
}

/* ---- functions ------------------------------------------------------------------------------- */

#define FUNCTION(id, parameters, count, rule, ...)                                                 \
  static const StudentFunction id = {.name = #id,                                                  \
                                     .prototype = "int " #id parameters,                           \
                                     .arity = count,                                               \
                                     .unwritten = -1,                                              \
                                     .right = rule,                                                \
                                     .mistakes = (const Mistake[]){__VA_ARGS__, {0}}}

FUNCTION(busy_percent, "(int warps, int work, int wait)", 3, busy_rule,
         {"not-over-100", busy_unbounded}, {"own-work-too", busy_of_wait},
         {"all-warps", busy_of_one});
FUNCTION(round_cycles, "(int warps, int work, int wait)", 3, round_rule,
         {"one-sub-core", round_of_one}, {"own-round", round_of_all}, {"meanwhile", round_sum});
FUNCTION(warps_needed, "(int work, int wait, int percent)", 3, needed_rule,
         {"round-up", needed_floor}, {"own-work-too", needed_of_wait});
FUNCTION(warps_with_chains, "(int latency, int chains)", 2, chains_rule, {"round-up", chains_floor},
         {"chains-count", chains_ignored});
FUNCTION(loads_in_flight, "(int bytes_per_cycle, int latency, int bytes)", 3, flight_rule,
         {"round-up", flight_floor}, {"loads-not-bytes", flight_bytes});
FUNCTION(best_unroll, "(int registers, int base, int each, int max_warps)", 4, unroll_rule,
         {"registers-run-out", unroll_most}, {"smallest-of-equals", unroll_last},
         {"slots-too", unroll_without_slots});

Test(latency, busy_percent) {
  static const Case cases[] = {{{1, 3, 500}, 0},     {{64, 3, 500}, 38},   {{8, 20, 480}, 32},
                               {{25, 20, 480}, 100}, {{30, 20, 480}, 100}, {{3, 10, 0}, 100}};
  EXAMINE(busy_percent, cases);
}

Test(latency, round_cycles) {
  static const Case cases[] = {{{1, 3, 500}, 503},   {{64, 3, 500}, 503},  {{168, 3, 500}, 504},
                               {{25, 20, 480}, 500}, {{30, 20, 480}, 600}, {{3, 10, 0}, 30}};
  EXAMINE(round_cycles, cases);
}

Test(latency, warps_needed) {
  static const Case cases[] = {{{3, 500, 100}, 168}, {{3, 500, 90}, 151}, {{20, 480, 100}, 25},
                               {{20, 480, 50}, 13},  {{20, 0, 100}, 1},   {{100, 1, 90}, 1}};
  EXAMINE(warps_needed, cases);
}

Test(latency, warps_with_chains) {
  static const Case cases[] = {{{22, 1}, 22}, {{22, 3}, 8}, {{4, 1}, 4}, {{4, 2}, 2},
                               {{4, 3}, 2},   {{4, 8}, 1},  {{24, 6}, 4}};
  EXAMINE(warps_with_chains, cases);
}

Test(latency, loads_in_flight) {
  static const Case cases[] = {
      {{64, 500, 128}, 250}, {{64, 500, 512}, 63}, {{20, 600, 128}, 94}, {{1, 100, 128}, 1}};
  EXAMINE(loads_in_flight, cases);
}

Test(latency, best_unroll) {
  static const Case cases[] = {{{65536, 16, 8, 64}, 6},  {{65536, 24, 8, 64}, 7},
                               {{65536, 8, 16, 64}, 7},  {{65536, 30, 1, 64}, 8},
                               {{32768, 16, 16, 48}, 7}, {{65536, 20, 24, 16}, 4},
                               {{65536, 16, 24, 8}, 8}};
  EXAMINE(best_unroll, cases);
}

/* Arguments at random: work, waits and shares as they occur. */
static void draw_functions(Exam *e) {
  enum { DRAWN = 12 };
  int all[4][DRAWN][ARGUMENTS_MAX] = {{{0}}};
  for (int i = 0; i < DRAWN; i++) {
    int warps = exam_between(e, 1, 64), work = exam_between(e, 1, 60);
    int wait = exam_between(e, 0, 800), percent = exam_between(e, 1, 100);
    const int rounds[] = {warps, work, wait}, needed[] = {work, wait, percent};
    const int flight[] = {exam_between(e, 1, 100), wait + 1, 32 << exam_random(e, 5)};
    const int unroll[] = {1024 * exam_between(e, 16, 64), exam_between(e, 10, 40),
                          exam_between(e, 1, 24), 16 * exam_between(e, 1, 4)};
    memcpy(all[0][i], rounds, sizeof rounds);
    memcpy(all[1][i], needed, sizeof needed);
    memcpy(all[2][i], flight, sizeof flight);
    memcpy(all[3][i], unroll, sizeof unroll);
  }
  exam_function_of(e, &busy_percent, all[0], DRAWN);
  exam_function_of(e, &round_cycles, all[0], DRAWN);
  exam_function_of(e, &warps_needed, all[1], DRAWN);
  exam_function_of(e, &loads_in_flight, all[2], DRAWN);
  exam_function_of(e, &best_unroll, all[3], DRAWN);
}

Test(latency, random_functions) { exam_seeded(draw_functions); }
Test(latency, hidden_functions) { exam_seeded(draw_functions); }

/* ---- beside the simulator -------------------------------------------------------------------- */

enum {
  WAIT = 499,
  MEASURED_WARPS = 16
}; /* the textbook's load takes 500 cycles, one of them to issue */

/* Cycles of a round in the midst of others: what a fourth round costs. 0: the grader cannot. */
static int64_t measure_round(Exam *e, uint32_t warps, int work) {
  static CodeRun three, four;
  WarpCode c = code_rounds(warps, 3, work - 1), d = code_rounds(warps, 4, work - 1);
  if (!code_reference(e, "textbook", "grr", &c, &three) ||
      !code_reference(e, "textbook", "grr", &d, &four))
    return 0;
  return (int64_t)(four.cycles - three.cycles);
}

static void check_rule(Exam *e, const char *name, int64_t rule, int64_t measured) {
  if (rule != measured && !exam_failed(e))
    exam_broken(e, "%s: the rule says %lld, the simulator %lld", name, (long long)rule,
                (long long)measured);
}

/* Rounds of some shapes, and the fewest warps that use 90% of the cycles, both as they run. */
static void draw_measured(Exam *e) {
  enum { SHAPES = 3 };
  int rounds[SHAPES][ARGUMENTS_MAX] = {{0}}, needed[1][ARGUMENTS_MAX] = {{0}};
  for (int i = 0; i < SHAPES; i++) {
    int warps = exam_between(e, 2, MEASURED_WARPS), work = exam_between(e, 20, 60);
    const int shape[] = {warps, work, WAIT};
    memcpy(rounds[i], shape, sizeof shape);
    check_rule(e, "round_cycles", round_rule(shape), measure_round(e, (uint32_t)warps, work));
  }
  int work = exam_between(e, 40, 60), fewest = 1;
  const int need[] = {work, WAIT, 90};
  while (!exam_failed(e) && fewest < MEASURED_WARPS &&
         100 * fewest * work < 90 * measure_round(e, (uint32_t)fewest, work))
    fewest++;
  check_rule(e, "warps_needed", needed_rule(need), fewest);
  memcpy(needed[0], need, sizeof need);
  exam_function_of(e, &round_cycles, rounds, SHAPES);
  exam_function_of(e, &warps_needed, needed, 1);
}

Test(latency, measured) { exam_seeded(draw_measured); }

/* ---- kernels to be rewritten ----------------------------------------------------------------- */

enum { THREADS = 64, ROWS = 32, STEPS = 10, REGISTERS = 32, INPUTS = THREADS * ROWS };

STUDENT_KERNEL(sum_columns, "(const int *x, int *y)", "pp");
STUDENT_KERNEL(dot_columns, "(const int *a, const int *b, int *y)", "ppp");
STUDENT_KERNEL(walk, "(const int *next, const unsigned *value, unsigned *y)", "ppp");

/* On every other machine the results come first; cycles are the textbook's. */
static bool same_result(Exam *e, KernelRun *run) {
  for (Schedule s = SCHEDULE_STACK; s >= SCHEDULE_TEXTBOOK; s--) {
    if (!exam_run_accept(e, run, exam_run_once(e, run, s))) return false;
    if (exam_compare(e, run)) continue;
    exam_say_hint(e, "same-result");
    return false;
  }
  return true;
}

/* False: the kernel takes more registers than it may. */
static bool within_registers(Exam *e, const KernelRun *run) {
  gpu_timing timing;
  if (!exam_check(e, gpu_get_timing(exam_device(e), &timing))) return false;
  if (timing.registers <= REGISTERS) return true;
  exam_fail(e, "the result is right, but a thread takes too many registers");
  exam_say_run(e, run);
  exam_say_expected(e, "at most %d registers", REGISTERS);
  exam_say_got(e, "%u registers, in %llu cycles", timing.registers,
               (unsigned long long)timing.cycles);
  exam_say_hint(e, "fewer-at-a-time");
  return false;
}

static void examine_rewrite(Exam *e, KernelRun *run, Bound cycles, bool few_registers) {
  run->block.x = THREADS;
  if (same_result(e, run) && (!few_registers || within_registers(e, run))) {
    const Measure m = {" cycles", cycles, (double)run->stats.cycles, NULL};
    exam_measures(e, run, &m, 1);
  }
  exam_close_failure(e);
}

static void draw_numbers(Exam *e, int32_t *numbers) {
  for (int i = 0; i < INPUTS; i++) numbers[i] = (int32_t)exam_random(e, 1000);
}

static void draw_sum(Exam *e) {
  static int32_t x[INPUTS], y[THREADS];
  draw_numbers(e, x);
  memset(y, 0, sizeof y);
  for (int i = 0; i < INPUTS; i++) y[i % THREADS] += x[i];
  KernelRun run = {.kernel = &sum_columns,
                   .arguments = {argument_input("x", "i32", x, INPUTS),
                                 argument_output("y", "i32", y, THREADS, OWNER_THREAD)}};
  examine_rewrite(e, &run, (Bound){16000, 2600}, false);
}

static void draw_dot(Exam *e) {
  static int32_t a[INPUTS], b[INPUTS], y[THREADS];
  draw_numbers(e, a);
  draw_numbers(e, b);
  memset(y, 0, sizeof y);
  for (int i = 0; i < INPUTS; i++) y[i % THREADS] += a[i] * b[i];
  KernelRun run = {.kernel = &dot_columns,
                   .arguments = {argument_input("a", "i32", a, INPUTS),
                                 argument_input("b", "i32", b, INPUTS),
                                 argument_output("y", "i32", y, THREADS, OWNER_THREAD)}};
  examine_rewrite(e, &run, (Bound){16000, 2700}, true);
}

static uint32_t scramble(uint32_t v) {
  for (int i = 0; i < 24; i++) v = v * 1664525u + (v >> 7) + 1013904223u;
  return v;
}

static void draw_walk(Exam *e) {
  static int32_t next[THREADS];
  static uint32_t value[THREADS], y[THREADS];
  for (int i = 0; i < THREADS; i++) next[i] = (int32_t)exam_random(e, THREADS);
  for (int i = 0; i < THREADS; i++) value[i] = exam_random(e, 1u << 24);
  for (int t = 0; t < THREADS; t++) {
    y[t] = 0;
    for (int k = 0, i = t; k < STEPS; k++, i = next[i]) y[t] += scramble(value[i]);
  }
  KernelRun run = {.kernel = &walk,
                   .arguments = {argument_input("next", "i32", next, THREADS),
                                 argument_input("value", "u32", value, THREADS),
                                 argument_output("y", "u32", y, THREADS, OWNER_THREAD)}};
  examine_rewrite(e, &run, (Bound){12700, 5900}, false);
}

Test(latency, sum_columns) { exam_seeded(draw_sum); }
Test(latency, dot_columns) { exam_seeded(draw_dot); }
Test(latency, walk) { exam_seeded(draw_walk); }

/* ---- predictions ----------------------------------------------------------------------------- */

/* a[0] cycles of work, a wait of a[1]: the warps that leave no cycle unused. */
#define FULL_USE(a) ((int[]){(a)[0], (a)[1], 100})
static int64_t hide_right(const int *a) { return needed_rule(FULL_USE(a)); }
static int64_t hide_floor(const int *a) { return needed_floor(FULL_USE(a)); }
static int64_t hide_wait_floor(const int *a) { return a[1] / a[0]; }

/* The percent that a[2] warps of them use. */
#define BUSY(a) ((int[]){(a)[2], (a)[0], (a)[1]})
static int64_t used_right(const int *a) { return busy_rule(BUSY(a)); }
static int64_t used_of_wait(const int *a) { return busy_of_wait(BUSY(a)); }
static int64_t used_of_one(const int *a) { return busy_of_one(BUSY(a)); }
static int64_t used_rounded(const int *a) { return used_right(a) + 1; }

/* a[0] bytes a cycle, a latency of a[1], 128 bytes a load. */
#define LINES(a) ((int[]){(a)[0], (a)[1], 128})
static int64_t loads_right(const int *a) { return flight_rule(LINES(a)); }
static int64_t loads_of_sectors(const int *a) { return flight_bytes(a) / 32; }

/* 64K registers, a[0] a thread: warps of an SM. */
static int64_t room_right(const int *a) { return 65536 / ((int64_t)WARP * a[0]); }
static int64_t room_threads(const int *a) { return 65536 / a[0]; }
static int64_t room_slots(const int *a) { return (void)a, 64; }

PREDICTION(latency, predict_hide, hide_right, {"round-up", hide_floor},
           {"own-work-too", hide_wait_floor}, {0})
PREDICTION(latency, predict_sixty_four, used_right, {"all-warps", used_of_one},
           {"own-work-too", used_of_wait}, {"own-work-too", used_rounded}, {0})
/* A latency, chains a warp. */
PREDICTION(latency, predict_chains, chains_rule, {"round-up", chains_floor},
           {"chains-count", chains_ignored}, {0})
PREDICTION(latency, predict_loads, loads_right, {"loads-not-bytes", flight_bytes},
           {"loads-not-bytes", loads_of_sectors}, {0})
PREDICTION(latency, predict_registers, room_right, {"threads-not-warps", room_threads},
           {"slots-too", room_slots}, {0})
