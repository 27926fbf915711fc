// The warp functions before Volta, without a mask. nvcc has them only for GPUs of that time.
#define OLD_SHUFFLES(T) r += (float)__shfl((T)v, 3) + (float)__shfl_up((T)v, 1, 16) + (float)__shfl_down((T)v, 2, 8) + (float)__shfl_xor((T)v, 4);
extern "C" __global__ void old_shuffles(float *o) {
  float r = 0, v = o[threadIdx.x];
  OLD_SHUFFLES(int) OLD_SHUFFLES(unsigned) OLD_SHUFFLES(long long) OLD_SHUFFLES(float) OLD_SHUFFLES(double)
  o[threadIdx.x] = r + __ballot(v > 1) + __any(v > 2) + __all(v > 3);
}
