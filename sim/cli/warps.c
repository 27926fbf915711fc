/* cli/warps.c - `warpsim warps`: how a block is cut into warps, as a table and a picture.
 *
 * Thread (x, y, z) has the linear id x + y*X + z*X*Y; warp w holds the ids 32w .. 32w + 31. The
 * last warp of a block is filled up with lanes that never run. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/options.h"

enum { WARP = 32, MOST_THREADS = 1024, MOST_Z = 64 };

typedef struct Partition {
  gpu_dim block, grid;
  bool has_grid;
  uint32_t threads, warps;
} Partition;

static uint32_t first_of(uint32_t warp) { return warp * WARP; }

static uint32_t active_of(const Partition *p, uint32_t warp) {
  uint32_t left = p->threads - first_of(warp);
  return left < WARP ? left : WARP;
}

static uint32_t mask_of(const Partition *p, uint32_t warp) {
  return (uint32_t)((1ull << active_of(p, warp)) - 1);
}

static gpu_dim thread_of(const Partition *p, uint32_t linear) {
  gpu_dim b = p->block;
  return (gpu_dim){linear % b.x, linear / b.x % b.y, linear / b.x / b.y};
}

static uint64_t blocks_of(const Partition *p) {
  return (uint64_t)p->grid.x * p->grid.y * p->grid.z;
}

/* ---- text ---------------------------------------------------------------------------------- */

static void print_heading(const Partition *p) {
  uint32_t idle = p->warps * WARP - p->threads;
  printf("A block of %u x %u x %u = %u thread%s is %u warp%s", p->block.x, p->block.y, p->block.z,
         p->threads, p->threads == 1 ? "" : "s", p->warps, p->warps == 1 ? "" : "s");
  if (idle)
    printf("; %u lane%s of the last one %s idle", idle, idle == 1 ? "" : "s",
           idle == 1 ? "is" : "are");
  printf(".\n");
  if (!p->has_grid) return;
  uint64_t blocks = blocks_of(p);
  printf("A grid of %u x %u x %u = %llu block%s has %llu warps, %llu threads, %llu idle lanes.\n",
         p->grid.x, p->grid.y, p->grid.z, (unsigned long long)blocks, blocks == 1 ? "" : "s",
         (unsigned long long)(blocks * p->warps), (unsigned long long)(blocks * p->threads),
         (unsigned long long)(blocks * idle));
}

static void print_row(const Partition *p, uint32_t warp) {
  uint32_t first = first_of(warp), active = active_of(p, warp), last = first + active - 1;
  gpu_dim a = thread_of(p, first), b = thread_of(p, last);
  char from[40], to[40];
  snprintf(from, sizeof from, "T(%u,%u,%u)", a.z, a.y, a.x);
  snprintf(to, sizeof to, "T(%u,%u,%u)", b.z, b.y, b.x);
  printf("%4u  %5u  %4u  %-14s  %-14s  %6u  %4u  0x%08x\n", warp, first, last, from, to, active,
         WARP - active, mask_of(p, warp));
}

static void print_table(const Partition *p) {
  printf("\nwarp  first  last  %-14s  %-14s  active  idle  mask\n", "first T(z,y,x)",
         "last T(z,y,x)");
  for (uint32_t w = 0; w < p->warps; w++) print_row(p, w);
}

/* Whether stdout is a terminal that shows UTF-8. */
static bool shows_utf8(void) {
  static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
  if (!isatty(STDOUT_FILENO)) return false;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *value = getenv(names[i]);
    if (value && *value) return strstr(value, "UTF-8") || strstr(value, "utf8");
  }
  return false;
}

static void print_picture(const Partition *p) {
  const char *active = "#", *idle = ".";
  if (shows_utf8()) {
    active = "\u25a0";
    idle = "\u00b7";
  }
  printf("\nlane     0       8       16      24     31\n");
  for (uint32_t w = 0; w < p->warps; w++) {
    printf("warp %2u  ", w);
    for (uint32_t lane = 0; lane < WARP; lane++)
      printf("%s", lane < active_of(p, w) ? active : idle);
    printf("\n");
  }
  printf("         %s active   %s idle\n", active, idle);
}

/* ---- for programs -------------------------------------------------------------------------- */

static void print_tsv(const Partition *p) {
  printf("# block %u,%u,%u: one row a lane; an idle lane has no thread\n", p->block.x, p->block.y,
         p->block.z);
  printf("warp\tlane\tlinear\tx\ty\tz\tactive\n");
  for (uint32_t linear = 0; linear < p->warps * WARP; linear++) {
    printf("%u\t%u\t%u\t", linear / WARP, linear % WARP, linear);
    gpu_dim t = thread_of(p, linear);
    if (linear < p->threads)
      printf("%u\t%u\t%u\t1\n", t.x, t.y, t.z);
    else
      printf("NaN\tNaN\tNaN\t0\n");
  }
}

static void print_json_warp(const Partition *p, uint32_t warp) {
  uint32_t first = first_of(warp), active = active_of(p, warp), last = first + active - 1;
  gpu_dim a = thread_of(p, first), b = thread_of(p, last);
  printf("{\"warp\":%u,\"first\":%u,\"last\":%u,\"first_thread\":[%u,%u,%u],"
         "\"last_thread\":[%u,%u,%u],\"active\":%u,\"idle\":%u,\"mask\":\"0x%08x\"}",
         warp, first, last, a.x, a.y, a.z, b.x, b.y, b.z, active, WARP - active, mask_of(p, warp));
}

static void print_json(const Partition *p) {
  printf("{\"block\":[%u,%u,%u],\"grid\":[%u,%u,%u],\"threads\":%u,\"warps\":%u,\"idle\":%u,"
         "\"blocks\":%llu,\"total_warps\":%llu,\"partition\":[",
         p->block.x, p->block.y, p->block.z, p->grid.x, p->grid.y, p->grid.z, p->threads, p->warps,
         p->warps * WARP - p->threads, (unsigned long long)blocks_of(p),
         (unsigned long long)(blocks_of(p) * p->warps));
  for (uint32_t w = 0; w < p->warps; w++) {
    if (w) printf(",");
    print_json_warp(p, w);
  }
  printf("]}\n");
}

/* ---- the command --------------------------------------------------------------------------- */

static gpu_result check_block(gpu_dim b, Text *err) {
  if (b.x == 0) return fail(err, "--block is missing: for instance --block 128 or --block 16,16");
  if (b.x > MOST_THREADS || b.y > MOST_THREADS || b.z > MOST_Z)
    return fail(err, "a block is at most %d x %d x %d; this one is %u x %u x %u", MOST_THREADS,
                MOST_THREADS, MOST_Z, b.x, b.y, b.z);
  uint32_t threads = b.x * b.y * b.z;
  if (threads > MOST_THREADS)
    return fail(err, "%u x %u x %u = %u threads; a block has at most %d", b.x, b.y, b.z, threads,
                MOST_THREADS);
  return GPU_OK;
}

/* The grid's limits are those of CUDA: 2^31 - 1 in x, 65535 in y and z. */
static gpu_result check_grid(gpu_dim g, Text *err) {
  if (g.y > 65535 || g.z > 65535)
    return fail(err, "a grid is at most 2147483647 x 65535 x 65535; this one is %u x %u x %u", g.x,
                g.y, g.z);
  if ((uint64_t)g.x * g.y * g.z >> 48)
    return fail(err, "%u x %u x %u are more than 2^48 blocks", g.x, g.y, g.z);
  return GPU_OK;
}

gpu_result warps_command(const Options *o, Text *err) {
  gpu_result r = check_block(o->block, err);
  if (r == GPU_OK) r = check_grid(o->grid, err);
  if (r != GPU_OK) return r;
  if (o->json && o->tsv) return fail(err, "--json and --tsv exclude one another");
  Partition p = {.block = o->block, .grid = o->grid, .has_grid = o->has_grid};
  p.threads = o->block.x * o->block.y * o->block.z;
  p.warps = (p.threads + WARP - 1) / WARP;
  if (o->json) {
    print_json(&p);
  } else if (o->tsv) {
    print_tsv(&p);
  } else {
    print_heading(&p);
    print_table(&p);
    print_picture(&p);
  }
  return GPU_OK;
}
