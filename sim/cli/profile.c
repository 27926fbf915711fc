/* cli/profile.c - `run --profile` and `run --trace`. */
#include "cli/profile.h"

#include <string.h>

#include "cli/metrics.h"

/* ---- before and after the launch ------------------------------------------------------------- */

enum { TRACE_LIMIT = 20000 }; /* instructions: a page that a browser still draws at once */

gpu_result views_begin(const Options *o, gpu_device *dev, Text *err) {
  if ((o->profile || o->trace) && o->functional)
    return fail(err, "--profile and --trace need cycles: leave out --functional");
  if ((o->profile || o->trace) && o->config.schedule_seed)
    return fail(err, "--profile and --trace need cycles, and a random schedule has none");
  gpu_result r = GPU_OK;
  uint64_t limit = o->trace_limit ? o->trace_limit : TRACE_LIMIT;
  if (o->profile) r = gpu_profile_begin(dev);
  if (r == GPU_OK && o->trace) r = gpu_trace_begin(dev, o->trace, limit);
  return r == GPU_OK ? r : fail_as(err, r, gpu_last_error(dev));
}

gpu_result views_end(const Options *o, gpu_device *dev, Text *err) {
  uint64_t written, all;
  if (!o->trace) return GPU_OK;
  gpu_result r = gpu_trace_end(dev, &written, &all);
  if (r != GPU_OK) return fail_as(err, r, gpu_last_error(dev));
  if (written < all)
    fprintf(stderr, "%s holds the first %llu of %llu instructions: --trace-limit N for more\n",
            o->trace, (unsigned long long)written, (unsigned long long)all);
  return r;
}

/* ---- for people ------------------------------------------------------------------------------ */

static uint64_t all_cycles(const gpu_line *l) {
  uint64_t sum = 0;
  for (int i = 0; i < GPU_STALL_COUNT; i++) sum += l->cycles[i];
  return sum;
}

static double percent(uint64_t part, uint64_t whole) {
  return whole ? 100 * (double)part / (double)whole : 0;
}

/* The longest wait before the line's instructions, and its share of the line's cycles. */
static void add_main_wait(Text *t, const gpu_line *l) {
  int most = GPU_STALL_SELECTED;
  for (int i = 1; i < GPU_STALL_COUNT; i++)
    if (most == GPU_STALL_SELECTED ? l->cycles[i] > 0 : l->cycles[i] > l->cycles[most]) most = i;
  if (most != GPU_STALL_SELECTED)
    text_add(t, "%s %.0f%%", gpu_stall_name(most), percent(l->cycles[most], all_cycles(l)));
}

/* Foreign text on a terminal: tabs become blanks, other control characters question marks. */
static void print_source(const char *text, size_t length) {
  for (size_t i = 0; i < length; i++) {
    char c = text[i];
    putchar(c == '\t' ? ' ' : (unsigned char)c < ' ' || c == 0x7f ? '?' : c);
  }
  putchar('\n');
}

static void print_line(const gpu_module *mod, const gpu_line *l, uint64_t all) {
  size_t length;
  Text wait = {0};
  const char *text = gpu_source_line(mod, l->file, l->line, &length);
  add_main_wait(&wait, l);
  printf("%5.1f%% %9llu %8llu %6.1f ", percent(all_cycles(l), all),
         (unsigned long long)l->instructions, (unsigned long long)l->passes,
         (double)l->lanes / (double)l->instructions);
  printf(l->diverged ? "%8llu" : "%8.0llu", (unsigned long long)l->diverged);
  if (l->requests)
    printf(" %8.1f", (double)l->transactions / (double)l->requests);
  else
    printf(" %8s", "");
  printf("  %-24s %5u | ", text_str(&wait), l->line);
  print_source(text ? text : "", text ? length : 0);
  text_free(&wait);
}

enum { GAP = 4 }; /* lines that executed nothing and are shown all the same */

/* The lines of the source between two that executed something. */
static void print_between(const gpu_module *mod, const gpu_line *from, const gpu_line *to) {
  size_t length;
  if (to->line - from->line > GAP + 1) {
    printf("%74s...\n", "");
    return;
  }
  for (uint32_t line = from->line + 1; line < to->line; line++) {
    const char *text = gpu_source_line(mod, from->file, line, &length);
    if (!text) continue;
    printf("%76s %5u | ", "", line);
    print_source(text, length);
  }
}

void print_profile(gpu_device *dev, const gpu_module *mod) {
  gpu_line line, last = {0};
  uint64_t all = 0;
  size_t length, count = gpu_profile_count(dev);
  for (size_t i = 0; i < count && gpu_profile_line(dev, i, &line) == GPU_OK; i++)
    all += all_cycles(&line);
  for (size_t i = 0; i < count && gpu_profile_line(dev, i, &line) == GPU_OK; i++) {
    bool same_file = last.file && strcmp(last.file, line.file) == 0;
    if (!same_file) {
      bool given = gpu_source_line(mod, line.file, 1, &length) != NULL;
      printf("\n%s%s\n", line.file, given ? "" : "   (its text was not given)");
      printf("%6s %9s %8s %6s %8s %8s  %-24s %5s\n", "cycles", "executed", "passes", "lanes",
             "parted", "per acc.", "waits most for", "line");
    } else {
      print_between(mod, &last, &line);
    }
    print_line(mod, &line, all);
    last = line;
  }
  printf(
      "\ncycles: share of all cycles of warps, waiting before the line included. executed: warp\n"
      "instructions (PTX). passes: times that a warp came past. lanes: active, on average.\n"
      "parted: executions at which a warp's lanes took different ways. per acc.: sectors of\n"
      "global memory, or passes over the banks of shared memory, an access.\n");
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void add_line(Text *t, const gpu_module *mod, const gpu_line *l) {
  size_t length;
  const char *text = gpu_source_line(mod, l->file, l->line, &length);
  Text copy = {0};
  text_bytes(&copy, text ? text : "", text ? length : 0);
  text_add(t, "{\"file\":");
  json_string(t, l->file);
  text_add(t, ",\"line\":%u,\"text\":", l->line);
  json_string(t, text_str(&copy));
  text_free(&copy);
  text_add(t, ",\"instructions\":%llu,\"passes\":%llu,\"lanes\":%.4f,\"diverged\":%llu",
           (unsigned long long)l->instructions, (unsigned long long)l->passes,
           (double)l->lanes / (double)l->instructions, (unsigned long long)l->diverged);
  text_add(t, ",\"slots\":%llu,\"requests\":%llu,\"transactions\":%llu,",
           (unsigned long long)l->slots, (unsigned long long)l->requests,
           (unsigned long long)l->transactions);
  json_account(t, "cycles", l->cycles);
  text_add(t, "}");
}

void json_profile(Text *t, gpu_device *dev, const gpu_module *mod) {
  gpu_line line;
  text_add(t, "\"profile\":[");
  for (size_t i = 0; gpu_profile_line(dev, i, &line) == GPU_OK; i++) {
    if (i) text_add(t, ",");
    add_line(t, mod, &line);
  }
  text_add(t, "],");
}
