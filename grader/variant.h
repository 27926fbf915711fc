/* variant.h - predictions with a student's own numbers.
 *
 * tests.tsv may hold a table `variant`: a row a prediction, and in the column `numbers` what it may
 * ask about, "257 | 193 | 545", several numbers being "16,16,3,5". The first set is that of the
 * lab's answers.txt, which shows them in square brackets in the comment before the line `NAME =`.
 * A student's name chooses one of the others; `grade new --student ID` puts its numbers between the
 * brackets, and says whose they are in a line `student = ID`. */
#ifndef WARPBOOK_GRADER_VARIANT_H
#define WARPBOOK_GRADER_VARIANT_H

#include "lab.h"

/* The file that predictions are written in, and the line in it that says whose they are. */
#define ANSWERS_FILE "answers.txt"
#define STUDENT_LINE "student"

/* GPU_BAD_INPUT with a message when it cannot stand in that line. */
gpu_result student_check(const char *id, Text *err);

/* Reads a cell of the column `numbers`; false when it is not as it should be. */
bool variants_read(TestSpec *test, Arena *arena, const char *cell);

/* The set of numbers that a prediction has for a student: 0 for NULL or "", and where there is only
 * one; else one from 1 on. Whether letters are capital does not matter. */
size_t variant_of(const Lab *lab, const TestSpec *test, const char *student);

/* The student that the text of an answers.txt names, in the arena; NULL when it names none. */
const char *variant_student(Arena *arena, const char *answers);

/* Adds the lab's answers.txt with the student's line and numbers. GPU_INTERNAL when its brackets do
 * not hold the first set of the lab's table. */
gpu_result variant_answers(Text *out, const Lab *lab, const char *template, const char *student,
                           Text *err);

/* The text from its first character on that is no blank and no tab. */
const char *skip_blanks(const char *text);
/* What follows `name =` on a line of an answers.txt, or NULL. */
const char *answer_on_line(const char *line, const char *name);

#endif
