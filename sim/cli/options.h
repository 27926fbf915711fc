/* cli/options.h - the commands and the options of warpsim: one row each, from which both the
 * parsing and the help come. */
#ifndef WARPBOOK_CLI_OPTIONS_H
#define WARPBOOK_CLI_OPTIONS_H

#include "cli/text.h"

/* What the command line says, for every command; each uses its part. */
typedef struct Options {
  const char *const *words; /* what is not an option, in order: FILE ARG..., CASES.tsv, TOPIC */
  int word_count;
  bool help;

  const char *kernel;
  const char *divergence; /* FILE:PREFIX */
  const char *scheduler;  /* FILE:FUNCTION; one by name is in config */
  gpu_dim grid, block;    /* grid 1,1,1 unless given; block.x 0 when not given */
  bool has_grid;
  uint32_t shared;
  gpu_config config;
  gpu_opt opt;
  bool functional, json, values, tsv, profile;
  const char *trace, *script;
  uint64_t trace_limit; /* 0: not given */

  const char *module, *values_file, *timing_file, *stats_file, *filter;
  int jobs;

  const char *table;
  uint32_t registers;
} Options;

typedef struct Command {
  const char *name;
  const char *usage; /* what follows "warpsim NAME" */
  const char *help;  /* one line */
  int least_words, most_words;
  gpu_result (*run)(const Options *o, Text *err);
  const char *details; /* a paragraph or more, for `help NAME` */
} Command;

extern const Command commands[];
extern const size_t command_count;
const Command *find_command(const char *name);

/* Reads the command's options and words; `words` has room for argc of them. */
gpu_result options_parse(Options *o, const Command *command, int argc, char **argv,
                         const char **words, Text *err);

/* X[,Y[,Z]], each from 1 to 2^31 - 1. */
gpu_result parse_dim(Span text, gpu_dim *dim, Text *err);
gpu_result parse_u32(Span text, uint32_t least, uint32_t *value, Text *err);

/* One line an option of the command. */
void print_options(FILE *out, const Command *command);

/* The words that name a divergence model and a level of checks, as the options take them. */
const char *model_word(gpu_model model);
const char *check_word(gpu_check check);
const char *opt_word(gpu_opt opt);

/* The commands (each in the file of its name). */
gpu_result run_command(const Options *o, Text *err);
gpu_result batch_command(const Options *o, Text *err);
gpu_result warps_command(const Options *o, Text *err);
gpu_result occupancy_command(const Options *o, Text *err);
gpu_result step_command(const Options *o, Text *err);
gpu_result archs_command(const Options *o, Text *err);
gpu_result ops_command(const Options *o, Text *err);
gpu_result help_command(const Options *o, Text *err);

#endif
