/* suites/warpcode.c - straight lines of code, a warp each, as PTX. */
#include "warpcode.h"

#include <string.h>

void code_add(WarpCode *c, uint32_t warp, char letter, int times) {
  size_t at = strlen(c->code[warp]);
  for (int i = 0; i < times && at + 1 < CODE_LENGTH; i++) c->code[warp][at++] = letter;
  c->code[warp][at] = '\0';
}

WarpCode code_rounds(uint32_t warps, int rounds, int adds) {
  WarpCode c = {.blocks = 1, .warps = warps, .same = true};
  for (int i = 0; i < rounds; i++) {
    code_add(&c, 0, 'L', 1);
    code_add(&c, 0, 'a', adds);
  }
  return c;
}

/* ---- for people ------------------------------------------------------------------------------ */

static const char *word_for(char letter) {
  switch (letter) {
  case 'L': return "load";
  case 'S': return "shared load";
  case 'B': return "barrier";
  default: return "add";
  }
}

static void show_line(Text *text, const char *code) {
  for (const char *at = code; *at;) {
    size_t run = 1;
    while (at[run] == *at) run++;
    text_add(text, at == code ? " " : ", ");
    if (run > 1) text_add(text, "%zu x ", run);
    text_add(text, "%s", word_for(*at));
    at += run;
  }
}

void code_show(Text *text, const WarpCode *c) {
  uint32_t shown = c->same ? 1 : c->warps;
  text_add(text, "%u block%s of %u warps", c->blocks, c->blocks == 1 ? "" : "s", c->warps);
  for (uint32_t w = 0; w < shown; w++) {
    uint32_t last = w;
    while (last + 1 < shown && strcmp(c->code[last + 1], c->code[w]) == 0) last++;
    text_add(text, "\n  warp %u", w);
    if (c->same) last = c->warps - 1;
    if (last > w) text_add(text, " to %u", last);
    text_add(text, ":");
    show_line(text, c->code[w]);
    w = last;
  }
}

/* ---- PTX ------------------------------------------------------------------------------------- */

static const char *inst_for(char letter) {
  switch (letter) {
  case 'L': return "  ld.global.f32 %a, [%p];\n";
  case 'S': return "  ld.shared.f32 %a, [s];\n";
  default: return "  add.f32 %a, %a, %a;\n";
  }
}

/* The instructions of a warp up to its next barrier; returns what follows that. */
static const char *write_phase(Text *t, const char *code) {
  for (; *code && *code != 'B'; code++) text_add(t, "%s", inst_for(*code));
  return *code ? code + 1 : code;
}

/* Sends each warp to its own part of a phase, and all of them to its end, Ep. */
static void write_parts(Text *t, const WarpCode *c, const char **at, int phase) {
  uint32_t last = c->same ? 0 : c->warps - 1;
  for (uint32_t w = 0; w < last; w++)
    text_add(t, "  setp.eq.u32 %%q, %%w, %u;\n  @%%q bra P%dW%u;\n", w, phase, w);
  at[last] = write_phase(t, at[last]);
  for (uint32_t w = 0; w < last; w++) {
    text_add(t, "  bra.uni E%d;\nP%dW%u:\n", phase, phase, w);
    at[w] = write_phase(t, at[w]);
  }
  text_add(t, "E%d:\n", phase);
}

static int barriers_of(const char *code) {
  int count = 0;
  for (; *code; code++) count += *code == 'B';
  return count;
}

static void write_ptx(Text *t, const WarpCode *c) {
  const char *at[CODE_WARPS];
  for (uint32_t w = 0; w < CODE_WARPS; w++) at[w] = c->code[w];
  text_add(t, "%s",
           ".version 7.0\n.target sm_70\n.address_size 64\n"
           ".visible .entry kernel(.param .u64 memory)\n{\n"
           "  .reg .pred %q;\n  .reg .u64 %p;\n  .reg .f32 %a;\n  .reg .u32 %w;\n"
           "  .shared .f32 s;\n  ld.param.u64 %p, [memory];\n");
  if (!c->same) text_add(t, "%s", "  mov.u32 %w, %tid.x;\n  shr.u32 %w, %w, 5;\n");
  int barriers = barriers_of(c->code[0]);
  for (int phase = 0; phase <= barriers; phase++) {
    write_parts(t, c, at, phase);
    text_add(t, "%s", phase < barriers ? "  bar.sync 0;\n" : "  ret;\n}\n");
  }
}

/* ---- running --------------------------------------------------------------------------------- */

static void note_issue(void *context, const gpu_event *event) {
  CodeRun *run = context;
  if (event->slots == 0 || run->count == ISSUES_MAX) return;
  run->issues[run->count++] = (Issue){.cycle = event->cycle,
                                      .core = event->core,
                                      .block = (uint32_t)event->block,
                                      .warp = event->warp};
}

static gpu_result launch(gpu_device *dev, const Text *ptx, const WarpCode *c) {
  gpu_module *mod;
  gpu_kernel *kernel;
  gpu_ptr memory = 0;
  void *args[] = {&memory};
  gpu_result r = gpu_module_load_ptx(dev, &mod, "kernel.ptx", ptx->data, ptx->length);
  if (r == GPU_OK) r = gpu_module_kernel(mod, &kernel, "kernel");
  if (r == GPU_OK) r = gpu_mem_alloc(dev, &memory, sizeof(float));
  if (r == GPU_OK) r = gpu_memset(dev, memory, 0, sizeof(float));
  if (r == GPU_OK)
    r = gpu_launch(dev, kernel, (gpu_dim){c->blocks, 1, 1}, (gpu_dim){WARP * c->warps, 1, 1}, 0,
                   args);
  return r;
}

gpu_result code_run(gpu_device *dev, const WarpCode *c, CodeRun *run) {
  Text ptx = {0};
  gpu_stats stats;
  run->count = 0;
  write_ptx(&ptx, c);
  gpu_result r = gpu_set_trace(dev, note_issue, run);
  if (r == GPU_OK) r = launch(dev, &ptx, c);
  gpu_get_stats(dev, &stats);
  run->cycles = stats.cycles;
  gpu_set_trace(dev, NULL, NULL);
  text_free(&ptx);
  return r;
}

bool code_reference(Exam *e, const char *arch, const char *scheduler, const WarpCode *c,
                    CodeRun *run) {
  gpu_config config = {.arch = arch, .timing = true, .scheduler = scheduler};
  gpu_device *dev;
  char message[512];
  if (gpu_device_create(&dev, &config, message, sizeof message) != GPU_OK) {
    exam_broken(e, "no device: %s", message);
    return false;
  }
  bool good = code_run(dev, c, run) == GPU_OK;
  if (!good) exam_broken(e, "a kernel: %s", gpu_last_error(dev));
  gpu_device_destroy(dev);
  return good;
}
