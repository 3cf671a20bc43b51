// SPDX-License-Identifier: Apache-2.0
// ir_check on models that were sound and then broken by hand, one place at a time.
#include "ir/ir.h"

// cmocka wants these first
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

static const char sound[] =
    "model \"m\";\n"
    "type P : scalarset(2);\n"
    "type R : record { a : int; b : bool; };\n"
    "var x : int;\n"
    "var r : array [P] of R;\n"
    "function f(v : int, ref w : R) : int { local t : int; t := v; return t; }\n"
    "function g() { return; }\n"
    "start \"s\" { x := 0; }\n"
    "rule \"r\" (i : P, j : int in 0 to 3) choose (c : bool) agent i\n"
    "  when forall k : P { r[k].b -> x + 1 < j }\n"
    "{\n"
    "  local l : R;\n"
    "  l := r[i];\n"
    "  x := f(x / 2, r[i]);\n"
    "  for q : int in 0 to x { clear r[i]; }\n"
    "  switch x { case 1 { call g(); } otherwise { assert c; } }\n"
    "  while x < 3 limit 9 { x := cast(x, int) + 1; }\n"
    "  cover \"c\" when x = 1;\n"
    "  assume isundefined(x) | ismember(x, P);\n"
    "  x := if c then 1 else 2;\n"
    "}\n"
    "cover \"c\";\n"
    "invariant \"i\" : exists k : P { r[k].a = 1 };\n"
    "ltl \"l\" : \"[] a\";\n"
    "atom \"a\" : x = 1;\n"
    "valid_end : x = 2;\n";

static struct ir_model *load(void) {
  struct diag d = {0};
  struct ir_model *m = ir_parse_model(source_from_text("t.ir", sound, strlen(sound)), &d);
  if (!m) diag_print(&d, stderr, false);
  assert_non_null(m);
  diag_clear(&d);
  return m;
}

static struct ir_stmt *nth(const struct ir_rule *r, int n) {
  struct ir_stmt *s = r->body;
  while (n-- > 0) s = s->next;
  return s;
}

#define RULE    (m->rules.data[0])
#define STMT(n) nth(RULE, n)

// Each breaks one thing; the sentence must say so.
#define BREAK(name, code)                                                                          \
  static void break_##name(struct ir_model *m) { code; }

BREAK(var_leaf, m->vars.data[1]->first_leaf++)
BREAK(var_id, m->vars.data[1]->id = 0)
BREAK(leaves, m->leaves++)
BREAK(type_id, m->types.data[3]->id = 0)
BREAK(type_leaves, m->types.data[3]->leaves = 7)
BREAK(field_leaf, m->types.data[3]->fields[1].leaf = 0)
BREAK(empty_type, m->types.data[2]->hi = -1)
BREAK(site_zero, m->sites.data[0].fault = IR_FAULT_LOOP)
BREAK(local_cell, RULE->frame.locals[1]->cell = 0)
BREAK(frame_cells, RULE->frame.cells++)
BREAK(rule_id, RULE->id = 3)
BREAK(rule_agent, RULE->agent_param = 2)
BREAK(rule_params, RULE->param_count = 100)
BREAK(param_kind, RULE->frame.locals[0]->kind = IR_LOCAL_PLAIN)
BREAK(param_domain, RULE->frame.locals[1]->domain->hi = m->atoms.data[0]->expr->args[0])
BREAK(param_step, RULE->frame.locals[1]->domain->step = ir_int(m, 0, RULE->span))
BREAK(guard_type, RULE->guard = ir_int(m, 1, RULE->span))
BREAK(instances, m->rule_instances++)
BREAK(const_type, STMT(0)->next->expr->args[0]->args[1]->type = m->bool_type)
BREAK(const_value,
      *STMT(0)->next->expr->args[0]->args[1] = *ir_const(m, m->types.data[2], 9, RULE->span))
BREAK(quant_local, RULE->guard->local = m->properties.data[1]->frame.locals[0])
BREAK(quant_kind, RULE->frame.locals[3]->kind = IR_LOCAL_PLAIN)
BREAK(quant_domain, RULE->guard->domain->type = m->types.data[3])
BREAK(bound_outside, STMT(1)->expr->args[0] = ir_local_ref(m, RULE->frame.locals[3], RULE->span))
BREAK(foreign_local,
      STMT(1)->expr->args[0] = ir_local_ref(m, m->functions.data[0]->frame.locals[0], RULE->span))
BREAK(logic_type, RULE->guard->args[0]->args[0] = ir_int(m, 1, RULE->span))
BREAK(result_type, RULE->guard->args[0]->type = m->int_type)
BREAK(no_site, RULE->guard->args[0]->args[1]->args[0]->site = 0)
BREAK(wrong_site, STMT(1)->expr->args[0]->site++)
BREAK(arg_count, RULE->guard->args[0]->arg_count = 1)
BREAK(unknown_op, RULE->guard->op = IR_OP_COUNT)
BREAK(field, m->properties.data[1]->expr->args[0]->args[0]->field = 2)
BREAK(index_base, RULE->guard->args[0]->args[0]->args[0]->args[0] = ir_int(m, 1, RULE->span))
BREAK(call_arity, m->functions.data[0]->param_count = 1)
BREAK(call_ref, STMT(1)->expr->args[1] = STMT(0)->lhs; STMT(0)->lhs->local = RULE->frame.locals[0])
BREAK(call_value, STMT(1)->expr->args[0] = STMT(0)->lhs)
BREAK(call_procedure, STMT(1)->expr = STMT(3)->cases->body->expr)
BREAK(ite_type, STMT(7)->expr->args[1] = ir_bool(m, true, RULE->span))
BREAK(assign_bound, STMT(1)->lhs = ir_local_ref(m, RULE->frame.locals[1], RULE->span))
BREAK(assign_const, STMT(1)->lhs = ir_int(m, 1, RULE->span))
BREAK(assign_type, STMT(1)->expr = ir_bool(m, true, RULE->span))
BREAK(assign_kind, STMT(1)->kind = IR_COPY)
BREAK(assign_site, STMT(1)->site = 0)
BREAK(copy_type, STMT(0)->expr = STMT(1)->lhs)
BREAK(sort_type, STMT(0)->kind = IR_SORT)
BREAK(stmt_kind, STMT(0)->kind = 99)
BREAK(for_local, STMT(2)->local = RULE->frame.locals[0])
BREAK(for_domain, STMT(2)->domain = NULL)
BREAK(case_type, STMT(3)->cases->values[0] = STMT(0)->lhs)
BREAK(while_condition, STMT(4)->expr = ir_int(m, 1, RULE->span))
BREAK(cover_index, STMT(5)->cover = 77)
BREAK(cover_kind, STMT(5)->cover = 1)
BREAK(assume_missing, STMT(6)->expr = NULL)
BREAK(assert_site, STMT(3)->cases->next->body->site = 100000)
BREAK(return_missing, m->functions.data[0]->body->next->expr = NULL)
BREAK(return_extra, m->functions.data[1]->body->expr = ir_int(m, 1, RULE->span))
BREAK(return_type, m->functions.data[0]->body->next->expr = ir_bool(m, true, RULE->span))
BREAK(value_written, m->functions.data[0]->body->lhs->local = m->functions.data[0]->frame.locals[0])
BREAK(property_type, m->properties.data[1]->expr = ir_int(m, 1, RULE->span))
BREAK(property_missing, m->properties.data[1]->expr = NULL)
BREAK(formula_missing, m->properties.data[2]->text = NULL)
BREAK(atom_missing, m->atoms.data[0]->expr = NULL)
BREAK(valid_end_local, m->valid_end = m->properties.data[1]->expr)

static const struct {
  void (*apply)(struct ir_model *m);
  const char *sentence; // part of what must be said
} cases[] = {
    {break_var_leaf, "variable \"r\": its first leaf is 2 instead of 1"},
    {break_var_id, "variable \"r\": its number is wrong"},
    {break_leaves, "leaves instead of 5"},
    {break_type_id, "type \"R\": its number is wrong"},
    {break_type_leaves, "a record has 7 leaves instead of 2"},
    {break_field_leaf, "the field \"b\" has the wrong place"},
    {break_empty_type, "type \"P\": a scalar type has no values"},
    {break_site_zero, "site 0 is not the one of no fault"},
    {break_local_cell, "the local \"j\" has the wrong number or cell"},
    {break_frame_cells, "its frame has"},
    {break_rule_id, "rule \"r\": its number, kind or name is wrong"},
    {break_rule_agent, "its agent is not one of its parameters"},
    {break_rule_params, "it has more parameters than locals"},
    {break_param_kind, "the parameter \"i\" is not bound to a domain"},
    {break_param_domain, "the bounds of a parameter must be literal constants"},
    {break_param_step, "the step must not be zero"},
    {break_guard_type, "the guard: a condition must be Boolean"},
    {break_instances, "its rule instances are counted wrongly"},
    {break_const_type, "the constant 2 is not in its type"},
    {break_const_value, "the constant 9 is not in its type"},
    {break_quant_local, "a binder has no local of this frame"},
    {break_quant_kind, "\"k\" cannot be bound"},
    {break_quant_domain, "only scalar types can be run through"},
    {break_bound_outside, "\"k\" is used outside what binds it"},
    {break_foreign_local, "a local is not one of this frame's"},
    {break_logic_type, "the operands of a logical operator must be Boolean"},
    {break_result_type, "the result of -> has the wrong type"},
    {break_no_site, "can fail (integer overflow) but has no site"},
    {break_wrong_site, "the site of / says"},
    {break_arg_count, "-> has 1 operands"},
    {break_unknown_op, "the unknown operator"},
    {break_field, "a field is not one of its record's"},
    {break_index_base, "something that is no array is indexed"},
    {break_call_arity, "\"f\" has 1 parameters, and 2 are given"},
    {break_call_ref, "f: a bound variable cannot be written"},
    {break_call_value, "f: the value has another type"},
    {break_call_procedure, "an assignment has no value"},
    {break_ite_type, "if-then-else: Booleans and numbers do not mix"},
    {break_assign_bound, "a bound variable cannot be written"},
    {break_assign_const, "only a variable or a part of one can be written"},
    {break_assign_type, "Booleans and numbers do not mix"},
    {break_assign_kind, "scalars are assigned, arrays and records are copied"},
    {break_assign_site, "an assignment can fail (value out of range) but has no site"},
    {break_copy_type, "the value has another type"},
    {break_sort_type, "only an array can be sorted"},
    {break_stmt_kind, "a statement has the unknown kind 99"},
    {break_for_local, "\"i\" is bound inside itself"},
    {break_for_domain, "or no domain"},
    {break_case_type, "a case must be scalar"},
    {break_while_condition, "a while: a condition must be Boolean"},
    {break_cover_index, "a cover statement names no cover property"},
    {break_cover_kind, "a cover statement names no cover property"},
    {break_assume_missing, "an assumption has no condition"},
    {break_assert_site, "an assertion has no site"},
    {break_return_missing, "a return lacks its value"},
    {break_return_extra, "a return has a value that nobody takes"},
    {break_return_type, "a return: Booleans and numbers do not mix"},
    {break_value_written, "a parameter by value cannot be written"},
    {break_property_type, "property \"i\": the property: a condition must be Boolean"},
    {break_property_missing, "property \"i\": it has no condition"},
    {break_formula_missing, "property \"l\": it has no formula"},
    {break_atom_missing, "atom \"a\": the atom has no condition"},
    {break_valid_end_local, "valid_end: a binder has no local of this frame"},
};

static void test_sound_model(void **state) {
  (void)state;
  struct ir_model *m = load();
  struct text errors = {0};
  assert_true(ir_check(m, &errors));
  assert_string_equal(text_str(&errors), "");
  ir_model_free(m);
}

static void test_broken_models(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct ir_model *m = load();
    struct text errors = {0};
    cases[i].apply(m);
    if (ir_check(m, &errors)) fail_msg("not found: %s", cases[i].sentence);
    if (!strstr(text_str(&errors), cases[i].sentence))
      fail_msg("expected: %s\nfound: %s", cases[i].sentence, errors.data);
    text_clear(&errors);
    ir_model_free(m);
  }
}

// A model that is not finished yet, built by the constructors, is sound too.
static void test_unfinished_model(void **state) {
  (void)state;
  struct ir_model *m = ir_model_new("m", "ir");
  struct ir_type *u8 = ir_type_int(m, 8, false, false), *u8_too = ir_type_int(m, 8, false, false);
  struct ir_var *v = ir_var_new(m, "v", u8, (struct span){0});
  struct ir_rule *r = ir_rule_new(m, false, "r", (struct span){0});
  struct ir_expr *one = ir_const(m, u8_too, 1, r->span), *ref = ir_var_ref(m, v, r->span);
  r->body = ir_assign(m, ref, ir_binary(m, IR_SHL, ref, ir_int(m, 1, r->span), r->span), r->span);
  r->guard = ir_binary(m, IR_EQ, ir_binary(m, IR_ADD, ref, one, r->span), one, r->span);
  struct text errors = {0};
  if (!ir_check(m, &errors)) fail_msg("%s", errors.data);
  ir_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sound_model),
      cmocka_unit_test(test_broken_models),
      cmocka_unit_test(test_unfinished_model),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
