// SPDX-License-Identifier: Apache-2.0
// What a state offers to a search that follows marks: which agents can take marked steps, of how
// many rules, and whether some state before it offered just the same. Private to the room.
#pragma once

#include "search/common.h"
#include "sys/sys.h"

struct outlook {
  uint64_t signature; // which marked rules are enabled for how many agents, whoever they are
  uint32_t agents;    // that can take a marked step
  uint32_t rules;     // different ones of which marked steps are enabled
  uint32_t steps;     // that are enabled, marked or not
};

struct outlooks {
  uint32_t agents;
  bool marks;        // there are any
  uint8_t *can_mark; // per agent, in the state that outlook_of saw last
  // per rule and per instance
  uint32_t *rule_of, *rank_of; // a rule's place in the order of names
  // scratch
  uint64_t *of_agent;
  uint32_t *seen_rule, stamp;
  struct sys_out ahead;
  // signatures that were noted: open addressing, 0 is free
  uint64_t *noted;
  size_t noted_count, noted_mask;
};

void outlooks_init(struct outlooks *k, struct search *s);
void outlooks_clear(struct outlooks *k);
size_t outlooks_bytes(const struct outlooks *k);

// Of a state, whose successors are in `o`.
struct outlook outlook_of(struct outlooks *k, struct search_worker *w, const uint64_t *state,
                          const struct sys_out *o);
// Of a state that is not expanded yet.
struct outlook outlook_ahead(struct outlooks *k, struct search_worker *w, const uint64_t *state);

void outlook_note(struct outlooks *k, uint64_t signature);
bool outlook_noted(const struct outlooks *k, uint64_t signature);
