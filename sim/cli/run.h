/* cli/run.h - what `run` and `step` have in common. */
#ifndef WARPBOOK_CLI_RUN_H
#define WARPBOOK_CLI_RUN_H

#include "cli/launch.h"
#include "cli/options.h"

/* Runs the kernel that the options name by `drive` (NULL: at once), and prints what happened. */
gpu_result run_driven(const Options *o, DriveFn *drive, void *context, Text *err);

#endif
