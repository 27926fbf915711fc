/* cli/occupancy.c - `warpsim occupancy` and `warpsim archs`. */
#include "cli/options.h"

gpu_result occupancy_command(const Options *o, Text *err) {
  (void)o;
  return fail(err, "occupancy is not available in this version");
}

gpu_result archs_command(const Options *o, Text *err) {
  (void)o;
  return fail(err, "archs is not available in this version");
}
