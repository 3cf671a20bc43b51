// SPDX-License-Identifier: Apache-2.0
// How states that wait to be visited go from one worker to another. Who has none left asks for
// some; the others see that between two visits, and one of them gives away its oldest in a parcel.
// So nobody ever touches another's stack, and who works takes no lock. Private to the room.
#pragma once

#include "search/path.h"

#include <pthread.h>

struct sys_step;

// A state on the path of a depth-first search: its successors are first, first + 1, ... up to those
// of the frame above. The one before `next` is the state of the frame above, or is being visited.
struct frame {
  size_t first, next;
};

// A stack: frames with the successors that they have to visit, and the path to the lowest.
struct parcel {
  struct parcel *next;
  struct path *path;
  size_t count, frame_count, bytes;
  struct frame *frames;
  struct sys_step *steps;
  uint64_t words[];
};

struct steal {
  _Atomic int wanted;  // workers that wait, less parcels that lie here
  _Atomic bool over;   // nobody has anything left to visit, or the search was stopped
  char apart[64];      // what is above is read all the time
  _Atomic size_t held; // bytes in parcels and paths
  _Atomic unsigned parcels;
  pthread_mutex_t lock; // of what is above but `held`, and of what follows
  unsigned workers, waiting;
  struct parcel *oldest, **end;
};

// For so many workers, all of them at work.
struct steal *steal_new(unsigned workers);
// With what lies in it. When nobody works any more.
void steal_free(struct steal *s);

// Does anybody wait for whom there is no parcel? Asked between two visits.
static inline bool steal_wanted(const struct steal *s) {
  return atomic_load_explicit(&s->wanted, memory_order_relaxed) > 0;
}
// An empty parcel with room for so many frames and states; the path gets one more use.
struct parcel *steal_parcel(struct steal *s, struct path *path, size_t frames, size_t states,
                            size_t words);
void steal_parcel_free(struct steal *s, struct parcel *p);
void steal_give(struct steal *s, struct parcel *p);

// From now on this worker waits, until it takes a parcel. When all do, and there is none, it is
// over.
void steal_ask(struct steal *s);
// A look for a parcel and, if there is none, a rest: the later the turn, the longer.
struct parcel *steal_take(struct steal *s, unsigned turn);
// The search was stopped: nobody need wait any longer.
void steal_end(struct steal *s);
