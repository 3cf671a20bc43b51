// SPDX-License-Identifier: Apache-2.0
// What a run is to find out, in parts: goals (properties, errors of steps, deadlock) that depend on
// the same leaves are looked at together, on the slice of the relation that has just these. Private
// to the room.
#pragma once

#include "relation/cone.h"
#include "symbolic/symbolic.h"
#include "trace/judge.h"

struct goals_part {
  struct judge_part judge; // which goals
  struct cone cone;
  bool sliced; // the run is to be on the slice; else on everything
};

struct goals {
  VEC(struct goals_part) parts; // smaller cones first
};

// Breadth-first: goals of equal cones are one part, and so are those whose cones are nearly the
// same. Other searches: each goal is a part. Without config->cone a part is on everything, whatever
// its cone says. Goals that need no run, as errors that cannot happen, are in no part; the judge is
// told.
void goals_init(struct goals *g, const struct symbolic_config *c, struct relation *r,
                struct judge *j);
void goals_clear(struct goals *g);
