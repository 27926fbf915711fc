// The compiler's own commands to fall over.
__device__ int warps_per_block(int threads) { return 1; }
#pragma clang __debug crash
#pragma clang __debug llvm_fatal_error
#pragma clang __debug overflow_stack
