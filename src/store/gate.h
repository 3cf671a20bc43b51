// SPDX-License-Identifier: Apache-2.0
// The gate of a table that several threads use: they pass it once per batch; who must give the
// table another shape (grow it) closes it, and is then alone with the table, but for those at the
// gate whom it calls to help. Costs nothing with one thread. Private to the room.
#pragma once

#include <pthread.h>
#include <stdbool.h>

struct gate {
  bool shared;     // more than one thread
  unsigned inside; // how many, and GATE_CLOSED
  pthread_mutex_t lock;
  pthread_cond_t changed;
  // What those who wait may help with: each thread joins once per call.
  void (*work)(void *context);
  void *context;
  unsigned call, helping;
};

#define GATE_CLOSED (1u << 31)

void gate_init(struct gate *g, bool shared);
void gate_destroy(struct gate *g);

void gate_wait(struct gate *g);
void gate_left(struct gate *g);
void gate_shut(struct gate *g);
void gate_unshut(struct gate *g);

static inline void gate_enter(struct gate *g) {
  if (g->shared && __atomic_fetch_add(&g->inside, 1, __ATOMIC_ACQUIRE) & GATE_CLOSED) gate_wait(g);
}
static inline void gate_leave(struct gate *g) {
  if (g->shared && __atomic_sub_fetch(&g->inside, 1, __ATOMIC_RELEASE) == GATE_CLOSED) gate_left(g);
}

// Not from inside: leave first, and look again when it is closed, since another thread may have
// been here before.
static inline void gate_close(struct gate *g) {
  if (g->shared) gate_shut(g);
}
static inline void gate_open(struct gate *g) {
  if (g->shared) gate_unshut(g);
}

// While the gate is closed, by who closed it: calls `work` in this thread and in those that wait at
// the gate or come to it. Returns when all of them are through with it. The work must divide itself
// among however many come, and must not unwind.
void gate_help(struct gate *g, void (*work)(void *context), void *context);
