// SPDX-License-Identifier: Apache-2.0
// From a formula to a Buchi automaton, step by step: rewriting, taking out what is about the past,
// tableau, simulation, the monitor of the past, one mark instead of many, simulation again. In
// which order the marks are waited for makes a difference that nobody foretells: some are tried,
// the smallest result is taken.
#include "ir/ir.h"
#include "ltl/past.h"
#include "ltl/rewrite.h"

enum { MARKS_MAX = 64, ORDERS_MAX = 24, TRIED_EDGES_MAX = 2000 };

// The next permutation in lexicographic order; false after the last.
static bool next_order(uint8_t *order, size_t n) {
  size_t i = n;
  while (i > 1 && order[i - 2] >= order[i - 1]) i--;
  if (i < 2) return false;
  size_t k = n - 1;
  while (order[k] <= order[i - 2]) k--;
  uint8_t x = order[i - 2];
  order[i - 2] = order[k];
  order[k] = x;
  for (size_t a = i - 1, b = n - 1; a < b; a++, b--) {
    x = order[a];
    order[a] = order[b];
    order[b] = x;
  }
  return true;
}

// The marks of a graph, those that some component needs first; how many those are.
static size_t first_order(const struct ltl_graph *g, uint8_t *order) {
  struct components c;
  components_init(&c, g);
  uint64_t needed = 0;
  for (uint32_t i = 0; i < c.count; i++)
    if (c.data[i].accepting) needed |= c.data[i].needed;
  components_clear(&c);
  size_t n = 0, count;
  for (uint64_t rest = needed; rest; rest &= rest - 1) order[n++] = (uint8_t)__builtin_ctzll(rest);
  count = n;
  for (uint64_t rest = g->marks & ~needed; rest; rest &= rest - 1)
    order[n++] = (uint8_t)__builtin_ctzll(rest);
  return count;
}

static bool smaller(const struct ltl_graph *a, const struct ltl_graph *b) {
  if (a->nodes.count != b->nodes.count) return a->nodes.count < b->nodes.count;
  return graph_edges(a) < graph_edges(b);
}

struct best {
  struct ltl_graph *graph;
  bool found;
  bool split; // its edges into components are
};

// Split edges pay in the product, if they cost no node.
static bool better(const struct best *b, const struct ltl_graph *x, bool split) {
  if (!b->found) return true;
  if (b->split != split && b->graph->nodes.count == x->nodes.count) return split;
  return smaller(x, b->graph);
}

static void take_better(struct best *b, struct ltl_graph *x, bool split) {
  struct ltl_graph other = *x;
  if (better(b, x, split)) {
    other = b->found ? *b->graph : (struct ltl_graph){0};
    *b = (struct best){b->graph, true, split};
    *b->graph = *x;
  }
  graph_clear(&other);
}

static void try_order(struct best *b, const struct ltl_graph *g, bool on_states, bool by_states,
                      const uint8_t *order) {
  for (int split = 0; split < 2; split++) {
    struct ltl_graph x;
    bool fits = graph_degeneralise(&x, g, by_states, split, order);
    x.on_states = on_states;
    if (fits) graph_simulate(&x);
    if (fits)
      take_better(b, &x, split);
    else
      graph_clear(&x);
  }
}

// With the marks on edges, those that come from marks on states are tried too. False: too large.
static bool one_mark(struct ltl_graph *best, const struct ltl_graph *g, bool on_states) {
  uint8_t order[MARKS_MAX];
  size_t needed = first_order(g, order);
  int tries = graph_edges(g) * (needed + 1) > TRIED_EDGES_MAX ? 1 : ORDERS_MAX;
  struct best b = {.graph = best};
  do {
    for (int by_states = on_states; by_states < 2; by_states++)
      try_order(&b, g, on_states, by_states, order);
  } while (--tries > 0 && next_order(order, needed));
  return b.found;
}

// The automaton of a formula in normal form, without past, and of the past that was taken out of
// it; false: too large.
static bool translate(struct ltl_graph *out, struct ltl_factory *f, const struct ltl *x,
                      const struct ltl_past *past, bool on_states) {
  struct ltl_graph g = {0};
  bool fits = ltl_tableau(&g, f, x);
  if (fits) graph_simulate(&g);
  if (fits && past->told) {
    fits = graph_recall(&g, past);
    if (fits) graph_simulate(&g);
  }
  if (fits) fits = one_mark(out, &g, on_states);
  graph_clear(&g);
  return fits;
}

// The smaller one of those of the two forms of a formula.
static bool translate_both(struct ltl_graph *out, struct ltl_factory *f, const struct ltl *x,
                           const struct ltl_past *past, bool on_states) {
  const struct ltl *y = ltl_gather(f, x);
  bool fits = translate(out, f, y, past, on_states);
  if (x == y || (fits && graph_edges(out) > TRIED_EDGES_MAX)) return fits;
  struct ltl_graph other = {0};
  bool other_fits = translate(&other, f, x, past, on_states);
  if (!other_fits || (fits && !smaller(&other, out))) {
    graph_clear(&other);
    return fits;
  }
  graph_clear(out);
  *out = other;
  return true;
}

// --- the result ---

static bool is_universal(const struct ltl_edges *edges, uint32_t self) {
  if (edges->count != 1) return false;
  const struct ltl_edge *e = &edges->data[0];
  return e->to == self && e->marks && !e->cube.yes && !e->cube.no;
}

static void set_state(struct ir_automaton_state *s, const struct ltl_edges *edges, uint32_t self,
                      bool on_states, struct arena *a) {
  s->accepting = on_states && edges->count && edges->data[0].marks;
  s->final = is_universal(edges, self);
  s->edge_count = (uint32_t)edges->count;
  s->edges = ARENA_ARRAY(a, struct ir_automaton_edge, edges->count);
  for (size_t i = 0; i < edges->count; i++) {
    const struct ltl_edge *e = &edges->data[i];
    assert(!on_states || s->accepting == (e->marks != 0));
    s->edges[i] = (struct ir_automaton_edge){.yes = e->cube.yes, .no = e->cube.no, .to = e->to};
    s->edges[i].accepting = !on_states && e->marks;
  }
}

static struct ir_automaton *finish(const struct ltl_graph *g, bool stutters, struct arena *a) {
  assert(g->start == 0);
  struct ir_automaton *result = ARENA_NEW(a, struct ir_automaton);
  result->count = (uint32_t)g->nodes.count;
  result->states = ARENA_ARRAY(a, struct ir_automaton_state, result->count);
  result->on_edges = !g->on_states;
  result->accept_atom = -1;
  result->stutters = stutters;
  for (uint32_t i = 0; i < result->count; i++)
    set_state(&result->states[i], &g->nodes.data[i], i, g->on_states, a);
  return result;
}

struct ir_automaton *ltl_automaton(struct ltl_factory *f, const struct ltl *x, bool on_edges,
                                   struct arena *a) {
  const struct ltl *formula = ltl_rewrite(f, x);
  struct ltl_past past = {0};
  struct ltl_graph g = {0};
  struct ir_automaton *result = NULL;
  const struct ltl *rest = past_split(&past, f, formula);
  if (rest && translate_both(&g, f, rest, &past, !on_edges))
    result = finish(&g, !ltl_uses_next(formula), a);
  past_clear(&past);
  graph_clear(&g);
  return result;
}

void ltl_endless(struct ir_automaton *a) {
  a->stuck_ends = true;
  for (uint32_t i = 0; i < a->count; i++) a->states[i].final = false;
}
