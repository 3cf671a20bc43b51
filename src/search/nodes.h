// SPDX-License-Identifier: Apache-2.0
// The frontier of a bounded search: a FrontierNode for every state that was reached at a bound and
// waits to be explored. Nodes of one bound are a generation; each names its parent in the
// generation before, and the trace from it (the paper's Fig 8 and 9). Private to the room.
#pragma once

#include "search/bits.h"
#include "search/search.h"

struct store;

// Nodes at the same depth. Generation 0 are the starts: their trace is the number of the start.
struct generation {
  uint64_t bound; // their depth
  size_t count;
  size_t sift_at;       // count at which to look for nodes that do not wait any more
  VEC(uint32_t) parent; // in the generation before; none if it is the only one
  VEC(uint64_t) begin;  // where each trace begins
  struct bits traces;
  VEC(uint64_t) ids;    // in the store; of the latest generation only
  VEC(uint64_t) states; // in full, one after the other: FRONTIER_STATES, latest generation only
};

struct nodes {
  enum search_frontier kind;
  size_t words;                       // of a state
  VEC(struct generation) generations; // the last one waits; FRONTIER_TRACES: it alone is kept
};

enum { NODES_GENERATION_MAX = INT32_MAX }; // nodes of one generation

void nodes_init(struct nodes *n, enum search_frontier kind, size_t words);
void nodes_clear(struct nodes *n);

static inline struct generation *nodes_last(const struct nodes *n) {
  return &n->generations.data[n->generations.count - 1];
}

void generation_clear(struct generation *g);
size_t generation_bytes(const struct generation *g);
static inline uint64_t generation_end(const struct generation *g, size_t i) {
  return i + 1 < g->count ? g->begin.data[i + 1] : g->traces.count;
}

// Adds a node to a list. Its trace is pushed to g->traces afterwards.
void nodes_add(const struct nodes *n, struct generation *g, uint32_t parent, uint64_t id,
               const uint64_t *state);
// Now and then, as the list grows: takes out the nodes that do not wait any more.
void nodes_sift(const struct nodes *n, struct generation *g,
                bool (*waits)(void *context, uint64_t id), void *context);

// The nodes that were made at this bound (several lists), those left out for which `waits` says no,
// become the last generation; the lists are empty then. Older nodes that no trace goes through any
// more are dropped: `moved` says, for a generation, the new number of every node, or NODES_DROPPED.
struct nodes_advance {
  bool (*waits)(void *context, uint64_t id);
  void (*moved)(void *context, size_t generation, const uint32_t *number);
  void *context;
};
#define NODES_DROPPED UINT32_MAX
void nodes_advance(struct nodes *n, uint64_t bound, struct generation *const *made, size_t lists,
                   struct nodes_advance how);

size_t nodes_count(const struct nodes *n); // all generations together
size_t nodes_bytes(const struct nodes *n);
