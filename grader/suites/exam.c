/* suites/exam.c - a test's beginning and end, and what it says. */
#include "exam.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- files ---------------------------------------------------------------------------------- */

void write_record(Text *line) {
  text_add(line, "\n");
  int fd = open(RECORDS_FILE, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  bool good = fd >= 0 && write(fd, line->data, line->length) == (ssize_t)line->length;
  if (fd >= 0) close(fd);
  if (!good) fprintf(stderr, "cannot write %s\n", RECORDS_FILE); /* the grader misses the record */
  text_free(line);
}

static char *read_quietly(const char *path, size_t *length) {
  Text err = {0};
  char *text = read_file(path, length, &err);
  text_free(&err);
  return text;
}

const Json *read_request(Arena *arena) {
  size_t length;
  char *text = read_quietly(REQUEST_FILE, &length);
  const Json *request = text ? json_parse(arena, text, length) : NULL;
  free(text);
  return request;
}

/* ---- beginning ------------------------------------------------------------------------------ */

gpu_result exam_make_device(gpu_device **device, Schedule schedule, bool traced, char *message,
                            size_t message_size) {
  gpu_config config = {.instruction_limit = INSTRUCTION_LIMIT, .memory_limit = 64u << 20};
  config.timing = traced || schedule == SCHEDULE_TIMED || schedule == SCHEDULE_TEXTBOOK;
  if (schedule == SCHEDULE_TEXTBOOK) config.arch = "textbook";
  if (schedule >= SCHEDULE_ITS) config.check = GPU_CHECK_FULL;
  if (schedule == SCHEDULE_STACK) config.model = GPU_MODEL_STACK;
  if (schedule == SCHEDULE_ADVERSE) config.schedule_seed = 1;
  return gpu_device_create(device, &config, message, message_size);
}

static void find_test(Exam *e) {
  const Json *tests = json_get(e->request, "tests");
  for (const Json *t = tests ? tests->first : NULL; t; t = t->next)
    if (strcmp(json_get_string(t, "name", ""), e->test) == 0) e->test_request = t;
  if (!e->test_request) exam_broken(e, "the test is not in the lab's table");
}

static const char *source_name(const Exam *e) { return json_get_string(e->request, "source", ""); }

/* A file's text, in the arena; NULL when it cannot be read. */
static const char *read_kept(Exam *e, const char *path, size_t *length) {
  char *text = read_quietly(path, length);
  const char *kept = text ? arena_strndup(e->arena, text, *length) : NULL;
  free(text);
  return kept;
}

static void read_submission(Exam *e) {
  e->ptx = read_kept(e, PTX_FILE, &e->ptx_length);
  e->source = read_kept(e, source_name(e), &e->source_length);
  if (!e->ptx || !e->source) exam_broken(e, "the compiled submission cannot be read");
}

static void make_setup(Exam *e, Setup *s, Schedule schedule) {
  char message[1024];
  if (exam_make_device(&s->device, schedule, e->explanation, message, sizeof message) != GPU_OK)
    exam_broken(e, "no device: %s", message);
  else if (gpu_module_load_ptx(s->device, &s->module, PTX_NAME, e->ptx, e->ptx_length) != GPU_OK)
    exam_broken(e, "the compiled submission does not load: %s", gpu_last_error(s->device));
  else
    gpu_module_add_source(s->module, source_name(e), e->source, e->source_length);
  if (e->explanation && s->device) gpu_set_trace(s->device, explain_event, e->explanation);
}

static void expect_explanation(Exam *e) {
  if (!json_get_bool(e->request, "explain", false)) return;
  e->explanation = ARENA_NEW(e->arena, Explanation);
  e->explanation->file = source_name(e);
  e->explanation->stopped = &e->failed;
}

bool exam_use_schedule(Exam *e, Schedule schedule) {
  if (e->broken) return false;
  if (!e->setups[schedule].device) make_setup(e, &e->setups[schedule], schedule);
  e->use = e->setups[schedule];
  e->schedule = schedule;
  return !e->broken;
}

bool exam_use_fresh(Exam *e, Schedule schedule) {
  Setup *s = &e->setups[schedule];
  if (s->device) gpu_device_destroy(s->device);
  *s = (Setup){0};
  return exam_use_schedule(e, schedule);
}

Exam *exam_begin(void) {
  Exam *e = calloc(1, sizeof *e);
  cr_assert_not_null(e);
  e->test = criterion_current_test->name;
  e->arena = arena_new(0);
  cr_assert_not_null(e->arena);
  e->request = read_request(e->arena);
  find_test(e);
  read_submission(e);
  expect_explanation(e);
  exam_use_schedule(e, SCHEDULE_PLAIN);
  return e;
}

/* ---- saying --------------------------------------------------------------------------------- */

bool exam_failed(const Exam *e) { return e->failed || e->broken; }
gpu_device *exam_device(Exam *e) { return e->use.device; }
gpu_module *exam_module(Exam *e) { return e->use.module; }

static bool may_say(const Exam *e) { return e->failed && !e->closed; }

static void explain(Exam *e) {
  gpu_stats stats;
  gpu_fault_info fault;
  if (!e->explanation || !e->use.device) return;
  gpu_get_stats(e->use.device, &stats);
  explain_draw(&e->explained, e->arena, e->explanation, e->source, &stats,
               exam_fault(e, &fault) ? &fault : NULL);
}

void exam_fail(Exam *e, const char *format, ...) {
  if (exam_failed(e)) return;
  va_list args;
  va_start(args, format);
  text_vadd(&e->message, format, args);
  va_end(args);
  e->failed = true;
  explain(e);
}

void exam_unwritten(Exam *e, const char *format, ...) {
  if (exam_failed(e)) return;
  va_list args;
  va_start(args, format);
  text_vadd(&e->message, format, args);
  va_end(args);
  e->failed = e->unwritten = true;
}

void exam_broken(Exam *e, const char *format, ...) {
  if (e->broken) return;
  va_list args;
  text_clear(&e->message);
  va_start(args, format);
  text_vadd(&e->message, format, args);
  va_end(args);
  e->broken = true;
}

#define SAY(field)                                                                                 \
  do {                                                                                             \
    va_list args;                                                                                  \
    if (!may_say(e)) return;                                                                       \
    va_start(args, format);                                                                        \
    text_vadd(&e->field, format, args);                                                            \
    va_end(args);                                                                                  \
  } while (0)

void exam_say_call(Exam *e, const char *format, ...) { SAY(call); }
void exam_say_expected(Exam *e, const char *format, ...) { SAY(expected); }
void exam_say_got(Exam *e, const char *format, ...) { SAY(got); }

void exam_say_function(Exam *e, const char *name) {
  if (may_say(e)) e->function = name;
}

void exam_say_hint(Exam *e, const char *id) {
  if (may_say(e)) e->hint = id;
}

void exam_say_credit(Exam *e, double credit) {
  if (may_say(e)) e->credit = credit;
}

void exam_close_failure(Exam *e) { e->closed = e->failed; }

static void draw_lanes(Text *t, const char *title, uint32_t mask) {
  text_add(t, "%-9s", title);
  for (int lane = 0; lane < WARP; lane++) text_add(t, "%c", mask >> lane & 1 ? '#' : '.');
  text_add(t, "  0x%08x\n", mask);
}

void exam_say_masks(Exam *e, uint32_t expected, uint32_t got) {
  if (!may_say(e)) return;
  uint32_t wrong = expected ^ got;
  text_add(&e->picture, "lane     0       8       16      24     31\n");
  draw_lanes(&e->picture, "expected", expected);
  draw_lanes(&e->picture, "got", got);
  text_add(&e->picture, "%9s", "");
  for (int lane = 0; lane < WARP && wrong >> lane; lane++)
    text_add(&e->picture, "%c", wrong >> lane & 1 ? '^' : ' ');
}

/* ---- what the library said ------------------------------------------------------------------ */

bool exam_fault(const Exam *e, gpu_fault_info *fault) {
  for (size_t i = 0; i < gpu_fault_count(e->use.device); i++)
    if (gpu_fault(e->use.device, i, fault) == GPU_OK && !fault->note) return true;
  return false;
}

/* Two mistakes share the kind mask-mismatch: a lane whose own mask leaves it out, and a mask that
 * names lanes that never come. */
static const char *fault_case(const gpu_fault_info *f) {
  if (f->kind != GPU_FAULT_MASK_MISMATCH || f->lane < 0) return gpu_fault_kind_name(f->kind);
  return f->active_mask >> f->lane & 1 ? "mask-omits-caller" : "mask-names-absent";
}

static void fail_with_fault(Exam *e) {
  gpu_fault_info fault;
  if (!exam_fault(e, &fault)) {
    exam_fail(e, "%s", gpu_last_error(e->use.device));
    return;
  }
  exam_fail(e, "%s", fault.report);
  if (!may_say(e)) return;
  e->fault = gpu_fault_kind_name(fault.kind);
  e->fault_case = fault_case(&fault);
  if (strcmp(fault.file, source_name(e)) == 0) e->line = fault.line;
}

bool exam_check(Exam *e, gpu_result result) {
  if (result == GPU_OK) return true;
  if (result == GPU_FAULT)
    fail_with_fault(e);
  else if (result == GPU_BAD_INPUT)
    exam_fail(e, "%s", gpu_last_error(e->use.device));
  else
    exam_broken(e, "%s", gpu_last_error(e->use.device));
  return false;
}

/* ---- seeds ---------------------------------------------------------------------------------- */

static const Json *seeds(const Exam *e) { return json_get(e->test_request, "seeds"); }

size_t exam_seed_count(const Exam *e) {
  size_t count = 0;
  for (const Json *s = seeds(e) ? seeds(e)->first : NULL; s; s = s->next) count++;
  return count;
}

void exam_use_seed(Exam *e, size_t index) {
  if (exam_failed(e)) return; /* the seed of the failure stays */
  const Json *s = seeds(e) ? seeds(e)->first : NULL;
  for (; s && index > 0; index--) s = s->next;
  e->has_seed = s != NULL;
  e->seed = s ? (uint32_t)s->number : 0;
  e->random = e->seed * 2654435769u + 1; /* so that seeds 1, 2, 3 begin far apart */
}

/* The generator of `warpsim help args`: its upper 24 bits are the good ones. */
uint32_t exam_random(Exam *e, uint32_t below) {
  e->random = e->random * 1664525u + 1013904223u;
  return below ? (e->random >> 8) % below : 0;
}

int exam_between(Exam *e, int least, int most) {
  return least + (int)exam_random(e, (uint32_t)(most - least + 1));
}

void exam_seeded(void (*draw)(Exam *e)) {
  Exam *e = exam_begin();
  for (size_t i = 0; i < exam_seed_count(e); i++) {
    exam_use_seed(e, i);
    draw(e);
  }
  exam_end(e);
}

/* ---- end ------------------------------------------------------------------------------------ */

static const char *text_or_null(const Text *t) { return t->length ? t->data : NULL; }

static void add_failure(Text *line, const Exam *e) {
  json_add_string(line, "call", text_or_null(&e->call));
  json_add_string(line, "expected", text_or_null(&e->expected));
  json_add_string(line, "got", text_or_null(&e->got));
  json_add_string(line, "picture", text_or_null(&e->picture));
  json_add_string(line, "explain", text_or_null(&e->explained));
  json_add_string(line, "function", e->function);
  json_add_string(line, "hint", e->hint);
  json_add_string(line, "fault", e->fault);
  json_add_string(line, "fault_case", e->fault_case);
  json_add_bool(line, "unwritten", e->unwritten);
  json_add_number(line, "credit", e->credit);
  if (e->line) json_add_number(line, "line", e->line);
  if (e->has_seed) json_add_number(line, "seed", e->seed);
}

static void report(const Exam *e) {
  Text line = {0};
  json_open(&line, NULL, '{');
  json_add_string(&line, "record", "found");
  json_add_string(&line, "test", e->test);
  json_add_string(&line, "status", e->broken ? "grader_error" : e->failed ? "failed" : "passed");
  json_add_string(&line, "message", text_or_null(&e->message));
  if (e->failed) add_failure(&line, e);
  json_close(&line, '}');
  write_record(&line);
}

void exam_end(Exam *e) {
  bool failed = exam_failed(e);
  report(e);
  Text *texts[] = {&e->message, &e->call, &e->expected, &e->got, &e->picture, &e->explained};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) text_free(texts[i]);
  for (size_t i = 0; i < SCHEDULE_COUNT; i++)
    if (e->setups[i].device) gpu_device_destroy(e->setups[i].device);
  arena_free(e->arena);
  free(e);
  cr_assert(!failed);
}
