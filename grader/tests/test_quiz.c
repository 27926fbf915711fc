/* tests/test_quiz.c - quizzes: what a seed chooses, what counts as right, and `grade quiz`. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../quiz.h"
#include "run.h"

static Arena *arena;
static void open_arena(void) { arena = arena_new(0); }
static void close_arena(void) { arena_free(arena); }

TestSuite(quiz, .init = open_arena, .fini = close_arena);

/* ---- what counts as right ------------------------------------------------------------------- */

Test(quiz, numbers_are_compared_as_numbers) {
  cr_expect(quiz_right("9", "9") && quiz_right("9", " 9 ") && quiz_right("9", "0x9"));
  cr_expect(quiz_right("0x0000003f", "0x3F") && quiz_right("0x0000003f", "63"));
  cr_expect(!quiz_right("9", "10") && !quiz_right("9", "") && !quiz_right("9", "9 9"));
  cr_expect(!quiz_right("9", "nine") && !quiz_right("9", "nan") && !quiz_right("9", "9x"));
}

Test(quiz, percentages_and_fractions_have_some_room) {
  cr_expect(quiz_right("94.8%", "94.8") && quiz_right("94.8%", "94.79 ") &&
            quiz_right("50.0%", "50%"));
  cr_expect(!quiz_right("94.8%", "95") && !quiz_right("94.8%", "0.948"));
  cr_expect(quiz_right("0.3333", "0.3330") && !quiz_right("0.3333", "0.34"));
}

Test(quiz, words_and_lists) {
  cr_expect(quiz_right("registers", "Registers") && !quiz_right("registers", "register"));
  cr_expect(quiz_right("0 1 2", "0, 1, 2") && quiz_right("warps,registers", "warps registers"));
  cr_expect(!quiz_right("0 1 2", "0 1") && !quiz_right("0 1", "0 1 2") &&
            !quiz_right("0 1", "1 0"));
}

/* ---- parts of the JSON ---------------------------------------------------------------------- */

static const Json *pick(const char *path) {
  static const char text[] = "{\"a\":[{\"b\":1},{\"b\":2},{\"b\":3}],\"c\":{\"d\":4}}";
  return quiz_pick(json_parse(arena, text, sizeof text - 1), path);
}

Test(quiz, a_path_leads_to_a_part) {
  cr_expect(pick("a[0].b")->number == 1 && pick("a[-1].b")->number == 3);
  cr_expect(pick("a[-3].b")->number == 1 && pick("c.d")->number == 4);
  static const char *const nowhere[] = {"a[3]", "a[-4]", "a.b",     "c[0]", "x",
                                        "a[",   "a[x]",  "a[0]..b", "c.d.e"};
  for (size_t i = 0; i < sizeof nowhere / sizeof *nowhere; i++)
    cr_expect(pick(nowhere[i]) == NULL, "%s leads somewhere", nowhere[i]);
}

/* ---- what a seed chooses -------------------------------------------------------------------- */

static Quiz quiz_of_tests(void) { return (Quiz){.arena = arena, .path = "q.tsv", .root = "."}; }

static Question drawn(const char *vary, const char *ask, uint32_t seed) {
  Quiz quiz = quiz_of_tests();
  Text err = {0};
  Question q, given = {.name = "n", .vary = vary, .ask = ask, .run = "", .get = "", .hint = ""};
  cr_assert(quiz_draw(&q, &quiz, &given, seed, &err) == GPU_OK, "%s", text_str(&err));
  return q;
}

Test(quiz, a_seed_chooses_again_what_it_chose) {
  const char *vary = "b=33..1024 s=8,8|16,4", *ask = "{b} threads, {s}, {b}";
  cr_expect_str_eq(drawn(vary, ask, 7).ask, drawn(vary, ask, 7).ask);
  size_t different = 0;
  for (uint32_t seed = 0; seed < 20; seed++)
    different += strcmp(drawn(vary, ask, seed).ask, drawn(vary, ask, 7).ask) != 0;
  cr_expect(different >= 18);
}

Test(quiz, every_value_of_a_range_comes_and_no_other) {
  bool seen[4] = {false};
  for (uint32_t seed = 0; seed < 200; seed++) {
    int value = -1;
    cr_assert(sscanf(drawn("w=32..128/32", "{w}", seed).ask, "%d", &value) == 1);
    cr_assert(value >= 32 && value <= 128 && value % 32 == 0, "%d", value);
    seen[value / 32 - 1] = true;
  }
  cr_expect(seen[0] && seen[1] && seen[2] && seen[3]);
}

static void expect_bad(const char *vary, const char *ask, const char *message) {
  Quiz quiz = quiz_of_tests();
  Text err = {0};
  Question q,
      given = {.name = "n", .vary = vary, .ask = ask, .run = "", .get = "", .hint = "", .line = 3};
  cr_expect(quiz_draw(&q, &quiz, &given, 1, &err) == GPU_BAD_INPUT, "%s is fine", vary);
  cr_expect(strstr(text_str(&err), message) && strstr(text_str(&err), "q.tsv:3:"), "%s",
            text_str(&err));
  text_free(&err);
}

Test(quiz, what_is_wrong_in_a_question_is_named) {
  expect_bad("b", "", "vary wants NAME=VALUES: 'b'");
  expect_bad("a=1 =2", "", "vary wants NAME=VALUES: '=2'");
  expect_bad("b=", "", "vary wants NAME=VALUES");
  expect_bad("b=1..2", "{c} threads", "vary does not name what is in braces: '{c'");
  expect_bad("a=1 b=1 c=1 d=1 e=1 f=1 g=1 h=1 i=1", "", "too many names");
}

/* ---- the command ---------------------------------------------------------------------------- */

/* What the next program of this test reads. */
static void type(const char *text) {
  int ends[2];
  cr_assert(pipe(ends) == 0 && write(ends[1], text, strlen(text)) == (ssize_t)strlen(text));
  close(ends[1]);
  cr_assert(dup2(ends[0], STDIN_FILENO) >= 0);
}

Test(quiz_command, right_and_wrong_answers_are_told_apart) {
  GradeRun answers = RUN("quiz", "partition", "warps", "--seed", "5", "--solution");
  expect_status(&answers, 0);
  expect_text(&answers, "How many warps does a block of 807 threads have?\n   26 ");
  type("26\n");
  GradeRun right = RUN("quiz", "partition", "warps", "--seed", "5");
  expect_status(&right, 0);
  expect_text(&right, "Score: 1/1");
  expect_no_text(&right, "wrong");
  type("25\n");
  GradeRun wrong = RUN("quiz", "01-partition", "warps", "--seed", "5");
  expect_status(&wrong, 1);
  expect_text(&wrong, "wrong: divide by 32 and round up");
  expect_text(&wrong, "./warpsim warps --block 807");
  expect_no_text(&wrong, "26");
  expect_text(&wrong, "Score: 0/1");
  run_end(&answers);
  run_end(&right);
  run_end(&wrong);
}

Test(quiz_command, answers_that_do_not_come_are_wrong) {
  type("26\n");
  GradeRun run = RUN("quiz", "1", "--seed", "5", "--json");
  expect_status(&run, 1);
  cr_assert(run.json);
  cr_expect(json_get_number(run.json, "score", -1) == 1);
  cr_expect(json_get_number(run.json, "max", -1) > 5);
  cr_expect(json_get(json_get(run.json, "questions")->first->next, "given")->type == JSON_NULL);
  run_end(&run);
}

Test(quiz_command, bad_words_are_explained) {
  GradeRun chapter = RUN("quiz", "partitoin"), question = RUN("quiz", "partition", "wraps");
  expect_status(&chapter, 2);
  expect_text(&chapter, "did you mean 'partition'?");
  expect_status(&question, 2);
  expect_text(&question, "questions: warps idle");
  run_end(&chapter);
  run_end(&question);
}

Test(quiz_command, the_quizzes_are_listed) {
  GradeRun run = RUN("quiz");
  expect_status(&run, 0);
  expect_text(&run, "./grade quiz partition");
  run_end(&run);
}

/* A course of its own with one quiz. */
static GradeRun run_own(char *folder, size_t size, const char *row) {
  make_folder(folder, size);
  char path[256], text[512];
  snprintf(path, sizeof path, "mkdir -p %s/chapters/quiz %s/labs", folder, folder);
  cr_assert(system(path) == 0);
  snprintf(path, sizeof path, "%s/chapters/quiz", folder);
  snprintf(text, sizeof text, "quiz\tlevel\tvary\task\trun\tget\tas\thint\n%s\n", row);
  put_file(path, "03-own.tsv", text);
  setenv("WARPBOOK_ROOT", folder, 1);
  GradeRun run = RUN("quiz", "own", "--solution");
  snprintf(path, sizeof path, "rm -r %s", folder);
  cr_assert(system(path) == 0);
  return run;
}

static void expect_own(const char *row, int status, const char *text) {
  char folder[64];
  GradeRun run = run_own(folder, sizeof folder, row);
  expect_status(&run, status);
  expect_text(&run, text);
  run_end(&run);
}

Test(quiz_command, a_bad_row_is_located) {
  expect_own("a\t1\t-\tWhat?\twarps --block 40\twarps\t-\t-", 0, "1. What?\n   2 ");
  expect_own("a\t1\t-\tWhat?\twarps --block 40\tblock\t-\t-", 0, "   40 1 1 ");
  expect_own("a\t1\t-\tWhat?\twarps --block 40\tidle\thex\t-", 0, "   0x00000018 ");
  expect_own("a\t4\t-\tWhat?\twarps --block 40\twarps\t-\t-", 2, "03-own.tsv:2: error: level is 4");
  expect_own("a\t1\t-\tWhat?\twarps --block 40\twarps\toctal\t-", 2, "as is 'octal'");
  expect_own("a\t1\t-\t-\twarps --block 40\twarps\t-\t-", 2, "must not be empty");
  expect_own("a\t1\t-\tWhat?\twarps --block 40\twraps\t-\t-", 2,
             "warpsim warps --block 40 has no wraps");
  expect_own("a\t1\t-\tWhat?\twarps --block 5000\twarps\t-\t-", 2,
             "status 2: warpsim warps: error:");
  expect_own("a\t1\t-\tWhat?", 2, "the row has 4 cells");
}
