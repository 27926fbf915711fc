/* view/profile.h - what a timed run did, source line by source line. */
#ifndef WARPBOOK_VIEW_PROFILE_H
#define WARPBOOK_VIEW_PROFILE_H

#include "gpu.h"

typedef struct Profile Profile;

Profile *profile_new(void); /* NULL: out of memory */
void profile_free(Profile *p);
/* Counts an event. The names that it points to must outlive the profile. */
void profile_add(Profile *p, const gpu_event *e);
/* The lines, by file and number; they stay until the next profile_add. Returns how many. */
size_t profile_lines(Profile *p, const gpu_line **lines);

#endif
