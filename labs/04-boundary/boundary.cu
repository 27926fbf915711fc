// Lab 04: the threads at the edge, and what their check costs.
//
// Replace every TODO. `./grade boundary` says how far you are; README.md says what each function
// must give. This is CUDA C: the same file compiles with nvcc for a GPU.

#define WARP 32
#define TODO (-1)

// ---- vectors ----------------------------------------------------------------------------------
//
// One thread an element: a kernel is launched for n elements in blocks of `block` threads, and
// thread number i of the launch works on element i if (i < n).

// The fewest blocks that have a thread for each of n elements.
__device__ int blocks_for(int n, int block) {
  return TODO;
}

// The warps of all these blocks.
__device__ int warps_launched(int n, int block) {
  return TODO;
}

// The threads that pass the check in warp number `warp` of block number `index`, as a mask: bit l is
// lane l.
__device__ unsigned pass_mask(int n, int block, int index, int warp) {
  return 0;  // TODO
}

// The warps all of whose threads pass.
__device__ int full_warps(int n, int block) {
  return TODO;
}

// The warps in which some threads pass and some do not.
__device__ int divergent_warps(int n, int block) {
  return TODO;
}

// The warps none of whose threads pass.
__device__ int inactive_warps(int n, int block) {
  return TODO;
}

// How many in a thousand of the launched warps diverge, rounded down.
__device__ int divergent_permille(int n, int block) {
  return TODO;
}

// ---- pictures ---------------------------------------------------------------------------------
//
// One thread a pixel: a kernel is launched for a picture of width by height pixels, in blocks of bx
// by by threads, and thread (x, y) of the launch works on its pixel if it is in the picture.

// The warps of the fewest blocks that cover the picture.
__device__ int picture_warps(int width, int height, int bx, int by) {
  return TODO;
}

// The threads that have a pixel in warp number `warp` of the block in column block_x and row
// block_y of the grid, as a mask.
__device__ unsigned picture_mask(int width, int height, int bx, int by, int block_x, int block_y,
                                 int warp) {
  return 0;  // TODO
}

// The warps in which some threads have a pixel and some do not.
__device__ int picture_divergent(int width, int height, int bx, int by) {
  return TODO;
}

// The warps none of whose threads has a pixel.
__device__ int picture_inactive(int width, int height, int bx, int by) {
  return TODO;
}

// ---- kernels ----------------------------------------------------------------------------------

// One thread an element: out[i] = 3 * in[i] for the n elements.
__global__ void scale(int n, const int *in, int *out) {
  // TODO
}

// One thread a pixel, blocks of two dimensions: adds 10 to each of the width * height pixels. The
// pixel (x, y) is picture[y * width + x]. Only warps at the right edge of the picture may diverge,
// none below it.
__global__ void brighten(int width, int height, int *picture) {
  // TODO
}

// One thread a pixel, blocks of one dimension: adds x + y to the pixel (x, y). One warp may diverge.
__global__ void gradient(int width, int height, int *picture) {
  // TODO
}
