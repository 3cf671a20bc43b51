// SPDX-License-Identifier: Apache-2.0
// The unrolled machine against the interpreter, on random models: what the interpreter walks
// through the machine accepts, what the machine finds the interpreter does, and they agree on which
// states are stuck and from which a step fails.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bmc/machine.h"
#include "ir/eval.h"
#include "random/generate.h"

#include <string.h>

enum { STEPS = 4, CHOICES_MOST = 4096 };

struct walk {
  const struct ir_model *m;
  struct ir_eval *eval;
  struct rng rng;
  uint64_t *states[STEPS + 1];
  size_t count;
  int64_t params[32], choices[64];
};

static bool assumptions_hold(struct walk *w, const uint64_t *state) {
  for (size_t i = 0; i < w->m->properties.count; i++) {
    const struct ir_property *p = w->m->properties.data[i];
    bool holds = true;
    if (p->kind != IR_PROP_ASSUME) continue;
    if (ir_eval_bool(w->eval, &p->frame, p->expr, state, &holds) != IR_OK || !holds) return false;
  }
  return true;
}

static enum ir_outcome fire(struct walk *w, bool start, uint32_t instance, uint64_t *state) {
  const struct ir_rule *r = ir_instance(w->m, start, instance, w->params);
  enum ir_outcome o = IR_OK;
  if (!start) o = ir_eval_guard(w->eval, r, w->params, w->choices, state);
  return o == IR_OK ? ir_eval_body(w->eval, r, w->params, w->choices, state) : o;
}

// Some step from the last state (or a start) that exists; false: none was found.
static bool go_on(struct walk *w) {
  bool start = w->count == 0;
  uint32_t instances = start ? w->m->start_instances : w->m->rule_instances;
  size_t bytes = (w->m->layout->words + 1) * sizeof(uint64_t);
  uint64_t *next = mem_zalloc(1, bytes);
  for (int round = 0; round < 200 && instances; round++) {
    uint32_t instance = (uint32_t)rng_below(&w->rng, instances);
    const struct ir_rule *r = ir_instance(w->m, start, instance, w->params);
    if (!start) memcpy(next, w->states[w->count - 1], w->m->layout->words * sizeof *next);
    if (r->choices) ir_choice(r, (uint32_t)rng_below(&w->rng, r->choices), w->choices);
    if (!r->choices || fire(w, start, instance, next) != IR_OK || !assumptions_hold(w, next))
      continue;
    w->states[w->count++] = next;
    return true;
  }
  mem_free(next);
  return false;
}

static void assume_state(struct machine *m, size_t time, const uint64_t *state, lit *out) {
  for (size_t i = 0; i < m->bits;) {
    uint64_t leaf = machine_bit_leaf(m, i);
    const struct ir_leaf *l = &m->relation->model->layout->leaf[leaf];
    uint64_t code = ir_leaf_code(l, state);
    for (unsigned k = 0; k < l->width; k++, i++)
      out[i] = code >> k & 1 ? machine_bit(m, time, i) : -machine_bit(m, time, i);
  }
}

// --- the interpreter's walk is one of the machine ---

static void check_walk(struct walk *w, struct relation *r, bool at_start) {
  struct text why = {0};
  struct sat *s = sat_new(NULL);
  struct machine *m = at_start ? machine_new_at_start(r, s, &why) : machine_new(r, s, &why);
  assert_non_null(m);
  lit *all = mem_alloc((w->count * m->bits + 1) * sizeof *all);
  size_t count = 0;
  for (size_t i = 0; i < w->count; i++) {
    if (i) machine_extend(m);
    assume_state(m, i, w->states[i], all + count);
    count += m->bits;
    assert_int_equal(sat_solve(s, all, count), SAT_YES);
  }
  mem_free(all);
  machine_free(m);
  sat_free(s);
}

// --- the machine's is one of the interpreter ---

static void check_found(struct walk *w, struct relation *r) {
  struct text why = {0};
  struct sat *s = sat_new(NULL);
  struct machine *m = machine_new_at_start(r, s, &why);
  uint64_t *state = mem_zalloc(w->m->layout->words + 1, sizeof *state);
  uint64_t *found = mem_zalloc(w->m->layout->words + 1, sizeof *found);
  uint32_t instance;
  for (int i = 0; i < STEPS; i++) machine_extend(m);
  if (sat_solve(s, NULL, 0) == SAT_YES) {
    machine_start_step(m, 0, &instance, w->choices);
    assert_int_equal(fire(w, true, instance, state), IR_OK);
    for (size_t i = 0; i < STEPS; i++) {
      machine_state(m, i, found);
      assert_memory_equal(found, state, w->m->layout->words * sizeof *state);
      machine_step(m, i, &instance, w->choices);
      assert_int_equal(fire(w, false, instance, state), IR_OK);
      assert_true(assumptions_hold(w, state));
    }
  }
  mem_free(state);
  mem_free(found);
  machine_free(m);
  sat_free(s);
}

// --- what all steps of a state do ---

struct ways {
  bool fires, moves, fails, known;
};

static struct ways try_all(struct walk *w, const uint64_t *state) {
  struct ways out = {.known = true};
  size_t bytes = w->m->layout->words * sizeof *state;
  uint64_t *next = mem_zalloc(w->m->layout->words + 1, sizeof *next);
  for (uint32_t i = 0; i < w->m->rule_instances; i++) {
    const struct ir_rule *r = ir_instance(w->m, false, i, w->params);
    out.known &= r->choices > 0 && r->choices <= CHOICES_MOST;
    for (uint32_t k = 0; out.known && k < r->choices; k++) {
      ir_choice(r, k, w->choices);
      memcpy(next, state, bytes);
      enum ir_outcome o = fire(w, false, i, next);
      out.fails |= o == IR_FAILED;
      out.fires |= o == IR_OK;
      out.moves |= o == IR_OK && memcmp(next, state, bytes) != 0;
    }
  }
  mem_free(next);
  return out;
}

static void check_ways(struct walk *w, struct relation *r) {
  struct text why = {0};
  struct sat *s = sat_new(NULL);
  struct machine *m = machine_new(r, s, &why);
  lit *all = mem_alloc((m->bits + 2) * sizeof *all);
  bool exact[3];
  lit stuck = machine_stuck(m, 0, false, &exact[0]), still = machine_stuck(m, 0, true, &exact[1]);
  lit fails = machine_fails(m, 0, &exact[2]), failing = machine_failing(m, 0);
  for (size_t i = 0; i < w->count; i++) {
    struct ways ways = try_all(w, w->states[i]);
    if (!ways.known) continue;
    assume_state(m, 0, w->states[i], all);
    assert_int_equal(sat_solve(s, all, m->bits), SAT_YES);
    if (exact[0]) assert_int_equal(sat_value(s, stuck), !ways.fires);
    if (exact[1]) assert_int_equal(sat_value(s, still), !ways.moves);
    if (exact[2]) assert_int_equal(sat_value(s, fails), ways.fails);
    all[m->bits] = failing;
    assert_int_equal(sat_solve(s, all, m->bits + 1), ways.fails ? SAT_YES : SAT_NO);
  }
  mem_free(all);
  machine_free(m);
  sat_free(s);
}

static void check_model(const struct ir_model *m, uint64_t seed) {
  struct text why = {0};
  struct relation *r = relation_new(m, &(struct relation_config){.terms_max = 100000}, &why);
  text_clear(&why);
  if (!r) return;
  struct walk w = {.m = m, .eval = ir_eval_new(m)};
  rng_init(&w.rng, seed);
  while (w.count <= STEPS && go_on(&w)) continue;
  if (w.count) check_walk(&w, r, false);
  if (w.count) check_walk(&w, r, true);
  check_found(&w, r);
  check_ways(&w, r);
  for (size_t i = 0; i < w.count; i++) mem_free(w.states[i]);
  ir_eval_free(w.eval);
  relation_free(r);
}

static void test_random(void **unused) {
  (void)unused;
  for (uint64_t seed = 1; seed <= 60; seed++) {
    struct ir_model *m = generate_model(seed, NULL, &(struct generate_size){0});
    struct diag d = {0};
    assert_true(ir_model_finish(m, &d));
    diag_clear(&d);
    check_model(m, seed);
    ir_model_free(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
