// SPDX-License-Identifier: Apache-2.0
// A symbolic pattern database (paper 004, phase 3): how many steps of an abstraction lead from each
// of its states to the goal, in layers. It never says more than the model needs, and by one step it
// falls by one at most. Private to the room.
#pragma once

#include "symbolic/abstract.h"

#define DATABASE_NEVER UINT32_MAX

struct database {
  struct abstraction *of;     // not its own
  VEC(dd) layers;             // by distance; disjoint; none: the goal alone was too large
  VEC(dd) within;             // layers up to this one
  uint32_t outside;           // the distance of states in no layer, at least
  bool grows;                 // more layers can be added: it is not complete
  bool proves;                // it is complete, and no start is in it
  uint32_t least;             // of starts
  size_t nodes;               // of layers
  uint64_t work, work_before; // nodes made for the last layer, and for that before it
  size_t failed_nodes;        // it could not grow: this was the limit
  dd starts;                  // abstract ones
};

struct database_config {
  dd goal, starts;
  bool forward;
  size_t nodes_max; // of its layers; of each diagram on the way: 10 times as many
};

void database_init(struct database *d, struct abstraction *of, const struct database_config *c);
void database_clear(struct database *d);
// One layer more. False: there are no more, or diagrams on the way have more nodes than that.
bool database_grow(struct database *d, size_t nodes_max);

// The states of a set that are this far from the goal at most, by what is known.
dd database_within(const struct database *d, dd set, uint32_t distance);
// The least distance in a set that is not empty, which is not below `from`.
uint32_t database_least(const struct database *d, dd set, uint32_t from);
