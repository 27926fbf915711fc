/* test_timing.c - exact cycles of programs that are small enough to count on paper.
 *
 * A body of PTX stands between two reads of the clock; the first warp's difference is tested. The
 * architecture's numbers that a test uses are named beside it: `h200` unless it says otherwise. The
 * first clock issues in cycle 0; what follows may issue from cycle 1 on. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu.h"

typedef struct Timed {
  gpu_device *dev;
  gpu_module *mod;
  gpu_ptr out;
} Timed;

static Timed load(const char *arch, const char *before, const char *body) {
  char text[20000], message[2000];
  Timed t;
  gpu_config config = {.arch = arch, .timing = true, .check = GPU_CHECK_FULL};
  int n = snprintf(text, sizeof text,
                   ".version 7.0\n.target sm_80\n.address_size 64\n"
                   ".const .align 256 .b8 table[1024];\n"
                   ".visible .entry k(.param .u64 out) {\n"
                   "  .reg .f32 %%f<40>; .reg .b32 %%r<40>; .reg .b64 %%rd<8>; .reg .pred %%p<8>;\n"
                   "  .shared .align 4 .b8 s[16384];\n"
                   "  ld.param.u64 %%rd1, [out];\n"
                   "  mov.u32 %%r1, %%tid.x;\n  cvt.rn.f32.u32 %%f1, %%r1;\n%s"
                   "  bar.sync 0;\n  mov.u64 %%rd2, %%clock64;\n%s"
                   "  mov.u64 %%rd3, %%clock64;\n  sub.s64 %%rd4, %%rd3, %%rd2;\n"
                   "  mul.wide.u32 %%rd5, %%r1, 8;\n  add.s64 %%rd6, %%rd1, %%rd5;\n"
                   "  st.global.u64 [%%rd6], %%rd4;\n  ret;\n}\n",
                   before, body);
  cr_assert(n > 0 && n < (int)sizeof text);
  cr_assert(eq(int, gpu_device_create(&t.dev, &config, message, sizeof message), 0), "%s", message);
  cr_assert(eq(int, gpu_module_load_ptx(t.dev, &t.mod, "test", text, (size_t)n), 0), "%s",
            gpu_last_error(t.dev));
  cr_assert(eq(int, gpu_mem_alloc(t.dev, &t.out, 8192), 0));
  return t;
}

/* Runs a block; the clocks of all its threads go to `cycles`. */
static void run(const Timed *t, uint32_t threads, uint64_t *cycles) {
  gpu_kernel *k;
  void *args[] = {(void *)&t->out};
  cr_assert(eq(int, gpu_module_kernel(t->mod, &k, "k"), 0));
  cr_assert(
      eq(int, gpu_launch(t->dev, k, (gpu_dim){1, 1, 1}, (gpu_dim){threads, 1, 1}, 0, args), 0),
      "%s", gpu_last_error(t->dev));
  cr_assert(eq(int, gpu_memcpy_dtoh(t->dev, cycles, t->out, threads * 8ull), 0));
}

static uint64_t cycles_of(const char *arch, uint32_t threads, const char *before,
                          const char *body) {
  uint64_t cycles[1024];
  Timed t = load(arch, before, body);
  run(&t, threads, cycles);
  gpu_device_destroy(t.dev);
  return cycles[0];
}

/* `body` n times over. */
static const char *repeat(int n, const char *body) {
  static char text[16000];
  text[0] = '\0';
  for (int i = 0; i < n; i++) strcat(text, body);
  return text;
}

/* ---- one warp -------------------------------------------------------------------------------- */

/* latency_fp32 = 4: additions at 1, 5, 9, ... 29; the second clock at 30. */
Test(timing, a_dependent_chain_takes_its_latencies) {
  cr_assert(
      eq(u64, cycles_of("h200", 32, "", repeat(8, "add.f32 %f1, %f1, %f1;\n")), 1 + 7 * 4 + 1));
}

/* One issue a cycle: additions at 1 .. 8, the clock at 9. */
Test(timing, independent_instructions_issue_every_cycle) {
  cr_assert(eq(u64,
               cycles_of("h200", 32, "",
                         "add.f32 %f2, %f1, %f1;\nadd.f32 %f3, %f1, %f1;\nadd.f32 %f4, %f1, %f1;\n"
                         "add.f32 %f5, %f1, %f1;\nadd.f32 %f6, %f1, %f1;\nadd.f32 %f7, %f1, %f1;\n"
                         "add.f32 %f8, %f1, %f1;\nadd.f32 %f9, %f1, %f1;\n"),
               9));
}

/* lanes_int = 16: a shift takes its unit for 2 cycles, so they issue at 1, 3, 5, 7. */
Test(timing, a_unit_of_16_lanes_takes_a_warp_in_two_cycles) {
  cr_assert(eq(u64,
               cycles_of("h200", 32, "",
                         "shl.b32 %r2, %r1, %r1;\nshl.b32 %r3, %r1, %r1;\nshl.b32 %r4, %r1, %r1;\n"
                         "shl.b32 %r5, %r1, %r1;\n"),
               8));
}

/* latency_shuffle = 24. */
Test(timing, a_chain_of_shuffles) {
  cr_assert(eq(u64,
               cycles_of("h200", 32, "", repeat(4, "shfl.sync.bfly.b32 %r1, %r1, 1, 31, -1;\n")),
               1 + 3 * 24 + 1));
}

/* latency_barrier = 14 with one warp: each barrier lets the next instruction go 14 cycles later. */
Test(timing, a_barrier_of_one_warp) {
  cr_assert(eq(u64, cycles_of("h200", 32, "", repeat(4, "bar.sync 0;\n")), 1 + 4 * 14));
}

/* Warps leave a barrier interval_barrier = 2 cycles apart, so each one after the first adds 2. */
Test(timing, a_barrier_takes_two_cycles_more_for_each_further_warp) {
  for (uint32_t warps = 2; warps <= 8; warps++)
    cr_assert(eq(u64, cycles_of("h200", 32 * warps, "", repeat(4, "bar.sync 0;\n")),
                 1 + 4 * (14 + 2 * (warps - 1))),
              "%u warps", warps);
}

/* latency_shared = 25, and latency_wavefront = 2 for each pass after the first. The loaded value is
 * added, so that the second clock's add waits for it: load at 1, addition at 26, clock at 27. */
Test(timing, a_shared_load_with_every_degree_of_conflict) {
  for (uint32_t stride = 1, ways = 1; stride <= 32; stride *= 2, ways = stride) {
    char before[300];
    snprintf(before, sizeof before,
             "mov.u32 %%r2, s;\nmad.lo.u32 %%r3, %%r1, %u, %%r2;\nmov.u32 %%r5, 0;\n"
             "st.shared.u32 [%%r3], %%r5;\nbar.sync 0;\nbar.sync 0;\nbar.sync 0;\n",
             4 * stride);
    cr_assert(eq(u64,
                 cycles_of("h200", 32, before, "ld.shared.u32 %r4, [%r3];\nadd.u32 %r6, %r4, 1;\n"),
                 1 + 25 + 2 * (ways - 1) + 1),
              "%u ways", ways);
  }
}

/* ---- several warps --------------------------------------------------------------------------- */

/* Warps 0 and 4 share a sub-core (4 sub-cores). Each chain leaves 3 of 4 cycles free. Warp 4 leaves
 * the barrier 4 x 2 = 8 cycles later, so that its additions want the very cycles of warp 0's: one
 * of them is put off by a cycle, once, and from then on neither delays the other. */
Test(timing, two_warps_fill_each_others_gaps) {
  cr_assert(eq(u64, cycles_of("h200", 160, "", repeat(8, "add.f32 %f1, %f1, %f1;\n")),
               1 + 7 * 4 + 1 + 1));
}

static gpu_timing timing_of(const char *arch, uint32_t threads, const char *body) {
  uint64_t cycles[1024];
  gpu_timing timing;
  Timed t = load(arch, "", body);
  run(&t, threads, cycles);
  cr_assert(eq(int, gpu_get_timing(t.dev, &timing), 0));
  gpu_device_destroy(t.dev);
  return timing;
}

/* 32 warps, 8 a sub-core: their 8 x 64 additions, 4 cycles of latency each, keep it busy. */
Test(timing, eight_warps_a_sub_core_fill_the_pipeline) {
  gpu_timing t = timing_of("h200", 1024, repeat(64, "add.f32 %f1, %f1, %f1;\n"));
  cr_assert(ge(u64, t.cycles, 8 * 64));
  cr_assert(le(u64, t.cycles, 8 * 64 + 300), "%llu", (unsigned long long)t.cycles);
}

/* ---- divergence ------------------------------------------------------------------------------ */

static const char two_arms[] = "setp.lt.u32 %p1, %r1, %r10;\n@%p1 bra THEN;\n"
                               "add.f32 %f1, %f1, 1.0;\nadd.f32 %f1, %f1, 2.0;\n"
                               "add.f32 %f1, %f1, 1.0;\nadd.f32 %f1, %f1, 2.0;\n"
                               "add.f32 %f1, %f1, 1.0;\nadd.f32 %f1, %f1, 2.0;\n"
                               "add.f32 %f1, %f1, 1.0;\nadd.f32 %f1, %f1, 2.0;\nbra.uni JOIN;\n"
                               "THEN: mul.f32 %f1, %f1, 2.0;\nmul.f32 %f1, %f1, 3.0;\n"
                               "mul.f32 %f1, %f1, 2.0;\nmul.f32 %f1, %f1, 3.0;\n"
                               "mul.f32 %f1, %f1, 2.0;\nmul.f32 %f1, %f1, 3.0;\n"
                               "mul.f32 %f1, %f1, 2.0;\nmul.f32 %f1, %f1, 3.0;\nJOIN:\n";

static uint64_t arms(const char *arch, int lanes) {
  char before[100];
  snprintf(before, sizeof before, "xor.b32 %%r11, %%r1, %%r1;\nadd.u32 %%r10, %%r11, %d;\n", lanes);
  return cycles_of(arch, 32, before, two_arms);
}

/* The textbook's SM: every instruction takes one cycle, and a branch costs its own cycle. Clock 0,
 * compare 1, branch 2; one arm of 8 (and a jump behind the first): clock at 12 or 11. Both arms:
 * the first's 8 and its jump, the second's 8: clock at 20. */
Test(timing, a_split_warp_pays_for_both_arms_in_the_textbook) {
  uint64_t none = arms("textbook", 0), all = arms("textbook", 32), some = arms("textbook", 7);
  cr_assert(eq(u64, all, 2 + 8 + 1));
  cr_assert(eq(u64, none, 2 + 8 + 1 + 1));
  cr_assert(eq(u64, some, 2 + 8 + 1 + 8 + 1));
}

Test(timing, the_number_of_lanes_in_an_arm_does_not_matter) {
  cr_assert(eq(u64, arms("h200", 1), arms("h200", 31)));
  cr_assert(gt(u64, arms("h200", 1), arms("h200", 0) + 7 * 4));
}

/* ---- accounts -------------------------------------------------------------------------------- */

static void check_accounts(const gpu_timing *t) {
  uint64_t slots = 0;
  for (int s = 0; s < GPU_STALL_COUNT; s++) slots += t->slot_cycles[s];
  cr_expect(eq(u64, slots, t->issue_slots));
  cr_expect(eq(u64, t->slot_cycles[0], t->issued));
  cr_expect(le(u64, t->issued, t->issue_slots));
}

/* ---- short arms, skipped instructions and jumps ---------------------------------------------- */

#define SHORT_IF(bound)                                                                            \
  "setp.ge.u32 %p1, %r1, " bound ";\n@%p1 bra END;\nadd.f32 %f2, %f2, %f2;\n"                      \
  "add.f32 %f3, %f2, %f2;\nEND:\nadd.f32 %f4, %f1, %f1;\n"

/* predicate_limit = 7: the branch goes, and the arm's instructions carry a predicate. They wait for
 * it: compared at 1, latency_predicate = 13 later the arm at 14 and 18, what is behind it at 19.
 * Lanes that part cost nothing more, and where all lanes jump the arm takes its slots all the same.
 */
Test(timing, a_short_arm_is_predicated_whoever_is_in_it) {
  cr_expect(eq(u64, cycles_of("h200", 32, "", SHORT_IF("32")), 20));
  cr_expect(eq(u64, cycles_of("h200", 32, "", SHORT_IF("16")), 20));
}

static uint64_t last_of(uint32_t threads, const char *body) {
  uint64_t cycles[1024], last = 0;
  Timed t = load("h200", "", body);
  run(&t, threads, cycles);
  for (uint32_t i = 0; i < threads; i++)
    if (cycles[i] > last) last = cycles[i];
  gpu_device_destroy(t.dev);
  return last;
}

/* Eight warps a sub-core pass through arms of 6 instructions that no lane of theirs is in: with the
 * comparison, 7 slots each. */
Test(timing, skipped_instructions_take_issue_slots) {
  char body[2][8000] = {"", ""};
  for (int i = 0; i < 20; i++)
    for (int which = i < 10; which >= 0; which--) {
      size_t at = strlen(body[which]);
      snprintf(body[which] + at, sizeof body[which] - at,
               "setp.lt.u32 %%p1, %%r1, 2000;\n@%%p1 bra END%d;\n%sEND%d:\n", i,
               repeat(6, "add.f32 %f2, %f2, %f2;\n"), i);
    }
  cr_assert(eq(u64, last_of(1024, body[0]) - last_of(1024, body[1]), 10 * 8 * 7));
}

/* interval_branch = 2: eight warps a sub-core, rounds of four instructions, the last a taken
 * branch: 5 slots a warp and round. */
Test(timing, a_taken_branch_takes_a_second_issue_cycle) {
#define ROUNDS(n)                                                                                  \
  "mov.u32 %r2, 0;\nTOP:\nadd.f32 %f2, %f2, %f1;\nadd.f32 %f3, %f3, %f1;\nadd.f32 %f4, %f4, "      \
  "%f1;\n"                                                                                         \
  "add.f32 %f5, %f5, %f1;\nadd.s32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %r2, " n ";\n@%p1 bra TOP;\n"
  cr_assert(eq(u64, last_of(1024, ROUNDS("72")) - last_of(1024, ROUNDS("8")), 64 * 8 * 8));
}

/* The jump back is a taken branch, however it is written. */
Test(timing, a_branch_around_a_jump_costs_what_one_branch_costs) {
#define COUNT_TO_9 "mov.u32 %r2, 0;\nTOP:\nadd.f32 %f1, %f1, %f1;\nadd.s32 %r2, %r2, 1;\n"
  cr_assert(
      eq(u64,
         cycles_of("h200", 32, "",
                   COUNT_TO_9 "setp.ge.u32 %p1, %r2, 9;\n@%p1 bra OUT;\nbra.uni TOP;\nOUT:\n"),
         cycles_of("h200", 32, "", COUNT_TO_9 "setp.lt.u32 %p1, %r2, 9;\n@%p1 bra TOP;\n")));
}

/* The address is a multiple of 16 for certain, so the assembler makes one load of the four. */
Test(timing, loads_of_neighbouring_words_of_shared_memory_are_one) {
  const char *before = "shl.b32 %r5, %r1, 4;\nmov.u32 %r7, s;\nadd.s32 %r6, %r7, %r5;\n"
                       "st.shared.v4.f32 [%r6], {%f1, %f1, %f1, %f1};\n";
  const char *sum = "add.f32 %f6, %f2, %f3;\nadd.f32 %f7, %f4, %f5;\nadd.f32 %f8, %f6, %f7;\n";
  char four[1000], one[1000];
  snprintf(four, sizeof four,
           "ld.shared.f32 %%f2, [%%r6];\nld.shared.f32 %%f3, [%%r6+4];\n"
           "ld.shared.f32 %%f4, [%%r6+8];\nld.shared.f32 %%f5, [%%r6+12];\n%s",
           sum);
  snprintf(one, sizeof one, "ld.shared.v4.f32 {%%f2, %%f3, %%f4, %%f5}, [%%r6];\n%s", sum);
  cr_assert(eq(u64, cycles_of("h200", 32, before, four), cycles_of("h200", 32, before, one)));
}

/* ---- constants and atomics ------------------------------------------------------------------- */

/* latency_constant_cold = 274, latency_constant_miss = 88 and latency_constant = 25: the first load
 * brings 256 bytes from L2 and 64 of them into the small cache. */
Test(timing, a_table_in_constant_memory_is_fetched_once) {
#define LOAD(at) "ld.const.f32 %f2, [%rd7+" at "];\nadd.f32 %f1, %f1, %f2;\n"
  const char *table = "mov.u64 %rd7, table;\n";
  uint64_t one = cycles_of("h200", 32, table, LOAD("0"));
  cr_expect(eq(u64, one, 1 + 274 + 1));
  cr_expect(eq(u64, cycles_of("h200", 32, table, LOAD("0") LOAD("60")) - one, 25 + 1));
  cr_expect(eq(u64, cycles_of("h200", 32, table, LOAD("0") LOAD("64")) - one, 88 + 1));
  cr_expect(eq(u64, cycles_of("h200", 32, table, LOAD("0") LOAD("256")) - one, 274 + 1));
}

/* One lane makes the atomic for all, so 32 lanes on one word take no longer than one. */
Test(timing, adding_to_one_word_is_done_by_one_lane) {
  const char *clear = "mov.u32 %r2, 0;\nst.global.u32 [%rd1+4096], %r2;\nbar.sync 0;\n";
  const char *add = "atom.global.add.u32 %r3, [%rd1+4096], 1;\nadd.s32 %r4, %r3, %r3;\n";
  cr_assert(eq(u64, cycles_of("h200", 32, clear, add), cycles_of("h200", 1, clear, add)));
}

Test(timing, every_issue_slot_is_accounted_for) {
  gpu_timing t = timing_of("h200", 1024, repeat(8, "bar.sync 0;\nadd.f32 %f1, %f1, %f1;\n"));
  check_accounts(&t);
  t = timing_of("h200", 96, repeat(8, "shfl.sync.bfly.b32 %r1, %r1, 1, 31, -1;\n"));
  check_accounts(&t);
  t = timing_of("textbook", 512, two_arms);
  check_accounts(&t);
}

/* Simulated time is the same however often it is simulated. */
Test(timing, a_run_repeats_exactly) {
  cr_assert(eq(u64, cycles_of("h200", 512, "", two_arms), cycles_of("h200", 512, "", two_arms)));
}

/* ---- refusals -------------------------------------------------------------------------------- */

Test(timing, an_unknown_scheduler_is_refused_with_the_names_there_are) {
  char message[500];
  gpu_device *dev;
  gpu_config config = {.timing = true, .scheduler = "fastest"};
  cr_assert(eq(int, gpu_device_create(&dev, &config, message, sizeof message), GPU_BAD_INPUT));
  cr_assert(ne(ptr, strstr(message, "fastest"), NULL));
  cr_assert(ne(ptr, strstr(message, "lrr"), NULL), "%s", message);
}

Test(timing, an_adversarial_schedule_has_no_cycles) {
  char message[500];
  gpu_device *dev;
  gpu_config config = {.timing = true, .schedule_seed = 1};
  cr_assert(eq(int, gpu_device_create(&dev, &config, message, sizeof message), GPU_BAD_INPUT));
}

Test(timing, without_timing_there_is_no_account) {
  gpu_timing timing;
  gpu_device *dev;
  cr_assert(eq(int, gpu_device_create(&dev, NULL, NULL, 0), GPU_OK));
  cr_assert(eq(int, gpu_get_timing(dev, &timing), GPU_BAD_INPUT));
  gpu_device_destroy(dev);
}

/* ---- bank conflicts
 * ---------------------------------------------------------------------------------- */

static uint64_t conflicts_of(const char *body) {
  return timing_of("h200", 32, body).shared_conflicts;
}

Test(timing, only_lanes_that_want_one_bank_are_bank_conflicts) {
  const char address[] =
      "mov.u32 %r2, s;\nmad.lo.u32 %r3, %r1, 16, %r2;\nmad.lo.u32 %r4, %r1, 8, %r2;\n"
      "mov.u32 %r5, 0;\n";
  char body[1000];
  snprintf(body, sizeof body, "%sst.shared.v4.u32 [%%r3], {%%r5, %%r5, %%r5, %%r5};\n", address);
  cr_expect(eq(u64, conflicts_of(body), 0)); /* 512 bytes: four passes in any case */
  snprintf(body, sizeof body, "%sst.shared.v2.u32 [%%r4], {%%r5, %%r5};\n", address);
  cr_expect(eq(u64, conflicts_of(body), 0));
  snprintf(body, sizeof body, "%sst.shared.u32 [%%r4], %%r5;\n", address);
  cr_expect(eq(u64, conflicts_of(body), 1)); /* 8 bytes apart: two lanes a bank */
  snprintf(body, sizeof body, "%sst.shared.u32 [%%r3], %%r5;\n", address);
  cr_expect(eq(u64, conflicts_of(body), 3));
}
