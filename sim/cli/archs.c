/* cli/archs.c - `warpsim archs`: the architectures, and what the file of one says. */
#include <string.h>

#include "cli/options.h"

enum { MESSAGE = 16384 };

/* ---- all ----------------------------------------------------------------------------------- */

/* The columns of the list: keys of the file. */
static const char *const list_keys[] = {
    "compute",           "sm_count",   "sub_cores", "max_warps_per_sm",
    "max_blocks_per_sm", "divergence", "title"};
enum { LIST_KEYS = sizeof list_keys / sizeof *list_keys };

typedef struct Listing {
  bool json;
  size_t count;
  char values[LIST_KEYS][128];
  Text *err;
} Listing;

static void keep_listed(void *context, const gpu_arch_value *v) {
  Listing *l = context;
  for (size_t i = 0; i < LIST_KEYS; i++)
    if (strcmp(v->key, list_keys[i]) == 0)
      snprintf(l->values[i], sizeof l->values[i], "%s", v->value);
}

static void print_listed_json(const Listing *l, const char *name) {
  Text t = {0};
  text_add(&t, "%s{\"name\":", l->count ? "," : "[");
  json_string(&t, name);
  for (size_t i = 0; i < LIST_KEYS; i++) {
    text_add(&t, ",\"%s\":", list_keys[i]);
    json_string(&t, l->values[i]);
  }
  printf("%s}", text_str(&t));
  text_free(&t);
}

static void print_listed(const Listing *l, const char *name) {
  if (l->count == 0) printf("%-10s  compute   SMs  sub-cores  warps  blocks  model  GPU\n", "name");
  printf("%-10s  %7s  %4s  %9s  %5s  %6s  %-5s  %s\n", name, l->values[0], l->values[1],
         l->values[2], l->values[3], l->values[4], l->values[5], l->values[6]);
}

static void list_one(void *context, const char *name) {
  Listing *l = context;
  char message[MESSAGE];
  if (gpu_arch_values(name, keep_listed, l, message, sizeof message) != GPU_OK) {
    fail(l->err, "%s", message);
    return;
  }
  if (l->json)
    print_listed_json(l, name);
  else
    print_listed(l, name);
  l->count++;
}

static gpu_result list_all(bool json, Text *err) {
  char message[MESSAGE];
  Listing l = {.json = json, .err = err};
  gpu_result r = gpu_arch_names(list_one, &l, message, sizeof message);
  if (r != GPU_OK) return fail_as(err, r, message);
  if (json) printf("%s]\n", l.count ? "" : "[");
  return err->length ? GPU_BAD_INPUT : GPU_OK;
}

/* ---- one ----------------------------------------------------------------------------------- */

typedef struct Printing {
  bool json;
  size_t count;
  char section[32];
} Printing;

static void print_value_json(const Printing *p, const gpu_arch_value *v) {
  const char *const names[] = {"section", "key", "value", "unit", "meaning", "source"};
  const char *const texts[] = {v->section, v->key, v->value, v->unit, v->meaning, v->source};
  Text t = {0};
  text_add(&t, "%s", p->count ? ",\n" : "[");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    text_add(&t, "%s\"%s\":", i ? "," : "{", names[i]);
    json_string(&t, texts[i]);
  }
  printf("%s}", text_str(&t));
  text_free(&t);
}

static void print_value_text(Printing *p, const gpu_arch_value *v) {
  if (strcmp(p->section, v->section) != 0) {
    printf("%s[%s]\n", p->count ? "\n" : "", v->section);
    snprintf(p->section, sizeof p->section, "%s", v->section);
  }
  printf("  %-26s = %-14s %s\n", v->key, v->value, v->unit);
  printf("      %s\n", v->meaning);
  if (*v->source) printf("      source: %s\n", v->source);
}

static void print_value(void *context, const gpu_arch_value *v) {
  Printing *p = context;
  if (p->json)
    print_value_json(p, v);
  else
    print_value_text(p, v);
  p->count++;
}

static gpu_result print_one(const char *name, bool json, Text *err) {
  char message[MESSAGE];
  Printing p = {.json = json};
  gpu_result r = gpu_arch_values(name, print_value, &p, message, sizeof message);
  if (r != GPU_OK) return fail_as(err, r, message);
  if (json) printf("]\n");
  return GPU_OK;
}

gpu_result archs_command(const Options *o, Text *err) {
  return o->word_count ? print_one(o->words[0], o->json, err) : list_all(o->json, err);
}
