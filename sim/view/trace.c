/* view/trace.c - the three kinds of file. CSV and JSON are written as the run goes on; the page
 * needs all of it, and is written at the end. */
#include "view/trace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mask.h"
#include "view/numbering.h"
#include "view/page.h"
#include "view/write.h"

enum { SLOTS = 2048 }; /* warp slots of an SM, at most */

typedef struct Format {
  const char *ending;
  void (*begin)(Trace *t);
  void (*add)(Trace *t, const gpu_event *e, const char *text);
  void (*end)(Trace *t, const TraceAbout *about);
} Format;

struct Trace {
  FILE *out;
  char *path;
  const Format *format;
  uint64_t limit, written, all;
  const char *comma; /* JSON: before the next event */
  uint8_t *cores;    /* JSON: by SM and slot: 1 + the sub-core, once a warp has been there */
  size_t sms;        /* that cores has room for */
  Page *page;
  bool failed;
};

static unsigned long long number(uint64_t n) { return (unsigned long long)n; }

/* ---- CSV ------------------------------------------------------------------------------------- */

static void begin_csv(Trace *t) {
  fputs("sm,core,slot,block,warp,function,pc,unit,file,line,column,active,active_lanes,lanes,since,"
        "stall,ready,throttle,turn,cycle,slots,passes,diverged,text\n",
        t->out);
}

static void add_csv(Trace *t, const gpu_event *e, const char *text) {
  FILE *out = t->out;
  fprintf(out, "%u,%u,%u,%llu,%u,", e->sm, e->core, e->slot, number(e->block), e->warp);
  write_csv(out, e->function);
  fprintf(out, ",%u,%s,", e->pc, e->unit);
  write_csv(out, e->file);
  fprintf(out, ",%u,%u,0x%08x,%d,%d,", e->line, e->column, e->active, mask_count(e->active),
          mask_count(e->lanes));
  fprintf(out, "%llu,%s,%llu,%s,%llu,", number(e->since), gpu_stall_name(e->stall),
          number(e->ready), gpu_stall_name(e->throttle), number(e->turn));
  fprintf(out, "%llu,%u,%u,%d,", number(e->cycle), e->slots, e->passes, e->diverged);
  write_csv(out, text);
  fputc('\n', out);
}

static void end_csv(Trace *t, const TraceAbout *about) {
  (void)about;
  if (t->all > t->written)
    fprintf(t->out, "# cut: the first %llu of %llu instructions\n", number(t->written),
            number(t->all));
}

/* ---- trace events, as the Perfetto viewer and Chrome read them ------------------------------- */

/* One cycle is one microsecond of the viewer's. */
static void begin_json(Trace *t) {
  fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[", t->out);
  t->comma = "";
}

static void remember_core(Trace *t, const gpu_event *e) {
  if (e->sm >= t->sms) {
    size_t sms = 2 * (size_t)e->sm + 2;
    uint8_t *more = realloc(t->cores, sms * SLOTS);
    if (!more) return;
    memset(more + t->sms * SLOTS, 0, (sms - t->sms) * SLOTS);
    t->cores = more;
    t->sms = sms;
  }
  if (e->slot < SLOTS) t->cores[(size_t)e->sm * SLOTS + e->slot] = (uint8_t)(e->core + 1);
}

/* A bar of the warp's row. The caller completes its arguments. */
static void begin_bar(Trace *t, const gpu_event *e, const char *name, size_t length,
                      const char *kind, uint64_t from, uint64_t to) {
  fprintf(
      t->out,
      "%s\n{\"ph\":\"X\",\"pid\":%u,\"tid\":%u,\"ts\":%llu,\"dur\":%llu,\"cat\":\"%s\",\"name\":",
      t->comma, e->sm, e->slot, number(from), number(to - from), kind);
  write_json(t->out, name, length);
  fprintf(t->out, ",\"args\":{\"block\":%llu,\"warp\":%u", number(e->block), e->warp);
  t->comma = ",";
}

static void add_wait(Trace *t, const gpu_event *e, int stall, uint64_t from, uint64_t to) {
  if (to == from) return;
  const char *name = gpu_stall_name(stall);
  begin_bar(t, e, name, strlen(name), "stall", from, to);
  fprintf(t->out, ",\"why\":\"%s\",\"line\":%u}}", gpu_stall_meaning(stall), e->line);
}

/* "@%p1 bra $L2" is called "bra". */
static size_t mnemonic(const char **text) {
  if (**text == '@') *text += strcspn(*text, " ");
  *text += strspn(*text, " ");
  return strcspn(*text, " ");
}

static void add_json(Trace *t, const gpu_event *e, const char *text) {
  remember_core(t, e);
  if (!e->slots) return; /* folded into others: takes no time */
  add_wait(t, e, e->stall, e->since, e->ready);
  add_wait(t, e, e->throttle, e->ready, e->turn);
  add_wait(t, e, GPU_STALL_NOT_SELECTED, e->turn, e->cycle);
  const char *name = text;
  size_t length = mnemonic(&name);
  begin_bar(t, e, name, length, e->unit, e->cycle, e->cycle + e->slots);
  fputs(",\"ptx\":", t->out);
  write_json(t->out, text, strlen(text));
  fputs(",\"file\":", t->out);
  write_json(t->out, e->file, e->file ? strlen(e->file) : 0);
  fprintf(t->out, ",\"line\":%u,\"active\":\"0x%08x\",\"lanes\":%d,\"passes\":%u,\"diverged\":%s}}",
          e->line, e->active, mask_count(e->lanes), e->passes, e->diverged ? "true" : "false");
}

/* A row's name, or where it stands among the others. */
static void name_row(Trace *t, const char *what, size_t sm, size_t slot, const char *value) {
  fprintf(t->out, "%s\n{\"ph\":\"M\",\"name\":\"%s\",\"pid\":%zu,\"tid\":%zu,\"args\":{%s}}",
          t->comma, what, sm, slot, value);
  t->comma = ",";
}

static void name_rows(Trace *t, size_t sm) {
  char value[80];
  bool used = false;
  for (size_t slot = 0; slot < SLOTS; slot++) {
    int core = t->cores[sm * SLOTS + slot] - 1;
    if (core < 0) continue;
    used = true;
    snprintf(value, sizeof value, "\"name\":\"sub-core %d, warp slot %zu\"", core, slot);
    name_row(t, "thread_name", sm, slot, value);
    snprintf(value, sizeof value, "\"sort_index\":%zu", (size_t)core * SLOTS + slot);
    name_row(t, "thread_sort_index", sm, slot, value);
  }
  if (!used) return;
  snprintf(value, sizeof value, "\"name\":\"SM %zu\"", sm);
  name_row(t, "process_name", sm, 0, value);
}

static void end_json(Trace *t, const TraceAbout *about) {
  for (size_t sm = 0; sm < t->sms; sm++) name_rows(t, sm);
  fputs("\n],\"otherData\":{\"kernel\":", t->out);
  write_json(t->out, about->kernel, strlen(about->kernel));
  fprintf(t->out,
          ",\"unit\":\"1 us in the viewer is 1 cycle\",\"instructions\":%llu,\"cut\":%s}}\n",
          number(t->all), t->all > t->written ? "true" : "false");
}

/* ---- a page ---------------------------------------------------------------------------------- */

static void begin_page(Trace *t) { t->page = page_new(); }
static void add_page(Trace *t, const gpu_event *e, const char *text) {
  if (t->page) page_add(t->page, e, text);
}
static void end_page(Trace *t, const TraceAbout *about) {
  t->failed = !t->page || !page_write(t->page, t->out, about, t->all);
  page_free(t->page);
}

/* ---- all of them ----------------------------------------------------------------------------- */

static const Format formats[] = {{".csv", begin_csv, add_csv, end_csv},
                                 {".json", begin_json, add_json, end_json},
                                 {".html", begin_page, add_page, end_page}};

static const Format *format_of(const char *path) {
  const char *dot = strrchr(path, '.');
  for (size_t i = 0; dot && i < sizeof formats / sizeof *formats; i++)
    if (strcmp(dot, formats[i].ending) == 0) return &formats[i];
  return NULL;
}

Trace *trace_open(const char *path, uint64_t limit, ErrorBuffer *error) {
  const Format *format = format_of(path);
  if (!format) {
    error_set(error,
              "'%s': the ending says what a trace is: .html (a page), .json (for Perfetto) or .csv",
              path);
    return NULL;
  }
  Trace *t = calloc(1, sizeof *t);
  FILE *out = fopen(path, "wb");
  if (!t || !out) {
    error_set(error, "cannot write '%s': %s", path, strerror(errno));
    if (out) fclose(out);
    free(t);
    return NULL;
  }
  *t = (Trace){.out = out, .format = format, .limit = limit, .path = strdup(path)};
  format->begin(t);
  return t;
}

void trace_add(Trace *t, const gpu_event *e, const char *text) {
  if (t->all++ >= t->limit) return;
  t->written++;
  t->format->add(t, e, text);
}

bool trace_close(Trace *t, const TraceAbout *about, uint64_t *written, uint64_t *all,
                 ErrorBuffer *error) {
  t->format->end(t, about);
  *written = t->written;
  *all = t->all;
  bool whole = !t->failed && !ferror(t->out);
  whole &= fclose(t->out) == 0;
  if (!whole) error_set(error, "'%s' could not be written whole: is the disk full?", t->path);
  free(t->path);
  free(t->cores);
  free(t);
  return whole;
}
