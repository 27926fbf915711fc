/* cli/profile.h - a timed launch line by line of its source, and its trace file. */
#ifndef WARPBOOK_CLI_PROFILE_H
#define WARPBOOK_CLI_PROFILE_H

#include "cli/options.h"

/* Asks the device for what the options want: to be called before the launch. */
gpu_result views_begin(const Options *o, gpu_device *dev, Text *err);
/* Completes the trace, if one is written. */
gpu_result views_end(const Options *o, gpu_device *dev, Text *err);

void print_profile(gpu_device *dev, const gpu_module *mod);
/* Adds "profile":[...], to an object. */
void json_profile(Text *t, gpu_device *dev, const gpu_module *mod);

#endif
