// The SIMT stack, as a divergence model for gpu_set_divergence: what GPU_MODEL_STACK does.
#include "warpbook.h"

struct Entry {
  int pc, rpc;  // where its lanes are, or will be; where it is popped
  unsigned lanes;
};

__device__ Entry stack[WB_WARPS][66];
__device__ int top[WB_WARPS];  // index of the entry that runs

__device__ void stack_start(int warp, unsigned lanes) {
  stack[warp][0] = Entry{0, -1, lanes};
  top[warp] = 0;
}

__device__ void stack_branch(int warp, const wb_branch *b) {
  Entry *now = &stack[warp][top[warp]];
  now->pc = b->rpc;  // goes on there, once all paths have come
  for (int i = b->paths - 1; i >= 0; i--)
    if (b->target[i] != b->rpc) stack[warp][++top[warp]] = Entry{b->target[i], b->rpc, b->mask[i]};
}

__device__ void stack_join(int warp, int pc, unsigned lanes) {
  stack[warp][top[warp]].pc = pc;
}

__device__ void stack_leave(int warp, unsigned lanes) {
  for (int i = 0; i <= top[warp]; i++) stack[warp][i].lanes &= ~lanes;
}

__device__ unsigned stack_next(int warp, unsigned ready) {
  for (;;) {
    const Entry *e = &stack[warp][top[warp]];
    if (e->lanes != 0 && e->pc != e->rpc) return e->lanes;
    if (top[warp] == 0) return e->lanes;
    top[warp]--;
  }
}
