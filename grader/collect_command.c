/* collect_command.c - `grade collect LAB FROM DIR`: the lab's files, out of what a platform passes
 * on: a folder, however messy, or an archive. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "handin.h"
#include "options.h"
#include "report.h"
#include "result.h"

/* The tidy folder lies in a new one beside DIR, and then takes DIR's place. */
static gpu_result collect_into(const Handin *h, const Lab *lab, Arena *arena, const char *folder,
                               Text *err) {
  Text notes = {0};
  const char *work = arena_printf(arena, "%s.collected", folder);
  gpu_result result = handin_collect(h, arena, lab, 1, work, sandbox_probe(), &notes, err);
  const char *tidy = arena_printf(arena, "%s/%s", work, lab->folder);
  if (result == GPU_OK) result = make_folders(tidy, err); /* there is none of a broken archive */
  if (result == GPU_OK && rename(tidy, folder) != 0) result = cannot(err, "make", folder);
  remove_tree(work);
  Text shown = {0};
  if (notes.length) report_foreign(&shown, 0, notes.data);
  fputs(text_str(&shown), stderr);
  text_free(&notes);
  text_free(&shown);
  return result;
}

int collect_command(const Options *o, Course *course, Text *err) {
  Lab *lab = NULL;
  Handin h;
  gpu_result result = course_lab(&lab, course, o->words[0], err);
  if (result == GPU_OK) result = lab_load(lab, course, err);
  if (result == GPU_OK) result = handin_at(&h, course->arena, o->words[1], err);
  if (result == GPU_OK) result = collect_into(&h, lab, course->arena, o->words[2], err);
  return (int)status_of_result(result);
}
