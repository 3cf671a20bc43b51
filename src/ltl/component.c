// SPDX-License-Identifier: Apache-2.0
// Strongly connected components (Tarjan's algorithm without recursion), which of their marks
// matter, and what can be left out because of them.
#include "ltl/graph.h"

#include <string.h>

void graph_clear(struct ltl_graph *g) {
  for (size_t i = 0; i < g->nodes.count; i++) VEC_CLEAR(&g->nodes.data[i]);
  VEC_CLEAR(&g->nodes);
}

uint32_t graph_node(struct ltl_graph *g) {
  VEC_PUSH(&g->nodes, ((struct ltl_edges){0}));
  return (uint32_t)g->nodes.count - 1;
}

size_t graph_edges(const struct ltl_graph *g) {
  size_t sum = 0;
  for (size_t i = 0; i < g->nodes.count; i++) sum += g->nodes.data[i].count;
  return sum;
}

// --- Tarjan ---

struct call {
  uint32_t node, edge; // the next edge to look at
};

struct tarjan {
  const struct ltl_graph *graph;
  const uint32_t *within; // only edges inside these components; NULL: all
  uint64_t without;       // only edges without these marks
  uint32_t *of;           // the result; NONE: not known yet
  uint32_t count;
  uint32_t *index, *low, time; // index 0: not visited
  VEC(uint32_t) open;          // visited, component not known
  VEC(struct call) calls;
};

enum { NONE = UINT32_MAX };

static bool takes(const struct tarjan *t, uint32_t from, const struct ltl_edge *e) {
  return !(e->marks & t->without) && (!t->within || t->within[from] == t->within[e->to]);
}

static void enter(struct tarjan *t, uint32_t node) {
  t->index[node] = t->low[node] = ++t->time;
  VEC_PUSH(&t->open, node);
  VEC_PUSH(&t->calls, ((struct call){node, 0}));
}

static void leave(struct tarjan *t, uint32_t node) {
  if (t->low[node] == t->index[node]) {
    uint32_t x;
    do t->of[x = VEC_POP(&t->open)] = t->count;
    while (x != node);
    t->count++;
  }
  (void)VEC_POP(&t->calls);
  if (!t->calls.count) return;
  uint32_t caller = VEC_TOP(&t->calls).node;
  if (t->low[node] < t->low[caller]) t->low[caller] = t->low[node];
}

static void step(struct tarjan *t) {
  struct call *c = &VEC_TOP(&t->calls);
  const struct ltl_edges *edges = &t->graph->nodes.data[c->node];
  if (c->edge == edges->count) return leave(t, c->node);
  uint32_t node = c->node;
  const struct ltl_edge *e = &edges->data[c->edge++];
  if (!takes(t, node, e)) return;
  if (!t->index[e->to])
    enter(t, e->to);
  else if (t->of[e->to] == NONE && t->index[e->to] < t->low[node])
    t->low[node] = t->index[e->to];
}

// The component of each node, by number; how many there are.
static uint32_t *tarjan(const struct ltl_graph *g, const uint32_t *within, uint64_t without,
                        uint32_t *count) {
  size_t n = g->nodes.count;
  struct tarjan t = {.graph = g, .within = within, .without = without};
  t.of = mem_alloc(n * sizeof *t.of);
  memset(t.of, 0xff, n * sizeof *t.of);
  t.index = mem_zalloc(n, sizeof *t.index);
  t.low = mem_zalloc(n, sizeof *t.low);
  for (uint32_t i = 0; i < n; i++) {
    if (t.index[i]) continue;
    enter(&t, i);
    while (t.calls.count) step(&t);
  }
  VEC_CLEAR(&t.open);
  VEC_CLEAR(&t.calls);
  mem_free(t.index);
  mem_free(t.low);
  *count = t.count;
  return t.of;
}

// --- marks ---

// The marks on edges inside each component, `without` certain ones.
static uint64_t *marks_inside(const struct ltl_graph *g, const uint32_t *of, uint32_t count,
                              uint64_t without, bool *cyclic) {
  uint64_t *marks = mem_zalloc(count, sizeof *marks);
  for (size_t i = 0; i < g->nodes.count; i++)
    for (size_t k = 0; k < g->nodes.data[i].count; k++) {
      const struct ltl_edge *e = &g->nodes.data[i].data[k];
      if (of[i] != of[e->to] || e->marks & without) continue;
      marks[of[i]] |= e->marks;
      cyclic[of[i]] = true;
    }
  return marks;
}

// A mark is needed in a component if there is a cycle with all the other needed ones but not with
// this one.
static void find_needed(struct components *c, const struct ltl_graph *g, uint64_t mark) {
  uint32_t count;
  uint32_t *of = tarjan(g, c->of, mark, &count);
  bool *cyclic = mem_zalloc(count, sizeof *cyclic);
  uint64_t *marks = marks_inside(g, of, count, mark, cyclic);
  bool *needed = mem_zalloc(c->count, sizeof *needed);
  for (size_t i = 0; i < g->nodes.count; i++) {
    uint64_t others = c->data[c->of[i]].needed & ~mark;
    if (cyclic[of[i]] && (others & ~marks[of[i]]) == 0) needed[c->of[i]] = true;
  }
  for (uint32_t i = 0; i < c->count; i++)
    if (!needed[i]) c->data[i].needed &= ~mark;
  mem_free(needed);
  mem_free(marks);
  mem_free(cyclic);
  mem_free(of);
}

void components_init(struct components *c, const struct ltl_graph *g) {
  c->of = tarjan(g, NULL, 0, &c->count);
  c->data = mem_zalloc(c->count, sizeof *c->data);
  bool *cyclic = mem_zalloc(c->count, sizeof *cyclic);
  uint64_t *marks = marks_inside(g, c->of, c->count, 0, cyclic);
  for (uint32_t i = 0; i < c->count; i++)
    c->data[i] = (struct component){
        .cyclic = cyclic[i], .accepting = cyclic[i] && marks[i] == g->marks, .needed = g->marks};
  mem_free(cyclic);
  mem_free(marks);
  for (uint64_t rest = g->marks; rest; rest &= rest - 1) find_needed(c, g, rest & -rest);
}

void components_clear(struct components *c) {
  mem_free(c->of);
  mem_free(c->data);
}

// --- trimming ---

// Marks matter on edges inside accepting components only, and only the needed ones.
static void clean_marks(struct ltl_graph *g, const struct components *c) {
  for (size_t i = 0; i < g->nodes.count; i++) {
    const struct component *own = &c->data[c->of[i]];
    for (size_t k = 0; k < g->nodes.data[i].count; k++) {
      struct ltl_edge *e = &g->nodes.data[i].data[k];
      bool inside = c->of[e->to] == c->of[i] || g->on_states;
      e->marks = own->accepting && inside ? (e->marks | ~own->needed) & g->marks : 0;
    }
  }
}

// By component: does anything accepting lie on the way from here? Edges lead to smaller numbers.
static bool *find_live(const struct ltl_graph *g, const struct components *c) {
  bool *live = mem_zalloc(c->count, sizeof *live);
  for (uint32_t i = 0; i < c->count; i++) live[i] = c->data[i].accepting;
  uint32_t *first = mem_zalloc((size_t)c->count + 1, sizeof *first); // nodes sorted by component
  uint32_t *sorted = mem_zalloc(g->nodes.count, sizeof *sorted);
  for (size_t i = 0; i < g->nodes.count; i++) first[c->of[i] + 1]++;
  for (uint32_t i = 0; i < c->count; i++) first[i + 1] += first[i];
  for (uint32_t i = 0; i < g->nodes.count; i++) sorted[first[c->of[i]]++] = i;
  for (size_t i = 0; i < g->nodes.count; i++) {
    const struct ltl_edges *edges = &g->nodes.data[sorted[i]];
    for (size_t k = 0; k < edges->count; k++)
      if (live[c->of[edges->data[k].to]]) live[c->of[sorted[i]]] = true;
  }
  mem_free(first);
  mem_free(sorted);
  return live;
}

static void drop_edges(struct ltl_graph *g, const struct components *c, const bool *live) {
  for (size_t i = 0; i < g->nodes.count; i++) {
    struct ltl_edges *edges = &g->nodes.data[i];
    size_t kept = 0;
    for (size_t k = 0; k < edges->count; k++)
      if (live[c->of[edges->data[k].to]]) edges->data[kept++] = edges->data[k];
    edges->count = kept;
  }
}

// Keeps what is reached from the start, numbered in the order in which it is reached.
static void keep_reached(struct ltl_graph *g) {
  uint32_t *new = mem_alloc(g->nodes.count * sizeof *new);
  memset(new, 0xff, g->nodes.count * sizeof *new);
  VEC(uint32_t) order = {0};
  VEC_PUSH(&order, g->start);
  new[g->start] = 0;
  for (size_t i = 0; i < order.count; i++) {
    struct ltl_edges *edges = &g->nodes.data[order.data[i]];
    for (size_t k = 0; k < edges->count; k++) {
      uint32_t to = edges->data[k].to;
      if (new[to] == NONE) {
        new[to] = (uint32_t)order.count;
        VEC_PUSH(&order, to);
      }
      edges->data[k].to = new[to];
    }
  }
  struct ltl_nodes kept = {0};
  for (size_t i = 0; i < order.count; i++) VEC_PUSH(&kept, g->nodes.data[order.data[i]]);
  for (size_t i = 0; i < g->nodes.count; i++)
    if (new[i] == NONE) VEC_CLEAR(&g->nodes.data[i]);
  VEC_CLEAR(&g->nodes);
  VEC_CLEAR(&order);
  mem_free(new);
  g->nodes = kept;
  g->start = 0;
}

void graph_trim(struct ltl_graph *g) {
  struct components c;
  components_init(&c, g);
  bool *live = find_live(g, &c);
  clean_marks(g, &c);
  drop_edges(g, &c, live);
  mem_free(live);
  components_clear(&c);
  keep_reached(g);
  for (size_t i = 0; i < g->nodes.count; i++) edges_simplify(&g->nodes.data[i]);
}
