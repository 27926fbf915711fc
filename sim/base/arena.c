/* base/arena.c - memory in chunks; the newest shared chunk is the first of the list. */
#include "base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  ALIGNMENT = 64,       /* of what is as large as a cache line, or larger */
  SMALL_ALIGNMENT = 16, /* of the rest */
  FIRST_CHUNK = 1 << 16,
  LARGEST_CHUNK = 1 << 22,
  OWN_CHUNK = 1 << 18 /* from this size on, an allocation has a chunk of its own */
};

typedef struct Chunk {
  struct Chunk *next;
  size_t size, used; /* of the bytes behind the header */
} Chunk;

struct Arena {
  Chunk *shared; /* many allocations each; the first has room */
  Chunk *own;    /* one allocation each */
  size_t limit, total, next_size;
  jmp_buf *on_failure;
};

Arena *arena_new(size_t limit) {
  Arena *a = calloc(1, sizeof *a);
  if (a) *a = (Arena){.limit = limit, .next_size = FIRST_CHUNK};
  return a;
}

static void free_chunks(Chunk *c) {
  for (Chunk *next; c; c = next) {
    next = c->next;
    free(c);
  }
}

void arena_free(Arena *arena) {
  if (!arena) return;
  free_chunks(arena->shared);
  free_chunks(arena->own);
  free(arena);
}

void arena_guard(Arena *arena, jmp_buf *on_failure) { arena->on_failure = on_failure; }
size_t arena_used(const Arena *arena) { return arena->total; }

static NORETURN void give_up(Arena *arena) {
  if (!arena->on_failure) {
    fputs("out of memory\n", stderr);
    abort();
  }
  longjmp(*arena->on_failure, 1);
}

static size_t round_up(size_t n, size_t alignment) {
  return (n + alignment - 1) & ~(alignment - 1);
}

static unsigned char *chunk_bytes(Chunk *c) {
  return (unsigned char *)round_up((uintptr_t)(c + 1), ALIGNMENT);
}

static Chunk *new_chunk(Arena *arena, size_t size) {
  Chunk *c = calloc(1, sizeof *c + ALIGNMENT + size);
  if (!c) give_up(arena);
  c->size = size;
  return c;
}

static void push(Chunk **list, Chunk *c) {
  c->next = *list;
  *list = c;
}

static void *alloc_own(Arena *arena, size_t bytes) {
  Chunk *c = new_chunk(arena, bytes);
  c->used = bytes;
  push(&arena->own, c);
  return chunk_bytes(c);
}

static void *alloc_shared(Arena *arena, size_t bytes, size_t alignment) {
  Chunk *c = arena->shared;
  if (!c || round_up(c->used, alignment) + bytes > c->size) {
    c = new_chunk(arena, bytes > arena->next_size ? bytes : arena->next_size);
    if (arena->next_size < LARGEST_CHUNK) arena->next_size *= 2;
    push(&arena->shared, c);
  }
  size_t at = round_up(c->used, alignment);
  c->used = at + bytes;
  return chunk_bytes(c) + at;
}

void *arena_alloc(Arena *arena, size_t bytes) {
  if (bytes > SIZE_MAX / 4) give_up(arena);
  size_t alignment = bytes < ALIGNMENT ? SMALL_ALIGNMENT : ALIGNMENT;
  bytes = round_up(bytes ? bytes : 1, alignment);
  if (arena->limit && (bytes > arena->limit || arena->total > arena->limit - bytes)) give_up(arena);
  void *p = bytes >= OWN_CHUNK ? alloc_own(arena, bytes) : alloc_shared(arena, bytes, alignment);
  arena->total += bytes;
  return p;
}

/* Gives back an allocation that has a chunk of its own; no other can be given back. */
static void release_own(Arena *arena, const void *p) {
  for (Chunk **link = &arena->own; *link; link = &(*link)->next)
    if (chunk_bytes(*link) == p) {
      Chunk *c = *link;
      *link = c->next;
      arena->total -= c->used;
      free(c);
      return;
    }
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
  if (bigger > SIZE_MAX / 4 / item_size) give_up(arena);
  void *grown = arena_alloc(arena, bigger * item_size);
  if (count) memcpy(grown, items, count * item_size);
  if (*capacity * item_size >= OWN_CHUNK) release_own(arena, items);
  *capacity = bigger;
  return grown;
}
