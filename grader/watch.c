/* watch.c - waiting until a file is saved. Asks some six times a second rather than being told:
 * that works on network folders and in containers, too. */
#include "watch.h"

#include <stdio.h>

enum { PERIOD_MS = 150 };

static Glimpse look(const char *folder, const char *file) {
  char path[4096];
  struct stat info;
  snprintf(path, sizeof path, "%s/%s", folder, file);
  if (stat(path, &info) != 0) return (Glimpse){0};
  return (Glimpse){info.st_mtim, info.st_size, info.st_ino};
}

static bool same(Glimpse a, Glimpse b) {
  return a.modified.tv_sec == b.modified.tv_sec && a.modified.tv_nsec == b.modified.tv_nsec &&
         a.size == b.size && a.inode == b.inode;
}

/* Looks at every file; whether one has changed since the last time. */
static bool changed(Watch *w) {
  bool any = false;
  for (size_t i = 0; i < w->count; i++) {
    Glimpse now = look(w->folder, w->files[i]);
    if (!same(now, w->seen[i])) any = true;
    w->seen[i] = now;
  }
  return any;
}

void watch_begin(Watch *w, const char *folder, const char *const *files, size_t count) {
  *w = (Watch){.folder = folder, .files = files, .count = count};
  changed(w);
}

static void nap(void) {
  struct timespec period = {0, PERIOD_MS * 1000000L};
  nanosleep(&period, NULL);
}

void watch_wait(Watch *w) {
  while (!changed(w)) nap();
  /* A file that is being written changes again at once. */
  do nap();
  while (changed(w));
}
