// Lab 03: what a branch costs a warp.
//
// Replace every TODO. `./grade divergence` says how far you are; README.md says what each function
// must give. This is CUDA C: the same file compiles with nvcc for a GPU.
//
// A mask is a set of lanes: bit l of it is lane l. `active` are the lanes that come to the place in
// question. In every other mask count only the bits of active lanes: the others say nothing.

#define WARP 32
#define TODO (-1)

// ---- 1. count -----------------------------------------------------------------------------------

// Active lanes come to a branch; those in `taken` go one way, the others the other way. How many
// ways does the warp go: 0 (no lane is active), 1 or 2?
__device__ int branch_paths(unsigned active, unsigned taken) {
  return TODO;
}

// if (taken) A;
// How often does the warp issue A?
__device__ int passes_if(unsigned active, unsigned taken) {
  return TODO;
}

// if (taken) A; else B;
// How often does the warp issue A and B, together?
__device__ int passes_if_else(unsigned active, unsigned taken) {
  return TODO;
}

// if (a) A; else if (b) B; else C;
// How often does the warp issue A, B and C, together?
__device__ int passes_chain(unsigned active, unsigned a, unsigned b) {
  return TODO;
}

// if (outer) { A; if (inner) B; else C; } else D;
// How often does the warp issue A, B, C and D, together?
__device__ int passes_nested(unsigned active, unsigned outer, unsigned inner) {
  return TODO;
}

// if (leave) return; if (taken) A; B;
// How often does the warp issue A and B, together?
__device__ int passes_return(unsigned active, unsigned leave, unsigned taken) {
  return TODO;
}

// for (int i = 0; i < trips[lane]; i++) A;
// How often does the warp issue A?
__device__ int passes_loop(const int *trips, unsigned active) {
  return TODO;
}

// switch (choice[lane]) { case 0: A; break; case 1: B; break; ... case 7: H; break; }
// How often does the warp issue A to H, together?
__device__ int passes_switch(const int *choice, unsigned active) {
  return TODO;
}

// ---- 2. count any program -----------------------------------------------------------------------

// A program is an array of steps that ends with STOP. Each condition is a row of 32 numbers, one a
// lane: lane l's number in row r is data[32 * r + l].
enum {
  STOP,
  BLOCK,    // straight-line work
  IF,       // lanes whose number in the step's row is not 0 go into the arm, up to ELSE or ENDIF
  ELSE,     // the other arm
  ENDIF,    // all meet again
  LOOP,     // a lane's number in the step's row is how often it runs the body, up to ENDLOOP
  ENDLOOP,  // back to LOOP
  LEAVE     // lanes whose number is not 0 return: they run nothing any more. Never in an if or loop
};

struct Step {
  int kind, row;
};

struct Counts {
  int passes;     // how often the warp issues a BLOCK, with at least one lane
  int divergent;  // divergent branches: executions of IF, LOOP or LEAVE at which the lanes part
  int paths;      // the paths at those, summed: 2 each
};

// Counts what happens when the active lanes run the program. A LOOP is a branch before every round:
// lanes that have a round left go into the body, the others go to the loop's end and wait there.
__device__ void count_divergence(const Step *program, const int *data, unsigned active,
                                 Counts *counts) {
  // TODO
}

// ---- 3. three kernels to rewrite ----------------------------------------------------------------

// Two kinds of work on a number, both long and of the same length. Leave these two as they are.
__device__ unsigned scramble(unsigned v) {
  for (int i = 0; i < 24; i++) v = v * 1664525u + (v >> 7) + 1013904223u;
  return v;
}

__device__ unsigned whiten(unsigned v) {
  for (int i = 0; i < 24; i++) v = (v ^ (v << 5)) + (v >> 3) + 2654435769u;
  return v;
}

// Elements with an even number are scrambled, the others are whitened. Blocks have 128 threads; a
// block handles the 128 elements of its own.
__global__ void regroup(const unsigned *x, unsigned *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 2 == 0)
    y[i] = scramble(x[i]);
  else
    y[i] = whiten(x[i]);
}

// Odd numbers and even numbers are prepared in different ways, then scrambled.
__global__ void merge(const unsigned *x, unsigned *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned v = x[i];
  if (v % 2)
    y[i] = scramble(3 * v + 1);
  else
    y[i] = scramble(v / 2);
}

// Sums of rows. Row r has the numbers x[r], x[r] + 1, x[r] + 2 and so on, r % 32 + 1 of them; y[r]
// becomes the sum of these, each scrambled. Blocks have 1024 threads; a block handles the 1024 rows
// of its own.
__global__ void balance(const unsigned *x, unsigned *y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned sum = 0;
  for (int k = 0; k < row % 32 + 1; k++) sum += scramble(x[row] + k);
  y[row] = sum;
}
