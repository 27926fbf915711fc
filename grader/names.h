/* names.h - the names that files and students really have. */
#ifndef WARPBOOK_GRADER_NAMES_H
#define WARPBOOK_GRADER_NAMES_H

#include <stdbool.h>

/* How well a file's name fits the wanted one: 0 the same, 1 but for upper and lower case, 2 with
 * what a browser or a platform adds ("partition (1).cu", "partition-2.cu", "partition.cu.txt");
 * -1 not at all. */
int name_rank(const char *name, const char *wanted);

/* The part after the last slash. */
const char *base_name(const char *path);

/* Whether one of the folders in the path (not its last part) has the name, case aside. */
bool path_has_folder(const char *path, const char *name);

/* What no person made: "._x", ".DS_Store", "__MACOSX/x", hidden files and folders. */
bool is_litter(const char *path);

#endif
