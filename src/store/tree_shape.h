// SPDX-License-Identifier: Apache-2.0
// Which parts of a state are paired with which in the tree store. Private to the room.
#pragma once

#include "base/base.h"

enum {
  TREE_LEAF_BITS = 32, // a divisor of 64; the numbers of leaves are their values
  TREE_HALVES = 0,     // the table of a leaf in halves, if there is one
};

// A leaf is itself; any other node has a table that numbers pairs of its children's numbers. So
// that a leaf gets numbers, too, it may be a node of two halves.
// Nodes stand in post-order: the right child just before its parent, the left one before the right
// one's subtree. Left subtrees are not the smaller ones, so few nodes at a time wait for their
// parents.
struct tree_node {
  uint32_t size;  // nodes of the subtree; 1: a leaf
  uint32_t index; // of the leaf, or of the table
  uint8_t shift;  // of a leaf: which of its bits,
  uint8_t bits;   //   and how many: all or half of them
};

// Of a leaf's value the bits that the node has.
static inline uint32_t tree_bits(const struct tree_node *leaf, uint32_t value) {
  return value >> leaf->shift & UINT32_MAX >> (TREE_LEAF_BITS - leaf->bits);
}

struct tree_shape {
  size_t leaves, tables;   // for as many leaves always as many; the last is the root's
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
// Has a node of that table a leaf for a child?
bool tree_shape_has_leaves(const struct tree_shape *s, size_t table);
// Over one for as many leaves.
void tree_shape_copy(struct tree_shape *to, const struct tree_shape *from);
// The leaf that is a child of the root, or NULL.
const struct tree_node *tree_shape_lone_leaf(const struct tree_shape *s);
// Puts that leaf in halves.
void tree_shape_halve(struct tree_shape *s);
// How many pairs the sample states need in all the tables but that of halves.
uint64_t tree_shape_price(const struct tree_shape *s, const uint32_t *values, size_t samples);
