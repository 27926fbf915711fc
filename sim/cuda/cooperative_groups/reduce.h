/* cooperative_groups/reduce.h - one value out of the values of a tile's or a group's threads. */
#pragma once

#include "cooperative_groups.h"

namespace cooperative_groups {

#define __WARPBOOK_OPERATION(NAME, EXPRESSION)                                                     \
  template <class T> struct NAME {                                                                 \
    __WARPBOOK_METHOD T operator()(T a, T b) const { return EXPRESSION; }                          \
  };
__WARPBOOK_OPERATION(plus, a + b)
__WARPBOOK_OPERATION(less, min(a, b))
__WARPBOOK_OPERATION(greater, max(a, b))
__WARPBOOK_OPERATION(bit_and, a &b)
__WARPBOOK_OPERATION(bit_or, a | b)
__WARPBOOK_OPERATION(bit_xor, a ^ b)
#undef __WARPBOOK_OPERATION

/* A butterfly: after log2(Size) exchanges every thread has the result. */
template <unsigned Size, class Parent, class T, class Op>
__WARPBOOK_METHOD T reduce(const thread_block_tile<Size, Parent> &tile, T v, Op op) {
  if (Size > 16) v = op(v, tile.shfl_xor(v, 16));
  if (Size > 8) v = op(v, tile.shfl_xor(v, 8));
  if (Size > 4) v = op(v, tile.shfl_xor(v, 4));
  if (Size > 2) v = op(v, tile.shfl_xor(v, 2));
  if (Size > 1) v = op(v, tile.shfl_xor(v, 1));
  return v;
}
/* Of any number of threads: each adds the others' values in the order of their ranks. */
template <class T, class Op>
__WARPBOOK_METHOD T reduce(const coalesced_group &group, T v, Op op) {
  T r = group.shfl(v, 0);
  for (unsigned rank = 1; rank < group.size(); rank++) r = op(r, group.shfl(v, (int)rank));
  return r;
}

} // namespace cooperative_groups
