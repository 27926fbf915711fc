/* tests/test_texts.c - tables, JSON and the search for a function: all that reads text. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../json.h"
#include "../lab.h"
#include "../report.h"
#include "../source.h"

/* ---- JSON ----------------------------------------------------------------------------------- */

static Arena *arena;
static void open_arena(void) { arena = arena_new(0); }
static void close_arena(void) { arena_free(arena); }

TestSuite(json, .init = open_arena, .fini = close_arena);
TestSuite(table, .init = open_arena, .fini = close_arena);
TestSuite(lab, .init = open_arena, .fini = close_arena);
TestSuite(source, .init = open_arena, .fini = close_arena);

static Json *parse(const char *text) { return json_parse(arena, text, strlen(text)); }

Test(json, what_is_written_is_read_back) {
  static const char nasty[] =
      "quote \" backslash \\ newline \n tab \t bell \a ]]> \xc3\xa9 </script>";
  Text t = {0};
  json_open(&t, NULL, '{');
  json_add_string(&t, "text", nasty);
  json_add_number(&t, "half", 0.5);
  json_add_bool(&t, "yes", true);
  json_add_null(&t, "nothing");
  json_open(&t, "list", '[');
  json_add_number(&t, NULL, 1);
  json_add_string(&t, NULL, "{");
  json_add_number(&t, NULL, 2);
  json_close(&t, ']');
  json_close(&t, '}');
  const Json *value = parse(t.data);
  cr_assert(value, "%s", t.data);
  cr_assert_str_eq(json_get_string(value, "text", ""), nasty);
  cr_assert(json_get_number(value, "half", 0) == 0.5 && json_get_bool(value, "yes", false));
  cr_assert(json_get(value, "nothing")->type == JSON_NULL);
  const Json *first = json_get(value, "list")->first;
  cr_assert(first->number == 1 && first->next->next->number == 2 && !first->next->next->next);
  text_free(&t);
}

Test(json, bytes_that_are_no_utf8_are_replaced) {
  Text t = {0};
  json_add_string(&t, NULL, "a\xff\xc0z");
  cr_assert_str_eq(json_get_string(parse("{\"a\":\"x\"}"), "a", ""), "x");
  cr_assert_str_eq(parse(t.data)->string, "a\xef\xbf\xbd\xef\xbf\xbdz");
  text_free(&t);
}

Test(json, escapes_are_understood) {
  const Json *value = parse(" { \"s\" : \"\\u00e9\\ud83d\\ude00\\/\\u0000\\ud800\" } ");
  cr_assert_str_eq(json_get_string(value, "s", ""),
                   "\xc3\xa9\xf0\x9f\x98\x80/\xef\xbf\xbd\xef\xbf\xbd");
}

Test(json, what_is_no_json_is_refused) {
  static const char *const wrong[] = {"",
                                      "{",
                                      "{\"a\"}",
                                      "{\"a\":1,}",
                                      "[1 2]",
                                      "nul",
                                      "tru",
                                      "\"open",
                                      "\"\\x\"",
                                      "1.5.2",
                                      "{} {}",
                                      "[1]x",
                                      "{a:1}",
                                      "+1",
                                      "\"a\nb\"",
                                      "\"\\u12\"",
                                      "{\"a\":1 \"b\":2}"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    cr_expect(!parse(wrong[i]), "'%s' was read", wrong[i]);
}

Test(json, deep_nesting_is_refused) {
  char deep[4001];
  memset(deep, '[', 4000);
  deep[4000] = '\0';
  cr_assert(!parse(deep));
}

/* ---- tables --------------------------------------------------------------------------------- */

static const char *write_table(const char *text) {
  char *path = arena_printf(arena, "/tmp/grader-table-XXXXXX");
  int fd = mkstemp(path);
  cr_assert(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
  close(fd);
  return path;
}

static gpu_result read_text(TableFile *file, const char *text, Text *err) {
  const char *path = write_table(text);
  gpu_result result = table_read(file, arena, path, err);
  unlink(path);
  return result;
}

Test(table, an_empty_line_ends_it_and_comments_are_skipped) {
  TableFile file;
  Text err = {0};
  const Table *t;
  cr_assert(read_text(&file, "# c\na\tb\n1\t-\n# c\n2\tx y\r\n\n\nc\n7\n", &err) == GPU_OK);
  cr_assert(file.count == 2 && table_find(&t, &file, "a", &err) == GPU_OK && t->row_count == 2);
  cr_assert_str_eq(t->rows[0].cells[1], "");
  cr_assert_str_eq(t->rows[1].cells[1], "x y");
  cr_assert(t->rows[1].line == 5);
  cr_assert(table_find(&t, &file, "d", &err) == GPU_BAD_INPUT && strstr(err.data, "'d'"));
  text_free(&err);
}

Test(table, a_row_of_another_length_is_named_with_its_line) {
  TableFile file;
  Text err = {0};
  cr_assert(read_text(&file, "a\tb\n1\t2\n1\t2\t3\n", &err) == GPU_BAD_INPUT);
  cr_assert(strstr(err.data, ":3: error: the row has 3 cells"), "%s", err.data);
  text_free(&err);
}

Test(table, a_cell_that_is_no_number_is_named) {
  static const char *const wrong[] = {"-1", "x", "1x", "4294967296", "99999999999999999999", ""};
  Text err = {0};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    const char *columns[] = {"points"}, *cells[] = {wrong[i]};
    Table t = {.path = "t.tsv", .columns = columns, .column_count = 1};
    uint32_t value;
    cr_expect(table_number(&value, &t, &(TableRow){4, cells}, 0, &err) == GPU_BAD_INPUT);
    cr_expect(strstr(err.data, "t.tsv:4: error: points is"), "%s", err.data);
  }
  text_free(&err);
}

/* ---- labs ----------------------------------------------------------------------------------- */

#define FACTS "lab\tvalue\ntitle\tT\nfiles\ta.cu b.txt\n\n"
#define TESTS "test\tcategory\tpoints\thidden\tseeds\thint\ttitle\n"
#define HINTS "\nhint\ttext\tmore\nh\tdo it\t-\n"

/* Loads a lab that is described by this text; the message, "" when all is well. */
static const char *load(Lab *lab, const char *text) {
  char *folder = arena_printf(arena, "/tmp/grader-lab-XXXXXX");
  cr_assert(mkdtemp(folder));
  const char *path = arena_printf(arena, "%s/tests.tsv", folder);
  FILE *out = fopen(path, "w");
  cr_assert(out && fputs(text, out) >= 0 && fclose(out) == 0);
  Course course = {.arena = arena, .key = "k"};
  Text err = {0};
  *lab = (Lab){.slug = "s", .path = folder};
  gpu_result result = lab_load(lab, &course, &err);
  cr_assert(result == GPU_OK || result == GPU_INTERNAL, "a broken table is the grader's fault");
  unlink(path);
  rmdir(folder);
  const char *message = result == GPU_OK ? "" : arena_strndup(arena, text_str(&err), err.length);
  text_free(&err);
  return message;
}

Test(lab, a_table_is_read) {
  Lab lab;
  cr_assert_str_eq(load(&lab, FACTS TESTS "t\tc\t3\tyes\t7,8\th\tA test\n" HINTS), "");
  const TestSpec *t = lab_test(&lab, "t");
  cr_assert(t && t->points == 3 && t->hidden && t->seed_count == 2 && t->seeds[1] == 8);
  cr_assert(lab.file_count == 2 && strcmp(lab.files[1], "b.txt") == 0);
  cr_assert(strcmp(lab_hint(&lab, "h")->text, "do it") == 0 && !lab_hint(&lab, "g"));
}

Test(lab, seeds_of_the_key_are_the_same_every_time_and_differ_by_test) {
  Lab a, b;
  static const char text[] = FACTS TESTS "t\tc\t3\t-\tkey:2\th\tA\nu\tc\t3\t-\tkey:2\th\tB\n" HINTS;
  load(&a, text);
  load(&b, text);
  cr_assert(a.tests[0].seed_count == 2 && a.tests[0].seeds[0] == b.tests[0].seeds[0]);
  cr_assert(a.tests[0].seeds[0] != a.tests[0].seeds[1]);
  cr_assert(a.tests[0].seeds[0] != a.tests[1].seeds[0]);
}

Test(lab, what_is_wrong_in_a_table_is_said_with_its_line) {
  static const char *const wrong[][2] = {
      {"t\tc\tx\t-\t-\th\tA\n", ":6: error: points is 'x'"},
      {"t\tc\t3\tno\t-\th\tA\n", ":6: error: hidden is 'yes' or '-'"},
      {"t\tc\t3\t-\t1;2\th\tA\n", ":6: error: the seeds are"},
      {"t\tc\t3\t-\tkey:99\th\tA\n", ":6: error: the seeds are"},
      {"t\tc\t3\t-\t-\tg\tA\n", ":6: error: there is no hint 'g'"},
      {"t\tc\t3\t-\t-\th\tA\nt\tc\t3\t-\t-\th\tA\n", ":7: error: there is a test 't' already"},
      {"", ":5: error: the lab has no tests"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    Lab lab;
    const char *message = load(&lab, arena_printf(arena, FACTS TESTS "%s" HINTS, wrong[i][0]));
    cr_expect(strstr(message, wrong[i][1]), "%s is not in: %s", wrong[i][1], message);
  }
}

Test(lab, one_without_title_or_hints_is_refused) {
  Lab lab;
  cr_expect(strstr(load(&lab, "lab\tvalue\nfiles\ta\n\n" TESTS HINTS), "needs a title"));
  cr_expect(strstr(load(&lab, FACTS TESTS "t\tc\t3\t-\t-\th\tA\n"), "no table 'hint'"));
  cr_expect(
      strstr(load(&lab, "lab\tvalue\ncolour\tred\n\n" TESTS HINTS), "'colour' is not one of"));
}

/* ---- a function in a source ------------------------------------------------------------------ */

Test(source, the_only_return_is_the_line) {
  cr_assert(source_function_line("int f(int a) {\n  int b = 1;\n  return a;\n}\n", "f") == 3);
}

Test(source, several_returns_show_the_name) {
  cr_assert(source_function_line("\nint f(int a)\n{\n  if (a) return 1;\n  return a;\n}", "f") ==
            2);
}

Test(source, comments_strings_calls_and_declarations_are_passed_over) {
  static const char text[] = "// int f() { return 0; }\n"
                             "/* int f() { return 0; } */\n"
                             "const char *s = \"int f() { return \\\" 0; }\";\n"
                             "int f(int a);\n"
                             "int g() { return f(1); }\n"
                             "int f(int a) { return a; }\n";
  cr_assert(source_function_line(text, "f") == 6);
}

Test(source, a_line_directive_changes_nothing) {
  cr_assert(source_function_line("#line 70 \"/etc/passwd\"\nint f() { return 1; }\n", "f") == 2);
}

Test(source, what_is_not_there_or_not_finished_is_no_line) {
  cr_assert(source_function_line("", "f") == 0);
  cr_assert(source_function_line("int f(", "f") == 0);
  cr_assert(source_function_line("/* int f() {", "f") == 0);
  cr_assert(source_function_line("\"", "f") == 0);
  cr_assert(source_function_line("int f() {", "f") == 1);
}

Test(source, a_line_is_trimmed_and_cut) {
  char text[1000];
  memset(text, 'x', 999);
  text[999] = '\0';
  cr_assert_str_eq(source_line_text(arena, "a\n \tb c \r\nd", 2), "b c");
  cr_assert(strlen(source_line_text(arena, text, 1)) < 200);
  cr_assert(!source_line_text(arena, "a\n", 7) && !source_line_text(arena, "a", 0));
}

/* ---- text from strangers --------------------------------------------------------------------- */

Test(report, foreign_text_cannot_move_the_cursor) {
  Text t = {0};
  report_foreign(&t, 2,
                 "a\033[2Jb\rc\td\xff\xe2\x80\xae"
                 "e\n\nlast\xc2\x9b");
  cr_assert_str_eq(t.data, "  a?[2Jb?c d????e\n\n  last??\n");
  text_free(&t);
}
