// Lab 05, solved: who runs next, when the lanes of a warp have parted.

#include "warpbook.h"

// ---- 1. the SIMT stack --------------------------------------------------------------------------

struct Entry {
  int pc;
  int rpc;
  unsigned lanes;
};

struct Stack {
  Entry entry[80];
  int top;
};

__device__ Stack stacks[WB_WARPS];

__device__ void push(Stack *s, int pc, int rpc, unsigned lanes) {
  s->entry[++s->top] = Entry{pc, rpc, lanes};
}

__device__ void stack_start(int warp, unsigned lanes) {
  Stack *s = &stacks[warp];
  s->top = -1;
  push(s, 0, -1, lanes);
}

// The entry that runs keeps all its lanes, and goes on where they meet; above it each path gets an
// entry of its own. A path that begins at the meeting point has nothing to do before it.
__device__ void stack_branch(int warp, const wb_branch *b) {
  Stack *s = &stacks[warp];
  s->entry[s->top].pc = b->rpc;
  for (int i = b->paths - 1; i >= 0; i--)
    if (b->target[i] != b->rpc) push(s, b->target[i], b->rpc, b->mask[i]);
}

__device__ void stack_join(int warp, int pc, unsigned lanes) {
  Stack *s = &stacks[warp];
  s->entry[s->top].pc = pc;
}

// Lanes that have ended are in several entries: in the one that ran, and in those that wait for it.
__device__ void stack_leave(int warp, unsigned lanes) {
  Stack *s = &stacks[warp];
  for (int i = 0; i <= s->top; i++) s->entry[i].lanes &= ~lanes;
}

// Pops what is empty or has come to its reconvergence point.
__device__ unsigned stack_next(int warp, unsigned ready) {
  Stack *s = &stacks[warp];
  while (s->top > 0) {
    const Entry *e = &s->entry[s->top];
    if (e->lanes != 0 && e->pc != e->rpc) break;
    s->top--;
  }
  return s->entry[s->top].lanes;
}

// ---- 2. independent thread scheduling -----------------------------------------------------------

struct Group {
  unsigned lanes;
  int waits;
};

struct Meeting {
  int pc;
  unsigned members;
};

struct State {
  Group group[32];
  Meeting meeting[64];
};

__device__ State states[WB_WARPS];

__device__ void its_start(int warp, unsigned lanes) {
  State *s = &states[warp];
  for (int i = 0; i < 32; i++) s->group[i] = Group{0, -1};
  for (int i = 0; i < 64; i++) s->meeting[i] = Meeting{0, 0};
  s->group[0].lanes = lanes;
}

__device__ void add_group(State *s, unsigned lanes) {
  int i = 0;
  while (s->group[i].lanes != 0) i++;
  s->group[i] = Group{lanes, -1};
}

// Lanes that part are to meet at pc, unless a meeting there expects them already: a loop parts its
// lanes in every round, and they all meet behind it.
__device__ void plan_meeting(State *s, int pc, unsigned lanes) {
  int free = 0;
  for (int i = 0; i < 64; i++) {
    const Meeting *m = &s->meeting[i];
    if (m->members != 0 && m->pc == pc && (lanes & ~m->members) == 0) return;
    if (m->members == 0) free = i;
  }
  s->meeting[free] = Meeting{pc, lanes};
}

// When all members of the meeting wait there, they become one group.
__device__ void hold_meeting(State *s, int m) {
  unsigned there = 0;
  for (int i = 0; i < 32; i++)
    if (s->group[i].waits == m) there |= s->group[i].lanes;
  if ((s->meeting[m].members & ~there) != 0) return;
  s->meeting[m].members = 0;
  for (int i = 0; i < 32; i++)
    if (s->group[i].waits == m) s->group[i] = Group{0, -1};
  if (there != 0) add_group(s, there);
}

// The meeting at pc that expects these lanes; where one is inside another, the smaller one. -1: none.
__device__ int find_meeting(const State *s, int pc, unsigned lanes) {
  int best = -1;
  for (int i = 0; i < 64; i++) {
    unsigned members = s->meeting[i].members;
    if (s->meeting[i].pc != pc || (members & lanes) == 0) continue;
    if (best < 0 || __popc(members) < __popc(s->meeting[best].members)) best = i;
  }
  return best;
}

__device__ void its_join(int warp, int pc, unsigned lanes) {
  State *s = &states[warp];
  int m = find_meeting(s, pc, lanes);
  if (m < 0) return;
  for (int i = 0; i < 32; i++)
    if (s->group[i].lanes & lanes) s->group[i].waits = m;
  hold_meeting(s, m);
}

__device__ void its_branch(int warp, const wb_branch *b) {
  State *s = &states[warp];
  for (int i = 0; i < 32; i++) s->group[i].lanes &= ~b->active;
  plan_meeting(s, b->rpc, b->active);
  for (int i = 0; i < b->paths; i++) {
    add_group(s, b->mask[i]);
    its_join(warp, b->target[i], b->mask[i]);  // a path may begin where others are to be met
  }
}

__device__ void its_leave(int warp, unsigned lanes) {
  State *s = &states[warp];
  for (int i = 0; i < 32; i++) s->group[i].lanes &= ~lanes;
  for (int i = 0; i < 64; i++) {
    if ((s->meeting[i].members & lanes) == 0) continue;
    s->meeting[i].members &= ~lanes;
    hold_meeting(s, i);
  }
}

// A group that is ready and does not wait. If there is none, those that are missing at a meeting are
// stuck, and perhaps only because others wait for them: one group that waits goes on without them.
__device__ unsigned its_next(int warp, unsigned ready) {
  State *s = &states[warp];
  for (int i = 0; i < 32; i++)
    if ((s->group[i].lanes & ready) != 0 && s->group[i].waits < 0) return s->group[i].lanes;
  for (int i = 0; i < 32; i++) {
    Group *g = &s->group[i];
    if ((g->lanes & ready) == 0) continue;
    s->meeting[g->waits].members &= ~g->lanes;
    g->waits = -1;
    return g->lanes;
  }
  return 0;
}

// ---- 3. a lock ----------------------------------------------------------------------------------

__global__ void spin(int *lock, volatile int *counter) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  *counter = *counter + 1;
  __threadfence();
  atomicExch(lock, 0);
}

// The lane that gets the lock does its work and unlocks in the same round of the loop. So nobody has
// to leave the loop, and wait behind it for the others, while it holds what they need.
__global__ void locked_sum(int *lock, volatile int *sum, const int *value) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      __threadfence();
      *sum = *sum + value[thread];
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}
