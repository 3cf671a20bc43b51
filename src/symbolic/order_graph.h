// SPDX-License-Identifier: Apache-2.0
// Private to the room: which leaves and choices are spoken of together, as edges between them. Each
// write, assumption and guard is an edge. Where one rule does everything, these are wide, and each
// term inside of them that speaks of few is an edge, too: a comparison bit by bit says which bits
// belong side by side, where the whole only says that they are all in it. Edges that join fewer
// count for more then. (tcas: 10 times faster. Rules that take turns are small pieces as they are:
// prod-cons would be 3 times slower.)
#pragma once

#include "symbolic/space.h"

struct order_graph {
  size_t leaves, choices; // vertices: leaves, then choices
  bool inside;            // terms inside of others are edges
  VEC(uint32_t) ends;     // of all edges, one edge after the other, ascending
  VEC(size_t) first;      // of each edge in ends, and the end of the last one
  VEC(double) weight;     // of each edge
};

void order_graph_init(struct order_graph *g, const struct space *s);
void order_graph_clear(struct order_graph *g);
