/* ptx/cfg.c - basic blocks, and where each branch's paths meet again: the immediate post-dominator.
 *
 * Post-dominators are dominators of the reversed graph, from a virtual exit. The algorithm is that
 * of Lengauer and Tarjan, "A Fast Algorithm for Finding Dominators in a Flowgraph" (1979), in its
 * simple form, O(m log n) on any graph: a hostile text cannot make it slow. */
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

/* ---- blocks ---------------------------------------------------------------------------------- */

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

/* `seen` holds, by block, the number (plus one) of the last block that it was made a successor of.
 */
static void add_successor(Block *b, int32_t to, int32_t *seen, int32_t number) {
  if (seen[to] == number) return;
  seen[to] = number;
  b->succ[b->succ_count++] = to;
}

static void find_successors(Arena *arena, Function *fn, int32_t index, const int32_t *block_of,
                            int32_t *seen) {
  Block *b = &fn->blocks[index];
  const Inst *in = &fn->insts[b->last];
  const LabelList *list = in->op == OP_BRX_IDX ? in->operand[1].list : NULL;
  size_t room = 2;
  if (list) room += list->count < fn->block_count ? list->count : fn->block_count;
  b->succ = ARENA_ARRAY(arena, int32_t, room);
  if (in->op == OP_BRA) add_successor(b, block_of[in->operand[0].target], seen, index + 1);
  for (size_t i = 0; list && i < list->count; i++)
    add_successor(b, block_of[list->targets[i]], seen, index + 1);
  if (ends_path(in)) add_successor(b, (int32_t)fn->block_count, seen, index + 1);
  bool always = in->guard < 0 && ends_block(in);
  if (!always) add_successor(b, block_of[b->last + 1], seen, index + 1);
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
  int32_t *seen = ARENA_ARRAY(arena, int32_t, count + 1);
  for (int32_t i = 0; i < (int32_t)count; i++) find_successors(arena, fn, i, block_of, seen);
}

/* ---- endless loops -----------------------------------------------------------------------------
 *
 * Blocks that never reach the exit have no post-dominators of their own. Every group of them that
 * nothing leaves is an endless loop; its first block in the source is taken as its head. The loop's
 * entry becomes a node of its own, through which all edges to the head go and from which one more
 * edge goes to the exit: as if the loop could end whenever it starts again. So the two sides of an
 * `if` in the loop meet behind it, and the two sides of a branch in the head meet at the head. */

typedef struct Graph {
  int32_t exit, size;    /* nodes: blocks, then the exit, then the entries of endless loops */
  int32_t *entry;        /* by block: the node that edges to it lead to */
  int32_t *head;         /* by entry (less exit + 1): its block */
  int32_t *first, *from; /* the nodes with an edge to v: from[first[v]] .. from[first[v + 1]) */
} Graph;

static void mark_reaching(Arena *arena, const Function *fn, bool *reaches) {
  int32_t n = (int32_t)fn->block_count;
  int32_t *first = ARENA_ARRAY(arena, int32_t, n + 2), *stack = ARENA_ARRAY(arena, int32_t, n + 1);
  for (int32_t b = 0; b < n; b++)
    for (int i = 0; i < fn->blocks[b].succ_count; i++) first[fn->blocks[b].succ[i] + 1]++;
  for (int32_t b = 0; b <= n; b++) first[b + 1] += first[b];
  int32_t *preds = ARENA_ARRAY(arena, int32_t, first[n + 1] + 1);
  int32_t *fill = ARENA_ARRAY(arena, int32_t, n + 1);
  for (int32_t b = 0; b < n; b++)
    for (int i = 0; i < fn->blocks[b].succ_count; i++) {
      int32_t to = fn->blocks[b].succ[i];
      preds[first[to] + fill[to]++] = b;
    }
  int32_t top = 0;
  stack[top++] = n;
  reaches[n] = true;
  while (top) {
    int32_t b = stack[--top];
    for (int32_t i = first[b]; i < first[b + 1]; i++)
      if (!reaches[preds[i]]) {
        reaches[preds[i]] = true;
        stack[top++] = preds[i];
      }
  }
}

/* Strongly connected components, after Tarjan, of the blocks that do not reach the exit. */
typedef struct Components {
  const Function *fn;
  int32_t *order, *low, *next, *path, *open; /* order: 0 not seen, -1 done */
  int32_t count, path_top, open_top;
} Components;

static void enter_block(Components *c, int32_t b) {
  c->order[b] = c->low[b] = ++c->count;
  c->path[c->path_top++] = b;
  c->open[c->open_top++] = b;
}

/* A component is complete: all of `open` from b on. Is it an endless loop, and which is its head?
 */
static void close_component(Components *c, Graph *g, int32_t b) {
  int32_t start = c->open_top;
  while (c->open[--start] != b) {
  }
  int32_t head = b;
  bool leaves = false;
  for (int32_t i = start; i < c->open_top; i++) {
    int32_t v = c->open[i];
    if (v < head) head = v;
    for (int k = 0; k < c->fn->blocks[v].succ_count; k++)
      leaves |= c->order[c->fn->blocks[v].succ[k]] == -1;
  }
  for (int32_t i = start; i < c->open_top; i++) c->order[c->open[i]] = -1;
  c->open_top = start;
  if (leaves) return;
  g->entry[head] = g->size++;
  g->head[g->entry[head] - g->exit - 1] = head;
}

static void walk_from(Components *c, Graph *g, int32_t root) {
  enter_block(c, root);
  while (c->path_top) {
    int32_t b = c->path[c->path_top - 1];
    const Block *block = &c->fn->blocks[b];
    if (c->next[b] < block->succ_count) {
      int32_t s = block->succ[c->next[b]++];
      if (c->order[s] == 0)
        enter_block(c, s);
      else if (c->order[s] > 0 && c->order[s] < c->low[b])
        c->low[b] = c->order[s];
      continue;
    }
    c->path_top--;
    if (c->low[b] == c->order[b]) close_component(c, g, b);
    if (c->path_top) {
      int32_t up = c->path[c->path_top - 1];
      if (c->low[b] < c->low[up]) c->low[up] = c->low[b];
    }
  }
}

static void find_endless_loops(Arena *arena, const Function *fn, Graph *g) {
  int32_t n = g->exit;
  bool *reaches = ARENA_ARRAY(arena, bool, n + 1), missing = false;
  mark_reaching(arena, fn, reaches);
  for (int32_t b = 0; b < n; b++) missing |= !reaches[b];
  if (!missing) return;
  Components c = {.fn = fn,
                  .order = ARENA_ARRAY(arena, int32_t, n + 1),
                  .low = ARENA_ARRAY(arena, int32_t, n + 1),
                  .next = ARENA_ARRAY(arena, int32_t, n + 1),
                  .path = ARENA_ARRAY(arena, int32_t, n + 1),
                  .open = ARENA_ARRAY(arena, int32_t, n + 1)};
  for (int32_t b = 0; b < n; b++)
    if (!reaches[b] && c.order[b] == 0) walk_from(&c, g, b);
}

/* ---- the graph with the loops' entries ------------------------------------------------------- */

/* The k-th successor of a node, or -1. */
static int32_t successor(const Function *fn, const Graph *g, int32_t v, int32_t k) {
  if (v < g->exit) return k < fn->blocks[v].succ_count ? g->entry[fn->blocks[v].succ[k]] : -1;
  if (v == g->exit) return -1;
  return k == 0 ? g->head[v - g->exit - 1] : k == 1 ? g->exit : -1;
}

static void build_graph(Arena *arena, const Function *fn, Graph *g) {
  int32_t n = g->exit = (int32_t)fn->block_count;
  g->size = n + 1;
  g->entry = ARENA_ARRAY(arena, int32_t, n + 1);
  g->head = ARENA_ARRAY(arena, int32_t, n + 1);
  for (int32_t b = 0; b <= n; b++) g->entry[b] = b;
  find_endless_loops(arena, fn, g);
  g->first = ARENA_ARRAY(arena, int32_t, g->size + 1);
  for (int32_t v = 0; v < g->size; v++)
    for (int32_t k = 0, s; (s = successor(fn, g, v, k)) >= 0; k++) g->first[s + 1]++;
  for (int32_t v = 0; v < g->size; v++) g->first[v + 1] += g->first[v];
  g->from = ARENA_ARRAY(arena, int32_t, g->first[g->size] + 1);
  int32_t *fill = ARENA_ARRAY(arena, int32_t, g->size);
  for (int32_t v = 0; v < g->size; v++)
    for (int32_t k = 0, s; (s = successor(fn, g, v, k)) >= 0; k++)
      g->from[g->first[s] + fill[s]++] = v;
}

/* ---- post-dominators ------------------------------------------------------------------------- */

typedef struct Dominators { /* the names are the paper's; vertices are numbered depth-first, from 1
                             */
  int32_t *number, *vertex, *parent, *semi, *ancestor, *label, *bucket, *bucket_next, *dom, *stack;
  int32_t count;
} Dominators;

static void number_vertices(const Graph *g, Dominators *d) {
  int32_t *next = d->dom; /* not needed yet */
  int32_t top = 0;
  d->stack[top++] = g->exit;
  d->number[g->exit] = ++d->count;
  d->vertex[d->count] = g->exit;
  while (top) {
    int32_t v = d->stack[top - 1];
    if (g->first[v] + next[v] == g->first[v + 1]) {
      top--;
      continue;
    }
    int32_t w = g->from[g->first[v] + next[v]++];
    if (d->number[w]) continue;
    d->number[w] = ++d->count;
    d->vertex[d->count] = w;
    d->parent[d->count] = d->number[v];
    d->stack[top++] = w;
  }
}

/* The vertex of least semidominator on the path to the root of v's tree, which gets shorter. */
static int32_t evaluate(Dominators *d, int32_t v) {
  if (!d->ancestor[v]) return v;
  int32_t top = 0;
  for (int32_t u = v; d->ancestor[d->ancestor[u]]; u = d->ancestor[u]) d->stack[top++] = u;
  while (top) {
    int32_t u = d->stack[--top], up = d->ancestor[u];
    if (d->semi[d->label[up]] < d->semi[d->label[u]]) d->label[u] = d->label[up];
    d->ancestor[u] = d->ancestor[up];
  }
  return d->label[v];
}

static void empty_bucket(Dominators *d, int32_t p) {
  for (int32_t v = d->bucket[p]; v; v = d->bucket_next[v]) {
    int32_t u = evaluate(d, v);
    d->dom[v] = d->semi[u] < d->semi[v] ? u : p;
  }
  d->bucket[p] = 0;
}

static void find_dominators(const Function *fn, const Graph *g, Dominators *d) {
  for (int32_t i = 1; i <= d->count; i++) {
    d->semi[i] = d->label[i] = i;
    d->dom[i] = 0;
  }
  for (int32_t w = d->count; w > 1; w--) {
    for (int32_t k = 0, s; (s = successor(fn, g, d->vertex[w], k)) >= 0; k++) {
      int32_t u = evaluate(d, d->number[s]);
      if (d->semi[u] < d->semi[w]) d->semi[w] = d->semi[u];
    }
    d->bucket_next[w] = d->bucket[d->semi[w]];
    d->bucket[d->semi[w]] = w;
    d->ancestor[w] = d->parent[w];
    empty_bucket(d, d->parent[w]);
  }
  for (int32_t w = 2; w <= d->count; w++)
    if (d->dom[w] != d->semi[w]) d->dom[w] = d->dom[d->dom[w]];
}

static void find_ipdoms(Arena *arena, Function *fn) {
  Graph g = {0};
  build_graph(arena, fn, &g);
  Dominators d = {0};
  int32_t **arrays[] = {&d.number, &d.vertex, &d.parent,      &d.semi, &d.ancestor,
                        &d.label,  &d.bucket, &d.bucket_next, &d.dom,  &d.stack};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
    *arrays[i] = ARENA_ARRAY(arena, int32_t, g.size + 1);
  number_vertices(&g, &d);
  find_dominators(fn, &g, &d);
  for (int32_t b = 0; b < g.exit; b++) {
    int32_t up = d.vertex[d.dom[d.number[b]]];
    fn->blocks[b].ipdom = up > g.exit ? g.head[up - g.exit - 1] : up;
  }
}

void ptx_analyse(Arena *arena, Function *fn) {
  if (fn->inst_count == 0) return;
  int32_t *block_of = ARENA_ARRAY(arena, int32_t, fn->inst_count + 1);
  build_blocks(arena, fn, block_of);
  find_ipdoms(arena, fn);
  for (size_t b = 0; b < fn->block_count; b++) {
    Inst *in = &fn->insts[fn->blocks[b].last];
    if (!ends_block(in)) continue;
    int32_t ipdom = fn->blocks[b].ipdom;
    in->reconverge =
        ipdom == (int32_t)fn->block_count ? (int32_t)fn->inst_count : fn->blocks[ipdom].first;
  }
}
