// SPDX-License-Identifier: Apache-2.0
// The hybrid engine's modes on small models of which the answers are known: loops, deep errors,
// invariants, what is not linear, what is not carried, bounds, several errors.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "run.h"

#include <signal.h>

static const struct property_result *property(const struct result *r, const char *name) {
  for (size_t i = 0; i < r->properties.count; i++)
    if (strcmp(r->properties.data[i].name, name) == 0) return &r->properties.data[i];
  fail_msg("no property %s", name);
  return NULL;
}

static void expect_one(const char *text, const struct run_mode *mode, const char *name,
                       enum verdict verdict) {
  struct ir_model *m = run_parse(text);
  struct result r;
  struct hybrid_config c = mode->config;
  c.max_errors = 1;
  run_hybrid(m, c, &r);
  if (property(&r, name)->verdict != verdict)
    fail_msg("%s: %s is %s (%s; %s)", mode->name, name, verdict_name(property(&r, name)->verdict),
             r.reason ? r.reason : "-", r.note ? r.note : "-");
  result_clear(&r);
  ir_model_free(m);
}

static void expect(const char *text, const char *name, enum verdict verdict) {
  for (size_t i = 0; i < RUN_MODES; i++) expect_one(text, &run_modes[i], name, verdict);
}

// All but paths alone, which do not end.
static void expect_loop(const char *text, const char *name) {
  for (size_t i = 0; i < RUN_MODES; i++)
    if (run_modes[i].config.mode != HYBRID_PR) expect_one(text, &run_modes[i], name, VERDICT_HOLDS);
}

#define ERRORS "assertions and errors"

#define COUNTER                                                                                    \
  "model \"counter\" language \"ir\"; deadlock off;\n"                                             \
  "var pc : 0..2 location; var n : i32; var other : 0..9;\n"                                       \
  "start \"s\" { pc := 0; n := 0:i32; other := 0; }\n"                                             \
  "rule \"head\" choose (go : bool) when pc = 0 { if go { pc := 1; } else { pc := 2; } }\n"        \
  "rule \"up\" when pc = 1 { n := if n < 50 then n + 1:i32 else 0:i32; pc := 0; }\n"               \
  "rule \"beside\" choose (c : 0..9) when pc = 2 { other := c; pc := 0; }\n"

static void test_loops(void **unused) {
  (void)unused;
  expect_loop(COUNTER "invariant \"i\" : n <= 50;\n", "i");
  expect(COUNTER "invariant \"i\" : n < 20;\n", "i", VERDICT_VIOLATED);
}

// A parser: words of input must come in this order, twenty times.
#define PARSER                                                                                     \
  "model \"parser\" language \"ir\"; deadlock off;\n"                                              \
  "var pc : 0..3 location; var n : u8; var last : u8;\n"                                           \
  "start \"s\" { pc := 0; n := 0:u8; last := 0:u8; }\n"                                            \
  "rule \"read\" choose (c : u8) when pc = 0 { last := c; pc := 1; }\n"                            \
  "rule \"match\" when pc = 1 { if last = n * 3:u8 { pc := 2; } else { pc := 0; n := 0:u8; } }\n"  \
  "rule \"next\" when pc = 2 { n := n + 1:u8; assert n < 20 else \"full\"; pc := 0; }\n"

static void test_deep(void **unused) {
  (void)unused;
  expect(PARSER, ERRORS, VERDICT_VIOLATED);
}

// Ends by itself, whatever is read.
#define STRAIGHT                                                                                   \
  "model \"straight\" language \"ir\"; deadlock off;\n"                                            \
  "var pc : 0..3 location; var a : i32; var b : i32;\n"                                            \
  "start \"s\" { pc := 0; a := 0:i32; b := 0:i32; }\n"                                             \
  "rule \"read\" choose (x : i32) when pc = 0 { a := x; pc := 1; }\n"                              \
  "rule \"clip\" when pc = 1 { if a > 10 { a := 10:i32; } pc := 2; }\n"

static void test_wraps(void **unused) {
  (void)unused;
  expect(STRAIGHT
         "rule \"add\" when pc = 2 { b := a + 1:i32; assert b > a else \"no\"; pc := 3; }\n",
         ERRORS, VERDICT_HOLDS);
  expect(STRAIGHT
         "rule \"sub\" when pc = 2 { b := a - 1:i32; assert b < a else \"no\"; pc := 3; }\n",
         ERRORS, VERDICT_VIOLATED);
}

// Products of what is read: only paths can tell.
#define PRODUCT(BODY) STRAIGHT "rule \"mul\" when pc = 2 { b := a * a; " BODY " pc := 3; }\n"

static void test_nonlinear(void **unused) {
  (void)unused;
  for (size_t i = 0; i < RUN_MODES; i++) {
    bool st = run_modes[i].config.mode == HYBRID_ST;
    expect_one(PRODUCT("assert b != 2 else \"two\";"), &run_modes[i], ERRORS,
               st ? VERDICT_UNKNOWN : VERDICT_HOLDS);
    expect_one(PRODUCT("assert b != 49 else \"49\";"), &run_modes[i], ERRORS,
               st ? VERDICT_UNKNOWN : VERDICT_VIOLATED);
  }
}

// What is not carried is no error, but nothing is known of what follows.
static void test_limit(void **unused) {
  (void)unused;
  static const char *const text =
      STRAIGHT "rule \"x\" when pc = 2 { assert a != 5 else limit \"floating point\"; pc := 3; }\n";
  for (size_t i = 0; i < RUN_MODES; i++) {
    struct ir_model *m = run_parse(text);
    struct result r;
    run_hybrid(m, run_modes[i].config, &r);
    assert_int_equal(r.verdict, VERDICT_UNKNOWN);
    assert_string_equal(r.reason, "unsupported: floating point (test.ir:6)");
    assert_int_equal(r.traces.count, 0);
    result_clear(&r);
    ir_model_free(m);
  }
  expect(STRAIGHT "rule \"x\" when pc = 2 { assert a != 5 else limit \"floating point\";\n"
                  "assert a != 6 else \"six\"; pc := 3; }\n",
         ERRORS, VERDICT_VIOLATED);
}

// No run comes to it: everything is known.
static void test_limit_unreachable(void **unused) {
  (void)unused;
  static const char *const text =
      STRAIGHT "rule \"x\" when pc = 2 { assert a < 11 else limit \"asm\"; pc := 3; }\n";
  for (size_t i = 0; i < RUN_MODES; i++) expect_one(text, &run_modes[i], ERRORS, VERDICT_HOLDS);
}

// --- bounds ---

static void test_depth(void **unused) {
  (void)unused;
  struct ir_model *m = run_parse(COUNTER "invariant \"i\" : n < 5;\n");
  for (size_t i = 0; i < RUN_MODES; i++)
    for (uint64_t depth = 9; depth <= 10; depth++) { // n is 5 after ten steps
      struct hybrid_config c = run_modes[i].config;
      struct result r;
      c.budget.depth_max = depth;
      run_hybrid(m, c, &r);
      bool found = property(&r, "i")->verdict == VERDICT_VIOLATED;
      if (found != (depth == 10)) fail_msg("%s: depth %d", run_modes[i].name, (int)depth);
      if (!found) assert_string_equal(r.reason, "depth");
      result_clear(&r);
    }
  ir_model_free(m);
}

static void expect_stop(struct budget budget, const char *reason) {
  struct ir_model *m = run_parse(PARSER);
  for (size_t i = 0; i < RUN_MODES; i++) {
    struct hybrid_config c = run_modes[i].config;
    struct result r;
    c.budget = budget;
    run_hybrid(m, c, &r);
    assert_int_equal(r.verdict, VERDICT_UNKNOWN);
    assert_string_equal(r.reason, reason);
    result_clear(&r);
  }
  ir_model_free(m);
}

static void test_budget(void **unused) {
  (void)unused;
  expect_stop((struct budget){.seconds = 1e-6}, "time");
  expect_stop((struct budget){.seconds = 60, .mem_bytes = 1}, "memory");
  interrupt_install();
  raise(SIGINT);
  expect_stop((struct budget){.seconds = 60}, "interrupted");
  interrupt_clear();
}

// --- several errors ---

#define BRANCHES                                                                                   \
  "model \"branches\" language \"ir\"; deadlock off;\n"                                            \
  "var pc : 0..3 location; var n : 0..9;\n"                                                        \
  "start \"s\" { pc := 0; n := 0; }\n"                                                             \
  "rule \"a\" choose (c : 0..9) when pc = 0 { n := c; pc := 1; }\n"                                \
  "rule \"b\" when pc = 1 { assert n != 3 else \"three\"; assert n != 4 else \"four\"; pc := 2; "  \
  "}\n"                                                                                            \
  "rule \"c\" when pc = 2 { assert n != 3 else \"never\"; assert n != 5 else \"five\"; pc := 0; "  \
  "}\n"                                                                                            \
  "invariant \"i\" : !(pc = 2 & n = 6);\n"                                                         \
  "invariant \"j\" : n < 10;\n"

static void test_all_errors(void **unused) {
  (void)unused;
  struct ir_model *m = run_parse(BRANCHES);
  for (size_t i = 0; i < RUN_MODES; i++) {
    struct hybrid_config c = run_modes[i].config;
    struct result r;
    if (c.mode == HYBRID_PR) c.budget.depth_max = 6;
    run_hybrid(m, c, &r);
    if (r.traces.count != 4) fail_msg("%s: %zu errors", run_modes[i].name, r.traces.count);
    assert_int_equal(property(&r, "i")->verdict, VERDICT_VIOLATED);
    assert_int_equal(property(&r, "j")->verdict,
                     c.mode == HYBRID_PR ? VERDICT_UNKNOWN : VERDICT_HOLDS);
    result_clear(&r);
  }
  ir_model_free(m);
}

static void test_max_errors(void **unused) {
  (void)unused;
  struct ir_model *m = run_parse(BRANCHES);
  for (size_t i = 0; i < RUN_MODES; i++) {
    struct hybrid_config c = run_modes[i].config;
    struct result r;
    c.max_errors = 2;
    run_hybrid(m, c, &r);
    assert_int_equal(r.traces.count, 2);
    assert_int_equal(property(&r, "j")->verdict, VERDICT_UNKNOWN);
    result_clear(&r);
  }
  ir_model_free(m);
}

// --- starts, and models without locations ---

static void test_starts(void **unused) {
  (void)unused;
  expect("model \"m\" language \"ir\"; deadlock off; var n : 0..9;\n"
         "start \"s\" choose (c : 0..9) { assert c != 3 else \"three\"; n := c; }\n",
         ERRORS, VERDICT_VIOLATED);
  expect("model \"m\" language \"ir\"; deadlock off; var n : 0..9;\n"
         "start \"s\" choose (c : 0..9) { assume c > 3; n := c; }\n"
         "invariant \"i\" : n < 9;\n",
         "i", VERDICT_VIOLATED);
  expect("model \"m\" language \"ir\"; deadlock off; var n : 0..9;\n"
         "start \"s\" choose (c : 0..9) { assume c > 3; n := c; }\n"
         "invariant \"i\" : n > 3;\n",
         "i", VERDICT_HOLDS);
}

static void test_no_location(void **unused) {
  (void)unused;
  expect_loop("model \"m\" language \"ir\"; deadlock off; var n : 0..9; var f : bool;\n"
              "start \"s\" { n := 0; f := false; }\n"
              "rule \"up\" when n < 7 { n := n + 1; }\n"
              "rule \"flip\" when n > 2 { f := !f; n := n - 2; }\n"
              "invariant \"i\" : n < 8;\n",
              "i");
}

// What cannot be evaluated is an error, and nothing is said of the property then.
static void test_faulty_property(void **unused) {
  (void)unused;
  static const char *const text = "model \"m\" language \"ir\"; deadlock off; var n : 0..9;\n"
                                  "start \"s\" { n := 0; }\n"
                                  "rule \"up\" when n < 7 { n := n + 1; }\n"
                                  "invariant \"i\" : 10 / (n - 4) != 100;\n";
  expect(text, ERRORS, VERDICT_VIOLATED);
  expect(text, "i", VERDICT_UNKNOWN);
}

// --- what else is said ---

static void test_not_checked(void **unused) {
  (void)unused;
  struct ir_model *m = run_parse(COUNTER "cover \"c\" : n = 3;\ninvariant \"i\" : n <= 50;\n");
  struct result r;
  run_hybrid(m, run_modes[2].config, &r);
  assert_int_equal(property(&r, "c")->verdict, VERDICT_UNKNOWN);
  assert_string_equal(property(&r, "c")->reason, "not checked");
  assert_non_null(property(&r, "c")->detail);
  assert_int_equal(property(&r, "i")->verdict, VERDICT_HOLDS);
  assert_int_equal(r.verdict, VERDICT_UNKNOWN);
  result_clear(&r);
  ir_model_free(m);
}

static void test_counters(void **unused) {
  (void)unused;
  struct ir_model *m = run_parse(COUNTER "invariant \"i\" : n <= 50;\n");
  struct result r;
  run_hybrid(m, run_modes[3].config, &r);
  assert_true(r.stats.images > 50 && r.stats.disjuncts > 0 && r.stats.path_queries > 0);
  assert_true(r.stats.switches > 0 && r.stats.depth >= 50);
  assert_string_equal(r.engine, "hybrid");
  assert_true(strstr(r.note, "the frontier is empty after") != NULL);
  result_clear(&r);
  ir_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_loops),           cmocka_unit_test(test_deep),
      cmocka_unit_test(test_wraps),           cmocka_unit_test(test_nonlinear),
      cmocka_unit_test(test_limit),           cmocka_unit_test(test_limit_unreachable),
      cmocka_unit_test(test_depth),           cmocka_unit_test(test_budget),
      cmocka_unit_test(test_all_errors),      cmocka_unit_test(test_max_errors),
      cmocka_unit_test(test_starts),          cmocka_unit_test(test_no_location),
      cmocka_unit_test(test_faulty_property), cmocka_unit_test(test_not_checked),
      cmocka_unit_test(test_counters),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
