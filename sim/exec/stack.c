/* exec/stack.c - the SIMT stack of GPUs before Volta.
 *
 * w->paths is a stack; only its top runs. At a divergent branch the top becomes the reconvergence
 * entry (it keeps all lanes and will go on at the immediate post-dominator), and an entry for each
 * part is pushed. An entry that comes to its reconvergence point is popped; when all parts are
 * gone, the reconvergence entry runs with all lanes again. Lanes below the top never run: a lane
 * that waits for one of them waits for ever. */
#include "exec/control.h"

static bool at_reconvergence(const Path *p) { return p->rframe == p->frame && p->pc == p->rpc; }

static Path *stack_pick(Warp *w) {
  while (w->top >= 0) {
    Path *p = &w->paths[w->top];
    if (p->mask && !at_reconvergence(p)) return path_can_run(w, p) ? p : NULL;
    p->mask = 0;
    w->top--;
  }
  return NULL;
}

static void push(Warp *w, const Path *like, int32_t pc, Mask mask, int32_t rpc) {
  Path *p = &w->paths[++w->top];
  if (w->slots <= w->top) w->slots = w->top + 1;
  *p = (Path){.pc = pc, .mask = mask, .frame = like->frame, .rpc = rpc, .rframe = like->frame};
}

static void stack_diverge(Warp *w, Path *p, int n, const int32_t *target, const Mask *part,
                          int32_t rpc) {
  Path at = *p;
  if (p->rpc == rpc && p->rframe == p->frame)
    w->top--; /* the entry below waits there already */
  else
    p->pc = rpc;
  for (int i = n - 1; i >= 0; i--)
    if (target[i] != rpc) push(w, &at, target[i], part[i], rpc);
}

static bool stack_arrive(Warp *w, Path *p) {
  (void)w;
  return !at_reconvergence(p);
}

static void stack_leave(Warp *w, Path *p, Mask gone) {
  (void)p;
  for (int i = 0; i <= w->top; i++) w->paths[i].mask &= ~gone;
}

static bool stack_give_way(Warp *w, Path *p) {
  (void)w, (void)p;
  return false;
}

const DivergenceModel model_stack = {.name = "stack",
                                     .pick = stack_pick,
                                     .diverge = stack_diverge,
                                     .arrive = stack_arrive,
                                     .leave = stack_leave,
                                     .give_way = stack_give_way,
                                     .independent = false};
