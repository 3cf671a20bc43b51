// SPDX-License-Identifier: Apache-2.0
// When a group may go alone. Of each member one of two things is asked:
// - It is blocked by something that only members change. So it stays blocked until a member fires.
// - It is possible, and independent of all that others can still do (ample_conflict.c).
// Then whatever others do first, no member but these fires before one of these does, and the ones
// that are possible commute with all of it: they are a persistent set, in the words of Godefroid,
// and satisfy C0 and C1 of ample sets. C2 is that they write nothing visible; C3 is the search's.
#include "reduce/ample.h"

#include <string.h>

enum { NODES_MAX = 20000 }; // of one condition; a larger one costs more than it saves

struct making {
  struct ample_study *a;
  uint32_t group;
  struct ir_frame *frame;
  bool hope; // some member can be safe
};

// --- who changes what a conjunct says ---

enum owner {
  OTHERS,
  GROUP,    // members alone
  APPENDED, // others only append to the queue at whose first element it looks
};

struct view {
  enum owner owner;
  const struct ample_queue *queue; // APPENDED
  bool counts; // that it is false keeps the member from firing, and from failing
};

static const struct ample_queue *queue_with_head(const struct ample_study *a, uint64_t leaf) {
  for (size_t k = 0; k < a->queues.count; k++) {
    const struct ample_queue *q = &a->queues.data[k];
    if (leaf > q->first && leaf - q->first <= q->slot) return q;
  }
  return NULL;
}

static struct view owner_of(const struct making *k, const struct ample_conjunct *c) {
  struct view v = {.owner = GROUP};
  for (uint64_t l = 0; l < k->a->m->leaves; l++) {
    if (!set_has(c->reads, l) || !ample_foreign(k->a, k->group, l)) continue;
    const struct ample_queue *q = queue_with_head(k->a, l);
    if (!q || ample_replaced(k->a, k->group, l) || (v.queue && v.queue != q))
      return (struct view){.owner = OTHERS};
    v = (struct view){.owner = APPENDED, .queue = q};
  }
  return v;
}

// Nothing before a conjunct that counts may come to fail: others cannot change that, or it cannot.
static void look_at(const struct making *k, const struct ample_instance *i, struct view *views) {
  bool sure = true;
  for (uint32_t n = 0; n < i->conjunct_count; n++) {
    const struct ample_conjunct *c = &i->conjuncts[n];
    views[n] = owner_of(k, c);
    views[n].counts = sure && !c->has_choice && views[n].owner != OTHERS;
    sure &= !c->fails || (views[n].owner == GROUP && !c->has_choice);
  }
}

// --- queues ---

static uint64_t *some(struct ample_study *a, const struct ample_queue *q) {
  uint64_t *values = ample_all_values(a, q->first);
  set_remove(values, ir_type_rank(a->m->layout->leaf[q->first].type, 0));
  return values;
}

static struct ir_expr *not_empty(struct ample_study *a, const struct ample_queue *q) {
  return ample_member(a, q->first, some(a, q));
}

static bool asks_not_empty(struct ample_study *a, const struct ample_conjunct *c,
                           const struct ample_queue *q) {
  size_t bytes = ample_value_words(a, q->first) * sizeof(uint64_t);
  return c->leaf == q->first && memcmp(c->values, some(a, q), bytes) == 0;
}

// Does all that others can change of the guard lie at the head of one queue? As soon as there is
// something in it, they cannot change it any more.
static const struct ample_queue *only_queue(const struct making *k, const struct ample_instance *i,
                                            const struct view *views) {
  const struct ample_queue *q = NULL;
  for (uint32_t n = 0; n < i->conjunct_count; n++) {
    if (views[n].owner != APPENDED) continue;
    if (!views[n].counts || (q && q != views[n].queue)) return NULL;
    q = views[n].queue;
  }
  for (uint32_t n = 0; q && n < i->conjunct_count; n++)
    if (views[n].owner == OTHERS && !asks_not_empty(k->a, &i->conjuncts[n], q)) return NULL;
  return q;
}

// --- one member ---

static struct ir_expr *out_of_danger(struct making *k, const struct ample_instance *i) {
  struct ample_study *a = k->a;
  struct ample_dangers d = {.always = true};
  if (!ample_seen(a, i)) ample_dangers(a, k->group, i, &d);
  struct ir_expr *x = ample_bool(a, !d.always);
  for (size_t n = 0; n < d.at.count && !d.always; n++) {
    uint64_t leaf = d.at.data[n].leaf, *rest = ample_all_values(a, leaf);
    for (size_t w = 0; w < ample_value_words(a, leaf); w++) rest[w] &= ~d.at.data[n].values[w];
    x = ample_and(a, x, ample_member(a, leaf, rest));
  }
  VEC_CLEAR(&d.at);
  return x;
}

// The condition on a member where it has the pivot's value that it asks for.
static struct ir_expr *demand(struct making *k, const struct ample_instance *i, uint32_t skip) {
  struct ample_study *a = k->a;
  if (i->rule->idle) return ample_bool(a, true); // see ample_groups
  struct view *views = mem_zalloc(i->conjunct_count + 1, sizeof *views);
  look_at(k, i, views);
  struct ir_expr *safe = out_of_danger(k, i), *blocked = ample_bool(a, false);
  const struct ample_queue *queue = ample_is(safe, true) ? only_queue(k, i, views) : NULL;
  if (queue) safe = not_empty(a, queue);
  k->hope |= !ample_is(safe, false);
  for (uint32_t n = 0; n < i->conjunct_count; n++) {
    const struct ample_conjunct *c = &i->conjuncts[n];
    if (n == skip || (c->leaf != AMPLE_NONE && c->leaf == a->transient)) continue;
    if (c->has_choice) {
      safe = ample_bool(a, false);
      continue;
    }
    struct ir_expr *x = ample_copy(a, i, c->expr, k->frame), *no = ample_not(a, x);
    if (views[n].owner != GROUP && !queue) safe = ample_and(a, safe, x);
    if (views[n].counts && views[n].owner == GROUP) blocked = ample_or(a, blocked, no);
    if (views[n].counts && views[n].owner == APPENDED && !queue)
      blocked = ample_or(a, blocked, ample_and(a, not_empty(a, views[n].queue), no));
  }
  mem_free(views);
  return ample_or(a, blocked, safe);
}

// --- the group ---

static uint32_t conjunct_on(const struct ample_instance *i, uint64_t leaf) {
  for (uint32_t n = 0; n < i->conjunct_count; n++)
    if (leaf != AMPLE_NONE && i->conjuncts[n].leaf == leaf) return n;
  return UINT32_MAX;
}

// By the value of one leaf that all these members ask for: those that do not ask for it are
// blocked.
static struct ir_expr *by_value(struct making *k, uint64_t leaf, const uint64_t *pivots,
                                struct ir_expr *const *demands) {
  struct ample_study *a = k->a;
  const struct ample_group *g = &a->groups.data[k->group];
  uint64_t *free = ARENA_ARRAY(a->arena, uint64_t, ample_value_words(a, leaf));
  uint64_t *one = ARENA_ARRAY(a->arena, uint64_t, ample_value_words(a, leaf));
  struct ir_expr *rest = ample_bool(a, false);
  for (uint64_t r = 0; r < ample_values(a, leaf); r++) {
    struct ir_expr *x = ample_bool(a, true);
    for (size_t n = 0; n < g->members.count; n++) {
      const struct ample_instance *i = &a->instances[g->members.data[n]];
      if (pivots[n] == leaf && demands[n] && set_has(ample_asked(i, leaf), r))
        x = ample_and(a, x, demands[n]);
    }
    if (ample_is(x, true)) set_add(free, r);
    if (x->op == IR_CONST) continue;
    set_add(one, r);
    rest = ample_or(a, rest, ample_and(a, ample_member(a, leaf, one), x));
    set_remove(one, r);
  }
  return ample_or(a, ample_member(a, leaf, free), rest);
}

static size_t nodes(const struct ir_expr *e) {
  size_t n = 1;
  for (uint32_t k = 0; k < e->arg_count; k++) n += nodes(e->args[k]);
  return n;
}

static struct ir_expr *join(struct making *k, const uint64_t *pivots,
                            struct ir_expr *const *demands) {
  struct ample_study *a = k->a;
  const struct ample_group *g = &a->groups.data[k->group];
  struct ir_expr *x = ample_bool(a, true);
  for (size_t n = 0; n < g->members.count; n++) {
    if (!demands[n]) continue;
    if (pivots[n] == AMPLE_NONE) {
      x = ample_and(a, x, demands[n]);
      continue;
    }
    bool first = true;
    for (size_t p = 0; p < n && first; p++) first = !demands[p] || pivots[p] != pivots[n];
    if (first) x = ample_and(a, x, by_value(k, pivots[n], pivots, demands));
  }
  return x;
}

struct ir_expr *ample_condition(struct ample_study *a, uint32_t group, struct ir_frame *frame) {
  const struct ample_group *g = &a->groups.data[group];
  struct making k = {.a = a, .group = group, .frame = frame};
  uint64_t *pivots = mem_zalloc(g->members.count + 1, sizeof *pivots);
  struct ir_expr **demands = mem_zalloc(g->members.count + 1, sizeof(struct ir_expr *));
  ample_pivots(a, group, pivots);
  for (size_t n = 0; n < g->members.count; n++) {
    const struct ample_instance *i = &a->instances[g->members.data[n]];
    if (i->stable) demands[n] = demand(&k, i, conjunct_on(i, pivots[n]));
  }
  struct ir_expr *x = k.hope ? join(&k, pivots, demands) : ample_bool(a, false);
  mem_free(pivots);
  mem_free(demands);
  return ample_is(x, false) || nodes(x) > NODES_MAX ? NULL : x;
}
