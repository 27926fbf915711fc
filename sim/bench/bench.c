/* bench/bench.c - warp instructions a second, functional and timed, on one core, beside what others
 * reach on the same kernels.
 *
 *   bench [MIN_SECONDS]     each kernel is repeated until that much CPU time has passed (default 1)
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "gpu.h"

typedef struct Work {
  const char *name;
  uint32_t blocks;
  size_t n; /* elements a buffer */
  int buffers;
  int32_t count; /* the last argument */
} Work;

static const Work works[] = {{"heavy", 240, 61440, 2, 200},
                             {"diverge", 240, 61440, 1, 200},
                             {"vecadd", 65536, 16777216, 3, 16777216}};

/* Rates of others in thousands of warp instructions a second; sources in the book's last chapter.
 */
static const char peers[] =
    "\nothers, functional, same kernels, k/s: GPGPU-Sim 4.2 470, gpuocelot 1,650, pocl (native CPU "
    "code) 133,000; published, timed: Accel-Sim 12.5, MGPUSim 28\n";

static void fail(const char *what) {
  fprintf(stderr, "bench: %s\n", what);
  exit(1);
}

static double cpu_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void measure(const Work *w, gpu_config config, double seconds) {
  gpu_device *dev;
  gpu_module *mod;
  gpu_kernel *kernel;
  gpu_ptr buffer[3];
  int32_t count = w->count;
  void *args[4];
  if (gpu_device_create(&dev, &config, NULL, 0)) fail("no device");
  if (gpu_module_load(dev, &mod, WARPBOOK_ROOT "/sim/tests/hardware/bench-kernels.cu",
                      GPU_OPT_O3) ||
      gpu_module_kernel(mod, &kernel, w->name))
    fail(gpu_last_error(dev));
  for (int i = 0; i < w->buffers; i++) {
    if (gpu_mem_alloc(dev, &buffer[i], w->n * 4)) fail(gpu_last_error(dev));
    if (gpu_memset(dev, buffer[i], 0, w->n * 4)) fail(gpu_last_error(dev));
    args[i] = &buffer[i];
  }
  args[w->buffers] = &count;
  double start = cpu_seconds(), used = 0;
  uint64_t instructions = 0;
  while (used < seconds) {
    if (gpu_launch(dev, kernel, (gpu_dim){w->blocks, 1, 1}, (gpu_dim){256, 1, 1}, 0, args))
      fail(gpu_last_error(dev));
    gpu_stats s;
    gpu_get_stats(dev, &s);
    instructions += s.warp_instructions;
    used = cpu_seconds() - start;
  }
  printf("%-10s %-10s %-6s %-6s %12.1f\n", w->name, config.timing ? "timed" : "functional",
         config.model == GPU_MODEL_STACK ? "stack" : "its",
         config.check == GPU_CHECK_NONE ? "none" : "sync", (double)instructions / used / 1e6);
  gpu_device_destroy(dev);
}

int main(int argc, char **argv) {
  double seconds = argc > 1 ? atof(argv[1]) : 1;
  static const gpu_config configs[] = {{.model = GPU_MODEL_ITS, .check = GPU_CHECK_NONE},
                                       {.model = GPU_MODEL_ITS, .check = GPU_CHECK_SYNC},
                                       {.model = GPU_MODEL_STACK, .check = GPU_CHECK_SYNC},
                                       {.model = GPU_MODEL_ITS, .timing = true}};
  printf("%-10s %-10s %-6s %-6s %12s\n", "kernel", "", "model", "check", "M/s");
  for (size_t i = 0; i < sizeof works / sizeof *works; i++)
    for (size_t c = 0; c < sizeof configs / sizeof *configs; c++)
      measure(&works[i], configs[c], seconds);
  fputs(peers, stdout);
  return 0;
}
