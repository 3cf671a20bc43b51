// SPDX-License-Identifier: Apache-2.0
// Smaller automata by direct simulation (Etessami and Holzmann, CONCUR 2000; Somenzi and Bloem, CAV
// 2000). q simulates p if every edge of p is matched, valuation by valuation, by edges of q that
// have its marks and lead to nodes that simulate its target. Then q accepts whatever p accepts;
// nodes that simulate each other become one, and an edge that others of the same node match is left
// out.
#include "ltl/graph.h"

#include <stdlib.h>
#include <string.h>

static const uint64_t work_max = 30 * 1000 * 1000;
enum { NODES_MAX = 2000 };

struct simulation {
  struct ltl_graph *graph;
  size_t count, words;
  uint64_t *by;          // by[p]: a set of nodes, those that simulate p
  struct ltl_edges some; // of one node: those that may match
  uint64_t work;
};

static bool simulated(const struct simulation *s, uint32_t p, uint32_t q) {
  return s->by[p * s->words + q / 64] >> (q % 64) & 1;
}

// Is the edge matched by others? skip: not by this one; marks: those that count.
static bool matched(struct simulation *s, const struct ltl_edge *e, const struct ltl_edges *others,
                    const struct ltl_edge *skip, uint64_t marks) {
  s->some.count = 0;
  s->work += others->count;
  for (size_t i = 0; i < others->count; i++) {
    const struct ltl_edge *f = &others->data[i];
    if (f == skip || (e->marks & marks & ~f->marks) || !cube_meets(e->cube, f->cube) ||
        !simulated(s, e->to, f->to))
      continue;
    if (cube_within(e->cube, f->cube)) return true;
    VEC_PUSH(&s->some, *f);
  }
  return s->some.count > 1 && edges_cover(&s->some, e->cube, &s->work);
}

static bool edges_matched(struct simulation *s, uint32_t p, uint32_t q, uint64_t marks) {
  const struct ltl_edges *edges = &s->graph->nodes.data[p];
  for (size_t i = 0; i < edges->count; i++)
    if (!matched(s, &edges->data[i], &s->graph->nodes.data[q], NULL, marks)) return false;
  return true;
}

// Most edges lead to larger numbers: backwards, a round learns from itself.
static bool refine(struct simulation *s) {
  bool changed = false;
  for (uint32_t p = (uint32_t)s->count; p-- > 0;)
    for (uint32_t q = 0; q < s->count && s->work < work_max; q++) {
      if (p == q || !simulated(s, p, q) || edges_matched(s, p, q, s->graph->marks)) continue;
      s->by[p * s->words + q / 64] &= ~(UINT64_C(1) << (q % 64));
      changed = true;
    }
  return changed;
}

// False: it would take too long.
static bool simulation_init(struct simulation *s, struct ltl_graph *g) {
  *s = (struct simulation){.graph = g, .count = g->nodes.count};
  if (s->count > NODES_MAX) return false;
  s->words = (s->count + 63) / 64;
  s->by = mem_alloc(s->count * s->words * sizeof *s->by);
  memset(s->by, 0xff, s->count * s->words * sizeof *s->by);
  while (refine(s)) {
  }
  return s->work < work_max;
}

static void simulation_clear(struct simulation *s) {
  mem_free(s->by);
  VEC_CLEAR(&s->some);
}

// --- nodes ---

static void redirect(struct ltl_graph *g, const uint32_t *to) {
  for (size_t i = 0; i < g->nodes.count; i++)
    for (size_t k = 0; k < g->nodes.data[i].count; k++) {
      struct ltl_edge *e = &g->nodes.data[i].data[k];
      e->to = to[e->to];
    }
  g->start = to[g->start];
}

static void merge_nodes(struct simulation *s) {
  uint32_t *to = mem_zalloc(s->count, sizeof *to);
  for (uint32_t p = 0; p < s->count; p++) {
    to[p] = p;
    for (uint32_t q = 0; q < p && to[p] == p; q++)
      if (simulated(s, p, q) && simulated(s, q, p)) to[p] = q;
  }
  redirect(s->graph, to);
  mem_free(to);
}

static void prune_edges(struct simulation *s) {
  for (uint32_t p = 0; p < s->count; p++) {
    struct ltl_edges *edges = &s->graph->nodes.data[p];
    for (size_t i = edges->count; i-- > 0 && s->work < 2 * work_max;)
      if (matched(s, &edges->data[i], edges, &edges->data[i], s->graph->marks))
        edges->data[i] = edges->data[--edges->count];
  }
}

// --- languages ---

bool graph_redirect(struct ltl_graph *g, const uint32_t *class) {
  struct components c;
  components_init(&c, g);
  uint32_t count = (uint32_t)g->nodes.count;
  uint32_t *best = mem_alloc(count * sizeof *best); // by class: a node in the lowest component
  memset(best, 0xff, count * sizeof *best);
  for (uint32_t i = 0; i < count; i++)
    if (best[class[i]] == UINT32_MAX || c.of[i] < c.of[best[class[i]]]) best[class[i]] = i;
  bool changed = best[class[g->start]] != g->start;
  g->start = best[class[g->start]];
  for (uint32_t i = 0; i < count; i++)
    for (size_t k = 0; k < g->nodes.data[i].count; k++) {
      struct ltl_edge *e = &g->nodes.data[i].data[k];
      uint32_t to = c.of[e->to] != c.of[i] ? best[class[e->to]] : e->to;
      changed = changed || to != e->to;
      e->to = to;
    }
  mem_free(best);
  components_clear(&c);
  return changed;
}

// Nodes accept the same also if their edges match each other but for the marks.
static bool redirect_equals(struct simulation *s) {
  uint32_t *class = mem_zalloc(s->count, sizeof *class);
  for (uint32_t p = 0; p < s->count; p++) {
    class[p] = p;
    for (uint32_t q = 0; q < p && class[p] == p; q++)
      if (class[q] == q && edges_matched(s, p, q, 0) && edges_matched(s, q, p, 0)) class[p] = q;
  }
  bool changed = graph_redirect(s->graph, class);
  mem_free(class);
  return changed;
}

static void round_of(struct ltl_graph *g) {
  struct simulation s;
  bool known = simulation_init(&s, g);
  if (known && redirect_equals(&s)) { // the relation was of the graph as it was
    simulation_clear(&s);
    graph_trim(g);
    known = simulation_init(&s, g);
  }
  if (known) {
    merge_nodes(&s);
    prune_edges(&s);
  }
  simulation_clear(&s);
  graph_trim(g);
}

// --- equal edges ---

static uint64_t hash_edges(const struct ltl_edges *e) {
  uint64_t hash = e->count;
  for (size_t i = 0; i < e->count; i++) {
    const struct ltl_edge *x = &e->data[i];
    uint64_t words[] = {hash, x->cube.yes, x->cube.no, x->marks, x->to};
    hash = hash_words(words, sizeof words / sizeof *words);
  }
  return hash;
}

static bool equal_edges(const struct ltl_edges *a, const struct ltl_edges *b) {
  if (a->count != b->count) return false;
  for (size_t i = 0; i < a->count; i++) {
    const struct ltl_edge *x = &a->data[i], *y = &b->data[i];
    if (x->cube.yes != y->cube.yes || x->cube.no != y->cube.no || x->marks != y->marks ||
        x->to != y->to)
      return false;
  }
  return true;
}

// Nodes with equal edges become one: cheap, and of use also where simulation takes too long.
static void merge_equals(struct ltl_graph *g) {
  size_t n = g->nodes.count, size = 64;
  while (size < 2 * n) size *= 2;
  uint32_t *table = mem_zalloc(size, sizeof *table), *to = mem_zalloc(n, sizeof *to);
  for (uint32_t i = 0; i < n; i++) {
    size_t slot = hash_edges(&g->nodes.data[i]) & (size - 1);
    while (table[slot] && !equal_edges(&g->nodes.data[table[slot] - 1], &g->nodes.data[i]))
      slot = (slot + 1) & (size - 1);
    if (!table[slot]) table[slot] = i + 1;
    to[i] = table[slot] - 1;
  }
  redirect(g, to);
  mem_free(table);
  mem_free(to);
  graph_trim(g);
}

void graph_simulate(struct ltl_graph *g) {
  size_t nodes, edges;
  graph_trim(g);
  do {
    nodes = g->nodes.count;
    merge_equals(g);
  } while (g->nodes.count < nodes);
  do {
    nodes = g->nodes.count;
    edges = graph_edges(g);
    round_of(g);
  } while (g->nodes.count < nodes || graph_edges(g) < edges);
}
