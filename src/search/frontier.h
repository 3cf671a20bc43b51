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

// The pieces that one worker found.
struct lane {
  size_t end;             // number of the piece behind its last one
  uint64_t first, count;  // its chunks
  _Atomic uint64_t taken; // of them: from the front, and, in the upper half, from the back
  char apart[64];         // no two lanes share a line of the cache
};

struct frontier {
  bool packs; // the store does not keep states
  size_t words, bytes;
  VEC(struct piece) pieces; // lane by lane
  VEC(struct lane) lanes;
  uint64_t count;              // of states
  uint64_t chunk_most;         // states in a chunk; a packed piece is one chunk
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

// While all rest: empties it, adds states number from..to-1 of a worker, or those it packed, as a
// lane, and cuts it into chunks. Lanes come in the order of the workers.
void frontier_begin(struct frontier *f);
void frontier_add_runs(struct frontier *f, const struct search_worker *w, uint64_t from,
                       uint64_t to);
void frontier_add_packed(struct frontier *f, struct frontier_next *n);
void frontier_cut(struct frontier *f, uint64_t chunk_most);

// A new state of a worker's, with its place.
void frontier_pack(struct frontier *f, struct frontier_next *n, const uint64_t *state,
                   uint64_t place);

// Takes a chunk for a worker, as a piece: from the front of its own lane, then from the back of
// others', so that a worker goes on where it was, among states whose successors it has seen.
// `empty`, of the worker, 0 at first, counts lanes that have no more. False: there are no more.
bool frontier_take(struct frontier *f, unsigned worker, unsigned *empty, struct piece *chunk);
// Are there chunks that nobody has taken?
bool frontier_left(const struct frontier *f);
// States first.. of a chunk, as words.
void frontier_read(const struct frontier *f, const struct store *store, const struct piece *chunk,
                   uint64_t first, size_t count, uint64_t *words);
// The chunk is not needed any more.
void frontier_drop(struct frontier *f, struct piece *chunk);
