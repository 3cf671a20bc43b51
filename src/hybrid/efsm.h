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

struct ir_local;

enum efsm_error_kind {
  EFSM_SITE,      // a step fails at site `id`
  EFSM_LIMIT,     // the same, of IR_FAULT_LIMIT: not an error, but what lies behind is not known
  EFSM_INVARIANT, // property `id` is violated: no step leads there, the state itself is bad
};

struct efsm_edge {
  uint32_t from, to;                // control states
  const struct relation_rule *rule; // NULL: to an error of the state itself, an invariant's
  // Over leaves and the rule's choices: guard, assumptions (of the rule, and of all states, there
  // of the state that it leads to), no errors, choices inside of their domains, and where the
  // control goes, the control variable's own comparison left out. It is taken just where this
  // holds.
  //
  // Terms know the intervals of `from`: their leaves have them for bounds, so that each term's lo
  // and hi hold there, and a WRAP that does nothing there is gone. Those of writes hold where the
  // guard does.
  const struct term *guard;
  // Leaves but the control variable, ascending; only those that matter at `to`. Empty to errors.
  VEC(struct relation_write) writes;
};

struct efsm_state {
  const char *name; // the location's: "12: while.body"; of an error what is wrong
  struct span span;
  bool is_error;
  enum efsm_error_kind error;
  uint32_t id;             // site or property
  VEC(uint32_t) out, in;   // edges
  uint64_t *live;          // leaves whose value matters here: a bit set
  bool reached;            // as far as intervals tell; no edges lead from or to others
  int64_t *lo, *hi;        // per leaf: all its values here are between
  uint8_t *defined;        // per leaf: EFSM_UNDEFINED, EFSM_DEFINED, or both
  bool sink;               // nothing leads on, or to no error and nothing unknown: SINK
  uint32_t error_distance; // fewest edges to an error that is looked for; EFSM_FAR: none
};
#define EFSM_FAR UINT32_MAX
enum { EFSM_UNDEFINED = 1, EFSM_DEFINED = 2 };

struct efsm {
  struct relation *relation;     // a slice, perhaps
  uint64_t control;              // the control variable's leaf; EFSM_NO_CONTROL
  VEC(struct efsm_state) states; // [0]: ENTRY
  VEC(struct efsm_edge) edges;
  size_t leaves, leaf_words; // of bit sets
  int64_t control_lo;        // the control variable's first value: that of state 1
  uint32_t controls;         // states 1 .. controls are no errors
  struct arena *arena;       // of names
};
#define EFSM_ENTRY      0
#define EFSM_NO_CONTROL UINT64_MAX

// property_on: as in hybrid_config. Edges that intervals exclude are not there. NULL, with a
// sentence's end in why, for what cannot be told.
struct efsm *efsm_new(struct relation *r, const uint8_t *property_on, struct text *why);
void efsm_free(struct efsm *e);
static inline bool efsm_live(const struct efsm_state *s, uint64_t leaf) {
  return s->live[leaf / 64] >> leaf % 64 & 1;
}
// Its value in this control state, which is neither ENTRY nor an error.
static inline int64_t efsm_control_value(const struct efsm *e, uint32_t state) {
  return e->control_lo + (int64_t)state - 1;
}
void efsm_print(struct text *out, const struct efsm *e); // for `fathom show --efsm`

// What the edge writes into a leaf; NULL: nothing.
const struct relation_write *efsm_write(const struct efsm_edge *d, uint64_t leaf);
// Between which the values of a choice lie.
void efsm_choice_bounds(const struct ir_local *l, int64_t *lo, int64_t *hi);

// Control state reachability: sets of control states, as bit sets of csr_words.
size_t csr_words(const struct efsm *e);
void csr_step(const struct efsm *e, const uint64_t *from, uint64_t *to); // CSR(from), (11)
bool csr_has(const uint64_t *set, uint32_t state);
void csr_add(uint64_t *set, uint32_t state);
// R(0) .. R(depth), each csr_words long, from ENTRY's successors (the caller's to free).
uint64_t *csr_table(const struct efsm *e, uint32_t depth);
