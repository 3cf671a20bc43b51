// SPDX-License-Identifier: Apache-2.0
// Threads that search.
#include "search/thread.h"

#include <signal.h>
#include <sys/resource.h>

#define STACK_BYTES_LEAST ((size_t)8 << 20)
#define STACK_BYTES_MOST  ((size_t)256 << 20) // where the main thread's has no limit

// As large as the main thread's: compiled models and the interpreter recurse.
static size_t stack_bytes(void) {
  struct rlimit r;
  if (getrlimit(RLIMIT_STACK, &r) != 0 || r.rlim_cur < STACK_BYTES_LEAST) return STACK_BYTES_LEAST;
  return r.rlim_cur > STACK_BYTES_MOST ? STACK_BYTES_MOST : (size_t)r.rlim_cur;
}

// Signals go to the main thread.
bool search_thread_start(pthread_t *thread, void *(*run)(void *argument), void *argument) {
  sigset_t all, before;
  pthread_attr_t attributes;
  sigfillset(&all);
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stack_bytes());
  pthread_sigmask(SIG_SETMASK, &all, &before);
  bool ok = pthread_create(thread, &attributes, run, argument) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  return ok;
}

void search_thread_cond_init(pthread_cond_t *c) {
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(c, &attributes);
  pthread_condattr_destroy(&attributes);
}

struct timespec search_thread_soon(int ms) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  t.tv_nsec += ms * 1000000L;
  t.tv_sec += t.tv_nsec / 1000000000L;
  t.tv_nsec %= 1000000000L;
  return t;
}
