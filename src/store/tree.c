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
#include "store/gate.h"
#include "store/hash.h"
#include "store/kind.h"
#include "store/pairs.h"
#include "store/tree_shape.h"

#include <string.h>

#ifdef FATHOM_SMALL
enum { BLOCK = 8, SAMPLES = 16 };
static const uint64_t fit_at[] = {40, 500, UINT64_MAX};
#else
enum { BLOCK = 1 << 12, SAMPLES = 1024 }; // block: ids that one of several writers takes at a time
static const uint64_t fit_at[] = {1 << 12, 1 << 16, UINT64_MAX};
#endif
enum {
  CHUNK = PAIRS_BATCH,
  LEAF_BITS = 32,    // a divisor of 64; the numbers of leaves are their values
  GAIN_PERCENT = 10, // a tree that fits better by less is not worth making
  MEMOS = 64,        // for each table, a power of two
  END = UINT8_MAX,   // of a list of states
};
#define RESERVE_BYTES                                                                              \
  ((size_t)1 << 40) // of addresses for each region of the root's, and for all
                    // those of the other tables together, which may move

struct tree {
  struct store base;
  struct gate shape_gate, tables_gate;
  size_t words;
  struct tree_shape shape;
  struct pairs *tables;
  struct pairs_purse purse;
  unsigned fits; // how often a better tree was looked for
  unsigned made; // and how often it was made
};

// The states of a chunk in which a node has another number than in the one before, and which.
struct changes {
  uint8_t at[CHUNK + 1]; // ascending, END behind the last
  uint64_t id[CHUNK];
};

// A pair of a table below the root's that was looked up a short while ago.
struct memo {
  uint64_t left, right, id;
};

struct tree_writer {
  struct store_writer base;
  unsigned made;            // that tree it knows, and
  struct pairs_hand *hands; //   of it ids of each table
  struct memo *memos;       //   some pairs of each,
  bool any;                 //   and its last state there, if any:
  uint64_t *last;           //     its words
  uint64_t *ids;            //     and the numbers of all nodes
  uint8_t *at;              // for each leaf the states in which it changes,
  uint8_t *at_count;        //   and how many they are
  struct changes **stack;   // of nodes whose parents are still to come, and one more
  size_t height;            // how many wait
  struct pairs_batch batch;
};

static struct pairs *root_table(const struct tree *t) { return &t->tables[t->shape.tables - 1]; }

static void enter(struct tree *t) {
  gate_enter(&t->shape_gate);
  gate_enter(&t->tables_gate);
}

static void leave(struct tree *t) {
  gate_leave(&t->tables_gate);
  gate_leave(&t->shape_gate);
}

// --- leaves ---

static size_t leaf_word(size_t leaf) { return leaf * LEAF_BITS / 64; }
static unsigned leaf_shift(size_t leaf) { return leaf * LEAF_BITS % 64; }
static uint64_t leaf_mask(void) { return ~UINT64_C(0) >> (64 - LEAF_BITS); }

static uint64_t leaf_get(const uint64_t *words, size_t leaf) {
  return words[leaf_word(leaf)] >> leaf_shift(leaf) & leaf_mask();
}

static void leaf_set(uint64_t *words, size_t leaf, uint64_t value) {
  uint64_t *w = &words[leaf_word(leaf)];
  *w = (*w & ~(leaf_mask() << leaf_shift(leaf))) | value << leaf_shift(leaf);
}

// --- what changes in a chunk ---

static void change_add(struct tree_writer *w, size_t leaf, size_t i) {
  w->at[leaf * CHUNK + w->at_count[leaf]++] = (uint8_t)i;
}

static void change_word(struct tree_writer *w, size_t word, uint64_t differs, size_t i) {
  for (size_t leaf = word * (64 / LEAF_BITS); differs;
       leaf++, differs = differs >> 1 >> (LEAF_BITS - 1))
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
  memset(w->at_count, 0, t->shape.leaves);
  if (w->any)
    compare(w, w->last, states, t->words, 0);
  else
    for (size_t leaf = 0; leaf < t->shape.leaves; leaf++) change_add(w, leaf, 0);
  for (size_t i = 1; i < n; i++)
    compare(w, states + (i - 1) * t->words, states + i * t->words, t->words, i);
}

// The changes of a leaf go onto the stack.
static void leaf_changes(struct tree_writer *w, size_t leaf, const uint64_t *states, size_t n) {
  const struct tree *t = (const struct tree *)w->base.store;
  struct changes *c = w->stack[w->height++];
  const uint8_t *at = w->at + leaf * CHUNK;
  size_t count = 0, most = w->at_count[leaf];
  for (; count < most && at[count] < n; count++) {
    c->at[count] = at[count];
    c->id[count] = leaf_get(states + at[count] * t->words, leaf);
  }
  c->at[count] = END;
}

// The changes of node k, but for its numbers, from those of its children, which leave the stack:
// the pairs go into the batch.
static struct changes *node_changes(struct tree_writer *w, size_t k, size_t n) {
  const struct tree *t = (const struct tree *)w->base.store;
  uint64_t *right_id = &w->ids[k - 1], *left_id = right_id - t->shape.nodes[k - 1].size;
  const struct changes *a = w->stack[w->height - 2], *b = w->stack[w->height - 1];
  struct changes *c = w->stack[w->height];
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

static size_t memo_of(uint64_t left, uint64_t right) {
  return (left * STORE_MIX_A + right * STORE_MIX_B) >> 32 & (MEMOS - 1);
}

static void memos_clear(struct tree_writer *w) {
  const struct tree *t = (const struct tree *)w->base.store;
  memset(w->memos, 0xff, t->shape.tables * MEMOS * sizeof *w->memos); // no numbers are so large
}

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
  struct memo *memos = w->memos + table * MEMOS;
  uint8_t which[CHUNK];
  size_t count = b->count, unknown = 0;
  for (size_t i = 0; i < count; i++) {
    uint64_t left = b->left[i], right = b->right[i];
    const struct memo *m = &memos[memo_of(left, right)];
    ids[i] = m->id;
    which[unknown] = (uint8_t)i;
    b->left[unknown] = left;
    b->right[unknown] = right;
    unknown += m->left != left || m->right != right;
  }
  b->count = unknown;
  uint64_t found[CHUNK];
  size_t done = unknown ? insert_pairs(w, table, found) : 0;
  for (size_t i = 0; i < done; i++) {
    ids[which[i]] = found[i];
    memos[memo_of(b->left[i], b->right[i])] = (struct memo){b->left[i], b->right[i], found[i]};
  }
  return done < unknown ? which[done] : count;
}

// Numbers node k of the first n states; returns for how many of them there was room.
static size_t number_node(struct tree_writer *w, size_t k, size_t n, bool insert) {
  const struct tree *t = (const struct tree *)w->base.store;
  size_t table = t->shape.nodes[k].index;
  struct changes *c = node_changes(w, k, n);
  size_t count = w->batch.count, done = count;
  if (count > 0 && !insert)
    pairs_find(&t->tables[table], &w->batch, c->id);
  else if (count > 0 && table < t->shape.tables - 1)
    done = insert_unknown(w, table, c->id);
  else if (count > 0)
    done = insert_pairs(w, table, c->id);
  size_t room = done < count ? c->at[done] : n;
  c->at[done] = END;
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
  const struct changes *c = w->stack[0];
  uint64_t *id = &w->ids[t->shape.count - 1];
  for (size_t i = 0, e = 0; i < n; i++) {
    bool changed = c->at[e] == i;
    if (changed) *id = c->id[e];
    if (answers) answers[i] = changed && w->batch.fresh[e] ? STORE_NEW : STORE_OLD;
    ids[i] = *id;
    e += changed;
  }
}

static void fit(struct tree *t);

// The tree was made again: of what the writer knows, only the root's ids are still good.
static void writer_renew(struct tree_writer *w) {
  const struct tree *t = (const struct tree *)w->base.store;
  w->made = t->made;
  w->any = false;
  memos_clear(w);
  memset(w->hands, 0, (t->shape.tables - 1) * sizeof *w->hands);
}

// Returns how many of the n states there was room for. Without answers: only looks for them.
static size_t number_chunk(struct tree_writer *w, const uint64_t *states, size_t n,
                           enum store_answer *answers, uint64_t *ids) {
  struct tree *t = (struct tree *)w->base.store;
  enter(t);
  if (answers && pairs_count(root_table(t)) >= fit_at[t->fits]) {
    leave(t);
    fit(t);
    enter(t);
  }
  if (w->made != t->made) writer_renew(w);
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
  for (size_t first = 0; first < count; first += CHUNK) {
    size_t n = count - first < CHUNK ? count - first : CHUNK;
    size_t done = number_chunk(w, words + first * stride, n, answers + first, ids + first);
    if (done < n) return first + done;
  }
  return count;
}

static void tree_find_batch(struct store_writer *base, const uint64_t *words, size_t count,
                            uint64_t *ids) {
  struct tree_writer *w = (struct tree_writer *)base;
  size_t stride = ((const struct tree *)base->store)->words;
  for (size_t first = 0; first < count; first += CHUNK) {
    size_t n = count - first < CHUNK ? count - first : CHUNK;
    number_chunk(w, words + first * stride, n, NULL, ids + first);
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

static void read_states(const struct tree *t, uint64_t first, size_t count, uint64_t *words) {
  size_t nodes = t->shape.count, bytes = t->words * sizeof *words;
  uint64_t *have = mem_alloc(2 * nodes * sizeof *have);
  memset(have, 0xff, nodes * sizeof *have); // no number is so large
  memset(words, 0, bytes);
  for (size_t i = 0; i < count; i++, words += t->words) {
    if (i > 0) memcpy(words, words - t->words, bytes);
    read_state(t, first + i, have, have + nodes, words);
  }
  mem_free(have);
}

static void tree_get_batch(const struct store *s, uint64_t first, size_t count, uint64_t *words) {
  struct tree *t = (struct tree *)s;
  if (count == 0) return;
  enter(t);
  read_states(t, first, count, words);
  leave(t);
}

static void *tree_payload(struct store *s, uint64_t id) {
  struct tree *t = (struct tree *)s;
  enter(t);
  unsigned char *base = root_table(t)->payload.base;
  leave(t);
  return base + id * s->config.payload_bytes;
}

// --- what it says of itself ---

static uint64_t tree_count(const struct store *s) {
  struct tree *t = (struct tree *)s;
  enter(t);
  uint64_t count = pairs_count(root_table(t));
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
  double all = (double)bytes_inside(t), root = (double)pairs_bytes(root_table(t));
  double count = (double)pairs_count(root_table(t));
  leave(t);
  struct text text = {0};
  text_printf(&text, "tree of %zu tables: %.1f bytes a state in the root's, %.1f in the others",
              t->shape.tables, count > 0 ? root / count : 0, count > 0 ? (all - root) / count : 0);
  f->sentence = text.data;
}

// --- making and freeing ---

static void close_tables(struct tree *t) {
  for (size_t i = 0; i < t->shape.tables && t->tables; i++) pairs_clear(&t->tables[i]);
  mem_free(t->tables);
  mem_free(t->shape.nodes);
}

static bool open_tables(struct tree *t) {
  const struct store_config *c = &t->base.config;
  size_t most = t->purse.limit < RESERVE_BYTES ? t->purse.limit : RESERVE_BYTES;
  struct pairs_config config = {.threads = c->threads > 1 ? c->threads : 1,
                                .block = 1,
                                .count_max = UINT64_MAX,
                                .reserve_bytes = most / (2 * t->shape.tables)};
  t->tables = mem_zalloc(t->shape.tables, sizeof *t->tables);
  bool open = true;
  for (size_t i = 0; open && i < t->shape.tables; i++) {
    if (&t->tables[i] == root_table(t)) {
      config.reserve_bytes = most;
      config.payload_bytes = c->payload_bytes;
      if (c->threads > 1) config.block = BLOCK;
      if (c->states_max) config.count_max = c->states_max;
    }
    open = pairs_init(&t->tables[i], &config, &t->purse);
  }
  return open;
}

static void tree_free(struct store *s) {
  struct tree *t = (struct tree *)s;
  close_tables(t);
  gate_destroy(&t->tables_gate);
  gate_destroy(&t->shape_gate);
  mem_free(t);
}

static struct store *tree_make(const struct store_config *c) {
  struct tree *t = mem_zalloc(1, sizeof *t);
  size_t bits = c->bits ? c->bits : 8 * c->bytes, leaves = (bits + LEAF_BITS - 1) / LEAF_BITS;
  gate_init(&t->shape_gate, c->threads > 1);
  gate_init(&t->tables_gate, c->threads > 1);
  t->base.config = *c;
  t->words = c->words;
  t->purse.limit = c->mem_bytes_max ? c->mem_bytes_max : SIZE_MAX;
  tree_shape_balance(&t->shape, leaves < 2 ? 2 : leaves);
  if (open_tables(t)) return &t->base;
  tree_free(&t->base);
  mem_exhausted(RESERVE_BYTES);
}

// Left subtrees are not the smaller ones: who waits is less than half of who waits below.
static size_t stack_height(const struct tree *t) {
  size_t height = 3;
  for (size_t leaves = t->shape.leaves; leaves > 1; leaves /= 2) height++;
  return height;
}

static struct store_writer *tree_writer_make(struct store *s) {
  const struct tree *t = (const struct tree *)s;
  struct tree_writer *w = mem_zalloc(1, sizeof *w);
  w->base.store = s;
  w->made = t->made;
  w->hands = mem_zalloc(t->shape.tables, sizeof *w->hands);
  w->memos = mem_alloc(t->shape.tables * MEMOS * sizeof *w->memos);
  memos_clear(w);
  w->last = mem_alloc(t->words * sizeof *w->last);
  w->ids = mem_zalloc(t->shape.count, sizeof *w->ids);
  w->at = mem_alloc(CHUNK * t->shape.leaves);
  w->at_count = mem_alloc(t->shape.leaves);
  w->stack = mem_zalloc(stack_height(t), sizeof *w->stack);
  for (size_t i = 0; i < stack_height(t); i++) w->stack[i] = mem_alloc(sizeof **w->stack);
  return &w->base;
}

static void tree_writer_free(struct store_writer *base) {
  struct tree_writer *w = (struct tree_writer *)base;
  struct tree *t = (struct tree *)base->store;
  if (w->made != t->made) writer_renew(w);
  for (size_t i = 0; i < t->shape.tables; i++) pairs_hand_clear(&t->tables[i], &w->hands[i]);
  for (size_t i = 0; i < stack_height(t); i++) mem_free(w->stack[i]);
  mem_free(w->stack);
  mem_free(w->at_count);
  mem_free(w->at);
  mem_free(w->ids);
  mem_free(w->last);
  mem_free(w->memos);
  mem_free(w->hands);
  mem_free(w);
}

// --- making the tree again ---

// Was that id of the root's given to a state? (Writers take them by the block.)
static bool id_used(const struct tree *t, uint64_t id) {
  struct pairs_batch b;
  uint64_t found;
  b.count = 1;
  pairs_get(root_table(t), id, &b.left[0], &b.right[0]);
  pairs_find(root_table(t), &b, &found);
  return found == id;
}

// The values of all leaves in states from everywhere.
static void sample(const struct tree *t, uint32_t *values) {
  uint64_t *words = mem_alloc(t->words * sizeof *words), next = root_table(t)->next, id = 0;
  for (size_t i = 0; i < SAMPLES; i++) {
    uint64_t at = next * i / SAMPLES;
    if (id_used(t, at)) id = at; // else the one before again
    read_states(t, id, 1, words);
    for (size_t leaf = 0; leaf < t->shape.leaves; leaf++)
      values[leaf * SAMPLES + i] = (uint32_t)leaf_get(words, leaf);
  }
  mem_free(words);
}

// What it takes to make the tree again.
struct making {
  struct tree fresh; // its gates are open to this thread only
  struct store_writer *writer;
  uint32_t *values;
  uint64_t *words;
};

// How many states follow each other from `id` on, before an id that is nobody's: CHUNK at most.
static size_t run_of_states(const struct tree *t, uint64_t id) {
  size_t n = 0;
  while (n < CHUNK && id + n < root_table(t)->next && id_used(t, id + n)) n++;
  return n;
}

// Puts all states into the fresh tree, under the ids that they have. False: no room.
static bool fill(const struct tree *t, struct making *m) {
  struct pairs *root = root_table(&m->fresh);
  struct tree_writer *w = (struct tree_writer *)m->writer;
  enum store_answer answers[CHUNK];
  uint64_t ids[CHUNK];
  root->next = root_table(t)->next;
  for (uint64_t id = 0; id < root->next;) {
    size_t n = run_of_states(t, id);
    if (n > 0) read_states(t, id, n, m->words);
    w->hands[t->shape.tables - 1] = (struct pairs_hand){id, id + n};
    if (n > 0 && number_chunk(w, m->words, n, answers, ids) < n) return false;
    id += n > 0 ? n : 1;
  }
  w->hands[t->shape.tables - 1] = (struct pairs_hand){0};
  assert(root->count == root_table(t)->count);
  return true;
}

// The payload stays where it is.
static bool move_payload(struct pairs *from, struct pairs *to) {
  if (!pairs_payload_extend(from, to->ids_max)) return false;
  struct region r = from->payload;
  from->payload = to->payload;
  to->payload = r;
  return true;
}

// The fresh tree takes the place of the old.
static void replace(struct tree *t, struct tree *fresh) {
  if (!move_payload(root_table(t), root_table(fresh))) return;
  struct tree_shape shape = t->shape;
  struct pairs *tables = t->tables;
  t->shape = fresh->shape;
  t->tables = fresh->tables;
  t->purse.held = fresh->purse.held;
  for (size_t i = 0; i < t->shape.tables; i++) t->tables[i].purse = &t->purse;
  t->made++;
  fresh->shape = shape;
  fresh->tables = tables;
  LOG(store, "made a tree for %zu states", (size_t)root_table(t)->count);
}

static void make_again(struct tree *t, struct making *m) {
  struct tree *fresh = &m->fresh;
  size_t leaves = t->shape.leaves;
  m->values = mem_alloc(leaves * SAMPLES * sizeof *m->values);
  sample(t, m->values);
  tree_shape_fit(&fresh->shape, leaves, m->values, SAMPLES);
  uint64_t now = tree_shape_price(&t->shape, m->values, SAMPLES);
  uint64_t then = tree_shape_price(&fresh->shape, m->values, SAMPLES);
  if (then * 100 > now * (100 - GAIN_PERCENT)) return;
  fresh->base.config = t->base.config;
  fresh->words = t->words;
  fresh->purse.limit = t->purse.limit > t->purse.held ? t->purse.limit - t->purse.held : 0;
  fresh->fits = sizeof fit_at / sizeof *fit_at - 1;
  if (!open_tables(fresh)) return;
  m->writer = tree_writer_make(&fresh->base);
  m->words = mem_alloc(CHUNK * t->words * sizeof *m->words);
  if (fill(t, m)) replace(t, fresh);
}

// Looks whether another tree fits the states better that there are by now, and if so, makes it.
// Without memory for that, the tree stays as it is.
static void fit(struct tree *t) {
  gate_close(&t->shape_gate);
  if (pairs_count(root_table(t)) >= fit_at[t->fits]) {
    t->fits++;
    struct making m = {0};
    struct mem_boundary b;
    if (!mem_boundary_enter(&b)) {
      if (t->shape.leaves > 2 && t->shape.leaves <= TREE_FIT_LEAVES_MAX) make_again(t, &m);
      mem_boundary_leave(&b);
    }
    if (m.writer) tree_writer_free(m.writer);
    mem_free(m.words);
    mem_free(m.values);
    close_tables(&m.fresh);
  }
  gate_open(&t->shape_gate);
}

// The tables are sound, and as many ids as there are states lead to states that lead back to them.
static bool tree_check(const struct store *s) {
  const struct tree *t = (const struct tree *)s;
  for (size_t i = 0; i < t->shape.tables; i++)
    if (!pairs_check(&t->tables[i])) return false;
  struct store_writer *w = tree_writer_make((struct store *)s);
  uint64_t *words = mem_alloc(t->words * sizeof *words), right = 0;
  for (uint64_t id = 0, found; id < root_table(t)->next; id++) {
    read_states(t, id, 1, words);
    tree_find_batch(w, words, 1, &found);
    right += found == id;
  }
  mem_free(words);
  tree_writer_free(w);
  return right == pairs_count(root_table(t));
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
};
