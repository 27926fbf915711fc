/* exec/fault.h - what went wrong in a kernel, with the place, the lanes and what to do. */
#ifndef WARPBOOK_EXEC_FAULT_H
#define WARPBOOK_EXEC_FAULT_H

#include "exec/exec.h"

enum { MAX_FAULTS = 64 };

FaultList *faults_new(void);
void faults_free(FaultList *list);
void faults_clear(FaultList *list);
size_t faults_count(const FaultList *list);
const gpu_fault_info *faults_at(const FaultList *list, size_t index);

/* Where an instruction stands in the source: "file.cu:12:5"; buf is filled and returned. */
const char *fault_place(const Module *mod, const Inst *in, char *buf, size_t size);

/* Reports a fault of `lanes` at the instruction of `p`. The launch stops, unless it was asked to
 * keep going: then the result is FLOW_NEXT. `advice` says what to do. Several faults of one kind at
 * one instruction are reported once. */
Flow fault_raise(Warp *w, const Path *p, const Inst *in, gpu_fault_kind kind, Mask lanes,
                 const char *advice, const char *fmt, ...) PRINTF_LIKE(7, 8);
/* Reports a fault, but lets the launch go on to its end: what follows may say more. */
void fault_later(Warp *w, const Path *p, const Inst *in, gpu_fault_kind kind, Mask lanes,
                 const char *advice, const char *fmt, ...) PRINTF_LIKE(7, 8);
/* Reports something that does not end the launch, and is no fault. */
void fault_note(Warp *w, const Path *p, const Inst *in, gpu_fault_kind kind, Mask lanes,
                const char *advice, const char *fmt, ...) PRINTF_LIKE(7, 8);

/* Adds a second place to the report of the fault just raised or noted, "title: file:line" and the
 * source line; nothing when it was left out as known. */
void fault_add_place(FaultList *list, const Module *mod, const Inst *in, const char *title);
/* Adds a line to that report. */
void fault_add_line(FaultList *list, const char *fmt, ...) PRINTF_LIKE(2, 3);

#endif
