// Lab 04, solved: the threads at the edge, and what their check costs.

#define WARP 32

__device__ int divide_up(int a, int b) {
  return (a + b - 1) / b;
}

__device__ int smaller(int a, int b) {
  return a < b ? a : b;
}

// The n lowest lanes, for n of any size.
__device__ unsigned lowest_lanes(int n) {
  if (n <= 0) return 0;
  if (n >= WARP) return 0xffffffffu;
  return (1u << n) - 1;
}

// ---- vectors ----------------------------------------------------------------------------------

__device__ int blocks_for(int n, int block) {
  return divide_up(n, block);
}

// Blocks are launched whole, and each has its own warps.
__device__ int warps_launched(int n, int block) {
  return blocks_for(n, block) * divide_up(block, WARP);
}

// Those of the block's threads that have an element, counted from the warp's first.
__device__ unsigned pass_mask(int n, int block, int index, int warp) {
  return lowest_lanes(smaller(n - index * block, block) - warp * WARP);
}

// The elements of the last block: 1 to block.
__device__ int last_elements(int n, int block) {
  return n - (blocks_for(n, block) - 1) * block;
}

// Only the last block has threads that do not pass. Its warps behind the edge have no other.
__device__ int inactive_warps(int n, int block) {
  return divide_up(block, WARP) - divide_up(last_elements(n, block), WARP);
}

// The edge goes through a warp, unless it falls between two warps or at the end of the block.
__device__ int divergent_warps(int n, int block) {
  int last = last_elements(n, block);
  return last < block && last % WARP != 0;
}

__device__ int full_warps(int n, int block) {
  return warps_launched(n, block) - divergent_warps(n, block) - inactive_warps(n, block);
}

__device__ int divergent_permille(int n, int block) {
  return 1000 * divergent_warps(n, block) / warps_launched(n, block);
}

// ---- pictures ---------------------------------------------------------------------------------

__device__ int picture_warps(int width, int height, int bx, int by) {
  return divide_up(width, bx) * divide_up(height, by) * divide_up(bx * by, WARP);
}

__device__ unsigned picture_mask(int width, int height, int bx, int by, int block_x, int block_y,
                                 int warp) {
  unsigned mask = 0;
  for (int lane = 0; lane < WARP; lane++) {
    int t = warp * WARP + lane;
    int x = block_x * bx + t % bx, y = block_y * by + t / bx;
    if (t < bx * by && x < width && y < height) mask |= 1u << lane;
  }
  return mask;
}

#define DIVERGENT 0
#define INACTIVE 1

// How many warps of one block are divergent, or wholly inactive.
__device__ int count_in_block(int width, int height, int bx, int by, int block_x, int block_y,
                              int what) {
  int count = 0;
  for (int warp = 0; warp < divide_up(bx * by, WARP); warp++) {
    unsigned pass = picture_mask(width, height, bx, by, block_x, block_y, warp);
    unsigned all = lowest_lanes(bx * by - warp * WARP);
    if (what == INACTIVE ? pass == 0 : pass != 0 && pass != all) count++;
  }
  return count;
}

// All blocks are like the first one, but for the last column and the last row.
__device__ int count_in_picture(int width, int height, int bx, int by, int what) {
  int last_x = divide_up(width, bx) - 1, last_y = divide_up(height, by) - 1;
  return last_x * last_y * count_in_block(width, height, bx, by, 0, 0, what) +
         last_y * count_in_block(width, height, bx, by, last_x, 0, what) +
         last_x * count_in_block(width, height, bx, by, 0, last_y, what) +
         count_in_block(width, height, bx, by, last_x, last_y, what);
}

__device__ int picture_divergent(int width, int height, int bx, int by) {
  return count_in_picture(width, height, bx, by, DIVERGENT);
}

__device__ int picture_inactive(int width, int height, int bx, int by) {
  return count_in_picture(width, height, bx, by, INACTIVE);
}

// ---- kernels ----------------------------------------------------------------------------------

__global__ void scale(int n, const int *in, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 3 * in[i];
}

// y first: below the picture a whole row of threads agrees on it, so no warp there comes to the x
// on which its threads would differ.
__global__ void brighten(int width, int height, int *picture) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (y < height && x < width) picture[y * width + x] += 10;
}

__global__ void gradient(int width, int height, int *picture) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < width * height) picture[i] += i % width + i / width;
}
