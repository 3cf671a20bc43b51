// SPDX-License-Identifier: Apache-2.0
// The steps of a model as diagrams. Disjunctive over rule instances (rules that are small are put
// together); each a conjunction of clusters of what it writes, with the variables quantified as
// soon as nothing that follows speaks of them.
#pragma once

#include "symbolic/space.h"

struct steps;
struct steps *steps_new(struct space *s);
void steps_free(struct steps *t);

dd steps_starts(struct steps *t);          // start states; assumptions applied
dd steps_image(struct steps *t, dd from);  // successors of states (over `now`, as they are given)
dd steps_preimage(struct steps *t, dd to); // predecessors
dd steps_preimage_of(struct steps *t, dd to, int32_t agent); // by steps of this agent only
// Those of a set that lead to one state. Of it, and not of all states, so that nothing becomes
// large on the way.
dd steps_before(struct steps *t, dd to, dd within);
dd steps_enabled(struct steps *t); // states that have a successor

// States from which some rule fails (also in its guard), for some choice; and the start rules that
// can fail, if any.
dd steps_failing(struct steps *t);
bool steps_start_fails(struct steps *t, uint32_t *instance, int64_t *choices);
// COVER statements that some step from these states reaches are or-ed into bits (over properties).
void steps_covers(struct steps *t, dd from, uint64_t *bits);
void steps_start_covers(struct steps *t, uint64_t *bits); // likewise, of start rules

// A step from a state (one, over `now`) into a set: which instance, with which choices (room for
// those of any rule), and the state it leads to, the caller's. agent: STEPS_ANY, or whose step it
// is to be. False: there is none.
#define STEPS_ANY (-1)
struct steps_found {
  uint32_t instance;
  int64_t *choices;
};
bool steps_find(struct steps *t, dd from, dd to, int32_t agent, struct steps_found *f, dd *reached);
bool steps_find_start(struct steps *t, dd to, struct steps_found *f, dd *reached);
// A failing step from a state.
bool steps_find_failing(struct steps *t, dd from, struct steps_found *f);

size_t steps_nodes(const struct steps *t); // of all their diagrams
