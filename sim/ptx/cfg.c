/* ptx/cfg.c - basic blocks, and where each branch's paths meet again: the immediate post-dominator.
 *
 * Post-dominators are dominators of the reversed graph, from a virtual exit. The algorithm is the
 * iterative one of Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm". A region that
 * never reaches the exit (an endless loop) gets an edge to it from its first block. */
#include <string.h>

#include "ptx/ptx.h"

static bool is_noreturn_call(const Inst *in) {
  if (in->op != OP_CALL) return false;
  const Function *f = in->operand[1].func;
  return (f && f->is_noreturn) ||
         (in->operand[3].kind == OPND_PROTO && in->operand[3].proto->noreturn);
}

static bool ends_path(const Inst *in) {
  return in->op == OP_RET || in->op == OP_EXIT || in->op == OP_TRAP || is_noreturn_call(in);
}

static bool ends_block(const Inst *in) {
  return in->op == OP_BRA || in->op == OP_BRX_IDX || ends_path(in);
}

/* ---- blocks ------------------------------------------------------------------------------------
 */

static void mark_leaders(Function *fn, bool *leader) {
  int32_t n = (int32_t)fn->inst_count;
  leader[0] = true;
  for (int32_t i = 0; i < n; i++) {
    const Inst *in = &fn->insts[i];
    if (in->op == OP_BRA) leader[in->operand[0].target] = true;
    if (in->op == OP_BRX_IDX)
      for (size_t k = 0; k < in->operand[1].list->count; k++)
        leader[in->operand[1].list->targets[k]] = true;
    if (ends_block(in)) leader[i + 1] = true;
  }
}

static void add_successor(Block *b, int32_t to) {
  for (int i = 0; i < b->succ_count; i++)
    if (b->succ[i] == to) return;
  b->succ[b->succ_count++] = to;
}

static void find_successors(Arena *arena, Function *fn, Block *b, const int32_t *block_of) {
  const Inst *in = &fn->insts[b->last];
  size_t room = 2;
  if (in->op == OP_BRX_IDX)
    room +=
        in->operand[1].list->count < fn->block_count ? in->operand[1].list->count : fn->block_count;
  b->succ = ARENA_ARRAY(arena, int32_t, room);
  if (in->op == OP_BRA) add_successor(b, block_of[in->operand[0].target]);
  if (in->op == OP_BRX_IDX)
    for (size_t i = 0; i < in->operand[1].list->count; i++)
      add_successor(b, block_of[in->operand[1].list->targets[i]]);
  if (ends_path(in)) add_successor(b, (int32_t)fn->block_count);
  bool always = in->guard < 0 && ends_block(in);
  if (!always) add_successor(b, block_of[b->last + 1]);
}

static void build_blocks(Arena *arena, Function *fn, int32_t *block_of) {
  int32_t n = (int32_t)fn->inst_count;
  bool *leader = ARENA_ARRAY(arena, bool, n + 1);
  mark_leaders(fn, leader);
  size_t count = 0;
  for (int32_t i = 0; i < n; i++) count += leader[i];
  fn->blocks = ARENA_ARRAY(arena, Block, count + 1);
  fn->block_count = count;
  int32_t b = -1;
  for (int32_t i = 0; i < n; i++) {
    if (leader[i]) fn->blocks[++b].first = i;
    fn->insts[i].block_start = leader[i];
    fn->blocks[b].last = i;
    block_of[i] = b;
  }
  block_of[n] = (int32_t)count;
  for (size_t i = 0; i < count; i++) find_successors(arena, fn, &fn->blocks[i], block_of);
}

/* ---- post-dominators ---------------------------------------------------------------------------
 */

typedef struct Reverse { /* the graph against its arrows; node `exit` is the virtual exit */
  int32_t exit;
  int32_t *first, *preds; /* predecessors of node b: preds[first[b]] .. preds[first[b + 1]) */
  int32_t *extra;         /* blocks with an added edge to the exit */
  int32_t extra_count;
  int32_t *number; /* post-order number in the reversed graph; -1: not reached */
  int32_t *order;  /* by number */
  int32_t reached;
  int32_t *ipdom;
} Reverse;

static void build_reverse(Arena *arena, const Function *fn, Reverse *r) {
  int32_t n = (int32_t)fn->block_count;
  size_t edges = 0;
  r->exit = n;
  r->first = ARENA_ARRAY(arena, int32_t, n + 2);
  for (int32_t b = 0; b < n; b++) {
    edges += (size_t)fn->blocks[b].succ_count;
    for (int i = 0; i < fn->blocks[b].succ_count; i++) r->first[fn->blocks[b].succ[i] + 1]++;
  }
  for (int32_t b = 0; b <= n; b++) r->first[b + 1] += r->first[b];
  r->preds = ARENA_ARRAY(arena, int32_t, edges + 1);
  int32_t *fill = ARENA_ARRAY(arena, int32_t, n + 2);
  memcpy(fill, r->first, (size_t)(n + 2) * sizeof *fill);
  for (int32_t b = 0; b < n; b++)
    for (int i = 0; i < fn->blocks[b].succ_count; i++) r->preds[fill[fn->blocks[b].succ[i]]++] = b;
  r->extra = ARENA_ARRAY(arena, int32_t, n + 1);
  r->number = ARENA_ARRAY(arena, int32_t, n + 1);
  r->order = ARENA_ARRAY(arena, int32_t, n + 1);
  r->ipdom = ARENA_ARRAY(arena, int32_t, n + 1);
}

/* Depth-first from `root` against the arrows, numbering on the way back. */
static void number_from(Reverse *r, int32_t root, int32_t *stack, int32_t *cursor) {
  int32_t top = 0;
  stack[top++] = root;
  r->number[root] = -2; /* on the way */
  while (top) {
    int32_t b = stack[top - 1];
    if (cursor[b] < r->first[b + 1]) {
      int32_t p = r->preds[cursor[b]++];
      if (r->number[p] != -1) continue;
      r->number[p] = -2;
      stack[top++] = p;
    } else {
      r->number[b] = r->reached;
      r->order[r->reached++] = b;
      top--;
    }
  }
}

static void number_all(Arena *arena, Reverse *r) {
  int32_t n = r->exit, *stack = ARENA_ARRAY(arena, int32_t, n + 1),
          *cursor = ARENA_ARRAY(arena, int32_t, n + 1);
  memcpy(cursor, r->first, (size_t)(n + 1) * sizeof *cursor);
  for (int32_t b = 0; b <= n; b++) r->number[b] = -1;
  /* Blocks that never get to the exit come first, so that the exit has the highest number. To know
   * them, walk once from the exit. */
  number_from(r, n, stack, cursor);
  int32_t *missed = r->extra;
  for (int32_t b = 0; b < n; b++)
    if (r->number[b] == -1) missed[r->extra_count++] = b;
  if (r->extra_count == 0) return;
  int32_t roots = 0;
  r->reached = 0;
  memcpy(cursor, r->first, (size_t)(n + 1) * sizeof *cursor);
  bool *loops = ARENA_ARRAY(arena, bool, n + 1);
  for (int32_t i = 0; i < r->extra_count; i++) loops[missed[i]] = true;
  for (int32_t b = 0; b <= n; b++) r->number[b] = -1;
  for (int32_t b = 0; b < n; b++)
    if (loops[b] && r->number[b] == -1) {
      number_from(r, b, stack, cursor);
      r->extra[roots++] = b;
    }
  r->extra_count = roots;
  number_from(r, n, stack, cursor);
}

static int32_t intersect(const Reverse *r, int32_t a, int32_t b) {
  while (a != b) {
    while (r->number[a] < r->number[b]) a = r->ipdom[a];
    while (r->number[b] < r->number[a]) b = r->ipdom[b];
  }
  return a;
}

static int32_t meet_of(const Function *fn, const Reverse *r, const bool *extra, int32_t b) {
  int32_t meet = extra[b] ? r->exit : -1;
  for (int i = 0; i < fn->blocks[b].succ_count; i++) {
    int32_t s = fn->blocks[b].succ[i];
    if (r->ipdom[s] < 0) continue;
    meet = meet < 0 ? s : intersect(r, meet, s);
  }
  return meet;
}

static void find_ipdoms(Arena *arena, Function *fn, Reverse *r) {
  int32_t n = r->exit;
  bool *extra = ARENA_ARRAY(arena, bool, n + 1);
  for (int32_t i = 0; i < r->extra_count; i++) extra[r->extra[i]] = true;
  for (int32_t b = 0; b < n; b++) r->ipdom[b] = -1;
  r->ipdom[n] = n;
  for (bool changed = true; changed;) {
    changed = false;
    for (int32_t i = r->reached - 1; i >= 0; i--) {
      int32_t b = r->order[i];
      if (b == n) continue;
      int32_t meet = meet_of(fn, r, extra, b);
      if (meet < 0 || meet == r->ipdom[b]) continue;
      r->ipdom[b] = meet;
      changed = true;
    }
  }
  for (int32_t b = 0; b < n; b++) fn->blocks[b].ipdom = r->ipdom[b] < 0 ? n : r->ipdom[b];
}

void ptx_analyse(Arena *arena, Function *fn) {
  if (fn->inst_count == 0) return;
  int32_t *block_of = ARENA_ARRAY(arena, int32_t, fn->inst_count + 1);
  build_blocks(arena, fn, block_of);
  Reverse r = {0};
  build_reverse(arena, fn, &r);
  number_all(arena, &r);
  find_ipdoms(arena, fn, &r);
  for (size_t b = 0; b < fn->block_count; b++) {
    Inst *in = &fn->insts[fn->blocks[b].last];
    if (!ends_block(in)) continue;
    int32_t ipdom = fn->blocks[b].ipdom;
    in->reconverge =
        ipdom == (int32_t)fn->block_count ? (int32_t)fn->inst_count : fn->blocks[ipdom].first;
  }
}
