/* exec/callback.h - calling a __device__ function while a kernel runs: a policy that a user wrote.
 */
#ifndef WARPBOOK_EXEC_CALLBACK_H
#define WARPBOOK_EXEC_CALLBACK_H

#include "exec/exec.h"

enum { CALLBACK_BUDGET = 100000 }; /* warp instructions that a call may take */

/* Where calls run: a warp of one lane. Starts as {0}. */
typedef struct Callback {
  Cta cta;
  Warp warp;
  uint64_t spent; /* warp instructions of all calls of a launch */
  bool inside;    /* a call is under way: the machine's own model and settings are here */
  const DivergenceModel *model;
  Settings set;
} Callback;

typedef enum CallbackEnd {
  CALLBACK_DONE,
  CALLBACK_FAULT, /* it did something wrong: reported, and the launch has been stopped */
  CALLBACK_ENDLESS,
  CALLBACK_STUCK, /* it waits for something that never comes */
  CALLBACK_MEMORY /* it needs more local memory than there is */
} CallbackEnd;

/* Calls the function, in the midst of a launch on the machine, which goes on afterwards as if
 * nothing had been: only what the call did to memory, its faults and what it printed stay. args
 * holds a word for each parameter (4 or 8 bytes of it count); the result's 4 bytes go to *result,
 * if the function has one. */
CallbackEnd callback_run(Machine *m, Callback *c, Function *fn, const uint64_t *args,
                         uint32_t *result);
/* A launch begins: nothing is spent. Puts the machine right that the last launch left in the midst
 * of a call, because memory ran out. */
void callback_begin(Machine *m, Callback *c);
/* What is wrong, as the end of a sentence that begins with the function's name; NULL for an end
 * that needs no more words. */
const char *callback_complaint(CallbackEnd end);
void callback_free(Callback *c);

#endif
