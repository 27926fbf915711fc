/* cli/functions.h - functions of a file in the place of parts of the simulator: --divergence and
 * --scheduler. */
#ifndef WARPBOOK_CLI_FUNCTIONS_H
#define WARPBOOK_CLI_FUNCTIONS_H

#include "cli/options.h"

/* Loads the files that the two options name, and sets what they say. */
gpu_result use_functions(const Options *o, gpu_device *dev, Text *err);

#endif
