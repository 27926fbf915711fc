/* tests/ops_check.c - running the instruction forms and measuring distances. */
#include "tests/ops_check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FOLDER WARPBOOK_ROOT "/sim/tests/hardware/ops/"
enum { LINE = 8192 };

/* ---- tables ---------------------------------------------------------------------------------- */

static size_t read_forms(OpForm *forms) {
  static char line[LINE];
  size_t n = 0;
  FILE *f = fopen(FOLDER "ops.tsv", "r");
  if (!f) return 0;
  while (n < OPS_MAX && fgets(line, sizeof line, f)) {
    char exactness[16];
    OpForm *o = &forms[n];
    memset(o, 0, sizeof *o);
    if (sscanf(line, "%63[^\t]\t%7[^\t]\t%159[^\t]\t%15s", o->name, o->class, o->text, exactness) !=
            4 ||
        strncmp(o->name, "op_", 3) != 0)
      continue;
    o->exact = strcmp(exactness, "exact") == 0;
    n++;
  }
  fclose(f);
  return n;
}

static bool read_inputs(const char *class, uint64_t in[3 * OPS_THREADS]) {
  char path[256], line[256];
  snprintf(path, sizeof path, FOLDER "inputs-%s.tsv", class);
  FILE *f = fopen(path, "r");
  if (!f) return false;
  int n = 0;
  while (n < OPS_THREADS && fgets(line, sizeof line, f)) {
    unsigned long long a, b, c;
    if (strcmp(line, "a\tb\tc\n") == 0 || sscanf(line, "%llx %llx %llx", &a, &b, &c) != 3) continue;
    in[3 * n] = a;
    in[3 * n + 1] = b;
    in[3 * n++ + 2] = c;
  }
  fclose(f);
  return n == OPS_THREADS;
}

static bool read_results(const char *name, uint64_t out[OPS_THREADS]) {
  static char line[LINE];
  size_t n = strlen(name);
  FILE *f = fopen(FOLDER "results.tsv", "r");
  bool found = false;
  while (f && !found && fgets(line, sizeof line, f)) {
    if (strncmp(line, name, n) != 0 || line[n] != '\t') continue;
    char *at = line + n;
    for (int i = 0; i < OPS_THREADS; i++) out[i] = strtoull(at, &at, 16);
    found = true;
  }
  if (f) fclose(f);
  return found;
}

/* ---- distances ------------------------------------------------------------------------------- */

typedef struct Bound {
  const char *mnemonic;
  double ulp, error; /* allowed between the simulator and the H200: twice the ISA's bound, since
                        each may be off by it; 0: no bound of that kind */
  double range;      /* |a| up to which the ISA states it; 0: everywhere */
} Bound;

/* PTX ISA, the tables of maximum error of each instruction. */
static const Bound bounds[] = {{"div.", 4, 0, 0},
                               {"rcp.approx.f32", 2, 0, 0},
                               {"rcp.approx.ftz.f32", 2, 0, 0},
                               {"sqrt.", 2, 0, 0},
                               {"rsqrt.approx.f32", 4, 0, 0},
                               {"rsqrt.approx.ftz.f32", 4, 0, 0},
                               {"sin.", 2, 0x1p-19, 3.1415927},
                               {"cos.", 2, 0x1p-19, 3.1415927},
                               {"lg2.", 4, 0x1p-21, 0},
                               {"ex2.approx.f16", 2, 0x1p-9, 0},
                               {"ex2.", 4, 0, 0},
                               {"tanh.approx.f16", 2, 0x1p-10, 0},
                               {"tanh.", 2, 0x1p-10, 0},
                               {"rsqrt.approx.f64", 0x1p16, 0, 0},
                               {"rcp.approx.ftz.f64", 0x1p33, 0, 0}};

static const Bound *bound_of(const OpForm *o) {
  for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++)
    if (strncmp(o->text, bounds[i].mnemonic, strlen(bounds[i].mnemonic)) == 0) return &bounds[i];
  return NULL;
}

static double half_value(uint64_t h) {
  int exponent = (int)(h >> 10 & 31), fraction = (int)(h & 1023);
  double v = exponent == 31 ? (fraction ? (double)NAN : (double)INFINITY)
             : exponent     ? ldexp(1024 + fraction, exponent - 25)
                            : ldexp(fraction, -24);
  return h & 0x8000 ? -v : v;
}

typedef struct Number {
  double value;
  int64_t place; /* neighbours differ by 1 */
} Number;

static Number number_of(uint64_t bits, int width) {
  Number n;
  float f;
  uint32_t low = (uint32_t)bits;
  uint64_t sign = 1ull << (width - 1), magnitude = bits & (sign - 1);
  n.place = bits & sign ? -(int64_t)magnitude : (int64_t)magnitude;
  if (width == 64) {
    memcpy(&n.value, &bits, sizeof n.value);
  } else if (width == 32) {
    memcpy(&f, &low, sizeof f);
    n.value = (double)f;
  } else {
    n.value = half_value(bits);
  }
  return n;
}

static bool both_special(double a, double b) { return (isnan(a) && isnan(b)) || a == b; }

static void measure(OpForm *o, const Bound *b, uint64_t got, uint64_t want, uint64_t input,
                    int width) {
  Number x = number_of(got, width), y = number_of(want, width);
  double in = number_of(input, width).value;
  if (both_special(x.value, y.value)) return;
  if (b->range > 0 && !(fabs(in) <= b->range)) return;
  double ulp = fabs((double)(x.place - y.place)), error = fabs(x.value - y.value);
  if (!isfinite(x.value) || !isfinite(y.value)) ulp = error = INFINITY;
  bool ok = ulp <= b->ulp || (b->error > 0 && error <= b->error);
  if (ulp > o->worst_ulp) o->worst_ulp = ulp;
  if (error > o->worst_error) o->worst_error = error;
  o->passes = o->passes && ok;
}

static void compare(OpForm *o, const uint64_t *got, const uint64_t *want, const uint64_t *in) {
  o->first_different = -1;
  for (int t = 0; t < OPS_THREADS; t++) {
    if (got[t] == want[t]) {
      o->equal++;
    } else if (o->first_different < 0) {
      o->first_different = t;
      o->got = got[t];
      o->want = want[t];
    }
  }
  o->passes = o->equal == OPS_THREADS;
  const Bound *b = bound_of(o);
  if (o->exact || !b) return;
  o->passes = true;
  o->allowed_ulp = b->ulp;
  o->allowed_error = b->error;
  bool pair = strstr(o->text, "f16x2") != NULL;
  int width = strcmp(o->class, "f64") == 0 ? 64 : strcmp(o->class, "f16") == 0 ? 16 : 32;
  for (int t = 0; t < OPS_THREADS; t++) {
    uint64_t mask = width == 64 ? ~0ull : (1ull << width) - 1;
    measure(o, b, got[t] & mask, want[t] & mask, in[3 * t] & mask, width);
    if (pair)
      measure(o, b, got[t] >> 16 & mask, want[t] >> 16 & mask, in[3 * t] >> 16 & mask, width);
  }
}

/* ---- running --------------------------------------------------------------------------------- */

static bool run_form(gpu_device *dev, gpu_module *mod, gpu_ptr in, gpu_ptr out, const OpForm *o,
                     const uint64_t *inputs, uint64_t *got) {
  gpu_kernel *k;
  void *args[] = {&in, &out};
  if (gpu_module_kernel(mod, &k, o->name) != GPU_OK) return false;
  gpu_memcpy_htod(dev, in, inputs, 3 * OPS_THREADS * sizeof *inputs);
  gpu_memset(dev, out, 0, OPS_THREADS * sizeof *got);
  if (gpu_launch(dev, k, (gpu_dim){1, 1, 1}, (gpu_dim){OPS_THREADS, 1, 1}, 0, args) != GPU_OK)
    return false;
  return gpu_memcpy_dtoh(dev, got, out, OPS_THREADS * sizeof *got) == GPU_OK;
}

size_t ops_check(gpu_device *dev, OpForm forms[OPS_MAX]) {
  gpu_module *mod;
  gpu_ptr in, out;
  uint64_t inputs[3 * OPS_THREADS], got[OPS_THREADS], want[OPS_THREADS];
  size_t n = read_forms(forms);
  if (gpu_module_load(dev, &mod, FOLDER "ops.ptx", GPU_OPT_TEACHING) != GPU_OK) return 0;
  if (gpu_mem_alloc(dev, &in, sizeof inputs) || gpu_mem_alloc(dev, &out, sizeof got)) return 0;
  for (size_t i = 0; i < n; i++) {
    OpForm *o = &forms[i];
    if (!read_inputs(o->class, inputs) || !read_results(o->name, want)) continue;
    o->ran = run_form(dev, mod, in, out, o, inputs, got);
    if (o->ran) compare(o, got, want, inputs);
  }
  return n;
}
