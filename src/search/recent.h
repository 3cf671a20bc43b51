// SPDX-License-Identifier: Apache-2.0
// States that were seen a moment ago: a small direct-mapped table, in the processor's own cache, in
// front of the store. Most successors that are known already were found shortly before, by another
// order of the same steps; for them the store need not be asked. Every entry is a state that the
// store was given, or will be before it is asked.
#pragma once

#include "search/common.h"

struct recent {
  uint64_t *states; // NULL: not in use
  unsigned shift;   // the place of a state is its hash shifted right by this
};

// `known` is a state that is in the store: the table is filled with it.
void recent_init(struct recent *r, size_t words, const uint64_t *known);
void recent_clear(struct recent *r);

// Was it seen? If not, it is from now on. `words` is that of the table. No branch: which it is
// cannot be foretold.
static inline bool recent_seen(struct recent *r, const uint64_t *state, size_t words) {
  if (!r->states) return false;
  uint64_t hash = 0;
  for (size_t i = 0; i < words; i++)
    hash = (state[i] ^ (hash >> 32) ^ hash) * UINT64_C(0x9e3779b97f4a7c15);
  uint64_t *entry = r->states + (hash >> r->shift) * words;
  bool same = words_same(entry, state, words);
  words_copy(entry, state, words);
  return same;
}
