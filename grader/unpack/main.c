/* unpack/main.c - takes the wanted files out of an archive (see ../unpack.h).
 *
 *   unpack ARCHIVE FOLDER NAME...
 *
 * Runs in the sandbox. libarchive does the reading; only zip and tar are enabled, plain or through
 * gzip. Entries' names are listed and compared, never used as the name of a file. */
#include <archive.h>
#include <archive_entry.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "../files.h"
#include "../json.h"
#include "../names.h"
#include "../unpack.h"

enum {
  ENTRIES_MAX = 20000,
  FILES_MAX_OUT = 200,
  READ_MAX = 256 << 20, /* bytes that come out of the archive, wanted or not */
  LISTED_MAX = 400      /* entries that are no wanted files and are still listed */
};

typedef struct Unpacker {
  struct archive *archive;
  const char *folder;
  char **wanted;
  FILE *list;
  unsigned entries, files, listed;
  const char *trouble; /* why it stopped; NULL while all is well */
} Unpacker;

static bool is_wanted(const Unpacker *u, const char *path) {
  if (is_litter(path)) return false;
  for (char **name = u->wanted; *name; name++)
    if (name_rank(base_name(path), *name) >= 0) return true;
  return false;
}

static void put_line(const Unpacker *u, Text *line) {
  fprintf(u->list, "%s\n", line->data);
  text_free(line);
}

static void list_entry(const Unpacker *u, const char *path, bool link, const char *file) {
  Text line = {0};
  json_open(&line, NULL, '{');
  json_add_string(&line, "path", path);
  json_add_bool(&line, "link", link);
  json_add_string(&line, "file", file);
  json_close(&line, '}');
  put_line(u, &line);
}

/* Keeps one byte more than a student's file may have, so that whoever reads it sees that it is too
 * large. */
static bool copy_data(Unpacker *u, FILE *out) {
  char block[65536];
  la_ssize_t n;
  size_t kept = 0;
  while (kept <= STUDENT_FILE_MAX &&
         (n = archive_read_data(u->archive, block, sizeof block)) != 0) {
    if (n < 0) return false;
    if (fwrite(block, 1, (size_t)n, out) != (size_t)n) return false;
    kept += (size_t)n;
  }
  return true;
}

static void take_file(Unpacker *u, const char *path) {
  char place[4096], name[16];
  if (u->files == FILES_MAX_OUT) {
    u->trouble = "it holds too many files of the names that are asked for";
    return;
  }
  snprintf(name, sizeof name, "%u", u->files++);
  snprintf(place, sizeof place, "%s/%s", u->folder, name);
  FILE *out = fopen(place, "wbx");
  bool good = out && copy_data(u, out);
  if (out) good = fclose(out) == 0 && good;
  if (good)
    list_entry(u, path, false, name);
  else
    u->trouble =
        "it is damaged, protected by a password, or packed in a way that is not known here";
}

static void take_entry(Unpacker *u, struct archive_entry *entry) {
  const char *path = archive_entry_pathname_utf8(entry);
  if (!path) path = archive_entry_pathname(entry);
  if (!path) path = "?";
  bool link = archive_entry_filetype(entry) == AE_IFLNK || archive_entry_hardlink(entry);
  bool regular = !link && archive_entry_filetype(entry) == AE_IFREG;
  if (archive_entry_size(entry) > READ_MAX)
    u->trouble = "a file in it is larger than 256 MiB";
  else if (++u->entries > ENTRIES_MAX)
    u->trouble = "it holds more than 20000 files";
  else if (regular && is_wanted(u, path))
    take_file(u, path);
  else if ((regular || link) && !is_litter(path) && u->listed++ < LISTED_MAX)
    list_entry(u, path, link, NULL);
}

static void read_entries(Unpacker *u) {
  struct archive_entry *entry;
  while (!u->trouble) {
    int result = archive_read_next_header(u->archive, &entry);
    if (result == ARCHIVE_EOF) break;
    if (result < ARCHIVE_WARN) /* a warning is about a name or a date */
      u->trouble = u->entries ? "it is damaged: it breaks off or contradicts itself"
                              : "it is no zip, tar or tar.gz, or it is damaged";
    else
      take_entry(u, entry);
    if (archive_filter_bytes(u->archive, 0) > READ_MAX)
      u->trouble = "it unpacks to more than 256 MiB";
  }
  if (!u->trouble && u->entries == 0) u->trouble = "it is empty";
}

static bool open_archive(struct archive *a, const char *path) {
  return archive_read_support_filter_gzip(a) == ARCHIVE_OK &&
         archive_read_support_format_zip(a) == ARCHIVE_OK &&
         archive_read_support_format_tar(a) == ARCHIVE_OK &&
         archive_read_support_format_empty(a) == ARCHIVE_OK &&
         archive_read_open_filename(a, path, 65536) == ARCHIVE_OK;
}

static int finish(const Unpacker *u) {
  Text line = {0};
  json_open(&line, NULL, '{');
  json_add_bool(&line, "end", true);
  json_add_string(&line, "message", u->trouble);
  json_close(&line, '}');
  put_line(u, &line);
  return fclose(u->list) == 0 ? 0 : 3;
}

int main(int argc, char **argv) {
  char path[4096];
  if (argc < 4) {
    fprintf(stderr, "usage: unpack ARCHIVE FOLDER NAME...\n");
    return 2;
  }
  setlocale(LC_CTYPE, "C.UTF-8");
  snprintf(path, sizeof path, "%s/" UNPACK_LIST, argv[2]);
  Unpacker u = {.archive = archive_read_new(),
                .folder = argv[2],
                .wanted = argv + 3,
                .list = fopen(path, "wbx")};
  if (!u.archive || !u.list) {
    perror(path);
    return 3;
  }
  if (open_archive(u.archive, argv[1]))
    read_entries(&u);
  else
    u.trouble = "it is no zip, tar or tar.gz, or it is damaged";
  archive_read_free(u.archive);
  return finish(&u);
}
