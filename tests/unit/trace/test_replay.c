// SPDX-License-Identifier: Apache-2.0
// Replay: good traces are taken and explained, forged ones are refused, each for its own reason.
#include "../search/graph.h"

// 0 -> 1 -> 2 -> 3 (stuck); 2 -> 9 fails; from 1 a choice leads to 1 + k for k in 0..2.
enum { EDGE_01, EDGE_12, EDGE_23, EDGE_FAIL, EDGE_CHOICE };
enum { NOT_THREE, NOT_NINE, DIVIDES, ASSUMED };

static struct graph sample(void) {
  struct graph g = graph_chain(4);
  graph_edge(&g, 2, 9);
  struct ir_rule *r = graph_edge(&g, 1, 0);
  struct ir_local *k =
      ir_local_new(g.model, &r->frame, IR_LOCAL_BOUND, "k", ir_type_range(g.model, 0, 2), nowhere);
  k->domain = ir_domain_type(g.model, k->type);
  r->choice_count = 1;
  struct ir_print parts[] = {{.literal = "hello"}};
  struct ir_chain body = {0};
  ir_chain_add(&body, ir_print(g.model, parts, 1, nowhere));
  struct ir_expr *sum =
      ir_binary(g.model, IR_ADD, graph_x(&g), ir_local_ref(g.model, k, nowhere), nowhere);
  ir_chain_add(&body, ir_assign(g.model, graph_x(&g), sum, nowhere));
  r->body = body.first;
  graph_property(&g, IR_PROP_INVARIANT, "not three", graph_is_not(&g, 3));
  graph_property(&g, IR_PROP_INVARIANT, "not nine", graph_is_not(&g, 9));
  graph_property(&g, IR_PROP_INVARIANT, "divides", graph_divides(&g, 2));
  graph_start(&g, 0)->name = "again";
  graph_finish(&g);
  return g;
}

static struct trace trace_of(enum trace_end end, uint32_t id, const uint32_t *steps, size_t n) {
  struct trace t = {.end = end, .id = id};
  for (size_t i = 0; i < n; i++) VEC_PUSH(&t.steps, ((struct trace_step){steps[i], 0}));
  return t;
}
#define STEPS(...)                                                                                 \
  (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)

// Replays, frees the trace, and returns what is said: the explanation or the problem.
static char *said(struct graph *g, struct trace t, int deadlock, bool expected) {
  struct replay r;
  bool ok = trace_replay(&t, g->model, deadlock, &r);
  if (!ok && expected) fail_msg("%s", r.problem);
  assert_int_equal(ok, expected);
  assert_int_equal(r.problem == NULL, ok);
  char *text = mem_strdup(ok ? (r.explanation ? r.explanation : "") : r.problem);
  replay_clear(&r);
  trace_clear(&t);
  return text;
}

static void expect_said(char *text, const char *part) {
  if (part && !strstr(text, part)) fail_msg("\"%s\" does not say \"%s\"", text, part);
  mem_free(text);
}

static void accepts(struct graph *g, struct trace t, const char *part) {
  expect_said(said(g, t, IR_DEADLOCK_STUCK, true), part);
}

static void refuses(struct graph *g, struct trace t, const char *part) {
  expect_said(said(g, t, IR_DEADLOCK_STUCK, false), part);
}

static uint32_t site_of(const struct ir_expr *e) { return e->args[0]->site; }

static uint32_t fail_site(const struct graph *g) {
  return g->model->rules.data[EDGE_FAIL]->body->site;
}

static void test_good_traces(void **context) {
  (void)context;
  struct graph g = sample();
  accepts(&g, trace_of(TRACE_PROPERTY, NOT_THREE, STEPS(EDGE_01, EDGE_12, EDGE_23)), "x");
  accepts(&g, trace_of(TRACE_DEADLOCK, 0, STEPS(EDGE_01, EDGE_12, EDGE_23)),
          "no rule can fire: all 5");
  accepts(&g, trace_of(TRACE_WITNESS, 0, STEPS(EDGE_01)), NULL);
  struct trace fault = trace_of(TRACE_SITE, fail_site(&g), STEPS(EDGE_01, EDGE_12, EDGE_FAIL));
  accepts(&g, fault, "9");
  struct trace inside = trace_of(TRACE_SITE, 0, STEPS(EDGE_01, EDGE_12));
  inside.in_property = true;
  inside.property = DIVIDES;
  inside.id = site_of(g.model->properties.data[DIVIDES]->expr);
  accepts(&g, inside, "while \"divides\" was evaluated: ");
  graph_free(&g);
}

static void test_states_and_prints(void **context) {
  (void)context;
  struct graph g = sample();
  struct trace t = trace_of(TRACE_WITNESS, 0, STEPS(EDGE_01, EDGE_CHOICE));
  t.steps.data[1].choice = 2;
  struct replay r;
  assert_true(trace_replay(&t, g.model, IR_DEADLOCK_OFF, &r));
  assert_int_equal(r.count, 3);
  const struct ir_leaf *x = &g.model->layout->leaf[0];
  const int expected[] = {0, 1, 3};
  for (size_t i = 0; i < 3; i++) assert_int_equal(ir_leaf_get(x, r.states[i].words), expected[i]);
  assert_null(r.states[1].prints);
  assert_non_null(strstr(r.states[2].prints, "hello"));
  replay_clear(&r);
  trace_clear(&t);
  graph_free(&g);
}

static void test_forged_steps(void **context) {
  (void)context;
  struct graph g = sample();
  refuses(&g, trace_of(TRACE_PROPERTY, NOT_THREE, STEPS(EDGE_01, EDGE_23)), "guard");
  refuses(&g, trace_of(TRACE_WITNESS, 0, STEPS(EDGE_01, 5)), "instance 5 of 5");
  refuses(&g, trace_of(TRACE_WITNESS, 0, STEPS(UINT32_MAX - 1)), "instance");
  refuses(&g, trace_of(TRACE_WITNESS, 0, STEPS(SYS_STUTTER)), "nothing moves");
  struct trace choice = trace_of(TRACE_WITNESS, 0, STEPS(EDGE_01, EDGE_CHOICE));
  choice.steps.data[1].choice = 3;
  refuses(&g, choice, "choice 3 of 3");
  struct trace start = trace_of(TRACE_WITNESS, 0, STEPS(EDGE_01));
  start.start_instance = 2;
  refuses(&g, start, "instance 2 of 2");
  refuses(&g, trace_of(TRACE_WITNESS, 0, STEPS(EDGE_01, EDGE_12, EDGE_FAIL)), "step 3 fails");
  graph_free(&g);
}

static void test_forged_ends(void **context) {
  (void)context;
  struct graph g = sample();
  refuses(&g, trace_of(TRACE_PROPERTY, NOT_NINE, STEPS(EDGE_01)), "holds in the last state");
  refuses(&g, trace_of(TRACE_PROPERTY, 77, STEPS(EDGE_01)), "property 77");
  refuses(&g, trace_of(TRACE_PROPERTY, DIVIDES, STEPS(EDGE_01, EDGE_12)), "fails");
  refuses(&g, trace_of(TRACE_DEADLOCK, 0, STEPS(EDGE_01)), "no deadlock");
  refuses(&g, trace_of(TRACE_SITE, fail_site(&g), STEPS(EDGE_01, EDGE_12)), "does not fail");
  struct trace other = trace_of(TRACE_SITE, fail_site(&g) - 1, STEPS(EDGE_01, EDGE_12, EDGE_FAIL));
  refuses(&g, other, "step 3 fails");
  struct trace inside = trace_of(TRACE_SITE, 1, STEPS(EDGE_01));
  inside.in_property = true;
  inside.property = DIVIDES;
  refuses(&g, inside, "does not fail");
  inside = trace_of(TRACE_SITE, 1, STEPS(EDGE_01));
  inside.in_property = true;
  inside.property = 77;
  refuses(&g, inside, "property 77");
  struct trace stuck = trace_of(TRACE_DEADLOCK, 0, STEPS(EDGE_01, EDGE_12, EDGE_23));
  expect_said(said(&g, stuck, IR_DEADLOCK_OFF, false), "not looked for");
  graph_free(&g);
}

static void test_broken_assumption(void **context) {
  (void)context;
  struct graph g = graph_chain(4);
  graph_property(&g, IR_PROP_ASSUME, "not two", graph_is_not(&g, 2));
  graph_finish(&g);
  accepts(&g, trace_of(TRACE_WITNESS, 0, STEPS(0)), NULL);
  refuses(&g, trace_of(TRACE_WITNESS, 0, STEPS(0, 1)), "\"not two\" does not hold");
  refuses(&g, trace_of(TRACE_PROPERTY, 0, STEPS(0)), "no invariant");
  graph_free(&g);
}

static void test_stuttering(void **context) {
  (void)context;
  struct graph g = graph_chain(2);
  graph_edge(&g, 1, 1);
  graph_finish(&g);
  struct trace t = trace_of(TRACE_DEADLOCK, 0, STEPS(0));
  expect_said(said(&g, t, IR_DEADLOCK_STUTTERING, true), "1 fire without changing anything");
  refuses(&g, trace_of(TRACE_DEADLOCK, 0, STEPS(0)), "no deadlock");
  graph_free(&g);
}

static void test_lasso(void **context) {
  (void)context;
  struct graph g = graph_chain(3);
  graph_edge(&g, 2, 1);
  graph_finish(&g);
  struct trace t = trace_of(TRACE_WITNESS, 0, STEPS(0, 1, 2));
  t.has_loop = true;
  t.loop_start = 1;
  accepts(&g, t, NULL);
  t = trace_of(TRACE_WITNESS, 0, STEPS(0, 1, 2));
  t.has_loop = true;
  refuses(&g, t, "cycle");
  t = trace_of(TRACE_WITNESS, 0, STEPS(0));
  t.has_loop = true;
  t.loop_start = 1;
  refuses(&g, t, "cycle");
  graph_free(&g);
}

static void test_verdict_names(void **context) {
  (void)context;
  assert_string_equal(verdict_name(VERDICT_HOLDS), "holds");
  assert_string_equal(verdict_name(VERDICT_VIOLATED), "violated");
  assert_string_equal(verdict_name(VERDICT_UNKNOWN), "unknown");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_good_traces),
      cmocka_unit_test(test_states_and_prints),
      cmocka_unit_test(test_forged_steps),
      cmocka_unit_test(test_forged_ends),
      cmocka_unit_test(test_broken_assumption),
      cmocka_unit_test(test_stuttering),
      cmocka_unit_test(test_lasso),
      cmocka_unit_test(test_verdict_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
