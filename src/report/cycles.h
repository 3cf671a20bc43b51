// SPDX-License-Identifier: Apache-2.0
// What there is to say of searches for cycles, and of the cycles they find, in words. Private to
// the room.
#pragma once

#include "report/report.h"

struct ir_model;

// Which search it is, where there is no other: "ndfs", "liveness".
const char *cycles_search(const struct report_cycles *c);
// What is searched besides: "then 2 properties of infinite runs: ndfs search, ...".
void cycles_plan(struct text *out, const struct report_run *run);
// What a property's own search took: "5 states of an automaton, 1,234 states in 0.2 s"; nothing for
// one that had none.
void cycles_size(struct text *out, const struct property_result *p);
// How long a lasso is: "after 12 steps a cycle of 3 steps".
void cycles_length(struct text *out, const struct ir_model *m, const struct trace *t,
                   const struct replay *r);
// What stands above the cycle in a trace; nothing where it does not begin at that step.
const char *cycles_heading(const struct trace *t, size_t step);
// The automaton's state behind that many steps: "T0_init"; nothing where there is none.
void cycles_claim(struct text *out, const struct ir_model *m, const struct trace *t, size_t state);
// A step in which nothing moves.
bool cycles_stutters(const struct trace *t, size_t step);
#define CYCLES_STUTTER "nothing can move: the last state goes on for ever"
