extern "C" __global__ void broken(int *out) {
  int i = threadIdx.x;
  out[i] = undeclared;
}
