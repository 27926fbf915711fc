// The simulator's own schedulers, as functions for gpu_set_scheduler: `warpsim help schedulers`.
#include "warpbook.h"

#define ACTIVE 4

__device__ int turn[WB_CORES];  // round robin: where it looks first
__device__ unsigned active[WB_CORES][ACTIVE];  // two-level: the ages, plus 1, of those that may issue

__device__ bool is_active(int core, const wb_warp *w);

__device__ int next_in_turn(int core, const wb_warp *warps, int count, bool active_only) {
  for (int n = 0; n < count; n++) {
    int i = (turn[core] + n) % count;
    if (!warps[i].eligible || (active_only && !is_active(core, &warps[i]))) continue;
    turn[core] = i + 1;
    return i;
  }
  return -1;
}

__device__ int same_again(const wb_warp *warps, int count) {
  for (int i = 0; i < count; i++)
    if (warps[i].eligible && warps[i].last) return i;
  return -1;
}

__device__ int lrr(int core, const wb_warp *warps, int count, unsigned long long cycle) {
  return next_in_turn(core, warps, count, false);
}

__device__ int oldest(int core, const wb_warp *warps, int count, unsigned long long cycle) {
  int best = -1;
  for (int i = 0; i < count; i++)
    if (warps[i].eligible && (best < 0 || warps[i].age < warps[best].age)) best = i;
  return best;
}

__device__ int gto(int core, const wb_warp *warps, int count, unsigned long long cycle) {
  int same = same_again(warps, count);
  return same >= 0 ? same : oldest(core, warps, count, cycle);
}

__device__ int grr(int core, const wb_warp *warps, int count, unsigned long long cycle) {
  int same = same_again(warps, count);
  return same >= 0 ? same : next_in_turn(core, warps, count, false);
}

__device__ bool waits_long(const wb_warp *w) {
  return w->waits_for == WB_MEMORY || w->waits_for == WB_BARRIER || w->waits_for == WB_OTHERS ||
         w->waits_for == WB_ENDED;
}

__device__ bool is_active(int core, const wb_warp *w) {
  for (int i = 0; i < ACTIVE; i++)
    if (active[core][i] == w->age + 1) return true;
  return false;
}

__device__ int two_level(int core, const wb_warp *warps, int count, unsigned long long cycle) {
  unsigned stay[ACTIVE] = {0}, n = 0;
  for (int i = 0; i < count; i++)
    if (is_active(core, &warps[i]) && !waits_long(&warps[i])) stay[n++] = warps[i].age + 1;
  for (int i = 0; i < count && n < ACTIVE; i++)
    if (!is_active(core, &warps[i]) && !waits_long(&warps[i])) stay[n++] = warps[i].age + 1;
  for (int i = 0; i < ACTIVE; i++) active[core][i] = stay[i];
  return next_in_turn(core, warps, count, true);
}
