/* tests/test_kernels.c - what the grader says about kernels that run over arrays: faults with lanes
 * and lines, the first difference, counters. */
#include <criterion/criterion.h>

#include "mutant.h"
#include "run.h"

static const Lab shuffle_lab = {.slug = "shuffle",
                                .folder = "08-shuffle",
                                .files = {"shuffle.cu", "answers.txt"},
                                .file_count = 2};
static const Lab vote_lab = {
    .slug = "vote", .folder = "09-vote", .files = {"vote.cu", "answers.txt"}, .file_count = 2};

/* One test of a mutant, graded as a student sees it. */
static GradeRun run_mutant(const Lab *lab, const char *name, const char *test) {
  char folder[64];
  make_mutant(folder, sizeof folder, lab, name);
  GradeRun run = RUN(lab->slug, folder, "--test", test);
  remove_submission(folder);
  expect_status(&run, 1);
  return run;
}

Test(kernels, a_read_from_a_lane_that_takes_no_part_names_both_lanes_and_the_line) {
  GradeRun run = run_mutant(&shuffle_lab, "absent-lanes-read.diff", "max_of_some");
  expect_text(&run, "lane 2 reads from lane 18, which does not take part");
  expect_text(&run, "int other = __shfl_down_sync(takes_part, v, o);");
  expect_text(&run, "kernel max_of_some, block (0,0,0), thread (34,0,0), warp 1, lane 2");
  expect_text(&run, "max_of_some<<<1, 64>>>(in, out, n = 50)");
  run_end(&run);
}

Test(kernels, a_forgotten_mask_names_the_lanes_and_the_line) {
  GradeRun run = run_mutant(&shuffle_lab, "forgotten-mask.diff", "sum_first");
  expect_text(&run, "mask-mismatch: lanes 0x00000001 execute this with the mask 0xffffffec");
  expect_text(&run, "__shfl_down_sync(v, o, 32)");
  run_end(&run);
}

Test(kernels, a_full_mask_in_an_if_names_the_lanes_that_do_not_come) {
  GradeRun run = run_mutant(&shuffle_lab, "full-mask-in-if.diff", "max_of_some");
  expect_text(&run, "names lanes 0xfffc0000, which do not come to this instruction");
  run_end(&run);
}

Test(kernels, the_first_difference_is_drawn_in_its_warp) {
  GradeRun run = run_mutant(&shuffle_lab, "zero-at-the-edge.diff", "shift_groups");
  expect_text(&run, "shift_groups<<<1, 64>>>(in, out, distance = 4, width = 8), in[i] =");
  expect_text(&run, "out[0], of block 0, thread 0: warp 0, lane 0");
  expect_text(&run, "expected  0\n");
  expect_text(&run, "got       -20\n");
  expect_text(&run, "right     ....####....####....####....####\n");
  expect_text(&run, "wrong     ^^^^    ^^^^    ^^^^    ^^^^");
  run_end(&run);
}

/* The other schedules have to do their work, too. */
Test(kernels, what_fails_in_lockstep_only_says_so) {
  GradeRun run = run_mutant(&vote_lab, "bins-locked.diff", "histogram");
  expect_text(&run, "by a GPU that runs a warp in lockstep (--model stack)");
  run_end(&run);
}

Test(kernels, a_counter_out_of_its_bounds_is_named_with_both_numbers) {
  GradeRun run = run_mutant(&vote_lab, "atomic-each.diff", "append_atomics");
  expect_text(&run, "the result is right, but a counter is out of its bounds");
  expect_text(&run, "expected  at most 32 atomic operations");
  run_end(&run);
}
