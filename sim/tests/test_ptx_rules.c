/* The PTX loader's rules: values, registers, calls, operands, and texts made to be slow. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/ptx.h"

#define HEAD ".version 8.0\n.target sm_90\n.address_size 64\n"
#define REGISTERS                                                                                  \
  ".reg .pred p, q;\n.reg .b32 r, s, t;\n.reg .b64 d, e;\n.reg .f32 f, g;\n.reg .f64 x;\n"         \
  ".reg .b16 h;\n.reg .v4 .f32 v;\n.shared .b64 sh[4];\n"

static Module *parse(const char *text, ErrorBuffer *err) {
  error_init(err);
  return ptx_parse("t.ptx", text, strlen(text), err);
}

/* The module of a text that must load; its messages are given back at once. */
static Module *loaded(const char *text) {
  ErrorBuffer err;
  Module *mod = parse(text, &err);
  cr_assert(mod, "%s", err.text);
  error_release(&err);
  return mod;
}

static void refused(const char *text, const char *words) {
  ErrorBuffer err;
  cr_assert_null(parse(text, &err), "accepted: %s", text);
  cr_assert(strstr(err.text, words), "'%s' is not in: %s", words, err.text);
  cr_assert(strstr(err.text, "t.ptx:") && strstr(err.text, "^"), "no place in: %s", err.text);
  error_release(&err);
}

static Module *body_loaded(const char *body) {
  char text[4000];
  snprintf(text, sizeof text,
           HEAD ".global .b32 gb[16];\n.const .f32 cf[4];\n.func (.param .b32 r) twice(.param .b32 "
                "a) { ret; }\n.entry k(.param .u64 a)\n{\n" REGISTERS "%s\nret;\n}\n",
           body);
  return loaded(text);
}

static void body_accepted(const char *body) { ptx_free(body_loaded(body)); }

static void body_refused(const char *body, const char *words) {
  char text[4000];
  snprintf(text, sizeof text,
           HEAD ".global .b32 gb[16];\n.const .f32 cf[4];\n.func (.param .b32 r) twice(.param .b32 "
                "a) { ret; }\n.entry k(.param .u64 a)\n{\n" REGISTERS "%s\nret;\n}\n",
           body);
  refused(text, words);
}

static const Function *function(const Module *mod, const char *name) {
  for (const Function *f = mod->functions; f; f = f->next)
    if (strcmp(f->name, name) == 0) return f;
  cr_assert_fail("no function '%s'", name);
  return NULL;
}

static const Inst *inst_of(const Module *mod, const char *fn, PtxOp op) {
  const Function *f = function(mod, fn);
  for (size_t i = 0; i < f->inst_count; i++)
    if (f->insts[i].op == op) return &f->insts[i];
  cr_assert_fail("no such instruction");
  return NULL;
}

static uint32_t word(const Var *v, int i) {
  uint32_t w;
  memcpy(&w, v->init + 4 * i, 4);
  return w;
}

/* ---- values ---------------------------------------------------------------------------------- */

Test(ptx_values, what_is_missing_in_a_row_is_zero) {
  Module *mod = loaded(HEAD ".global .u32 x[2][2] = {{1}, {3, 4}};\n");
  uint32_t want[] = {1, 0, 3, 4};
  for (int i = 0; i < 4; i++) cr_assert_eq(word(mod->vars, i), want[i], "element %d", i);
  ptx_free(mod);
}

Test(ptx_values, an_open_array_is_as_long_as_its_rows) {
  Module *mod = loaded(HEAD ".global .u32 x[][2] = {{1, 2}, {3}};\n");
  cr_assert_eq(mod->vars->size, 16);
  ptx_free(mod);
}

Test(ptx_values, braces_must_match_the_dimensions) {
  refused(HEAD ".global .u32 x[2] = {{1}, 2};\n", "dimensions");
  refused(HEAD ".global .u32 x[2][2] = {1, 2, 3, 4};\n", "'{'");
}

Test(ptx_values, a_type_is_followed_by_a_list_of_variables) {
  Module *mod = loaded(HEAD ".global .u32 x = 1, y[2] = {2, 3};\n");
  cr_assert_str_eq(mod->vars->next->name, "y");
  cr_assert_eq(word(mod->vars->next, 1), 3);
  ptx_free(mod);
}

Test(ptx_values, a_sum_may_be_long) {
  static char text[9000] = HEAD ".global .u32 x = 0";
  for (int i = 0; i < 2000; i++) strcat(text, "+1");
  strcat(text, ";\n");
  Module *mod = loaded(text);
  cr_assert_eq(word(mod->vars, 0), 2000);
  ptx_free(mod);
}

Test(ptx_values, decimals_are_calculated_and_rounded_once) {
  Module *mod = body_loaded("mov.f32 f, (1.0+2.0)*.5;");
  cr_assert_eq(inst_of(mod, "k", OP_MOV)->operand[1].imm, 0x3fc00000);
  ptx_free(mod);
}

Test(ptx_values, an_integer_is_no_float) {
  body_refused("add.f32 f, f, 1;", "not an integer");
  body_refused("add.f32 f, f, 0x3f800000;", "not an integer");
}

Test(ptx_values, numbers_are_read_to_their_end) {
  body_refused("mov.u32 r, 08;", "does not belong");
  body_refused("mov.f32 f, 1.0f;", "does not belong");
  body_refused("mov.f32 f, 0f3F8;", "exactly 8");
  body_refused("mov.u64 d, 99999999999999999999;", "64 bits");
}

/* ---- registers ------------------------------------------------------------------------------- */

Test(ptx_registers, only_those_of_a_family_that_are_named_exist) {
  Module *mod = loaded(HEAD ".entry k() { .reg .b32 %r<1000000>; mov.b32 %r999999, 1; ret; }\n");
  cr_assert_eq(function(mod, "k")->reg_count, 1);
  cr_assert_str_eq(function(mod, "k")->regs[0].name, "%r999999");
  ptx_free(mod);
}

Test(ptx_registers, a_family_ends_where_it_says) {
  refused(HEAD ".entry k() { .reg .b32 %r<4>; mov.b32 %r4, 1; ret; }\n", "'%r4' is not declared");
}

Test(ptx_registers, an_inner_family_hides_an_outer_one) {
  Module *mod = loaded(HEAD ".entry k() { .reg .b32 %r<4>; mov.b32 %r1, 1; { .reg .b64 %r<4>; "
                            "mov.b64 %r1, 2; } mov.b32 %r1, 3; ret; }\n");
  const Function *f = function(mod, "k");
  cr_assert_eq(f->reg_count, 2);
  cr_assert_eq(f->insts[0].operand[0].reg, f->insts[2].operand[0].reg);
  cr_assert_eq(f->regs[f->insts[1].operand[0].reg].type, TY_B64);
  ptx_free(mod);
}

Test(ptx_registers, a_vector_register_stands_for_its_four) {
  Module *mod = body_loaded("ld.global.v4.f32 v, [gb];");
  cr_assert_eq(inst_of(mod, "k", OP_LD)->operand[0].count, 4);
  ptx_free(mod);
}

Test(ptx_registers, types_must_agree) {
  body_refused("add.s32 r, r, f;", "a register of .f32");
  body_refused("add.u32 r, r, d;", "a register of .b64");
  body_refused("shl.b64 d, d, e;", "a register of .b64");
  body_refused("ld.global.f32 x, [gb];", "a register of .f64");
  body_accepted("ld.global.u8 d, [gb]; cvt.u32.u64 r, d; mov.b32 f, r; and.b32 r, f, s;");
}

Test(ptx_registers, special_registers_are_read_by_mov) {
  body_accepted("mov.u32 r, %tid.x; cvt.u64.u32 d, %ctaid.y; mov.u16 h, %tid.x;");
  body_refused("add.u32 r, %tid.x, 1;", "move it to a register first");
  body_refused("mov.u32 r, %clock64;", "cannot take");
}

/* ---- calls ----------------------------------------------------------------------------------- */

Test(ptx_calls, registers_and_numbers_travel_through_params) {
  Module *mod = body_loaded("@p call (r), twice, (s);\n call (r), twice, (5);");
  const Function *k = function(mod, "k");
  cr_assert_eq(k->inst_count, 7);
  cr_assert_eq(k->insts[0].op, OP_ST);
  cr_assert_eq(k->insts[0].guard, k->insts[1].guard);
  cr_assert_eq(k->insts[2].op, OP_LD);
  ptx_free(mod);
}

Test(ptx_calls, a_function_may_take_registers) {
  Module *mod = loaded(HEAD ".func (.reg .u32 r) f(.reg .u32 a) { add.u32 r, a, 1; ret; }\n");
  const Function *f = function(mod, "f");
  cr_assert_eq(f->param_count, 1);
  cr_assert_eq(f->insts[0].op, OP_LD);
  cr_assert_eq(f->insts[2].op, OP_ST);
  ptx_free(mod);
}

Test(ptx_calls, arguments_are_counted_and_measured) {
  body_refused("call twice, (r);", "1 results, here are 0");
  body_refused("call (r), twice, (r, s);", "1 parameters, here are 2");
  body_refused("{ .param .b64 w; call (r), twice, (w); }", "does not fit");
  body_refused("call (r), d, (s);", ".callprototype");
}

Test(ptx_calls, a_kernel_is_not_called) { body_refused("call k;", "cannot be called"); }

Test(ptx_calls, declarations_must_be_alike) {
  refused(HEAD ".func f(.param .b32 a); .func f(.param .b64 a) { ret; }\n", "declared before");
}

/* ---- operands and modifiers ------------------------------------------------------------------ */

Test(ptx_rules, a_modifier_that_decides_is_not_left_out) {
  body_refused("mul.s32 r, r, s;", "mul.lo.s32");
  body_refused("div.f32 f, f, g;", "div.rn.f32");
  body_refused("cvt.s32.f32 r, f;", "cvt.rzi.s32.f32");
  body_refused("cvt.f32.s32 f, r;", "cvt.rn.f32.s32");
  body_refused("setp.s32 p, r, s;", "setp.lt.s32");
  body_refused("membar;", "membar.gl");
}

Test(ptx_rules, a_modifier_is_given_once) { body_refused("add.rn.rz.f32 f, f, g;", "only one"); }

Test(ptx_rules, a_comparison_fits_its_type) {
  body_refused("setp.ltu.s32 p, r, s;", "does not compare");
  body_refused("setp.lt.b32 p, r, s;", "does not compare");
  body_accepted("setp.lo.u32 p, r, s; setp.ltu.f32 p, f, g; setp.eq.b32 p, r, s;");
}

Test(ptx_rules, a_combined_comparison_needs_what_it_combines_with) {
  body_refused("setp.lt.and.s32 p, r, s;", "combine");
  body_refused("setp.lt.s32 p, r, s, q;", "combine");
}

Test(ptx_rules, memory_is_of_the_space_that_is_named) {
  body_refused("ld.shared.u32 r, [gb];", ".global memory, not in .shared");
  body_refused("ld.f32 f, [cf];", "ld.const");
  body_refused("st.param.u64 [a], d;", "only be read");
}

Test(ptx_rules, offsets_are_constant_expressions) {
  Module *mod = body_loaded("ld.global.u32 r, [d+2*(3-1)];");
  cr_assert_eq(inst_of(mod, "k", OP_LD)->operand[1].off, 4);
  ptx_free(mod);
}

Test(ptx_rules, waiting_by_parity_takes_32_bits) {
  body_accepted("mbarrier.try_wait.parity.shared::cta.b64 p, [sh], r;"
                "mbarrier.test_wait.shared.b64 p, [sh], d;");
}

Test(ptx_rules, a_cache_policy_is_no_size) {
  Module *mod = body_loaded("cp.async.ca.shared.global.L2::cache_hint [sh], [gb], 4, d;");
  cr_assert_eq(inst_of(mod, "k", OP_CP_ASYNC)->operand_count, 3);
  ptx_free(mod);
}

Test(ptx_rules, a_copy_that_ignores_its_source_reads_no_bytes) {
  Module *mod = body_loaded("cp.async.ca.shared.global [sh], [gb], 8, p;");
  const Inst *pick = inst_of(mod, "k", OP_SELP);
  cr_assert_eq(pick->operand[1].imm, 0);
  cr_assert_eq(pick->operand[2].imm, 8);
  ptx_free(mod);
}

Test(ptx_rules, an_mma_counts_its_registers) {
  body_refused("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {f,f,f,f}, {r}, {s}, {g,g,g,g};",
               "2 registers");
}

Test(ptx_rules, forms_that_are_not_executed_load) {
  body_accepted("min.s16x2 r, s, t; atom.global.v2.f32.add {f, g}, [gb], {f, g};"
                "mbarrier.arrive.expect_tx.shared.b64 d, [sh], 16; membar.proxy.alias;"
                "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [sh], r, [sh];");
}

/* ---- endless loops, and texts made to be slow ------------------------------------------------ */

Test(ptx_cfg, an_if_in_an_endless_loop_meets_behind_itself) {
  Module *mod = loaded(HEAD ".entry k() { .reg .pred p; H: @p bra A; mov.pred p, 0; A: mov.pred p, "
                            "1; bra H; }\n");
  cr_assert_eq(function(mod, "k")->insts[0].reconverge, 2);
  ptx_free(mod);
}

Test(ptx_cfg, two_ways_back_meet_at_the_head_of_an_endless_loop) {
  Module *mod = loaded(HEAD ".entry k() { .reg .pred p; mov.pred p, 1; H: @p bra A; bra H; A: bra "
                            "H; }\n");
  cr_assert_eq(function(mod, "k")->insts[1].reconverge, 1);
  ptx_free(mod);
}

/* A chain of blocks that other blocks enter at both ends: quadratic for the usual algorithm. */
Test(ptx_cfg, a_long_chain_is_no_burden, .timeout = 60) {
  enum { N = 20000, ROOM = N * 64 };
  char *text = malloc(ROOM);
  int n = snprintf(text, ROOM, HEAD ".entry k() {.reg .pred p;");
  for (int i = 0; i < N; i++) n += snprintf(text + n, ROOM - (size_t)n, "C%d: bra C%d;", i, i + 1);
  n += snprintf(text + n, ROOM - (size_t)n, "C%d: ret;", N);
  for (int i = 0; i < N; i++)
    n += snprintf(text + n, ROOM - (size_t)n, "D%d: @p bra C0; bra C%d;", i, N - 1);
  snprintf(text + n, ROOM - (size_t)n, "}");
  Module *mod = loaded(text);
  cr_assert_eq(function(mod, "k")->block_count, 3 * N + 1);
  ptx_free(mod);
  free(text);
}

Test(ptx_cfg, jump_tables_together_have_a_limit) {
  enum { LABELS = 3000, TABLES = 1000, ROOM = 1 << 17 };
  char *text = malloc(ROOM);
  int n = snprintf(text, ROOM, HEAD ".entry k() {.reg .b32 r; T: .branchtargets L0");
  for (int i = 1; i < LABELS; i++) n += snprintf(text + n, ROOM - (size_t)n, ",L%d", i);
  n += snprintf(text + n, ROOM - (size_t)n, ";");
  for (int i = 0; i < TABLES; i++) n += snprintf(text + n, ROOM - (size_t)n, "brx.idx r, T;");
  for (int i = 0; i < LABELS; i++) n += snprintf(text + n, ROOM - (size_t)n, "L%d: ", i);
  snprintf(text + n, ROOM - (size_t)n, "ret; }");
  refused(text, "targets");
  free(text);
}
Test(rules, only_f32_has_min_and_max_of_three) {
  body_accepted("max.f32 f, f, g, f;");
  body_refused("max.s32 r, r, s, t;", ".f32 only");
}
Test(rules, matrices_are_in_registers_of_their_width) {
  body_accepted("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {r, s}, [sh];");
  body_refused("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {r, s}, [sh];", "4 matrices");
  body_refused("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {r, _}, [sh];", "takes registers");
  body_refused("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {r, d}, [sh];", "32 bits are wanted");
  body_accepted("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {d,e}, {d}, {e}, {x,x};");
  body_refused("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {d,e}, {r}, {e}, {x,x};",
               "64 bits are wanted");
  body_refused("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {d,_}, {d}, {e}, {x,x};",
               "takes registers");
  body_refused("wmma.load.a.sync.aligned.row.m16n16k16.f16 {r,s}, [d];", "8 registers");
}
