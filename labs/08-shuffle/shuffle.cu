// Lab 08: lanes that read one another's registers.
//
// Replace every TODO. `./grade shuffle` says how far you are; README.md says what each kernel must
// do. This is CUDA C: the same file compiles with nvcc for a GPU.
#include <cuda_fp16.h>

#define WARP 32
#define FULL 0xffffffffu

// The thread's number in a grid of one dimension, its lane, and the number of its warp in the grid.
// Every warp belongs to one block: a block of 50 threads has two.
__device__ int thread_id() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}
__device__ int lane_id() {
  return threadIdx.x % WARP;
}
__device__ int warp_id() {
  return blockIdx.x * ((blockDim.x + WARP - 1) / WARP) + threadIdx.x / WARP;
}

// 1. out[i]: the sum of the 32 elements of thread i's warp. Every lane stores it.
__global__ void sum_all(const int *in, int *out) {
  // TODO
}

// 2. out[w]: the sum of the 32 elements of warp w, by __shfl_down_sync, stored by one lane.
__global__ void sum_first(const int *in, int *out) {
  // TODO
}

// 3. out[i]: the sum of thread i's group. A warp is cut into groups of `width` lanes that are
// neighbours; width is a power of two from 1 to 32.
__global__ void sum_groups(const int *in, int *out, int width) {
  // TODO
}

// 4. out[i]: the element of the lane that is `distance` lanes before thread i's in the same group of
// `width` lanes; 0 where the group has no such lane.
__global__ void shift_groups(const int *in, int *out, int distance, int width) {
  // TODO
}

// 5. out[w]: the largest of the elements that warp w has. Only the elements 0 to n - 1 are there, and
// the block may be no multiple of 32. A warp without elements stores nothing.
__global__ void max_of_some(const int *in, int *out, int n) {
  // TODO
}

// 6. place[w]: the index of the largest of the 32 elements of warp w; of equal ones, of the first.
__global__ void argmax(const float *in, int *place) {
  // TODO
}

// 7. out[i]: the sum of the elements of thread i's warp, from lane 0 up to thread i itself.
__global__ void scan(const int *in, int *out) {
  // TODO
}

// 8. The same in segments: where head[i] is not 0 a new sum begins with in[i]. Lane 0 of every warp
// begins one, too.
__global__ void scan_segments(const int *in, const int *head, int *out) {
  // TODO
}

// 9. out[b]: the sum of all elements of block b. A block has 1 to 32 full warps.
__global__ void sum_block(const int *in, int *out) {
  // TODO
}

// 10. As sum_all, with elements of 64 bits,
__global__ void sum_long(const long long *in, long long *out) {
  // TODO
}

// 11. and with elements of 16.
__global__ void sum_half(const __half *in, __half *out) {
  // TODO
}
