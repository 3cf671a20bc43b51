// SPDX-License-Identifier: Apache-2.0
// One random model with one random formula (or automaton) through every search that must agree.
#pragma once

#include "ltl/ltl.h"
#include "random/ltl/graph.h"

#define TRIAL_ATOMS 4

struct tally {
  uint64_t models, pairs, failures;
  uint64_t left_out;          // models with too many states, or faults
  uint64_t violated, fair;    // pairs: without and with fairness
  uint64_t next, claims;      // pairs: X occurs; an automaton that is no formula's
  uint64_t nested;            // searches with reduction that have begun a second search
  uint64_t runs, lassos;      // searches; lassos replayed and held against the formula
  uint64_t chains;            // pairs: the model has transient states
  uint64_t reduced, smaller;  // searches for cycles with reduction that hold; with fewer states
  uint64_t full[2], kept[2];  // states without and with, where it holds: of cycles, of violations
  uint64_t safety, deadlocks; // pairs of searches for violations; that found a deadlock
  uint64_t live, not_live;    // AG EF
  uint64_t natives;           // models compiled
};

// What a trial is about. The graph is that of the model, whatever the property.
struct trial {
  uint64_t seed;
  uint32_t number; // of the formula
  const bool *cut; // rules that are left out; NULL: none
  bool native;     // some searches with compiled models
  bool threads;    // some searches with several threads
  struct ir_model *m;
  const struct graph *graph;
  struct ltl_factory *factory;
  const struct ltl *formula;            // NULL: only the automaton
  const struct ir_automaton *automaton; // of the runs that violate it
  uint32_t property;
  struct tally *tally;
  struct text why; // the first thing found wrong
};

bool __attribute__((format(printf, 2, 3))) trial_wrong(struct trial *t, const char *format, ...);

// The model of a seed, finished, with its atoms, nothing else; NULL: it does not finish. *rules:
// how many there are to leave out.
struct ir_model *trial_model(uint64_t seed, const bool *cut, uint32_t *rules);
// Gives the model its property, number `number` of the seed.
void trial_property(struct trial *t);

// Each says whether all agree, and why not in t->why.
bool trial_cycles(struct trial *t);   // without and with fairness and reduction
bool trial_safety(struct trial *t);   // an invariant, deadlocks, with and without reduction
bool trial_liveness(struct trial *t); // from every state a certain one can be reached
