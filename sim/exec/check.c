/* exec/check.c - uninitialised reads and races; check.h has the rules. */
#include "exec/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exec/fault.h"

enum { WORD = 4, WORDS_A_PAGE = SHADOW_PAGE / WORD, READS = 2 };

/* One access of (a part of) a word. op == NULL: none yet. */
typedef struct Stamp {
  const Op *op;
  const Module *module;
  uint32_t block, thread; /* linear index in the grid, in the block */
  uint32_t epoch;         /* barriers that the block had passed */
  uint32_t clock;         /* the lane's own clock */
  uint64_t time;          /* warp instructions issued before */
  uint8_t bytes;          /* which of the word's bytes, a bit each */
  bool strong;            /* atomic or volatile */
} Stamp;

typedef struct Word {
  Stamp store, load[READS];
} Word;

struct WarpClock {
  uint32_t knows[WARP_SIZE][WARP_SIZE]; /* knows[i][j]: how far lane i is ordered after lane j */
  uint64_t released, acquired; /* time of the last fence or atomic; of the last strong load */
};

struct BlockClock {
  uint32_t epoch;
  uint64_t released, acquired;
  Word *words;      /* of shared memory */
  uint8_t *written; /* a bit a byte of shared memory */
};

static bool is_on(const Cta *cta) { return cta->m->set.check >= GPU_CHECK_FULL; }

void check_start(Cta *cta) {
  if (!is_on(cta)) return;
  Arena *arena = cta->m->launch_arena;
  uint64_t bytes = cta->m->shared_end + WORD;
  if (!cta->clock) {
    cta->clock = ARENA_NEW(arena, struct BlockClock);
    cta->clock->words = ARENA_ARRAY(arena, Word, bytes / WORD);
    cta->clock->written = ARENA_ARRAY(arena, uint8_t, bytes / 8 + 1);
  }
  struct BlockClock *c = cta->clock;
  c->epoch = 0;
  c->released = c->acquired = 0;
  memset(c->words, 0, bytes / WORD * sizeof *c->words);
  memset(c->written, 0, bytes / 8 + 1);
  for (uint32_t i = 0; i < cta->warp_count; i++) {
    Warp *w = &cta->warps[i];
    if (!w->clock) w->clock = ARENA_NEW(arena, struct WarpClock);
    memset(w->clock, 0, sizeof *w->clock);
  }
}

void check_barrier(Cta *cta) {
  if (is_on(cta)) cta->clock->epoch++;
}

void check_synced(Warp *w, Mask group) {
  if (!is_on(w->cta)) return;
  struct WarpClock *c = w->clock;
  uint32_t joint[WARP_SIZE] = {0};
  FOR_LANES(i, group) {
    c->knows[i][i]++;
    for (int k = 0; k < WARP_SIZE; k++)
      if (c->knows[i][k] > joint[k]) joint[k] = c->knows[i][k];
  }
  FOR_LANES(i, group) memcpy(c->knows[i], joint, sizeof joint);
}

static void released(Warp *w) { w->clock->released = w->cta->clock->released = w->cta->m->issued; }

void check_fence(Warp *w, Mask m) {
  (void)m;
  if (is_on(w->cta)) released(w);
}

void check_message(Warp *w) {
  if (!is_on(w->cta)) return;
  released(w);
  w->clock->acquired = w->cta->clock->acquired = w->cta->m->issued;
}

/* ---- uninitialised reads --------------------------------------------------------------------- */

/* Is any byte of [at, at + bytes) marked? Padding inside a struct is never written, and yet read
 * along with what is around it; only an access with no written byte at all is reported. */
static bool any_written(const uint8_t *bits, uint64_t at, uint32_t bytes) {
  for (uint64_t i = at; i < at + bytes; i++)
    if (bits[i / 8] >> (i % 8) & 1) return true;
  return false;
}

static void mark(uint8_t *bits, uint64_t at, uint32_t bytes) {
  for (uint64_t i = at; i < at + bytes; i++) bits[i / 8] |= (uint8_t)(1u << (i % 8));
}

static void check_initialized(Warp *w, Path *p, const Op *op, uint64_t address, uint32_t bytes,
                              int lane, bool write, Allocation *global) {
  bool shared = memory_space(address) == SP_SHARED;
  uint8_t *bits = shared ? w->cta->clock->written : global ? global->written : NULL;
  if (!bits) return;
  uint64_t at = address - (shared ? SHARED_BASE : global->base);
  bool reads = !write || op->in->op == OP_ATOM || op->in->op == OP_RED;
  if (reads && !any_written(bits, at, bytes))
    fault_later(w, p, op->in, GPU_FAULT_UNINITIALIZED, 1u << lane,
                "write the memory before you read it (is a __syncthreads() missing behind the "
                "write?); shared memory starts with rubbish, and cudaMalloc clears nothing",
                "lane %d reads %u bytes at 0x%llx in %s memory that nothing has written", lane,
                bytes, (unsigned long long)address, shared ? "shared" : "global");
  if (write) mark(bits, at, bytes);
}

/* ---- races ----------------------------------------------------------------------------------- */

static Word *word_at(Warp *w, uint64_t address, Allocation *global) {
  if (memory_space(address) == SP_SHARED)
    return &w->cta->clock->words[(address - SHARED_BASE) / WORD];
  if (!global || global->read_only) return NULL;
  uint64_t at = address - global->base;
  if (!global->shadow) global->shadow = calloc(global->size / SHADOW_PAGE + 1, sizeof(void *));
  if (!global->shadow) return NULL;
  void **page = &global->shadow[at / SHADOW_PAGE];
  if (!*page) *page = calloc(WORDS_A_PAGE, sizeof(Word));
  return *page ? (Word *)*page + at % SHADOW_PAGE / WORD : NULL;
}

/* Does anything order `a` before what `b` does now? */
static bool ordered(const Warp *w, const Stamp *a, const Stamp *b) {
  const Cta *cta = w->cta;
  if (a->block == b->block) {
    if (a->thread == b->thread || a->epoch != b->epoch) return true;
    uint32_t warp_a = a->thread / WARP_SIZE;
    if (warp_a == (uint32_t)w->id) {
      if (a->time == b->time) return true; /* the same instruction: check_within looks at that */
      if (w->clock->knows[b->thread % WARP_SIZE][a->thread % WARP_SIZE] > a->clock) return true;
    }
    return cta->warps[warp_a].clock->released > a->time && w->clock->acquired > a->time;
  }
  return cta->clock->acquired > a->time; /* the other block may be gone: it counts as released */
}

static bool conflicts(const Warp *w, const Stamp *a, const Stamp *b) {
  return a->op && (a->bytes & b->bytes) && !(a->strong && b->strong) && !ordered(w, a, b);
}

/* The value that a lane is about to store, compared with what is there. */
static bool stores_same(const Warp *w, const Path *p, const Op *op, int lane, uint64_t address,
                        const Allocation *global) {
  if (op->in->op != OP_ST || !op->elems) return false;
  const uint8_t *there = memory_space(address) == SP_SHARED
                             ? w->cta->shared + (address - SHARED_BASE)
                             : global->host + (address - global->base);
  for (int i = 0; i < op->count; i++) {
    size_t width = op->elem_bytes[i], n = op->bytes < width ? op->bytes : width;
    const uint8_t *s = (const uint8_t *)operand(p->frame, op->elems[i]) + (size_t)lane * width;
    if (memcmp(s, there + (size_t)i * op->bytes, n) != 0) return false;
  }
  return true;
}

/* The order of the two accesses that this run did not take. */
static void show_schedule(const Warp *w, const Path *p, const Op *op, int lane, const Stamp *a,
                          const char *there) {
  char here[120], first[80], second[80];
  uint32_t thread = (uint32_t)(w->id * WARP_SIZE + lane), block = (uint32_t)w->cta->index;
  fault_place(p->frame->code->fn->module, op->in, here, sizeof here);
  if (a->block != block) {
    snprintf(first, sizeof first, "block %u", block);
    snprintf(second, sizeof second, "block %u", a->block);
  } else if (a->thread / WARP_SIZE != (uint32_t)w->id) {
    snprintf(first, sizeof first, "warp %d", w->id);
    snprintf(second, sizeof second, "warp %u", a->thread / WARP_SIZE);
  } else {
    snprintf(first, sizeof first, "lane %d", lane);
    snprintf(second, sizeof second, "lane %u", a->thread % WARP_SIZE);
  }
  fault_add_line(
      w->cta->m->faults,
      "a schedule that shows it: %s goes first, until thread %u is past %s; then %s goes "
      "on, and thread %u comes to %s",
      first, thread, here, second, a->thread, there);
}

static void report_race(Warp *w, Path *p, const Op *op, int lane, uint64_t address, const Stamp *a,
                        bool a_writes, bool b_writes) {
  char place[120];
  bool same_warp = a->block == w->cta->index && a->thread / WARP_SIZE == (uint32_t)w->id;
  bool lockstep = same_warp && !w->cta->m->model->independent;
  char other[160];
  if (a->block == w->cta->index)
    snprintf(other, sizeof other, "thread %u of the same block (warp %u, lane %u)", a->thread,
             a->thread / WARP_SIZE, a->thread % WARP_SIZE);
  else
    snprintf(other, sizeof other, "thread %u of block %u", a->thread, a->block);
  static const char advice[] = "put __syncthreads() between the two (for lanes of one warp "
                               "__syncwarp()), or make both atomic";
  const char *format =
      "lane %d %s 0x%llx, which %s %s at %s, and nothing orders the two: run in the "
      "other order, they give another result%s";
  fault_place(a->module, a->op->in, place, sizeof place);
  FaultList *list = w->cta->m->faults;
  if (lockstep)
    fault_note(w, p, op->in, GPU_FAULT_RACE, 1u << lane, advice, format, lane,
               b_writes ? "writes" : "reads", (unsigned long long)address, other,
               a_writes ? "wrote" : "read", place, " (only lockstep keeps them apart here)");
  else
    fault_raise(w, p, op->in, GPU_FAULT_RACE, 1u << lane, advice, format, lane,
                b_writes ? "writes" : "reads", (unsigned long long)address, other,
                a_writes ? "wrote" : "read", place, "");
  fault_add_place(list, a->module, a->op->in, "the other access");
  show_schedule(w, p, op, lane, a, place);
}

static void check_word(Warp *w, Path *p, const Op *op, int lane, uint64_t address, Word *word,
                       const Stamp *now, bool write, const Allocation *global) {
  const Stamp *a = &word->store;
  if (conflicts(w, a, now) &&
      !(write && a->op == op && stores_same(w, p, op, lane, address, global)))
    report_race(w, p, op, lane, address, a, true, write);
  for (int i = 0; write && i < READS; i++)
    if (conflicts(w, &word->load[i], now))
      report_race(w, p, op, lane, address, &word->load[i], false, true);
  if (write) {
    word->store = *now;
  } else {
    bool same = word->load[0].op && word->load[0].thread == now->thread &&
                word->load[0].block == now->block;
    if (!same) word->load[1] = word->load[0];
    word->load[0] = *now;
  }
}

static bool is_strong(const Inst *in) {
  ModValue sem = in->mod[MC_SEM];
  return in->op == OP_ATOM || in->op == OP_RED || (sem != MOD_NONE && sem != MOD_SEM_WEAK);
}

/* Two lanes of one store that hit the same byte with different values. */
static void check_within(Warp *w, Path *p, const Op *op, const uint64_t *address, Mask m,
                         const Allocation *global) {
  if (op->in->op != OP_ST || is_strong(op->in) || op->count != 1) return;
  (void)global;
  size_t width = op->elem_bytes[0];
  const uint8_t *s = operand(p->frame, op->elems[0]);
  size_t n = op->bytes < width ? op->bytes : width;
  FOR_LANES(i, m)
  FOR_LANES(j, m & ~mask_below(i + 1)) {
    if (address[i] != address[j] || memcmp(s + (size_t)i * width, s + (size_t)j * width, n) == 0)
      continue;
    fault_raise(
        w, p, op->in, GPU_FAULT_RACE, 1u << i | 1u << j,
        "let one lane store, or give each lane a place of its own",
        "lanes %d and %d store different values to 0x%llx in one instruction; which of them "
        "stays is not defined",
        i, j, (unsigned long long)address[i]);
    return;
  }
}

void check_access(Warp *w, Path *p, const Op *op, const uint64_t *address, uint32_t bytes, Mask m,
                  bool write, Allocation *global) {
  if (!is_on(w->cta)) return;
  Space space = memory_space(address[mask_first(m)]);
  if (space != SP_SHARED && space != SP_GLOBAL) return;
  bool strong = is_strong(op->in);
  if (write) check_within(w, p, op, address, m, global);
  FOR_LANES(l, m) {
    check_initialized(w, p, op, address[l], bytes, l, write, global);
    for (uint64_t at = address[l]; at < address[l] + bytes; at = (at | (WORD - 1)) + 1) {
      Word *word = word_at(w, at, global);
      uint64_t end = address[l] + bytes, word_end = (at | (WORD - 1)) + 1;
      uint32_t n = (uint32_t)((end < word_end ? end : word_end) - at);
      Stamp now = {.op = op,
                   .module = p->frame->code->fn->module,
                   .block = (uint32_t)w->cta->index,
                   .thread = (uint32_t)(w->id * WARP_SIZE + l),
                   .epoch = w->cta->clock->epoch,
                   .clock = w->clock->knows[l][l],
                   .time = w->cta->m->issued,
                   .bytes = (uint8_t)(((1u << n) - 1) << (at % WORD)),
                   .strong = strong};
      if (word) check_word(w, p, op, l, address[l], word, &now, write, global);
    }
    if (w->cta->m->stopped) return;
  }
  if (strong && write) released(w);
  if (strong && (!write || op->in->op == OP_ATOM))
    w->clock->acquired = w->cta->clock->acquired = w->cta->m->issued;
}
