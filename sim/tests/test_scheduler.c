/* Which warp issues: the simulator's schedulers, and functions in their place (gpu_set_scheduler).
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "gpu.h"

#define FILES WARPBOOK_ROOT "/sim/tests/scheduler/"
enum { WORDS = 4096 };

typedef struct Bench {
  gpu_device *dev;
  gpu_module *kernels;
  gpu_ptr in, out;
  gpu_timing timing;
  int32_t results[WORDS];
} Bench;

static gpu_module *load(gpu_device *dev, const char *file) {
  gpu_module *mod;
  char path[256];
  snprintf(path, sizeof path, FILES "%s", file);
  cr_assert_eq(gpu_module_load(dev, &mod, path, GPU_OPT_TEACHING), GPU_OK, "%s",
               gpu_last_error(dev));
  return mod;
}

static Bench open_bench(gpu_config config) {
  Bench b = {0};
  int32_t in[WORDS];
  config.timing = true;
  for (int i = 0; i < WORDS; i++) in[i] = i * 37 % 101;
  cr_assert_eq(gpu_device_create(&b.dev, &config, NULL, 0), GPU_OK);
  b.kernels = load(b.dev, "kernels.cu");
  cr_assert_eq(gpu_mem_alloc(b.dev, &b.in, sizeof in), GPU_OK);
  cr_assert_eq(gpu_mem_alloc(b.dev, &b.out, sizeof in), GPU_OK);
  gpu_memcpy_htod(b.dev, b.in, in, sizeof in);
  return b;
}

static void use_scheduler(Bench *b, const char *file, const char *function) {
  gpu_module *mod = load(b->dev, file);
  cr_assert_eq(gpu_set_scheduler(b->dev, mod, function), GPU_OK, "%s", gpu_last_error(b->dev));
}

static gpu_result run(Bench *b, const char *name, uint32_t grid, uint32_t block, int32_t n) {
  gpu_kernel *kernel;
  void *args[] = {&b->in, &b->out, &n};
  cr_assert_eq(gpu_module_kernel(b->kernels, &kernel, name), GPU_OK, "%s", gpu_last_error(b->dev));
  gpu_memset(b->dev, b->out, 0, sizeof b->results);
  gpu_result result =
      gpu_launch(b->dev, kernel, (gpu_dim){grid, 1, 1}, (gpu_dim){block, 1, 1}, 0, args);
  gpu_get_timing(b->dev, &b->timing);
  gpu_memcpy_dtoh(b->dev, b->results, b->out, sizeof b->results);
  return result;
}

/* ---- the same as the simulator's own ------------------------------------------------------- */

/* Every count of a launch is the same, whoever schedules: cycles, stalls, sectors. */
static void expect_same(const char *arch, const char *name, const char *kernel, uint32_t grid) {
  static Bench own, custom;
  char function[16];
  snprintf(function, sizeof function, "%s", name);
  if (strchr(function, '-')) *strchr(function, '-') = '_';
  own = open_bench((gpu_config){.arch = arch, .scheduler = name});
  custom = open_bench((gpu_config){.arch = arch});
  use_scheduler(&custom, "builtin.cu", function);
  cr_assert_eq(run(&own, kernel, grid, 192, 5), GPU_OK, "%s", gpu_last_error(own.dev));
  cr_assert_eq(run(&custom, kernel, grid, 192, 5), GPU_OK, "%s", gpu_last_error(custom.dev));
  cr_assert_eq(custom.timing.cycles, own.timing.cycles, "%s of %s on %s: %llu cycles, not %llu",
               function, kernel, arch, (unsigned long long)custom.timing.cycles,
               (unsigned long long)own.timing.cycles);
  cr_assert_arr_eq(&custom.timing, &own.timing, sizeof own.timing, "%s of %s on %s: other counts",
                   function, kernel, arch);
  cr_assert_arr_eq(custom.results, own.results, sizeof own.results);
  gpu_device_destroy(own.dev);
  gpu_device_destroy(custom.dev);
}

static void expect_same_everywhere(const char *name) {
  expect_same("textbook", name, "rounds", 3);
  expect_same("textbook", name, "phases", 3);
  expect_same("h200", name, "rounds", 9);
  expect_same("h200", name, "phases", 9);
}

Test(scheduler, round_robin_in_cuda_is_lrr) { expect_same_everywhere("lrr"); }
Test(scheduler, the_oldest_in_cuda_is_oldest) { expect_same_everywhere("oldest"); }
Test(scheduler, greedy_then_oldest_in_cuda_is_gto) { expect_same_everywhere("gto"); }
Test(scheduler, greedy_round_robin_in_cuda_is_grr) { expect_same_everywhere("grr"); }
Test(scheduler, two_levels_in_cuda_are_two_level) { expect_same_everywhere("two-level"); }

Test(scheduler, every_scheduler_has_its_test_above) {
  static const char *const tested[] = {"lrr", "gto", "grr", "two-level", "oldest"};
  size_t count = sizeof tested / sizeof *tested;
  for (size_t i = 0; i < count; i++) cr_assert_str_eq(gpu_scheduler_name(i), tested[i]);
  cr_assert_null(gpu_scheduler_name(count));
}

Test(scheduler, null_puts_the_configured_one_back) {
  Bench b = open_bench((gpu_config){.arch = "textbook", .scheduler = "gto"});
  uint64_t cycles[3];
  for (int i = 0; i < 3; i++) {
    if (i == 1) use_scheduler(&b, "builtin.cu", "lrr");
    if (i == 2) cr_assert_eq(gpu_set_scheduler(b.dev, NULL, NULL), GPU_OK);
    cr_assert_eq(run(&b, "rounds", 1, 256, 5), GPU_OK, "%s", gpu_last_error(b.dev));
    cycles[i] = b.timing.cycles;
  }
  cr_assert_eq(cycles[2], cycles[0]);
  cr_assert_neq(cycles[1], cycles[0]);
  gpu_device_destroy(b.dev);
}

/* A cycle that is left unused is one: the accounts still add up. */
Test(scheduler, a_scheduler_may_issue_nothing) {
  Bench b = open_bench((gpu_config){.arch = "textbook"});
  use_scheduler(&b, "wrong.cu", "every_second");
  cr_assert_eq(run(&b, "rounds", 1, 256, 2), GPU_OK, "%s", gpu_last_error(b.dev));
  uint64_t slots = 0;
  for (int i = 0; i < GPU_STALL_COUNT; i++) slots += b.timing.slot_cycles[i];
  cr_assert_eq(slots, b.timing.cycles);
  cr_assert_geq(b.timing.cycles + 1, 2 * b.timing.issued);
  gpu_device_destroy(b.dev);
}

/* ---- on paper ------------------------------------------------------------------------------ */

/* The textbook's machine: one issue a cycle, arithmetic is there in the next cycle, global memory
 * after 500, shared memory after 20. Parameters and addresses cost nothing. */
#define PTX(body)                                                                                  \
  ".version 7.0\n.target sm_70\n.address_size 64\n"                                                \
  ".visible .entry kernel(.param .u64 in, .param .u64 out, .param .u32 n)\n{\n"                    \
  "  .reg .u64 %p;\n  .reg .f32 %a;\n  .reg .u32 %x;\n  .shared .f32 s;\n"                         \
  "  ld.param.u64 %p, [in];\n" body "  ret;\n}\n"
#define ADD "  add.f32 %a, %a, %a;\n"
#define LOAD "  ld.global.f32 %a, [%p];\n"

static void expect_cycles(const char *scheduler, const char *ptx, uint32_t warps, uint64_t cycles) {
  Bench b = open_bench((gpu_config){.arch = "textbook", .scheduler = scheduler});
  cr_assert_eq(gpu_module_load_ptx(b.dev, &b.kernels, "paper.ptx", ptx, strlen(ptx)), GPU_OK, "%s",
               gpu_last_error(b.dev));
  cr_assert_eq(run(&b, "kernel", 1, 32 * warps, 0), GPU_OK, "%s", gpu_last_error(b.dev));
  cr_assert_eq(b.timing.cycles, cycles, "%s: %llu cycles, not %llu", scheduler,
               (unsigned long long)b.timing.cycles, (unsigned long long)cycles);
  gpu_device_destroy(b.dev);
}

/* Two warps load, add three times, load, add three times, in cycle
 *
 *            W0 load  W1 load  W0 adds    load  W1 adds    load
 *   greedy      0        1     500-502    503   504-506    507
 *   in turn     0        1     500,2,4    506   501,3,5    507
 *
 * and 500 cycles behind each second load come three adds and ret. Greedy: in 1003-1006 and
 * 1007-1010, which makes 1011 cycles. In turn: all from 1006 to 1013, for W0 was kept from its
 * load. */
static const char two_rounds[] = PTX(LOAD ADD ADD ADD LOAD ADD ADD ADD);

Test(scheduler, in_turn_all_warps_come_late_to_their_loads) {
  expect_cycles("gto", two_rounds, 2, 1011);
  expect_cycles("grr", two_rounds, 2, 1011);
  expect_cycles("oldest", two_rounds, 2, 1011);
  expect_cycles("lrr", two_rounds, 2, 1014);
  expect_cycles("two-level", two_rounds, 2, 1014);
}

/* Three warps take an address, multiply it by 1 eleven times, load from there, and add.
 *            W0 12, load    W1 12, load    W2 12, load      W0 add, ret  W1     W2
 *   gto      0-11, 12       13-24, 25      26-37, 38        39, 40       45, 46  58, 59
 *   oldest   the same       the same       26-31, 34-39, 40 32, 33       45, 46  60, 61
 *   in turn  0-35, each third cycle, then loads in 36, 37, 38; adds in 56-58, ret in 59-61
 * The oldest interrupts W2, whose load is what the end waits for. */
#define MUL "  mul.lo.u32 %x, %x, 1;\n"
static const char shared_load[] =
    PTX("  mov.u32 %x, s;\n" MUL MUL MUL MUL MUL MUL MUL MUL MUL MUL MUL
        "  ld.shared.f32 %a, [%x];\n" ADD);

Test(scheduler, the_oldest_interrupts_and_greedy_does_not) {
  expect_cycles("gto", shared_load, 3, 60);
  expect_cycles("oldest", shared_load, 3, 62);
  expect_cycles("lrr", shared_load, 3, 62);
}

/* Six warps, one load and four adds each: two levels let warps 0 to 3 load first, in 0 to 3;
 * waiting, they make room for 4 and 5. From 500 on a warp is there each cycle, and up to four take
 * turns: 6 x 5 instructions, none of the cycles from 500 on is lost. */
Test(scheduler, two_levels_make_room_for_those_that_do_not_wait) {
  expect_cycles("two-level", PTX(LOAD ADD ADD ADD ADD), 6, 500 + 6 * 5);
}

/* ---- wrong answers ------------------------------------------------------------------------- */

static void expect_fault(const char *function, gpu_fault_kind kind, const char *words,
                         const char *line) {
  Bench b = open_bench((gpu_config){.arch = "textbook", .instruction_limit = 300000});
  gpu_fault_info f;
  use_scheduler(&b, "wrong.cu", function);
  cr_assert_eq(run(&b, "rounds", 1, 128, 2), GPU_FAULT, "%s: no fault", function);
  cr_assert_eq(gpu_fault(b.dev, 0, &f), GPU_OK);
  cr_assert_eq(f.kind, kind, "%s", f.report);
  cr_assert(strstr(f.report, words), "not '%s' in:\n%s", words, f.report);
  cr_assert(strstr(f.report, line), "not '%s' in:\n%s", line, f.report);
  gpu_device_destroy(b.dev);
}

Test(scheduler, an_index_beyond_the_warps_is_refused) {
  expect_fault("beyond", GPU_FAULT_BAD_CALLBACK,
               "the scheduler beyond answers 4: warps have the indices 0 to 3 here", "kernels.cu:");
  expect_fault("below", GPU_FAULT_BAD_CALLBACK, "the scheduler below answers -2", "kernels.cu:");
}

Test(scheduler, a_warp_that_waits_cannot_issue) {
  expect_fault("waiting", GPU_FAULT_BAD_CALLBACK, "that warp is not eligible", "kernels.cu:");
}

Test(scheduler, warps_are_not_left_waiting_for_ever) {
  expect_fault("lazy", GPU_FAULT_BAD_CALLBACK,
               "the scheduler lazy has let eligible warps wait for 10000 cycles in a row", "");
}

Test(scheduler, a_call_has_a_budget) {
  expect_fault("slow", GPU_FAULT_BAD_CALLBACK, "did not return within 100000 instructions", "");
}

Test(scheduler, all_calls_together_have_a_budget) {
  expect_fault("busy", GPU_FAULT_BAD_CALLBACK, "has used up the launch's limit of instructions",
               "");
}

Test(scheduler, a_fault_inside_the_function_is_shown_there) {
  expect_fault("wild", GPU_FAULT_OUT_OF_BOUNDS, "wrong.cu:", "SCHEDULER(wild)");
}

Test(scheduler, the_array_of_warps_may_be_gone) {
  expect_fault("freed", GPU_FAULT_BAD_CALLBACK, "freed the memory in which it is told of warps",
               "");
}

Test(scheduler, after_a_fault_the_device_goes_on) {
  Bench b = open_bench((gpu_config){.arch = "textbook"});
  use_scheduler(&b, "wrong.cu", "slow");
  cr_assert_eq(run(&b, "rounds", 1, 128, 2), GPU_FAULT);
  use_scheduler(&b, "builtin.cu", "gto");
  cr_assert_eq(run(&b, "rounds", 1, 128, 2), GPU_OK, "%s", gpu_last_error(b.dev));
  gpu_device_destroy(b.dev);
}

static void expect_refused(gpu_config config, const char *function, const char *words) {
  gpu_device *dev;
  cr_assert_eq(gpu_device_create(&dev, &config, NULL, 0), GPU_OK);
  gpu_module *mod = load(dev, "wrong.cu");
  cr_assert_eq(gpu_set_scheduler(dev, mod, function), GPU_BAD_INPUT);
  cr_assert(strstr(gpu_last_error(dev), words), "%s", gpu_last_error(dev));
  gpu_device_destroy(dev);
}

Test(scheduler, missing_and_misshapen_functions_are_refused) {
  gpu_config timed = {.timing = true};
  expect_refused(timed, "none",
                 "must be __device__ int none(int core, const wb_warp *warps, int "
                 "count, unsigned long long cycle), and there is no such function");
  expect_refused(timed, "short_of_parameters", "that function has other parameters");
  expect_refused((gpu_config){0}, "lazy", "the device was made without timing");
}
