/* The 300 forms that real code uses most load and execute. Each becomes a kernel of one
 * instruction, with operands made from its signature in ops.def. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "ptx/ptx.h"
#include "tests/harness.h"

enum { FORM = 64, TEXT = 4000 };

typedef struct Form {
  PtxOp op;
  PtxType type, type2;
  Space space;
  int vector;
  bool wide, sync;
} Form;

/* ---- reading a form -------------------------------------------------------------------------- */

static bool starts(const char *s, const char *start) {
  size_t n = strlen(start);
  return strncmp(s, start, n) == 0 && (s[n] == '.' || s[n] == '\0');
}

/* The longest mnemonic that the form starts with. */
static PtxOp op_of(const char *form) {
  PtxOp best = OP_NONE;
  for (int op = OP_NONE + 1; op < OP_COUNT; op++)
    if (starts(form, op_info((PtxOp)op)->text) &&
        strlen(op_info((PtxOp)op)->text) > strlen(op_info(best)->text))
      best = (PtxOp)op;
  return best;
}

static void read_word(Form *f, const char *word) {
  static const struct {
    const char *word;
    Space space;
  } spaces[] = {{"global", SP_GLOBAL},
                {"shared", SP_SHARED},
                {"local", SP_LOCAL},
                {"const", SP_CONST},
                {"param", SP_PARAM}};
  for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
    if (strcmp(word, spaces[i].word) == 0) f->space = spaces[i].space;
  for (int t = TY_NONE + 1; t < TY_COUNT; t++)
    if (strcmp(word, type_name((PtxType)t)) == 0) {
      if (f->type == TY_NONE)
        f->type = (PtxType)t;
      else if (f->type2 == TY_NONE)
        f->type2 = (PtxType)t;
    }
  if (strcmp(word, "v2") == 0) f->vector = 2;
  if (strcmp(word, "v4") == 0) f->vector = 4;
  if (strcmp(word, "wide") == 0) f->wide = true;
  if (strcmp(word, "sync") == 0) f->sync = true;
}

static Form read_form(const char *text) {
  char copy[FORM], *rest = NULL;
  Form f = {.op = op_of(text), .space = SP_GENERIC};
  snprintf(copy, sizeof copy, "%s", text + strlen(op_info(f.op)->text));
  for (char *w = strtok_r(copy, ".", &rest); w; w = strtok_r(NULL, ".", &rest)) read_word(&f, w);
  return f;
}

/* ---- its operands ---------------------------------------------------------------------------- */

static char family(PtxType t, bool wide) {
  int bits = t == TY_PRED ? 1 : type_lane_bytes(t ? t : TY_U32) * (wide ? 16 : 8);
  return bits == 1 ? 'p' : bits == 16 ? 'h' : bits == 32 ? 'r' : 'd';
}

static size_t put_data(char *at, size_t size, const Form *f, int first) {
  char c = family(f->type, false);
  if (!f->vector) return (size_t)snprintf(at, size, "%c%d", c, first);
  size_t n = 0;
  for (int i = 0; i < f->vector; i++)
    n += (size_t)snprintf(at + n, size - n, "%s%c%d", i ? "," : "{", c, first + i);
  return n + (size_t)snprintf(at + n, size - n, "}");
}

static size_t put_operand(char *at, size_t size, const Form *f, char letter, int index) {
  static const char *const places[] = {
      [SP_GENERIC] = "[d9]", [SP_GLOBAL] = "[g]", [SP_SHARED] = "[s]",
      [SP_LOCAL] = "[l]",    [SP_CONST] = "[c]",  [SP_PARAM] = "[slot]"};
  switch (letter) {
  case 'm': return (size_t)snprintf(at, size, "%s", places[f->space]);
  case 'V':
  case 'v': return put_data(at, size, f, letter == 'V' ? 0 : 4);
  case 'e': return (size_t)snprintf(at, size, "r0");
  case 'P': return (size_t)snprintf(at, size, "p0");
  case 'p': return (size_t)snprintf(at, size, "p1");
  case 'l': return (size_t)snprintf(at, size, "NEXT");
  case 'i': return (size_t)snprintf(at, size, "4");
  case 'u': return (size_t)snprintf(at, size, "%d", f->op == OP_BAR_WARP_SYNC ? -1 : 0);
  case 'd':
  case 'q':
  case 'X': return (size_t)snprintf(at, size, "%c0", family(f->type, f->wide));
  case 'w': return (size_t)snprintf(at, size, "%c3", family(f->type, f->wide));
  case 'b':
    return (size_t)snprintf(at, size, "%c%d", family(f->type2 ? f->type2 : f->type, false), index);
  default: return (size_t)snprintf(at, size, "%c%d", family(f->type, false), index);
  }
}

static void write_instruction(char *at, size_t size, const char *form, const Form *f) {
  size_t n = (size_t)snprintf(at, size, "%s ", form);
  int index = 0;
  if (f->op == OP_CALL) {
    snprintf(at, size, "%s (slot), f, (slot);\n", form);
    return;
  }
  for (const char *s = op_info(f->op)->sig; *s && *s != '?'; s++, index++) {
    if (index) n += (size_t)snprintf(at + n, size - n, ", ");
    n += put_operand(at + n, size - n, f, *s, index);
  }
  if (f->op == OP_SHFL) n += (size_t)snprintf(at + n, size - n, ", -1");
  if (f->op == OP_VOTE) n += (size_t)snprintf(at + n, size - n, ", -1");
  if (f->op == OP_ATOM) n += (size_t)snprintf(at + n, size - n, ", %c5", family(f->type, false));
  if (f->op == OP_ATOM && !strstr(form, ".cas.")) n -= 4;
  snprintf(at + n, size - n, ";\n");
}

/* ---- running it ------------------------------------------------------------------------------ */

/* The fault's report, or "" when the kernel ends well. */
static void run_form(const char *instruction, char *report, size_t size) {
  char text[TEXT];
  snprintf(text, sizeof text,
           ".version 8.0\n.target sm_90\n.address_size 64\n.global .align 16 .b8 g[64];\n"
           ".const .align 16 .b8 c[64];\n.func (.param .align 16 .b8 o[16]) f(.param .align 16 .b8 "
           "i[16]) { ret; }\n.entry k(.param .u64 a)\n{\n.shared .align 16 .b8 s[64];\n.local "
           ".align 16 .b8 l[64];\n.reg .pred p<9>;\n.reg .b16 h<9>;\n.reg .b32 r<9>;\n.reg .b64 "
           "d<10>;\n.param .align 16 .b8 slot[16];\nmov.u64 d9, g;\nmov.u64 d2, 7;\nmov.u32 r2, "
           "7;\nsetp.eq.u32 p1, r2, 7;\n%sNEXT:\nret;\n}\n",
           instruction);
  gpu_device *dev;
  gpu_module *mod;
  gpu_kernel *kernel;
  uint64_t zero = 0;
  void *args[] = {&zero};
  report[0] = '\0';
  cr_assert_eq(gpu_device_create(&dev, NULL, NULL, 0), GPU_OK);
  if (gpu_module_load_ptx(dev, &mod, "form.ptx", text, strlen(text)) != GPU_OK ||
      gpu_module_kernel(mod, &kernel, "k") != GPU_OK ||
      gpu_launch(dev, kernel, (gpu_dim){1, 1, 1}, (gpu_dim){32, 1, 1}, 0, args) != GPU_OK)
    snprintf(report, size, "%s", gpu_last_error(dev));
  gpu_device_destroy(dev);
}

Test(opcodes, the_commonest_forms_of_real_code_execute) {
  FILE *file = fopen(WARPBOOK_ROOT "/sim/tests/ptx/opcodes.tsv", "r");
  char line[200], form[FORM], instruction[200], report[2000];
  int files, count = 0, unsupported = 0;
  cr_assert(file);
  while (fgets(line, sizeof line, file)) {
    if (sscanf(line, "%63[^\t]\t%d", form, &files) != 2) continue;
    Form f = read_form(form);
    cr_assert_neq(f.op, OP_NONE, "%s", form);
    count++;
    if (f.op == OP_TEX) { /* textures are out of scope */
      unsupported++;
      continue;
    }
    write_instruction(instruction, sizeof instruction, form, &f);
    run_form(instruction, report, sizeof report);
    cr_assert_str_empty(report, "%s: %s", form, report);
  }
  fclose(file);
  cr_assert_eq(count, 300);
  cr_assert_eq(unsupported, 1);
}
