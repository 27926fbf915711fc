#include "tests/harness.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static gpu_dim or_default(gpu_dim d, uint32_t x) {
  if (d.x == 0) d.x = x;
  if (d.y == 0) d.y = 1;
  if (d.z == 0) d.z = 1;
  return d;
}

static void load(Run *run, const Setup *s) {
  char path[512];
  gpu_result r;
  if (s->ptx) {
    r = gpu_module_load_ptx(run->dev, &run->mod, "test.ptx", s->ptx, strlen(s->ptx));
  } else {
    snprintf(path, sizeof path, WARPBOOK_ROOT "/sim/tests/kernels/%s", s->file);
    r = gpu_module_load(run->dev, &run->mod, path, GPU_OPT_TEACHING);
  }
  cr_assert_eq(r, GPU_OK, "%s", gpu_last_error(run->dev));
}

static gpu_result step_through(gpu_device *dev, gpu_kernel *kernel, gpu_dim grid, gpu_dim block,
                               uint32_t shared_bytes, void *const *args) {
  bool done = false;
  gpu_result r = gpu_launch_begin(dev, kernel, grid, block, shared_bytes, args);
  while (r == GPU_OK && !done) r = gpu_step(dev, &done);
  return r == GPU_OK ? gpu_launch_end(dev) : r;
}

Run run_kernel(Setup s) {
  Run run = {0};
  gpu_config config = {.model = s.model,
                       .check = s.check,
                       .schedule_seed = s.seed,
                       .instruction_limit = s.limit,
                       .keep_going = s.keep_going,
                       .timing = s.timing,
                       .scheduler = s.scheduler};
  char message[1000];
  cr_assert_eq(gpu_device_create(&run.dev, &config, message, sizeof message), GPU_OK, "%s",
               message);
  load(&run, &s);
  gpu_kernel *kernel;
  gpu_ptr buffer;
  cr_assert_eq(gpu_module_kernel(run.mod, &kernel, s.kernel), GPU_OK, "%s",
               gpu_last_error(run.dev));
  cr_assert_eq(gpu_mem_alloc(run.dev, &buffer, sizeof run.out), GPU_OK);
  if (s.in_count) memcpy(run.out, s.in, s.in_count * sizeof *s.in);
  gpu_memcpy_htod(run.dev, buffer, run.out, sizeof run.out);
  if (s.trace) cr_assert_eq(gpu_set_trace(run.dev, s.trace, s.trace_context), GPU_OK);
  if (s.profile) cr_assert_eq(gpu_profile_begin(run.dev), GPU_OK);
  if (s.trace_file)
    cr_assert_eq(gpu_trace_begin(run.dev, s.trace_file, s.trace_limit), GPU_OK, "%s",
                 gpu_last_error(run.dev));
  void *args[] = {&buffer, &s.n};
  run.result = (s.step ? step_through : gpu_launch)(run.dev, kernel, or_default(s.grid, 1),
                                                    or_default(s.block, 32), 0, args);
  cr_assert(run.result == GPU_OK || run.result == GPU_FAULT, "%s", gpu_last_error(run.dev));
  gpu_get_stats(run.dev, &run.stats);
  gpu_memcpy_dtoh(run.dev, run.out, buffer, sizeof run.out);
  return run;
}

void run_free(Run *run) { gpu_device_destroy(run->dev); }

bool run_has(const Run *run, gpu_fault_kind kind) {
  gpu_fault_info f;
  for (size_t i = 0; gpu_fault(run->dev, i, &f) == GPU_OK; i++)
    if (f.kind == kind) return true;
  return false;
}

void run_expect_clean(const Run *run) {
  gpu_fault_info f;
  if (gpu_fault(run->dev, 0, &f) == GPU_OK) cr_assert_fail("unexpected: %s", f.report);
  cr_assert_eq(run->result, GPU_OK);
}

gpu_fault_info run_fault(const Run *run, gpu_fault_kind kind) {
  gpu_fault_info f;
  for (size_t i = 0; gpu_fault(run->dev, i, &f) == GPU_OK; i++)
    if (f.kind == kind) return f;
  cr_assert_fail("no fault of kind %s; the first message: %s", gpu_fault_kind_name(kind),
                 gpu_fault(run->dev, 0, &f) == GPU_OK ? f.report : "none");
  return f;
}
