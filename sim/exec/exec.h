/*
 * exec/exec.h - the state of a running launch, and the functions that advance it.
 *
 * A Machine holds what a launch shares: memory, settings, counters, faults. A Block holds shared
 * memory, barriers and its warps. A Warp holds its lanes: they are grouped into Paths, a path being
 * the lanes that are at the same instruction of the same call. Which paths exist, which runs next
 * and where paths meet again is the business of a DivergenceModel (stack.c, its.c); everything else
 * here is the same under both.
 *
 *   warp_run    picks a path, runs instructions of it          run.c
 *   prepare     turns a parsed Function into Code              prepare.c
 *   do_*        one instruction that is not plain arithmetic   access.c warpops.c barrier.c ...
 */
#ifndef WARPBOOK_EXEC_EXEC_H
#define WARPBOOK_EXEC_EXEC_H

#include "base/arena.h"
#include "base/mask.h"
#include "exec/lanes.h"
#include "exec/memory.h"
#include "gpu.h"
#include "ptx/ptx.h"

typedef struct Machine Machine;
typedef struct Cta Cta; /* a thread block (CUDA calls it a cooperative thread array, too) */
typedef struct Warp Warp;
typedef struct Path Path;
typedef struct Frame Frame;
typedef struct Op Op;
typedef struct Code Code;

/* ---- code ---------------------------------------------------------------------------------- */

/* What an instruction did to the flow of its path. */
typedef enum Flow {
  FLOW_NEXT,  /* go on with the next instruction */
  FLOW_JUMP,  /* path->pc is set; go on there */
  FLOW_RETRY, /* it cannot issue yet: nothing happened, and the path waits */
  FLOW_TURN,  /* the paths have changed, or this one waits: pick again */
  FLOW_STOP   /* a fault ended the launch */
} Flow;

typedef Flow (*ExecFn)(Warp *w, Path *p, const Op *op, Mask active);

/* An operand: a byte offset into the frame's registers, or, with OPERAND_CONST set, into the code's
 * constants, where an immediate stands 32 times over. Both are arrays of lanes; a predicate is one
 * Mask. */
#define OPERAND_CONST 0x80000000u
#define OPERAND_NONE 0xffffffffu

typedef enum OpFlag {
  OPF_JOIN = 1,      /* some branch reconverges here: paths may have to meet */
  OPF_GUARD_NOT = 2, /* guarded by @!p */
  OPF_EXTRA = 4,     /* needs a LaneExtra: fourth source, second predicate, carry, divisor check */
  OPF_TEMP = 8,      /* some operand must be made first: a special register, !p, another width */
  OPF_CONTROL = 16   /* gets the path's whole mask, and looks at its guard itself */
} OpFlag;

/* One thing to do before or after an instruction whose operands are not plain lanes. */
typedef struct Step {
  LaneFn fn;          /* convert from -> to; or NULL: */
  SpecialReg sreg;    /* fill `to` with a special register; or SR_NONE: */
  bool frame_address; /* fill `to` with local_base + value; else to = ~from (a predicate) */
  uint32_t from, to;
  uint64_t value;
} Step;

typedef struct Steps {
  Step before[12];
  int before_count;
  Step after; /* from the scratch result to the destination; used when has_after */
  bool has_after;
} Steps;

struct Op {
  LaneFn lanes; /* arithmetic: the function over lanes; else NULL */
  ExecFn exec;  /* everything else */
  uint32_t d, a, b, c;
  uint32_t e;     /* fourth source */
  uint32_t p;     /* second predicate destination */
  uint32_t guard; /* a Mask in the registers, or OPERAND_NONE */
  uint32_t imm;
  uint8_t flags;
  uint8_t bytes;         /* memory: bytes of an element in memory */
  uint8_t count;         /* memory: elements; mov: elements of {..} */
  uint8_t space;         /* memory: Space the instruction names, SP_GENERIC when none */
  bool frame_relative;   /* memory: the address is in this call's local memory */
  uint8_t address_bytes; /* memory: 4 or 8, width of the base register in `e`; 0: none */
  int64_t off;           /* memory: added to the base */
  const Op *second;      /* cp.async: the address that is read */
  uint32_t *elems;       /* memory, mov: operands of the elements */
  uint8_t *elem_bytes;   /* bytes a lane of each */
  LaneFn combine;        /* atomics on floats: the operation */
  const Inst *combine_in;
  const Steps *steps; /* with OPF_TEMP */
  const Inst *in;
};

struct Code {
  const Function *fn;
  Op *ops; /* inst_count of them, and one more: the function's end */
  int32_t count;
  uint32_t reg_bytes;   /* registers of a warp, 32 lanes each */
  uint32_t temp;        /* offset in the registers of scratch lanes (5 x 256 bytes) */
  uint32_t *reg_offset; /* by register */
  uint8_t *consts;
  uint32_t local_bytes; /* a lane's frame */
  Frame *free_frames;   /* of launch number free_launch */
  uint64_t free_launch;
};

/* ---- lanes --------------------------------------------------------------------------------- */

/* A call's registers. Paths of one call share its frame, each using its own lanes. */
struct Frame {
  const Code *code;
  uint8_t *regs;
  Frame *caller;       /* NULL: the kernel */
  int32_t return_pc;   /* in the caller */
  const Inst *call;    /* the call instruction, for where results go */
  uint64_t local_base; /* address of this frame's local memory */
  Mask lanes;          /* lanes that are in the call */
  int32_t depth;
  Frame *free_next;
};

typedef enum PathState {
  PATH_READY,
  PATH_CONVERGING, /* waits for other lanes at a reconvergence point */
  PATH_SYNC,       /* waits at a _sync instruction until the lanes of sync_mask are there */
  PATH_BARRIER     /* waits at a barrier of the block */
} PathState;

struct Path {
  int32_t pc;
  Mask mask; /* 0: the slot is free */
  Frame *frame;
  PathState state;
  Mask sync_mask;     /* PATH_SYNC */
  int barrier;        /* PATH_BARRIER: which */
  int32_t rpc;        /* stack: pops here */
  Frame *rframe;      /* stack: in this call */
  uint64_t turn;      /* its: when it last gave way; the smallest runs next */
  uint64_t spin_seen; /* memory version at which it was found to spin; 0: it does not */
};

/* Where lanes that parted are to meet (its). */
typedef struct Convergence {
  Frame *frame;
  int32_t pc;
  Mask members; /* lanes that are expected, or there */
} Convergence;

typedef struct SpinWatch { /* a copy of a path's state, to see whether it comes back unchanged */
  int32_t pc;
  Frame *frame;
  Mask mask;
  uint64_t version;
  uint64_t left; /* back edges until the copy is renewed */
  uint64_t span;
  uint8_t *regs;
  size_t capacity;
} SpinWatch;

enum { MAX_PATHS = 72, MAX_CONVERGENCES = 64, MAX_BARRIERS = 16, MAX_CALL_DEPTH = 4096 };
/* Bytes of registers, and bytes of local memory, of all warps that are started. */
#define WARPS_LIMIT (1ull << 30)

typedef struct DivergenceModel {
  const char *name;
  /* The path that runs next, or NULL when none can. */
  Path *(*pick)(Warp *w);
  /* `p` is at a branch and takes several targets: part[i] lanes go to target[i], in source order.
   * They meet again at `rpc` (the code's count: at the function's end). */
  void (*diverge)(Warp *w, Path *p, int n, const int32_t *target, const Mask *part, int32_t rpc);
  /* `p` has come to a join (p->pc). False: it waits there, or was merged into another path. */
  bool (*arrive)(Warp *w, Path *p);
  /* Lanes have left the kernel; p->mask is already without them (and may be empty). */
  void (*leave)(Warp *w, Path *p, Mask gone);
  /* `p` spins: nothing that it reads changes. Lets other lanes go first where the model can. */
  bool (*give_way)(Warp *w, Path *p);
  /* A lane waits for itself alone at _sync instructions and barriers; else for the whole warp. */
  bool independent;
} DivergenceModel;

extern const DivergenceModel model_stack, model_its;

typedef enum WarpState {
  WARP_READY,
  WARP_WAITING,  /* every lane that is left waits at a barrier or a _sync instruction */
  WARP_SPINNING, /* every path that could run repeats itself until memory changes */
  WARP_DONE
} WarpState;

struct Warp {
  Cta *cta;
  int id;     /* within the block: linear thread id / 32 */
  Mask lanes; /* lanes that have a thread */
  Mask live;  /* lanes that have not left the kernel */
  WarpState state;
  Path paths[MAX_PATHS];
  int slots; /* paths[0 .. slots) may be in use */
  int top;   /* stack: index of the top path */
  Path *current;
  Frame *root; /* the kernel's registers */
  Convergence joins[MAX_CONVERGENCES];
  int join_count;
  uint64_t turn;
  uint64_t slice; /* instructions since the current path got its turn */
  uint32_t backs; /* back edges since then */
  bool spun;      /* a spin was found before: look sooner */
  SpinWatch watch;
  struct WarpClock *clock; /* GPU_CHECK_FULL: what each lane knows of the others (check.h) */
  Mask carry;              /* the condition code of .cc, a bit a lane */
  uint32_t tid[3][WARP_SIZE];
  uint8_t *local; /* local memory: local_size bytes a lane */
  uint64_t local_size;
  bool diverged;
};

/* ---- blocks -------------------------------------------------------------------------------- */

typedef struct Barrier {
  bool open;            /* somebody waits */
  uint32_t expected;    /* threads; 0: all of the block that are left */
  Mask came[WARP_SIZE]; /* by warp: lanes that have arrived */
  uint32_t yes, no;     /* .red: lanes whose predicate holds, does not hold */
  const Inst *first;    /* who came first, for messages */
  const Module *first_module;
  int first_warp;
} Barrier;

struct Cta {
  Machine *m;
  gpu_dim id;
  uint64_t index;
  uint32_t threads, warp_count;
  Warp *warps;
  uint8_t *shared;
  Barrier barriers[MAX_BARRIERS];
  uint32_t live;            /* threads that have not left */
  struct BlockClock *clock; /* GPU_CHECK_FULL */
  Cta *next_free;
};

/* ---- what was executed ----------------------------------------------------------------------- */

/* The instruction that a warp executed last, for whoever counts cycles or draws timelines. It is
 * filled while Machine.watch points to one. */
typedef struct Executed {
  const Op *op;
  Frame *frame;
  Mask active;     /* lanes of the path */
  Mask lanes;      /* those of them at which the guard holds: they did something */
  Mask accessed;   /* lanes that accessed memory; 0: none did */
  uint32_t bytes;  /* a lane */
  uint32_t groups; /* of match: different values */
  uint64_t address[WARP_SIZE];
} Executed;

/* ---- a launch ------------------------------------------------------------------------------ */

typedef struct FaultList FaultList;

typedef struct Settings {
  gpu_check check;
  bool keep_going;
  uint64_t instruction_limit;
  uint64_t schedule_seed;
} Settings;

struct Machine {
  Memory memory;
  Settings set;
  const DivergenceModel *model;
  struct Policy *policy; /* the model is made of a module's functions (policy.h); or NULL */
  Module *module;        /* of the kernel that runs */
  Function **functions;  /* of all modules: the one at FUNCTION_BASE + FUNCTION_STEP * i */
  size_t function_count;
  const Code *code; /* the kernel's */
  gpu_dim grid, block;
  uint8_t *params;
  uint64_t param_bytes;
  uint64_t shared_static, shared_dynamic; /* bytes a block */
  uint64_t shared_end;                    /* bytes of the window that a block may use */
  uint64_t dynamic_offset;                /* where extern shared variables start */
  gpu_stats stats;
  uint64_t issued; /* warp instructions of this launch: clock64 without timing */
  bool timed;      /* cycles are counted: %clock shows `cycle` */
  uint64_t cycle;  /* of the SM whose warp runs */
  double clock_mhz;
  Executed *watch;                    /* filled after every instruction; NULL: nobody looks */
  uint64_t random;                    /* state of the adversarial schedule */
  uint32_t smid, sm_count, max_warps; /* what %smid, %nsmid and %nwarpid say */
  bool stopped;                       /* a fault ended the launch */
  FaultList *faults;
  Allocation *cache[256]; /* the allocation an instruction found last */
  uint64_t launch;        /* its number */
  uint64_t local_used;    /* bytes of all warps' local memory */
  Arena *launch_arena;    /* freed when the launch ends */
  char *out;              /* what printf wrote */
  size_t out_length, out_capacity;
  bool out_cut;
};

/* ---- what other files call ------------------------------------------------------------------ */

/* Turns a function into Code (once; it is kept in fn->exec). False: out of memory. */
const Code *prepare(Arena *arena, Function *fn);

/* Runs at most `budget` warp instructions. Sets w->state. Returns how many it ran. */
uint64_t warp_run(Warp *w, uint64_t budget);

/* A pointer to an operand's lanes (or Mask). */
static inline void *operand(const Frame *f, uint32_t at) {
  return at & OPERAND_CONST ? f->code->consts + (at & ~OPERAND_CONST) : f->regs + at;
}

static inline void *operand_or_null(const Frame *f, uint32_t at) {
  return at == OPERAND_NONE ? NULL : operand(f, at);
}

/* Lanes of an active mask at which the instruction's guard holds. */
static inline Mask op_guard(const Frame *f, const Op *op, Mask active) {
  if (op->guard == OPERAND_NONE) return active;
  Mask g = *(const Mask *)(f->regs + op->guard);
  return active & (op->flags & OPF_GUARD_NOT ? ~g : g);
}

/* Removes lanes from the kernel (exit, ret of the kernel, a fault with keep_going). */
void lanes_leave(Warp *w, Path *p, Mask gone);
/* Completes what a warp's leaving lanes may have been the last to be waited for. */
void barriers_recheck(Cta *cta);

Frame *frame_new(Machine *m, const Code *code, Frame *caller);
void frame_release(const Machine *m, Frame *f);

/* ---- instructions, by file ------------------------------------------------------------------ */

/* control.c */
Flow do_bra(Warp *, Path *, const Op *, Mask);
Flow do_brx(Warp *, Path *, const Op *, Mask);
Flow do_call(Warp *, Path *, const Op *, Mask);
Flow do_ret(Warp *, Path *, const Op *, Mask);
Flow do_exit(Warp *, Path *, const Op *, Mask);
Flow do_end(Warp *, Path *, const Op *, Mask); /* the function's end: back to the caller */
Flow do_trap(Warp *, Path *, const Op *, Mask);
Flow do_nothing(Warp *, Path *, const Op *, Mask);
Flow do_fence(Warp *, Path *, const Op *, Mask);
Flow do_unsupported(Warp *, Path *, const Op *, Mask);
/* move.c */
Flow do_mov(Warp *, Path *, const Op *, Mask);
Flow do_isspacep(Warp *, Path *, const Op *, Mask);
/* access.c */
Flow do_ld(Warp *, Path *, const Op *, Mask);
Flow do_st(Warp *, Path *, const Op *, Mask);
Flow do_atom(Warp *, Path *, const Op *, Mask);
Flow do_cp_async(Warp *, Path *, const Op *, Mask);
/* warpops.c */
Flow do_shfl(Warp *, Path *, const Op *, Mask);
Flow do_vote(Warp *, Path *, const Op *, Mask);
Flow do_match(Warp *, Path *, const Op *, Mask);
Flow do_redux(Warp *, Path *, const Op *, Mask);
Flow do_elect(Warp *, Path *, const Op *, Mask);
Flow do_activemask(Warp *, Path *, const Op *, Mask);
Flow do_warp_sync(Warp *, Path *, const Op *, Mask);
/* tensor.c */
Flow do_mma(Warp *, Path *, const Op *, Mask);
Flow do_wmma_access(Warp *, Path *, const Op *, Mask);
Flow do_ldmatrix(Warp *, Path *, const Op *, Mask);
Flow do_movmatrix(Warp *, Path *, const Op *, Mask);
/* mbarrier.c */
Flow do_mbarrier(Warp *, Path *, const Op *, Mask);
Flow do_pending_count(Warp *, Path *, const Op *, Mask);
/* barrier.c */
Flow do_barrier(Warp *, Path *, const Op *, Mask);

#endif
