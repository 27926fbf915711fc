/* device/device.c - devices and their memory. */
#include "device/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exec/fault.h"
#include "exec/policy.h"

static const uint64_t default_memory_limit = 8ull << 30;
static const uint64_t default_instruction_limit = 1ull << 32;

gpu_result device_fail(gpu_device *dev, gpu_result result, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  error_clear(&dev->error);
  error_vadd(&dev->error, fmt, args);
  va_end(args);
  return result;
}

static const DivergenceModel *choose_model(gpu_model wanted, const Arch *arch) {
  if (wanted == GPU_MODEL_DEFAULT) wanted = arch_model(arch);
  return wanted == GPU_MODEL_STACK ? &model_stack : &model_its;
}

static void configure(gpu_device *dev, const gpu_config *c) {
  Machine *m = &dev->machine;
  memory_init(&m->memory, c->memory_limit ? c->memory_limit : default_memory_limit);
  m->model = choose_model(c->model, &dev->arch);
  m->set.check = c->check ? c->check : GPU_CHECK_SYNC;
  m->set.keep_going = c->keep_going;
  m->set.instruction_limit =
      c->instruction_limit ? c->instruction_limit : default_instruction_limit;
  m->set.schedule_seed = c->schedule_seed;
}

gpu_result gpu_device_create(gpu_device **out, const gpu_config *config, char *message,
                             size_t message_size) {
  static const gpu_config defaults;
  if (!config) config = &defaults;
  *out = NULL;
  if (message && message_size) message[0] = '\0';
  gpu_device *dev = calloc(1, sizeof *dev);
  if (!dev) return GPU_INTERNAL;
  error_init(&dev->error);
  if (!arch_load(&dev->arch, config->arch ? config->arch : "h200", &dev->error)) {
    if (message) snprintf(message, message_size, "%s", dev->error.text);
    gpu_device_destroy(dev);
    return GPU_BAD_INPUT;
  }
  configure(dev, config);
  dev->machine.faults = faults_new();
  gpu_result result = dev->machine.faults ? GPU_OK : GPU_INTERNAL;
  if (result == GPU_OK && config->timing) result = timed_create(dev, config);
  if (result != GPU_OK) {
    if (message) snprintf(message, message_size, "%s", gpu_last_error(dev));
    gpu_device_destroy(dev);
    return result;
  }
  *out = dev;
  return GPU_OK;
}

void gpu_device_destroy(gpu_device *dev) {
  if (!dev) return;
  if (dev->launch) gpu_launch_end(dev);
  policy_clear(&dev->machine);
  timed_destroy(dev);
  while (dev->modules) {
    gpu_module *next = dev->modules->next;
    module_free(dev->modules);
    dev->modules = next;
  }
  memory_release(&dev->machine.memory);
  faults_free(dev->machine.faults);
  free(dev->machine.out);
  free(dev->machine.functions);
  error_release(&dev->error);
  free(dev);
}

const char *gpu_last_error(const gpu_device *dev) { return dev->error.text ? dev->error.text : ""; }

/* ---- memory ---------------------------------------------------------------------------------- */

gpu_result gpu_mem_alloc(gpu_device *dev, gpu_ptr *out, size_t bytes) {
  Memory *mem = &dev->machine.memory;
  *out = memory_alloc(mem, bytes, NULL, dev->machine.set.check >= GPU_CHECK_FULL);
  if (*out) return GPU_OK;
  return device_fail(dev, GPU_BAD_INPUT,
                     "cannot allocate %zu bytes: the device has %llu bytes, and %llu are in use",
                     bytes, (unsigned long long)mem->limit, (unsigned long long)mem->used);
}

gpu_result gpu_mem_free(gpu_device *dev, gpu_ptr ptr) {
  if (ptr == 0 || memory_free(&dev->machine.memory, ptr)) return GPU_OK;
  return device_fail(dev, GPU_BAD_INPUT, "0x%llx is not the start of an allocation",
                     (unsigned long long)ptr);
}

/* The host bytes of [ptr, ptr + bytes), or NULL with a message. */
static uint8_t *host_bytes(gpu_device *dev, gpu_ptr ptr, size_t bytes, Allocation **found) {
  Allocation *a = memory_find(&dev->machine.memory, ptr, bytes);
  *found = a;
  if (a) return a->host + (ptr - a->base);
  device_fail(dev, GPU_BAD_INPUT, "0x%llx .. 0x%llx is not inside one allocation",
              (unsigned long long)ptr, (unsigned long long)(ptr + bytes));
  return NULL;
}

gpu_result gpu_memcpy_htod(gpu_device *dev, gpu_ptr dst, const void *src, size_t bytes) {
  Allocation *a;
  if (bytes == 0) return GPU_OK;
  uint8_t *to = host_bytes(dev, dst, bytes, &a);
  if (!to) return GPU_BAD_INPUT;
  memcpy(to, src, bytes);
  memory_mark(a, dst, bytes);
  timed_touch(dev, dst, bytes);
  return GPU_OK;
}

gpu_result gpu_memcpy_dtoh(gpu_device *dev, void *dst, gpu_ptr src, size_t bytes) {
  Allocation *a;
  if (bytes == 0) return GPU_OK;
  const uint8_t *from = host_bytes(dev, src, bytes, &a);
  if (!from) return GPU_BAD_INPUT;
  memcpy(dst, from, bytes);
  return GPU_OK;
}

gpu_result gpu_memset(gpu_device *dev, gpu_ptr dst, int byte, size_t bytes) {
  Allocation *a;
  if (bytes == 0) return GPU_OK;
  uint8_t *to = host_bytes(dev, dst, bytes, &a);
  if (!to) return GPU_BAD_INPUT;
  memset(to, byte, bytes);
  memory_mark(a, dst, bytes);
  timed_touch(dev, dst, bytes);
  return GPU_OK;
}

/* ---- what happened --------------------------------------------------------------------------- */

void gpu_get_stats(const gpu_device *dev, gpu_stats *out) { *out = dev->machine.stats; }

double gpu_simd_efficiency(const gpu_stats *s) {
  if (s->warp_instructions == 0) return 1;
  return (double)s->thread_instructions / ((double)WARP_SIZE * (double)s->warp_instructions);
}

size_t gpu_fault_count(const gpu_device *dev) { return faults_count(dev->machine.faults); }

gpu_result gpu_fault(const gpu_device *dev, size_t index, gpu_fault_info *out) {
  const gpu_fault_info *f = faults_at(dev->machine.faults, index);
  if (!f) return GPU_BAD_INPUT;
  *out = *f;
  return GPU_OK;
}

const char *gpu_printf_output(const gpu_device *dev) {
  return dev->machine.out ? dev->machine.out : "";
}
