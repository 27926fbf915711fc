/* suites/divergence.c - lab 03: paths, passes, and kernels to be rewritten. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "program.h"

#define ALL 0xffffffff

/* ---- functions of masks: the rules, and the mistakes that are known -------------------------- */

static int64_t group(unsigned lanes) { return lanes != 0; }
static unsigned both(const int *m, int a, int b) { return (unsigned)m[a] & (unsigned)m[b]; }
static unsigned first_only(const int *m) { return (unsigned)m[0] & ~(unsigned)m[1]; }
static int64_t lanes_in(unsigned mask) { return __builtin_popcount(mask); }

static int64_t two_groups(const int *m) { return group(both(m, 0, 1)) + group(first_only(m)); }
static int64_t always_two(const int *m) { return (void)m, 2; }
static int64_t two_idle_too(const int *m) { return group((unsigned)m[1]) + group(~(unsigned)m[1]); }
static int64_t one_when_agreed(const int *m) { return two_groups(m) == 2 ? 2 : 1; }
static int64_t if_right(const int *m) { return group(both(m, 0, 1)); }
static int64_t if_idle_too(const int *m) { return group((unsigned)m[1]); }
static int64_t if_lanes(const int *m) { return lanes_in(both(m, 0, 1)); }

static int64_t chain_right(const int *m) {
  unsigned rest = first_only(m);
  return if_right(m) + group(rest & (unsigned)m[2]) + group(rest & ~(unsigned)m[2]);
}
static int64_t chain_overlap(const int *m) {
  return if_right(m) + group(both(m, 0, 2)) + group(first_only(m) & ~(unsigned)m[2]);
}
static int64_t chain_two_branches(const int *m) {
  unsigned rest = first_only(m);
  return two_groups(m) + group(rest & (unsigned)m[2]) + group(rest & ~(unsigned)m[2]);
}
static int64_t always_three(const int *m) { return (void)m, 3; }

static int64_t nested_right(const int *m) {
  unsigned in = both(m, 0, 1), inner = (unsigned)m[2];
  return group(in) + group(in & inner) + group(in & ~inner) + group(first_only(m));
}
static int64_t nested_all_inner(const int *m) {
  return two_groups(m) + group(both(m, 0, 2)) + group((unsigned)m[0] & ~(unsigned)m[2]);
}
static int64_t nested_without_a(const int *m) { return nested_right(m) - group(both(m, 0, 1)); }
static int64_t always_four(const int *m) { return (void)m, 4; }

static int64_t return_right(const int *m) {
  unsigned stay = first_only(m);
  return group(stay & (unsigned)m[2]) + group(stay);
}
static int64_t return_comes_back(const int *m) {
  return group(both(m, 0, 2)) + group((unsigned)m[0]);
}
static int64_t return_still_b(const int *m) {
  return group(first_only(m) & (unsigned)m[2]) + group((unsigned)m[0]);
}
static int64_t return_one_pass(const int *m) { return group(first_only(m)); }
static int64_t return_stops_all(const int *m) { return both(m, 0, 1) ? 0 : return_right(m); }

/* ---- what the student writes, on masks ------------------------------------------------------- */

#define ON_MASKS(function, parameters, n, rule, known)                                             \
  static const StudentFunction function = {.name = #function,                                      \
                                           .prototype = "int " #function "(" parameters ")",       \
                                           .arity = n,                                             \
                                           .kind = VALUE_OF_MASKS,                                 \
                                           .unwritten = -1,                                        \
                                           .right = rule,                                          \
                                           .mistakes = known}

static const Mistake paths_mistakes[] = {
    {"only-active", two_idle_too}, {"lanes-agree", always_two}, {"nobody", one_when_agreed}, {0}};
ON_MASKS(branch_paths, "unsigned active, unsigned taken", 2, two_groups, paths_mistakes);

static const Mistake if_mistakes[] = {{"no-else", two_groups},      {"no-else", always_two},
                                      {"only-active", if_idle_too}, {"passes-not-lanes", if_lanes},
                                      {"nobody", always_1},         {0}};
ON_MASKS(passes_if, "unsigned active, unsigned taken", 2, if_right, if_mistakes);

static const Mistake if_else_mistakes[] = {{"only-active", two_idle_too},
                                           {"lanes-agree", always_two},
                                           {"serial", always_1},
                                           {"nobody", one_when_agreed},
                                           {0}};
ON_MASKS(passes_if_else, "unsigned active, unsigned taken", 2, two_groups, if_else_mistakes);

static const Mistake chain_mistakes[] = {{"else-if", chain_overlap},
                                         {"arms-only", chain_two_branches},
                                         {"lanes-agree", always_three},
                                         {0}};
ON_MASKS(passes_chain, "unsigned active, unsigned a, unsigned b", 3, chain_right, chain_mistakes);

static const Mistake nested_mistakes[] = {{"nesting", nested_all_inner},
                                          {"count-a", nested_without_a},
                                          {"lanes-agree", always_four},
                                          {0}};
ON_MASKS(passes_nested, "unsigned active, unsigned outer, unsigned inner", 3, nested_right,
         nested_mistakes);

static const Mistake return_mistakes[] = {{"gone", return_comes_back},
                                          {"gone", return_still_b},
                                          {"after-the-if", return_one_pass},
                                          {"others-stay", return_stops_all},
                                          {0}};
ON_MASKS(passes_return, "unsigned active, unsigned leave, unsigned taken", 3, return_right,
         return_mistakes);

/* ---- functions of one number a lane ---------------------------------------------------------- */

typedef struct LaneCase {
  int32_t value[LANES];
  uint32_t active;
} LaneCase;

typedef struct LaneMistake {
  const char *hint;
  int32_t (*value)(const LaneCase *c);
} LaneMistake;

/* int NAME(const int *values, unsigned active) */
typedef struct LaneFunction {
  const char *name, *parameter;
  int32_t (*right)(const LaneCase *c);
  const LaneMistake *mistakes; /* ended by a row without hint */
} LaneFunction;

#define FOR_ACTIVE(l, c)                                                                           \
  for (int l = 0; l < LANES; l++)                                                                  \
    if ((c)->active >> l & 1)

static int32_t trips_most(const LaneCase *c) {
  int32_t most = 0;
  FOR_ACTIVE(l, c) if (c->value[l] > most) most = c->value[l];
  return most;
}
static int32_t trips_most_of_all(const LaneCase *c) {
  LaneCase all = *c;
  all.active = ALL;
  return trips_most(&all);
}
static int32_t trips_sum(const LaneCase *c) {
  int32_t sum = 0;
  FOR_ACTIVE(l, c) sum += c->value[l];
  return sum;
}
static int32_t trips_least(const LaneCase *c) {
  int32_t least = trips_most(c);
  FOR_ACTIVE(l, c) if (c->value[l] < least) least = c->value[l];
  return least;
}
static int32_t trips_first(const LaneCase *c) {
  FOR_ACTIVE(l, c) return c->value[l];
  return 0;
}
static int32_t choices(const LaneCase *c) {
  uint32_t chosen = 0;
  FOR_ACTIVE(l, c) chosen |= 1u << c->value[l];
  return __builtin_popcount(chosen);
}
static int32_t choices_of_all(const LaneCase *c) {
  LaneCase all = *c;
  all.active = ALL;
  return choices(&all);
}
static int32_t lanes_active(const LaneCase *c) { return __builtin_popcount(c->active); }
static int32_t highest_choice(const LaneCase *c) { return trips_most(c) + (c->active != 0); }
static int32_t two_ways(const LaneCase *c) { return choices(c) > 1 ? 2 : choices(c); }
static int32_t every_case(const LaneCase *c) { return (void)c, CASES_MAX; }

static const LaneMistake loop_mistakes[] = {
    {"only-active", trips_most_of_all}, {"together", trips_sum}, {"last-lane", trips_least},
    {"last-lane", trips_first},         {"distinct", choices},   {0}};
static const LaneFunction passes_loop = {"passes_loop", "trips", trips_most, loop_mistakes};

static const LaneMistake switch_mistakes[] = {
    {"only-active", choices_of_all}, {"passes-not-lanes", lanes_active},
    {"chosen-only", highest_choice}, {"chosen-only", every_case},
    {"many-ways", two_ways},         {0}};
static const LaneFunction passes_switch = {"passes_switch", "choice", choices, switch_mistakes};

/* The hint for the first known mistake that explains every answer. */
static const char *recognise_lanes(const LaneFunction *f, const LaneCase *cases, size_t count,
                                   const int32_t *got) {
  for (const LaneMistake *m = f->mistakes; m->hint; m++) {
    size_t i = 0;
    while (i < count && m->value(&cases[i]) == got[i]) i++;
    if (i == count) return m->hint;
  }
  return NULL;
}

static void say_values(Exam *e, const LaneCase *c) {
  for (int l = 0; l < LANES; l++) {
    const char *gap = l == 0 ? "" : l % 8 == 0 ? "  " : " ";
    if (c->active >> l & 1)
      exam_say_call(e, "%s%d", gap, c->value[l]);
    else
      exam_say_call(e, "%s.", gap);
  }
}

static void compare_lanes(Exam *e, const LaneFunction *f, const LaneCase *cases, size_t count,
                          const int32_t *got) {
  size_t i = 0, unwritten = 0;
  while (unwritten < count && got[unwritten] == -1) unwritten++;
  while (i < count && got[i] == f->right(&cases[i])) i++;
  if (i == count) return;
  if (unwritten == count) {
    exam_unwritten(e, "%s is not written yet", f->name);
  } else {
    exam_fail(e, "%s", "");
    exam_say_call(e, "%s(%s, 0x%08x), where %s of the active lanes from 0 to 31 is\n  ", f->name,
                  f->parameter, cases[i].active, f->parameter);
    say_values(e, &cases[i]);
    exam_say_expected(e, "%d", f->right(&cases[i]));
    exam_say_got(e, "%d", got[i]);
    exam_say_hint(e, recognise_lanes(f, cases, count, got));
  }
  exam_say_function(e, f->name);
  exam_close_failure(e);
}

typedef struct LaneArguments {
  gpu_ptr values;
  uint32_t active, unused;
} LaneArguments;

enum { LANE_CASES_MAX = 64 };

static void examine_lanes(Exam *e, const LaneFunction *f, const LaneCase *cases, size_t count) {
  LaneArguments args[LANE_CASES_MAX];
  int32_t got[LANE_CASES_MAX];
  char prototype[96];
  if (exam_failed(e)) return;
  for (size_t i = 0; i < count; i++) {
    args[i] = (LaneArguments){.active = cases[i].active};
    if (!exam_buffer(e, &args[i].values, cases[i].value, sizeof cases[i].value)) return;
  }
  snprintf(prototype, sizeof prototype, "int %s(const int *%s, unsigned active)", f->name,
           f->parameter);
  if (exam_call(e, f->name, prototype, count, args, sizeof *args, got))
    compare_lanes(e, f, cases, count, got);
}

/* ---- fixed cases ----------------------------------------------------------------------------- */

#define EXAMINE_MASKS(function, ...)                                                               \
  static const Case cases[] = {__VA_ARGS__};                                                       \
  EXAMINE(function, cases)
#define M(mask) ((int)(mask##u))

Test(divergence, branch_paths) {
  EXAMINE_MASKS(branch_paths, {{M(0xffffffff), M(0x0000ffff)}, 2},
                {{M(0xffffffff), M(0xffffffff)}, 1}, {{M(0xffffffff), 0}, 1},
                {{M(0x0000ffff), M(0xffff0000)}, 1}, {{M(0x00000100), M(0x00000100)}, 1},
                {{0, M(0xffffffff)}, 0}, {{M(0xf0f0f0f0), M(0x80000000)}, 2},
                {{M(0x000000ff), M(0xffffff00)}, 1});
}

Test(divergence, passes_if) {
  EXAMINE_MASKS(passes_if, {{M(0xffffffff), M(0x0000ffff)}, 1}, {{M(0xffffffff), M(0xffffffff)}, 1},
                {{M(0xffffffff), 0}, 0}, {{M(0x0000ffff), M(0xffff0000)}, 0},
                {{M(0xffffffff), M(0x00000001)}, 1}, {{0, M(0xffffffff)}, 0});
}

Test(divergence, passes_if_else) {
  EXAMINE_MASKS(passes_if_else, {{M(0xffffffff), M(0x00ffffff)}, 2},
                {{M(0xffffffff), M(0xffffffff)}, 1}, {{M(0xffffffff), 0}, 1},
                {{M(0x0000ffff), M(0x0000ffff)}, 1}, {{M(0x0000ffff), M(0x55555555)}, 2},
                {{0, M(0x0000ffff)}, 0});
}

Test(divergence, passes_chain) {
  EXAMINE_MASKS(passes_chain, {{M(0xffffffff), M(0x0000ffff), M(0x00ff0000)}, 3},
                {{M(0xffffffff), M(0x0000ffff), M(0x000000ff)}, 2},
                {{M(0xffffffff), M(0xffffffff), M(0xffffffff)}, 1},
                {{M(0xffffffff), M(0x0000ffff), M(0xffffffff)}, 2},
                {{M(0xffffffff), 0, M(0x000000ff)}, 2}, {{M(0x000000ff), M(0x0f), M(0xff)}, 2},
                {{M(0x000000ff), M(0xff00), M(0xff0000)}, 1}, {{0, M(0xff), M(0xff00)}, 0});
}

Test(divergence, passes_nested) {
  EXAMINE_MASKS(passes_nested, {{M(0xffffffff), M(0x0000ffff), M(0x000000ff)}, 4},
                {{M(0xffffffff), M(0x0000ffff), M(0xffff0000)}, 3},
                {{M(0xffffffff), M(0xffffffff), M(0x0000ffff)}, 3},
                {{M(0xffffffff), 0, M(0x0000ffff)}, 1}, {{M(0xffffffff), M(0xffffffff), 0}, 2},
                {{M(0x000000ff), M(0x0000000f), M(0x00000003)}, 4},
                {{M(0x0000ffff), M(0xffff0000), M(0xff00ff00)}, 1}, {{0, M(0xff), M(0xff)}, 0});
}

Test(divergence, passes_return) {
  EXAMINE_MASKS(passes_return, {{M(0xffffffff), M(0x0000ffff), M(0x00ff0000)}, 2},
                {{M(0xffffffff), M(0x0000ffff), M(0x000000ff)}, 1},
                {{M(0xffffffff), M(0xffffffff), M(0xffffffff)}, 0}, {{M(0xffffffff), 0, 0}, 1},
                {{M(0xffffffff), 0, M(0xffffffff)}, 2}, {{M(0x0000ffff), M(0xffff0000), M(0x1)}, 2},
                {{M(0x000000ff), M(0x000000ff), M(0xff00)}, 0});
}

static LaneCase lane_case(uint32_t active, int32_t (*value)(int lane)) {
  LaneCase c = {.active = active};
  for (int l = 0; l < LANES; l++) c.value[l] = value(l);
  return c;
}
static int32_t is_seven(int l) { return (void)l, 7; }
static int32_t is_none(int l) { return (void)l, 0; }
static int32_t by_four(int l) { return 4 + l % 4; }
static int32_t is_lane(int l) { return l; }
static int32_t falls(int l) { return 31 - l; }
static int32_t one_long(int l) { return l == 17 ? 20 : 2; }
static int32_t by_eight(int l) { return l % 8; }
static int32_t by_half(int l) { return l < 16 ? 6 : 1; }
static int32_t odd_ones(int l) { return l % 2 ? 3 : 5; }

static void examine_table(const LaneFunction *f, const LaneCase *cases, const int32_t *expected,
                          size_t count) {
  Exam *e = exam_begin();
  for (size_t i = 0; i < count; i++)
    if (f->right(&cases[i]) != expected[i]) exam_broken(e, "case %zu contradicts its rule", i);
  examine_lanes(e, f, cases, count);
  exam_end(e);
}

Test(divergence, passes_loop) {
  const LaneCase cases[] = {lane_case(ALL, by_four),       lane_case(ALL, is_seven),
                            lane_case(ALL, is_none),       lane_case(ALL, one_long),
                            lane_case(0x0000ffff, falls),  lane_case(0x0000ffff, is_lane),
                            lane_case(0x00000001, is_lane)};
  static const int32_t expected[] = {7, 7, 0, 20, 31, 15, 0};
  examine_table(&passes_loop, cases, expected, COUNT(cases));
}

Test(divergence, passes_switch) {
  const LaneCase cases[] = {lane_case(ALL, by_eight),        lane_case(ALL, is_seven),
                            lane_case(ALL, by_half),         lane_case(0x0000ffff, by_half),
                            lane_case(0x0f0f0f0f, by_eight), lane_case(ALL, odd_ones),
                            lane_case(0x55555555, odd_ones), lane_case(0, by_eight)};
  static const int32_t expected[] = {8, 1, 2, 1, 4, 2, 1, 0};
  examine_table(&passes_switch, cases, expected, COUNT(cases));
}

/* ---- the same beside the simulator ------------------------------------------------------------
 *
 * Each function stands for a program. It runs in the simulator under masks drawn from a seed, and
 * what the warp issued there is what the student's function must say. */

static void add_mask(Program *p, unsigned mask) {
  for (int l = 0; l < LANES; l++) p->rows[p->row_count][l] = mask >> l & 1;
  p->row_count++;
}

typedef struct Construct {
  const StudentFunction *function;
  StepKind steps[16];
  int rows[16];
} Construct;

/* Row 0 holds the lanes that are not active: they leave first. Row i is the i-th argument. */
static const Construct constructs[] = {
    {&passes_if, {STEP_IF, STEP_BLOCK, STEP_ENDIF}, {1}},
    {&passes_if_else, {STEP_IF, STEP_BLOCK, STEP_ELSE, STEP_BLOCK, STEP_ENDIF}, {1}},
    {&passes_chain,
     {STEP_IF, STEP_BLOCK, STEP_ELSE, STEP_IF, STEP_BLOCK, STEP_ELSE, STEP_BLOCK, STEP_ENDIF,
      STEP_ENDIF},
     {1, 0, 0, 2}},
    {&passes_nested,
     {STEP_IF, STEP_BLOCK, STEP_IF, STEP_BLOCK, STEP_ELSE, STEP_BLOCK, STEP_ENDIF, STEP_ELSE,
      STEP_BLOCK, STEP_ENDIF},
     {1, 0, 2}},
    {&passes_return, {STEP_LEAVE, STEP_IF, STEP_BLOCK, STEP_ENDIF, STEP_BLOCK}, {1, 2}}};

enum { DRAWN_CASES = 12 };

static unsigned draw_mask(Exam *e) {
  unsigned low = exam_random(e, 1u << 16), high = exam_random(e, 1u << 16), any = high << 16 | low;
  switch (exam_random(e, 6)) {
  case 0: return ALL;
  case 1: return 0;
  case 2: return any & (any >> 7) & (any << 5);
  case 3: return low;
  default: return any;
  }
}

static void check_rule(Exam *e, const char *name, int64_t rule, const Program *p) {
  static ProgramLog log;
  if (program_run(e, p, 1, LANES, &log) && log.seen.passes != rule)
    exam_broken(e, "%s: the rule says %lld, the simulator %d", name, (long long)rule,
                log.seen.passes);
}

static void examine_construct(Exam *e, const Construct *c) {
  int masks[DRAWN_CASES][ARGUMENTS_MAX] = {{0}};
  for (int i = 0; i < DRAWN_CASES; i++) {
    Program p = {0};
    for (int m = 0; m < c->function->arity; m++) {
      masks[i][m] = (int)draw_mask(e);
      add_mask(&p, m == 0 ? ~(unsigned)masks[i][0] : (unsigned)masks[i][m]);
    }
    program_add(&p, STEP_LEAVE, 0);
    for (int s = 0; c->steps[s] != STEP_STOP; s++) program_add(&p, c->steps[s], c->rows[s]);
    check_rule(e, c->function->name, c->function->right(masks[i]), &p);
  }
  exam_function_of(e, c->function, masks, DRAWN_CASES);
}

static void examine_drawn_lanes(Exam *e, const LaneFunction *f, StepKind kind) {
  LaneCase cases[DRAWN_CASES];
  for (int i = 0; i < DRAWN_CASES; i++) {
    Program p = {.row_count = 1};
    cases[i].active = draw_mask(e);
    for (int l = 0; l < LANES; l++) cases[i].value[l] = (int32_t)exam_random(e, CASES_MAX);
    memcpy(p.rows[0], cases[i].value, sizeof cases[i].value);
    add_mask(&p, ~cases[i].active);
    program_add(&p, STEP_LEAVE, 1);
    program_add(&p, kind, 0);
    if (kind == STEP_LOOP) program_add(&p, STEP_BLOCK, 0);
    if (kind == STEP_LOOP) program_add(&p, STEP_ENDLOOP, 0);
    check_rule(e, f->name, f->right(&cases[i]), &p);
  }
  examine_lanes(e, f, cases, DRAWN_CASES);
}

static void random_counts(Exam *e) {
  for (size_t c = 0; c < COUNT(constructs); c++) examine_construct(e, &constructs[c]);
  examine_drawn_lanes(e, &passes_loop, STEP_LOOP);
  examine_drawn_lanes(e, &passes_switch, STEP_SWITCH);
}

Test(divergence, random_counts) { exam_seeded(random_counts); }

/* ---- any program ----------------------------------------------------------------------------- */

#define COUNTER "count_divergence"
#define COUNTER_PROTOTYPE                                                                          \
  "void count_divergence(const Step *program, const int *data, unsigned active, Counts *counts)"

typedef struct CounterArguments {
  gpu_ptr program, data;
  uint32_t active, unused;
  gpu_ptr counts;
} CounterArguments;

enum { UNTOUCHED = -77 };

/* A hint for what only a certain step can have caused. */
static const char *hint_for(const Program *p, const Observed *want, const Observed *got) {
  bool has[STEP_BARRIER + 1] = {false};
  for (int i = 0; i < p->count; i++) has[p->steps[i].kind] = true;
  if (got->passes == want->passes && got->divergent == want->divergent) return "two-each";
  if (got->passes == want->passes) return "lanes-part";
  if (has[STEP_LEAVE]) return "leave-step";
  if (has[STEP_LOOP]) return "loop-step";
  return "if-step";
}

static void compare_counts(Exam *e, const Program *p, uint32_t threads, const Observed *want,
                           const Observed *got) {
  if (memcmp(want, got, sizeof *want) == 0) return;
  Text text = {0};
  program_show(&text, p);
  if (got->passes == UNTOUCHED && got->divergent == UNTOUCHED && got->paths == UNTOUCHED) {
    exam_unwritten(e, COUNTER " is not written yet");
  } else {
    exam_fail(e, "%s", "");
    exam_say_call(e, COUNTER " of this program, for lanes 0 to %u:%s", threads - 1,
                  text_str(&text));
    exam_say_expected(e, "passes %d, divergent %d, paths %d", want->passes, want->divergent,
                      want->paths);
    exam_say_got(e, "passes %d, divergent %d, paths %d", got->passes, got->divergent, got->paths);
    exam_say_hint(e, hint_for(p, want, got));
  }
  exam_close_failure(e);
  text_free(&text);
}

static void examine_counter(Exam *e, const Program *p, uint32_t threads) {
  static const Observed untouched = {UNTOUCHED, UNTOUCHED, UNTOUCHED};
  CounterArguments args = {.active = (uint32_t)((1ull << threads) - 1)};
  static ProgramLog log;
  Observed got;
  if (exam_failed(e) || !program_run(e, p, 1, threads, &log)) return;
  if (!exam_buffer(e, &args.program, p->steps, (size_t)(p->count + 1) * sizeof *p->steps) ||
      !exam_buffer(e, &args.data, p->rows, sizeof p->rows) ||
      !exam_buffer(e, &args.counts, &untouched, sizeof untouched) ||
      !exam_call(e, COUNTER, COUNTER_PROTOTYPE, 1, &args, sizeof args, NULL) ||
      !exam_read(e, &got, args.counts, sizeof got))
    return;
  compare_counts(e, p, threads, &log.seen, &got);
}

/* Programs of one kind of step alone, before those that mix them. */
static LaneNumbers *const row_values[] = {by_half, by_four, is_lane, is_none, by_eight};
enum { BY_HALF, BY_FOUR, IS_LANE, IS_NONE, BY_EIGHT };

static void examine_steps(const Step *steps, size_t count) {
  Program p = program_of(steps, count, row_values, COUNT(row_values));
  Exam *e = exam_begin();
  examine_counter(e, &p, LANES);
  examine_counter(e, &p, 11);
  exam_end(e);
}

Test(divergence, program_if) {
  static const Step steps[] = {BLOCK, IF(IS_LANE), BLOCK, IF(BY_EIGHT), BLOCK, ENDIF, ELSE,
                               BLOCK, ENDIF,       BLOCK, IF(IS_NONE),  BLOCK, ENDIF, BLOCK};
  examine_steps(steps, COUNT(steps));
}

Test(divergence, program_loop) {
  static const Step steps[] = {LOOP(BY_FOUR), BLOCK, LOOP(IS_LANE), BLOCK, ENDLOOP, ENDLOOP, BLOCK,
                               LOOP(IS_NONE), BLOCK, ENDLOOP,       BLOCK};
  examine_steps(steps, COUNT(steps));
}

Test(divergence, program_leave) {
  static const Step steps[] = {BLOCK, LEAVE(BY_EIGHT), BLOCK, IF(IS_LANE),    BLOCK, ELSE, BLOCK,
                               ENDIF, LEAVE(IS_NONE),  BLOCK, LEAVE(IS_LANE), BLOCK};
  examine_steps(steps, COUNT(steps));
}

enum { DRAWN_PROGRAMS = 6 };

static void draw_programs(Exam *e) {
  for (int n = 0; n < DRAWN_PROGRAMS; n++) {
    Program p;
    program_draw(e, &p);
    examine_counter(e, &p, n % 3 ? LANES : 1 + exam_random(e, LANES));
  }
}

Test(divergence, random_programs) { exam_seeded(draw_programs); }
Test(divergence, hidden_programs) { exam_seeded(draw_programs); }

/* ---- kernels to be rewritten ----------------------------------------------------------------- */

static uint32_t scramble(uint32_t v) {
  for (int i = 0; i < 24; i++) v = v * 1664525u + (v >> 7) + 1013904223u;
  return v;
}

static uint32_t whiten(uint32_t v) {
  for (int i = 0; i < 24; i++) v = (v ^ (v << 5)) + (v >> 3) + 2654435769u;
  return v;
}

static uint32_t regroup_result(const uint32_t *x, uint32_t i) {
  return i % 2 == 0 ? scramble(x[i]) : whiten(x[i]);
}
static uint32_t merge_result(const uint32_t *x, uint32_t i) {
  return scramble(x[i] % 2 ? 3 * x[i] + 1 : x[i] / 2);
}
static uint32_t balance_result(const uint32_t *x, uint32_t i) {
  uint32_t sum = 0;
  for (uint32_t k = 0; k <= i % 32; k++) sum += scramble(x[i] + k);
  return sum;
}

enum { ELEMENTS_MAX = 2048 };

/* A kernel of the starter, an element a thread. Counts are of this launch, as the pinned compiler
 * translates it. */
typedef struct Rewrite {
  StudentKernel kernel;
  uint32_t grid, block;
  uint32_t (*result)(const uint32_t *x, uint32_t i);
  Bound efficiency;   /* percent, upwards */
  Bound instructions; /* of warps, downwards */
  Bound cycles;       /* the same, of an H200 */
  const char *hint;   /* how to raise the efficiency */
} Rewrite;

static const Rewrite regroup = {
    .kernel = {"regroup", "void regroup(const unsigned *x, unsigned *y)", "pp"},
    .grid = 4,
    .block = 128,
    .result = regroup_result,
    .efficiency = {52, 95},
    .instructions = {11000, 6500},
    .cycles = {2600, 2000},
    .hint = "same-way"};
static const Rewrite merge = {
    .kernel = {"merge", "void merge(const unsigned *x, unsigned *y)", "pp"},
    .grid = 4,
    .block = 128,
    .result = merge_result,
    .efficiency = {52, 92},
    .instructions = {10500, 6300},
    .cycles = {2500, 2000},
    .hint = "common-work"};
static const Rewrite balance = {
    .kernel = {"balance", "void balance(const unsigned *x, unsigned *y)", "pp"},
    .grid = 2,
    .block = 1024,
    .result = balance_result,
    .efficiency = {52, 85},
    .instructions = {695000, 430000},
    .cycles = {59000, 48000},
    .hint = "equal-rows"};

static bool same_result(Exam *e, KernelRun *run) {
  for (Schedule s = SCHEDULE_STACK; s >= SCHEDULE_TIMED; s--) { /* what is counted is of the last */
    if (!exam_run_accept(e, run, exam_run_once(e, run, s))) return false;
    if (exam_compare(e, run)) continue;
    exam_say_hint(e, "same-result");
    return false;
  }
  return true;
}

static void judge(Exam *e, const Rewrite *r, const KernelRun *run) {
  const gpu_stats *stats = &run->stats;
  const Measure measures[] = {
      {"% SIMD efficiency", r->efficiency, 100 * gpu_simd_efficiency(stats), r->hint},
      {" warp instructions", r->instructions, (double)stats->warp_instructions, "more-work"},
      {" cycles", r->cycles, (double)stats->cycles, "more-work"}};
  exam_measures(e, run, measures, COUNT(measures));
}

static void examine_rewrite(const Rewrite *r) {
  static uint32_t x[ELEMENTS_MAX], y[ELEMENTS_MAX];
  uint32_t elements = r->grid * r->block;
  Exam *e = exam_begin();
  for (size_t i = 0; i < exam_seed_count(e) && !exam_failed(e); i++) {
    exam_use_seed(e, i);
    for (uint32_t n = 0; n < elements; n++) x[n] = exam_random(e, 1u << 24);
    for (uint32_t n = 0; n < elements; n++) y[n] = r->result(x, n);
    KernelRun run = {.kernel = &r->kernel,
                     .grid = {.x = r->grid},
                     .block = {.x = r->block},
                     .arguments = {{"x", "u32", .count = elements, .before = x},
                                   {"y", "u32", .count = elements, .expected = y}}};
    if (same_result(e, &run)) judge(e, r, &run);
  }
  exam_end(e);
}

Test(divergence, regroup) { examine_rewrite(&regroup); }
Test(divergence, merge) { examine_rewrite(&merge); }
Test(divergence, balance) { examine_rewrite(&balance); }

/* ---- predictions ----------------------------------------------------------------------------- */

/* Lanes below a[0] take A of an if/else, the others B: passes. */
static int64_t split_right(const int *a) { return a[0] < WARP ? 2 : 1; }
static int64_t split_branches(const int *a) { return a[0] < WARP ? 1 : 2; }
static int64_t split_lanes(const int *a) { return (void)a, WARP; }

/* if (threadIdx.x > a[0]) in warp 0: the lanes apart. */
static int64_t apart_right(const int *a) { return lowest_lanes(a[0] + 1); }
static int64_t apart_inside(const int *a) { return lowest_lanes(WARP) & ~apart_right(a); }
static int64_t apart_one_short(const int *a) { return lowest_lanes(a[0]); }

/* A block of a[0] threads, if (threadIdx.x / a[1] % 2 == 0): the warps that diverge. */
static int64_t stripes_right(const int *a) {
  int64_t divergent = 0;
  for (int warp = 0; warp < a[0] / WARP; warp++) {
    unsigned arms = 0;
    for (int t = warp * WARP; t < (warp + 1) * WARP; t++) arms |= 1u << t / a[1] % 2;
    divergent += arms == 3;
  }
  return divergent;
}
static int64_t stripes_all(const int *a) { return a[0] / WARP; }
static int64_t stripes_half(const int *a) { return a[0] / WARP / 2; }

/* Lane l runs a loop's body a[0] + l % a[1] times: passes of the body. */
static int64_t body_right(const int *a) { return a[0] + a[1] - 1; }
static int64_t body_distinct(const int *a) { return a[1]; }
static int64_t body_first(const int *a) { return a[0]; }
static int64_t body_past_last(const int *a) { return a[0] + a[1]; }
static int64_t body_sum(const int *a) {
  int64_t sum = 0;
  for (int lane = 0; lane < WARP; lane++) sum += a[0] + lane % a[1];
  return sum;
}

/* a[0] lanes issue a[1] instructions, the others a[2]: percent. */
static int64_t arms_right(const int *a) {
  return 100 * ((int64_t)a[0] * a[1] + (int64_t)(WARP - a[0]) * a[2]) /
         ((int64_t)WARP * (a[1] + a[2]));
}
static int64_t arms_averaged(const int *a) { return (void)a, 50; }
static int64_t arms_first(const int *a) { return 100 * a[0] / WARP; }
static int64_t arms_second(const int *a) { return 100 * (WARP - a[0]) / WARP; }

PREDICTION(divergence, predict_passes, split_right, {"serial", split_branches},
           {"passes-not-lanes", split_lanes}, {0})
PREDICTION(divergence, predict_mask, apart_right, {"apart", apart_inside},
           {"apart", apart_one_short}, {0})
PREDICTION(divergence, predict_warps, stripes_right, {"lanes-agree", stripes_all},
           {"lanes-agree", stripes_half}, {"lanes-agree", always_0}, {0})
PREDICTION(divergence, predict_loop, body_right, {"distinct", body_distinct},
           {"last-lane", body_first}, {"last-lane", body_past_last}, {"together", body_sum}, {0})
PREDICTION(divergence, predict_efficiency, arms_right, {"weigh", arms_averaged},
           {"weigh", arms_first}, {"weigh", arms_second}, {0})
