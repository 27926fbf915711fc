// Lab 09: lanes that decide together.
//
// Replace every TODO. `./grade vote` says how far you are; README.md says what each kernel must do.
// This is CUDA C: the same file compiles with nvcc for a GPU.

#define WARP 32
#define FULL 0xffffffffu

// The thread's number in a grid of one dimension, its lane, and the number of its warp in the grid.
// All blocks of this lab are full warps.
__device__ int thread_id() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}
__device__ int lane_id() {
  return threadIdx.x % WARP;
}
__device__ int warp_id() {
  return thread_id() / WARP;
}

// 1. mask[w]: the lanes of warp w whose element is greater than 0.
__global__ void positive_mask(const int *in, unsigned *mask) {
  // TODO
}

// 2. count[w]: how many elements of warp w are greater than 0.
__global__ void positive_count(const int *in, int *count) {
  // TODO
}

// 3. any[w]: 1 if at least one element of warp w is negative, else 0. Only the elements 0 to n - 1 are
// there; of none, none is negative.
__global__ void any_negative(const int *in, int *any, int n) {
  // TODO
}

// 4. all[w]: 1 if all elements of warp w are even, else 0. Only the elements 0 to n - 1 are there; of
// none, all are even.
__global__ void all_even(const int *in, int *all, int n) {
  // TODO
}

// 5. same[w]: 1 if all 32 elements of warp w are equal, else 0.
__global__ void all_same(const int *in, int *same) {
  // TODO
}

// 6. leader[i]: the lowest lane of thread i's warp that has the same element as thread i.
__global__ void group_leader(const int *in, int *leader) {
  // TODO
}

// 7. where[w]: the index in row w of the first element that is `target`; -1 if there is none. Row w
// begins at rows[w * length]. Warp w searches it, 32 elements at a time.
__global__ void find_first(const int *rows, int *where, int length, int target) {
  // TODO
}

// 8. Appends the even ones of the elements 0 to n - 1 to out, and adds their number to *count, which
// is 0 at the start. Those of one warp stand together and in order; the warps may come in any order.
__global__ void append_even(const int *in, int *out, int *count, int n) {
  // TODO
}

// 9. One block of up to 32 warps: writes the even ones of the elements 0 to n - 1 to out, all in
// order, and their number to *count. (An element for each thread; n is at most the block's size.)
__global__ void compact(const int *in, int *out, int *count, int n) {
  // TODO
}

// 10. Adds to bins[v], for every value v from 0 to 15, how many of the elements 0 to n - 1 are v.
__global__ void histogram(const int *in, int *bins, int n) {
  // TODO
}
