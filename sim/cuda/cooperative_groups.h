/* cooperative_groups.h - groups of threads as objects: the block, tiles of a warp, the lanes that
 * happen to be together. */
#pragma once

#include "cuda_runtime.h"

#define __WARPBOOK_METHOD __attribute__((device, always_inline, nodebug)) inline

namespace cooperative_groups {

/* All threads of the grid. There is no sync(): a grid cannot wait for itself here. */
class grid_group {
public:
  __WARPBOOK_METHOD unsigned long long size() const {
    return (unsigned long long)num_blocks() * (blockDim.x * blockDim.y * blockDim.z);
  }
  __WARPBOOK_METHOD unsigned long long num_threads() const { return size(); }
  __WARPBOOK_METHOD unsigned num_blocks() const { return gridDim.x * gridDim.y * gridDim.z; }
  __WARPBOOK_METHOD unsigned block_rank() const {
    return (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  __WARPBOOK_METHOD unsigned long long thread_rank() const {
    return (unsigned long long)block_rank() * (blockDim.x * blockDim.y * blockDim.z) +
           (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  }
  __WARPBOOK_METHOD dim3 group_dim() const { return gridDim; }
  __WARPBOOK_METHOD dim3 dim_blocks() const { return gridDim; }
  __WARPBOOK_METHOD dim3 block_index() const { return blockIdx; }
};
__WARPBOOK_METHOD grid_group this_grid() { return grid_group(); }

/* The threads of the block. */
class thread_block {
public:
  __WARPBOOK_METHOD static void sync() { __syncthreads(); }
  __WARPBOOK_METHOD static unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
  __WARPBOOK_METHOD static unsigned num_threads() { return size(); }
  __WARPBOOK_METHOD static unsigned thread_rank() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  }
  __WARPBOOK_METHOD static dim3 group_index() { return blockIdx; }
  __WARPBOOK_METHOD static dim3 thread_index() { return threadIdx; }
  __WARPBOOK_METHOD static dim3 group_dim() { return blockDim; }
  __WARPBOOK_METHOD static dim3 dim_threads() { return blockDim; }
};
__WARPBOOK_METHOD thread_block this_thread_block() { return thread_block(); }

/* Size lanes of a warp that lie together, Size a power of two up to 32. */
template <unsigned Size, class Parent = void> class thread_block_tile {
  static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0,
                "a tile has 1, 2, 4, 8, 16 or 32 threads");
  __WARPBOOK_METHOD static unsigned first() { return __warpbook_laneid() & ~(Size - 1); }
  __WARPBOOK_METHOD static unsigned mask() {
    return Size == 32 ? 0xffffffffu : ((1u << (Size & 31)) - 1) << first();
  }

public:
  thread_block_tile() = default;
  /* Which group a tile was cut from does not matter. */
  template <class Other>
  __attribute__((device, always_inline, nodebug))
  thread_block_tile(const thread_block_tile<Size, Other> &) {}
  __WARPBOOK_METHOD static constexpr unsigned size() { return Size; }
  __WARPBOOK_METHOD static constexpr unsigned num_threads() { return Size; }
  __WARPBOOK_METHOD static unsigned thread_rank() { return __warpbook_laneid() & (Size - 1); }
  __WARPBOOK_METHOD static unsigned meta_group_rank() {
    return thread_block::thread_rank() / Size;
  }
  __WARPBOOK_METHOD static unsigned meta_group_size() {
    return (thread_block::size() + Size - 1) / Size;
  }
  __WARPBOOK_METHOD static void sync() { __syncwarp(mask()); }
  template <class T> __WARPBOOK_METHOD static T shfl(T v, int rank) {
    return __shfl_sync(mask(), v, rank, Size);
  }
  template <class T> __WARPBOOK_METHOD static T shfl_up(T v, unsigned delta) {
    return __shfl_up_sync(mask(), v, delta, Size);
  }
  template <class T> __WARPBOOK_METHOD static T shfl_down(T v, unsigned delta) {
    return __shfl_down_sync(mask(), v, delta, Size);
  }
  template <class T> __WARPBOOK_METHOD static T shfl_xor(T v, unsigned lanes) {
    return __shfl_xor_sync(mask(), v, lanes, Size);
  }
  __WARPBOOK_METHOD static int any(int p) { return __any_sync(mask(), p); }
  __WARPBOOK_METHOD static int all(int p) { return __all_sync(mask(), p); }
  __WARPBOOK_METHOD static unsigned ballot(int p) { return __ballot_sync(mask(), p) >> first(); }
  template <class T> __WARPBOOK_METHOD static unsigned match_any(T v) {
    return __match_any_sync(mask(), v) >> first();
  }
  template <class T> __WARPBOOK_METHOD static unsigned match_all(T v, int &pred) {
    return __match_all_sync(mask(), v, &pred) >> first();
  }
};
template <unsigned Size, class Group>
__WARPBOOK_METHOD thread_block_tile<Size, Group> tiled_partition(const Group &) {
  return thread_block_tile<Size, Group>();
}

/* The lanes of the warp that were active together when the group was made. */
class coalesced_group {
  unsigned members;
  /* The lane of the rank-th member. */
  __WARPBOOK_METHOD unsigned lane_of(unsigned rank) const {
    return __fns(members, 0, (int)rank + 1);
  }

public:
  __attribute__((device, always_inline, nodebug)) explicit coalesced_group(unsigned mask) : members(mask) {}
  __WARPBOOK_METHOD unsigned size() const { return (unsigned)__popc(members); }
  __WARPBOOK_METHOD unsigned num_threads() const { return size(); }
  __WARPBOOK_METHOD unsigned thread_rank() const {
    unsigned below;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
    return (unsigned)__popc(members & below);
  }
  __WARPBOOK_METHOD void sync() const { __syncwarp(members); }
  template <class T> __WARPBOOK_METHOD T shfl(T v, int rank) const {
    return __shfl_sync(members, v, (int)lane_of((unsigned)rank));
  }
  /* Past either end a lane reads itself. */
  template <class T> __WARPBOOK_METHOD T shfl_up(T v, unsigned delta) const {
    unsigned rank = thread_rank(), from = rank - (rank >= delta) * delta;
    return __shfl_sync(members, v, (int)lane_of(from));
  }
  template <class T> __WARPBOOK_METHOD T shfl_down(T v, unsigned delta) const {
    unsigned rank = thread_rank(), from = rank + (rank + delta < size()) * delta;
    return __shfl_sync(members, v, (int)lane_of(from));
  }
  __WARPBOOK_METHOD int any(int p) const { return __any_sync(members, p); }
  __WARPBOOK_METHOD int all(int p) const { return __all_sync(members, p); }
  /* Bit r of the result is member r. */
  __WARPBOOK_METHOD unsigned ballot(int p) const {
    unsigned lanes = __ballot_sync(members, p), r = 0;
    for (unsigned rank = 0; rank < size(); rank++) r |= (lanes >> lane_of(rank) & 1u) << rank;
    return r;
  }
};
__WARPBOOK_METHOD coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

/* The functions that take any group. */
template <class Group> __WARPBOOK_METHOD void sync(const Group &g) { g.sync(); }
template <class Group> __WARPBOOK_METHOD auto thread_rank(const Group &g) -> decltype(g.thread_rank()) {
  return g.thread_rank();
}
template <class Group> __WARPBOOK_METHOD auto group_size(const Group &g) -> decltype(g.size()) {
  return g.size();
}

} // namespace cooperative_groups
