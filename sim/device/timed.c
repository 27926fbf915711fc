/* device/timed.c - a launch in time: the GPU's SMs, the blocks they are given, and what is counted.
 */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/launch.h"
#include "device/views.h"
#include "exec/control.h"
#include "exec/fault.h"
#include "timing/occupancy.h"

_Static_assert((int)GPU_STALL_COUNT == (int)STALLS, "the public list of stalls is the table's");

/* ---- the device ------------------------------------------------------------------------------ */

static gpu_result unknown_scheduler(gpu_device *dev, const char *name) {
  device_fail(dev, GPU_BAD_INPUT, "there is no scheduler '%s'; there are:", name);
  for (const Scheduler *s = schedulers; s->name; s++)
    error_add(&dev->error, "%s %s", s == schedulers ? "" : ",", s->name);
  return GPU_BAD_INPUT;
}

gpu_result timed_create(gpu_device *dev, const gpu_config *config) {
  const char *name = config->scheduler ? config->scheduler : dev->arch.scheduler;
  const Scheduler *scheduler = scheduler_find(name);
  if (!scheduler) return unknown_scheduler(dev, name);
  if (config->schedule_seed)
    return device_fail(dev, GPU_BAD_INPUT,
                       "an adversarial schedule has no cycles: leave out the seed, or the timing");
  if (config->switch_cost < 0 || config->switch_cost > 1e6)
    return device_fail(dev, GPU_BAD_INPUT, "a switch cost of %g cycles: give 0 to 1000000",
                       config->switch_cost);
  if (config->switch_cost > 0) dev->arch.context_switch = config->switch_cost;
  dev->timed = calloc(1, sizeof *dev->timed);
  if (!dev->timed) return GPU_INTERNAL;
  dev->timed->scheduler = scheduler;
  dev->timed->arena = arena_new(0);
  dev->timed->hierarchy = hierarchy_new(&dev->arch);
  dev->machine.clock_mhz = dev->arch.clock_mhz;
  return dev->timed->arena && dev->timed->hierarchy ? GPU_OK : GPU_INTERNAL;
}

void timed_destroy(gpu_device *dev) {
  if (!dev->timed) return;
  views_release(dev);
  custom_free(dev->timed->custom, &dev->machine);
  arena_free(dev->timed->arena);
  hierarchy_free(dev->timed->hierarchy);
  free(dev->timed);
}

void timed_touch(gpu_device *dev, uint64_t address, uint64_t bytes) {
  if (dev->timed) hierarchy_touch(dev->timed->hierarchy, address, bytes, false);
}

void gpu_warm_l2(gpu_device *dev, gpu_ptr ptr, size_t bytes) {
  if (dev->timed) hierarchy_touch(dev->timed->hierarchy, ptr, bytes, true);
}

void gpu_flush_l2(gpu_device *dev) {
  if (dev->timed) hierarchy_flush(dev->timed->hierarchy);
}

const char *gpu_stall_name(int stall) {
  return stall >= 0 && stall < GPU_STALL_COUNT ? stall_name((Stall)stall) : NULL;
}

const char *gpu_stall_meaning(int stall) {
  return stall >= 0 && stall < GPU_STALL_COUNT ? stall_meaning((Stall)stall) : NULL;
}

static const Scheduler *scheduler_at(size_t index) {
  for (const Scheduler *s = schedulers; s->name; s++)
    if (index-- == 0) return s;
  return NULL;
}

const char *gpu_scheduler_name(size_t index) {
  const Scheduler *s = scheduler_at(index);
  return s ? s->name : NULL;
}

const char *gpu_scheduler_meaning(size_t index) {
  const Scheduler *s = scheduler_at(index);
  return s ? s->meaning : NULL;
}

/* GPU_OK, if the device counts cycles. */
gpu_result need_timing(gpu_device *dev) {
  if (dev->timed) return GPU_OK;
  return device_fail(dev, GPU_BAD_INPUT,
                     "the device was made without timing: set gpu_config.timing");
}

static gpu_result check_custom(gpu_device *dev, const gpu_module *mod, const Function *fn,
                               const char *name) {
  uint64_t cores = (uint64_t)dev->arch.sm_count * dev->arch.sub_cores;
  if (!fn || !custom_fits(fn))
    return device_fail(
        dev, GPU_BAD_INPUT, "%s: a scheduler '%s' must be __device__ " CUSTOM_PROTOTYPE ", and %s",
        mod->name, name, name,
        fn ? "that function has other parameters or another result" : "there is no such function");
  if (cores > CUSTOM_CORES)
    return device_fail(dev, GPU_BAD_INPUT,
                       "architecture %s has %llu sub-cores; a scheduler can tell %d apart: set "
                       "sm_count to less",
                       dev->arch.name, (unsigned long long)cores, CUSTOM_CORES);
  return GPU_OK;
}

gpu_result gpu_set_scheduler(gpu_device *dev, gpu_module *mod, const char *function) {
  CustomScheduler *custom = NULL;
  gpu_result r = need_timing(dev);
  if (r != GPU_OK) return r;
  if (mod) {
    Function *fn = module_function(mod, function, false);
    r = check_custom(dev, mod, fn, function);
    if (r != GPU_OK) return r;
    custom = custom_new(&dev->machine, fn, function);
    if (!custom) return device_fail(dev, GPU_INTERNAL, "no memory for a scheduler");
  }
  custom_free(dev->timed->custom, &dev->machine);
  dev->timed->custom = custom;
  return GPU_OK;
}

gpu_result gpu_get_timing(gpu_device *dev, gpu_timing *out) {
  if (need_timing(dev) != GPU_OK) return GPU_BAD_INPUT;
  *out = dev->timed->last;
  return GPU_OK;
}

/* ---- code ------------------------------------------------------------------------------------ */

gpu_result timed_assemble(gpu_module *mod) {
  gpu_device *dev = mod->dev;
  Timed *t = dev->timed;
  jmp_buf out_of_memory;
  if (setjmp(out_of_memory))
    return device_fail(dev, GPU_BAD_INPUT, "%s: not enough memory to assemble it", mod->name);
  arena_guard(t->arena, &out_of_memory);
  for (Function *fn = mod->mod->functions; fn; fn = fn->next) {
    if (!fn->insts) continue;
    Assembly *as = assemble(t->arena, &dev->arch, fn);
    as->base = t->code;
    t->code += as->size + 8;
    fn->timing = as;
  }
  arena_guard(t->arena, NULL);
  return GPU_OK;
}

static uint32_t most_registers(const gpu_device *dev) {
  size_t most = 0;
  for (gpu_module *mod = dev->modules; mod; mod = mod->next)
    for (const Function *fn = mod->mod->functions; fn; fn = fn->next)
      if (fn->reg_count > most) most = fn->reg_count;
  return (uint32_t)most;
}

/* ---- the GPU: the SM whose next event comes first runs next ---------------------------------- */

typedef struct Gpu Gpu;

struct Gpu {
  Launch *k;
  Sm *sms;
  uint32_t count, blocks_per_sm;
  Cta **blocks;   /* blocks_per_sm an SM; NULL: free */
  uint32_t *heap; /* SMs by the cycle of their next event */
  uint64_t *key;  /* by SM */
  uint64_t end;   /* the last cycle in which anything happened */
  uint64_t until; /* the cycle up to which the heap's first SM has its turn; 0: to be found */
};

static bool comes_first(const Gpu *g, uint32_t a, uint32_t b) {
  return g->key[a] != g->key[b] ? g->key[a] < g->key[b] : a < b;
}

static void sift_down(Gpu *g, uint32_t at) {
  for (;;) {
    uint32_t child = 2 * at + 1, sm = g->heap[at];
    if (child >= g->count) return;
    if (child + 1 < g->count && comes_first(g, g->heap[child + 1], g->heap[child])) child++;
    if (!comes_first(g, g->heap[child], sm)) return;
    g->heap[at] = g->heap[child];
    g->heap[child] = sm;
    at = child;
  }
}

static void rebuild_heap(Gpu *g) {
  for (uint32_t i = 0; i < g->count; i++) g->key[i] = sm_next(&g->sms[i]);
  for (uint32_t i = g->count / 2 + 1; i-- > 0;)
    if (i < g->count) sift_down(g, i);
}

static void give_block(Gpu *g, Sm *sm, uint32_t place, uint64_t at) {
  g->blocks[(uint64_t)sm->id * g->blocks_per_sm + place] = launch_start_block(g->k);
  sm_start_block(sm, g->blocks[(uint64_t)sm->id * g->blocks_per_sm + place], at);
}

/* One block an SM at first, then a second each, and so on. */
static void give_first_blocks(Gpu *g) {
  for (uint32_t place = 0; place < g->blocks_per_sm; place++)
    for (uint32_t i = 0; i < g->count; i++)
      if (g->k->next < g->k->blocks && !g->k->m->stopped) give_block(g, &g->sms[i], place, 0);
}

/* An SM takes the next block when one of its own has ended. */
static void replace_ended_blocks(Gpu *g, Sm *sm) {
  const Arch *a = sm->arch;
  for (uint32_t place = 0; place < g->blocks_per_sm; place++) {
    Cta **cta = &g->blocks[(uint64_t)sm->id * g->blocks_per_sm + place];
    if (!*cta || (*cta)->live) continue;
    sm_end_block(sm, *cta);
    launch_end_block(g->k, *cta);
    *cta = NULL;
    if (g->k->next < g->k->blocks && !g->k->m->stopped)
      give_block(g, sm, place, sm->now + 1 + (uint64_t)a->latency_block);
  }
}

/* Warps that spin look again when memory has changed. */
static void recheck_spinning(Gpu *g, uint64_t now) {
  for (uint32_t i = 0; i < g->count; i++)
    if (g->sms[i].spinning) sm_recheck(&g->sms[i], now);
  rebuild_heap(g);
}

static Cta *first_block(const Gpu *g) {
  for (uint64_t i = 0; i < (uint64_t)g->count * g->blocks_per_sm; i++)
    if (g->blocks[i]) return g->blocks[i];
  return NULL;
}

static bool any_spins(const Gpu *g) {
  for (uint32_t i = 0; i < g->count; i++)
    if (g->sms[i].spinning) return true;
  return false;
}

enum {
  AHEAD = 64
}; /* cycles that an SM may run ahead of the others: its state stays in the host's cache */

/* The cycle up to which the first SM of the heap may run before another one's turn. */
static uint64_t turn_of_first(const Gpu *g) {
  uint64_t other = NEVER;
  for (uint32_t i = 1; i < g->count && i < 3; i++)
    if (g->key[g->heap[i]] < other) other = g->key[g->heap[i]];
  return other > NEVER - AHEAD ? NEVER : other + AHEAD;
}

static void one_cycle(Gpu *g, Sm *sm) {
  Machine *m = g->k->m;
  uint64_t version = m->memory.version;
  bool ended = sm_cycle(sm);
  if (sm->now > g->end) g->end = sm->now;
  if (ended) replace_ended_blocks(g, sm);
  if (m->memory.version != version && any_spins(g)) recheck_spinning(g, sm->now + 1);
  if (m->issued >= m->set.instruction_limit && !m->stopped && first_block(g))
    launch_report_limit(g->k, first_block(g));
  g->key[sm->id] = sm_next(sm);
}

bool timed_step(Launch *k) {
  Gpu *g = k->gpu;
  if (k->m->stopped) return false;
  Sm *sm = &g->sms[g->heap[0]];
  if (g->key[sm->id] == NEVER) {
    Cta *stuck = first_block(g);
    if (stuck) report_deadlock(stuck);
    return false;
  }
  if (g->until == 0) g->until = turn_of_first(g);
  one_cycle(g, sm);
  if (g->key[sm->id] < g->until && sm == &g->sms[g->heap[0]]) return true;
  sift_down(g, 0);
  g->until = 0;
  return true;
}

/* ---- what was counted ------------------------------------------------------------------------ */

static void add_up(Gpu *g, gpu_timing *t, const Hierarchy *h) {
  uint64_t resident = 0;
  for (uint32_t i = 0; i < g->count; i++) {
    Sm *sm = &g->sms[i];
    sm_finish(sm);
    const Counters *c = &sm->counters;
    t->sms += c->cycles > 0;
    t->sm_cycles += c->cycles;
    t->issue_slots += c->issue_cycles;
    t->issued += c->issued;
    t->instructions += c->instructions;
    t->eligible += c->eligible;
    for (int s = 0; s < STALLS; s++) {
      t->warp_cycles[s] += c->warp_cycles[s];
      t->slot_cycles[s] += c->slot_cycles[s];
      resident += c->warp_cycles[s];
    }
    t->global_requests += c->global_requests;
    t->global_sectors += c->global_sectors;
    t->l1_hit_sectors += c->l1_hits;
    t->shared_requests += c->shared_requests;
    t->shared_wavefronts += c->shared_wavefronts;
    t->shared_conflicts += c->shared_conflicts;
  }
  const Arch *a = h->arch;
  t->l2_hit_sectors = h->l2_hits;
  t->dram_sectors = h->dram_sectors;
  t->cycles = g->end + 1;
  t->microseconds = (double)t->cycles / a->clock_mhz;
  double slots = (double)t->sm_cycles * a->max_warps_per_sm;
  t->occupancy = slots > 0 ? (double)resident / slots : 0;
}

static void choose_shape(Gpu *g) {
  const Launch *k = g->k;
  const Arch *a = &k->dev->arch;
  const Assembly *as = k->fn->timing;
  OccupancyQuery q = {as->registers, k->block_threads, k->m->shared_static + k->m->shared_dynamic};
  g->blocks_per_sm = occupancy_blocks(a, q);
  if (g->blocks_per_sm == 0) g->blocks_per_sm = 1; /* the assembler would spill until it fits */
  g->count = k->blocks < a->sm_count ? (uint32_t)k->blocks : a->sm_count;
  while ((uint64_t)g->count * g->blocks_per_sm > MAX_RESIDENT) g->blocks_per_sm--;
}

static bool make_sms(Gpu *g) {
  Launch *k = g->k;
  Timed *t = k->dev->timed;
  Arena *arena = k->m->launch_arena;
  uint32_t registers = most_registers(k->dev);
  uint64_t shared = (k->m->shared_static + k->m->shared_dynamic) * g->blocks_per_sm;
  g->sms = ARENA_ARRAY(arena, Sm, g->count);
  g->blocks = ARENA_ARRAY(arena, Cta *, (uint64_t)g->count * g->blocks_per_sm);
  g->heap = ARENA_ARRAY(arena, uint32_t, g->count);
  g->key = ARENA_ARRAY(arena, uint64_t, g->count);
  bool ok = true;
  for (uint32_t i = 0; i < g->count; i++) {
    g->heap[i] = i;
    ok &= sm_init(&g->sms[i], (int)i, k->m, &k->dev->arch, t->hierarchy, arena, shared, registers);
    g->sms[i].scheduler = t->custom ? &custom_scheduler : t->scheduler;
    g->sms[i].scheduler_context = t->custom;
    g->sms[i].watch = views_watch(k->dev) ? views_event : NULL;
    g->sms[i].watch_context = k->dev;
  }
  return ok;
}

void timed_begin(Launch *k) {
  Timed *t = k->dev->timed;
  Gpu *g = ARENA_NEW(k->m->launch_arena, Gpu);
  g->k = k;
  choose_shape(g);
  k->gpu = g;
  k->m->timed = true;
  memset(&t->last, 0, sizeof t->last);
  hierarchy_begin(t->hierarchy);
  custom_begin(t->custom, k->m);
  if (!make_sms(g)) k->m->stopped = true;
  give_first_blocks(g);
  rebuild_heap(g);
}

void timed_end(Launch *k) {
  Timed *t = k->dev->timed;
  Gpu *g = k->gpu;
  t->last.registers = ((const Assembly *)k->fn->timing)->registers;
  t->last.blocks_per_sm = g->blocks_per_sm;
  if (g->key) add_up(g, &t->last, t->hierarchy);
  k->m->stats.cycles = t->last.cycles;
  for (uint32_t i = 0; g->key && i < g->count; i++) sm_release(&g->sms[i]);
}

uint32_t timed_sms(const Launch *k, Sm **sms) {
  if (!k->gpu || !k->gpu->key) return 0;
  *sms = k->gpu->sms;
  return k->gpu->count;
}
