// SPDX-License-Identifier: Apache-2.0
// State prioritization (paper 003, V.B): dfs prefers disjuncts at a deeper execution depth, glh
// those with a lesser abstract distance, by lighthouses BR_k = Pre+ of BR_(k-1), BR_0 the errors.
// Of the same depth those go first that are nearer to an error by the machine's edges.
#include "hybrid/hmc.h"

#include <string.h>

// --- distances in the machine ---

static bool is_goal(const struct hmc *h, uint32_t c) {
  return h->efsm->states.data[c].is_error && !h->found[c];
}

void priority_distances(struct hmc *h) {
  const struct efsm *e = h->efsm;
  VEC(uint32_t) queue = {0};
  for (uint32_t c = 0; c < e->states.count; c++) {
    h->distance[c] = is_goal(h, c) ? 0 : EFSM_FAR;
    if (is_goal(h, c)) VEC_PUSH(&queue, c);
  }
  for (size_t i = 0; i < queue.count; i++) {
    uint32_t to = queue.data[i];
    const struct efsm_state *s = &e->states.data[to];
    for (size_t k = 0; k < s->in.count; k++) {
      uint32_t from = e->edges.data[s->in.data[k]].from;
      if (h->distance[from] != EFSM_FAR) continue;
      h->distance[from] = h->distance[to] + 1;
      VEC_PUSH(&queue, from);
    }
  }
  VEC_CLEAR(&queue);
}

static uint32_t nearest(const struct hmc *h, const struct disjunct *d) {
  uint32_t least = EFSM_FAR;
  for (uint32_t c = 0; c < h->efsm->states.count; c++)
    if (csr_has(d->control, c) && h->distance[c] < least) least = h->distance[c];
  return least;
}

// --- lighthouses ---

// Nothing in a layer is new: all that leads to an error is in those before. Asked of the last one.
static bool is_last(struct hmc *h, struct disjunct *layer) {
  struct disjunct *rest = disjunct_keep(layer);
  for (size_t i = 0; i < h->light.count && rest && !disjunct_empty(rest); i++) {
    struct disjunct *less = states_minus(h->states, rest, h->light.data[i]);
    disjunct_drop(h->states, rest);
    rest = less;
  }
  bool last = rest && disjunct_empty(rest);
  if (rest) disjunct_drop(h->states, rest);
  return last;
}

static struct disjunct *errors(struct hmc *h) {
  uint64_t *set = mem_zalloc(csr_words(h->efsm) + 1, sizeof *set);
  for (uint32_t c = 0; c < h->efsm->states.count; c++)
    if (is_goal(h, c)) csr_add(set, c);
  struct disjunct *d = states_whole(h->states, set);
  mem_free(set);
  return d;
}

void priority_clear(struct hmc *h) {
  for (size_t i = 0; i < h->light.count; i++) disjunct_drop(h->states, h->light.data[i]);
  VEC_CLEAR(&h->light);
  h->light_all = false;
}

// One layer more; false: that was the last one.
static bool shine(struct hmc *h, uint64_t polyhedra) {
  struct disjunct *before = states_before(h->states, VEC_TOP(&h->light), polyhedra);
  if (!before) return false;
  disjunct_orphan(h->states, before);
  h->light_all = is_last(h, before);
  if (h->light_all) {
    disjunct_drop(h->states, before);
    return false;
  }
  VEC_PUSH(&h->light, before);
  return true;
}

void priority_lighthouses(struct hmc *h) {
  const struct hybrid_config *c = h->config;
  double limit = c->glh_seconds > 0 ? c->glh_seconds : HYBRID_GLH_SECONDS;
  if (c->budget.seconds > 0 && c->budget.seconds / 10 < limit) limit = c->budget.seconds / 10;
  double end = clock_seconds() + limit;
  struct disjunct *first = errors(h);
  if (!first) return;
  VEC_PUSH(&h->light, first);
  do {
    hmc_phase(h, "lighthouses", h->light.count);
    if (!hmc_goes_on(h) || clock_seconds() > end) return;
  } while (shine(h, c->polyhedra ? c->polyhedra : HYBRID_POLYHEDRA));
}

// The abstract distance; one more than that of the last lighthouse where none is met.
static uint32_t abstract_distance(struct hmc *h, const struct disjunct *d) {
  for (size_t i = 0; i < h->light.count; i++)
    if (states_meet(h->states, d, h->light.data[i])) return (uint32_t)i;
  return h->light_all ? EFSM_FAR : (uint32_t)h->light.count;
}

void priority_set(struct hmc *h, struct front *f) {
  f->nearest = nearest(h, f->set);
  f->distance = h->light.count ? abstract_distance(h, f->set) : f->nearest;
}

// --- Prioritize ---

bool priority_before(const struct hmc *h, const struct front *a, const struct front *b) {
  const struct hybrid_config *c = h->config;
  if (c->mode == HYBRID_ST) return a->set->depth < b->set->depth;
  if (c->search == HYBRID_GLH && a->distance != b->distance) return a->distance < b->distance;
  if (a->set->depth != b->set->depth) return a->set->depth > b->set->depth;
  if (a->distance != b->distance) return a->distance < b->distance;
  return a->order > b->order;
}

// One in so many goes to whoever has waited longest: a loop that does not end keeps nobody from
// being looked at.
#define FAIR 8

size_t priority_pick(const struct hmc *h) {
  bool fair = h->config->mode == HYBRID_HMC && h->judge.result->stats.images % FAIR == FAIR - 1;
  size_t best = h->F.count;
  for (size_t i = 0; i < h->F.count; i++) {
    const struct front *f = &h->F.data[i], *than = &h->F.data[best];
    if (f->stuck) continue;
    if (best == h->F.count || (fair ? f->order < than->order : priority_before(h, f, than)))
      best = i;
  }
  return best;
}
