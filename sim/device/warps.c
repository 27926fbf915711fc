/* device/warps.c - the warps of a launch under way, for those who step through it. */
#include <string.h>

#include "device/launch.h"
#include "device/views.h"

/* The warp in the index-th used slot, over all SMs; NULL behind the last. */
static const SmWarp *warp_at(const gpu_device *dev, size_t index) {
  Sm *sms;
  uint32_t count = dev->launch ? timed_sms(dev->launch, &sms) : 0;
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t slot = 0; slot < sms[i].warp_slots; slot++)
      if (sms[i].warps[slot].warp && index-- == 0) return &sms[i].warps[slot];
  return NULL;
}

size_t gpu_warp_count(const gpu_device *dev) {
  Sm *sms;
  size_t warps = 0;
  uint32_t count = dev->launch ? timed_sms(dev->launch, &sms) : 0;
  for (uint32_t i = 0; i < count; i++) warps += sms[i].resident_warps;
  return warps;
}

static const char *state_of(const SmWarp *w, const Path *p) {
  static const char *const words[] = {[PATH_READY] = "ready",
                                      [PATH_CONVERGING] = "lanes",
                                      [PATH_SYNC] = "sync",
                                      [PATH_BARRIER] = "barrier"};
  bool next = w->next && p->state == PATH_READY && w->next == &p->frame->code->ops[p->pc];
  return next && (!w->warp->current || w->warp->current == p) ? "runs" : words[p->state];
}

static gpu_path_view path_view(gpu_device *dev, const SmWarp *w, const Path *p) {
  const Function *fn = p->frame->code->fn;
  gpu_path_view v = {.mask = p->mask,
                     .function = fn->name,
                     .pc = (uint32_t)p->pc,
                     .reconverges = p->rpc < 0 ? UINT32_MAX : (uint32_t)p->rpc,
                     .state = state_of(w, p)};
  views_place(dev, fn, v.pc, &v.file, &v.line);
  return v;
}

static gpu_result no_warp(gpu_device *dev, size_t index) {
  return device_fail(dev, GPU_BAD_INPUT, "there is no warp %zu on the SMs", index);
}

gpu_result gpu_warp_at(gpu_device *dev, size_t index, gpu_warp_view *out) {
  const SmWarp *w = warp_at(dev, index);
  if (!w) return no_warp(dev, index);
  *out = (gpu_warp_view){.sm = (uint32_t)w->core->sm->id,
                         .core = (uint32_t)w->core->id,
                         .slot = w->slot,
                         .block = w->warp->cta->index,
                         .warp = (uint32_t)w->warp->id,
                         .live = w->warp->live,
                         .now = w->core->sm->now,
                         .ready = w->next ? w->ready : UINT64_MAX,
                         .stall = (int)(w->next ? w->why : STALL_BARRIER)};
  if (w->warp->state == WARP_SPINNING) out->stall = STALL_SLEEPING;
  for (int i = 0; i < w->warp->slots && out->path_count < GPU_PATHS; i++)
    if (w->warp->paths[i].mask)
      out->paths[out->path_count++] = path_view(dev, w, &w->warp->paths[i]);
  return GPU_OK;
}

gpu_result gpu_warp_register(gpu_device *dev, size_t warp, size_t index, gpu_register_view *out) {
  const SmWarp *w = warp_at(dev, warp);
  if (!w) return no_warp(dev, warp);
  const Frame *f = w->frame;
  if (!f || !w->warp->live || index >= f->code->fn->reg_count)
    return device_fail(dev, GPU_BAD_INPUT, "the warp has no register %zu", index);
  const Reg *reg = &f->code->fn->regs[index];
  const uint8_t *lanes = f->regs + f->code->reg_offset[index];
  *out = (gpu_register_view){reg->name, type_name(reg->type), (uint32_t)type_bits(reg->type), {0}};
  size_t bytes = (size_t)type_lane_bytes(reg->type);
  for (int l = 0; l < WARP_SIZE; l++) {
    if (reg->type == TY_PRED) {
      Mask mask;
      memcpy(&mask, lanes, sizeof mask);
      out->lanes[l] = mask_has(mask, l);
    } else {
      memcpy(&out->lanes[l], lanes + (size_t)l * bytes, bytes < 8 ? bytes : 8);
    }
  }
  return GPU_OK;
}
