/* timing/occupancy.c - the occupancy calculation; every function that finds a limit also writes its
 * steps down, if there is a list to write to. */
#include "timing/occupancy.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct Calc {
  const Arch *arch;
  OccupancyQuery query;
  gpu_occupancy_info *out; /* where steps go; NULL: nowhere */
  unsigned limit;          /* what the steps belong to */
} Calc;

/* ---- steps ----------------------------------------------------------------------------------- */

/* A new step; NULL when nothing is written down. */
static gpu_occupancy_step *new_step(Calc *c) {
  if (!c->out || c->out->step_count == GPU_OCCUPANCY_STEPS) return NULL;
  return &c->out->steps[c->out->step_count++];
}

/* "257 / 32 = 8.03, rounded up to 9"; the digits behind the point are cut off, not rounded. */
static void division_text(gpu_occupancy_step *s) {
  unsigned long long hundredths = 100 * (s->before % s->operand) / s->operand;
  unsigned long long whole = s->before / s->operand;
  if (s->before % s->operand == 0)
    snprintf(s->text, sizeof s->text, "%llu / %llu = %llu", (unsigned long long)s->before,
             (unsigned long long)s->operand, whole);
  else
    snprintf(s->text, sizeof s->text, "%llu / %llu = %llu.%02llu, %s to %llu",
             (unsigned long long)s->before, (unsigned long long)s->operand, whole, hundredths,
             s->operation + 2, (unsigned long long)s->after);
}

/* Writes one step down (operation "": a number that is given); returns `after`. */
static uint64_t step(Calc *c, const char *name, const char *operation, uint64_t before,
                     uint64_t operand, uint64_t after) {
  gpu_occupancy_step *s = new_step(c);
  if (!s) return after;
  *s = (gpu_occupancy_step){c->limit, name, operation, before, operand, after, ""};
  if (operation[0] == '\0')
    snprintf(s->text, sizeof s->text, "%llu", (unsigned long long)after);
  else if (operation[0] == '/')
    division_text(s);
  else
    snprintf(s->text, sizeof s->text, "%llu %s %llu = %llu", (unsigned long long)before, operation,
             (unsigned long long)operand, (unsigned long long)after);
  return after;
}

/* Adds to the text of the last step. */
PRINTF_LIKE(2, 3)
static void remark(Calc *c, const char *format, ...) {
  if (!c->out) return;
  gpu_occupancy_step *s = &c->out->steps[c->out->step_count - 1];
  size_t used = strlen(s->text);
  va_list args;
  va_start(args, format);
  vsnprintf(s->text + used, sizeof s->text - used, format, args);
  va_end(args);
}

static uint64_t divide_up(uint64_t a, uint64_t b) { return (a + b - 1) / b; }
static uint64_t round_up(uint64_t a, uint64_t unit) { return divide_up(a, unit) * unit; }

/* Says why not even one block fits: the step, and then remark(). */
static uint32_t refuse(Calc *c, const char *name) {
  gpu_occupancy_step *s = new_step(c);
  if (s) *s = (gpu_occupancy_step){c->limit, name, "does not fit", 0, 0, 0, ""};
  return 0;
}

/* ---- the four limits ------------------------------------------------------------------------- */

static uint64_t warps_of_block(const Calc *c) {
  return divide_up(c->query.block, c->arch->warp_size);
}

/* Slots for warps; an SM that counts threads counts them in whole warps. */
static uint64_t warp_slots(const Arch *a) {
  uint32_t by_threads = a->max_threads_per_sm / a->warp_size;
  return by_threads < a->max_warps_per_sm ? by_threads : a->max_warps_per_sm;
}

static uint32_t limit_by_warps(Calc *c) {
  const Arch *a = c->arch;
  uint64_t warps = warps_of_block(c), slots = warp_slots(a);
  uint64_t idle = warps * a->warp_size - c->query.block;
  c->limit = GPU_LIMIT_WARPS;
  if (c->query.block > a->max_threads_per_block) {
    refuse(c, "threads of a block");
    remark(c, "a block has at most %u threads, not %u", a->max_threads_per_block, c->query.block);
    return 0;
  }
  step(c, "warps of a block", "/ rounded up", c->query.block, a->warp_size, warps);
  if (idle) remark(c, "; %llu lanes of the last stay idle", (unsigned long long)idle);
  return (uint32_t)step(c, "blocks by warps", "/ rounded down", slots, warps, slots / warps);
}

/* What a block needs of registers to be launched at all. Its warps are dealt to the sub-cores in
 * turn, and the fullest sub-core must have room; the vendor's rules put that as warps rounded up.
 */
static uint64_t registers_of_block(const Calc *c, uint64_t warp_registers) {
  return warp_registers * round_up(warps_of_block(c), c->arch->warp_unit);
}

/* How many warps the register files hold, if a warp gets `got` registers. */
static uint64_t warps_by_registers(Calc *c, uint64_t got) {
  const Arch *a = c->arch;
  uint64_t file = a->registers_per_sm / a->sub_cores, fit = file / got;
  bool split = a->sub_cores > 1;
  if (split)
    step(c, "registers of a sub-core", "/ rounded down", a->registers_per_sm, a->sub_cores, file);
  step(c, split ? "warps a sub-core" : "warps by registers", "/ rounded down", file, got, fit);
  remark(c, "; %llu registers left over", (unsigned long long)(file % got));
  return split ? step(c, "warps by registers", "x", fit, a->sub_cores, fit * a->sub_cores) : fit;
}

static uint32_t limit_by_registers(Calc *c) {
  const Arch *a = c->arch;
  uint64_t warps = warps_of_block(c), want = (uint64_t)c->query.registers * a->warp_size;
  uint64_t got = round_up(want, a->register_unit), needed = registers_of_block(c, got);
  c->limit = GPU_LIMIT_REGISTERS;
  if (c->query.registers == 0) return GPU_NO_LIMIT;
  if (c->query.registers > a->max_registers_per_thread) {
    refuse(c, "registers of a thread");
    remark(c, "a thread has at most %u registers, not %u", a->max_registers_per_thread,
           c->query.registers);
    return 0;
  }
  step(c, "registers a warp wants", "x", c->query.registers, a->warp_size, want);
  if (a->register_unit > 1) {
    step(c, "registers a warp gets", "rounded up to a multiple of", want, a->register_unit, got);
    remark(c, "; %llu a thread", (unsigned long long)(got / a->warp_size));
  }
  if (needed > a->max_registers_per_block) {
    refuse(c, "registers of a block");
    remark(c, "%llu warps, rounded up to a multiple of %u, x %llu = %llu registers; there are %u",
           (unsigned long long)warps, a->warp_unit, (unsigned long long)got,
           (unsigned long long)needed, a->max_registers_per_block);
    return 0;
  }
  uint64_t fit = warps_by_registers(c, got);
  return (uint32_t)step(c, "blocks by registers", "/ rounded down", fit, warps, fit / warps);
}

static uint32_t limit_by_shared(Calc *c) {
  const Arch *a = c->arch;
  uint64_t want = c->query.shared + a->shared_reserved, got = round_up(want, a->shared_unit);
  c->limit = GPU_LIMIT_SHARED;
  if (c->query.shared > a->max_shared_per_block_optin) {
    refuse(c, "bytes of a block");
    remark(c, "a block has at most %u bytes of shared memory, not %llu",
           a->max_shared_per_block_optin, (unsigned long long)c->query.shared);
    return 0;
  }
  if (want == 0) return GPU_NO_LIMIT;
  if (a->shared_reserved) {
    step(c, "bytes a block wants", "+", c->query.shared, a->shared_reserved, want);
    remark(c, "; %u for the system", a->shared_reserved);
  }
  if (a->shared_unit > 1)
    step(c, "bytes a block gets", "rounded up to a multiple of", want, a->shared_unit, got);
  step(c, "blocks by shared memory", "/ rounded down", a->max_shared_per_sm, got,
       a->max_shared_per_sm / got);
  if (c->query.shared > a->max_shared_per_block)
    remark(c, "; the host must ask for more than %u bytes", a->max_shared_per_block);
  return (uint32_t)(a->max_shared_per_sm / got);
}

static uint32_t limit_by_blocks(Calc *c) {
  uint32_t most = c->arch->max_blocks_per_sm;
  c->limit = GPU_LIMIT_BLOCKS;
  step(c, "blocks by slots", "", most, 0, most);
  remark(c, ", however little they take");
  return most;
}

static uint32_t smaller(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* The four limits, written down in c->out when there is one; returns the smallest. */
static uint32_t all_limits(Calc *c) {
  uint32_t warps = limit_by_warps(c), registers = limit_by_registers(c);
  uint32_t shared = limit_by_shared(c), blocks = limit_by_blocks(c);
  if (c->out) {
    c->out->by_warps = warps;
    c->out->by_registers = registers;
    c->out->by_shared = shared;
    c->out->by_blocks = blocks;
  }
  return smaller(smaller(warps, registers), smaller(shared, blocks));
}

uint32_t occupancy_blocks(const Arch *arch, OccupancyQuery query) {
  Calc c = {.arch = arch, .query = query};
  return all_limits(&c);
}

/* ---- advice ---------------------------------------------------------------------------------- */

PRINTF_LIKE(2, 3)
static void advise(gpu_occupancy_info *out, const char *format, ...) {
  if (out->advice_count == GPU_OCCUPANCY_ADVICE) return;
  va_list args;
  va_start(args, format);
  vsnprintf(out->advice[out->advice_count++], sizeof out->advice[0], format, args);
  va_end(args);
}

/* "6 blocks, 48 of 64 warps (75%)" */
typedef struct Gain {
  char text[64];
} Gain;

static Gain gain(const Arch *a, OccupancyQuery q) {
  Gain g;
  uint32_t blocks = occupancy_blocks(a, q);
  uint64_t warps = (uint64_t)blocks * divide_up(q.block, a->warp_size);
  snprintf(g.text, sizeof g.text, "%u block%s, %llu of %llu warps (%.3g%%)", blocks,
           blocks == 1 ? "" : "s", (unsigned long long)warps, (unsigned long long)warp_slots(a),
           100.0 * (double)warps / (double)warp_slots(a));
  return g;
}

/* The most registers a thread with which `blocks` blocks' worth of registers fit; 0: none. */
static uint32_t registers_for(const Arch *a, OccupancyQuery q, uint32_t blocks) {
  for (uint32_t r = smaller(q.registers, a->max_registers_per_thread); r > 0; r--) {
    Calc c = {.arch = a, .query = {.registers = r, .block = q.block}};
    if (limit_by_registers(&c) >= blocks) return r;
  }
  return 0;
}

/* The most bytes a block with which `blocks` blocks' shared memory fits; false: none. */
static bool shared_for(const Arch *a, uint32_t blocks, uint64_t *bytes) {
  if (blocks == 0) return false;
  uint64_t units = a->max_shared_per_sm / blocks / a->shared_unit, each = units * a->shared_unit;
  if (each < a->shared_reserved) return false;
  *bytes = each - a->shared_reserved;
  if (*bytes > a->max_shared_per_block_optin) *bytes = a->max_shared_per_block_optin;
  return true;
}

/* Fewer registers, less shared memory, or, where both are short, both. */
static void advise_less(const Arch *a, OccupancyQuery q, gpu_occupancy_info *out) {
  OccupancyQuery better = q;
  uint32_t want = out->blocks_per_sm + 1;
  bool registers = out->limiting & GPU_LIMIT_REGISTERS, shared = out->limiting & GPU_LIMIT_SHARED;
  if (registers) better.registers = registers_for(a, q, want);
  if (registers && better.registers == 0) return;
  if (shared && !shared_for(a, want, &better.shared)) return;
  if (better.shared > q.shared) better.shared = q.shared;
  if (occupancy_blocks(a, better) < want) return;
  Gain g = gain(a, better);
  if (registers && shared)
    advise(out, "at most %u registers a thread and %llu bytes of shared memory a block: %s",
           better.registers, (unsigned long long)better.shared, g.text);
  else if (registers)
    advise(out, "at most %u registers a thread: %s", better.registers, g.text);
  else if (shared)
    advise(out, "at most %llu bytes of shared memory a block: %s",
           (unsigned long long)better.shared, g.text);
}

static uint64_t warps_at(const Arch *a, OccupancyQuery q, uint32_t block) {
  q.block = block;
  return (uint64_t)occupancy_blocks(a, q) * divide_up(block, a->warp_size);
}

/* A block size, in whole warps, that fills more slots; of equals the nearest to the present one. */
static void advise_block(const Arch *a, OccupancyQuery q, gpu_occupancy_info *out) {
  uint64_t most = out->warps_per_sm;
  int64_t best = 0, distance = 0;
  for (uint32_t b = a->warp_size; b <= a->max_threads_per_block; b += a->warp_size) {
    uint64_t warps = warps_at(a, q, b);
    int64_t away = (int64_t)b - (int64_t)q.block;
    if (away < 0) away = -away;
    if (warps < most || (warps == most && (!best || away >= distance))) continue;
    most = warps;
    best = b;
    distance = away;
  }
  if (best == 0) return;
  q.block = (uint32_t)best;
  advise(out, "blocks of %u threads, each with the same registers%s: %s", q.block,
         q.shared ? " and the same shared memory a block" : "", gain(a, q).text);
}

static void advise_all(const Arch *a, OccupancyQuery q, gpu_occupancy_info *out) {
  if (out->warps_per_sm == out->max_warps_per_sm) {
    advise(out, "nothing: every slot for a warp is taken");
    return;
  }
  if (out->limiting & (GPU_LIMIT_REGISTERS | GPU_LIMIT_SHARED) &&
      !(out->limiting & (GPU_LIMIT_WARPS | GPU_LIMIT_BLOCKS)))
    advise_less(a, q, out);
  advise_block(a, q, out);
  if (out->advice_count == 0) advise(out, "only fewer registers and less shared memory together");
}

/* ---- the answer ------------------------------------------------------------------------------ */

static void name_limits(gpu_occupancy_info *out) {
  const struct {
    unsigned bit;
    const char *name;
    uint32_t blocks;
  } limits[] = {{GPU_LIMIT_WARPS, "warps", out->by_warps},
                {GPU_LIMIT_REGISTERS, "registers", out->by_registers},
                {GPU_LIMIT_SHARED, "shared", out->by_shared},
                {GPU_LIMIT_BLOCKS, "blocks", out->by_blocks}};
  for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
    if (limits[i].blocks != out->blocks_per_sm) continue;
    size_t used = strlen(out->limiting_names);
    out->limiting |= limits[i].bit;
    snprintf(out->limiting_names + used, sizeof out->limiting_names - used, "%s%s", used ? "," : "",
             limits[i].name);
  }
}

void occupancy_explain(const Arch *arch, OccupancyQuery query, gpu_occupancy_info *out) {
  Calc c = {.arch = arch, .query = query, .out = out};
  memset(out, 0, sizeof *out);
  out->blocks_per_sm = all_limits(&c);
  c.limit = 0;
  out->warps_per_block = (uint32_t)warps_of_block(&c);
  out->max_warps_per_sm = (uint32_t)warp_slots(arch);
  out->warps_per_sm = out->blocks_per_sm * out->warps_per_block;
  out->occupancy = (double)out->warps_per_sm / out->max_warps_per_sm;
  name_limits(out);
  step(&c, "warps an SM", "x", out->blocks_per_sm, out->warps_per_block, out->warps_per_sm);
  remark(&c, " of %u: %.1f%%", out->max_warps_per_sm, 100 * out->occupancy);
  advise_all(arch, query, out);
}
