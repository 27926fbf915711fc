/* fuzz/fuzz_launch.c - libFuzzer: any bytes as PTX; when they load, every kernel runs with a small
 * budget under both divergence models and all checks. Nothing may crash, hang or leak. */
#include <stdlib.h>
#include <string.h>

#include "gpu.h"

enum { BUFFER = 4096, MOST_PARAMS = 64, MOST_BYTES = 4096 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void run_kernels(gpu_device *dev, gpu_module *mod) {
  gpu_ptr buffer;
  if (gpu_mem_alloc(dev, &buffer, BUFFER)) return;
  static uint64_t bytes[MOST_PARAMS][MOST_BYTES / 8];
  void *args[MOST_PARAMS];
  for (int i = 0; i < MOST_PARAMS; i++) {
    bytes[i][0] = buffer;
    args[i] = bytes[i];
  }
  for (size_t k = 0; k < gpu_module_kernel_count(mod); k++) {
    gpu_kernel *kernel = gpu_module_kernel_at(mod, k);
    bool fits = gpu_kernel_param_count(kernel) <= MOST_PARAMS;
    for (size_t i = 0; fits && i < gpu_kernel_param_count(kernel); i++)
      fits = gpu_kernel_param_size(kernel, i) <= MOST_BYTES;
    if (fits) gpu_launch(dev, kernel, (gpu_dim){2, 1, 1}, (gpu_dim){40, 1, 1}, 64, args);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  for (gpu_model model = GPU_MODEL_STACK; model <= GPU_MODEL_ITS; model++) {
    gpu_config config = {.model = model,
                         .check = GPU_CHECK_FULL,
                         .instruction_limit = 2000,
                         .memory_limit = 8 << 20,
                         .keep_going = size & 1,
                         .timing = size & 2};
    gpu_device *dev;
    gpu_module *mod;
    if (gpu_device_create(&dev, &config, NULL, 0)) abort();
    if (gpu_module_load_ptx(dev, &mod, "fuzz.ptx", (const char *)data, size) == GPU_OK)
      run_kernels(dev, mod);
    gpu_device_destroy(dev);
  }
  return 0;
}
