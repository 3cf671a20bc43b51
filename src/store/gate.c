// SPDX-License-Identifier: Apache-2.0
// The slow half of a gate: waiting, closing, helping. Who passes an open gate takes no lock.
#include "store/gate.h"

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

// With the lock: until the gate is open.
static void wait_or_help(struct gate *g) {
  for (unsigned helped = g->call - 1; is_closed(g);) {
    if (!g->work || helped == g->call) {
      pthread_cond_wait(&g->changed, &g->lock);
      continue;
    }
    void (*work)(void *context) = g->work;
    void *context = g->context;
    helped = g->call;
    g->helping++;
    pthread_mutex_unlock(&g->lock);
    work(context);
    pthread_mutex_lock(&g->lock);
    if (--g->helping == 0) pthread_cond_broadcast(&g->changed);
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

void gate_shut(struct gate *g) {
  pthread_mutex_lock(&g->lock);
  wait_or_help(g);
  __atomic_fetch_or(&g->inside, GATE_CLOSED, __ATOMIC_ACQUIRE);
  while (__atomic_load_n(&g->inside, __ATOMIC_ACQUIRE) != GATE_CLOSED)
    pthread_cond_wait(&g->changed, &g->lock);
  pthread_mutex_unlock(&g->lock);
}

void gate_unshut(struct gate *g) {
  pthread_mutex_lock(&g->lock);
  __atomic_fetch_and(&g->inside, ~GATE_CLOSED, __ATOMIC_RELEASE);
  pthread_cond_broadcast(&g->changed);
  pthread_mutex_unlock(&g->lock);
}

void gate_help(struct gate *g, void (*work)(void *context), void *context) {
  if (!g->shared) {
    work(context);
    return;
  }
  pthread_mutex_lock(&g->lock);
  g->work = work;
  g->context = context;
  g->call++;
  pthread_cond_broadcast(&g->changed);
  pthread_mutex_unlock(&g->lock);
  work(context);
  pthread_mutex_lock(&g->lock);
  g->work = NULL;
  while (g->helping > 0) pthread_cond_wait(&g->changed, &g->lock);
  pthread_mutex_unlock(&g->lock);
}
