/* suites/explain.c - what the warps did before a failure: each line with the lanes that ran it. */
#include "explain.h"

#include <string.h>

#include "../names.h"
#include "../source.h"

enum { ROWS_MAX = 20, WARP_LANES = 32 };

void explain_event(void *context, const gpu_event *event) {
  Explanation *x = context;
  if (*x->stopped || !event->file || !event->line || strcmp(base_name(event->file), x->file) != 0)
    return;
  Step now = {event->block, event->warp, event->line, event->active};
  x->steps[x->count++ % EXPLAIN_STEPS] = now;
}

/* The i-th of the steps that are kept, from the oldest on. */
static const Step *step_at(const Explanation *x, size_t i) {
  size_t oldest = x->count > EXPLAIN_STEPS ? x->count : 0;
  return &x->steps[(oldest + i) % EXPLAIN_STEPS];
}

static size_t kept(const Explanation *x) {
  return x->count < EXPLAIN_STEPS ? x->count : EXPLAIN_STEPS;
}

static bool same_warp(const Step *a, const Step *b) {
  return a->block == b->block && a->warp == b->warp;
}

/* The warp that is shown: the fault's, else the one that ran last. */
static Step chosen_warp(const Explanation *x, const gpu_stats *stats, const gpu_fault_info *f) {
  Step last = *step_at(x, kept(x) - 1);
  if (!f) return last;
  gpu_dim b = stats->block, g = stats->grid, t = f->thread;
  last.block = f->block.x + (uint64_t)g.x * (f->block.y + (uint64_t)g.y * f->block.z);
  last.warp = (t.x + b.x * (t.y + b.y * t.z)) / WARP_LANES;
  return last;
}

static void draw_row(Text *out, Arena *arena, const Step *s, const char *source) {
  const char *text = source_line_text(arena, source, s->line);
  text_add(out, "%5u  ", s->line);
  for (int lane = 0; lane < WARP_LANES; lane++)
    text_add(out, "%c", s->lanes >> lane & 1 ? '#' : '.');
  text_add(out, "  %s\n", text ? text : "");
}

void explain_draw(Text *out, Arena *arena, const Explanation *x, const char *source,
                  const gpu_stats *stats, const gpu_fault_info *fault) {
  if (x->count == 0) {
    text_add(out, "no kernel ran before it failed, so there are no lanes to show\n");
    return;
  }
  const Step *rows[ROWS_MAX];
  Step warp = chosen_warp(x, stats, fault);
  size_t count = 0;
  for (size_t i = kept(x); i-- > 0 && count < ROWS_MAX;) {
    const Step *s = step_at(x, i), *newer = count ? rows[count - 1] : NULL;
    if (!same_warp(s, &warp)) continue;
    if (newer && newer->line == s->line && newer->lanes == s->lanes) continue;
    rows[count++] = s;
  }
  if (count == 0) return;
  text_add(out, "the last lines of block %llu, warp %u, and the lanes that ran them:\n",
           (unsigned long long)warp.block, warp.warp);
  text_add(out, " line  0       8       16      24     31\n");
  while (count > 0) draw_row(out, arena, rows[--count], source);
}
