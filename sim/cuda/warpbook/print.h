/* warpbook/print.h - printf, assert, malloc, free, memcpy and new in device code. */
#pragma once

extern "C" {
/* clang turns a call of printf in device code into one of vprintf. */
__device__ int vprintf(const char *format, void *arguments);
__device__ int printf(const char *format, ...);
__device__ void *malloc(size_t bytes);
__device__ void free(void *pointer);
/* What a failed assert calls; the GPU reports the place and ends the launch. */
__device__ __attribute__((noreturn)) void __assertfail(const char *message, const char *file,
                                                       unsigned line, const char *function,
                                                       size_t char_size);
}

__attribute__((device, nodebug, always_inline, noreturn)) static __inline__ void
__assert_fail(const char *message, const char *file, unsigned line, const char *function) {
  __assertfail(message, file, line, function, 1);
}

__WARPBOOK_DEVICE void *memcpy(void *to, const void *from, size_t bytes) {
  return __builtin_memcpy(to, from, bytes);
}
__WARPBOOK_DEVICE void *memmove(void *to, const void *from, size_t bytes) {
  return __builtin_memmove(to, from, bytes);
}
__WARPBOOK_DEVICE void *memset(void *to, int byte, size_t bytes) {
  return __builtin_memset(to, byte, bytes);
}

/* clang's own <new> has the device's operators new and delete; its lines are not the student's. */
#if __has_include(<new>)
#pragma push_macro("__device__")
#undef __device__
#define __device__ __attribute__((device, nodebug))
#include <new>
#pragma pop_macro("__device__")
#endif
