/* base/platform.h - every GNU extension that the code leans on, behind plain names. */
#ifndef WARPBOOK_BASE_PLATFORM_H
#define WARPBOOK_BASE_PLATFORM_H

#define COUNT_ONES(x) __builtin_popcount(x)
#define COUNT_ONES64(x) __builtin_popcountll(x)
#define COUNT_TRAILING_ZEROS(x) __builtin_ctz(x)     /* x != 0 */
#define COUNT_TRAILING_ZEROS64(x) __builtin_ctzll(x) /* x != 0 */
#define COUNT_LEADING_ZEROS(x) __builtin_clz(x)      /* x != 0 */
#define COUNT_LEADING_ZEROS64(x) __builtin_clzll(x)  /* x != 0 */
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define PRINTF_LIKE(fmt, first) __attribute__((__format__(__printf__, fmt, first)))
#define NORETURN __attribute__((__noreturn__))
#define NO_INLINE __attribute__((noinline))
#define ALWAYS_INLINE inline __attribute__((always_inline))
#define ALIGNED(n) __attribute__((aligned(n)))
#define UNUSED __attribute__((unused))
__extension__ typedef unsigned __int128 uint128_t;
__extension__ typedef __int128 int128_t;

#endif
