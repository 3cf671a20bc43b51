// SPDX-License-Identifier: Apache-2.0
// Does an automaton accept a lasso? By its definition, on the product of the two: is there
// something accepting that is reached, and from there again? Nothing here is shared with src/ltl.
#pragma once

#include "ir/ir.h"

#include <string.h>

struct product {
  const struct ir_automaton *automaton;
  const uint64_t *states;
  size_t count, loop;
  size_t nodes; // count * automaton's states
};

// Marks in `seen` what is reached from a node in one step or more.
static inline void product_reach(const struct product *p, size_t from, bool *seen) {
  size_t *stack = mem_alloc((p->nodes + 1) * sizeof *stack), top = 0;
  stack[top++] = from;
  while (top) {
    size_t node = stack[--top], i = node % p->count;
    const struct ir_automaton_state *s = &p->automaton->states[node / p->count];
    size_t next = i + 1 < p->count ? i + 1 : p->loop;
    for (uint32_t k = 0; k < s->edge_count; k++) {
      const struct ir_automaton_edge *e = &s->edges[k];
      if ((e->yes & ~p->states[i]) || (e->no & p->states[i])) continue;
      size_t to = e->to * p->count + next;
      if (seen[to]) continue;
      seen[to] = true;
      stack[top++] = to;
    }
  }
  mem_free(stack);
}

// Is the node, or on_edges an edge that leaves it, accepting and on a cycle?
static inline bool product_cycle(const struct product *p, size_t node, bool *seen) {
  const struct ir_automaton *a = p->automaton;
  const struct ir_automaton_state *s = &a->states[node / p->count];
  size_t i = node % p->count, next = i + 1 < p->count ? i + 1 : p->loop;
  if (!a->on_edges) {
    memset(seen, 0, p->nodes * sizeof *seen);
    if (s->accepting) product_reach(p, node, seen);
    return seen[node];
  }
  for (uint32_t k = 0; k < s->edge_count; k++) {
    const struct ir_automaton_edge *e = &s->edges[k];
    if (!e->accepting || (e->yes & ~p->states[i]) || (e->no & p->states[i])) continue;
    size_t to = e->to * p->count + next;
    memset(seen, 0, p->nodes * sizeof *seen);
    product_reach(p, to, seen);
    if (to == node || seen[node]) return true;
  }
  return false;
}

static inline bool accepts(const struct ir_automaton *a, const uint64_t *states, size_t count,
                           size_t loop, bool by_final) {
  struct product p = {a, states, count, loop, count * a->count};
  bool *reached = mem_zalloc(p.nodes, sizeof *reached), *seen = mem_zalloc(p.nodes, sizeof *seen);
  reached[0] = true;
  product_reach(&p, 0, reached);
  bool answer = false;
  for (size_t i = 0; i < p.nodes && !answer; i++)
    if (reached[i]) answer = (by_final && a->states[i / count].final) || product_cycle(&p, i, seen);
  mem_free(reached);
  mem_free(seen);
  return answer;
}
