// SPDX-License-Identifier: Apache-2.0
// A batch of a breadth-first search: some states are expanded into one buffer, and the buffer goes
// into the store at one stroke. One per worker. Private to the room.
#pragma once

#include "search/recent.h"
#include "store/store.h"
#include "sys/sys.h"

#ifdef FATHOM_SMALL
enum { BATCH_SOURCES = 3, BATCH_SUCCESSORS = 8 };
#else
enum { BATCH_SOURCES = 256, BATCH_SUCCESSORS = 2048 };
#endif

struct fault {
  size_t before; // it came before this successor in the buffer
  struct sys_step step;
};

struct origin {
  size_t end;        // its successors end here in the buffer
  size_t faults_end; // and its faults there
  bool skipped;      // violates an invariant: not expanded
  bool deadlock;
};

struct batch {
  // The successors, faults and states seen just before taken out. Their steps are only there if
  // keeps_steps; `site` is then the successor's number among all of its source's.
  struct sys_out out;
  struct recent recent;
  bool keeps_steps;
  size_t sifted;          // so many times
  size_t loops;           // self-loops, when they were counted
  bool has_loops;         // every second source had one then
  size_t successors_max;  // in the buffer, about
  size_t successors_most; // for which there is room
  double begun;           // when the batch was
  uint64_t known;         // taken out of the buffer as known
  // Partial order reduction: states of the store with ids below this one are expanded, or will be
  // before any of the states that are found now. STORE_ABSENT: all may be.
  uint64_t closed;
  size_t reads;     // sources that the next batch should read
  size_t count;     // sources
  uint64_t *states; // theirs
  struct origin *sources;
  bool deadlocks; // some source is one
  VEC(struct fault) faults;
  enum store_answer *answers;
  uint64_t *ids;
  uint32_t *fresh;  // numbers of the successors that are new
  uint32_t *before; // each successor: how many of these come before it
  size_t capacity;  // of these four
};

void batch_init(struct batch *b, const struct search *s, bool keeps_steps);
void batch_clear(struct batch *b);
size_t batch_bytes(const struct batch *b);

// A new batch of at most so many sources. Its states and which of them are skipped are the caller's
// to fill in.
void batch_begin(struct batch *b, size_t most);
// Expands as many of them as fill the buffer; b->count says how many.
void batch_expand(struct search_worker *w, struct batch *b, size_t most);
// The start states, as successors of one source that is no state.
void batch_starts(struct search_worker *w, struct batch *b);

// Inserts the successors; says how many of them the store had room for.
size_t batch_write(struct search_worker *w, struct batch *b);
// Fills in which of them, all inserted, are new; returns how many.
size_t batch_find_fresh(struct batch *b);
// Does the batch lead anywhere that is not known, to a fault or a deadlock?
bool batch_leads_on(struct search_worker *w, struct batch *b);
