/* warpbook.h - structures of functions that the simulator calls while a kernel runs.
 *
 * A divergence model is five __device__ functions whose names begin with a word of your own, here
 * `mine`. They decide which lanes of a warp run next; gpu_set_divergence() (sim/gpu.h) puts them in
 * place of the simulator's own model.
 *
 *   void mine_start(int warp, unsigned lanes)
 *     A warp begins: these lanes have a thread, and stand at the kernel's first instruction.
 *   void mine_branch(int warp, const wb_branch *b)
 *     Lanes that ran together part.
 *   void mine_join(int warp, int pc, unsigned lanes)
 *     Lanes that ran together have come to pc, where some branch reconverges.
 *   void mine_leave(int warp, unsigned lanes)
 *     Lanes have ended. The others that ran with them go on behind.
 *   unsigned mine_next(int warp, unsigned ready)
 *     After each of these, and when the lanes that ran have to wait: which lanes run next? They must
 *     stand at one place. `ready` are those that can do something: not waiting at a barrier or a
 *     _sync function, nor repeating a loop in which nothing changes. If a chosen lane is not ready,
 *     the warp waits.
 *
 * Masks: bit l is lane l. `warp` is a number from 0 to WB_WARPS - 1; no two warps that have not
 * ended have the same one. Keep what you must remember in __device__ variables, by warp. Places are
 * plain numbers; in a kernel they grow with the text. */
#pragma once

#define WB_WARPS 64
#define WB_PATHS 32

typedef struct wb_branch {
  int pc;                  /* the branch */
  int rpc;                 /* where all paths from here meet: its immediate post-dominator */
  unsigned active;         /* the lanes that came to the branch together */
  int paths;               /* 2 or more */
  int target[WB_PATHS];    /* where each path goes on, in source order; it may be rpc */
  unsigned mask[WB_PATHS]; /* its lanes: every active lane is on one path */
} wb_branch;
