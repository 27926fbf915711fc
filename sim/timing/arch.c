/* timing/arch.c - finds the files of architectures and reads them; prints values back. */
#include "timing/arch.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "timing/arch_parse.h"

enum { PATH_MAX_BYTES = 4096, FILE_MAX_BYTES = 1 << 20, NAMES_MAX = 256 };
static const char suffix[] = ".arch";

const ArchKey arch_keys[ARCH_KEYS] = {
#define X(section, key, type, unit, min, max, meaning)                                             \
  {#section, #key, ARCH_##type, offsetof(Arch, key), unit, min, max, meaning},
#include "timing/arch.def"
#undef X
};

/* ---- the folder ------------------------------------------------------------------------------ */

static const char *folder(void) {
  const char *chosen = getenv("WARPBOOK_ARCH");
  return chosen && *chosen ? chosen : WARPBOOK_ROOT "/sim/arch";
}

/* The length of the file name without ".arch"; 0 when it has no such end, or is too long. */
static size_t stem_length(const char *file) {
  size_t n = strlen(file), end = sizeof suffix - 1;
  if (n <= end || strcmp(file + n - end, suffix) != 0 || n - end >= ARCH_NAME_MAX) return 0;
  return n - end;
}

typedef struct Names {
  char text[NAMES_MAX][ARCH_NAME_MAX];
  size_t count;
} Names;

static int by_name(const void *a, const void *b) { return strcmp(a, b); }

static bool read_names(Names *names, ErrorBuffer *err) {
  DIR *dir = opendir(folder());
  if (!dir) {
    error_set(err, "cannot read the folder of architectures %s: %s", folder(), strerror(errno));
    return false;
  }
  names->count = 0;
  for (struct dirent *entry; names->count < NAMES_MAX && (entry = readdir(dir));) {
    size_t n = stem_length(entry->d_name);
    if (n == 0 || entry->d_name[0] == '.') continue;
    snprintf(names->text[names->count++], ARCH_NAME_MAX, "%.*s", (int)n, entry->d_name);
  }
  closedir(dir);
  qsort(names->text, names->count, ARCH_NAME_MAX, by_name);
  return true;
}

bool arch_list(void (*each)(void *context, const char *name), void *context, ErrorBuffer *err) {
  Names *names = malloc(sizeof *names);
  bool ok = names && read_names(names, err);
  if (!names) error_set(err, "out of memory");
  for (size_t i = 0; ok && i < names->count; i++) each(context, names->text[i]);
  free(names);
  return ok;
}

static void unknown_name(const char *name, ErrorBuffer *err) {
  Names *names = malloc(sizeof *names);
  const char *candidates[NAMES_MAX];
  if (names && read_names(names, err)) {
    for (size_t i = 0; i < names->count; i++) candidates[i] = names->text[i];
    const char *near = nearest_word(name, candidates, names->count);
    error_set(err, "there is no architecture '%.64s'", name);
    if (near) error_add(err, "; did you mean '%s'?", near);
    error_add(err, "\n  architectures:");
    for (size_t i = 0; i < names->count; i++) error_add(err, " %s", names->text[i]);
    error_add(err, "\n  or give a file: a path with a '/' in it, or a name that ends in .arch");
  }
  free(names);
}

/* ---- reading --------------------------------------------------------------------------------- */

static bool is_path(const char *name) { return strchr(name, '/') || stem_length(name) > 0; }

/* The whole file; to be freed. */
static char *read_file(const char *path, size_t *size, ErrorBuffer *err) {
  FILE *file = fopen(path, "rb");
  char *text = file ? malloc(FILE_MAX_BYTES + 1) : NULL;
  size_t n = text ? fread(text, 1, FILE_MAX_BYTES + 1, file) : 0;
  bool failed = !text || ferror(file);
  int cause = errno;
  if (file) fclose(file);
  if (!failed && n <= FILE_MAX_BYTES) {
    *size = n;
    return text;
  }
  free(text);
  if (failed)
    error_set(err, "%s: cannot be read: %s", path, strerror(cause));
  else
    error_set(err, "%s: too long for an architecture file", path);
  return NULL;
}

/* "dir/my.arch" is "my". */
static void name_from_path(char *out, const char *path) {
  const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
  size_t n = stem_length(file);
  snprintf(out, ARCH_NAME_MAX, "%.*s", (int)(n ? n : strlen(file)), file);
}

static bool load_file(Arch *out, ArchNotes *notes, const char *path, int depth, ErrorBuffer *err) {
  Source src = {.name = path};
  char *text = read_file(path, &src.length, err);
  if (!text) return false;
  src.text = text;
  name_from_path(out->name, path);
  bool ok = arch_parse(out, notes, &src, depth, err);
  free(text);
  return ok;
}

/* A built-in name is a file name: letters, digits, '-' and '_'. */
static bool is_plain_name(const char *name) {
  size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_");
  return n > 0 && n < ARCH_NAME_MAX && name[n] == '\0';
}

static bool file_exists(const char *path) {
  FILE *file = fopen(path, "rb");
  if (file) fclose(file);
  return file != NULL;
}

bool arch_load_at(Arch *out, ArchNotes *notes, const char *name_or_path, int depth,
                  ErrorBuffer *err) {
  char path[PATH_MAX_BYTES];
  memset(out, 0, sizeof *out);
  if (notes) memset(notes, 0, sizeof *notes);
  if (is_path(name_or_path)) return load_file(out, notes, name_or_path, depth, err);
  int n = snprintf(path, sizeof path, "%s/%s%s", folder(), name_or_path, suffix);
  if (is_plain_name(name_or_path) && n > 0 && n < PATH_MAX_BYTES && file_exists(path))
    return load_file(out, notes, path, depth, err);
  unknown_name(name_or_path, err);
  return false;
}

bool arch_load_with_notes(Arch *out, ArchNotes *notes, const char *name_or_path, ErrorBuffer *err) {
  if (arch_load_at(out, notes, name_or_path, 0, err)) return true;
  memset(out, 0, sizeof *out);
  return false;
}

bool arch_load(Arch *out, const char *name_or_path, ErrorBuffer *err) {
  return arch_load_with_notes(out, NULL, name_or_path, err);
}

/* ---- printing -------------------------------------------------------------------------------- */

const char *arch_value_text(const Arch *arch, const ArchKey *key, char *buffer, size_t size) {
  const void *field = (const char *)arch + key->offset;
  const uint32_t *n = field;
  switch (key->type) {
  case ARCH_TEXT: snprintf(buffer, size, "%s", (const char *)field); break;
  case ARCH_VERSION: snprintf(buffer, size, "%u.%u", *n / 10, *n % 10); break;
  case ARCH_COUNT: snprintf(buffer, size, "%u", *n); break;
  case ARCH_DIM: snprintf(buffer, size, "%u, %u, %u", n[0], n[1], n[2]); break;
  case ARCH_REAL: snprintf(buffer, size, "%.10g", *(const double *)field); break;
  case ARCH_MODEL:
    snprintf(buffer, size, "%s", *(const gpu_model *)field == GPU_MODEL_STACK ? "stack" : "its");
    break;
  }
  return buffer;
}
