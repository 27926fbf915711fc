/* The SIMD of a CPU, for the comparison in chapter 3: what a warp does with plain code, written for
 * the vector instructions of AVX2. Checked against plain loops. */
#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdint.h>

#if defined(__x86_64__)
#include <immintrin.h>

#define AVX2 __attribute__((target("avx2")))

// [add8]
AVX2 static void add8(float *c, const float *a, const float *b) {
  __m256 left = _mm256_loadu_ps(a); /* eight floats at once */
  __m256 right = _mm256_loadu_ps(b);
  _mm256_storeu_ps(c, _mm256_add_ps(left, right));
}
// [/add8]

// [collatz8]
AVX2 static __m256i collatz8(__m256i n) {
  const __m256i one = _mm256_set1_epi32(1);
  __m256i count = _mm256_setzero_si256();
  for (;;) {
    __m256i done = _mm256_cmpeq_epi32(n, one);
    if (_mm256_movemask_epi8(done) == -1) return count;
    __m256i odd = _mm256_cmpeq_epi32(_mm256_and_si256(n, one), one);
    __m256i half = _mm256_srli_epi32(n, 1);
    __m256i triple = _mm256_add_epi32(n, _mm256_add_epi32(n, n));
    __m256i up = _mm256_add_epi32(triple, one);
    __m256i next = _mm256_blendv_epi8(half, up, odd);
    n = _mm256_blendv_epi8(next, n, done);
    count = _mm256_add_epi32(count, _mm256_andnot_si256(done, one));
  }
}
// [/collatz8]

// [gather8]
AVX2 static __m256i look_up8(const int *table, __m256i where) {
  return _mm256_i32gather_epi32(table, where, sizeof(int));
}
// [/gather8]

static bool has_avx2(void) { return __builtin_cpu_supports("avx2"); }

Test(simd, eight_sums_at_once) {
  if (!has_avx2()) return;
  float a[8], b[8], c[8];
  for (int i = 0; i < 8; i++) a[i] = (float)i, b[i] = 10.0f * (float)i;
  add8(c, a, b);
  for (int i = 0; i < 8; i++) cr_assert_eq(c[i], 11.0f * (float)i);
}

static int32_t collatz(int32_t n) {
  int32_t count = 0;
  for (; n != 1; count++) n = n % 2 ? 3 * n + 1 : n / 2;
  return count;
}

AVX2 static void check_collatz(int32_t first) {
  int32_t n[8], got[8];
  for (int i = 0; i < 8; i++) n[i] = first + i;
  _mm256_storeu_si256((__m256i *)got, collatz8(_mm256_loadu_si256((const __m256i *)n)));
  for (int i = 0; i < 8; i++) cr_assert_eq(got[i], collatz(n[i]), "%d: %d", n[i], got[i]);
}

Test(simd, eight_collatz_sequences_at_once) {
  if (!has_avx2()) return;
  for (int32_t first = 1; first < 1000; first += 8) check_collatz(first);
}

AVX2 static void check_look_up(void) {
  int table[16], got[8];
  const int32_t where[8] = {15, 0, 3, 3, 8, 1, 14, 7};
  for (int i = 0; i < 16; i++) table[i] = 100 + i;
  _mm256_storeu_si256((__m256i *)got, look_up8(table, _mm256_loadu_si256((const __m256i *)where)));
  for (int i = 0; i < 8; i++) cr_assert_eq(got[i], 100 + where[i]);
}

Test(simd, eight_loads_from_eight_places) {
  if (has_avx2()) check_look_up();
}
#endif
