// SPDX-License-Identifier: Apache-2.0
// Liveness (from every reachable state the condition can be reached) on random graphs, against a
// look at all pairs of nodes: the verdict, the states, and that the trace leads to a node from
// which there is no way, as soon as one can be reached.
#include "graph.h"

enum { NODES = 30 };

struct net {
  struct graph graph;
  bool edge[NODES][NODES];
  bool goal[NODES];
  int start;
  int distance[NODES]; // -1: cannot be reached
};

static void make(struct net *n, struct rng *r) {
  n->graph = graph_new(NODES);
  n->start = (int)rng_below(r, NODES);
  graph_start(&n->graph, n->start);
  size_t edges = rng_below(r, 4 * NODES);
  for (size_t i = 0; i < edges; i++) {
    int from = (int)rng_below(r, NODES), to = (int)rng_below(r, NODES);
    graph_edge(&n->graph, from, to);
    n->edge[from][to] = true;
  }
  struct ir_expr *goal = graph_is(&n->graph, NODES - 1);
  n->goal[NODES - 1] = true;
  for (int i = 0; i < NODES - 1; i++) {
    if (rng_below(r, 12) > 0) continue;
    n->goal[i] = true;
    goal = ir_binary(n->graph.model, IR_OR, goal, graph_is(&n->graph, i), nowhere);
  }
  graph_property(&n->graph, IR_PROP_LIVENESS, "goal", goal);
  graph_finish(&n->graph);
}

static void measure(struct net *n) {
  int queue[NODES], count = 1;
  for (int i = 0; i < NODES; i++) n->distance[i] = -1;
  n->distance[queue[0] = n->start] = 0;
  for (int k = 0; k < count; k++)
    for (int i = 0; i < NODES; i++)
      if (n->edge[queue[k]][i] && n->distance[i] < 0) {
        n->distance[i] = n->distance[queue[k]] + 1;
        queue[count++] = i;
      }
}

// The distance of the nearest node from which no goal can be reached; -1: there is none.
static int nearest_lost(const struct net *n) {
  bool leads[NODES];
  int nearest = -1;
  memcpy(leads, n->goal, sizeof leads);
  for (int round = 0; round < NODES; round++)
    for (int a = 0; a < NODES; a++)
      for (int b = 0; b < NODES; b++) leads[a] |= n->edge[a][b] && leads[b];
  for (int i = 0; i < NODES; i++)
    if (!leads[i] && n->distance[i] >= 0 && (nearest < 0 || n->distance[i] < nearest))
      nearest = n->distance[i];
  return nearest;
}

static void search(struct net *n, const char *store, struct search_config c, struct result *r) {
  struct sys_config how = {.mode = SYS_INTERPRETED};
  *r = (struct result){0};
  c.model = n->graph.model;
  c.sys = sys_new(c.model, &how);
  c.store = store;
  c.threads = 1;
  search_liveness(&c, r);
  sys_free(c.sys);
}

static void check(uint64_t seed) {
  struct net n = {0};
  struct rng r;
  struct result found;
  rng_init(&r, seed);
  make(&n, &r);
  measure(&n);
  uint64_t states = 0;
  for (int i = 0; i < NODES; i++) states += n.distance[i] >= 0;
  int lost = nearest_lost(&n);
  search(&n, seed % 2 ? "exact" : "tree", graph_config(), &found);
  assert_int_equal(found.stats.states, states);
  assert_int_equal(found.properties.data[0].verdict, lost < 0 ? VERDICT_HOLDS : VERDICT_VIOLATED);
  assert_int_equal(found.verdict, lost < 0 ? VERDICT_UNKNOWN : VERDICT_VIOLATED);
  assert_int_equal(found.traces.count, lost >= 0);
  if (lost >= 0) assert_int_equal(found.traces.data[0].steps.count, lost);
  result_clear(&found);
  ir_model_free(n.graph.model);
}

static void test_random_graphs(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 500; seed++) check(seed);
}

// A search that is cut says so; a step that fails is told, and nothing is said of the property.
static void test_limits(void **state) {
  (void)state;
  struct result r;
  struct net n = {.graph = graph_new(5)};
  graph_start(&n.graph, 0);
  for (int i = 0; i < 4; i++) graph_edge(&n.graph, i, i + 1);
  graph_property(&n.graph, IR_PROP_LIVENESS, "goal", graph_is(&n.graph, 4));
  graph_finish(&n.graph);
  struct search_config c = graph_config();
  c.budget.depth_max = 2;
  search(&n, "exact", c, &r);
  assert_int_equal(r.properties.data[0].verdict, VERDICT_UNKNOWN);
  assert_string_equal(r.properties.data[0].reason, "depth");
  result_clear(&r);
  c.budget.depth_max = 4;
  search(&n, "exact", c, &r);
  assert_int_equal(r.properties.data[0].verdict, VERDICT_HOLDS);
  result_clear(&r);
  ir_model_free(n.graph.model);

  n.graph = graph_new(3);
  graph_start(&n.graph, 0);
  graph_edge(&n.graph, 0, 7);
  graph_property(&n.graph, IR_PROP_LIVENESS, "goal", graph_is(&n.graph, 0));
  graph_finish(&n.graph);
  search(&n, "exact", graph_config(), &r);
  assert_int_equal(r.traces.count, 1);
  assert_int_equal(r.traces.data[0].end, TRACE_SITE);
  assert_string_equal(r.properties.data[0].reason, "errors");
  result_clear(&r);
  ir_model_free(n.graph.model);
}

// One obligation for each instance of its parameters.
static void test_instances(void **state) {
  (void)state;
  struct result r;
  struct net n = {.graph = graph_new(4)};
  struct ir_model *m = n.graph.model;
  graph_start(&n.graph, 0);
  graph_edge(&n.graph, 0, 1);
  graph_edge(&n.graph, 1, 0);
  graph_edge(&n.graph, 1, 2);
  struct ir_property *p = ir_property_new(m, IR_PROP_LIVENESS, "each", nowhere);
  struct ir_local *l =
      ir_local_new(m, &p->frame, IR_LOCAL_BOUND, "i", ir_type_range(m, 0, 2), nowhere);
  l->domain = ir_domain_type(m, l->type);
  p->param_count = 1;
  p->expr = ir_binary(m, IR_EQ, graph_x(&n.graph), ir_local_ref(m, l, nowhere), nowhere);
  graph_finish(&n.graph);
  search(&n, "exact", graph_config(), &r);
  assert_int_equal(r.properties.data[0].verdict, VERDICT_VIOLATED);
  assert_int_equal(r.traces.data[0].steps.count, 2); // from node 2 there is no way to 0
  result_clear(&r);
  ir_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random_graphs),
      cmocka_unit_test(test_limits),
      cmocka_unit_test(test_instances),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
