/* files.c - reading what strangers wrote, writing so that a kill leaves nothing half done. */
#define _GNU_SOURCE /* nftw */
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OPEN_FOLDERS = 16, PATH_SIZE = 4096 };

gpu_result cannot(Text *err, const char *what, const char *path) {
  fail(err, "cannot %s %s: %s", what, path, strerror(errno));
  return GPU_INTERNAL;
}

/* ---- reading -------------------------------------------------------------------------------- */

static gpu_result check_kind(int fd, const char *name, Text *err) {
  struct stat info;
  if (fstat(fd, &info) != 0) return fail(err, "%s: cannot be read: %s", name, strerror(errno));
  if (!S_ISREG(info.st_mode)) return fail(err, "%s: is not a file", name);
  if (info.st_size > STUDENT_FILE_MAX)
    return fail(err, "%s: is larger than 1 MiB, too large for what you were asked to write", name);
  return GPU_OK;
}

static gpu_result read_text(int fd, const char *name, Text *text, Text *err) {
  char block[65536];
  ssize_t n;
  while ((n = read(fd, block, sizeof block)) > 0 && text->length <= STUDENT_FILE_MAX)
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

gpu_result read_student_file(const char *path, const char *name, Text *text, Text *err) {
  int fd;
  gpu_result result = open_student_file(&fd, path, name, err);
  if (result != GPU_OK) return result;
  text_bytes(text, "", 0);
  result = check_kind(fd, name, err);
  if (result == GPU_OK) result = read_text(fd, name, text, err);
  close(fd);
  return result;
}

const char *read_or_empty(Arena *arena, const char *path) {
  size_t length;
  Text err = {0};
  char *text = read_file(path, &length, &err);
  const char *kept = text ? arena_strndup(arena, text, length) : "";
  free(text);
  text_free(&err);
  return kept;
}

/* ---- writing -------------------------------------------------------------------------------- */

gpu_result write_file(const char *path, const char *text, size_t length, Text *err) {
  FILE *out = fopen(path, "wb");
  if (!out) return cannot(err, "write", path);
  bool good = fwrite(text, 1, length, out) == length;
  good = fclose(out) == 0 && good;
  return good ? GPU_OK : cannot(err, "write", path);
}

static bool reach_disk(const char *path) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  bool good = fd >= 0 && fsync(fd) == 0;
  if (fd >= 0) close(fd);
  return good;
}

gpu_result write_file_whole(const char *path, const Text *text, Text *err) {
  char draft[PATH_SIZE];
  if (snprintf(draft, sizeof draft, "%s.new", path) >= (int)sizeof draft)
    return fail(err, "%s: the path is too long", path);
  gpu_result result = write_file(draft, text_str(text), text->length, err);
  if (result != GPU_OK) return result;
  bool good = reach_disk(draft) && rename(draft, path) == 0;
  return good ? GPU_OK : cannot(err, "write", path);
}

/* ---- folders -------------------------------------------------------------------------------- */

bool is_folder(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

gpu_result make_folders(const char *path, Text *err) {
  char part[PATH_SIZE];
  if (snprintf(part, sizeof part, "%s", path) >= (int)sizeof part)
    return fail(err, "%s: the path is too long", path);
  for (char *slash = strchr(part + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    mkdir(part, 0777); /* what is wrong shows at the last one */
    *slash = '/';
  }
  if (mkdir(part, 0777) == 0 || (errno == EEXIST && is_folder(part))) return GPU_OK;
  return cannot(err, "make the folder", path);
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *where) {
  (void)info, (void)kind, (void)where;
  remove(path);
  return 0;
}

void remove_tree(const char *path) { nftw(path, remove_one, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS); }

const char *beside_program(Arena *arena, const char *name) {
  char self[PATH_SIZE];
  ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  if (n <= 0) return arena_printf(arena, WARPBOOK_BUILD "/%s", name);
  self[n] = '\0';
  char *slash = strrchr(self, '/');
  if (slash) *slash = '\0';
  return arena_printf(arena, "%s/%s", self, name);
}
