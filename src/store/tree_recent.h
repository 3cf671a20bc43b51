// SPDX-License-Identifier: Apache-2.0
// States that a writer of the tree store inserted a short while ago, with their ids: a small table
// by hash, in the processor's own cache. Most states that are not new are among them, and need not
// be taken apart and looked up. Private to the tree store.
#pragma once

#include "store/store.h"

struct tree_chunk;

struct tree_recent {
  size_t words;      // of a state
  unsigned bits;     // there are 2 to this many
  uint64_t *entries; // an id, or TREE_WAITS | place, or STORE_ABSENT; then the state
  uint64_t *factors; // of the hash, for each word
  bool waits;        // some entries may wait for the id of a state that never got one
  uint64_t none;     // the entry of states that have none
  size_t asked, found;
  size_t pause; // so many states are not looked for
};
// A state of the same call waits for its id: that at this place among the states handed over.
#define TREE_WAITS (UINT64_C(1) << 63)

void tree_recent_init(struct tree_recent *r, size_t words);
void tree_recent_clear(struct tree_recent *r);

// Around each call.
void tree_recent_begin(struct tree_recent *r);
// The first `done` of n states have got their ids: now those do, too, that waited for them.
void tree_recent_end(struct tree_recent *r, uint64_t *ids, size_t done, size_t n);

// Fills the chunk with states from `place` on, up to n, that are not among the recent ones, and are
// from now on; the others get their answers, and their ids or what they wait for. Returns the place
// behind the last.
size_t tree_recent_sift(struct tree_recent *r, struct tree_chunk *c, const uint64_t *states,
                        size_t place, size_t n, enum store_answer *answers, uint64_t *ids);
// The first n states of the chunk have got their ids.
void tree_recent_settle(struct tree_chunk *c, size_t n, const uint64_t *ids);
