/* device/module.c - loading modules: from a file or text to variables and functions that have
 * addresses, and looking them up by name. */
#include <limits.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device/compile.h"
#include "device/device.h"

#define SCRATCH_LIMIT (1ull << 30) /* bytes, while a module is placed and linked */

/* ---- names ----------------------------------------------------------------------------------- */

Function *module_function(const gpu_module *mod, const char *name, bool entry) {
  for (Function *f = mod->mod->functions; f; f = f->next)
    if (f->is_entry == entry && f->insts && strcmp(f->name, name) == 0) return f;
  for (Function *f = mod->mod->functions; f; f = f->next)
    if (f->is_entry == entry && f->insts && strcmp(f->plain, name) == 0) return f;
  return NULL;
}

/* ---- global and constant variables ----------------------------------------------------------- */

bool var_needs_memory(const Var *v) {
  return (v->space == SP_GLOBAL || v->space == SP_CONST) && !v->is_extern;
}

static gpu_result allocate_vars(gpu_module *mod, Var *list) {
  Memory *mem = &mod->dev->machine.memory;
  for (Var *v = list; v; v = v->next) {
    if (!var_needs_memory(v)) continue;
    v->address = memory_alloc(mem, v->size, v->name, false);
    if (!v->address)
      return device_fail(mod->dev, GPU_BAD_INPUT,
                         "%s: no memory for the variable '%s' of %llu bytes", mod->name, v->name,
                         (unsigned long long)v->size);
    Allocation *a = memory_find(mem, v->address, v->size);
    a->read_only = v->space == SP_CONST;
    if (v->init) memcpy(a->host, v->init, v->size);
  }
  return GPU_OK;
}

static gpu_result each_var_list(gpu_module *mod, gpu_result (*act)(gpu_module *, Var *)) {
  gpu_result result = act(mod, mod->mod->vars);
  for (Function *f = mod->mod->functions; f && result == GPU_OK; f = f->next)
    result = act(mod, f->vars);
  return result;
}

/* Numbers the functions, so that a pointer finds its function at once, and lists the kernels. */
static gpu_result find_kernels(gpu_module *mod) {
  Machine *m = &mod->dev->machine;
  size_t count = m->function_count;
  for (Function *f = mod->mod->functions; f; f = f->next) count++;
  Function **functions = realloc(m->functions, (count + 1) * sizeof(Function *));
  if (!functions) return GPU_INTERNAL;
  m->functions = functions;
  for (Function *f = mod->mod->functions; f; f = f->next) {
    f->address = FUNCTION_BASE + FUNCTION_STEP * m->function_count;
    m->functions[m->function_count++] = f;
    mod->kernel_count += f->is_entry && f->insts;
  }
  mod->kernels = calloc(mod->kernel_count + 1, sizeof *mod->kernels);
  if (!mod->kernels) return GPU_INTERNAL;
  size_t n = 0;
  for (Function *f = mod->mod->functions; f; f = f->next)
    if (f->is_entry && f->insts) mod->kernels[n++] = (gpu_kernel){.module = mod, .fn = f};
  return GPU_OK;
}

/* ---- loading --------------------------------------------------------------------------------- */

void module_free(gpu_module *mod) {
  ptx_free(mod->mod);
  free(mod->kernels);
  free(mod->name);
  free(mod);
}

static gpu_result place(gpu_module *mod, Arena *scratch) {
  gpu_result result = find_kernels(mod);
  if (result == GPU_OK) result = shared_place(mod, scratch);
  if (result == GPU_OK) result = each_var_list(mod, allocate_vars);
  if (result != GPU_OK) return result;
  mod->next = mod->dev->modules;
  mod->dev->modules = mod;
  modules_link(mod->dev, scratch);
  return mod->dev->timed ? timed_assemble(mod) : GPU_OK;
}

static gpu_result place_guarded(gpu_module *mod, Arena *scratch) {
  jmp_buf out_of_memory;
  if (setjmp(out_of_memory))
    return device_fail(mod->dev, GPU_BAD_INPUT,
                       "%s: to place its variables and link it takes more than %llu MiB", mod->name,
                       SCRATCH_LIMIT >> 20);
  arena_guard(scratch, &out_of_memory);
  return place(mod, scratch);
}

/* The memory that a variable has, nameless, back to the device. */
static gpu_result take_back(gpu_module *mod, Var *list) {
  Memory *mem = &mod->dev->machine.memory;
  for (const Var *v = list; v; v = v->next) {
    Allocation *a = v->address ? memory_find(mem, v->address, v->size) : NULL;
    if (!a) continue;
    a->name = NULL;
    memory_free(mem, v->address);
  }
  return GPU_OK;
}

/* Of a module that could not be placed nothing stays. */
static void discard(gpu_module *mod) {
  Machine *m = &mod->dev->machine;
  while (m->function_count && m->functions[m->function_count - 1]->module == mod->mod)
    m->function_count--;
  each_var_list(mod, take_back);
  module_free(mod);
}

gpu_result gpu_module_load_ptx(gpu_device *dev, gpu_module **out, const char *name,
                               const char *text, size_t length) {
  *out = NULL;
  error_clear(&dev->error);
  Module *parsed = ptx_parse(name, text, length, &dev->error);
  if (!parsed) return GPU_BAD_INPUT;
  gpu_module *mod = calloc(1, sizeof *mod);
  if (!mod) {
    ptx_free(parsed);
    return GPU_INTERNAL;
  }
  *mod = (gpu_module){.dev = dev, .mod = parsed, .name = strdup(name)};
  Arena *scratch = arena_new(SCRATCH_LIMIT);
  gpu_result result = scratch ? place_guarded(mod, scratch) : GPU_INTERNAL;
  arena_free(scratch);
  if (result == GPU_OK)
    *out = mod;
  else if (dev->modules != mod)
    discard(mod);
  return result;
}

/* A whole file, NUL-terminated, or NULL with a message. */
static char *read_file(gpu_device *dev, const char *path, size_t *length) {
  FILE *f = fopen(path, "rb");
  if (!f) {
    device_fail(dev, GPU_BAD_INPUT, "%s: cannot open the file; is the path right?", path);
    return NULL;
  }
  size_t capacity = 1 << 16, n = 0;
  char *text = malloc(capacity + 1);
  for (size_t got; text && (got = fread(text + n, 1, capacity - n, f)) > 0;) {
    n += got;
    if (n < capacity) continue;
    if (capacity > PTX_MAX_BYTES) break;
    char *more = realloc(text, 2 * (capacity *= 2) + 1);
    if (!more) free(text);
    text = more;
  }
  bool failed = ferror(f) != 0;
  fclose(f);
  if (failed || !text || n > PTX_MAX_BYTES) {
    device_fail(dev, GPU_BAD_INPUT,
                failed ? "%s: cannot read it; is it a folder?"
                       : "%s: the file is larger than 64 MiB",
                path);
    free(text);
    return NULL;
  }
  text[n] = '\0';
  *length = n;
  return text;
}

static bool ends_with(const char *s, const char *end) {
  size_t n = strlen(s), k = strlen(end);
  return n >= k && strcmp(s + n - k, end) == 0;
}

/* The file that keeps a source's PTX, in the folder that WARPBOOK_KEEP_PTX names; false without
 * one. Whoever sets it answers for it that the same folder means the same sources, headers and
 * compilers: the book's build, which runs a file a hundred times, names it by their hash. */
static bool kept_file(const char *path, gpu_opt opt, char *out, size_t size) {
  const char *folder = getenv("WARPBOOK_KEEP_PTX");
  if (!folder || !*folder) return false;
  int start = snprintf(out, size, "%s/", folder);
  int end = start + snprintf(out + start, size - (size_t)start, "%s.%d.ptx", path, (int)opt);
  if ((size_t)end >= size) return false;
  for (char *c = out + start; *c; c++)
    if (*c == '/') *c = '_';
  return true;
}

/* Keeps it under a name of its own first, so that no other process reads half a file. What cannot
 * be kept is compiled again. */
static void keep(const char *file, const char *ptx, size_t length) {
  char part[PATH_MAX + 32];
  snprintf(part, sizeof part, "%s.%ld", file, (long)getpid());
  FILE *f = fopen(part, "wb");
  if (!f) return;
  bool written = fwrite(ptx, 1, length, f) == length;
  written = fclose(f) == 0 && written;
  if (!written || rename(part, file) != 0) remove(part);
}

/* The PTX of a source, compiled or kept; to be freed. NULL with a message in the device. */
static char *ptx_of(gpu_device *dev, const char *path, gpu_opt opt, size_t *length) {
  char file[PATH_MAX], *ptx;
  bool keeps = kept_file(path, opt, file, sizeof file);
  if (keeps && access(file, R_OK) == 0) return read_file(dev, file, length);
  CompileOptions options = {.opt = opt};
  error_clear(&dev->error);
  if (!compile_cuda(path, &options, &ptx, length, &dev->error)) return NULL;
  if (keeps) keep(file, ptx, *length);
  return ptx;
}

static gpu_result load_cuda(gpu_device *dev, gpu_module **out, const char *path, gpu_opt opt) {
  size_t length, source_length;
  char *source = read_file(dev, path, &source_length);
  if (!source) return GPU_BAD_INPUT;
  gpu_result result = GPU_BAD_INPUT;
  char *ptx = ptx_of(dev, path, opt, &length);
  if (ptx) {
    char name[256];
    snprintf(name, sizeof name, "%.200s, as PTX", path);
    result = gpu_module_load_ptx(dev, out, name, ptx, length);
    if (result == GPU_OK) result = gpu_module_add_source(*out, path, source, source_length);
    free(ptx);
  }
  free(source);
  return result;
}

gpu_result gpu_module_load(gpu_device *dev, gpu_module **out, const char *path, gpu_opt opt) {
  *out = NULL;
  if (!ends_with(path, ".ptx")) return load_cuda(dev, out, path, opt);
  size_t length;
  char *text = read_file(dev, path, &length);
  if (!text) return GPU_BAD_INPUT;
  gpu_result result = gpu_module_load_ptx(dev, out, path, text, length);
  free(text);
  return result;
}

/* Does the name that .file gives mean the file at `path`? The compile driver leaves the
 * source's folder out, so it is "./file.cu", or with some versions of clang "file.cu". */
static bool same_file(const char *named, const char *path) {
  const char *slash = strrchr(path, '/');
  if (strcmp(named, path) == 0) return true;
  const char *plain = strncmp(named, "./", 2) == 0 ? named + 2 : named;
  if (strcmp(plain, slash ? slash + 1 : path) == 0) return true;
  char *a = realpath(named, NULL), *b = realpath(path, NULL);
  bool same = a && b && strcmp(a, b) == 0;
  free(a);
  free(b);
  return same;
}

gpu_result gpu_module_add_source(gpu_module *mod, const char *path, const char *text,
                                 size_t length) {
  Arena *arena = mod->mod->arena;
  Source *src = ARENA_NEW(arena, Source);
  *src = (Source){arena_strndup(arena, path, strlen(path)), arena_strndup(arena, text, length),
                  length};
  for (size_t i = 0; i < mod->mod->file_count; i++)
    if (same_file(mod->mod->files[i].name, path)) mod->mod->files[i].source = src;
  return GPU_OK;
}

const char *gpu_module_ptx(const gpu_module *mod) { return mod->mod->source.text; }

/* ---- looking up ------------------------------------------------------------------------------ */

size_t gpu_module_kernel_count(const gpu_module *mod) { return mod->kernel_count; }

gpu_kernel *gpu_module_kernel_at(const gpu_module *mod, size_t index) {
  return index < mod->kernel_count ? &mod->kernels[index] : NULL;
}

static void list_kernels(const gpu_module *mod, const char *wanted) {
  ErrorBuffer *e = &mod->dev->error;
  const char **names = calloc(mod->kernel_count + 1, sizeof *names);
  if (!names) return;
  for (size_t i = 0; i < mod->kernel_count; i++) names[i] = mod->kernels[i].fn->plain;
  const char *near = nearest_word(wanted, names, mod->kernel_count);
  if (near) error_add(e, "\ndid you mean '%s'?", near);
  error_add(e, "\nits kernels are:");
  for (size_t i = 0; i < mod->kernel_count && i < 100; i++) error_add(e, " %s", names[i]);
  free(names);
}

gpu_result gpu_module_kernel(gpu_module *mod, gpu_kernel **out, const char *name) {
  *out = NULL;
  Function *f = module_function(mod, name, true);
  for (size_t i = 0; f && i < mod->kernel_count; i++)
    if (mod->kernels[i].fn == f) *out = &mod->kernels[i];
  if (*out) return GPU_OK;
  device_fail(mod->dev, GPU_BAD_INPUT, "%s: there is no kernel '%s'", mod->name, name);
  if (mod->kernel_count)
    list_kernels(mod, name);
  else
    error_add(&mod->dev->error, "\nit has no kernels at all: mark one with __global__");
  return GPU_BAD_INPUT;
}

const char *gpu_kernel_name(const gpu_kernel *kernel) { return kernel->fn->plain; }
size_t gpu_kernel_param_count(const gpu_kernel *kernel) { return kernel->fn->param_count; }

size_t gpu_kernel_param_size(const gpu_kernel *kernel, size_t index) {
  return index < kernel->fn->param_count ? kernel->fn->params[index]->size : 0;
}

static uint32_t threads_of(const uint32_t *dim) {
  return dim[0] * (dim[1] ? dim[1] : 1) * (dim[2] ? dim[2] : 1);
}

void gpu_kernel_get_info(const gpu_kernel *kernel, gpu_kernel_info *out) {
  const Function *fn = kernel->fn;
  *out = (gpu_kernel_info){.max_threads = threads_of(fn->reqntid[0] ? fn->reqntid : fn->maxntid),
                           .min_blocks = fn->minnctapersm,
                           .max_registers = fn->maxnreg,
                           .shared_bytes = kernel->shared_static};
}

gpu_result gpu_module_global(gpu_module *mod, const char *name, gpu_ptr *out, size_t *bytes) {
  for (Var *v = mod->mod->vars; v; v = v->next)
    if (var_needs_memory(v) && (strcmp(v->name, name) == 0)) {
      *out = v->address;
      *bytes = v->size;
      return GPU_OK;
    }
  return device_fail(mod->dev, GPU_BAD_INPUT, "%s: there is no __device__ variable '%s'", mod->name,
                     name);
}
