// SPDX-License-Identifier: Apache-2.0
// The bitstate store: what it answers while it loses nothing, how much it loses against what it
// says it does, limits, threads.
#include "lossy_stores.h"

#include <stdio.h>

// An array of that many bytes.
static struct store *make(size_t words, unsigned hashes, size_t array) {
  struct store_config c = {.kind = "bitstate",
                           .words = words,
                           .bytes = words * 8,
                           .hashes = hashes,
                           .mem_bytes_max = 2 * array};
  return store_new(&c);
}

// --- as long as nothing is lost ---

static void test_against_exact(void **context) {
  (void)context;
  struct rng r;
  rng_init(&r, 4);
  for (size_t words = 1; words <= WORDS_MAX; words++)
    for (unsigned hashes = 2; hashes <= 7; hashes++) {
      struct store *s = make(words, hashes, (size_t)4 << 20);
      expect_as_exact(s, words, 2000, &r);
      store_free(s);
    }
}

static void test_what_it_is(void **context) {
  (void)context;
  struct store_config c = {.kind = "bitstate", .words = 1, .bytes = 8};
  struct store *s = store_new(&c);
  struct store_facts f;
  uint64_t w = 5, id;
  assert_true(store_lossy(s));
  assert_false(store_keeps_states(s));
  store_facts(s, &f);
  assert_true(f.load == 0 && f.omission == 0);
  assert_string_equal(f.sentence, "3 bits per state in an array of 256 MiB");
  mem_free(f.sentence);
  assert_int_equal(store_insert(s, &w, &id), STORE_NEW);
  assert_int_equal(store_insert(s, &w, &id), STORE_OLD);
  store_facts(s, &f);
  assert_true(f.omission > 0 && f.omission < 1e-20);
  assert_string_equal(f.sentence, "hash factor 2147483648, expected coverage over 99.999999999 %; "
                                  "3 bits per state in an array of 256 MiB");
  mem_free(f.sentence);
  store_free(s);
}

// --- what it loses ---

struct run {
  uint64_t kept;
  double load, omission, factor, coverage;
};

// Inserts `count` states, all different, from number `first` on.
static struct run run(unsigned hashes, size_t array, uint64_t first, uint64_t count) {
  size_t words = 1 + first % 3;
  struct store *s = make(words, hashes, array);
  struct store_facts f;
  struct run r;
  uint64_t w[3], id;
  for (uint64_t v = 0; v < count; v++) {
    encode(first + v, words, w);
    assert_int_not_equal(store_insert(s, w, &id), STORE_FULL);
    assert_int_equal(store_insert(s, w, &id), STORE_OLD); // whether it was lost or not
  }
  r.kept = store_count(s);
  assert_true(store_check(s));
  store_facts(s, &f);
  r.load = f.load;
  r.omission = f.omission;
  assert_int_equal(sscanf(f.sentence, "hash factor %lf, expected coverage", &r.factor), 1);
  const char *coverage = strstr(f.sentence, "coverage");
  r.coverage = strtod(coverage + strcspn(coverage, "0123456789"), NULL);
  mem_free(f.sentence);
  store_free(s);
  return r;
}

// e^-x, without the mathematical library.
static double decay(double x) {
  double power = 1 - x / (1 << 20) + x * x / (1 << 20) / (1 << 20) / 2;
  for (int i = 0; i < 20; i++) power *= power;
  return power;
}

// From an array that is nearly empty to one that loses most.
static void test_coverage(void **context) {
  (void)context;
  const size_t array = 8192;
  for (unsigned hashes = 1; hashes <= 8; hashes += 1 + hashes / 3)
    for (uint64_t count = 3000; count <= 100000; count = count * 2) {
      struct run r = run(hashes, array, count, count);
      double real = 100.0 * (double)r.kept / (double)count;
      double bits = 8.0 * array, fill = 1 - decay(hashes * (double)count / bits);
      assert_true(r.factor > bits / (double)r.kept - 0.06);
      assert_true(r.factor < bits / (double)r.kept + 0.06);
      assert_true(r.load > fill - 0.01 && r.load < fill + 0.01);
      assert_true(real < r.coverage + 1);
      if (r.load < 0.99) assert_true(real > r.coverage - 1);
    }
}

// The number of states lost, over many small runs, is the one expected within a few percent.
static void test_losses(void **context) {
  (void)context;
  for (unsigned hashes = 1; hashes <= 4; hashes++) {
    double lost = 0, expected = 0;
    for (uint64_t trial = 0; trial < 60; trial++) {
      struct run r = run(hashes, 4096, trial * 3000, 3000);
      lost += 3000 - (double)r.kept;
      expected += 3000 * (1 - r.coverage / 100);
    }
    assert_true(lost > expected * 0.85 && lost < expected * 1.15);
  }
}

// The probability that anything is lost: the bound holds, and is not far from the truth.
static void test_omission(void **context) {
  (void)context;
  const uint64_t count[] = {40, 200, 400, 550}; // states, for 1 to 4 hashes
  enum { TRIALS = 400 };
  for (unsigned hashes = 1; hashes <= 4; hashes++) {
    uint64_t n = count[hashes - 1];
    double bound = 0, losses = 0;
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
      struct run r = run(hashes, 1024, trial * n, n);
      losses += r.kept < n;
      if (r.kept == n) bound = r.omission;
    }
    double sum = 0;
    for (uint64_t i = 1; i <= n; i++) {
      double p = 1;
      for (unsigned k = 0; k < hashes; k++) p *= hashes * (double)i / 8192;
      sum += p;
    }
    assert_true(bound > 0.05 && bound < 0.8);
    assert_true(bound > sum && bound < sum * 1.05);
    assert_true(losses / TRIALS < bound + 0.05);
    assert_true(losses / TRIALS > bound / 2.5 - 0.05);
  }
}

// It is never full; when all bits are set, nothing is new any more.
static void test_saturation(void **context) {
  (void)context;
  struct store_config c = {.kind = "bitstate", .words = 1, .bytes = 8, .mem_bytes_max = 1};
  struct store *s = store_new(&c);
  struct store_facts f;
  uint64_t id;
  for (uint64_t v = 0; v < 100000; v++) assert_int_not_equal(store_insert(s, &v, &id), STORE_FULL);
  assert_true(store_count(s) <= 512);
  store_facts(s, &f);
  assert_true(f.load == 1 && f.omission == 1);
  assert_non_null(strstr(f.sentence, "expected coverage under "));
  mem_free(f.sentence);
  store_free(s);
}

// --- limits ---

static void test_states_limit(void **context) {
  (void)context;
  for (uint64_t most = 1; most < 20000; most = most * 3 + 1) {
    struct store_config c = {.kind = "bitstate",
                             .words = 1,
                             .bytes = 8,
                             .mem_bytes_max = (size_t)512 << 20,
                             .states_max = most};
    struct store *s = store_new(&c);
    uint64_t w[64], ids[64], next = 0, id;
    enum store_answer answers[64];
    for (size_t done = 64; done == 64; next += done) {
      for (size_t i = 0; i < 64; i++) w[i] = next + i;
      done = store_insert_batch(s, w, 64, answers, ids);
    }
    assert_int_equal(next, most);
    assert_int_equal(store_count(s), most);
    w[0] = most - 1;
    assert_int_equal(store_insert(s, w, &id), STORE_OLD);
    assert_int_equal(store_insert(s, &next, &id), STORE_FULL);
    store_free(s);
  }
}

// What the system really gives is no more than half of the limit.
static void test_resident_size(void **context) {
  (void)context;
#if !defined __SANITIZE_THREAD__ && !defined __SANITIZE_ADDRESS__ // their shadows are resident too
  const size_t limit = (size_t)64 << 20, other = (size_t)1 << 20;
  size_t before = mem_resident();
  struct store *s = make(1, 3, limit / 2);
  uint64_t id;
  for (uint64_t v = 0; v < 200000; v++) {
    store_insert(s, &v, &id);
    if (v % 1000 == 0) assert_true(mem_resident() - before <= limit / 2 + other);
  }
  assert_int_equal(store_memory(s), limit / 2);
  store_free(s);
#endif
}

#ifdef FATHOM_SMALL
enum { EARLY = 64 };
#else
enum { EARLY = 1 << 20 };
#endif

// It is small as long as there are few states, and loses none of them. Then they go into the array,
// which is as full as if all had gone there at once.
static void test_early(void **context) {
  (void)context;
  const size_t array = (size_t)128 << 20;
  struct store *s = make(1, 3, array);
  struct store_facts f;
  uint64_t id;
  for (uint64_t v = 0; v < EARLY; v++) {
    assert_int_equal(store_insert(s, &v, &id), STORE_NEW);
    if (v < 60) assert_true(store_memory(s) <= (v + 2) * 4096);
  }
  assert_true(store_memory(s) <= array / 4);
  assert_true(store_check(s));
  store_facts(s, &f);
  double before = f.omission, load = f.load;
  mem_free(f.sentence);
  for (uint64_t v = EARLY; v < EARLY + 10; v++) store_insert(s, &v, &id);
  for (uint64_t v = 0; v < EARLY + 10; v++) assert_true(store_find(s, &v, &id));
  assert_true(store_count(s) > EARLY);
  assert_int_equal(store_memory(s), array);
  assert_true(store_check(s));
  store_facts(s, &f);
  assert_true(f.load > load * 0.99 && f.load < load * 1.16);
  assert_true(f.omission > before && f.omission < 2 * before);
  mem_free(f.sentence);
  store_free(s);
}

// --- several threads ---

// With a large array all are new to one thread, with a small one to one or none.
static void test_threads(void **context) {
  (void)context;
  for (unsigned threads = 2; threads <= THREADS_MAX; threads += threads / 2)
    for (size_t array = 4096; array <= (size_t)16 << 20; array <<= 12) {
      struct store_config c = {.kind = "bitstate",
                               .words = 1,
                               .bytes = 8,
                               .threads = threads,
                               .mem_bytes_max = 2 * array};
      struct race r = {.store = store_new(&c), .pool = 30000};
      uint64_t fresh = race(&r, threads);
      if (array > 4096)
        assert_int_equal(fresh, r.pool);
      else
        assert_in_range(fresh, r.pool / 3, r.pool * 4 / 5);
      race_clear(&r);
    }
}

static void test_threads_states_limit(void **context) {
  (void)context;
  for (uint64_t most = 1; most < 10000; most = most * 3 + 7) {
    struct store_config c = {
        .kind = "bitstate", .words = 1, .bytes = 8, .threads = 4, .states_max = most};
    struct race r = {.store = store_new(&c), .pool = most + 1000};
    assert_int_equal(race(&r, 4), most);
    race_clear(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_against_exact),
      cmocka_unit_test(test_what_it_is),
      cmocka_unit_test(test_coverage),
      cmocka_unit_test(test_losses),
      cmocka_unit_test(test_omission),
      cmocka_unit_test(test_saturation),
      cmocka_unit_test(test_states_limit),
      cmocka_unit_test(test_early),
      cmocka_unit_test(test_resident_size),
      cmocka_unit_test(test_threads),
      cmocka_unit_test(test_threads_states_limit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
