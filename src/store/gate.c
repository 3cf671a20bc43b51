// SPDX-License-Identifier: Apache-2.0
// The slow half of a gate: waiting, closing, helping. Who passes an open gate takes no lock.
#include "store/gate.h"

#include "base/base.h"

void gate_init(struct gate *g, bool shared) {
  *g = (struct gate){.shared = shared};
  pthread_mutex_init(&g->lock, NULL);
  pthread_cond_init(&g->changed, NULL);
}

void gate_destroy(struct gate *g) {
  pthread_mutex_destroy(&g->lock);
  pthread_cond_destroy(&g->changed);
}

static bool is_closed(const struct gate *g) {
  return __atomic_load_n(&g->inside, __ATOMIC_ACQUIRE) & GATE_CLOSED;
}

// With the lock, which it lets go meanwhile: until `done`, or until something has changed.
#define AWAIT(g, done)                                                                             \
  do {                                                                                             \
    pthread_mutex_unlock(&(g)->lock);                                                              \
    AWAIT_BRIEFLY(done);                                                                           \
    pthread_mutex_lock(&(g)->lock);                                                                \
    if (!(done)) pthread_cond_wait(&(g)->changed, &(g)->lock);                                     \
  } while (0)

// Is there a call that this thread has not helped with?
static bool is_called(const struct gate *g, unsigned helped) {
  return __atomic_load_n(&g->call, __ATOMIC_ACQUIRE) != helped &&
         __atomic_load_n(&g->work, __ATOMIC_ACQUIRE);
}

// With the lock: joins those who help, without it.
static void help(struct gate *g) {
  void (*work)(void *context) = g->work;
  void *context = g->context;
  g->helping++;
  pthread_mutex_unlock(&g->lock);
  work(context);
  pthread_mutex_lock(&g->lock);
  if (__atomic_sub_fetch(&g->helping, 1, __ATOMIC_RELEASE) == 0)
    pthread_cond_broadcast(&g->changed);
}

// With the lock: until the gate is open.
static void wait_or_help(struct gate *g) {
  for (unsigned helped = g->call - 1; is_closed(g);) {
    AWAIT(g, !is_closed(g) || is_called(g, helped));
    if (!is_closed(g) || !is_called(g, helped)) continue;
    helped = g->call;
    help(g);
  }
}

// Who saw the gate closed as it came in goes out again, then waits.
void gate_wait(struct gate *g) {
  do {
    gate_leave(g);
    pthread_mutex_lock(&g->lock);
    wait_or_help(g);
    pthread_mutex_unlock(&g->lock);
  } while (__atomic_fetch_add(&g->inside, 1, __ATOMIC_ACQUIRE) & GATE_CLOSED);
}

// The last one has left a gate that is being closed.
void gate_left(struct gate *g) {
  pthread_mutex_lock(&g->lock);
  pthread_cond_broadcast(&g->changed);
  pthread_mutex_unlock(&g->lock);
}

static bool is_empty(const struct gate *g) {
  return __atomic_load_n(&g->inside, __ATOMIC_ACQUIRE) == GATE_CLOSED;
}

void gate_shut(struct gate *g) {
  pthread_mutex_lock(&g->lock);
  wait_or_help(g);
  __atomic_fetch_or(&g->inside, GATE_CLOSED, __ATOMIC_ACQUIRE);
  while (!is_empty(g)) AWAIT(g, is_empty(g));
  pthread_mutex_unlock(&g->lock);
}

void gate_unshut(struct gate *g) {
  pthread_mutex_lock(&g->lock);
  __atomic_fetch_and(&g->inside, ~GATE_CLOSED, __ATOMIC_RELEASE);
  pthread_cond_broadcast(&g->changed);
  pthread_mutex_unlock(&g->lock);
}

static bool is_helped(const struct gate *g) {
  return __atomic_load_n(&g->helping, __ATOMIC_ACQUIRE) == 0;
}

void gate_help(struct gate *g, void (*work)(void *context), void *context) {
  if (!g->shared) {
    work(context);
    return;
  }
  pthread_mutex_lock(&g->lock);
  g->context = context;
  __atomic_store_n(&g->work, work, __ATOMIC_RELEASE);
  __atomic_store_n(&g->call, g->call + 1, __ATOMIC_RELEASE);
  pthread_cond_broadcast(&g->changed);
  pthread_mutex_unlock(&g->lock);
  work(context);
  pthread_mutex_lock(&g->lock);
  __atomic_store_n(&g->work, NULL, __ATOMIC_RELEASE);
  while (!is_helped(g)) AWAIT(g, is_helped(g));
  pthread_mutex_unlock(&g->lock);
}
