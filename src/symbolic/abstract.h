// SPDX-License-Identifier: Apache-2.0
// An abstraction of a model's steps: weak leaves are quantified away, inside each cluster of each
// move (paper 004's M_app; no relation is ever made whole). Every step of the model is one of the
// abstraction, or stays at its abstract state. Private to the room.
#pragma once

#include "symbolic/steps_own.h"

struct reach;

struct abstraction {
  struct space *space;
  size_t kept, leaves; // not weak; in all
  dd weak;             // the cube of weak leaves' variables, now
  dd valid;            // abstract states
  dd allowed;          // of those that steps lead to: all, where none leads to what is no state
  dd passed;           // some state like it may be passed through
  VEC(struct move) own;
  VEC(const struct move *) moves; // own ones, and those of the model that need no change
};

// Leaves of this strength (cone.h: D(v)) or weaker are weak; ABSTRACT_NOTHING: none.
#define ABSTRACT_NOTHING UINT64_MAX
void abstraction_init(struct abstraction *a, const struct reach *x, const uint32_t *strength,
                      uint64_t depth);
void abstraction_clear(struct abstraction *a);

dd abstraction_of(const struct abstraction *a, dd states);
// Predecessors (successors) of abstract states. False: they, or something on the way to them, have
// more nodes than that.
bool abstraction_preimage(const struct abstraction *a, dd to, size_t nodes_max, dd *out);
bool abstraction_image(const struct abstraction *a, dd from, size_t nodes_max, dd *out);
