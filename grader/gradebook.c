/* gradebook.c - the points of a class, as CSV for Canvas and as JSON. */
#include <string.h>

#include "classbook.h"
#include "clean.h"

/* ---- CSV ------------------------------------------------------------------------------------ */

/* A quoted cell. A spreadsheet takes what begins with one of =+-@ for a formula, even inside
 * quotes; an apostrophe before it makes it text. */
static void add_cell(Text *out, const char *text) {
  Text clean = {0};
  text_bytes(&clean, "", 0);
  add_clean(&clean, text, strlen(text));
  text_add(out, "\"%s", strchr("=+-@?", text_str(&clean)[0]) && clean.length ? "'" : "");
  for (const char *c = text_str(&clean); *c; c++) text_add(out, *c == '"' ? "\"\"" : "%c", *c);
  text_add(out, "\"");
  text_free(&clean);
}

static void add_head(Text *out, const ClassBook *book) {
  text_add(out, "Student,ID,SIS User ID,SIS Login ID,Section");
  for (size_t i = 0; i < book->lab_count; i++) {
    char title[256];
    snprintf(title, sizeof title, "Lab %02u: %s", book->labs[i].number, book->labs[i].title);
    text_add(out, ",");
    add_cell(out, title);
  }
  text_add(out, "\n    Points Possible,,,,");
  for (size_t i = 0; i < book->lab_count; i++) {
    uint32_t max = 0;
    for (size_t t = 0; t < book->labs[i].test_count; t++) max += book->labs[i].tests[t].points;
    text_add(out, ",%u", max);
  }
  text_add(out, "\n");
}

/* A lab without a score is no zero: Canvas leaves N/A alone. */
static void add_row(Text *out, const ClassStudent *s) {
  const Handin *h = s->handin;
  add_cell(out, h->name);
  text_add(out, ",%s,,", h->number ? h->number : "");
  if (!h->number) add_cell(out, h->name);
  text_add(out, ",");
  for (size_t i = 0; i < s->result.lab_count; i++) {
    const LabResult *lab = &s->result.labs[i];
    if (lab->status <= GRADE_BELOW)
      text_add(out, ",%g", lab->points);
    else
      text_add(out, ",N/A");
  }
  text_add(out, "\n");
}

void classbook_csv(Text *out, const ClassBook *book) {
  add_head(out, book);
  for (size_t i = 0; i < book->count; i++) add_row(out, &book->students[i]);
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static void add_student(Text *out, const ClassStudent *s) {
  json_open(out, NULL, '{');
  json_add_string(out, "name", s->handin->name);
  json_add_string(out, "folder", s->handin->id);
  json_add_string(out, "number", s->handin->number);
  json_add_bool(out, "late", s->handin->late);
  json_add_string(out, "status", grade_status_word(s->result.status));
  json_add_string(out, "notes", s->notes);
  json_open(out, "labs", '[');
  for (size_t i = 0; i < s->result.lab_count; i++) {
    const LabResult *lab = &s->result.labs[i];
    json_open(out, NULL, '{');
    json_add_string(out, "lab", lab->slug);
    json_add_string(out, "status", grade_status_word(lab->status));
    json_add_bool(out, "missing", lab->missing);
    if (lab->status <= GRADE_BELOW)
      json_add_number(out, "points", lab->points);
    else
      json_add_null(out, "points");
    json_add_number(out, "max", lab->max);
    json_add_string(out, "ptx_hash", lab->ptx_hash);
    json_add_string(out, "compiler", lab->compiler);
    json_close(out, '}');
  }
  json_close(out, ']');
  json_close(out, '}');
}

void classbook_json(Text *out, const ClassBook *book) {
  json_open(out, NULL, '{');
  json_add_number(out, "version", 1);
  json_open(out, "students", '[');
  for (size_t i = 0; i < book->count; i++) {
    text_add(out, "\n");
    add_student(out, &book->students[i]);
    if (i + 1 < book->count) text_add(out, ",");
  }
  json_close(out, ']');
  json_close(out, '}');
  text_add(out, "\n");
}
