/* view/profile.c - counts by instruction, added up by line when somebody asks. */
#include "view/profile.h"

#include <stdlib.h>
#include <string.h>

#include "base/mask.h"
#include "view/numbering.h"

struct Profile {
  Numbering numbers;
  gpu_line *insts; /* by number: what one instruction did */
  size_t capacity;
  gpu_line *lines;
  size_t line_count;
  bool stale;         /* lines are older than insts */
  bool out_of_memory; /* what came since is not counted */
};

Profile *profile_new(void) { return calloc(1, sizeof(Profile)); }

void profile_free(Profile *p) {
  if (!p) return;
  numbering_free(&p->numbers);
  free(p->insts);
  free(p->lines);
  free(p);
}

/* ---- instructions ---------------------------------------------------------------------------- */

/* The sums of the event's instruction; NULL: no memory. */
static gpu_line *sums_of(Profile *p, const gpu_event *e) {
  size_t known = p->numbers.count;
  uint32_t number = number_inst(&p->numbers, e->function, e->pc);
  if (number == UINT32_MAX) return NULL;
  if (number >= p->capacity) {
    size_t capacity = p->capacity ? 2 * p->capacity : 512;
    gpu_line *more = realloc(p->insts, capacity * sizeof *more);
    if (!more) return NULL;
    p->insts = more;
    p->capacity = capacity;
  }
  if (number == known) p->insts[number] = (gpu_line){.file = e->file, .line = e->line};
  return &p->insts[number];
}

/* The warp's cycles from the end of its last instruction to the end of this one. */
static void add_cycles(gpu_line *l, const gpu_event *e) {
  if (!e->slots) return;
  l->cycles[GPU_STALL_SELECTED] += e->slots;
  l->cycles[e->stall] += e->ready - e->since;
  l->cycles[e->throttle] += e->turn - e->ready;
  l->cycles[GPU_STALL_NOT_SELECTED] += e->cycle - e->turn;
}

void profile_add(Profile *p, const gpu_event *e) {
  gpu_line *l = p->out_of_memory ? NULL : sums_of(p, e);
  p->out_of_memory = !l;
  if (!l) return;
  l->instructions++;
  l->passes++;
  l->slots += e->slots;
  l->lanes += (uint64_t)mask_count(e->active);
  l->diverged += e->diverged;
  l->requests += e->passes > 0;
  l->transactions += e->passes;
  add_cycles(l, e);
  p->stale = true;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static int by_place(const void *a, const void *b) {
  const gpu_line *x = a, *y = b;
  int files = strcmp(x->file ? x->file : "", y->file ? y->file : "");
  if (files) return files;
  return (x->line > y->line) - (x->line < y->line);
}

/* A warp passes a line as often as it executes the instruction of it that it executes most. */
static void merge(gpu_line *into, const gpu_line *from) {
  if (from->passes > into->passes) into->passes = from->passes;
  into->instructions += from->instructions;
  into->slots += from->slots;
  into->lanes += from->lanes;
  into->diverged += from->diverged;
  into->requests += from->requests;
  into->transactions += from->transactions;
  for (int i = 0; i < GPU_STALL_COUNT; i++) into->cycles[i] += from->cycles[i];
}

static void add_up(Profile *p) {
  size_t n = p->numbers.count, kept = 0;
  p->stale = false;
  free(p->lines);
  p->lines = calloc(n + 1, sizeof *p->lines);
  p->line_count = 0;
  if (!p->lines) return;
  memcpy(p->lines, p->insts, n * sizeof *p->lines);
  qsort(p->lines, n, sizeof *p->lines, by_place);
  for (size_t i = 0; i < n; i++) {
    if (kept && by_place(&p->lines[kept - 1], &p->lines[i]) == 0)
      merge(&p->lines[kept - 1], &p->lines[i]);
    else
      p->lines[kept++] = p->lines[i];
  }
  p->line_count = kept;
}

size_t profile_lines(Profile *p, const gpu_line **lines) {
  if (p->stale) add_up(p);
  *lines = p->lines;
  return p->line_count;
}
