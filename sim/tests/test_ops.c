/* Every instruction form agrees with an H200; see ops_check.h. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "tests/ops_check.h"

static void expect_all(gpu_model model) {
  static OpForm forms[OPS_MAX];
  gpu_config config = {.model = model, .check = GPU_CHECK_NONE};
  gpu_device *dev;
  cr_assert_eq(gpu_device_create(&dev, &config, NULL, 0), GPU_OK);
  size_t n = ops_check(dev, forms), failed = 0;
  cr_assert_eq(n, 783, "%zu forms, not 783", n);
  for (size_t i = 0; i < n; i++) {
    const OpForm *o = &forms[i];
    if (o->passes) continue;
    failed++;
    fprintf(stderr, "%s: %s: %d of %d equal; thread %d: got %llx, the H200 %llx; off by %g ulp\n",
            o->name, o->text, o->equal, OPS_THREADS, o->first_different, (unsigned long long)o->got,
            (unsigned long long)o->want, o->worst_ulp);
  }
  gpu_device_destroy(dev);
  cr_assert_eq(failed, 0, "%zu of %zu forms differ", failed, n);
}

Test(ops, all_783_forms_agree_with_the_h200_under_its) { expect_all(GPU_MODEL_ITS); }
Test(ops, all_783_forms_agree_with_the_h200_under_stack) { expect_all(GPU_MODEL_STACK); }
