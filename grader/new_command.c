/* new_command.c - `grade new LAB DIR`: a folder to work in. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files.h"
#include "options.h"
#include "result.h"
#include "variant.h"

typedef struct Workspace {
  const Lab *lab;
  const char *folder, *student; /* student: NULL for the lab's own questions */
  Arena *arena;
} Workspace;

/* Only files that are not there yet: nobody's work is written over. */
static gpu_result put_file(const Workspace *w, const char *name, const char *text, size_t length,
                           Text *err) {
  const char *path = arena_printf(w->arena, "%s/%s", w->folder, name);
  if (access(path, F_OK) == 0)
    return fail(err, "%s is there already, and was left as it is; choose an empty folder", path);
  return write_file(path, text, length, err);
}

static gpu_result copy_file(const Workspace *w, const char *name, Text *err) {
  size_t length;
  char *text = read_file(arena_printf(w->arena, "%s/%s", w->lab->path, name), &length, err);
  if (!text) return GPU_INTERNAL;
  Text own = {0};
  gpu_result result = GPU_OK;
  if (w->student && strcmp(name, ANSWERS_FILE) == 0)
    result = variant_answers(&own, w->lab, text, w->student, err);
  if (result == GPU_OK)
    result = own.length ? put_file(w, name, own.data, own.length, err)
                        : put_file(w, name, text, length, err);
  text_free(&own);
  free(text);
  return result;
}

/* What clangd needs to understand a lab: the options of the course's own compiles. */
static gpu_result put_compile_flags(const Workspace *w, Text *err) {
  static const char flags[] = "-xcuda\n--cuda-device-only\n--cuda-gpu-arch=sm_80\n-nocudainc\n"
                              "-nocudalib\n-std=gnu++17\n-isystem\n" WARPBOOK_ROOT "/sim/cuda\n"
                              "-include\n" WARPBOOK_ROOT "/sim/cuda/cuda_runtime.h\n";
  return put_file(w, "compile_flags.txt", flags, sizeof flags - 1, err);
}

static gpu_result fill(const Workspace *w, Text *err) {
  gpu_result result = copy_file(w, "README.md", err);
  for (size_t i = 0; i < w->lab->file_count && result == GPU_OK; i++)
    result = copy_file(w, w->lab->files[i], err);
  return result == GPU_OK ? put_compile_flags(w, err) : result;
}

int new_command(const Options *o, Course *course, Text *err) {
  Lab *lab = NULL;
  gpu_result result = course_lab(&lab, course, o->words[0], err);
  if (result == GPU_OK) result = lab_load(lab, course, err);
  if (result == GPU_OK && mkdir(o->words[1], 0777) != 0 && errno != EEXIST)
    result = fail(err, "cannot make the folder %s: %s", o->words[1], strerror(errno));
  if (result == GPU_OK)
    result = fill(&(Workspace){lab, o->words[1], o->student, course->arena}, err);
  if (result != GPU_OK) return (int)status_of_result(result);
  printf("%s is ready: read its README.md, then grade it with\n  ./grade %s %s\n", o->words[1],
         lab->slug, o->words[1]);
  return GRADE_FULL;
}
