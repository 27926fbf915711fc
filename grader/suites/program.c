/* suites/program.c - programs as PTX, and what happens when they run. */
#include "program.h"

#include <stdlib.h>

void program_add(Program *p, StepKind kind, int row) {
  p->steps[p->count++] = (Step){kind, row};
  p->steps[p->count] = (Step){STEP_STOP, 0};
}

Program program_of(const Step *steps, size_t count, LaneNumbers *const *rows, size_t row_count) {
  Program p = {.row_count = (int)row_count};
  for (size_t r = 0; r < row_count; r++)
    for (int l = 0; l < LANES; l++) p.rows[r][l] = rows[r](l);
  for (size_t i = 0; i < count; i++) program_add(&p, (StepKind)steps[i].kind, steps[i].row);
  return p;
}

/* ---- drawing -------------------------------------------------------------------------------- */

enum { DEPTH_MAX = 3, TRIPS_MAX = 4 };

static int add_row(Program *p) { return p->row_count++; }

/* A condition of one of the kinds that programs have. */
static int draw_condition(Exam *e, Program *p) {
  int row = add_row(p), kind = (int)exam_random(e, 6), n = (int)exam_random(e, LANES + 1);
  for (int l = 0; l < LANES; l++)
    p->rows[row][l] = kind == 0   ? l < n
                      : kind == 1 ? l % 2
                      : kind == 2 ? l / 8 % 2
                      : kind == 3 ? n % 2 /* all or none */
                                  : (int)exam_random(e, 2);
  return row;
}

static int draw_trips(Exam *e, Program *p) {
  int row = add_row(p), kind = (int)exam_random(e, 3), most = 1 + (int)exam_random(e, TRIPS_MAX);
  for (int l = 0; l < LANES; l++)
    p->rows[row][l] = kind == 0   ? most
                      : kind == 1 ? l % (most + 1)
                                  : (int)exam_random(e, (uint32_t)most + 1);
  return row;
}

static bool has_room(const Program *p) {
  return p->count < STEPS_MAX - 24 && p->row_count < ROWS_MAX - 2;
}

static void draw_body(Exam *e, Program *p, int depth);

static void draw_statement(Exam *e, Program *p, int depth) {
  uint32_t kind = depth < DEPTH_MAX && has_room(p) ? exam_random(e, 4) : 0;
  if (kind == 0) {
    program_add(p, STEP_BLOCK, 0);
  } else if (kind == 1) {
    program_add(p, STEP_LOOP, draw_trips(e, p));
    draw_body(e, p, depth + 1);
    program_add(p, STEP_ENDLOOP, 0);
  } else {
    program_add(p, STEP_IF, draw_condition(e, p));
    draw_body(e, p, depth + 1);
    if (kind == 3) {
      program_add(p, STEP_ELSE, 0);
      draw_body(e, p, depth + 1);
    }
    program_add(p, STEP_ENDIF, 0);
  }
}

/* An arm or a body begins with a block, so that none is empty. */
static void draw_body(Exam *e, Program *p, int depth) {
  program_add(p, STEP_BLOCK, 0);
  if (exam_random(e, 3)) draw_statement(e, p, depth);
}

void program_draw(Exam *e, Program *p) {
  *p = (Program){0};
  for (int i = 0; i < 3; i++) {
    draw_statement(e, p, 0);
    if (exam_random(e, 4) == 0 && has_room(p)) program_add(p, STEP_LEAVE, draw_condition(e, p));
  }
  program_add(p, STEP_BLOCK, 0);
}

/* ---- showing -------------------------------------------------------------------------------- */

static bool has_row(const Step *s) {
  return s->kind == STEP_IF || s->kind == STEP_LOOP || s->kind == STEP_LEAVE ||
         s->kind == STEP_SWITCH;
}

static void show_row(Text *t, const Program *p, const Step *s) {
  const int32_t *row = p->rows[s->row];
  uint32_t mask = 0;
  for (int l = 0; l < LANES; l++) mask |= (uint32_t)(row[l] != 0) << l;
  if (s->kind != STEP_LOOP && s->kind != STEP_SWITCH) {
    text_add(t, " (row %d: lanes 0x%08x)", s->row, mask);
    return;
  }
  text_add(t, " (row %d: ", s->row);
  for (int l = 0; l < LANES; l++) text_add(t, "%s%d", l && l % 8 == 0 ? " " : "", row[l]);
  text_add(t, s->kind == STEP_LOOP ? " times)" : ")");
}

void program_show(Text *text, const Program *p) {
  static const char *const words[] = {"",     "BLOCK",   "IF",    "ELSE",   "ENDIF",
                                      "LOOP", "ENDLOOP", "LEAVE", "SWITCH", "BARRIER"};
  int depth = 1;
  int block = 0;
  for (const Step *s = p->steps; s->kind != STEP_STOP; s++) {
    bool ends = s->kind == STEP_ELSE || s->kind == STEP_ENDIF || s->kind == STEP_ENDLOOP;
    bool begins = s->kind == STEP_ELSE || s->kind == STEP_IF || s->kind == STEP_LOOP;
    depth -= ends;
    text_add(text, "\n%*s%s", 2 * depth, "", words[s->kind]);
    if (s->kind == STEP_BLOCK) text_add(text, " %d", ++block);
    if (has_row(s)) show_row(text, p, s);
    depth += begins;
  }
}

/* ---- as PTX ---------------------------------------------------------------------------------
 *
 * %value holds the lane's number of a row; %trip<n> counts the rounds of the loop at step n. At a
 * block the lowest of the active lanes takes a place in the log, under predicates, which are no
 * branches: the log's first word counts the places, then come pairs of a step and a mask. */

static const char PROLOGUE[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                               ".visible .entry program(.param .u64 rows, .param .u64 log)\n{\n"
                               "  .reg .pred %yes, %first, %fits;\n"
                               "  .reg .u32 %lane, %below, %active, %others, %value, %slot;\n"
                               "  .reg .u64 %rows, %log, %offset, %place;\n"
                               "  .reg .u32 %trip<96>;\n"
                               "  ld.param.u64 %rows, [rows];\n"
                               "  ld.param.u64 %log, [log];\n"
                               "  mov.u32 %lane, %laneid;\n"
                               "  mov.u32 %below, %lanemask_lt;\n"
                               "  mul.wide.u32 %offset, %lane, 4;\n"
                               "  add.u64 %rows, %rows, %offset;\n";

static void write_block(Text *t, int step) {
  text_add(t,
           "  activemask.b32 %%active;\n"
           "  and.b32 %%others, %%active, %%below;\n"
           "  setp.eq.u32 %%first, %%others, 0;\n"
           "  @%%first atom.global.add.u32 %%slot, [%%log], 1;\n"
           "  setp.lt.and.u32 %%fits, %%slot, %d, %%first;\n"
           "  mul.wide.u32 %%place, %%slot, 8;\n"
           "  add.u64 %%place, %%place, %%log;\n"
           "  mov.u32 %%value, %d;\n"
           "  @%%fits st.global.u32 [%%place+4], %%value;\n"
           "  @%%fits st.global.u32 [%%place+8], %%active;\n",
           EVENTS_MAX, step);
}

static void write_load(Text *t, int row) {
  text_add(t, "  ld.global.u32 %%value, [%%rows+%d];\n", row * LANES * 4);
}

static void write_condition(Text *t, int row) {
  write_load(t, row);
  text_add(t, "  setp.ne.u32 %%yes, %%value, 0;\n");
}

static void write_switch(Text *t, int at, int row) {
  write_load(t, row);
  text_add(t, "cases_%d: .branchtargets ", at);
  for (int c = 0; c < CASES_MAX; c++) text_add(t, "%scase_%d_%d", c ? ", " : "", at, c);
  text_add(t, ";\n  brx.idx %%value, cases_%d;\n", at);
  for (int c = 0; c < CASES_MAX; c++) {
    text_add(t, "case_%d_%d:\n", at, c);
    write_block(t, at);
    text_add(t, "  bra.uni end_%d;\n", at);
  }
  text_add(t, "end_%d:\n", at);
}

/* An if or a loop that is not closed yet: the step that opened it. */
typedef struct Open {
  int at[STEPS_MAX];
  bool has_else[STEPS_MAX];
  int depth;
} Open;

static void write_step(Text *t, const Program *p, int i, Open *open) {
  const Step *s = &p->steps[i];
  int at = open->depth ? open->at[open->depth - 1] : 0;
  switch (s->kind) {
  case STEP_IF:
    write_condition(t, s->row);
    text_add(t, "  @!%%yes bra else_%d;\n", i);
    break;
  case STEP_ELSE:
    text_add(t, "  bra.uni end_%d;\nelse_%d:\n", at, at);
    open->has_else[open->depth - 1] = true;
    break;
  case STEP_ENDIF:
    text_add(t, "%s_%d:\n", open->has_else[open->depth - 1] ? "end" : "else", at);
    break;
  case STEP_LOOP:
    text_add(t, "  mov.u32 %%trip%d, 0;\nloop_%d:\n", i, i);
    write_load(t, s->row);
    text_add(t, "  setp.ge.u32 %%yes, %%trip%d, %%value;\n  @%%yes bra done_%d;\n", i, i);
    break;
  case STEP_ENDLOOP:
    text_add(t, "  add.u32 %%trip%d, %%trip%d, 1;\n  bra.uni loop_%d;\ndone_%d:\n", at, at, at, at);
    break;
  case STEP_LEAVE:
    write_condition(t, s->row);
    text_add(t, "  @%%yes ret;\n");
    break;
  case STEP_SWITCH: write_switch(t, i, s->row); break;
  case STEP_BARRIER: text_add(t, "  bar.sync 0;\n"); break;
  default: write_block(t, i);
  }
  if (s->kind == STEP_ENDIF || s->kind == STEP_ENDLOOP) open->depth--;
  if (s->kind != STEP_IF && s->kind != STEP_LOOP) return;
  open->has_else[open->depth] = false;
  open->at[open->depth++] = i;
}

static void write_ptx(Text *t, const Program *p) {
  Open open = {.depth = 0};
  text_add(t, "%s", PROLOGUE);
  for (int i = 0; i < p->count; i++) write_step(t, p, i, &open);
  text_add(t, "}\n"); /* no ret: who is left at the end meets there */
}

/* ---- running -------------------------------------------------------------------------------- */

static gpu_result load(gpu_device *dev, const Program *p, gpu_kernel **kernel) {
  Text ptx = {0};
  gpu_module *mod;
  write_ptx(&ptx, p);
  gpu_result result = gpu_module_load_ptx(dev, &mod, "program", ptx.data, ptx.length);
  if (result == GPU_OK) result = gpu_module_kernel(mod, kernel, "program");
  text_free(&ptx);
  return result;
}

static int by_step(const void *a, const void *b) {
  const Event *x = a, *y = b;
  if (x->step != y->step) return x->step < y->step ? -1 : 1;
  return x->mask < y->mask ? -1 : x->mask > y->mask;
}

/* The log as it is in the device's memory: the count, and the events behind it. */
static gpu_result read_log(gpu_device *dev, gpu_ptr memory, ProgramLog *log) {
  gpu_stats stats;
  uint32_t count = 0;
  gpu_result result = gpu_memcpy_dtoh(dev, &count, memory, sizeof count);
  if (result == GPU_OK)
    result = gpu_memcpy_dtoh(dev, log->events, memory + sizeof count, sizeof log->events);
  gpu_get_stats(dev, &stats);
  log->seen = (Observed){(int32_t)count, (int32_t)stats.divergent_branches, (int32_t)stats.paths};
  log->kept = count < EVENTS_MAX ? count : EVENTS_MAX;
  qsort(log->events, log->kept, sizeof *log->events, by_step);
  return result;
}

gpu_result program_launch(gpu_device *dev, const Program *p, uint32_t grid, uint32_t block,
                          ProgramLog *log) {
  gpu_kernel *kernel;
  gpu_ptr rows = 0, memory = 0;
  size_t bytes = sizeof(uint32_t) + sizeof log->events;
  void *args[] = {&rows, &memory};
  gpu_result result = load(dev, p, &kernel);
  if (result == GPU_OK) result = gpu_mem_alloc(dev, &rows, sizeof p->rows);
  if (result == GPU_OK) result = gpu_memcpy_htod(dev, rows, p->rows, sizeof p->rows);
  if (result == GPU_OK) result = gpu_mem_alloc(dev, &memory, bytes);
  if (result == GPU_OK) result = gpu_memset(dev, memory, 0, bytes);
  if (result == GPU_OK)
    result = gpu_launch(dev, kernel, (gpu_dim){grid, 1, 1}, (gpu_dim){block, 1, 1}, 0, args);
  if (result == GPU_OK) result = read_log(dev, memory, log);
  return result;
}

bool program_run(Exam *e, const Program *p, uint32_t grid, uint32_t block, ProgramLog *log) {
  gpu_config config = {.model = GPU_MODEL_STACK};
  gpu_device *dev;
  char message[512];
  if (gpu_device_create(&dev, &config, message, sizeof message) != GPU_OK) {
    exam_broken(e, "no device: %s", message);
    return false;
  }
  bool good = program_launch(dev, p, grid, block, log) == GPU_OK;
  if (!good) exam_broken(e, "a program: %s", gpu_last_error(dev));
  if (good && log->kept == EVENTS_MAX) exam_broken(e, "a program runs too many blocks");
  gpu_device_destroy(dev);
  return good;
}
