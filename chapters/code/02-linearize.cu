// The kernels of chapter 2. The book cuts its listings out of this file and runs the same kernels.
#include <cuda_runtime.h>

// [linear]
__device__ int linear_id() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
// [/linear]

// [lane]
__device__ int lane_id() {
  int lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}
// [/lane]

// [fill]
__global__ void fill(int *picture, int width) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  picture[y * width + x] = 100 * y + x;
}
// [/fill]

// [where]
__global__ void where(int *z, int *y, int *x, int *warp) {
  int id = linear_id();
  z[id] = threadIdx.z;
  y[id] = threadIdx.y;
  x[id] = threadIdx.x;
  warp[id] = id / 32;
}
// [/where]

// [back]
__device__ void coordinates(int id, int *x, int *y, int *z) {
  *x = id % blockDim.x;
  *y = id / blockDim.x % blockDim.y;
  *z = id / (blockDim.x * blockDim.y);
}
// [/back]

// [round-trip]
__global__ void round_trip(int *wrong) {
  int x, y, z;
  coordinates(linear_id(), &x, &y, &z);
  if (x != threadIdx.x || y != threadIdx.y || z != threadIdx.z) atomicAdd(wrong, 1);
}
// [/round-trip]

// [orders]
__device__ int y_fastest() {
  return threadIdx.y + blockDim.y * (threadIdx.x + blockDim.x * threadIdx.z);
}
__device__ int z_fastest() {
  return threadIdx.z + blockDim.z * (threadIdx.y + blockDim.y * threadIdx.x);
}

__global__ void try_orders(int *x_wrong, int *y_wrong, int *z_wrong) {
  if (linear_id() % 32 != lane_id()) atomicAdd(x_wrong, 1);
  if (y_fastest() % 32 != lane_id()) atomicAdd(y_wrong, 1);
  if (z_fastest() % 32 != lane_id()) atomicAdd(z_wrong, 1);
}
// [/orders]

// [rows]
__global__ void rows(int *rows_of_warp) {
  int id = linear_id();
  bool first = threadIdx.x == 0 || id % 32 == 0;  // of its row in this warp
  if (first) atomicAdd(&rows_of_warp[id / 32], 1);
}
// [/rows]

// [lane-register]
__global__ void lane_by_register(int *out) {
  out[linear_id()] = lane_id();
}
// [/lane-register]

// [lane-1d]
__global__ void lane_by_x(int *out) {
  out[linear_id()] = threadIdx.x % 32;
}
// [/lane-1d]

// [lane-arithmetic]
__global__ void lane_by_arithmetic(int *out) {
  out[linear_id()] = linear_id() % 32;
}
// [/lane-arithmetic]

// [by-row]
__global__ void by_row(int *out, int k) {
  int v = linear_id();
  if (threadIdx.y % k == 0) v = v * 3 + 1;
  out[linear_id()] = v;
}
// [/by-row]

// [volume]
__global__ void volume(int *out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  out[(z * height + y) * width + x] = x + 10 * y + 100 * z;
}
// [/volume]

// [reshape]
__global__ void reshape(int *x_of, int *y_of) {
  int t = threadIdx.x;
  int warp = t / 32, lane = t % 32;
  int x = warp % 2 * 8 + lane % 8;   // a warp is a tile 8 wide
  int y = warp / 2 * 4 + lane / 8;   // and 4 high
  x_of[t] = x;
  y_of[t] = y;
}
// [/reshape]
