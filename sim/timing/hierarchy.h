/*
 * timing/hierarchy.h - what a memory access costs: shared memory's banks, the coalescer, L1, L2 and
 * DRAM.
 *
 * Only addresses are modelled here, never data: the executor moved the bytes already. An L1 belongs
 * to an SM; L2 and DRAM to the GPU, so SMs compete for them. A cache keeps lines of 128 bytes in
 * sectors of 32, each line with the cycle at which its last sector arrives: a second access to a
 * sector on its way waits for it and asks for nothing.
 */
#ifndef WARPBOOK_TIMING_HIERARCHY_H
#define WARPBOOK_TIMING_HIERARCHY_H

#include "exec/exec.h"
#include "timing/arch.h"

/* The later of two cycles. */
static inline uint64_t later(uint64_t a, uint64_t b) { return a > b ? a : b; }

typedef struct Cache Cache;

/* L2 and DRAM. */
typedef struct Hierarchy {
  const Arch *arch;
  Cache *l2;
  double dram_free, l2_free;     /* when the channels have done what was asked for so far */
  double dram_interval;          /* cycles a sector */
  uint64_t dram_turn, dram_line; /* requests so far; the line that was asked for last ... */
  double dram_now;               /* ... and when */
  bool dram_far;                 /* ... and whether it lies beyond the other half of L2 */
  uint64_t *atomic_free;         /* by hashed address: when the last atomic there is done */
  uint64_t l2_hits, l2_misses, dram_sectors; /* sectors */
} Hierarchy;

/* Constant caches, as reported for v100 (arXiv:1804.06826): 2 KB in lines of 64 bytes, and behind
 * them 64 KB or more in blocks of 256. */
enum { CONSTANT_LINE = 64, CONSTANT_LINES = 32, CONSTANT_BLOCK = 256, CONSTANT_BLOCKS = 256 };

/* The memory side of one SM. */
typedef struct SmMemory {
  Hierarchy *gpu;
  const Arch *arch;
  Cache *l1;
  double shared_free;  /* banks: one wavefront after another */
  double line_free;    /* tags of L1 */
  double port_free;    /* sectors from L2 */
  double request_free; /* lines asked for in L2 */
  double store_free;   /* sectors to L2 */
  uint64_t *in_flight; /* when each of the last max_outstanding sectors arrives */
  uint32_t next_flight;
  uint64_t last_line;   /* asked for */
  uint64_t last_pair;   /* of sectors, as L2 delivers them */
  uint64_t unique;      /* where the next warp's local memory lies */
  double constant_free; /* the constant cache: a miss keeps it busy */
  /* Lines in it, and blocks in the larger cache behind it: their numbers + 1. */
  uint64_t constant_lines[CONSTANT_LINES], constant_blocks[CONSTANT_BLOCKS];
} SmMemory;

/* What one warp instruction asked of memory, and when it is done. */
typedef struct MemoryCost {
  uint64_t done;       /* the cycle at which a dependent instruction may issue */
  uint64_t accepted;   /* the cycle at which the pipeline has taken the access */
  uint32_t sectors;    /* different sectors touched; 0 for shared memory */
  uint32_t hits;       /* of them in L1 */
  uint32_t conflicts;  /* wavefronts beyond those that a wide access takes in any case */
  uint32_t wavefronts; /* passes over shared memory; 1: no conflict */
  bool shared;
} MemoryCost;

Hierarchy *hierarchy_new(const Arch *arch); /* NULL: out of memory */
void hierarchy_free(Hierarchy *h);
/* Every launch begins at cycle 0: nothing is on its way. What L2 holds stays. */
void hierarchy_begin(Hierarchy *h);
/* A copy from the host passes through L2 and leaves its lines there. `read`: an earlier launch has
 * read them, too. */
void hierarchy_touch(Hierarchy *h, uint64_t address, uint64_t bytes, bool read);
/* Empties L2. */
void hierarchy_flush(Hierarchy *h);

/* `shared_bytes`: what the resident blocks take of the memory that L1 shares with them. */
bool sm_memory_init(SmMemory *m, Hierarchy *h, uint64_t shared_bytes);
void sm_memory_release(SmMemory *m);

/* The access that `e` made, issued at cycle `now`; `local` is where the warp's local memory lies.
 * An atomic `returns` the old value, unless nobody wants it; it is `aggregated` if one lane makes
 * it for all. */
MemoryCost memory_access(SmMemory *m, const Executed *e, uint64_t now, uint64_t local, bool returns,
                         bool aggregated);

/* The cycle from which on the pipeline takes another instruction: its queue has room again. */
uint64_t memory_ready(const SmMemory *m);

/* Passes over shared memory's banks for these addresses, 1 to 32 times the words of an access:
 * lanes that read the same word share a pass. */
uint32_t shared_wavefronts(const Arch *a, const uint64_t *address, Mask m, uint32_t bytes);
/* The different sectors of these addresses, in the order in which lanes name them; at most
 * WARP_SIZE * 5 (16 bytes a lane may straddle). Returns how many. */
uint32_t coalesce(const uint64_t *address, Mask m, uint32_t bytes, uint32_t sector_bytes,
                  uint64_t *sectors);

#endif
