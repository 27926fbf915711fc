/* What is made of a timed run: accounts of cycles, profiles, traces, stepping. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/cli_run.h"
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

/* ---- profiles -------------------------------------------------------------------------------- */

static Run profiled(const char *kernel, uint32_t threads, gpu_timing *t) {
  Run run = run_kernel((Setup){.file = "view.cu",
                               .kernel = kernel,
                               .block = {threads, 1, 1},
                               .timing = true,
                               .profile = true});
  cr_assert_eq(run.result, GPU_OK);
  gpu_get_timing(run.dev, t);
  return run;
}

/* The line of the profile that holds `text`. */
static gpu_line line_with(const Run *run, const char *text) {
  gpu_line line;
  for (size_t i = 0; gpu_profile_line(run->dev, i, &line) == GPU_OK; i++) {
    size_t length;
    const char *at = gpu_source_line(run->mod, line.file, line.line, &length);
    if (at && memmem(at, length, text, strlen(text))) return line;
  }
  cr_assert_fail("no line of the profile holds '%s'", text);
  return line;
}

Test(view_profile, lanes_and_passes_of_two_paths) {
  gpu_timing t;
  Run run = profiled("two_paths", 32, &t);
  gpu_line test = line_with(&run, "if (t < 12)"), one = line_with(&run, "out[t] = t; "),
           two = line_with(&run, "out[t] = t + 1;");
  cr_assert_eq(test.diverged, 1);
  cr_assert_eq(test.passes, 1);
  cr_assert_eq(one.lanes, 12 * one.instructions);
  cr_assert_eq(two.lanes, 20 * two.instructions);
  cr_assert_eq(one.requests, 1);
  cr_assert_eq(one.transactions, 2, "12 words are 48 bytes: 2 sectors");
  run_free(&run);
}

/* Warp w goes 40 w times round. */
Test(view_profile, loop_is_passed_as_often_as_warps_go_round) {
  gpu_timing t;
  Run run = profiled("ragged", 128, &t);
  gpu_line loop = line_with(&run, "x = x * 7 + 1");
  cr_assert_eq(loop.passes, 4 + 40 + 80 + 120, "%llu", (unsigned long long)loop.passes);
  run_free(&run);
}

Test(view_profile, lines_add_up_to_the_whole_launch) {
  gpu_timing t;
  Run run = profiled("mixed", 512, &t);
  gpu_line line;
  uint64_t cycles[GPU_STALL_COUNT] = {0}, instructions = 0, lanes = 0;
  for (size_t i = 0; gpu_profile_line(run.dev, i, &line) == GPU_OK; i++) {
    instructions += line.instructions;
    lanes += line.lanes;
    for (int s = 0; s < GPU_STALL_COUNT; s++) cycles[s] += line.cycles[s];
  }
  cr_assert_eq(instructions, run.stats.warp_instructions);
  cr_assert_eq(lanes, run.stats.thread_instructions);
  for (int s = 0; s < GPU_STALL_COUNT; s++)
    cr_assert_eq(cycles[s], t.warp_cycles[s], "%s: %llu in the profile, %llu in all",
                 gpu_stall_name(s), (unsigned long long)cycles[s],
                 (unsigned long long)t.warp_cycles[s]);
  run_free(&run);
}

Test(view_profile, ptx_without_line_numbers_is_profiled_by_its_own_lines) {
  static const char ptx[] = ".version 7.0\n.target sm_80\n.address_size 64\n"
                            ".visible .entry k(.param .u64 out) {\n"
                            "  .reg .u64 %rd<3>;\n"
                            "  ld.param.u64 %rd1, [out];\n"
                            "  st.global.u32 [%rd1], 7;\n"
                            "  ret;\n}\n";
  Run run = run_kernel((Setup){.ptx = ptx, .kernel = "k", .timing = true, .profile = true});
  gpu_line store = line_with(&run, "st.global.u32");
  cr_assert_eq(store.line, 7);
  cr_assert_str_eq(store.file, "test.ptx");
  run_free(&run);
}

/* .file can name anything: nothing is read but what the caller gave. */
Test(view_profile, foreign_file_is_named_and_never_read) {
  static const char ptx[] = ".version 7.0\n.target sm_80\n.address_size 64\n"
                            ".file 1 \"/etc/passwd\"\n"
                            ".visible .entry k(.param .u64 out) {\n"
                            "  .loc 1 1 0\n  ret;\n}\n";
  Run run = run_kernel((Setup){.ptx = ptx, .kernel = "k", .timing = true, .profile = true});
  gpu_line line;
  size_t length;
  cr_assert_eq(gpu_profile_line(run.dev, 0, &line), GPU_OK);
  cr_assert_str_eq(line.file, "/etc/passwd");
  cr_assert_null(gpu_source_line(run.mod, line.file, line.line, &length));
  run_free(&run);
}

Test(view_profile, needs_a_device_that_counts_cycles) {
  Run run = run_kernel((Setup){.file = "view.cu", .kernel = "two_paths"});
  gpu_line line;
  cr_assert_eq(gpu_profile_begin(run.dev), GPU_BAD_INPUT);
  cr_assert_eq(gpu_profile_count(run.dev), 0);
  cr_assert_eq(gpu_profile_line(run.dev, 0, &line), GPU_BAD_INPUT);
  run_free(&run);
}

/* ---- traces ---------------------------------------------------------------------------------- */

static char *whole_file(const char *path) {
  FILE *in = fopen(path, "rb");
  cr_assert(in, "no %s", path);
  char *text = calloc(1, 8 << 20);
  size_t n = fread(text, 1, (8 << 20) - 1, in);
  text[n] = '\0';
  fclose(in);
  return text;
}

static const char hostile[] = ".version 7.0\n.target sm_80\n.address_size 64\n"
                              ".file 1 \"</script><b a=\\\"x\"\n"
                              ".visible .entry k(.param .u64 out) {\n"
                              "  .reg .u64 %rd<3>;\n"
                              "  .loc 1 3 0\n"
                              "  ld.param.u64 %rd1, [out];\n"
                              "  st.global.u32 /* </script>\",\xff */ [%rd1], 7;\n"
                              "  ret;\n}\n";

/* Traces a launch; the file's text is to be freed. */
static char *traced(Setup setup, const char *ending, uint64_t limit) {
  char path[64];
  snprintf(path, sizeof path, "/tmp/warpbook-trace-XXXXXX%s", ending);
  int fd = mkstemps(path, (int)strlen(ending));
  cr_assert(fd >= 0);
  close(fd);
  setup.timing = true;
  setup.trace_file = path;
  setup.trace_limit = limit ? limit : 1000000;
  Run run = run_kernel(setup);
  uint64_t written, all;
  cr_assert_eq(gpu_trace_end(run.dev, &written, &all), GPU_OK, "%s", gpu_last_error(run.dev));
  cr_assert_eq(all, run.stats.warp_instructions);
  cr_assert_eq(written, limit && limit < all ? limit : all);
  run_free(&run);
  char *text = whole_file(path);
  remove(path);
  return text;
}

Test(view_trace, csv_has_a_row_an_instruction) {
  char *csv = traced((Setup){.file = "view.cu", .kernel = "two_paths"}, ".csv", 0);
  size_t rows = 0;
  for (const char *s = csv; *s; s++) rows += *s == '\n';
  Run run = run_kernel((Setup){.file = "view.cu", .kernel = "two_paths", .timing = true});
  cr_assert_eq(rows, 1 + run.stats.warp_instructions);
  expect_has(csv, ",active_lanes,");
  expect_has(csv, ",0x00000fff,12,12,");
  expect_has(csv, ",0xfffff000,20,20,");
  run_free(&run);
  free(csv);
}
Test(view_trace, json_is_valid_and_names_its_rows) {
  char *json =
      traced((Setup){.file = "view.cu", .kernel = "mixed", .block = {128, 1, 1}}, ".json", 0);
  cr_assert(is_json(json), "%s", json);
  expect_has(json, "\"name\":\"process_name\",\"pid\":0,\"tid\":0,\"args\":{\"name\":\"SM 0\"}");
  expect_has(json, "\"name\":\"sub-core 3, warp slot 3\"");
  expect_has(json, "\"cat\":\"stall\",\"name\":\"long_scoreboard\"");
  expect_has(json, "\"cut\":false");
  free(json);
}
Test(view_trace, long_run_is_cut_and_says_so) {
  Setup setup = {.file = "view.cu", .kernel = "ragged", .block = {256, 1, 1}};
  char *json = traced(setup, ".json", 100), *csv = traced(setup, ".csv", 100);
  cr_assert(is_json(json));
  expect_has(json, "\"cut\":true");
  expect_has(csv, "# cut: the first 100 of ");
  free(json);
  free(csv);
}
Test(view_trace, hostile_text_is_escaped) {
  static const char *const endings[] = {".json", ".html", ".csv"};
  for (int i = 0; i < 3; i++) {
    char *text = traced((Setup){.ptx = hostile, .kernel = "k"}, endings[i], 0);
    if (i == 0) cr_assert(is_json(text), "%s", text);
    if (i < 2) cr_assert_not(strstr(text, "</script><b"), "%s", text);
    if (i < 2) cr_assert_not(strchr(text, 0xff), "%s", text);
    if (i == 2) expect_has(text, "</script>\"\",");
    free(text);
  }
}
Test(view_trace, refuses_what_it_cannot_write) {
  Run run = run_kernel((Setup){.file = "view.cu", .kernel = "two_paths", .timing = true});
  uint64_t n;
  cr_assert_eq(gpu_trace_begin(run.dev, "/no/such/folder/t.csv", 1), GPU_BAD_INPUT);
  expect_has(gpu_last_error(run.dev), "/no/such/folder/t.csv");
  cr_assert_eq(gpu_trace_begin(run.dev, "/tmp/t.txt", 1), GPU_BAD_INPUT);
  expect_has(gpu_last_error(run.dev), ".html");
  cr_assert_eq(gpu_trace_end(run.dev, &n, &n), GPU_BAD_INPUT);
  run_free(&run);
}

/* ---- step by step ---------------------------------------------------------------------------- */

static void expect_steps_equal_a_launch(Setup setup) {
  setup.file = "view.cu";
  setup.timing = true;
  Run whole = run_kernel(setup);
  setup.step = true;
  Run steps = run_kernel(setup);
  gpu_timing a, b;
  gpu_get_timing(whole.dev, &a);
  gpu_get_timing(steps.dev, &b);
  cr_assert_eq(whole.result, steps.result);
  // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): the padding of both is zero
  cr_assert_eq(memcmp(&a, &b, sizeof a), 0, "%llu cycles at once, %llu step by step",
               (unsigned long long)a.cycles, (unsigned long long)b.cycles);
  cr_assert_arr_eq(whole.out, steps.out, sizeof whole.out);
  run_free(&whole);
  run_free(&steps);
}

Test(view_step, steps_add_up_to_a_launch) {
  expect_steps_equal_a_launch((Setup){.kernel = "mixed", .block = {256, 1, 1}});
  expect_steps_equal_a_launch(
      (Setup){.kernel = "ragged", .grid = {300, 1, 1}, .block = {96, 1, 1}});
  expect_steps_equal_a_launch(
      (Setup){.kernel = "mixed", .block = {64, 1, 1}, .model = GPU_MODEL_STACK});
  expect_steps_equal_a_launch((Setup){.kernel = "ragged", .block = {64, 1, 1}, .limit = 100});
}

/* A launch of two_paths that stands before the warp's lanes have parted, and what it needs. */
typedef struct Stepping {
  Run run;
  gpu_kernel *kernel;
  gpu_ptr buffer;
  void *args[1];
} Stepping;

static void start_stepping(Stepping *s, gpu_model model) {
  s->run =
      run_kernel((Setup){.file = "view.cu", .kernel = "two_paths", .timing = true, .model = model});
  gpu_module_kernel(s->run.mod, &s->kernel, "two_paths");
  gpu_mem_alloc(s->run.dev, &s->buffer, 4096);
  s->args[0] = &s->buffer;
  cr_assert_eq(
      gpu_launch_begin(s->run.dev, s->kernel, (gpu_dim){1, 1, 1}, (gpu_dim){32, 1, 1}, 0, s->args),
      GPU_OK);
}

Test(view_step, paths_of_a_warp_are_shown_where_they_part) {
  for (int model = GPU_MODEL_STACK; model <= GPU_MODEL_ITS; model++) {
    Stepping s;
    gpu_warp_view w;
    bool done = false;
    start_stepping(&s, (gpu_model)model);
    cr_assert_eq(gpu_warp_count(s.run.dev), 1);
    cr_assert_eq(gpu_warp_at(s.run.dev, 0, &w), GPU_OK);
    cr_assert_eq(w.path_count, 1);
    cr_assert_eq(w.paths[0].mask, 0xffffffffu);
    cr_assert_str_eq(w.paths[0].state, "runs");
    uint32_t seen = 0;
    while (!done && gpu_warp_at(s.run.dev, 0, &w) == GPU_OK) {
      for (size_t i = 0; i < w.path_count; i++)
        if (w.paths[i].mask == 0xfff || w.paths[i].mask == 0xfffff000u) seen |= w.paths[i].mask;
      cr_assert_eq(gpu_step(s.run.dev, &done), GPU_OK);
    }
    cr_assert_eq(seen, 0xffffffffu, "model %d: both paths are seen, not only %08x", model, seen);
    cr_assert_eq(gpu_launch_end(s.run.dev), GPU_OK);
    run_free(&s.run);
  }
}

Test(view_step, registers_are_shown_lane_by_lane) {
  Stepping s;
  gpu_register_view r;
  bool done = false, found = false;
  start_stepping(&s, GPU_MODEL_ITS);
  for (int i = 0; i < 3; i++) gpu_step(s.run.dev, &done);
  for (size_t i = 0; gpu_warp_register(s.run.dev, 0, i, &r) == GPU_OK; i++) {
    bool tid = r.bits == 32;
    for (uint32_t l = 0; l < 32; l++) tid &= r.lanes[l] == l;
    found |= tid;
  }
  cr_assert(found, "no register holds threadIdx.x");
  cr_assert_eq(gpu_launch_end(s.run.dev), GPU_OK, "a launch may be ended before its end");
  run_free(&s.run);
}

Test(view_step, nothing_else_runs_while_a_launch_is_under_way) {
  Stepping s;
  bool done;
  gpu_dim one = {1, 1, 1}, warp = {32, 1, 1};
  start_stepping(&s, GPU_MODEL_ITS);
  cr_assert_eq(gpu_launch(s.run.dev, s.kernel, one, warp, 0, s.args), GPU_BAD_INPUT);
  expect_has(gpu_last_error(s.run.dev), "a launch is under way");
  cr_assert_eq(gpu_launch_end(s.run.dev), GPU_OK);
  cr_assert_eq(gpu_step(s.run.dev, &done), GPU_BAD_INPUT);
  cr_assert_eq(gpu_launch_end(s.run.dev), GPU_BAD_INPUT);
  cr_assert_eq(gpu_warp_count(s.run.dev), 0);
  cr_assert_eq(gpu_launch(s.run.dev, s.kernel, one, warp, 0, s.args), GPU_OK);
  gpu_launch_begin(s.run.dev, s.kernel, one, warp, 0, s.args);
  run_free(&s.run); /* ends it */
}

Test(view_step, needs_a_device_that_counts_cycles) {
  Run run = run_kernel((Setup){.file = "view.cu", .kernel = "two_paths"});
  gpu_kernel *kernel;
  gpu_module_kernel(run.mod, &kernel, "two_paths");
  cr_assert_eq(gpu_launch_begin(run.dev, kernel, (gpu_dim){1, 1, 1}, (gpu_dim){32, 1, 1}, 0, NULL),
               GPU_BAD_INPUT);
  expect_has(gpu_last_error(run.dev), "without timing");
  run_free(&run);
}
