/* exec/fault.c - faults: collecting them, and writing the report that a person reads. */
#include "exec/fault.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct FaultList {
  Arena *arena;
  size_t count;
  gpu_fault_info items[MAX_FAULTS];
  const Inst *where[MAX_FAULTS];
  bool fresh; /* what came last was recorded, not left out as known or one too many */
};

FaultList *faults_new(void) {
  FaultList *list = calloc(1, sizeof *list);
  if (list) list->arena = arena_new(0);
  if (list && !list->arena) {
    free(list);
    list = NULL;
  }
  return list;
}

void faults_free(FaultList *list) {
  if (!list) return;
  arena_free(list->arena);
  free(list);
}

void faults_clear(FaultList *list) {
  if (list->count == 0) return;
  arena_free(list->arena);
  list->arena = arena_new(0);
  list->count = 0;
  list->fresh = false;
}

size_t faults_count(const FaultList *list) { return list->count; }

const gpu_fault_info *faults_at(const FaultList *list, size_t index) {
  return index < list->count ? &list->items[index] : NULL;
}

static const char *const kind_names[GPU_FAULT_KIND_COUNT] = {
    [GPU_FAULT_OUT_OF_BOUNDS] = "out-of-bounds",
    [GPU_FAULT_MISALIGNED] = "misaligned",
    [GPU_FAULT_UNINITIALIZED] = "uninitialized",
    [GPU_FAULT_RACE] = "race",
    [GPU_FAULT_SHFL_INACTIVE_LANE] = "shfl-inactive-lane",
    [GPU_FAULT_BAD_WIDTH] = "bad-width",
    [GPU_FAULT_MASK_MISMATCH] = "mask-mismatch",
    [GPU_FAULT_BARRIER_DIVERGENCE] = "barrier-divergence",
    [GPU_FAULT_DEADLOCK] = "deadlock",
    [GPU_FAULT_INSTRUCTION_LIMIT] = "instruction-limit",
    [GPU_FAULT_DIVIDE_BY_ZERO] = "divide-by-zero",
    [GPU_FAULT_UNSUPPORTED] = "unsupported",
    [GPU_FAULT_BAD_CALLBACK] = "bad-callback",
    [GPU_FAULT_ASSERT] = "assert",
    [GPU_FAULT_TRAP] = "trap",
};

const char *gpu_fault_kind_name(gpu_fault_kind kind) {
  return (unsigned)kind < GPU_FAULT_KIND_COUNT ? kind_names[kind] : "unknown";
}

/* ---- places ---------------------------------------------------------------------------------- */

typedef struct Place {
  const char *file;
  const Source *source; /* NULL: the text is not at hand */
  uint32_t line, column;
} Place;

static Place place_of(const Module *mod, const Inst *in) {
  const SourceFile *file = module_file(mod, in->loc);
  if (file) return (Place){file->name, file->source, in->loc.line, in->loc.column};
  Place p = {.file = mod->source.name, .source = &mod->source};
  source_position(&mod->source, in->where, &p.line, &p.column);
  return p;
}

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

const char *fault_place(const Module *mod, const Inst *in, char *buf, size_t size) {
  Place at = place_of(mod, in);
  if (at.column)
    snprintf(buf, size, "%s:%u:%u", base_name(at.file), at.line, at.column);
  else
    snprintf(buf, size, "%s:%u", base_name(at.file), at.line);
  return buf;
}

/* ---- reports --------------------------------------------------------------------------------- */

static gpu_dim thread_of(const Warp *w, int lane) {
  return (gpu_dim){w->tid[0][lane], w->tid[1][lane], w->tid[2][lane]};
}

static void report(ErrorBuffer *e, const Warp *w, const gpu_fault_info *f, const Module *mod,
                   const Inst *in, Mask lanes) {
  Place at = place_of(mod, in);
  char text[200];
  error_set(e, "%s:%u:%u: %s%s: %s\n", base_name(f->file), f->line, f->column,
            f->note ? "note: " : "", gpu_fault_kind_name(f->kind), f->message);
  if (at.source) error_add_source_line(e, at.source, at.line, at.column);
  error_add(e, "  instruction: %s\n", inst_text(mod, in, text, sizeof text));
  error_add(e, "  kernel %s, block (%u,%u,%u), thread (%u,%u,%u), warp %d, lane %d\n", f->kernel,
            f->block.x, f->block.y, f->block.z, f->thread.x, f->thread.y, f->thread.z, w->id,
            f->lane);
  error_add(e, "  active mask 0x%08x, lanes concerned 0x%08x\n", f->active_mask, lanes);
  error_add(e, "  what to do: %s\n", f->advice);
}

void fault_add_line(FaultList *list, const char *fmt, ...) {
  if (!list->fresh) return;
  gpu_fault_info *f = &list->items[list->count - 1];
  va_list args;
  ErrorBuffer e;
  error_init(&e);
  error_set(&e, "%s  ", f->report);
  va_start(args, fmt);
  error_vadd(&e, fmt, args);
  va_end(args);
  error_add(&e, "\n");
  f->report = arena_strndup(list->arena, e.text, strlen(e.text));
  error_release(&e);
}

void fault_add_place(FaultList *list, const Module *mod, const Inst *in, const char *title) {
  Place at = place_of(mod, in);
  char place[160];
  ErrorBuffer e;
  error_init(&e);
  error_set(&e, "%s, %s:\n", title, fault_place(mod, in, place, sizeof place));
  if (at.source) error_add_source_line(&e, at.source, at.line, at.column);
  e.text[e.length - 1] = '\0'; /* fault_add_line ends the line */
  fault_add_line(list, "%s", e.text);
  error_release(&e);
}

static bool reported(const FaultList *list, gpu_fault_kind kind, const Inst *in) {
  for (size_t i = 0; i < list->count; i++)
    if (list->where[i] == in && list->items[i].kind == kind) return true;
  return false;
}

static void record(Warp *w, const Path *p, const Inst *in, gpu_fault_kind kind, bool note,
                   Mask lanes, const char *advice, const char *fmt, va_list args) {
  Machine *m = w->cta->m;
  FaultList *list = m->faults;
  list->fresh = list->count < MAX_FAULTS && !reported(list, kind, in);
  if (!list->fresh) return;
  const Module *mod = p->frame->code->fn->module;
  Place at = place_of(mod, in);
  int lane = lanes ? mask_first(lanes) : (p->mask ? mask_first(p->mask) : 0);
  ErrorBuffer e;
  error_init(&e);
  error_vadd(&e, fmt, args);
  gpu_fault_info f = {.kind = kind,
                      .note = note,
                      .kernel = m->code->fn->plain,
                      .file = at.file,
                      .line = at.line,
                      .column = at.column,
                      .block = w->cta->id,
                      .thread = thread_of(w, lane),
                      .lane = lane,
                      .active_mask = p->mask,
                      .message = arena_strndup(list->arena, e.text, strlen(e.text)),
                      .advice = advice};
  report(&e, w, &f, mod, in, lanes);
  f.report = arena_strndup(list->arena, e.text, strlen(e.text));
  error_release(&e);
  list->where[list->count] = in;
  list->items[list->count++] = f;
}

Flow fault_raise(Warp *w, const Path *p, const Inst *in, gpu_fault_kind kind, Mask lanes,
                 const char *advice, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  record(w, p, in, kind, false, lanes, advice, fmt, args);
  va_end(args);
  if (w->cta->m->set.keep_going && kind != GPU_FAULT_DEADLOCK &&
      kind != GPU_FAULT_INSTRUCTION_LIMIT)
    return FLOW_NEXT;
  w->cta->m->stopped = true;
  return FLOW_STOP;
}

void fault_later(Warp *w, const Path *p, const Inst *in, gpu_fault_kind kind, Mask lanes,
                 const char *advice, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  record(w, p, in, kind, false, lanes, advice, fmt, args);
  va_end(args);
}

void fault_note(Warp *w, const Path *p, const Inst *in, gpu_fault_kind kind, Mask lanes,
                const char *advice, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  record(w, p, in, kind, true, lanes, advice, fmt, args);
  va_end(args);
}
