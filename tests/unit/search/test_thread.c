// SPDX-License-Identifier: Apache-2.0
// Threads that take all cores are put each on one of its own, and their maker is free again after
// that; fewer or more of them are left alone.
#define _GNU_SOURCE // cpu_set_t
#include "search/thread.h"

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

enum { OTHERS = 2 };

static pthread_mutex_t end = PTHREAD_MUTEX_INITIALIZER;

static void *wait_for_end(void *argument) {
  pthread_mutex_lock(&end);
  pthread_mutex_unlock(&end);
  return argument;
}

static cpu_set_t cores_of(pthread_t thread) {
  cpu_set_t set;
  assert_int_equal(pthread_getaffinity_np(thread, sizeof set, &set), 0);
  return set;
}

// The first `count` of the cores that the process may use; false: there are not so many.
static bool take_cores(unsigned count, cpu_set_t *out) {
  cpu_set_t all = cores_of(pthread_self());
  CPU_ZERO(out);
  for (int i = 0; i < CPU_SETSIZE && count > 0; i++) {
    if (!CPU_ISSET(i, &all)) continue;
    CPU_SET(i, out);
    count--;
  }
  return count == 0 && pthread_setaffinity_np(pthread_self(), sizeof *out, out) == 0;
}

static void each_on_its_own(void **context) {
  (void)context;
  cpu_set_t two;
  pthread_t threads[OTHERS];
  if (!take_cores(2, &two)) skip();
  pthread_mutex_lock(&end);
  for (unsigned i = 0; i < OTHERS; i++)
    assert_true(search_thread_start(&threads[i], wait_for_end, NULL));
  assert_null(search_threads_part(threads, 0));
  assert_null(search_threads_part(threads, 2)); // three on two cores
  cpu_set_t mine = cores_of(pthread_self()), other = cores_of(threads[0]);
  assert_true(CPU_EQUAL(&mine, &two) && CPU_EQUAL(&other, &two));

  struct search_cores *c = search_threads_part(threads, 1);
  assert_non_null(c);
  mine = cores_of(pthread_self());
  other = cores_of(threads[0]);
  assert_int_equal(CPU_COUNT(&mine), 1);
  assert_int_equal(CPU_COUNT(&other), 1);
  assert_false(CPU_EQUAL(&mine, &other));
  search_threads_join(c);
  mine = cores_of(pthread_self());
  assert_true(CPU_EQUAL(&mine, &two));

  pthread_mutex_unlock(&end);
  for (unsigned i = 0; i < OTHERS; i++) pthread_join(threads[i], NULL);
}

static void nothing_to_undo(void **context) {
  (void)context;
  cpu_set_t before = cores_of(pthread_self());
  search_threads_join(NULL);
  cpu_set_t after = cores_of(pthread_self());
  assert_true(CPU_EQUAL(&before, &after));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_to_undo),
                                     cmocka_unit_test(each_on_its_own)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
