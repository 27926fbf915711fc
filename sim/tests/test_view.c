/* What is made of a timed run: accounts of cycles, profiles, traces, stepping. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/harness.h"

/* ---- accounts of cycles --------------------------------------------------------------------- */

static uint64_t sum(const uint64_t *cycles) {
  uint64_t all = 0;
  for (int i = 0; i < GPU_STALL_COUNT; i++) all += cycles[i];
  return all;
}

static gpu_timing expect_whole_accounts(Setup setup) {
  setup.file = "view.cu";
  setup.timing = true;
  Run run = run_kernel(setup);
  gpu_timing t;
  cr_assert_eq(gpu_get_timing(run.dev, &t), GPU_OK);
  cr_assert_gt(t.cycles, 0);
  cr_assert_eq(sum(t.slot_cycles), t.issue_slots, "%s: %llu slots, %llu accounted for",
               setup.kernel, (unsigned long long)t.issue_slots,
               (unsigned long long)sum(t.slot_cycles));
  cr_assert_eq(t.slot_cycles[0], t.issued);
  cr_assert_eq(t.warp_cycles[0], t.issued);
  cr_assert_leq(sum(t.warp_cycles), t.sm_cycles * 64);
  run_free(&run);
  return t;
}

Test(view_accounts, every_issue_slot_is_accounted_for) {
  gpu_timing t = expect_whole_accounts((Setup){.kernel = "mixed", .block = {128, 1, 1}});
  cr_assert_eq(t.sms, 1);
  cr_assert_eq(t.issue_slots, 4 * t.sm_cycles);
}
Test(view_accounts, warps_that_end_early_leave_no_gap) {
  gpu_timing t = expect_whole_accounts((Setup){.kernel = "ragged", .block = {1024, 1, 1}});
  cr_assert_lt(sum(t.warp_cycles), 32 * t.sm_cycles);
}
Test(view_accounts, several_sms_are_accounted_for_each_to_its_own_end) {
  gpu_timing t =
      expect_whole_accounts((Setup){.kernel = "ragged", .grid = {300, 1, 1}, .block = {160, 1, 1}});
  cr_assert_eq(t.sms, 132);
  cr_assert_leq(t.sm_cycles, 132 * t.cycles);
}
Test(view_accounts, blocks_that_follow_one_another_are_accounted_for) {
  expect_whole_accounts((Setup){.kernel = "ragged", .grid = {900, 1, 1}, .block = {1024, 1, 1}});
}
Test(view_accounts, stopped_launch_is_accounted_for) {
  expect_whole_accounts((Setup){.kernel = "ragged", .block = {256, 1, 1}, .limit = 500});
}
Test(view_accounts, every_scheduler_and_model_is_accounted_for) {
  for (int i = 0; gpu_scheduler_name((size_t)i); i++)
    for (int model = GPU_MODEL_STACK; model <= GPU_MODEL_ITS; model++)
      expect_whole_accounts((Setup){.kernel = "mixed",
                                    .block = {512, 1, 1},
                                    .model = (gpu_model)model,
                                    .scheduler = gpu_scheduler_name((size_t)i)});
}

/* What each warp did from its first cycle to its last, seen from a trace. */
typedef struct Spans {
  uint64_t first[64], last[64];
  uint64_t slots;
} Spans;

static void note_span(void *context, const gpu_event *e) {
  Spans *s = context;
  if (!s->last[e->warp]) s->first[e->warp] = e->since;
  if (e->slots) s->last[e->warp] = e->cycle + e->slots;
  s->slots += e->slots;
}

Test(view_accounts, cycles_of_warps_are_those_from_their_start_to_their_end) {
  Spans spans = {0};
  Run run = run_kernel((Setup){.file = "view.cu",
                               .kernel = "ragged",
                               .block = {512, 1, 1},
                               .timing = true,
                               .trace = note_span,
                               .trace_context = &spans});
  gpu_timing t;
  uint64_t cycles = 0;
  gpu_get_timing(run.dev, &t);
  for (int w = 0; w < 16; w++) cycles += spans.last[w] - spans.first[w];
  cr_assert_eq(sum(t.warp_cycles), cycles);
  cr_assert_eq(t.issued, spans.slots);
  run_free(&run);
}
