// SPDX-License-Identifier: Apache-2.0
// An automaton as a product goes through it: acceptance on states only, where cycles are, and what
// its states look at worked out beforehand. Private to the room.
#pragma once

#include "base/base.h"

struct ir_automaton;

struct claim_edge {
  uint64_t yes, no; // sets of atoms
  uint32_t to;
};
struct claim_state {
  uint32_t first, end; // its edges
  uint64_t looks;      // at these atoms
  bool accepting, final;
};
struct claim {
  uint32_t count;
  struct claim_state *states; // it starts in state 0
  struct claim_edge *edges;
  int32_t accept_atom; // as in ir_automaton
  uint32_t edges_most; // of one state
  unsigned entered;    // acceptance was on edges: the last bit of a state's number tells whether
                       // the edge to it was accepting, the others are the automaton's own; else 0
  bool weak;           // no cycle has both accepting states and others
};

void claim_init(struct claim *c, const struct ir_automaton *a);
void claim_clear(struct claim *c);
// Where the edges lead that the atoms allow, each state once; there is room for edges_most. Says
// how many.
size_t claim_moves(const struct claim *c, uint32_t from, uint64_t atoms, uint32_t *to);
