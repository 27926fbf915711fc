/* collect.c - from what a suite wrote to the results of a lab. */
#include "collect.h"

#include <string.h>

#include "json.h"
#include "source.h"

enum { LOG_SHOWN = 400 };

typedef struct Collector {
  LabResult *out;
  const Lab *lab;
  const Evidence *evidence;
  Arena *arena;
  Json **records;
  size_t count, capacity;
} Collector;

static const char *keep(const Collector *c, const char *text) {
  return text ? arena_strndup(c->arena, text, strlen(text)) : NULL;
}

/* ---- records ------------------------------------------------------------------------------- */

static bool parse_records(Collector *c) {
  for (const char *line = c->evidence->records; *line;) {
    size_t length = strcspn(line, "\n");
    Json *record = json_parse(c->arena, line, length);
    if (!record || !json_get_string(record, "record", NULL)) return false;
    ARENA_GROW(c->arena, c->records, c->count, c->capacity);
    c->records[c->count++] = record;
    line += length + (line[length] == '\n');
  }
  return true;
}

static bool matches(const Json *record, const char *kind, const char *test) {
  return strcmp(json_get_string(record, "record", ""), kind) == 0 &&
         (!test || strcmp(json_get_string(record, "test", ""), test) == 0);
}

static size_t count_records(const Collector *c, const char *kind, const char *test) {
  size_t count = 0;
  for (size_t i = 0; i < c->count; i++) count += matches(c->records[i], kind, test);
  return count;
}

/* The only one of its kind, or NULL. */
static const Json *the_record(const Collector *c, const char *kind, const char *test) {
  if (count_records(c, kind, test) != 1) return NULL;
  for (size_t i = 0; i < c->count; i++)
    if (matches(c->records[i], kind, test)) return c->records[i];
  return NULL;
}

/* ---- one test ------------------------------------------------------------------------------- */

static void grader_failed(TestResult *t, const char *message) {
  t->status = TEST_GRADER_ERROR;
  t->points = 0;
  t->message = message;
}

/* Why the two records of a test cannot be believed; NULL when they can. */
static const char *distrust(const Collector *c, const TestResult *t, const Json *found,
                            const Json *ran) {
  if (!ran) return count_records(c, "ran", t->name) ? "the test ran twice" : "the test did not run";
  if (json_get_bool(ran, "timed_out", false)) return "the test took too long and was stopped";
  if (json_get_bool(ran, "crashed", false))
    return arena_printf(c->arena, "the test crashed (signal %.0f)",
                        json_get_number(ran, "signal", 0));
  if (!found) return "the test ran, but did not say once what it found";
  const char *status = json_get_string(found, "status", "");
  if (strcmp(status, "grader_error") == 0)
    return json_get_string(found, "message", "the test gave up without a reason");
  bool passed = strcmp(status, "passed") == 0;
  if (!passed && strcmp(status, "failed") != 0) return "the test's record has no status";
  if (json_get_bool(ran, "passed", !passed) != passed)
    return "the test and the test runner disagree about the outcome";
  return NULL;
}

/* Hints that every lab has. */
static const Hint common_hints[] = {
    {"signature", "Keep the names, parameters and results as the starter has them.", ""},
    {"fault", "The simulator stopped the call at that line; mend that first.", ""},
};

static const Hint *find_hint(const Collector *c, const char *id) {
  for (size_t i = 0; i < sizeof common_hints / sizeof *common_hints; i++)
    if (strcmp(common_hints[i].id, id) == 0) return &common_hints[i];
  return lab_hint(c->lab, id);
}

static void fill_hint(const Collector *c, TestResult *t, const Json *found) {
  const char *id = json_get_string(found, "hint", NULL);
  const char *fault_case = json_get_string(found, "fault_case", NULL);
  const Hint *hint = id ? find_hint(c, id) : NULL;
  /* A hint that is named after a kind of fault answers that fault. */
  if (!hint && fault_case) hint = lab_hint(c->lab, fault_case);
  if (!hint && t->fault) hint = find_hint(c, "fault");
  if (!hint) hint = lab_hint(c->lab, lab_test(c->lab, t->name)->hint);
  t->hint_id = hint->id;
  t->hint = hint->text;
  t->hint_more = *hint->more ? hint->more : NULL;
}

static void fill_line(const Collector *c, TestResult *t, const Json *found) {
  const char *function = json_get_string(found, "function", NULL);
  double line = json_get_number(found, "line", 0);
  if (line >= 1 && line < UINT32_MAX)
    t->line = (uint32_t)line;
  else if (function)
    t->line = source_function_line(c->evidence->source, function);
  t->source_line = source_line_text(c->arena, c->evidence->source, t->line);
  if (!t->source_line) t->line = 0;
  t->file = t->line ? c->evidence->file : NULL;
}

static void fill_replay(const Collector *c, TestResult *t, const Json *found) {
  double seed = json_get_number(found, "seed", -1);
  t->has_seed = seed >= 0 && seed <= UINT32_MAX;
  t->seed = t->has_seed ? (uint32_t)seed : 0;
  t->replay = arena_printf(c->arena, "%s --test %s", c->out->command, t->name);
  if (t->has_seed) t->replay = arena_printf(c->arena, "%s --seed %u", t->replay, t->seed);
}

static void fill_failure(const Collector *c, TestResult *t, const Json *found) {
  t->message = json_get_string(found, "message", NULL);
  t->call = json_get_string(found, "call", NULL);
  t->expected = json_get_string(found, "expected", NULL);
  t->got = json_get_string(found, "got", NULL);
  t->picture = json_get_string(found, "picture", NULL);
  t->explain = json_get_string(found, "explain", NULL);
  t->fault = json_get_string(found, "fault", NULL);
  t->unwritten = json_get_bool(found, "unwritten", false);
  fill_line(c, t, found);
  fill_hint(c, t, found);
  fill_replay(c, t, found);
}

static void collect_test(const Collector *c, TestResult *t) {
  const Json *found = the_record(c, "found", t->name), *ran = the_record(c, "ran", t->name);
  const char *doubt = distrust(c, t, found, ran);
  t->seconds = json_get_number(ran, "seconds", 0);
  if (doubt) {
    grader_failed(t, keep(c, doubt));
    return;
  }
  bool passed = strcmp(json_get_string(found, "status", ""), "passed") == 0;
  double credit = passed ? 1 : json_get_number(found, "credit", 0);
  t->status = passed ? TEST_PASSED : TEST_FAILED;
  t->points = t->max * (credit < 0 ? 0 : credit > 1 ? 1 : credit);
  if (!passed) fill_failure(c, t, found);
}

/* ---- the whole ------------------------------------------------------------------------------ */

/* The grader's own failure: says why, and quotes the end of what the suite printed. */
static void give_up(const Collector *c, const char *why) {
  const char *log = c->evidence->log;
  size_t length = strlen(log), skip = length > LOG_SHOWN ? length - LOG_SHOWN : 0;
  c->out->status = GRADE_ERROR;
  c->out->message =
      length ? arena_printf(c->arena, "%s\nthe suite printed:\n%s", why, log + skip) : keep(c, why);
  for (size_t i = 0; i < c->out->test_count; i++)
    if (c->out->tests[i].status == TEST_NOT_RUN)
      grader_failed(&c->out->tests[i], "the suite did not run to its end");
}

static void refuse(const Collector *c, const Json *refused) {
  c->out->status = GRADE_NOT_GRADABLE;
  c->out->message = keep(c, json_get_string(refused, "message", "it cannot be compiled"));
}

/* Whether everything that ran was asked for. */
static bool ran_more(const Collector *c) {
  size_t known = 0;
  for (size_t i = 0; i < c->out->test_count; i++)
    known += count_records(c, "ran", c->out->tests[i].name) +
             count_records(c, "found", c->out->tests[i].name);
  return known != count_records(c, "ran", NULL) + count_records(c, "found", NULL);
}

/* What speaks against the run as a whole; NULL when nothing does. */
static const char *doubt_run(const Collector *c) {
  const Json *end = the_record(c, "end", NULL);
  size_t failed = 0;
  for (size_t i = 0; i < c->out->test_count; i++) failed += c->out->tests[i].status == TEST_FAILED;
  if (!the_record(c, "compiled", NULL)) return "the suite did not say that it compiled";
  if (!end) return "the suite's report has no end";
  if (json_get_number(end, "tests", -1) != (double)c->out->test_count || ran_more(c))
    return "the suite ran other tests than the lab's table lists";
  if (c->evidence->end.exit_status != (failed ? 1 : 0))
    return "the suite's exit status does not fit its report";
  return NULL;
}

static bool any_error(const LabResult *out) {
  for (size_t i = 0; i < out->test_count; i++)
    if (out->tests[i].status == TEST_GRADER_ERROR) return true;
  return false;
}

static void collect_run(const Collector *c) {
  const Json *compiled = the_record(c, "compiled", NULL);
  c->out->compiler = json_get_string(compiled, "compiler", NULL);
  c->out->ptx_hash = json_get_string(compiled, "ptx_hash", NULL);
  if (compiled)
    for (size_t i = 0; i < c->out->test_count; i++) collect_test(c, &c->out->tests[i]);
  const char *doubt = doubt_run(c);
  if (any_error(c->out))
    give_up(c, "at least one test could not be run");
  else if (doubt)
    give_up(c, doubt);
}

void collect(LabResult *out, const Lab *lab, const Evidence *evidence, Arena *arena) {
  Collector c = {.out = out, .lab = lab, .evidence = evidence, .arena = arena};
  const SandboxEnd *end = &evidence->end;
  if (!end->started)
    give_up(&c, "the suite could not be started; was the grader built with `make`?");
  else if (end->timed_out)
    give_up(&c, "the suite took too long and was stopped");
  else if (!parse_records(&c))
    give_up(&c, "the suite's report is damaged");
  else if (the_record(&c, "refused", NULL) && c.count == 1)
    refuse(&c, c.records[0]);
  else
    collect_run(&c);
  lab_total(out);
}
