// SPDX-License-Identifier: Apache-2.0
// A number beside each state of another system: what a product and its fair copies have in common.
// The number lies in the bytes behind the other system's, in its last word if there is room, else
// in a word of its own. Private to the room.
#pragma once

#include "ir/ir.h"
#include "sys/sys.h"

struct tag {
  struct sys_wrapper wrap;         // first: the public pointer is this pointer
  uint32_t word, shift;            // where the number lies
  uint64_t mask;                   // before it is shifted
  bool wide;                       // in a word of its own
  uint64_t *bare;                  // a state without its number
  const struct ir_leaf *transient; // the model's transient variable; NULL: there is none
  uint64_t stable;                 // its code where the state is not transient
  struct sys_out narrow;           // inner's own successors, if a state of inner has fewer words
};

// For numbers below `count`. Hands everything on to inner, states without their numbers, but
// expand, free and clone.
void tag_init(struct tag *t, struct sys *inner, uint32_t count);
void tag_clear(struct tag *t);

static inline uint32_t tag_get(const struct tag *t, const uint64_t *state) {
  return (uint32_t)(state[t->word] >> t->shift & t->mask);
}
// Over 0.
static inline void tag_put(const struct tag *t, uint64_t *state, uint32_t number) {
  state[t->word] |= (uint64_t)number << t->shift;
}

// The state as inner knows it. Valid until the next call.
const uint64_t *tag_bare(struct tag *t, const uint64_t *state);
// Is the state one that may be passed through (reduce_chain_new)?
bool tag_transient(const struct tag *t, const uint64_t *bare);
// Inner's successors of a bare state, all with number 0. True: it is passed through, since it is
// transient and a step leads on from it.
bool tag_expand(struct tag *t, const uint64_t *bare, struct sys_out *out);
