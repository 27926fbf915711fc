/* view/numbering.c - a hash table with open addressing, at most half full. */
#include "view/numbering.h"

#include <stdlib.h>

typedef struct NumberedInst Inst;

static Inst *place_of(const Numbering *n, const char *function, uint32_t pc) {
  uint64_t h = ((uint64_t)(uintptr_t)function + pc) * 0x9e3779b97f4a7c15ull;
  for (size_t i = (size_t)(h >> 32);; i++) {
    Inst *at = &n->table[i & (n->capacity - 1)];
    if (!at->function || (at->function == function && at->pc == pc)) return at;
  }
}

static int grow(Numbering *n) {
  Numbering larger = {.count = n->count, .capacity = n->capacity ? 2 * n->capacity : 1024};
  larger.table = calloc(larger.capacity, sizeof *larger.table);
  if (!larger.table) return 0;
  for (size_t i = 0; i < n->capacity; i++)
    if (n->table[i].function)
      *place_of(&larger, n->table[i].function, n->table[i].pc) = n->table[i];
  free(n->table);
  *n = larger;
  return 1;
}

uint32_t number_inst(Numbering *n, const char *function, uint32_t pc) {
  if (2 * n->count >= n->capacity && !grow(n)) return UINT32_MAX;
  Inst *at = place_of(n, function, pc);
  if (!at->function) *at = (Inst){function, pc, (uint32_t)n->count++};
  return at->number;
}

void numbering_free(Numbering *n) {
  free(n->table);
  *n = (Numbering){0};
}
