/* stage.c - the private folder in which one submission is graded. */
#include "stage.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "files.h"

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

void stage_close(const Stage *stage) {
  if (stage->folder) remove_tree(stage->folder);
}

gpu_result stage_copy(const Stage *stage, Arena *arena, const char *folder, const char *name,
                      const char **text, Text *err) {
  Text content = {0};
  gpu_result result =
      read_student_file(arena_printf(arena, "%s/%s", folder, name), name, &content, err);
  if (result == GPU_OK)
    result = write_file(arena_printf(arena, "%s/%s", stage->in, name), text_str(&content),
                        content.length, err);
  if (text) *text = arena_strndup(arena, text_str(&content), content.length);
  text_free(&content);
  return result;
}
