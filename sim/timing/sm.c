/* timing/sm.c - the cycle loop of an SM. */
#include "timing/sm.h"

#include <string.h>

#include "exec/control.h"

const char *stall_name(Stall s) {
  static const char *const names[] = {
#define X(name, text, meaning) text,
#include "timing/stall.def"
#undef X
  };
  return names[s];
}

const char *stall_meaning(Stall s) {
  static const char *const meanings[] = {
#define X(name, text, meaning) meaning,
#include "timing/stall.def"
#undef X
  };
  return meanings[s];
}

/* ---- set up ---------------------------------------------------------------------------------- */

bool sm_init(Sm *sm, int id, Machine *m, const Arch *arch, Hierarchy *h, Arena *arena,
             uint64_t shared_bytes, uint32_t registers) {
  *sm = (Sm){.id = id, .m = m, .arch = arch, .scoreboard = registers + 1};
  if (!sm_memory_init(&sm->memory, h, shared_bytes)) return false;
  sm->core_count = arch->sub_cores ? (int)arch->sub_cores : 1;
  sm->warp_slots = arch->max_warps_per_sm;
  sm->warps = ARENA_ARRAY(arena, SmWarp, sm->warp_slots);
  sm->code_lines = arch->icache_l0 / arch->icache_line;
  for (int i = 0; i < sm->core_count; i++) {
    sm->cores[i] = (SubCore){.sm = sm, .id = i, .next = NEVER};
    sm->cores[i].code_tags = ARENA_ARRAY(arena, uint32_t, sm->code_lines + 1);
  }
  for (uint32_t i = 0; i < sm->warp_slots; i++) {
    sm->warps[i].slot = i;
    sm->warps[i].core = &sm->cores[(int)i % sm->core_count];
    sm->warps[i].there = ARENA_ARRAY(arena, uint64_t, sm->scoreboard);
    sm->warps[i].cause = ARENA_ARRAY(arena, uint8_t, sm->scoreboard);
    sm->warps[i].loaded_for = ARENA_ARRAY(arena, const Slot *, sm->scoreboard);
  }
  return true;
}

void sm_release(Sm *sm) { sm_memory_release(&sm->memory); }

/* ---- accounts -------------------------------------------------------------------------------- */

static void account_warp(Sm *sm, SmWarp *w, Stall why, uint64_t until) {
  if (until <= w->since) return;
  sm->counters.warp_cycles[why] += until - w->since;
  w->since = until;
}

static void account_core(SubCore *c, Stall why, uint64_t until) {
  if (until <= c->accounted) return;
  c->sm->counters.slot_cycles[why] += until - c->accounted;
  c->accounted = until;
}

/* ---- what a warp does next ------------------------------------------------------------------- */

static const Assembly *assembly_of(const Frame *f) {
  return f->code->fn->timing; // NOLINT(clang-analyzer-core.NullDereference): a path has a frame
}

static void clear_scoreboard(SmWarp *w, Frame *f) {
  w->frame = f;
  w->last = 0;
  size_t n = f->code->fn->reg_count;
  memset(w->there, 0, n * sizeof *w->there);
  memset(w->cause, 0, n * sizeof *w->cause);
}

/* The path that would run: the current one as long as it can, without asking the model. */
static const Path *path_of(Warp *w) {
  const Path *p = w->current;
  if (p && p->mask && p->state == PATH_READY && !p->spin_seen && w->cta->m->model->independent)
    return p;
  return w->cta->m->model->pick(w);
}

static void set_there(SmWarp *w, uint32_t reg, uint64_t at, Stall cause) {
  w->there[reg] = at;
  w->cause[reg] = (uint8_t)cause;
  if (at > w->last) w->last = at;
}

/* The cycle at which the instruction's code is there: the fetch unit reads ahead along straight
 * code; behind a branch, a line that the sub-core's cache lacks has to be fetched. */
static uint64_t fetch(SmWarp *w, const Assembly *as, int32_t pc, uint64_t now) {
  SubCore *core = w->core;
  const Sm *sm = core->sm;
  const Arch *a = sm->arch;
  if (sm->code_lines == 0) return now;
  uint64_t byte = (uint64_t)(as->base + as->address[pc]) * a->instruction_bytes;
  uint32_t line = (uint32_t)(byte / a->icache_line);
  if (w->code_line == line + 1) return now;
  uint32_t *tag = &core->code_tags[line % sm->code_lines];
  bool follows = w->streaming && line == w->code_line;
  bool there = *tag == line + 1;
  *tag = line + 1;
  w->code_line = line + 1;
  w->streaming = true;
  if (there) return now;
  bool small = as->size * a->instruction_bytes <= a->icache_l1;
  if (follows && small) return now;
  uint64_t came = follows ? w->line_there + (uint64_t)a->interval_fetch_l2
                          : now + (uint64_t)(small ? a->latency_fetch_l1 : a->latency_fetch_l2);
  w->line_there = came > now ? came : now;
  return w->line_there;
}

/* Parameters that the warp loads into registers here: each takes an issue slot. In a loop they are
 * loaded once, before it; another stretch of code loads them again. */
static void load_constants(Sm *sm, SmWarp *w, const Slot *s) {
  const Arch *a = sm->arch;
  for (uint32_t i = 0; i < s->load_count; i++) {
    const ConstantLoad *l = &s->loads[i];
    if (w->there[l->root] && w->loaded_for[l->root] == s) continue;
    w->loaded_for[l->root] = s;
    uint64_t bit = 1ull << l->line % 64;
    uint64_t at = sm->constant_free > w->floor ? sm->constant_free : w->floor;
    sm->constant_free = at + (uint64_t)a->interval_constant;
    double latency = sm->constant_lines & bit ? a->latency_parameter : a->latency_constant_miss;
    sm->constant_lines |= bit;
    set_there(w, l->root, at + (uint64_t)latency, STALL_SHORT);
    set_there(w, l->reg, at + (uint64_t)latency, STALL_SHORT);
    w->floor++;
  }
}

/* Sets when the warp's next instruction has what it needs, and what it waits for until then. */
static void find_ready(SmWarp *w, const Assembly *as, int32_t pc) {
  const Slot *s = w->cost;
  uint64_t ready = w->floor;
  w->why = w->floor_why;
  for (int i = 0; i < s->source_count; i++) {
    uint64_t at = w->there[s->sources[i].reg] + s->sources[i].extra;
    if (at <= ready) continue;
    ready = at;
    w->why = (Stall)w->cause[s->sources[i].reg];
  }
  for (int i = 0; i < s->dest_count; i++)
    if (w->there[s->dests[i]] > ready && w->cause[s->dests[i]] == STALL_LONG) {
      ready = w->there[s->dests[i]];
      w->why = STALL_LONG;
    }
  if (s->drains && w->last > ready) {
    ready = w->last;
    w->why = STALL_LONG;
  }
  uint64_t fetched = fetch(w, as, pc, w->floor);
  if (fetched > ready) {
    ready = fetched;
    w->why = STALL_NO_INSTRUCTION;
  }
  w->ready = ready;
}

static SmEvent event_of(const Sm *sm, const SmWarp *w, int32_t pc, uint64_t cycle, bool folded) {
  uint64_t since = folded ? cycle : w->since, ready = folded ? cycle : later(w->ready, since);
  return (SmEvent){.sm = sm,
                   .warp = w,
                   .did = &sm->did,
                   .pc = pc,
                   .cycle = cycle,
                   .since = since,
                   .why = folded ? STALL_SELECTED : w->why,
                   .ready = ready,
                   .throttle = w->throttle,
                   .turn = folded ? cycle : later(w->turn, ready),
                   .folded = folded};
}

/* An instruction that is part of others: it is executed at once, and its result is there when its
 * operands are. */
static void run_folded(SmWarp *w, const Assembly *as, const Slot *s, int32_t pc) {
  Sm *sm = w->core->sm;
  uint64_t at = 0;
  Stall cause = STALL_WAIT;
  for (int i = 0; i < s->source_count; i++) {
    uint32_t reg = s->sources[i].reg;
    if (w->there[reg] <= at) continue;
    at = w->there[reg];
    cause = (Stall)w->cause[reg];
  }
  sm->m->cycle = w->floor;
  const Path *before = w->warp->current;
  uint64_t parted = sm->m->stats.divergent_branches;
  warp_run(w->warp, 1);
  sm->counters.instructions++;
  if (sm->watch) {
    SmEvent e = event_of(sm, w, pc, w->floor, true);
    e.diverged = sm->m->stats.divergent_branches != parted;
    sm->watch(sm->watch_context, &e);
  }
  for (int i = 0; i < s->dest_count; i++) set_there(w, s->dests[i], at, cause);
  if (!s->predicated || !before) return;
  /* All lanes jumped: what they skip still passes through, switched off. */
  const Path *after = path_of(w->warp);
  if (after && after->frame == w->frame && after->pc > pc + 1)
    w->skipped += as->address[after->pc] - as->address[pc + 1];
}

static void find_next(SmWarp *w) {
  Sm *sm = w->core->sm;
  w->next = NULL;
  while (!sm->m->stopped) {
    const Path *p = path_of(w->warp);
    if (!p) {
      warp_run(w->warp, 1); /* runs nothing: says why */
      sm->spinning |= w->warp->state == WARP_SPINNING;
      return;
    }
    if (p->frame != w->frame) clear_scoreboard(w, p->frame);
    const Assembly *as = assembly_of(p->frame);
    const Slot *s = &as->slots[p->pc];
    if (s->load_count) load_constants(sm, w, s);
    if (s->issues == 0) {
      run_folded(w, as, s, p->pc);
      continue;
    }
    w->next = &p->frame->code->ops[p->pc];
    w->cost = s;
    find_ready(w, as, p->pc);
    return;
  }
}

/* Finds the warp's next instruction that takes an issue slot, running the folded ones before it. */
static void prepare_next(SmWarp *w) {
  SubCore *c = w->core;
  find_next(w);
  c->ready[w->place] = w->next ? w->ready : NEVER;
  if (c->next > c->ready[w->place]) c->next = c->ready[w->place];
}

/* The warp has nothing to issue for now. */
static void rest(SmWarp *w) {
  w->next = NULL;
  w->core->ready[w->place] = NEVER;
}

/* ---- pipes ----------------------------------------------------------------------------------- */

/* Votes run on the integer pipe, too. */
static Pipe shared_pipe(Pipe p) { return p == PIPE_VOTE ? PIPE_ALU : p; }

/* The unit that the whole SM shares; NULL: the pipe is the sub-core's own. */
static uint64_t *sm_unit(Sm *sm, Pipe p) {
  switch (p) {
  case PIPE_SHUFFLE: return &sm->shuffle_free;
  case PIPE_REDUX: return &sm->redux_free;
  case PIPE_MATCH: return &sm->match_free;
  case PIPE_SPECIAL: return &sm->special_free;
  default: return NULL;
  }
}

static uint64_t sm_interval(const Arch *a, Pipe p) {
  switch (p) {
  case PIPE_SHUFFLE: return (uint64_t)a->interval_shuffle;
  case PIPE_REDUX: return (uint64_t)a->interval_redux;
  case PIPE_MATCH: return (uint64_t)a->interval_match;
  case PIPE_SPECIAL: return (uint64_t)a->interval_special;
  default: return 0;
  }
}

/* When the pipe takes the warp's next instruction, whatever its operands do. */
static uint64_t pipe_ready(const SubCore *c, const SmWarp *w) {
  Pipe p = shared_pipe((Pipe)w->cost->pipe);
  uint64_t at = c->pipe_free[p];
  const uint64_t *unit = sm_unit(c->sm, p);
  if (unit && *unit > at) at = *unit;
  if (p == PIPE_MEMORY) {
    uint64_t room = memory_ready(&c->sm->memory);
    if (room > at) at = room;
  }
  if (w->cost->vectors && c->ports_free > at) at = c->ports_free;
  return at > w->skipped ? at - w->skipped : 0; /* what it skips issues first */
}

static Stall pipe_stall(const SubCore *c, const SmWarp *w) {
  switch (w->cost->pipe) {
  case PIPE_MEMORY: return STALL_LG;
  case PIPE_SHUFFLE:
  case PIPE_REDUX:
  case PIPE_MATCH:
  case PIPE_SPECIAL: return STALL_MIO;
  default: break;
  }
  return c->pipe_free[shared_pipe((Pipe)w->cost->pipe)] >= c->ports_free ? STALL_MATH
                                                                         : STALL_DISPATCH;
}

/* Cycles for which the instruction's register reads keep the ports busy: a bank delivers an operand
 * a cycle, and what the same warp read in the same place just before is still at hand. */
static uint64_t port_cycles(SubCore *c, const SmWarp *w) {
  const Slot *s = w->cost;
  const Arch *a = c->sm->arch;
  uint32_t reads = s->vectors, place = 0, operands[4] = {0};
  for (int i = 0; i < s->source_count && place < 4; i++) {
    if (!s->sources[i].vector) continue;
    operands[place] = s->sources[i].reg + 1;
    if (a->operand_reuse && place && c->last == w && c->operands[place] == operands[place]) reads--;
    place++;
  }
  if (a->operand_reuse && s->vectors > place && c->last == w && c->operands[3] == UINT32_MAX)
    reads -= s->vectors - place; /* constants that were loaded into registers */
  memcpy(c->operands, operands, sizeof operands);
  if (s->vectors > place) c->operands[3] = UINT32_MAX;
  uint32_t at_once = a->register_banks * a->register_ports;
  return (reads + at_once - 1) / at_once;
}

/* ---- issue ----------------------------------------------------------------------------------- */

static Stall cause_of(Pipe p) {
  switch (p) {
  case PIPE_SFU:
  case PIPE_SHUFFLE:
  case PIPE_REDUX:
  case PIPE_MATCH:
  case PIPE_SPECIAL:
  case PIPE_TENSOR: return STALL_SHORT;
  default: return STALL_WAIT;
  }
}

static void occupy(SubCore *c, const SmWarp *w, uint64_t now) {
  Sm *sm = c->sm;
  Pipe p = shared_pipe((Pipe)w->cost->pipe);
  bool idle = p == PIPE_MEMORY && !sm->did.accessed; /* no lane takes part: nothing to pass on */
  c->pipe_free[p] = now + (idle ? w->cost->issues : w->cost->interval);
  uint64_t *unit = sm_unit(sm, p);
  if (unit) *unit = now + sm_interval(sm->arch, p) * (p == PIPE_MATCH ? sm->did.groups : 1);
  if (w->cost->vectors) c->ports_free = now + port_cycles(c, w);
}

static uint32_t account_memory(Sm *sm, const MemoryCost *cost) {
  if (cost->shared) {
    sm->counters.shared_requests++;
    sm->counters.shared_wavefronts += cost->wavefronts;
    sm->counters.shared_conflicts += cost->conflicts;
    return cost->wavefronts;
  }
  sm->counters.global_requests++;
  sm->counters.global_sectors += cost->sectors;
  sm->counters.l1_hits += cost->hits;
  return cost->sectors;
}

/* A load, store or atomic that lanes have made: when its results are there. */
static uint32_t finish_memory(Sm *sm, SmWarp *w, const Slot *s, uint64_t now) {
  if (!sm->did.accessed) return 0;
  if (s->words) sm->did.bytes *= s->words;
  MemoryCost cost =
      memory_access(&sm->memory, &sm->did, now, w->local, s->dest_count > 0, s->aggregated);
  if (s->aggregated && s->dest_count) cost.done += s->latency;
  for (int i = 0; i < s->dest_count; i++)
    set_there(w, s->dests[i], cost.done, cost.shared ? STALL_SHORT : STALL_LONG);
  if (s->dest_count == 0 && cost.done > w->stores) w->stores = cost.done;
  return account_memory(sm, &cost);
}

static void hold(SmWarp *w, uint64_t until, Stall why) {
  if (until <= w->floor) return;
  w->floor = until;
  w->floor_why = why;
}

/* Warps of the block that can go on after they had nothing to issue: a barrier is complete, or
 * lanes that were waited for have left. They start one after another. */
static void wake_block(Sm *sm, const Cta *cta, uint64_t now) {
  uint64_t at = now + (uint64_t)sm->arch->latency_barrier;
  for (uint32_t i = 0; i < sm->warp_slots; i++) {
    SmWarp *w = &sm->warps[i];
    if (!w->warp || w->warp->cta != cta || w->next || !path_of(w->warp)) continue;
    hold(w, at, STALL_BARRIER);
    for (int k = 0; w->cost && w->cost->pipe == PIPE_BARRIER && k < w->cost->dest_count; k++)
      set_there(w, w->cost->dests[k], at + (uint64_t)sm->arch->latency_barrier_result,
                STALL_BARRIER);
    prepare_next(w);
    at += (uint64_t)sm->arch->interval_barrier;
  }
}

static bool is_join(const Path *p) {
  const Assembly *as = assembly_of(p->frame);
  return as->slots[p->pc].join;
}

/* What moving on costs the warp: taken branches, paths that part and meet. */
static void move_on(Sm *sm, SmWarp *w, const Slot *s, int32_t pc, uint64_t parted_before,
                    uint64_t now) {
  const Arch *a = sm->arch;
  const Path *p = path_of(w->warp);
  if (!p) return;
  double wait = 0;
  bool straight = p->frame == sm->did.frame && p->pc == pc + (s->inverted ? 2 : 1);
  bool switched = p->mask != sm->did.active || p->frame != sm->did.frame;
  if (s->pipe == PIPE_BRANCH) {
    wait = straight ? a->latency_untaken : a->latency_branch;
    uint64_t taken = now + s->issues - 1 + (uint64_t)a->interval_branch;
    if (!straight) w->core->free = later(w->core->free, taken);
    if (sm->m->stats.divergent_branches != parted_before) wait += a->latency_diverge;
    w->streaming = false;
  } else if (!straight) {
    wait = a->latency_branch;
    w->streaming = false;
  }
  bool met =
      switched && s->pipe != PIPE_BRANCH && !s->arm; /* behind an arm under a predicate: not */
  if ((straight || s->pipe == PIPE_BRANCH || switched) && (is_join(p) || met))
    wait += a->latency_reconverge;
  if (wait > 0) hold(w, now + s->issues + (uint64_t)wait, STALL_BRANCH);
}

static void issue(SubCore *c, SmWarp *w, uint64_t now) {
  Sm *sm = c->sm;
  const Slot *s = w->cost;
  int32_t pc = (int32_t)(w->next - w->frame->code->ops);
  Cta *cta = w->warp->cta;
  Mask live = w->warp->live;
  uint64_t parted = sm->m->stats.divergent_branches;
  uint64_t pipe_at = later(w->ready, pipe_ready(c, w));
  w->turn = pipe_at < now ? pipe_at : now;
  w->throttle = pipe_stall(c, w);
  account_core(c, w->ready > c->accounted ? w->why : w->throttle, now);
  SmEvent event;
  if (sm->watch) event = event_of(sm, w, pc, now, false); /* as it was before */
  account_warp(sm, w, w->why, w->ready < now ? w->ready : now);
  account_warp(sm, w, w->throttle, w->turn);
  account_warp(sm, w, STALL_NOT_SELECTED, now);
  uint32_t slots = w->skipped + s->issues;
  now += w->skipped;
  w->skipped = 0;
  sm->m->cycle = now;
  uint64_t ran = warp_run(w->warp, 1);
  account_warp(sm, w, STALL_SELECTED, now + s->issues);
  account_core(c, STALL_SELECTED, now + s->issues);
  sm->counters.issued += slots;
  sm->counters.instructions += ran;
  occupy(c, w, now);
  c->last = w;
  w->issued++;
  w->floor = now + s->issues;
  w->floor_why = STALL_WAIT;
  uint32_t passes = 0;
  if (s->pipe == PIPE_MEMORY) {
    passes = finish_memory(sm, w, s, now);
  } else {
    uint64_t latency = s->latency;
    if (s->pipe == PIPE_MATCH)
      latency += (uint64_t)((sm->did.groups - 1) * sm->arch->latency_match_group);
    for (int i = 0; i < s->dest_count; i++)
      set_there(w, s->dests[i], now + latency, cause_of((Pipe)s->pipe));
  }
  if (s->pipe == PIPE_FENCE) { /* one for the block need not wait until stores are in L2 */
    bool block = sm->did.op->in->mod[MC_SCOPE] == MOD_SCOPE_CTA;
    uint64_t stored = block ? 0 : w->stores + s->latency / 2;
    hold(w, later(stored, now + s->latency), STALL_MEMBAR);
  }
  if (s->pipe == PIPE_SYNC) hold(w, now + s->latency, STALL_BARRIER);
  if (sm->watch && ran) {
    event.slots = slots;
    event.passes = passes;
    event.diverged = sm->m->stats.divergent_branches != parted;
    sm->watch(sm->watch_context, &event);
  }
  if (ran) move_on(sm, w, s, pc, parted, now);
  bool wakes = s->pipe == PIPE_BARRIER || w->warp->live != live;
  if (cta->live == 0) sm->ended = true;
  rest(w);
  if (s->pipe != PIPE_BARRIER) prepare_next(w);
  if (wakes) wake_block(sm, cta, now);
}

/* ---- a cycle --------------------------------------------------------------------------------- */

static void core_cycle(SubCore *c, uint64_t now) {
  bool eligible[CORE_WARPS];
  uint64_t next = NEVER;
  int ready = 0;
  for (int i = 0; i < c->count; i++) {
    uint64_t at = c->ready[i];
    if (at <= now) at = pipe_ready(c, c->warps[i]);
    eligible[i] = at <= now;
    ready += at <= now;
    if (at > now && at < next) next = at;
  }
  c->next = next;
  if (!ready) return;
  Sm *sm = c->sm;
  sm->counters.eligible += (uint64_t)ready;
  int pick = sm->scheduler->pick(sm->scheduler_context, c, c->warps, eligible, c->count, now);
  c->next = now + 1;
  if (pick < 0) return;
  SmWarp *w = c->warps[pick];
  bool switched = c->last && c->last != w;
  c->free =
      now + w->skipped + w->cost->issues + (switched ? (uint64_t)sm->arch->context_switch : 0);
  issue(c, w, now);
  c->next = c->free;
}

uint64_t sm_next(const Sm *sm) {
  uint64_t next = NEVER;
  for (int i = 0; i < sm->core_count; i++)
    if (sm->cores[i].count && sm->cores[i].next < next) next = sm->cores[i].next;
  return next;
}

bool sm_cycle(Sm *sm) {
  uint64_t now = sm_next(sm);
  sm->now = now;
  sm->ended = false;
  sm->m->watch = &sm->did;
  sm->m->smid = (uint32_t)sm->id;
  /* Each is first in its turn at what they share. */
  int first = (int)(sm->turn++ % (unsigned)sm->core_count);
  for (int n = 0; n < sm->core_count && !sm->m->stopped; n++) {
    SubCore *c = &sm->cores[(first + n) % sm->core_count];
    if (c->count && c->next <= now) core_cycle(c, now);
  }
  sm->m->watch = NULL;
  return sm->ended;
}

void sm_recheck(Sm *sm, uint64_t now) {
  sm->spinning = false;
  sm->m->watch = &sm->did;
  for (uint32_t i = 0; i < sm->warp_slots; i++) {
    SmWarp *w = &sm->warps[i];
    if (!w->warp || w->next || w->warp->state != WARP_SPINNING) continue;
    hold(w, now, STALL_SLEEPING);
    prepare_next(w);
  }
  sm->m->watch = NULL;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static void add_to_core(SubCore *c, SmWarp *w) {
  int at = c->count++;
  for (; at > 0 && c->warps[at - 1]->slot > w->slot; at--) {
    c->warps[at] = c->warps[at - 1];
    c->ready[at] = c->ready[at - 1];
    c->warps[at]->place = at;
  }
  c->warps[at] = w;
  c->ready[at] = NEVER;
  w->place = at;
}

static void remove_from_core(SubCore *c, const SmWarp *w) {
  c->count--;
  for (int i = w->place; i < c->count; i++) {
    c->warps[i] = c->warps[i + 1];
    c->ready[i] = c->ready[i + 1];
    c->warps[i]->place = i;
  }
  if (c->last == w) c->last = NULL;
}

static bool has_live_warp(const SubCore *c) {
  for (int i = 0; i < c->count; i++)
    if (c->warps[i]->warp->live) return true;
  return false;
}

static void start_warp(Sm *sm, SmWarp *w, Warp *warp, uint64_t at) {
  if (!has_live_warp(w->core)) account_core(w->core, STALL_NO_WARP, at);
  w->warp = warp;
  w->age = sm->started++;
  w->floor = w->since = at;
  w->floor_why = STALL_NO_INSTRUCTION;
  w->stores = w->issued = 0;
  w->skipped = 0;
  w->code_line = 0;
  w->streaming = w->active = false;
  w->frame = NULL;
  w->local = sm->memory.unique;
  sm->memory.unique += 1ull << 30;
  sm->resident_warps++;
  add_to_core(w->core, w);
  prepare_next(w);
}

void sm_start_block(Sm *sm, Cta *cta, uint64_t at) {
  uint32_t slot = 0;
  sm->m->watch = &sm->did;
  sm->m->smid = (uint32_t)sm->id;
  sm->resident_blocks++;
  for (uint32_t i = 0; i < cta->warp_count; i++) {
    while (sm->warps[slot].warp) slot++;
    start_warp(sm, &sm->warps[slot], &cta->warps[i], at);
  }
  sm->m->watch = NULL;
}

void sm_end_block(Sm *sm, Cta *cta) {
  for (uint32_t i = 0; i < sm->warp_slots; i++) {
    SmWarp *w = &sm->warps[i];
    if (!w->warp || w->warp->cta != cta) continue;
    remove_from_core(w->core, w);
    w->warp = NULL;
    w->next = NULL;
    sm->resident_warps--;
  }
  sm->resident_blocks--;
}

void sm_finish(Sm *sm) {
  uint64_t cycle = sm->now + 1;
  if (sm->started == 0) return;
  for (int i = 0; i < sm->core_count; i++) cycle = later(cycle, sm->cores[i].accounted);
  for (int i = 0; i < sm->core_count; i++) account_core(&sm->cores[i], STALL_NO_WARP, cycle);
  sm->counters.cycles = cycle;
  sm->counters.issue_cycles = cycle * (uint64_t)sm->core_count;
}
