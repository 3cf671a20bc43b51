// SPDX-License-Identifier: Apache-2.0
// Searches that go from state to state in an order of their own: one worker, a store that keeps
// states, and beside each state the one from which it was reached. Private to the room.
#pragma once

#include "guide/guide.h"
#include "search/common.h"
#include "store/store.h"
#include "sys/sys.h"

// The payload begins with this: the id of the state before, plus one (0: a start), and flags.
#define WAY_FLAG(n)  (UINT64_C(1) << (60 + (n)))
#define WAY_PARENT   (WAY_FLAG(0) - 1)
#define WAY_BAD      WAY_FLAG(2) // violates an invariant: not to be expanded
#define WAY_EXPANDED WAY_FLAG(3) // at least once
#define WAYS_PAYLOAD sizeof(uint64_t)

// Successors of one state, after they were put into the store.
struct ways {
  struct sys_out out;
  uint64_t *ids;   // per successor; STORE_ABSENT: a fault, or not put there
  uint8_t *fresh;  // per successor: it is new, and nothing is wrong with it
  uint64_t *state; // that was expanded
  // scratch
  struct sys_out again;
  uint64_t *found;
  enum store_answer *answers;
  uint32_t *chosen;
  size_t capacity;
  struct search_pace pace;
  VEC(uint32_t) progress;               // of flows, per id; only if there is a monitor
  VEC(struct guide_renaming) renamings; // of one step
  uint32_t *ranks;                      // for them, per element
};

void ways_init(struct search_worker *w, struct ways *x);
void ways_clear(struct ways *x);
size_t ways_bytes(const struct ways *x);

static inline uint64_t *ways_payload(const struct search_worker *w, uint64_t id) {
  return store_payload(w->search->store, id);
}
static inline bool ways_is(const struct search_worker *w, uint64_t id, uint64_t flag) {
  return *ways_payload(w, id) & flag;
}

// The starts into x, and into the store.
void ways_starts(struct search_worker *w, struct ways *x);
// The successors of a state into x. The first time it is expanded: faults and a deadlock are
// reported, steps counted.
void ways_expand(struct search_worker *w, struct ways *x, uint64_t id);
// Puts those successors into the store that `chosen` names (NULL: all).
void ways_insert(struct search_worker *w, struct ways *x, uint64_t id, const uint32_t *chosen,
                 size_t count);
// Does the search go on? Asked once per state. `held` are the strategy's own bytes.
bool ways_goes_on(struct search_worker *w, struct ways *x, size_t held, uint64_t queue);

// For search->path: `at` is an id.
void ways_path(struct search_worker *w, uint64_t at, struct trace *t);
