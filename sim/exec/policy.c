/* exec/policy.c - a divergence model whose decisions a module's functions make.
 *
 * The executor knows where each lane is: w->paths holds groups of lanes at one place, as under
 * `its`. The policy is told what happens to them and says which lanes run next; the answer is a
 * mask, and any set of lanes at one place is a right one. So a wrong policy cannot make a lane
 * compute something else: it is found out when it names lanes at different places, lanes that have
 * ended, or nobody while lanes are left. */
#include "exec/policy.h"

#include <stdlib.h>
#include <string.h>

#include "exec/callback.h"
#include "exec/control.h"
#include "exec/fault.h"

enum {
  MAX_WARPS = 64, /* WB_WARPS in cuda/warpbook.h */
  PC_BITS = 20,   /* a place is the number of a frame, and the instruction in its function */
  MAX_FRAMES = 1 << (31 - PC_BITS)
};

/* wb_branch in cuda/warpbook.h */
typedef struct BranchRecord {
  int32_t pc, rpc;
  uint32_t active;
  int32_t paths;
  int32_t target[WARP_SIZE];
  uint32_t mask[WARP_SIZE];
} BranchRecord;

/* A warp of the kernel, under its number. */
typedef struct Client {
  const Warp *warp;     /* NULL: the number is free */
  bool ask;             /* something happened since the last answer */
  Path *chosen;         /* the last answer */
  const Frame **frames; /* by the number that stands for the frame in places; 0 is the kernel's */
  int frame_count, frame_capacity;
} Client;

struct Policy {
  DivergenceModel model;
  const DivergenceModel *base; /* the machine's own */
  char *name;
  Function *functions[POLICY_FN_COUNT];
  uint64_t branch_record; /* device address */
  Client clients[MAX_WARPS];
  Callback callback;
};

const PolicyPrototype policy_prototypes[POLICY_FN_COUNT] = {
    {"_start", "void", "int warp, unsigned lanes", 2, {4, 4}, false},
    {"_branch", "void", "int warp, const wb_branch *b", 2, {4, 8}, false},
    {"_join", "void", "int warp, int pc, unsigned lanes", 3, {4, 4, 4}, false},
    {"_leave", "void", "int warp, unsigned lanes", 2, {4, 4}, false},
    {"_next", "unsigned", "int warp, unsigned ready", 2, {4, 4}, true}};

/* ---- calls ----------------------------------------------------------------------------------- */

static void bad_callback(Warp *w, const Path *p, PolicyFn fn, const char *what) {
  Machine *m = w->cta->m;
  fault_raise(w, p, path_inst(p), GPU_FAULT_BAD_CALLBACK, p->mask,
              "look at that function of the divergence model: it decides who runs next", "%s%s %s",
              m->policy->name, policy_prototypes[fn].name, what);
  m->stopped = true; /* there is no way to go on, whatever was asked for */
}

/* The warp's number; -1 when it has none. */
static int number_of(const Policy *y, const Warp *w) {
  for (int i = 0; i < MAX_WARPS; i++)
    if (y->clients[i].warp == w) return i;
  return -1;
}

static Client *client_of(Warp *w) {
  Policy *y = w->cta->m->policy;
  int i = number_of(y, w);
  return i < 0 ? NULL : &y->clients[i];
}

/* Calls a function of the policy for a warp that has a number, which becomes args[0]. False: the
 * launch has been stopped. */
static bool call(Warp *w, const Path *p, PolicyFn which, const uint64_t *args, uint32_t *result) {
  Machine *m = w->cta->m;
  Policy *y = m->policy;
  uint64_t all[3] = {0};
  if (m->stopped) return false;
  memcpy(all, args, (size_t)policy_prototypes[which].count * sizeof *all);
  all[0] = (uint64_t)number_of(y, w);
  CallbackEnd end = callback_run(m, &y->callback, y->functions[which], all, result);
  const char *complaint = callback_complaint(end);
  if (end == CALLBACK_DONE && y->callback.spent > m->set.instruction_limit)
    complaint = "and its companions have used up the launch's limit of instructions";
  if (complaint) bad_callback(w, p, which, complaint);
  return !m->stopped;
}

/* Tells the policy what happened; it will be asked who runs next. */
static void tell(Warp *w, const Path *p, PolicyFn what, const uint64_t *args) {
  client_of(w)->ask = true;
  call(w, p, what, args, NULL);
}

/* ---- warps and places ------------------------------------------------------------------------ */

static int frame_number(Client *c, const Frame *f) {
  for (int i = 0; i < c->frame_count; i++)
    if (c->frames[i] == f) return i;
  if (c->frame_count == MAX_FRAMES) return -1;
  if (c->frame_count == c->frame_capacity) {
    int capacity = c->frame_capacity ? 2 * c->frame_capacity : 16;
    const Frame **frames = realloc(c->frames, (size_t)capacity * sizeof(const Frame *));
    if (!frames) return -1;
    c->frames = frames;
    c->frame_capacity = capacity;
  }
  c->frames[c->frame_count] = f;
  return c->frame_count++;
}

/* Gives the warp a number and tells the policy that it begins. */
static Client *start_client(Warp *w, const Path *p) {
  Policy *y = w->cta->m->policy;
  int i = number_of(y, NULL);
  if (i < 0) {
    bad_callback(w, p, POLICY_START,
                 "cannot be called: it knows 64 warps at a time, and all have begun and not "
                 "ended; launch fewer threads");
    return NULL;
  }
  Client *c = &y->clients[i];
  c->warp = w;
  c->ask = true;
  c->frame_count = 0;
  frame_number(c, w->root);
  const uint64_t args[] = {0, w->lanes};
  return call(w, p, POLICY_START, args, NULL) ? c : NULL;
}

/* The number by which the policy knows a place. In the kernel itself it is the instruction's. */
static int32_t place(Warp *w, const Path *p, int32_t pc) {
  int number = frame_number(client_of(w), p->frame);
  if (number < 0 || pc >= 1 << PC_BITS)
    bad_callback(w, p, POLICY_BRANCH,
                 "cannot be told where lanes are: calls are too deep, or a function too long");
  return (int32_t)((uint32_t)number << PC_BITS | (uint32_t)pc);
}

/* ---- what happens ---------------------------------------------------------------------------- */

static void policy_diverge(Warp *w, Path *p, int n, const int32_t *target, const Mask *part,
                           int32_t rpc) {
  Machine *m = w->cta->m;
  Path at = *p;
  BranchRecord b = {
      .pc = place(w, &at, at.pc), .rpc = place(w, &at, rpc), .active = at.mask, .paths = n};
  Path *paths[WARP_SIZE + 1];
  for (int i = 0; i < n; i++) {
    b.target[i] = place(w, &at, target[i]);
    b.mask[i] = part[i];
  }
  path_part(w, p, n, target, part, paths);
  Allocation *memory = memory_find(&m->memory, m->policy->branch_record, sizeof b);
  if (!memory) {
    bad_callback(w, &at, POLICY_BRANCH, "has freed the memory in which it is told of branches");
    return;
  }
  memcpy(memory->host, &b, sizeof b);
  const uint64_t args[] = {0, m->policy->branch_record};
  tell(w, &at, POLICY_BRANCH, args);
}

static bool policy_arrive(Warp *w, Path *p) {
  const uint64_t args[] = {0, (uint32_t)place(w, p, p->pc), p->mask};
  tell(w, p, POLICY_JOIN, args);
  return false;
}

static void policy_leave(Warp *w, Path *p, Mask gone) {
  const uint64_t args[] = {0, gone};
  tell(w, p, POLICY_LEAVE, args);
  if (!w->live) client_of(w)->warp = NULL;
}

static bool policy_give_way(Warp *w, Path *p) {
  client_of(w)->ask = true;
  for (int i = 0; i < w->slots; i++)
    if (&w->paths[i] != p && path_can_run(w, &w->paths[i])) return true;
  return false;
}

/* ---- who runs next --------------------------------------------------------------------------- */

/* The path that has the lowest of these lanes; any path when no path has one of them. */
static Path *path_with(Warp *w, Mask lanes) {
  Path *any = NULL;
  int lowest = WARP_SIZE;
  for (int i = 0; i < w->slots; i++) {
    Path *p = &w->paths[i];
    if (!p->mask) continue;
    if (!any) any = p;
    if (!(p->mask & lanes) || mask_first(p->mask & lanes) >= lowest) continue;
    lowest = mask_first(p->mask & lanes);
    any = p;
  }
  return any;
}

static void bad_choice(Warp *w, const Path *p, const Path *other, const char *advice,
                       const char *what, Mask lanes) {
  Machine *m = w->cta->m;
  fault_raise(w, p, path_inst(p), GPU_FAULT_BAD_CALLBACK, lanes, advice, "%s_next %s 0x%08x",
              m->policy->name, what, lanes);
  if (other)
    fault_add_place(m->faults, other->frame->code->fn->module, path_inst(other),
                    "another of these lanes is here");
  m->stopped = true;
}

/* Whether the chosen lanes are there and stand at one place; `first` is the path of the lowest. */
static bool check_choice(Warp *w, const Path *first, Mask chosen) {
  if (!chosen) {
    bad_choice(w, first, NULL,
               "every lane that has not ended must be in some entry: look at who was dropped at a "
               "branch, at a join or when others left",
               "chooses nobody, but these lanes have not ended and wait here:", w->live);
    return false;
  }
  if (chosen & ~w->live) {
    bad_choice(w, first, NULL, "take lanes that leave out of every entry",
               "chooses lanes that have ended, or that never had a thread:", chosen & ~w->live);
    return false;
  }
  for (int i = 0; i < w->slots; i++) {
    const Path *q = &w->paths[i];
    if (!(q->mask & chosen) || (q->pc == first->pc && q->frame == first->frame)) continue;
    bad_choice(w, first, q,
               "lanes run together only from one place: wait until all of them have come to the "
               "reconvergence point",
               "chooses lanes that are at different places:", chosen);
    return false;
  }
  return true;
}

/* Makes one path of the chosen lanes, which stand at one place and can run. */
static Path *gather_choice(Warp *w, Path *first, Mask chosen) {
  if (first->mask & ~chosen) {
    Path *rest = path_new(w);
    *rest = *first;
    rest->mask &= ~chosen;
  }
  for (int i = 0; i < w->slots; i++)
    if (&w->paths[i] != first && w->paths[i].mask & chosen) w->paths[i].mask &= ~chosen;
  first->mask = chosen;
  return first;
}

static bool all_can_run(const Warp *w, Mask chosen) {
  for (int i = 0; i < w->slots; i++)
    if (w->paths[i].mask & chosen && !path_can_run(w, &w->paths[i])) return false;
  return true;
}

static Path *policy_pick(Warp *w) {
  Mask ready = 0, chosen;
  const Policy *y = w->cta->m->policy;
  if (!w->live || w->cta->m->stopped || !y) return NULL;
  Client *c = client_of(w);
  if (!c) c = start_client(w, path_with(w, w->live));
  if (!c) return NULL;
  if (!c->ask && path_can_run(w, c->chosen)) return c->chosen;
  for (int i = 0; i < w->slots; i++)
    if (path_can_run(w, &w->paths[i])) ready |= w->paths[i].mask;
  if (!ready) return NULL;
  const uint64_t args[] = {0, ready};
  if (!call(w, path_with(w, ready), POLICY_NEXT, args, &chosen)) return NULL;
  Path *first = path_with(w, chosen ? chosen : w->live);
  if (!check_choice(w, first, chosen)) return NULL;
  c->ask = !all_can_run(w, chosen);
  if (!c->ask) c->chosen = gather_choice(w, first, chosen);
  return c->ask ? NULL : c->chosen;
}

/* ---- setting --------------------------------------------------------------------------------- */

static void policy_free(Policy *y) {
  for (int i = 0; i < MAX_WARPS; i++) free(y->clients[i].frames);
  callback_free(&y->callback);
  free(y->name);
  free(y);
}

const DivergenceModel *policy_base(const Machine *m) {
  return m->policy ? m->policy->base : m->model;
}

void policy_clear(Machine *m) {
  if (!m->policy) return;
  m->model = m->policy->base;
  memory_free(&m->memory, m->policy->branch_record);
  policy_free(m->policy);
  m->policy = NULL;
}

bool policy_set(Machine *m, Function *const *functions, const char *name) {
  policy_clear(m);
  Policy *y = calloc(1, sizeof *y);
  if (!y) return false;
  y->base = m->model;
  y->model = (DivergenceModel){.name = "policy",
                               .pick = policy_pick,
                               .diverge = policy_diverge,
                               .arrive = policy_arrive,
                               .leave = policy_leave,
                               .give_way = policy_give_way,
                               .independent = m->model->independent};
  y->name = strdup(name);
  y->branch_record = memory_alloc(&m->memory, sizeof(BranchRecord), "wb_branch", false);
  if (!y->name || !y->branch_record) {
    policy_free(y);
    return false;
  }
  memcpy(y->functions, functions, sizeof y->functions);
  m->policy = y;
  m->model = &y->model;
  return true;
}

void policy_begin(Machine *m) {
  Policy *y = m->policy;
  if (!y) return;
  callback_begin(m, &y->callback);
  for (int i = 0; i < MAX_WARPS; i++) y->clients[i].warp = NULL;
}
