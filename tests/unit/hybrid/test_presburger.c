// SPDX-License-Identifier: Apache-2.0
// The wrapper around isl: numbers of all sizes, functions, sets, limits.
#include "hybrid/presburger.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static struct presburger *begin(void) {
  struct presburger *p = presburger_new();
  presburger_begin(p, 0);
  return p;
}

// { lo <= x <= hi }
static zset *interval(struct presburger *p, zint lo, zint hi) {
  zset *all = zset_all(p, 1), *r = zset_within(all, 0, lo, hi);
  zset_drop(all);
  return r;
}

// { x in a : x mod size = 0 }
static zset *multiples(struct presburger *p, const zset *a, zint size) {
  zaff *x = zaff_dim(p, 1, 0), *q = zaff_floor(x, size), *back = zaff_scale(q, size);
  zaff *rest = zaff_sub(x, back);
  zset *zero = zset_is(rest, 0), *r = zset_meet(a, zero);
  zset_drop(zero);
  zaff_drop(x);
  zaff_drop(q);
  zaff_drop(back);
  zaff_drop(rest);
  return r;
}

static void test_numbers(void **state) {
  (void)state;
  struct presburger *p = begin();
  zint large = (zint)1 << 100, lo = -large * 2, hi = large * 2;
  zset *a = interval(p, -large, large);
  assert_true(zset_bounds(a, &lo, &hi));
  assert_true(lo == -large && hi == large);
  zset *b = interval(p, INT64_MIN, INT64_MIN);
  int64_t value;
  assert_true(zset_sample(b, &value));
  assert_true(value == INT64_MIN);
  zset_drop(a);
  zset_drop(b);
  presburger_free(p);
}

static void test_bounds_of_several(void **state) {
  (void)state;
  struct presburger *p = begin();
  zset *a = interval(p, -5, 3), *b = interval(p, 10, 12), *both = zset_join(a, b);
  zint lo = INT64_MIN, hi = INT64_MAX;
  assert_true(zset_bounds(both, &lo, &hi));
  assert_true(lo == -5 && hi == 12);
  assert_int_equal(zset_polyhedra(both), 2);
  zset *hull = zset_hull(both, 1);
  assert_int_equal(zset_polyhedra(hull), 1);
  assert_int_equal(zset_part(both, hull), 1);
  assert_int_equal(zset_part(hull, both), 0);
  zset_drop(a);
  zset_drop(b);
  zset_drop(both);
  zset_drop(hull);
  presburger_free(p);
}

// Five intervals far apart, as three polyhedra.
static void test_hull_of_some(void **state) {
  (void)state;
  struct presburger *p = begin();
  zset *all = zset_none(p, 1);
  for (int i = 0; i < 5; i++) {
    zset *more = interval(p, 100 * i, 100 * i + 9);
    zset_take(&all, zset_join(all, more));
    zset_drop(more);
  }
  zset *hull = zset_hull(all, 3);
  assert_true(zset_polyhedra(hull) <= 3);
  assert_int_equal(zset_part(all, hull), 1);
  zset_drop(all);
  zset_drop(hull);
  presburger_free(p);
}

// isl 0.25 gets the first of these wrong by itself.
static void test_simple_is_the_same(void **state) {
  (void)state;
  struct presburger *p = begin();
  for (zint size = 2; size <= 5; size++) {
    for (zint most = 0; most < 4; most++) {
      zset *all = interval(p, 0, 2 * size), *few = interval(p, 0, most);
      zset *steps = multiples(p, all, size), *both = zset_join(steps, few);
      zset *simple = zset_simple(p, both);
      assert_int_equal(zset_part(simple, both), 1);
      assert_int_equal(zset_part(both, simple), 1);
      zset_drop(all);
      zset_drop(few);
      zset_drop(steps);
      zset_drop(both);
      zset_drop(simple);
    }
  }
  zset *a = interval(p, 0, 4), *b = interval(p, 5, 9), *both = zset_join(a, b);
  zset *simple = zset_simple(p, both);
  assert_int_equal(zset_polyhedra(simple), 1);
  zset_drop(a);
  zset_drop(b);
  zset_drop(both);
  zset_drop(simple);
  presburger_free(p);
}

static void test_there_and_back(void **state) {
  (void)state;
  struct presburger *p = begin();
  zset *a = interval(p, 0, 9);
  zaff *x = zaff_dim(p, 1, 0), *triple = zaff_scale(x, 3), *to = zaff_shift(triple, 1);
  zset *image = zset_image(a, (int[]){-1}, &to, 1), *back = zset_before(image, &to, 1, 1);
  zint lo = INT64_MIN, hi = INT64_MAX;
  assert_true(zset_range(image, x, &lo, &hi));
  assert_true(lo == 1 && hi == 28);
  assert_int_equal(zset_part(back, a) && zset_part(a, back), 1);
  zset *some = interval(p, 2, 3);
  assert_int_equal(zset_meets(image, some), 0);
  zset_drop(a);
  zset_drop(some);
  zset_drop(image);
  zset_drop(back);
  zaff_drop(x);
  zaff_drop(triple);
  zaff_drop(to);
  presburger_free(p);
}

struct counted {
  unsigned rows, with_unknowns, bounds;
};

static bool count_row(void *context, size_t polyhedron, unsigned unknowns, const struct zrow *row) {
  struct counted *c = context;
  (void)polyhedron;
  c->rows++;
  if (unknowns) c->with_unknowns++;
  if (unknowns == 1 && !row->factors[0] && row->factors[1]) c->bounds++;
  return true;
}

// What is quantified is an unknown with bounds.
static void test_rows(void **state) {
  (void)state;
  struct presburger *p = begin();
  zset *a = interval(p, 0, 100), *some = multiples(p, a, 7);
  struct counted c = {0};
  assert_true(zset_rows(some, count_row, &c));
  assert_int_equal(c.rows, c.with_unknowns);
  assert_true(c.bounds >= 2);
  zset_drop(a);
  zset_drop(some);
  presburger_free(p);
}

static void test_limit(void **state) {
  (void)state;
  struct presburger *p = begin();
  zset *a = interval(p, 0, 100), *some = multiples(p, a, 7);
  presburger_begin(p, 3);
  assert_null(zset_minus(a, some));
  assert_true(presburger_failed(p));
  assert_string_equal(presburger_why(p), "operations");
  assert_null(zset_meet(NULL, a));
  assert_int_equal(zset_empty(NULL), -1);
  presburger_begin(p, 0);
  assert_false(presburger_failed(p));
  zset *rest = zset_minus(a, some);
  assert_non_null(rest);
  zset_drop(rest);
  zset_drop(a);
  zset_drop(some);
  presburger_free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_numbers),        cmocka_unit_test(test_bounds_of_several),
      cmocka_unit_test(test_hull_of_some),   cmocka_unit_test(test_simple_is_the_same),
      cmocka_unit_test(test_there_and_back), cmocka_unit_test(test_rows),
      cmocka_unit_test(test_limit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
