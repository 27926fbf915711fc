/* view/numbering.h - numbers for the instructions that a run executes, in the order in which they
 * first appear. */
#ifndef WARPBOOK_VIEW_NUMBERING_H
#define WARPBOOK_VIEW_NUMBERING_H

#include <stddef.h>
#include <stdint.h>

typedef struct Numbering {
  struct NumberedInst {
    const char *function; /* compared as a pointer; NULL: free */
    uint32_t pc, number;
  } * table;
  size_t count, capacity; /* the latter a power of two */
} Numbering;

/* The number of an instruction: `count` before the call when it is new; UINT32_MAX: no memory. */
uint32_t number_inst(Numbering *n, const char *function, uint32_t pc);
void numbering_free(Numbering *n);

#endif
