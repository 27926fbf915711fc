// Lab 02: from two and three dimensions to one number, and back.
//
// Replace every TODO. `./grade linearize` says how far you are; README.md says what each function
// must give. This is CUDA C: the same file compiles with nvcc for a GPU.
//
// In all functions the block is `width` threads wide (x), `height` high (y) and, where it matters,
// `depth` deep (z). In a kernel these are blockDim.x, blockDim.y and blockDim.z.

#define WARP 32
#define TODO (-1)

// The linear id of the thread with these coordinates: its number in the block, from 0.
__device__ int linear_id(int x, int y, int z, int width, int height) {
  return TODO;
}

// The linear id of the thread that is called T(a,b,c).
__device__ int id_of_name(int a, int b, int c, int width, int height) {
  return TODO;
}

// The way back: the three coordinates of the thread with this linear id.
__device__ int thread_x(int linear, int width, int height) {
  return TODO;
}

__device__ int thread_y(int linear, int width, int height) {
  return TODO;
}

__device__ int thread_z(int linear, int width, int height) {
  return TODO;
}

// The warp that the thread with these coordinates is in. The first one is warp 0.
__device__ int warp_of(int x, int y, int z, int width, int height) {
  return TODO;
}

// 1 if the two threads are in the same warp, 0 if not.
__device__ int share_warp(int x1, int y1, int z1, int x2, int y2, int z2, int width, int height) {
  return TODO;
}

// The lanes of warp number `warp` that hold threads of the row y of the layer z, as a mask: bit l is
// lane l. 0 when the warp has no thread of that row.
__device__ unsigned row_mask(int y, int z, int warp, int width, int height) {
  return 0;  // TODO
}

// From how many different rows the threads of warp number `warp` come. Rows of different layers are
// different rows. 0 for a warp that the block does not have.
__device__ int rows_of_warp(int warp, int width, int height, int depth) {
  return TODO;
}

// A roll call. The thread with linear id t calls its name T(z,y,x): it writes its threadIdx.z to
// names[3 * t], its threadIdx.y to names[3 * t + 1] and its threadIdx.x to names[3 * t + 2].
__global__ void roll_call(int *names) {
  // TODO
}

// One thread of each warp calls its name: the one in lane 0 of warp w writes its z, y and x to
// names[3 * w], names[3 * w + 1] and names[3 * w + 2]. The others write nothing.
__global__ void leaders(int *names) {
  // TODO
}
