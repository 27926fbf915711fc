/* Occupancy: every row of two tables of hardware answers, worked examples by hand, and what a
 * kernel says of its launch. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "timing/occupancy.h"

#define HARDWARE WARPBOOK_ROOT "/sim/tests/hardware/"

static Arch arch_named(const char *name) {
  Arch arch;
  ErrorBuffer err;
  error_init(&err);
  cr_assert(arch_load(&arch, name, &err), "%s", err.text);
  error_release(&err);
  return arch;
}

static gpu_occupancy_info ask(const char *arch, uint32_t registers, uint32_t block,
                              uint64_t shared) {
  Arch a = arch_named(arch);
  gpu_occupancy_info info;
  occupancy_explain(&a, (OccupancyQuery){.registers = registers, .block = block, .shared = shared},
                    &info);
  return info;
}

/* The step of this name; the test fails when there is none. */
static gpu_occupancy_step step_named(const gpu_occupancy_info *info, const char *name) {
  for (size_t i = 0; i < info->step_count; i++)
    if (strcmp(info->steps[i].name, name) == 0) return info->steps[i];
  cr_assert(false, "no step '%s'", name);
  return (gpu_occupancy_step){0};
}

static bool has_advice(const gpu_occupancy_info *info, const char *text) {
  for (size_t i = 0; i < info->advice_count; i++)
    if (strstr(info->advice[i], text)) return true;
  return false;
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* One row of a table: numbers by column; text where a column is not a number. */
typedef struct Row {
  char arch[32], limiting[64];
  unsigned registers, block;
  unsigned long long shared;
  int blocks;
} Row;

static bool read_oracle(const char *line, Row *row) {
  return sscanf(line, "%31[^\t]\t%u\t%u\t%llu\t%d\t%63[^\n]", row->arch, &row->registers,
                &row->block, &row->shared, &row->blocks, row->limiting) == 6;
}

static bool read_driver(const char *line, Row *row) {
  strcpy(row->arch, "h200");
  return sscanf(line, "%u\t%u\t%llu\t%d", &row->registers, &row->block, &row->shared,
                &row->blocks) == 4;
}

/* Calls check on every row; returns how many there were. */
static size_t each_row(const char *path, bool (*read)(const char *line, Row *row),
                       void (*check)(const Row *row, const gpu_occupancy_info *info)) {
  char line[256];
  size_t count = 0;
  Arch arch = {.name = ""};
  FILE *file = fopen(path, "r");
  cr_assert(file, "cannot read %s", path);
  while (fgets(line, sizeof line, file)) {
    Row row = {.arch = ""};
    gpu_occupancy_info info;
    if (!read(line, &row)) continue; /* a comment, the heading */
    if (strcmp(arch.name, row.arch) != 0) arch = arch_named(row.arch);
    OccupancyQuery query = {.registers = row.registers, .block = row.block, .shared = row.shared};
    occupancy_explain(&arch, query, &info);
    check(&row, &info);
    cr_assert_eq(occupancy_blocks(&arch, query), info.blocks_per_sm);
    cr_assert_lt(info.step_count, GPU_OCCUPANCY_STEPS);
    cr_assert_gt(info.advice_count, 0);
    count++;
  }
  fclose(file);
  return count;
}

/* -1: the driver says that the kernel cannot be launched. */
static void check_blocks(const Row *row, const gpu_occupancy_info *info) {
  int expected = row->blocks < 0 ? 0 : row->blocks;
  cr_assert_eq((int)info->blocks_per_sm, expected,
               "%s, %u registers, %u threads, %llu bytes: %u blocks, not %d", row->arch,
               row->registers, row->block, row->shared, info->blocks_per_sm, row->blocks);
}

static void check_limits(const Row *row, const gpu_occupancy_info *info) {
  check_blocks(row, info);
  cr_assert_str_eq(info->limiting_names, row->limiting, "%s, %u registers, %u threads, %llu bytes",
                   row->arch, row->registers, row->block, row->shared);
}

Test(occupancy, equals_the_vendors_rules_on_seven_gpus_in_every_row) {
  cr_assert_eq(each_row(HARDWARE "occupancy-oracle.tsv", read_oracle, check_limits), 15257);
}

Test(occupancy, equals_the_driver_of_an_h200_in_every_row) {
  cr_assert_eq(each_row(HARDWARE "h200/occupancy.tsv", read_driver, check_blocks), 5544);
}

/* ---- what students ask ----------------------------------------------------------------------- */

Test(occupancy, q17_25_registers_on_compute_2_are_26_and_4_blocks_fit_not_5) {
  gpu_occupancy_info info = ask("fermi", 25, 256, 0);
  gpu_occupancy_step gets = step_named(&info, "registers a warp gets");
  cr_assert_eq(gets.before, 800);
  cr_assert_eq(gets.operand, 64);
  cr_assert_eq(gets.after, 26 * 32);
  cr_assert_eq(info.blocks_per_sm, 4);
  cr_assert_eq(32768 / (25 * 256), 5); /* what the division without rounding says */
}

Test(occupancy, q18_162_registers_times_256_threads_take_43008) {
  gpu_occupancy_info info = ask("h200", 162, 256, 0);
  gpu_occupancy_step gets = step_named(&info, "registers a warp gets");
  cr_assert_eq(gets.after, 168 * 32);
  cr_assert_eq(gets.after * info.warps_per_block, 43008);
  cr_assert_eq(info.blocks_per_sm, 1);
}

Test(occupancy, q19_10_registers_are_allocated_as_16_in_units_of_256_a_warp) {
  gpu_occupancy_info info = ask("h200", 10, 256, 0);
  gpu_occupancy_step gets = step_named(&info, "registers a warp gets");
  cr_assert_eq(gets.operand, 256);
  cr_assert_eq(gets.after, 16 * 32);
  cr_assert(strstr(gets.text, "16 a thread"), "%s", gets.text);
}

Test(occupancy, q20_rounding_384_up_to_a_multiple_of_32_leaves_384) {
  gpu_occupancy_info info = ask("h200", 32, 384, 0);
  cr_assert_eq(step_named(&info, "warps of a block").after * 32, 384);
}

Test(occupancy, q21_a_latency_of_22_with_3_independent_instructions_needs_8_warps) {
  Arch fermi = arch_named("fermi");
  uint32_t latency = (uint32_t)fermi.latency_fp32;
  cr_assert_eq(latency, 22);
  cr_assert_eq((latency + 2) / 3, 8);
}

/* ---- by hand --------------------------------------------------------------------------------- */

Test(occupancy, three_blocks_of_256_threads_are_24_warps) {
  gpu_occupancy_info info = ask("a100", 32, 256, 50000); /* 51,072 bytes each of 167,936 */
  cr_assert_eq(info.blocks_per_sm, 3);
  cr_assert_eq(info.warps_per_sm, 24);
  cr_assert_eq(info.limiting, GPU_LIMIT_SHARED);
}

Test(occupancy, steps_show_every_rounding) {
  /* 257 threads: 9 warps. 33 registers: 1056, given 1280; a sub-core's 16,384 hold 12 warps, four
   * sub-cores 48, that is 5 blocks of 9. 10,000 bytes: 11,024 with the system's, given 11,136; 20
   * blocks. */
  gpu_occupancy_info info = ask("h200", 33, 257, 10000);
  cr_assert_eq(step_named(&info, "warps of a block").after, 9);
  cr_assert_eq(step_named(&info, "blocks by warps").after, 7);
  cr_assert_eq(step_named(&info, "registers a warp wants").after, 1056);
  cr_assert_eq(step_named(&info, "registers a warp gets").after, 1280);
  cr_assert_eq(step_named(&info, "registers of a sub-core").after, 16384);
  cr_assert_eq(step_named(&info, "warps a sub-core").after, 12);
  cr_assert_eq(step_named(&info, "warps by registers").after, 48);
  cr_assert_eq(step_named(&info, "blocks by registers").after, 5);
  cr_assert_eq(step_named(&info, "bytes a block wants").after, 11024);
  cr_assert_eq(step_named(&info, "bytes a block gets").after, 11136);
  cr_assert_eq(step_named(&info, "blocks by shared memory").after, 20);
  cr_assert_eq(step_named(&info, "blocks by slots").after, 32);
  cr_assert_eq(step_named(&info, "warps an SM").after, 45);
  cr_assert_str_eq(step_named(&info, "blocks by warps").text, "64 / 9 = 7.11, rounded down to 7");
  cr_assert_eq(info.blocks_per_sm, 5);
  cr_assert_str_eq(info.limiting_names, "registers");
  cr_assert_eq(info.by_warps, 7);
  cr_assert_eq(info.by_shared, 20);
}

Test(occupancy, the_textbook_machine_divides_without_rounding) {
  gpu_occupancy_info info = ask("textbook", 33, 256, 0); /* 65536 / (33 x 32) = 62; 62 / 8 = 7 */
  cr_assert_eq(info.blocks_per_sm, 7);
  cr_assert_eq(info.by_shared, GPU_NO_LIMIT);
  cr_assert_eq(ask("h200", 33, 256, 0).blocks_per_sm, 6);
}

Test(occupancy, no_registers_means_no_limit_by_registers) {
  gpu_occupancy_info info = ask("h200", 0, 128, 0);
  cr_assert_eq(info.by_registers, GPU_NO_LIMIT);
  cr_assert_eq(info.blocks_per_sm, 16);
}

Test(occupancy, advice_names_the_registers_that_let_one_more_block_in) {
  gpu_occupancy_info info = ask("h200", 33, 256, 0);
  cr_assert_eq(info.blocks_per_sm, 6);
  cr_assert(has_advice(&info, "at most 32 registers a thread: 8 blocks, 64 of 64 warps (100%)"));
}

Test(occupancy, advice_names_the_shared_memory_that_lets_one_more_block_in) {
  gpu_occupancy_info info = ask("h200", 32, 128, 100000);
  cr_assert_eq(info.blocks_per_sm, 2);
  /* 233,472 / 3 = 77,824, less 1,024 */
  cr_assert(has_advice(&info, "at most 76800 bytes of shared memory a block: 3 blocks"), "%s",
            info.advice[0]);
}

Test(occupancy, advice_names_a_block_size_that_fills_more_slots) {
  gpu_occupancy_info info = ask("h200", 32, 1000, 0); /* 32 warps: 2 blocks */
  cr_assert_eq(info.warps_per_sm, 64);
  cr_assert(has_advice(&info, "nothing"));
  info = ask("h200", 32, 32, 0); /* 32 blocks of one warp */
  cr_assert_eq(info.warps_per_sm, 32);
  cr_assert_str_eq(info.limiting_names, "blocks");
  cr_assert(has_advice(&info, "blocks of 64 threads"), "%s", info.advice[0]);
}

/* ---- what does not fit ----------------------------------------------------------------------- */

Test(occupancy, a_block_whose_registers_do_not_fit_cannot_be_launched) {
  gpu_occupancy_info info = ask("h200", 80, 800, 0); /* 25 warps count as 28 */
  cr_assert_eq(info.blocks_per_sm, 0);
  cr_assert_str_eq(info.limiting_names, "registers");
  gpu_occupancy_step why = step_named(&info, "registers of a block");
  cr_assert(strstr(why.text, "25 warps, rounded up to a multiple of 4, x 2560 = 71680 registers"),
            "%s", why.text);
  cr_assert(has_advice(&info, "at most 72 registers a thread: 1 block"), "%s", info.advice[0]);
}

Test(occupancy, limits_of_a_thread_and_of_a_block_are_named) {
  gpu_occupancy_info info = ask("h200", 256, 32, 0);
  cr_assert_eq(info.blocks_per_sm, 0);
  cr_assert(strstr(step_named(&info, "registers of a thread").text, "at most 255"));
  info = ask("h200", 32, 1025, 0);
  cr_assert_eq(info.blocks_per_sm, 0);
  cr_assert(strstr(step_named(&info, "threads of a block").text, "at most 1024"));
  info = ask("h200", 32, 128, 232449);
  cr_assert_eq(info.blocks_per_sm, 0);
  cr_assert_str_eq(info.limiting_names, "shared");
}

Test(occupancy, absurd_numbers_do_not_overflow) {
  gpu_occupancy_info info = ask("h200", UINT32_MAX, UINT32_MAX, UINT64_MAX);
  cr_assert_eq(info.blocks_per_sm, 0);
  cr_assert_str_eq(info.limiting_names, "warps,registers,shared");
}

/* ---- through gpu.h --------------------------------------------------------------------------- */

Test(occupancy, a_device_answers_for_its_architecture) {
  gpu_device *dev;
  gpu_occupancy_info info;
  char message[256];
  cr_assert_eq(gpu_device_create(&dev, &(gpu_config){.arch = "a100"}, message, sizeof message),
               GPU_OK, "%s", message);
  cr_assert_eq(gpu_occupancy(dev, 64, 256, 0, &info), GPU_OK);
  cr_assert_eq(info.blocks_per_sm, 4); /* 32 warps of 2,048 registers fill 65,536 */
  cr_assert_eq(info.occupancy, 0.5);
  cr_assert_eq(gpu_occupancy(dev, 64, 0, 0, &info), GPU_BAD_INPUT);
  cr_assert_str_not_empty(gpu_last_error(dev));
  gpu_device_destroy(dev);
}

/* ---- what a kernel says of its launch -------------------------------------------------------- */

static void expect_info(gpu_module *mod, const char *name, gpu_kernel_info expected) {
  gpu_kernel *kernel;
  gpu_kernel_info got;
  cr_assert_eq(gpu_module_kernel(mod, &kernel, name), GPU_OK);
  gpu_kernel_get_info(kernel, &got);
  cr_assert(got.max_threads == expected.max_threads && got.min_blocks == expected.min_blocks &&
                got.max_registers == expected.max_registers &&
                got.shared_bytes == expected.shared_bytes,
            "%s: %u %u %u %llu", name, got.max_threads, got.min_blocks, got.max_registers,
            (unsigned long long)got.shared_bytes);
}

Test(kernel_info, launch_bounds_and_static_shared_memory_are_told) {
  gpu_device *dev;
  gpu_module *mod;
  cr_assert_eq(gpu_device_create(&dev, NULL, NULL, 0), GPU_OK);
  cr_assert_eq(gpu_module_load(dev, &mod, WARPBOOK_ROOT "/sim/tests/compile/launch_bounds.cu",
                               GPU_OPT_TEACHING),
               GPU_OK, "%s", gpu_last_error(dev));
  expect_info(mod, "both", (gpu_kernel_info){256, 4, 0, 4000});
  expect_info(mod, "one", (gpu_kernel_info){.max_threads = 96});
  expect_info(mod, "neither", (gpu_kernel_info){0});
  gpu_device_destroy(dev);
}

Test(kernel_info, ptx_directives_are_told) {
  static const char ptx[] = ".version 7.1\n.target sm_80\n.address_size 64\n"
                            ".entry a() .maxntid 8, 4, 2 .maxnreg 40\n{ ret; }\n"
                            ".entry b() .reqntid 64\n{ ret; }\n";
  gpu_device *dev;
  gpu_module *mod;
  cr_assert_eq(gpu_device_create(&dev, NULL, NULL, 0), GPU_OK);
  cr_assert_eq(gpu_module_load_ptx(dev, &mod, "t.ptx", ptx, sizeof ptx - 1), GPU_OK, "%s",
               gpu_last_error(dev));
  expect_info(mod, "a", (gpu_kernel_info){.max_threads = 64, .max_registers = 40});
  expect_info(mod, "b", (gpu_kernel_info){.max_threads = 64});
  gpu_device_destroy(dev);
}
