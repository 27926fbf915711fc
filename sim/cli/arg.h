/* cli/arg.h - a kernel's argument as it is written on the command line or in a table of cases:
 *
 *   cyc                        a timing buffer: 3 x i64 a warp, zeroed
 *   out:TYPE:N                 a zeroed output buffer of N elements
 *   buf:TYPE:N:GEN[:out]       a buffer that GEN fills; with :out it is an output, too
 *   TYPE:VALUE                 a scalar
 */
#ifndef WARPBOOK_CLI_ARG_H
#define WARPBOOK_CLI_ARG_H

#include "cli/element.h"
#include "cli/text.h"

typedef enum ArgKind { ARG_CYC, ARG_BUFFER, ARG_SCALAR } ArgKind;

typedef enum GenKind {
  GEN_ZERO,  /* all zero */
  GEN_IOTA,  /* element i is i */
  GEN_CONST, /* const:V */
  GEN_MOD,   /* mod:K: i mod K */
  GEN_LCG,   /* lcg:SEED[,MOD]: s = s*1664525 + 1013904223 mod 2^32, u = s >> 8; the element is
                u mod MOD; without MOD an integer is u and a float u / 2^24 */
  GEN_CHAIN, /* chain:STRIDE: (i + STRIDE) mod N */
  GEN_LIST,  /* list:a,b,...: repeated */
  GEN_FILE   /* file:PATH: raw little-endian elements */
} GenKind;

typedef struct Arg {
  const char *text; /* as written; the caller keeps it */
  ArgKind kind;
  const ElementType *type;
  uint64_t count; /* elements of a buffer; of a cyc buffer 0, as the launch decides it */
  bool is_output; /* printed by --values (a cyc buffer is not) */
  uint64_t bits;  /* ARG_SCALAR: the value */
  GenKind gen;
  uint64_t value, modulus; /* const's V; mod's K, lcg's SEED, chain's STRIDE; lcg's MOD */
  uint64_t *list;          /* GEN_LIST: list_count elements */
  size_t list_count;
  char *path; /* GEN_FILE */
} Arg;

/* Reads one argument; position is its 1-based number, for messages. */
gpu_result arg_parse(Arg *arg, const char *text, int position, Text *err);
void arg_free(Arg *arg);

/* Fills `bytes` with the buffer's `count` elements. Only GEN_FILE can fail. */
gpu_result arg_generate(const Arg *arg, uint8_t *bytes, uint64_t count, Text *err);

/* The grammar, for `help args`. */
extern const char arg_grammar[];

#endif
