// Lab 02, solved: from two and three dimensions to one number, and back.

#define WARP 32

// x runs fastest, then y, then z: the rows before, then the place in the row.
__device__ int linear_id(int x, int y, int z, int width, int height) {
  return x + width * (y + height * z);
}

// A name has the slowest dimension first.
__device__ int id_of_name(int a, int b, int c, int width, int height) {
  return linear_id(c, b, a, width, height);
}

__device__ int thread_x(int linear, int width, int height) {
  return linear % width;
}

// The row number counts on from layer to layer, y begins anew in each.
__device__ int thread_y(int linear, int width, int height) {
  return linear / width % height;
}

__device__ int thread_z(int linear, int width, int height) {
  return linear / (width * height);
}

__device__ int warp_of(int x, int y, int z, int width, int height) {
  return linear_id(x, y, z, width, height) / WARP;
}

__device__ int share_warp(int x1, int y1, int z1, int x2, int y2, int z2, int width, int height) {
  return warp_of(x1, y1, z1, width, height) == warp_of(x2, y2, z2, width, height);
}

// The lanes below n, for n of any size.
__device__ unsigned lanes_below(int n) {
  if (n <= 0) return 0;
  if (n >= WARP) return 0xffffffffu;
  return (1u << n) - 1;
}

// Counted from the warp's first thread, the row is the lanes from `begin` to `begin + width - 1`.
__device__ unsigned row_mask(int y, int z, int warp, int width, int height) {
  int begin = linear_id(0, y, z, width, height) - warp * WARP;
  return lanes_below(begin + width) & ~lanes_below(begin);
}

// From the row of the warp's first thread to the row of its last.
__device__ int rows_of_warp(int warp, int width, int height, int depth) {
  int first = warp * WARP, end = first + WARP, threads = width * height * depth;
  if (first >= threads) return 0;
  if (end > threads) end = threads;
  return (end - 1) / width - first / width + 1;
}

__device__ int own_id(void) {
  return linear_id(threadIdx.x, threadIdx.y, threadIdx.z, blockDim.x, blockDim.y);
}

__device__ void write_name(int *name) {
  name[0] = threadIdx.z;
  name[1] = threadIdx.y;
  name[2] = threadIdx.x;
}

__global__ void roll_call(int *names) {
  write_name(&names[3 * own_id()]);
}

__global__ void leaders(int *names) {
  if (own_id() % WARP == 0) write_name(&names[3 * (own_id() / WARP)]);
}
