/* suites/occupancy.c - lab 10: the blocks that an SM holds, and three launches. */
#include "harness.h"

enum { NO_LIMIT = 1000000, RANDOM_CASES = 32 };

/* ---- the GPUs -------------------------------------------------------------------------------- */

/* As the student's file has it. */
typedef struct Gpu {
  int max_threads, max_warps, max_blocks;
  int registers, max_registers, register_unit, warp_unit, sub_cores;
  int shared, max_shared, shared_unit, shared_reserved;
} Gpu;

/* Those first whose rules have the most steps: they tell mistakes apart best. */
typedef enum Which { H200, A100, T4, RTX3080, RTX4090, V100, P100, FERMI, GPUS } Which;

static const struct {
  const char *arch, *context;
  Gpu limits;
} gpus[GPUS] = {
    [FERMI] = {"fermi", "gpu = a Fermi", {1024, 48, 8, 32768, 63, 64, 2, 2, 49152, 49152, 128, 0}},
    [P100] = {"p100", "gpu = a P100", {1024, 64, 32, 65536, 255, 256, 4, 2, 65536, 49152, 256, 0}},
    [V100] = {"v100", "gpu = a V100", {1024, 64, 32, 65536, 255, 256, 4, 4, 98304, 98304, 256, 0}},
    [T4] = {"t4", "gpu = a T4", {1024, 32, 16, 65536, 255, 256, 4, 4, 65536, 65536, 256, 0}},
    [A100] = {"a100",
              "gpu = an A100",
              {1024, 64, 32, 65536, 255, 256, 4, 4, 167936, 166912, 128, 1024}},
    [RTX3080] = {"rtx3080",
                 "gpu = an RTX 3080",
                 {1024, 48, 16, 65536, 255, 256, 4, 4, 102400, 101376, 128, 1024}},
    [RTX4090] = {"rtx4090",
                 "gpu = an RTX 4090",
                 {1024, 48, 24, 65536, 255, 256, 4, 4, 102400, 101376, 128, 1024}},
    [H200] = {
        "h200", "gpu = an H200", {1024, 64, 32, 65536, 255, 256, 4, 4, 233472, 232448, 128, 1024}}};

/* The last argument of a case, which no function is given, says on which GPU it is. */
enum { WHICH = ARGUMENTS_MAX - 1 };
#define ON(which) [WHICH] = (which)

static const Gpu *gpu_of(const int *a) { return &gpus[a[WHICH]].limits; }

/* ---- the rules, and the mistakes that are known ---------------------------------------------- */

static int64_t round_up(int64_t a, int64_t unit) { return divide_up(a, unit) * unit; }

/* Argument: block. */
static int64_t warps_right(const int *a) { return divide_up(a[0], WARP); }
static int64_t warps_floor(const int *a) { return a[0] / WARP; }

/* Argument: registers. */
static int64_t warp_registers_right(const int *a) {
  return round_up((int64_t)a[0] * WARP, gpu_of(a)->register_unit);
}
static int64_t warp_registers_plain(const int *a) { return (int64_t)a[0] * WARP; }
static int64_t warp_registers_of_thread(const int *a) {
  return round_up(a[0], gpu_of(a)->register_unit);
}

/* Argument: block. */
static int64_t by_warps_always(const int *a) { return gpu_of(a)->max_warps / warps_right(a); }
static int64_t by_warps_right(const int *a) {
  return a[0] > gpu_of(a)->max_threads ? 0 : by_warps_always(a);
}
static int64_t by_threads_always(const int *a) { return gpu_of(a)->max_warps * WARP / a[0]; }
static int64_t by_threads(const int *a) {
  return a[0] > gpu_of(a)->max_threads ? 0 : by_threads_always(a);
}

/* Arguments: registers, block. */
static int64_t warps_in_block(const int *a) { return divide_up(a[1], WARP); }
static bool registers_refused(const int *a) {
  const Gpu *g = gpu_of(a);
  return a[0] > g->max_registers ||
         warp_registers_right(a) * round_up(warps_in_block(a), g->warp_unit) > g->registers;
}
/* How many warps fit, if a warp gets `got` registers. */
static int64_t warps_that_fit(const Gpu *g, int64_t got) {
  return g->registers / g->sub_cores / got * g->sub_cores;
}
static int64_t by_registers_always(const int *a) {
  return warps_that_fit(gpu_of(a), warp_registers_right(a)) / warps_in_block(a);
}
static int64_t by_registers_right(const int *a) {
  return registers_refused(a) ? 0 : by_registers_always(a);
}
static int64_t by_registers_plain(const int *a) {
  return gpu_of(a)->registers / ((int64_t)a[0] * a[1]);
}
static int64_t by_registers_unrounded(const int *a) {
  return warps_that_fit(gpu_of(a), warp_registers_plain(a)) / warps_in_block(a);
}
static int64_t by_registers_whole_sm(const int *a) {
  return gpu_of(a)->registers / (warp_registers_right(a) * warps_in_block(a));
}
static int64_t by_registers_part_warps(const int *a) {
  return warps_that_fit(gpu_of(a), warp_registers_right(a)) * WARP / a[1];
}

/* Argument: shared. */
static int64_t by_bytes(const int *a, int64_t bytes) {
  const Gpu *g = gpu_of(a);
  if (a[0] > g->max_shared) return 0;
  return bytes == 0 ? NO_LIMIT : g->shared / bytes;
}
static int64_t by_shared_right(const int *a) {
  const Gpu *g = gpu_of(a);
  return by_bytes(a, round_up((int64_t)a[0] + g->shared_reserved, g->shared_unit));
}
static int64_t by_shared_unreserved(const int *a) {
  return by_bytes(a, round_up(a[0], gpu_of(a)->shared_unit));
}
static int64_t by_shared_plain(const int *a) { return by_bytes(a, a[0]); }
static int64_t by_shared_unrounded(const int *a) {
  return by_bytes(a, (int64_t)a[0] + gpu_of(a)->shared_reserved);
}
static int64_t by_shared_late(const int *a) {
  const Gpu *g = gpu_of(a);
  return by_bytes(a, round_up(a[0], g->shared_unit) + g->shared_reserved);
}
static int64_t by_shared_always(const int *a) {
  const Gpu *g = gpu_of(a);
  int64_t bytes = round_up((int64_t)a[0] + g->shared_reserved, g->shared_unit);
  return bytes == 0 ? NO_LIMIT : g->shared / bytes;
}

/* Arguments, here and below: registers, block, shared. */
static int64_t block_warps(const int *a) { return by_warps_right((int[]){a[1], ON(a[WHICH])}); }
static int64_t block_shared(const int *a) { return by_shared_right((int[]){a[2], ON(a[WHICH])}); }
static int64_t resources(const int *a) {
  return smaller(smaller(block_warps(a), by_registers_right(a)), block_shared(a));
}
static int64_t blocks_right(const int *a) { return smaller(resources(a), gpu_of(a)->max_blocks); }
static int64_t blocks_by_slots(const int *a) {
  return smaller(block_warps(a), gpu_of(a)->max_blocks);
}

static int64_t percent_right(const int *a) {
  return 100 * blocks_right(a) * warps_in_block(a) / gpu_of(a)->max_warps;
}
static int64_t percent_of_threads(const int *a) {
  return 100 * blocks_right(a) * a[1] / (gpu_of(a)->max_warps * WARP);
}
static int64_t percent_of_blocks(const int *a) {
  return 100 * blocks_right(a) / gpu_of(a)->max_blocks;
}
static int64_t percent_integers(const int *a) {
  return blocks_right(a) * warps_in_block(a) / gpu_of(a)->max_warps * 100;
}

static int64_t limits_right(const int *a) {
  int64_t blocks = blocks_right(a);
  return (block_warps(a) == blocks ? GPU_LIMIT_WARPS : 0) +
         (by_registers_right(a) == blocks ? GPU_LIMIT_REGISTERS : 0) +
         (block_shared(a) == blocks ? GPU_LIMIT_SHARED : 0) +
         (gpu_of(a)->max_blocks == blocks ? GPU_LIMIT_BLOCKS : 0);
}
static int64_t limits_first(const int *a) { return limits_right(a) & -limits_right(a); }
static int64_t limits_last(const int *a) {
  int64_t all = limits_right(a), last = GPU_LIMIT_BLOCKS;
  while (last > 1 && !(all & last)) last /= 2;
  return last;
}

/* ---- what the student writes ----------------------------------------------------------------- */

#define FUNCTION(function, parameters, arity, rule, ...)                                           \
  static const Mistake function##_mistakes[] = {__VA_ARGS__};                                      \
  static const StudentFunction function = {                                                        \
      #function, "int " #function parameters, arity, VALUE_NUMBER, -1, rule, function##_mistakes}

FUNCTION(warps_of_block, "(int block)", 1, warps_right, {"whole-warps", warps_floor}, {0});
FUNCTION(registers_of_warp, "(int registers)", 1, warp_registers_right,
         {"register-unit", warp_registers_plain}, {"register-unit", warp_registers_of_thread}, {0});
FUNCTION(blocks_by_warps, "(int block)", 1, by_warps_right, {"slots-are-warps", by_threads},
         {"slots-are-warps", by_threads_always}, {"too-large", by_warps_always}, {0});
FUNCTION(blocks_by_registers, "(int registers, int block)", 2, by_registers_right,
         {"cannot-launch", by_registers_always}, {"register-unit", by_registers_plain},
         {"register-unit", by_registers_unrounded}, {"sub-cores", by_registers_whole_sm},
         {"whole-warps", by_registers_part_warps}, {0});
FUNCTION(blocks_by_shared, "(int shared)", 1, by_shared_right, {"shared-unit", by_shared_unrounded},
         {"reserved", by_shared_unreserved}, {"reserved", by_shared_plain},
         {"reserved", by_shared_late}, {"shared-limits", by_shared_always}, {0});
FUNCTION(blocks_per_sm, "(int registers, int block, int shared)", 3, blocks_right,
         {"block-slots", resources}, {"smallest", blocks_by_slots}, {0});
FUNCTION(occupancy_percent, "(int registers, int block, int shared)", 3, percent_right,
         {"threads-for-warps", percent_of_threads}, {"percent-of-warps", percent_of_blocks},
         {"percent-of-warps", percent_integers}, {0});
FUNCTION(limits, "(int registers, int block, int shared)", 3, limits_right,
         {"all-limits", limits_first}, {"all-limits", limits_last}, {0});

/* ---- calling on a GPU ------------------------------------------------------------------------ */

static bool use_gpu(Exam *e, Which which) {
  exam_use_context(e, gpus[which].context);
  return exam_set_variable(e, "gpu", "__constant__ Gpu gpu", &gpus[which].limits, sizeof(Gpu));
}

/* The cases of one GPU after the other. */
static void examine_on_gpus(Exam *e, const StudentFunction *f, const Case *cases, size_t count) {
  for (Which which = 0; which < GPUS && !exam_failed(e); which++) {
    Case some[RANDOM_CASES];
    size_t used = 0;
    for (size_t i = 0; i < count && used < RANDOM_CASES; i++)
      if (cases[i].arguments[WHICH] == (int)which) some[used++] = cases[i];
    if (used > 0 && use_gpu(e, which)) exam_function(e, f, some, used);
  }
}

#define EXAMINE_ON_GPUS(function, cases)                                                           \
  Exam *e = exam_begin();                                                                          \
  examine_on_gpus(e, &(function), cases, COUNT(cases));                                            \
  exam_end(e)

/* ---- the four limits ------------------------------------------------------------------------- */

Test(occupancy, warps) {
  static const Case cases[] = {{{256}, 8}, {{257}, 9}, {{100}, 4}, {{1}, 1}, {{1024}, 32}};
  EXAMINE(warps_of_block, cases);
}

Test(occupancy, warp_registers) {
  static const Case cases[] = {{{40, ON(H200)}, 1280}, {{162, ON(H200)}, 5376},
                               {{33, ON(H200)}, 1280}, {{32, ON(H200)}, 1024},
                               {{1, ON(A100)}, 256},   {{255, ON(A100)}, 8192},
                               {{25, ON(FERMI)}, 832}, {{10, ON(FERMI)}, 320}};
  EXAMINE_ON_GPUS(registers_of_warp, cases);
}

Test(occupancy, by_warps) {
  static const Case cases[] = {
      {{256, ON(H200)}, 8},    {{257, ON(H200)}, 7},  {{100, ON(H200)}, 16},
      {{1024, ON(H200)}, 2},   {{1025, ON(H200)}, 0}, {{1, ON(H200)}, 64},
      {{1024, ON(T4)}, 1},     {{100, ON(T4)}, 8},    {{1024, ON(RTX3080)}, 1},
      {{33, ON(RTX4090)}, 24}, {{256, ON(FERMI)}, 6}};
  EXAMINE_ON_GPUS(blocks_by_warps, cases);
}

Test(occupancy, by_registers) {
  static const Case cases[] = {
      {{40, 257, ON(H200)}, 5},  {{40, 256, ON(H200)}, 6},  {{72, 128, ON(H200)}, 7},
      {{72, 256, ON(H200)}, 3},  {{162, 256, ON(H200)}, 1}, {{32, 1024, ON(H200)}, 2},
      {{16, 32, ON(H200)}, 128}, {{40, 32, ON(H200)}, 48},  {{48, 64, ON(H200)}, 20},
      {{33, 100, ON(A100)}, 12}, {{64, 100, ON(T4)}, 8},    {{25, 256, ON(FERMI)}, 4},
      {{168, 256, ON(P100)}, 1}};
  EXAMINE_ON_GPUS(blocks_by_registers, cases);
}

Test(occupancy, by_registers_refused) {
  static const Case cases[] = {{{256, 32, ON(H200)}, 0},  {{255, 288, ON(H200)}, 0},
                               {{255, 256, ON(H200)}, 1}, {{190, 300, ON(P100)}, 0},
                               {{200, 288, ON(P100)}, 0}, {{168, 288, ON(P100)}, 1},
                               {{64, 32, ON(FERMI)}, 0},  {{63, 32, ON(FERMI)}, 16}};
  EXAMINE_ON_GPUS(blocks_by_registers, cases);
}

Test(occupancy, by_shared) {
  static const Case cases[] = {
      {{5000, ON(H200)}, 38},  {{23000, ON(H200)}, 9},  {{0, ON(H200)}, 228},
      {{232448, ON(H200)}, 1}, {{232449, ON(H200)}, 0}, {{32400, ON(A100)}, 5},
      {{32400, ON(T4)}, 2},    {{0, ON(T4)}, NO_LIMIT}, {{10900, ON(T4)}, 5},
      {{10752, ON(T4)}, 6},    {{49153, ON(P100)}, 0},  {{9000, ON(RTX4090)}, 10}};
  EXAMINE_ON_GPUS(blocks_by_shared, cases);
}

/* ---- the results ----------------------------------------------------------------------------- */

Test(occupancy, blocks) {
  static const Case cases[] = {{{40, 257, 5000, ON(H200)}, 5},  {{32, 256, 0, ON(H200)}, 8},
                               {{16, 32, 0, ON(H200)}, 32},     {{32, 256, 60000, ON(H200)}, 3},
                               {{32, 2000, 0, ON(H200)}, 0},    {{30, 96, 9000, ON(RTX4090)}, 10},
                               {{64, 100, 0, ON(T4)}, 8},       {{16, 32, 1000, ON(T4)}, 16},
                               {{32, 512, 32400, ON(A100)}, 4}, {{25, 256, 0, ON(FERMI)}, 4}};
  EXAMINE_ON_GPUS(blocks_per_sm, cases);
}

Test(occupancy, percent) {
  static const Case cases[] = {{{40, 257, 5000, ON(H200)}, 70},   {{32, 256, 0, ON(H200)}, 100},
                               {{16, 32, 0, ON(H200)}, 50},       {{32, 2000, 0, ON(H200)}, 0},
                               {{30, 96, 9000, ON(RTX4090)}, 62}, {{64, 100, 0, ON(T4)}, 100},
                               {{25, 256, 0, ON(FERMI)}, 66}};
  EXAMINE_ON_GPUS(occupancy_percent, cases);
}

Test(occupancy, limiters) {
  static const Case cases[] = {{{40, 257, 5000, ON(H200)}, GPU_LIMIT_REGISTERS},
                               {{32, 256, 0, ON(H200)}, GPU_LIMIT_WARPS + GPU_LIMIT_REGISTERS},
                               {{16, 64, 0, ON(H200)}, GPU_LIMIT_WARPS + GPU_LIMIT_BLOCKS},
                               {{16, 32, 0, ON(H200)}, GPU_LIMIT_BLOCKS},
                               {{32, 256, 60000, ON(H200)}, GPU_LIMIT_SHARED},
                               {{32, 512, 32400, ON(T4)}, GPU_LIMIT_WARPS + GPU_LIMIT_SHARED},
                               {{32, 2000, 0, ON(H200)}, GPU_LIMIT_WARPS},
                               {{16, 64, 0, ON(T4)}, GPU_LIMIT_WARPS + GPU_LIMIT_BLOCKS}};
  EXAMINE_ON_GPUS(limits, cases);
}

/* ---- random kernels -------------------------------------------------------------------------- */

/* The rules must agree with the library's calculator, which is tested against the vendor's. */
static void check_rules(Exam *e, gpu_device *dev, const int *a) {
  gpu_occupancy_info info;
  gpu_result result = gpu_occupancy(dev, (uint32_t)a[0], (uint32_t)a[1], (uint64_t)a[2], &info);
  if (result != GPU_OK)
    exam_broken(e, "%s", gpu_last_error(dev));
  else if (info.blocks_per_sm != blocks_right(a) || info.limiting != limits_right(a) ||
           info.by_registers != by_registers_right(a) || info.by_warps != block_warps(a))
    exam_broken(e, "the calculator says %u blocks for %d %d %d on %s", info.blocks_per_sm, a[0],
                a[1], a[2], gpus[a[WHICH]].arch);
}

static void random_kernel(Exam *e, int *a, Which which) {
  a[0] = exam_random(e, 8) ? exam_between(e, 8, 128) : exam_between(e, 1, 260);
  a[1] = exam_random(e, 3) ? WARP * exam_between(e, 1, 32) : exam_between(e, 1, 1100);
  if (exam_random(e, 2)) a[1] = exam_between(e, 1, 320);
  a[2] = exam_random(e, 3) ? exam_between(e, 1, 40000) : 0;
  if (exam_random(e, 16) == 0) a[2] = exam_between(e, 40000, 240000);
  a[WHICH] = (int)which;
}

typedef int Cases[RANDOM_CASES][ARGUMENTS_MAX];

/* Draws kernels for a GPU, and sets it. */
static bool draw_kernels(Exam *e, Cases kernels, Which which) {
  gpu_device *dev;
  char message[256];
  gpu_config config = {.arch = gpus[which].arch};
  if (gpu_device_create(&dev, &config, message, sizeof message) != GPU_OK) {
    exam_broken(e, "%s", message);
    return false;
  }
  for (int i = 0; i < RANDOM_CASES; i++) {
    random_kernel(e, kernels[i], which);
    check_rules(e, dev, kernels[i]);
  }
  gpu_device_destroy(dev);
  return use_gpu(e, which);
}

/* The arguments of a function that takes one of them only. */
static void pick(Cases out, Cases kernels, int argument) {
  for (int i = 0; i < RANDOM_CASES; i++) {
    out[i][0] = kernels[i][argument];
    out[i][WHICH] = kernels[i][WHICH];
  }
}

static void examine_limits(Exam *e, Cases kernels) {
  Cases blocks = {{0}}, shared = {{0}};
  pick(blocks, kernels, 1);
  pick(shared, kernels, 2);
  exam_function_of(e, &blocks_by_warps, blocks, RANDOM_CASES);
  exam_function_of(e, &blocks_by_registers, kernels, RANDOM_CASES);
  exam_function_of(e, &blocks_by_shared, shared, RANDOM_CASES);
}

static void examine_results(Exam *e, Cases kernels) {
  exam_function_of(e, &blocks_per_sm, kernels, RANDOM_CASES);
  exam_function_of(e, &occupancy_percent, kernels, RANDOM_CASES);
  exam_function_of(e, &limits, kernels, RANDOM_CASES);
}

static void draw_on_gpus(Exam *e, void (*examine)(Exam *e, Cases kernels)) {
  for (Which which = 0; which < GPUS && !exam_failed(e); which++) {
    Cases kernels = {{0}};
    if (draw_kernels(e, kernels, which)) examine(e, kernels);
  }
}

static void random_limits(Exam *e) { draw_on_gpus(e, examine_limits); }
static void random_results(Exam *e) { draw_on_gpus(e, examine_results); }

Test(occupancy, random_limits) { exam_seeded(random_limits); }
Test(occupancy, random_results) { exam_seeded(random_results); }

/* ---- the launches ---------------------------------------------------------------------------- */

enum { STATIC_SHARED_MAX = 48 << 10, ELEMENTS = 20000, BLOCK_MAX = 1024 };

/* What a kernel is, and what its launch must reach. */
typedef struct Task {
  StudentKernel kernel;
  int registers, fewest; /* a thread: left alone, and without spilling */
  Which gpus[4];         /* on which of them */
  size_t gpu_count;
  uint32_t warps_percent; /* so many in a hundred of the slots for warps */
  uint64_t tile_bytes;    /* of shared memory, at least */
  const char *hint;
  uint32_t (*right)(const int *in, int i);
} Task;

static uint32_t mixed(const int *in, int i) {
  uint32_t v = (uint32_t)in[i];
  for (uint32_t k = 0; k < 4; k++) v = v * 31 + (v >> 3) + k;
  return v;
}
static uint32_t smoothed(const int *in, int i) {
  uint32_t left = i > 0 ? (uint32_t)in[i - 1] : 0;
  uint32_t right = i + 1 < ELEMENTS ? (uint32_t)in[i + 1] : 0;
  return left + (uint32_t)in[i] + right;
}
static uint32_t counted(const int *in, int i) {
  return (uint32_t)__builtin_popcount((unsigned)in[i]);
}

/* The registers that a thread gets so that as many blocks fit as the compiler was promised. */
static int registers_granted(const Task *t, const gpu_kernel_info *k, Which which) {
  int registers = t->registers;
  if (k->max_registers && (int)k->max_registers < registers) registers = (int)k->max_registers;
  int64_t blocks = k->min_blocks ? k->min_blocks : 1;
  while (registers > 1 &&
         by_registers_right((int[]){registers, (int)k->max_threads, ON(which)}) < blocks)
    registers--;
  return registers;
}

/* The kernel as the source declares it; a declaration that no compiler takes is a failure. */
static bool read_launch(Exam *e, const Task *t, gpu_kernel_info *k) {
  gpu_kernel *kernel;
  if (!exam_kernel(e, &kernel, &t->kernel)) return false;
  gpu_kernel_get_info(kernel, k);
  if (k->max_threads == 0 || k->max_threads > BLOCK_MAX) {
    exam_fail(e, "%s needs __launch_bounds__ with a block of 1 to %d threads", t->kernel.name,
              BLOCK_MAX);
    exam_say_hint(e, "launch-bounds");
  } else if (k->shared_bytes > STATIC_SHARED_MAX) {
    exam_fail(e, "%s has %llu bytes of static shared memory; the assembler takes %d",
              t->kernel.name, (unsigned long long)k->shared_bytes, STATIC_SHARED_MAX);
    exam_say_hint(e, "static-shared");
  } else if (k->shared_bytes < t->tile_bytes) {
    exam_fail(e, "the tile of %s has %llu elements", t->kernel.name,
              (unsigned long long)k->shared_bytes / sizeof(int));
    exam_say_expected(e, "at least %llu", (unsigned long long)t->tile_bytes / sizeof(int));
    exam_say_hint(e, "small-tile");
  }
  exam_say_function(e, t->kernel.name);
  return !exam_failed(e);
}

static void say_launch(Exam *e, const Task *t, const gpu_kernel_info *k, Which which) {
  exam_say_call(e, "%s, in blocks of %u threads, with %llu bytes of shared memory, %s",
                t->kernel.name, k->max_threads, (unsigned long long)k->shared_bytes,
                gpus[which].context);
  exam_say_function(e, t->kernel.name);
}

static void examine_occupancy(Exam *e, const Task *t, const gpu_kernel_info *k, Which which) {
  int registers = registers_granted(t, k, which);
  const int a[ARGUMENTS_MAX] = {registers, (int)k->max_threads, (int)k->shared_bytes, ON(which)};
  int64_t wanted = divide_up((int64_t)t->warps_percent * gpu_of(a)->max_warps, 100);
  int64_t blocks = blocks_right(a), warps = blocks * warps_in_block(a);
  if (registers < t->fewest) {
    exam_fail(e, "the compiler may use %d registers a thread, and %s needs %d: it spills",
              registers, t->kernel.name, t->fewest);
    exam_say_hint(e, "spills");
  } else if (warps < wanted) {
    exam_fail(e, "too few warps are resident");
    exam_say_expected(e, "at least %lld of %d warps an SM", (long long)wanted,
                      gpu_of(a)->max_warps);
    exam_say_got(e, "%lld: %lld x %lld warps, with %d registers a thread", (long long)warps,
                 (long long)blocks, (long long)warps_in_block(a), registers);
    exam_say_hint(e, t->hint);
  }
  say_launch(e, t, k, which);
  exam_close_failure(e);
}

/* How many blocks are needed: one tile after the other, or one thread an element. */
static uint32_t grid_of(const Task *t, const gpu_kernel_info *k) {
  uint64_t each = t->tile_bytes ? k->shared_bytes / sizeof(int) - 2 : k->max_threads;
  return (uint32_t)divide_up(ELEMENTS, (int64_t)each);
}

static void run_launch(Exam *e, const Task *t, const gpu_kernel_info *k) {
  static int in[ELEMENTS];
  static uint32_t out[ELEMENTS];
  int n = ELEMENTS;
  for (int i = 0; i < ELEMENTS; i++) in[i] = i * 12345 % 100003;
  for (int i = 0; i < ELEMENTS; i++) out[i] = t->right(in, i);
  KernelRun run = {
      .kernel = &t->kernel,
      .input = "in[i] = i * 12345 % 100003",
      .grid = {grid_of(t, k), 1, 1},
      .block = {k->max_threads, 1, 1},
      .arguments = {{.name = "n", .type = "i32", .before = &n},
                    {.name = "in", .type = "i32", .count = ELEMENTS, .before = in},
                    {.name = "out", .type = "i32", .count = ELEMENTS, .expected = out}}};
  /* The kernels are the course's own, so once is enough. */
  if (exam_run_accept(e, &run, exam_run_once(e, &run, SCHEDULE_PLAIN))) exam_compare(e, &run);
  exam_close_failure(e);
}

static void examine_launch(const Task *t) {
  Exam *e = exam_begin();
  gpu_kernel_info k;
  if (read_launch(e, t, &k)) {
    for (size_t i = 0; i < t->gpu_count; i++) examine_occupancy(e, t, &k, t->gpus[i]);
    if (!exam_failed(e)) run_launch(e, t, &k);
  }
  exam_end(e);
}

Test(occupancy, launch_mix) {
  examine_launch(&(Task){.kernel = {"mix", "void mix(int n, const int *in, int *out)", "ipp"},
                         .registers = 80,
                         .fewest = 64,
                         .gpus = {H200},
                         .gpu_count = 1,
                         .warps_percent = 50,
                         .hint = "promise",
                         .right = mixed});
}

Test(occupancy, launch_smooth) {
  examine_launch(&(Task){.kernel = {"smooth", "void smooth(int n, const int *in, int *out)", "ipp"},
                         .registers = 32,
                         .fewest = 20,
                         .gpus = {T4, A100},
                         .gpu_count = 2,
                         .warps_percent = 100,
                         .tile_bytes = 8000 * sizeof(int),
                         .hint = "larger-blocks",
                         .right = smoothed});
}

Test(occupancy, launch_bits) {
  examine_launch(&(Task){.kernel = {"bits", "void bits(int n, const int *in, int *out)", "ipp"},
                         .registers = 16,
                         .fewest = 16,
                         .gpus = {T4, RTX3080, RTX4090, H200},
                         .gpu_count = 4,
                         .warps_percent = 100,
                         .hint = "divides",
                         .right = counted});
}

/* ---- predictions ----------------------------------------------------------------------------- */

/* Registers a thread and the block, on a Fermi and on an H200. */
#define ON_FERMI(a) ((int[ARGUMENTS_MAX]){(a)[0], (a)[1], ON(FERMI)})
#define ON_H200(a) ((int[ARGUMENTS_MAX]){(a)[0], (a)[1], ON(H200)})
static int64_t fermi_right(const int *a) { return by_registers_right(ON_FERMI(a)); }
static int64_t fermi_plain(const int *a) { return by_registers_plain(ON_FERMI(a)); }
static int64_t got_right(const int *a) {
  return warp_registers_right(ON_H200(a)) * warps_in_block(a);
}
static int64_t got_plain(const int *a) { return (int64_t)a[0] * a[1]; }
/* The block; the bytes of shared memory. */
static int64_t slots_right(const int *a) { return by_warps_right(ON_H200(a)); }
static int64_t slots_threads(const int *a) { return by_threads(ON_H200(a)); }
static int64_t fit_right(const int *a) { return by_shared_right(ON_H200(a)); }
static int64_t fit_plain(const int *a) { return by_shared_plain(ON_H200(a)); }
/* An SM with 64 slots for warps and a[0] for blocks, blocks of a[1] threads: percent. */
static int64_t small_right(const int *a) {
  return 100 * smaller(64, (int64_t)a[0] * warps_in_block(a)) / 64;
}
static int64_t small_all(const int *a) { return (void)a, 100; }

PREDICTION(occupancy, predict_registers, fermi_right, {"register-unit", fermi_plain}, {0})
PREDICTION(occupancy, predict_block, got_right, {"register-unit", got_plain}, {0})
PREDICTION(occupancy, predict_slots, slots_right, {"slots-are-warps", slots_threads}, {0})
PREDICTION(occupancy, predict_shared, fit_right, {"reserved", fit_plain}, {0})
PREDICTION(occupancy, predict_small, small_right, {"block-slots", small_all}, {0})
