// SPDX-License-Identifier: Apache-2.0
// Private to path*.c: the machine unrolled. A node is a control state at a depth; it knows under
// what it is come to, and what the leaves that matter there hold, as terms over unknowns: inputs,
// and what differs between the ways that lead to it. Terms simplify themselves and know their
// bounds, so that most of what cannot be is never made. The solver gets to see an unknown, and what
// defines it, when a question depends on it.
#pragma once

#include "hybrid/efsm_rebuild.h"
#include "hybrid/formula.h"
#include "hybrid/path.h"

struct unknown { // a LEAF of this number
  const struct ir_type *type;
  int64_t lo, hi;
  size_t clause, clauses;
};
struct clause { // where this Boolean is true, that holds
  const struct term *when, *then;
};

struct way {           // to a node
  uint32_t from, edge; // a node, an edge of the machine
  const struct term *taken;
  size_t choices; // of its rule, in path->choices
};

struct node { // there may be several for a control state: path_split.c
  uint32_t state;
  const struct term *reach;
  const struct term **values,
      **defined; // of leaves that matter, by place; NULL: not needed any more
  size_t way, ways;
};

struct candidate { // a way, before what it leads to is a node
  struct way way;
  const struct term **values, **defined;
  bool free;     // the solver may leave the way untaken, whatever else is
  uint32_t next; // to the same state; 0: none, else 1 + its index
};

// A solver, and what it has seen of the path.
struct asker {
  struct path *path;
  struct smt *smt;
  struct formula formula;
  smt_term *vars; // of unknowns; NULL: not seen
  size_t capacity;
  VEC(uint32_t) unseen; // unknowns whose clauses it is to be told
  uint32_t questions;
  uint64_t told;   // unknowns
  const char *why; // after SMT_UNKNOWN
};
// False, with a sentence's end in why: there is no solver.
bool asker_open(struct asker *a, struct path *p, bool bits, struct text *why);
void asker_close(struct asker *a);
// Can it be true? For at most so long (0: no limit). Integers turn into bit vectors if they have to
// and may.
enum smt_answer asker_ask(struct asker *a, const struct term *any, double seconds);
// After SMT_YES. Of unknowns that it has not seen: their least value.
int64_t asker_value(struct asker *a, const struct term *x);
bool asker_true(struct asker *a, const struct term *x);

struct path {
  struct path_config config;
  const struct efsm *e;
  const struct ir_model *m;
  double began, until; // 0: no limit
  struct terms *terms;
  const struct term *yes, *no;
  struct rebuild with;

  // Leaves that matter in a state: their list, and each one's place in it; the places of those that
  // keep ways apart.
  struct place {
    uint32_t *leaf, *place, *key;
    uint32_t count, keys;
  } * places;

  VEC(struct unknown) unknowns;
  VEC(struct clause) clauses;
  VEC(struct node) nodes;
  VEC(struct way) ways;
  VEC(const struct term *) choices;  // NULL: nothing speaks of it
  size_t frontier;                   // its nodes go from here to the end of the nodes
  VEC(uint32_t) errors;              // nodes at this depth that are left to be asked about
  struct arena *first, *old, *young; // of values: of the first nodes; before and behind a step

  // While growing.
  VEC(struct candidate) candidates;
  uint32_t *heads, *tails; // by state: 1 + index of its first, of its last candidate
  VEC(uint32_t) targets;
  struct growing {
    const struct node *node;
    const struct relation_rule *rule;
    size_t choices;
  } at;

  struct asker asker;
  uint64_t depth, limits, queries;
  uint8_t *limit_met;                      // by state
  uint64_t more_depth;                     // of the next completeness check
  uint32_t error;                          // node
  enum { STAGE_GROW, STAGE_ERRORS } stage; // what comes first when it goes on
  bool told;                               // errors at this depth are known
  const char *why;
  bool refused, dead;
};

// A new unknown; then what defines it.
const struct term *path_unknown(struct path *p, const struct ir_type *type, int64_t lo, int64_t hi);
const struct term *path_truth(struct path *p);
void path_define(struct path *p, const struct term *unknown, const struct term *when,
                 const struct term *then);

// The first nodes. False: what they come from has no formula (its numbers are too wide).
bool path_begin(struct path *p);
void path_grow(struct path *p); // the frontier is that one step on
// The node of these candidates, from the first on.
void path_join(struct path *p, uint32_t state, uint32_t first);
// The nodes of a state's candidates (from heads[state] on), one of so many states.
void path_split(struct path *p, uint32_t state, size_t states);
void path_find_keys(struct path *p);
