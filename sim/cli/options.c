/* cli/options.c - the table of options, and the parsing of a command line. */
#include "cli/options.h"

#include <stdlib.h>
#include <string.h>

/* ---- numbers and words --------------------------------------------------------------------- */

static bool read_number(Span text, uint64_t *value) {
  *value = 0;
  for (size_t i = 0; i < text.length; i++) {
    char c = text.at[i];
    if (c < '0' || c > '9' || *value > UINT64_MAX / 16) return false;
    *value = *value * 10 + (uint64_t)(c - '0');
  }
  return text.length > 0;
}

gpu_result parse_u32(Span text, uint32_t least, uint32_t *value, Text *err) {
  uint64_t v;
  if (!read_number(text, &v)) return fail(err, "'%.*s' is not a whole number", SPAN(text));
  if (v > INT32_MAX) return fail(err, "%.*s is too large", SPAN(text));
  if (v < least) return fail(err, "%.*s is too small: at least %u", SPAN(text), least);
  *value = (uint32_t)v;
  return GPU_OK;
}

gpu_result parse_dim(Span text, gpu_dim *dim, Text *err) {
  uint32_t size[3] = {1, 1, 1};
  Span rest = text;
  for (int i = 0;; i++) {
    const char *comma = memchr(rest.at, ',', rest.length);
    Span word = {rest.at, comma ? (size_t)(comma - rest.at) : rest.length};
    if (i == 3) return fail(err, "'%.*s' has more than three numbers: X[,Y[,Z]]", SPAN(text));
    gpu_result r = parse_u32(word, 1, &size[i], err);
    if (r != GPU_OK) return r;
    if (!comma) break;
    rest.length -= word.length + 1;
    rest.at = comma + 1;
  }
  *dim = (gpu_dim){size[0], size[1], size[2]};
  return GPU_OK;
}

typedef struct Choice {
  const char *word;
  int value;
} Choice;

#define CHOICES(a) a, sizeof(a) / sizeof *(a)

static gpu_result choose(const Choice *choices, size_t count, const char *word, int *value,
                         Text *err) {
  for (size_t i = 0; i < count; i++) {
    if (strcmp(word, choices[i].word) != 0) continue;
    *value = choices[i].value;
    return GPU_OK;
  }
  fail(err, "'%s' is not one of", word);
  for (size_t i = 0; i < count; i++) text_add(err, " %s", choices[i].word);
  text_suggest(err, span_str(word), &choices[0].word, count, sizeof choices[0]);
  return GPU_BAD_INPUT;
}

static const char *word_for(const Choice *choices, size_t count, int value) {
  for (size_t i = 0; i < count; i++)
    if (choices[i].value == value) return choices[i].word;
  return "default";
}

static const Choice models[] = {{"stack", GPU_MODEL_STACK}, {"its", GPU_MODEL_ITS}};
static const Choice checks[] = {
    {"none", GPU_CHECK_NONE}, {"sync", GPU_CHECK_SYNC}, {"full", GPU_CHECK_FULL}};
static const Choice opts[] = {
    {"teaching", GPU_OPT_TEACHING}, {"O2", GPU_OPT_O2}, {"O3", GPU_OPT_O3}};

const char *model_word(gpu_model model) { return word_for(CHOICES(models), (int)model); }
const char *check_word(gpu_check check) {
  return word_for(CHOICES(checks), check == GPU_CHECK_DEFAULT ? GPU_CHECK_SYNC : (int)check);
}
const char *opt_word(gpu_opt opt) { return word_for(CHOICES(opts), (int)opt); }

/* ---- what sets an option ------------------------------------------------------------------- */

typedef gpu_result SetOption(Options *o, const char *value, Text *err);

static gpu_result set_grid(Options *o, const char *value, Text *err) {
  o->has_grid = true;
  return parse_dim(span_str(value), &o->grid, err);
}

static gpu_result set_block(Options *o, const char *value, Text *err) {
  return parse_dim(span_str(value), &o->block, err);
}

static gpu_result set_shared(Options *o, const char *value, Text *err) {
  return parse_u32(span_str(value), 0, &o->shared, err);
}

static gpu_result set_registers(Options *o, const char *value, Text *err) {
  return parse_u32(span_str(value), 1, &o->registers, err);
}

static gpu_result set_model(Options *o, const char *value, Text *err) {
  int model = 0;
  gpu_result r = choose(CHOICES(models), value, &model, err);
  o->config.model = (gpu_model)model;
  return r;
}

static gpu_result set_check(Options *o, const char *value, Text *err) {
  int check = 0;
  gpu_result r = choose(CHOICES(checks), value, &check, err);
  o->config.check = (gpu_check)check;
  return r;
}

static gpu_result set_opt(Options *o, const char *value, Text *err) {
  int opt = 0;
  gpu_result r = choose(CHOICES(opts), value, &opt, err);
  o->opt = (gpu_opt)opt;
  return r;
}

static gpu_result set_limit(Options *o, const char *value, Text *err) {
  uint64_t limit;
  if (!read_number(span_str(value), &limit) || limit == 0)
    return fail(err, "'%s' is not a number of instructions: at least 1", value);
  o->config.instruction_limit = limit;
  return GPU_OK;
}

static gpu_result set_schedule(Options *o, const char *value, Text *err) {
  static const char prefix[] = "random:";
  size_t n = sizeof prefix - 1;
  uint64_t seed = 0;
  bool random = strncmp(value, prefix, n) == 0;
  if (random && (!read_number(span_str(value + n), &seed) || seed == 0))
    return fail(err, "the SEED of random:SEED is a whole number from 1, not '%s'", value + n);
  if (!random && strcmp(value, "source") != 0)
    return fail(err, "'%s' is not one of source random:SEED", value);
  o->config.schedule_seed = seed;
  return GPU_OK;
}

static gpu_result set_jobs(Options *o, const char *value, Text *err) {
  uint32_t jobs = 0;
  gpu_result r = parse_u32(span_str(value), 1, &jobs, err);
  if (r == GPU_OK && jobs > 256) return fail(err, "%u is too large: at most 256", jobs);
  o->jobs = (int)jobs;
  return r;
}

static gpu_result set_keep_going(Options *o, const char *value, Text *err) {
  (void)value, (void)err;
  o->config.keep_going = true;
  return GPU_OK;
}

static gpu_result set_scheduler(Options *o, const char *value, Text *err) {
  const char *names[32];
  size_t count = 0;
  o->scheduler = o->config.scheduler = NULL;
  if (strchr(value, ':')) {
    o->scheduler = value;
    return GPU_OK;
  }
  o->config.scheduler = value;
  for (; count < 32 && gpu_scheduler_name(count); count++) {
    names[count] = gpu_scheduler_name(count);
    if (strcmp(value, names[count]) == 0) return GPU_OK;
  }
  fail(err, "there is no scheduler '%s': one of", value);
  for (size_t i = 0; i < count; i++) text_add(err, " %s", names[i]);
  text_suggest(err, span_str(value), names, count, sizeof *names);
  return GPU_BAD_INPUT;
}

static gpu_result set_switch_cost(Options *o, const char *value, Text *err) {
  uint64_t cycles;
  if (!read_number(span_str(value), &cycles) || cycles > 1000000)
    return fail(err, "'%s' is not a number of cycles: 0 to 1000000", value);
  o->config.switch_cost = (double)cycles;
  return GPU_OK;
}

static gpu_result set_trace_limit(Options *o, const char *value, Text *err) {
  if (read_number(span_str(value), &o->trace_limit) && o->trace_limit > 0) return GPU_OK;
  return fail(err, "'%s' is not a number of instructions: at least 1", value);
}

/* ---- the table ----------------------------------------------------------------------------- */

/* An option either sets a field (text or flag) or has a function. */
typedef struct Option {
  const char *name, *argument; /* argument: NULL for a flag */
  const char *users;           /* the commands that take it, each between blanks */
  SetOption *set;
  size_t field; /* offset of a const char * or a bool, when set is NULL */
  const char *help;
} Option;

#define FIELD(name) NULL, offsetof(Options, name)
#define CALL(function) function, 0

static const Option option_table[] = {
    {"--kernel", "NAME", " run step ", FIELD(kernel),
     "the kernel; may be left out where there is one"},
    {"--grid", "X[,Y[,Z]]", " run step warps ", CALL(set_grid), "blocks of the grid (default 1)"},
    {"--block", "X[,Y[,Z]]", " run step warps occupancy ", CALL(set_block), "threads of a block"},
    {"--shared", "BYTES", " run step occupancy ", CALL(set_shared),
     "dynamic shared memory of a block"},
    {"--module", "FILE", " batch ", FIELD(module), "the .cu or .ptx file with the kernels"},
    {"--arch", "NAME|FILE", " run step batch occupancy ", FIELD(config.arch),
     "the architecture (default h200)"},
    {"--model", "stack|its", " run step batch ", CALL(set_model),
     "the divergence model (default: the architecture's)"},
    {"--divergence", "FILE:PREFIX", " run step ", FIELD(divergence),
     "functions of FILE decide which lanes run next: see help models"},
    {"--opt", "LEVEL", " run step batch ", CALL(set_opt),
     "how a .cu is compiled: teaching (default), O2 or O3"},
    {"--check", "LEVEL", " run step batch ", CALL(set_check),
     "none, sync (default) or full: uninitialised reads and races, too"},
    {"--limit", "N", " run step batch ", CALL(set_limit),
     "stop a kernel after N warp instructions"},
    {"--schedule", "ORDER", " run batch ", CALL(set_schedule),
     "source (default), or random:SEED: an adversarial order (its)"},
    {"--keep-going", NULL, " run step batch ", CALL(set_keep_going),
     "go on after a fault and report further ones"},
    {"--functional", NULL, " run batch ", FIELD(functional),
     "do not count cycles: faster, and clock64() counts instructions"},
    {"--scheduler", "S", " run step batch ", CALL(set_scheduler),
     "which warp issues: a name or FILE:FUNCTION, see help schedulers"},
    {"--switch-cost", "CYCLES", " run step batch ", CALL(set_switch_cost),
     "what changing the warp costs a sub-core, as on a CPU (default 0)"},
    {"--profile", NULL, " run ", FIELD(profile), "cycles, lanes and waits of each source line"},
    {"--trace", "FILE", " run ", FIELD(trace),
     "write what happened: .html (a page), .json (Perfetto) or .csv"},
    {"--trace-limit", "N", " run ", CALL(set_trace_limit),
     "the first N warp instructions only (default 20000)"},
    {"--script", "KEYS", " step ", FIELD(script),
     "press these keys, and print the screen behind each"},
    {"--values", NULL, " run step ", FIELD(values), "print the output buffers"},
    {"--values", "OUT.tsv", " batch ", FIELD(values_file), "write every output buffer (-: stdout)"},
    {"--timing", "OUT.tsv", " batch ", FIELD(timing_file),
     "write what the cyc buffers hold (-: stdout)"},
    {"--stats", "OUT.tsv", " batch ", FIELD(stats_file),
     "write the counters of each case (default, to stdout)"},
    {"--filter", "PATTERN", " batch ", FIELD(filter), "only cases whose id matches, as in app_*"},
    {"--jobs", "N", " batch ", CALL(set_jobs), "run N cases at a time"},
    {"--regs", "R", " occupancy ", CALL(set_registers), "registers of a thread"},
    {"--table", "ROWS.tsv", " occupancy ", FIELD(table),
     "add blocks_per_sm and limiting_factors to each row"},
    {"--tsv", NULL, " warps ", FIELD(tsv), "one row a lane, for plots"},
    {"--json", NULL, " run warps occupancy archs ops ", FIELD(json), "print JSON"},
    {"--help", NULL, NULL, FIELD(help), "this help"},
};
enum { OPTIONS = sizeof option_table / sizeof *option_table };

static bool takes(const Command *command, const Option *option) {
  if (!option->users) return true;
  char name[32];
  snprintf(name, sizeof name, " %s ", command->name);
  return strstr(option->users, name) != NULL;
}

void print_options(FILE *out, const Command *command) {
  for (size_t i = 0; i < OPTIONS; i++) {
    const Option *option = &option_table[i];
    if (!takes(command, option)) continue;
    char left[48];
    snprintf(left, sizeof left, "%s%s%s", option->name, option->argument ? " " : "",
             option->argument ? option->argument : "");
    fprintf(out, "  %-22s  %s\n", left, option->help);
  }
}

/* ---- parsing ------------------------------------------------------------------------------- */

static gpu_result unknown_option(const Command *command, Span name, Text *err) {
  const char *names[OPTIONS];
  size_t count = 0;
  for (size_t i = 0; i < OPTIONS; i++) {
    if (takes(command, &option_table[i]))
      names[count++] = option_table[i].name;
    else if (span_is(name, option_table[i].name))
      fail(err, "%s takes no option %.*s", command->name, SPAN(name));
  }
  if (err->length == 0) {
    fail(err, "there is no option '%.*s'", SPAN(name));
    text_suggest(err, name, names, count, sizeof *names);
  }
  text_add(err, "\n  warpsim help %s lists the options", command->name);
  return GPU_BAD_INPUT;
}

static const Option *find_option(const Command *command, Span name) {
  if (span_is(name, "-h")) name = span_str("--help");
  for (size_t i = 0; i < OPTIONS; i++)
    if (span_is(name, option_table[i].name) && takes(command, &option_table[i]))
      return &option_table[i];
  return NULL;
}

static gpu_result set_option(Options *o, const Option *option, const char *value, Text *err) {
  char *field = (char *)o + option->field;
  if (option->set) {
    Text why = {0};
    gpu_result r = option->set(o, value, &why);
    if (r != GPU_OK) fail(err, "%s: %s", option->name, text_str(&why));
    text_free(&why);
    return r;
  }
  if (option->argument)
    *(const char **)(void *)field = value;
  else
    *(bool *)field = true;
  return GPU_OK;
}

/* One option at argv[*i], its value behind '=' or in the next word. */
static gpu_result parse_option(Options *o, const Command *command, int argc, char **argv, int *i,
                               Text *err) {
  const char *word = argv[*i], *equals = strchr(word, '=');
  Span name = {word, equals ? (size_t)(equals - word) : strlen(word)};
  const Option *option = find_option(command, name);
  if (!option) return unknown_option(command, name, err);
  if (!option->argument && equals) return fail(err, "%s takes no value: '%s'", option->name, word);
  const char *value = equals ? equals + 1 : NULL;
  if (option->argument && !value && *i + 1 < argc) value = argv[++*i];
  if (option->argument && (!value || !*value))
    return fail(err, "%s needs a value: %s %s", option->name, option->name, option->argument);
  return set_option(o, option, value, err);
}

static gpu_result check_word_count(const Options *o, const Command *command, Text *err) {
  if (o->help) return GPU_OK;
  if (o->word_count < command->least_words)
    return fail(err, "something is missing\n  usage: warpsim %s %s", command->name, command->usage);
  if (o->word_count > command->most_words)
    return fail(err, "'%s' is one word too many\n  usage: warpsim %s %s",
                o->words[command->most_words], command->name, command->usage);
  return GPU_OK;
}

gpu_result options_parse(Options *o, const Command *command, int argc, char **argv,
                         const char **words, Text *err) {
  *o = (Options){.words = words, .grid = {1, 1, 1}, .jobs = 1};
  bool only_words = false;
  for (int i = 0; i < argc; i++) {
    if (!only_words && strcmp(argv[i], "--") == 0) {
      only_words = true;
    } else if (!only_words && argv[i][0] == '-' && argv[i][1]) {
      gpu_result r = parse_option(o, command, argc, argv, &i, err);
      if (r != GPU_OK) return r;
    } else {
      words[o->word_count++] = argv[i];
    }
  }
  return check_word_count(o, command, err);
}
