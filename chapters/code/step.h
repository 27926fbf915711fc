// step.h - a trace of a warp's way through a kernel, for the chapters on divergence. log[0] counts the
// steps; each leaves two words behind it: the path and the mask of the lanes that took it together.
#pragma once

// [step]
__device__ void step(unsigned *log, unsigned path) {
  unsigned mask = __activemask();  // the lanes that are here together
  int lane = threadIdx.x % 32, first = __ffs(mask) - 1;
  unsigned n = atomicAdd(log, lane == first);  // one of them counts the step
  n = __shfl_sync(mask, n, first);             // and tells the others its number
  log[2 * n + 1] = path;
  log[2 * n + 2] = mask;
}
// [/step]
