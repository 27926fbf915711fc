/* options.c - the table of options, and the parsing of a command line. */
#include "options.h"

#include <string.h>

#include "export.h"
#include "variant.h"

typedef struct Option {
  const char *name, *value; /* value: NULL for a switch */
  unsigned uses;            /* where it means something */
  const char *help;
  gpu_result (*set)(Options *o, const char *value, Text *err);
} Option;

static gpu_result set_test(Options *o, const char *value, Text *err) {
  (void)err;
  o->test = value;
  return GPU_OK;
}

static gpu_result set_explain(Options *o, const char *value, Text *err) {
  o->explain = o->hint = true;
  return set_test(o, value, err);
}

static gpu_result set_submission(Options *o, const char *value, Text *err) {
  o->submission = value;
  return *value ? GPU_OK : fail(err, "--submission needs a folder");
}

static gpu_result set_class(Options *o, const char *value, Text *err) {
  o->class_folder = value;
  return *value ? GPU_OK : fail(err, "--class needs the folder of the submissions");
}

static gpu_result set_hosts(Options *o, const char *value, Text *err) {
  o->hosts = value;
  return *value ? GPU_OK : fail(err, "--hosts needs a file that lists machines");
}

static gpu_result set_student(Options *o, const char *value, Text *err) {
  o->student = value;
  return student_check(value, err);
}

static gpu_result set_format(Options *o, const char *value, Text *err) {
  return export_find(&o->format, value, err);
}

static gpu_result set_out(Options *o, const char *value, Text *err) {
  o->out = value;
  return *value ? GPU_OK : fail(err, "--out needs a folder for the results");
}

static gpu_result read_number(uint32_t *out, const char *option, const char *value, uint32_t most,
                              Text *err) {
  uint64_t number = 0;
  for (const char *c = value; *c; c++) {
    if (*c < '0' || *c > '9') return fail(err, "%s: '%s' is not a whole number", option, value);
    number = number * 10 + (uint64_t)(*c - '0');
    if (number > most) return fail(err, "%s: %s is too large: at most %u", option, value, most);
  }
  if (!*value) return fail(err, "%s needs a number", option);
  *out = (uint32_t)number;
  return GPU_OK;
}

static gpu_result set_jobs(Options *o, const char *value, Text *err) {
  gpu_result result = read_number(&o->jobs, "--jobs", value, 1024, err);
  return result == GPU_OK && o->jobs == 0 ? fail(err, "--jobs: at least 1") : result;
}

static gpu_result set_seed(Options *o, const char *value, Text *err) {
  o->has_seed = true;
  return read_number(&o->seed, "--seed", value, UINT32_MAX, err);
}

#define SWITCH(name)                                                                               \
  static gpu_result set_##name(Options *o, const char *value, Text *err) {                         \
    (void)value, (void)err;                                                                        \
    o->name = true;                                                                                \
    return GPU_OK;                                                                                 \
  }
SWITCH(hint)
SWITCH(json)
SWITCH(solution)
SWITCH(watch)
SWITCH(instructor)
SWITCH(official)
SWITCH(personal)
SWITCH(help)

static const Option options[] = {
    {"--test", "NAME", FOR_LAB, "only this test of the lab", set_test},
    {"--explain", "NAME", FOR_LAB,
     "this test, and what the lanes of the warp did before it failed, and when", set_explain},
    {"--hint", NULL, FOR_LAB, "longer hints", set_hint},
    {"--seed", "N", FOR_LAB | FOR_QUIZ, "random cases from this seed", set_seed},
    {"--watch", NULL, FOR_LAB, "grade again whenever a file is saved", set_watch},
    {"--json", NULL, FOR_LAB | FOR_QUIZ, "the results as JSON", set_json},
    {"--format", "NAME", FOR_LAB,
     "the results of one lab as junit, gradescope, autolab, prairielearn or classroom", set_format},
    {"--submission", "DIR", FOR_LAB, "grade what lies in DIR instead of the course's labs/",
     set_submission},
    {"--solution", NULL, FOR_LAB | FOR_QUIZ, "grade the solutions", set_solution},
    {"--instructor", NULL, FOR_LAB, "show the cases of hidden tests", set_instructor},
    {"--student", "ID", FOR_LAB | FOR_ONE | FOR_NEW,
     "whose numbers the predictions have: those of ID's own variant", set_student},
    {"--class", "DIR", FOR_CLASS, "grade a class: a folder or an archive for each student in DIR",
     set_class},
    {"--out", "DIR", FOR_CLASS, "where the results of the class go", set_out},
    {"--jobs", "N", FOR_CLASS, "so many students at a time", set_jobs},
    {"--hosts", "FILE", FOR_CLASS,
     "grade the class on these machines, by ssh (GNU parallel's --sshloginfile)", set_hosts},
    {"--personal", NULL, FOR_CLASS, "each student's predictions are those of --student NAME",
     set_personal},
    {"--official", NULL, FOR_LAB | FOR_CLASS | FOR_ONE, "refuse any compiler but the course's own",
     set_official},
    {"--help", NULL, FOR_ALL, "this text", set_help},
};
enum { OPTION_COUNT = sizeof options / sizeof *options };

void print_options(FILE *out) {
  for (size_t i = 0; i < OPTION_COUNT; i++)
    fprintf(out, "  %-13s %-5s  %s\n", options[i].name, options[i].value ? options[i].value : "",
            options[i].help);
}

static const Option *find_option(Span name) {
  for (size_t i = 0; i < OPTION_COUNT; i++)
    if (span_is(name, options[i].name)) return &options[i];
  return NULL;
}

static gpu_result unknown_option(Span name, Text *err) {
  fail(err, "there is no option %.*s", SPAN(name));
  text_suggest(err, name, &options[0].name, OPTION_COUNT, sizeof options[0]);
  text_add(err, "\n  options:");
  for (size_t i = 0; i < OPTION_COUNT; i++) text_add(err, " %s", options[i].name);
  return GPU_BAD_INPUT;
}

/* "--seed 7" or "--seed=7"; *at is the word's place, and moves on to a value of its own. */
static gpu_result parse_option(Options *o, int argc, char **argv, int *at, Text *err) {
  const char *word = argv[*at], *equals = strchr(word, '=');
  Span name = span_of(word, equals ? (size_t)(equals - word) : strlen(word));
  const Option *option = find_option(name);
  if (!option) return unknown_option(name, err);
  o->given |= 1u << (option - options);
  if (!option->value && equals) return fail(err, "%s takes no value", option->name);
  if (!option->value) return option->set(o, NULL, err);
  if (equals) return option->set(o, equals + 1, err);
  if (*at + 1 == argc) return fail(err, "%s needs a value: %s", option->name, option->value);
  return option->set(o, argv[++*at], err);
}

static gpu_result add_word(Options *o, const Command *command, const char *word, Text *err) {
  if (o->word_count == command->most_words)
    return fail(err, "'%s' is one word too many\n  usage: grade %s%s%s", word, command->name,
                *command->name ? " " : "", command->usage);
  o->words[o->word_count++] = word;
  return GPU_OK;
}

/* What makes sense for one lab only. */
static gpu_result check_lab_named(const Options *o, Text *err) {
  const char *option = o->test ? "--test" : o->watch ? "--watch" : o->format ? "--format" : NULL;
  if (o->word_count > 0 || !option) return GPU_OK;
  return fail(err, "%s needs the name of a lab", option);
}

/* Every option that was given must mean something where it stands. */
static gpu_result check_uses(const Options *o, const Command *command, Text *err) {
  bool of_class = command->uses == FOR_LAB && o->class_folder;
  unsigned use = of_class ? FOR_CLASS : command->uses;
  for (size_t i = 0; i < OPTION_COUNT; i++) {
    if (!(o->given >> i & 1) || options[i].uses & use) continue;
    if (command->uses == FOR_LAB && options[i].uses == FOR_CLASS)
      return fail(err, "%s is for a class: say --class DIR, too", options[i].name);
    fail(err, "%s means nothing to grade %s\n  options there:", options[i].name,
         of_class ? "--class" : command->name);
    for (size_t k = 0; k < OPTION_COUNT; k++)
      if (options[k].uses & use) text_add(err, " %s", options[k].name);
    return GPU_BAD_INPUT;
  }
  return use == FOR_LAB ? check_lab_named(o, err) : GPU_OK;
}

gpu_result options_parse(Options *o, const Command *command, int argc, char **argv, Text *err) {
  *o = (Options){0};
  gpu_result result = GPU_OK;
  for (int i = *command->name ? 2 : 1; i < argc && result == GPU_OK; i++) {
    bool option = argv[i][0] == '-' && argv[i][1];
    result = option ? parse_option(o, argc, argv, &i, err) : add_word(o, command, argv[i], err);
  }
  if (result != GPU_OK || o->help) return result;
  if (o->word_count < command->least_words)
    return fail(err, "a word is missing\n  usage: grade %s %s", command->name, command->usage);
  return check_uses(o, command, err);
}
