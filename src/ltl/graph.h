// SPDX-License-Identifier: Apache-2.0
// Generalised Buchi automata with acceptance on edges, on their way from a formula to an
// ir_automaton: each file of this room that includes this does one step of that way.
#pragma once

#include "ltl/ltl.h"

// The valuations in which all of `yes` and none of `no` hold; yes and no have nothing in common.
struct ltl_cube {
  uint64_t yes, no;
};

static inline bool cube_within(struct ltl_cube a, struct ltl_cube b) {
  return (b.yes & ~a.yes) == 0 && (b.no & ~a.no) == 0;
}
static inline bool cube_meets(struct ltl_cube a, struct ltl_cube b) {
  return (a.yes & b.no) == 0 && (a.no & b.yes) == 0;
}
static inline struct ltl_cube cube_both(struct ltl_cube a, struct ltl_cube b) {
  return (struct ltl_cube){a.yes | b.yes, a.no | b.no};
}

struct ltl_edge {
  struct ltl_cube cube;
  uint64_t marks;
  uint32_t to;
};

struct ltl_edges {
  struct ltl_edge *data;
  size_t count, capacity;
};

// A run is accepted if it takes edges with each of the marks again and again. on_states: there is
// one mark, and all or none of a state's edges have it.
struct ltl_graph {
  struct ltl_nodes {
    struct ltl_edges *data;
    size_t count, capacity;
  } nodes;
  uint32_t start;
  uint64_t marks; // all of them
  bool on_states;
};

void graph_clear(struct ltl_graph *g);
uint32_t graph_node(struct ltl_graph *g); // a new one
size_t graph_edges(const struct ltl_graph *g);

// --- edges (edges.c) ---
// Are all the valuations of a cube in one of the cubes of those edges? Adds to `work`.
bool edges_cover(const struct ltl_edges *e, struct ltl_cube cube, uint64_t *work);
// Edges to the same node with the same marks: as few and as wide as possible.
void edges_simplify(struct ltl_edges *e);

// --- strongly connected components (component.c) ---
// They are numbered so that edges lead to smaller numbers, or to the same.
struct components {
  uint32_t *of; // by node
  struct component {
    bool cyclic;     // has an edge inside
    bool accepting;  // has edges of all marks inside
    uint64_t needed; // a cycle inside is accepted iff it has these marks
  } * data;
  uint32_t count;
};
void components_init(struct components *c, const struct ltl_graph *g);
void components_clear(struct components *c);
// Leaves out the nodes that are not reached from the start, or from which nothing is accepted (but
// for the start), and marks that do not matter.
void graph_trim(struct ltl_graph *g);

// --- steps ---
// From a formula in normal form; false: too large. (tableau.c)
bool ltl_tableau(struct ltl_graph *g, struct ltl_factory *f, const struct ltl *x);
// By direct simulation: nodes that simulate each other become one, edges that are simulated by
// others go. (simulate.c)
void graph_simulate(struct ltl_graph *g);
// Classes of nodes that accept the same: edges into another component, which no run takes again and
// again, may as well lead to another node of the class; to that in the lowest component. True: some
// do now. (simulate.c)
bool graph_redirect(struct ltl_graph *g, const uint32_t *class);
// One mark instead of many: on edges, or on states. Marks are waited for in the order given. Split:
// edges into components are split for the sake of products. False: too large; the caller clears the
// result either way. (degeneralise.c)
bool graph_degeneralise(struct ltl_graph *out, const struct ltl_graph *g, bool on_states,
                        bool split, const uint8_t *order);
