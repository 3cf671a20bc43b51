// SPDX-License-Identifier: Apache-2.0
// What single rules do in states, without looking at the states that they lead to: a successor that
// is assumed away is no successor, yet whoever could go there is not stuck (sys.h: fired, moved).
#include "symbolic/reach.h"

#include <string.h>

// Over states and choices: the rule takes a step. It is bound from now on.
static dd takes_step(struct reach *x, const struct relation_rule *r) {
  struct space *s = x->space;
  space_bind(s, r, SPACE_WHOLE);
  dd all = space_term(s, r->guard);
  for (uint32_t k = 0; k < r->rule->choice_count; k++) dd_and_to(&all, space_choice_valid(s, k));
  for (size_t i = 0; i < r->assumes.count; i++) dd_and_to(&all, space_term(s, r->assumes.data[i]));
  for (size_t i = 0; i < r->errors.count; i++) {
    dd fails = space_term(s, r->errors.data[i].when);
    dd_set(&all, dd_minus(all, fails));
    dd_drop(fails);
  }
  return all;
}

// Over states and choices: what is written is there already.
static dd keeps_all(struct reach *x, const struct relation_rule *r) {
  dd same = dd_true();
  for (size_t i = 0; i < r->writes.count; i++)
    dd_and_to(&same, space_written(x->space, &r->writes.data[i], false));
  return same;
}

static void list_rule(struct reach *x, const struct relation_rule *r) {
  dd step = takes_step(x, r), same = keeps_all(x, r), moving = dd_minus(step, same);
  VEC_PUSH(&x->fires, dd_exists(step, x->step_cube));
  VEC_PUSH(&x->moves, dd_exists(moving, x->step_cube));
  dd_drop(step);
  dd_drop(same);
  dd_drop(moving);
}

void reach_list_steps(struct reach *x) {
  for (size_t i = 0; i < x->relation->rules.count; i++) list_rule(x, &x->relation->rules.data[i]);
}

dd reach_enabled(struct reach *x) {
  if (!x->enabled_known) x->enabled = steps_enabled(x->steps);
  x->enabled_known = true;
  return x->enabled;
}

// Reachable states lead to such only, so that of others the set may say anything.
dd reach_preimage(struct reach *x, dd to, int32_t agent) {
  dd smaller = x->judge.explored ? dd_restrict(to, x->reached_all) : dd_copy(to);
  if (dd_nodes(smaller) > dd_nodes(to)) dd_set(&smaller, dd_copy(to));
  dd before =
      agent < 0 ? steps_preimage(x->steps, smaller) : steps_preimage_of(x->steps, smaller, agent);
  dd_drop(smaller);
  return before;
}

dd reach_stuck(const struct reach *x, dd set, bool stuttering) {
  const dd *rules = stuttering ? x->moves.data : x->fires.data;
  dd left = dd_copy(set);
  for (size_t i = 0; i < x->fires.count && !dd_is_false(left); i++)
    dd_set(&left, dd_minus(left, rules[i]));
  return left;
}
