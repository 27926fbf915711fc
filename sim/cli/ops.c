/* cli/ops.c - `warpsim ops`: the PTX instructions, from the simulator's table. */
#include "cli/options.h"

static void print_json(void) {
  Text t = {0};
  text_add(&t, "[");
  for (size_t i = 0; i < gpu_op_count(); i++) {
    gpu_op_info op;
    if (gpu_op(i, &op) != GPU_OK) continue;
    text_add(&t,
             "%s{\"name\":\"%s\",\"supported\":%s,\"unit\":\"%s\",\"types\":\"%s\","
             "\"modifiers\":\"%s\"}",
             i ? "," : "", op.name, op.supported ? "true" : "false", op.unit, op.types,
             op.modifiers);
  }
  text_add(&t, "]\n");
  fputs(text_str(&t), stdout);
  text_free(&t);
}

static void print_supported(void) {
  printf("%-28s %-7s types; modifiers\n", "instruction", "unit");
  for (size_t i = 0; i < gpu_op_count(); i++) {
    gpu_op_info op;
    if (gpu_op(i, &op) != GPU_OK || !op.supported) continue;
    printf("%-28s %-7s %s%s%s\n", op.name, op.unit, op.types, *op.modifiers ? "; ." : "",
           op.modifiers);
  }
}

/* Those that only load, several a line. */
static void print_known(void) {
  size_t column = 0, supported = 0;
  printf("\nKnown, but refused when a kernel executes them:\n");
  for (size_t i = 0; i < gpu_op_count(); i++) {
    gpu_op_info op;
    if (gpu_op(i, &op) != GPU_OK) continue;
    supported += op.supported;
    if (op.supported) continue;
    if (column > 76) column = 0;
    column += (size_t)printf("%s%s", column ? " " : "\n  ", op.name);
  }
  printf("\n\n%zu of %zu instructions are supported.\n", supported, gpu_op_count());
}

gpu_result ops_command(const Options *o, Text *err) {
  (void)err;
  if (o->json) {
    print_json();
    return GPU_OK;
  }
  print_supported();
  print_known();
  return GPU_OK;
}
