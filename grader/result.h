/* result.h - the one model of what grading found.
 *
 *   Submission   what one student handed in
 *     LabResult    one lab of it
 *       TestResult   one test of that lab
 *
 * Grading fills it in; everything that leaves the grader (the report in the terminal, JSON, and
 * whatever a platform wants) is written from it and from nothing else. All strings live in the
 * arena that grading was given; a NULL string means "nothing to say". */
#ifndef WARPBOOK_GRADER_RESULT_H
#define WARPBOOK_GRADER_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "json.h"

/* The exit status of the command, and of one lab: the worst of them counts. */
typedef enum GradeStatus {
  GRADE_FULL = 0,         /* full marks */
  GRADE_BELOW = 1,        /* fewer */
  GRADE_NOT_GRADABLE = 2, /* bad usage, or a submission that does not compile: no score */
  GRADE_ERROR = 3         /* the grader itself failed: no score, never a zero */
} GradeStatus;

/* That of a command which stopped with this result and its message. */
GradeStatus status_of_result(gpu_result result);

typedef enum TestStatus {
  TEST_PASSED,
  TEST_FAILED,
  TEST_NOT_RUN,     /* the submission was not gradable */
  TEST_GRADER_ERROR /* the grader failed: the test says nothing about the submission */
} TestStatus;

typedef struct TestResult {
  const char *name, *title, *category;
  double points, max;
  TestStatus status;
  bool unwritten;      /* failed, because there is nothing there yet: no hint before a first try */
  bool hidden;         /* details are for the instructor */
  const char *message; /* what happened, where expected and got do not say it all */
  const char *call;    /* the call at the first mismatch: "warps_per_block(257)" */
  const char *expected, *got;
  const char *file;        /* the student's file, */
  uint32_t line;           /* the line in it (from 1; 0: none), */
  const char *source_line; /* and that line's text */
  const char *explain;     /* what the warp did before, a line each with its lanes */
  const char *picture;     /* a drawing of lanes, several lines */
  const char *fault;       /* the kind's word, when a fault ended the call: "out-of-bounds" */
  const char *hint_id, *hint, *hint_more;
  bool has_seed;
  uint32_t seed;
  const char *replay; /* the command that runs exactly the failing case */
  double seconds;
} TestResult;

typedef struct LabResult {
  const char *slug, *title, *folder; /* folder: where the submission lies */
  uint32_t number;
  GradeStatus status;
  const char *message; /* why there is no score */
  const char *command; /* what grades it again: "./grade partition" */
  double points, max;
  TestResult *tests; /* in the order of the lab's table; those that were asked for */
  size_t test_count;
  bool partial;         /* only some of the lab's tests were asked for */
  bool untouched;       /* the source is still the starter */
  bool missing;         /* nothing was handed in */
  const char *compiler; /* the compiler's version */
  const char *ptx_hash; /* of what the compiler made of the submission */
  const char *sandbox;  /* "bubblewrap", or "limits only" */
  const char *key;      /* of all that the result follows from; NULL when nobody asks for it */
  const char *notes;    /* what was odd about the files, a line each */
  double seconds;
} LabResult;

typedef struct Submission {
  const char *name; /* whose, or what: "labs", "solutions" */
  GradeStatus status;
  double points, max; /* of the labs that have a score */
  LabResult *labs;
  size_t lab_count;
} Submission;

/* The words of JSON: "passed", "failed", "not_run", "grader_error". */
const char *test_status_word(TestStatus status);
/* The words of JSON: "full", "below", "not_gradable", "grader_error". */
const char *grade_status_word(GradeStatus status);

/* Sums up tests into points, max and (unless it is already worse) status. */
void lab_total(LabResult *lab);
/* Sums up labs the same way. */
void submission_total(Submission *s);

/* The whole submission as JSON, with a newline at the end. Hidden tests keep their details to
 * themselves unless `instructor`. */
void submission_json(Text *out, const Submission *s, bool instructor);
/* Reads it back, except folder, replay and the grader's command; false when it is none of ours. The
 * strings are those of the JSON. */
bool submission_read(Submission *s, Arena *arena, const Json *json);

#endif
