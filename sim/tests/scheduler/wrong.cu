// Schedulers with one mistake each; what the simulator must say is in test_scheduler.c.
#include "warpbook.h"

#define SCHEDULER(name)                                                               \
  __device__ int name(int core, const wb_warp *warps, int count, unsigned long long cycle)

__device__ int turns[WB_CORES];

__device__ int first(const wb_warp *warps) {
  int i = 0;
  while (!warps[i].eligible) i++;
  return i;
}

SCHEDULER(beyond) { return 4; }
SCHEDULER(below) { return -2; }
SCHEDULER(waiting) {
  for (int i = 0; i < count; i++)
    if (!warps[i].eligible) return i;
  return 0;
}
SCHEDULER(lazy) { return -1; }
SCHEDULER(slow) { for (;;) turns[core]++; }
SCHEDULER(wild) { return *(const int *)4; }
SCHEDULER(freed) { free((void *)warps); return 0; }

// Right, but each call takes its time.
SCHEDULER(busy) {
  for (int i = 0; i < 5000; i++) turns[core]++;
  return first(warps);
}
// Right, and leaves every second cycle unused.
SCHEDULER(every_second) { return cycle % 2 ? -1 : first(warps); }

__device__ int short_of_parameters(int core, const wb_warp *warps, int count) { return 0; }
