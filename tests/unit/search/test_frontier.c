// SPDX-License-Identifier: Apache-2.0
// The level of a breadth-first search: a worker takes its own states from the front, others' from
// the back; threads that take at once get every state, and none twice.
#include "search/frontier.h"

#include "search/lineage.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

enum { WORKERS = 3, STATES = 1000, RUN = 70, CHUNK = 8 };

struct level {
  struct frontier frontier;
  struct search_worker workers[WORKERS];
  _Atomic unsigned taken[WORKERS][STATES];
};

// Worker i has found i * STATES / 2 states before and has STATES / (i + 1) in this level, in runs
// of ids that do not touch each other.
static uint64_t first_of(unsigned worker) { return worker * STATES / 2; }
static uint64_t count_of(unsigned worker) { return STATES / (worker + 1); }
static uint64_t id_of(unsigned worker, uint64_t number) {
  return number + (number / RUN * WORKERS + worker) * STATES;
}

static void fill(struct level *l) {
  *l = (struct level){0};
  frontier_begin(&l->frontier);
  for (unsigned i = 0; i < WORKERS; i++) {
    struct search_worker *w = &l->workers[i];
    uint64_t end = first_of(i) + count_of(i);
    w->number = i;
    w->id_shift = UINT64_MAX;
    for (uint64_t k = 0; k < end; k++) search_new_id(w, id_of(i, k));
    frontier_add_runs(&l->frontier, w, first_of(i), end);
  }
  frontier_cut(&l->frontier, CHUNK);
}

static void clear(struct level *l) {
  for (unsigned i = 0; i < WORKERS; i++) VEC_CLEAR(&l->workers[i].runs);
  frontier_clear(&l->frontier);
}

static void own_first(void **state) {
  (void)state;
  static struct level l;
  struct piece chunk;
  unsigned empty = 0;
  fill(&l);
  for (uint64_t next = first_of(1), end = next + count_of(1); next < end; next += chunk.count) {
    assert_true(frontier_take(&l.frontier, 1, &empty, &chunk));
    assert_int_equal(chunk.place, place_of(1, next));
    assert_int_equal(chunk.id, id_of(1, next));
    assert_in_range(chunk.count, 1, CHUNK);
  }
  for (unsigned i = 2; i != 1; i = (i + 1) % WORKERS)
    for (uint64_t end = first_of(i) + count_of(i); end > first_of(i); end -= chunk.count) {
      assert_true(frontier_take(&l.frontier, 1, &empty, &chunk));
      assert_int_equal(chunk.place, place_of(i, end - chunk.count));
      assert_int_equal(chunk.id, id_of(i, end - chunk.count));
    }
  assert_false(frontier_take(&l.frontier, 1, &empty, &chunk));
  clear(&l);
}

struct taker {
  struct level *level;
  unsigned number;
};

static void *take(void *argument) {
  const struct taker *t = argument;
  struct piece chunk;
  unsigned empty = 0;
  while (frontier_take(&t->level->frontier, t->number, &empty, &chunk))
    for (uint64_t i = 0; i < chunk.count; i++) {
      unsigned worker = place_worker(chunk.place);
      uint64_t number = place_number(chunk.place) + i;
      t->level->taken[worker][number - first_of(worker)] += id_of(worker, number) == chunk.id + i;
    }
  return NULL;
}

// The fourth has no lane of its own.
static void each_once(void **state) {
  (void)state;
  static struct level l;
  pthread_t threads[WORKERS + 1];
  struct taker takers[WORKERS + 1];
  fill(&l);
  for (unsigned i = 0; i <= WORKERS; i++) {
    takers[i] = (struct taker){&l, i};
    assert_int_equal(pthread_create(&threads[i], NULL, take, &takers[i]), 0);
  }
  for (unsigned i = 0; i <= WORKERS; i++) pthread_join(threads[i], NULL);
  for (unsigned i = 0; i < WORKERS; i++)
    for (uint64_t k = 0; k < count_of(i); k++) assert_int_equal(l.taken[i][k], 1);
  clear(&l);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(own_first), cmocka_unit_test(each_once)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
