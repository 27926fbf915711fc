/* suites/program.h - small programs of if, else, loop, switch and early return, drawn from a seed.
 *
 * A Program is a list of Steps and, for each condition, 32 numbers, one a lane. It is written as
 * PTX and run by the simulator, which logs the lanes of every block that a warp issues: what a
 * student's counter should find, and what a divergence model of one's own should lead to. */
#ifndef WARPBOOK_GRADER_PROGRAM_H
#define WARPBOOK_GRADER_PROGRAM_H

#include "harness.h"

/* What students see of it is in labs/03-divergence/divergence.cu: the same names and numbers. There
 * is no switch and no barrier there, and no return inside an if or a loop. */
typedef enum StepKind {
  STEP_STOP,
  STEP_BLOCK, /* straight-line work */
  STEP_IF,    /* lanes whose number in the row is not 0 go into the arm */
  STEP_ELSE,
  STEP_ENDIF,
  STEP_LOOP, /* a lane's number in the row is how often it runs the body */
  STEP_ENDLOOP,
  STEP_LEAVE,  /* lanes whose number is not 0 return */
  STEP_SWITCH, /* a case for each number, each one block */
  STEP_BARRIER /* __syncthreads() */
} StepKind;

typedef struct Step {
  int32_t kind, row;
} Step;

enum { LANES = 32, STEPS_MAX = 96, ROWS_MAX = 24, CASES_MAX = 8 };

typedef struct Program {
  Step steps[STEPS_MAX];
  int count; /* without the STEP_STOP that follows the last */
  int32_t rows[ROWS_MAX][LANES];
  int row_count;
} Program;

/* Adds a step. */
void program_add(Program *p, StepKind kind, int row);

/* A number for each lane. */
typedef int32_t LaneNumbers(int lane);
/* The program of these steps, whose row r holds the numbers rows[r]. */
Program program_of(const Step *steps, size_t count, LaneNumbers *const *rows, size_t row_count);
#define BLOCK                                                                                      \
  { STEP_BLOCK, 0 }
#define IF(row)                                                                                    \
  { STEP_IF, row }
#define ELSE                                                                                       \
  { STEP_ELSE, 0 }
#define ENDIF                                                                                      \
  { STEP_ENDIF, 0 }
#define LOOP(row)                                                                                  \
  { STEP_LOOP, row }
#define ENDLOOP                                                                                    \
  { STEP_ENDLOOP, 0 }
#define LEAVE(row)                                                                                 \
  { STEP_LEAVE, row }
#define BARRIER                                                                                    \
  { STEP_BARRIER, 0 }
#define SWITCH(row)                                                                                \
  { STEP_SWITCH, row }

/* Draws a program. */
void program_draw(Exam *e, Program *p);

/* Adds the program as indented text, for messages: its conditions as masks or numbers. */
void program_show(Text *text, const Program *p);

/* A block that a warp issued, and the lanes that it issued it for. */
typedef struct Event {
  uint32_t step, mask;
} Event;

enum { EVENTS_MAX = 4096 };

/* What the simulator saw. */
typedef struct Observed {
  int32_t passes;    /* how often a warp issued a block, with some of its lanes */
  int32_t divergent; /* divergent branches */
  int32_t paths;     /* paths at them */
} Observed;

typedef struct ProgramLog {
  Observed seen;
  Event events[EVENTS_MAX]; /* sorted: which of two paths came first is not told */
  uint32_t kept;            /* events that found a place */
} ProgramLog;

/* Runs the program on a device, under whatever divergence model it has. */
gpu_result program_launch(gpu_device *dev, const Program *p, uint32_t grid, uint32_t block,
                          ProgramLog *log);

/* The same on a device of its own, under GPU_MODEL_STACK. False: the exam is broken. */
bool program_run(Exam *e, const Program *p, uint32_t grid, uint32_t block, ProgramLog *log);

#endif
