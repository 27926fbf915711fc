/* cli/step.c - `warpsim step`: a launch cycle by cycle, on a terminal or by a script of keys. What
 * is shown is made as plain lines first; only terminal() knows ncurses. */
#include <ncurses.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/run.h"

enum { MOST_LINES = 200, LANES_SHOWN = 8, PATHS_SHOWN = 3, WARPS_SHOWN = 4 };

typedef struct Stepper {
  const Options *o;
  gpu_device *dev;
  const gpu_module *mod;
  gpu_kernel *kernel;
  size_t warp; /* the chosen one, among those on the SMs */
  gpu_warp_view view;
  bool any;  /* there is one */
  bool done; /* nothing is left to run */
  bool quit;
  size_t first_register;
  int first_lane;
  bool issued; /* since it was last cleared: the chosen warp */
  Text lines[MOST_LINES];
  int line_count, height;
} Stepper;

/* ---- moving
 * -------------------------------------------------------------------------------------- */

static void look(Stepper *s) {
  size_t count = gpu_warp_count(s->dev);
  if (s->warp >= count) s->warp = count ? count - 1 : 0;
  s->any = gpu_warp_at(s->dev, s->warp, &s->view) == GPU_OK;
}

static bool is_chosen(const Stepper *s, uint32_t sm, uint32_t slot, uint64_t block) {
  return s->any && s->view.sm == sm && s->view.slot == slot && s->view.block == block;
}

static void note_issue(void *context, const gpu_event *e) {
  Stepper *s = context;
  s->issued |= e->slots && is_chosen(s, e->sm, e->slot, e->block);
}

/* The path that issues next; NULL: the warp waits, or has ended. */
static const gpu_path_view *running(const Stepper *s) {
  for (size_t i = 0; s->any && i < s->view.path_count; i++)
    if (strcmp(s->view.paths[i].state, "runs") == 0) return &s->view.paths[i];
  return NULL;
}

static const gpu_path_view *shown_path(const Stepper *s) {
  const gpu_path_view *p = running(s);
  return p || !s->any || !s->view.path_count ? p : &s->view.paths[s->view.path_count - 1];
}

/* Keeps to the chosen warp, whose place in the list may have changed. */
static void cycle(Stepper *s) {
  gpu_warp_view was = s->view, now;
  if (s->done || gpu_step(s->dev, &s->done) != GPU_OK) return;
  for (size_t i = 0; s->any && gpu_warp_at(s->dev, i, &now) == GPU_OK; i++)
    if (now.sm == was.sm && now.slot == was.slot && now.block == was.block) s->warp = i;
  look(s);
}

static void to_next_issue(Stepper *s) {
  uint64_t block = s->view.block;
  s->issued = false;
  while (!s->done && !s->issued && s->any && s->view.live && s->view.block == block) cycle(s);
}

static void to_next_line(Stepper *s) {
  const gpu_path_view *p = shown_path(s);
  uint32_t line = p ? p->line : 0;
  while (!s->done && s->any && s->view.live) {
    to_next_issue(s);
    p = running(s);
    if (p && p->line != line) return;
  }
}

static void to_the_end(Stepper *s) {
  while (!s->done) cycle(s);
}

static void next_warp(Stepper *s) {
  if (s->warp + 1 < gpu_warp_count(s->dev)) s->warp++;
}
static void previous_warp(Stepper *s) { s->warp -= s->warp > 0; }
static void down(Stepper *s) { s->first_register++; }
static void up(Stepper *s) { s->first_register -= s->first_register > 0; }
static void right(Stepper *s) { s->first_lane = (s->first_lane + LANES_SHOWN) % 32; }
static void quit(Stepper *s) { s->quit = true; }

typedef struct Key {
  int key, other; /* other: as ncurses has it; 0: none */
  const char *help;
  void (*act)(Stepper *s);
} Key;

static const Key keys[] = {
    {'n', ' ', "n cycle", cycle},           {'i', '\n', "i instruction", to_next_issue},
    {'l', 0, "l line", to_next_line},       {'c', 0, "c end", to_the_end},
    {'w', KEY_DOWN, "wW warp", next_warp},  {'W', KEY_UP, NULL, previous_warp},
    {'j', KEY_NPAGE, "jk registers", down}, {'k', KEY_PPAGE, NULL, up},
    {'>', KEY_RIGHT, "> lanes", right},     {'q', 0, "q quit", quit}};
enum { KEYS = sizeof keys / sizeof *keys };

static void press(Stepper *s, int key) {
  for (size_t i = 0; i < KEYS; i++)
    if (key == keys[i].key || (keys[i].other && key == keys[i].other)) keys[i].act(s);
  look(s);
}

/* ---- what is shown
 * --------------------------------------------------------------------------------- */

static Text *line(Stepper *s) {
  Text *t = &s->lines[s->line_count < MOST_LINES - 1 ? s->line_count++ : MOST_LINES - 1];
  text_clear(t);
  return t;
}

static void show_title(Stepper *s) {
  Text *t = line(s);
  text_add(t, "%s on %s (%s)", gpu_kernel_name(s->kernel), gpu_device_arch(s->dev),
           model_word(gpu_device_model(s->dev)));
  if (s->any) text_add(t, "  SM %u cycle %llu", s->view.sm, (unsigned long long)s->view.now);
  text_add(t, "%s", s->done ? "  - the kernel has ended" : "");
  t = line(s);
  for (size_t i = 0; i < KEYS; i++)
    if (keys[i].help) text_add(t, "%s%s", t->length ? "  " : "", keys[i].help);
}

static void show_source(Stepper *s, const gpu_path_view *p, int rows) {
  uint32_t first = p && (int)p->line > rows / 2 ? p->line - (uint32_t)(rows / 2) : 1;
  for (int i = 0; i < rows; i++) {
    size_t length;
    uint32_t number = first + (uint32_t)i;
    Text *t = line(s);
    const char *text = p ? gpu_source_line(s->mod, p->file, number, &length) : NULL;
    if (text) text_add(t, "%c%4u %.*s", number == p->line ? '>' : ' ', number, (int)length, text);
  }
}

static void add_mask(Text *t, uint32_t mask) {
  for (int l = 0; l < 32; l++) text_add(t, "%c", mask >> l & 1 ? '#' : '.');
}

static void show_paths(Stepper *s) {
  for (size_t i = 0; i < PATHS_SHOWN; i++) {
    Text *t = line(s);
    if (!s->any || i >= s->view.path_count) continue;
    const gpu_path_view *p = &s->view.paths[i];
    text_add(t, "path %zu  ", i);
    add_mask(t, p->mask);
    text_add(t, "  line %-4u pc %-4u %s", p->line, p->pc, p->state);
    if (p->reconverges != UINT32_MAX) text_add(t, ", ends at pc %u", p->reconverges);
  }
  if (s->any && s->view.path_count > PATHS_SHOWN)
    text_add(&s->lines[s->line_count - 1], "  (and %zu more)", s->view.path_count - PATHS_SHOWN);
}

static void add_wait(Text *t, const gpu_warp_view *w) {
  if (!w->live)
    text_add(t, "has ended");
  else if (w->ready == UINT64_MAX)
    text_add(t, "waits: %s", gpu_stall_meaning(w->stall));
  else if (w->ready > w->now)
    text_add(t, "until %llu: %s", (unsigned long long)w->ready, gpu_stall_meaning(w->stall));
  else
    text_add(t, "ready");
}

static void show_warps(Stepper *s) {
  size_t first = s->warp < WARPS_SHOWN / 2 ? 0 : s->warp - WARPS_SHOWN / 2;
  for (size_t i = 0; i < WARPS_SHOWN; i++) {
    gpu_warp_view w;
    Text *t = line(s);
    if (gpu_warp_at(s->dev, first + i, &w) != GPU_OK) continue;
    text_add(t, "%c SM %u core %u  block %llu warp %u  ", first + i == s->warp ? '>' : ' ', w.sm,
             w.core, (unsigned long long)w.block, w.warp);
    add_wait(t, &w);
  }
}

static void add_lane(Text *t, const gpu_register_view *r, int lane) {
  uint64_t v = r->lanes[lane];
  int bits = r->bits < 64 ? (int)r->bits : 64;
  bool is_signed = r->type[0] == 's' || r->type[0] == 'b' || r->type[0] == 'u';
  if (strcmp(r->type, "f32") == 0) {
    float f;
    uint32_t word = (uint32_t)v;
    memcpy(&f, &word, sizeof f);
    text_add(t, " %7.4g", (double)f);
  } else if (strcmp(r->type, "f64") == 0) {
    double d;
    memcpy(&d, &v, sizeof d);
    text_add(t, " %7.4g", d);
  } else if (is_signed && (int64_t)(v << (64 - bits)) >> (64 - bits) > -999999 &&
             (int64_t)(v << (64 - bits)) >> (64 - bits) <= 9999999) {
    text_add(t, " %7lld", (long long)((int64_t)(v << (64 - bits)) >> (64 - bits)));
  } else {
    text_add(t, " %7llx", (unsigned long long)(v & 0xfffffff));
  }
}

static void show_registers(Stepper *s, int rows) {
  gpu_register_view r;
  Text *t = line(s);
  text_add(t, "%-14s", "lane");
  for (int l = 0; l < LANES_SHOWN; l++) text_add(t, " %7d", s->first_lane + l);
  for (int i = 0; i < rows; i++) {
    t = line(s);
    if (gpu_warp_register(s->dev, s->warp, s->first_register + (size_t)i, &r) != GPU_OK) continue;
    text_add(t, "%-8s %-5s", r.name, r.type);
    for (int l = 0; l < LANES_SHOWN; l++) add_lane(t, &r, s->first_lane + l);
  }
}

/* All lines of the screen, `height` of them. */
static void show(Stepper *s, int height) {
  const gpu_path_view *p = shown_path(s);
  char text[160] = "";
  int rest = height - 2 - 2 - PATHS_SHOWN - WARPS_SHOWN - 1, source = rest / 2;
  s->line_count = 0;
  show_title(s);
  show_source(s, p, source);
  if (p) gpu_inst_text(s->mod, p->function, p->pc, text, sizeof text);
  text_add(line(s), "next    %s", text);
  Text *lanes = line(s);
  text_add(lanes, "lanes   ");
  if (p) add_mask(lanes, p->mask);
  show_paths(s);
  show_warps(s);
  show_registers(s, rest - source);
}

/* Foreign text must not steer the terminal. */
static const char *harmless(Text *t) {
  for (size_t i = 0; i < t->length; i++)
    if ((unsigned char)t->data[i] < ' ' || t->data[i] == 0x7f) t->data[i] = ' ';
  return text_str(t);
}

/* ---- with a terminal, and without
 * ----------------------------------------------------------------- */

static void terminal(Stepper *s) {
  initscr();
  cbreak();
  noecho();
  keypad(stdscr, TRUE);
  curs_set(0);
  while (!s->quit) {
    int height, width;
    getmaxyx(stdscr, height, width);
    show(s, height < 24 ? 24 : height);
    erase();
    for (int i = 0; i < s->line_count && i < height; i++) {
      const char *text = harmless(&s->lines[i]);
      if (*text == '>' || i == 0) attron(A_BOLD);
      mvaddnstr(i, 0, text, width);
      attroff(A_BOLD);
    }
    refresh();
    press(s, getch());
  }
  endwin();
}

static void print_screen(Stepper *s) {
  show(s, 24);
  for (int i = 0; i < s->line_count; i++) printf("%.*s\n", 80, harmless(&s->lines[i]));
  printf("%.*s\n", 80,
         "--------------------------------------------------------------------------------");
}

/* A screen before the first key and one behind each. NULL: the keys come from standard input. */
static void script(Stepper *s, const char *from) {
  print_screen(s);
  while (!s->quit) {
    int key = from ? (unsigned char)*from : getchar();
    if (from ? key == '\0' : key == EOF) return;
    if (from) from++;
    if (key == '\n') continue;
    press(s, key);
    if (!s->quit) print_screen(s);
  }
}

static gpu_result drive(void *context, gpu_device *dev, const gpu_module *mod, gpu_kernel *kernel,
                        const Launch *launch, void *const *args) {
  Stepper *s = context;
  s->mod = mod;
  s->dev = dev;
  s->kernel = kernel;
  gpu_result r = gpu_set_trace(dev, note_issue, s);
  if (r == GPU_OK)
    r = gpu_launch_begin(dev, kernel, launch->grid, launch->block, launch->shared, args);
  if (r != GPU_OK) return r;
  look(s);
  if (s->o->script || !isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
    script(s, s->o->script);
  else
    terminal(s);
  return gpu_launch_end(dev);
}

gpu_result step_command(const Options *o, Text *err) {
  Stepper *s = calloc(1, sizeof *s);
  if (!s) return fail(err, "out of memory");
  s->o = o;
  gpu_result r = run_driven(o, drive, s, err);
  for (int i = 0; i < MOST_LINES; i++) text_free(&s->lines[i]);
  free(s);
  return r;
}
