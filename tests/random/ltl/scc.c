// SPDX-License-Identifier: Apache-2.0
// Strongly connected components by Tarjan's algorithm, without recursion.
#include "random/ltl/scc.h"

struct tarjan {
  const struct scc *c;
  uint32_t *number, *low, *next; // per node; number 0: not reached
  bool *open;
  VEC(uint32_t) path, stack;
  uint32_t reached;
  uint64_t conditions;
  bool found;
};

void scc_clear(struct scc *c) {
  VEC_CLEAR(&c->nodes);
  VEC_CLEAR(&c->edges);
}

static void enter(struct tarjan *t, uint32_t node) {
  t->number[node] = t->low[node] = ++t->reached;
  t->next[node] = t->c->nodes.data[node].first;
  t->open[node] = true;
  VEC_PUSH(&t->path, node);
  VEC_PUSH(&t->stack, node);
}

// The stack from `first` on is a component, all of whose members have `low` set to its root.
static void judge(struct tarjan *t, size_t first, uint32_t root) {
  uint64_t marks = 0;
  bool cyclic = false;
  for (size_t i = first; i < t->stack.count; i++) t->low[t->stack.data[i]] = root;
  for (size_t i = first; i < t->stack.count; i++) {
    const struct scc_node *n = &t->c->nodes.data[t->stack.data[i]];
    marks |= n->marks;
    for (uint32_t k = n->first; k < n->end; k++) {
      const struct scc_edge *e = &t->c->edges.data[k];
      if (!t->open[e->to] || t->low[e->to] != root) continue;
      cyclic = true;
      marks |= e->marks;
    }
  }
  if (cyclic && (marks & t->conditions) == t->conditions) t->found = true;
}

static void leave(struct tarjan *t) {
  uint32_t node = VEC_POP(&t->path);
  if (t->path.count > 0) {
    uint32_t before = VEC_TOP(&t->path);
    if (t->low[node] < t->low[before]) t->low[before] = t->low[node];
  }
  if (t->low[node] != t->number[node]) return;
  size_t first = t->stack.count;
  do first--;
  while (t->stack.data[first] != node);
  judge(t, first, t->number[node]);
  while (t->stack.count > first) t->open[VEC_POP(&t->stack)] = false;
}

static void walk(struct tarjan *t, uint32_t start) {
  enter(t, start);
  while (t->path.count > 0) {
    uint32_t node = VEC_TOP(&t->path);
    if (t->next[node] == t->c->nodes.data[node].end) {
      leave(t);
      continue;
    }
    uint32_t to = t->c->edges.data[t->next[node]++].to;
    if (t->number[to] == 0)
      enter(t, to);
    else if (t->open[to] && t->number[to] < t->low[node])
      t->low[node] = t->number[to];
  }
}

bool scc_cycle(const struct scc *c, uint64_t conditions) {
  struct tarjan t = {.c = c, .conditions = conditions};
  size_t n = c->nodes.count + 1;
  t.number = mem_zalloc(3 * n, sizeof *t.number);
  t.low = t.number + n;
  t.next = t.low + n;
  t.open = mem_zalloc(n, sizeof *t.open);
  for (uint32_t i = 0; i < c->nodes.count && !t.found; i++)
    if (t.number[i] == 0) walk(&t, i);
  VEC_CLEAR(&t.path);
  VEC_CLEAR(&t.stack);
  mem_free(t.number);
  mem_free(t.open);
  return t.found;
}
