// SPDX-License-Identifier: Apache-2.0
// A model's states and steps as an explicit graph, made by the interpreter: what the references of
// the tests go by. Nothing of reductions, products or searches is in it.
#pragma once

#include "ir/ir.h"

#define GRAPH_AGENTS 32 // at most

struct graph_agent { // as rules name them: by number, or by a value of a type
  uint32_t family;
  int64_t value;
};

struct graph_edge {
  uint32_t to;
  uint32_t served; // agents that take part in it
};

struct graph {
  uint32_t count; // states
  uint32_t starts;
  uint32_t *first; // of its edges, per state and one more
  VEC(struct graph_edge) edges;
  uint64_t *atoms;  // per state
  uint32_t *movers; // per state: agents that have a step of their own
  bool *transient;  // per state
  VEC(struct graph_agent) agents;
  bool endless;      // some cycle has only transient states
  bool faulty;       // some step, or some atom, fails
  bool cut;          // there are more states, or more agents
  struct store *ids; // of packed states; starts come first
  uint64_t *packed;  // all states
  size_t words;      // of each
};

// Is the state only passed through? Neither automata nor formulas see it. One without steps is not.
static inline bool graph_passed(const struct graph *g, uint32_t state) {
  return g->transient[state] && g->first[state] < g->first[state + 1];
}

// The model is finished, its atoms are there. States past states_max are left out.
struct graph *graph_new(const struct ir_model *m, uint32_t states_max);
void graph_free(struct graph *g);
// The number of a packed state, which must be there.
uint32_t graph_find(const struct graph *g, const uint64_t *state);
// Agents that take part in a rule instance: who takes the step, and its partner in a rendezvous.
uint32_t graph_served(const struct graph *g, const struct ir_model *m, uint32_t instance);
