// SPDX-License-Identifier: Apache-2.0
// State deltas: the stack of the bounded search on a way of 100,000 steps between states of two
// kilobytes, which would be 200 MB of them; and the frontier of the same way cut into pieces.
#include "front/murphi/murphi.h"
#include "graph.h"

#ifdef FATHOM_SMALL
enum { DEEP = 5000 };
#else
enum { DEEP = 100000 };
#endif
enum { CELLS = 2000 };

// Each step changes two words of a state. Beside every state of the way there is a dead end, which
// waits on the stack until the way has been gone to its end and all the way back.
static const char long_way[] =
    "const DEEP : 0; CELLS : 0;\n"
    "var x : 0..DEEP; aside : boolean; a : array [0..CELLS-1] of 0..255;\n"
    "startstate begin clear x; clear aside; clear a; end;\n"
    "rule !aside & x < DEEP ==> begin x := x + 1; a[x % CELLS] := x % 251; end;\n"
    "rule !aside ==> begin aside := true; end;\n"
    "cover x = DEEP & aside;\n";

static struct ir_model *way_new(void) {
  struct text deep = {0}, cells = {0};
  text_printf(&deep, "%d", DEEP);
  text_printf(&cells, "%d", CELLS);
  struct murphi_define d[] = {{"DEEP", text_str(&deep)}, {"CELLS", text_str(&cells)}};
  struct diag errors = {0};
  struct source *s = source_from_text("way.m", long_way, strlen(long_way));
  struct ir_model *m = murphi_load(s, d, 2, 1000, &errors);
  assert_non_null(m);
  diag_clear(&errors);
  text_clear(&deep);
  text_clear(&cells);
  return m;
}

static void expect_way(struct search_config c, struct result *r) {
  struct graph g = {.model = way_new()};
  graph_search(&g, "bounded", c, r);
  assert_true(strncmp(r->reason, "lossy", 5) == 0);
  assert_int_equal(r->stats.states, 2 * (DEEP + 1));
  assert_int_equal(r->stats.transitions, 2 * DEEP + 1);
  assert_int_equal(r->stats.depth, DEEP + 1);
  assert_int_equal(r->properties.data[0].verdict, VERDICT_HOLDS);
  graph_free(&g);
}

static struct search_config config_of(enum search_frontier frontier, uint64_t increment) {
  struct search_config c = graph_config();
  c.store = "fingerprint";
  c.frontier = frontier;
  c.increment = increment;
  return c;
}

// A step costs: its undo record (two words of 16 bytes and where it begins, 8), its frame (48), the
// dead end beside it (a head and a changed word, 32), and the way itself while it is new (48): 168;
// twice that, because lists double. A state is CELLS bytes.
enum { STEP_BYTES = 2 * 168, SLACK_BYTES = 64 << 10 };
_Static_assert(STEP_BYTES * 5 < CELLS, "deltas are small beside states");

static void test_one_iteration(void **context) {
  (void)context;
  for (int frontier = 0; frontier < 3; frontier++) {
    struct result r;
    expect_way(config_of((enum search_frontier)frontier, 2 * DEEP), &r);
    assert_int_equal(r.stats.iterations, 1);
    assert_true(r.stats.stack_bytes > (uint64_t)DEEP * 40); // it is there
    assert_true(r.stats.stack_bytes < (uint64_t)DEEP * STEP_BYTES + SLACK_BYTES);
    result_clear(&r);
  }
}

// With many bounds on the way: full states need no stack; others keep the undo records of the
// whole way (16 bytes for each of two words, and 8), and of its trace the bits of each step.
static void test_iterations(void **context) {
  (void)context;
  for (int frontier = 0; frontier < 3; frontier++) {
    struct result r;
    uint64_t increment = frontier == FRONTIER_TRACES ? DEEP / 20 : DEEP / 200;
    expect_way(config_of((enum search_frontier)frontier, increment), &r);
    assert_int_equal(r.stats.iterations, (DEEP + 1) / increment + 1);
    bool full = frontier == FRONTIER_STATES;
    uint64_t way = full ? increment * STEP_BYTES : (uint64_t)DEEP * 2 * 40 + increment * STEP_BYTES;
    assert_true(r.stats.stack_bytes < way + SLACK_BYTES);
    assert_true(r.stats.frontier_nodes >= 1);
    assert_true(r.stats.frontier_bytes < SLACK_BYTES + (uint64_t)DEEP);
    result_clear(&r);
  }
}

// The trace of what lies at the very end is 100,001 steps long, and replays.
static void test_violation_at_the_end(void **context) {
  (void)context;
  struct graph g = graph_new(2);
  ir_model_free(g.model);
  g.model = way_new();
  struct search_config c = config_of(FRONTIER_TREE, DEEP / 20);
  c.deadlock = IR_DEADLOCK_STUCK;
  c.max_errors = 1;
  struct result r;
  graph_search(&g, "bounded", c, &r);
  assert_int_equal(r.verdict, VERDICT_VIOLATED);
  assert_true(r.traces.data[0].steps.count <= DEEP / 20);
  result_clear(&r);
  graph_free(&g);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_one_iteration),
      cmocka_unit_test(test_iterations),
      cmocka_unit_test(test_violation_at_the_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
