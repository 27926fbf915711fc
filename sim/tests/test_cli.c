/* The command line: what it prints, where, and its exit status. */
#include <criterion/criterion.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/cli_run.h"

#define USAGE 2

/* Runs, checks the status, and that stdout and stderr hold these parts (NULL: are empty). */
static void check(const char *arguments, int status, const char *out, const char *err) {
  CliRun run = cli_run("%s", arguments);
  cr_assert_eq(run.status, status, "warpsim %s: status %d, not %d\n%s%s", arguments, run.status,
               status, run.out, run.err);
  if (out)
    expect_has(run.out, out);
  else
    cr_assert_str_empty(run.out, "stdout of warpsim %s:\n%s", arguments, run.out);
  if (err)
    expect_has(run.err, err);
  else
    cr_assert_str_empty(run.err, "stderr of warpsim %s:\n%s", arguments, run.err);
  cli_free(&run);
}

static void check_json(const char *arguments, int status, const char *part) {
  CliRun run = cli_run("%s", arguments);
  cr_assert_eq(run.status, status, "%s", run.err);
  cr_assert(is_json(run.out), "not JSON:\n%s", run.out);
  expect_has(run.out, part);
  cli_free(&run);
}

/* ---- commands and options ------------------------------------------------------------------ */

Test(cli, no_command_shows_the_commands_and_fails) {
  check("", USAGE, "usage: warpsim COMMAND", NULL);
}
Test(cli, help_lists_commands_and_topics) {
  check("help", 0, "warps       show how a block is cut into warps", NULL);
  check("--help", 0, "faults      the mistakes", NULL);
}
Test(cli, help_on_a_command_lists_its_options) {
  check("help run", 0, "--kernel NAME", NULL);
  check("batch --help", 0, "--filter PATTERN", NULL);
}
Test(cli, help_on_faults_names_every_kind) {
  check("help faults", 0, "mask-mismatch", NULL);
  check("help faults", 0, "deadlock ", NULL);
}
Test(cli, help_has_the_grammar_of_arguments) { check("help args", 0, "chain:STRIDE", NULL); }
Test(cli, every_topic_has_text) {
  static const char *const topics[] = {"args",   "faults", "models", "checks",    "counts",
                                       "status", "run",    "batch",  "occupancy", "ops"};
  for (size_t i = 0; i < sizeof topics / sizeof *topics; i++) {
    CliRun run = cli_run("help %s", topics[i]);
    cr_assert_eq(run.status, 0);
    cr_assert_gt(strlen(run.out), 60, "help %s is too short", topics[i]);
    cli_free(&run);
  }
}
Test(cli, misspelt_command_suggests_the_right_one) {
  check("wraps", USAGE, NULL, "there is no command 'wraps'; did you mean 'warps'?");
}
Test(cli, misspelt_topic_suggests_the_right_one) {
  check("help fault", USAGE, NULL, "did you mean 'faults'?");
}
Test(cli, misspelt_option_suggests_the_right_one) {
  check("run x.cu --kernal k", USAGE, NULL,
        "there is no option '--kernal'; did you mean '--kernel'?");
}
Test(cli, option_of_another_command_is_refused) {
  check("warps --kernel k", USAGE, NULL, "warps takes no option --kernel");
}
Test(cli, option_without_its_value_is_refused) {
  check("warps --block", USAGE, NULL, "--block needs a value: --block X[,Y[,Z]]");
}
Test(cli, flag_with_a_value_is_refused) {
  check("warps --block 32 --json=yes", USAGE, NULL, "--json takes no value");
}
Test(cli, value_may_follow_an_equals_sign) { check("warps --block=48", 0, "2 warps", NULL); }
Test(cli, word_too_many_is_refused) {
  check("warps --block 32 extra", USAGE, NULL, "'extra' is one word too many");
}
Test(cli, choices_are_listed) {
  check("run x.cu --block 1 --model simt", USAGE, NULL, "--model: 'simt' is not one of stack its");
  check("run x.cu --block 1 --opt o2", USAGE, NULL, "did you mean 'O2'?");
}
Test(cli_step, keys_move_through_the_kernel) {
  CliRun run =
      cli_run("step ../kernels/view.cu --kernel two_paths --block 32 --script nllq out:u32:32");
  cr_assert_eq(run.status, 0, "%s", run.err);
  expect_has(run.out,
             "n cycle  i instruction  l line  c end  wW warp  jk registers  > lanes  q quit\n");
  expect_has(run.out, "   if (t < 12)");
  expect_has(run.out, "path 0  ");
  expect_has(run.out, "############....................");
  expect_has(run.out, "> SM 0 core 0  block 0 warp 0  ");
  expect_has(run.out, "lane                 0       1       2");
  cli_free(&run);
}
Test(cli_step, screens_are_24_lines_of_80_columns) {
  CliRun run =
      cli_run("step ../kernels/view.cu --kernel mixed --block 256 --script '>jwq' out:u32:256");
  int lines = 0, screens = 0, column = 0;
  for (const char *c = run.out; *c && screens < 4; c++) {
    column = *c == '\n' ? 0 : column + 1;
    cr_assert_leq(column, 80, "%.100s", c - 80);
    lines += *c == '\n';
    if (column == 80 && strncmp(c - 79, "----------", 10) == 0) screens++;
  }
  cr_assert_eq(screens, 4);
  cr_assert_eq(lines, 4 * 24 + 3);
  cli_free(&run);
}
Test(cli_step, keys_may_come_from_standard_input_and_a_summary_follows) {
  CliRun run = cli_run("step kernels.cu --kernel split --block 32 out:i32:32 </dev/null");
  expect_has(run.out, "warp instructions ");
  cli_free(&run);
  run = cli_run("step kernels.cu --kernel split --block 32 --values --script c out:i32:32");
  expect_has(run.out, "- the kernel has ended\n");
  expect_has(run.out, "0: 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 2 2 ");
  cli_free(&run);
  check("step kernels.cu --kernel too_far --block 32 --script c out:i32:32", 1, "kernel ",
        "out-of-bounds");
}
Test(cli, schedulers_are_listed) {
  check("run x.cu --block 1 --scheduler lr", USAGE, NULL, "there is no scheduler 'lr': one of lrr");
  check("run x.cu --block 1 --switch-cost x", USAGE, NULL, "'x' is not a number of cycles");
}
Test(cli, ops_lists_instructions_with_their_unit) {
  check("ops", 0, "shfl                         warp", NULL);
  check_json("ops --json", 0, "{\"name\":\"add\",\"supported\":true,\"unit\":\"fma\"");
}

/* ---- warps --------------------------------------------------------------------------------- */

Test(cli_warps, block_of_128_is_4_full_warps) {
  check("warps --block 128", 0, "128 threads is 4 warps.", NULL);
}
Test(cli_warps, block_of_257_is_9_warps_the_last_with_one_lane) {
  check("warps --block 257", 0, "9 warps; 31 lanes of the last one are idle", NULL);
  check("warps --block 257", 0,
        "   8    256   256  T(0,0,256)      T(0,0,256)           1    31  0x00000001", NULL);
}
Test(cli_warps, block_of_48_draws_16_idle_lanes) {
  check("warps --block 48", 0, "warp  1  ################................\n", NULL);
}
Test(cli_warps, two_rows_of_a_16x16_block_are_one_warp) {
  check("warps --block 16,16", 0,
        "   1     32    63  T(0,2,0)        T(0,3,15)           32     0  0xffffffff", NULL);
}
Test(cli_warps, grid_gives_the_total) {
  check("warps --block 256 --grid 3", 0, "3 blocks has 24 warps, 768 threads, 0 idle lanes", NULL);
}
Test(cli_warps, picture_is_plain_ascii_when_it_is_no_terminal) {
  CliRun run = cli_run("warps --block 7,9,11");
  for (const char *s = run.out; *s; s++) cr_assert((unsigned char)*s < 0x80);
  cli_free(&run);
}
Test(cli_warps, tsv_has_a_row_a_lane) {
  CliRun run = cli_run("warps --block 5,7,3 --tsv");
  int lines = 0;
  for (const char *s = run.out; *s; s++) lines += *s == '\n';
  cr_assert_eq(lines, 2 + 4 * 32);
  expect_has(run.out, "1\t3\t35\t0\t0\t1\t1\n");
  expect_has(run.out, "3\t9\t105\tNaN\tNaN\tNaN\t0\n");
  cli_free(&run);
}
Test(cli_warps, json_is_valid) {
  check_json("warps --block 31,31 --grid 2,2 --json", 0, "\"total_warps\":124");
}
Test(cli_warps, too_large_a_block_is_refused) {
  check("warps --block 33,32", USAGE, NULL, "1056 threads; a block has at most 1024");
  check("warps --block 1,1,65", USAGE, NULL, "at most 1024 x 1024 x 64");
  check("warps --block 65536,65536", USAGE, NULL, "a block is at most");
}
Test(cli_warps, bad_numbers_are_refused) {
  check("warps --block 0", USAGE, NULL, "0 is too small");
  check("warps --block 8,", USAGE, NULL, "'' is not a whole number");
  check("warps --block 1,2,3,4", USAGE, NULL, "more than three numbers");
  check("warps --block -5", USAGE, NULL, "'-5' is not a whole number");
  check("warps --block 99999999999999999999", USAGE, NULL, "is not a whole number");
  check("warps", USAGE, NULL, "--block is missing");
}

/* ---- arguments ----------------------------------------------------------------------------- */

static void refuse(const char *argument, const char *message) {
  char words[512];
  snprintf(words, sizeof words, "run copy.ptx --kernel copy4 --block 4 %s out:u32:4", argument);
  check(words, USAGE, NULL, message);
}

Test(cli_args, caret_points_at_a_wrong_type) {
  refuse("buf:i33:4:zero", "argument 1: 'i33' is not a type; did you mean 'i32'?\n"
                           "  buf:i33:4:zero\n"
                           "      ^~~\n"
                           "  types: i8 u8 i16 u16 i32 u32 i64 u64 f16 bf16 f32 f64\n");
}
Test(cli_args, caret_points_at_a_wrong_generator) {
  refuse("buf:i32:4:lgc:3", "'lgc' is not a generator; did you mean 'lcg'?\n"
                            "  buf:i32:4:lgc:3\n"
                            "            ^~~\n");
}
Test(cli_args, caret_points_at_a_wrong_list_element) {
  refuse("buf:u8:4:list:1,x,2",
         "'x' is not an integer\n  buf:u8:4:list:1,x,2\n                  ^\n");
}
Test(cli_args, wrong_parts_are_refused) {
  refuse("foo:3", "'foo' does not begin an argument");
  refuse("i32", "a scalar is TYPE:VALUE");
  refuse("i32:", "a value of type i32 is missing here");
  refuse("i8:256", "256 does not fit into i8");
  refuse("u8:-129", "-129 does not fit into u8");
  refuse("u64:18446744073709551616", "does not fit");
  refuse("f32:1.5x", "'1.5x' is not a number");
  refuse("i32:1.5", "'1.5' is not an integer");
  refuse("out:f32", "the number of elements is missing");
  refuse("out", "a type is missing");
  refuse("out:f32:0", "at least 1");
  refuse("out:f32:-1", "must be a whole number");
  refuse("out:f32:4:zero", "buf:TYPE:N:GEN:out");
  refuse("buf:f32:4:zero:", "takes nothing after it");
  refuse("buf:f32:4:mod:0", "at least 1");
  refuse("buf:f32:4:lcg:", "the SEED");
  refuse("buf:f32:4:lcg:1,0", "the MOD");
  refuse("buf:f32:4:chain", "the STRIDE");
  refuse("buf:f32:4:list:", "is missing here");
  refuse("buf:f32:4:file:", "the name of a file is missing");
  refuse("buf:f32:4:file:/no/such/file", "cannot open '/no/such/file'");
  refuse("buf:f32:4:file:copy.ptx", "but 4 elements of f32 are 16 bytes");
  refuse("cyc:3", "nothing follows cyc");
  refuse("''", "it is empty");
}
Test(cli_args, absurd_sizes_are_refused) {
  refuse("buf:u32:9223372036854775807:zero", "too many");
  refuse("buf:u32:1000000000000:iota", "buf:u32:1000000000000:iota: ");
}

/* What `argument` (a buffer of 16 bytes) makes of the elements, as values.tsv shows it. */
static void expect_values(const char *argument, const char *type, const char *values) {
  char row[256];
  CliRun run =
      cli_run("run copy.ptx --kernel copy4 --block 4 --json --values %s:out out:u32:4", argument);
  cr_assert_eq(run.status, 0, "%s", run.err);
  snprintf(row, sizeof row, "{\"buffer\":0,\"type\":\"%s\",", type);
  expect_has(run.out, row);
  snprintf(row, sizeof row, "\"values\":[%s]}", values);
  expect_has(run.out, row);
  cli_free(&run);
}

Test(cli_args, generators_fill_integers) {
  expect_values("buf:u32:4:zero", "u32", "0,0,0,0");
  expect_values("buf:u32:4:iota", "u32", "0,1,2,3");
  expect_values("buf:i32:4:const:-7", "i32", "-7,-7,-7,-7");
  expect_values("buf:u32:4:mod:3", "u32", "0,1,2,0");
  expect_values("buf:u32:4:chain:3", "u32", "3,0,1,2");
  expect_values("buf:u32:4:list:5,6,0x10", "u32", "5,6,16,5");
}
/* s = 7: 1664525 * 7 + 1013904223 = 1025555898, and so on; u = s >> 8. */
Test(cli_args, lcg_is_the_documented_generator) {
  uint32_t s = 7, u[4];
  char expected[128];
  for (int i = 0; i < 4; i++) u[i] = (s = s * 1664525u + 1013904223u) >> 8;
  snprintf(expected, sizeof expected, "%u,%u,%u,%u", u[0], u[1], u[2], u[3]);
  expect_values("buf:u32:4:lcg:7", "u32", expected);
  snprintf(expected, sizeof expected, "%u,%u,%u,%u", u[0] % 10, u[1] % 10, u[2] % 10, u[3] % 10);
  expect_values("buf:i32:4:lcg:7,10", "i32", expected);
  expect_values("buf:f32:4:lcg:7,10", "f32", expected);
  snprintf(expected, sizeof expected, "%.8g", u[0] / 16777216.0);
  CliRun run = cli_run("run copy.ptx --kernel copy4 --block 4 --json --values buf:f32:4:lcg:7:out "
                       "out:f32:4");
  double first = strtod(strstr(run.out, "\"values\":[") + 10, NULL);
  cr_assert_eq((float)first, (float)(u[0] / 16777216.0));
  cli_free(&run);
}
Test(cli_args, every_type_holds_its_values) {
  expect_values("buf:i8:16:const:0xff", "i8", "-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1");
  expect_values("buf:u8:16:list:-1,7", "u8", "255,7,255,7,255,7,255,7,255,7,255,7,255,7,255,7");
  expect_values("buf:i16:8:iota", "i16", "0,1,2,3,4,5,6,7");
  expect_values("buf:u16:8:const:65535", "u16", "65535,65535,65535,65535,65535,65535,65535,65535");
  expect_values("buf:i64:2:const:-5", "i64", "-5,-5");
  expect_values("buf:u64:2:const:-1", "u64", "18446744073709551615,18446744073709551615");
  expect_values("buf:f64:2:list:0.1,-2.5e300", "f64", "0.1,-2.5e+300");
  expect_values("buf:f32:4:list:0.1,inf,nan,0x1p-149", "f32", "0.1,\"inf\",\"nan\",1e-45");
  expect_values("buf:f16:8:list:1,65504,65520,6e-8,2049,-0.1,0,0.33333", "f16",
                "1,6.55e+04,\"inf\",6e-08,2048,-0.1,0,0.3333");
  expect_values("buf:bf16:8:list:1,3.14159,1e39,-2,0.5,256,257,1e-40", "bf16",
                "1,3.14,\"inf\",-2,0.5,256,256,9e-41");
}
Test(cli_args, file_gives_raw_bytes) {
  char path[] = "/tmp/warpsim-test-XXXXXX", argument[128];
  int fd = mkstemp(path);
  FILE *f = fdopen(fd, "w");
  uint32_t words[4] = {1, 2, 3, 0xffffffffu};
  fwrite(words, sizeof words, 1, f);
  fclose(f);
  snprintf(argument, sizeof argument, "buf:u32:4:file:%s", path);
  expect_values(argument, "u32", "1,2,3,4294967295");
  remove(path);
}

/* ---- run ----------------------------------------------------------------------------------- */

#define SCALE "run kernels.cu --kernel scale --grid 2 --block 64 "

Test(cli_run, summary_says_what_the_warps_did) {
  CliRun run = cli_run(SCALE "buf:f32:128:iota out:f32:128 f32:2 i32:100");
  cr_assert_eq(run.status, 0, "%s", run.err);
  expect_has(run.out, "kernel     scale");
  expect_has(run.out, "warps                             4   2 a block\n");
  expect_has(run.out, "divergent branches                1 ");
  expect_has(run.out, "divergent warps                   1   of 4\n");
  expect_has(run.out, "SIMD efficiency ");
  cli_free(&run);
}
Test(cli_run, divergence_puts_functions_of_a_file_in_the_models_place) {
  check("run kernels.cu --kernel split --block 32 --model stack --divergence "
        "../policy/stack.cu:stack "
        "out:i32:32",
        0, "replaced by ../policy/stack.cu:stack", NULL);
  check("run kernels.cu --kernel split --block 32 --divergence ../policy/wrong.cu:together "
        "out:i32:32",
        1, "stopped by a fault", "together_next chooses lanes that are at different places");
  check("run kernels.cu --kernel split --block 32 --divergence stack.cu out:i32:32", 2, NULL,
        "--divergence takes FILE:PREFIX, as in reconverge.cu:stack, not 'stack.cu'");
}

Test(cli_run, timed_run_shows_metrics_and_both_accounts) {
  CliRun run = cli_run(SCALE "buf:f32:128:iota out:f32:128 f32:2 i32:128");
  expect_has(run.out, "\ncycles    ");
  expect_has(run.out, "smsp__issue_active.avg.pct_of_peak_sustained_active\n");
  expect_has(run.out,
             "sectors a request                              4.00    l1tex__average_t_sectors");
  expect_has(run.out, "registers a thread, estimated ");
  expect_has(run.out, "waits for global or local memory\n");
  cli_free(&run);
}
Test(cli_run, timed_json_has_metrics_and_both_accounts) {
  const char *run = SCALE "--json buf:f32:128:iota out:f32:128 f32:2 i32:128";
  check_json(run, 0, "\"l1tex__t_sectors_pipe_lsu.sum\":32,");
  check_json(run, 0, "\"warp_cycles\":{\"selected\":");
  check_json(run, 0, "\"slot_cycles\":{\"selected\":");
}
Test(cli_run, functional_run_has_no_cycles) {
  const char *run = SCALE "--functional buf:f32:128:iota out:f32:128 f32:2 i32:128";
  check(run, 0, "clock64() counts warp instructions issued", NULL);
  CliRun json = cli_run("%s --json", run);
  expect_has(json.out, "\"cycles\":0,\"clock_unit\":\"warp instructions issued\",");
  cr_assert_not(strstr(json.out, "metrics"));
  cli_free(&json);
}
Test(cli_run, scheduler_puts_a_function_of_a_file_in_its_place) {
  check("run kernels.cu --kernel split --block 64 --scheduler ../scheduler/builtin.cu:gto "
        "out:i32:64",
        0, "cycles ", NULL);
  check("run kernels.cu --kernel split --block 64 --scheduler ../scheduler/wrong.cu:beyond "
        "out:i32:64",
        1, "stopped by a fault", "the scheduler beyond answers 4");
  check("run kernels.cu --kernel split --block 64 --scheduler ../scheduler/wrong.cu: out:i32:64", 2,
        NULL, "--scheduler takes a name, or FILE:FUNCTION");
  check("run kernels.cu --kernel split --block 64 --functional --scheduler "
        "../scheduler/builtin.cu:gto out:i32:64",
        2, NULL, "the device was made without timing");
  check("help schedulers", 0, "greedy, then oldest", NULL);
}

Test(cli_batch, scheduler_of_a_file_times_every_case) {
  check("batch cases.tsv --module copy.ptx --filter copy/float --timing - --scheduler "
        "../scheduler/builtin.cu:lrr",
        0, "span_min", "1 case: 1 done");
  check("batch cases.tsv --module copy.ptx --filter copy/float --timing - --scheduler "
        "../scheduler/wrong.cu:lazy",
        1, "# copy/float: bad-callback", "has let eligible warps wait");
}

Test(cli_run, profile_shows_the_source_line_by_line) {
  CliRun run = cli_run("run kernels.cu --kernel split --block 32 --profile out:i32:32");
  expect_has(run.out, "cycles  executed   passes  lanes   parted per acc.  waits most for");
  expect_has(run.out, "|   if (threadIdx.x < 16)\n");
  expect_has(run.out, " |   else\n");
  cli_free(&run);
  check_json("run kernels.cu --kernel split --block 32 --profile --json out:i32:32", 0,
             "\"text\":\"  if (threadIdx.x < 16)\",");
}
Test(cli_run, trace_is_written_and_says_what_was_cut) {
  check("run kernels.cu --kernel split --block 32 --trace /tmp/warpsim-test.csv --trace-limit 5 "
        "out:i32:32",
        0, "cycles ", "/tmp/warpsim-test.csv holds the first 5 of ");
  remove("/tmp/warpsim-test.csv");
  check("run kernels.cu --kernel split --block 32 --trace t.txt out:i32:32", USAGE, NULL,
        "the ending says what a trace is");
  check("run kernels.cu --kernel split --block 32 --functional --profile out:i32:32", USAGE, NULL,
        "--profile and --trace need cycles: leave out --functional");
}
Test(cli_run, values_shows_output_buffers) {
  CliRun run = cli_run(SCALE "--values buf:f32:128:iota out:f32:128 f32:0.5 i32:128");
  expect_has(run.out, "buffer 1  out:f32:128  128 elements\n       0: 0 0.5 1 1.5 2 ");
  cr_assert_not(strstr(run.out, "buffer 0"));
  cli_free(&run);
}
Test(cli_run, json_is_valid_and_escaped) {
  check_json("run kernels.cu --kernel hello --block 1 --json i32:5", 0,
             "\"printf\":\"n = \\\"5\\\"\\n\"");
  check_json("run kernels.cu --kernel split --block 32 --json out:i32:32", 0,
             "\"divergent_branches\":1,\"paths\":2,\"passes\":2,\"divergent_warps\":1");
}
Test(cli_run, printf_comes_before_the_summary) {
  CliRun run = cli_run("run kernels.cu --kernel hello --block 2 i32:5");
  static const char start[] = "n = \"5\"\nn = \"5\"\n\nkernel     hello";
  cr_assert_eq(strncmp(run.out, start, sizeof start - 1), 0, "%s", run.out);
  cli_free(&run);
}
Test(cli_run, fault_is_reported_on_stderr_with_its_line) {
  CliRun run = cli_run("run kernels.cu --kernel too_far --block 32 out:i32:32");
  cr_assert_eq(run.status, 1, "%s", run.err);
  expect_has(run.err, "out-of-bounds");
  expect_has(run.err, "kernels.cu:");
  expect_has(run.err, "^");
  expect_has(run.out, "warp instructions");
  cli_free(&run);
}
Test(cli_run, fault_is_in_the_json) {
  check_json("run kernels.cu --kernel too_far --block 32 --json out:i32:32", 1,
             "\"faults\":[{\"kind\":\"out-of-bounds\"");
}
Test(cli_run, endless_kernel_stops_at_the_limit) {
  check("run kernels.cu --kernel forever --block 32 --limit 1000 out:i32:1", 1, "kernel ",
        "instruction-limit");
}
Test(cli_run, clocks_are_summed_up) {
  check("run kernels.cu --kernel clocks --block 64 cyc out:f32:64", 0, "clock span ", NULL);
}
Test(cli_run, the_only_kernel_needs_no_name_but_several_do) {
  check("run copy.ptx --block 32", USAGE, NULL,
        "the module has 2 kernels; choose one with --kernel: copy4 nothing");
}
Test(cli_run, missing_kernel_names_those_that_are_there) {
  check("run copy.ptx --kernel copy5 --block 4", USAGE, NULL, "copy4");
}
Test(cli_run, missing_file_is_named) {
  check("run no-such.ptx --block 4", USAGE, NULL, "no-such.ptx");
  check("run no-such.cu --block 4", USAGE, NULL, "no-such.cu");
}
Test(cli_run, wrong_number_of_arguments_lists_the_parameters) {
  check("run copy.ptx --kernel copy4 --block 4 out:u32:4", USAGE, NULL,
        "kernel 'copy4' takes 2 arguments, but 1 is given\n"
        "  parameter 1: 8 bytes (a buffer, i64, u64, f64)\n");
}
Test(cli_run, argument_of_the_wrong_size_is_refused) {
  check("run copy.ptx --kernel copy4 --block 4 i32:3 out:u32:4", USAGE, NULL,
        "argument 1 has 4 bytes, but parameter 1 of kernel 'copy4' has 8");
}
Test(cli_run, missing_block_is_asked_for) {
  check("run copy.ptx --kernel nothing", USAGE, NULL, "--block is missing");
}
Test(cli_run, too_large_a_block_is_refused) {
  check("run copy.ptx --kernel nothing --block 1025", USAGE, NULL, "1024");
}
Test(cli_run, too_much_shared_memory_is_refused) {
  check("run copy.ptx --kernel nothing --block 32 --shared 9999999", USAGE, NULL, "shared memory");
}
Test(cli_run, unknown_architecture_is_refused) {
  check("run copy.ptx --kernel nothing --block 32 --arch h900", USAGE, NULL, "h900");
}
Test(cli_run, malformed_ptx_gets_line_and_caret) {
  check("run broken.ptx --block 1", USAGE, NULL, "broken.ptx:7:3: error: ");
  check("run broken.ptx --block 1", USAGE, NULL, "^");
}
Test(cli_run, malformed_cuda_gets_its_line) {
  check("run broken.cu --block 1", USAGE, NULL, "broken.cu:3:");
}
Test(cli_run, both_models_run) {
  check("run copy.ptx --kernel nothing --block 32 --model stack", 0, "warps ", NULL);
  check("run copy.ptx --kernel nothing --block 32 --model its --schedule random:5", 0, "warps ",
        NULL);
}

/* ---- architectures and occupancy ----------------------------------------------------------- */

Test(cli_archs, list_has_the_measured_gpu) {
  check("archs", 0, "h200            9.0   132          4     64      32  its    NVIDIA H200",
        NULL);
  check_json("archs --json", 0, "\"name\":\"textbook\",");
}
Test(cli_archs, one_shows_every_value_and_its_source) {
  check("archs h200", 0, "  max_warps_per_sm           = 64             warps\n", NULL);
  check("archs h200", 0, "      source: ", NULL);
  check_json("archs p100 --json", 0, "\"key\":\"divergence\",\"value\":\"stack\"");
}
Test(cli_archs, misspelt_name_suggests_the_right_one) {
  check("archs h20", USAGE, NULL, "there is no architecture 'h20'");
}

Test(cli_occupancy, shows_each_step_and_the_limit) {
  CliRun run = cli_run("occupancy --arch h200 --regs 37 --block 257 --shared 5000");
  cr_assert_eq(run.status, 0, "%s", run.err);
  expect_has(run.out, "1184 rounded up to a multiple of 256 = 1280");
  expect_has(run.out, "5 blocks of 9 warps an SM: 45 of 64 warps, occupancy 70.3%\n");
  expect_has(run.out, "limited by registers\n");
  cli_free(&run);
}
Test(cli_occupancy, json_is_valid) {
  check_json("occupancy --arch h200 --regs 37 --block 257 --json", 0, "\"limiting\":\"registers\"");
}
Test(cli_occupancy, block_may_have_three_sides) {
  check("occupancy --regs 32 --block 16,16", 0, "8 blocks of 8 warps", NULL);
}
Test(cli_occupancy, launch_that_cannot_be_says_so) {
  check("occupancy --regs 255 --block 1024", 0, "not even one block fits", NULL);
}
Test(cli_occupancy, missing_things_are_asked_for) {
  check("occupancy --regs 32", USAGE, NULL, "--block is missing");
  check("occupancy --block 32", USAGE, NULL, "--regs is missing");
  check("occupancy --block 32 --regs 32 --arch h900", USAGE, NULL, "no architecture 'h900'");
  check("occupancy --table nope.tsv", USAGE, NULL, "cannot open 'nope.tsv'");
}
Test(cli_occupancy, table_gets_two_more_columns) {
  check("occupancy --table ../hardware/occupancy-oracle.tsv", 0,
        "limiting_factors\tblocks_per_sm\tlimiting_factors\n", NULL);
  CliRun run = cli_run("occupancy --table ../hardware/occupancy-oracle.tsv");
  size_t rows = 0, different = 0;
  char *save;
  for (char *line = strtok_r(run.out, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
    unsigned expected, got;
    char expected_names[64], got_names[64];
    if (sscanf(line, "%*s\t%*u\t%*u\t%*u\t%u\t%63s\t%u\t%63s", &expected, expected_names, &got,
               got_names) != 4)
      continue;
    rows++;
    different += expected != got || strcmp(expected_names, got_names) != 0;
  }
  cr_assert_gt(rows, 10000);
  cr_assert_eq(different, 0, "%zu of %zu rows differ", different, rows);
  cli_free(&run);
}
Test(cli_occupancy, bad_rows_are_reported_and_the_others_answered) {
  CliRun run = cli_run("occupancy --table occupancy.tsv");
  cr_assert_eq(run.status, USAGE);
  expect_has(run.out, "# a comment stays\n"
                      "note\tarch\tregs_per_thread\tblock\tshared_per_block\tblocks_per_sm\t"
                      "limiting_factors\n");
  expect_has(run.out, "first\th200\t37\t257\t5000\t5\tregisters\n");
  expect_has(run.out, "last\ttextbook\t32\t128\t0\t");
  expect_has(run.err, "occupancy.tsv:4: error: there is no architecture 'h900'");
  expect_has(run.err, "occupancy.tsv:5: error: block: 'x' is not a whole number\n"
                      "  block h200 37 x 0\n");
  cli_free(&run);
}

/* ---- batch --------------------------------------------------------------------------------- */

static const char batch_values[] = "id\tbuffer\ttype\tvalues\n"
                                   "copy/iota\t1\tu32\t0 1 2 3\n"
                                   "copy/float\t1\tf32\t0x1p+0 -0x1p-1 0x1p+0 -0x1p-1\n"
                                   "# fault/short: out-of-bounds\n"
                                   "copy/both\t0\ti32\t-7 -7 -7 -7\n"
                                   "copy/both\t1\ti32\t-7 -7 -7 -7\n";

Test(cli_batch, good_rows_run_and_bad_rows_are_reported_with_their_line) {
  CliRun run = cli_run("batch cases.tsv --module copy.ptx --values -");
  cr_assert_eq(run.status, USAGE, "%s", run.err);
  const char *rows = strchr(run.out, '\n');
  cr_assert_str_eq(rows ? rows + 1 : "", batch_values);
  expect_has(run.err, "cases.tsv:5: error: argument 1: 'u33' is not a type");
  expect_has(run.err, "cases.tsv:6: error: the row has 4 columns; a case has 7");
  expect_has(run.err, "cases.tsv:7: error: kernel 'copy4' takes 2 arguments");
  expect_has(run.err, "cases.tsv:8: case fault/short:");
  expect_has(run.err, "8 cases: 4 done, 1 with faults, 3 not run\n");
  cli_free(&run);
}
Test(cli_batch, jobs_do_not_change_the_output) {
  CliRun one = cli_run("batch cases.tsv --module copy.ptx --values - --stats -");
  CliRun four = cli_run("batch cases.tsv --module copy.ptx --values - --stats - --jobs 4");
  cr_assert_str_eq(one.out, four.out);
  cr_assert_str_eq(one.err, four.err);
  cli_free(&one);
  cli_free(&four);
}
Test(cli_batch, filter_picks_cases) {
  check("batch cases.tsv --module copy.ptx --filter 'copy/*'", 0, "copy/both\tok\t1\t1\t4\t",
        "3 cases: 3 done, 0 with faults, 0 not run");
  check("batch cases.tsv --module copy.ptx --filter 'zz*'", USAGE, NULL, "matches 'zz*'");
}
Test(cli_batch, faults_alone_give_status_1) {
  check("batch cases.tsv --module copy.ptx --filter 'fault/*'", 1, "fault/short\tout-of-bounds\t",
        "out-of-bounds");
}
Test(cli_batch, counters_go_to_stdout_by_default) {
  check("batch cases.tsv --module copy.ptx --filter none", 0,
        "id\tstatus\tblocks\twarps\tthreads\twarp_instructions", "1 case:");
  check("batch cases.tsv --module copy.ptx --filter none", 0, "none\tok\t24\t24\t768\t24\t768\t",
        "1 case:");
}
Test(cli_batch, missing_things_are_named) {
  check("batch cases.tsv", USAGE, NULL, "--module is missing");
  check("batch", USAGE, NULL, "usage: warpsim batch");
  check("batch nope.tsv --module copy.ptx", USAGE, NULL, "cannot open 'nope.tsv'");
  check("batch cases.tsv --module nope.ptx", USAGE, NULL, "nope.ptx");
  check("batch cases.tsv --module copy.ptx --values /no/such/folder/v.tsv", USAGE, NULL,
        "cannot write '/no/such/folder/v.tsv'");
  check("batch cases.tsv --module copy.ptx --jobs 0", USAGE, NULL, "--jobs: 0 is too small");
  check("batch /dev/null --module copy.ptx", USAGE, NULL, "'/dev/null' has no cases");
}
