/* view/trace.h - a timed run as a file: for gnuplot, for the Perfetto viewer, or as a page. */
#ifndef WARPBOOK_VIEW_TRACE_H
#define WARPBOOK_VIEW_TRACE_H

#include "base/error.h"
#include "gpu.h"

typedef struct Trace Trace;

/* What the page says about the run, and where it finds the text of source lines. */
typedef struct TraceAbout {
  const char *kernel, *arch, *model, *scheduler;
  gpu_dim grid, block;
  uint64_t cycles;
  const char *(*source_line)(void *context, const char *file, uint32_t line, size_t *length);
  void *context;
} TraceAbout;

/* Starts a file of the kind that its name says: .csv, .json or .html. At most `limit` instructions
 * are written. NULL with a message when that cannot be. */
Trace *trace_open(const char *path, uint64_t limit, ErrorBuffer *error);
/* Adds an instruction, `text` being its PTX. */
void trace_add(Trace *t, const gpu_event *e, const char *text);
/* Completes the file and frees the trace. Tells how many instructions were written, and how many
 * there were. False with a message when it could not all be written. */
bool trace_close(Trace *t, const TraceAbout *about, uint64_t *written, uint64_t *all,
                 ErrorBuffer *error);

#endif
