/* Divergence models made of a module's functions: gpu_set_divergence. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "gpu.h"

#define TESTS WARPBOOK_ROOT "/sim/tests/"
#define CONTROLFLOW TESTS "hardware/controlflow-nvcc.ptx"
#define QUESTIONS TESTS "kernels/questions.cu"
enum { WORDS = 6144, LANES = 32 };

typedef struct Bench {
  gpu_device *dev;
  gpu_module *kernels;
  gpu_ptr buffers[3];
  gpu_stats stats;
  uint32_t out[WORDS];
} Bench;

/* A device with the kernels of a file, under the divergence model PREFIX of policy/FILE. */
static Bench open_bench(gpu_config config, const char *kernels, const char *file,
                        const char *prefix) {
  Bench b = {0};
  char path[256];
  gpu_module *policy;
  cr_assert_eq(gpu_device_create(&b.dev, &config, NULL, 0), GPU_OK);
  cr_assert_eq(gpu_module_load(b.dev, &b.kernels, kernels, GPU_OPT_TEACHING), GPU_OK, "%s",
               gpu_last_error(b.dev));
  for (int i = 0; i < 3; i++)
    cr_assert_eq(gpu_mem_alloc(b.dev, &b.buffers[i], sizeof b.out), GPU_OK);
  if (!file) return b;
  snprintf(path, sizeof path, TESTS "policy/%s", file);
  cr_assert_eq(gpu_module_load(b.dev, &policy, path, GPU_OPT_TEACHING), GPU_OK, "%s",
               gpu_last_error(b.dev));
  cr_assert_eq(gpu_set_divergence(b.dev, policy, prefix), GPU_OK, "%s", gpu_last_error(b.dev));
  return b;
}

/* Runs a kernel on fresh memory; the first buffer is read back. */
static gpu_result run(Bench *b, gpu_kernel *kernel, uint32_t grid, uint32_t block) {
  int32_t seed[2 * LANES];
  for (int i = 0; i < 2 * LANES; i++) seed[i] = (i * 37 + 11) % 101 - 30;
  for (int i = 0; i < 3; i++) gpu_memset(b->dev, b->buffers[i], 0, sizeof b->out);
  gpu_memcpy_htod(b->dev, b->buffers[2], seed, sizeof seed);
  void *args[] = {&b->buffers[0], &b->buffers[1], &b->buffers[2]};
  gpu_result result =
      gpu_launch(b->dev, kernel, (gpu_dim){grid, 1, 1}, (gpu_dim){block, 1, 1}, 0, args);
  gpu_get_stats(b->dev, &b->stats);
  gpu_memcpy_dtoh(b->dev, b->out, b->buffers[0], sizeof b->out);
  return result;
}

static gpu_result run_named(Bench *b, const char *name, uint32_t grid, uint32_t block) {
  gpu_kernel *kernel;
  cr_assert_eq(gpu_module_kernel(b->kernels, &kernel, name), GPU_OK, "%s", gpu_last_error(b->dev));
  return run(b, kernel, grid, block);
}

/* The policy does what the simulator's own model does: every lane logs its block, its mask and its
 * clock at every step, and the two logs are the same, bit for bit. */
static void expect_same(gpu_model model, const char *file, const char *prefix) {
  static Bench own, other;
  gpu_config config = {.model = model};
  own = open_bench(config, CONTROLFLOW, NULL, NULL);
  other = open_bench(config, CONTROLFLOW, file, prefix);
  size_t kernels = gpu_module_kernel_count(own.kernels), clean = 0;
  for (size_t i = 0; i < 2 * kernels; i++) {
    gpu_kernel *k = gpu_module_kernel_at(own.kernels, i / 2);
    uint32_t block = i % 2 ? LANES : 20;
    gpu_result a = run(&own, k, 1, block);
    gpu_result b = run_named(&other, gpu_kernel_name(k), 1, block);
    cr_assert_eq(a, b, "%s: %d, and with the policy %d: %s", gpu_kernel_name(k), a, b,
                 gpu_last_error(other.dev));
    cr_assert_arr_eq(own.out, other.out, sizeof own.out, "%s: the logs differ", gpu_kernel_name(k));
    cr_assert_arr_eq(&own.stats, &other.stats, sizeof own.stats);
    clean += a == GPU_OK;
  }
  cr_assert_geq(clean, kernels);
  gpu_device_destroy(own.dev);
  gpu_device_destroy(other.dev);
}

Test(policy, a_students_stack_gives_the_masks_of_the_simulators_own) {
  expect_same(GPU_MODEL_STACK, "stack.cu", "stack");
}

/* The order of paths is the policy's own, so masks and clocks may differ; work and results may not.
 */
Test(policy, independent_scheduling_of_ones_own_leaves_the_same_results) {
  static Bench own, other;
  gpu_config config = {.model = GPU_MODEL_ITS};
  uint32_t want[LANES], got[LANES];
  own = open_bench(config, CONTROLFLOW, NULL, NULL);
  other = open_bench(config, CONTROLFLOW, "its.cu", "its");
  for (size_t i = 0; i < gpu_module_kernel_count(own.kernels); i++) {
    gpu_kernel *k = gpu_module_kernel_at(own.kernels, i);
    const char *name = gpu_kernel_name(k);
    cr_assert_eq(run(&own, k, 1, LANES), GPU_OK);
    cr_assert_eq(run_named(&other, name, 1, LANES), GPU_OK, "%s", gpu_last_error(other.dev));
    gpu_memcpy_dtoh(own.dev, want, own.buffers[1], sizeof want);
    gpu_memcpy_dtoh(other.dev, got, other.buffers[1], sizeof got);
    cr_assert_arr_eq(got, want, sizeof want, "%s", name);
    cr_assert_eq(own.stats.thread_instructions, other.stats.thread_instructions, "%s", name);
    cr_assert_leq(2 * other.stats.warp_instructions, 3 * own.stats.warp_instructions, "%s", name);
  }
  gpu_device_destroy(own.dev);
  gpu_device_destroy(other.dev);
}

Test(policy, a_spin_lock_hangs_under_a_stack_and_ends_under_independent_scheduling) {
  Bench b = open_bench((gpu_config){.model = GPU_MODEL_STACK}, QUESTIONS, "stack.cu", "stack");
  gpu_fault_info f;
  cr_assert_eq(run_named(&b, "q06_spin", 1, 32), GPU_FAULT);
  cr_assert_eq(gpu_fault(b.dev, 0, &f), GPU_OK);
  cr_assert_eq(f.kind, GPU_FAULT_DEADLOCK);
  cr_assert_eq(run_named(&b, "q06_spin_safe", 1, 32), GPU_OK, "%s", gpu_last_error(b.dev));
  cr_assert_eq(b.out[1], 32);
  gpu_device_destroy(b.dev);
  b = open_bench((gpu_config){.model = GPU_MODEL_ITS}, QUESTIONS, "its.cu", "its");
  cr_assert_eq(run_named(&b, "q06_spin", 1, 32), GPU_OK, "%s", gpu_last_error(b.dev));
  cr_assert_eq(b.out[1], 32);
  gpu_device_destroy(b.dev);
}

Test(policy, several_warps_and_blocks_have_states_of_their_own) {
  Bench b = open_bench((gpu_config){.model = GPU_MODEL_STACK}, QUESTIONS, "stack.cu", "stack");
  cr_assert_eq(run_named(&b, "q03_halves", 4, 1024), GPU_OK, "%s", gpu_last_error(b.dev));
  cr_assert_eq(b.stats.passes, 4 * 32 * 2);
  for (uint32_t i = 0; i < 1024; i++) cr_assert_eq(b.out[i], i % 32 < 16 ? i * 3 : i + 100);
  cr_assert_eq(run_named(&b, "q02_resident", 2, 64), GPU_OK, "%s", gpu_last_error(b.dev));
  gpu_device_destroy(b.dev);
}

Test(policy, cycles_are_counted_under_a_policy_too) {
  gpu_config config = {.model = GPU_MODEL_STACK, .timing = true};
  Bench b = open_bench(config, QUESTIONS, "stack.cu", "stack");
  cr_assert_eq(run_named(&b, "q03_halves", 1, 64), GPU_OK, "%s", gpu_last_error(b.dev));
  uint64_t cycles = b.stats.cycles;
  cr_assert_gt(cycles, 0);
  cr_assert_eq(b.stats.passes, 2 * 2);
  gpu_set_divergence(b.dev, NULL, NULL);
  gpu_flush_l2(b.dev);
  cr_assert_eq(run_named(&b, "q03_halves", 1, 64), GPU_OK, "%s", gpu_last_error(b.dev));
  cr_assert_eq(b.stats.cycles, cycles); /* thinking costs no time of the machine that is modelled */
  gpu_device_destroy(b.dev);
}

Test(policy, only_64_warps_fit_at_a_time) {
  gpu_config config = {.model = GPU_MODEL_STACK, .timing = true};
  Bench b = open_bench(config, QUESTIONS, "stack.cu", "stack");
  gpu_fault_info f;
  cr_assert_eq(run_named(&b, "q03_halves", 4, 1024), GPU_FAULT);
  cr_assert_eq(gpu_fault(b.dev, 0, &f), GPU_OK);
  cr_assert_eq(f.kind, GPU_FAULT_BAD_CALLBACK);
  cr_assert(strstr(f.message, "knows 64 warps at a time"), "%s", f.message);
  gpu_device_destroy(b.dev);
}

Test(policy, null_puts_the_devices_own_model_back) {
  Bench b = open_bench((gpu_config){.model = GPU_MODEL_ITS}, QUESTIONS, "wrong.cu", "together");
  cr_assert_eq(gpu_device_model(b.dev), GPU_MODEL_ITS);
  cr_assert_eq(run_named(&b, "q03_halves", 1, 32), GPU_FAULT);
  cr_assert_eq(gpu_set_divergence(b.dev, NULL, NULL), GPU_OK);
  cr_assert_eq(run_named(&b, "q03_halves", 1, 32), GPU_OK, "%s", gpu_last_error(b.dev));
  gpu_device_destroy(b.dev);
}

/* ---- wrong answers --------------------------------------------------------------------------- */

static void expect_fault(const char *prefix, const char *kernel, gpu_fault_kind kind,
                         const char *words, const char *line) {
  gpu_config config = {.model = GPU_MODEL_STACK, .instruction_limit = 200000};
  Bench b = open_bench(config, QUESTIONS, "wrong.cu", prefix);
  gpu_fault_info f;
  cr_assert_eq(run_named(&b, kernel, 1, 20), GPU_FAULT, "%s: no fault", prefix);
  cr_assert_eq(gpu_fault(b.dev, 0, &f), GPU_OK);
  cr_assert_eq(f.kind, kind, "%s", f.report);
  cr_assert(strstr(f.report, words), "not '%s' in:\n%s", words, f.report);
  cr_assert(strstr(f.report, line), "not '%s' in:\n%s", line, f.report);
  gpu_device_destroy(b.dev);
}

Test(policy, lanes_at_two_places_cannot_run_together) {
  expect_fault("together", "q03_halves", GPU_FAULT_BAD_CALLBACK,
               "together_next chooses lanes that are at different places: 0x000fffff",
               "if (LANE < 16) v = threadIdx.x * 3;");
}

Test(policy, lost_lanes_are_named) {
  expect_fault("lost", "q03_halves", GPU_FAULT_BAD_CALLBACK,
               "lost_next chooses nobody, but these lanes have not ended and wait here: 0x000f0000",
               "else v = threadIdx.x + 100;");
}

Test(policy, lanes_that_have_returned_cannot_run) {
  expect_fault("undead", "q03_halves", GPU_FAULT_BAD_CALLBACK,
               "undead_next chooses lanes that have ended, or that never had a thread: 0x0000ffff",
               "else v = threadIdx.x + 100;");
}

Test(policy, lanes_without_a_thread_cannot_run) {
  expect_fault("more", "q03_halves", GPU_FAULT_BAD_CALLBACK, "never had a thread: 0xfff00000", "");
}

Test(policy, a_call_has_a_budget) {
  expect_fault("slow", "q03_halves", GPU_FAULT_BAD_CALLBACK,
               "slow_next did not return within 100000 instructions", "");
}

Test(policy, the_record_of_a_branch_may_be_gone) {
  Bench b = open_bench((gpu_config){.model = GPU_MODEL_STACK}, QUESTIONS, "wrong.cu", "free");
  gpu_fault_info f;
  cr_assert_eq(run_named(&b, "q03_halves", 1, 32), GPU_OK, "%s", gpu_last_error(b.dev));
  cr_assert_eq(run_named(&b, "q03_halves", 1, 32), GPU_FAULT); /* the first one freed it */
  cr_assert_eq(gpu_fault(b.dev, 0, &f), GPU_OK);
  cr_assert(strstr(f.message, "free_branch has freed the memory"), "%s", f.message);
  gpu_device_destroy(b.dev);
}

Test(policy, all_calls_together_have_a_budget) {
  expect_fault("busy", "q03_halves", GPU_FAULT_BAD_CALLBACK,
               "have used up the launch's limit of instructions", "");
}

Test(policy, a_fault_inside_a_function_is_shown_there) {
  expect_fault("wild", "q03_halves", GPU_FAULT_OUT_OF_BOUNDS,
               "wrong.cu:", "all[w * 1000 + 100000] = 1;");
}

static void expect_refused(const char *prefix, const char *words) {
  gpu_device *dev;
  gpu_module *mod;
  cr_assert_eq(gpu_device_create(&dev, NULL, NULL, 0), GPU_OK);
  cr_assert_eq(gpu_module_load(dev, &mod, TESTS "policy/wrong.cu", GPU_OPT_TEACHING), GPU_OK);
  cr_assert_eq(gpu_set_divergence(dev, mod, prefix), GPU_BAD_INPUT);
  cr_assert(strstr(gpu_last_error(dev), words), "%s", gpu_last_error(dev));
  gpu_device_destroy(dev);
}

Test(policy, missing_and_misshapen_functions_are_refused) {
  expect_refused("none", "needs __device__ void none_start(int warp, unsigned lanes), and there is "
                         "no such function");
  expect_refused("short",
                 "needs __device__ unsigned short_next(int warp, unsigned ready), and that "
                 "function has other parameters");
}
