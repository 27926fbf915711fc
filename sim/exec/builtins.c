/* exec/builtins.c - device functions that CUDA supplies and no PTX defines: printf, assert, malloc,
 * free. A call of one arrives here with its .param slots. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exec/control.h"
#include "exec/fault.h"

enum { OUTPUT_LIMIT = 1 << 20, STRING_LIMIT = 4096 };

static uint64_t argument(const Warp *w, const Path *p, Var *const *args, size_t count, size_t i,
                         int lane) {
  uint64_t v = 0;
  if (i < count)
    memcpy(&v, local_at(w, lane, p->frame->local_base + args[i]->offset),
           args[i]->size < 8 ? args[i]->size : 8);
  return v;
}

static void give_result(const Warp *w, const Path *p, const Var *result, int lane, uint64_t v) {
  if (result)
    memcpy(local_at(w, lane, p->frame->local_base + result->offset), &v,
           result->size < 8 ? result->size : 8);
}

/* Reads bytes at any generic address, for one lane. */
static bool read_bytes(const Warp *w, int lane, uint64_t address, void *to, size_t bytes) {
  const Machine *m = w->cta->m;
  const uint8_t *from = NULL;
  switch (memory_space(address)) {
  case SP_GLOBAL: {
    const Allocation *a = memory_find(&m->memory, address, bytes);
    if (a) from = a->host + (address - a->base);
    break;
  }
  case SP_SHARED:
    if (address - SHARED_BASE + bytes <= m->shared_end)
      from = w->cta->shared + (address - SHARED_BASE);
    break;
  case SP_LOCAL:
    if (address - LOCAL_BASE + bytes <= w->local_size) from = local_at(w, lane, address);
    break;
  default: break;
  }
  if (from) memcpy(to, from, bytes);
  return from != NULL;
}

static void read_string(const Warp *w, int lane, uint64_t address, char *buf, size_t size) {
  size_t n = 0;
  while (n + 1 < size && read_bytes(w, lane, address + n, buf + n, 1) && buf[n]) n++;
  buf[n] = '\0';
}

/* ---- printf ---------------------------------------------------------------------------------- */

static void emit(Machine *m, const char *text, size_t n) {
  if (m->out_length + n > OUTPUT_LIMIT) {
    n = OUTPUT_LIMIT - m->out_length;
    m->out_cut = true;
  }
  if (m->out_length + n + 1 > m->out_capacity) {
    size_t capacity = 2 * (m->out_length + n + 1);
    char *out = realloc(m->out, capacity);
    if (!out) return;
    m->out = out;
    m->out_capacity = capacity;
  }
  memcpy(m->out + m->out_length, text, n);
  m->out_length += n;
  m->out[m->out_length] = '\0';
}

enum { DIGITS_MAX = 3 }; /* of a width or precision: the host must not print a billion blanks */

typedef struct Spec { /* one % of a format */
  char text[32];      /* flags, width, precision, without length letters; conversion added later */
  size_t length;
  char conversion;
  bool wide; /* ll, l, z, j, t: 64 bits */
  bool ok;
} Spec;

static Spec parse_spec(const char **at) {
  Spec s = {.text = "%", .length = 1};
  const char *f = *at;
  for (int digits = 0; *f && strchr("-+ #0123456789.", *f) && s.length < 20; f++) {
    digits = isdigit((unsigned char)*f) ? digits + 1 : 0;
    if (digits <= DIGITS_MAX) s.text[s.length++] = *f;
  }
  for (; *f && strchr("hlLqjzt", *f); f++) s.wide = s.wide || *f != 'h';
  s.conversion = *f;
  s.ok = *f && strchr("diouxXcsfFeEgGaAp", *f) != NULL;
  if (*f) f++;
  *at = f;
  return s;
}

static void format_one(Warp *w, int lane, Spec s, uint64_t address, uint64_t *offset) {
  Machine *m = w->cta->m;
  char out[512], string[STRING_LIMIT];
  bool is_float = strchr("fFeEgGaA", s.conversion) != NULL;
  size_t bytes = s.wide || is_float || s.conversion == 's' || s.conversion == 'p' ? 8 : 4;
  *offset = (*offset + bytes - 1) & ~(uint64_t)(bytes - 1);
  uint64_t v = 0;
  read_bytes(w, lane, address + *offset, &v, bytes);
  *offset += bytes;
  int n;
  if (is_float) {
    double d;
    memcpy(&d, &v, sizeof d);
    s.text[s.length++] = s.conversion;
    n = snprintf(out, sizeof out, s.text, d);
  } else if (s.conversion == 's') {
    read_string(w, lane, v, string, sizeof string);
    s.text[s.length++] = 's';
    n = snprintf(out, sizeof out, s.text, string);
  } else if (s.conversion == 'c') {
    s.text[s.length++] = 'c';
    n = snprintf(out, sizeof out, s.text, (int)v);
  } else if (s.conversion == 'p') {
    n = snprintf(out, sizeof out, "0x%llx", (unsigned long long)v);
  } else {
    bool is_signed = s.conversion == 'd' || s.conversion == 'i';
    long long value = s.wide ? (long long)v : is_signed ? (int32_t)v : (long long)(uint32_t)v;
    memcpy(s.text + s.length, "ll", 2);
    s.length += 2;
    s.text[s.length++] = s.conversion;
    n = snprintf(out, sizeof out, s.text, value);
  }
  if (n > 0) emit(m, out, (size_t)n < sizeof out ? (size_t)n : sizeof out - 1);
}

static void print_lane(Warp *w, int lane, uint64_t format, uint64_t args) {
  char text[STRING_LIMIT];
  if (w->cta->m->out_cut) return; /* nobody will see it */
  read_string(w, lane, format, text, sizeof text);
  uint64_t offset = 0;
  for (const char *f = text; *f;) {
    const char *percent = strchr(f, '%');
    if (!percent) percent = f + strlen(f);
    emit(w->cta->m, f, (size_t)(percent - f));
    f = percent;
    if (!*f) break;
    const char *start = f++;
    if (*f == '%') {
      emit(w->cta->m, f++, 1);
      continue;
    }
    Spec s = parse_spec(&f);
    if (s.ok)
      format_one(w, lane, s, args, &offset);
    else
      emit(w->cta->m, start, (size_t)(f - start));
  }
}

static Flow do_vprintf(Warp *w, Path *p, const Op *op, Mask m, Var *const *args, size_t count,
                       Var *result) {
  (void)op;
  FOR_LANES(l, m) {
    print_lane(w, l, argument(w, p, args, count, 0, l), argument(w, p, args, count, 1, l));
    give_result(w, p, result, l, 0);
  }
  return FLOW_NEXT;
}

/* ---- assert ---------------------------------------------------------------------------------- */

static Flow do_assertfail(Warp *w, Path *p, const Op *op, Mask m, Var *const *args, size_t count,
                          Var *result) {
  (void)result;
  char message[256], file[256], function[128];
  int l = mask_first(m);
  read_string(w, l, argument(w, p, args, count, 0, l), message, sizeof message);
  read_string(w, l, argument(w, p, args, count, 1, l), file, sizeof file);
  read_string(w, l, argument(w, p, args, count, 3, l), function, sizeof function);
  Flow flow = fault_raise(w, p, op->in, GPU_FAULT_ASSERT, m,
                          "find out why the condition does not hold for this thread",
                          "assertion `%s` failed (%s:%u, %s)", message, file,
                          (unsigned)argument(w, p, args, count, 2, l), function);
  if (flow == FLOW_NEXT) {
    lanes_leave(w, p, m);
    return FLOW_TURN;
  }
  return flow;
}

/* ---- the heap -------------------------------------------------------------------------------- */

static Flow do_malloc(Warp *w, Path *p, const Op *op, Mask m, Var *const *args, size_t count,
                      Var *result) {
  (void)op;
  Machine *machine = w->cta->m;
  FOR_LANES(l, m) {
    uint64_t bytes = argument(w, p, args, count, 0, l);
    give_result(w, p, result, l,
                memory_alloc(&machine->memory, bytes, NULL, machine->set.check >= GPU_CHECK_FULL));
  }
  memset(machine->cache, 0, sizeof machine->cache); /* the table of allocations may have moved */
  machine->memory.version++;
  return FLOW_NEXT;
}

static Flow do_free(Warp *w, Path *p, const Op *op, Mask m, Var *const *args, size_t count,
                    Var *result) {
  (void)result;
  FOR_LANES(l, m) {
    uint64_t address = argument(w, p, args, count, 0, l);
    if (address == 0 || memory_free(&w->cta->m->memory, address)) continue;
    Flow flow = fault_raise(w, p, op->in, GPU_FAULT_OUT_OF_BOUNDS, 1u << l,
                            "free each pointer once, and only what malloc returned on the device",
                            "free of 0x%llx, which is no allocation that could be freed",
                            (unsigned long long)address);
    if (flow != FLOW_NEXT) return flow;
  }
  w->cta->m->memory.version++;
  return FLOW_NEXT;
}

BuiltinFn builtin_find(const char *name) {
  static const struct {
    const char *name;
    BuiltinFn fn;
  } builtins[] = {{"vprintf", do_vprintf},
                  {"__assertfail", do_assertfail},
                  {"__assert_fail", do_assertfail},
                  {"malloc", do_malloc},
                  {"free", do_free}};
  for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
    if (strcmp(builtins[i].name, name) == 0) return builtins[i].fn;
  return NULL;
}
