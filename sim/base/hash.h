/* base/hash.h - a hash that nobody can aim at: SipHash-2-4 under a random key. Text that was
 * written to make all names fall into one bucket does not know the key. */
#ifndef WARPBOOK_BASE_HASH_H
#define WARPBOOK_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

typedef struct HashKey {
  uint64_t k[2];
} HashKey;

/* A key that differs from run to run. Nothing that a user sees may depend on it. */
HashKey hash_key_new(void);
uint64_t hash_bytes(const HashKey *key, const void *bytes, size_t length);

#endif
