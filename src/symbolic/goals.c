// SPDX-License-Identifier: Apache-2.0
// The goals of a run, what each depends on, and which of them go together.
#include "symbolic/goals.h"

#include "ir/ir.h"
#include "symbolic/reach.h"

#include <string.h>

// --- what a goal speaks of ---

struct support {
  struct relation *relation;
  uint64_t *leaves;
  bool all; // everything: it cannot be told
};

static void add_condition(struct support *s, const struct ir_frame *frame,
                          const struct ir_expr *e) {
  struct relation_condition c;
  struct text why = {0};
  if (relation_condition(s->relation, frame, e, &c, &why)) {
    term_support(c.value, s->leaves, NULL);
    for (size_t i = 0; i < c.errors.count; i++)
      term_support(c.errors.data[i].when, s->leaves, NULL);
    relation_condition_clear(&c);
  } else {
    s->all = true;
  }
  text_clear(&why);
}

static void add_formula(struct support *s, const struct ir_property *p, const struct ir_ctl *f) {
  if (!f) return;
  if (f->op == IR_CTL_ATOM) return add_condition(s, &p->frame, f->expr);
  add_formula(s, p, f->left);
  add_formula(s, p, f->right);
}

static void add_automaton(struct support *s, const struct ir_automaton *a) {
  const struct ir_model *m = s->relation->model;
  uint64_t atoms = a->accept_atom >= 0 ? UINT64_C(1) << a->accept_atom : 0;
  for (uint32_t i = 0; i < a->count; i++)
    for (uint32_t k = 0; k < a->states[i].edge_count; k++)
      atoms |= a->states[i].edges[k].yes | a->states[i].edges[k].no;
  for (size_t i = 0; i < m->atoms.count && i < IR_ATOMS_MAX; i++)
    if (atoms >> i & 1) add_condition(s, &m->atoms.data[i]->frame, m->atoms.data[i]->expr);
}

static void add_fairness(struct support *s) {
  const struct ir_model *m = s->relation->model;
  for (size_t i = 0; i < m->fairness.count; i++) {
    const struct ir_fairness *f = m->fairness.data[i];
    if (f->expr) add_condition(s, &f->frame, f->expr);
    if (f->given) add_condition(s, &f->frame, f->given);
  }
}

static bool is_cyclic(const struct ir_property *p) {
  return ir_prop_cyclic(p->kind) || p->kind == IR_PROP_CTL;
}

// Is there a statement that reaches it? Whether that is come to is up to everything before it.
static bool is_stated(const struct relation_rule *rules, size_t count, uint32_t property) {
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < rules[i].covers.count; k++)
      if (rules[i].covers.data[k].property == property) return true;
  return false;
}

static void add_property(struct support *s, const struct ir_property *p) {
  const struct relation *r = s->relation;
  s->all |= p->param_count > 0 || is_stated(r->rules.data, r->rules.count, p->id) ||
            is_stated(r->starts.data, r->starts.count, p->id);
  if (p->expr && !s->all) add_condition(s, &p->frame, p->expr);
  add_formula(s, p, p->ctl);
  if (p->automaton) add_automaton(s, p->automaton);
  if (is_cyclic(p)) add_fairness(s);
}

// AG p is an invariant where every state has a successor and all runs count.
static bool is_invariant(const struct relation *r, const struct ir_property *p) {
  return p->kind == IR_PROP_CTL && p->ctl && p->ctl->op == IR_CTL_AG &&
         ctl_is_condition(p->ctl->left) && r->model->fairness.count == 0 && relation_total(r);
}

static bool speaks_of_states(const struct relation *r, const struct ir_property *p) {
  return p->kind == IR_PROP_INVARIANT || p->kind == IR_PROP_COVER || is_invariant(r, p);
}

// --- parts ---

struct making {
  struct goals *goals;
  const struct symbolic_config *config;
  struct relation *relation;
  size_t properties;
};

static struct goals_part *add_part(struct making *k, const struct support *s, unsigned what) {
  struct goals_part part = {.judge = {.property_on = mem_zalloc(k->properties + 1, 1)}};
  cone_init_for(&part.cone, k->relation, s->leaves, what | (s->all ? CONE_ALL : 0));
  part.sliced = k->config->cone && !k->config->order_out; // an order is one of all variables
  VEC_PUSH(&k->goals->parts, part);
  return &VEC_TOP(&k->goals->parts);
}

static void drop_part(struct goals_part *p) {
  mem_free(p->judge.property_on);
  cone_clear(&p->cone);
}

static void support_init(struct support *s, const struct making *k) {
  *s = (struct support){.relation = k->relation};
  s->leaves = mem_zalloc(k->relation->model->layout->count / 64 + 1, sizeof *s->leaves);
}

static void make_property(struct making *k, const struct ir_property *p) {
  struct support s;
  support_init(&s, k);
  add_property(&s, p);
  unsigned what = speaks_of_states(k->relation, p) ? 0 : CONE_RUNS;
  add_part(k, &s, what)->judge.property_on[p->id] = 1;
  mem_free(s.leaves);
}

static void make_errors(struct making *k) {
  struct support s;
  support_init(&s, k);
  add_part(k, &s, CONE_ERRORS)->judge.errors = true;
  mem_free(s.leaves);
}

// Whether nothing at all can happen depends on everything.
static void make_deadlock(struct making *k) {
  struct support s;
  support_init(&s, k);
  const struct ir_model *m = k->relation->model;
  struct ir_frame none = {0};
  if (m->valid_end) add_condition(&s, &none, m->valid_end);
  s.all = true;
  add_part(k, &s, CONE_RUNS)->judge.deadlock = true;
  mem_free(s.leaves);
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
  support_init(&s, k);
  struct goals_part *p = add_part(k, &s, CONE_ALL);
  for (size_t i = 0; i < k->properties; i++) p->judge.property_on[i] = is_on(k->config, i);
  p->judge.errors = true;
  p->judge.deadlock = k->config->deadlock != IR_DEADLOCK_OFF;
  p->sliced = false;
  mem_free(s.leaves);
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
