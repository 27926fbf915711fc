/* view/page.h - a trace as one HTML page that needs nothing else: page.html with the data in it. */
#ifndef WARPBOOK_VIEW_PAGE_H
#define WARPBOOK_VIEW_PAGE_H

#include <stdio.h>

#include "view/trace.h"

typedef struct Page Page;

Page *page_new(void); /* NULL: out of memory */
void page_free(Page *p);
void page_add(Page *p, const gpu_event *e, const char *text);
/* `all`: how many instructions there were, those that were not added included. False: out of
 * memory, or the page's frame is not where it was installed. */
bool page_write(Page *p, FILE *out, const TraceAbout *about, uint64_t all);

#endif
