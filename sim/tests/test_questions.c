/* What students ask and get wrong: the right answer under `stack` and under `its`. */
#include <criterion/criterion.h>

#include "tests/harness.h"

#define STACK GPU_MODEL_STACK
#define ITS GPU_MODEL_ITS

static Run ask(const char *kernel, gpu_model model) {
  return run_kernel((Setup){.file = "questions.cu", .kernel = kernel, .model = model});
}

static Run ask_block(const char *kernel, gpu_model model, uint32_t x, uint32_t y, int32_t n) {
  return run_kernel((Setup){
      .file = "questions.cu", .kernel = kernel, .model = model, .block = {x, y, 1}, .n = n});
}

static Run ask_checked(const char *kernel, gpu_model model) {
  return run_kernel(
      (Setup){.file = "questions.cu", .kernel = kernel, .model = model, .check = GPU_CHECK_FULL});
}

/* Runs the test's body under both models, as `model`. */
#define BOTH for (gpu_model model = STACK; model <= ITS; model++)

Test(questions, q01_a_16x16_block_is_8_warps_of_two_rows) {
  BOTH {
    Run r = ask_block("q01_map", model, 16, 16, 0);
    run_expect_clean(&r);
    cr_assert_eq(r.stats.warps, 8);
    for (uint32_t y = 0; y < 16; y++)
      for (uint32_t x = 0; x < 16; x++)
        cr_assert_eq(r.out[y * 16 + x], (y / 2) << 8 | (y % 2 * 16 + x));
    run_free(&r);
  }
}

Test(questions, q02_many_warps_are_resident_at_a_time) {
  BOTH {
    Run r = ask_block("q02_resident", model, 64, 1, 0);
    run_expect_clean(&r);
    for (uint32_t t = 0; t < 64; t++) cr_assert_eq(r.out[t], 63 - t);
    run_free(&r);
  }
}

Test(questions, q03_two_halves_take_two_passes) {
  BOTH {
    Run r = ask("q03_halves", model);
    run_expect_clean(&r);
    cr_assert_eq(r.stats.divergent_branches, 1);
    cr_assert_eq(r.stats.paths, 2);
    cr_assert_eq(r.stats.passes, 2);
    run_free(&r);
  }
}

Test(questions, q04_a_barrier_in_a_branch_is_reported) {
  BOTH {
    Run r = ask_block("q04_barrier_in_if", model, 64, 1, 0);
    cr_assert_eq(r.result, GPU_FAULT);
    gpu_fault_info f = run_fault(&r, GPU_FAULT_BARRIER_DIVERGENCE);
    cr_assert_eq(f.line, 29);
    run_free(&r);
  }
}

Test(questions, q05_a_return_before_a_barrier_is_noted) {
  BOTH {
    Run r = ask_block("q05_early_return", model, 64, 1, 32);
    cr_assert_eq(r.result, GPU_OK);
    cr_assert(run_fault(&r, GPU_FAULT_BARRIER_DIVERGENCE).note);
    for (uint32_t t = 0; t < 64; t++) cr_assert_eq(r.out[t], t < 32);
    run_free(&r);
  }
}

Test(questions, q06_a_spin_lock_completes_under_its) {
  Run r = ask("q06_spin", ITS);
  run_expect_clean(&r);
  cr_assert_eq(r.out[1], 32);
  run_free(&r);
}

Test(questions, q06_a_spin_lock_completes_under_any_schedule) {
  for (uint64_t seed = 1; seed <= 4; seed++) {
    Run r = run_kernel(
        (Setup){.file = "questions.cu", .kernel = "q06_spin", .model = ITS, .seed = seed});
    run_expect_clean(&r);
    cr_assert_eq(r.out[1], 32);
    run_free(&r);
  }
}

Test(questions, q06_a_spin_lock_deadlocks_under_stack) {
  Run r = ask("q06_spin", STACK);
  cr_assert_eq(r.result, GPU_FAULT);
  gpu_fault_info f = run_fault(&r, GPU_FAULT_DEADLOCK);
  cr_assert_eq(f.line, 42);
  cr_assert_eq(f.active_mask, 0xfffffffe);
  run_free(&r);
}

Test(questions, q06_unlocking_inside_the_loop_works_under_both) {
  BOTH {
    Run r = ask("q06_spin_safe", model);
    run_expect_clean(&r);
    cr_assert_eq(r.out[1], 32);
    run_free(&r);
  }
}

Test(questions, q07_a_mask_does_not_filter_a_caller_outside_is_reported) {
  BOTH {
    Run r = ask("q07_mask_filter", model);
    gpu_fault_info f = run_fault(&r, GPU_FAULT_MASK_MISMATCH);
    cr_assert_eq(f.lane, 16);
    run_free(&r);
  }
}

Test(questions, q08_shfl_up_stays_in_its_segment) {
  BOTH {
    Run r = ask("q08_up_segment", model);
    run_expect_clean(&r);
    cr_assert_eq(r.out[8], 108);
    cr_assert_eq(r.out[12], 108);
    cr_assert_eq(r.out[15], 111);
    run_free(&r);
  }
}

Test(questions, q09_a_forgotten_mask_compiles_and_is_reported) {
  BOTH {
    Run r = ask("q09_forgotten_mask", model);
    cr_assert(run_has(&r, GPU_FAULT_MASK_MISMATCH));
    run_free(&r);
  }
}

Test(questions, q10_a_full_mask_inside_a_branch_is_reported) {
  BOTH {
    Run r = ask("q10_full_mask_in_if", model);
    gpu_fault_info f = run_fault(&r, GPU_FAULT_MASK_MISMATCH);
    cr_assert_eq(f.active_mask, 0x0000ffff);
    run_free(&r);
    r = ask("q10_ballot_before", model);
    run_expect_clean(&r);
    cr_assert_eq(r.out[4], 5);
    cr_assert_eq(r.out[20], 20);
    run_free(&r);
  }
}

Test(questions, q11_a_ballot_with_a_full_mask_inside_a_branch_is_reported) {
  BOTH {
    Run r = ask("q11_ballot_in_if", model);
    cr_assert(run_has(&r, GPU_FAULT_MASK_MISMATCH));
    run_free(&r);
  }
}

Test(questions, q12_activemask_may_miss_lanes_that_have_not_reconverged) {
  Run r = ask("q12_activemask", STACK);
  for (int l = 0; l < 32; l++) cr_assert_eq(r.out[l], 0xffffffff);
  run_free(&r);
  bool missed = false;
  for (uint64_t seed = 1; seed < 20 && !missed; seed++) {
    r = run_kernel(
        (Setup){.file = "questions.cu", .kernel = "q12_activemask", .model = ITS, .seed = seed});
    for (int l = 0; l < 32; l++) missed = missed || r.out[l] != 0xffffffff;
    run_free(&r);
  }
  cr_assert(missed, "no adversarial schedule split the warp");
}

Test(questions, q13_memory_between_lanes_needs_syncwarp) {
  Run r = ask_checked("q13_no_syncwarp", ITS);
  cr_assert_eq(r.result, GPU_FAULT);
  cr_assert(!run_fault(&r, GPU_FAULT_RACE).note);
  run_free(&r);
  r = ask_checked("q13_no_syncwarp", STACK); /* lockstep orders it, and nothing else does */
  cr_assert_eq(r.result, GPU_OK);
  cr_assert(run_fault(&r, GPU_FAULT_RACE).note);
  run_free(&r);
  BOTH {
    r = ask_checked("q13_syncwarp", model);
    run_expect_clean(&r);
    cr_assert_eq(r.out[4], 25);
    run_free(&r);
  }
}

Test(questions, q13_an_adversarial_schedule_shows_the_wrong_value) {
  bool wrong = false;
  for (uint64_t seed = 1; seed < 40 && !wrong; seed++) {
    Run r = run_kernel(
        (Setup){.file = "questions.cu", .kernel = "q13_no_syncwarp", .model = ITS, .seed = seed});
    for (uint32_t l = 0; l < 32; l++) wrong = wrong || r.out[l] != (l ^ 1) * 5;
    run_free(&r);
    r = run_kernel(
        (Setup){.file = "questions.cu", .kernel = "q13_syncwarp", .model = ITS, .seed = seed});
    run_expect_clean(&r);
    for (uint32_t l = 0; l < 32; l++) cr_assert_eq(r.out[l], (l ^ 1) * 5);
    run_free(&r);
  }
  cr_assert(wrong);
}

Test(questions, q14_a_published_pointer_needs_syncwarp) {
  Run r = ask_checked("q14_pointer", ITS);
  cr_assert(run_has(&r, GPU_FAULT_RACE));
  run_free(&r);
  BOTH {
    r = ask_checked("q14_pointer_synced", model);
    run_expect_clean(&r);
    for (int l = 0; l < 32; l++) cr_assert_eq(r.out[l], 1);
    run_free(&r);
  }
}

Test(questions, q15_warps_of_a_block_are_a_ceiling) {
  BOTH {
    Run r = ask_block("q15_ceiling", model, 257, 1, 0);
    cr_assert_eq(r.stats.warps, 9);
    cr_assert_eq(r.out[7], 0xffffffff);
    cr_assert_eq(r.out[8], 1);
    run_free(&r);
  }
}

Test(questions, q16_after_shfl_down_only_lane_0_has_the_total) {
  BOTH {
    Run r = ask("q16_sums", model);
    run_expect_clean(&r);
    cr_assert_eq(r.out[0], 496);
    cr_assert_neq(r.out[1], 496);
    for (int l = 0; l < 32; l++) cr_assert_eq(r.out[32 + l], 496);
    run_free(&r);
  }
}

Test(questions, q20_384_threads_fill_12_warps) {
  BOTH {
    Run r = ask_block("q15_ceiling", model, 384, 1, 0);
    cr_assert_eq(r.stats.warps, 12);
    cr_assert_eq(r.out[11], 0xffffffff);
    run_free(&r);
  }
}

Test(questions, q22_lanes_of_an_8x4_block_follow_the_linear_id) {
  BOTH {
    Run r = ask_block("q22_linear", model, 8, 4, 0);
    for (uint32_t t = 0; t < 32; t++) cr_assert_eq(r.out[t], t);
    run_free(&r);
  }
}
