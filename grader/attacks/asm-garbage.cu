__device__ int warps_per_block(int threads) {
  asm volatile(".reg .u32 %%r<4000000000>;\n\t.local .align 1 .b8 q[999999999999];\n\t"
               "mov.u32 %%r3999999999, 0;\n\tcall (((((((((((((((;");
  return 1;
}
