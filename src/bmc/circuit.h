// SPDX-License-Identifier: Apache-2.0
// A circuit that knows nothing of time: what terms come to, made once and instantiated for each
// step (machine.h). And-gates, exclusive or and selection, hashed and simplified as they are made.
// An edge is a node's number, or its negative: the opposite. Private to the room.
#pragma once

#include "base/base.h"
#include "relation/encode.h"

#define CIRCUIT_TRUE  1
#define CIRCUIT_FALSE (-1)

enum circuit_op { CIRCUIT_CONST, CIRCUIT_INPUT, CIRCUIT_AND, CIRCUIT_XOR, CIRCUIT_MUX };

// XOR: arguments are positive. MUX: arg[0], positive, selects arg[1] or else arg[2].
struct circuit_node {
  enum circuit_op op;
  uint32_t uses; // by other nodes
  bit arg[3];    // of inputs: arg[0] is the variable
};

struct circuit {
  VEC(struct circuit_node) nodes; // [1] is true; arguments come before what they are in
  bit *table;                     // of gates; open addressing
  size_t capacity, gates;
  VEC(bit) inputs;  // by variable: its node, or 0
  struct bits bits; // the circuit as an algebra
};
void circuit_init(struct circuit *c);
void circuit_clear(struct circuit *c);

bit circuit_input(struct circuit *c, unsigned var);
bit circuit_and(struct circuit *c, bit a, bit b);
bit circuit_or(struct circuit *c, bit a, bit b);
bit circuit_xor(struct circuit *c, bit a, bit b);
bit circuit_mux(struct circuit *c, bit s, bit a, bit b);
static inline const struct circuit_node *circuit_node(const struct circuit *c, bit a) {
  return &c->nodes.data[a < 0 ? -a : a];
}

// Some values of the inputs from variable `first` to `end` make all of these true. False: that
// would have taken more than so many new nodes.
bool circuit_exists(struct circuit *c, const bit *all, size_t count, unsigned first, unsigned end,
                    size_t nodes_max, bit *out);
