/* key.c - what a result follows from, as one short text: the same key, the same score. */
#include "key.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "device/compile.h"
#include "files.h"
#include "fnv.h"

enum { VERSION_SIZE = 256 };

static uint64_t add_text(uint64_t hash, const char *text) {
  return fnv_bytes(hash, text, strlen(text) + 1); /* the zero parts it from what follows */
}

static uint64_t add_file(uint64_t hash, const char *path) {
  size_t length;
  Text err = {0};
  char *text = read_file(path, &length, &err);
  hash = text ? fnv_bytes(hash, text, length) : add_text(hash, "no such file");
  free(text);
  text_free(&err);
  return hash;
}

/* A sum, so that the order in which a folder is read does not matter. */
static uint64_t hash_tree(Arena *arena, const char *folder) {
  uint64_t sum = 0;
  DIR *dir = opendir(folder);
  if (!dir) return 0;
  for (const struct dirent *entry; (entry = readdir(dir));) {
    if (entry->d_name[0] == '.') continue;
    const char *path = arena_printf(arena, "%s/%s", folder, entry->d_name);
    uint64_t name = add_text(FNV_START, entry->d_name);
    sum += is_folder(path) ? name ^ hash_tree(arena, path) : add_file(name, path);
  }
  closedir(dir);
  return sum;
}

static uint64_t add_number(uint64_t hash, uint64_t number) {
  return fnv_bytes(hash, &number, sizeof number);
}

const char *key_compiler(Arena *arena) {
  char version[VERSION_SIZE];
  return arena_printf(arena, "%s", compile_version(version, sizeof version));
}

uint64_t key_of_course(const Course *course, const char *compiler) {
  uint64_t hash = add_file(FNV_START, course->suites);
  hash = add_text(hash, compiler);
  hash = add_number(hash, hash_tree(course->arena, WARPBOOK_ROOT "/sim/cuda"));
  hash = add_number(hash, hash_tree(course->arena, WARPBOOK_ROOT "/sim/arch"));
  return add_text(hash, course->key);
}

const char *key_of_lab(const Course *course, uint64_t course_key, const Lab *lab,
                       const char *folder, const char *student) {
  uint64_t hash = add_text(course_key, lab->slug);
  if (student) hash = add_text(hash, student);
  hash = add_file(hash, arena_printf(course->arena, "%s/tests.tsv", lab->path));
  for (size_t i = 0; i < lab->file_count; i++) {
    hash = add_text(hash, lab->files[i]);
    hash = add_file(hash, arena_printf(course->arena, "%s/%s", folder, lab->files[i]));
    hash = add_text(hash, "end");
  }
  return arena_printf(course->arena, "%016llx", (unsigned long long)hash);
}

gpu_result key_check_compiler(const char *compiler, Text *err) {
  if (strcmp(compiler, OFFICIAL_COMPILER) == 0) return GPU_OK;
  fail(err,
       "official grading needs the compiler '%s', but here is '%s'.\n"
       "  A score depends on what the compiler makes of a program. Grade in the container of\n"
       "  .devcontainer/, or leave --official (and WARPBOOK_COURSE_KEY) away.",
       OFFICIAL_COMPILER, *compiler ? compiler : "none");
  return GPU_INTERNAL;
}
