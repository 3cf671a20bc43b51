// SPDX-License-Identifier: Apache-2.0
// Graphs that are only known by images of sets of nodes, searches in them ring by ring, and paths
// read off the rings. Private to the room.
#pragma once

#include "symbolic/dd.h"

// The model's states, or those of its product with an automaton: a node is an assignment to `vars`.
struct net {
  dd (*image)(void *context, dd from);
  dd (*preimage)(void *context, dd to, int32_t agent); // agent -1: by any step
  dd (*before)(void *context, dd node, dd within);     // see net_before; NULL: by way of preimage
  // A node of `to` that a step of the agent leads to from this node: there is one.
  dd (*step)(void *context, dd node, dd to, int32_t agent);
  void *context;
  const unsigned *vars;
  size_t bits;
  struct net_scratch *scratch; // here, so that it is freed also after unwinding
};
void net_init(struct net *g); // the fields above the scratch are set
void net_clear(struct net *g);
dd net_image(const struct net *g, dd from);
dd net_preimage(const struct net *g, dd to);
dd net_before(const struct net *g, dd node, dd within); // those of `within` that lead to one node
// One node out of a set that is not empty, as a diagram.
dd net_pick(const struct net *g, dd set);
// Nodes from which a path inside `within` leads to `goal` (whose nodes need not be inside):
// E [within U goal].
dd net_reaching(const struct net *g, dd within, dd goal);
// Nodes of `within` that paths inside of it lead to from `from`, which is a part of it and
// included.
dd net_reached(const struct net *g, dd within, dd from);

// A run through nodes; the step that leaves node i is one of agent `by` (-1: of any).
struct path {
  VEC(struct path_node {
    dd node;
    int32_t by;
  })
  nodes;
};
void path_add(struct path *p, dd node); // takes it over
void path_clear(struct path *p);
static inline dd path_last(const struct path *p) { return VEC_TOP(&p->nodes).node; }

// Goes on from the last node to the nearest one in `goal`, all nodes on the way being inside
// `within` (the goal need not be); with at_least_one step. False, and nothing has changed: there is
// no such way.
bool path_extend(struct path *p, const struct net *g, dd within, dd goal, bool at_least_one);

// Rings: what was found new, one after the other. The nodes of a ring have predecessors in rings
// number first .. end-1, which come before it; those of starts have none.
struct ring {
  dd nodes;
  size_t first, end;
};
struct rings {
  VEC(struct ring) list;
};
void rings_add(struct rings *r, dd nodes, size_t first, size_t end); // nodes stay the caller's
void rings_clear(struct rings *r);
// The first ring that has something in common with a set; list.count: there is none.
size_t rings_find(const struct rings *r, dd set);
// A path from a start to this node of this ring; the path was empty.
void rings_path(const struct rings *r, const struct net *g, size_t ring, dd node, struct path *p);
