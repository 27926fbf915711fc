/* names.c - the names that files and students really have. */
#include "names.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* What is left after "-2", "_2", " (2)", "(2)" or " copy"; at itself when there is none of them. */
static const char *skip_copy_mark(const char *at) {
  const char *s = at;
  if (strncasecmp(s, " copy", 5) == 0) return s + 5;
  while (*s == ' ' || *s == '-' || *s == '_') s++;
  bool bracket = *s == '(';
  if (bracket) s++;
  const char *digits = s;
  while (isdigit((unsigned char)*s)) s++;
  if (s == digits || (!bracket && digits == at)) return at;
  if (bracket && *s++ != ')') return at;
  return s;
}

int name_rank(const char *name, const char *wanted) {
  if (strcmp(name, wanted) == 0) return 0;
  if (strcasecmp(name, wanted) == 0) return 1;
  const char *dot = strrchr(wanted, '.');
  size_t stem = dot ? (size_t)(dot - wanted) : strlen(wanted), whole = strlen(wanted);
  if (strncasecmp(name, wanted, whole) == 0 && strcasecmp(name + whole, ".txt") == 0) return 2;
  if (strncasecmp(name, wanted, stem) != 0) return -1;
  return strcasecmp(skip_copy_mark(name + stem), wanted + stem) == 0 ? 2 : -1;
}

bool path_has_folder(const char *path, const char *name) {
  size_t length = strlen(name);
  for (const char *slash; (slash = strchr(path, '/')); path = slash + 1)
    if ((size_t)(slash - path) == length && strncasecmp(path, name, length) == 0) return true;
  return false;
}

bool is_litter(const char *path) {
  for (;;) {
    bool self = (path[0] == '.' && (path[1] == '/' || path[1] == '\0'));
    bool parent = path[0] == '.' && path[1] == '.' && (path[2] == '/' || path[2] == '\0');
    if (path[0] == '.' && !self && !parent) return true;
    if (strncmp(path, "__MACOSX/", 9) == 0) return true;
    path = strchr(path, '/');
    if (!path) return false;
    path++;
  }
}
