// Independent thread scheduling, as a divergence model for gpu_set_divergence: lanes that parted wait
// for one another at the reconvergence point, but not when only waiting lanes are left to run.
#include "warpbook.h"

struct Group {
  unsigned lanes;
  int waits;  // for the other members of this meeting; -1: it does not wait
};

struct Meeting {
  int pc;
  unsigned members;  // 0: free
};

struct State {
  Group group[32];
  Meeting meeting[64];
};

__device__ State states[WB_WARPS];

__device__ void its_start(int warp, unsigned lanes) {
  State *s = &states[warp];
  for (int i = 0; i < 32; i++) s->group[i] = Group{0, -1};
  for (int i = 0; i < 64; i++) s->meeting[i].members = 0;
  s->group[0].lanes = lanes;
}

__device__ void add_group(State *s, unsigned lanes) {
  int i = 0;
  while (s->group[i].lanes) i++;
  s->group[i] = Group{lanes, -1};
}

// Lanes that part are to meet at pc, unless a meeting there expects them already: a loop's exit.
__device__ void expect(State *s, int pc, unsigned lanes) {
  int free = -1;
  for (int i = 0; i < 64; i++) {
    const Meeting *m = &s->meeting[i];
    if (m->members && m->pc == pc && (lanes & ~m->members) == 0) return;
    if (!m->members) free = i;
  }
  if (free >= 0) s->meeting[free] = Meeting{pc, lanes};
}

// Makes one group of all that wait for the meeting, if nobody is missing.
__device__ void meet(State *s, int m) {
  unsigned there = 0;
  for (int i = 0; i < 32; i++)
    if (s->group[i].lanes && s->group[i].waits == m) there |= s->group[i].lanes;
  if (s->meeting[m].members & ~there) return;
  s->meeting[m].members = 0;
  for (int i = 0; i < 32; i++)
    if (s->group[i].waits == m) s->group[i] = Group{0, -1};
  if (there) add_group(s, there);
}

__device__ void its_join(int warp, int pc, unsigned lanes) {
  State *s = &states[warp];
  int m = -1;
  for (int i = 0; i < 64; i++) {
    if (!(s->meeting[i].members & lanes) || s->meeting[i].pc != pc) continue;
    if (m < 0 || !(s->meeting[m].members & ~s->meeting[i].members)) continue;
    m = i;
  }
  for (int i = 0; i < 64 && m < 0; i++)
    if ((s->meeting[i].members & lanes) && s->meeting[i].pc == pc) m = i;
  if (m < 0) return;
  for (int i = 0; i < 32; i++)
    if (s->group[i].lanes & lanes) s->group[i].waits = m;
  meet(s, m);
}

__device__ void its_branch(int warp, const wb_branch *b) {
  State *s = &states[warp];
  for (int i = 0; i < 32; i++) s->group[i].lanes &= ~b->active;
  expect(s, b->rpc, b->active);
  for (int i = 0; i < b->paths; i++) {
    add_group(s, b->mask[i]);
    its_join(warp, b->target[i], b->mask[i]);  // a path may begin where others are to be met
  }
}

__device__ void its_leave(int warp, unsigned lanes) {
  State *s = &states[warp];
  for (int i = 0; i < 32; i++) s->group[i].lanes &= ~lanes;
  for (int i = 0; i < 64; i++) {
    if (!(s->meeting[i].members & lanes)) continue;
    s->meeting[i].members &= ~lanes;
    meet(s, i);
  }
}

__device__ unsigned its_next(int warp, unsigned ready) {
  State *s = &states[warp];
  for (int i = 0; i < 32; i++)
    if (s->group[i].lanes & ready && s->group[i].waits < 0) return s->group[i].lanes;
  for (int i = 0; i < 32; i++) {
    if (!(s->group[i].lanes & ready)) continue;
    s->meeting[s->group[i].waits].members &= ~s->group[i].lanes;
    s->group[i].waits = -1;
    return s->group[i].lanes;
  }
  return 0;
}
