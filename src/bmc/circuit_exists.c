// SPDX-License-Identifier: Apache-2.0
// Quantification of inputs: one after the other is given both its values, in those conjuncts only
// that speak of it.
#include "bmc/circuit.h"

#include <string.h>

typedef VEC(bit) edges;

struct quantifier {
  struct circuit *circuit;
  edges all;     // conjuncts
  bool *depends; // by node: on the input
  bool *needed;  // by node: by some conjunct that depends on it
  bit *with;     // by node: what it is with the input set
  size_t known;  // nodes that these arrays have
};

static size_t index_of(bit a) { return (size_t)(a < 0 ? -a : a); }

static unsigned arguments(const struct circuit_node *n) {
  if (n->op == CIRCUIT_MUX) return 3;
  return n->op == CIRCUIT_AND || n->op == CIRCUIT_XOR ? 2 : 0;
}

static void make_room(struct quantifier *q) {
  q->known = q->circuit->nodes.count;
  q->depends = mem_realloc(q->depends, q->known * sizeof *q->depends);
  q->needed = mem_realloc(q->needed, q->known * sizeof *q->needed);
  q->with = mem_realloc(q->with, q->known * sizeof *q->with);
}

// Arguments come before what they are in: one pass upward tells what depends on the inputs from
// `first` to `end`, one downward what of it matters.
static void find_dependent(struct quantifier *q, unsigned first, unsigned end) {
  make_room(q);
  for (size_t i = 0; i < q->known; i++) {
    const struct circuit_node *n = &q->circuit->nodes.data[i];
    unsigned var = (unsigned)n->arg[0];
    q->depends[i] = n->op == CIRCUIT_INPUT && var >= first && var < end;
    for (unsigned k = 0; k < arguments(n); k++) q->depends[i] |= q->depends[index_of(n->arg[k])];
  }
}

static void find_needed(struct quantifier *q, const edges *roots) {
  memset(q->needed, 0, q->known);
  for (size_t i = 0; i < roots->count; i++) q->needed[index_of(roots->data[i])] = true;
  for (size_t i = q->known; i-- > 1;) {
    const struct circuit_node *n = &q->circuit->nodes.data[i];
    for (unsigned k = 0; q->needed[i] && q->depends[i] && k < arguments(n); k++)
      q->needed[index_of(n->arg[k])] = true;
  }
}

static bit with_value(const struct quantifier *q, bit a) {
  bit w = q->with[index_of(a)];
  return a < 0 ? -w : w;
}

static bit rebuild(struct quantifier *q, const struct circuit_node *n) {
  bit x = with_value(q, n->arg[0]), y = with_value(q, n->arg[1]);
  if (n->op == CIRCUIT_AND) return circuit_and(q->circuit, x, y);
  if (n->op == CIRCUIT_XOR) return circuit_xor(q->circuit, x, y);
  return circuit_mux(q->circuit, x, y, with_value(q, n->arg[2]));
}

// All of these with the input set.
static bit conjunction_with(struct quantifier *q, const edges *roots, bool value) {
  bit all = CIRCUIT_TRUE;
  for (size_t i = 1; i < q->known; i++) {
    struct circuit_node n = q->circuit->nodes.data[i];
    if (!q->needed[i]) continue;
    if (!q->depends[i])
      q->with[i] = (bit)i;
    else if (n.op == CIRCUIT_INPUT)
      q->with[i] = value ? CIRCUIT_TRUE : CIRCUIT_FALSE;
    else
      q->with[i] = rebuild(q, &n);
  }
  for (size_t i = 0; i < roots->count; i++)
    all = circuit_and(q->circuit, all, with_value(q, roots->data[i]));
  return all;
}

// The conjuncts that speak of this input become one that does not.
static void eliminate(struct quantifier *q, unsigned var) {
  edges with = {0};
  size_t kept = 0;
  find_dependent(q, var, var + 1);
  for (size_t i = 0; i < q->all.count; i++) {
    bit a = q->all.data[i];
    if (q->depends[index_of(a)])
      VEC_PUSH(&with, a);
    else
      q->all.data[kept++] = a;
  }
  q->all.count = kept;
  find_needed(q, &with);
  if (with.count) {
    bit no = conjunction_with(q, &with, false), yes = conjunction_with(q, &with, true);
    VEC_PUSH(&q->all, circuit_or(q->circuit, no, yes));
  }
  VEC_CLEAR(&with);
}

// And-gates are taken apart, so that an input meets few conjuncts. Tells whether there is any.
static bool add(struct quantifier *q, const bit *all, size_t count) {
  edges waiting = {0};
  bool any = false;
  for (size_t i = 0; i < count; i++) VEC_PUSH(&waiting, all[i]);
  while (waiting.count) {
    bit a = VEC_POP(&waiting);
    const struct circuit_node *n = circuit_node(q->circuit, a);
    bool depends = q->depends[index_of(a)];
    any |= depends;
    if (a > 0 && n->op == CIRCUIT_AND && depends) {
      VEC_PUSH(&waiting, n->arg[0]);
      VEC_PUSH(&waiting, n->arg[1]);
    } else {
      VEC_PUSH(&q->all, a);
    }
  }
  VEC_CLEAR(&waiting);
  return any;
}

bool circuit_exists(struct circuit *c, const bit *all, size_t count, unsigned first, unsigned end,
                    size_t nodes_max, bit *out) {
  struct quantifier q = {.circuit = c};
  size_t most = c->nodes.count + nodes_max;
  find_dependent(&q, first, end);
  bool any = add(&q, all, count);
  for (unsigned var = first; any && var < end && c->nodes.count <= most; var++)
    if (var < c->inputs.count && c->inputs.data[var]) eliminate(&q, var);
  *out = CIRCUIT_TRUE;
  for (size_t i = 0; i < q.all.count; i++) *out = circuit_and(c, *out, q.all.data[i]);
  VEC_CLEAR(&q.all);
  mem_free(q.depends);
  mem_free(q.needed);
  mem_free(q.with);
  return c->nodes.count <= most;
}
