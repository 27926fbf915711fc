/* junit.c - results as JUnit's XML, which every CI system can show. */
#include "classbook.h"
#include "clean.h"

static void attribute(Text *out, const char *name, const char *value) {
  text_add(out, " %s=\"", name);
  add_escaped(out, value);
  text_add(out, "\"");
}

static void add_case(Text *out, const LabResult *lab, const TestResult *t) {
  text_add(out, "    <testcase");
  attribute(out, "classname", lab->slug);
  attribute(out, "name", t->name);
  text_add(out, " time=\"%.3f\"", t->seconds);
  if (t->status == TEST_PASSED) {
    text_add(out, "/>\n");
    return;
  }
  text_add(out, ">\n      <%s",
           t->status == TEST_FAILED    ? "failure"
           : t->status == TEST_NOT_RUN ? "skipped"
                                       : "error");
  attribute(out, "message", t->status == TEST_FAILED && t->hint ? t->hint : t->title);
  text_add(out, ">");
  if (!t->hidden) add_escaped(out, t->call ? t->call : t->message);
  if (!t->hidden && t->expected) text_add(out, "\nexpected ");
  if (!t->hidden) add_escaped(out, t->expected);
  if (!t->hidden && t->got) text_add(out, "\ngot ");
  if (!t->hidden) add_escaped(out, t->got);
  text_add(out, "</%s>\n    </testcase>\n",
           t->status == TEST_FAILED    ? "failure"
           : t->status == TEST_NOT_RUN ? "skipped"
                                       : "error");
}

static size_t count(const LabResult *lab, TestStatus status) {
  size_t n = 0;
  for (size_t i = 0; i < lab->test_count; i++) n += lab->tests[i].status == status;
  return n;
}

static void add_suite(Text *out, const char *student, const LabResult *lab) {
  text_add(out, "  <testsuite");
  attribute(out, "name", lab->slug);
  attribute(out, "package", student);
  text_add(out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" time=\"%.3f\">\n",
           lab->test_count, count(lab, TEST_FAILED), count(lab, TEST_GRADER_ERROR),
           count(lab, TEST_NOT_RUN), lab->seconds);
  for (size_t i = 0; i < lab->test_count; i++) add_case(out, lab, &lab->tests[i]);
  if (lab->message) {
    text_add(out, "    <system-err>");
    add_escaped(out, lab->message);
    text_add(out, "</system-err>\n");
  }
  text_add(out, "  </testsuite>\n");
}

static void add_suites(Text *out, const char *student, const Submission *s) {
  for (size_t i = 0; i < s->lab_count; i++) add_suite(out, student, &s->labs[i]);
}

#define HEAD "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"

void submission_junit(Text *out, const Submission *s) {
  text_add(out, HEAD);
  add_suites(out, s->name, s);
  text_add(out, "</testsuites>\n");
}

void classbook_junit(Text *out, const ClassBook *book) {
  text_add(out, HEAD);
  for (size_t i = 0; i < book->count; i++)
    add_suites(out, book->students[i].handin->name, &book->students[i].result);
  text_add(out, "</testsuites>\n");
}
