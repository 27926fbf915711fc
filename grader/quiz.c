/* quiz.c - reads a chapter's quiz, draws variants of its questions, and judges answers. */
#include "quiz.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

#include "files.h"
#include "fnv.h"

/* ---- the files ------------------------------------------------------------------------------ */

static int by_name(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The names of the files without .tsv, "01-partition", sorted. */
static const char **list_folders(const Course *course, size_t *count) {
  const char **names = NULL;
  size_t capacity = 0;
  *count = 0;
  DIR *dir = opendir(arena_printf(course->arena, "%s/chapters/quiz", course->root));
  for (struct dirent *entry; dir && (entry = readdir(dir));) {
    size_t length = strlen(entry->d_name);
    if (length < 5 || strcmp(entry->d_name + length - 4, ".tsv") != 0) continue;
    ARENA_GROW(course->arena, names, *count, capacity);
    names[(*count)++] = arena_strndup(course->arena, entry->d_name, length - 4);
  }
  if (dir) closedir(dir);
  if (*count) qsort(names, *count, sizeof *names, by_name);
  return names;
}

static const char *slug_of(const char *name) {
  const char *hyphen = strchr(name, '-');
  return hyphen ? hyphen + 1 : name;
}

const char **quiz_list(const Course *course, size_t *count) {
  const char **names = list_folders(course, count);
  for (size_t i = 0; i < *count; i++) names[i] = slug_of(names[i]);
  return names;
}

static bool is_named(const char *name, const char *word) {
  char *end;
  long number = strtol(word, &end, 10);
  bool by_number = *word && *end == '\0' && number == strtol(name, NULL, 10);
  return by_number || strcmp(word, name) == 0 || strcmp(word, slug_of(name)) == 0;
}

static gpu_result find_quiz(const char **name, const Course *course, const char *word, Text *err) {
  size_t count;
  const char **names = list_folders(course, &count);
  for (size_t i = 0; i < count; i++) {
    *name = names[i];
    if (is_named(names[i], word)) return GPU_OK;
  }
  fail(err, "there is no quiz '%s'", word);
  for (size_t i = 0; i < count; i++) names[i] = slug_of(names[i]);
  if (count) text_suggest(err, span_str(word), names, count, sizeof *names);
  text_add(err, "\n  quizzes:");
  for (size_t i = 0; i < count; i++) text_add(err, " %s", names[i]);
  return GPU_BAD_INPUT;
}

enum { NAME, LEVEL, VARY, ASK, RUN, GET, AS, HINT, COLUMNS };

static gpu_result read_question(Question *q, const Table *t, const size_t *at, const TableRow *row,
                                Text *err) {
  const char **c = row->cells;
  *q = (Question){.name = c[at[NAME]],
                  .vary = c[at[VARY]],
                  .ask = c[at[ASK]],
                  .run = c[at[RUN]],
                  .get = c[at[GET]],
                  .as = c[at[AS]],
                  .hint = c[at[HINT]],
                  .line = row->line};
  if (!*q->name || !*q->ask || !*q->run || !*q->get)
    return table_fail(err, t, row->line, "quiz, ask, run and get must not be empty");
  if (*q->as && strcmp(q->as, "hex") != 0 && strcmp(q->as, "percent") != 0)
    return table_fail(err, t, row->line, "as is '%s', not -, hex or percent", q->as);
  gpu_result result = table_number(&q->level, t, row, at[LEVEL], err);
  if (result == GPU_OK && (q->level < 1 || q->level > 3))
    return table_fail(err, t, row->line, "level is %u, not 1, 2 or 3", q->level);
  return result;
}

gpu_result quiz_open(Quiz *quiz, const Course *course, const char *word, Text *err) {
  static const char *const names[COLUMNS] = {"quiz", "level", "vary", "ask",
                                             "run",  "get",   "as",   "hint"};
  const char *name;
  TableFile file;
  const Table *t;
  size_t at[COLUMNS];
  gpu_result result = find_quiz(&name, course, word, err);
  if (result != GPU_OK) return result;
  *quiz = (Quiz){.arena = course->arena, .slug = slug_of(name), .root = course->root};
  quiz->path = arena_printf(course->arena, "%s/chapters/quiz/%s.tsv", course->root, name);
  result = table_read(&file, course->arena, quiz->path, err);
  if (result == GPU_OK) result = table_find(&t, &file, "quiz", err);
  for (size_t c = 0; c < COLUMNS && result == GPU_OK; c++)
    result = table_column(&at[c], t, names[c], err);
  if (result != GPU_OK) return result;
  quiz->questions = ARENA_ARRAY(course->arena, Question, t->row_count + 1);
  for (; quiz->count < t->row_count && result == GPU_OK; quiz->count++)
    result = read_question(&quiz->questions[quiz->count], t, at, &t->rows[quiz->count], err);
  return result;
}

/* ---- variants ------------------------------------------------------------------------------- */

typedef struct Variable {
  Span name;
  const char *value;
} Variable;

typedef struct Draw {
  const Quiz *quiz;
  const Question *question;
  uint32_t seed;
  Variable variables[QUIZ_VARIABLES];
  size_t count;
  Text *err;
} Draw;

static gpu_result bad_row(const Draw *d, const char *what, Span part) {
  return fail(d->err, "%s:%u: error: %s: '%.*s'", d->quiz->path, d->question->line, what,
              SPAN(part));
}

/* A number below n that follows from the seed, the question and the variable. */
static uint64_t choose(const Draw *d, Span name, uint64_t n) {
  uint64_t h = fnv_bytes(FNV_START, &d->seed, sizeof d->seed);
  h = fnv_bytes(h, d->question->name, strlen(d->question->name) + 1);
  h = fnv_bytes(h, name.at, name.length);
  h = (h ^ (h >> 33)) * 0xff51afd7ed558ccdu; /* so that all bits depend on all */
  return (h ^ (h >> 33)) % n;
}

/* "33..1024" or "32..1024/32"; false when it is no range. */
static bool choose_number(Draw *d, Variable *v, Span values) {
  char text[64];
  unsigned long from, to, step = 1;
  int end = 0;
  if (values.length >= sizeof text) return false;
  snprintf(text, sizeof text, "%.*s", SPAN(values));
  if (sscanf(text, "%lu..%lu%n/%lu%n", &from, &to, &end, &step, &end) < 2) return false;
  if (text[end] || step == 0 || to < from) return false;
  unsigned long choice = from + step * choose(d, v->name, (to - from) / step + 1);
  v->value = arena_printf(d->quiz->arena, "%lu", choice);
  return true;
}

static void choose_word(Draw *d, Variable *v, Span values) {
  uint64_t count = 1;
  for (size_t i = 0; i < values.length; i++) count += values.at[i] == '|';
  const char *at = values.at, *end = values.at + values.length;
  for (uint64_t skip = choose(d, v->name, count); skip > 0; at++) skip -= *at == '|';
  const char *bar = memchr(at, '|', (size_t)(end - at));
  v->value = arena_strndup(d->quiz->arena, at, (size_t)((bar ? bar : end) - at));
}

static gpu_result draw_variables(Draw *d) {
  for (const char *at = d->question->vary; *at;) {
    Span word = span_of(at, strcspn(at, " "));
    const char *equals = memchr(word.at, '=', word.length);
    if (!equals || equals == word.at || equals + 1 == word.at + word.length)
      return bad_row(d, "vary wants NAME=VALUES", word);
    if (d->count == QUIZ_VARIABLES)
      return bad_row(d, "vary has too many names, from here on", word);
    Variable *v = &d->variables[d->count++];
    v->name = span_of(word.at, (size_t)(equals - word.at));
    Span values = span_of(equals + 1, word.length - v->name.length - 1);
    if (!choose_number(d, v, values)) choose_word(d, v, values);
    at += word.length;
    while (*at == ' ') at++;
  }
  return GPU_OK;
}

/* Replaces {name} by the choice. */
static gpu_result replace(const char **cell, const Draw *d) {
  Text out = {0};
  gpu_result result = GPU_OK;
  for (const char *at = *cell; *at && result == GPU_OK;) {
    size_t plain = strcspn(at, "{"), length = strcspn(at + plain, "}");
    text_bytes(&out, at, plain);
    at += plain;
    if (!*at) break;
    const char *value = NULL;
    for (size_t i = 0; i < d->count; i++) {
      Span name = d->variables[i].name;
      if (name.length == length - 1 && strncmp(name.at, at + 1, name.length) == 0)
        value = d->variables[i].value;
    }
    if (value)
      text_add(&out, "%s", value);
    else
      result = bad_row(d, "vary does not name what is in braces", span_of(at, length));
    at += length + (at[length] == '}');
  }
  *cell = arena_strndup(d->quiz->arena, text_str(&out), out.length);
  text_free(&out);
  return result;
}

gpu_result quiz_draw(Question *drawn, const Quiz *quiz, const Question *question, uint32_t seed,
                     Text *err) {
  Draw d = {.quiz = quiz, .question = question, .seed = seed, .err = err};
  *drawn = *question;
  const char **cells[] = {&drawn->ask, &drawn->run, &drawn->get, &drawn->hint};
  gpu_result result = draw_variables(&d);
  for (size_t i = 0; i < sizeof cells / sizeof *cells && result == GPU_OK; i++)
    result = replace(cells[i], &d);
  return result;
}

/* ---- the answer ----------------------------------------------------------------------------- */

enum { WORDS_MAX = 64 };

/* "run a.cu --block 48" as the words of a call. */
static void split_words(const char *argv[WORDS_MAX], Arena *arena, const char *program,
                        const char *run) {
  int count = 0;
  argv[count++] = program;
  while (*run && count < WORDS_MAX - 2) {
    size_t length = strcspn(run, " ");
    if (length) argv[count++] = arena_strndup(arena, run, length);
    run += length + (run[length] == ' ');
  }
  argv[count++] = "--json";
  argv[count] = NULL;
}

/* Reads all that a program prints; its exit status, or -1. */
static int run_program(const char *const argv[], const char *folder, Text *out) {
  int ends[2];
  if (pipe(ends) != 0) return -1;
  pid_t child = fork();
  if (child == 0) {
    if (chdir(folder) != 0 || dup2(ends[1], STDOUT_FILENO) < 0 || dup2(ends[1], STDERR_FILENO) < 0)
      _exit(127);
    close(ends[0]);
    close(ends[1]);
    execv(argv[0], (char *const *)argv);
    _exit(127);
  }
  close(ends[1]);
  char buffer[4096];
  for (ssize_t n; child > 0 && (n = read(ends[0], buffer, sizeof buffer)) > 0;)
    text_bytes(out, buffer, (size_t)n);
  close(ends[0]);
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}

static const Json *member(const Json *value, const char *name, size_t length) {
  for (const Json *m = value->type == JSON_OBJECT ? value->first : NULL; m; m = m->next)
    if (strlen(m->key) == length && strncmp(m->key, name, length) == 0) return m;
  return NULL;
}

static const Json *element(const Json *value, long index) {
  if (value->type != JSON_ARRAY) return NULL;
  if (index < 0)
    for (const Json *m = value->first; m; m = m->next) index++;
  const Json *m = index < 0 ? NULL : value->first;
  for (; m && index > 0; m = m->next) index--;
  return m;
}

const Json *quiz_pick(const Json *value, const char *path) {
  while (value && *path) {
    if (*path == '[') {
      char *end;
      long index = strtol(path + 1, &end, 10);
      if (end == path + 1 || *end != ']') return NULL;
      value = element(value, index);
      path = end + 1;
    } else {
      path += *path == '.';
      size_t length = strcspn(path, ".[");
      value = length ? member(value, path, length) : NULL;
      path += length;
    }
  }
  return value;
}

static void add_value(Text *t, const Json *value, const char *as) {
  if (t->length) text_add(t, " ");
  if (value->type == JSON_STRING)
    text_add(t, "%s", value->string);
  else if (strcmp(as, "percent") == 0)
    text_add(t, "%.1f%%", 100 * value->number);
  else if (strcmp(as, "hex") == 0)
    text_add(t, "0x%08llx", (unsigned long long)value->number);
  else
    text_add(t, value->number == floor(value->number) ? "%.0f" : "%g", value->number);
}

static gpu_result show_value(const char **answer, const Quiz *quiz, const Question *q,
                             const Json *value, Text *err) {
  Text t = {0};
  if (value && value->type == JSON_ARRAY)
    for (const Json *m = value->first; m; m = m->next) add_value(&t, m, q->as);
  else if (value && (value->type == JSON_NUMBER || value->type == JSON_STRING))
    add_value(&t, value, q->as);
  *answer = arena_strndup(quiz->arena, text_str(&t), t.length);
  text_free(&t);
  if (**answer) return GPU_OK;
  return fail(err, "%s:%u: error: warpsim %s has no %s", quiz->path, q->line, q->run, q->get);
}

gpu_result quiz_answer(const char **answer, const Quiz *quiz, const Question *drawn, Text *err) {
  const char *argv[WORDS_MAX];
  Text out = {0};
  split_words(argv, quiz->arena, beside_program(quiz->arena, "warpsim"), drawn->run);
  int status = run_program(argv, quiz->root, &out);
  const Json *json = status == 0 ? json_parse(quiz->arena, text_str(&out), out.length) : NULL;
  gpu_result result;
  if (json)
    result = show_value(answer, quiz, drawn, quiz_pick(json, drawn->get), err);
  else
    result = fail(err, "%s:%u: error: warpsim %s: status %d: %s", quiz->path, drawn->line,
                  drawn->run, status, text_str(&out));
  text_free(&out);
  return result;
}

/* ---- judging -------------------------------------------------------------------------------- */

static bool number_of(Span word, double *value) {
  char text[64], *end;
  if (word.length == 0 || word.length >= sizeof text) return false;
  snprintf(text, sizeof text, "%.*s", SPAN(word));
  *value = strtod(text, &end);
  return end != text && *end == '\0' && isfinite(*value);
}

static bool cut_percent(Span *word) {
  if (word->length == 0 || word->at[word->length - 1] != '%') return false;
  word->length--;
  return true;
}

static bool word_right(Span answer, Span given) {
  bool percent = cut_percent(&answer);
  cut_percent(&given);
  double a, g;
  if (number_of(answer, &a)) {
    double allowed = percent ? 0.1 + 1e-9 : a == floor(a) ? 0 : fabs(a) / 100;
    return number_of(given, &g) && fabs(a - g) <= allowed;
  }
  return answer.length == given.length && strncasecmp(answer.at, given.at, answer.length) == 0;
}

static Span next_word(const char **at) {
  static const char between[] = " ,\t\r\n";
  *at += strspn(*at, between);
  Span word = span_of(*at, strcspn(*at, between));
  *at += word.length;
  return word;
}

bool quiz_right(const char *answer, const char *given) {
  for (;;) {
    Span a = next_word(&answer), g = next_word(&given);
    if (a.length == 0 || g.length == 0) return a.length == g.length;
    if (!word_right(a, g)) return false;
  }
}
