#line 2147483647 "partition.cu"
__device__ int warps_per_block(int threads) { return *(int *)0; }
#line 1 "partition.cu\033[2J<script>alert(1)</script>"
__device__ int idle_lanes(int threads) { return *(int *)8; }
