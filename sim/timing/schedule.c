/* timing/schedule.c - the order of a basic block's instructions, as an assembler would choose it.
 *
 * List scheduling: of the instructions whose operands are there, the one with the longest chain of
 * latencies behind it goes first. So loads begin early and their users late, which is most of what
 * instruction-level parallelism inside a thread comes from. Instructions that must keep their order
 * do: those on the same register, accesses that may touch the same memory, and everything around
 * barriers, calls, atomics and clocks. */
#include <stdlib.h>
#include <string.h>

#include "timing/assemble.h"

enum {
  WINDOW =
      256, /* instructions scheduled together: longer blocks are cut (and stay linear in cost) */
  MAX_EDGES = WINDOW * 24
};

typedef struct Edge {
  int32_t to, next;
  uint32_t latency;
} Edge;

typedef struct Node {
  int32_t waits; /* instructions before it that are not placed yet */
  int32_t edges; /* first of the list of those behind it; -1: none */
  uint32_t ready;
  uint32_t chain; /* cycles from its issue to the end of the longest chain behind it */
} Node;

typedef struct Window {
  const Function *fn;
  const Slot *slots;
  int32_t first, count;
  Node nodes[WINDOW];
  Edge edges[MAX_EDGES];
  int32_t edge_count;
  bool full; /* there were too many edges: keep the order */
} Window;

/* ---- what must stay in order ----------------------------------------------------------------- */

typedef struct MemoryPlace {
  Space space;
  int32_t base; /* register; -1: none */
  const Var *var;
  int64_t from, to;
  bool writes, ordered;
} MemoryPlace;

static bool is_memory(const Inst *in) { return op_info((PtxOp)in->op)->unit == UNIT_LSU; }

static MemoryPlace place_of(const Inst *in) {
  MemoryPlace p = {.space = inst_space(in), .base = -1};
  p.writes = in->op != OP_LD && in->op != OP_LDU;
  p.ordered = (in->op != OP_LD && in->op != OP_ST && in->op != OP_LDU) ||
              (in->mod[MC_SEM] != MOD_NONE && in->mod[MC_SEM] != MOD_SEM_WEAK);
  for (int i = 0; i < in->operand_count; i++) {
    const Operand *o = &in->operand[i];
    if (o->kind != OPND_ADDR) continue;
    p.base = o->reg;
    p.var = o->reg < 0 ? o->var : NULL;
    p.from = o->off;
    p.to = o->off + 16; /* the widest access */
    if (in->mod[MC_VEC] == MOD_NONE) p.to = o->off + type_bytes((PtxType)in->type);
  }
  return p;
}

static bool may_touch_the_same(const MemoryPlace *a, const MemoryPlace *b) {
  if (a->space != b->space && a->space != SP_GENERIC && b->space != SP_GENERIC) return false;
  if (a->base == b->base && a->var == b->var && (a->base >= 0 || a->var))
    return a->from < b->to && b->from < a->to;
  return true;
}

bool ends_stretch(const Inst *in, const Slot *s) {
  switch (s->pipe) {
  case PIPE_BRANCH:
  case PIPE_BARRIER:
  case PIPE_SYNC:
  case PIPE_FENCE:
  case PIPE_TENSOR: return true;
  default: break;
  }
  if (in->op == OP_BRA || in->op == OP_CALL) return true; /* folded ones, too */
  for (int i = 0; i < in->operand_count; i++)
    if (in->operand[i].kind == OPND_SREG && in->operand[i].sreg >= SR_CLOCK &&
        in->operand[i].sreg <= SR_GLOBALTIMER_HI)
      return true;
  return in->op == OP_ACTIVEMASK;
}

static void add_edge(Window *w, int32_t from, int32_t to, uint32_t latency) {
  if (w->edge_count == MAX_EDGES) {
    w->full = true;
    return;
  }
  w->edges[w->edge_count] = (Edge){to, w->nodes[from].edges, latency};
  w->nodes[from].edges = w->edge_count++;
  w->nodes[to].waits++;
}

static bool writes(const Slot *s, uint32_t reg) {
  for (int i = 0; i < s->dest_count; i++)
    if (s->dests[i] == reg) return true;
  return false;
}

static bool reads(const Slot *s, uint32_t reg) {
  for (int i = 0; i < s->source_count; i++)
    if (s->sources[i].reg == reg) return true;
  return false;
}

/* Cycles that `b` must come behind `a`; -1: they are independent. */
static int32_t distance(const Slot *a, const Slot *b) {
  int32_t d = -1;
  for (int i = 0; i < a->dest_count; i++) {
    uint32_t reg = a->dests[i];
    for (int k = 0; k < b->source_count; k++)
      if (b->sources[k].reg == reg) {
        int32_t l = a->issues ? a->latency + b->sources[k].extra : 0;
        if (l > d) d = l;
      }
    if (writes(b, reg) && d < 0) d = 0;
  }
  for (int i = 0; d < 0 && i < b->dest_count; i++)
    if (reads(a, b->dests[i])) d = 0;
  return d;
}

static void find_edges(Window *w) {
  MemoryPlace places[WINDOW] = {{.base = 0}};
  bool walls[WINDOW] = {false};
  w->edge_count = 0;
  w->full = false;
  for (int32_t i = 0; i < w->count; i++) {
    const Inst *in = &w->fn->insts[w->first + i];
    w->nodes[i] = (Node){.edges = -1};
    walls[i] = ends_stretch(in, &w->slots[w->first + i]);
    if (is_memory(in)) places[i] = place_of(in);
  }
  for (int32_t j = 1; j < w->count && !w->full; j++)
    for (int32_t i = j - 1; i >= 0; i--) {
      const Inst *a = &w->fn->insts[w->first + i], *b = &w->fn->insts[w->first + j];
      int32_t d = distance(&w->slots[w->first + i], &w->slots[w->first + j]);
      if (walls[i] || walls[j]) d = d < 0 ? 0 : d;
      if (d < 0 && is_memory(a) && is_memory(b)) {
        bool order = places[i].ordered || places[j].ordered;
        if (order ||
            ((places[i].writes || places[j].writes) && may_touch_the_same(&places[i], &places[j])))
          d = 0;
      }
      if (d >= 0) add_edge(w, i, j, (uint32_t)d);
    }
}

/* ---- the order ------------------------------------------------------------------------------- */

static void find_chains(Window *w) {
  for (int32_t i = w->count - 1; i >= 0; i--) {
    Node *n = &w->nodes[i];
    n->chain = w->slots[w->first + i].issues;
    for (int32_t e = n->edges; e >= 0; e = w->edges[e].next) {
      uint32_t c = w->edges[e].latency + w->nodes[w->edges[e].to].chain;
      if (c > n->chain) n->chain = c;
    }
  }
}

/* The instruction to place at cycle `now`: one that need not wait before one that must, the longer
 * chain first, then the order of the text. */
static int32_t choose(const Window *w, const bool *placed, uint32_t now) {
  int32_t best = -1;
  for (int32_t i = 0; i < w->count; i++) {
    if (placed[i] || w->nodes[i].waits) continue;
    if (best < 0) {
      best = i;
      continue;
    }
    const Node *a = &w->nodes[i], *b = &w->nodes[best];
    uint32_t wait_a = a->ready > now ? a->ready - now : 0,
             wait_b = b->ready > now ? b->ready - now : 0;
    if (wait_a != wait_b ? wait_a < wait_b : a->chain > b->chain) best = i;
  }
  return best;
}

static void order_window(Window *w, int32_t *order) {
  bool placed[WINDOW] = {false};
  uint32_t now = 0;
  for (int32_t n = 0; n < w->count; n++) {
    int32_t i = choose(w, placed, now);
    order[n] = i;
    placed[i] = true;
    if (w->nodes[i].ready > now) now = w->nodes[i].ready;
    for (int32_t e = w->nodes[i].edges; e >= 0; e = w->edges[e].next) {
      Node *to = &w->nodes[w->edges[e].to];
      to->waits--;
      if (now + w->edges[e].latency > to->ready) to->ready = now + w->edges[e].latency;
    }
    now += w->slots[w->first + i].issues;
  }
}

static void permute(Function *fn, Slot *slots, int32_t first, int32_t count, const int32_t *order) {
  Inst insts[WINDOW] = {0};
  Slot moved[WINDOW] = {0};
  for (int32_t n = 0; n < count; n++) {
    insts[n] = fn->insts[first + order[n]];
    moved[n] = slots[first + order[n]];
  }
  bool starts = fn->insts[first].block_start;
  memcpy(&fn->insts[first], insts, (size_t)count * sizeof *insts);
  memcpy(&slots[first], moved, (size_t)count * sizeof *moved);
  for (int32_t n = 0; n < count; n++) fn->insts[first + n].block_start = n == 0 && starts;
}

void schedule_blocks(Arena *arena, Function *fn, Slot *slots) {
  Window *w = ARENA_NEW(arena, Window);
  for (size_t b = 0; b < fn->block_count; b++) {
    int32_t last = fn->blocks[b].last;
    for (int32_t first = fn->blocks[b].first; first <= last; first += WINDOW) {
      int32_t order[WINDOW];
      w->fn = fn;
      w->slots = slots;
      w->first = first;
      w->count = last - first + 1 < WINDOW ? last - first + 1 : WINDOW;
      find_edges(w);
      if (w->full) continue;
      find_chains(w);
      order_window(w, order);
      permute(fn, slots, first, w->count, order);
    }
  }
}
