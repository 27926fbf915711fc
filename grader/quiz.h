/* quiz.h - questions with numbers for an answer, drawn from a seed: chapters/quiz/NN-slug.tsv.
 *
 * The file holds one table (see table.h), a row a question:
 *   quiz  level  vary  ask  run  get  as  hint
 * `vary` lists what a seed chooses, "b=33..1024 w=32..256/32 s=8,8|16,4" (from..to, from..to/step,
 * or words between bars); {b} stands for the choice in the cells after it. `run` is what warpsim is
 * asked, `get` the path of the answer in its JSON, as in the chapters; so the answer is never
 * typed. `as` is -, hex or percent. `hint` is for those whose answer is wrong. */
#ifndef WARPBOOK_GRADER_QUIZ_H
#define WARPBOOK_GRADER_QUIZ_H

#include "json.h"
#include "lab.h"

/* The most that one question varies. */
enum { QUIZ_VARIABLES = 8 };

typedef struct Question {
  const char *name, *vary, *ask, *run, *get, *as, *hint;
  uint32_t level, line; /* 1 to 3; in the file */
} Question;

typedef struct Quiz {
  Arena *arena;
  const char *path, *slug, *root; /* root: where warpsim is run */
  Question *questions;
  size_t count;
} Quiz;

/* The slugs of all quizzes, "partition", in the order of their chapters; *count of them. */
const char **quiz_list(const Course *course, size_t *count);

/* Reads the quiz that a word names: "partition", "01-partition" or "1". GPU_BAD_INPUT names those
 * that there are, or says what is wrong in the file. */
gpu_result quiz_open(Quiz *quiz, const Course *course, const char *word, Text *err);

/* Replaces what varies in a question by what the seed chooses. GPU_BAD_INPUT when `vary` is wrong
 * or a name in braces is none of it. */
gpu_result quiz_draw(Question *drawn, const Quiz *quiz, const Question *question, uint32_t seed,
                     Text *err);

/* Runs warpsim for the answer to a drawn question. GPU_BAD_INPUT when the run fails or the JSON has
 * no such part. */
gpu_result quiz_answer(const char **answer, const Quiz *quiz, const Question *drawn, Text *err);

/* Whether what was given means the answer: numbers are compared as numbers, decimal or 0x...,
 * percentages to within 0.1 and other fractions to within 1%, words without regard to case; lists,
 * separated by blanks or commas, member by member. */
bool quiz_right(const char *answer, const char *given);

/* The part of a JSON value at a path such as partition[-1].mask; NULL when there is none. */
const Json *quiz_pick(const Json *value, const char *path);

#endif
