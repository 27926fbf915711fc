/* base/hash.c - SipHash-2-4, after Aumasson and Bernstein, "SipHash: a fast short-input PRF". */
#include "base/hash.h"

#include <string.h>
#include <sys/random.h>
#include <time.h>

HashKey hash_key_new(void) {
  HashKey key;
  if (getrandom(&key, sizeof key, GRND_NONBLOCK) == (ssize_t)sizeof key) return key;
  struct timespec now; /* no random numbers yet: the time is hard to guess to the nanosecond */
  clock_gettime(CLOCK_REALTIME, &now);
  return (HashKey){{(uint64_t)now.tv_nsec * 0x9e3779b97f4a7c15ull, (uint64_t)(uintptr_t)&key}};
}

static uint64_t rotate(uint64_t v, int n) { return v << n | v >> (64 - n); }

static void rounds(uint64_t v[4], int n) {
  while (n--) {
    v[0] += v[1];
    v[2] += v[3];
    v[1] = rotate(v[1], 13) ^ v[0];
    v[3] = rotate(v[3], 16) ^ v[2];
    v[0] = rotate(v[0], 32);
    v[2] += v[1];
    v[0] += v[3];
    v[1] = rotate(v[1], 17) ^ v[2];
    v[3] = rotate(v[3], 21) ^ v[0];
    v[2] = rotate(v[2], 32);
  }
}

static void absorb(uint64_t v[4], uint64_t word) {
  v[3] ^= word;
  rounds(v, 2);
  v[0] ^= word;
}

uint64_t hash_bytes(const HashKey *key, const void *bytes, size_t length) {
  uint64_t k0 = key->k[0], k1 = key->k[1], word;
  uint64_t v[4] = {k0 ^ 0x736f6d6570736575ull, k1 ^ 0x646f72616e646f6dull,
                   k0 ^ 0x6c7967656e657261ull, k1 ^ 0x7465646279746573ull};
  const unsigned char *at = bytes;
  size_t left = length;
  for (; left >= sizeof word; at += sizeof word, left -= sizeof word) {
    memcpy(&word, at, sizeof word); /* little-endian, as all machines that this runs on */
    absorb(v, word);
  }
  word = (uint64_t)length << 56;
  for (size_t i = 0; i < left; i++) word |= (uint64_t)at[i] << (8 * i);
  absorb(v, word);
  v[2] ^= 0xff;
  rounds(v, 4);
  return v[0] ^ v[1] ^ v[2] ^ v[3];
}
