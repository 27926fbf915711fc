/* options.h - the commands and the options of `grade`: one row each, from which both the parsing
 * and the help come. */
#ifndef WARPBOOK_GRADER_OPTIONS_H
#define WARPBOOK_GRADER_OPTIONS_H

#include "lab.h"

typedef struct Options {
  const char *words[4]; /* what is not an option, in order: LAB DIR */
  int word_count;
  const char *test, *submission, *student;
  const char *class_folder, *out, *hosts; /* --class, --out and --hosts */
  const struct ExportFormat *format;      /* NULL: for a person to read */
  uint32_t jobs;                          /* 0: as many as there are processors */
  bool has_seed;
  uint32_t seed;
  bool hint, json, solution, watch, explain, instructor, official, personal, help;
  uint32_t given; /* a bit an option that was there */
} Options;

/* What an option is for, and what a command does. */
enum {
  FOR_LAB = 1,   /* `grade [LAB [DIR]]` */
  FOR_CLASS = 2, /* the same with --class */
  FOR_ONE = 4,   /* `grade one` */
  FOR_NEW = 8,
  FOR_QUIZ = 16,
  FOR_COLLECT = 32,
  FOR_HELP = 64,
  FOR_ALL = 127
};

/* Exit statuses are those of result.h; a message in err goes with GRADE_NOT_GRADABLE (bad usage)
 * and with GRADE_ERROR. */
typedef struct Command {
  const char *name;  /* "" for the one that has no name: grading */
  const char *usage; /* what follows "grade NAME" */
  const char *help;  /* one line */
  int least_words, most_words;
  unsigned uses; /* which options it takes */
  int (*run)(const Options *o, Course *course, Text *err);
} Command;

extern const Command commands[];
extern const size_t command_count;

/* The command that the line means. */
const Command *find_command(int argc, char **argv);

/* Reads the options and words of a command; GPU_BAD_INPUT with a message. */
gpu_result options_parse(Options *o, const Command *command, int argc, char **argv, Text *err);

void print_options(FILE *out);

/* The commands, each in the file of its name. */
int grade_command(const Options *o, Course *course, Text *err);
int new_command(const Options *o, Course *course, Text *err);
int collect_command(const Options *o, Course *course, Text *err);
int one_command(const Options *o, Course *course, Text *err);
int quiz_command(const Options *o, Course *course, Text *err);
int help_command(const Options *o, Course *course, Text *err);
/* `grade --class`: a part of grade_command. */
int class_command(const Options *o, Course *course, Text *err);

#endif
