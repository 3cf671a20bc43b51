// SPDX-License-Identifier: Apache-2.0
// Thin states: of a state only the bits in which states have been seen to differ, one after the
// other; the others are those of the first state. A model declares an `int` that never exceeds 20:
// five bits of it vary. A state that differs somewhere else makes thin states wider, which happens
// rarely and early. Some bits may be in pieces (pieces.h): a thin state has first the bits that are
// not, then the numbers of the pieces' values. Private to the room.
#pragma once

#include "store/pieces.h"

struct thin {
  size_t words; // of a whole state
  size_t most;  // bits of it in use, from the first on
  bool any;     // has there been a first state?
  size_t bits;  // of a thin state
  struct thin_word {
    uint64_t mask; // bits that vary and are in no piece
    uint64_t same; // bits that do not vary
    uint64_t rest; // these, as they are in all states
    unsigned bits; // of the mask
    size_t before; // of the words before this one
  } * word;
  struct pieces pieces;
  unsigned reach; // bits taken in above those that differ, when widening happens often
  bool fast;      // by instructions of the processor
};

void thin_init(struct thin *t, size_t words, size_t most);
// Over one that was made for the same states, of which others may know how long they are. These
// two allocate nothing.
void thin_copy(struct thin *to, const struct thin *from);
// From thin states to wider ones: the former are the thin form of the latter. Over one that was
// made for as many words as whole states have; in four times as many of scratch.
void thin_between(struct thin *t, const struct thin *narrow, const struct thin *wide,
                  uint64_t *scratch);
void thin_free(struct thin *t);

// Takes in the bits in which states differ, and the values of their pieces. The first state of all
// has none. `often`: bits above them too, more each time.
void thin_widen(struct thin *t, const uint64_t *states, size_t count, bool often);

static inline size_t thin_words(const struct thin *t) { return (t->bits + 63) / 64; }

bool thin_fits(const struct thin *t, const uint64_t *state);

// Makes pieces of the bits that vary, by a sample, with tables in as much memory as
// thin_tables_bytes says, zeroed. Over one that was made for the same states; all values of all
// states are still to be taken in. False when there are none worth it.
bool thin_cut(struct thin *to, const struct thin *from, const uint64_t *sample, size_t count,
              unsigned char *tables);
// When they are taken in: pieces of one value become bits that do not vary.
void thin_settle(struct thin *t);
size_t thin_tables_bytes(const struct thin *t);

// Makes states thin, thin_words each, until one does not fit; returns how many did.
size_t thin_pack(const struct thin *t, const uint64_t *states, size_t count, uint64_t *to);

// Reads whole states from an array of thin ones: one after the other, or those named.
void thin_read(const struct thin *t, const struct packed *a, uint64_t first, size_t count,
               uint64_t *to);
void thin_read_these(const struct thin *t, const struct packed *a, const uint64_t *ids,
                     size_t count, uint64_t *to);
