// SPDX-License-Identifier: Apache-2.0
// The exact store with several writers: every state is new to one of them only, ids are unique and
// readable at once, growth and limits in between.
#include "store/store.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { THREADS_MAX = 8, WORDS_MAX = 6, BATCH_MAX = 300 };

#ifdef __SANITIZE_THREAD__
enum { POOL = 24000 };      // past test_states_limit's
#elif defined(FATHOM_SMALL) // growth is frequent
enum { POOL = 30000 };
#else
enum { POOL = 60000 };
#endif

struct shape {
  size_t words, bits;
};
static const struct shape shapes[] = {{1, 18}, {1, 24},  {1, 59},  {1, 64},  {2, 40},  {2, 75},
                                      {2, 96}, {2, 127}, {2, 128}, {3, 130}, {5, 318}, {6, 300}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static struct store_config config_of(struct shape shape, unsigned threads) {
  return (struct store_config){.kind = "exact",
                               .words = shape.words,
                               .bytes = (shape.bits + 7) / 8,
                               .bits = shape.bits,
                               .threads = threads};
}

// State number v: its digits spread over all the bits.
static void encode(uint64_t v, struct shape shape, uint64_t *w) {
  memset(w, 0, shape.words * sizeof *w);
  for (size_t i = 0; i < shape.bits; i++) {
    uint64_t bit = (v >> i % 18 ^ i / 18 * 5 % 2) & 1;
    w[i / 64] |= bit << i % 64;
  }
}

// One thread's work, and what came of it.
struct worker {
  struct store *store;
  struct store_writer *writer;
  pthread_barrier_t *start;
  struct shape shape;
  unsigned number, threads;
  bool in_step; // all threads insert the same states in the same order
  uint64_t pool, payload;
  uint64_t *ids;      // of each state of the pool
  unsigned char *new; // how often it was new to this thread
  unsigned wrong;     // answers that cannot be
  uint64_t news;
  bool full;
};

static uint64_t choose(const struct worker *k, struct rng *r, uint64_t step) {
  if (k->in_step) return step % k->pool;
  // Each thread walks through its own part, and strays into the others'.
  if (rng_below(r, 3) == 0) return rng_below(r, k->pool);
  return (k->pool / k->threads * k->number + step) % k->pool;
}

static void note(struct worker *k, uint64_t v, const uint64_t *state, enum store_answer answer,
                 uint64_t id) {
  uint64_t got[WORDS_MAX];
  store_get(k->store, id, got);
  k->wrong += memcmp(got, state, k->shape.words * sizeof *got) != 0;
  k->wrong += k->ids[v] != STORE_ABSENT && k->ids[v] != id;
  k->wrong += answer == STORE_NEW && k->ids[v] != STORE_ABSENT;
  k->ids[v] = id;
  k->new[v] += answer == STORE_NEW;
  k->news += answer == STORE_NEW;
  if (answer == STORE_NEW && k->payload) memcpy(store_payload(k->store, id), &v, sizeof v);
}

static void insert_some(struct worker *k, struct rng *r, uint64_t *step) {
  uint64_t words[BATCH_MAX * WORDS_MAX], values[BATCH_MAX], ids[BATCH_MAX];
  enum store_answer answers[BATCH_MAX];
  size_t n = 1 + rng_below(r, BATCH_MAX), words_each = k->shape.words;
  for (size_t i = 0; i < n; i++) {
    values[i] = choose(k, r, (*step)++);
    encode(values[i], k->shape, words + i * words_each);
  }
  size_t done = store_write_batch(k->writer, words, n, answers, ids);
  for (size_t i = 0; i < done; i++) note(k, values[i], words + i * words_each, answers[i], ids[i]);
  k->full = done < n;
}

struct team {
  struct store *store;
  struct shape shape;
  unsigned threads;
  uint64_t pool, payload;
  struct worker workers[THREADS_MAX];
  bool over;
  unsigned odd; // what the watcher saw and should not have
};

// What any thread may ask while others write.
static void *watch(void *context) {
  struct team *t = context;
  struct store_facts f;
  while (!__atomic_load_n(&t->over, __ATOMIC_RELAXED)) {
    t->odd += store_count(t->store) > t->pool || store_memory(t->store) == 0;
    store_facts(t->store, &f);
    t->odd += f.load > 1;
    sched_yield();
  }
  return NULL;
}

static void *work(void *context) {
  struct worker *k = context;
  struct rng r;
  rng_init(&r, 100 * k->threads + k->number);
  pthread_barrier_wait(k->start);
  for (uint64_t step = 0; step < k->pool + k->pool / 2 && !k->full;) insert_some(k, &r, &step);
  return NULL;
}

static void team_init(struct team *t, const struct store_config *c, struct shape shape) {
  *t = (struct team){.store = store_new(c), .shape = shape, .threads = c->threads, .pool = POOL};
  if (shape.bits < 18) t->pool = UINT64_C(1) << shape.bits;
  t->payload = c->payload_bytes;
}

static void worker_init(struct team *t, unsigned number, pthread_barrier_t *start, bool in_step) {
  struct worker *k = &t->workers[number];
  *k = (struct worker){.store = t->store,
                       .writer = store_writer_new(t->store),
                       .start = start,
                       .shape = t->shape,
                       .number = number,
                       .threads = t->threads,
                       .in_step = in_step,
                       .pool = t->pool,
                       .payload = t->payload};
  k->ids = mem_alloc(t->pool * sizeof *k->ids);
  memset(k->ids, 0xff, t->pool * sizeof *k->ids);
  k->new = mem_zalloc(t->pool, 1);
}

static void team_run(struct team *t, bool in_step) {
  pthread_t threads[THREADS_MAX], watcher;
  pthread_barrier_t start;
  pthread_barrier_init(&start, NULL, t->threads);
  for (unsigned i = 0; i < t->threads; i++) worker_init(t, i, &start, in_step);
  for (unsigned i = 0; i < t->threads; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, work, &t->workers[i]), 0);
  assert_int_equal(pthread_create(&watcher, NULL, watch, t), 0);
  for (unsigned i = 0; i < t->threads; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
  __atomic_store_n(&t->over, true, __ATOMIC_RELAXED);
  assert_int_equal(pthread_join(watcher, NULL), 0);
  assert_int_equal(t->odd, 0);
  pthread_barrier_destroy(&start);
}

static void team_clear(struct team *t) {
  for (unsigned i = 0; i < t->threads; i++) {
    store_writer_free(t->workers[i].writer);
    mem_free(t->workers[i].ids);
    mem_free(t->workers[i].new);
  }
  store_free(t->store);
}

// The one id of state v, the same for all who have it; STORE_ABSENT when nobody has.
static uint64_t id_of(const struct team *t, uint64_t v) {
  uint64_t id = STORE_ABSENT;
  unsigned news = 0;
  for (unsigned i = 0; i < t->threads; i++) {
    const struct worker *k = &t->workers[i];
    news += k->new[v];
    if (k->ids[v] == STORE_ABSENT) continue;
    if (id != STORE_ABSENT) assert_int_equal(k->ids[v], id);
    id = k->ids[v];
  }
  assert_int_equal(news, id != STORE_ABSENT);
  return id;
}

static void expect_state(struct team *t, uint64_t v, uint64_t id) {
  uint64_t w[WORDS_MAX], got[WORDS_MAX], found;
  encode(v, t->shape, w);
  store_seek_batch(t->workers[v % t->threads].writer, w, 1, &found);
  assert_int_equal(found, id);
  if (id == STORE_ABSENT) return;
  store_get(t->store, id, got);
  assert_memory_equal(got, w, t->shape.words * sizeof *w);
  if (t->payload) assert_memory_equal(store_payload(t->store, id), &v, sizeof v);
}

// Returns how many states there are.
static uint64_t team_expect(struct team *t) {
  uint64_t count = 0, most = t->pool * 2 + 200000;
  unsigned char *seen = mem_zalloc(most, 1);
  for (unsigned i = 0; i < t->threads; i++) assert_int_equal(t->workers[i].wrong, 0);
  for (uint64_t v = 0; v < t->pool; v++) {
    uint64_t id = id_of(t, v);
    expect_state(t, v, id);
    if (id == STORE_ABSENT) continue;
    assert_true(id < most && !seen[id]);
    seen[id] = 1;
    count++;
  }
  assert_int_equal(store_count(t->store), count);
  assert_true(store_check(t->store));
  mem_free(seen);
  return count;
}

static void run_team(const struct store_config *c, struct shape shape, bool in_step) {
  struct team t;
  team_init(&t, c, shape);
  team_run(&t, in_step);
  for (unsigned i = 0; i < t.threads; i++) assert_false(t.workers[i].full);
  team_expect(&t);
  team_clear(&t);
}

static void test_every_shape(void **context) {
  (void)context;
  for (size_t i = 0; i < SHAPES; i++) {
    struct store_config c = config_of(shapes[i], 2 + (unsigned)i % 3);
    run_team(&c, shapes[i], i % 2);
  }
}

// All threads insert the same states at the same time: nearly every slot is fought for.
static void test_in_step(void **context) {
  (void)context;
  struct shape shape = {2, 75};
  for (unsigned threads = 2; threads <= THREADS_MAX; threads += 2) {
    struct store_config c = config_of(shape, threads);
    run_team(&c, shape, true);
  }
}

static void test_overlapping(void **context) {
  (void)context;
  struct shape shape = {1, 56};
  for (unsigned threads = 2; threads <= THREADS_MAX; threads += 3) {
    struct store_config c = config_of(shape, threads);
    run_team(&c, shape, false);
  }
}

static void test_payload(void **context) {
  (void)context;
  struct shape shape = {2, 100};
  struct store_config c = config_of(shape, 3);
  c.payload_bytes = sizeof(uint64_t);
  run_team(&c, shape, false);
}

// Ids of the only one of several writers that writes are consecutive; who comes after it goes on.
static void test_one_of_several(void **context) {
  (void)context;
  struct shape shape = {1, 40};
  struct store_config c = config_of(shape, 4);
  struct store *s = store_new(&c);
  for (uint64_t v = 0; v < 5000; v++) {
    struct store_writer *w = store_writer_new(s);
    uint64_t id;
    enum store_answer answer;
    assert_int_equal(store_write_batch(w, &v, 1, &answer, &id), 1);
    assert_int_equal(answer, STORE_NEW);
    assert_int_equal(id, v);
    store_writer_free(w);
  }
  assert_true(store_check(s));
  store_free(s);
}

static void test_states_limit(void **context) {
  (void)context;
  struct shape shape = {1, 50};
  const uint64_t limits[] = {1, 2, 100, 3000, 20000};
  for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
    struct store_config c = config_of(shape, 4);
    c.states_max = limits[i];
    struct team t;
    team_init(&t, &c, shape);
    team_run(&t, i % 2);
    assert_int_equal(team_expect(&t), limits[i]);
    for (unsigned k = 0; k < t.threads; k++) assert_true(t.workers[k].full);
    team_clear(&t);
  }
}

// What an index that grows for the last time, by little, leaves for all threads to put in together
// comes to the same lines. (The first index of eight threads takes 41 KB: with less than 100 KB in
// all it is too large for the states that there is room for.)
static void test_memory_limit(void **context) {
  (void)context;
  struct shape shape = {2, 90};
  for (size_t limit = 100000; limit < 300000; limit += 5000) {
    struct store_config c = config_of(shape, 3 + limit / 5000 % (THREADS_MAX - 2));
    c.mem_bytes_max = limit;
    struct team t;
    team_init(&t, &c, shape);
    team_run(&t, false);
    uint64_t count = team_expect(&t);
    assert_true(count < t.pool && store_memory(t.store) <= limit);
#ifndef FATHOM_SMALL // which goes over to wide slots early
    assert_true(count * 18 > limit);
#endif
    team_clear(&t);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_shape),    cmocka_unit_test(test_in_step),
      cmocka_unit_test(test_overlapping),    cmocka_unit_test(test_payload),
      cmocka_unit_test(test_one_of_several), cmocka_unit_test(test_states_limit),
      cmocka_unit_test(test_memory_limit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
