// SPDX-License-Identifier: Apache-2.0
// Parts of an array that several threads move to higher places in place.
#include "store/parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>
#include <pthread.h>

enum { ITEMS_MAX = 3000, EACH_MAX = 64, HANDS = 4, THREADS = 6 };

// Item i lies in cells i*from .. and goes to cells i*to .., as many as it had.
struct moving {
  struct parts parts;
  uint64_t from, to;
  uint32_t *cells;
  unsigned late;  // those who had no hand
  uint64_t after; // cells that were right when all was written, counted by each hand
};

static uint32_t value_of(uint64_t item, uint64_t cell) { return (uint32_t)(item * 7 + cell + 1); }

static void move_one(struct moving *m, struct parts_hand *hand, const struct part *part) {
  uint32_t items[EACH_MAX * 8];
  uint64_t count = part->end - part->first;
  memcpy(items, m->cells + part->first * m->from, count * m->from * sizeof *items);
  parts_read(hand, part);
  parts_await(&m->parts, part, part->first * m->to / m->from);
  for (uint64_t i = 0; i < count; i++)
    memcpy(m->cells + (part->first + i) * m->to, items + i * m->from, m->from * sizeof *items);
}

static bool is_moved(const struct moving *m, uint64_t item) {
  for (uint64_t c = 0; c < m->from; c++)
    if (m->cells[item * m->to + c] != value_of(item, c)) return false;
  return true;
}

static void *work(void *context) {
  struct moving *m = context;
  struct part part;
  struct parts_hand *hand = parts_join(&m->parts);
  if (!hand) {
    __atomic_fetch_add(&m->late, 1, __ATOMIC_RELAXED);
    return NULL;
  }
  while (parts_take(&m->parts, hand, &part)) move_one(m, hand, &part);
  parts_await_all(&m->parts);
  uint64_t right = 0;
  for (uint64_t i = 0; i < m->parts.items; i++) right += is_moved(m, i);
  __atomic_fetch_add(&m->after, right, __ATOMIC_RELAXED);
  return NULL;
}

static void move(uint64_t items, uint64_t each, uint64_t from, uint64_t to, unsigned threads) {
  static uint32_t cells[ITEMS_MAX * 8];
  struct parts_hand hands[HANDS];
  struct moving m = {.from = from, .to = to, .cells = cells};
  for (uint64_t i = 0; i < items; i++)
    for (uint64_t c = 0; c < from; c++) cells[i * from + c] = value_of(i, c);
  parts_init(&m.parts, items, each, hands, HANDS);
  pthread_t thread[THREADS];
  for (unsigned i = 0; i < threads; i++)
    assert_int_equal(pthread_create(&thread[i], NULL, work, &m), 0);
  for (unsigned i = 0; i < threads; i++) pthread_join(thread[i], NULL);
  unsigned working = threads < HANDS ? threads : HANDS;
  assert_int_equal(m.late, threads - working);
  assert_int_equal(m.after, working * items); // all hands saw all items where they belong
}

static void test_alone(void **context) {
  (void)context;
  move(0, 1, 1, 2, 1);
  move(1, 1, 1, 1, 1);
  move(7, 3, 2, 3, 1);
  move(ITEMS_MAX, 64, 4, 5, 1);
}

// By little, so that nearly all wait for those before, and by much.
static void test_together(void **context) {
  (void)context;
  for (unsigned round = 0; round < 20; round++)
    for (unsigned threads = 2; threads <= THREADS; threads++) {
      move(ITEMS_MAX, 1, 7, 8, threads);
      move(ITEMS_MAX - 1, 10, 1, 1, threads);
      move(ITEMS_MAX, EACH_MAX, 7, 8, threads);
      move(ITEMS_MAX - 13, EACH_MAX, 1, 8, threads);
      move(3, EACH_MAX, 3, 4, threads);
      move(0, 5, 3, 4, threads);
    }
}

// Takes two parts of three; what it waits for before it writes the second may be still to be read.
struct second {
  struct parts parts;
  bool written;
};

static void *take_two(void *context) {
  struct second *s = context;
  struct parts_hand *hand = parts_join(&s->parts);
  struct part part;
  for (int i = 0; i < 2 && parts_take(&s->parts, hand, &part); i++) parts_read(hand, &part);
  parts_await(&s->parts, &part, 2);
  __atomic_store_n(&s->written, true, __ATOMIC_RELEASE);
  while (parts_take(&s->parts, hand, &part)) parts_read(hand, &part);
  return NULL;
}

// Who has come, and says nothing yet of the part that it takes, may have any: others wait for it.
static void test_joined(void **context) {
  (void)context;
  struct parts_hand hands[2];
  struct second s = {0};
  struct part part;
  pthread_t thread;
  parts_init(&s.parts, 3, 1, hands, 2);
  struct parts_hand *hand = parts_join(&s.parts);
  assert_int_equal(pthread_create(&thread, NULL, take_two, &s), 0);
  while (__atomic_load_n(&s.parts.begun, __ATOMIC_ACQUIRE) < 2) continue;
  nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
  assert_false(__atomic_load_n(&s.written, __ATOMIC_ACQUIRE));
  assert_true(parts_take(&s.parts, hand, &part));
  parts_read(hand, &part);
  while (parts_take(&s.parts, hand, &part)) parts_read(hand, &part);
  pthread_join(thread, NULL);
  assert_true(s.written);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_alone),
      cmocka_unit_test(test_together),
      cmocka_unit_test(test_joined),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
