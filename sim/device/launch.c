/* device/launch.c - launches: checks, blocks one after the other, and what stops them.
 *
 * Blocks run in order, each to its end, so that memory does not grow with the grid. A block that
 * can only be freed by another one (a lock, a flag) stays resident while further blocks start. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/launch.h"
#include "exec/check.h"
#include "exec/control.h"
#include "exec/fault.h"
#include "exec/policy.h"

enum {
  MAX_WAITING = 2048, /* blocks that may be started and unfinished at a time */
  TURN = 4096         /* instructions a warp runs before the next one of its block does, when the
                         schedule is adversarial */
};

/* ---- checks ---------------------------------------------------------------------------------- */

static uint64_t volume(gpu_dim d) { return (uint64_t)d.x * d.y * d.z; }

static gpu_result check_idle(gpu_device *dev) {
  if (!dev->launch) return GPU_OK;
  return device_fail(dev, GPU_BAD_INPUT,
                     "a launch is under way on this device: call gpu_launch_end first");
}

static gpu_result check_shape(gpu_device *dev, gpu_dim grid, gpu_dim block) {
  const Arch *a = &dev->arch;
  if (!grid.x || !grid.y || !grid.z || !block.x || !block.y || !block.z)
    return device_fail(dev, GPU_BAD_INPUT,
                       "grid (%u,%u,%u) and block (%u,%u,%u): every dimension must be at least 1",
                       grid.x, grid.y, grid.z, block.x, block.y, block.z);
  if ((uint64_t)block.x * block.y > UINT32_MAX || volume(block) > a->max_threads_per_block)
    return device_fail(
        dev, GPU_BAD_INPUT,
        "block (%u,%u,%u) has %llu threads; at most %u fit: use more blocks of fewer "
        "threads",
        block.x, block.y, block.z, (unsigned long long)volume(block), a->max_threads_per_block);
  if (block.x > a->max_block_dim[0] || block.y > a->max_block_dim[1] ||
      block.z > a->max_block_dim[2])
    return device_fail(dev, GPU_BAD_INPUT, "block (%u,%u,%u) is larger than (%u,%u,%u)", block.x,
                       block.y, block.z, a->max_block_dim[0], a->max_block_dim[1],
                       a->max_block_dim[2]);
  if (grid.x > a->max_grid_dim[0] || grid.y > a->max_grid_dim[1] || grid.z > a->max_grid_dim[2])
    return device_fail(dev, GPU_BAD_INPUT, "grid (%u,%u,%u) is larger than (%u,%u,%u)", grid.x,
                       grid.y, grid.z, a->max_grid_dim[0], a->max_grid_dim[1], a->max_grid_dim[2]);
  return GPU_OK;
}

static gpu_result check_bounds(gpu_device *dev, const Function *fn, gpu_dim block) {
  const uint32_t *r = fn->reqntid, *m = fn->maxntid;
  if (r[0] && (block.x != r[0] || (r[1] && block.y != r[1]) || (r[2] && block.z != r[2])))
    return device_fail(dev, GPU_BAD_INPUT,
                       "kernel %s requires blocks of (%u,%u,%u), not (%u,%u,%u)", fn->plain, r[0],
                       r[1] ? r[1] : 1, r[2] ? r[2] : 1, block.x, block.y, block.z);
  uint64_t most = (uint64_t)m[0] * (m[1] ? m[1] : 1) * (m[2] ? m[2] : 1);
  if (m[0] && volume(block) > most)
    return device_fail(
        dev, GPU_BAD_INPUT,
        "kernel %s was compiled for at most %llu threads a block (__launch_bounds__), "
        "not %llu",
        fn->plain, (unsigned long long)most, (unsigned long long)volume(block));
  return GPU_OK;
}

static gpu_result check_shared(gpu_device *dev, const gpu_kernel *k, uint32_t dynamic) {
  uint64_t bytes = k->shared_static + dynamic;
  if (bytes <= dev->arch.max_shared_per_block_optin) return GPU_OK;
  return device_fail(
      dev, GPU_BAD_INPUT,
      "kernel %s needs %llu bytes of shared memory a block (%llu static, %u dynamic); "
      "%s has %u",
      k->fn->plain, (unsigned long long)bytes, (unsigned long long)k->shared_static, dynamic,
      dev->arch.name, (unsigned)dev->arch.max_shared_per_block_optin);
}

static gpu_result check_externs(gpu_device *dev, const gpu_module *mod) {
  for (const Var *v = mod->mod->vars; v; v = v->next)
    if (v->is_extern && !v->link && (v->space == SP_GLOBAL || v->space == SP_CONST))
      return device_fail(
          dev, GPU_BAD_INPUT,
          "%s: the variable '%s' is declared extern, but no loaded module defines it", mod->name,
          v->name);
  return GPU_OK;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* Warps of a whole block. */
static uint32_t warps_of(const Launch *k) { return (k->block_threads + WARP_SIZE - 1) / WARP_SIZE; }

static Cta *new_cta(Launch *k) {
  Machine *m = k->m;
  Cta *cta = k->spare;
  if (cta) {
    k->spare = cta->next_free;
    return cta;
  }
  cta = ARENA_NEW(m->launch_arena, Cta);
  cta->warps = ARENA_ARRAY(m->launch_arena, Warp, warps_of(k));
  cta->shared = arena_alloc(m->launch_arena, m->shared_end + 1);
  cta->m = m;
  return cta;
}

/* Places the arguments of a gpu_call in the threads' parameters, as a C struct has them. */
static void pass_arguments(const CallData *c, const Cta *cta, Warp *w, uint64_t base) {
  uint64_t first = cta->index * cta->m->block.x + (uint64_t)w->id * WARP_SIZE;
  FOR_LANES(l, w->lanes) {
    const uint8_t *tuple = c->args + (first + (uint64_t)l) * c->arg_stride;
    uint64_t at = 0;
    for (size_t i = 0; i < c->fn->param_count; i++) {
      const Var *v = c->fn->params[i];
      at = (at + v->align - 1) & ~(uint64_t)(v->align - 1);
      memcpy(local_at(w, l, base + v->offset), tuple + at, v->size);
      at += v->size;
    }
  }
}

static void fetch_results(const CallData *c, const Cta *cta, const Warp *w) {
  if (!c->fn->result_count || !c->results) return;
  const Var *v = c->fn->results[0];
  uint64_t first = cta->index * cta->m->block.x + (uint64_t)w->id * WARP_SIZE;
  FOR_LANES(l, w->lanes)
  memcpy(c->results + (first + (uint64_t)l) * c->result_stride,
         local_at(w, l, LOCAL_BASE + v->offset), v->size);
}

/* threadIdx of the warp's lanes: x varies fastest, then y, then z. */
static void number_threads(Warp *w, gpu_dim block, uint32_t first) {
  uint32_t x = first % block.x, y = first / block.x % block.y, z = first / block.x / block.y;
  for (int l = 0; l < WARP_SIZE; l++) {
    w->tid[0][l] = x;
    w->tid[1][l] = y;
    w->tid[2][l] = z;
    if (++x < block.x) continue;
    x = 0;
    if (++y < block.y) continue;
    y = 0;
    z++;
  }
}

static void start_warp(Launch *k, Cta *cta, Warp *w, int id) {
  Machine *m = k->m;
  uint32_t first = (uint32_t)id * WARP_SIZE;
  for (int i = 0; i < w->slots; i++) w->paths[i].mask = 0;
  w->cta = cta;
  w->id = id;
  w->lanes = w->live =
      mask_below((int)(cta->threads - first < WARP_SIZE ? cta->threads - first : WARP_SIZE));
  w->state = WARP_READY;
  w->slots = 1;
  w->top = 0;
  w->join_count = 0;
  w->turn = w->slice = w->backs = 0;
  w->spun = w->diverged = false;
  w->carry = 0;
  w->watch.frame = NULL;
  number_threads(w, m->block, first);
  Frame *f = w->root = frame_new(m, m->code, NULL);
  f->lanes = w->lanes;
  w->paths[0] = (Path){.mask = w->lanes, .frame = f, .rpc = -1};
  w->current = NULL;
  if (!local_reserve(w, m->code->local_bytes + 16)) m->stopped = true;
  if (w->local_size) memset(w->local, 0, WARP_SIZE * w->local_size);
  if (k->call) pass_arguments(k->call, cta, w, f->local_base);
}

Cta *launch_start_block(Launch *k) {
  Machine *m = k->m;
  Cta *cta = new_cta(k);
  k->resident[k->resident_count++] = cta; /* at once: memory may run out below */
  cta->index = k->next++;
  cta->id =
      (gpu_dim){(uint32_t)(cta->index % m->grid.x), (uint32_t)(cta->index / m->grid.x % m->grid.y),
                (uint32_t)(cta->index / m->grid.x / m->grid.y)};
  cta->threads = k->block_threads;
  if (k->call && k->call->count - cta->index * k->block_threads < cta->threads)
    cta->threads = (uint32_t)(k->call->count - cta->index * k->block_threads);
  cta->live = cta->threads;
  cta->warp_count = (cta->threads + WARP_SIZE - 1) / WARP_SIZE;
  memset(cta->shared, 0, m->shared_end);
  memset(cta->barriers, 0, sizeof cta->barriers);
  for (uint32_t i = 0; i < cta->warp_count; i++) start_warp(k, cta, &cta->warps[i], (int)i);
  check_start(cta);
  m->stats.blocks++;
  m->stats.warps += cta->warp_count;
  m->stats.threads += cta->threads;
  return cta;
}

static void finish_block(Launch *k, Cta *cta) {
  cta->next_free = k->spare;
  k->spare = cta;
}

void launch_end_block(Launch *k, Cta *cta) {
  for (uint32_t i = 0; i < cta->warp_count; i++) frame_release(k->m, cta->warps[i].root);
  for (int i = 0; i < k->resident_count; i++)
    if (k->resident[i] == cta) k->resident[i--] = k->resident[--k->resident_count];
  finish_block(k, cta);
}

/* ---- running --------------------------------------------------------------------------------- */

void launch_report_limit(Launch *k, Cta *cta) {
  for (uint32_t i = 0; i < cta->warp_count; i++) {
    Warp *w = &cta->warps[i];
    for (int n = 0; n < w->slots; n++) {
      Path *p = &w->paths[n];
      if (!p->mask || p->state != PATH_READY) continue;
      fault_raise(w, p, path_inst(p), GPU_FAULT_INSTRUCTION_LIMIT, p->mask,
                  "look for a loop that never ends near this line, or raise the limit",
                  "the launch has issued %llu warp instructions, its limit",
                  (unsigned long long)k->m->issued);
      k->m->stopped = true;
      return;
    }
  }
  k->m->stopped = true;
}

/* The frame that the warp's lanes started in is free once all have left. */
static void retire_warp(Launch *k, const Cta *cta, Warp *w) {
  if (k->call) fetch_results(k->call, cta, w);
  frame_release(k->m, w->root);
}

/* Runs every warp of the block as far as it goes. True: the block has ended. */
static bool run_block(Launch *k, Cta *cta) {
  Machine *m = k->m;
  uint32_t done = 0;
  uint32_t first = m->set.schedule_seed ? (uint32_t)(random_next(m) % cta->warp_count) : 0;
  for (uint32_t n = 0; n < cta->warp_count && !m->stopped; n++) {
    Warp *w = &cta->warps[(first + n) % cta->warp_count];
    if (w->state != WARP_DONE) {
      uint64_t left = m->set.instruction_limit - m->issued;
      uint64_t turn = m->set.schedule_seed ? 1 + random_next(m) % TURN : left;
      warp_run(w, turn < left ? turn : left);
      if (w->state == WARP_DONE)
        retire_warp(k, cta, w);
      else if (m->issued >= m->set.instruction_limit && !m->stopped)
        launch_report_limit(k, cta);
    }
    done += w->state == WARP_DONE;
  }
  return done == cta->warp_count;
}

static bool any_ready(const Cta *cta) {
  for (uint32_t i = 0; i < cta->warp_count; i++)
    if (cta->warps[i].state == WARP_READY) return true;
  return false;
}

/* Runs one resident block until it ends or cannot go on by itself. True: it has ended. */
static bool drive_block(Launch *k, Cta *cta) {
  for (;;) {
    uint64_t before = k->m->issued;
    if (run_block(k, cta)) return true;
    if (k->m->stopped) return false;
    if (!any_ready(cta) && k->m->issued == before) return false;
  }
}

static void run_blocks(Launch *k) {
  Machine *m = k->m;
  while (!m->stopped && (k->next < k->blocks || k->resident_count)) {
    uint64_t before = m->issued;
    if (k->next < k->blocks && k->resident_count < MAX_WAITING) launch_start_block(k);
    bool ended = false;
    for (int i = 0; i < k->resident_count && !m->stopped; i++) {
      if (!drive_block(k, k->resident[i])) continue;
      finish_block(k, k->resident[i]);
      k->resident[i--] = k->resident[--k->resident_count];
      ended = true;
    }
    bool stuck = m->issued == before && !ended;
    if (stuck && !m->stopped && (k->next == k->blocks || k->resident_count == MAX_WAITING))
      report_deadlock(k->resident[0]);
  }
}

static void release_locals(const Launch *k, Cta *cta) {
  for (uint32_t i = 0; i < warps_of(k); i++) {
    free(cta->warps[i].local);
    free(cta->warps[i].watch.regs);
  }
}

static void release_launch(Launch *k) {
  for (int i = 0; i < k->resident_count; i++) finish_block(k, k->resident[i]);
  for (Cta *c = k->spare; c; c = c->next_free) release_locals(k, c);
  arena_free(k->m->launch_arena);
  k->m->launch_arena = NULL;
}

static void begin(gpu_device *dev, gpu_module *mod, gpu_dim grid, gpu_dim block) {
  Machine *m = &dev->machine;
  policy_begin(m);
  faults_clear(m->faults);
  memset(&m->stats, 0, sizeof m->stats);
  memset(m->cache, 0, sizeof m->cache);
  memory_drop_shadow(&m->memory);
  m->stats.grid = m->grid = grid;
  m->stats.block = m->block = block;
  m->module = mod->mod;
  m->launch++;
  m->local_used = 0;
  m->issued = 0;
  m->random = m->set.schedule_seed;
  m->sm_count = dev->arch.sm_count;
  m->max_warps = dev->arch.max_warps_per_sm;
  m->stopped = m->out_cut = false;
  m->out_length = 0;
  if (m->out) m->out[0] = '\0';
}

static gpu_result result_of(gpu_device *dev) {
  size_t n = gpu_fault_count(dev);
  for (size_t i = 0; i < n; i++) {
    const gpu_fault_info *f = faults_at(dev->machine.faults, i);
    if (!f->note) return device_fail(dev, GPU_FAULT, "%s", f->report);
  }
  if (dev->machine.stopped)
    return device_fail(dev, GPU_BAD_INPUT,
                       "the launch stopped: the registers and the local memory of its threads need "
                       "more memory than the simulator has (%llu GiB each)",
                       WARPS_LIMIT >> 30);
  return GPU_OK;
}

/* A part of a launch. Where memory runs out in it, the launch stops. */
static void guarded(Launch *k, void (*part)(Launch *k)) {
  jmp_buf out_of_memory;
  Machine *m = k->m;
  if (setjmp(out_of_memory) == 0) {
    arena_guard(m->launch_arena, &out_of_memory);
    arena_guard(m->module->arena, &out_of_memory);
    part(k);
  } else {
    m->stopped = true;
  }
  arena_guard(m->launch_arena, NULL);
  arena_guard(m->module->arena, NULL);
}

static void start(Launch *k) {
  k->m->code = prepare(k->m->module->arena, k->fn);
  if (k->dev->timed && !k->call) timed_begin(k);
}

static void run_all(Launch *k) {
  if (k->gpu)
    while (timed_step(k)) {
    }
  else
    run_blocks(k);
}

static void run_cycle(Launch *k) { k->done = !timed_step(k); }

static gpu_result begin_launch(gpu_device *dev, Launch launch) {
  Launch *k = calloc(1, sizeof *k);
  Arena *arena = arena_new(WARPS_LIMIT);
  if (!k || !arena) {
    free(k);
    if (arena) arena_free(arena);
    free(dev->machine.params);
    dev->machine.params = NULL;
    return GPU_INTERNAL;
  }
  *k = launch;
  k->dev = dev;
  k->m = &dev->machine;
  k->m->launch_arena = arena;
  dev->launch = k;
  guarded(k, start);
  return GPU_OK;
}

static gpu_result end_launch(gpu_device *dev) {
  Launch *k = dev->launch;
  if (k->gpu) timed_end(k);
  k->m->timed = false;
  k->m->watch = NULL;
  release_launch(k);
  free(k->m->params);
  k->m->params = NULL;
  free(k);
  dev->launch = NULL;
  return result_of(dev);
}

/* From its beginning to its end. */
static gpu_result run(gpu_device *dev, Launch launch) {
  gpu_result result = begin_launch(dev, launch);
  if (result != GPU_OK) return result;
  guarded(dev->launch, run_all);
  return end_launch(dev);
}

/* Checks a kernel's launch and sets up what the machine knows of it. */
static gpu_result set_up(gpu_device *dev, gpu_kernel *kernel, gpu_dim grid, gpu_dim block,
                         uint32_t shared_bytes, void *const *args) {
  gpu_module *mod = kernel->module;
  const Function *fn = kernel->fn;
  gpu_result result = check_idle(dev);
  if (result == GPU_OK) result = check_shape(dev, grid, block);
  if (result == GPU_OK) result = check_bounds(dev, fn, block);
  if (result == GPU_OK) result = check_shared(dev, kernel, shared_bytes);
  if (result == GPU_OK) result = check_externs(dev, mod);
  if (result != GPU_OK) return result;
  begin(dev, mod, grid, block);
  Machine *m = &dev->machine;
  m->shared_static = kernel->shared_static;
  m->shared_dynamic = shared_bytes;
  m->shared_end = shared_bytes ? mod->dynamic_offset + shared_bytes : kernel->shared_static;
  m->param_bytes = fn->param_bytes;
  m->params = calloc(1, fn->param_bytes + 1);
  if (!m->params) return GPU_INTERNAL;
  for (size_t i = 0; i < fn->param_count; i++)
    memcpy(m->params + fn->params[i]->offset, args[i], fn->params[i]->size);
  return GPU_OK;
}

static Launch launch_of(const gpu_kernel *kernel, gpu_dim grid, gpu_dim block) {
  return (Launch){
      .fn = kernel->fn, .blocks = volume(grid), .block_threads = (uint32_t)volume(block)};
}

gpu_result gpu_launch(gpu_device *dev, gpu_kernel *kernel, gpu_dim grid, gpu_dim block,
                      uint32_t shared_bytes, void *const *args) {
  gpu_result result = set_up(dev, kernel, grid, block, shared_bytes, args);
  return result == GPU_OK ? run(dev, launch_of(kernel, grid, block)) : result;
}

gpu_result gpu_launch_begin(gpu_device *dev, gpu_kernel *kernel, gpu_dim grid, gpu_dim block,
                            uint32_t shared_bytes, void *const *args) {
  gpu_result result = need_timing(dev);
  if (result == GPU_OK) result = set_up(dev, kernel, grid, block, shared_bytes, args);
  return result == GPU_OK ? begin_launch(dev, launch_of(kernel, grid, block)) : result;
}

static gpu_result check_under_way(gpu_device *dev) {
  if (dev->launch) return GPU_OK;
  return device_fail(dev, GPU_BAD_INPUT, "no launch is under way: call gpu_launch_begin first");
}

gpu_result gpu_step(gpu_device *dev, bool *done) {
  gpu_result result = check_under_way(dev);
  if (result != GPU_OK) return result;
  if (!dev->launch->done) guarded(dev->launch, run_cycle);
  *done = dev->launch->done;
  return GPU_OK;
}

gpu_result gpu_launch_end(gpu_device *dev) {
  gpu_result result = check_under_way(dev);
  return result == GPU_OK ? end_launch(dev) : result;
}

/* The name as the source has it, of a function that C++ calls _Z6helperPi: 6 bytes, helper. */
static int plain_name(const char **name) {
  int whole = (int)strlen(*name), length = 0, digits = 0;
  if (sscanf(*name, "_Z%4d%n", &length, &digits) != 1 || length <= 0 || length > whole - digits)
    return whole;
  *name += digits;
  return length;
}

static const char *callable_names(const gpu_module *mod, char *buf, size_t size) {
  size_t at = 0;
  buf[0] = '\0';
  for (const Function *f = mod->mod->functions; f; f = f->next) {
    if (f->is_entry || !f->insts) continue;
    const char *name = f->name;
    int length = plain_name(&name);
    int n = snprintf(buf + at, size - at, " %.*s", length, name);
    if (n < 0 || at + (size_t)n >= size) break;
    at += (size_t)n;
  }
  return at ? buf : " none";
}

/* What the function takes and gives must fit into the caller's arrays, whatever the file says. */
static gpu_result check_signature(gpu_device *dev, const Function *fn, size_t arg_stride,
                                  const void *results, size_t result_stride) {
  uint64_t bytes = 0;
  for (size_t i = 0; i < fn->param_count; i++) {
    const Var *v = fn->params[i];
    bytes = ((bytes + v->align - 1) & ~(uint64_t)(v->align - 1)) + v->size;
  }
  if (bytes > arg_stride)
    return device_fail(dev, GPU_BAD_INPUT,
                       "%s takes %zu parameters of %llu bytes in all, but is called with %zu bytes",
                       fn->name, fn->param_count, (unsigned long long)bytes, arg_stride);
  if (results && !fn->result_count)
    return device_fail(dev, GPU_BAD_INPUT, "%s returns nothing, but a result is wanted", fn->name);
  if (results && fn->results[0]->size > result_stride)
    return device_fail(dev, GPU_BAD_INPUT, "%s returns %llu bytes, but %zu are wanted", fn->name,
                       (unsigned long long)fn->results[0]->size, result_stride);
  return GPU_OK;
}

gpu_result gpu_call(gpu_device *dev, gpu_module *mod, const char *function, size_t count,
                    uint32_t block, const void *args, size_t arg_stride, void *results,
                    size_t result_stride) {
  if (count == 0) return GPU_OK;
  if (block == 0) block = WARP_SIZE;
  Function *fn = module_function(mod, function, false);
  char names[1000];
  if (!fn)
    return device_fail(dev, GPU_BAD_INPUT,
                       "%s: there is no __device__ function '%s'; the file has:%s", mod->name,
                       function, callable_names(mod, names, sizeof names));
  gpu_dim grid = {(uint32_t)((count + block - 1) / block), 1, 1}, shape = {block, 1, 1};
  gpu_result result = check_idle(dev);
  if (result == GPU_OK) result = check_shape(dev, grid, shape);
  if (result == GPU_OK) result = check_signature(dev, fn, arg_stride, results, result_stride);
  if (result == GPU_OK) result = check_externs(dev, mod);
  if (result != GPU_OK) return result;
  begin(dev, mod, grid, shape);
  Machine *m = &dev->machine;
  m->shared_static = m->shared_end = mod->dynamic_offset;
  m->shared_dynamic = m->param_bytes = 0;
  CallData call = {fn, args, arg_stride, count, results, result_stride};
  return run(dev, (Launch){.fn = fn, .call = &call, .blocks = grid.x, .block_threads = block});
}
