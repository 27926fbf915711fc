/* tests/run.h - running `grade` as a user does, and asking its JSON. */
#ifndef WARPBOOK_GRADER_TESTS_RUN_H
#define WARPBOOK_GRADER_TESTS_RUN_H

#include "../json.h"
#include "base/arena.h"

typedef struct GradeRun {
  int status;   /* exit status; -1 when a signal ended it */
  Text out;     /* what it printed, both streams */
  Arena *arena; /* of the JSON */
  Json *json;   /* NULL when what it printed is not JSON */
} GradeRun;

enum { RUN_WORDS = 12 };

/* Runs build/grade with these words; the list ends with NULL. */
GradeRun run_grade(const char *const words[RUN_WORDS]);
#define RUN(...) run_grade((const char *const[RUN_WORDS]){__VA_ARGS__, NULL})
void run_end(GradeRun *run);

/* Fails the test unless the run ended with this status; shows what was printed. */
void expect_status(const GradeRun *run, int status);
/* Fails the test unless what was printed holds, or does not hold, the text. */
void expect_text(const GradeRun *run, const char *text);
void expect_no_text(const GradeRun *run, const char *text);

/* The first lab of the JSON, and a test of it by name; never NULL. */
const Json *run_lab(const GradeRun *run);
const Json *run_test(const GradeRun *run, const char *name);

/* A fresh, empty folder; and a file in it. */
void make_folder(char *folder, size_t size);
void put_file(const char *folder, const char *name, const char *text);

/* A fresh folder that holds partition.cu with this text and the solution's answers. */
const char *make_submission(char *folder, size_t size, const char *source);
/* The same with the solution in which `from`, which must occur once, is replaced by `to`. */
const char *make_changed(char *folder, size_t size, const char *from, const char *to);
/* Removes the folder and its files. */
void remove_submission(const char *folder);

/* A whole file of the course, path relative to its root; to be freed. */
char *course_file(const char *path);

#endif
