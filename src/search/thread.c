// SPDX-License-Identifier: Apache-2.0
// Threads that search.
#define _GNU_SOURCE // cpu_set_t
#include "search/thread.h"

#include "base/mem.h"

#include <sched.h>
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

// --- cores ---

struct search_cores {
  cpu_set_t before; // those that this thread might use
};

static void put_on(pthread_t thread, int core) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(core, &one);
  (void)pthread_setaffinity_np(thread, sizeof one, &one); // a wish
}

static int core_after(const cpu_set_t *cores, int core) {
  do {
    core = (core + 1) % CPU_SETSIZE;
  } while (!CPU_ISSET(core, cores));
  return core;
}

unsigned search_thread_cores(void) {
  cpu_set_t cores;
  return sched_getaffinity(0, sizeof cores, &cores) == 0 ? (unsigned)CPU_COUNT(&cores) : 0;
}

struct search_cores *search_threads_part(const pthread_t *threads, unsigned count) {
  cpu_set_t cores;
  int core = sched_getcpu();
  if (count == 0 || core < 0 || sched_getaffinity(0, sizeof cores, &cores) != 0) return NULL;
  if ((unsigned)CPU_COUNT(&cores) != count + 1) return NULL;
  struct search_cores *c = mem_alloc(sizeof *c);
  c->before = cores;
  put_on(pthread_self(), core);
  for (unsigned i = 0; i < count; i++) put_on(threads[i], core = core_after(&cores, core));
  return c;
}

void search_threads_join(struct search_cores *c) {
  if (c) (void)sched_setaffinity(0, sizeof c->before, &c->before);
  mem_free(c);
}

// --- waiting ---

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
