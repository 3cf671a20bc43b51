// SPDX-License-Identifier: Apache-2.0
// Pairs of values that are said to exclude each other are just those that no state of a model of
// few states has both.
#include "symbolic/exclusive.h"

#include "random/guided/hunt.h"
#include "random/ltl/graph.h"
#include "relation/relation.h"

#define MADE_MAX 1000000

static bool has(const uint64_t *state, uint32_t value) {
  return (state[value / 128] >> (value / 2 % 64) & 1) == value % 2;
}

static bool some_state_has(const struct graph *g, uint32_t a, uint32_t b) {
  for (uint32_t i = 0; i < g->count; i++)
    if (has(g->packed + i * g->words, a) && has(g->packed + i * g->words, b)) return true;
  return false;
}

static bool is_told(const uint64_t *pairs, size_t count, uint32_t a, uint32_t b) {
  for (size_t i = 0; i < count; i++) {
    uint32_t first = (uint32_t)(pairs[i] >> 32), second = (uint32_t)pairs[i];
    bool constant = first == second && (first == a || first == b);
    if (constant || (first == a && second == b) || (first == b && second == a)) return true;
  }
  return false;
}

static bool check_told(struct hunt *h, const uint64_t *pairs, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (some_state_has(h->graph, (uint32_t)(pairs[i] >> 32), (uint32_t)pairs[i]))
      return hunt_wrong(h, "a state has both of %zx, which are said to be exclusive",
                        (size_t)pairs[i]);
  return true;
}

// Of the first bits of the state: nothing is left out.
static bool check_all(struct hunt *h, const uint64_t *pairs, size_t count) {
  uint32_t values = 2 * (h->m->layout->bits < 16 ? (uint32_t)h->m->layout->bits : 16);
  for (uint32_t a = 0; a < values; a++)
    for (uint32_t b = a / 2 * 2 + 2; b < values; b++)
      if (!some_state_has(h->graph, a, b) && !is_told(pairs, count, a, b))
        return hunt_wrong(h, "no state has both of %u and %u, and nobody says so", a, b);
  return true;
}

bool hunt_exclusive(struct hunt *h) {
  struct text why = {0};
  uint64_t *pairs = NULL;
  size_t count = 0;
  if (!h->graph || h->m->transient) return true;
  struct relation *r = relation_new(h->m, &(struct relation_config){0}, &why);
  struct exclusive_config c = {.relation = r, .made_max = MADE_MAX};
  bool known = r && exclusive_find(&c, &pairs, &count), good = true;
  if (known && count) good = check_told(h, pairs, count) && check_all(h, pairs, count);
  mem_free(pairs);
  relation_free(r);
  text_clear(&why);
  return good;
}
