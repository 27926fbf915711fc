/* tests/test_attacks.c - every hostile submission of grader/attacks gets its outcome, shows nothing
 * that it should not, leaves nothing behind and is soon over: in the sandbox and without it. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../classbook.h"
#include "../files.h"
#include "../report.h"
#include "../table.h"
#include "run.h"

#define ATTACKS WARPBOOK_ROOT "/grader/attacks"

enum { ATTACKS_LEAST = 30, SECONDS_MOST = 10, PARTS = 2, PATH_SIZE = 512 };

typedef struct Attack {
  const char *file, *outcome, *says;
} Attack;

typedef struct Trial {
  char root[64]; /* holds: */
  char submission[96], tmp[80],
      cwd[80]; /* what is handed in; where grading works; where it stands */
} Trial;

/* ---- one attack ------------------------------------------------------------------------------ */

static void copy_attack(const Trial *t, const Attack *a) {
  char command[2 * PATH_SIZE];
  bool script = strstr(a->file, ".sh") != NULL;
  if (script)
    snprintf(command, sizeof command, "ROOT='%s' sh '%s/%s' '%s'", WARPBOOK_ROOT, ATTACKS, a->file,
             t->submission);
  else
    snprintf(command, sizeof command, "cp '%s/%s' '%s/partition.cu'", ATTACKS, a->file,
             t->submission);
  cr_assert(system(command) == 0, "%s", a->file); // NOLINT(cert-env33-c): our own files
}

static void begin_trial(Trial *t, const Attack *a) {
  make_folder(t->root, sizeof t->root);
  snprintf(t->submission, sizeof t->submission, "%s/submission", t->root);
  snprintf(t->tmp, sizeof t->tmp, "%s/tmp", t->root);
  snprintf(t->cwd, sizeof t->cwd, "%s/cwd", t->root);
  cr_assert(mkdir(t->submission, 0700) == 0 && mkdir(t->tmp, 0700) == 0 &&
            mkdir(t->cwd, 0700) == 0);
  cr_assert(chdir(t->cwd) == 0 && setenv("TMPDIR", t->tmp, 1) == 0);
  copy_attack(t, a);
}

static size_t count_files(const char *folder) {
  DIR *dir = opendir(folder);
  size_t count = 0;
  cr_assert(dir);
  while (readdir(dir)) count++;
  closedir(dir);
  return count - 2; /* . and .. */
}

static double child_seconds(void) {
  struct rusage used;
  getrusage(RUSAGE_CHILDREN, &used);
  return (double)used.ru_utime.tv_sec + (double)used.ru_stime.tv_sec +
         1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

/* ---- what may not be shown ------------------------------------------------------------------- */

static bool has_control(const char *text) {
  for (; *text; text++)
    if ((unsigned char)*text < ' ' && *text != '\n') return true;
  return false;
}

/* What is shown to people: the terminal, the web page, a CI system. */
static void check_shown(const Submission *s, const Attack *a, Text *wrong) {
  static const char *const secrets[] = {
      "root:x:0", "root:*:", "PATH=",       "(threads + WARP - 1) / WARP", "EXAMINE(", "<script",
      "<img",     "]]>",     "\xe2\x80\xae"};
  Text shown[3] = {{0}};
  ReportStyle style = {.hints = true, .instructor = true};
  Handin handin = {.name = "attacker"};
  ClassStudent student = {.handin = &handin, .notes = "", .result = *s};
  report_lab(&shown[0], &s->labs[0], &style);
  student_html(&shown[1], &student);
  submission_junit(&shown[2], s);
  for (int i = 0; i < 3; i++) {
    if (has_control(text_str(&shown[i]))) text_add(wrong, "%s: a control character\n", a->file);
    for (size_t k = 0; k < sizeof secrets / sizeof *secrets; k++) {
      bool markup = strcspn(secrets[k], "<>") < strlen(secrets[k]);
      if ((i > 0 || !markup) && strstr(text_str(&shown[i]), secrets[k]))
        text_add(wrong, "%s: '%s' is shown\n", a->file, secrets[k]);
    }
  }
  if (*a->says && !strstr(text_str(&shown[0]), a->says))
    text_add(wrong, "%s: '%s' is missing in:\n%s\n", a->file, a->says, text_str(&shown[0]));
  for (int i = 0; i < 3; i++) text_free(&shown[i]);
}

/* ---- the outcome ----------------------------------------------------------------------------- */

static void check_outcome(const GradeRun *run, const Submission *s, const Attack *a, Text *wrong) {
  bool refused = strcmp(a->outcome, "refused") == 0;
  if (run->status != (refused ? GRADE_NOT_GRADABLE : GRADE_BELOW))
    text_add(wrong, "%s: status %d, not %s: %.300s\n", a->file, run->status, a->outcome,
             s->labs[0].message ? s->labs[0].message : "");
  if (!refused && s->labs[0].points != 0)
    text_add(wrong, "%s: %g points\n", a->file, s->labs[0].points);
}

/* Times are those of the processor, which other programs do not change; they are known only
 * without the sandbox, whose processes are nobody's children. */
static void try_attack(const Attack *a, bool sandboxed, Text *wrong) {
  Trial t;
  Submission s;
  begin_trial(&t, a);
  double before = child_seconds();
  GradeRun run = RUN("partition", t.submission, "--json");
  double seconds = child_seconds() - before;
  if (!run.json || !submission_read(&s, run.arena, run.json)) {
    text_add(wrong, "%s: no result: %.300s\n", a->file, text_str(&run.out));
  } else {
    check_outcome(&run, &s, a, wrong);
    check_shown(&s, a, wrong);
  }
  if (!sandboxed && seconds > SECONDS_MOST) text_add(wrong, "%s: took %.1f s\n", a->file, seconds);
  if (count_files(t.tmp) || count_files(t.cwd) || count_files(t.root) != 3)
    text_add(wrong, "%s: left something behind\n", a->file);
  run_end(&run);
  remove_tree(t.root);
}

/* ---- all ------------------------------------------------------------------------------------- */

/* The table lists every file of the folder, and no other. */
static void check_table(const Table *table, Text *wrong) {
  size_t files = count_files(ATTACKS) - 1;
  if (table->row_count != files)
    text_add(wrong, "%zu attacks in the table, %zu in the folder\n", table->row_count, files);
  if (table->row_count < ATTACKS_LEAST) text_add(wrong, "only %zu attacks\n", table->row_count);
}

/* Part `part` of `PARTS`, so that they run side by side. With WARPBOOK_BRIEF, as under the
 * sanitizers, an attack is tried in one of the two ways only. */
static bool is_due(size_t attack, size_t part, bool sandboxed) {
  if (attack % PARTS != part) return false;
  return !getenv("WARPBOOK_BRIEF") || (attack / PARTS % 2 == 0) == sandboxed;
}

static void try_attacks(size_t part, bool sandboxed) {
  Arena *arena = arena_new(0);
  TableFile file;
  const Table *table;
  Text err = {0}, wrong = {0};
  if (!sandboxed) setenv("WARPBOOK_SANDBOX", "limits", 1);
  cr_assert(table_read(&file, arena, ATTACKS "/attacks.tsv", &err) == GPU_OK &&
                table_find(&table, &file, "attack", &err) == GPU_OK && table->column_count == 3,
            "%s", text_str(&err));
  check_table(table, &wrong);
  for (size_t i = 0; i < table->row_count; i++) {
    const char **cells = table->rows[i].cells;
    if (is_due(i, part, sandboxed))
      try_attack(&(Attack){cells[0], cells[1], cells[2]}, sandboxed, &wrong);
  }
  cr_assert(wrong.length == 0, "%s", text_str(&wrong));
  text_free(&err);
  text_free(&wrong);
  arena_free(arena);
}

Test(attacks, all_fail_in_the_sandbox_1) { try_attacks(0, true); }
Test(attacks, all_fail_in_the_sandbox_2) { try_attacks(1, true); }
Test(attacks, all_fail_where_there_is_no_sandbox_1) { try_attacks(0, false); }
Test(attacks, all_fail_where_there_is_no_sandbox_2) { try_attacks(1, false); }
