// SPDX-License-Identifier: Apache-2.0
// What a property depends on: the cone of influence, how strongly each leaf in it is tied to the
// property (paper 004, phase 1: D(v)), and the relation cut down to it.
#pragma once

#include "relation/relation.h"

// Bit sets over leaves have (layout->count + 63) / 64 words.
struct cone {
  uint64_t *leaves;   // in the cone
  uint32_t *strength; // per leaf: D(v), 0 for those of the property itself; CONE_OUTSIDE
  uint32_t *from;     // per leaf: that through which it came in (the dependency tree), CONE_OUTSIDE
  size_t count;       // leaves inside
};
#define CONE_OUTSIDE UINT32_MAX

// Of the leaves of `support`. A leaf depends on what its writes, their rules' guards and errors
// that may happen speak of, and on what is assumed of the choices that reach it. What constrains
// steps as a whole (an assumption that may leave no choice, what is assumed of all states) is in
// every cone: so that a run of the slice is, state by state, a run of the whole, and the other way.
void cone_init(struct cone *c, const struct relation *r, const uint64_t *support);
void cone_clear(struct cone *c);

// The same relation with leaves outside of the cone gone: they are written by nobody and mentioned
// nowhere. Rules keep their places; one that writes nothing inside can never fire (its guard is
// false). Terms are r's: r is freed after it. relation->kept tells the leaves.
struct relation *relation_slice(struct relation *r, const struct cone *c);

// A step of the slice as one of the whole: `choices` of the rule are known where the slice speaks
// of them, the others are filled in so that the step exists from this state (values of all leaves,
// IR_UNDEF where undefined; NULL for start rules).
void relation_complete(const struct relation *whole, const struct relation *slice,
                       const struct relation_rule *rule, const int64_t *leaves, int64_t *choices);
