/* stage.c - the private folder in which one submission is graded. */
#define _GNU_SOURCE /* nftw */
#include "stage.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_MAX = 1 << 20, OPEN_FOLDERS = 16 };

static gpu_result cannot(Text *err, const char *what, const char *path) {
  fail(err, "cannot %s %s: %s", what, path, strerror(errno));
  return GPU_INTERNAL;
}

gpu_result stage_open(Stage *stage, Arena *arena, Text *err) {
  const char *tmp = getenv("TMPDIR");
  char *folder = arena_printf(arena, "%s/warpbook-grade-XXXXXX", tmp && *tmp ? tmp : "/tmp");
  *stage = (Stage){0};
  if (!mkdtemp(folder)) return cannot(err, "make the folder", folder);
  *stage = (Stage){.folder = folder,
                   .in = arena_printf(arena, "%s/in", folder),
                   .out = arena_printf(arena, "%s/out", folder),
                   .request = arena_printf(arena, "%s/request.json", folder),
                   .records = arena_printf(arena, "%s/out/records.jsonl", folder),
                   .log = arena_printf(arena, "%s/log", folder)};
  if (mkdir(stage->in, 0700) != 0) return cannot(err, "make the folder", stage->in);
  if (mkdir(stage->out, 0700) != 0) return cannot(err, "make the folder", stage->out);
  return GPU_OK;
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *where) {
  (void)info, (void)kind, (void)where;
  remove(path);
  return 0;
}

void stage_close(const Stage *stage) {
  if (stage->folder) nftw(stage->folder, remove_one, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
}

gpu_result write_file(const char *path, const char *text, size_t length, Text *err) {
  FILE *out = fopen(path, "wb");
  if (!out) return cannot(err, "write", path);
  bool good = fwrite(text, 1, length, out) == length;
  good = fclose(out) == 0 && good;
  return good ? GPU_OK : cannot(err, "write", path);
}

static gpu_result check_kind(int fd, const char *name, Text *err) {
  struct stat info;
  if (fstat(fd, &info) != 0) return fail(err, "%s: cannot be read: %s", name, strerror(errno));
  if (!S_ISREG(info.st_mode)) return fail(err, "%s: is not a file", name);
  if (info.st_size > FILE_MAX)
    return fail(err, "%s: is larger than 1 MiB, too large for what you were asked to write", name);
  return GPU_OK;
}

static gpu_result read_text(int fd, const char *name, Text *text, Text *err) {
  char block[65536];
  ssize_t n;
  while ((n = read(fd, block, sizeof block)) > 0 && text->length <= FILE_MAX)
    text_bytes(text, block, (size_t)n);
  if (n < 0) return fail(err, "%s: cannot be read: %s", name, strerror(errno));
  if (memchr(text_str(text), '\0', text->length))
    return fail(err, "%s: holds a zero byte, so it is not a text; was it saved as UTF-16?", name);
  return GPU_OK;
}

static gpu_result open_student_file(int *fd, const char *path, const char *name, Text *err) {
  *fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (*fd >= 0) return GPU_OK;
  if (errno == ELOOP) return fail(err, "%s: is a link; hand in the file itself", name);
  if (errno == ENOENT) return fail(err, "%s: is missing in the folder that is graded", name);
  return fail(err, "%s: cannot be opened: %s", name, strerror(errno));
}

gpu_result stage_copy(const Stage *stage, Arena *arena, const char *folder, const char *name,
                      const char **text, Text *err) {
  int fd;
  gpu_result result = open_student_file(&fd, arena_printf(arena, "%s/%s", folder, name), name, err);
  if (result != GPU_OK) return result;
  Text content = {0};
  text_bytes(&content, "", 0);
  result = check_kind(fd, name, err);
  if (result == GPU_OK) result = read_text(fd, name, &content, err);
  close(fd);
  if (result == GPU_OK)
    result = write_file(arena_printf(arena, "%s/%s", stage->in, name), text_str(&content),
                        content.length, err);
  if (text) *text = arena_strndup(arena, text_str(&content), content.length);
  text_free(&content);
  return result;
}
