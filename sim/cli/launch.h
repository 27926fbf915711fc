/* cli/launch.h - one launch of a kernel: its arguments become buffers on the device, the kernel
 * runs, and what it left is read back. `run` does it once, `batch` once a case. */
#ifndef WARPBOOK_CLI_LAUNCH_H
#define WARPBOOK_CLI_LAUNCH_H

#include "cli/arg.h"

typedef struct Launch Launch;

/* Runs a kernel in some way of its own, as gpu_launch does. */
typedef gpu_result DriveFn(void *context, gpu_device *dev, const gpu_module *mod,
                           gpu_kernel *kernel, const Launch *launch, void *const *args);

struct Launch {
  const char *kernel; /* NULL: the only one of the module */
  gpu_dim grid, block;
  uint32_t shared;
  bool flush; /* empty L2 first */
  Arg *args;
  size_t arg_count;
  DriveFn *drive; /* NULL: gpu_launch */
  void *drive_context;
};

typedef struct Buffer {
  const Arg *arg;
  uint64_t count; /* elements */
  gpu_ptr address;
  uint8_t *data; /* what the kernel left, for outputs and cyc buffers; else NULL */
} Buffer;

/* What a cyc buffer says: spans are last end clock - first start clock on one SM, averaged over the
 * SMs used; warp_mean is the mean of end - start over the warps. */
typedef struct Timing {
  bool present;
  double span, warp_mean;
} Timing;

typedef struct Outcome {
  gpu_result result; /* GPU_OK or GPU_FAULT once the kernel ran */
  const gpu_module *module;
  gpu_kernel *kernel;
  gpu_stats stats;
  bool timed;
  gpu_timing cycles; /* when timed */
  Buffer *buffers;   /* in the order of the arguments */
  size_t buffer_count;
  Timing timing;
} Outcome;

/* Reads the words of a list of arguments into launch->args. */
gpu_result launch_parse_args(Launch *launch, const char *const *words, size_t count, Text *err);
void launch_free(Launch *launch);

/* Runs it. Returns what outcome->result holds when the kernel ran (a fault is no error: err stays
 * empty, and gpu_fault() tells), else GPU_BAD_INPUT or GPU_INTERNAL with err filled. */
gpu_result launch_run(gpu_device *dev, gpu_module *mod, const Launch *launch, Outcome *outcome,
                      Text *err);
void outcome_free(Outcome *outcome);

/* Rows "id buffer type values", as in values.tsv, one an output buffer. Long buffers appear as an
 * FNV-1a-64 hash of their bytes: over 8192 elements where the id begins with app_, else over 1024.
 */
void outcome_values(const Outcome *outcome, const char *id, Text *out);

/* The faults' reports, one after the other. */
void add_fault_reports(const gpu_device *dev, Text *out);

#endif
