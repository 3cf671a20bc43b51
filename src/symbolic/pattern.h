// SPDX-License-Identifier: Apache-2.0
// A pattern database for others than the BDD engine: how many steps at least lead from a concrete
// state to something wrong, as an abstraction of the model knows it (paper 004). It stays good when
// the diagrams it came from are gone.
#pragma once

#include "symbolic/symbolic.h"

struct pattern;
// For all goals of a run with this configuration at once (invariants that are on, errors of steps,
// deadlock): the distance to the nearest. NULL, with a sentence's end in why: the model is not for
// this, or the budget was used up.
struct pattern *pattern_new(const struct symbolic_config *c, struct text *why);
void pattern_free(struct pattern *p);
// Never more than the true distance. PATTERN_NEVER: no goal can be reached from there.
#define PATTERN_NEVER UINT32_MAX
uint32_t pattern_value(const struct pattern *p, const uint64_t *state);
bool pattern_proves(const struct pattern *p); // no start reaches a goal: everything holds
size_t pattern_bytes(const struct pattern *p);
void pattern_describe(const struct pattern *p, struct text *out); // "23 of 41 leaves, 12 layers"
