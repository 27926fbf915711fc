/* suites/function.c - calling a student's function for many cases, and reading the predictions. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "exam.h"

/* The block size of the calls: no multiple of what a block in a lab has, so that a function that
 * looks at threadIdx or blockDim instead of its arguments is found out. */
enum { CALL_BLOCK = 96 };

/* ---- values --------------------------------------------------------------------------------- */

/* The 32 bits that a function returns, as a value of the kind. */
static int64_t value_of(ValueKind kind, uint32_t bits) {
  return kind == VALUE_MASK ? (int64_t)bits : (int64_t)(int32_t)bits;
}

static const char *show_value(char *buf, size_t size, ValueKind kind, int64_t value) {
  if (kind == VALUE_MASK)
    snprintf(buf, size, "0x%08x", (unsigned)value);
  else
    snprintf(buf, size, "%lld", (long long)value);
  return buf;
}

static void say_call(Exam *e, const StudentFunction *f, const int *arguments) {
  exam_say_call(e, "%s(", f->name);
  for (int i = 0; i < f->arity; i++)
    exam_say_call(e, f->kind == VALUE_OF_MASKS ? "%s0x%08x" : "%s%d", i ? ", " : "", arguments[i]);
  exam_say_call(e, ")");
  if (e->context) exam_say_call(e, ", %s", e->context);
}

/* ---- mistakes ------------------------------------------------------------------------------- */

typedef struct Answers {
  const StudentFunction *function;
  const Case *cases;
  const uint32_t *got;
  size_t count;
} Answers;

static bool all_are(const Answers *a, int64_t (*value)(const int *)) {
  ValueKind kind = a->function->kind;
  for (size_t i = 0; i < a->count; i++)
    if (value_of(kind, a->got[i]) != value_of(kind, (uint32_t)value(a->cases[i].arguments)))
      return false;
  return true;
}

static bool all_unwritten(const Answers *a) {
  for (size_t i = 0; i < a->count; i++)
    if (value_of(a->function->kind, a->got[i]) != a->function->unwritten) return false;
  return true;
}

/* The hint for the first known mistake that explains every answer, right ones included. */
static const char *recognise(const Answers *a) {
  for (const Mistake *m = a->function->mistakes; m && m->hint; m++)
    if (all_are(a, m->value)) return m->hint;
  return NULL;
}

/* ---- comparing ------------------------------------------------------------------------------ */

static size_t first_mismatch(const Answers *a) {
  size_t i = 0;
  while (i < a->count && value_of(a->function->kind, a->got[i]) == a->cases[i].expected) i++;
  return i;
}

static void say_mismatch(Exam *e, const Answers *a, size_t i) {
  const StudentFunction *f = a->function;
  char expected[32], got[32];
  exam_fail(e, "%s", "");
  say_call(e, f, a->cases[i].arguments);
  exam_say_expected(e, "%s", show_value(expected, sizeof expected, f->kind, a->cases[i].expected));
  exam_say_got(e, "%s", show_value(got, sizeof got, f->kind, value_of(f->kind, a->got[i])));
  if (f->kind == VALUE_MASK) exam_say_masks(e, (uint32_t)a->cases[i].expected, a->got[i]);
  exam_say_hint(e, recognise(a));
}

static void compare(Exam *e, const Answers *a) {
  size_t wrong = first_mismatch(a);
  if (wrong == a->count) return;
  if (all_unwritten(a))
    exam_unwritten(e, "%s is not written yet", a->function->name);
  else
    say_mismatch(e, a, wrong);
  exam_say_function(e, a->function->name);
  exam_close_failure(e);
}

/* The table of cases and f->right must agree: two witnesses for what is right. */
static void check_cases(Exam *e, const StudentFunction *f, const Case *cases, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (f->right(cases[i].arguments) != cases[i].expected)
      exam_broken(e, "case %zu of %s contradicts its rule", i, f->name);
}

bool exam_call(Exam *e, const char *name, const char *prototype, size_t count, const void *args,
               size_t stride, void *results) {
  gpu_result result = gpu_call(e->use.device, e->use.module, name, count, CALL_BLOCK, args, stride,
                               results, sizeof(uint32_t));
  if (result == GPU_OK) return true;
  if (result == GPU_BAD_INPUT) {
    exam_fail(e, "the grader cannot call %s: %s", name, gpu_last_error(e->use.device));
    exam_say_expected(e, "__device__ %s", prototype);
    exam_say_hint(e, "signature");
    exam_say_function(e, name);
  } else {
    exam_check(e, result);
  }
  exam_close_failure(e);
  return false;
}

/* The arguments alone, packed: what is expected must never come near the student's code, which
 * could declare more parameters than it was asked for. */
static int *pack_arguments(const StudentFunction *f, const Case *cases, size_t count) {
  size_t arity = (size_t)f->arity;
  int *packed = calloc(count * arity, sizeof *packed);
  for (size_t i = 0; packed && i < count; i++)
    memcpy(&packed[i * arity], cases[i].arguments, arity * sizeof *packed);
  return packed;
}

static void call_function(Exam *e, const StudentFunction *f, const Case *cases, const int *packed,
                          uint32_t *got, size_t count) {
  memset(got, 0x5a, count * sizeof *got);
  if (exam_call(e, f->name, f->prototype, count, packed, (size_t)f->arity * sizeof *packed, got))
    compare(e, &(Answers){f, cases, got, count});
}

void exam_function(Exam *e, const StudentFunction *f, const Case *cases, size_t count) {
  check_cases(e, f, cases, count);
  if (exam_failed(e) || count == 0) return;
  uint32_t *got = calloc(count, sizeof *got);
  int *packed = pack_arguments(f, cases, count);
  if (got && packed)
    call_function(e, f, cases, packed, got, count);
  else
    exam_broken(e, "out of memory");
  free(packed);
  free(got);
}

void exam_function_of(Exam *e, const StudentFunction *f, int (*arguments)[ARGUMENTS_MAX],
                      size_t count) {
  Case *cases = calloc(count ? count : 1, sizeof *cases);
  if (!cases) {
    exam_broken(e, "out of memory");
    return;
  }
  for (size_t i = 0; i < count; i++) {
    memcpy(cases[i].arguments, arguments[i], sizeof cases[i].arguments);
    cases[i].expected = f->right(cases[i].arguments);
  }
  exam_function(e, f, cases, count);
  free(cases);
}

/* ---- variables ------------------------------------------------------------------------------ */

bool exam_set_variable(Exam *e, const char *name, const char *declaration, const void *value,
                       size_t bytes) {
  gpu_ptr address;
  size_t size;
  gpu_result result = gpu_module_global(e->use.module, name, &address, &size);
  if (result == GPU_OK && size == bytes)
    return exam_check(e, gpu_memcpy_htod(e->use.device, address, value, bytes));
  exam_fail(e, "the variable %s is missing, or of another type", name);
  exam_say_expected(e, "%s", declaration);
  exam_say_hint(e, "signature");
  exam_close_failure(e);
  return false;
}

void exam_use_context(Exam *e, const char *context) { e->context = context; }

/* ---- predictions ---------------------------------------------------------------------------- */

/* The first such line, its number in *number. */
static const char *find_answer(const char *text, const char *name, uint32_t *number) {
  for (*number = 1; text; ++*number) {
    const char *value = answer_on_line(text, name);
    if (value) return value;
    text = strchr(text, '\n');
    if (text) text++;
  }
  return NULL;
}

static bool is_empty(const char *value) {
  return *value == '\0' || *value == '\r' || *value == '\n' || *value == '#';
}

/* A whole number, decimal or 0x…, and nothing after it but a comment. */
static bool read_answer(const char *value, int64_t *answer) {
  const char *digits = value + (*value == '-');
  bool hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
  if (!isdigit((unsigned char)*digits)) return false;
  char *end;
  errno = 0;
  *answer = strtoll(value, &end, hex ? 16 : 10);
  return errno == 0 && is_empty(skip_blanks(end));
}

static const Json *first_number(const Exam *e) {
  const Json *numbers = json_get(e->test_request, "numbers");
  return numbers ? numbers->first : NULL;
}

/* The numbers that the question asks about; false, and said, when there are none. */
static bool read_numbers(Exam *e, const char *name, int numbers[NUMBERS_MAX]) {
  size_t count = 0;
  for (const Json *n = first_number(e); n && count < NUMBERS_MAX; n = n->next)
    numbers[count++] = (int)n->number;
  if (count == 0) exam_broken(e, "the lab's table has no numbers for %s", name);
  return count > 0;
}

/* " with [16] [3]", so that a student sees when these are not the numbers of the file. */
static const char *numbers_in_words(Exam *e) {
  const char *words = first_number(e) ? " with" : "";
  for (const Json *n = first_number(e); n; n = n->next)
    words = arena_printf(e->arena, "%s [%.0f]", words, n->number);
  return words;
}

/* A prediction as it was given, and what there is to compare it with. */
typedef struct Prediction {
  const char *value; /* the text behind the `=` */
  uint32_t line;
  int64_t expected;
  const Mistake *mistakes;
  const int *numbers;
} Prediction;

static const char *recognise_answer(const Prediction *p, int64_t answer) {
  for (const Mistake *m = p->mistakes; m->hint; m++)
    if (m->value(p->numbers) == answer) return m->hint;
  return NULL;
}

static void compare_answer(Exam *e, const Prediction *p) {
  int64_t answer;
  int length = (int)strcspn(p->value, "\r\n");
  if (is_empty(p->value))
    exam_unwritten(e, "line %u of %s is still empty", p->line, ANSWERS_FILE);
  else if (!read_answer(p->value, &answer))
    exam_fail(e, "line %u of %s: '%.*s' is not a whole number", p->line, ANSWERS_FILE,
              length < 40 ? length : 40, p->value);
  else if (answer != p->expected) {
    exam_fail(e, "line %u of %s: %lld is not what happens%s", p->line, ANSWERS_FILE,
              (long long)answer, numbers_in_words(e));
    exam_say_hint(e, recognise_answer(p, answer));
  }
}

void exam_prediction(Exam *e, const char *name, int64_t (*right)(const int *numbers),
                     const Mistake *mistakes) {
  int numbers[NUMBERS_MAX] = {0};
  if (!read_numbers(e, name, numbers)) return;
  Prediction p = {.expected = right(numbers), .mistakes = mistakes, .numbers = numbers};
  size_t length;
  Text err = {0};
  char *text = read_file(ANSWERS_FILE, &length, &err);
  p.value = text ? find_answer(text, name, &p.line) : NULL;
  if (!text)
    exam_fail(e, "the file %s is missing; a copy of the empty one is in the lab's folder",
              ANSWERS_FILE);
  else if (!p.value)
    exam_fail(e, "%s has no line `%s = ...`", ANSWERS_FILE, name);
  else
    compare_answer(e, &p);
  exam_close_failure(e);
  free(text);
  text_free(&err);
}
