/* base/mask.h - a set of lanes of a warp: bit l is lane l. */
#ifndef WARPBOOK_BASE_MASK_H
#define WARPBOOK_BASE_MASK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/platform.h"

enum { WARP_SIZE = 32 };

typedef uint32_t Mask;
#define FULL_MASK 0xffffffffu

static inline int mask_count(Mask m) { return COUNT_ONES(m); }
/* The lowest lane; m must not be 0. */
static inline int mask_first(Mask m) { return COUNT_TRAILING_ZEROS(m); }
static inline bool mask_has(Mask m, int lane) { return (m >> lane) & 1u; }
/* The lanes 0 .. n-1, for n from 0 to 32. */
static inline Mask mask_below(int n) { return n >= 32 ? FULL_MASK : (1u << n) - 1u; }

/* The lowest lane of m at or above `from`; 32 when there is none. */
static inline int mask_next(Mask m, int from) {
  if (from >= WARP_SIZE) return WARP_SIZE;
  Mask rest = m & (FULL_MASK << from);
  return rest ? mask_first(rest) : WARP_SIZE;
}

/* Whether it is a full warp whose lanes' addresses are side by side, `bytes` for each. */
static inline bool lanes_in_row(const uint64_t *address, Mask m, uint32_t bytes) {
  if (m != FULL_MASK) return false;
  uint64_t wrong = 0;
  for (int l = 1; l < WARP_SIZE; l++) wrong |= address[l] ^ (address[0] + (uint64_t)l * bytes);
  return wrong == 0;
}

/* for (each lane of m, lowest first) */
#define FOR_LANES(lane, m)                                                                         \
  for (int lane = mask_next((m), 0); lane < WARP_SIZE; lane = mask_next((m), lane + 1))

#endif
