// SPDX-License-Identifier: Apache-2.0
// One step of the unrolled machine. Each edge is executed on the values of its node: where the
// guard becomes false there is no way. Ways that meet in a control state are joined: what all agree
// in is kept as it is; else it is an unknown that each way defines, if it is the one taken.
#include "hybrid/path_own.h"

#include "ir/ir.h"

#include <string.h>

enum { CHOSEN_MAX = 4 }; // ways whose constants are told by conditions instead of an unknown

// --- unknowns ---

const struct term *path_unknown(struct path *p, const struct ir_type *type, int64_t lo,
                                int64_t hi) {
  struct unknown u = {.type = type, .lo = lo, .hi = hi, .clause = p->clauses.count};
  if (lo == hi) return term_const(p->terms, lo);
  VEC_PUSH(&p->unknowns, u);
  return term_leaf_within(p->terms, p->unknowns.count - 1, type, lo, hi);
}

const struct term *path_truth(struct path *p) { return path_unknown(p, p->m->bool_type, 0, 1); }

// Clauses of an unknown lie together: they are told before the next unknown is made.
void path_define(struct path *p, const struct term *unknown, const struct term *when,
                 const struct term *then) {
  struct unknown *u = &p->unknowns.data[unknown->leaf];
  if (term_is(then, 1)) return;
  if (u->clauses == 0) u->clause = p->clauses.count;
  assert(u->clause + u->clauses == p->clauses.count);
  VEC_PUSH(&p->clauses, ((struct clause){when, then}));
  u->clauses++;
}

// --- executing an edge ---

static const struct term *choice(struct path *p, const struct term *a) {
  const struct term **c = &p->choices.data[p->at.choices + a->choice];
  int64_t lo, hi;
  if (*c) return *c;
  const struct ir_rule *r = p->at.rule->rule;
  efsm_choice_bounds(r->frame.locals[r->param_count + a->choice], &lo, &hi);
  return *c = path_unknown(p, a->type, lo, hi);
}

// The same, with the bounds that are known where it is used.
static const struct term *within(struct path *p, const struct term *v, int64_t lo, int64_t hi) {
  if (v->op != TERM_LEAF || (lo <= v->lo && hi >= v->hi)) return v;
  if (lo < v->lo) lo = v->lo;
  if (hi > v->hi) hi = v->hi;
  return lo > hi ? v : term_leaf_within(p->terms, v->leaf, v->type, lo, hi);
}

static const struct term *with_values(void *context, const struct term *a) {
  struct path *p = context;
  if (a->op == TERM_CHOICE) return within(p, choice(p, a), a->lo, a->hi);
  const struct node *n = p->at.node;
  assert(efsm_live(&p->e->states.data[n->state], a->leaf));
  uint32_t place = p->places[n->state].place[a->leaf];
  if (a->op == TERM_DEFINED) return n->defined[place];
  return within(p, n->values[place], a->lo, a->hi);
}

static const struct term *taken(struct path *p, const struct term *guard, bool *is_free) {
  const struct term *reach = p->at.node->reach;
  *is_free = false;
  if (term_is(guard, 1)) return reach;
  if (term_is(term_and(p->terms, reach, guard), 0)) return p->no;
  const struct term *t = path_truth(p);
  path_define(p, t, t, reach);
  path_define(p, t, t, guard);
  *is_free = true;
  return t;
}

static void keep_candidate(struct path *p, uint32_t to, struct candidate c) {
  VEC_PUSH(&p->candidates, c);
  uint32_t number = (uint32_t)p->candidates.count;
  if (p->heads[to]) {
    p->candidates.data[p->tails[to] - 1].next = number;
  } else {
    p->heads[to] = number;
    VEC_PUSH(&p->targets, to);
  }
  p->tails[to] = number;
}

// What the leaves that matter behind the edge hold there.
static void carry(struct path *p, const struct efsm_edge *d, struct candidate *c) {
  const struct efsm_state *s = &p->e->states.data[d->to];
  const struct place *to = &p->places[d->to], *from = &p->places[d->from];
  c->values = ARENA_ARRAY(p->young, const struct term *, to->count + 1);
  c->defined = ARENA_ARRAY(p->young, const struct term *, to->count + 1);
  for (uint32_t i = 0; i < to->count; i++) {
    uint32_t leaf = to->leaf[i];
    const struct relation_write *w = efsm_write(d, leaf);
    const struct term *v = w ? rebuild(&p->with, w->value) : p->at.node->values[from->place[leaf]];
    c->defined[i] = w ? rebuild(&p->with, w->defined) : p->at.node->defined[from->place[leaf]];
    c->values[i] = within(p, v, s->lo[leaf], s->hi[leaf]);
  }
}

static void take(struct path *p, uint32_t edge) {
  const struct efsm_edge *d = &p->e->edges.data[edge];
  struct candidate c = {.way = {.from = (uint32_t)(p->at.node - p->nodes.data), .edge = edge}};
  c.way.choices = p->at.choices;
  const struct term *guard = rebuild(&p->with, d->guard);
  c.way.taken = term_is(guard, 0) ? p->no : taken(p, guard, &c.free);
  if (term_is(c.way.taken, 0)) return;
  if (!p->e->states.data[d->to].is_error) carry(p, d, &c);
  keep_candidate(p, d->to, c);
}

// Edges of one rule share its choices, and what was made of its terms.
static void turn_to(struct path *p, const struct relation_rule *r) {
  p->at.rule = r;
  p->at.choices = p->choices.count;
  for (uint32_t k = 0; r && k < r->rule->choice_count; k++) VEC_PUSH(&p->choices, NULL);
  rebuild_begin(&p->with, with_values, p);
}

static void leave(struct path *p, uint32_t node) {
  const struct efsm_state *s = &p->e->states.data[p->nodes.data[node].state];
  p->at.node = &p->nodes.data[node];
  for (size_t i = 0; i < s->out.count; i++) {
    const struct relation_rule *r = p->e->edges.data[s->out.data[i]].rule;
    if (i == 0 || r != p->at.rule) turn_to(p, r);
    take(p, s->out.data[i]);
  }
}

// --- joining ---

struct joint {
  uint32_t first; // candidate
  uint32_t count;
  bool of_defined;
  uint32_t place;
};

static const struct term *joint_term(const struct path *p, const struct joint *j, uint32_t c) {
  const struct candidate *x = &p->candidates.data[c - 1];
  return j->of_defined ? x->defined[j->place] : x->values[j->place];
}

static bool few_constants(const struct path *p, const struct joint *j) {
  if (j->count > CHOSEN_MAX) return false;
  for (uint32_t c = j->first; c; c = p->candidates.data[c - 1].next)
    if (joint_term(p, j, c)->op != TERM_CONST) return false;
  return true;
}

// The first way that is taken counts, as path_run has it.
static const struct term *chosen(struct path *p, const struct joint *j, uint32_t c) {
  const struct candidate *x = &p->candidates.data[c - 1];
  if (!x->next) return joint_term(p, j, c);
  return term_ite(p->terms, x->way.taken, joint_term(p, j, c), chosen(p, j, x->next));
}

static const struct term *joined(struct path *p, const struct joint *j,
                                 const struct ir_type *type) {
  const struct term *a = joint_term(p, j, j->first);
  int64_t lo = a->lo, hi = a->hi;
  bool same = true;
  for (uint32_t c = j->first; c; c = p->candidates.data[c - 1].next) {
    const struct term *b = joint_term(p, j, c);
    same &= a == b;
    if (b->lo < lo) lo = b->lo;
    if (b->hi > hi) hi = b->hi;
  }
  if (same) return a;
  if (few_constants(p, j)) return chosen(p, j, j->first);
  const struct term *u = path_unknown(p, type, lo, hi);
  for (uint32_t c = j->first; c; c = p->candidates.data[c - 1].next)
    path_define(p, u, p->candidates.data[c - 1].way.taken,
                term_binary(p->terms, TERM_EQ, u, joint_term(p, j, c)));
  return u;
}

static const struct term *any_taken(struct path *p, uint32_t first, uint32_t count) {
  if (count == 1) return p->candidates.data[first - 1].way.taken;
  const struct term *all = p->no;
  for (uint32_t c = first; c; c = p->candidates.data[c - 1].next)
    all = term_or(p->terms, all, p->candidates.data[c - 1].way.taken);
  if (all->op == TERM_CONST || all->op == TERM_LEAF) return all;
  const struct term *reach = path_truth(p);
  path_define(p, reach, reach, all);
  return reach;
}

static void join_values(struct path *p, struct node *n, struct joint j) {
  const struct efsm_state *s = &p->e->states.data[n->state];
  const struct place *at = &p->places[n->state];
  n->values = ARENA_ARRAY(p->young, const struct term *, at->count + 1);
  n->defined = ARENA_ARRAY(p->young, const struct term *, at->count + 1);
  for (j.place = 0; j.place < at->count; j.place++) {
    uint32_t leaf = at->leaf[j.place];
    j.of_defined = false;
    const struct term *v = joined(p, &j, p->m->layout->leaf[leaf].type);
    n->values[j.place] = within(p, v, s->lo[leaf], s->hi[leaf]);
    j.of_defined = true;
    n->defined[j.place] = joined(p, &j, p->m->bool_type);
  }
}

// Of ways that meet, none has to be taken because another one is: what each defines holds for it
// alone.
static void set_free(struct path *p, uint32_t first) {
  for (uint32_t c = first; c; c = p->candidates.data[c - 1].next) {
    struct candidate *x = &p->candidates.data[c - 1];
    if (x->free) continue;
    const struct term *t = path_truth(p);
    path_define(p, t, t, x->way.taken);
    x->way.taken = t;
    x->free = true;
  }
}

void path_join(struct path *p, uint32_t state, uint32_t first) {
  struct joint j = {.first = first};
  struct node n = {.state = state, .way = p->ways.count};
  if (p->candidates.data[j.first - 1].next) set_free(p, j.first);
  for (uint32_t c = j.first; c; c = p->candidates.data[c - 1].next, j.count++)
    VEC_PUSH(&p->ways, p->candidates.data[c - 1].way);
  n.ways = j.count;
  n.reach = any_taken(p, j.first, j.count);
  const struct efsm_state *s = &p->e->states.data[state];
  if (!s->is_error && !s->sink) join_values(p, &n, j);
  VEC_PUSH(&p->nodes, n);
}

// --- a step ---

// Nodes of errors and sinks first, so that the frontier lies together.
static void join_all(struct path *p) {
  size_t go_on = 0;
  for (size_t i = 0; i < p->targets.count; i++) {
    uint32_t state = p->targets.data[i];
    const struct efsm_state *s = &p->e->states.data[state];
    go_on += !s->is_error && !s->sink;
    if (!s->is_error && !s->sink) continue;
    path_join(p, state, p->heads[state]);
    if (s->is_error) VEC_PUSH(&p->errors, (uint32_t)p->nodes.count - 1);
  }
  p->frontier = p->nodes.count;
  for (size_t i = 0; i < p->targets.count; i++) {
    uint32_t state = p->targets.data[i];
    const struct efsm_state *s = &p->e->states.data[state];
    if (!s->is_error && !s->sink) path_split(p, state, go_on);
    p->heads[state] = p->tails[state] = 0;
  }
}

void path_grow(struct path *p) {
  size_t end = p->nodes.count;
  p->candidates.count = p->targets.count = p->errors.count = 0;
  for (size_t i = p->frontier; i < end; i++) leave(p, (uint32_t)i);
  join_all(p);
  arena_free(p->old);
  p->old = p->young;
  p->young = arena_new();
}
