/* report/ops.c - `make ops`: the table of instruction forms beside an H200's results. */
#include <stdio.h>

#include "tests/ops_check.h"

int main(void) {
  static OpForm forms[OPS_MAX];
  gpu_config config = {.check = GPU_CHECK_NONE};
  gpu_device *dev;
  char message[1000];
  if (gpu_device_create(&dev, &config, message, sizeof message)) {
    fprintf(stderr, "ops: %s\n", message);
    return 2;
  }
  size_t n = ops_check(dev, forms), exact = 0, exact_equal = 0, approx = 0, approx_ok = 0;
  printf("%-44s %-7s %7s %12s %12s  %s\n", "form", "kind", "equal", "worst ulp", "worst error",
         "verdict");
  for (size_t i = 0; i < n; i++) {
    const OpForm *o = &forms[i];
    printf("%-44.44s %-7s %4d/%d ", o->text, o->exact ? "exact" : "approx", o->equal, OPS_THREADS);
    if (o->exact)
      printf("%12s %12s", "-", "-");
    else
      printf("%12g %12.3g", o->worst_ulp, o->worst_error);
    printf("  %s\n", !o->ran ? "did not run" : o->passes ? "ok" : "DIFFERS");
    exact += o->exact;
    approx += !o->exact;
    exact_equal += o->exact && o->passes;
    approx_ok += !o->exact && o->passes;
  }
  printf("%zu of %zu exact forms equal the H200's bits, %zu of %zu approximate ones are within "
         "their bound\n",
         exact_equal, exact, approx_ok, approx);
  gpu_device_destroy(dev);
  return n == 0 || exact_equal + approx_ok != n;
}
