// SPDX-License-Identifier: Apache-2.0
// Pairs of values that no reachable state has, as clauses of every state. Of those that are known
// only pairs of bits that have to do with each other are taken: of a ring of three cells a quarter
// of all pairs, and the solver is faster with these than with all of them.
#include "bmc/machine_own.h"

#include "ir/ir.h"

#include <string.h>

#define PAIRS_EACH 16 // for each bit: more are more work than they save

// --- which bits have to do with each other ---

struct nearness {
  struct own *own;
  size_t bits, words;
  uint64_t *near;  // per bit, a set: it reads that one, or is read by it
  unsigned *owner; // per input other than bits: the bit that takes its value over, and one; 0: none
  uint64_t *walked; // nodes of the circuit
  bit_list todo;
  VEC(unsigned) read, written; // by what is being walked over
};

static unsigned *owner_of(struct nearness *n, bit value) {
  const struct circuit_node *node = circuit_node(&n->own->circuit, value);
  bool other = node->op == CIRCUIT_INPUT && (size_t)node->arg[0] >= n->bits;
  return other ? &n->owner[node->arg[0]] : NULL;
}

static void walk_node(struct nearness *n, bit at) {
  const struct circuit_node *node = circuit_node(&n->own->circuit, at);
  if (node->op == CIRCUIT_INPUT) {
    const unsigned *owner = owner_of(n, at);
    if (!owner)
      VEC_PUSH(&n->read, (unsigned)node->arg[0]);
    else if (*owner)
      VEC_PUSH(&n->written, *owner - 1);
    return;
  }
  for (int i = 0; node->op != CIRCUIT_CONST && i < (node->op == CIRCUIT_MUX ? 3 : 2); i++)
    VEC_PUSH(&n->todo, node->arg[i]);
}

static void set_near(struct nearness *n, unsigned a, unsigned b) {
  words_put(n->near + a * n->words, b);
  words_put(n->near + b * n->words, a);
}

// What a value is made of: bits that are read, and written by way of inputs, n->written.
static void walk(struct nearness *n, bit value) {
  memset(n->walked, 0, (n->own->circuit.nodes.count / 64 + 1) * sizeof *n->walked);
  n->read.count = n->todo.count = 0;
  VEC_PUSH(&n->todo, value);
  while (n->todo.count) {
    bit at = VEC_POP(&n->todo);
    size_t index = (size_t)(at < 0 ? -at : at);
    if (words_has(n->walked, index)) continue;
    words_put(n->walked, index);
    walk_node(n, at);
  }
  for (size_t i = 0; i < n->written.count; i++) {
    for (size_t k = 0; k < n->read.count; k++) set_near(n, n->written.data[i], n->read.data[k]);
    for (size_t k = 0; k < i; k++) set_near(n, n->written.data[i], n->written.data[k]);
  }
  n->written.count = 0;
}

// A step needs all of these.
static void walk_needs(struct nearness *n, const bit_list *needs) {
  bit_list todo = {0};
  for (size_t i = 0; i < needs->count; i++) VEC_PUSH(&todo, needs->data[i]);
  while (todo.count) {
    bit e = VEC_POP(&todo);
    const struct circuit_node *node = circuit_node(&n->own->circuit, e);
    if (e > 0 && node->op == CIRCUIT_AND) {
      VEC_PUSH(&todo, node->arg[0]);
      VEC_PUSH(&todo, node->arg[1]);
    } else {
      walk(n, e);
    }
  }
  VEC_CLEAR(&todo);
}

static void walk_leaf(struct nearness *n, const struct leaf_bits *l, const struct written *w) {
  for (unsigned k = 0; k < l->count; k++) {
    bit value = n->own->edges.data[w->first + k];
    unsigned *owner = owner_of(n, value);
    if (owner && !*owner) *owner = l->vars[k] + 1;
    VEC_PUSH(&n->written, l->vars[k]);
    walk(n, value);
  }
}

static void find_near(struct nearness *n) {
  const struct own *o = n->own;
  n->near = mem_zalloc(n->bits * n->words + 1, sizeof *n->near);
  n->owner = mem_zalloc(o->circuit.inputs.count + 1, sizeof *n->owner);
  n->walked = mem_zalloc(o->circuit.nodes.count / 64 + 1, sizeof *n->walked);
  for (uint64_t i = 0; i < o->model->layout->count; i++)
    for (size_t w = 0; w < o->leaf[i].writes.count; w++)
      walk_leaf(n, &o->leaf[i], &o->leaf[i].writes.data[w]);
  for (size_t i = 0; i < o->parts.count; i++) walk_needs(n, &o->parts.data[i].needs);
  mem_free(n->owner);
  mem_free(n->walked);
  VEC_CLEAR(&n->todo);
  VEC_CLEAR(&n->read);
  VEC_CLEAR(&n->written);
}

// One reads the other, or both have to do with a third.
static bool are_near(const struct nearness *n, unsigned a, unsigned b) {
  const uint64_t *of_a = n->near + a * n->words, *of_b = n->near + b * n->words;
  bool some = a == b || words_has(of_a, b);
  for (size_t w = 0; w < n->words && !some; w++) some = (of_a[w] & of_b[w]) != 0;
  return some;
}

// --- pairs ---

// Of the bits of packed states: which of ours they are, and one; 0: of none.
static unsigned *places_new(const struct own *o) {
  const struct ir_layout *layout = o->model->layout;
  unsigned *at = mem_zalloc((size_t)layout->words * 64 + 1, sizeof *at);
  for (uint64_t i = 0; i < layout->count; i++)
    for (unsigned k = 0; k < o->leaf[i].count; k++)
      at[layout->leaf[i].word * 64 + layout->leaf[i].shift + k] = o->leaf[i].vars[k] + 1;
  return at;
}

static void take_near(struct machine *m, const uint64_t *pairs, size_t count) {
  struct own *o = m->own;
  struct nearness n = {.own = o, .bits = m->bits, .words = m->bits / 64 + 1};
  unsigned *at = places_new(o);
  find_near(&n);
  for (size_t i = 0; i < count; i++) {
    uint32_t a = (uint32_t)(pairs[i] >> 32), b = (uint32_t)pairs[i];
    if (!at[a / 2] || !at[b / 2]) continue;
    struct exclusive x = {{at[a / 2] - 1, at[b / 2] - 1}, {a % 2 != 0, b % 2 != 0}};
    if (are_near(&n, x.var[0], x.var[1])) VEC_PUSH(&o->exclusive, x);
  }
  mem_free(n.near);
  mem_free(at);
}

void own_exclude(struct machine *m, size_t time) {
  struct own *o = m->own;
  const lit *bits = o->frames.data[time].bits;
  for (size_t i = 0; i < o->exclusive.count; i++) {
    const struct exclusive *x = &o->exclusive.data[i];
    lit clause[2];
    for (int k = 0; k < 2; k++) clause[k] = x->set[k] ? -bits[x->var[k]] : bits[x->var[k]];
    gates_assert(&o->gates, clause, 2);
  }
}

void machine_exclude(struct machine *m, const uint64_t *pairs, size_t count) {
  take_near(m, pairs, count);
  if (m->own->exclusive.count > PAIRS_EACH * m->bits) m->own->exclusive.count = 0;
  for (size_t t = 0; t < m->times; t++) own_exclude(m, t);
}
