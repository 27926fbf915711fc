/* lab.h - the course's labs: folders labs/NN-slug, each described by its tests.tsv.
 *
 * tests.tsv holds three tables (see table.h), and a fourth one if there are variants:
 *   lab    value           title, files (the first one is the source), minutes, after
 *   test   category points hidden seeds hint title
 *   hint   text more       text: a nudge; more: what --hint shows besides
 *   variant numbers          see variant.h
 * `seeds` lists numbers, "1,2,3", or says "key:3": three seeds that follow from the course's key.
 */
#ifndef WARPBOOK_GRADER_LAB_H
#define WARPBOOK_GRADER_LAB_H

#include "table.h"

enum { SEEDS_MAX = 8, FILES_MAX = 8, NUMBERS_MAX = 8 };

typedef struct Hint {
  const char *id, *text, *more;
} Hint;

typedef struct TestSpec {
  const char *name, *category, *title, *hint;
  uint32_t points;
  bool hidden;
  uint32_t seeds[SEEDS_MAX];
  size_t seed_count;
  int (*variants)[NUMBERS_MAX];       /* the sets of numbers that a prediction may ask about, */
  size_t variant_count, number_count; /* how many sets, and numbers in each */
} TestSpec;

typedef struct Lab {
  /* From the folder's name: always there. */
  uint32_t number;
  const char *slug;   /* "partition" */
  const char *folder; /* "01-partition" */
  const char *path;   /* of the folder in labs/ */
  /* From tests.tsv: there after lab_load. */
  const char *title, *minutes, *after;
  const char *files[FILES_MAX]; /* what a student hands in; the first is the source */
  size_t file_count;
  TestSpec *tests;
  size_t test_count;
  Hint *hints;
  size_t hint_count;
} Lab;

typedef struct Course {
  Arena *arena;
  const char *root;   /* the folder that holds labs/ and solutions/ */
  const char *suites; /* the program that runs the tests */
  const char *key;    /* what "key:" seeds follow from */
  bool has_key;       /* false: it is the open one that everybody knows */
  Lab *labs;          /* by number */
  size_t lab_count;
} Course;

/* Finds the labs. The root is $WARPBOOK_ROOT or where the grader was built; the suites lie beside
 * the running program; the key is what the file $WARPBOOK_COURSE_KEY holds. */
gpu_result course_open(Course *course, Arena *arena, Text *err);

/* Official grading, which insists on the course's own compiler: asked for, or because a key is set.
 */
static inline bool course_is_official(const Course *c, bool wish) { return wish || c->has_key; }

/* The lab that a word names: "partition", "01-partition", "01" or "1". GPU_BAD_INPUT names the labs
 * that there are. */
gpu_result course_lab(Lab **lab, const Course *course, const char *word, Text *err);

/* Reads the lab's tests.tsv. What is wrong in it is GPU_INTERNAL: no student's fault. */
gpu_result lab_load(Lab *lab, const Course *course, Text *err);

/* NULL when there is none of that name. */
const TestSpec *lab_test(const Lab *lab, const char *name);
const Hint *lab_hint(const Lab *lab, const char *id);

/* A test that a word names; GPU_BAD_INPUT names the tests that there are. */
gpu_result lab_find_test(const TestSpec **test, const Lab *lab, const char *word, Text *err);

#endif
