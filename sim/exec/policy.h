/* exec/policy.h - a divergence model written in CUDA: functions of a module, called by the
 * executor.
 *
 * What they are told and asked is described for their authors in cuda/warpbook.h. */
#ifndef WARPBOOK_EXEC_POLICY_H
#define WARPBOOK_EXEC_POLICY_H

#include "exec/exec.h"

typedef struct Policy Policy;

typedef enum PolicyFn {
  POLICY_START,
  POLICY_BRANCH,
  POLICY_JOIN,
  POLICY_LEAVE,
  POLICY_NEXT,
  POLICY_FN_COUNT
} PolicyFn;

/* A function's name after its prefix, and its parameters. */
typedef struct PolicyPrototype {
  const char *name; /* "_start" */
  const char *result, *parameters;
  int count;
  uint32_t bytes[3]; /* of each parameter */
  bool returns;      /* 4 bytes */
} PolicyPrototype;
extern const PolicyPrototype policy_prototypes[POLICY_FN_COUNT];

/* Makes the functions the machine's divergence model, in place of what it has. `name` is their
 * prefix. NULL: out of memory. */
bool policy_set(Machine *m, Function *const *functions, const char *name);
/* Back to the machine's own model. */
void policy_clear(Machine *m);
/* A launch begins: no warp has started. */
void policy_begin(Machine *m);
/* The machine's own model, which a policy stands in for. */
const DivergenceModel *policy_base(const Machine *m);

#endif
