// SPDX-License-Identifier: Apache-2.0
// Which parts of a state are paired with which in the tree store. Private to the room.
#pragma once

#include "base/base.h"

// A leaf is itself; any other node has a table that numbers pairs of its children's numbers.
// Nodes stand in post-order: the right child just before its parent, the left one before the right
// one's subtree. Left subtrees are not the smaller ones, so few nodes at a time wait for their
// parents.
struct tree_node {
  uint32_t size;  // nodes of the subtree; 1: a leaf
  uint32_t index; // of the leaf, or of the table
};

struct tree_shape {
  size_t leaves, tables;   // the last table is the root's
  size_t count;            // of nodes; the last is the root
  size_t height;           // nodes that wait for their parents at a time, at most
  struct tree_node *nodes; // mem_free it
};

enum { TREE_FIT_LEAVES_MAX = 4096 }; // states that are longer still keep a balanced tree

// Neighbours are paired. There are two leaves at least.
void tree_shape_balance(struct tree_shape *s, size_t leaves);
// Pairs first what together has the fewest values in some sample states: values[leaf * samples + i]
// is that of a leaf in sample i.
void tree_shape_fit(struct tree_shape *s, size_t leaves, const uint32_t *values, size_t samples);
// How many pairs the sample states need in all the tables.
uint64_t tree_shape_price(const struct tree_shape *s, const uint32_t *values, size_t samples);
