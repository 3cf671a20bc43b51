// SPDX-License-Identifier: Apache-2.0
// Guided searches against the breadth-first one, on small models of many kinds and on random ones:
// the same verdict of every property, and, where they promise it, ways just as short. With
// databases of every size and direction, with little memory, and while variables are reordered.
#include "run.h"

#include "random/generate.h"

#include <stdlib.h>

// --- two results ---

static size_t length_of(const struct ir_model *m, const struct trace *t, int deadlock) {
  struct replay replay = {0};
  if (!trace_replay(t, m, deadlock, &replay))
    fail_msg("a trace does not replay: %s", replay.problem);
  size_t length = trace_length(t, &replay, m);
  replay_clear(&replay);
  return length;
}

static const struct trace *like(const struct result *r, const struct trace *t) {
  for (size_t i = 0; i < r->traces.count; i++)
    if (r->traces.data[i].end == t->end && r->traces.data[i].id == t->id) return &r->traces.data[i];
  return NULL;
}

static void compare(const struct ir_model *m, const struct result *a, const struct result *b,
                    int deadlock, bool shortest, bool limited, const char *what) {
  for (size_t i = 0; i < a->properties.count; i++) {
    const struct property_result *p = &a->properties.data[i], *q = &b->properties.data[i];
    if (q->reason && strcmp(q->reason, "not checked by this search") == 0) continue;
    if (limited && q->verdict == VERDICT_UNKNOWN) continue;
    if (p->verdict != q->verdict)
      fail_msg("%s, %s: bfs says %s, this %s (%s)", what, p->name, verdict_name(p->verdict),
               verdict_name(q->verdict), q->reason ? q->reason : "");
  }
  for (size_t i = 0; i < a->traces.count; i++) {
    const struct trace *t = &a->traces.data[i], *u = like(b, t);
    if (t->end == TRACE_PROPERTY && m->properties.data[t->id]->kind == IR_PROP_LIVENESS) continue;
    if (t->has_loop) continue;
    if (!u && limited) continue;
    if (!u) fail_msg("%s: bfs has a trace that this has not", what);
    size_t one = length_of(m, t, deadlock), other = length_of(m, u, deadlock);
    if (shortest ? one != other : one > other) fail_msg("%s: %zu steps, not %zu", what, other, one);
  }
  assert_true(b->traces.count <= a->traces.count);
}

static const char *const names[] = {"bfs", "ida", "astar", "wastar"};

static void check_search(const struct ir_model *m, const struct result *bfs,
                         struct symbolic_config c) {
  struct result r;
  char what[100];
  run_model(m, c, &r);
  assert_string_equal(r.search, names[c.search]);
  snprintf(what, sizeof what, "%s, depth %d, nodes %zu%s%s, remembers %zu", names[c.search],
           (int)c.abstract_depth, c.pattern_nodes, c.forward_pattern ? ", forward" : "",
           c.cone ? ", cone" : "", c.remember_nodes);
  bool shortest = c.search != SYMBOLIC_WASTAR, limited = c.budget.depth_max > 0;
  compare(m, bfs, &r, c.deadlock, shortest, limited, what);
  result_clear(&r);
}

// All searches, each with some settings out of all.
static void check_model(const struct ir_model *m, int deadlock, double seconds) {
  static const struct symbolic_config settings[] = {
      {.abstract_depth = -1, .cone = true},
      {.abstract_depth = -1},
      {.abstract_depth = 0},
      {.abstract_depth = 1, .cone = true},
      {.abstract_depth = 2},
      {.abstract_depth = -1, .pattern_nodes = 20},
      {.abstract_depth = 1, .forward_pattern = true, .cone = true},
      {.abstract_depth = 99, .forward_pattern = true},
      // what holds is not told without a memory; the limit ends it
      {.abstract_depth = -1, .remember_nodes = 1, .budget.depth_max = 25},
      {.abstract_depth = 1, .remember_nodes = 200, .cone = true, .budget.depth_max = 25},
  };
  struct result bfs;
  struct symbolic_config c = {.deadlock = deadlock, .budget.seconds = seconds};
  run_model(m, c, &bfs);
  bool ended = bfs.reason == NULL || bfs.verdict != VERDICT_UNKNOWN;
  for (int search = SYMBOLIC_IDA; search <= SYMBOLIC_WASTAR && ended; search++)
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
      c = settings[i];
      if (c.remember_nodes && search != SYMBOLIC_IDA) continue;
      c.deadlock = deadlock;
      c.search = search;
      c.weight_g = 1;
      c.weight_h = 3;
      check_search(m, &bfs, c);
    }
  result_clear(&bfs);
}

static void check_text(const char *text, int deadlock) {
  struct ir_model *m = run_parse(text);
  check_model(m, deadlock, 0);
  ir_model_free(m);
}

// --- small models ---

#define COUNTER                                                                                    \
  "model \"counter\" language \"ir\"; deadlock off;\n"                                             \
  "var x : 0..9; var y : 0..9; var z : 0..3;\n"                                                    \
  "start \"zero\" { x := 0; y := 0; z := 0; }\n"                                                   \
  "rule \"up\" when x < 7 { x := x + 1; }\n"                                                       \
  "rule \"over\" when x > 3 & y < x { y := y + 1; x := 0; }\n"                                     \
  "rule \"turn\" { z := (z + 1) % 4; }\n"

static void test_invariants(void **context) {
  (void)context;
  check_text(COUNTER "invariant \"a\" : x < 5; invariant \"b\" : y < 3 | z < 2;\n"
                     "invariant \"c\" : x + y < 17; invariant \"d\" : y < 7;",
             IR_DEADLOCK_OFF);
}

static void test_faults(void **context) {
  (void)context;
  check_text(COUNTER "invariant \"divides\" : 8 / (y - 3) < 9; invariant \"e\" : y < 5;\n"
                     "rule \"bad\" when y > 4 { x := x + y; assert z < 3; }\n"
                     "rule \"worse\" choose (c : 0..3) when y > 2 { assert c < z + 2; }\n",
             IR_DEADLOCK_OFF);
}

static void test_covers(void **context) {
  (void)context;
  check_text(COUNTER
             "cover \"six\" : y = 6; cover \"nine\" : x = 9; cover \"by\"; cover \"no\";\n"
             "rule \"c\" when y = 2 { cover \"by\" when z = 3; cover \"no\" when x = 9; }\n",
             IR_DEADLOCK_OFF);
}

#define STUCK                                                                                      \
  "model \"stuck\" language \"ir\"; var x : 0..9; var y : 0..3;\n"                                 \
  "start \"zero\" { x := 0; y := 0; }\n"                                                           \
  "rule \"up\" when x < 7 & y < 3 { x := x + 1; }\n"                                               \
  "rule \"side\" when x = 5 { y := (y + 1) % 4; }\n"

static void test_deadlock(void **context) {
  (void)context;
  check_text(STUCK, IR_DEADLOCK_STUCK);
  check_text(STUCK "valid_end : x = 7;", IR_DEADLOCK_STUCK);
  check_text(STUCK "rule \"stay\" { x := x; }", IR_DEADLOCK_STUTTERING);
  check_text(STUCK "rule \"stay\" { x := x; }", IR_DEADLOCK_STUCK);
}

static void test_assume(void **context) {
  (void)context;
  check_text(COUNTER "assume \"few\" : y < 3 | x < 2; invariant \"f\" : y < 5;", IR_DEADLOCK_STUCK);
}

#define HOLDING                                                                                    \
  "model \"chains\" language \"ir\"; deadlock stuck;\n"                                            \
  "var a : 0..3; var b : 0..5; var hold : 0..2;\n"                                                 \
  "start \"zero\" { a := 0; b := 0; hold := 0; }\n"                                                \
  "rule \"first\" when hold = 0 & a < 3 { a := a + 1; hold := 1; }\n"                              \
  "rule \"second\" when hold = 1 { b := if b < 5 then b + 1 else 0; hold := if a < 2 then 0 else " \
  "2; }\n"                                                                                         \
  "rule \"third\" when hold = 2 & b < 4 { hold := 0; a := 0; }\n"                                  \
  "rule \"again\" when hold = 2 & b > 4 { hold := 1; }\n"                                          \
  "transient hold;\n"

static void test_transient(void **context) {
  (void)context;
  check_text(HOLDING "invariant \"equal\" : a = b; invariant \"less\" : b < 4;", IR_DEADLOCK_STUCK);
  check_text(HOLDING "rule \"fails\" when hold = 1 & b = 3 { assert a = 0; }\n", IR_DEADLOCK_STUCK);
  check_text(HOLDING "invariant \"high\" : b < 6;", IR_DEADLOCK_STUTTERING);
}

static void test_formulas(void **context) {
  (void)context;
  check_text(COUNTER "ctl \"ag\" : AG (y < 4); ctl \"ag2\" : AG (y < 8); ctl \"ef\" : EF (x = 2);",
             IR_DEADLOCK_OFF);
}

// Nothing weak: the goal itself is all that the abstraction knows, and it is enough.
static void test_proof(void **context) {
  (void)context;
  struct ir_model *m = run_parse(COUNTER "invariant \"true\" : z < 4;"
                                         "invariant \"low\" : x < 8;");
  struct result r;
  run_model(m, (struct symbolic_config){.search = SYMBOLIC_IDA, .abstract_depth = 1}, &r);
  assert_int_equal(r.verdict, VERDICT_HOLDS);
  assert_int_equal(r.stats.images, 0);
  assert_non_null(r.note);
  assert_non_null(strstr(r.note, "proved by"));
  result_clear(&r);
  ir_model_free(m);
}

// --- limits ---

static void test_depth_limit(void **context) {
  (void)context;
  struct ir_model *m = run_parse(COUNTER "invariant \"a\" : y < 2; invariant \"b\" : x < 8;");
  for (uint64_t depth = 1; depth < 60; depth++) {
    struct result a, b;
    struct symbolic_config c = {.budget.depth_max = depth, .abstract_depth = 1};
    run_model(m, c, &a);
    for (c.search = SYMBOLIC_IDA; c.search <= SYMBOLIC_ASTAR; c.search++) {
      run_model(m, c, &b);
      assert_int_equal(a.properties.data[0].verdict, b.properties.data[0].verdict);
      result_clear(&b);
    }
    result_clear(&a);
  }
  ir_model_free(m);
}

// --- random models ---

static void test_random(void **context) {
  (void)context;
  uint64_t count =
      getenv("FATHOM_TEST_EFFORT") ? strtoull(getenv("FATHOM_TEST_EFFORT"), NULL, 10) : 1;
  for (uint64_t seed = 1; seed <= 12 * count; seed++) {
    struct ir_model *m = generate_model(seed, NULL, &(struct generate_size){0});
    struct diag d = {0};
    if (ir_model_finish(m, &d) && m->layout->bits <= 40)
      check_model(m, seed % 3 == 0 ? IR_DEADLOCK_STUCK : IR_DEADLOCK_OFF, 0.3);
    diag_clear(&d);
    ir_model_free(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_invariants),  cmocka_unit_test(test_faults),
      cmocka_unit_test(test_covers),      cmocka_unit_test(test_deadlock),
      cmocka_unit_test(test_assume),      cmocka_unit_test(test_transient),
      cmocka_unit_test(test_formulas),    cmocka_unit_test(test_proof),
      cmocka_unit_test(test_depth_limit), cmocka_unit_test(test_random),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
