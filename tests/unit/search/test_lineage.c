// SPDX-License-Identifier: Apache-2.0
// Where the states of a breadth-first search came from: the marks lead back to every source.
#include "search/lineage.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { STRETCHES = 60, SOURCES_MOST = 2000, ARRIVALS_MOST = 700 };

// What is to be found again: of each arrival its source, and the first source of its stretch.
struct known {
  struct lineage lineage;
  VEC(uint64_t) source, stretch;
};

// Most sources bring few states or none, a few very many; all of a stretch, or none at all.
static size_t arrivals(struct rng *r, uint64_t mood) {
  if (mood == 0) return 0;
  return rng_below(r, 50) == 0 ? rng_below(r, ARRIVALS_MOST) : rng_below(r, mood);
}

static void walk_stretch(struct known *k, struct rng *r, uint64_t place) {
  uint64_t end = place + 1 + rng_below(r, SOURCES_MOST), mood = rng_below(r, 4);
  lineage_stretch(&k->lineage, place, end);
  for (uint64_t source = place; source < end; source++) {
    size_t count = arrivals(r, mood);
    lineage_from(&k->lineage, source);
    lineage_add(&k->lineage, count);
    for (size_t i = 0; i < count; i++) {
      VEC_PUSH(&k->source, source);
      VEC_PUSH(&k->stretch, place);
    }
  }
}

static void test_sources(void **context) {
  (void)context;
  struct rng r;
  struct known k = {0};
  rng_init(&r, 14);
  for (int i = 0; i < STRETCHES; i++)
    walk_stretch(&k, &r, place_of((unsigned)rng_below(&r, 3), rng_below(&r, 1000000)));
  assert_int_equal(k.lineage.count, k.source.count);
  for (size_t i = 0; i < k.source.count; i++) {
    uint64_t least = lineage_source_least(&k.lineage, i);
    assert_in_range(least, k.stretch.data[i], k.source.data[i]);
    assert_true(k.source.data[i] - least < MARK_SOURCES);
  }
  assert_true(k.lineage.marks.count > k.source.count / (ARRIVALS_MOST + MARK_ARRIVALS));
  assert_true(k.lineage.marks.count < k.source.count / 16); // a byte a state, at most
  lineage_clear(&k.lineage);
  VEC_CLEAR(&k.source);
  VEC_CLEAR(&k.stretch);
}

static void test_bad_ones(void **context) {
  (void)context;
  struct lineage l = {0};
  lineage_stretch(&l, 0, 10);
  lineage_from(&l, 0);
  lineage_add(&l, 5);
  lineage_bad(&l, 1);
  lineage_bad(&l, 4);
  assert_false(lineage_is_bad(&l, 4)); // until its level is complete
  assert_true(lineage_level(&l));
  assert_false(lineage_level(&l));
  for (uint64_t i = 0; i < 5; i++) assert_int_equal(lineage_is_bad(&l, i), i == 1 || i == 4);
  assert_int_equal(lineage_bad_before(&l, 4), 1);
  lineage_clear(&l);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sources),
      cmocka_unit_test(test_bad_ones),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
