/* handin.c - what the students of a class handed in, found and made tidy. */
#include "handin.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "files.h"
#include "fnv.h"
#include "names.h"
#include "unpack.h"

enum { ID_MAX = 60, DEPTH_MAX = 8, FOUND_MAX = 4000, SHOWN_MAX = 6 };

/* ---- one entry of the class's folder --------------------------------------------------------- */

/* How long the name is without the archive's extension; 0 when it is no archive's. */
static size_t archive_stem(const char *name) {
  static const char *const endings[] = {".zip", ".tar.gz", ".tgz", ".tar"};
  size_t length = strlen(name);
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
    size_t n = strlen(endings[i]);
    if (length > n && strcasecmp(name + length - n, endings[i]) == 0) return length - n;
  }
  return 0;
}

static bool is_other_archive(const char *name) {
  static const char *const endings[] = {".rar", ".7z", ".gz", ".xz", ".bz2", ".zst"};
  size_t length = strlen(name);
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
    size_t n = strlen(endings[i]);
    if (length > n && strcasecmp(name + length - n, endings[i]) == 0) return true;
  }
  return false;
}

/* The parts of a name that Canvas gave: doejane_LATE_1234_567890_partition.cu */
typedef struct CanvasName {
  size_t who;           /* length of "doejane" */
  const char *number;   /* "1234", */
  size_t number_length; /* without what follows */
  const char *file;     /* "partition.cu" */
  bool late;
} CanvasName;

static bool skip_number(const char **at) {
  const char *s = *at;
  while (isdigit((unsigned char)*s)) s++;
  if (s == *at || *s != '_') return false;
  *at = s + 1;
  return true;
}

static bool parse_canvas(CanvasName *c, const char *name) {
  *c = (CanvasName){.who = strcspn(name, "_")};
  const char *at = name + c->who;
  if (c->who == 0 || *at++ != '_') return false;
  c->late = strncmp(at, "LATE_", 5) == 0;
  if (c->late) at += 5;
  c->number = at;
  if (!skip_number(&at)) return false;
  c->number_length = (size_t)(at - c->number) - 1;
  if (!skip_number(&at) || !*at) return false;
  c->file = at;
  return true;
}

/* Plain ASCII for a folder of ours: what had to be replaced leaves a mark of the whole name, so
 * that two names never become one. */
static const char *make_id(Arena *arena, const char *name) {
  char id[ID_MAX + 1];
  size_t n = 0;
  bool same = isalnum((unsigned char)*name) != 0;
  for (const char *c = name; *c; c++) {
    bool good = isalnum((unsigned char)*c) || *c == '_' || *c == '.' || *c == '-';
    if (n == ID_MAX || !good) same = false;
    if (n == ID_MAX) break;
    id[n] = good && (n > 0 || isalnum((unsigned char)*c)) ? *c : '_';
    n++;
  }
  id[n] = '\0';
  if (same) return arena_strndup(arena, id, n);
  return arena_printf(arena, "%s~%08x", id, (unsigned)fnv_bytes(FNV_START, name, strlen(name)));
}

static Handin *add_handin(Handins *out, Arena *arena, HandinKind kind, const char *name,
                          size_t length) {
  ARENA_GROW(arena, out->items, out->count, out->capacity);
  Handin *h = &out->items[out->count++];
  *h = (Handin){.kind = kind, .name = arena_strndup(arena, name, length)};
  h->id = make_id(arena, h->name);
  return h;
}

static void add_path(Handin *h, Arena *arena, const char *path) {
  ARENA_GROW(arena, h->paths, h->path_count, h->path_capacity);
  h->paths[h->path_count++] = path;
}

/* The student that Canvas means; several files belong to one. */
static Handin *canvas_handin(Handins *out, Arena *arena, const char *name, const CanvasName *c,
                             HandinKind kind) {
  const char *number = arena_strndup(arena, c->number, c->number_length);
  const char *who = arena_printf(arena, "%.*s_%s", (int)c->who, name, number);
  Handin *h = NULL;
  for (size_t i = 0; i < out->count && kind == HANDIN_FILES; i++)
    if (out->items[i].kind == kind && strcmp(out->items[i].name, who) == 0) h = &out->items[i];
  if (!h) h = add_handin(out, arena, kind, who, strlen(who));
  h->number = number;
  h->late = h->late || c->late;
  return h;
}

static void add_file(Handins *out, Arena *arena, const char *path, const char *name) {
  CanvasName c;
  bool canvas = parse_canvas(&c, name);
  size_t stem = archive_stem(name);
  Handin *h = NULL;
  if (canvas)
    h = canvas_handin(out, arena, name, &c, stem ? HANDIN_ARCHIVE : HANDIN_FILES);
  else if (stem)
    h = add_handin(out, arena, HANDIN_ARCHIVE, name, stem);
  else if (is_other_archive(name))
    h = add_handin(out, arena, HANDIN_REFUSED, name, strlen(name));
  else
    text_add(&out->remarks, "%s: no folder and no archive, so nobody's work\n", name);
  if (h && h->kind == HANDIN_REFUSED)
    h->refusal = "archives must be zip, tar or tar.gz; please hand it in again as one of these";
  if (h) add_path(h, arena, path);
}

static void add_entry(Handins *out, Arena *arena, const char *folder, const char *name) {
  const char *path = arena_printf(arena, "%s/%s", folder, name);
  struct stat info;
  if (is_litter(name) || strcmp(name, ".") == 0 || strcmp(name, "..") == 0) return;
  if (strcmp(name, "__MACOSX") == 0 || lstat(path, &info) != 0) return;
  if (S_ISDIR(info.st_mode)) {
    add_path(add_handin(out, arena, HANDIN_FOLDER, name, strlen(name)), arena, path);
  } else if (S_ISREG(info.st_mode)) {
    add_file(out, arena, path, name);
  } else {
    Handin *h = add_handin(out, arena, HANDIN_REFUSED, name, strlen(name));
    h->refusal = S_ISLNK(info.st_mode) ? "it is a link; hand in the files themselves"
                                       : "it is neither a folder nor a file";
    add_path(h, arena, path);
  }
}

static int compare_names(const void *a, const void *b) {
  const Handin *x = a, *y = b;
  int order = strcmp(x->name, y->name);
  return order ? order : strcmp(x->paths[0], y->paths[0]);
}

/* alice/ and alice.zip are two submissions: the later ones keep their whole name. */
static void part_twins(Handins *out, Arena *arena) {
  for (size_t i = 1, first = 0; i < out->count; i++) {
    Handin *h = &out->items[i];
    if (strcmp(h->name, out->items[first].name) != 0) {
      first = i;
      continue;
    }
    h->name = base_name(h->paths[0]);
    h->id = make_id(arena, h->name);
    text_add(&out->remarks, "%s: the same student as %s? Both are graded\n", h->name,
             base_name(out->items[first].paths[0]));
  }
}

gpu_result handins_find(Handins *out, Arena *arena, const char *folder, Text *err) {
  DIR *dir = opendir(folder);
  *out = (Handins){0};
  if (!dir) return fail(err, "cannot open the folder %s: %s", folder, strerror(errno));
  for (const struct dirent *entry; (entry = readdir(dir));)
    add_entry(out, arena, folder, entry->d_name);
  closedir(dir);
  if (out->count == 0)
    return fail(err, "%s holds no submissions: a folder or an archive for each student is expected",
                folder);
  qsort(out->items, out->count, sizeof *out->items, compare_names);
  part_twins(out, arena);
  return GPU_OK;
}

gpu_result handin_at(Handin *out, Arena *arena, const char *path, Text *err) {
  struct stat info;
  if (stat(path, &info) != 0) return fail(err, "%s: %s", path, strerror(errno));
  *out = (Handin){.kind = S_ISDIR(info.st_mode) ? HANDIN_FOLDER : HANDIN_ARCHIVE,
                  .name = base_name(path),
                  .id = make_id(arena, base_name(path))};
  add_path(out, arena, path);
  return GPU_OK;
}

/* ---- what lies in one submission ------------------------------------------------------------- */

static void add_found(FoundList *out, Arena *arena, Found found) {
  ARENA_GROW(arena, out->items, out->count, out->capacity);
  out->items[out->count++] = found;
}

/* Links are listed and not followed. */
static void walk(FoundList *out, Arena *arena, const char *folder, const char *inner, int depth) {
  DIR *dir = opendir(folder);
  if (!dir) return;
  for (const struct dirent *entry; (entry = readdir(dir)) && out->count < FOUND_MAX;) {
    const char *name = entry->d_name;
    struct stat info;
    if (is_litter(name) || strcmp(name, ".") == 0 || strcmp(name, "..") == 0) continue;
    const char *path = arena_printf(arena, "%s/%s", folder, name);
    const char *shown = arena_printf(arena, "%s%s", inner, name);
    if (lstat(path, &info) != 0) continue;
    if (!S_ISDIR(info.st_mode))
      add_found(out, arena, (Found){shown, path, S_ISLNK(info.st_mode)});
    else if (depth < DEPTH_MAX && strcmp(name, "__MACOSX") != 0)
      walk(out, arena, path, arena_printf(arena, "%s/", shown), depth + 1);
  }
  closedir(dir);
}

static const char *const *wanted_names(Arena *arena, const Lab *labs, size_t count) {
  const char **names = ARENA_ARRAY(arena, const char *, count *FILES_MAX + 1);
  size_t n = 0;
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < labs[i].file_count; k++) {
      bool known = false;
      for (size_t j = 0; j < n; j++) known = known || strcmp(names[j], labs[i].files[k]) == 0;
      if (!known) names[n++] = labs[i].files[k];
    }
  return names;
}

static void list_files(FoundList *out, Arena *arena, const Handin *h) {
  for (size_t i = 0; i < h->path_count; i++) {
    CanvasName c;
    const char *name = base_name(h->paths[i]);
    if (parse_canvas(&c, name)) add_found(out, arena, (Found){c.file, h->paths[i], false});
  }
}

static int compare_found(const void *a, const void *b) {
  return strcmp(((const Found *)a)->path, ((const Found *)b)->path);
}

static gpu_result find_files(FoundList *out, Arena *arena, const Handin *h, const Lab *labs,
                             size_t count, const char *unpacked, SandboxKind sandbox, Text *err) {
  gpu_result result = GPU_OK;
  *out = (FoundList){0};
  switch (h->kind) {
  case HANDIN_FOLDER: walk(out, arena, h->paths[0], "", 0); break;
  case HANDIN_FILES: list_files(out, arena, h); break;
  case HANDIN_REFUSED: return fail(err, "%s", h->refusal);
  case HANDIN_ARCHIVE:
    result = make_folders(unpacked, err);
    if (result == GPU_OK)
      result =
          unpack(out, arena, h->paths[0], unpacked, wanted_names(arena, labs, count), sandbox, err);
    break;
  }
  if (out->count) qsort(out->items, out->count, sizeof *out->items, compare_found);
  return result;
}

/* ---- choosing -------------------------------------------------------------------------------- */

static int depth_of(const char *path) {
  int depth = 0;
  for (; *path; path++) depth += *path == '/';
  return depth;
}

static bool in_lab_folder(const Lab *lab, const char *path) {
  return path_has_folder(path, lab->folder) || path_has_folder(path, lab->slug);
}

static bool any_in_lab_folder(const FoundList *files, const Lab *lab) {
  for (size_t i = 0; i < files->count; i++)
    if (in_lab_folder(lab, files->items[i].path)) return true;
  return false;
}

/* The best match: a file before a link, the better name, the less deep; of several that are equal
 * the last, which of "partition-1.cu" and "partition-2.cu" is the newer one. *rivals counts those
 * of the same worth. */
static const Found *choose(const FoundList *files, const Lab *lab, const char *name, bool inside,
                           int *rivals) {
  const Found *best = NULL;
  int best_worth = INT32_MAX;
  *rivals = 0;
  for (size_t i = 0; i < files->count; i++) {
    const Found *f = &files->items[i];
    int rank = is_litter(f->path) ? -1 : name_rank(base_name(f->path), name);
    if (rank < 0 || (!f->file && !f->link) || (inside && !in_lab_folder(lab, f->path))) continue;
    int worth = (f->link ? 10000 : 0) + rank * 1000 + depth_of(f->path);
    if (worth > best_worth) continue;
    *rivals = worth == best_worth ? *rivals + 1 : 0;
    best_worth = worth;
    best = f;
  }
  return best;
}

static void note_missing(Text *notes, const FoundList *files, const char *name) {
  text_add(notes, "%s: was not handed in", name);
  size_t shown = 0;
  for (size_t i = 0; i < files->count && shown < SHOWN_MAX; i++)
    if (!is_litter(files->items[i].path))
      text_add(notes, "%s%s", shown++ ? ", " : "; there is ", files->items[i].path);
  if (shown == SHOWN_MAX) text_add(notes, ", ...");
  text_add(notes, "\n");
}

static gpu_result copy_file(const Found *f, const char *name, const char *folder, Arena *arena,
                            Text *notes, Text *err) {
  Text text = {0}, why = {0};
  gpu_result result = GPU_OK;
  if (f->link)
    text_add(notes, "%s: is a link; hand in the file itself\n", f->path);
  else if (read_student_file(f->file, f->path, &text, &why) != GPU_OK)
    text_add(notes, "%s\n", why.data);
  else
    result = write_file(arena_printf(arena, "%s/%s", folder, name), text.data, text.length, err);
  text_free(&text);
  text_free(&why);
  return result;
}

static void note_choice(Text *notes, const Found *f, const char *name, int rivals) {
  if (rivals > 0)
    text_add(notes, "%s: %d files would fit; graded is %s\n", name, rivals + 1, f->path);
  else if (name_rank(base_name(f->path), name) > 0)
    text_add(notes, "%s: graded is %s\n", name, f->path);
}

/* All files of one lab. Without a folder of the lab's name, its files may lie anywhere, if it is
 * the only lab in question. */
static gpu_result collect_lab(const FoundList *files, Arena *arena, const Lab *lab, bool only,
                              const char *target, Text *notes, Text *err) {
  bool inside = any_in_lab_folder(files, lab);
  if (!inside && !only) return GPU_OK; /* not handed in */
  const char *folder = arena_printf(arena, "%s/%s", target, lab->folder);
  gpu_result result = make_folders(folder, err);
  for (size_t i = 0; i < lab->file_count && result == GPU_OK; i++) {
    int rivals;
    const Found *f = choose(files, lab, lab->files[i], inside, &rivals);
    if (!f) {
      note_missing(notes, files, lab->files[i]);
      continue;
    }
    note_choice(notes, f, lab->files[i], rivals);
    result = copy_file(f, lab->files[i], folder, arena, notes, err);
  }
  return result;
}

gpu_result handin_collect(const Handin *h, Arena *arena, const Lab *labs, size_t count,
                          const char *target, SandboxKind sandbox, Text *notes, Text *err) {
  FoundList files;
  Text why = {0};
  const char *unpacked = arena_printf(arena, "%s.unpacked", target);
  remove_tree(target);
  remove_tree(unpacked);
  gpu_result result = make_folders(target, err);
  if (result != GPU_OK) return result;
  result = find_files(&files, arena, h, labs, count, unpacked, sandbox, &why);
  if (result == GPU_BAD_INPUT) text_add(notes, "%s: %s\n", base_name(h->paths[0]), text_str(&why));
  if (result == GPU_INTERNAL) fail(err, "%s", text_str(&why));
  for (size_t i = 0; i < count && result == GPU_OK; i++)
    result = collect_lab(&files, arena, &labs[i], count == 1, target, notes, err);
  remove_tree(unpacked);
  text_free(&why);
  return result == GPU_INTERNAL ? result : GPU_OK;
}
