/* exec/mbarrier.c - barriers that live in shared memory (mbarrier).
 *
 * The 64-bit object is opaque to programs. Here: bits 0-19 arrivals still expected in this phase,
 * bits 20-39 arrivals a phase, bits 40-63 the phase's number. A token is the object's phase.
 * Waiting does not block: the program loops, and a loop that only waits is known as a spin (run.c).
 */
#include <string.h>

#include "exec/check.h"
#include "exec/control.h"
#include "exec/fault.h"

#define FIELD 0xfffffull

static uint64_t pending(uint64_t b) { return b & FIELD; }
static uint64_t expected(uint64_t b) { return b >> 20 & FIELD; }
static uint64_t phase(uint64_t b) { return b >> 40; }
static uint64_t make(uint64_t pending_, uint64_t expected_, uint64_t phase_) {
  return (pending_ & FIELD) | (expected_ & FIELD) << 20 | phase_ << 40;
}

/* One lane arrives `n` times; the last arrival of a phase starts the next. */
static uint64_t arrive(uint64_t b, uint64_t n, bool drop) {
  uint64_t total = expected(b) - (drop && expected(b) >= n ? n : 0);
  if (pending(b) > n) return make(pending(b) - n, total, phase(b));
  return make(total, total, phase(b) + 1);
}

static bool wait_done(const Op *op, uint64_t b, const Frame *f, int lane) {
  if (inst_has(op->in, MC_PARITY))
    return (phase(b) & 1) != (((const uint32_t *)operand(f, op->a))[lane] & 1);
  return phase(b) != phase(((const uint64_t *)operand(f, op->a))[lane]);
}

static uint64_t count_operand(const Op *op, const Frame *f, int lane) {
  return op->a == OPERAND_NONE ? 1 : ((const uint32_t *)operand(f, op->a))[lane];
}

/* What the instruction makes of the object at b, for one lane. */
static uint64_t apply(const Op *op, Path *p, uint64_t b, int lane) {
  const Frame *f = p->frame;
  switch ((PtxOp)op->in->op) {
  case OP_MBARRIER_INIT: {
    uint64_t n = count_operand(op, f, lane);
    return make(n, n, 0);
  }
  case OP_MBARRIER_INVAL: return 0;
  case OP_MBARRIER_ARRIVE:
  case OP_MBARRIER_ARRIVE_DROP:
    if (op->d != OPERAND_NONE) ((uint64_t *)operand(f, op->d))[lane] = b;
    return arrive(b, count_operand(op, f, lane), op->in->op == OP_MBARRIER_ARRIVE_DROP);
  case OP_CP_ASYNC_MBARRIER: return inst_has(op->in, MC_NOINC) ? arrive(b, 1, false) : b;
  default: { /* test_wait, try_wait */
    Mask *d = operand(f, op->d), bit = 1u << lane;
    *d = wait_done(op, b, f, lane) ? *d | bit : *d & ~bit;
    return b;
  }
  }
}

Flow do_mbarrier(Warp *w, Path *p, const Op *op, Mask m) {
  FOR_LANES(l, m) {
    uint8_t *host;
    uint64_t b;
    Flow flow = lane_bytes(w, p, op, l, 8, true, &host);
    if (flow != FLOW_NEXT) return flow;
    if (!host) continue;
    memcpy(&b, host, sizeof b);
    uint64_t now = apply(op, p, b, l);
    if (now == b) continue;
    memcpy(host, &now, sizeof now);
    w->cta->m->memory.version++;
  }
  check_message(w); /* arriving releases, a wait acquires */
  return FLOW_NEXT;
}

Flow do_pending_count(Warp *w, Path *p, const Op *op, Mask m) {
  (void)w;
  const uint64_t *a = operand(p->frame, op->a);
  FOR_LANES(l, m)((uint32_t *)operand(p->frame, op->d))[l] = (uint32_t)pending(a[l]);
  return FLOW_NEXT;
}
