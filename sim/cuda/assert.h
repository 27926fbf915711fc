/* assert.h - assert for host and device code. No include guard: NDEBUG may change in between. */
#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
extern "C" __attribute__((host, noreturn)) void __assert_fail(const char *, const char *, unsigned,
                                                              const char *) noexcept;
#define assert(condition)                                                                          \
  ((condition) ? (void)0 : __assert_fail(#condition, __FILE__, __LINE__, __func__))
#endif
