// SPDX-License-Identifier: Apache-2.0
// The extended finite state machine of a relation (paper 003, II.A): control states, edges with
// guards and updates, and what can be known of it without searching: which leaves matter where
// (liveness), and what values they can have (intervals; constants are the narrowest).
//
// The control variable C is the model's only location, if it has just one that is a scalar: its
// values are control states. Otherwise there is one control state. In front of all is ENTRY, from
// which the start rules lead; behind all are error states, one for each error site of a step and
// each invariant that is checked.
#pragma once

#include "relation/relation.h"

enum efsm_error_kind {
  EFSM_SITE,      // a step fails at site `id`
  EFSM_LIMIT,     // the same, of IR_FAULT_LIMIT: not an error, but what lies behind is not known
  EFSM_INVARIANT, // property `id` is violated: no step leads there, the state itself is bad
};

struct efsm_edge {
  uint32_t from, to; // control states
  const struct relation_rule *rule; // NULL: to an error of kind INVARIANT
  // Over leaves and the rule's choices: guard, assumptions and where the control goes, the control
  // variable's own comparison left out. It is taken just where this holds.
  const struct term *guard;
  // Leaves but the control variable, ascending; only those that matter at `to`. Empty to errors.
  VEC(struct relation_write) writes;
};

struct efsm_state {
  const char *name; // the location's: "12: while.body"; of an error what is wrong
  struct span span;
  bool is_error;
  enum efsm_error_kind error;
  uint32_t id;                 // site or property
  VEC(uint32_t) out, in;       // edges
  uint64_t *live;              // leaves whose value matters here: a bit set
  int64_t *lo, *hi;            // per leaf: all its values here are between; lo > hi: never here
  bool sink;                   // nothing leads on: SINK
  uint32_t error_distance;     // fewest edges to an error that is looked for; EFSM_FAR: none
};
#define EFSM_FAR UINT32_MAX

struct efsm {
  struct relation *relation; // a slice, perhaps
  uint64_t control;          // the control variable's leaf; EFSM_NO_CONTROL
  VEC(struct efsm_state) states; // [0]: ENTRY
  VEC(struct efsm_edge) edges;
  size_t leaf_words; // of bit sets
};
#define EFSM_ENTRY      0
#define EFSM_NO_CONTROL UINT64_MAX

// property_on: as in hybrid_config. Edges that intervals exclude are not there. NULL, with a
// sentence's end in why, for what cannot be told.
struct efsm *efsm_new(struct relation *r, const uint8_t *property_on, struct text *why);
void efsm_free(struct efsm *e);
void efsm_print(struct text *out, const struct efsm *e); // for `fathom show --efsm`

// Control state reachability: sets of control states, as bit sets of csr_words.
size_t csr_words(const struct efsm *e);
void csr_step(const struct efsm *e, const uint64_t *from, uint64_t *to); // CSR(from), (11)
bool csr_has(const uint64_t *set, uint32_t state);
void csr_add(uint64_t *set, uint32_t state);
// R(0) .. R(depth), each csr_words long, from ENTRY's successors (the caller's to free).
uint64_t *csr_table(const struct efsm *e, uint32_t depth);
