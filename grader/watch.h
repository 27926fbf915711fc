/* watch.h - waiting until a file is saved. */
#ifndef WARPBOOK_GRADER_WATCH_H
#define WARPBOOK_GRADER_WATCH_H

#include <stddef.h>
#include <sys/stat.h>
#include <time.h>

#include "lab.h"

/* What a file looked like when it was last seen. */
typedef struct Glimpse {
  struct timespec modified;
  off_t size;
  ino_t inode; /* editors like to write a new file and rename it */
} Glimpse;

typedef struct Watch {
  const char *folder;
  const char *const *files;
  size_t count;
  Glimpse seen[FILES_MAX];
} Watch;

void watch_begin(Watch *w, const char *folder, const char *const *files, size_t count);
/* Returns within half a second after one of the files has changed and then rested for a moment. */
void watch_wait(Watch *w);

#endif
