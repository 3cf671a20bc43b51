// SPDX-License-Identifier: Apache-2.0
// What the chains that an instance begins may do: everything that the instances on their way may.
// An instance follows another if it can fire with what that leaves in the transient variable, and
// at the place where that leaves its process.
//
// Holds afterwards: two steps of a search whose first instances have disjoint sets (writes of one,
// reads and writes of the other) are independent. Neither changes what the other's guards see on
// its way, where it blocks included, nor what it does; both are over when the state is stable.
#include "reduce/ample.h"

struct chain {
  struct ample_study *a;
  uint32_t *todo, count;
  bool *met;
  // What the instance in work leaves in a leaf: the last one asked for.
  uint64_t leaf;
  uint64_t *left;
};

static const struct ir_type *transient_type(const struct chain *c) {
  return c->a->m->layout->leaf[c->a->transient].type;
}

static bool allows(const struct chain *c, const struct ample_instance *next, uint64_t leaf,
                   const uint64_t *values) {
  const uint64_t *asked = ample_asked(next, leaf);
  return !asked || set_meets(asked, values, ample_value_words(c->a, leaf));
}

static const uint64_t *left_in(struct chain *c, const struct ample_instance *i, uint64_t leaf) {
  if (c->leaf == leaf) return c->left;
  const uint64_t *before = ample_asked(i, leaf);
  c->leaf = leaf;
  c->left = ARENA_ARRAY(c->a->arena, uint64_t, ample_value_words(c->a, leaf));
  ample_effect(c->a, i, leaf, before ? before : ample_all_values(c->a, leaf), c->left);
  return c->left;
}

// Adds what may fire after `i`, if the transient variable has one of the values `held`.
static void meet(struct chain *c, const struct ample_instance *i, uint64_t *held) {
  struct ample_study *a = c->a;
  set_remove(held, ir_type_rank(transient_type(c), 0));
  c->leaf = AMPLE_NONE;
  for (uint32_t k = 0; k < a->count; k++) {
    const struct ample_instance *next = &a->instances[k];
    if (c->met[k] || !set_meets(held, held, ample_value_words(a, a->transient))) continue;
    if (!allows(c, next, a->transient, held)) continue;
    if (next->pivot != AMPLE_NONE && !allows(c, next, next->pivot, left_in(c, i, next->pivot)))
      continue;
    c->met[k] = true;
    c->todo[c->count++] = k;
  }
}

// The first instance fires with 0 there.
static void follow(struct chain *c, const struct ample_instance *first) {
  struct ample_study *a = c->a;
  size_t words = ample_value_words(a, a->transient);
  uint64_t *before = ARENA_ARRAY(a->arena, uint64_t, words);
  uint64_t *held = ARENA_ARRAY(a->arena, uint64_t, words);
  for (uint32_t k = 0; k < a->count; k++) c->met[k] = false;
  c->count = 0;
  set_add(before, ir_type_rank(transient_type(c), 0));
  ample_effect(a, first, a->transient, before, held);
  meet(c, first, held);
  for (uint32_t k = 0; k < c->count; k++) {
    const struct ample_instance *i = &a->instances[c->todo[k]];
    const uint64_t *asked = ample_asked(i, a->transient);
    for (size_t w = 0; w < words; w++) held[w] = 0;
    ample_effect(a, i, a->transient, asked ? asked : ample_all_values(a, a->transient), held);
    meet(c, i, held);
  }
}

static bool in_queue(const struct ample_instance *i, const uint64_t *set) {
  for (uint64_t l = 0; l < i->queue_leaves; l++)
    if (set_has(set, i->queue + l)) return true;
  return false;
}

// A dead end in a transient state stops everybody: steps that may lead there are not independent of
// anything. By what seats are, some instance can always fire; it may lead back, though.
static void join(struct chain *c, struct ample_instance *i) {
  struct ample_study *a = c->a;
  for (uint32_t k = 0; k < c->count; k++) {
    const struct ample_instance *next = &a->instances[c->todo[k]];
    if (i->queue != AMPLE_NONE && (in_queue(i, next->own_reads) || in_queue(i, next->own_writes)))
      i->queue = AMPLE_NONE;
    set_join(i->reads, next->own_reads, a->leaf_words);
    set_join(i->writes, next->own_writes, a->leaf_words);
    i->alien |= !ample_moves(a, next);
  }
  set_remove(i->reads, a->transient); // which nobody sees between chains
  set_remove(i->writes, a->transient);
}

static void remember(const struct chain *c, uint32_t n) {
  struct ample_instance *i = &c->a->instances[n];
  uint32_t *chain = ARENA_ARRAY(c->a->arena, uint32_t, c->count + 1), count = 0;
  chain[count++] = n;
  for (uint32_t k = 0; k < c->count; k++)
    if (c->todo[k] != n) chain[count++] = c->todo[k];
  i->chain = chain;
  i->chain_count = count;
}

static void find_span(const struct chain *c, struct ample_instance *i) {
  struct ample_study *a = c->a;
  if (i->pivot == AMPLE_NONE) return;
  size_t words = ample_value_words(a, i->pivot);
  i->span = ARENA_ARRAY(a->arena, uint64_t, words);
  set_join(i->span, ample_asked(i, i->pivot), words);
  for (uint32_t k = 0; k < i->chain_count; k++) {
    const struct ample_instance *next = &a->instances[i->chain[k]];
    const uint64_t *before = ample_asked(next, i->pivot);
    if (set_has(next->own_writes, i->pivot))
      ample_effect(a, next, i->pivot, before ? before : i->span, i->span);
  }
}

void ample_chains(struct ample_study *a) {
  struct chain c = {.a = a};
  c.todo = ARENA_ARRAY(a->arena, uint32_t, a->count);
  c.met = ARENA_ARRAY(a->arena, bool, a->count);
  for (uint32_t n = 0; n < a->count; n++) {
    struct ample_instance *i = &a->instances[n];
    if (a->transient != AMPLE_NONE) {
      const uint64_t *asked = ample_asked(i, a->transient);
      i->stable = !asked || set_has(asked, ir_type_rank(transient_type(&c), 0));
      if (!i->stable) continue;
      follow(&c, i);
      join(&c, i);
    }
    remember(&c, n);
    find_span(&c, i);
  }
}
