// SPDX-License-Identifier: Apache-2.0
// Breadth-first and depth-first search on small graphs: counts, verdicts, traces, limits; by one
// thread and by several.
#include "graph.h"

#include <signal.h>

static const char *const both[] = {"bfs", "dfs", NULL};

static void expect_reason(const struct result *r, const char *reason) {
  assert_int_equal(r->verdict, VERDICT_UNKNOWN);
  assert_string_equal(r->reason, reason);
}

static const struct property_result *property(const struct result *r, const char *name) {
  for (size_t i = 0; i < r->properties.count; i++)
    if (strcmp(r->properties.data[i].name, name) == 0) return &r->properties.data[i];
  fail_msg("no property %s", name);
  return NULL;
}

static void expect_property(const struct result *r, const char *name, enum verdict v,
                            const char *reason) {
  const struct property_result *p = property(r, name);
  assert_int_equal(p->verdict, v);
  if (reason)
    assert_string_equal(p->reason, reason);
  else
    assert_null(p->reason);
}

// --- counts ---

static void test_counts(void **context) {
  (void)context;
  for (const char *const *search = both; *search; search++) {
    struct graph g = graph_chain(6);
    graph_edge(&g, 5, 0);
    graph_edge(&g, 2, 2); // a self-loop
    graph_edge(&g, 1, 4);
    graph_finish(&g);
    struct result r;
    graph_search(&g, *search, graph_config(), &r);
    assert_int_equal(r.verdict, VERDICT_HOLDS);
    assert_null(r.reason);
    assert_int_equal(r.stats.states, 6);
    assert_int_equal(r.stats.transitions, 8);
    assert_int_equal(r.stats.revisits, 3);
    assert_int_equal(r.frontier, 0);
    assert_string_equal(r.search, *search);
    expect_property(&r, "assertions and errors", VERDICT_HOLDS, NULL);
    if (search == both) {
      assert_int_equal(r.stats.depth, 3);
      assert_true(r.depth_known);
      assert_int_equal(r.depth_complete, 3);
    }
    result_clear(&r);
    graph_free(&g);
  }
}

static void test_no_start_state(void **context) {
  (void)context;
  for (const char *const *search = both; *search; search++) {
    struct graph g = graph_chain(3);
    graph_property(&g, IR_PROP_ASSUME, "elsewhere", graph_is_not(&g, 0));
    graph_finish(&g);
    struct result r;
    graph_search(&g, *search, graph_config(), &r);
    expect_reason(&r, "no start state");
    assert_int_equal(r.stats.states, 0);
    result_clear(&r);
    graph_free(&g);
  }
}

// A state that an assumption rules out is not there, but the rule that leads to it fired.
static void test_assumption_drops(void **context) {
  (void)context;
  for (const char *const *search = both; *search; search++) {
    struct graph g = graph_chain(6);
    graph_property(&g, IR_PROP_ASSUME, "not three", graph_is_not(&g, 3));
    graph_property(&g, IR_PROP_INVARIANT, "not four", graph_is_not(&g, 4));
    graph_finish(&g);
    struct search_config c = graph_config();
    c.deadlock = IR_DEADLOCK_STUCK;
    struct result r;
    graph_search(&g, *search, c, &r);
    assert_int_equal(r.verdict, VERDICT_HOLDS);
    assert_int_equal(r.stats.states, 3);
    assert_int_equal(r.stats.transitions, 3);
    result_clear(&r);
    graph_free(&g);
  }
}

// --- random graphs ---

enum { NODES = 150 };

struct random_graph {
  struct graph g;
  bool edge[NODES][NODES];
  int distance[NODES]; // from node 0, -1: unreachable
};

static void random_edges(struct random_graph *q, struct rng *r) {
  memset(q->edge, 0, sizeof q->edge);
  for (int i = 0; i < NODES * 3 / 2; i++) {
    uint64_t a = rng_below(r, NODES), b = rng_below(r, NODES);
    if (q->edge[a][b]) continue;
    q->edge[a][b] = true;
    graph_edge(&q->g, (int64_t)a, (int64_t)b);
  }
}

static void measure(struct random_graph *q) {
  int queue[NODES], head = 0, tail = 0;
  for (int i = 0; i < NODES; i++) q->distance[i] = -1;
  q->distance[0] = 0;
  queue[tail++] = 0;
  while (head < tail) {
    int a = queue[head++];
    for (int b = 0; b < NODES; b++) {
      if (!q->edge[a][b] || q->distance[b] >= 0) continue;
      q->distance[b] = q->distance[a] + 1;
      queue[tail++] = b;
    }
  }
}

static uint64_t within(const struct random_graph *q, int depth) {
  uint64_t n = 0;
  for (int i = 0; i < NODES; i++) n += q->distance[i] >= 0 && q->distance[i] <= depth;
  return n;
}

static int eccentricity(const struct random_graph *q) {
  int most = 0;
  for (int i = 0; i < NODES; i++)
    if (q->distance[i] > most) most = q->distance[i];
  return most;
}

// Every shortest trace has the length of the distance; depth first finds the same violation.
static void test_random_distances(void **context) {
  (void)context;
  struct rng rng;
  rng_init(&rng, 11);
  for (int round = 0; round < 60; round++) {
    struct random_graph q = {.g = graph_new(NODES)};
    graph_start(&q.g, 0);
    random_edges(&q, &rng);
    measure(&q);
    int64_t target = (int64_t)rng_below(&rng, NODES);
    graph_property(&q.g, IR_PROP_INVARIANT, "target", graph_is_not(&q.g, target));
    graph_finish(&q.g);
    for (const char *const *search = both; *search; search++) {
      struct result r;
      graph_search(&q.g, *search, graph_config(), &r);
      if (q.distance[target] < 0) {
        assert_int_equal(r.verdict, VERDICT_HOLDS);
        assert_int_equal(r.stats.states, within(&q, NODES));
      } else {
        assert_int_equal(r.verdict, VERDICT_VIOLATED);
        assert_int_equal(r.traces.count, 1);
        size_t steps = r.traces.data[0].steps.count;
        if (search == both)
          assert_int_equal(steps, q.distance[target]);
        else
          assert_true(steps >= (size_t)q.distance[target]);
      }
      result_clear(&r);
    }
    graph_free(&q.g);
  }
}

static void expect_bounded_bfs(struct random_graph *q, int depth) {
  struct search_config c = graph_config();
  c.budget.depth_max = (uint64_t)depth;
  struct result r;
  graph_search(&q->g, "bfs", c, &r);
  assert_int_equal(r.stats.states, within(q, depth));
  if (depth >= eccentricity(q)) {
    assert_int_equal(r.verdict, VERDICT_HOLDS);
  } else {
    expect_reason(&r, "depth");
    assert_true(r.depth_known);
    assert_int_equal(r.depth_complete, depth);
    assert_int_equal(r.frontier, within(q, depth) - within(q, depth - 1));
  }
  result_clear(&r);
}

static void expect_bounded_dfs(struct random_graph *q, int depth) {
  struct search_config c = graph_config();
  c.budget.depth_max = (uint64_t)depth;
  struct result r;
  graph_search(&q->g, "dfs", c, &r);
  assert_false(r.depth_known);
  assert_true(r.stats.states <= within(q, depth));
  if (r.verdict == VERDICT_HOLDS)
    assert_int_equal(r.stats.states, within(q, NODES));
  else
    expect_reason(&r, "depth");
  result_clear(&r);
}

static void test_random_depths(void **context) {
  (void)context;
  struct rng rng;
  rng_init(&rng, 12);
  for (int round = 0; round < 12; round++) {
    struct random_graph q = {.g = graph_new(NODES)};
    graph_start(&q.g, 0);
    random_edges(&q, &rng);
    measure(&q);
    graph_finish(&q.g);
    struct result a, b;
    graph_search(&q.g, "bfs", graph_config(), &a);
    graph_search(&q.g, "dfs", graph_config(), &b);
    assert_int_equal(a.stats.states, b.stats.states);
    assert_int_equal(a.stats.transitions, b.stats.transitions);
    assert_int_equal(a.stats.revisits, b.stats.revisits);
    assert_int_equal(a.stats.depth, eccentricity(&q));
    result_clear(&a);
    result_clear(&b);
    for (int k = 1; k < 20; k++) {
      expect_bounded_bfs(&q, k);
      expect_bounded_dfs(&q, k);
    }
    graph_free(&q.g);
  }
}

// The pitfall: node 3 is first reached at the limit over the long way, then over the short one,
// from where the error is within the bound. Depth first may miss it, but must not say so.
static void test_depth_pitfall(void **context) {
  (void)context;
  for (uint64_t k = 1; k <= 6; k++) {
    struct graph g = graph_new(6);
    graph_start(&g, 0);
    graph_edge(&g, 0, 1); // the long way is tried first
    graph_edge(&g, 1, 2);
    graph_edge(&g, 2, 3);
    graph_edge(&g, 0, 3);
    graph_edge(&g, 3, 4);
    graph_edge(&g, 4, 5);
    graph_property(&g, IR_PROP_INVARIANT, "not five", graph_is_not(&g, 5));
    graph_finish(&g);
    struct search_config c = graph_config();
    c.budget.depth_max = k;
    struct result b, d;
    graph_search(&g, "bfs", c, &b);
    graph_search(&g, "dfs", c, &d);
    if (k >= 3) {
      assert_int_equal(b.verdict, VERDICT_VIOLATED);
      assert_int_equal(b.traces.data[0].steps.count, 3);
    } else {
      expect_reason(&b, "depth");
    }
    assert_int_not_equal(d.verdict, VERDICT_HOLDS);
    assert_false(d.depth_known);
    if (k == 3) expect_reason(&d, "depth"); // missed, and said to be unknown
    result_clear(&b);
    result_clear(&d);
    graph_free(&g);
  }
}

// --- deadlock ---

static enum verdict deadlock_verdict(struct graph *g, const char *search, int mode, size_t *steps) {
  struct search_config c = graph_config();
  c.deadlock = mode;
  struct result r;
  graph_search(g, search, c, &r);
  enum verdict v = r.verdict;
  if (mode != IR_DEADLOCK_OFF) expect_property(&r, "deadlock", v, NULL);
  if (v == VERDICT_VIOLATED) *steps = r.traces.data[0].steps.count;
  result_clear(&r);
  return v;
}

static void test_deadlock_modes(void **context) {
  (void)context;
  for (const char *const *search = both; *search; search++) {
    size_t steps = 0;
    struct graph stuck = graph_chain(4);
    graph_finish(&stuck);
    assert_int_equal(deadlock_verdict(&stuck, *search, IR_DEADLOCK_OFF, &steps), VERDICT_HOLDS);
    assert_int_equal(deadlock_verdict(&stuck, *search, IR_DEADLOCK_STUCK, &steps),
                     VERDICT_VIOLATED);
    assert_int_equal(steps, 3);
    graph_free(&stuck);

    struct graph stutter = graph_chain(4);
    graph_edge(&stutter, 3, 3);
    graph_finish(&stutter);
    assert_int_equal(deadlock_verdict(&stutter, *search, IR_DEADLOCK_STUCK, &steps), VERDICT_HOLDS);
    assert_int_equal(deadlock_verdict(&stutter, *search, IR_DEADLOCK_STUTTERING, &steps),
                     VERDICT_VIOLATED);
    graph_free(&stutter);

    struct graph end = graph_chain(4);
    end.model->valid_end = graph_is(&end, 3);
    graph_finish(&end);
    assert_int_equal(deadlock_verdict(&end, *search, IR_DEADLOCK_STUCK, &steps), VERDICT_HOLDS);
    graph_free(&end);
  }
}

// --- violations ---

static void test_max_errors(void **context) {
  (void)context;
  for (const char *const *search = both; *search; search++) {
    struct graph g = graph_chain(8);
    graph_edge(&g, 0, 3);
    graph_property(&g, IR_PROP_INVARIANT, "not two", graph_is_not(&g, 2));
    graph_property(&g, IR_PROP_INVARIANT, "not five", graph_is_not(&g, 5));
    graph_property(&g, IR_PROP_INVARIANT, "neither",
                   graph_and(&g, graph_is_not(&g, 2), graph_is_not(&g, 5)));
    graph_finish(&g);
    for (uint64_t max = 0; max <= 4; max++) {
      struct search_config c = graph_config();
      c.max_errors = max;
      struct result r;
      graph_search(&g, *search, c, &r);
      assert_int_equal(r.verdict, VERDICT_VIOLATED);
      assert_int_equal(r.traces.count, max == 0 || max > 3 ? 3 : max);
      // behind 2 and 5 nothing is searched, so what was not refuted is not known to hold
      expect_property(&r, "assertions and errors", VERDICT_UNKNOWN, "errors");
      result_clear(&r);
    }
    graph_free(&g);
  }
}

static void test_start_violates(void **context) {
  (void)context;
  for (const char *const *search = both; *search; search++) {
    struct graph g = graph_chain(3);
    graph_property(&g, IR_PROP_INVARIANT, "not zero", graph_is_not(&g, 0));
    graph_finish(&g);
    struct result r;
    graph_search(&g, *search, graph_config(), &r);
    assert_int_equal(r.verdict, VERDICT_VIOLATED);
    assert_int_equal(r.traces.data[0].steps.count, 0);
    assert_int_equal(r.stats.states, 1);
    result_clear(&r);
    graph_free(&g);
  }
}

static void test_selected_properties(void **context) {
  (void)context;
  for (const char *const *search = both; *search; search++) {
    struct graph g = graph_chain(5);
    graph_property(&g, IR_PROP_INVARIANT, "not two", graph_is_not(&g, 2));
    graph_property(&g, IR_PROP_INVARIANT, "not three", graph_is_not(&g, 3));
    graph_property(&g, IR_PROP_LIVENESS, "live", graph_is(&g, 0));
    graph_finish(&g);
    struct search_config c = graph_config();
    struct result r;
    c.property_on = (const uint8_t[]){0, 1, 0}; // the first one's violation hides nothing
    graph_search(&g, *search, c, &r);
    assert_int_equal(r.verdict, VERDICT_VIOLATED);
    assert_int_equal(r.traces.data[0].id, 1);
    expect_property(&r, "not two", VERDICT_UNKNOWN, "not selected");
    result_clear(&r);
    c.property_on = (const uint8_t[]){0, 0, 0};
    graph_search(&g, *search, c, &r);
    assert_int_equal(r.verdict, VERDICT_HOLDS);
    assert_int_equal(r.stats.states, 5);
    result_clear(&r);
    graph_free(&g);
  }
}

static void test_not_checked(void **context) {
  (void)context;
  for (const char *const *search = both; *search; search++) {
    struct graph g = graph_chain(3);
    graph_property(&g, IR_PROP_INVARIANT, "fine", graph_is_not(&g, -1));
    graph_property(&g, IR_PROP_LIVENESS, "live", graph_is(&g, 0));
    graph_property(&g, IR_PROP_LIVENESS, "livelier", graph_is(&g, 1));
    graph_finish(&g);
    struct result r;
    graph_search(&g, *search, graph_config(), &r);
    expect_reason(&r, "not checked: live, livelier");
    expect_property(&r, "fine", VERDICT_HOLDS, NULL);
    expect_property(&r, "live", VERDICT_UNKNOWN, "not checked");
    result_clear(&r);
    graph_free(&g);
  }
}

static void test_covers(void **context) {
  (void)context;
  for (const char *const *search = both; *search; search++) {
    for (int reachable = 0; reachable < 2; reachable++) {
      struct graph g = graph_chain(5);
      graph_property(&g, IR_PROP_COVER, "three", graph_is(&g, reachable ? 3 : 9));
      struct ir_property *passed = graph_property(&g, IR_PROP_COVER, "passed", NULL);
      struct ir_chain body = {0};
      ir_chain_add(&body, ir_cover(g.model, passed, ir_bool(g.model, true, nowhere), nowhere));
      ir_chain_add(&body, graph_go(&g, 4));
      graph_edge(&g, 2, 4)->body = body.first;
      graph_finish(&g);
      struct result r;
      graph_search(&g, *search, graph_config(), &r);
      assert_int_equal(r.verdict, reachable ? VERDICT_HOLDS : VERDICT_VIOLATED);
      assert_int_equal(r.traces.count, 0);
      expect_property(&r, "three", reachable ? VERDICT_HOLDS : VERDICT_VIOLATED, NULL);
      expect_property(&r, "passed", VERDICT_HOLDS, NULL);
      result_clear(&r);
      // a search that was cut does not know
      struct search_config c = graph_config();
      c.budget.depth_max = 1;
      graph_search(&g, *search, c, &r);
      expect_reason(&r, "depth");
      expect_property(&r, "three", VERDICT_UNKNOWN, "depth");
      result_clear(&r);
      graph_free(&g);
    }
  }
}

// --- faults ---

static void expect_fault(struct graph *g, size_t steps, bool in_property) {
  graph_finish(g);
  for (const char *const *search = both; *search; search++) {
    struct result r;
    struct search_config c = graph_config();
    c.max_errors = 0;
    c.deadlock = IR_DEADLOCK_STUCK;
    graph_search(g, *search, c, &r);
    assert_int_equal(r.verdict, VERDICT_VIOLATED);
    assert_int_equal(r.traces.data[0].end, TRACE_SITE);
    assert_int_equal(r.traces.data[0].steps.count, steps);
    assert_int_equal(r.traces.data[0].in_property, in_property);
    expect_property(&r, "assertions and errors", VERDICT_VIOLATED, NULL);
    result_clear(&r);
  }
  graph_free(g);
}

static void test_faults(void **context) {
  (void)context;
  struct graph body = graph_chain(4);
  graph_edge(&body, 2, 4); // out of range
  graph_edge(&body, 3, 0);
  expect_fault(&body, 3, false);

  struct graph guard = graph_chain(4);
  graph_edge(&guard, 3, 0)->guard = graph_divides(&guard, 3);
  expect_fault(&guard, 4, false);

  struct graph start = graph_chain(4);
  graph_start(&start, 4);
  graph_edge(&start, 3, 0);
  expect_fault(&start, 0, false);

  struct graph only_start = graph_new(4);
  graph_start(&only_start, 4);
  expect_fault(&only_start, 0, false);

  struct graph assumed = graph_chain(4);
  graph_property(&assumed, IR_PROP_ASSUME, "divides", graph_divides(&assumed, 3));
  expect_fault(&assumed, 3, false);

  struct graph invariant = graph_chain(4);
  graph_property(&invariant, IR_PROP_INVARIANT, "divides", graph_divides(&invariant, 2));
  expect_fault(&invariant, 2, true);

  struct graph cover = graph_chain(4);
  graph_property(&cover, IR_PROP_COVER, "divides",
                 graph_and(&cover, graph_divides(&cover, 2), graph_is(&cover, 3)));
  expect_fault(&cover, 2, true);
}

// A site is reported once, with the shortest way to it, however many states lead there.
static void test_site_reported_once(void **context) {
  (void)context;
  struct graph g = graph_chain(6);
  struct ir_rule *wild = graph_edge(&g, 0, 6);
  wild->guard = ir_bool(g.model, true, nowhere);
  graph_finish(&g);
  struct search_config c = graph_config();
  c.max_errors = 0;
  struct result r;
  for (const char *const *search = both; *search; search++) {
    graph_search(&g, *search, c, &r);
    assert_int_equal(r.traces.count, 1);
    assert_int_equal(r.traces.data[0].steps.count, 1);
    assert_int_equal(r.stats.states, 6);
    assert_int_equal(r.stats.transitions, 5);
    result_clear(&r);
  }
  graph_free(&g);
}

// --- budgets ---

static struct graph counter(int64_t n) {
  struct graph g = graph_new(n);
  graph_start(&g, 0);
  struct ir_rule *r = ir_rule_new(g.model, false, "count", nowhere);
  r->guard = graph_is_not(&g, n - 1);
  struct ir_expr *next =
      ir_binary(g.model, IR_ADD, graph_x(&g), ir_int(g.model, 1, nowhere), nowhere);
  r->body = ir_assign(g.model, graph_x(&g), next, nowhere);
  return g;
}

static void test_budgets(void **context) {
  (void)context;
  for (const char *const *search = both; *search; search++) {
    struct graph g = counter(200000);
    graph_property(&g, IR_PROP_INVARIANT, "fine", graph_is_not(&g, -1));
    graph_finish(&g);
    struct result r;
    struct search_config c = graph_config();
    c.budget.states_max = 1000;
    graph_search(&g, *search, c, &r);
    expect_reason(&r, "states");
    assert_int_equal(r.stats.states, 1000);
    expect_property(&r, "fine", VERDICT_UNKNOWN, "states");
    result_clear(&r);

    c = graph_config();
    c.budget.states_max = 200000; // just enough
    graph_search(&g, *search, c, &r);
    assert_int_equal(r.verdict, VERDICT_HOLDS);
    result_clear(&r);

    c = graph_config();
    c.budget.mem_bytes = 400000;
    graph_search(&g, *search, c, &r);
    expect_reason(&r, "memory");
    assert_true(r.stats.memory_bytes <= 400000);
    assert_true(r.stats.states > 1000);
    result_clear(&r);

    c = graph_config();
    c.started -= 10;
    c.budget.seconds = 5;
    graph_search(&g, *search, c, &r);
    expect_reason(&r, "time");
    result_clear(&r);
    graph_free(&g);
  }
}

static void interrupt_soon(void *context, const struct search_progress *p) {
  assert_true(p->states <= 200000);
  ++*(int *)context;
  raise(SIGINT);
}

static void test_interrupt(void **context) {
  (void)context;
  interrupt_install();
  for (const char *const *search = both; *search; search++) {
    struct graph g = counter(200000);
    graph_finish(&g);
    int calls = 0;
    struct search_config c = graph_config();
    c.progress = interrupt_soon;
    c.progress_context = &calls;
    struct result r;
    graph_search(&g, *search, c, &r);
    expect_reason(&r, "interrupted");
    assert_int_equal(calls, 1);
    assert_true(r.stats.states < 200000);
    interrupt_clear();
    result_clear(&r);
    graph_free(&g);
  }
}

static void run_out_of_memory(void *context, const struct search_progress *p) {
  if (p->states > 0) *(bool *)context = true;
  mem_exhausted(1);
}

// Wherever memory runs out, the search unwinds to its boundary and says so.
static void test_out_of_memory(void **context) {
  (void)context;
  for (const char *const *search = both; *search; search++) {
    struct graph g = counter(1000);
    graph_property(&g, IR_PROP_INVARIANT, "fine", graph_is_not(&g, -1));
    graph_finish(&g);
    bool called = false;
    struct search_config c = graph_config();
    c.progress = run_out_of_memory;
    c.progress_context = &called;
    struct result r;
    graph_search(&g, *search, c, &r);
    expect_reason(&r, "memory");
    expect_property(&r, "fine", VERDICT_UNKNOWN, "memory");
    assert_int_equal(called, search == both); // depth first looks at the budget before the start
    result_clear(&r);
    graph_free(&g);
  }
}

// A long way back, over many marks.
static void test_long_trace(void **context) {
  (void)context;
  for (const char *const *search = both; *search; search++) {
    struct graph g = counter(3000);
    graph_property(&g, IR_PROP_INVARIANT, "not the last", graph_is_not(&g, 2999));
    graph_finish(&g);
    struct result r;
    graph_search(&g, *search, graph_config(), &r);
    assert_int_equal(r.verdict, VERDICT_VIOLATED);
    assert_int_equal(r.traces.data[0].steps.count, 2999);
    result_clear(&r);
    graph_free(&g);
  }
}

static void test_strategies(void **context) {
  (void)context;
  assert_null(search_strategy_find("sideways"));
  for (size_t i = 0; i < search_strategy_count; i++)
    assert_ptr_equal(search_strategy_find(search_strategies[i].name), &search_strategies[i]);
  assert_true(search_strategy_find("bfs")->shortest);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_counts),           cmocka_unit_test(test_no_start_state),
      cmocka_unit_test(test_assumption_drops), cmocka_unit_test(test_random_distances),
      cmocka_unit_test(test_random_depths),    cmocka_unit_test(test_depth_pitfall),
      cmocka_unit_test(test_deadlock_modes),   cmocka_unit_test(test_max_errors),
      cmocka_unit_test(test_start_violates),   cmocka_unit_test(test_selected_properties),
      cmocka_unit_test(test_not_checked),      cmocka_unit_test(test_covers),
      cmocka_unit_test(test_faults),           cmocka_unit_test(test_site_reported_once),
      cmocka_unit_test(test_budgets),          cmocka_unit_test(test_interrupt),
      cmocka_unit_test(test_out_of_memory),    cmocka_unit_test(test_long_trace),
      cmocka_unit_test(test_strategies),
  };
  int failed = 0;
  for (graph_threads = 1; graph_threads <= 4; graph_threads *= 2)
    failed += cmocka_run_group_tests(tests, NULL, NULL);
  return failed;
}
