/* report.h - results for a person at a terminal. */
#ifndef WARPBOOK_GRADER_REPORT_H
#define WARPBOOK_GRADER_REPORT_H

#include "result.h"

typedef struct ReportStyle {
  bool colour;
  bool hints;      /* the longer hints, too */
  bool instructor; /* the details of hidden tests, too */
} ReportStyle;

/* One lab: each test, what went wrong and where, a hint, and the score. */
void report_lab(Text *out, const LabResult *lab, const ReportStyle *style);

/* All labs: points, progress, and what to do next. */
void report_overview(Text *out, const Submission *s, const ReportStyle *style);

/* Adds text that may come from anywhere: every line indented by `indent` blanks, control characters
 * and bytes that are no UTF-8 replaced, a newline at the end. */
void report_foreign(Text *out, int indent, const char *text);

#endif
