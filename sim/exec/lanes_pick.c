/* exec/lanes_pick.c - chooses the build of lanes.c that fits the processor. */
#include <string.h>

#include "exec/lanes.h"

LaneFn lanes_bind_plain(const Inst *in);
LaneFn lanes_bind_avx2(const Inst *in);
LaneFn lanes_bind_avx512(const Inst *in);

static bool has_avx2(void) {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
  return false;
#endif
}

static bool has_avx512(void) {
#if defined(__x86_64__)
  return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#else
  return false;
#endif
}

const char *lanes_build(void) { return has_avx512() ? "avx512" : has_avx2() ? "avx2" : "plain"; }

static LaneFn bind_common(const Inst *in, const char *build) {
#if defined(__x86_64__)
  if (strcmp(build, "avx512") == 0) return has_avx512() ? lanes_bind_avx512(in) : NULL;
  if (strcmp(build, "avx2") == 0) return has_avx2() ? lanes_bind_avx2(in) : NULL;
#endif
  return strcmp(build, "plain") == 0 ? lanes_bind_plain(in) : NULL;
}

LaneFn lanes_bind_build(const Inst *in, const char *build) {
  LaneFn fn = bind_common(in, build);
  return fn ? fn : lane_eval_bind(in);
}

LaneFn lanes_bind(const Inst *in) { return lanes_bind_build(in, lanes_build()); }

bool lanes_is_plain(const Inst *in) {
  TypeClass k = type_class(in->type);
  bool divides = (in->op == OP_DIV || in->op == OP_REM) && (k == TC_U || k == TC_S);
  bool more = divides || in->op == OP_BFI || in->op == OP_LOP3;
  return !more && bind_common(in, "plain") != NULL;
}
