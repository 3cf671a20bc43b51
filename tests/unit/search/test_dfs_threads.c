// SPDX-License-Identifier: Apache-2.0
// Depth-first search with several threads: the same states and rules as breadth first, traces that
// replay whoever found them, an end whatever the shape of the tree, and limits.
#include "graph.h"

#include "store/store.h"

#include <signal.h>
#include <stdatomic.h>

#if defined(__SANITIZE_THREAD__)
enum { NODES = 700, DEEP = 50000, REPETITIONS = 40 };
#elif defined(FATHOM_SMALL) // a search is alone for a few states only
enum { NODES = 700, DEEP = 50000, REPETITIONS = 100 };
#else
enum { NODES = 6000, DEEP = 300000, REPETITIONS = 200 };
#endif

static const unsigned threads[] = {1, 2, 4, 8};
enum { THREADS = sizeof threads / sizeof *threads };

static const char *const kinds[] = {"exact", "tree", "fingerprint", "bitstate"};
enum { KINDS = sizeof kinds / sizeof *kinds };

static struct search_config config_of(unsigned thread_count, const char *store) {
  struct search_config c = graph_config();
  c.threads = thread_count;
  c.store = store;
  return c;
}

static void expect_reason(const struct result *r, const char *reason) {
  assert_int_equal(r->verdict, VERDICT_UNKNOWN);
  assert_string_equal(r->reason, reason);
}

// A search that came to its end by itself.
static void expect_complete(const struct result *r, const char *store) {
  bool lossy = strcmp(store, "exact") != 0 && strcmp(store, "tree") != 0;
  if (lossy)
    assert_true(r->reason && strncmp(r->reason, "lossy", 5) == 0);
  else
    assert_int_equal(r->verdict, VERDICT_HOLDS);
  assert_int_equal(r->frontier, 0);
}

static void expect_same(const struct result *a, const struct result *b) {
  assert_int_equal(a->stats.states, b->stats.states);
  assert_int_equal(a->stats.transitions, b->stats.transitions);
  assert_int_equal(a->stats.revisits, b->stats.revisits);
}

// --- shapes ---

static struct ir_expr *number(struct graph *g, int64_t n) { return ir_int(g->model, n, nowhere); }

// x -> (a * x + b) % nodes, where the guard holds (NULL: everywhere)
static void add_map(struct graph *g, int64_t nodes, int64_t a, int64_t b, struct ir_expr *guard) {
  struct ir_rule *r = ir_rule_new(g->model, false, "map", nowhere);
  struct ir_expr *product = ir_binary(g->model, IR_MUL, graph_x(g), number(g, a), nowhere);
  struct ir_expr *sum = ir_binary(g->model, IR_ADD, product, number(g, b), nowhere);
  struct ir_expr *next = ir_binary(g->model, IR_MOD, sum, number(g, nodes), nowhere);
  r->guard = guard ? guard : ir_bool(g->model, true, nowhere);
  r->body = ir_assign(g->model, graph_x(g), next, nowhere);
}

static struct ir_expr *below(struct graph *g, int64_t n) {
  return ir_binary(g->model, IR_LT, graph_x(g), number(g, n), nowhere);
}

static struct ir_expr *even(struct graph *g) {
  struct ir_expr *rest = ir_binary(g->model, IR_MOD, graph_x(g), number(g, 2), nowhere);
  return ir_binary(g->model, IR_EQ, rest, number(g, 0), nowhere);
}

// 0 -> 1 -> 2 ... : nothing to share.
static struct graph chain(int64_t n) {
  struct graph g = graph_new(n);
  graph_start(&g, 0);
  add_map(&g, n, 1, 1, below(&g, n - 1));
  return g;
}

static struct graph star(int64_t n) {
  struct graph g = graph_new(n);
  graph_start(&g, 0);
  for (int64_t i = 1; i < n; i++) graph_edge(&g, 0, i);
  return g;
}

static struct graph binary_tree(int64_t n) {
  struct graph g = graph_new(n);
  graph_start(&g, 0);
  add_map(&g, n, 2, 1, below(&g, (n - 1) / 2));
  add_map(&g, n, 2, 2, below(&g, (n - 1) / 2));
  return g;
}

// A chain of even numbers, each with a leaf at its side that is visited before or after the rest of
// the chain: every frame has something to give, but hardly anything comes of it.
static struct graph ladder(int64_t n, bool leaf_first) {
  struct graph g = graph_new(n);
  graph_start(&g, 0);
  for (int i = 0; i < 2; i++) {
    bool leaf = leaf_first == (i == 0);
    add_map(&g, n, 1, leaf ? 1 : 2, graph_and(&g, even(&g), below(&g, n - 2)));
  }
  return g;
}

// Chains that hang on all the starts.
static struct graph comb(int64_t n, int64_t starts) {
  struct graph g = graph_new(n);
  for (int64_t i = 0; i < starts; i++) graph_start(&g, i);
  add_map(&g, n, 1, starts, below(&g, n - starts));
  return g;
}

// Every state leads to some others, all over the place.
static struct graph tangle(int64_t n, struct rng *rng) {
  struct graph g = graph_new(n);
  graph_start(&g, (int64_t)rng_below(rng, (uint64_t)n));
  uint64_t maps = 2 + rng_below(rng, 3);
  for (uint64_t i = 0; i < maps; i++) {
    int64_t a = (int64_t)rng_below(rng, (uint64_t)n), b = (int64_t)rng_below(rng, (uint64_t)n);
    int64_t bound = (int64_t)rng_below(rng, (uint64_t)n * 2);
    add_map(&g, n, i == 0 ? 1 : a, b, i == 0 ? NULL : below(&g, bound));
  }
  return g;
}

// --- counts ---

static void expect_like(const struct result *bfs, struct graph *g, unsigned thread_count,
                        const char *store) {
  struct result r;
  graph_search(g, "dfs", config_of(thread_count, store), &r);
  expect_complete(&r, store);
  expect_same(bfs, &r);
  assert_true(r.stats.depth >= bfs->stats.depth);
  assert_true(r.stats.depth < r.stats.states);
  result_clear(&r);
}

// Bit states touch pages all over a large array: once is enough.
static bool tries(unsigned thread_count, const char *store) {
  return store_kind_known(store) && (thread_count == 4 || strcmp(store, "bitstate") != 0);
}

static void expect_shape(struct graph g) {
  graph_finish(&g);
  struct result bfs;
  graph_search(&g, "bfs", graph_config(), &bfs);
  assert_int_equal(bfs.verdict, VERDICT_HOLDS);
  for (size_t i = 0; i < THREADS; i++)
    for (size_t k = 0; k < KINDS; k++)
      if (tries(threads[i], kinds[k])) expect_like(&bfs, &g, threads[i], kinds[k]);
  result_clear(&bfs);
  graph_free(&g);
}

static void test_shapes(void **context) {
  (void)context;
  expect_shape(chain(NODES));
  expect_shape(star(NODES / 10));
  expect_shape(binary_tree(NODES * 4));
  expect_shape(ladder(NODES, true));
  expect_shape(ladder(NODES, false));
  expect_shape(comb(NODES, 3));
  expect_shape(comb(NODES, 40));
}

static void test_tangles(void **context) {
  (void)context;
  struct rng rng;
  rng_init(&rng, 21);
  for (int round = 0; round < 10; round++) expect_shape(tangle(NODES * 2, &rng));
}

static void test_repetitions(void **context) {
  (void)context;
  struct graph g = graph_new(NODES);
  graph_start(&g, 1);
  add_map(&g, NODES, 1, 1, NULL);
  add_map(&g, NODES, 5, 3, NULL);
  add_map(&g, NODES, 7, 11, even(&g));
  graph_finish(&g);
  struct result a, b;
  graph_search(&g, "bfs", graph_config(), &a);
  for (int i = 0; i < REPETITIONS; i++) {
    graph_search(&g, "dfs", config_of(4, "exact"), &b);
    expect_complete(&b, "exact");
    expect_same(&a, &b);
    result_clear(&b);
  }
  result_clear(&a);
  graph_free(&g);
}

// --- violations: graph_search replays every trace ---

static void expect_found(struct graph *g, unsigned thread_count, uint64_t max_errors) {
  struct search_config c = config_of(thread_count, "exact");
  c.max_errors = max_errors;
  c.deadlock = IR_DEADLOCK_STUCK;
  struct result a, b;
  graph_search(g, "dfs", c, &b);
  c.threads = 1;
  graph_search(g, "bfs", c, &a);
  assert_int_equal(a.verdict, b.verdict);
  assert_int_equal(a.traces.count, b.traces.count);
  if (!max_errors) expect_same(&a, &b); // what violates an invariant is not expanded
  result_clear(&a);
  result_clear(&b);
}

static void test_violations(void **context) {
  (void)context;
  struct rng rng;
  rng_init(&rng, 23);
  for (int round = 0; round < 12; round++) {
    struct graph g = round % 3 == 0   ? tangle(NODES, &rng)
                     : round % 3 == 1 ? ladder(NODES, round % 2)
                                      : binary_tree(NODES);
    for (int i = 0; i < 4; i++)
      graph_property(&g, IR_PROP_INVARIANT, "target",
                     graph_is_not(&g, (int64_t)rng_below(&rng, NODES)));
    graph_edge(&g, (int64_t)rng_below(&rng, NODES), NODES * 9); // out of range
    graph_finish(&g);
    for (size_t i = 0; i < THREADS; i++)
      for (uint64_t max = 0; max <= 2; max++) expect_found(&g, threads[i], max);
    graph_free(&g);
  }
}

// The last state of a ladder: its trace was handed on as a path, perhaps many times.
static void test_deep_trace(void **context) {
  (void)context;
  for (size_t i = 0; i < THREADS; i++) {
    struct graph g = ladder(DEEP, i % 2);
    graph_property(&g, IR_PROP_INVARIANT, "not the last", graph_is_not(&g, DEEP - 2));
    graph_finish(&g);
    struct result r;
    graph_search(&g, "dfs", config_of(threads[i], "exact"), &r);
    assert_int_equal(r.verdict, VERDICT_VIOLATED);
    assert_int_equal(r.traces.data[0].steps.count, DEEP / 2 - 1);
    assert_int_equal(r.stats.depth, DEEP / 2 - 1);
    result_clear(&r);
    graph_free(&g);
  }
}

// --- limits ---

static void test_depth_limits(void **context) {
  (void)context;
  struct rng rng;
  rng_init(&rng, 24);
  for (int round = 0; round < 40; round++) {
    struct graph g = round % 2 ? tangle(NODES, &rng) : binary_tree(NODES);
    graph_finish(&g);
    struct search_config c = config_of(threads[(size_t)round / 2 % THREADS], "exact");
    c.budget.depth_max = round % 2 ? 1 + rng_below(&rng, NODES) : 1 + (uint64_t)round / 2;
    struct result a, b;
    graph_search(&g, "bfs", graph_config(), &a);
    graph_search(&g, "dfs", c, &b);
    assert_true(b.stats.depth <= c.budget.depth_max);
    assert_false(b.depth_known);
    if (b.verdict == VERDICT_HOLDS) {
      expect_same(&a, &b);
    } else {
      expect_reason(&b, "depth");
      assert_true(b.frontier > 0);
    }
    // A tree has one path to each state: nothing depends on who comes first.
    if (round % 2 == 0 && b.verdict == VERDICT_HOLDS)
      assert_true(a.stats.depth <= c.budget.depth_max);
    if (round % 2 == 0 && b.verdict != VERDICT_HOLDS)
      assert_int_equal(b.stats.states, (2ull << c.budget.depth_max) - 1);
    result_clear(&a);
    result_clear(&b);
    graph_free(&g);
  }
}

static void test_budgets(void **context) {
  (void)context;
  struct graph g = binary_tree(400000);
  graph_finish(&g);
  for (size_t i = 0; i < THREADS; i++) {
    struct result r;
    struct search_config c = config_of(threads[i], "exact");
    c.budget.states_max = 20000;
    graph_search(&g, "dfs", c, &r);
    expect_reason(&r, "states");
    assert_int_equal(r.stats.states, 20000);
    result_clear(&r);

    for (size_t bytes = 1000; bytes <= 300000; bytes *= 5) {
      c = config_of(threads[i], "exact");
      c.budget.mem_bytes = bytes;
      graph_search(&g, "dfs", c, &r);
      expect_reason(&r, "memory");
      result_clear(&r);
    }

    c = config_of(threads[i], "exact");
    c.started -= 10;
    c.budget.seconds = 5;
    graph_search(&g, "dfs", c, &r);
    expect_reason(&r, "time");
    result_clear(&r);
  }
  graph_free(&g);
}

// A stack and shared paths alone can take more memory than there is.
static void test_stack_limit(void **context) {
  (void)context;
  for (size_t i = 0; i < THREADS; i++) {
    struct graph g = ladder(DEEP, false);
    graph_finish(&g);
    struct result r;
    struct search_config c = config_of(threads[i], "fingerprint");
    c.budget.mem_bytes = (size_t)DEEP * 20;
    graph_search(&g, "dfs", c, &r);
    expect_reason(&r, "memory");
    result_clear(&r);
    graph_free(&g);
  }
}

static void interrupt_soon(void *context, const struct search_progress *p) {
  (void)p;
  ++*(int *)context;
  raise(SIGINT);
}

static void test_interrupt(void **context) {
  (void)context;
  interrupt_install();
  for (size_t i = 0; i < THREADS; i++) {
    struct graph g = i % 2 ? chain(400000) : binary_tree(400000);
    graph_finish(&g);
    int calls = 0;
    struct search_config c = config_of(threads[i], "exact");
    c.progress = interrupt_soon;
    c.progress_context = &calls;
    struct result r;
    graph_search(&g, "dfs", c, &r);
    expect_reason(&r, "interrupted");
    assert_int_equal(calls, 1);
    interrupt_clear();
    result_clear(&r);
    graph_free(&g);
  }
}

// --- a system whose memory runs out in whichever thread comes to it ---

struct poor {
  struct sys pub;
  struct sys *inner;
  _Atomic long *left; // expansions
};

static struct sys *poor_new(struct sys *inner, _Atomic long *left);

static void poor_poll(struct sys *s) { sys_poll(((struct poor *)s)->inner); }

static void poor_free(struct sys *s) {
  sys_free(((struct poor *)s)->inner);
  mem_free(s);
}

static struct sys *poor_clone(struct sys *s) {
  struct poor *p = (struct poor *)s;
  return poor_new(sys_clone(p->inner), p->left);
}

static void poor_starts(struct sys *s, struct sys_out *out) {
  struct sys *inner = ((struct poor *)s)->inner;
  inner->starts(inner, out);
}

static void poor_expand(struct sys *s, const uint64_t *state, struct sys_out *out) {
  struct poor *p = (struct poor *)s;
  if (atomic_fetch_sub(p->left, 1) == 0) mem_exhausted(1);
  p->inner->expand(p->inner, state, out);
}

static struct sys_fault poor_check(struct sys *s, const uint64_t *state) {
  struct sys *inner = ((struct poor *)s)->inner;
  return inner->check(inner, state);
}

static struct sys *poor_new(struct sys *inner, _Atomic long *left) {
  struct poor *p = mem_zalloc(1, sizeof *p);
  p->pub = *inner;
  p->pub.poll = poor_poll;
  p->pub.free = poor_free;
  p->pub.clone = poor_clone;
  p->pub.starts = poor_starts;
  p->pub.expand = poor_expand;
  p->pub.check = poor_check;
  p->inner = inner;
  p->left = left;
  return &p->pub;
}

static void test_out_of_memory(void **context) {
  (void)context;
  struct graph g = binary_tree(NODES);
  graph_finish(&g);
  for (long expansions = 0; expansions < NODES; expansions += NODES / 60) {
    for (size_t i = 0; i < THREADS; i++) {
      _Atomic long left = expansions;
      struct sys_config how = {.mode = SYS_INTERPRETED};
      struct search_config c = config_of(threads[i], "exact");
      c.model = g.model;
      c.sys = poor_new(sys_new(g.model, &how), &left);
      struct result r = {0};
      search_run(search_strategy_find("dfs"), &c, &r);
      expect_reason(&r, "memory");
      sys_free(c.sys);
      result_clear(&r);
    }
  }
  graph_free(&g);
}

// --- the survey ---

static void test_survey(void **context) {
  (void)context;
  struct graph g = binary_tree(NODES);
  add_map(&g, NODES, 1, 0, even(&g)); // leads nowhere
  graph_finish(&g);
  for (size_t i = 0; i < THREADS; i++) {
    struct search_config c = config_of(threads[i], "exact");
    c.survey = true;
    struct result r;
    graph_search(&g, "dfs", c, &r);
    const uint64_t inner = (NODES - 1) / 2, *fired = r.survey.fired, *fresh = r.survey.fresh;
    assert_int_equal(fired[0], inner);
    assert_int_equal(fired[1], inner);
    assert_int_equal(fired[2], NODES / 2);
    assert_int_equal(fresh[0], inner);
    assert_int_equal(fresh[1], inner);
    assert_int_equal(fresh[2], 0);
    result_clear(&r);
  }
  graph_free(&g);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_shapes),      cmocka_unit_test(test_tangles),
      cmocka_unit_test(test_repetitions), cmocka_unit_test(test_violations),
      cmocka_unit_test(test_deep_trace),  cmocka_unit_test(test_depth_limits),
      cmocka_unit_test(test_budgets),     cmocka_unit_test(test_stack_limit),
      cmocka_unit_test(test_interrupt),   cmocka_unit_test(test_out_of_memory),
      cmocka_unit_test(test_survey),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
