// SPDX-License-Identifier: Apache-2.0
// Pieces of states: what is cut is read back, by either way of gathering bits; the choice finds
// bits that belong together and leaves others alone; a store whose states are cut, and cut again,
// keeps all of them under their ids, also when values turn up late or there is no room for them.
#include "store/store.h"
#include "store/thin.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { WORDS_MAX = 4, STATES = 600 };

// A word with `fields` fields of nine bits that have few values each, and other bits that have all.
struct shape {
  unsigned fields;
  uint64_t value[7][40];
  uint64_t free;
};

static void some_shape(struct rng *r, struct shape *s) {
  s->fields = (unsigned)rng_below(r, 8);
  for (unsigned k = 0; k < 7; k++)
    for (unsigned i = 0; i < 40; i++) s->value[k][i] = rng_below(r, 512);
  s->free = rng_below(r, 2) ? rng_next(r) & rng_next(r) & rng_next(r) : 0;
}

static uint64_t some_word(struct rng *r, const struct shape *s, unsigned values) {
  uint64_t w = rng_next(r) & s->free;
  for (unsigned k = 0; k < s->fields; k++) {
    w &= ~(UINT64_C(511) << 9 * k);
    w |= s->value[k][rng_below(r, values)] << 9 * k;
  }
  return w;
}

static void read_back(const struct thin *t, const uint64_t *states, size_t count) {
  static uint64_t thin[STATES * WORDS_MAX], array[STATES * WORDS_MAX + 2], got[STATES * WORDS_MAX];
  uint64_t ids[STATES];
  struct packed a = {.base = array};
  memset(array, 0, sizeof array);
  packed_set_bits(&a, t->bits);
  assert_int_equal(thin_pack(t, states, count, thin), count);
  for (size_t i = 0; i < count; i++) packed_write(&a, i, thin + i * a.words, 0, true);
  thin_read(t, &a, 0, count, got);
  assert_memory_equal(got, states, count * t->words * sizeof *got);
  for (size_t i = 0; i < count; i++) {
    assert_true(packed_equal(&a, i, thin + i * a.words, 0));
    ids[i] = count - 1 - i;
  }
  thin_read_these(t, &a, ids, count, got);
  for (size_t i = 0; i < count; i++)
    assert_memory_equal(got + i * t->words, states + ids[i] * t->words, t->words * sizeof *got);
}

// Thin states that become wider: the old ones, moved, are the new ones.
static void move(const struct thin *narrow, const struct thin *wide, const uint64_t *states,
                 size_t count) {
  struct thin between;
  uint64_t scratch[4 * WORDS_MAX], old[WORDS_MAX + 2] = {0}, new[WORDS_MAX], moved[WORDS_MAX];
  struct packed a = {.base = old};
  thin_init(&between, wide->words, 64 * wide->words);
  thin_between(&between, narrow, wide, scratch);
  packed_set_bits(&a, narrow->bits);
  for (size_t i = 0; i < count; i++) {
    const uint64_t *state = states + i * wide->words;
    assert_int_equal(thin_pack(narrow, state, 1, old), 1);
    assert_int_equal(thin_pack(wide, state, 1, new), 1);
    thin_read(&between, &a, 0, 1, moved);
    assert_memory_equal(moved, new, thin_words(wide) * sizeof *new);
  }
  thin_free(&between);
}

static void first_that_does_not_fit(const struct thin *t, const uint64_t *states) {
  static uint64_t thin[STATES * WORDS_MAX], one[WORDS_MAX];
  size_t first = STATES / 2;
  while (first < STATES && thin_fits(t, states + first * t->words)) first++;
  assert_int_equal(thin_pack(t, states, STATES, thin), first);
  for (size_t i = 0; i < first; i++) {
    assert_int_equal(thin_pack(t, states + i * t->words, 1, one), 1);
    assert_memory_equal(one, thin + i * thin_words(t), thin_words(t) * sizeof *one);
  }
}

static void try_shapes(struct rng *r) {
  struct thin plain, cut, wide;
  struct shape shape[WORDS_MAX];
  size_t words = 1 + rng_below(r, WORDS_MAX);
  uint64_t states[STATES * WORDS_MAX];
  for (size_t i = 0; i < words; i++) some_shape(r, &shape[i]);
  for (size_t i = 0; i < STATES * words; i++)
    states[i] = some_word(r, &shape[i % words], i < STATES / 2 * words ? 20 : 40);
  thin_init(&plain, words, 64 * words);
  thin_init(&cut, words, 64 * words);
  thin_init(&wide, words, 64 * words);
  thin_widen(&plain, states, 1, false);
  thin_widen(&plain, states, STATES / 2, rng_below(r, 2)); // with bits that do not vary
  unsigned char *tables = mem_zalloc(1, thin_tables_bytes(&plain));
  if (thin_cut(&cut, &plain, states, STATES / 2, tables)) {
    thin_widen(&cut, states, STATES / 2, false);
    thin_settle(&cut);
    for (size_t i = 0; i < cut.pieces.count; i++) assert_true(cut.pieces.piece[i].bits > 0);
    assert_true(cut.bits < plain.bits);
    read_back(&cut, states, STATES / 2);
    first_that_does_not_fit(&cut, states);
    thin_copy(&wide, &cut);
    thin_widen(&wide, states, STATES, rng_below(r, 2));
    read_back(&wide, states, STATES);
    move(&cut, &wide, states, STATES / 2);
    wide.fast = cut.fast = false;
    read_back(&wide, states, STATES);
    pieces_undo(&wide.pieces, &cut.pieces);
    read_back(&cut, states, STATES / 2);
  }
  mem_free(tables);
  thin_free(&plain);
  thin_free(&cut);
  thin_free(&wide);
}

static void test_packing(void **context) {
  (void)context;
  struct rng r;
  rng_init(&r, 5);
  for (unsigned round = 0; round < 150; round++) try_shapes(&r);
}

// Two counters that are never both at work have 63 values in ten bits.
static void test_choice(void **context) {
  (void)context;
  enum { COUNT = 4096 };
  struct rng r;
  struct piece room[PIECES_MAX];
  struct pieces p = {.piece = room};
  static uint64_t states[COUNT];
  rng_init(&r, 6);
  for (unsigned i = 0; i < COUNT; i++) {
    uint64_t a = rng_below(&r, 32), first = rng_below(&r, 2);
    states[i] = (first ? a : a << 5) << 20 | (rng_next(&r) & 0xff);
  }
  pieces_choose(&p, states, 1, COUNT, 0, UINT64_C(0x3ff000ff), false);
  assert_int_equal(p.count, 1);
  assert_true((room[0].mask & UINT64_C(0x3ff00000)) == UINT64_C(0x3ff00000));
  p.count = 0;
  for (unsigned i = 0; i < COUNT; i++) states[i] = rng_next(&r);
  pieces_choose(&p, states, 1, COUNT, 0, 0xffff, false);
  assert_int_equal(p.count, 0);
}

// Values get numbers as long as there are bits for them; a state without is not packed.
static void test_late_values(void **context) {
  (void)context;
  uint16_t tables[2 * 16] = {0};
  struct piece room[PIECES_MAX] = {{.mask = 0xf0}};
  struct pieces p = {1, room};
  uint64_t states[] = {0x30, 0x50, 0x35, 0x90, 0xa0, 0xb0}, thin[6] = {0};
  piece_place(&room[0], (unsigned char *)tables);
  pieces_widen(&p, states, 1, 3, 0, false);
  assert_int_equal(room[0].bits, 1);
  assert_true(pieces_pack(&p, states, 1, 3, thin, 1, false));
  assert_false(pieces_pack(&p, states, 1, 4, thin, 1, false));
  assert_false(pieces_take(&p, states, 1, 6, false));
  assert_false(pieces_know(&p, states + 3, false));
  pieces_widen(&p, states + 3, 1, 1, 0, false);
  assert_int_equal(room[0].bits, 2);
  assert_true(pieces_take(&p, states + 4, 1, 1, false));
  assert_false(pieces_take(&p, states + 5, 1, 1, false));
  memset(thin, 0, sizeof thin);
  assert_true(pieces_pack(&p, states, 1, 5, thin, 1, false));
  const uint64_t numbers[] = {0, 1, 0, 2, 3};
  assert_memory_equal(thin, numbers, sizeof numbers);
}

// --- a store ---

// State number v: two words of fields that depend on few bits of v, some twice; new values come as
// v grows. All are different by the last field.
static void encode(uint64_t v, uint64_t *w) {
  uint64_t x = v * UINT64_C(0x9e3779b97f4a7c15), level = 64 - (uint64_t)__builtin_clzll(v | 1);
  uint64_t a = (x >> 60) * 37, b = (x >> 55 & 31) * (level + 3);
  w[0] = a | a << 10 | b << 20 | b << 30 | (x >> 50 & 7) * level << 40;
  w[1] = v << 40 | ((x >> 45 & 15) * 77 & 0xfff) << 12 | (x >> 40 & level) * 5;
}

// Cut twice in a whole store (13,000 and eight times as many states), more often in a small one.
enum { STORED = 150000 };

static void check_states(struct store *s, uint64_t count) {
  uint64_t w[2], got[2], id;
  for (uint64_t v = 0; v < count; v++) {
    encode(v, w);
    assert_true(store_find(s, w, &id));
    assert_int_equal(id, v);
    store_get(s, v, got);
    assert_memory_equal(got, w, sizeof w);
  }
}

static void test_store(void **context) {
  (void)context;
  struct store_config c = {.kind = "exact", .words = 2, .bytes = 16};
  struct store *s = store_new(&c);
  uint64_t w[2], varies[2] = {0}, id;
  for (uint64_t v = 0; v < STORED; v++) {
    encode(v, w);
    assert_false(store_find(s, w, &id));
    assert_int_equal(store_insert(s, w, &id), STORE_NEW);
    assert_int_equal(id, v);
    for (unsigned i = 0; i < 2; i++) varies[i] |= w[i];
  }
  check_states(s, STORED);
  assert_true(store_check(s));
  (void)varies;
#ifndef FATHOM_SMALL // where the slots of the index have four bytes
  struct store_facts f = {0};
  store_facts(s, &f);
  double bits = 8 * ((double)store_memory(s) / STORED - 4 / f.load);
  assert_true(bits < __builtin_popcountll(varies[0]) + __builtin_popcountll(varies[1]));
#endif
  store_free(s);
}

// --- several threads ---

enum { THREADS = 4, SHARED = 60000, BATCH = 100 };

struct hand {
  struct store *store;
  struct store_writer *writer;
  uint64_t first;
  uint64_t new; // states that it was told were new
};

// Each inserts all states, beginning with others.
static void *insert_all(void *context) {
  struct hand *h = context;
  uint64_t states[2 * BATCH], ids[BATCH], got[2];
  enum store_answer answers[BATCH];
  for (uint64_t done = 0; done < SHARED; done += BATCH) {
    for (uint64_t i = 0; i < BATCH; i++) encode((h->first + done + i) % SHARED, states + 2 * i);
    if (store_write_batch(h->writer, states, BATCH, answers, ids) != BATCH) break;
    for (unsigned i = 0; i < BATCH; i++) {
      h->new += answers[i] == STORE_NEW;
      store_get(h->store, ids[i], got);
      if (memcmp(got, states + 2 * i, sizeof got) != 0) h->new += SHARED; // seen by who counts
    }
  }
  return NULL;
}

static void test_threads(void **context) {
  (void)context;
  struct store_config c = {.kind = "exact", .words = 2, .bytes = 16, .threads = THREADS};
  struct store *s = store_new(&c);
  struct hand hand[THREADS];
  pthread_t thread[THREADS];
  uint64_t new = 0;
  for (unsigned i = 0; i < THREADS; i++)
    hand[i] = (struct hand){s, store_writer_new(s), i * SHARED / THREADS / 2, 0};
  for (unsigned i = 0; i < THREADS; i++)
    assert_int_equal(pthread_create(&thread[i], NULL, insert_all, &hand[i]), 0);
  for (unsigned i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
  for (unsigned i = 0; i < THREADS; i++) {
    new += hand[i].new;
    store_writer_free(hand[i].writer);
  }
  assert_int_equal(new, SHARED);
  assert_int_equal(store_count(s), SHARED);
  assert_true(store_check(s));
  store_free(s);
}

// At the limit states with new values find no room, those with old ones do, and all stay.
static void test_no_room(void **context) {
  (void)context;
  struct store_config c = {.kind = "exact", .words = 2, .bytes = 16, .mem_bytes_max = 8 << 20};
  struct store *s = store_new(&c);
  uint64_t w[2], got[2], id, stored = 0;
  for (; stored < STORED; stored++) {
    encode(stored, w);
    assert_int_equal(store_insert(s, w, &id), STORE_NEW);
  }
  store_beside(s, 8 << 20);
  unsigned refused = 0;
  for (uint64_t i = 1; i < 5000; i++) {
    encode(0, w);
    w[0] ^= i << 3;
    if (store_insert(s, w, &id) == STORE_FULL) {
      refused++;
      assert_false(store_find(s, w, &id));
    } else {
      store_get(s, id, got);
      assert_memory_equal(got, w, sizeof w);
    }
  }
  assert_true(refused > 0);
  check_states(s, stored);
  store_beside(s, 0);
  for (uint64_t i = 1; i < 5000; i++) {
    encode(0, w);
    w[0] ^= i << 3;
    assert_int_not_equal(store_insert(s, w, &id), STORE_FULL);
    assert_true(store_find(s, w, &id));
  }
  check_states(s, stored);
  assert_true(store_check(s));
  store_free(s);
}

// From LATE on ten fields of ten bits that vary, with three values each.
enum { LATE = 120000 };
static void encode_late(uint64_t v, uint64_t *w) {
  static const uint64_t field[] = {0, 0x2b3, 0x14c};
  w[0] = v;
  w[1] = 0;
  for (unsigned i = 0; v >= LATE && i < 10; i++)
    w[i > 3] |= field[(v >> i) % 3] << (i > 3 ? 10 * (i - 4) : 24 + 10 * i);
}

// A store that is full cuts its states before it refuses one, though the next cut (at eight times
// the states of the last) is not due: in this memory 750,000 fit whole, and far more in pieces.
static void test_full(void **context) {
  (void)context;
#ifdef FATHOM_SMALL
  enum { ENOUGH = 200000 };
#else
  enum { ENOUGH = 1000000 };
#endif
  struct store_config c = {.kind = "exact", .words = 2, .bytes = 16, .mem_bytes_max = 14 << 20};
  struct store *s = store_new(&c);
  uint64_t w[2], got[2], id;
  for (uint64_t v = 0; v < ENOUGH; v++) {
    encode_late(v, w);
    assert_int_equal(store_insert(s, w, &id), STORE_NEW);
    assert_int_equal(id, v);
  }
  for (uint64_t v = 0; v < ENOUGH; v++) {
    encode_late(v, w);
    assert_true(store_find(s, w, &id));
    assert_int_equal(id, v);
    store_get(s, v, got);
    assert_memory_equal(got, w, sizeof w);
  }
  assert_true(store_memory(s) <= c.mem_bytes_max);
  store_free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_packing),     cmocka_unit_test(test_choice),
      cmocka_unit_test(test_late_values), cmocka_unit_test(test_store),
      cmocka_unit_test(test_threads),     cmocka_unit_test(test_no_room),
      cmocka_unit_test(test_full),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
