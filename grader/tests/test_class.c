/* tests/test_class.c - grading a class: what students really hand in, what they should not, kills,
 * and what comes out. */
#include <archive.h>
#include <archive_entry.h>
#include <criterion/criterion.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../files.h"
#include "run.h"

/* ---- a class's folder ------------------------------------------------------------------------ */

typedef struct Class {
  char root[64], in[80], out[80];
  char *source, *answers; /* the solution's */
} Class;

static void begin_class(Class *c) {
  *c = (Class){.root = "/tmp/grader-class-XXXXXX"};
  cr_assert(mkdtemp(c->root));
  snprintf(c->in, sizeof c->in, "%s/in", c->root);
  snprintf(c->out, sizeof c->out, "%s/out", c->root);
  cr_assert(mkdir(c->in, 0700) == 0);
  c->source = course_file("solutions/01-partition/partition.cu");
  c->answers = course_file("solutions/01-partition/answers.txt");
}

static void end_class(Class *c) {
  remove_tree(c->root);
  free(c->source);
  free(c->answers);
}

static void in_class(const Class *c, char *path, const char *name) {
  cr_assert(snprintf(path, 512, "%s/%s", c->in, name) < 512);
}

/* Writes a file of the class, and the folders that it lies in. */
static void hand_in(const Class *c, const char *name, const char *text) {
  char path[512];
  Text err = {0};
  in_class(c, path, name);
  char *slash = strrchr(path, '/');
  *slash = '\0';
  cr_assert(make_folders(path, &err) == GPU_OK, "%s", text_str(&err));
  *slash = '/';
  cr_assert(write_file(path, text, strlen(text), &err) == GPU_OK, "%s", text_str(&err));
}

static void hand_in_solution(const Class *c, const char *student) {
  char name[256];
  snprintf(name, sizeof name, "%s/partition.cu", student);
  hand_in(c, name, c->source);
  snprintf(name, sizeof name, "%s/answers.txt", student);
  hand_in(c, name, c->answers);
}

/* ---- archives -------------------------------------------------------------------------------- */

typedef struct Entry {
  const char *path, *text; /* text NULL: `size` zero bytes */
  size_t size;
  const char *link; /* what a symbolic link names */
} Entry;

static void add_entry(struct archive *a, const Entry *e) {
  static const char zeros[65536];
  struct archive_entry *entry = archive_entry_new();
  size_t size = e->text ? strlen(e->text) : e->size;
  archive_entry_set_pathname(entry, e->path);
  archive_entry_set_perm(entry, 0644);
  archive_entry_set_filetype(entry, e->link ? AE_IFLNK : AE_IFREG);
  if (e->link) archive_entry_set_symlink(entry, e->link);
  archive_entry_set_size(entry, e->link ? 0 : (la_int64_t)size);
  cr_assert(archive_write_header(a, entry) == ARCHIVE_OK, "%s", archive_error_string(a));
  for (size_t at = 0; at < size && !e->link;) {
    size_t n = e->text || size - at < sizeof zeros ? size - at : sizeof zeros;
    cr_assert(archive_write_data(a, e->text ? e->text : zeros, n) == (la_ssize_t)n);
    at += n;
  }
  archive_entry_free(entry);
}

/* A zip or a tar.gz, as the name says; the entries end with one without path. */
static void hand_in_archive(const Class *c, const char *name, const Entry *entries) {
  char path[512];
  struct archive *a = archive_write_new();
  in_class(c, path, name);
  if (strstr(name, ".zip"))
    archive_write_set_format_zip(a);
  else
    archive_write_set_format_ustar(a), archive_write_add_filter_gzip(a);
  cr_assert(archive_write_open_filename(a, path) == ARCHIVE_OK);
  for (; entries->path; entries++) add_entry(a, entries);
  cr_assert(archive_write_close(a) == ARCHIVE_OK);
  archive_write_free(a);
}

/* ---- grading and asking ---------------------------------------------------------------------- */

static char *read_out(const Class *c, const char *name) {
  char path[512];
  size_t length;
  Text err = {0};
  snprintf(path, sizeof path, "%s/%s", c->out, name);
  char *text = read_file(path, &length, &err);
  cr_assert(text, "%s", text_str(&err));
  return text;
}

static GradeRun grade_class(const Class *c, const char *jobs) {
  GradeRun run = RUN("partition", "--class", c->in, "--out", c->out, "--jobs", jobs);
  expect_status(&run, 0);
  return run;
}

/* The gradebook as JSON, in the run's arena. */
static const Json *gradebook(const Class *c, GradeRun *run) {
  char *text = read_out(c, "gradebook.json");
  const Json *book = json_parse(run->arena, text, strlen(text));
  cr_assert(book, "no JSON: %s", text);
  free(text);
  return book;
}

static const Json *student(const Json *book, const char *name) {
  for (const Json *s = json_get(book, "students")->first; s; s = s->next)
    if (strcmp(json_get_string(s, "name", ""), name) == 0) return s;
  cr_assert_fail("no student '%s'", name);
  return NULL;
}

/* -1 without a score. */
static double points(const Json *book, const char *name) {
  return json_get_number(json_get(student(book, name), "labs")->first, "points", -1);
}

static void expect_note(const Json *book, const char *name, const char *note) {
  const char *notes = json_get_string(student(book, name), "notes", "");
  cr_assert(strstr(notes, note), "%s: '%s' is missing in: %s", name, note, notes);
}

/* ---- what students hand in ------------------------------------------------------------------- */

Test(class, folders_archives_and_strange_names_are_graded) {
  Class c;
  begin_class(&c);
  hand_in_solution(&c, "plain");
  hand_in_solution(&c, "J\xc3\xb6rg M\xc3\xbcller (2nd try)/deep/er");
  hand_in(&c, "browser/Partition (1).CU", c.source);
  hand_in(&c, "browser/answers.txt.txt", c.answers);
  hand_in(&c, "doejane_LATE_1234_777_partition-2.cu", c.source);
  hand_in(&c, "doejane_1234_778_answers.txt", c.answers);
  hand_in(&c, "zoe/partition.cu", c.source); /* and no answers */
  hand_in(&c, "zoe/big.bin", "extra");
  hand_in(&c, ".DS_Store", "litter");
  hand_in(&c, "readme.txt", "not a submission");
  hand_in_archive(&c, "zipped.zip",
                  (Entry[]){{"a b/partition.cu", c.source, 0, NULL},
                            {"a b/answers.txt", c.answers, 0, NULL},
                            {"__MACOSX/a b/._partition.cu", "litter", 0, NULL},
                            {0}});
  hand_in_archive(&c, "tarred.tar.gz",
                  (Entry[]){{"01-partition/partition.cu", c.source, 0, NULL},
                            {"01-partition/answers.txt", c.answers, 0, NULL},
                            {0}});
  GradeRun run = grade_class(&c, "2");
  const Json *book = gradebook(&c, &run);
  cr_expect(points(book, "plain") == 100);
  cr_expect(points(book, "J\xc3\xb6rg M\xc3\xbcller (2nd try)") == 100);
  cr_expect(points(book, "browser") == 100);
  cr_expect(points(book, "doejane_1234") == 100);
  cr_expect(json_get_bool(student(book, "doejane_1234"), "late", false));
  cr_expect_str_eq(json_get_string(student(book, "doejane_1234"), "number", ""), "1234");
  cr_expect(points(book, "zipped") == 100 && points(book, "tarred") == 100);
  cr_expect(points(book, "zoe") == 90);
  expect_note(book, "zoe", "answers.txt: was not handed in; there is big.bin");
  expect_note(book, "browser", "graded is Partition (1).CU");
  expect_text(&run, "7 students, 1 lab: 7 scored");
  expect_text(&run, "readme.txt: no folder and no archive");
  run_end(&run);
  end_class(&c);
}

Test(class, empty_and_broken_submissions_have_no_score_and_a_reason) {
  Class c;
  char path[512];
  begin_class(&c);
  in_class(&c, path, "empty");
  cr_assert(mkdir(path, 0700) == 0);
  hand_in(&c, "zero.zip", "");
  hand_in(&c, "garbage.tar.gz", "this is no archive at all, is it");
  hand_in(&c, "other.rar", "Rar!");
  hand_in(&c, "blank/partition.cu", "");
  hand_in(&c, "syntax/partition.cu", "__device__ int (");
  GradeRun run = grade_class(&c, "2");
  const Json *book = gradebook(&c, &run);
  static const char *const names[] = {"empty", "zero", "garbage", "other.rar", "syntax"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    cr_expect(points(book, names[i]) == -1, "%s has a score", names[i]);
  expect_note(book, "empty", "partition.cu: was not handed in");
  expect_note(book, "zero", "it is empty");
  expect_note(book, "garbage", "no zip, tar or tar.gz");
  expect_note(book, "other.rar", "hand it in again");
  cr_expect(points(book, "blank") == 0); /* it compiles, and has nothing */
  run_end(&run);
  end_class(&c);
}

Test(class, alice_and_alice_zip_are_both_graded) {
  Class c;
  begin_class(&c);
  hand_in_solution(&c, "alice");
  hand_in_archive(&c, "alice.zip", (Entry[]){{"partition.cu", c.source, 0, NULL}, {0}});
  hand_in_archive(&c, "alice.tar.gz", (Entry[]){{"answers.txt", c.answers, 0, NULL}, {0}});
  GradeRun run = grade_class(&c, "2");
  const Json *book = gradebook(&c, &run);
  cr_expect(points(book, "alice") == 100 && points(book, "alice.zip") == 90);
  cr_expect(points(book, "alice.tar.gz") == -1);
  expect_text(&run, "the same student as alice?");
  run_end(&run);
  end_class(&c);
}

/* ---- what they should not -------------------------------------------------------------------- */

Test(class, links_are_not_followed) {
  Class c;
  char path[512];
  begin_class(&c);
  hand_in_solution(&c, "alice");
  hand_in(&c, "linked/note", "");
  in_class(&c, path, "linked/partition.cu");
  cr_assert(symlink("../alice/partition.cu", path) == 0);
  in_class(&c, path, "linked/answers.txt");
  cr_assert(symlink("/etc/passwd", path) == 0);
  in_class(&c, path, "whole");
  cr_assert(symlink("alice", path) == 0);
  in_class(&c, path, "loop");
  cr_assert(mkdir(path, 0700) == 0);
  in_class(&c, path, "loop/inner");
  cr_assert(symlink("..", path) == 0);
  hand_in_archive(&c, "archive.tar.gz",
                  (Entry[]){{"d", NULL, 0, "/tmp"},
                            {"d/partition.cu", c.source, 0, NULL},
                            {"partition.cu", NULL, 0, "/etc/passwd"},
                            {0}});
  GradeRun run = grade_class(&c, "2");
  const Json *book = gradebook(&c, &run);
  cr_expect(points(book, "linked") == -1 && points(book, "whole") == -1);
  cr_expect(points(book, "loop") == -1);
  expect_note(book, "linked", "partition.cu: is a link");
  expect_note(book, "whole", "it is a link");
  char *page = read_out(&c, "students/linked/report.html");
  cr_expect(!strstr(page, "root:"));
  free(page);
  cr_expect(access("/tmp/partition.cu", F_OK) != 0);
  run_end(&run);
  end_class(&c);
}

Test(class, an_archive_writes_nowhere_else) {
  Class c;
  char evil[128];
  begin_class(&c);
  snprintf(evil, sizeof evil, "%s/evil/partition.cu", c.root);
  hand_in_archive(
      &c, "up.zip",
      (Entry[]){{"../../../../../../../../tmp/grader-evil/partition.cu", c.source, 0, NULL},
                {"../answers.txt", c.answers, 0, NULL},
                {0}});
  hand_in_archive(&c, "absolute.tar.gz", (Entry[]){{evil, c.source, 0, NULL}, {0}});
  GradeRun run = grade_class(&c, "2");
  const Json *book = gradebook(&c, &run);
  cr_expect(access(evil, F_OK) != 0 && access("/tmp/grader-evil", F_OK) != 0);
  /* The files themselves are there, under whatever name. */
  cr_expect(points(book, "up") == 100 && points(book, "absolute") == 90);
  run_end(&run);
  end_class(&c);
}

Test(class, bombs_do_not_go_off) {
  Class c;
  begin_class(&c);
  hand_in_archive(&c, "bomb.zip", (Entry[]){{"partition.cu", NULL, 300u << 20, NULL}, {0}});
  hand_in_archive(
      &c, "deep.tar.gz",
      (Entry[]){{"other.bin", NULL, 300u << 20, NULL}, {"partition.cu", c.source, 0, NULL}, {0}});
  Entry many[301] = {{0}};
  for (int i = 0; i < 300; i++) many[i] = (Entry){"x/partition.cu", NULL, 2u << 20, NULL};
  hand_in_archive(&c, "many.zip", many);
  GradeRun run = grade_class(&c, "2");
  const Json *book = gradebook(&c, &run);
  cr_expect(points(book, "bomb") == -1 && points(book, "deep") == -1 && points(book, "many") == -1);
  expect_note(book, "bomb", "larger than");
  expect_note(book, "deep", "larger than 256 MiB");
  expect_note(book, "many", "too many files");
  run_end(&run);
  end_class(&c);
}

/* ---- what comes out -------------------------------------------------------------------------- */

Test(class, no_cell_is_a_formula_and_no_name_is_markup) {
  Class c;
  begin_class(&c);
  hand_in_solution(&c, "=HYPERLINK(\"x\")");
  hand_in_solution(&c, "<script>alert(1)<");
  hand_in_solution(&c, "\033[31mred\t+1");
  GradeRun run = grade_class(&c, "2");
  char *csv = read_out(&c, "gradebook.csv"), *page = read_out(&c, "index.html"),
       *junit = read_out(&c, "junit.xml");
  cr_expect(strstr(csv, "\"'=HYPERLINK(\"\"x\"\")\""), "%s", csv);
  cr_expect(!strchr(csv, '\033') && !strchr(page, '\033') && !strchr(junit, '\033'));
  cr_expect(!strstr(page, "<script") && strstr(page, "&lt;script&gt;alert(1)&lt;"));
  cr_expect(!strstr(junit, "<script"));
  cr_expect(strncmp(csv, "Student,ID,SIS User ID,SIS Login ID,Section,", 44) == 0);
  cr_expect(strstr(csv, "\n    Points Possible,,,,,100\n"));
  free(csv);
  free(page);
  free(junit);
  run_end(&run);
  end_class(&c);
}

Test(class, reports_show_mistakes_and_keep_hidden_cases) {
  Class c;
  begin_class(&c);
  char *mutant = course_file("grader/mutants/01-partition/mask-always-full.cu");
  hand_in(&c, "bob/partition.cu", mutant);
  hand_in(&c, "bob/answers.txt", c.answers);
  GradeRun run = grade_class(&c, "1");
  char *page = read_out(&c, "students/bob/report.html"), *index = read_out(&c, "index.html"),
       *results = read_out(&c, "students/bob/results.json");
  cr_expect(strstr(page, "active_mask(48, 1)") && strstr(page, "A hidden test"));
  cr_expect(strstr(index, "<b>idle-lanes</b>") && strstr(index, "Masks of the last warp"));
  const Json *json = json_parse(run.arena, results, strlen(results));
  const Json *lab = json_get(json, "labs")->first;
  cr_expect(strstr(json_get_string(lab, "compiler", ""), "clang"));
  cr_expect(strncmp(json_get_string(lab, "ptx_hash", ""), "fnv1a:", 6) == 0);
  for (const Json *t = json_get(lab, "tests")->first; t; t = t->next) {
    const char *call = json_get_string(t, "call", NULL);
    if (json_get_bool(t, "hidden", false) && call)
      cr_expect(!strstr(page, call), "the hidden %s is shown", call);
  }
  free(mutant);
  free(page);
  free(index);
  free(results);
  run_end(&run);
  end_class(&c);
}

Test(class, any_number_of_jobs_gives_the_same_bytes) {
  Class c;
  begin_class(&c);
  hand_in_solution(&c, "alice");
  hand_in(&c, "bob/partition.cu", "__device__ int warps_per_block(int t) { return t / 32; }");
  hand_in(&c, "carl/partition.cu", "not C");
  GradeRun one = grade_class(&c, "1");
  char *first = read_out(&c, "gradebook.json"), *csv = read_out(&c, "gradebook.csv");
  remove_tree(c.out);
  GradeRun three = grade_class(&c, "3");
  char *second = read_out(&c, "gradebook.json"), *again = read_out(&c, "gradebook.csv");
  cr_expect_str_eq(first, second);
  cr_expect_str_eq(csv, again);
  free(first);
  free(second);
  free(csv);
  free(again);
  run_end(&one);
  run_end(&three);
  end_class(&c);
}

/* ---- kills ----------------------------------------------------------------------------------- */

static ino_t inode_of_results(const Class *c, int i) {
  char path[512];
  struct stat info;
  snprintf(path, sizeof path, "%s/students/s%d/results.json", c->out, i);
  return stat(path, &info) == 0 ? info.st_ino : 0;
}

static void start_and_kill(const Class *c, long milliseconds) {
  pid_t child = fork();
  if (child == 0) {
    execl(WARPBOOK_BUILD "/grade", "grade", "partition", "--class", c->in, "--out", c->out,
          "--jobs", "2", (char *)NULL);
    _exit(127);
  }
  struct timespec t = {milliseconds / 1000, milliseconds % 1000 * 1000000};
  nanosleep(&t, NULL);
  kill(child, SIGKILL);
  waitpid(child, NULL, 0);
}

Test(class, after_a_kill_it_goes_on_and_grades_nothing_twice) {
  enum { STUDENTS = 8 };
  Class c;
  char name[64];
  ino_t before[STUDENTS];
  begin_class(&c);
  for (int i = 0; i < STUDENTS; i++) {
    snprintf(name, sizeof name, "s%d", i);
    hand_in_solution(&c, name);
  }
  for (long pause = 20; pause < 1300; pause += 400) start_and_kill(&c, pause);
  size_t done = 0;
  for (int i = 0; i < STUDENTS; i++) done += (before[i] = inode_of_results(&c, i)) != 0;
  GradeRun run = grade_class(&c, "2");
  const Json *book = gradebook(&c, &run);
  for (int i = 0; i < STUDENTS; i++) {
    snprintf(name, sizeof name, "s%d", i);
    cr_expect(points(book, name) == 100);
    cr_expect(!before[i] || inode_of_results(&c, i) == before[i], "%s was graded twice", name);
  }
  cr_log_info("%zu of %d were done when it was killed", done, STUDENTS);
  char work[128];
  snprintf(work, sizeof work, "%s/.work", c.out);
  cr_expect(access(work, F_OK) != 0);
  run_end(&run);
  end_class(&c);
}

Test(class, a_changed_file_is_graded_again) {
  Class c;
  begin_class(&c);
  hand_in_solution(&c, "alice");
  GradeRun first = grade_class(&c, "1");
  hand_in(&c, "alice/answers.txt", "predict_warps = 1\n");
  GradeRun second = grade_class(&c, "1");
  cr_expect(points(gradebook(&c, &second), "alice") == 90);
  run_end(&first);
  run_end(&second);
  end_class(&c);
}

/* ---- bad usage and the grader's own failures ------------------------------------------------- */

Test(class, bad_usage_is_explained) {
  Class c;
  begin_class(&c);
  GradeRun no_out = RUN("partition", "--class", c.in);
  expect_status(&no_out, 2);
  expect_text(&no_out, "--class needs --out");
  GradeRun nobody = RUN("partition", "--class", c.in, "--out", c.out);
  expect_status(&nobody, 2);
  expect_text(&nobody, "holds no submissions");
  hand_in_solution(&c, "alice");
  GradeRun good = grade_class(&c, "1"), all = RUN("--class", c.in, "--out", c.out);
  expect_status(&all, 2);
  expect_text(&all, "holds results of another command");
  GradeRun none = RUN("partition", "--class", c.in, "--out", c.out, "--jobs", "0");
  expect_status(&none, 2);
  run_end(&no_out);
  run_end(&nobody);
  run_end(&good);
  run_end(&all);
  run_end(&none);
  end_class(&c);
}

Test(class, all_labs_are_found_in_folders_of_their_names) {
  Class c;
  begin_class(&c);
  hand_in_solution(&c, "alice/work/Partition");
  GradeRun run = RUN("--class", c.in, "--out", c.out);
  expect_status(&run, 0);
  cr_expect(points(gradebook(&c, &run), "alice") == 100);
  run_end(&run);
  end_class(&c);
}

/* A clang that says that it is another one. */
static void fake_clang(const Class *c) {
  char path[512], search[1024];
  Text err = {0};
  static const char script[] = "#!/bin/sh\n[ \"$1\" = --version ] && echo 'clang version 99.0' && "
                               "exit\nexec /usr/bin/clang \"$@\"\n";
  snprintf(path, sizeof path, "%s/bin", c->root);
  cr_assert(mkdir(path, 0700) == 0);
  snprintf(search, sizeof search, "%s:%s", path, getenv("PATH"));
  setenv("PATH", search, 1);
  snprintf(path, sizeof path, "%s/bin/clang", c->root);
  cr_assert(write_file(path, script, sizeof script - 1, &err) == GPU_OK && chmod(path, 0755) == 0);
}

Test(official, another_compiler_is_refused) {
  Class c;
  begin_class(&c);
  hand_in_solution(&c, "alice");
  GradeRun pinned = RUN("partition", "--solution", "--official");
  expect_status(&pinned, 0);
  fake_clang(&c);
  GradeRun refused = RUN("partition", "--solution", "--official");
  GradeRun class = RUN("partition", "--class", c.in, "--out", c.out, "--official");
  expect_status(&refused, 3);
  expect_status(&class, 3);
  expect_text(&refused, "clang version 99.0");
  expect_no_text(&refused, "Score: 0");
  char key[128];
  Text err = {0};
  snprintf(key, sizeof key, "%s/key", c.root);
  cr_assert(write_file(key, "secret", 6, &err) == GPU_OK);
  setenv("WARPBOOK_COURSE_KEY", key, 1);
  GradeRun keyed = RUN("partition", "--solution");
  expect_status(&keyed, 3);
  run_end(&pinned);
  run_end(&refused);
  run_end(&class);
  run_end(&keyed);
  end_class(&c);
}
