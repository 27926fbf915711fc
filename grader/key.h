/* key.h - what a result follows from, as one short text: the same key, the same score. */
#ifndef WARPBOOK_GRADER_KEY_H
#define WARPBOOK_GRADER_KEY_H

#include "lab.h"

/* The version of the compiler that scores are official with. */
#define OFFICIAL_COMPILER "Debian clang version 14.0.6"

/* The compiler's version, in the arena; "" when there is none. Starts it: ask once. */
const char *key_compiler(Arena *arena);

/* Of everything but the submission: the suites, the CUDA headers, the architectures, the compiler
 * of that version, the course's key. Reads them all: ask once. */
uint64_t key_of_course(const Course *course, const char *compiler);

/* Of one lab, which is loaded, and of its files in `folder`, given the course's; `student` is NULL
 * unless answers.txt is not asked for it. In the arena. */
const char *key_of_lab(const Course *course, uint64_t course_key, const Lab *lab,
                       const char *folder, const char *student);

/* GPU_INTERNAL with a message when the compiler of that version is not the official one. */
gpu_result key_check_compiler(const char *compiler, Text *err);

#endif
