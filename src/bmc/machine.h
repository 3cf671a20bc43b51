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
  size_t bits;  // of a state
  size_t times; // states 0 .. times-1 have literals; steps lead from 0 .. times-2
  bool loose;   // may be set before machine_extend: see machine_valid
  struct own *own;
};
// One state (time 0), any of the model's type; no start condition. NULL, with a sentence's end in
// why: something cannot be said in terms.
struct machine *machine_new(struct relation *r, struct sat *s, struct text *why);
// The same, and the state at time 0 is a start: what starts agree in is constant there.
struct machine *machine_new_at_start(struct relation *r, struct sat *s, struct text *why);
void machine_free(struct machine *m);
// From now on a state that no step leaves, and in which none fails, may be followed by itself.
// False: that cannot be said.
bool machine_stutter(struct machine *m);
// Adds the state `times`, and the step to it: some rule fires, its assumptions hold and nothing in
// it fails.
void machine_extend(struct machine *m);
// No state of a run has both values of any of these pairs (first << 32 | second): 2 * a bit's place
// in packed states, and one more where it is set. From now on that is said of every state.
void machine_exclude(struct machine *m, const uint64_t *pairs, size_t count);
// The step from this time exists: one rule is chosen, its guard and assumptions hold, nothing in it
// fails. machine_extend asserts it, unless the machine is loose: then whoever asks about a step
// assumes this literal, and the bits of time + 1 are mere functions (gates) of those of `time` and
// of its inputs. For proofs (pdr.c), which ask what follows from parts of a state.
lit machine_valid(const struct machine *m, size_t time);
// The variables other than bits that were made so far for this time: which rule fires, choices of
// its step, of start rules, of failing steps. With the bits they decide every gate of this time.
size_t machine_inputs(const struct machine *m, size_t time, const lit **inputs);

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
// The same without choices of its own: true just where some step fails.
lit machine_fails(struct machine *m, size_t time, bool *exact);
// Evaluating what is assumed of all states may fail after a step: that is not in machine_failing.
bool machine_assumptions_fail(const struct machine *m);
// Some step from there (at time 0: or the start itself) reaches a COVER statement of this property.
lit machine_covers(struct machine *m, size_t time, uint32_t property);
// No rule leads anywhere from here (*exact: could it be said? choices that assumptions bind cannot
// be quantified away past small domains).
lit machine_stuck(struct machine *m, size_t time, bool stuttering, bool *exact);
lit machine_passed(struct machine *m, size_t time);      // ir.h: model->transient
lit machine_same(struct machine *m, size_t a, size_t b); // the two states are equal
lit machine_and(struct machine *m, lit a, lit b);
lit machine_or(struct machine *m, lit a, lit b);
lit machine_xor(struct machine *m, lit a, lit b);
lit machine_moved_by(struct machine *m, size_t time, int32_t agent); // the step from there is its

// After the solver said yes: the packed state, and the step that leaves it (SYS_STUTTER: nothing
// moves). Leaves that are not kept, and choices that nothing speaks of, have some value.
void machine_state(struct machine *m, size_t time, uint64_t *state);
void machine_step(struct machine *m, size_t time, uint32_t *instance, int64_t *choices);
void machine_start_step(struct machine *m, size_t time, uint32_t *instance, int64_t *choices);
// A start that fails, if there is one: asked with a solver of its own.
bool machine_failing_start(struct relation *r, const struct sat_config *c, uint32_t *instance,
                           int64_t *choices);
bool machine_failing_step(struct machine *m, size_t time, uint32_t *instance, int64_t *choices,
                          uint32_t *site);
