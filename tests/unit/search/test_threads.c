// SPDX-License-Identifier: Apache-2.0
// Breadth-first search by several threads, on a graph whose levels are wide enough to be shared
// out: node x leads to 2x + 1 and 7x + 3 (modulo the number of nodes), so its states are reached
// over many paths at once. What must come out is computed beside it.
#include "graph.h"

#include "store/store.h"

#include <signal.h>

#if defined(__SANITIZE_THREAD__)
enum { NODES = 2003, REPEATED_NODES = 401 };
#elif defined(FATHOM_SMALL)
enum { NODES = 5003, REPEATED_NODES = 701 };
#else
enum { NODES = 5003, REPEATED_NODES = NODES };
#endif

struct web {
  struct graph g;
  int nodes;
  int *distance; // from node 0; -1: unreachable
  uint64_t states, revisits, depth;
  uint64_t level[64];
};

static void add_step(struct web *w, int64_t factor, int64_t more) {
  struct graph *g = &w->g;
  struct ir_rule *r = ir_rule_new(g->model, false, "step", nowhere);
  struct ir_expr *times =
      ir_binary(g->model, IR_MUL, graph_x(g), ir_int(g->model, factor, nowhere), nowhere);
  struct ir_expr *plus =
      ir_binary(g->model, IR_ADD, times, ir_int(g->model, more, nowhere), nowhere);
  struct ir_expr *wrapped =
      ir_binary(g->model, IR_MOD, plus, ir_int(g->model, w->nodes, nowhere), nowhere);
  r->body = ir_assign(g->model, graph_x(g), wrapped, nowhere);
}

static void measure(struct web *w) {
  int *queue = mem_alloc((size_t)w->nodes * sizeof *queue), head = 0, tail = 0;
  w->distance = mem_alloc((size_t)w->nodes * sizeof *w->distance);
  for (int i = 0; i < w->nodes; i++) w->distance[i] = -1;
  w->distance[0] = 0;
  queue[tail++] = 0;
  while (head < tail) {
    int x = queue[head++], next[] = {(2 * x + 1) % w->nodes, (7 * x + 3) % w->nodes};
    w->depth = (uint64_t)w->distance[x];
    w->level[w->depth]++;
    for (int i = 0; i < 2; i++) {
      if (w->distance[next[i]] >= 0) {
        w->revisits++;
        continue;
      }
      w->distance[next[i]] = w->distance[x] + 1;
      queue[tail++] = next[i];
    }
  }
  w->states = (uint64_t)tail;
  mem_free(queue);
}

// Not finished yet.
static struct web web_new(int nodes) {
  struct web w = {.g = graph_new(nodes), .nodes = nodes};
  graph_start(&w.g, 0);
  add_step(&w, 2, 1);
  add_step(&w, 7, 3);
  measure(&w);
  return w;
}

static void web_free(struct web *w) {
  mem_free(w->distance);
  graph_free(&w->g);
}

static uint64_t within(const struct web *w, uint64_t depth) {
  uint64_t n = 0;
  for (uint64_t i = 0; i <= depth; i++) n += w->level[i];
  return n;
}

static struct search_config config_of(unsigned threads, const char *store) {
  struct search_config c = graph_config();
  c.threads = threads;
  c.store = store;
  c.budget.mem_bytes = (size_t)64 << 20;
  return c;
}

static const char *const stores[] = {"exact", "tree", "fingerprint", NULL};
static const unsigned counts[] = {1, 2, 3, 4, 0};

#define EACH_STORE(name)                                                                           \
  for (const char *const *name = stores; *name; name++)                                            \
    if (store_kind_known(*name))
#define EACH_COUNT(name) for (const unsigned *name = counts; *name; name++)

static bool is_lossy(const char *store) { return strcmp(store, "fingerprint") == 0; }

// --- counts ---

static void expect_complete(const struct web *w, const struct result *r, const char *store) {
  if (is_lossy(store)) {
    assert_int_equal(r->verdict, VERDICT_UNKNOWN);
    assert_memory_equal(r->reason, "lossy, p <= ", 12);
    assert_string_equal(r->properties.data[0].reason, "lossy");
  } else {
    if (r->reason) fail_msg("%s store: unknown (%s)", store, r->reason);
    assert_int_equal(r->verdict, VERDICT_HOLDS);
  }
  assert_int_equal(r->stats.states, w->states);
  assert_int_equal(r->stats.transitions, 2 * w->states);
  assert_int_equal(r->stats.revisits, w->revisits);
  assert_int_equal(r->stats.depth, w->depth);
  assert_true(r->depth_known);
  assert_int_equal(r->depth_complete, w->depth);
  assert_int_equal(r->frontier, 0);
}

static void expect_survey(const struct web *w, const struct survey *v) {
  assert_int_equal(v->levels.count, w->depth + 1);
  for (size_t i = 0; i <= w->depth; i++) assert_int_equal(v->levels.data[i], w->level[i]);
  assert_int_equal(v->fired[0], w->states);
  assert_int_equal(v->fired[1], w->states);
  assert_int_equal(v->fresh[0] + v->fresh[1], w->states - 1);
}

static void test_counts(void **context) {
  (void)context;
  struct web w = web_new(NODES);
  graph_property(&w.g, IR_PROP_INVARIANT, "fine", graph_is_not(&w.g, -1));
  graph_finish(&w.g);
  EACH_STORE(store) {
    EACH_COUNT(threads) {
      for (int how = 0; how < 4; how++) {
        struct search_config c = config_of(*threads, *store);
        c.survey = how & 1;
        c.deterministic = how & 2;
        struct result r;
        graph_search(&w.g, "bfs", c, &r);
        expect_complete(&w, &r, *store);
        if (c.survey) expect_survey(&w, &r.survey);
        bool alone = c.deterministic && is_lossy(*store);
        assert_int_equal(r.stats.threads, alone ? 1 : *threads);
        result_clear(&r);
      }
    }
  }
  web_free(&w);
}

static void test_repeated(void **context) {
  (void)context;
  struct web w = web_new(REPEATED_NODES);
  graph_property(&w.g, IR_PROP_INVARIANT, "fine", graph_is_not(&w.g, -1));
  graph_finish(&w.g);
  for (int i = 0; i < 200; i++) {
    struct result r;
    graph_search(&w.g, "bfs", config_of(4, "exact"), &r);
    expect_complete(&w, &r, "exact");
    assert_int_equal(r.stats.threads, 4);
    result_clear(&r);
  }
  web_free(&w);
}

static void test_depth_limits(void **context) {
  (void)context;
  struct web w = web_new(NODES);
  graph_finish(&w.g);
  EACH_STORE(store) {
    for (uint64_t limit = w.depth - 3; limit <= w.depth + 1; limit++) {
      struct search_config c = config_of(4, *store);
      c.budget.depth_max = limit;
      struct result r;
      graph_search(&w.g, "bfs", c, &r);
      if (limit >= w.depth) {
        expect_complete(&w, &r, *store);
      } else {
        assert_int_equal(r.verdict, VERDICT_UNKNOWN);
        assert_string_equal(r.reason, "depth");
        assert_int_equal(r.stats.states, within(&w, limit));
        assert_int_equal(r.stats.transitions, 2 * within(&w, limit - 1));
        assert_int_equal(r.depth_complete, limit);
        assert_int_equal(r.frontier, w.level[limit]);
      }
      result_clear(&r);
    }
  }
  web_free(&w);
}

// --- traces ---

// Some node in that level.
static int64_t node_at(const struct web *w, uint64_t depth) {
  for (int i = w->nodes; i-- > 0;)
    if (w->distance[i] == (int)depth) return i;
  fail_msg("no node at that depth");
  return 0;
}

static void test_shortest(void **context) {
  (void)context;
  for (uint64_t depth = 3; depth <= 12; depth += 3) {
    struct web w = web_new(NODES);
    int64_t target = node_at(&w, depth);
    graph_property(&w.g, IR_PROP_INVARIANT, "target", graph_is_not(&w.g, target));
    graph_finish(&w.g);
    EACH_STORE(store) {
      EACH_COUNT(threads) {
        struct result r;
        graph_search(&w.g, "bfs", config_of(*threads, *store), &r);
        assert_int_equal(r.verdict, VERDICT_VIOLATED);
        assert_int_equal(r.traces.count, 1);
        assert_int_equal(r.traces.data[0].steps.count, depth);
        assert_true(r.depth_known && r.depth_complete == depth - 1);
        result_clear(&r);
      }
    }
    web_free(&w);
  }
}

// Invariants, faults of steps, of properties and deadlocks in several levels; all of them are told,
// each by a shortest trace, by whichever thread.
static struct web faulty_web(void) {
  struct web w = web_new(NODES);
  struct graph *g = &w.g;
  struct ir_expr *few = graph_and(g, graph_is_not(g, node_at(&w, 8)), graph_is_not(g, 17));
  graph_property(g, IR_PROP_INVARIANT, "few", few);
  graph_property(g, IR_PROP_INVARIANT, "one", graph_is_not(g, node_at(&w, 10)));
  graph_property(g, IR_PROP_INVARIANT, "divides", graph_divides(g, node_at(&w, 9)));
  graph_property(g, IR_PROP_COVER, "reached", graph_is(g, node_at(&w, 11)));
  graph_edge(g, node_at(&w, 7), NODES); // fails
  graph_finish(g);
  return w;
}

static void test_all_told(void **context) {
  (void)context;
  struct web w = faulty_web();
  EACH_STORE(store) {
    EACH_COUNT(threads) {
      struct search_config c = config_of(*threads, *store);
      c.max_errors = 0;
      struct result r;
      graph_search(&w.g, "bfs", c, &r);
      assert_int_equal(r.traces.count, 4);
      for (size_t i = 0; i < 4; i++) {
        const struct trace *t = &r.traces.data[i];
        size_t length = t->steps.count;
        if (t->end == TRACE_PROPERTY && t->id == 0) assert_int_equal(length, 8);
        if (t->end == TRACE_PROPERTY && t->id == 1) assert_true(length >= 10);
        if (t->end == TRACE_SITE && t->in_property) assert_true(length >= 9);
        if (t->end == TRACE_SITE && !t->in_property) assert_int_equal(length, 8);
      }
      assert_int_equal(r.properties.data[3].verdict, VERDICT_HOLDS); // the cover goal
      result_clear(&r);
    }
  }
  web_free(&w);
}

static void expect_same_trace(const struct trace *a, const struct trace *b) {
  assert_int_equal(a->end, b->end);
  assert_int_equal(a->id, b->id);
  assert_int_equal(a->start_instance, b->start_instance);
  assert_int_equal(a->start_choice, b->start_choice);
  assert_int_equal(a->steps.count, b->steps.count);
  if (a->steps.count > 0)
    assert_memory_equal(a->steps.data, b->steps.data, a->steps.count * sizeof *a->steps.data);
}

static void expect_same(const struct result *a, const struct result *b) {
  assert_int_equal(a->verdict, b->verdict);
  assert_int_equal(a->stats.states, b->stats.states);
  assert_int_equal(a->stats.transitions, b->stats.transitions);
  assert_int_equal(a->stats.revisits, b->stats.revisits);
  assert_int_equal(a->stats.depth, b->stats.depth);
  assert_int_equal(a->frontier, b->frontier);
  assert_int_equal(a->depth_complete, b->depth_complete);
  assert_int_equal(a->traces.count, b->traces.count);
  for (size_t i = 0; i < a->traces.count; i++)
    expect_same_trace(&a->traces.data[i], &b->traces.data[i]);
  for (size_t i = 0; i < a->properties.count; i++)
    assert_int_equal(a->properties.data[i].verdict, b->properties.data[i].verdict);
}

static void test_deterministic(void **context) {
  (void)context;
  struct web w = faulty_web();
  EACH_STORE(store) {
    for (uint64_t most = 0; most <= 4; most++) {
      struct search_config c = config_of(1, *store);
      c.deterministic = true;
      c.max_errors = most;
      c.deadlock = IR_DEADLOCK_STUTTERING;
      struct result first;
      graph_search(&w.g, "bfs", c, &first);
      assert_int_equal(first.traces.count, most ? most : 4);
      EACH_COUNT(threads) {
        struct result r;
        c.threads = *threads;
        graph_search(&w.g, "bfs", c, &r);
        expect_same(&first, &r);
        result_clear(&r);
      }
      result_clear(&first);
    }
  }
  web_free(&w);
}

// --- ends ---

static void test_states_limit(void **context) {
  (void)context;
  struct web w = web_new(NODES);
  graph_finish(&w.g);
  EACH_STORE(store) {
    struct search_config c = config_of(4, *store);
    c.budget.states_max = 2000;
    struct result r;
    graph_search(&w.g, "bfs", c, &r);
    assert_int_equal(r.verdict, VERDICT_UNKNOWN);
    assert_string_equal(r.reason, "states");
    assert_int_equal(r.stats.states, 2000);
    assert_true(r.frontier > 0 && r.frontier < 2000);
    assert_true(within(&w, r.depth_complete) <= 2000);
    result_clear(&r);
  }
  web_free(&w);
}

static void exhaust(void *context, const struct search_progress *p) {
  *(uint64_t *)context = p->states;
  if (p->states > 1) mem_exhausted(1);
}

// Worker 0 runs out of memory while the others work.
static void test_exhausted(void **context) {
  (void)context;
  struct web w = web_new(NODES);
  graph_finish(&w.g);
  uint64_t seen = 0;
  struct search_config c = config_of(4, "exact");
  c.progress = exhaust;
  c.progress_context = &seen;
  struct result r;
  for (int i = 0; i < 20; i++) {
    graph_search(&w.g, "bfs", c, &r);
    if (seen > 1) {
      assert_int_equal(r.verdict, VERDICT_UNKNOWN);
      assert_string_equal(r.reason, "memory");
    }
    result_clear(&r);
  }
  web_free(&w);
}

// Another worker does: the system that is given to it unwinds in its first step, for which worker 0
// waits.
static struct {
  struct sys *(*clone)(struct sys *s);
  void (*expand)(struct sys *s, const uint64_t *state, struct sys_out *out);
  _Atomic bool cloned, entered, over;
} twist;

static void expand_without_memory(struct sys *s, const uint64_t *state, struct sys_out *out) {
  (void)s, (void)state, (void)out;
  twist.entered = true;
  mem_exhausted(1);
}

static void expand_behind(struct sys *s, const uint64_t *state, struct sys_out *out) {
  while (twist.cloned && !twist.entered) continue;
  twist.expand(s, state, out);
}

static struct sys *clone_without_memory(struct sys *s) {
  struct sys *copy = twist.clone(s);
  copy->expand = expand_without_memory;
  twist.cloned = true;
  return copy;
}

static struct sys *twisted(struct web *w, struct sys *(*clone)(struct sys *s)) {
  struct sys_config how = {.mode = SYS_INTERPRETED};
  struct sys *sys = sys_new(w->g.model, &how);
  twist.clone = sys->clone;
  twist.expand = sys->expand;
  twist.cloned = twist.entered = twist.over = false;
  sys->clone = clone;
  sys->expand = expand_behind;
  return sys;
}

static void test_worker_exhausted(void **context) {
  (void)context;
  struct web w = web_new(NODES);
  graph_finish(&w.g);
  for (int i = 0; i < 20; i++) {
    struct search_config c = config_of(4, "exact");
    struct result r = {0};
    c.model = w.g.model;
    c.sys = twisted(&w, clone_without_memory);
    search_run(search_strategy_find("bfs"), &c, &r);
    assert_int_equal(r.verdict, VERDICT_UNKNOWN);
    assert_string_equal(r.reason, "memory");
    assert_true(r.frontier > 0); // others may have found what its sources lead to
    sys_free(c.sys);
    result_clear(&r);
  }
  web_free(&w);
}

static void interrupt_once(void *context, const struct search_progress *p) {
  (void)p;
  if (++*(int *)context != 2) return;
  raise(SIGINT);
  twist.over = true;
}

// A worker that does not end its batch before the interrupt.
static void expand_for_ever(struct sys *s, const uint64_t *state, struct sys_out *out) {
  (void)s, (void)state, (void)out;
  twist.entered = true;
  while (!twist.over) continue;
}

static struct sys *clone_for_ever(struct sys *s) {
  struct sys *copy = twist.clone(s);
  copy->expand = expand_for_ever;
  twist.cloned = true;
  return copy;
}

// Worker 0 waits for the others at the end of the level, and still sees the interrupt.
static void test_interrupted_while_waiting(void **context) {
  (void)context;
  interrupt_install();
  struct web w = web_new(NODES);
  graph_finish(&w.g);
  int calls = 0;
  struct search_config c = config_of(2, "exact");
  struct result r = {0};
  c.model = w.g.model;
  c.sys = twisted(&w, clone_for_ever);
  c.progress = interrupt_once;
  c.progress_context = &calls;
  search_run(search_strategy_find("bfs"), &c, &r);
  assert_int_equal(r.verdict, VERDICT_UNKNOWN);
  assert_string_equal(r.reason, "interrupted");
  interrupt_clear();
  sys_free(c.sys);
  result_clear(&r);
  web_free(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_counts),           cmocka_unit_test(test_repeated),
      cmocka_unit_test(test_depth_limits),     cmocka_unit_test(test_shortest),
      cmocka_unit_test(test_all_told),         cmocka_unit_test(test_deterministic),
      cmocka_unit_test(test_states_limit),     cmocka_unit_test(test_exhausted),
      cmocka_unit_test(test_worker_exhausted), cmocka_unit_test(test_interrupted_while_waiting),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
