/*
 * gpu.h - the public interface of the Warpbook simulator.
 *
 * The names and the order of calls are those of the CUDA driver API (cuModuleLoadData,
 * cuMemAlloc, cuLaunchKernel, ...), so what you learn here carries over. A program makes a device,
 * loads a module (PTX text, or a .cu file through clang), allocates memory, launches a kernel and
 * reads memory, statistics and faults back. Nothing in here exits or prints: every call returns a
 * gpu_result, and gpu_last_error() holds the message that goes with it.
 *
 * Two devices share nothing; each may be used from its own thread.
 */
#ifndef WARPBOOK_GPU_H
#define WARPBOOK_GPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum gpu_result {
  GPU_OK = 0,
  GPU_FAULT = 1,     /* the kernel did something wrong: see gpu_fault_count(), gpu_fault() */
  GPU_BAD_INPUT = 2, /* a file, a name or an argument is wrong: see gpu_last_error() */
  GPU_INTERNAL = 3   /* a bug in the simulator */
} gpu_result;

typedef struct gpu_device gpu_device;
typedef struct gpu_module gpu_module;
typedef struct gpu_kernel gpu_kernel;
typedef uint64_t gpu_ptr; /* an address in the device's memory */

/* ---- device -------------------------------------------------------------------------------- */

typedef enum gpu_model {
  GPU_MODEL_DEFAULT = 0, /* the architecture's own: stack before Volta, its from Volta on */
  GPU_MODEL_STACK,       /* one PC a warp and a stack of masks (Pascal and earlier) */
  GPU_MODEL_ITS          /* independent thread scheduling: a PC a lane (Volta and later) */
} gpu_model;

/* How much is checked while a kernel runs. Bounds and alignment are always checked. */
typedef enum gpu_check {
  GPU_CHECK_DEFAULT = 0, /* = GPU_CHECK_SYNC */
  GPU_CHECK_NONE,        /* only what keeps the host safe */
  GPU_CHECK_SYNC,        /* and misuse of barriers, shuffles, votes; deadlock; division by zero */
  GPU_CHECK_FULL         /* and uninitialised reads and races */
} gpu_check;

typedef struct gpu_config {
  const char *arch;           /* name or file of an architecture; NULL = "h200" */
  gpu_model model;            /* divergence model */
  gpu_check check;            /* checks */
  uint64_t instruction_limit; /* warp instructions a launch may issue; 0 = 2^32 */
  uint64_t memory_limit;      /* bytes of device memory; 0 = 8 GiB */
  bool keep_going;            /* a fault ends the thread's instruction, not the launch */
  uint64_t schedule_seed;     /* its only: 0 = source order, else an adversarial interleaving */
  bool timing;                /* count cycles: launches run on a model of the SMs */
  const char *scheduler;      /* timing: "lrr", "gto", "two-level", "oldest"; NULL = the
                                 architecture's */
  double switch_cost;         /* timing: cycles to change from one warp to another, as a CPU needs
                                 to save registers; 0 = the architecture's */
} gpu_config;

/* Makes a device. config may be NULL. On error *out is NULL and message (may be NULL) is filled. */
gpu_result gpu_device_create(gpu_device **out, const gpu_config *config, char *message,
                             size_t message_size);
void gpu_device_destroy(gpu_device *dev);

/* What the device is: its architecture's name, and the divergence model that it uses. */
const char *gpu_device_arch(const gpu_device *dev);
gpu_model gpu_device_model(const gpu_device *dev);

/* The message of the last call on this device that did not return GPU_OK; "" when there is none. */
const char *gpu_last_error(const gpu_device *dev);

/* ---- modules ------------------------------------------------------------------------------- */

typedef enum gpu_opt {
  GPU_OPT_TEACHING = 0, /* every source branch stays a branch: what is written is what runs */
  GPU_OPT_O2,
  GPU_OPT_O3
} gpu_opt;

/* Loads PTX text of `length` bytes. `name` is used in messages. */
gpu_result gpu_module_load_ptx(gpu_device *dev, gpu_module **out, const char *name,
                               const char *text, size_t length);
/* Loads a file: a name that ends in .ptx is read as PTX, any other is compiled as CUDA by clang. If
 * WARPBOOK_KEEP_PTX names a folder, its PTX is kept there and read instead the next time, whatever
 * has changed since. */
gpu_result gpu_module_load(gpu_device *dev, gpu_module **out, const char *path, gpu_opt opt);
/* Gives the text of a source file that .loc names, so that faults can show its lines. */
gpu_result gpu_module_add_source(gpu_module *mod, const char *path, const char *text,
                                 size_t length);
/* The PTX text of the module (for a .cu: what the compiler made of it). */
const char *gpu_module_ptx(const gpu_module *mod);

size_t gpu_module_kernel_count(const gpu_module *mod);
gpu_kernel *gpu_module_kernel_at(const gpu_module *mod, size_t index);
/* Finds a kernel by name; the error names the kernels that there are. */
gpu_result gpu_module_kernel(gpu_module *mod, gpu_kernel **out, const char *name);
const char *gpu_kernel_name(const gpu_kernel *kernel);
size_t gpu_kernel_param_count(const gpu_kernel *kernel);
size_t gpu_kernel_param_size(const gpu_kernel *kernel, size_t index); /* bytes */
/* What a kernel says about its launch (cuFuncGetAttribute); 0 where it says nothing. */
typedef struct gpu_kernel_info {
  uint32_t max_threads;   /* of a block: the first number of __launch_bounds__ */
  uint32_t min_blocks;    /* that an SM should hold: its second number */
  uint32_t max_registers; /* of a thread: .maxnreg */
  uint64_t shared_bytes;  /* of a block, static */
} gpu_kernel_info;
void gpu_kernel_get_info(const gpu_kernel *kernel, gpu_kernel_info *out);
/* Finds a __device__ or __constant__ variable: its address and its size in bytes. */
gpu_result gpu_module_global(gpu_module *mod, const char *name, gpu_ptr *out, size_t *bytes);

/* ---- memory -------------------------------------------------------------------------------- */

gpu_result gpu_mem_alloc(gpu_device *dev, gpu_ptr *out, size_t bytes);
gpu_result gpu_mem_free(gpu_device *dev, gpu_ptr ptr);
gpu_result gpu_memcpy_htod(gpu_device *dev, gpu_ptr dst, const void *src, size_t bytes);
gpu_result gpu_memcpy_dtoh(gpu_device *dev, void *dst, gpu_ptr src, size_t bytes);
gpu_result gpu_memset(gpu_device *dev, gpu_ptr dst, int byte, size_t bytes);

/* ---- launch -------------------------------------------------------------------------------- */

typedef struct gpu_dim {
  uint32_t x, y, z;
} gpu_dim;

/* Runs a kernel to its end. args[i] points to the i-th parameter's bytes, as cuLaunchKernel has it.
 * GPU_FAULT: the kernel misbehaved; what it wrote before stays in memory. */
gpu_result gpu_launch(gpu_device *dev, gpu_kernel *kernel, gpu_dim grid, gpu_dim block,
                      uint32_t shared_bytes, void *const *args);

/* Calls a __device__ function for `count` tuples of arguments, one thread each, in blocks of
 * `block` threads (0 = 32). Tuple i is args + i * arg_stride, laid out as a C struct of the
 * parameters; the result of thread i goes to results + i * result_stride. */
gpu_result gpu_call(gpu_device *dev, gpu_module *mod, const char *function, size_t count,
                    uint32_t block, const void *args, size_t arg_stride, void *results,
                    size_t result_stride);

/* From now on launches ask functions of a module which lanes of a warp run next: PREFIX_start,
 * PREFIX_branch, PREFIX_join, PREFIX_leave and PREFIX_next, as sim/cuda/warpbook.h describes them.
 * They run on the device itself, keep their state in the module's variables, and a launch's limit
 * of instructions holds for theirs, too. What they answer is checked: a wrong answer is the fault
 * bad-callback. How barriers and _sync functions count lanes stays as the device's own model has
 * it. mod NULL: back to that. GPU_BAD_INPUT: a function is missing or has other parameters. */
gpu_result gpu_set_divergence(gpu_device *dev, gpu_module *mod, const char *prefix);

/* From now on launches ask a __device__ function of a module which warp issues, as
 * sim/cuda/warpbook.h describes it:
 *   int FUNCTION(int core, const wb_warp *warps, int count, unsigned long long cycle)
 * It runs on the device itself, keeps its state in the module's variables, and a launch's limit of
 * instructions holds for all its calls together. A wrong answer is the fault bad-callback. mod
 * NULL: back to the scheduler of the configuration. GPU_BAD_INPUT: there is no such function, it
 * has other parameters, or the device does not count cycles. */
gpu_result gpu_set_scheduler(gpu_device *dev, gpu_module *mod, const char *function);

/* ---- what happened ------------------------------------------------------------------------- */

/* Counters of the last launch (or call). All are of PTX instructions. */
typedef struct gpu_stats {
  gpu_dim grid, block;
  uint64_t blocks;              /* blocks run */
  uint64_t warps;               /* warps run */
  uint64_t threads;             /* threads run */
  uint64_t warp_instructions;   /* instructions issued, one a warp */
  uint64_t thread_instructions; /* the same, one an active lane */
  uint64_t predicated_off;      /* lane slots switched off by a predicate on the instruction */
  uint64_t branches;            /* executions of a branch that can diverge, by a warp */
  uint64_t divergent_branches;  /* those whose lanes took two or more targets */
  uint64_t paths;               /* targets taken at divergent branches, summed */
  uint64_t passes;              /* groups of lanes with work before reconvergence, summed */
  uint64_t divergent_warps;     /* warps with at least one divergent branch */
  uint64_t atomics;             /* atomic operations, one an active lane */
  uint64_t cycles;              /* 0 when the launch was functional only */
} gpu_stats;

void gpu_get_stats(const gpu_device *dev, gpu_stats *out);
/* Active lanes / (32 x warp instructions); 1 when nothing was issued. */
double gpu_simd_efficiency(const gpu_stats *stats);

/* ---- time ------------------------------------------------------------------------------------ */

/* What a warp does in a cycle: 0 is `selected` (it issues), the others are reasons why it does not.
 * Their names are those of the vendor's profiler. */
enum { GPU_STALL_SELECTED = 0, GPU_STALL_NOT_SELECTED = 1, GPU_STALL_COUNT = 15 };
const char *gpu_stall_name(int stall);    /* "long_scoreboard"; NULL from GPU_STALL_COUNT on */
const char *gpu_stall_meaning(int stall); /* in plain words */

/* Cycles of the last launch on a device with `timing`, summed over the SMs that had blocks. Issue
 * slots are of machine instructions, as the assembler's rules estimate them from PTX. */
typedef struct gpu_timing {
  uint64_t cycles;        /* from the first issue to the last block's end */
  double microseconds;    /* the same at the architecture's clock */
  uint32_t sms;           /* SMs that had blocks */
  uint32_t blocks_per_sm; /* that fit at a time */
  uint32_t registers;     /* a thread: the assembler's estimate */
  double occupancy;       /* achieved: resident warps, on average, of those that fit */
  uint64_t sm_cycles;     /* cycles, summed over SMs */
  uint64_t issue_slots;   /* cycles x sub-cores: what could have been issued */
  uint64_t issued;        /* issue slots used */
  uint64_t instructions;  /* PTX instructions, those that were folded into others included */
  uint64_t eligible;      /* warps that could issue, summed over issue slots */
  uint64_t warp_cycles[GPU_STALL_COUNT]; /* cycles of resident warps, by what they did */
  uint64_t slot_cycles[GPU_STALL_COUNT]; /* issue slots, by why nothing was issued */
  uint64_t global_requests, global_sectors, l1_hit_sectors; /* loads, stores, atomics of a warp */
  uint64_t l2_hit_sectors, dram_sectors;
  uint64_t shared_requests, shared_wavefronts; /* accesses of a warp, and passes over the banks */
  uint64_t shared_conflicts; /* passes beyond those that a wide access takes in any case */
} gpu_timing;

/* GPU_BAD_INPUT: the device does not count cycles. */
gpu_result gpu_get_timing(gpu_device *dev, gpu_timing *out);
/* Empties the L2 cache, as a benchmark does between two runs. Does nothing without timing. */
void gpu_flush_l2(gpu_device *dev);
/* Puts memory into L2 as an earlier launch that read it would have left it; a copy from the host
 * leaves it in L2, too, but on one side of it. Does nothing without timing. */
void gpu_warm_l2(gpu_device *dev, gpu_ptr ptr, size_t bytes);
/* The schedulers that there are: name and meaning of the index-th; NULL behind the last. */
const char *gpu_scheduler_name(size_t index);
const char *gpu_scheduler_meaning(size_t index);

/* One warp instruction, as a trace tells of it. */
typedef struct gpu_event {
  uint32_t sm, core, slot; /* which SM, sub-core, and the warp's slot of the SM */
  uint64_t block;          /* linear index of the block */
  uint32_t warp;           /* of the block */
  const char *function;    /* its name in PTX */
  uint32_t pc;             /* index of the PTX instruction in the function; the count: its end */
  const char *file;        /* as gpu_line has it; NULL: unknown */
  uint32_t line, column;   /* 1-based; 0: unknown */
  const char *unit;        /* the pipe that executes it: "fma", "memory", ...; "none": folded */
  uint32_t active;         /* lanes of the path */
  uint32_t lanes;          /* those of them at which the guard holds */
  uint64_t since;  /* since <= ready <= turn <= cycle: the warp has waited from this cycle on ... */
  int stall;       /* ... for this reason (gpu_stall_name) ... */
  uint64_t ready;  /* ... until this cycle, then for its unit, which was busy ... */
  int throttle;    /* ... (as gpu_stall_name says) ... */
  uint64_t turn;   /* ... until this one; from there on for its turn (not_selected) */
  uint64_t cycle;  /* when it issued */
  uint32_t slots;  /* issue slots taken; 0: folded into others */
  uint32_t passes; /* of a memory access: wavefronts of shared memory, or sectors */
  bool diverged;   /* its lanes parted at it */
} gpu_event;

typedef void (*gpu_trace_fn)(void *context, const gpu_event *event);

/* Calls `trace` for every warp instruction of the launches that follow, in the order of issue on
 * each SM; NULL: no longer. GPU_BAD_INPUT: the device does not count cycles. */
gpu_result gpu_set_trace(gpu_device *dev, gpu_trace_fn trace, void *context);
/* The instruction of an event as PTX text, cut to size; returns buffer. Only within the callback,
 * or while the module is loaded. */
const char *gpu_inst_text(const gpu_module *mod, const char *function, uint32_t pc, char *buffer,
                          size_t size);

/* ---- views of a timed launch ----------------------------------------------------------------- */

/* What a line of source did. Sums over all warps, of PTX instructions where nothing else is said.
 */
typedef struct gpu_line {
  const char *file;      /* as the compiler names it; the PTX's own name where it names none */
  uint32_t line;         /* 1-based */
  uint64_t instructions; /* warp instructions executed */
  uint64_t passes;       /* times that a warp came past: executions of the instruction with most */
  uint64_t lanes;        /* active lanes, summed over instructions */
  uint64_t diverged;     /* executions at which a warp's lanes parted */
  uint64_t slots;        /* issue slots */
  uint64_t requests, transactions;  /* memory accesses; wavefronts of shared memory, or sectors */
  uint64_t cycles[GPU_STALL_COUNT]; /* of warps: issuing, and before that waiting, by reason */
} gpu_line;

/* Counts by line from now on, beginning at 0. GPU_BAD_INPUT: the device does not count cycles. */
gpu_result gpu_profile_begin(gpu_device *dev);
/* Lines that executed anything, by file and number, and the index-th of them. */
size_t gpu_profile_count(gpu_device *dev);
gpu_result gpu_profile_line(gpu_device *dev, size_t index, gpu_line *out);
/* The text of a line of a file that the caller has given (the .cu or .ptx that was loaded, or what
 * gpu_module_add_source had); not NUL-terminated. NULL: there is none. */
const char *gpu_source_line(const gpu_module *mod, const char *file, uint32_t line, size_t *length);
/* Writes the launch that follows into a file, whose name says what it is: .html (a page to look
 * at), .json (trace events, for the Perfetto viewer), .csv (a row an instruction, for gnuplot). Of
 * a long launch it holds the first `limit` instructions. GPU_BAD_INPUT: no timing, or no such file.
 */
gpu_result gpu_trace_begin(gpu_device *dev, const char *path, uint64_t limit);
/* Completes the file; tells how many instructions it holds, and of how many. */
gpu_result gpu_trace_end(gpu_device *dev, uint64_t *written, uint64_t *all);

/* ---- step by step ------------------------------------------------------------------------------
 */

/* As gpu_launch, but nothing is issued yet: gpu_step goes on, gpu_launch_end ends it (at any time,
 * and returns what gpu_launch would). In between the device can be looked at, but neither launch
 * nor call anything else. GPU_BAD_INPUT: also when the device does not count cycles. */
gpu_result gpu_launch_begin(gpu_device *dev, gpu_kernel *kernel, gpu_dim grid, gpu_dim block,
                            uint32_t shared_bytes, void *const *args);
/* The next cycle of one SM in which something issues; SMs take turns. *done: nothing is left. */
gpu_result gpu_step(gpu_device *dev, bool *done);
gpu_result gpu_launch_end(gpu_device *dev);

/* Lanes of a warp that are at the same instruction. */
typedef struct gpu_path_view {
  uint32_t mask;
  const char *function; /* where they are: as in gpu_event */
  uint32_t pc;
  const char *file;
  uint32_t line;
  uint32_t reconverges; /* stack: the pc at which the path ends; UINT32_MAX: with the kernel */
  const char *state;    /* "runs", "ready", or what it waits for: "lanes", "sync", "barrier" */
} gpu_path_view;

enum { GPU_PATHS = 32 };

/* A warp of the launch under way. */
typedef struct gpu_warp_view {
  uint32_t sm, core, slot;
  uint64_t block;
  uint32_t warp;  /* of the block */
  uint32_t live;  /* lanes that have not left; 0: the warp has ended */
  uint64_t now;   /* its SM's cycle */
  uint64_t ready; /* its next instruction has what it needs; UINT64_MAX: it waits for others */
  int stall;      /* what it waits for until then */
  size_t path_count;
  gpu_path_view paths[GPU_PATHS]; /* stack: the bottom first; the one that "runs" is next */
} gpu_warp_view;

/* Warps on the SMs, by SM and slot. */
size_t gpu_warp_count(const gpu_device *dev);
gpu_result gpu_warp_at(gpu_device *dev, size_t index, gpu_warp_view *out);

/* A register of the function that the warp is in. */
typedef struct gpu_register_view {
  const char *name; /* "%r1" */
  const char *type; /* "u32" */
  uint32_t bits;    /* 1 for a predicate */
  uint64_t lanes[32];
} gpu_register_view;

/* GPU_BAD_INPUT behind the last register. */
gpu_result gpu_warp_register(gpu_device *dev, size_t warp, size_t index, gpu_register_view *out);

typedef enum gpu_fault_kind {
  GPU_FAULT_OUT_OF_BOUNDS,
  GPU_FAULT_MISALIGNED,
  GPU_FAULT_UNINITIALIZED,
  GPU_FAULT_RACE,
  GPU_FAULT_SHFL_INACTIVE_LANE,
  GPU_FAULT_BAD_WIDTH,
  GPU_FAULT_MASK_MISMATCH,
  GPU_FAULT_BARRIER_DIVERGENCE,
  GPU_FAULT_DEADLOCK,
  GPU_FAULT_INSTRUCTION_LIMIT,
  GPU_FAULT_DIVIDE_BY_ZERO,
  GPU_FAULT_UNSUPPORTED,
  GPU_FAULT_BAD_CALLBACK,
  GPU_FAULT_ASSERT,
  GPU_FAULT_TRAP,
  GPU_FAULT_KIND_COUNT
} gpu_fault_kind;

/* The kind's word, as in messages and JSON: "out-of-bounds", "mask-mismatch", ... */
const char *gpu_fault_kind_name(gpu_fault_kind kind);

typedef struct gpu_fault_info {
  gpu_fault_kind kind;
  bool note;          /* true: reported, but the launch went on */
  const char *kernel; /* kernel's name */
  const char *file;   /* source file, or the PTX's name where there is no .loc; never NULL */
  uint32_t line;      /* 1-based; 0 = unknown */
  uint32_t column;    /* 1-based; 0 = unknown */
  gpu_dim block, thread;
  int lane;             /* 0..31, or -1 */
  uint32_t active_mask; /* lanes that executed the instruction */
  const char *message;  /* one sentence: what happened */
  const char *advice;   /* one sentence: what to do */
  const char *report;   /* everything, several lines, with source line and caret */
} gpu_fault_info;

size_t gpu_fault_count(const gpu_device *dev);
/* Pointers stay valid until the next launch on the device. */
gpu_result gpu_fault(const gpu_device *dev, size_t index, gpu_fault_info *out);

/* Text that the last launch printed with printf, NUL-terminated. */
const char *gpu_printf_output(const gpu_device *dev);

/* ---- what is supported --------------------------------------------------------------------- */

/* A PTX instruction of the simulator's table. */
typedef struct gpu_op_info {
  const char *name;    /* "add", "bar.warp.sync" */
  const char *unit;    /* the unit that executes it: "alu", "fma", "sfu", "lsu", ... */
  bool supported;      /* false: it loads, and executing it is the fault `unsupported` */
  char types[256];     /* "s32 u32 ...", "" when it takes none */
  char modifiers[512]; /* "rn|rz|rm|rp ftz sat": one word of each group at most */
} gpu_op_info;

size_t gpu_op_count(void);
gpu_result gpu_op(size_t index, gpu_op_info *out);

/* ---- architectures and occupancy ----------------------------------------------------------- */

/* What can limit the blocks that an SM holds at a time; a set of them is a sum. */
typedef enum gpu_limit {
  GPU_LIMIT_WARPS = 1, /* slots for warps (that is, for threads) */
  GPU_LIMIT_REGISTERS = 2,
  GPU_LIMIT_SHARED = 4,
  GPU_LIMIT_BLOCKS = 8 /* slots for blocks */
} gpu_limit;

/* One step of the calculation: before, operation, operand, after. For instance a warp's registers:
 * 1056, "rounded up to a multiple of", 256, 1280. */
typedef struct gpu_occupancy_step {
  unsigned limit;        /* the gpu_limit it works out; 0: the result of all four */
  const char *name;      /* "registers a warp gets" */
  const char *operation; /* "x", "+", "/ rounded up", "/ rounded down", as above; "": given */
  uint64_t before, operand, after;
  char text[144]; /* "257 / 32 = 8.03, rounded up to 9; 31 lanes of the last stay idle" */
} gpu_occupancy_step;

enum { GPU_OCCUPANCY_STEPS = 20, GPU_OCCUPANCY_ADVICE = 4 };
#define GPU_NO_LIMIT UINT32_MAX

typedef struct gpu_occupancy_info {
  uint32_t blocks_per_sm; /* 0: not even one block fits; the kernel cannot be launched */
  uint32_t
      warps_per_block;   /* slots that a block takes, its last, perhaps partly idle warp included */
  uint32_t warps_per_sm; /* blocks_per_sm x warps_per_block */
  uint32_t max_warps_per_sm;
  double occupancy; /* warps_per_sm / max_warps_per_sm, 0 .. 1 */
  /* The blocks that each resource alone would allow; GPU_NO_LIMIT when the block takes none. */
  uint32_t by_warps, by_registers, by_shared, by_blocks;
  unsigned limiting;       /* set of gpu_limit: those that allow no more than blocks_per_sm */
  char limiting_names[40]; /* "registers,shared" */
  size_t step_count;
  gpu_occupancy_step steps[GPU_OCCUPANCY_STEPS];
  size_t advice_count; /* what would raise it, a sentence each */
  char advice[GPU_OCCUPANCY_ADVICE][200];
} gpu_occupancy_info;

/* How many blocks of `block` threads an SM of the device's GPU holds at a time, if a thread takes
 * `registers` registers (0: leave registers aside) and a block `shared_bytes` bytes of shared
 * memory, static and dynamic. By the vendor's rules, with the largest carve-out for shared memory.
 * GPU_BAD_INPUT: block is 0. A block that cannot be launched is no error: blocks_per_sm is 0. */
gpu_result gpu_occupancy(gpu_device *dev, uint32_t registers, uint32_t block, uint64_t shared_bytes,
                         gpu_occupancy_info *out);

/* One line of an architecture's file. */
typedef struct gpu_arch_value {
  const char *section, *key; /* "limits", "max_warps_per_sm" */
  const char *value, *unit;
  const char *meaning;
  const char *source; /* where the value comes from; "" where the file does not say */
} gpu_arch_value;

/* Calls `each` with the name of every built-in architecture, in alphabetical order. */
gpu_result gpu_arch_names(void (*each)(void *context, const char *name), void *context,
                          char *message, size_t message_size);
/* Calls `each` with every value of an architecture, by name or file. On error the message is
 * filled and `each` is not called. */
gpu_result gpu_arch_values(const char *arch,
                           void (*each)(void *context, const gpu_arch_value *value), void *context,
                           char *message, size_t message_size);

#endif
