/* timing/custom.h - a scheduler written in CUDA: a function of a module, called whenever a sub-core
 * has a warp that could issue.
 *
 * What it is told and asked is described for its authors in cuda/warpbook.h. */
#ifndef WARPBOOK_TIMING_CUSTOM_H
#define WARPBOOK_TIMING_CUSTOM_H

#include "timing/sm.h"

enum {
  CUSTOM_CORES = 1024,    /* WB_CORES in cuda/warpbook.h */
  CUSTOM_PATIENCE = 10000 /* cycles in a row in which a sub-core may be left idle on purpose */
};

typedef struct CustomScheduler CustomScheduler;

/* The parameters that the function must have, as a message shows them. */
#define CUSTOM_PROTOTYPE                                                                           \
  "int %s(int core, const wb_warp *warps, int count, unsigned long long cycle)"
bool custom_fits(const Function *fn);

/* NULL: out of memory. `name` is the function's, for messages. */
CustomScheduler *custom_new(Machine *m, Function *fn, const char *name);
void custom_free(CustomScheduler *s, Machine *m);
/* A launch begins. */
void custom_begin(CustomScheduler *s, Machine *m);

/* With a CustomScheduler as its context. */
extern const Scheduler custom_scheduler;

#endif
