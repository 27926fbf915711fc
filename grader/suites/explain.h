/* suites/explain.h - what the warps did before a failure: for `grade LAB --explain TEST`. */
#ifndef WARPBOOK_GRADER_EXPLAIN_H
#define WARPBOOK_GRADER_EXPLAIN_H

#include <stdbool.h>

#include "harness.h"

#include "base/arena.h"

enum { EXPLAIN_STEPS = 4096 };

/* A line of the student's file under a mask, and when: the cycles are gpu_event's. */
typedef struct Step {
  uint64_t block;
  uint32_t warp, line, lanes;
  int stall, throttle;
  uint64_t since, ready, turn, cycle;
} Step;

/* The last steps of the launches so far, oldest first from `count % EXPLAIN_STEPS` on. */
typedef struct Explanation {
  const char *file;    /* the student's */
  const bool *stopped; /* becomes true at the first failure: what follows is not kept */
  Step steps[EXPLAIN_STEPS];
  size_t count;
} Explanation;

/* The trace that keeps them; context is the Explanation. */
void explain_event(void *context, const gpu_event *event);

/* Draws the end of one warp's way, the fault's if there is one: each line with its lanes, then its
 * cycles. `source` is the file's text, `stats` those of the launch. */
void explain_draw(Text *out, Arena *arena, const Explanation *x, const char *source,
                  const gpu_stats *stats, const gpu_fault_info *fault);

#endif
