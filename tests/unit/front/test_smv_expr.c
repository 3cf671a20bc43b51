// SPDX-License-Identifier: Apache-2.0
// SMV expressions that users give over a finished model: what they mean in its first state, where
// they are refused, and that errors leave nothing behind.
#include "front/smv/smv.h"
#include "ir/eval.h"

// cmocka wants these first
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const char model[] = "MODULE main\n"
                            "IVAR push : boolean;\n"
                            "VAR\n"
                            "  n : 0..7;\n"
                            "  s : {red, green};\n"
                            "  w : word[4];\n"
                            "  a : array 0..2 of 0..3;\n"
                            "  sub : part(n);\n"
                            "DEFINE twice := n + n;\n"
                            "ASSIGN\n"
                            "  init(n) := 5; next(n) := push ? 0 : n;\n"
                            "  init(s) := green; next(s) := s;\n"
                            "  init(w) := 0ud4_9; next(w) := w;\n"
                            "  init(a[0]) := 1; init(a[1]) := 2; init(a[2]) := 3;\n"
                            "MODULE part(x)\n"
                            "VAR b : boolean;\n"
                            "ASSIGN init(b) := TRUE; next(b) := b;\n"
                            "DEFINE odd := x mod 2 = 1;\n";

static struct {
  struct ir_model *m;
  struct ir_eval *e;
  uint64_t *state;
} t;

static int setup(void **unused) {
  struct diag d = {0};
  (void)unused;
  t.m = smv_load(source_from_text("t.smv", model, strlen(model)), NULL, 0, &d);
  if (!t.m) diag_print(&d, stderr, false);
  diag_clear(&d);
  if (!t.m) return -1;
  t.e = ir_eval_new(t.m);
  t.state = mem_zalloc(t.m->layout->words + 1, sizeof *t.state);
  return ir_eval_body(t.e, t.m->starts.data[0], NULL, NULL, t.state) == IR_OK ? 0 : -1;
}

static int teardown(void **unused) {
  (void)unused;
  ir_eval_free(t.e);
  ir_model_free(t.m);
  mem_free(t.state);
  return 0;
}

static struct ir_expr *give(const char *text, enum ir_want want, struct ir_frame *f,
                            struct diag *d) {
  return smv_expr(t.m, source_from_text("given", text, strlen(text)), want, NULL, f, d);
}

static enum ir_outcome judge(const char *text, bool *value) {
  struct diag d = {0};
  struct ir_frame f;
  struct ir_expr *x = give(text, IR_WANT_BOOL, &f, &d);
  if (!x) diag_print(&d, stderr, false);
  assert_non_null(x);
  diag_clear(&d);
  return ir_eval_bool(t.e, &f, x, t.state, value);
}

static void test_conditions(void **unused) {
  static const struct {
    const char *text;
    bool value;
  } rows[] = {
      {"n = 5", true},
      {"twice in 9..11 & twice + twice = 20", true},
      {"s = red", false},
      {"s in {red, green}", true},
      {"w[3:2] = 0ub2_10 & toint(w) = 9", true},
      {"sub.b & sub.odd", true},
      {"a[1] = 2 & a[n - 3] = 3", true},
      {"case n = 5 : TRUE; n = 6 : FALSE; esac", true},
      {"n < 3 -> a[n] = 0", true},
      {"0", false},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    bool value = !rows[i].value;
    assert_int_equal(judge(rows[i].text, &value), IR_OK);
    assert_int_equal(value, rows[i].value);
  }
  (void)unused;
}

static void test_faults(void **unused) {
  static const char *const rows[] = {"a[n] = 0", "n / (n - 5) = 1", "case n = 6 : TRUE; esac"};
  bool value;
  for (size_t i = 0; i < COUNT(rows); i++) assert_int_equal(judge(rows[i], &value), IR_FAILED);
  (void)unused;
}

static void test_refused(void **unused) {
  static const struct {
    const char *text;
    enum ir_want want;
    uint32_t column;
  } rows[] = {
      {"n", IR_WANT_BOOL, 1},
      {"n = red & w = 3", IR_WANT_BOOL, 11},
      {"n > 1 & next(n) = n", IR_WANT_BOOL, 9},
      {"n > 1 & push", IR_WANT_BOOL, 9},
      {"s", IR_WANT_INT, 1},
      {"{1, 2}", IR_WANT_INT, 1},
      {"nobody", IR_WANT_BOOL, 1},
  };
  size_t sites = t.m->sites.count, types = t.m->types.count, given = t.m->given.count;
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct diag d = {0};
    struct ir_frame f;
    assert_null(give(rows[i].text, rows[i].want, &f, &d));
    assert_true(d.errors > 0);
    assert_int_equal(d.entries[0].span.column, rows[i].column);
    diag_clear(&d);
  }
  assert_int_equal(t.m->sites.count, sites);
  assert_int_equal(t.m->types.count, types);
  assert_int_equal(t.m->given.count, given);
  (void)unused;
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_conditions),
      TEST(test_faults),
      TEST(test_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
