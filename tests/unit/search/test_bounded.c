// SPDX-License-Identifier: Apache-2.0
// The depth-bounded search on thousands of random graphs: at every bound, whatever the increment,
// the bounding, the kind of frontier, the store and the number of threads, the states found are
// exactly those within that distance, and whatever is wrong within it is found, by a trace that is
// no longer. The distances are the test's own (maze.h).
#include "bounds.h"

#include <stdlib.h>

#if defined(__SANITIZE_THREAD__)
enum {
  MAZES = 75,
  FAULTY_MAZES = 75,
  WHOLE_MAZES = 1,
  REPETITIONS = 15,
  WEB = 211,
  LARGE_MAZES = 50
};
#elif defined(FATHOM_SMALL)
enum {
  MAZES = 300,
  FAULTY_MAZES = 300,
  WHOLE_MAZES = 1,
  REPETITIONS = 30,
  WEB = 211,
  LARGE_MAZES = 100
};
#else
enum {
  MAZES = 1500,
  FAULTY_MAZES = 1500,
  WHOLE_MAZES = 6,
  REPETITIONS = 60,
  WEB = 1009,
  LARGE_MAZES = 100
};
#endif

// Graphs are multiplied by this: more of them than a quick test has time for.
static int effort(void) {
  const char *s = getenv("FATHOM_TEST_EFFORT");
  return s ? atoi(s) : 1;
}

// The bound of the iteration that finds what lies at this distance: 1, ... increment: the first.
static int bound_of(const struct search_config *c, int distance) {
  int increment = (int)c->increment, limit = (int)c->budget.depth_max;
  int bound = (distance + increment - 1) / increment * increment;
  if (bound == 0) bound = increment;
  return limit && limit < bound ? limit : bound;
}

// --- all states within the bound, and no others ---

// Iterations go on until one ends with nothing at its bound, or with the limit.
static int iterations(const struct maze *m, const struct search_config *c) {
  int increment = (int)c->increment, limit = (int)c->budget.depth_max;
  int all = m->farthest / increment + 1, most = (limit + increment - 1) / increment;
  return limit && most < all ? most : all;
}

static void expect_counters(const struct maze *m, const struct search_config *c,
                            const struct result *r) {
  int limit = (int)c->budget.depth_max;
  int reached = limit && limit < m->farthest ? limit : m->farthest;
  EXPECT(r->depth_known);
  EXPECT(r->stats.depth >= (uint64_t)reached);
  EXPECT(!limit || r->stats.depth <= (uint64_t)limit);
  EXPECT_EQUAL(r->stats.iterations, iterations(m, c));
  EXPECT(c->increment > 1 || c->threads > 1 || r->stats.reexplored == 0);
  EXPECT(r->stats.stack_bytes > 0);
}

// One search to this depth (0: to the end).
static void expect_search(const struct maze *m, struct graph *g, const struct search_config *c) {
  struct result r;
  graph_search(g, "bounded", *c, &r);
  bounds_expect(m, c, &r);
  expect_counters(m, c, &r);
  result_clear(&r);
}

static void test_every_bound(void **context) {
  (void)context;
  struct rng rng;
  rng_init(&rng, 41);
  for (int round = 0; round < MAZES * effort(); round++) {
    struct maze m = maze_new(&rng);
    struct graph g = bounds_graph(&m);
    for (int limit = 0; limit <= m.farthest + 2; limit++) {
      struct search_config c = bounds_config(&rng);
      c.budget.depth_max = (uint64_t)limit;
      expect_search(&m, &g, &c);
    }
    graph_free(&g);
  }
}

static void every_setting(const struct maze *m, struct graph *g, struct search_config c) {
  for (int s = 0; s < INCREMENTS * STORES * THREADS * BOUNDINGS * FRONTIERS; s++) {
    int k = s;
    c.increment = (uint64_t)bounds_increments[k % INCREMENTS], k /= INCREMENTS;
    c.store = bounds_stores[k % STORES], k /= STORES;
    c.threads = 1 + (unsigned)(k % THREADS), k /= THREADS;
    c.bounding = (enum search_bounding)(k % BOUNDINGS), k /= BOUNDINGS;
    c.frontier = (enum search_frontier)k;
    expect_search(m, g, &c);
  }
}

static void test_every_setting(void **context) {
  (void)context;
  struct rng rng;
  rng_init(&rng, 42);
  for (int round = 0; round < WHOLE_MAZES * effort(); round++) {
    struct maze m;
    do m = maze_new(&rng);
    while (m.farthest < 4 || m.farthest > 8);
    struct graph g = bounds_graph(&m);
    for (int limit = 0; limit <= m.farthest + 1; limit++) {
      struct search_config c = graph_config();
      c.budget.depth_max = (uint64_t)limit;
      every_setting(&m, &g, c);
    }
    graph_free(&g);
  }
}

// States that an assumption takes away are steps that fire and lead nowhere.
static void test_assumptions(void **context) {
  (void)context;
  struct rng rng;
  rng_init(&rng, 43);
  for (int round = 0; round < MAZES / 4 * effort(); round++) {
    struct maze m = maze_new(&rng);
    for (int i = 0; i < 3; i++) m.absent[maze_random(&rng, m.nodes)] = true;
    m.absent[m.start[0]] = false;
    maze_measure(&m);
    struct graph g = maze_graph(&m);
    graph_finish(&g);
    struct search_config c = bounds_config(&rng);
    expect_search(&m, &g, &c);
    graph_free(&g);
  }
}

// --- what is wrong ---

// An invariant for some nodes, edges that cannot be taken, and dead ends if they count.
static struct graph graph_with_faults(struct maze *m, struct rng *r) {
  int bad = maze_random(r, 4), faults = maze_random(r, 3);
  for (int i = 0; i < bad; i++) m->bad[maze_random(r, m->nodes)] = true;
  for (int i = 0; i < faults; i++) maze_edge(m, maze_random(r, m->nodes), m->nodes);
  if (faults) maze_shuffle(m, r);
  maze_measure(m);
  struct graph g = maze_graph(m);
  for (int i = 0; i < m->nodes; i++)
    if (m->bad[i]) graph_property(&g, IR_PROP_INVARIANT, "node", graph_is_not(&g, i));
  graph_finish(&g);
  return g;
}

// The node of the k-th invariant.
static int bad_node(const struct maze *m, uint32_t k) {
  int i = 0;
  while (!m->bad[i] || k-- > 0) i++;
  return i;
}

// Where a trace ends: the last node that was not left.
static int last_node(const struct maze *m, const struct trace *t) {
  size_t count = t->steps.count - (t->end == TRACE_SITE);
  if (count == 0) return m->start[t->start_instance];
  return m->to[t->steps.data[count - 1].instance];
}

// Longer than what the iteration before looked at, and no longer than what this one did. What is
// wrong with a state shows when it is stored, with an edge or a dead end when it is expanded.
static void expect_length(const struct maze *m, const struct search_config *c,
                          const struct trace *t) {
  int length = (int)t->steps.count, at = last_node(m, t), least = m->distance[at];
  EXPECT(least >= 0);
  if (t->end == TRACE_SITE) least++;
  if (t->end == TRACE_PROPERTY) EXPECT_EQUAL(at, bad_node(m, t->id));
  EXPECT(length >= least);
  if (t->end == TRACE_DEADLOCK)
    EXPECT(maze_stuck(m, at) && length < bound_of(c, least + 1));
  else
    EXPECT(length <= bound_of(c, least));
}

static bool faults_within(const struct maze *m, int depth) {
  for (int i = 0; i < m->edges; i++)
    if (maze_fault(m, i) && maze_reached(m, m->from[i], depth) && !m->bad[m->from[i]]) return true;
  return false;
}

static bool stuck_within(const struct maze *m, int depth) {
  for (int i = 0; i < m->nodes; i++)
    if (maze_reached(m, i, depth) && !m->bad[i] && maze_stuck(m, i)) return true;
  return false;
}

// All violations were asked for: just those within the bound were told.
static void expect_violations(const struct maze *m, const struct search_config *c,
                              const struct result *r) {
  int limit = (int)c->budget.depth_max;
  size_t at = 0;
  for (int i = 0; i < m->nodes; i++)
    if (m->bad[i])
      EXPECT_EQUAL(r->properties.data[at++].verdict == VERDICT_VIOLATED, maze_reached(m, i, limit));
  bool faults = faults_within(m, limit - 1), stuck = stuck_within(m, limit - 1);
  EXPECT_EQUAL(r->properties.data[at++].verdict == VERDICT_VIOLATED, faults);
  if (c->deadlock) EXPECT_EQUAL(r->properties.data[at++].verdict == VERDICT_VIOLATED, stuck);
}

static void expect_same(const struct maze *m, const struct search_config *c, const struct result *r,
                        const struct result *bfs) {
  EXPECT_EQUAL(r->verdict, bfs->verdict);
  EXPECT(!r->reason == !bfs->reason);
  EXPECT(!r->reason || strncmp(r->reason, bfs->reason, 5) == 0); // "lossy" with whatever bound
  EXPECT_EQUAL(r->traces.count, bfs->traces.count);
  if (c->max_errors) return;
  EXPECT_EQUAL(r->stats.states, bfs->stats.states);
  EXPECT_EQUAL(r->stats.transitions, bfs->stats.transitions);
  EXPECT_EQUAL(r->frontier, bfs->frontier);
  for (size_t i = 0; i < r->properties.count; i++)
    EXPECT_EQUAL(r->properties.data[i].verdict, bfs->properties.data[i].verdict);
}

// What is said to be complete is: every state within that distance, also of those behind a state
// that was not expanded because it is wrong, and no violation that was not told. (Of several in the
// start states the first may end the search, and no less than depth 0 can be said.)
static void expect_complete(const struct maze *m, const struct search_config *c,
                            const struct result *r) {
  int depth = (int)r->depth_complete, limit = (int)c->budget.depth_max;
  if (!r->depth_known || depth == 0) return;
  struct maze all = *m;
  memset(all.bad, 0, sizeof all.bad);
  maze_measure(&all);
  size_t at = 0;
  for (int i = 0; i < m->nodes; i++) {
    bool told = m->bad[i] && r->properties.data[at++].verdict == VERDICT_VIOLATED;
    EXPECT(!maze_reached(&all, i, depth) || maze_reached(m, i, limit));
    EXPECT(!m->bad[i] || told || !maze_reached(m, i, depth));
  }
  EXPECT(r->stats.states >= maze_within(m, depth));
}

static void expect_found(const struct maze *m, struct graph *g, const struct search_config *c) {
  struct result r, bfs;
  graph_search(g, "bounded", *c, &r);
  struct search_config reference = *c;
  reference.threads = 1;
  graph_search(g, "bfs", reference, &bfs);
  if (!c->max_errors) expect_violations(m, c, &r);
  for (size_t i = 0; i < r.traces.count; i++) expect_length(m, c, &r.traces.data[i]);
  expect_complete(m, c, &r);
  expect_same(m, c, &r, &bfs);
  result_clear(&r);
  result_clear(&bfs);
}

static void test_violations(void **context) {
  (void)context;
  struct rng rng;
  rng_init(&rng, 44);
  for (int round = 0; round < FAULTY_MAZES * effort(); round++) {
    struct maze m = maze_new(&rng);
    struct graph g = graph_with_faults(&m, &rng);
    for (int limit = 1; limit <= m.farthest + 2; limit += 1 + maze_random(&rng, 3)) {
      struct search_config c = bounds_config(&rng);
      c.budget.depth_max = (uint64_t)limit;
      c.max_errors = (uint64_t)maze_random(&rng, 3);
      c.deadlock = maze_random(&rng, 2) ? IR_DEADLOCK_STUCK : IR_DEADLOCK_OFF;
      expect_found(&m, &g, &c);
    }
    graph_free(&g);
  }
}

// The end of a chain is a dead end: seen when the bound is past it, not when it is at it.
static void test_deadlock_at_the_bound(void **context) {
  (void)context;
  struct rng rng;
  rng_init(&rng, 45);
  struct maze chain = {.nodes = 6, .starts = 1}, *m = &chain;
  for (int i = 0; i < 5; i++) maze_edge(m, i, i + 1);
  maze_measure(m);
  struct graph g = maze_graph(m);
  graph_finish(&g);
  for (int round = 0; round < 100; round++) {
    struct search_config config = bounds_config(&rng), *c = &config;
    c->deadlock = IR_DEADLOCK_STUCK;
    struct result r;
    for (uint64_t limit = 4; limit <= 7; limit++) {
      c->budget.depth_max = limit;
      graph_search(&g, "bounded", *c, &r);
      EXPECT_EQUAL(r.verdict, limit > 5 ? VERDICT_VIOLATED : VERDICT_UNKNOWN);
      EXPECT(limit > 5 || is(r.reason, "depth"));
      EXPECT(limit <= 5 || r.traces.data[0].end == TRACE_DEADLOCK);
      result_clear(&r);
    }
  }
  graph_free(&g);
}

// --- several threads, on something large enough for them to meet ---

static void test_large(void **context) {
  (void)context;
  struct rng rng;
  rng_init(&rng, 47);
  unsigned together = 0;
  for (int round = 0; round < LARGE_MAZES * effort(); round++) {
    struct maze maze = maze_large(&rng), *m = &maze;
    struct graph g = maze_graph(m);
    graph_finish(&g);
    struct search_config config = bounds_config(&rng), *c = &config;
    c->budget.depth_max = (uint64_t)maze_random(&rng, m->farthest + 2);
    c->threads = 2 + (unsigned)round % 3;
    if (round % 4 == 0) c->increment = 0; // as the search thinks best
    struct result r;
    graph_search(&g, "bounded", *c, &r);
    bounds_count(m, c, &r);
    together += r.stats.threads > 1;
    result_clear(&r);
    graph_free(&g);
  }
  assert_true(together > 0);
}

// Breadth first at this depth is what it must be like. Says how many threads took part.
static unsigned expect_like_bfs(struct graph *g, struct search_config c) {
  struct result r, bfs;
  graph_search(g, "bounded", c, &r);
  c.store = "exact";
  graph_search(g, "bfs", c, &bfs);
  assert_int_equal(r.stats.states, bfs.stats.states);
  assert_int_equal(r.stats.transitions, bfs.stats.transitions);
  assert_int_equal(r.frontier, bfs.frontier);
  if (bfs.verdict == VERDICT_UNKNOWN) assert_int_equal(r.depth_complete, bfs.depth_complete);
  unsigned took_part = (unsigned)r.stats.threads;
  result_clear(&r);
  result_clear(&bfs);
  return took_part;
}

static void test_web(void **context) {
  (void)context;
  struct rng rng;
  rng_init(&rng, 46);
  struct graph g = bounds_web(WEB);
  int together = 0;
  for (int round = 0; round < REPETITIONS * effort(); round++) {
    struct search_config c = bounds_config(&rng);
    if (c.increment > 7) c.increment = c.bounding == BOUNDING_DEPTH ? 8 : 12;
    c.threads = 2 + (unsigned)round % 3;
    c.budget.depth_max = (uint64_t)maze_random(&rng, 11);
    together += expect_like_bfs(&g, c) > 1;
  }
  assert_true(together > 0);
  graph_free(&g);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_bound),
      cmocka_unit_test(test_every_setting),
      cmocka_unit_test(test_assumptions),
      cmocka_unit_test(test_violations),
      cmocka_unit_test(test_deadlock_at_the_bound),
      cmocka_unit_test(test_web),
      cmocka_unit_test(test_large),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
