/*
 * ptx/ptx.h - a PTX module after parsing: declarations, and functions decoded to instructions whose
 * registers are numbers, whose labels are indices and whose variables are pointers.
 *
 * Two tables define the language: types.def and mods.def the words, ops.def the instructions.
 * Nothing in this layer knows how an instruction executes.
 */
#ifndef WARPBOOK_PTX_PTX_H
#define WARPBOOK_PTX_PTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

/* ---- words --------------------------------------------------------------------------------- */

typedef enum PtxType {
  TY_NONE,
#define X(name, text, bits, class) TY_##name,
#include "ptx/types.def"
#undef X
  TY_COUNT
} PtxType;

typedef enum TypeClass { TC_NONE, TC_P, TC_B, TC_U, TC_S, TC_F, TC_H, TC_V, TC_O } TypeClass;

const char *type_name(PtxType t); /* "s32" */
int type_bits(PtxType t);
int type_bytes(PtxType t); /* in memory; 1 for pred */
TypeClass type_class(PtxType t);
static inline bool type_is_signed(PtxType t) { return type_class(t) == TC_S; }
/* Bytes a lane of a register of this type: 2 for 8 and 16 bits, 4, 8, 16; 0 for pred (a Mask). */
int type_lane_bytes(PtxType t);

/* Categories of modifiers, and in each category its values: MOD(ROUND, RZ) is ROUND_RZ. */
typedef enum ModCategory {
  MC_ROUND,
  MC_FTZ,
  MC_SAT,
  MC_RELU,
  MC_PREC,
  MC_CMP,
  MC_BOOL,
  MC_HALF,
  MC_CC,
  MC_NANP,
  MC_XORSIGN,
  MC_ABS,
  MC_SPACE,
  MC_SPACE2,
  MC_TO,
  MC_CACHE,
  MC_NC,
  MC_SEM,
  MC_SCOPE,
  MC_VEC,
  MC_SHFL,
  MC_VOTE,
  MC_SYNC,
  MC_ALIGNED,
  MC_ATOM,
  MC_NOFTZ,
  MC_WRAP,
  MC_DIR,
  MC_PRMT,
  MC_TESTP,
  MC_SHIFTAMT,
  MC_UNI,
  MC_NOINC,
  MC_NOCOMPLETE,
  MC_PARITY,
  MC_LEVEL,
  MC_SHAPE,
  MC_LAYOUT_A,
  MC_LAYOUT_B,
  MC_MATRICES,
  MC_TRANS,
  MC_MMIO,
  MC_CATEGORIES
} ModCategory;

/* Values, numbered through all categories; 0 is "absent". Enumerators are MOD_ROUND_RZ and so on.
 */
typedef enum ModValue {
  MOD_NONE,
#define X(cat, value, text) MOD_##cat##_##value,
#include "ptx/mods.def"
#undef X
  MOD_VALUES
} ModValue;

const char *mod_text(ModValue v);
/* The rows, columns and depth that m16n8k16 names; 0 for what a value does not name. */
void mod_shape(ModValue v, int dim[3]);
/* Of a matrix instruction: rows and columns of operand `which` (0 D, 1 A, 2 B, 3 C), its type, and
 * the registers that hold a lane's part of it. */
typedef struct FragmentShape {
  int rows, columns, registers;
  PtxType type;
} FragmentShape;

typedef enum PtxOp {
  OP_NONE,
#define X(name, text, sig, types, mods, unit) OP_##name,
#include "ptx/ops.def"
#undef X
  OP_COUNT
} PtxOp;

/* The unit of the SM that executes an instruction. With the type it gives the latency class. */
typedef enum Unit {
  UNIT_NONE,   /* nothing: folded or free */
  UNIT_ALU,    /* integer add, logic, compare, min, max, shift, select, move */
  UNIT_FMA,    /* floating-point add, multiply, fused multiply-add; integer multiply */
  UNIT_SFU,    /* rcp, rsqrt, sin, ex2, ...; population count; conversions */
  UNIT_DIV,    /* what a compiler expands into a sequence: div, rem, sqrt.rn, ... */
  UNIT_LSU,    /* memory */
  UNIT_WARP,   /* shuffle, vote, match, redux */
  UNIT_BRANCH, /* bra, call, ret, exit */
  UNIT_SYNC,   /* barriers and fences */
  UNIT_TENSOR  /* mma */
} Unit;

typedef struct OpInfo {
  const char *text; /* "add", "bar.warp.sync" */
  const char *sig;  /* operands, see ops.def; "*": anything (parsed, but not supported) */
  uint64_t types;   /* set of legal types, bit TY_x; 0: takes no type */
  uint64_t mods;    /* set of legal categories, bit MC_x */
  Unit unit;
} OpInfo;

const OpInfo *op_info(PtxOp op);
/* bar.red in any of its spellings: its last operand is a predicate, a count may come before. */
static inline bool op_is_barrier_red(PtxOp op) {
  return op == OP_BAR_RED || op == OP_BAR_CTA_RED || op == OP_BARRIER_RED ||
         op == OP_BARRIER_CTA_RED;
}
static inline bool op_is_supported(PtxOp op) { return op_info(op)->sig[0] != '*'; }

/* Special registers: %tid.x and so on. */
typedef enum SpecialReg {
  SR_NONE,
  SR_TID_X,
  SR_TID_Y,
  SR_TID_Z,
  SR_NTID_X,
  SR_NTID_Y,
  SR_NTID_Z,
  SR_CTAID_X,
  SR_CTAID_Y,
  SR_CTAID_Z,
  SR_NCTAID_X,
  SR_NCTAID_Y,
  SR_NCTAID_Z,
  SR_LANEID,
  SR_WARPID,
  SR_NWARPID,
  SR_SMID,
  SR_NSMID,
  SR_GRIDID,
  SR_LANEMASK_EQ,
  SR_LANEMASK_LE,
  SR_LANEMASK_LT,
  SR_LANEMASK_GE,
  SR_LANEMASK_GT,
  SR_CLOCK,
  SR_CLOCK_HI,
  SR_CLOCK64,
  SR_GLOBALTIMER,
  SR_GLOBALTIMER_LO,
  SR_GLOBALTIMER_HI,
  SR_DYNAMIC_SMEM_SIZE,
  SR_TOTAL_SMEM_SIZE,
  SR_CLUSTERID_X,
  SR_CLUSTERID_Y,
  SR_CLUSTERID_Z,
  SR_NCLUSTERID_X,
  SR_NCLUSTERID_Y,
  SR_NCLUSTERID_Z,
  SR_CLUSTER_CTAID_X,
  SR_CLUSTER_CTAID_Y,
  SR_CLUSTER_CTAID_Z,
  SR_CLUSTER_NCTAID_X,
  SR_CLUSTER_NCTAID_Y,
  SR_CLUSTER_NCTAID_Z,
  SR_CLUSTER_CTARANK,
  SR_CLUSTER_NCTARANK,
  SR_IS_EXPLICIT_CLUSTER,
  SR_ENVREG,
  SR_PM,
  SR_COUNT
} SpecialReg;
const char *special_reg_name(SpecialReg r); /* "%tid.x" */
PtxType special_reg_type(SpecialReg r);     /* TY_U32 or TY_U64 */

/* ---- declarations -------------------------------------------------------------------------- */

typedef enum Space { SP_GENERIC, SP_GLOBAL, SP_SHARED, SP_LOCAL, SP_CONST, SP_PARAM, SP_REG } Space;

typedef struct Function Function;
typedef struct Var Var;

/* An address inside a variable's initial value: `bytes` bytes at `offset` hold the address of
 * `var` or `func`, plus `addend`, or as 0xff00(var) has it one byte of it. */
typedef struct Reloc {
  uint64_t offset;
  uint32_t bytes;
  const Var *var;
  const Function *func;
  int64_t addend;
  uint64_t mask; /* these bits of the address ... */
  int shift;     /* ... moved down by so many */
  bool done;     /* filled in by the device */
  struct Reloc *next;
} Reloc;

/* A variable of any space: .global, .const, .shared, .local, or a .param (of an entry, of a
 * function, or the staging area of a call). */
struct Var {
  const char *name;
  Space space;
  PtxType type;   /* of an element */
  uint64_t size;  /* bytes; 0 for `extern .shared x[]` */
  uint32_t align; /* bytes, a power of two */
  bool is_extern, is_weak, is_visible;
  bool is_dynamic;     /* extern .shared: starts where the static shared variables end */
  const uint8_t *init; /* `size` bytes, or NULL for zero */
  Reloc *relocs;
  const Function *owner; /* the function it is declared in; NULL at module scope */
  uint64_t offset;       /* within its space's block, filled by layout: .shared, .local, .param */
  size_t where;          /* byte offset in the module's text */
  /* Filled by the device when the module is loaded: */
  uint64_t address; /* .global and .const */
  Var *link;        /* an extern's definition in another module, or NULL */
  Var *next;
};

typedef struct Reg {
  const char *name;
  PtxType type;
} Reg;

/* ---- instructions -------------------------------------------------------------------------- */

typedef enum OperandKind {
  OPND_NONE,
  OPND_REG,    /* reg */
  OPND_IMM,    /* imm: the bits, already converted to the operand's type */
  OPND_SREG,   /* sreg */
  OPND_SYM,    /* address of var (or of func), plus off */
  OPND_ADDR,   /* memory at [reg + off], [var + off] or [off] */
  OPND_LABEL,  /* target: an instruction index */
  OPND_LABELS, /* list: the targets of a .branchtargets */
  OPND_FUNC,   /* func */
  OPND_PROTO,  /* proto: a .callprototype or .calltargets label */
  OPND_VEC,    /* {a, b, ...}: count elements at vec */
  OPND_SINK    /* _ */
} OperandKind;

typedef struct CallProto CallProto;
typedef struct LabelList LabelList;
typedef struct Operand Operand;
struct Operand {
  uint8_t kind;  /* OperandKind */
  bool negated;  /* a predicate written !p */
  uint8_t count; /* OPND_VEC: elements */
  int32_t reg;   /* OPND_REG, OPND_ADDR: index into Function.regs; -1: none */
  int32_t reg2;  /* the q of p|q and of d|p; -1: none */
  union {
    uint64_t imm;
    SpecialReg sreg;
    Var *var;       /* OPND_SYM, OPND_ADDR; NULL: none */
    int32_t target; /* OPND_LABEL */
    const CallProto *proto;
    const LabelList *list;
    Operand *vec;
  };
  Function *func; /* OPND_FUNC, OPND_SYM of a function; else NULL */
  int64_t off;    /* OPND_SYM, OPND_ADDR */
};

enum { MAX_OPERANDS = 6 };

typedef struct Loc {
  uint32_t file; /* index into Module.files; UINT32_MAX: none */
  uint32_t line, column;
} Loc;

typedef struct Inst {
  uint16_t op;          /* PtxOp */
  uint8_t type;         /* PtxType: the first type, of the result unless ops.def says */
  uint8_t type2;        /* the second (cvt's source, set's source, ...), or TY_NONE */
  uint8_t type3, type4; /* mma, wide dp4a types; or TY_NONE */
  uint8_t operand_count;
  bool guard_negated;
  int32_t guard;              /* predicate register @p, or -1 */
  uint8_t mod[MC_CATEGORIES]; /* ModValue by category, MOD_NONE when absent */
  Operand operand[MAX_OPERANDS];
  Loc loc;            /* from .loc */
  size_t where;       /* byte offset of the mnemonic in the module's text */
  int32_t reconverge; /* of a branch: index of its immediate post-dominator's first
                         instruction; inst_count where that is the function's end */
  bool block_start;   /* first instruction of a basic block */
} Inst;

static inline bool inst_has(const Inst *in, ModCategory cat) { return in->mod[cat] != MOD_NONE; }
static inline bool inst_is(const Inst *in, ModCategory cat, ModValue v) {
  return in->mod[cat] == v;
}
/* The space that its modifiers name; SP_GENERIC when they name none. */
Space inst_space(const Inst *in);
FragmentShape inst_fragment(const Inst *in, int which);
bool op_is_wmma(PtxOp op);
/* Prints an instruction as PTX into buf (names as in the source), cut to size; returns buf. */
struct Module;
const char *inst_text(const struct Module *mod, const Inst *in, char *buf, size_t size);

/* Bit t is type t: for OpInfo.types. */
#define TYPE_BIT(t) (1ull << TY_##t)

struct CallProto { /* .callprototype (signature only) or .calltargets (the functions that may be
                      meant) */
  const char *name;
  Var **params;
  size_t param_count;
  Var *result; /* NULL: none */
  Function **targets;
  size_t target_count;
  bool noreturn;
};

struct LabelList { /* .branchtargets */
  const char *name;
  int32_t *targets;
  size_t count;
};

typedef struct Block { /* a basic block: instructions first .. last, both included */
  int32_t first, last;
  int32_t *succ; /* blocks; block_count stands for the function's end */
  int succ_count;
  int32_t ipdom; /* block, or block_count for the function's end */
} Block;

/* An instruction of kind call keeps: operand[0] result (OPND_VEC of param Vars as OPND_SYM, or
 * NONE), operand[1] the function (OPND_FUNC) or the register (OPND_REG), operand[2] the arguments
 * (OPND_VEC of OPND_SYM of .param Vars, registers or immediates), operand[3] the prototype. */
struct Function {
  const char *name;
  const char *plain; /* for people: of _Z6vecaddPKfS0_Pfi, a C++ name, it is vecadd */
  bool is_entry, is_extern, is_weak, is_visible, is_noreturn;
  Var **params; /* in order */
  size_t param_count;
  Var **results; /* .func's return values (usually 0 or 1) */
  size_t result_count;
  Reg *regs;
  size_t reg_count;
  Var *vars; /* .shared, .local and .param variables declared inside, by `next` */
  Inst *insts;
  size_t inst_count;
  Block *blocks;
  size_t block_count;
  uint64_t param_bytes; /* of all params, laid out in order with their alignment (offset) */
  uint64_t local_bytes; /* of all .local variables and of .param variables other than an entry's
                           params: a lane's frame (offset) */
  uint32_t maxntid[3], reqntid[3]; /* 0: not given */
  uint32_t minnctapersm, maxnreg;
  size_t where;
  const Function *alias; /* .alias: the function meant, or NULL */
  Function *link;        /* an extern's definition in another module */
  struct Module *module;
  uint64_t address; /* what a pointer to it holds; filled by the device */
  uint32_t number;  /* its place among the module's functions; filled by the device */
  void *exec;       /* what the executor made of it (exec/prepare.h); NULL before */
  void *timing;     /* what the timing model made of it (timing/assemble.h); NULL: nothing */
  Function *next;
};

typedef struct SourceFile { /* .file */
  uint32_t index;
  const char *name;
  const Source *source; /* its text when the caller gave it; else NULL */
} SourceFile;

typedef struct Module {
  Arena *arena;
  Source source;       /* the PTX text */
  int version;         /* .version 7.1 is 71 */
  const char *target;  /* "sm_80" */
  int address_size;    /* 32 or 64 */
  Function *functions; /* in order of definition */
  Var *vars;           /* module scope, in order */
  SourceFile *files;
  size_t file_count, file_capacity;
} Module;

/* The file that a .loc names; NULL: there is none. */
static inline const SourceFile *module_file(const Module *mod, Loc loc) {
  for (size_t i = 0; loc.line && i < mod->file_count; i++)
    if (mod->files[i].index == loc.file) return &mod->files[i];
  return NULL;
}

/* Limits that keep hostile text from exhausting the host; each has its message. */
enum {
  PTX_MAX_BYTES = 64 << 20,     /* a module's text */
  PTX_MAX_REGS = 1 << 16,       /* registers of a function */
  PTX_MAX_INSTS = 1 << 21,      /* instructions of a function */
  PTX_MAX_DEPTH = 64,           /* nesting of { } and of expressions */
  PTX_MAX_VAR_BYTES = 256 << 20 /* one variable */
};

/* Parses text (it is copied into the arena). On error returns NULL, with the message in err. */
Module *ptx_parse(const char *name, const char *text, size_t length, ErrorBuffer *err);
void ptx_free(Module *mod);

/* Finds blocks, edges and immediate post-dominators; sets Inst.block_start and Inst.reconverge.
 * Called by ptx_parse for every function with a body. */
void ptx_analyse(Arena *arena, Function *fn);

#endif
