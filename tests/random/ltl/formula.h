// SPDX-License-Identifier: Apache-2.0
// Random formulas over a model's atoms, random atoms, and random automata over them.
#pragma once

#include "ir/ir.h"
#include "ltl/ltl.h"

// Adds `count` atoms about single leaves to a finished model. None of them can fault.
void formula_atoms(struct ir_model *m, struct rng *r, uint32_t count);
// With at most `size` temporal operators; X only if so asked.
const struct ltl *formula_random(struct ltl_factory *f, struct rng *r, uint32_t atoms,
                                 uint32_t size, bool next);
// A user's never claim, labels that must not be passed for ever, or labels that must be.
const struct ir_automaton *formula_automaton(struct arena *a, struct rng *r, uint32_t atoms);
// The names of a model's atoms, for printing.
const char *const *formula_names(const struct ir_model *m);
