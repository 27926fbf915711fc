/*
 * timing/occupancy.h - how many blocks of a kernel an SM holds at a time, step by step.
 *
 * Four things can run out: slots for warps, registers, shared memory, slots for blocks. Each allows
 * a number of blocks; the smallest is the answer. What makes it more than four divisions is that
 * each resource is handed out in units:
 *
 *   warps       a block of 257 threads takes 9 slots
 *   registers   are given to a warp, in units (256), out of the register file of the sub-core that
 *               runs it: what is left over in one sub-core is of no use to a warp of another
 *   shared      a block's bytes, and some for the system, rounded up to a unit (128 or 256)
 *
 * Source: the vendor's published occupancy rules and the CUDA programming guide; equal to a
 * driver's answers on every row of sim/tests/hardware/h200/occupancy.tsv.
 */
#ifndef WARPBOOK_TIMING_OCCUPANCY_H
#define WARPBOOK_TIMING_OCCUPANCY_H

#include "timing/arch.h"

typedef struct OccupancyQuery {
  uint32_t registers; /* a thread; 0: none */
  uint32_t block;     /* threads; at least 1 */
  uint64_t shared;    /* bytes a block, static and dynamic */
} OccupancyQuery;

/* Fills *out; see gpu_occupancy. */
void occupancy_explain(const Arch *arch, OccupancyQuery query, gpu_occupancy_info *out);
/* Only the number of blocks: cheap. */
uint32_t occupancy_blocks(const Arch *arch, OccupancyQuery query);

#endif
