/* tests/ops_check.h - every instruction form of hardware/ops beside an H200's results.
 *
 * hardware/ops/ops.tsv lists the forms, inputs-CLASS.tsv the operands of 64 threads, results.tsv
 * what an H200 made of them. `exact` forms must agree bit for bit. For `approx` forms the distance
 * from the H200's result is given, and whether it is within what the PTX ISA allows each of the
 * two. */
#ifndef WARPBOOK_TESTS_OPS_CHECK_H
#define WARPBOOK_TESTS_OPS_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gpu.h"

enum { OPS_MAX = 1024, OPS_THREADS = 64 };

typedef struct OpForm {
  char name[64], class[8], text[160];
  bool exact;
  bool ran;            /* false: fault, or not supported */
  int equal;           /* threads whose result is the H200's */
  int first_different; /* thread; -1: none */
  uint64_t got, want;  /* of that thread */
  double worst_ulp;    /* approx: largest distance in units of the last place ... */
  double worst_error;  /* ... and as a number, over inputs for which the ISA states a bound */
  double allowed_ulp, allowed_error; /* a thread passes within either */
  bool passes;
} OpForm;

/* Runs all forms on `dev`; returns how many there are, 0 when a file is missing. */
size_t ops_check(gpu_device *dev, OpForm forms[OPS_MAX]);

#endif
