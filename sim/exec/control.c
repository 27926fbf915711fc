/* exec/control.c - branches, calls, returns, exits; frames. */
#include "exec/control.h"

#include <stdlib.h>
#include <string.h>

#include "exec/check.h"
#include "exec/fault.h"

/* ---- counting -------------------------------------------------------------------------------- */

static void count_divergence(Warp *w, int n, const int32_t *target, int32_t rpc) {
  gpu_stats *s = &w->cta->m->stats;
  s->divergent_branches++;
  s->paths += (uint64_t)n;
  for (int i = 0; i < n; i++) s->passes += target[i] != rpc;
  if (!w->diverged) s->divergent_warps++;
  w->diverged = true;
}

/* ---- branches -------------------------------------------------------------------------------- */

/* Sends `taken` of the path's lanes to `target`, the rest to the next instruction. */
static Flow branch(Warp *w, Path *p, const Op *op, Mask taken, int32_t target) {
  int32_t next = p->pc + 1;
  Mask rest = p->mask & ~taken;
  if (op->guard != OPERAND_NONE) w->cta->m->stats.branches++;
  if (!taken) return FLOW_NEXT;
  if (!rest || target == next) {
    p->pc = target;
    return FLOW_JUMP;
  }
  bool first = target < next; /* source order: the lower address runs first */
  int32_t targets[2] = {first ? target : next, first ? next : target};
  Mask parts[2] = {first ? taken : rest, first ? rest : taken};
  count_divergence(w, 2, targets, op->in->reconverge);
  w->cta->m->model->diverge(w, p, 2, targets, parts, op->in->reconverge);
  return FLOW_TURN;
}

Flow do_bra(Warp *w, Path *p, const Op *op, Mask active) {
  return branch(w, p, op, op_guard(p->frame, op, active), op->in->operand[0].target);
}

/* Adds lanes to a target's set, keeping targets in ascending order. */
static int add_target(int n, int32_t *target, Mask *part, int32_t pc, Mask lane) {
  int i = 0;
  while (i < n && target[i] < pc) i++;
  if (i < n && target[i] == pc) {
    part[i] |= lane;
    return n;
  }
  memmove(target + i + 1, target + i, (size_t)(n - i) * sizeof *target);
  memmove(part + i + 1, part + i, (size_t)(n - i) * sizeof *part);
  target[i] = pc;
  part[i] = lane;
  return n + 1;
}

Flow do_brx(Warp *w, Path *p, const Op *op, Mask active) {
  const LabelList *list = op->in->operand[1].list;
  const uint32_t *index = operand(p->frame, op->a);
  int32_t target[WARP_SIZE + 1];
  Mask part[WARP_SIZE + 1], g = op_guard(p->frame, op, active);
  int n = 0;
  FOR_LANES(l, active) {
    int32_t pc = p->pc + 1;
    if (mask_has(g, l)) {
      if (index[l] >= list->count)
        return fault_raise(w, p, op->in, GPU_FAULT_OUT_OF_BOUNDS, 1u << l,
                           "keep the index below the number of labels",
                           "brx.idx takes label %u of a list of %zu", index[l], list->count);
      pc = list->targets[index[l]];
    }
    n = add_target(n, target, part, pc, 1u << l);
  }
  w->cta->m->stats.branches++;
  if (n == 1) {
    p->pc = target[0];
    return FLOW_JUMP;
  }
  count_divergence(w, n, target, op->in->reconverge);
  w->cta->m->model->diverge(w, p, n, target, part, op->in->reconverge);
  return FLOW_TURN;
}

void path_split_at(Warp *w, Path *p, Mask part) {
  int32_t target[2] = {p->pc, p->pc + 1};
  Mask parts[2] = {part, p->mask & ~part};
  w->cta->m->model->diverge(w, p, 2, target, parts, p->pc + 1);
}

/* ---- frames ---------------------------------------------------------------------------------- */

/* The same code, where its list of free frames may be changed; frames of an earlier launch are
 * gone.
 */
static Code *own_code(const Machine *m, const Code *code) {
  Code *own = code->fn->exec;
  if (own->free_launch != m->launch) own->free_frames = NULL;
  own->free_launch = m->launch;
  return own;
}

Frame *frame_new(Machine *m, const Code *code, Frame *caller) {
  Code *own = own_code(m, code);
  Frame *f = own->free_frames;
  if (f) {
    own->free_frames = f->free_next;
    memset(f->regs, 0, code->temp);
  } else {
    f = ARENA_NEW(m->launch_arena, Frame);
    f->regs = arena_alloc(m->launch_arena, code->reg_bytes);
  }
  f->code = code;
  f->caller = caller;
  f->depth = caller ? caller->depth + 1 : 0;
  f->local_base = LOCAL_BASE;
  if (caller) f->local_base = (caller->local_base + caller->code->local_bytes + 15) & ~15ull;
  return f;
}

void frame_release(const Machine *m, Frame *f) {
  Code *own = own_code(m, f->code);
  f->free_next = own->free_frames;
  own->free_frames = f;
}

bool local_reserve(Warp *w, uint64_t bytes) {
  enum { LIMIT = 512 << 10 }; /* CUDA's limit: 512 KiB of local memory a thread */
  if (bytes <= w->local_size) return true;
  if (bytes > LIMIT) return false;
  uint64_t size = (2 * bytes + 63) & ~63ull;
  if (size > LIMIT) size = LIMIT;
  Machine *m = w->cta->m;
  uint64_t more = WARP_SIZE * (size - w->local_size);
  if (more > WARPS_LIMIT - m->local_used) return false;
  uint8_t *local = calloc(WARP_SIZE, size);
  if (!local) return false;
  m->local_used += more;
  for (int l = 0; l < WARP_SIZE && w->local_size; l++)
    memcpy(local + (uint64_t)l * size, w->local + (uint64_t)l * w->local_size, w->local_size);
  free(w->local);
  w->local = local;
  w->local_size = size;
  return true;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static const Function *resolve(const Function *fn) {
  for (int hops = 0; fn && hops < 16; hops++) {
    if (fn->alias)
      fn = fn->alias;
    else if (fn->link)
      fn = fn->link;
    else
      break;
  }
  return fn;
}

/* The function at an address, or NULL. */
static Function *function_at(const Machine *m, uint64_t address) {
  uint64_t offset = address - FUNCTION_BASE;
  bool is_one = offset % FUNCTION_STEP == 0 && offset / FUNCTION_STEP < m->function_count;
  return is_one ? m->functions[offset / FUNCTION_STEP] : NULL;
}

/* Copies one argument or result, for the lanes of `m`, from a slot of one frame to one of another.
 */
static void copy_slot(Warp *w, Mask m, const Frame *from, const Var *a, const Frame *to,
                      const Var *b) {
  uint64_t bytes = a->size < b->size ? a->size : b->size;
  FOR_LANES(l, m)
  memcpy(local_at(w, l, to->local_base + b->offset), local_at(w, l, from->local_base + a->offset),
         bytes);
}

/* The .param variables of an operand that lists them: (a, b) or (r). */
static size_t slots_of(const Operand *o, Var **out, size_t max) {
  size_t n = 0;
  if (o->kind == OPND_SYM) out[n++] = o->var;
  for (int i = 0; o->kind == OPND_VEC && i < o->count && n < max; i++)
    if (o->vec[i].kind == OPND_SYM) out[n++] = o->vec[i].var;
  return n;
}

static Flow enter(Warp *w, Path *p, const Op *op, const Function *fn) {
  Machine *m = w->cta->m;
  Var *args[256];
  size_t n = slots_of(&op->in->operand[2], args, 256);
  if (fn->is_extern || !fn->insts) {
    Var *result = NULL;
    slots_of(&op->in->operand[0], &result, 1);
    BuiltinFn builtin = builtin_find(fn->name);
    if (builtin) return builtin(w, p, op, p->mask, args, n, result);
    return fault_raise(w, p, op->in, GPU_FAULT_UNSUPPORTED, p->mask,
                       "load the module that defines it, too, or define it in this file",
                       "call of '%s', which is declared but nowhere defined", fn->name);
  }
  const Code *code = prepare(m->module->arena, (Function *)fn);
  Frame *f = frame_new(m, code, p->frame);
  if (f->depth > MAX_CALL_DEPTH ||
      !local_reserve(w, f->local_base - LOCAL_BASE + code->local_bytes + 16)) {
    frame_release(m, f);
    return fault_raise(w, p, op->in, GPU_FAULT_OUT_OF_BOUNDS, p->mask,
                       "give the recursion an end, or use a loop",
                       "the stack is full: %d calls deep in '%s'", p->frame->depth + 1, fn->name);
  }
  for (size_t i = 0; i < n && i < fn->param_count; i++)
    copy_slot(w, p->mask, p->frame, args[i], f, fn->params[i]);
  f->return_pc = p->pc + 1;
  f->call = op->in;
  f->lanes = p->mask;
  p->frame = f;
  p->pc = 0;
  return FLOW_JUMP;
}

/* A call through a register: lanes may name different functions. They run one function after the
 * other and meet again behind the call. */
static Flow indirect(Warp *w, Path *p, const Op *op) {
  const uint64_t *address = operand(p->frame, op->a);
  uint64_t first = address[mask_first(p->mask)];
  Mask same = 0;
  FOR_LANES(l, p->mask) same |= address[l] == first ? 1u << l : 0;
  Function *fn = function_at(w->cta->m, first);
  if (!fn)
    return fault_raise(w, p, op->in, GPU_FAULT_OUT_OF_BOUNDS, same,
                       "set the function pointer on the device before it is called",
                       "call through 0x%llx, which is no function's address",
                       (unsigned long long)first);
  if (same == p->mask) return enter(w, p, op, resolve(fn));
  int32_t target[2] = {p->pc, p->pc};
  Mask part[2] = {same, p->mask & ~same};
  w->cta->m->stats.branches++;
  count_divergence(w, 2, target, p->pc + 1);
  w->cta->m->model->diverge(w, p, 2, target, part, p->pc + 1);
  return FLOW_RETRY; /* each part issues the call for itself */
}

Flow do_call(Warp *w, Path *p, const Op *op, Mask active) {
  Mask g = op_guard(p->frame, op, active);
  if (!g) return FLOW_NEXT;
  if (g != active) {
    path_split_at(w, p, g);
    return FLOW_RETRY;
  }
  if (op->in->operand[1].kind == OPND_REG) return indirect(w, p, op);
  return enter(w, p, op, resolve(op->in->operand[1].func));
}

Flow do_end(Warp *w, Path *p, const Op *op, Mask active) {
  (void)op;
  Frame *f = p->frame, *back = f->caller;
  if (!back) {
    lanes_leave(w, p, active);
    return FLOW_TURN;
  }
  Var *slot = NULL;
  if (f->code->fn->result_count && slots_of(&f->call->operand[0], &slot, 1))
    copy_slot(w, active, f, f->code->fn->results[0], back, slot);
  p->frame = back;
  p->pc = f->return_pc;
  f->lanes &= ~active;
  if (!f->lanes) frame_release(w->cta->m, f);
  w->cta->m->stats.warp_instructions--; /* the end of a function is no instruction of its own */
  w->cta->m->stats.thread_instructions -= (uint64_t)mask_count(active);
  return FLOW_JUMP;
}

Flow do_ret(Warp *w, Path *p, const Op *op, Mask active) {
  if (!p->frame->caller) return do_exit(w, p, op, active);
  return branch(w, p, op, op_guard(p->frame, op, active), p->frame->code->count);
}

Flow do_exit(Warp *w, Path *p, const Op *op, Mask active) {
  Mask g = op_guard(p->frame, op, active);
  if (op->guard != OPERAND_NONE) w->cta->m->stats.branches++;
  if (!g) return FLOW_NEXT;
  if (g != active) {
    int32_t targets[2] = {p->pc + 1, p->frame->code->count};
    count_divergence(w, 2, targets, p->frame->code->count);
  }
  lanes_leave(w, p, g);
  if (p->mask) path_advance(w, p);
  return FLOW_TURN;
}

void lanes_leave(Warp *w, Path *p, Mask gone) {
  w->live &= ~gone;
  w->cta->live -= (uint32_t)mask_count(gone);
  p->mask &= ~gone;
  for (Frame *f = p->frame; f && f->caller; f = f->caller) f->lanes &= ~gone;
  w->cta->m->model->leave(w, p, gone);
  syncs_recheck(w);
  barriers_recheck(w->cta);
}

Flow do_trap(Warp *w, Path *p, const Op *op, Mask active) {
  return fault_raise(w, p, op->in, GPU_FAULT_TRAP, active,
                     "look at the condition that leads to this trap", "the kernel ran into %s",
                     op_info(op->in->op)->text);
}

Flow do_nothing(Warp *w, Path *p, const Op *op, Mask active) {
  (void)w, (void)p, (void)op, (void)active;
  return FLOW_NEXT;
}

Flow do_fence(Warp *w, Path *p, const Op *op, Mask active) {
  (void)p, (void)op;
  check_fence(w, active);
  return FLOW_NEXT;
}

Flow do_unsupported(Warp *w, Path *p, const Op *op, Mask active) {
  char text[160];
  return fault_raise(w, p, op->in, GPU_FAULT_UNSUPPORTED, active,
                     "`warpsim ops` lists the instructions that are supported",
                     "the simulator does not execute `%s`",
                     inst_text(p->frame->code->fn->module, op->in, text, sizeof text));
}
