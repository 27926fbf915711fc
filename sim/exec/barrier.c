/* exec/barrier.c - barriers of a block, and the report when nothing goes on.
 *
 * Before Volta a barrier counts warps: when one path of a warp comes, the warp has come. From Volta
 * on it counts lanes. Lanes that have left the kernel are not waited for; the CUDA model does not
 * allow that, so it is noted. */
#include <stdio.h>
#include <string.h>

#include "exec/check.h"
#include "exec/control.h"
#include "exec/fault.h"

static const char advice_barrier[] =
    "let every thread of the block reach the same __syncthreads(): move it out of the branch, and "
    "guard the work instead of returning early";

typedef enum BarrierKind { BAR_SYNC_, BAR_ARRIVE_, BAR_RED_ } BarrierKind;

static BarrierKind barrier_kind(PtxOp op) {
  if (op_is_barrier_red(op)) return BAR_RED_;
  switch (op) {
  case OP_BAR_ARRIVE:
  case OP_BAR_CTA_ARRIVE:
  case OP_BARRIER_ARRIVE:
  case OP_BARRIER_CTA_ARRIVE: return BAR_ARRIVE_;
  default: return BAR_SYNC_;
  }
}

static bool is_complete(const Cta *cta, const Barrier *bar) {
  bool independent = cta->m->model->independent;
  uint32_t threads = 0;
  for (uint32_t i = 0; i < cta->warp_count; i++) {
    Mask live = cta->warps[i].live, came = bar->came[i];
    bool whole = independent ? !(live & ~came) : came || !live;
    if (!bar->expected && !whole) return false;
    /* A warp counts as 32 threads, its last lanes may not exist (PTX ISA, bar). */
    if (came) threads += whole ? WARP_SIZE : (uint32_t)mask_count(came);
  }
  return threads >= bar->expected;
}

static uint32_t red_result(const Barrier *bar, const Inst *in) {
  switch (in->mod[MC_ATOM]) {
  case MOD_ATOM_POPC: return bar->yes;
  case MOD_ATOM_AND: return bar->no == 0;
  default: return bar->yes != 0;
  }
}

static void write_red(const Path *p, const Op *op, const Barrier *bar) {
  uint32_t value = red_result(bar, op->in);
  void *d = operand(p->frame, op->d);
  if (op->in->type == TY_PRED) {
    *(Mask *)d = value ? *(Mask *)d | p->mask : *(Mask *)d & ~p->mask;
  } else {
    FOR_LANES(l, p->mask)((uint32_t *)d)[l] = value;
  }
}

static void note_early_exit(Cta *cta, const Barrier *bar, Warp *w, const Path *p, const Inst *in) {
  if (bar->expected || cta->live == cta->threads || cta->m->set.check < GPU_CHECK_SYNC) return;
  fault_note(w, p, in, GPU_FAULT_BARRIER_DIVERGENCE, p->mask, advice_barrier,
             "%u of the block's %u threads had left the kernel before this barrier; the CUDA model "
             "does not promise that it works without them",
             cta->threads - cta->live, cta->threads);
}

static void complete(Cta *cta, int id) {
  Barrier bar = cta->barriers[id];
  memset(&cta->barriers[id], 0, sizeof bar);
  bool noted = false;
  check_barrier(cta);
  for (uint32_t i = 0; i < cta->warp_count; i++) {
    Warp *w = &cta->warps[i];
    for (int k = 0; k < w->slots && bar.came[i]; k++) {
      Path *p = &w->paths[k];
      if (!p->mask || p->state != PATH_BARRIER || p->barrier != id) continue;
      const Op *op = &p->frame->code->ops[p->pc];
      if (!noted) note_early_exit(cta, &bar, w, p, op->in);
      noted = true;
      if (barrier_kind(op->in->op) == BAR_RED_) write_red(p, op, &bar);
      path_advance(w, p);
      w->state = WARP_READY;
    }
  }
}

void barriers_recheck(Cta *cta) {
  for (int id = 0; id < MAX_BARRIERS; id++)
    if (cta->barriers[id].open && is_complete(cta, &cta->barriers[id])) complete(cta, id);
}

/* Something wrong with how this path comes? */
static Flow check_arrival(Warp *w, Path *p, const Op *op, const Barrier *bar) {
  const Machine *m = w->cta->m;
  if (m->set.check < GPU_CHECK_SYNC || bar->expected) return FLOW_NEXT;
  char there[120];
  if (!m->model->independent && (w->live & ~p->mask))
    return fault_raise(w, p, op->in, GPU_FAULT_BARRIER_DIVERGENCE, p->mask, advice_barrier,
                       "only lanes 0x%08x of the warp come to this barrier; lanes 0x%08x took "
                       "another path",
                       p->mask, w->live & ~p->mask);
  if (!bar->open || bar->first == op->in) return FLOW_NEXT;
  Flow flow =
      fault_raise(w, p, op->in, GPU_FAULT_BARRIER_DIVERGENCE, p->mask, advice_barrier,
                  "warp %d waits at this barrier while warp %d waits at another one, at %s", w->id,
                  bar->first_warp, fault_place(bar->first_module, bar->first, there, sizeof there));
  fault_add_place(m->faults, bar->first_module, bar->first, "the other barrier");
  return flow;
}

Flow do_barrier(Warp *w, Path *p, const Op *op, Mask m) {
  if (m != p->mask) {
    path_split_at(w, p, m);
    return FLOW_RETRY;
  }
  const uint32_t *ids = operand(p->frame, op->a);
  uint32_t id = ids[mask_first(m)];
  if (id >= MAX_BARRIERS)
    return fault_raise(w, p, op->in, GPU_FAULT_OUT_OF_BOUNDS, m, "use a barrier from 0 to 15",
                       "there is no barrier %u", id);
  Barrier *bar = &w->cta->barriers[id];
  if (op->b != OPERAND_NONE)
    bar->expected = ((const uint32_t *)operand(p->frame, op->b))[mask_first(m)];
  Flow flow = check_arrival(w, p, op, bar);
  if (flow != FLOW_NEXT) return flow;
  if (!bar->open) {
    bar->open = true;
    bar->first = op->in;
    bar->first_module = p->frame->code->fn->module;
    bar->first_warp = w->id;
  }
  bar->came[w->id] |= m;
  BarrierKind kind = barrier_kind(op->in->op);
  if (kind == BAR_RED_) {
    Mask yes = *(const Mask *)operand(p->frame, op->c) & m;
    bar->yes += (uint32_t)mask_count(yes);
    bar->no += (uint32_t)mask_count(m & ~yes);
  }
  if (kind == BAR_ARRIVE_) {
    if (is_complete(w->cta, bar)) complete(w->cta, (int)id);
    return FLOW_NEXT;
  }
  p->state = PATH_BARRIER;
  p->barrier = (int)id;
  if (is_complete(w->cta, bar)) complete(w->cta, (int)id);
  return FLOW_TURN;
}

/* ---- nothing goes on ------------------------------------------------------------------------- */

static const char *state_words(const Path *p) {
  switch (p->state) {
  case PATH_CONVERGING: return "wait to reconverge at";
  case PATH_SYNC: return "wait for other lanes at";
  case PATH_BARRIER: return "wait at the barrier at";
  default: return p->spin_seen ? "spin at" : "are held back below another path, at";
  }
}

static void describe(ErrorBuffer *e, const Cta *cta) {
  int groups = 0;
  for (uint32_t i = 0; i < cta->warp_count; i++) {
    const Warp *w = &cta->warps[i];
    for (int k = 0; k < w->slots; k++) {
      const Path *p = &w->paths[k];
      if (!p->mask) continue;
      if (groups++ == 8) error_add(e, "; and others");
      if (groups > 8) continue;
      char place[120];
      error_add(e, "; warp %d lanes 0x%08x %s %s", w->id, p->mask, state_words(p),
                fault_place(p->frame->code->fn->module, path_inst(p), place, sizeof place));
    }
  }
}

/* The path to name first, and the kind of fault that it makes. */
static Path *culprit(Cta *cta, Warp **at, gpu_fault_kind *kind) {
  Path *best = NULL;
  int rank = 0;
  bool converging = false;
  for (uint32_t i = 0; i < cta->warp_count; i++)
    for (int k = 0; k < cta->warps[i].slots; k++) {
      Path *p = &cta->warps[i].paths[k];
      if (!p->mask) continue;
      converging = converging || p->state == PATH_CONVERGING;
      int r = p->state == PATH_SYNC ? 4 : p->spin_seen ? 3 : p->state == PATH_BARRIER ? 2 : 1;
      if (r <= rank) continue;
      rank = r;
      best = p;
      *at = &cta->warps[i];
    }
  *kind = rank == 4                 ? GPU_FAULT_MASK_MISMATCH
          : rank == 2 && converging ? GPU_FAULT_BARRIER_DIVERGENCE
                                    : GPU_FAULT_DEADLOCK;
  return best;
}

/* Is there a lane that waits, for a barrier, for other lanes, or for its turn? Else all spin. */
static bool anyone_waits(const Cta *cta) {
  for (uint32_t i = 0; i < cta->warp_count; i++)
    for (int k = 0; k < cta->warps[i].slots; k++) {
      const Path *p = &cta->warps[i].paths[k];
      if (p->mask && !(p->state == PATH_READY && p->spin_seen)) return true;
    }
  return false;
}

void report_deadlock(Cta *cta) {
  Warp *w = NULL;
  gpu_fault_kind kind;
  Path *p = culprit(cta, &w, &kind);
  if (!p) return;
  bool endless = !anyone_waits(cta);
  ErrorBuffer e;
  error_init(&e);
  describe(&e, cta);
  if (endless) kind = GPU_FAULT_INSTRUCTION_LIMIT;
  const char *advice =
      endless
          ? "give the loop an end: it must change what its condition reads itself, or wait for a "
            "thread that is still there to change it"
      : kind == GPU_FAULT_BARRIER_DIVERGENCE ? advice_barrier
      : kind == GPU_FAULT_MASK_MISMATCH
          ? "name only lanes that reach this line in the mask"
          : "let the lane that others wait for go on: do the work and the release inside the loop "
            "that takes the lock, and make sure that every barrier is reached by all";
  fault_raise(w, p, path_inst(p), kind, p->mask, advice,
              endless ? "this loop would never end: each round leaves everything as it was, and no "
                        "thread is left that could change it%s"
                      : "no thread of the block can go on%s",
              e.text);
  cta->m->stopped = true;
  error_release(&e);
}
