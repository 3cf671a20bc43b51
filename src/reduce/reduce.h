// SPDX-License-Identifier: Apache-2.0
// Reductions: a system in, a smaller system out. Symmetry: states that differ only in the names of
// a scalarset's elements are one state, represented by one of them (docs/symmetry.md).
#pragma once

#include "base/base.h"

struct ir_model;
struct sys;

// Says which state stands for all that are symmetric to it. Plan and scratch memory in one: one per
// thread.
struct symmetry;

// Has the model a scalarset of two or more elements that occurs in the state and is used
// symmetrically? If not, and `why` is given, it gets the reason as a sentence.
bool reduce_symmetry_applies(const struct ir_model *m, struct text *why);

// For models to which symmetry applies.
struct symmetry *symmetry_new(const struct ir_model *m);
void symmetry_free(struct symmetry *y);
// Replaces a packed state by its representative: the same one for all symmetric states, and one of
// them.
void symmetry_canonical(struct symmetry *y, uint64_t *state);

// A system over representatives. starts and expand give canonical states, with the instance and
// choice numbers that `inner` gives them in the canonical source state; `moved` compares the
// successor before it was canonicalised. The rest is inner's. Inner stays the caller's, is used by
// nobody else meanwhile, and is freed after.
struct sys *reduce_symmetry_new(struct sys *inner); // sys_free it before inner
