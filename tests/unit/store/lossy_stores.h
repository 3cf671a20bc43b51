// SPDX-License-Identifier: Apache-2.0
// What the tests of the fingerprint and of the bitstate store share: states, the exact store beside
// them, threads that race.
#pragma once

#include "store/store.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { BATCH = 97, WORDS_MAX = 6, THREADS_MAX = 9 };

// Different for different v, and not very.
static inline void encode(uint64_t v, size_t words, uint64_t *w) {
  for (size_t i = 0; i < words; i++) w[i] = (v >> i % 2) * 3;
}

// They answer the same as long as nothing is lost.
static inline void expect_as_exact(struct store *s, size_t words, uint64_t pool, struct rng *r) {
  struct store_config c = {.kind = "exact", .words = words, .bytes = words * 8};
  struct store *exact = store_new(&c);
  uint64_t w[BATCH * WORDS_MAX], ids[BATCH], found[BATCH];
  enum store_answer answers[BATCH], expected[BATCH];
  for (uint64_t round = 0; round < pool / 16; round++) {
    size_t n = 1 + rng_below(r, BATCH);
    for (size_t i = 0; i < n; i++) encode(rng_below(r, pool), words, w + i * words);
    store_find_batch(exact, w, n, ids);
    store_find_batch(s, w, n, found);
    for (size_t i = 0; i < n; i++)
      assert_int_equal(ids[i] == STORE_ABSENT, found[i] == STORE_ABSENT);
    assert_int_equal(store_insert_batch(exact, w, n, expected, ids), n);
    assert_int_equal(store_insert_batch(s, w, n, answers, ids), n);
    assert_memory_equal(answers, expected, n * sizeof *answers);
    for (size_t i = 0; i < n; i++) assert_true(ids[i] != STORE_ABSENT);
  }
  assert_int_equal(store_count(s), store_count(exact));
  assert_true(store_count(s) > pool / 2);
  assert_true(store_check(s));
  store_free(exact);
}

// --- several threads ---

struct race {
  struct store *store;
  uint64_t pool;
  bool payload;
  bool in_step;         // all in the same order
  unsigned char *fresh; // per state: to how many threads it was new
  uint64_t *id;         // per state: id + 1
  pthread_barrier_t start;
};

struct racer {
  struct race *race;
  unsigned number;
  uint64_t done, fresh;
  pthread_t thread;
};

static inline void note(struct racer *me, uint64_t v, enum store_answer answer, uint64_t id) {
  struct race *r = me->race;
  me->done++;
  if (answer == STORE_NEW) {
    me->fresh++;
    __atomic_add_fetch(&r->fresh[v], 1, __ATOMIC_RELAXED);
  }
  if (!r->payload) return;
  uint64_t before = __atomic_exchange_n(&r->id[v], id + 1, __ATOMIC_RELAXED);
  assert_true(before == 0 || before == id + 1);
  __atomic_add_fetch((uint32_t *)store_payload(r->store, id), 1, __ATOMIC_RELAXED);
}

// Every state once, in the order of the others or nearly so: they meet all the time.
static inline void *race_run(void *context) {
  struct racer *me = context;
  struct race *r = me->race;
  struct store_writer *writer = store_writer_new(r->store);
  uint64_t w[BATCH], v[BATCH], ids[BATCH], next = 0;
  enum store_answer answers[BATCH];
  struct rng rng;
  rng_init(&rng, me->number);
  pthread_barrier_wait(&r->start);
  for (size_t n, done = 0; next < r->pool; next += done) {
    n = r->in_step ? BATCH : 1 + rng_below(&rng, BATCH);
    if (n > r->pool - next) n = r->pool - next;
    uint64_t turn = r->in_step ? 0 : me->number;
    for (size_t i = 0; i < n; i++) w[i] = v[i] = next + (i + turn) % n;
    done = store_write_batch(writer, w, n, answers, ids);
    for (size_t i = 0; i < done; i++) note(me, v[i], answers[i], ids[i]);
    if (done < n) break;
    store_seek_batch(writer, w, n, ids);
    for (size_t i = 0; i < n; i++) assert_true(ids[i] != STORE_ABSENT);
    assert_true(store_memory(r->store) > 0 && store_count(r->store) >= me->fresh);
  }
  pthread_barrier_wait(&r->start); // writers are freed while no other writes
  store_writer_free(writer);
  return NULL;
}

// Returns how many states were new, all threads together; none may be to two of them.
static inline uint64_t race(struct race *r, unsigned threads) {
  struct racer racers[THREADS_MAX];
  uint64_t fresh = 0;
  r->fresh = mem_zalloc(r->pool, sizeof *r->fresh);
  r->id = mem_zalloc(r->pool, sizeof *r->id);
  pthread_barrier_init(&r->start, NULL, threads);
  for (unsigned i = 0; i < threads; i++) {
    racers[i] = (struct racer){.race = r, .number = i};
    pthread_create(&racers[i].thread, NULL, race_run, &racers[i]);
  }
  for (unsigned i = 0; i < threads; i++) {
    pthread_join(racers[i].thread, NULL);
    fresh += racers[i].fresh;
  }
  pthread_barrier_destroy(&r->start);
  for (uint64_t v = 0; v < r->pool; v++) assert_true(r->fresh[v] <= 1);
  assert_int_equal(store_count(r->store), fresh);
  assert_true(store_check(r->store));
  return fresh;
}

static inline void race_clear(struct race *r) {
  mem_free(r->fresh);
  mem_free(r->id);
  store_free(r->store);
}
