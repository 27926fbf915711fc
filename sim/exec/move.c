/* exec/move.c - special registers, vector moves, isspacep. */
#include <string.h>

#include "exec/control.h"

static void fill32(void *to, uint32_t v) {
  for (int l = 0; l < WARP_SIZE; l++) ((uint32_t *)to)[l] = v;
}

static void fill64(void *to, uint64_t v) {
  for (int l = 0; l < WARP_SIZE; l++) ((uint64_t *)to)[l] = v;
}

/* A mask that depends on the lane: base shifted to it, perhaps inverted. */
static void fill_lanemask(void *to, SpecialReg r) {
  uint32_t *lane = to;
  for (int l = 0; l < WARP_SIZE; l++) {
    Mask below = mask_below(l), self = 1u << l;
    lane[l] = r == SR_LANEMASK_EQ   ? self
              : r == SR_LANEMASK_LT ? below
              : r == SR_LANEMASK_LE ? below | self
              : r == SR_LANEMASK_GT ? ~(below | self)
                                    : ~below;
  }
}

static uint32_t dim_of(gpu_dim d, int axis) { return axis == 0 ? d.x : axis == 1 ? d.y : d.z; }

/* Without timing an instruction counts as a cycle, and a cycle as a nanosecond. */
static uint64_t clock_of(const Machine *m) { return m->timed ? m->cycle : m->issued; }
static uint64_t nanoseconds_of(const Machine *m) {
  return m->timed ? (uint64_t)((double)m->cycle * 1000 / m->clock_mhz) : m->issued;
}

void special_fill(const Warp *w, SpecialReg r, void *to) {
  const Machine *m = w->cta->m;
  if (r >= SR_TID_X && r <= SR_TID_Z) {
    memcpy(to, w->tid[r - SR_TID_X], sizeof w->tid[0]);
  } else if (r >= SR_NTID_X && r <= SR_NTID_Z) {
    fill32(to, dim_of(m->block, (int)(r - SR_NTID_X)));
  } else if (r >= SR_CTAID_X && r <= SR_CTAID_Z) {
    fill32(to, dim_of(w->cta->id, (int)(r - SR_CTAID_X)));
  } else if (r >= SR_NCTAID_X && r <= SR_NCTAID_Z) {
    fill32(to, dim_of(m->grid, (int)(r - SR_NCTAID_X)));
  } else if (r >= SR_LANEMASK_EQ && r <= SR_LANEMASK_GT) {
    fill_lanemask(to, r);
  } else {
    switch (r) {
    case SR_LANEID:
      for (int l = 0; l < WARP_SIZE; l++) ((uint32_t *)to)[l] = (uint32_t)l;
      break;
    case SR_WARPID: fill32(to, (uint32_t)w->id); break;
    case SR_NWARPID: fill32(to, m->max_warps); break;
    case SR_SMID: fill32(to, m->smid); break;
    case SR_NSMID: fill32(to, m->sm_count); break;
    case SR_CLOCK: fill32(to, (uint32_t)clock_of(m)); break;
    case SR_CLOCK_HI: fill32(to, (uint32_t)(clock_of(m) >> 32)); break;
    case SR_CLOCK64: fill64(to, clock_of(m)); break;
    case SR_GLOBALTIMER: fill64(to, nanoseconds_of(m)); break;
    case SR_GLOBALTIMER_LO: fill32(to, (uint32_t)nanoseconds_of(m)); break;
    case SR_GLOBALTIMER_HI: fill32(to, (uint32_t)(nanoseconds_of(m) >> 32)); break;
    case SR_GRIDID: fill64(to, 1); break;
    case SR_DYNAMIC_SMEM_SIZE: fill32(to, (uint32_t)m->shared_dynamic); break;
    case SR_TOTAL_SMEM_SIZE: fill32(to, (uint32_t)(m->shared_static + m->shared_dynamic)); break;
    /* Without clusters every block is a cluster of its own. */
    case SR_CLUSTERID_X:
    case SR_CLUSTERID_Y:
    case SR_CLUSTERID_Z: fill32(to, dim_of(w->cta->id, (int)(r - SR_CLUSTERID_X))); break;
    case SR_NCLUSTERID_X:
    case SR_NCLUSTERID_Y:
    case SR_NCLUSTERID_Z: fill32(to, dim_of(m->grid, (int)(r - SR_NCLUSTERID_X))); break;
    case SR_CLUSTER_NCTAID_X:
    case SR_CLUSTER_NCTAID_Y:
    case SR_CLUSTER_NCTAID_Z:
    case SR_CLUSTER_NCTARANK: fill32(to, 1); break;
    case SR_IS_EXPLICIT_CLUSTER: *(Mask *)to = 0; break;
    default: fill32(to, 0);
    }
  }
}

/* mov.b64 {lo, hi}, d  and  mov.b64 d, {lo, hi}: the first element is the lowest bits. */
Flow do_mov(Warp *w, Path *p, const Op *op, Mask m) {
  (void)w;
  const Frame *f = p->frame;
  int total = type_lane_bytes(op->in->type), each = total / op->count;
  bool unpack = op->in->operand[0].kind == OPND_VEC;
  FOR_LANES(l, m) {
    uint8_t bits[16] = {0};
    if (unpack)
      memcpy(bits, (uint8_t *)operand(f, op->a) + (size_t)l * (size_t)total, (size_t)total);
    for (int i = 0; i < op->count; i++) {
      if (op->elems[i] == OPERAND_NONE) continue;
      uint8_t *lane = (uint8_t *)operand(f, op->elems[i]) + (size_t)l * op->elem_bytes[i];
      if (unpack) {
        memset(lane, 0, op->elem_bytes[i]);
        memcpy(lane, bits + i * each,
               (size_t)(each < op->elem_bytes[i] ? each : op->elem_bytes[i]));
      } else {
        memcpy(bits + i * each, lane,
               (size_t)(each < op->elem_bytes[i] ? each : op->elem_bytes[i]));
      }
    }
    if (!unpack)
      memcpy((uint8_t *)operand(f, op->d) + (size_t)l * (size_t)total, bits, (size_t)total);
  }
  return FLOW_NEXT;
}

Flow do_isspacep(Warp *w, Path *p, const Op *op, Mask m) {
  (void)w;
  const Frame *f = p->frame;
  const Operand *o = &op->in->operand[1];
  int bytes = o->kind == OPND_REG ? type_lane_bytes(f->code->fn->regs[o->reg].type) : 8;
  Mask hit = 0;
  FOR_LANES(l, m) {
    Space s = memory_space(lane_read(operand(f, op->a), bytes, l));
    Space want = op->space == SP_CONST ? SP_GLOBAL : op->space;
    if (s == want) hit |= 1u << l;
  }
  Mask *d = operand(f, op->d);
  *d = (*d & ~m) | hit;
  return FLOW_NEXT;
}
