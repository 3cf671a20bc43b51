// SPDX-License-Identifier: Apache-2.0
// Fair runs by the fixpoints of Emerson and Lei (LICS 1986), with compassion as Kesten, Pnueli and
// Raviv (ICALP 1998) have it. Why the hull is right: a strongly connected component of it that no
// path inside the hull leaves has an edge, meets every justice, and if it meets the `given` of a
// compassion also what that asks for: going through all of it for ever is fair. And what a fair run
// passes again and again is never taken out of the hull.
#include "symbolic/fair.h"

void fair_add(struct fair_sets *f, struct fair_set s) { VEC_PUSH(&f->list, s); }

void fair_clear(struct fair_sets *f) {
  for (size_t i = 0; i < f->list.count; i++) {
    dd_drop(f->list.data[i].met);
    dd_drop(f->list.data[i].given);
  }
  VEC_CLEAR(&f->list);
}

// Where the condition is met by staying in z.
static dd met_in(const struct net *g, const struct fair_set *s, dd z) {
  dd here = dd_and(z, s->met);
  if (s->agent >= 0) {
    dd leaving = g->preimage(g->context, z, s->agent);
    dd_set(&here, dd_and(here, leaving));
    dd_drop(leaving);
  }
  return here;
}

// --- the hull ---

static void keep_meeting(const struct net *g, const struct fair_set *s, dd *z) {
  dd goal = met_in(g, s, *z), kept = net_reaching(g, *z, goal);
  if (s->compassion) dd_or_to(&kept, dd_minus(*z, s->given));
  dd_set(z, kept);
  dd_drop(goal);
}

static void keep_going(const struct net *g, dd *z) {
  dd old = dd_false();
  while (old != *z) {
    dd before = net_preimage(g, *z);
    dd_set(&old, dd_copy(*z));
    dd_set(z, dd_and(*z, before));
    dd_drop(before);
  }
  dd_drop(old);
}

dd fair_hull(const struct net *g, const struct fair_sets *f, dd within) {
  dd z = dd_copy(within), old = dd_false();
  keep_going(g, &z);
  while (old != z && f->list.count > 0) {
    dd_set(&old, dd_copy(z));
    for (size_t i = 0; i < f->list.count; i++) keep_meeting(g, &f->list.data[i], &z);
    keep_going(g, &z);
  }
  dd_drop(old);
  return z;
}

dd fair_globally(const struct net *g, const struct fair_sets *f, dd within) {
  dd hull = fair_hull(g, f, within), all = net_reaching(g, within, hull);
  dd_drop(hull);
  return all;
}

// --- a cycle ---

// Must a cycle in this component pass what the condition asks for?
static bool is_due(const struct fair_set *s, dd component) {
  return !s->compassion || dd_meets(component, s->given);
}

static bool is_fair(const struct net *g, const struct fair_sets *f, dd component) {
  dd next = net_image(g, component);
  bool good = dd_meets(next, component);
  dd_drop(next);
  for (size_t i = 0; i < f->list.count && good; i++) {
    if (!is_due(&f->list.data[i], component)) continue;
    dd goal = met_in(g, &f->list.data[i], component);
    good = !dd_is_false(goal);
    dd_drop(goal);
  }
  return good;
}

// The fair component that the path ends in, after it was led to one. One that is not fair can be
// left inside the hull, and there is no way back.
static dd find_component(struct path *p, const struct net *g, const struct fair_sets *f, dd hull) {
  for (;;) {
    dd ahead = net_reached(g, hull, path_last(p));
    dd component = net_reaching(g, ahead, path_last(p));
    bool good = is_fair(g, f, component);
    dd others = dd_minus(ahead, component);
    if (!good && f->list.count > 0 && dd_meets(others, f->list.data[0].met))
      dd_set(&others, dd_and(others, f->list.data[0].met)); // the nearest may be in vain
    dd_drop(ahead);
    if (!good) path_extend(p, g, hull, others, true);
    dd_drop(others);
    if (good) return component;
    dd_drop(component);
  }
}

static bool is_met(const struct path *p, size_t from, const struct fair_set *s) {
  for (size_t i = from; i < p->nodes.count && s->agent < 0; i++)
    if (dd_meets(p->nodes.data[i].node, s->met)) return true;
  return false;
}

static void meet(struct path *p, const struct net *g, const struct fair_set *s, dd component) {
  dd goal = met_in(g, s, component);
  bool found = path_extend(p, g, component, goal, false);
  assert(found);
  (void)found;
  if (s->agent >= 0) {
    dd next = g->step(g->context, path_last(p), component, s->agent);
    VEC_TOP(&p->nodes).by = s->agent;
    path_add(p, next);
  }
  dd_drop(goal);
}

size_t fair_cycle(struct path *p, const struct net *g, const struct fair_sets *f, dd hull) {
  dd component = find_component(p, g, f, hull);
  size_t begin = p->nodes.count - 1;
  for (size_t i = 0; i < f->list.count; i++) {
    const struct fair_set *s = &f->list.data[i];
    if (is_due(s, component) && !is_met(p, begin, s)) meet(p, g, s, component);
  }
  dd first = dd_copy(p->nodes.data[begin].node);
  path_extend(p, g, component, first, p->nodes.count - 1 == begin);
  dd_drop(first);
  dd_drop(component);
  return begin;
}
