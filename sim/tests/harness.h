/* tests/harness.h - one launch with one buffer of 32-bit words, for tests of behaviour. */
#ifndef WARPBOOK_TESTS_HARNESS_H
#define WARPBOOK_TESTS_HARNESS_H

#include "gpu.h"

enum { HARNESS_WORDS = 4096 };

typedef struct Run {
  gpu_device *dev;
  gpu_module *mod;
  gpu_result result;
  gpu_stats stats;
  uint32_t out[HARNESS_WORDS]; /* the buffer after the launch */
} Run;

typedef struct Setup {
  const char *file; /* under sim/tests/kernels/ */
  const char *ptx;  /* or PTX text */
  const char *kernel;
  gpu_dim grid, block; /* 0: 1 block; 32 threads */
  gpu_model model;
  gpu_check check;
  uint64_t seed;
  uint64_t limit;
  bool keep_going;
  bool timing;
  const char *scheduler; /* timing: NULL: the architecture's */
  gpu_trace_fn trace;    /* timing: called for every instruction */
  void *trace_context;
  bool step;              /* timing: cycle by cycle */
  bool profile;           /* timing: by line */
  const char *trace_file; /* timing: to be ended by the test */
  uint64_t trace_limit;
  const uint32_t *in; /* first words of the buffer; the rest is 0 */
  size_t in_count;
  int32_t n; /* a second, int parameter, when the kernel has two */
} Setup;

/* Runs kernel(unsigned *out[, int n]). Fails the test on bad input, not on faults. */
Run run_kernel(Setup setup);
void run_free(Run *run);
/* Is there a fault (or note) of this kind? */
bool run_has(const Run *run, gpu_fault_kind kind);
/* No fault and no note at all; else the test fails and shows the first. */
void run_expect_clean(const Run *run);
/* The first fault of the kind; the test fails when there is none. */
gpu_fault_info run_fault(const Run *run, gpu_fault_kind kind);

#endif
