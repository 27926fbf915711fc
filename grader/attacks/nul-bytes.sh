printf 'int x;\0\0\0__device__ int warps_per_block(int t) { return 1; }\n' >"$1/partition.cu"
