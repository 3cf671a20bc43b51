// SPDX-License-Identifier: Apache-2.0
// Runs that are fair: they meet conditions again and again. Private to the room.
#pragma once

#include "symbolic/rings.h"

// Justice: `met` is met again and again; of compassion: if `given` is. With an agent, what has to
// happen is a step of that agent that leaves a node of `met`.
struct fair_set {
  dd met, given;
  bool compassion;
  int32_t agent; // -1: any
};
struct fair_sets {
  VEC(struct fair_set) list;
};
void fair_add(struct fair_sets *f, struct fair_set s); // takes its diagrams over
void fair_clear(struct fair_sets *f);

// The hull: nodes of `within` such that from each an infinite path goes on inside the hull, and
// whatever is to be met can be met inside of it. Every fair cycle inside `within` lies in it, and
// every node of it leads to one.
dd fair_hull(const struct net *g, const struct fair_sets *f, dd within);
// Nodes of `within` from which a fair path stays there: EG within.
dd fair_globally(const struct net *g, const struct fair_sets *f, dd within);
// Goes on from the path's last node, which is in the hull, to a fair cycle inside of it, and once
// round: the last node is that at which the cycle begins, whose number comes back.
size_t fair_cycle(struct path *p, const struct net *g, const struct fair_sets *f, dd hull);
