/*
 * timing/assemble.h - what an assembler makes of a function: an estimate, by stated rules.
 *
 * PTX is not what a GPU executes. The vendor's assembler turns it into machine code: it drops
 * moves, folds address arithmetic and constants into operands, fuses a multiplication with the
 * addition behind it, keeps what is equal for all threads in uniform registers, replaces short
 * branches by predicates, and reorders what is independent so that long latencies begin early. Each
 * rule that is modelled is a function in assemble.c or schedule.c with a comment that says what it
 * stands for.
 *
 * The result is a Slot for each PTX instruction: how many issue slots it takes (0: folded into
 * others), on which unit, for how long, and which registers it waits for.
 */
#ifndef WARPBOOK_TIMING_ASSEMBLE_H
#define WARPBOOK_TIMING_ASSEMBLE_H

#include "base/arena.h"
#include "ptx/ptx.h"
#include "timing/arch.h"

/* Where an instruction executes: each is a pipeline with an interval and a latency of its own. */
typedef enum Pipe {
  PIPE_NONE,    /* folded: takes no slot */
  PIPE_ALU,     /* integer add, logic, compare, select, shift, move */
  PIPE_FMA,     /* single-precision arithmetic */
  PIPE_IMAD,    /* integer multiply; half of the FMA pipe */
  PIPE_HALF,    /* half precision */
  PIPE_FP64,    /* double precision */
  PIPE_SFU,     /* reciprocal, exp2, ..., population count */
  PIPE_CONVERT, /* conversions */
  PIPE_UNIFORM, /* arithmetic on uniform registers, once for the warp */
  PIPE_VOTE,    /* votes */
  PIPE_SHUFFLE, /* shuffles */
  PIPE_REDUX,   /* reduction of a warp */
  PIPE_MATCH,   /* match.any, match.all */
  PIPE_SPECIAL, /* reads of special registers */
  PIPE_TENSOR,  /* mma */
  PIPE_MEMORY,  /* loads, stores, atomics */
  PIPE_BRANCH,  /* branches, calls, returns */
  PIPE_SYNC,    /* __syncwarp */
  PIPE_BARRIER, /* barriers of the block */
  PIPE_FENCE,   /* memory fences */
  PIPES
} Pipe;

const char *pipe_name(Pipe pipe); /* "alu" */

/* A register that an instruction waits for, and cycles beyond the producer's latency. */
typedef struct Read {
  uint32_t reg;
  uint8_t extra;
  bool vector; /* read through the register file's ports */
} Read;

/* A parameter that is loaded into a register (LDC) when a warp comes to an instruction. */
typedef struct ConstantLoad {
  uint32_t reg;  /* as the instructions read it */
  uint32_t root; /* the one that ld.param writes */
  uint32_t line; /* of the constant cache */
} ConstantLoad;

typedef struct Slot {
  uint8_t pipe;      /* Pipe */
  uint8_t issues;    /* issue slots it takes; 0: folded into others */
  bool uniform;      /* its result is the same in all lanes, by construction */
  bool predicated;   /* a branch that the assembler replaces by predicates on what it skips */
  bool inverted;     /* a branch around a jump: its lanes fall through, the jump's are taken */
  bool drains;       /* waits for everything outstanding of the warp (calls) */
  bool invariant;    /* moved out of a loop */
  bool guarded;      /* a selection that became an instruction under a predicate */
  bool fused;        /* another instruction was folded into it */
  bool join;         /* paths of a branch that may diverge meet here */
  uint8_t vectors;   /* different vector registers read */
  uint16_t interval; /* cycles that it keeps its pipe busy, all its instructions together */
  uint16_t latency;  /* cycles from issue until a dependent instruction may issue */
  bool aggregated;   /* an atomic of which one lane makes one for all active ones */
  uint8_t words;     /* loads of neighbouring words that became one: how many; 0 counts as 1 */
  uint32_t rides;    /* such a load, folded: the register that the first one writes, + 1 */
  uint32_t arm;      /* the predicate of the short arm that it stands in, + 1; 0: of none */
  uint16_t source_count, dest_count;
  const Read *sources;
  const uint32_t *dests;
  const ConstantLoad *loads; /* before it: parameters that this stretch of code reads first */
  uint32_t load_count;
} Slot;

typedef struct Assembly {
  const Function *fn;
  Slot *slots;        /* one an instruction, and one for the function's end */
  uint32_t *address;  /* machine instructions before each of them: where the code lies */
  uint32_t size;      /* machine instructions in all */
  uint32_t base;      /* machine instructions of the functions before it */
  uint32_t registers; /* 32-bit registers a thread: an estimate */
} Assembly;

/* Assembles `fn` for `arch`: reorders fn->insts within basic blocks, and returns the slots (in the
 * arena). Must be called before the function is prepared for execution. NULL: out of memory. */
Assembly *assemble(Arena *arena, const Arch *arch, Function *fn);

/* schedule.c: the order of each basic block. Permutes insts and slots alike. */
void schedule_blocks(Arena *arena, Function *fn, Slot *slots);

/* Does nothing move across the instruction? (Barriers, branches, clocks, ...) */
bool ends_stretch(const Inst *in, const Slot *s);

/* Calls `each` for every register that the instruction reads or writes; vectors element by element,
 * the guard first. */
typedef void (*RegisterFn)(void *context, int32_t reg, bool write);
void inst_registers(const Inst *in, RegisterFn each, void *context);

#endif
