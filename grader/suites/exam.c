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

gpu_result exam_make_device(gpu_device **device, char *message, size_t message_size) {
  gpu_config config = {.instruction_limit = INSTRUCTION_LIMIT, .memory_limit = 64u << 20};
  return gpu_device_create(device, &config, message, message_size);
}

static void find_test(Exam *e) {
  const Json *tests = json_get(e->request, "tests");
  for (const Json *t = tests ? tests->first : NULL; t; t = t->next)
    if (strcmp(json_get_string(t, "name", ""), e->test) == 0) e->test_request = t;
  if (!e->test_request) exam_broken(e, "the test is not in the lab's table");
}

static void load_module(Exam *e) {
  size_t ptx_length, source_length;
  const char *source_name = json_get_string(e->request, "source", "");
  char *ptx = read_quietly(PTX_FILE, &ptx_length);
  char *source = read_quietly(source_name, &source_length);
  if (!ptx || !source)
    exam_broken(e, "the compiled submission cannot be read");
  else if (gpu_module_load_ptx(e->device, &e->module, PTX_NAME, ptx, ptx_length) != GPU_OK)
    exam_broken(e, "the compiled submission does not load: %s", gpu_last_error(e->device));
  else
    gpu_module_add_source(e->module, source_name, source, source_length);
  free(ptx);
  free(source);
}

Exam *exam_begin(void) {
  Exam *e = calloc(1, sizeof *e);
  cr_assert_not_null(e);
  e->test = criterion_current_test->name;
  e->arena = arena_new(0);
  cr_assert_not_null(e->arena);
  char message[1024];
  e->request = read_request(e->arena);
  find_test(e);
  if (exam_make_device(&e->device, message, sizeof message) != GPU_OK)
    exam_broken(e, "no device: %s", message);
  else
    load_module(e);
  return e;
}

/* ---- saying --------------------------------------------------------------------------------- */

bool exam_failed(const Exam *e) { return e->failed || e->broken; }
gpu_device *exam_device(Exam *e) { return e->device; }
gpu_module *exam_module(Exam *e) { return e->module; }

static bool may_say(const Exam *e) { return e->failed && !e->closed; }

void exam_fail(Exam *e, const char *format, ...) {
  if (exam_failed(e)) return;
  va_list args;
  va_start(args, format);
  text_vadd(&e->message, format, args);
  va_end(args);
  e->failed = true;
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
  for (int lane = 0; lane < 32; lane++) text_add(t, "%c", mask >> lane & 1 ? '#' : '.');
  text_add(t, "  0x%08x\n", mask);
}

void exam_say_masks(Exam *e, uint32_t expected, uint32_t got) {
  if (!may_say(e)) return;
  uint32_t wrong = expected ^ got;
  text_add(&e->picture, "lane     0       8       16      24     31\n");
  draw_lanes(&e->picture, "expected", expected);
  draw_lanes(&e->picture, "got", got);
  text_add(&e->picture, "%9s", "");
  for (int lane = 0; lane < 32 && wrong >> lane; lane++)
    text_add(&e->picture, "%c", wrong >> lane & 1 ? '^' : ' ');
}

/* ---- what the library said ------------------------------------------------------------------ */

/* The first fault that is no mere note, with the line that it names in the student's file. */
static bool find_fault(const Exam *e, gpu_fault_info *fault) {
  for (size_t i = 0; i < gpu_fault_count(e->device); i++)
    if (gpu_fault(e->device, i, fault) == GPU_OK && !fault->note) return true;
  return false;
}

static void fail_with_fault(Exam *e) {
  gpu_fault_info fault;
  if (!find_fault(e, &fault)) {
    exam_fail(e, "%s", gpu_last_error(e->device));
  } else {
    exam_fail(e, "%s", fault.report);
    if (may_say(e)) e->fault = gpu_fault_kind_name(fault.kind);
    if (may_say(e) && strcmp(fault.file, json_get_string(e->request, "source", "")) == 0)
      e->line = fault.line;
  }
}

bool exam_check(Exam *e, gpu_result result) {
  if (result == GPU_OK) return true;
  if (result == GPU_FAULT)
    fail_with_fault(e);
  else if (result == GPU_BAD_INPUT)
    exam_fail(e, "%s", gpu_last_error(e->device));
  else
    exam_broken(e, "%s", gpu_last_error(e->device));
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

/* ---- end ------------------------------------------------------------------------------------ */

static const char *text_or_null(const Text *t) { return t->length ? t->data : NULL; }

static void add_failure(Text *line, const Exam *e) {
  json_add_string(line, "call", text_or_null(&e->call));
  json_add_string(line, "expected", text_or_null(&e->expected));
  json_add_string(line, "got", text_or_null(&e->got));
  json_add_string(line, "picture", text_or_null(&e->picture));
  json_add_string(line, "function", e->function);
  json_add_string(line, "hint", e->hint);
  json_add_string(line, "fault", e->fault);
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
  Text *texts[] = {&e->message, &e->call, &e->expected, &e->got, &e->picture};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) text_free(texts[i]);
  if (e->device) gpu_device_destroy(e->device);
  arena_free(e->arena);
  free(e);
  cr_assert(!failed);
}
