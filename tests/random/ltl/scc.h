// SPDX-License-Identifier: Apache-2.0
// Is there a cycle that meets several conditions again and again? By strongly connected components
// (Tarjan): a component has such a cycle if and only if its nodes and edges together meet them all.
#pragma once

#include "base/base.h"

struct scc_edge {
  uint32_t to;
  uint64_t marks; // conditions that taking it meets
};

struct scc_node {
  uint32_t first, end; // its edges
  uint64_t marks;      // conditions that passing it meets
};

struct scc {
  VEC(struct scc_node) nodes;
  VEC(struct scc_edge) edges;
};

void scc_clear(struct scc *c);
// Nodes that no start leads to must not be there.
bool scc_cycle(const struct scc *c, uint64_t conditions);
