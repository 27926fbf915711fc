// Divergence models with one mistake each; what the simulator must say is in test_policy.c.
#include "warpbook.h"

__device__ unsigned all[WB_WARPS];
__device__ unsigned parts[WB_WARPS][2];

#define START(name) __device__ void name##_start(int w, unsigned lanes) { all[w] = lanes; parts[w][0] = parts[w][1] = 0; }
#define BRANCH(name) __device__ void name##_branch(int w, const wb_branch *b) { parts[w][0] = b->mask[0]; parts[w][1] = b->mask[1]; }
#define JOIN(name) __device__ void name##_join(int w, int pc, unsigned lanes) {}
#define LEAVE(name) __device__ void name##_leave(int w, unsigned lanes) { all[w] &= ~lanes; }

// Never lets lanes part.
START(together) BRANCH(together) JOIN(together) LEAVE(together)
__device__ unsigned together_next(int w, unsigned ready) { return all[w]; }

// Runs one path of a branch only, and forgets the other lanes.
START(lost) BRANCH(lost) JOIN(lost)
__device__ void lost_leave(int w, unsigned lanes) { all[w] &= ~lanes; parts[w][0] &= ~lanes; }
__device__ unsigned lost_next(int w, unsigned ready) { return parts[w][1] ? parts[w][0] : all[w]; }

// Goes on with lanes that have returned.
START(undead) BRANCH(undead) JOIN(undead)
__device__ void undead_leave(int w, unsigned lanes) {}
__device__ unsigned undead_next(int w, unsigned ready) { return parts[w][0] ? parts[w][0] : all[w]; }

// Makes up lanes.
START(more) BRANCH(more) JOIN(more) LEAVE(more)
__device__ unsigned more_next(int w, unsigned ready) { return 0xffffffff; }

// Thinks for ever.
START(slow) BRANCH(slow) JOIN(slow) LEAVE(slow)
__device__ unsigned slow_next(int w, unsigned ready) { for (;;) all[w]++; }

// Writes where there is nothing.
START(wild) BRANCH(wild) LEAVE(wild)
__device__ void wild_join(int w, int pc, unsigned lanes) { all[w * 1000 + 100000] = 1; }
__device__ unsigned wild_next(int w, unsigned ready) {
  unsigned turn = parts[w][0] & ready;
  return turn ? turn : ready;
}

// Right, but each call takes its time.
START(busy) JOIN(busy) LEAVE(busy)
__device__ void busy_branch(int w, const wb_branch *b) {}
__device__ unsigned busy_next(int w, unsigned ready) {
  for (int i = 0; i < 5000; i++) parts[w][0]++;
  return ready & -ready;
}

// Frees what is not its own.
START(free) JOIN(free) LEAVE(free)
__device__ void free_branch(int w, const wb_branch *b) {
  parts[w][0] = b->mask[0];
  free((void *)b);
}
__device__ unsigned free_next(int w, unsigned ready) {
  unsigned turn = parts[w][0] & ready;
  return turn ? turn : ready;
}

// Lacks busy_next's parameter.
START(short) BRANCH(short) JOIN(short) LEAVE(short)
__device__ unsigned short_next(int w) { return all[w]; }
