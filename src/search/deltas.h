// SPDX-License-Identifier: Apache-2.0
// State deltas: a path of which only the last state is kept in full, and of each step before it the
// words that it changed (an undo record). Private to the room.
#pragma once

#include "base/base.h"

// One word of a state.
struct delta {
  uint64_t value;
  uint32_t word;
};

struct deltas {
  size_t words;
  uint64_t *state; // the last
  VEC(struct delta) undo;
  VEC(size_t) steps; // where each step's undo record begins
};

void deltas_init(struct deltas *d, size_t words);
void deltas_clear(struct deltas *d);
// A path of one state.
void deltas_begin(struct deltas *d, const uint64_t *state);

static inline uint64_t deltas_length(const struct deltas *d) { return d->steps.count; }

// One step on, to that state.
void deltas_step(struct deltas *d, const uint64_t *to);
// One step on, by its changes.
void deltas_change(struct deltas *d, const struct delta *changes, size_t count);
// Back until the path has that length.
void deltas_back(struct deltas *d, uint64_t length);
// Makes of a state that the path has at length `from` the one at length `to`, which is less.
void deltas_recall(const struct deltas *d, uint64_t from, uint64_t to, uint64_t *state);

size_t deltas_bytes(const struct deltas *d);
