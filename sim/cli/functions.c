/* cli/functions.c - FILE:NAME, where functions of the file are to decide something. */
#include "cli/functions.h"

#include <string.h>

typedef gpu_result SetFunctions(gpu_device *dev, gpu_module *mod, const char *name);

/* `word` is FILE:NAME; `expected` says how the option wants it. */
static gpu_result use_file(const Options *o, gpu_device *dev, const char *word,
                           const char *expected, SetFunctions *set, Text *err) {
  const char *colon = strrchr(word, ':');
  if (!colon || colon == word || !colon[1]) return fail(err, "%s, not '%s'", expected, word);
  Text file = {0};
  gpu_module *mod;
  text_bytes(&file, word, (size_t)(colon - word));
  gpu_result r = gpu_module_load(dev, &mod, text_str(&file), o->opt);
  if (r == GPU_OK) r = set(dev, mod, colon + 1);
  text_free(&file);
  return r == GPU_OK ? GPU_OK : fail_as(err, r, gpu_last_error(dev));
}

gpu_result use_functions(const Options *o, gpu_device *dev, Text *err) {
  gpu_result r = GPU_OK;
  if (o->divergence)
    r = use_file(o, dev, o->divergence, "--divergence takes FILE:PREFIX, as in reconverge.cu:stack",
                 gpu_set_divergence, err);
  if (r == GPU_OK && o->scheduler)
    r = use_file(o, dev, o->scheduler,
                 "--scheduler takes a name, or FILE:FUNCTION, as in scheduler.cu:mine",
                 gpu_set_scheduler, err);
  return r;
}
