/* cli/main.c - warpsim: finds the command, reads its options, runs it, and turns what it returns
 * into an exit status: 0 done, 1 a fault in the kernel, 2 bad usage or input, 3 an internal error.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"

const Command commands[] = {
    {"run", "FILE.cu|FILE.ptx --block X[,Y[,Z]] [options] ARG...",
     "run a kernel and say what its warps did", 1, 1 << 16, run_command,
     "Runs one kernel and prints what its warps did. Each ARG is one of the kernel's parameters:\n"
     "`warpsim help args` lists the forms. Example:\n"
     "\n"
     "  warpsim run saxpy.cu --block 128 --values \\\n"
     "      buf:f32:128:iota buf:f32:128:mod:9:out f32:2 i32:128\n"},
    {"batch", "CASES.tsv --module FILE [options]", "run every case of a table", 1, 1, batch_command,
     "Runs every case of a table on a fresh device. The columns, separated by tabs, are\n"
     "\n"
     "  id  kernel  grid  block  dynamic_smem  flags  args\n"
     "\n"
     "flags is - or flush; args are separated by blanks (`warpsim help args`), - for none. A line\n"
     "that begins with # is a comment. A bad row is reported with its line, and the others run.\n"
     "Without --values, --timing and --stats the counters of each case go to stdout.\n"},
    {"warps", "--block X[,Y[,Z]] [--grid X[,Y[,Z]]]", "show how a block is cut into warps", 0, 0,
     warps_command,
     "Thread (x,y,z) of a block X x Y x Z has the linear id x + y*X + z*X*Y, and warp w holds the\n"
     "ids 32w to 32w + 31. The last warp is filled up with lanes that never run.\n"},
    {"occupancy", "--arch A --regs R --block B [--shared S] | --table ROWS.tsv",
     "how many blocks an SM holds, and what limits it", 0, 0, occupancy_command,
     "Shows every rounding step. --table reads rows with the columns arch, regs_per_thread, block\n"
     "and shared_per_block, and adds blocks_per_sm and limiting_factors.\n"},
    {"step", "FILE.cu|FILE.ptx --block X[,Y[,Z]] [options] ARG...",
     "step through a kernel in the terminal, cycle by cycle", 1, 1 << 16, step_command,
     "Shows the source, the lanes and the paths of a warp, what the warps wait for, and registers\n"
     "lane by lane. The keys are listed on the screen. Without a terminal the keys come from\n"
     "standard input, or from --script, and each screen is printed. At the end it says what `run`\n"
     "says. Example:\n"
     "\n"
     "  warpsim step saxpy.cu --block 128 buf:f32:128:iota out:f32:128 f32:2 i32:128\n"},
    {"archs", "[NAME|FILE]", "list the architectures, or every value of one", 0, 1, archs_command,
     "An architecture is a text file: limits, units, latencies, and where each number comes from.\n"
     "--arch takes a name of the list or a file of your own, which may begin with `like = "
     "NAME`.\n"},
    {"ops", "", "list the PTX instructions", 0, 0, ops_command,
     "The instructions that the simulator knows. One that is `known` loads, and is refused with\n"
     "the fault `unsupported` when a kernel executes it.\n"},
    {"help", "[TOPIC]", "explain a command or a topic", 0, 1, help_command, ""},
};
const size_t command_count = sizeof commands / sizeof *commands;

const Command *find_command(const char *name) {
  for (size_t i = 0; i < command_count; i++)
    if (strcmp(name, commands[i].name) == 0) return &commands[i];
  return NULL;
}

static gpu_result unknown_command(const char *name, Text *err) {
  fail(err, "there is no command '%s'", name);
  text_suggest(err, span_str(name), &commands[0].name, command_count, sizeof commands[0]);
  text_add(err, "\n  commands:");
  for (size_t i = 0; i < command_count; i++) text_add(err, " %s", commands[i].name);
  return GPU_BAD_INPUT;
}

static gpu_result run_help(const Command *topic, Text *err) {
  Options o = {.words = &topic->name, .word_count = 1};
  return help_command(&o, err);
}

static gpu_result dispatch(const Command *command, int argc, char **argv, Text *err) {
  const char **words = calloc((size_t)argc + 1, sizeof *words);
  if (!words) return fail(err, "out of memory");
  Options o;
  gpu_result r = options_parse(&o, command, argc, argv, words, err);
  if (r == GPU_OK) r = o.help ? run_help(command, err) : command->run(&o, err);
  free(words);
  return r;
}

static bool asks_for_help(const char *word) {
  return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

int main(int argc, char **argv) {
  Text err = {0};
  gpu_result r;
  const char *name = argc < 2 || asks_for_help(argv[1]) ? "help" : argv[1];
  const Command *command = find_command(name);
  if (command)
    r = dispatch(command, argc > 2 ? argc - 2 : 0, argv + 2, &err);
  else
    r = unknown_command(name, &err);
  if (argc < 2) r = GPU_BAD_INPUT; /* the help was printed, but nothing was asked */
  if (err.length) {
    char who[64];
    snprintf(who, sizeof who, "warpsim%s%.40s", command ? " " : "", command ? name : "");
    print_error(who, text_str(&err));
  }
  text_free(&err);
  if (fflush(stdout) != 0 && r == GPU_OK) r = GPU_BAD_INPUT;
  return (int)r;
}
