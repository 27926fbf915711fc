/* suites/run.c - running a student's kernel over arrays, and judging what it left behind. */
#include <string.h>

#include "cli/element.h"
#include "exam.h"

/* Every byte of an output before the launch: no value that a lab expects. */
enum { UNWRITTEN = 0x5a };

/* ---- elements ------------------------------------------------------------------------------- */

static bool is_mask(const KernelArgument *a) { return strcmp(a->type, "mask") == 0; }

static const ElementType *type_of(const KernelArgument *a) {
  const char *name = is_mask(a) ? "u32" : a->type;
  return element_type((Span){name, strlen(name)});
}

static size_t bytes_of(const KernelArgument *a) { return type_of(a)->bytes * a->count; }

static const uint8_t *element_at(const KernelArgument *a, const void *array, size_t index) {
  return (const uint8_t *)array + index * type_of(a)->bytes;
}

static const char *show_element(Exam *e, const KernelArgument *a, const void *array, size_t index) {
  Text t = {0};
  const uint8_t *at = element_at(a, array, index);
  uint32_t mask;
  if (is_mask(a)) {
    memcpy(&mask, at, sizeof mask);
    text_add(&t, "0x%08x", mask);
  } else {
    element_print(&t, type_of(a), at);
  }
  const char *kept = arena_strndup(e->arena, text_str(&t), t.length);
  text_free(&t);
  return kept;
}

static bool is_right(const KernelArgument *a, size_t index) {
  return memcmp(element_at(a, a->after, index), element_at(a, a->expected, index),
                type_of(a)->bytes) == 0;
}

/* Whether the kernel has left the element as it was. */
static bool is_unwritten(const KernelArgument *a, size_t index) {
  static const uint8_t nothing[8] = {UNWRITTEN, UNWRITTEN, UNWRITTEN, UNWRITTEN,
                                     UNWRITTEN, UNWRITTEN, UNWRITTEN, UNWRITTEN};
  const uint8_t *was = a->before ? element_at(a, a->before, index) : nothing;
  return memcmp(element_at(a, a->after, index), was, type_of(a)->bytes) == 0;
}

/* ---- arguments ------------------------------------------------------------------------------ */

const int32_t *run_input(const KernelRun *run) { return run->arguments[0].before; }

int run_count(const KernelRun *run) { return (int)run->arguments[0].count; }

int run_value(const KernelRun *run, size_t argument) {
  int32_t number;
  memcpy(&number, run->arguments[argument].before, sizeof number);
  return number;
}

/* ---- launching ------------------------------------------------------------------------------ */

static size_t argument_count(const KernelRun *run) { return strlen(run->kernel->parameters); }

static uint32_t at_least_one(uint32_t n) { return n ? n : 1; }
static gpu_dim whole(gpu_dim d) {
  return (gpu_dim){at_least_one(d.x), at_least_one(d.y), at_least_one(d.z)};
}

static gpu_result fill_array(gpu_device *dev, const KernelArgument *a, gpu_ptr *memory) {
  gpu_result result = gpu_mem_alloc(dev, memory, bytes_of(a));
  if (result != GPU_OK) return result;
  if (a->before) return gpu_memcpy_htod(dev, *memory, a->before, bytes_of(a));
  return gpu_memset(dev, *memory, UNWRITTEN, bytes_of(a));
}

static gpu_result read_array(Exam *e, KernelArgument *a, gpu_ptr memory) {
  a->after = arena_alloc(e->arena, bytes_of(a));
  return gpu_memcpy_dtoh(e->use.device, a->after, memory, bytes_of(a));
}

/* What the first step that failed has said counts, and a fault before all. */
static gpu_result worse(gpu_result a, gpu_result b) { return a == GPU_OK ? b : a; }

static gpu_result launch(Exam *e, KernelRun *run, gpu_kernel *kernel) {
  gpu_device *dev = e->use.device;
  gpu_ptr memory[ARGUMENTS_MAX] = {0};
  const void *args[ARGUMENTS_MAX];
  size_t count = argument_count(run);
  gpu_result result = GPU_OK;
  for (size_t i = 0; i < count && result == GPU_OK; i++) {
    const KernelArgument *a = &run->arguments[i];
    args[i] = a->count ? &memory[i] : a->before;
    if (a->count) result = fill_array(dev, a, &memory[i]);
  }
  if (result == GPU_OK)
    result = gpu_launch(dev, kernel, whole(run->grid), whole(run->block), 0, (void *const *)args);
  gpu_get_stats(dev, &run->stats);
  for (size_t i = 0; i < count; i++) {
    if (memory[i] && result <= GPU_FAULT)
      result = worse(result, read_array(e, &run->arguments[i], memory[i]));
    if (memory[i]) gpu_mem_free(dev, memory[i]);
  }
  return result;
}

gpu_result exam_run_once(Exam *e, KernelRun *run, Schedule schedule) {
  gpu_kernel *kernel;
  if (!exam_use_schedule(e, schedule)) return GPU_INTERNAL;
  if (!exam_kernel(e, &kernel, run->kernel)) return GPU_BAD_INPUT;
  return launch(e, run, kernel);
}

/* ---- saying --------------------------------------------------------------------------------- */

static void say_dim(Exam *e, gpu_dim d) {
  d = whole(d);
  if (d.z > 1)
    exam_say_call(e, "dim3(%u, %u, %u)", d.x, d.y, d.z);
  else if (d.y > 1)
    exam_say_call(e, "dim3(%u, %u)", d.x, d.y);
  else
    exam_say_call(e, "%u", d.x);
}

static void say_arguments(Exam *e, const KernelRun *run) {
  for (size_t i = 0; i < argument_count(run); i++) {
    const KernelArgument *a = &run->arguments[i];
    exam_say_call(e, "%s%s", i ? ", " : "", a->name);
    if (!a->count) exam_say_call(e, " = %s", show_element(e, a, a->before, 0));
  }
}

void exam_say_run(Exam *e, const KernelRun *run) {
  static const char *const how[SCHEDULE_COUNT] = {
      [SCHEDULE_TEXTBOOK] = ", on the textbook's machine (--arch textbook)",
      [SCHEDULE_STACK] = ", by a GPU that runs a warp in lockstep (--model stack)",
      [SCHEDULE_ADVERSE] = ", with the paths of a warp interleaved at random"};
  exam_say_call(e, "%s<<<", run->kernel->name);
  say_dim(e, run->grid);
  exam_say_call(e, ", ");
  say_dim(e, run->block);
  exam_say_call(e, ">>>(");
  say_arguments(e, run);
  exam_say_call(e, ")%s%s%s", run->input ? ", " : "", run->input ? run->input : "",
                how[e->schedule] ? how[e->schedule] : "");
  exam_say_function(e, run->kernel->name);
}

bool exam_run_accept(Exam *e, const KernelRun *run, gpu_result result) {
  if (result == GPU_OK) return true;
  if (!exam_failed(e)) exam_check(e, result);
  exam_say_run(e, run);
  return false;
}

/* ---- comparing ------------------------------------------------------------------------------ */

static uint32_t threads_of(const KernelRun *run) {
  gpu_dim b = whole(run->block);
  return b.x * b.y * b.z;
}

/* "out[37], thread 37: block 0, warp 1, lane 5" */
static void say_owner(Exam *e, const KernelRun *run, const KernelArgument *a, size_t index) {
  size_t threads = threads_of(run), warps = (threads + WARP - 1) / WARP, in_block = index % threads;
  Text *t = &e->picture;
  text_add(t, "%s[%zu]", a->name, index);
  switch (a->owner) {
  case OWNER_THREAD:
    text_add(t, ", of block %zu, thread %zu: warp %zu, lane %zu", index / threads, in_block,
             in_block / WARP, in_block % WARP);
    break;
  case OWNER_WARP: text_add(t, ", of block %zu, warp %zu", index / warps, index % warps); break;
  case OWNER_BLOCK: text_add(t, ", of block %zu", index); break;
  case OWNER_NOBODY: break;
  }
  text_add(t, "\n");
}

/* The lanes of the warp that the element belongs to, those that are right and those that are not.
 */
static void draw_warp(Exam *e, const KernelRun *run, const KernelArgument *a, size_t index) {
  size_t threads = threads_of(run), in_block = index % threads;
  size_t first = index - in_block % WARP, left = threads - in_block / WARP * WARP;
  Text *t = &e->picture;
  text_add(t, "\nlane      0       8       16      24     31\nright     ");
  for (size_t i = 0; i < WARP && i < left && first + i < a->count; i++)
    text_add(t, "%c", is_right(a, first + i) ? '#' : '.');
  text_add(t, "\nwrong     ");
  for (size_t i = 0; i < WARP && i < left && first + i < a->count; i++)
    text_add(t, "%c", is_right(a, first + i) ? ' ' : '^');
}

/* The hint for the first known mistake that explains the whole array. */
static const char *recognise(Exam *e, const KernelRun *run, const KernelArgument *a) {
  void *wrong = arena_alloc(e->arena, bytes_of(a));
  for (const KernelMistake *m = run->mistakes; m && m->hint; m++) {
    memset(wrong, UNWRITTEN, bytes_of(a));
    m->fill(run, wrong);
    if (memcmp(wrong, a->after, bytes_of(a)) == 0) return m->hint;
  }
  return NULL;
}

static void say_difference(Exam *e, const KernelRun *run, const KernelArgument *a, size_t index) {
  bool unwritten = is_unwritten(a, index) && !a->before;
  const char *expected = show_element(e, a, a->expected, index);
  const char *got = unwritten ? "nothing: it was not written" : show_element(e, a, a->after, index);
  exam_fail(e, "%s", "");
  exam_say_run(e, run);
  exam_say_expected(e, "%s", expected);
  exam_say_got(e, "%s", got);
  say_owner(e, run, a, index);
  text_add(&e->picture, "expected  %s\ngot       %s", expected, got);
  if (a->owner == OWNER_THREAD) draw_warp(e, run, a, index);
}

static size_t first_difference(const KernelArgument *a) {
  size_t i = 0;
  while (i < a->count && is_right(a, i)) i++;
  return i;
}

static bool nothing_written(const KernelRun *run) {
  for (const KernelArgument *a = run->arguments; a < run->arguments + argument_count(run); a++)
    for (size_t i = 0; i < a->count; i++)
      if (!is_unwritten(a, i)) return false;
  return true;
}

bool exam_compare(Exam *e, const KernelRun *run) {
  if (exam_failed(e)) return false;
  const KernelArgument *first = NULL; /* the first array that is compared */
  for (const KernelArgument *a = run->arguments; a < run->arguments + argument_count(run); a++) {
    if (!a->expected) continue;
    if (!first) first = a;
    size_t index = first_difference(a);
    if (index == a->count) continue;
    if (nothing_written(run)) {
      exam_unwritten(e, "%s is not written yet", run->kernel->name);
      return false;
    }
    say_difference(e, run, a, index);
    exam_say_hint(e, recognise(e, run, first));
    return false;
  }
  return true;
}

/* ---- counters ------------------------------------------------------------------------------- */

#define COUNTER(field)                                                                             \
  { #field, offsetof(gpu_stats, field) }
static const struct {
  const char *name;
  size_t offset;
} counters[] = {COUNTER(blocks),
                COUNTER(warps),
                COUNTER(threads),
                COUNTER(warp_instructions),
                COUNTER(thread_instructions),
                COUNTER(predicated_off),
                COUNTER(branches),
                COUNTER(divergent_branches),
                COUNTER(paths),
                COUNTER(passes),
                COUNTER(divergent_warps),
                COUNTER(atomics),
                COUNTER(cycles)};

/* A negative number: there is no such counter. */
static double counter_value(const gpu_stats *stats, const char *name) {
  if (strcmp(name, "simd_efficiency") == 0) return 100 * gpu_simd_efficiency(stats);
  for (size_t i = 0; i < sizeof counters / sizeof *counters; i++) {
    if (strcmp(name, counters[i].name) != 0) continue;
    uint64_t value;
    memcpy(&value, (const char *)stats + counters[i].offset, sizeof value);
    return (double)value;
  }
  return -1;
}

/* "simd_efficiency" in words */
static const char *counter_words(Exam *e, const char *name) {
  if (strcmp(name, "simd_efficiency") == 0) return "% SIMD efficiency";
  if (strcmp(name, "atomics") == 0) return " atomic operations";
  char *words = arena_printf(e->arena, " %s", name);
  for (char *c = words; *c; c++)
    if (*c == '_') *c = ' ';
  return words;
}

static void say_bound(Exam *e, const KernelRun *run, const CounterBound *b, double value) {
  const char *words = counter_words(e, b->counter);
  exam_fail(e, "the result is right, but a counter is out of its bounds");
  exam_say_run(e, run);
  if (value > b->most)
    exam_say_expected(e, "at most %.10g%s", b->most, words);
  else
    exam_say_expected(e, "at least %.10g%s", b->least, words);
  exam_say_got(e, "%.10g", value);
  exam_say_hint(e, b->hint);
}

bool exam_bounds(Exam *e, const KernelRun *run) {
  for (const CounterBound *b = run->bounds; b && b->counter; b++) {
    double value = counter_value(&run->stats, b->counter);
    if (exam_failed(e)) return false;
    if (value < 0)
      exam_broken(e, "there is no counter %s", b->counter);
    else if (value < b->least || value > b->most)
      say_bound(e, run, b, value);
  }
  return !exam_failed(e);
}

/* ---- measures ------------------------------------------------------------------------------- */

double measure_progress(const Measure *m) {
  double share = (m->value - m->bound.start) / (m->bound.goal - m->bound.start);
  return share <= 0 ? 0 : share > 1 ? 1 : share;
}

void exam_measures(Exam *e, const KernelRun *run, const Measure *measures, size_t count) {
  const Measure *worst = NULL;
  for (const Measure *m = measures; m < measures + count; m++)
    if (m->bound.goal > 0 && (!worst || measure_progress(m) < measure_progress(worst))) worst = m;
  if (!worst || measure_progress(worst) >= 1) return;
  exam_fail(e, "the result is right; the way to it is not there yet");
  exam_say_run(e, run);
  exam_say_expected(e, "%s %.0f%s", worst->bound.goal > worst->bound.start ? "at least" : "at most",
                    worst->bound.goal, worst->unit);
  exam_say_got(e, "%.1f; the starter has about %.0f", worst->value, worst->bound.start);
  exam_say_hint(e, worst->hint);
  exam_say_credit(e, floor(9 * measure_progress(worst)) / 10);
}

/* ---- all of it ------------------------------------------------------------------------------ */

void exam_run(Exam *e, KernelRun *run) {
  for (Schedule s = SCHEDULE_ITS; s < SCHEDULE_COUNT; s++) {
    if (exam_failed(e)) break;
    if (exam_run_accept(e, run, exam_run_once(e, run, s)) && exam_compare(e, run) &&
        s == SCHEDULE_ITS)
      exam_bounds(e, run);
  }
  exam_close_failure(e);
}
