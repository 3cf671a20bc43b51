// SPDX-License-Identifier: Apache-2.0
// Chains through transient states: what an expansion gives and in which order, loops, diamonds and
// dead ends, traces that unfold, clones, the survey, and expansions that are broken off. Random
// models: tests/random.
#include "reduce/reduce.h"

#include "ir/ir.h"
#include "search/search.h"
#include "sys/sys.h"
#include "trace/trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define HEAD  "model \"m\"; deadlock stuck; var x : 0..999; var h : 0..3; transient h;\n"
#define START "start \"s\" { x := 0; h := 0; }\n"

struct fixture {
  struct ir_model *m;
  struct sys *inner, *chain;
  struct sys_out out;
  uint64_t *state;
};

static void set_up(struct fixture *f, const char *text) {
  struct diag d = {0};
  f->m = ir_parse_model(source_from_text("t.ir", text, strlen(text)), &d);
  if (!f->m) diag_print(&d, stderr, false);
  assert_non_null(f->m);
  diag_clear(&d);
  f->inner = sys_new(f->m, &(struct sys_config){.mode = SYS_INTERPRETED});
  f->chain = reduce_chain_new(f->inner);
  f->state = mem_zalloc(f->chain->words, sizeof *f->state);
  sys_out_init(&f->out, f->chain->words, f->m->properties.count);
}

static void tear_down(struct fixture *f) {
  sys_out_clear(&f->out);
  mem_free(f->state);
  sys_free(f->chain);
  sys_free(f->inner);
  ir_model_free(f->m);
}

static int64_t leaf(const struct fixture *f, size_t i, size_t number) {
  return ir_leaf_get(&f->m->layout->leaf[number], f->out.words + i * f->chain->words);
}

static void expand_start(struct fixture *f) {
  sys_out_reset(&f->out);
  f->chain->starts(f->chain, &f->out);
  assert_int_equal(f->out.count, 1);
  memcpy(f->state, f->out.words, f->chain->words * sizeof *f->state);
  sys_out_reset(&f->out);
  f->chain->expand(f->chain, f->state, &f->out);
}

// Instance and outcome of each step, and its number; x < 0: a failure.
static void expect(const struct fixture *f, size_t count, const int (*steps)[2]) {
  assert_int_equal(f->out.count, count);
  for (size_t i = 0; i < count; i++) {
    assert_int_equal(f->out.steps[i].instance, steps[i][0]);
    assert_int_equal(f->out.steps[i].choice, i);
    if (steps[i][1] < 0)
      assert_int_not_equal(f->out.steps[i].site, 0);
    else
      assert_int_equal(leaf(f, i, 0), steps[i][1]);
  }
}

// A tree: depth first, in the order of the rules; two chains to the same state are two steps.
static const char tree[] =
    HEAD START "rule \"plain\" when x = 0 & h = 0 { x := 100; }\n"
               "rule \"enter\" (i : 1..2) when x = 0 & h = 0 { x := i; h := i; }\n"
               "rule \"left\" when h = 1 { x := 10; h := 3; }\n"
               "rule \"out\" when h = 1 { x := 11; h := 0; }\n"
               "rule \"either\" choose (k : 0..1) when h = 3 { x := 20 + k; h := 0; }\n"
               "rule \"fail\" when h = 2 { assert false; }\n"
               "rule \"also\" when h = 2 { x := 11; h := 0; }\n";

static void test_order(void **context) {
  (void)context;
  struct fixture f;
  set_up(&f, tree);
  expand_start(&f);
  expect(&f, 6, (const int[][2]){{0, 100}, {1, 20}, {1, 21}, {1, 11}, {2, -1}, {2, 11}});
  assert_int_equal(f.out.fired, 8); // the failure is none
  assert_true(f.out.moved);
  tear_down(&f);
}

static void expect_way(struct fixture *f, uint32_t choice, size_t count, const int (*steps)[3]) {
  sys_out_reset(&f->out);
  assert_true(f->chain->unfold(f->chain, f->state, choice, &f->out));
  assert_int_equal(f->out.count, count);
  for (size_t i = 0; i < count; i++) {
    assert_int_equal(f->out.steps[i].instance, steps[i][0]);
    assert_int_equal(f->out.steps[i].choice, steps[i][1]);
    if (!f->out.steps[i].site) assert_int_equal(leaf(f, i, 0), steps[i][2]);
  }
}

static void test_unfold(void **context) {
  (void)context;
  struct fixture f;
  set_up(&f, tree);
  expand_start(&f);
  expect_way(&f, 0, 1, (const int[][3]){{0, 0, 100}});
  expect_way(&f, 2, 3, (const int[][3]){{1, 0, 1}, {3, 0, 10}, {5, 1, 21}});
  expect_way(&f, 3, 2, (const int[][3]){{1, 0, 1}, {4, 0, 11}});
  expect_way(&f, 4, 2, (const int[][3]){{2, 0, 2}, {6, 0, -1}});
  assert_int_not_equal(f.out.steps[1].site, 0);
  assert_false(f.chain->unfold(f.chain, f.state, 6, &f.out));
  tear_down(&f);
}

// Loops end, and what they lead to comes out once; a diamond's end is left once.
static void test_loops_and_diamonds(void **context) {
  (void)context;
  struct fixture f;
  set_up(&f, HEAD START "rule \"in\" (i : 1..2) when h = 0 & x = 0 { x := i; h := 1; }\n"
                        "rule \"round\" when h = 1 & x < 500 { x := (x + 1) % 400; }\n"
                        "rule \"out\" when h = 1 & x = 0 { x := 500; h := 0; }\n");
  expand_start(&f);
  expect(&f, 1, (const int[][2]){{0, 500}});
  assert_int_equal(f.out.fired, 2 + 400 + 1);
  tear_down(&f);
}

// Nothing comes of a chain that turns round for ever, but it is no deadlock.
static void test_endless(void **context) {
  (void)context;
  struct fixture f;
  set_up(&f, HEAD START "rule \"in\" when h = 0 { h := 1; }\n"
                        "rule \"round\" when h = 1 { x := (x + 1) % 7; }\n");
  expand_start(&f);
  assert_int_equal(f.out.count, 0);
  assert_int_equal(f.out.fired, 8);
  assert_true(f.out.moved);
  tear_down(&f);
}

// Who cannot go on is where the chain ends, and stays there.
static void test_dead_end(void **context) {
  (void)context;
  struct fixture f;
  set_up(&f, HEAD START "rule \"in\" when h = 0 { h := 1; }\n"
                        "rule \"go\" when h = 1 { x := 5; h := 2; }\n");
  expand_start(&f);
  expect(&f, 1, (const int[][2]){{0, 5}});
  assert_int_equal(leaf(&f, 0, 1), 2);
  memcpy(f.state, f.out.words, f.chain->words * sizeof *f.state);
  sys_out_reset(&f.out);
  f.chain->expand(f.chain, f.state, &f.out);
  assert_int_equal(f.out.count, 0);
  assert_int_equal(f.out.fired, 0);
  tear_down(&f);
}

// --- searches ---

static const char ring[] =
    "model \"m\"; deadlock stuck; var x : 0..200; var h : bool; transient h;\n"
    "start \"s\" { x := 0; h := false; }\n"
    "rule \"a\" when !h & x < 100 { x := x + 1; h := true; }\n"
    "rule \"b\" when h & x < 200 { x := x + 1; h := false; }\n"
    "rule \"b again\" when h { x := x + 1; h := false; }\n"
    "rule \"back\" when !h & x > 3 { x := x - 2; }\n"
    "rule \"fail\" when !h & x = 100 { assert false; }\n"
    "invariant \"odd is never seen\" : x % 2 = 0;\n"
    "cover \"odd\" : x = 51;\n";

static void run(struct fixture *f, const char *name, unsigned threads, struct result *r) {
  struct search_config c = {.sys = f->chain,
                            .model = f->m,
                            .store = "exact",
                            .started = clock_seconds(),
                            .deadlock = f->m->deadlock,
                            .max_errors = 0,
                            .threads = threads,
                            .survey = true};
  *r = (struct result){0};
  search_run(search_strategy_find(name), &c, r);
}

// Agents, or a product with an automaton.
static bool wants_more(const char *name) {
  return strcmp(name, "context") == 0 || strncmp(name, "biased", 6) == 0 ||
         strcmp(name, "ndfs") == 0 || strcmp(name, "progress") == 0;
}

static void test_searches(void **context) {
  (void)context;
  struct fixture f;
  set_up(&f, ring);
  for (size_t i = 0; i < search_strategy_count; i++) {
    const char *name = search_strategies[i].name;
    if (wants_more(name)) continue;
    for (unsigned threads = 1; threads <= 2; threads++) {
      struct result r;
      run(&f, name, threads, &r);
      assert_int_equal(r.stats.states, 51);
      assert_int_equal(r.stats.transitions, 50 * 3 + 49);
      assert_int_equal(r.survey.fired[0], 50);
      assert_int_equal(r.survey.fired[1], 50);
      assert_int_equal(r.survey.fired[2], 50);
      assert_int_equal(r.survey.fired[3], 49);
      assert_int_equal(r.survey.fired[4], 0);
      assert_int_equal(r.properties.data[0].verdict, VERDICT_HOLDS);
      assert_int_equal(r.properties.data[1].verdict, VERDICT_VIOLATED); // never where a chain ends
      assert_int_equal(r.traces.count, 1);
      struct trace *t = &r.traces.data[0];
      size_t chains = t->steps.count;
      if (search_strategies[i].shortest) assert_int_equal(chains, 51);
      t->found_steps = chains + 7;
      assert_true(trace_unfold(t, f.chain));
      assert_int_equal(t->found_steps, chains + 7);
      if (search_strategies[i].shortest) assert_int_equal(t->steps.count, 101);
      struct replay p;
      if (!trace_replay(t, f.m, f.m->deadlock, &p)) fail_msg("%s: %s", name, p.problem);
      assert_int_equal(trace_length(t, &p, f.m), chains);
      replay_clear(&p);
      result_clear(&r);
    }
  }
  tear_down(&f);
}

static void test_unfold_refuses_nonsense(void **context) {
  (void)context;
  struct fixture f;
  set_up(&f, tree);
  struct trace t = {.end = TRACE_WITNESS};
  VEC_PUSH(&t.steps, ((struct trace_step){1, 0})); // choice 0 is another instance's
  assert_false(trace_unfold(&t, f.chain));
  t.steps.data[0] = (struct trace_step){0, 99};
  assert_false(trace_unfold(&t, f.chain));
  assert_int_equal(t.steps.count, 1);
  t.start_instance = 7;
  assert_false(trace_unfold(&t, f.chain));
  trace_clear(&t);
  tear_down(&f);
}

// The cycle begins at the same state.
static void test_unfold_lasso(void **context) {
  (void)context;
  struct fixture f;
  set_up(&f, HEAD START "rule \"in\" when h = 0 { h := 1; }\n"
                        "rule \"out\" when h = 1 { x := (x + 1) % 3; h := 0; }\n");
  struct trace t = {.end = TRACE_WITNESS, .has_loop = true, .loop_start = 1};
  for (int i = 0; i < 4; i++) VEC_PUSH(&t.steps, ((struct trace_step){0, 0}));
  assert_true(trace_unfold(&t, f.chain));
  assert_int_equal(t.steps.count, 8);
  assert_int_equal(t.loop_start, 2);
  struct replay p;
  if (!trace_replay(&t, f.m, f.m->deadlock, &p)) fail_msg("%s", p.problem);
  replay_clear(&p);
  trace_clear(&t);
  tear_down(&f);
}

// --- with symmetry ---

static void canonical(void *context, uint64_t *state) { symmetry_canonical(context, state); }

static void test_with_symmetry(void **context) {
  (void)context;
  struct fixture f;
  set_up(&f, "model \"m\"; deadlock stuck; type P : scalarset(3); var at : array [P] of 0..2;\n"
             "var h : 0..1; transient h;\n"
             "start \"s\" { clear at; h := 0; }\n"
             "rule \"in\" (p : P) when h = 0 & at[p] = 0 { at[p] := 1; h := 1; }\n"
             "rule \"out\" (p : P) when h = 1 & at[p] = 1 { at[p] := 2; h := 0; }\n");
  struct sys *reduced = reduce_symmetry_new(f.chain, false);
  struct symmetry *y = symmetry_new(f.m, false);
  struct search_config c = {.sys = reduced,
                            .model = f.m,
                            .store = "exact",
                            .started = clock_seconds(),
                            .deadlock = f.m->deadlock};
  struct result r = {0};
  search_run(search_strategy_find("bfs"), &c, &r);
  assert_int_equal(r.stats.states, 4);
  assert_int_equal(r.traces.count, 1);
  struct trace *t = &r.traces.data[0];
  assert_true(trace_concretise(t, f.chain, (struct trace_symmetry){canonical, y}));
  assert_int_equal(t->steps.count, 3);
  assert_true(trace_unfold(t, f.chain));
  assert_int_equal(t->steps.count, 6);
  struct replay p;
  if (!trace_replay(t, f.m, f.m->deadlock, &p)) fail_msg("%s", p.problem);
  replay_clear(&p);
  result_clear(&r);
  symmetry_free(y);
  sys_free(reduced);
  tear_down(&f);
}

// --- long expansions ---

static const char long_one[] =
    "model \"m\"; deadlock stuck; var x : 0..1000000000; var h : bool; transient h;\n"
    "start \"s\" { x := 0; h := false; }\n"
    "rule \"in\" when !h { h := true; }\n"
    "rule \"on\" when h & x < 1000000000 { x := x + 1; }\n"
    "rule \"out\" when h & x = 1000000000 { h := false; }\n";

// Time, and states in memory: the expansion of the start ends with the search.
static void test_budget(void **context) {
  (void)context;
  struct fixture f;
  set_up(&f, long_one);
  for (size_t i = 0; i < search_strategy_count; i++) {
    const char *name = search_strategies[i].name;
    if (wants_more(name)) continue;
    struct search_config c = {.sys = f.chain,
                              .model = f.m,
                              .store = "exact",
                              .budget = {.seconds = 0.05},
                              .started = clock_seconds(),
                              .threads = 2};
    struct result r = {0};
    search_run(search_strategy_find(name), &c, &r);
    assert_int_equal(r.verdict, VERDICT_UNKNOWN);
    assert_string_equal(r.reason, "time");
    assert_null(f.chain->asking->goes_on);
    result_clear(&r);
  }
  tear_down(&f);
}

static void test_memory(void **context) {
  (void)context;
  struct fixture f;
  set_up(&f, long_one);
  struct search_config c = {.sys = f.chain,
                            .model = f.m,
                            .store = "exact",
                            .budget = {.mem_bytes = mem_resident() + (48 << 20), .seconds = 60},
                            .started = clock_seconds()};
  struct result r = {0};
  search_run(search_strategy_find("bfs"), &c, &r);
  assert_int_equal(r.verdict, VERDICT_UNKNOWN);
  assert_string_equal(r.reason, "memory");
  result_clear(&r);
  tear_down(&f);
}

static bool never(void *count) { return ++*(int *)count < 3; }

// What was broken off leaves nothing behind.
static void test_broken_off(void **context) {
  (void)context;
  struct fixture f;
  set_up(&f, HEAD START "rule \"in\" (i : 0..1) when h = 0 { h := 1; x := i; }\n"
                        "rule \"on\" when h = 1 & x < 998 { x := x + 1; }\n"
                        "rule \"out\" when h = 1 & x = 998 { h := 0; }\n");
  int count = 0;
  f.chain->asking->goes_on = never;
  f.chain->asking->context = &count;
  struct mem_boundary boundary;
  if (!mem_boundary_enter(&boundary)) {
    for (int i = 0; i < 100; i++) expand_start(&f);
    mem_boundary_leave(&boundary);
    // 999 transient states per expansion: the budget may be asked about less often than that
  } else {
    assert_int_equal(count, 3);
  }
  f.chain->asking->goes_on = NULL;
  expand_start(&f);
  expect(&f, 1, (const int[][2]){{0, 998}});
  assert_int_equal(f.out.fired, 2 + 998 + 1);
  assert_true(f.chain->chains->bytes > 999 * sizeof(uint64_t));
  tear_down(&f);
}

static void test_clone(void **context) {
  (void)context;
  struct fixture f;
  set_up(&f, tree);
  struct sys *copy = sys_clone(f.chain);
  expand_start(&f);
  struct sys_out out;
  sys_out_init(&out, copy->words, 0);
  copy->expand(copy, f.state, &out);
  assert_int_equal(out.count, f.out.count);
  assert_memory_equal(out.words, f.out.words, out.count * copy->words * sizeof *out.words);
  assert_memory_equal(out.steps, f.out.steps, out.count * sizeof *out.steps);
  sys_out_clear(&out);
  sys_free(copy);
  tear_down(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_order),
      cmocka_unit_test(test_unfold),
      cmocka_unit_test(test_loops_and_diamonds),
      cmocka_unit_test(test_endless),
      cmocka_unit_test(test_dead_end),
      cmocka_unit_test(test_searches),
      cmocka_unit_test(test_unfold_refuses_nonsense),
      cmocka_unit_test(test_unfold_lasso),
      cmocka_unit_test(test_with_symmetry),
      cmocka_unit_test(test_budget),
      cmocka_unit_test(test_memory),
      cmocka_unit_test(test_broken_off),
      cmocka_unit_test(test_clone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
