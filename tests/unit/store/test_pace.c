// SPDX-License-Identifier: Apache-2.0
// By how much an index grows, when the store is told how many states wait to be expanded.
#include "store/pace.h"
#include "store/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { WORDS = 4, BATCH = 100 };

static unsigned percent(uint64_t before, uint64_t count, uint64_t waited, uint64_t waiting) {
  struct pace last = {before, waited}, now = {count, waiting};
  return pace_percent(&last, &now, false);
}

static void test_large(void **context) {
  (void)context;
  struct pace last = {1000, 100}, more = {1300, 109}, fewer = {1300, 99}, ends = {1500, 50};
  assert_int_equal(pace_percent(&last, &more, true), 26);
  assert_int_equal(pace_percent(&last, &fewer, true), 20);
  assert_int_equal(pace_percent(&last, &ends, true), 10); // as many as will come
}

static void test_percent(void **context) {
  (void)context;
  assert_int_equal(percent(1000, 1300, 0, 50), PACE_UNKNOWN);  // not known before
  assert_int_equal(percent(1000, 1300, 50, 0), PACE_UNKNOWN);  // nor now
  assert_int_equal(percent(1000, 1000, 50, 40), PACE_UNKNOWN); // nothing came
  assert_int_equal(percent(1000, 1300, 100, 115), 60);         // more: five percent of the new ones
  assert_int_equal(percent(1000, 1300, 100, 150), PACE_FAR);   // more and more
  assert_int_equal(percent(1000, 1300, 100, 100), PACE_MIDDLE);
  assert_int_equal(percent(1000, 1300, 100, 99), PACE_MIDDLE); // far from the end
  assert_int_equal(percent(1000, 1500, 200, 100), 10);         // 500 come, three tenths of them
  assert_int_equal(percent(1000, 1200, 200, 1), PACE_NEAR);
  assert_int_equal(percent(0, UINT64_MAX / 2, UINT64_MAX / 2, 1), PACE_NEAR);
}

static bool ends(uint64_t before, uint64_t count, uint64_t waited, uint64_t waiting) {
  struct pace last = {before, waited}, now = {count, waiting};
  return pace_ends(&last, &now, 2);
}

static void test_ends(void **context) {
  (void)context;
  assert_false(ends(1000, 1300, 0, 5)); // not known
  assert_false(ends(1000, 1300, 5, 0));
  assert_false(ends(1000, 1000, 50, 5));
  assert_false(ends(1000, 1300, 5, 5)); // what waits does not become less
  assert_false(ends(1000, 1300, 5, 6));
  assert_false(ends(1000, 1500, 200, 34)); // 102 come, three tenths are 2.05 percent
  assert_true(ends(1000, 1500, 200, 33));
}

// What waits of a search of `total` states that has found `count`: a rise and a fall.
static uint64_t waiting_at(uint64_t count, uint64_t total) {
  return 1 + (count < total / 2 ? count : total - count) / 4;
}

// Puts states from number n on into a store; how many there was room for.
static size_t put(struct store *s, uint64_t n) {
  uint64_t words[BATCH * WORDS] = {0}, ids[BATCH];
  enum store_answer answers[BATCH];
  for (uint64_t i = 0; i < BATCH; i++) {
    words[i * WORDS] = (n + i) % 1024;
    words[i * WORDS + WORDS - 1] = (n + i) / 1024;
  }
  size_t done = store_insert_batch(s, words, BATCH, answers, ids);
  for (size_t i = 0; i < done; i++) assert_int_equal(answers[i], STORE_NEW);
  return done;
}

// Puts `total` states into a new store; its load in the end.
static double fill(const char *kind, uint64_t total, bool told) {
  struct store_config c = {.kind = kind, .words = WORDS, .bytes = 8 * WORDS};
  struct store *s = store_new(&c);
  for (uint64_t n = 0; n < total; n += BATCH) {
    if (told) store_waiting(s, waiting_at(n, total));
    assert_int_equal(put(s, n), BATCH);
  }
  assert_int_equal(store_count(s), total);
  struct store_facts f;
  store_facts(s, &f);
  mem_free(f.sentence);
  assert_true(store_check(s));
  store_free(s);
  return f.load;
}

// The worst of the loads at the end, of totals that lie within one step of growth.
static double least_load(const char *kind, bool told) {
  double least = 1;
  for (uint64_t total = 200000; total < 250000; total += 8000) {
    double load = fill(kind, total, told);
    if (load < least) least = load;
  }
  return least;
}

static void test_end_is_seen(void **context) {
  (void)context;
  assert_true(least_load("exact", true) > 0.84);
  assert_true(least_load("exact", false) < 0.80); // or the test would tell nothing
  assert_true(least_load("tree", true) > 0.80);
}

// However far an index wants to grow, what a limit allows is used, and used for states.
static void test_limit_is_used(void **context) {
  (void)context;
  for (size_t limit = 3000000; limit < 5500000; limit += limit / 16) {
    struct store_config c = {
        .kind = "exact", .words = WORDS, .bytes = 8 * WORDS, .mem_bytes_max = limit};
    struct store *s = store_new(&c);
    uint64_t n = 0;
    for (size_t done = BATCH; done == BATCH; n += done) {
      store_waiting(s, 1 + n / 4);
      done = put(s, n);
    }
    struct store_facts f;
    store_facts(s, &f);
    assert_in_range(store_memory(s), limit / 100 * 94, limit);
    assert_true(f.load > 0.88);
    assert_true(store_check(s));
    store_free(s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_percent),       cmocka_unit_test(test_ends),
      cmocka_unit_test(test_large),         cmocka_unit_test(test_end_is_seen),
      cmocka_unit_test(test_limit_is_used),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
