// SPDX-License-Identifier: Apache-2.0
// Random models for which symmetry is on by itself: is renaming elements a symmetry of them? In
// every state that is found, with and without representatives, and for every permutation: the same
// outcomes up to renaming. And the representatives of all states are the states of the reduced
// system. Models that are refused are tried, too: many of them must really not be symmetric, or
// the test would not notice.
#include "model.h"

#include "random_model.h"
#include "reduce/plan.h"
#include "sys/sys.h"

#include <stdio.h>

#ifdef __SANITIZE_ADDRESS__ // some ten times slower
#define MODELS 250
#else
#define MODELS 1000
#endif
#define STATES_MAX 1000 // that are explored
#define CAPACITY   4096
#define LOOK_AT    60 // states, all permutations of each

struct outcome {       // of one state, up to renaming
  struct states after; // one word more: the rule that leads there
  uint64_t fails;      // rules, as bits
  uint64_t covers;     // goals that statements reach
  bool bad;
};

struct trial {
  struct ir_model *m;
  struct sys *sys;
  struct symmetry *y;
  struct sys_out out;
};

static struct outcome outcome_of(struct trial *t, const uint64_t *state) {
  struct outcome o = {.bad = t->sys->check(t->sys, state).kind != SYS_NO_FAULT};
  size_t words = t->sys->words;
  uint64_t *image = calloc(words + 1, sizeof *image);
  states_init(&o.after, words + 1, 256);
  sys_out_reset(&t->out);
  t->out.covers[0] = 0;
  t->sys->expand(t->sys, state, &t->out);
  o.covers = t->out.covers[0];
  for (size_t i = 0; i < t->out.count; i++) {
    int64_t values[8];
    uint32_t rule = ir_instance(t->m, false, t->out.steps[i].instance, values)->id;
    if (t->out.steps[i].site) {
      o.fails |= UINT64_C(1) << rule;
      continue;
    }
    memcpy(image, t->out.words + i * words, words * sizeof *image);
    symmetry_canonical(t->y, image);
    image[words] = rule;
    states_add(&o.after, image);
  }
  free(image);
  return o;
}

static bool same_outcome(const struct outcome *a, const struct outcome *b) {
  if (a->bad != b->bad || a->fails != b->fails || a->after.count != b->after.count ||
      a->covers != b->covers)
    return false;
  for (size_t i = 0; i < a->after.count; i++)
    if (!b->after.slot[states_probe(&b->after, a->after.data + i * a->after.words)]) return false;
  return true;
}

// Does every permutation of the sets give the same outcome?
static bool state_symmetric(struct trial *t, const bool *sets, const uint64_t *state) {
  struct outcome first = outcome_of(t, state);
  struct permutation p = identity(t->m);
  uint64_t *image = calloc(t->sys->words, sizeof *image);
  bool same = true;
  for (size_t i = 0; i < t->m->types.count; i++) {
    if (!p.to[i] || sets[i]) continue;
    free(p.to[i]);
    p.to[i] = NULL;
  }
  while (same && next_permutation(&p)) {
    permute(&p, state, image);
    struct outcome o = outcome_of(t, image);
    same = same_outcome(&first, &o);
    states_clear(&o.after);
  }
  permutation_clear(&p);
  states_clear(&first.after);
  free(image);
  return same;
}

static void add_all(struct states *s, struct trial *t) {
  for (size_t i = 0; i < t->out.count; i++)
    if (!t->out.steps[i].site && s->count < STATES_MAX)
      states_add(s, t->out.words + i * t->sys->words);
}

// Breadth first; a failing step leads nowhere. False: there are too many states.
static bool explore(struct trial *t, struct sys *sys, struct states *s) {
  states_init(s, sys->words, CAPACITY);
  sys_out_reset(&t->out);
  sys->starts(sys, &t->out);
  add_all(s, t);
  for (size_t i = 0; i < s->count; i++) {
    sys_out_reset(&t->out);
    sys->expand(sys, s->data + i * sys->words, &t->out);
    add_all(s, t);
  }
  return s->count < STATES_MAX;
}

// The representatives of all states are the reduced system's states.
static bool same_states(struct trial *t, const struct states *all, bool trust) {
  struct sys *reduced = reduce_symmetry_new(t->sys, trust);
  struct states few, canonical;
  bool same = explore(t, reduced, &few);
  states_init(&canonical, t->sys->words, CAPACITY);
  for (size_t i = 0; i < all->count; i++) {
    uint64_t *state = all->data + i * t->sys->words;
    symmetry_canonical(t->y, state);
    states_add(&canonical, state);
  }
  same = same && few.count == canonical.count;
  for (size_t i = 0; same && i < few.count; i++)
    same = canonical.slot[states_probe(&canonical, few.data + i * t->sys->words)];
  states_clear(&few);
  states_clear(&canonical);
  sys_free(reduced);
  return same;
}

// Free slots are empty.
static void random_slots(struct rng *r, const struct ir_model *m, const struct ir_type *t,
                         uint64_t first, uint64_t *state) {
  const struct ir_leaf *leaf = m->layout->leaf;
  if (t->kind != IR_TYPE_ARRAY) return;
  for (uint64_t k = first; k < first + t->leaves; k += t->elem->leaves) {
    if (!is_multiset(t)) {
      random_slots(r, m, t->elem, k, state);
      continue;
    }
    bool full = rng_below(r, 2);
    ir_leaf_set(&leaf[k], state, full);
    ir_leaf_set(&leaf[k + 1], state,
                full ? ir_type_value(leaf[k + 1].type, rng_below(r, 2)) : IR_UNDEF);
  }
}

// Any state, reachable or not.
static void random_state(struct rng *r, const struct ir_model *m, uint64_t *state) {
  const struct ir_leaf *leaf = m->layout->leaf;
  memset(state, 0, m->layout->words * sizeof *state);
  for (uint64_t i = 0; i < m->layout->count; i++) {
    bool hole = leaf[i].undef && rng_below(r, 5) == 0;
    if (!hole)
      ir_leaf_set(&leaf[i], state,
                  ir_type_value(leaf[i].type, rng_below(r, ir_type_count(leaf[i].type))));
  }
  for (size_t i = 0; i < m->vars.count; i++) {
    const struct ir_var *v = m->vars.data[i];
    random_slots(r, m, v->type, v->first_leaf, state);
  }
  sort_state(m, state);
}

static bool random_states_symmetric(struct trial *t, const bool *sets) {
  uint64_t *state = calloc(t->sys->words, sizeof *state);
  struct rng r;
  rng_init(&r, 1);
  bool good = true;
  for (size_t i = 0; good && i < LOOK_AT; i++) {
    random_state(&r, t->m, state);
    good = state_symmetric(t, sets, state);
  }
  free(state);
  return good;
}

static bool is_symmetric(struct ir_model *m, bool trust, bool *complete) {
  struct trial t = {.m = m, .sys = sys_new(m, &(struct sys_config){.mode = SYS_INTERPRETED})};
  bool *sets = symmetry_sets(m, trust, NULL), good = true;
  struct states all;
  t.y = symmetry_new(m, trust);
  sys_out_init(&t.out, t.sys->words, m->properties.count);
  *complete = explore(&t, t.sys, &all);
  size_t stride = all.count / LOOK_AT + 1;
  for (size_t i = 0; good && i < all.count; i += stride)
    good = state_symmetric(&t, sets, all.data + i * t.sys->words);
  good = good && random_states_symmetric(&t, sets);
  good = good && (!*complete || same_states(&t, &all, trust));
  states_clear(&all);
  sys_out_clear(&t.out);
  symmetry_free(t.y);
  mem_free(sets);
  sys_free(t.sys);
  return good;
}

// What came of all the models.
struct tally {
  size_t symmetric, looping, complete; // of which symmetry is on by itself, in all scalarsets
  size_t doubtful, rightly;            // at least one is left out; and really does not belong
};

static void try_model(struct tally *tally, uint64_t seed) {
  struct text text = {0}, why = {0};
  uint32_t loops;
  bool whole;
  make_model(&text, seed, &loops);
  struct ir_model *m = load(text_str(&text));
  if (reduce_symmetry_applies(m, false, &why) && !is_symmetric(m, false, &whole))
    fail_msg("seed %zu is not symmetric (%s):\n%s", (size_t)seed, text_str(&why), text_str(&text));
  if (why.count) {
    tally->doubtful++;
    tally->rightly += !is_symmetric(m, true, &whole);
  } else {
    tally->symmetric++;
    tally->looping += loops > 0;
    tally->complete += whole;
  }
  ir_model_free(m);
  text_clear(&why);
  text_clear(&text);
}

static void test_symmetric(void **context) {
  (void)context;
  const char *first = getenv("FIRST"), *count = getenv("COUNT");
  uint64_t seed = first ? strtoul(first, NULL, 10) : 0;
  uint64_t end = seed + (count ? strtoul(count, NULL, 10) : MODELS);
  struct tally t = {0};
  while (seed < end) try_model(&t, seed++);
  print_message(
      "symmetric: %zu (%zu with loops, %zu explored whole); doubtful: %zu (%zu seen to be "
      "not symmetric)\n",
      t.symmetric, t.looping, t.complete, t.doubtful, t.rightly);
  if (first || count) return;
  assert_true(t.looping > MODELS / 8 && t.complete > MODELS / 20 && t.rightly > MODELS / 8);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_symmetric)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
