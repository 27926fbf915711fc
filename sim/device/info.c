/* device/info.c - what the simulator supports, read straight off its tables. */
#include <stdio.h>
#include <string.h>

#include "device/device.h"
#include "exec/policy.h"
#include "gpu.h"
#include "ptx/ptx.h"
#include "timing/arch.h"

static const struct {
  ModCategory category;
  const char *text;
} modifiers[] = {
#define X(cat, value, text) {MC_##cat, text},
#include "ptx/mods.def"
#undef X
};
enum { MODIFIERS = sizeof modifiers / sizeof *modifiers };

static const char *const unit_names[] = {
    [UNIT_NONE] = "none", [UNIT_ALU] = "alu",       [UNIT_FMA] = "fma",   [UNIT_SFU] = "sfu",
    [UNIT_DIV] = "div",   [UNIT_LSU] = "lsu",       [UNIT_WARP] = "warp", [UNIT_BRANCH] = "branch",
    [UNIT_SYNC] = "sync", [UNIT_TENSOR] = "tensor",
};

/* Adds a word behind a separator; what does not fit is left out. */
static void add_word(char *list, size_t size, const char *separator, const char *word) {
  size_t used = strlen(list);
  snprintf(list + used, size - used, "%s%s", used ? separator : "", word);
}

static void list_types(const OpInfo *op, char *list, size_t size) {
  for (int t = 1; t < TY_COUNT; t++)
    if (op->types >> t & 1) add_word(list, size, " ", type_name((PtxType)t));
}

/* The values of one category are joined by |, categories separated by blanks. */
static void list_modifiers(const OpInfo *op, char *list, size_t size) {
  for (size_t i = 0; i < MODIFIERS; i++) {
    if (!(op->mods >> modifiers[i].category & 1)) continue;
    bool same = i > 0 && modifiers[i - 1].category == modifiers[i].category;
    add_word(list, size, same ? "|" : " ", modifiers[i].text);
  }
}

size_t gpu_op_count(void) { return OP_COUNT - 1; }

gpu_result gpu_op(size_t index, gpu_op_info *out) {
  memset(out, 0, sizeof *out);
  if (index >= gpu_op_count()) return GPU_BAD_INPUT;
  PtxOp which = (PtxOp)(index + 1);
  const OpInfo *op = op_info(which);
  out->name = op->text;
  out->unit = unit_names[op->unit];
  out->supported = op_is_supported(which);
  list_types(op, out->types, sizeof out->types);
  list_modifiers(op, out->modifiers, sizeof out->modifiers);
  return GPU_OK;
}

const char *gpu_device_arch(const gpu_device *dev) { return dev->arch.name; }

gpu_model gpu_device_model(const gpu_device *dev) {
  return policy_base(&dev->machine) == &model_stack ? GPU_MODEL_STACK : GPU_MODEL_ITS;
}

/* ---- architectures ------------------------------------------------------------------------- */

/* Hands the message on and releases the buffer. */
static gpu_result finish(bool ok, ErrorBuffer *err, char *message, size_t size) {
  if (message && size) snprintf(message, size, "%s", ok ? "" : err->text);
  error_release(err);
  return ok ? GPU_OK : GPU_BAD_INPUT;
}

gpu_result gpu_arch_names(void (*each)(void *context, const char *name), void *context,
                          char *message, size_t message_size) {
  ErrorBuffer err;
  error_init(&err);
  return finish(arch_list(each, context, &err), &err, message, message_size);
}

gpu_result gpu_arch_values(const char *arch,
                           void (*each)(void *context, const gpu_arch_value *value), void *context,
                           char *message, size_t message_size) {
  Arch a;
  ArchNotes notes;
  ErrorBuffer err;
  error_init(&err);
  bool ok = arch_load_with_notes(&a, &notes, arch, &err);
  for (size_t i = 0; ok && i < ARCH_KEYS; i++) {
    const ArchKey *key = &arch_keys[i];
    char value[ARCH_TEXT_MAX];
    arch_value_text(&a, key, value, sizeof value);
    each(context,
         &(gpu_arch_value){key->section, key->name, value, key->unit, key->meaning, notes.text[i]});
  }
  return finish(ok, &err, message, message_size);
}
