// SPDX-License-Identifier: Apache-2.0
// Parcels between workers, and the end: when all wait and no parcel lies here, nothing is left. A
// worker that ran out of memory neither waits nor gives any more; the others see that the search
// was stopped, since nobody sleeps for longer than a moment.
#include "search/steal.h"

#include <sched.h>
#include <time.h>

enum { LOOKS = 100, SLEEP_US_MOST = 2000 };

struct steal *steal_new(unsigned workers, void (*drop)(struct steal *s, struct parcel *p)) {
  struct steal *s = mem_zalloc(1, sizeof *s);
  pthread_mutex_init(&s->lock, NULL);
  s->workers = workers;
  s->drop = drop;
  s->end = &s->oldest;
  return s;
}

void steal_free(struct steal *s) {
  if (!s) return;
  while (s->oldest) {
    struct parcel *p = s->oldest;
    s->oldest = p->next;
    s->drop(s, p);
  }
  assert(s->held == 0);
  pthread_mutex_destroy(&s->lock);
  mem_free(s);
}

// --- parcels ---

void *steal_parcel(struct steal *s, size_t bytes) {
  struct parcel *p = mem_alloc(bytes);
  *p = (struct parcel){.bytes = bytes};
  atomic_fetch_add_explicit(&s->held, bytes, memory_order_relaxed);
  return p;
}

void steal_parcel_free(struct steal *s, struct parcel *p) {
  if (!p) return;
  atomic_fetch_sub_explicit(&s->held, p->bytes, memory_order_relaxed);
  mem_free(p);
}

void steal_give(struct steal *s, struct parcel *p) {
  pthread_mutex_lock(&s->lock);
  *s->end = p;
  s->end = &p->next;
  s->parcels++;
  s->wanted--;
  pthread_mutex_unlock(&s->lock);
}

// --- waiting ---

void steal_end(struct steal *s) { s->over = true; }

void steal_ask(struct steal *s) {
  pthread_mutex_lock(&s->lock);
  s->waiting++;
  s->wanted++;
  if (s->waiting == s->workers && !s->oldest) steal_end(s);
  pthread_mutex_unlock(&s->lock);
}

// Who takes a parcel waits no longer: `wanted` stays as it is.
static struct parcel *take(struct steal *s) {
  pthread_mutex_lock(&s->lock);
  struct parcel *p = s->oldest;
  if (p) {
    s->oldest = p->next;
    if (!p->next) s->end = &s->oldest;
    s->parcels--;
    s->waiting--;
  }
  pthread_mutex_unlock(&s->lock);
  return p;
}

// Lets others have the processor, the longer the more often it was called.
static void rest(unsigned turn) {
  if (turn < LOOKS) {
    sched_yield();
    return;
  }
  long us = 10L * (turn - LOOKS + 1);
  if (us > SLEEP_US_MOST) us = SLEEP_US_MOST;
  nanosleep(&(struct timespec){.tv_nsec = us * 1000}, NULL);
}

struct parcel *steal_take(struct steal *s, unsigned turn) {
  struct parcel *p = s->parcels ? take(s) : NULL;
  if (!p && !s->over) rest(turn);
  return p;
}
