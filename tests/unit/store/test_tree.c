// SPDX-License-Identifier: Apache-2.0
// The tree store against the exact store, state for state: ids, growth, other trees, limits,
// payload, threads; and the shapes of trees by themselves.
#include "store/store.h"
#include "store/tree_shape.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

// Test builds of small sizes make everything happen earlier.
#ifdef FATHOM_SMALL
enum { SCALE = 8 };
#else
enum { SCALE = 1 };
#endif
enum { BATCH = 97 };

static struct store *make(const char *kind, size_t bits) {
  size_t words = bits ? (bits + 63) / 64 : 1;
  struct store_config c = {.kind = kind, .words = words, .bytes = (bits + 7) / 8, .bits = bits};
  return store_new(&c);
}

// --- states: a walk that changes a little at a time ---

struct walk {
  struct rng rng;
  size_t bits, words;
  unsigned changes; // bits at a time, at most
  unsigned back;    // goes back to the first state once in so many steps
  uint64_t *state;
};

static void walk_init(struct walk *w, size_t bits, uint64_t seed) {
  *w = (struct walk){.bits = bits, .words = bits ? (bits + 63) / 64 : 1, .changes = 3, .back = 40};
  rng_init(&w->rng, seed);
  w->state = mem_zalloc(w->words, sizeof *w->state);
}

static void walk_step(struct walk *w) {
  if (rng_below(&w->rng, w->back) == 0) memset(w->state, 0, w->words * sizeof *w->state);
  if (w->bits == 0) return;
  for (uint64_t i = rng_below(&w->rng, w->changes + 1); i > 0; i--) {
    size_t bit = rng_below(&w->rng, w->bits);
    w->state[bit / 64] ^= UINT64_C(1) << bit % 64;
  }
}

static void walk_batch(struct walk *w, uint64_t *words, size_t n) {
  for (size_t i = 0; i < n; i++) {
    walk_step(w);
    memcpy(words + i * w->words, w->state, w->words * sizeof *words);
  }
}

// --- both stores side by side ---

static void expect_same_insert(struct store *tree, struct store *exact, const uint64_t *words,
                               size_t n) {
  uint64_t ids[BATCH], expected_ids[BATCH];
  enum store_answer answers[BATCH], expected[BATCH];
  assert_int_equal(store_insert_batch(exact, words, n, expected, expected_ids), n);
  assert_int_equal(store_insert_batch(tree, words, n, answers, ids), n);
  assert_memory_equal(ids, expected_ids, n * sizeof *ids);
  assert_memory_equal(answers, expected, n * sizeof *answers);
}

static void expect_same_find(struct store *tree, struct store *exact, const uint64_t *words,
                             size_t n) {
  uint64_t ids[BATCH], expected_ids[BATCH];
  store_find_batch(exact, words, n, expected_ids);
  store_find_batch(tree, words, n, ids);
  assert_memory_equal(ids, expected_ids, n * sizeof *ids);
}

static void expect_same_states(const struct store *tree, const struct store *exact, size_t words,
                               uint64_t first, size_t n) {
  uint64_t *got = mem_alloc(2 * n * words * sizeof *got), *expected = got + n * words;
  memset(got, 0xee, n * words * sizeof *got);
  store_get_batch(tree, first, n, got);
  store_get_batch(exact, first, n, expected);
  assert_memory_equal(got, expected, n * words * sizeof *got);
  mem_free(got);
}

static void compare_stores(size_t bits, unsigned rounds, unsigned back, uint64_t seed) {
  struct store *tree = make("tree", bits), *exact = make("exact", bits);
  struct walk w;
  walk_init(&w, bits, seed);
  w.back = back;
  uint64_t *words = mem_alloc(BATCH * w.words * sizeof *words);
  while (rounds--) {
    size_t n = 1 + rng_below(&w.rng, BATCH);
    walk_batch(&w, words, n);
    if (rng_below(&w.rng, 8) == 0) expect_same_find(tree, exact, words, n);
    expect_same_insert(tree, exact, words, n);
    uint64_t count = store_count(exact), first = rng_below(&w.rng, count);
    size_t some = 1 + rng_below(&w.rng, count - first < BATCH ? count - first : BATCH);
    if (rng_below(&w.rng, 4) == 0) expect_same_states(tree, exact, w.words, first, some);
  }
  assert_int_equal(store_count(tree), store_count(exact));
  expect_same_states(tree, exact, w.words, 0, store_count(exact));
  assert_true(store_check(tree));
  store_free(tree);
  store_free(exact);
  mem_free(words);
  mem_free(w.state);
}

static void test_every_bit(void **context) {
  (void)context;
  for (size_t bits = 0; bits <= 260; bits++) compare_stores(bits, 20, 40, bits);
}

// Long enough for the tree to be made again, and for wide slots in test builds.
static void test_long_states(void **context) {
  (void)context;
  const size_t bits[] = {65, 100, 135, 449, 1125, 3010, 5783};
  for (size_t i = 0; i < sizeof bits / sizeof *bits; i++)
    compare_stores(bits[i], 400 / SCALE, 40, i);
  compare_stores(1000, 1800 / SCALE, 1000, 9); // a long walk: nearly all states new
}

// More leaves than parts that are paired by need; and more than are fitted at all.
static void test_very_long_states(void **context) {
  (void)context;
  compare_stores(12000, 120, 40, 1);
  compare_stores(140000, 12, 40, 2);
}

// Every bit of every word: pairs of 64 bits.
static void test_random_states(void **context) {
  (void)context;
  struct store *tree = make("tree", 320), *exact = make("exact", 320);
  struct rng r;
  rng_init(&r, 3);
  for (int round = 0; round < 200; round++) {
    uint64_t words[BATCH * 5];
    for (size_t i = 0; i < BATCH * 5; i++) words[i] = rng_next(&r);
    expect_same_find(tree, exact, words, BATCH);
    expect_same_insert(tree, exact, words, BATCH);
  }
  expect_same_states(tree, exact, 5, 0, store_count(exact));
  assert_true(store_check(tree));
  store_free(tree);
  store_free(exact);
}

// Of a leaf's values the bits are kept that vary, wherever they are.
static void test_sparse_leaves(void **context) {
  (void)context;
  enum { STATES = (1 << 17) / SCALE };
  struct store *s = make("tree", 64);
  uint64_t w, id, got;
  for (uint64_t v = 0; v < STATES; v++) {
    w = (v & 0xff) << 24 | 1 << 5 | (v >> 8) << 54 | UINT64_C(3) << 40;
    assert_int_equal(store_insert(s, &w, &id), STORE_NEW);
    assert_int_equal(id, v);
  }
  for (uint64_t v = 0; v < STATES; v++) {
    w = (v & 0xff) << 24 | 1 << 5 | (v >> 8) << 54 | UINT64_C(3) << 40;
    store_get(s, v, &got);
    assert_int_equal(got, w);
  }
  assert_true(store_check(s));
#ifndef FATHOM_SMALL // where the slots of the index have four bytes
  struct store_facts f = {0};
  store_facts(s, &f);
  assert_true(8 * ((double)store_memory(s) / STATES - 4 / f.load) < 18);
  mem_free(f.sentence);
#endif
  store_free(s);
}

static void test_duplicates_in_a_batch(void **context) {
  (void)context;
  struct store *s = make("tree", 128);
  uint64_t w[] = {5, 1, 6, 1, 5, 1, 5, 1, 6, 1, 7, 1, 7, 1, 5, 1}, ids[8];
  enum store_answer answers[8];
  const uint64_t expected_ids[] = {0, 1, 0, 0, 1, 2, 2, 0};
  const enum store_answer expected[] = {STORE_NEW, STORE_NEW, STORE_OLD, STORE_OLD,
                                        STORE_OLD, STORE_NEW, STORE_OLD, STORE_OLD};
  assert_int_equal(store_insert_batch(s, w, 8, answers, ids), 8);
  assert_memory_equal(ids, expected_ids, sizeof ids);
  assert_memory_equal(answers, expected, sizeof answers);
  store_free(s);
}

// Many states at a time, most of them seen before: in the same call, in one a while ago, or long
// ago. In between a stretch in which none is.
static void test_repeated_states(void **context) {
  (void)context;
  enum { MANY = 1500, WORDS = 11 };
  struct store *tree = make("tree", WORDS * 64), *exact = make("exact", WORDS * 64);
  uint64_t *words = mem_zalloc(MANY * WORDS, sizeof *words),
           *ids = mem_alloc(2 * MANY * sizeof *ids);
  enum store_answer *answers = mem_alloc(2 * MANY * sizeof *answers);
  struct rng r;
  rng_init(&r, 7);
  for (uint64_t round = 0; round < 160 / SCALE; round++) {
    bool repeats = round % 16 < 11;
    for (uint64_t i = 0; i < MANY; i++) {
      uint64_t v = repeats ? rng_below(&r, 1 + 40 * (round + 1)) : round * MANY + i;
      words[i * WORDS + v % 5] = v;
      words[i * WORDS + 10] = v / 3;
      if (v % 2) memset(words + i * WORDS, 0, 5 * sizeof *words);
    }
    assert_int_equal(store_insert_batch(exact, words, MANY, answers, ids), MANY);
    assert_int_equal(store_insert_batch(tree, words, MANY, answers + MANY, ids + MANY), MANY);
    assert_memory_equal(ids, ids + MANY, MANY * sizeof *ids);
    assert_memory_equal(answers, answers + MANY, MANY * sizeof *answers);
  }
  assert_true(store_check(tree));
  mem_free(answers);
  mem_free(ids);
  mem_free(words);
  store_free(tree);
  store_free(exact);
}

// What was not there when it was looked for is there after its insertion.
static void test_find_then_insert(void **context) {
  (void)context;
  struct store *s = make("tree", 640);
  for (uint64_t v = 0; v < 3000; v++) {
    uint64_t w[10] = {0}, id;
    w[v % 10] = v;
    w[9 - v % 10] += v / 7;
    bool there = store_find(s, w, &id);
    assert_int_equal(store_insert(s, w, &id), there ? STORE_OLD : STORE_NEW);
    assert_true(store_find(s, w, &id));
  }
  store_free(s);
}

// --- what it costs ---

// State number v: 25 words of which each is one of 32 values, a mixture of 4 groups of 6.
static void mixture(uint64_t v, uint64_t *w) {
  for (size_t i = 0; i < 24; i++) {
    uint64_t group = v >> 5 * (i / 6) & 31;
    w[i] = group * UINT64_C(0x9e3779b97f4a7c15) * (i + 1);
  }
  w[24] = 0;
}

static void test_price(void **context) {
  (void)context;
  struct store *s = make("tree", 25 * 64);
  uint64_t n = 300000 / SCALE, w[25], got[25], id;
  for (uint64_t v = 0; v < n; v++) {
    mixture(v, w);
    assert_int_equal(store_insert(s, w, &id), STORE_NEW);
    assert_int_equal(id, v);
  }
  for (uint64_t v = 0; v < n; v += 1009) {
    mixture(v, w);
    store_get(s, v, got);
    assert_memory_equal(got, w, sizeof w);
  }
#ifndef FATHOM_SMALL // which goes over to wide slots early
  assert_true(store_memory(s) < n * 10);
#endif
  assert_true(store_check(s));
  store_free(s);
}

// Two halves of a state that have nothing to do with each other, mixed into all its words: a tree
// of neighbours needs a pair in most of its tables for each state, one that fits does not.
static void test_better_tree(void **context) {
  (void)context;
  struct store *s = make("tree", 16 * 64);
  uint64_t n = 90000 / SCALE, id;
  for (uint64_t v = 0; v < n; v++) {
    uint64_t w[16];
    for (uint64_t i = 0; i < 16; i++) w[i] = ((i % 2 ? v / 300 : v % 300) + 1) * (i + 3);
    assert_int_equal(store_insert(s, w, &id), STORE_NEW);
    assert_int_equal(id, v);
  }
#ifndef FATHOM_SMALL
  assert_true(store_memory(s) < n * 12);
#endif
  assert_true(store_check(s));
  store_free(s);
}

// The last of three leaves has 300 values of 32 bits, and nothing to do with the others: it gets
// numbers of nine bits. With a payload, which stays where it is.
static void test_numbered_leaf(void **context) {
  (void)context;
  enum { STATES = 90000 / SCALE };
  struct store_config c = {.kind = "tree", .words = 2, .bytes = 12, .payload_bytes = 2};
  struct store *s = store_new(&c);
  uint64_t w[2], got[2], id;
  for (uint64_t v = 0; v < STATES; v++) {
    w[0] = v / 300 << 20 | (v / 300 % 5) << 40;
    w[1] = (uint32_t)((v % 300 + 1) * 0x9e3779b9u);
    assert_int_equal(store_insert(s, w, &id), STORE_NEW);
    assert_int_equal(id, v);
    *(uint16_t *)store_payload(s, id) = (uint16_t)v;
  }
  for (uint64_t v = 0; v < STATES; v++) {
    w[0] = v / 300 << 20 | (v / 300 % 5) << 40;
    w[1] = (uint32_t)((v % 300 + 1) * 0x9e3779b9u);
    assert_true(store_find(s, w, &id));
    assert_int_equal(id, v);
    store_get(s, v, got);
    assert_memory_equal(got, w, sizeof w);
    assert_int_equal(*(uint16_t *)store_payload(s, v), (uint16_t)v);
  }
  assert_true(store_check(s));
#ifndef FATHOM_SMALL
  struct store_facts f = {0};
  store_facts(s, &f);
  assert_true(8 * ((double)store_memory(s) / STATES - 2 - 4 / f.load) <
              9 + 9 + 3); // numbers, tables
  mem_free(f.sentence);
#endif
  store_free(s);
}

static void test_facts(void **context) {
  (void)context;
  struct store *s = make("tree", 640);
  struct store_facts f;
  store_facts(s, &f);
  assert_true(f.load == 0 && f.omission == 0);
  mem_free(f.sentence);
  for (uint64_t v = 0, id; v < 100; v++) store_insert(s, (uint64_t[10]){v}, &id);
  store_facts(s, &f);
  assert_true(f.load > 0 && f.load < 1);
  assert_non_null(strstr(f.sentence, "bytes a state in the root's"));
  mem_free(f.sentence);
  assert_true(store_keeps_states(s) && !store_lossy(s));
  store_free(s);
}

// --- limits ---

// Inserts states of ten words until the store is full; returns how many.
static uint64_t fill(struct store *s, size_t limit, bool alike) {
  uint64_t w[64 * 10] = {0}, ids[64], next = 0;
  enum store_answer answers[64];
  for (;;) {
    for (size_t i = 0; i < 64 * 10; i++) w[i] = (next + i / 10) * (alike ? i % 10 < 2 : i % 10 + 1);
    size_t done = store_insert_batch(s, w, 64, answers, ids);
    if (limit) assert_true(store_memory(s) <= limit);
    next += done;
    if (done < 64) return next;
  }
}

static void state_of_fill(uint64_t v, bool alike, uint64_t *w) {
  for (size_t i = 0; i < 10; i++) w[i] = v * (alike ? i % 10 < 2 : i % 10 + 1);
}

static void test_memory_limit(void **context) {
  (void)context;
  for (size_t limit = 500000; limit < 40000000 / SCALE; limit *= 4)
    for (int alike = 0; alike < 2; alike++) {
      struct store_config c = {.kind = "tree", .words = 10, .bytes = 80, .mem_bytes_max = limit};
      struct store *s = store_new(&c);
      uint64_t n = fill(s, limit, alike), id, w[10];
      assert_int_equal(store_count(s), n);
#ifndef FATHOM_SMALL
      assert_true(n * (alike ? 20 : 250) > limit); // most of it went into states
#endif
      state_of_fill(3, alike, w);
      assert_int_equal(store_insert(s, w, &id), STORE_OLD); // what is there is still found
      assert_int_equal(id, 3);
      state_of_fill(n, alike, w);
      assert_int_equal(store_insert(s, w, &id), STORE_FULL);
      assert_false(store_find(s, w, &id));
      if (limit < 10000000) assert_true(store_check(s));
      store_free(s);
    }
}

// Not even room for one.
static void test_tiny_limit(void **context) {
  (void)context;
  for (size_t limit = 1; limit < 40000; limit = limit * 3 + 1) {
    struct store_config c = {.kind = "tree", .words = 10, .bytes = 80, .mem_bytes_max = limit};
    struct store *s = store_new(&c);
    uint64_t n = fill(s, 0, false);
    assert_int_equal(store_count(s), n);
    assert_true(store_check(s));
    store_free(s);
  }
}

// States for which there was no room are not known afterwards, not even if they come twice.
static void test_full_again(void **context) {
  (void)context;
  struct store_config c = {.kind = "tree", .words = 10, .bytes = 80, .states_max = 100};
  struct store *s = store_new(&c);
  uint64_t w[150 * 10] = {0}, ids[150];
  enum store_answer answers[150];
  for (uint64_t i = 0; i < 150; i++) w[i * 10] = i * 3 / 4 + 1; // every third one twice
  size_t most = store_insert_batch(s, w, 150, answers, ids);
  assert_int_equal(store_count(s), 100);
  assert_true(most > 130 && most < 150);
  for (int again = 0; again < 3; again++)
    for (size_t i = 0; i < 150; i++) {
      uint64_t id;
      enum store_answer answer = store_insert(s, w + i * 10, &id);
      assert_int_equal(answer, i < most ? STORE_OLD : STORE_FULL);
      if (i < most) assert_int_equal(id, ids[i]);
    }
  assert_int_equal(store_insert_batch(s, w, 150, answers, ids), most);
  store_free(s);
}

static void test_states_limit(void **context) {
  (void)context;
  for (uint64_t most = 1; most < 20000; most = most * 3 + 1) {
    struct store_config c = {.kind = "tree", .words = 10, .bytes = 80, .states_max = most};
    struct store *s = store_new(&c);
    assert_int_equal(fill(s, 0, true), most);
    assert_int_equal(store_count(s), most);
    store_free(s);
  }
}

// The payload follows its state through all growth, and when the tree is made again.
static void test_payload(void **context) {
  (void)context;
  struct store_config c = {.kind = "tree", .words = 3, .bytes = 20, .payload_bytes = 6};
  struct store *s = store_new(&c);
  const char zero[6] = {0};
  for (uint64_t i = 0; i < 80000 / SCALE; i++) {
    uint64_t id, w[3] = {i % 100, i / 100, i % 100};
    assert_int_equal(store_insert(s, w, &id), STORE_NEW);
    assert_memory_equal(store_payload(s, id), zero, 6);
    memcpy(store_payload(s, id), &(uint32_t){(uint32_t)i}, 4);
  }
  for (uint64_t i = 0; i < 80000 / SCALE; i++) {
    uint32_t kept;
    memcpy(&kept, store_payload(s, i), 4);
    assert_int_equal(kept, i);
  }
  store_free(s);
}

// --- threads ---

enum { POOL = 30000, THREADS_MAX = 8 };

struct common {
  struct store *store;
  size_t words;
  unsigned rounds;
  bool alike;     // all insert the same states in the same order
  uint64_t *pool; // states
};

struct worker {
  pthread_t thread;
  struct common *common;
  struct store_writer *writer;
  struct rng rng;
  uint64_t fresh;     // states that were new to it
  uint64_t ids[POOL]; // where it saw them, or STORE_ABSENT
  bool wrong;
};

static void worker_note(struct worker *w, uint64_t v, uint64_t id) {
  if (w->ids[v] == STORE_ABSENT) w->ids[v] = id;
  w->wrong |= w->ids[v] != id || id == STORE_ABSENT;
}

// Reads one of the states it has seen; whoever inserted it.
static void worker_read(struct worker *w, uint64_t *words) {
  const struct common *c = w->common;
  uint64_t v = rng_below(&w->rng, POOL);
  if (w->ids[v] == STORE_ABSENT) return;
  store_get(c->store, w->ids[v], words);
  w->wrong |= memcmp(words, c->pool + v * c->words, c->words * sizeof *words) != 0;
}

static void *work(void *argument) {
  struct worker *w = argument;
  const struct common *c = w->common;
  uint64_t *words = mem_alloc(BATCH * c->words * sizeof *words), values[BATCH], ids[BATCH];
  enum store_answer answers[BATCH];
  for (unsigned round = 0; round < c->rounds; round++) {
    size_t n = 1 + rng_below(&w->rng, BATCH), done = n;
    uint64_t v = rng_below(&w->rng, POOL);
    if (c->alike) n = done = 8, v = round * 8;
    for (size_t i = 0; i < n; i++) {
      values[i] = v = (v + (c->alike ? 1 : rng_below(&w->rng, 3))) % POOL;
      memcpy(words + i * c->words, c->pool + v * c->words, c->words * sizeof *words);
    }
    if (round % 16 == 7 && !c->alike)
      store_seek_batch(w->writer, words, n, ids), done = 0;
    else
      done = store_write_batch(w->writer, words, n, answers, ids);
    for (size_t i = 0; i < done; i++) {
      w->fresh += answers[i] == STORE_NEW;
      worker_note(w, values[i], ids[i]);
    }
    worker_read(w, words);
  }
  mem_free(words);
  return NULL;
}

static uint64_t *make_pool(size_t words) {
  uint64_t *pool = mem_zalloc(POOL, words * sizeof *pool);
  for (uint64_t v = 0; v < POOL; v++)
    for (uint64_t i = 0; i < words; i++)
      pool[v * words + i] = (i % 3 == 0 ? v % 173 : i % 3 == 1 ? v / 173 : v / 1000) * (i + 7);
  return pool;
}

// Each state has one id whoever asks, was new to one thread only, and comes back as it was.
static uint64_t expect_agreement(struct worker *workers, unsigned threads) {
  const struct common *c = workers->common;
  uint64_t *words = mem_alloc(c->words * sizeof *words), states = 0, fresh = 0;
  for (uint64_t v = 0; v < POOL; v++) {
    uint64_t id = STORE_ABSENT;
    for (unsigned i = 0; i < threads; i++)
      if (workers[i].ids[v] != STORE_ABSENT) {
        if (id == STORE_ABSENT) id = workers[i].ids[v];
        assert_int_equal(workers[i].ids[v], id);
      }
    if (id == STORE_ABSENT) continue;
    states++;
    store_get(c->store, id, words);
    assert_memory_equal(words, c->pool + v * c->words, c->words * sizeof *words);
  }
  for (unsigned i = 0; i < threads; i++) {
    fresh += workers[i].fresh;
    assert_false(workers[i].wrong);
  }
  assert_int_equal(store_count(c->store), states);
  assert_int_equal(fresh, states);
  assert_true(store_check(c->store));
  mem_free(words);
  return states;
}

static uint64_t run_threads(struct store_config config, unsigned threads, unsigned rounds,
                            bool alike) {
  config.threads = threads;
  struct common c = {store_new(&config), config.words, rounds, alike, make_pool(config.words)};
  struct worker *workers = mem_zalloc(threads, sizeof *workers);
  for (unsigned i = 0; i < threads; i++) {
    workers[i].common = &c;
    rng_init(&workers[i].rng, 100 * threads + i);
    memset(workers[i].ids, 0xff, sizeof workers[i].ids);
    workers[i].writer = store_writer_new(c.store);
  }
  for (unsigned i = 0; i < threads; i++)
    assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
  for (unsigned i = 0; i < threads; i++) pthread_join(workers[i].thread, NULL);
  for (unsigned i = 0; i < threads; i++) store_writer_free(workers[i].writer);
  uint64_t states = expect_agreement(workers, threads);
  store_free(c.store);
  mem_free(workers);
  mem_free(c.pool);
  return states;
}

static void test_threads(void **context) {
  (void)context;
  for (unsigned threads = 2; threads <= THREADS_MAX; threads += 2) {
    struct store_config c = {.kind = "tree", .words = 12, .bytes = 96};
    assert_true(run_threads(c, threads, 1200 / threads, false) > 10000);
  }
  struct store_config c = {.kind = "tree", .words = 2, .bytes = 16, .payload_bytes = 4};
  run_threads(c, 3, 400, false);
}

// All insert the same at once, so that they often meet at one slot and in one word.
static void test_threads_in_step(void **context) {
  (void)context;
  struct store_config c = {.kind = "tree", .words = 2, .bytes = 16};
  for (int i = 0; i < 8; i++) assert_int_equal(run_threads(c, 2, POOL / 8, true), POOL);
}

static void test_threads_and_limits(void **context) {
  (void)context;
  struct store_config c = {.kind = "tree", .words = 12, .bytes = 96, .states_max = 5000};
  uint64_t states = run_threads(c, 4, 200, false);
  assert_true(states <= 5000 && states > 5000 - 4 * 128);
  c = (struct store_config){.kind = "tree", .words = 12, .bytes = 96, .mem_bytes_max = 600000};
  assert_true(run_threads(c, 4, 200, false) > 1000);
}

// One writer after the other: ids stay consecutive.
static void test_writers_in_turn(void **context) {
  (void)context;
  struct store *s = make("tree", 640);
  for (uint64_t v = 0; v < 9000;) {
    struct store_writer *w = store_writer_new(s);
    for (int i = 0; i < 100; i++, v++) {
      enum store_answer answer;
      uint64_t id, words[10] = {v / 100, v % 100};
      assert_int_equal(store_write_batch(w, words, 1, &answer, &id), 1);
      assert_int_equal(answer, STORE_NEW);
      assert_int_equal(id, v);
    }
    store_writer_free(w);
  }
  assert_true(store_check(s));
  store_free(s);
}

// --- shapes ---

static void expect_sound_shape(const struct tree_shape *s, size_t leaves) {
  size_t waiting[64], height = 0, most = 0, seen = 0; // sizes
  for (size_t k = 0; k < s->count; k++) {
    if (s->nodes[k].size == 1) {
      assert_true(s->nodes[k].index < leaves);
      waiting[height++] = 1;
      seen++;
    } else {
      assert_true(height >= 2 && s->nodes[k].index < s->tables);
      assert_int_equal(s->nodes[k].size, 1 + waiting[height - 1] + waiting[height - 2]);
      assert_true(waiting[height - 2] >= waiting[height - 1]);
      waiting[--height - 1] = s->nodes[k].size;
    }
    if (height > most) most = height;
  }
  assert_int_equal(height, 1);
  assert_int_equal(s->count, 2 * seen - 1);
  assert_in_range(seen, leaves, leaves + 1); // one in halves
  assert_int_equal(most, s->height);
  assert_int_equal(s->nodes[s->count - 1].index, s->tables - 1);
}

static void test_shapes(void **context) {
  (void)context;
  enum { SAMPLES = 50 };
  struct rng r;
  rng_init(&r, 4);
  for (size_t leaves = 2; leaves < 1200; leaves = leaves * 4 / 3 + 1) {
    struct tree_shape even, fitted;
    uint32_t *values = mem_alloc(leaves * SAMPLES * sizeof *values);
    for (size_t i = 0; i < leaves * SAMPLES; i++)
      values[i] = i / SAMPLES % 3 ? (uint32_t)rng_below(&r, 4) : (uint32_t)(i % SAMPLES);
    tree_shape_balance(&even, leaves);
    expect_sound_shape(&even, leaves);
    tree_shape_fit(&fitted, leaves, values, SAMPLES);
    expect_sound_shape(&fitted, leaves);
    uint64_t price = tree_shape_price(&fitted, values, SAMPLES);
    assert_true(price <= tree_shape_price(&even, values, SAMPLES));
    if (tree_shape_lone_leaf(&fitted)) {
      tree_shape_halve(&fitted);
      assert_null(tree_shape_lone_leaf(&fitted));
      expect_sound_shape(&fitted, leaves);
      assert_int_equal(tree_shape_price(&fitted, values, SAMPLES), price);
    }
    mem_free(values);
    mem_free(even.nodes);
    mem_free(fitted.nodes);
  }
}

// Leaves 0 and 2 go together, and 1 and 3: three tables with 5, 5 and 25 pairs.
static void test_shape_that_fits(void **context) {
  (void)context;
  uint32_t values[4][25];
  for (uint32_t i = 0; i < 25; i++)
    for (uint32_t leaf = 0; leaf < 4; leaf++) values[leaf][i] = leaf % 2 ? i % 5 : i / 5;
  struct tree_shape even, fitted;
  tree_shape_balance(&even, 4);
  assert_int_equal(tree_shape_price(&even, values[0], 25), 75);
  tree_shape_fit(&fitted, 4, values[0], 25);
  assert_int_equal(tree_shape_price(&fitted, values[0], 25), 35);
  mem_free(even.nodes);
  mem_free(fitted.nodes);
}

// Leaves of 2, 2, 3 and 3 values, all independent: first the two small ones are paired, then the
// two others, which together have fewer values than with that pair.
static void test_shape_of_independent_leaves(void **context) {
  (void)context;
  uint32_t values[4][36];
  for (uint32_t i = 0; i < 36; i++) {
    values[0][i] = i % 2;
    values[1][i] = i / 2 % 2;
    values[2][i] = i / 4 % 3;
    values[3][i] = i / 12;
  }
  struct tree_shape fitted;
  tree_shape_fit(&fitted, 4, values[0], 36);
  assert_int_equal(tree_shape_price(&fitted, values[0], 36), 4 + 9 + 36);
  mem_free(fitted.nodes);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_bit),
      cmocka_unit_test(test_long_states),
      cmocka_unit_test(test_very_long_states),
      cmocka_unit_test(test_random_states),
      cmocka_unit_test(test_sparse_leaves),
      cmocka_unit_test(test_duplicates_in_a_batch),
      cmocka_unit_test(test_repeated_states),
      cmocka_unit_test(test_find_then_insert),
      cmocka_unit_test(test_price),
      cmocka_unit_test(test_better_tree),
      cmocka_unit_test(test_numbered_leaf),
      cmocka_unit_test(test_facts),
      cmocka_unit_test(test_memory_limit),
      cmocka_unit_test(test_tiny_limit),
      cmocka_unit_test(test_full_again),
      cmocka_unit_test(test_states_limit),
      cmocka_unit_test(test_payload),
      cmocka_unit_test(test_threads),
      cmocka_unit_test(test_threads_in_step),
      cmocka_unit_test(test_threads_and_limits),
      cmocka_unit_test(test_writers_in_turn),
      cmocka_unit_test(test_shapes),
      cmocka_unit_test(test_shape_that_fits),
      cmocka_unit_test(test_shape_of_independent_leaves),
  };
#ifdef __SANITIZE_THREAD__ // has nothing to see in the others
  cmocka_set_test_filter("test_threads*");
#endif
  return cmocka_run_group_tests(tests, NULL, NULL);
}
