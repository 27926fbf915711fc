/* base/align.h - rounding up to a multiple. */
#ifndef WARPBOOK_BASE_ALIGN_H
#define WARPBOOK_BASE_ALIGN_H

#include <stdint.h>

/* The smallest multiple of `a`, a power of two (0 counts as 1), that is not below v. */
static inline uint64_t align_up(uint64_t v, uint64_t a) {
  return a > 1 ? (v + a - 1) & ~(a - 1) : v;
}

#endif
