// SPDX-License-Identifier: Apache-2.0
// Forward reachability, ring by ring; every ring is looked at as soon as it is known, so that what
// is found is found on a shortest way. An image is taken of what is new, or of something between
// that and all that is known if its diagram is smaller.
#include "symbolic/reach.h"

#include "ir/eval.h"
#include "relation/cone.h"
#include "symbolic/guided.h"

#include <string.h>

// --- looking ---

bool reach_is_sound(struct reach *x, size_t i) {
  if (x->model->properties.data[i]->kind != IR_PROP_CTL || relation_total(x->whole)) return true;
  x->looked[i] = dd_implies(x->space->valid_now, reach_enabled(x));
  return x->looked[i];
}

static void look_at_property(struct reach *x, size_t i, size_t ring, dd set) {
  const struct condition *c = &x->conditions[i];
  for (size_t k = 0; k < c->faults.count; k++) {
    if (!dd_meets(set, c->faults.data[k].when)) continue;
    x->judge.property_faulty[i] = 1;
    dd bad = dd_and(set, c->faults.data[k].when);
    witness_fault(x, (uint32_t)i, c->faults.data[k].site, ring, bad);
    dd_drop(bad);
  }
  if (x->model->properties.data[i]->kind == IR_PROP_COVER) {
    if (dd_meets(set, c->yes)) x->judge.covers[i / 64] |= UINT64_C(1) << (i % 64);
  } else if (judge_wants(&x->judge, TRACE_PROPERTY, (uint32_t)i) && dd_meets(set, c->no) &&
             reach_is_sound(x, i)) {
    dd bad = dd_and(set, c->no);
    witness_state(x, TRACE_PROPERTY, (uint32_t)i, ring, bad);
    dd_drop(bad);
  }
}

static void look_at_states(struct reach *x, size_t ring, dd set) {
  for (size_t i = 0; i < x->model->properties.count; i++)
    if (x->looked[i]) look_at_property(x, i, ring, set);
}

static dd deadlocks(struct reach *x, dd set) {
  dd stuck = reach_stuck(x, set, x->config->deadlock == IR_DEADLOCK_STUTTERING);
  dd_set(&stuck, dd_minus(stuck, x->failing));
  dd_set(&stuck, dd_minus(stuck, x->valid_end.yes));
  return stuck;
}

static void look_for_deadlock(struct reach *x, size_t ring, dd set) {
  if (x->config->deadlock == IR_DEADLOCK_OFF || !judge_wants(&x->judge, TRACE_DEADLOCK, 0)) return;
  dd stuck = deadlocks(x, set);
  if (!dd_is_false(stuck)) witness_state(x, TRACE_DEADLOCK, 0, ring, stuck);
  dd_drop(stuck);
}

static void look_at_steps(struct reach *x, size_t ring, dd set) {
  if (dd_meets(set, x->failing)) witness_failing(x, ring, set);
  steps_covers(x->steps, set, x->judge.covers);
}

// --- going on ---

void reach_phase(struct reach *x, const char *phase) { x->shown.phase = phase; }

#define REORDER_NODES 200000

// Unless told otherwise variables are reordered between levels, and only when the states found have
// become a large diagram: on most models that is never, and pays on none that is small.
static void reorder(struct reach *x) {
  size_t at = x->reorder_at ? x->reorder_at : REORDER_NODES;
  if (x->config->reorder != SYMBOLIC_REORDER_AUTO) return;
  if (dd_nodes_now() < at || dd_nodes(x->reached) < at) return;
  dd_reorder();
  size_t nodes = 2 * dd_nodes(x->reached);
  x->reorder_at = nodes > REORDER_NODES ? nodes : REORDER_NODES;
}

static void note_level(struct reach *x) {
  uint64_t most = x->config->budget.states_max;
  x->shown.depth = x->levels.count - 1;
  double now = clock_seconds();
  if (most || now >= x->count_next) { // counting takes as long as a small step
    x->shown.states = dd_count_real(x->reached, x->space->now, x->space->bits);
    x->count_next = now + 0.02;
  }
  x->shown.ring_nodes = dd_nodes(x->fresh);
  x->judge.result->stats.depth = x->shown.depth;
  if (most && x->shown.states > (double)most) x->judge.stop = "states";
}

// Takes `other` over, and puts it in place of `best` if it is smaller.
static bool improve(dd *best, size_t *nodes, dd other) {
  size_t count = dd_nodes(other);
  if (count >= *nodes) {
    dd_drop(other);
    return false;
  }
  *nodes = count;
  dd_set(best, other);
  return true;
}

// Something between what is new and everything that is known. To look for it takes a part of the
// time of an image: where it was in vain, it is not done again for a while.
static dd frontier(struct reach *x, dd known_before) {
  dd best = dd_copy(x->fresh);
  if (pause_lasts(&x->frontier)) return best;
  size_t nodes = x->shown.ring_nodes;
  dd care = dd_not(known_before);
  bool smaller = improve(&best, &nodes, dd_restrict(x->fresh, care));
  smaller = improve(&best, &nodes, dd_copy(x->reached)) || smaller;
  pause_after(&x->frontier, smaller);
  dd_drop(care);
  return best;
}

// The steps from a set: states that are new, and what is to be passed through and was not.
static void go_on(struct reach *x, dd from, dd *states, dd *inner) {
  dd next = steps_image(x->steps, from);
  dd_set(&next, dd_minus(next, x->reached));
  dd_set(inner, dd_and(next, x->passed));
  dd_or_to(states, dd_minus(next, *inner));
  dd_set(inner, dd_minus(*inner, x->met));
  dd_drop(next);
}

// Through transient states, ring by ring. What `first` leads to is known.
static void pass_through(struct reach *x, size_t first, dd *states, dd *inner) {
  while (!dd_is_false(*inner) && !x->judge.stop) {
    size_t ring = x->rings.list.count;
    rings_add(&x->rings, *inner, first, ring);
    dd_or_to(&x->met, dd_copy(*inner));
    look_at_steps(x, ring, *inner);
    dd from = dd_copy(*inner);
    go_on(x, from, states, inner);
    dd_drop(from);
    first = ring;
  }
}

static bool leads_on(struct reach *x, dd states, dd inner) {
  if (!dd_is_false(states) || !dd_is_false(inner) || dd_meets(x->fresh, x->failing)) return true;
  if (x->config->deadlock == IR_DEADLOCK_OFF) return false;
  dd stuck = deadlocks(x, x->fresh);
  bool some = !dd_is_false(stuck);
  dd_drop(stuck);
  return some;
}

// The level at the depth limit is looked at, not expanded: only if it leads to nothing new, no
// fault and no deadlock was the run complete all the same.
static void probe(struct reach *x, dd states, dd inner) {
  if (leads_on(x, states, inner)) x->judge.stop = "depth";
}

static bool at_limit(const struct reach *x) {
  uint64_t limit = x->config->budget.depth_max;
  return limit && x->levels.count - 1 >= limit;
}

// x->fresh is a new level, behind the rings from `first` on.
static void enter_level(struct reach *x, size_t first) {
  size_t ring = x->rings.list.count;
  VEC_PUSH(&x->levels, ring);
  rings_add(&x->rings, x->fresh, first, ring);
  dd_or_to(&x->reached, dd_copy(x->fresh));
  note_level(x);
  reorder(x);
  look_at_states(x, ring, x->fresh);
  if (x->judge.stop) return;
  x->judge.result->depth_known = true;
  x->judge.result->depth_complete = x->levels.count - 1;
}

// From a level to the next; x->fresh is that then.
static void leave_level(struct reach *x, dd known_before) {
  size_t ring = VEC_TOP(&x->levels);
  bool last = at_limit(x);
  dd from = frontier(x, known_before), states = dd_false(), inner = dd_false();
  if (!last) look_at_steps(x, ring, x->fresh);
  if (!last) look_for_deadlock(x, ring, x->fresh);
  if (!x->judge.stop) go_on(x, from, &states, &inner);
  if (last)
    probe(x, states, inner);
  else
    pass_through(x, ring, &states, &inner);
  dd_set(&x->fresh, last || x->judge.stop ? dd_false() : dd_copy(states));
  dd_drop(from);
  dd_drop(states);
  dd_drop(inner);
}

void reach_run(struct reach *x) {
  struct judge *j = &x->judge;
  reach_phase(x, "reachable states");
  witness_failing_starts(x);
  steps_start_covers(x->steps, j->covers);
  if (j->stop) return;
  x->fresh = steps_starts(x->steps);
  if (dd_is_false(x->fresh)) j->stop = "no start state";
  while (!dd_is_false(x->fresh) && !j->stop) {
    dd before = dd_copy(x->reached);
    enter_level(x, x->levels.count ? VEC_TOP(&x->levels) : 0);
    if (!j->stop) leave_level(x, before);
    dd_drop(before);
  }
  j->explored = !j->stop;
  x->reached_all = dd_or(x->reached, x->met);
}

// --- after ---

static void clear_sets(struct reach *x) {
  for (size_t i = 0; x->conditions && i < x->model->properties.count; i++)
    condition_clear(&x->conditions[i]);
  for (size_t i = 0; i < x->fires.count; i++) dd_drop(x->fires.data[i]);
  for (size_t i = 0; i < x->moves.count; i++) dd_drop(x->moves.data[i]);
  for (size_t i = 0; i < x->memos.count; i++) dd_drop(x->memos.data[i].states);
  dd *const sets[] = {&x->failing, &x->passed,      &x->reached,   &x->met,    &x->reached_all,
                      &x->fresh,   &x->fair_states, &x->step_cube, &x->enabled};
  for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) dd_set(sets[i], dd_false());
  condition_clear(&x->valid_end);
  condition_clear(&x->atom);
}

void reach_clear(struct reach *x) {
  clear_sets(x);
  product_free(x);
  guided_free(x->guided);
  VEC_CLEAR(&x->claim_vars);
  mem_free(x->conditions);
  mem_free(x->looked);
  VEC_CLEAR(&x->fires);
  VEC_CLEAR(&x->moves);
  VEC_CLEAR(&x->memos);
  rings_clear(&x->rings);
  VEC_CLEAR(&x->levels);
  fair_clear(&x->fair);
  path_clear(&x->path);
  net_clear(&x->net);
  trace_clear(&x->pending);
  if (x->eval) ir_eval_free(x->eval);
  mem_free(x->state);
  mem_free(x->params);
  mem_free(x->values);
  mem_free(x->full);
  mem_free(x->full_values);
}
