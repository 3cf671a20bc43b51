// SPDX-License-Identifier: Apache-2.0
// The fingerprint store against the exact one: answers, growth, limits, payload, threads, and how
// likely it is to take one state for another.
#include "lossy_stores.h"
#include "store/lossy.h"

static struct store *make(size_t words, unsigned bits, size_t payload, unsigned threads) {
  struct store_config c = {.kind = "fingerprint",
                           .words = words,
                           .bytes = words * 8,
                           .payload_bytes = payload,
                           .threads = threads,
                           .hash_bits = bits};
  return store_new(&c);
}

// --- one thread ---

static void test_against_exact(void **context) {
  (void)context;
  const unsigned bits[] = {0, 56, 63, 64, 65, 96, 127, 128};
  struct rng r;
  rng_init(&r, 3);
  for (size_t words = 1; words <= WORDS_MAX; words++)
    for (size_t i = 0; i < sizeof bits / sizeof *bits; i++) {
      struct store *s = make(words, bits[i], i % 2 * 4, 1);
      expect_as_exact(s, words, i == 0 ? 20000 : 2000, &r);
      store_free(s);
    }
}

// A state is its fingerprint as a whole: of these many have one half of it in common.
static void test_both_halves_count(void **context) {
  (void)context;
  for (unsigned bits = 65; bits <= 70; bits += 5) {
    struct store *s = make(1, bits, 0, 1);
    for (uint64_t v = 0; v < 200000; v++) {
      uint64_t id;
      assert_int_equal(store_insert(s, &v, &id), STORE_NEW);
    }
    assert_true(store_check(s));
    store_free(s);
  }
}

// Every bit of a state counts.
static void test_alike(void **context) {
  (void)context;
  for (size_t words = 1; words <= 3; words++)
    for (unsigned shift = 0; shift < words * 64; shift += 16) {
      struct store *s = make(words, 64, 0, 1);
      for (uint64_t v = 0; v < 65536; v++) {
        uint64_t w[3] = {11, 12, 13}, id;
        w[shift / 64] = v << shift % 64;
        assert_int_equal(store_insert(s, w, &id), STORE_NEW);
      }
      store_free(s);
    }
}

// Zero means that a slot is empty.
static void test_hash_of_zero(void **context) {
  (void)context;
  uint64_t w = UINT64_C(0x0d01feacb5ee2b89), id;
  assert_int_equal(lossy_hash64(&w, 1), 0);
  struct store *s = make(1, 64, 0, 1);
  assert_int_equal(store_insert(s, &w, &id), STORE_NEW);
  assert_int_equal(store_insert(s, &w, &id), STORE_OLD);
  assert_true(store_check(s));
  store_free(s);
}

static void test_duplicates_in_a_batch(void **context) {
  (void)context;
  struct store *s = make(1, 64, 0, 1);
  uint64_t w[] = {5, 6, 5, 5, 6, 7, 7, 5}, ids[8];
  enum store_answer answers[8];
  const enum store_answer expected[] = {STORE_NEW, STORE_NEW, STORE_OLD, STORE_OLD,
                                        STORE_OLD, STORE_NEW, STORE_OLD, STORE_OLD};
  assert_int_equal(store_insert_batch(s, w, 8, answers, ids), 8);
  assert_memory_equal(answers, expected, sizeof answers);
  for (size_t i = 0; i < 8; i++) assert_true(ids[i] != STORE_ABSENT);
  store_free(s);
}

static void test_what_it_is(void **context) {
  (void)context;
  struct store *s = make(1, 0, 0, 1);
  struct store_facts f;
  assert_true(store_kind_known("fingerprint"));
  assert_true(store_lossy(s));
  assert_false(store_keeps_states(s));
  store_facts(s, &f);
  assert_true(f.load == 0 && f.omission == 0);
  assert_string_equal(f.sentence, "fingerprints of 64 bits");
  mem_free(f.sentence);
  store_free(s);
}

// --- price and limits ---

static void test_price(void **context) {
  (void)context;
  struct store *s = make(4, 64, 0, 1);
  uint64_t w[4], id;
  for (uint64_t v = 0; v < 300000; v++) {
    encode(v, 4, w);
    assert_int_equal(store_insert(s, w, &id), STORE_NEW);
    if (v < 10000) continue;
    assert_true(store_memory(s) * 100 >= (v + 1) * 888);  // 8 bytes at a load of 90 %
    assert_true(store_memory(s) * 100 <= (v + 1) * 1130); // and after growth by a quarter
  }
  struct store_facts f;
  store_facts(s, &f);
  assert_true(f.load > 0.70 && f.load <= 0.90);
  mem_free(f.sentence);
  assert_true(store_check(s));
  store_free(s);
}

// Inserts fresh states until the store is full; its memory must stay within the limit throughout.
static uint64_t fill(struct store *s, size_t limit) {
  uint64_t w[64], ids[64], next = 0;
  enum store_answer answers[64];
  for (;;) {
    for (size_t i = 0; i < 64; i++) w[i] = next + i;
    size_t done = store_insert_batch(s, w, 64, answers, ids);
    if (limit) assert_true(store_memory(s) <= limit);
    next += done;
    if (done < 64) return next;
  }
}

static void check_memory_limit(unsigned bits, size_t payload, size_t limit) {
  struct store_config c = {.kind = "fingerprint",
                           .words = 1,
                           .bytes = 8,
                           .payload_bytes = payload,
                           .hash_bits = bits,
                           .mem_bytes_max = limit};
  struct store *s = store_new(&c);
  size_t each = (bits > 64 ? 16 : 8) + (payload ? 8 + payload : 0);
  uint64_t n = fill(s, limit), id, w = 3;
  assert_int_equal(store_count(s), n);
  assert_true(n * each * 100 > limit * 94); // nearly all of it went into states
  assert_true(store_memory(s) * 100 > limit * 97);
  assert_int_equal(store_insert(s, &w, &id), STORE_OLD); // what is there is still found
  w = n;
  assert_int_equal(store_insert(s, &w, &id), STORE_FULL);
  assert_int_equal(store_insert(s, &w, &id), STORE_FULL);
  assert_int_equal(store_count(s), n);
  assert_true(store_check(s));
  store_free(s);
}

static void test_memory_limit(void **context) {
  (void)context;
  for (size_t limit = 200000; limit < 4000000; limit = limit * 4 / 3) {
    check_memory_limit(64, 0, limit);
    check_memory_limit(64, 5, limit);
    check_memory_limit(96, 0, limit);
    check_memory_limit(128, 4, limit);
  }
}

// What the system really gives stays under the limit as well, at every step of the growth.
static void test_resident_size(void **context) {
  (void)context;
#if !defined __SANITIZE_THREAD__ && !defined __SANITIZE_ADDRESS__ // their shadows are resident too
  const size_t limit = (size_t)48 << 20, other = (size_t)1 << 20;
  size_t before = mem_resident(), most = 0;
  struct store_config c = {
      .kind = "fingerprint", .words = 1, .bytes = 8, .payload_bytes = 4, .mem_bytes_max = limit};
  struct store *s = store_new(&c);
  uint64_t w[64], ids[64], done = 64;
  enum store_answer answers[64];
  for (uint64_t next = 0; done == 64; next += 64) {
    for (size_t i = 0; i < 64; i++) w[i] = next + i;
    done = store_insert_batch(s, w, 64, answers, ids);
    for (size_t i = 0; i < done; i++) memset(store_payload(s, ids[i]), 1, 4);
    size_t now = next % 1024 ? 0 : mem_resident() - before;
    if (now > most) most = now;
  }
  assert_true(most <= limit + other);
  assert_true(most >= limit * 9 / 10);
  store_free(s);
#endif
}

static void test_states_limit(void **context) {
  (void)context;
  for (uint64_t most = 1; most < 20000; most = most * 3 + 1) {
    struct store_config c = {.kind = "fingerprint", .words = 1, .bytes = 8, .states_max = most};
    struct store *s = store_new(&c);
    assert_int_equal(fill(s, 0), most);
    assert_int_equal(store_count(s), most);
    store_free(s);
  }
}

// --- payload ---

static void test_payload(void **context) {
  (void)context;
  enum { COUNT = 20000 };
  const char zero[6] = {0};
  static void *place[COUNT];
  static uint64_t ids[COUNT];
  for (unsigned bits = 64; bits <= 96; bits += 32) {
    struct store *s = make(1, bits, 6, 1);
    for (uint64_t i = 0; i < COUNT; i++) {
      uint64_t w = i * 17;
      assert_int_equal(store_insert(s, &w, &ids[i]), STORE_NEW);
      place[i] = store_payload(s, ids[i]);
      assert_memory_equal(place[i], zero, 6);
      memcpy(place[i], &(uint32_t){(uint32_t)i}, 4);
    }
    for (uint64_t i = 0; i < COUNT; i++) {
      uint64_t w = i * 17, id;
      uint32_t kept;
      assert_true(store_find(s, &w, &id));
      assert_int_equal(id, ids[i]);
      assert_ptr_equal(store_payload(s, id), place[i]); // has not moved
      memcpy(&kept, place[i], 4);
      assert_int_equal(kept, i);
    }
    assert_true(store_check(s));
    store_free(s);
  }
}

// However often writers come and go, ids do not run ahead of the states.
static void test_payload_of_many_writers(void **context) {
  (void)context;
  struct store *s = make(1, 64, 1, 2);
  for (uint64_t w = 0; w < 30000; w++) {
    struct store_writer *one = store_writer_new(s), *two = store_writer_new(s);
    enum store_answer answer;
    uint64_t id;
    assert_int_equal(store_write_batch(w % 3 ? one : two, &w, 1, &answer, &id), 1);
    assert_true(id <= w + 2 * 16384);
    assert_int_equal(*(char *)store_payload(s, id), 0);
    *(char *)store_payload(s, id) = 1;
    store_writer_free(one);
    store_writer_free(two);
  }
  assert_true(store_check(s));
  store_free(s);
}

// --- several threads ---

static void check_race(unsigned threads, unsigned bits, size_t payload, uint64_t pool) {
  struct race r = {.store = make(1, bits, payload, threads),
                   .pool = pool,
                   .payload = payload > 0,
                   .in_step = threads % 2 == 0};
  assert_int_equal(race(&r, threads), pool);
  for (uint64_t v = 0; v < pool; v++) {
    assert_int_equal(r.fresh[v], 1);
    if (payload) assert_int_equal(*(uint32_t *)store_payload(r.store, r.id[v] - 1), threads);
  }
  race_clear(&r);
}

static void test_threads(void **context) {
  (void)context;
  for (unsigned threads = 2; threads <= THREADS_MAX; threads += threads / 2) {
    check_race(threads, 64, 0, 60000);
    check_race(threads, 128, 0, 20000);
    check_race(threads, 64, 4, 20000);
    check_race(threads, 96, 8, 20000);
  }
}

// The limit is met exactly: nobody is told that the store is full before it is.
static void test_threads_states_limit(void **context) {
  (void)context;
  for (uint64_t most = 1; most < 10000; most = most * 3 + 7) {
    struct store_config c = {
        .kind = "fingerprint", .words = 1, .bytes = 8, .threads = 4, .states_max = most};
    struct race r = {.store = store_new(&c), .pool = most + 1000};
    assert_int_equal(race(&r, 4), most);
    race_clear(&r);
  }
}

static void test_threads_memory_limit(void **context) {
  (void)context;
  const size_t limit = 500000;
  struct store_config c = {
      .kind = "fingerprint", .words = 1, .bytes = 8, .threads = 4, .mem_bytes_max = limit};
  struct race r = {.store = store_new(&c), .pool = 100000};
  uint64_t n = race(&r, 4);
  assert_true(n * 8 * 100 > limit * 94 && n * 8 < limit);
  assert_true(store_memory(r.store) <= limit);
  race_clear(&r);
}

// --- probability ---

// In how many of `trials` sets of `count` states one or more was taken for another.
static unsigned trials_with_loss(unsigned bits, size_t words, uint64_t count, unsigned trials,
                                 double *omission) {
  unsigned losses = 0;
  for (unsigned t = 0; t < trials; t++) {
    struct store *s = make(words, bits, 0, 1);
    struct store_facts f;
    for (uint64_t v = 0; v < count; v++) {
      uint64_t w[WORDS_MAX], id;
      encode(t * count + v, words, w);
      store_insert(s, w, &id);
    }
    losses += store_count(s) < count;
    store_facts(s, &f);
    if (store_count(s) == count) *omission = f.omission;
    mem_free(f.sentence);
    store_free(s);
  }
  return losses;
}

// The bound holds, and is not far from the truth: between p - p^2/2 and p.
static void test_omission(void **context) {
  (void)context;
  enum { COUNT = 600, TRIALS = 800, BITS = 20 };
  for (size_t words = 1; words <= WORDS_MAX; words = words * 2 - words / 4) {
    double bound = 0, expected = 0.5 * COUNT * (COUNT + 1.0) / (1 << BITS);
    double share = trials_with_loss(BITS, words, COUNT, TRIALS, &bound) / (double)TRIALS;
    assert_true(bound > expected * 0.999 && bound < expected * 1.001);
    assert_true(share < bound + 0.035); // two and a half standard deviations
    assert_true(share > bound - bound * bound / 2 - 0.035);
  }
}

// With few bits nearly everything is taken for something else, and nothing breaks.
static void test_few_bits(void **context) {
  (void)context;
  for (unsigned bits = 1; bits <= 12; bits++) {
    struct store *s = make(1, bits, 0, 1);
    struct store_facts f;
    uint64_t id;
    for (uint64_t v = 0; v < 60000; v++) assert_int_not_equal(store_insert(s, &v, &id), STORE_FULL);
    assert_int_equal(store_count(s), 1 << bits);
    assert_true(store_check(s));
    store_facts(s, &f);
    assert_true(f.omission == 1 || bits == 1);
    mem_free(f.sentence);
    store_free(s);
  }
}

static void test_omission_of_wide_ones(void **context) {
  (void)context;
  for (unsigned bits = 64; bits <= 128; bits += 32) {
    struct store *s = make(1, bits, 0, 1);
    struct store_facts f;
    uint64_t id;
    double expected = 0.5 * 1000 * 1001;
    for (uint64_t v = 0; v < 1000; v++) store_insert(s, &v, &id);
    for (unsigned i = 0; i < bits; i++) expected /= 2;
    store_facts(s, &f);
    assert_true(f.omission > expected * 0.999 && f.omission < expected * 1.001);
    mem_free(f.sentence);
    store_free(s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_against_exact),
      cmocka_unit_test(test_both_halves_count),
      cmocka_unit_test(test_alike),
      cmocka_unit_test(test_hash_of_zero),
      cmocka_unit_test(test_duplicates_in_a_batch),
      cmocka_unit_test(test_what_it_is),
      cmocka_unit_test(test_price),
      cmocka_unit_test(test_memory_limit),
      cmocka_unit_test(test_resident_size),
      cmocka_unit_test(test_states_limit),
      cmocka_unit_test(test_payload),
      cmocka_unit_test(test_payload_of_many_writers),
      cmocka_unit_test(test_threads),
      cmocka_unit_test(test_threads_states_limit),
      cmocka_unit_test(test_threads_memory_limit),
      cmocka_unit_test(test_omission),
      cmocka_unit_test(test_few_bits),
      cmocka_unit_test(test_omission_of_wide_ones),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
