/* The PTX loader: what it accepts, and that what it refuses is explained. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/ptx.h"

enum { TEXT = 1 << 16 };
#define HEAD ".version 7.1\n.target sm_80\n.address_size 64\n"

typedef struct Parsed {
  Module *mod;
  ErrorBuffer err;
} Parsed;

static Parsed parse_bytes(const char *text, size_t length) {
  Parsed p;
  error_init(&p.err);
  p.mod = ptx_parse("t.ptx", text, length, &p.err);
  return p;
}

static void drop(Parsed *p) {
  ptx_free(p->mod);
  error_release(&p->err);
}

/* The text is refused; the message holds `words` and points at a line with a caret. */
static void refused(const char *text, const char *words) {
  Parsed p = parse_bytes(text, strlen(text));
  cr_assert_null(p.mod, "accepted: %s", text);
  cr_assert(strstr(p.err.text, words), "'%s' is not in: %s", words, p.err.text);
  cr_assert(strstr(p.err.text, "t.ptx:"), "no place in: %s", p.err.text);
  cr_assert(strstr(p.err.text, "^"), "no caret in: %s", p.err.text);
  drop(&p);
}

static void in_kernel_refused(const char *body, const char *words) {
  char text[2000];
  snprintf(text, sizeof text,
           HEAD ".entry k(.param .u64 a)\n{\n.reg .pred p;\n.reg .b32 r, s;\n.reg .b64 d;\n.reg "
                ".b16 h;\n%s\nret;\n}\n",
           body);
  refused(text, words);
}

static Parsed accepted(const char *text) {
  Parsed p = parse_bytes(text, strlen(text));
  cr_assert(p.mod, "%s", p.err.text);
  return p;
}

static void in_kernel_accepted(const char *declarations, const char *body) {
  char text[4000];
  snprintf(text, sizeof text,
           HEAD "%s\n.entry k(.param .u64 a)\n{\n.reg .pred p, q;\n.reg .b32 r, s;\n.reg .b64 "
                "d;\n.reg .f32 f;\n.reg .f64 g;\n.reg .b16 h;\n%s\nret;\n}\n",
           declarations, body);
  Parsed p = accepted(text);
  drop(&p);
}

static size_t read_small(char *text) {
  FILE *f = fopen(WARPBOOK_ROOT "/sim/tests/ptx/small.ptx", "r");
  cr_assert(f);
  size_t n = fread(text, 1, TEXT - 1, f);
  fclose(f);
  text[n] = '\0';
  return n;
}

/* ---- hostile bytes --------------------------------------------------------------------------- */

Test(ptx, the_small_module_loads) {
  char text[TEXT];
  read_small(text);
  Parsed p = accepted(text);
  cr_assert_eq(p.mod->version, 71);
  cr_assert_str_eq(p.mod->target, "sm_80");
  drop(&p);
}

Test(ptx, a_module_cut_off_anywhere_gives_a_module_or_a_message) {
  char text[TEXT];
  size_t n = read_small(text);
  for (size_t cut = 0; cut < n; cut++) {
    Parsed p = parse_bytes(text, cut);
    cr_assert(p.mod || p.err.text[0], "cut at %zu", cut);
    drop(&p);
  }
}

Test(ptx, a_module_with_any_byte_changed_gives_a_module_or_a_message) {
  char text[TEXT], bent[TEXT];
  size_t n = read_small(text);
  uint32_t s = 1;
  for (int i = 0; i < 20000; i++) {
    memcpy(bent, text, n);
    for (int k = 0; k < 3; k++) {
      s = s * 1664525u + 1013904223u;
      bent[(s >> 8) % n] = (char)(s >> 24);
    }
    Parsed p = parse_bytes(bent, n);
    cr_assert(p.mod || p.err.text[0]);
    drop(&p);
  }
}

Test(ptx, nul_bytes_are_refused_with_a_place) {
  char text[] = HEAD ".entry k()\n{\n\0\n}\n";
  Parsed p = parse_bytes(text, sizeof text - 1);
  cr_assert_null(p.mod);
  drop(&p);
}

Test(ptx, control_characters_do_not_reach_the_message) {
  Parsed p = parse_bytes(HEAD "\x1b[31m", strlen(HEAD "\x1b[31m"));
  cr_assert_null(p.mod);
  cr_assert_null(strchr(p.err.text, '\x1b'));
  drop(&p);
}

/* ---- messages -------------------------------------------------------------------------------- */

Test(ptx, an_unknown_instruction_is_named_and_another_suggested) {
  in_kernel_refused("addd.s32 r, r, s;", "did you mean 'add'");
}
Test(ptx, a_missing_type_is_said) { in_kernel_refused("add r, r, s;", "needs a type"); }
Test(ptx, an_impossible_type_is_said) {
  in_kernel_refused("add.b32 r, r, s;", "no form for the type .b32");
}
Test(ptx, an_impossible_modifier_is_said) {
  in_kernel_refused("add.wide.u32 r, r, s;", "does not take the modifier '.wide'");
}
Test(ptx, too_few_operands_are_counted) { in_kernel_refused("add.u32 r, s;", "needs 3 operands"); }
Test(ptx, too_many_operands_are_refused) {
  in_kernel_refused("neg.s32 r, s, s;", "no more operands");
}
Test(ptx, an_unknown_register_is_named) {
  in_kernel_refused("add.u32 r, r, t;", "'t' is not declared");
}
Test(ptx, an_unknown_label_is_named) { in_kernel_refused("bra nowhere;", "no label 'nowhere'"); }
Test(ptx, a_predicate_is_no_number) { in_kernel_refused("add.u32 r, r, p;", "takes a value here"); }
Test(ptx, a_number_is_no_predicate) { in_kernel_refused("@r bra x; x:", "no predicate register"); }
Test(ptx, a_narrow_register_is_refused) { in_kernel_refused("add.u64 d, d, r;", "cannot use 'r'"); }
Test(ptx, a_load_needs_an_address) { in_kernel_refused("ld.global.u32 r, d;", "address"); }
Test(ptx, a_missing_semicolon_is_said) {
  in_kernel_refused("add.u32 r, r, s\n", "';' is expected");
}
Test(ptx, a_register_declared_twice_is_refused) {
  in_kernel_refused(".reg .b32 r;", "declared twice");
}
Test(ptx, a_vector_load_counts_its_registers) {
  in_kernel_refused("ld.global.v2.u32 {r}, [d];", "moves 2 elements");
}
Test(ptx, text_without_version_is_no_ptx) { refused("", "is this PTX?"); }
Test(ptx, a_comment_without_end_is_refused) { refused(HEAD "/* ...", "no end"); }
Test(ptx, an_initial_value_that_is_too_long_is_refused) {
  refused(HEAD ".global .u32 x[2] = {1, 2, 3};\n", "only 2");
}
Test(ptx, a_huge_variable_is_refused) { refused(HEAD ".global .u64 x[1000000000];\n", "at most"); }
Test(ptx, deep_nesting_is_refused) {
  char text[4000] = HEAD ".entry k() ";
  for (int i = 0; i < 200; i++) strcat(text, "{");
  refused(text, "nested too deeply");
}

/* ---- what must load -------------------------------------------------------------------------- */

Test(ptx, names_may_be_mnemonics) {
  Parsed p = accepted(HEAD ".entry vote() { .reg .b32 add; mov.u32 add, 1; ret: bra ret; }\n");
  drop(&p);
}
Test(ptx, labels_in_nested_scopes_may_repeat) {
  in_kernel_accepted(
      "", "{ .reg .pred t; L: setp.eq.u32 t, r, s; @t bra L; }\n{ .reg .pred t; L: @p bra L; }");
}
Test(ptx, a_nested_scope_may_jump_out) { in_kernel_accepted("", "{ @p bra DONE; }\nDONE:"); }
Test(ptx, initial_values_of_all_kinds) {
  in_kernel_accepted(
      ".global .u8 a0[4] = {1, 2, -1, 0xff};\n.global .f64 b0 = 0d3FF0000000000000;\n"
      ".const .f32 c0[2][2] = {{1.0, -2.5e3}, {0f3F800000, 0}};\n"
      ".global .u64 e0 = generic(a0)+4*(1+2);\n.global .s32 x0 = (1 << 4) | 3;\n"
      ".global .b8 s0[] = \"text\\n\";",
      "");
}
Test(ptx, hints_on_loads_are_ignored) {
  in_kernel_accepted("", "ld.global.nc.L1::no_allocate.L2::128B.u32 r, [d];\n"
                         "ld.relaxed.gpu.global.u32 r, [d+4];\nld.volatile.global.u32 r, [d+-4];");
}
Test(ptx, predicated_everything) {
  in_kernel_accepted("", "@p ret;\n@!p bar.sync 0;\n@p bra L;\n@p exit;\n@!q mov.u32 r, 1;\nL:");
}
Test(ptx, unsupported_instructions_load) {
  in_kernel_accepted(".global .texref tex0;",
                     "tex.2d.v4.f32.f32 {f,f,f,f}, [tex0, {f,f}];\nvadd.u32.u32.u32 r, r, s;");
}
Test(ptx, brx_and_lists_of_labels) {
  in_kernel_accepted("", "ts: .branchtargets A, B;\nbrx.idx r, ts;\nA:\nB:");
}
Test(ptx, calls_through_pointers) {
  in_kernel_accepted(
      ".func (.param .b32 o) callee(.param .b32 i) { ret; }",
      "{ .param .b32 x; .param .b32 y; mov.u64 d, callee;\n"
      "pr: .callprototype (.param .b32 _) _ (.param .b32 _);\ncall (y), d, (x), pr; }");
}
Test(ptx, old_text_without_sync) {
  Parsed p = accepted(".version 1.4\n.target sm_13\n.entry k (.param .u32 a)\n{\n.reg .u32 "
                      "%r<4>;\n.reg .pred %p<3>;\n"
                      "ld.param.u32 %r1, [a];\nmov.u32 %r2, %tid.x;\nvote.any.pred %p1, "
                      "%p2;\nst.global.u32 [%r1], %r2;\nexit;\n}\n");
  drop(&p);
}
Test(ptx, a_line_of_a_section_is_skipped) {
  Parsed p = accepted(HEAD ".section .debug_abbrev\n{\n.b8 1\n.b8 2\n}\n.entry k() { ret; }\n");
  drop(&p);
}

/* ---- blocks and post-dominators -------------------------------------------------------------- */

static int32_t reconverge_of(const char *body, int nth) {
  char text[2000];
  snprintf(text, sizeof text, HEAD ".entry k()\n{\n.reg .pred p;\n.reg .b32 r;\n%s\n}\n", body);
  Parsed p = accepted(text);
  const Function *f = p.mod->functions;
  int32_t at = -2;
  for (size_t i = 0; i < f->inst_count; i++)
    if ((f->insts[i].op == OP_BRA || f->insts[i].op == OP_RET) && f->insts[i].guard >= 0 &&
        nth-- == 0)
      at = f->insts[i].reconverge;
  drop(&p);
  return at;
}

Test(cfg, an_if_meets_behind_itself) {
  cr_assert_eq(reconverge_of("@p bra E; mov.u32 r,1; E: ret;", 0), 2);
}
Test(cfg, an_if_else_meets_behind_both) {
  cr_assert_eq(reconverge_of("@p bra E; mov.u32 r,1; bra J; E: mov.u32 r,2; J: ret;", 0), 4);
}
Test(cfg, a_loop_meets_behind_its_exit) {
  cr_assert_eq(reconverge_of("L: mov.u32 r,1; @p bra L; ret;", 0), 2);
}
Test(cfg, an_early_return_meets_at_the_end) {
  cr_assert_eq(reconverge_of("@p ret; mov.u32 r,1; ret;", 0), 3);
}
Test(cfg, an_endless_loop_does_no_harm) {
  cr_assert_eq(reconverge_of("@p bra X; L: bra L; X: ret;", 0), 3);
}
Test(cfg, a_break_out_of_two_loops) {
  /* 0: A: @p bra X   1: B: @p bra B   2: bra A   3: X: ret */
  cr_assert_eq(reconverge_of("A: @p bra X; B: @p bra B; bra A; X: ret;", 0), 3);
  cr_assert_eq(reconverge_of("A: @p bra X; B: @p bra B; bra A; X: ret;", 1), 2);
}
