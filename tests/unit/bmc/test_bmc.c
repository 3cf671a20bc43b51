// SPDX-License-Identifier: Apache-2.0
// The SAT engine on small models of which the answers are known, and on random ones beside the
// explicit search: verdicts agree, and every trace replays.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bmc/bmc.h"
#include "ir/ir.h"
#include "random/generate.h"
#include "search/search.h"
#include "sys/sys.h"
#include "trace/trace.h"

#include <stdio.h>
#include <string.h>

static struct ir_model *parse(const char *text) {
  struct diag d = {0};
  struct ir_model *m = ir_parse_model(source_from_text("test.ir", text, strlen(text)), &d);
  if (!m) diag_print(&d, stderr, false);
  assert_non_null(m);
  diag_clear(&d);
  return m;
}

static void run(const struct ir_model *m, struct bmc_config c, struct result *r) {
  c.model = m;
  c.started = clock_seconds();
  *r = (struct result){0};
  bmc_run(&c, r);
  for (size_t i = 0; i < r->traces.count; i++) {
    struct replay replay = {0};
    if (!trace_replay(&r->traces.data[i], m, c.deadlock, &replay))
      fail_msg("trace %zu: %s", i, replay.problem);
    replay_clear(&replay);
  }
}

static const struct property_result *property(const struct result *r, const char *name) {
  for (size_t i = 0; i < r->properties.count; i++)
    if (strcmp(r->properties.data[i].name, name) == 0) return &r->properties.data[i];
  fail_msg("no property %s", name);
  return NULL;
}

// The property's verdict; steps: of the only trace, or -1.
static void check(const char *text, struct bmc_config c, const char *name, enum verdict verdict,
                  int steps) {
  for (int cone = 0; cone < 2; cone++) {
    struct ir_model *m = parse(text);
    struct result r;
    c.cone = cone;
    run(m, c, &r);
    if (property(&r, name)->verdict != verdict)
      fail_msg("%s: %s", name, verdict_name(property(&r, name)->verdict));
    if (steps >= 0) {
      assert_int_equal(r.traces.count, 1);
      assert_int_equal(r.traces.data[0].steps.count, steps);
    }
    result_clear(&r);
    ir_model_free(m);
  }
}

#define CONFIG(...) ((struct bmc_config){__VA_ARGS__})

#define COUNTER                                                                                    \
  "model \"counter\" language \"ir\";\n"                                                           \
  "deadlock off;\n"                                                                                \
  "var x : 0..9;\n"                                                                                \
  "var other : 0..9;\n"                                                                            \
  "start \"zero\" { x := 0; other := 0; }\n"                                                       \
  "rule \"up\" when x < 7 { x := x + 1; }\n"                                                       \
  "rule \"beside\" when other < 9 { other := other + 1; }\n"

static void test_invariants(void **unused) {
  (void)unused;
  check(COUNTER "invariant \"i\" : x < 6;\n", CONFIG(0), "i", VERDICT_VIOLATED, 6);
  check(COUNTER "invariant \"i\" : x < 8;\n", CONFIG(0), "i", VERDICT_HOLDS, -1);
  check(COUNTER "invariant \"i\" : x < 6;\n",
        CONFIG(.budget.depth_max = 5, .proof = BMC_PROOF_NONE), "i", VERDICT_UNKNOWN, -1);
  check(COUNTER "invariant \"i\" : x < 6;\n",
        CONFIG(.budget.depth_max = 6, .proof = BMC_PROOF_NONE), "i", VERDICT_VIOLATED, 6);
  for (int proof = BMC_PROOF_AUTO; proof < BMC_PROOF_NONE; proof++)
    check(COUNTER "invariant \"i\" : x < 8;\n", CONFIG(.proof = (enum bmc_proof)proof), "i",
          VERDICT_HOLDS, -1);
}

static void test_deadlock(void **unused) {
  (void)unused;
  check(COUNTER, CONFIG(.deadlock = IR_DEADLOCK_STUCK), "deadlock", VERDICT_VIOLATED, 16);
  check(COUNTER "rule \"again\" when x = 7 { x := 7; }\n", CONFIG(.deadlock = IR_DEADLOCK_STUCK),
        "deadlock", VERDICT_HOLDS, -1);
  check(COUNTER "rule \"again\" when x = 7 { x := 7; }\n",
        CONFIG(.deadlock = IR_DEADLOCK_STUTTERING), "deadlock", VERDICT_VIOLATED, 16);
}

static void test_errors(void **unused) {
  (void)unused;
  check(COUNTER "rule \"bad\" when x = 3 { x := 10 / (x - 3); }\n", CONFIG(0),
        "assertions and errors", VERDICT_VIOLATED, 4);
  check(COUNTER "rule \"bad\" when x = 9 { x := 10 / (x - 9); }\n", CONFIG(0),
        "assertions and errors", VERDICT_HOLDS, -1);
}

static void test_covers(void **unused) {
  (void)unused;
  check(COUNTER "cover \"c\" : x = 7;\n", CONFIG(0), "c", VERDICT_HOLDS, -1);
  check(COUNTER "cover \"c\" : x = 8;\n", CONFIG(0), "c", VERDICT_VIOLATED, -1);
}

// --- values that exclude each other ---

// Says what is true of COUNTER, that x is never 8 or more (the fourth bit is never set), or, when
// `wrong` is set, that x never has its lowest bit set: the engine believes it.
struct teller {
  unsigned asked;
  bool wrong;
};

static bool tell(void *context, const struct bmc_exclusive *ask, uint64_t **pairs, size_t *count) {
  struct teller *t = context;
  t->asked++;
  assert_non_null(ask->slice);
  assert_true(ask->effort > 0 && ask->goes_on(ask->context));
  uint64_t value = t->wrong ? 1 : 2 * 3 + 1;
  *pairs = mem_alloc(sizeof **pairs);
  **pairs = value << 32 | value;
  *count = 1;
  return true;
}

static void check_told(const char *text, bool wrong, unsigned asked, enum verdict verdict) {
  struct teller t = {.wrong = wrong};
  struct ir_model *m = parse(text);
  struct result r;
  run(m,
      CONFIG(.budget.depth_max = 8, .proof = BMC_PROOF_NONE, .exclusive = tell,
             .exclusive_context = &t, .exclusive_at_once = true),
      &r);
  assert_int_equal(property(&r, "i")->verdict, verdict);
  assert_int_equal(t.asked, asked);
  result_clear(&r);
  ir_model_free(m);
}

// What is told becomes part of the question; of states of many bits nobody is asked.
static void test_exclusive(void **unused) {
  (void)unused;
  check_told(COUNTER "invariant \"i\" : x < 6;\n", false, 1, VERDICT_VIOLATED);
  check_told(COUNTER "invariant \"i\" : x < 6;\n", true, 1, VERDICT_UNKNOWN);
  check_told(COUNTER "var wide : array [0..1000] of bool;\ninvariant \"i\" : x < 6;\n", true, 0,
             VERDICT_VIOLATED);
}

// --- runs without end ---

#define RING                                                                                       \
  "model \"ring\" language \"ir\"; deadlock off; var x : 0..3;\n"                                  \
  "start \"zero\" { x := 0; }\n"                                                                   \
  "rule \"one\" when x = 0 { x := 1; }\n"                                                          \
  "rule \"two\" when x = 1 { x := 2; }\n"                                                          \
  "rule \"three\" when x = 1 { x := 3; }\n"                                                        \
  "rule \"back\" when x = 2 { x := 0; }\n"                                                         \
  "rule \"stay\" when x = 3 { x := 3; }\n"

// G F x = 0: the automaton of the bad runs waits, and then sees no more 0.
#define AGAIN                                                                                      \
  "atom \"zero\" : x = 0;\n"                                                                       \
  "ltl \"again\" : \"[]<> zero\" automaton stutters {\n"                                           \
  "  state \"T0\" { -> 0; !0 -> 1; }\n"                                                            \
  "  state \"accept\" accepting { !0 -> 1; }\n"                                                    \
  "}\n"
#define JUST(depth) CONFIG(.budget.depth_max = (depth), .max_errors = 1)

static void test_lassos(void **unused) {
  (void)unused;
  check(RING AGAIN, JUST(20), "again", VERDICT_VIOLATED, 3);
  check(RING AGAIN "fairness : x = 2;\n", JUST(20), "again", VERDICT_UNKNOWN, -1);
  check(RING AGAIN "fairness : x = 3;\n", JUST(20), "again", VERDICT_VIOLATED, 3);
  check(RING AGAIN "fairness : x = 2 given x = 3;\n", JUST(20), "again", VERDICT_UNKNOWN, -1);
  check(RING AGAIN "fairness : x = 2 given x = 2;\n", JUST(20), "again", VERDICT_VIOLATED, 3);
}

// No run goes on with this automaton. That must not be believed of other properties' runs.
#define AT_FIRST                                                                                   \
  "atom \"zero\" : x = 0;\n"                                                                       \
  "ltl \"first\" : \"zero\" automaton stutters {\n"                                                \
  "  state \"T0\" { !0 -> 1; }\n"                                                                  \
  "  state \"accept\" accepting { -> 1; }\n"                                                       \
  "}\n"

static void test_beside(void **unused) {
  (void)unused;
  const char *text = RING AT_FIRST "invariant \"i\" : x < 3;\n";
  check(text, CONFIG(0), "i", VERDICT_VIOLATED, 2);
  check(text, CONFIG(0), "first", VERDICT_HOLDS, 2);
}

static void test_no_start(void **unused) {
  (void)unused;
  struct ir_model *m = parse("model \"m\" language \"ir\"; deadlock off; var x : 0..3;\n"
                             "start \"none\" { x := 0; assume x = 1; }\n");
  struct result r;
  run(m, CONFIG(0), &r);
  assert_int_equal(r.verdict, VERDICT_UNKNOWN);
  assert_string_equal(r.reason, "no start state");
  result_clear(&r);
  ir_model_free(m);
}

// AG p speaks of fair runs without end.
static void test_always(void **unused) {
  (void)unused;
  check(RING "ctl \"ag\" : AG (x < 3);\n", JUST(20), "ag", VERDICT_VIOLATED, 2);
  check(RING "ctl \"ag\" : AG (x < 3);\nfairness : x = 3;\n", JUST(20), "ag", VERDICT_VIOLATED, 2);
  check(RING "ctl \"ag\" : AG (x < 3);\nfairness : x = 2;\n", JUST(20), "ag", VERDICT_UNKNOWN, -1);
  check(RING "ctl \"ag\" : AG (x < 4);\nfairness : x = 2;\n", JUST(20), "ag", VERDICT_HOLDS, -1);
  check(COUNTER "ctl \"ag\" : AG (x < 7);\n", JUST(20), "ag", VERDICT_HOLDS, -1);
}

static void test_stuck_runs(void **unused) {
  (void)unused;
  check(COUNTER AGAIN, JUST(20), "again", VERDICT_VIOLATED, -1);
  check("model \"m\" language \"ir\"; deadlock off; var x : 0..3;\n"
        "start \"zero\" { x := 0; }\nrule \"one\" when x = 0 { x := 1; }\n" AGAIN,
        JUST(20), "again", VERDICT_VIOLATED, 3);
}

static void test_final(void **unused) {
  (void)unused;
  check(COUNTER "atom \"low\" : x < 5;\n"
                "ltl \"low\" : \"[] low\" automaton stutters {\n"
                "  state \"T0\" { 0 -> 0; !0 -> 1; }\n"
                "  state \"all\" final { -> 1; }\n"
                "}\n",
        JUST(20), "low", VERDICT_VIOLATED, 6);
}

static void test_agents(void **unused) {
  (void)unused;
  const char *text = "model \"agents\" language \"ir\"; deadlock off; var x : bool; var y : bool;\n"
                     "start \"zero\" { x := false; y := false; }\n"
                     "rule \"a\" agent 0 { x := !x; }\n"
                     "rule \"b\" agent 1 { y := !y; }\n"
                     "atom \"zero\" : %s;\n"
                     "ltl \"again\" : \"[]<> zero\" automaton stutters {\n"
                     "  state \"T0\" { -> 0; !0 -> 1; }\n"
                     "  state \"accept\" accepting { !0 -> 1; }\n"
                     "}\n"
                     "fairness agent 0;\n";
  char both[2][1024];
  snprintf(both[0], sizeof both[0], text, "x");
  snprintf(both[1], sizeof both[1], text, "y");
  check(both[0], JUST(10), "again", VERDICT_UNKNOWN, -1);
  check(both[1], JUST(10), "again", VERDICT_VIOLATED, -1);
}

// --- random models ---

static void check_random(const struct ir_model *m, uint64_t seed) {
  struct result r, e = {0};
  struct sys *sys = sys_new(m, &(struct sys_config){.mode = SYS_INTERPRETED});
  struct search_config c = {.sys = sys,
                            .model = m,
                            .store = "exact",
                            .budget.states_max = 20000,
                            .started = clock_seconds(),
                            .deadlock = IR_DEADLOCK_STUCK,
                            .max_errors = 1};
  search_run(search_strategy_find("bfs"), &c, &e);
  run(m,
      CONFIG(.budget.depth_max = 12, .cone = seed % 4 < 2, .deadlock = IR_DEADLOCK_STUCK,
             .max_errors = 1),
      &r);
  bool known = e.verdict != VERDICT_UNKNOWN && r.verdict != VERDICT_UNKNOWN;
  if (known && e.verdict != r.verdict)
    fail_msg("seed %llu: %s, not %s", (unsigned long long)seed, verdict_name(r.verdict),
             verdict_name(e.verdict));
  result_clear(&e);
  result_clear(&r);
  sys_free(sys);
}

static void test_random(void **unused) {
  (void)unused;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    struct ir_model *m = generate_model(seed, NULL, &(struct generate_size){0});
    struct diag d = {0};
    assert_true(ir_model_finish(m, &d));
    diag_clear(&d);
    check_random(m, seed);
    ir_model_free(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_invariants), cmocka_unit_test(test_deadlock),
      cmocka_unit_test(test_errors),     cmocka_unit_test(test_covers),
      cmocka_unit_test(test_exclusive),  cmocka_unit_test(test_lassos),
      cmocka_unit_test(test_always),     cmocka_unit_test(test_stuck_runs),
      cmocka_unit_test(test_final),      cmocka_unit_test(test_agents),
      cmocka_unit_test(test_beside),     cmocka_unit_test(test_no_start),
      cmocka_unit_test(test_random)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
