/* unpack.c - runs the program `unpack` and reads its list. */
#include "unpack.h"

#include <string.h>
#include <unistd.h>

#include "files.h"
#include "json.h"
#include "names.h"

enum { SECONDS_MAX = 8, ARGS_MAX = 120 };

static gpu_result run(Arena *arena, const char *program, const char *archive, const char *folder,
                      const char *const *wanted, SandboxKind sandbox, Text *err) {
  const char *argv[ARGS_MAX] = {program, archive, folder}, *readable[] = {program, archive, NULL};
  for (size_t i = 3; *wanted && i + 1 < ARGS_MAX; i++) argv[i] = *wanted++;
  SandboxJob job = {.argv = argv,
                    .readable = readable,
                    .writable = folder,
                    .log = arena_printf(arena, "%s.log", folder),
                    .seconds = SECONDS_MAX};
  SandboxEnd end = sandbox_run(sandbox, &job);
  unlink(job.log);
  if (end.timed_out) return fail(err, "the archive takes more than %d s to unpack", SECONDS_MAX);
  if (end.signal) return fail(err, "the archive cannot be unpacked: it is damaged or too large");
  if (end.started && end.exit_status == 0) return GPU_OK;
  fail(err, "the program %s failed on %s", program, archive);
  return GPU_INTERNAL;
}

/* One line of the list; true when it is the last one. */
static bool read_line(FoundList *out, Arena *arena, const char *folder, const Json *line,
                      const char **message) {
  if (json_get_bool(line, "end", false)) {
    *message = json_get_string(line, "message", "");
    return true;
  }
  const char *file = json_get_string(line, "file", NULL);
  Found found = {.path = json_get_string(line, "path", "?"),
                 .link = json_get_bool(line, "link", false),
                 .file = file ? arena_printf(arena, "%s/%s", folder, file) : NULL};
  ARENA_GROW(arena, out->items, out->count, out->capacity);
  out->items[out->count++] = found;
  return false;
}

static gpu_result read_list(FoundList *out, Arena *arena, const char *folder, Text *err) {
  const char *message = "its list is damaged";
  const char *line = read_or_empty(arena, arena_printf(arena, "%s/" UNPACK_LIST, folder));
  for (bool end = false; *line && !end;) {
    size_t length = strcspn(line, "\n");
    end = read_line(out, arena, folder, json_parse(arena, line, length), &message);
    line += length + (line[length] == '\n');
  }
  return *message ? fail(err, "the archive cannot be used: %s", message) : GPU_OK;
}

gpu_result unpack(FoundList *out, Arena *arena, const char *archive, const char *folder,
                  const char *const *wanted, SandboxKind sandbox, Text *err) {
  const char *program = beside_program(arena, "unpack");
  if (access(program, X_OK) != 0) {
    fail(err,
         "archives cannot be read: there is no program %s. Install libarchive-dev, and run "
         "make again; or unpack the archives yourself.",
         program);
    return GPU_INTERNAL;
  }
  gpu_result result = run(arena, program, archive, folder, wanted, sandbox, err);
  return result == GPU_OK ? read_list(out, arena, folder, err) : result;
}
