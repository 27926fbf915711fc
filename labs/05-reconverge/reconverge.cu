// Lab 05: who runs next, when the lanes of a warp have parted.
//
// Replace every TODO. `./grade reconverge` says how far you are; README.md says what each function is
// told and must answer. The simulator calls the functions of parts 1 and 2 while a kernel runs.

#include "warpbook.h"

// ---- 1. the SIMT stack --------------------------------------------------------------------------

// An entry: lanes that go on together.
struct Entry {
  int pc;          // where they are, or will be when their turn comes
  int rpc;         // where the entry is popped: the reconvergence point. -1: never
  unsigned lanes;
};

struct Stack {
  Entry entry[80];
  int top;         // the entry that runs
};

__device__ Stack stacks[WB_WARPS];  // a stack for each warp

// A warp begins, with these lanes: one entry.
__device__ void stack_start(int warp, unsigned lanes) {
  // TODO
}

// The lanes of the top entry part.
__device__ void stack_branch(int warp, const wb_branch *b) {
  // TODO
}

// The lanes of the top entry have come to pc, where some branch reconverges.
__device__ void stack_join(int warp, int pc, unsigned lanes) {
  // TODO
}

// These lanes have ended.
__device__ void stack_leave(int warp, unsigned lanes) {
  // TODO
}

// Which lanes run next?
__device__ unsigned stack_next(int warp, unsigned ready) {
  return 0;  // TODO
}

// ---- 2. independent thread scheduling -----------------------------------------------------------

// Lanes that go on together.
struct Group {
  unsigned lanes;  // 0: this place in the array is free
  int waits;       // the meeting at which they wait; -1: they do not wait
};

// Lanes that parted and are to meet again.
struct Meeting {
  int pc;
  unsigned members;  // the lanes that are expected, or there; 0: this place in the array is free
};

struct State {
  Group group[32];
  Meeting meeting[64];
};

__device__ State states[WB_WARPS];  // a state for each warp

__device__ void its_start(int warp, unsigned lanes) {
  // TODO
}

__device__ void its_branch(int warp, const wb_branch *b) {
  // TODO
}

__device__ void its_join(int warp, int pc, unsigned lanes) {
  // TODO
}

__device__ void its_leave(int warp, unsigned lanes) {
  // TODO
}

__device__ unsigned its_next(int warp, unsigned ready) {
  return 0;  // TODO
}

// ---- 3. a lock ----------------------------------------------------------------------------------

// Every thread adds 1 to *counter while it holds the lock. To be looked at, not to be changed: answer
// the questions of answers.txt about it.
__global__ void spin(int *lock, volatile int *counter) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  *counter = *counter + 1;
  __threadfence();
  atomicExch(lock, 0);
}

// Every thread adds value[thread] to *sum while it holds the lock, as plainly as in `spin`; but this
// one must end on every GPU. `thread` counts through the whole grid.
__global__ void locked_sum(int *lock, volatile int *sum, const int *value) {
  // TODO
}
