/* suites/exam.h - the parts that the harness's own files share. */
#ifndef WARPBOOK_GRADER_EXAM_H
#define WARPBOOK_GRADER_EXAM_H

#include "../json.h"
#include "../variant.h"
#include "base/arena.h"
#include "explain.h"
#include "harness.h"

/* Where the files of a run lie, as seen from in/, the working folder (see stage.h). */
#define REQUEST_FILE "../request.json"
#define RECORDS_FILE "../out/records.jsonl"
#define PTX_FILE "../out/module.ptx"
/* Its name in messages, for the places where no line of the source is known. */
#define PTX_NAME "compiled.ptx"

/* A test stops a kernel or a call after so many warp instructions: thousands of times what a
 * solution needs. */
enum { INSTRUCTION_LIMIT = 2000000 };

/* A device, and the student's module on it. */
typedef struct Setup {
  gpu_device *device;
  gpu_module *module;
} Setup;

struct Exam {
  const char *test;
  Arena *arena;
  const Json *request; /* the whole, and this test's part of it */
  const Json *test_request;
  const char *ptx, *source; /* the submission, compiled and as it is */
  size_t ptx_length, source_length;
  Setup setups[SCHEDULE_COUNT]; /* made when they are first used, */
  Setup use;                    /* and the one in use, for this schedule */
  Schedule schedule;
  /* The first failure. */
  bool failed, unwritten, closed, broken;
  Text message, call, expected, got, picture;
  const char *function, *hint, *fault, *fault_case;
  uint32_t line;
  double credit;
  const char *context;      /* said with every call */
  Explanation *explanation; /* NULL: nobody asks for one */
  Text explained;
  /* The seed in use. */
  bool has_seed;
  uint32_t seed, random;
};

/* Makes a device with the limits that student code is given; only one that counts cycles can be
 * traced. */
gpu_result exam_make_device(gpu_device **device, Schedule schedule, bool traced, char *message,
                            size_t message_size);

/* Reads request.json; NULL when it is not there or damaged. */
const Json *read_request(Arena *arena);

/* Appends one line to the records, in one write. */
void write_record(Text *line);

#endif
