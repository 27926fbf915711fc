/* view/page.c - the data of the page, as JSON in a script element of page.html. */
#include "view/page.h"

#include <stdlib.h>
#include <string.h>

#include "view/numbering.h"
#include "view/write.h"

typedef struct Place {
  const char *file;
  uint32_t line;
} Place;

/* Both lists are JSON already, but for the brackets around them. */
struct Page {
  Numbering numbers;
  FILE *insts, *events;
  char *inst_text, *event_text;
  size_t inst_length, event_length;
  Place *places; /* of instructions, by number */
  size_t place_capacity;
  bool any, failed;
};

Page *page_new(void) {
  Page *p = calloc(1, sizeof *p);
  if (!p) return NULL;
  p->insts = open_memstream(&p->inst_text, &p->inst_length);
  p->events = open_memstream(&p->event_text, &p->event_length);
  if (p->insts && p->events) return p;
  page_free(p);
  return NULL;
}

void page_free(Page *p) {
  if (!p) return;
  if (p->insts) fclose(p->insts);
  if (p->events) fclose(p->events);
  numbering_free(&p->numbers);
  free(p->inst_text);
  free(p->event_text);
  free(p->places);
  free(p);
}

/* ---- data ------------------------------------------------------------------------------------ */

static bool keep_place(Page *p, size_t number, const gpu_event *e) {
  if (number >= p->place_capacity) {
    size_t capacity = p->place_capacity ? 2 * p->place_capacity : 256;
    Place *more = realloc(p->places, capacity * sizeof *more);
    if (!more) return false;
    p->places = more;
    p->place_capacity = capacity;
  }
  p->places[number] = (Place){e->file, e->line};
  return true;
}

static void add_inst(Page *p, const gpu_event *e, const char *text) {
  FILE *out = p->insts;
  fputs(p->numbers.count > 1 ? ",\n[" : "[", out);
  write_json(out, text, strlen(text));
  fputc(',', out);
  write_json(out, e->unit, strlen(e->unit));
  fputc(',', out);
  write_json(out, e->file, e->file ? strlen(e->file) : 0);
  fprintf(out, ",%u]", e->line);
}

static unsigned long long number(uint64_t n) { return (unsigned long long)n; }

void page_add(Page *p, const gpu_event *e, const char *text) {
  size_t known = p->numbers.count;
  uint32_t inst = number_inst(&p->numbers, e->function, e->pc);
  if (inst == known) {
    add_inst(p, e, text);
    p->failed |= !keep_place(p, inst, e);
  }
  if (inst == UINT32_MAX) p->failed = true;
  fprintf(p->events, "%s%u,%u,%u,%llu,%u,%u,%u,%u,", p->any ? ",\n" : "", e->sm, e->core, e->slot,
          number(e->block), e->warp, inst, e->active, e->lanes);
  fprintf(p->events, "%llu,%d,%llu,%d,%llu,%llu,%u,%u,%d", number(e->since), e->stall,
          number(e->ready), e->throttle, number(e->turn), number(e->cycle), e->slots, e->passes,
          e->diverged);
  p->any = true;
}

/* ---- the page -------------------------------------------------------------------------------- */

static void write_stalls(FILE *out) {
  fputs(",\"stalls\":[", out);
  for (int i = 0; i < GPU_STALL_COUNT; i++)
    fprintf(out, "%s[\"%s\",\"%s\"]", i ? "," : "", gpu_stall_name(i), gpu_stall_meaning(i));
  fputc(']', out);
}

static void write_name(FILE *out, const char *name, const char *value) {
  fprintf(out, "\"%s\":", name);
  write_json(out, value, strlen(value));
  fputc(',', out);
}

static void write_about(FILE *out, const TraceAbout *a, uint64_t all) {
  write_name(out, "kernel", a->kernel);
  write_name(out, "arch", a->arch);
  write_name(out, "model", a->model);
  write_name(out, "scheduler", a->scheduler);
  fprintf(out, "\"grid\":[%u,%u,%u],\"block\":[%u,%u,%u],\"cycles\":%llu,\"all\":%llu", a->grid.x,
          a->grid.y, a->grid.z, a->block.x, a->block.y, a->block.z, number(a->cycles), number(all));
}

static void write_sources(FILE *out, const Page *p, const TraceAbout *a) {
  fputs(",\"sources\":[", out);
  for (size_t i = 0; i < p->numbers.count; i++) {
    size_t length = 0;
    const char *line = a->source_line(a->context, p->places[i].file, p->places[i].line, &length);
    if (i) fputc(',', out);
    write_json(out, line, length);
  }
  fputc(']', out);
}

static void write_data(const Page *p, FILE *out, const TraceAbout *about, uint64_t all) {
  fputc('{', out);
  write_about(out, about, all);
  write_stalls(out);
  write_sources(out, p, about);
  fprintf(out, ",\"insts\":[%s],\n\"events\":[%s]}", p->inst_text, p->event_text);
}

/* The page's frame with the data in the place of the line that says DATA. */
bool page_write(Page *p, FILE *out, const TraceAbout *about, uint64_t all) {
  char line[4096];
  FILE *frame = fopen(WARPBOOK_ROOT "/sim/view/page.html", "rb");
  if (!frame) return false;
  fflush(p->insts);
  fflush(p->events);
  while (fgets(line, sizeof line, frame)) {
    if (strcmp(line, "DATA\n") == 0)
      write_data(p, out, about, all);
    else
      fputs(line, out);
  }
  fclose(frame);
  return !p->failed;
}
