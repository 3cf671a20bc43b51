// SPDX-License-Identifier: Apache-2.0
// What a formula says of the past, taken out of it. Each largest subformula under an operator of
// the past becomes an atom, which a deterministic monitor tells in every state: it remembers one
// bit for each of these operators. The automaton of the rest is then paired with the monitor.
#pragma once

#include "ltl/graph.h"

enum { PAST_WORDS = 4, PAST_BITS_MAX = 64 * PAST_WORDS };

struct past_memory {
  uint64_t words[PAST_WORDS];
};

static inline bool memory_has(const struct past_memory *m, uint32_t bit) {
  return m->words[bit / 64] >> (bit % 64) & 1;
}
static inline void memory_put(struct past_memory *m, uint32_t bit) {
  m->words[bit / 64] |= UINT64_C(1) << (bit % 64);
}

// A subformula that the monitor evaluates: TRUE FALSE ATOM NOT AND OR, or one of the past.
struct past_node {
  enum ltl_op op;
  uint32_t left, right;      // numbers of nodes, smaller than its own
  uint32_t bit;              // of the past
  uint64_t atoms;            // those on which its value depends now
  struct past_memory memory; // the bits on which it depends, now or later
};

struct ltl_past {
  VEC(struct past_node) nodes;
  VEC(uint32_t) keepers; // by bit: the node whose value it is that is remembered
  struct past_memory start;
  uint64_t told;        // atoms that the monitor tells
  uint32_t tellers[64]; // by such an atom: the node that it stands for
  // Atoms that stand for subformulas about the future under an operator of the past. The rest of
  // the formula says when they hold, and a run knows nothing of them.
  uint64_t hidden;
};

// The formula, in normal form, without past; in normal form, too. NULL: too large. The caller
// clears the past either way. (past.c)
const struct ltl *past_split(struct ltl_past *p, struct ltl_factory *f, const struct ltl *x);
void past_clear(struct ltl_past *p);
// The graph of what past_split left becomes that of the whole formula. False: too large. (recall.c)
bool graph_recall(struct ltl_graph *g, const struct ltl_past *p);
