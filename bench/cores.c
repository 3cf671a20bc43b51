// SPDX-License-Identifier: Apache-2.0
// cores: prints in how many nanoseconds a line of the cache goes from one core to another and
// back, for the first two that this process may run on. Cores that share a cache take a quarter of
// what others do, and the host of a virtual machine may move them: a search with two threads is
// slower then, and so a bench says how it was.
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <time.h>

enum { FIRST = 1000, ROUNDS = 50000 }; // the first ones, until both have begun, do not count

static _Alignas(64) int ball;

static double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int run_on(int core) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(core, &one);
  return sched_setaffinity(0, sizeof one, &one);
}

static void pass(int from) {
  while (__atomic_load_n(&ball, __ATOMIC_ACQUIRE) != from) {
  }
  __atomic_store_n(&ball, from + 1, __ATOMIC_RELEASE);
}

static void *other(void *core) {
  (void)run_on(*(int *)core); // refused: wherever it runs
  for (int i = 0; i < FIRST + ROUNDS; i++) pass(2 * i + 1);
  return NULL;
}

int main(void) {
  cpu_set_t all;
  int cores[2], found = 0;
  if (sched_getaffinity(0, sizeof all, &all) != 0) return 1;
  for (int i = 0; i < CPU_SETSIZE && found < 2; i++)
    if (CPU_ISSET(i, &all)) cores[found++] = i;
  if (found < 2) {
    printf("0\n"); // there is only one
    return 0;
  }
  pthread_t thread;
  if (run_on(cores[0]) != 0 || pthread_create(&thread, NULL, other, &cores[1]) != 0) return 1;
  double begun = 0;
  for (int i = 0; i < FIRST + ROUNDS; i++) {
    if (i == FIRST) begun = now_ns();
    pass(2 * i);
  }
  pthread_join(thread, NULL);
  printf("%.0f\n", (now_ns() - begun) / ROUNDS);
  return 0;
}
