/* cli/occupancy.c - `warpsim occupancy`: how many blocks an SM holds, every step of the way, or for
 * a table of rows. */
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"

enum { MESSAGE = 16384 };

typedef struct Question {
  uint32_t registers, block, shared;
} Question;

static gpu_result open_device(const char *arch, gpu_device **dev, Text *err) {
  char message[MESSAGE];
  gpu_config config = {.arch = arch};
  gpu_result r = gpu_device_create(dev, &config, message, sizeof message);
  return r == GPU_OK ? r : fail_as(err, r, message);
}

static gpu_result ask(gpu_device *dev, Question q, gpu_occupancy_info *info, Text *err) {
  gpu_result r = gpu_occupancy(dev, q.registers, q.block, q.shared, info);
  return r == GPU_OK ? r : fail_as(err, r, gpu_last_error(dev));
}

/* ---- one, in words ------------------------------------------------------------------------- */

typedef struct Resource {
  unsigned limit;
  const char *name;
} Resource;

static const Resource resources[] = {{GPU_LIMIT_WARPS, "warps"},
                                     {GPU_LIMIT_REGISTERS, "registers"},
                                     {GPU_LIMIT_SHARED, "shared memory"},
                                     {GPU_LIMIT_BLOCKS, "slots for blocks"},
                                     {0, "the smallest of these"}};
enum { RESOURCES = sizeof resources / sizeof *resources };

static void print_steps(const gpu_occupancy_info *info, const Resource *resource) {
  bool titled = false;
  for (size_t i = 0; i < info->step_count; i++) {
    const gpu_occupancy_step *step = &info->steps[i];
    if (step->limit != resource->limit) continue;
    if (!titled) printf("\n%s\n", resource->name);
    titled = true;
    printf("  %-24s  %s\n", step->name, step->text);
  }
}

static void print_answer(const gpu_occupancy_info *info) {
  printf("\n%u block%s of %u warp%s an SM: %u of %u warps, occupancy %.1f%%\n", info->blocks_per_sm,
         info->blocks_per_sm == 1 ? "" : "s", info->warps_per_block,
         info->warps_per_block == 1 ? "" : "s", info->warps_per_sm, info->max_warps_per_sm,
         100 * info->occupancy);
  printf("limited by %s\n", info->limiting_names);
  if (info->blocks_per_sm == 0) printf("not even one block fits: the launch would fail\n");
  for (size_t i = 0; i < info->advice_count; i++)
    printf("%s  %s\n", i ? "" : "\nwhat would raise it:\n", info->advice[i]);
}

static void print_text(const gpu_device *dev, Question q, const gpu_occupancy_info *info) {
  printf("%s: blocks of %u threads", gpu_device_arch(dev), q.block);
  if (q.registers) printf(", %u registers a thread", q.registers);
  printf(", %u bytes of shared memory a block\n", q.shared);
  for (size_t i = 0; i < RESOURCES; i++) print_steps(info, &resources[i]);
  print_answer(info);
}

/* ---- one, in JSON -------------------------------------------------------------------------- */

static void json_limit(Text *t, const char *name, uint32_t blocks) {
  if (blocks == GPU_NO_LIMIT)
    text_add(t, "\"%s\":null,", name);
  else
    text_add(t, "\"%s\":%u,", name, blocks);
}

static void json_steps(Text *t, const gpu_occupancy_info *info) {
  text_add(t, "\"steps\":[");
  for (size_t i = 0; i < info->step_count; i++) {
    text_add(t, "%s{\"name\":", i ? "," : "");
    json_string(t, info->steps[i].name);
    text_add(t, ",\"after\":%llu,\"text\":", (unsigned long long)info->steps[i].after);
    json_string(t, info->steps[i].text);
    text_add(t, "}");
  }
  text_add(t, "],\"advice\":[");
  for (size_t i = 0; i < info->advice_count; i++) {
    if (i) text_add(t, ",");
    json_string(t, info->advice[i]);
  }
  text_add(t, "]}\n");
}

static void print_json(const gpu_device *dev, Question q, const gpu_occupancy_info *info) {
  Text t = {0};
  text_add(&t, "{\"arch\":");
  json_string(&t, gpu_device_arch(dev));
  text_add(&t, ",\"registers\":%u,\"block\":%u,\"shared\":%u,", q.registers, q.block, q.shared);
  text_add(&t, "\"blocks_per_sm\":%u,\"warps_per_block\":%u,\"warps_per_sm\":%u,",
           info->blocks_per_sm, info->warps_per_block, info->warps_per_sm);
  text_add(&t, "\"max_warps_per_sm\":%u,\"occupancy\":%.6f,\"limiting\":\"%s\",",
           info->max_warps_per_sm, info->occupancy, info->limiting_names);
  json_limit(&t, "by_warps", info->by_warps);
  json_limit(&t, "by_registers", info->by_registers);
  json_limit(&t, "by_shared", info->by_shared);
  json_limit(&t, "by_blocks", info->by_blocks);
  json_steps(&t, info);
  fputs(text_str(&t), stdout);
  text_free(&t);
}

static gpu_result answer_one(const Options *o, Text *err) {
  uint64_t threads = (uint64_t)o->block.x * o->block.y;
  if (threads == 0) return fail(err, "--block is missing: the threads of a block");
  if (o->registers == 0) return fail(err, "--regs is missing: the registers of a thread");
  threads = threads > UINT32_MAX ? threads : threads * o->block.z;
  if (threads > UINT32_MAX) return fail(err, "--block: a block of so many threads is absurd");
  Question q = {o->registers, (uint32_t)threads, o->shared};
  gpu_device *dev;
  gpu_occupancy_info info;
  gpu_result r = open_device(o->config.arch, &dev, err);
  if (r != GPU_OK) return r;
  r = ask(dev, q, &info, err);
  if (r == GPU_OK && o->json)
    print_json(dev, q, &info);
  else if (r == GPU_OK)
    print_text(dev, q, &info);
  gpu_device_destroy(dev);
  return r;
}

/* ---- a table ------------------------------------------------------------------------------- */

enum { COL_ARCH, COL_REGISTERS, COL_BLOCK, COL_SHARED, COLUMNS };
static const char *const column_names[COLUMNS] = {"arch", "regs_per_thread", "block",
                                                  "shared_per_block"};

typedef struct Table {
  const Options *options;
  bool has_heading;
  int place[COLUMNS]; /* where the column stands; -1: not there */
  gpu_device *dev;    /* of the last row's architecture, or NULL */
  Text arch;
  size_t bad;
} Table;

/* The n-th word of a line between tabs; empty when there are fewer. */
static Span column(const char *line, int n) {
  for (; n > 0 && *line; n--) {
    line += strcspn(line, "\t");
    line += *line == '\t';
  }
  return (Span){line, strcspn(line, "\t")};
}

/* Where a column stands in the heading; -1 when it does not. */
static int find_column(const char *heading, const char *name) {
  for (int n = 0;; n++) {
    Span word = column(heading, n);
    if (span_is(word, name)) return n;
    if (word.at[word.length] == '\0') return -1;
  }
}

static gpu_result read_heading(Table *t, const char *line, Text *err) {
  t->has_heading = true;
  for (int c = 0; c < COLUMNS; c++) {
    t->place[c] = find_column(line, column_names[c]);
    bool optional = c == COL_ARCH && t->options->config.arch;
    if (t->place[c] < 0 && !optional)
      return fail(err,
                  "the heading has no column '%s'; the columns, separated by tabs, are arch "
                  "regs_per_thread block shared_per_block",
                  column_names[c]);
  }
  printf("%s\tblocks_per_sm\tlimiting_factors\n", line);
  return GPU_OK;
}

static gpu_result read_cell(const Table *t, const char *line, int c, uint32_t least,
                            uint32_t *value, Text *err) {
  Span word = column(line, t->place[c]);
  Text why = {0};
  gpu_result r = parse_u32(word, least, value, &why);
  if (r != GPU_OK) fail_at(err, line, word, "%s: %s", column_names[c], text_str(&why));
  text_free(&why);
  return r;
}

/* Makes the device of the row's architecture, unless the row before had the same. */
static gpu_result choose_device(Table *t, const char *line, Text *err) {
  const char *wanted = t->options->config.arch;
  Span word = span_str(wanted ? wanted : "");
  if (t->place[COL_ARCH] >= 0) word = column(line, t->place[COL_ARCH]);
  if (t->dev && span_is(word, text_str(&t->arch))) return GPU_OK;
  gpu_device_destroy(t->dev);
  t->dev = NULL;
  text_clear(&t->arch);
  text_bytes(&t->arch, word.at, word.length);
  return open_device(text_str(&t->arch), &t->dev, err);
}

static gpu_result answer_row(Table *t, const char *line, Text *err) {
  Question q = {0};
  gpu_occupancy_info info;
  gpu_result r = choose_device(t, line, err);
  if (r == GPU_OK) r = read_cell(t, line, COL_REGISTERS, 0, &q.registers, err);
  if (r == GPU_OK) r = read_cell(t, line, COL_BLOCK, 1, &q.block, err);
  if (r == GPU_OK) r = read_cell(t, line, COL_SHARED, 0, &q.shared, err);
  if (r == GPU_OK) r = ask(t->dev, q, &info, err);
  if (r == GPU_OK) printf("%s\t%u\t%s\n", line, info.blocks_per_sm, info.limiting_names);
  return r;
}

static void answer_line(Table *t, const char *line, unsigned number) {
  Text err = {0};
  gpu_result r = GPU_OK;
  if (line[0] == '#')
    printf("%s\n", line);
  else if (line[0] && !t->has_heading)
    r = read_heading(t, line, &err);
  else if (line[0])
    r = answer_row(t, line, &err);
  if (r != GPU_OK) {
    Text who = {0};
    text_add(&who, "%s:%u", t->options->table, number);
    print_error(text_str(&who), text_str(&err));
    text_free(&who);
    t->bad++;
  }
  text_free(&err);
}

static gpu_result answer_table(const Options *o, Text *err) {
  size_t length;
  char *text = read_file(o->table, &length, err);
  if (!text) return GPU_BAD_INPUT;
  Table t = {.options = o};
  unsigned number = 0;
  char *next = text;
  while (next && (t.bad == 0 || t.place[COL_BLOCK] >= 0)) {
    char *line = next, *end = strchr(line, '\n');
    next = end ? end + 1 : NULL;
    if (end) *end = '\0';
    line[strcspn(line, "\r")] = '\0';
    answer_line(&t, line, ++number);
  }
  gpu_device_destroy(t.dev);
  text_free(&t.arch);
  free(text);
  if (!t.has_heading) return fail(err, "'%s' has no heading and no rows", o->table);
  return t.bad ? GPU_BAD_INPUT : GPU_OK;
}

gpu_result occupancy_command(const Options *o, Text *err) {
  return o->table ? answer_table(o, err) : answer_one(o, err);
}
