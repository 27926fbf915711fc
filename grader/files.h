/* files.h - reading what strangers wrote, writing so that a kill leaves nothing half done. */
#ifndef WARPBOOK_GRADER_FILES_H
#define WARPBOOK_GRADER_FILES_H

#include "base/arena.h"
#include "cli/text.h"

enum { STUDENT_FILE_MAX = 1 << 20 }; /* bytes */

/* Fills err with "cannot WHAT PATH: why" from errno; returns GPU_INTERNAL. */
gpu_result cannot(Text *err, const char *what, const char *path);

/* Reads a file that a student handed in. GPU_BAD_INPUT with a message for the student, which calls
 * it `name`, when it is missing, no plain file, larger than 1 MiB, or not a text. */
gpu_result read_student_file(const char *path, const char *name, Text *text, Text *err);

/* The file's text in the arena; "" when it cannot be read. */
const char *read_or_empty(Arena *arena, const char *path);

/* Writes a file; GPU_INTERNAL when that fails. */
gpu_result write_file(const char *path, const char *text, size_t length, Text *err);
/* The same, in one step: whoever looks sees the old file or the new one, even after a kill. */
gpu_result write_file_whole(const char *path, const Text *text, Text *err);

/* Makes the folder, and those above it that are missing. */
gpu_result make_folders(const char *path, Text *err);
/* Removes a folder with all that is in it; links are not followed. */
void remove_tree(const char *path);

bool is_folder(const char *path);

/* The path of a program that lies in the same folder as the running one. */
const char *beside_program(Arena *arena, const char *name);

#endif
