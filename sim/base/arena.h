/* base/arena.h - memory that is taken piece by piece and given back all at once.
 *
 * A module owns one arena and a device another; nothing allocated from an arena is freed alone.
 * Running out of host memory, or past `limit` bytes, calls the arena's failure jump (see
 * arena_guard) rather than returning NULL, so callers need not check. */
#ifndef WARPBOOK_BASE_ARENA_H
#define WARPBOOK_BASE_ARENA_H

#include <setjmp.h>
#include <stddef.h>

#include "base/platform.h"

typedef struct Arena Arena;

/* A new arena that will hand out at most `limit` bytes (0: no limit). NULL when memory is short. */
Arena *arena_new(size_t limit);
void arena_free(Arena *arena);
/* Where to jump when an allocation fails; NULL (the start) aborts. The caller sets it with setjmp.
 */
void arena_guard(Arena *arena, jmp_buf *on_failure);
/* `bytes` zeroed bytes, aligned to 64 (to 16 when they are fewer than 64). Never NULL. */
void *arena_alloc(Arena *arena, size_t bytes);
/* A NUL-terminated copy of text[0..length). */
char *arena_strndup(Arena *arena, const char *text, size_t length);
char *arena_printf(Arena *arena, const char *format, ...) PRINTF_LIKE(2, 3);
/* Bytes handed out so far. */
size_t arena_used(const Arena *arena);

#define ARENA_NEW(arena, T) ((T *)arena_alloc((arena), sizeof(T)))
#define ARENA_ARRAY(arena, T, n) ((T *)arena_alloc((arena), (size_t)(n) * sizeof(T)))

/* A growable array in an arena: GROW makes room for one more element. The elements may move, and a
 * large old storage is given back, so keep no pointers to elements while the array grows. */
#define ARENA_GROW(arena, items, count, capacity)                                                  \
  ((count) < (capacity)                                                                            \
       ? (void)0                                                                                   \
       : (void)((items) = arena_grow((arena), (items), sizeof *(items), (count), &(capacity))))
void *arena_grow(Arena *arena, void *items, size_t item_size, size_t count, size_t *capacity);

#endif
