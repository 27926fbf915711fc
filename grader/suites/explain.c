/* suites/explain.c - what the warps did before a failure: each line with the lanes that ran it, and
 * its cycles. */
#include "explain.h"

#include <string.h>

#include "../names.h"
#include "../source.h"

enum { ROWS_MAX = 20, ROW_STEPS = 64, COLUMNS = 48 /* of the timeline */ };

void explain_event(void *context, const gpu_event *event) {
  Explanation *x = context;
  if (*x->stopped || !event->file || !event->line || strcmp(base_name(event->file), x->file) != 0)
    return;
  Step now = {.block = event->block,
              .warp = event->warp,
              .line = event->line,
              .lanes = event->active,
              .stall = event->stall,
              .throttle = event->throttle,
              .since = event->since,
              .ready = event->ready,
              .turn = event->turn,
              .cycle = event->cycle};
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
  last.warp = (t.x + b.x * (t.y + b.y * t.z)) / WARP;
  return last;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Steps of the warp one after the other on the same line with the same lanes. */
typedef struct Row {
  const Step *steps[ROW_STEPS]; /* the newest first */
  size_t count;
} Row;

static bool goes_with(const Row *row, const Step *s) {
  const Step *newer = row->steps[0];
  return newer->line == s->line && newer->lanes == s->lanes && row->count < ROW_STEPS;
}

static const Step *oldest_of(const Row *row) { return row->steps[row->count - 1]; }

/* The last rows of the warp, the newest first. Cycles that go up on the way back are those of an
 * earlier launch. */
static size_t find_rows(Row *rows, const Explanation *x, const Step *warp) {
  size_t count = 0;
  for (size_t i = kept(x); i-- > 0;) {
    const Step *s = step_at(x, i);
    if (!same_warp(s, warp)) continue;
    Row *newer = count ? &rows[count - 1] : NULL;
    if (newer && s->cycle > oldest_of(newer)->cycle) break;
    if (!newer || !goes_with(newer, s)) {
      if (count == ROWS_MAX) break;
      newer = &rows[count++];
    }
    newer->steps[newer->count++] = s;
  }
  return count;
}

/* ---- lanes ----------------------------------------------------------------------------------- */

static void draw_lanes(Text *out, Arena *arena, const Step *s, const char *source) {
  const char *text = source_line_text(arena, source, s->line);
  text_add(out, "%5u  ", s->line);
  for (int lane = 0; lane < WARP; lane++) text_add(out, "%c", s->lanes >> lane & 1 ? '#' : '.');
  text_add(out, "  %s\n", text ? text : "");
}

/* ---- the timeline ---------------------------------------------------------------------------- */

/* From `first` on, `cycles` a column. */
typedef struct Scale {
  uint64_t first, cycles;
} Scale;

static Scale scale_of(const Row *rows, size_t count) {
  uint64_t first = oldest_of(&rows[count - 1])->since, last = rows[0].steps[0]->cycle;
  return (Scale){first, (last - first) / COLUMNS + 1};
}

static size_t column_of(const Scale *scale, uint64_t cycle) {
  return cycle < scale->first ? 0 : (size_t)((cycle - scale->first) / scale->cycles);
}

static void draw_bar(Text *out, const Scale *scale, const Row *row) {
  char bar[COLUMNS + 1];
  memset(bar, ' ', COLUMNS);
  bar[COLUMNS] = '\0';
  for (size_t i = row->count; i-- > 0;) {
    const Step *s = row->steps[i];
    for (uint64_t c = column_of(scale, s->since); c < column_of(scale, s->cycle); c++)
      if (bar[c] == ' ') bar[c] = '-';
    bar[column_of(scale, s->cycle)] = '#';
  }
  size_t length = COLUMNS;
  while (length && bar[length - 1] == ' ') length--;
  text_add(out, "%.*s", (int)length, bar);
}

/* What it waited for most. */
static void say_waits(Text *out, const Row *row) {
  uint64_t waits[GPU_STALL_COUNT] = {0};
  int most = 0;
  for (size_t i = 0; i < row->count; i++) {
    const Step *s = row->steps[i];
    waits[s->stall] += s->ready - s->since;
    waits[s->throttle] += s->turn - s->ready;
    waits[GPU_STALL_NOT_SELECTED] += s->cycle - s->turn;
  }
  for (int k = 0; k < GPU_STALL_COUNT; k++)
    if (waits[k] > waits[most]) most = k;
  if (waits[most])
    text_add(out, "  %llu %s", (unsigned long long)waits[most], gpu_stall_name(most));
  text_add(out, "\n");
}

static void draw_timeline(Text *out, const Row *rows, size_t count) {
  Scale scale = scale_of(rows, count);
  text_add(out,
           "the same in time, from cycle %llu on, %llu a column (# issues, - waits), and what it "
           "waited for most:\n",
           (unsigned long long)scale.first, (unsigned long long)scale.cycles);
  while (count-- > 0) {
    text_add(out, "%5u  ", rows[count].steps[0]->line);
    draw_bar(out, &scale, &rows[count]);
    say_waits(out, &rows[count]);
  }
}

/* ---- all ------------------------------------------------------------------------------------- */

void explain_draw(Text *out, Arena *arena, const Explanation *x, const char *source,
                  const gpu_stats *stats, const gpu_fault_info *fault) {
  if (x->count == 0) {
    text_add(out, "no kernel ran before it failed, so there are no lanes to show\n");
    return;
  }
  Row *rows = ARENA_ARRAY(arena, Row, ROWS_MAX);
  Step warp = chosen_warp(x, stats, fault);
  size_t count = find_rows(rows, x, &warp);
  if (count == 0) return;
  text_add(out, "the last lines of block %llu, warp %u, and the lanes that ran them:\n",
           (unsigned long long)warp.block, warp.warp);
  text_add(out, " line  0       8       16      24     31\n");
  for (size_t i = count; i-- > 0;) draw_lanes(out, arena, rows[i].steps[0], source);
  draw_timeline(out, rows, count);
}
