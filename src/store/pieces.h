// SPDX-License-Identifier: Apache-2.0
// Pieces of states: some bits of a word whose values, together, are few. A process that is at one
// of twenty places, with a counter that matters at three of them, has thirty values in nine bits: a
// thin state (thin.h) has the number of the value, in five. Values get their numbers as they come.
//
// Threads: a value that is new gets its number while others pack and read states, as long as
// numbers of that many bits are left; whoever gives numbers is alone in doing so. Private to the
// room.
#pragma once

#include "store/packed.h"

enum {
  PIECE_BITS = 12, // of a state, at most
  PIECES_MAX = 48,
};

struct piece {
  size_t word;      // of a whole state
  uint64_t mask;    // its bits there
  unsigned bits;    // of a thin state
  size_t before;    // bits of a thin state
  unsigned values;  // that have a number
  uint16_t *number; // of each value, and one; 0: none yet
  uint16_t *value;  // of each number
};

struct pieces {
  size_t count;
  struct piece *piece; // PIECES_MAX of them, for all of which there is place
};

// Bytes of the tables of a piece of so many bits.
static inline size_t piece_bytes(unsigned bits) { return (size_t)2 * sizeof(uint16_t) << bits; }

// Of the tables of all of them.
static inline size_t pieces_bytes(const struct pieces *p) {
  size_t bytes = 0;
  for (size_t i = 0; i < p->count; i++)
    bytes += piece_bytes((unsigned)__builtin_popcountll(p->piece[i].mask));
  return bytes;
}

// Bits that numbers below `values` take.
static inline unsigned piece_bits(unsigned values) {
  return values > 1 ? (unsigned)(32 - __builtin_clz(values - 1)) : 0;
}

// Sets where the tables are, and returns how many bytes they take.
size_t piece_place(struct piece *p, unsigned char *tables);

// In all of these `words` are those of a whole state, and `fast` is gather's.

// Gives numbers to the values of states that have none, as far as the pieces have bits for them.
// False when one is without a number after that.
bool pieces_take(struct pieces *p, const uint64_t *states, size_t words, size_t count, bool fast);
// To all values. Pieces that need more bits for that get so many, and `reach` besides.
void pieces_widen(struct pieces *p, const uint64_t *states, size_t words, size_t count,
                  unsigned reach, bool fast);
// Takes back the numbers that `before`, an older copy, does not know.
void pieces_undo(const struct pieces *p, const struct pieces *before);
// Have all values of a state numbers?
bool pieces_know(const struct pieces *p, const uint64_t *state, bool fast);

// Adds numbers to thin states, `stride` words each. False when a value has none: then any of these
// states may be spoilt. (Who looks again may find that it has one by now.)
bool pieces_pack(const struct pieces *p, const uint64_t *states, size_t words, size_t count,
                 uint64_t *to, size_t stride, bool fast);
// Adds values to whole states, from thin ones of `stride` words each.
void pieces_read(const struct pieces *p, const uint64_t *thin, size_t stride, size_t count,
                 uint64_t *to, size_t words, bool fast);
// Marks the bits of a wide state where a narrow one's numbers are.
void pieces_mark(const struct pieces *narrow, const struct pieces *wide, uint64_t *mask);

// Chooses pieces from the bits of one word that vary, by `count` states from that word on, and adds
// them: those that clearly take fewer bits. Without tables.
void pieces_choose(struct pieces *p, const uint64_t *states, size_t words, size_t count,
                   size_t word, uint64_t vary, bool fast);
