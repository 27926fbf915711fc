/* exec/run.c - the executor's loop: pick a path, run its instructions, until it waits or ends. */
#include <stdlib.h>
#include <string.h>

#include "exec/control.h"
#include "exec/exec.h"
#include "exec/fault.h"

enum {
  SPIN_FIRST_LOOK = 256,  /* back edges before a path is watched for spinning */
  SPIN_NEXT_LOOK = 8,     /* the same, in a warp that has spun before */
  SLICE = 1 << 20,        /* instructions after which a path gives way to waiting ones */
  ADVERSARIAL_SLICE = 12, /* longest run of a path under a random schedule */
};

/* ---- operands that must be made -------------------------------------------------------------- */

static void run_step(Warp *w, Frame *f, const Step *s) {
  void *to = operand(f, s->to);
  if (s->fn) {
    LaneExtra x = {0};
    s->fn(to, operand(f, s->from), NULL, NULL, FULL_MASK, &x);
  } else if (s->sreg) {
    special_fill(w, s->sreg, to);
  } else if (s->frame_address) {
    for (int l = 0; l < WARP_SIZE; l++) ((uint64_t *)to)[l] = f->local_base + s->value;
  } else {
    *(Mask *)to = ~*(const Mask *)operand(f, s->from);
  }
}

static NO_INLINE void steps_before(Warp *w, Frame *f, const Op *op) {
  for (int i = 0; i < op->steps->before_count; i++) run_step(w, f, &op->steps->before[i]);
}

static NO_INLINE void step_after(Frame *f, const Op *op, Mask m) {
  const Step *s = &op->steps->after;
  LaneExtra x = {0};
  if (op->steps->has_after) s->fn(operand(f, s->to), operand(f, s->from), NULL, NULL, m, &x);
}

/* Arithmetic with a fourth source, a second destination, the carry, or odd operand widths. */
static NO_INLINE void lanes_slow(Warp *w, Path *p, const Op *op, Mask m) {
  Frame *f = p->frame;
  if (op->flags & OPF_TEMP) steps_before(w, f, op);
  LaneExtra x = {.in = op->in, .e = operand_or_null(f, op->e), .imm = op->imm};
  x.p = op->p != OPERAND_NONE ? operand(f, op->p) : &w->carry;
  if (op->p == OPERAND_NONE && (op->in->op == OP_SETP || op->in->op == OP_LOP3)) x.p = NULL;
  op->lanes(operand_or_null(f, op->d), operand_or_null(f, op->a), operand_or_null(f, op->b),
            operand_or_null(f, op->c), m, &x);
  if (op->flags & OPF_TEMP) step_after(f, op, m);
  if (x.zero_divide && w->cta->m->set.check >= GPU_CHECK_SYNC)
    fault_note(w, p, op->in, GPU_FAULT_DIVIDE_BY_ZERO, x.zero_divide,
               "test the divisor before dividing; the result is unspecified",
               "integer division by zero");
}

/* ---- spinning -------------------------------------------------------------------------------- */

/* A function without registers has no bytes to compare or keep, and no pointer to them. */
static bool watch_matches(const SpinWatch *s, const Path *p, uint64_t version) {
  size_t bytes = p->frame->code->temp;
  return s->frame == p->frame && s->pc == p->pc && s->mask == p->mask && s->version == version &&
         (bytes == 0 || memcmp(s->regs, p->frame->regs, bytes) == 0);
}

static void watch_renew(SpinWatch *s, const Path *p, uint64_t version) {
  size_t bytes = p->frame->code->temp;
  if (bytes > s->capacity) {
    uint8_t *regs = realloc(s->regs, bytes);
    if (!regs) return;
    s->regs = regs;
    s->capacity = bytes;
  }
  if (bytes) memcpy(s->regs, p->frame->regs, bytes);
  s->frame = p->frame;
  s->pc = p->pc;
  s->mask = p->mask;
  s->version = version;
  s->span =
      s->span < 1024 ? 2 * s->span + 1 : s->span; /* Brent: longer and longer cycles are found */
  s->left = s->span;
}

/* At a back edge: has the path come back to a state that it was in, with memory unchanged? Then
 * nothing but another path or warp can free it. */
static bool spins(Warp *w, Path *p) {
  if (++w->backs < (w->spun ? SPIN_NEXT_LOOK : SPIN_FIRST_LOOK)) return false;
  uint64_t version = w->cta->m->memory.version;
  if (watch_matches(&w->watch, p, version)) {
    w->spun = true;
    p->spin_seen = version + 1;
    return true;
  }
  if (w->watch.left-- == 0 || w->watch.version != version || w->watch.frame != p->frame)
    watch_renew(&w->watch, p, version);
  return false;
}

/* ---- the loop -------------------------------------------------------------------------------- */

/* The path jumped: p->pc is where it is now. True: it goes on. */
static inline bool after_jump(Warp *w, Path *p, int32_t from) {
  if (p->pc > from) return true;
  return !spins(w, p);
}

static uint64_t run_path(Warp *w, Path *p, uint64_t budget) {
  Machine *m = w->cta->m;
  LaneExtra x = {0};
  Frame *f = p->frame;
  const Op *ops = f->code->ops;
  int32_t pc = p->pc;
  Mask mask = p->mask;
  uint64_t n = 0, lanes = 0, off = 0;
  unsigned width = (unsigned)mask_count(mask);

  while (n < budget) {
    const Op *op = &ops[pc];
    Mask g = op_guard(f, op, mask);
    n++;
    m->issued++;
    lanes += width;
    if (UNLIKELY(m->watch != NULL)) {
      m->watch->op = op;
      m->watch->frame = f;
      m->watch->active = mask;
      m->watch->lanes = op->flags & OPF_CONTROL ? mask : g;
      m->watch->accessed = 0;
      m->watch->groups = 1;
    }
    if (UNLIKELY(g != mask && !(op->flags & OPF_CONTROL))) off += width - (unsigned)mask_count(g);
    if (LIKELY(op->lanes != NULL)) {
      if (LIKELY(!(op->flags & (OPF_EXTRA | OPF_TEMP)))) {
        if (g)
          op->lanes(operand(f, op->d), operand(f, op->a), operand(f, op->b), operand(f, op->c), g,
                    &x);
      } else if (g) {
        lanes_slow(w, p, op, g);
      }
      pc++;
    } else {
      p->pc = pc;
      Flow flow = FLOW_NEXT;
      if (op->flags & OPF_CONTROL) g = mask;
      if (g) {
        if (op->flags & OPF_TEMP) steps_before(w, f, op);
        flow = op->exec(w, p, op, g);
      }
      if (LIKELY(flow == FLOW_NEXT)) {
        if (op->flags & OPF_TEMP) step_after(f, op, g);
        pc++;
      } else if (flow == FLOW_JUMP) {
        if (!after_jump(w, p, pc)) {
          m->model->give_way(w, p);
          break;
        }
        f = p->frame;
        ops = f->code->ops;
        pc = p->pc;
      } else {
        if (flow == FLOW_RETRY) {
          n--;
          m->issued--;
          lanes -= width;
        }
        break;
      }
      if (p->mask != mask) {
        mask = p->mask;
        width = (unsigned)mask_count(mask);
      }
    }
    p->pc = pc;
    if (ops[pc].flags & OPF_JOIN) {
      if (!m->model->arrive(w, p)) break;
      mask = p->mask;
      width = (unsigned)mask_count(mask);
      pc = p->pc;
    }
  }
  m->stats.warp_instructions += n;
  m->stats.thread_instructions += lanes;
  m->stats.predicated_off += off;
  return n;
}

static void set_idle_state(Warp *w) {
  w->state = WARP_DONE;
  if (!w->live) return;
  w->state = WARP_WAITING;
  for (int i = 0; i < w->slots; i++)
    if (w->paths[i].mask && w->paths[i].state == PATH_READY) w->state = WARP_SPINNING;
}

/* Time for the path that ran `slice` instructions on end to let others run, too. */
static void end_slice(Warp *w, Path *p) {
  w->slice = 0;
  if (p->mask && p->state == PATH_READY) w->cta->m->model->give_way(w, p);
}

uint64_t warp_run(Warp *w, uint64_t budget) {
  Machine *m = w->cta->m;
  uint64_t done = 0;
  w->state = WARP_READY;
  while (done < budget && !m->stopped) {
    Path *p = m->model->pick(w);
    if (!p) {
      set_idle_state(w);
      break;
    }
    if (p != w->current) {
      w->current = p;
      w->slice = w->backs = 0;
      w->watch.frame = NULL;
      w->watch.span = 0;
    }
    uint64_t slice = budget - done;
    if (m->set.schedule_seed) {
      uint64_t most = 1 + random_next(m) % ADVERSARIAL_SLICE;
      if (slice > most) slice = most;
    } else if (slice > SLICE) {
      slice = SLICE;
    }
    uint64_t n = run_path(w, p, slice);
    done += n;
    w->slice += n;
    if (w->slice >= SLICE) end_slice(w, p);
  }
  return done;
}

void path_advance(Warp *w, Path *p) {
  p->state = PATH_READY;
  p->pc++;
  if (p->frame->code->ops[p->pc].flags & OPF_JOIN) w->cta->m->model->arrive(w, p);
}

uint64_t random_next(Machine *m) { /* splitmix64 */
  uint64_t z = m->random += 0x9e3779b97f4a7c15ull;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ z >> 27) * 0x94d049bb133111ebull;
  return z ^ z >> 31;
}
