// SPDX-License-Identifier: Apache-2.0
// What the files of the tree store share. Private to it.
#pragma once

#include "store/gate.h"
#include "store/kind.h"
#include "store/pairs.h"
#include "store/tree_shape.h"

enum {
  TREE_CHUNK = PAIRS_BATCH,
  TREE_LEAF_BITS = 32,    // a divisor of 64; the numbers of leaves are their values
  TREE_END = UINT8_MAX,   // of a list of states
  TREE_MEMO_BITS_MIN = 6, // 2 to this many for each table
  TREE_MEMO_BITS_MAX = 10,
};
#define TREE_MEMO_BYTES ((size_t)1 << 18) // all of a writer's, but for the least: they stay cached

struct tree {
  struct store base;
  struct gate shape_gate, tables_gate;
  size_t words, leaves;
  struct tree_shape shape;
  struct pairs *tables;
  struct pairs_purse purse;
  unsigned fits; // how often a better tree was looked for
  unsigned made; // and how often it was made
};

// The states of a chunk in which a node has another number than in the one before, and which.
struct tree_changes {
  uint8_t at[TREE_CHUNK + 1]; // ascending, TREE_END behind the last
  uint64_t id[TREE_CHUNK];
};

// A pair of a table below the root's that was looked up a short while ago. Pairs of numbers that
// are both less than 2^32 and not both the largest such numbers are remembered.
struct tree_memo {
  uint64_t pair, id;
};
#define TREE_NO_PAIR UINT64_MAX

struct tree_writer {
  struct store_writer base;
  unsigned made;            // that tree it knows, and
  struct pairs_hand *hands; //   of it ids of each table
  struct tree_memo *memos;  //   some pairs of each: 2 to memo_bits of them,
  unsigned memo_bits;
  bool any;                    //   and its last state there, if any:
  uint64_t *last;              //     its words
  uint64_t *ids;               //     and the numbers of all nodes
  uint8_t *at;                 // for each leaf the states in which it changes,
  uint8_t *at_count;           //   and how many they are
  struct tree_changes **stack; // of nodes whose parents are still to come, and one more
  size_t height;               // how many wait
  struct pairs_batch batch;
};

// From these counts of states on, one after the other, a better tree is looked for.
extern const uint64_t tree_fit_at[];

struct store *tree_make(const struct store_config *c);
void tree_free(struct store *s);
struct store_writer *tree_writer_make(struct store *s);
void tree_writer_free(struct store_writer *w);

// Returns how many of the n states, TREE_CHUNK at most, there was room for. Without answers: only
// looks for them.
size_t tree_number(struct tree_writer *w, const uint64_t *states, size_t n,
                   enum store_answer *answers, uint64_t *ids);
// From inside the gates. What tree_scratch gives is to be freed by mem_free.
void tree_read(const struct tree *t, uint64_t first, size_t count, uint64_t *words,
               uint64_t *scratch);
uint64_t *tree_scratch(const struct tree *t);
// How many states follow each other from `id` on, before an id that is nobody's: TREE_CHUNK at
// most.
size_t tree_run(const struct tree *t, uint64_t id);
// The tree was made again: of what the writer knows, only the root's ids are still good.
void tree_writer_renew(struct tree_writer *w);
// Looks whether another tree fits the states better that there are by now, and if so, makes it.
// Without memory for that, the tree stays as it is. Not from inside the gates.
void tree_fit(struct tree *t);

static inline struct pairs *tree_root(const struct tree *t) {
  return &t->tables[t->shape.tables - 1];
}

static inline uint64_t tree_leaf(const uint64_t *words, size_t leaf) {
  return words[leaf * TREE_LEAF_BITS / 64] >> leaf * TREE_LEAF_BITS % 64 &
         ~UINT64_C(0) >> (64 - TREE_LEAF_BITS);
}
