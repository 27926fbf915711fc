// Lab 10, solved: how many warps fit into an SM, and a launch that fills it.

#define WARP 32
#define NO_LIMIT 1000000

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

__device__ int divide_up(int a, int b) {
  return (a + b - 1) / b;
}

__device__ int round_up(int a, int unit) {
  return divide_up(a, unit) * unit;
}

__device__ int smaller(int a, int b) {
  return a < b ? a : b;
}

// ---- the calculator ---------------------------------------------------------------------------

__device__ int warps_of_block(int block) {
  return divide_up(block, WARP);
}

__device__ int registers_of_warp(int registers) {
  return round_up(registers * WARP, gpu.register_unit);
}

__device__ int blocks_by_warps(int block) {
  if (block > gpu.max_threads) return 0;
  return gpu.max_warps / warps_of_block(block);
}

// Each sub-core holds whole warps; what it has left over helps no other.
__device__ int blocks_by_registers(int registers, int block) {
  int got = registers_of_warp(registers), warps = warps_of_block(block);
  if (registers > gpu.max_registers) return 0;
  if (got * round_up(warps, gpu.warp_unit) > gpu.registers) return 0;
  int warps_that_fit = gpu.registers / gpu.sub_cores / got * gpu.sub_cores;
  return warps_that_fit / warps;
}

__device__ int blocks_by_shared(int shared) {
  int want = shared + gpu.shared_reserved;
  if (shared > gpu.max_shared) return 0;
  if (want == 0) return NO_LIMIT;
  return gpu.shared / round_up(want, gpu.shared_unit);
}

__device__ int blocks_per_sm(int registers, int block, int shared) {
  int blocks = smaller(blocks_by_warps(block), blocks_by_registers(registers, block));
  return smaller(smaller(blocks, blocks_by_shared(shared)), gpu.max_blocks);
}

__device__ int occupancy_percent(int registers, int block, int shared) {
  return 100 * blocks_per_sm(registers, block, shared) * warps_of_block(block) / gpu.max_warps;
}

__device__ int limits(int registers, int block, int shared) {
  int blocks = blocks_per_sm(registers, block, shared);
  return (blocks_by_warps(block) == blocks) * 1 +
         (blocks_by_registers(registers, block) == blocks) * 2 +
         (blocks_by_shared(shared) == blocks) * 4 + (gpu.max_blocks == blocks) * 8;
}

// ---- the launches -----------------------------------------------------------------------------

// 4 blocks of 8 warps are 32 warps: 64 registers a thread, the fewest that mix can do with.
#define MIX_BLOCK 256
#define MIX_MIN_BLOCKS 4

// Two such blocks fill a T4 (32 of 32 warps), four an A100 (64 of 64).
#define SMOOTH_BLOCK 512
#define SMOOTH_TILE 8100

// 1024, 1536 and 2048 threads are all multiples of 256.
#define BITS_BLOCK 256

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
