// SPDX-License-Identifier: Apache-2.0
// Making a tree store, and making its tree again when there are states enough to fit it to: another
// tree is filled with the same states under the same ids, and takes the old one's place.
#include "store/tree.h"

#include "store/hash.h"

#include <string.h>

#ifdef FATHOM_SMALL
enum { BLOCK = 8, SAMPLES = 16 };
const uint64_t tree_fit_at[] = {40, 500, UINT64_MAX};
#else
enum { BLOCK = 1 << 12, SAMPLES = 1024 }; // block: ids that one of several writers takes at a time
const uint64_t tree_fit_at[] = {1 << 12, 1 << 16, UINT64_MAX};
#endif
enum {
  GAIN_PERCENT = 10,    // a tree that fits better by less is not worth making
  VALUE_BITS = 1 << 17, // to count values by
  PAIR_BITS = 72,       // of a pair in a table, with its share of the index
};
// Of addresses, for all regions together: as many as do not matter, or few where they do.
#ifdef FATHOM_SMALL
#define RESERVE_BYTES ((size_t)1 << 36)
#else
#define RESERVE_BYTES ((size_t)1 << 45)
#endif

// --- making and freeing ---

static void close_tables(struct tree *t) {
  for (size_t i = 0; i < t->shape.tables && t->tables; i++) pairs_clear(&t->tables[i]);
  region_close(&t->purse.late);
  mem_free(t->tables);
  mem_free(t->shape.nodes);
}

static bool open_tables(struct tree *t) {
  const struct store_config *c = &t->base.config;
  size_t all = region_addresses(0) / 2; // the rest is for those that grow
  size_t most = (all < RESERVE_BYTES ? all : RESERVE_BYTES) / (2 * t->shape.tables + 1);
  struct pairs_config config = {.threads = c->threads > 1 ? c->threads : 1,
                                .block = 1,
                                .count_max = UINT64_MAX,
                                .reserve_bytes = most < t->purse.limit ? most : t->purse.limit};
  t->tables = mem_zalloc(t->shape.tables, sizeof *t->tables);
  bool open = true;
  for (size_t i = 0; open && i < t->shape.tables; i++) {
    config.values = tree_shape_has_leaves(&t->shape, i);
    if (&t->tables[i] == tree_root(t)) {
      config.payload_bytes = c->payload_bytes;
      if (c->threads > 1) config.block = BLOCK;
      if (c->states_max) config.count_max = c->states_max;
    }
    open = pairs_init(&t->tables[i], &config, &t->purse);
  }
  return open;
}

void tree_free(struct store *s) {
  struct tree *t = (struct tree *)s;
  close_tables(t);
  gate_destroy(&t->tables_gate);
  gate_destroy(&t->shape_gate);
  mem_free(t);
}

struct store *tree_make(const struct store_config *c) {
  struct tree *t = mem_zalloc(1, sizeof *t);
  size_t bits = c->bits ? c->bits : 8 * c->bytes;
  gate_init(&t->shape_gate, c->threads > 1);
  gate_init(&t->tables_gate, c->threads > 1);
  t->base.config = *c;
  t->words = c->words;
  t->leaves = bits <= TREE_LEAF_BITS ? 2 : (bits + TREE_LEAF_BITS - 1) / TREE_LEAF_BITS;
  t->purse.limit = c->mem_bytes_max ? c->mem_bytes_max : SIZE_MAX;
  t->purse.waiting = &t->base.waiting;
  tree_shape_balance(&t->shape, t->leaves);
  if (open_tables(t)) return &t->base;
  tree_free(&t->base);
  mem_exhausted(c->bytes);
}

static unsigned memo_bits(const struct tree *t) {
  unsigned bits = TREE_MEMO_BITS_MIN;
  size_t bytes = t->shape.tables * sizeof(struct tree_memo);
  while (bits < TREE_MEMO_BITS_MAX && bytes << (bits + 1) <= TREE_MEMO_BYTES) bits++;
  return bits;
}

struct store_writer *tree_writer_make(struct store *s) {
  const struct tree *t = (const struct tree *)s;
  struct tree_writer *w = mem_zalloc(1, sizeof *w);
  w->base.store = s;
  w->hands = mem_zalloc(t->shape.tables, sizeof *w->hands);
  w->memo_bits = memo_bits(t);
  w->memos = mem_alloc((t->shape.tables << w->memo_bits) * sizeof *w->memos);
  w->last = mem_alloc(t->words * sizeof *w->last);
  w->ids = mem_zalloc(2 * t->leaves + 1, sizeof *w->ids); // of nodes, whatever the tree
  w->changes = mem_alloc(t->leaves * sizeof *w->changes);
  w->stack = mem_zalloc(tree_stack_height(t), sizeof *w->stack);
  for (size_t i = 0; i < tree_stack_height(t); i++) w->stack[i] = mem_alloc(sizeof **w->stack);
  tree_recent_init(&w->recent, t->words);
  tree_writer_renew(w);
  return &w->base;
}

void tree_writer_free(struct store_writer *base) {
  struct tree_writer *w = (struct tree_writer *)base;
  struct tree *t = (struct tree *)base->store;
  if (w->made != t->made) tree_writer_renew(w);
  for (size_t i = 0; i < t->shape.tables; i++) pairs_hand_clear(&t->tables[i], &w->hands[i]);
  for (size_t i = 0; i < tree_stack_height(t); i++) mem_free(w->stack[i]);
  tree_recent_clear(&w->recent);
  mem_free(w->stack);
  mem_free(w->changes);
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
  b.asked = b.peeked = 0;
  pairs_get(tree_root(t), id, &b.left[0], &b.right[0]);
  pairs_find(tree_root(t), &b, &found);
  return found == id;
}

// What it takes to make the tree again.
struct making {
  struct tree fresh; // its gates are open to this thread only
  struct store_writer *writer;
  uint32_t *values; // of each leaf in the sample states
  uint64_t *words;
  struct tree_changes *scratch;
};

// States from everywhere.
static void sample(const struct tree *t, struct making *m) {
  uint64_t next = tree_root(t)->next, id = 0;
  for (size_t i = 0; i < SAMPLES; i++) {
    uint64_t at = next * i / SAMPLES;
    if (id_used(t, at)) id = at; // else the one before again
    tree_read(t, id, 1, m->words, m->scratch);
    for (size_t leaf = 0; leaf < t->leaves; leaf++)
      m->values[leaf * SAMPLES + i] = tree_leaf(m->words, leaf);
  }
}

size_t tree_run(const struct tree *t, uint64_t id) {
  size_t n = 0;
  while (n < TREE_CHUNK && id + n < tree_root(t)->next && id_used(t, id + n)) n++;
  return n;
}

// Puts all states into the fresh tree, under the ids that they have. False: no room.
static bool fill(const struct tree *t, struct making *m) {
  struct pairs *root = tree_root(&m->fresh);
  struct tree_writer *w = (struct tree_writer *)m->writer;
  enum store_answer answers[TREE_CHUNK];
  uint64_t ids[TREE_CHUNK];
  root->next = tree_root(t)->next;
  for (uint64_t id = 0; id < root->next;) {
    size_t n = tree_run(t, id);
    if (n > 0) tree_read(t, id, n, m->words, m->scratch);
    w->hands[t->shape.tables - 1] = (struct pairs_hand){id, id + n};
    if (n > 0 && tree_insert(w, m->words, n, answers, ids) < n) return false;
    id += n > 0 ? n : 1;
  }
  w->hands[t->shape.tables - 1] = (struct pairs_hand){0};
  assert(root->count == tree_root(t)->count);
  return true;
}

// --- is a leaf to be numbered? ---

// Values of a leaf, about: each sets one of many bits, and few set the same.
struct values {
  uint32_t first, vary;
  uint64_t count;
  uint64_t bits[VALUE_BITS / 64];
};

static void value_add(struct values *v, uint32_t value) {
  uint64_t bit = (value * STORE_MIX_A >> 32) % VALUE_BITS;
  v->vary |= value ^ v->first;
  v->count += ~v->bits[bit / 64] >> bit % 64 & 1;
  v->bits[bit / 64] |= UINT64_C(1) << bit % 64;
}

// The values that the leaf has in all states.
static void values_read(const struct tree *t, struct making *m, size_t leaf, struct values *v) {
  *v = (struct values){0};
  for (uint64_t id = 0; id < tree_root(t)->next;) {
    size_t n = tree_run(t, id);
    if (n > 0) tree_read(t, id, n, m->words, m->scratch);
    if (n > 0 && v->count == 0) v->first = tree_leaf(m->words, leaf);
    for (size_t i = 0; i < n; i++) value_add(v, tree_leaf(m->words + i * t->words, leaf));
    id += n > 0 ? n : 1;
  }
}

// A leaf beside the root costs each state all the bits that vary. With numbers it costs those of
// the numbers, and each value a pair in a table.
static bool halves_pay(const struct tree *t, struct making *m, const struct tree_shape *s) {
  const struct tree_node *leaf = tree_shape_lone_leaf(s);
  if (!leaf) return false;
  struct values *v = mem_alloc(sizeof *v);
  values_read(t, m, leaf->index, v);
  uint64_t count = v->count, states = pairs_count(tree_root(t));
  unsigned vary = (unsigned)__builtin_popcount(v->vary);
  unsigned bits = 65 - (unsigned)__builtin_clzll(count); // one more: values will come
  mem_free(v);
  return vary > bits && count * PAIR_BITS < (vary - bits) * states;
}

// --- the other tree ---

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
  if (!move_payload(tree_root(t), tree_root(fresh))) return;
  struct tree_shape shape = t->shape;
  struct pairs *tables = t->tables;
  t->shape = fresh->shape;
  t->tables = fresh->tables;
  t->purse.held = fresh->purse.held;
  for (size_t i = 0; i < t->shape.tables; i++) {
    t->tables[i].purse = &t->purse;
    t->tables[i].stretched = false; // the old tree's memory is free again
  }
  t->made++;
  fresh->shape = shape;
  fresh->tables = tables;
  LOG(store, "made a tree for %zu states", (size_t)tree_root(t)->count);
}

static void make_again(struct tree *t, struct making *m) {
  struct tree *fresh = &m->fresh;
  m->words = mem_alloc(TREE_CHUNK * t->words * sizeof *m->words);
  m->scratch = tree_scratch(t);
  m->values = mem_alloc(t->leaves * SAMPLES * sizeof *m->values);
  sample(t, m);
  tree_shape_fit(&fresh->shape, t->leaves, m->values, SAMPLES);
  uint64_t now = tree_shape_price(&t->shape, m->values, SAMPLES);
  uint64_t then = tree_shape_price(&fresh->shape, m->values, SAMPLES);
  bool better = then * 100 <= now * (100 - GAIN_PERCENT);
  if (!better) tree_shape_copy(&fresh->shape, &t->shape);
  bool halves = halves_pay(t, m, &fresh->shape);
  if (!better && !halves) return;
  if (halves) tree_shape_halve(&fresh->shape);
  fresh->base.config = t->base.config;
  fresh->words = t->words;
  fresh->leaves = t->leaves;
  fresh->purse.limit = t->purse.limit > t->purse.held ? t->purse.limit - t->purse.held : 0;
  fresh->purse.waiting = &t->base.waiting;
  fresh->fits = sizeof tree_fit_at / sizeof *tree_fit_at - 1;
  if (!open_tables(fresh)) return;
  m->writer = tree_writer_make(&fresh->base);
  if (fill(t, m)) replace(t, fresh);
}

void tree_fit(struct tree *t) {
  gate_close(&t->shape_gate);
  if (pairs_count(tree_root(t)) >= tree_fit_at[t->fits]) {
    t->fits++;
    struct making m = {0};
    struct mem_boundary b;
    if (!mem_boundary_enter(&b)) {
      if (t->leaves > 2 && t->leaves <= TREE_FIT_LEAVES_MAX) make_again(t, &m);
      mem_boundary_leave(&b);
    }
    if (m.writer) tree_writer_free(m.writer);
    mem_free(m.values);
    mem_free(m.scratch);
    mem_free(m.words);
    close_tables(&m.fresh);
  }
  gate_open(&t->shape_gate);
}
