/* device/compile.h - the compile driver: CUDA C to PTX with the system's clang, opt and llc,
 * without a CUDA toolkit. The three programs are run directly (no shell), with limits on time,
 * memory and output; nothing that a submission says reaches a command line. */
#ifndef WARPBOOK_DEVICE_COMPILE_H
#define WARPBOOK_DEVICE_COMPILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "gpu.h"

typedef struct CompileOptions {
  gpu_opt opt;
  const char *const *defines; /* "NAME=VALUE", for -D; NULL-terminated, or NULL */
  const char *const
      *include_dirs; /* for -I, after the file's own folder; NULL-terminated, or NULL */
  /* When set, every file that the compiler read must lie in the source's own folder, in
   * include_dirs, in the course's headers or among the system's own headers, links resolved;
   * otherwise the compile fails with a message that quotes nothing of the foreign file. */
  bool closed_includes;
} CompileOptions;

/* Compiles the .cu file at `path` to PTX text. On success *ptx is NUL-terminated, to be freed by
 * the caller. On failure false, with the compiler's messages (cut to a sane length, paths
 * shortened, the common mistakes explained in a friendly line) in err. */
bool compile_cuda(const char *path, const CompileOptions *options, char **ptx, size_t *length,
                  ErrorBuffer *err);

/* The compiler's version, e.g. "Debian clang version 14.0.6"; "" when there is no clang. */
const char *compile_version(char *buf, size_t size);

#endif
