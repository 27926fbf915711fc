/* warpbook/warp.h - what the lanes of a warp do together: shuffles, votes, matches, reductions. */
#pragma once

/* ---- shuffles: 32-bit types are one instruction, 64-bit types two ------------------------------ */

/* The last operand of shfl: which lanes form a segment of `width`, and where reading stops (the
 * segment's first lane for up, its last for the others). */
#define __WARPBOOK_SEGMENT(width, last) (((32 - (width)) << 8) | (last))

/* One shuffle for each type T of 32 bits that travels as the builtin's type B. */
#define __WARPBOOK_SHFL32(T, B, SUFFIX)                                                            \
  __WARPBOOK_DEVICE T __shfl_sync(unsigned mask, T v, int lane, int width = 32) {                  \
    return (T)__nvvm_shfl_sync_idx_##SUFFIX(mask, (B)v, lane, __WARPBOOK_SEGMENT(width, 31));      \
  }                                                                                                \
  __WARPBOOK_DEVICE T __shfl_up_sync(unsigned mask, T v, unsigned delta, int width = 32) {         \
    return (T)__nvvm_shfl_sync_up_##SUFFIX(mask, (B)v, delta, __WARPBOOK_SEGMENT(width, 0));       \
  }                                                                                                \
  __WARPBOOK_DEVICE T __shfl_down_sync(unsigned mask, T v, unsigned delta, int width = 32) {       \
    return (T)__nvvm_shfl_sync_down_##SUFFIX(mask, (B)v, delta, __WARPBOOK_SEGMENT(width, 31));    \
  }                                                                                                \
  __WARPBOOK_DEVICE T __shfl_xor_sync(unsigned mask, T v, int lanes, int width = 32) {             \
    return (T)__nvvm_shfl_sync_bfly_##SUFFIX(mask, (B)v, lanes, __WARPBOOK_SEGMENT(width, 31));    \
  }

/* The forms before Volta have no mask: the lanes that are active take part. */
#define __WARPBOOK_OLD_SHFL32(T, R)                                                                \
  __WARPBOOK_DEVICE T __shfl(T v, int lane, int width = 32) {                                      \
    asm volatile("shfl.idx.b32 %0, %0, %1, %2;"                                                    \
                 : "+" R(v)                                                                        \
                 : "r"(lane), "r"(__WARPBOOK_SEGMENT(width, 31)));                                 \
    return v;                                                                                      \
  }                                                                                                \
  __WARPBOOK_DEVICE T __shfl_up(T v, unsigned delta, int width = 32) {                             \
    asm volatile("shfl.up.b32 %0, %0, %1, %2;"                                                     \
                 : "+" R(v)                                                                        \
                 : "r"(delta), "r"(__WARPBOOK_SEGMENT(width, 0)));                                 \
    return v;                                                                                      \
  }                                                                                                \
  __WARPBOOK_DEVICE T __shfl_down(T v, unsigned delta, int width = 32) {                           \
    asm volatile("shfl.down.b32 %0, %0, %1, %2;"                                                   \
                 : "+" R(v)                                                                        \
                 : "r"(delta), "r"(__WARPBOOK_SEGMENT(width, 31)));                                \
    return v;                                                                                      \
  }                                                                                                \
  __WARPBOOK_DEVICE T __shfl_xor(T v, int lanes, int width = 32) {                                 \
    asm volatile("shfl.bfly.b32 %0, %0, %1, %2;"                                                   \
                 : "+" R(v)                                                                        \
                 : "r"(lanes), "r"(__WARPBOOK_SEGMENT(width, 31)));                                \
    return v;                                                                                      \
  }

__WARPBOOK_SHFL32(int, int, i32)
__WARPBOOK_SHFL32(unsigned, int, i32)
__WARPBOOK_SHFL32(float, float, f32)
__WARPBOOK_OLD_SHFL32(int, "r")
__WARPBOOK_OLD_SHFL32(unsigned, "r")
__WARPBOOK_OLD_SHFL32(float, "f")

/* A 64-bit value travels as its two halves. */
#define __WARPBOOK_HALVES(NAME, T, PARAMS, ARGS_LOW, ARGS_HIGH)                                    \
  __WARPBOOK_DEVICE T NAME PARAMS {                                                                \
    unsigned long long bits = __builtin_bit_cast(unsigned long long, v);                           \
    unsigned low = (unsigned)bits, high = (unsigned)(bits >> 32);                                  \
    low = NAME ARGS_LOW;                                                                           \
    high = NAME ARGS_HIGH;                                                                         \
    return __builtin_bit_cast(T, (unsigned long long)high << 32 | low);                            \
  }
#define __WARPBOOK_SHFL64(T)                                                                       \
  __WARPBOOK_HALVES(__shfl_sync, T, (unsigned mask, T v, int lane, int width = 32),                \
                    (mask, low, lane, width), (mask, high, lane, width))                           \
  __WARPBOOK_HALVES(__shfl_up_sync, T, (unsigned mask, T v, unsigned delta, int width = 32),       \
                    (mask, low, delta, width), (mask, high, delta, width))                         \
  __WARPBOOK_HALVES(__shfl_down_sync, T, (unsigned mask, T v, unsigned delta, int width = 32),     \
                    (mask, low, delta, width), (mask, high, delta, width))                         \
  __WARPBOOK_HALVES(__shfl_xor_sync, T, (unsigned mask, T v, int lanes, int width = 32),           \
                    (mask, low, lanes, width), (mask, high, lanes, width))                         \
  __WARPBOOK_HALVES(__shfl, T, (T v, int lane, int width = 32), (low, lane, width),                \
                    (high, lane, width))                                                           \
  __WARPBOOK_HALVES(__shfl_up, T, (T v, unsigned delta, int width = 32), (low, delta, width),      \
                    (high, delta, width))                                                          \
  __WARPBOOK_HALVES(__shfl_down, T, (T v, unsigned delta, int width = 32), (low, delta, width),    \
                    (high, delta, width))                                                          \
  __WARPBOOK_HALVES(__shfl_xor, T, (T v, int lanes, int width = 32), (low, lanes, width),          \
                    (high, lanes, width))
__WARPBOOK_SHFL64(long)
__WARPBOOK_SHFL64(unsigned long)
__WARPBOOK_SHFL64(long long)
__WARPBOOK_SHFL64(unsigned long long)
__WARPBOOK_SHFL64(double)
#undef __WARPBOOK_SHFL32
#undef __WARPBOOK_OLD_SHFL32
#undef __WARPBOOK_SHFL64
#undef __WARPBOOK_HALVES

/* ---- votes -------------------------------------------------------------------------------------- */

__WARPBOOK_DEVICE unsigned __ballot_sync(unsigned mask, int p) {
  return __nvvm_vote_ballot_sync(mask, p != 0);
}
__WARPBOOK_DEVICE int __any_sync(unsigned mask, int p) { return __nvvm_vote_any_sync(mask, p != 0); }
__WARPBOOK_DEVICE int __all_sync(unsigned mask, int p) { return __nvvm_vote_all_sync(mask, p != 0); }
__WARPBOOK_DEVICE int __uni_sync(unsigned mask, int p) { return __nvvm_vote_uni_sync(mask, p != 0); }
__WARPBOOK_DEVICE unsigned __activemask() {
  unsigned m;
  asm volatile("activemask.b32 %0;" : "=r"(m));
  return m;
}

/* Before Volta: the active lanes vote. */
__WARPBOOK_DEVICE unsigned __ballot(int p) {
  unsigned r;
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; vote.ballot.b32 %0, p; }" : "=r"(r) : "r"(p));
  return r;
}
__WARPBOOK_DEVICE int __any(int p) {
  int r;
  asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; vote.any.pred q, p; selp.s32 %0, 1, 0, q; }"
               : "=r"(r)
               : "r"(p));
  return r;
}
__WARPBOOK_DEVICE int __all(int p) {
  int r;
  asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; vote.all.pred q, p; selp.s32 %0, 1, 0, q; }"
               : "=r"(r)
               : "r"(p));
  return r;
}

/* ---- matches: which lanes hold the same bits ---------------------------------------------------- */

__WARPBOOK_DEVICE unsigned __match_any_sync(unsigned mask, unsigned v) {
  unsigned r;
  asm volatile("match.any.sync.b32 %0, %1, %2;" : "=r"(r) : "r"(v), "r"(mask));
  return r;
}
__WARPBOOK_DEVICE unsigned __match_any_sync(unsigned mask, unsigned long long v) {
  unsigned r;
  asm volatile("match.any.sync.b64 %0, %1, %2;" : "=r"(r) : "l"(v), "r"(mask));
  return r;
}
__WARPBOOK_DEVICE unsigned __match_all_sync(unsigned mask, unsigned v, int *pred) {
  unsigned r;
  int all;
  asm volatile("{ .reg .pred p; match.all.sync.b32 %0|p, %2, %3; selp.s32 %1, 1, 0, p; }"
               : "=r"(r), "=r"(all)
               : "r"(v), "r"(mask));
  *pred = all;
  return r;
}
__WARPBOOK_DEVICE unsigned __match_all_sync(unsigned mask, unsigned long long v, int *pred) {
  unsigned r;
  int all;
  asm volatile("{ .reg .pred p; match.all.sync.b64 %0|p, %2, %3; selp.s32 %1, 1, 0, p; }"
               : "=r"(r), "=r"(all)
               : "l"(v), "r"(mask));
  *pred = all;
  return r;
}
#define __WARPBOOK_MATCH(T, BITS)                                                                  \
  __WARPBOOK_DEVICE unsigned __match_any_sync(unsigned mask, T v) {                                \
    return __match_any_sync(mask, __builtin_bit_cast(BITS, v));                                    \
  }                                                                                                \
  __WARPBOOK_DEVICE unsigned __match_all_sync(unsigned mask, T v, int *pred) {                     \
    return __match_all_sync(mask, __builtin_bit_cast(BITS, v), pred);                              \
  }
__WARPBOOK_MATCH(int, unsigned)
__WARPBOOK_MATCH(float, unsigned)
__WARPBOOK_MATCH(long, unsigned long long)
__WARPBOOK_MATCH(unsigned long, unsigned long long)
__WARPBOOK_MATCH(long long, unsigned long long)
__WARPBOOK_MATCH(double, unsigned long long)
#undef __WARPBOOK_MATCH

/* ---- reductions (Ampere on) --------------------------------------------------------------------- */

#define __WARPBOOK_REDUCE(NAME, T, OP)                                                             \
  __WARPBOOK_DEVICE T NAME(unsigned mask, T v) {                                                   \
    T r;                                                                                           \
    asm volatile("redux.sync." OP " %0, %1, %2;" : "=r"(r) : "r"(v), "r"(mask));                   \
    return r;                                                                                      \
  }
__WARPBOOK_REDUCE(__reduce_add_sync, unsigned, "add.u32")
__WARPBOOK_REDUCE(__reduce_add_sync, int, "add.s32")
__WARPBOOK_REDUCE(__reduce_min_sync, unsigned, "min.u32")
__WARPBOOK_REDUCE(__reduce_min_sync, int, "min.s32")
__WARPBOOK_REDUCE(__reduce_max_sync, unsigned, "max.u32")
__WARPBOOK_REDUCE(__reduce_max_sync, int, "max.s32")
__WARPBOOK_REDUCE(__reduce_and_sync, unsigned, "and.b32")
__WARPBOOK_REDUCE(__reduce_or_sync, unsigned, "or.b32")
__WARPBOOK_REDUCE(__reduce_xor_sync, unsigned, "xor.b32")
#undef __WARPBOOK_REDUCE

/* ---- the lane's own registers -------------------------------------------------------------------- */

__WARPBOOK_DEVICE unsigned __warpbook_laneid() {
  unsigned r;
  asm("mov.u32 %0, %%laneid;" : "=r"(r));
  return r;
}
