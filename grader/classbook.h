/* classbook.h - the results of a whole class, and what is written from them. */
#ifndef WARPBOOK_GRADER_CLASSBOOK_H
#define WARPBOOK_GRADER_CLASSBOOK_H

#include "handin.h"
#include "result.h"

typedef struct ClassStudent {
  const Handin *handin;
  const char *notes; /* what was odd about the files, a line each; "" for nothing */
  Submission result; /* a lab each, in the order of ClassBook's */
} ClassStudent;

typedef struct ClassBook {
  Arena *arena;
  const Lab *labs; /* loaded */
  size_t lab_count;
  ClassStudent *students; /* by name */
  size_t count;
  const char *remarks; /* what lay in the class's folder and is nobody's, a line each */
} ClassBook;

/* The gradebook: Canvas's CSV, in which no cell is a formula, and JSON. Neither holds a time, so
 * that two runs give the same bytes. */
void classbook_csv(Text *out, const ClassBook *book);
void classbook_json(Text *out, const ClassBook *book);

/* JUnit's XML: a test suite a student and lab. */
void classbook_junit(Text *out, const ClassBook *book);
void submission_junit(Text *out, const Submission *s);

/* Web pages that need nothing else: one of the class, one a student. The student's keeps the cases
 * of hidden tests to itself. */
void classbook_html(Text *out, const ClassBook *book);
void student_html(Text *out, const ClassStudent *student);

#endif
