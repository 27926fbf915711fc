/* device/launch.h - a launch under way: what its functional loop (launch.c) and its timed one
 * (timed.c) share. */
#ifndef WARPBOOK_DEVICE_LAUNCH_H
#define WARPBOOK_DEVICE_LAUNCH_H

#include "device/device.h"

/* A gpu_call: a function, and where its arguments come from and its results go. */
typedef struct CallData {
  const Function *fn;
  const uint8_t *args;
  size_t arg_stride, count;
  uint8_t *results;
  size_t result_stride;
} CallData;

enum { MAX_RESIDENT = 1 << 14 }; /* blocks that may be started and unfinished at a time */

struct Launch {
  gpu_device *dev;
  Machine *m;
  const CallData *call; /* NULL: a kernel */
  Function *fn;
  uint64_t blocks, next;
  uint32_t block_threads;
  Cta *resident[MAX_RESIDENT];
  int resident_count;
  Cta *spare;
  struct Gpu *gpu; /* timed: the SMs; NULL: not timed */
  bool done;       /* timed, stepped: nothing is left */
};

/* Starts the next block: it is then among the resident ones. */
Cta *launch_start_block(Launch *k);
/* Gives back what a block whose warps are all done has held. */
void launch_end_block(Launch *k, Cta *cta);
/* The launch has issued as many instructions as it may: a fault at one of the block's warps. */
void launch_report_limit(Launch *k, Cta *cta);

/* timed.c: the GPU's SMs with their first blocks. */
void timed_begin(Launch *k);
/* One cycle of one SM: the one whose turn it is. False: nothing is left to do. */
bool timed_step(Launch *k);
/* Completes what is counted, and releases the SMs. */
void timed_end(Launch *k);
/* Its SMs. Returns how many. */
uint32_t timed_sms(const Launch *k, Sm **sms);

#endif
