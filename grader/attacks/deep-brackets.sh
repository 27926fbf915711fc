# So deeply nested that a parser that recurses falls over.
awk 'BEGIN {
  printf "__device__ int warps_per_block(int threads) { return "
  for (i = 0; i < 200000; i++) printf "("
  printf "threads"
  for (i = 0; i < 200000; i++) printf ")"
  print "; }"
}' >"$1/partition.cu"
