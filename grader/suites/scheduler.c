/* suites/scheduler.c - lab 07: the student's function as the simulator's warp scheduler. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "warpcode.h"

#define PROTOTYPE(name)                                                                            \
  "int " name "(int core, const wb_warp *warps, int count, unsigned long long cycle)"

/* One of the three schedulers that are to do what one of the simulator's own does. */
typedef struct Known {
  const char *function, *prototype;
  const char *own;         /* the simulator's name of it */
  const char *hints[4][2]; /* another of the simulator's, and the hint for whoever writes that */
} Known;

static const Known oldest = {
    "oldest", PROTOTYPE("oldest"), "oldest", {{"gto", "not-greedy"}, {"lrr", "by-age"}}};
static const Known round_robin = {
    "round_robin", PROTOTYPE("round_robin"), "lrr", {{"oldest", "moves-on"}, {"grr", "moves-on"}}};
static const Known gto = {
    "gto", PROTOTYPE("gto"), "gto", {{"oldest", "stays"}, {"grr", "then-oldest"}}};

/* ---- running under the student's scheduler --------------------------------------------------- */

/* The hint for a fault of the scheduler; NULL: the table's own. */
static const char *hint_for_fault(const Exam *e) {
  static const struct {
    const char *words, *hint;
  } known[] = {{"not eligible", "eligible-only"},
               {"have the indices", "index-not-number"},
               {"did not return", "endless"}};
  gpu_fault_info f;
  if (!exam_fault(e, &f) || f.kind != GPU_FAULT_BAD_CALLBACK) return NULL;
  for (size_t i = 0; i < COUNT(known); i++)
    if (strstr(f.message, known[i].words)) return known[i].hint;
  return NULL;
}

/* A scheduler that issues nothing, ever: that of the starter. */
static bool is_unwritten(const Exam *e) {
  gpu_fault_info f;
  return exam_fault(e, &f) && f.kind == GPU_FAULT_BAD_CALLBACK &&
         strstr(f.message, "cycles in a row");
}

static void say_code(Exam *e, const char *function, const WarpCode *c) {
  Text text = {0};
  code_show(&text, c);
  exam_say_call(e, "%s schedules %s", function, text_str(&text));
  exam_say_function(e, function);
  text_free(&text);
}

/* Runs the code with the function as scheduler. False: what is wrong has been said. */
static bool run_student(Exam *e, Schedule schedule, const char *function, const char *prototype,
                        const WarpCode *c, CodeRun *run) {
  if (exam_failed(e) || !exam_use_fresh(e, schedule)) return false;
  gpu_device *dev = exam_device(e);
  if (gpu_set_scheduler(dev, exam_module(e), function) != GPU_OK) {
    exam_fail(e, "%s", gpu_last_error(dev));
    exam_say_expected(e, "__device__ %s", prototype);
    exam_say_hint(e, "signature");
    exam_close_failure(e);
    return false;
  }
  gpu_result result = code_run(dev, c, run);
  if (result == GPU_FAULT && is_unwritten(e)) {
    exam_unwritten(e, "%s is not written yet: it answers -1 for ever", function);
    exam_say_function(e, function);
  } else if (!exam_check(e, result)) {
    exam_say_hint(e, hint_for_fault(e));
    say_code(e, function, c);
  }
  exam_close_failure(e);
  return result == GPU_OK;
}

/* ---- the same as one of the simulator's own -------------------------------------------------- */

static bool same_issue(const Issue *a, const Issue *b) {
  return a->cycle == b->cycle && a->core == b->core && a->block == b->block && a->warp == b->warp;
}

static size_t first_difference(const CodeRun *a, const CodeRun *b) {
  size_t i = 0;
  while (i < a->count && i < b->count && same_issue(&a->issues[i], &b->issues[i])) i++;
  return i;
}

static bool same_run(const CodeRun *a, const CodeRun *b) {
  return a->count == b->count && first_difference(a, b) == a->count && a->cycles == b->cycles;
}

/* "0 1 0 [1] in cycles 500 to 503": the last few issues of a sub-core, and the one in question. */
static void write_issues(Text *t, const CodeRun *run, size_t at) {
  enum { BEFORE = 7 };
  size_t shown[BEFORE + 1], count = 0;
  if (at >= run->count) {
    text_add(t, "nothing more");
    return;
  }
  for (size_t i = at + 1; i-- > 0 && count <= BEFORE;)
    if (run->issues[i].core == run->issues[at].core) shown[count++] = i;
  text_add(t, "warps");
  for (size_t n = count; n-- > 0;) {
    const Issue *is = &run->issues[shown[n]];
    text_add(t, n ? " %u" : " [%u]", is->warp);
  }
  text_add(t, ", the last in cycle %llu", (unsigned long long)run->issues[at].cycle);
  if (run->issues[at].core) text_add(t, " of sub-core %u", run->issues[at].core);
}

/* The hint for a scheduler that does what another one does. */
static const char *recognise(Exam *e, const Known *k, const char *arch, const WarpCode *c,
                             const CodeRun *got) {
  static CodeRun other;
  for (size_t i = 0; i < COUNT(k->hints) && k->hints[i][0]; i++)
    if (code_reference(e, arch, k->hints[i][0], c, &other) && same_run(&other, got))
      return k->hints[i][1];
  return NULL;
}

static void say_difference(Exam *e, const Known *k, const char *arch, const WarpCode *c,
                           const CodeRun *want, const CodeRun *got) {
  size_t at = first_difference(want, got);
  Text expected = {0}, seen = {0};
  write_issues(&expected, want, at);
  write_issues(&seen, got, at);
  exam_fail(e, "%s", "");
  say_code(e, k->function, c);
  exam_say_expected(e, "%s", text_str(&expected));
  exam_say_got(e, "%s", text_str(&seen));
  exam_say_hint(e, recognise(e, k, arch, c, got));
  exam_close_failure(e);
  text_free(&expected);
  text_free(&seen);
}

static void examine_known(Exam *e, const Known *k, Schedule schedule, const WarpCode *c) {
  static CodeRun want, got;
  const char *arch = schedule == SCHEDULE_TEXTBOOK ? "textbook" : "h200";
  if (!run_student(e, schedule, k->function, k->prototype, c, &got)) return;
  if (!code_reference(e, arch, k->own, c, &want) || same_run(&want, &got)) return;
  say_difference(e, k, arch, c, &want, &got);
}

/* ---- programs -------------------------------------------------------------------------------- */

static void examine_textbook(const Known *k, WarpCode (*make)(void)) {
  WarpCode c = make();
  Exam *e = exam_begin();
  examine_known(e, k, SCHEDULE_TEXTBOOK, &c);
  exam_end(e);
}

/* Warps that are always eligible. */
static WarpCode ready_code(void) {
  WarpCode c = {.blocks = 1, .warps = 4, .same = true};
  code_add(&c, 0, 'a', 8);
  return c;
}

static WarpCode waiting_code(void) { return code_rounds(3, 3, 4); }

/* Warps that wait for shared memory at different times, so that old ones come back while young ones
 * run, and their turns pass while they wait. */
static WarpCode uneven_code(void) {
  WarpCode c = {.blocks = 1, .warps = 4};
  for (uint32_t w = 0; w < 4; w++)
    for (uint32_t i = 0; i < 3; i++) {
      code_add(&c, w, 'a', 3 + (int)((5 * w + 7 * i) % 11));
      code_add(&c, w, 'S', 1);
    }
  return c;
}

/* Two SMs of four sub-cores. What a load from global memory takes depends on its address, which is
 * another one beside a student's module; so these warps wait for shared memory. */
static void examine_cores(const Known *k) {
  WarpCode c = {.blocks = 2, .warps = 12, .same = true};
  for (int i = 0; i < 3; i++) {
    code_add(&c, 0, 'S', 1);
    code_add(&c, 0, 'a', 5);
  }
  Exam *e = exam_begin();
  examine_known(e, k, SCHEDULE_TIMED, &c);
  exam_end(e);
}

/* ---- single choices: ages in any order ------------------------------------------------------- */

enum { CHOICES = 12, CHOICE_WARPS = 8 };

/* wb_warp in sim/cuda/warpbook.h */
typedef struct WarpRecord {
  int32_t eligible, waits_for;
  uint32_t waited, issued, age;
  int32_t last;
  uint32_t block, warp;
} WarpRecord;

typedef struct ChoiceArguments {
  int32_t core, unused;
  gpu_ptr warps;
  int32_t count, unused_too;
  uint64_t cycle;
} ChoiceArguments;

/* Ages that are all different, in any order; one warp that issued last; some are eligible. */
static void draw_choice(Exam *e, WarpRecord *w) {
  uint32_t last = exam_random(e, CHOICE_WARPS), sure = exam_random(e, CHOICE_WARPS);
  uint32_t step = 2 * exam_random(e, CHOICE_WARPS / 2) + 1, base = exam_random(e, 20);
  for (uint32_t i = 0; i < CHOICE_WARPS; i++) {
    bool eligible = i == sure || exam_random(e, 2);
    w[i] = (WarpRecord){.eligible = eligible,
                        .waits_for = eligible ? 0 : 4,
                        .waited = 1 + exam_random(e, 50),
                        .issued = 10 + exam_random(e, 50),
                        .age = base + (step * i + sure) % CHOICE_WARPS,
                        .last = i == last,
                        .block = i / 4,
                        .warp = i % 4};
  }
}

static int right_choice(const WarpRecord *w, bool greedy) {
  int best = -1;
  for (int i = 0; i < CHOICE_WARPS; i++) {
    if (!w[i].eligible) continue;
    if (greedy && w[i].last) return i;
    if (best < 0 || w[i].age < w[best].age) best = i;
  }
  return best;
}

static void say_choice(Exam *e, const Known *k, const WarpRecord *w, int right, int got) {
  exam_fail(e, "%s", "");
  exam_say_call(e, "%s with the ages", k->function);
  for (int i = 0; i < CHOICE_WARPS; i++)
    exam_say_call(e, " %u%s%s", w[i].age, w[i].eligible ? "" : " (waits)",
                  w[i].last ? " (last)" : "");
  exam_say_expected(e, "%d", right);
  exam_say_got(e, "%d", got);
  exam_say_function(e, k->function);
  if (got >= 0 && got < CHOICE_WARPS && !w[got].eligible) exam_say_hint(e, "eligible-only");
}

static void examine_choices(Exam *e, const Known *k, bool greedy) {
  WarpRecord records[CHOICES][CHOICE_WARPS];
  ChoiceArguments args[CHOICES] = {{0}};
  int32_t got[CHOICES];
  gpu_ptr memory;
  exam_use_seed(e, 0);
  for (int n = 0; n < CHOICES; n++) draw_choice(e, records[n]);
  if (!exam_buffer(e, &memory, records, sizeof records)) return;
  for (size_t n = 0; n < CHOICES; n++)
    args[n] = (ChoiceArguments){
        .warps = memory + n * sizeof *records, .count = CHOICE_WARPS, .cycle = 100 * n};
  if (!exam_call(e, k->function, k->prototype, CHOICES, args, sizeof *args, got)) return;
  bool written = false;
  for (int n = 0; n < CHOICES; n++) written |= got[n] != -1;
  if (!written) exam_unwritten(e, "%s is not written yet", k->function);
  for (int n = 0; n < CHOICES; n++) {
    int right = right_choice(records[n], greedy);
    if (got[n] != right) say_choice(e, k, records[n], right, got[n]);
    exam_close_failure(e);
  }
}

Test(scheduler, oldest_ages) {
  Exam *e = exam_begin();
  examine_choices(e, &oldest, false);
  exam_end(e);
}

Test(scheduler, gto_ages) {
  Exam *e = exam_begin();
  examine_choices(e, &gto, true);
  exam_end(e);
}

/* ---- beside the simulator's own -------------------------------------------------------------- */

Test(scheduler, oldest_waits) { examine_textbook(&oldest, uneven_code); }
Test(scheduler, round_robin_ready) { examine_textbook(&round_robin, ready_code); }
Test(scheduler, round_robin_waits) { examine_textbook(&round_robin, uneven_code); }
Test(scheduler, round_robin_cores) { examine_cores(&round_robin); }
Test(scheduler, gto_stays) { examine_textbook(&gto, waiting_code); }
Test(scheduler, gto_goes_on) { examine_textbook(&gto, uneven_code); }

/* Code at random: loads, shared loads, additions, and barriers at the same places in all warps of a
 * block. */
static WarpCode draw_code(Exam *e) {
  WarpCode c = {.blocks = 1 + exam_random(e, 2), .warps = 2 + exam_random(e, 4)};
  int phases = exam_between(e, 1, 3);
  for (int p = 0; p < phases; p++)
    for (uint32_t w = 0; w < c.warps; w++) {
      if (p) code_add(&c, w, 'B', 1);
      for (int n = exam_between(e, 1, 3); n > 0; n--) {
        code_add(&c, w, exam_random(e, 3) ? 'S' : 'L', 1);
        code_add(&c, w, 'a', exam_between(e, 1, 15));
      }
    }
  return c;
}

static void draw_known(Exam *e) {
  static const Known *const all[] = {&oldest, &round_robin, &gto};
  for (int n = 0; n < 2; n++)
    for (size_t i = 0; i < COUNT(all); i++) {
      WarpCode c = draw_code(e);
      examine_known(e, all[i], SCHEDULE_TEXTBOOK, &c);
    }
}

Test(scheduler, random_code) { exam_seeded(draw_known); }
Test(scheduler, hidden_code) { exam_seeded(draw_known); }

/* ---- a scheduler of one's own ---------------------------------------------------------------- */

static const char *const built_in[] = {"lrr", "gto", "grr", "two-level", "oldest"};

/* Eight warps with rounds of a load and work. */
static WarpCode stream_code(void) { return code_rounds(8, 5, 20); }

/* Warps that only compute, and a last one with a long chain of loads. */
static WarpCode make_tail(uint32_t warps, int adds, int loads, int adds_a_load) {
  WarpCode c = {.blocks = 1, .warps = warps};
  for (uint32_t w = 0; w + 1 < warps; w++) code_add(&c, w, 'a', adds);
  for (int i = 0; i < loads; i++) {
    code_add(&c, warps - 1, 'L', 1);
    code_add(&c, warps - 1, 'a', adds_a_load);
  }
  return c;
}

static WarpCode tail_code(void) { return make_tail(8, 240, 4, 30); }

/* Phases between barriers, in which each warp has another amount of work. */
static WarpCode phase_code(void) {
  WarpCode c = {.blocks = 1, .warps = 6};
  for (int p = 0; p < 4; p++)
    for (uint32_t w = 0; w < c.warps; w++) {
      if (p) code_add(&c, w, 'B', 1);
      code_add(&c, w, 'L', 1);
      code_add(&c, w, 'a', 10 * (1 + (int)(w + (uint32_t)p) % 4));
    }
  return c;
}

/* Cycles of the code under the simulator's own schedulers. */
typedef struct Field {
  double best, worst;
  const char *best_name;
} Field;

static bool run_field(Exam *e, const WarpCode *c, Field *f) {
  static CodeRun run;
  *f = (Field){.best = HUGE_VAL};
  for (size_t i = 0; i < COUNT(built_in); i++) {
    if (!code_reference(e, "textbook", built_in[i], c, &run)) return false;
    double cycles = (double)run.cycles;
    if (cycles < f->best) f->best_name = built_in[i];
    if (cycles < f->best) f->best = cycles;
    if (cycles > f->worst) f->worst = cycles;
  }
  return true;
}

/* Full points at `goal` of the best one's cycles, none at `start` of them. */
static void examine_mine(Exam *e, const WarpCode *c, double start, double goal) {
  static CodeRun run;
  Field f;
  if (!run_field(e, c, &f) ||
      !run_student(e, SCHEDULE_TEXTBOOK, "mine", PROTOTYPE("mine"), c, &run))
    return;
  const Measure m = {.bound = {start * f.best, goal * f.best}, .value = (double)run.cycles};
  if (measure_progress(&m) >= 1) return;
  exam_fail(e, "every answer was allowed, but it takes too long");
  say_code(e, "mine", c);
  exam_say_expected(e, "at most %.0f cycles", m.bound.goal);
  exam_say_got(e, "%llu; the simulator's best, %s, needs %.0f, its worst %.0f",
               (unsigned long long)run.cycles, f.best_name, f.best, f.worst);
  exam_say_credit(e, floor(9 * measure_progress(&m)) / 10);
  exam_close_failure(e);
}

static void examine_own(WarpCode (*make)(void), double start, double goal) {
  WarpCode c = make();
  Exam *e = exam_begin();
  examine_mine(e, &c, start, goal);
  exam_end(e);
}

Test(scheduler, mine_stream) { examine_own(stream_code, 1.15, 1.005); }
Test(scheduler, mine_tail) { examine_own(tail_code, 1, 0.94); }
Test(scheduler, mine_phases) { examine_own(phase_code, 1.1, 1.02); }

/* Codes of the kind of tail and stream. */
static void draw_mine(Exam *e) {
  uint32_t warps = 7 + exam_random(e, 3);
  WarpCode tail = make_tail(warps, exam_between(e, 220, 240), exam_between(e, 4, 5), 30);
  examine_mine(e, &tail, 1.06, 0.99);
  WarpCode rounds = code_rounds(6 + exam_random(e, 4), 4, exam_between(e, 15, 25));
  examine_mine(e, &rounds, 1.15, 1.03);
}

Test(scheduler, mine_hidden) { exam_seeded(draw_mine); }

/* ---- predictions ----------------------------------------------------------------------------- */

/* Two warps load, add a[0] times, load, add a[0] times, end; a load's result is there a[1] cycles
 * later. The cycles of that, greedily or in turn. */
static int64_t timetable(const int *a, bool greedy) {
  int round = 1 + a[0], end = 2 * round; /* the instruction that ends a warp is number `end` */
  int at[2] = {0};
  int64_t ready[2] = {0}, cycle = 0;
  for (int last = greedy ? 0 : 1; at[0] <= end || at[1] <= end; cycle++) {
    int first = greedy ? last : 1 - last, chosen = -1; /* of two, the other is the oldest */
    for (int i = 0; i < 2 && chosen < 0; i++) {
      int w = i == 0 ? first : 1 - first;
      if (at[w] <= end && ready[w] <= cycle) chosen = w;
    }
    if (chosen < 0) continue;
    ready[chosen] = cycle + (at[chosen] % round == 0 && at[chosen] < end ? a[1] : 1);
    at[chosen]++;
    last = chosen;
  }
  return cycle;
}
static int64_t table_greedy(const int *a) { return timetable(a, true); }
static int64_t table_in_turn(const int *a) { return timetable(a, false); }
static int64_t greedy_from_0(const int *a) { return table_greedy(a) - 1; }
static int64_t greedy_without_ends(const int *a) { return table_greedy(a) - 2; }
static int64_t in_turn_from_0(const int *a) { return table_in_turn(a) - 1; }
static int64_t table_idle(const int *a) { return table_greedy(a) - 2 * (2 * (1 + a[0]) + 1); }
static int64_t idle_with_ends(const int *a) { return table_idle(a) + 2; }
static int64_t idle_from_0(const int *a) { return table_idle(a) - 1; }

/* In turn: warps 0 to a[0], a[1] issued last, and a[2], a[3] and a[4] are eligible. */
static int64_t turn_right(const int *a) {
  for (int i = 1;; i++)
    for (int k = 2; k < 5; k++)
      if ((a[1] + i) % (a[0] + 1) == a[k]) return a[k];
}
static int64_t turn_last(const int *a) { return a[1]; }
static int64_t turn_lowest(const int *a) { return smaller(a[2], smaller(a[3], a[4])); }

/* Greedy, then oldest: the ages of warps 0 to 3; a[4] issued last, and the others are eligible. */
static int64_t by_age(const int *a, bool youngest, int without) {
  int best = -1;
  for (int w = 0; w < 4; w++)
    if (w != without && (best < 0 || (a[w] < a[best]) != youngest)) best = w;
  return best;
}
static int64_t age_right(const int *a) { return by_age(a, false, a[4]); }
static int64_t age_of_all(const int *a) { return by_age(a, false, -1); }
static int64_t age_youngest(const int *a) { return by_age(a, true, a[4]); }
static int64_t age_by_index(const int *a) { return a[4] == 0; }

PREDICTION(scheduler, predict_greedy, table_greedy, {"count-cycle-0", greedy_from_0},
           {"ends-too", greedy_without_ends}, {"in-order", table_in_turn}, {0})
PREDICTION(scheduler, predict_in_turn, table_in_turn, {"count-cycle-0", in_turn_from_0},
           {"late-loads", table_greedy}, {0})
PREDICTION(scheduler, predict_idle, table_idle, {"ends-too", idle_with_ends},
           {"count-cycle-0", idle_from_0}, {0})
PREDICTION(scheduler, predict_turn, turn_right, {"moves-on", turn_last}, {"moves-on", turn_lowest},
           {0})
PREDICTION(scheduler, predict_oldest, age_right, {"eligible-only", age_of_all},
           {"by-age", age_by_index}, {"by-age", age_youngest}, {0})
