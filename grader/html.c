/* html.c - results as web pages that need nothing else: no scripts, no pictures, no network. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "classbook.h"
#include "clean.h"

enum { HISTOGRAM_BARS = 10, HINTS_SHOWN = 12 };

/* ---- pieces --------------------------------------------------------------------------------- */

static const char style[] =
    "body{font:16px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#222}"
    "table{border-collapse:collapse;margin:1em 0}td,th{padding:.2em .7em;text-align:left;"
    "border-bottom:1px solid #ccc;vertical-align:top}td.n,th.n{text-align:right}"
    "pre{background:#f3f3f3;padding:.5em;overflow:auto;margin:.3em 0}"
    ".pass{color:#006b4f}.fail{color:#a33b00}.todo,.none{color:#666}"
    ".bar{display:inline-block;background:#0072b2;height:.8em}";

static void begin_page(Text *out, const char *title) {
  text_add(out, "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                "style-src 'unsafe-inline'\">"
                "<meta name=\"viewport\" content=\"width=device-width\"><title>");
  add_escaped(out, title);
  text_add(out, "</title><style>%s</style></head><body>\n<h1>", style);
  add_escaped(out, title);
  text_add(out, "</h1>\n");
}

static void end_page(Text *out) { text_add(out, "</body></html>\n"); }

static void element(Text *out, const char *open, const char *text, const char *close) {
  text_add(out, "%s", open);
  add_escaped(out, text);
  text_add(out, "%s", close);
}

static void block(Text *out, const char *label, const char *text) {
  if (!text) return;
  text_add(out, "<div>%s</div>", label);
  element(out, "<pre>", text, "</pre>\n");
}

/* A bar of `part` of `whole`, at most 12 em wide. */
static void add_bar(Text *out, double part, double whole) {
  text_add(out, "<span class=\"bar\" style=\"width:%.2fem\"></span>",
           whole > 0 ? 12 * part / whole : 0);
}

static void add_points(Text *out, const LabResult *lab) {
  if (lab->status <= GRADE_BELOW)
    text_add(out, "%g / %g", lab->points, lab->max);
  else
    text_add(out, "%s",
             lab->missing                        ? "not handed in"
             : lab->status == GRADE_NOT_GRADABLE ? "not gradable"
                                                 : "the grader failed");
}

/* ---- one student ----------------------------------------------------------------------------- */

static const char *verdict(const TestResult *t) {
  switch (t->status) {
  case TEST_PASSED: return "pass";
  case TEST_FAILED: return t->unwritten ? "todo" : "fail";
  case TEST_NOT_RUN: return "none";
  case TEST_GRADER_ERROR: break;
  }
  return "none";
}

static void add_failure(Text *out, const TestResult *t) {
  if (t->hidden) {
    text_add(out, "<div>A hidden test: its cases are not shown.</div>");
  } else {
    block(out, "", t->message);
    block(out, "", t->call);
    if (t->picture) {
      block(out, "", t->picture);
    } else {
      block(out, "expected", t->expected);
      block(out, "got", t->got);
    }
    if (t->source_line && !t->fault) {
      text_add(out, "<div>line %u</div>", t->line);
      block(out, "", t->source_line);
    }
  }
  if (t->hint && !t->unwritten) element(out, "<div><em>Hint:</em> ", t->hint, "</div>");
}

static void add_test(Text *out, const TestResult *t) {
  text_add(out, "<tr><td class=\"%s\">%s</td><td class=\"n\">%g / %g</td><td>", verdict(t),
           t->status == TEST_GRADER_ERROR ? "grader error" : verdict(t), t->points, t->max);
  element(out, "<b>", t->title, "</b>");
  if (t->status == TEST_FAILED) add_failure(out, t);
  text_add(out, "</td></tr>\n");
}

static void add_lab(Text *out, const LabResult *lab) {
  char title[256];
  snprintf(title, sizeof title, "Lab %02u: %s", lab->number, lab->title);
  element(out, "<h2>", title, "</h2>\n<p>");
  add_points(out, lab);
  text_add(out, "</p>\n");
  if (lab->status == GRADE_NOT_GRADABLE && !lab->missing)
    text_add(out, "<p>There is nothing to grade yet, and this costs no points.</p>");
  if (lab->status == GRADE_ERROR)
    text_add(out, "<p>The grader itself failed; this says nothing about the submission.</p>");
  block(out, "", lab->message);
  if (lab->status == GRADE_NOT_GRADABLE) return;
  text_add(out, "<table><tr><th></th><th class=\"n\">points</th><th>test</th></tr>\n");
  for (size_t i = 0; i < lab->test_count; i++) add_test(out, &lab->tests[i]);
  text_add(out, "</table>\n<p class=\"none\">Compiled by ");
  add_escaped(out, lab->compiler ? lab->compiler : "an unknown compiler");
  element(out, ", ", lab->ptx_hash, "</p>\n");
}

void student_html(Text *out, const ClassStudent *s) {
  begin_page(out, s->handin->name);
  if (s->handin->late) text_add(out, "<p>Handed in late.</p>\n");
  if (*s->notes) block(out, "About the files:", s->notes);
  for (size_t i = 0; i < s->result.lab_count; i++) add_lab(out, &s->result.labs[i]);
  end_page(out);
}

/* ---- the class: statistics ------------------------------------------------------------------- */

static const LabResult *lab_of(const ClassBook *book, size_t student, size_t lab) {
  return &book->students[student].result.labs[lab];
}

static bool has_score(const LabResult *lab) { return lab->status <= GRADE_BELOW; }

static int compare_doubles(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The scores in order; how many there are is the result. */
static size_t sorted_scores(const ClassBook *book, size_t lab, double **scores) {
  size_t n = 0;
  *scores = ARENA_ARRAY(book->arena, double, book->count + 1);
  for (size_t i = 0; i < book->count; i++)
    if (has_score(lab_of(book, i, lab))) (*scores)[n++] = lab_of(book, i, lab)->points;
  qsort(*scores, n, sizeof **scores, compare_doubles);
  return n;
}

static void add_distribution(Text *out, const ClassBook *book, size_t lab) {
  double *scores, sum = 0, max = 0;
  size_t n = sorted_scores(book, lab, &scores), bars[HISTOGRAM_BARS] = {0}, most = 0;
  if (n == 0) {
    text_add(out, "<p>Nobody has a score.</p>\n");
    return;
  }
  for (size_t i = 0; i < book->count; i++) max = fmax(max, lab_of(book, i, lab)->max);
  for (size_t i = 0; i < n; i++) {
    size_t bar = max > 0 ? (size_t)(HISTOGRAM_BARS * scores[i] / max) : 0;
    bars[bar < HISTOGRAM_BARS ? bar : HISTOGRAM_BARS - 1]++;
    sum += scores[i];
  }
  for (int i = 0; i < HISTOGRAM_BARS; i++) most = bars[i] > most ? bars[i] : most;
  text_add(out,
           "<p>%zu of %zu have a score: mean %.1f, median %g, lowest %g, highest %g of %g.</p>", n,
           book->count, sum / (double)n, (scores[(n - 1) / 2] + scores[n / 2]) / 2, scores[0],
           scores[n - 1], max);
  text_add(out, "<table><tr><th>points</th><th>students</th></tr>\n");
  for (int i = 0; i < HISTOGRAM_BARS; i++) {
    text_add(out, "<tr><td>%g to %g</td><td>", max * i / HISTOGRAM_BARS,
             max * (i + 1) / HISTOGRAM_BARS);
    add_bar(out, (double)bars[i], (double)most);
    text_add(out, " %zu</td></tr>\n", bars[i]);
  }
  text_add(out, "</table>\n");
}

/* How many failed for that hint. */
typedef struct HintCount {
  const char *id, *text;
  size_t students;
} HintCount;

static bool met_hint(const LabResult *lab, const char *id) {
  for (size_t i = 0; i < lab->test_count; i++) {
    const TestResult *t = &lab->tests[i];
    if (t->status == TEST_FAILED && !t->unwritten && t->hint_id && strcmp(t->hint_id, id) == 0)
      return true;
  }
  return false;
}

static int compare_hints(const void *a, const void *b) {
  const HintCount *x = a, *y = b;
  if (x->students != y->students) return x->students < y->students ? 1 : -1;
  return strcmp(x->id, y->id);
}

static void add_mistakes(Text *out, const ClassBook *book, size_t lab) {
  const Lab *l = &book->labs[lab];
  HintCount *counts = ARENA_ARRAY(book->arena, HintCount, l->hint_count + 1);
  for (size_t i = 0; i < l->hint_count; i++) {
    counts[i] = (HintCount){.id = l->hints[i].id, .text = l->hints[i].text};
    for (size_t s = 0; s < book->count; s++)
      counts[i].students += met_hint(lab_of(book, s, lab), counts[i].id);
  }
  qsort(counts, l->hint_count, sizeof *counts, compare_hints);
  text_add(out, "<h3>Common mistakes</h3>\n");
  if (l->hint_count == 0 || counts[0].students == 0) {
    text_add(out, "<p>None.</p>\n");
    return;
  }
  text_add(out, "<table><tr><th class=\"n\">students</th><th>hint that they got</th></tr>\n");
  for (size_t i = 0; i < l->hint_count && i < HINTS_SHOWN && counts[i].students; i++) {
    text_add(out, "<tr><td class=\"n\">%zu</td><td>", counts[i].students);
    element(out, "<b>", counts[i].id, "</b>: ");
    element(out, "", counts[i].text, "</td></tr>\n");
  }
  text_add(out, "</table>\n");
}

static const TestResult *find_test(const LabResult *lab, const char *name) {
  for (size_t i = 0; i < lab->test_count; i++)
    if (strcmp(lab->tests[i].name, name) == 0) return &lab->tests[i];
  return NULL;
}

static void add_test_row(Text *out, const ClassBook *book, size_t lab, const TestSpec *spec) {
  size_t passed = 0, seen = 0;
  double points = 0;
  for (size_t i = 0; i < book->count; i++) {
    const TestResult *t = find_test(lab_of(book, i, lab), spec->name);
    if (!t || !has_score(lab_of(book, i, lab))) continue;
    seen++;
    passed += t->status == TEST_PASSED;
    points += t->points;
  }
  element(out, "<tr><td>", spec->title, "</td>");
  text_add(out, "<td class=\"n\">%.1f / %u</td><td>", seen ? points / (double)seen : 0,
           spec->points);
  add_bar(out, (double)passed, (double)seen);
  text_add(out, " %zu of %zu</td></tr>\n", passed, seen);
}

static void add_class_lab(Text *out, const ClassBook *book, size_t lab) {
  const Lab *l = &book->labs[lab];
  char title[256];
  snprintf(title, sizeof title, "Lab %02u: %s", l->number, l->title);
  element(out, "<h2>", title, "</h2>\n");
  add_distribution(out, book, lab);
  add_mistakes(out, book, lab);
  text_add(out, "<h3>Points by test</h3>\n<table><tr><th>test</th><th class=\"n\">mean points</th>"
                "<th>passed</th></tr>\n");
  for (size_t i = 0; i < l->test_count; i++) add_test_row(out, book, lab, &l->tests[i]);
  text_add(out, "</table>\n");
}

/* ---- the class: the page --------------------------------------------------------------------- */

static void add_student_row(Text *out, const ClassStudent *s) {
  text_add(out, "<tr><td><a href=\"students/%s/report.html\">", s->handin->id);
  element(out, "", s->handin->name, "</a>");
  text_add(out, "%s</td>", s->handin->late ? " (late)" : "");
  for (size_t i = 0; i < s->result.lab_count; i++) {
    text_add(out, "<td class=\"n\">");
    add_points(out, &s->result.labs[i]);
    text_add(out, "</td>");
  }
  element(out, "<td>", s->notes, "</td></tr>\n");
}

void classbook_html(Text *out, const ClassBook *book) {
  begin_page(out, "Results of the class");
  for (size_t i = 0; i < book->lab_count; i++) add_class_lab(out, book, i);
  text_add(out, "<h2>Students</h2>\n<table><tr><th>student</th>");
  for (size_t i = 0; i < book->lab_count; i++)
    element(out, "<th class=\"n\">", book->labs[i].slug, "</th>");
  text_add(out, "<th>about the files</th></tr>\n");
  for (size_t i = 0; i < book->count; i++) add_student_row(out, &book->students[i]);
  text_add(out, "</table>\n");
  if (*book->remarks) block(out, "Not graded:", book->remarks);
  end_page(out);
}
