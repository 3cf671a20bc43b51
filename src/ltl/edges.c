// SPDX-License-Identifier: Apache-2.0
// Sets of cubes, as they stand on edges: covering and simplifying, by splitting along one atom
// after the other. Exponential in the number of atoms at worst; the number of splits is bounded,
// and a cover that is not found in time counts as none.
#include "ltl/graph.h"

#include <stdlib.h>

enum { SPLITS_MAX = 1024, COVER_MAX = 256, WIDENED_MAX = 128, WORK_MAX = 1000000 };

static bool cover(const struct ltl_edges *e, struct ltl_cube cube, int *splits) {
  uint64_t atoms = 0;
  for (size_t i = 0; i < e->count; i++) {
    if (cube_within(cube, e->data[i].cube)) return true;
    if (cube_meets(cube, e->data[i].cube)) atoms |= e->data[i].cube.yes | e->data[i].cube.no;
  }
  atoms &= ~(cube.yes | cube.no);
  if (!atoms || (*splits)-- <= 0) return false;
  uint64_t atom = atoms & -atoms;
  struct ltl_cube yes = {cube.yes | atom, cube.no}, no = {cube.yes, cube.no | atom};
  return cover(e, yes, splits) && cover(e, no, splits);
}

bool edges_cover(const struct ltl_edges *e, struct ltl_cube cube, uint64_t *work) {
  int splits = e->count > COVER_MAX ? 0 : SPLITS_MAX, before = splits;
  bool answer = cover(e, cube, &splits);
  *work += (uint64_t)(before - splits + 1) * e->count;
  return answer;
}

// Drops literals as long as what is added is covered anyway.
static void widen(const struct ltl_edges *e, struct ltl_cube *cube, uint64_t *work) {
  for (uint64_t rest = cube->yes | cube->no; rest; rest &= rest - 1) {
    uint64_t atom = rest & -rest;
    struct ltl_cube other = {cube->yes ^ atom, cube->no ^ atom}; // the literal the other way round
    if (!edges_cover(e, other, work)) continue;
    cube->yes &= ~atom;
    cube->no &= ~atom;
  }
}

static int literals(const void *edge) {
  const struct ltl_edge *e = edge;
  return __builtin_popcountll(e->cube.yes) + __builtin_popcountll(e->cube.no);
}

static int by_width(const void *a, const void *b) { return literals(a) - literals(b); }

// Drops edges inside others, of edges to the same node with the same marks: the widest come first.
static void drop_inside(struct ltl_edges *g) {
  qsort(g->data, g->count, sizeof *g->data, by_width);
  size_t kept = 0;
  for (size_t i = 0, k; i < g->count; i++) {
    for (k = 0; k < kept && !cube_within(g->data[i].cube, g->data[k].cube); k++) {
    }
    if (k == kept) g->data[kept++] = g->data[i];
  }
  g->count = kept;
}

// One group: edges to the same node with the same marks.
static void simplify_group(struct ltl_edges *g) {
  uint64_t work = 0;
  drop_inside(g);
  if (g->count < 2 || g->count > WIDENED_MAX) return;
  for (size_t i = 0; i < g->count && work < WORK_MAX; i++) widen(g, &g->data[i].cube, &work);
  for (size_t i = g->count; i-- > 0;) {
    struct ltl_edge e = g->data[i];
    g->data[i] = g->data[--g->count];
    if (work < WORK_MAX && edges_cover(g, e.cube, &work)) continue;
    g->data[g->count++] = g->data[i];
    g->data[i] = e;
  }
}

static int compare(const void *x, const void *y) {
  const struct ltl_edge *a = x, *b = y;
  if (a->to != b->to) return a->to < b->to ? -1 : 1;
  if (a->marks != b->marks) return a->marks < b->marks ? -1 : 1;
  if (a->cube.yes != b->cube.yes) return a->cube.yes < b->cube.yes ? -1 : 1;
  return a->cube.no < b->cube.no ? -1 : a->cube.no > b->cube.no;
}

void edges_simplify(struct ltl_edges *e) {
  if (e->count == 0) return;
  qsort(e->data, e->count, sizeof *e->data, compare);
  size_t kept = 0;
  for (size_t i = 0, n; i < e->count; i = n) {
    for (n = i + 1;
         n < e->count && e->data[n].to == e->data[i].to && e->data[n].marks == e->data[i].marks;)
      n++;
    struct ltl_edges group = {.data = e->data + i, .count = n - i};
    simplify_group(&group);
    for (size_t k = 0; k < group.count; k++) e->data[kept++] = group.data[k];
  }
  e->count = kept;
  qsort(e->data, e->count, sizeof *e->data, compare);
}
