/* timing/hierarchy.c - banks, coalescing, caches, DRAM. */
#include "timing/hierarchy.h"

#include <stdlib.h>
#include <string.h>

enum { DRAM_STRETCH = 32 }; /* lines */
enum { WAYS = 16, ATOMIC_SLOTS = 4096, MAX_SECTORS = WARP_SIZE * 5 };

/* ---- a cache of lines with sectors ----------------------------------------------------------- */

typedef struct Line {
  uint64_t tag;    /* line number + 1; 0: empty */
  uint64_t used;   /* when it was used last: the least goes first */
  uint64_t arrive; /* when its last sector is there */
  uint8_t sectors; /* those that it holds or awaits, a bit each */
  bool dirty;
  bool fresh; /* of L2: written by the host, and not read by an SM since */
} Line;

struct Cache {
  uint32_t sets, ways, line_bytes, sector_bytes;
  uint64_t tick;
  Line *lines;
  Line *last; /* found last: sectors of a line are mostly asked for together */
};

static Cache *cache_new(const Arch *a, uint64_t bytes) {
  uint64_t lines = bytes / a->line_bytes;
  if (lines == 0) return NULL;
  Cache *c = calloc(1, sizeof *c);
  if (!c) return NULL;
  c->ways = lines < WAYS ? (uint32_t)lines : WAYS;
  c->sets = (uint32_t)(lines / c->ways);
  c->line_bytes = a->line_bytes;
  c->sector_bytes = a->sector_bytes;
  c->lines = calloc((size_t)c->sets * c->ways, sizeof(Line));
  if (c->lines) return c;
  free(c);
  return NULL;
}

static void cache_free(Cache *c) {
  if (!c) return;
  free(c->lines);
  free(c);
}

static void cache_clear(Cache *c) {
  if (c) memset(c->lines, 0, (size_t)c->sets * c->ways * sizeof(Line));
}

/* Lines are spread over the sets by a hash, as GPUs do: no stride hits one set alone. */
static Line *cache_set(const Cache *c, uint64_t line) {
  uint64_t h = line * 0x9e3779b97f4a7c15ull;
  return &c->lines[(size_t)((h >> 32) * c->sets >> 32) * c->ways];
}

/* The line, or the one that makes room for it (then *present is false, and it is empty). */
static Line *cache_find(Cache *c, uint64_t line, bool *present, bool *wrote_back) {
  *wrote_back = false;
  if (c->last && c->last->tag == line + 1) {
    c->last->used = ++c->tick;
    *present = true;
    return c->last;
  }
  Line *set = cache_set(c, line), *oldest = set;
  for (uint32_t i = 0; i < c->ways; i++) {
    if (set[i].tag == line + 1) {
      set[i].used = ++c->tick;
      *present = true;
      return c->last = &set[i];
    }
    if (set[i].used < oldest->used) oldest = &set[i];
  }
  *present = false;
  *wrote_back = oldest->dirty;
  *oldest = (Line){.tag = line + 1, .used = ++c->tick};
  return c->last = oldest;
}

/* ---- L2 and DRAM ----------------------------------------------------------------------------- */

Hierarchy *hierarchy_new(const Arch *arch) {
  Hierarchy *h = calloc(1, sizeof *h);
  if (!h) return NULL;
  h->arch = arch;
  h->l2 = cache_new(arch, arch->l2_bytes);
  h->atomic_free = calloc(ATOMIC_SLOTS, sizeof *h->atomic_free);
  double bytes_per_cycle = arch->dram_gb_per_s * 1e9 / (arch->clock_mhz * 1e6);
  h->dram_interval = arch->sector_bytes / bytes_per_cycle;
  if (h->atomic_free && (h->l2 || arch->l2_bytes < arch->line_bytes)) return h;
  hierarchy_free(h);
  return NULL;
}

void hierarchy_free(Hierarchy *h) {
  if (!h) return;
  cache_free(h->l2);
  free(h->atomic_free);
  free(h);
}

void hierarchy_begin(Hierarchy *h) {
  h->dram_free = h->l2_free = 0;
  h->dram_turn = h->dram_line = 0;
  h->dram_now = 0;
  h->dram_far = false;
  h->l2_hits = h->l2_misses = h->dram_sectors = 0;
  memset(h->atomic_free, 0, ATOMIC_SLOTS * sizeof *h->atomic_free);
  if (!h->l2) return;
  for (size_t i = 0; i < (size_t)h->l2->sets * h->l2->ways; i++) h->l2->lines[i].arrive = 0;
}

void hierarchy_touch(Hierarchy *h, uint64_t address, uint64_t bytes, bool read) {
  if (!h->l2 || bytes == 0) return;
  bool present, wrote_back;
  uint64_t first = address / h->l2->line_bytes, last = (address + bytes - 1) / h->l2->line_bytes;
  uint64_t room = (uint64_t)h->l2->sets * h->l2->ways;
  if (last - first >= room) first = last - room + 1; /* only the end can stay */
  for (uint64_t line = first; line <= last; line++)
    *cache_find(h->l2, line, &present, &wrote_back) =
        (Line){.tag = line + 1, .used = h->l2->tick, .sectors = 0xff, .fresh = !read};
}

void hierarchy_flush(Hierarchy *h) { cache_clear(h->l2); }

/* One after another: the channel that is free at *free takes the request of `now`. */
static double take(double *free, double now, double interval) {
  double start = *free > now ? *free : now;
  *free = start + interval;
  return start;
}

/* Lines differ: stretches of 4 KB are reached through the SM's half of L2 or through the other, and
 * one request in eight finds its bank busy (another page is open, or it is refreshed). Which ones,
 * nobody knows; here they take turns, so that a few lines have the mean, latency_dram, too. */
static double dram_latency(Hierarchy *h, uint64_t line, double now) {
  const Arch *a = h->arch;
  uint64_t stretch = line / DRAM_STRETCH, last = h->dram_line / DRAM_STRETCH;
  bool same = line == h->dram_line || (line == h->dram_line + 1 && now < h->dram_now + 8);
  if (stretch != last) h->dram_far = !h->dram_far;
  if (!same) h->dram_turn++;
  h->dram_line = line;
  h->dram_now = now;
  return a->latency_dram + (h->dram_far - 1 / 2.0) * a->latency_dram_far +
         ((h->dram_turn % 8 == 5) - 1 / 8.0) * a->latency_dram_conflict;
}

static uint64_t ask_dram(Hierarchy *h, uint64_t line, double now) {
  h->dram_sectors++;
  return (uint64_t)(take(&h->dram_free, now, h->dram_interval) + dram_latency(h, line, now));
}

/* L2 lies in two halves, and a line has its home in one of them. An SM of the other half fetches it
 * from there the first time; then its own half keeps a copy, too. */
static double from_the_other_half(const Arch *a, Line *line, uint64_t number) {
  if (!line->fresh) return 0;
  line->fresh = false;
  return number * 0x9e3779b97f4a7c15ull >> 63 ? a->latency_l2_far : 0;
}

/* A sector that an SM asks L2 for at `now`: when it is there. A write needs no old bytes. */
static uint64_t ask_l2(Hierarchy *h, uint64_t sector, double now, bool write) {
  const Arch *a = h->arch;
  double start = take(&h->l2_free, now, (double)a->sector_bytes / a->l2_bytes_per_cycle);
  uint32_t each = a->line_bytes / a->sector_bytes;
  if (!h->l2) return ask_dram(h, sector / each, start);
  bool present, wrote_back;
  Line *line = cache_find(h->l2, sector / each, &present, &wrote_back);
  uint8_t bit = (uint8_t)(1u << sector % each);
  if (wrote_back) take(&h->dram_free, start, each * h->dram_interval);
  uint64_t hit = (uint64_t)(start + a->latency_l2);
  if (write) line->dirty = true;
  if (line->sectors & bit || write) {
    line->sectors |= bit;
    h->l2_hits++;
    if (!write)
      line->arrive =
          later(line->arrive, hit + (uint64_t)from_the_other_half(a, line, sector / each));
    return later(line->arrive, hit);
  }
  h->l2_misses++;
  line->sectors |= bit;
  uint64_t there = ask_dram(h, sector / each, start);
  if (there > line->arrive) line->arrive = there;
  return there;
}

/* ---- an SM's memory -------------------------------------------------------------------------- */

bool sm_memory_init(SmMemory *m, Hierarchy *h, uint64_t shared_bytes) {
  const Arch *a = h->arch;
  *m = (SmMemory){.gpu = h, .arch = a, .unique = 1ull << 48};
  uint64_t bytes = a->l1_bytes > shared_bytes ? a->l1_bytes - shared_bytes : a->line_bytes;
  if (a->l1_bytes) m->l1 = cache_new(a, bytes);
  m->in_flight = calloc(a->max_outstanding, sizeof *m->in_flight);
  return m->in_flight && (m->l1 || !a->l1_bytes);
}

void sm_memory_release(SmMemory *m) {
  cache_free(m->l1);
  free(m->in_flight);
}

/* ---- shared memory --------------------------------------------------------------------------- */

/* Words of one pass: lanes first .. first + count - 1, `words` words of 4 bytes each. */
static uint32_t passes_of_group(const Arch *a, const uint64_t *address, Mask m, int first,
                                int count, uint32_t words) {
  uint64_t seen[WARP_SIZE * 4];
  uint8_t load[64] = {0};
  uint32_t n = 0, most = 0;
  for (int l = first; l < first + count; l++) {
    if (!(m >> l & 1)) continue;
    for (uint32_t k = 0; k < words; k++) {
      uint64_t word = address[l] / 4 + k;
      uint32_t i = n;
      while (i > 0 && seen[i - 1] != word) i--;
      if (i) continue;
      seen[n++] = word;
      uint8_t passes = ++load[word % a->shared_banks];
      if (passes > most) most = passes;
    }
  }
  return most;
}

uint32_t shared_wavefronts(const Arch *a, const uint64_t *address, Mask m, uint32_t bytes) {
  uint32_t words = bytes <= 4 ? 1 : bytes / 4, total = 0;
  if (words > 4) words = 4;
  if (words == 1 && a->shared_banks == WARP_SIZE && lanes_in_row(address, m, 4)) return 1;
  /* Wide accesses go in halves or quarters of the warp: 128 bytes a pass at most. */
  int group = WARP_SIZE / (int)words;
  for (int first = 0; first < WARP_SIZE; first += group)
    total += passes_of_group(a, address, m, first, group, words);
  return total ? total : 1;
}

/* Lanes that change one word one after the other. */
static uint32_t same_word(const uint64_t *address, Mask m) {
  uint32_t most = 1;
  FOR_LANES(l, m) {
    uint32_t n = 0;
    for (int k = l; k < WARP_SIZE; k++) n += (m >> k & 1) && address[k] == address[l];
    if (n > most) most = n;
  }
  return most;
}

/* Passes without any conflict: 128 bytes each, so that wide accesses take two or four. */
static uint32_t passes_at_least(Mask m, uint32_t bytes) {
  int words = bytes <= 4 ? 1 : bytes >= 16 ? 4 : (int)(bytes / 4), group = WARP_SIZE / words;
  uint32_t passes = 0;
  for (int first = 0; first < WARP_SIZE; first += group)
    passes += (m >> first & mask_below(group)) != 0;
  return passes;
}

static MemoryCost shared_access(SmMemory *m, const Executed *e, double now, bool atomic) {
  const Arch *a = m->arch;
  uint32_t passes = shared_wavefronts(a, e->address, e->accessed, e->bytes);
  uint32_t same = atomic ? same_word(e->address, e->accessed) : 1;
  /* Lanes on one word follow one another, but other warps' accesses pass in between. */
  double busy = (passes + (same - 1) / 3.0) * a->interval_wavefront;
  double start = take(&m->shared_free, now, busy);
  double latency =
      atomic ? a->latency_atomic_shared + (same - 1) * a->latency_atomic_same : a->latency_shared;
  return (MemoryCost){.done = (uint64_t)(start + latency + (passes - 1) * a->latency_wavefront),
                      .accepted = (uint64_t)start,
                      .wavefronts = passes,
                      .conflicts = passes - passes_at_least(e->accessed, e->bytes),
                      .shared = true};
}

/* ---- constant memory ------------------------------------------------------------------------- */

/* Whether a direct-mapped table of tags holds the number; it does from now on. */
static bool tag_find(uint64_t *tags, size_t count, uint64_t number) {
  uint64_t *tag = &tags[number % count];
  bool there = *tag == number + 1;
  *tag = number + 1;
  return there;
}

/* One address after the other, each for all lanes that have it. */
static MemoryCost constant_access(SmMemory *m, const Executed *e, double now) {
  const Arch *a = m->arch;
  MemoryCost c = {.accepted = (uint64_t)now};
  double later_ones = 0;
  for (Mask rest = e->accessed; rest;) {
    uint64_t address = e->address[mask_first(rest)];
    FOR_LANES(l, rest) if (e->address[l] == address) rest &= ~(1u << l);
    double latency = a->latency_constant;
    if (!tag_find(m->constant_lines, CONSTANT_LINES, address / CONSTANT_LINE))
      latency = tag_find(m->constant_blocks, CONSTANT_BLOCKS, address / CONSTANT_BLOCK)
                    ? a->latency_constant_miss
                    : a->latency_constant_cold;
    double start = take(&m->constant_free, now, 1 + latency - a->latency_constant);
    c.done = later(c.done, (uint64_t)(start + latency + later_ones));
    later_ones += a->latency_constant_address - 1; /* it begins 1 later, too */
  }
  return c;
}

/* ---- global and local memory ----------------------------------------------------------------- */

uint32_t coalesce(const uint64_t *address, Mask m, uint32_t bytes, uint32_t sector_bytes,
                  uint64_t *sectors) {
  uint32_t n = 0;
  FOR_LANES(l, m) {
    uint64_t last = (address[l] + bytes - 1) / sector_bytes;
    for (uint64_t s = address[l] / sector_bytes; s <= last; s++) {
      uint32_t i = n;
      while (i > 0 && sectors[i - 1] != s) i--; /* mostly the one before */
      if (!i && n < MAX_SECTORS) sectors[n++] = s;
    }
  }
  return n;
}

/* Local memory is laid out so that a word of all lanes is one line. */
static void spread_local(const Executed *e, uint64_t base, uint64_t *address) {
  for (int l = 0; l < WARP_SIZE; l++) {
    uint64_t offset = e->address[l] - LOCAL_BASE;
    address[l] = base + offset / 4 * 4 * WARP_SIZE + (uint64_t)l * 4 + offset % 4;
  }
}

static bool bypasses_l1(const Arch *a, const Inst *in, bool local) {
  if (local) return false;
  ModValue cache = (ModValue)in->mod[MC_CACHE], order = (ModValue)in->mod[MC_SEM];
  bool ordered = order != MOD_NONE && order != MOD_SEM_WEAK;
  bool asks = cache == MOD_CACHE_CA || in->mod[MC_NC];
  return cache == MOD_CACHE_CG || cache == MOD_CACHE_CV || ordered ||
         (!a->l1_caches_global && !asks);
}

/* A sector through the SM's port to L2: not more than max_outstanding at a time. */
static uint64_t fetch_sector(SmMemory *m, uint64_t sector, double now) {
  const Arch *a = m->arch;
  uint64_t *slot = &m->in_flight[m->next_flight];
  uint64_t line = sector / (a->line_bytes / a->sector_bytes);
  m->next_flight = (m->next_flight + 1) % a->max_outstanding;
  if ((double)*slot > now) now = (double)*slot;
  if (line != m->last_line) now = take(&m->request_free, now, a->interval_request);
  m->last_line = line;
  double start = now;
  if (sector / 2 != m->last_pair) start = take(&m->port_free, now, a->interval_pair);
  m->last_pair = sector / 2;
  uint64_t there = ask_l2(m->gpu, sector, start, false);
  *slot = there;
  return there;
}

static uint64_t load_sector(SmMemory *m, uint64_t sector, double now, bool through_l1,
                            uint32_t *hits) {
  const Arch *a = m->arch;
  if (!through_l1 || !m->l1) return fetch_sector(m, sector, now);
  uint32_t each = a->line_bytes / a->sector_bytes;
  bool present, wrote_back;
  Line *line = cache_find(m->l1, sector / each, &present, &wrote_back);
  uint8_t bit = (uint8_t)(1u << sector % each);
  uint64_t hit = (uint64_t)(now + a->latency_l1);
  if (line->sectors & bit) {
    ++*hits;
    return line->arrive > hit ? line->arrive : hit;
  }
  line->sectors |= bit;
  uint64_t there = fetch_sector(m, sector, now + a->latency_l1_miss);
  if (there > line->arrive) line->arrive = there;
  return there;
}

/* Lines among the sectors, and the cycles that L1 needs to look them up: a tag bank takes one at a
 * time. */
static uint32_t count_lines(const Arch *a, const uint64_t *sectors, uint32_t n, uint32_t *lookups) {
  uint32_t each = a->line_bytes / a->sector_bytes, lines = 0, load[32] = {0};
  *lookups = 0;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t k = i;
    while (k > 0 && sectors[k - 1] / each != sectors[i] / each) k--;
    if (k) continue;
    lines++;
    uint32_t bank = (uint32_t)(sectors[i] / each % a->tag_banks);
    if (++load[bank] > *lookups) *lookups = load[bank];
  }
  return lines;
}

/* An atomic is performed in L2: those on one word one after another. */
static uint64_t atomic_at(SmMemory *m, uint64_t sector, uint32_t same, double now, bool returns) {
  const Arch *a = m->arch;
  uint64_t *free = &m->gpu->atomic_free[(sector * 0x9e3779b97f4a7c15ull) >> 52];
  double sent = take(&m->store_free, now, (returns ? 4 : 1) * a->interval_store);
  double start = sent + a->latency_atomic_l2 / 2;
  if ((double)*free > start) start = (double)*free;
  double busy = same > 1 ? same * a->interval_atomic : 0;
  *free = (uint64_t)(start + busy);
  return (uint64_t)(start + busy + a->latency_atomic_l2 / 2);
}

/* A store goes to L2; what lies in L1 is brought up to date. Local memory is written into L1. */
static uint64_t store_sector(SmMemory *m, uint64_t sector, double now, bool whole, bool local) {
  const Arch *a = m->arch;
  if (local && m->l1) {
    uint32_t each = a->line_bytes / a->sector_bytes;
    bool present, wrote_back;
    cache_find(m->l1, sector / each, &present, &wrote_back)->sectors |=
        (uint8_t)(1u << sector % each);
    return (uint64_t)(now + a->latency_l1);
  }
  double start = take(&m->store_free, now, (whole ? 1 : 2) * a->interval_store);
  return ask_l2(m->gpu, sector, start, true);
}

typedef struct Sectors {
  uint64_t number[MAX_SECTORS];
  uint32_t count, lines, lookups;
  bool whole; /* the lanes' bytes fill them */
  bool local;
} Sectors;

static void find_sectors(const SmMemory *m, const Executed *e, uint64_t local, Sectors *s) {
  const Arch *a = m->arch;
  uint64_t spread[WARP_SIZE];
  const uint64_t *address = e->address;
  uint32_t bytes = e->bytes;
  s->local = memory_space(e->address[mask_first(e->accessed)]) == SP_LOCAL;
  uint32_t words = 1;
  if (s->local) {
    spread_local(e, local, spread);
    address = spread;
    if (bytes > 4) words = bytes / 4, bytes = 4;
  }
  s->count = coalesce(address, e->accessed, bytes, a->sector_bytes, s->number);
  for (uint32_t k = 1, n = s->count; k < words;
       k++) /* a thread's further words are further lines */
    for (uint32_t i = 0; i < n && s->count < MAX_SECTORS; i++)
      s->number[s->count++] = s->number[i] + k * 4 * WARP_SIZE / a->sector_bytes;
  s->lines = count_lines(a, s->number, s->count, &s->lookups);
  s->whole = (uint64_t)mask_count(e->accessed) * bytes >= (uint64_t)s->count * a->sector_bytes;
}

static MemoryCost global_access(SmMemory *m, const Executed *e, double now, uint64_t local,
                                bool returns, bool aggregated) {
  const Arch *a = m->arch;
  const Inst *in = e->op->in;
  Sectors s = {.count = 0};
  find_sectors(m, e, local, &s);
  double start = take(&m->line_free, now, s.lookups * a->interval_line);
  MemoryCost c = {.accepted = (uint64_t)start, .sectors = s.count};
  bool write = in->op == OP_ST, atomic = in->op == OP_ATOM || in->op == OP_RED;
  bool through_l1 = !bypasses_l1(a, in, s.local);
  uint32_t same = atomic && !aggregated ? same_word(e->address, e->accessed) : 1;
  double each = s.lines > 1 ? s.lookups * a->interval_line / s.count : 0;
  for (uint32_t i = 0; i < s.count; i++) {
    uint64_t sector = s.number[i], there;
    double at = start + i * each;
    if (atomic)
      there = atomic_at(m, sector, same, at, returns);
    else if (write)
      there = store_sector(m, sector, at, s.whole, s.local);
    else
      there = load_sector(m, sector, at, through_l1, &c.hits);
    if (there > c.done) c.done = there;
  }
  return c;
}

uint64_t memory_ready(const SmMemory *m) {
  double busy = m->shared_free;
  if (m->line_free > busy) busy = m->line_free;
  if (m->request_free > busy) busy = m->request_free;
  if (m->store_free > busy) busy = m->store_free;
  busy -= m->arch->memory_queue;
  return busy > 0 ? (uint64_t)busy : 0;
}

MemoryCost memory_access(SmMemory *m, const Executed *e, uint64_t now, uint64_t local, bool returns,
                         bool aggregated) {
  const Inst *in = e->op->in;
  bool atomic = in->op == OP_ATOM || in->op == OP_RED;
  Space space = memory_space(e->address[mask_first(e->accessed)]);
  if (space == SP_SHARED) return shared_access(m, e, (double)now, atomic);
  if (in->mod[MC_SPACE] == MOD_SPACE_CONST || space == SP_PARAM)
    return constant_access(m, e, (double)now);
  return global_access(m, e, (double)now, local, returns, aggregated);
}
