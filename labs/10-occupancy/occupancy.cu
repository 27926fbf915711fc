// Lab 10: how many warps fit into an SM, and a launch that fills it.
//
// Replace every TODO, then choose the five numbers further down. `./grade occupancy` says how far you
// are; README.md says what each function must give, and what the launches must reach. This is CUDA
// C: the same file compiles with nvcc for a GPU.

#define WARP 32
#define NO_LIMIT 1000000
#define TODO (-1)

// What an SM of a GPU has, and how it gives it out. The grader fills it in.
typedef struct Gpu {
  int max_threads;      // of a block
  int max_warps;        // an SM's slots for warps
  int max_blocks;       // and for blocks
  int registers;        // of an SM
  int max_registers;    // of a thread
  int register_unit;    // a warp gets a multiple of so many registers
  int warp_unit;        // a block is admitted as if its warps were a multiple of this
  int sub_cores;        // the equal parts into which an SM's registers are split
  int shared;           // bytes of shared memory of an SM
  int max_shared;       // that a block may ask for
  int shared_unit;      // a block gets a multiple of so many bytes
  int shared_reserved;  // bytes that the system takes for each block
} Gpu;

__constant__ Gpu gpu;

// ---- the calculator ---------------------------------------------------------------------------

// The warps of a block of that many threads.
__device__ int warps_of_block(int block) {
  return TODO;
}

// The registers that a warp gets when each of its threads takes so many.
__device__ int registers_of_warp(int registers) {
  return TODO;
}

// How many blocks fit into the SM's slots for warps. 0 for a block that has too many threads.
__device__ int blocks_by_warps(int block) {
  return TODO;
}

// How many blocks fit into the SM's registers. 0 if not even one does, or if a thread takes too many.
__device__ int blocks_by_registers(int registers, int block) {
  return TODO;
}

// How many blocks fit into the SM's shared memory, if each asks for so many bytes. 0 if a block asks
// for too many; NO_LIMIT if it takes none at all.
__device__ int blocks_by_shared(int shared) {
  return TODO;
}

// How many blocks an SM holds at a time.
__device__ int blocks_per_sm(int registers, int block, int shared) {
  return TODO;
}

// How many in a hundred of the SM's slots for warps are then taken, rounded down.
__device__ int occupancy_percent(int registers, int block, int shared) {
  return TODO;
}

// What limits the number of blocks: the sum of 1 for slots for warps, 2 for registers, 4 for shared
// memory, 8 for slots for blocks. All that would allow no more blocks count, not only the first.
__device__ int limits(int registers, int block, int shared) {
  return TODO;
}

// ---- the launches -----------------------------------------------------------------------------

// The kernels below are finished; how they are launched is not. Choose these five numbers: the
// threads of a block, the blocks that the compiler is told an SM should hold, and the elements of a
// tile. README.md says what each launch must reach.

#define MIX_BLOCK 256
#define MIX_MIN_BLOCKS 1

#define SMOOTH_BLOCK 256
#define SMOOTH_TILE 4000

#define BITS_BLOCK 1024

__global__ void __launch_bounds__(MIX_BLOCK, MIX_MIN_BLOCKS) mix(int n, const int *in, int *out) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    unsigned v = in[i];
    for (int k = 0; k < 4; k++) v = v * 31 + (v >> 3) + k;
    out[i] = v;
  }
}

// Each block reads its tile and one element on either side of what it writes.
__global__ void __launch_bounds__(SMOOTH_BLOCK) smooth(int n, const int *in, int *out) {
  __shared__ int tile[SMOOTH_TILE];
  int first = blockIdx.x * (SMOOTH_TILE - 2);
  for (int i = threadIdx.x; i < SMOOTH_TILE; i += blockDim.x) {
    int at = first + i - 1;
    tile[i] = at >= 0 && at < n ? in[at] : 0;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < SMOOTH_TILE - 2; i += blockDim.x)
    if (first + i < n) out[first + i] = tile[i] + tile[i + 1] + tile[i + 2];
}

__global__ void __launch_bounds__(BITS_BLOCK) bits(int n, const int *in, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = __popc(in[i]);
}
