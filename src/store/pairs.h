// SPDX-License-Identifier: Apache-2.0
// A table of pairs of numbers, each pair once, numbered as they come: what a node of a tree-
// compressed state is looked up in. Pairs are packed: of a number as many bits are kept as the
// largest on its side needs, or, of a leaf's values, those that vary. Private to the room.
//
// What looks up, inserts or reads does so inside the owner's gate; what gives the table another
// shape (pairs_provide) does so with the gate closed.
#pragma once

#include "store/gather.h"
#include "store/pace.h"
#include "store/region.h"
#include "store/store.h"

#ifdef FATHOM_SMALL
enum { PAIRS_BATCH = 4 };
#else
enum { PAIRS_BATCH = 64 };
#endif

// What all the tables of a store may use together.
struct pairs_purse {
  size_t limit;            // bytes
  size_t held;             // what the tables have paid for, touched or not
  const uint64_t *waiting; // states that a search has still to expand
  struct region late;      // of the table that grows: pairs that wait
};

struct pairs_config {
  unsigned threads;     // how many hands there may be at once
  uint64_t block;       // ids that a hand takes at a time
  uint64_t count_max;   // pairs
  size_t reserve_bytes; // of addresses, for each region
  size_t payload_bytes; // beside each pair
  bool values;          // of leaves are among the numbers
};

// The left numbers, or the right ones.
struct pairs_side {
  uint64_t first; // of the first pair, among values; else 0
  uint64_t mask;  // bits in which others may differ from it
  unsigned bits;  // so many, from the lowest on but for values
};

struct pairs {
  struct pairs_config config;
  struct pairs_purse *purse;
  struct region entries, slots, payload;
  struct pairs_side left, right; // both together have up to 64 bits
  bool fast;                     // bits are gathered by instructions of the processor
  bool shared;                   // more than one thread
  bool roomy;                    // need not move: then parts of it may have huge pages
  // Atomic when shared, and in a cache line of their own.
  char before[64];
  uint64_t count; // pairs, and those that inserts under way may still add
  uint64_t next;  // ids from here on are nobody's
  size_t filled;  // bytes of entries whose memory was asked for
  char behind[64];
  // Changed with the gate closed only.
  uint64_t room;    // count may go up to here
  uint64_t ids_max; // and next
  struct index index;
  struct pace pace; // at which it grows
  bool stretched;   // it grows no more
};

// The ids that a writer has of one table.
struct pairs_hand {
  uint64_t next, end;
};

// Pairs to be looked up.
struct pairs_batch {
  size_t count;
  uint64_t left[PAIRS_BATCH], right[PAIRS_BATCH]; // to be found: STORE_ABSENT if there is none
  bool fresh[PAIRS_BATCH];                        // those that were inserted
  // How far that has come, each good for an index of so many slots only.
  uint64_t asked;  // for the home lines
  uint64_t peeked; // into them
  uint64_t home[PAIRS_BATCH], tag[PAIRS_BATCH];
  uint64_t at[PAIRS_BATCH];        // the first slot to be looked at
  unsigned char step[PAIRS_BATCH]; // in lines, to the next one
};

// False when the system gives no addresses.
bool pairs_init(struct pairs *t, const struct pairs_config *c, struct pairs_purse *purse);
void pairs_clear(struct pairs *t);
// Gives the hand's ids back, as far as they can be.
void pairs_hand_clear(struct pairs *t, struct pairs_hand *h);

// What is asked of memory before it is needed: first the lines of the index, then, when these have
// come, the entries. Both may be left out, and are good until the index grows. A batch begins with
// neither asked nor peeked.
void pairs_ask(const struct pairs *t, struct pairs_batch *b);
void pairs_peek(const struct pairs *t, struct pairs_batch *b);

// Finds or inserts the pairs of the batch from `first` on, in order. Stops at the first for which
// there is no room, and returns its number.
size_t pairs_insert(struct pairs *t, struct pairs_hand *h, struct pairs_batch *b, size_t first,
                    uint64_t *ids);
// Makes room for the pairs from `first` on, or as many of them as the limits allow. False when they
// allow none.
bool pairs_provide(struct pairs *t, const struct pairs_batch *b, size_t first);
// Makes sure that there is a payload for so many ids. With several threads it never moves.
bool pairs_payload_extend(struct pairs *t, uint64_t ids);
// The ids of those that are there, STORE_ABSENT for the others.
void pairs_find(const struct pairs *t, struct pairs_batch *b, uint64_t *ids);

uint64_t pairs_count(const struct pairs *t);
size_t pairs_bytes(const struct pairs *t); // in use, with payload
double pairs_load(const struct pairs *t);
bool pairs_check(const struct pairs *t); // costly: every pair is found under its id

static inline uint64_t pairs_word(const struct pairs *t, uint64_t at) {
  return __atomic_load_n((const uint64_t *)t->entries.base + at, __ATOMIC_RELAXED);
}

static inline unsigned pairs_bits(const struct pairs *t) { return t->left.bits + t->right.bits; }

// The bits of the left number, then those of the right one.
static inline uint64_t pairs_entry(const struct pairs *t, uint64_t id) {
  unsigned bits = pairs_bits(t), shift = id * bits % 64;
  uint64_t at = id * bits / 64;
  uint64_t both = pairs_word(t, at) >> shift | pairs_word(t, at + 1) << 1 << (63 - shift);
  return both & low_ones(bits);
}

static inline void pairs_get(const struct pairs *t, uint64_t id, uint64_t *left, uint64_t *right) {
  uint64_t entry = pairs_entry(t, id);
  *left = entry & low_ones(t->left.bits);
  *right = entry >> t->left.bits;
  if (!t->config.values) return;
  *left = scatter(*left, t->left.mask, t->fast) ^ t->left.first;
  *right = scatter(*right, t->right.mask, t->fast) ^ t->right.first;
}
