// SPDX-License-Identifier: Apache-2.0
// Folding, as text in and text out: what becomes simpler, and above all what must stay because it
// can fail.
#include "ir/eval.h"
#include "ir/ir.h"

// cmocka wants these first
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

static const char declarations[] = "model \"m\" language \"ir\";\n"
                                   "deadlock off;\n"
                                   "type E : enum {A, B} from 3;\n"
                                   "var x : int;\n"
                                   "var b : bool;\n"
                                   "var r : array [0..3] of bool;\n"
                                   "\n"
                                   "function f() : bool {\n"
                                   "  return true;\n"
                                   "}\n"
                                   "\n"
                                   "function g(maybe v : bool) : bool {\n"
                                   "  return true;\n"
                                   "}\n"
                                   "\n";

static struct ir_model *parse(const char *items) {
  struct diag d = {0};
  struct text in = {0};
  text_printf(&in, "%s%s", declarations, items);
  struct ir_model *m = ir_parse_model(source_from_text("t.ir", in.data, in.count), &d);
  if (!m) diag_print(&d, stderr, false);
  assert_non_null(m);
  text_clear(&in);
  diag_clear(&d);
  return m;
}

// Folds the items; they must come out as expected, and pass the checker.
static void assert_folds(const char *items, const char *expected) {
  struct ir_model *m = parse(items);
  struct text out = {0}, errors = {0};
  ir_fold(m);
  if (!ir_check(m, &errors)) fail_msg("%s", errors.data);
  ir_print_model(&out, m);
  assert_string_equal(out.data + strlen(declarations), expected);
  text_clear(&out);
  ir_model_free(m);
}

// One expression, at the place of a printed value.
static void assert_expr_folds(const char *in, const char *out) {
  struct text items = {0}, expected = {0};
  text_printf(&items, "rule \"r\" {\n  print %s;\n}\n", in);
  text_printf(&expected, "rule \"r\" {\n  print %s;\n}\n", out);
  assert_folds(items.data, expected.data);
  text_clear(&items);
  text_clear(&expected);
}

static void test_arithmetic(void **state) {
  (void)state;
  assert_expr_folds("1 + 2 * 3 - 10", "-3");
  assert_expr_folds("-7 / 2", "-3");
  assert_expr_folds("-7 % 2", "-1");
  assert_expr_folds("-(5) + ~(0)", "-6");
  assert_expr_folds("1 << 4 >> 2 bor 3 bxor 8 band 12", "15");
  assert_expr_folds("200:u8 + 100:u8", "44:u8");
  assert_expr_folds("cast(300, u8)", "44:u8");
  assert_expr_folds("x + (1 + 1)", "x + 2");
  assert_expr_folds("1 < 2", "true");
  assert_expr_folds("18446744073709551615:u64 > 1:u64", "true");
  assert_expr_folds("A = B", "false");
  assert_expr_folds("ismember(4, E)", "true");
  assert_expr_folds("ismember(5, E)", "false");
}

static void test_arithmetic_that_fails_stays(void **state) {
  (void)state;
  static const char *const same[] = {
      "9223372036854775807 + 1", "1 / 0",          "1 % 0",
      "200:u8! + 100:u8!",       "cast(300, u8!)", "-(-9223372036854775808)",
  };
  for (size_t i = 0; i < sizeof same / sizeof *same; i++) assert_expr_folds(same[i], same[i]);
}

static void test_logic(void **state) {
  (void)state;
  assert_expr_folds("false & 1 / 0 = 0", "false");
  assert_expr_folds("true | 1 / 0 = 0", "true");
  assert_expr_folds("false -> 1 / 0 = 0", "true");
  assert_expr_folds("true & x = 1", "x = 1");
  assert_expr_folds("false | x = 1", "x = 1");
  assert_expr_folds("true -> x = 1", "x = 1");
  assert_expr_folds("x = 1 & true", "x = 1");
  assert_expr_folds("x = 1 | false", "x = 1");
  assert_expr_folds("!(1 = 2)", "true");
  assert_expr_folds("isundefined(x) & false", "false");
  assert_expr_folds("isundefined(x) | true", "true");
  assert_expr_folds("isundefined(x) -> true", "true");
}

static void test_operands_that_can_fail_stay(void **state) {
  (void)state;
  static const char *const same[] = {
      "b & false",
      "x = 1 | true",
      "x = 1 -> true",
      "x = 1 -> false",
      "f() & false",
      "r[x] & false",
      "isundefined(r[x]) & false",
      "forall i : int in 0 to x { true }",
      "forall i : int in 0 to 3 by 0 { true }",
      "(if b then 1 else 1) = 1 & false",
  };
  for (size_t i = 0; i < sizeof same / sizeof *same; i++) assert_expr_folds(same[i], same[i]);
}

static void test_choices(void **state) {
  (void)state;
  assert_expr_folds("if true then x + 1 else 1 / 0", "x + 1");
  assert_expr_folds("if 1 = 2 then 1 / 0 else 7", "7");
  assert_expr_folds("(if [u8] true then 1 else 2:u8) + 3:u8",
                    "(if [u8] true then 1 else 2:u8) + 3:u8"); // arithmetic goes by the types
  assert_expr_folds("forall i : E { 1 = 1 }", "true");
  assert_expr_folds("exists i : int in 0 to 3 { i = i & false }", "false");
  assert_expr_folds("countof i : E { 1 = 2 }", "0");
  assert_expr_folds("countof i : E { 1 = 1 }", "countof i : E { true }");
  assert_expr_folds("forall i : E { i = A }", "forall i : E { i = A }");
}

// A variable that is printed or handed on may be undefined, one that is read may not.
static void test_what_is_read_stays_read(void **state) {
  (void)state;
  assert_expr_folds("true & b", "true & b");
  assert_expr_folds("if true then x else 1", "if true then x else 1");
  assert_expr_folds("r[1 + 1]", "r[2]");
  assert_expr_folds("!g(true & b)", "!g(true & b)");
  assert_expr_folds("!g(1 = 1)", "!g(true)");
}

static void test_statements(void **state) {
  (void)state;
  assert_folds("rule \"r\" {\n"
               "  if 1 = 2 {\n"
               "    x := 1;\n"
               "  } else {\n"
               "    x := 2;\n"
               "    if true {\n"
               "      x := 3;\n"
               "      x := 4;\n"
               "    }\n"
               "  }\n"
               "  while false limit 3 {\n"
               "    x := 5;\n"
               "  }\n"
               "  assert 1 = 1;\n"
               "  assume true;\n"
               "  switch 1 + 1 {\n"
               "    case 1 {\n"
               "      x := 6;\n"
               "    }\n"
               "    case 3, 2 {\n"
               "      x := 7;\n"
               "    }\n"
               "  }\n"
               "  switch 9 {\n"
               "    case 1 {\n"
               "      x := 8;\n"
               "    }\n"
               "  }\n"
               "  x := 10;\n"
               "}\n",
               "rule \"r\" {\n"
               "  x := 2;\n"
               "  x := 3;\n"
               "  x := 4;\n"
               "  x := 7;\n"
               "  x := 10;\n"
               "}\n");
}

static void test_statements_that_stay(void **state) {
  (void)state;
  static const char same[] = "rule \"r\" {\n"
                             "  if b {\n"
                             "  }\n"
                             "  assert false;\n"
                             "  assume false;\n"
                             "  while true limit 3 {\n"
                             "  }\n"
                             "  switch 1 {\n"
                             "    case x, 1 {\n"
                             "      x := 1;\n"
                             "    }\n"
                             "  }\n"
                             "  x := 1 / 0;\n"
                             "}\n";
  assert_folds(same, same);
  assert_folds("rule \"r\" {\n  if isundefined(x) {\n    assert true;\n  }\n}\n",
               "rule \"r\" {\n}\n");
}

// Rules keep their numbers, whatever their guards.
static void test_everywhere(void **state) {
  (void)state;
  assert_folds("start \"s\"\n  when 1 < 2\n{\n  x := 1 + 1;\n}\n\n"
               "rule \"r\"\n  when false & b\n{\n  if true {\n  }\n}\n\n"
               "invariant \"i\" : true & b;\n"
               "atom \"a\" : false | b;\n"
               "valid_end : !(1 = 2);\n",
               "start \"s\"\n  when true\n{\n  x := 2;\n}\n\n"
               "rule \"r\"\n  when false\n{\n}\n\n"
               "invariant \"i\" : b;\n"
               "atom \"a\" : b;\n"
               "valid_end : true;\n");
}

// The interpreter sees the same faults, with the same sites, before and after.
static void test_same_faults(void **state) {
  (void)state;
  static const char *const bodies[] = {
      "b := true & (1 / 0 = 1 | true);",
      "assert true; assert 1 = 2; x := 1 / 0;",
      "if b | true { x := 1; }",
      "x := if true then 9223372036854775807 + 1 else 0;",
      "b := r[1 + 4] & false;",
      "x := 2; if false { x := 1 / 0; } assert x = 3 else \"no\";",
  };
  for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
    struct text items = {0};
    text_printf(&items, "start \"s\" { x := 0; clear r; } rule \"r\" { %s }", bodies[i]);
    struct ir_model *m = parse(items.data);
    uint64_t words[8] = {0}, again[8];
    assert_true(m->layout->words <= 8);
    struct ir_eval *e = ir_eval_new(m);
    assert_int_equal(ir_eval_body(e, m->starts.data[0], NULL, NULL, words), IR_OK);
    memcpy(again, words, sizeof words);
    assert_int_equal(ir_eval_body(e, m->rules.data[0], NULL, NULL, words), IR_FAILED);
    uint32_t site = ir_eval_site(e);
    ir_fold(m);
    assert_int_equal(ir_eval_body(e, m->rules.data[0], NULL, NULL, again), IR_FAILED);
    assert_int_equal(ir_eval_site(e), site);
    assert_memory_equal(words, again, sizeof words);
    ir_eval_free(e);
    ir_model_free(m);
    text_clear(&items);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_arithmetic), cmocka_unit_test(test_arithmetic_that_fails_stays),
      cmocka_unit_test(test_logic),      cmocka_unit_test(test_operands_that_can_fail_stay),
      cmocka_unit_test(test_choices),    cmocka_unit_test(test_what_is_read_stays_read),
      cmocka_unit_test(test_statements), cmocka_unit_test(test_statements_that_stay),
      cmocka_unit_test(test_everywhere), cmocka_unit_test(test_same_faults),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
