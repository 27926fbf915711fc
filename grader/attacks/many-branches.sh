# A function of twenty thousand branches: the graph of its blocks must not take quadratic time.
{
  echo '__device__ int warps_per_block(int t) {'
  awk 'BEGIN { for (i = 0; i < 20000; i++) printf "if (t & %d) t += %d;\n", i % 31 + 1, i }'
  echo 'return t; }'
} >"$1/partition.cu"
