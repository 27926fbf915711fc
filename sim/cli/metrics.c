/* cli/metrics.c - the counters of a timed launch as metrics, and the two accounts of its cycles. */
#include "cli/metrics.h"

#include <stdlib.h>
#include <string.h>

/* ---- metrics ------------------------------------------------------------------------------- */

typedef enum Unit { COUNT, RATIO, PERCENT } Unit;

typedef struct Metric {
  const char *words; /* in plain words; the first of a group has its `group` */
  const char *name;  /* what Nsight Compute calls it */
  Unit unit;
  double value;
  const char *group;
} Metric;

enum { MOST_METRICS = 40 };

typedef struct Metrics {
  Metric list[MOST_METRICS];
  size_t count;
  const char *group; /* of the next one */
} Metrics;

static void add(Metrics *m, Unit unit, double value, const char *words, const char *name) {
  m->list[m->count++] = (Metric){words, name, unit, value, m->group};
  m->group = NULL;
}

static double ratio(double a, double b) { return b > 0 ? a / b : 0; }

static void add_time(Metrics *m, const gpu_timing *t) {
  m->group = "time";
  add(m, COUNT, (double)t->cycles, "cycles", "sm__cycles_elapsed.max");
  add(m, RATIO, t->microseconds, "microseconds at the clock", "gpu__time_duration.sum");
  add(m, COUNT, t->sms, "SMs that had blocks", "sms_with_blocks");
  add(m, COUNT, (double)t->sm_cycles, "cycles, summed over SMs", "sm__cycles_active.sum");
}

static void add_issue(Metrics *m, const gpu_timing *t, const gpu_stats *s) {
  double slots = (double)t->issue_slots, warp_cycles = 0;
  for (int i = 0; i < GPU_STALL_COUNT; i++) warp_cycles += (double)t->warp_cycles[i];
  m->group = "issue (machine instructions, as estimated from PTX)";
  add(m, COUNT, slots, "issue slots: cycles x sub-cores", "smsp__cycles_active.sum");
  add(m, COUNT, (double)t->issued, "issue slots used", "smsp__inst_issued.sum");
  add(m, PERCENT, 100 * ratio((double)t->issued, slots), "issue slot utilisation",
      "smsp__issue_active.avg.pct_of_peak_sustained_active");
  add(m, RATIO, ratio((double)t->issued, (double)t->sm_cycles), "issued a cycle of an SM",
      "sm__inst_issued.avg.per_cycle_active");
  add(m, RATIO, ratio((double)s->thread_instructions, (double)s->warp_instructions),
      "active lanes a warp instruction", "smsp__thread_inst_executed_per_inst_executed.ratio");
  add(m, RATIO,
      ratio((double)(s->thread_instructions - s->predicated_off), (double)s->warp_instructions),
      "  of them not predicated off", "smsp__thread_inst_executed_pred_on_per_inst_executed.ratio");
  add(m, RATIO, ratio(warp_cycles, slots), "warps in a sub-core, on average",
      "smsp__warps_active.avg.per_cycle_active");
  add(m, RATIO, ratio((double)t->eligible, slots), "  of them eligible to issue",
      "smsp__warps_eligible.avg.per_cycle_active");
  add(m, RATIO, ratio(warp_cycles, (double)t->issued), "warp cycles an instruction issued",
      "smsp__average_warp_latency_per_inst_issued.ratio");
}

static void add_occupancy(Metrics *m, gpu_device *dev, const Launch *launch, const Outcome *out) {
  const gpu_timing *t = &out->cycles;
  gpu_kernel_info kernel;
  gpu_occupancy_info limits;
  gpu_kernel_get_info(out->kernel, &kernel);
  gpu_dim b = launch->block;
  gpu_result r = gpu_occupancy(dev, t->registers, b.x * b.y * b.z,
                               kernel.shared_bytes + launch->shared, &limits);
  m->group = "occupancy";
  add(m, COUNT, t->registers, "registers a thread, estimated", "launch__registers_per_thread");
  add(m, COUNT, t->blocks_per_sm, "blocks that fit on an SM", "blocks_per_sm");
  if (r == GPU_OK)
    add(m, PERCENT,
        100 * ratio((double)t->blocks_per_sm * limits.warps_per_block, limits.max_warps_per_sm),
        "occupancy in theory", "sm__maximum_warps_per_active_cycle_pct");
  add(m, PERCENT, 100 * t->occupancy, "occupancy achieved",
      "sm__warps_active.avg.pct_of_peak_sustained_active");
}

static void add_memory(Metrics *m, const gpu_timing *t) {
  double requests = (double)t->global_requests, sectors = (double)t->global_sectors;
  double beyond = sectors - (double)t->l1_hit_sectors, dram = (double)t->dram_sectors;
  m->group = "memory";
  if (requests > 0) {
    add(m, COUNT, requests, "global and local accesses, one a warp",
        "l1tex__t_requests_pipe_lsu.sum");
    add(m, COUNT, sectors, "sectors of 32 bytes that they touch", "l1tex__t_sectors_pipe_lsu.sum");
    add(m, RATIO, ratio(sectors, requests), "sectors a request",
        "l1tex__average_t_sectors_per_request_pipe_lsu.ratio");
    add(m, PERCENT, 100 * ratio((double)t->l1_hit_sectors, sectors), "found in L1",
        "l1tex__t_sector_hit_rate.pct");
    add(m, PERCENT, 100 * ratio((double)t->l2_hit_sectors, (double)t->l2_hit_sectors + dram),
        "found in L2, of what L1 lacked", "lts__t_sector_hit_rate.pct");
    add(m, COUNT, beyond, "sectors that left the SM", "lts__t_sectors_srcunit_tex.sum");
    add(m, COUNT, 32 * dram, "bytes from DRAM", "dram__bytes.sum");
  }
  if (t->shared_requests) {
    add(m, COUNT, (double)t->shared_requests, "shared memory accesses, one a warp",
        "smsp__inst_executed_op_shared.sum");
    add(m, COUNT, (double)t->shared_wavefronts, "passes over the banks",
        "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum");
    add(m, COUNT, (double)t->shared_conflicts, "  of them for bank conflicts",
        "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum");
  }
}

static void collect(Metrics *m, gpu_device *dev, const Launch *launch, const Outcome *out) {
  add_time(m, &out->cycles);
  add_issue(m, &out->cycles, &out->stats);
  add_occupancy(m, dev, launch, out);
  add_memory(m, &out->cycles);
}

static void print_metric(const Metric *m) {
  static const char *const formats[] = {[COUNT] = "%-38s %12.0f    %s\n",
                                        [RATIO] = "%-38s %12.2f    %s\n",
                                        [PERCENT] = "%-38s %12.1f %%  %s\n"};
  if (m->group) printf("\n%s\n", m->group);
  printf(formats[m->unit], m->words, m->value, m->name);
}

/* ---- the accounts of cycles ------------------------------------------------------------------ */

typedef struct Row {
  int stall;
  uint64_t warps, slots;
} Row;

static int by_warps(const void *a, const void *b) {
  const Row *x = a, *y = b;
  if (x->warps != y->warps) return x->warps < y->warps ? 1 : -1;
  return x->stall - y->stall;
}

static void print_account_row(const char *name, const char *meaning, Row r, Row all) {
  printf("%-20s %12llu %6.1f %% %12llu %6.1f %%  %s\n", name, (unsigned long long)r.warps,
         100 * ratio((double)r.warps, (double)all.warps), (unsigned long long)r.slots,
         100 * ratio((double)r.slots, (double)all.slots), meaning);
}

/* What the warps did in each cycle, and why an issue slot was left empty: the longest first. */
static void print_accounts(const gpu_timing *t) {
  Row rows[GPU_STALL_COUNT], all = {0};
  for (int i = 0; i < GPU_STALL_COUNT; i++) {
    rows[i] = (Row){i, t->warp_cycles[i], t->slot_cycles[i]};
    all.warps += rows[i].warps;
    all.slots += rows[i].slots;
  }
  qsort(rows, GPU_STALL_COUNT, sizeof *rows, by_warps);
  printf("\nwhat every warp did in every cycle, and why an issue slot was not used\n"
         "%-20s %12s %8s %12s %8s\n",
         "", "warp cycles", "share", "issue slots", "share");
  for (int i = 0; i < GPU_STALL_COUNT; i++)
    if (rows[i].warps || rows[i].slots)
      print_account_row(gpu_stall_name(rows[i].stall), gpu_stall_meaning(rows[i].stall), rows[i],
                        all);
  print_account_row("all", "of resident warps; of cycles x sub-cores", all, all);
}

void json_account(Text *t, const char *name, const uint64_t *cycles) {
  text_add(t, "\"%s\":{", name);
  for (int i = 0; i < GPU_STALL_COUNT; i++)
    text_add(t, "%s\"%s\":%llu", i ? "," : "", gpu_stall_name(i), (unsigned long long)cycles[i]);
  text_add(t, "}");
}

/* ---- both ------------------------------------------------------------------------------------ */

void print_metrics(gpu_device *dev, const Launch *launch, const Outcome *out) {
  Metrics m = {0};
  if (!out->timed) return;
  collect(&m, dev, launch, out);
  for (size_t i = 0; i < m.count; i++) print_metric(&m.list[i]);
  print_accounts(&out->cycles);
}

void json_metrics(Text *t, gpu_device *dev, const Launch *launch, const Outcome *out) {
  Metrics m = {0};
  if (!out->timed) return;
  collect(&m, dev, launch, out);
  text_add(t, "\"metrics\":{");
  for (size_t i = 0; i < m.count; i++)
    text_add(t, "%s\"%s\":%.10g", i ? "," : "", m.list[i].name, m.list[i].value);
  text_add(t, "},");
  json_account(t, "warp_cycles", out->cycles.warp_cycles);
  text_add(t, ",");
  json_account(t, "slot_cycles", out->cycles.slot_cycles);
  text_add(t, ",");
}
