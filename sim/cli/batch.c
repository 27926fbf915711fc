/* cli/batch.c - `warpsim batch`: every case of a table, several at a time.
 *
 * The module is loaded once; then each case runs in a child process of its own, which inherits the
 * device as it was just after loading. So every case starts on a fresh device, none can disturb
 * another, and the results are put down in the order of the table whatever the number of jobs. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cases.h"
#include "cli/functions.h"
#include "cli/options.h"
#include "cli/report.h"

typedef struct Output {
  const char *path;    /* NULL: not wanted */
  const char *heading; /* names of the columns */
  FILE *file;
} Output;

enum { OUT_VALUES, OUT_TIMING, OUT_STATS, OUTPUTS };

/* A child at work. */
typedef struct Worker {
  pid_t pid; /* 0: free */
  size_t index;
  FILE *channel; /* a file without a name: the child writes its report, then the parent reads it */
} Worker;

typedef struct Batch {
  const Options *options;
  CaseTable table;
  gpu_device *device;
  gpu_module *module;
  Output outputs[OUTPUTS];
  Report **reports; /* one a case; NULL before it is done and after it is written */
  Worker *workers;
  bool timed;
  size_t next, written; /* the next case to start, to write */
  size_t done, faults, bad, internal;
} Batch;

/* ---- one case, in the child ---------------------------------------------------------------- */

static void report_counts(Report *report, const char *id, const gpu_stats *s, const char *status) {
  const uint64_t counts[] = {s->blocks,
                             s->warps,
                             s->threads,
                             s->warp_instructions,
                             s->thread_instructions,
                             s->predicated_off,
                             s->branches,
                             s->divergent_branches,
                             s->paths,
                             s->passes,
                             s->divergent_warps,
                             s->cycles};
  text_add(&report->stats, "%s\t%s", id, status);
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    text_add(&report->stats, "\t%llu", (unsigned long long)counts[i]);
  text_add(&report->stats, "\t%.6f\n", gpu_simd_efficiency(s));
}

/* The word of the first fault that ended the launch. */
static const char *fault_word(const gpu_device *dev) {
  for (size_t i = 0; i < gpu_fault_count(dev); i++) {
    gpu_fault_info fault;
    if (gpu_fault(dev, i, &fault) == GPU_OK && !fault.note) return gpu_fault_kind_name(fault.kind);
  }
  return "fault";
}

/* The span is printed twice, as its least and its median: the simulator repeats exactly. */
static void report_timing(Report *report, const char *id, const Outcome *o) {
  const Timing *t = &o->timing;
  text_add(&report->timing, "%s\t%.0f\t%.0f\t%.1f\t", id, t->span, t->span, t->warp_mean);
  if (o->timed)
    text_add(&report->timing, "%u\n", o->cycles.registers);
  else
    text_add(&report->timing, "-\n");
}

static void report_outcome(Report *report, const gpu_device *dev, const char *id,
                           const Outcome *outcome) {
  bool ok = outcome->result == GPU_OK;
  const char *status = ok ? "ok" : fault_word(dev);
  report_counts(report, id, &outcome->stats, status);
  if (ok) {
    outcome_values(outcome, id, &report->values);
    if (outcome->timing.present) report_timing(report, id, outcome);
  } else {
    text_add(&report->values, "# %s: %s\n", id, status);
    text_add(&report->timing, "# %s: %s\n", id, status);
  }
  add_fault_reports(dev, &report->message);
}

static void run_case(const Batch *b, const Case *c, Report *report) {
  Outcome outcome = {0};
  report->result = launch_run(b->device, b->module, &c->launch, &outcome, &report->message);
  if (report->result == GPU_OK || report->result == GPU_FAULT)
    report_outcome(report, b->device, c->id, &outcome);
  outcome_free(&outcome);
}

/* ---- outputs, in the parent ---------------------------------------------------------------- */

static const char timing_heading[] = "id\tspan_min\tspan_median\twarp_mean\tregs";
static const char values_heading[] = "id\tbuffer\ttype\tvalues";
static const char stats_heading[] =
    "id\tstatus\tblocks\twarps\tthreads\twarp_instructions\tthread_instructions\tpredicated_off\t"
    "branches\tdivergent_branches\tpaths\tpasses\tdivergent_warps\tcycles\tsimd_efficiency";

static gpu_result open_output(Output *out, const gpu_device *dev, bool timed, Text *err) {
  if (!out->path) return GPU_OK;
  out->file = strcmp(out->path, "-") == 0 ? stdout : fopen(out->path, "w");
  if (!out->file) return fail(err, "cannot write '%s': %s", out->path, strerror(errno));
  fprintf(out->file, "# warpsim, architecture %s, model %s; clock64() counts %s\n%s\n",
          gpu_device_arch(dev), model_word(gpu_device_model(dev)),
          timed ? "cycles" : "warp instructions issued", out->heading);
  return GPU_OK;
}

static gpu_result open_outputs(Batch *b, Text *err) {
  const Options *o = b->options;
  bool none = !o->values_file && !o->timing_file && !o->stats_file;
  b->outputs[OUT_VALUES] = (Output){o->values_file, values_heading, NULL};
  b->outputs[OUT_TIMING] = (Output){o->timing_file, timing_heading, NULL};
  b->outputs[OUT_STATS] = (Output){none ? "-" : o->stats_file, stats_heading, NULL};
  for (int i = 0; i < OUTPUTS; i++) {
    gpu_result r = open_output(&b->outputs[i], b->device, b->timed, err);
    if (r != GPU_OK) return r;
  }
  return GPU_OK;
}

static gpu_result close_outputs(Batch *b, Text *err) {
  gpu_result r = GPU_OK;
  for (int i = 0; i < OUTPUTS; i++) {
    Output *out = &b->outputs[i];
    if (!out->file) continue;
    bool failed = fflush(out->file) != 0 || ferror(out->file);
    if (out->file != stdout && fclose(out->file) != 0) failed = true;
    out->file = NULL;
    if (failed) r = fail(err, "cannot write all of '%s': %s", out->path, strerror(errno));
  }
  return r;
}

static void write_text(Output *out, const Text *t) {
  if (out->file) fwrite(text_str(t), 1, t->length, out->file);
}

static void write_message(const Batch *b, const Case *c, const Report *report) {
  if (report->message.length == 0) return;
  char who[4352];
  if (report->result == GPU_OK || report->result == GPU_FAULT) {
    fprintf(stderr, "%s:%u: case %s:\n%s", b->table.path, c->line, c->id,
            text_str(&report->message));
    return;
  }
  snprintf(who, sizeof who, "%s:%u", b->table.path, c->line);
  print_error(who, text_str(&report->message));
}

static void count_result(Batch *b, gpu_result result) {
  b->faults += result == GPU_FAULT;
  b->bad += result == GPU_BAD_INPUT;
  b->internal += result == GPU_INTERNAL;
}

static void clear_progress(const Batch *b) {
  if (isatty(STDERR_FILENO) && b->done > 0) fputs("\r\033[K", stderr);
}

static void show_progress(const Batch *b) {
  if (!isatty(STDERR_FILENO) || b->done == b->table.count) return;
  fprintf(stderr, "\r\033[K%zu of %zu cases", b->done, b->table.count);
  if (b->faults) fprintf(stderr, ", %zu with faults", b->faults);
  if (b->bad) fprintf(stderr, ", %zu bad", b->bad);
  fflush(stderr);
}

/* Writes the reports that are ready, in the order of the table. */
static void write_ready(Batch *b) {
  clear_progress(b);
  for (; b->written < b->table.count && b->reports[b->written]; b->written++) {
    Report *report = b->reports[b->written];
    write_text(&b->outputs[OUT_VALUES], &report->values);
    write_text(&b->outputs[OUT_TIMING], &report->timing);
    write_text(&b->outputs[OUT_STATS], &report->stats);
    write_message(b, &b->table.cases[b->written], report);
    count_result(b, report->result);
    report_free(report);
    b->reports[b->written] = NULL;
  }
  show_progress(b);
}

/* ---- workers ------------------------------------------------------------------------------- */

static void finish_case(Batch *b, size_t index, Report *report) {
  b->reports[index] = report;
  b->done++;
  write_ready(b);
}

static _Noreturn void be_worker(const Batch *b, const Worker *w) {
  Report *report = report_new();
  run_case(b, &b->table.cases[w->index], report);
  _exit(report_send(fileno(w->channel), report) ? 0 : 1);
}

static gpu_result start_worker(Batch *b, Worker *w, size_t index, Text *err) {
  if (!w->channel) w->channel = tmpfile();
  if (!w->channel) return fail(err, "cannot make a temporary file: %s", strerror(errno));
  int fd = fileno(w->channel);
  if (ftruncate(fd, 0) != 0 || lseek(fd, 0, SEEK_SET) != 0)
    return fail(err, "cannot empty a temporary file: %s", strerror(errno));
  w->index = index;
  fflush(NULL);
  pid_t pid = fork();
  if (pid < 0) return fail(err, "cannot start a process: %s", strerror(errno));
  if (pid == 0) be_worker(b, w);
  w->pid = pid;
  return GPU_OK;
}

static void say_how_it_died(Report *report, int status) {
  text_clear(&report->values);
  text_clear(&report->timing);
  text_clear(&report->stats);
  report->result = GPU_INTERNAL;
  if (WIFSIGNALED(status))
    fail(&report->message, "internal error: the case ended with signal %d (%s)", WTERMSIG(status),
         strsignal(WTERMSIG(status)));
  else
    fail(&report->message, "internal error: the case ended without a result");
}

static gpu_result wait_for_worker(Batch *b, Text *err) {
  int status;
  pid_t pid = wait(&status);
  if (pid < 0) return errno == EINTR ? GPU_OK : fail(err, "cannot wait: %s", strerror(errno));
  for (int i = 0; i < b->options->jobs; i++) {
    Worker *w = &b->workers[i];
    if (w->pid != pid) continue;
    w->pid = 0;
    Report *report = report_new();
    bool ended = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (!ended || !report_receive(fileno(w->channel), report)) say_how_it_died(report, status);
    finish_case(b, w->index, report);
  }
  return GPU_OK;
}

static Worker *free_worker(Batch *b) {
  for (int i = 0; i < b->options->jobs; i++)
    if (b->workers[i].pid == 0) return &b->workers[i];
  return NULL;
}

/* A row that cannot be read is reported in its turn, like any other result. */
static void refuse_case(Batch *b, size_t index) {
  Report *report = report_new();
  report->result = GPU_BAD_INPUT;
  text_add(&report->message, "%s", b->table.cases[index].error);
  finish_case(b, index, report);
}

static gpu_result run_cases(Batch *b, Text *err) {
  gpu_result r = GPU_OK;
  while (r == GPU_OK && b->done < b->table.count) {
    Worker *w = free_worker(b);
    if (b->next == b->table.count || !w) {
      r = wait_for_worker(b, err);
    } else {
      size_t index = b->next++;
      if (b->table.cases[index].error)
        refuse_case(b, index);
      else
        r = start_worker(b, w, index, err);
    }
  }
  return r;
}

/* ---- the command --------------------------------------------------------------------------- */

static gpu_result prepare(Batch *b, Text *err) {
  const Options *o = b->options;
  gpu_result r = cases_read(&b->table, o->words[0], o->filter, err);
  if (r != GPU_OK) return r;
  if (b->table.count == 0)
    return o->filter ? fail(err, "no case of '%s' matches '%s'", o->words[0], o->filter)
                     : fail(err, "'%s' has no cases", o->words[0]);
  b->reports = calloc(b->table.count, sizeof(Report *));
  b->workers = calloc((size_t)o->jobs, sizeof *b->workers);
  if (!b->reports || !b->workers) return fail(err, "out of memory");
  char message[16384];
  gpu_config config = o->config;
  config.timing = b->timed = o->timing_file && !o->functional && !config.schedule_seed;
  r = gpu_device_create(&b->device, &config, message, sizeof message);
  if (r != GPU_OK) return fail_as(err, r, message);
  r = gpu_module_load(b->device, &b->module, o->module, o->opt);
  if (r != GPU_OK) return fail_as(err, r, gpu_last_error(b->device));
  r = use_functions(o, b->device, err);
  if (r != GPU_OK) return r;
  return open_outputs(b, err);
}

static void wait_for(pid_t pid) {
  while (pid && waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
  }
}

static void clean_up(Batch *b) {
  for (int i = 0; b->workers && i < b->options->jobs; i++) {
    wait_for(b->workers[i].pid);
    if (b->workers[i].channel) fclose(b->workers[i].channel);
  }
  for (size_t i = 0; b->reports && i < b->table.count; i++) report_free(b->reports[i]);
  free(b->reports);
  free(b->workers);
  gpu_device_destroy(b->device);
  cases_free(&b->table);
}

static void print_totals(const Batch *b) {
  size_t good = b->done - b->faults - b->bad - b->internal;
  fprintf(stderr, "%zu case%s: %zu done, %zu with faults, %zu not run\n", b->done,
          b->done == 1 ? "" : "s", good, b->faults, b->bad + b->internal);
}

gpu_result batch_command(const Options *o, Text *err) {
  if (!o->module) return fail(err, "--module is missing: the .cu or .ptx file with the kernels");
  Batch b = {.options = o};
  gpu_result r = prepare(&b, err);
  if (r == GPU_OK) r = run_cases(&b, err);
  gpu_result closed = close_outputs(&b, r == GPU_OK ? err : &(Text){0});
  if (r == GPU_OK) r = closed;
  if (r == GPU_OK) {
    print_totals(&b);
    r = b.internal ? GPU_INTERNAL : b.bad ? GPU_BAD_INPUT : b.faults ? GPU_FAULT : GPU_OK;
  }
  clean_up(&b);
  return r;
}
