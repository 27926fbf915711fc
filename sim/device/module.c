/* device/module.c - loading modules: variables get addresses, kernels their shared memory, and what
 * one module needs is looked up in the others. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/align.h"
#include "device/compile.h"
#include "device/device.h"

/* ---- names ----------------------------------------------------------------------------------- */

/* Is `mangled` the C++ (Itanium) name of a function `name`? _Z6vecaddPKfS0_Pfi is vecadd's. */
static bool is_mangled(const char *mangled, const char *name) {
  char prefix[32];
  int n = snprintf(prefix, sizeof prefix, "_Z%zu", strlen(name));
  if (strncmp(mangled, prefix, (size_t)n) != 0) return false;
  return strncmp(mangled + n, name, strlen(name)) == 0;
}

Function *module_function(const gpu_module *mod, const char *name, bool entry) {
  for (Function *f = mod->mod->functions; f; f = f->next)
    if (f->is_entry == entry && f->insts && strcmp(f->name, name) == 0) return f;
  for (Function *f = mod->mod->functions; f; f = f->next)
    if (f->is_entry == entry && f->insts && is_mangled(f->name, name)) return f;
  return NULL;
}

/* ---- shared memory --------------------------------------------------------------------------- */

/* Which shared variables a kernel uses, itself or through what it calls. */
typedef struct Uses {
  Var **vars; /* all shared variables of the module */
  size_t count;
  bool *used; /* kernel * count + var */
} Uses;

static void collect_shared(Module *mod, Uses *u, Arena *arena) {
  size_t capacity = 0;
  for (Var *v = mod->vars; v; v = v->next)
    if (v->space == SP_SHARED) {
      ARENA_GROW(arena, u->vars, u->count, capacity);
      u->vars[u->count++] = v;
    }
  for (Function *f = mod->functions; f; f = f->next)
    for (Var *v = f->vars; v; v = v->next)
      if (v->space == SP_SHARED) {
        ARENA_GROW(arena, u->vars, u->count, capacity);
        u->vars[u->count++] = v;
      }
  for (size_t i = 0; i < u->count; i++) u->vars[i]->offset = i; /* for now: its number */
}

typedef struct Walk { /* depth first over the call graph */
  Function **stack;
  size_t count, capacity;
  Function **seen;
  size_t seen_count, seen_capacity;
  Arena *arena;
} Walk;

static void visit(Walk *k, Function *f) {
  if (!f || !f->insts) return;
  for (size_t i = 0; i < k->seen_count; i++)
    if (k->seen[i] == f) return;
  ARENA_GROW(k->arena, k->seen, k->seen_count, k->seen_capacity);
  k->seen[k->seen_count++] = f;
  ARENA_GROW(k->arena, k->stack, k->count, k->capacity);
  k->stack[k->count++] = f;
}

static void use_operand(const Operand *o, bool *used) {
  if ((o->kind == OPND_SYM || o->kind == OPND_ADDR) && o->var && o->var->space == SP_SHARED)
    used[o->var->offset] = true;
  for (int i = 0; o->kind == OPND_VEC && i < o->count; i++) use_operand(&o->vec[i], used);
}

static void use_function(Walk *k, const Function *f, bool *used) {
  for (size_t i = 0; i < f->inst_count; i++) {
    const Inst *in = &f->insts[i];
    for (int n = 0; n < in->operand_count; n++) use_operand(&in->operand[n], used);
    if (in->op != OP_CALL) continue;
    if (in->operand[1].kind != OPND_REG)
      visit(k, in->operand[1].func);
    else
      for (Function *g = f->module->functions; g; g = g->next)
        if (!g->is_entry) visit(k, g);
  }
}

/* Two variables may share bytes only when no kernel uses both. */
static bool conflict(const Uses *u, size_t kernels, size_t a, size_t b) {
  for (size_t k = 0; k < kernels; k++)
    if (u->used[k * u->count + a] && u->used[k * u->count + b]) return true;
  return false;
}

static uint64_t place_one(const Uses *u, size_t kernels, const uint64_t *at, size_t i) {
  uint64_t where = 0;
  for (bool moved = true; moved;) {
    moved = false;
    for (size_t j = 0; j < i; j++) {
      bool apart = where + u->vars[i]->size <= at[j] || at[j] + u->vars[j]->size <= where;
      if (apart || u->vars[j]->size == 0 || !conflict(u, kernels, i, j)) continue;
      where = align_up(at[j] + u->vars[j]->size, u->vars[i]->align);
      moved = true;
    }
  }
  return where;
}

static void place_shared(gpu_module *mod) {
  Arena *arena = mod->mod->arena;
  Uses u = {0};
  collect_shared(mod->mod, &u, arena);
  if (u.count == 0) return;
  u.used = ARENA_ARRAY(arena, bool, u.count * mod->kernel_count + 1);
  for (size_t k = 0; k < mod->kernel_count; k++) {
    Walk walk = {.arena = arena};
    visit(&walk, mod->kernels[k].fn);
    while (walk.count) use_function(&walk, walk.stack[--walk.count], u.used + k * u.count);
  }
  uint64_t *at = ARENA_ARRAY(arena, uint64_t, u.count);
  for (size_t i = 0; i < u.count; i++)
    if (!u.vars[i]->is_dynamic) at[i] = place_one(&u, mod->kernel_count, at, i);
  for (size_t k = 0; k < mod->kernel_count; k++)
    for (size_t i = 0; i < u.count; i++)
      if (u.used[k * u.count + i] && !u.vars[i]->is_dynamic &&
          at[i] + u.vars[i]->size > mod->kernels[k].shared_static)
        mod->kernels[k].shared_static = at[i] + u.vars[i]->size;
  for (size_t k = 0; k < mod->kernel_count; k++)
    if (mod->kernels[k].shared_static > mod->dynamic_offset)
      mod->dynamic_offset = mod->kernels[k].shared_static;
  mod->dynamic_offset = align_up(mod->dynamic_offset, 128);
  for (size_t i = 0; i < u.count; i++)
    u.vars[i]->offset = u.vars[i]->is_dynamic ? mod->dynamic_offset : at[i];
}

/* ---- global and constant variables ----------------------------------------------------------- */

static bool needs_memory(const Var *v) {
  return (v->space == SP_GLOBAL || v->space == SP_CONST) && !v->is_extern;
}

static gpu_result allocate_vars(gpu_module *mod, Var *list) {
  Memory *mem = &mod->dev->machine.memory;
  for (Var *v = list; v; v = v->next) {
    if (!needs_memory(v)) continue;
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

static uint64_t address_of(const Var *v) {
  if (v->link) v = v->link;
  return v->space == SP_SHARED ? SHARED_BASE + v->offset : v->address;
}

static void apply_relocs(gpu_module *mod, Var *list) {
  for (Var *v = list; v; v = v->next) {
    if (!needs_memory(v)) continue;
    Allocation *a = memory_find(&mod->dev->machine.memory, v->address, v->size);
    for (const Reloc *r = v->relocs; r && a; r = r->next) {
      uint64_t value = (r->var          ? address_of(r->var)
                        : r->func->link ? r->func->link->address
                                        : r->func->address) +
                       (uint64_t)r->addend;
      if (r->offset + r->bytes <= v->size) memcpy(a->host + r->offset, &value, r->bytes);
    }
  }
}

static gpu_result each_var_list(gpu_module *mod, gpu_result (*act)(gpu_module *, Var *)) {
  gpu_result result = act(mod, mod->mod->vars);
  for (Function *f = mod->mod->functions; f && result == GPU_OK; f = f->next)
    result = act(mod, f->vars);
  return result;
}

static gpu_result relocate(gpu_module *mod, Var *list) {
  apply_relocs(mod, list);
  return GPU_OK;
}

static gpu_result find_kernels(gpu_module *mod) {
  for (Function *f = mod->mod->functions; f; f = f->next) {
    f->address = FUNCTION_BASE + 16 * ++mod->dev->functions;
    mod->kernel_count += f->is_entry && f->insts;
  }
  mod->kernels = calloc(mod->kernel_count + 1, sizeof *mod->kernels);
  if (!mod->kernels) return GPU_INTERNAL;
  size_t n = 0;
  for (Function *f = mod->mod->functions; f; f = f->next)
    if (f->is_entry && f->insts) mod->kernels[n++] = (gpu_kernel){.module = mod, .fn = f};
  return GPU_OK;
}

gpu_result module_place(gpu_module *mod) {
  gpu_result result = find_kernels(mod);
  if (result != GPU_OK) return result;
  place_shared(mod);
  return each_var_list(mod, allocate_vars);
}

/* ---- linking --------------------------------------------------------------------------------- */

static Var *defined_var(const gpu_device *dev, const char *name) {
  for (gpu_module *m = dev->modules; m; m = m->next)
    for (Var *v = m->mod->vars; v; v = v->next)
      if (!v->is_extern && v->space != SP_SHARED && strcmp(v->name, name) == 0) return v;
  return NULL;
}

static Function *defined_function(const gpu_device *dev, const char *name) {
  for (gpu_module *m = dev->modules; m; m = m->next)
    for (Function *f = m->mod->functions; f; f = f->next)
      if (f->insts && !f->is_entry && strcmp(f->name, name) == 0) return f;
  return NULL;
}

void modules_link(gpu_device *dev) {
  for (gpu_module *m = dev->modules; m; m = m->next) {
    for (Var *v = m->mod->vars; v; v = v->next)
      if (v->is_extern && v->space != SP_SHARED && !v->link) v->link = defined_var(dev, v->name);
    for (Function *f = m->mod->functions; f; f = f->next)
      if (!f->insts && !f->alias && !f->link) f->link = defined_function(dev, f->name);
    each_var_list(m, relocate);
  }
}

/* ---- loading --------------------------------------------------------------------------------- */

void module_free(gpu_module *mod) {
  ptx_free(mod->mod);
  free(mod->kernels);
  free(mod->name);
  free(mod);
}

static gpu_result remember(gpu_module *mod) {
  gpu_device *dev = mod->dev;
  Module **list = realloc(dev->module_list, (dev->module_count + 1) * sizeof *list);
  if (!list) return GPU_INTERNAL;
  dev->module_list = list;
  list[dev->module_count++] = mod->mod;
  mod->next = dev->modules;
  dev->modules = mod;
  return GPU_OK;
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
  if (remember(mod) != GPU_OK) {
    module_free(mod);
    return GPU_INTERNAL;
  }
  gpu_result result = module_place(mod);
  if (result != GPU_OK) return result; /* the device owns it, and frees it in the end */
  modules_link(dev);
  *out = mod;
  return GPU_OK;
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

static gpu_result load_cuda(gpu_device *dev, gpu_module **out, const char *path, gpu_opt opt) {
  size_t length, source_length;
  char *ptx, *source = read_file(dev, path, &source_length);
  if (!source) return GPU_BAD_INPUT;
  CompileOptions options = {.opt = opt};
  gpu_result result = GPU_BAD_INPUT;
  error_clear(&dev->error);
  if (compile_cuda(path, &options, &ptx, &length, &dev->error)) {
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
  for (size_t i = 0; i < mod->kernel_count; i++) names[i] = mod->kernels[i].fn->name;
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

const char *gpu_kernel_name(const gpu_kernel *kernel) { return kernel->fn->name; }
size_t gpu_kernel_param_count(const gpu_kernel *kernel) { return kernel->fn->param_count; }

size_t gpu_kernel_param_size(const gpu_kernel *kernel, size_t index) {
  return index < kernel->fn->param_count ? kernel->fn->params[index]->size : 0;
}

gpu_result gpu_module_global(gpu_module *mod, const char *name, gpu_ptr *out, size_t *bytes) {
  for (Var *v = mod->mod->vars; v; v = v->next)
    if (needs_memory(v) && (strcmp(v->name, name) == 0)) {
      *out = v->address;
      *bytes = v->size;
      return GPU_OK;
    }
  return device_fail(mod->dev, GPU_BAD_INPUT, "%s: there is no __device__ variable '%s'", mod->name,
                     name);
}
