// SPDX-License-Identifier: Apache-2.0
// Private to states*.c and image*.c: what a set of states is made of, and where leaves are.
#pragma once

#include "hybrid/linear.h"
#include "hybrid/states.h"
#include "symbolic/dd.h"

#include <limits.h>

struct pair { // neither part is empty
  dd truth;
  zset *set; // over the coordinates of its control state
};
struct piece { // of one control state, at least one pair, no two with the same truth
  uint32_t control;
  size_t count;
  struct pair *pairs;
};

// A control state. Leaves that have one value there, or don't matter, are nowhere.
struct states_at {
  uint32_t dims;
  uint64_t *leaves; // of the coordinates, ascending
};

// An edge, as far as it has been asked for.
struct states_edge {
  bool ready;
  uint32_t choices; // of its rule
  unsigned *choice; // by choice: its coordinate, behind those of the leaves, or its variable
  uint32_t numbers; // choices that are coordinates
  struct states_bounds {
    int64_t lo, hi;
  } * bounds; // of these
  dd forget;  // choices, and variables before the step that are written or don't matter
  dd ahead;   // choices, and variables after it
  struct dd_renaming *arrive, *leave;              // from after to before, and back
  bool boolean;                                    // diagrams change on it
  uint32_t guard_cases, write_cases, guard_truths; // for (17)
};

struct states {
  struct states_config config;
  const struct efsm *efsm;
  struct presburger *presburger;
  struct linear *linear;
  const char *why;
  uint32_t asked;
  struct states_at *at;     // by control state
  struct states_edge *edge; // by edge
  // By leaf: the variable of a Boolean's value, of its being defined (the one
  // after the step has the next number); NO_VAR.
  unsigned *value_var, *defined_var;
  unsigned choice_var; // the first of choices'
  unsigned vars;       // of leaves
};
#define NO_VAR UINT_MAX

// --- places (states_place.c) ---
void states_places_init(struct states *s);
void states_places_clear(struct states *s);
const struct states_edge *states_edge(struct states *s, uint32_t edge);
struct linear_place states_value_at(const struct states *s, uint32_t control, uint64_t leaf);
struct linear_place states_defined_at(const struct states *s, uint32_t control, uint64_t leaf);
zset *states_box(struct states *s, uint32_t control); // all that leaves can be there

// --- sizes (states_part.c) ---
void states_sizes_init(struct states *s);
// What so many polyhedra and nodes add to (17) by way of an edge.
uint64_t states_edge_size(const struct states *s, uint32_t edge, uint64_t set, uint64_t nodes);

// --- pairs on their way into a disjunct (states_gather.c) ---
struct gather {
  struct states *states;
  VEC(struct gathered {
    uint32_t control;
    struct pair pair;
  })
  all;
};
void gather_add(struct gather *g, uint32_t control, dd truth, zset *set); // takes both
void gather_clear(struct gather *g);
// Sorted and made smaller; g is empty then. NULL: a set is missing.
struct disjunct *gather_done(struct gather *g, uint64_t depth);
// All of them, as few polyhedra (states_simple.c).
zset *states_join(struct states *s, zset *const *sets, size_t count);
void disjunct_inherit(struct disjunct *d, const struct disjunct *from); // its parents
const struct piece *disjunct_piece(const struct disjunct *d, uint32_t control);

// --- steps (image.c) ---
bool image_edge(struct states *s, uint32_t edge, const struct pair *from, struct gather *out);
bool image_before(struct states *s, uint32_t edge, const struct piece *to, struct gather *out);

bool states_fail(struct states *s, const char *why); // false
const char *states_stopped(struct states *s);        // why it has to end now; NULL
