/* device/device.h - what stands behind the handles of gpu.h. */
#ifndef WARPBOOK_DEVICE_DEVICE_H
#define WARPBOOK_DEVICE_DEVICE_H

#include "exec/exec.h"
#include "gpu.h"
#include "timing/arch.h"
#include "timing/custom.h"
#include "timing/sm.h"
#include "view/profile.h"
#include "view/trace.h"

typedef struct Launch Launch;

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

/* Who is told of every instruction of a timed launch (views.h). */
typedef struct Views {
  gpu_trace_fn call; /* the user's own; or NULL */
  void *call_context;
  Profile *profile;
  Trace *trace;
  struct Places *places; /* by function: where its instructions stand in the source */
  size_t place_count;
} Views;

/* What a device that counts cycles has beside its machine (timed.c). */
typedef struct Timed {
  Arena *arena; /* of what is assembled */
  Hierarchy *hierarchy;
  const Scheduler *scheduler;
  CustomScheduler *custom; /* takes its place; may be NULL */
  uint32_t code;           /* machine instructions assembled so far */
  gpu_timing last;         /* of the last launch */
  Views views;
} Timed;

struct gpu_device {
  Machine machine;
  Timed *timed; /* NULL: cycles are not counted */
  Arch arch;
  ErrorBuffer error;
  gpu_module *modules; /* the newest first */
  Launch *launch;      /* under way; or NULL (launch.h) */
};

/* Sets the device's message and returns `result`. */
gpu_result device_fail(gpu_device *dev, gpu_result result, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* Makes the device one that counts cycles. */
/* GPU_BAD_INPUT with a message unless the device counts cycles. */
gpu_result need_timing(gpu_device *dev);
gpu_result timed_create(gpu_device *dev, const gpu_config *config);
void timed_destroy(gpu_device *dev);
/* Assembles the functions of a module that was just loaded, before anything prepares them. */
gpu_result timed_assemble(gpu_module *mod);
/* A copy from the host leaves its bytes in L2. */
void timed_touch(gpu_device *dev, uint64_t address, uint64_t bytes);

void module_free(gpu_module *mod);
bool var_needs_memory(const Var *v); /* .global or .const, and defined here */
/* Gives shared variables their offsets, and kernels the bytes a block takes (shared.c). */
gpu_result shared_place(gpu_module *mod, Arena *scratch);
/* Connects what one module declares `extern` with what another defines, and fills in initial values
 * that are addresses (link.c). */
void modules_link(gpu_device *dev, Arena *scratch);
/* A function by its name, or by its C++ name without the mangling; NULL when there is none. */
Function *module_function(const gpu_module *mod, const char *name, bool entry);

#endif
