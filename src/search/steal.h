// SPDX-License-Identifier: Apache-2.0
// How states that wait to be visited go from one worker to another. Who has none left asks for
// some; the others see that between two visits, and one of them gives away its oldest in a parcel.
// So nobody ever touches another's stack, and who works takes no lock. Private to the room.
#pragma once

#include "base/base.h"

#include <pthread.h>
#include <stdatomic.h>

// Every search's own kind of parcel begins with this.
struct parcel {
  struct parcel *next;
  size_t bytes; // held by it
};

struct steal {
  _Atomic int wanted;  // workers that wait, less parcels that lie here
  _Atomic bool over;   // nobody has anything left to visit, or the search was stopped
  char apart[64];      // what is above is read all the time
  _Atomic size_t held; // bytes in parcels (and what else their search counts)
  _Atomic unsigned parcels;
  void (*drop)(struct steal *s, struct parcel *p); // frees one
  pthread_mutex_t lock; // of what is above but `held`, and of what follows
  unsigned workers, waiting;
  struct parcel *oldest, **end;
};

// For so many workers, all of them at work. `drop` frees a parcel that nobody took.
struct steal *steal_new(unsigned workers, void (*drop)(struct steal *s, struct parcel *p));
// With what lies in it. When nobody works any more.
void steal_free(struct steal *s);

// Does anybody wait for whom there is no parcel? Asked between two visits.
static inline bool steal_wanted(const struct steal *s) {
  return atomic_load_explicit(&s->wanted, memory_order_relaxed) > 0;
}
// A parcel of so many bytes, all of it from mem_alloc; its end.
void *steal_parcel(struct steal *s, size_t bytes);
void steal_parcel_free(struct steal *s, struct parcel *p);
void steal_give(struct steal *s, struct parcel *p);

// From now on this worker waits, until it takes a parcel. When all do, and there is none, it is
// over.
void steal_ask(struct steal *s);
// A look for a parcel and, if there is none, a rest: the later the turn, the longer.
struct parcel *steal_take(struct steal *s, unsigned turn);
// The search was stopped: nobody need wait any longer.
void steal_end(struct steal *s);
