/* suites/kernel.c - launching a student's kernel. */
#include <string.h>

#include "exam.h"

static bool fits(const gpu_kernel *kernel, const char *parameters) {
  size_t count = strlen(parameters);
  if (gpu_kernel_param_count(kernel) != count) return false;
  for (size_t i = 0; i < count; i++)
    if (gpu_kernel_param_size(kernel, i) != (parameters[i] == 'p' ? sizeof(gpu_ptr) : sizeof(int)))
      return false;
  return true;
}

bool exam_kernel(Exam *e, gpu_kernel **kernel, const StudentKernel *k) {
  if (gpu_module_kernel(e->use.module, kernel, k->name) == GPU_OK && fits(*kernel, k->parameters))
    return true;
  exam_fail(e, "the kernel %s is missing, or has other parameters", k->name);
  exam_say_expected(e, "__global__ %s", k->prototype);
  exam_say_function(e, k->name);
  exam_say_hint(e, "signature");
  exam_close_failure(e);
  return false;
}

bool exam_buffer(Exam *e, gpu_ptr *out, const void *from, size_t bytes) {
  return exam_check(e, gpu_mem_alloc(e->use.device, out, bytes)) &&
         exam_check(e, from ? gpu_memcpy_htod(e->use.device, *out, from, bytes)
                            : gpu_memset(e->use.device, *out, 0xff, bytes));
}

bool exam_launch(Exam *e, const StudentKernel *k, gpu_dim grid, gpu_dim block, void *const *args) {
  gpu_kernel *kernel;
  if (!exam_kernel(e, &kernel, k)) return false;
  if (exam_check(e, gpu_launch(e->use.device, kernel, grid, block, 0, args))) return true;
  exam_say_function(e, k->name);
  return false;
}

bool exam_read(Exam *e, void *to, gpu_ptr from, size_t bytes) {
  return exam_check(e, gpu_memcpy_dtoh(e->use.device, to, from, bytes));
}
