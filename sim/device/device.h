/* device/device.h - what stands behind the handles of gpu.h. */
#ifndef WARPBOOK_DEVICE_DEVICE_H
#define WARPBOOK_DEVICE_DEVICE_H

#include "exec/exec.h"
#include "gpu.h"
#include "timing/arch.h"

#define FUNCTION_BASE 0x04000000ull /* where pointers to functions point: 16 bytes each */

struct gpu_kernel {
  gpu_module *module;
  Function *fn;
  uint64_t shared_static; /* bytes a block */
};

struct gpu_module {
  gpu_device *dev;
  Module *mod;
  char *name;
  gpu_kernel *kernels;
  size_t kernel_count;
  uint64_t dynamic_offset; /* where extern shared variables start, in every kernel of the module */
  gpu_module *next;
};

struct gpu_device {
  Machine machine;
  Arch arch;
  ErrorBuffer error;
  gpu_module *modules; /* the newest first */
  Module **module_list;
  size_t module_count;
  uint64_t functions; /* numbered so far */
};

/* Sets the device's message and returns `result`. */
gpu_result device_fail(gpu_device *dev, gpu_result result, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* Gives every variable of a module its address and its first value, every function its address, and
 * every kernel its layout of shared memory. */
gpu_result module_place(gpu_module *mod);
void module_free(gpu_module *mod);
/* Connects what one module declares `extern` with what another defines. */
void modules_link(gpu_device *dev);
/* A function by its name, or by its C++ name without the mangling; NULL when there is none. */
Function *module_function(const gpu_module *mod, const char *name, bool entry);

#endif
