/* cli/help.c - `warpsim help`, printed from the tables of commands, options and topics. */
#include <string.h>

#include "cli/arg.h"
#include "cli/options.h"

typedef struct Topic {
  const char *name, *help;
  const char *text; /* NULL: print() */
  void (*print)(void);
} Topic;

static void print_faults(void);
static void print_schedulers(void);

static const Topic topics[] = {
    {"args", "the arguments of a kernel", arg_grammar, NULL},
    {"faults", "the mistakes that are found while a kernel runs", NULL, print_faults},
    {"models", "the two ways in which a warp diverges and reconverges",
     "stack  One program counter a warp and a stack of masks, as up to Pascal: a divergent warp\n"
     "       runs one path to the point where the paths meet again, then the other. Lanes of a\n"
     "       warp that wait for one another's progress hang: a deadlock.\n"
     "its    Independent thread scheduling, as from Volta on: a program counter a lane. Paths may\n"
     "       interleave, and every lane makes progress in the end. --schedule random:SEED picks\n"
     "       an order that a correct kernel must survive.\n"
     "\n"
     "Without --model the architecture decides.\n"
     "\n"
     "--divergence FILE.cu:NAME puts functions of yours in their place: NAME_start, NAME_branch,\n"
     "NAME_join, NAME_leave and NAME_next, as sim/cuda/warpbook.h describes them. --model still\n"
     "says how barriers and _sync functions count lanes.\n",
     NULL},
    {"schedulers", "which of a sub-core's warps issues", NULL, print_schedulers},
    {"checks", "what --check looks for",
     "none  Bounds and alignment only: what keeps the host safe.\n"
     "sync  Also misuse of barriers, shuffles and votes, deadlocks and divisions by zero.\n"
     "full  Also reads of memory that nothing has written, and races.\n",
     NULL},
    {"counts", "what the numbers of a summary mean",
     "All counts are of PTX instructions.\n"
     "\n"
     "warp instructions    instructions issued, one a warp however many lanes are active\n"
     "thread instructions  the same, one an active lane\n"
     "SIMD efficiency      active lanes / (32 x warp instructions); the missing lanes of a\n"
     "                     block's last warp count as inactive\n"
     "divergent branch     one execution of a branch by a warp whose active lanes take two or\n"
     "                     more targets; a predicated ret or exit is a branch, too\n"
     "paths                the number of targets taken\n"
     "passes               the groups of lanes that issue at least one instruction before they\n"
     "                     meet again: 2 for an if/else, 1 for an if without else; a loop's body\n"
     "                     makes one for each iteration that any lane runs\n"
     "divergent warp       a warp that executed at least one divergent branch\n",
     NULL},
    {"status", "the exit status",
     "0  done\n"
     "1  a fault in a kernel: the report is on stderr\n"
     "2  bad usage or bad input: the message names the place\n"
     "3  an internal error: a bug in the simulator\n",
     NULL},
};
enum { TOPICS = sizeof topics / sizeof *topics };

static const char *const fault_meanings[GPU_FAULT_KIND_COUNT] = {
    [GPU_FAULT_OUT_OF_BOUNDS] = "an access outside every buffer and variable",
    [GPU_FAULT_MISALIGNED] = "an address that is no multiple of the access's size",
    [GPU_FAULT_UNINITIALIZED] = "a read of memory that nothing has written (--check full)",
    [GPU_FAULT_RACE] = "two accesses, one a write, that nothing orders (--check full)",
    [GPU_FAULT_SHFL_INACTIVE_LANE] = "a shuffle reads from a lane that takes no part",
    [GPU_FAULT_BAD_WIDTH] = "a shuffle's width is no power of two up to 32",
    [GPU_FAULT_MASK_MISMATCH] = "a _sync mask omits the caller or names lanes that never come",
    [GPU_FAULT_BARRIER_DIVERGENCE] = "only some threads of a block reach a barrier",
    [GPU_FAULT_DEADLOCK] = "every lane that is left waits, or spins for ever",
    [GPU_FAULT_INSTRUCTION_LIMIT] = "the kernel issued more instructions than --limit allows",
    [GPU_FAULT_DIVIDE_BY_ZERO] = "an integer division by zero (a note: the launch goes on)",
    [GPU_FAULT_UNSUPPORTED] = "an instruction that the simulator lacks",
    [GPU_FAULT_BAD_CALLBACK] = "a policy function returned something impossible",
    [GPU_FAULT_ASSERT] = "an assert() failed",
    [GPU_FAULT_TRAP] = "the kernel executed a trap",
};

static void print_schedulers(void) {
  printf("A sub-core issues one instruction a cycle, of one of its warps. --scheduler says of "
         "which:\n\n");
  for (size_t i = 0; gpu_scheduler_name(i); i++)
    printf("  %-10s  %s\n", gpu_scheduler_name(i), gpu_scheduler_meaning(i));
  printf("\nWithout it the architecture decides. --scheduler FILE.cu:FUNCTION puts a __device__ "
         "function\n"
         "of yours in its place, as sim/cuda/warpbook.h describes it.\n");
}

static void print_faults(void) {
  printf("A fault ends the launch unless --keep-going is given. The kinds:\n\n");
  for (int kind = 0; kind < GPU_FAULT_KIND_COUNT; kind++)
    printf("  %-20s  %s\n", gpu_fault_kind_name((gpu_fault_kind)kind),
           fault_meanings[kind] ? fault_meanings[kind] : "");
}

static void print_overview(void) {
  printf("warpsim runs CUDA kernels on a simulated GPU and shows what their warps do.\n"
         "\nusage: warpsim COMMAND ...\n\n");
  for (size_t i = 0; i < command_count; i++)
    printf("  %-10s  %s\n", commands[i].name, commands[i].help);
  printf("\n`warpsim help COMMAND` explains one; these topics have a page, too:\n\n");
  for (size_t i = 0; i < TOPICS; i++) printf("  %-10s  %s\n", topics[i].name, topics[i].help);
}

static void print_command(const Command *c) {
  printf("warpsim %s: %s\n\nusage: warpsim %s%s%s\n\n", c->name, c->help, c->name,
         *c->usage ? " " : "", c->usage);
  print_options(stdout, c);
  if (*c->details) printf("\n%s", c->details);
}

static void print_topic(const Topic *topic) {
  if (topic->print)
    topic->print();
  else
    printf("%s", topic->text);
}

static gpu_result unknown_topic(const char *word, Text *err) {
  const char *names[TOPICS + 16];
  size_t count = 0;
  for (size_t i = 0; i < TOPICS; i++) names[count++] = topics[i].name;
  for (size_t i = 0; i < command_count && count < TOPICS + 16; i++)
    names[count++] = commands[i].name;
  fail(err, "there is no help on '%s'", word);
  text_suggest(err, span_str(word), names, count, sizeof *names);
  text_add(err, "\n  topics:");
  for (size_t i = 0; i < count; i++) text_add(err, " %s", names[i]);
  return GPU_BAD_INPUT;
}

gpu_result help_command(const Options *o, Text *err) {
  if (o->word_count == 0) {
    print_overview();
    return GPU_OK;
  }
  const char *word = o->words[0];
  const Command *command = find_command(word);
  if (command) {
    print_command(command);
    return GPU_OK;
  }
  for (size_t i = 0; i < TOPICS; i++) {
    if (strcmp(word, topics[i].name) != 0) continue;
    print_topic(&topics[i]);
    return GPU_OK;
  }
  return unknown_topic(word, err);
}
