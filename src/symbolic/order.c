// SPDX-License-Identifier: Apache-2.0
// An order of leaves and choices: by the names of a file, or from what depends on what, by FORCE
// (Aloul, Markov, Sakallah 2003): every piece of the relation pulls what it speaks of to its centre
// of gravity, again and again; the best order on the way is kept, the declared one among them.
#include "ir/ir.h"
#include "symbolic/order_graph.h"
#include "symbolic/space_own.h"

#include <stdlib.h>
#include <string.h>

// --- names ---

struct named {
  char *name;
  uint64_t leaf;
};
typedef VEC(struct named) names;

static int by_name(const void *a, const void *b) {
  const struct named *x = a, *y = b;
  int order = strcmp(x->name, y->name);
  return order ? order : x->leaf < y->leaf ? -1 : x->leaf > y->leaf;
}

static void add_name(names *n, const char *name, uint64_t leaf) {
  VEC_PUSH(n, ((struct named){mem_strdup(name), leaf}));
}

// Each leaf by its own name, and by its variable's.
static void gather_names(names *n, const struct ir_model *m) {
  for (uint64_t i = 0; i < m->layout->count; i++) {
    struct text t = {0};
    ir_leaf_name(&t, m, i);
    add_name(n, text_str(&t), i);
    const char *variable = ir_leaf_var(m, i)->name;
    if (strcmp(variable, text_str(&t))) add_name(n, variable, i);
    text_clear(&t);
  }
  if (n->count) qsort(n->data, n->count, sizeof(*n->data), by_name);
}

static void clear_names(names *n) {
  for (size_t i = 0; i < n->count; i++) mem_free(n->data[i].name);
  VEC_CLEAR(n);
}

struct ordering {
  struct space_item *order;
  size_t count;
  bool *taken; // leaves
};

static void take(struct ordering *o, uint64_t leaf) {
  if (o->taken[leaf]) return;
  o->taken[leaf] = true;
  o->order[o->count++] = (struct space_item){false, leaf};
}

static bool take_named(struct ordering *o, const names *n, const char *name) {
  size_t lo = 0, hi = n->count;
  while (lo < hi) {
    size_t mid = (lo + hi) / 2;
    if (strcmp(n->data[mid].name, name) < 0)
      lo = mid + 1;
    else
      hi = mid;
  }
  size_t first = lo;
  for (; lo < n->count && !strcmp(n->data[lo].name, name); lo++) take(o, n->data[lo].leaf);
  return lo > first;
}

// "NAME", or "NAME.7": a bit of it, with which all of it comes.
static void take_line(struct ordering *o, const names *n, const char *line) {
  if (take_named(o, n, line)) return;
  const char *dot = strrchr(line, '.');
  if (!dot || !dot[1] || dot[1 + strspn(dot + 1, "0123456789")]) return;
  char *stem = mem_strdup(line);
  stem[dot - line] = 0;
  take_named(o, n, stem);
  mem_free(stem);
}

static void order_by_names(const struct space *s, const struct space_config *c,
                           struct space_item *order) {
  const struct ir_model *m = s->model;
  struct ordering o = {order, 0, mem_zalloc(m->layout->count + 1, sizeof(bool))};
  names n = {0};
  gather_names(&n, m);
  for (size_t i = 0; i < c->order_count; i++) take_line(&o, &n, c->order[i]);
  for (uint64_t i = 0; i < m->layout->count; i++) take(&o, i);
  for (size_t i = 0; i < s->choices; i++) order[o.count++] = (struct space_item){true, i};
  clear_names(&n);
  mem_free(o.taken);
}

// --- FORCE ---

#define ROUNDS 40

// How far apart the ends of all edges lie.
static double span(const struct order_graph *g, const uint32_t *place) {
  double sum = 0;
  for (size_t e = 0; e + 1 < g->first.count; e++) {
    uint32_t lo = UINT32_MAX, hi = 0;
    for (size_t i = g->first.data[e]; i < g->first.data[e + 1]; i++) {
      uint32_t at = place[g->ends.data[i]];
      if (at < lo) lo = at;
      if (at > hi) hi = at;
    }
    sum += g->weight.data[e] * (hi - lo);
  }
  return sum;
}

struct pulled {
  double at;
  uint32_t vertex;
};

static int by_pull(const void *a, const void *b) {
  const struct pulled *x = a, *y = b;
  if (x->at != y->at) return x->at < y->at ? -1 : 1;
  return x->vertex < y->vertex ? -1 : x->vertex > y->vertex;
}

// One round: places become those by the weighted mean of the centres of a vertex's edges.
static void pull(const struct order_graph *g, uint32_t *place, struct pulled *p, double *degree) {
  size_t count = g->leaves + g->choices;
  for (size_t v = 0; v < count; v++) {
    p[v] = (struct pulled){0, (uint32_t)v};
    degree[v] = 0;
  }
  for (size_t e = 0; e + 1 < g->first.count; e++) {
    size_t from = g->first.data[e], to = g->first.data[e + 1];
    double sum = 0;
    for (size_t i = from; i < to; i++) sum += place[g->ends.data[i]];
    for (size_t i = from; i < to; i++) {
      p[g->ends.data[i]].at += g->weight.data[e] * sum / (double)(to - from);
      degree[g->ends.data[i]] += g->weight.data[e];
    }
  }
  for (size_t v = 0; v < count; v++) p[v].at = degree[v] > 0 ? p[v].at / degree[v] : place[v];
  qsort(p, count, sizeof(*p), by_pull);
  for (size_t i = 0; i < count; i++) place[p[i].vertex] = (uint32_t)i;
}

static void order_by_force(const struct space *s, struct space_item *order) {
  struct order_graph g;
  order_graph_init(&g, s);
  size_t count = g.leaves + g.choices;
  uint32_t *place = mem_alloc((count + 1) * sizeof(*place));
  uint32_t *best = mem_alloc((count + 1) * sizeof(*best));
  double *degree = mem_alloc((count + 1) * sizeof(*degree));
  struct pulled *p = mem_alloc((count + 1) * sizeof(*p));
  for (size_t v = 0; v < count; v++) place[v] = best[v] = (uint32_t)v;
  double least = span(&g, place);
  for (unsigned round = 0; round < ROUNDS && count; round++) {
    pull(&g, place, p, degree);
    double now = span(&g, place);
    if (now >= least) continue;
    least = now;
    memcpy(best, place, count * sizeof(*best));
  }
  for (size_t v = 0; v < count; v++) {
    bool choice = v >= g.leaves;
    order[best[v]] = (struct space_item){choice, choice ? v - g.leaves : v};
  }
  order_graph_clear(&g);
  mem_free(place);
  mem_free(best);
  mem_free(degree);
  mem_free(p);
}

void space_order(const struct space *s, const struct space_config *c, struct space_item *order) {
  if (c->order)
    order_by_names(s, c, order);
  else
    order_by_force(s, order);
}
