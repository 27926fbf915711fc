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
  uint32_t seed; /* in place of the tests' own seeds */
  SandboxKind sandbox;
} GradeRequest;

/* Grades, and fills in the result whatever happens; strings lie in the course's arena. The lab must
 * have been loaded. */
void grade_lab(LabResult *out, const Course *course, const GradeRequest *request);

/* What `grade one DIR` reads, a folder for each lab, and writes. */
#define ONE_SUBMISSION "submission"
#define ONE_RESULTS "results.json"

/* A result that says that the lab could not be graded, because of the grader. */
void grade_failed(LabResult *out, const Course *course, const Lab *lab, const char *message);

#endif
