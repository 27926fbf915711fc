// Lab 07: which warp issues?
//
// Replace every TODO. `./grade scheduler` says how far you are; README.md says what each function must
// answer. This is CUDA C; the simulator calls it in place of its own scheduler.
//
// A sub-core can issue one instruction in a cycle. warps[0 .. count-1] are the warps that it has;
// those with `eligible` have all that their next instruction needs, and there is at least one. The
// answer is the index of an eligible warp, or -1 to issue nothing.

#include "warpbook.h"  // wb_warp, WB_CORES, WB_MEMORY, WB_BARRIER, ...

#define TODO (-1)

// ---- 1. three that the simulator has, too -------------------------------------------------------

// The eligible warp that began first: the one with the smallest age.
__device__ int oldest(int core, const wb_warp *warps, int count, unsigned long long cycle) {
  return TODO;
}

// In turn: the first eligible warp behind the one that was chosen last on this sub-core, by index;
// behind the last comes index 0 again. At the beginning it is the turn of index 0.
__device__ int round_robin(int core, const wb_warp *warps, int count, unsigned long long cycle) {
  return TODO;
}

// Greedy, then oldest: the warp that issued last, as long as it is eligible; else the oldest.
__device__ int gto(int core, const wb_warp *warps, int count, unsigned long long cycle) {
  return TODO;
}

// ---- 2. your own --------------------------------------------------------------------------------

// Whatever you like. Fewer cycles are more points.
__device__ int mine(int core, const wb_warp *warps, int count, unsigned long long cycle) {
  return TODO;
}
