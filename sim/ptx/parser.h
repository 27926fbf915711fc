/* ptx/parser.h - what the parser's files share: tokens, names, scopes. */
#ifndef WARPBOOK_PTX_PARSER_H
#define WARPBOOK_PTX_PARSER_H

#include <setjmp.h>

#include "base/hash.h"
#include "ptx/ptx.h"

typedef enum TokenKind {
  TK_END,
  TK_NAME, /* add, %r1, $L__BB0_2, _ */
  TK_DOT,  /* .global: `text` is without the dot */
  TK_INT,
  TK_FLOAT,  /* number, or bits when written 0f.. or 0d.. */
  TK_STRING, /* text between the quotes */
  TK_PUNCT
} TokenKind;

typedef struct Token {
  TokenKind kind;
  const char *text; /* points into the module's text */
  size_t length;
  size_t where;
  char punct;
  uint64_t integer;
  double number;
  uint8_t float_bits; /* 32 or 64: `integer` holds the bits; 0: `number` holds the value */
} Token;

typedef enum SymbolKind {
  SY_REG,    /* reg: index */
  SY_VECREG, /* reg: index of the first of `count` */
  SY_FAMILY, /* %r<10>: `count` registers of `type`, each made when it is first named */
  SY_VAR,
  SY_FUNC,
  SY_LABEL, /* reg: instruction index */
  SY_PROTO,
  SY_LABELS
} SymbolKind;

typedef struct Symbol {
  const char *name;
  size_t length;
  uint32_t hash;
  SymbolKind kind;
  int32_t reg;
  int count;
  uint8_t type;  /* of a family: PtxType, */
  uint8_t lanes; /* and elements when they are vectors, else 1 */
  union {
    Var *var;
    Function *func;
    CallProto *proto;
    LabelList *labels;
  };
  int depth;               /* of the scope it belongs to */
  struct Symbol *next;     /* in its bucket: the innermost of a name comes first */
  struct Symbol *in_scope; /* the next symbol of the scope */
} Symbol;

/* A label used before it is known. */
typedef struct Fixup {
  int32_t *target; /* where its instruction index goes */
  int32_t inst;    /* or: operand 0 of this instruction (instructions may still move) */
  const char *name;
  size_t length, where;
  struct Fixup *next;
} Fixup;

/* A parameter or result declared .reg: it travels in `var` and lives in register `reg`. */
typedef struct RegParam {
  Var *var;
  int32_t reg;
} RegParam;

typedef struct Parser {
  Arena *arena;
  Module *mod;
  ErrorBuffer *err;
  jmp_buf failed;
  const char *at, *end; /* the rest of the text */
  Token tok;            /* the token at hand */
  HashKey hash_key;
  Symbol **buckets;
  size_t bucket_count, symbol_count;
  Symbol *scopes[PTX_MAX_DEPTH + 2]; /* symbols by depth */
  Fixup *fixups[PTX_MAX_DEPTH + 2];
  int families[PTX_MAX_DEPTH + 2]; /* the deepest scope, up to this one, with a family */
  int depth;                       /* 0: module; 1: function's parameters; 2: its body; ... */
  Function *fn;
  size_t reg_capacity, inst_capacity;
  Loc loc;
  uint64_t scratch;     /* local bytes laid out so far */
  RegParam *reg_params; /* results first, then from param_start on parameters */
  size_t reg_param_count, reg_param_capacity, param_start;
  size_t branch_targets; /* of all its brx.idx together */
  Var **last_var, **last_fn_var;
  Function **last_fn;
  Symbol *ops; /* mnemonics, by hash */
  Symbol *op_buckets[512];
} Parser;

/* lexer.c */
void next_token(Parser *ps);
NORETURN void parse_fail(Parser *ps, size_t where, const char *fmt, ...) PRINTF_LIKE(3, 4);
bool is_punct(const Parser *ps, char c);
bool accept_punct(Parser *ps, char c);
/* Reads the token at hand, a dot and digits, as a number: .5 */
void relex_fraction(Parser *ps);
void expect_punct(Parser *ps, char c, const char *after);
/* Skips a bracketed group; the token at hand is `open`. */
void skip_group(Parser *ps, char open, char close);
/* The number of a constant bank, as old text has it: .const[2]. All banks are one memory here. */
void skip_bank(Parser *ps, bool is_const);
bool is_word(const Token *t, const char *word);
bool accept_dot(Parser *ps, const char *word);
Token expect_name(Parser *ps, const char *what);
const char *token_string(Parser *ps, const Token *t);
uint32_t name_hash(const Parser *ps, const char *s, size_t n);

/* scope.c */
Symbol *find_symbol(Parser *ps, const char *name, size_t length);
Symbol *add_symbol(Parser *ps, SymbolKind kind, const char *name, size_t length, size_t where);
void add_registers(Parser *ps, const Token *name, PtxType type, int lanes);
void add_register_family(Parser *ps, const Token *name, PtxType type, int lanes, uint32_t count);
/* A register without a name in the text; `name` must live as long as the module. */
int32_t new_register(Parser *ps, const char *name, PtxType type, size_t where);
void add_fixup(Parser *ps, const Token *name, int32_t *target, int32_t inst);
/* "'x' is not declared: WHAT of this name", with the nearest name that is. */
NORETURN void fail_undeclared(Parser *ps, const Token *name, const char *what);
void open_scope(Parser *ps);
void close_scope(Parser *ps);

/* expr.c: constant expressions */
typedef struct Constant_ {
  bool is_float;
  uint64_t i;
  double d;
  uint8_t float_bits;
  const Var *var; /* address of a symbol plus i */
  const Function *func;
  uint64_t mask; /* of 0xff00(symbol): the byte that is meant; 0: all of the address */
} ConstValue;
ConstValue parse_constant(Parser *ps);
/* The bits of a constant as a value of a type. */
uint64_t constant_bits(Parser *ps, const ConstValue *c, PtxType t, size_t where);
PtxType type_of_word(const char *text, size_t length);

/* operand.c */
Operand operand_of(OperandKind kind);
/* The operand that a name stands for; `letter` is that of the signature (see ops.def). */
Operand parse_named(Parser *ps, const Token *name, char letter);
/* Any operand; a constant is converted to the type. */
Operand parse_value(Parser *ps, char letter, PtxType t);
/* The q of d|q or p|q, when there is one. */
void parse_second(Parser *ps, Operand *o);
/* The type that a letter stands for. */
PtxType letter_type(const Inst *in, char letter);
void check_operand(Parser *ps, const Inst *in, char letter, const Operand *o, size_t where);

/* call.c: parse_call adds the stores of arguments in registers, and gives the results as they are
 * written, for load_results once the call itself has been added. */
void parse_call(Parser *ps, Inst *in, Operand *results);
void load_results(Parser *ps, const Inst *call, const Operand *results);
/* .reg parameters are loaded at the function's start; .reg results are stored before each `ret`
 * (under its guard) and at the end (ret is NULL). */
void emit_register_params(Parser *ps);
void emit_register_results(Parser *ps, const Inst *ret);

/* instruction.c */
void parse_instruction(Parser *ps);
void add_instruction(Parser *ps, const Inst *in);
Var **parse_slots(Parser *ps, Space space, size_t *count); /* ( .param ..., ... ) in declarations */

/* rules.c: what the table does not say */
int types_wanted(PtxOp op);
void check_modifiers(Parser *ps, const Inst *in);
bool type_fits(PtxType want, PtxType have, bool wider);
/* `nth` counts the addresses of the instruction from 0. */
void check_space(Parser *ps, const Inst *in, const Operand *o, int nth, size_t where);
void check_whole(Parser *ps, const Inst *in);

/* declare.c */
void parse_body(Parser *ps);
/* Gives a variable its place in the function's frame. */
void place_in_frame(Parser *ps, Var *v);
/* `.u32 a = 1, b[2];` behind the space: adds to the list that ends at *last; returns its new end.
 */
Var **parse_variables(Parser *ps, Space space, Var **last, bool is_extern);

#endif
