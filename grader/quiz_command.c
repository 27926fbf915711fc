/* quiz_command.c - `grade quiz [CHAPTER [QUESTION]]`: asks the questions of a chapter, with numbers
 * that follow from a seed, and checks the answers against the simulator. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "options.h"
#include "quiz.h"
#include "result.h"

typedef struct Session {
  const Options *options;
  Quiz quiz;
  uint32_t seed;
  size_t asked, right;
  bool ended; /* no more answers come */
  Text json;
} Session;

static int list_quizzes(const Course *course, Text *err) {
  size_t count;
  const char **slugs = quiz_list(course, &count);
  for (size_t i = 0; i < count; i++) {
    Quiz quiz;
    if (quiz_open(&quiz, course, slugs[i], err) != GPU_OK) return GRADE_ERROR;
    printf("  ./grade quiz %-14s %2zu questions\n", quiz.slug, quiz.count);
  }
  if (count == 0) printf("There is no quiz yet: chapters/quiz/ is empty.\n");
  return GRADE_FULL;
}

/* The next line of what is typed, without its end; NULL when nothing comes any more. */
static const char *read_line(Session *s) {
  char *line = NULL;
  size_t capacity = 0;
  ssize_t length = s->ended ? -1 : getline(&line, &capacity, stdin);
  const char *copy = NULL;
  if (length >= 0) copy = arena_strndup(s->quiz.arena, line, strcspn(line, "\r\n"));
  s->ended = length < 0;
  free(line);
  return copy;
}

static void note_json(Session *s, const Question *q, const char *given, bool right) {
  json_open(&s->json, NULL, '{');
  json_add_string(&s->json, "name", q->name);
  json_add_string(&s->json, "question", q->ask);
  json_add_string(&s->json, "given", given);
  json_add_bool(&s->json, "right", right);
  json_close(&s->json, '}');
}

static void show_verdict(const Question *q, const char *given, bool right) {
  if (!isatty(STDIN_FILENO)) printf("%s\n", given ? given : "(no answer)");
  if (right) {
    printf("   right\n\n");
    return;
  }
  printf("   wrong%s%s\n", *q->hint ? ": " : "", q->hint);
  printf("   the simulator knows: ./warpsim %s\n\n", q->run);
}

static gpu_result ask(Session *s, const Question *question, Text *err) {
  Question q;
  const char *answer;
  gpu_result result = quiz_draw(&q, &s->quiz, question, s->seed, err);
  if (result == GPU_OK) result = quiz_answer(&answer, &s->quiz, &q, err);
  if (result != GPU_OK) return result;
  const Options *o = s->options;
  s->asked++;
  if (!o->json) printf("%zu. %s\n", s->asked, q.ask);
  if (o->solution) {
    printf("   %s    (./warpsim %s)\n\n", answer, q.run);
    s->right++;
    return GPU_OK;
  }
  if (!o->json) printf("   > ");
  fflush(stdout);
  const char *given = read_line(s);
  bool right = given && quiz_right(answer, given);
  s->right += right;
  if (o->json)
    note_json(s, &q, given, right);
  else
    show_verdict(&q, given, right);
  return GPU_OK;
}

static void begin(Session *s) {
  if (s->options->json) {
    json_open(&s->json, NULL, '{');
    json_add_string(&s->json, "quiz", s->quiz.slug);
    json_add_number(&s->json, "seed", s->seed);
    json_open(&s->json, "questions", '[');
  } else {
    printf("Quiz %s, seed %u. The same again: ./grade quiz %s --seed %u\n\n", s->quiz.slug, s->seed,
           s->quiz.slug, s->seed);
  }
}

static void end(Session *s) {
  if (s->options->json) {
    json_close(&s->json, ']');
    json_add_number(&s->json, "score", (double)s->right);
    json_add_number(&s->json, "max", (double)s->asked);
    json_close(&s->json, '}');
    printf("%s\n", text_str(&s->json));
  } else if (!s->options->solution) {
    printf("Score: %zu/%zu\n", s->right, s->asked);
  }
  text_free(&s->json);
}

static gpu_result ask_all(Session *s, const char *only, Text *err) {
  gpu_result result = GPU_OK;
  for (size_t i = 0; i < s->quiz.count && result == GPU_OK; i++)
    if (!only || strcmp(s->quiz.questions[i].name, only) == 0)
      result = ask(s, &s->quiz.questions[i], err);
  if (result != GPU_OK || s->asked) return result;
  fail(err, "the quiz %s has no question '%s'\n  questions:", s->quiz.slug, only ? only : "");
  for (size_t i = 0; i < s->quiz.count; i++) text_add(err, " %s", s->quiz.questions[i].name);
  return GPU_BAD_INPUT;
}

int quiz_command(const Options *o, Course *course, Text *err) {
  if (o->word_count == 0) return list_quizzes(course, err);
  Session s = {.options = o, .seed = o->has_seed ? o->seed : (uint32_t)time(NULL) % 100000};
  gpu_result result = quiz_open(&s.quiz, course, o->words[0], err);
  if (result == GPU_OK) {
    begin(&s);
    result = ask_all(&s, o->word_count > 1 ? o->words[1] : NULL, err);
  }
  if (result != GPU_OK) {
    text_free(&s.json);
    return (int)status_of_result(result);
  }
  end(&s);
  return s.right == s.asked ? GRADE_FULL : GRADE_BELOW;
}
