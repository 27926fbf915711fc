/* cli/launch.c - from arguments to buffers, a launch, and back. */
#include "cli/launch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- arguments ----------------------------------------------------------------------------- */

gpu_result launch_parse_args(Launch *launch, const char *const *words, size_t count, Text *err) {
  launch->args = calloc(count + 1, sizeof *launch->args);
  if (!launch->args) return fail(err, "out of memory");
  for (size_t i = 0; i < count; i++) {
    launch->arg_count = i + 1;
    gpu_result r = arg_parse(&launch->args[i], words[i], (int)i + 1, err);
    if (r != GPU_OK) return r;
  }
  return GPU_OK;
}

void launch_free(Launch *launch) {
  for (size_t i = 0; i < launch->arg_count; i++) arg_free(&launch->args[i]);
  free(launch->args);
  launch->args = NULL;
  launch->arg_count = 0;
}

static size_t arg_size(const Arg *arg) {
  return arg->kind == ARG_SCALAR ? arg->type->bytes : sizeof(gpu_ptr);
}

static const char *types_of_size(size_t bytes) {
  switch (bytes) {
  case 1: return "i8, u8";
  case 2: return "i16, u16, f16, bf16";
  case 4: return "i32, u32, f32";
  case 8: return "a buffer, i64, u64, f64";
  default: return "a struct, which this command cannot give";
  }
}

static void list_parameters(const gpu_kernel *kernel, Text *err) {
  size_t count = gpu_kernel_param_count(kernel);
  for (size_t i = 0; i < count; i++) {
    size_t bytes = gpu_kernel_param_size(kernel, i);
    text_add(err, "\n  parameter %zu: %zu byte%s (%s)", i + 1, bytes, bytes == 1 ? "" : "s",
             types_of_size(bytes));
  }
}

static gpu_result check_args(const Launch *launch, const gpu_kernel *kernel, Text *err) {
  size_t count = gpu_kernel_param_count(kernel);
  const char *name = gpu_kernel_name(kernel);
  if (launch->arg_count != count) {
    fail(err, "kernel '%s' takes %zu argument%s, but %zu %s given", name, count,
         count == 1 ? "" : "s", launch->arg_count, launch->arg_count == 1 ? "is" : "are");
    list_parameters(kernel, err);
    return GPU_BAD_INPUT;
  }
  for (size_t i = 0; i < count; i++) {
    const Arg *arg = &launch->args[i];
    size_t bytes = gpu_kernel_param_size(kernel, i);
    if (arg_size(arg) == bytes) continue;
    fail_at(err, arg->text, span_str(arg->text),
            "argument %zu has %zu bytes, but parameter %zu of kernel '%s' has %zu", i + 1,
            arg_size(arg), i + 1, name, bytes);
    list_parameters(kernel, err);
    return GPU_BAD_INPUT;
  }
  return GPU_OK;
}

static gpu_result find_kernel(gpu_device *dev, gpu_module *mod, const char *name,
                              gpu_kernel **kernel, Text *err) {
  size_t count = gpu_module_kernel_count(mod);
  if (name) {
    gpu_result r = gpu_module_kernel(mod, kernel, name);
    return r == GPU_OK ? r : fail_as(err, r, gpu_last_error(dev));
  }
  if (count == 0) return fail(err, "the module has no kernel (a __global__ function)");
  *kernel = gpu_module_kernel_at(mod, 0);
  if (count == 1) return GPU_OK;
  fail(err, "the module has %zu kernels; choose one with --kernel:", count);
  for (size_t i = 0; i < count; i++)
    text_add(err, " %s", gpu_kernel_name(gpu_module_kernel_at(mod, i)));
  return GPU_BAD_INPUT;
}

/* ---- buffers ------------------------------------------------------------------------------- */

/* Cut at 2^40, which no memory holds: a shape so absurd fails with a message of the device's. */
static uint64_t warps_of(const Launch *launch) {
  gpu_dim g = launch->grid, b = launch->block;
  double threads = (double)b.x * b.y * b.z;
  double warps = (double)g.x * g.y * g.z * ceil(threads / 32);
  return warps < 0x1p40 ? (uint64_t)warps : 1ull << 40;
}

static gpu_result device_failed(gpu_device *dev, const Buffer *b, gpu_result r, Text *err) {
  fail(err, "%s: %s", b->arg->text, gpu_last_error(dev));
  return r;
}

static gpu_result fill_buffer(gpu_device *dev, const Buffer *b, size_t bytes, Text *err) {
  if (b->arg->gen == GEN_ZERO) {
    gpu_result r = gpu_memset(dev, b->address, 0, bytes);
    return r == GPU_OK ? r : device_failed(dev, b, r, err);
  }
  uint8_t *data = malloc(bytes);
  if (!data) return fail(err, "%s: out of memory", b->arg->text);
  gpu_result r = arg_generate(b->arg, data, b->count, err);
  if (r == GPU_OK) {
    r = gpu_memcpy_htod(dev, b->address, data, bytes);
    if (r != GPU_OK) device_failed(dev, b, r, err);
  }
  free(data);
  return r;
}

static size_t buffer_bytes(const Buffer *b) { return (size_t)(b->count * b->arg->type->bytes); }

/* What is only read is in L2 as after an earlier run; outputs have just been copied there. */
static gpu_result make_buffer(gpu_device *dev, Buffer *b, Text *err) {
  gpu_result r = gpu_mem_alloc(dev, &b->address, buffer_bytes(b));
  if (r != GPU_OK) return device_failed(dev, b, r, err);
  r = fill_buffer(dev, b, buffer_bytes(b), err);
  if (r == GPU_OK && !b->arg->is_output) gpu_warm_l2(dev, b->address, buffer_bytes(b));
  return r;
}

static gpu_result make_buffers(gpu_device *dev, const Launch *launch, Outcome *out, Text *err) {
  out->buffers = calloc(launch->arg_count + 1, sizeof *out->buffers);
  if (!out->buffers) return fail(err, "out of memory");
  for (size_t i = 0; i < launch->arg_count; i++) {
    const Arg *arg = &launch->args[i];
    if (arg->kind == ARG_SCALAR) continue;
    Buffer *b = &out->buffers[out->buffer_count++];
    b->arg = arg;
    b->count = arg->kind == ARG_CYC ? 3 * warps_of(launch) : arg->count;
    gpu_result r = make_buffer(dev, b, err);
    if (r != GPU_OK) return r;
  }
  return GPU_OK;
}

static gpu_result read_buffers(gpu_device *dev, Outcome *out, Text *err) {
  for (size_t i = 0; i < out->buffer_count; i++) {
    Buffer *b = &out->buffers[i];
    if (!b->arg->is_output && b->arg->kind != ARG_CYC) continue;
    b->data = malloc(buffer_bytes(b));
    if (!b->data) return fail(err, "%s: out of memory", b->arg->text);
    gpu_result r = gpu_memcpy_dtoh(dev, b->data, b->address, buffer_bytes(b));
    if (r != GPU_OK) return device_failed(dev, b, r, err);
  }
  return GPU_OK;
}

/* ---- the launch ---------------------------------------------------------------------------- */

static gpu_result launch_kernel(gpu_device *dev, const Launch *launch, Outcome *out, Text *err) {
  uint64_t *values = calloc(launch->arg_count + 1, sizeof *values);
  void **pointers = calloc(launch->arg_count + 1, sizeof *pointers);
  gpu_result r = GPU_BAD_INPUT;
  if (!values || !pointers) {
    fail(err, "out of memory");
  } else {
    size_t next = 0;
    for (size_t i = 0; i < launch->arg_count; i++) {
      const Arg *arg = &launch->args[i];
      values[i] = arg->kind == ARG_SCALAR ? arg->bits : out->buffers[next++].address;
      pointers[i] = &values[i];
    }
    if (launch->flush) gpu_flush_l2(dev);
    r = launch->drive
            ? launch->drive(launch->drive_context, dev, out->module, out->kernel, launch, pointers)
            : gpu_launch(dev, out->kernel, launch->grid, launch->block, launch->shared, pointers);
    if (r != GPU_OK && r != GPU_FAULT) fail_as(err, r, gpu_last_error(dev));
  }
  free(values);
  free(pointers);
  return r;
}

/* A warp's row of a cyc buffer. */
typedef struct WarpClocks {
  int64_t start, end, sm;
} WarpClocks;

static int by_sm(const void *a, const void *b) {
  int64_t x = ((const WarpClocks *)a)->sm, y = ((const WarpClocks *)b)->sm;
  return (x > y) - (x < y);
}

/* Clocks are whatever the kernel stored: the difference must not overflow. */
static double clocks_between(int64_t start, int64_t end) {
  return (double)(int64_t)((uint64_t)end - (uint64_t)start);
}

static Timing read_timing(const Buffer *b) {
  WarpClocks *warps = (WarpClocks *)(void *)b->data;
  size_t count = b->count / 3, sms = 0;
  double spans = 0, sum = 0;
  qsort(warps, count, sizeof *warps, by_sm);
  for (size_t i = 0; i < count;) {
    int64_t sm = warps[i].sm, first = warps[i].start, last = warps[i].end;
    for (; i < count && warps[i].sm == sm; i++) {
      if (warps[i].start < first) first = warps[i].start;
      if (warps[i].end > last) last = warps[i].end;
      sum += clocks_between(warps[i].start, warps[i].end);
    }
    spans += clocks_between(first, last);
    sms++;
  }
  return (Timing){true, spans / (double)sms, sum / (double)count};
}

gpu_result launch_run(gpu_device *dev, gpu_module *mod, const Launch *launch, Outcome *out,
                      Text *err) {
  *out = (Outcome){.result = GPU_BAD_INPUT, .module = mod};
  gpu_result r = find_kernel(dev, mod, launch->kernel, &out->kernel, err);
  if (r == GPU_OK) r = check_args(launch, out->kernel, err);
  if (r == GPU_OK) r = make_buffers(dev, launch, out, err);
  if (r == GPU_OK) r = launch_kernel(dev, launch, out, err);
  if (r != GPU_OK && r != GPU_FAULT) return r;
  gpu_get_stats(dev, &out->stats);
  out->timed = out->stats.cycles && gpu_get_timing(dev, &out->cycles) == GPU_OK;
  gpu_result read = read_buffers(dev, out, err);
  if (read != GPU_OK) return read;
  for (size_t i = 0; i < out->buffer_count; i++)
    if (out->buffers[i].arg->kind == ARG_CYC) out->timing = read_timing(&out->buffers[i]);
  out->result = r;
  return r;
}

void outcome_free(Outcome *out) {
  for (size_t i = 0; i < out->buffer_count; i++) free(out->buffers[i].data);
  free(out->buffers);
  *out = (Outcome){0};
}

/* ---- what it left -------------------------------------------------------------------------- */

static uint64_t fnv1a64(const uint8_t *bytes, size_t count) {
  uint64_t hash = 1469598103934665603ull;
  for (size_t i = 0; i < count; i++) hash = (hash ^ bytes[i]) * 1099511628211ull;
  return hash;
}

static void add_values(const Buffer *b, uint64_t longest, Text *out) {
  if (b->count > longest) {
    text_add(out, "fnv1a64:%016llx", (unsigned long long)fnv1a64(b->data, buffer_bytes(b)));
    return;
  }
  for (uint64_t i = 0; i < b->count; i++) {
    if (i) text_bytes(out, " ", 1);
    element_print_exact(out, b->arg->type, b->data + i * b->arg->type->bytes);
  }
}

void outcome_values(const Outcome *outcome, const char *id, Text *out) {
  uint64_t longest = strncmp(id, "app_", 4) == 0 ? 8192 : 1024;
  for (size_t i = 0; i < outcome->buffer_count; i++) {
    const Buffer *b = &outcome->buffers[i];
    if (!b->arg->is_output) continue;
    text_add(out, "%s\t%zu\t%s\t", id, i, b->arg->type->name);
    add_values(b, longest, out);
    text_bytes(out, "\n", 1);
  }
}

void add_fault_reports(const gpu_device *dev, Text *out) {
  for (size_t i = 0; i < gpu_fault_count(dev); i++) {
    gpu_fault_info fault;
    if (gpu_fault(dev, i, &fault) != GPU_OK) continue;
    size_t length = strlen(fault.report);
    text_add(out, "%s%s", fault.report, length && fault.report[length - 1] == '\n' ? "" : "\n");
  }
}
