/*
 * exec/lanes.h - one arithmetic instruction over the 32 lanes of a warp.
 *
 * This layer knows nothing of warps, memory or divergence: an instruction is bound once, when its
 * kernel is prepared, to one function over arrays of 32 lanes, and the executor calls that
 * function.
 *
 *   lanes.c       the common instructions, a vector loop each; compiled several times (AVX-512,
 *                 AVX2, plain), and the build that fits the processor is chosen at start
 *   lane_eval.c   everything else, one lane at a time, looking at the instruction's modifiers
 *   lane_float.c  what a lane's floating point needs: small formats, directed rounding, ex2, sin,
 * ...
 *
 * All builds give the same bits on every machine: only operations that IEEE 754 defines exactly are
 * used, never the host's mathematics library.
 *
 * Lanes are stored in the natural width of the instruction's type: 16-bit words for 8- and 16-bit
 * types, 32-bit words for 32-bit types, 64-bit words for 64-bit types. An 8-bit source has rubbish
 * above its low 8 bits; an 8-bit result is sign- or zero-extended to 16 bits by its type.
 * A predicate is not an array but one Mask, a bit a lane.
 */
#ifndef WARPBOOK_EXEC_LANES_H
#define WARPBOOK_EXEC_LANES_H

#include <string.h>

#include "base/mask.h"
#include "ptx/ptx.h"

/* What only some instructions need. */
typedef struct LaneExtra {
  const Inst *in; /* the instruction; may be NULL when lanes_is_plain() holds */
  const void *e;  /* a fourth source (bfi's length): lanes of 32 bits */
  Mask *p;      /* setp's second predicate `q`; the carry flag of .cc, addc, subc, madc; or NULL */
  uint32_t imm; /* lop3's truth table */
  Mask zero_divide; /* out: lanes that divided an integer by zero (div, rem) */
} LaneExtra;

/*
 * d: destination; a, b, c: sources, in the order in which PTX writes them (unused ones are NULL).
 * Only lanes in `m` are written; d may be the same array as a source. Sources that are predicates
 * (selp's c, setp's combining operand c) point to a Mask; so does d for setp, testp and the logic
 * instructions on .pred. For mul.wide and mad.wide, d (and mad's c) have twice the type's width.
 * For shifts, the amount is an array of 32-bit lanes whatever the type; so are bfe's and bfi's
 * positions and lengths. popc, clz and bfind write 32-bit lanes. cvt and set: d has the natural
 * width of type, the source of type2. `x` is never NULL.
 */
typedef void (*LaneFn)(void *d, const void *a, const void *b, const void *c, Mask m, LaneExtra *x);

/* The function for an instruction, or NULL when it is not an arithmetic one or not supported. */
LaneFn lanes_bind(const Inst *in);
/* Does the function need nothing of LaneExtra but zeros? */
bool lanes_is_plain(const Inst *in);

/* The name of the build in use: "avx512", "avx2" or "plain". */
const char *lanes_build(void);
/* The function of a certain build (for tests); NULL when this machine or binary lacks it. */
LaneFn lanes_bind_build(const Inst *in, const char *build);

/* The bits of lane l in an array of lanes of `bytes` bytes (of 16: the lower 8); NULL reads as 0.
 */
static inline uint64_t lane_read(const void *lanes, int bytes, int l) {
  uint64_t v = 0;
  if (lanes)
    memcpy(&v, (const uint8_t *)lanes + (size_t)l * (size_t)bytes, (size_t)(bytes > 8 ? 8 : bytes));
  return v;
}

/* lane_eval.c */
LaneFn lane_eval_bind(const Inst *in);

#endif
