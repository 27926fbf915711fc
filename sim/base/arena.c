/* base/arena.c - memory in chunks; the newest chunk is the first of the list. */
#include "base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64, FIRST_CHUNK = 1 << 16, LARGEST_CHUNK = 1 << 24 };

typedef struct Chunk {
  struct Chunk *next;
  size_t size, used; /* of the bytes behind the header */
} Chunk;

struct Arena {
  Chunk *chunks;
  size_t limit, total, next_size;
  jmp_buf *on_failure;
};

Arena *arena_new(size_t limit) {
  Arena *a = calloc(1, sizeof *a);
  if (a) *a = (Arena){.limit = limit, .next_size = FIRST_CHUNK};
  return a;
}

void arena_free(Arena *arena) {
  if (!arena) return;
  for (Chunk *c = arena->chunks, *next; c; c = next) {
    next = c->next;
    free(c);
  }
  free(arena);
}

void arena_guard(Arena *arena, jmp_buf *on_failure) { arena->on_failure = on_failure; }
size_t arena_used(const Arena *arena) { return arena->total; }

static _Noreturn void give_up(Arena *arena) {
  if (!arena->on_failure) {
    fputs("out of memory\n", stderr);
    abort();
  }
  longjmp(*arena->on_failure, 1);
}

static unsigned char *chunk_bytes(Chunk *c) {
  uintptr_t at = (uintptr_t)(c + 1);
  return (unsigned char *)((at + ALIGNMENT - 1) & ~(uintptr_t)(ALIGNMENT - 1));
}

static Chunk *add_chunk(Arena *arena, size_t bytes) {
  size_t size = arena->next_size > bytes ? arena->next_size : bytes;
  if (arena->next_size < LARGEST_CHUNK) arena->next_size *= 2;
  Chunk *c = calloc(1, sizeof *c + ALIGNMENT + size);
  if (!c) give_up(arena);
  *c = (Chunk){arena->chunks, size, 0};
  arena->chunks = c;
  return c;
}

void *arena_alloc(Arena *arena, size_t bytes) {
  if (bytes > SIZE_MAX / 4) give_up(arena);
  size_t rounded = (bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
  if (rounded == 0) rounded = ALIGNMENT;
  if (arena->limit && arena->total + rounded > arena->limit) give_up(arena);
  Chunk *c = arena->chunks;
  if (!c || c->size - c->used < rounded) c = add_chunk(arena, rounded);
  void *p = chunk_bytes(c) + c->used;
  c->used += rounded;
  arena->total += rounded;
  return p;
}

char *arena_strndup(Arena *arena, const char *text, size_t length) {
  char *copy = arena_alloc(arena, length + 1);
  memcpy(copy, text, length);
  return copy;
}

char *arena_printf(Arena *arena, const char *fmt, ...) {
  va_list args, again;
  va_start(args, fmt);
  va_copy(again, args);
  int n = vsnprintf(NULL, 0, fmt, args);
  char *s = arena_alloc(arena, n < 0 ? 1 : (size_t)n + 1);
  if (n >= 0) vsnprintf(s, (size_t)n + 1, fmt, again);
  va_end(again);
  va_end(args);
  return s;
}

void *arena_grow(Arena *arena, void *items, size_t item_size, size_t count, size_t *capacity) {
  size_t bigger = *capacity ? 2 * *capacity : 8;
  void *grown = arena_alloc(arena, bigger * item_size);
  if (count) memcpy(grown, items, count * item_size);
  *capacity = bigger;
  return grown;
}
