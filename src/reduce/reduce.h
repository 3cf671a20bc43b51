// SPDX-License-Identifier: Apache-2.0
// Reductions: a system in, a smaller system out. Symmetry: states that differ only in the names of
// a scalarset's elements are one state, represented by one of them (docs/symmetry.md). Chains:
// states that a model calls transient are passed through, not stored (docs/ir.md).
#pragma once

#include "base/base.h"

struct ir_model;
struct sys;
struct sys_out;
struct sys_renames;

// Says which state stands for all that are symmetric to it. Plan and scratch memory in one: one per
// thread.
struct symmetry;

// Has the model a scalarset of two or more elements that occurs in the state and is used
// symmetrically? `why`, if given, gets the scalarsets that are not, and those of which it cannot be
// shown, because the order in which a loop goes through them may matter. Those take part only if
// `trust` says so: then somebody else knows that it does not.
bool reduce_symmetry_applies(const struct ir_model *m, bool trust, struct text *why);

// Does every scalarset that takes part with trust do so without?
bool reduce_symmetry_proved(const struct ir_model *m);

// For models to which symmetry applies, with the same `trust`.
struct symmetry *symmetry_new(const struct ir_model *m, bool trust);
struct symmetry *symmetry_clone(const struct symmetry *y); // for another thread
void symmetry_free(struct symmetry *y);
// Whom to ask now and then whether to go on, while states are made canonical.
struct sys_asking;
void symmetry_ask(struct symmetry *y, const struct sys_asking *asking);
// Replaces a packed state by its representative: the same one for all symmetric states, and one of
// them.
void symmetry_canonical(struct symmetry *y, uint64_t *state);
// The same, and tells what each element has become: renaming it so, and then putting the slots of
// multisets in order, turns the state into the representative. Several renamings may do that; one
// is told.
void symmetry_follow(struct symmetry *y, uint64_t *state, uint32_t *renaming);
// How a renaming numbers the elements. Lives as long as y.
const struct sys_renames *symmetry_renames(const struct symmetry *y);

// A system over representatives. starts and expand give canonical states, with the instance and
// choice numbers that `inner` gives them in the canonical source state; `moved` compares the
// successor before it was canonicalised. A caller that follows (sys_out) is told how elements are
// renamed on the way from there to the canonical state; a failed step renames none. The rest is
// inner's. Inner stays the caller's, is used by nobody else meanwhile, and is freed after.
struct sys *reduce_symmetry_new(struct sys *inner, bool trust); // sys_free it before inner

// Partial order reduction: steps of one agent that may be taken alone, because whatever the others
// do meanwhile neither touches them nor is touched by them, nor do they change anything that the
// properties see (docs/por.md). The search adds what depends on its order: the cycle proviso.
struct ample;
// Works out which steps are independent, and adds the conditions (ir_model.ample) to the model,
// before any system is made of it. What the properties that are on (NULL: all), among them the
// atoms of the cyclic ones, read is visible. NULL, with a sentence in why: no agent could ever go
// alone, or something stands against it.
struct ample *ample_new(struct ir_model *m, const uint8_t *property_on, struct text *why);
void ample_free(struct ample *a);
// Which of the groups that are `allowed` (what sys->ample says of a state) can take a step there,
// and may do so alone: none of these fails. Successors number first.. of `out` are all of the
// state's.
uint64_t ample_groups(const struct ample *a, const struct sys_out *out, size_t first,
                      uint64_t allowed);
unsigned ample_next(uint64_t groups); // the one to try first; there is one
bool ample_has(const struct ample *a, unsigned group,
               uint32_t instance); // is it a step of the group?
// Of the successors number first.. of `out`, which are all those of a state: brings those of a
// group that may go alone (of `groups`: what sys->ample says of the state) to the front, order
// kept, and says how many they are; 0: there is no such group. *groups loses the groups that were
// tried: call again for the next.
size_t ample_select(const struct ample *a, struct sys_out *out, size_t first, uint64_t *groups);

// A system over the states that are not transient, for a model that has `transient`. expand goes on
// from successors that are transient, depth first and in the order of `inner`, until all are
// stable; every transient state is left once per expansion, so that loops among them end. It gives
// the stable ones, the failures on the way, and transient states from which nothing leads to
// another state: those are dead ends. `fired` counts all steps on the way; `moved` is that of the
// state's own steps. The rest, starts included, is inner's. struct sys_chains says how its steps
// are named. Inner stays the caller's, is used by nobody else meanwhile, and is freed after.
struct sys *reduce_chain_new(struct sys *inner); // sys_free it before inner
