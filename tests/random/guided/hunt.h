// SPDX-License-Identifier: Apache-2.0
// One random model with one goal through every engine that must agree on it.
#pragma once

#include "ir/ir.h"
#include "trace/trace.h"

struct graph;

struct hunt_tally {
  uint64_t models, goals, refused, skipped; // skipped: too many states
  uint64_t runs, violated, depth_sum, depth_max;
  uint64_t given_up; // runs that a limit has ended
  uint64_t states;   // whose distance was held against a pattern database's
};

struct hunt {
  uint64_t seed;
  uint32_t number;           // of the goal
  const bool *cut;           // parts of the model that are left out; NULL: none
  uint32_t parts;            // how many there are
  struct ir_model *m;        // with atoms, and the goal's property
  const struct graph *graph; // NULL: errors of steps, or too many states
  int64_t property;          // -1: none
  int deadlock;              // enum ir_deadlock
  struct rng rng;            // of settings
  struct hunt_tally *tally;
  struct text why; // the first thing found wrong
};

// The model of a seed, finished, with atoms; NULL: there is none.
struct ir_model *hunt_model(uint64_t seed, const bool *cut, uint32_t *parts);
// Gives the model its goal, number h->number of the seed.
void hunt_goal(struct hunt *h);
// Do all agree? Otherwise h->why says what is wrong.
bool hunt_run(struct hunt *h);

bool __attribute__((format(printf, 2, 3))) hunt_wrong(struct hunt *h, const char *format, ...);

// What a run has found of a goal.
struct finding {
  enum verdict verdict;
  size_t length; // of the shortest trace, SIZE_MAX: none
};
enum goal { GOAL_PROPERTY, GOAL_ERROR, GOAL_DEADLOCK, GOALS };

// The traces are replayed; false: one does not.
bool hunt_findings(struct hunt *h, const struct result *r, struct finding f[GOALS]);
// The pattern database of a model of few states against true distances (pattern.c).
bool hunt_pattern(struct hunt *h);
// Pairs of values that exclude each other, against all states of a model of few (exclusive.c).
bool hunt_exclusive(struct hunt *h);
