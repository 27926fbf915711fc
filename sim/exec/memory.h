/*
 * exec/memory.h - the device's memory spaces.
 *
 * There is one 64-bit address space (the generic one), with a window for each kind of memory. An
 * address means the same whether an instruction names the space or not, so cvta changes nothing:
 *
 *   0x0000'0000  nothing: a null pointer faults
 *   0x0100'0000  shared: the block's own
 *   0x0200'0000  local: the thread's own (its stack)
 *   0x0300'0000  the parameters of the kernel
 *   0x0400'0000  functions: nothing can be read there
 *   0x1000'0000  global: allocations, each with unmapped space on both sides
 *
 * The windows lie below 4 GiB, so that modules with 32-bit addresses work, too.
 */
#ifndef WARPBOOK_EXEC_MEMORY_H
#define WARPBOOK_EXEC_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ptx/ptx.h"

#define SHARED_BASE 0x01000000ull
#define SHARED_WINDOW 0x01000000ull
#define LOCAL_BASE 0x02000000ull
#define LOCAL_WINDOW 0x01000000ull
#define PARAM_BASE 0x03000000ull
#define PARAM_WINDOW 0x01000000ull
#define FUNCTION_BASE 0x04000000ull /* where pointers to functions point */
#define FUNCTION_STEP 16
#define GLOBAL_BASE 0x10000000ull

enum {
  ALLOC_ALIGN = 512,     /* as cudaMalloc: addresses are aligned to at least 256 bytes */
  ALLOC_GUARD = 1 << 16, /* unmapped bytes between two allocations */
  SHADOW_PAGE = 4096     /* bytes that a page of Allocation.shadow describes */
};

typedef struct Allocation {
  uint64_t base, size;
  uint8_t *host;
  uint8_t *written; /* a bit a byte, set once written; NULL: not tracked */
  void **shadow;    /* who accessed what, by page of 4 KiB (race.c); NULL: nothing recorded */
  bool read_only;   /* .const */
  bool freed;       /* kept, so that a use after free can be named */
  const char *name; /* a variable's name, or NULL */
} Allocation;

typedef struct Memory {
  Allocation *items; /* by ascending base */
  size_t count, capacity;
  uint64_t next; /* where the next allocation starts */
  uint64_t used, limit;
  uint64_t version; /* grows when a store or an atomic changes a byte: a spinning path watches it */
} Memory;

void memory_init(Memory *mem, uint64_t limit);
void memory_release(Memory *mem);
/* Allocates zeroed bytes; 0 when the limit is passed or the host has no memory. A size of 0 counts
 * as 1. `track` keeps the record of written bytes. */
uint64_t memory_alloc(Memory *mem, uint64_t bytes, const char *name, bool track);
bool memory_free(Memory *mem, uint64_t base);
/* The allocation that holds [address, address + bytes), or NULL. */
Allocation *memory_find(const Memory *mem, uint64_t address, uint64_t bytes);
/* The allocation nearest to an address, for messages; NULL when there is none. */
const Allocation *memory_nearest(const Memory *mem, uint64_t address);
/* Marks bytes as written. */
void memory_mark(Allocation *a, uint64_t address, uint64_t bytes);

/* Forgets who accessed what. */
void memory_drop_shadow(Memory *mem);

/* The space of a generic address. */
static inline Space memory_space(uint64_t address) {
  if (address >= GLOBAL_BASE) return SP_GLOBAL;
  if (address - SHARED_BASE < SHARED_WINDOW) return SP_SHARED;
  if (address - LOCAL_BASE < LOCAL_WINDOW) return SP_LOCAL;
  if (address - PARAM_BASE < PARAM_WINDOW) return SP_PARAM;
  return SP_GENERIC;
}

#endif
