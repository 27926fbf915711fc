/* report.c - results for a person at a terminal. */
#include "report.h"

#include <math.h>
#include <string.h>

#include "clean.h"

enum { DETAIL_INDENT = 15, BAR_WIDTH = 20 };

/* ---- text ----------------------------------------------------------------------------------- */

typedef enum Ink { INK_GOOD, INK_BAD, INK_QUIET, INK_STRONG } Ink;

static void ink(Text *out, const ReportStyle *style, Ink colour, const char *text) {
  static const char *const codes[] = {"32", "1;31", "2", "1"};
  if (style->colour)
    text_add(out, "\033[%sm%s\033[0m", codes[colour], text);
  else
    text_add(out, "%s", text);
}

void report_foreign(Text *out, int indent, const char *text) {
  do {
    size_t length = strcspn(text, "\n");
    if (length) text_add(out, "%*s", indent, "");
    add_clean(out, text, length);
    text_add(out, "\n");
    text += length + (text[length] == '\n');
  } while (*text);
}

static void labelled(Text *out, const char *label, const char *text) {
  text_add(out, "%*s%s", DETAIL_INDENT, "", label);
  report_foreign(out, 0, text);
}

/* Ends a line with ": text". */
static void labelled_end(Text *out, const char *text) {
  text_add(out, ": ");
  report_foreign(out, 0, text);
}

/* ---- one test ------------------------------------------------------------------------------- */

static const char *verdict(const TestResult *t) {
  switch (t->status) {
  case TEST_PASSED: return "pass";
  case TEST_FAILED: return t->unwritten ? "todo" : "FAIL";
  case TEST_NOT_RUN: return "----";
  case TEST_GRADER_ERROR: break;
  }
  return "????";
}

static void add_verdict(Text *out, const TestResult *t, const ReportStyle *style) {
  Ink colour = t->status == TEST_PASSED   ? INK_GOOD
               : t->status != TEST_FAILED ? INK_STRONG
               : t->unwritten             ? INK_QUIET
                                          : INK_BAD;
  char points[32];
  snprintf(points, sizeof points, "%g/%g", t->points, t->max);
  text_add(out, "  ");
  ink(out, style, colour, verdict(t));
  text_add(out, " %6s  %-22s %s", points, t->name, t->title);
  if (t->unwritten && t->message && !t->hidden)
    labelled_end(out, t->message);
  else
    text_add(out, "\n");
}

/* The earlier test that has printed this hint already. */
static const TestResult *same_hint_before(const LabResult *lab, const TestResult *t) {
  for (const TestResult *u = lab->tests; u < t; u++)
    if (u->status == TEST_FAILED && !u->unwritten && strcmp(u->hint_id, t->hint_id) == 0) return u;
  return NULL;
}

static void add_hint(Text *out, const LabResult *lab, const TestResult *t,
                     const ReportStyle *style) {
  const TestResult *before = same_hint_before(lab, t);
  if (before) {
    text_add(out, "%*shint: see %s\n", DETAIL_INDENT, "", before->name);
    return;
  }
  labelled(out, "hint: ", t->hint);
  if (style->hints && t->hint_more) labelled(out, "      ", t->hint_more);
}

static void add_mismatch(Text *out, const TestResult *t) {
  if (t->call) labelled(out, "", t->call);
  if (t->picture) {
    report_foreign(out, DETAIL_INDENT + 2, t->picture);
  } else {
    if (t->expected) labelled(out, "  expected  ", t->expected);
    if (t->got) labelled(out, "  got       ", t->got);
  }
  if (t->source_line && !t->fault) { /* a fault's report shows the line with a caret */
    text_add(out, "%*s%s:%u:  ", DETAIL_INDENT, "", t->file, t->line);
    report_foreign(out, 0, t->source_line);
  }
}

/* The earlier test that has shown this fault's report already. */
static const TestResult *same_fault_before(const LabResult *lab, const TestResult *t) {
  for (const TestResult *u = lab->tests; t->fault && u < t; u++)
    if (u->fault && !u->hidden && strcmp(u->message, t->message) == 0) return u;
  return NULL;
}

static void add_message(Text *out, const LabResult *lab, const TestResult *t) {
  const TestResult *before = same_fault_before(lab, t);
  if (before)
    text_add(out, "%*s%s: the same fault as in %s\n", DETAIL_INDENT, "", t->fault, before->name);
  else
    report_foreign(out, DETAIL_INDENT, t->message);
}

static void add_failure(Text *out, const LabResult *lab, const TestResult *t,
                        const ReportStyle *style) {
  bool open = !t->hidden || style->instructor;
  if (t->unwritten) return; /* said in the line of the verdict */
  if (t->message && open) add_message(out, lab, t);
  if (open)
    add_mismatch(out, t);
  else
    text_add(out, "%*s(a hidden test: its cases are not shown)\n", DETAIL_INDENT, "");
  if (t->explain && open) report_foreign(out, DETAIL_INDENT, t->explain);
  add_hint(out, lab, t, style);
  if (t->replay && t->has_seed && open) labelled(out, "again: ", t->replay);
}

/* ---- one lab -------------------------------------------------------------------------------- */

static void add_tests(Text *out, const LabResult *lab, const ReportStyle *style) {
  for (const TestResult *t = lab->tests; t < lab->tests + lab->test_count; t++) {
    add_verdict(out, t, style);
    if (t->status == TEST_FAILED) add_failure(out, lab, t, style);
    if (t->status == TEST_GRADER_ERROR && t->message)
      report_foreign(out, DETAIL_INDENT, t->message);
  }
}

static void add_score(Text *out, const LabResult *lab, const ReportStyle *style) {
  char score[64];
  snprintf(score, sizeof score, "Score: %g/%g", lab->points, lab->max);
  ink(out, style, lab->status == GRADE_FULL ? INK_GOOD : INK_STRONG, score);
  text_add(out, "\n");
}

static void add_not_gradable(Text *out, const LabResult *lab) {
  text_add(out, "There is nothing to grade yet, and this costs no points:\n\n");
  report_foreign(out, 2, lab->message);
  text_add(out, "\nScore: none yet, of %g\n", lab->max);
}

static void add_grader_error(Text *out, const LabResult *lab, const ReportStyle *style) {
  text_add(out, "The grader itself failed. This says nothing about the submission; please report "
                "it.\n\n");
  report_foreign(out, 2, lab->message);
  for (size_t i = 0; i < lab->test_count; i++) {
    const TestResult *t = &lab->tests[i];
    if (t->status != TEST_GRADER_ERROR) continue;
    add_verdict(out, t, style);
    report_foreign(out, DETAIL_INDENT, t->message ? t->message : "no reason is known");
  }
  text_add(out, "\nScore: none, because of the grader\n");
}

static const TestResult *first_to_do(const LabResult *lab) {
  for (size_t i = 0; i < lab->test_count; i++)
    if (lab->tests[i].status == TEST_FAILED) return &lab->tests[i];
  return NULL;
}

static void add_next(Text *out, const LabResult *lab) {
  const TestResult *next = first_to_do(lab);
  if (!next || lab->partial) return;
  text_add(out, "Next: %s\n", next->title);
  text_add(out, "      %s --test %s%s\n", lab->command, next->name,
           next->unwritten ? "" : " --hint");
}

void report_lab(Text *out, const LabResult *lab, const ReportStyle *style) {
  char title[256];
  snprintf(title, sizeof title, "Lab %02u, %s", lab->number, lab->title);
  ink(out, style, INK_STRONG, title);
  text_add(out, ": ");
  report_foreign(out, 0, lab->folder);
  text_add(out, "\n");
  switch (lab->status) {
  case GRADE_NOT_GRADABLE: add_not_gradable(out, lab); return;
  case GRADE_ERROR: add_grader_error(out, lab, style); return;
  case GRADE_FULL:
  case GRADE_BELOW: break;
  }
  add_tests(out, lab, style);
  text_add(out, "\n");
  add_next(out, lab);
  add_score(out, lab, style);
}

/* ---- all labs ------------------------------------------------------------------------------- */

static void add_bar(Text *out, double points, double max) {
  int filled = max > 0 ? (int)floor(BAR_WIDTH * points / max) : 0;
  for (int i = 0; i < BAR_WIDTH; i++) text_add(out, "%c", i < filled ? '#' : '.');
}

static const char *remark(const LabResult *lab) {
  switch (lab->status) {
  case GRADE_FULL: return "done";
  case GRADE_BELOW: return lab->untouched ? "not begun" : "";
  case GRADE_NOT_GRADABLE: return "does not compile yet";
  case GRADE_ERROR: break;
  }
  return "the grader failed";
}

static void add_lab_row(Text *out, const LabResult *lab, const ReportStyle *style) {
  char points[32] = "-";
  bool scored = lab->status <= GRADE_BELOW;
  if (scored) snprintf(points, sizeof points, "%g/%g", lab->points, lab->max);
  text_add(out, "  %02u  %-14s %-28s %9s  ", lab->number, lab->slug, lab->title, points);
  add_bar(out, scored ? lab->points : 0, lab->max);
  text_add(out, "  ");
  ink(out, style, lab->status == GRADE_FULL ? INK_GOOD : INK_QUIET, remark(lab));
  text_add(out, "\n");
}

static void add_next_lab(Text *out, const Submission *s) {
  for (size_t i = 0; i < s->lab_count; i++) {
    const LabResult *lab = &s->labs[i];
    if (lab->status == GRADE_FULL) continue;
    if (lab->status == GRADE_BELOW && lab->untouched)
      text_add(out, "Next: read %s/README.md, then ./grade %s\n", lab->folder, lab->slug);
    else if (lab->status == GRADE_BELOW)
      add_next(out, lab);
    else
      text_add(out, "Next: ./grade %s\n", lab->slug);
    return;
  }
}

void report_overview(Text *out, const Submission *s, const ReportStyle *style) {
  for (size_t i = 0; i < s->lab_count; i++) add_lab_row(out, &s->labs[i], style);
  text_add(out, "\n");
  add_next_lab(out, s);
  text_add(out, "Score: %g/%g\n", s->points, s->max);
}
