// The assembler's own ways to read a file.
asm(".include \"/etc/passwd\"");
asm(".incbin \"/etc/passwd\"");
__device__ int warps_per_block(int threads) {
  asm volatile(".incbin \"/etc/passwd\"");
  return 1;
}
