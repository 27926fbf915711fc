/* warpbook.h - structures of functions that the simulator calls while a kernel runs.
 *
 * ---- a divergence model --------------------------------------------------------------------------
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
 * plain numbers; in a kernel they grow with the text.
 *
 * ---- a warp scheduler ----------------------------------------------------------------------------
 *
 * A scheduler is one __device__ function, of a name of your own:
 *
 *   int mine(int core, const wb_warp *warps, int count, unsigned long long cycle)
 *     A sub-core can issue an instruction, and at least one of its warps is eligible: has all that
 *     its next instruction needs. Which warp issues? The answer is the index of an eligible warp, or
 *     -1 to issue nothing in this cycle.
 *
 * gpu_set_scheduler(), or `warpsim run --scheduler FILE.cu:mine`, puts it in place of the simulator's
 * own. `core` is a number from 0 to WB_CORES - 1: keep what you must remember in __device__ variables,
 * by core. The order of warps is that of their slots: a warp keeps its place among the others as long
 * as it is there, and a new one may come before or behind it. A launch
 * begins at cycle 0; variables hold what the last one left. Thinking costs no cycles. */
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

#define WB_CORES 1024

/* What a warp waits for. */
enum wb_wait {
  WB_NOTHING, /* it is eligible */
  WB_CODE,    /* its next instruction to be fetched, or a branch to be decided */
  WB_RESULT,  /* a result of arithmetic */
  WB_SHARED,  /* a result of shared memory, a shuffle or a special function */
  WB_MEMORY,  /* global or local memory */
  WB_UNIT,    /* the unit that is to execute it, which is busy */
  WB_BARRIER, /* other warps of its block at a barrier, or lanes of its own at a _sync function */
  WB_OTHERS,  /* another warp to write: it repeats a loop in which nothing changes */
  WB_ENDED    /* nothing: it has ended, and stays until its block does */
};

typedef struct wb_warp {
  int eligible;    /* 1: it can issue in this cycle */
  int waits_for;   /* a wb_wait */
  unsigned waited; /* cycles since it issued last, or since it began */
  unsigned issued; /* instructions that it has issued */
  unsigned age;    /* warps that began on its SM before it: the oldest has the smallest */
  int last;        /* 1: no other warp of the sub-core has issued since it did */
  unsigned block;  /* its block's number in the grid */
  unsigned warp;   /* its number in the block */
} wb_warp;
