/*
 * timing/sm.h - one SM in time: sub-cores that each issue one warp instruction a cycle.
 *
 * The executor (exec/) says what an instruction does; this layer says when it may: a warp's next
 * instruction issues once its operands are there (a scoreboard by register), its pipe is free, its
 * code has been fetched, and the sub-core's scheduler picks the warp. Then it is executed, once and
 * for all, and the cycle at which each of its results is there goes on the scoreboard. Cycles in
 * which nothing can issue are jumped over.
 *
 *   sm_start_block   deals a block's warps to the sub-cores           sm.c
 *   sm_cycle         one cycle of every sub-core                      sm.c
 *   scheduler_pick   which warp goes first                            scheduler.c
 *   memory_access    what loads and stores cost                       hierarchy.c
 *   assemble         what a PTX instruction costs                     assemble.c
 */
#ifndef WARPBOOK_TIMING_SM_H
#define WARPBOOK_TIMING_SM_H

#include "exec/exec.h"
#include "timing/assemble.h"
#include "timing/hierarchy.h"

#define NEVER UINT64_MAX

/* Why a warp does not issue in a cycle; the names that go with them are in stall.def. */
typedef enum Stall {
#define X(name, text, meaning) STALL_##name,
#include "timing/stall.def"
#undef X
  STALLS
} Stall;

const char *stall_name(Stall s);    /* "long_scoreboard" */
const char *stall_meaning(Stall s); /* in plain words */

typedef struct SmWarp SmWarp;
typedef struct SubCore SubCore;
typedef struct Sm Sm;

/* ---- warps ----------------------------------------------------------------------------------- */

struct SmWarp {
  Warp *warp; /* NULL: the slot is free */
  SubCore *core;
  int place;        /* in core->warps */
  uint32_t slot;    /* of the SM */
  uint64_t age;     /* warps started before it */
  const Op *next;   /* what it issues next; NULL: it waits for other warps or lanes */
  const Slot *cost; /* of that */
  uint64_t ready;   /* when its operands and its code are there */
  Stall why;        /* what it waits for until then */
  uint64_t since;   /* the first cycle that is not accounted for yet */
  Stall throttle;   /* what it waited for after `ready`: its unit ... */
  uint64_t turn;    /* ... until then; from there on its turn */
  uint64_t floor;   /* before this it issues nothing: branches, expansions, barriers */
  Stall floor_why;
  uint32_t skipped;        /* switched-off instructions that it passes through before `next` */
  uint64_t stores;         /* when its last store has arrived: fences wait for it */
  Frame *frame;            /* whose registers the scoreboard holds */
  uint64_t *there;         /* by register: when its value is there */
  uint8_t *cause;          /* by register: a Stall */
  const Slot **loaded_for; /* by register: the instruction before which it was loaded last */
  uint64_t last;           /* when the last of them is there */
  uint64_t local;          /* address that stands for its local memory */
  uint32_t code_line;      /* the line of code that it fetched last, plus 1 */
  bool streaming;          /* ... and the following ones are on their way */
  uint64_t line_there;     /* when that line came, if it came from L2 */
  bool active;             /* two-level: among those that may issue */
  uint64_t issued;         /* instructions */
};

/* ---- schedulers ------------------------------------------------------------------------------ */

/* What a scheduler is asked: warps of one sub-core, in slot order, and which of them are eligible.
 * Returns an index, or -1 to issue nothing. */
typedef int (*PickFn)(void *context, SubCore *core, SmWarp *const *warps, const bool *eligible,
                      int count, uint64_t cycle);

typedef struct Scheduler {
  const char *name;
  const char *meaning;
  PickFn pick;
} Scheduler;

extern const Scheduler schedulers[]; /* ended by one without name */
/* By name; NULL when there is none. */
const Scheduler *scheduler_find(const char *name);

/* ---- what is counted ------------------------------------------------------------------------- */

typedef struct Counters {
  uint64_t cycles;              /* of the SMs, each from its first block to its last */
  uint64_t issue_cycles;        /* cycles x sub-cores */
  uint64_t issued;              /* issue slots used (machine instructions, as estimated) */
  uint64_t instructions;        /* PTX instructions executed, folded ones included */
  uint64_t warp_cycles[STALLS]; /* cycles of resident warps, by what they did */
  uint64_t slot_cycles[STALLS]; /* cycles of sub-cores: why nothing was issued */
  uint64_t eligible;            /* warps that could have issued, summed over cycles of sub-cores */
  uint64_t global_requests, global_sectors, l1_hits;
  uint64_t shared_requests, shared_wavefronts, shared_conflicts;
} Counters;

/* ---- an event, for traces and profiles ------------------------------------------------------- */

typedef struct SmEvent {
  const Sm *sm;
  const SmWarp *warp;
  const Executed *did;
  int32_t pc;      /* in did->frame->code */
  uint64_t cycle;  /* of issue */
  uint64_t since;  /* waited from here on */
  Stall why;       /* what for; STALL_SELECTED: for nothing */
  uint64_t ready;  /* until then */
  Stall throttle;  /* ... then for its unit ... */
  uint64_t turn;   /* ... until then; from there on for its turn */
  uint32_t slots;  /* issue slots that it took */
  uint32_t passes; /* wavefronts or sectors of a memory access */
  bool folded;     /* took no issue slot */
  bool diverged;   /* its lanes parted */
} SmEvent;

typedef void (*SmWatchFn)(void *context, const SmEvent *event);

/* ---- the SM ---------------------------------------------------------------------------------- */

enum { MAX_CORES = 8, CORE_WARPS = 256 };

struct SubCore {
  Sm *sm;
  int id;
  SmWarp *warps[CORE_WARPS];  /* in slot order */
  uint64_t ready[CORE_WARPS]; /* of each; NEVER: it has nothing to issue */
  int count;
  uint64_t free;      /* the issue port: busy before this cycle */
  uint64_t next;      /* nothing can issue before this cycle; NEVER: no warp waits for a time */
  uint64_t accounted; /* cycles before this one are accounted for */
  uint64_t pipe_free[PIPES];
  uint64_t ports_free;  /* register file */
  SmWarp *last;         /* issued last */
  uint32_t operands[4]; /* vector registers that `last` read, by place; for the reuse cache */
  uint32_t *code_tags;  /* lines of code in the sub-core's instruction cache */
  int turn;             /* round robin: where it looks first */
};

struct Sm {
  int id;
  Machine *m;
  const Arch *arch;
  SmMemory memory;
  SubCore cores[MAX_CORES];
  int core_count;
  SmWarp *warps; /* by slot */
  uint32_t warp_slots, resident_warps;
  uint32_t resident_blocks;
  uint64_t now;
  unsigned turn;    /* the sub-core that is first in the next cycle */
  uint64_t started; /* warps */
  uint64_t shuffle_free, redux_free, match_free, special_free, constant_free;
  uint64_t constant_lines; /* of parameters that the constant cache has, a bit each */
  bool spinning;           /* a warp waits for memory to change */
  bool ended;              /* a block has ended in this cycle */
  uint32_t code_lines;     /* of a sub-core's instruction cache */
  const Scheduler *scheduler;
  void *scheduler_context;
  Counters counters;
  SmWatchFn watch;
  void *watch_context;
  uint32_t scoreboard; /* registers that it must hold */
  Executed did;
};

/* `registers`: the most of any function that may run. Memory comes from the arena but for the
 * caches, which sm_release frees. */
bool sm_init(Sm *sm, int id, Machine *m, const Arch *arch, Hierarchy *h, Arena *arena,
             uint64_t shared_bytes, uint32_t registers);
void sm_release(Sm *sm);

/* Places a block that was started; its warps issue from cycle `at` on. There must be room. */
void sm_start_block(Sm *sm, Cta *cta, uint64_t at);
/* Removes a block whose warps are all done. */
void sm_end_block(Sm *sm, Cta *cta);

/* The next cycle in which something may happen; NEVER: nothing by itself. */
uint64_t sm_next(const Sm *sm);
/* Runs that cycle. True: a block has ended in it. */
bool sm_cycle(Sm *sm);
/* Looks again at warps that spin, from cycle `now` on: memory has changed. */
void sm_recheck(Sm *sm, uint64_t now);
/* Completes the accounts at the end of a launch. */
void sm_finish(Sm *sm);

#endif
