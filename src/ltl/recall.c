// SPDX-License-Identifier: Apache-2.0
// Pairs a graph with the monitor of the past (past.h): a new node is an old one and what the
// monitor remembers, as far as that matters from there on. Literals of atoms that the monitor tells
// become conditions on the others: an edge is split along one atom after the other until its
// literals, and what is remembered next, are decided.
#include "ltl/past.h"

#include <string.h>

enum { TABLE_SIZE = 4 * LTL_STATES_MAX, EDGES_MAX = 1 << 20 };
static const uint64_t work_max = 100 * 1000 * 1000;

enum { NO = 1, YES = 2, EITHER = NO | YES }; // values that are possible

struct place {
  uint32_t node; // of the old graph
  struct past_memory memory;
};

struct recall {
  const struct ltl_graph *from;
  struct ltl_graph *to;
  const struct ltl_past *past;
  struct past_memory *needed; // by old node: bits that matter from there on
  VEC(struct place) places;   // by new node
  uint32_t *table;            // of places: number + 1, open addressing
  uint8_t *values;            // by node of the past
  uint64_t work;
  size_t edges;
  bool full; // a limit is reached
};

// --- what matters ---

static bool need(struct past_memory *all, const struct past_memory *more) {
  bool changed = false;
  for (int i = 0; i < PAST_WORDS; i++) {
    changed = changed || (more->words[i] & ~all->words[i]);
    all->words[i] |= more->words[i];
  }
  return changed;
}

static bool need_for_edge(struct recall *r, uint32_t from, const struct ltl_edge *e) {
  const struct ltl_past *p = r->past;
  bool changed = need(&r->needed[from], &r->needed[e->to]);
  for (uint64_t rest = (e->cube.yes | e->cube.no) & p->told; rest; rest &= rest - 1)
    if (need(&r->needed[from], &p->nodes.data[p->tellers[__builtin_ctzll(rest)]].memory))
      changed = true;
  return changed;
}

static void find_needed(struct recall *r) {
  bool changed;
  do {
    changed = false;
    for (uint32_t i = 0; i < r->from->nodes.count; i++) {
      const struct ltl_edges *edges = &r->from->nodes.data[i];
      for (size_t k = 0; k < edges->count; k++)
        if (need_for_edge(r, i, &edges->data[k])) changed = true;
    }
  } while (changed);
}

// --- places ---

static uint32_t *slot_of(const struct recall *r, const struct place *p) {
  uint64_t words[PAST_WORDS + 1] = {p->node};
  memcpy(words + 1, p->memory.words, sizeof p->memory.words);
  size_t i = hash_words(words, PAST_WORDS + 1) & (TABLE_SIZE - 1);
  for (; r->table[i]; i = (i + 1) & (TABLE_SIZE - 1)) {
    const struct place *other = &r->places.data[r->table[i] - 1];
    if (other->node == p->node && memcmp(&other->memory, &p->memory, sizeof p->memory) == 0) break;
  }
  return &r->table[i];
}

// The memory holds nothing but what is needed from the node on.
static uint32_t number_of(struct recall *r, const struct place *p) {
  uint32_t *slot = slot_of(r, p);
  if (*slot) return *slot - 1;
  if (r->places.count == LTL_STATES_MAX) {
    r->full = true;
    return 0;
  }
  VEC_PUSH(&r->places, *p);
  *slot = (uint32_t)r->places.count;
  return graph_node(r->to);
}

// --- the monitor ---

static uint8_t both(uint8_t a, uint8_t b) { return ((a | b) & NO) | (a & b & YES); }
static uint8_t either(uint8_t a, uint8_t b) { return ((a | b) & YES) | (a & b & NO); }

static uint8_t value_of(const struct past_node *n, const uint8_t *values, uint8_t before,
                        struct ltl_cube cube) {
  uint8_t a = values[n->left], b = values[n->right];
  switch (n->op) {
  case LTL_TRUE: return YES;
  case LTL_FALSE: return NO;
  case LTL_ATOM: return cube.yes & n->atoms ? YES : cube.no & n->atoms ? NO : EITHER;
  case LTL_NOT: return a == EITHER ? EITHER : a ^ EITHER;
  case LTL_AND: return both(a, b);
  case LTL_OR: return either(a, b);
  case LTL_ONCE: return either(a, before);
  case LTL_HISTORICALLY: return both(a, before);
  case LTL_SINCE: return either(b, both(a, before));
  case LTL_TRIGGERED: return both(b, either(a, before));
  default: assert(n->op == LTL_PREVIOUS || n->op == LTL_WEAK_PREVIOUS); return before;
  }
}

// In a state within the cube, after what is remembered.
static void evaluate(struct recall *r, const struct past_memory *memory, struct ltl_cube cube) {
  const struct ltl_past *p = r->past;
  for (uint32_t i = 0; i < p->nodes.count; i++) {
    const struct past_node *n = &p->nodes.data[i];
    r->values[i] = value_of(n, r->values, memory_has(memory, n->bit) ? YES : NO, cube);
  }
  r->work += p->nodes.count + 1;
  if (r->work > work_max) r->full = true;
}

// --- edges ---

// Are the edge's literals of this kind possible? Adds atoms that are to be known, to decide that.
static bool allows(const struct recall *r, uint64_t literals, uint8_t wanted, uint64_t *open) {
  const struct ltl_past *p = r->past;
  for (uint64_t rest = literals & p->told; rest; rest &= rest - 1) {
    uint32_t teller = p->tellers[__builtin_ctzll(rest)];
    if (!(r->values[teller] & wanted)) return false;
    if (r->values[teller] == EITHER) *open |= p->nodes.data[teller].atoms;
  }
  return true;
}

// What is remembered next, as far as node `to` needs it.
static struct past_memory remember(const struct recall *r, uint32_t to, uint64_t *open) {
  const struct ltl_past *p = r->past;
  struct past_memory m = {0};
  for (uint32_t bit = 0; bit < p->keepers.count; bit++) {
    uint32_t keeper = p->keepers.data[bit];
    if (!memory_has(&r->needed[to], bit)) continue;
    if (r->values[keeper] == EITHER) *open |= p->nodes.data[keeper].atoms;
    if (r->values[keeper] == YES) memory_put(&m, bit);
  }
  return m;
}

static void push_edge(struct recall *r, uint32_t from, const struct ltl_edge *e,
                      struct ltl_cube cube, struct past_memory memory) {
  struct place place = {.node = e->to, .memory = memory};
  struct ltl_edge new = {.marks = e->marks, .to = number_of(r, &place)};
  new.cube = (struct ltl_cube){cube.yes & ~r->past->hidden, cube.no & ~r->past->hidden};
  VEC_PUSH(&r->to->nodes.data[from], new);
  if (++r->edges > EDGES_MAX) r->full = true;
}

// New edges for an old one, as far as it is in the cube.
static void add_edges(struct recall *r, uint32_t from, const struct ltl_edge *e,
                      struct ltl_cube cube) {
  struct past_memory now = r->places.data[from].memory;
  uint64_t open = 0;
  evaluate(r, &now, cube);
  if (r->full || !allows(r, e->cube.yes, YES, &open) || !allows(r, e->cube.no, NO, &open)) return;
  struct past_memory then = remember(r, e->to, &open);
  open &= ~(cube.yes | cube.no); // where all atoms are known, all values are
  if (!open) {
    push_edge(r, from, e, cube, then);
    return;
  }
  uint64_t atom = open & -open;
  add_edges(r, from, e, (struct ltl_cube){cube.yes | atom, cube.no});
  add_edges(r, from, e, (struct ltl_cube){cube.yes, cube.no | atom});
}

static void build(struct recall *r) {
  struct place start = {.node = r->from->start, .memory = r->past->start};
  find_needed(r);
  for (int i = 0; i < PAST_WORDS; i++) start.memory.words[i] &= r->needed[start.node].words[i];
  r->to->start = number_of(r, &start);
  for (uint32_t i = 0; i < r->places.count && !r->full; i++) {
    const struct ltl_edges *edges = &r->from->nodes.data[r->places.data[i].node];
    for (size_t k = 0; k < edges->count && !r->full; k++) {
      struct ltl_cube cube = edges->data[k].cube;
      cube.yes &= ~r->past->told;
      cube.no &= ~r->past->told;
      add_edges(r, i, &edges->data[k], cube);
    }
    edges_simplify(&r->to->nodes.data[i]);
  }
}

bool graph_recall(struct ltl_graph *g, const struct ltl_past *p) {
  struct ltl_graph to = {.marks = g->marks, .on_states = g->on_states};
  struct recall r = {.from = g, .to = &to, .past = p};
  r.needed = mem_zalloc(g->nodes.count, sizeof *r.needed);
  r.table = mem_zalloc(TABLE_SIZE, sizeof *r.table);
  r.values = mem_zalloc(p->nodes.count + 1, sizeof *r.values);
  build(&r);
  VEC_CLEAR(&r.places);
  mem_free(r.needed);
  mem_free(r.table);
  mem_free(r.values);
  graph_clear(g);
  *g = to;
  return !r.full;
}
