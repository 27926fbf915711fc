// Lab 07: which warp issues?
//
// Replace every TODO. `./grade scheduler` says how far you are; README.md says what each function must
// answer. This is CUDA C; the simulator calls it in place of its own scheduler.
//
// A sub-core can issue one instruction in a cycle. warps[0 .. count-1] are the warps that it has;
// those with `eligible` have all that their next instruction needs, and there is at least one. The
// answer is the index of an eligible warp, or -1 to issue nothing.

#include "warpbook.h"  // wb_warp, WB_CORES, WB_MEMORY, WB_BARRIER, ...

// ---- 1. three that the simulator has, too -------------------------------------------------------

// The eligible warp that began first: the one with the smallest age.
__device__ int oldest(int core, const wb_warp *warps, int count, unsigned long long cycle) {
  int best = -1;
  for (int i = 0; i < count; i++) {
    if (!warps[i].eligible) continue;
    if (best < 0 || warps[i].age < warps[best].age) best = i;
  }
  return best;
}

__device__ int turn[WB_CORES];  // the index that it looks at first

// In turn: the first eligible warp behind the one that was chosen last on this sub-core, by index;
// behind the last comes index 0 again. At the beginning it is the turn of index 0.
__device__ int round_robin(int core, const wb_warp *warps, int count, unsigned long long cycle) {
  for (int n = 0; n < count; n++) {
    int i = (turn[core] + n) % count;
    if (!warps[i].eligible) continue;
    turn[core] = i + 1;
    return i;
  }
  return -1;
}

// Greedy, then oldest: the warp that issued last, as long as it is eligible; else the oldest.
__device__ int gto(int core, const wb_warp *warps, int count, unsigned long long cycle) {
  for (int i = 0; i < count; i++)
    if (warps[i].last && warps[i].eligible) return i;
  return oldest(core, warps, count, cycle);
}

// ---- 2. your own --------------------------------------------------------------------------------

__device__ unsigned begun[WB_CORES][64];  // by age: what a warp had issued when its burst began

// Instructions since the warp waited for memory: its burst.
__device__ unsigned burst(int core, const wb_warp *w) {
  unsigned *start = &begun[core][w->age % 64];
  if (w->waits_for == WB_MEMORY || w->waited > 300) *start = w->issued;
  return w->issued - *start;
}

// Stays with a warp, so that they come to their loads one after the other; but one that has been at
// it for long makes room for those that may need only a few cycles before they wait again.
__device__ int mine(int core, const wb_warp *warps, int count, unsigned long long cycle) {
  const unsigned LONG = 32;
  int best = -1;
  unsigned level = 0;
  for (int i = 0; i < count; i++) {
    unsigned own = burst(core, &warps[i]) / LONG;
    if (!warps[i].eligible) continue;
    if (best >= 0 && (own > level || (own == level && !warps[i].last))) continue;
    best = i;
    level = own;
  }
  return best;
}
