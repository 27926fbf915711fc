/* cli/report.h - what one case of a batch adds to each output, and its way through a file from the
 * process that ran the case to the one that started it. */
#ifndef WARPBOOK_CLI_REPORT_H
#define WARPBOOK_CLI_REPORT_H

#include "cli/text.h"

typedef struct Report {
  gpu_result result;
  Text values, timing, stats, message;
} Report;

Report *report_new(void);
void report_free(Report *report);

bool report_send(int fd, const Report *report);
/* Reads from the file's start; false when the report is not whole. */
bool report_receive(int fd, Report *report);

#endif
