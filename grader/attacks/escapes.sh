# Markup, formulas and terminal escapes in every text that may be shown.
printf '#line 8 "<script>alert(1)</script>"
__device__ int threads_per_block(int x) { return 1; } // \033[2J\033]0;owned\007<img src=x onerror=alert(1)>
__device__ int warps_per_block(int threads) {
  printf("\\033[2J\\033]0;owned\\007<script>alert(1)</script>=cmd|calc!A1\\n");
  return 7; /* \033[31m \342\200\256 =HYPERLINK("http://x") <b>]]> --> */
}
__device__ int idle_lanes(int threads) { assert(!"\033[2J<script>alert(1)</script>"); return 1; }
' >"$1/partition.cu"
