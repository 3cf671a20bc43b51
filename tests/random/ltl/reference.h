// SPDX-License-Identifier: Apache-2.0
// What must come out, by definition, on a model's explicit graph: is there a run that an automaton
// accepts, is there one that violates a formula, can a condition always be reached again?
#pragma once

#include "base/base.h"

struct graph;
struct ir_automaton;
struct ltl;

// A run that the automaton accepts; with `fair`, one that lets no agent wait for ever which from
// some moment on always has a step.
bool reference_accepted(const struct graph *g, const struct ir_automaton *a, bool fair);
// A run of which the formula is not true, without any automaton: a state of the model beside which
// of the formula's temporal parts are true of what follows, everything that is promised being kept.
// A state without steps goes on for ever. Atoms are numbered below REFERENCE_ATOMS.
#define REFERENCE_ATOMS 4
bool reference_violated(const struct graph *g, const struct ltl *f, bool fair);
// Per state: can one be reached from it in which the atom holds?
void reference_reaches(const struct graph *g, uint32_t atom, bool *reaches);
