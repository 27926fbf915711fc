/* exec/control.h - what the executor's files share beyond exec.h. */
#ifndef WARPBOOK_EXEC_CONTROL_H
#define WARPBOOK_EXEC_CONTROL_H

#include "exec/exec.h"

/* Fills 32 lanes (32 or 64 bits each, as special_reg_type says; a Mask for a predicate). */
void special_fill(const Warp *w, SpecialReg r, void *to);
/* The next number of the launch's own random sequence (adversarial schedule). */
uint64_t random_next(Machine *m);
/* The path has its instruction behind it: on to the next, where others may have to be met. */
void path_advance(Warp *w, Path *p);
/* A free slot in w->paths. */
Path *path_new(Warp *w);
/* Replaces `p` by a path for each part; their slots go to paths[0 .. n). */
void path_part(Warp *w, Path *p, int n, const int32_t *target, const Mask *part, Path **paths);
/* Whether the path does not wait, nor spin until memory changes. */
static inline bool path_can_run(const Warp *w, const Path *p) {
  bool stuck = p->spin_seen && p->spin_seen == w->cta->m->memory.version + 1;
  return p->mask && p->state == PATH_READY && !stuck;
}
/* Splits `p` at its own instruction: `part` executes it, the rest has it behind. Both models. */
void path_split_at(Warp *w, Path *p, Mask part);
/* Room for local memory of at least `bytes` a lane; false: over the limit. */
bool local_reserve(Warp *w, uint64_t bytes);
/* The address of a variable; for one in a call's frame, its offset there. */
uint64_t var_address(const Var *var);
/* Host address of a lane's local memory. */
static inline uint8_t *local_at(const Warp *w, int lane, uint64_t address) {
  return w->local + (uint64_t)lane * w->local_size + (address - LOCAL_BASE);
}
/* The host bytes that one lane's memory operand names. A fault that does not end the launch gives
 * FLOW_NEXT and *host == NULL. */
Flow lane_bytes(Warp *w, Path *p, const Op *op, int lane, uint32_t bytes, bool write,
                uint8_t **host);
/* The address that an instruction's memory operand gives each lane. */
void lane_addresses(const Path *p, const Op *op, uint64_t address[WARP_SIZE]);
/* Reads or writes the `bytes` (at most 8) of each lane of `m` at an address of its own, with all
 * checks. */
Flow access_values(Warp *w, Path *p, const Op *op, const uint64_t address[WARP_SIZE],
                   uint32_t bytes, Mask m, bool write, uint64_t value[WARP_SIZE]);
/* printf, malloc, free, assert: functions that CUDA supplies. NULL when the name is none of them.
 */
typedef Flow (*BuiltinFn)(Warp *w, Path *p, const Op *op, Mask m, Var *const *args, size_t count,
                          Var *result);
BuiltinFn builtin_find(const char *name);
/* The instruction that a path is at, for messages; at the function's end the last one. */
static inline const Inst *path_inst(const Path *p) {
  const Code *code = p->frame->code;
  bool inside = p->pc < code->count || code->count == 0;
  return code->ops[inside ? p->pc : code->count - 1].in;
}
/* Brings the lanes of `want` together at p's _sync instruction, which `m` lanes execute. FLOW_NEXT:
 * all are there (p->mask may have grown; *together is the set that executes now). */
Flow gather(Warp *w, Path *p, const Op *op, Mask m, Mask want, Mask *together);
/* Wakes paths that waited at _sync instructions for lanes that have now left. */
void syncs_recheck(Warp *w);
/* Reports why nothing in the block can go on. */
void report_deadlock(Cta *cta);

#endif
