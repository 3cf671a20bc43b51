// SPDX-License-Identifier: Apache-2.0
// Formulas about the past on lassos: against the definition of each operator, position by position
// of the infinite run, as far out as nothing new can come any more. Nothing is shared with src/ltl.
#include "ltl/ltl.h"

#include "random_ltl.h"

// cmocka wants these first
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

enum { SIZE_MAX_HERE = 7, POSITIONS = LASSO_MAX * (2 * SIZE_MAX_HERE + 4) };

struct infinite {
  const struct random_lasso *lasso;
  int8_t (*known)[POSITIONS]; // by id: -1 unknown
};

static size_t period(const struct infinite *r) { return r->lasso->count - r->lasso->loop; }

static uint64_t state_at(const struct infinite *r, size_t i) {
  const struct random_lasso *l = r->lasso;
  return l->states[i < l->count ? i : l->loop + (i - l->loop) % period(r)];
}

static bool truth(const struct infinite *r, const struct ltl *x, size_t i);

// There is a moment from i on, or from i back, where b holds and up to which a does, i included in
// the second but not that moment itself. NULL: true.
static bool comes(const struct infinite *r, const struct ltl *a, const struct ltl *b, size_t i) {
  size_t settled = LASSO_MAX + SIZE_MAX_HERE * period(r); // all subformulas repeat themselves there
  size_t end = (i > settled ? i : settled) + period(r);
  for (size_t j = i; j < end; j++) {
    if (truth(r, b, j)) return true;
    if (a && !truth(r, a, j)) return false;
  }
  return false;
}

static bool came(const struct infinite *r, const struct ltl *a, const struct ltl *b, size_t i) {
  for (size_t j = 0; j <= i; j++) {
    bool since = truth(r, b, j);
    for (size_t k = j + 1; k <= i && since; k++) since = !a || truth(r, a, k);
    if (since) return true;
  }
  return false;
}

// Does b hold for ever, or up to and with the first a?
static bool released(const struct infinite *r, const struct ltl *a, const struct ltl *b, size_t i) {
  size_t settled = LASSO_MAX + SIZE_MAX_HERE * period(r);
  size_t end = (i > settled ? i : settled) + period(r);
  for (size_t j = i; j < end; j++) {
    if (!truth(r, b, j)) return false;
    if (a && truth(r, a, j)) return true;
  }
  return true;
}

// Backwards, the same.
static bool triggered(const struct infinite *r, const struct ltl *a, const struct ltl *b,
                      size_t i) {
  for (size_t j = i + 1; j-- > 0;) {
    if (!truth(r, b, j)) return false;
    if (a && truth(r, a, j)) return true;
  }
  return true;
}

static bool define(const struct infinite *r, const struct ltl *x, size_t i) {
  const struct ltl *a = x->left, *b = x->right;
  switch (x->op) {
  case LTL_TRUE: return true;
  case LTL_FALSE: return false;
  case LTL_ATOM: return state_at(r, i) >> x->atom & 1;
  case LTL_NOT: return !truth(r, a, i);
  case LTL_AND: return truth(r, a, i) && truth(r, b, i);
  case LTL_OR: return truth(r, a, i) || truth(r, b, i);
  case LTL_IMPLIES: return !truth(r, a, i) || truth(r, b, i);
  case LTL_EQUIV: return truth(r, a, i) == truth(r, b, i);
  case LTL_NEXT: return truth(r, a, i + 1);
  case LTL_EVENTUALLY: return comes(r, NULL, a, i);
  case LTL_ALWAYS: return released(r, NULL, a, i);
  case LTL_UNTIL: return comes(r, a, b, i);
  case LTL_WEAK: return comes(r, a, b, i) || released(r, NULL, a, i);
  case LTL_RELEASE: return released(r, a, b, i);
  case LTL_PREVIOUS: return i > 0 && truth(r, a, i - 1);
  case LTL_WEAK_PREVIOUS: return i == 0 || truth(r, a, i - 1);
  case LTL_ONCE: return came(r, NULL, a, i);
  case LTL_HISTORICALLY: return triggered(r, NULL, a, i);
  case LTL_SINCE: return came(r, a, b, i);
  case LTL_TRIGGERED: return triggered(r, a, b, i);
  }
  return false;
}

static bool truth(const struct infinite *r, const struct ltl *x, size_t i) {
  assert_true(i < POSITIONS);
  int8_t *known = &r->known[x->id][i];
  if (*known < 0) *known = define(r, x, i);
  return *known;
}

static void check(struct rng *r, uint64_t seed) {
  struct ltl_factory *f = ltl_factory_new();
  uint32_t atoms = 1 + (uint32_t)rng_below(r, 3);
  const struct ltl *x = random_formula(f, r, 2 + (int)rng_below(r, SIZE_MAX_HERE - 1), atoms,
                                       WITH_PAST | (unsigned)rng_below(r, 2));
  struct infinite run = {.known = mem_alloc((x->id + 1) * sizeof *run.known)};
  for (int i = 0; i < 10; i++) {
    struct random_lasso l = random_lasso(r, atoms);
    run.lasso = &l;
    memset(run.known, -1, (x->id + 1) * sizeof *run.known);
    if (ltl_on_lasso(x, l.states, l.count, l.loop) == truth(&run, x, 0)) continue;
    struct text t = {0};
    ltl_print(&t, x, atom_names);
    fail_msg("seed %lu: %s", (unsigned long)seed, text_str(&t));
  }
  mem_free(run.known);
  ltl_factory_free(f);
}

static void test_random(void **unused) {
  for (uint64_t seed = 0; seed < (uint64_t)effort(3000); seed++) {
    struct rng r;
    rng_init(&r, seed);
    check(&r, seed);
  }
  (void)unused;
}

// What a round of the cycle changes, and a second one does not.
static void test_rounds(void **unused) {
  struct ltl_factory *f = ltl_factory_new();
  static const uint64_t states[] = {1, 0};
  const struct ltl *p = ltl_atom(f, 0);
  const struct ltl *first = ltl_make(f, LTL_NOT, ltl_make(f, LTL_PREVIOUS, p, NULL), NULL);
  first = ltl_make(f, LTL_AND, p, first); // p, and not in the state before
  const struct ltl *y = ltl_make(f, LTL_PREVIOUS, ltl_make(f, LTL_ONCE, first, NULL), NULL);
  const struct ltl *again = ltl_make(f, LTL_EVENTUALLY, ltl_make(f, LTL_AND, p, y), NULL);
  assert_true(ltl_on_lasso(again, states, 2, 0)); // in the second round
  assert_false(ltl_on_lasso(again, states, 2, 1));
  assert_false(ltl_on_lasso(ltl_make(f, LTL_AND, p, y), states, 2, 0));
  assert_true(ltl_uses_next(again));
  assert_false(ltl_uses_next(ltl_make(f, LTL_SINCE, p, ltl_make(f, LTL_ONCE, p, NULL))));
  ltl_factory_free(f);
  (void)unused;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_random), cmocka_unit_test(test_rounds)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
