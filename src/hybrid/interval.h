// SPDX-License-Identifier: Apache-2.0
// Intervals of terms where those of leaves are known, and what is known of leaves where a condition
// holds. Everything that can be is inside: arithmetic wraps round as terms do. Private to the room.
#pragma once

#include "hybrid/efsm.h"

struct range {
  int64_t lo, hi;
};

struct intervals {
  size_t leaves;
  int64_t *lo, *hi; // of leaves, narrowed by what is assumed
  uint8_t *defined;
  bool never; // what was assumed cannot be
  // Of terms, by id: computed since `round` began; narrowed since the leaves were given.
  struct range *known, *narrowed;
  uint32_t *known_at, *narrowed_at, *pushed_at;
  size_t capacity;
  uint32_t round, since;
  uint32_t pushes; // that are left in this round
};
void intervals_init(struct intervals *v, size_t leaves);
void intervals_clear(struct intervals *v);
// Begins with these of the leaves.
void intervals_begin(struct intervals *v, const int64_t *lo, const int64_t *hi,
                     const uint8_t *defined);
// Narrows what it can. False: it never holds.
bool intervals_assume(struct intervals *v, const struct term *a);
struct range intervals_of(struct intervals *v, const struct term *a);

// Fills in reached, lo, hi and defined of all states, whose edges are linked.
void intervals_fix(struct efsm *e);
