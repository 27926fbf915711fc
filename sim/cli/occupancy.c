/* cli/occupancy.c - `warpsim occupancy`: how many blocks an SM holds. */
#include "cli/options.h"

gpu_result occupancy_command(const Options *o, Text *err) {
  (void)o;
  return fail(err, "occupancy is not available in this version");
}
