/* cli/arg.c - the grammar of kernel arguments, and what fills a buffer. */
#include "cli/arg.h"

#include <stdlib.h>
#include <string.h>

const char arg_grammar[] =
    "Each ARG is one parameter of the kernel, in order:\n"
    "\n"
    "  TYPE:VALUE             a scalar, for instance i32:100 or f32:0.5\n"
    "  out:TYPE:N             a zeroed output buffer of N elements\n"
    "  buf:TYPE:N:GEN[:out]   a buffer that GEN fills; with :out it is an output, too\n"
    "  cyc                    a timing buffer, zeroed: for warp w the kernel stores its start\n"
    "                         clock, end clock and SM at elements 3w, 3w+1, 3w+2 (64-bit)\n"
    "\n"
    "TYPE is one of i8 u8 i16 u16 i32 u32 i64 u64 f16 bf16 f32 f64. GEN is one of:\n"
    "\n"
    "  zero               0 everywhere\n"
    "  iota               element i is i\n"
    "  const:V            V everywhere\n"
    "  mod:K              element i is i mod K\n"
    "  lcg:SEED[,MOD]     random numbers: s = s*1664525 + 1013904223 mod 2^32, u = s >> 8; the\n"
    "                     element is u mod MOD; without MOD an integer is u, a float u / 2^24\n"
    "  chain:STRIDE       element i is (i + STRIDE) mod N: a chain of indices to follow\n"
    "  list:a,b,...       these values, repeated\n"
    "  file:PATH          the raw little-endian bytes of a file\n";

/* Where the parser is: `rest` is what follows the fields read so far. */
typedef struct Parse {
  const char *text;
  int position;
  Span rest;
  Text *err;
} Parse;

/* The word up to the next `stop`, which is skipped. */
static Span take(Span *rest, char stop) {
  const char *end = memchr(rest->at, stop, rest->length);
  Span word = {rest->at, end ? (size_t)(end - rest->at) : rest->length};
  size_t used = word.length + (end != NULL);
  rest->at += used;
  rest->length -= used;
  return word;
}

/* Whether a `stop` was skipped just before: "zero:" is not the same as "zero". */
static bool comes_after(Span rest, char stop) { return rest.at[-1] == stop; }

static gpu_result bad(Parse *p, Span where, const char *format, ...) PRINTF_LIKE(3, 4);
static gpu_result bad(Parse *p, Span where, const char *format, ...) {
  Text message = {0};
  va_list args;
  va_start(args, format);
  text_vadd(&message, format, args);
  va_end(args);
  fail_at(p->err, p->text, where, "argument %d: %s", p->position, text_str(&message));
  text_free(&message);
  return GPU_BAD_INPUT;
}

/* ---- words --------------------------------------------------------------------------------- */

static gpu_result parse_type(Parse *p, Span word, const ElementType **type) {
  *type = element_type(word);
  if (*type) return GPU_OK;
  Text hint = {0};
  text_suggest(&hint, word, &element_types[0].name, element_type_count, sizeof element_types[0]);
  bad(p, word, "'%.*s' is not a type%s", SPAN(word), text_str(&hint));
  text_free(&hint);
  text_add(p->err, "\n  types: ");
  for (size_t i = 0; i < element_type_count; i++)
    text_add(p->err, "%s%s", i ? " " : "", element_types[i].name);
  return GPU_BAD_INPUT;
}

static gpu_result parse_value(Parse *p, const ElementType *type, Span word, uint64_t *bits) {
  const char *why;
  if (word.length == 0) return bad(p, word, "a value of type %s is missing here", type->name);
  if (element_parse(type, word, bits, &why)) return GPU_OK;
  if (strcmp(why, "does not fit") == 0)
    return bad(p, word, "%.*s does not fit into %s", SPAN(word), type->name);
  return bad(p, word, "'%.*s' %s", SPAN(word), why);
}

/* A number that no type limits: a seed, a stride, a count. */
static gpu_result parse_number(Parse *p, Span word, const char *what, uint64_t least,
                               uint64_t *value) {
  static const ElementType u64 = {"u64", 8, EL_UNSIGNED, 0};
  const char *why;
  if (word.length == 0) return bad(p, word, "%s is missing here", what);
  if (!element_parse(&u64, word, value, &why) || word.at[0] == '-')
    return bad(p, word, "%s must be a whole number, not '%.*s'", what, SPAN(word));
  if (*value < least) return bad(p, word, "%s must be at least %u", what, (unsigned)least);
  return GPU_OK;
}

/* ---- generators ---------------------------------------------------------------------------- */

static gpu_result gen_none(Parse *p, Arg *arg, Span rest) {
  (void)arg;
  return comes_after(rest, ':') ? bad(p, rest, "this generator takes nothing after it") : GPU_OK;
}

static gpu_result gen_const(Parse *p, Arg *arg, Span rest) {
  return parse_value(p, arg->type, rest, &arg->value);
}

static gpu_result gen_mod(Parse *p, Arg *arg, Span rest) {
  return parse_number(p, rest, "the K of mod:K", 1, &arg->value);
}

static gpu_result gen_chain(Parse *p, Arg *arg, Span rest) {
  return parse_number(p, rest, "the STRIDE of chain:STRIDE", 0, &arg->value);
}

static gpu_result gen_lcg(Parse *p, Arg *arg, Span rest) {
  Span seed = take(&rest, ',');
  bool has_modulus = comes_after(rest, ',');
  gpu_result r = parse_number(p, seed, "the SEED of lcg:SEED[,MOD]", 0, &arg->value);
  if (r != GPU_OK || !has_modulus) return r;
  return parse_number(p, rest, "the MOD of lcg:SEED,MOD", 1, &arg->modulus);
}

static gpu_result gen_list(Parse *p, Arg *arg, Span rest) {
  size_t capacity = 1;
  for (size_t i = 0; i < rest.length; i++) capacity += rest.at[i] == ',';
  arg->list = calloc(capacity, sizeof *arg->list);
  if (!arg->list) return fail(p->err, "argument %d: out of memory", p->position);
  while (arg->list_count < capacity) {
    Span word = take(&rest, ',');
    gpu_result r = parse_value(p, arg->type, word, &arg->list[arg->list_count++]);
    if (r != GPU_OK) return r;
  }
  return GPU_OK;
}

static gpu_result gen_file(Parse *p, Arg *arg, Span rest) {
  if (rest.length == 0) return bad(p, rest, "the name of a file is missing here");
  arg->path = strndup(rest.at, rest.length);
  return arg->path ? GPU_OK : fail(p->err, "argument %d: out of memory", p->position);
}

typedef struct Generator {
  const char *name;
  GenKind kind;
  gpu_result (*parse)(Parse *p, Arg *arg, Span rest); /* rest: what follows "name:" */
} Generator;

static const Generator generators[] = {
    {"zero", GEN_ZERO, gen_none}, {"iota", GEN_IOTA, gen_none}, {"const", GEN_CONST, gen_const},
    {"mod", GEN_MOD, gen_mod},    {"lcg", GEN_LCG, gen_lcg},    {"chain", GEN_CHAIN, gen_chain},
    {"list", GEN_LIST, gen_list}, {"file", GEN_FILE, gen_file},
};
enum { GENERATORS = sizeof generators / sizeof *generators };

static gpu_result parse_generator(Parse *p, Arg *arg) {
  if (p->rest.length == 0 && !comes_after(p->rest, ':')) return GPU_OK; /* none: zero */
  Span name = take(&p->rest, ':');
  for (size_t i = 0; i < GENERATORS; i++) {
    if (!span_is(name, generators[i].name)) continue;
    arg->gen = generators[i].kind;
    return generators[i].parse(p, arg, p->rest);
  }
  Text hint = {0};
  text_suggest(&hint, name, &generators[0].name, GENERATORS, sizeof generators[0]);
  bad(p, name, "'%.*s' is not a generator%s", SPAN(name), text_str(&hint));
  text_free(&hint);
  text_add(p->err, "\n  generators: zero iota const:V mod:K lcg:SEED[,MOD] chain:STRIDE "
                   "list:a,b,... file:PATH");
  return GPU_BAD_INPUT;
}

/* ---- arguments ----------------------------------------------------------------------------- */

static gpu_result parse_type_and_count(Parse *p, Arg *arg) {
  if (!comes_after(p->rest, ':')) return bad(p, p->rest, "a type is missing: out:TYPE:N");
  gpu_result r = parse_type(p, take(&p->rest, ':'), &arg->type);
  if (r != GPU_OK) return r;
  Span count = take(&p->rest, ':');
  r = parse_number(p, count, "the number of elements", 1, &arg->count);
  if (r == GPU_OK && arg->count > UINT64_MAX / 16)
    return bad(p, count, "%.*s elements are too many", SPAN(count));
  return r;
}

static gpu_result parse_out(Parse *p, Arg *arg) {
  arg->is_output = true;
  gpu_result r = parse_type_and_count(p, arg);
  if (r == GPU_OK && comes_after(p->rest, ':'))
    return bad(p, p->rest,
               "an output buffer starts zeroed and ends here; buf:TYPE:N:GEN:out is "
               "filled first");
  return r;
}

/* Takes a trailing ":out" off. */
static bool take_out_suffix(Span *rest) {
  static const char suffix[] = ":out";
  size_t n = sizeof suffix - 1;
  if (rest->length < n || memcmp(rest->at + rest->length - n, suffix, n) != 0) return false;
  rest->length -= n;
  return true;
}

static gpu_result parse_buf(Parse *p, Arg *arg) {
  arg->is_output = take_out_suffix(&p->rest);
  gpu_result r = parse_type_and_count(p, arg);
  return r == GPU_OK ? parse_generator(p, arg) : r;
}

static gpu_result parse_cyc(Parse *p, Arg *arg) {
  arg->kind = ARG_CYC;
  arg->type = element_type(span_str("i64"));
  return comes_after(p->rest, ':') ? bad(p, p->rest, "nothing follows cyc") : GPU_OK;
}

static gpu_result parse_scalar(Parse *p, Arg *arg, Span head) {
  arg->kind = ARG_SCALAR;
  if (!comes_after(p->rest, ':'))
    return bad(p, head, "a scalar is TYPE:VALUE, for instance %s:1", arg->type->name);
  return parse_value(p, arg->type, p->rest, &arg->bits);
}

static gpu_result unknown_head(Parse *p, Span head) {
  static const char *const heads[] = {"cyc", "out", "buf", "i8",  "u8",   "i16", "u16", "i32",
                                      "u32", "i64", "u64", "f16", "bf16", "f32", "f64"};
  Text hint = {0};
  text_suggest(&hint, head, heads, sizeof heads / sizeof *heads, sizeof *heads);
  bad(p, head, "'%.*s' does not begin an argument%s", SPAN(head), text_str(&hint));
  text_free(&hint);
  text_add(p->err,
           "\n  arguments: cyc, out:TYPE:N, buf:TYPE:N:GEN[:out], TYPE:VALUE (warpsim help args)");
  return GPU_BAD_INPUT;
}

gpu_result arg_parse(Arg *arg, const char *text, int position, Text *err) {
  *arg = (Arg){.text = text, .kind = ARG_BUFFER, .gen = GEN_ZERO};
  Parse p = {text, position, span_str(text), err};
  if (!*text) return bad(&p, p.rest, "it is empty");
  Span head = take(&p.rest, ':');
  if (span_is(head, "cyc")) return parse_cyc(&p, arg);
  if (span_is(head, "out")) return parse_out(&p, arg);
  if (span_is(head, "buf")) return parse_buf(&p, arg);
  arg->type = element_type(head);
  return arg->type ? parse_scalar(&p, arg, head) : unknown_head(&p, head);
}

void arg_free(Arg *arg) {
  free(arg->list);
  free(arg->path);
  arg->list = NULL;
  arg->path = NULL;
}

/* ---- filling ------------------------------------------------------------------------------- */

static uint64_t next_random(const Arg *arg, uint32_t *state) {
  *state = *state * 1664525u + 1013904223u;
  uint64_t u = *state >> 8;
  if (arg->modulus) return element_from_integer(arg->type, u % arg->modulus);
  if (arg->type->kind == EL_FLOAT) return element_from_double(arg->type, (double)u / 16777216.0);
  return element_from_integer(arg->type, u);
}

static uint64_t element_at(const Arg *arg, uint64_t i, uint64_t count, uint32_t *state) {
  switch (arg->gen) {
  case GEN_IOTA: return element_from_integer(arg->type, i);
  case GEN_CONST: return arg->value;
  case GEN_MOD: return element_from_integer(arg->type, i % arg->value);
  case GEN_LCG: return next_random(arg, state);
  case GEN_CHAIN: return element_from_integer(arg->type, (i + arg->value % count) % count);
  case GEN_LIST: return arg->list[i % arg->list_count];
  default: return 0;
  }
}

static gpu_result fill_from_file(const Arg *arg, uint8_t *bytes, uint64_t count, Text *err) {
  size_t length;
  char *data = read_file(arg->path, &length, err);
  if (!data) return GPU_BAD_INPUT;
  uint64_t wanted = count * arg->type->bytes;
  bool fits = length == wanted;
  if (fits) memcpy(bytes, data, length);
  free(data);
  if (fits) return GPU_OK;
  return fail(err, "'%s' has %zu bytes, but %llu elements of %s are %llu bytes\n  %s", arg->path,
              length, (unsigned long long)count, arg->type->name, (unsigned long long)wanted,
              arg->text);
}

gpu_result arg_generate(const Arg *arg, uint8_t *bytes, uint64_t count, Text *err) {
  if (arg->gen == GEN_FILE) return fill_from_file(arg, bytes, count, err);
  uint32_t state = (uint32_t)arg->value;
  for (uint64_t i = 0; i < count; i++)
    element_store(arg->type, bytes + i * arg->type->bytes, element_at(arg, i, count, &state));
  return GPU_OK;
}
