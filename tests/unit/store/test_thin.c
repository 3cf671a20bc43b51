// SPDX-License-Identifier: Apache-2.0
// Thin states: packing and reading give back what was put in, by either way of gathering bits; a
// store whose states become wider late keeps all of them under their ids.
#include "store/store.h"
#include "store/thin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { WORDS_MAX = 5, STATES = 200 };

// Bits that may differ from the first state's: few, some or all of each word.
static uint64_t some_bits(struct rng *r) {
  switch (rng_below(r, 5)) {
  case 0: return 0;
  case 1: return ~UINT64_C(0);
  case 2: return UINT64_C(1) << rng_below(r, 64);
  case 3: return rng_next(r);
  default: return (rng_next(r) & 0xffff) << rng_below(r, 64);
  }
}

static void read_back(const struct thin *t, const uint64_t *states, size_t count) {
  uint64_t thin[STATES * WORDS_MAX], array[STATES * WORDS_MAX + 2] = {0}, got[WORDS_MAX];
  struct packed a = {.base = array};
  packed_set_bits(&a, t->bits);
  assert_int_equal(thin_pack(t, states, count, thin), count);
  for (size_t i = 0; i < count; i++) packed_write(&a, i, thin + i * a.words, 0, true);
  for (size_t i = 0; i < count; i++) {
    assert_true(packed_equal(&a, i, thin + i * a.words, 0));
    thin_read(t, &a, i, 1, got);
    assert_memory_equal(got, states + i * t->words, t->words * sizeof *got);
  }
}

static void test_packing(void **context) {
  (void)context;
  struct rng r;
  rng_init(&r, 3);
  for (unsigned round = 0; round < 400; round++) {
    struct thin t;
    size_t words = 1 + rng_below(&r, WORDS_MAX);
    uint64_t states[STATES * WORDS_MAX], first[WORDS_MAX], varies[WORDS_MAX];
    thin_init(&t, words, 64 * words);
    for (size_t i = 0; i < words; i++) first[i] = rng_next(&r), varies[i] = some_bits(&r);
    assert_false(thin_fits(&t, first));
    thin_widen(&t, first, 1, false);
    assert_int_equal(t.bits, 0);
    for (size_t i = 0; i < STATES; i++) {
      uint64_t *state = states + i * words;
      for (size_t k = 0; k < words; k++) state[k] = first[k] ^ (rng_next(&r) & varies[k]);
      if (!thin_fits(&t, state)) thin_widen(&t, state, 1, round % 3 == 0);
      assert_true(thin_fits(&t, state));
    }
    size_t bits = 0;
    for (size_t i = 0; i < words; i++) bits += (size_t)__builtin_popcountll(varies[i]);
    assert_true(round % 3 == 0 || t.bits <= bits);
    read_back(&t, states, STATES);
    t.fast = false;
    read_back(&t, states, STATES);
    thin_free(&t);
  }
}

// Who widens again and again comes to an end: soon all bits that are in use are in.
static void test_often(void **context) {
  (void)context;
  struct thin t;
  uint64_t state[3] = {0};
  thin_init(&t, 3, 150);
  thin_widen(&t, state, 1, false);
  for (unsigned i = 0; i < 8; i++) {
    state[i % 3] |= UINT64_C(1) << 2 * i;
    thin_widen(&t, state, 1, true);
  }
  assert_int_equal(t.bits, 150);
  assert_true(thin_fits(&t, state));
  thin_free(&t);
}

static void test_first_that_does_not_fit(void **context) {
  (void)context;
  struct thin t;
  uint64_t states[] = {8, 9, 8, 12, 9}, thin[5];
  thin_init(&t, 1, 64);
  thin_widen(&t, states, 1, false);
  thin_widen(&t, states, 3, false);
  assert_int_equal(t.bits, 1);
  assert_int_equal(thin_pack(&t, states, 5, thin), 3);
  assert_int_equal(thin[1], 1);
  thin_free(&t);
}

// State number v of a store: new bits come again and again, the last ones late.
static void encode(uint64_t v, uint64_t *w) {
  w[0] = v << 7 | 5;
  w[1] = v > 100 ? v * 3 << 20 : 0;
  w[2] = v > 9000 ? UINT64_C(1) << v % 64 : 77;
}

static void test_late_bits(void **context) {
  (void)context;
  struct store_config c = {.kind = "exact", .words = 3, .bytes = 24, .payload_bytes = 8};
  struct store *s = store_new(&c);
  uint64_t w[3], got[3], id, states = 10000;
  for (uint64_t v = 0; v < states; v++) {
    encode(v, w);
    assert_false(store_find(s, w, &id));
    assert_int_equal(store_insert(s, w, &id), STORE_NEW);
    assert_int_equal(id, v);
    memcpy(store_payload(s, id), &v, sizeof v);
  }
  for (uint64_t v = 0; v < states; v++) {
    encode(v, w);
    assert_true(store_find(s, w, &id));
    assert_int_equal(id, v);
    store_get(s, v, got);
    assert_memory_equal(got, w, sizeof w);
    assert_memory_equal(store_payload(s, id), &v, sizeof v);
  }
  assert_true(store_check(s));
  store_free(s);
}

// Where the limit, or what others hold beside the store, leaves no room to widen, what is there
// stays, and what fits is still taken.
static void test_no_room_to_widen(void **context) {
  (void)context;
  enum { WIDE = 20, STATES_FIRST = 3000 };
  struct store_config c = {
      .kind = "exact", .words = WIDE, .bytes = 8 * WIDE, .mem_bytes_max = 800000};
  struct store *s = store_new(&c);
  uint64_t w[WIDE] = {0}, wide[WIDE], id;
  memset(wide, 0xff, sizeof wide);
  for (; w[0] < STATES_FIRST; w[0]++) assert_int_equal(store_insert(s, w, &id), STORE_NEW);
  store_beside(s, 700000); // 480,000 bytes of states would fit alone
  assert_int_equal(store_insert(s, wide, &id), STORE_FULL);
  assert_false(store_find(s, wide, &id));
  assert_int_equal(store_insert(s, w, &id), STORE_NEW);
  for (w[0] = 0; w[0] <= STATES_FIRST; w[0]++) assert_int_equal(store_insert(s, w, &id), STORE_OLD);
  store_beside(s, 0);
  assert_int_equal(store_insert(s, wide, &id), STORE_NEW);
  assert_int_equal(id, STATES_FIRST + 1);
  assert_true(store_check(s));
  store_free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_packing),
      cmocka_unit_test(test_often),
      cmocka_unit_test(test_first_that_does_not_fit),
      cmocka_unit_test(test_late_bits),
      cmocka_unit_test(test_no_room_to_widen),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
