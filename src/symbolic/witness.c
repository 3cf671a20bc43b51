// SPDX-License-Identifier: Apache-2.0
// Traces: what was found in a set of states becomes a path through the rings, one state each, and
// that becomes steps of the model with their choices.
#include "symbolic/reach.h"

#include "ir/eval.h"
#include "relation/cone.h"
#include "sys/sys.h"

#include <string.h>

// --- steps ---

// x->values, found in a slice, become those of a step of the whole, from the state x->full.
static void complete(struct reach *x, bool start, uint32_t instance) {
  if (!x->full) return;
  const struct relation_rule *rules = start ? x->relation->starts.data : x->relation->rules.data;
  witness_leaves(x);
  relation_complete(x->whole, x->relation, &rules[instance], start ? NULL : x->full_values,
                    x->values);
}

static void add_start(struct reach *x, struct trace *t, uint32_t instance) {
  const struct ir_rule *r = ir_instance(x->model, true, instance, NULL);
  complete(x, true, instance);
  t->start_instance = instance;
  t->start_choice = trace_keep_choices(t, r, x->values);
}

static void add_step(struct reach *x, struct trace *t, uint32_t instance) {
  const struct ir_rule *r = ir_instance(x->model, false, instance, NULL);
  complete(x, false, instance);
  struct trace_step step = {instance, trace_keep_choices(t, r, x->values)};
  VEC_PUSH(&t->steps, step);
}

static void follow_start(struct reach *x, dd to, struct trace *t) {
  struct steps_found f = {.choices = x->values};
  dd reached = dd_false();
  bool found = steps_find_start(x->steps, to, &f, &reached);
  assert(found && "a path begins with a start");
  (void)found;
  add_start(x, t, f.instance);
  witness_take(x, true, f.instance);
  dd_drop(reached);
}

static void follow_step(struct reach *x, dd from, dd to, int32_t agent, struct trace *t) {
  struct steps_found f = {.choices = x->values};
  dd reached = dd_false();
  if (steps_find(x->steps, from, to, agent, &f, &reached)) {
    add_step(x, t, f.instance);
    witness_take(x, false, f.instance);
  } else {
    assert(from == to && agent < 0 && "a path is made of steps");
    VEC_PUSH(&t->steps, ((struct trace_step){.instance = SYS_STUTTER}));
  }
  dd_drop(reached);
}

void witness_follow(struct reach *x, const struct path *p, struct trace *t) {
  follow_start(x, p->nodes.data[0].node, t);
  for (size_t i = 0; i + 1 < p->nodes.count; i++) {
    const struct path_node *n = &p->nodes.data[i];
    follow_step(x, n[0].node, n[1].node, n[0].by, t);
  }
}

void witness_add(struct reach *x, struct trace *t) {
  if (x->full && t->has_loop && !witness_close(x, t))
    trace_clear(t);
  else
    VEC_PUSH(&x->judge.result->traces, *t);
  *t = (struct trace){0};
}

// --- what was found in a state ---

// x->pending becomes a trace to a state of the set; x->path is the way there.
static void lead_to(struct reach *x, size_t ring, dd set) {
  dd node = net_pick(&x->net, set);
  x->tracing = true;
  path_clear(&x->path);
  rings_path(&x->rings, &x->net, ring, node, &x->path);
  witness_follow(x, &x->path, &x->pending);
  x->tracing = false;
  dd_drop(node);
}

void witness_state(struct reach *x, enum trace_end end, uint32_t id, size_t ring, dd set) {
  judge_claim(&x->judge, end, id);
  x->pending = (struct trace){.end = end, .id = id};
  lead_to(x, ring, set);
  witness_add(x, &x->pending);
}

void witness_fault(struct reach *x, uint32_t property, uint32_t site, size_t ring, dd set) {
  if (!judge_wants(&x->judge, TRACE_SITE, site)) return;
  judge_claim(&x->judge, TRACE_SITE, site);
  x->pending =
      (struct trace){.end = TRACE_SITE, .id = site, .in_property = true, .property = property};
  lead_to(x, ring, set);
  witness_add(x, &x->pending);
}

// --- steps that fail ---

// Assumptions are looked at after a step, and to fail there is a fault of the step.
static enum ir_outcome look_at_assumptions(struct reach *x) {
  for (size_t i = 0; i < x->model->properties.count; i++) {
    const struct ir_property *p = x->model->properties.data[i];
    bool holds = true;
    if (p->kind != IR_PROP_ASSUME) continue;
    enum ir_outcome o = ir_eval_bool(x->eval, &p->frame, p->expr, x->state, &holds);
    if (o != IR_OK || !holds) return o;
  }
  return IR_OK;
}

// Where the step (or start) with these choices (x->values) fails; a step: in the path's last state.
static uint32_t site_of(struct reach *x, bool start, uint32_t instance) {
  const struct ir_rule *r = ir_instance(x->model, start, instance, x->params);
  enum ir_outcome o = IR_OK;
  complete(x, start, instance);
  if (!start) {
    if (x->full)
      memcpy(x->state, x->full, x->model->layout->words * sizeof *x->state);
    else
      space_pick(x->space, path_last(&x->path), x->state);
    o = ir_eval_guard(x->eval, r, x->params, x->values, x->state);
  }
  if (o == IR_OK) o = ir_eval_body(x->eval, r, x->params, x->values, x->state);
  if (o == IR_OK) o = look_at_assumptions(x);
  assert(o == IR_FAILED && "the interpreter has the last word");
  (void)o;
  return ir_eval_site(x->eval);
}

// x->pending leads to the state from which the step with x->values fails; or there is none yet.
static void tell_failing(struct reach *x, bool start, uint32_t instance, uint32_t site) {
  if (judge_wants(&x->judge, TRACE_SITE, site)) {
    judge_claim(&x->judge, TRACE_SITE, site);
    x->pending.end = TRACE_SITE;
    x->pending.id = site;
    if (start)
      add_start(x, &x->pending, instance);
    else
      add_step(x, &x->pending, instance);
    witness_add(x, &x->pending);
  }
  trace_clear(&x->pending);
  x->pending = (struct trace){0};
}

// Over states and choices: it fails there.
static dd fails_at(struct reach *x, const struct relation_rule *r, const struct relation_error *e) {
  space_bind(x->space, r, SPACE_WHOLE);
  dd when = space_term(x->space, e->when);
  for (uint32_t k = 0; k < r->rule->choice_count; k++)
    dd_and_to(&when, space_choice_valid(x->space, k));
  return when;
}

static void tell_site(struct reach *x, const struct relation_rule *r,
                      const struct relation_error *e, size_t ring, dd set) {
  if (!judge_wants(&x->judge, TRACE_SITE, e->site)) return;
  dd when = fails_at(x, r, e), states = dd_and_exists(when, set, x->step_cube);
  if (!dd_is_false(states)) {
    lead_to(x, ring, states);
    dd here = dd_and(when, path_last(&x->path));
    space_pick_choices(x->space, here, r, x->values);
    tell_failing(x, false, r->instance, e->site);
    dd_drop(here);
  }
  dd_drop(when);
  dd_drop(states);
}

// The first one that the steps can tell; and, as long as more are wanted, those of all sites.
void witness_failing(struct reach *x, size_t ring, dd set) {
  dd bad = dd_and(set, x->failing);
  struct steps_found f = {.choices = x->values};
  x->judge.faults = true;
  lead_to(x, ring, bad);
  bool found = steps_find_failing(x->steps, path_last(&x->path), &f);
  assert(found);
  (void)found;
  tell_failing(x, false, f.instance, site_of(x, false, f.instance));
  for (size_t i = 0; i < x->relation->rules.count && !x->judge.stop; i++) {
    const struct relation_rule *r = &x->relation->rules.data[i];
    for (size_t k = 0; k < r->errors.count; k++) tell_site(x, r, &r->errors.data[k], ring, bad);
  }
  dd_drop(bad);
}

static void tell_start(struct reach *x, const struct relation_rule *r,
                       const struct relation_error *e) {
  if (!judge_wants(&x->judge, TRACE_SITE, e->site)) return;
  dd when = fails_at(x, r, e);
  if (!dd_is_false(when)) {
    space_pick_choices(x->space, when, r, x->values);
    tell_failing(x, true, r->instance, e->site);
  }
  dd_drop(when);
}

void witness_failing_starts(struct reach *x) {
  uint32_t instance;
  if (!steps_start_fails(x->steps, &instance, x->values)) return;
  x->judge.faults = true;
  tell_failing(x, true, instance, site_of(x, true, instance));
  for (size_t i = 0; i < x->relation->starts.count && !x->judge.stop; i++) {
    const struct relation_rule *r = &x->relation->starts.data[i];
    for (size_t k = 0; k < r->errors.count; k++) tell_start(x, r, &r->errors.data[k]);
  }
}
