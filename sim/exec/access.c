/* exec/access.c - loads, stores, atomics: from a warp's addresses to bytes on the host. */
#include <stdio.h>
#include <string.h>

#include "exec/check.h"
#include "exec/control.h"
#include "exec/fault.h"

/* ---- addresses ------------------------------------------------------------------------------- */

typedef struct Access {
  uint64_t address[WARP_SIZE];
  bool uniform;   /* every lane has address[0]; the others are not filled in */
  uint32_t bytes; /* a lane, all elements together */
} Access;

static void find_addresses(const Path *p, const Op *op, Access *a) {
  const Frame *f = p->frame;
  uint64_t off = (uint64_t)op->off + (op->frame_relative ? f->local_base : 0);
  a->bytes = (uint32_t)op->bytes * (op->count ? op->count : 1);
  a->uniform = op->address_bytes == 0;
  if (op->address_bytes == 8) {
    const uint64_t *base = operand(f, op->e);
    for (int l = 0; l < WARP_SIZE; l++) a->address[l] = base[l] + off;
  } else if (op->address_bytes == 4) {
    const uint32_t *base = operand(f, op->e);
    for (int l = 0; l < WARP_SIZE; l++) a->address[l] = (uint32_t)(base[l] + (uint32_t)off);
  } else {
    a->address[0] = off;
  }
}

static void spread(Access *a) {
  if (!a->uniform) return;
  for (int l = 1; l < WARP_SIZE; l++) a->address[l] = a->address[0];
  a->uniform = false;
}

/* Tells whoever watches which addresses the lanes access. */
static inline void watch_access(const Warp *w, const Access *a, Mask m) {
  Executed *e = w->cta->m->watch;
  if (LIKELY(e == NULL)) return;
  e->accessed = m;
  e->bytes = a->bytes;
  memcpy(e->address, a->address, sizeof e->address);
}

/* ---- regions --------------------------------------------------------------------------------- */

/* Memory that a group of addresses lies in. Lane l's byte at `address` is
 * host[l * lane_stride + address - base]. */
typedef struct Region {
  uint64_t base, size;
  uint8_t *host;
  uint64_t lane_stride;
  Allocation *allocation; /* global memory */
} Region;

static bool space_allows(Space named, Space actual) {
  switch (named) {
  case SP_GENERIC: return true;
  case SP_CONST: return actual == SP_GLOBAL;
  case SP_PARAM: return actual == SP_PARAM || actual == SP_LOCAL;
  default: return named == actual;
  }
}

/* The region that holds [address, address + bytes) for this op; false when nothing may be there. */
static bool find_region(Warp *w, const Op *op, uint64_t address, uint32_t bytes, Region *r) {
  Machine *m = w->cta->m;
  Space space = memory_space(address);
  *r = (Region){0};
  if (!space_allows((Space)op->space, space)) return false;
  switch (space) {
  case SP_GLOBAL: {
    Allocation **cache = &m->cache[((uintptr_t)op / sizeof *op) & 255], *a = *cache;
    if (!a || address - a->base >= a->size || a->freed) {
      a = memory_find(&m->memory, address, bytes);
      *cache = a;
    }
    if (!a) return false;
    *r = (Region){.base = a->base, .size = a->size, .host = a->host, .allocation = a};
    break;
  }
  case SP_SHARED:
    *r = (Region){.base = SHARED_BASE, .size = m->shared_end, .host = w->cta->shared};
    break;
  case SP_LOCAL:
    *r = (Region){
        .base = LOCAL_BASE, .size = w->local_size, .host = w->local, .lane_stride = w->local_size};
    break;
  case SP_PARAM:
    *r = (Region){.base = PARAM_BASE, .size = m->param_bytes, .host = m->params};
    break;
  default: return false;
  }
  uint64_t offset = address - r->base;
  return offset < r->size && bytes <= r->size - offset;
}

static inline uint8_t *host_at(const Region *r, int lane, uint64_t address) {
  return r->host + (uint64_t)lane * r->lane_stride + (address - r->base);
}

/* Lanes of `m` whose bytes lie in the region. */
static Mask lanes_inside(const Region *r, const Access *a, Mask m) {
  Mask in = 0;
  uint64_t room = r->size - a->bytes;
  for (int l = 0; l < WARP_SIZE; l++) in |= (Mask)(a->address[l] - r->base <= room) << l;
  return in & m;
}

/* ---- faults of an access --------------------------------------------------------------------- */

static const char *space_words(Space s) {
  switch (s) {
  case SP_SHARED: return "shared memory";
  case SP_LOCAL: return "local memory";
  case SP_CONST: return "constant memory";
  case SP_PARAM: return "parameter memory";
  case SP_GLOBAL: return "global memory";
  default: return "memory";
  }
}

static void describe_place(const Warp *w, const Op *op, uint64_t address, char *buf, size_t size) {
  const Machine *m = w->cta->m;
  Space space = memory_space(address);
  if (address < 4096) {
    snprintf(buf, size, "a null pointer");
  } else if (!space_allows((Space)op->space, space)) {
    snprintf(buf, size, "not an address of %s", space_words((Space)op->space));
  } else if (space == SP_SHARED) {
    snprintf(buf, size, "%llu bytes into the block's %llu bytes of shared memory",
             (unsigned long long)(address - SHARED_BASE), (unsigned long long)m->shared_end);
  } else if (space == SP_LOCAL) {
    snprintf(buf, size, "outside the thread's local memory");
  } else {
    const Allocation *a = memory_nearest(&m->memory, address);
    if (!a) {
      snprintf(buf, size, "no memory is allocated");
    } else if (a->freed && address - a->base < a->size) {
      snprintf(buf, size, "inside an allocation of %llu bytes that was freed",
               (unsigned long long)a->size);
    } else {
      bool after = address >= a->base;
      snprintf(buf, size, "%llu bytes %s %s%s of %llu bytes",
               (unsigned long long)(after ? address - a->base : a->base - address),
               after ? "from the start of" : "before", a->name ? "the variable " : "an allocation",
               a->name ? a->name : "", (unsigned long long)a->size);
    }
  }
}

static Flow fault_outside(Warp *w, Path *p, const Op *op, const Access *a, Mask bad, bool write) {
  char place[200];
  uint64_t address = a->address[mask_first(bad)];
  describe_place(w, op, address, place, sizeof place);
  return fault_raise(w, p, op->in, GPU_FAULT_OUT_OF_BOUNDS, bad,
                     "compare the index with the size before the access (if (i < n)), and check "
                     "what the pointer was set to",
                     "lane %d %s %u bytes at 0x%llx: %s", mask_first(bad),
                     write ? "writes" : "reads", a->bytes, (unsigned long long)address, place);
}

static Flow fault_misaligned(Warp *w, Path *p, const Op *op, const Access *a, Mask bad) {
  return fault_raise(w, p, op->in, GPU_FAULT_MISALIGNED, bad,
                     "an access of n bytes needs an address that is a multiple of n: check the "
                     "cast or the offset",
                     "lane %d accesses %u bytes at 0x%llx, which is not a multiple of %u",
                     mask_first(bad), a->bytes, (unsigned long long)a->address[mask_first(bad)],
                     a->bytes);
}

static Flow fault_read_only(Warp *w, Path *p, const Op *op, Mask bad) {
  return fault_raise(w, p, op->in, GPU_FAULT_OUT_OF_BOUNDS, bad,
                     "write to a __device__ or __shared__ variable instead",
                     "lane %d writes to constant memory", mask_first(bad));
}

/* ---- checks, then a walk over regions -------------------------------------------------------- */

static Mask misaligned_lanes(const Access *a, Mask m) {
  uint64_t low = 0;
  for (int l = 0; l < WARP_SIZE; l++)
    low |= a->address[l] & -(uint64_t)(m >> l & 1); // NOLINT: spread() filled them
  if (!(low & (a->bytes - 1))) return 0;
  Mask bad = 0;
  FOR_LANES(l, m) if (a->address[l] & (a->bytes - 1)) bad |= 1u << l;
  return bad;
}

/* What is done to the lanes of one region. */
typedef void (*MoveFn)(Warp *w, Path *p, const Op *op, const Access *a, const Region *r,
                       Mask lanes);

static Flow walk(Warp *w, Path *p, const Op *op, Access *a, Mask m, bool write, MoveFn move) {
  Mask odd = misaligned_lanes(a, m);
  if (odd) {
    Flow flow = fault_misaligned(w, p, op, a, odd);
    if (flow != FLOW_NEXT) return flow;
    m &= ~odd;
  }
  Mask bad = 0;
  while (m) {
    Region r;
    int first = mask_first(m);
    if (!find_region(w, op, a->address[first], a->bytes, &r)) {
      bad |= 1u << first;
      m &= m - 1;
      continue;
    }
    Mask in = lanes_inside(&r, a, m);
    if (write && r.allocation && r.allocation->read_only) {
      Flow flow = fault_read_only(w, p, op, in);
      if (flow != FLOW_NEXT) return flow;
    } else {
      check_access(w, p, op, a->address, a->bytes, in, write, r.allocation);
      if (w->cta->m->stopped) return FLOW_STOP;
      move(w, p, op, a, &r, in);
    }
    m &= ~in;
  }
  return bad ? fault_outside(w, p, op, a, bad, write) : FLOW_NEXT;
}

Flow lane_bytes(Warp *w, Path *p, const Op *op, int lane, uint32_t bytes, bool write,
                uint8_t **host) {
  Access a;
  Region r;
  *host = NULL;
  find_addresses(p, op, &a);
  spread(&a);
  a.bytes = bytes;
  if (a.address[lane] % bytes) return fault_misaligned(w, p, op, &a, 1u << lane);
  if (!find_region(w, op, a.address[lane], bytes, &r))
    return fault_outside(w, p, op, &a, 1u << lane, write);
  *host = host_at(&r, lane, a.address[lane]);
  return FLOW_NEXT;
}

/* ---- loads ----------------------------------------------------------------------------------- */

/* Extends `bytes` bytes at `from` to a register's lane of `lane_bytes`. */
static inline void put_extended(uint8_t *lane, int lane_bytes, const uint8_t *from, int bytes,
                                bool is_signed) {
  uint64_t v = 0;
  if (bytes > 8) {
    memcpy(lane, from, (size_t)lane_bytes);
    return;
  }
  memcpy(&v, from, (size_t)bytes);
  if (is_signed && bytes < 8) {
    int shift = 64 - 8 * bytes;
    v = (uint64_t)((int64_t)(v << shift) >> shift);
  }
  memcpy(lane, &v, (size_t)(lane_bytes < 8 ? lane_bytes : 8));
}

/* The commonest access: a full warp, one element a lane, the lanes side by side. One look finds the
 * bytes of all. NULL: it is not that, or not allowed there; the careful way decides. */
static uint8_t *row_of_words(Warp *w, const Op *op, const Access *a, Mask m, bool write) {
  Region r;
  if (op->count != 1 || op->bytes != op->elem_bytes[0] || w->cta->m->set.check >= GPU_CHECK_FULL ||
      a->address[0] & (op->bytes - 1u) || !lanes_in_row(a->address, m, op->bytes))
    return NULL;
  if (!find_region(w, op, a->address[0], op->bytes * WARP_SIZE, &r) || r.lane_stride) return NULL;
  if (write && r.allocation && r.allocation->read_only) return NULL;
  return host_at(&r, 0, a->address[0]);
}

static void load_plain(const Access *a, const Region *r, Mask lanes, void *d, uint32_t bytes) {
  if (bytes == 4) {
    FOR_LANES(l, lanes) memcpy((uint32_t *)d + l, host_at(r, l, a->address[l]), 4);
  } else {
    FOR_LANES(l, lanes) memcpy((uint64_t *)d + l, host_at(r, l, a->address[l]), 8);
  }
}

static void move_load(Warp *w, Path *p, const Op *op, const Access *a, const Region *r,
                      Mask lanes) {
  (void)w;
  if (op->count == 1 && op->bytes == op->elem_bytes[0] && (op->bytes == 4 || op->bytes == 8)) {
    load_plain(a, r, lanes, operand(p->frame, op->elems[0]), op->bytes);
    return;
  }
  bool is_signed = type_is_signed(op->in->type);
  for (int i = 0; i < op->count; i++) {
    if (op->elems[i] == OPERAND_NONE) continue;
    uint8_t *d = operand(p->frame, op->elems[i]);
    int width = op->elem_bytes[i];
    FOR_LANES(l, lanes)
    put_extended(d + (size_t)l * (size_t)width, width,
                 host_at(r, l, a->address[l]) + (size_t)i * op->bytes, op->bytes, is_signed);
  }
}

/* A load of one address that all lanes share (mostly the kernel's parameters). */
static bool load_uniform(Warp *w, Path *p, const Op *op, const Access *a, Mask m) {
  Region r;
  if (!a->uniform || memory_space(a->address[0]) != SP_PARAM || op->count != 1) return false;
  if (!find_region(w, op, a->address[0], a->bytes, &r)) return false;
  uint64_t v = 0;
  int width = op->elem_bytes[0];
  put_extended((uint8_t *)&v, 8, host_at(&r, 0, a->address[0]), op->bytes > 8 ? 8 : op->bytes,
               type_is_signed(op->in->type));
  if (op->elems[0] == OPERAND_NONE || op->bytes > 8 || width > 8) return op->bytes <= 8;
  uint8_t *d = operand(p->frame, op->elems[0]);
  if (m == FULL_MASK && width == 8)
    for (int l = 0; l < WARP_SIZE; l++) ((uint64_t *)d)[l] = v;
  else if (m == FULL_MASK && width == 4)
    for (int l = 0; l < WARP_SIZE; l++) ((uint32_t *)d)[l] = (uint32_t)v;
  else
    FOR_LANES(l, m) memcpy(d + (size_t)l * (size_t)width, &v, (size_t)width);
  return true;
}

Flow do_ld(Warp *w, Path *p, const Op *op, Mask m) {
  Access a;
  find_addresses(p, op, &a);
  if (load_uniform(w, p, op, &a, m)) return FLOW_NEXT;
  spread(&a);
  watch_access(w, &a, m);
  const uint8_t *row = row_of_words(w, op, &a, m, false);
  if (!row || op->elems[0] == OPERAND_NONE) return walk(w, p, op, &a, m, false, move_load);
  memcpy(operand(p->frame, op->elems[0]), row, (size_t)op->bytes * WARP_SIZE);
  return FLOW_NEXT;
}

/* ---- stores ---------------------------------------------------------------------------------- */

static void move_store(Warp *w, Path *p, const Op *op, const Access *a, const Region *r,
                       Mask lanes) {
  w->cta->m->memory.version++;
  if (op->count == 1 && op->bytes == 4 && op->elem_bytes[0] == 4) {
    const uint32_t *s = operand(p->frame, op->elems[0]);
    FOR_LANES(l, lanes) memcpy(host_at(r, l, a->address[l]), s + l, 4);
    return;
  }
  for (int i = 0; i < op->count; i++) {
    const uint8_t *s = operand(p->frame, op->elems[i]);
    size_t width = op->elem_bytes[i], n = op->bytes < width ? op->bytes : width;
    FOR_LANES(l, lanes)
    memcpy(host_at(r, l, a->address[l]) + (size_t)i * op->bytes, s + (size_t)l * width, n);
  }
}

Flow do_st(Warp *w, Path *p, const Op *op, Mask m) {
  Access a;
  find_addresses(p, op, &a);
  spread(&a);
  watch_access(w, &a, m);
  uint8_t *row = row_of_words(w, op, &a, m, true);
  if (!row) return walk(w, p, op, &a, m, true, move_store);
  memcpy(row, operand(p->frame, op->elems[0]), (size_t)op->bytes * WARP_SIZE);
  w->cta->m->memory.version++;
  return FLOW_NEXT;
}

/* ---- atomics --------------------------------------------------------------------------------- */

static uint64_t atom_min_max(PtxType t, bool max, uint64_t old, uint64_t v) {
  bool less;
  switch (t) {
  case TY_S32: less = (int32_t)v < (int32_t)old; break;
  case TY_S64: less = (int64_t)v < (int64_t)old; break;
  default: less = v < old;
  }
  return less != max && v != old ? v : old;
}

/* The new value of a word that holds `old`; v and v2 are the operands of this lane. */
static uint64_t atom_value(const Op *op, uint64_t old, uint64_t v, uint64_t v2) {
  if (op->combine) {
    uint64_t x[WARP_SIZE], y[WARP_SIZE]; /* only lane 0 counts; the widest type fits */
    LaneExtra extra = {.in = op->combine_in};
    memset(x, 0, sizeof x);
    memset(y, 0, sizeof y);
    x[0] = old;
    y[0] = v;
    op->combine(x, x, y, NULL, 1, &extra);
    return x[0];
  }
  switch (op->in->mod[MC_ATOM]) {
  case MOD_ATOM_ADD: return old + v;
  case MOD_ATOM_AND: return old & v;
  case MOD_ATOM_OR: return old | v;
  case MOD_ATOM_XOR: return old ^ v;
  case MOD_ATOM_EXCH: return v;
  case MOD_ATOM_CAS: return old == v ? v2 : old;
  case MOD_ATOM_INC: return old >= v ? 0 : old + 1;
  case MOD_ATOM_DEC: return old == 0 || old > v ? v : old - 1;
  case MOD_ATOM_MIN: return atom_min_max(op->in->type, false, old, v);
  default: return atom_min_max(op->in->type, true, old, v);
  }
}

static void move_atom(Warp *w, Path *p, const Op *op, const Access *a, const Region *r,
                      Mask lanes) {
  const Frame *f = p->frame;
  int bytes = op->bytes < 2 ? 2 : op->bytes;
  FOR_LANES(l, lanes) {
    uint8_t *at = host_at(r, l, a->address[l]);
    uint64_t old = 0, v = lane_read(operand_or_null(f, op->a), bytes, l),
             v2 = lane_read(operand_or_null(f, op->b), bytes, l);
    memcpy(&old, at, op->bytes);
    uint64_t now = atom_value(op, old, v, v2);
    if (now != old) {
      memcpy(at, &now, op->bytes);
      w->cta->m->memory.version++;
    }
    if (op->d != OPERAND_NONE)
      memcpy((uint8_t *)operand(f, op->d) + (size_t)l * (size_t)bytes, &old, (size_t)bytes);
  }
}

Flow do_atom(Warp *w, Path *p, const Op *op, Mask m) {
  if (op->bytes > 8 || inst_has(op->in, MC_VEC)) return do_unsupported(w, p, op, m);
  Access a;
  find_addresses(p, op, &a);
  spread(&a);
  watch_access(w, &a, m);
  w->cta->m->stats.atomics += (uint64_t)mask_count(m);
  return walk(w, p, op, &a, m, true, move_atom);
}

/* ---- cp.async: the copy is done at once ------------------------------------------------------ */

/* cp.async [shared], [global], bytes [, source bytes]: what lies beyond `source bytes` becomes 0.
 */
Flow do_cp_async(Warp *w, Path *p, const Op *op, Mask m) {
  Access to, from;
  find_addresses(p, op, &to);
  find_addresses(p, op->second, &from);
  spread(&to);
  spread(&from);
  uint32_t bytes = to.bytes = from.bytes = (uint32_t)op->in->operand[2].imm;
  watch_access(w, &from, m);
  Mask odd = misaligned_lanes(&to, m) | misaligned_lanes(&from, m);
  if (odd) return fault_misaligned(w, p, op, misaligned_lanes(&to, m) ? &to : &from, odd);
  FOR_LANES(l, m) {
    Region src = {0}, dst;
    uint32_t have = bytes;
    if (op->a != OPERAND_NONE) have = ((const uint32_t *)operand(p->frame, op->a))[l];
    if (have > bytes) have = bytes;
    if (!find_region(w, op, to.address[l], bytes, &dst))
      return fault_outside(w, p, op, &to, 1u << l, true);
    if (have && !find_region(w, op->second, from.address[l], have, &src))
      return fault_outside(w, p, op->second, &from, 1u << l, false);
    uint8_t *at = host_at(&dst, l, to.address[l]);
    memset(at, 0, bytes);
    if (have) memcpy(at, host_at(&src, l, from.address[l]), have);
    if (have) check_access(w, p, op, from.address, have, 1u << l, false, src.allocation);
    check_access(w, p, op, to.address, bytes, 1u << l, true, dst.allocation);
  }
  w->cta->m->memory.version++;
  return w->cta->m->stopped ? FLOW_STOP : FLOW_NEXT;
}

/* ---- values at addresses that an instruction works out itself -------------------------------- */

typedef struct Values { /* an access, and where the bytes go or come from */
  Access access;        /* first: the walk hands on a pointer to it */
  uint64_t *value;
} Values;

static void move_in(Warp *w, Path *p, const Op *op, const Access *a, const Region *r, Mask lanes) {
  (void)w, (void)p, (void)op;
  uint64_t *value = ((const Values *)(const void *)a)->value;
  FOR_LANES(l, lanes) {
    value[l] = 0;
    memcpy(&value[l], host_at(r, l, a->address[l]), a->bytes);
  }
}

static void move_out(Warp *w, Path *p, const Op *op, const Access *a, const Region *r, Mask lanes) {
  (void)p, (void)op;
  const uint64_t *value = ((const Values *)(const void *)a)->value;
  w->cta->m->memory.version++;
  FOR_LANES(l, lanes) memcpy(host_at(r, l, a->address[l]), &value[l], a->bytes);
}

void lane_addresses(const Path *p, const Op *op, uint64_t address[WARP_SIZE]) {
  Access a;
  find_addresses(p, op, &a);
  spread(&a);
  memcpy(address, a.address, sizeof a.address);
}

Flow access_values(Warp *w, Path *p, const Op *op, const uint64_t address[WARP_SIZE],
                   uint32_t bytes, Mask m, bool write, uint64_t value[WARP_SIZE]) {
  Values v = {.access = {.bytes = bytes}, .value = value};
  memcpy(v.access.address, address, sizeof v.access.address);
  watch_access(w, &v.access, m);
  return walk(w, p, op, &v.access, m, write, write ? move_out : move_in);
}
