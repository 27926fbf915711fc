#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void k(int *p) {
  cg::thread_block b = cg::this_thread_block(); auto t = cg::tiled_partition<16>(b); cg::thread_block_tile<32> w = cg::tiled_partition<32>(b);
  int v = p[b.thread_rank()]; v += t.shfl_down(v, 4); v += w.shfl_xor(v, 1); b.sync(); cg::sync(b); t.sync();
  if (v > 3) { cg::coalesced_group g = cg::coalesced_threads(); if (g.thread_rank() == 0) v += g.size(); v = g.shfl(v, 0); g.sync(); }
  v += cg::reduce(t, v, cg::plus<int>()); p[t.meta_group_rank()] = v + t.ballot(v > 3) + cg::this_grid().thread_rank(); }
