/* suites/reconverge.c - lab 05: the student's functions as the simulator's divergence model. */
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "program.h"

/* One of the two models that the student writes, and what runs under it. */
typedef struct Model {
  const char *prefix, *next; /* next: the function whose line is shown */
  Schedule schedule;         /* how barriers and _sync functions count lanes */
  const char *hint; /* what answers every wrong choice of a test; NULL: what fits the fault */
} Model;

static const Model stack = {"stack", "stack_next", SCHEDULE_STACK, NULL};
static const Model stack_of_switch = {"stack", "stack_next", SCHEDULE_STACK, "all-paths"};
static const Model stack_of_warps = {"stack", "stack_next", SCHEDULE_STACK, "per-warp"};
static const Model its = {"its", "its_next", SCHEDULE_ITS, NULL};

/* ---- what went wrong ------------------------------------------------------------------------- */

/* The hint for a wrong answer of the model; NULL: the table's own. */
static const char *hint_for_fault(const Exam *e) {
  static const struct {
    const char *words, *hint;
  } known[] = {{"chooses nobody", "lost-lanes"},
               {"have ended", "ended-lanes"},
               {"at different places", "one-place"},
               {"did not return", "endless"}};
  gpu_fault_info f;
  if (!exam_fault(e, &f)) return NULL;
  if (f.kind == GPU_FAULT_DEADLOCK) return "progress";
  for (size_t i = 0; i < COUNT(known); i++)
    if (f.kind == GPU_FAULT_BAD_CALLBACK && strstr(f.message, known[i].words)) return known[i].hint;
  return NULL;
}

/* Makes a failure of what the library said; true: all is well. */
static bool accept(Exam *e, const Model *m, gpu_result result) {
  const char *hint = result == GPU_FAULT ? hint_for_fault(e) : NULL;
  if (exam_check(e, result)) return true;
  exam_say_hint(e, m->hint ? m->hint : hint);
  exam_say_function(e, m->next);
  return false;
}

/* ---- setting the model up -------------------------------------------------------------------- */

static void add_block(Program *p) { program_add(p, STEP_BLOCK, 0); }

/* A model that cannot even run a kernel without branches has not been begun. */
static bool is_written(Exam *e, const Model *m) {
  static ProgramLog log;
  Program p = {0};
  gpu_fault_info f;
  add_block(&p);
  gpu_result result = program_launch(exam_device(e), &p, 1, LANES, &log);
  bool nobody = result == GPU_FAULT && exam_fault(e, &f) && f.kind == GPU_FAULT_BAD_CALLBACK &&
                strstr(f.message, "chooses nobody");
  if (nobody) exam_unwritten(e, "%s is not written yet", m->next);
  return !nobody && accept(e, m, result);
}

/* Makes the student's functions the divergence model of the exam's device. */
static bool use_model(Exam *e, const Model *m) {
  if (!exam_use_schedule(e, m->schedule)) return false;
  gpu_result result = gpu_set_divergence(exam_device(e), exam_module(e), m->prefix);
  if (result == GPU_OK) return is_written(e, m);
  if (!exam_check(e, result)) exam_say_hint(e, "signature");
  return false;
}

/* ---- programs under it ----------------------------------------------------------------------- */

static void say_program(Exam *e, const Program *p, uint32_t grid, uint32_t block) {
  Text text = {0};
  program_show(&text, p);
  exam_say_call(e, "%u block%s of %u threads, each of which runs:%s", grid, grid == 1 ? "" : "s",
                block, text_str(&text));
  text_free(&text);
}

/* Which block of the program a step is, as program_show numbers them. */
static int block_number(const Program *p, uint32_t step) {
  int number = 0;
  for (uint32_t i = 0; i <= step; i++) number += p->steps[i].kind == STEP_BLOCK;
  return number;
}

/* Adds the masks under which a step ran: "0x0000ffff 0xffff0000". */
static void add_masks(Text *t, const ProgramLog *log, uint32_t step) {
  enum { SHOWN = 6 };
  int n = 0;
  for (uint32_t i = 0; i < log->kept; i++)
    if (log->events[i].step == step && n++ < SHOWN) text_add(t, " 0x%08x", log->events[i].mask);
  if (n > SHOWN) text_add(t, " and %d more", n - SHOWN);
  if (n == 0) text_add(t, " never");
}

static void say_masks(Exam *e, const Program *p, const ProgramLog *want, const ProgramLog *got,
                      uint32_t step) {
  Text wanted = {0}, came = {0};
  const char *what = p->steps[step].kind == STEP_BLOCK ? "block" : "the switch, block";
  add_masks(&wanted, want, step);
  add_masks(&came, got, step);
  exam_say_expected(e, "%s %d under%s", what, block_number(p, step), text_str(&wanted));
  exam_say_got(e, "%s %d under%s", what, block_number(p, step), text_str(&came));
  text_free(&wanted);
  text_free(&came);
}

/* Whether every block ran as often, and for the same lanes. */
static bool same_log(Exam *e, const Model *m, const Program *p, const ProgramLog *want,
                     const ProgramLog *got) {
  uint32_t i = 0;
  while (i < want->kept && i < got->kept &&
         memcmp(&want->events[i], &got->events[i], sizeof(Event)) == 0)
    i++;
  if (i == want->kept && want->seen.passes == got->seen.passes) return true;
  const Event *a = &want->events[i], *b = &got->events[i];
  uint32_t step = i >= want->kept                       ? b->step
                  : i >= got->kept || a->step < b->step ? a->step
                                                        : b->step;
  exam_fail(e, "lanes that should run together do not, or the other way round");
  say_masks(e, p, want, got, step);
  exam_say_hint(e, m->hint ? m->hint : got->seen.passes > want->seen.passes ? "meet-again" : NULL);
  exam_say_function(e, m->next);
  return false;
}

static void examine_program(Exam *e, const Model *m, const Program *p, uint32_t grid,
                            uint32_t block) {
  static ProgramLog want, got;
  if (exam_failed(e) || !program_run(e, p, grid, block, &want)) return;
  gpu_result result = program_launch(exam_device(e), p, grid, block, &got);
  if (!accept(e, m, result) || !same_log(e, m, p, &want, &got)) say_program(e, p, grid, block);
  exam_close_failure(e);
}

/* ---- fixed programs -------------------------------------------------------------------------- */

static int32_t low_half(int l) { return l < 16; }
static int32_t quarter(int l) { return l % 4 == 0; }
static int32_t uneven(int l) { return l % 5; }
static int32_t by_eight(int l) { return l / 4; }
static int32_t last(int l) { return l > 20; }
static int32_t nobody(int l) { return (void)l, 0; }

/* Rows for every fixed program. */
static LaneNumbers *const row_values[] = {low_half, quarter, uneven, by_eight, last, nobody};
enum { LOW_HALF, QUARTER, UNEVEN, BY_EIGHT, LAST, NOBODY };

static Program make_program(const Step *steps, size_t count) {
  return program_of(steps, count, row_values, COUNT(row_values));
}

/* Examines the program that the steps make, for a full warp and for one of 20 lanes. */
static void examine_lines(const Model *m, const Step *steps, size_t count) {
  Program p = make_program(steps, count);
  Exam *e = exam_begin();
  if (use_model(e, m)) {
    examine_program(e, m, &p, 1, LANES);
    examine_program(e, m, &p, 1, 20);
  }
  exam_end(e);
}

#define PROGRAM(model, ...)                                                                        \
  static const Step steps[] = {__VA_ARGS__};                                                       \
  examine_lines(&(model), steps, COUNT(steps))

Test(reconverge, stack_straight) { PROGRAM(stack, BLOCK, IF(NOBODY), BLOCK, ENDIF, BLOCK); }

Test(reconverge, stack_if_else) {
  PROGRAM(stack, BLOCK, IF(LOW_HALF), BLOCK, ELSE, BLOCK, ENDIF, BLOCK, IF(QUARTER), BLOCK, ELSE,
          BLOCK, ENDIF, BLOCK);
}

Test(reconverge, stack_if) {
  PROGRAM(stack, IF(LOW_HALF), BLOCK, ENDIF, BLOCK, IF(LAST), BLOCK, ENDIF, BLOCK);
}

Test(reconverge, stack_nested) {
  PROGRAM(stack, IF(LOW_HALF), BLOCK, IF(QUARTER), BLOCK, ELSE, BLOCK, ENDIF, ELSE, BLOCK,
          IF(QUARTER), BLOCK, ENDIF, BLOCK, ENDIF, BLOCK);
}

Test(reconverge, stack_loop) {
  PROGRAM(stack, LOOP(UNEVEN), BLOCK, IF(LOW_HALF), BLOCK, ENDIF, BLOCK, ENDLOOP, BLOCK,
          LOOP(BY_EIGHT), BLOCK, LOOP(QUARTER), BLOCK, ENDLOOP, ENDLOOP, BLOCK);
}

Test(reconverge, stack_switch) {
  PROGRAM(stack_of_switch, BLOCK, SWITCH(BY_EIGHT), BLOCK, SWITCH(QUARTER));
}

Test(reconverge, stack_leave) {
  PROGRAM(stack, BLOCK, LEAVE(QUARTER), BLOCK, IF(LOW_HALF), BLOCK, LEAVE(UNEVEN), BLOCK, ELSE,
          BLOCK, ENDIF, BLOCK, LEAVE(LAST), BLOCK, LOOP(UNEVEN), BLOCK, ENDLOOP, BLOCK);
}

Test(reconverge, its_meet) {
  PROGRAM(its, BLOCK, IF(LOW_HALF), BLOCK, IF(QUARTER), BLOCK, ELSE, BLOCK, ENDIF, BLOCK, ELSE,
          BLOCK, ENDIF, BLOCK, IF(LAST), BLOCK, ENDIF, BLOCK);
}

Test(reconverge, its_loop) {
  PROGRAM(its, LOOP(UNEVEN), BLOCK, IF(QUARTER), BLOCK, ENDIF, BLOCK, ENDLOOP, BLOCK, LEAVE(LAST),
          BLOCK);
}

/* ---- several warps, and programs at random --------------------------------------------------- */

static void examine_drawn(const Model *m) {
  enum { DRAWN = 5 };
  Exam *e = exam_begin();
  for (size_t i = 0; i < exam_seed_count(e) && !exam_failed(e); i++) {
    exam_use_seed(e, i);
    if (!use_model(e, m)) break;
    for (int n = 0; n < DRAWN; n++) {
      Program p;
      program_draw(e, &p);
      examine_program(e, m, &p, 1, LANES);
    }
  }
  exam_end(e);
}

Test(reconverge, stack_random) { examine_drawn(&stack); }
Test(reconverge, stack_hidden) { examine_drawn(&stack); }
Test(reconverge, its_random) { examine_drawn(&its); }

/* At a barrier the warps of a block take turns; the last one has 16 lanes. */
Test(reconverge, stack_warps) {
  static const Step steps[] = {BLOCK,   IF(LOW_HALF), BLOCK,        ELSE,  BLOCK,   ENDIF,
                               BLOCK,   BARRIER,      IF(QUARTER),  BLOCK, ENDIF,   BLOCK,
                               BARRIER, BLOCK,        LOOP(UNEVEN), BLOCK, ENDLOOP, BLOCK};
  Program p = make_program(steps, COUNT(steps));
  Exam *e = exam_begin();
  if (use_model(e, &stack)) {
    examine_program(e, &stack, &p, 1, LANES);
    examine_program(e, &stack_of_warps, &p, 2, 80);
  }
  exam_end(e);
}

/* ---- locks and flags ------------------------------------------------------------------------- */

/* A kernel of ours, kernel(u32 *memory), with one word or more of memory. */
#define KERNEL(registers, body)                                                                    \
  ".version 7.0\n.target sm_70\n.address_size 64\n"                                                \
  ".visible .entry kernel(.param .u64 memory)\n{\n"                                                \
  "  .reg .pred %p;\n  .reg .u64 %m;\n  .reg .u32 %t, " registers ";\n"                            \
  "  ld.param.u64 %m, [memory];\n  mov.u32 %t, %tid.x;\n" body "  ret;\n}\n"

static const char spin_lock[] = KERNEL("%old, %v", "AGAIN:\n"
                                                   "  atom.global.cas.b32 %old, [%m], 0, 1;\n"
                                                   "  setp.ne.u32 %p, %old, 0;\n"
                                                   "  @%p bra AGAIN;\n"
                                                   "  ld.volatile.global.u32 %v, [%m+4];\n"
                                                   "  add.u32 %v, %v, 1;\n"
                                                   "  st.volatile.global.u32 [%m+4], %v;\n"
                                                   "  membar.gl;\n"
                                                   "  atom.global.exch.b32 %old, [%m], 0;\n");

/* Half of the lanes wait for a flag that the others set; who waits comes second in the text, or
 * first. */
static const char wait_second[] = KERNEL("%v", "  setp.lt.u32 %p, %t, 16;\n"
                                               "  @%p bra WAIT;\n"
                                               "  atom.global.exch.b32 %v, [%m], 1;\n"
                                               "  bra.uni END;\n"
                                               "WAIT:\n"
                                               "  atom.global.or.b32 %v, [%m], 0;\n"
                                               "  setp.eq.u32 %p, %v, 0;\n"
                                               "  @%p bra WAIT;\n"
                                               "  atom.global.add.u32 %v, [%m+4], 1;\n"
                                               "END:\n");
static const char wait_first[] = KERNEL("%v", "  setp.lt.u32 %p, %t, 16;\n"
                                              "  @%p bra SET;\n"
                                              "WAIT:\n"
                                              "  atom.global.or.b32 %v, [%m], 0;\n"
                                              "  setp.eq.u32 %p, %v, 0;\n"
                                              "  @%p bra WAIT;\n"
                                              "  atom.global.add.u32 %v, [%m+4], 1;\n"
                                              "  bra.uni END;\n"
                                              "SET:\n"
                                              "  atom.global.exch.b32 %v, [%m], 1;\n"
                                              "END:\n");

typedef struct Contest {
  const char *words; /* what the kernel does */
  const char *ptx;
  uint32_t expected; /* of the second word */
} Contest;

static gpu_result run_contest(gpu_device *dev, const Contest *c, uint32_t *words) {
  gpu_module *mod;
  gpu_kernel *kernel;
  gpu_ptr memory = 0;
  enum { BYTES = 2 * sizeof *words };
  void *args[] = {&memory};
  gpu_result result = gpu_module_load_ptx(dev, &mod, "kernel.ptx", c->ptx, strlen(c->ptx));
  if (result == GPU_OK) result = gpu_module_kernel(mod, &kernel, "kernel");
  if (result == GPU_OK) result = gpu_mem_alloc(dev, &memory, BYTES);
  if (result == GPU_OK) result = gpu_memset(dev, memory, 0, BYTES);
  if (result == GPU_OK)
    result = gpu_launch(dev, kernel, (gpu_dim){1, 1, 1}, (gpu_dim){LANES, 1, 1}, 0, args);
  if (result == GPU_OK) result = gpu_memcpy_dtoh(dev, words, memory, BYTES);
  return result;
}

static void examine_contest(Exam *e, const Contest *c) {
  uint32_t words[2] = {0};
  if (exam_failed(e)) return;
  bool ended = accept(e, &its, run_contest(exam_device(e), c, words));
  if (ended && words[1] != c->expected) {
    exam_fail(e, "%s", "");
    exam_say_expected(e, "%u", c->expected);
    exam_say_got(e, "%u", words[1]);
    exam_say_function(e, its.next);
  }
  exam_say_call(e, "one warp under its_...: %s", c->words);
  exam_close_failure(e);
}

static void examine_contests(const Contest *contests, size_t count) {
  Exam *e = exam_begin();
  bool good = use_model(e, &its);
  for (size_t i = 0; i < count && good; i++) examine_contest(e, &contests[i]);
  exam_end(e);
}

Test(reconverge, its_lock) {
  static const Contest contests[] = {{"the kernel `spin`; *counter", spin_lock, LANES}};
  examine_contests(contests, COUNT(contests));
}

Test(reconverge, its_flag) {
  static const Contest contests[] = {
      {"lanes 0 to 15 wait for a flag that lanes 16 to 31 set; lanes that saw it", wait_second, 16},
      {"lanes 16 to 31 wait for a flag that lanes 0 to 15 set; lanes that saw it", wait_first, 16}};
  examine_contests(contests, COUNT(contests));
}

/* ---- the kernel with the lock ---------------------------------------------------------------- */

static const StudentKernel locked_sum = {
    "locked_sum", "void locked_sum(int *lock, volatile int *sum, const int *value)", "ppp"};
static const int zero = 0;

static void examine_lock(Exam *e, uint32_t grid, uint32_t block) {
  enum { THREADS_MAX = 128 };
  int value[THREADS_MAX], sum = 0;
  uint32_t threads = grid * block;
  for (uint32_t i = 0; i < threads; i++) {
    value[i] = exam_between(e, 1, 1000);
    sum += value[i];
  }
  KernelRun run = {.kernel = &locked_sum,
                   .grid = {.x = grid},
                   .block = {.x = block},
                   .arguments = {{"lock", "i32", .count = 1, .before = &zero, .expected = &zero},
                                 {"sum", "i32", .count = 1, .before = &zero, .expected = &sum},
                                 {"value", "i32", .count = threads, .before = value}}};
  exam_run(e, &run);
}

/* One thread alone: takes the lock and gives it back, two atomic operations. The starter does
 * nothing. */
static bool uses_lock(Exam *e) {
  int value = 1;
  KernelRun run = {.kernel = &locked_sum,
                   .arguments = {{"lock", "i32", .count = 1, .before = &zero},
                                 {"sum", "i32", .count = 1, .before = &zero},
                                 {"value", "i32", .count = 1, .before = &value}}};
  if (!exam_run_accept(e, &run, exam_run_once(e, &run, SCHEDULE_ITS))) return false;
  if (run.stats.atomics >= 2) return true;
  if (run.stats.atomics == 0 && *(const int *)run.arguments[1].after == 0) {
    exam_unwritten(e, "locked_sum is not written yet");
    return false;
  }
  exam_fail(e, "a thread must take the lock and give it back: two atomic operations at least");
  exam_say_run(e, &run);
  exam_say_hint(e, "use-the-lock");
  return false;
}

Test(reconverge, lock_one_warp) {
  Exam *e = exam_begin();
  if (uses_lock(e)) examine_lock(e, 1, LANES);
  exam_end(e);
}

Test(reconverge, lock_grid) {
  Exam *e = exam_begin();
  if (uses_lock(e)) examine_lock(e, 2, 48);
  exam_end(e);
}

/* ---- predictions ----------------------------------------------------------------------------- */

/* The lines of the two programs in answers.txt at which lanes part, where these meet again, and the
 * end of the smallest block around. */
typedef struct Meeting {
  int parts, meets, block_ends;
} Meeting;

static const Meeting of_ifs[] = {{1, 11, 4}, {2, 3, 4}, {4, 11, 10}, {5, 9, 10}, {6, 7, 8}};
static const Meeting of_loop[] = {{1, 8, 7}, {2, 8, 7}, {3, 4, 7}, {5, 8, 7}, {6, 1, 7}};

static const Meeting *meeting(const Meeting *table, size_t count, int line) {
  for (size_t i = 0; i + 1 < count; i++)
    if (table[i].parts == line) return &table[i];
  return &table[count - 1];
}
static int64_t ifs_right(const int *a) { return meeting(of_ifs, COUNT(of_ifs), a[0])->meets; }
static int64_t ifs_block(const int *a) { return meeting(of_ifs, COUNT(of_ifs), a[0])->block_ends; }
static int64_t loop_right(const int *a) { return meeting(of_loop, COUNT(of_loop), a[0])->meets; }
static int64_t loop_block(const int *a) {
  return meeting(of_loop, COUNT(of_loop), a[0])->block_ends;
}
static int64_t next_line(const int *a) { return a[0] + 1; }

/* The kernel `spin` with a[0] blocks of a[1] threads: a lane that got the lock waits for the others
 * of its warp, if it has any. */
static int64_t spin_stack(const int *a) { return a[1] == 1 ? a[0] : 0; }
static int64_t spin_winner(const int *a) { return a[1] == 1 ? 0 : 1; }
static int64_t spin_every_thread(const int *a) { return (int64_t)a[0] * a[1]; }
static int64_t spin_blocks(const int *a) { return a[0]; }

PREDICTION(reconverge, predict_meet, ifs_right, {"meet-line", ifs_block}, {"meet-line", next_line},
           {0})
PREDICTION(reconverge, predict_meet_loop, loop_right, {"meet-line", loop_block},
           {"meet-line", always_1}, {"meet-line", next_line}, {0})
PREDICTION(reconverge, predict_lock_stack, spin_stack, {"winner-waits", spin_winner},
           {"winner-waits", spin_every_thread}, {"winner-waits", spin_blocks}, {0})
PREDICTION(reconverge, predict_lock_its, spin_every_thread, {"all-progress", always_0},
           {"all-progress", always_1}, {"all-progress", spin_blocks}, {0})
PREDICTION(reconverge, predict_lock_warps, spin_blocks, {"other-warps", always_0},
           {"other-warps", always_1}, {0})
