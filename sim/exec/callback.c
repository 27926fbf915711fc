/* exec/callback.c - a call runs in the machine of the kernel, whose own affairs are put aside for
 * it.
 */
#include "exec/callback.h"

#include <stdlib.h>
#include <string.h>

#include "exec/control.h"

/* The machine as a call needs it. */
static void enter_call(Machine *m, Callback *c, Function *fn) {
  m->model = &model_its;
  m->module = fn->module;
  m->code = prepare(fn->module->arena, fn);
  m->set.check = GPU_CHECK_SYNC;
  m->set.keep_going = false;
  m->set.schedule_seed = 0;
  m->grid = m->block = (gpu_dim){1, 1, 1};
  m->shared_static = m->shared_dynamic = m->shared_end = 0;
  m->param_bytes = 0;
  m->watch = NULL;
  m->timed = false;
  c->cta = (Cta){.m = m, .threads = 1, .live = 1, .warp_count = 1, .warps = &c->warp};
}

/* The machine as the kernel had it. */
static void leave_call(Machine *m, const Machine *outer) {
  Machine inner = *m;
  *m = *outer;
  m->memory = inner.memory;
  m->memory.version = outer->memory.version; /* no store of the kernel: its spin remains a spin */
  m->stopped = inner.stopped;
  m->local_used = inner.local_used;
  m->out = inner.out;
  m->out_length = inner.out_length;
  m->out_capacity = inner.out_capacity;
  m->out_cut = inner.out_cut;
  memcpy(m->cache, inner.cache, sizeof m->cache);
}

static bool start_call(Callback *c, Machine *m, const Function *fn, const uint64_t *args) {
  Warp *w = &c->warp;
  SpinWatch watch = w->watch;
  *w = (Warp){.cta = &c->cta,
              .lanes = 1,
              .live = 1,
              .slots = 1,
              .local = w->local,
              .local_size = w->local_size};
  w->watch = (SpinWatch){.regs = watch.regs, .capacity = watch.capacity};
  Frame *f = w->root = frame_new(m, m->code, NULL);
  f->lanes = 1;
  w->paths[0] = (Path){.mask = 1, .frame = f, .rpc = -1};
  if (!local_reserve(w, m->code->local_bytes + 16)) return false;
  memset(w->local, 0, WARP_SIZE * w->local_size);
  for (size_t i = 0; i < fn->param_count; i++)
    memcpy(local_at(w, 0, f->local_base + fn->params[i]->offset), &args[i], fn->params[i]->size);
  return true;
}

static CallbackEnd run_call(Machine *m, Callback *c, const Function *fn, const uint64_t *args,
                            uint32_t *result) {
  if (!start_call(c, m, fn, args)) return CALLBACK_MEMORY;
  c->spent += warp_run(&c->warp, CALLBACK_BUDGET);
  if (m->stopped) return CALLBACK_FAULT;
  if (c->warp.state != WARP_DONE)
    return c->warp.state == WARP_READY ? CALLBACK_ENDLESS : CALLBACK_STUCK;
  if (fn->result_count)
    memcpy(result, local_at(&c->warp, 0, LOCAL_BASE + fn->results[0]->offset), sizeof *result);
  frame_release(m, c->warp.root);
  return CALLBACK_DONE;
}

CallbackEnd callback_run(Machine *m, Callback *c, Function *fn, const uint64_t *args,
                         uint32_t *result) {
  Machine outer = *m;
  c->model = m->model;
  c->set = m->set;
  c->inside = true;
  enter_call(m, c, fn);
  CallbackEnd end = run_call(m, c, fn, args, result);
  leave_call(m, &outer);
  c->inside = false;
  return end;
}

void callback_begin(Machine *m, Callback *c) {
  if (c->inside) {
    m->model = c->model;
    m->set = c->set;
  }
  c->inside = false;
  c->spent = 0;
}

const char *callback_complaint(CallbackEnd end) {
  switch (end) {
  case CALLBACK_ENDLESS: return "did not return within 100000 instructions";
  case CALLBACK_STUCK: return "waits for something that never comes";
  case CALLBACK_MEMORY: return "needs more local memory than a thread can have";
  default: return NULL;
  }
}

void callback_free(Callback *c) {
  free(c->warp.local);
  free(c->warp.watch.regs);
}
