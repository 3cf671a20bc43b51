// SPDX-License-Identifier: Apache-2.0
// The exact store against a plain table: ids, duplicates, growth, limits, payload.
#include "store/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { POOL = 3000, BATCH = 97 };

// State number v of a pool, spread over all its bytes; different for different v as far as fit.
static void encode(uint64_t v, size_t bytes, size_t words, uint64_t *w) {
  unsigned char b[64] = {0};
  for (size_t i = 0; i < bytes; i++) b[i] = (unsigned char)((v >> (8 * (i % 3))) ^ (i / 3 * 37));
  memset(w, 0, words * 8);
  memcpy(w, b, bytes);
}

static uint64_t distinct(size_t bytes) { return bytes == 1 ? 256 : POOL; }

struct fixture {
  struct store *store;
  size_t bytes, words;
  uint64_t expected[POOL]; // id of each of the pool, or STORE_ABSENT
  uint64_t count;
};

static void fixture_init(struct fixture *f, size_t bytes, size_t words) {
  struct store_config c = {.kind = "exact", .words = words, .bytes = bytes};
  f->store = store_new(&c);
  f->bytes = bytes;
  f->words = words;
  f->count = 0;
  for (size_t i = 0; i < POOL; i++) f->expected[i] = STORE_ABSENT;
}

static void expect_answer(struct fixture *f, uint64_t v, enum store_answer answer, uint64_t id) {
  if (f->expected[v] == STORE_ABSENT) {
    assert_int_equal(answer, STORE_NEW);
    assert_int_equal(id, f->count);
    f->expected[v] = f->count++;
  } else {
    assert_int_equal(answer, STORE_OLD);
    assert_int_equal(id, f->expected[v]);
  }
}

static void insert_batches(struct fixture *f, struct rng *r, unsigned rounds) {
  uint64_t words[BATCH * 8], values[BATCH], ids[BATCH];
  enum store_answer answers[BATCH];
  while (rounds--) {
    size_t n = 1 + rng_below(r, BATCH);
    for (size_t i = 0; i < n; i++) {
      values[i] = rng_below(r, distinct(f->bytes));
      encode(values[i], f->bytes, f->words, words + i * f->words);
    }
    assert_int_equal(store_insert_batch(f->store, words, n, answers, ids), n);
    for (size_t i = 0; i < n; i++) expect_answer(f, values[i], answers[i], ids[i]);
  }
}

static void expect_contents(struct fixture *f) {
  uint64_t w[8], got[8], id;
  assert_int_equal(store_count(f->store), f->count);
  for (uint64_t v = 0; v < distinct(f->bytes); v++) {
    encode(v, f->bytes, f->words, w);
    assert_int_equal(store_find(f->store, w, &id), f->expected[v] != STORE_ABSENT);
    assert_int_equal(id, f->expected[v]);
    if (id == STORE_ABSENT) continue;
    store_get(f->store, id, got);
    assert_memory_equal(got, w, f->words * 8);
  }
  assert_true(store_check(f->store));
}

static void test_every_size(void **context) {
  (void)context;
  struct rng r;
  rng_init(&r, 7);
  for (size_t bytes = 1; bytes <= 40; bytes++) {
    struct fixture f;
    fixture_init(&f, bytes, (bytes + 7) / 8);
    insert_batches(&f, &r, 90);
    expect_contents(&f);
    store_free(f.store);
  }
}

// States that differ in two bytes of one word only, so many that slots' tags are often the same:
// whatever part of a state is not compared, two of them become one.
static void test_alike(void **context) {
  (void)context;
  for (size_t words = 1; words <= 3; words++)
    for (unsigned shift = 0; shift < words * 64; shift += 16) {
      struct store_config c = {.kind = "exact", .words = words, .bytes = words * 8};
      struct store *s = store_new(&c);
      for (uint64_t v = 0; v < 65536; v++) {
        uint64_t w[3] = {11, 12, 13}, id;
        w[shift / 64] = v << shift % 64;
        assert_int_equal(store_insert(s, w, &id), STORE_NEW);
      }
      store_free(s);
    }
}

enum { BITS_MAX = 200, KEPT = 300 };

static size_t find_kept(const uint64_t (*kept)[4], size_t count, const uint64_t *w) {
  size_t i = 0;
  while (i < count && memcmp(kept[i], w, sizeof *kept) != 0) i++;
  return i;
}

// States of a given number of bits, every one of them used, come back as they were.
static void check_bits(uint64_t bits, struct rng *r) {
  size_t words = (bits + 63) / 64;
  struct store_config c = {.kind = "exact", .words = words, .bytes = (bits + 7) / 8, .bits = bits};
  struct store *store = store_new(&c);
  uint64_t kept[KEPT][4] = {{0}}, got[4];
  size_t count = 0;
  for (int round = 0; round < KEPT; round++) {
    uint64_t w[4] = {0}, id;
    for (size_t i = 0; i < words; i++) w[i] = rng_next(r) & rng_next(r);
    if (bits % 64) w[words - 1] &= ~UINT64_C(0) >> (64 - bits % 64);
    size_t at = find_kept(kept, count, w);
    assert_int_equal(store_insert(store, w, &id), at == count ? STORE_NEW : STORE_OLD);
    assert_int_equal(id, at);
    if (at == count) memcpy(kept[count++], w, sizeof w);
  }
  for (size_t i = 0; i < count; i++) {
    store_get(store, i, got);
    assert_memory_equal(got, kept[i], words * 8);
  }
  assert_true(store_check(store));
  store_free(store);
}

static void test_every_bit(void **context) {
  (void)context;
  struct rng r;
  rng_init(&r, 5);
  for (uint64_t bits = 1; bits <= BITS_MAX; bits++) check_bits(bits, &r);
}

static void test_one_by_one(void **context) {
  (void)context;
  struct rng r;
  rng_init(&r, 8);
  struct fixture f;
  fixture_init(&f, 3, 2); // the last word holds nothing
  for (int i = 0; i < 5000; i++) {
    uint64_t w[2], id, v = rng_below(&r, POOL);
    encode(v, 3, 2, w);
    enum store_answer answer = store_insert(f.store, w, &id);
    expect_answer(&f, v, answer, id);
  }
  expect_contents(&f);
  store_free(f.store);
}

static void test_state_without_bytes(void **context) {
  (void)context;
  struct store_config c = {.kind = "exact", .words = 1, .bytes = 0};
  struct store *s = store_new(&c);
  uint64_t w = 0, id = 9;
  assert_int_equal(store_insert(s, &w, &id), STORE_NEW);
  assert_int_equal(store_insert(s, &w, &id), STORE_OLD);
  assert_int_equal(id, 0);
  store_get(s, 0, &w);
  assert_int_equal(w, 0);
  store_free(s);
}

static void test_duplicates_in_a_batch(void **context) {
  (void)context;
  struct store_config c = {.kind = "exact", .words = 1, .bytes = 8};
  struct store *s = store_new(&c);
  uint64_t w[] = {5, 6, 5, 5, 6, 7, 7, 5}, ids[8];
  enum store_answer answers[8];
  const uint64_t expected_ids[] = {0, 1, 0, 0, 1, 2, 2, 0};
  const enum store_answer expected[] = {STORE_NEW, STORE_NEW, STORE_OLD, STORE_OLD,
                                        STORE_OLD, STORE_NEW, STORE_OLD, STORE_OLD};
  assert_int_equal(store_insert_batch(s, w, 8, answers, ids), 8);
  assert_memory_equal(ids, expected_ids, sizeof ids);
  assert_memory_equal(answers, expected, sizeof answers);
  uint64_t all[3];
  store_get_batch(s, 0, 3, all);
  assert_int_equal(all[0] + all[1] * 10 + all[2] * 100, 765);
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

static void fill_some(struct store *s, uint64_t n) {
  for (uint64_t v = 0, id; v < n; v++) assert_int_equal(store_insert(s, &v, &id), STORE_NEW);
}

static void test_memory_limit(void **context) {
  (void)context;
  for (size_t limit = 60000; limit < 3000000; limit = limit * 4 / 3) {
    struct store_config c = {.kind = "exact", .words = 1, .bytes = 7, .mem_bytes_max = limit};
    struct store *s = store_new(&c);
    uint64_t n = fill(s, limit), id, w = 3;
    assert_int_equal(store_count(s), n);
#ifndef FATHOM_SMALL             // which goes over to wide slots early
    assert_true(n * 15 > limit); // most of it went into states
#endif
    assert_int_equal(store_insert(s, &w, &id), STORE_OLD); // what is there is still found
    assert_int_equal(id, 3);
    w = n;
    assert_int_equal(store_insert(s, &w, &id), STORE_FULL);
    assert_true(store_check(s));
    store_free(s);
  }
}

static void test_states_limit(void **context) {
  (void)context;
  for (uint64_t most = 1; most < 20000; most = most * 3 + 1) {
    struct store_config c = {.kind = "exact", .words = 1, .bytes = 5, .states_max = most};
    struct store *s = store_new(&c);
    assert_int_equal(fill(s, 0), most);
    assert_int_equal(store_count(s), most);
    store_free(s);
  }
}

static void test_growth_and_price(void **context) {
  (void)context;
  struct store_config c = {.kind = "exact", .words = 2, .bytes = 11};
  struct store *s = store_new(&c);
  uint64_t n = 300000, id;
  for (uint64_t i = 0; i < n; i++) {
    uint64_t w[2] = {i << 20, i & 0xffffff};
    assert_int_equal(store_insert(s, w, &id), STORE_NEW);
  }
  assert_int_equal(store_count(s), n);
#ifndef FATHOM_SMALL                           // which goes over to wide slots early
  assert_true(store_memory(s) < n * 163 / 10); // the state's 11 bytes and 5.3 of index
#endif
  assert_true(store_check(s));
  store_free(s);
}

static void test_payload(void **context) {
  (void)context;
  struct store_config c = {.kind = "exact", .words = 1, .bytes = 4, .payload_bytes = 6};
  struct store *s = store_new(&c);
  const char zero[6] = {0};
  for (uint64_t i = 0; i < 20000; i++) {
    uint64_t id, w = i * 17;
    assert_int_equal(store_insert(s, &w, &id), STORE_NEW);
    assert_memory_equal(store_payload(s, id), zero, 6);
    memcpy(store_payload(s, id), &(uint32_t){(uint32_t)i}, 4);
  }
  for (uint64_t i = 0; i < 20000; i++) {
    uint32_t kept;
    memcpy(&kept, store_payload(s, i), 4);
    assert_int_equal(kept, i);
  }
  store_free(s);
}

// One thread may come by either door: ids go on.
static void test_both_doors(void **context) {
  (void)context;
  struct store_config c = {.kind = "exact", .words = 1, .bytes = 8, .threads = 1};
  struct store *s = store_new(&c);
  struct store_writer *a = store_writer_new(s), *b = NULL;
  enum store_answer answer;
  for (uint64_t v = 0; v < 9000; v += 3) {
    uint64_t w[3] = {v, v + 1, v + 2}, id;
    assert_int_equal(store_insert(s, &w[0], &id), STORE_NEW);
    assert_int_equal(id, v);
    assert_int_equal(store_write_batch(a, &w[1], 1, &answer, &id), 1);
    assert_int_equal(id, v + 1);
    b = store_writer_new(s);
    assert_int_equal(store_write_batch(b, &w[2], 1, &answer, &id), 1);
    assert_int_equal(id, v + 2);
    store_writer_free(b);
  }
  store_writer_free(a);
  assert_int_equal(store_count(s), 9000);
  assert_true(store_check(s));
  store_free(s);
}

// As many states as there may be find place, and the index is full then, whatever the number: it
// does not grow for more.
static void test_most_load(void **context) {
  (void)context;
  for (uint64_t most = 1000; most < 200000; most = most * 9 / 8)
    for (unsigned threads = 1; threads <= 2; threads++) {
      struct store_config c = {
          .kind = "exact", .words = 1, .bytes = 8, .threads = threads, .states_max = most};
      struct store *s = store_new(&c);
      struct store_writer *w = store_writer_new(s);
      enum store_answer answer;
      uint64_t id;
      for (uint64_t i = 0; i < most; i++)
        assert_int_equal(store_write_batch(w, &(uint64_t){i}, 1, &answer, &id), 1);
      assert_int_equal(store_write_batch(w, &(uint64_t){most}, 1, &answer, &id), 0);
      assert_int_equal(store_count(s), most);
      struct store_facts f;
      store_facts(s, &f);
      mem_free(f.sentence);
      if (most > 4000) assert_true(f.load > 0.9); // fewer have place from the start
      assert_true(store_check(s));
      store_writer_free(w);
      store_free(s);
    }
}

// Addresses are no more than a store may need: many have place beside each other.
#ifdef __SANITIZE_THREAD__
enum { MANY_STORES = 10 }; // ThreadSanitizer leaves 1.5 TB of addresses
#else
enum { MANY_STORES = 200 };
#endif

// How full the index is when that many states are in it, of which the store was told at all times
// how many are still to come.
static double load_at_end(uint64_t states) {
  struct store_config c = {.kind = "exact", .words = 1, .bytes = 8};
  struct store *s = store_new(&c);
  struct store_facts f;
  uint64_t w[BATCH], ids[BATCH];
  enum store_answer answers[BATCH];
  for (uint64_t v = 0, n; v < states; v += n) {
    n = states - v < BATCH ? states - v : BATCH;
    for (size_t i = 0; i < n; i++) w[i] = (v + i) * 3;
    store_waiting(s, states - v);
    assert_int_equal(store_insert_batch(s, w, n, answers, ids), n);
  }
  assert_true(store_check(s));
  store_facts(s, &f);
  mem_free(f.sentence);
  store_free(s);
  return f.load;
}

// Near its end a search does not make the index larger: it becomes fuller than it would else.
static void test_near_the_end(void **context) {
  (void)context;
  unsigned fuller = 0;
  for (uint64_t states = 30000; states < 60000; states += states / 100) {
    double load = load_at_end(states);
    assert_true(load <= 0.95);
    fuller += load > 0.931;
  }
  assert_true(fuller > 0);
}

static void test_many_stores(void **context) {
  (void)context;
  struct store *stores[MANY_STORES];
  for (size_t i = 0; i < MANY_STORES; i++) {
    struct store_config c = {.kind = "exact", .words = 1, .bytes = 8, .threads = 1 + i % 5};
    if (i % 2) c.payload_bytes = 4;
    stores[i] = store_new(&c);
    struct store_writer *w = store_writer_new(stores[i]);
    enum store_answer answer;
    uint64_t id;
    assert_int_equal(store_write_batch(w, &(uint64_t){i}, 1, &answer, &id), 1);
    assert_int_equal(answer, STORE_NEW);
    store_writer_free(w);
  }
  for (size_t i = 0; i < MANY_STORES; i++) {
    assert_true(store_check(stores[i]));
    store_free(stores[i]);
  }
}

static void test_facts(void **context) {
  (void)context;
  struct store_config c = {.kind = "exact", .words = 1, .bytes = 8};
  struct store *s = store_new(&c);
  struct store_facts f;
  fill_some(s, 400000); // while it is small the index grows faster
  store_facts(s, &f);
  assert_true(f.load > 0.7 && f.load < 0.95);
  assert_true(f.omission == 0 && !f.sentence);
  assert_true(store_keeps_states(s) && !store_lossy(s));
  store_free(s);
}

static void test_kinds(void **context) {
  (void)context;
  struct store_config c = {.kind = "no such kind", .words = 1, .bytes = 8};
  assert_null(store_new(&c));
  assert_false(store_kind_known("no such kind"));
  assert_true(store_kind_known("exact"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_size),
      cmocka_unit_test(test_alike),
      cmocka_unit_test(test_every_bit),
      cmocka_unit_test(test_one_by_one),
      cmocka_unit_test(test_state_without_bytes),
      cmocka_unit_test(test_duplicates_in_a_batch),
      cmocka_unit_test(test_memory_limit),
      cmocka_unit_test(test_states_limit),
      cmocka_unit_test(test_growth_and_price),
      cmocka_unit_test(test_payload),
      cmocka_unit_test(test_both_doors),
      cmocka_unit_test(test_many_stores),
      cmocka_unit_test(test_most_load),
      cmocka_unit_test(test_near_the_end),
      cmocka_unit_test(test_facts),
      cmocka_unit_test(test_kinds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
