// SPDX-License-Identifier: Apache-2.0
// Shortened traces: they replay, end as they did, are never longer, and are shortest when there is
// time. What shortest is, a breadth-first search says.
#include "maze.h"

#include "front/murphi/murphi.h"
#include "reduce/reduce.h"
#include "search/shrink.h"

#include <signal.h>

#ifdef FATHOM_SMALL
enum { MAZES = 300, SIDE = 60, CUBE = 12 };
#else
enum { MAZES = 600, SIDE = 200, CUBE = 40 };
#endif

static struct shrink_config shrink_config(struct graph *g, struct sys *sys, int deadlock) {
  return (struct shrink_config){.sys = sys, .model = g->model, .deadlock = deadlock};
}

static bool same_end(const struct trace *a, const struct trace *b) {
  return a->end == b->end && a->id == b->id && a->in_property == b->in_property &&
         (!a->in_property || a->property == b->property);
}

static void replays(const struct trace *t, const struct ir_model *m, int deadlock) {
  struct replay p;
  if (!trace_replay(t, m, deadlock, &p)) fail_msg("%s", p.problem);
  replay_clear(&p);
}

static struct trace copy_of(const struct trace *t) {
  struct trace c = *t;
  c.steps.data = mem_alloc(t->steps.count * sizeof *t->steps.data);
  c.steps.capacity = t->steps.count;
  if (t->steps.count > 0)
    memcpy(c.steps.data, t->steps.data, t->steps.count * sizeof *t->steps.data);
  return c;
}

// The trace after it was shortened, checked; the caller's stays.
static struct trace shortened(const struct trace *t, struct graph *g,
                              const struct shrink_config *c) {
  struct trace s = copy_of(t);
  shrink_trace(&s, c);
  replays(&s, g->model, c->deadlock);
  assert_true(same_end(&s, t));
  assert_true(s.steps.count <= t->steps.count);
  assert_int_equal(s.found_steps, s.steps.count < t->steps.count ? t->steps.count : 0);
  return s;
}

static struct sys *interpreted(const struct graph *g) {
  return sys_new(g->model, &(struct sys_config){.mode = SYS_INTERPRETED});
}

// --- random graphs ---

// With invariants that some nodes violate or cannot be asked at, edges that fail, dead ends.
static struct graph wrong_graph(struct maze *m, struct rng *r) {
  for (int i = 0; i < m->nodes; i++)
    if (maze_random(r, 12) == 0) m->absent[i] = true;
  for (int i = 0; i < m->edges; i++)
    if (maze_random(r, 25) == 0) m->to[i] = m->nodes + maze_random(r, 2);
  struct graph g = maze_graph(m);
  for (int i = 1; i < m->nodes; i++) {
    int kind = maze_random(r, 20);
    if (kind == 0) graph_property(&g, IR_PROP_INVARIANT, "not here", graph_is_not(&g, i));
    if (kind == 1) graph_property(&g, IR_PROP_INVARIANT, "divides", graph_divides(&g, i));
    if (kind == 2) graph_property(&g, IR_PROP_COVER, "goal", graph_divides(&g, i));
  }
  graph_finish(&g);
  return g;
}

static const struct trace *trace_like(const struct result *r, const struct trace *t) {
  for (size_t i = 0; i < r->traces.count; i++)
    if (same_end(&r->traces.data[i], t)) return &r->traces.data[i];
  fail_msg("breadth first did not find it");
  return NULL;
}

static bool same_steps(const struct trace *a, const struct trace *b) {
  return a->start_instance == b->start_instance && a->start_choice == b->start_choice &&
         a->steps.count == b->steps.count &&
         (a->steps.count == 0 ||
          memcmp(a->steps.data, b->steps.data, a->steps.count * sizeof *a->steps.data) == 0);
}

// Shortest with all the time and memory, the same each time; with little, whatever it is.
static void shrink_all(struct graph *g, const struct result *found, const struct result *shortest,
                       struct shrink_config c, struct rng *r) {
  for (size_t i = 0; i < found->traces.count; i++) {
    const struct trace *t = &found->traces.data[i];
    c.mem_bytes = 0;
    struct trace a = shortened(t, g, &c), b = shortened(t, g, &c);
    assert_int_equal(a.steps.count, trace_like(shortest, t)->steps.count);
    assert_true(same_steps(&a, &b));
    c.mem_bytes = 1 + (size_t)maze_random(r, 40000);
    struct trace d = shortened(t, g, &c);
    trace_clear(&a);
    trace_clear(&b);
    trace_clear(&d);
  }
}

static uint64_t shrink_mazes(const char *strategy, uint64_t seed) {
  struct rng r;
  rng_init(&r, seed);
  struct maze m = maze_new(&r);
  struct graph g = wrong_graph(&m, &r);
  struct search_config c = graph_config();
  c.max_errors = 0;
  c.deadlock = maze_random(&r, 3); // IR_DEADLOCK_OFF, STUCK, STUTTERING
  struct result found, shortest;
  graph_search(&g, strategy, c, &found);
  graph_search(&g, "bfs", c, &shortest);
  struct sys *sys = interpreted(&g);
  shrink_all(&g, &found, &shortest, shrink_config(&g, sys, c.deadlock), &r);
  uint64_t traces = found.traces.count;
  sys_free(sys);
  result_clear(&found);
  result_clear(&shortest);
  graph_free(&g);
  return traces;
}

static void random_graphs(void **state) {
  (void)state;
  uint64_t traces = 0;
  for (uint64_t seed = 0; seed < MAZES; seed++)
    traces += shrink_mazes(seed % 4 ? "dfs" : "bounded", seed);
  assert_true(traces > MAZES);
}

// --- grids ---

enum { DIMENSIONS_MAX = 4 };

struct grid {
  struct graph g;
  struct ir_var *at[DIMENSIONS_MAX];
  int dimensions, side;
};

static struct ir_expr *place(struct grid *k, int dimension) {
  return ir_var_ref(k->g.model, k->at[dimension], nowhere);
}

static struct ir_expr *number(struct grid *k, int64_t n) { return ir_int(k->g.model, n, nowhere); }

static void grid_move(struct grid *k, int dimension, enum ir_op op, int64_t stop) {
  struct ir_model *m = k->g.model;
  struct ir_rule *r = ir_rule_new(m, false, "move", nowhere);
  r->guard = ir_binary(m, IR_NE, place(k, dimension), number(k, stop), nowhere);
  struct ir_expr *next = ir_binary(m, op, place(k, dimension), number(k, 1), nowhere);
  r->body = ir_assign(m, place(k, dimension), next, nowhere);
}

// Everywhere from the corner; the wrong place has these coordinates.
static struct grid grid_new(int dimensions, int side, int64_t wrong) {
  struct grid k = {
      .g = {.model = ir_model_new("grid", "ir")}, .dimensions = dimensions, .side = side};
  struct ir_model *m = k.g.model;
  k.g.type = ir_type_range(m, 0, side - 1);
  static const char *const names[] = {"x", "y", "z", "w"};
  for (int i = 0; i < dimensions; i++) k.at[i] = ir_var_new(m, names[i], k.g.type, nowhere);
  struct ir_rule *start = ir_rule_new(m, true, "start", nowhere);
  struct ir_stmt **end = &start->body;
  for (int i = 0; i < dimensions; i++) {
    *end = ir_assign(m, place(&k, i), number(&k, 0), nowhere);
    end = &(*end)->next;
  }
  for (int i = 0; i < dimensions; i++) {
    grid_move(&k, i, IR_ADD, side - 1);
    grid_move(&k, i, IR_SUB, 0);
  }
  struct ir_expr *fine = ir_binary(m, IR_NE, place(&k, 0), number(&k, wrong), nowhere);
  for (int i = 1; i < dimensions; i++)
    fine = ir_binary(m, IR_OR, fine, ir_binary(m, IR_NE, place(&k, i), number(&k, wrong), nowhere),
                     nowhere);
  graph_property(&k.g, IR_PROP_INVARIANT, "fine", fine);
  graph_finish(&k.g);
  return k;
}

// A depth-first trace goes up and down through the whole of it.
static void long_trace(void **state) {
  (void)state;
  struct grid k = grid_new(2, SIDE, SIDE / 2);
  struct result found;
  graph_search(&k.g, "dfs", graph_config(), &found);
  assert_int_equal(found.traces.count, 1);
  const struct trace *t = &found.traces.data[0];
  assert_true(t->steps.count > SIDE * SIDE / 4);
  struct sys *sys = interpreted(&k.g);
  struct shrink_config c = shrink_config(&k.g, sys, IR_DEADLOCK_OFF);
  struct trace s = shortened(t, &k.g, &c);
  assert_int_equal(s.steps.count, SIDE);
  trace_clear(&s);
  sys_free(sys);
  result_clear(&found);
  graph_free(&k.g);
}

static void stroll_to(const struct grid *k, int *at, const int *to, struct trace *t) {
  for (int i = 0; i < k->dimensions; i++)
    while (at[i] != to[i]) {
      bool up = at[i] < to[i];
      at[i] += up ? 1 : -1;
      VEC_PUSH(&t->steps, ((struct trace_step){(uint32_t)(2 * i + !up), 0}));
    }
}

// Here and there through a cube, and then to the wrong place.
static struct trace stroll(const struct grid *k, int wrong, uint64_t seed) {
  struct trace t = {.end = TRACE_PROPERTY};
  struct rng r;
  rng_init(&r, seed);
  int at[DIMENSIONS_MAX] = {0}, to[DIMENSIONS_MAX];
  for (int places = 0; places < 6; places++) {
    for (int i = 0; i < k->dimensions; i++) to[i] = maze_random(&r, wrong);
    stroll_to(k, at, to, &t);
  }
  for (int i = 0; i < k->dimensions; i++) to[i] = wrong;
  stroll_to(k, at, to, &t);
  return t;
}

// More states than the memory holds: what lies near the trace must do.
static void little_memory(void **state) {
  (void)state;
  struct grid k = grid_new(3, CUBE, CUBE / 2);
  struct sys *sys = interpreted(&k.g);
  struct shrink_config c = shrink_config(&k.g, sys, IR_DEADLOCK_OFF);
  c.mem_bytes = CUBE * CUBE * CUBE * 8;
  size_t before = 0, after = 0;
  for (uint64_t seed = 0; seed < 4; seed++) {
    struct trace t = stroll(&k, CUBE / 2, seed), s = shortened(&t, &k.g, &c);
    before += t.steps.count;
    after += s.steps.count;
    trace_clear(&t);
    trace_clear(&s);
  }
  assert_true(after < before / 2);
  sys_free(sys);
  graph_free(&k.g);
}

// A trace that does not fit, where the search from the start does all the same.
static void trace_too_long(void **state) {
  (void)state;
  enum { LENGTH = 40000 };
  struct graph g = graph_new(LENGTH + 1);
  struct ir_model *m = g.model;
  graph_start(&g, 0);
  struct ir_rule *on = ir_rule_new(m, false, "on", nowhere);
  on->guard = graph_is_not(&g, LENGTH);
  on->body = ir_assign(m, graph_x(&g),
                       ir_binary(m, IR_ADD, graph_x(&g), ir_int(m, 1, nowhere), nowhere), nowhere);
  graph_edge(&g, 10, LENGTH);
  graph_property(&g, IR_PROP_INVARIANT, "not there", graph_is_not(&g, LENGTH));
  graph_finish(&g);
  struct trace t = {.end = TRACE_PROPERTY};
  for (int i = 0; i < LENGTH; i++) VEC_PUSH(&t.steps, ((struct trace_step){0, 0}));
  struct sys *sys = interpreted(&g);
  struct shrink_config c = shrink_config(&g, sys, IR_DEADLOCK_OFF);
  c.mem_bytes = 300000;
  struct trace s = shortened(&t, &g, &c);
  assert_int_equal(s.steps.count, 11);
  trace_clear(&s);
  trace_clear(&t);
  sys_free(sys);
  graph_free(&g);
}

// Time that is over at once, and hardly any.
static void little_time(void **state) {
  (void)state;
  struct grid k = grid_new(3, CUBE, CUBE / 2);
  struct sys *sys = interpreted(&k.g);
  struct shrink_config c = shrink_config(&k.g, sys, IR_DEADLOCK_OFF);
  struct trace t = stroll(&k, CUBE / 2, 7);
  for (c.seconds = 1e-9; c.seconds < 0.1; c.seconds *= 10) {
    double began = clock_seconds();
    struct trace s = shortened(&t, &k.g, &c);
    assert_true(clock_seconds() - began < c.seconds + 20);
    trace_clear(&s);
  }
  trace_clear(&t);
  sys_free(sys);
  graph_free(&k.g);
}

// --- what stays as it is ---

static void left_alone(void **state) {
  (void)state;
  struct graph g = graph_chain(5);
  graph_edge(&g, 0, 4);
  graph_property(&g, IR_PROP_INVARIANT, "not 4", graph_is_not(&g, 4));
  graph_finish(&g);
  struct sys *sys = interpreted(&g);
  struct shrink_config c = shrink_config(&g, sys, IR_DEADLOCK_OFF);
  struct trace t = {.end = TRACE_PROPERTY};
  for (uint32_t i = 0; i < 4; i++) VEC_PUSH(&t.steps, ((struct trace_step){i, 0}));

  t.end = TRACE_WITNESS;
  shrink_trace(&t, &c);
  assert_int_equal(t.steps.count, 4);
  t.end = TRACE_PROPERTY;
  t.has_loop = true;
  shrink_trace(&t, &c);
  assert_int_equal(t.steps.count, 4);
  t.has_loop = false;
  interrupt_install();
  raise(SIGINT);
  shrink_trace(&t, &c);
  interrupt_clear();
  assert_int_equal(t.steps.count, 4);
  assert_int_equal(t.found_steps, 0);

  shrink_trace(&t, &c);
  assert_int_equal(t.steps.count, 1);
  assert_int_equal(t.found_steps, 4);
  shrink_trace(&t, &c); // again: nothing to be gained
  assert_int_equal(t.steps.count, 1);
  assert_int_equal(t.found_steps, 4);
  trace_clear(&t);
  sys_free(sys);
  graph_free(&g);
}

// A property that is switched off may be violated on the way; one that is on may not.
static void other_properties(void **state) {
  (void)state;
  struct graph g = graph_chain(6);
  graph_edge(&g, 0, 3);
  graph_property(&g, IR_PROP_INVARIANT, "not 5", graph_is_not(&g, 5));
  graph_property(&g, IR_PROP_INVARIANT, "not 3 from 0", graph_is_not(&g, 3));
  graph_edge(&g, 2, 4);
  graph_finish(&g);
  struct sys *sys = interpreted(&g);
  struct shrink_config c = shrink_config(&g, sys, IR_DEADLOCK_OFF);
  struct trace t = {.end = TRACE_PROPERTY};
  const uint32_t around[] = {0, 1, 6, 4}; // 0 1 2 4 5
  for (size_t i = 0; i < 4; i++) VEC_PUSH(&t.steps, ((struct trace_step){around[i], 0}));
  shrink_trace(&t, &c);
  assert_int_equal(t.steps.count, 4);
  static const uint8_t on[] = {1, 0};
  c.property_on = on;
  shrink_trace(&t, &c); // 0 3 4 5
  assert_int_equal(t.steps.count, 3);
  trace_clear(&t);
  sys_free(sys);
  graph_free(&g);
}

// --- over representatives ---

static void canonical(void *context, uint64_t *words) { symmetry_canonical(context, words); }

static void shrink_german(const char *bug, bool native) {
  const char *why = NULL;
  struct diag d = {0};
  const struct murphi_define defines[] = {{"BUG", bug}, {"NODE_NUM", "2"}};
  struct source *s = source_read(FATHOM_SOURCE_DIR "/examples/murphi/german.m", &why);
  assert_non_null(s);
  struct graph g = {.model = murphi_load(s, defines, 2, 1000, &d)};
  assert_non_null(g.model);
  struct sys *sys =
      sys_new(g.model, &(struct sys_config){.mode = native ? SYS_NATIVE : SYS_INTERPRETED});
  struct sys *reduced = reduce_symmetry_new(sys, false);
  struct search_config c = graph_config();
  c.sys = reduced;
  c.model = g.model;
  struct result found = {0}, shortest = {0};
  search_run(search_strategy_find("dfs"), &c, &found);
  c.max_errors = 0;
  search_run(search_strategy_find("bfs"), &c, &shortest);
  assert_int_equal(found.traces.count, 1);
  struct trace *t = &found.traces.data[0];
  size_t before = t->steps.count;
  struct shrink_config how = shrink_config(&g, reduced, IR_DEADLOCK_OFF);
  shrink_trace(t, &how);
  assert_int_equal(t->steps.count, trace_like(&shortest, t)->steps.count);
  assert_int_equal(t->found_steps, before);
  struct symmetry *y = symmetry_new(g.model, false);
  assert_true(trace_concretise(t, sys, (struct trace_symmetry){canonical, y}));
  replays(t, g.model, IR_DEADLOCK_OFF);
  symmetry_free(y);
  result_clear(&found);
  result_clear(&shortest);
  sys_free(reduced);
  sys_free(sys);
  diag_clear(&d);
  graph_free(&g);
}

static void representatives(void **state) {
  (void)state;
  shrink_german("1", false);
  shrink_german("2", true);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_graphs),    cmocka_unit_test(long_trace),
      cmocka_unit_test(little_memory),    cmocka_unit_test(little_time),
      cmocka_unit_test(trace_too_long),   cmocka_unit_test(left_alone),
      cmocka_unit_test(other_properties), cmocka_unit_test(representatives),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
