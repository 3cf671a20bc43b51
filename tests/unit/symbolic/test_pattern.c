// SPDX-License-Identifier: Apache-2.0
// Pattern databases on all states of small models and random ones: never more than the true
// distance, which is found by going back through the explicit graph; exactly that as far as the
// layers go where nothing is abstracted from; by one step it falls by one at most.
#include "run.h"

#include "random/generate.h"
#include "reduce/reduce.h"
#include "symbolic/pattern.h"
#include "sys/sys.h"

#include <stdlib.h>

#define STATES_MAX 3000
#define FAR        UINT32_MAX

// --- the explicit graph ---

struct edge {
  uint32_t from, to;
};

struct graph {
  struct sys *inner, *sys;
  VEC(uint64_t) words;
  size_t count, starts;
  VEC(struct edge) edges;
  uint32_t *distance; // to the nearest state in which something is wrong
};

static uint32_t number(struct graph *g, const uint64_t *state) {
  size_t words = g->sys->words;
  for (size_t i = 0; i < g->count; i++)
    if (!memcmp(&g->words.data[i * words], state, words * sizeof *state)) return (uint32_t)i;
  for (size_t i = 0; i < words; i++) VEC_PUSH(&g->words, state[i]);
  return (uint32_t)g->count++;
}

static const uint64_t *state_of(const struct graph *g, size_t i) {
  return &g->words.data[i * g->sys->words];
}

// Is something wrong in the state itself, or in a step out of it?
static bool is_goal(struct graph *g, size_t i, const struct sys_out *out, int deadlock) {
  if (g->sys->check(g->sys, state_of(g, i)).kind != SYS_NO_FAULT) return true;
  for (size_t k = 0; k < out->count; k++)
    if (out->steps[k].site) return true;
  return deadlock != IR_DEADLOCK_OFF && out->fired == 0;
}

static void go_back(struct graph *g) {
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < g->edges.count; i++) {
      uint32_t far = g->distance[g->edges.data[i].to], *near = &g->distance[g->edges.data[i].from];
      if (far == FAR || *near <= far + 1) continue;
      *near = far + 1;
      changed = true;
    }
  }
}

// False: it is too large.
static bool graph_init(struct graph *g, const struct ir_model *m, int deadlock) {
  struct sys_out out;
  *g = (struct graph){0};
  g->inner = sys_new(m, &(struct sys_config){.mode = SYS_INTERPRETED});
  g->sys = m->transient ? reduce_chain_new(g->inner) : g->inner;
  g->distance = mem_alloc((STATES_MAX + 1) * sizeof *g->distance);
  sys_out_init(&out, g->sys->words, m->properties.count);
  g->sys->starts(g->sys, &out);
  bool good = true;
  for (size_t i = 0; i < out.count && good; i++) {
    if (!out.steps[i].site) number(g, out.words + i * g->sys->words);
    good = g->count <= STATES_MAX;
  }
  g->starts = g->count;
  for (size_t i = 0; i < g->count && good; i++) {
    sys_out_reset(&out);
    g->sys->expand(g->sys, state_of(g, i), &out);
    g->distance[i] = is_goal(g, i, &out, deadlock) ? 0 : FAR;
    for (size_t k = 0; k < out.count && good; k++) {
      if (out.steps[k].site) continue;
      uint32_t to = number(g, out.words + k * g->sys->words);
      VEC_PUSH(&g->edges, ((struct edge){(uint32_t)i, to}));
      good = g->count <= STATES_MAX;
    }
  }
  sys_out_clear(&out);
  if (good) go_back(g);
  return good;
}

static void graph_clear(struct graph *g) {
  if (g->sys != g->inner) sys_free(g->sys);
  sys_free(g->inner);
  VEC_CLEAR(&g->words);
  VEC_CLEAR(&g->edges);
  mem_free(g->distance);
}

// --- what the pattern says ---

static void check_pattern(const struct graph *g, const struct pattern *p, bool exact) {
  uint32_t least = FAR;
  for (size_t i = 0; i < g->starts; i++)
    if (g->distance[i] < least) least = g->distance[i];
  assert_true(pattern_bytes(p) > 0);
  assert_true(!pattern_proves(p) || least == FAR);
  for (size_t i = 0; i < g->count; i++) {
    uint32_t h = pattern_value(p, state_of(g, i)), true_distance = g->distance[i];
    if (h > true_distance) fail_msg("%u instead of %u", h, true_distance);
    if (exact && (true_distance <= least ? h != true_distance : h <= least))
      fail_msg("%u, and it is %u (least %u)", h, true_distance, least);
  }
  for (size_t i = 0; i < g->edges.count; i++) {
    uint32_t from = pattern_value(p, state_of(g, g->edges.data[i].from));
    uint32_t to = pattern_value(p, state_of(g, g->edges.data[i].to));
    assert_true(to == PATTERN_NEVER || (from != PATTERN_NEVER && from <= to + 1));
  }
}

static void check_config(const struct graph *g, struct symbolic_config c, bool exact) {
  struct text why = {0};
  struct pattern *p = pattern_new(&c, &why);
  if (!p) fail_msg("no pattern: %s", text_str(&why));
  check_pattern(g, p, exact);
  struct text t = {0};
  pattern_describe(p, &t);
  assert_non_null(strstr(text_str(&t), "leaves"));
  text_clear(&t);
  text_clear(&why);
  pattern_free(p);
}

static bool check_model(const struct ir_model *m, int deadlock) {
  struct graph g;
  bool good = graph_init(&g, m, deadlock);
  struct symbolic_config c = {.model = m, .deadlock = deadlock};
  for (int cone = 0; cone < 2 && good; cone++) {
    c.cone = cone;
    for (c.abstract_depth = 0; c.abstract_depth < 4; c.abstract_depth++) check_config(&g, c, false);
    c.abstract_depth = 1;
    c.forward_pattern = true;
    check_config(&g, c, false);
    c.forward_pattern = false;
    c.abstract_depth = INT32_MAX;
    check_config(&g, c, true);
    c.abstract_depth = -1;
    check_config(&g, c, false);
    c.pattern_nodes = 10;
    check_config(&g, c, false);
    c.pattern_nodes = 0;
  }
  graph_clear(&g);
  return good;
}

static void check_text(const char *text, int deadlock) {
  struct ir_model *m = run_parse(text);
  assert_true(check_model(m, deadlock));
  ir_model_free(m);
}

// --- models ---

#define COUNTER                                                                                    \
  "model \"counter\" language \"ir\"; deadlock off;\n"                                             \
  "var x : 0..9; var y : 0..9; var z : 0..3;\n"                                                    \
  "start \"zero\" { x := 0; y := 0; z := 0; }\n"                                                   \
  "rule \"up\" when x < 7 { x := x + 1; }\n"                                                       \
  "rule \"over\" when x > 3 & y < x { y := y + 1; x := 0; }\n"                                     \
  "rule \"turn\" { z := (z + 1) % 4; }\n"

static void test_goals(void **context) {
  (void)context;
  check_text(COUNTER "invariant \"a\" : x < 5;", IR_DEADLOCK_OFF);
  check_text(COUNTER "invariant \"b\" : y < 3 | z < 2; invariant \"c\" : x + y < 17;",
             IR_DEADLOCK_OFF);
  check_text(COUNTER "invariant \"d\" : 8 / (y - 3) < 9;", IR_DEADLOCK_OFF);
  check_text(COUNTER "rule \"bad\" when y > 4 { x := x + y; assert z < 3; }\n", IR_DEADLOCK_OFF);
  check_text("model \"stuck\" language \"ir\"; var x : 0..9; var y : 0..3;\n"
             "start \"zero\" { x := 0; y := 0; }\n"
             "rule \"up\" when x < 7 & y < 3 { x := x + 1; }\n"
             "rule \"side\" when x = 5 { y := (y + 1) % 4; }\n",
             IR_DEADLOCK_STUCK);
}

static void test_transient(void **context) {
  (void)context;
  check_text("model \"chains\" language \"ir\";\n"
             "var a : 0..3; var b : 0..5; var hold : 0..2;\n"
             "start \"zero\" { a := 0; b := 0; hold := 0; }\n"
             "rule \"first\" when hold = 0 & a < 3 { a := a + 1; hold := 1; }\n"
             "rule \"second\" when hold = 1 { b := if b < 5 then b + 1 else 0; hold := if a < 2 "
             "then 0 else 2; }\n"
             "rule \"third\" when hold = 2 { hold := 0; a := 0; }\n"
             "transient hold;\n"
             "invariant \"less\" : b < 4;\n",
             IR_DEADLOCK_OFF);
}

static void test_proof(void **context) {
  (void)context;
  struct ir_model *m = run_parse(COUNTER "invariant \"true\" : z < 4; invariant \"low\" : x < 8;");
  struct text why = {0};
  struct pattern *p =
      pattern_new(&(struct symbolic_config){.model = m, .abstract_depth = -1}, &why);
  assert_non_null(p);
  assert_true(pattern_proves(p));
  pattern_free(p);
  ir_model_free(m);
}

static void test_random(void **context) {
  (void)context;
  const char *effort = getenv("FATHOM_TEST_EFFORT");
  uint64_t count = effort ? 25 * strtoull(effort, NULL, 10) : 25;
  unsigned checked = 0;
  for (uint64_t seed = 1; seed <= count; seed++) {
    struct ir_model *m = generate_model(seed, NULL, &(struct generate_size){0});
    struct diag d = {0};
    if (ir_model_finish(m, &d) && m->layout->bits <= 40)
      checked += check_model(m, seed % 2 ? IR_DEADLOCK_STUCK : IR_DEADLOCK_OFF);
    diag_clear(&d);
    ir_model_free(m);
  }
  assert_true(checked > count / 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_goals),
      cmocka_unit_test(test_transient),
      cmocka_unit_test(test_proof),
      cmocka_unit_test(test_random),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
