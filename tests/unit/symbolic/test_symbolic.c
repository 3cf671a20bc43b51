// SPDX-License-Identifier: Apache-2.0
// The BDD engine on small models of which the answers are known: states, depth, invariants, errors,
// deadlocks of both kinds, cover goals, transient states, assumptions, liveness, CTL, LTL,
// fairness, limits. With and without reordering all the time.
#include "run.h"

#include <signal.h>

static void check(const char *text, struct symbolic_config c, enum verdict verdict, uint64_t states,
                  uint64_t depth, const struct run_expected *expected, size_t count) {
  for (int round = 0; round < 2; round++) {
    struct ir_model *m = run_parse(text);
    struct result r;
    c.reorder_every = round ? 100 : 0;
    run_model(m, c, &r);
    assert_int_equal(r.verdict, verdict);
    assert_int_equal(r.stats.states, states);
    assert_int_equal(r.stats.depth, depth);
    for (size_t i = 0; i < count; i++) {
      const struct run_expected *e = &expected[i];
      if (run_property(&r, e->name)->verdict != e->verdict)
        fail_msg("%s: %s", e->name, verdict_name(run_property(&r, e->name)->verdict));
      const struct trace *t = run_trace(m, &r, e->name);
      if (e->steps < 0) continue;
      if (!t) fail_msg("%s: no trace", e->name);
      assert_int_equal(t->steps.count, e->steps);
    }
    result_clear(&r);
    ir_model_free(m);
  }
}

#define CHECK(text, config, verdict, states, depth, ...)                                           \
  do {                                                                                             \
    const struct run_expected expected[] = {__VA_ARGS__};                                          \
    check(text, (struct symbolic_config)config, verdict, states, depth, expected,                  \
          sizeof expected / sizeof *expected);                                                     \
  } while (0)
#define CONFIG(...)                                                                                \
  { __VA_ARGS__ }

#define COUNTER                                                                                    \
  "model \"counter\" language \"ir\";\n"                                                           \
  "deadlock off;\n"                                                                                \
  "var x : 0..9;\n"                                                                                \
  "start \"zero\" { x := 0; }\n"                                                                   \
  "rule \"up\" when x < 7 { x := x + 1; }\n"

static void test_reachable(void **context) {
  (void)context;
  CHECK(COUNTER "invariant \"low\" : x < 8;", CONFIG(.max_errors = 1), VERDICT_HOLDS, 8, 7,
        {"low", VERDICT_HOLDS, -1}, {"assertions and errors", VERDICT_HOLDS, -1});
}

static void test_invariants(void **context) {
  (void)context;
  CHECK(COUNTER "invariant \"low\" : x < 5; invariant \"six\" : x != 6; invariant \"ok\" : x < 9;",
        CONFIG(.max_errors = 0), VERDICT_VIOLATED, 8, 7, {"low", VERDICT_VIOLATED, 5},
        {"six", VERDICT_VIOLATED, 6}, {"ok", VERDICT_HOLDS, -1});
  CHECK(COUNTER "invariant \"low\" : x < 5; invariant \"six\" : x != 6;", CONFIG(.max_errors = 1),
        VERDICT_VIOLATED, 6, 5, {"low", VERDICT_VIOLATED, 5}, {"six", VERDICT_UNKNOWN, -1});
}

static void test_invariant_fails(void **context) {
  (void)context;
  CHECK(COUNTER "invariant \"divides\" : 8 / (x - 3) < 9;", CONFIG(.max_errors = 1),
        VERDICT_VIOLATED, 4, 3, {"divides", VERDICT_UNKNOWN, -1},
        {"assertions and errors", VERDICT_VIOLATED, 3});
}

static void test_step_fails(void **context) {
  (void)context;
  CHECK(COUNTER "rule \"bad\" when x > 2 { x := x + 6; }\n", CONFIG(.max_errors = 1),
        VERDICT_VIOLATED, 6, 4, {"assertions and errors", VERDICT_VIOLATED, 5});
}

static void test_several_sites(void **context) {
  (void)context;
  struct ir_model *m = run_parse(COUNTER "rule \"a\" choose (c : 0..3) when x > 2 {\n"
                                         "  assert c < 2; assert x + c < 6; }\n");
  struct result r;
  run_model(m, (struct symbolic_config){.max_errors = 0}, &r);
  assert_int_equal(r.verdict, VERDICT_VIOLATED);
  assert_int_equal(r.traces.count, 2);
  assert_int_not_equal(r.traces.data[0].id, r.traces.data[1].id);
  result_clear(&r);
  ir_model_free(m);
}

static void test_start_fails(void **context) {
  (void)context;
  CHECK("model \"s\" language \"ir\"; deadlock off; var x : 0..3;\n"
        "start \"any\" choose (c : 0..7) { x := c; }\n",
        CONFIG(.max_errors = 1), VERDICT_VIOLATED, 0, 0,
        {"assertions and errors", VERDICT_VIOLATED, 0});
}

static void test_deadlock(void **context) {
  (void)context;
  CHECK(COUNTER, CONFIG(.max_errors = 1, .deadlock = IR_DEADLOCK_STUCK), VERDICT_VIOLATED, 8, 7,
        {"deadlock", VERDICT_VIOLATED, 7});
  CHECK(COUNTER "valid_end : x = 7;", CONFIG(.max_errors = 1, .deadlock = IR_DEADLOCK_STUCK),
        VERDICT_HOLDS, 8, 7, {"deadlock", VERDICT_HOLDS, -1});
  CHECK(COUNTER "rule \"stay\" { x := x; }", CONFIG(.max_errors = 1, .deadlock = IR_DEADLOCK_STUCK),
        VERDICT_HOLDS, 8, 7, {"deadlock", VERDICT_HOLDS, -1});
  CHECK(COUNTER "rule \"stay\" { x := x; }",
        CONFIG(.max_errors = 1, .deadlock = IR_DEADLOCK_STUTTERING), VERDICT_VIOLATED, 8, 7,
        {"deadlock", VERDICT_VIOLATED, 7});
}

// A state that is assumed away is not there, but who could go to it is not stuck.
static void test_assume(void **context) {
  (void)context;
  CHECK(COUNTER "assume \"few\" : x < 4;", CONFIG(.max_errors = 1, .deadlock = IR_DEADLOCK_STUCK),
        VERDICT_HOLDS, 4, 3, {"few", VERDICT_HOLDS, -1}, {"deadlock", VERDICT_HOLDS, -1});
  CHECK(COUNTER "assume \"none\" : x > 0;", CONFIG(.max_errors = 1), VERDICT_UNKNOWN, 0, 0,
        {"none", VERDICT_HOLDS, -1});
}

static void test_covers(void **context) {
  (void)context;
  CHECK(COUNTER "cover \"six\" : x = 6; cover \"nine\" : x = 9; cover \"by\";\n"
                "cover \"never\"; cover \"start\";\n"
                "rule \"c\" when x = 2 { cover \"by\" when true; cover \"never\" when x = 3; }\n"
                "start \"one\" { cover \"start\" when true; x := 1; }\n",
        CONFIG(.max_errors = 1), VERDICT_VIOLATED, 8, 6, {"six", VERDICT_HOLDS, -1},
        {"nine", VERDICT_VIOLATED, -1}, {"by", VERDICT_HOLDS, -1}, {"never", VERDICT_VIOLATED, -1},
        {"start", VERDICT_HOLDS, -1});
}

#define HOLDING                                                                                    \
  "model \"chains\" language \"ir\"; deadlock stuck;\n"                                            \
  "var a : 0..3; var b : 0..3; var hold : 0..2;\n"                                                 \
  "start \"zero\" { a := 0; b := 0; hold := 0; }\n"                                                \
  "rule \"first\" when hold = 0 & a < 3 { a := a + 1; hold := 1; }\n"                              \
  "rule \"second\" when hold = 1 { b := b + 1; hold := 0; }\n"                                     \
  "transient hold;\n"

static void test_transient(void **context) {
  (void)context;
  CHECK(HOLDING "invariant \"equal\" : a = b;", CONFIG(.max_errors = 1), VERDICT_HOLDS, 4, 3,
        {"equal", VERDICT_HOLDS, -1});
  CHECK(HOLDING "invariant \"less\" : b < 2;", CONFIG(.max_errors = 1), VERDICT_VIOLATED, 3, 2,
        {"less", VERDICT_VIOLATED, 4});
  CHECK(HOLDING, CONFIG(.max_errors = 1, .deadlock = IR_DEADLOCK_STUCK), VERDICT_VIOLATED, 4, 3,
        {"deadlock", VERDICT_VIOLATED, 6});
  CHECK(HOLDING "rule \"fails\" when hold = 1 & a = 2 { assert b = 0; }\n", CONFIG(.max_errors = 1),
        VERDICT_VIOLATED, 2, 1, {"assertions and errors", VERDICT_VIOLATED, 4});
}

// Who holds on and cannot go on has come to the end of a chain.
static void test_transient_end(void **context) {
  (void)context;
  CHECK("model \"ends\" language \"ir\"; deadlock stuck; var a : 0..3; var hold : 0..2;\n"
        "start \"zero\" { a := 0; hold := 0; }\n"
        "rule \"first\" when hold = 0 { hold := 1; }\n"
        "rule \"second\" when hold = 1 { a := a + 1; hold := if a < 2 then 2 else 0; }\n"
        "rule \"third\" when hold = 2 & a < 1 { hold := 0; }\n"
        "transient hold;\n",
        CONFIG(.max_errors = 1, .deadlock = IR_DEADLOCK_STUCK), VERDICT_VIOLATED, 2, 1,
        {"deadlock", VERDICT_VIOLATED, 2});
}

static void test_liveness(void **context) {
  (void)context;
  CHECK(COUNTER "rule \"back\" when x = 5 { x := 0; }\n"
                "liveness \"again\" : x = 7; liveness \"zero\" : x = 0;\n"
                "liveness \"each\" (i : 6..7) : x = i;\n",
        CONFIG(.max_errors = 0), VERDICT_VIOLATED, 8, 7, {"again", VERDICT_HOLDS, -1},
        {"zero", VERDICT_VIOLATED, 6}, {"each", VERDICT_VIOLATED, 7});
}

// --- CTL ---

// 0 -> 1 -> 2 -> 0, 1 -> 3, 3 -> 3
#define RING                                                                                       \
  "model \"ring\" language \"ir\"; deadlock off; var x : 0..3;\n"                                  \
  "start \"zero\" { x := 0; }\n"                                                                   \
  "rule \"on\" when x < 2 { x := x + 1; }\n"                                                       \
  "rule \"round\" when x = 2 { x := 0; }\n"                                                        \
  "rule \"out\" when x = 1 { x := 3; }\n"                                                          \
  "rule \"stay\" when x = 3 { x := 3; }\n"

static void test_ctl(void **context) {
  (void)context;
  CHECK(RING "ctl \"ag\" : AG (x < 3); ctl \"ag2\" : AG (x < 4); ctl \"ef\" : EF (x = 2);\n"
             "ctl \"agef\" : AG EF (x = 0); ctl \"af\" : AF (x = 3); ctl \"af1\" : AF (x = 1);\n"
             "ctl \"eg\" : EG (x < 3); ctl \"eg0\" : EG (x = 0); ctl \"ax\" : AX (x = 1);\n"
             "ctl \"axax\" : AX AX (x = 2); ctl \"eu\" : E [(x < 2) U (x = 3)];\n"
             "ctl \"au\" : A [(x < 2) U (x > 1)]; ctl \"au2\" : A [(x = 0) U (x > 1)];\n"
             "ctl \"response\" : AG [(x = 1) -> AF (x = 0)];\n",
        CONFIG(.max_errors = 0), VERDICT_VIOLATED, 4, 2, {"ag", VERDICT_VIOLATED, 2},
        {"ag2", VERDICT_HOLDS, -1}, {"ef", VERDICT_HOLDS, -1}, {"agef", VERDICT_VIOLATED, 2},
        {"af", VERDICT_VIOLATED, 3}, {"af1", VERDICT_HOLDS, -1}, {"eg", VERDICT_HOLDS, -1},
        {"eg0", VERDICT_VIOLATED, -1}, {"ax", VERDICT_HOLDS, -1}, {"axax", VERDICT_VIOLATED, 2},
        {"eu", VERDICT_HOLDS, -1}, {"au", VERDICT_HOLDS, -1}, {"au2", VERDICT_VIOLATED, 1},
        {"response", VERDICT_VIOLATED, 3});
}

static void test_ctl_bounded(void **context) {
  (void)context;
  CHECK(RING "ctl \"ebf\" : EBF 0..2 (x = 2); ctl \"ebf1\" : EBF 0..1 (x = 2);\n"
             "ctl \"abf\" : ABF 0..1 (x = 1); ctl \"abf2\" : ABF 0..2 (x = 2);\n"
             "ctl \"ebg\" : EBG 1..5 (x > 0); ctl \"abg\" : ABG 0..1 (x < 2);\n"
             "ctl \"abg2\" : ABG 0..2 (x < 2); ctl \"ebu\" : E [(x < 2) BU 2..3 (x = 3)];\n"
             "ctl \"abu\" : A [(x < 2) BU 0..2 (x > 1)];\n"
             "ctl \"abu1\" : A [(x < 2) BU 0..1 (x > 1)];\n",
        CONFIG(.max_errors = 0), VERDICT_VIOLATED, 4, 2, {"ebf", VERDICT_HOLDS, -1},
        {"ebf1", VERDICT_VIOLATED, -1}, {"abf", VERDICT_HOLDS, -1}, {"abf2", VERDICT_VIOLATED, 2},
        {"ebg", VERDICT_HOLDS, -1}, {"abg", VERDICT_HOLDS, -1}, {"abg2", VERDICT_VIOLATED, 2},
        {"ebu", VERDICT_HOLDS, -1}, {"abu", VERDICT_HOLDS, -1}, {"abu1", VERDICT_VIOLATED, 1});
}

static void test_ctl_fair(void **context) {
  (void)context;
  CHECK(RING "ctl \"af\" : AF (x = 3); ctl \"af2\" : AF (x = 2); ctl \"ag\" : AG (x < 3);\n"
             "fairness : x = 3;\n",
        CONFIG(.max_errors = 0), VERDICT_VIOLATED, 4, 2, {"af", VERDICT_HOLDS, -1},
        {"af2", VERDICT_VIOLATED, 3}, {"ag", VERDICT_VIOLATED, 2});
  // no run is fair: of none can anything be said
  CHECK(RING "ctl \"ag\" : AG (x = 3); ctl \"eg\" : EG (x < 4);\nfairness : false;\n",
        CONFIG(.max_errors = 0), VERDICT_HOLDS, 4, 2, {"ag", VERDICT_HOLDS, -1},
        {"eg", VERDICT_HOLDS, -1});
  CHECK(RING "ctl \"af\" : AF (x = 3);\nfairness : x = 3 given x = 2;\n", CONFIG(.max_errors = 0),
        VERDICT_HOLDS, 4, 2, {"af", VERDICT_HOLDS, -1});
}

// Two agents; each must move again and again.
static void test_agents(void **context) {
  (void)context;
  const char *text = "model \"agents\" language \"ir\"; deadlock off; var x : bool; var y : bool;\n"
                     "start \"zero\" { x := false; y := false; }\n"
                     "rule \"a\" agent 0 { x := !x; }\n"
                     "rule \"b\" agent 1 { y := !y; }\n"
                     "ctl \"x\" : AG AF (x); ctl \"y\" : AG AF (y);\n"
                     "fairness agent 0;\n";
  CHECK(text, CONFIG(.max_errors = 0), VERDICT_VIOLATED, 4, 2, {"x", VERDICT_HOLDS, -1},
        {"y", VERDICT_VIOLATED, -1});
}

// --- LTL ---

// G F x = 0: the automaton of the bad runs waits, and then sees no more 0.
#define AGAIN                                                                                      \
  "atom \"zero\" : x = 0;\n"                                                                       \
  "ltl \"again\" : \"[]<> zero\" automaton stutters {\n"                                           \
  "  state \"T0\" { -> 0; !0 -> 1; }\n"                                                            \
  "  state \"accept\" accepting { !0 -> 1; }\n"                                                    \
  "}\n"

static void test_ltl(void **context) {
  (void)context;
  CHECK(RING AGAIN, CONFIG(.max_errors = 1), VERDICT_VIOLATED, 4, 2,
        {"again", VERDICT_VIOLATED, 3});
  CHECK(RING AGAIN "fairness : x = 2;\n", CONFIG(.max_errors = 1), VERDICT_HOLDS, 4, 2,
        {"again", VERDICT_HOLDS, -1});
  // stuck at 7: the last state goes on for ever
  CHECK(COUNTER AGAIN, CONFIG(.max_errors = 1), VERDICT_VIOLATED, 8, 7,
        {"again", VERDICT_VIOLATED, -1});
}

static void test_ltl_final(void **context) {
  (void)context;
  CHECK(COUNTER "atom \"low\" : x < 5;\n"
                "ltl \"low\" : \"[] low\" automaton stutters {\n"
                "  state \"T0\" { 0 -> 0; !0 -> 1; }\n"
                "  state \"all\" final { -> 1; }\n"
                "}\n",
        CONFIG(.max_errors = 1), VERDICT_VIOLATED, 8, 7, {"low", VERDICT_VIOLATED, 6});
}

// --- limits ---

static const char *reason_of(const char *text, struct symbolic_config c, struct result *r) {
  struct ir_model *m = run_parse(text);
  run_model(m, c, r);
  assert_int_equal(r->verdict, VERDICT_UNKNOWN);
  ir_model_free(m);
  return r->reason;
}

static void test_limits(void **context) {
  (void)context;
  struct result r;
  assert_string_equal(reason_of(COUNTER, (struct symbolic_config){.budget.depth_max = 3}, &r),
                      "depth");
  assert_int_equal(r.stats.states, 4);
  assert_true(r.depth_known);
  assert_int_equal(r.depth_complete, 3);
  result_clear(&r);
  assert_string_equal(reason_of(COUNTER, (struct symbolic_config){.budget.states_max = 3}, &r),
                      "states");
  result_clear(&r);
}

static void test_interrupt(void **context) {
  (void)context;
  struct result r;
  interrupt_install();
  raise(SIGINT);
  struct ir_model *m = run_parse(COUNTER "invariant \"low\" : x < 8;");
  run_model(m, (struct symbolic_config){.reorder_every = 1}, &r);
  interrupt_clear();
  assert_int_equal(r.verdict, VERDICT_UNKNOWN);
  assert_string_equal(r.reason, "interrupted");
  result_clear(&r);
  ir_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_reachable),
      cmocka_unit_test(test_invariants),
      cmocka_unit_test(test_invariant_fails),
      cmocka_unit_test(test_step_fails),
      cmocka_unit_test(test_several_sites),
      cmocka_unit_test(test_start_fails),
      cmocka_unit_test(test_deadlock),
      cmocka_unit_test(test_assume),
      cmocka_unit_test(test_covers),
      cmocka_unit_test(test_transient),
      cmocka_unit_test(test_transient_end),
      cmocka_unit_test(test_liveness),
      cmocka_unit_test(test_ctl),
      cmocka_unit_test(test_ctl_bounded),
      cmocka_unit_test(test_ctl_fair),
      cmocka_unit_test(test_agents),
      cmocka_unit_test(test_ltl),
      cmocka_unit_test(test_ltl_final),
      cmocka_unit_test(test_limits),
      cmocka_unit_test(test_interrupt),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
