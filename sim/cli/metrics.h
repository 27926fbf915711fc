/* cli/metrics.h - what was counted in time, under the names that the vendor's profiler gives it. */
#ifndef WARPBOOK_CLI_METRICS_H
#define WARPBOOK_CLI_METRICS_H

#include "cli/launch.h"

/* Both do nothing when the launch was not timed. */
void print_metrics(gpu_device *dev, const Launch *launch, const Outcome *out);
/* Adds "metrics":{...},"warp_cycles":{...},"slot_cycles":{...}, to an object. */
void json_metrics(Text *t, gpu_device *dev, const Launch *launch, const Outcome *out);

/* Adds "NAME":{"selected":N,...}: cycles by what gpu_stall_name calls them. */
void json_account(Text *t, const char *name, const uint64_t *cycles);

#endif
