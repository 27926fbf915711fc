// Lab 03, solved: what a branch costs a warp.

#define WARP 32

// ---- 1. count -----------------------------------------------------------------------------------

// 1 if the set has a lane, else 0: a group without lanes issues nothing.
__device__ int group(unsigned lanes) {
  return lanes != 0;
}

__device__ int branch_paths(unsigned active, unsigned taken) {
  return group(active & taken) + group(active & ~taken);
}

// The lanes that do not take the arm have nothing to issue; they wait behind it.
__device__ int passes_if(unsigned active, unsigned taken) {
  return group(active & taken);
}

__device__ int passes_if_else(unsigned active, unsigned taken) {
  return group(active & taken) + group(active & ~taken);
}

// b is looked at only by lanes for which a does not hold.
__device__ int passes_chain(unsigned active, unsigned a, unsigned b) {
  return group(active & a) + passes_if_else(active & ~a, b);
}

__device__ int passes_nested(unsigned active, unsigned outer, unsigned inner) {
  unsigned in = active & outer;
  return group(in) + passes_if_else(in, inner) + group(active & ~outer);
}

// Lanes that returned never come back; A and B are for the others.
__device__ int passes_return(unsigned active, unsigned leave, unsigned taken) {
  unsigned stay = active & ~leave;
  return passes_if(stay, taken) + group(stay);
}

// The warp goes on until its last lane is done.
__device__ int passes_loop(const int *trips, unsigned active) {
  int most = 0;
  for (int lane = 0; lane < WARP; lane++)
    if ((active >> lane & 1) && trips[lane] > most) most = trips[lane];
  return most;
}

// One pass for each case that some active lane chooses.
__device__ int passes_switch(const int *choice, unsigned active) {
  unsigned chosen = 0;
  for (int lane = 0; lane < WARP; lane++)
    if (active >> lane & 1) chosen |= 1u << choice[lane];
  return __popc(chosen);
}

// ---- 2. count any program -----------------------------------------------------------------------

enum {
  STOP,
  BLOCK,
  IF,
  ELSE,
  ENDIF,
  LOOP,
  ENDLOOP,
  LEAVE
};

struct Step {
  int kind, row;
};

struct Counts {
  int passes;
  int divergent;
  int paths;
};

// The lanes of the row whose number is more than `round`.
__device__ unsigned lanes_above(const int *row, int round) {
  unsigned lanes = 0;
  for (int lane = 0; lane < WARP; lane++)
    if (row[lane] > round) lanes |= 1u << lane;
  return lanes;
}

__device__ unsigned lanes_not_zero(const int *row) {
  unsigned lanes = 0;
  for (int lane = 0; lane < WARP; lane++)
    if (row[lane] != 0) lanes |= 1u << lane;
  return lanes;
}

__device__ void count_branch(Counts *counts, unsigned active, unsigned taken) {
  int paths = branch_paths(active, taken);
  if (paths < 2) return;
  counts->divergent++;
  counts->paths += paths;
}

// What is open: an if or a loop, with the lanes that came to it.
struct Open {
  unsigned came, taken;
  int step, round;
};

__device__ void count_divergence(const Step *program, const int *data, unsigned active,
                                 Counts *counts) {
  Open open[16];
  int depth = 0;
  *counts = Counts{0, 0, 0};
  for (int i = 0; program[i].kind != STOP; i++) {
    const int *row = data + 32 * program[i].row;
    int kind = program[i].kind;
    if (kind == BLOCK) {
      counts->passes += group(active);
    } else if (kind == IF) {
      unsigned taken = lanes_not_zero(row);
      count_branch(counts, active, taken);
      open[depth++] = Open{active, taken, i, 0};
      active &= taken;
    } else if (kind == ELSE) {
      active = open[depth - 1].came & ~open[depth - 1].taken;
    } else if (kind == ENDIF) {
      active = open[--depth].came;
    } else if (kind == LOOP) {
      unsigned more = lanes_above(row, 0);
      count_branch(counts, active, more);
      open[depth++] = Open{active, more, i, 0};
      active &= more;
    } else if (kind == ENDLOOP) {
      Open *loop = &open[depth - 1];
      unsigned more = lanes_above(data + 32 * program[loop->step].row, ++loop->round);
      count_branch(counts, active, more);
      active &= more;
      if (active) {
        i = loop->step;  // once more, from behind the LOOP
      } else {
        active = loop->came;
        depth--;
      }
    } else if (kind == LEAVE) {
      unsigned leave = lanes_not_zero(row);
      count_branch(counts, active, leave);
      active &= ~leave;
    }
  }
}

// ---- 3. three kernels, rewritten ----------------------------------------------------------------

__device__ unsigned scramble(unsigned v) {
  for (int i = 0; i < 24; i++) v = v * 1664525u + (v >> 7) + 1013904223u;
  return v;
}

__device__ unsigned whiten(unsigned v) {
  for (int i = 0; i < 24; i++) v = (v ^ (v << 5)) + (v >> 3) + 2654435769u;
  return v;
}

// The first two warps of a block take its even elements, the other two its odd ones: the branch
// stays, but all lanes of a warp go the same way.
__global__ void regroup(const unsigned *x, unsigned *y) {
  int half = blockDim.x / 2, t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  if (t < half) {
    int i = first + 2 * t;
    y[i] = scramble(x[i]);
  } else {
    int i = first + 2 * (t - half) + 1;
    y[i] = whiten(x[i]);
  }
}

// Only what differs stays in the arms.
__global__ void merge(const unsigned *x, unsigned *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned v = x[i];
  if (v % 2)
    v = 3 * v + 1;
  else
    v = v / 2;
  y[i] = scramble(v);
}

// The rows 32 t + w, for t from 0 to 31, all have w + 1 numbers: warp w takes these.
__global__ void balance(const unsigned *x, unsigned *y) {
  int w = threadIdx.x / WARP, t = threadIdx.x % WARP;
  int row = blockIdx.x * blockDim.x + 32 * t + w;
  unsigned sum = 0;
  for (int k = 0; k < w + 1; k++) sum += scramble(x[row] + k);
  y[row] = sum;
}
