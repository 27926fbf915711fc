/* device/views.c - what is made of the instructions of a timed launch: calls of the user's, a
 * profile, a trace file. Each event is told to all that ask. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/views.h"

/* ---- places in the source -------------------------------------------------------------------- */

typedef struct Place {
  const char *file;
  uint32_t line, column;
} Place;

/* A function's places, one an instruction and one for its end. */
typedef struct Places {
  const Function *fn;
  Place *list;
} Places;

static bool has_lines(const Function *fn) {
  for (size_t i = 0; i < fn->inst_count; i++)
    if (module_file(fn->module, fn->insts[i].loc)) return true;
  return false;
}

/* As the compiler says; what has no line of its own belongs to what comes before it. */
static void places_by_loc(const Function *fn, Place *list) {
  Place last = {0};
  for (size_t n = 0; n < 2 * fn->inst_count; n++) { /* twice: for the first ones */
    size_t i = n % fn->inst_count;
    Loc loc = fn->insts[i].loc;
    const SourceFile *file = module_file(fn->module, loc);
    if (file) last = (Place){file->name, loc.line, loc.column};
    list[i] = last;
  }
  list[fn->inst_count] = last;
}

/* Where the compiler says nothing: lines of the PTX itself. Instructions stand in the order of the
 * text, so one walk over it finds them all. */
static void places_in_ptx(const Function *fn, Place *list) {
  const Source *src = &fn->module->source;
  size_t at = fn->insts[0].where;
  uint32_t line, column;
  source_position(src, at, &line, &column);
  size_t start = at - (column - 1); /* of the line */
  for (size_t i = 0; i < fn->inst_count; i++) {
    for (; at < fn->insts[i].where; at++)
      if (src->text[at] == '\n') {
        line++;
        start = at + 1;
      }
    list[i] = (Place){src->name, line, (uint32_t)(at - start) + 1};
  }
  list[fn->inst_count] = list[fn->inst_count - 1];
}

static const Place *places_of(Views *v, const Machine *m, const Function *fn) {
  size_t index = (fn->address - FUNCTION_BASE) / FUNCTION_STEP;
  if (index >= v->place_count) {
    Places *more = realloc(v->places, m->function_count * sizeof *more);
    if (!more) return NULL;
    memset(more + v->place_count, 0, (m->function_count - v->place_count) * sizeof *more);
    v->places = more;
    v->place_count = m->function_count;
  }
  Places *p = &v->places[index];
  if (p->fn == fn) return p->list;
  free(p->list);
  *p = (Places){fn, calloc(fn->inst_count + 1, sizeof(Place))};
  if (p->list && fn->inst_count) (has_lines(fn) ? places_by_loc : places_in_ptx)(fn, p->list);
  return p->list;
}

void views_place(gpu_device *dev, const Function *fn, uint32_t pc, const char **file,
                 uint32_t *line) {
  const Place *places = places_of(&dev->timed->views, &dev->machine, fn);
  *file = places ? places[pc].file : NULL;
  *line = places ? places[pc].line : 0;
}

/* ---- events ---------------------------------------------------------------------------------- */

bool views_watch(const gpu_device *dev) {
  const Views *v = &dev->timed->views;
  return v->call || v->profile || v->trace;
}

static gpu_event event_of(const gpu_device *dev, const SmEvent *e) {
  const Function *fn = e->did->frame->code->fn;
  const Slot *slot = &((const Assembly *)fn->timing)->slots[e->pc];
  const Place *places = places_of(&dev->timed->views, &dev->machine, fn);
  Place at = places ? places[e->pc] : (Place){0};
  return (gpu_event){.sm = (uint32_t)e->sm->id,
                     .core = (uint32_t)e->warp->core->id,
                     .slot = e->warp->slot,
                     .block = e->warp->warp->cta->index,
                     .warp = (uint32_t)e->warp->warp->id,
                     .function = fn->name,
                     .pc = (uint32_t)e->pc,
                     .file = at.file,
                     .line = at.line,
                     .column = at.column,
                     .unit = pipe_name((Pipe)slot->pipe),
                     .active = e->did->active,
                     .lanes = e->did->lanes,
                     .since = e->since,
                     .stall = (int)e->why,
                     .ready = e->ready,
                     .throttle = (int)e->throttle,
                     .turn = e->turn,
                     .cycle = e->cycle,
                     .slots = e->slots,
                     .passes = e->passes,
                     .diverged = e->diverged};
}

static const char *text_of(const Function *fn, uint32_t pc, char *buffer, size_t size) {
  if (pc < fn->inst_count) {
    const Inst *in = &fn->insts[pc];
    int n = in->guard < 0 ? 0
                          : snprintf(buffer, size, "@%s%s ", in->guard_negated ? "!" : "",
                                     fn->regs[in->guard].name);
    if (n >= 0 && (size_t)n < size) inst_text(fn->module, in, buffer + n, size - (size_t)n);
    return buffer;
  }
  snprintf(buffer, size, "(end of %s)", fn->plain);
  return buffer;
}

void views_event(void *context, const SmEvent *e) {
  const gpu_device *dev = context;
  const Views *v = &dev->timed->views;
  gpu_event event = event_of(dev, e);
  char text[200];
  if (v->profile) profile_add(v->profile, &event);
  if (v->trace)
    trace_add(v->trace, &event, text_of(e->did->frame->code->fn, event.pc, text, sizeof text));
  if (v->call) v->call(v->call_context, &event);
}

void views_release(gpu_device *dev) {
  Views *v = &dev->timed->views;
  uint64_t written, all;
  if (v->trace) gpu_trace_end(dev, &written, &all);
  profile_free(v->profile);
  for (size_t i = 0; i < v->place_count; i++) free(v->places[i].list);
  free(v->places);
}

/* ---- the public calls ------------------------------------------------------------------------ */

gpu_result gpu_set_trace(gpu_device *dev, gpu_trace_fn trace, void *context) {
  gpu_result r = need_timing(dev);
  if (r != GPU_OK) return r;
  dev->timed->views.call = trace;
  dev->timed->views.call_context = context;
  return GPU_OK;
}

const char *gpu_inst_text(const gpu_module *mod, const char *function, uint32_t pc, char *buffer,
                          size_t size) {
  for (const Function *fn = mod->mod->functions; fn; fn = fn->next)
    if (strcmp(fn->name, function) == 0 && fn->insts) return text_of(fn, pc, buffer, size);
  snprintf(buffer, size, "(no function %s)", function);
  return buffer;
}

gpu_result gpu_profile_begin(gpu_device *dev) {
  gpu_result r = need_timing(dev);
  if (r != GPU_OK) return r;
  profile_free(dev->timed->views.profile);
  dev->timed->views.profile = profile_new();
  return dev->timed->views.profile ? GPU_OK : GPU_INTERNAL;
}

static size_t lines_of(gpu_device *dev, const gpu_line **lines) {
  if (!dev->timed || !dev->timed->views.profile) return 0;
  return profile_lines(dev->timed->views.profile, lines);
}

size_t gpu_profile_count(gpu_device *dev) {
  const gpu_line *lines;
  return lines_of(dev, &lines);
}

gpu_result gpu_profile_line(gpu_device *dev, size_t index, gpu_line *out) {
  const gpu_line *lines;
  if (index >= lines_of(dev, &lines))
    return device_fail(dev, GPU_BAD_INPUT, "the profile has no line %zu", index);
  *out = lines[index];
  return GPU_OK;
}

static const Source *source_of(const Module *mod, const char *file) {
  if (strcmp(mod->source.name, file) == 0) return &mod->source;
  for (size_t i = 0; i < mod->file_count; i++)
    if (mod->files[i].source && strcmp(mod->files[i].name, file) == 0) return mod->files[i].source;
  return NULL;
}

const char *gpu_source_line(const gpu_module *mod, const char *file, uint32_t line,
                            size_t *length) {
  const char *text = NULL;
  const Source *src = file ? source_of(mod->mod, file) : NULL;
  return src && source_line(src, line, &text, length) ? text : NULL;
}

gpu_result gpu_trace_begin(gpu_device *dev, const char *path, uint64_t limit) {
  gpu_result r = need_timing(dev);
  if (r != GPU_OK) return r;
  if (dev->timed->views.trace)
    return device_fail(dev, GPU_BAD_INPUT, "a trace is being written: call gpu_trace_end first");
  error_clear(&dev->error);
  dev->timed->views.trace = trace_open(path, limit, &dev->error);
  return dev->timed->views.trace ? GPU_OK : GPU_BAD_INPUT;
}

static const char *find_line(void *context, const char *file, uint32_t line, size_t *length) {
  const gpu_device *dev = context;
  const char *text = NULL;
  for (const gpu_module *mod = dev->modules; mod && !text; mod = mod->next)
    text = gpu_source_line(mod, file, line, length);
  return text;
}

gpu_result gpu_trace_end(gpu_device *dev, uint64_t *written, uint64_t *all) {
  if (!dev->timed || !dev->timed->views.trace)
    return device_fail(dev, GPU_BAD_INPUT, "there is no trace to end: call gpu_trace_begin first");
  const Machine *m = &dev->machine;
  TraceAbout about = {.kernel = m->code ? m->code->fn->plain : "",
                      .arch = dev->arch.name,
                      .model = m->model->name,
                      .scheduler = dev->timed->scheduler->name,
                      .grid = m->grid,
                      .block = m->block,
                      .cycles = dev->timed->last.cycles,
                      .source_line = find_line,
                      .context = dev};
  error_clear(&dev->error);
  bool whole = trace_close(dev->timed->views.trace, &about, written, all, &dev->error);
  dev->timed->views.trace = NULL;
  return whole ? GPU_OK : GPU_BAD_INPUT;
}
