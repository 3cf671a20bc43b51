// SPDX-License-Identifier: Apache-2.0
// The level that a breadth-first search expands: pieces of states that one worker found one after
// the other, cut into chunks that workers take. Where the store keeps states, a piece is a run of
// ids; else the search keeps the packed states of this level and the next one itself. Private to
// the room.
#pragma once

#include "search/common.h"

#include <stdatomic.h>

struct piece {
  uint64_t place; // of its first state, the others follow
  uint64_t count;
  uint64_t id;           // of its first state, the others follow; or
  unsigned char *packed; // its states
  uint64_t chunk;        // number of its first chunk
};

struct frontier {
  bool packs; // the store does not keep states
  size_t words, bytes;
  VEC(struct piece) pieces;
  uint64_t count;      // of states
  uint64_t chunk_most; // states in a chunk; a packed piece is one chunk
  uint64_t chunk_count;
  _Atomic uint64_t taken;      // chunks
  _Atomic size_t packed_bytes; // this level's and the next one's
};

// What a worker adds to the next level, where the store does not keep states.
struct frontier_next {
  VEC(struct piece) pieces;
};

void frontier_init(struct frontier *f, const struct search *s);
void frontier_clear(struct frontier *f);
void frontier_next_clear(struct frontier_next *n);
size_t frontier_bytes(const struct frontier *f);

// While all rest: empties it, adds states number from..to-1 of a worker, or those it packed, and
// cuts it into chunks.
void frontier_begin(struct frontier *f);
void frontier_add_runs(struct frontier *f, const struct search_worker *w, uint64_t from,
                       uint64_t to);
void frontier_add_packed(struct frontier *f, struct frontier_next *n);
void frontier_cut(struct frontier *f, uint64_t chunk_most);

// A new state of a worker's, with its place.
void frontier_pack(struct frontier *f, struct frontier_next *n, const uint64_t *state,
                   uint64_t place);

// Takes a chunk, as a piece; false: there are no more. `hint` is the worker's, 0 at first.
bool frontier_take(struct frontier *f, size_t *hint, struct piece *chunk);
// States first.. of a chunk, as words.
void frontier_read(const struct frontier *f, const struct store *store, const struct piece *chunk,
                   uint64_t first, size_t count, uint64_t *words);
// The chunk is not needed any more.
void frontier_drop(struct frontier *f, struct piece *chunk);
