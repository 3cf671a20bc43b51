// SPDX-License-Identifier: Apache-2.0
// The gate of a table that several threads use: they pass it once per batch; who must give the
// table another shape (grow it) closes it, and is then alone with the table. Costs nothing with one
// thread. Private to the room.
#pragma once

#include <pthread.h>
#include <stdbool.h>

struct gate {
  pthread_rwlock_t lock;
  bool shared; // more than one thread
};

void gate_init(struct gate *g, bool shared);
void gate_destroy(struct gate *g);

static inline void gate_enter(struct gate *g) {
  if (g->shared) pthread_rwlock_rdlock(&g->lock);
}
static inline void gate_leave(struct gate *g) {
  if (g->shared) pthread_rwlock_unlock(&g->lock);
}

// Not from inside: leave first, and look again when it is closed, since another thread may have
// been here before.
static inline void gate_close(struct gate *g) {
  if (g->shared) pthread_rwlock_wrlock(&g->lock);
}
static inline void gate_open(struct gate *g) {
  if (g->shared) pthread_rwlock_unlock(&g->lock);
}
