/* main.c - grade: finds the command, runs it, and turns what it returns into an exit status:
 * 0 full marks, 1 fewer, 2 bad usage or nothing that can be graded, 3 an error of the grader. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "result.h"

const Command commands[] = {
    {"", "[LAB [DIR]] [options]", "grade all labs, one lab, or the copy of it in DIR", 0, 2,
     FOR_LAB, grade_command},
    {"new", "LAB DIR", "make a folder to work in, outside the course's own", 2, 2, FOR_NEW,
     new_command},
    {"one", "DIR [LAB]", "grade DIR/submission into DIR/results.json (for scripts)", 1, 2, FOR_ONE,
     one_command},
    {"quiz", "[CHAPTER [QUESTION]]", "answer a chapter's questions, with ever new numbers", 0, 2,
     FOR_QUIZ, quiz_command},
    {"collect", "LAB FROM DIR", "pick the lab's files out of a folder or an archive", 3, 3,
     FOR_COLLECT, collect_command},
    {"help", "", "this text", 0, 0, FOR_HELP, help_command},
};
const size_t command_count = sizeof commands / sizeof *commands;

const Command *find_command(int argc, char **argv) {
  for (size_t i = 1; argc > 1 && i < command_count; i++)
    if (strcmp(argv[1], commands[i].name) == 0) return &commands[i];
  return &commands[0];
}

int help_command(const Options *o, Course *course, Text *err) {
  (void)o, (void)err;
  printf("usage:\n");
  for (size_t i = 0; i < command_count; i++) {
    char usage[64];
    snprintf(usage, sizeof usage, "grade %s%s%s", commands[i].name, *commands[i].name ? " " : "",
             commands[i].usage);
    printf("  %-34s %s\n", usage, commands[i].help);
  }
  printf("\noptions:\n");
  print_options(stdout);
  printf("\nlabs:");
  for (size_t i = 0; i < course->lab_count; i++) printf(" %s", course->labs[i].slug);
  printf("\n\nexit status: 0 full marks, 1 fewer, 2 bad usage or nothing that can be graded yet,\n"
         "3 the grader itself failed\n");
  return GRADE_FULL;
}

static int dispatch(int argc, char **argv, Course *course, Arena *arena, Text *err) {
  Options o;
  const Command *command = find_command(argc, argv);
  gpu_result result = options_parse(&o, command, argc, argv, err);
  if (result == GPU_OK) result = course_open(course, arena, err);
  if (result != GPU_OK) return (int)status_of_result(result);
  return o.help ? help_command(&o, course, err) : command->run(&o, course, err);
}

int main(int argc, char **argv) {
  Course course;
  Text err = {0};
  Arena *arena = arena_new(0);
  int status = GRADE_ERROR;
  if (arena) status = dispatch(argc, argv, &course, arena, &err);
  if (err.length) print_error("grade", err.data);
  text_free(&err);
  if (arena) arena_free(arena);
  return status;
}
