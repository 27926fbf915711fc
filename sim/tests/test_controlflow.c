/* Which lanes run which basic block together: the simulator under `its` beside an H200.
 *
 * hardware/controlflow.cu logs a block's number and the active mask at every step of every lane;
 * hardware/controlflow.tsv is what the H200 logged. The order of two paths is not compared. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu.h"

#define HARDWARE WARPBOOK_ROOT "/sim/tests/hardware/"
enum { LOG_WORDS = 6144, LANES = 32, MAX_EVENTS = 4096, LINE = 1 << 16 };

typedef struct Event {
  uint32_t id, mask;
} Event;

typedef struct Events {
  Event items[MAX_EVENTS];
  size_t count;
} Events;

static int by_value(const void *a, const void *b) {
  const Event *x = a, *y = b;
  if (x->id != y->id) return x->id < y->id ? -1 : 1;
  return x->mask < y->mask ? -1 : x->mask > y->mask;
}

/* Events that two sorted lists have in common. */
static size_t common(const Events *a, const Events *b) {
  size_t i = 0, j = 0, n = 0;
  while (i < a->count && j < b->count) {
    int c = by_value(&a->items[i], &b->items[j]);
    n += c == 0;
    i += c <= 0;
    j += c >= 0;
  }
  return n;
}

static void add(Events *e, uint32_t id, uint32_t mask) {
  cr_assert_lt(e->count, (size_t)MAX_EVENTS);
  e->items[e->count++] = (Event){id, mask};
}

typedef struct Entry {
  uint32_t id, mask, clock;
} Entry;

static int by_clock(const void *a, const void *b) { return memcmp(a, b, sizeof(Entry)); }

/* Lanes that log the same block under the same mask at the same time are one event. */
static void from_log(const uint32_t *log, Events *e) {
  static Entry entries[LOG_WORDS / 3];
  size_t n = 0;
  for (int i = 0; i < LOG_WORDS / 3; i++)
    if (log[3 * i + 1]) memcpy(&entries[n++], log + 3 * i, sizeof(Entry));
  qsort(entries, n, sizeof *entries, by_clock);
  for (size_t i = 0; i < n; i++)
    if (i == 0 || by_clock(&entries[i], &entries[i - 1]) != 0)
      add(e, entries[i].id, entries[i].mask);
  qsort(e->items, e->count, sizeof *e->items, by_value);
}

static bool from_table(const char *id, Events *e) {
  static char line[LINE];
  FILE *f = fopen(HARDWARE "controlflow.tsv", "r");
  cr_assert(f);
  bool found = false;
  while (!found && fgets(line, sizeof line, f)) {
    char *tab = strchr(line, '\t');
    if (!tab) continue;
    *tab = '\0';
    if (strcmp(line, id) != 0) continue;
    found = true;
    for (char *word = strtok(tab + 1, " \n"); word; word = strtok(NULL, " \n")) {
      unsigned block, mask;
      cr_assert_eq(sscanf(word, "%u:%x", &block, &mask), 2);
      add(e, block, mask);
    }
  }
  fclose(f);
  qsort(e->items, e->count, sizeof *e->items, by_value);
  return found;
}

static void parse_seed(const char *args, int32_t *seed) {
  const char *at = strstr(args, "list:");
  cr_assert(at);
  at += 5;
  for (int i = 0; i < 2 * LANES; i++) {
    char *end;
    seed[i] = (int32_t)strtol(at, &end, 10);
    at = *end == ',' ? end + 1 : end;
  }
}

static void run_case(gpu_device *dev, gpu_module *mod, const char *kernel, unsigned block,
                     const int32_t *seed, uint32_t *log) {
  gpu_kernel *k;
  gpu_ptr buffers[3];
  size_t bytes[3] = {LOG_WORDS * 4, 32 * 4, 2 * LANES * 4};
  cr_assert_eq(gpu_module_kernel(mod, &k, kernel), GPU_OK, "%s", gpu_last_error(dev));
  for (int i = 0; i < 3; i++) {
    cr_assert_eq(gpu_mem_alloc(dev, &buffers[i], bytes[i]), GPU_OK);
    gpu_memset(dev, buffers[i], 0, bytes[i]);
  }
  gpu_memcpy_htod(dev, buffers[2], seed, bytes[2]);
  void *args[] = {&buffers[0], &buffers[1], &buffers[2]};
  gpu_result r = gpu_launch(dev, k, (gpu_dim){1, 1, 1}, (gpu_dim){block, 1, 1}, 0, args);
  cr_assert_eq(r, GPU_OK, "%s", gpu_last_error(dev));
  gpu_memcpy_dtoh(dev, log, buffers[0], bytes[0]);
}

/* Compares every case; returns the share of the H200's events that the simulator shows, too. */
static double agreement(const char *module, bool print) {
  static char line[LINE];
  static uint32_t log[LOG_WORDS];
  static Events want, got;
  size_t matched = 0, total = 0;
  gpu_config config = {.model = GPU_MODEL_ITS};
  gpu_device *dev;
  gpu_module *mod;
  cr_assert_eq(gpu_device_create(&dev, &config, NULL, 0), GPU_OK);
  cr_assert_eq(gpu_module_load(dev, &mod, module, GPU_OPT_TEACHING), GPU_OK, "%s",
               gpu_last_error(dev));
  FILE *f = fopen(HARDWARE "controlflow-cases.tsv", "r");
  cr_assert(f);
  while (fgets(line, sizeof line, f)) {
    char id[64], kernel[64];
    unsigned grid, block;
    int32_t seed[2 * LANES];
    if (line[0] == '#' || sscanf(line, "%63s\t%63s\t%u\t%u", id, kernel, &grid, &block) != 4)
      continue;
    want.count = got.count = 0;
    if (!from_table(id, &want)) continue;
    parse_seed(line, seed);
    run_case(dev, mod, kernel, block, seed, log);
    from_log(log, &got);
    size_t n = common(&want, &got);
    size_t larger = want.count > got.count ? want.count : got.count;
    matched += n;
    total += larger;
    if (print && n != larger) fprintf(stderr, "%s: %zu of %zu events agree\n", id, n, larger);
  }
  fclose(f);
  gpu_device_destroy(dev);
  cr_assert_gt(total, (size_t)100);
  return (double)matched / (double)total;
}

Test(controlflow, its_agrees_with_the_h200_on_97_percent_of_block_and_mask_events) {
  double share = agreement(HARDWARE "controlflow-nvcc.ptx", true);
  cr_assert_geq(share, 0.97, "only %.1f%% of the events agree", 100 * share);
}
