// SPDX-License-Identifier: Apache-2.0
// Generations of frontier nodes: adding to one, and making the next.
#include "search/nodes.h"

#ifdef FATHOM_SMALL
enum { SIFT_FROM = 4 };
#else
enum { SIFT_FROM = 4096 };
#endif

void nodes_init(struct nodes *n, enum search_frontier kind, size_t words) {
  *n = (struct nodes){.kind = kind, .words = words};
}

void generation_clear(struct generation *g) {
  VEC_CLEAR(&g->parent);
  VEC_CLEAR(&g->begin);
  VEC_CLEAR(&g->ids);
  VEC_CLEAR(&g->states);
  bits_clear(&g->traces);
  g->count = g->sift_at = 0;
}

void nodes_clear(struct nodes *n) {
  for (size_t i = 0; i < n->generations.count; i++) generation_clear(&n->generations.data[i]);
  VEC_CLEAR(&n->generations);
}

size_t generation_bytes(const struct generation *g) {
  return g->parent.capacity * sizeof *g->parent.data + g->begin.capacity * sizeof *g->begin.data +
         g->ids.capacity * sizeof *g->ids.data + g->states.capacity * sizeof *g->states.data +
         bits_bytes(&g->traces);
}

size_t nodes_count(const struct nodes *n) {
  size_t count = 0;
  for (size_t i = 0; i < n->generations.count; i++) count += n->generations.data[i].count;
  return count;
}

size_t nodes_bytes(const struct nodes *n) {
  size_t bytes = n->generations.capacity * sizeof *n->generations.data;
  for (size_t i = 0; i < n->generations.count; i++)
    bytes += generation_bytes(&n->generations.data[i]);
  return bytes;
}

static bool has_parents(const struct nodes *n) { return n->kind != FRONTIER_TRACES; }

void nodes_add(const struct nodes *n, struct generation *g, uint32_t parent, uint64_t id,
               const uint64_t *state) {
  if (g->count >= NODES_GENERATION_MAX) mem_exhausted(0);
  if (has_parents(n)) VEC_PUSH(&g->parent, parent);
  VEC_PUSH(&g->begin, g->traces.count);
  VEC_PUSH(&g->ids, id);
  for (size_t i = 0; n->kind == FRONTIER_STATES && i < n->words; i++)
    VEC_PUSH(&g->states, state[i]);
  g->count++;
}

// --- the next generation ---

static void copy_node(const struct nodes *n, const struct generation *from, size_t i,
                      struct generation *to) {
  const uint64_t *state = n->kind == FRONTIER_STATES ? from->states.data + i * n->words : NULL;
  uint32_t parent = has_parents(n) ? from->parent.data[i] : 0;
  nodes_add(n, to, parent, from->ids.data[i], state);
  bits_append(&to->traces, &from->traces, from->begin.data[i], generation_end(from, i));
}

void nodes_sift(const struct nodes *n, struct generation *g,
                bool (*waits)(void *context, uint64_t id), void *context) {
  if (g->count < g->sift_at || g->count < SIFT_FROM) return;
  struct generation kept = {.bound = g->bound};
  for (size_t i = 0; i < g->count; i++)
    if (waits(context, g->ids.data[i])) copy_node(n, g, i, &kept);
  kept.sift_at = 2 * kept.count;
  generation_clear(g);
  *g = kept;
}

// Moves the nodes of `g` together over those that are dropped; notes their new numbers.
static void close_gaps(const struct nodes *n, struct generation *g, uint32_t *number) {
  struct generation kept = {.bound = g->bound};
  for (size_t i = 0; i < g->count; i++) {
    if (number[i] == NODES_DROPPED) continue;
    number[i] = (uint32_t)kept.count;
    if (has_parents(n)) VEC_PUSH(&kept.parent, g->parent.data[i]);
    VEC_PUSH(&kept.begin, kept.traces.count);
    kept.count++;
    bits_append(&kept.traces, &g->traces, g->begin.data[i], generation_end(g, i));
  }
  generation_clear(g);
  *g = kept;
}

// Marks the nodes that are somebody's parent with 0, the others as dropped. Says how many are.
static size_t mark_parents(const struct generation *children, uint32_t *number, size_t count) {
  size_t used = 0;
  for (size_t i = 0; i < count; i++) number[i] = NODES_DROPPED;
  for (size_t i = 0; i < children->count; i++) {
    uint32_t *p = &number[children->parent.data[i]];
    used += *p == NODES_DROPPED;
    *p = 0;
  }
  return used;
}

// Drops the nodes of generation k that are nobody's parent. False: they all are somebody's.
static bool drop_childless(struct nodes *n, size_t k, const struct nodes_advance *how) {
  struct generation *g = &n->generations.data[k], *children = g + 1;
  size_t count = g->count;
  uint32_t *number = mem_alloc(count * sizeof *number);
  bool drops = mark_parents(children, number, count) < count;
  if (drops) {
    close_gaps(n, g, number);
    for (size_t i = 0; i < children->count; i++)
      children->parent.data[i] = number[children->parent.data[i]];
    how->moved(how->context, k, number);
  }
  mem_free(number);
  return drops;
}

// What only the generation that waits needs.
static void forget_states(struct generation *g) {
  VEC_CLEAR(&g->ids);
  VEC_CLEAR(&g->states);
}

static void keep_ancestors(struct nodes *n, const struct nodes_advance *how) {
  size_t k = n->generations.count - 1;
  if (k > 0) forget_states(&n->generations.data[k - 1]);
  while (k > 0 && drop_childless(n, k - 1, how)) k--;
}

void nodes_advance(struct nodes *n, uint64_t bound, struct generation *const *made, size_t lists,
                   struct nodes_advance how) {
  if (!has_parents(n)) nodes_clear(n);
  VEC_PUSH(&n->generations, ((struct generation){.bound = bound}));
  struct generation *last = nodes_last(n);
  for (size_t k = 0; k < lists; k++) {
    for (size_t i = 0; i < made[k]->count; i++)
      if (how.waits(how.context, made[k]->ids.data[i])) copy_node(n, made[k], i, last);
    generation_clear(made[k]);
  }
  keep_ancestors(n, &how);
}
