// SPDX-License-Identifier: Apache-2.0
// Where the states of a breadth-first search came from. A worker's new states are numbered in the
// order in which they arrived; worker and number are a state's place. Private to the room.
//
// A worker takes its sources in the order of their places, a stretch at a time, so the source of an
// arrival grows with its number: one mark per MARK_ARRIVALS arrivals, MARK_SOURCES sources or new
// stretch, about, is enough to find a source again, by expanding those between two marks. That
// costs 0.06 to 0.2 bytes per state. Where the store does not keep states, each arrival has a way
// as well, 2 bytes: source, counted from the mark's, and number among its successors.
#pragma once

#include "base/base.h"

#ifdef FATHOM_SMALL
enum { MARK_ARRIVALS = 4, MARK_SOURCES = 8, WAY_FAR = 2 };
#else
enum { MARK_ARRIVALS = 128, MARK_SOURCES = 256, WAY_FAR = 255 };
#endif

enum { PLACE_BITS = 48 };
static inline uint64_t place_of(unsigned worker, uint64_t number) {
  return (uint64_t)worker << PLACE_BITS | number;
}
static inline unsigned place_worker(uint64_t place) { return (unsigned)(place >> PLACE_BITS); }
static inline uint64_t place_number(uint64_t place) {
  return place & ~(~UINT64_C(0) << PLACE_BITS);
}

struct mark {
  uint64_t arrival, source; // a number, the place it came from
};

struct way {
  uint8_t source;    // from the mark's on
  uint8_t successor; // WAY_FAR: see `far`
};

struct far {
  uint64_t arrival, successor;
};

// One per worker.
struct lineage {
  uint64_t count;     // of arrivals
  uint64_t mark_next; // the next source that brings this arrival is marked
  uint64_t stretch;   // the place behind the sources of the last stretch
  uint64_t source;    // of the last mark
  uint64_t from;      // the source in work
  VEC(struct mark) marks;
  VEC(struct way) ways;
  VEC(struct far) far;
  VEC(uint64_t) bad;     // numbers of states that violate an invariant, up to the level in work
  VEC(uint64_t) bad_new; // and of those behind it
};

void lineage_clear(struct lineage *l);
size_t lineage_bytes(const struct lineage *l);

// The sources that follow begin at this place, and end before that one.
void lineage_stretch(struct lineage *l, uint64_t place, uint64_t end);
void lineage_mark(struct lineage *l);
// With ways, behind lineage_add: by which of its source's successors it came.
void lineage_way(struct lineage *l, uint64_t successor);

// What arrives from now on comes from this source.
static inline void lineage_from(struct lineage *l, uint64_t source) {
  l->from = source;
  if (source - l->source >= MARK_SOURCES) l->mark_next = l->count;
}
// States arrive.
static inline void lineage_add(struct lineage *l, uint64_t states) {
  if (l->count + states > l->mark_next) lineage_mark(l);
  l->count += states;
}

// The arrival violates an invariant. In the order of their numbers.
void lineage_bad(struct lineage *l, uint64_t number);
// A level is complete: true when some of its states are bad.
bool lineage_level(struct lineage *l);
// How many of the bad ones up to the level in work come before this one?
size_t lineage_bad_before(const struct lineage *l, uint64_t number);
bool lineage_is_bad(const struct lineage *l, uint64_t number);

// The first place from which the arrival can have come.
uint64_t lineage_source_least(const struct lineage *l, uint64_t number);
// With ways: the place from which it came, and by which of its successors.
uint64_t lineage_source(const struct lineage *l, uint64_t number, uint64_t *successor);
