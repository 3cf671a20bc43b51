// SPDX-License-Identifier: Apache-2.0
// Single steps out of sets of them: which instance, with which choices, to which state.
#include "ir/ir.h"
#include "symbolic/steps_own.h"

#include <string.h>

// One assignment to all these variables that lies in the set, as a diagram.
static dd pick_one(dd set, const var_list *vars) {
  uint8_t *values = mem_alloc(vars->count + 1);
  dd_pick(set, vars->data, vars->count, values);
  dd point = dd_point(vars->data, values, vars->count), out = dd_and(set, point);
  dd_drop(point);
  mem_free(values);
  return out;
}

// Out of steps of this rule, over both states and choices, none is taken if there is none.
static bool take(struct steps *t, const struct relation_rule *r, dd all, const var_list *now,
                 const var_list *next, struct steps_found *f, dd *reached) {
  if (dd_is_false(all)) return false;
  struct space *s = t->space;
  var_list vars = {0};
  steps_choice_vars(s, r, &vars);
  for (size_t i = 0; i < next->count; i++) VEC_PUSH(&vars, next->data[i]);
  dd one = pick_one(all, &vars);
  f->instance = r->instance;
  space_pick_choices(s, one, r, f->choices);
  dd gone = dd_cube(now->data, now->count);
  dd_and_to(&gone, dd_copy(s->choice_cube));
  dd there = dd_exists(one, gone);
  *reached = dd_rename(there, s->to_now);
  dd_drop(there);
  dd_drop(gone);
  dd_drop(one);
  VEC_CLEAR(&vars);
  return true;
}

// What variables are in both, if each is a single state; NULL: one is not.
static uint8_t *values_of(dd from, dd to) {
  unsigned count = dd_var_count();
  uint8_t *values = mem_alloc(count + 1);
  memset(values, DD_FREE, count);
  if (dd_literals(from, values) && dd_literals(to, values)) return values;
  mem_free(values);
  return NULL;
}

// Steps of the rule from a state into a set (over the next variables of what it writes). From one
// state into one all that is left of the pieces speaks of choices.
static dd steps_between(struct steps *t, const struct relation_rule *r, dd from, dd to) {
  dd_list pieces = {0};
  uint8_t *values = values_of(from, to);
  dd all = dd_and(from, to);
  space_given(t->space, values);
  if (!steps_pieces(t, r, false, &pieces)) dd_set(&all, dd_false());
  for (size_t i = 0; i < pieces.count && !dd_is_false(all); i++)
    dd_and_to(&all, dd_copy(pieces.data[i]));
  steps_drop(&pieces);
  space_given(t->space, NULL);
  mem_free(values);
  return all;
}

static bool find_in(struct steps *t, const struct move *m, dd from, dd to, struct steps_found *f,
                    dd *reached) {
  struct space *s = t->space;
  bool found = false;
  for (size_t i = 0; i < m->instances.count && !found; i++) {
    const struct relation_rule *r = &s->relation->rules.data[m->instances.data[i]];
    struct move writes = {0};
    var_list now = {0}, next = {0};
    steps_written(s, r, &now, &next, &writes);
    dd all = steps_between(t, r, from, to);
    found = take(t, r, all, &now, &next, f, reached);
    dd_drop(all);
    VEC_CLEAR(&writes.writes);
    VEC_CLEAR(&now);
    VEC_CLEAR(&next);
  }
  return found;
}

// False: no step of this move leads from a state into the set. Where there is no other move nobody
// asks.
static bool may_lead(const struct steps *t, const struct move *m, dd from, dd to) {
  if (t->moves.count == 1) return true;
  dd some = clusters_product(&m->relation, &m->relation.forward, from);
  dd there = dd_rename(some, t->space->to_now);
  bool meets = dd_meets(there, to);
  dd_drop(some);
  dd_drop(there);
  return meets;
}

static bool find(struct steps *t, dd from, dd to, bool any, int32_t agent, struct steps_found *f,
                 dd *reached) {
  bool found = false;
  for (size_t i = 0; i < t->moves.count && !found; i++) {
    const struct move *m = &t->moves.data[i];
    if ((!any && m->agent != agent) || !may_lead(t, m, from, to)) continue;
    dd next = dd_rename(to, m->to_next);
    found = find_in(t, m, from, next, f, reached);
    dd_drop(next);
  }
  space_bind(t->space, NULL, SPACE_WHOLE);
  return found;
}

bool steps_find(struct steps *t, dd from, dd to, int32_t agent, struct steps_found *f,
                dd *reached) {
  dd good = t->assumes ? dd_and(to, t->space->valid_now) : dd_copy(to);
  bool found = find(t, from, good, agent <= STEPS_ANY, agent, f, reached);
  dd_drop(good);
  return found;
}

bool steps_find_start(struct steps *t, dd to, struct steps_found *f, dd *reached) {
  struct space *s = t->space;
  dd good = t->assumes ? dd_and(to, s->valid_now) : dd_copy(to);
  dd next = dd_rename(good, s->to_next);
  bool found = false;
  var_list none = {0}, all_next = {0};
  for (size_t i = 0; i < s->bits; i++) VEC_PUSH(&all_next, s->next[i]);
  for (size_t i = 0; i < s->relation->starts.count && !found; i++) {
    const struct relation_rule *r = &s->relation->starts.data[i];
    dd all = steps_between(t, r, dd_true(), next);
    found = take(t, r, all, &none, &all_next, f, reached);
    dd_drop(all);
  }
  VEC_CLEAR(&all_next);
  dd_drop(good);
  dd_drop(next);
  space_bind(s, NULL, SPACE_WHOLE);
  return found;
}

bool steps_find_failing(struct steps *t, dd from, struct steps_found *f) {
  struct space *s = t->space;
  bool found = false;
  for (size_t i = 0; i < s->relation->rules.count && !found; i++) {
    const struct relation_rule *r = &s->relation->rules.data[i];
    dd bad = steps_errors(t, r);
    dd_and_to(&bad, dd_copy(from));
    found = !dd_is_false(bad);
    if (found) {
      f->instance = r->instance;
      space_pick_choices(s, bad, r, f->choices);
    }
    dd_drop(bad);
  }
  dd reached = dd_false();
  if (!found && !dd_is_false(s->assume_fails))
    found = find(t, from, s->assume_fails, true, 0, f, &reached);
  dd_drop(reached);
  space_bind(s, NULL, SPACE_WHOLE);
  return found;
}
