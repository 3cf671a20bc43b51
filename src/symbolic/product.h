// SPDX-License-Identifier: Apache-2.0
// The product of the model with an automaton of bad runs, as diagrams. Private to the room.
#pragma once

#include "symbolic/reach.h"

struct ir_automaton;

struct product {
  struct reach *x;
  const struct ir_property *property;
  const struct ir_automaton *automaton;
  unsigned entered; // acceptance is on edges: the last bit of a claim tells whether the edge to it
                    // was accepting, the others are the automaton's state
  uint32_t claims;  // how many there are; it begins in 0
  unsigned bits;    // of a claim
  unsigned *vars;   // of a node: those of a state, then of the claim; then those of the next claim
  dd claim_cube, next_cube;
  struct dd_renaming *to_next, *to_now;
  struct net net;
  struct condition atoms[64];
  dd faults;    // states in which some atom cannot be evaluated
  dd moves;     // over nodes and next claims: where the automaton can go
  dd stuck;     // states that go on for ever, nothing moving
  dd looking;   // nodes in which the automaton looks at the state
  dd accepting; // nodes that have to be passed again and again
  dd final;     // nodes in which the automaton is at its end
  struct rings rings;
  dd reached;
  struct fair_sets fair;
  struct path states; // of the model, along a path
};

// False, with why: some atom cannot be said in terms.
bool product_init(struct product *p, struct reach *x, const struct ir_property *property);
void product_clear(struct product *p);
uint32_t product_claim(const struct product *p, dd node); // the automaton's state
