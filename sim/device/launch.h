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

typedef struct Launch {
  gpu_device *dev;
  Machine *m;
  const CallData *call; /* NULL: a kernel */
  uint64_t blocks, next;
  uint32_t block_threads;
  Cta *resident[MAX_RESIDENT];
  int resident_count;
  Cta *spare;
} Launch;

/* Starts the next block: it is then among the resident ones. */
Cta *launch_start_block(Launch *k);
/* Gives back what a block whose warps are all done has held. */
void launch_end_block(Launch *k, Cta *cta);
/* The launch has issued as many instructions as it may: a fault at one of the block's warps. */
void launch_report_limit(Launch *k, Cta *cta);

/* timed.c: runs all blocks of a kernel on the GPU's SMs, cycle by cycle. */
void timed_run_blocks(Launch *k, const Function *fn);

#endif
