/* Every kind of fault is found, placed and explained; correct programs are left alone. */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/harness.h"

#define STACK GPU_MODEL_STACK
#define ITS GPU_MODEL_ITS
#define BOTH for (gpu_model model = STACK; model <= ITS; model++)

static Run run_as(const char *kernel, gpu_model model, uint32_t grid, uint32_t block) {
  return run_kernel((Setup){.file = "faults.cu",
                            .kernel = kernel,
                            .model = model,
                            .check = GPU_CHECK_FULL,
                            .grid = {grid, 1, 1},
                            .block = {block, 1, 1},
                            .limit = 1000000});
}

/* The fault is found under both models, at a line that holds `code`. */
static void finds(const char *kernel, gpu_fault_kind kind, uint32_t grid, uint32_t block,
                  const char *code) {
  BOTH {
    Run r = run_as(kernel, model, grid, block);
    gpu_fault_info f = run_fault(&r, kind);
    cr_assert(strstr(f.file, "faults.cu"), "placed in %s", f.file);
    cr_assert(strstr(f.report, code), "the line with '%s' is not shown: %s", code, f.report);
    cr_assert(f.line > 0 && f.column > 0);
    cr_assert(strlen(f.advice) > 10);
    cr_assert(f.note || r.result == GPU_FAULT);
    run_free(&r);
  }
}

static void is_clean(const char *kernel, uint32_t grid, uint32_t block) {
  BOTH {
    Run r = run_as(kernel, model, grid, block);
    run_expect_clean(&r);
    run_free(&r);
  }
}

Test(faults, out_of_bounds_names_the_first_lane_and_the_allocation) {
  finds("out_of_bounds", GPU_FAULT_OUT_OF_BOUNDS, 1, 32, "out[threadIdx.x + 4090] = 1;");
  Run r = run_as("out_of_bounds", ITS, 1, 32);
  gpu_fault_info f = run_fault(&r, GPU_FAULT_OUT_OF_BOUNDS);
  cr_assert_eq(f.lane, 6);
  cr_assert(strstr(f.message, "an allocation of 16384 bytes"), "%s", f.message);
  run_free(&r);
}
Test(faults, a_null_pointer_is_called_one) {
  finds("null_pointer", GPU_FAULT_OUT_OF_BOUNDS, 1, 32, "p[threadIdx.x]");
  Run r = run_as("null_pointer", ITS, 1, 32);
  cr_assert(strstr(run_fault(&r, GPU_FAULT_OUT_OF_BOUNDS).message, "null pointer"));
  run_free(&r);
}
Test(faults, shared_memory_has_bounds) {
  finds("shared_out_of_bounds", GPU_FAULT_OUT_OF_BOUNDS, 1, 32, "s[threadIdx.x] = threadIdx.x;");
}
Test(faults, misaligned) {
  finds("misaligned", GPU_FAULT_MISALIGNED, 1, 32, "(char *)out + threadIdx.x");
}
Test(faults, uninitialized_shared_memory) {
  finds("uninitialized_shared", GPU_FAULT_UNINITIALIZED, 1, 32, "s[threadIdx.x ^ 1]");
}
Test(faults, a_race_between_warps_shows_both_lines_and_threads) {
  finds("race_between_warps", GPU_FAULT_RACE, 1, 64, "s[63 - threadIdx.x]");
  Run r = run_as("race_between_warps", ITS, 1, 64);
  gpu_fault_info f = run_fault(&r, GPU_FAULT_RACE);
  cr_assert(strstr(f.message, "faults.cu:") && strstr(f.message, "thread "), "%s", f.message);
  cr_assert(
      strstr(f.report, "a schedule that shows it: warp 1 goes first, until thread 32 is past"),
      "%s", f.report);
  run_free(&r);
}
Test(faults, a_race_between_blocks) {
  finds("race_between_blocks", GPU_FAULT_RACE, 2, 32, "out[0] = out[0] + 1;");
}
Test(faults, two_values_stored_at_once_are_a_race) {
  finds("two_values_at_once", GPU_FAULT_RACE, 1, 32, "out[0] = threadIdx.x;");
}
Test(faults, equal_values_stored_by_one_instruction_are_no_race) {
  is_clean("same_value_is_no_race", 3, 64);
}
Test(faults, atomics_do_not_race) { is_clean("atomics_are_no_race", 2, 64); }
Test(faults, a_message_with_fences_and_a_flag_is_no_race) {
  BOTH {
    Run r = run_as("message_by_flag", model, 2, 32);
    run_expect_clean(&r);
    cr_assert_eq(r.out[2], 42);
    run_free(&r);
  }
}
Test(faults, a_shuffle_from_a_lane_that_takes_no_part) {
  finds("shfl_inactive", GPU_FAULT_SHFL_INACTIVE_LANE, 1, 32, "__shfl_sync(0x0000ffffu, v, 20)");
}
Test(faults, a_width_that_is_no_power_of_two) {
  finds("bad_width", GPU_FAULT_BAD_WIDTH, 1, 32, "1, 12)");
}
Test(faults, warps_at_different_barriers) {
  finds("different_barriers", GPU_FAULT_BARRIER_DIVERGENCE, 1, 64, "the other barrier, faults.cu:");
}
Test(faults, an_endless_loop_meets_the_instruction_limit) {
  finds("endless", GPU_FAULT_INSTRUCTION_LIMIT, 1, 1, "while (true) out[0] = n++;");
}
Test(faults, a_loop_that_nobody_can_end_is_seen_long_before_the_limit) {
  finds("waits_for_nobody", GPU_FAULT_INSTRUCTION_LIMIT, 1, 32,
        "while (*(volatile unsigned *)out == 0)");
  Run r = run_as("waits_for_nobody", ITS, 2, 64);
  cr_assert(strstr(run_fault(&r, GPU_FAULT_INSTRUCTION_LIMIT).message, "would never end"));
  cr_assert_lt(r.stats.warp_instructions, 20000);
  run_free(&r);
}
Test(faults, spinning_while_others_wait_for_the_spinner_is_a_deadlock) {
  finds("waits_while_others_wait", GPU_FAULT_DEADLOCK, 1, 64,
        "while (*(volatile unsigned *)out == 0)");
}
Test(faults, an_earlier_block_may_wait_for_a_later_one) {
  BOTH {
    Run r = run_as("later_block_frees_earlier", model, 4, 32);
    cr_assert_eq(r.result, GPU_OK, "%s", gpu_last_error(r.dev));
    run_free(&r);
  }
}
Test(faults, division_by_zero_is_a_note) {
  finds("divides_by_zero", GPU_FAULT_DIVIDE_BY_ZERO, 1, 32, "100u / out[threadIdx.x]");
}
Test(faults, an_unsupported_instruction_is_refused_when_executed) {
  finds("unsupported", GPU_FAULT_UNSUPPORTED, 1, 32, "vadd.u32.u32.u32");
}
Test(faults, assert_gives_its_condition_and_place) {
  finds("asserts", GPU_FAULT_ASSERT, 1, 32, "assert(threadIdx.x < 7)");
  Run r = run_as("asserts", ITS, 1, 32);
  gpu_fault_info f = run_fault(&r, GPU_FAULT_ASSERT);
  cr_assert(strstr(f.message, "threadIdx.x < 7"), "%s", f.message);
  cr_assert_eq(f.lane, 7);
  run_free(&r);
}
Test(faults, trap) { finds("traps", GPU_FAULT_TRAP, 1, 32, "__trap()"); }

Test(builtins, printf_formats_for_each_lane_in_order) {
  BOTH {
    Run r = run_as("prints", model, 1, 32);
    run_expect_clean(&r);
    cr_assert_str_eq(gpu_printf_output(r.dev), "thread 0:  0.00 text x 1099511627776 %\n"
                                               "thread 1:  1.50 text x 1099511627776 %\n");
    run_free(&r);
  }
}
Test(builtins, recursion_of_a_depth_of_its_own_for_each_lane) {
  BOTH {
    Run r = run_as("recurses", model, 1, 32);
    run_expect_clean(&r);
    for (uint32_t l = 0; l < 32; l++) cr_assert_eq(r.out[l], l);
    run_free(&r);
  }
}
Test(builtins, endless_recursion_is_stopped) {
  finds("overflows_the_stack", GPU_FAULT_OUT_OF_BOUNDS, 1, 32, "bottomless(n + 1)");
}
Test(builtins, malloc_and_free) {
  BOTH {
    Run r = run_as("heap", model, 1, 32);
    run_expect_clean(&r);
    for (uint32_t l = 0; l < 32; l++) cr_assert_eq(r.out[l], l);
    run_free(&r);
  }
}
Test(builtins, use_after_free_is_found) {
  finds("use_after_free", GPU_FAULT_OUT_OF_BOUNDS, 1, 32, "out[threadIdx.x] = *p;");
}

Test(limits, the_largest_grid_runs_into_the_instruction_limit_without_memory_for_it) {
  Run r = run_kernel((Setup){
      .file = "faults.cu", .kernel = "nothing", .grid = {2147483647, 1, 1}, .limit = 100000});
  run_fault(&r, GPU_FAULT_INSTRUCTION_LIMIT);
  run_free(&r);
}
Test(limits, keep_going_reports_and_goes_on) {
  Run r = run_kernel(
      (Setup){.file = "faults.cu", .kernel = "out_of_bounds", .model = ITS, .keep_going = true});
  run_fault(&r, GPU_FAULT_OUT_OF_BOUNDS);
  cr_assert_eq(r.out[4095], 1); /* the lanes inside did store */
  run_free(&r);
}

/* cp.async with a variable, not a register, as its destination. */
Test(builtins, cp_async_into_a_named_variable) {
  static const char ptx[] =
      ".version 7.1\n.target sm_80\n.address_size 64\n.entry k(.param .u64 a)\n{\n.reg .b64 d;\n"
      ".reg .b32 r;\n.shared .align 16 .b8 pad[16];\n.shared .align 16 .b8 s[16];\n"
      "ld.param.u64 d, [a];\nst.shared.u32 [pad], 0;\ncp.async.ca.shared.global [s], [d], 16;\n"
      "cp.async.wait_all;\nld.shared.u32 r, [s+4];\nst.global.u32 [d+64], r;\nret;\n}\n";
  static const uint32_t in[] = {5, 77, 6, 7};
  Run r =
      run_kernel((Setup){.ptx = ptx, .kernel = "k", .block = {1, 1, 1}, .in = in, .in_count = 4});
  run_expect_clean(&r);
  cr_assert_eq(r.out[16], 77);
  run_free(&r);
}

Test(limits, a_kernel_without_instructions_can_meet_the_limit) {
  static const char ptx[] =
      ".version 7.1\n.target sm_80\n.address_size 64\n.entry k(.param .u64 a)\n{\n}\n";
  Run r = run_kernel(
      (Setup){.ptx = ptx, .kernel = "k", .grid = {1000, 1, 1}, .block = {64, 1, 1}, .limit = 101});
  run_fault(&r, GPU_FAULT_INSTRUCTION_LIMIT);
  run_free(&r);
}

/* Old text: constants in numbered banks; and a kernel with .param variables of its own. */
Test(builtins, constant_banks_and_params_in_the_body) {
  static const char ptx[] =
      ".version 7.1\n.target sm_80\n.address_size 64\n.const[2] .u32 c[3] = {7, 8, 9};\n"
      ".func (.param .u32 r) twice(.param .u32 a) {\n.reg .u32 x;\nld.param.u32 x, [a];\n"
      "add.u32 x, x, x;\nst.param.u32 [r], x;\nret;\n}\n"
      ".entry k(.param .u64 a)\n{\n.reg .b64 d;\n.reg .b32 r;\n.param .u32 in;\n.param .u32 "
      "out;\nld.param.u64 d, [a];\nld.const[2].u32 r, [c+4];\nst.param.u32 [in], r;\ncall (out), "
      "twice, (in);\nld.param.u32 r, [out];\nst.global.u32 [d], r;\nret;\n}\n";
  Run r = run_kernel((Setup){.ptx = ptx, .kernel = "k"});
  run_expect_clean(&r);
  cr_assert_eq(r.out[0], 16);
  run_free(&r);
}
