// SPDX-License-Identifier: Apache-2.0
// The goals of a guided run: what each property, COVER statement, step that may fail, and deadlock
// wants to be looked for; and what is told when a goal was reached, or cannot be.
#include "symbolic/goals.h"
#include "symbolic/guided_own.h"

// --- what was found ---

void guided_tell(struct guided *g, size_t ring) {
  struct reach *x = g->x;
  const struct goal *o = &g->goal;
  switch (o->kind) {
  case GOAL_VIOLATION: witness_state(x, TRACE_PROPERTY, o->id, ring, g->reached); break;
  case GOAL_FAULT:
    x->judge.property_faulty[o->id] = 1;
    witness_fault(x, o->id, o->site, ring, g->reached);
    break;
  case GOAL_COVER:
  case GOAL_STATEMENT: x->judge.covers[o->id / 64] |= UINT64_C(1) << (o->id % 64); break;
  case GOAL_FAILING: witness_failing(x, ring, g->reached); break;
  case GOAL_DEADLOCK: witness_state(x, TRACE_DEADLOCK, 0, ring, g->reached); break;
  }
}

static const char *name_of(const struct guided *g) {
  const struct result *r = g->x->judge.result;
  size_t properties = g->x->model->properties.count;
  if (g->goal.kind == GOAL_FAILING) return r->properties.data[properties].name;
  if (g->goal.kind == GOAL_DEADLOCK) return r->properties.data[properties + 1].name;
  return r->properties.data[g->goal.id].name;
}

void guided_note(struct guided *g) {
  struct result *r = g->x->judge.result;
  const struct database *b = guided_base(g);
  struct text t = {0};
  if (r->note) text_printf(&t, "%s; ", r->note);
  text_printf(&t, "%s: ", name_of(g));
  if (b->proves && b->of->kept < b->of->leaves)
    text_printf(&t, "proved by its abstraction to %zu of %zu leaves", b->of->kept, b->of->leaves);
  else if (b->proves)
    text_printf(&t, "proved by a search from its end");
  else
    text_printf(&t, "guided by %zu of %zu leaves, %zu layer%s", b->of->kept, b->of->leaves,
                b->layers.count, b->layers.count == 1 ? "" : "s");
  mem_free(r->note);
  r->note = t.data;
}

// --- goals about states ---

// States in which properties are looked at: valid ones that are not passed through; a start that is
// counts as any other.
static dd looked_at(const struct guided *g, dd states) {
  dd skipped = dd_minus(g->x->passed, g->starts), out = dd_and(states, g->x->space->valid_now);
  dd_set(&out, dd_minus(out, skipped));
  dd_drop(skipped);
  return out;
}

// Takes the states over.
static bool pursue(struct guided *g, struct goal goal) {
  dd_drop(g->goal.states);
  g->goal = goal;
  return guided_pursue(g);
}

static void pursue_property(struct guided *g, uint32_t i) {
  struct reach *x = g->x;
  const struct condition *c = &x->conditions[i];
  bool cover = x->model->properties.data[i]->kind == IR_PROP_COVER;
  for (size_t k = 0; k < c->faults.count && !x->judge.stop; k++) {
    dd states = looked_at(g, c->faults.data[k].when);
    pursue(g, (struct goal){
                  .kind = GOAL_FAULT, .id = i, .site = c->faults.data[k].site, .states = states});
  }
  if (x->judge.stop) return;
  enum goal_kind kind = cover ? GOAL_COVER : GOAL_VIOLATION;
  dd states = looked_at(g, cover ? c->yes : c->no);
  bool found = pursue(g, (struct goal){.kind = kind, .id = i, .states = states});
  x->judge.property_holds[i] = !found && !g->limited && !x->judge.stop;
}

// --- goals about steps ---

// States from which a step of the rule passes its COVER statement number k.
static dd passes(struct reach *x, const struct relation_rule *r, size_t k) {
  dd_list pieces = {0};
  if (!steps_pieces(x->steps, r, false, &pieces)) return dd_false();
  dd step = space_term(x->space, r->covers.data[k].when);
  for (size_t i = 0; i < pieces.count; i++) dd_and_to(&step, dd_copy(pieces.data[i]));
  steps_drop(&pieces);
  dd_set(&step, dd_exists(step, x->step_cube));
  dd_and_to(&step, dd_copy(x->space->valid_now));
  return step;
}

static void pursue_statement(struct guided *g, uint32_t property) {
  struct reach *x = g->x;
  dd states = dd_false();
  for (size_t i = 0; i < x->relation->rules.count; i++) {
    const struct relation_rule *r = &x->relation->rules.data[i];
    for (size_t k = 0; k < r->covers.count; k++)
      if (r->covers.data[k].property == property) dd_or_to(&states, passes(x, r, k));
  }
  space_bind(x->space, NULL, SPACE_WHOLE);
  pursue(
      g,
      (struct goal){
          .kind = GOAL_STATEMENT, .id = property, .states = states, .inside = true, .steps = true});
}

// States from which a step fails at a site that was not told yet.
static dd failing_elsewhere(struct reach *x) {
  dd sum = dd_false();
  for (size_t i = 0; i < x->relation->rules.count; i++) {
    const struct relation_rule *r = &x->relation->rules.data[i];
    space_bind(x->space, r, SPACE_WHOLE);
    for (size_t k = 0; k < r->errors.count; k++) {
      if (!judge_wants(&x->judge, TRACE_SITE, r->errors.data[k].site)) continue;
      dd when = space_term(x->space, r->errors.data[k].when);
      for (uint32_t n = 0; n < r->rule->choice_count; n++)
        dd_and_to(&when, space_choice_valid(x->space, n));
      dd_or_to(&sum, dd_exists(when, x->step_cube));
      dd_drop(when);
    }
  }
  space_bind(x->space, NULL, SPACE_WHOLE);
  dd_and_to(&sum, dd_copy(x->failing));
  return sum;
}

// As many sites as are wanted.
static void pursue_failing(struct guided *g) {
  struct goal goal = {.kind = GOAL_FAILING, .inside = true, .steps = true};
  goal.states = dd_copy(g->x->failing);
  while (pursue(g, goal) && !g->x->judge.stop) goal.states = failing_elsewhere(g->x);
}

static dd deadlocks(struct guided *g) {
  struct reach *x = g->x;
  dd all = looked_at(g, dd_true());
  dd stuck = reach_stuck(x, all, x->config->deadlock == IR_DEADLOCK_STUTTERING);
  dd_set(&stuck, dd_minus(stuck, x->failing));
  dd_set(&stuck, dd_minus(stuck, x->valid_end.yes));
  dd_drop(all);
  return stuck;
}

static void pursue_deadlock(struct guided *g) {
  pursue(g, (struct goal){.kind = GOAL_DEADLOCK, .states = deadlocks(g), .steps = true});
}

// --- all of them ---

static bool covered(const struct judge *j, size_t i) { return j->covers[i / 64] >> (i % 64) & 1; }

static void look_at(struct guided *g, const struct ir_property *p) {
  struct reach *x = g->x;
  if (!judge_on(&x->judge, p->id) || p->kind == IR_PROP_ASSUME) return;
  reach_phase(x, p->name);
  if (x->looked[p->id] && reach_is_sound(x, p->id))
    pursue_property(g, p->id);
  else if (p->kind == IR_PROP_COVER && !covered(&x->judge, p->id))
    pursue_statement(g, p->id);
  else if (p->kind != IR_PROP_COVER)
    judge_unknown(&x->judge, p->id, "not checked by this search", NULL);
}

void guided_goals(struct guided *g) {
  struct reach *x = g->x;
  const struct judge *j = &x->judge;
  for (size_t i = 0; i < x->model->properties.count && !j->stop; i++)
    look_at(g, x->model->properties.data[i]);
  reach_phase(x, "steps that fail");
  if (!j->stop && x->part->judge.errors) pursue_failing(g);
  reach_phase(x, "deadlock");
  if (!j->stop && x->config->deadlock != IR_DEADLOCK_OFF) pursue_deadlock(g);
}

void guided_any_goal(struct guided *g) {
  struct reach *x = g->x;
  dd sum = dd_false();
  for (size_t i = 0; i < x->model->properties.count; i++) {
    const struct condition *c = &x->conditions[i];
    if (!x->looked[i]) continue;
    dd_or_to(&sum, dd_copy(c->no));
    for (size_t k = 0; k < c->faults.count; k++) dd_or_to(&sum, dd_copy(c->faults.data[k].when));
  }
  dd_set(&sum, looked_at(g, sum));
  if (x->part->judge.errors) dd_or_to(&sum, dd_copy(x->failing));
  if (x->config->deadlock != IR_DEADLOCK_OFF) dd_or_to(&sum, deadlocks(g));
  g->goal = (struct goal){.kind = GOAL_FAILING, .states = sum, .inside = true};
}
