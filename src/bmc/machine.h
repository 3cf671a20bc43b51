// SPDX-License-Identifier: Apache-2.0
// The model as a circuit, unrolled in time inside one solver: a state is the bits of its leaves'
// codes, a step leads from time t to t + 1. Gates are hashed: what is equal is one literal.
// Private to the room.
#pragma once

#include "bmc/sat.h"
#include "relation/relation.h"

struct machine {
  struct relation *relation; // whole, or a slice (relation->kept)
  struct sat *sat;
  size_t bits;      // of a state
  size_t times;     // states 0 .. times-1 have literals; steps lead from 0 .. times-2
  struct own *own;
};
// One state (time 0), any of the model's type; no start condition. NULL, with a sentence's end in
// why: something cannot be said in terms.
struct machine *machine_new(struct relation *r, struct sat *s, struct text *why);
void machine_free(struct machine *m);
// Adds the state `times`, and the step to it: some rule fires, its assumptions hold and nothing in
// it fails.
void machine_extend(struct machine *m);

lit machine_bit(const struct machine *m, size_t time, size_t bit);
uint64_t machine_bit_leaf(const struct machine *m, size_t bit);
// True: the state at this time is a start (of any start rule, with some choices).
lit machine_start(struct machine *m, size_t time);
// A condition on the state at this time: it can be evaluated and holds.
lit machine_condition(struct machine *m, size_t time, const struct relation_condition *c);
// Evaluating it fails there, at this site of it (an index into c->errors).
lit machine_condition_fails(struct machine *m, size_t time, const struct relation_condition *c,
                            size_t error);
// Some step (rule instance, site) fails from the state at this time, whatever step is taken.
lit machine_failing(struct machine *m, size_t time);
// No rule leads anywhere from here (*exact: could it be said? choices that assumptions bind cannot
// be quantified away past small domains).
lit machine_stuck(struct machine *m, size_t time, bool stuttering, bool *exact);
lit machine_passed(struct machine *m, size_t time);          // ir.h: model->transient
lit machine_same(struct machine *m, size_t a, size_t b);     // the two states are equal
lit machine_and(struct machine *m, lit a, lit b);
lit machine_or(struct machine *m, lit a, lit b);

// After the solver said yes: the packed state, and the step that leaves it.
void machine_state(struct machine *m, size_t time, uint64_t *state);
void machine_step(struct machine *m, size_t time, uint32_t *instance, int64_t *choices);
void machine_start_step(struct machine *m, size_t time, uint32_t *instance, int64_t *choices);
bool machine_failing_step(struct machine *m, size_t time, uint32_t *instance, int64_t *choices,
                          uint32_t *site);
