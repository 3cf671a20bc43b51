// SPDX-License-Identifier: Apache-2.0
// Nested depth-first search: cycles and ends of automata in random worlds, against a naive check;
// lassos that replay, deep stacks, limits, violations on the way.
#include "cycles.h"

#include "store/store.h"

#include <signal.h>

#ifdef FATHOM_SMALL
enum { ROUNDS = 400, DEEP = 20000 };
#else
enum { ROUNDS = 1500, DEEP = 400000 };
#endif

static void expect_verdict(struct ir_model *m, struct cycles_setting how, bool violated,
                           uint64_t seed) {
  struct result r;
  cycles_search(m, &how, &r);
  bool lossy = how.store && strcmp(how.store, "fingerprint") == 0;
  enum verdict expected = violated ? VERDICT_VIOLATED : lossy ? VERDICT_UNKNOWN : VERDICT_HOLDS;
  if (r.verdict != expected)
    fail_msg("world %llu, store %s, chains %d, fair %d: %s", (unsigned long long)seed,
             how.store ? how.store : "exact", how.chains, how.fair, verdict_name(r.verdict));
  assert_int_equal(r.traces.count, violated);
  assert_int_equal(r.properties.data[0].verdict, expected);
  if (!violated) assert_int_equal(r.frontier, 0);
  result_clear(&r);
}

static void try_world(const struct world_wishes *wish, uint64_t seed, enum sys_native_mode mode,
                      int *bad) {
  struct rng rng;
  struct world w;
  rng_init(&rng, seed);
  world_random(&w, wish, &rng);
  struct ir_model *m = world_model(&w);
  bool violated = world_violated(&w, wish->agents);
  struct cycles_setting how = {.mode = mode, .fair = wish->agents, .chains = wish->transient};
  *bad += violated;
  expect_verdict(m, how, violated, seed);
  how.shrinks = true;
  how.store = seed % 2 ? "tree" : "fingerprint";
  expect_verdict(m, how, violated, seed);
  ir_model_free(m);
}

static void try_worlds(const struct world_wishes *wish, uint64_t first, enum sys_native_mode mode,
                       int rounds) {
  int bad = 0;
  for (int i = 0; i < rounds; i++) try_world(wish, first + (uint64_t)i, mode, &bad);
  if (rounds == ROUNDS) assert_true(bad > ROUNDS / 10 && bad < ROUNDS / 10 * 9); // both were seen
}

static void test_random(void **context) {
  (void)context;
  try_worlds(&(struct world_wishes){0}, 1000, SYS_INTERPRETED, ROUNDS);
  try_worlds(&(struct world_wishes){.stuck_ends = true}, 2000, SYS_INTERPRETED, ROUNDS);
  try_worlds(&(struct world_wishes){.final = true}, 3000, SYS_INTERPRETED, ROUNDS);
  try_worlds(&(struct world_wishes){.on_edges = true}, 4000, SYS_INTERPRETED, ROUNDS);
  try_worlds(&(struct world_wishes){.accept_atom = true}, 5000, SYS_INTERPRETED, ROUNDS);
}

static void test_random_chains(void **context) {
  (void)context;
  try_worlds(&(struct world_wishes){.transient = true}, 6000, SYS_INTERPRETED, ROUNDS);
  try_worlds(&(struct world_wishes){.transient = true, .final = true, .accept_atom = true}, 7000,
             SYS_INTERPRETED, ROUNDS);
  try_worlds(&(struct world_wishes){.transient = true, .on_edges = true}, 8000, SYS_INTERPRETED,
             ROUNDS);
}

static void test_random_fair(void **context) {
  (void)context;
  try_worlds(&(struct world_wishes){.agents = true}, 9000, SYS_INTERPRETED, ROUNDS);
  try_worlds(&(struct world_wishes){.agents = true, .final = true, .transient = true}, 10000,
             SYS_INTERPRETED, ROUNDS);
  try_worlds(&(struct world_wishes){.agents = true, .on_edges = true}, 11000, SYS_INTERPRETED,
             ROUNDS);
}

static void test_random_native(void **context) {
  (void)context;
  try_worlds(&(struct world_wishes){.transient = true, .final = true}, 20000, SYS_NATIVE, 8);
  try_worlds(&(struct world_wishes){.agents = true}, 21000, SYS_NATIVE, 4);
}

// --- by hand ---

// Accepts runs that stay where atom 0 holds, from some moment on.
static struct ir_automaton_edge stays_edges[2][2] = {{{.to = 0}, {.yes = 1, .to = 1}},
                                                     {{.yes = 1, .to = 1}}};
static struct ir_automaton_state stays_states[2] = {
    {.edges = stays_edges[0], .edge_count = 2},
    {.edges = stays_edges[1], .edge_count = 1, .accepting = true}};
static const struct ir_automaton stays = {
    .states = stays_states, .count = 2, .accept_atom = -1, .stutters = true};

// Accepts runs in which atom 0 holds again and again; not weak.
static struct ir_automaton_edge often_edges[2][2] = {{{.no = 1, .to = 0}, {.yes = 1, .to = 1}},
                                                     {{.no = 1, .to = 0}, {.yes = 1, .to = 1}}};
static struct ir_automaton_state often_states[2] = {
    {.edges = often_edges[0], .edge_count = 2},
    {.edges = often_edges[1], .edge_count = 2, .accepting = true}};
static const struct ir_automaton often = {.states = often_states, .count = 2, .accept_atom = -1};

static struct search_config config_of(struct ir_model *m, struct sys *sys) {
  return (struct search_config){
      .sys = sys, .model = m, .store = "exact", .started = clock_seconds(), .max_errors = 1};
}

static void run(struct ir_model *m, const struct ir_automaton *a, struct search_config change,
                struct result *r) {
  struct sys *sys = sys_new(m, &(struct sys_config){.mode = SYS_INTERPRETED});
  m->properties.data[0]->automaton = a;
  struct sys *product = sys_product_new(sys, a, 0);
  struct search_config c = config_of(m, product);
  c.budget = change.budget;
  c.max_errors = change.max_errors;
  c.progress = change.progress;
  *r = (struct result){0};
  search_run(search_strategy_find("ndfs"), &c, r);
  for (size_t i = 0; i < r->traces.count; i++) {
    struct replay p;
    if (!trace_replay(&r->traces.data[i], m, IR_DEADLOCK_OFF, &p)) fail_msg("%s", p.problem);
    replay_clear(&p);
  }
  sys_free(product);
  sys_free(sys);
}

// Round and round, once through the place where the atom holds.
static const char ring[] = "model \"m\"; var x : 0..9; start \"s\" { x := 0; }\n"
                           "rule \"on\" when x < 9 { x := x + 1; }\n"
                           "rule \"round\" when x = 9 { x := 2; }\n"
                           "atom \"at four\" : x = 4; ltl \"p\" : \"\";\n";

static void test_lasso(void **context) {
  (void)context;
  struct ir_model *m = model_of_text(ring);
  struct result r;
  run(m, &often, (struct search_config){.max_errors = 1}, &r);
  assert_int_equal(r.verdict, VERDICT_VIOLATED);
  const struct trace *t = &r.traces.data[0];
  assert_true(t->has_loop);
  assert_int_equal(t->end, TRACE_PROPERTY);
  assert_int_equal(t->claims.count, t->steps.count + 1);
  assert_int_equal(t->steps.count - t->loop_start, 8);
  result_clear(&r);
  run(m, &stays, (struct search_config){.max_errors = 1}, &r);
  assert_int_equal(r.verdict, VERDICT_HOLDS);
  assert_int_equal(r.stats.nested_states, 0); // it is weak
  result_clear(&r);
  ir_model_free(m);
}

// The shortest lasso: two steps, then one that stays.
static void test_shrink(void **context) {
  (void)context;
  struct ir_model *m = model_of_text("model \"m\"; var x : 0..99; start \"s\" { x := 0; }\n"
                                     "rule \"on\" when x < 99 { x := x + 1; }\n"
                                     "rule \"far\" when x = 99 { x := 90; }\n"
                                     "rule \"stay\" when x = 2 { x := 2; }\n"
                                     "rule \"jump\" when x = 5 { x := 96; }\n"
                                     "atom \"late\" : x > 97 | x = 2; ltl \"p\" : \"\";\n");
  m->properties.data[0]->automaton = &often;
  struct result r;
  cycles_search(m, &(struct cycles_setting){.shrinks = true, .mode = SYS_INTERPRETED}, &r);
  const struct trace *t = &r.traces.data[0];
  assert_int_equal(t->steps.count, 4);
  assert_int_equal(t->loop_start, 3);
  assert_true(t->found_steps > 90);
  result_clear(&r);
  ir_model_free(m);
}

// A long way, then a cycle; and one that is none.
static void test_deep(void **context) {
  (void)context;
  struct text t = {0};
  text_printf(&t,
              "model \"m\"; var x : 0..%d; start \"s\" { x := 0; }\n"
              "rule \"on\" when x < %d { x := x + 1; }\n"
              "rule \"side\" when x %% 3 = 0 & x + 3 < %d { x := x + 3; }\n"
              "rule \"back\" when x = %d { x := %d; }\n"
              "atom \"late\" : x > %d; ltl \"p\" : \"\";\n",
              DEEP, DEEP, DEEP, DEEP, DEEP / 2, DEEP / 4);
  struct ir_model *m = model_of_text(text_str(&t));
  struct result r;
  run(m, &often, (struct search_config){.max_errors = 1}, &r);
  assert_int_equal(r.verdict, VERDICT_VIOLATED);
  assert_true(r.traces.data[0].steps.count > DEEP / 2);
  result_clear(&r);
  text_clear(&t);
  ir_model_free(m);
}

static void test_second_search(void **context) {
  (void)context;
  struct ir_model *m = model_of_text("model \"m\"; var x : 0..9; start \"s\" { x := 0; }\n"
                                     "rule \"on\" when x < 9 { x := x + 1; }\n"
                                     "rule \"round\" when x = 9 { x := 7; }\n"
                                     "atom \"early\" : x < 6; ltl \"p\" : \"\";\n");
  struct result r;
  run(m, &often, (struct search_config){.max_errors = 1}, &r);
  assert_int_equal(r.verdict, VERDICT_HOLDS);
  assert_true(r.stats.nested_states > 0);
  assert_true(r.stats.nested_states <= r.stats.states);
  result_clear(&r);
  ir_model_free(m);
}

static void expect_unknown(const struct result *r, const char *reason) {
  assert_int_equal(r->verdict, VERDICT_UNKNOWN);
  assert_string_equal(r->reason, reason);
  assert_int_equal(r->properties.data[0].verdict, VERDICT_UNKNOWN);
}

static void test_limits(void **context) {
  (void)context;
  struct ir_model *m = model_of_text("model \"m\"; var x : 0..100000; start \"s\" { x := 0; }\n"
                                     "rule \"on\" when x < 100000 { x := x + 1; }\n"
                                     "atom \"never\" : x < 0; ltl \"p\" : \"\";\n");
  struct result r;
  run(m, &often, (struct search_config){.max_errors = 1, .budget = {.depth_max = 50}}, &r);
  expect_unknown(&r, "depth");
  assert_int_equal(r.stats.depth, 50);
  result_clear(&r);
  run(m, &often, (struct search_config){.max_errors = 1, .budget = {.states_max = 50}}, &r);
  expect_unknown(&r, "states");
  result_clear(&r);
  run(m, &often, (struct search_config){.max_errors = 1, .budget = {.seconds = 1e-9}}, &r);
  expect_unknown(&r, "time");
  result_clear(&r);
  interrupt_install();
  raise(SIGINT);
  run(m, &often, (struct search_config){.max_errors = 1}, &r);
  interrupt_clear();
  expect_unknown(&r, "interrupted");
  result_clear(&r);
  run(m, &often, (struct search_config){.max_errors = 1, .budget = {.depth_max = 100000}}, &r);
  assert_int_equal(r.verdict, VERDICT_UNKNOWN); // the last state stutters
  result_clear(&r);
  run(m, &often, (struct search_config){.max_errors = 1, .budget = {.depth_max = 100001}}, &r);
  assert_int_equal(r.verdict, VERDICT_HOLDS);
  result_clear(&r);
  ir_model_free(m);
}

// Invariants, steps and atoms that fail, on the way; the cycle comes after them.
static void test_on_the_way(void **context) {
  (void)context;
  struct ir_model *m = model_of_text("model \"m\"; var x : 0..9; start \"s\" { x := 0; }\n"
                                     "ltl \"p\" : \"\";\n"
                                     "rule \"on\" when x < 9 { x := x + 1; }\n"
                                     "rule \"fail\" when x = 3 { assert false; }\n"
                                     "rule \"round\" when x = 9 { x := 2; }\n"
                                     "rule \"aside\" when x = 5 { x := 0; }\n"
                                     "invariant \"below nine\" : x < 9;\n"
                                     "atom \"at four\" : x = 4;\n");
  struct result r;
  run(m, &often, (struct search_config){.max_errors = 1}, &r);
  assert_int_equal(r.traces.count, 1);
  assert_int_equal(r.traces.data[0].end, TRACE_SITE);
  assert_int_equal(r.properties.data[0].verdict, VERDICT_UNKNOWN);
  result_clear(&r);
  run(m, &often, (struct search_config){.max_errors = 0}, &r);
  assert_int_equal(r.traces.count, 3); // the fault, the invariant, the cycle through 5 and 0
  for (size_t i = 0; i < 2; i++) assert_int_equal(r.properties.data[i].verdict, VERDICT_VIOLATED);
  result_clear(&r);
  ir_model_free(m);
}

static void test_atom_fails(void **context) {
  (void)context;
  struct ir_model *m = model_of_text("model \"m\"; var x : 0..9; start \"s\" { x := 0; }\n"
                                     "ltl \"p\" : \"\";\n"
                                     "rule \"on\" when x < 9 { x := x + 1; }\n"
                                     "atom \"divides\" : 10 / (x - 4) = 5;\n");
  struct result r;
  run(m, &often, (struct search_config){.max_errors = 1}, &r);
  assert_int_equal(r.traces.count, 1);
  assert_int_equal(r.traces.data[0].end, TRACE_SITE);
  assert_true(r.traces.data[0].in_property);
  assert_int_equal(r.traces.data[0].steps.count, 4);
  assert_int_equal(r.properties.data[0].verdict, VERDICT_UNKNOWN);
  result_clear(&r);
  ir_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random),      cmocka_unit_test(test_random_chains),
      cmocka_unit_test(test_random_fair), cmocka_unit_test(test_random_native),
      cmocka_unit_test(test_lasso),       cmocka_unit_test(test_shrink),
      cmocka_unit_test(test_deep),        cmocka_unit_test(test_second_search),
      cmocka_unit_test(test_limits),      cmocka_unit_test(test_on_the_way),
      cmocka_unit_test(test_atom_fails),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
