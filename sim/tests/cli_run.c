#include "tests/cli_run.h"

#include <criterion/criterion.h>
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char *slurp(FILE *in) {
  enum { MOST = 64 << 20 };
  char *text = malloc(MOST);
  cr_assert(text, "out of memory");
  size_t length = fread(text, 1, MOST - 1, in);
  cr_assert_lt(length, MOST - 1, "too much output");
  text[length] = '\0';
  return text;
}

CliRun cli_run(const char *arguments, ...) {
  char words[4096], command[8192], errors[] = "/tmp/warpsim-test-XXXXXX";
  va_list args;
  va_start(args, arguments);
  vsnprintf(words, sizeof words, arguments, args);
  va_end(args);
  int fd = mkstemp(errors);
  cr_assert(fd >= 0, "no temporary file");
  snprintf(command, sizeof command, "cd '%s/sim/tests/cli' && '%s/warpsim' %s 2>%s", WARPBOOK_ROOT,
           WARPBOOK_BUILD, words, errors);
  FILE *pipe = popen(command, "r");
  cr_assert(pipe, "cannot start %s", command);
  CliRun run = {.out = slurp(pipe)};
  int status = pclose(pipe);
  cr_assert(WIFEXITED(status), "warpsim %s ended by a signal", words);
  run.status = WEXITSTATUS(status);
  FILE *err = fdopen(fd, "r");
  run.err = slurp(err);
  fclose(err);
  unlink(errors);
  return run;
}

void cli_free(CliRun *run) {
  free(run->out);
  free(run->err);
}

void expect_has(const char *text, const char *part) {
  cr_assert(strstr(text, part), "'%s' is not in:\n%s", part, text);
}

/* ---- JSON: each function returns what follows the value, or NULL ---- */

static const char *json_value(const char *s);

static const char *blanks(const char *s) { return s + strspn(s, " \t\r\n"); }

static const char *json_string(const char *s) {
  if (*s++ != '"') return NULL;
  for (; *s != '"'; s++) {
    if ((unsigned char)*s < ' ') return NULL;
    if (*s != '\\') continue;
    s++;
    if (*s == 'u') {
      for (int i = 1; i <= 4; i++)
        if (!isxdigit((unsigned char)s[i])) return NULL;
      s += 4;
    } else if (!*s || !strchr("\"\\/bfnrt", *s)) {
      return NULL;
    }
  }
  return s + 1;
}

static const char *json_number(const char *s) {
  if (*s == '-') s++;
  size_t digits = strspn(s, "0123456789");
  if (digits == 0 || (digits > 1 && *s == '0')) return NULL;
  s += digits;
  if (*s == '.') {
    if (!isdigit((unsigned char)s[1])) return NULL;
    s += 1 + strspn(s + 1, "0123456789");
  }
  if (*s != 'e' && *s != 'E') return s;
  s++;
  if (*s == '+' || *s == '-') s++;
  return isdigit((unsigned char)*s) ? s + strspn(s, "0123456789") : NULL;
}

/* The members of an object (named) or the elements of an array. */
static const char *json_items(const char *s, char close, bool named) {
  s = blanks(s + 1);
  if (*s == close) return s + 1;
  for (;;) {
    if (named) {
      s = json_string(blanks(s));
      if (!s) return NULL;
      s = blanks(s);
      if (*s++ != ':') return NULL;
    }
    s = json_value(s);
    if (!s) return NULL;
    s = blanks(s);
    if (*s == close) return s + 1;
    if (*s++ != ',') return NULL;
  }
}

static const char *json_value(const char *s) {
  static const char *const words[] = {"true", "false", "null"};
  s = blanks(s);
  if (*s == '{') return json_items(s, '}', true);
  if (*s == '[') return json_items(s, ']', false);
  if (*s == '"') return json_string(s);
  for (size_t i = 0; i < 3; i++)
    if (strncmp(s, words[i], strlen(words[i])) == 0) return s + strlen(words[i]);
  return json_number(s);
}

bool is_json(const char *text) {
  const char *end = json_value(text);
  return end && *blanks(end) == '\0';
}
