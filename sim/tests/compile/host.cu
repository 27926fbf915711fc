// A whole program, as it is built with nvcc: its host code is parsed and ignored.
#include <cassert>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>
#include <algorithm>
#include <cuda_runtime.h>
#include <device_launch_parameters.h>

#define CHECK(call)                                                                                \
  do {                                                                                             \
    cudaError_t error_ = (call);                                                                   \
    if (error_ != cudaSuccess) {                                                                   \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error_));              \
      exit(EXIT_FAILURE);                                                                          \
    }                                                                                              \
  } while (0)

__constant__ float scale[2];

__global__ void saxpy(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i] * scale[0] + sqrtf(x[i]);
}
template <int N> __global__ void shaped(float *y) { y[threadIdx.x] = N + std::sqrt(y[0]); }

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 1 << 20;
  std::vector<float> x(n), y(n);
  std::iota(x.begin(), x.end(), 0.0f);
  std::mt19937 random(1);
  std::generate(y.begin(), y.end(), [&] { return (float)random(); });
  float *dx, *dy, host_scale[2] = {1, 2};
  CHECK(cudaMalloc(&dx, n * sizeof(float)));
  CHECK(cudaMalloc((void **)&dy, n * sizeof(float)));
  CHECK(cudaMemcpy(dx, x.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpyToSymbol(scale, host_scale, sizeof host_scale));
  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  CHECK(cudaEventRecord(start));
  dim3 block(256), grid((n + block.x - 1) / block.x);
  saxpy<<<grid, block>>>(n, 2.0f, dx, dy);
  shaped<3><<<1, dim3(8, 4), 128, 0>>>(dy);
  CHECK(cudaGetLastError());
  CHECK(cudaEventRecord(stop));
  CHECK(cudaEventSynchronize(stop));
  float ms = 0;
  CHECK(cudaEventElapsedTime(&ms, start, stop));
  CHECK(cudaMemcpy(y.data(), dy, n * sizeof(float), cudaMemcpyDeviceToHost));
  int blocks;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, saxpy, 256, 0));
  CHECK(cudaFuncSetAttribute(saxpy, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536));
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  std::cout << properties.name << ' ' << ms << ' ' << std::sqrt(2.0) << ' ' << std::max(1, 2) << ' ' << fabs(-1.0) << ' ' << pow(2.0, 3) << std::endl;
  std::unique_ptr<int> one(new int(1));
  std::shared_ptr<int> two = std::make_shared<int>(2);
  std::string text = "x";
  auto now = std::chrono::steady_clock::now();
  (void)now;
  assert(*one + *two == 3 && strlen(text.c_str()) == 1);
  cudaFree(dx);
  cudaFree(dy);
  return 0;
}
