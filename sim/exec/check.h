/*
 * exec/check.h - the checks that cost (GPU_CHECK_FULL): uninitialised reads and races.
 *
 * Two accesses of one byte by two threads, at least one a plain store, are a race unless something
 * orders them. What orders:
 *   a barrier of the block     both are in the block, and a barrier lies between them
 *   a _sync instruction        of lanes of one warp; known exactly, by a vector clock a lane
 *   atomics and fences         the first thread's warp (for another block: the block) has passed a
 *                              fence or an atomic since, and the second's has since read by an
 *                              atomic or a volatile load. Which word carried the message is not
 *                              followed, so a race can hide here, but a correct program is never
 *                              accused.
 * Atomic and volatile accesses do not race with each other, and equal values stored by one
 * instruction are no race. Each word of 4 bytes remembers its last store and two last loads.
 */
#ifndef WARPBOOK_EXEC_CHECK_H
#define WARPBOOK_EXEC_CHECK_H

#include "exec/exec.h"

/* A block starts: fresh clocks, nothing of its shared memory written. */
void check_start(Cta *cta);
/* Lanes of `m` access `bytes` bytes each. Called before the bytes move. */
void check_access(Warp *w, Path *p, const Op *op, const uint64_t *address, uint32_t bytes, Mask m,
                  bool write, Allocation *global);
/* The lanes of `group` have executed a _sync instruction together. */
void check_synced(Warp *w, Mask group);
/* A barrier of the block is complete. */
void check_barrier(Cta *cta);
/* A fence. */
void check_fence(Warp *w, Mask m);

/* A message passes between threads by other means (mbarrier): releases and acquires. */
void check_message(Warp *w);

#endif
