/* exec/warpops.c - instructions in which the lanes of a warp work together.
 *
 * A `_sync` instruction names the lanes that take part. All of them have to come to it: under
 * `its` early ones wait for late ones, under `stack` the missing ones never come. */
#include <stdio.h>

#include "exec/check.h"
#include "exec/control.h"
#include "exec/fault.h"

/* ---- gathering ------------------------------------------------------------------------------- */

static const char advice_mask[] =
    "name exactly the lanes that reach this line: build the mask with __ballot_sync before the "
    "branch, or move the call out of the branch";

static const char advice_caller[] = "let the mask, which is the first argument, name every lane "
                                    "that calls: it is no filter; a lane "
                                    "that is not to take part must not call";

static Flow missing_lanes(Warp *w, Path *p, const Op *op, Mask want, Mask missing) {
  char where[400] = "";
  size_t at = 0;
  const Module *mod = p->frame->code->fn->module;
  for (int i = 0; i < w->slots; i++) {
    const Path *q = &w->paths[i];
    char place[120];
    if (q == p || !(q->mask & missing) || !q->frame || q->pc >= q->frame->code->count) continue;
    int n = snprintf(where + at, sizeof where - at, "; lanes 0x%08x %s %s", q->mask & missing,
                     q->state == PATH_READY ? "are at" : "wait at",
                     fault_place(mod, q->frame->code->ops[q->pc].in, place, sizeof place));
    if (n > 0 && at + (size_t)n < sizeof where) at += (size_t)n;
  }
  return fault_raise(w, p, op->in, GPU_FAULT_MASK_MISMATCH, missing, advice_mask,
                     "the mask 0x%08x names lanes 0x%08x, which do not come to this instruction%s",
                     want, missing, where);
}

/* Joins paths that wait at the very same instruction with the same mask. */
static void absorb(Warp *w, Path *p, Mask want) {
  for (int i = 0; i < w->slots; i++) {
    Path *q = &w->paths[i];
    if (q == p || !q->mask || q->state != PATH_SYNC || q->sync_mask != want) continue;
    if (q->pc != p->pc || q->frame != p->frame) continue;
    p->mask |= q->mask;
    q->mask = 0;
  }
}

static bool others_can_run(Warp *w, const Path *p) {
  for (int i = 0; i < w->slots; i++) {
    const Path *q = &w->paths[i];
    if (q != p && q->mask && (q->state == PATH_READY || q->state == PATH_BARRIER)) return true;
  }
  return false;
}

/* Lanes at bar.warp.sync may pair with lanes at another one. */
static Mask synced_elsewhere(const Warp *w, const Path *p, Mask want) {
  Mask m = 0;
  for (int i = 0; i < w->slots; i++) {
    const Path *q = &w->paths[i];
    if (q != p && q->mask && q->state == PATH_SYNC && q->sync_mask == want &&
        q->frame->code->ops[q->pc].in->op == OP_BAR_WARP_SYNC)
      m |= q->mask;
  }
  return m;
}

static void release_synced(Warp *w, const Path *p, Mask want) {
  for (int i = 0; i < w->slots; i++) {
    Path *q = &w->paths[i];
    if (q == p || !q->mask || q->state != PATH_SYNC || q->sync_mask != want) continue;
    if (q->frame->code->ops[q->pc].in->op != OP_BAR_WARP_SYNC) continue;
    path_advance(w, q);
  }
}

Flow gather(Warp *w, Path *p, const Op *op, Mask m, Mask want, Mask *together) {
  bool independent = w->cta->m->model->independent;
  bool checked = w->cta->m->set.check >= GPU_CHECK_SYNC;
  *together = m;
  if ((m & ~want) && checked)
    return fault_raise(w, p, op->in, GPU_FAULT_MASK_MISMATCH, m & ~want, advice_caller,
                       "lanes 0x%08x execute this with the mask 0x%08x, which leaves them out",
                       m & ~want, want);
  Mask missing = want & w->live & ~m;
  if (!missing) return FLOW_NEXT;
  if (!independent) return checked ? missing_lanes(w, p, op, want, missing) : FLOW_NEXT;
  if (m != p->mask) { /* a guard, or different masks: only `m` waits here */
    path_split_at(w, p, m);
    return FLOW_RETRY;
  }
  absorb(w, p, want);
  *together = p->mask;
  missing = want & w->live & ~p->mask;
  if (missing && op->in->op == OP_BAR_WARP_SYNC) {
    missing &= ~synced_elsewhere(w, p, want);
    if (!missing) {
      check_synced(w, want & w->live);
      release_synced(w, p, want);
    }
  }
  if (!missing) {
    p->state = PATH_READY;
    return FLOW_NEXT;
  }
  p->state = PATH_SYNC;
  p->sync_mask = want;
  if (others_can_run(w, p)) return FLOW_RETRY;
  if (op->in->op == OP_BAR_WARP_SYNC && w->cta->m->model->give_way(w, p)) return FLOW_RETRY;
  if (!checked) {
    p->state = PATH_READY;
    return FLOW_NEXT;
  }
  return missing_lanes(w, p, op, want, missing);
}

void syncs_recheck(Warp *w) {
  for (int i = 0; i < w->slots; i++) {
    Path *p = &w->paths[i];
    if (!p->mask || p->state != PATH_SYNC) continue;
    Mask there = p->mask | synced_elsewhere(w, p, p->sync_mask);
    for (int k = 0; k < w->slots; k++) {
      const Path *q = &w->paths[k];
      if (q->mask && q->state == PATH_SYNC && q->pc == p->pc && q->frame == p->frame)
        there |= q->mask;
    }
    if (!(p->sync_mask & w->live & ~there)) p->state = PATH_READY;
  }
}

/* Calls gather for the lanes that share the first active lane's mask. Old text has no mask (want is
 * NULL): then the active lanes take part. */
static Flow gather_first(Warp *w, Path *p, const Op *op, Mask m, const uint32_t *want,
                         Mask *together, Mask *member) {
  *together = *member = m;
  if (!want) return FLOW_NEXT;
  *member = want[mask_first(m)];
  Mask same = 0;
  FOR_LANES(l, m) same |= want[l] == *member ? 1u << l : 0;
  return gather(w, p, op, same, *member, together);
}

/* Runs `body` for each group of lanes with a mask of its own. */
typedef Flow (*GroupFn)(Warp *w, Path *p, const Op *op, Mask group, Mask member);

static Flow each_group(Warp *w, Path *p, const Op *op, Mask m, uint32_t mask_at, GroupFn body) {
  bool whole = m == p->mask;
  while (m) {
    const uint32_t *want = mask_at == OPERAND_NONE ? NULL : operand(p->frame, mask_at);
    Mask group, member;
    Flow flow = gather_first(w, p, op, m, want, &group, &member);
    if (flow != FLOW_NEXT) return flow;
    if (whole) m |= p->mask; /* lanes that waited here have joined */
    if (want) check_synced(w, group);
    flow = body(w, p, op, group, member);
    if (flow != FLOW_NEXT) return flow;
    m &= ~group;
    whole = false;
  }
  return FLOW_NEXT;
}

/* ---- shuffle --------------------------------------------------------------------------------- */

static int shfl_source(ModValue mode, int lane, int b, uint32_t c, bool *inside) {
  int clamp = (int)(c & 31), segmask = (int)(c >> 8 & 31);
  int max_lane = (lane & segmask) | (clamp & ~segmask), min_lane = lane & segmask;
  int j;
  switch (mode) {
  case MOD_SHFL_UP:
    j = lane - b;
    *inside = j >= max_lane;
    break;
  case MOD_SHFL_DOWN:
    j = lane + b;
    *inside = j <= max_lane;
    break;
  case MOD_SHFL_BFLY:
    j = lane ^ b;
    *inside = j <= max_lane;
    break;
  default: j = min_lane | (b & ~segmask); *inside = j <= max_lane;
  }
  return *inside ? j : lane;
}

/* shfl's c holds 32 - width in bits 8 to 12, and 0 or 31 in the low bits. */
static bool width_ok(uint32_t c) {
  uint32_t width = 32 - (c >> 8 & 31);
  return !(c & ~0x1f1fu) && !(width & (width - 1)) && ((c & 31) == 0 || (c & 31) == 31);
}

static Flow check_width(Warp *w, Path *p, const Op *op, Mask group) {
  const uint32_t *c = operand(p->frame, op->c);
  Mask bad = 0;
  if (w->cta->m->set.check < GPU_CHECK_SYNC) return FLOW_NEXT;
  FOR_LANES(l, group) bad |= width_ok(c[l]) ? 0 : 1u << l;
  if (!bad) return FLOW_NEXT;
  return fault_raise(w, p, op->in, GPU_FAULT_BAD_WIDTH, bad, "use a width of 1, 2, 4, 8, 16 or 32",
                     "the shuffle's width is %d, which is no power of two from 1 to 32",
                     32 - (int)(c[mask_first(bad)] >> 8));
}

static Flow shfl_group(Warp *w, Path *p, const Op *op, Mask group, Mask member) {
  (void)member;
  const Frame *f = p->frame;
  const uint32_t *a = operand(f, op->a), *b = operand(f, op->b), *c = operand(f, op->c);
  uint32_t value[WARP_SIZE];
  Mask inside = 0, undefined = 0;
  int bad_source = -1;
  Flow width = check_width(w, p, op, group);
  if (width != FLOW_NEXT) return width;
  FOR_LANES(l, group) {
    bool in;
    int j = shfl_source(op->in->mod[MC_SHFL], l, (int)(b[l] & 31), c[l], &in);
    value[l] = a[j];
    if (in) inside |= 1u << l;
    if (!mask_has(group, j)) {
      if (!undefined) bad_source = j;
      undefined |= 1u << l;
    }
  }
  if (undefined && w->cta->m->set.check >= GPU_CHECK_SYNC) {
    Flow flow = fault_raise(
        w, p, op->in, GPU_FAULT_SHFL_INACTIVE_LANE, undefined,
        "read only from lanes that execute the shuffle, too: let all lanes of the source take "
        "part, and guard the use of the result instead",
        "lane %d reads from lane %d, which does not take part in the shuffle (lanes 0x%08x do)",
        mask_first(undefined), bad_source, group);
    if (flow != FLOW_NEXT) return flow;
  }
  uint32_t *d = operand(f, op->d);
  FOR_LANES(l, group) d[l] = value[l];
  if (op->p != OPERAND_NONE) {
    Mask *q = operand(f, op->p);
    *q = (*q & ~group) | inside;
  }
  return FLOW_NEXT;
}

Flow do_shfl(Warp *w, Path *p, const Op *op, Mask m) {
  return each_group(w, p, op, m, op->e, shfl_group);
}

/* ---- vote, match, redux ---------------------------------------------------------------------- */

static void put_mask(const Frame *f, uint32_t at, Mask lanes, bool value) {
  Mask *d = operand(f, at);
  *d = value ? *d | lanes : *d & ~lanes;
}

static void put_lanes(const Frame *f, uint32_t at, Mask lanes, uint32_t value) {
  uint32_t *d = operand(f, at);
  FOR_LANES(l, lanes) d[l] = value;
}

static Flow vote_group(Warp *w, Path *p, const Op *op, Mask group, Mask member) {
  (void)w, (void)member;
  Mask yes = *(const Mask *)operand(p->frame, op->a) & group;
  switch (op->in->mod[MC_VOTE]) {
  case MOD_VOTE_BALLOT: put_lanes(p->frame, op->d, group, yes); break;
  case MOD_VOTE_ANY: put_mask(p->frame, op->d, group, yes != 0); break;
  case MOD_VOTE_ALL: put_mask(p->frame, op->d, group, yes == group); break;
  default: put_mask(p->frame, op->d, group, yes == 0 || yes == group);
  }
  return FLOW_NEXT;
}

Flow do_vote(Warp *w, Path *p, const Op *op, Mask m) {
  return each_group(w, p, op, m, op->b, vote_group);
}

static Flow match_group(Warp *w, Path *p, const Op *op, Mask group, Mask member) {
  (void)member;
  const Frame *f = p->frame;
  bool wide = type_lane_bytes(op->in->type) == 8;
  uint64_t key[WARP_SIZE] = {0};
  uint32_t result[WARP_SIZE] = {0};
  FOR_LANES(l, group)
  key[l] =
      wide ? ((const uint64_t *)operand(f, op->a))[l] : ((const uint32_t *)operand(f, op->a))[l];
  bool all = true;
  uint32_t values = 0;
  FOR_LANES(l, group) {
    result[l] = 0;
    FOR_LANES(k, group) if (key[k] == key[l]) result[l] |= 1u << k;
    all = all && result[l] == group;
    values += mask_first(result[l]) == l;
  }
  uint32_t *d = operand(f, op->d);
  bool want_all = op->in->mod[MC_VOTE] == MOD_VOTE_ALL;
  if (w->cta->m->watch) w->cta->m->watch->groups = want_all ? 1 : values;
  FOR_LANES(l, group) d[l] = want_all && !all ? 0 : result[l];
  if (op->p != OPERAND_NONE) put_mask(f, op->p, group, all);
  return FLOW_NEXT;
}

Flow do_match(Warp *w, Path *p, const Op *op, Mask m) {
  return each_group(w, p, op, m, op->b, match_group);
}

static uint32_t redux_pair(ModValue how, bool is_signed, uint32_t x, uint32_t y) {
  switch (how) {
  case MOD_ATOM_ADD: return x + y;
  case MOD_ATOM_AND: return x & y;
  case MOD_ATOM_OR: return x | y;
  case MOD_ATOM_XOR: return x ^ y;
  case MOD_ATOM_MIN: return (is_signed ? (int32_t)x < (int32_t)y : x < y) ? x : y;
  default: return (is_signed ? (int32_t)x > (int32_t)y : x > y) ? x : y;
  }
}

static Flow redux_group(Warp *w, Path *p, const Op *op, Mask group, Mask member) {
  (void)member;
  if (op->in->type == TY_F32) return do_unsupported(w, p, op, group);
  const uint32_t *a = operand(p->frame, op->a);
  int first = mask_first(group);
  uint32_t r = a[first];
  FOR_LANES(l, group & ~(1u << first))
  r = redux_pair(op->in->mod[MC_ATOM], type_is_signed(op->in->type), r, a[l]);
  put_lanes(p->frame, op->d, group, r);
  return FLOW_NEXT;
}

Flow do_redux(Warp *w, Path *p, const Op *op, Mask m) {
  return each_group(w, p, op, m, op->b, redux_group);
}

static Flow elect_group(Warp *w, Path *p, const Op *op, Mask group, Mask member) {
  (void)w, (void)member;
  int leader = mask_first(group);
  if (op->in->operand[0].kind == OPND_REG) put_lanes(p->frame, op->d, group, (uint32_t)leader);
  if (op->p != OPERAND_NONE) {
    put_mask(p->frame, op->p, group, false);
    put_mask(p->frame, op->p, 1u << leader, true);
  }
  return FLOW_NEXT;
}

Flow do_elect(Warp *w, Path *p, const Op *op, Mask m) {
  return each_group(w, p, op, m, op->a, elect_group);
}

static Flow nothing_more(Warp *w, Path *p, const Op *op, Mask group, Mask member) {
  (void)w, (void)p, (void)op, (void)group, (void)member;
  return FLOW_NEXT;
}

Flow do_warp_sync(Warp *w, Path *p, const Op *op, Mask m) {
  return each_group(w, p, op, m, op->a, nothing_more);
}

Flow do_activemask(Warp *w, Path *p, const Op *op, Mask m) {
  (void)w;
  put_lanes(p->frame, op->d, m, m);
  return FLOW_NEXT;
}
