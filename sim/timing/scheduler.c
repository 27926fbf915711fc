/* timing/scheduler.c - which of a sub-core's eligible warps issues. */
#include <string.h>

#include "timing/sm.h"

/* Loose round robin: the eligible warp that comes next after the one that issued last. */
static int pick_lrr(void *context, SubCore *core, SmWarp *const *warps, const bool *eligible,
                    int count, uint64_t cycle) {
  (void)context, (void)warps, (void)cycle;
  for (int n = 0; n < count; n++) {
    int i = (core->turn + n) % count;
    if (!eligible[i]) continue;
    core->turn = i + 1;
    return i;
  }
  return -1;
}

static int pick_oldest(void *context, SubCore *core, SmWarp *const *warps, const bool *eligible,
                       int count, uint64_t cycle) {
  (void)context, (void)core, (void)cycle;
  int best = -1;
  for (int i = 0; i < count; i++)
    if (eligible[i] && (best < 0 || warps[i]->age < warps[best]->age)) best = i;
  return best;
}

/* Greedy, then oldest: the same warp as long as it can, then the oldest. */
static int pick_gto(void *context, SubCore *core, SmWarp *const *warps, const bool *eligible,
                    int count, uint64_t cycle) {
  for (int i = 0; i < count; i++)
    if (eligible[i] && warps[i] == core->last) return i;
  return pick_oldest(context, core, warps, eligible, count, cycle);
}

/* Greedy, then in turn: the same warp as long as it can, then the one whose turn it is. */
static int pick_grr(void *context, SubCore *core, SmWarp *const *warps, const bool *eligible,
                    int count, uint64_t cycle) {
  for (int i = 0; i < count; i++)
    if (eligible[i] && warps[i] == core->last) return i;
  return pick_lrr(context, core, warps, eligible, count, cycle);
}

enum { ACTIVE_WARPS = 4 }; /* a sub-core's inner level */

static bool waits_long(const SmWarp *w, uint64_t cycle) {
  return !w->next || (w->ready > cycle && (w->why == STALL_LONG || w->why == STALL_BARRIER));
}

/* Two levels: a few active warps take turns; one that waits for memory or a barrier makes room for
 * a pending one. */
static int pick_two_level(void *context, SubCore *core, SmWarp *const *warps, const bool *eligible,
                          int count, uint64_t cycle) {
  int active = 0;
  for (int i = 0; i < count; i++) {
    if (warps[i]->active && waits_long(warps[i], cycle)) warps[i]->active = false;
    active += warps[i]->active;
  }
  for (int i = 0; i < count && active < ACTIVE_WARPS; i++) {
    if (warps[i]->active || waits_long(warps[i], cycle)) continue;
    warps[i]->active = true;
    active++;
  }
  bool may[CORE_WARPS];
  for (int i = 0; i < count; i++) may[i] = eligible[i] && warps[i]->active;
  return pick_lrr(context, core, warps, may, count, cycle);
}

const Scheduler schedulers[] = {
    {"lrr", "loose round robin: each warp in its turn", pick_lrr},
    {"gto", "greedy, then oldest: stays with a warp until it stalls", pick_gto},
    {"grr", "greedy, then round robin: stays with a warp until it stalls", pick_grr},
    {"two-level", "a few warps take turns; those that wait long make room", pick_two_level},
    {"oldest", "always the warp that started first", pick_oldest},
    {NULL, NULL, NULL}};

const Scheduler *scheduler_find(const char *name) {
  for (const Scheduler *s = schedulers; s->name; s++)
    if (strcmp(s->name, name) == 0) return s;
  return NULL;
}
