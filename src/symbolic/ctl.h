// SPDX-License-Identifier: Apache-2.0
// Computation tree logic on the reachable states. Private to the room.
#pragma once

#include "symbolic/reach.h"

// Reachable states in which the formula holds. Paths are infinite and fair (reach_fairness was
// called before): where none begins every A is true and every E is false.
dd ctl_states(struct reach *x, const struct ir_property *p, const struct ir_ctl *f);
// The same in which it has this value.
dd ctl_valued(struct reach *x, const struct ir_property *p, const struct ir_ctl *f, bool value);
// Of bounded operators with these bounds, whatever the formula's own ones are.
dd ctl_bounded(struct reach *x, const struct ir_property *p, const struct ir_ctl *f, uint32_t lo,
               uint32_t hi);

// A trace from one of the start states `bad`, in which the formula is false, that shows why as far
// as one run can.
void witness_ctl(struct reach *x, const struct ir_property *p, dd bad);
