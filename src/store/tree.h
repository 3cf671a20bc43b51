// SPDX-License-Identifier: Apache-2.0
// What the files of the tree store share. Private to it.
#pragma once

#include "store/gate.h"
#include "store/kind.h"
#include "store/pairs.h"
#include "store/tree_recent.h"
#include "store/tree_shape.h"

enum {
  TREE_CHUNK = PAIRS_BATCH,
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

// In which states of a chunk a node has another number than in the one before (a bit for each), and
// which, in their order; id[0] is that before the chunk.
struct tree_changes {
  uint64_t at;
  uint64_t id[TREE_CHUNK + 1];
};

// A pair of a table below the root's that was looked up a short while ago. Pairs of numbers that
// are both less than 2^32 and not both the largest such numbers are remembered.
struct tree_memo {
  uint64_t pair, id;
};
#define TREE_NO_PAIR UINT64_MAX

// States that go through the tree together.
struct tree_chunk {
  size_t n;
  const uint64_t *states[TREE_CHUNK];
  size_t places[TREE_CHUNK];    // among those that were handed over with them
  uint64_t *recent[TREE_CHUNK]; // entries that wait for their ids
  uint64_t at;                  // bits of those whose root has another pair than that before
  struct pairs_batch batch;     // these pairs
};

struct tree_writer {
  struct store_writer base;
  unsigned made;            // that tree it knows, and
  struct pairs_hand *hands; //   of it ids of each table
  struct tree_memo *memos;  //   some pairs of each: 2 to memo_bits of them,
  unsigned memo_bits;
  bool any;                    //   and its last state there, if any:
  uint64_t *last;              //     its words
  uint64_t *ids;               //     and the numbers of all nodes
  uint64_t *changes;           // for each leaf: bits of the states in which it does
  struct tree_changes **stack; // of nodes whose parents are still to come, and one more
  size_t height;               // how many wait
  struct pairs_batch batch;
  struct tree_chunk chunks[2]; // in work at the same time
  struct tree_recent recent;
};

// From these counts of states on, one after the other, a better tree is looked for.
extern const uint64_t tree_fit_at[];

struct store *tree_make(const struct store_config *c);
void tree_free(struct store *s);
struct store_writer *tree_writer_make(struct store *s);
void tree_writer_free(struct store_writer *w);

// Returns how many of the n states there was room for.
size_t tree_insert(struct tree_writer *w, const uint64_t *states, size_t n,
                   enum store_answer *answers, uint64_t *ids);
// From inside the gates. What tree_scratch gives is to be freed by mem_free.
void tree_read(const struct tree *t, uint64_t first, size_t count, uint64_t *words,
               struct tree_changes *scratch);
struct tree_changes *tree_scratch(const struct tree *t);
// How many nodes at a time wait for their parents, or for their children, at most.
size_t tree_stack_height(const struct tree *t);
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

static inline uint32_t tree_leaf(const uint64_t *words, size_t leaf) {
  return (uint32_t)(words[leaf * TREE_LEAF_BITS / 64] >> leaf * TREE_LEAF_BITS % 64);
}
