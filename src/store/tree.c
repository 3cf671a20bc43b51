// SPDX-License-Identifier: Apache-2.0
// The tree store, for long states: parts of a state are the leaves of a binary tree, each node
// above them has a table that numbers the pairs of its children's numbers, and the number of the
// root is the state's id. After Laarman, van de Pol, Weber: Parallel Recursive State Compression
// for Free (SPIN 2011); here every node has a table of its own, so that numbers are small and pairs
// are packed tightly, and the tree is fitted to the states: once there are some, it is made again
// (tree_shape.c). Price of a state: its pair in the root's table, 3 to 5 bytes and about 4.7 of
// index; the tables below are small beside it if states are made of few different parts.
//
// A writer keeps the numbers of all nodes for its last state; of the next one only the nodes above
// leaves that differ are looked up. A chunk of states goes through the tree node by node: the
// changes of a node are those of its children, merged in the order of the states.
//
// Invariants: numbers keep their meaning until the tree is made again, ids for ever. Whatever
// uses the tree is inside the gate `shape`, for a whole chunk; whatever uses its tables is inside
// the gate `tables` besides. To close that one, a thread that is inside leaves it for a moment.
#include "store/tree.h"

#include "store/hash.h"

#include <string.h>

static void enter(struct tree *t) {
  gate_enter(&t->shape_gate);
  gate_enter(&t->tables_gate);
}

static void leave(struct tree *t) {
  gate_leave(&t->tables_gate);
  gate_leave(&t->shape_gate);
}

// --- leaves ---

static size_t leaf_word(size_t leaf) { return leaf * TREE_LEAF_BITS / 64; }
static unsigned leaf_shift(size_t leaf) { return leaf * TREE_LEAF_BITS % 64; }
static uint64_t leaf_mask(void) { return ~UINT64_C(0) >> (64 - TREE_LEAF_BITS); }

static void leaf_set(uint64_t *words, size_t leaf, uint64_t value) {
  uint64_t *w = &words[leaf_word(leaf)];
  *w = (*w & ~(leaf_mask() << leaf_shift(leaf))) | value << leaf_shift(leaf);
}

// --- what changes in a chunk ---

static void change_add(struct tree_writer *w, size_t leaf, size_t i) {
  w->at[leaf * TREE_CHUNK + w->at_count[leaf]++] = (uint8_t)i;
}

static void change_word(struct tree_writer *w, size_t word, uint64_t differs, size_t i) {
  for (size_t leaf = word * (64 / TREE_LEAF_BITS); differs;
       leaf++, differs = differs >> 1 >> (TREE_LEAF_BITS - 1))
    if (differs & leaf_mask()) change_add(w, leaf, i);
}

// The words of state i against those of the state before.
static void compare(struct tree_writer *w, const uint64_t *a, const uint64_t *b, size_t words,
                    size_t i) {
  size_t j = 0;
  for (; j + 4 <= words; j += 4) {
    uint64_t d0 = a[j] ^ b[j], d1 = a[j + 1] ^ b[j + 1];
    uint64_t d2 = a[j + 2] ^ b[j + 2], d3 = a[j + 3] ^ b[j + 3];
    if (!(d0 | d1 | d2 | d3)) continue;
    if (d0) change_word(w, j, d0, i);
    if (d1) change_word(w, j + 1, d1, i);
    if (d2) change_word(w, j + 2, d2, i);
    if (d3) change_word(w, j + 3, d3, i);
  }
  for (; j < words; j++)
    if (a[j] != b[j]) change_word(w, j, a[j] ^ b[j], i);
}

static void compare_all(struct tree_writer *w, const uint64_t *states, size_t n) {
  const struct tree *t = (const struct tree *)w->base.store;
  memset(w->at_count, 0, t->leaves);
  if (w->any)
    compare(w, w->last, states, t->words, 0);
  else
    for (size_t leaf = 0; leaf < t->leaves; leaf++) change_add(w, leaf, 0);
  for (size_t i = 1; i < n; i++)
    compare(w, states + (i - 1) * t->words, states + i * t->words, t->words, i);
}

// The changes of a leaf go onto the stack.
static void leaf_changes(struct tree_writer *w, size_t leaf, const uint64_t *states, size_t n) {
  const struct tree *t = (const struct tree *)w->base.store;
  struct tree_changes *c = w->stack[w->height++];
  const uint8_t *at = w->at + leaf * TREE_CHUNK;
  size_t count = 0, most = w->at_count[leaf];
  for (; count < most && at[count] < n; count++) {
    c->at[count] = at[count];
    c->id[count] = tree_leaf(states + at[count] * t->words, leaf);
  }
  c->at[count] = TREE_END;
}

// The changes of node k, but for its numbers, from those of its children, which leave the stack:
// the pairs go into the batch.
static struct tree_changes *node_changes(struct tree_writer *w, size_t k, size_t n) {
  const struct tree *t = (const struct tree *)w->base.store;
  uint64_t *right_id = &w->ids[k - 1], *left_id = right_id - t->shape.nodes[k - 1].size;
  const struct tree_changes *a = w->stack[w->height - 2], *b = w->stack[w->height - 1];
  struct tree_changes *c = w->stack[w->height];
  uint64_t left = *left_id, right = *right_id;
  size_t count = 0;
  for (size_t i = 0, j = 0;; count++) {
    uint8_t at = a->at[i] < b->at[j] ? a->at[i] : b->at[j];
    if (at >= n) break;
    if (a->at[i] == at) left = a->id[i++];
    if (b->at[j] == at) right = b->id[j++];
    c->at[count] = at;
    w->batch.left[count] = left;
    w->batch.right[count] = right;
  }
  w->batch.count = count;
  *left_id = left;
  *right_id = right;
  w->stack[w->height] = w->stack[w->height - 2];
  w->stack[w->height-- - 2] = c;
  return c;
}

// --- insert and find ---

static uint64_t memo_pair(uint64_t left, uint64_t right) {
  return (left | right) >> 32 ? TREE_NO_PAIR : left << 32 | right;
}

static size_t memo_of(uint64_t pair, unsigned bits) { return pair * STORE_MIX_A >> (64 - bits); }

// From inside the gate, and back into it; others may have been there in between.
static bool provide(struct tree *t, struct pairs *table, const struct pairs_batch *b,
                    size_t first) {
  gate_leave(&t->tables_gate);
  gate_close(&t->tables_gate);
  bool provided = pairs_provide(table, b, first);
  gate_open(&t->tables_gate);
  gate_enter(&t->tables_gate);
  return provided;
}

// Numbers the pairs of the batch; returns how many of them before there was no room.
static size_t insert_pairs(struct tree_writer *w, size_t table, uint64_t *ids) {
  struct tree *t = (struct tree *)w->base.store;
  struct pairs *p = &t->tables[table];
  size_t done = pairs_insert(p, &w->hands[table], &w->batch, 0, ids);
  while (done < w->batch.count && provide(t, p, &w->batch, done))
    done = pairs_insert(p, &w->hands[table], &w->batch, done, ids);
  return done;
}

// Numbers the pairs of the batch that are not in the memo, and notes them there; likewise.
static size_t insert_unknown(struct tree_writer *w, size_t table, uint64_t *ids) {
  struct pairs_batch *b = &w->batch;
  const unsigned bits = w->memo_bits;
  struct tree_memo *memos = w->memos + (table << bits);
  uint8_t which[TREE_CHUNK];
  size_t count = b->count, unknown = 0;
  for (size_t i = 0; i < count; i++) {
    uint64_t left = b->left[i], right = b->right[i], pair = memo_pair(left, right);
    const struct tree_memo *m = &memos[memo_of(pair, bits)];
    ids[i] = m->id;
    which[unknown] = (uint8_t)i;
    b->left[unknown] = left;
    b->right[unknown] = right;
    unknown += m->pair != pair || pair == TREE_NO_PAIR;
  }
  b->count = unknown;
  uint64_t found[TREE_CHUNK];
  size_t done = unknown ? insert_pairs(w, table, found) : 0;
  for (size_t i = 0; i < done; i++) {
    uint64_t pair = memo_pair(b->left[i], b->right[i]);
    ids[which[i]] = found[i];
    memos[memo_of(pair, bits)] = (struct tree_memo){pair, found[i]};
  }
  return done < unknown ? which[done] : count;
}

// Numbers node k of the first n states; returns for how many of them there was room.
static size_t number_node(struct tree_writer *w, size_t k, size_t n, bool insert) {
  const struct tree *t = (const struct tree *)w->base.store;
  size_t table = t->shape.nodes[k].index;
  struct tree_changes *c = node_changes(w, k, n);
  size_t count = w->batch.count, done = count;
  if (count > 0 && !insert)
    pairs_find(&t->tables[table], &w->batch, c->id);
  else if (count > 0 && table < t->shape.tables - 1)
    done = insert_unknown(w, table, c->id);
  else if (count > 0)
    done = insert_pairs(w, table, c->id);
  size_t room = done < count ? c->at[done] : n;
  c->at[done] = TREE_END;
  return room;
}

static size_t number_all(struct tree_writer *w, const uint64_t *states, size_t n, bool insert) {
  const struct tree *t = (const struct tree *)w->base.store;
  compare_all(w, states, n);
  w->height = 0;
  for (size_t k = 0; k < t->shape.count && n > 0; k++) {
    if (t->shape.nodes[k].size == 1)
      leaf_changes(w, t->shape.nodes[k].index, states, n);
    else
      n = number_node(w, k, n, insert);
  }
  return n;
}

// Ids and answers of the first n states from the root's changes. Where the root does not change,
// the state is that before.
static void give_answers(struct tree_writer *w, size_t n, enum store_answer *answers,
                         uint64_t *ids) {
  const struct tree *t = (const struct tree *)w->base.store;
  const struct tree_changes *c = w->stack[0];
  uint64_t *id = &w->ids[t->shape.count - 1];
  for (size_t i = 0, e = 0; i < n; i++) {
    bool changed = c->at[e] == i;
    if (changed) *id = c->id[e];
    if (answers) answers[i] = changed && w->batch.fresh[e] ? STORE_NEW : STORE_OLD;
    ids[i] = *id;
    e += changed;
  }
}

void tree_writer_renew(struct tree_writer *w) {
  const struct tree *t = (const struct tree *)w->base.store;
  w->made = t->made;
  w->any = false;
  memset(w->memos, 0xff, (t->shape.tables << w->memo_bits) * sizeof *w->memos); // TREE_NO_PAIR
  memset(w->hands, 0, (t->shape.tables - 1) * sizeof *w->hands);
}

size_t tree_number(struct tree_writer *w, const uint64_t *states, size_t n,
                   enum store_answer *answers, uint64_t *ids) {
  struct tree *t = (struct tree *)w->base.store;
  enter(t);
  if (answers && pairs_count(tree_root(t)) >= tree_fit_at[t->fits]) {
    leave(t);
    tree_fit(t);
    enter(t);
  }
  if (w->made != t->made) tree_writer_renew(w);
  size_t done = number_all(w, states, n, answers != NULL);
  give_answers(w, done, answers, ids);
  leave(t);
  w->any = answers && done == n; // numbers that there are not now may be there later
  if (w->any) memcpy(w->last, states + (n - 1) * t->words, t->words * sizeof *states);
  return done;
}

static size_t tree_insert_batch(struct store_writer *base, const uint64_t *words, size_t count,
                                enum store_answer *answers, uint64_t *ids) {
  struct tree_writer *w = (struct tree_writer *)base;
  size_t stride = ((const struct tree *)base->store)->words;
  for (size_t first = 0; first < count; first += TREE_CHUNK) {
    size_t n = count - first < TREE_CHUNK ? count - first : TREE_CHUNK;
    size_t done = tree_number(w, words + first * stride, n, answers + first, ids + first);
    if (done < n) return first + done;
  }
  return count;
}

static void tree_find_batch(struct store_writer *base, const uint64_t *words, size_t count,
                            uint64_t *ids) {
  struct tree_writer *w = (struct tree_writer *)base;
  size_t stride = ((const struct tree *)base->store)->words;
  for (size_t first = 0; first < count; first += TREE_CHUNK) {
    size_t n = count - first < TREE_CHUNK ? count - first : TREE_CHUNK;
    tree_number(w, words + first * stride, n, NULL, ids + first);
  }
}

// --- states from ids ---

// Goes from the root down to what is another than in the last state read: have[k] is the number of
// node k in that one, want[k] in this one.
static void read_state(const struct tree *t, uint64_t id, uint64_t *have, uint64_t *want,
                       uint64_t *words) {
  want[t->shape.count - 1] = id;
  for (size_t k = t->shape.count; k > 0;) { // node k - 1
    const struct tree_node *node = &t->shape.nodes[--k];
    if (have[k] == want[k]) {
      k -= node->size - 1;
      continue;
    }
    have[k] = want[k];
    if (node->size == 1)
      leaf_set(words, node->index, want[k]);
    else
      pairs_get(&t->tables[node->index], want[k], &want[k - 1 - node[-1].size], &want[k - 1]);
  }
}

uint64_t *tree_scratch(const struct tree *t) {
  return mem_alloc(2 * (2 * t->leaves - 1) * sizeof(uint64_t));
}

void tree_read(const struct tree *t, uint64_t first, size_t count, uint64_t *words,
               uint64_t *scratch) {
  size_t nodes = t->shape.count, bytes = t->words * sizeof *words;
  uint64_t *have = scratch, *want = scratch + nodes;
  memset(have, 0xff, nodes * sizeof *have); // no number is so large
  memset(words, 0, bytes);
  for (size_t i = 0; i < count; i++, words += t->words) {
    if (i > 0) memcpy(words, words - t->words, bytes);
    read_state(t, first + i, have, want, words);
  }
}

static void tree_get_batch(const struct store *s, uint64_t first, size_t count, uint64_t *words) {
  struct tree *t = (struct tree *)s;
  if (count == 0) return;
  uint64_t *scratch = tree_scratch(t);
  enter(t);
  tree_read(t, first, count, words, scratch);
  leave(t);
  mem_free(scratch);
}

static void *tree_payload(struct store *s, uint64_t id) {
  struct tree *t = (struct tree *)s;
  enter(t);
  unsigned char *base = tree_root(t)->payload.base;
  leave(t);
  return base + id * s->config.payload_bytes;
}

// --- what it says of itself ---

static uint64_t tree_count(const struct store *s) {
  struct tree *t = (struct tree *)s;
  enter(t);
  uint64_t count = pairs_count(tree_root(t));
  leave(t);
  return count;
}

static size_t bytes_inside(const struct tree *t) {
  size_t bytes = 0;
  for (size_t i = 0; i < t->shape.tables; i++) bytes += pairs_bytes(&t->tables[i]);
  return bytes;
}

static size_t tree_memory(const struct store *s) {
  struct tree *t = (struct tree *)s;
  enter(t);
  size_t bytes = bytes_inside(t);
  leave(t);
  return bytes;
}

static void tree_facts(const struct store *s, struct store_facts *f) {
  struct tree *t = (struct tree *)s;
  enter(t);
  for (size_t i = 0; i < t->shape.tables; i++) {
    double load = pairs_load(&t->tables[i]);
    if (load > f->load) f->load = load;
  }
  double all = (double)bytes_inside(t), root = (double)pairs_bytes(tree_root(t));
  double count = (double)pairs_count(tree_root(t));
  leave(t);
  struct text text = {0};
  text_printf(&text, "%.1f bytes a state in the root's table, %.1f in the %zu others",
              count > 0 ? root / count : 0, count > 0 ? (all - root) / count : 0,
              t->shape.tables - 1);
  f->sentence = text.data;
}

// The tables are sound, and as many ids as there are states lead to states that lead back to them.
static bool tree_check(const struct store *s) {
  const struct tree *t = (const struct tree *)s;
  for (size_t i = 0; i < t->shape.tables; i++)
    if (!pairs_check(&t->tables[i])) return false;
  struct store_writer *w = tree_writer_make((struct store *)s);
  uint64_t *words = mem_alloc(t->words * sizeof *words), right = 0, *scratch = tree_scratch(t);
  for (uint64_t id = 0, found; id < tree_root(t)->next; id++) {
    tree_read(t, id, 1, words, scratch);
    tree_find_batch(w, words, 1, &found);
    right += found == id;
  }
  mem_free(scratch);
  mem_free(words);
  tree_writer_free(w);
  return right == pairs_count(tree_root(t));
}

// In the order of their ids: states that came one after the other have much in common.
static bool tree_each(const struct store *s,
                      bool (*take)(void *context, uint64_t id, const uint64_t *key),
                      void *context) {
  const struct tree *t = (const struct tree *)s;
  uint64_t *words = mem_alloc(TREE_CHUNK * t->words * sizeof *words), *scratch = tree_scratch(t);
  bool on = true;
  for (uint64_t id = 0; on && id < tree_root(t)->next;) {
    size_t n = tree_run(t, id);
    if (n > 0) tree_read(t, id, n, words, scratch);
    for (size_t i = 0; on && i < n; i++) on = take(context, id + i, words + i * t->words);
    id += n > 0 ? n : 1;
  }
  mem_free(scratch);
  mem_free(words);
  return on;
}

const struct store_ops store_tree = {
    .name = "tree",
    .keeps_states = true,
    .make = tree_make,
    .free = tree_free,
    .writer_make = tree_writer_make,
    .writer_free = tree_writer_free,
    .insert_batch = tree_insert_batch,
    .find_batch = tree_find_batch,
    .get_batch = tree_get_batch,
    .payload = tree_payload,
    .count = tree_count,
    .memory = tree_memory,
    .facts = tree_facts,
    .check = tree_check,
    .each = tree_each,
};
