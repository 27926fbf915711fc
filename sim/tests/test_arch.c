/* Architecture files: the built-in ones, and what is said about a wrong one. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "timing/arch.h"

static Arch built_in(const char *name) {
  Arch arch;
  ErrorBuffer err;
  error_init(&err);
  cr_assert(arch_load(&arch, name, &err), "%s", err.text);
  error_release(&err);
  return arch;
}

/* Loads a file with this text; *message gets what is wrong, "" when nothing is. */
static bool load_text(const char *text, Arch *arch, char *message, size_t size) {
  char path[] = "/tmp/test-XXXXXX.arch";
  int fd = mkstemps(path, 5);
  cr_assert(fd >= 0);
  cr_assert_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
  close(fd);
  ErrorBuffer err;
  error_init(&err);
  bool ok = arch_load(arch, path, &err);
  snprintf(message, size, "%s", ok ? "" : err.text);
  error_release(&err);
  unlink(path);
  return ok;
}

/* The text is refused, and the message has all of these parts (NULL ends them). */
static void expect_refused(const char *text, const char *const parts[]) {
  char message[4096];
  Arch arch;
  cr_assert(!load_text(text, &arch, message, sizeof message), "accepted: %s", text);
  for (; *parts; parts++) cr_assert(strstr(message, *parts), "no '%s' in:\n%s", *parts, message);
  cr_assert_eq(arch.max_warps_per_sm, 0, "a refused file leaves the architecture zero");
}
#define REFUSED(text, ...) expect_refused((text), (const char *const[]){__VA_ARGS__, NULL})

/* ---- what is built in ------------------------------------------------------------------------ */

typedef struct Found {
  size_t count;
  char names[512];
} Found;

static void collect(void *context, const char *name) {
  Found *f = context;
  ErrorBuffer err;
  ArchNotes *notes = malloc(sizeof *notes);
  Arch arch;
  error_init(&err);
  cr_assert(arch_load_with_notes(&arch, notes, name, &err), "%s", err.text);
  cr_assert_str_eq(arch.name, name);
  for (size_t i = 0; i < ARCH_KEYS; i++)
    cr_assert(arch_keys[i].type == ARCH_TEXT || *notes->text[i], "%s: %s has no source", name,
              arch_keys[i].name);
  strcat(strcat(f->names, name), " ");
  f->count++;
  error_release(&err);
  free(notes);
}

Test(arch, every_built_in_file_loads_and_names_the_source_of_every_number) {
  Found f = {0, ""};
  ErrorBuffer err;
  error_init(&err);
  cr_assert(arch_list(collect, &f, &err), "%s", err.text);
  cr_assert_str_eq(f.names, "a100 fermi h100 h200 p100 rtx3080 rtx4090 t4 textbook v100 ");
  error_release(&err);
}

Test(arch, limits_are_those_of_the_vendor) {
  static const struct {
    const char *name;
    uint32_t compute, sms, warps, blocks, shared, optin;
  } rows[] = {
      {"p100", 60, 56, 64, 32, 64 << 10, 48 << 10},
      {"v100", 70, 80, 64, 32, 96 << 10, 96 << 10},
      {"t4", 75, 40, 32, 16, 64 << 10, 64 << 10},
      {"a100", 80, 108, 64, 32, 164 << 10, 163 << 10},
      {"rtx3080", 86, 68, 48, 16, 100 << 10, 99 << 10},
      {"rtx4090", 89, 128, 48, 24, 100 << 10, 99 << 10},
      {"h100", 90, 132, 64, 32, 228 << 10, 227 << 10},
      {"h200", 90, 132, 64, 32, 228 << 10, 227 << 10},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Arch a = built_in(rows[i].name);
    cr_assert_eq(a.compute, rows[i].compute, "%s", a.name);
    cr_assert_eq(a.sm_count, rows[i].sms, "%s", a.name);
    cr_assert_eq(a.max_warps_per_sm, rows[i].warps, "%s", a.name);
    cr_assert_eq(a.max_threads_per_sm, rows[i].warps * 32, "%s", a.name);
    cr_assert_eq(a.max_blocks_per_sm, rows[i].blocks, "%s", a.name);
    cr_assert_eq(a.max_shared_per_sm, rows[i].shared, "%s", a.name);
    cr_assert_eq(a.max_shared_per_block_optin, rows[i].optin, "%s", a.name);
    cr_assert_eq(a.max_shared_per_block, 48 << 10, "%s", a.name);
    cr_assert_eq(a.registers_per_sm, 65536, "%s", a.name);
    cr_assert_eq(a.max_threads_per_block, 1024, "%s", a.name);
    cr_assert_eq(a.max_block_dim[2], 64, "%s", a.name);
    cr_assert_eq(a.max_grid_dim[0], 2147483647u, "%s", a.name);
    cr_assert_eq(a.max_grid_dim[2], 65535, "%s", a.name);
  }
}

Test(arch, stack_before_volta_and_program_counters_a_thread_from_then_on) {
  cr_assert_eq(arch_model(&(Arch){.divergence = GPU_MODEL_ITS}), GPU_MODEL_ITS);
  const char *const stack[] = {"textbook", "fermi", "p100"};
  const char *const its[] = {"v100", "t4", "a100", "rtx3080", "rtx4090", "h100", "h200"};
  for (size_t i = 0; i < sizeof stack / sizeof *stack; i++) {
    Arch a = built_in(stack[i]);
    cr_assert_eq(arch_model(&a), GPU_MODEL_STACK, "%s", stack[i]);
  }
  for (size_t i = 0; i < sizeof its / sizeof *its; i++) {
    Arch a = built_in(its[i]);
    cr_assert_eq(arch_model(&a), GPU_MODEL_ITS, "%s", its[i]);
  }
}

Test(arch, the_textbook_machine_has_the_documents_numbers) {
  Arch a = built_in("textbook");
  cr_assert_eq(a.latency_dram, 500);
  cr_assert_eq(a.latency_l1, 500);
  cr_assert_eq(a.latency_shuffle, 1);
  cr_assert_eq(a.latency_barrier, 20);
  cr_assert_eq(a.launch_us, 10);
  cr_assert_eq(a.max_warps_per_sm, 64);
  cr_assert_eq(a.max_blocks_per_sm, 32);
  cr_assert_eq(a.registers_per_sm, 65536);
  cr_assert_eq(a.max_shared_per_sm, 164 * 1024);
  cr_assert_eq(a.sub_cores, 1);
}

Test(arch, an_a100_has_2048_threads_for_64_cores_and_its_warps_take_2_cycles_on_16_lanes) {
  Arch a = built_in("a100");
  cr_assert_eq(a.sub_cores * a.lanes_fp32, 64);
  cr_assert_eq(a.max_threads_per_sm / (a.sub_cores * a.lanes_fp32), 32);
  cr_assert_eq(arch_lane_cycles(a.lanes_fp32), 2);
}

/* ---- files of one's own ---------------------------------------------------------------------- */

Test(arch, a_file_may_give_only_what_differs_from_another) {
  Arch a;
  char message[4096];
  cr_assert(load_text("like = h200  # all the rest\n\n[limits]\nmax_warps_per_sm = 168 # B9\n"
                      "max_shared_per_sm = 228K\n[units]\nlanes_fp32=0.5",
                      &a, message, sizeof message),
            "%s", message);
  cr_assert_eq(a.max_warps_per_sm, 168);
  cr_assert_eq(a.max_shared_per_sm, 228 * 1024);
  cr_assert_eq(a.lanes_fp32, 0.5);
  cr_assert_eq(arch_lane_cycles(a.lanes_fp32), 64);
  cr_assert_eq(a.sm_count, 132);
  cr_assert_eq(strncmp(a.name, "test-", 5), 0);
}

Test(arch, what_is_printed_can_be_read_back) {
  Arch a = built_in("t4"), b;
  char text[16384] = "", value[ARCH_TEXT_MAX], message[4096];
  const char *section = "";
  for (size_t i = 0; i < ARCH_KEYS; i++) {
    size_t used = strlen(text);
    bool heading = strcmp(section, arch_keys[i].section) != 0;
    section = arch_keys[i].section;
    snprintf(text + used, sizeof text - used, "%s%s%s%s = %s\n", heading ? "[" : "",
             heading ? section : "", heading ? "]\n" : "", arch_keys[i].name,
             arch_value_text(&a, &arch_keys[i], value, sizeof value));
  }
  cr_assert(load_text(text, &b, message, sizeof message), "%s", message);
  memcpy(b.name, a.name, sizeof b.name);
  for (size_t i = 0; i < ARCH_KEYS; i++) {
    char other[ARCH_TEXT_MAX];
    cr_assert_str_eq(arch_value_text(&a, &arch_keys[i], value, sizeof value),
                     arch_value_text(&b, &arch_keys[i], other, sizeof other));
  }
}

Test(arch, an_unknown_name_lists_the_names) {
  Arch a;
  ErrorBuffer err;
  error_init(&err);
  cr_assert(!arch_load(&a, "h20", &err));
  cr_assert(strstr(err.text, "did you mean 'h200'?"), "%s", err.text);
  cr_assert(strstr(err.text, "a100 fermi h100"), "%s", err.text);
  cr_assert(!arch_load(&a, "../arch/h200", &err));
  cr_assert(!arch_load(&a, "", &err));
  cr_assert(!arch_load(&a, "/nowhere/at/all.arch", &err));
  cr_assert(strstr(err.text, "cannot be read"), "%s", err.text);
  cr_assert(!arch_load(&a, "/", &err));
  error_release(&err);
}

Test(arch, the_environment_names_another_folder) {
  Arch a;
  ErrorBuffer err;
  error_init(&err);
  setenv("WARPBOOK_ARCH", "/nowhere", 1);
  cr_assert(!arch_load(&a, "h200", &err));
  cr_assert(strstr(err.text, "/nowhere"), "%s", err.text);
  setenv("WARPBOOK_ARCH", WARPBOOK_ROOT "/sim/arch", 1);
  cr_assert(arch_load(&a, "h200", &err), "%s", err.text);
  error_release(&err);
}

/* ---- what is wrong in a file ----------------------------------------------------------------- */

Test(arch, a_wrong_key_is_shown_with_line_and_caret_and_the_nearest_key) {
  REFUSED("like = h200\n[units]\n  lanes_fp23 = 4\n", ":3:3: error: there is no key 'lanes_fp23'",
          "    3 |", "^", "did you mean 'lanes_fp32'?");
}

Test(arch, a_wrong_section_is_shown_with_the_nearest) {
  REFUSED("like = h200\n[limit]\n", ":2:2: error: there is no section 'limit'",
          "did you mean 'limits'?");
  REFUSED("like = h200\n[limits\n", ":2:1: error: a section's heading ends with ]");
}

Test(arch, a_key_belongs_to_its_section) {
  REFUSED("like = h200\n[memory]\nmax_warps_per_sm = 64\n",
          ":3:1:", "max_warps_per_sm belongs under [limits]");
  REFUSED("like = h200\nmax_warps_per_sm = 64\n", "belongs under [limits]");
}

Test(arch, a_key_stands_once) {
  REFUSED("like = h200\n[general]\nsm_count = 1\nsm_count = 2\n",
          ":4:1:", "was given in line 3 already");
}

Test(arch, values_are_checked) {
  REFUSED("like = h200\n[general]\nsm_count = many\n", ":3:12:", "needs a number");
  REFUSED("like = h200\n[general]\nsm_count = 1.5\n", "needs a whole number");
  REFUSED("like = h200\n[general]\nsm_count = 4 SMs\n", ":3:14:", "there is more behind");
  REFUSED("like = h200\n[general]\nsm_count =\n", "has no value");
  REFUSED("like = h200\n[general]\nsm_count 4\n", "expected `key = value`");
  REFUSED("like = h200\n[general]\nsm_count = 0\n", "must lie between 1 and 1024 SMs");
  REFUSED("like = h200\n[general]\nsm_count = 99999999999999999999999999\n", "must lie between");
  REFUSED("like = h200\n[general]\ncompute = 9\n", "needs major.minor");
  REFUSED("like = h200\n[limits]\nmax_block_dim = 1024, 64\n", "needs three numbers");
  REFUSED("like = h200\n[limits]\nwarp_size = 64\n", "warp_size must be 32");
  REFUSED("like = h200\n[model]\ndivergence = lockstep\n", "one of: stack its");
  REFUSED("like = h200\n[units]\nlanes_fp32 = -1\n", "needs a number");
  REFUSED("like = h200\n[units]\nlanes_fp32 = nan\n", "needs a number");
}

Test(arch, keys_must_not_contradict_one_another) {
  REFUSED("like = h200\n[limits]\nmax_shared_per_block_optin = 300K\n",
          "max_shared_per_block_optin (307200) must not be more than max_shared_per_sm (233472)");
}

Test(arch, missing_keys_are_named) {
  REFUSED("[limits]\nwarp_size = 32\n", "keys are missing: title in [general]", "like = NAME");
  REFUSED("", "keys are missing");
}

Test(arch, like_is_checked) {
  REFUSED("like = h20\n", "did you mean 'h200'?", "says `like = h20`");
  REFUSED("like = h200\nlike = a100\n", "stands once");
  REFUSED("[general]\nlike = h200\n", "before the first section");
  REFUSED("like =\n", "like has no value");
}

Test(arch, files_that_stand_on_one_another_in_a_circle_are_refused) {
  FILE *file = fopen("/tmp/test-circle.arch", "w");
  Arch a;
  ErrorBuffer err;
  error_init(&err);
  fputs("like = /tmp/test-circle.arch\n", file);
  fclose(file);
  cr_assert(!arch_load(&a, "/tmp/test-circle.arch", &err));
  cr_assert(strstr(err.text, "too many files stand on one another"), "%s", err.text);
  unlink("/tmp/test-circle.arch");
  error_release(&err);
}

Test(arch, any_bytes_are_survived) {
  Arch a;
  char message[4096], text[512];
  uint32_t seed = 1;
  for (int round = 0; round < 300; round++) {
    const char *start = round % 2 ? "like = h200\n[limits]\nmax_block_dim = " : "";
    size_t n = strlen(start);
    memcpy(text, start, n);
    for (; n < sizeof text - 1; n++) {
      seed = seed * 1664525u + 1013904223u;
      text[n] = (char)((seed >> 24) % 255 + 1);
      if (seed >> 8 & 1) text[n] = "[]=#,. \n0123456789K"[(seed >> 9) % 19];
    }
    text[n] = '\0';
    load_text(text, &a, message, sizeof message);
  }
}
