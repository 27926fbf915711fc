/* device/link.c - what one module declares `extern` is looked up in the others, and initial values
 * that are addresses are filled in. */
#include <string.h>

#include "base/hash.h"
#include "device/device.h"

/* ---- definitions by name --------------------------------------------------------------------- */

typedef struct Definition {
  const char *name; /* NULL: a free slot */
  Var *var;         /* or */
  Function *func;
} Definition;

typedef struct Definitions { /* open addressing, a power of two of slots */
  HashKey key;
  Definition *slots;
  size_t slot_count;
} Definitions;

static bool defines_var(const Var *v) { return !v->is_extern && v->space != SP_SHARED; }
static bool defines_function(const Function *f) { return f->insts && !f->is_entry; }
static bool wants_var(const Var *v) { return v->is_extern && v->space != SP_SHARED && !v->link; }
static bool wants_function(const Function *f) { return !f->insts && !f->alias && !f->link; }

/* The slot of a name that is a function's or a variable's, or the free one where it belongs. */
static Definition *slot_of(const Definitions *d, const char *name, bool function) {
  size_t mask = d->slot_count - 1, i = (size_t)hash_bytes(&d->key, name, strlen(name)) & mask;
  while (d->slots[i].name &&
         ((d->slots[i].func != NULL) != function || strcmp(d->slots[i].name, name) != 0))
    i = (i + 1) & mask;
  return &d->slots[i];
}

/* Of two definitions of a name the first stays. */
static void define(const Definitions *d, Definition def) {
  Definition *slot = slot_of(d, def.name, def.func != NULL);
  if (!slot->name) *slot = def;
}

static Definitions collect_definitions(Arena *scratch, const gpu_device *dev) {
  size_t count = 0;
  for (const gpu_module *m = dev->modules; m; m = m->next) {
    for (const Var *v = m->mod->vars; v; v = v->next) count += defines_var(v);
    for (const Function *f = m->mod->functions; f; f = f->next) count += defines_function(f);
  }
  Definitions d = {.key = hash_key_new(), .slot_count = 16};
  while (d.slot_count < 2 * count) d.slot_count *= 2;
  d.slots = ARENA_ARRAY(scratch, Definition, d.slot_count);
  for (const gpu_module *m = dev->modules; m; m = m->next) {
    for (Var *v = m->mod->vars; v; v = v->next)
      if (defines_var(v)) define(&d, (Definition){.name = v->name, .var = v});
    for (Function *f = m->mod->functions; f; f = f->next)
      if (defines_function(f)) define(&d, (Definition){.name = f->name, .func = f});
  }
  return d;
}

static bool anything_wanted(const gpu_device *dev) {
  for (const gpu_module *m = dev->modules; m; m = m->next) {
    for (const Var *v = m->mod->vars; v; v = v->next)
      if (wants_var(v)) return true;
    for (const Function *f = m->mod->functions; f; f = f->next)
      if (wants_function(f)) return true;
  }
  return false;
}

static void link_names(gpu_device *dev, Arena *scratch) {
  Definitions d = collect_definitions(scratch, dev);
  for (gpu_module *m = dev->modules; m; m = m->next) {
    for (Var *v = m->mod->vars; v; v = v->next)
      if (wants_var(v)) v->link = slot_of(&d, v->name, false)->var;
    for (Function *f = m->mod->functions; f; f = f->next)
      if (wants_function(f)) f->link = slot_of(&d, f->name, true)->func;
  }
}

/* ---- addresses in initial values ------------------------------------------------------------- */

/* The address of what is meant; 0 while no module defines it. */
static uint64_t target_of(const Reloc *r) {
  if (r->func) return r->func->link ? r->func->link->address : r->func->address;
  const Var *v = r->var->link ? r->var->link : r->var;
  return v->space == SP_SHARED ? SHARED_BASE + v->offset : v->address;
}

/* Each value is written once: what a kernel has stored there since stays. */
static void fill_in(const Memory *mem, Var *list) {
  for (Var *v = list; v; v = v->next) {
    if (!v->relocs || !var_needs_memory(v)) continue;
    Allocation *a = memory_find(mem, v->address, v->size);
    for (Reloc *r = v->relocs; r && a; r = r->next) {
      uint64_t value = target_of(r);
      if (r->done || !value || r->offset + r->bytes > v->size) continue;
      value = ((value + (uint64_t)r->addend) & r->mask) >> r->shift;
      memcpy(a->host + r->offset, &value, r->bytes);
      r->done = true;
    }
  }
}

void modules_link(gpu_device *dev, Arena *scratch) {
  if (anything_wanted(dev)) link_names(dev, scratch);
  for (gpu_module *m = dev->modules; m; m = m->next) {
    fill_in(&dev->machine.memory, m->mod->vars);
    for (Function *f = m->mod->functions; f; f = f->next) fill_in(&dev->machine.memory, f->vars);
  }
}
