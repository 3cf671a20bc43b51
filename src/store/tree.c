// SPDX-License-Identifier: Apache-2.0
// The tree store, for long states: parts of a state are the leaves of a binary tree, each node
// above them has a table that numbers the pairs of its children's numbers, and the number of the
// root is the state's id. After Laarman, van de Pol, Weber: Parallel Recursive State Compression
// for Free (SPIN 2011); here every node has a table of its own, so that numbers are small and pairs
// are packed tightly, and the tree is fitted to the states: once there are some, it is made again
// (tree_shape.c). Price of a state: its pair in the root's table, 3 to 5 bytes and about 4.7 of
// index; the tables below are small beside it if states are made of few different parts.
//
// States that were there a short while ago are known without the tree (tree_recent.c). Of the
// others a chunk goes through the tree node by node. A writer keeps the numbers of all nodes for
// its last state; of the next one only the nodes above leaves that differ are looked up, and a node
// changes where its children do. Reading goes the other way, from the root's numbers down to the
// leaves.
//
// Invariants: numbers keep their meaning until the tree is made again, ids for ever. Whatever
// uses the tree is inside the gate `shape`, for a whole call; whatever uses its tables is inside
// the gate `tables` besides. To close that one, a thread that is inside leaves it for a moment.
#include "store/tree.h"

#include "store/hash.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

static void enter(struct tree *t) {
  gate_enter(&t->shape_gate);
  gate_enter(&t->tables_gate);
}

static void leave(struct tree *t) {
  gate_leave(&t->tables_gate);
  gate_leave(&t->shape_gate);
}

// --- what changes in a chunk ---

_Static_assert(TREE_CHUNK <= 64, "a bit for each state of a chunk");

static uint64_t bits_below(size_t n) { return n < 64 ? ~(~UINT64_C(0) << n) : ~UINT64_C(0); }

// A bit for each half of up to 32 words that differs.
static uint64_t halves_that_differ(const uint64_t *a, const uint64_t *b, size_t words) {
  uint64_t halves = 0;
  size_t j = 0;
#ifdef __SSE2__
  for (; j + 2 <= words; j += 2) {
    __m128i x = _mm_loadu_si128((const __m128i *)(a + j));
    __m128i y = _mm_loadu_si128((const __m128i *)(b + j));
    unsigned same = (unsigned)_mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(x, y)));
    halves |= (uint64_t)(same ^ 15) << 2 * j;
  }
#endif
  for (; j < words; j++) {
    uint64_t d = a[j] ^ b[j];
    halves |= (uint64_t)((uint32_t)d != 0) << 2 * j | (uint64_t)(d >> 32 != 0) << (2 * j + 1);
  }
  return halves;
}

// The words of state i against those of the state before.
static void compare(struct tree_writer *w, const uint64_t *a, const uint64_t *b, size_t i) {
  const struct tree *t = (const struct tree *)w->base.store;
  for (size_t first = 0; first < t->words; first += 32) {
    size_t words = t->words - first < 32 ? t->words - first : 32;
    uint64_t halves = halves_that_differ(a + first, b + first, words);
    for (; halves; halves &= halves - 1)
      w->changes[2 * first + (size_t)__builtin_ctzll(halves)] |= UINT64_C(1) << i;
  }
}

// Without a state before the first one all of that is taken for changed.
static void compare_all(struct tree_writer *w, const uint64_t *before,
                        const uint64_t *const *states, size_t n) {
  const struct tree *t = (const struct tree *)w->base.store;
  for (size_t leaf = 0; leaf < t->leaves; leaf++) w->changes[leaf] = !before;
  if (before) compare(w, before, states[0], 0);
  for (size_t i = 1; i < n; i++) compare(w, states[i - 1], states[i], i);
}

// The changes of a leaf, which is node k, go onto the stack.
static void leaf_changes(struct tree_writer *w, size_t k, const uint64_t *const *states, size_t n) {
  const struct tree *t = (const struct tree *)w->base.store;
  const struct tree_node *leaf = &t->shape.nodes[k];
  size_t count = 0;
  struct tree_changes *c = w->stack[w->height++];
  c->at = w->changes[leaf->index] & bits_below(n);
  c->id[0] = w->ids[k];
  for (uint64_t at = c->at; at; at &= at - 1)
    c->id[++count] = tree_bits(leaf, tree_leaf(states[__builtin_ctzll(at)], leaf->index));
  w->ids[k] = c->id[count];
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
static size_t insert_pairs(struct tree_writer *w, size_t table, struct pairs_batch *b,
                           uint64_t *ids) {
  struct tree *t = (struct tree *)w->base.store;
  struct pairs *p = &t->tables[table];
  size_t done = pairs_insert(p, &w->hands[table], b, 0, ids);
  while (done < b->count && provide(t, p, b, done))
    done = pairs_insert(p, &w->hands[table], b, done, ids);
  return done;
}

static void batch_is(struct pairs_batch *b, size_t count) {
  b->count = count;
  b->asked = b->peeked = 0;
}

// The pairs of a node go into the batch, one for each change of its children.
static void all_pairs(struct pairs_batch *batch, uint64_t at, const struct tree_changes *a,
                      const struct tree_changes *b) {
  size_t count = 0, i = 0, j = 0;
  for (; at; at &= at - 1, count++) {
    unsigned state = (unsigned)__builtin_ctzll(at);
    i += a->at >> state & 1;
    j += b->at >> state & 1;
    batch->left[count] = a->id[i];
    batch->right[count] = b->id[j];
  }
  batch_is(batch, count);
}

// Likewise, but only those that are not in the memo; which[] says which changes they are. The ids
// of the others go to ids[]. Returns how many changes there are. Without branches that are hard to
// foresee: what is known decides only where the next pair is put.
static size_t unknown_pairs(const struct tree_memo *memos, unsigned bits, uint64_t at,
                            const struct tree_changes *a, const struct tree_changes *b,
                            struct pairs_batch *batch, uint8_t *which, uint64_t *ids) {
  size_t count = 0, unknown = 0, i = 0, j = 0;
  for (; at; at &= at - 1, count++) {
    unsigned state = (unsigned)__builtin_ctzll(at);
    i += a->at >> state & 1;
    j += b->at >> state & 1;
    uint64_t left = a->id[i], right = b->id[j], pair = memo_pair(left, right);
    const struct tree_memo *m = &memos[memo_of(pair, bits)];
    ids[count] = m->id;
    which[unknown] = (uint8_t)count;
    batch->left[unknown] = left;
    batch->right[unknown] = right;
    unknown += (m->pair != pair) | (pair == TREE_NO_PAIR);
  }
  batch_is(batch, unknown);
  return count;
}

// Numbers the pairs of a node that are not in the memo, and notes them there. Returns for how many
// of the `count` changes there was room.
static size_t insert_unknown(struct tree_writer *w, size_t table, uint64_t at,
                             const struct tree_changes *a, const struct tree_changes *b,
                             size_t *count, uint64_t *ids) {
  struct tree_memo *memos = w->memos + (table << w->memo_bits);
  uint8_t which[TREE_CHUNK];
  uint64_t found[TREE_CHUNK];
  *count = unknown_pairs(memos, w->memo_bits, at, a, b, &w->batch, which, ids);
  size_t unknown = w->batch.count, done = unknown ? insert_pairs(w, table, &w->batch, found) : 0;
  for (size_t i = 0; i < done; i++) {
    uint64_t pair = memo_pair(w->batch.left[i], w->batch.right[i]);
    ids[which[i]] = found[i];
    memos[memo_of(pair, w->memo_bits)] = (struct tree_memo){pair, found[i]};
  }
  return done < unknown ? which[done] : *count;
}

// The state of a change.
static size_t state_of(uint64_t at, size_t change) {
  while (change--) at &= at - 1;
  return (size_t)__builtin_ctzll(at);
}

// Numbers node k of the first n states from the changes of its children, which leave the stack for
// its own; returns for how many of the states there was room.
static size_t number_node(struct tree_writer *w, size_t k, size_t n, bool insert) {
  const struct tree *t = (const struct tree *)w->base.store;
  size_t table = t->shape.nodes[k].index, count, done;
  struct tree_changes *a = w->stack[w->height - 2], *b = w->stack[w->height - 1];
  struct tree_changes *c = w->stack[w->height];
  uint64_t at = (a->at | b->at) & bits_below(n);
  w->stack[w->height] = a;
  w->stack[w->height-- - 2] = c;
  c->at = at;
  c->id[0] = w->ids[k];
  if (!at) return n;
  if (insert) {
    done = insert_unknown(w, table, at, a, b, &count, c->id + 1);
  } else {
    all_pairs(&w->batch, at, a, b);
    count = done = w->batch.count;
    pairs_find(&t->tables[table], &w->batch, c->id + 1);
  }
  w->ids[k] = c->id[done];
  if (done == count) return n;
  n = state_of(at, done);
  c->at &= bits_below(n);
  return n;
}

// Numbers all nodes but the root of the states of a chunk; there may be room for fewer than all.
static void number_parts(struct tree_writer *w, struct tree_chunk *c, const uint64_t *before,
                         bool insert) {
  const struct tree *t = (const struct tree *)w->base.store;
  compare_all(w, before, c->states, c->n);
  w->height = 0;
  for (size_t k = 0; k + 1 < t->shape.count && c->n > 0; k++) {
    if (t->shape.nodes[k].size == 1)
      leaf_changes(w, k, c->states, c->n);
    else
      c->n = number_node(w, k, c->n, insert);
  }
  if (c->n == 0) return;
  c->at = (w->stack[0]->at | w->stack[1]->at) & bits_below(c->n);
  all_pairs(&c->batch, c->at, w->stack[0], w->stack[1]);
}

// Ids and answers of the first n states of a chunk from the root's numbers. Where the root does not
// change, the state is that before.
static void give_answers(struct tree_writer *w, const struct tree_chunk *c, size_t n,
                         const uint64_t *found, enum store_answer *answers, uint64_t *ids) {
  const struct tree *t = (const struct tree *)w->base.store;
  uint64_t *id = &w->ids[t->shape.count - 1];
  for (size_t i = 0, change = 0; i < n; i++) {
    bool changed = c->at >> i & 1;
    if (changed) *id = found[change];
    if (answers) answers[c->places[i]] = changed && c->batch.fresh[change] ? STORE_NEW : STORE_OLD;
    ids[c->places[i]] = *id;
    change += changed;
  }
}

// Returns for how many states of the chunk there was room.
static size_t insert_roots(struct tree_writer *w, struct tree_chunk *c, enum store_answer *answers,
                           uint64_t *ids) {
  const struct tree *t = (const struct tree *)w->base.store;
  uint64_t found[TREE_CHUNK];
  size_t done = insert_pairs(w, t->shape.tables - 1, &c->batch, found);
  size_t n = done < c->batch.count ? state_of(c->at, done) : c->n;
  give_answers(w, c, n, found, answers, ids);
  tree_recent_settle(c, n, ids);
  return n;
}

// --- the writer ---

void tree_writer_renew(struct tree_writer *w) {
  const struct tree *t = (const struct tree *)w->base.store;
  w->made = t->made;
  w->any = false;
  memset(w->memos, 0xff, (t->shape.tables << w->memo_bits) * sizeof *w->memos); // TREE_NO_PAIR
  memset(w->hands, 0, (t->shape.tables - 1) * sizeof *w->hands);
}

// Two chunks are in work at a time: while memory brings the lines of the root's index for one, the
// other is filled, and while it brings the entries, the parts of the other are numbered. Returns
// the place of the first state for which there is no room, or n, and in `before` the last one
// numbered.
static size_t insert_all(struct tree_writer *w, const uint64_t *states, size_t n,
                         enum store_answer *answers, uint64_t *ids, const uint64_t **before) {
  const struct pairs *root = tree_root((const struct tree *)w->base.store);
  struct tree_chunk *old = &w->chunks[1], *new = &w->chunks[0];
  size_t place = 0;
  old->n = 0;
  do {
    place = tree_recent_sift(&w->recent, new, states, place, n, answers, ids);
    if (old->n > 0) pairs_peek(root, &old->batch);
    if (new->n > 0) {
      size_t wanted = new->n;
      number_parts(w, new, *before, true);
      *before = new->states[wanted - 1];
      if (new->n < wanted) n = place = new->places[new->n];
    }
    size_t got = old->n > 0 ? insert_roots(w, old, answers, ids) : 0;
    if (got < old->n) return old->places[got];
    if (new->n > 0) pairs_ask(root, &new->batch);
    struct tree_chunk *free = old;
    old = new;
    new = free;
  } while (old->n > 0);
  return n;
}

size_t tree_insert(struct tree_writer *w, const uint64_t *states, size_t n,
                   enum store_answer *answers, uint64_t *ids) {
  struct tree *t = (struct tree *)w->base.store;
  enter(t);
  if (pairs_count(tree_root(t)) >= tree_fit_at[t->fits]) {
    leave(t);
    tree_fit(t);
    enter(t);
  }
  if (w->made != t->made) tree_writer_renew(w);
  const uint64_t *before = w->any ? w->last : NULL;
  w->any = false; // until all is well
  tree_recent_begin(&w->recent);
  size_t done = insert_all(w, states, n, answers, ids, &before);
  leave(t);
  tree_recent_end(&w->recent, ids, done, n);
  w->any = before && done == n;
  if (w->any && before != w->last) memcpy(w->last, before, t->words * sizeof *before);
  return done;
}

static size_t tree_insert_batch(struct store_writer *base, const uint64_t *words, size_t count,
                                enum store_answer *answers, uint64_t *ids) {
  return tree_insert((struct tree_writer *)base, words, count, answers, ids);
}

static void tree_find_batch(struct store_writer *base, const uint64_t *words, size_t count,
                            uint64_t *ids) {
  struct tree_writer *w = (struct tree_writer *)base;
  struct tree *t = (struct tree *)base->store;
  struct tree_chunk *c = &w->chunks[0];
  uint64_t found[TREE_CHUNK];
  enter(t);
  if (w->made != t->made) tree_writer_renew(w);
  for (size_t first = 0; first < count; first += TREE_CHUNK) {
    c->n = count - first < TREE_CHUNK ? count - first : TREE_CHUNK;
    for (size_t i = 0; i < c->n; i++) {
      c->states[i] = words + (first + i) * t->words;
      c->places[i] = first + i;
    }
    number_parts(w, c, w->any ? w->last : NULL, false);
    pairs_find(tree_root(t), &c->batch, found);
    give_answers(w, c, c->n, found, NULL, ids);
    w->any = false; // numbers that there are not now may be there later
  }
  leave(t);
}

// --- states from ids ---

// Left subtrees are not the smaller ones: who waits is less than half of who waits below.
size_t tree_stack_height(const struct tree *t) {
  size_t height = 3;
  for (size_t leaves = t->leaves; leaves > 1; leaves /= 2) height++;
  return height;
}

struct tree_changes *tree_scratch(const struct tree *t) {
  return mem_alloc(tree_stack_height(t) * sizeof(struct tree_changes));
}

// Here id[0] is the number in the first state of a chunk, for which a bit is set too.

static void change_add(struct tree_changes *c, size_t *count, unsigned state, uint64_t id) {
  uint64_t changed = c->id[*count] != id;
  *count += changed;
  c->id[*count] = id;
  c->at |= changed << state;
}

// The changes of a node's children from its own, which are where those of the left one go.
static void read_node(const struct pairs *table, struct tree_changes *left,
                      struct tree_changes *right) {
  uint64_t at = left->at & (left->at - 1), l, r;
  size_t left_count = 0, right_count = 0;
  pairs_get(table, left->id[0], &l, &r);
  left->id[0] = l;
  right->id[0] = r;
  left->at = right->at = 1;
  for (size_t i = 1; at; at &= at - 1, i++) {
    unsigned state = (unsigned)__builtin_ctzll(at);
    pairs_get(table, left->id[i], &l, &r);
    change_add(left, &left_count, state, l);
    change_add(right, &right_count, state, r);
  }
}

static void read_leaf(const struct tree_changes *c, const struct tree_node *leaf, size_t n,
                      uint64_t *words, size_t stride) {
  size_t bit = (size_t)leaf->index * TREE_LEAF_BITS + leaf->shift;
  unsigned shift = bit % 64;
  words += bit / 64;
  if (c->at == 1 && c->id[0] == 0) return;
  for (size_t i = 0, change = 0; i < n; i++, words += stride) {
    change += i > 0 ? c->at >> i & 1 : 0;
    *words |= c->id[change] << shift;
  }
}

// From the root down, as many states at a time as a chunk has. Of two children the right one comes
// first, and the left one waits for it.
static void read_chunk(const struct tree *t, uint64_t first, size_t n, uint64_t *words,
                       struct tree_changes *stack) {
  memset(words, 0, n * t->words * sizeof *words);
  size_t height = 0;
  stack->at = bits_below(n);
  for (size_t i = 0; i < n; i++) stack->id[i] = first + i;
  for (size_t k = t->shape.count; k-- > 0;) {
    const struct tree_node *node = &t->shape.nodes[k];
    if (node->size == 1) {
      read_leaf(&stack[height], node, n, words, t->words);
      height--; // wraps round at the end
    } else {
      read_node(&t->tables[node->index], &stack[height], &stack[height + 1]);
      height++;
    }
  }
}

void tree_read(const struct tree *t, uint64_t first, size_t count, uint64_t *words,
               struct tree_changes *scratch) {
  for (size_t i = 0; i < count; i += TREE_CHUNK)
    read_chunk(t, first + i, count - i < TREE_CHUNK ? count - i : TREE_CHUNK, words + i * t->words,
               scratch);
}

static void tree_get_batch(const struct store *s, uint64_t first, size_t count, uint64_t *words) {
  struct tree *t = (struct tree *)s;
  if (count == 0) return;
  struct tree_changes *scratch = tree_scratch(t);
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

// Not by printf, which would make pages of the C library resident that a search does not need,
// while the store is still there: its peak is what counts.
static void add_whole(struct text *t, uint64_t number) {
  if (number > 9) add_whole(t, number / 10);
  text_char(t, (char)('0' + number % 10));
}

static void add_each(struct text *t, uint64_t bytes, uint64_t count) {
  uint64_t tenths = (10 * bytes + count / 2) / count;
  add_whole(t, tenths / 10);
  text_char(t, '.');
  text_char(t, (char)('0' + tenths % 10));
}

static void tree_facts(const struct store *s, struct store_facts *f) {
  struct tree *t = (struct tree *)s;
  size_t others = 0;
  enter(t);
  for (size_t i = 0; i < t->shape.tables; i++) {
    double load = pairs_load(&t->tables[i]);
    if (load > f->load) f->load = load;
    others += pairs_count(&t->tables[i]) > 0 && &t->tables[i] != tree_root(t);
  }
  uint64_t all = bytes_inside(t), root = pairs_bytes(tree_root(t));
  uint64_t count = pairs_count(tree_root(t));
  leave(t);
  if (count == 0) all = root = 0, count = 1;
  struct text text = {0};
  add_each(&text, root, count);
  text_add(&text, " bytes a state in the root's table, ");
  add_each(&text, all - root, count);
  text_add(&text, " in the ");
  add_whole(&text, others);
  text_add(&text, " others");
  f->sentence = text.data;
}

// The tables are sound, and as many ids as there are states lead to states that lead back to them.
static bool tree_check(const struct store *s) {
  const struct tree *t = (const struct tree *)s;
  for (size_t i = 0; i < t->shape.tables; i++)
    if (!pairs_check(&t->tables[i])) return false;
  struct store_writer *w = tree_writer_make((struct store *)s);
  uint64_t *words = mem_alloc(t->words * sizeof *words), right = 0;
  struct tree_changes *scratch = tree_scratch(t);
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
  uint64_t *words = mem_alloc(TREE_CHUNK * t->words * sizeof *words);
  struct tree_changes *scratch = tree_scratch(t);
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
