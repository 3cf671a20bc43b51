// SPDX-License-Identifier: Apache-2.0
// The searches that follow hints: on random graphs they explore the states that breadth first does,
// give the same verdicts, and their traces replay, whatever is marked; biased-dfs does the same
// whatever the order of the rules.
#include "graph.h"

#include "guide/guide.h"

#include <stdio.h>

enum { NODES = 40, AGENTS = 3 };

static const char *const names[] = {"biased-bfs", "biased-dfs", "context",
                                    "astar",      "greedy",     "random"};
enum { SEARCHES = sizeof names / sizeof *names };

// A random graph: every edge a rule, each rule one of three agents', every third one called "m".
static struct graph random_graph(struct rng *r, int64_t *bad) {
  struct graph g = graph_new(NODES);
  graph_start(&g, (int64_t)rng_below(r, NODES));
  size_t edges = 10 + rng_below(r, 3 * NODES);
  for (size_t i = 0; i < edges; i++) {
    struct ir_rule *e = graph_edge(&g, (int64_t)rng_below(r, NODES), (int64_t)rng_below(r, NODES));
    e->agent = (int32_t)rng_below(r, AGENTS);
    e->name = i % 3 ? "plain" : "m";
  }
  *bad = (int64_t)rng_below(r, 2 * NODES);
  if (*bad < NODES) graph_property(&g, IR_PROP_INVARIANT, "good", graph_is_not(&g, *bad));
  graph_finish(&g);
  return g;
}

static void search_with(struct graph *g, const char *name, const struct guide_marks *marks,
                        const struct guide_agents *agents, uint64_t max_errors, struct result *r) {
  struct search_config c = graph_config();
  c.marks = marks;
  c.agents = agents;
  c.max_errors = max_errors;
  c.heuristic = marks ? HEURISTIC_MARKED : HEURISTIC_AUTO;
  c.seed = 7;
  c.threads = 1;
  c.store = max_errors ? "exact" : "tree";
  graph_search(g, name, c, r);
}

static void check_graph(uint64_t seed) {
  struct rng r;
  int64_t bad;
  rng_init(&r, seed);
  struct graph g = random_graph(&r, &bad);
  struct guide_agents agents;
  guide_agents_init(&agents, g.model);
  struct guide_marks *marks = guide_marks_new(g.model);
  struct text why = {0};
  assert_true(guide_marks_add(marks, "m", NULL, &why));
  struct result expected, found;
  for (uint64_t errors = 0; errors <= 1; errors++) {
    search_with(&g, "bfs", NULL, NULL, errors, &expected);
    for (size_t i = 0; i < SEARCHES; i++) {
      bool marked = seed % 2 && strcmp(names[i], "context") != 0;
      search_with(&g, names[i], marked ? marks : NULL, &agents, errors, &found);
      assert_int_equal(found.verdict, expected.verdict);
      if (expected.verdict == VERDICT_HOLDS || errors == 0) {
        assert_int_equal(found.stats.states, expected.stats.states);
        assert_int_equal(found.stats.transitions, expected.stats.transitions);
      }
      result_clear(&found);
    }
    result_clear(&expected);
  }
  guide_marks_free(marks);
  guide_agents_clear(&agents);
  text_clear(&why);
  graph_free(&g);
}

static void test_complete(void **context) {
  (void)context;
  for (uint64_t seed = 1; seed <= 300; seed++) check_graph(seed);
}

// --- the order of the rules ---

enum { EDGES = 60 };

// The same graph, its rules from the first to the last or the other way round; names tell them
// apart.
static struct graph named_graph(uint64_t seed, bool reversed) {
  static char name[EDGES][8];
  static const char *const kinds[] = {"a", "b", "c"};
  struct rng r;
  struct {
    int64_t from, to;
    int32_t agent;
  } edge[EDGES];
  rng_init(&r, seed);
  struct graph g = graph_new(NODES);
  graph_start(&g, (int64_t)rng_below(&r, NODES));
  int64_t bad = (int64_t)rng_below(&r, NODES);
  for (size_t i = 0; i < EDGES; i++) {
    edge[i].from = (int64_t)rng_below(&r, NODES);
    edge[i].to = (int64_t)rng_below(&r, NODES);
    edge[i].agent = (int32_t)rng_below(&r, AGENTS);
    snprintf(name[i], sizeof name[i], "%s%02zu", kinds[i % 3], i);
  }
  for (size_t k = 0; k < EDGES; k++) {
    size_t i = reversed ? EDGES - 1 - k : k;
    struct ir_rule *e = graph_edge(&g, edge[i].from, edge[i].to);
    e->agent = edge[i].agent;
    e->name = name[i];
  }
  graph_property(&g, IR_PROP_INVARIANT, "good", graph_is_not(&g, bad));
  graph_finish(&g);
  return g;
}

static uint64_t states_until_found(uint64_t seed, bool reversed, bool marked) {
  struct graph g = named_graph(seed, reversed);
  struct guide_agents agents;
  guide_agents_init(&agents, g.model);
  struct guide_marks *marks = guide_marks_new(g.model);
  struct text why = {0};
  assert_true(guide_marks_add(marks, "a*", NULL, &why));
  struct result found;
  search_with(&g, marked ? "biased-dfs" : "context", marked ? marks : NULL, &agents, 1, &found);
  uint64_t states = found.stats.states;
  result_clear(&found);
  guide_marks_free(marks);
  guide_agents_clear(&agents);
  text_clear(&why);
  graph_free(&g);
  return states;
}

// biased-dfs goes by what is behind the steps and by names: the order of the rules says nothing.
static void test_rule_order(void **context) {
  (void)context;
  for (uint64_t seed = 1; seed <= 100; seed++)
    for (int marked = 0; marked <= 1; marked++)
      assert_int_equal(states_until_found(seed, false, marked),
                       states_until_found(seed, true, marked));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_complete),
                                     cmocka_unit_test(test_rule_order)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
