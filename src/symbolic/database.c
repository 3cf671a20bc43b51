// SPDX-License-Identifier: Apache-2.0
// Layers of a pattern database. Backward, from the goal: what is in no layer yet is farther than
// the deepest of them, or cannot reach the goal if there are no more. Forward, from the starts up
// to the first ring that meets the goal: what lies in ring i of n is n - i steps away if it is on a
// shortest way, and more if not.
//
// To step to a state that is passed through costs nothing, since a step of a search is a chain of
// steps. In an abstraction a state that may be passed is, so that nothing is told too far.
#include "symbolic/database.h"

#define STEP_FACTOR 10 // diagrams on the way may have so many times as many nodes as a layer
#ifdef FATHOM_SMALL
#define GOAL_NODES 1
#else
#define GOAL_NODES 2000 // to close the goal may take as much, however small the database is to be
#endif

static void add_layer(struct database *d, dd layer) {
  dd all = d->within.count ? dd_or(VEC_TOP(&d->within), layer) : dd_copy(layer);
  VEC_PUSH(&d->layers, layer);
  VEC_PUSH(&d->within, all);
  d->nodes += dd_nodes(layer);
  d->outside = (uint32_t)d->layers.count;
}

static dd known(const struct database *d) {
  return d->within.count ? VEC_TOP(&d->within) : dd_false();
}

// --- backward ---

// What leads to the layer, or is in it, through states that are passed. False: too large.
static bool close_layer(const struct database *d, size_t nodes_max, dd *layer) {
  dd inner = dd_and(*layer, d->of->passed);
  bool small = true;
  while (small && !dd_is_false(inner)) {
    dd before = dd_false();
    small = abstraction_preimage(d->of, inner, nodes_max, &before);
    dd_set(&before, dd_minus(before, known(d)));
    dd_set(&before, dd_minus(before, *layer));
    dd_or_to(layer, dd_copy(before));
    dd_set(&inner, dd_and(before, d->of->passed));
    dd_drop(before);
  }
  dd_drop(inner);
  return small;
}

static void end(struct database *d) {
  d->grows = false;
  d->outside = DATABASE_NEVER;
  d->proves = !dd_meets(known(d), d->starts);
}

bool database_grow(struct database *d, size_t nodes_max) {
  dd layer = dd_false();
  uint64_t before = dd_made();
  if (!d->grows) return false;
  bool small = abstraction_preimage(d->of, VEC_TOP(&d->layers), nodes_max, &layer);
  if (small) dd_set(&layer, dd_minus(layer, known(d)));
  small = small && close_layer(d, nodes_max, &layer);
  bool more = small && !dd_is_false(layer);
  if (more)
    add_layer(d, layer);
  else
    dd_drop(layer);
  if (small && !more) end(d);
  if (!small) d->failed_nodes = nodes_max;
  d->work_before = d->work;
  d->work = dd_made() - before;
  d->least = database_least(d, d->starts, d->least);
  return more;
}

// The first layer, which takes the goal over. False: it is too large to be closed, and there is
// none.
static bool begin_layers(struct database *d, const struct database_config *c, dd goal) {
  size_t nodes_max = STEP_FACTOR * (c->nodes_max > GOAL_NODES ? c->nodes_max : GOAL_NODES);
  bool small = close_layer(d, nodes_max, &goal);
  if (small)
    add_layer(d, goal);
  else
    dd_drop(goal);
  return small;
}

// Without a layer nothing is told.
static void build_backward(struct database *d, const struct database_config *c, dd goal) {
  d->grows = begin_layers(d, c, goal);
  while (d->grows && d->nodes < c->nodes_max) {
    if (dd_meets(VEC_TOP(&d->layers), d->starts)) break;
    if (!database_grow(d, STEP_FACTOR * c->nodes_max)) break;
  }
}

// --- forward ---

static void drop_list(dd_list *l) {
  for (size_t i = 0; i < l->count; i++) dd_drop(l->data[i]);
  VEC_CLEAR(l);
}

// Adds what is passed through behind a ring, which costs no step. False: too large.
static bool close_ring(const struct database *d, size_t nodes_max, dd all, dd *ring) {
  dd fresh = dd_copy(*ring);
  bool small = true;
  while (small && !dd_is_false(d->of->passed) && !dd_is_false(fresh)) {
    dd next = dd_false();
    small = abstraction_image(d->of, fresh, nodes_max, &next);
    dd_set(&next, dd_and(next, d->of->passed));
    dd_set(&next, dd_minus(next, all));
    dd_set(&fresh, dd_minus(next, *ring));
    dd_or_to(ring, next);
  }
  dd_drop(fresh);
  return small;
}

// Rings from the starts on, up to one that meets the goal, or the last. False: too large.
static bool make_rings(struct database *d, size_t nodes_max, dd goal, dd_list *rings) {
  dd ring = dd_copy(d->starts), all = dd_false();
  size_t nodes = 0;
  bool small = close_ring(d, nodes_max, all, &ring);
  while (small && !dd_is_false(ring)) {
    VEC_PUSH(rings, dd_copy(ring));
    dd_or_to(&all, dd_copy(ring));
    nodes += dd_nodes(ring);
    if (dd_meets(ring, goal)) break;
    dd next = dd_false();
    small = nodes <= nodes_max && abstraction_image(d->of, ring, nodes_max, &next);
    dd_set(&ring, dd_minus(next, all));
    small = small && close_ring(d, nodes_max, all, &ring);
    dd_drop(next);
  }
  d->proves = small && dd_is_false(ring);
  dd_drop(all);
  dd_drop(ring);
  return small;
}

// What of this ring is on a shortest way: `on` is that of the ring after it.
static bool ring_before(const struct database *d, size_t nodes_max, dd ring, dd *on) {
  dd fresh = dd_copy(*on), sum = dd_false();
  bool small = true;
  while (small && !dd_is_false(fresh)) {
    dd before = dd_false();
    small = abstraction_preimage(d->of, fresh, nodes_max, &before);
    dd_set(&before, dd_and(before, ring));
    dd_set(&before, dd_minus(before, sum));
    dd_or_to(&sum, dd_copy(before));
    dd_set(&fresh, dd_and(before, d->of->passed));
    dd_drop(before);
  }
  dd_drop(fresh);
  dd_set(on, sum);
  return small;
}

// The layers out of the rings, the last of which meets the goal. False: too large.
static bool layers_of_rings(struct database *d, size_t nodes_max, const dd_list *rings) {
  size_t n = rings->count - 1;
  dd on = dd_and(VEC_TOP(&d->layers), rings->data[n]), rest = dd_minus(d->of->valid, known(d));
  for (size_t i = 0; i < n; i++) dd_set(&rest, dd_minus(rest, rings->data[i]));
  bool small = true;
  for (size_t i = n; i-- > 0 && small;) { // rest: of ring i + 1, and at first of no ring, too
    small = ring_before(d, nodes_max, rings->data[i], &on);
    add_layer(d, dd_or(rest, on));
    dd_set(&rest, dd_minus(rings->data[i], on));
  }
  if (small && !dd_is_false(rest)) add_layer(d, dd_copy(rest));
  dd_drop(on);
  dd_drop(rest);
  return small;
}

static bool build_forward(struct database *d, const struct database_config *c, dd goal) {
  dd_list rings = {0};
  bool small = begin_layers(d, c, goal);
  small = small && make_rings(d, c->nodes_max, VEC_TOP(&d->layers), &rings);
  if (small && !d->proves) small = layers_of_rings(d, STEP_FACTOR * c->nodes_max, &rings);
  drop_list(&rings);
  return small;
}

// --- both ---

static void drop_layers(struct database *d) {
  for (size_t i = 0; i < d->layers.count; i++) {
    dd_drop(d->layers.data[i]);
    dd_drop(d->within.data[i]);
  }
  VEC_CLEAR(&d->layers);
  VEC_CLEAR(&d->within);
  d->nodes = 0;
  d->outside = 0;
}

void database_init(struct database *d, struct abstraction *of, const struct database_config *c) {
  *d = (struct database){.of = of};
  d->starts = abstraction_of(d->of, c->starts);
  dd goal = abstraction_of(d->of, c->goal);
  bool built = c->forward && build_forward(d, c, dd_copy(goal));
  if (!built) drop_layers(d);
  if (!built) build_backward(d, c, dd_copy(goal));
  dd_drop(goal);
  d->least = d->proves ? DATABASE_NEVER : database_least(d, d->starts, 0);
}

void database_clear(struct database *d) {
  drop_layers(d);
  dd_drop(d->starts);
  *d = (struct database){0};
}

// --- what it tells ---

dd database_within(const struct database *d, dd set, uint32_t distance) {
  if (distance >= d->outside) return dd_copy(set);
  size_t last = d->within.count - 1;
  return dd_and(set, d->within.data[distance < last ? distance : last]);
}

uint32_t database_least(const struct database *d, dd set, uint32_t from) {
  uint32_t i = from;
  while (i < d->layers.count && !dd_meets(set, d->layers.data[i])) i++;
  return i < d->layers.count ? i : d->outside;
}
