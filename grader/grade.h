/* grade.h - grading one lab of one submission. */
#ifndef WARPBOOK_GRADER_GRADE_H
#define WARPBOOK_GRADER_GRADE_H

#include "lab.h"
#include "result.h"
#include "sandbox.h"

typedef struct GradeRequest {
  Lab *lab;
  const char *folder; /* of the submission */
  const char
      *arguments; /* what the user said besides the lab, for commands: "DIR", "--solution", "" */
  const TestSpec *only; /* one test, or NULL for all */
  bool explain;         /* trace what the warps did before a failure */
  bool has_seed;
  uint32_t seed;       /* in place of the tests' own seeds */
  const char *student; /* whose predictions they are; NULL: answers.txt says it */
  SandboxKind sandbox;
  const char *compiler; /* its version (key_compiler): goes into the result */
} GradeRequest;

/* Grades, and fills in the result whatever happens; strings lie in the course's arena. The lab must
 * have been loaded. */
void grade_lab(LabResult *out, const Course *course, const GradeRequest *request);

/* `grade one DIR`: grades FOLDER/submission/NN-slug/ into FOLDER/results.json. Returns the exit
 * status. */
#define ONE_SUBMISSION "submission"
#define ONE_RESULTS "results.json"
typedef struct OneRequest {
  Course *course;
  Lab *only; /* NULL: all */
  const char *folder, *compiler;
  const char *student; /* as GradeRequest's */
  uint64_t course_key;
  SandboxKind sandbox;
} OneRequest;
int grade_one(const OneRequest *request, Text *err);

/* A result that says that the lab could not be graded, because of the grader. */
void grade_failed(LabResult *out, const Course *course, const Lab *lab, const char *message);

#endif
