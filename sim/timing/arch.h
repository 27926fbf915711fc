/*
 * timing/arch.h - what one GPU is made of: limits, units, latencies, as read from a text file.
 *
 * An architecture file is a list of `key = value  # source` under [section] headings; the table
 * arch.def says which keys there are. A file may begin with `like = NAME`: every key that it does
 * not give is then that architecture's. The files of the built-in architectures lie in sim/arch;
 * the environment variable WARPBOOK_ARCH names another folder to look in.
 */
#ifndef WARPBOOK_TIMING_ARCH_H
#define WARPBOOK_TIMING_ARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "gpu.h"

enum { ARCH_NAME_MAX = 32, ARCH_TEXT_MAX = 96, ARCH_NOTE_MAX = 256 };

/* ---- the architecture ------------------------------------------------------------------------ */

/* A plain value: copy it, change it, forget it. Its fields are explained in arch.def. */
typedef struct Arch {
  char name[ARCH_NAME_MAX]; /* "h200": the file's name without folder and .arch */
#define ARCH_FIELD_TEXT(key) char key[ARCH_TEXT_MAX]
#define ARCH_FIELD_VERSION(key) uint32_t key
#define ARCH_FIELD_COUNT(key) uint32_t key
#define ARCH_FIELD_DIM(key) uint32_t key[3]
#define ARCH_FIELD_REAL(key) double key
#define ARCH_FIELD_MODEL(key) gpu_model key
#define X(section, key, type, unit, min, max, meaning) ARCH_FIELD_##type(key);
#include "timing/arch.def"
#undef X
#undef ARCH_FIELD_TEXT
#undef ARCH_FIELD_VERSION
#undef ARCH_FIELD_COUNT
#undef ARCH_FIELD_DIM
#undef ARCH_FIELD_REAL
#undef ARCH_FIELD_MODEL
} Arch;

/* Reads a built-in architecture by name, or a file: a name with a '/' or that ends in ".arch" is a
 * path. False with a message in *err: an unknown name (the names there are are listed), or what is
 * wrong in the file, with line and caret. *out is then zero. */
bool arch_load(Arch *out, const char *name_or_path, ErrorBuffer *err);

/* The divergence model of this GPU. */
static inline gpu_model arch_model(const Arch *a) { return a->divergence; }
/* Cycles a unit with this many lanes is taken by one warp instruction. */
static inline double arch_lane_cycles(double lanes) { return lanes >= 32 ? 1 : 32 / lanes; }

/* Calls `each` with the name of every built-in architecture, in alphabetical order. False with a
 * message when the folder cannot be read. */
bool arch_list(void (*each)(void *context, const char *name), void *context, ErrorBuffer *err);

/* ---- its keys, for printing ------------------------------------------------------------------ */

typedef enum ArchType {
  ARCH_TEXT,
  ARCH_VERSION,
  ARCH_COUNT,
  ARCH_DIM,
  ARCH_REAL,
  ARCH_MODEL
} ArchType;

typedef struct ArchKey {
  const char *section, *name;
  ArchType type;
  size_t offset; /* of the field in struct Arch */
  const char *unit;
  double min, max;
  const char *meaning;
} ArchKey;

enum {
#define X(section, key, type, unit, min, max, meaning) ARCH_KEY_##key,
#include "timing/arch.def"
#undef X
  ARCH_KEYS
};
extern const ArchKey arch_keys[ARCH_KEYS];

/* Where each value comes from: the comment behind it in the file, "" when there is none. A value
 * taken over by `like = NAME` has "as NAME: " before it. */
typedef struct ArchNotes {
  char text[ARCH_KEYS][ARCH_NOTE_MAX];
} ArchNotes;

/* arch_load that keeps the notes, too. */
bool arch_load_with_notes(Arch *out, ArchNotes *notes, const char *name_or_path, ErrorBuffer *err);
/* The value of a key as a file would have it; returns `buffer`. */
const char *arch_value_text(const Arch *arch, const ArchKey *key, char *buffer, size_t size);

#endif
