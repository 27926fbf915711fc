/* device/divergence_api.c - gpu_set_divergence: finding a divergence model's functions. */
#include <stdio.h>

#include "device/device.h"
#include "exec/policy.h"

static bool fits(const Function *fn, const PolicyPrototype *p) {
  if (fn->param_count != (size_t)p->count || fn->result_count != (size_t)p->returns) return false;
  for (int i = 0; i < p->count; i++)
    if (fn->params[i]->size != p->bytes[i]) return false;
  return !p->returns || fn->results[0]->size == sizeof(uint32_t);
}

gpu_result gpu_set_divergence(gpu_device *dev, gpu_module *mod, const char *prefix) {
  Function *functions[POLICY_FN_COUNT];
  if (!mod) {
    policy_clear(&dev->machine);
    return GPU_OK;
  }
  for (int i = 0; i < POLICY_FN_COUNT; i++) {
    const PolicyPrototype *p = &policy_prototypes[i];
    char name[256];
    snprintf(name, sizeof name, "%s%s", prefix, p->name);
    functions[i] = module_function(mod, name, false);
    if (!functions[i] || !fits(functions[i], p))
      return device_fail(dev, GPU_BAD_INPUT,
                         "%s: a divergence model '%s' needs __device__ %s %s(%s), and %s",
                         mod->name, prefix, p->result, name, p->parameters,
                         functions[i] ? "that function has other parameters or another result"
                                      : "there is no such function");
  }
  if (policy_set(&dev->machine, functions, prefix)) return GPU_OK;
  return device_fail(dev, GPU_INTERNAL, "no memory for a divergence model");
}
