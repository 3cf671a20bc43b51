// SPDX-License-Identifier: Apache-2.0
// Which ways that come to a control state at one depth are joined. Leaves with few values that
// guards ask for (flags, counters, modes) decide what comes next: ways that bring different
// constants for them become nodes of their own, so that the solver need not count. Where there
// would be too many nodes, the leaf with the most values is no reason to keep ways apart.
#include "hybrid/path_own.h"

#include <string.h>

enum {
  KEY_SPREAD = 64,   // values that such a leaf may have at most
  VALUES_MAX = 6000, // of leaves in the nodes at one depth, more or less
  STATE_NODES = 128, // of one control state
};

void path_find_keys(struct path *p) {
  const struct efsm *e = p->e;
  uint64_t *asked = mem_zalloc(e->leaf_words, sizeof *asked);
  for (size_t i = 0; i < e->edges.count; i++) term_support(e->edges.data[i].guard, asked, NULL);
  for (size_t i = 0; i < e->states.count; i++) {
    const struct efsm_state *s = &e->states.data[i];
    struct place *at = &p->places[i];
    at->key = mem_zalloc(at->count + 1, sizeof *at->key);
    for (uint32_t k = 0; k < at->count; k++) {
      uint32_t leaf = at->leaf[k];
      bool few = (uint64_t)s->hi[leaf] - (uint64_t)s->lo[leaf] < KEY_SPREAD;
      if (few && (asked[leaf / 64] >> leaf % 64 & 1)) at->key[at->keys++] = k;
    }
  }
  mem_free(asked);
}

struct split {
  struct path *p;
  const struct place *at;
  uint32_t *ways; // candidates
  uint32_t count;
  uint32_t *group; // of each way
  bool *off;       // keys that don't count any more
};

static const struct term *key_of(const struct split *s, uint32_t way, uint32_t key) {
  return s->p->candidates.data[s->ways[way] - 1].values[s->at->key[key]];
}

static bool same_key(const struct split *s, uint32_t a, uint32_t b, uint32_t key) {
  const struct term *x = key_of(s, a, key), *y = key_of(s, b, key);
  return x == y || (x->op != TERM_CONST && y->op != TERM_CONST);
}

static bool same_keys(const struct split *s, uint32_t a, uint32_t b) {
  for (uint32_t k = 0; k < s->at->keys; k++)
    if (!s->off[k] && !same_key(s, a, b, k)) return false;
  return true;
}

// Numbers the groups; the first way of each stands for it.
static uint32_t group_ways(struct split *s, uint32_t *first) {
  uint32_t groups = 0;
  for (uint32_t i = 0; i < s->count; i++) {
    uint32_t g = 0;
    while (g < groups && !same_keys(s, first[g], i)) g++;
    if (g == groups) first[groups++] = i;
    s->group[i] = g;
  }
  return groups;
}

// The key in which the groups differ most does not count any more.
static void coarsen(struct split *s, const uint32_t *first, uint32_t groups) {
  uint32_t worst = 0, most = 0;
  for (uint32_t k = 0; k < s->at->keys; k++) {
    uint32_t values = 0;
    if (s->off[k]) continue;
    for (uint32_t g = 0; g < groups; g++) {
      uint32_t h = 0;
      while (h < g && !same_key(s, first[g], first[h], k)) h++;
      values += h == g;
    }
    if (values <= most) continue;
    most = values;
    worst = k;
  }
  s->off[worst] = true;
}

static void join_groups(struct split *s, uint32_t state, uint32_t groups) {
  struct path *p = s->p;
  for (uint32_t g = 0; g < groups; g++) {
    uint32_t first = 0, last = 0;
    for (uint32_t i = 0; i < s->count; i++) {
      if (s->group[i] != g) continue;
      if (last)
        p->candidates.data[last - 1].next = s->ways[i];
      else
        first = s->ways[i];
      last = s->ways[i];
    }
    p->candidates.data[last - 1].next = 0;
    path_join(p, state, first);
  }
}

void path_split(struct path *p, uint32_t state, size_t states) {
  struct split s = {.p = p, .at = &p->places[state]};
  uint32_t most = (uint32_t)(VALUES_MAX / (states * (s.at->count + 4))) + 1;
  if (most > STATE_NODES) most = STATE_NODES;
  if (p->config.joined) most = 1;
  for (uint32_t c = p->heads[state]; c; c = p->candidates.data[c - 1].next) s.count++;
  s.ways = mem_zalloc(3 * s.count + 1, sizeof *s.ways);
  s.group = s.ways + s.count;
  uint32_t *first = s.group + s.count, i = 0;
  for (uint32_t c = p->heads[state]; c; c = p->candidates.data[c - 1].next) s.ways[i++] = c;
  s.off = mem_zalloc(s.at->keys + 1, sizeof *s.off);
  uint32_t groups;
  while ((groups = group_ways(&s, first)) > most) coarsen(&s, first, groups);
  join_groups(&s, state, groups);
  mem_free(s.ways);
  mem_free(s.off);
}
