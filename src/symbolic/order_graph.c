// SPDX-License-Identifier: Apache-2.0
// The graph that an order is made from: the supports of terms, from the bottom up, each as long as
// it is short.
#include "symbolic/order_graph.h"

#include "ir/ir.h"
#include "symbolic/space_own.h"

#include <math.h>
#include <string.h>

enum { SHORT = 40, ENDS_MAX = 1 << 20 }; // of a term's support; of all edges of terms

// The vertices that a term of the rule in hand speaks of, ascending.
struct support {
  uint32_t stamp; // of the rule for which it is known
  uint32_t count; // WIDE: too many
  size_t first;   // in the pool
};
#define WIDE UINT32_MAX

struct building {
  struct order_graph *graph;
  const struct space *space;
  const struct relation_rule *rule;
  struct support *of; // by the term's id
  uint32_t stamp;
  VEC(uint32_t) pool;
  uint64_t *set; // of vertices, an edge in the making
  size_t words;
};

// --- edges ---

static void add_edge(struct order_graph *g, size_t before) {
  size_t n = g->ends.count - before;
  if (n < 2) {
    g->ends.count = before;
    return;
  }
  VEC_PUSH(&g->first, g->ends.count);
  VEC_PUSH(&g->weight, g->inside ? 1 / ((double)n * sqrt(sqrt((double)n))) : 1);
}

static void close_set(struct building *b) {
  struct order_graph *g = b->graph;
  size_t before = g->ends.count;
  for (size_t i = 0; i < b->words; i++)
    for (; b->set[i]; b->set[i] &= b->set[i] - 1)
      VEC_PUSH(&g->ends, (uint32_t)(i * 64 + (size_t)__builtin_ctzll(b->set[i])));
  add_edge(g, before);
}

// A choice that a leaf stands for is that leaf.
static uint32_t vertex(const struct building *b, const struct term *t) {
  if (t->op != TERM_CHOICE) return (uint32_t)t->leaf;
  uint64_t leaf = space_choice_leaf(b->space, b->rule, t->choice);
  return (uint32_t)(leaf == SPACE_NONE ? b->graph->leaves + t->choice : leaf);
}

static void put(struct building *b, uint32_t v) { b->set[v / 64] |= UINT64_C(1) << (v % 64); }

// All that the term speaks of, into the set.
static void reach(struct building *b, const struct term *t) {
  uint64_t *leaves = mem_zalloc(b->graph->leaves / 64 + 1, sizeof(*leaves));
  uint64_t *choices = mem_zalloc(b->graph->choices / 64 + 1, sizeof(*choices));
  term_support(t, leaves, choices);
  for (size_t i = 0; i < b->graph->leaves / 64 + 1; i++) b->set[i] |= leaves[i];
  for (uint32_t k = 0; k < b->graph->choices; k++)
    if (choices[k / 64] >> (k % 64) & 1)
      put(b, vertex(b, &(struct term){.op = TERM_CHOICE, .choice = k}));
  mem_free(leaves);
  mem_free(choices);
}

// --- terms inside ---

// The union of two that are short, at the end of the pool.
static void join(struct building *b, struct support *to, struct support x, struct support y) {
  size_t i = 0, k = 0;
  struct support sum = {.first = b->pool.count};
  while (i < x.count || k < y.count) {
    uint32_t v = i < x.count ? b->pool.data[x.first + i] : UINT32_MAX;
    uint32_t w = k < y.count ? b->pool.data[y.first + k] : UINT32_MAX;
    VEC_PUSH(&b->pool, v < w ? v : w);
    i += v <= w;
    k += w <= v;
  }
  sum.count = (uint32_t)(b->pool.count - sum.first);
  if (sum.count > SHORT) {
    b->pool.count = sum.first;
    sum.count = WIDE;
  }
  *to = sum;
}

static struct support look(struct building *b, const struct term *t);

static struct support look_inside(struct building *b, const struct term *t) {
  struct support all = {.first = b->pool.count};
  for (unsigned i = 0; i < t->args; i++) {
    struct support one = look(b, t->arg[i]);
    if (one.count == WIDE || all.count == WIDE)
      all.count = WIDE;
    else if (one.count > 0)
      join(b, &all, all, one);
  }
  return all;
}

static struct support look(struct building *b, const struct term *t) {
  struct order_graph *g = b->graph;
  if (t->op == TERM_CONST) return (struct support){0};
  if (b->of[t->id].stamp == b->stamp) return b->of[t->id];
  struct support s = {.first = b->pool.count, .count = 1};
  if (t->args == 0)
    VEC_PUSH(&b->pool, vertex(b, t));
  else
    s = look_inside(b, t);
  if (t->args > 0 && s.count != WIDE && g->ends.count < ENDS_MAX) {
    size_t before = g->ends.count;
    for (uint32_t i = 0; i < s.count; i++) VEC_PUSH(&g->ends, b->pool.data[s.first + i]);
    add_edge(g, before);
  }
  s.stamp = b->stamp;
  b->of[t->id] = s;
  return s;
}

// --- rules ---

static void add_term(struct building *b, const struct term *t) {
  reach(b, t);
  if (b->graph->inside) look(b, t);
}

static void add_rule(struct building *b, const struct relation_rule *r) {
  b->rule = r;
  b->stamp++;
  b->pool.count = 0;
  for (size_t i = 0; i < r->writes.count; i++) {
    put(b, (uint32_t)r->writes.data[i].leaf);
    add_term(b, r->writes.data[i].value);
    if (r->writes.data[i].defined) add_term(b, r->writes.data[i].defined);
    close_set(b);
  }
  for (size_t i = 0; i < r->assumes.count; i++) {
    add_term(b, r->assumes.data[i]);
    close_set(b);
  }
  add_term(b, r->guard);
  close_set(b);
}

void order_graph_init(struct order_graph *g, const struct space *s) {
  *g = (struct order_graph){.leaves = s->model->layout->count, .choices = s->choices};
  g->inside = s->relation->rules.count == 1;
  struct building b = {.graph = g, .space = s};
  b.of = mem_zalloc(g->inside ? terms_count(s->relation->terms) + 1 : 1, sizeof(*b.of));
  b.words = (g->leaves + g->choices) / 64 + 1;
  b.set = mem_zalloc(b.words, sizeof(*b.set));
  VEC_PUSH(&g->first, 0);
  for (size_t i = 0; i < s->relation->rules.count; i++) add_rule(&b, &s->relation->rules.data[i]);
  mem_free(b.of);
  mem_free(b.set);
  VEC_CLEAR(&b.pool);
}

void order_graph_clear(struct order_graph *g) {
  VEC_CLEAR(&g->ends);
  VEC_CLEAR(&g->first);
  VEC_CLEAR(&g->weight);
}
