/* suites/harness.h - what a lab's suite is written with.
 *
 * A suite is a file of Criterion tests; a test examines the student's functions and says what it
 * found:
 *
 *   Test(partition, warps_partial) {
 *     Exam *e = exam_begin();
 *     exam_function(e, &warps_per_block, cases, count);
 *     exam_end(e);
 *   }
 *
 * Criterion runs each test in a process of its own. Student code runs inside the simulator only.
 * The first mismatch is kept, with the call, what was expected and what came; the test goes on
 * quietly after it. A test that cannot do its work says so with exam_broken: an error of the
 * grader, never a mistake of the student. See collect.h for the records that come of it. */
#ifndef WARPBOOK_GRADER_HARNESS_H
#define WARPBOOK_GRADER_HARNESS_H

#include <criterion/criterion.h>
#include <math.h>

#include "cli/text.h"
#include "gpu.h"

enum { WARP = 32, ARGUMENTS_MAX = 8 };

#define COUNT(a) (sizeof(a) / sizeof *(a))

typedef struct Exam Exam;

/* Loads the student's module; on this call the test begins. */
Exam *exam_begin(void);
/* Writes the record, tells Criterion, frees everything. */
void exam_end(Exam *e);

/* True once something did not match. */
bool exam_failed(const Exam *e);

gpu_device *exam_device(Exam *e);
gpu_module *exam_module(Exam *e);

/* ---- saying what was found ------------------------------------------------------------------ */

/* The first failure: each function adds a part to it, and does nothing once exam_close_failure has
 * been called. A failure begins with exam_fail. */
void exam_fail(Exam *e, const char *format, ...) PRINTF_LIKE(2, 3); /* message; "" for none */
/* The same where nothing has been written yet: no hint is given before a first try. */
void exam_unwritten(Exam *e, const char *format, ...) PRINTF_LIKE(2, 3);
void exam_say_call(Exam *e, const char *format, ...) PRINTF_LIKE(2, 3);
void exam_say_expected(Exam *e, const char *format, ...) PRINTF_LIKE(2, 3);
void exam_say_got(Exam *e, const char *format, ...) PRINTF_LIKE(2, 3);
/* The student's function whose line is shown. */
void exam_say_function(Exam *e, const char *name);
/* The hint, where another fits better than the table's own. */
void exam_say_hint(Exam *e, const char *id);
/* Two rows of lanes, the expected ones and those that came. */
void exam_say_masks(Exam *e, uint32_t expected, uint32_t got);
/* Part of the points for a failed test, 0 to 1. */
void exam_say_credit(Exam *e, double credit);
void exam_close_failure(Exam *e);

/* The grader's own failure. */
void exam_broken(Exam *e, const char *format, ...) PRINTF_LIKE(2, 3);

/* Whether a call of the library succeeded. If not: a fault of the student's code becomes a failure
 * with the fault's report; so does what only the student's file can have caused (launch bounds,
 * variables that fill the memory); a mistake of the library is the grader's error. */
bool exam_check(Exam *e, gpu_result result);

/* ---- seeds ---------------------------------------------------------------------------------- */

/* The seeds that the test is to be run with; from exam_use_seed on a failure names that seed. */
size_t exam_seed_count(const Exam *e);
void exam_use_seed(Exam *e, size_t index);
/* A number from 0 to below - 1, from the seed in use. */
uint32_t exam_random(Exam *e, uint32_t below);
/* A number from least to most, both included. */
int exam_between(Exam *e, int least, int most);
/* A whole test: draws once with each of its seeds. */
void exam_seeded(void (*draw)(Exam *e));

/* ---- arithmetic that rules need ------------------------------------------------------------- */

static inline int64_t divide_up(int64_t a, int64_t b) { return (a + b - 1) / b; }
static inline int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }
/* The mask of the n lowest lanes, n being any number. */
static inline int64_t lowest_lanes(int64_t n) {
  return n <= 0 ? 0 : n >= WARP ? (int64_t)UINT32_MAX : (int64_t)((1ull << n) - 1);
}

/* ---- functions ------------------------------------------------------------------------------ */

typedef enum ValueKind {
  VALUE_NUMBER,
  VALUE_MASK,
  VALUE_OF_MASKS /* a number that follows from masks: the arguments are shown as masks */
} ValueKind;

typedef struct Case {
  int arguments[ARGUMENTS_MAX];
  int64_t expected;
} Case;

/* What those answer for whom the numbers make no difference. */
static inline int64_t always_0(const int *numbers) { return (void)numbers, 0; }
static inline int64_t always_1(const int *numbers) { return (void)numbers, 1; }

/* A wrong formula that students are known to write, and the hint that answers it. */
typedef struct Mistake {
  const char *hint;
  int64_t (*value)(const int *arguments);
} Mistake;

/* A __device__ function that the student writes. Its parameters are ints; its result is an int or,
 * for a mask, an unsigned. */
typedef struct StudentFunction {
  const char *name;
  const char *prototype; /* as the hand-out gives it */
  int arity;
  ValueKind kind;
  int64_t unwritten;                      /* what the starter's function returns */
  int64_t (*right)(const int *arguments); /* what it should return */
  const Mistake *mistakes;                /* ended by a row without hint; may be NULL */
} StudentFunction;

/* Calls the function for every case and compares. */
void exam_function(Exam *e, const StudentFunction *f, const Case *cases, size_t count);
/* The same for arguments only: what is expected is what f->right says. */
void exam_function_of(Exam *e, const StudentFunction *f, int (*arguments)[ARGUMENTS_MAX],
                      size_t count);

/* Gives a __constant__ or __device__ variable of the student's file its value. False: it is not
 * there, or not of that size. */
bool exam_set_variable(Exam *e, const char *name, const char *declaration, const void *value,
                       size_t bytes);
/* From here on a failure of a function says this, too, of the call: "gpu = an H200". */
void exam_use_context(Exam *e, const char *context);

/* One test over a table of cases. */
#define EXAMINE(function, cases)                                                                   \
  Exam *e = exam_begin();                                                                          \
  exam_function(e, &(function), cases, COUNT(cases));                                              \
  exam_end(e)

/* Calls a __device__ function of any parameters: a tuple of `stride` bytes for each of `count`
 * calls, 4 bytes for each result (results NULL: it has none). False: what is wrong has been said; a
 * function that is missing or has other parameters is the student's mistake. */
bool exam_call(Exam *e, const char *name, const char *prototype, size_t count, const void *args,
               size_t stride, void *results);

/* ---- kernels -------------------------------------------------------------------------------- */

/* A __global__ function that the student writes. */
typedef struct StudentKernel {
  const char *name;
  const char *prototype;  /* as the hand-out gives it */
  const char *parameters; /* a letter each: p a pointer, i an int or another type of four bytes */
} StudentKernel;

/* STUDENT_KERNEL(scan, "(const int *in, int *out)", "pp"); */
#define STUDENT_KERNEL(name, declared, letters)                                                    \
  static const StudentKernel name = {#name, "void " #name declared, letters}

/* These say what is wrong and return false; the test then ends. */
bool exam_kernel(Exam *e, gpu_kernel **kernel, const StudentKernel *k);
/* Device memory that holds a copy of `from`, or 0xff everywhere if that is NULL. */
bool exam_buffer(Exam *e, gpu_ptr *out, const void *from, size_t bytes);
/* Finds the kernel, runs it to its end. */
bool exam_launch(Exam *e, const StudentKernel *k, gpu_dim grid, gpu_dim block, void *const *args);
bool exam_read(Exam *e, void *to, gpu_ptr from, size_t bytes);

/* ---- kernels over arrays -------------------------------------------------------------------- */

/* How a kernel is run. From SCHEDULE_ITS on everything is checked (GPU_CHECK_FULL). */
typedef enum Schedule {
  SCHEDULE_PLAIN,    /* a test begins with it: the architecture's own model, the usual checks */
  SCHEDULE_TEXTBOOK, /* the machine of the book's documents (--arch textbook), in cycles */
  SCHEDULE_TIMED,    /* the architecture's own model, and cycles are counted */
  SCHEDULE_ITS,     /* independent thread scheduling, paths in source order: counters are of this */
  SCHEDULE_STACK,   /* one program counter a warp and a stack of masks */
  SCHEDULE_ADVERSE, /* independent thread scheduling, paths interleaved at random */
  SCHEDULE_COUNT
} Schedule;

/* From here on exam_device and exam_module are of this kind. Memory is not carried over. False: the
 * grader cannot. */
bool exam_use_schedule(Exam *e, Schedule schedule);
/* The same with a device that nothing has run on yet: variables have their first values. */
bool exam_use_fresh(Exam *e, Schedule schedule);

/* Whose an array's element number i is, for messages: thread i's of the grid, and so on. */
typedef enum Owner { OWNER_NOBODY, OWNER_THREAD, OWNER_WARP, OWNER_BLOCK } Owner;

typedef struct KernelArgument {
  const char *name;   /* as the hand-out calls it */
  const char *type;   /* of a value or an element: those of warpsim, "i32", "f16", ..., or "mask" */
  size_t count;       /* elements of an array; 0: a value, passed as it is */
  const void *before; /* the value, or what the array holds; NULL: nothing has been written */
  const void *expected; /* what the array must hold afterwards; NULL: it is not compared */
  Owner owner;
  void *after; /* what the kernel left in the array: exam_run_once fills it in */
} KernelArgument;

/* An array that is only read; one that is written, and has nothing in it before; a value. */
static inline KernelArgument argument_input(const char *name, const char *type, const void *array,
                                            size_t count) {
  return (KernelArgument){.name = name, .type = type, .count = count, .before = array};
}
static inline KernelArgument argument_output(const char *name, const char *type,
                                             const void *expected, size_t count, Owner owner) {
  return (KernelArgument){
      .name = name, .type = type, .count = count, .expected = expected, .owner = owner};
}
static inline KernelArgument argument_value(const char *name, const char *type, const void *value) {
  return (KernelArgument){.name = name, .type = type, .before = value};
}

typedef struct KernelRun KernelRun;

/* A wrong kernel that students are known to write: what it leaves in the first array that is
 * compared, and the hint that answers it. Elements that `fill` leaves alone are unwritten ones. */
typedef struct KernelMistake {
  const char *hint;
  void (*fill)(const KernelRun *run, void *after);
} KernelMistake;

/* A counter of gpu_stats, by its name ("passes"), or "simd_efficiency" in percent. */
#define NO_BOUND HUGE_VAL
typedef struct CounterBound {
  const char *counter;
  double least, most; /* NO_BOUND: no upper bound */
  const char *hint;   /* where another fits better than the table's own; may be NULL */
} CounterBound;

/* One launch, what it is given and what must come of it. */
struct KernelRun {
  const StudentKernel *kernel;
  const char *input;   /* what the input is, in words, for messages: "in[i] = i"; may be NULL */
  gpu_dim grid, block; /* a dimension of 0 is 1 */
  KernelArgument arguments[ARGUMENTS_MAX]; /* as many as the kernel has parameters */
  const KernelMistake *mistakes;           /* ended by a row without hint; may be NULL */
  const CounterBound *bounds;              /* ended by a row without counter; may be NULL */
  gpu_stats stats;                         /* exam_run_once fills it in */
};

/* For what is expected, and for mistakes: the first argument as an array of ints, its length, and
 * an argument that is an int. */
const int32_t *run_input(const KernelRun *run);
int run_count(const KernelRun *run);
int run_value(const KernelRun *run, size_t argument);

/* All that a test of a kernel needs: runs it in every schedule; a fault, the first element that
 * differs, or a counter out of its bounds is the failure. A hint that is named after the kind of a
 * fault answers that fault; mask-mismatch has two: mask-omits-caller and mask-names-absent. */
void exam_run(Exam *e, KernelRun *run);

/* The same in steps, for a test that judges by itself. exam_run_once runs the kernel; the result is
 * GPU_FAULT when it misbehaved (what it left is there nevertheless), GPU_BAD_INPUT when it cannot
 * be launched; that there is no such kernel is a failure at once. exam_run_accept makes a failure
 * of any such result; exam_compare and exam_bounds make one of what differs. True: all is well. */
gpu_result exam_run_once(Exam *e, KernelRun *run, Schedule schedule);
bool exam_run_accept(Exam *e, const KernelRun *run, gpu_result result);
bool exam_compare(Exam *e, const KernelRun *run);
bool exam_bounds(Exam *e, const KernelRun *run);
/* What a count is in the starter, about, and what it has to be for full points; upwards or
 * downwards. A goal of 0: it is not asked for. */
typedef struct Bound {
  double start, goal;
} Bound;
typedef struct Measure {
  const char *unit; /* " cycles" */
  Bound bound;
  double value;
  const char *hint;
} Measure;
/* 0 at the start, 1 at the goal. */
double measure_progress(const Measure *m);
/* A launch whose result is right gets its share of the points: that of the measure which is
 * farthest from its goal, in tenths. So nothing can be bought with something else. */
void exam_measures(Exam *e, const KernelRun *run, const Measure *measures, size_t count);
/* Names the launch and its schedule as the call that failed, and the kernel as the function. */
void exam_say_run(Exam *e, const KernelRun *run);

/* The fault that ended the last launch or call; false when there was none. */
bool exam_fault(const Exam *e, gpu_fault_info *fault);

/* ---- predictions ---------------------------------------------------------------------------- */

/* Compares the line `name = number` of answers.txt with what follows from the numbers that the
 * question has, which may be the student's own (variant.h). What would be right is not said. The
 * mistakes are those that students are known to make; a row without hint ends them. */
void exam_prediction(Exam *e, const char *name, int64_t (*right)(const int *numbers),
                     const Mistake *mistakes);

/* A whole test: PREDICTION(suite, name, right, {hint, value}, ..., {0}); `right` and each `value`
 * are functions of the question's numbers. */
#define PREDICTION(suite, name, right, ...)                                                        \
  Test(suite, name) {                                                                              \
    static const Mistake mistakes[] = {__VA_ARGS__};                                               \
    Exam *e = exam_begin();                                                                        \
    exam_prediction(e, #name, right, mistakes);                                                    \
    exam_end(e);                                                                                   \
  }

#endif
