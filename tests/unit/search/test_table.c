// SPDX-License-Identifier: Apache-2.0
// astar by a table that never says more than the true distance, though often less, and not
// consistently so: its trace is a shortest one, whether it ends in a bad state, a fault or a
// deadlock; greedy finds what there is, too.
#include "graph.h"

#include "ir/ir.h"

enum { NODES = 60, EDGES = 110, STARTS = 2 };

struct puzzle {
  struct graph graph;
  int64_t from[EDGES], to[EDGES], starts[STARTS]; // to NODES: a fault
  int64_t bad;                                    // NODES: none is
  bool deadlock;
  uint32_t distance[NODES]; // to the nearest of what is wrong
  uint32_t table[NODES];
};

static void make_graph(struct puzzle *p, struct rng *r) {
  p->graph = graph_new(NODES);
  for (size_t i = 0; i < STARTS; i++)
    graph_start(&p->graph, p->starts[i] = (int64_t)rng_below(r, NODES));
  for (size_t i = 0; i < EDGES; i++) {
    p->from[i] = (int64_t)rng_below(r, NODES);
    p->to[i] = rng_below(r, 80) == 0 ? NODES : (int64_t)rng_below(r, NODES);
    graph_edge(&p->graph, p->from[i], p->to[i]);
  }
  p->bad = rng_below(r, 3) == 0 ? NODES : (int64_t)rng_below(r, NODES);
  if (p->bad < NODES)
    graph_property(&p->graph, IR_PROP_INVARIANT, "good", graph_is_not(&p->graph, p->bad));
  graph_finish(&p->graph);
}

static bool is_stuck(const struct puzzle *p, int64_t node) {
  for (size_t i = 0; i < EDGES; i++)
    if (p->from[i] == node) return false;
  return true;
}

static void measure(struct puzzle *p) {
  for (int64_t i = 0; i < NODES; i++) {
    bool wrong = i == p->bad || (p->deadlock && is_stuck(p, i));
    p->distance[i] = wrong ? 0 : SEARCH_NEVER;
  }
  for (int round = 0; round < NODES; round++)
    for (size_t i = 0; i < EDGES; i++) {
      uint32_t behind = p->to[i] == NODES ? 0 : p->distance[p->to[i]];
      if (behind != SEARCH_NEVER && behind + 1 < p->distance[p->from[i]])
        p->distance[p->from[i]] = behind + 1;
    }
}

// What an abstraction might say: never more.
static void forget_some(struct puzzle *p, struct rng *r) {
  for (int64_t i = 0; i < NODES; i++) {
    uint32_t d = p->distance[i];
    p->table[i] = d == SEARCH_NEVER ? (rng_below(r, 2) ? d : (uint32_t)rng_below(r, NODES))
                                    : (uint32_t)rng_below(r, d + 1);
  }
}

static uint32_t look_up(const void *context, const uint64_t *state) {
  const struct puzzle *p = context;
  return p->table[ir_leaf_get(&p->graph.model->layout->leaf[0], state)];
}

static uint32_t nearest(const struct puzzle *p) {
  uint32_t best = SEARCH_NEVER;
  for (size_t i = 0; i < STARTS; i++)
    if (p->distance[p->starts[i]] < best) best = p->distance[p->starts[i]];
  return best;
}

static void search_by(struct puzzle *p, const char *name) {
  struct search_config c = graph_config();
  struct result r;
  c.threads = 1;
  c.deadlock = p->deadlock ? IR_DEADLOCK_STUCK : IR_DEADLOCK_OFF;
  c.heuristic = HEURISTIC_TABLE;
  c.heuristic_table = look_up;
  c.heuristic_context = p;
  graph_search(&p->graph, name, c, &r);
  uint32_t best = nearest(p);
  assert_int_equal(r.verdict, best == SEARCH_NEVER ? VERDICT_HOLDS : VERDICT_VIOLATED);
  if (best != SEARCH_NEVER && strcmp(name, "astar") == 0)
    assert_int_equal(r.traces.data[0].steps.count, best);
  result_clear(&r);
}

static void test_shortest(void **context) {
  (void)context;
  for (uint64_t seed = 1; seed <= 600; seed++) {
    struct puzzle p = {.deadlock = seed % 2};
    struct rng r;
    rng_init(&r, seed);
    make_graph(&p, &r);
    measure(&p);
    forget_some(&p, &r);
    search_by(&p, "astar");
    search_by(&p, "greedy");
    graph_free(&p.graph);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_shortest)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
