/* tests/mutant.h - submissions made of a lab's solution and a change to it: wrong ones, mutants,
 * and ones that are right in another way.
 *
 * NAME.cu takes the place of the lab's source; NAME.diff changes the solution's files:
 *
 *   # Rounded down.
 *   -  return (threads + WARP - 1) / WARP;
 *   +  return threads / WARP;
 *
 * The lines with - are in one of the files, once, and the lines with + come in their place. A
 * line of neither kind begins the next such change. */
#ifndef WARPBOOK_GRADER_TESTS_MUTANT_H
#define WARPBOOK_GRADER_TESTS_MUTANT_H

#include "../lab.h"

/* A fresh folder that holds the submission; to be removed with remove_submission. The path is
 * relative to the course. One that cannot be made fails the test. */
void make_variant(char *folder, size_t size, const Lab *lab, const char *path);
/* The same with grader/mutants/NN-slug/NAME. */
void make_mutant(char *folder, size_t size, const Lab *lab, const char *name);

#endif
