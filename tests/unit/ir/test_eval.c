// SPDX-License-Identifier: Apache-2.0
// The interpreter against hand reasoning: expressions, faults, references, start rules.
#include "ir/eval.h"
#include "ir/ir.h"

// cmocka wants these first
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

static const struct span nowhere;

struct fixture {
  struct ir_model *m;
  struct ir_rule *start, *rule;
  struct ir_chain init, body;
  struct ir_eval *eval;
  uint64_t state[16];
};

static struct fixture begin(void) {
  struct fixture f = {.m = ir_model_new("test", "ir")};
  f.start = ir_rule_new(f.m, true, "start", nowhere);
  f.rule = ir_rule_new(f.m, false, "rule", nowhere);
  return f;
}

static void finish(struct fixture *f) {
  struct diag d = {0};
  f->start->body = f->init.first;
  f->rule->body = f->body.first;
  assert_true(ir_model_finish(f->m, &d));
  assert_true(f->m->layout->words <= 16);
  diag_clear(&d);
  f->eval = ir_eval_new(f->m);
}

static void end(struct fixture *f) {
  ir_eval_free(f->eval);
  ir_model_free(f->m);
}

static struct ir_expr *num(struct fixture *f, int64_t v) { return ir_int(f->m, v, nowhere); }
static struct ir_expr *ref(struct fixture *f, struct ir_var *v) {
  return ir_var_ref(f->m, v, nowhere);
}
static void set(struct fixture *f, struct ir_chain *c, struct ir_expr *lhs, struct ir_expr *rhs) {
  ir_chain_add(c, ir_assign(f->m, lhs, rhs, nowhere));
}
static int64_t leaf(const struct fixture *f, uint64_t i) {
  return ir_leaf_get(&f->m->layout->leaf[i], f->state);
}
static enum ir_outcome run_start(struct fixture *f) {
  return ir_eval_body(f->eval, f->start, NULL, NULL, f->state);
}
static enum ir_outcome run_rule(struct fixture *f) {
  return ir_eval_body(f->eval, f->rule, NULL, NULL, f->state);
}
static enum ir_fault fault(const struct fixture *f) {
  return f->m->sites.data[ir_eval_site(f->eval)].fault;
}

// Evaluates an integer expression by assigning it to a variable of the widest range.
static enum ir_outcome evaluate(enum ir_op op, int64_t a, int64_t b, int64_t *result,
                                enum ir_fault *why) {
  struct fixture f = begin();
  struct ir_var *v = ir_var_new(f.m, "v", ir_type_int(f.m, 64, true, false), nowhere);
  set(&f, &f.init, ref(&f, v), num(&f, 0));
  struct ir_expr *e = ir_binary(f.m, op, num(&f, a), num(&f, b), nowhere);
  set(&f, &f.body, ref(&f, v), e);
  finish(&f);
  assert_int_equal(run_start(&f), IR_OK);
  enum ir_outcome o = run_rule(&f);
  *result = leaf(&f, 0);
  *why = o == IR_FAILED ? fault(&f) : IR_FAULT_NONE;
  end(&f);
  return o;
}

static void test_arithmetic(void **unused) {
  static const struct {
    enum ir_op op;
    int64_t a, b, result;
    enum ir_fault fault;
  } rows[] = {
      {IR_ADD, 2, 3, 5, 0},
      {IR_ADD, INT64_MAX, 1, 0, IR_FAULT_OVERFLOW},
      {IR_SUB, INT64_MIN, 1, 0, IR_FAULT_OVERFLOW},
      {IR_MUL, INT64_MAX, 2, 0, IR_FAULT_OVERFLOW},
      {IR_DIV, -7, 2, -3, 0},
      {IR_DIV, 7, 0, 0, IR_FAULT_DIVISION},
      {IR_DIV, INT64_MIN, -1, 0, IR_FAULT_OVERFLOW},
      {IR_MOD, -7, 2, -1, 0},
      {IR_MOD, 7, 0, 0, IR_FAULT_DIVISION},
      {IR_SHL, 1, 4, 16, 0},
      {IR_SHL, 16, -2, 4, 0},
      {IR_SHL, 1, 64, 0, 0},
      {IR_SHR, -8, 1, -4, 0},
      {IR_SHR, -8, 64, 0, 0},
      {IR_SHR, 3, -2, 12, 0},
      {IR_BITXOR, 6, 3, 5, 0},
      {IR_LT, -1, 0, 1, 0},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    int64_t result;
    enum ir_fault why;
    evaluate(rows[i].op, rows[i].a, rows[i].b, &result, &why);
    assert_int_equal(why, rows[i].fault);
    if (!why) assert_int_equal(result, rows[i].result);
  }
  (void)unused;
}

static void test_machine_integers(void **unused) {
  struct fixture f = begin();
  struct ir_type *u8 = ir_type_int(f.m, 8, false, false), *i8 = ir_type_int(f.m, 8, true, true);
  struct ir_var *a = ir_var_new(f.m, "a", u8, nowhere), *b = ir_var_new(f.m, "b", i8, nowhere);
  set(&f, &f.init, ref(&f, a), ir_const(f.m, u8, 250, nowhere));
  set(&f, &f.init, ref(&f, b), ir_const(f.m, i8, 100, nowhere));
  struct ir_expr *ten = ir_const(f.m, u8, 10, nowhere);
  set(&f, &f.body, ref(&f, a), ir_binary(f.m, IR_ADD, ref(&f, a), ten, nowhere));
  struct ir_expr *big = ir_const(f.m, i8, 100, nowhere);
  set(&f, &f.body, ref(&f, b), ir_binary(f.m, IR_ADD, ref(&f, b), big, nowhere));
  finish(&f);
  assert_int_equal(run_start(&f), IR_OK);
  assert_int_equal(run_rule(&f), IR_FAILED); // b traps, after a wrapped
  assert_int_equal(fault(&f), IR_FAULT_OVERFLOW);
  assert_int_equal(leaf(&f, 0), 4);
  assert_int_equal(leaf(&f, 1), 100);
  end(&f);
  (void)unused;
}

static void test_undefined_and_range(void **unused) {
  struct fixture f = begin();
  struct ir_type *t = ir_type_range(f.m, 2, 5);
  struct ir_var *x = ir_var_new(f.m, "x", t, nowhere), *y = ir_var_new(f.m, "y", t, nowhere);
  set(&f, &f.init, ref(&f, x), num(&f, 5));
  set(&f, &f.body, ref(&f, x), ir_binary(f.m, IR_ADD, ref(&f, x), num(&f, 1), nowhere));
  finish(&f);
  assert_int_equal(run_start(&f), IR_OK);
  assert_int_equal(leaf(&f, 0), 5);
  assert_int_equal(leaf(&f, 1), IR_UNDEF);
  assert_false(f.m->layout->leaf[0].undef); // x is always defined: four codes, two bits
  assert_int_equal(f.m->layout->leaf[0].width, 2);
  assert_true(f.m->layout->leaf[1].undef); // y never gets a value
  assert_int_equal(f.m->layout->leaf[1].width, 3);
  assert_int_equal(run_rule(&f), IR_FAILED);
  assert_int_equal(fault(&f), IR_FAULT_RANGE);
  bool value;
  struct ir_frame none = {0};
  struct ir_expr *read = ir_binary(f.m, IR_EQ, ref(&f, y), num(&f, 3), nowhere);
  assert_int_equal(ir_eval_bool(f.eval, &none, read, f.state, &value), IR_FAILED);
  assert_int_equal(fault(&f), IR_FAULT_UNDEFINED);
  struct ir_expr *isundef = ir_isundef(f.m, ref(&f, y), nowhere);
  assert_int_equal(ir_eval_bool(f.eval, &none, isundef, f.state, &value), IR_OK);
  assert_true(value);
  end(&f);
  (void)unused;
}

// A start rule reads what it has not set yet: a fault, although the variable is always defined
// later.
static void test_start_reads_undefined(void **unused) {
  struct fixture f = begin();
  struct ir_type *t = ir_type_range(f.m, 0, 3);
  struct ir_var *x = ir_var_new(f.m, "x", t, nowhere), *y = ir_var_new(f.m, "y", t, nowhere);
  set(&f, &f.init, ref(&f, x), ref(&f, y));
  set(&f, &f.init, ref(&f, y), num(&f, 1));
  finish(&f);
  assert_int_equal(run_start(&f), IR_FAILED);
  assert_int_equal(fault(&f), IR_FAULT_UNDEFINED);
  end(&f);
  (void)unused;
}

// procedure swap(var a, b) { t := a; a := b; b := t } on elements of an array, then on locals.
static struct ir_function *make_swap(struct fixture *f, const struct ir_type *t) {
  struct ir_function *g = ir_function_new(f->m, "swap", NULL, nowhere);
  struct ir_local *a = ir_local_new(f->m, &g->frame, IR_LOCAL_REF, "a", t, nowhere);
  struct ir_local *b = ir_local_new(f->m, &g->frame, IR_LOCAL_REF, "b", t, nowhere);
  struct ir_local *c = ir_local_new(f->m, &g->frame, IR_LOCAL_PLAIN, "t", t, nowhere);
  g->param_count = 2;
  struct ir_chain body = {0};
  struct ir_local *order[][2] = {{c, a}, {a, b}, {b, c}};
  for (int i = 0; i < 3; i++)
    set(f, &body, ir_local_ref(f->m, order[i][0], nowhere),
        ir_local_ref(f->m, order[i][1], nowhere));
  g->body = body.first;
  return g;
}

static void call(struct fixture *f, struct ir_function *g, struct ir_expr *a, struct ir_expr *b) {
  struct ir_expr *args[] = {a, b};
  ir_chain_add(&f->body, ir_call_stmt(f->m, ir_call(f->m, g, args, 2, nowhere), nowhere));
}

static void test_references(void **unused) {
  struct fixture f = begin();
  struct ir_type *t = ir_type_range(f.m, 0, 9), *index = ir_type_range(f.m, 1, 3);
  struct ir_var *x = ir_var_new(f.m, "x", ir_type_array(f.m, index, t), nowhere);
  struct ir_function *swap = make_swap(&f, t);
  struct ir_local *l = ir_local_new(f.m, &f.rule->frame, IR_LOCAL_PLAIN, "l", t, nowhere);
  struct ir_expr *at[4];
  for (int i = 1; i <= 3; i++) {
    at[i] = ir_index(f.m, ref(&f, x), num(&f, i), nowhere);
    set(&f, &f.init, at[i], num(&f, i));
  }
  call(&f, swap, at[1], at[3]); // 3 2 1
  set(&f, &f.body, ir_local_ref(f.m, l, nowhere), num(&f, 9));
  call(&f, swap, at[2], ir_local_ref(f.m, l, nowhere));   // 3 9 1, l = 2
  set(&f, &f.body, at[3], ir_local_ref(f.m, l, nowhere)); // 3 9 2
  finish(&f);
  assert_int_equal(run_start(&f), IR_OK);
  assert_int_equal(run_rule(&f), IR_OK);
  assert_int_equal(leaf(&f, 0), 3);
  assert_int_equal(leaf(&f, 1), 9);
  assert_int_equal(leaf(&f, 2), 2);
  end(&f);
  (void)unused;
}

static void test_index_fault(void **unused) {
  struct fixture f = begin();
  struct ir_type *t = ir_type_range(f.m, 0, 9), *index = ir_type_range(f.m, 1, 3);
  struct ir_var *x = ir_var_new(f.m, "x", ir_type_array(f.m, index, t), nowhere);
  ir_chain_add(&f.init, ir_clear(f.m, ref(&f, x), nowhere));
  set(&f, &f.body, ir_index(f.m, ref(&f, x), num(&f, 4), nowhere), num(&f, 1));
  finish(&f);
  assert_int_equal(run_start(&f), IR_OK);
  assert_int_equal(run_rule(&f), IR_FAILED);
  assert_int_equal(fault(&f), IR_FAULT_INDEX);
  assert_non_null(strstr(ir_eval_detail(f.eval), "4"));
  end(&f);
  (void)unused;
}

// Elements are records {valid, value}; sort puts undefined values first and keeps pairs together.
static void test_sort(void **unused) {
  struct fixture f = begin();
  struct ir_field fields[] = {{.name = "valid", .type = f.m->bool_type},
                              {.name = "value", .type = ir_type_range(f.m, 0, 9)}};
  struct ir_type *elem = ir_type_record(f.m, fields, 2), *index = ir_type_range(f.m, 0, 2);
  struct ir_var *x = ir_var_new(f.m, "x", ir_type_array(f.m, index, elem), nowhere);
  static const int64_t valid[] = {1, 0, 1}, value[] = {7, IR_UNDEF, 3};
  for (int i = 0; i < 3; i++) {
    struct ir_expr *at = ir_index(f.m, ref(&f, x), num(&f, i), nowhere);
    set(&f, &f.init, ir_field(f.m, at, 0, nowhere), ir_bool(f.m, valid[i], nowhere));
    if (value[i] != IR_UNDEF) set(&f, &f.init, ir_field(f.m, at, 1, nowhere), num(&f, value[i]));
  }
  ir_chain_add(&f.body, ir_sort(f.m, ref(&f, x), nowhere));
  finish(&f);
  assert_int_equal(run_start(&f), IR_OK);
  assert_int_equal(run_rule(&f), IR_OK);
  static const int64_t want[] = {0, IR_UNDEF, 1, 3, 1, 7};
  for (int i = 0; i < 6; i++) assert_int_equal(leaf(&f, (uint64_t)i), want[i]);
  end(&f);
  (void)unused;
}

static void test_loops(void **unused) {
  struct fixture f = begin();
  struct ir_var *x = ir_var_new(f.m, "x", ir_type_range(f.m, 0, 100), nowhere);
  struct ir_type *any = ir_type_range(f.m, -10, 10);
  struct ir_local *i = ir_local_new(f.m, &f.rule->frame, IR_LOCAL_BOUND, "i", any, nowhere);
  set(&f, &f.init, ref(&f, x), num(&f, 0));
  struct ir_expr *sum = ir_binary(f.m, IR_ADD, ref(&f, x), ir_local_ref(f.m, i, nowhere), nowhere);
  struct ir_stmt *add = ir_assign(f.m, ref(&f, x), sum, nowhere);
  struct ir_domain *down = ir_domain_range(f.m, num(&f, 4), num(&f, 1), NULL);
  ir_chain_add(&f.body, ir_for(f.m, i, down, add, nowhere)); // 4 + 3 + 2 + 1
  struct ir_stmt *again = ir_assign(f.m, ref(&f, x), sum, nowhere);
  struct ir_domain *wrong = ir_domain_range(f.m, num(&f, 4), num(&f, 1), num(&f, 2));
  ir_chain_add(&f.body, ir_for(f.m, i, wrong, again, nowhere));
  finish(&f);
  assert_int_equal(run_start(&f), IR_OK);
  assert_int_equal(run_rule(&f), IR_FAILED);
  assert_int_equal(fault(&f), IR_FAULT_LOOP);
  assert_int_equal(leaf(&f, 0), 10);
  end(&f);
  (void)unused;
}

static void test_while_limit_and_assume(void **unused) {
  struct fixture f = begin();
  struct ir_var *x = ir_var_new(f.m, "x", f.m->bool_type, nowhere);
  set(&f, &f.init, ref(&f, x), ir_bool(f.m, true, nowhere));
  ir_chain_add(&f.body, ir_while(f.m, ref(&f, x), NULL, 10, nowhere));
  struct ir_rule *drop = ir_rule_new(f.m, false, "drop", nowhere);
  struct ir_expr *no = ir_unary(f.m, IR_NOT, ref(&f, x), nowhere);
  drop->body = ir_assume(f.m, no, nowhere);
  finish(&f);
  assert_int_equal(run_start(&f), IR_OK);
  assert_int_equal(run_rule(&f), IR_FAILED);
  assert_int_equal(fault(&f), IR_FAULT_LOOP);
  assert_int_equal(ir_eval_body(f.eval, drop, NULL, NULL, f.state), IR_DROPPED);
  end(&f);
  (void)unused;
}

// A value outside its parameter is a fault of the call, whatever the function does with it.
static void test_argument_range(void **unused) {
  struct fixture f = begin();
  struct ir_type *small = ir_type_range(f.m, 0, 3);
  struct ir_function *g = ir_function_new(f.m, "g", f.m->bool_type, nowhere);
  ir_local_new(f.m, &g->frame, IR_LOCAL_VALUE, "p", small, nowhere);
  g->param_count = 1;
  g->body = ir_return(f.m, ir_bool(f.m, true, nowhere), nowhere);
  struct ir_var *x = ir_var_new(f.m, "x", f.m->bool_type, nowhere);
  struct ir_expr *fits = num(&f, 3), *not = num(&f, 4);
  set(&f, &f.init, ref(&f, x), ir_call(f.m, g, &fits, 1, nowhere));
  set(&f, &f.body, ref(&f, x), ir_call(f.m, g, &not, 1, nowhere));
  finish(&f);
  assert_int_equal(run_start(&f), IR_OK);
  assert_int_equal(run_rule(&f), IR_FAILED);
  assert_int_equal(fault(&f), IR_FAULT_RANGE);
  assert_non_null(strstr(ir_eval_detail(f.eval), "4"));
  end(&f);
  (void)unused;
}

// The rule calls g, which calls itself within an expression of this depth.
static void check_endless(int depth) {
  struct fixture f = begin();
  struct ir_function *g = ir_function_new(f.m, "g", f.m->int_type, nowhere);
  struct ir_expr *deep = ir_call(f.m, g, NULL, 0, nowhere);
  for (int i = 0; i < depth; i++) deep = ir_binary(f.m, IR_ADD, num(&f, 0), deep, nowhere);
  g->body = ir_return(f.m, deep, nowhere);
  struct ir_var *x = ir_var_new(f.m, "x", f.m->bool_type, nowhere);
  ir_chain_add(&f.init, ir_clear(f.m, ref(&f, x), nowhere));
  ir_chain_add(&f.body, ir_call_stmt(f.m, ir_call(f.m, g, NULL, 0, nowhere), nowhere));
  finish(&f);
  assert_int_equal(run_start(&f), IR_OK);
  assert_int_equal(run_rule(&f), IR_FAILED);
  assert_int_equal(fault(&f), IR_FAULT_STACK);
  end(&f);
}

static void test_recursion_ends(void **unused) {
  check_endless(0);
  (void)unused;
}

// Calls within deep expressions run out of C stack before they run out of calls: a fault, no crash.
static void test_stack_bounded(void **unused) {
  check_endless(900);
  (void)unused;
}

static void test_explain(void **unused) {
  struct fixture f = begin();
  struct ir_type *proc = ir_type_scalarset(f.m, 0, 3);
  proc->name = "Proc";
  struct ir_var *x = ir_var_new(f.m, "x", ir_type_array(f.m, proc, f.m->bool_type), nowhere);
  ir_chain_add(&f.init, ir_clear(f.m, ref(&f, x), nowhere));
  struct ir_property *p = ir_property_new(f.m, IR_PROP_INVARIANT, "some", nowhere);
  struct ir_local *i = ir_local_new(f.m, &p->frame, IR_LOCAL_BOUND, "i", proc, nowhere);
  struct ir_expr *at = ir_index(f.m, ref(&f, x), ir_local_ref(f.m, i, nowhere), nowhere);
  struct ir_expr *body = ir_binary(f.m, IR_AND, ir_bool(f.m, true, nowhere), at, nowhere);
  p->expr = ir_quant(f.m, IR_FORALL, i, ir_domain_type(f.m, proc), body, nowhere);
  finish(&f);
  assert_int_equal(run_start(&f), IR_OK);
  struct text out = {0};
  ir_explain(&out, f.eval, &p->frame, p->expr, f.state);
  assert_non_null(strstr(text_str(&out), "i = Proc_1"));
  assert_non_null(strstr(text_str(&out), "x[Proc_1] = false"));
  text_clear(&out);
  end(&f);
  (void)unused;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_arithmetic),
      cmocka_unit_test(test_machine_integers),
      cmocka_unit_test(test_undefined_and_range),
      cmocka_unit_test(test_start_reads_undefined),
      cmocka_unit_test(test_references),
      cmocka_unit_test(test_index_fault),
      cmocka_unit_test(test_sort),
      cmocka_unit_test(test_loops),
      cmocka_unit_test(test_while_limit_and_assume),
      cmocka_unit_test(test_recursion_ends),
      cmocka_unit_test(test_argument_range),
      cmocka_unit_test(test_stack_bounded),
      cmocka_unit_test(test_explain),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
