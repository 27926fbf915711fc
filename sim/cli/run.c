/* cli/run.c - `warpsim run`: one kernel, once, and what happened in words or in JSON. */
#include <math.h>
#include <string.h>

#include "cli/functions.h"
#include "cli/launch.h"
#include "cli/metrics.h"
#include "cli/options.h"
#include "cli/profile.h"
#include "cli/run.h"

/* ---- the summary --------------------------------------------------------------------------- */

static void print_shape(const Options *o, const gpu_device *dev, const Outcome *out) {
  gpu_dim g = out->stats.grid, b = out->stats.block;
  printf("kernel     %s   (%s", gpu_kernel_name(out->kernel), o->words[0]);
  const char *dot = strrchr(o->words[0], '.');
  if (!dot || strcmp(dot, ".ptx") != 0) printf(", compiled at level %s", opt_word(o->opt));
  printf(")\n");
  printf("device     architecture %s, divergence model %s%s%s\n", gpu_device_arch(dev),
         model_word(gpu_device_model(dev)), o->divergence ? ", replaced by " : "",
         o->divergence ? o->divergence : "");
  printf("launch     grid %u,%u,%u of blocks %u,%u,%u\n\n", g.x, g.y, g.z, b.x, b.y, b.z);
  if (out->result == GPU_FAULT) printf("stopped by a fault: the counts are of what ran before\n\n");
}

/* One line: a name, a number, and what it means (NULL: nothing). */
static void row(const char *name, uint64_t value, const char *meaning) {
  printf("%-22s %12llu%s%s\n", name, (unsigned long long)value, meaning ? "   " : "",
         meaning ? meaning : "");
}

static void print_lanes(const gpu_stats *s) {
  uint64_t idle = 32 * s->warps - s->threads;
  row("blocks", s->blocks, NULL);
  row("threads", s->threads, NULL);
  Text note = {0};
  if (s->blocks) text_add(&note, "%llu a block", (unsigned long long)(s->warps / s->blocks));
  if (idle) text_add(&note, ", %llu idle lanes in all", (unsigned long long)idle);
  row("warps", s->warps, text_str(&note));
  text_free(&note);
}

static void print_counts(const gpu_stats *s) {
  row("warp instructions", s->warp_instructions, "issued, one a warp");
  row("thread instructions", s->thread_instructions, "the same, one an active lane");
  if (s->atomics) row("atomic operations", s->atomics, "one an active lane");
  if (s->predicated_off)
    row("predicated off", s->predicated_off,
        "lanes switched off by a predicate on one instruction");
  printf("%-22s %11.1f%%   active lanes / (32 x warp instructions)\n", "SIMD efficiency",
         100 * gpu_simd_efficiency(s));
}

static void print_divergence(const gpu_stats *s) {
  row("branches", s->branches, "that could diverge, executed by a warp");
  row("divergent branches", s->divergent_branches, "whose lanes took two or more targets");
  if (s->divergent_branches) {
    row("paths", s->paths, "targets taken at divergent branches");
    row("passes", s->passes, "groups of lanes that ran one after the other");
  }
  Text note = {0};
  text_add(&note, "of %llu", (unsigned long long)s->warps);
  row("divergent warps", s->divergent_warps, text_str(&note));
  text_free(&note);
}

static void print_timing(gpu_device *dev, const Launch *launch, const Outcome *out) {
  if (out->timing.present) {
    printf("%-22s %12.0f   last end - first start on one SM\n", "clock span", out->timing.span);
    printf("%-22s %12.1f   end - start of a warp, mean\n", "clocks a warp", out->timing.warp_mean);
  }
  if (!out->timed) printf("clock64() counts warp instructions issued: this run has no timing\n");
  print_metrics(dev, launch, out);
}

static void print_summary(const Options *o, gpu_device *dev, const Launch *launch,
                          const Outcome *out) {
  print_shape(o, dev, out);
  print_lanes(&out->stats);
  print_counts(&out->stats);
  print_divergence(&out->stats);
  print_timing(dev, launch, out);
}

/* ---- buffers for people -------------------------------------------------------------------- */

enum { LINE_WIDTH = 88 };

/* All elements, as many a line as fit, each line with the index of its first. */
static void print_buffer(const Buffer *b, size_t index) {
  Text line = {0}, value = {0};
  printf("\nbuffer %zu  %s  %llu element%s\n", index, b->arg->text, (unsigned long long)b->count,
         b->count == 1 ? "" : "s");
  for (uint64_t i = 0; i < b->count; i++) {
    text_clear(&value);
    element_print(&value, b->arg->type, b->data + i * b->arg->type->bytes);
    if (line.length && line.length + 1 + value.length > LINE_WIDTH) {
      printf("%s\n", text_str(&line));
      text_clear(&line);
    }
    if (line.length == 0) text_add(&line, "%8llu:", (unsigned long long)i);
    text_add(&line, " %s", text_str(&value));
  }
  printf("%s\n", text_str(&line));
  text_free(&line);
  text_free(&value);
}

static void print_buffers(const Outcome *out) {
  for (size_t i = 0; i < out->buffer_count; i++)
    if (out->buffers[i].arg->is_output) print_buffer(&out->buffers[i], i);
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void json_text(Text *t, const char *name, const char *value) {
  text_add(t, "\"%s\":", name);
  json_string(t, value);
  text_bytes(t, ",", 1);
}

static void json_dim(Text *t, const char *name, gpu_dim d) {
  text_add(t, "\"%s\":[%u,%u,%u],", name, d.x, d.y, d.z);
}

static void json_count(Text *t, const char *name, uint64_t value) {
  text_add(t, "\"%s\":%llu,", name, (unsigned long long)value);
}

static void json_setting(Text *t, const Options *o, const gpu_device *dev, const Outcome *out) {
  json_text(t, "file", o->words[0]);
  json_text(t, "kernel", gpu_kernel_name(out->kernel));
  json_text(t, "arch", gpu_device_arch(dev));
  json_text(t, "model", model_word(gpu_device_model(dev)));
  json_text(t, "check", check_word(o->config.check));
  json_text(t, "opt", opt_word(o->opt));
  json_text(t, "status", out->result == GPU_OK ? "ok" : "fault");
  json_dim(t, "grid", out->stats.grid);
  json_dim(t, "block", out->stats.block);
  json_count(t, "shared", o->shared);
}

static void json_stats(Text *t, const gpu_stats *s) {
  json_count(t, "blocks", s->blocks);
  json_count(t, "warps", s->warps);
  json_count(t, "threads", s->threads);
  json_count(t, "warp_instructions", s->warp_instructions);
  json_count(t, "thread_instructions", s->thread_instructions);
  json_count(t, "predicated_off", s->predicated_off);
  text_add(t, "\"simd_efficiency\":%.6f,", gpu_simd_efficiency(s));
  json_count(t, "branches", s->branches);
  json_count(t, "divergent_branches", s->divergent_branches);
  json_count(t, "paths", s->paths);
  json_count(t, "passes", s->passes);
  json_count(t, "divergent_warps", s->divergent_warps);
  json_count(t, "atomics", s->atomics);
  json_count(t, "cycles", s->cycles);
  json_text(t, "clock_unit", s->cycles ? "cycles" : "warp instructions issued");
}

static void json_clocks(Text *t, const Timing *timing) {
  if (timing->present)
    text_add(t, "\"clock_span\":%.3f,\"clocks_a_warp\":%.3f,", timing->span, timing->warp_mean);
}

static void json_fault(Text *t, const gpu_fault_info *f) {
  text_bytes(t, "{", 1);
  json_text(t, "kind", gpu_fault_kind_name(f->kind));
  text_add(t, "\"note\":%s,", f->note ? "true" : "false");
  json_text(t, "file", f->file);
  json_count(t, "line", f->line);
  json_count(t, "column", f->column);
  json_dim(t, "block", f->block);
  json_dim(t, "thread", f->thread);
  text_add(t, "\"lane\":%d,\"active_mask\":\"0x%08x\",", f->lane, f->active_mask);
  json_text(t, "message", f->message);
  text_add(t, "\"advice\":");
  json_string(t, f->advice);
  text_bytes(t, "}", 1);
}

static void json_faults(Text *t, const gpu_device *dev) {
  const char *comma = "";
  text_add(t, "\"faults\":[");
  for (size_t i = 0; i < gpu_fault_count(dev); i++) {
    gpu_fault_info fault;
    if (gpu_fault(dev, i, &fault) != GPU_OK) continue;
    text_add(t, "%s", comma);
    json_fault(t, &fault);
    comma = ",";
  }
  text_add(t, "]");
}

static void json_buffer(Text *t, const Buffer *b, size_t index) {
  text_add(t, "{\"buffer\":%zu,\"type\":\"%s\",\"count\":%llu,\"values\":[", index,
           b->arg->type->name, (unsigned long long)b->count);
  for (uint64_t i = 0; i < b->count; i++) {
    if (i) text_bytes(t, ",", 1);
    element_print_json(t, b->arg->type, b->data + i * b->arg->type->bytes);
  }
  text_add(t, "]}");
}

static void json_buffers(Text *t, const Outcome *out) {
  const char *comma = "";
  text_add(t, ",\"buffers\":[");
  for (size_t i = 0; i < out->buffer_count; i++) {
    if (!out->buffers[i].arg->is_output) continue;
    text_add(t, "%s", comma);
    json_buffer(t, &out->buffers[i], i);
    comma = ",";
  }
  text_add(t, "]");
}

static void print_json(const Options *o, gpu_device *dev, const Launch *launch,
                       const Outcome *out) {
  Text t = {0};
  text_bytes(&t, "{", 1);
  json_setting(&t, o, dev, out);
  json_stats(&t, &out->stats);
  json_clocks(&t, &out->timing);
  json_metrics(&t, dev, launch, out);
  if (o->profile) json_profile(&t, dev, out->module);
  json_text(&t, "printf", gpu_printf_output(dev));
  json_faults(&t, dev);
  if (o->values) json_buffers(&t, out);
  text_add(&t, "}\n");
  fwrite(text_str(&t), 1, t.length, stdout);
  text_free(&t);
}

/* ---- the command --------------------------------------------------------------------------- */

static void print_text(const Options *o, gpu_device *dev, const Launch *launch,
                       const Outcome *out) {
  const char *printed = gpu_printf_output(dev);
  size_t length = strlen(printed);
  if (length) printf("%s%s\n", printed, printed[length - 1] == '\n' ? "" : "\n");
  print_summary(o, dev, launch, out);
  if (o->profile) print_profile(dev, out->module);
  if (o->values) print_buffers(out);
}

static void print_outcome(const Options *o, gpu_device *dev, const Launch *launch,
                          const Outcome *out) {
  if (o->json)
    print_json(o, dev, launch, out);
  else
    print_text(o, dev, launch, out);
  fflush(stdout);
  Text reports = {0};
  add_fault_reports(dev, &reports);
  fputs(text_str(&reports), stderr);
  text_free(&reports);
}

static gpu_result run_on_device(const Options *o, const Launch *launch, gpu_device *dev,
                                Text *err) {
  gpu_module *mod;
  gpu_result r = gpu_module_load(dev, &mod, o->words[0], o->opt);
  if (r != GPU_OK) return fail_as(err, r, gpu_last_error(dev));
  r = use_functions(o, dev, err);
  if (r != GPU_OK) return r;
  r = views_begin(o, dev, err);
  if (r != GPU_OK) return r;
  Outcome outcome = {0};
  r = launch_run(dev, mod, launch, &outcome, err);
  if (r == GPU_OK || r == GPU_FAULT) {
    print_outcome(o, dev, launch, &outcome);
    gpu_result traced = views_end(o, dev, err);
    if (traced != GPU_OK) r = traced;
  }
  outcome_free(&outcome);
  return r;
}

static gpu_result run_launch(const Options *o, const Launch *launch, Text *err) {
  char message[16384];
  gpu_device *dev;
  gpu_config config = o->config;
  config.timing = !o->functional && !config.schedule_seed;
  gpu_result r = gpu_device_create(&dev, &config, message, sizeof message);
  if (r != GPU_OK) return fail_as(err, r, message);
  r = run_on_device(o, launch, dev, err);
  gpu_device_destroy(dev);
  return r;
}

gpu_result run_driven(const Options *o, DriveFn *drive, void *context, Text *err) {
  if (o->block.x == 0)
    return fail(err, "--block is missing: the threads of a block, for instance --block 128");
  Launch launch = {.kernel = o->kernel,
                   .grid = o->grid,
                   .block = o->block,
                   .shared = o->shared,
                   .drive = drive,
                   .drive_context = context};
  gpu_result r = launch_parse_args(&launch, o->words + 1, (size_t)o->word_count - 1, err);
  if (r == GPU_OK) r = run_launch(o, &launch, err);
  launch_free(&launch);
  return r;
}

gpu_result run_command(const Options *o, Text *err) { return run_driven(o, NULL, NULL, err); }
