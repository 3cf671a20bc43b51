// SPDX-License-Identifier: Apache-2.0
// What is worked out once all reachable states are known: which runs are fair, and Murphi's
// liveness, AG EF p over all runs, an obligation for each value of the rulesets around it.
#include "symbolic/reach.h"

// --- fairness ---

// The states in which a condition of a fairness constraint holds. False: it cannot be said in
// terms, or there are states in which it cannot be evaluated.
static bool fair_condition(struct reach *x, const struct ir_fairness *f, const struct ir_expr *e) {
  condition_clear(&x->atom);
  if (!condition_init(&x->atom, x->relation, x->space, &f->frame, e, &x->why)) return false;
  for (size_t i = 0; i < x->atom.faults.count; i++)
    if (dd_meets(x->reached, x->atom.faults.data[i].when)) return false;
  return true;
}

static bool add_fairness(struct reach *x, const struct ir_fairness *f) {
  struct fair_set s = {.met = dd_copy(x->reached), .agent = f->agent, .compassion = f->compassion};
  if (f->expr) {
    if (!fair_condition(x, f, f->expr)) return false;
    dd_and_to(&s.met, dd_copy(x->atom.yes));
  }
  if (f->compassion) {
    if (!fair_condition(x, f, f->given)) return false;
    s.given = dd_copy(x->atom.yes);
  }
  fair_add(&x->fair, s);
  return true;
}

bool reach_fairness(struct reach *x) {
  const struct ir_model *m = x->model;
  if (x->fair_ready) return true;
  for (size_t i = x->fair.list.count; i < m->fairness.count; i++)
    if (!add_fairness(x, m->fairness.data[i])) return false;
  if (m->fairness.count == 0 && dd_implies(x->reached, reach_enabled(x)))
    x->fair_states = dd_copy(x->reached);
  else
    x->fair_states = fair_globally(&x->net, &x->fair, x->reached);
  x->fair_ready = true;
  return true;
}

// --- instances of a property ---

struct binding {
  struct ir_model *model; // for its arena
  const struct ir_property *property;
  const int64_t *values; // of its parameters
};

static struct ir_expr *bind(const struct binding *b, const struct ir_expr *e);

static struct ir_domain *bind_domain(const struct binding *b, const struct ir_domain *d) {
  if (!d || d->type) return (struct ir_domain *)d;
  struct ir_domain *copy = ARENA_NEW(b->model->arena, struct ir_domain);
  *copy = *d;
  copy->lo = bind(b, d->lo);
  copy->hi = bind(b, d->hi);
  copy->step = d->step ? bind(b, d->step) : NULL;
  return copy;
}

// The expression with values in place of parameters. Its error sites are the same.
static struct ir_expr *bind(const struct binding *b, const struct ir_expr *e) {
  struct ir_expr *copy = ARENA_NEW(b->model->arena, struct ir_expr);
  *copy = *e;
  if (e->op == IR_LOCAL && e->local->id < b->property->param_count &&
      e->local == b->property->frame.locals[e->local->id]) {
    copy->op = IR_CONST;
    copy->value = b->values[e->local->id];
    return copy;
  }
  copy->domain = bind_domain(b, e->domain);
  copy->args = ARENA_ARRAY(b->model->arena, struct ir_expr *, e->arg_count);
  for (uint32_t i = 0; i < e->arg_count; i++) copy->args[i] = bind(b, e->args[i]);
  return copy;
}

// The next combination, the last parameter fastest; false: that was the last.
static bool next_instance(const struct ir_property *p, int64_t *values, uint64_t *at) {
  uint32_t i = p->param_count;
  while (i > 0 && ++at[i - 1] == ir_domain_count(p->frame.locals[i - 1]->domain)) at[--i] = 0;
  for (uint32_t k = 0; k < p->param_count; k++)
    values[k] = ir_domain_value(p->frame.locals[k]->domain, at[k]);
  return i > 0;
}

// --- liveness ---

void reach_tell_faults(struct reach *x, const struct ir_property *p) {
  for (size_t i = 0; i < x->atom.faults.count; i++) {
    dd bad = dd_and(x->reached, x->atom.faults.data[i].when);
    size_t ring = rings_find(&x->rings, bad);
    if (ring < x->rings.list.count) {
      x->judge.property_faulty[p->id] = 1;
      dd_set(&bad, dd_and(bad, x->rings.list.data[ring].nodes));
      witness_fault(x, p->id, x->atom.faults.data[i].site, ring, bad);
    }
    dd_drop(bad);
  }
}

// From some state none can be reached in which the condition holds: the nearest such state.
static void tell_lost(struct reach *x, const struct ir_property *p) {
  dd goal = dd_and(x->reached, x->atom.yes);
  dd live = net_reaching(&x->net, x->reached_all, goal), lost = dd_minus(x->reached, live);
  if (!dd_is_false(lost)) {
    size_t ring = rings_find(&x->rings, lost);
    dd_set(&lost, dd_and(lost, x->rings.list.data[ring].nodes));
    witness_state(x, TRACE_PROPERTY, p->id, ring, lost);
  }
  dd_drop(goal);
  dd_drop(live);
  dd_drop(lost);
}

// False: nothing more is to be said about the property.
static bool check_instance(struct reach *x, const struct ir_property *p, const int64_t *values) {
  struct binding b = {(struct ir_model *)x->model, p, values};
  const struct ir_expr *e = p->param_count ? bind(&b, p->expr) : p->expr;
  condition_clear(&x->atom);
  if (!condition_init(&x->atom, x->relation, x->space, &p->frame, e, &x->why)) {
    judge_unknown(&x->judge, p->id, "not checked", "it cannot be said in terms");
    return false;
  }
  reach_tell_faults(x, p);
  if (!x->judge.property_faulty[p->id] && !x->judge.stop) tell_lost(x, p);
  return !x->judge.property_seen[p->id] && !x->judge.property_faulty[p->id] && !x->judge.stop;
}

void reach_liveness(struct reach *x, const struct ir_property *p) {
  enum { PARAMS_MAX = 64 };
  int64_t values[PARAMS_MAX + 1];
  uint64_t at[PARAMS_MAX + 1] = {0};
  if (p->param_count > PARAMS_MAX) return judge_unknown(&x->judge, p->id, "not checked", NULL);
  for (uint32_t k = 0; k < p->param_count; k++)
    values[k] = ir_domain_value(p->frame.locals[k]->domain, 0);
  reach_phase(x, p->name);
  bool good;
  do good = check_instance(x, p, values);
  while (good && next_instance(p, values, at));
  x->judge.property_holds[p->id] = good;
}
