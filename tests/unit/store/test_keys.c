// SPDX-License-Identifier: Apache-2.0
// A store put away key by key and taken up again in a fresh one: the same states, the same
// payloads, whatever the kind, the shape of states, and the number of threads before and after.
#include "store/store.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <time.h>

enum { WORDS_MAX = 6, THREADS_MAX = 4, KEY_WORDS_MAX = WORDS_MAX };

#ifdef FATHOM_SMALL // growth is frequent
enum { POOL = 6000 };
#else
enum { POOL = 25000 };
#endif

struct shape {
  const char *kind;
  size_t words, bits;
  unsigned hash_bits;
};
static const struct shape shapes[] = {
    {"exact", 1, 24, 0},         {"exact", 1, 64, 0},        {"exact", 2, 75, 0},
    {"exact", 2, 128, 0},        {"exact", 6, 300, 0},       {"tree", 1, 20, 0},
    {"tree", 2, 75, 0},          {"tree", 3, 192, 0},        {"tree", 6, 300, 0},
    {"fingerprint", 2, 75, 0},   {"fingerprint", 1, 24, 40}, {"fingerprint", 2, 75, 65},
    {"fingerprint", 6, 300, 96}, {"fingerprint", 1, 64, 128}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static struct store_config config_of(const struct shape *shape, unsigned threads, size_t payload) {
  return (struct store_config){.kind = shape->kind,
                               .words = shape->words,
                               .bytes = (shape->bits + 7) / 8,
                               .bits = shape->bits,
                               .hash_bits = shape->hash_bits,
                               .payload_bytes = payload,
                               .threads = threads};
}

// State number v, spread over all the bits; some parts of it differ rarely.
static void encode(uint64_t v, const struct shape *shape, uint64_t *w) {
  memset(w, 0, shape->words * sizeof *w);
  for (size_t i = 0; i < shape->bits; i++) {
    uint64_t bit = (v >> (i % 19 + (i / 64 * 3) % 5) % 19) & 1;
    w[i / 64] |= bit << i % 64;
  }
}

static uint32_t payload_for(uint64_t v) { return (uint32_t)(v * 2654435761u + 1); }

// --- filling it ---

struct worker {
  struct store *store;
  struct store_writer *writer;
  const struct shape *shape;
  unsigned number, threads;
  bool paid;
};

// Every third state is everybody's.
static void *work(void *context) {
  struct worker *k = context;
  for (uint64_t v = 0; v < POOL; v++) {
    uint64_t w[WORDS_MAX], id;
    enum store_answer answer;
    if (v % 3 && v / 50 % k->threads != k->number) continue;
    encode(v, k->shape, w);
    assert_int_equal(store_write_batch(k->writer, w, 1, &answer, &id), 1);
    if (answer == STORE_NEW && k->paid) *(uint32_t *)store_payload(k->store, id) = payload_for(v);
  }
  return NULL;
}

static struct store *filled(const struct shape *shape, const struct store_config *c) {
  struct store *s = store_new(c);
  struct worker workers[THREADS_MAX];
  pthread_t threads[THREADS_MAX];
  for (unsigned i = 0; i < c->threads; i++)
    workers[i] =
        (struct worker){s, store_writer_new(s), shape, i, c->threads, c->payload_bytes > 0};
  for (unsigned i = 0; i < c->threads; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
  for (unsigned i = 0; i < c->threads; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
  for (unsigned i = 0; i < c->threads; i++) store_writer_free(workers[i].writer);
  return s;
}

// --- moving it ---

struct moving {
  struct store *from, *to;
  struct store_writer *writer;
  bool paid;
  uint64_t count, most;
  bool full;
};

static bool move(void *context, uint64_t id, const uint64_t *key) {
  struct moving *m = context;
  uint64_t copy[KEY_WORDS_MAX], there;
  if (m->count == m->most) return false;
  memcpy(copy, key, store_key_words(m->from) * sizeof *key);
  enum store_answer answer = store_put_key(m->writer, copy, &there);
  m->full = answer == STORE_FULL;
  if (m->full) return false;
  assert_int_equal(answer, STORE_NEW);
  m->count++;
  if (m->paid)
    *(uint32_t *)store_payload(m->to, there) = *(const uint32_t *)store_payload(m->from, id);
  return true;
}

static bool again(void *context, uint64_t id, const uint64_t *key) {
  struct moving *m = context;
  uint64_t there;
  assert_int_equal(store_put_key(m->writer, key, &there), STORE_OLD);
  if (m->paid)
    assert_int_equal(*(const uint32_t *)store_payload(m->to, there),
                     *(const uint32_t *)store_payload(m->from, id));
  return true;
}

static void expect_states(struct store *s, const struct shape *shape, bool paid) {
  struct store_writer *writer = store_writer_new(s);
  for (uint64_t v = 0; v < POOL; v++) {
    uint64_t w[WORDS_MAX], got[WORDS_MAX], id;
    encode(v, shape, w);
    store_seek_batch(writer, w, 1, &id);
    assert_int_not_equal(id, STORE_ABSENT);
    if (paid) assert_int_equal(*(const uint32_t *)store_payload(s, id), payload_for(v));
    if (!store_keeps_states(s)) continue;
    store_get(s, id, got);
    assert_memory_equal(got, w, shape->words * sizeof *w);
  }
  store_writer_free(writer);
}

static void check_move(const struct shape *shape, unsigned before, unsigned after, size_t payload) {
  struct store_config c = config_of(shape, before, payload), c2 = config_of(shape, after, payload);
  struct store *from = filled(shape, &c), *to = store_new(&c2);
  struct moving m = {.from = from, .to = to, .paid = payload > 0, .most = UINT64_MAX};
  assert_int_equal(store_count(from), POOL);
  assert_int_equal(store_key_words(from), store_key_words(to));
  m.writer = store_writer_new(to);
  assert_true(store_each(from, move, &m));
  assert_int_equal(m.count, POOL);
  assert_true(store_each(from, again, &m));
  store_writer_free(m.writer);
  assert_int_equal(store_count(to), POOL);
  assert_true(store_check(to));
  expect_states(to, shape, payload > 0);
  store_free(from);
  store_free(to);
}

static void test_every_shape(void **context) {
  (void)context;
  for (size_t i = 0; i < SHAPES; i++) check_move(&shapes[i], 1, 1, i % 3 ? 4 : 8);
}

static void test_several_threads(void **context) {
  (void)context;
  for (size_t i = 0; i < SHAPES; i++) {
    check_move(&shapes[i], 2 + i % 3, 1 + i % 4, 4);
    check_move(&shapes[i], 1, 3, 4);
  }
}

static void test_without_payload(void **context) {
  (void)context;
  for (size_t i = 0; i < SHAPES; i++) check_move(&shapes[i], 1 + i % 2 * 2, 1 + i % 3, 0);
}

// What was taken up goes on as if it had never been put away.
static void test_goes_on(void **context) {
  (void)context;
  for (size_t i = 0; i < SHAPES; i++) {
    struct store_config c = config_of(&shapes[i], 2, 4);
    struct store *from = filled(&shapes[i], &c), *to = store_new(&c);
    struct moving m = {.from = from, .to = to, .paid = true, .most = POOL / 2};
    m.writer = store_writer_new(to);
    assert_false(store_each(from, move, &m));
    assert_int_equal(store_count(to), POOL / 2);
    struct worker k = {to, m.writer, &shapes[i], 0, 1, true};
    work(&k);
    store_writer_free(m.writer);
    assert_int_equal(store_count(to), POOL);
    assert_true(store_check(to));
    expect_states(to, &shapes[i], true);
    store_free(from);
    store_free(to);
  }
}

static void test_empty(void **context) {
  (void)context;
  for (size_t i = 0; i < SHAPES; i++)
    for (unsigned threads = 1; threads <= 2; threads++) {
      struct store_config c = config_of(&shapes[i], threads, 4);
      struct store *s = store_new(&c);
      struct moving m = {.from = s};
      assert_true(store_each(s, move, &m));
      store_free(s);
    }
}

static void check_limit(const struct shape *shape, uint64_t states_max, size_t mem_bytes_max) {
  struct store_config c = config_of(shape, 2, 4), less = c;
  less.states_max = states_max;
  less.mem_bytes_max = mem_bytes_max;
  struct store *from = filled(shape, &c), *to = store_new(&less);
  struct moving m = {.from = from, .to = to, .paid = true, .most = UINT64_MAX};
  m.writer = store_writer_new(to);
  assert_false(store_each(from, move, &m));
  if (!(m.full && m.count > 0 && m.count < POOL))
    fail_msg("%s: full %d, %zu states", shape->kind, m.full, (size_t)m.count);
  if (states_max) assert_int_equal(m.count, states_max);
  if (mem_bytes_max) assert_true(store_memory(to) <= mem_bytes_max);
  store_writer_free(m.writer);
  assert_int_equal(store_count(to), m.count);
  assert_true(store_check(to));
  store_free(from);
  store_free(to);
}

static void test_limits(void **context) {
  (void)context;
  for (size_t i = 0; i < SHAPES; i++) {
    check_limit(&shapes[i], POOL / 3, 0);
    check_limit(&shapes[i], 0, (size_t)POOL * 8);
  }
}

#ifndef FATHOM_SMALL
// A larger table than the states fill at first: taken up in the order of their hashes, these would
// take minutes.
static void test_many_fingerprints(void **context) {
  (void)context;
  enum { MANY = 1500000 };
  struct shape shape = {"fingerprint", 1, 64, 0};
  struct store_config c = config_of(&shape, 1, 4);
  struct store *from = store_new(&c), *to = store_new(&c);
  for (uint64_t v = 0, id; v < MANY; v++) assert_int_equal(store_insert(from, &v, &id), STORE_NEW);
  struct moving m = {.from = from, .to = to, .most = UINT64_MAX};
  m.writer = store_writer_new(to);
  clock_t start = clock(); // of this process: the machine may have other work
  assert_true(store_each(from, move, &m));
  assert_true(clock() - start < 20 * CLOCKS_PER_SEC);
  store_writer_free(m.writer);
  assert_int_equal(store_count(to), MANY);
  store_free(from);
  store_free(to);
}
#endif

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_shape),
      cmocka_unit_test(test_several_threads),
      cmocka_unit_test(test_without_payload),
      cmocka_unit_test(test_goes_on),
      cmocka_unit_test(test_empty),
      cmocka_unit_test(test_limits),
#ifndef FATHOM_SMALL
      cmocka_unit_test(test_many_fingerprints),
#endif
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
