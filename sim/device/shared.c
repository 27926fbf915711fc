/* device/shared.c - where shared variables lie in a block's shared memory.
 *
 * Variables that no kernel uses together may lie at the same place, so a kernel pays only for what
 * it uses, itself or through what it calls. */
#include "base/align.h"
#include "device/device.h"

enum { MOST_STEPS = 1 << 25 }; /* through the calls of all kernels together */

/* What a function does by itself. */
typedef struct Node {
  const Function *fn;
  uint32_t *vars, *callees; /* each once */
  size_t var_count, var_capacity, callee_count, callee_capacity;
  bool calls_pointers;
  size_t seen; /* by the walk of this kernel (its index plus one) */
} Node;

typedef struct Layout {
  Arena *arena;
  Var **vars;
  size_t var_count, var_capacity;
  size_t *var_seen; /* by variable: the function, then the kernel, that was last seen to use it */
  Node *nodes;      /* by Function.number */
  size_t node_count;
  uint32_t *stack;
  uint32_t *uses; /* variables of kernel 0, then of kernel 1, ... */
  size_t use_count, use_capacity;
  size_t *first_use; /* by kernel; one more: the end */
  uint64_t steps;
} Layout;

static void add_number(Arena *arena, uint32_t **list, size_t *count, size_t *capacity, size_t n) {
  ARENA_GROW(arena, *list, *count, *capacity);
  (*list)[(*count)++] = (uint32_t)n;
}

/* ---- what each function uses ----------------------------------------------------------------- */

static void collect_list(Layout *y, Var *list) {
  for (Var *v = list; v; v = v->next)
    if (v->space == SP_SHARED) {
      v->offset = y->var_count; /* for now: its number */
      ARENA_GROW(y->arena, y->vars, y->var_count, y->var_capacity);
      y->vars[y->var_count++] = v;
    }
}

static void collect(Layout *y, const Module *mod) {
  collect_list(y, mod->vars);
  for (Function *f = mod->functions; f; f = f->next) {
    f->number = (uint32_t)y->node_count++;
    collect_list(y, f->vars);
  }
  y->var_seen = ARENA_ARRAY(y->arena, size_t, y->var_count + 1);
  y->nodes = ARENA_ARRAY(y->arena, Node, y->node_count + 1);
  y->stack = ARENA_ARRAY(y->arena, uint32_t, y->node_count + 1);
}

static void note_operand(Layout *y, Node *n, const Operand *o) {
  if ((o->kind == OPND_SYM || o->kind == OPND_ADDR) && o->var && o->var->space == SP_SHARED &&
      y->var_seen[o->var->offset] != n->fn->number + 1u) {
    y->var_seen[o->var->offset] = n->fn->number + 1u;
    add_number(y->arena, &n->vars, &n->var_count, &n->var_capacity, o->var->offset);
  }
  for (int i = 0; o->kind == OPND_VEC && i < o->count; i++) note_operand(y, n, &o->vec[i]);
}

static void note_call(Layout *y, Node *n, const Inst *in) {
  const Function *callee = in->operand[1].func;
  if (in->operand[1].kind == OPND_REG) n->calls_pointers = true;
  if (in->operand[1].kind == OPND_REG || !callee || !callee->insts) return;
  Node *to = &y->nodes[callee->number];
  if (to->seen == n->fn->number + 1u) return;
  to->seen = n->fn->number + 1u;
  add_number(y->arena, &n->callees, &n->callee_count, &n->callee_capacity, callee->number);
}

static void note_functions(Layout *y, const Module *mod) {
  for (const Function *f = mod->functions; f; f = f->next) {
    Node *n = &y->nodes[f->number];
    n->fn = f;
    for (size_t i = 0; i < f->inst_count; i++) {
      for (int k = 0; k < f->insts[i].operand_count; k++)
        note_operand(y, n, &f->insts[i].operand[k]);
      if (f->insts[i].op == OP_CALL) note_call(y, n, &f->insts[i]);
    }
  }
  for (size_t i = 0; i < y->node_count; i++) y->nodes[i].seen = 0;
  for (size_t i = 0; i < y->var_count; i++) y->var_seen[i] = 0;
}

/* ---- what each kernel uses ------------------------------------------------------------------- */

static size_t visit(Layout *y, size_t top, uint32_t number, size_t mark) {
  y->steps++;
  if (y->nodes[number].seen == mark || !y->nodes[number].fn->insts) return top;
  y->nodes[number].seen = mark;
  y->stack[top] = number;
  return top + 1;
}

/* Follows a kernel's calls, depth first. */
static void walk_kernel(Layout *y, const Function *kernel, size_t mark) {
  size_t top = visit(y, 0, kernel->number, mark);
  bool pointers = false;
  while (top && y->steps < MOST_STEPS) {
    const Node *n = &y->nodes[y->stack[--top]];
    for (size_t i = 0; i < n->var_count; i++, y->steps++) {
      if (y->var_seen[n->vars[i]] == mark) continue;
      y->var_seen[n->vars[i]] = mark;
      add_number(y->arena, &y->uses, &y->use_count, &y->use_capacity, n->vars[i]);
    }
    for (size_t i = 0; i < n->callee_count; i++) top = visit(y, top, n->callees[i], mark);
    if (!n->calls_pointers || pointers) continue;
    pointers = true;
    for (size_t i = 0; i < y->node_count; i++)
      if (!y->nodes[i].fn->is_entry) top = visit(y, top, (uint32_t)i, mark);
  }
}

/* ---- places ---------------------------------------------------------------------------------- */

/* By variable: the kernels that use it, as the inverse of Layout.uses. */
static uint32_t *users_of(const Layout *y, size_t kernels, size_t *first) {
  for (size_t i = 0; i < y->use_count; i++) first[y->uses[i] + 1]++;
  for (size_t v = 0; v < y->var_count; v++) first[v + 1] += first[v];
  uint32_t *users = ARENA_ARRAY(y->arena, uint32_t, y->use_count + 1);
  size_t *fill = ARENA_ARRAY(y->arena, size_t, y->var_count + 1);
  for (size_t k = 0; k < kernels; k++)
    for (size_t i = y->first_use[k]; i < y->first_use[k + 1]; i++)
      users[first[y->uses[i]] + fill[y->uses[i]]++] = (uint32_t)k;
  return users;
}

/* Each variable comes behind all that its kernels have so far. */
static void place(const Layout *y, gpu_module *mod) {
  size_t *first = ARENA_ARRAY(y->arena, size_t, y->var_count + 2);
  const uint32_t *users = users_of(y, mod->kernel_count, first);
  for (size_t v = 0; v < y->var_count; v++) {
    Var *var = y->vars[v];
    var->offset = 0;
    if (var->is_dynamic) continue;
    for (size_t i = first[v]; i < first[v + 1]; i++)
      if (mod->kernels[users[i]].shared_static > var->offset)
        var->offset = mod->kernels[users[i]].shared_static;
    var->offset = align_up(var->offset, var->align);
    for (size_t i = first[v]; i < first[v + 1]; i++)
      mod->kernels[users[i]].shared_static = var->offset + var->size;
  }
  for (size_t k = 0; k < mod->kernel_count; k++)
    if (mod->kernels[k].shared_static > mod->dynamic_offset)
      mod->dynamic_offset = mod->kernels[k].shared_static;
  mod->dynamic_offset = align_up(mod->dynamic_offset, 128);
  for (size_t v = 0; v < y->var_count; v++)
    if (y->vars[v]->is_dynamic) y->vars[v]->offset = mod->dynamic_offset;
}

gpu_result shared_place(gpu_module *mod, Arena *scratch) {
  Layout y = {.arena = scratch};
  collect(&y, mod->mod);
  if (y.var_count == 0) return GPU_OK;
  note_functions(&y, mod->mod);
  y.first_use = ARENA_ARRAY(y.arena, size_t, mod->kernel_count + 1);
  for (size_t k = 0; k < mod->kernel_count; k++) {
    walk_kernel(&y, mod->kernels[k].fn, k + 1);
    y.first_use[k + 1] = y.use_count;
  }
  if (y.steps >= MOST_STEPS)
    return device_fail(mod->dev, GPU_BAD_INPUT,
                       "%s: its %zu kernels and what they call use shared variables in more than "
                       "%d ways: split the module",
                       mod->name, mod->kernel_count, MOST_STEPS);
  place(&y, mod);
  return GPU_OK;
}
