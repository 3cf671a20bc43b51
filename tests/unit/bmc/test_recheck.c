// SPDX-License-Identifier: Apache-2.0
// Claims that are right and claims that are not, checked again: what does not stand never passes.
// Each check runs in a child, which a failed one ends. And cubes, as sets of states.
#include "bmc/recheck.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
// cmocka wants those above
#include <cmocka.h>

#include "toy.h"

enum { ABORTED = 100 };

static struct cube *random_cube(const struct toy *c, struct rng *g) {
  int32_t lits[16];
  size_t count = 0;
  for (int32_t b = 1; b <= (int32_t)c->bits; b++)
    if (rng_below(g, 3)) lits[count++] = rng_below(g, 2) ? b : -b;
  return cube_new(lits, count);
}

static bool in_cube(const struct cube *c, unsigned state) {
  for (size_t i = 0; i < c->count; i++)
    if ((state >> cube_bit(c->lits[i]) & 1) != (c->lits[i] > 0)) return false;
  return true;
}

// --- in a child ---

static void on_abort(int signal_number) {
  (void)signal_number;
  _exit(ABORTED);
}

static int in_child(int (*work)(void *context), void *context) {
  int status = 0;
  pid_t child = fork();
  if (child == 0) {
    signal(SIGABRT, on_abort);
    _exit(work(context));
  }
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  return WEXITSTATUS(status);
}

struct claim {
  const struct toy *toy;
  struct cubes cubes;
  struct induction_proof proof;
  uint64_t clean, depth;
};

static struct prove_config config_of(const struct claim *x) {
  return (struct prove_config){.relation = (struct relation *)x->toy, .goal = {toy_bad, NULL}};
}

// --- invariants ---

static int check_invariant(void *context) {
  struct claim *x = context;
  struct prove_config c = config_of(x);
  return recheck_invariant(&c, &x->cubes);
}

static bool is_outside(const struct claim *x, unsigned state) {
  for (size_t i = 0; i < x->cubes.list.count; i++)
    if (in_cube(x->cubes.list.data[i], state)) return true;
  return toy_some(x->toy, state, TOY_BAD);
}

static bool is_invariant(const struct claim *x) {
  bool value[128];
  for (unsigned s = 0; s < 1u << x->toy->bits; s++) {
    bool outside = is_outside(x, s);
    if (outside && toy_some(x->toy, s, TOY_START)) return false;
    for (unsigned i = 0; !outside && i < 1u << x->toy->inputs; i++) {
      toy_values(x->toy, s, i, TOY_STEP, value);
      if (toy_is(value, x->toy->valid) && is_outside(x, toy_after(x->toy, value))) return false;
    }
  }
  return true;
}

static void test_invariants(void **unused) {
  (void)unused;
  unsigned good = 0, wrong = 0;
  for (uint64_t seed = 0; seed < 300; seed++) {
    struct rng g;
    struct toy c;
    struct claim x = {.toy = &c};
    rng_init(&g, seed);
    toy_init(&c, &g);
    if (c.own) continue; // where "bad" is a matter of inputs, too, more is said than is asserted
    for (size_t i = rng_below(&g, 3); i > 0; i--) VEC_PUSH(&x.cubes.list, random_cube(&c, &g));
    bool right = is_invariant(&x);
    good += right;
    wrong += !right;
    assert_int_equal(in_child(check_invariant, &x), right ? RECHECK_GOOD : ABORTED);
    cubes_clear(&x.cubes);
  }
  assert_true(good > 10 && wrong > 10);
}

// --- induction ---

static int check_induction(void *context) {
  struct claim *x = context;
  struct prove_config c = config_of(x);
  return recheck_induction(&c, &x->proof, x->clean, &x->depth);
}

// A path of k steps from states that are not bad to one that is (all of them different or not).
static bool is_path(const struct claim *x, unsigned state, size_t left, size_t at,
                    const unsigned *before) {
  bool value[128];
  unsigned path[8];
  for (size_t i = 0; i < at; i++) path[i] = before[i];
  path[at] = state;
  for (size_t i = 0; i < x->proof.apart.count; i++) {
    struct induction_pair p = x->proof.apart.data[i];
    if (p.b == at && path[p.a] == path[p.b]) return false;
  }
  if (left == 0) return toy_some(x->toy, state, TOY_BAD);
  if (toy_some(x->toy, state, TOY_BAD)) return false;
  for (unsigned i = 0; i < 1u << x->toy->inputs; i++) {
    toy_values(x->toy, state, i, TOY_STEP, value);
    if (toy_is(value, x->toy->valid) &&
        is_path(x, toy_after(x->toy, value), left - 1, at + 1, path))
      return true;
  }
  return false;
}

static void test_induction(void **unused) {
  (void)unused;
  unsigned seen[3] = {0}; // wrong, right, the base is not
  for (uint64_t seed = 0; seed < 1000; seed++) {
    struct rng g;
    struct toy c;
    struct claim x = {.toy = &c};
    rng_init(&g, seed);
    toy_init(&c, &g);
    if (c.own || c.bits > 5) continue;
    x.proof.k = rng_below(&g, 4);
    for (size_t b = 1; seed % 2 && b <= x.proof.k; b++)
      VEC_PUSH(&x.proof.apart, ((struct induction_pair){rng_below(&g, b), b}));
    bool step = true;
    for (unsigned s = 0; s < 1u << c.bits; s++) step &= !is_path(&x, s, x.proof.k, 0, NULL);
    int distance = toy_distance(&c);
    bool base = distance < 0 || (size_t)distance >= x.proof.k;
    int expected = !step ? ABORTED : base ? RECHECK_GOOD : RECHECK_VIOLATED;
    seen[!step ? 0 : base ? 1 : 2]++;
    assert_int_equal(in_child(check_induction, &x), expected);
    x.clean = x.proof.k; // somebody says there is nothing within: then it has to be so
    if (step && !base) assert_int_equal(in_child(check_induction, &x), ABORTED);
    VEC_CLEAR(&x.proof.apart);
  }
  print_message("%u wrong, %u right, %u without base\n", seen[0], seen[1], seen[2]);
  assert_true(seen[0] > 20 && seen[1] > 20 && seen[2] > 5);
}

// --- cubes ---

static void test_cubes(void **unused) {
  (void)unused;
  struct rng g;
  struct toy c = {.bits = 6};
  rng_init(&g, 1);
  for (int round = 0; round < 500; round++) {
    struct cube *a = random_cube(&c, &g), *b = random_cube(&c, &g), *common = cube_common(a, b);
    struct cube *both = cube_union(a, common), *less = cube_without(a, a->count ? a->lits[0] : 1);
    bool contains = true;
    for (unsigned s = 0; s < 64; s++) {
      contains &= !in_cube(b, s) || in_cube(a, s);
      assert_true(!(in_cube(a, s) || in_cube(b, s)) || in_cube(common, s));
      assert_int_equal(in_cube(both, s), in_cube(a, s));
      assert_true(!in_cube(a, s) || in_cube(less, s));
    }
    assert_int_equal(cube_contains(a, b), contains);
    assert_true(cube_contains(common, a) && cube_contains(common, b) && cube_contains(less, a));
    for (int32_t l = 1; l <= 6; l++) {
      assert_false(cube_has(a, l) && cube_has(a, -l));
      assert_int_equal(cube_has(common, l), cube_has(a, l) && cube_has(b, l));
    }
    cube_free(a);
    cube_free(b);
    cube_free(common);
    cube_free(both);
    cube_free(less);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_invariants),
      cmocka_unit_test(test_induction),
      cmocka_unit_test(test_cubes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
