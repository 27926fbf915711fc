/* exec/its.c - independent thread scheduling (Volta and later).
 *
 * Every path may run at any time. Where lanes part, a Convergence names the lanes that should meet
 * at the immediate post-dominator, as the convergence barriers do that a compiler places there
 * (BSSY and BSYNC in machine code). A path that comes there waits for the other members. It is not
 * bound to: when the others only spin, or have run very long, the waiting lanes are let go, so that
 * every lane makes progress. By default the path that is first in source order runs until it waits;
 * a seed makes an adversarial schedule instead, which splits and interleaves paths at random. */
#include <string.h>

#include "exec/control.h"

Path *path_new(Warp *w) {
  for (int i = 0; i < w->slots; i++)
    if (!w->paths[i].mask) return &w->paths[i];
  return &w->paths[w->slots++]; /* a path has a lane, and there are more slots than lanes */
}

void path_part(Warp *w, Path *p, int n, const int32_t *target, const Mask *part, Path **paths) {
  Path at = *p;
  p->mask = 0;
  for (int i = 0; i < n; i++) {
    paths[i] = path_new(w);
    *paths[i] = at;
    paths[i]->pc = target[i];
    paths[i]->mask = part[i];
  }
}

/* Under an adversarial schedule: now and then a path falls apart for no reason. */
static void split_at_random(Warp *w, Path *p) {
  uint64_t r = random_next(w->cta->m);
  Mask part = p->mask & (Mask)(r >> 16);
  if (r % 8 || part == 0 || part == p->mask) return;
  Path *q = path_new(w);
  *q = *p;
  q->mask = part;
  p->mask &= ~part;
}

static bool release_waiting(Warp *w, const Path *p);

static Path *pick_at_random(Warp *w) {
  Path *ready[MAX_PATHS];
  int n = 0;
  for (int i = 0; i < w->slots; i++)
    if (path_can_run(w, &w->paths[i])) ready[n++] = &w->paths[i];
  if (n == 0) return NULL;
  Path *p = ready[random_next(w->cta->m) % (uint64_t)n];
  if (random_next(w->cta->m) % 64 == 0) release_waiting(w, p); /* nobody waits for ever */
  split_at_random(w, p);
  return p;
}

static bool runs_before(const Path *a, const Path *b) {
  if (a->turn != b->turn) return a->turn < b->turn;
  return a->pc < b->pc;
}

/* Paths that are ready at the very same instruction go on as one, as on the H200: lanes that left a
 * loop in different rounds run what is behind their `break` together. */
static void absorb_ready(Warp *w, Path *p) {
  for (int i = 0; i < w->slots; i++) {
    Path *q = &w->paths[i];
    if (q == p || !path_can_run(w, q) || q->pc != p->pc || q->frame != p->frame) continue;
    p->mask |= q->mask;
    q->mask = 0;
  }
}

static Path *its_pick(Warp *w) {
  if (w->cta->m->set.schedule_seed) return pick_at_random(w);
  if (w->current && path_can_run(w, w->current)) return w->current;
  Path *best = NULL;
  for (int i = 0; i < w->slots; i++)
    if (path_can_run(w, &w->paths[i]) && (!best || runs_before(&w->paths[i], best)))
      best = &w->paths[i];
  if (best) absorb_ready(w, best);
  return best;
}

/* ---- convergence ----------------------------------------------------------------------------- */

static void forget_join(Warp *w, int i) {
  w->join_count--;
  memmove(&w->joins[i], &w->joins[i + 1], (size_t)(w->join_count - i) * sizeof w->joins[0]);
}

static bool waits_at(const Path *p, const Convergence *j) {
  return p->mask && p->state == PATH_CONVERGING && p->frame == j->frame && p->pc == j->pc &&
         (p->mask & j->members);
}

/* Lanes that wait at the join. */
static Mask waiting_at(const Warp *w, const Convergence *j) {
  Mask m = 0;
  for (int i = 0; i < w->slots; i++)
    if (waits_at(&w->paths[i], j)) m |= w->paths[i].mask;
  return m;
}

/* Makes one path of all that wait at join i, and forgets the join. */
static Path *merge_at(Warp *w, int i) {
  Convergence j = w->joins[i];
  Path *all = NULL;
  for (int k = 0; k < w->slots; k++) {
    Path *p = &w->paths[k];
    if (!waits_at(p, &j)) continue;
    if (!all) {
      all = p;
    } else {
      all->mask |= p->mask;
      p->mask = 0;
    }
  }
  forget_join(w, i);
  if (all) {
    all->state = PATH_READY;
    all->spin_seen = 0;
  }
  return all;
}

/* The innermost join at p's place that expects one of its lanes, or -1. */
static int join_for(const Warp *w, const Path *p) {
  for (int i = w->join_count - 1; i >= 0; i--)
    if (w->joins[i].frame == p->frame && w->joins[i].pc == p->pc && (w->joins[i].members & p->mask))
      return i;
  return -1;
}

static void recheck_joins(Warp *w);

static bool its_arrive(Warp *w, Path *p) {
  Path *self = p;
  for (int i; (i = join_for(w, p)) >= 0;) {
    Convergence *j = &w->joins[i];
    if (w->cta->m->set.schedule_seed && random_next(w->cta->m) % 2) {
      j->members &= ~p->mask; /* convergence is never promised */
      recheck_joins(w);       /* the others may now be complete */
      continue;
    }
    j->members |= p->mask;
    p->state = PATH_CONVERGING;
    if (j->members & ~waiting_at(w, j)) return false;
    p = merge_at(w, i);
  }
  return p == self && p->state == PATH_READY;
}

/* A join may have become complete because lanes left or were let go. */
static void recheck_joins(Warp *w) {
  for (int i = w->join_count - 1; i >= 0; i--) {
    Convergence *j = &w->joins[i];
    Mask waiting = waiting_at(w, j);
    if (j->members & ~waiting) continue;
    Path *p = waiting ? merge_at(w, i) : (forget_join(w, i), NULL);
    if (p) its_arrive(w, p); /* an outer join may be at the same place */
    if (i > w->join_count) i = w->join_count;
  }
}

static void add_join(Warp *w, Frame *frame, int32_t pc, Mask members) {
  for (int i = w->join_count - 1; i >= 0;
       i--) { /* a loop's exit: the first round's join serves all */
    const Convergence *j = &w->joins[i];
    if (j->frame == frame && j->pc == pc && !(members & ~j->members)) return;
  }
  if (w->join_count == MAX_CONVERGENCES) {
    w->joins[0].members = 0;
    recheck_joins(w);
    if (w->join_count == MAX_CONVERGENCES) forget_join(w, 0);
  }
  w->joins[w->join_count++] = (Convergence){frame, pc, members};
}

static void its_diverge(Warp *w, Path *p, int n, const int32_t *target, const Mask *part,
                        int32_t rpc) {
  Path at = *p;
  Path *paths[WARP_SIZE + 1];
  bool leaves = rpc == at.frame->code->count && !at.frame->caller; /* they never meet again */
  if (!leaves) add_join(w, at.frame, rpc, at.mask);
  path_part(w, p, n, target, part, paths);
  for (int i = 0; i < n; i++)
    if (at.frame->code->ops[target[i]].flags & OPF_JOIN && target[i] != at.pc)
      its_arrive(w, paths[i]);
}

static void its_leave(Warp *w, Path *p, Mask gone) {
  (void)p;
  for (int i = 0; i < w->join_count; i++) w->joins[i].members &= ~gone;
  recheck_joins(w);
}

/* ---- progress -------------------------------------------------------------------------------- */

/* Lets the lanes go that wait for lanes of `p` at a reconvergence point. */
static bool release_waiting(Warp *w, const Path *p) {
  bool any = false;
  for (int i = 0; i < w->join_count; i++) {
    Convergence *j = &w->joins[i];
    if (!(j->members & p->mask)) continue;
    for (int k = 0; k < w->slots; k++) {
      Path *q = &w->paths[k];
      if (q == p || !waits_at(q, j)) continue;
      j->members &= ~q->mask;
      q->state = PATH_READY;
      q->turn = ++w->turn;
      any = true;
    }
  }
  return any;
}

static bool its_give_way(Warp *w, Path *p) {
  p->turn = ++w->turn;
  w->current = NULL;
  for (int i = 0; i < w->slots; i++)
    if (&w->paths[i] != p && path_can_run(w, &w->paths[i])) return true;
  return release_waiting(w, p);
}

const DivergenceModel model_its = {.name = "its",
                                   .pick = its_pick,
                                   .diverge = its_diverge,
                                   .arrive = its_arrive,
                                   .leave = its_leave,
                                   .give_way = its_give_way,
                                   .independent = true};
