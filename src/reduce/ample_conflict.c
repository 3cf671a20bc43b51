// SPDX-License-Identifier: Apache-2.0
// Which steps of others a step depends on, and from where these can still happen.
//
// Let a step be possible in a state, and let others take steps of theirs, as long as none of these
// depends on it. It stays possible all the while, and all of them commute with it. So the first one
// that does depend on it must be possible together with it: pairs whose guards contradict each
// other never meet. And the place of the other's agent must be one that leads to that step.
#include "reduce/ample.h"

#include <string.h>

// --- dependence ---

// Leaves that the two use of the same queue, by its two ends. Appending where there is room and
// taking the first element that is liked commute, and neither keeps the other from happening.
static bool two_ends(const struct ample_instance *i, const struct ample_instance *o) {
  return i->queue != AMPLE_NONE && i->queue == o->queue && i->rule->use.kind != o->rule->use.kind;
}

static void without_queue(const struct ample_instance *i, uint64_t *set) {
  for (uint64_t l = 0; l < i->queue_leaves; l++) set_remove(set, i->queue + l);
}

// What a step may touch, as long as another one is all that happens besides.
struct touched {
  uint64_t *reads, *writes; // leaves
  uint64_t *moves;          // groups
};

// Can it fire just before or just after the other step, or at the end of it? The values that the
// other's pivot has then are known.
static bool can_meet(const struct ample_study *a, const struct ample_instance *i,
                     const struct ample_instance *other) {
  const uint64_t *asked = other->pivot == AMPLE_NONE ? NULL : ample_asked(i, other->pivot);
  return !asked || set_meets(asked, other->span, ample_value_words(a, other->pivot));
}

// Is all that it asks about the other's pivot answered in the same way, whichever of these values
// that has?
static bool indifferent(const struct ample_study *a, const struct ample_instance *i,
                        const struct ample_instance *other) {
  if (other->pivot == AMPLE_NONE || set_has(i->own_values, other->pivot)) return false;
  size_t words = ample_value_words(a, other->pivot);
  for (size_t k = 0; k < i->questions.count; k++) {
    const struct ample_question *q = &i->questions.data[k];
    if (q->leaf == other->pivot && !ample_unanimous(q, other->span, words)) return false;
  }
  return true;
}

static void touch(const struct ample_study *a, const struct ample_instance *i,
                  const struct ample_instance *other, struct touched *t) {
  memset(t->reads, 0, a->leaf_words * sizeof *t->reads);
  memset(t->writes, 0, a->leaf_words * sizeof *t->writes);
  memset(t->moves, 0, a->group_words * sizeof *t->moves);
  for (uint32_t k = 0; k < i->chain_count; k++) {
    const struct ample_instance *next = &a->instances[i->chain[k]];
    if (!can_meet(a, next, other)) continue;
    bool had = other->pivot != AMPLE_NONE && set_has(t->reads, other->pivot);
    set_join(t->reads, next->own_reads, a->leaf_words);
    if (!had && indifferent(a, next, other)) set_remove(t->reads, other->pivot);
    set_join(t->writes, next->own_writes, a->leaf_words);
    set_join(t->moves, next->groups, a->group_words);
  }
  if (a->transient == AMPLE_NONE) return;
  set_remove(t->reads, a->transient); // which nobody sees between chains
  set_remove(t->writes, a->transient);
}

// Seats of an agent that is there are written by its own steps and its partners' alone. The agents
// of both steps are there: what one writes of the other's seats, it does not write now.
static bool depend(const struct ample_study *a, uint32_t group, const struct ample_instance *i,
                   const struct ample_instance *o, struct touched *t) {
  if (i->alien || o->alien) return true;
  touch(a, i, o, &t[0]);
  touch(a, o, i, &t[1]);
  bool moves_them = set_meets(t[0].moves, o->groups, a->group_words);
  bool moves_us = set_has(t[1].moves, group), any = false;
  for (size_t w = 0; w < a->leaf_words; w++) {
    uint64_t mine = t[0].writes[w] & ~(moves_them ? 0 : o->home[w]);
    uint64_t theirs = t[1].writes[w] & ~(moves_us ? 0 : a->groups.data[group].seats[w]);
    t[0].writes[w] = (mine & (t[1].reads[w] | theirs)) | (theirs & (t[0].reads[w] | mine));
    any |= t[0].writes[w] != 0;
  }
  if (!any || !two_ends(i, o)) return any;
  without_queue(i, t[0].writes);
  return set_meets(t[0].writes, t[0].writes, a->leaf_words);
}

// A first look, at what they may touch whatever happens besides.
static bool may_depend(const struct ample_study *a, const struct ample_instance *i,
                       const struct ample_instance *o) {
  if (i->alien || o->alien) return true;
  for (size_t w = 0; w < a->leaf_words; w++)
    if ((i->writes[w] & (o->reads[w] | o->writes[w])) | (o->writes[w] & i->reads[w])) return true;
  return false;
}

// --- never at the same time ---

// All that the first one's guard asks for stays true as long as it stays possible.
static bool contradict(const struct ample_study *a, const struct ample_instance *i,
                       const struct ample_instance *o) {
  if (o->rule->idle && !i->rule->idle) return true;
  for (uint32_t k = 0; k < i->conjunct_count; k++) {
    const struct ample_conjunct *c = &i->conjuncts[k];
    if (c->leaf == AMPLE_NONE || c->leaf == a->transient) continue;
    const uint64_t *asked = ample_asked(o, c->leaf);
    if (asked && !set_meets(asked, c->values, ample_value_words(a, c->leaf))) return true;
  }
  return false;
}

// --- what can still happen ---

// An agent that is not there is put at its place by another.
static bool creates(const struct ample_study *a, const struct ample_instance *i, uint64_t leaf) {
  const struct ir_var *v = ir_leaf_var(a->m, leaf);
  if (!a->m->seats || !v->is_location || v->first_leaf != leaf) return false;
  return i->rule->agent != v->agent && !(i->rule->partner && i->rule->partner->agent == v->agent);
}

static const uint64_t *value_before(const struct ample_study *a, const struct ample_instance *i,
                                    uint64_t leaf) {
  if (creates(a, i, leaf)) {
    const struct ir_type *t = a->m->layout->leaf[leaf].type;
    uint64_t *zero = ARENA_ARRAY(a->arena, uint64_t, ample_value_words(a, leaf));
    if (ir_type_has(t, 0)) set_add(zero, ir_type_rank(t, 0));
    return zero;
  }
  const uint64_t *asked = ample_asked(i, leaf);
  return asked ? asked : ample_all_values(a, leaf);
}

static void find_ways(struct ample_study *a, uint64_t leaf, struct ample_ways *ways) {
  *ways = (struct ample_ways){.leaf = leaf};
  for (uint32_t n = 0; n < a->count; n++) {
    const struct ample_instance *i = &a->instances[n];
    if (!set_has(i->own_writes, leaf)) continue;
    struct ample_way way = {.before = value_before(a, i, leaf)};
    way.after = ARENA_ARRAY(a->arena, uint64_t, ample_value_words(a, leaf));
    ample_effect(a, i, leaf, way.before, way.after);
    VEC_PUSH(&ways->ways, way);
  }
}

static const struct ample_ways *ways_of(struct ample_study *a, uint64_t leaf) {
  for (size_t k = 0; k < a->ways.count; k++)
    if (a->ways.data[k].leaf == leaf) return &a->ways.data[k];
  struct ample_ways ways;
  find_ways(a, leaf, &ways);
  VEC_PUSH(&a->ways, ways);
  return &VEC_TOP(&a->ways);
}

// The values of its pivot from which the instance may fire sooner or later.
static const uint64_t *future(struct ample_study *a, struct ample_instance *i) {
  if (i->future) return i->future;
  size_t words = ample_value_words(a, i->pivot);
  const struct ample_ways *ways = ways_of(a, i->pivot);
  i->future = ARENA_ARRAY(a->arena, uint64_t, words);
  set_join(i->future, ample_asked(i, i->pivot), words);
  for (bool more = true; more;) {
    more = false;
    for (size_t k = 0; k < ways->ways.count; k++) {
      const struct ample_way *way = &ways->ways.data[k];
      if (!set_meets(way->after, i->future, words)) continue;
      for (size_t w = 0; w < words; w++) more |= (way->before[w] & ~i->future[w]) != 0;
      set_join(i->future, way->before, words);
    }
  }
  return i->future;
}

// --- the whole ---

static void add_danger(struct ample_study *a, struct ample_instance *o, struct ample_dangers *out) {
  if (o->pivot == AMPLE_NONE) {
    out->always = true;
    return;
  }
  size_t words = ample_value_words(a, o->pivot), k = 0;
  const uint64_t *values = future(a, o), *all = ample_all_values(a, o->pivot);
  while (k < out->at.count && out->at.data[k].leaf != o->pivot) k++;
  if (k == out->at.count) {
    struct ample_danger d = {o->pivot, ARENA_ARRAY(a->arena, uint64_t, words)};
    VEC_PUSH(&out->at, d);
  }
  set_join(out->at.data[k].values, values, words);
  out->always |= memcmp(out->at.data[k].values, all, words * sizeof *all) == 0;
}

void ample_dangers(struct ample_study *a, uint32_t group, const struct ample_instance *i,
                   struct ample_dangers *out) {
  *out = (struct ample_dangers){0};
  struct touched t[2];
  for (int k = 0; k < 2; k++) {
    t[k].reads = ARENA_ARRAY(a->arena, uint64_t, a->leaf_words);
    t[k].writes = ARENA_ARRAY(a->arena, uint64_t, a->leaf_words);
    t[k].moves = ARENA_ARRAY(a->arena, uint64_t, a->group_words);
  }
  for (uint32_t n = 0; n < a->count && !out->always; n++) {
    struct ample_instance *o = &a->instances[n];
    if (!o->stable || set_has(o->groups, group) || !may_depend(a, i, o)) continue;
    if (!contradict(a, i, o) && depend(a, group, i, o, t)) add_danger(a, o, out);
  }
}
