/* exec/memory.c - allocations of global memory. */
#include "exec/memory.h"

#include <stdlib.h>
#include <string.h>

void memory_init(Memory *mem, uint64_t limit) {
  memset(mem, 0, sizeof *mem);
  mem->next = GLOBAL_BASE;
  mem->limit = limit;
}

static void drop_shadow(Allocation *a) {
  for (uint64_t i = 0; a->shadow && i <= a->size / SHADOW_PAGE; i++) free(a->shadow[i]);
  free(a->shadow);
  a->shadow = NULL;
}

void memory_drop_shadow(Memory *mem) {
  for (size_t i = 0; i < mem->count; i++) drop_shadow(&mem->items[i]);
}

static void release_bytes(Allocation *a) {
  drop_shadow(a);
  free(a->host);
  free(a->written);
  a->host = a->written = NULL;
}

void memory_release(Memory *mem) {
  for (size_t i = 0; i < mem->count; i++) release_bytes(&mem->items[i]);
  free(mem->items);
  memset(mem, 0, sizeof *mem);
}

uint64_t memory_alloc(Memory *mem, uint64_t bytes, const char *name, bool track) {
  if (bytes == 0) bytes = 1;
  if (bytes > mem->limit || mem->used > mem->limit - bytes) return 0;
  if (mem->count == mem->capacity) {
    size_t capacity = mem->capacity ? 2 * mem->capacity : 16;
    Allocation *items = realloc(mem->items, capacity * sizeof *items);
    if (!items) return 0;
    mem->items = items;
    mem->capacity = capacity;
  }
  Allocation a = {.base = mem->next, .size = bytes, .name = name};
  a.host = calloc(1, bytes);
  if (track && a.host) a.written = calloc(1, bytes / 8 + 1);
  if (!a.host || (track && !a.written)) {
    release_bytes(&a);
    return 0;
  }
  mem->items[mem->count++] = a;
  mem->used += bytes;
  mem->next = (a.base + bytes + ALLOC_GUARD + ALLOC_ALIGN - 1) & ~(uint64_t)(ALLOC_ALIGN - 1);
  return a.base;
}

/* The last allocation that starts at or below `address`; addresses only ever grow. */
static Allocation *at_or_below(const Memory *mem, uint64_t address) {
  size_t low = 0, high = mem->count;
  while (low < high) {
    size_t mid = (low + high) / 2;
    if (mem->items[mid].base <= address)
      low = mid + 1;
    else
      high = mid;
  }
  return low ? &mem->items[low - 1] : NULL;
}

bool memory_free(Memory *mem, uint64_t base) {
  Allocation *a = at_or_below(mem, base);
  if (!a || a->base != base || a->freed) return false;
  release_bytes(a);
  a->freed = true;
  mem->used -= a->size;
  return true;
}

Allocation *memory_find(const Memory *mem, uint64_t address, uint64_t bytes) {
  Allocation *a = at_or_below(mem, address);
  if (!a || a->freed) return NULL;
  uint64_t offset = address - a->base;
  return offset <= a->size && bytes <= a->size - offset ? a : NULL;
}

const Allocation *memory_nearest(const Memory *mem, uint64_t address) {
  const Allocation *below = at_or_below(mem, address);
  const Allocation *above = below ? below + 1 : mem->items;
  if (mem->count == 0) return NULL;
  if (!below) return above;
  if (above == mem->items + mem->count) return below;
  uint64_t end = below->base + below->size;
  uint64_t down = address > end ? address - end : 0;
  return down <= above->base - address ? below : above;
}

void memory_mark(Allocation *a, uint64_t address, uint64_t bytes) {
  if (!a->written) return;
  for (uint64_t i = address - a->base, end = i + bytes; i < end; i++)
    a->written[i / 8] |= (uint8_t)(1u << (i % 8));
}
