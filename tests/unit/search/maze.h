// SPDX-License-Identifier: Apache-2.0
// Random graphs of several shapes with what a search must find in them: the distances, by a
// breadth-first search of the test's own. The edges of a node are tried in the order in which they
// stand.
#pragma once

#include "graph.h"

enum { MAZE_NODES = 400, MAZE_EDGES = 1000, MAZE_STARTS = 4 };

struct maze {
  int nodes, edges, starts;
  int from[MAZE_EDGES], to[MAZE_EDGES]; // to >= nodes: taking this edge is a fault
  int start[MAZE_STARTS];
  bool bad[MAZE_NODES];     // violates an invariant: not expanded
  bool absent[MAZE_NODES];  // by an assumption: no state
  int distance[MAZE_NODES]; // -1: cannot be reached
  int farthest;             // greatest distance
};

static inline int maze_random(struct rng *r, int below) {
  return (int)rng_below(r, (uint64_t)below);
}

static inline void maze_edge(struct maze *m, int from, int to) {
  if (m->edges == MAZE_EDGES) return;
  m->from[m->edges] = from;
  m->to[m->edges++] = to;
}

// --- shapes ---

static inline void maze_some_edges(struct maze *m, struct rng *r, int count) {
  for (int i = 0; i < count; i++) maze_edge(m, maze_random(r, m->nodes), maze_random(r, m->nodes));
}

static inline void maze_sparse(struct maze *m, struct rng *r) {
  m->nodes = 2 + maze_random(r, 40);
  for (int i = 1; i < m->nodes; i++) maze_edge(m, maze_random(r, i), i);
  maze_some_edges(m, r, maze_random(r, m->nodes));
}

static inline void maze_dense(struct maze *m, struct rng *r) {
  m->nodes = 2 + maze_random(r, 12);
  for (int a = 0; a < m->nodes; a++)
    for (int b = 0; b < m->nodes; b++)
      if (maze_random(r, 5) < 2) maze_edge(m, a, b);
}

// The long way, and ways to be there sooner; some lead back.
static inline void maze_chain(struct maze *m, struct rng *r) {
  m->nodes = 3 + maze_random(r, 60);
  for (int i = 0; i + 1 < m->nodes; i++) maze_edge(m, i, i + 1);
  maze_some_edges(m, r, maze_random(r, m->nodes / 3 + 2));
}

// Two arms of different lengths to the same node, again and again.
static inline void maze_diamonds(struct maze *m, struct rng *r) {
  int last = 0;
  m->nodes = 1;
  while (m->nodes < 30) {
    int arm[2], meet;
    for (int k = 0; k < 2; k++) {
      int at = last;
      for (arm[k] = maze_random(r, 4); arm[k] > 0; arm[k]--, at = m->nodes++)
        maze_edge(m, at, m->nodes);
      arm[k] = at;
    }
    meet = m->nodes++;
    maze_edge(m, arm[0], meet);
    maze_edge(m, arm[1], meet);
    last = meet;
  }
  maze_some_edges(m, r, maze_random(r, 3));
}

// Right and down, and sometimes further: many ways to everything, of many lengths.
static inline void maze_grid(struct maze *m, struct rng *r) {
  int width = 2 + maze_random(r, 6), height = 2 + maze_random(r, 6);
  m->nodes = width * height;
  for (int i = 0; i < m->nodes; i++) {
    if ((i + 1) % width > 0) maze_edge(m, i, i + 1);
    if (i + width < m->nodes) maze_edge(m, i, i + width);
  }
  maze_some_edges(m, r, maze_random(r, width));
}

// A ring that is entered all over the place.
static inline void maze_ring(struct maze *m, struct rng *r) {
  m->nodes = 3 + maze_random(r, 30);
  int back = 1 + maze_random(r, m->nodes - 1);
  for (int i = 0; i < m->nodes; i++) {
    maze_edge(m, i, (i + 1) % m->nodes);
    if (maze_random(r, 4) == 0) maze_edge(m, i, i);
    if (maze_random(r, 3) == 0) maze_edge(m, i, (i + back) % m->nodes);
  }
}

static inline void maze_swap(int *a, int *b) {
  int c = *a;
  *a = *b;
  *b = c;
}

static inline void maze_shuffle(struct maze *m, struct rng *r) {
  for (int i = m->edges - 1; i > 0; i--) {
    int k = maze_random(r, i + 1);
    maze_swap(&m->from[i], &m->from[k]);
    maze_swap(&m->to[i], &m->to[k]);
  }
}

static inline void maze_reverse(struct maze *m) {
  for (int i = 0; i < m->edges / 2; i++) {
    maze_swap(&m->from[i], &m->from[m->edges - 1 - i]);
    maze_swap(&m->to[i], &m->to[m->edges - 1 - i]);
  }
}

static void (*const maze_shapes[])(struct maze *m, struct rng *r) = {
    maze_sparse, maze_dense, maze_chain, maze_diamonds, maze_grid, maze_ring};
enum { MAZE_SHAPES = sizeof maze_shapes / sizeof *maze_shapes };

// --- distances ---

static inline bool maze_fault(const struct maze *m, int edge) { return m->to[edge] >= m->nodes; }

// Is taking this edge a step to a state?
static inline bool maze_step(const struct maze *m, int edge) {
  return !maze_fault(m, edge) && !m->absent[m->to[edge]];
}

static inline bool maze_reached(const struct maze *m, int node, int depth) {
  return m->distance[node] >= 0 && m->distance[node] <= depth;
}

static inline void maze_measure(struct maze *m) {
  for (int i = 0; i < m->nodes; i++) m->distance[i] = -1;
  for (int i = 0; i < m->starts; i++)
    if (!m->absent[m->start[i]]) m->distance[m->start[i]] = 0;
  m->farthest = 0;
  for (int depth = 0; depth <= m->farthest; depth++)
    for (int i = 0; i < m->edges; i++) {
      int a = m->from[i], b = m->to[i];
      if (m->distance[a] != depth || m->bad[a] || !maze_step(m, i) || m->distance[b] >= 0) continue;
      m->distance[b] = m->farthest = depth + 1;
    }
}

static inline struct maze maze_new(struct rng *r) {
  struct maze m = {0};
  maze_shapes[maze_random(r, MAZE_SHAPES)](&m, r);
  int order = maze_random(r, 3);
  if (order == 1) maze_shuffle(&m, r);
  if (order == 2) maze_reverse(&m);
  m.starts = maze_random(r, 3) ? 1 : 1 + maze_random(r, MAZE_STARTS);
  for (int i = 1; i < m.starts; i++) m.start[i] = maze_random(r, m.nodes);
  maze_measure(&m);
  return m;
}

// A large one: deep, with dead ends all along, and many ways to come to the same place sooner. The
// ways in order are the long ones first.
static inline struct maze maze_large(struct rng *r) {
  struct maze m = {.starts = 1, .nodes = MAZE_NODES / 2 + maze_random(r, MAZE_NODES / 2)};
  int near = 2 + maze_random(r, 8), ways = 1 + maze_random(r, 60);
  for (int i = 1; i < m.nodes; i++) {
    int first = i > near ? i - near : 0;
    maze_edge(&m, first + maze_random(r, i - first), i);
  }
  maze_some_edges(&m, r, ways);
  if (maze_random(r, 2)) maze_shuffle(&m, r);
  maze_measure(&m);
  return m;
}

// States at this distance or nearer.
static inline uint64_t maze_within(const struct maze *m, int depth) {
  uint64_t n = 0;
  for (int i = 0; i < m->nodes; i++) n += maze_reached(m, i, depth);
  return n;
}

// At this distance, and there to be expanded.
static inline uint64_t maze_frontier(const struct maze *m, int depth) {
  uint64_t n = 0;
  for (int i = 0; i < m->nodes; i++) n += m->distance[i] == depth && !m->bad[i];
  return n;
}

// Rules that fire, without fault, when everything at this distance or nearer is expanded.
static inline uint64_t maze_fired(const struct maze *m, int depth) {
  uint64_t n = 0;
  for (int i = 0; i < m->edges; i++)
    n += maze_reached(m, m->from[i], depth) && !m->bad[m->from[i]] && !maze_fault(m, i);
  return n;
}

static inline bool maze_stuck(const struct maze *m, int node) {
  for (int i = 0; i < m->edges; i++)
    if (m->from[i] == node) return false;
  return true;
}

// Does anything lie behind the states at this distance: a state, a fault, a deadlock?
static inline bool maze_leads_on(const struct maze *m, int depth, bool deadlocks) {
  if (m->farthest > depth) return true;
  for (int i = 0; i < m->edges; i++)
    if (m->distance[m->from[i]] == depth && !m->bad[m->from[i]] && maze_fault(m, i)) return true;
  for (int i = 0; i < m->nodes && deadlocks; i++)
    if (m->distance[i] == depth && !m->bad[i] && maze_stuck(m, i)) return true;
  return false;
}

// --- its model: node by node a cover goal, or an invariant ---

static inline struct graph maze_graph(const struct maze *m) {
  struct graph g = graph_new(m->nodes);
  for (int i = 0; i < m->starts; i++) graph_start(&g, m->start[i]);
  for (int i = 0; i < m->edges; i++) graph_edge(&g, m->from[i], m->to[i]);
  for (int i = 0; i < m->nodes; i++)
    if (m->absent[i]) graph_property(&g, IR_PROP_ASSUME, "absent", graph_is_not(&g, i));
  return g;
}

// For whoever looks into a failure.
static inline void maze_print(const struct maze *m) {
  print_error("%d nodes, starts:", m->nodes);
  for (int i = 0; i < m->starts; i++) print_error(" %d", m->start[i]);
  print_error("\nedges:");
  for (int i = 0; i < m->edges; i++) print_error(" %d-%d", m->from[i], m->to[i]);
  print_error("\nbad:");
  for (int i = 0; i < m->nodes; i++)
    if (m->bad[i]) print_error(" %d", i);
  print_error("\nabsent:");
  for (int i = 0; i < m->nodes; i++)
    if (m->absent[i]) print_error(" %d", i);
  print_error("\n");
}
