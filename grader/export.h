/* export.h - results in the formats of the platforms that courses run on. */
#ifndef WARPBOOK_GRADER_EXPORT_H
#define WARPBOOK_GRADER_EXPORT_H

#include "result.h"

/* A format of `grade --format NAME`. A submission without a score (it does not compile, or the
 * grader failed) is never a zero where the platform can say so otherwise; each row says how. Cases
 * of hidden tests are in none of them. */
typedef struct ExportFormat {
  const char *name, *help;
  void (*write)(Text *out, const Submission *s);
} ExportFormat;

extern const ExportFormat export_formats[];
extern const size_t export_format_count;

/* GPU_BAD_INPUT names the formats that there are. */
gpu_result export_find(const ExportFormat **format, const char *name, Text *err);

#endif
