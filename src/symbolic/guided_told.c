// SPDX-License-Identifier: Apache-2.0
// How far states are from the goal at least. As far as the layers of the model itself go (the end)
// the distance is exact; what is in none of them is farther, and how much an abstraction may tell.
// The larger of two distances, neither of which falls by more than one with a step, does not,
// either; and what is near in the model is so in an abstraction, too.
#include "symbolic/guided_own.h"

dd guided_within(const struct guided *g, dd set, uint32_t distance) {
  bool exact = distance < g->end.outside || !g->base.of;
  return database_within(exact ? &g->end : &g->base, set, distance);
}

// Does the abstraction tell that some of them may be this near?
static bool may_be_near(const struct database *d, dd set, uint32_t distance) {
  size_t last = d->within.count - 1;
  return distance >= d->outside || dd_meets(set, d->within.data[distance < last ? distance : last]);
}

uint32_t guided_least(const struct guided *g, dd set, uint32_t from) {
  uint32_t near = database_least(&g->end, set, from);
  if (near < g->end.outside || near == DATABASE_NEVER || !g->base.of) return near;
  if (from <= near && may_be_near(&g->base, set, near)) return near;
  uint32_t far = database_least(&g->base, set, from > near ? from : near + 1);
  return far > near ? far : near;
}

size_t guided_layers(const struct guided *g) {
  return g->end.layers.count > g->base.layers.count ? g->end.layers.count : g->base.layers.count;
}

uint32_t guided_outside(const struct guided *g) {
  return g->end.outside > g->base.outside ? g->end.outside : g->base.outside;
}

uint32_t guided_told(const struct guided *g) {
  return g->end.least > g->base.least ? g->end.least : g->base.least;
}

bool guided_proves(const struct guided *g) { return g->end.proves || g->base.proves; }

const struct database *guided_base(const struct guided *g) {
  return g->base.of && !g->end.proves ? &g->base : &g->end;
}
