// SPDX-License-Identifier: Apache-2.0
// Computation tree logic and fairness: the text form there and back, what is refused, and that the
// passes reach the conditions in them. And rules with too many choices to be numbered.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ir/eval.h"
#include "ir/ir.h"

#include <string.h>

#define HEAD                                                                                       \
  "model \"m\" language \"ir\";\n"                                                                 \
  "deadlock stuck;\n"                                                                              \
  "var x : 0..7;\n"                                                                                \
  "var p : bool;\n"                                                                                \
  "\n"                                                                                             \
  "function odd(n : int) : bool {\n"                                                               \
  "  return n % 2 = 1;\n"                                                                          \
  "}\n"                                                                                            \
  "\n"                                                                                             \
  "start \"s\" {\n"                                                                                \
  "  x := 0;\n"                                                                                    \
  "  p := false;\n"                                                                                \
  "}\n"                                                                                            \
  "\n"

static struct ir_model *read(const char *text, struct diag *d) {
  return ir_parse_model(source_from_text("test.ir", text, strlen(text)), d);
}

static struct ir_model *parse(const char *text) {
  struct diag d = {0};
  struct ir_model *m = read(text, &d);
  if (!m) diag_print(&d, stderr, false);
  assert_non_null(m);
  diag_clear(&d);
  struct text errors = {0};
  if (!ir_check(m, &errors)) fail_msg("%s", errors.data);
  return m;
}

static const char formulas[] =
    HEAD "ctl \"a\" : \"AG p\" AG (p);\n"
         "ctl \"b\" : \"b\" AG [(x = 1) -> AF (x = 2 | p)];\n"
         "ctl \"c\" : \"c\" E [(p) U A [[(p) & !(x > 1)] U EX (odd(x))]];\n"
         "ctl \"d\" : \"d\" EBF 1..3 (p) <-> ABG 0..4294967295 [(p) | !!AX EG (p)];\n"
         "ctl \"e\" : \"e\" A [(p) BU 2..5 EF E [(forall i : 0..7 { i >= x -> p }) BU 0..0 (p)]];\n"
         "ctl \"f\" : \"f\" [[(p) & (p)] & (p)] & [EBG 1..1 (p) -> ABF 0..1 (p)];\n"
         "ctl \"g\" : \"only text\";\n"
         "fairness : x = 1 & p;\n"
         "fairness agent 2;\n"
         "fairness agent 0 : exists i : 0..7 { i = x };\n"
         "fairness : x = 2 given p;\n"
         "fairness agent 3 given x < 2;\n";

static void test_there_and_back(void **state) {
  (void)state;
  struct ir_model *m = parse(formulas);
  struct text out = {0};
  ir_print_model(&out, m);
  assert_string_equal(text_str(&out), formulas);
  text_clear(&out);
  ir_print_meaning(&out, m);
  assert_non_null(strstr(out.data, "AG [(x = 1) -> AF (x = 2 | p)]"));
  assert_non_null(strstr(out.data, "fairness : x = 2 given p;"));
  text_clear(&out);
  ir_model_free(m);
}

static void test_what_is_read(void **state) {
  (void)state;
  struct ir_model *m = parse(formulas);
  const struct ir_ctl *f = m->properties.data[1]->ctl;
  assert_int_equal(f->op, IR_CTL_AG);
  assert_int_equal(f->left->op, IR_CTL_IMPLIES);
  assert_int_equal(f->left->left->op, IR_CTL_ATOM);
  assert_int_equal(f->left->left->expr->op, IR_EQ);
  assert_int_equal(f->left->right->op, IR_CTL_AF);
  f = m->properties.data[4]->ctl;
  assert_int_equal(f->op, IR_CTL_ABU);
  assert_int_equal(f->lo, 2);
  assert_int_equal(f->hi, 5);
  assert_int_equal(f->right->left->op, IR_CTL_EBU);
  assert_null(m->properties.data[6]->ctl);
  assert_int_equal(m->fairness.count, 5);
  assert_int_equal(m->fairness.data[0]->agent, -1);
  assert_false(m->fairness.data[0]->compassion);
  assert_int_equal(m->fairness.data[1]->agent, 2);
  assert_null(m->fairness.data[1]->expr);
  assert_true(m->fairness.data[3]->compassion);
  assert_non_null(m->fairness.data[3]->given);
  ir_model_free(m);
}

static void refuses(const char *item, const char *part) {
  struct text t = {0};
  struct diag d = {0};
  text_printf(&t, "%s%s", HEAD, item);
  assert_null(read(text_str(&t), &d));
  assert_true(d.errors > 0);
  if (!strstr(d.entries[0].message, part)) fail_msg("%s: %s", item, d.entries[0].message);
  text_clear(&t);
  diag_clear(&d);
}

static void test_mistakes(void **state) {
  (void)state;
  refuses("ctl \"a\" : \"t\" AG p;\n", "expected a formula");
  refuses("ctl \"a\" : \"t\" AG (x);\n", "must be Boolean");
  refuses("ctl \"a\" : \"t\" (p) & (p) & (p);\n", "expected ';'");
  refuses("ctl \"a\" : \"t\" E [(p) V (p)];\n", "'U' or 'BU'");
  refuses("ctl \"a\" : \"t\" EBF 3..1 (p);\n", "above the second");
  refuses("ctl \"a\" : \"t\" (p) < (p);\n", "expected '->'");
  refuses("ctl \"a\";\n", "a formula");
  refuses("fairness;\n", "'agent', or ':' and a condition");
  refuses("fairness given p;\n", "'agent', or ':' and a condition");
  refuses("function f() : bool { x := 1; return p; }\nctl \"a\" : \"t\" AG (f());\n",
          "\"a\" calls a function that changes");
  refuses("function f() : bool { x := 1; return p; }\nfairness : f();\n", "fairness of \"m\"");
}

static void check_says(struct ir_model *m, const char *part) {
  struct text errors = {0};
  assert_false(ir_check(m, &errors));
  if (!strstr(text_str(&errors), part)) fail_msg("%s", text_str(&errors));
  text_clear(&errors);
}

static void test_checker(void **state) {
  (void)state;
  static const struct span nowhere = {0};
  struct ir_model *m = parse(HEAD "ctl \"a\" : \"t\" AG (p);\nfairness : p;\n");
  struct ir_property *o = m->properties.data[0];
  const struct ir_ctl *good = o->ctl;
  o->ctl = ir_ctl_new(m, IR_CTL_AG, NULL, NULL, nowhere);
  check_says(m, "too few");
  o->ctl = ir_ctl_new(m, IR_CTL_NOT, good->left, good->left, nowhere);
  check_says(m, "too many operands");
  struct ir_ctl *bounds = ir_ctl_new(m, IR_CTL_EBF, good->left, NULL, nowhere);
  bounds->lo = 1;
  o->ctl = bounds;
  check_says(m, "bounds");
  o->ctl = ir_ctl_new(m, IR_CTL_ATOM, NULL, NULL, nowhere);
  check_says(m, "no condition");
  o->ctl = good;
  o->kind = IR_PROP_LTL;
  check_says(m, "of another kind");
  o->kind = IR_PROP_CTL;
  m->fairness.data[0]->compassion = true;
  check_says(m, "two conditions");
  m->fairness.data[0]->compassion = false;
  m->fairness.data[0]->expr = NULL;
  check_says(m, "neither");
  ir_model_free(m);
}

// --- passes ---

static void prints(const struct ir_model *m, const char *part) {
  struct text out = {0};
  ir_print_model(&out, m);
  if (!strstr(text_str(&out), part)) fail_msg("no %s in %s", part, text_str(&out));
  text_clear(&out);
}

static void test_folding(void **state) {
  (void)state;
  struct ir_model *m = parse(HEAD "rule \"r\" { assume p & (x = 1 & x < 5); x := 1; }\n"
                                  "ctl \"a\" : \"t\" AG (x = 1 + 2);\n"
                                  "fairness : x = 3 - 1 given x = 2 + 2;\n");
  ir_fold(m);
  prints(m, "AG (x = 3)");
  prints(m, "fairness : x = 2 given x = 4;");
  prints(m, "  assume p;\n  assume x = 1;\n  assume x < 5;\n  x := 1;\n");
  ir_model_free(m);
}

// Where the old type of a variable counts, what is read of it is cast; so in formulas.
static void test_narrowing(void **state) {
  (void)state;
  struct ir_model *m = parse("model \"m\"; var n : u8;\n"
                             "start \"s\" { n := 0:u8; }\n"
                             "rule \"r\" when n < 3 { n := n + 1:u8; }\n"
                             "ctl \"a\" : \"t\" AG (n - 1:u8 != 9);\n"
                             "fairness : n - 3:u8 = 9 given n - 2:u8 = 9;\n");
  ir_narrow(m);
  assert_int_equal(m->vars.data[0]->type->kind, IR_TYPE_RANGE);
  prints(m, "AG (cast(n, u8) - 1:u8 != 9)");
  prints(m, "fairness : cast(n, u8) - 3:u8 = 9 given cast(n, u8) - 2:u8 = 9;");
  ir_model_free(m);
}

// A function that a formula calls sees variables that can be undefined; so must their layout.
static void test_references_in_formulas(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    struct ir_model *m =
        parse(i ? "model \"m\"; type R : record { a : 0..1; }; var r : R; var q : R;\n"
                  "function f(ref z : R) : bool { return isundefined(z.a); }\n"
                  "start \"s\" { r.a := 0; }\nctl \"a\" : \"t\" AG (f(r) | f(q));\n"
                : "model \"m\"; type R : record { a : 0..1; }; var r : R; var q : R;\n"
                  "function f(ref z : R) : bool { return isundefined(z.a); }\n"
                  "start \"s\" { r.a := 0; }\nfairness : f(q) given f(r);\n");
    assert_true(m->layout->leaf[0].undef);
    assert_true(m->layout->leaf[1].undef);
    ir_model_free(m);
  }
}

// --- choices ---

#define MANY "(a : int in 0 to 4294967295, b : int in 10 to 6 by -2, c : bool)"

static void test_unnumbered(void **state) {
  (void)state;
  struct ir_model *m =
      parse("model \"m\"; var x : 0..7; var y : bool; var z : bool;\n"
            "start \"s\" choose " MANY " { assume a = 3; x := 1; y := c; }\n"
            "rule \"r\" { z := true; }\n"
            "rule \"most\" choose (a : int in 0 to 4294967294) { y := true; }\n"
            "rule \"many\" choose (a : int in 0 to 4294967294, b : bool) { y := true; }\n");
  assert_ptr_equal(ir_model_unnumbered(m), m->starts.data[0]);
  assert_int_equal(m->starts.data[0]->choices, 0);
  assert_int_equal(m->rules.data[0]->choices, 1);
  assert_int_equal(m->rules.data[1]->choices, 4294967295);
  assert_int_equal(m->rules.data[2]->choices, 0);
  // what every start assigns is known to be defined without running them
  assert_false(m->layout->leaf[0].undef);
  assert_false(m->layout->leaf[1].undef);
  assert_true(m->layout->leaf[2].undef);
  struct text out = {0};
  ir_instance_print_values(&out, m, true, 0, (const int64_t[]){3, 8, 1});
  assert_string_equal(text_str(&out), "s(a=3, b=8, c=true)");
  text_clear(&out);
  ir_model_free(m);
  m = parse(HEAD);
  assert_null(ir_model_unnumbered(m));
  ir_model_free(m);
}

// Start rules that do more than assign at their end: everything may be undefined.
static void test_unclear_starts(void **state) {
  (void)state;
  static const char *const bodies[] = {"if c { return; } x := 1; y := c;",
                                       "x := 1; y := c; undefine x;", "if c { x := 1; } y := c;"};
  for (size_t i = 0; i < 3; i++) {
    struct text t = {0};
    text_printf(&t,
                "model \"m\"; var x : 0..7; var y : bool;\nstart \"s\" choose " MANY " { %s }\n",
                bodies[i]);
    struct ir_model *m = parse(text_str(&t));
    assert_true(m->layout->leaf[0].undef);
    assert_int_equal(m->layout->leaf[1].undef, i < 2);
    ir_model_free(m);
    text_clear(&t);
  }
}

static void test_next_choice(void **state) {
  (void)state;
  struct ir_model *m = parse("model \"m\"; var x : bool; start \"s\" { x := true; }\n"
                             "rule \"r\" choose (a : 2..4, b : int in 10 to 6 by -2, c : bool)"
                             " { x := c; }\n");
  const struct ir_rule *r = m->rules.data[0];
  int64_t values[3], expected[3];
  uint32_t number = 0, seen = 0;
  ir_choice_first(r, values);
  do {
    assert_int_equal(number, seen++);
    ir_choice(r, number, expected);
    assert_memory_equal(values, expected, sizeof values);
  } while (ir_choice_next(r, 3, values, &number));
  assert_int_equal(seen, 18);
  assert_int_equal(number, 0);
  assert_int_equal(values[1], 10);
  for (uint32_t keep = 0; keep <= 3; keep++) {
    static const uint32_t count[] = {1, 3, 9, 18};
    seen = 0;
    do {
      ir_choice(r, number, expected);
      assert_memory_equal(values, expected, sizeof values);
      seen++;
    } while (ir_choice_next(r, keep, values, &number));
    assert_int_equal(seen, count[keep]);
  }
  // from the middle
  number = 3;
  ir_choice(r, number, values);
  assert_true(ir_choice_next(r, 1, values, &number));
  assert_int_equal(number, 6);
  const struct ir_domain *b = r->frame.locals[1]->domain;
  assert_true(ir_domain_has(b, 6) && ir_domain_has(b, 10));
  assert_false(ir_domain_has(b, 7) || ir_domain_has(b, 4) || ir_domain_has(b, 12));
  ir_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_there_and_back),
      cmocka_unit_test(test_what_is_read),
      cmocka_unit_test(test_mistakes),
      cmocka_unit_test(test_checker),
      cmocka_unit_test(test_folding),
      cmocka_unit_test(test_narrowing),
      cmocka_unit_test(test_references_in_formulas),
      cmocka_unit_test(test_unnumbered),
      cmocka_unit_test(test_unclear_starts),
      cmocka_unit_test(test_next_choice),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
