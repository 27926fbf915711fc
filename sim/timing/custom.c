/* timing/custom.c - asking a function of a module which warp issues.
 *
 * The sub-core knows which warps are eligible, and the function only chooses among them: a wrong
 * answer cannot make a warp compute something else, and is found out. Thinking costs no time of the
 * machine that is modelled. */
#include "timing/custom.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exec/callback.h"
#include "exec/fault.h"

/* What a warp waits for: WB_... in cuda/warpbook.h */
typedef enum Wait {
  WAIT_NOTHING,
  WAIT_CODE,
  WAIT_RESULT,
  WAIT_SHARED,
  WAIT_MEMORY,
  WAIT_UNIT,
  WAIT_BARRIER,
  WAIT_OTHERS,
  WAIT_ENDED
} Wait;

/* wb_warp in cuda/warpbook.h */
typedef struct WarpRecord {
  int32_t eligible, waits_for;
  uint32_t waited, issued, age;
  int32_t last;
  uint32_t block, warp;
} WarpRecord;

struct CustomScheduler {
  Function *fn;
  char *name;
  uint64_t records;            /* device address: CORE_WARPS of them */
  uint32_t idle[CUSTOM_CORES]; /* cycles in a row for which it has answered -1 */
  Callback callback;
};

/* ---- what it is told ----------------------------------------------------------------------- */

static const uint8_t wait_for_stall[STALLS] = {
    [STALL_NO_INSTRUCTION] = WAIT_CODE, [STALL_BRANCH] = WAIT_CODE,    [STALL_WAIT] = WAIT_RESULT,
    [STALL_SHORT] = WAIT_SHARED,        [STALL_LONG] = WAIT_MEMORY,    [STALL_MEMBAR] = WAIT_MEMORY,
    [STALL_BARRIER] = WAIT_BARRIER,     [STALL_SLEEPING] = WAIT_OTHERS};

static Wait wait_of(const SmWarp *w, uint64_t cycle) {
  if (w->next) return w->ready > cycle ? (Wait)wait_for_stall[w->why] : WAIT_UNIT;
  if (w->warp->state == WARP_DONE) return WAIT_ENDED;
  return w->warp->state == WARP_SPINNING ? WAIT_OTHERS : WAIT_BARRIER;
}

static uint32_t clamp(uint64_t n) { return n < UINT32_MAX ? (uint32_t)n : UINT32_MAX; }

static WarpRecord describe(const SubCore *core, const SmWarp *w, bool eligible, uint64_t cycle) {
  return (WarpRecord){.eligible = eligible,
                      .waits_for = eligible ? WAIT_NOTHING : (int32_t)wait_of(w, cycle),
                      .waited = cycle > w->since ? clamp(cycle - w->since) : 0,
                      .issued = clamp(w->issued),
                      .age = clamp(w->age),
                      .last = w == core->last,
                      .block = clamp(w->warp->cta->index),
                      .warp = (uint32_t)w->warp->id};
}

/* False: the memory for it is gone. */
static bool tell(const CustomScheduler *s, const SubCore *core, SmWarp *const *warps,
                 const bool *eligible, int count, uint64_t cycle) {
  size_t bytes = (size_t)count * sizeof(WarpRecord);
  Allocation *memory = memory_find(&core->sm->m->memory, s->records, bytes);
  if (!memory) return false;
  WarpRecord *records = (WarpRecord *)(void *)memory->host;
  for (int i = 0; i < count; i++) records[i] = describe(core, warps[i], eligible[i], cycle);
  return true;
}

/* ---- what it answers ----------------------------------------------------------------------- */

/* The fault is shown at what the first eligible warp is about to issue. */
static void bad_answer(const CustomScheduler *s, SmWarp *const *warps, const bool *eligible,
                       const char *what) {
  while (!*eligible) eligible++, warps++;
  const SmWarp *w = *warps;
  Path at = {
      .mask = w->warp->live, .frame = w->frame, .pc = (int32_t)(w->next - w->frame->code->ops)};
  Machine *m = w->core->sm->m;
  fault_raise(
      w->warp, &at, w->next->in, GPU_FAULT_BAD_CALLBACK, at.mask,
      "look at that function: it decides which warp issues, and must answer the index of an "
      "eligible one, or -1",
      "the scheduler %s %s; this warp could have issued", s->name, what);
  m->stopped = true; /* there is no way to go on, whatever was asked for */
}

/* What is wrong with the answer, in words; NULL: nothing. */
static const char *complaint_about(CustomScheduler *s, int core, const bool *eligible, int count,
                                   int answer, char *buffer, size_t size) {
  uint32_t *idle = &s->idle[core];
  *idle = answer == -1 ? *idle + 1 : 0;
  if (*idle >= CUSTOM_PATIENCE) {
    snprintf(buffer, size, "has let eligible warps wait for %d cycles in a row", CUSTOM_PATIENCE);
    return buffer;
  }
  if (answer == -1 || (answer >= 0 && answer < count && eligible[answer])) return NULL;
  if (answer < 0 || answer >= count)
    snprintf(buffer, size, "answers %d: warps have the indices 0 to %d here", answer, count - 1);
  else
    snprintf(buffer, size, "answers %d: that warp is not eligible", answer);
  return buffer;
}

static int pick_custom(void *context, SubCore *core, SmWarp *const *warps, const bool *eligible,
                       int count, uint64_t cycle) {
  CustomScheduler *s = context;
  const Sm *sm = core->sm;
  Machine *m = sm->m;
  char buffer[128];
  uint32_t answer = 0;
  int number = sm->id * sm->core_count + core->id;
  if (!tell(s, core, warps, eligible, count, cycle)) {
    bad_answer(s, warps, eligible, "has freed the memory in which it is told of warps");
    return -1;
  }
  const uint64_t args[] = {(uint64_t)number, s->records, (uint64_t)count, cycle};
  CallbackEnd end = callback_run(m, &s->callback, s->fn, args, &answer);
  const char *complaint = callback_complaint(end);
  if (end == CALLBACK_DONE && s->callback.spent > m->set.instruction_limit)
    complaint = "has used up the launch's limit of instructions";
  if (end == CALLBACK_DONE && !complaint)
    complaint = complaint_about(s, number, eligible, count, (int)answer, buffer, sizeof buffer);
  if (complaint) bad_answer(s, warps, eligible, complaint);
  return m->stopped ? -1 : (int)answer;
}

const Scheduler custom_scheduler = {"custom", "a function of a module", pick_custom};

/* ---- setting ------------------------------------------------------------------------------- */

bool custom_fits(const Function *fn) {
  static const uint64_t bytes[] = {4, 8, 4, 8};
  enum { COUNT = sizeof bytes / sizeof *bytes };
  if (fn->param_count != COUNT || fn->result_count != 1 || fn->results[0]->size != 4) return false;
  for (size_t i = 0; i < COUNT; i++)
    if (fn->params[i]->size != bytes[i]) return false;
  return true;
}

CustomScheduler *custom_new(Machine *m, Function *fn, const char *name) {
  CustomScheduler *s = calloc(1, sizeof *s);
  if (!s) return NULL;
  s->fn = fn;
  s->name = strdup(name);
  s->records = memory_alloc(&m->memory, CORE_WARPS * sizeof(WarpRecord), "wb_warp", false);
  if (s->name && s->records) return s;
  custom_free(s, m);
  return NULL;
}

void custom_free(CustomScheduler *s, Machine *m) {
  if (!s) return;
  memory_free(&m->memory, s->records);
  callback_free(&s->callback);
  free(s->name);
  free(s);
}

void custom_begin(CustomScheduler *s, Machine *m) {
  if (!s) return;
  callback_begin(m, &s->callback);
  memset(s->idle, 0, sizeof s->idle);
}
