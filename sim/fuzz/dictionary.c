/* fuzz/dictionary.c - prints the words of PTX as a libFuzzer dictionary, from the parser's tables.
 */
#include <stdio.h>

#include "ptx/ptx.h"

int main(void) {
  for (int op = OP_NONE + 1; op < OP_COUNT; op++) printf("\"%s\"\n", op_info((PtxOp)op)->text);
  for (int m = MOD_NONE + 1; m < MOD_VALUES; m++) printf("\".%s\"\n", mod_text((ModValue)m));
  for (int t = TY_NONE + 1; t < TY_COUNT; t++) printf("\".%s\"\n", type_name((PtxType)t));
  for (int r = SR_NONE + 1; r < SR_COUNT; r++) printf("\"%s\"\n", special_reg_name((SpecialReg)r));
  static const char *const directives[] = {
      "entry",         "func", "reg",     "param",   "align",         "extern",
      "visible",       "weak", "maxntid", "reqntid", "branchtargets", "calltargets",
      "callprototype", "loc",  "file",    "section", "alias",         "pragma"};
  for (size_t i = 0; i < sizeof directives / sizeof *directives; i++)
    printf("\".%s\"\n", directives[i]);
  return 0;
}
