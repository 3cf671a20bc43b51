// SPDX-License-Identifier: Apache-2.0
// Paths against the interpreter, on random models: level by level the same errors can be come to,
// from the starts and from sets of states, with both encodings; every run that is found is
// replayed.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hybrid/path.h"
#include "hybrid/states.h"
#include "ir/eval.h"
#include "random/generate.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 5, STATES_MOST = 150, CHOICES_MOST = 64, SEEDS = 60 };

struct level {
  VEC(uint64_t) words; // states, one behind the other
  size_t count;
};

struct walk {
  const struct ir_model *m;
  struct relation *r;
  struct efsm *e;
  struct ir_eval *eval;
  size_t words;
  int64_t params[64], choices[64];
  struct level level[DEPTH + 2];
  uint8_t *errors; // by control state: met in the level that was made last
  uint64_t seed;
  bool cut;
};

static const uint64_t *state_at(const struct walk *w, const struct level *l, size_t i) {
  return l->words.data + i * w->words;
}

static void add_state(struct walk *w, struct level *l, const uint64_t *state) {
  for (size_t i = 0; i < l->count; i++)
    if (memcmp(state_at(w, l, i), state, w->words * sizeof *state) == 0) return;
  for (size_t i = 0; i < w->words; i++) VEC_PUSH(&l->words, state[i]);
  w->cut |= ++l->count > STATES_MOST;
}

static uint32_t error_state(const struct walk *w, bool invariant, uint32_t id) {
  for (uint32_t i = 0; i < w->e->states.count; i++) {
    const struct efsm_state *s = &w->e->states.data[i];
    if (s->is_error && (s->error == EFSM_INVARIANT) == invariant && s->id == id) return i;
  }
  fail_msg("seed %" PRIu64 ": the machine has no error %u", w->seed, id);
  return 0;
}

static bool is_allowed(struct walk *w, const uint64_t *state) {
  for (size_t i = 0; i < w->m->properties.count; i++) {
    const struct ir_property *p = w->m->properties.data[i];
    bool holds = true;
    if (p->kind != IR_PROP_ASSUME) continue;
    if (ir_eval_bool(w->eval, &p->frame, p->expr, state, &holds) != IR_OK || !holds) return false;
  }
  return true;
}

static void check_invariants(struct walk *w, const uint64_t *state) {
  for (size_t i = 0; i < w->m->properties.count; i++) {
    const struct ir_property *p = w->m->properties.data[i];
    bool holds = true;
    if (p->kind != IR_PROP_INVARIANT) continue;
    if (ir_eval_bool(w->eval, &p->frame, p->expr, state, &holds) == IR_FAILED)
      w->errors[error_state(w, false, ir_eval_site(w->eval))] = 1;
    else if (!holds)
      w->errors[error_state(w, true, p->id)] = 1;
  }
}

static enum ir_outcome fire(struct walk *w, bool start, uint32_t instance, uint64_t *state) {
  const struct ir_rule *r = ir_instance(w->m, start, instance, w->params);
  enum ir_outcome o = IR_OK;
  if (!start) o = ir_eval_guard(w->eval, r, w->params, w->choices, state);
  return o == IR_OK ? ir_eval_body(w->eval, r, w->params, w->choices, state) : o;
}

static void fire_all(struct walk *w, bool start, const uint64_t *from, struct level *to) {
  uint32_t n = start ? w->m->start_instances : w->m->rule_instances;
  uint64_t *next = mem_zalloc(w->words + 1, sizeof *next);
  for (uint32_t i = 0; i < n; i++) {
    const struct ir_rule *r = ir_instance(w->m, start, i, w->params);
    for (uint32_t k = 0; k < r->choices; k++) {
      if (from) memcpy(next, from, w->words * sizeof *next);
      ir_choice(r, k, w->choices);
      enum ir_outcome o = fire(w, start, i, next);
      if (o == IR_FAILED) w->errors[error_state(w, false, ir_eval_site(w->eval))] = 1;
      if (o == IR_OK && is_allowed(w, next)) add_state(w, to, next);
    }
  }
  mem_free(next);
}

// The level behind this one, and the errors on the way there.
static void go_on(struct walk *w, size_t depth) {
  const struct level *l = &w->level[depth];
  memset(w->errors, 0, w->e->states.count);
  if (depth == 0) fire_all(w, true, NULL, &w->level[1]);
  for (size_t i = 0; i < l->count && !w->cut; i++) {
    check_invariants(w, state_at(w, l, i));
    fire_all(w, false, state_at(w, l, i), &w->level[depth + 1]);
  }
}

// --- runs ---

static bool replay(struct walk *w, const struct path_run *run, uint32_t error,
                   const uint64_t *from) {
  uint64_t *state = mem_zalloc(w->words + 1, sizeof *state);
  const struct efsm_state *wanted = &w->e->states.data[error];
  bool good = false;
  if (from) memcpy(state, from, w->words * sizeof *state);
  for (size_t i = 0; i < run->steps.count; i++) {
    const struct efsm_edge *d = &w->e->edges.data[run->steps.data[i].edge];
    bool last = i + 1 == run->steps.count;
    if (!d->rule) {
      memset(w->errors, 0, w->e->states.count);
      check_invariants(w, state);
      good = last && w->errors[error];
      break;
    }
    memcpy(w->choices, run->steps.data[i].choices, d->rule->rule->choice_count * sizeof(int64_t));
    enum ir_outcome o = fire(w, d->rule->rule->is_start, d->rule->instance, state);
    if (o == IR_FAILED) good = last && ir_eval_site(w->eval) == wanted->id;
    if (o != IR_OK || !is_allowed(w, state)) break;
  }
  mem_free(state);
  return good;
}

// The state that a run begins in: one of these.
static const uint64_t *first_of(const struct walk *w, const struct path_run *run,
                                const struct level *l) {
  for (size_t i = 0; i < l->count; i++) {
    const uint64_t *s = state_at(w, l, i);
    bool same = true;
    for (uint64_t k = 0; same && k < w->e->leaves; k++)
      if (efsm_live(&w->e->states.data[run->control], k) || k == w->e->control)
        same = ir_leaf_get(&w->m->layout->leaf[k], s) == run->first[k];
    if (same) return s;
  }
  return NULL;
}

static void check_depth(struct walk *w, struct path *p, const struct level *from, uint64_t *runs) {
  uint8_t *met = mem_zalloc(w->e->states.count, 1);
  uint8_t *want = mem_zalloc(w->e->states.count, 1);
  memcpy(want, w->errors, w->e->states.count);
  enum path_answer a;
  while ((a = path_deepen(p)) == PATH_ERROR) {
    struct path_run run;
    path_run(p, &run);
    met[path_error(p)] = 1;
    const uint64_t *first = from ? first_of(w, &run, from) : NULL;
    if (from && !first) fail_msg("seed %" PRIu64 ": a run begins nowhere", w->seed);
    if (!replay(w, &run, path_error(p), first))
      fail_msg("seed %" PRIu64 ": a run of %zu steps does not replay", w->seed, run.steps.count);
    path_run_clear(&run);
    ++*runs;
  }
  if (a == PATH_STOPPED) fail_msg("seed %" PRIu64 ": stopped, %s", w->seed, path_why(p));
  for (uint32_t i = 0; i < w->e->states.count; i++)
    if (met[i] != want[i])
      fail_msg("seed %" PRIu64 ": error \"%s\" at depth %" PRIu64 ": %d, by path %d", w->seed,
               w->e->states.data[i].name, path_depth(p), want[i], met[i]);
  mem_free(met);
  mem_free(want);
}

// --- sets of states, one conjunction for each ---

static void add_cube(struct plain *out, struct walk *w, struct plain_set *set, const uint64_t *s) {
  struct plain_cube *c = ARENA_NEW(out->arena, struct plain_cube);
  uint64_t *leaves = ARENA_ARRAY(out->arena, uint64_t, 2 * w->e->leaves + 1);
  bool *values = ARENA_ARRAY(out->arena, bool, 2 * w->e->leaves + 1);
  for (uint64_t i = 0; i < w->e->leaves; i++) {
    const struct ir_leaf *l = &w->m->layout->leaf[i];
    int64_t v = ir_leaf_get(l, s);
    bool undefined = v == IR_UNDEF && ir_type_can_undef(l->type);
    if (!efsm_live(&w->e->states.data[set->control], i)) continue;
    if (l->undef) {
      leaves[c->count] = i | PLAIN_DEFINED;
      values[c->count++] = !undefined;
    }
    if (l->type->kind != IR_TYPE_BOOL || undefined) continue;
    leaves[c->count] = i;
    values[c->count++] = v;
  }
  c->leaves = leaves;
  c->values = values;
  set->cubes = c;
  set->cube_count = 1;
}

static void add_equalities(struct plain *out, struct walk *w, struct plain_set *set,
                           const uint64_t *s) {
  struct plain_constraint *all = ARENA_ARRAY(out->arena, struct plain_constraint, w->e->leaves + 1);
  for (uint64_t i = 0; i < w->e->leaves; i++) {
    const struct ir_leaf *l = &w->m->layout->leaf[i];
    int64_t v = ir_leaf_get(l, s);
    if (!efsm_live(&w->e->states.data[set->control], i) || l->type->kind == IR_TYPE_BOOL) continue;
    if (v == IR_UNDEF && ir_type_can_undef(l->type)) continue;
    struct plain_constraint *c = &all[set->constraint_count++];
    int64_t *factor = ARENA_NEW(out->arena, int64_t);
    uint64_t *leaf = ARENA_NEW(out->arena, uint64_t);
    *factor = -1;
    *leaf = i;
    *c = (struct plain_constraint){
        .constant = v, .equal = true, .count = 1, .factors = factor, .variables = leaf};
  }
  set->constraints = all;
}

static void make_plain(struct walk *w, const struct level *l, struct plain *out) {
  *out = (struct plain){.arena = arena_new()};
  for (size_t i = 0; i < l->count; i++) {
    const uint64_t *s = state_at(w, l, i);
    struct plain_set set = {.control = 1};
    if (w->e->control != EFSM_NO_CONTROL)
      set.control =
          (uint32_t)(ir_leaf_get(&w->m->layout->leaf[w->e->control], s) - w->e->control_lo) + 1;
    add_cube(out, w, &set, s);
    add_equalities(out, w, &set, s);
    VEC_PUSH(&out->sets, set);
  }
}

// --- one model ---

static void check_from(struct walk *w, size_t depth, enum path_numbers numbers, uint64_t *runs) {
  struct plain plain = {0};
  struct text why = {0};
  struct path_config c = {.efsm = w->e, .numbers = numbers, .joined = w->seed % 5 == 0};
  for (size_t i = depth; i <= DEPTH; i++) {
    w->level[i + 1].count = w->level[i + 1].words.count = 0;
  }
  if (depth) {
    make_plain(w, &w->level[depth], &plain);
    c.from = &plain;
  }
  struct path *p = path_unroll(&c, &why);
  if (!p) fail_msg("%s", text_str(&why));
  for (size_t i = depth; i <= DEPTH; i++) {
    go_on(w, i);
    if (w->cut) break;
    check_depth(w, p, depth ? &w->level[depth] : NULL, runs);
  }
  w->cut = false;
  path_free(p);
  if (plain.arena) arena_free(plain.arena);
  VEC_CLEAR(&plain.sets);
}

static bool is_small(const struct ir_model *m) {
  for (size_t i = 0; i < m->rules.count; i++)
    if (m->rules.data[i]->choices == 0 || m->rules.data[i]->choices > CHOICES_MOST) return false;
  for (size_t i = 0; i < m->starts.count; i++)
    if (m->starts.data[i]->choices == 0 || m->starts.data[i]->choices > CHOICES_MOST) return false;
  return m->transient == NULL && m->rule_instances < 60;
}

// Some variable with few values becomes the location.
static void locate(struct ir_model *m, uint64_t seed) {
  for (size_t i = 0; i < m->vars.count; i++) {
    struct ir_var *v = m->vars.data[(i + seed) % m->vars.count];
    if (!ir_type_scalar(v->type) || ir_type_count(v->type) > 20) continue;
    v->is_location = true;
    return;
  }
}

static void check_model(uint64_t seed, uint64_t *runs, uint64_t *located) {
  struct ir_model *m = generate_model(seed, NULL, NULL);
  struct walk w = {.m = m, .seed = seed};
  struct diag d = {0};
  struct text why = {0};
  if (seed % 4 >= 2) locate(m, seed / 4);
  bool fits = ir_model_finish(m, &d) && is_small(m);
  if (fits) w.r = relation_new(m, NULL, &why);
  if (w.r) w.e = efsm_new(w.r, NULL, &why);
  if (w.e) {
    w.words = m->layout->words;
    w.eval = ir_eval_new(m);
    w.errors = mem_zalloc(w.e->states.count, 1);
    *located += w.e->control != EFSM_NO_CONTROL;
    check_from(&w, 0, seed % 3 == 0 ? PATH_BITS : PATH_AUTO, runs);
    check_from(&w, 0, PATH_AUTO, runs);
    if (w.level[1].count <= STATES_MOST / 4) check_from(&w, 1, PATH_AUTO, runs);
    if (w.level[2].count <= STATES_MOST / 4)
      check_from(&w, 2, seed % 2 ? PATH_BITS : PATH_AUTO, runs);
    ir_eval_free(w.eval);
    mem_free(w.errors);
  }
  for (int i = 0; i < DEPTH + 2; i++) VEC_CLEAR(&w.level[i].words);
  text_clear(&why);
  efsm_free(w.e);
  relation_free(w.r);
  diag_clear(&d);
  ir_model_free(m);
}

static void test_random(void **state) {
  (void)state;
  const char *effort = getenv("FATHOM_TEST_EFFORT"), *first = getenv("FATHOM_TEST_SEED");
  uint64_t from = first ? (uint64_t)atoll(first) : 1, runs = 0, located = 0;
  uint64_t count = effort ? (uint64_t)atoi(effort) * SEEDS : SEEDS;
  for (uint64_t seed = from; seed < from + count; seed++) check_model(seed, &runs, &located);
  if (!first) assert_true(runs > SEEDS && located > SEEDS / 20);
  printf("%" PRIu64 " runs replayed, %" PRIu64 " models with a location\n", runs, located);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
