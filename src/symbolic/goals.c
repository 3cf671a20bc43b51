// SPDX-License-Identifier: Apache-2.0
// The goals of a run, what each depends on, and which of them go together.
#include "symbolic/goals.h"

#include "ir/ir.h"
#include "symbolic/reach.h"

#include <string.h>

// --- parts ---

struct making {
  struct goals *goals;
  const struct symbolic_config *config;
  struct relation *relation;
  size_t properties;
};

static struct goals_part *add_part(struct making *k, const struct support *s, unsigned what) {
  struct goals_part part = {.judge = {.property_on = mem_zalloc(k->properties + 1, 1)}};
  cone_init(&part.cone, k->relation, s->leaves, what | (s->all ? CONE_ALL : 0));
  part.sliced = k->config->cone && !k->config->order_out; // an order is one of all variables
  VEC_PUSH(&k->goals->parts, part);
  return &VEC_TOP(&k->goals->parts);
}

static void drop_part(struct goals_part *p) {
  mem_free(p->judge.property_on);
  cone_clear(&p->cone);
}

static void make_property(struct making *k, const struct ir_property *p) {
  struct support s;
  support_init(&s, k->relation);
  add_part(k, &s, support_property(&s, p))->judge.property_on[p->id] = 1;
  support_clear(&s);
}

static void make_errors(struct making *k) {
  struct support s;
  support_init(&s, k->relation);
  add_part(k, &s, CONE_ERRORS)->judge.errors = true;
  support_clear(&s);
}

// Whether nothing at all can happen depends on everything.
static void make_deadlock(struct making *k) {
  struct support s;
  support_init(&s, k->relation);
  const struct ir_model *m = k->relation->model;
  struct ir_frame none = {0};
  if (m->valid_end) support_condition(&s, &none, m->valid_end);
  s.all = true;
  add_part(k, &s, CONE_RUNS)->judge.deadlock = true;
  support_clear(&s);
}

static bool is_on(const struct symbolic_config *c, size_t i) {
  return (!c->property_on || c->property_on[i]) &&
         c->model->properties.data[i]->kind != IR_PROP_ASSUME;
}

// --- joining ---

static uint64_t bits(const struct making *k, const struct cone *c) {
  uint64_t sum = 0;
  for (uint64_t i = 0; i < k->relation->model->layout->count; i++)
    if (cone_has(c, i)) sum += k->relation->model->layout->leaf[i].width;
  return sum;
}

static uint64_t bits_of_both(const struct making *k, const struct cone *a, const struct cone *b) {
  uint64_t sum = 0;
  for (uint64_t i = 0; i < k->relation->model->layout->count; i++)
    if (cone_has(a, i) || cone_has(b, i)) sum += k->relation->model->layout->leaf[i].width;
  return sum;
}

// One run for both is taken to be cheaper than two where it has hardly more leaves than either.
static bool alike(const struct making *k, const struct cone *a, const struct cone *b) {
  uint64_t one = bits(k, a), other = bits(k, b), less = one < other ? one : other;
  return cone_same(k->relation, a, b) || 4 * less >= 3 * bits_of_both(k, a, b);
}

static void join(const struct making *k, struct goals_part *to, struct goals_part *from) {
  cone_join(k->relation, &to->cone, &from->cone);
  for (size_t i = 0; i < k->properties; i++) to->judge.property_on[i] |= from->judge.property_on[i];
  to->judge.errors |= from->judge.errors;
  to->judge.deadlock |= from->judge.deadlock;
  drop_part(from);
}

// Parts that are alike become one. Each that is left was compared with all before it.
static void join_parts(struct making *k) {
  struct goals *g = k->goals;
  size_t count = 0;
  for (size_t i = 0; i < g->parts.count; i++) {
    size_t to = 0;
    while (to < count && !alike(k, &g->parts.data[to].cone, &g->parts.data[i].cone)) to++;
    if (to < count)
      join(k, &g->parts.data[to], &g->parts.data[i]);
    else
      g->parts.data[count++] = g->parts.data[i];
  }
  g->parts.count = count;
}

static void sort_parts(struct making *k) {
  struct goals *g = k->goals;
  for (size_t i = 1; i < g->parts.count; i++) // few, and equal ones stay in their order
    for (size_t at = i; at > 0; at--) {
      struct goals_part *a = &g->parts.data[at - 1], *b = &g->parts.data[at], swap = *a;
      if (bits(k, &a->cone) <= bits(k, &b->cone)) break;
      *a = *b;
      *b = swap;
    }
}

// --- all of them ---

// Nothing, if there is no property: then the states are what is asked for.
static void make_goals(struct making *k, struct judge *j) {
  for (size_t i = 0; i < k->properties; i++)
    if (is_on(k->config, i)) make_property(k, k->config->model->properties.data[i]);
  if (k->goals->parts.count == 0 && k->config->search == SYMBOLIC_BFS) return;
  if (relation_fails(k->relation))
    make_errors(k);
  else
    judge_settle_errors(j);
  if (k->config->deadlock != IR_DEADLOCK_OFF) make_deadlock(k);
}

// Everything at once: as if there were no cones.
static void make_whole(struct making *k) {
  struct support s;
  support_init(&s, k->relation);
  struct goals_part *p = add_part(k, &s, CONE_ALL);
  for (size_t i = 0; i < k->properties; i++) p->judge.property_on[i] = is_on(k->config, i);
  p->judge.errors = true;
  p->judge.deadlock = k->config->deadlock != IR_DEADLOCK_OFF;
  p->sliced = false;
  support_clear(&s);
}

void goals_init(struct goals *g, const struct symbolic_config *c, struct relation *r,
                struct judge *j) {
  struct making k = {g, c, r, c->model->properties.count};
  *g = (struct goals){0};
  bool bfs = c->search == SYMBOLIC_BFS;
  if ((c->cone && !c->order_out) || !bfs) make_goals(&k, j);
  if (bfs) join_parts(&k);
  sort_parts(&k);
  if (g->parts.count == 0) make_whole(&k);
}

void goals_clear(struct goals *g) {
  for (size_t i = 0; i < g->parts.count; i++) drop_part(&g->parts.data[i]);
  VEC_CLEAR(&g->parts);
}
