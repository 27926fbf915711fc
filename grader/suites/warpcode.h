/* suites/warpcode.h - kernels that give each warp its own straight line of code, for questions of
 * time: who issues when, and how long all of it takes.
 *
 * A warp's code is a word, a letter an instruction: L loads from global memory, S from shared
 * memory, a adds to what was computed or loaded last, B waits at a barrier (as many in every warp).
 * Each needs the one before it. The kernel's result is never looked at. */
#ifndef WARPBOOK_GRADER_WARPCODE_H
#define WARPBOOK_GRADER_WARPCODE_H

#include "harness.h"

enum { CODE_WARPS = 16, CODE_LENGTH = 256, ISSUES_MAX = 1 << 14 };

typedef struct WarpCode {
  uint32_t blocks, warps; /* warps of a block */
  bool same;              /* all warps have the code of warp 0, without a branch to find it */
  char code[CODE_WARPS][CODE_LENGTH];
} WarpCode;

/* Appends a letter, `times` over, to the code of a warp. */
void code_add(WarpCode *c, uint32_t warp, char letter, int times);
/* One block of warps with the same code: rounds of a load and additions. */
WarpCode code_rounds(uint32_t warps, int rounds, int adds);
/* "1 block of 2 warps; warp 0: load, 3 x add; warp 1: ..." */
void code_show(Text *text, const WarpCode *c);

typedef struct Issue {
  uint64_t cycle;
  uint32_t core, block, warp;
} Issue;

typedef struct CodeRun {
  uint64_t cycles;
  size_t count; /* issues, in order */
  Issue issues[ISSUES_MAX];
} CodeRun;

/* Runs it on the device, which counts cycles; run->cycles is that of the last launch. */
gpu_result code_run(gpu_device *dev, const WarpCode *c, CodeRun *run);
/* Runs it on a device of its own with one of the simulator's schedulers. False: the grader cannot.
 */
bool code_reference(Exam *e, const char *arch, const char *scheduler, const WarpCode *c,
                    CodeRun *run);

#endif
